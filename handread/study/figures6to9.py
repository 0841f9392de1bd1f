"""Figure 7 of Saund 2006: how uncertain single games are as they go on."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from handread.cards import DECK_SIZE
from handread.game.rules import STAGES, HandRank, best_hand
from handread.history import Seat
from handread.inference.joint import StageCost, independence_cost
from handread.inference.players import Lineup, Model
from handread.inference.values import Analysis, StageReading
from handread.parallel import read_record
from handread.simulate import Game, Setup, play_game, read_games
from handread.study.statistics import (
    Calibration,
    CalibrationBin,
    Estimate,
    Floats,
    IndependenceCost,
    InformationGain,
    Moments,
    Rate,
    StageGain,
    StageIndependence,
    WinRates,
)


class StageSums:
    """Some numbers for each game and stage, summed over games.

    ``games`` counts the games, ``ruled_out`` by stage the vectors that were left out because one
    of their numbers was infinite.
    """

    def __init__(self, size: int) -> None:
        self.games = 0
        self.stages = {stage: Moments(size) for stage in STAGES}
        self.ruled_out = dict.fromkeys(STAGES, 0)

    def add(self, stage: str, values: Sequence[float]) -> None:
        """Count the numbers of a game at a stage."""
        if all(map(math.isfinite, values)):
            self.stages[stage].add(values)
        else:
            self.ruled_out[stage] += 1

    def save(self, path: Path) -> None:
        """Keep the sums in a file, exactly."""
        stages = {stage: moments.record() for stage, moments in self.stages.items()}
        record = {"games": self.games, "stages": stages, "ruled_out": self.ruled_out}
        path.write_text(json.dumps(record), encoding="utf-8")

    @classmethod
    def load(cls, size: int, files: Iterable[Path]) -> StageSums:
        """The sums of some files together, in their order."""
        sums = cls(size)
        for file in files:
            record = read_record(file)
            sums.games += record["games"]
            for stage, moments in sums.stages.items():
                moments.merge(Moments.from_record(record["stages"][stage]))
                sums.ruled_out[stage] += record["ruled_out"][stage]
        return sums


LOG2_N, ENTROPY, CARDS_ONLY, BET_INFERENCE = np.eye(4)


def measure_gain(setup: Setup, seed: int, numbers: range, path: Path) -> None:
    """Play the games of these numbers and keep the sums of what they show."""
    sums = StageSums(4)
    for _, read in read_games(setup, seed, numbers):
        sums.games += 1
        for stage in read.stages:
            if len(stage.active) < 2:
                continue
            entropy, divergences = stage.entropy_bits, stage.kl_bits
            assert entropy is not None  # a simulated game hides nothing
            assert divergences is not None
            sums.add(stage.stage, (math.log2(len(stage.active)), entropy, *divergences))
    sums.save(path)


def gain_table(files: Iterable[Path], policy: str) -> InformationGain:
    """The averages over the games of some files of sums; ``policy`` names what they bet by."""
    sums = StageSums.load(4, files)
    stages = (stage_gain(stage, sums.stages[stage], sums.ruled_out[stage]) for stage in STAGES)
    return InformationGain(sums.games, policy, tuple(stages))


def stage_gain(stage: str, moments: Moments, ruled_out: int) -> StageGain:
    """The row of a stage, from the moments of (log2 N, entropy, K-L of both observers)."""
    return StageGain(
        stage=stage,
        games=moments.n,
        log2_n=moments.mean(LOG2_N),
        entropy=moments.mean(ENTROPY),
        cards_only=moments.mean(CARDS_ONLY),
        bet_inference=moments.mean(BET_INFERENCE),
        gain=moments.ratio(CARDS_ONLY - BET_INFERENCE, CARDS_ONLY),
        ruled_out=ruled_out,
    )


def measure_rates(setup: Setup, duplicate: bool, seed: int, numbers: range, path: Path) -> None:
    """Play the deals of these numbers and keep the sums of what players put in and won."""
    n = len(setup.seats)
    deals, games = Moments(2 * n), Moments(2 * n)
    tables = [_rotated(setup, turn) for turn in range(n if duplicate else 1)]
    for number in numbers:
        results = [_result(table, seed, number, turn) for turn, table in enumerate(tables)]
        for result in results:
            games.add(result)
        deals.add(np.mean(results, axis=0))
    record = {"deals": deals.record(), "games": games.record()}
    path.write_text(json.dumps(record), encoding="utf-8")


def _rotated(setup: Setup, turn: int) -> Setup:
    """The players moved ``turn`` seats round the table."""
    numbers = [seat.number for seat in setup.seats]
    players = [setup.lineup.of(number) for number in numbers]
    seats = {numbers[(place + turn) % len(numbers)]: player for place, player in enumerate(players)}
    names = [setup.seats[place - turn] for place in range(len(numbers))]
    moved = tuple(
        Seat(number, seat.name, seat.stack) for number, seat in zip(numbers, names, strict=True)
    )
    return replace(setup, lineup=Lineup(setup.lineup.rest, seats), seats=moved)


def _result(setup: Setup, seed: int, number: int, turn: int) -> Floats:
    """What each player put in and then what each won in a deal, in small bets.

    A bet that nobody called counts on both sides, as in the paper: it was put in, and won back.
    """
    played = play_game(setup, seed, number).replay
    owner, back = played.returned or (0, 0)
    seats = [seat.number for seat in setup.seats]
    seats = seats[turn:] + seats[:turn]
    uncalled = np.array([back * (seat == owner) for seat in seats])
    put_in = np.array([played.paid[seat] for seat in seats]) + uncalled
    won = np.array([played.won.get(seat, 0) for seat in seats]) + uncalled
    return np.concatenate([put_in, won]) / setup.stakes.bet(3)


@dataclass(frozen=True, slots=True)
class RateSums:
    """The sums over deals, and over the single games that were played with them."""

    deals: Moments
    games: Moments

    @classmethod
    def load(cls, files: Iterable[Path], players: int) -> RateSums:
        """The sums of some files together, in their order; of so many players."""
        found = cls(Moments(2 * players), Moments(2 * players))
        for file in files:
            record = read_record(file)
            found.deals.merge(Moments.from_record(record["deals"]))
            found.games.merge(Moments.from_record(record["games"]))
        return found

    def rates(self, setup: Setup) -> WinRates:
        """Rates by player, and by kind of player."""
        numbers = [seat.number for seat in setup.seats]
        models = [setup.lineup.of(number) for number in numbers]
        # Where deals are played in rotation a player sits everywhere.
        word = "seat" if self.deals.n == self.games.n else "player"
        players = [
            self._rate(f"{word} {number}", model.knowledge, np.eye(len(models))[place])
            for place, (number, model) in enumerate(zip(numbers, models, strict=True))
        ]
        kinds = []
        for model, label in _labels(numbers, models).items():
            among = np.array([float(other == model) for other in models])
            kinds.append(self._rate(label, model.knowledge, among / among.sum()))
        name = setup.lineup.name
        return WinRates(name, self.deals.n, self.games.n, tuple(players), tuple(kinds))

    def _rate(self, label: str, knowledge: str, among: Floats) -> Rate:
        nothing = np.zeros_like(among)
        put_in, won = np.concatenate([among, nothing]), np.concatenate([nothing, among])
        return Rate(
            label=label,
            knowledge=knowledge,
            put_in=self.deals.mean(put_in),
            won=self.deals.mean(won),
            net=self.deals.mean(won - put_in),
            precision=self._precision(won - put_in),
        )

    def _precision(self, weights: Floats) -> float:
        """How many games dealt independently tell as much as one game of these deals.

        The variance of a mean over single games, which knows nothing of what games of one deal
        have in common, over that of the mean over deals.
        """
        by_deal = self.deals.variance(weights) / self.deals.n
        return self.games.variance(weights) / self.games.n / by_deal if by_deal else float("nan")


def _labels(numbers: Sequence[int], models: Sequence[Model]) -> dict[Model, str]:
    """A name for each kind of player: what tells it from the others."""
    one_policy = len({model.policy for model in models}) == 1
    names = {model: model.knowledge if one_policy else model.name for model in models}
    told = list(names.values())
    for model, name in names.items():
        if told.count(name) > 1:  # two policies of one name
            seats = [str(n) for n, other in zip(numbers, models, strict=True) if other == model]
            names[model] = f"{name} ({', '.join(seats)})"
    return names


BINS = 10
KINDS = ("chance to win", "category of the hand")


class CalibrationSums:
    """The sums behind a reliability table: by kind of event and bin of probability.

    Events of one game hang together, so the errors are taken from game to game: ``squares`` adds
    up, over games, the square of what the outcomes of a bin exceed their chances by.
    """

    def __init__(self) -> None:
        self.games = 0
        # By kind and bin: events, sum of chances, sum of outcomes, squared excess a game.
        self.sums = np.zeros((len(KINDS), BINS, 4))

    def add(self, game: Game, read: Analysis) -> None:
        """Count a game and what was read in it."""
        self.games += 1
        ranks = {seat: best_hand(cards) for seat, cards in game.full_hands.items()}
        mine = np.zeros((len(KINDS), BINS, 3))
        for stage in read.stages:
            if len(stage.active) < 2:
                continue
            for kind, events in enumerate((_wins(stage, ranks), _categories(stage, ranks))):
                for chance, outcome in events:
                    mine[kind, min(int(chance * BINS), BINS - 1)] += (1.0, chance, outcome)
        self.sums[:, :, :3] += mine
        self.sums[:, :, 3] += (mine[:, :, 2] - mine[:, :, 1]) ** 2

    def save(self, path: Path) -> None:
        """Keep the sums in a file, exactly."""
        record = {"games": self.games, "sums": self.sums.tolist()}
        path.write_text(json.dumps(record), encoding="utf-8")

    @classmethod
    def load(cls, files: Iterable[Path]) -> CalibrationSums:
        """The sums of some files together, in their order."""
        sums = cls()
        for file in files:
            record = read_record(file)
            sums.games += record["games"]
            sums.sums += np.array(record["sums"])
        return sums

    def _error(self, squares: float) -> float:
        """The error of what happened, given its chance; NaN from a single game."""
        return math.sqrt(squares) if self.games > 1 else math.nan

    def table(self, policy: str) -> Calibration:
        """The reliability table; bins without events are left out."""
        bins = {
            kind: tuple(
                CalibrationBin(
                    low=place / BINS,
                    high=(place + 1) / BINS,
                    events=int(n),
                    chance=chances / n,
                    happened=Estimate(outcomes / n, self._error(squares) / n, n=int(n)),
                )
                for place, (n, chances, outcomes, squares) in enumerate(rows.tolist())
                if n
            )
            for kind, rows in zip(KINDS, self.sums, strict=True)
        }
        return Calibration(self.games, policy, bins)


def _wins(stage: StageReading, ranks: dict[int, HandRank]) -> Iterator[tuple[float, float]]:
    """Each active seat's chance to win, and its share of the pot were all to stay in."""
    best = max(ranks[seat] for seat in stage.active)
    winners = [seat for seat in stage.active if ranks[seat] == best]
    for seat, chance in stage.bet_inference.items():
        yield chance, (seat in winners) / len(winners)


