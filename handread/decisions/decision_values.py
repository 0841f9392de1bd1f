"""The value of each legal action of a decision, and the cost of the action taken.

Q(action) is the expected net of the actor from the decision on, in chips, if the action is taken
and everybody then plays by the policies; the hidden cards are drawn from the reads of the actor.
The cost of a decision is the best Q less the Q of the action taken. The best action is chosen on
one half of the rollouts and scored on the other, and vice versa, so that chance is not called a
mistake. Its interval allows for another best action. For many hands a learned value function
replaces rollouts.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from handread.arrays import Flags, Floats
from handread.bits import divergence_bits, weighted_sum
from handread.cards import Card
from handread.decisions.learned import LearnedValues, learned_values
from handread.decisions.particles import particle_rollouts
from handread.decisions.rollouts import HouseRake, RollOut, Rollouts, draw_futures
from handread.decisions.showdowns import Showdowns
from handread.decisions.states import HandTurns, States
from handread.decisions.turns import Turn, turns, turns_by
from handread.game.steps import Decision, Replay
from handread.inference.hand_analysis import Analysis
from handread.inference.players import Model, PlayerModels

SURE = 2.0
"""A cost beyond this many standard errors is more than chance."""

REACH = 1.96
"""Standard errors on either side of a 95% interval."""

FEW_REAL = 10
"""With fewer real decisions like this the policies are guesswork, and there is no verdict."""

MOST_UNEVEN = 1.5
"""The least number of effective draws in the correction of a mean's standard error."""


@dataclass(frozen=True, slots=True)
class ActionValue:
    """The value of an action. Amounts are in minor units.

    Attributes:
        action: The action as policies name it.
        to: The actor's total on the street after it.
        q: Expected net chips from the decision on; 0 for a fold.
        error: Standard error of ``q``.
        gain: ``q`` less the ``q`` of the action taken.
        gain_error: Standard error of ``gain``, from the same deals.
        table_bits: Information that the action gives the table about the actor's downcards.
        read: The actor's pdd for the table after the action (holdings,); None for a bring-in.
    """

    action: str
    to: int
    q: float
    error: float
    gain: float
    gain_error: float
    table_bits: float
    read: Floats | None = field(compare=False)


