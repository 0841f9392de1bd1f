"""Expected winnings in five-card stud for two, on the tree of the betting.

Winnings on a sample of deals are exact expected values over the actions of both players, so that
only the deals are random. The players decide as in ``handread.papers.bpp``, for all deals at once.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple, Self

import numpy as np

from handread.arrays import Flags, Floats, Ints
from handread.cards import DECK, DECK_SIZE, Card
from handread.game.ranks import rank_five
from handread.game.rules import FIVE_STUD
from handread.papers.bpp.network import AGGRESSIVE, PASSIVE, network
from handread.papers.bpp.opponents import chance_by_cards, rule_shares
from handread.papers.bpp.play import ROUNDS, Betting, hides_strength, legal_shares, threshold
from handread.papers.bpp.types import PAPER, TypeSet

OWN, OTHER = 0, 1
"""The player whose winnings are counted, and the opponent."""

HAND_CARDS = FIVE_STUD.n_cards

N_CARDS = range(2, HAND_CARDS + 1)
"""A player's number of cards by round, the downcard included."""

Hand = tuple[Card, ...]

CAP = 4
"""The most bets of a round: a bet and three raises."""


@dataclass(frozen=True, slots=True)
class DealtPairs:
    """A sample of deals.

    Attributes:
        hands: For each deal the five cards of each player, the downcard first.
        leads: The player who opens (deals, rounds).
        results: Own share of the pot at the showdown (deals,): 0, 1/2 or 1.
    """

    hands: tuple[tuple[Hand, Hand], ...]
    leads: Ints
    results: Floats

    def __len__(self) -> int:
        return len(self.hands)

    def seen_by(self, side: int) -> list[tuple[Hand, Hand]]:
        """Return for each deal a player's hand and the other player's."""
        return [(hands[side], hands[1 - side]) for hands in self.hands]

    @classmethod
    def sample(cls, n: int, *seed: int) -> Self:
        """Return the deals of ``n`` random decks, each played twice with the hands exchanged.

        If hands showing are equal, the lower seat opens: the player's seat in one of the two deals.
        """
        hands, leads, results = [], np.empty((2 * n, ROUNDS), dtype=np.int64), np.empty(2 * n)
        for number in range(2 * n):
            order = np.random.default_rng((*seed, number // 2)).permutation(DECK_SIZE)
            cards = tuple(DECK[card] for card in order[: 2 * HAND_CARDS].tolist())
            first, second = cards[:HAND_CARDS], cards[HAND_CARDS:]
            own, other = (first, second) if number % 2 == 0 else (second, first)
            hands.append((own, other))
            for at in range(ROUNDS):
                best = FIVE_STUD.leads({OWN: own[1 : at + 2], OTHER: other[1 : at + 2]})
                leads[number, at] = best[-(number % 2)]
            ours, theirs = rank_five(own), rank_five(other)
            results[number] = (ours > theirs) + (ours == theirs) / 2.0
        return cls(tuple(hands), leads, results)


class Node(NamedTuple):
    """A decision of a player in the tree of the betting, for some of the deals.

    Attributes:
        at: The round, from 0.
        rows: The deals (n,).
        pot: The pot in bets.
        to_call: True if there is a bet to call.
        can_raise: True if a bet or raise is legal.
        seen: The classes of the other player's actions in this round.
    """

    at: int
    rows: Ints
    pot: float
    to_call: bool
    can_raise: bool
    seen: tuple[int, ...]


TreePlayer = Callable[[Node], Floats]
"""A player of the tree: probabilities (3, n) of a bet or raise, a check or call, and a fold."""


def rules_in_tree(deals: DealtPairs, side: int = OTHER) -> TreePlayer:
    """Return the rule-based player on some deals."""
    hands = deals.seen_by(side)
    by_situation = {
        (at, facing): np.transpose(
            [rule_shares(own[:1], own[1:n], other[1:n], facing) for own, other in hands]
        )
        for at, n in enumerate(N_CARDS)
        for facing in (False, True)
    }

    def shares(node: Node) -> Floats:
        shares = by_situation[node.at, node.to_call][:, node.rows]
        return np.stack(legal_shares(shares, node.to_call, node.can_raise))

    return shares


Chances = Callable[[int, tuple[int, ...]], Floats]
"""Chances to win (deals,) by round and the other player's actions in it."""


class CurvesInTree:
    """A player who bets by curves on some deals."""

    def __init__(
        self, deals: DealtPairs, betting: Betting, chances: Chances, side: int = OWN
    ) -> None:
        self.betting = betting
        self._chances = chances
        self._hidden = _hidden(deals, side)

    def __call__(self, node: Node) -> Floats:
        """Return the probabilities of the actions, by the curves."""
        later = ROUNDS - 1 - node.at
        chance = self._chances(node.at, node.seen)[node.rows]
        excess = chance - threshold(node.pot, 1.0 + later)
        facing = node.to_call, node.can_raise
        if self.betting.hidden is None:
            return self.betting.shares(excess, node.at, *facing)
        shown, hidden = (
            self.betting.shares(excess, node.at, *facing, kind) for kind in (False, True)
        )
        return np.where(self._hidden[node.at, node.rows], hidden, shown)


def _hidden(deals: DealtPairs, side: int) -> Flags:
    """Return whether the downcard improves the kind of hand (rounds, deals)."""
    hands = deals.seen_by(side)
    return np.array([[hides_strength(own[:1], own[1:n]) for own, _ in hands] for n in N_CARDS])


def network_chances(
    deals: DealtPairs, actions: Floats, side: int = OWN, types: TypeSet = PAPER
) -> Chances:
    """Return BPP's chances on some deals, by the opponent's action matrix of each round."""
    hands, networks = deals.seen_by(side), [network(n, types) for n in N_CARDS]
    pairs = [
        [(types.hand(own[:n]), types.hand(other[1:n])) for own, other in hands] for n in N_CARDS
    ]

    @cache
    def chances(at: int, seen: tuple[int, ...]) -> Floats:
        net, acted = networks[at], actions[at]
        known = {own_up: net.beliefs(*own_up, seen, acted).win for own_up in set(pairs[at])}
        return np.array([known[own_up] for own_up in pairs[at]])

    return chances


def card_chances(deals: DealtPairs, side: int) -> Chances:
    """Return the probabilistic player's chances on some deals."""
    hands = deals.seen_by(side)
    by_round = [
        np.array([chance_by_cards(own[:1], own[1:n], (other[1:n],)) for own, other in hands])
        for n in N_CARDS
    ]
    return lambda at, _seen: by_round[at]


def expected_winnings(
    deals: DealtPairs, own: TreePlayer, other: TreePlayer, ante: float = 1.0, cap: int = CAP
) -> Floats:
    """Return the expected own net winnings of each deal (deals,); they and the ante are in bets.

    The expectation is over the actions of both players, whose knowledge of earlier rounds is only
    the pot and the cards.
    """
    return _Tree(deals, (own, other), ante, cap).value(0, 0)


@dataclass(frozen=True, slots=True)
class _Tree:
    """The values of the betting from the last round to the first, by the bets in the pot."""

    deals: DealtPairs
    players: tuple[TreePlayer, TreePlayer]
    ante: float
    cap: int
    known: dict[tuple[int, int], Floats] = field(default_factory=dict)

    def value(self, at: int, put: int) -> Floats:
        """Return the own net (deals,) at the start of a round, with ``put`` bets from each."""
        if at == ROUNDS:
            return (2.0 * self.deals.results - 1.0) * (self.ante + put)
        if (at, put) not in self.known:
            values = np.empty(len(self.deals))
            for lead in (OWN, OTHER):
                rows = np.flatnonzero(self.deals.leads[:, at] == lead)
                if rows.size:
                    values[rows] = self._node(at, put, rows, lead)
            self.known[at, put] = values
        return self.known[at, put]

    def _node(
        self,
        at: int,
        put: int,
        rows: Ints,
        turn: int,
        bets: tuple[int, int] = (0, 0),
        acted: tuple[tuple[int, ...], tuple[int, ...]] = ((), ()),
    ) -> Floats:
        """Return the own net (rows,) from a decision on.

        Of the ``bets`` and of the classes ``acted`` in the round, the first belong to the player to
        act, the second to the other.
        """
        (mine, theirs), (done, seen) = bets, acted
        level = max(bets)
        facing, can_raise = mine != theirs, level < self.cap
        pot = 2 * (self.ante + put) + sum(bets)
        shares = self.players[turn](Node(at, rows, pot, facing, can_raise=can_raise, seen=seen))
        other = 1 - turn
        # A player who checks second or calls ends the round.
        if facing or seen:
            passed = self.value(at + 1, put + level)[rows]
        else:
            passed = self._node(at, put, rows, other, acted=(seen, (*done, PASSIVE)))
        total: Floats = shares[1] * passed
        if can_raise:
            bets, acted = (theirs, level + 1), (seen, (*done, AGGRESSIVE))
            total += shares[0] * self._node(at, put, rows, other, bets=bets, acted=acted)
        if facing:
            lost = self.ante + put + mine
            total += shares[2] * (-lost if turn == OWN else lost)
        return total
