"""The model of a player: how often it folds, checks or calls, and bets or raises, by situation.

Billings et al. 1998 count actions in 36 categories: three kinds of action, three costs (0, 1 or
more bets) and four rounds; the five rounds of stud make 45. The frequencies give the threshold of
an action: a player who calls or raises with 30% of the hands needs one of the best 30%. The mean of
the threshold is this quantile of the values of the player's hands; hands within a spread of it may
or may not take the action.
"""

import csv
import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from typing import NamedTuple, Self

import numpy as np

from handread.arrays import Floats
from handread.game.steps import Decision, DecisionPoint
from handread.history import Action, History
from handread.papers.loki.strength import reweighting

ACTIONS = ("fold", "check or call", "bet or raise")
FOLD, CALL, RAISE = range(3)

COSTS = ("no bet", "one bet", "more bets")

FIRST_STREET, N_STREETS = 3, 5

STRENGTH_STEPS = tuple(step / 20 for step in range(1, 21))
"""Steps of effective hand strength in the tables of strength distributions."""

LEAST_ACTIONS = 50
"""Fewest actions for a distribution of strengths; with fewer, the street's is used."""

ANY_COST = "any"
"""The group of all costs of a street, in the table of frequencies."""

ENOUGH = 20
"""Own decisions in a situation that let own frequencies replace the default."""

BORROWED = 5.0
"""Actions of other streets that count for a situation, in default frequencies."""

INCOME_SPREAD = 0.1
"""Spread of thresholds on 3rd street, in bets of income (the paper's +/-100)."""

STRENGTH_SPREAD = 0.2
"""Spread of later thresholds, in units of effective hand strength (the paper's example)."""

KIND_OF: Mapping[str, int] = {
    Action.FOLD: FOLD,
    Action.CHECK: CALL,
    Action.CALL: CALL,
    Action.BET: RAISE,
    Action.RAISE: RAISE,
}
"""The kind of each action: ``FOLD``, ``CALL`` or ``RAISE``."""


class Costs:
    """The cost of a call to each player, in bets, as the actions of a hand go by.

    The cost counts bets and raises since the player last acted on the street. A bring-in costs one
    bet, as does a completion to those who called the bring-in.
    """

    def __init__(self) -> None:
        self._street = 0
        self._paid: dict[int, int] = {}

    def cost(self, spot: DecisionPoint) -> int:
        """Return the cost at a decision point, as an index of ``COSTS``."""
        if spot.to_call == 0:
            return 0
        paid = self._paid.get(spot.seat, 0) if spot.street == self._street else 0
        return 1 if spot.raises - paid <= 1 else 2

    def add(self, decision: Decision) -> None:
        """Take in an action."""
        if decision.street != self._street:
            self._street, self._paid = decision.street, {}
        self._paid[decision.seat] = decision.raises + (KIND_OF[decision.action] == RAISE)


Category = tuple[int, int, int]
"""Indices of street, cost and kind of action."""


def categories(decisions: Iterable[Decision]) -> Iterator[tuple[int, Category]]:
    """Yield the seat and the category of each action of a hand.

    A bring-in's completion by its owner is left out: nobody can be seen to decline it.
    """
    costs = Costs()
    for decision in decisions:
        if not decision.forced:
            street, kind = decision.street - FIRST_STREET, KIND_OF[decision.action]
            yield decision.seat, (street, costs.cost(decision), kind)
        costs.add(decision)


def player_key(history: History, seat: int) -> str:
    """Return the name of the player in a seat, or "seat 3" if the log gives no name."""
    return history.seat(seat).name or f"seat {seat}"


@dataclass(frozen=True)
class ActionModel:
    """The frequencies of the players' actions.

    Attributes:
        default: Frequencies of actions (streets, costs, actions): the generic model.
        strengths: Share of the hands in a situation up to each of ``STRENGTH_STEPS`` of effective
            hand strength (streets, costs, steps), unused on 3rd street. None: thresholds are
            quantiles of the hands that 3rd street left on the board at hand.
        counts: Own actions of each player by category (streets, costs, actions).
        enough: As ``ENOUGH``; None never uses own frequencies (generic modelling).
    """

    default: Floats
    strengths: Floats | None = None
    counts: Mapping[str, Floats] = field(default_factory=dict)
    enough: int | None = None

    def frequencies(self, player: str, street: int, cost: int) -> Floats:
        """Return the frequencies of the kinds of action of a player in a situation, (3,).

        One action with default frequencies joins the own counts, so that no action is impossible.
        """
        default: Floats = self.default[street, cost]
        counted = self.counts.get(player)
        if self.enough is None or counted is None or counted[street, cost].sum() < self.enough:
            return default
        joint = counted[street, cost] + default
        frequencies: Floats = joint / joint.sum()
        return frequencies

    def after(self, history: History, decisions: Iterable[Decision]) -> Self:
        """Return the model with the actions of a hand counted."""
        counts = dict(self.counts)
        fresh: set[str] = set()
        for seat, category in categories(decisions):
            player = player_key(history, seat)
            if player not in fresh:
                fresh.add(player)
                known = counts.get(player)
                counts[player] = np.zeros_like(self.default) if known is None else known.copy()
            counts[player][category] += 1
        return replace(self, counts=counts)

    @property
    def digest(self) -> str:
        """A text that is equal for models with equal frequencies and counts."""
        hashed = hashlib.sha256(self.default.tobytes())
        if self.strengths is not None:
            hashed.update(self.strengths.tobytes())
        for player, counted in sorted(self.counts.items()):
            hashed.update(player.encode() + b"\0" + counted.tobytes())
        whose = "of all players" if self.enough is None else f"own after {self.enough} actions"
        return f"frequencies {hashed.hexdigest()[:12]}, {whose}"