@dataclass(frozen=True, slots=True, repr=False)
class DecisionValue:
    """The values of the actions of a decision. Amounts are in minor units.

    Attributes:
        decision: The decision with the action taken.
        down: The actor's downcards.
        policy: Name of the policies that play the hand on.
        big_bet: The bet of the last street.
        actions: The legal actions, from fold to raise.
        cost: Best ``q`` less the ``q`` of the action taken, each half of the rollouts scored with
            the best action of the other; chance may make it negative. 0 if the action taken is
            best.
        error: Standard error of ``cost``, as ``cost_error``; 0 if there is no doubt.
        rollouts: Number of rollouts; 0 for learned values, and if all values are exact.
        real: Number of real decisions like this in the fit of the policies; None if unknown.
        checked: The values by other policies, if any.
        least: The lowest possible cost: the gain of the best action if its value and the value of
            the action taken are exact; otherwise 0.
    """

    decision: Decision
    down: tuple[Card, ...]
    policy: str
    big_bet: int
    actions: tuple[ActionValue, ...]
    cost: float
    error: float
    rollouts: int
    real: int | None = None
    checked: DecisionValue | None = None
    least: float = 0.0

    def __repr__(self) -> str:
        each = ", ".join(f"{a.action} {a.q:.0f}" for a in self.actions)
        return f"<DecisionValue of {self.decision.n}, {self.taken.action}: {each}>"

    @property
    def taken(self) -> ActionValue:
        """The action taken."""
        return next(option for option in self.actions if option.action == self.decision.action)

    @property
    def best(self) -> ActionValue:
        """The action with the highest value; the action taken if it is as good as any."""
        best = max(self.actions, key=lambda one: one.q)
        return self.taken if self.taken.q >= best.q else best

    @property
    def is_best(self) -> bool:
        """True if no action is worth more than the action taken."""
        return self.best is self.taken

    @property
    def low(self) -> float:
        """The lower end of the 95% interval of the cost; lists are ordered by it."""
        return self.least or self.cost - REACH * self.error

    @property
    def high(self) -> float:
        """The upper end of the 95% interval of the cost."""
        return self.cost + REACH * self.error

    @property
    def is_costly(self) -> bool:
        """True if the cost is more than chance, under these policies, and they know such spots."""
        return self.is_sure and not self.is_rare

    @property
    def is_sure(self) -> bool:
        """True if the cost is more than chance, under these policies."""
        return not self.is_best and (self.least > 0.0 or self.cost > SURE * self.error)

    @property
    def is_checked(self) -> bool:
        """True if the values come from rollouts or are exact; others are estimates."""
        return self.rollouts > 0 or not any(option.error for option in self.actions)

    @property
    def lead(self) -> float:
        """The lead of the best action over the next; 0 if chance or a rare spot may explain it."""
        gains = [
            (self.best.gain - option.gain, SURE * (self.best.gain_error + option.gain_error))
            for option in self.actions
            if option is not self.best
        ]
        is_certain = all(gain > within for gain, within in gains)
        judged = is_certain and not self.is_rare and (self.is_best or self.is_costly)
        return min(gains)[0] if judged and gains else 0.0

    @property
    def is_rare(self) -> bool:
        """True if the fit of the policies had few real decisions like this, unless it is lost."""
        return self.real is not None and self.real < FEW_REAL and not self.is_lost

    @property
    def is_lost(self) -> bool:
        """True for a call that ends the betting and wins less than 1 time in 100, by exact sums."""
        taken, price = self.taken, self.decision.to_call
        return not taken.error and 0 < 0.99 * price <= -taken.q

    @property
    def is_mistake(self) -> bool:
        """True if the cost is more than chance under both policies."""
        return self.is_costly and self.checked is not None and self.checked.is_costly

    @property
    def verdict(self) -> str:
        """One of "best", "close", "rare", "costly" (under the first policies alone) and "mistake".

        A cost beyond chance is "rare" if the policies know few real hands like this, or do not
        explain an opponent's actions.
        """
        if self.is_best:
            return "best"
        if not self.is_sure:
            return "close"
        if self.is_rare:
            return "rare"
        return "mistake" if self.is_mistake else "costly"


def decision_value(
    turn: Turn, rollouts: Rollouts | None, known: Sequence[float | None] = ()
) -> DecisionValue:
    """Return the values of a turn's actions from rollouts, or from ``known`` exact values."""
    if rollouts is None:
        nets, weights = np.array([known, known], dtype=np.float64), np.ones(2)
    else:
        nets, weights = _with_known(rollouts, known), rollouts.weights
    taken = turn.taken_at
    gains = _moments(nets - nets[:, [taken]], weights)
    cost = 0.0 if gains[0].max() <= 0.0 else _cost(nets, weights, taken)
    exact = [value is not None for value in known] or [False] * len(turn.options)
    n = 0 if rollouts is None else len(weights)
    return _valued(turn, _moments(nets, weights), gains, cost=cost, rollouts=n, exact=exact)


