"""What the replay makes of a record: decisions, pots, winners, and what cannot be."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handread.cards import cards_text
from handread.formats.log_reader import read_file
from handread.game.infer_stakes import infer_stakes
from handread.game.pots import Pot
from handread.game.replay import replay, unanalysable, written_out
from handread.game.rules import DEUCE_RAZZ, Stakes
from handread.game.steps import Replay
from handread.history import (
    Action,
    Ante,
    Collect,
    Deal,
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
from tests.examples import examples
from tests.hands import GOLDEN, ROOM_STAKES, cards, hand
from tests.strategies import legal_hands

THREE = """
    1a 2a 3a
    3: 1=7h 2=9d 3=3c
"""
"""Three seats with antes .25 and doors 7h 9d 3c; seat 3 brings it in."""

STEAL = THREE + "3B 1r 2f 3f"
"""Seat 1 completes and wins antes, bring-in: pot 1.25, .75 of the completion is uncalled."""


def complaint(played: Replay) -> str:
    problem = played.problem
    assert problem is not None
    return f"{problem.line}: {problem.message} | {problem.expected}"


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


@pytest.mark.parametrize(
    ("script", "said"),
    [
        (THREE + "2B", "3: seat 2 acts, but it is seat 3's turn | seat 3 to bring in or to"),
        (
            THREE + "3B 2c",
            "3: seat 2 acts, but it is seat 1's turn | seat 1 to call, raise or fold",
        ),
        (THREE + "3B 1r150", "3: seat 1 raises to 1.50 | 1.00"),
        (THREE + "3B 1c 2c 3k", "3: seat 3 acts, but it is nobody's turn | the next street"),
        (THREE + "3B 1c 2c\n5:", "4: 5th street begins out of order | 4th street"),
        (THREE + "3B 1c\n4:", "4: another street begins too soon | seat 2 to call, raise or fold"),
        (THREE + "3B 1c 2c\n4: 1=8h 2=8d\n2k", "5: seat 3 gets no card on 4th street | an upcard"),
        (THREE + "3B 1f 2c\n4: 1=8h", "4: seat 1 has folded and is dealt 8h"),
        (THREE + "3B 1f 2c\n4: 2=3c", "4: the 3c for seat 2 is on the table already"),
        ("1a 2a\n3: 1=7h 3=3c 2=8h", "2: nobody sits in seat 3"),
        ("1a 2a20\n3: 1=7h 2=3c", "1: seat 2 posts an ante of 0.20 | 0.25"),
        ("1a 1a", "1: seat 1 posts a second ante"),
    ],
)
def test_what_cannot_be_is_said_with_its_line(script, said):
    assert complaint(replay(hand(script, seats=[1, 2] if "2a\n" in script else None))).startswith(
        said
    )


def test_names_are_in_the_message():
    seats = [Seat(1, "Ann"), Seat(2, "Bob")]
    played = replay(hand("1a 2a\n3: 1=7h 2=3c\n1c", seats=seats))
    assert complaint(played).startswith("3: seat 1 (Ann) acts, but it is seat 2 (Bob)'s turn")


def test_seats_without_an_ante_are_not_dealt_in():
    three = [1, 2, 3]
    assert replay(hand("1a 2a\n3: 1=7h 2=3c\n2B 1f", seats=three)).won == {2: 50}
    assert "seat 3 is dealt in without an ante" in complaint(
        replay(hand("1a 2a\n3: 1=7h 2=3c 3=8c", seats=three))
    )


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
    script = "1a 2a\n3: 1=7h 2=3c\n2B25! 1c\n4: 1=8h 2=8d\n5: 1=9h 2=9d\n6: 1=Th 2=Td"
    played = replay(hand(script, Collect(1, 100), stacks={1: 500, 2: 50}))
    assert (played.problem, played.finished, played.won) == (None, True, {1: 100})
    assert [street.number for street in played.streets] == [3, 4, 5, 6, 7]


def test_all_in_hands_may_be_shown_before_the_last_cards():
    script = "1a 2a\n3: 1=7h 2=3c\n2B25! 1c\n4: 1=8h 2=8d\n5: 1=9h 2=9d\n6: 1=Th 2=Td"
    shown = [Show(1, cards("Ac Ad 7h 8h 9h Th")), Show(2, cards("Kc Kd 3c 8d 9d Td"))]
    river = [StreetStart(7), Deal(1, cards("2c")), Deal(2, cards("2s")), Collect(1, 100)]
    played = replay(hand(script, *shown, *river, stacks={1: 500, 2: 50}))
    assert (played.problem, played.won) == (None, {1: 100})
    assert cards_text(played.downcards[2]) == "Kc Kd 2s"
    lone_shows = replay(hand(script, *shown, *river[:-1], stacks={1: 500, 2: 50}))
    assert lone_shows.won == {1: 100}


def test_downcards_listed_late_are_those_dealt_before():
    script = "1a 2a\n3: 1=7h 2=3c\n2B25! 1c\n4: 1=Ac.Ad/8h 2=Kc.Kd/8d"
    played = replay(hand(script, stacks={1: 500, 2: 50}))
    assert played.problem is None
    assert {seat: cards_text(down) for seat, down in played.downcards.items()} == {
        1: "Ac Ad",
        2: "Kc Kd",
    }


def test_downcards_may_be_listed_after_the_hand():
    played = replay(hand(GOLDEN.replace("1=Jh/", "1=??/"), Deal(1, cards("Jh"))))
    assert (played.problem, played.won) == (None, {1: 2400})
    assert played.moves[-1] == Show(1, cards("Jh"))


def test_a_deal_that_cannot_be_shows_nothing():
    script = "1a 2a\n3: 1=7h 2=3c\n2B 1c\n4:"
    played = replay(hand(script, Deal(1, cards("Ac Ad"), cards("8h 9h"))))
    assert "has too many cards on 4th street" in complaint(played)
    assert played.downcards == {}
    assert not any(isinstance(event, Show) for event in played.moves)


def test_who_was_not_dealt_in_has_no_hand_to_show():
    folded = "1a 2a\n3: 1=7h 2=3c\n2B 1f"
    for event in (Muck(3), Show(3, cards("Ac"))):
        said = complaint(replay(hand(folded, event, seats=[1, 2, 3])))
        assert "seat 3 was not dealt in and has no hand to show" in said


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


@pytest.mark.parametrize(
    ("variant", "said"),
    [
        ("other", "this is another game; handread reads"),
        ("chess", "this is another game; handread"),
    ],
)
def test_other_games_are_named(variant, said):
    played = replay(hand(GOLDEN, variant=variant))
    assert said in complaint(played)
    assert played.streets == ()


FIVE_BETS = (100, 100, 200, 200, 200)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"variant": "chess"}, "this is another game"),
        ({"seats": (1, 1)}, "two players share a seat number"),
        ({"seats": (0, 1)}, "a seat number is below 1"),
        ({"stakes": None, "seats": ()}, "the stakes are not stated"),
        (
            {"stakes": Stakes(25, 25, FIVE_BETS[1:])},
            "have 4 bets, but seven-card stud has 5 streets",
        ),
        ({"stakes": Stakes(25, 25, (0, *FIVE_BETS[1:]))}, "a bet is zero or less"),
        ({"stakes": Stakes(25, -1, FIVE_BETS)}, "a forced bet is negative"),
    ],
)
def test_what_prevents_any_replay_is_said_with_the_first_line_of_the_hand(changes, said):
    script = "" if changes.get("stakes", 1) is None else GOLDEN
    found = replay(replace(hand(script, **changes), source=Source("log.txt", 40, "test")))
    assert (found.problem.line, found.streets) == (40, ())
    assert said in complaint(found)


def test_stakes_may_be_without_forced_bets():
    assert replay(hand(THREE, stakes=Stakes(0, 0, FIVE_BETS))).problem is None


def test_what_cannot_be_analyzed_is_said_with_the_first_line_of_the_hand():
    source = Source("log.txt", 40, "test")
    nothing = unanalysable(replay(replace(hand("1a 2a"), source=source)))
    assert (nothing.line, nothing.message) == (40, "the record stops before any card is dealt")
    other = unanalysable(replay(replace(hand(GOLDEN, variant=DEUCE_RAZZ.key), source=source)))
    assert other.line == 40
    assert other.message.startswith("this is deuce-to-seven razz; handread reads and replays")
    assert unanalysable(replay(hand(GOLDEN))) is None


def test_a_replay_is_shown_in_a_line_with_its_problem():
    found = replay(hand(THREE + "3B 2c"))
    assert repr(found).startswith("<Replay of '1': 1 streets, 0 decisions, unfinished, test:3:1: ")
    assert "seat 2 acts, but it is seat 1's turn" in repr(found)


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


@pytest.mark.parametrize(
    ("totals", "won"),
    [
        ([Collect(1, 100)], {1: 100}),
        ([Collect(1, 50), Collect(2, 50)], {1: 50, 2: 50}),
        ([TotalPot(100), Rake(4), Collect(2, 96)], {2: 96}),
        ([TotalPot(96, before_rake=False), Collect(2, 96)], {2: 96}),
        ([Collect(1, 90)], {1: 90}),  # a rake that is not stated: at most a tenth
        ([Collect(1, 0), Collect(2, 100)], {2: 100}),
        ([Show(1, cards("7c Qs 7h 8h Js 2c Jh")), Muck(2), Collect(1, 100)], {1: 100}),
    ],
)
def test_totals_that_agree(totals, won):
    played = replay(hand(SHOWDOWN, *totals))
    assert (played.problem, played.won, played.finished) == (None, won, True)


@pytest.mark.parametrize(
    ("totals", "said"),
    [
        ([TotalPot(120)], "the record's total pot is 1.20, but 1.00 were put in"),
        ([Rake(5), Collect(1, 90)], "collect 0.90 and the house 0.05, but the pot is 1.00 | 0.95"),
        ([Collect(1, 200)], "the seats collect 2.00 of a pot of 1.00"),
        ([Collect(1, 50)], "the seats collect 0.50 of a pot of 1.00"),
        ([Collect(1, 89)], "the seats collect 0.89 of a pot of 1.00 | the pot, less a rake"),
        ([Collect(1, -1), Collect(2, 101)], "seat 1 collects -0.01 | zero or more"),
        ([Uncalled(1, 25), Collect(1, 100)], "0.25 go back to seat 1, but every bet was called"),
        ([Rake(-1)], "the rake is -0.01"),
        ([Show(1, cards("7c 7d"))], "the 7d for seat 1 is on the table already"),
        ([Show(1, cards("7c 6d 6h"))], "seat 1 shows 6d 6h, not its cards"),
        ([Show(1, cards("7c 7c"))], "seat 1 shows the 7c twice | 2 different cards"),
        (
            [Show(1, cards("7c Qs 7h 8h Js 2c 8h")), Collect(1, 100)],
            "seat 1 shows the 8h twice | 7 different cards",
        ),
        (
            [
                Show(1, cards("7c Qs 7h 8h Js 2c Jh")),
                Show(2, cards("Ad Jd 3d Kc As 7d 4h")),
                Collect(2, 100),
            ],
            "seat 2 is paid 1.00, which is not the share its cards win | at most 0.00",
        ),
        (
            [
                Show(1, cards("7c Qs 7h 8h Js 2c Jh")),
                Show(2, cards("Ad Jd 3d Kc As 7d 4h")),
                Rake(4),
                Collect(1, 48),
                Collect(2, 48),
            ],
            "seat 1 is paid 0.48, which is not the share its cards win | at least 0.96",
        ),
    ],
)
def test_totals_that_disagree(totals, said):
    played = replay(hand(SHOWDOWN, *totals))
    assert said in complaint(played)
    assert len(played.streets) == 5


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


@pytest.mark.parametrize(
    ("payments", "rake"),
    [
        ({2: 75, 1: 38, 3: 37}, 0),
        ({2: 75, 1: 37, 3: 38}, 0),
        ({2: 73, 1: 36, 3: 36}, 5),
    ],
)
def test_high_and_low_halves_and_quarters(payments, rake):
    played = replay(hand(HI_LO, *(Collect(*paid) for paid in payments.items()), variant="stud8"))
    assert (played.problem, played.won, played.rake) == (None, payments, rake)


def test_the_cards_tell_the_halves():
    played = replay(hand(HI_LO, variant="stud8"))
    assert (played.problem, played.won) == (None, {2: 75, 1: 38, 3: 37})


@pytest.mark.parametrize(
    ("payments", "said"),
    [
        ({2: 150}, "seat 2 is paid 1.50, which is not the share its cards win | at most 0.75"),
        ({2: 75, 1: 75}, "seat 1 is paid 0.75, which is not the share its cards win"),
        ({1: 75, 3: 75}, "is paid 0.75, which is not the share its cards win"),
    ],
)
def test_halves_that_are_paid_to_the_wrong_seats(payments, said):
    played = replay(hand(HI_LO, *(Collect(*paid) for paid in payments.items()), variant="stud8"))
    assert said in complaint(played)


@pytest.mark.parametrize(
    ("payments", "legal"),
    [
        ({2: 75, 1: 75}, True),  # the unseen hand of seat 3 may have no low
        ({2: 75, 3: 75}, True),
        ({2: 150}, False),  # the low of seat 1 is known
        ({3: 150}, True),
        ({1: 150}, False),
    ],
)
def test_halves_of_which_one_hand_is_not_known(payments, legal):
    unseen = HI_LO.replace("3=As.2s/3c", "3=??.??/3c").replace("3=Jd/", "3=??/")
    played = replay(hand(unseen, *(Collect(*paid) for paid in payments.items()), variant="stud8"))
    assert (played.problem is None) == legal


ODD_POT = """
    1a25! 2a25! 3a25!
    3: 1=Ac.2d/3h 2=Kd.Kh/5d 3=??.??/3c
    4: 1=4c 2=5h 3=4d
    5: 1=6d 2=Qs 3=6s
    6: 1=9h 2=Qd 3=9s
    7: 1=Jh/ 2=2c/ 3=??/
