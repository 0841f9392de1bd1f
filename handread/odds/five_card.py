"""The exact htpd operator of five-card stud: one downcard, one to four upcards."""

from collections.abc import Sequence
from functools import lru_cache
from math import comb

import numpy as np

from handread.arrays import Flags, Floats, Ints, as_floats
from handread.cards import DECK_SIZE, Card
from handread.game.rules import FIVE_STUD
from handread.kernels.street_read import count_listed, value_listed
from handread.kernels.tables import multiset_indices, multisets
from handread.odds.counting import choices_by_index, rank_sets
from handread.odds.hand_types import five_tables
from handread.odds.htpd import Operator, Unseen
from handread.odds.showdown import showdown_of

HAND_CARDS = 5


@lru_cache(maxsize=1024)
def _rank_classes(up: tuple[int, ...]) -> Ints:
    """Return classes (13, multisets) by downcard and future ranks, without flushes."""
    future = multisets(HAND_CARDS - 1 - len(up))
    ranks = np.empty((13, len(future), HAND_CARDS), dtype=np.int64)
    ranks[:, :, 0] = np.arange(13)[:, None]
    ranks[:, :, 1 : 1 + len(up)] = up
    ranks[:, :, 1 + len(up) :] = future
    ranks.sort(axis=2)
    by_ranks = five_tables().by_ranks
    classes = by_ranks[multiset_indices(ranks[:, :, :3]), multiset_indices(ranks[:, :, 3:])]
    return classes.astype(np.int64)


class FiveCardHands(Operator):
    """The operator of a seat in five-card stud, on all streets.

    The completions of a downcard are listed by the ranks to come, and again by the sets of ranks
    that make a flush: H has the ``ways`` of each completion at its class. ``unseen`` has the cards
    that the observer has not seen, ``up`` the one to four face-up cards.

    Attributes:
        classes: Class of each completion by downcard (52, completions).
        ways: The number of ways to deal it (52, completions); 0 for a card that was seen.
        completions: The number of completions of a card.
    """

    def __init__(self, unseen: Unseen, up: Sequence[Card]) -> None:
        self.up, self.unseen = tuple(up), unseen
        self.showdown = showdown_of(FIVE_STUD)
        m = HAND_CARDS - 1 - len(up)
        self.completions = float(comb(unseen.n - 1, m))
        classes, self.ways = self._by_ranks(m)
        if len({card & 3 for card in up}) == 1:
            classes = self._add_flushes(m, up[0] & 3, classes)
        self.classes = classes.astype(np.uint16)
        self.n_live = unseen.n

    def __reduce__(self) -> "tuple[type[FiveCardHands], tuple[object, ...]]":
        return FiveCardHands, (self.unseen, self.up)

    def _by_ranks(self, m: int) -> tuple[Ints, Floats]:
        """Return class and number of choices by downcard (52,) and multiset of m future ranks."""
        left = np.maximum(self.unseen.left.sum(axis=1) - np.eye(13, dtype=np.int64), 0)
        ways = choices_by_index(left, m)
        classes = _rank_classes(tuple(sorted(card >> 2 for card in self.up)))
        by_card = np.repeat(ways, 4, axis=0) * self.live[:, None]
        return np.repeat(classes, 4, axis=0), by_card

    def _add_flushes(self, m: int, suit: int, by_ranks: Ints) -> Ints:
        """Move the completions that are all of a suit from their rank class to their flush."""
        ranks, (set_ranks, sets) = np.arange(13), rank_sets(m)
        unseen = self.unseen.left[:, suit] @ (1 << ranks)
        up = sum(1 << (card >> 2) for card in self.up)
        rank_bit = (1 << ranks)[:, None]
        flushes = (sets & ~unseen == 0) & (sets & rank_bit == 0) & (unseen & rank_bit > 0)
        classes, ways = np.zeros((52, sets.size), dtype=np.int64), np.zeros((52, sets.size))
        cards = 4 * ranks + suit
        ways[cards] = flushes
        classes[cards] = five_tables().by_flush[np.where(flushes, sets | rank_bit | up, 0)]
        self.ways[cards[:, None], multiset_indices(set_ranks)] -= flushes
        self.ways = np.concatenate([self.ways, ways], axis=1)
        return np.concatenate([by_ranks, classes], axis=1)

    @property
    def live(self) -> Flags:
        """True for the downcards (52,) that have not been seen."""
        return self.unseen.mask

    def chances(self, values: Floats) -> Floats:
        """Return the expected value of each downcard (52,), given ``values`` (7462,) by class."""
        chances, values = np.empty(DECK_SIZE), as_floats(values, self.showdown.n_classes)
        value_listed(self.ways, self.classes, self.completions, values, chances)
        return chances

    def htpd(self, pdd: Floats) -> Floats:
        """Return the probability of each class (7462,) under a pdd over downcards (52,)."""
        htpd, pdd = np.empty(self.showdown.n_classes), as_floats(pdd, DECK_SIZE)
        count_listed(self.ways, self.classes, self.completions, pdd, htpd)
        return htpd
