"""The table as it stood after every move of a hand: what a board shows that is stepped through."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from handread.engine.played import Replay
from handread.engine.table import Phase, Table
from handread.engine.walk import Walk
from handread.history import Event


def tables(played: Replay) -> Iterator[tuple[Event, Table]]:
    """Every move of a replay with the table after it, the betting open where cards are all out."""
    history = replace(played.history, stakes=played.stakes, events=played.moves, problems=())
    walk = Walk(history, Table.start(played.stakes, history.seats, history.unit))
    for event in played.moves:
        walk.take(event)
        yield event, _opened(walk)


def _opened(walk: Walk) -> Table:
    """The table with its betting open, if the deal is done, so that it tells whose turn it is."""
    table = walk.table
    dealt = table.phase is Phase.DEAL and len(table.active) > 1 and not walk.lacks_cards()
    return table.open_betting() if dealt else table
