"""Totals of the values of many hands, by player: results, luck, and the costs of decisions.

The luck-adjusted result of a hand is its result without the luck of the cards
(``decisions.ledger``). Luck has mean 0 by the policies: the adjusted result has the mean of the
result, and varies much less.
"""

import heapq
import math
from array import array
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Self

import numpy as np

from handread.cards import MaybeCard
from handread.decisions.decision_values import DecisionValue
from handread.decisions.hand_values import HandValues
from handread.decisions.ledger import PARTS, TERMS
from handread.game.steps import Replay
from handread.history import Action, History
from handread.inference.hand_analysis import Analysis
from handread.study.statistics import NOTHING, Estimate, FigureTable, Key, Moments

RESULTS = ("net", "adjusted", "luck")
"""The results of a hand that are added up, besides ``TERMS``."""

YOU, UNNAMED = "you", "unnamed"
"""Names for the hero of a log without names, and for other players."""

RATIO = "variance_ratio"
"""The variance of the adjusted result over the variance of the result, from hand to hand."""

DECISION_FIGURES = ("cost", "best", "close", "costly", "mistake")
"""The figures about decisions: their mean cost in big bets, and the share of each verdict."""

_NUMBERS = (*RESULTS, *TERMS)


class DecisionKind(NamedTuple):
    """A kind of decision: the number of the street, and the action taken."""

    street: int
    action: Action

    def __str__(self) -> str:
        return f"{self.street} {self.action}"


class DecisionCost(NamedTuple):
    """A decision in the totals: its kind, its cost in big bets, and the verdict.

    ``low`` is the lower end of the 95% interval of the cost.
    """

    street: int
    action: Action
    big_bets: float
    verdict: str
    low: float = 0.0

    @classmethod
    def of(cls, value: DecisionValue) -> Self:
        """Return the cost of a valued decision."""
        made = value.decision
        bet = value.big_bet
        return cls(made.street, made.action, value.cost / bet, value.verdict, value.low / bet)


@dataclass(frozen=True, slots=True)
class PlayedDecision:
    """A decision of a session, with the player's upcards and the card shared by all."""

    place: int  # of its hand in the session, from 1
    player: str
    upcards: tuple[MaybeCard, ...]
    shared: MaybeCard
    value: DecisionValue

    @property
    def low(self) -> float:
        """The lower end of the 95% interval of the cost, in big bets."""
        return self.value.low / self.value.big_bet


@dataclass(frozen=True)
class SessionTable(FigureTable):
    """Totals of a session, in big bets, with the name of a player as group.

    The figures ``RESULTS`` and ``TERMS`` are means of the hands that have a ledger about "hand",
    and sums about "all", each with a 95% interval for hands of the same kind; ``RATIO`` is about
    "hand". ``DECISION_FIGURES`` are means of the decisions about "decision", and "cost" about "all"
    is their sum, with errors from hand to hand. The same means of one kind of decision, and the
    "sum" of its costs, are about the street and the action: "7 call".

    Attributes:
        hands: By player the number of hands played.
        kinds: By player the street and the action of its decisions, in the order of play.
        expensive: Decisions that cost more than chance, by the lower end of their intervals: the
            highest first.
        hero: Player whose log it is; None if the log does not say, or says several.
    """

    hands: Mapping[str, int]
    kinds: Mapping[str, Sequence[DecisionKind]]
    expensive: tuple[PlayedDecision, ...]
    hero: str | None

    @property
    def players(self) -> tuple[str, ...]:
        """The players with a figure: the hero, then those with the most hands."""
        known = dict.fromkeys(key.group for key in self.figures)
        return tuple(
            sorted(known, key=lambda name: (name != self.hero, -self.hands.get(name, 0), name))
        )


