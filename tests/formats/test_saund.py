"""Saund's notation: what it reads, what it prints, and that the two are inverses."""

from __future__ import annotations

from dataclasses import replace
from itertools import zip_longest
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handread import history as hh
from handread.formats import saund_lines
from handread.formats.log_reader import read_text
from handread.formats.saund import SAUND
from handread.game.replay import replay, written_out
from handread.game.rules import SAUND_STAKES, SAUND_UNIT, Stakes, Unit
from handread.history import History, Problem, Seat, Source
from tests.examples import examples
from tests.hands import random_hand
from tests.logs import log
from tests.printing import assert_same

ACES_UP = log("saund-default-stakes.stud")


def read_one(text: str) -> History:
    (hand,) = SAUND.read(text, "hand.stud")
    assert isinstance(hand, History)
    return hand


def test_several_hands_comments_and_blank_lines() -> None:
    one = "# first\n1|?? ??|7h .B # low\n2|?? ??|9d c\n"
    hands = list(SAUND.read(f"\ufeff\n\n{one}\r\n \n{one}# only words\n\n# alone\n", "-"))
    assert len(hands) == 2
    assert hands[0] == hands[1]
    assert [hand.source.line for hand in hands if isinstance(hand, History)] == [4, 9]


def test_every_extension() -> None:
    hand = read_one(log("every-header.stud"))
    assert (hand.problems, hand.unit) == ((), Unit(3))
    assert hand.stakes == Stakes(
        0, 125, (500, 500, 1000, 1000, 1000), 3, None, open_pair_doubles=True, inferred=True
    )
    assert hand.seats == (Seat(1, '|#"\\\n', 20_000), Seat(3, "Søren", 3_500))
    assert (hand.hero, hand.hand_id, hand.table) == (3, "R5 # 1", "Atalante II")
    assert hand.played_at == "2011/05/09 10:08:43 ET"
    assert hh.Wager(1, hh.Action.BET, double=True) in hand.events
    assert hh.Wager(3, hh.Action.RAISE, double=True) in hand.events
    assert hand.events[-3:] == (hh.Collect(1, 1500), hh.Collect(3, 125), hh.Rake(250))
    assert hh.SharedCard(21) in hand.events
    assert read_one(SAUND.write(hand)) == hand


def test_whole_amounts_count_whole_chips() -> None:
    game = "game: ante {}  bring-in 50  bets 200 200 400 400 400  raises 4\n1 | ?? ?? | 7h"
    whole, hundredths = read_one(game.format("25")), read_one(game.format("25.00"))
    assert (whole.unit.decimals, whole.stakes and whole.stakes.ante) == (0, 25)
    assert (hundredths.unit.decimals, hundredths.stakes and hundredths.stakes.ante) == (2, 2500)
    assert "ante 25.00  bring-in 50 " in SAUND.write(hundredths)


def test_amounts_are_kept_where_the_rules_leave_a_choice() -> None:
    """Seat 1 bets its last .39 on 4th street: a raise may fill up to .50, or go to .89."""
    text = """\
game: ante .10  bring-in .20  bets .50 .50 1 1 1  raises 4
stacks: 1 .99  2 9
1 | ?? ?? | 2c .Bc | Kd .b
2 | ?? ?? | 7h r   | 9s r{}
"""
    assert read_one(text.format("")).events[-1] == hh.Wager(2, hh.Action.RAISE)
    assert read_one(text.format("(.50)")).events[-1] == hh.Wager(2, hh.Action.RAISE, to=50)
    further = read_one(text.format("(.89)"))
    assert further.events[-1] == hh.Wager(2, hh.Action.RAISE, to=89)
    assert SAUND.write(further) == text.format("(.89)")