def _valued(
    turn: Turn,
    q: tuple[Floats, Floats],
    gains: tuple[Floats, Floats],
    cost: float,
    rollouts: int,
    exact: Sequence[bool] | Flags,
) -> DecisionValue:
    """Return the values of a turn's actions, from arrays (actions,) with standard errors.

    ``gains`` are over the action taken; ``exact`` marks the exact values.
    """
    before, values = turn.belief.pdds[turn.seat], q[0]
    actions = [
        ActionValue(
            action=option.action,
            to=option.table.player(turn.seat).put,
            q=float(value),
            error=float(error),
            gain=float(gain),
            gain_error=float(gain_error),
            table_bits=0.0
            if option.update is None
            else divergence_bits(option.update.after, before),
            read=None if option.update is None else option.update.after,
        )
        for option, value, error, gain, gain_error in zip(turn.options, *q, *gains, strict=True)
    ]
    best, taken = int(values.argmax()), turn.taken_at
    least = float(values[best] - values[taken]) if exact[best] and exact[taken] else 0.0
    if least:  # a half of the rollouts may prefer an action that is no better
        cost = max(cost, least)
    return DecisionValue(
        decision=turn.decision,
        down=turn.down,
        policy=turn.players.name,
        big_bet=turn.big_bet,
        actions=tuple(actions),
        cost=cost,
        error=cost_error(cost, *gains),
        rollouts=rollouts,
        real=turn.real,
        least=least,
    )


def _with_known(rollouts: Rollouts, known: Sequence[float | None]) -> Floats:
    """Return the nets (rollouts, actions), exact where a value is known.

    A call with a known value is a control variate of the other actions: they lose the excess of its
    rollouts over its value by their regression on it; all of it, if the call won the same in every
    rollout.
    """
    nets, weights = rollouts.nets.copy(), rollouts.weights / rollouts.weights.sum()
    sure = [i for i, value in enumerate(known) if value is not None]
    # Relative to the first row before the mean, so that a constant column has no spread.
    apart = nets - nets[0]
    apart -= np.einsum("r,ra->a", weights, apart)
    for i in sure:
        value = known[i]
        assert value is not None
        spread = weighted_sum(weights, apart[:, i] ** 2)
        excess = nets[:, i] - value
        for j in range(len(known)):
            if known[j] is None:
                together = weighted_sum(weights, apart[:, i] * apart[:, j])
                nets[:, j] -= excess * (together / spread if spread else 1.0)
        nets[:, i] = value
    return nets


