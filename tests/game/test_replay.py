"""What the replay makes of a record: decisions, pots, winners, and what cannot be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handread.cards import cards_text
from handread.game.pots import Pot
from handread.game.replay import nothing_dealt, replay, written_out
from handread.game.rules import STUD8, Stakes
from handread.game.steps import Replay
from handread.history import (
    Action,
    Ante,
    Collect,
    Deal,
    Event,
    History,
    Muck,
    Problem,
    Rake,
    Remark,
    Seat,
    SharedCard,
    Show,
    Source,
    StreetStart,
    TotalPot,
    Uncalled,
    Wager,
)
from handread.sessions.opening import read_file
from tests.examples import examples
from tests.hands import GOLDEN, ROOM_STAKES, cards, hand, random_hand
from tests.strategies import DEEPEST, legal_hands

TWO = """
    1a 2a
    3: 1=7h 2=3c
"""
"""Two seats with antes .25 and doors 7h 3c; seat 2 brings it in."""

THREE = """
    1a 2a 3a
    3: 1=7h 2=9d 3=3c
"""
"""Three seats with doors 7h 9d 3c; seat 3 brings it in."""

STEAL = THREE + "3B 1r 2f 3f"
"""Seat 1 completes and wins antes, bring-in: pot 1.25, .75 of the completion is uncalled."""

SHOWDOWN = """
    1a 2a
    3: 1=7c.Qs/7h 2=Ad.Jd/3d
    2B 1c
    4: 1=8h 2=Kc
    2k 1k
    5: 1=Js 2=As
    2k 1k
    6: 1=2c 2=7d
    2k 1k
    7:
    2k 1k
"""
"""Seats 1 and 2 check it down: pot 1.00; the last cards are not seen."""

HI_LO = """
    1a 2a 3a
    3: 1=Ac.2d/3h 2=Kd.Kh/5d 3=As.2s/3c
    3B 1c 2c
    4: 1=4c 2=5h 3=4d
    2k 3k 1k
    5: 1=6d 2=Qs 3=6s
    2k 3k 1k
    6: 1=9h 2=Qd 3=9s
    2k 3k 1k
    7: 1=Jh/ 2=2c/ 3=Jd/
    2k 3k 1k
"""
"""Pot 1.50: seat 2 has the high (kings and queens), seats 1 and 3 share the low (6,4,3,2,A)."""

ODD_POT = """
    1a25! 2a25! 3a25!
    3: 1=Ac.2d/3h 2=Kd.Kh/5d 3=??.??/3c
    4: 1=4c 2=5h 3=4d
    5: 1=6d 2=Qs 3=6s
    6: 1=9h 2=Qd 3=9s
    7: 1=Jh/ 2=2c/ 3=??/
