"""What convert says of the things that a hand loses in another notation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given

from handread import read_hands
from handread.formats.grammar import Grammar
from handread.formats.registry import writer_named
from handread.formats.room_events import NumberedLine
from handread.formats.room_hand import HandBuilder, read_block
from handread.game.replay import replay, written_out
from handread.game.rules import Unit
from handread.history import Collect, Event, History, Muck, Problem, Remark, Seat, Show
from handread.report.losses import Losses
from tests.examples import examples
from tests.hands import ROOM_STAKES, cards, hand
from tests.printing import ROOMS, WHOLE
from tests.program import SAMPLES, run
from tests.strategies import legal_hands

CUSTOM = {
    "the cap on raises (readers take the room's)",
    "double bets on an open pair (readers take the room's rule)",
    "that the stakes are stated",
    "the size of the bets (readers work out another)",
    "the bring-in (readers take another)",
    "the ante (readers take another)",
}
"""What a room may not state of the stakes."""


def lost(history: History, name: str) -> tuple[set[str], set[str], History]:
    """What is lost of a hand, what is made up for it, and the hand as it is read again."""
    played = replay(history)
    read = writer_named(name).written(written_out(played)).read
    losses = Losses()
    losses.add(played, read)
    return set(losses.lost), set(losses.made_up), read.history


NAMED = replace(
    WHOLE,
    hand_id="7001",
    table="12",
    played_at="2026/03/14 20:05:09 ET",
    unit=Unit(2, "$"),
    seats=tuple(replace(seat, name=f"P{seat.number}", stack=90_000) for seat in WHOLE.seats),
)


@pytest.mark.laws
@pytest.mark.parametrize("name", ROOMS)
@examples(6)
@given(history=legal_hands())
def test_the_play_is_never_lost_and_a_second_writing_loses_nothing(
    name: str, history: History
) -> None:
    try:
        gone, _, again = lost(history, name)
    except ValueError:  # Bovada, where the bets would not tell the stakes
        return
    assert gone <= CUSTOM
    assert lost(again, name)[:2] == (set(), set())


@pytest.mark.parametrize("name", ["phh", "pokerstars", "fulltilt", "winamax", "absolute"])
def test_a_named_hand_loses_the_customs_alone(name: str) -> None:
    assert lost(NAMED, name)[0] <= CUSTOM
    assert lost(NAMED, "phh")[:2] == (set(), set())


def seats_of(history: History, *changed: Seat) -> tuple[Seat, ...]:
    by_number = {seat.number: seat for seat in (*history.seats, *changed)}
    return tuple(by_number.values())


WITH_CHAT = replace(NAMED, events=(*NAMED.events[:9], Remark("nh"), *NAMED.events[9:]))
TWO_POTS: tuple[Event, ...] = tuple(
    piece
    for event in NAMED.events
    for piece in (
        (Collect(event.seat, event.amount - 1, "main pot"), Collect(event.seat, 1, "side pot"))
        if isinstance(event, Collect)
        else (event,)
    )
)


@pytest.mark.parametrize(
    ("history", "name", "kind"),
    [
        (NAMED, "bovada", "names of players"),
        (NAMED, "bovada", "time zones"),
        (NAMED, "bovada", "that the stakes are stated"),
        (replace(NAMED, table="Alcor II"), "bovada", "tables"),
        (replace(NAMED, hand_id="R5-1"), "pokerstars", "hand numbers"),
        (replace(NAMED, hand_id="R5-1"), "fulltilt", "hand numbers"),
        (replace(NAMED, hero=2), "pokerstars", "whose log it is"),
        (replace(NAMED, hero=2), "ongame", ""),
        (
            replace(NAMED, seats=seats_of(NAMED, replace(NAMED.seats[0], sitting_out=True))),
            "winamax",
            "who sits out",
        ),
        (WITH_CHAT, "pokerstars", "chat and other remarks"),
        (replace(NAMED, events=TWO_POTS), "pokerstars", "main and side pots apart"),
    ],
)
def test_every_kind_of_loss_is_found(history: History, name: str, kind: str) -> None:
    gone = lost(history, name)[0] - CUSTOM
    assert (kind in lost(history, name)[0]) if kind else gone == set()


@pytest.mark.parametrize("name", ROOMS)
def test_a_bring_in_that_nobody_posts_is_guessed_anew(name: str) -> None:
    """Of the rooms none states it, and 17 cents is no room's custom."""
    stakes = replace(ROOM_STAKES, bring_in=17)
    script = "1a10 2a10 3a10\n3: 1=7c.Qs/2c 2=Ad.Jd/8d 3=5d.Ac/9d\n1b50 2f 3f"
    kinds = lost(hand(script, stakes=stakes, stacks={1: 900, 2: 900, 3: 900}), name)[0]
    assert "the bring-in (readers take another)" in kinds


def test_what_a_record_does_not_have_is_made_up() -> None:
    made_up = lost(WHOLE, "pokerstars")[1]
    assert made_up == {
        *("names of players", "stacks", "tables", "dates", "who shows and who mucks"),
    }


def test_of_a_day_the_time_is_made_up() -> None:
    gone, made_up, again = lost(replace(NAMED, played_at="2023-06-22"), "pokerstars")
    assert again.played_at == "2023/06/22 0:00:00 ET"
    assert gone <= CUSTOM
    assert "times of day" in made_up


@pytest.mark.parametrize("name", sorted(set(ROOMS) - {"ongame", "winning-old"}))
def test_a_show_of_five_cards_is_written_whole(name: str) -> None:
    short = [Show(1, cards("7c 7h Js Jh Qs")), Muck(2)]
    whole = replace(WHOLE, events=(*WHOLE.events[:-2], *short, *WHOLE.events[-2:]))
    shows = [e for e in lost(whole, name)[2].events if isinstance(e, Show)]
    assert [set(show.cards) for show in shows if show.seat == 1] == [
        set(cards("7c Qs 7h 8h Js 2c Jh"))
    ]


def test_a_show_of_some_cards_is_a_muck_where_the_rest_is_not_known() -> None:
    unseen = tuple(
        replace(event, down=(None,) * len(event.down))
        if getattr(event, "seat", 0) == 2 and getattr(event, "down", ())
        else event
        for event in NAMED.events
    )
    short = [Show(1, cards("7c Qs 7h 8h Js 2c Jh")), Show(2, cards("?? ?? 8d Kc As 7d ??"))]
    part = replace(NAMED, events=(*unseen[:-2], *short, *unseen[-2:]))
    gone, _, again = lost(part, "pokerstars")
    assert "who shows and who mucks" in gone
    assert [e.seat for e in again.events if isinstance(e, Show)] == [1]
    assert [e.seat for e in again.events if isinstance(e, Muck)] == [2]


def test_each_hand_is_written_and_read_again_once(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []

    def counted(
        grammar: Grammar, file: str, block: Sequence[NumberedLine]
    ) -> HandBuilder | Problem:
        read.append(1)
        return read_block(grammar, file, block)

    monkeypatch.setattr("handread.formats.room_print.read_block", counted)
    log = SAMPLES / "simulated-pokerstars.txt"
    done = run("convert", str(log), "--to", "fulltilt")
    n = sum(isinstance(hand, History) for hand in read_hands(log))
    assert done.stdout.count("Full Tilt Poker Game #") == n == len(read)