def _categories(stage: StageReading, ranks: dict[int, HandRank]) -> Iterator[tuple[float, float]]:
    """The chance of each category that an active seat's hand may become, and whether it does."""
    for seat in stage.active:
        for category, chance in enumerate(stage.seats[seat].categories()):
            if chance > 0.0:  # to rule out what cannot be is no skill
                yield chance, float(ranks[seat][0] == category)


def measure_calibration(setup: Setup, seed: int, numbers: range, path: Path) -> None:
    """Play the games of these numbers and keep the sums of what they show.

    Raises ``ValueError`` for eight players, for whom the deck holds no seven cards each.
    """
    if len(setup.seats) * 7 > DECK_SIZE:
        raise ValueError("calibration needs seven cards for every seat: 7 players at most")
    sums = CalibrationSums()
    for game, read in read_games(setup, seed, numbers):
        sums.add(game, read)
    sums.save(path)


def calibration_table(files: Iterable[Path], policy: str) -> Calibration:
    """The reliability table over the games of some files of sums, in their order."""
    return CalibrationSums.load(files).table(policy)


JOINT_STREAM = 1_000
"""Of the streams of chance that a game's number begins, the one for joint deals."""


def measure_independence(setup: Setup, draws: int, seed: int, numbers: range, path: Path) -> None:
    """Play the games of these numbers and keep the sums of what independence costs in them."""
    sums = StageSums(5)
    for number, (_, read) in zip(numbers, read_games(setup, seed, numbers), strict=True):
        sums.games += 1
        rng = np.random.default_rng((seed, number, JOINT_STREAM))
        for cost in independence_cost(read, draws, rng):
            sums.add(cost.stage, _figures(cost))
    sums.save(path)


