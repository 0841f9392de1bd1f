"""The words of a command line that cannot be taken, and how the program ends when it fails."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any, get_args

import pytest
import typer

from handread import cli
from handread.cli.declared import given_words
from handread.cli.groups import ViewOptions
from handread.cli.options import Ties, listed
from handread.cli.program import CRASHED
from handread.cli.rare import set_option
from handread.cli.reading import ReadingOptions
from tests.examples import few
from tests.program import PROGRAM, ROOT, Done, run

STEAL = "sample_histories/steal.stud"
FULL = Path("/dev/full")


REFUSED = [
    ("'no such.txt' b", "No such command 'no such.txt', and no such file"),
    ("evil\x1b[31m.txt", r"No such command 'evil\x1b[31m.txt', and no such file"),
    ("analise", "No such command 'analise', and no such file; did you mean 'analyze'?"),
    ("summary x --plot infogain -o a.png", "did you mean 'information-gain'?"),
    (f"report {STEAL} --format hmtl", "'hmtl' is not one of"),
    (f"report {STEAL} --format hmtl", "did you mean 'html'?"),
    (f"analyze {STEAL} --top 0", "'--top': '0' is not 1 or more"),
    (f"analyze {STEAL} --lapse x", "'--lapse': 'x' is not a number"),
    (f"analyze {STEAL} --polcy loose", "--policy"),
    ("analyze", "Missing argument 'FILE...'"),
    (
        f"convert {STEAL}",
        "no format is given; expected the ending .phhs or .phh (phh), .stud",
    ),
    (f"convert {STEAL} -o -", "no format is given"),
    (f"convert {STEAL} -o x.xml", "x.xml: the ending tells no format; expected the ending"),
    (f"convert {STEAL} -o x", "or another format with --to"),
    (f"convert {STEAL} -o x.stud --annotate", "only PHH can contain an analysis, not saund"),
    ("simulate many", "'N': 'many' is not a whole number"),
    ("simulate 2.5", "'N': '2.5' is not a whole number"),
    ("simulate 0", "'0' is not 1 or more"),
    ("simulate 3 -o x.doc", "the ending tells no format"),
    ("simulate 3 -o x.parquet", "the ending tells no format"),
    ("simulate 3 -o x.stud --dialect phh", "the ending .stud is not that of phh"),
    ("simulate 3 -o tests", "is a folder"),
    ("simulate 3 --dialect pokerstars --names 'A\nB,C' --seats 2", "player"),
    ("simulate 3 --dialect bovada --game 'ante 1 bring-in 1 bets 2 2 4 4 4 raises 6'", "6"),
    ("simulate 3 --seat 9=loose", "nobody sits in seat 9"),
    ("simulate 3 --seat 2=loose:deaf", "unknown knowledge 'deaf'"),
    ("simulate 3 --game 'ante 1'", "the game 'ante 1'"),
    ("simulate 3 --game unknown", "has no stakes"),
    ("simulate 3 --stack much", "'much' is no amount"),
    ("simulate 3 --stack 0.001", "no amount of whole"),
    ("simulate 3 --stack 1e999999", "is no amount"),
    ("simulate 3 --names Ann,Ben", "7 seats need 7 different names"),
    ("simulate 3 --seats 9", "'9' is not 8 or less"),
    ("experiment win-rates --games 0", "'--games': '0' is not 1 or more"),
    ("experiment win-rates --seat 8=loose", "nobody sits in seat 8"),
    ("experiment learning-curves --games ten", "expected numbers from 1 to 100,000"),
    ("experiment information-gain --plot x.bmp", ".png, .svg or .pdf"),
    ("experiment entropies --set stage=8B", "no stage '8B'"),
    ("experiment entropies --set figure=htpd", "--plot FILE"),
    ("experiment entropies --set figure=htdp", "'htdp' is not one of entropies, htpd; did you"),
    ("experiment entropies --set figur=htpd", "figure, stage, pick; did you mean 'figure'?"),
    ("experiment win-rates --set duplicate", "expected NAME=VALUE"),
    ("fit --values tight hands.stud", "--values plays games of its own"),
    ("fit --values nobody", "no policy 'nobody'"),
    ("fit --values people --prior loose", "no values have been learned for the policy 'loose'"),
    ("fit --values tight --set hidden=yes", "--values plays games of its own"),
    ("fit --games 50 hands.stud", "are for --values POLICY: add it"),
    ("fit --values tight --set draws=3", "one of the names least, hidden"),
    ("fit --values tight --set showdowns=x", "'x' is not a whole number"),
    ("fit --values tight --set played-on=3", "3 is not in the range 50 to 10000000"),
    ("fit", "Missing argument 'FILE...'"),
    (f"fit {STEAL} --family logit --prior default", "cannot lean on it: table1-left is no logit"),
    (f"fit {STEAL} --prior panel", "panel is a panel of policies"),
    (f"fit {STEAL} --family ramps --prior people-average", "is no policy of plain ramps"),
    (f"fit {STEAL} --family ramps --prior table1-bluff", "is no policy of plain ramps"),
    (f"fit {STEAL} --prior nobody", "no policy 'nobody'"),
    (f"fit {STEAL} --penalty 0", "--penalty"),
    (f"fit {STEAL} --penalty nan", "--penalty"),
    (f"fit {STEAL} --penalty inf", "--penalty"),
    (f"fit {STEAL} --features boards,aces", "no features 'aces': expected boards, kinds"),
    (f"fit {STEAL} --features constant", "no features 'constant'"),
    (f"fit {STEAL} --temper 0", "--temper"),
    (f"fit {STEAL} --temper 1.5", "--temper"),
    (f"fit {STEAL} --set rounds=0", "--set rounds"),
    (f"fit {STEAL} --set least=0", "--set least"),
    (f"fit {STEAL} --name \udcff", "is no text"),
    (f"decisions {STEAL} --player seat:x", "no player 'seat:x'"),
    (f"decisions {STEAL} --rake five", "'five' is no rake"),
    (f"decisions {STEAL} --check no-such-policy", "no-such-policy"),
    (f"decisions {STEAL} --rollouts 1", "10 or more"),
    (f"analyze {STEAL} --reader loki --decisions", "the reader loki has no policies by which"),
    (f"report {STEAL} --reader loki --decisions --exact", "--policy"),
    ("check --dialect pokrstars x.txt", "'pokrstars'; did you mean 'pokerstars'? There are abs"),
    ("formats --explain Everleaf", "'Everleaf'; did you mean 'everleaf'? There are absolute, "),
    ("convert --to sand x.txt", "did you mean 'saund'? There are "),
    ("analyze --policy lose x.txt", "; did you mean 'loose'?"),
    ("analyze --seat 3=sauve x.txt", "no policy 'sauve': neither a file nor one of"),
    ("analyze x.txt --reader loose --policy tight", "--reader replaces --policy"),
    ("analyze x.txt --reader lose", "no policy or reader 'lose'"),
]
"""Command lines that are refused, and a part of what is said."""


@pytest.mark.parametrize(("line", "message"), REFUSED)
def test_what_cannot_be_done_is_told_before_anything_is(line: str, message: str) -> None:
    done = run(*shlex.split(line))
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.said
    for leak in ("Value error", "Input should", "unable to parse", "Traceback"):
        assert leak not in done.stderr


def test_settings_are_completed_by_name_and_value() -> None:
    group: Any = PROGRAM
    settings = group.commands["experiment"].commands["entropies"].settings
    _, option = get_args(set_option(settings))
    words = [word for word, _ in option.names()]
    assert words == ["figure=entropies", "figure=htpd", "stage=", "pick="]


def test_players_are_named_with_commas_or_one_by_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine,too.toml").touch()
    assert listed(["GOM, BPM", "loose", "mine,too.toml"]) == [
        "GOM",
        "BPM",
        "loose",
        "mine,too.toml",
    ]
    with pytest.raises(typer.BadParameter, match="names between the commas"):
        listed(["GOM,,BPM"])


def test_a_number_after_hand_is_explained() -> None:
    two = "sample_histories/pokerstars.txt"
    for command in ("analyze", "report"):
        done = run(command, "--hand", "2", two)
        assert done.returncode == 2
        hint = "no hand '2' among the 2 of the input; --hand '#2' selects hand 2\n"
        assert hint in done.stderr
    assert "'#1' for the first hand" in run("analyze", "--hand", "12", two).stderr


def shell(command: str) -> Done:
    """A command of the shell, in which H is the program."""
    done = subprocess.run(
        ["bash", "-c", command.replace("H ", f"{sys.executable} -m handread ")],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env={**os.environ, "PYTHONUNBUFFERED": ""},
    )
    return Done(done.returncode, done.stdout, done.stderr)


CLOSED = "handread: cannot write: standard output is closed\n"
NO_SPACE = "handread: cannot write: No space left on device\n"


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("command", "expected"),
    few(
        [
            (f"H analyze {STEAL} >&-", (2, "", CLOSED)),
            (
                "H check - <&-",
                (
                    2,
                    "0 hands: 0 accepted, 0 refused\n",
                    "-: cannot be read: standard input is closed\n",
                ),
            ),
            (f"H check {STEAL} 2>&-", (0, "1 hand: 1 accepted, 0 refused\n", "")),
            ("H --help > /dev/full", (2, "", NO_SPACE)),
            ("H policy list > /dev/full", (2, "", NO_SPACE)),
            ("H frobnicate 2> /dev/full", (2, "", "")),
            ("H check sample_histories/broken-card.stud > /dev/full 2>&1", (2, "", "")),
        ],
        3,
    ),
)
def test_lost_streams_end_in_one_line(command: str, expected: tuple[int, str, str]) -> None:
    if not FULL.exists() and "/dev/full" in command:
        pytest.skip("no /dev/full on this system")
    assert shell(command) == expected


@pytest.mark.skipif(not FULL.exists(), reason="no /dev/full on this system")
def test_a_full_device_leaves_nothing_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Where a run is kept that could not be written; in the user's cache others would go on with it.
    monkeypatch.setattr("handread.cli.console.kernel_folder", lambda: tmp_path)
    done = run("simulate", "1", "--policy", "loose", "-o", "/dev/full", "--dialect", "saund")
    assert done.returncode == 2
    assert done.stderr == "handread: /dev/full cannot be written: No space left on device\n"
    assert not Path("/dev/full.parts").exists()


@pytest.mark.parametrize("fault", [KeyError("x\x1b"), EOFError(), ZeroDivisionError("no")])
def test_an_error_of_the_program_has_a_status_of_its_own(
    fault: Exception, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_args: object) -> int:
        raise fault

    monkeypatch.setattr("handread.report.problems.check_object", fail)
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)  # typer puts its own there
    for words, shows in (
        (["check", "--json", STEAL], False),
        (["check", "--json", "--debug", STEAL], True),
    ):
        monkeypatch.setattr(sys, "argv", ["handread", *words])
        with pytest.raises(SystemExit) as end:
            cli.main()
        found = capsys.readouterr()
        assert end.value.code == CRASHED
        assert CRASHED not in (0, 1, 2, 130)
        assert found.out == ""
        assert ("Traceback" in found.err) == shows
        assert "\x1b" not in found.err
        first, last = found.err.splitlines()[-2:]
        assert first.startswith("handread: an error in the program itself (cli/")
        assert "Error" in first
        assert last.startswith("please report it to the authors")
        assert shows or len(found.err.splitlines()) == 2


def test_debug_is_an_option_of_the_program() -> None:
    assert "--debug" in run("--help").stdout
    assert run("--debug", "check", STEAL).returncode == 0


@pytest.mark.parametrize(
    "words",
    [
        ("check", "{closed}/x.txt:3"),
        ("simulate", "1", "-o", "{closed}/x.stud"),
        ("report", STEAL, "-o", "{closed}/x"),
        ("score", STEAL, "-o", "{closed}/x"),
    ],
)
def test_a_folder_that_may_not_be_searched_is_named(
    words: tuple[str, ...],
    closed: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)  # typer puts its own there
    given = [one.format(closed=closed) for one in words]
    monkeypatch.setattr(sys, "argv", ["handread", *given])
    with pytest.raises(SystemExit) as end:
        cli.main()
    assert end.value.code == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert f"{given[-1]}: " in said
    assert said.endswith("Permission denied\n")


def test_a_folder_that_may_not_be_searched_costs_its_files_alone(closed: Path) -> None:
    (closed / "x.txt").touch()
    (closed.parent / "night.stud").write_bytes((ROOT / STEAL).read_bytes())
    for words in (("check",), ("convert", "--to", "saund", "-o", str(closed.parent / "o.stud"))):
        done = run(*words, str(closed.parent))
        assert f"{closed / 'x.txt'}: cannot be read: Permission denied" in done.said
    assert "hand: " in (closed.parent / "o.stud").read_text()


@pytest.mark.parametrize(("status", "code"), [(3, 3), (None, 0), ("a reason", 1)])
def test_the_end_says_what_waits_and_does_what_is_left(status: object, code: int) -> None:
    program = (
        "import atexit, sys\nfrom handread.__main__ import _end\n"
        f"atexit.register(print, 'closed')\nsys.stdout.write('last ')\n_end({status!r})"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False)
    said = b"a reason\n" if status == "a reason" else b""
    assert (done.returncode, done.stdout, done.stderr) == (code, b"last closed\n", said)


def test_the_options_that_were_given_are_known_whatever_they_are() -> None:
    seats, known = ["2=tight", "1=loose"], Path("tables")
    views = ViewOptions(seat=seats, known=known, reader="loki", ties=Ties.PAPER, top=2)
    reading = ReadingOptions(keep_repeated=True, hero="Bob", rejects=Path("bad.txt"), verbose=True)
    words = "--seat 2=tight --seat 1=loose --known tables --reader loki --ties paper --top 2"
    assert [*given_words(views, reading)] == [*words.split(), "--keep-repeated", "--hero", "Bob"]
    assert [*given_words(ViewOptions(), ReadingOptions())] == []
