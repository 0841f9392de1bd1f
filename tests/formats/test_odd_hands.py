"""Hands of rooms that come to pass seldom: short stacks, side pots, losers who are shown, names."""

from __future__ import annotations

import pytest

from handread.cards import cards_text
from handread.game.replay import replay
from handread.game.rules import STUD8
from handread.game.steps import Replay
from handread.history import Ante, Collect, History, Remark, Show
from handread.inference.analysis import analyze_replay
from handread.known_cards import in_place
from handread.policy import load_policy
from tests.hands import cards, one
from tests.invented_logs import EVERLEAF_JULY, PARTY, WINNING_OLD
from tests.logs import log
from tests.printing import WRITERS, assert_same, printed, read

SHOWN = log("winamax-2016-all-hands-shown.txt")
ALL_IN_ANTE = log("bovada-all-in-ante.txt")
SHORT_BRING_IN = log("bovada-bring-in-all-in.txt")
SIDE_POTS = log("fulltilt-three-pots.txt")
HIGH_AND_LOW = log("bovada-hi-lo-split.txt")
OVER_BRING_IN = log("kingsclub-razz-raise-over-bring-in.txt")


def sound(text: str) -> History:
    hand = one(text)
    assert hand.problems == ()
    return hand


def played(text: str) -> Replay:
    """A hand that is played to its end by the rules, and all of whose lines are known."""
    found = replay(sound(text))
    assert found.problem is None
    assert found.finished
    return found


def test_upcards_that_no_line_lists_stand_in_the_hands_that_are_shown() -> None:
    found = played(SHOWN)
    read = analyze_replay(found, load_policy("loose"))
    assert read.complete
    assert len(read.stages) == 10
    wrong = SHOWN.replace("2d 3h 4s", "9d 3h 4s")  # now the eight is the lowest card
    problem = replay(sound(wrong)).problem
    assert "it is seat 2 (Lena)'s turn" in problem.message


def test_one_hand_that_is_not_shown_leaves_the_others_unread() -> None:
    folded = SHOWN.replace("Žofie calls 10€", "Žofie folds")
    folded = folded[: folded.index("*** FIFTH")] + "Lena shows [Ac Kd 8c 8d] (One pair : 8)\n"
    read = analyze_replay(replay(sound(folded)), load_policy("loose"))
    assert "the log does not list the upcards of seat" in str(read.problems[0])


def test_a_room_that_tells_downcards_in_no_order_tells_upcards() -> None:
    begin = EVERLEAF_JULY[: EVERLEAF_JULY.index("**** dealing 4th")]
    found = played(begin + log("everleaf-july-shown.txt"))
    assert cards_text(found.streets[-1].upcards[1]) == "2d 3h 5s 9c"
    assert found.downcards == {}
    assert analyze_replay(found, load_policy("loose")).complete


def test_the_best_fives_of_high_and_low_are_not_the_hand_in_dealt_order() -> None:
    found = played(HIGH_AND_LOW)
    shown = {e.seat: cards_text(e.cards) for e in found.moves if isinstance(e, Show)}
    assert shown[1] == "Ad Jh 7h 6d 4h 2s 3s"
    for name in WRITERS:
        again = replay(read(printed(found, name), name))
        assert_same(found, again)
        listed = [e.cards for e in again.history.events if isinstance(e, Show)]
        assert all(len(cards) == len(set(cards)) <= 7 for cards in listed)
    assert "p1 sm AdJh7h6d4h2s3s" in printed(found, "phh")


def test_a_list_of_best_fives_does_not_tell_the_order_of_unseen_downcards() -> None:
    up = cards("7h 6d 4h 2s")
    listed = Show(1, cards("Ad Jh 7h 6d 4h Ad 2s 3s 4h 6d"))
    placed = in_place(listed, (None, None, None), up, (), STUD8)
    assert cards_text(placed.cards) == "Ad Jh 7h 6d 4h 2s 3s"
    assert placed.any_order


def test_best_fives_of_other_cards_than_those_dealt_are_refused() -> None:
    problem = replay(one(HIGH_AND_LOW.replace("2s 3s 4h 6d]", "2s 3s 4h 5c]"))).problem
    assert "shows 5c, not its cards" in problem.message


