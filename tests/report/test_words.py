"""Sentences on a hand: plain words that say what the figures say."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from handread import read_hands
from handread.cards import cards_text
from handread.game.replay import replay
from handread.history import History
from handread.inference.analysis import analyze_replay
from handread.inference.hand import Analysis
from handread.inference.timeline import public_reads
from handread.odds.holdings import kind_of
from handread.policy import load_policy
from handread.report.honesty import LIE_BITS, told_truth, with_article
from handread.report.sentences import part_words, times_words
from handread.report.words import spoken_label

SAMPLES = Path(__file__).parents[2] / "sample_histories"
PEOPLE = load_policy("people")
POLICIES = (PEOPLE, load_policy("default"))


def analyses(name: str, policy: int = 0, viewpoint: str = "public") -> list[Analysis]:
    return [
        analyze_replay(replay(history), POLICIES[policy], viewpoint=viewpoint)
        for history in read_hands(SAMPLES / name)
        if isinstance(history, History)
    ]


def truths(analysis: Analysis) -> dict[int, str]:
    found = {
        seat.number: told_truth(analysis, seat.number) for seat in analysis.replay.history.seats
    }
    return {seat: words for seat, words in found.items() if words}


@pytest.mark.parametrize("name", ["showdown.stud", "all-cards-known.stud", "simulated.stud"])
@pytest.mark.parametrize("policy", [0, 1])
def test_bets_are_judged_by_their_bits_on_the_truth(name: str, policy: int) -> None:
    for analysis in analyses(name, policy):
        for seat in analysis.replay.history.seats:
            words = told_truth(analysis, seat.number)
            acts = [
                (action, read)
                for action, read in public_reads(analysis, seat.number)
                if action.decision.action != "fold" and read.truth is not None
            ]
            assert bool(words) is bool(acts)
            if not acts:
                continue
            total = sum(action.table_truth_bits or 0.0 for action, _ in acts)
            lied = " lied: " in words or " misled: " in words
            assert lied or total >= -LIE_BITS or "but the" in words
            assert not lied or total < 0.0
            assert " never " not in words or total == -math.inf
            assert "told the truth" not in words or total > -LIE_BITS
            kinds = {kind_of(read.holding or (), read.up) for _, read in acts}
            ranks = {
                "-".join(cards_text([card])[0] for card in read.holding or ()) for _, read in acts
            }
            held = {with_article(kind.words) for kind in kinds} | {kind.words for kind in kinds}
            assert any(one in words for one in held | ranks)
            assert words.startswith(spoken_label(analysis.replay, seat.number)[0].upper())


def test_sentences_on_the_truth_of_bets() -> None:
    (analysis,) = analyses("showdown.stud", policy=1)
    assert truths(analysis) == {
        1: "1 Ann's betting told the truth: on 5th street it said a split pair; "
        "it was split sevens (7c Qs).",
        2: "2 B B's betting told the truth: on 5th street it made split aces (Ad Jd) 11 times "
        "as likely.",
    }


@pytest.mark.parametrize(
    ("name", "viewpoint"), [("showdown.stud", "seat:1"), ("all-cards-known.stud", "omniscient")]
)
def test_bets_are_judged_as_the_table_saw_them(name: str, viewpoint: str) -> None:
    public, known = analyses(name), analyses(name, viewpoint=viewpoint)
    assert truths(public[0]) == truths(known[0])


@pytest.mark.parametrize(
    ("bits", "words"),
    [(0.0, "about"), (1.0, "twice"), (1.5, "2.8 times"), (7.0, "128 times"), (-1.0, "half")],
)
def test_times(bits: float, words: str) -> None:
    assert times_words(bits) == words


@pytest.mark.parametrize(
    ("part", "words"),
    [
        (1 - 2**-0.27, "a sixth"),
        (0.5, "half"),
        (0.34, "a third"),
        (0.99, "nearly all"),
        (0.05, "a twentieth"),
        (2**-7, "1/128"),
    ],
)
def test_parts(part: float, words: str) -> None:
    assert part_words(part) == words


@pytest.mark.parametrize(
    ("family", "words"),
    [
        ("split pair", "a split pair"),
        ("two pair", "two pair"),
        ("open-ended straight draw", "an open-ended straight draw"),
        ("three to a straight", "three to a straight"),
        ("high card", "no more than a high card"),
    ],
)
def test_families_in_a_sentence(family: str, words: str) -> None:
    assert with_article(family) == words
