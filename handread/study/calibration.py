"""Calibration of the observer in simulated games: of what it gives 30%, 30% should happen."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from handread.cards import DECK_SIZE
from handread.game.rules import variant_of
from handread.inference.hand import Analysis
from handread.inference.values import StageReading
from handread.odds.showdown import category_places
from handread.simulate import Game, Setup, read_games
from handread.study.measures import Ranks, pot_shares
from handread.study.scores import KINDS
from handread.study.statistics import BINS, Estimate, FigureTable, Key, bin_figures, bin_of
from handread.study.sums import Compute, Sums, measured


@dataclass(frozen=True)
class Calibration(FigureTable):
    """A reliability table over games, by kind of event and bin."""

    games: int
    policy: str


def calibration(
    setup: Setup,
    games: int = 1000,
    seed: int = 1,
    workers: int = 1,
    compute: Compute | None = None,
) -> Calibration:
    """Play games and compare the observer's chances with what came true.

    Args:
        setup: The table, of 7 players at most.
        games: The number of games.
        seed: The random seed.
        workers: The number of processes.
        compute: As in ``measured``.

    Raises:
        ValueError: The deck does not have enough cards for all players to stay in.
    """
    most = DECK_SIZE // setup.game.n_cards
    if len(setup.seats) > most:
        raise ValueError(f"calibration needs all cards for every seat: {most} players at most")
    sums = measured(partial(measure_calibration, setup, seed), games, workers, compute=compute)
    return calibration_table(sums, setup.players.name)


def measure_calibration(setup: Setup, seed: int, numbers: range, path: Path) -> None:
    """Play the games of these numbers and keep the sums of what they show."""
    sums = Sums()
    for game, read in read_games(setup, seed, numbers):
        add_game(sums, game, read)
    sums.save(path)


def add_game(sums: Sums, game: Game, read: Analysis) -> None:
    """Count the events of a game: by kind and bin their number, chances, outcomes and excess."""
    sums.games += 1
    rank = variant_of(game.history.variant).ranks
    ranks = {seat: rank(cards) for seat, cards in game.full_hands.items()}
    found = np.zeros((len(KINDS), BINS, 3))
    for stage in read.stages:
        if len(stage.active) > 1:
            for kind, events in enumerate((_wins(stage, ranks), _categories(stage, ranks))):
                for chance, outcome in events:
                    found[kind, bin_of(chance)] += (1.0, chance, outcome)
    for kind, place in zip(*found[:, :, 0].nonzero(), strict=True):
        events, chances, outcomes = found[kind, place]
        sums.add(f"{KINDS[kind]} {place}", (events, chances, outcomes, (outcomes - chances) ** 2))


def calibration_table(sums: Sums, policy: str) -> Calibration:
    """Return the reliability table; bins without events are left out."""
    figures: dict[Key, Estimate] = {}
    for kind in KINDS:
        found = [(place, sums.of(f"{kind} {place}", 4)) for place in range(BINS)]
        bins = [(place, *moments.totals, moments.n) for place, moments in found if moments.n]
        figures |= bin_figures(kind, bins)
    return Calibration(figures, sums.games, policy)


def _wins(stage: StageReading, ranks: dict[int, Ranks]) -> Iterator[tuple[float, float]]:
    """Yield each active seat's chance to win, and its share of the pot were all to stay in."""
    shares = pot_shares({seat: ranks[seat] for seat in stage.active})
    for seat, chance in stage.bet_inference.items():
        yield chance, shares[seat]


def _categories(stage: StageReading, ranks: dict[int, Ranks]) -> Iterator[tuple[float, float]]:
    """Yield the chance of each category of an active seat's final hand, and the outcome."""
    for seat in stage.active:
        read = stage.seats[seat]
        true = category_places(read.game, ranks[seat])
        for category, chance in enumerate(read.categories()):
            if chance > 0.0:  # to rule out what cannot be is no skill
                yield chance, float(category in true)
