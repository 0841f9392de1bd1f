"""Decisions valued without rollouts, by a learned value function: for many hands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from handread.bits import divergence_bits
from handread.decisions.learned import LearnedValues, States, learned_values
from handread.decisions.rollouts import HouseRake
from handread.decisions.turns import Option, Turn, turns
from handread.decisions.values import ActionValue, DecisionValue, house_rake
from handread.inference.analysis import analyze_replay
from handread.inference.players import PlayerModels
from handread.inference.values import Analysis


@dataclass(frozen=True, slots=True)
class LearnedValuation:
    """How decisions are valued by learned values.

    Their errors are those measured when the values were fitted.

    Attributes:
        learned: The value function; None for that of the policy of each hand.
        check: Models by which costly decisions are valued once more; None for none.
        rake: The rake; None for that of each hand.
    """

    learned: LearnedValues | None = None
    check: PlayerModels | None = None
    rake: HouseRake | None = None

    def of_hand(self, analysis: Analysis, seats: set[int] | None = None) -> Iterator[DecisionValue]:
        """Yield the values of the decisions of players whose downcards are known, in order.

        Args:
            analysis: The analysis of the hand.
            seats: Only those of these seats; None for all.

        Raises:
            PolicyError: No values have been learned for the policy in this game.
            ValueError: The analysis is that of a reader without policies.
        """
        replay = analysis.replay
        rake = self.rake or house_rake(replay)
        game = replay.history.variant
        learned = self.learned or learned_values(analysis.players, game)
        states = States(analysis.ties)
        others: Mapping[int, DecisionValue] | None = None
        for turn in turns(analysis, seats):
            value = learned_decision(turn, learned, states, rake)
            if self.check is not None and value.is_costly:
                if others is None:
                    again = analyze_replay(
                        replay, self.check.for_hand(replay.history), ties=analysis.ties
                    )
                    checking = LearnedValuation(rake=rake)
                    others = {v.decision.n: v for v in checking.of_hand(again, seats)}
                value = replace(value, checked=others[turn.decision.n])
            yield value


def learned_decision(
    turn: Turn, learned: LearnedValues, states: States, rake: HouseRake
) -> DecisionValue:
    """Return the values of the actions of a turn from learned values.

    Args:
        turn: The turn.
        learned: The value function.
        states: The states of the hand.
        rake: The rake. A player's part of it is taken to be that of what the player can expect
            to win.
    """
    options = turn.options()
    found = [_option_value(turn, option, learned, states, rake) for option in options]
    q = np.array([value for value, _, _ in found])
    at = [option.action for option in options].index(turn.taken)
    gains = [
        0.0 if i == at else _gain_error(turn, one, found[at], learned)
        for i, one in enumerate(found)
    ]
    best = int(q.argmax()) if q.max() > q[at] else at
    actions = tuple(
        ActionValue(
            action=option.action,
            to=option.table.player(turn.seat).put,
            q=float(q[i]),
            error=found[i][1],
            gain=float(q[i] - q[at]),
            gain_error=gains[i],
            table_bits=0.0
            if option.update is None
            else divergence_bits(option.update.after, turn.belief.pdds[turn.seat]),
            read=None if option.update is None else option.update.after,
        )
        for i, option in enumerate(options)
    )
    return DecisionValue(
        turn.decision,
        turn.down,
        turn.players.name,
        turn.big_bet,
        actions,
        float(q[best] - q[at]),
        gains[best],
        0,
    )


def _option_value(
    turn: Turn, option: Option, learned: LearnedValues, states: States, rake: HouseRake
) -> tuple[float, float, float]:
    """Return the net from the decision on after an action, its error, and the scale of the state.

    The scale is 0 after a fold.
    """
    if option.action == "fold":
        return 0.0, 0.0, 0.0
    table, seat = option.table, turn.seat
    paid = table.player(seat).paid - turn.table.player(seat).paid
    state = states.of(table, option.belief, seat, turn.down)
    value = learned.of_state(state)
    kept = rake.of(round(state.scale)) / state.scale * max(state.share, value, 0.0)
    name = "raised" if state.kind == "raised" else "called"
    error = learned.error(name, state.scale, turn.big_bet)
    return value - kept - paid, error, state.scale


def _gain_error(
    turn: Turn,
    one: tuple[float, float, float],
    other: tuple[float, float, float],
    learned: LearnedValues,
) -> float:
    """Return the standard error of the difference of two actions."""
    if not one[2] or not other[2]:  # one of them is a fold, the value of which is known
        return one[1] + other[1]
    return learned.error("gain", min(one[2], other[2]), turn.big_bet)
