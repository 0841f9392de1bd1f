"""Hands written in a format and read again, and comparisons of what was played."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from handread.formats.registry import writer_named
from handread.game.replay import replay, written_out
from handread.game.steps import Replay
from handread.history import Action, Event, History
from tests.hands import GOLDEN, hand, wagers

ROOMS = (
    *("absolute", "bovada", "everleaf", "fulltilt", "kingsclub", "ongame"),
    *("partypoker", "pokerstars", "winamax", "winning", "winning-old"),
)


NAMED = tuple(name for name in ROOMS if name != "bovada")
"""Rooms that print names of players."""

WRITERS = (*ROOMS, "phh", "saund")
"""Formats of text that can be written."""


def out(history: History) -> History:
    return written_out(replay(history))


def printed(history: History | Replay, name: str) -> str:
    return writer_named(name).write(history)


def refused(history: History, name: str) -> str | None:
    """Why a hand cannot be printed in a room, ``None`` if it can."""
    try:
        printed(history, name)
    except ValueError as refusal:
        return str(refusal)
    return None


def read(text: str, name: str) -> History:
    (found,) = writer_named(name).read(text, "printed.txt")
    assert isinstance(found, History)
    assert found.problems == ()
    return found


def course(played: Replay) -> list[Any]:
    """What happened, but for the size of a bring-in that nobody posted."""
    posted = bool(wagers(played.moves, Action.BRING_IN))
    return [
        (d.street, d.seat, d.action, d.amount, d.to, d.pot, d.active, d.completes, d.all_in)
        + ((d.to_call,) if posted or not d.forced else ())
        for d in played.decisions
    ]


def outcome(played: Replay) -> tuple[Any, ...]:
    return (
        played.pots,
        dict(played.won),
        played.pot,
        played.returned,
        played.showdown,
        played.finished,
        [(street.number, dict(street.upcards), street.shared) for street in played.streets],
    )


def assert_same(first: Replay, second: Replay) -> None:
    assert second.problem is None
    assert course(second) == course(first)
    assert outcome(second) == outcome(first)
    assert holdings(second) == holdings(first)


def holdings(played: Replay) -> dict[int, tuple[set[int], tuple[int, ...]]]:
    """The downcards by seat: of the first two no log tells which came first."""
    return {seat: (set(cards[:2]), cards[2:]) for seat, cards in played.downcards.items()}


WHOLE = out(hand(GOLDEN))
"""The hand of the design notes, nothing of it left to the rules."""


def changed(history: History, old: type[Event], *new: Event) -> History:
    """The history with its first event of a kind replaced."""
    at = next(n for n, event in enumerate(history.events) if isinstance(event, old))
    return replace(history, events=(*history.events[:at], *new, *history.events[at + 1 :]))
