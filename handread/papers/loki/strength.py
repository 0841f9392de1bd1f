"""Hand strength, potential and effective hand strength (Billings et al. 1998, Figures 1 to 3).

``StreetStrength`` compares all holdings of a seat at once, as re-weighing after an action needs it:
hand strength is exact given the weights; potential looks one card ahead and takes the cards of two
seats as independent. ``docs.site.holdem`` enumerates the hand of hold'em of the paper.

With A, T and B for ahead, tied and behind now, and a, t and b after the next cards,

    HS    = (A + T/2) / (A + T + B)
    Ppot  = (Ba + Bt/2 + Ta/2) / (B + T/2)
    Npot  = (Ab + At/2 + Tb/2) / (A + T/2)
    EHS   = HSn + (1 - HSn) Ppot

where HSn is the product of HS over the opponents. The printed code of Figure 2 divides by all tied
hands and leaves out Ta and Tb; these formulas reproduce the figures of the paper.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, TypeVar

import numpy as np

from handread.arrays import Floats, Ints
from handread.cards import Card
from handread.game.steps import DealtStreet
from handread.inference.observer import seat_cards, visible_cards
from handread.kernels.tables import multisets
from handread.odds.htpd import PAIR_CARDS, TRIPLE_CARDS, Unseen
from handread.papers.loki import strength_kernel as kernels

Scalar = TypeVar("Scalar", float, Floats)

LOW_WEIGHT = 0.01
"""The least re-weighting factor: no holding becomes impossible."""


def reweighting(values: Floats, mean: float, spread: float) -> Floats:
    """Return the re-weighting factors of holdings by their values (Figure 3).

    They rise from ``LOW_WEIGHT`` to 1 between ``mean - spread`` and ``mean + spread``.
    """
    if spread <= 0.0:
        return np.where(values >= mean, 1.0, LOW_WEIGHT)
    return np.clip((values - mean + spread) / (2.0 * spread), LOW_WEIGHT, 1.0)


@dataclass(frozen=True, slots=True, repr=False)
class _Ranked:
    """The holdings of a seat, or holdings with one more card, by the hands that they make.

    ``keys`` are the different keys of the hands, ascending (classes,); ``classes`` has the index of
    each holding's key, -1 for holdings that are not live.
    """

    keys: Ints
    classes: Ints


def _ranked(unseen: Unseen, up: Sequence[Card], size: int) -> _Ranked:
    """Rank the hands of upcards and ``size`` other cards, two or three."""
    hidden = multisets(size)
    rank_keys = np.empty(len(hidden), dtype=np.int64)
    suits = np.bincount([card & 3 for card in up], minlength=4) + size >= 5
    # Without a suit that can make a flush, the kernels do not look at the table by suit.
    suit_keys = np.full((4, 8192 if suits.any() else 1), -1)
    kernels.fill_keys(np.array(up, dtype=np.int64), hidden, unseen.left, rank_keys, suit_keys)
    flushes = suit_keys >= 0
    keys = np.unique(np.concatenate([rank_keys, suit_keys[flushes]]))
    by_suit = suit_keys
    by_suit[flushes] = np.searchsorted(keys, suit_keys[flushes])
    holdings = PAIR_CARDS if size == 2 else TRIPLE_CARDS
    classes = np.empty(len(holdings), dtype=np.int64)
    bits, by_rank = int(suits @ [1, 2, 4, 8]), np.searchsorted(keys, rank_keys)
    kernels.fill_classes(holdings, unseen.mask, by_rank, by_suit, bits, classes)
    return _Ranked(keys, classes)


class HandStrength(NamedTuple):
    """The strength of a hand against the weights of its opponents."""

    now: float
    potential: float

    @property
    def effective(self) -> float:
        """EHS: the chance to be ahead, or to be behind and take the lead."""
        return self.now + (1.0 - self.now) * self.potential


def to_the_end(potential: Scalar, cards: int) -> Scalar:
    """Return the potential over so many cards to come, from the potential of the next card.

    Each card is taken to have the potential of the next. In the paper's example Ppot1 of .108 gives
    a Ppot2 of .204 (.208 by counting), and Npot1 of .145 an Npot2 of .269 (.274).
    """
    return 1.0 - (1.0 - potential) ** cards


class _SeatStrength(NamedTuple):
    """The hands of a seat on a street, now and after one more card."""

    now: _Ranked
    then: _Ranked | None
    ordered: tuple[Ints, Ints, Ints]  # the classes now, their starts, and the holdings by class


def _bounds(mine: _Ranked, theirs: _Ranked) -> tuple[Ints, Ints]:
    """Return, for each class of a seat, how many of the other's are below, and below or equal."""
    return np.searchsorted(theirs.keys, mine.keys), np.searchsorted(theirs.keys, mine.keys, "right")


@lru_cache(maxsize=64)
def _hands(seen: frozenset[Card], up: tuple[Card, ...], last: bool, three: bool) -> _SeatStrength:
    """Return the hands of a seat; cached, because several readers follow a game."""
    unseen = Unseen(seen)
    now = _ranked(unseen, up, 3 if three else 2)
    order = np.argsort(now.classes.astype(np.int16), kind="stable")  # sorts 16 bits by radix
    order = order[np.count_nonzero(now.classes < 0) :]
    starts = np.searchsorted(now.classes[order], np.arange(now.keys.size + 1))
    then = None if last else _ranked(unseen, up, 3)
    return _SeatStrength(now, then, (now.classes, starts, order))


