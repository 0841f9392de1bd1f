"""The sample histories: what each of them is there to show."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from handread import Problem, analyze, parse_hands, read_hands, replay
from handread.formats.registry import dialects
from handread.history import Collect
from tests.examples import few
from tests.invented_logs import LIKE_STARS
from tests.program import run

SAMPLES = sorted((Path(__file__).parent.parent / "sample_histories").iterdir())
WHOLE = [path for path in SAMPLES if not path.name.startswith("broken")]


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.name)
def test_each_text_opens_with_a_comment(path: Path) -> None:
    begins = ('<?xml version="1.0" encoding="utf-8"?>\n<!-- ', "<!-- ")
    text = path.read_text(encoding="utf-8")
    assert text.startswith(begins if path.suffix == ".xml" else "# ")


@pytest.mark.parametrize("path", few(WHOLE, 8), ids=lambda path: path.name)
def test_whole_samples_are_legal_and_can_be_read(path: Path) -> None:
    for number, hand in enumerate(read_hands(path)):
        assert not isinstance(hand, Problem)
        played = replay(hand)
        assert played.problem is None
        assert played.finished == ("stops" not in path.name)
        if number < 1:  # one read will do
            read = analyze(played, policy="loose")
            assert not read.problems
            assert len(read.actions) == len(played.decisions)


LOGS = [path for path in SAMPLES if path.suffix == ".txt"]


@pytest.mark.parametrize("path", few(LOGS, 4), ids=lambda path: path.name)
def test_a_log_cut_off_before_the_payment_is_not_finished(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines(keepends=True)
    *_, whole = (hand for hand in read_hands(path) if not isinstance(hand, Problem))
    paid = min(event.line for event in whole.events if isinstance(event, Collect))
    start = whole.source.line - 1
    for end in range(start + 1, paid, 2):
        *_, hand = parse_hands("".join(lines[start:end]), whole.source.dialect)
        if isinstance(hand, Problem) or hand.problems:
            continue  # cut off in its first lines
        played = replay(hand)
        assert (played.finished, played.won) == (False, {}), end
        stacks = sum(stack for stack in played.stacks.values() if stack is not None)
        assert stacks + played.pot == sum(seat.stack or 0 for seat in hand.seats), end


def test_every_dialect_has_a_sample() -> None:
    seen = {
        hand.source.dialect
        for path in SAMPLES
        for hand in read_hands(path)
        if not isinstance(hand, Problem)
    }
    assert seen == {dialect.name for dialect in dialects()} - {*LIKE_STARS}


SIMULATED = sorted(path for path in SAMPLES if path.name.startswith("simulated"))


@pytest.mark.parametrize("path", few(SIMULATED, 4), ids=lambda path: path.name)
def test_simulated_samples_are_made_by_the_command_that_they_name(path: Path) -> None:
    comment, text = path.read_text(encoding="utf-8").split("\n", 1)
    command = comment.partition("handread ")[2].split()
    assert run(*command).stdout == text


@cache
def evidence(path: Path, n: int = 1) -> list[list[tuple[object, ...]]]:
    """The evidence of every action of the first ``n`` hands of a file, for the public."""
    return [
        [
            (action.decision.action, action.decision.amount, action.evidence)
            for action in analyze(hand, "loose", "public").actions
        ]
        for hand in read_hands(path)[:n]
        if not isinstance(hand, Problem)
    ]


@pytest.mark.thorough
@pytest.mark.parametrize("name", [*(path.name for path in SIMULATED)])
def test_simulated_games_read_the_same_in_every_dialect(name: str) -> None:
    """One game, thirteen records: the same evidence for every action, to the last digit."""
    assert len(SIMULATED) == 13
    first, found = (evidence(SIMULATED[0].with_name(n)) for n in ("simulated.stud", name))
    assert len(first) == 1
    assert found == first


@pytest.mark.parametrize("name", ["ipoker.xml", "merge.xml"])
def test_a_hand_in_xml_reads_as_it_does_in_saunds_notation(name: str) -> None:
    folder = SAMPLES[0].parent
    assert evidence(folder / name) == evidence(folder / "showdown.stud") != []


@pytest.mark.thorough
def test_what_the_samples_show() -> None:
    hands = {
        path.name: replay(hand)
        for path in WHOLE
        for hand in read_hands(path)[:1]
        if not isinstance(hand, Problem)
    }
    assert len(hands) >= 12
    assert hands["showdown.stud"].showdown == (1, 2)
    assert hands["steal.stud"].showdown == ()
    assert len(hands["steal.stud"].streets) == 1
    fifth = [(d.seat, d.action) for d in hands["check-raise.stud"].streets[2].decisions]
    assert fifth[0] == (4, "check")
    assert (4, "raise") in fifth
    assert len(hands["side-pot.stud"].pots) == 2
    assert len(hands["eight-players.stud"].streets[0].active) == 8
    assert hands["eight-players.stud"].streets[-1].shared is not None
    war = hands["raising-war.stud"].streets[3].decisions
    assert sum(d.action == "raise" for d in war) == 7
    assert set(hands["all-cards-known.stud"].downcards) == set(range(1, 8))
    assert hands["open-pair.stud"].streets[1].decisions[0].amount == 200
    assert hands["bovada.txt"].stakes.inferred
