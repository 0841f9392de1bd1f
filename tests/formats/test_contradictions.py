"""What a log says twice, and differently: told by ``check --strict``, and of no account else."""

from __future__ import annotations

import re
from decimal import Decimal
from pathlib import Path

import pytest

from handread.formats.log_reader import read_text
from handread.game.replay import replay
from handread.history import History
from tests.invented_logs import PARTY, STARS
from tests.logs import log
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
    file = tmp_path / "log.txt"
    (first, *_) = re.findall(r"raises \$[\d.]+ to", text)
    file.write_text(text.replace(first, "raises $0.07 to", 1), "utf-8")
    assert run("check", str(file)).returncode == 0
    done = run("check", "--strict", str(file))
    assert done.returncode == 1
    assert "'$0.07' is not what the play tells (expected $" in done.stderr


FOLDED_AND_MUCKED = STARS.replace(
    "Mr. calls 5: calls $0.05 and is all-in\nUncalled bet ($0.15) returned to Lena\n",
    "Mr. calls 5: folds\nUncalled bet ($0.20) returned to Lena\n",
)
FOLDED_AND_MUCKED = re.sub(r"\*\*\* RIVER.*\n.*\n", "", FOLDED_AND_MUCKED)
FOLDED_AND_MUCKED = FOLDED_AND_MUCKED.replace("$1.11", "$1.01").replace("$1.16", "$1.06")
FOLDED_AND_MUCKED = FOLDED_AND_MUCKED.replace(" 6h]", "]").replace(" 7c]", "]")


def test_a_hand_mucked_after_a_fold_is_named_by_strict() -> None:
    (hand,) = histories(FOLDED_AND_MUCKED)
    played = replay(hand)
    assert played.problem is None
    (found, *_) = played.findings
    assert found.only_strict
    assert FOLDED_AND_MUCKED.split("\n")[found.line - 1] == "Mr. calls 5: mucks hand"
    assert found.message == "seat 3 (Mr. calls 5) mucks a hand, but has folded"


LOGS_THAT_LACK_A_DEAL = {
    "the owner's last downcard": (
        (SAMPLES / "pokerstars.txt").read_text("utf-8"),
        "Dealt to Hero [9c 9s 6h Td 9d Ah]",
        "seat 7 gets no card on 7th street",
    ),
    "the door card of the only opponent": (
        log("one-opponent.txt"),
        "Dealt to Rolf",
        "seat 3 gets no card on 3rd street",
    ),
}


@pytest.mark.parametrize("lack", LOGS_THAT_LACK_A_DEAL)
def test_a_deal_that_the_log_leaves_out_is_named_by_strict(lack: str) -> None:
    text, start, told = LOGS_THAT_LACK_A_DEAL[lack]
    assert [one for hand in histories(text) for one in replay(hand).findings] == []
    changed = re.sub(rf"^{re.escape(start)}.*\n", "", text, count=1, flags=re.MULTILINE)
    played = [replay(hand) for hand in histories(changed)]
    assert {one.problem for one in played} == {None}
    (found,) = [finding for one in played for finding in one.findings]
    assert found.only_strict
    assert (found.message, found.expected) == (told, "a card for each player")


def test_a_room_may_list_the_cards_of_the_owner_alone() -> None:
    assert [replay(hand).findings for hand in histories(PARTY)] == [()]
