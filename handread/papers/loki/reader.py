"""Loki as a reader: weights of holdings, multiplied by a factor after each action.

All holdings of a seat start with equal weights. An action on 3rd street re-weighs them by income, a
later action by effective hand strength against the weights of the others (Billings et al. 1998,
Figure 3). The threshold of the action follows from the player's frequencies
(``papers.loki.model``). The weights, scaled to sum to 1, are the pdd.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Self

import numpy as np

import handread.inference.observer as observing
import handread.papers.loki.model as models
from handread.arrays import Floats
from handread.cards import Card
from handread.game.rules import STUD
from handread.game.steps import DealtStreet, Decision, DecisionPoint, Replay
from handread.history import Action, History
from handread.odds.htpd import Operator, lifted
from handread.papers.loki.income import incomes, incomes_by_pair, starts
from handread.papers.loki.strength import StreetStrength
from handread.policy import legal_actions

CERTAIN = 0.98
"""An action at least this frequent, with more aggressive ones, says nothing on the hand."""


@dataclass(frozen=True)
class LokiReader:
    """The reader of Billings et al. 1998, for seven-card stud high.

    By default it has one model for all players (GOM). With ``reweighs`` False it re-weighs on 3rd
    street only, as the paper's players without opponent modelling do.
    """

    name: str = "loki"
    model: models.ActionModel = field(default_factory=models.shipped_model)
    reweighs: bool = True

    @property
    def terms(self) -> str:
        """The name, and a digest of the frequencies and counts."""
        streets = "every street" if self.reweighs else "3rd street"
        return f"{self.name} ({self.model.digest}, re-weighs on {streets})"

    @property
    def games(self) -> Sequence[str]:
        """Seven-card stud high."""
        return (STUD.key,)

    @property
    def learns(self) -> bool:
        """True for specific modelling."""
        return self.model.enough is not None

    def observer(self, history: History, ties: observing.TieRule) -> "LokiObserver":
        """Return an observer of a hand before its first card."""
        return LokiObserver(self, history, ties)

    def after(self, replay: Replay, observed: Sequence[observing.ObservedStreet]) -> Self:  # noqa: ARG002 - counts need no beliefs
        """Return the reader with the actions of a hand counted, by player."""
        if not self.learns:
            return self
        return replace(self, model=self.model.after(replay.history, replay.decisions))


def specific_reader() -> LokiReader:
    """Return the reader with a model for each player, after enough actions (SOM)."""
    return LokiReader("loki-specific", replace(models.shipped_model(), enough=models.ENOUGH))


def basic_reader() -> LokiReader:
    """Return the reader that re-weighs on 3rd street only (BPM, BPT, BPL)."""
    return LokiReader("loki-basic", reweighs=False)


class LokiObserver:
    """The weights of all seats during one hand; ``pdds`` are of active seats and sum to 1."""

    def __init__(self, reader: LokiReader, history: History, ties: observing.TieRule) -> None:
        self._model, self._reweighs = reader.model, reader.reweighs
        self._players = {
            seat.number: models.player_key(history, seat.number) for seat in history.seats
        }
        self._bets = history.stakes.bets if history.stakes is not None else ()
        self._ties = ties
        self._street: DealtStreet | None = None
        self.pdds: dict[int, Floats] = {}
        self._belief: observing.Belief | None = None
        self._strength: StreetStrength | None = None
        self._costs = models.Costs()
        self._start_weights: dict[int, Floats] = {}
        self._operators: dict[int, Operator] = {}
        self._first_two: dict[int, Floats] = {}
        self._third: dict[int, Floats] = {}
        self._reference: dict[int, Floats] = {}

    @property
    def belief(self) -> observing.Belief:
        """The belief after the last event; its pdds are the weights, scaled to sum to 1."""
        if self._belief is None:
            assert self._street is not None, "no card has been dealt"
            unseen = self.strength.unseen
            if not self._operators:
                self._operators = {
                    seat: observing.operator_of(self._street, seat, unseen) for seat in self.pdds
                }
            number, operators = self._street.number, self._operators
            self._belief = observing.Belief(number, operators, self.pdds, self._first_two)
        return self._belief

    @property
    def strength(self) -> StreetStrength:
        """Hand strengths and potentials on the street, by the weights ``pdds``."""
        assert self._strength is not None, "no card has been dealt"
        return self._strength

    def deal(self, street: DealtStreet) -> Mapping[int, float]:
        """Drop the holdings whose cards are visible."""
        self._street, self._belief, self._operators = street, None, {}
        self._strength = StreetStrength(street)
        unseen, before, seats = self.strength.unseen, self.pdds, street.active
        if before:
            kept = {seat: observing.pruned(before[seat], unseen) for seat in seats}
        else:
            even = unseen.live_pairs / np.count_nonzero(unseen.live_pairs)
            kept = dict.fromkeys(seats, (even, 0.0))
        self._first_two = {seat: pdd for seat, (pdd, _) in kept.items()}
        self.pdds = {seat: self._lifted(pdd) for seat, pdd in self._first_two.items()}
        if street.number <= models.FIRST_STREET + 1:
            self._third = self._first_two
        else:
            self._third = {seat: observing.pruned(self._third[seat], unseen)[0] for seat in seats}
        self._reference = {}
        return {seat: bits for seat, (_, bits) in kept.items()}

    @property
    def bet(self) -> int:
        """The bet of the street, in minor units."""
        assert self._street is not None, "no card has been dealt"
        return self._bets[self._street.number - models.FIRST_STREET]

    def door(self, seat: int) -> Card:
        """Return the first upcard of a seat."""
        assert self._street is not None, "no card has been dealt"
        return observing.seat_cards(self._street, seat)[0]

    def frequencies(self, spot: DecisionPoint) -> Floats:
        """Return the frequencies of the kinds of action of the player to act (3,); 0 if illegal."""
        street, cost = spot.street - models.FIRST_STREET, self._costs.cost(spot)
        known = self._model.frequencies(self._players[spot.seat], street, cost)
        legal = np.zeros(known.size)
        legal[[models.KIND_OF[action] for action in legal_actions(spot)]] = 1.0
        legal[models.FOLD] = spot.can_fold  # some fold with nothing to call
        return known * legal / (known @ legal)

    def observe(self, decision: Decision) -> observing.Update:
        """Re-weigh the holdings of the actor."""
        belief, seat = self.belief, decision.seat
        factors, chance = self._taken(decision)
        chances, even = belief.holding_chances(seat, self._ties), np.full(factors.size, chance)
        self._belief, update = observing.reweigh(
            belief, decision, factors, chances, action_probs=even, evidence=chance
        )
        self.pdds = dict(self._belief.pdds)
        return update

    def follow(self, decision: Decision) -> None:
        """Re-weigh the holdings of the actor like ``observe``, but without the final hands."""
        seat = decision.seat
        if decision.action == Action.FOLD:
            self._costs.add(decision)
            self.pdds = {other: pdd for other, pdd in self.pdds.items() if other != seat}
            self._belief = None
            return
        factors, _ = self._taken(decision)
        joint = self.pdds[seat] * factors
        total = float(joint.sum())
        if total > 0.0 and factors.min() < factors.max():
            self.pdds = {**self.pdds, seat: joint / total}
            self._belief = None

    def _taken(self, decision: Decision) -> tuple[Floats, float]:
        """Return the factors of an action and its probability, and count its cost."""
        frequencies = self.frequencies(decision)
        kind = models.KIND_OF[decision.action]
        factors = self._factors(decision, kind, frequencies)
        self._costs.add(decision)
        return factors, float(frequencies[kind])

    def _factors(self, decision: Decision, kind: int, frequencies: Floats) -> Floats:
        """Return the re-weighting factor of each holding of the actor (Figure 3)."""
        seat = decision.seat
        weights = self.pdds[seat]
        if not self._reweighs and decision.street > models.FIRST_STREET:
            return np.ones(weights.size)
        if kind == models.FOLD and decision.to_call == 0:
            return np.ones(weights.size)  # not a choice by the strength of the hand
        if kind != models.FOLD and frequencies[kind:].sum() > CERTAIN:
            return np.ones(weights.size)
        if decision.street == models.FIRST_STREET:
            # The share of all starts that takes the action, whatever the door card.
            among = self._start_weights.get(seat, starts().ways)
            needed = models.threshold(kind, frequencies, incomes(), among, models.INCOME_SPREAD)
            self._start_weights[seat] = among * needed.factors(incomes())
            return needed.factors(incomes_by_pair(self.door(seat)))
        values, strengths = self.strength.effective(seat, self.pdds), self._model.strengths
        if strengths is None:
            needed = models.threshold(
                kind, frequencies, values, self._entered(seat), models.STRENGTH_SPREAD
            )
        else:
            situation = decision.street - models.FIRST_STREET, self._costs.cost(decision)
            needed = models.strength_threshold(kind, frequencies, strengths[situation])
        return needed.factors(values)

    def _entered(self, seat: int) -> Floats:
        """Return the weights of a seat by 3rd street alone: its hands when it saw 4th street.

        Thresholds are quantiles of these, so that a hand that bets on one street may bet on the
        next. By the weights after a bet, only the best hands would bet again.
        """
        if seat not in self._reference:
            self._reference[seat] = self._lifted(self._third[seat])
        return self._reference[seat]

    def _lifted(self, pdd: Floats) -> Floats:
        """Return a pdd over the first two downcards as a pdd over the holdings of the street."""
        street = self._street
        assert street is not None, "no card has been dealt"
        if street.number < street.game.last or street.shared is not None:
            return pdd
        return lifted(self.strength.unseen, pdd)
