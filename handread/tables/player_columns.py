"""The columns of the players of a hand: what ``handread players`` sums up."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from handread.game.rules import STREET_NAMES
from handread.opponents.records import OPENINGS
from handread.opponents.statistics import PLACES, STATISTICS
from handread.tables.figure import Figure, Kind, figures_of
from handread.tables.figures import FLAG, HAND_KEY, REAL, SEAT, TEXT, one_of
from handread.tables.rows import PlayerRow

TIMES = Kind("i16", {"type": "integer", "minimum": 0})

_play = figures_of("play")

CHANCES = "_of"
"""The ending of the column with the number of chances of a statistic."""


def _count(place: int, column: int, row: PlayerRow) -> int:
    return int(row.play.counts[place, column])


def _statistics() -> Iterator[Figure[PlayerRow]]:
    """Yield the two columns of each statistic: how often it was done, of how many chances."""
    for one in STATISTICS:
        street = "" if one.street is None else STREET_NAMES[one.street]
        what = one.definition.format(first="the first", street=street)
        count = partial(_count, PLACES[one.key])
        yield Figure(one.key, TIMES, f"times that the player {what}", partial(count, 0))
        yield Figure(one.key + CHANCES, TIMES, f"chances for {one.key}", partial(count, 1))


PLAYER_COLUMNS: tuple[Figure[PlayerRow], ...] = (
    *HAND_KEY,
    _play("seat", SEAT, "seat of the player"),
    _play("name", TEXT, "name of the player; you for a hero without one", filled=True),
    _play("you", FLAG, "true for the player whose log it is"),
    _play(
        "net_bets", REAL, "net result in big bets; empty for an unfinished hand, and in tournaments"
    ),
    _play(
        "opening",
        one_of(OPENINGS),
        "what the player did on the first street, the strongest action; empty without a choice",
        filled=True,
    ),
    _play(
        "shown", TEXT, "family of the player's first cards, if they were shown down", filled=True
    ),
    _play(
        "bluffed",
        FLAG,
        "true if the player bet the last street and showed down less than a pair, in games with a "
        "low none of these either; empty without such a bet that was shown down",
    ),
    Figure(
        "styles",
        TEXT,
        "how much likelier each style of the policy makes the player's actions than a stranger's "
        "mixture of them, in the order of the styles; empty for a policy without styles",
        lambda r: r.styles,
    ),
    *_statistics(),
)
"""The columns: who and how, then how often each statistic was done, of how many chances."""