"""
"""Pot .75, all-in with the antes: seat 1 has the low, seat 2 the high, seat 3 is not seen."""
HILO = {"variant": "stud8"}
SHORT = {"stacks": dict.fromkeys((1, 2, 3), 25), "variant": "stud8"}

RUN_OUT = TWO + "2B25! 1c\n4: 1=8h 2=8d\n5: 1=9h 2=9d\n6: 1=Th 2=Td"
"""Seat 2 is all-in on 3rd street."""
DEEP = {"stacks": {1: 500, 2: 50}}

JACKS_UP = Show(1, cards("7c Qs 7h 8h Js 2c Jh"))
ACES_UP = Show(2, cards("Ad Jd 3d Kc As 7d 4h"))
ANY_ORDER = replace(JACKS_UP, any_order=True)


def complaint(played: Replay) -> str:
    problem = played.problem
    assert problem is not None
    return f"{problem.line}: {problem.message} | {problem.expected}"


def said(text: str, script: str, *events: Event, **options: Any) -> Any:
    """A case of what cannot be: what is said of it, the script, further events, options."""
    return pytest.param(text, script, events, options, id=text)


def paid(**seats: int) -> list[Collect]:
    """Payments by seat, on the lines from 21: ``paid(s1=100)``."""
    lines = enumerate(seats.items(), 21)
    return [Collect(int(seat[1:]), amount, line=line) for line, (seat, amount) in lines]


@pytest.mark.parametrize(
    ("text", "script", "events", "options"),
    [
        # actions, streets, cards
        said("3: seat 2 acts, but it is seat 3's turn | seat 3 to bring in or to", THREE + "2B"),
        said(
            "3: seat 2 acts, but it is seat 1's turn | seat 1 to call, raise or fold",
            THREE + "3B 2c",
        ),
        said("3: seat 1 raises to 1.50 | 1.00", THREE + "3B 1r150"),
        said("3: seat 3 acts, but it is nobody's turn | the next street", THREE + "3B 1c 2c 3k"),
        said("4: 5th street begins out of order | 4th street", THREE + "3B 1c 2c\n5:"),
        said(
            "4: another street begins too soon | seat 2 to call, raise or fold", THREE + "3B 1c\n4:"
        ),
        said(
            "5: seat 3 gets no card on 4th street | an upcard", THREE + "3B 1c 2c\n4: 1=8h 2=8d\n2k"
        ),
        said("4: seat 1 has folded and is dealt 8h", THREE + "3B 1f 2c\n4: 1=8h"),
        said("4: the 3c for seat 2 is on the table already", THREE + "3B 1f 2c\n4: 2=3c"),
        said("2: nobody sits in seat 3", "1a 2a\n3: 1=7h 3=3c 2=8h"),
        said("1: seat 2 posts an ante of 0.20 | 0.25", "1a 2a20\n3: 1=7h 2=3c"),
        said("1: seat 1 posts a second ante", "1a 1a"),
        said(
            "3: seat 1 (Ann) acts, but it is seat 2 (Bob)'s turn",
            TWO + "1c",
            seats=[Seat(1, "Ann"), Seat(2, "Bob")],
        ),
        said("seat 3 is dealt in without an ante", TWO.replace("2=3c", "3=8c"), seats=[1, 2, 3]),
        said("seat 3 was not dealt in and has no hand", TWO + "2B 1f", Muck(3), seats=[1, 2, 3]),
        said("was not dealt in and has no", TWO + "2B 1f", Show(3, cards("Ac")), seats=[1, 2, 3]),
        said("seat 3 shows a hand, but has folded", STEAL, Show(3, cards("Ac"))),
        # what prevents any replay
        said("this is another game; handread reads", GOLDEN, variant="other"),
        said("this is another game; handread", GOLDEN, variant="chess"),
        said("two players share a seat number", GOLDEN, seats=(1, 1)),
        said("a seat number is below 1", GOLDEN, seats=(0, 1)),
        said("the stakes are not stated", "", stakes=None, seats=()),
        said(
            "have 4 bets, but seven-card stud has 5 streets",
            GOLDEN,
            stakes=Stakes(25, 25, (100, 200, 200, 200)),
        ),
        said("a bet is zero or less", GOLDEN, stakes=Stakes(25, 25, (0, 100, 200, 200, 200))),
        said("a forced bet is negative", GOLDEN, stakes=Stakes(25, -1, (100,) * 5)),
        # totals of the log
        said("the record's total pot is 1.20, but 1.00 were put in", SHOWDOWN, TotalPot(120)),
        said(
            "collect 0.90 and the house 0.05, but the pot is 1.00 | 0.95",
            SHOWDOWN,
            *(Rake(5), Collect(1, 90)),
        ),
        said("the seats collect 2.00 of a pot of 1.00", SHOWDOWN, *paid(s1=200)),
        said("the seats collect 0.50 of a pot of 1.00", SHOWDOWN, *paid(s1=50)),
        said("collect 0.89 of a pot of 1.00 | the pot, less a rake", SHOWDOWN, *paid(s1=89)),
        said("seat 1 collects -0.01 | zero or more", SHOWDOWN, *paid(s1=-1, s2=101)),
        said("0.25 go back to seat 1, but every bet was called", SHOWDOWN, Uncalled(1, 25)),
        said("0.50 go back to seat 1 | 0.75 to seat 1", STEAL, Uncalled(1, 50)),
        said("the rake is -0.01", SHOWDOWN, Rake(-1)),
        said(
            "3: the pot is paid out before the hand is over | seat 2 to call, raise or fold",
            THREE + "3B 1r",
            Collect(1, 50, line=3),
        ),
        said("seat 3 collects 1.25, but has folded", STEAL, *paid(s3=125)),
        said(
            "seat 4 collects 1.25, but was not dealt in", STEAL, *paid(s4=125), seats=(1, 2, 3, 4)
        ),
        # hands shown, and what they win
        said("the 7d for seat 1 is on the table already", SHOWDOWN, Show(1, cards("7c 7d"))),
        said("seat 1 shows 6d 6h, not its cards", SHOWDOWN, Show(1, cards("7c 6d 6h"))),
        said("seat 1 shows the 7c twice | 2 different cards", SHOWDOWN, Show(1, cards("7c 7c"))),
        said(
            "seat 1 shows the 8h twice | 7 different cards",
            SHOWDOWN,
            Show(1, cards("7c Qs 7h 8h Js 2c 8h")),
        ),
        said(
            "seat 1 shows 9d, not its cards",
            SHOWDOWN.replace("1=7c.Qs", "1=??.??"),
            *(ANY_ORDER, Show(1, cards("7h 8h Js 2c 9d"))),
        ),
        said(
            "seat 2 is paid 1.00, which is not the share its cards win | at most 0.00",
            SHOWDOWN,
            *(JACKS_UP, ACES_UP, Collect(2, 100)),
        ),
        said(
            "seat 1 is paid 0.48, which is not the share its cards win | at least 0.96",
            SHOWDOWN,
            *(JACKS_UP, ACES_UP, Rake(4), *paid(s1=48, s2=48)),
        ),
        said(
            "seat 2 is paid 1.50, which is not the share its cards win | at most 0.75",
            HI_LO,
            *paid(s2=150),
            **HILO,
        ),
        said("seat 1 is paid 0.75, which is not", HI_LO, *paid(s2=75, s1=75), **HILO),
        said("is paid 0.75, which is not the share", HI_LO, *paid(s1=75, s3=75), **HILO),
        said("seat 1 is paid 0.39, which is not", ODD_POT, *paid(s2=36, s1=39), **SHORT),
        said("the share its cards win | at most 0.38", ODD_POT, *paid(s2=36, s1=39), **SHORT),
        said("seat 2 is paid 0.39, which is not", ODD_POT, *paid(s2=39, s1=36), **SHORT),
        said("the share its cards win | at most 0.38", ODD_POT, *paid(s2=39, s1=36), **SHORT),
        # a payment that cannot be is said with the line of that seat
        said("23: ", HI_LO, *paid(s2=75, s1=76, s3=-1), **HILO),
        said("22: ", HI_LO, *paid(s2=74, s1=76, s3=0), **HILO),
    ],
)
def test_what_cannot_be_is_said(
    text: str, script: str, events: tuple[Event, ...], options: Mapping[str, Any]
) -> None:
    found = complaint(replay(hand(script, *events, **options)))
    assert text in found
    if text.partition(": ")[0].isdigit():  # the line, with which the message begins
        assert found.startswith(text)


def won(script: str, *events: Event, **options: Any) -> Any:
    """A case of what may be: the script, further events, options; ``won`` by seat."""
    expected = options.pop("won")
    return pytest.param(script, events, options, expected)


UNSEEN = HI_LO.replace("3=As.2s/3c", "3=??.??/3c").replace("3=Jd/", "3=??/")


@pytest.mark.parametrize(
    ("script", "events", "options", "expected"),
    [
        won(SHOWDOWN, *paid(s1=100), won={1: 100}),
        won(SHOWDOWN, Remark("nh"), *paid(s1=50, s2=50), won={1: 50, 2: 50}),
        won(SHOWDOWN, TotalPot(100), Rake(4), Collect(2, 96), won={2: 96}),
        won(SHOWDOWN, TotalPot(96, before_rake=False), Collect(2, 96), won={2: 96}),
        # a rake that is not stated: at most a tenth
        won(SHOWDOWN, *paid(s1=90), won={1: 90}),
        won(SHOWDOWN, *paid(s1=0, s2=100), won={2: 100}),
        won(SHOWDOWN, JACKS_UP, Muck(2), *paid(s1=100), won={1: 100}),
        # rooms may count the uncalled bet or not
        won(STEAL, Uncalled(1, 75), TotalPot(125), Collect(1, 125), won={1: 125}),
        won(STEAL, *paid(s1=125), won={1: 125}),
        won(STEAL, *paid(s1=200), won={1: 125}),
        won(STEAL, TotalPot(200), Rake(5), Collect(1, 195), won={1: 120}),
        # who posts no ante is not dealt in
        won(TWO + "2B 1f", seats=[1, 2, 3], won={2: 50}),
        # high and low halves and quarters, by the payments or by the cards
        won(HI_LO, *paid(s2=75, s1=38, s3=37), **HILO, won={2: 75, 1: 38, 3: 37}),
        won(HI_LO, *paid(s2=75, s1=37, s3=38), **HILO, won={2: 75, 1: 37, 3: 38}),
        won(HI_LO, *paid(s2=73, s1=36, s3=36), **HILO, won={2: 73, 1: 36, 3: 36}),
        won(HI_LO, **HILO, won={2: 75, 1: 38, 3: 37}),
        # the unseen hand of seat 3 may have no low; the low of seat 1 is known
        won(UNSEEN, *paid(s2=75, s1=75), **HILO, won={2: 75, 1: 75}),
        won(UNSEEN, *paid(s2=75, s3=75), **HILO, won={2: 75, 3: 75}),
        won(UNSEEN, *paid(s2=150), **HILO, won=None),
        won(UNSEEN, *paid(s3=150), **HILO, won={3: 150}),
        won(UNSEEN, *paid(s1=150), **HILO, won=None),
        # the odd chip may go to either half
        won(ODD_POT, *paid(s2=38, s1=37), **SHORT, won={2: 38, 1: 37}),
        won(ODD_POT, *paid(s2=37, s1=38), **SHORT, won={2: 37, 1: 38}),
        won(ODD_POT, *paid(s3=75), **SHORT, won={3: 75}),
        # a high takes it all if no known hand has a low
        won(ODD_POT, *paid(s2=75), **SHORT, won=None),
        won(
            ODD_POT.replace("2=5h", "2=8h").replace("2=Qs", "2=4s").replace("2=Qd", "2=7d"),
            *paid(s2=75),
            **SHORT,
            won=None,
        ),
        won(ODD_POT.replace("3h", "Th"), *paid(s2=75), **SHORT, won={2: 75}),
        # all-in hands may be shown before the last cards, and run out without them
        won(RUN_OUT, *paid(s1=100), **DEEP, won={1: 100}),
    ],
)
def test_who_is_paid(
    script: str,
    events: tuple[Event, ...],
    options: Mapping[str, Any],
    expected: dict[int, int] | None,
) -> None:
    played = replay(hand(script, *events, **options))
    if expected is None:
        assert played.problem is not None
    else:
        assert (played.problem, played.won, played.finished) == (None, expected, True)
        stated = [event.amount for event in events if isinstance(event, Rake)]
        assert played.rake == played.pot - sum(expected.values())
        assert stated in ([], [played.rake])


def test_golden_hand_to_the_chip():
    played = replay(hand(GOLDEN))
    assert (played.problem, played.finished) == (None, True)
    assert (played.pot, played.won, played.showdown) == (2400, {1: 2400}, (1, 2))
    assert played.pots == (Pot(2400, (1, 2)),)
    assert [
        (d.street, d.seat, d.action[0], d.to_call, d.n_active, round(d.effective_odds, 7))
        for d in played.decisions
    ] == [
        (3, 6, "f", 25, 7, 0.1414634),
        (3, 7, "f", 25, 6, 0.1638418),
        (3, 1, "r", 25, 5, 0.1946309),
        (3, 2, "c", 100, 5, 0.2051282),
        (3, 3, "f", 100, 5, 0.2),
        (3, 4, "f", 100, 4, 0.2424242),
        (3, 5, "f", 75, 3, 0.3009709),
        (4, 2, "c", 0, 2, 0.375),
        (4, 1, "c", 0, 2, 0.375),
        (5, 2, "c", 0, 2, 0.3333333),
        (5, 1, "b", 0, 2, 0.3333333),
        (5, 2, "r", 200, 2, 0.375),
        (5, 1, "c", 200, 2, 0.3),
        (6, 2, "c", 0, 2, 0.125),
        (6, 1, "b", 0, 2, 0.125),
        (6, 2, "c", 200, 2, 0.2),
        (7, 2, "b", 0, 2, 0.0),
        (7, 1, "r", 200, 2, 0.1),
        (7, 2, "c", 200, 2, 0.0833333),
    ]
    assert [(s.number, s.pot, s.pot_after, s.active_after) for s in played.streets] == [
        (3, 175, 400, (1, 2)),
        (4, 400, 400, (1, 2)),
        (5, 400, 1200, (1, 2)),
        (6, 1200, 1600, (1, 2)),
        (7, 1600, 2400, (1, 2)),
    ]
    assert played.streets[0].bring_in == 5
    assert cards_text(played.streets[4].upcards[1]) == "7h 8h Js 2c"
    assert cards_text(played.downcards[2]) == "Ad Jd 4h"


def test_steal_and_its_uncalled_bet():
    played = replay(hand(STEAL))
    assert (played.won, played.pot, played.returned) == ({1: 125}, 125, (1, 75))
    raised = played.decisions[0]
    assert (raised.action, raised.completes, raised.forced) == ("raise", True, False)
    assert (raised.amount, raised.to, raised.pot, raised.raises_left) == (100, 100, 100, 4)


@pytest.mark.parametrize("word", ["3b", "3b100", "3r", "3r100"])
def test_owner_completing_at_once_is_a_raise_with_no_fold_on_offer(word):
    decision = replay(hand(THREE + word)).decisions[0]
    assert (decision.action, decision.completes, decision.forced) == ("raise", True, True)
    assert (decision.to_call, decision.pot, decision.can_fold) == (25, 75, False)


def test_ante_all_in_heads_up_without_bring_in_runs_out():
    script = """
        1a 2a10!
        3: 1=2c.2d/7h 2=Ac.Ad/3c
        4: 1=8h 2=8d
        5: 1=9h 2=9d
        6: 1=Th 2=Td
        7: 1=Kc/ 2=Ks/
    """
    played = replay(hand(script, stacks={1: 500, 2: 10}))
    assert played.problem is None
    assert (played.won, played.returned, played.decisions) == ({2: 20}, (1, 15), ())
    assert played.stacks == {1: 490, 2: 20}
    early = replay(hand(script, Uncalled(1, 15), Collect(2, 20), stacks={1: 500, 2: 10}))
    assert early.problem is None


def test_a_run_out_needs_no_cards_that_the_record_cannot_show():
    played = replay(hand(RUN_OUT, Collect(1, 100), **DEEP))
    assert [street.number for street in played.streets] == [3, 4, 5, 6, 7]


def test_all_in_hands_may_be_shown_before_the_last_cards():
    shown = [Show(1, cards("Ac Ad 7h 8h 9h Th")), Show(2, cards("Kc Kd 3c 8d 9d Td"))]
    river = [StreetStart(7), Deal(1, cards("2c")), Deal(2, cards("2s")), Collect(1, 100)]
    played = replay(hand(RUN_OUT, *shown, *river, **DEEP))
    assert (played.problem, played.won) == (None, {1: 100})
    assert cards_text(played.downcards[2]) == "Kc Kd 2s"
    assert replay(hand(RUN_OUT, *shown, *river[:-1], **DEEP)).won == {1: 100}


def test_downcards_listed_late_are_those_dealt_before():
    played = replay(hand(TWO + "2B25! 1c\n4: 1=Ac.Ad/8h 2=Kc.Kd/8d", **DEEP))
    assert played.problem is None
    assert played.downcards == {1: cards("Ac Ad"), 2: cards("Kc Kd")}


def test_downcards_may_be_listed_after_the_hand():
    played = replay(hand(GOLDEN.replace("1=Jh/", "1=??/"), Deal(1, cards("Jh"))))
    assert (played.problem, played.won) == (None, {1: 2400})
    assert played.moves[-1] == Show(1, cards("Jh"))


def test_a_deal_that_cannot_be_shows_nothing():
    played = replay(hand(TWO + "2B 1c\n4:", Deal(1, cards("Ac Ad"), cards("8h 9h"))))
    assert "has too many cards on 4th street" in complaint(played)
    assert played.downcards == {}
    assert not any(isinstance(event, Show) for event in played.moves)


def test_odds_where_nothing_is_at_stake():
    script = "3: 1=7h 2=3c\n2k 1k\n4: 1=8h 2=4c\n1k 2k\n5: 1=9h 2=5d\n1k 2k\n6: 1=Kd 2=6d"
    checked = script + "\n1k 2k\n7: 1=??/ 2=??/\n1k 2k"
    played = replay(hand(checked, seats=[1, 2], stakes=Stakes(0, 0, (1, 1, 2, 2, 2))))
    assert (played.problem, played.finished) == (None, True)
    assert [d.effective_odds for d in played.decisions[-3:]] == [0.5, 0.0, 0.0]


def test_a_record_without_upcards_is_played_on_trust():
    script = "1a 2a\n3: 1=2c.2d/7h\n2B 1r 2c\n4: 1=8h\n2b 1f"
    played = replay(hand(script, hero=1))
    assert played.problem is None
    assert cards_text(played.streets[1].upcards[2]) == "?? ??"
    assert played.won == {2: 250}


def test_a_shared_seventh_card_counts_for_all():
    script = GOLDEN.replace("1=Jh/ 2=4h/", "=Jh")
    played = replay(hand(script))
    assert (played.problem, played.streets[4].shared) == (None, cards("Jh")[0])
    assert played.won == {2: 2400}  # aces and jacks against jacks and sevens


def test_a_hand_may_stop_anywhere_without_a_problem():
    whole = hand(GOLDEN)
    for n in range(len(whole.events)):
        played = replay(replace(whole, events=whole.events[:n]))
        assert (played.problem, played.finished, played.won) == (None, False, {})
    stopped = replay(hand(THREE + "3B 1r 2c"))
    assert [street.finished for street in stopped.streets] == [False]


def test_play_stands_up_to_a_line_that_could_not_be_read():
    golden = hand(GOLDEN)
    fifth = golden.events.index(StreetStart(5))
    unread = Problem("test", 5, 3, "no such word")
    played = replay(replace(golden, events=golden.events[:fifth], problems=(unread,)))
    assert played.problem == unread
    assert [street.number for street in played.streets] == [3, 4]
    assert not played.finished


def test_what_prevents_a_replay_or_an_analysis_is_said_with_the_first_line_of_the_hand():
    source = Source("log.txt", 40, "test")
    found = replay(replace(hand(GOLDEN, variant="chess"), source=source))
    assert (found.problem.line, found.streets) == (40, ())
    nothing = nothing_dealt(replay(replace(hand("1a 2a"), source=source)))
    assert (nothing.line, nothing.message) == (40, "the record stops before any card is dealt")
    assert nothing_dealt(replay(hand(GOLDEN))) is None


def test_a_replay_is_shown_in_a_line_with_its_problem():
    found = replay(hand(THREE + "3B 2c"))
    assert repr(found).startswith("<Replay of '1': 1 streets, 0 decisions, unfinished, test:3:1: ")
    assert "seat 2 acts, but it is seat 1's turn" in repr(found)


@pytest.mark.parametrize(
    ("first_two", "known", "loose"),
    [
        ("7c.Qs", "7c Qs Jh", ""),  # one card was not seen: it came last
        ("7c.??", "", "7c Jh Qs"),
        ("??.??", "", "7c Jh Qs"),
    ],
)
def test_a_hand_shown_in_any_order(first_two, known, loose):
    script = SHOWDOWN.replace("1=7c.Qs", f"1={first_two}")
    played = replay(hand(script, ANY_ORDER, Collect(1, 100)))
    assert played.problem is None
    assert cards_text(played.downcards.get(1, ())) == known
    assert cards_text(played.loose_downcards.get(1, ())) == cards_text(sorted(cards(loose)))


def test_a_loser_may_be_listed_with_its_uncalled_bet_alone():
    called = SHOWDOWN.replace("7:\n    2k 1k", "7: 1=Jh/ 2=4h/\n    2b 1c100!")
    stacks = {1: 150, 2: 1000}
    totals = [JACKS_UP, ACES_UP, Rake(0), *paid(s1=300, s2=100)]
    played = replay(hand(called, *totals, stacks=stacks))
    assert (played.problem, played.returned) == (None, (2, 100))
    assert (played.won, played.stacks) == ({1: 300}, {1: 300, 2: 850})
    totals = [JACKS_UP, ACES_UP, Rake(0), *paid(s1=301, s2=99)]
    refused = complaint(replay(hand(called, *totals, stacks=stacks)))
    assert "seat 2 is not paid its uncalled 1.00" in refused


@pytest.mark.parametrize(
    ("dealt", "kept"),
    [
        (random_hand(211, 8, ROOM_STAKES, deepest=4), 0),  # the last pot is seat 7's alone
        (random_hand(211, 8, ROOM_STAKES, deepest=4), 10),
        (random_hand(46, 7, deepest=2, game=STUD8), 0),  # seat 8 gets a part of a low
    ],
)
def test_winnings_of_the_size_of_the_uncalled_bet_are_not_that_bet(dealt, kept):
    played = replay(dealt)
    assert played.returned in played.won.items()
    most = max(played.won, key=played.won.get)
    won = {**played.won, most: played.won[most] - kept}
    told = [Collect(seat, amount) for seat, amount in won.items()]
    again = replay(replace(dealt, events=(*dealt.events, *told)))
    assert (again.problem, again.won, again.rake) == (None, won, kept)


def test_side_pots_go_to_who_can_win_them():
    script = """
        1a 2a 3a
        3: 1=Ac.Ad/7h 2=2c.2d/9d 3=Kc.Kd/3c
        3B 1r 2c 3c75!
        4: 1=8h 2=8d 3=4c
        2b 1c
        5: 1=5s 2=6s 3=9s
        2k 1k
        6: 1=2h 2=4h 3=Th
        2k 1k
        7: 1=Qs/ 2=2s/ 3=Ks/
        2k 1k
    """
    played = replay(hand(script, stacks={1: 900, 2: 900, 3: 125}))
    assert played.problem is None
    assert played.pots == (Pot(375, (1, 2, 3)), Pot(200, (1, 2)))
    assert played.won == {2: 200, 3: 375}
    wrong = replay(hand(script, Collect(3, 575), stacks={1: 900, 2: 900, 3: 125}))
    assert "seat 3 is paid 5.75" in complaint(wrong)


@pytest.mark.parametrize(
    ("totals", "rake"), [((), 0), ((TotalPot(100), Rake(4)), 4), ((Muck(2),), 0)]
)
def test_a_pot_that_nobody_is_paid_stays_in_the_middle(totals, rake):
    played = replay(hand(SHOWDOWN, *totals, stacks={1: 500, 2: 500}))
    assert (played.problem, played.played_out, played.finished) == (None, True, False)
    assert (played.won, played.rake, played.showdown) == ({}, rake, (1, 2))
    assert (played.pot, played.stacks) == (100, {1: 450, 2: 450})


def test_a_log_that_was_cut_off_is_not_settled_by_the_cards():
    whole = hand(STEAL, stacks=dict.fromkeys(range(1, 5), 500))
    assert replay(whole).finished
    cut = replay(replace(whole, unpaid=True))
    assert (cut.played_out, cut.finished, cut.won) == (True, False, {})


seats = st.integers(-1, 9)
amounts = st.none() | st.integers(-5, 500)
maybe_cards = st.lists(st.none() | st.integers(-2, 55), max_size=7).map(tuple)
anything = st.one_of(
    st.builds(Ante, seats, amounts, st.booleans()),
    st.builds(StreetStart, st.integers(0, 9)),
    st.builds(Deal, seats, maybe_cards, maybe_cards),
    st.builds(SharedCard, st.none() | st.integers(-2, 55)),
    st.builds(Wager, seats, st.sampled_from(Action), amounts, amounts, *[st.booleans()] * 3),
    st.builds(Uncalled, seats, st.integers(-5, 500)),
    st.builds(Show, seats, maybe_cards),
    st.builds(Muck, seats, maybe_cards),
    st.builds(Collect, seats, st.integers(-5, 500)),
    st.builds(TotalPot, st.integers(-5, 500), st.booleans()),
    st.builds(Rake, st.integers(-5, 500)),
    st.builds(Remark, st.text()),
)


@pytest.mark.thorough
@pytest.mark.laws
@pytest.mark.parametrize("deepest", DEEPEST)
@examples(75)
@given(
    data=st.data(),
    strays=st.lists(st.tuples(st.integers(0, 80), anything), max_size=8),
    cut=st.integers(0, 80),
    others=st.lists(st.builds(Seat, seats, st.text(max_size=3), st.none() | st.integers(-5, 500))),
    stakes=st.sampled_from(
        [None, ROOM_STAKES, Stakes(0, 0, (1, 1, 1, 1, 1)), Stakes(0, 0, (0,) * 5)]
    ),
    sane=st.booleans(),
)
def test_whatever_the_history_it_gives_a_replay_or_a_problem(
    deepest, data, strays, cut, others, stakes, sane
):
    hand = data.draw(legal_hands(deepest=[deepest]))
    events = list(hand.events[:cut])
    for place, event in strays:
        events.insert(place, event)
    odd = replace(hand, events=tuple(events))
    if not sane:
        odd = replace(odd, seats=tuple(others), stakes=stakes)
    played = replay(odd)
    assert isinstance(played, Replay)
    assert replay(written_out(played)).decisions == played.decisions


def test_no_events_at_all():
    empty = replay(History("", hand(GOLDEN).source, "stud", hand(GOLDEN).unit, None, (), ()))
    assert not empty.finished


def test_real_hands_are_legal_and_their_totals_agree(real_hands):
    played = [
        replay(read)
        for file in sorted(real_hands.glob("*/*"))
        for read in read_file(file)
        if isinstance(read, History) and read.variant == "stud"
    ]
    assert len(played) >= 60
    assert [str(hand.problem) for hand in played if hand.problem or not hand.finished] == []
    assert all(hand.won for hand in played)
