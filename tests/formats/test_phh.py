"""PHH: what it reads, what it writes, and that PokerKit agrees."""

from __future__ import annotations

import re
import warnings
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pokerkit
import pytest
from hypothesis import given
from hypothesis import strategies as st

from handread import history as hh
from handread.formats.phh import PHH
from handread.game.replay import replay, written_out
from handread.game.rules import SAUND_STAKES, Stakes, Unit
from handread.history import History, Problem, Seat
from tests.hands import hand, in_full, random_hand
from tests.logs import log

HEADS_UP = log("phh-stack-without-limit.phh")


def read_one(text: str) -> History:
    (hand,) = PHH.read(text, "hand.phh")
    assert isinstance(hand, History)
    return hand


def test_what_the_conformance_set_leaves_out_of_a_hand() -> None:
    hand = read_one(HEADS_UP)
    assert hand.played_at == "2011-05-09"
    assert hand.stakes == Stakes(
        10, 20, (50, 50, 100, 100, 100), cap_heads_up=None, open_pair_doubles=True
    )
    assert [event.line for event in hand.events[2:8]] == [8, 8, 9, 10, 10, 11]


def test_both_styles_of_dealing_are_one_hand() -> None:
    one_by_one = HEADS_UP.replace(
        '"d dh p1 AhAs7d",  # aces\n  "d dh p2 ????2c",',
        '"d dh p1 Ah", "d dh p2 ??", "d dh p1 As", "d dh p2 ??", "d dh p1 7d", "d dh p2 2c",',
    )
    assert one_by_one != HEADS_UP
    assert read_one(one_by_one) == read_one(HEADS_UP)


@pytest.mark.parametrize(
    ("old", "new", "place", "message"),
    [
        ("p1 cbr 50'", "p1 cbr 5o'", (10, 24), "'5o' is no amount"),
        ("p1 cbr 50'", "p3 cbr 50'", (10, 24), "there is no player 'p3'"),
        ("d dh p2 8s", "d dh p2 8x", (11, 27), "'8x' is not a card"),
        ("p2 f", "p2 sd 8s", (12, 26), "'p2 sd 8s' is no action of stud"),
        ("d dh p2 8s", "d dh p2 8s8c8d8h9s", (11, 27), "a player gets 8 cards"),
        ("bring_in = 20\n", "", (1, 1), "the hand has no field bring_in"),
        ("bring_in = 20", "bring_in = true", (3, 1), "bring_in holds what is no amount"),
        ("bring_in = 20", "bring_in = 1e400", (3, 1), "bring_in holds what is no amount"),
        ("antes = [10, 10]", "antes = 10", (2, 1), "antes is no list"),
        ("hand = 7", "finishing_stacks = [0, '']", (16, 1), "finishing_stacks holds what is no"),
        ("[10, 10]", "[10]", (2, 1), "antes is not as long as starting_stacks"),
        ("[500, inf]", "[-1, inf]", (6, 1), "starting_stacks holds what is no amount"),
        ("[3, 6]", "[3, 3]", (14, 1), "seats does not name each player's own seat"),
        ('"Ann"', "5", (15, 1), "players holds what is no text"),
        ("hand = 7", "hand = [7]", (16, 1), "hand must be a string"),
        ('"p2 f"', "7", (7, 1), "actions holds what is no text"),
        ("small_bet = 50", "small_bet 50", (4, 11), "this is not TOML"),
    ],
)
def test_slips_are_problems(old: str, new: str, place: tuple[int, int], message: str) -> None:
    assert old in HEADS_UP
    (reading,) = PHH.read(HEADS_UP.replace(old, new, 1), "f")
    problem = reading if isinstance(reading, Problem) else reading.problems[0]
    assert (problem.line, problem.column) == place
    assert problem.message.startswith(message)


