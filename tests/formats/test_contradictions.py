"""What a log says twice, and differently: told by ``check --strict``, and of no account else."""

from __future__ import annotations

import re
from decimal import Decimal
from pathlib import Path

import pytest

from handread.formats.log_reader import read_text
from handread.game.replay import replay
from handread.history import History
from tests.invented_logs import CASES, Case
from tests.program import SAMPLES, run

LOGS = [*sorted(SAMPLES.glob("*.txt")), *sorted(SAMPLES.glob("*.xml"))]


def histories(text: str) -> list[History]:
    found = list(read_text(text, "log.txt"))
    assert all(isinstance(one, History) for one in found)
    return [one for one in found if isinstance(one, History)]


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.name)
def test_no_sample_contradicts_itself(path: Path) -> None:
    hands = histories(path.read_text("utf-8"))
    assert [replay(hand).findings for hand in hands] == [()] * len(hands)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.dialect} {case.hand_id}")
def test_no_hand_in_the_words_of_a_room_does(case: Case) -> None:
    assert [replay(hand).findings for hand in histories(case.text)] == [()]


TAMPERED = [
    ("pokerstars.txt", r"raises \$([\d.]+) to", "is not what the play tells"),
    ("pokerstars.txt", r"collected \(\$([\d.]+)\)", "by the play"),
    ("pokerstars.txt", r"and won \(\$([\d.]+)\)", "by the play"),
    ("simulated-winning.txt", r"raises ([\d.]+) to", ""),
    ("simulated-winning.txt", r"and won ([\d.]+)", "by the play"),
    ("simulated-fulltilt.txt", r"collected \(([\d.]+)\)", "by the play"),
    ("simulated-winamax.txt", r"Seat .* won ([\d.]+)", "by the play"),
    ("simulated-winning-old.txt", r"\*Player .*Bets: ([\d.]+)\.", "by the play"),
    ("simulated-winning-old.txt", r"\*Player .*Wins: ([\d.]+)\.", "by the play"),
    ("simulated-ongame.txt", r"net: -([\d.]+),", "by the play"),
]


@pytest.mark.parametrize(("name", "words", "said"), TAMPERED)
def test_an_amount_that_the_play_told_otherwise_is_found(name: str, words: str, said: str) -> None:
    text = (SAMPLES / name).read_text("utf-8")
    edits = list(re.finditer(words, text))
    assert edits
    for edit in edits:
        start, end = edit.span(1)
        changed = text[:start] + str(Decimal(edit[1]) + Decimal("0.01")) + text[end:]
        (found,) = [one for hand in histories(changed) for one in replay(hand).findings]
        line = changed.count("\n", 0, start) + 1
        assert found.line == line
        assert abs(found.column - (start - changed.rindex("\n", 0, start))) <= 1  # a sign before it
        assert said in f"{found.message} {found.expected}"
        assert {replay(hand).problem for hand in histories(changed)} == {None}


def test_a_card_twice_in_a_summary_is_found() -> None:
    text = (SAMPLES / "pokerstars.txt").read_text("utf-8")
    (listed, *_) = re.findall(r"showed \[(.*)\]", text)
    twice = " ".join([*listed.split()[:6], listed.split()[0]])
    changed = text.replace(f"showed [{listed}]", f"showed [{twice}]")
    (found,) = [one for hand in histories(changed) for one in replay(hand).findings]
    assert found.message == f"{twice!r} is not what the play tells"


def test_winamax_follows_no_rule_and_is_not_checked() -> None:
    text = (SAMPLES / "simulated-winamax.txt").read_text("utf-8")
    changed = re.sub(r"raises [\d.]+ to", "raises 0.07 to", text)
    assert changed != text
    assert all(replay(hand).findings == () for hand in histories(changed))


def test_only_strict_minds(tmp_path: Path) -> None:
    text = (SAMPLES / "pokerstars.txt").read_text("utf-8")
    log = tmp_path / "log.txt"
    (first, *_) = re.findall(r"raises \$[\d.]+ to", text)
    log.write_text(text.replace(first, "raises $0.07 to", 1), "utf-8")
    assert run("check", str(log)).returncode == 0
    done = run("check", "--strict", str(log))
    assert done.returncode == 1
    assert "'$0.07' is not what the play tells (expected $" in done.stderr
