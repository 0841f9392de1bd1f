"""The tables behind Loki (Billings et al. 1998): incomes of starting hands, and frequencies."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from handread.arrays import Floats
from handread.cards import holding_index
from handread.game.steps import Replay
from handread.inference.observer import SPLIT
from handread.papers.loki import model
from handread.papers.loki.income import FIGURE, GAMES, PLAYERS, shares_of_start, starts
from handread.papers.loki.reader import LokiReader
from handread.runs import Run
from handread.simulate import Setup, play_game
from handread.study.statistics import NOTHING, Estimate, FigureTable, Key, Moments
from handread.study.sums import Row, Study, Sums


@dataclass(frozen=True)
class StartingHands(FigureTable):
    """Incomes of starting hands (the groups) in bets, if all ``players`` stay in for one bet."""

    players: int
    games: int


def starting_hands(players: int = PLAYERS, games: int = GAMES, run: Run = Run()) -> StartingHands:
    """Play every starting hand against random hands to the showdown."""
    names = starts().names
    study = Study(partial(_start_rows, players, games, run.seed), what="starting hands")
    sums = study.sums(len(names), run)
    figures = {}
    for name in names:
        share = sums.figure(name, np.ones(1))
        mean, error = players * share.mean - 1.0, players * share.error
        figures[Key(FIGURE, group=name)] = Estimate.normal(mean, error, games)
    return StartingHands(figures, players, games)


def _start_rows(players: int, games: int, seed: int, number: int) -> Iterator[Row]:
    total, squares = shares_of_start(number, players, games, seed)
    means, scatter = np.array([total / games]), np.array([[squares - total**2 / games]])
    yield starts().names[number], Moments(games, means, scatter)


@dataclass(frozen=True)
class ActionFrequencies(FigureTable):
    """Frequencies of actions by street and cost, and the strengths of the hands that face them.

    The stages are streets ("3"), the groups costs in bets, or ``ANY_COST`` for a whole street. The
    figures are the kinds of action and, from 4th street on, the share of the hands up to an
    effective hand strength.
    """

    players: str
    games: int

    @property
    def stages(self) -> tuple[str, ...]:
        """The streets."""
        return tuple(dict.fromkeys(key.stage for key in self.figures))


def action_frequencies(setup: Setup, games: int, run: Run = Run()) -> ActionFrequencies:
    """Count the actions of simulated games by street, cost and kind, and the hands by strength.

    Strengths are by the reader that follows the games: the reader of Loki's players if any play,
    else ``LokiReader``. Its table is consistent if this yields the same table.
    """
    readers = (player.reader for player in setup.deciders.values())
    loki = next((reader for reader in readers if isinstance(reader, LokiReader)), LokiReader())
    reader = replace(loki, reweighs=True)
    sums = Study(partial(_action_rows, setup, reader, run.seed)).sums(games, run)
    figures = {}
    for street in range(model.N_STREETS):
        for cost, words in enumerate(model.COSTS):
            under = np.zeros((model.N_STREETS, len(model.COSTS), len(model.ACTIONS)))
            under[street, cost] = 1.0
            for kind, action in enumerate(model.ACTIONS):
                over = np.zeros_like(under)
                over[street, cost, kind] = 1.0
                share = _share(sums, "actions", over, under)
                figures[Key(action, str(street + model.FIRST_STREET), words)] = share
    for street in range(1, model.N_STREETS):
        for words in (*model.COSTS, model.ANY_COST):
            whole = np.ones(len(model.STRENGTH_STEPS))
            for place, step in enumerate(model.STRENGTH_STEPS):
                part = (np.arange(len(model.STRENGTH_STEPS)) <= place).astype(np.float64)
                share = _share(sums, f"{street} {words}", part, whole)
                key = Key(model.strength_figure(step), str(street + model.FIRST_STREET), words)
                figures[key] = share
    deciders = [player.name for _, player in sorted(setup.deciders.items())]
    models = setup.players.name if len(deciders) < len(setup.seats) else ""
    names = "; ".join(filter(None, [models, ", ".join(deciders)]))
    return ActionFrequencies(figures, names, games)


def _share(sums: Sums, name: str, over: Floats, under: Floats) -> Estimate:
    moments = sums.of(name, over.size)
    n = round(float(under.ravel() @ moments.means) * moments.n)
    if not n:
        return NOTHING
    ratio = moments.ratio(over.ravel(), under.ravel())
    return Estimate.share(ratio.mean, ratio.error, n, moments.n)


def _action_rows(setup: Setup, reader: LokiReader, seed: int, number: int) -> Iterator[Row]:
    """Play a game, and yield the counts of its actions and of the strengths of hands."""
    game = play_game(setup, seed, number)
    counts: Floats = np.zeros((model.N_STREETS, len(model.COSTS), len(model.ACTIONS)))
    for _, category in model.categories(game.replay.decisions):
        counts[category] += 1
    yield "actions", counts.ravel()
    for name, strengths in _strengths(game.replay, reader).items():
        steps = np.searchsorted(model.STRENGTH_STEPS, np.minimum(strengths, 1.0))
        yield name, np.bincount(steps, minlength=len(model.STRENGTH_STEPS))


def _strengths(replay: Replay, reader: LokiReader) -> dict[str, list[float]]:
    """Return the effective strengths of hands that act from 4th street on, by situation."""
    by_place: dict[str, list[float]] = defaultdict(list)
    observer = reader.observer(replay.history, SPLIT)
    costs = model.Costs()
    for street in replay.streets:
        observer.deal(street)
        down = replay.downcards_on(street.number)
        for decision in street.decisions:
            seat, cost = decision.seat, costs.cost(decision)
            if street.number > model.FIRST_STREET:
                place = holding_index(down[seat])
                effective = float(observer.strength.effective(seat, observer.pdds)[place])
                for words in (model.COSTS[cost], model.ANY_COST):
                    by_place[f"{street.number - model.FIRST_STREET} {words}"].append(effective)
            costs.add(decision)
            observer.follow(decision)
    return by_place
