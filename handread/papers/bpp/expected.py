"""Expected winnings of BPP and its opponents after a match in which they learned.

The luck of the cards hides small differences in matches. Here winnings are expected values over all
actions (``game_tree``), on decks dealt in both ways.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

import handread.papers.bpp.game_tree as game_tree
from handread.arrays import Floats
from handread.papers.bpp.matches import MatchPlan, MatchPlayer, match_name, play_match, unlearned
from handread.papers.bpp.opponents import ProbabilisticPlayer, RuleBasedPlayer
from handread.parallel import PART_SIZE
from handread.runs import Run
from handread.study.statistics import FigureTable, Key, Moments
from handread.study.sums import Row, Study

BLOCK = 25
"""The number of decks in a block, the unit of work."""

DECKS = 2**31
"""The first random number of the decks; matches count theirs from 0."""


@dataclass(frozen=True)
class ExpectedWinnings(FigureTable):
    """Expected winnings in bets a game, by pairing (the group of a figure).

    ``net_bets`` is the mean over the decks, ``reading_bets`` the gain on the same player without
    learning. Each of the ``decks`` is dealt in both ways, after ``learning`` games of a match.
    """

    decks: int
    learning: int
    curves: str
    ante: float


Seated = Mapping[str, tuple[MatchPlayer, MatchPlayer]]
"""The two players of each pairing after their learning match."""


def expected(plan: MatchPlan, decks: int = 500, run: Run = Run()) -> ExpectedWinnings:
    """Play a match of each pairing; return the expected winnings, on decks in whole blocks."""
    seated: dict[str, tuple[MatchPlayer, MatchPlayer]] = {}
    for pairing in plan.pairings:
        _, (first, other) = play_match(pairing.players, plan.games, plan.seed, 0, plan.stakes)
        seated[pairing.name] = first, other
    study = Study(partial(expected_rows, plan, seated), PART_SIZE, "blocks")
    sums = study.sums(-(-decks // BLOCK), run)
    read = unlearned(plan.pairings)
    places = {name: Key("net_bets", "", name) for name in seated}
    places |= {f"reading {name}": Key("reading_bets", "", name) for name in read}
    figures = {key: sums.of(name, 1).mean(np.ones(1)) for name, key in places.items()}
    return ExpectedWinnings(figures, sums.games * BLOCK, plan.games, plan.curves, plan.ante)


def expected_rows(plan: MatchPlan, seated: Seated, number: int) -> Iterator[Row]:
    """Yield the expected winnings on the decks of a block."""
    deals = game_tree.DealtPairs.sample(BLOCK, plan.seed, DECKS, number)
    by_name: dict[str, Floats] = {}
    for name, pair in seated.items():
        first, other = (_in_tree(deals, pair, side) for side in (game_tree.OWN, game_tree.OTHER))
        winnings = game_tree.expected_winnings(deals, first, other, plan.ante)
        by_name[name] = winnings.reshape(-1, 2).mean(axis=1)
        yield name, Moments.of(by_name[name][:, None])
    for name, even in unlearned(plan.pairings).items():
        yield f"reading {name}", Moments.of((by_name[name] - by_name[even])[:, None])


def _in_tree(
    deals: game_tree.DealtPairs, pair: Sequence[MatchPlayer], side: int
) -> game_tree.TreePlayer:
    player = pair[side]
    if isinstance(player, RuleBasedPlayer):
        return game_tree.rules_in_tree(deals, side)
    if isinstance(player, ProbabilisticPlayer):
        return game_tree.CurvesInTree(
            deals, player.betting, game_tree.card_chances(deals, side), side
        )
    habits = player.reader.of(match_name(pair[1 - side], 2 - side))
    chances = game_tree.network_chances(deals, habits.matrices, side, player.reader.types)
    return game_tree.CurvesInTree(deals, player.betting, chances, side)
