"""``python -m docs.site.luck``: in games played by the policies, luck has mean 0.

The ledgers of all players are added up, in big bets a player and hand. In play by the policy that
the values were learned from, every term but the rake should be 0 within its error. The term of the
first deal may be off by some hundredths: the values were learned at many stakes.
"""

import argparse
import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from handread.cli.groups import RuleOptions
from handread.decisions.learned import LearnedValues, learned_values
from handread.decisions.ledger import PARTS, TERMS, ledgers
from handread.game.rules import variant_of
from handread.inference.players import player_models
from handread.report.decision_words import TERM_WORDS
from handread.report.tables import FigureColumn, as_prose, figures_text, n_games, number, with_error
from handread.report.words import visible
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


RESULT_WORDS = {"net": "result", "luck": "luck of the cards", "adjusted": "result without luck"}


def _root(estimate: Estimate) -> str:
    return number(math.sqrt(estimate.mean), 2) if estimate.n else ""


LUCK_COLUMNS = (FigureColumn(("mean",), MEAN, with_error), FigureColumn(("size",), SQUARE, _root))


def luck_text(found: LuckCheck) -> str:
    """Return the check of luck as text."""
    words = {**TERM_WORDS, **RESULT_WORDS}
    rows = [(words[name], Key("", group=name)) for name in (*TERMS, *RESULTS)]
    ratio = found.at(RATIO)
    return (
        as_prose(
            f"{n_games(found.games)} of {variant_of(found.game).title}, {visible(found.policy)}; "
            f"{found.ledgers:,} ledgers, all sums exact",
            "big bets a player and hand, mean ±standard error by game; "
            "the size is the root of the mean square",
        )
        + f"\n{figures_text(found, rows, LUCK_COLUMNS, 'term')}"
        + as_prose(
            f"variance without luck: {number(ratio.mean, 1, 100.0, unit='%')} "
            f"±{number(ratio.error, 1, 100.0)} of that of the result"
        )
    )


def main() -> None:
    """Play games and print the check."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument("--seats", type=int, default=7)
    parser.add_argument("--game", help="a game with its stakes, as simulate takes them")
    parser.add_argument("--policy", default="people")
    parser.add_argument("--values", type=Path, help="values that fit --values wrote")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1)
    asked = parser.parse_args()
    players = player_models(asked.policy)
    setup = RuleOptions(asked.seats, asked.game).setup_of(players)
    key = setup.game.key
    learned = learned_values(players.in_game(key), key, asked.values)
    print(
        luck_text(luck_check(setup, asked.games, learned, Run(asked.seed, asked.workers))), end=""
    )


if __name__ == "__main__":
    main()
