"""The experiments of Saund 2006, section VI: Figures 6, 7 and 9."""

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from handread.arrays import Floats
from handread.game.rules import SAUND_STAKES, STUD
from handread.history import Seat
from handread.inference.hand_analysis import Analysis
from handread.inference.players import Model, PlayerModels
from handread.papers.published import Published
from handread.runs import Run
from handread.simulate import Setup, play_game, read_games
from handread.study.information_gain import EntropyPaths, InformationGain, entropy_paths, gain_table
from handread.study.statistics import PAPER, Estimate, FigureTable, Key
from handread.study.sums import Row, Study, Sums

INFORMATION = Published(
    "Saund 2006, section VI", {Key("gain_fraction", "6B", "", PAPER): 0.36}, "1,827 games"
)
RATES = Published(
    "Saund 2006, section VI",
    {
        Key("put_in_small_bets", "", "bet-inference", PAPER): 1.57,
        Key("won_small_bets", "", "bet-inference", PAPER): 1.71,
        Key("net_small_bets", "", "bet-inference", PAPER): 0.14,
        Key("put_in_small_bets", "", "cards-only", PAPER): 2.69,
        Key("won_small_bets", "", "cards-only", PAPER): 2.50,
        Key("net_small_bets", "", "cards-only", PAPER): -0.19,
    },
    "8,977 games",
)


def is_saund_table(setup: Setup, knowledge: Mapping[str, int]) -> bool:
    """Return True for seven players of a reading of Saund's Table I, by counts of ``knowledge``."""
    models = [setup.players.of(seat.number) for seat in setup.seats]
    return (
        (setup.game, setup.stakes, len(models)) == (STUD, SAUND_STAKES, 7)
        and all(model.policy.name.startswith("table1-") for model in models)
        and Counter(model.knowledge for model in models) == knowledge
    )


def information_gain(setup: Setup, games: int = 1827, run: Run = Run()) -> InformationGain:
    """Play games and measure the information of the bets beyond the cards, by stage."""
    study = Study(partial(gain_rows, setup, run.seed))
    table = gain_table(study.sums(games, run), setup.players.name)
    if is_saund_table(setup, {"bet-inference": 7}):
        table = replace(table, figures={**table.figures, **INFORMATION.figures})
    return table


def gain_rows(setup: Setup, seed: int, number: int) -> Iterator[Row]:
    """Play a game, and yield log2 N, entropy and the divergences of both observers by stage."""
    ((_, read),) = read_games(setup, seed, range(number, number + 1))
    for stage in read.stages:
        if len(stage.active) < 2:
            continue
        entropy, divergences = stage.entropy_bits, stage.kl_bits
        assert entropy is not None  # a simulated game hides nothing
        assert divergences is not None
        yield stage.stage, (math.log2(len(stage.active)), entropy, *divergences)


def entropies(setup: Setup, games: int = 80, pick: int = 0, run: Run = Run()) -> EntropyPaths:
    """Play games and follow the entropy of their outcomes; for ``pick`` see ``entropies_table``."""
    return entropies_table(
        Study(partial(_entropies_played, setup, run.seed)).sums(games, run), pick
    )


def _entropies_played(setup: Setup, seed: int, number: int) -> Iterator[Row]:
    ((_, read),) = read_games(setup, seed, range(number, number + 1))
    return entropy_rows(number + 1, read)


def entropy_rows(number: int, read: Analysis) -> Iterator[Row]:
    """Yield for each stage of a game: is the entropy known, the entropy, the number of players."""
    path = entropy_path(read)
    for stage in read.stages:
        known = stage.stage in path
        yield f"{number} {stage.stage}", (known, path.get(stage.stage, 0.0), len(stage.active))


def entropies_table(sums: Sums, pick: int = 0) -> EntropyPaths:
    """Return Figure 7 with one game picked out, counted from 1; 0 for the longest.

    This is the first game with the most stages, then the most players, among games with all
    downcards known if there are any. ``picked`` is 0 without games.
    """
    paths: dict[int, dict[str, float]] = {}
    merits: dict[int, tuple[bool, int, float]] = {}
    for name in sums.names:
        game, stage = name.split()
        known, bits, players = sums.of(name, 3).totals
        if known:
            paths.setdefault(int(game), {})[stage] = bits
        told, stages, seen = merits.get(int(game), (False, 0, 0.0))
        merits[int(game)] = (told or bool(known), stages + 1, seen + players)
    return entropy_paths(paths, pick or max(merits, key=merits.__getitem__, default=0))


def entropy_path(analysis: Analysis) -> Mapping[str, float]:
    """Return the entropy of the outcome in bits by stage, while two or more are active.

    Empty unless all downcards are known.
    """
    return {
        stage.stage: stage.entropy_bits
        for stage in analysis.stages
        if len(stage.active) > 1 and stage.omniscience == "full" and stage.entropy_bits is not None
    }