def test_the_actions_before_a_slip_stand() -> None:
    hand = read_one(HEADS_UP.replace('"p2 f"', '"p2 folds"'))
    assert [str(problem) for problem in hand.problems] == [
        "hand.phh:12:26: 'p2 folds' is no action of stud "
        "(expected d dh, d db, or a player with pb, f, cc, cbr or sm)"
    ]
    assert hand.events == read_one(HEADS_UP).events[:-1]


def test_many_hands_and_one_spoiled() -> None:
    text = f"# a file\n[1]\n{HEADS_UP}\n[2]\nvariant = \n\n[3]\n{HEADS_UP}\n[4]\n"
    first, second, third, fourth = PHH.read(text, "f")
    assert first == third == read_one(HEADS_UP)
    assert third.source.line == 27
    assert str(second).startswith("f:24:11: this is not TOML")
    assert str(fourth) == 'f:47:1: the hand does not name its game (expected variant = "F7S")'


@pytest.mark.parametrize(
    ("code", "variant"), [("F7S/8", "stud8"), ("FR", "razz"), ("NT", "other"), ("?", "other")]
)
def test_games_are_told_apart(code: str, variant: str) -> None:
    high, hand = read_one(HEADS_UP), read_one(HEADS_UP.replace("F7S", code))
    assert (hand.variant, hand.problems) == (variant, ())
    assert hand.events == (() if variant == "other" else high.events)
    assert (hand.stakes is None) == (variant == "other")
    assert not (hand.stakes and hand.stakes.open_pair_doubles)


STEAL = """\
variant = "F7S"
antes = [25, 25]
bring_in = 25
small_bet = 100
big_bet = 200
starting_stacks = [1000, 900]
actions = ["d dh p1 AhAs7d", "d dh p2 3c4c2c", "p2 pb", "p1 cbr 100", "p2 f"]
"""
"""Player 1 wins 100; of its completion 75 go back."""


@pytest.mark.parametrize("winnings", ["[100, 0]", "[175, 0]", "[96, 0]"])
def test_winnings_are_payments(winnings: str) -> None:
    played = replay(read_one(f"{STEAL}winnings = {winnings}\n"))
    assert (played.problem, played.findings) == (None, ())
    assert played.won == ({1: 96} if winnings == "[96, 0]" else {1: 100})


def test_winnings_pay_who_mucks() -> None:
    dealt = replay(random_hand(0, 2))
    assert len(dealt.showdown) == 2
    text = PHH.write(dealt).partition("seats =")[0]
    unseen = re.sub(r" sm \w+", " sm", re.sub(r"(dh p\d )\w{4}(\w\w)", r"\1????\2", text))
    assert not replay(read_one(unseen)).finished
    paid = replay(read_one(f"{unseen}winnings = [0, {dealt.pot / 100}]\n"))
    assert (paid.problem, paid.won) == (None, {2: dealt.pot})


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ("winnings = [90, 0]\nfinishing_stacks = [1050, 850]", "(expected 100 by the play)"),
        ('finishing_stacks = [1050, 849]\n_handread_ending = ["p1 collect 100"]', "expected -50"),
        ("seat_count = 1", "(expected 2 or more)"),
        (
            "_handread_stakes = { ante = 25, bets = [100, 100, 201, 201, 201], cap = 4,"
            " open_pair_doubles = true, inferred = false }",
            "(expected 201, as in _handread_stakes)",
        ),
    ],
)
def test_fields_that_contradict_the_hand_are_named_by_strict(more: str, message: str) -> None:
    played = replay(read_one(f"{STEAL}{more}\n"))
    assert played.problem is None
    (found,) = played.findings
    assert found.only_strict
    assert "contradicts the hand" in str(found)
    assert message in str(found)


# Writing