class _Vectors:
    """Vectors of ``size`` numbers, one a hand: computing all their moments at once is faster."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._numbers = array("d")

    def add(self, numbers: Iterable[float]) -> None:
        self._numbers.extend(numbers)

    def moments(self) -> Moments:
        return Moments.of(np.array(self._numbers).reshape(-1, self._size))


@dataclass(slots=True)
class _SessionPlayer:
    hands: int = 0
    results: _Vectors = field(default_factory=lambda: _Vectors(len(_NUMBERS)))
    decisions: _Vectors = field(default_factory=lambda: _Vectors(1 + len(DECISION_FIGURES)))
    kinds: dict[DecisionKind, _Vectors] = field(default_factory=dict)

    def add(self, costs: Iterable[DecisionCost]) -> None:
        by_kind: dict[DecisionKind, list[float]] = {}
        total = [0.0] * (1 + len(DECISION_FIGURES))
        for cost in costs:
            sums = by_kind.setdefault(DecisionKind(cost.street, cost.action), [0.0] * len(total))
            verdicts = (float(cost.verdict == name) for name in DECISION_FIGURES[1:])
            for place, number in enumerate((1.0, cost.big_bets, *verdicts)):
                sums[place] += number
                total[place] += number
        self.decisions.add(total)
        for kind, sums in by_kind.items():
            self.kinds.setdefault(kind, _Vectors(len(sums))).add(sums)


class SessionValues:
    """Adds up the values of hands, one after the other; keeps the ``most`` expensive decisions."""

    def __init__(self, most: int = 5) -> None:
        self._most = most
        self._players: defaultdict[str, _SessionPlayer] = defaultdict(_SessionPlayer)
        self._dear: list[tuple[float, float, int, PlayedDecision]] = []
        self._heroes: set[str] = set()
        self._hands = self._seen = 0

    def add(self, analysis: Analysis, values: HandValues) -> None:
        """Count a hand."""
        history = analysis.replay.history
        names = player_names(history)
        self._hands += 1
        if history.hero is not None:
            self._heroes.add(names[history.hero])
        for seat in analysis.replay.paid:
            self._players[names[seat]].hands += 1
        # The big bets of a tournament grow: a player may win in big bets and lose chips.
        for seat, ledger in () if history.tournament else values.ledgers.items():
            big_bet = analysis.replay.stakes.bets[-1]
            amounts = {"net": PARTS * ledger.net, "adjusted": ledger.adjusted, "luck": ledger.luck}
            amounts |= ledger.terms
            figures = (amounts[name] / (PARTS * big_bet) for name in _NUMBERS)
            self._players[names[seat]].results.add(figures)
        by_seat: dict[int, list[DecisionValue]] = {}
        for value in values.decisions:
            by_seat.setdefault(value.decision.seat, []).append(value)
            self._keep(analysis.replay, names[value.decision.seat], value)
        for seat, costs in by_seat.items():
            self.add_costs(names[seat], map(DecisionCost.of, costs))

    def add_costs(self, player: str, costs: Iterable[DecisionCost]) -> None:
        """Count the decisions of a player in a hand, at least one."""
        self._players[player].add(costs)

    def _keep(self, replay: Replay, player: str, value: DecisionValue) -> None:
        if not value.is_costly:
            return
        spot = value.decision
        street = next(street for street in replay.streets if street.number == spot.street)
        upcards = street.upcards[spot.seat]
        played = PlayedDecision(self._hands, player, upcards, street.shared, value)
        self._seen += 1
        bets = value.cost / value.big_bet  # pages and the first look break ties so, too
        heapq.heappush(self._dear, (played.low, bets, -self._seen, played))
        if len(self._dear) > self._most:
            heapq.heappop(self._dear)

    def table(self) -> SessionTable:
        """Return the totals so far."""
        figures: dict[Key, Estimate] = {}
        for name, player in self._players.items():
            figures |= _result_figures(name, player.results.moments())
            total = Key("cost", group=name, about="all")
            figures |= _decision_figures(name, player.decisions.moments(), "decision", total)
            for kind, numbers in player.kinds.items():
                total = Key("sum", group=name, about=str(kind))
                figures |= _decision_figures(name, numbers.moments(), str(kind), total)
        return SessionTable(
            figures,
            {name: player.hands for name, player in self._players.items()},
            {name: sorted(player.kinds, key=in_order) for name, player in self._players.items()},
            tuple(played for *_, played in sorted(self._dear, reverse=True)),
            next(iter(self._heroes)) if len(self._heroes) == 1 else None,
        )


def player_names(history: History) -> dict[int, str]:
    """Return the name of the player of each seat; ``YOU`` or ``UNNAMED`` without a name.

    A seat number would make one player of all who sit there.
    """
    return {
        seat.number: seat.name or (YOU if seat.number == history.hero else UNNAMED)
        for seat in history.seats
    }


def _result_figures(player: str, results: Moments) -> dict[Key, Estimate]:
    hands = results.n
    if not hands:
        return {}
    figures = {}
    for place, name in enumerate(_NUMBERS):
        error = math.sqrt(results.variances[place] / hands)
        mean = float(results.means[place])
        for about, factor in (("hand", 1), ("all", hands)):
            estimate = Estimate.student(mean * factor, error * factor, hands, hands)
            figures[Key(name, group=player, about=about)] = estimate
    net, adjusted = results.variances[:2]
    ratio = Estimate(adjusted / net, n=hands, hands=hands) if net > 0.0 else NOTHING
    figures[Key(RATIO, group=player, about="hand")] = ratio
    return figures


def _decision_figures(player: str, sums: Moments, about: str, total: Key) -> dict[Key, Estimate]:
    """Return the figures of a player's decisions, from one vector of sums a hand."""
    if not sums.n:
        return {}
    units = np.eye(sums.size)
    decisions = round(sums.totals[0])
    figures = {}
    for place, name in enumerate(DECISION_FIGURES, 1):
        ratio = sums.ratio(units[place], units[0])
        estimate = Estimate.student(ratio.mean, ratio.error, decisions, sums.n)
        figures[Key(name, group=player, about=about)] = estimate
    error = math.sqrt(sums.variances[1] * sums.n)
    return figures | {total: Estimate.student(sums.totals[1], error, decisions, sums.n)}


def in_order(kind: DecisionKind) -> tuple[int, int]:
    """Return the place of a kind in the order of play."""
    return kind.street, tuple(Action).index(kind.action)