def frequencies_of(counts: Floats) -> Floats:
    """Return the frequencies of counted actions (streets, costs, actions).

    Each situation gets ``BORROWED`` extra actions with the frequencies of all streets: a few hands
    say little, and no action is impossible.
    """
    pooled = counts.sum(axis=0) + 0.5
    pooled /= pooled.sum(axis=-1, keepdims=True)
    smoothed = counts + BORROWED * pooled
    shares: Floats = smoothed / smoothed.sum(axis=-1, keepdims=True)
    return shares


class Threshold(NamedTuple):
    """The threshold of an action in terms of the value of hands: the paper's mu and sigma.

    Attributes:
        mean: Half of the hands of this value take the action.
        spread: Hands further above the mean take it, hands further below do not.
        above: False for a fold, which hands below the threshold take.
    """

    mean: float
    spread: float
    above: bool = True

    def factors(self, values: Floats) -> Floats:
        """Return the re-weighting factors of hands by value (Figure 3), mirrored for a fold."""
        if self.above:
            return reweighting(values, self.mean, self.spread)
        return reweighting(-values, -self.mean, self.spread)


def threshold(
    kind: int, frequencies: Floats, values: Floats, weights: Floats, spread: float
) -> Threshold:
    """Return the threshold of an action.

    Its mean is the quantile of the values above which the weights are as frequent as the action and
    more aggressive ones. The spread ends at the lowest value, since an action that is nearly always
    taken carries next to no information.
    """
    least = CALL if kind == FOLD else kind
    live = weights > 0.0
    values, weights = values[live], weights[live]
    order = np.argsort(values)
    sums = np.cumsum(weights[order])
    target = (1.0 - float(frequencies[least:].sum())) * sums[-1]
    place = min(int(np.searchsorted(sums, target, side="right")), order.size - 1)
    mean = float(values[order[place]])
    nearest = mean - float(values[order[0]])
    return Threshold(mean, min(spread, nearest), kind != FOLD)


def strength_threshold(kind: int, frequencies: Floats, strengths: Floats) -> Threshold:
    """Return the threshold of an action in terms of effective hand strength.

    Hands in the situation exceed its mean as often as players take the action or a more aggressive
    one. It is the same on all boards: a player with strong upcards bets more often.
    """
    share = 1.0 - float(frequencies[CALL if kind == FOLD else kind :].sum())
    place = min(int(np.searchsorted(strengths, share)), len(STRENGTH_STEPS) - 1)
    below, step = (strengths[place - 1], STRENGTH_STEPS[place - 1]) if place else (0.0, 0.0)
    within = (share - below) / (strengths[place] - below) if strengths[place] > below else 1.0
    mean = float(step + min(within, 1.0) * (STRENGTH_STEPS[place] - step))
    return Threshold(mean, min(STRENGTH_SPREAD, mean), kind != FOLD)


@cache
def shipped_model(file: str = "frequencies.csv") -> ActionModel:
    """Return the generic model of a table shipped with handread.

    ``frequencies.csv`` is from players with the policy ``default``, ``own-frequencies.csv`` from
    Loki's player with generic modelling among its like.
    """
    return model_in(files(__package__).joinpath(file).read_text(encoding="utf-8"))


def model_in(text: str) -> ActionModel:
    """Return the generic model of a table of ``experiment loki-tables actions``."""
    return ActionModel(frequencies_of(counts_in(text)), strengths_in(text))


def counts_in(text: str) -> Floats:
    """Return the counts of actions of a table (streets, costs, actions)."""
    counts = np.zeros((N_STREETS, len(COSTS), len(ACTIONS)))
    for row in csv.DictReader(text.splitlines()):
        if row["figure"] in ACTIONS:
            place = int(row["stage"]) - FIRST_STREET, COSTS.index(row["group"])
            n = float(row["mean"] or 0.0) * int(row["n"])
            counts[(*place, ACTIONS.index(row["figure"]))] = n
    return counts


def strengths_in(text: str) -> Floats | None:
    """Return a table's distributions of strengths (streets, costs, steps); None without any.

    A situation with fewer than ``LEAST_ACTIONS`` actions has the distribution of its street.
    """
    shares = {
        (row["stage"], row["group"], row["figure"]): float(row["mean"] or 0.0)
        for row in csv.DictReader(text.splitlines())
        if int(row["n"]) >= (0 if row["group"] == ANY_COST else LEAST_ACTIONS)
        and row["figure"] not in ACTIONS
    }
    if not shares:
        return None
    steps = np.tile(STRENGTH_STEPS, (N_STREETS, len(COSTS), 1))
    for street in range(1, N_STREETS):
        stage = str(street + FIRST_STREET)
        for cost, words in enumerate(COSTS):
            for place, step in enumerate(STRENGTH_STEPS):
                figure = strength_figure(step)
                pooled = shares.get((stage, ANY_COST, figure), step)
                steps[street, cost, place] = shares.get((stage, words, figure), pooled)
    return np.maximum.accumulate(steps, axis=-1)


def strength_figure(step: float) -> str:
    """Return the name of the share of hands up to a strength, in the table of frequencies."""
    return f"strength up to {step:.2f}"