def _moments(values: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """Return weighted means of columns (rollouts, actions) and errors, both 0 without weight."""
    given = weights.sum()
    total = given or 1.0
    effective = given**2 / weighted_sum(weights, weights) if given else 1.0
    # Relative to the first row, so that a constant column has exactly its value and no error.
    moved = np.einsum("r,ra->a", weights, values - values[0])
    means: Floats = moved / total + values[0] * (given / total)
    apart = (values - means) * (weights / total)[:, None]
    # Few draws with much weight scatter less about their own mean than about the true one.
    few = max(effective, MOST_UNEVEN) / (max(effective, MOST_UNEVEN) - 1.0)
    errors: Floats = np.sqrt(few * (apart**2).sum(axis=0))
    return means, errors


def _cost(nets: Floats, weights: Floats, taken: int) -> float:
    """Return the gain over the action taken of the best of each half, scored on the other half."""
    # Not every other rollout: rollouts side by side share the errors of their particles.
    middle = len(nets) // 2
    halves = slice(0, middle), slice(middle, None)
    means = [_moments(nets[half] - nets[half][:, [taken]], weights[half])[0] for half in halves]
    best = [int(half.argmax()) if half.max() > 0.0 else taken for half in means]
    return float(means[1][best[0]] + means[0][best[1]]) / 2.0


def cost_error(cost: float, gains: Floats, errors: Floats) -> float:
    """Return the standard error of a cost with a 95% interval that covers.

    The action that looks best may not be: half a sample may even choose the action taken, with a
    gain of 0 without an error. So the cost reaches from the highest lower end of the ``gains``
    (actions,) over the action taken to their highest upper end; the error is to the farther end.
    """
    low, high = (gains - REACH * errors).max(), (gains + REACH * errors).max()
    return max(0.0, float(high - cost), float(cost - low)) / REACH


def house_rake(replay: Replay) -> HouseRake:
    """Return the rake of a hand as a share of every pot."""
    return HouseRake(replay.rake / replay.pot, None) if replay.pot else HouseRake()


@dataclass(frozen=True, slots=True)
class Valuation:
    """The settings for valuing decisions by rollouts."""

    rollouts: int = 300  # number of rollouts of each decision
    roll_out: RollOut = particle_rollouts  # the way to play on
    # models for a second valuation of costly decisions; None for none
    check: PlayerModels | None = None
    seed: int = 1  # random seed; each decision has a stream of its own
    rake: HouseRake | None = None  # the rake; None for the rake of each hand
    only: Collection[int] | None = None  # numbers of the decisions to value; None for all
    then: Model | None = None  # how the player goes on after a decision; None as in the reads

    def of_turn(self, turn: Turn, rake: HouseRake) -> DecisionValue:
        """Return the values of the actions of a turn."""
        turn = replace(turn, then=self.then)
        known = Showdowns(turn, rake).nets(turn.options)
        if None not in known:
            return decision_value(turn, None, known)
        rng = np.random.default_rng((self.seed, turn.decision.n))
        futures = draw_futures(turn, self.rollouts, rng)
        return decision_value(turn, self.roll_out(turn, turn.options, futures, rake), known)

    def of_hand(
        self, analysis: Analysis, seats: set[int] | None = None, made: HandTurns | None = None
    ) -> Iterator[DecisionValue]:
        """Yield the values of decisions, as ``LearnedValuation.of_hand``."""
        rake = self.rake or house_rake(analysis.replay)
        others: Mapping[int, Turn] = {}
        for turn in turns(analysis, seats) if made is None else made.turns:
            if self.only is not None and turn.decision.n not in self.only:
                continue
            value = self.of_turn(turn, rake)
            if self.check is not None and value.is_costly:
                others = others or turns_by(self.check, analysis, seats)
                value = replace(value, checked=self.of_turn(others[turn.decision.n], rake))
            yield value


@dataclass(frozen=True, slots=True)
class LearnedValuation:
    """The settings for valuing decisions by learned values, with errors measured in their fit."""

    learned: LearnedValues | None = None  # the value function; None for each policy's
    # models for a second valuation of costly decisions; None for none
    check: PlayerModels | None = None
    rake: HouseRake | None = None  # the rake; None for the rake of each hand

    def values_for(self, analysis: Analysis) -> LearnedValues:
        """Return the value function of a hand; raise ``PolicyError`` if its policy has none."""
        return self.learned or learned_values(analysis.players, analysis.replay.history.variant)

    def of_hand(
        self, analysis: Analysis, seats: set[int] | None = None, made: HandTurns | None = None
    ) -> Iterator[DecisionValue]:
        """Yield the values of the decisions of players with known downcards, in order.

        Only those of ``seats``, if given. ``made`` are the turns of the hand, if already computed.

        Raises:
            PolicyError: No values have been learned for the policy in this game.
            ValueError: The reader of the analysis has no policies.
        """
        rake = self.rake or house_rake(analysis.replay)
        learned = self.values_for(analysis)
        made = made or HandTurns.of(analysis, seats)
        others, states = dict[int, Turn](), States(analysis.ties)
        for turn in made.turns:
            value = learned_decision(turn, learned, made.states, rake)
            if self.check is not None and value.is_costly:
                others = others or turns_by(self.check, analysis, seats)
                other = others[turn.decision.n]
                theirs = learned_values(other.players, other.table.game.key)
                value = replace(value, checked=learned_decision(other, theirs, states, rake))
            yield value


def learned_decision(
    turn: Turn, learned: LearnedValues, states: States, rake: HouseRake
) -> DecisionValue:
    """Return the values of the actions of a turn from learned values."""
    nets = learned.of_turn(states, turn, rake)
    gains = (nets.q - nets.q[turn.taken_at], nets.gain_errors(turn.taken_at))
    cost = max(0.0, float(gains[0].max()))
    return _valued(
        turn, (nets.q, nets.errors), gains, cost=cost, rollouts=0, exact=nets.apart == 0.0
    )
