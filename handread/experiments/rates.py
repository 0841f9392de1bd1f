"""Figure 9 of Saund 2006: what reading the bets is worth in chips.

A *player* is a seat of the lineup. In duplicate dealing (Billings et al. 1998) each deal is played
once for every rotation of the players round the seats, so that all of them get the same cards.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from handread.experiments.moments import Moments
from handread.experiments.values import Rate, WinRates
from handread.history import Seat
from handread.lineup import Lineup, Model
from handread.runs import read_record
from handread.simulate import Setup, play_game

Floats = npt.NDArray[np.float64]


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