def test_an_all_in_before_the_cards_is_an_ante() -> None:
    worded = ALL_IN_ANTE.replace("[ME] : Ante chip 6", "[ME] : All-in 6")
    assert Ante(3, 6, all_in=True) in sound(worded).events
    assert played(worded).won == {3: 12}


def test_a_short_bring_in_says_nothing_of_the_stakes() -> None:
    assert played(SHORT_BRING_IN).stakes.bets == (250, 250, 500, 500, 500)


def test_a_bet_over_a_short_all_in_may_add_to_the_bring_in() -> None:
    raised = played(OVER_BRING_IN).decisions[1]
    assert (raised.seat, raised.to) == (4, 625)
    problem = replay(one(OVER_BRING_IN.replace("625", "600"))).problem
    assert problem.expected == "500 or 725"


def test_side_pots_have_numbers() -> None:
    events = sound(SIDE_POTS).events
    pots = [(event.seat, event.pot) for event in events if isinstance(event, Collect)]
    assert pots == [(3, "side pot #2"), (2, "side pot #1"), (2, "main pot")]


def test_a_winner_may_have_bet_more_than_it_collects() -> None:
    begin = WINNING_OLD.index("*Player Lena")
    for line in (
        "*Player Lena mucks (does not show cards). Bets: 5.15. Collects: 10.12. Loses: 0.03.",
        "*Player Lena shows: Two pairs. 10s and 9s [10d 5s 10c 9h 9d 10h 2c]. Bets: 5.15."
        " Collects: 10.12. Loses: 0.03.",
    ):
        text = WINNING_OLD[:begin] + line + "\n" + WINNING_OLD[begin:].split("\n", 1)[1]
        assert played(text).won == {1: 1012}


@pytest.mark.parametrize("name", ["x - y", "a/b - c", "$1 USD z - Monday, d"])
def test_a_seat_is_no_first_line_whatever_the_name(name: str) -> None:
    hand = sound(PARTY.replace("Žofie", name))
    assert (hand.seat(8).name, hand.variant) == (name, "stud")


@pytest.mark.parametrize(
    "header",
    [
        "FL 7 Card Stud $6 USD Buy-in Trny:69 Level:2 Stakes-Antes(60/120-10) - May 30 2012",
        "FL 7 Card Stud $200 + $15 USD Buy-in Trny:69 Level:2 Stakes-Antes(60/120-10) - May 30",
        "FL 7 Card Stud Freeroll Trny:69 Level:2 Stakes-Antes(60/120-10) - May 30 2012",
    ],
)
def test_tournaments_of_partypoker(header: str) -> None:
    cash = "$0.50/$1 USD 7 Card Stud - Monday, May 2, 19:05:44 EDT 2011"
    assert cash in PARTY
    hand = sound(PARTY.replace(cash, header).replace("$", "").replace(" USD", ""))
    assert hand.variant == "stud"
    assert (hand.stakes.ante, hand.stakes.small, hand.stakes.big) == (1000, 6000, 12000)


def test_partypoker_repeats_the_level_of_a_tournament() -> None:
    level = "Trny:69 Level:2 \nStakes-Antes(60/120-10)\n"
    hand = sound(PARTY.replace("** Dealing **", f"{level}** Dealing **", 1))
    said = [event for event in hand.events if isinstance(event, Remark) and not event.known]
    assert said == []
    assert "Level:2" in str(hand.events)


@pytest.mark.parametrize("colon", ["", ":"])
@pytest.mark.parametrize("letter", ["", "C"])
def test_tournaments_of_absolute(letter: str, colon: str) -> None:
    first = f"Stage #{letter}9000000601{colon} Tourney ID 2000001 Seven Card Stud Tournament 30/60"
    found = played(log("absolute-tournament.txt").replace("FIRST", first))
    assert (found.history.hand_id, found.won) == ("9000000601", {1: 10})


def test_winning_before_2018_names_the_low_of_a_hand() -> None:
    folds = WINNING_OLD[: WINNING_OLD.index("Player Mr. calls 5 folds")]
    low = folds.replace("Cards Stud)", "Cards Stud HiLow)")
    found = played(low.replace("Lena bets (2)", "Lena checks") + log("winning-old-low.txt"))
    assert (found.won, cards_text(found.downcards[6])) == ({1: 507, 6: 507}, "6h 2d 3c")
