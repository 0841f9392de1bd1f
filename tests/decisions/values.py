"""Learned values for tests: any weights make a value function."""

from __future__ import annotations

from functools import cache

import numpy as np

from handread.decisions.learned import CHANCES, LearnedValues, Weights
from handread.decisions.states import KINDS, NUMBERS, expanded, mean_terms
from handread.game.rules import STUD, Stakes, Variant
from handread.history import Seat
from handread.inference.hand_analysis import Analysis
from handread.inference.players import player_models
from handread.simulate import Setup, watched_games

PLAYERS = player_models("loose")
"""Players who often show down, by a policy that no fit changes."""


@cache
def invented(game: Variant = STUD) -> LearnedValues:
    """A value function with random weights."""
    rng = np.random.default_rng(5)
    n = len(NUMBERS)
    size = expanded(np.zeros((1, n)), np.zeros(1, dtype=int), len(game.streets)).shape[1]
    weights = {
        kind: Weights(
            rng.random(n),
            np.ones(n),
            rng.normal(0.0, 0.01, size),
            rng.normal(0.0, 0.01, len(mean_terms(len(game.streets)))),
        )
        for kind in KINDS
    }
    cells = len(game.streets), len(CHANCES) + 1
    errors = {"called": 0.1, "raised": 0.1, "gain": 0.05}
    errors_of = {name: np.full(cells, error) for name, error in errors.items()}
    return LearnedValues("invented", (), game.key, weights, errors_of, {})


@cache
def played(
    game: Variant = STUD, n: int = 3, stack: int | None = None, games: int = 3
) -> tuple[Analysis, ...]:
    """Simulated games; ``stack`` is that of the first seat, and every other has more."""
    seats = tuple(
        Seat(place, f"people-{place}", None if stack is None else stack * place)
        for place in range(1, n + 1)
    )
    stakes = Stakes(25, 25, game.bets(100, 200))
    return tuple(watched_games(Setup(PLAYERS, seats, stakes, game=game), 11, range(games)))