@pytest.mark.parametrize(
    ("old", "new", "line", "column", "message", "expected"),
    [
        ("9d f", "9x f", 4, 19, "'9x' is not a card", "a rank 2..9 T J Q K A and a suit c d h s"),
        ("9d f", "9d g", 4, 22, "there is no action 'g'", "c call or r raise"),
        ("9d f", "9d k+", 4, 22, "'k+': only a bet or a raise can have a size", "b+, r+, b(1.50)"),
        ("9d f", "9d r(x)", 4, 22, "'r(x)' has no amount", "b(1.50) or r(1.50)"),
        ("9d f", "9d r(.125)", 4, 1, "an amount finer than hundredths", "a game: line"),
        ("9d f", "f", 4, 19, "'f' does not fit here", "a card such as 7h"),
        ("9d f", "", 4, 19, "the line ends too early", "a card such as 7h"),
        ("| 2c b   | Jh r", "", 2, 43, "seat 1 has no cell for 6th street", "a card"),
        ("9d f", "9d f | 9s", 4, 26, "seat 3 folded before 4th street", ""),
        ("9d f", "9d fc", 4, 23, "seat 3 has 'c' left after its fold", ""),
        ("3  ", "1 C", 4, 1, "seat 1 stands on line 2 already", ""),
        ("3  ", "9  ", 4, 1, "there is no seat 9", "a seat from 1 to 8"),
        ("8h k", "8h .k", 3, 28, "seat 2 leads 4th street, and so does seat 1", "one '.'"),
        ("3h .Bf", "3h Bf", 2, 22, "nobody leads 3rd street", "'.' before the first to act"),
        ('"B B"', '"B B', 3, 3, "these quotes are never closed", 'a closing "'),
        ('"B B"', r'"\ud800"', 3, 4, r"'\\ud800' is no escape", "\\x1f"),
        ("Jh r", "r", 2, 54, "seat 1 has no card on 7th street", "a card"),
        ("won: 1 24", "won: 8 24", 9, 1, "nobody sits in seat 8", ""),
        ("won: 1 24", "own: 1 24", 9, 1, "'own:' does not fit here", "one of hand: table:"),
        ("won: 1 24", "stacks: 1 2 1 3", 9, 1, "seat 1 has two stacks", ""),
        ("hand: 17", "game: ante 1 bets 2", 1, 14, "'bets' does not fit here", "bring-in"),
        ("hand: 17", "hand: 17\nhand: 17", 2, 1, "hand: stands on line 1 already", ""),
    ],
)
def test_slips_are_problems(
    old: str, new: str, line: int, column: int, message: str, expected: str
) -> None:
    problem = read_one(ACES_UP.replace(old, new, 1)).problems[0]
    assert (problem.line, problem.column, problem.message) == (line, column, message)
    assert expected in problem.expected
    assert problem.text == ACES_UP.replace(old, new, 1).split("\n")[line - 1]


def test_streets_before_a_slip_stand() -> None:
    hand, whole = read_one(ACES_UP.replace("Js bc", "Js bfc")), read_one(ACES_UP)
    assert len(hand.problems) == 1
    assert hand.events == whole.events[: whole.events.index(hh.StreetStart(5))]


def test_what_is_no_hand_is_a_problem() -> None:
    first, second = SAUND.read("hello there\n\nhand: 3\n", "f")
    assert str(first).startswith("f:1:1: 'hello' does not fit here (expected a seat number")
    assert str(second) == "f:3:1: a hand without seats (expected a line for each seat)"


def test_who_is_not_dealt_in_keeps_a_seat() -> None:
    text = (
        "hand: x\n"
        'absent: 4 "Big Al"  8 ""\n'
        "sitting-out: 2  4\n"
        "stacks: 1 5.50  4 20\n"
        "hero: 4\n"
        "1 Ann | ?? ?? | 7h .B\n"
        "2 Bo  | ?? ?? | 8d f\n"
    )
    (hand,) = SAUND.read(text, "f")
    assert hand.problems == ()
    assert hand.seats == (
        Seat(1, "Ann", 550),
        Seat(2, "Bo", None, sitting_out=True),
        Seat(4, "Big Al", 2000, sitting_out=True),
        Seat(8),
    )
    assert [event.seat for event in hand.events if isinstance(event, hh.Ante)] == [1, 2]
    assert SAUND.write(hand) == text
    (twice,) = SAUND.read(text.replace("absent: 4", "absent: 2"), "f")
    assert "f:2:1: seat 2 is taken twice (expected another seat)" in map(str, twice.problems)


CHECK = hh.Wager(1, hh.Action.CHECK)


@pytest.mark.parametrize(
    ("events", "variant", "reason"),
    [
        ((hh.Deal(1), hh.Deal(2)), "other", "games of stud, not 'other'"),
        (tuple(map(hh.Deal, range(1, 10))), "stud", "8 seats; 9 are in play"),
        ((hh.Deal(0),), "stud", "seats from 1 on, not 0"),
        ((hh.Deal(1), hh.Deal(2), CHECK, CHECK, hh.Wager(2, hh.Action.CHECK)), "stud", "in turn"),
        (
            (hh.Ante(2), hh.Wager(1, hh.Action.FOLD), hh.StreetStart(4), hh.Deal(1)),
            "stud",
            "of the hand before",
        ),
        ((hh.Ante(1, 10, all_in=True), hh.Ante(2)), "stud", "stack that is not known"),
        ((hh.Deal(1, up=(3, 4)),), "stud", "too many upcards"),
        ((hh.Deal(1, down=(3, 4, 5)),), "stud", "dealt 3 downcards on 3rd street, not 2"),
        ((), "stud", "nobody is dealt in"),  # their lines would be read as antes
    ],
)
def test_what_the_notation_cannot_hold(
    events: tuple[hh.Event, ...], variant: str, reason: str
) -> None:
    source = Source("log", 1, "room")
    hand = History("", source, variant, SAUND_UNIT, SAUND_STAKES, (Seat(1), Seat(2)), events)
    with pytest.raises(ValueError, match=reason):
        SAUND.write(hand)


