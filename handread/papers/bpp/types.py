"""Hand types: the values of the nodes of BPP's network (Korb et al. 1999, section 3.2).

A hand of one to seven cards has a code, an integer of ``hand_codes_kernel``: its shape and a rank.
A ``TypeSet`` groups the codes into types, weakest first. ``PAPER``, the paper's set, divides busted
hands and pairs by rank and has one type for each other category.

Partial hands have the same types. Three or four cards, all to a straight, a flush or both, have the
type of the draw, as in the paper ("three cards to a flush"); one or two cards have a type by rank
alone. Five or six cards with a card to come, as in seven-card stud, have the type of the made hand.

``FINE`` divides the categories further and separates draws from made hands (section 6.1). It also
divides the types of the other sets, so that counts of its types add up to theirs. ``NINE`` has the
nine categories, the first version of BPP.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

import numpy as np

from handread.arrays import Ints
from handread.cards import RANKS, Card
from handread.papers.bpp import hand_codes_kernel as kernels
from handread.papers.bpp.hand_codes_kernel import N_CODES, N_RANKS, N_SHAPES

ANY = ("",)
"""One type for all ranks of a shape."""
BANDS = ("low 7", "medium 9", "queen 10", "king 11", "ace 12")
"""The paper's division, each part with its last rank: to the nine, the jack, Q, K, A."""
EACH = tuple(f"{name} {rank}" for rank, name in enumerate(RANKS))
"""A type for each rank."""

SHAPES = (
    "busted",
    "pair",
    "two_pair",
    "triple",
    "straight",
    "flush",
    "full_house",
    "quads",
    "straight_flush",
    "straight_draw",
    "flush_draw",
    "straight_flush_draw",
)
"""The names of the shapes of ``hand_codes_kernel``; the first nine are the categories."""

N_CATEGORIES = 9


@dataclass(frozen=True, slots=True, eq=False)
class TypeSet:
    """A division of all hands into types.

    Attributes:
        labels: Name of each type, weakest first; draws come last.
        of_code: Type of each code (codes,), for hands of three or four cards and whole hands.
        of_later: The same for five and six cards of seven, where a draw without a type of its own
            counts as a busted hand.
    """

    name: str
    labels: tuple[str, ...]
    of_code: Ints
    of_later: Ints

    def __len__(self) -> int:
        return len(self.labels)

    def of(self, codes: Ints, n: int) -> Ints:
        """Return the types of hands of ``n`` cards from their codes."""
        return (self.of_code if n < 5 else self.of_later)[codes]

    def of_fine(self, n: int) -> Ints:
        """Return the type of each type of ``FINE`` (fine types,), for hands of ``n`` cards."""
        every = np.arange(N_CODES)
        types = np.zeros(len(FINE), dtype=np.int64)
        types[FINE.of(every, n)] = self.of(every, n)
        return types

    def hand(self, cards: Sequence[Card], to_come: bool | None = None) -> int:
        """Return the type of a hand of one to seven cards; arguments as in ``hand_code``."""
        return int(self.of(np.array(hand_code(cards, to_come)), len(cards)))


def _type_set(name: str, divisions: Sequence[tuple[str, ...]]) -> TypeSet:
    """Return the set with these divisions by rank of the categories, and of any draws.

    Without divisions of draws, they have the types of a straight, a flush and a straight flush.
    """
    labels: list[str] = []
    types = np.zeros((N_SHAPES, N_RANKS), dtype=np.int64)
    for shape, division in enumerate(divisions):
        lasts = [-1]
        for part in division:
            label, _, last = part.partition(" ")
            labels.append("_".join(filter(None, (SHAPES[shape], label))))
            lasts.append(int(last or N_RANKS - 1))
        first = len(labels) - len(division)
        for i, (before, last_rank) in enumerate(pairwise(lasts)):
            types[shape, before + 1 : last_rank + 1] = first + i
    later = types.copy()
    if len(divisions) == N_CATEGORIES:
        made = [kernels.STRAIGHT, kernels.FLUSH, kernels.STRAIGHT_FLUSH]
        types[N_CATEGORIES:] = types[made]
        later[N_CATEGORIES:] = types[kernels.BUSTED]
    return TypeSet(name, tuple(labels), types.ravel(), later.ravel())


PAPER = _type_set("paper", (BANDS, BANDS, *[ANY] * 7))
FINE = _type_set("fine", (EACH, EACH, *[BANDS] * 5, ANY, ANY, *[BANDS] * 3))
NINE = _type_set("nine", [ANY] * 9)
TYPE_SETS = {types.name: types for types in (PAPER, FINE, NINE)}


def hand_code(cards: Sequence[Card], to_come: bool | None = None) -> int:
    """Return the code of 1 to 7 cards; more are ``to_come`` by default as in a hand of five."""
    codes = np.zeros(1, dtype=np.int64)
    down = np.array([list(map(int, cards))], dtype=np.int64)
    none = np.zeros(0, dtype=np.int64)
    draws = len(cards) < 5 if to_come is None else to_come
    kernels.hand_codes(down, np.ones(1, dtype=bool), none, draws, codes)
    return int(codes[0])


@cache
def made_strength() -> Ints:
    """Return the order of codes (codes,) as made hands, a draw as the busted hand it is."""
    strength = np.arange(N_CODES)
    strength[N_CATEGORIES * N_RANKS :] %= N_RANKS
    return strength