@given(st.data())
def test_what_plain_phh_lacks_comes_back(data: st.DataObject) -> None:
    texts = st.text(max_size=6)
    whole = written_out(replay(random_hand(data.draw(st.integers(0, 50)), 3, deepest=9)))
    out = next(number for number in range(1, 9) if number not in {s.number for s in whole.seats})
    strange = replace(
        whole,
        hand_id=data.draw(texts),
        table=data.draw(texts),
        played_at=data.draw(texts),
        unit=Unit(data.draw(st.sampled_from([0, 2, 4])), data.draw(texts)),
        hero=data.draw(st.none() | st.just(whole.seats[0].number)),
        seats=tuple(
            sorted(
                [
                    *(replace(s, name=data.draw(texts), sitting_out=True) for s in whole.seats),
                    Seat(out, data.draw(texts), data.draw(st.none() | st.integers(0, 99))),
                ],
                key=lambda seat: seat.number,
            )
        ),
    )
    assert in_full(read_one(PHH.write(strange))) == strange


TWO = "1a25 2a25\n3: 1=??.??/2c 2=??.??/7h\n1B25 "


def test_stacks_without_end() -> None:
    whole = written_out(replay(random_hand(5, 4)))
    text = PHH.write(whole)
    assert "starting_stacks = [inf, inf, inf, inf]" in text
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        stacks = list(pokerkit.HandHistory.loads(text))[-1].stacks
    assert list(map(Decimal, stacks)) == [Decimal("inf")] * 4


def test_chips_that_nobody_counted() -> None:
    """A seat of unknown stack goes all-in: PHH gets what it put in, the reader ``None`` again."""
    whole = hand(f"{TWO}2r100 1c60!")
    text = PHH.write(whole)
    assert "starting_stacks = [1.10, inf]" in text
    assert read_one(text) == whole