def test_amounts_without_stakes_are_refused() -> None:
    hand = read_one("game: unknown\n1 | ?? ?? | 2c .B\n2 | ?? ?? | 7h c\n")
    assert read_one(SAUND.write(hand)) == hand
    with pytest.raises(ValueError, match="is it written out"):
        SAUND.write(replace(hand, events=(hh.Ante(1, 25), *hand.events[1:])))


LETTERS: dict[str, dict[str, Any]] = {
    **{"B": {"action": hh.Action.BRING_IN}, "k": {"action": hh.Action.CHECK}},
    **{"c": {"action": hh.Action.CALL}, "f": {"action": hh.Action.FOLD}},
    **{"b": {"action": hh.Action.BET}, "d": {"action": hh.Action.BET, "double": True}},
    **{"r": {"action": hh.Action.RAISE}, "e": {"action": hh.Action.RAISE, "double": True}},
    "R": {"action": hh.Action.RAISE, "to": 123_456_789_012},
}
texts = st.text(max_size=8)
amounts = st.integers(0, 10**9)


@st.composite
def stakes_and_units(draw: st.DrawFn) -> tuple[Stakes | None, Unit]:
    if draw(st.booleans()):
        return SAUND_STAKES, SAUND_UNIT
    unit = Unit(draw(st.sampled_from([0, 2, 3, 8])), draw(texts))
    bets, caps = st.tuples(*[amounts] * 5), st.integers(1, 9)
    flags = st.booleans(), st.booleans()
    return draw(st.builds(Stakes, amounts, amounts, bets, caps, st.none() | caps, *flags)), unit


@st.composite
def histories(draw: st.DrawFn) -> History:
    """Hands in order of play, legal or not, with everything that the notation can hold."""
    seats = sorted(draw(st.sets(st.integers(1, 8), min_size=1)))
    cards = st.sampled_from([None, *range(52)])
    stakes, unit = draw(stakes_and_units())
    won = draw(st.lists(st.builds(hh.Collect, st.sampled_from(seats), amounts), max_size=3))
    shared = draw(st.booleans())
    last = draw(st.integers(2, 7))
    events: list[hh.Event] = [hh.Ante(seat) for seat in seats]
    active = seats
    for street in range(3, last + 1):
        events.append(hh.StreetStart(street))
        words = {
            seat: draw(st.text("BkcbdreR", max_size=3)) + draw(st.sampled_from(["", "f"]))
            for seat in active
            if draw(st.booleans())
        }
        for seat in active:
            if street == 3:
                events.append(hh.Deal(seat, (draw(cards), draw(cards)), (draw(cards),)))
            elif street < 7:
                events.append(hh.Deal(seat, up=(draw(cards),)))
            elif not shared:
                events.append(hh.Deal(seat, down=(draw(cards),)))
        if street == 7 and shared:
            events.append(hh.SharedCard(draw(cards)))
        lead = draw(st.sampled_from([seat for seat in words if words[seat]] or [0]))
        order = sorted(words, key=lambda seat: (seat < lead, seat))
        turns = zip_longest(*([(seat, letter) for letter in words[seat]] for seat in order))
        events += [hh.Wager(p[0], **LETTERS[p[1]]) for turn in turns for p in turn if p]
        active = [seat for seat in active if not words.get(seat, "").endswith("f")]
        if not active:
            break
    rake = [hh.Rake(draw(amounts))] if draw(st.booleans()) else []
    return History(
        draw(texts),
        Source("f", 1, "saund"),
        "stud",
        unit,
        stakes,
        tuple(Seat(n, draw(texts), draw(st.none() | amounts)) for n in seats),
        (*events, *won, *rake),
        hero=draw(st.none() | st.sampled_from(seats)),
        table=draw(texts),
        played_at=draw(texts),
    )


@pytest.mark.thorough
@pytest.mark.laws
@examples(30)
@given(histories())
def test_read_undoes_write(hand: History) -> None:
    text = SAUND.write(hand)
    assert read_one(text) == hand
    assert read_one(text).problems == ()
    assert SAUND.write(read_one(text)) == text


