"""Decisions: rollouts by particles against exact ones on the same cards, and two runs of each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from time import process_time

import numpy as np

from handread.arrays import Floats
from handread.decisions.decision_values import DecisionValue, decision_value
from handread.decisions.particles import particle_rollouts
from handread.decisions.rollouts import Futures, HouseRake, RollOut, draw_futures, exact_rollouts
from handread.decisions.turns import LegalAction, Turn
from handread.formats.saund_read import read_game
from handread.inference.players import Model, PlayerModels
from handread.policy import legal_actions, load_policy
from handread.simulate import Setup, read_games, seated
from handread.study.decision_samples import drawn_turns
from tests.benchmarks.timing import Row, as_time

SEVEN_CARDS, FIVE_CARDS = "bets 1 1 2 2 2 raises 4", "bets 1 1 2 2 raises 4"
TABLES = {
    "people, stud": ("people", f"stud ante .25 bring-in .25 {SEVEN_CARDS}", 30),
    "default, stud": ("default", f"stud ante .25 bring-in .25 {SEVEN_CARDS}", 30),
    "people, razz": ("people", f"razz ante .25 bring-in .25 {SEVEN_CARDS}", 14),
    "people, hi/lo": ("people", f"stud8 ante .25 bring-in .25 {SEVEN_CARDS}", 13),
    "people, five-card": ("people", f"5stud ante .25 bring-in 0 {FIVE_CARDS}", 13),
}
"""The players, the game, and the number of decisions, one of a game."""

ROLLOUTS, RUN, SEED = 60, 400, 11
"""The rollouts of a comparison and of a run, and the random seed."""

NO_RAKE = HouseRake()

TINY = 1e-9
"""Standard errors below so many big bets are errors of rounding: chance decides nothing."""


def rows() -> Iterator[Row]:
    """Particles against the exact observer on the same futures, then particles against themselves.

    Values are in big bets. The noise is what the futures leave of the difference; what is beyond it
    is the error of the particles.
    """
    everything = []
    for name, (policy, game, n) in TABLES.items():
        turns = list(drawn(policy, game, n))
        found = [compared(turn, i) for i, turn in enumerate(turns)]
        everything += found
        yield from summary(name, found)
        yield from agreement(name, turns)
    yield from summary("all of these", everything)


def drawn(policy: str, game: str, n: int) -> Iterator[Turn]:
    """Yield a random decision of each of n games."""
    unit, stakes, variant = read_game(game)
    players = PlayerModels(Model(load_policy(policy)))
    setup = Setup(players, seated(players, 7), stakes, unit, game=variant)
    for number, (_, read) in enumerate(read_games(setup, SEED, range(n))):
        can = [d for d in read.replay.decisions if len(legal_actions(d)) > 1]
        yield from drawn_turns(read, can, 1, np.random.default_rng((SEED, number)))


Compared = tuple[list[tuple[float, float]], tuple[float, float] | None, float, float, int]
"""By action that is no fold the difference of the means and its standard error; that of raise less
call; the seconds of the particles and of the exact observer; and the continuations of each."""


def compared(turn: Turn, number: int) -> Compared:
    """Play the same futures of a decision on in both ways."""
    options = turn.options
    futures = draw_futures(turn, ROLLOUTS, np.random.default_rng((SEED, number)))
    particles, quick = _timed(particle_rollouts, turn, options, futures)
    exact, slow = _timed(exact_rollouts, turn, options, futures)
    apart = (particles - exact) / turn.big_bet
    actions = [option.action for option in options]
    raises = [i for i, action in enumerate(actions) if action in ("bet", "raise")]
    calls = [i for i, action in enumerate(actions) if action in ("check", "call")]
    both = [_mean(apart[:, i] - apart[:, j], futures.weights) for i in raises for j in calls]
    played = [i for i, action in enumerate(actions) if action != "fold"]
    each = [_mean(apart[:, i], futures.weights) for i in played]
    return each, both[0] if both else None, quick, slow, ROLLOUTS * len(played)


def _timed(
    roll_out: RollOut, turn: Turn, options: Sequence[LegalAction], futures: Futures
) -> tuple[Floats, float]:
    start = process_time()
    found = roll_out(turn, options, futures, NO_RAKE)
    return found.nets, process_time() - start


def _mean(values: Floats, weights: Floats) -> tuple[float, float]:
    total = weights.sum()
    mean = float(weights @ values / total)
    return mean, float(np.sqrt((((values - mean) * weights / total) ** 2).sum()))


def summary(name: str, found: Sequence[Compared]) -> Iterator[Row]:
    """The bias and the error of the particles, and the time of a continuation."""
    both = [one[1] for one in found if one[1] is not None]
    for what, pairs in (
        ("value", [pair for one in found for pair in one[0]]),
        ("raise-call", both),
    ):
        means, noise = np.array(pairs).T
        error = means.std(ddof=1) / np.sqrt(means.size)
        beyond = float(np.sqrt(max(0.0, (means**2 - noise**2).mean())))
        note = (
            f"rms {np.sqrt((means**2).mean()):.2f}, noise {np.sqrt((noise**2).mean()):.2f}, "
            f"beyond it {beyond:.2f}; {means.size} {what}s"
        )
        yield Row(f"{name}, bias of {what}", f"{means.mean():+.3f} ±{error:.3f}", note)
    continuations = sum(one[4] for one in found)
    quick, slow = (sum(one[i] for one in found) / continuations for i in (2, 3))
    note = f"exact {as_time(slow)}, {slow / quick:.0f} times"
    yield Row(f"{name}, a continuation", as_time(quick), note)


def agreement(name: str, turns: Sequence[Turn]) -> Iterator[Row]:
    """Two runs with seeds of their own: the best action where the first calls the cost sure.

    The scatter is that of the gains between the runs over their stated standard errors: 1 if these
    are right, more if the particles, which all rollouts of a run share, add to them.
    """
    costly = same = best = 0
    scores: list[float] = []
    for number, turn in enumerate(turns):
        one, other = (valued(turn, seed, number) for seed in (1, 2))
        best += one.best.action == other.best.action
        if one.is_costly:
            costly += 1
            same += one.best.action == other.best.action
        for a, b in zip(one.actions, other.actions, strict=True):
            if min(a.gain_error, b.gain_error) > TINY * turn.big_bet:
                scores.append((a.gain - b.gain) / float(np.hypot(a.gain_error, b.gain_error)))
    note = f"where the cost is sure; {best} of {len(turns)} in all"
    yield Row(f"{name}, same best action", f"{same} of {costly}", note)
    scatter = float(np.sqrt(np.mean(np.square(scores))))
    yield Row(f"{name}, scatter of gains", f"{scatter:.2f}", f"{len(scores)} gains, two runs")


def valued(turn: Turn, seed: int, number: int) -> DecisionValue:
    """Value a decision in a run."""
    futures = draw_futures(turn, RUN, np.random.default_rng((seed, number)))
    return decision_value(turn, particle_rollouts(turn, turn.options, futures, NO_RAKE))
