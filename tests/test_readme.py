"""The README cannot lag behind the program: what it shows is run, and the outputs compared."""

from __future__ import annotations

import contextlib
import doctest
import io
import os
import re
import shlex
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest

from handread.formats.line_patterns import EVENTS
from handread.formats.registry import dialects, read_grammars
from handread.formats.template import CardStyle, MoneyStyle, field_kinds
from handread.game.replay import replay, written_out
from handread.history import History
from handread.policy import LogitPolicy, load_policy, parse_policy
from handread.policy.logit import FEATURES
from tests.program import run

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```", README, re.M | re.S)
ROOM = README.partition("## Add your room")[2].partition("## From Python")[0]
STEPS, _, REFERENCE = ROOM.partition("### What a template may hold")
ROOM_BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```", STEPS, re.M | re.S)
GRAMMAR = "\n".join(text for language, text in ROOM_BLOCKS if language == "toml")
LOG = next(text for language, text in ROOM_BLOCKS if language == "text")
CONSOLE = [
    text
    for language, text in BLOCKS
    if language == "console" and (language, text) not in ROOM_BLOCKS
]


def same(expected: str, found: str) -> bool:
    """Whether an output is as shown; ``...`` on a line of its own stands for any lines."""
    # On a busy machine the kernels may take long enough for a word about it.
    quick = re.sub(r"^compiling the counting kernels .*\n", "", found, flags=re.M)
    bare = [re.sub(r"\s+\n", "\n", text).rstrip() for text in (expected, quick)]
    return doctest.OutputChecker().check_output(bare[0], bare[1], doctest.ELLIPSIS)


def test_the_first_two_blocks_are_one_line_each() -> None:
    (kind_1, job), (kind_2, tests) = BLOCKS[:2]
    assert kind_1 == kind_2 == "sh"
    assert job.count("\n") == tests.count("\n") == 1
    assert "handread analyze" in job
    assert "pytest" in tests


def check_commands(block: str, folder: Path) -> None:
    """Run the commands of a block in a folder with the samples; each prints what is shown."""
    if not (folder / "sample_histories").exists():
        (folder / "sample_histories").symlink_to(ROOT / "sample_histories")
    for command, expected in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.M):
        program, *args = shlex.split(command)
        assert program == "handread"
        done = subprocess.run(
            [sys.executable, "-m", "handread", *args],
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            check=False,
            env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        )
        assert same(expected, done.stdout), done.stdout


@pytest.mark.parametrize("block", CONSOLE, ids=lambda text: text.splitlines()[0][2:60])
def test_commands_print_what_is_shown(block: str, tmp_path: Path) -> None:
    check_commands(block, tmp_path)