ALL_HEADERS = (
    "hand: 17",
    "table: Larch",
    "played: May",
    "game: razz",
    "absent: 3 Mia",
    "sitting-out: 3",
    "room-seats: 2 5 9",
    "stacks: 1 20",
    "hero: 1",
)
HEADERS = [line.partition(":")[0] for line in ALL_HEADERS]

LINES = st.lists(
    st.sampled_from([*ACES_UP.splitlines(keepends=True), "\n"]) | st.text(), max_size=9
).map("".join)
ONE_CHANGED = st.builds(
    lambda at, new: ACES_UP[:at] + new + ACES_UP[at + 1 :],
    st.integers(0, len(ACES_UP) - 1),
    st.characters() | st.just(""),
)


@examples(50)
@given(st.builds(random_hand, st.integers(0, 10**6), n_players=st.integers(2, 8)), st.data())
def test_a_plain_line_is_what_the_grammar_reads(hand: History, data: st.DataObject) -> None:
    """Most lines are read by an expression alone, whatever one character more does to them."""
    lines = SAUND.write(written_out(replay(hand))).split("\n")
    line = data.draw(st.sampled_from([line for line in lines if line]))
    place, more = data.draw(st.integers(0, len(line))), data.draw(st.sampled_from("|.#+bk7: ?\t"))
    text = line[:place] + more + line[place + data.draw(st.integers(0, 1)) :]
    by_expression = (
        (saund_lines._PLAIN_SEAT_LINES["stud"], saund_lines._plain_seat_line),
        (saund_lines._PLAIN_HEADER, saund_lines._plain_header),
    )
    for expression, value in by_expression:
        if found := expression.fullmatch(text):
            assert value(found) == saund_lines._by_grammar(text, text.lstrip(), "stud")


@given(LINES | ONE_CHANGED)
def test_any_text_is_hands_that_come_back_or_problems(text: str) -> None:
    for reading in SAUND.read(text, "f"):
        assert isinstance(reading, History | Problem)
        if isinstance(reading, History) and not reading.problems:
            assert read_one(SAUND.write(reading)) == reading


@pytest.mark.parametrize(
    ("numbers", "message"),
    [
        ("2 2", "not those of the seats here"),
        ("2 5 9", "not those of the seats here"),
        ("0 9", "change the order of the seats"),
    ],
)
def test_seat_numbers_of_no_room(numbers: str, message: str) -> None:
    hand = read_one(f"room-seats: {numbers}\n1 | ?? ?? | 2c .B\n2 | ?? ?? | 7h c\n")
    (problem,) = hand.problems
    assert message in problem.message
    assert problem.line == 1


def test_a_later_bet_that_is_smaller_is_no_double_bet() -> None:
    text = """\
game: ante .25  bring-in .25  bets 1 3 2 2 2  raises 4  open-pair
1 | ?? ?? | 4s .B | 9d f
2 | ?? ?? | Tc c  | Th .b
won: 2 1
"""
    hand = read_one(text)
    assert replay(hand).decisions[1].amount == 300
    assert_same(replay(hand), replay(read_one(SAUND.write(written_out(replay(hand))))))


def test_a_record_with_actions_that_depend_on_the_table_is_not_written() -> None:
    """Written by its amounts alone, a call of a bet that no log states would be a check."""
    played = replay(random_hand(3))
    calls = tuple(
        replace(event, action=hh.Action.CHECK_OR_CALL, adds=None)
        if isinstance(event, hh.Wager) and event.action in (hh.Action.CHECK, hh.Action.CALL)
        else event
        for event in written_out(played).events
    )
    vague = replace(played.history, events=calls)
    with pytest.raises(ValueError, match="'check or call' of seat"):
        SAUND.write(vague)
    assert SAUND.write(replay(vague)) == SAUND.write(played)


@pytest.mark.parametrize("key", HEADERS)
def test_every_header_line_may_open_a_file(key: str) -> None:
    """Logs of rooms with ten seats begin with the room's seat numbers."""
    (line,) = (line for line in ALL_HEADERS if line.startswith(f"{key}:"))
    others = [other for other in ALL_HEADERS if other is not line]
    seats = ["1 | ?? ?? | 2c .B", "2 | ?? ?? | 7h c"]
    text = "\n".join([line, *others, *seats, "", ""])
    first, second = read_text(text * 2, "night.stud")
    assert isinstance(first, History)
    assert first == second == read_one(text)
    assert first.problems == ()