"""
"""Pot .75, all-in with the antes: seat 1 has the low, seat 2 the high, seat 3 is not seen."""


@pytest.mark.parametrize(
    ("payments", "said"),
    [
        ({2: 38, 1: 37}, ""),
        ({2: 37, 1: 38}, ""),  # the odd chip may go to either half
        ({2: 36, 1: 39}, "seat 1 is paid 0.39, which is not the share its cards win | at most"),
        ({2: 39, 1: 36}, "seat 2 is paid 0.39, which is not the share its cards win | at most"),
        ({3: 75}, ""),
    ],
)
def test_the_halves_of_an_odd_pot(payments, said):
    paid = [Collect(*payment) for payment in payments.items()]
    played = replay(hand(ODD_POT, *paid, stacks=dict.fromkeys((1, 2, 3), 25), variant="stud8"))
    if said:
        assert f"{said} 0.38" in complaint(played)
    else:
        assert (played.problem, played.won) == (None, payments)


@pytest.mark.parametrize(
    ("changed", "legal"),
    [
        ({}, False),
        ({"2=5h": "2=8h", "2=Qs": "2=4s", "2=Qd": "2=7d"}, False),  # seat 2 has a worse low
        ({"3h": "Th"}, True),  # seat 1 has none either
    ],
)
def test_a_high_takes_it_all_if_no_known_hand_has_a_low(changed, legal):
    script = ODD_POT
    for card, other in changed.items():
        script = script.replace(card, other)
    stacks = dict.fromkeys((1, 2, 3), 25)
    played = replay(hand(script, Collect(2, 75), stacks=stacks, variant="stud8"))
    assert (played.problem is None) == legal


def test_a_payment_that_cannot_be_is_said_with_the_line_of_that_seat():
    payments = [Collect(2, 75, line=21), Collect(1, 76, line=22), Collect(3, -1, line=23)]
    assert complaint(replay(hand(HI_LO, *payments, variant="stud8"))).startswith("23: ")
    payments = [Collect(2, 74, line=21), Collect(1, 76, line=22), Collect(3, 0, line=23)]
    assert complaint(replay(hand(HI_LO, *payments, variant="stud8"))).startswith("22: ")


WHOLE = Show(1, cards("7c Qs 7h 8h Js 2c Jh"), any_order=True)


@pytest.mark.parametrize(
    ("first_two", "known", "loose"),
    [
        ("7c.Qs", "7c Qs Jh", ""),  # one card was not seen: it came last
        ("7c.??", "", "7c Jh Qs"),
        ("??.??", "", "7c Jh Qs"),
    ],
)
def test_a_hand_shown_in_any_order(first_two, known, loose):
    played = replay(hand(SHOWDOWN.replace("1=7c.Qs", f"1={first_two}"), WHOLE, Collect(1, 100)))
    assert played.problem is None
    assert cards_text(played.downcards.get(1, ())) == known
    assert cards_text(played.loose_downcards.get(1, ())) == cards_text(sorted(cards(loose)))


def test_who_has_shown_a_hand_in_any_order_has_no_other_card_to_show():
    script = SHOWDOWN.replace("1=7c.Qs", "1=??.??")
    again = Show(1, cards("7h 8h Js 2c 9d"))
    assert "seat 1 shows 9d, not its cards" in complaint(replay(hand(script, WHOLE, again)))


def test_totals_may_not_come_before_the_end():
    said = "5: the pot is paid out before the hand is over | seat 2 to call, raise or fold"
    totals = [Collect(1, 50, line=5)]
    assert complaint(replay(hand(THREE + "3B 1r", *totals))) == said


def test_a_folded_seat_is_not_paid_and_does_not_show():
    assert "seat 3 collects 1.25, but has folded" in complaint(replay(hand(STEAL, Collect(3, 125))))
    assert "seat 3 shows a hand, but has folded" in complaint(
        replay(hand(STEAL, Show(3, cards("Ac"))))
    )
    absent = replay(hand(STEAL, Collect(4, 125), seats=(1, 2, 3, 4)))
    assert "seat 4 collects 1.25, but was not dealt in" in complaint(absent)


@pytest.mark.parametrize(
    ("totals", "won"),
    [
        ([Uncalled(1, 75), TotalPot(125), Collect(1, 125)], 125),
        ([Collect(1, 125)], 125),
        ([Collect(1, 200)], 125),
        ([TotalPot(200), Rake(5), Collect(1, 195)], 120),
    ],
)
def test_rooms_may_count_the_uncalled_bet_or_not(totals, won):
    played = replay(hand(STEAL, *totals))
    assert (played.problem, played.won) == (None, {1: won})


def test_a_loser_may_be_listed_with_its_uncalled_bet_alone():
    totals = [Show(1, cards("7c Qs 7h 8h Js 2c Jh")), Show(2, cards("Ad Jd 3d Kc As 7d 4h"))]
    called = SHOWDOWN.replace("7:\n    2k 1k", "7: 1=Jh/ 2=4h/\n    2b 1c100!")
    stacks = {1: 150, 2: 1000}
    paid = [Rake(0), Collect(1, 300), Collect(2, 100)]
    played = replay(hand(called, *totals, *paid, stacks=stacks))
    assert (played.problem, played.returned) == (None, (2, 100))
    assert (played.won, played.stacks) == ({1: 300}, {1: 300, 2: 850})
    paid = [Rake(0), Collect(1, 301), Collect(2, 99)]
    said = complaint(replay(hand(called, *totals, *paid, stacks=stacks)))
    assert "seat 2 is not paid its uncalled 1.00" in said


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


def test_stakes_from_the_actions():
    posted = "1a5 2a5 3a5\n3: 1=7h 2=9d 3=3c\n"

    def bets(play: str) -> tuple[int, ...] | None:
        stakes = infer_stakes(hand(posted + play, stakes=None))
        return stakes and (stakes.ante, stakes.bring_in, stakes.small, stakes.big)

    assert bets("3B10 1r25") == (5, 10, 25, 50)
    assert bets("3b30") == (5, 15, 30, 60)
    assert bets("3B10 1c10 2f\n4: 1=8h 3=8c\n1b25") == (5, 10, 25, 50)
    assert bets("3B10 1c10 2f\n4: 1=8h 3=8c\n1k 3k\n5: 1=9h 3=9c\n1b50") == (5, 10, 25, 50)
    assert bets("3B10 1r13! 2r25") == (5, 10, 25, 50)
    assert bets("3B10 1r25! 2r50") == (5, 10, 25, 50)
    assert bets("3B10 1r23!") == (5, 10, 23, 46)
    assert bets("3B10 1f 2f") == (5, 10, 20, 40)
    assert bets("") is None
    assert replay(hand(posted + "3B10 1r25", stakes=None)).stakes.inferred
    assert "stakes are not stated" in complaint(replay(hand(posted, stakes=None)))


seats = st.integers(-1, 9)
amounts = st.none() | st.integers(-5, 500)
maybe_cards = st.lists(st.none() | st.integers(-2, 55), max_size=7).map(tuple)
anything = st.one_of(
    st.builds(Ante, seats, amounts, st.booleans()),
    st.builds(StreetStart, st.integers(0, 9)),
    st.builds(Deal, seats, maybe_cards, maybe_cards),
    st.builds(SharedCard, st.none() | st.integers(-2, 55)),
    st.builds(
        Wager,
        seats,
        st.sampled_from(Action),
        amounts,
        amounts,
        st.booleans(),
        st.booleans(),
        st.booleans(),
    ),
    st.builds(Uncalled, seats, st.integers(-5, 500)),
    st.builds(Show, seats, maybe_cards),
    st.builds(Muck, seats, maybe_cards),
    st.builds(Collect, seats, st.integers(-5, 500)),
    st.builds(TotalPot, st.integers(-5, 500), st.booleans()),
    st.builds(Rake, st.integers(-5, 500)),
    st.builds(Remark, st.text()),
)


@pytest.mark.laws
@examples(300)
@given(
    legal_hands(),
    st.lists(st.tuples(st.integers(0, 80), anything), max_size=8),
    st.integers(0, 80),
    st.lists(st.builds(Seat, seats, st.text(max_size=3), st.none() | st.integers(-5, 500))),
    st.sampled_from([None, ROOM_STAKES, Stakes(0, 0, (1, 1, 1, 1, 1)), Stakes(0, 0, (0,) * 5)]),
    st.booleans(),
)
def test_whatever_the_history_it_gives_a_replay_or_a_problem(
    hand, strays, cut, others, stakes, sane
):
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
