"""Loki as a reader: weights of holdings, multiplied by a factor after each action.

All holdings of a seat start with equal weights. An action on 3rd street re-weighs them by income,
an action on a later street by effective hand strength against the weights of the others (Billings
et al. 1998, Figure 3); the threshold of the action follows from the player's frequencies
(``readers.loki.model``). The weights, scaled to sum to 1, are the pdd.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from handread.game.rules import STUD
from handread.game.steps import DealtStreet, Decision, DecisionPoint, Replay
from handread.history import Action, History
from handread.inference.observer import (
    Belief,
    ObservedStreet,
    TieRule,
    Update,
    deal,
    reweigh,
    values_against,
)
from handread.policy import legal_actions
from handread.readers.loki.income import incomes, incomes_by_pair, starts
from handread.readers.loki.model import (
    ENOUGH,
    FIRST_STREET,
    FOLD,
    INCOME_SPREAD,
    STRENGTH_SPREAD,
    ActionModel,
    Costs,
    default_frequencies,
    kind_of_action,
    player_key,
    threshold,
)
from handread.readers.loki.strength import StreetStrength

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class LokiReader:
    """The reader of Billings et al. 1998, for seven-card stud high.

    Attributes:
        name: The name, for reports.
        model: The frequencies of the players' actions.
        reweighs: False to re-weigh on 3rd street only, as the paper's players without opponent
            modelling do.
    """

    name: str = "loki"
    model: ActionModel = field(default_factory=lambda: ActionModel(default_frequencies()))
    reweighs: bool = True

    @property
    def terms(self) -> str:
        """The name, and a digest of the frequencies and of what was counted."""
        return f"{self.name} ({self.model.digest}, {self.reweighs})"

    @property
    def games(self) -> Sequence[str]:
        """Seven-card stud high."""
        return (STUD.key,)

    @property
    def learns(self) -> bool:
        """True for specific modelling."""
        return self.model.enough is not None

    def observer(self, history: History, ties: TieRule) -> LokiObserver:
        """Return an observer of a hand before its first card."""
        return LokiObserver(self, history, ties)

    def after(self, replay: Replay, observed: Sequence[ObservedStreet]) -> LokiReader:  # noqa: ARG002 - counts need no beliefs
        """Return the reader with the actions of a hand counted, by player."""
        if not self.learns:
            return self
        return replace(self, model=self.model.after(replay.history, replay.decisions))


def generic_reader() -> LokiReader:
    """Return the reader with one model for all players (GOM)."""
    return LokiReader()


def specific_reader() -> LokiReader:
    """Return the reader with a model for each player, after enough actions (SOM)."""
    return LokiReader("loki-specific", ActionModel(default_frequencies(), enough=ENOUGH))


def basic_reader() -> LokiReader:
    """Return the reader that re-weighs on 3rd street only (BPM, BPT, BPL)."""
    return LokiReader("loki-basic", reweighs=False)


class LokiObserver:
    """The weights of all seats during one hand.

    Args:
        reader: The reader.
        history: The hand, for the names of the players.
        ties: How tied hands share the pot, in chances to win.
    """

    def __init__(self, reader: LokiReader, history: History, ties: TieRule) -> None:
        self._model, self._reweighs = reader.model, reader.reweighs
        self._players = {seat.number: player_key(history, seat.number) for seat in history.seats}
        self._ties = ties
        self._belief: Belief | None = None
        self._strength: StreetStrength | None = None
        self._costs = Costs()
        self._start_weights: dict[int, Floats] = {}

    @property
    def belief(self) -> Belief:
        """The belief after the last event; its pdds are the weights, scaled to sum to 1."""
        assert self._belief is not None, "no card has been dealt"
        return self._belief

    @property
    def strength(self) -> StreetStrength:
        """Hand strengths and potentials on the street, of which the weights are the pdds."""
        assert self._strength is not None, "no card has been dealt"
        return self._strength

    def deal(self, street: DealtStreet) -> Mapping[int, float]:
        """Drop the holdings whose cards are visible."""
        self._belief, news = deal(self._belief, street)
        self._strength = StreetStrength(street)
        return news

    def frequencies(self, spot: DecisionPoint) -> Floats:
        """Return the frequencies of the kinds of action of the player to act (3,); 0 if illegal."""
        street, cost = spot.street - FIRST_STREET, self._costs.cost(spot)
        known = self._model.frequencies(self._players[spot.seat], street, cost)
        legal = np.zeros(known.size)
        legal[[kind_of_action(Action(action)) for action in legal_actions(spot)]] = 1.0
        legal[FOLD] = spot.can_fold  # some fold with nothing to call
        frequencies: Floats = known * legal / (known @ legal)
        return frequencies

    def effective(self, seat: int) -> Floats:
        """Return EHS of each holding of a seat against the weights of the others (holdings,)."""
        return self.strength.effective(seat, self.belief.pdds)

    def observe(self, decision: Decision) -> Update:
        """Re-weigh the holdings of the actor."""
        belief, seat = self.belief, decision.seat
        frequencies = self.frequencies(decision)
        kind = kind_of_action(decision.action)
        factors = self._factors(decision, kind, frequencies)
        self._costs.add(decision)
        hands = belief.hands[seat]
        values = values_against(belief.htpds, seat, self._ties, belief.showdown)
        chance = float(frequencies[kind])
        even = np.full(factors.size, chance)
        self._belief, update = reweigh(
            belief, decision, factors, hands.chances(values), even, chance
        )
        return update

    def _factors(self, decision: Decision, kind: int, frequencies: Floats) -> Floats:
        """Return the re-weighting factor of each holding of the actor (Figure 3)."""
        belief, seat = self.belief, decision.seat
        weights = belief.pdds[seat]
        if not self._reweighs and decision.street > FIRST_STREET:
            return np.ones(weights.size)
        if kind == FOLD and decision.to_call == 0:
            return np.ones(weights.size)  # not a choice by the strength of the hand
        if decision.street == FIRST_STREET:
            # The share of all starts that takes the action, whatever the door card.
            among = self._start_weights.get(seat, starts().ways)
            needed = threshold(kind, frequencies, incomes(), among, INCOME_SPREAD)
            self._start_weights[seat] = among * needed.factors(incomes())
            return needed.factors(incomes_by_pair(belief.hands[seat].up[0]))
        strengths = self.effective(seat)
        needed = threshold(kind, frequencies, strengths, weights, STRENGTH_SPREAD)
        return needed.factors(strengths)
