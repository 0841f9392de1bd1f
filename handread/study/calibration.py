"""Calibration of the observer in simulated games: events given 30% should happen in 30%."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from handread.cards import DECK_SIZE
from handread.game.rules import variant_of
from handread.inference.hand_analysis import Analysis
from handread.inference.stages import StageReading
from handread.odds.showdown import category_places
from handread.runs import Run
from handread.simulate import Game, Setup, read_games
from handread.study.measures import Ranks, pot_shares
from handread.study.scores import KINDS
from handread.study.statistics import BINS, Estimate, FigureTable, Key, bin_figures, bin_of
from handread.study.sums import Row, Study, Sums


@dataclass(frozen=True)
class Calibration(FigureTable):
    """A reliability table over games, by kind of event and bin."""

    games: int
    policy: str


def calibration(setup: Setup, games: int = 1000, run: Run = Run()) -> Calibration:
    """Play games and compare the observer's chances with the outcomes.

    Raise ``ValueError`` if the deck does not have enough cards for all players to stay in.
    """
    most = DECK_SIZE // setup.game.n_cards
    if len(setup.seats) > most:
        raise ValueError(f"calibration needs all cards for every seat: {most} players at most")
    study = Study(partial(_events_played, setup, run.seed))
    return calibration_table(study.sums(games, run), setup.players.name)


def _events_played(setup: Setup, seed: int, number: int) -> Iterator[Row]:
    ((game, read),) = read_games(setup, seed, range(number, number + 1))
    return event_rows(game, read)


def event_rows(game: Game, read: Analysis) -> Iterator[Row]:
    """Yield the events of a game by kind and bin: their number, chances, outcomes and excess."""
    rank = variant_of(game.history.variant).ranks
    ranks = {seat: rank(cards) for seat, cards in game.full_hands.items()}
    sums = np.zeros((len(KINDS), BINS, 3))
    for stage in read.stages:
        if len(stage.active) > 1:
            for kind, events in enumerate((_wins(stage, ranks), _categories(stage, ranks))):
                for chance, outcome in events:
                    sums[kind, bin_of(chance)] += (1.0, chance, outcome)
    for kind, place in zip(*sums[:, :, 0].nonzero(), strict=True):
        events, chances, outcomes = sums[kind, place]
        yield f"{KINDS[kind]} {place}", (events, chances, outcomes, (outcomes - chances) ** 2)


def calibration_table(sums: Sums, policy: str) -> Calibration:
    """Return the reliability table; bins without events are left out."""
    figures: dict[Key, Estimate] = {}
    for kind in KINDS:
        moments_of = [(place, sums.of(f"{kind} {place}", 4)) for place in range(BINS)]
        bins = [(place, *moments.totals, moments.n) for place, moments in moments_of if moments.n]
        figures |= bin_figures(kind, bins)
    return Calibration(figures, sums.games, policy)


def _wins(stage: StageReading, ranks: dict[int, Ranks]) -> Iterator[tuple[float, float]]:
    """Yield each active seat's chance to win, and its share of the pot if all stayed in."""
    shares = pot_shares({seat: ranks[seat] for seat in stage.active})
    for seat, chance in stage.bet_inference.items():
        yield chance, shares[seat]


def _categories(stage: StageReading, ranks: dict[int, Ranks]) -> Iterator[tuple[float, float]]:
    for seat in stage.active:
        read = stage.seats[seat]
        true = category_places(read.game, ranks[seat])
        for category, chance in enumerate(read.categories()):
            if chance > 0.0:  # impossible categories would inflate the score
                yield chance, float(category in true)
