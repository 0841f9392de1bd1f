"""BPP's network: the chance to win of a hand, given the opponent's upcards and actions.

A polytree for each betting round of five-card stud (Korb et al. 1999, Figure 1):

    OPP Final -> OPP Current -> OPP Upcards, OPP Action
    BPP Final -> BPP Current
    OPP Final, BPP Final -> BPP Win

The evidence is on three leaves: OPP Upcards, OPP Action and BPP Current. In a polytree Pearl's
propagation is exact, and here a few products of matrices: likelihoods flow from the leaves to the
two final hands, and the finals to BPP Win.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np

from handread.arrays import Floats
from handread.papers.bpp.matrices import (
    current_given_final,
    final_counts,
    row_shares,
    shares_given_finals,
    upcards_given_current,
)
from handread.papers.bpp.types import PAPER, TypeSet

PASSIVE = 0
AGGRESSIVE = 1
"""The action classes of the paper: pass and call, bet and raise."""


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

        The opponent's actions are classes, columns of the action matrix of the round: P(class |
        type), (types, classes). Evidence that is impossible under the matrices, such as an action
        that no type takes, is dropped: first the actions, then the upcards.
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
    """Return the network of the betting round in which each player has ``cards`` cards, 2 to 5."""
    return Network(
        types,
        cards,
        row_shares(final_counts(types)),
        current_given_final(types, cards),
        upcards_given_current(types, cards),
        shares_given_finals(types),
    )