def test_a_room_grows_as_the_steps_say(tmp_path: Path) -> None:
    (tmp_path / "log.txt").write_text(LOG, "utf-8")
    grammar = ""
    for language, text in ROOM_BLOCKS:
        if language == "toml":
            grammar += f"{text}\n"
            (tmp_path / "my-room.toml").write_text(grammar, "utf-8")
        elif language == "console":
            check_commands(text, tmp_path)
    known = read_grammars([tmp_path / "my-room.toml"])
    (hand,) = known.named("harbour").read(LOG, "log.txt")
    assert isinstance(hand, History)
    played = replay(hand)
    assert played.finished
    told = [line for line in LOG.splitlines() if not line.endswith("the quay")]
    assert known.writer("harbour").write(written_out(played)).splitlines() == told


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("'^Harbour h", "'^Harbor h", "begins no hand: no example of the event 'hand' fits it"),
        ("'^Harbour h", "'^Harbor h", "did you mean --dialect harbour?"),
        ('symbols = "$"', 'symbols = "€"', "example: is no line of its template"),
        (
            '[[line]]\nevent = "table"',
            '[[line]]\nevent = "hand"\ntemplate = "Harbor hand {hand_id}"\n'
            'example = "Harbor hand 1"\nfrom = "x"\nprinted = false\n\n[[line]]\nevent = "table"',
            "example: begins no hand",
        ),
        (
            '"{player} mucks"\nexample = "Lena mucks"',
            '"{player} {mucks|folds}"\nexample = "Lena folds"',
            "is read by an earlier form",
        ),
        ("bets {added}", "bets {chips:amount}", "bet needs added or to"),
        ('["?"]', "[]", "'?' makes no sense here (expected cards such as 7h Ts)"),
        (
            '"Seven Stud" =',
            '"7 Stud" =',
            "not read: 1 Seven Stud; handread reads seven-card stud high",
        ),
        ("calls {added}", "calls {to}", "seat 5 (Tova) calls -$1.00 (expected $1.00)"),
        (
            "rake = true",
            "rake = false",
            "the record's total pot is $12.55, but $12.55 were put in and $0.50 kept as the rake",
        ),
        ('date = "1 January 1970 00:00"', "", "it needs date as well"),
    ],
)
def test_common_faults_look_as_shown(old: str, new: str, fault: str, tmp_path: Path) -> None:
    assert f"`{fault}" in REFERENCE
    assert old in GRAMMAR
    grammar, log = tmp_path / "my-room.toml", tmp_path / "log.txt"
    grammar.write_text(GRAMMAR.replace(old, new, 1), "utf-8")
    log.write_text(LOG, "utf-8")
    told = run("formats", "--lint", str(grammar)).stdout
    told += run("check", "--grammar", str(grammar), str(log)).stderr
    assert fault in told


def test_a_log_without_a_heading_for_the_first_street_is_read_by_its_deals(tmp_path: Path) -> None:
    fault, cure = "a card is dealt before 3rd street", "[streets]` needs `by_deals = true"
    assert f"`{fault}`" in REFERENCE
    assert f"`{cure}`" in REFERENCE
    grammar, log = tmp_path / "my-room.toml", tmp_path / "log.txt"
    grammar.write_text(GRAMMAR, "utf-8")
    log.write_text(LOG.replace("-- third street\n", ""), "utf-8")
    assert fault in run("check", "--grammar", str(grammar), str(log)).stderr
    grammar.write_text(GRAMMAR.replace("[money]", "[streets]\nby_deals = true\n[money]"), "utf-8")
    assert run("check", "--grammar", str(grammar), str(log)).stdout.startswith("1 hand: 1 accepted")


def test_the_elements_shown_are_those_of_a_room() -> None:
    (shown,) = re.findall(r"^```toml\n(.*?)^```", REFERENCE, re.M | re.S)
    ipoker = files("handread.grammars").joinpath("ipoker.toml").read_text("utf-8")
    forms = shown.strip().split("\n\n")
    assert forms
    assert all(form in ipoker for form in forms)


def test_every_event_kind_and_room_is_told() -> None:
    for word in (*EVENTS, *field_kinds(CardStyle(), MoneyStyle(""))):
        assert f"`{word}`" in REFERENCE, word
    formats = README.partition("## Formats")[2]
    for dialect in dialects():
        assert f"\n{dialect.name} " in formats


def test_the_worked_example() -> None:
    at = [i for i, (language, _) in enumerate(BLOCKS) if language == "python"]
    assert len(at) == 1
    code, (_, expected) = BLOCKS[at[0]][1], BLOCKS[at[0] + 1]
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.chdir(ROOT):
        exec(compile(code, "README.md", "exec"), {})
    assert same(expected, out.getvalue()), out.getvalue()


def test_the_policies_shown_are_policies() -> None:
    ramps, logit = (text for language, text in BLOCKS if language == "toml" and "[fold]" in text)
    assert parse_policy(ramps, "README.md") == load_policy("loose")
    weights = parse_policy(logit, "README.md")
    assert isinstance(weights, LogitPolicy)
    assert weights.fold[FEATURES.index("standing")] == -1.5
