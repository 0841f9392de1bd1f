"""The exact value of an action that leads to the showdown at once.

The last call of a hand, or a last check, is worth the expected share of every pot, summed over the
actor's reads of the others, without the actor's own cards: no rollouts are needed. The reads are
taken as independent, but the probability of a holding is multiplied by the probability that each
other seat, folded ones included, has none of its cards. The joint deals of rollouts
(``inference.joint``) differ from this only where three or more seats need the same card.
"""

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from handread.arrays import Floats
from handread.cards import DECK_SIZE, N_TRIPLES
from handread.decisions.rollouts import HouseRake
from handread.decisions.turns import LegalAction, Turn
from handread.inference.observer import SPLIT, values_against
from handread.odds.htpd import holding_cards


class Showdowns:
    """The values of the actions of a turn that lead to a showdown at once."""

    def __init__(self, turn: Turn, rake: HouseRake) -> None:
        self._turn, self._rake = turn, rake

    def nets(self, options: Sequence[LegalAction]) -> list[float | None]:
        """Return each action's expected net in minor units; None if bets or cards are to come."""
        return [self._net(option) for option in options]

    def _net(self, option: LegalAction) -> float | None:
        if option.action == "fold":
            return 0.0
        table, seat = option.table, self._turn.seat
        if not table.is_over:
            return None
        paid = table.player(seat).paid - self._turn.table.player(seat).paid
        rake = self._rake.of(table.pot)
        won = 0.0
        for pot in table.pots:
            kept = min(rake, pot.amount)
            rake -= kept
            if seat in pot.seats:
                won += (pot.amount - kept) * self._share(pot.seats)
        return won - paid

    def _share(self, seats: Sequence[int]) -> float:
        """Return the expected share of a pot that these seats can win, ties split."""
        if len(seats) == 1:
            return 1.0
        among = {seat: self._htpds[seat] for seat in seats}
        seat = self._turn.seat
        return float(values_against(among, seat, SPLIT, self._turn.belief.showdown) @ among[seat])

    @cached_property
    def _htpds(self) -> dict[int, Floats]:
        """The htpd of each active seat, as the actor sees it."""
        belief, pdds = self._turn.belief, self._turn.hidden.pdds
        htpds = {}
        for seat, hands in belief.hands.items():
            if seat not in belief.pdds:
                continue
            joint = pdds[seat].copy()
            for other, pdd in pdds.items():
                # The reads already exclude the actor's own cards.
                if other not in (seat, self._turn.seat):
                    joint *= chances_without(pdd, joint.size)
            total = joint.sum()
            # Contradictory reads stay as they are.
            htpds[seat] = hands.htpd(joint / total if total > 0.0 else pdds[seat])
        return htpds


def chances_without(pdd: Floats, size: int) -> Floats:
    """Return P(no card in common with the pdd) of ``size`` holdings, by inclusion-exclusion."""
    single, double = np.zeros(DECK_SIZE), np.zeros(DECK_SIZE**2)
    held = holding_cards(pdd.size)
    for i, first in enumerate(held.T):
        single += np.bincount(first, pdd, single.size)
        for second in np.delete(held, i, axis=1).T:
            double += np.bincount(DECK_SIZE * first + second, pdd, double.size)
    left, cards = np.ones(size), holding_cards(size).T
    for i, first in enumerate(cards):
        left -= single[first]
        for second in cards[:i]:
            left += double[DECK_SIZE * first + second]
    if size == pdd.size == N_TRIPLES:
        left -= pdd
    return np.maximum(left, 0.0)
