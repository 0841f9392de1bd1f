"""Loki's players: basic ones of three styles, and two that model their opponents.

A player bets by its *effective hand strength* (EHS) and by pot odds (Billings et al. 1998, "Betting
Strategy"). The paper gives no more, so the rules are ours:

* 3rd street: rank the three cards by income among all starts. The best starts raise, and raise
  again; others call a bet, or the bring-in only.
* Later, with nothing to call: bet if the EHS reaches a threshold; or as a semi-bluff, if the
  positive potential alone is above the odds of betting to the end against one opponent.
* Later, facing a bet: raise if the EHS reaches a higher threshold, higher still after each raise;
  call if the EHS is above the pot odds.

All players follow these rules with ``Thresholds`` of their own. They differ by the reader, which
weighs the opponents' holdings: basic (BPM, BPT, BPL), generic (GOM) or specific modelling (SOM).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from handread.arrays import Floats
from handread.cards import Card, holding_index
from handread.game.steps import DecisionPoint
from handread.inference.readers import Observer
from handread.papers.loki.income import income, incomes, starts
from handread.papers.loki.model import ENOUGH, FIRST_STREET, shipped_model
from handread.papers.loki.reader import LokiObserver, LokiReader
from handread.papers.loki.strength import HandStrength
from handread.policy import legal_actions

RAISE = ("raise", "bet", "call", "check")
CALL = ("call", "check")
FOLD = ("check", "fold", "call")
"""Actions from the wanted one to the one that is always legal."""


@dataclass(frozen=True, slots=True)
class Thresholds:
    """The thresholds of a player.

    Attributes:
        limps: Share of the starts, best first, that call the bring-in.
        calls: Share of the starts that call a bet.
        opens: Share of the starts that complete or raise, and call several bets.
        reraises: Share of the starts that raise any bet.
        bets: Least EHS of a bet.
        raises: Least EHS of a raise.
        caution: Factor of the pot odds that calls and semi-bluffs must reach.
    """

    name: str
    limps: float
    calls: float
    opens: float
    reraises: float
    bets: float
    raises: float
    caution: float


MODERATE = Thresholds("moderate", 0.40, 0.30, 0.15, 0.05, bets=0.5, raises=0.8, caution=1.0)
TIGHT = Thresholds("tight", 0.25, 0.20, 0.10, 0.03, bets=0.6, raises=0.9, caution=1.25)
LOOSE = Thresholds("loose", 0.60, 0.45, 0.25, 0.10, bets=0.4, raises=0.7, caution=0.8)


def start_wish(style: Thresholds, spot: DecisionPoint, place: float, bet: int) -> Sequence[str]:
    """Return the wanted 3rd-street actions, best first; ``place``: share of better starts."""
    if place < style.reraises or (place < style.opens and not spot.raises):
        return RAISE
    if spot.to_call > bet:
        share = style.opens
    else:
        share = style.limps if spot.to_call < bet else style.calls
    return CALL if place < share else FOLD


def later_wish(
    style: Thresholds, spot: DecisionPoint, hand: HandStrength, bet: int
) -> Sequence[str]:
    """Return the actions wanted on a later street, best first."""
    # Each raise of the street halves the distance from the threshold to 1.
    again = 1.0 - (1.0 - style.raises) / 2 ** max(0, spot.raises - 1)
    if hand.effective >= (again if spot.raises else style.bets):
        return RAISE
    if not spot.to_call:
        # A semi-bluff pays bets to the end, called by one opponent.
        cost = bet + spot.later_bets
        return RAISE if hand.potential >= style.caution * cost / (spot.pot + 2 * cost) else CALL
    odds = spot.to_call / (spot.pot + spot.to_call)
    return CALL if hand.effective >= style.caution * odds else FOLD


@dataclass(frozen=True)
class LokiPlayer:
    """A player of seven-card stud who bets as Loki does."""

    name: str
    style: Thresholds
    reader: LokiReader

    def decide(
        self, observer: Observer, spot: DecisionPoint, down: tuple[Card, ...]
    ) -> Mapping[str, float]:
        """Return probability 1 for the action of the rules, and 0 for other legal actions."""
        assert isinstance(observer, LokiObserver)
        bet = observer.bet
        if spot.street == FIRST_STREET:
            wish = start_wish(self.style, spot, start_place((*down, observer.door(spot.seat))), bet)
        else:
            hand = observer.strength.of(spot.seat, holding_index(down), observer.pdds)
            wish = later_wish(self.style, spot, hand, bet)
        legal = legal_actions(spot)
        chosen = next(action for action in wish if action in legal)
        return {action: float(action == chosen) for action in legal}


def start_place(cards: Sequence[Card]) -> float:
    """Return the share of all three-card starts that have more income."""
    return float(_income_places()[0][np.searchsorted(_income_places()[1], income(cards), "right")])


@cache
def _income_places() -> tuple[Floats, Floats]:
    """Return the share of starts above the i lowest incomes (starts + 1,), and the incomes."""
    order = np.argsort(incomes())
    ways = starts().ways[order]
    above = 1.0 - np.concatenate([[0.0], np.cumsum(ways)]) / ways.sum()
    return above, incomes()[order]


OWN_FREQUENCIES = "own-frequencies.csv"
"""How often GOM folds, calls and raises in games with its like: its model of everybody."""


@cache
def _readers() -> Mapping[str, LokiReader]:
    """Return the readers by name; players who read alike share a reader's observer."""
    model = shipped_model(OWN_FREQUENCIES)
    return {
        "basic": LokiReader("loki-basic", model, reweighs=False),
        "generic": LokiReader("loki-gom", model),
        "specific": LokiReader("loki-som", replace(model, enough=ENOUGH)),
    }


PLAYERS: Mapping[str, tuple[Thresholds, str]] = {
    "BPM": (MODERATE, "basic"),
    "BPT": (TIGHT, "basic"),
    "BPL": (LOOSE, "basic"),
    "GOM": (MODERATE, "generic"),
    "SOM": (MODERATE, "specific"),
}
"""The players of the paper: style, and reader."""


def loki_player(name: str) -> LokiPlayer:
    """Return a player of the paper, one of ``PLAYERS``."""
    style, reader = PLAYERS[name]
    return LokiPlayer(name, style, _readers()[reader])
