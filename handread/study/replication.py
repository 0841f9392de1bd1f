"""The experiments of Saund 2006, section VI: Figures 6, 7 and 9."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from handread.game.rules import STAGES
from handread.history import Seat
from handread.inference.players import Model, PlayerModels
from handread.inference.values import Analysis
from handread.parallel import read_record
from handread.simulate import Setup, play_game, read_games
from handread.study.statistics import Estimate, Figure, FigureTable, Floats, Moments


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


def figures_of_stage(
    stage: str, games: int, ruled_out: int, figures: Mapping[str, Estimate]
) -> Iterator[Figure]:
    """Yield the figures of a stage; ``infinite`` counts the games left out."""
    for name, estimate in figures.items():
        yield Figure(name, replace(estimate, n=games, infinite=ruled_out), stage=stage)


@dataclass(frozen=True, slots=True)
class StageGain:
    """One stage of Figure 6, averaged over the games with two or more active players.

    ``log2_n``, ``entropy``, ``cards_only`` and ``bet_inference`` (the K-L divergences of the two
    observers from the omniscient one) are in bits; ``gain`` is the fraction of the cards-only
    divergence that bet inference takes away. ``ruled_out`` games are left out of the averages:
    there an observer gave no chance to a player who had one.
    """

    stage: str
    games: int
    log2_n: Estimate
    entropy: Estimate
    cards_only: Estimate
    bet_inference: Estimate
    gain: Estimate
    ruled_out: int = 0

    def figures(self) -> dict[str, Estimate]:
        """Return the figures by name."""
        return {
            "log2_n_bits": self.log2_n,
            "entropy_bits": self.entropy,
            "kl_cards_only_bits": self.cards_only,
            "kl_bet_inference_bits": self.bet_inference,
            "gain_fraction": self.gain,
        }


@dataclass(frozen=True, slots=True)
class InformationGain(FigureTable):
    """Figure 6: the ten stages, from ``games`` simulated games."""

    games: int
    policy: str
    stages: tuple[StageGain, ...]

    def figures(self) -> Iterator[Figure]:
        """Yield the figures by stage; ``infinite`` counts the games left out."""
        for row in self.stages:
            yield from figures_of_stage(row.stage, row.games, row.ruled_out, row.figures())


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


@dataclass(frozen=True, slots=True)
class EntropyPaths(FigureTable):
    """Figure 7: the entropy of the outcome in bits, by game and stage, as far as two are active.

    ``picked`` is the game that stands out, ``marked`` its stages with a circle.
    """

    paths: Mapping[int, Mapping[str, float]]
    picked: int
    marked: tuple[str, ...] = ()

    def figures(self) -> Iterator[Figure]:
        """Yield the entropy by game and stage; the group is the number of the game."""
        for game, path in self.paths.items():
            for stage, bits in path.items():
                yield Figure("entropy_bits", Estimate(bits, n=1, hands=1), str(game), stage)


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


@dataclass(frozen=True, slots=True)
class Rate:
    """The chips that a seat, or a kind of player, puts in, wins and nets a hand, in small bets.

    ``precision`` is how many games dealt independently tell as much about the net as one of these.
    """

    label: str
    knowledge: str
    put_in: Estimate
    won: Estimate
    net: Estimate
    precision: float = 1.0

    @property
    def group(self) -> str:
        """The label, with the knowledge where it does not have it."""
        known = self.knowledge in self.label
        return self.label if known else f"{self.label}, {self.knowledge}"

    def figures(self) -> dict[str, Estimate]:
        """Return the figures by name."""
        return {
            "put_in_small_bets": self.put_in,
            "won_small_bets": self.won,
            "net_small_bets": self.net,
            "precision": Estimate(self.precision, n=self.net.n, hands=self.net.hands),
        }


@dataclass(frozen=True, slots=True)
class WinRates(FigureTable):
    """Figure 9: rates a hand by seat and by kind of player (its players' mean).

    ``players`` says who played; ``deals`` counts different deals, ``games`` the games played with
    them. In duplicate dealing each deal is played once for every rotation of the players.
    """

    players: str
    deals: int
    games: int
    seats: tuple[Rate, ...]
    kinds: tuple[Rate, ...]

    def figures(self) -> Iterator[Figure]:
        """Yield the rates by kind of player and by player."""
        for about, rates in (("kind", self.kinds), ("seat", self.seats)):
            for rate in rates:
                for name, estimate in rate.figures().items():
                    yield Figure(name, estimate, rate.group, about=about)


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
    players = [setup.players.of(number) for number in numbers]
    seats = {numbers[(place + turn) % len(numbers)]: player for place, player in enumerate(players)}
    names = [setup.seats[place - turn] for place in range(len(numbers))]
    moved = tuple(
        Seat(number, seat.name, seat.stack) for number, seat in zip(numbers, names, strict=True)
    )
    return replace(setup, players=PlayerModels(setup.players.rest, seats), seats=moved)


def _result(setup: Setup, seed: int, number: int, turn: int) -> Floats:
    """Return what each player put in, then what each won in a deal, in small bets.

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
        models = [setup.players.of(number) for number in numbers]
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
        name = setup.players.name
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
        """Return how many independently dealt games are worth one game of these deals.

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
