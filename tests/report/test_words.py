"""Sentences on a hand: plain words that say what the figures say, and its gist in three lines."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import replace

import pytest

from handread.cards import cards_text
from handread.game.replay import replay
from handread.inference.analysis import analyze_replay
from handread.inference.hand_analysis import Analysis
from handread.inference.timeline import public_reads
from handread.odds.holdings import kind_of
from handread.policy import load_policy
from handread.report.build import hand_report
from handread.report.families import family_lines, informative_families
from handread.report.gist import MOST_TRUTHS
from handread.report.honesty import LIE_BITS, honesty_sentence, with_article
from handread.report.sentences import chance_times, part_words, times_words
from tests.hands import GOLDEN, hand
from tests.pages import hands_of
from tests.program import SAMPLES

PEOPLE = load_policy("people")
POLICIES = (PEOPLE, load_policy("default"))


def analyses(name: str, policy: int = 0, viewpoint: str = "public") -> list[Analysis]:
    return [
        analyze_replay(replay(history), POLICIES[policy], viewpoint=viewpoint)
        for history in hands_of(SAMPLES / name)
    ]


def truths(analysis: Analysis) -> dict[int, str]:
    seats = [seat.number for seat in analysis.replay.history.seats]
    return {seat: words for seat in seats if (words := honesty_sentence(analysis, seat))}


@pytest.mark.parametrize("name", ["showdown.stud", "all-cards-known.stud", "simulated.stud"])
@pytest.mark.parametrize("policy", [0, 1])
def test_bets_are_judged_by_their_bits_on_the_truth(name: str, policy: int) -> None:
    for analysis in analyses(name, policy):
        found = truths(analysis)
        for seat in analysis.replay.history.seats:
            acts = [
                (action, read)
                for action, read in public_reads(analysis, seat.number)
                if action.decision.action != "fold" and read.truth is not None
            ]
            assert (seat.number in found) is bool(acts)
            if not acts:
                continue
            words = found[seat.number]
            total = sum(action.table_truth_bits or 0.0 for action, _ in acts)
            lied = " misled: " in words or "; it was " in words or " as likely." in words
            assert lied or total >= -LIE_BITS or "but the" in words
            assert not lied or total < 0.0 or " as likely." in words
            assert " never " not in words or total == -math.inf
            assert ", and it was " not in words or total > 0.0
            held = set()
            for _, read in acts:
                kind = kind_of(read.holding or (), read.up).words
                cards = sorted(read.holding or (), reverse=True)
                ranks = "-".join(cards_text([card])[0] for card in cards)
                held |= {kind, with_article(kind), f"{ranks} and nothing else"}
            assert any(one in words for one in held)
            who = (
                "Your" if seat.number == analysis.you else f"{seat.name or f'Seat {seat.number}'}'s"
            )
            assert words.startswith(f"{who} ")


@pytest.mark.parametrize(
    ("name", "viewpoint"), [("showdown.stud", "seat:1"), ("all-cards-known.stud", "omniscient")]
)
def test_bets_are_judged_as_the_table_saw_them(name: str, viewpoint: str) -> None:
    public, known = analyses(name), analyses(name, viewpoint=viewpoint)
    you = known[0].you
    mine = {} if you is None else {you: f"{public[0].replay.history.seat(you).name}'s "}
    own = {
        seat: words.replace("Your ", mine.get(seat, "")) for seat, words in truths(known[0]).items()
    }
    assert truths(public[0]) == own


@pytest.mark.parametrize(
    ("worded", "value", "words"),
    [
        (times_words, 0.0, "about"),
        (times_words, 1.0, "twice"),
        (times_words, 1.5, "2.8 times"),
        (times_words, 7.0, "128 times"),
        (times_words, -1.0, "half"),
        (chance_times, 3.585, "12 times the chance"),
        (chance_times, 1.0, "twice the chance"),
        (chance_times, 0.0, "about the chance"),
        (chance_times, -1.0, "half of the chance"),
        (part_words, 1 - 2**-0.27, "a sixth"),
        (part_words, 0.5, "half"),
        (part_words, 0.34, "a third"),
        (part_words, 0.99, "nearly all"),
        (part_words, 0.05, "a twentieth"),
        (part_words, 2**-7, "1/128"),
        (with_article, "split pair", "a split pair"),
        (with_article, "two pair", "two pair"),
        (with_article, "open-ended straight draw", "an open-ended straight draw"),
        (with_article, "three to a straight", "three to a straight"),
        (with_article, "high card", "no more than a high card"),
        (with_article, "eight low", "an eight low"),
        (with_article, "wheel draw", "a wheel draw"),
        (with_article, "three low cards", "three low cards"),
        (with_article, "two pair with a low", "two pair with a low"),
        (with_article, "no low card", "no low card"),
        (with_article, "paired", "paired cards"),
        (with_article, "split pair with a low draw", "a split pair with a low draw"),
    ],
)
def test_parts_of_sentences(worded: Callable[..., str], value: object, words: str) -> None:
    assert worded(value) == words


def golden(viewpoint: str = "public") -> Analysis:
    return analyze_replay(replay(hand(GOLDEN)), PEOPLE, viewpoint)


def gist(read: Analysis) -> dict[str, str]:
    return dict(hand_report(read).gist)


def test_the_gist_names_holdings_the_loudest_action_and_the_truth() -> None:
    read = golden()
    found, spoken = gist(read), hand_report(read).spoken
    for seat, one in read.at("7B").seats.items():
        names = ", ".join(line.words for line in informative_families(family_lines(one)))
        assert f"{spoken[seat]}: {names}" in found["Probably"]
    assert found["Probably"].endswith("(by the cards alone → after the bets)")
    told = [action for action in read.actions if action.decision.action != "fold"]
    most = max(told, key=lambda action: action.information_bits)
    words = found["Gave away most"]
    assert words.lower().startswith(spoken[most.decision.seat].lower())
    assert "Players like these" in words or "Expected" in words
    words = found["In truth"]  # of the bets of those who stayed first
    stayed = [honesty_sentence(read, seat) for seat in read.at("7B").active]
    assert words.startswith(" ".join(filter(None, stayed)))
    assert words.count("it was") + words.count("likely") + words.count("never") <= MOST_TRUTHS


def test_the_gist_leaves_out_what_is_not_to_be_said() -> None:
    read = golden()
    assert "1 Ann" not in gist(golden("seat:1"))["Probably"]  # whose downcards are known
    quiet = tuple(replace(action, table_bits=0.02) for action in read.actions)
    words = gist(replace(read, actions=quiet))["Gave away most"]
    assert words == "No action said much."
    assert gist(replace(read, actions=(), stages=(), observed=())) == {}


def test_a_winner_without_a_showdown_is_named_with_who_folded_last() -> None:
    words = gist(analyses("steal.stud")[0])
    assert words["Probably"].startswith("6 Lou: ")
    assert "; 3 Ines: " in words["Probably"]
    assert words.keys() == {"Probably", "Gave away most"}


def test_high_cards_come_first_and_the_player_is_named_or_you() -> None:
    (hand,) = analyses("all-cards-known.stud")
    found = truths(hand)
    assert found[1].startswith("Ann's ")
    assert "(Qs Jh 7c)" in found[1]  # dealt 7c Qs Jh
    yours = analyses("all-cards-known.stud", viewpoint="seat:1")[0]
    assert truths(yours)[1] == found[1].replace("Ann's", "Your", 1)
    assert re.search(
        r" was [2-9AKQJT](-[2-9AKQJT])+ and nothing else\.",
        " ".join(
            words for one in analyses("simulated.stud", policy=1) for words in truths(one).values()
        ),
    )
