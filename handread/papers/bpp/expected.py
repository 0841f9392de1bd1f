"""Expected winnings of BPP and its opponents after a match in which they learned.

The luck of the cards hides small differences in matches. Here the winnings are expected values over
all actions (``game_tree``), on decks that are dealt in both ways.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from handread.arrays import Floats
from handread.papers.bpp.game_tree import (
    OTHER,
    OWN,
    CurvesInTree,
    DealtPairs,
    TreePlayer,
    card_chances,
    expected_winnings,
    network_chances,
    rules_in_tree,
)
from handread.papers.bpp.matches import MatchPlan, MatchPlayer, match_name, play_match, unlearned
from handread.papers.bpp.opponents import ProbabilisticPlayer, RuleBasedPlayer
from handread.parallel import PART_SIZE
from handread.runs import Run
from handread.study.statistics import FigureTable, Key, Moments
from handread.study.sums import Row, Study

BLOCK = 25
"""The number of decks in a block, the unit of work."""

DECKS = 2**31
"""The first random number of the decks: matches take theirs from 0."""


@dataclass(frozen=True)
class ExpectedWinnings(FigureTable):
    """Expected winnings in bets a game, by pairing (the group of a figure).

    ``net_bets`` is the mean over the decks, ``reading_bets`` what a player wins beyond the
    same player who never learns. Each of the ``decks`` is dealt in both ways; ``learning`` is the
    number of games of the match before.
    """

    decks: int
    learning: int
    curves: str
    ante: float


Seated = Mapping[str, tuple[MatchPlayer, MatchPlayer]]
"""The two players of each pairing, after the match in which they learned."""


def expected(plan: MatchPlan, decks: int = 500, run: Run = Run()) -> ExpectedWinnings:
    """Play a match of each pairing, and return the expected winnings afterwards.

    The number of decks is rounded up to whole blocks.
    """
    seated: dict[str, tuple[MatchPlayer, MatchPlayer]] = {}
    for pairing in plan.pairings:
        _, (own, other) = play_match(pairing.players, plan.games, plan.seed, 0, plan.stakes)
        seated[pairing.name] = own, other
    study = Study(partial(expected_rows, plan, seated), PART_SIZE, "blocks")
    sums = study.sums(-(-decks // BLOCK), run)
    read = unlearned(plan.pairings)
    places = {name: Key("net_bets", "", name) for name in seated}
    places |= {f"reading {name}": Key("reading_bets", "", name) for name in read}
    figures = {key: sums.of(name, 1).mean(np.ones(1)) for name, key in places.items()}
    return ExpectedWinnings(figures, sums.games * BLOCK, plan.games, plan.curves, plan.ante)


def expected_rows(plan: MatchPlan, seated: Seated, number: int) -> Iterator[Row]:
    """Yield the expected winnings on the decks of a block."""
    deals = DealtPairs.sample(BLOCK, plan.seed, DECKS, number)
    found: dict[str, Floats] = {}
    for name, pair in seated.items():
        own, other = (_in_tree(deals, pair, side) for side in (OWN, OTHER))
        winnings = expected_winnings(deals, own, other, plan.ante)
        found[name] = winnings.reshape(-1, 2).mean(axis=1)
        yield name, Moments.of(found[name][:, None])
    for name, even in unlearned(plan.pairings).items():
        yield f"reading {name}", Moments.of((found[name] - found[even])[:, None])


def _in_tree(deals: DealtPairs, pair: Sequence[MatchPlayer], side: int) -> TreePlayer:
    """Return a player of a match on some deals."""
    player = pair[side]
    if isinstance(player, RuleBasedPlayer):
        return rules_in_tree(deals, side)
    if isinstance(player, ProbabilisticPlayer):
        return CurvesInTree(deals, player.betting, card_chances(deals, side), side)
    habits = player.reader.of(match_name(pair[1 - side], 2 - side))
    chances = network_chances(deals, habits.matrices, side, player.reader.types)
    return CurvesInTree(deals, player.betting, chances, side)
