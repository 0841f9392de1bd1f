"""Families of holdings: a read beside the cards alone, and the kinds of each family."""

from __future__ import annotations

import pytest

from handread.game.replay import replay
from handread.inference.analysis import analyze_replay
from handread.inference.stages import NOTABLE_CHANGE
from handread.policy import load_policy
from handread.report.families import (
    LEAST_SHARE,
    FamilyLine,
    HoldingChance,
    family_lines,
    headline,
    informative_families,
)
from handread.report.words import Number, share_words
from tests.hands import GOLDEN, hand


def line(family: str, read: float, alone: float, change: str = "") -> FamilyLine:
    figures = (Number(p, share_words(p)) for p in (read, alone))
    return FamilyLine(family, *figures, change, (HoldingChance("kings", Number(0.1, "10%")),))


def test_a_headline_has_the_likeliest_family_and_the_largest_rise() -> None:
    lines = (
        line("high card", 0.40, 0.52, "fall"),
        line("split pair", 0.30, 0.30),
        line("pair in the hole", 0.23, 0.05, "rise"),
    )
    assert headline(lines) == "high card 52% → 40%; pair in the hole 5% → 23%"
    assert headline(lines[1:2]) == "split pair 30%"
    assert informative_families(lines[2:]) == lines[2:]
    assert lines[0].kind_words == "kings 10%"


def test_lines_are_the_families_of_the_read_and_kinds_are_parts_of_them() -> None:
    stages = analyze_replay(replay(hand(GOLDEN)), load_policy("people")).stages
    for read in (one for s in stages for one in (*s.seats.values(), *s.folded.values())):
        lines, shares = family_lines(read), read.families()
        assert [one.read.value for one in lines] == sorted(
            (one.read.value for one in lines), key=lambda p: -(p or 0.0)
        )
        listed = {name for name, share in shares.items() if max(share) >= LEAST_SHARE}
        assert {one.family for one in lines} == listed
        changes = {name: share.change for name, share in shares.items()}
        for one in lines:
            assert (one.read.value, one.cards_alone.value) == shares[one.family]
            moved = changes[one.family]
            assert one.change == "" or abs(moved) >= NOTABLE_CHANGE
            assert one.change != "rise" or moved == max(changes.values())
            assert one.change != "fall" or moved == min(changes.values())
            named = [(k.detail, p) for k, p in read.by_kind.items() if k.family == one.family]
            assert sum(p for _, p in named) == pytest.approx(one.read.value or 0.0)
            assert {(detail, share.value) for detail, share in one.kinds} <= set(named)
            if len(one.kinds) < 3:
                rest = sorted(p for detail, p in named if detail)[: -len(one.kinds) or None]
                assert all(p < LEAST_SHARE for p in rest)
