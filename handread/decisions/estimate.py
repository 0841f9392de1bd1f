"""Decisions valued without rollouts, by a learned value function: for many hands."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from handread.decisions.learned import LearnedValues, learned_values
from handread.decisions.rollouts import HouseRake
from handread.decisions.states import HandTurns, States
from handread.decisions.turns import Turn, turns_by
from handread.decisions.values import (
    DecisionValue,
    action_values,
    cost_error,
    exact_gain,
    house_rake,
)
from handread.inference.hand import Analysis
from handread.inference.players import PlayerModels


@dataclass(frozen=True, slots=True)
class LearnedValuation:
    """The settings by which decisions are valued by learned values.

    Their errors are those measured when the values were fitted.
    """

    # the value function; None for that of the policy of each hand
    learned: LearnedValues | None = None
    # models by which costly decisions are valued once more; None for none
    check: PlayerModels | None = None
    rake: HouseRake | None = None  # the rake; None for that of each hand

    def values_for(self, analysis: Analysis) -> LearnedValues:
        """Return the value function of a hand; raise ``PolicyError`` if its policy has none."""
        return self.learned or learned_values(analysis.players, analysis.replay.history.variant)

    def of_hand(
        self, analysis: Analysis, seats: set[int] | None = None, made: HandTurns | None = None
    ) -> Iterator[DecisionValue]:
        """Yield the values of the decisions of players whose downcards are known, in order.

        With ``seats``, only those of these seats. ``made`` are the turns of the hand, if they are
        known.

        Raises:
            PolicyError: No values have been learned for the policy in this game.
            ValueError: The analysis is that of a reader without policies.
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
    options = turn.options
    found = learned.of_turn(states, turn, options, rake)
    at = [option.action for option in options].index(turn.taken)
    gains, errors = found.q - found.q[at], found.gain_errors(at)
    cost = max(0.0, float(gains.max()))
    return DecisionValue(
        turn.decision,
        turn.down,
        turn.players.name,
        turn.big_bet,
        action_values(turn, options, found.q, found.errors, gains, errors),
        cost,
        cost_error(cost, gains, errors),
        0,
        turn.real,
        least=exact_gain(found.q, found.apart == 0.0, at),
    )