class StreetStrength:
    """Hand strength and potential of all holdings of the active seats on a street of stud high.

    Weights are of the holdings of each active seat: pairs (1326,), on 7th street triples (22100,),
    or pairs where the last card is shared. They need not sum to 1. Results are cached until the
    weights change.
    """

    def __init__(self, street: DealtStreet) -> None:
        self._seen = frozenset(visible_cards(street))
        self.unseen = Unseen(self._seen)
        self._to_come = street.game.last - street.number
        self._last = not self._to_come
        self._three = self._last and street.shared is None
        self._holdings = TRIPLE_CARDS if self._three else PAIR_CARDS
        self._up = {seat: seat_cards(street, seat) for seat in street.active}
        self._known: dict[tuple[object, ...], tuple[Floats, Floats]] = {}

    def _kept(
        self, key: tuple[object, ...], weights: Floats, compute: Callable[[Floats], Floats]
    ) -> Floats:
        """Return a cached result; compute it again only if the weights have changed."""
        known = self._known.get(key)
        if known is None or known[0] is not weights:
            known = self._known[key] = weights, compute(weights)
        return known[1]

    def strength(self, seat: int, weights: Mapping[int, Floats]) -> Floats:
        """Return HSn of each holding of a seat: the product of HS over its opponents.

        Weights are of all active seats; the seat's own are unused. A visible card makes HSn 0.
        """
        product = np.ones(len(self._holdings))
        for other, theirs in weights.items():
            if other != seat:
                product *= self.strength_against(seat, other, theirs)
        return product

    def strength_against(self, seat: int, other: int, weights: Floats) -> Floats:
        """Return HS of each holding of a seat against one opponent's weights (Figure 1)."""

        def compare(weights: Floats) -> Floats:
            mine, theirs = self._seat(seat), self._seat(other)
            bounds, strengths = _bounds(mine.now, theirs.now), np.empty(len(self._holdings))
            orders = mine.ordered, theirs.ordered
            kernels.strengths(self._holdings, *orders, *bounds, weights, strengths)
            return strengths

        return self._kept(("strength", seat, other), weights, compare)

    def potential(self, seat: int, weights: Mapping[int, Floats]) -> Floats:
        """Return Ppot of each holding of a seat, one card ahead (Figure 2); 0 on the last street.

        The opponent is drawn at random among the seat's; arguments as in ``strength``.
        """
        counts = np.zeros((2, len(self._holdings)))
        if not self._last:
            for other, theirs in weights.items():
                if other != seat:
                    counts += self._potential_against(seat, other, theirs)
        ahead, behind = counts
        # A rounding error counts as nothing.
        some = behind > 1e-9 * max(float(behind.max()), 1e-300)
        shares = np.divide(ahead, behind, out=np.zeros_like(ahead), where=some)
        return np.clip(shares, 0.0, 1.0)

    def _potential_against(self, seat: int, other: int, weights: Floats) -> Floats:
        """Return the counts of ``kernels.potentials`` against one opponent (2, holdings)."""

        def compare(weights: Floats) -> Floats:
            now, then, bounds = self._classes(seat, other)
            sums, counts = self._joint_sums(other, weights), np.zeros((2, len(self._holdings)))
            n = self.unseen.cards.size - 2
            kernels.potentials(TRIPLE_CARDS, n, now, then, bounds, sums, counts)
            return counts

        return self._kept(("potential", seat, other), weights, compare)

    def _classes(self, seat: int, other: int) -> tuple[Ints, Ints, tuple[Ints, ...]]:
        """Return a seat's classes of hands now and then, and their bounds among another's."""
        mine, theirs = self._seat(seat), self._seat(other)
        assert mine.then is not None
        assert theirs.then is not None
        bounds = (*_bounds(mine.now, theirs.now), *_bounds(mine.then, theirs.then))
        return mine.now.classes, mine.then.classes, bounds

    def of(self, seat: int, holding: int, weights: Mapping[int, Floats]) -> HandStrength:
        """Return the strength and the potential of one holding, which make up its EHS."""
        product, counts = 1.0, np.zeros(2)
        mine = self._seat(seat).now
        first, second = self._holdings[holding, :2].tolist()
        for other, theirs in weights.items():
            if other == seat:
                continue
            rival = self._seat(other).now
            lower, upper = (
                int(np.searchsorted(rival.keys, mine.keys[mine.classes[holding]], side))
                for side in ("left", "right")
            )
            product *= kernels.strength_of(
                holding, self._holdings, lower, upper, rival.classes, theirs
            )
            if not self._last:
                now, then, bounds = self._classes(seat, other)
                sums = self._joint_sums(other, theirs)
                cards = self.unseen.cards
                kernels.potential_of(first, second, cards, now, then, bounds, sums, counts)
        ahead, behind = counts.tolist()
        potential = min(max(ahead / behind, 0.0), 1.0) if behind > 0.0 else 0.0
        return HandStrength(product, to_the_end(potential, self._to_come))

    def effective(self, seat: int, weights: Mapping[int, Floats]) -> Floats:
        """Return EHS of each holding of a seat; arguments as in ``strength``.

        The potential is over all cards to come, as on the flop in the paper.
        """
        potential = to_the_end(self.potential(seat, weights), self._to_come)
        now = self.strength(seat, weights)
        return now + (1.0 - now) * potential

    def _seat(self, seat: int) -> _SeatStrength:
        return _hands(self._seen, self._up[seat], self._last, self._three)

    def _joint_sums(self, seat: int, weights: Floats) -> Floats:
        """Return the cumulated weights of a seat by its hands now and then; they sum to 1."""

        def sum_up(weights: Floats) -> Floats:
            hands = self._seat(seat)
            assert hands.then is not None
            sums = np.empty((hands.now.keys.size + 1, hands.then.keys.size + 1))
            kernels.joint_sums(TRIPLE_CARDS, hands.now.classes, hands.then.classes, weights, sums)
            return sums / sums[-1, -1] if sums[-1, -1] > 0.0 else sums

        return self._kept(("sums", seat), weights, sum_up)
