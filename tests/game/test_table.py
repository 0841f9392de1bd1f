"""The rules of play, each once, on a table with seats 1, 2, 3 unless a test says otherwise."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from handread.game.pots import Pot, halves, shares, side_pots, uncalled_part
from handread.game.ranks import bring_in_seats
from handread.game.rules import FIVE_STUD, RAZZ, SAUND_STAKES, STUD, STUD8, Stakes
from handread.game.seating import IllegalMove, Phase
from handread.game.table import Table
from handread.history import Action, Seat, Wager
from tests.hands import ROOM_STAKES, cards

DOORS = {1: "7h", 2: "3d", 3: "3c"}


def table(stacks=(None, None, None), stakes=SAUND_STAKES, doors=DOORS, game=STUD) -> Table:
    """Antes posted, one upcard each, betting open."""
    seats = [Seat(seat, "", stack) for seat, stack in zip(doors, stacks, strict=True)]
    at = Table.start(stakes, seats, game=game)
    for seat in doors:
        at = at.ante(seat)
    return street(at, {seat: cards(door) for seat, door in doors.items()})


def street(at: Table, ups) -> Table:
    at = at.next_street()
    for seat in at.active:
        down, _ = at.missing(at.player(seat))
        at = at.deal(seat, (None,) * down, ups.get(seat, ()))
    return at.open_betting()


def on_4th(ups, **options) -> Table:
    at = table(**options).bring_in(3).call(1).call(2)
    return street(at, {seat: cards(up) for seat, up in ups.items()})


def refusal(move, *args, **options) -> str:
    with pytest.raises(IllegalMove) as refused:
        move(*args, **options)
    return f"{refused.value.message} | {refused.value.expected}"


def test_before_the_antes_nothing_is_bet():
    at = Table.start(SAUND_STAKES, [Seat(1), Seat(2)])
    assert (at.bets, at.bet_to, at.full_to, at.pot, at.actor) == (0, 0, 0, 0, None)


def test_lowest_door_card_brings_in_and_clubs_are_lowest():
    at = table()
    assert at.actor == 3
    assert at.options().forced
    assert refusal(at.fold, 3) == "seat 3 folds | seat 3 to bring in or to complete"
    assert refusal(at.bring_in, 2) == (
        "seat 2 acts, but it is seat 3's turn | seat 3 to bring in or to complete"
    )
    assert refusal(at.bring_in, 3, 30) == "seat 3 brings in for 0.30 | 0.25"


def test_next_seat_clockwise_brings_in_for_a_low_card_that_is_all_in():
    assert table((None, None, 25)).actor == 1


def test_no_bring_in_is_needed_when_all_others_are_all_in_but_may_be_posted():
    at = table((500, 25), doors={1: "7h", 2: "3d"})
    assert at.phase is Phase.CLOSED
    posted = at.bring_in(1)
    assert (posted.pot, posted.returned, posted.player(1).stack) == (50, (1, 25), 475)
    short = table((500, 10), doors={1: "7h", 2: "3d"})
    assert (short.pot, short.returned, short.player(1).stack) == (20, (1, 15), 490)
    posted = short.bring_in(1)
    assert (posted.pot, posted.returned, posted.player(1).stack) == (20, (1, 15 + 25), 490)


def test_unseen_door_cards_let_the_record_say_who_brings_in():
    at = table(doors={1: "7h", 2: "??", 3: "8c"})
    assert at.may_act == (1, 2)
    assert at.bring_in(2).actor == 3


def test_owner_of_the_bring_in_may_complete():
    at = table()
    assert at.options().raises == (100,)
    assert at.bet(3) == at.raise_to(3) == at.bet(3, 100) == at.raise_to(3, 100)
    assert at.bet(3).options().to_call == 100


def test_completion_counts_as_the_first_bet_and_raises_follow_by_a_bet():
    at = table().bring_in(3)
    assert (at.options().to_call, at.options().raises) == (25, (100,))
    assert refusal(at.raise_to, 1, 125) == "seat 1 raises to 1.25 | 1.00"
    at = at.raise_to(1)
    assert (at.bets, at.options().raises) == (1, (200,))


def test_bring_in_has_no_option_once_all_called():
    assert table().bring_in(3).call(1).call(2).phase is Phase.CLOSED


def test_four_bets_a_street_and_no_cap_heads_up_where_the_stakes_say_so():
    at = table().bring_in(3).raise_to(1).raise_to(2).raise_to(3).raise_to(1)
    assert at.bet_to == 400
    assert refusal(at.raise_to, 2) == (
        "seat 2 raises, but the street has its 4 bets and raises | seat 2 to call or fold"
    )
    rooms = table(stakes=ROOM_STAKES).bring_in(3).fold(1)
    for seat in (2, 3, 2, 3, 2, 3):
        rooms = rooms.raise_to(seat)
    assert rooms.options().raises_left is None


def test_best_showing_hand_opens():
    assert on_4th({1: "2c", 2: "3h", 3: "Ad"}).may_act == (2,)


def test_equal_showing_hands_may_open_in_any_order():
    at = on_4th({1: "2c", 2: "Kh", 3: "Kd"})
    assert at.may_act == (2, 3)
    assert at.check(3).queue == (1, 2)
    assert at.check(2).queue == (3, 1)


def test_best_hand_of_those_who_can_still_act_opens():
    at = on_4th({1: "2c", 2: "8h", 3: "3s"}, stacks=(None, None, 50))
    assert at.may_act == (2,)


def test_open_pair_allows_the_double_bet_on_4th():
    ups = {1: "2c", 2: "3h", 3: "Ad"}
    assert on_4th(ups).options().raises == (100,)
    at = on_4th(ups, stakes=ROOM_STAKES)
    assert at.options().raises == (50, 100)
    assert at.bet(2, double=True) == at.bet(2, 100)
    assert at.bet(2).options().raises == (100, 150)


def test_a_table_plays_by_the_rules_of_its_game():
    upside_down = replace(
        STUD,
        streets=STUD.streets[:2],
        brings_in=lambda doors: bring_in_seats(doors)[::-1],
        showing=lambda up: (-up[-1],),
        open_pair_street=None,
    )
    third = table(stakes=ROOM_STAKES, game=upside_down)
    assert third.actor == 1
    ups = {1: "Kc", 2: "3h", 3: "Ad"}
    fourth = street(third.bring_in(1).call(2).call(3), {s: cards(up) for s, up in ups.items()})
    assert fourth.actor == 2
    assert fourth.options().raises == (50,)
    assert fourth.check(2).check(3).check(1).is_over


@pytest.mark.parametrize(
    ("move", "said"),
    [
        (lambda at: at.check(2), "seat 2 checks, but there is a bet to call"),
        (lambda at: at.bet(2), "seat 2 bets, but there is a bet already"),
        (lambda at: at.call(2, 50), "seat 2 calls 0.50 | 1.00"),
        (lambda at: at.call(3), "seat 3 acts, but it is seat 2's turn"),
        (lambda at: at.call(9), "nobody sits in seat 9"),
        (lambda at: at.next_street(), "another street begins too soon"),
        (lambda at: at.ante(2), "seat 2 posts an ante after the deal"),
    ],
)
def test_what_cannot_be_done_facing_a_bet(move, said):
    assert said in refusal(move, table().bring_in(3).raise_to(1))


def test_nothing_to_call_or_raise():
    at = on_4th({1: "2c", 2: "3h", 3: "Ad"})
    assert "there is nothing to call" in refusal(at.call, 2)
    assert "nobody has bet" in refusal(at.raise_to, 2)


def test_short_call_is_all_in():
    at = table((None, 60, None)).bring_in(3).raise_to(1)
    assert at.options().call == 35
    at = at.call(2)
    assert at.player(2).all_in
    assert at.call(3).bettors == (1, 3)


def test_short_raise_may_be_filled_up_or_raised_and_counts_when_full():
    at = table((None, 90, None)).bring_in(3).call(1).raise_to(2, 65)
    assert (at.bets, at.options().raises) == (0, (100, 165))
    assert at.raise_to(3, 100).bets == 1


UPS = {1: "2c", 2: "Kh", 3: "Ad"}
"""Seat 3 opens on 4th street, where a bet is 1.00."""


def after_short_raise(stack: int) -> Table:
    """Seat 3 has bet, seat 1 called, and seat 2 raised with all of its stack on 4th street."""
    return on_4th(UPS, stacks=(None, 50 + stack, None)).bet(3).call(1).raise_to(2, stack)


def test_an_all_in_raise_of_less_than_half_a_bet_does_not_reopen_the_betting():
    at = after_short_raise(149)
    assert (at.actor, at.options().raises, at.options().call) == (3, (), 49)
    assert refusal(at.raise_to, 3, 249) == (
        "seat 3 raises, but an all-in of less than half a bet does not re-open the betting"
        " | seat 3 to call or fold"
    )
    at = at.call(3)
    assert at.options().raises == ()
    assert at.call(1).phase is Phase.CLOSED


def test_an_all_in_raise_of_half_a_bet_reopens_the_betting():
    at = after_short_raise(150)
    assert at.options().raises == (200, 250)
    at = at.raise_to(3, 200)
    assert (at.actor, at.options().raises) == (1, (300,))


def test_who_has_not_acted_may_raise_over_any_all_in():
    at = on_4th(UPS, stacks=(160, None, None)).bet(3).raise_to(1)
    assert (at.actor, at.bet_to, at.options().raises) == (2, 110, (200, 210))
    at = at.raise_to(2, 200)  # a full raise re-opens it for all
    assert at.options().raises == (300,)


def raised_short(to: int, other: int | None = None) -> Table:
    """Seat 4 has bet 1.00 on 4th street, seat 1 raised with all of its stack, seat 2 called."""
    doors, stacks = {**DOORS, 4: "8s"}, (50 + to, None, None if other is None else 50 + other, None)
    at = table(stacks, doors=doors).bring_in(3).call(4).call(1).call(2)
    at = street(at, {1: cards("4c"), 2: cards("5h"), 3: cards("6d"), 4: cards("Ad")})
    return at.bet(4).raise_to(1).call(2)


def test_short_all_in_raises_add_up_for_those_who_called_none_of_them():
    once = raised_short(130, other=170)
    assert (once.bet_to, once.call(3).actor, once.call(3).options().raises) == (130, 4, ())
    twice = once.raise_to(3)
    assert (twice.bet_to, twice.actor, twice.options().raises) == (170, 4, (200, 270))
    twice = twice.call(4)  # seat 2 has called the first, and faces 0.40 more
    assert (twice.actor, twice.options().raises) == (2, ())


def test_who_fills_up_a_short_raise_reopens_the_betting_for_all():
    at = raised_short(160).raise_to(3, 200).call(4)
    assert (at.actor, at.options().call, at.options().raises) == (2, 40, (300,))


def test_a_short_all_in_bet_and_those_who_checked_before_it():
    short = on_4th(UPS, stacks=(99, None, None)).check(3)
    at = short.bet(1).call(2)
    assert (at.bet_to, at.actor, at.options().raises) == (49, 3, ())
    half = on_4th(UPS, stacks=(100, None, None)).check(3).bet(1).call(2)
    assert (half.bet_to, half.actor, half.options().raises) == (50, 3, (100, 150))


@pytest.mark.parametrize(("to", "raises"), [(62, ()), (63, (100, 163))])
def test_half_of_a_completion_reopens_the_betting(to, raises):
    doors = {**DOORS, 4: "9d"}
    at = table((None, 25 + to, None, None), doors=doors).bring_in(3).call(4).call(1).raise_to(2)
    assert (at.bet_to, at.actor, at.options().raises) == (to, 3, (100, 100 + to))
    assert at.call(3).options().raises == raises


def test_a_stack_that_the_bring_in_takes_brings_in_whatever_the_word():
    at = table((None, None, 45))
    assert (at.options().raises, at.options().call) == ((), 20)
    assert refusal(at.bet, 3, 20) == (
        "seat 3 bets, but has no more than the bring-in | seat 3 to bring in"
    )
    brought = at.bring_in(3, 20, all_in=True)
    for wager in (
        Wager(3, Action.ALL_IN, 20, all_in=True),
        Wager(3, Action.BET, 20),
        Wager(3, Action.RAISE, to=20, all_in=True),
        Wager(3, Action.BET_OR_RAISE, to=20, over_bring_in=True),
        Wager(3, Action.CALL, 20),
        Wager(3, Action.BET),
    ):
        assert at.plain(wager).action is Action.BRING_IN
        assert at.play(wager) == brought
    assert table((None, None, 50)).plain(Wager(3, Action.ALL_IN, 25)).action is Action.BRING_IN
    completed = table((None, None, 51)).play(Wager(3, Action.ALL_IN, 26, all_in=True))
    assert (completed.leader, completed.options().raises) == (3, (100, 126))
    unknown = table().play(Wager(3, Action.ALL_IN, 20, all_in=True))
    assert (unknown.brought_in, unknown.options().to_call) == (3, 20)
    assert "bets 0.20" in refusal(table().play, Wager(3, Action.BET, 20))
    assert "checks" in refusal(at.play, Wager(3, Action.CHECK_OR_CALL))


def test_stack_of_unknown_depth_may_be_all_in_for_any_less():
    at = table().bring_in(3).raise_to(1, 60, all_in=True).call(2, 35, all_in=True)
    assert (at.bet_to, at.player(1).all_in, at.player(2).put) == (60, True, 35)


def test_a_player_who_is_all_in_has_nothing_left():
    at = table((None, 60, None)).bring_in(3)
    assert "is all-in, but has 0.10 left" in refusal(at.fold(1).call, 2, 25, all_in=True)


def test_no_raise_when_nobody_could_call_it():
    at = table((None, 60, 50)).bring_in(3).call(1).raise_to(2)
    assert at.options().raises == ()
    assert "nobody is left who could call more" in refusal(at.raise_to, 1)
    assert at.call(1).betting_over


def test_last_player_in_gets_the_uncalled_part_back():
    at = table((500, 500, 500)).bring_in(3).raise_to(1).fold(2).fold(3)
    assert at.is_over
    assert (at.returned, at.pot, at.player(1).stack) == ((1, 75), 125, 450)


def test_cards_are_dealt_once_and_to_players_who_are_in():
    at = on_4th({1: "2c", 2: "3h", 3: "Ad"}).bet(2).fold(3).call(1).next_street()
    assert refusal(at.deal, 3, (), cards("Kh")) == "seat 3 has folded and is dealt Kh | "
    assert "the Ad for seat 1 is on the table already" in refusal(at.deal, 1, (), cards("Ad"))
    assert "too many cards" in refusal(at.deal, 1, (), cards("Kh Ks"))
    assert "seat 2 gets no card on 5th street" in refusal(at.deal(1, (), cards("Kh")).open_betting)


def test_no_double_bet_without_a_pair_and_on_trust_where_cards_are_unseen():
    at = on_4th({1: "2c", 2: "8h", 3: "Ad"}, stakes=ROOM_STAKES)
    assert "seat 3 bets double, but nobody shows a pair" in refusal(at.bet, 3, double=True)
    unseen = on_4th({1: "2c", 2: "??", 3: "Ad"}, stakes=ROOM_STAKES)
    assert unseen.bet(2, double=True).bet_to == 100


def test_shown_cards_must_be_the_players_own():
    at = table()
    assert at.reveal(1, cards("Ac Ad 7h")).player(1).down == cards("Ac Ad")
    assert at.reveal(1, cards("Ac")).player(1).down == (None, None)
    assert "the 3c for seat 1 is on the table" in refusal(at.reveal, 1, cards("Ac 3c 7h"))
    assert "shows Ac Ad Ah, not its cards" in refusal(at.reveal, 1, cards("Ac Ad Ah"))
    assert "without 7h" in refusal(at.reveal, 1, cards("2c 4c 5c 6c 8c 9c Tc"))


def test_side_pots_by_level_with_folded_money_in_the_pots_it_reached():
    paid = {1: 100, 2: 40, 3: 100, 4: 60}
    assert uncalled_part({1: 100, 2: 40}, (1, 2)) == (1, 60)
    assert uncalled_part(paid, (1, 2, 3)) is None
    assert side_pots(paid, (1, 2, 3)) == (Pot(160, (1, 2, 3)), Pot(140, (1, 3)))


def test_what_a_folded_seat_put_in_above_all_others_goes_to_the_last_pot():
    assert side_pots({1: 100, 2: 40, 3: 60}, (2, 3)) == (Pot(120, (2, 3)), Pot(80, (3,)))
    assert side_pots({1: 100, 2: 60}, (2,)) == (Pot(160, (2,)),)


@given(st.dictionaries(st.integers(1, 8), st.tuples(st.integers(1, 9), st.booleans()), min_size=1))
def test_no_chip_is_lost_between_the_pots(players):
    paid = {seat: amount for seat, (amount, _) in players.items()}
    live = tuple(seat for seat, (_, stays) in players.items() if stays)
    assume(live)
    pots = side_pots(paid, live)
    assert sum(pot.amount for pot in pots) == sum(paid.values())
    assert pots[0].seats == tuple(sorted(live))
    for pot, later in pairwise(pots):
        assert set(later.seats) < set(pot.seats)


def test_razz_brings_in_with_the_highest_card_and_the_best_low_opens():
    at = table(doors={1: "7h", 2: "Kd", 3: "Kc"}, game=RAZZ)
    assert at.actor == 2
    at = at.bring_in(2).call(3).call(1)
    at = street(at, {1: cards("7s"), 2: cards("2c"), 3: cards("3c")})
    assert at.may_act == (2,)


@pytest.mark.parametrize("game", [RAZZ, STUD8])
def test_an_open_pair_doubles_no_bet_but_in_stud_high(game):
    at = table(stakes=ROOM_STAKES, game=game)
    at = at.bring_in(at.actor)
    while at.queue:
        at = at.call(at.actor)
    at = street(at, {1: cards("7c"), 2: cards("2c"), 3: cards("4c")})
    assert at.options(at.may_act[0]).raises == (50,)


FIVE_STAKES = Stakes(25, 0, (100, 100, 200, 200))


def test_five_card_stud_has_one_card_down_and_the_best_hand_opens_without_bring_in():
    at = table(stakes=FIVE_STAKES, game=FIVE_STUD)
    assert (at.street, at.actor) == (2, 1)
    assert at.options(1).raises == (100,)
    at = at.check(1).bet(2).call(3).call(1)
    at = street(at, {1: cards("7c"), 2: cards("2c"), 3: cards("4c")})
    assert (at.street, at.actor, at.options().raises) == (3, 1, (100,))
    at = at.check(1).check(2).check(3)
    at = street(at, {1: cards("8c"), 2: cards("9c"), 3: cards("4d")})
    assert (at.street, at.actor, at.options().raises) == (4, 1, (200,))
    at = at.check(1).check(2).check(3)
    at = street(at, {1: cards("8h"), 2: cards("9d"), 3: cards("4h")})
    assert (at.street, at.actor) == (5, 3)
    assert at.check(3).check(1).check(2).is_over


def test_five_card_stud_with_a_bring_in_begins_with_the_low_card():
    at = table(stakes=Stakes(25, 50, (100, 100, 200, 200)), game=FIVE_STUD)
    assert at.actor == 3
    assert at.bring_in(3).options().raises == (100,)


def test_a_raise_may_leave_out_what_nobody_could_call():
    at = table((1000, 1000, 285)).bring_in(3).raise_to(1, 100).fold(2).call(3)
    at = street(at, {1: cards("Ac"), 3: cards("9c")}).check(1).bet(3, 100)
    assert at.options(1).raises == (200,)
    assert refusal(at.raise_to, 1, 150) == "seat 1 raises to 1.50 | 2.00"
    part = at.raise_to(1, 160).call(3)
    assert part.player(3).all_in
    assert part.pot == at.raise_to(1, 200).call(3).pot


def test_a_shared_card_is_the_seventh_card_of_all_and_seen_by_all():
    at = table().bring_in(3).call(1).call(2)
    for rank in "89T":
        assert "a shared card is dealt: Ac" in refusal(at.share, cards("Ac")[0])
        at = street(at, {1: cards(f"{rank}h"), 2: cards(f"{rank}d"), 3: cards(f"{rank}c")})
        while at.queue:
            at = at.check(at.actor)
    last = at.next_street()
    ace, king = cards("Ac Kc")
    shared = last.share(ace)
    assert (shared.shared, ace in shared.cards) == ((ace,), True)
    assert "a shared card is dealt: Kc" in refusal(shared.share, king)
    assert "the Th is on the table already" in refusal(last.share, cards("Th")[0])
    assert "seat 1 is dealt ?? and has too many cards" in refusal(shared.deal, 1, (None,))
    own = last.deal(1, cards("Ac"))
    assert "players have their own 7th card" in refusal(own.share, king)


HIGH, LOW, NO_LOW = (2, 9), (0, -6), None


def test_halves_of_a_pot():
    pot = Pot(101, (1, 2, 3))
    scoop = {1: (HIGH, LOW), 2: ((1,), None), 3: ((0,), (0, -7))}
    assert halves(pot, scoop) == ((51, (1,)), (50, (1,)))
    assert shares((pot,), scoop) == {1: 101}
    quartered = {1: (HIGH, LOW), 2: ((1,), LOW), 3: ((0,), (0, -7))}
    assert shares((pot,), quartered) == {1: 51 + 25, 2: 25}
    no_low = {1: (HIGH, NO_LOW), 2: ((1,), NO_LOW), 3: (HIGH, NO_LOW)}
    assert halves(pot, no_low) == ((101, (1, 3)),)
    assert shares((pot,), no_low) == {1: 51, 3: 50}
    assert halves(pot, {1: (HIGH, LOW), 2: (HIGH, LOW)}) is None
    assert shares((pot,), scoop, rake=1) == {1: 100}


def test_a_low_of_the_main_pot_has_no_part_in_a_side_pot_without_one():
    pots = (Pot(90, (1, 2, 3)), Pot(40, (2, 3)))
    ranks = {1: ((0,), LOW), 2: (HIGH, NO_LOW), 3: ((1,), NO_LOW)}
    assert shares(pots, ranks) == {1: 45, 2: 45 + 40}


def test_a_rake_above_the_main_pot_takes_the_rest_from_the_side_pot():
    pots = (Pot(30, (1, 2, 3)), Pot(400, (2, 3)))
    ranks = {1: ((3,),), 2: ((2,),), 3: ((1,),)}
    assert shares(pots, ranks, rake=20) == {1: 10, 2: 400}
    assert shares(pots, ranks, rake=50) == {2: 380}


def test_shares_of_split_and_side_pots():
    pots = (Pot(101, (1, 2, 3)), Pot(60, (1, 3)))
    assert shares(pots, {1: ((0,),), 2: ((2,),), 3: ((2,),)}) == {2: 51, 3: 110}
    assert shares(pots, {1: ((0,),), 2: ((2,),), 3: ((2,),)}, rake=1) == {2: 50, 3: 110}
    assert shares(pots, {1: ((0,),), 2: ((2,),)}) is None
    assert shares((Pot(50, (4,)),), {}) == {4: 50}
