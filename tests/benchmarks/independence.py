"""What the independence shortcut costs: ``python -m tests.benchmarks.independence [GAMES [DRAWS]]``

Simulates seven-handed games of the default policy, and prints by stage, in bits and with standard
errors over games, what it costs to take seats as independent instead of dealing all downcards
together. Of each observer: the divergence of the independent chances from the joint ones, which
is the cost on average over what the observer takes for possible; and how much further the
independent chances were from what was really dealt. Then what equation 1 loses with all downcards
known. The cards-only observer does not expect the hands that players stay in with, so its two
figures need not agree.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from time import perf_counter

import numpy as np

from handread.analysis import analyze_replay
from handread.joint import cost_table, cost_text
from handread.lineup import lineup
from handread.policy import load_policy
from handread.reading import Analysis
from handread.simulate import Setup, play_games

SEED = 1
GAMES = 250
DRAWS = 20_000


def read_games(games: int, seed: int = SEED) -> Iterator[Analysis]:
    """Simulated games as the public observer read them while they were played."""
    setup = Setup(lineup(load_policy("default")))
    for game in play_games(setup, seed, range(games)):
        yield analyze_replay(game.replay, setup.lineup, ties=setup.ties, watched=game.watched)


def main(arguments: list[str]) -> int:
    """Print the table; the exit status."""
    if len(arguments) > 2 or not all(argument.isdecimal() for argument in arguments):
        print("usage: python -m tests.benchmarks.independence [GAMES [DRAWS]]", file=sys.stderr)
        return 2
    games, draws = [int(argument) for argument in arguments] + [GAMES, DRAWS][len(arguments) :]
    start = perf_counter()
    table = cost_table(read_games(games), draws, np.random.default_rng(SEED))
    print(f"{games} games, {draws:,} deals a stage and observer; bits, ± standard error")
    print(cost_text(table))
    print(f"{perf_counter() - start:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
