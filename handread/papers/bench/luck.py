"""The check of the ledger: in games played by the policies luck has mean 0."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from handread.decisions.learned import LearnedValues
from handread.decisions.ledger import PARTS, TERMS, ledgers
from handread.runs import Run
from handread.simulate import Setup, watched_games
from handread.study.statistics import Estimate, FigureTable, Key
from handread.study.sums import Row, Study

RESULTS = ("net", "luck", "adjusted")

_NUMBERS = (*TERMS, *RESULTS)

_SIZE = 2 * len(_NUMBERS) + 1
"""Sums over the ledgers of a game: of each number, of its square, and the ledgers."""

MEAN, SQUARE, RATIO = "mean_big_bets", "mean_square", "variance_ratio"


@dataclass(frozen=True)
class LuckCheck(FigureTable):
    """Means of the terms of the ledgers, a player and hand, with errors by game.

    The groups are ``TERMS`` and ``RESULTS``; the figures ``MEAN`` and ``SQUARE``, in big bets and
    their squares, and ``RATIO``, the mean square of the adjusted result over the result's.
    ``ledgers`` counts the ledgers; the terms of each sum exactly to the chips won.
    """

    policy: str
    game: str
    games: int
    ledgers: int


def luck_check(setup: Setup, games: int, learned: LearnedValues, run: Run = Run()) -> LuckCheck:
    """Return the check of the ledger on simulated games, with values learned for the policy.

    Raises ``ValueError`` if the game is not analyzed.
    """
    met = setup.players.in_game(setup.game.key)
    found = Study(partial(luck_rows, setup, run.seed, learned), 2).sums(games, run)
    *means, seats = np.eye(_SIZE)
    figures: dict[Key, Estimate] = {}
    for place, name in enumerate(_NUMBERS):
        square = means[len(_NUMBERS) + place]
        weights = {MEAN: (means[place], seats), SQUARE: (square, seats)}
        figures |= found.figures("games", weights, group=name)
    # The results come last.
    net, _, own = means[-len(RESULTS) :]
    figures[Key(RATIO)] = found.figure("games", own, net)
    n = round(found.of("games", _SIZE).totals[-1])
    return LuckCheck(figures, met.rest.name, setup.game.key, found.games, n)


def luck_rows(setup: Setup, seed: int, learned: LearnedValues, number: int) -> Iterator[Row]:
    """Play a game, and yield the sum of its ledgers."""
    (read,) = watched_games(setup, seed, range(number, number + 1))
    big_bet = read.replay.stakes.bets[-1]
    found, missing = ledgers(read, learned)
    assert not missing, "all downcards of simulated games are known"
    total = np.zeros(_SIZE)
    for ledger in found.values():
        if sum(ledger.terms.values()) != PARTS * ledger.net:
            raise AssertionError(f"a ledger of hand {read.replay.history.hand_id} does not sum up")
        amounts = {**ledger.terms, "net": PARTS * ledger.net}
        amounts |= {"luck": ledger.luck, "adjusted": ledger.adjusted}
        row = np.array([amounts[name] for name in _NUMBERS]) / (PARTS * big_bet)
        total += np.concatenate([row, row**2, [1.0]])
    yield "games", total
