"""BPP's network: the chance to win of a hand, given the opponent's upcards and actions.

A polytree for each betting round of five-card stud (Korb et al. 1999, Figure 1):

    OPP Final -> OPP Current -> OPP Upcards, OPP Action
    BPP Final -> BPP Current
    OPP Final, BPP Final -> BPP Win

The evidence is on three leaves: OPP Upcards, OPP Action and BPP Current. In a polytree Pearl's
propagation is exact, here with a few products of matrices: likelihoods flow from the leaves to the
two final hands, and the finals to BPP Win.

The matrices (section 3.3) are exact. The authors sampled 10,000,000 hands. Here all C(52, 5)
hands are counted, with every choice of the first cards and of the downcard, so that no sampling
error remains. ``bif_text`` writes a network for tools such as pyAgrum and pgmpy.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, product
from math import comb
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from handread.arrays import Floats, Ints
from handread.cards import DECK_SIZE
from handread.kernels.jit import kept
from handread.papers.bpp import hand_codes_kernel as kernels
from handread.papers.bpp.hand_codes_kernel import N_CODES
from handread.papers.bpp.types import PAPER, TypeSet

HAND_CARDS = 5
ROUNDS = (2, 3, 4, 5)
"""The betting rounds of five-card stud, by the number of cards of a hand."""


class DealCounts(NamedTuple):
    """Counts of all deals, by the codes of hands.

    Attributes:
        parts: For each number of cards in a round, choices of five cards and of the first among
            them (codes, codes), by the codes of final and current hand.
        upcards: The same for choices of a current hand and its downcard, by the codes of the
            current hand and of its upcards.
    """

    parts: dict[int, Ints]
    upcards: dict[int, Ints]


@cache
def counts() -> DealCounts:
    """Return the counts of all deals, cached on disk: counting takes a second."""
    return kept("bpp-counts", _count)


def _count() -> DealCounts:
    codes = {n: _subset_codes(n) for n in range(1, HAND_CARDS + 1)}
    parts = {n: _parts(codes, HAND_CARDS, n) for n in ROUNDS}
    upcards = {n: _parts(codes, n, n - 1) for n in ROUNDS}
    return DealCounts(parts, upcards)


def _subset_codes(n: int) -> npt.NDArray[np.uint8]:
    codes = np.empty(comb(DECK_SIZE, n), dtype=np.uint8)
    kernels.subset_codes(n, n < HAND_CARDS, codes)
    return codes


def _parts(codes: dict[int, npt.NDArray[np.uint8]], n: int, m: int) -> Ints:
    """Return the number of hands of n cards, with m of them, by the codes of both."""
    joint = np.zeros((N_CODES, N_CODES), dtype=np.int64)
    places = np.array(list(combinations(range(n), m)))
    kernels.count_parts(n, codes[n], places, codes[m], joint)
    return joint


def grouped(joint: Ints, types: TypeSet, rows: int, columns: int) -> Ints:
    """Return counts (codes, codes) by type (types, types), of so many cards by row and column."""
    total = np.zeros((len(types), len(types)), dtype=np.int64)
    every = np.arange(N_CODES)
    np.add.at(total, (types.of(every, rows)[:, None], types.of(every, columns)[None, :]), joint)
    return total


def row_shares(joint: Ints | Floats) -> Floats:
    """Return counts as probabilities by row; a row without counts is uniform over all columns.

    The type of such a row does not occur, but every node needs a distribution.
    """
    total = joint.sum(axis=-1, keepdims=True)
    shares: Floats = np.where(total > 0, joint / np.maximum(total, 1e-300), 1.0 / joint.shape[-1])
    return shares


def final_counts(types: TypeSet) -> Ints:
    """Return the number of hands of five cards of each type (types,), out of 2,598,960."""
    return np.diagonal(grouped(counts().parts[HAND_CARDS], types, HAND_CARDS, HAND_CARDS)).copy()


def current_given_final(types: TypeSet, cards: int) -> Floats:
    """Return M_C/F (types, types): P(type of the first ``cards`` cards | type of all five)."""
    return row_shares(grouped(counts().parts[cards], types, HAND_CARDS, cards))


def upcards_given_current(types: TypeSet, cards: int) -> Floats:
    """Return M_U/C (types, types): P(type of all cards but one | type of all ``cards`` cards)."""
    return row_shares(grouped(counts().upcards[cards], types, cards, cards - 1))


def shares_given_finals(types: TypeSet) -> Floats:
    """Return the expected share of the pot by the types of two hands of five cards (own, other's).

    The better type wins. Hands of one type are equally likely to be better, so that ties, which
    share the pot, need not be counted.
    """
    return np.tri(len(types), k=-1) + np.eye(len(types)) / 2.0


PASSIVE = 0
AGGRESSIVE = 1
"""The paper's action classes: pass and call; bet and raise."""


class Beliefs(NamedTuple):
    """The posteriors of the nodes, each (types,); ``win`` is the expected share of the pot."""

    own_final: Floats
    opp_final: Floats
    opp_current: Floats
    win: float


@dataclass(frozen=True, slots=True, eq=False)
class Network:
    """The network of one betting round.

    Attributes:
        final: P(final type), (types,).
        current: M_C/F, P(current type | final type), (types, types).
        upcards: M_U/C, P(type of the upcards | current type), (types, types).
        shares: The expected share of the pot, by the two finals (types, types).
    """

    types: TypeSet
    cards: int
    final: Floats
    current: Floats
    upcards: Floats
    shares: Floats

    def beliefs(
        self, own_current: int, opp_upcards: int, opp_actions: tuple[int, ...], actions: Floats
    ) -> Beliefs:
        """Return the posteriors of the hidden nodes, and the expected share of the pot.

        The opponent's actions are classes: columns of the action matrix of the round, P(class |
        type), (types, classes). Evidence that is impossible under the matrices is dropped, for
        example an action that no type takes: first the actions, then the upcards.
        """
        shown = self.upcards[:, opp_upcards]
        acted = shown * actions[:, list(opp_actions)].prod(axis=1)
        for likelihood in (acted, shown, np.ones_like(shown)):
            opp_final = self.final * (self.current @ likelihood)
            if opp_final.sum() > 0.0:
                break
        opp_current = (self.final @ self.current) * likelihood
        own_final = self.final * self.current[:, own_current]
        if not own_final.sum() > 0.0:
            raise ValueError(f"no hand of {self.cards} cards is of type {own_current}")
        own_final = own_final / own_final.sum()
        opp_final = opp_final / opp_final.sum()
        win = float(own_final @ self.shares @ opp_final)
        return Beliefs(own_final, opp_final, opp_current / opp_current.sum(), win)


@cache
def network(cards: int, types: TypeSet = PAPER) -> Network:
    """Return the network of the betting round with ``cards`` cards for each player, 2 to 5."""
    final, shares = row_shares(final_counts(types)), shares_given_finals(types)
    current, upcards = current_given_final(types, cards), upcards_given_current(types, cards)
    return Network(types, cards, final, current, upcards=upcards, shares=shares)


ACTIONS = ("pass_call", "bet_raise")
OUTCOMES = ("no", "yes")


def bif_text(network: Network, actions: Floats) -> str:
    """Return the BIF text of a betting round's network with its action matrix (types, 2)."""
    types = network.types.labels
    win = network.shares
    shares = np.stack([1.0 - win, win], axis=-1)
    nodes: list[tuple[str, tuple[str, ...], tuple[str, ...], Floats]] = [
        ("OPP_Final", types, (), network.final),
        ("OPP_Current", types, ("OPP_Final",), network.current),
        ("OPP_Upcards", types, ("OPP_Current",), network.upcards),
        ("OPP_Action", ACTIONS, ("OPP_Current",), actions),
        ("BPP_Final", types, (), network.final),
        ("BPP_Current", types, ("BPP_Final",), network.current),
        ("BPP_Win", OUTCOMES, ("BPP_Final", "OPP_Final"), shares),
    ]
    states_of = {name: states for name, states, *_ in nodes}
    lines = [f'network "BPP, {network.cards} cards" {{\n}}\n']
    for name, states in states_of.items():
        listed = ", ".join(states)
        lines.append(f"variable {name} {{\n  type discrete [ {len(states)} ] {{ {listed} }};\n}}\n")
    for name, _, parents, table in nodes:
        given = f" | {', '.join(parents)}" if parents else ""
        lines.append(f"probability ( {name}{given} ) {{\n")
        lines += _rows([states_of[parent] for parent in parents], table)
        lines.append("}\n")
    return "".join(lines)


def _rows(parents: Sequence[Sequence[str]], table: Floats) -> Iterator[str]:
    for states, row in zip(product(*parents), table.reshape(-1, table.shape[-1]), strict=True):
        chances = ", ".join(map(repr, row.tolist()))
        yield f"  ({', '.join(states)}) {chances};\n" if states else f"  table {chances};\n"
