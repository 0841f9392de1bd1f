"""Names of holdings in all games, and the probabilities of names in a pdd."""

from collections.abc import Mapping, Sequence

import numpy as np

from handread.arrays import Floats
from handread.bits import rounded
from handread.cards import Card
from handread.game.rules import DEFAULT, variant_of
from handread.odds.high_holdings import Kind, KindTable, high_kind, high_kinds
from handread.odds.low_holdings import kind_in_game, kinds_in_game


def _wins_high_alone(game: str) -> bool:
    return variant_of(game).seven_card_high and not variant_of(game).splits


def kind_of(down: Sequence[Card], up: Sequence[Card], game: str = DEFAULT.key) -> Kind:
    """Return the kind of holding that three to seven cards make in a game, named by its key."""
    return high_kind(down, up) if _wins_high_alone(game) else kind_in_game(down, up, game)


def kind_table(size: int, up: Sequence[Card], game: str = DEFAULT.key) -> KindTable:
    """Return the kinds of a seat with a pdd of ``size`` holdings (1326 or 22100).

    With a complete hand in stud high (on 7th street, or with five upcards) they are the kinds of
    classes; otherwise of holdings. ``game`` is the key of the game.
    """
    named = tuple(up)
    return high_kinds(size, named) if _wins_high_alone(game) else kinds_in_game(size, named, game)


def kinds(
    pdd: Floats, htpd: Floats, up: Sequence[Card], game: str = DEFAULT.key
) -> dict[Kind, float]:
    """Return the probability of every possible kind of holding of a seat.

    ``pdd`` is over pairs (1326,) or triples (22100,); ``htpd`` (4824,) counts in stud high alone.
    """
    table = kind_table(pdd.size, up, game)
    return table.possible(kind_weights(table, pdd, htpd))


def kind_weights(table: KindTable, pdd: Floats, htpd: Floats) -> Floats:
    """Return the probability of each kind of a table; ``htpd`` is used for complete hands."""
    weights = htpd if table.complete else pdd
    return np.bincount(table.number, weights, len(table.kinds)).astype(np.float64)


def family_weights(table: KindTable, weights: Floats) -> Floats:
    """Return the probability of each family of a table, given the probabilities of its kinds."""
    return np.bincount(table.family, weights, len(table.families)).astype(np.float64)


def likely_kinds(found: Mapping[Kind, float], top: int) -> list[tuple[str, float]]:
    """Return the words and probabilities of the ``top`` likeliest kinds, in order."""
    by_words = [(kind.words, p) for kind, p in found.items()]
    return sorted(by_words, key=_likeliest_first)[:top]


def families(found: Mapping[Kind, float]) -> dict[str, float]:
    """Return the probability of every family of ``kinds``, the likeliest first."""
    total: dict[str, float] = {}
    for kind, p in found.items():
        total[kind.family] = total.get(kind.family, 0.0) + p
    return dict(sorted(total.items(), key=_likeliest_first))


def _likeliest_first(share: tuple[str, float]) -> tuple[float, str]:
    words, p = share
    return -rounded(p), words
