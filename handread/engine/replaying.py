"""From a record to what happened: streets, decisions, pots; and the first thing that cannot be.

``replay(history)`` walks the events over a ``Table`` and judges every one of them. What it
returns is the valid prefix of the hand and, if the record breaks a rule or its own totals,
the ``Problem`` that stopped it.
"""

from __future__ import annotations

from dataclasses import replace

from handread.engine.played import Replay
from handread.engine.table import Table
from handread.engine.walk import Walk
from handread.history import Collect, Event, History, Problem, Rake, TotalPot, Uncalled
from handread.infer_stakes import infer_stakes
from handread.stud import VARIANTS, Stakes


def replay(history: History) -> Replay:
    """What happened in a hand: its valid prefix and the first thing that cannot be.

    Never raises, whatever the history holds: what is wrong becomes ``Replay.problem``. A
    record that merely stops is no problem; its replay is not ``finished``.
    """
    stakes = history.stakes or infer_stakes(history)
    walk = Walk(history, Table.start(stakes or NO_STAKES, history.seats, history.unit))
    return walk.result(_unplayable(history, stakes) or walk.through())


def written_out(played: Replay) -> History:
    """The same hand with nothing left to the rules.

    Every ante, deal, amount, uncalled bet and payment has its event, in the order of play. Of a
    hand with a problem it is the valid prefix.
    """
    ending: list[Event] = []
    if played.finished:
        if played.returned:
            ending.append(Uncalled(*played.returned))
        if played.won or played.rake:
            ending.append(TotalPot(played.pot))
        if played.rake:
            ending.append(Rake(played.rake))
        ending += [Collect(seat, amount) for seat, amount in sorted(played.won.items())]
    return replace(
        played.history,
        stakes=played.stakes,
        events=(*played.moves, *ending),
        problems=(),
    )


NO_STAKES = Stakes(ante=0, bring_in=0, bets=(0, 0, 0, 0, 0))
"""What stands in a ``Replay`` whose record has no stakes and shows none."""


def _unplayable(history: History, stakes: Stakes | None) -> Problem | None:
    """Why no event of a history can be judged at all."""
    variant = VARIANTS.get(history.variant, VARIANTS["other"])
    numbers = [seat.number for seat in history.seats]
    if not variant.readable:
        message = f"this is {history.title}; handread reads seven-card stud high only"
        if history.meant:
            message += f"; did you mean {history.meant!r}?"
        return history.problem(0, message)
    if len(set(numbers)) < len(numbers) or min(numbers, default=1) < 1:
        message = "two players sit at one seat, or one at none"
        return history.problem(0, message, "a seat each, numbered from 1")
    if stakes is None:
        message = "the stakes are not stated, and there are no antes or bring-in to tell them"
        return history.problem(0, message, "ante, bring-in and bets")
    if min(stakes.ante, stakes.bring_in) < 0 or min(stakes.bets) <= 0:
        return history.problem(0, "the stakes are not those of a game", "bets above zero")
    return None


def no_cards(played: Replay) -> Problem | None:
    """Why there is nothing to read in a hand whose record stops before any card is dealt."""
    if played.streets:
        return None
    message = "the record stops before any card is dealt"
    return played.problem or played.history.problem(0, message)
