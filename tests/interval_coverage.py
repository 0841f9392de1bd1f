"""How often 95% intervals of some simulated games cover what many more games give.

``python -m tests.interval_coverage gain`` plays games of the paper's table and draws some of them,
over and over, as a short run of ``experiment information-gain`` would have played them. It prints,
for each stage, how often the interval of the gain covered the gain of all games; beside it, how
often two other intervals did: the mean +-1.96 errors, and the percentiles of resampled games.

``python -m tests.interval_coverage players`` plays a table of seven different players, whose shares
over all hands are known, and does so for the intervals that ``players`` prints of some hands.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import islice
from typing import NamedTuple

import numpy as np

from handread.arrays import Floats, Ints
from handread.inference.players import Model, PlayerModels, player_models
from handread.opponents.counts import seat_counts
from handread.opponents.shares import FEW, UNKNOWN, Share
from handread.opponents.statistics import BY_GAME, PLACES
from handread.papers.saund.replication import gain_rows
from handread.policy import load_policy
from handread.simulate import Setup, play_game, seated
from handread.study.information_gain import GAIN_FRACTION, gain_table
from handread.study.statistics import NORMAL_975, Moments, wilson_interval
from handread.study.sums import Sums
from tests.papers.tables import table

WAYS = ("ours", "1.96 errors", "percentiles")

RESAMPLES = 200

SEATED = ("default", "honest", "loose", "tight", "people-average", "table1-right", "uniform")
"""The policies of the players of known shares; who bets at random makes some shares extreme."""


def gain_games(games: int, seed: int = 11) -> dict[str, Floats]:
    """Return by stage the numbers of ``gain_rows`` of each game (games, 4), NaN where it ended."""
    setup, found = table("default", 7, ties="paper"), {}
    for number in range(games):
        for stage, values in gain_rows(setup, seed, number):
            rows = found.setdefault(stage, np.full((games, 4), np.nan))
            rows[number] = tuple(values)
    return found


def gain_covered(rows: Floats, games: int, trials: int, seed: int = 1) -> dict[str, float]:
    """Return how often the interval of some games, drawn anew, covers the gain of all of them.

    ``rows`` (all games, 4) are those of a stage. Games without an interval do not count.
    """
    rng, truth = np.random.default_rng(seed), 1.0 - float(np.divide(*np.nanmean(rows, 0)[[3, 2]]))
    hits = []
    for _ in range(trials):
        some = rows[rng.integers(0, len(rows), games)]
        some = some[np.isfinite(some).all(axis=1)]
        sums = Sums()
        sums.merge("6B", Moments.of(some))
        found = gain_table(sums, "").at(GAIN_FRACTION, "6B")
        if np.isnan(found.low):
            continue
        reach = NORMAL_975 * found.error
        drawn = rng.multinomial(len(some), np.full(len(some), 1 / len(some)), RESAMPLES)
        cards, bets = (drawn @ some[:, 2:]).T
        ends = (
            (found.low, found.high),
            (found.mean - reach, found.mean + reach),
            np.percentile(1.0 - bets / cards, (2.5, 97.5)),
        )
        hits.append([low <= truth <= high for low, high in ends])
    parts = np.mean(hits, axis=0) if hits else np.full(len(WAYS), np.nan)
    return dict(zip(WAYS, parts.tolist(), strict=True))


@cache
def player_setup() -> Setup:
    """Return a table of seven different players."""
    models = {seat: Model(load_policy(name)) for seat, name in enumerate(SEATED, 1)}
    players = PlayerModels(player_models("default").rest, models)
    return replace(table("default", 7), players=players, seats=seated(players, 7), watched=False)


@cache
def player_hands(games: int, seed: int = 11) -> Ints:
    """Return the counts of the statistics of seven different players (7, games, statistics, 2)."""
    setup = player_setup()
    hands = []
    for number in range(games):
        counts = seat_counts(play_game(setup, seed, number).replay)
        hands.append(np.stack([counts[seat] for seat in sorted(counts)]).astype(np.uint8))
    return np.stack(hands, axis=1)


class Covered(NamedTuple):
    """How often intervals of draws of hands cover the share of a player in all hands.

    ``ours`` and ``wilson`` are the parts covered by our interval and by that of Wilson.
    """

    ours: float
    wilson: float
    intervals: int
    share: float
    statistic: str
    player: str


def players_covered(hands: Ints, size: int, trials: int, seed: int = 1) -> Iterator[Covered]:
    """Yield the coverage of ``size`` hands, of each share with ten chances in most draws."""
    rng = np.random.default_rng(seed)
    for name, own in zip(SEATED, hands, strict=True):
        draws = rng.integers(0, len(own), (trials, size))
        sums = np.stack([own[draw].sum(axis=0, dtype=np.int64) for draw in draws])
        for one in BY_GAME["stud"]:
            place = PLACES[one.key]
            some = [pair for pair in sums[:, place].tolist() if pair[1] >= FEW]
            if len(some) < trials / 2:
                continue
            all_done, all_of = own[:, place].sum(axis=0, dtype=np.int64).tolist()
            share = all_done / all_of
            ends = [
                (
                    Share(done, of, UNKNOWN, alike=one.alike).interval,
                    wilson_interval(done / of, of, NORMAL_975),
                )
                for done, of in some
            ]
            ours, wilson = np.mean([[a <= share <= b for a, b in each] for each in ends], axis=0)
            yield Covered(float(ours), float(wilson), len(some), share, one.key, name)


def main(arguments: Sequence[str] | None = None) -> None:
    """Play, and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("gain", "players"))
    parser.add_argument("--all", type=int, default=5000, help="games that give the truth")
    parser.add_argument("--games", type=int, nargs="*", default=[100, 200])
    parser.add_argument("--trials", type=int, default=2000)
    asked = parser.parse_args(arguments)
    if asked.what == "gain":
        every = gain_games(asked.all)
        for games in asked.games:
            print(f"{games} games   " + "  ".join(WAYS))
            for stage, rows in islice(every.items(), 1, None):  # bets tell nothing before any
                parts = gain_covered(rows, games, asked.trials).values()
                print(f"{stage:9}  " + "  ".join(f"{part:9.1%}" for part in parts))
    else:
        hands = player_hands(asked.all)
        for size in asked.games:
            found = sorted(players_covered(hands, size, asked.trials))
            print(f"{size} hands: {len(found)} shares, covered by our intervals and by Wilson's")
            for own in found:
                parts = f"{own.ours:7.1%} {own.wilson:7.1%}"
                print(f"{parts}  {own.share:6.1%}  {own.statistic}, {own.player}")
            ours, wilson = np.mean([own[:2] for own in found], axis=0)
            print(f"{ours:7.1%} {wilson:7.1%}  on average")


if __name__ == "__main__":
    main()