PARTLY_POSTED = "1a25 2a25 3a25\n3: 1=7c.Qs/2h 2=Ad.Jd/8d 3=5d.Ac/9d\n1B10! 2c25 3f"


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        (hand(f"{TWO}2c24"), "expected 0.25"),
        (hand("", seats=[1, 2]), "nobody is dealt in"),
        (hand(f"{TWO}2f", hh.Muck(3), seats=[1, 2, 3]), "seat 3 was not dealt in"),
        (hand(PARTLY_POSTED, stacks={1: 35}), "would be read as"),
    ],
)
def test_what_phh_cannot_hold_is_refused(written: History, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        PHH.write(written)


def test_a_showdown_that_the_log_leaves_out_is_written_for_others_alone() -> None:
    whole = written_out(replay(random_hand(1, 3, deepest=40)))
    text = PHH.write(whole)
    assert "_handread_implied = [" in text
    assert " sm " in text
    assert not any(isinstance(event, hh.Show) for event in read_one(text).events)


def test_antes_come_back_in_their_order() -> None:
    whole = hand("2a25 1a25\n3: 1=??.??/2c 2=??.??/7h\n1B25", seats=[1, 2])
    assert "_handread_antes_from = [2, 1]" in PHH.write(whole)
    assert in_full(read_one(PHH.write(whole))) == whole


def test_seats_come_by_number() -> None:
    hand = read_one(HEADS_UP.replace("seats = [3, 6]", "seats = [6, 3]"))
    assert [(seat.number, seat.name) for seat in hand.seats] == [(3, "Bo\x07"), (6, "Ann")]
    assert read_one(PHH.write(written_out(replay(hand)))).seats == hand.seats


def test_double_bets_come_back() -> None:
    open_pair = replace(SAUND_STAKES, open_pair_doubles=True)
    whole = hand(f"{TWO}2c25\n4: 1=3c 2=7d\n2b200+ 1r400+", stakes=open_pair)
    assert "_handread_double = [7, 8]" in PHH.write(whole)
    assert in_full(read_one(PHH.write(whole))) == whole


# Hostile and real texts


@pytest.mark.parametrize(
    "value",
    [
        *("{}", "[]", "[[]]", '""', "true", "1e9999999", "-0.0", "nan", "1979-05-27", "[inf]"),
        pytest.param("0x" + "f" * 4000, id="a number too long to print"),
        pytest.param(f"[0x{'f' * 4000}, 1]", id="such a number in a list"),
    ],
)
def test_any_value_of_any_field(value: str) -> None:
    keys = [line.split(" = ")[0] for line in HEADS_UP.splitlines() if " = " in line]
    own = "stakes absent ending hero unknown_stacks implied double antes_from"
    keys += ["time", "finishing_stacks", "currency_symbol"]
    keys += [f"_handread_{key}" for key in own.split()]
    lines = HEADS_UP.splitlines()
    for key in keys:
        kept = [line for line in lines if not line.startswith(f"{key} =")]
        if key == "actions":
            kept = kept[:6] + kept[12:]
        readings = list(PHH.read("\n".join([*kept, f"{key} = {value}"]), "f"))
        assert readings
        assert all(isinstance(reading, History | Problem) for reading in readings)


@pytest.mark.parametrize("cap", ["0", "true", "0x" + "f" * 4000])
def test_a_cap_that_is_none(cap: str) -> None:
    bets = "ante = 10, bets = [50, 50, 100, 100, 100]"
    rest = "open_pair_doubles = true, inferred = false"
    for caps in (f"cap = {cap}", f"cap = 4, cap_heads_up = {cap}"):
        hand = read_one(f"{HEADS_UP}_handread_stakes = {{ {bets}, {caps}, {rest} }}\n")
        assert hand.problems[0].message == "_handread_stakes are no stakes"


def test_deep_nesting_and_long_numbers_are_problems() -> None:
    for value in ("[" * 100_000, "9" * 10_000, "[" * 500 + "]" * 500):
        assert list(PHH.read(f"{HEADS_UP}x = {value}\n", "f"))


def test_real_hands(real_hands: Path) -> None:
    """Both styles of dealing are one hand, and whatever a hand holds comes back."""
    pairs = 0
    for path in sorted((real_hands / "PHH").glob("*.phh")):
        other = real_hands / "PHH_percard" / path.name
        at_once, one_by_one = (read_one(p.read_text(encoding="utf-8")) for p in (path, other))
        assert at_once.events == one_by_one.events
        if at_once.variant == "stud":
            pairs += 1
            played = replay(at_once)
            assert at_once.nets
            assert in_full(read_one(PHH.write(written_out(played)))) == written_out(played)
    assert pairs == 6


def test_every_event_keeps_the_place_of_its_own_string() -> None:
    text = (
        'variant = "F7S"\nantes = [1, 1]\nbring_in = 1\nsmall_bet = 4\nbig_bet = 8\n'
        "starting_stacks = [90, 90]\n"
        'actions = ["d dh p1 2c3c4c", "d dh p2 2d3d5d", "p1 pb", "p2 f"]\n'
    )
    (hand,) = PHH.read(text, "f")
    line = text.splitlines()[6]
    for event, string in (
        (hh.Deal(1, (0, 4), (8,)), "d dh p1"),
        (hh.Deal(2, (1, 5), (13,)), "d dh p2"),
        (hh.Wager(1, hh.Action.BRING_IN), "p1 pb"),
        (hh.Wager(2, hh.Action.FOLD), "p2 f"),
    ):
        found = hand.events[hand.events.index(event)]
        assert found.line == 7
        assert line[found.column - 1 :].lstrip('"').startswith(string)
    assert {event.line for event in hand.events if isinstance(event, hh.Ante)} == {2}


@pytest.mark.parametrize("winnings", ["[-0.02, 0.02]", "'all'", "[1]", "['a', 0]"])
def test_winnings_that_are_no_amounts_are_left_out(winnings: str) -> None:
    hand = read_one(f"{STEAL}winnings = {winnings}\n")
    assert hand.problems == ()
    assert replay(hand).won.keys() == replay(read_one(STEAL)).won.keys()
    (found,) = hand.findings
    assert found.only_strict
    assert "winnings contradicts the hand" in str(found)
