"""Hands as text, and hands that go on while a program follows them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

from handread.engine.requests import MOST_BYTES, RequestError
from handread.formats.format import LineError
from handread.formats.log_reader import read_text
from handread.formats.phh_fields import Position
from handread.formats.phh_read import Actions
from handread.game.replay import replay
from handread.game.rules import variant_of
from handread.game.steps import Replay
from handread.history import History, Problem
from handread.report.annotate import choice_places

FILE = "-"
"""The file name of hands without a file."""


def read_one(text: str, dialect: str | None) -> History:
    """Return the only hand of a text; raise ``RequestError`` for other texts or formats."""
    try:
        readings = list(read_text(text, FILE, dialect))
    except ValueError as error:
        raise RequestError(str(error)) from None
    problems = [each for each in readings if isinstance(each, Problem)]
    hands = [each for each in readings if isinstance(each, History)]
    if problems:
        raise RequestError.of(problems[0])
    if len(hands) != 1:
        line = hands[1].source.line if hands else 0
        raise RequestError(f"the text has {len(hands):,} hands", "one hand", line, int(line > 0))
    return hands[0]


def first_actions(history: History, n: int) -> History:
    """Return a hand up to its nth action, with the cards dealt before the next.

    Antes and the bring-in do not count, as in the actions of an analysis.
    """
    places = choice_places(history)
    if n >= len(places):
        return history
    events = history.events[: places[n]]
    last = max((event.line for event in events), default=0)
    return replace(
        history,
        events=events,
        problems=(),
        end_line=last,
        unpaid=False,
        findings=tuple(each for each in history.findings if each.line <= last),
        nets=(),
        claims=tuple(each for each in history.claims if each.event in range(places[n])),
        lows=(),
    )


@dataclass(frozen=True, slots=True)
class RunningHand:
    """A hand that goes on."""

    history: History
    text: str | None  # to which lines can be added; None once actions were added
    wants: dict[str, Any]  # default values of ``Request.wants``

    @classmethod
    def begun(cls, text: str, wants: dict[str, Any]) -> Self:
        """Return a hand that begins with a text; raise ``RequestError`` if it is not legal."""
        history = read_one(text, wants.get("dialect"))
        _sound(history)
        return cls(history, text, wants)

    def with_text(self, text: str) -> Self:
        """Return the hand with further lines; raise ``RequestError`` if they do not fit."""
        if self.text is None:
            raise RequestError("add: this hand goes on by actions", "a list of actions")
        whole = self.text + "\n" * (not self.text.endswith("\n")) + text
        if len(whole) > MOST_BYTES:
            raise RequestError("the hand is too long", f"at most {MOST_BYTES:,} characters")
        history = read_one(whole, self.wants.get("dialect"))
        _sound(history)
        return replace(self, history=history, text=whole)

    def with_actions(self, added: Sequence[str]) -> Self:
        """Return the hand with actions of PHH; raise ``RequestError`` for an impossible one.

        ``p1`` is the first player dealt in, by seat, as in the hand written as PHH. Each action
        counts as a line after the hand.
        """
        before = self.history
        game, line = variant_of(before.variant), before.end_line
        players = sorted(_sound(before).paid)
        actions = Actions(players, before.unit.amount, game, street=game.first - 1)
        actions.go_on(before.events)
        for action in added:
            line += 1
            try:
                actions.take(action, Position(line))
            except (LineError, ValueError) as why:
                expected = why.expected if isinstance(why, LineError) else ""
                message = why.message if isinstance(why, LineError) else str(why)
                raise RequestError(message, expected, line, 1) from None
        actions.deliver()
        events = (*before.events, *actions.events)
        history = replace(before, events=events, end_line=line, unpaid=False)
        _sound(history)
        return replace(self, history=history, text=None if added else self.text)


def _sound(history: History) -> Replay:
    """Return the play of a hand; raise ``RequestError`` if it is illegal so far."""
    played = replay(history)
    if played.problem is not None:
        raise RequestError.of(played.problem)
    return played
