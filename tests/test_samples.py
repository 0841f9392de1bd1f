"""The sample histories: what each of them is there to show."""

from __future__ import annotations

from pathlib import Path

import pytest

from handread import Problem, analyze, read_hands, replay
from handread.notation import dialects

SAMPLES = sorted((Path(__file__).parent.parent / "sample_histories").iterdir())
WHOLE = [path for path in SAMPLES if not path.name.startswith("broken")]


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.name)
def test_each_opens_with_a_comment(path: Path) -> None:
    assert path.read_text(encoding="utf-8").startswith("# ")


@pytest.mark.parametrize("path", WHOLE, ids=lambda path: path.name)
def test_whole_samples_are_legal_and_can_be_read(path: Path) -> None:
    for hand in read_hands(path):
        assert not isinstance(hand, Problem)
        played = replay(hand)
        assert played.problem is None
        assert played.finished == ("stops" not in path.name)
        read = analyze(played, policy="loose")
        assert not read.problems
        assert len(read.actions) == len(played.decisions)


def test_every_dialect_has_a_sample() -> None:
    seen = {
        hand.source.dialect
        for path in SAMPLES
        for hand in read_hands(path)
        if not isinstance(hand, Problem)
    }
    assert seen == {dialect.name for dialect in dialects()}


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
