"""The words of a command line that cannot be taken, and how the program ends when it fails."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from handread import cli
from handread.cli.program import CRASHED
from tests.examples import few
from tests.program import ROOT, Done, run

STEAL = "sample_histories/steal.stud"
FULL = Path("/dev/full")


def said(*args: str) -> str:
    """What the parser of the command line says, without its frame."""
    done = run(*args)
    assert (done.returncode, done.stdout) == (2, "")
    return " ".join(re.sub(r"[╭╮╰╯│─]", " ", done.stderr).split())


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ((STEAL,), f"'{STEAL}'; did you mean handread analyze {STEAL}?"),
        (("sample_histories",), "did you mean handread analyze sample_histories?"),
        (("no such.txt", "b"), "did you mean handread analyze 'no such.txt' b?"),
        (("evil\x1b[31m.txt",), r"handread analyze 'evil\x1b[31m.txt'?"),
        (("-",), "did you mean handread analyze -?"),
        (("analise",), "'analyze'?"),
        (("summary", "x", "--plot", "infogain", "-o", "a.png"), "did you mean 'information-gain'?"),
        (("report", STEAL, "--format", "hmtl"), "'hmtl' is not one of"),
        (("report", STEAL, "--format", "hmtl"), "did you mean 'html'?"),
        (("analyze", STEAL, "--ties", "zzz"), "'zzz' is not one of 'split', 'paper'"),
        (("analyze", STEAL, "--top", "0"), "'--top': '0' is not 1 or more"),
        (("analyze", STEAL, "--lapse", "2"), "'--lapse': '2' is not 1.0 or less"),
        (("analyze", STEAL, "--lapse", "x"), "'--lapse': 'x' is not a number"),
        (("simulate", "many"), "'N': 'many' is not a whole number"),
        (("simulate", "2.5"), "'N': '2.5' is not a whole number"),
        (("experiment", "win-rates", "--games", "0"), "'--games': '0' is not 1 or more"),
        (("experiment", "learning-curves", "--games", "ten"), "expected numbers from 1 to 100,000"),
        (("analyze", STEAL, "--polcy", "loose"), "--policy"),
        (("analyze",), "Missing argument 'FILE...'"),
        (("convert", STEAL), "Missing option '--to'"),
    ],
)
def test_the_parser_says_what_was_expected_and_meant(args: tuple[str, ...], message: str) -> None:
    found = said(*args)
    assert message in found
    for leak in ("Value error", "Input should", "unable to parse"):
        assert leak not in found


def test_a_number_after_hand_is_explained() -> None:
    two = "sample_histories/pokerstars.txt"
    for command in ("analyze", "report"):
        done = run(command, "--hand", "2", two)
        assert done.returncode == 2
        hint = "no hand '2' among the 2 of the input; --hand '#2' selects hand 2\n"
        assert hint in done.stderr
    assert "'#1' for the first hand" in run("analyze", "--hand", "12", two).stderr


def commands() -> list[tuple[str, ...]]:
    """Every command by its words."""
    listed = run("--help").stdout
    names = [line.split()[1] for line in listed.splitlines() if re.match(r"│ [a-z]", line)]
    found = [(name,) for name in names]
    for group in ("experiment", "policy"):
        lines = run(group, "--help").stdout.splitlines()
        found += [(group, line.split()[1]) for line in lines if re.match(r"│ [a-z]", line)]
    return found


def test_paragraphs_of_help_break_at_the_width_only() -> None:
    found = commands()
    assert len(found) >= 20
    for words in found:
        prose = run(*words, "--help", COLUMNS="100").stdout.partition("╭")[0]
        paragraphs = [part for part in prose.split("\n\n") if part.strip()]
        broken = [part for part in paragraphs if len(part.strip("\n ").splitlines()) > 1]
        assert all(len(line) > 80 for part in broken for line in part.strip().splitlines()[:-1])


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
            ("H --version > /dev/full", (2, "", NO_SPACE)),
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
def test_a_full_device_leaves_nothing_beside_it() -> None:
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