@dataclass(frozen=True)
class WinRates(FigureTable):
    """Figure 9: chips put in, won and net, in small bets a player and hand.

    Figures are about "kind" (the mean of the players of a kind) and "seat"; for the paper's table
    also about "paper", as stated there. ``precision`` is the number of independently dealt games
    with as much information on the net as one of these. ``players`` names the kinds; ``deals``
    counts different deals, ``games`` the games: duplicate dealing plays each deal in every
    rotation.
    """

    players: str
    deals: int
    games: int


def win_rates(
    setup: Setup, deals: int = 8977, duplicate: bool = False, run: Run = Run()
) -> WinRates:
    """Play deals, in every rotation if ``duplicate``, and measure chips put in and won."""
    turns = len(setup.seats) if duplicate else 1
    tables = [_rotated(setup, turn) for turn in range(turns)]
    study = Study(partial(rate_rows, tables, run.seed), turns, "deals")
    rates = rates_table(study.sums(deals, run), setup)
    if is_saund_table(setup, {"bet-inference": 4, "cards-only": 3}):
        rates = replace(rates, figures={**rates.figures, **RATES.figures})
    return rates


def rate_rows(tables: Sequence[Setup], seed: int, number: int) -> Iterator[Row]:
    """Play a deal at every table, and yield chips put in and won by each player, and the mean."""
    results = [_result(table, seed, number, turn) for turn, table in enumerate(tables)]
    for result in results:
        yield "games", result
    yield "deals", np.mean(results, axis=0)


def _rotated(setup: Setup, turn: int) -> Setup:
    numbers = [seat.number for seat in setup.seats]
    players = [setup.players.of(number) for number in numbers]
    seats = {numbers[(place + turn) % len(numbers)]: player for place, player in enumerate(players)}
    names = [setup.seats[place - turn] for place in range(len(numbers))]
    moved = tuple(
        Seat(number, seat.name, seat.stack) for number, seat in zip(numbers, names, strict=True)
    )
    return replace(setup, players=PlayerModels(setup.players.rest, seats), seats=moved)


def _result(setup: Setup, seed: int, number: int, turn: int) -> Floats:
    """Return the small bets that each player put in, then those that each won, in a deal.

    As in the paper, a bet that nobody called counts on both sides.
    """
    played = play_game(setup, seed, number).replay
    owner, back = played.returned or (0, 0)
    seats = [seat.number for seat in setup.seats]
    seats = seats[turn:] + seats[:turn]
    uncalled = np.array([back * (seat == owner) for seat in seats])
    put_in = np.array([played.paid[seat] for seat in seats]) + uncalled
    won = np.array([played.won.get(seat, 0) for seat in seats]) + uncalled
    return np.concatenate([put_in, won]) / setup.stakes.small


def rates_table(sums: Sums, setup: Setup) -> WinRates:
    """Return the rates by kind of player, and by player."""
    numbers = [seat.number for seat in setup.seats]
    models = [setup.players.of(number) for number in numbers]
    deals, games = (sums.of(name, 2 * len(models)).n for name in ("deals", "games"))
    # In rotation a player sits everywhere.
    word = "seat" if deals == games else "player"
    figures: dict[Key, Estimate] = {}
    for model, label in _labels(numbers, models).items():
        among = np.array([float(other == model) for other in models])
        figures |= _rates(sums, "kind", label, model.knowledge, among / among.sum())
    for number, model, among in zip(numbers, models, np.eye(len(models)), strict=True):
        figures |= _rates(sums, "seat", f"{word} {number}", model.knowledge, among)
    return WinRates(figures, setup.players.name, deals, games)


def _rates(
    sums: Sums, about: str, label: str, knowledge: str, among: Floats
) -> dict[Key, Estimate]:
    """Return the figures of a player or a kind of player, with weights by player."""
    group = label if knowledge in label else f"{label}, {knowledge}"
    put_in = np.concatenate([among, np.zeros_like(among)])
    won = np.concatenate([np.zeros_like(among), among])
    net = won - put_in
    deals, games = (sums.of(name, net.size) for name in ("deals", "games"))
    # The variance of a mean over independent games, over the variance of the mean over deals, whose
    # games are correlated.
    by_deal = deals.variance(net) / deals.n
    precision = games.variance(net) / games.n / by_deal if by_deal else math.nan
    return {
        Key("put_in_small_bets", "", group, about): sums.figure("deals", put_in),
        Key("won_small_bets", "", group, about): sums.figure("deals", won),
        Key("net_small_bets", "", group, about): sums.figure("deals", net),
        Key("precision", "", group, about): Estimate(precision, n=deals.n, hands=deals.n),
    }


def _labels(numbers: Sequence[int], models: Sequence[Model]) -> dict[Model, str]:
    one_policy = len({model.policy for model in models}) == 1
    names = {model: model.knowledge if one_policy else model.name for model in models}
    told = list(names.values())
    for model, name in names.items():
        if told.count(name) > 1:  # two policies of one name
            seats = [str(n) for n, other in zip(numbers, models, strict=True) if other == model]
            names[model] = f"{name} ({', '.join(seats)})"
    return names
