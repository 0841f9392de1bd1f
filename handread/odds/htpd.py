"""The exact htpd operators of a seat: from pdds to hand types, from hand types to chances.

Let l be a holding, k a class of final hands, and H[l, k] the share of the ways to deal the cards to
come that turn l into k. An observer needs two products with H:

    htpd(pdd)        H.T @ pdd       the probability of each class (Saund 2006, equation 2)
    chances(values)  H @ values      the expected value of each holding; with the values f of
                                     ``inference.observer`` its chance to win (equation 1)

The paper leaves the way to H open: sampling, enumeration or combinatorics (section II). Here H is
counted exactly, and never stored:

* ``Hands``, 3rd to 6th street: each term of the count is used as it comes, forward or transposed.
  ``kernels.counting`` describes the count, and why the other ways were dropped.
* ``LastHands``, 7th street: no card is to come, and each triple has one class, which is looked up.
  ``lift`` makes a pdd over triples from one over pairs, ``pair_marginal`` is the way back:

      pdd[abc] = (pdd[ab] + pdd[ac] + pdd[bc]) / the sum of the same over all live triples
      pair[ab] = the sum over c of pdd'[abc] pdd[ab] / (pdd[ab] + pdd[ac] + pdd[bc])

  for a pdd' over triples after actions. The order of the downcards is unknown: each of the three
  cards may be the last.
* ``odds.five_card``, five-card stud: one downcard leaves so few completions that tables list them.

A ``Showdown`` has the classes, (4824,) in stud high.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from math import comb
from typing import Any, cast

import numpy as np

import handread.odds.counting as counting
from handread.arrays import Flags, Floats, Ints, as_floats
from handread.cards import DECK_SIZE, N_PAIRS, N_TRIPLES, Card
from handread.kernels.counting import class_triples, count_all, count_pairs, share_triples
from handread.kernels.loading import Fixed
from handread.kernels.pair_values import value_pairs
from handread.odds.showdown import SevenTables, Showdown, showdown_of

_BELOW = np.tri(DECK_SIZE, k=-1, dtype=bool)

SINGLE_CARDS = np.arange(DECK_SIZE)[:, None]

PAIR_CARDS = np.argwhere(_BELOW)[:, ::-1].copy()
"""The two cards of each pair, (1326, 2), ascending, in the order of ``cards.pair_index``."""

TRIPLE_CARDS = np.argwhere(_BELOW[:, :, None] & _BELOW[None, :, :])[:, ::-1].copy()
"""The three cards of each triple, (22100, 3), ascending, as ``cards.triple_index`` counts."""

_LOW, _MIDDLE, _HIGH = TRIPLE_CARDS.T.copy()


def _pairs_of_triples() -> Ints:
    low, high = np.stack([_LOW, _LOW, _MIDDLE]), np.stack([_MIDDLE, _HIGH, _HIGH])
    pairs: Ints = high * (high - 1) // 2 + low
    return pairs


PAIRS_OF_TRIPLE = _pairs_of_triples()
"""The three pairs of each triple, (3, 22100), as ``cards.pair_index`` counts."""


def holding_cards(size: int) -> Ints:
    """Return the cards of each holding: of singles (52, 1), pairs (1326, 2), triples (22100, 3)."""
    return {DECK_SIZE: SINGLE_CARDS, N_PAIRS: PAIR_CARDS, N_TRIPLES: TRIPLE_CARDS}[size]


@cache
def holding_sets(size: int) -> Ints:
    """Return the cards of each of ``holding_cards`` as a 52-bit set."""
    sets: Ints = (1 << holding_cards(size)).sum(axis=1)
    return sets


class Unseen:
    """The cards that an observer has not seen, ``bits`` (a 52-bit set), and their holdings."""

    def __init__(self, seen: Iterable[Card]) -> None:
        self.bits = (1 << DECK_SIZE) - 1 & ~counting.cards_in(set(seen))

    def __reduce__(self) -> tuple[type[Unseen], tuple[list[int]]]:
        return Unseen, (np.flatnonzero(~self.mask).tolist(),)

    @property
    def n(self) -> int:
        """The number of unseen cards."""
        return self.bits.bit_count()

    @cached_property
    def cards(self) -> Ints:
        """The unseen cards, ascending."""
        return np.array([card for card in range(DECK_SIZE) if self.bits >> card & 1], np.int64)

    @cached_property
    def mask(self) -> Flags:
        """True for unseen cards (52,)."""
        mask = np.zeros(DECK_SIZE, dtype=bool)
        mask[self.cards] = True
        return mask

    @property
    def left(self) -> Ints:
        """1 for unseen cards, by rank and suit (13, 4)."""
        return self.mask.astype(np.int64).reshape(13, 4)

    def live(self, size: int) -> Flags:
        """Return True for the single cards (52,) or the pairs (1326,) without a seen card."""
        return self.mask if size == DECK_SIZE else self.live_pairs

    @cached_property
    def live_pairs(self) -> Flags:
        """True for the pairs (1326,) without a seen card."""
        live: Flags = holding_sets(N_PAIRS) & ~self.bits == 0
        return live

    @cached_property
    def pair_places(self) -> Ints:
        """Indices of the pairs without a seen card."""
        return np.flatnonzero(self.live_pairs)

    @cached_property
    def live_triples(self) -> Ints:
        """Indices of the triples without a seen card."""
        return np.flatnonzero(holding_sets(N_TRIPLES) & ~self.bits == 0)

    @cached_property
    def pairs_of_live_triples(self) -> Ints:
        """The three pairs of each triple without a seen card, (3, triples)."""
        return PAIRS_OF_TRIPLE.take(self.live_triples, axis=1)


class Operator(ABC):
    """The htpd operator of a seat on any street.

    Holdings are single cards (52,), pairs (1326,) or triples (22100,), indexed as in
    ``handread.cards``. Pickles hold the cards of an operator only: its tables are large.
    """

    showdown: Showdown  # the classes of final hands, and their shares of the pot
    up: tuple[Card, ...]  # the face-up cards of the seat, the door card first
    unseen: Unseen  # the cards that the observer has not seen
    n_live: int  # the number of holdings without a visible card

    def __reduce__(self) -> tuple[type[Operator], tuple[object, ...]]:
        return type(self), (self.unseen, self.up, self.showdown)

    @property
    @abstractmethod
    def live(self) -> Flags:
        """True for the holdings without a visible card."""

    @abstractmethod
    def chances(self, values: Floats) -> Floats:
        """Return the expected value of each holding, given ``values`` of the classes."""

    @abstractmethod
    def htpd(self, pdd: Floats) -> Floats:
        """Return the probability of each class under a pdd."""

    @property
    def places(self) -> Ints:
        """Indices of the holdings without a visible card."""
        return np.flatnonzero(self.live)

    @cached_property
    def uniform(self) -> Floats:
        """The pdd with all live holdings equally likely."""
        return self.live / self.n_live

    @cached_property
    def uniform_htpd(self) -> Floats:
        """Probability of each class when all live holdings are equally likely."""
        return self.htpd(self.uniform)

    def lift(self, pair_pdd: Floats) -> Floats:
        """Return a pdd over the first downcards as a pdd over the holdings of this street."""
        return pair_pdd

    def lift_shares(self, shares: Floats, pair_pdd: Floats) -> Floats:  # noqa: ARG002 - 7th street needs it
        """Return P(member | holding) of a panel, (members, holdings), after ``lift``."""
        return shares

    def pair_marginal(self, pair_pdd: Floats, pdd: Floats) -> Floats:  # noqa: ARG002 - the operator of 7th street needs it
        """Return the pdd over the first downcards, given ``pair_pdd`` before the lift."""
        return pdd


class Hands(Operator):
    """The operator of a seat with two downcards: 3rd to 6th street, or with a shared last card.

    ``up`` has one to five face-up cards, a shared card included; ``showdown`` is stud high's by
    default.
    """

    def __init__(
        self, unseen: Unseen, up: Sequence[Card], showdown: Showdown | None = None
    ) -> None:
        self.up, self.unseen = tuple(up), unseen
        self.showdown = showdown_of() if showdown is None else showdown
        self._n_hidden = counting.HAND_CARDS - len(up)
        self._completions = float(comb(unseen.n - 2, self._n_hidden - 2))
        self.n_live = comb(unseen.n, 2)

    @property
    def live(self) -> Flags:
        """True for the pairs (1326,) without a seen card."""
        return self.unseen.live_pairs

    @property
    def places(self) -> Ints:
        """Indices of the pairs without a seen card."""
        return self.unseen.pair_places

    def chances(self, values: Floats) -> Floats:
        """Return the expected value of each pair (1326,), given ``values`` >= 0 by class."""
        total, values = np.zeros(N_PAIRS), as_floats(values, self.showdown.n_classes)
        for table, given in self._given:
            class_values = values[table.classes]
            value_pairs(given, counting.room(), self._completions, class_values, total)
        return total

    def htpd(self, pdd: Floats) -> Floats:
        """Return the probability of each class under a pdd over pairs (1326,)."""
        pdd = as_floats(pdd, N_PAIRS)
        if np.count_nonzero(pdd) == 1:
            held = int(pdd.argmax())
            return self._htpd_of_pair(PAIR_CARDS[held].tolist()) * float(pdd[held])
        htpd = np.empty(self.showdown.n_classes)
        for table, given in self._given:
            part = htpd[table.classes]
            count_pairs(given, counting.room(), self._completions, pdd, part)
        return htpd

    def _htpd_of_pair(self, pair: Sequence[int]) -> Floats:
        unseen = self.unseen.bits & ~counting.cards_in(pair)
        given = _given(unseen, (*self.up, *pair), self.showdown)
        return self._htpd_of_all(given, self._completions)

    @cached_property
    def uniform_htpd(self) -> Floats:
        """Probability of each class when all live holdings are equally likely."""
        return self._htpd_of_all(self._given, float(comb(self.unseen.n, self._n_hidden)))

    def _htpd_of_all(self, given: Sequence[tuple[SevenTables, Any]], n_hands: float) -> Floats:
        htpd = np.empty(self.showdown.n_classes)
        for table, each in given:
            count_all(each, counting.room(), n_hands, htpd[table.classes])
        return htpd

    @cached_property
    def _given(self) -> list[tuple[SevenTables, Fixed]]:
        given = _given(self.unseen.bits, self.up, self.showdown)
        return [(table, Fixed(each)) for table, each in given]


def _given(unseen: int, known: Sequence[int], showdown: Showdown) -> list[tuple[SevenTables, Any]]:
    n, ranks = counting.HAND_CARDS - len(known), tuple(sorted(card >> 2 for card in known))
    cards = unseen, counting.cards_in(known), n, counting.hidden_ways(unseen, n)
    return [
        (table, (*cards, counting.class_table(table, ranks), counting.unions()))
        for table in showdown.tables
    ]


def lifted(unseen: Unseen, pair_pdd: Floats) -> Floats:
    """Return the pdd over triples (22100,) of unseen cards that follows from a pdd over pairs."""
    out = np.zeros(N_TRIPLES)
    out[unseen.live_triples] = _lifted(unseen, pair_pdd)
    return out


def _lifted(unseen: Unseen, pair_pdd: Floats) -> Floats:
    """Return ``lifted`` over the live triples alone (triples,)."""
    first, second, third = unseen.pairs_of_live_triples
    weights: Floats = pair_pdd[first] + pair_pdd[second] + pair_pdd[third]
    total = weights.sum()
    return weights / total if total > 0 else weights


def triple_classes(unseen: Unseen, up: Sequence[Card], table: SevenTables) -> Ints:
    """Return the class of each live triple (triples,) with four upcards."""
    classes = np.empty(comb(unseen.n, 3), np.uint16)
    hand = np.empty(8, np.int64)
    class_triples(unseen.cards, np.array(up), table.by_ranks, table.by_flush, hand, classes)
    return classes.astype(np.int64)


class LastHands(Operator):
    """The operator of a seat on 7th street, with three downcards and four upcards."""

    def __init__(
        self, unseen: Unseen, up: Sequence[Card], showdown: Showdown | None = None
    ) -> None:
        self.up, self.unseen = tuple(up), unseen
        self.showdown = showdown_of() if showdown is None else showdown
        self.n_live = comb(unseen.n, 3)

    @cached_property
    def _classes(self) -> list[Ints]:
        return [triple_classes(self.unseen, self.up, table) for table in self.showdown.tables]

    @cached_property
    def live(self) -> Flags:
        """True for the triples (22100,) without a seen card."""
        live = np.zeros(N_TRIPLES, dtype=bool)
        live[self.unseen.live_triples] = True
        return live

    @property
    def places(self) -> Ints:
        """Indices of the triples without a seen card."""
        return self.unseen.live_triples

    def chances(self, values: Floats) -> Floats:
        """Return the value of each triple, (22100,), given ``values`` by class."""
        out = np.zeros(N_TRIPLES)
        tables = zip(self.showdown.tables, self._classes, strict=True)
        out[self.unseen.live_triples] = sum(
            values[table.classes][classes] for table, classes in tables
        )
        return out

    def htpd(self, pdd: Floats) -> Floats:
        """Return the probability of each class under a pdd over triples (22100,)."""
        htpd = np.zeros(self.showdown.n_classes)
        if np.count_nonzero(pdd) == 1:
            held = int(pdd.argmax())
            alone = Unseen({*range(DECK_SIZE)} - {*TRIPLE_CARDS[held].tolist()})
            for table in self.showdown.tables:
                htpd[table.classes][triple_classes(alone, self.up, table)] = pdd[held]
            return htpd
        live = pdd[self.unseen.live_triples]
        for table, classes in zip(self.showdown.tables, self._classes, strict=True):
            part = htpd[table.classes]
            part[:] = np.bincount(classes, live, part.size)
        return htpd

    def lift(self, pair_pdd: Floats) -> Floats:
        """Return the pdd over triples (22100,) after a third downcard joins a pdd over pairs."""
        return lifted(self.unseen, pair_pdd)

    def lift_shares(self, shares: Floats, pair_pdd: Floats) -> Floats:
        """Return P(member | triple): the mean over its pairs, weighted by ``pair_pdd``."""
        joint, out = shares * pair_pdd, np.empty((len(shares), N_TRIPLES))
        share_triples(self.unseen.cards, self.unseen.live_triples, joint, joint.sum(axis=1), out)
        return out

    def pair_marginal(self, pair_pdd: Floats, pdd: Floats) -> Floats:
        """Return the pdd over the first two downcards (1326,) under a pdd over triples."""
        pairs = self.unseen.pairs_of_live_triples
        parts = pair_pdd[pairs]
        weights = parts.sum(axis=0)
        shares = np.zeros(weights.size)
        np.divide(pdd[self.unseen.live_triples], weights, out=shares, where=weights > 0.0)
        marginal = np.zeros(N_PAIRS)
        marginal += np.bincount(pairs.ravel(), (shares * parts).ravel(), N_PAIRS)
        return marginal


class SeatView:
    """A seat as an observer sees it. Arrays are as in ``Belief``.

    Attributes:
        hands: Operator between pdd and htpd.
        families: The probabilities of the families of holdings, once somebody has asked for them.
    """

    def __init__(self, hands: Operator, pdd: Floats | Callable[[], Floats]) -> None:
        """Take an operator, and a pdd, or a function that computes it when first used.

        A pdd of zeros is refuted by all that the observer knows.
        """
        self.hands = hands
        self.families: Sequence[float] | None = None
        self._given = pdd

    @cached_property
    def _seen(self) -> Floats:
        return self._given() if callable(self._given) else self._given

    @property
    def pdd(self) -> Floats:
        """Pdd of the observer; the possible holdings are equally likely if it is ``refuted``."""
        return self.hands.uniform if callable(self._given) and self.refuted else self._seen

    @cached_property
    def refuted(self) -> bool:
        """True if the observer's knowledge rules out the whole public pdd."""
        return not self._seen.any()

    @cached_property
    def htpd(self) -> Floats:
        """The probability of each class; computed when first used."""
        return self.hands.uniform_htpd if self.is_even else self.hands.htpd(self.pdd)

    @property
    def counted(self) -> Floats | None:
        """The htpd if it has been counted; else None."""
        kept = vars(self.hands).get("uniform_htpd") if self.is_even else vars(self).get("htpd")
        return cast("Floats | None", kept)

    def keep(self, htpd: Floats) -> None:
        """Keep an htpd that was counted elsewhere."""
        if self.is_even:
            vars(self.hands)["uniform_htpd"] = htpd
        else:
            vars(self)["htpd"] = htpd

    @property
    def is_even(self) -> bool:
        """True if all live holdings are equally likely."""
        return self.pdd is vars(self.hands).get("uniform")


class Htpds(Mapping[int, Floats]):
    """The htpds of some seats by number; each is computed when first used."""

    def __init__(self, seats: Mapping[int, SeatView]) -> None:
        self._seats = seats

    def __getitem__(self, seat: int) -> Floats:
        return self._seats[seat].htpd

    def __iter__(self) -> Iterator[int]:
        return iter(self._seats)

    def __len__(self) -> int:
        return len(self._seats)