def _figures(cost: StageCost) -> tuple[float, ...]:
    figures = (
        cost.cards_only.expected,
        cost.bet_inference.expected,
        cost.cards_only.on_truth,
        cost.bet_inference.on_truth,
        cost.equation_1,
    )
    return tuple(figure.bits for figure in figures)


def independence_table(files: Iterable[Path], policy: str, draws: int) -> IndependenceCost:
    """The averages over the games of some files of sums."""
    sums = StageSums.load(5, files)
    rows = []
    for stage in STAGES:
        moments = sums.stages[stage]
        cards, bets, cards_true, bets_true, formula = map(moments.mean, np.eye(5))
        rows.append(
            StageIndependence(
                stage=stage,
                games=moments.n,
                cards_only=cards,
                bet_inference=bets,
                cards_only_on_truth=cards_true,
                bet_inference_on_truth=bets_true,
                equation_1=formula,
                ruled_out=sums.ruled_out[stage],
            )
        )
    return IndependenceCost(sums.games, policy, draws, tuple(rows))


PICTURED = ("3B", "5D")
"""The stages of Figure 1, circled in Figure 7."""


def entropy_path(analysis: Analysis) -> Mapping[str, float]:
    """The entropy of the outcome in bits, by stage, while two or more are active.

    Empty when not all downcards are known.
    """
    return {
        stage.stage: stage.entropy_bits
        for stage in analysis.stages
        if len(stage.active) > 1 and stage.omniscience == "full" and stage.entropy_bits is not None
    }
