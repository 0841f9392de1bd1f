"""Costs: how often repeated runs have the true cost in their 95% intervals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from handread.decisions.particles import particle_rollouts
from handread.decisions.rollouts import HouseRake, Rollouts, draw_futures
from handread.decisions.turns import Option, Turn, turns
from handread.decisions.values import REACH, decision_value
from handread.game.rules import VARIANTS
from handread.inference.players import player_models
from handread.simulate import watched_games
from handread.study.fit.value_games import random_setup
from tests.benchmarks.timing import Row

DECISIONS = {"stud": 150, "stud8": 50, "razz": 50, "5stud": 50}
RUNS, ROLLOUTS, SEED = 5, 300, 991
"""The runs of a decision, the rollouts of each, and the random seed."""

NO_RAKE = HouseRake()


def rows() -> Iterator[Row]:
    """The share of runs whose interval has the cost by the other runs, with 300 and 100 rollouts.

    The error of the other runs is allowed for. Showdowns are left to the rollouts here, though
    their values are known.
    """
    found: dict[int, list[bool]] = {ROLLOUTS: [], ROLLOUTS // 3: []}
    for turn in drawn():
        options = turn.options()
        runs = [rolled(turn, options, run) for run in range(RUNS)]
        for i, run in enumerate(runs):
            truth, error = cost_by(turn, options, [*runs[:i], *runs[i + 1 :]])
            for n, inside in found.items():
                part = Rollouts(run.actions, run.nets[:n], run.weights[:n])
                value = decision_value(turn, options, part)
                reach = REACH * float(np.hypot(value.error, error))
                inside.append(abs(value.cost - truth) <= reach + 1e-9 * turn.big_bet)
    for n, inside in found.items():
        note = f"{len(inside):,} runs of {len(inside) // RUNS} decisions"
        yield Row(f"true cost in the interval, {n} rollouts", f"{np.mean(inside):.1%}", note)


def drawn() -> Iterator[Turn]:
    """Decisions of two streets a game, at tables, stacks and stakes of all kinds."""
    for key, wanted in DECISIONS.items():
        game, players = VARIANTS[key], player_models("people").in_game(key)
        number, left = 0, wanted
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


def rolled(turn: Turn, options: Sequence[Option], run: int) -> Rollouts:
    """The rollouts of a run."""
    futures = draw_futures(turn, ROLLOUTS, np.random.default_rng((run, turn.decision.n)))
    return particle_rollouts(turn, options, futures, NO_RAKE)


def cost_by(turn: Turn, options: Sequence[Option], runs: Sequence[Rollouts]) -> tuple[float, float]:
    """The cost by several runs together, and its standard error."""
    nets = np.concatenate([run.nets for run in runs])
    weights = np.concatenate([run.weights for run in runs])
    value = decision_value(turn, options, Rollouts(runs[0].actions, nets, weights))
    return value.best.gain, value.best.gain_error
