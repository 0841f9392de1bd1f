"""Joint deals: the hidden cards of all seats, drawn without overlaps.

The observer treats seats as independent given the public information. The exact posterior over all
downcards, also of folded seats, is the product of the seats' pdds restricted to holdings without a
common card. Rollouts begin with deals drawn from it. ``python -m docs.site.independence`` plays
such deals out, to measure how much the independent seats of equation 1 cost.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Self

import numpy as np

from handread.arrays import Floats, Ints
from handread.cards import DECK_SIZE, N_PAIRS, N_TRIPLES, Card
from handread.game.rules import DEFAULT, Variant
from handread.inference.viewpoint import without
from handread.kernels import dealing
from handread.odds.htpd import Unseen, holding_cards
from handread.odds.showdown import showdown_of


@dataclass(frozen=True, slots=True)
class Hidden:
    """The hidden cards of a hand at some point."""

    up: Mapping[int, tuple[Card, ...]]  # face-up cards of each active seat, including a shared card
    seen: frozenset[Card]  # all cards that are or were face up
    # pdd over pairs (1326,), triples (22100,) or single cards (52,) of every seat, folded ones too
    pdds: Mapping[int, Floats] = field(repr=False)
    game: Variant = DEFAULT

    def at_random(self) -> Self:
        """Return these cards for the cards-only observer: all deals equally likely."""
        even = {seat: _even(pdd.size, self.seen) for seat, pdd in self.pdds.items()}
        return replace(self, pdds=even)


def n_held(pdd: Floats) -> int:
    """Return the number of cards of the holdings in a pdd."""
    return {DECK_SIZE: 1, N_PAIRS: 2, N_TRIPLES: 3}[pdd.size]


def _even(size: int, seen: Iterable[Card]) -> Floats:
    return without(np.ones(size), list(seen))


def possible(pdd: Floats, seen: Iterable[Card]) -> Floats:
    """Return a pdd without the holdings with a seen card; uniform if none remains."""
    kept = without(pdd, list(seen))
    return kept if kept.any() else _even(pdd.size, seen)


@dataclass(frozen=True, slots=True, repr=False)
class Deals:
    """Downcards of all seats, drawn jointly without overlaps, with importance weights."""

    seats: tuple[int, ...]  # seats in the order of the columns of ``rows``
    cards: Ints  # holdings (rows, 3); a pair has -1 as its third card
    masks: Ints  # the same as 52-bit sets (rows,)
    rows: Ints  # holding of each seat in each draw (draws, seats), as an index into ``cards``
    weights: Floats  # importance weight of each draw (draws,); 0 for a draw that failed

    def downcards(self, seat: int) -> Ints:
        """Return the downcards of a seat by draw, (draws, 3); a pair has -1 as its third card."""
        return self.cards[self.rows[:, self.seats.index(seat)]]


def draw_deals(hidden: Hidden, draws: int, rng: np.random.Generator) -> Deals:
    """Draw downcards for all seats, without overlaps, from the product of their pdds.

    Raises:
        ValueError: ``draws`` is below 1, or every draw failed.
    """
    if draws < 1:
        raise ValueError(f"at least one draw is needed, not {draws}")
    # Drawing the most certain seats first keeps the variance of the weights low.
    order = sorted(hidden.pdds, key=lambda seat: -float((hidden.pdds[seat] ** 2).sum()))
    holdings, starts, marginals = _laid_out([hidden.pdds[seat] for seat in order])
    rows = np.zeros((draws, len(order)), dtype=np.int64)
    weights, used = np.empty(draws), np.empty(DECK_SIZE, dtype=np.int64)
    dealing.draw_disjoint(rng, holdings, starts, marginals, used, rows, weights)
    if not weights.any():
        raise ValueError("no deal was found in which these reads hold and no card comes twice")
    return Deals(tuple(order), *holdings[:2], rows, weights)


def shares_of_the_pot(
    hidden: Hidden, deals: Deals, rng: np.random.Generator, split: bool = True
) -> Floats:
    """Return the share of the pot (draws, active seats) of each active seat.

    Each deal is played out once with random cards to come; the last card is shared if the deck is
    too short. Ties are ``split``, or each of the tied wins all.
    """
    shares = np.empty((deals.weights.size, len(hidden.up)))
    dealing.play_out(
        rng,
        (deals.cards, deals.masks, deals.rows, deals.weights),
        Unseen(hidden.seen).cards,
        np.array([deals.seats.index(seat) for seat in hidden.up]),
        np.array(list(hidden.up.values()), dtype=np.int64),
        np.array([*_to_come(hidden), hidden.game.n_cards]),
        showdown_of(hidden.game).final,
        split,
        np.empty((5, DECK_SIZE), dtype=np.int64),  # room for cards and classes
        shares,
    )
    return shares


def _to_come(hidden: Hidden) -> tuple[int, int]:
    """Return the number of cards to come to each active seat, and of shared cards (0 or 1)."""
    seat, up = next(iter(hidden.up.items()))
    each = hidden.game.n_cards - len(up) - n_held(hidden.pdds[seat])
    deck = DECK_SIZE - len(hidden.seen) - sum(map(n_held, hidden.pdds.values()))
    return (each, 0) if each * len(hidden.up) <= deck else (each - 1, 1)


def _laid_out(
    pdds: Sequence[Floats],
) -> tuple[tuple[Ints, Ints, Floats, Floats], Ints, tuple[Floats, Floats, Floats]]:
    """Return holdings, starts and marginals in the layout of ``kernels.dealing``."""
    live = [np.flatnonzero(pdd) for pdd in pdds]
    starts = np.cumsum([0, *(rows.size for rows in live)])
    cards = np.full((starts[-1], 3), -1)
    chances, sums = np.empty(starts[-1]), np.empty(starts[-1])
    single, double = np.zeros((len(pdds), DECK_SIZE)), np.zeros((len(pdds), DECK_SIZE, DECK_SIZE))
    triple = np.zeros((len(pdds), N_TRIPLES if max(map(n_held, pdds)) == 3 else 0))
    for seat, (pdd, rows) in enumerate(zip(pdds, live, strict=True)):
        here, p = slice(starts[seat], starts[seat + 1]), pdd[rows] / pdd[rows].sum()
        held = holding_cards(pdd.size)[rows]
        cards[here, : held.shape[1]] = held
        chances[here], sums[here] = p, np.cumsum(p)
        sums[here.stop - 1] = 1.0  # whatever the rounding: a random number finds its holding
        for i, first in enumerate(held.T):
            np.add.at(single[seat], first, p)
            for second in np.delete(held, i, axis=1).T:
                np.add.at(double[seat], (first, second), p)
        if held.shape[1] == 3:
            triple[seat, rows] = p
    masks = np.where(cards >= 0, 1 << np.maximum(cards, 0), 0).sum(axis=1)
    return (cards, masks, chances, sums), starts, (single, double, triple)
