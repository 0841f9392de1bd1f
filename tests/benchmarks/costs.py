"""Costs: how often intervals have the true cost, and what rollouts say of estimated ones.

``python -m tests.benchmarks.costs GAME ...`` measures the decisions of some games alone.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import count

import numpy as np

from handread.decisions.decision_values import (
    REACH,
    SURE,
    DecisionValue,
    LearnedValuation,
    decision_value,
)
from handread.decisions.particles import particle_rollouts
from handread.decisions.rollouts import HouseRake, Rollouts, draw_futures
from handread.decisions.states import HandTurns
from handread.decisions.turns import Turn, turns
from handread.game.rules import VARIANTS
from handread.inference.players import player_models
from handread.simulate import watched_games
from handread.study.fit.value_games import random_setup
from tests.benchmarks.timing import Row

DECISIONS = {"stud": 120, "stud8": 60, "razz": 60, "5stud": 60}
RUNS, ROLLOUTS, TRUTH, SEED = 3, 300, 2000, 991
"""The runs of a decision, the rollouts of each, those of the true cost, and the random seed."""

NO_RAKE = HouseRake()

CALLED_COSTLY, MORE = 40, 1000
"""The decisions of a game that learned values call costly, and the rollouts that check each."""


def rows(games: Sequence[str] = tuple(DECISIONS)) -> Iterator[Row]:
    """Both figures."""
    yield from intervals(games)
    for game in games:
        yield from estimates(game)


def estimates(key: str) -> Iterator[Row]:
    """What rollouts say of decisions that learned values call costly.

    A decision is confirmed if the action taken costs more than chance, reversed if the action that
    was said to be better is worse, and close otherwise.
    """
    counts, costs = dict.fromkeys(("confirmed", "close", "reversed"), 0), []
    for value, again in compared(key, CALLED_COSTLY):
        better = next(one for one in again.actions if one.action == value.best.action)
        sure = abs(better.gain) > SURE * better.gain_error
        verdict = "close" if not sure else "confirmed" if better.gain > 0.0 else "reversed"
        counts[verdict] += 1
        costs.append((value.cost / value.big_bet, better.gain / value.big_bet))
    said, found = np.mean(costs, axis=0)
    note = ", ".join(f"{n} {verdict}" for verdict, n in counts.items())
    yield Row(f"cost by learned values and by rollouts, {key}", f"{said:.2f}, {found:.2f}", note)


def compared(key: str, n: int) -> Iterator[tuple[DecisionValue, DecisionValue]]:
    """The values of n decisions that learned values call costly, and those by many rollouts."""
    game, players = VARIANTS[key], player_models("people").in_game(key)
    for number in count():
        setup = random_setup(players, game, SEED, number)
        (analysis,) = watched_games(setup, SEED, range(number, number + 1))
        made = HandTurns.of(analysis)
        values = LearnedValuation(rake=NO_RAKE).of_hand(analysis, made=made)
        for turn, value in zip(made.turns, values, strict=True):
            if value.low > 0.0:  # in five-card stud no verdict is given
                yield value, decision_value(turn, rolled(turn, 0, MORE))
                n -= 1
                if not n:
                    return


def intervals(games: Sequence[str]) -> Iterator[Row]:
    """The share of runs whose interval has the cost by many more rollouts.

    The error of these is allowed for. Runs of 300 rollouts, and each third of them. Showdowns are
    left to the rollouts here, though their values are known.
    """
    found: dict[int, list[bool]] = {ROLLOUTS: [], ROLLOUTS // 3: []}
    decisions = 0
    for turn in drawn(games):
        decisions += 1
        truth, error = cost_by(turn, rolled(turn, RUNS, TRUTH))
        for run in range(RUNS):
            whole = rolled(turn, run, ROLLOUTS)
            for n, inside in found.items():
                for first in range(0, ROLLOUTS, n):
                    here = slice(first, first + n)
                    part = Rollouts(whole.nets[here], whole.weights[here])
                    value = decision_value(turn, part)
                    reach = REACH * float(np.hypot(value.error, error))
                    inside.append(abs(value.cost - truth) <= reach + 1e-9 * turn.big_bet)
    for n, inside in found.items():
        note = f"{sum(inside):,} of {len(inside):,} runs of {decisions} decisions"
        yield Row(f"true cost in the interval, {n} rollouts", f"{np.mean(inside):.1%}", note)


def drawn(games: Iterable[str]) -> Iterator[Turn]:
    """Decisions of two streets a hand, at tables, stacks and stakes of all kinds."""
    for key in games:
        game, players = VARIANTS[key], player_models("people").in_game(key)
        number, left = 0, DECISIONS[key]
        while left:
            setup = random_setup(players, game, SEED, number)
            (analysis,) = watched_games(setup, SEED, range(number, number + 1))
            rng = np.random.default_rng((SEED, number))
            by_street: dict[int, list[Turn]] = {}
            for turn in turns(analysis):
                by_street.setdefault(turn.table.street, []).append(turn)
            for street in rng.permutation(list(by_street)).tolist()[: min(2, left)]:
                yield by_street[street][int(rng.integers(len(by_street[street])))]
                left -= 1
            number += 1


def rolled(turn: Turn, run: int, n: int) -> Rollouts:
    """The rollouts of a run."""
    futures = draw_futures(turn, n, np.random.default_rng((run, turn.decision.n)))
    return particle_rollouts(turn, turn.options, futures, NO_RAKE)


def cost_by(turn: Turn, rollouts: Rollouts) -> tuple[float, float]:
    """The cost by many rollouts, and its standard error."""
    best = decision_value(turn, rollouts).best
    return best.gain, best.gain_error


if __name__ == "__main__":
    for row in rows(sys.argv[1:]):
        print(row.what, row.figure, row.note)
