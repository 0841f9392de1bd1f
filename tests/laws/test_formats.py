"""Laws of the formats: what is written is read again, and any text is hands or problems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from handread.formats.format import Dialect
from handread.formats.log_reader import read_bytes
from handread.formats.phh import PHH
from handread.formats.registry import dialect_named, dialects
from handread.formats.saund import SAUND
from handread.game.replay import replay, written_out
from handread.history import Action, Collect, History, Problem, Seat, StreetStart, renumbered
from tests.examples import examples
from tests.hands import in_full, wagers
from tests.invented_logs import ONE_EACH
from tests.printing import NAMED, ROOMS, WHOLE, assert_same, changed, printed, read, refused
from tests.strategies import DEEPEST, NAMES, legal_hands


@pytest.mark.parametrize("name", ROOMS)
@examples(6)
@given(history=legal_hands())
def test_random_hands_are_read_as_they_were_played(name: str, history: History) -> None:
    played = replay(history)
    # Rooms do not state the bring-in: an all-in between it and a bet is taken for it.
    assume(
        not any(
            first.forced and first.all_in and first.to < played.stakes.small
            for first in played.decisions[:1]
        )
    )
    why = refused(written_out(played), name)
    if why is not None:
        assert name == "bovada"
        assert "the first bets of this hand would not tell them" in why
        bets = wagers(played.moves, Action.BET, Action.RAISE, Action.BRING_IN)
        assert not bets or any(bet.all_in for bet in bets)
        return
    text = printed(written_out(played), name)
    again = read(text, name)
    replayed = replay(again)
    assert_same(played, replayed)
    assert printed(again, name) == text
    assert printed(written_out(replayed), name) == text


@pytest.mark.parametrize("name", [*NAMED, "phh", "saund"])
@examples(10)
@given(names=st.lists(NAMES, min_size=7, max_size=7))
@example(
    names=["Seat 2", "x folds", "x", "folds", "Dealt to x", "Uncalled bet of", "x wins the pot"]
)
def test_any_name_is_read_as_it_is_or_refused(name: str, names: Sequence[str]) -> None:
    seats = tuple(Seat(n, text) for n, text in enumerate(names, start=1))
    named = replace(WHOLE, seats=seats)
    if refused(named, name):
        return
    (again,) = read_bytes(printed(named, name).encode(), "printed.txt", name)
    assert isinstance(again, History)
    assert [seat.name for seat in again.seats] == list(names)
    assert_same(replay(WHOLE), replay(again))


@pytest.mark.parametrize("name", ROOMS)
@examples(6)
@given(st.text(max_size=30), st.text(max_size=30), st.text(max_size=30), st.text(max_size=10))
def test_any_label_is_printed_or_refused(
    name: str, hand_id: str, table: str, played_at: str, pot: str
) -> None:
    golden = changed(WHOLE, Collect, Collect(1, 2400, pot))
    labelled = replace(golden, hand_id=hand_id, table=table, played_at=played_at)
    if refused(labelled, name):
        return
    text = printed(labelled, name)
    again = read(text, name)
    assert_same(replay(WHOLE), replay(again))
    assert printed(again, name) == text


@pytest.mark.parametrize("deepest", DEEPEST)
@examples(12)
@given(data=st.data())
def test_phh_keeps_every_hand(deepest: int | None, data: st.DataObject) -> None:
    hand = data.draw(legal_hands(deepest=[deepest]))
    whole = written_out(replay(hand))
    text = PHH.write(whole)
    assert in_full(read(text, "phh")) == whole


@pytest.mark.parametrize("deepest", DEEPEST)
@examples(10)
@given(data=st.data(), whole=st.booleans(), cut=st.integers(0, 60))
def test_a_legal_hand_is_played_alike_once_written(
    deepest: int | None, data: st.DataObject, whole: bool, cut: int
) -> None:
    hand = data.draw(legal_hands(deepest=[deepest]))
    events = hand.events if whole else hand.events[: len(hand.seats) + cut]
    if isinstance(events[-1], StreetStart):  # a street without a card has no cell
        events = events[:-1]
    hand = replace(hand, events=events)
    for as_recorded in (hand, written_out(replay(hand))):
        text = SAUND.write(as_recorded)
        assert_same(replay(hand), replay(read(text, "saund")))
        assert SAUND.write(read(text, "saund")) == text


@pytest.mark.parametrize("deepest", DEEPEST)
@examples(10)
@given(data=st.data(), numbers=st.sets(st.integers(1, 12), min_size=9, max_size=9))
def test_a_room_s_seat_numbers_are_kept(
    deepest: int | None, data: st.DataObject, numbers: set[int]
) -> None:
    """A table may have ten seats; the notation has as many as can be dealt in."""
    hand = data.draw(legal_hands(deepest=[deepest]))
    seats = [seat.number for seat in hand.seats]
    there = sorted(numbers)
    # The last ones, so that some are above 8; another player is there and not dealt in.
    hand = renumbered(hand, dict(zip(seats, there[-len(seats) :], strict=True)))
    watcher = Seat(there[0], "Watcher", 700)
    hand = written_out(replay(replace(hand, seats=(watcher, *hand.seats))))
    text = SAUND.write(hand)
    assert ("room-seats: " in text) == (there[-1] > 8)
    again = read(text, "saund")
    assert [seat.number for seat in again.seats] == [seat.number for seat in hand.seats]
    assert again.seat(there[0]) == watcher
    assert_same(replay(hand), replay(again))
    assert SAUND.write(again) == text


EDITS = st.lists(
    st.tuples(st.integers(0, 1500), st.integers(0, 40), st.text(max_size=9)), max_size=4
)


@pytest.mark.parametrize(("name", "text"), ONE_EACH.values(), ids=list(ONE_EACH))
@examples(20)
@given(edits=EDITS, other=st.sampled_from(dialects()))
def test_any_text_is_hands_or_problems(
    name: str, text: str, edits: list[tuple[int, int, str]], other: Dialect
) -> None:
    for start, length, new in edits:
        text = text[:start] + new + text[start + length :]
    for dialect in (dialect_named(name), other):
        for reading in dialect.read(text, "a.txt"):
            assert isinstance(reading, History | Problem)
            if isinstance(reading, History):
                assert all(1 <= p.line <= len(text) and p.column >= 1 for p in reading.problems)
