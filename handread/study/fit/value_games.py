"""Games to learn values from: their states, and the values that follow.

Games are simulated with different numbers of players, stacks and stakes. At some decisions every
legal action is played on, with the same cards and draws for all actions.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import numpy as np

from handread.arrays import Floats
from handread.cards import Card, holding_index
from handread.decisions.learned import CHANCES
from handread.decisions.ledger import changes
from handread.decisions.rollouts import HouseRake, RollOut, Rollouts, draw_futures
from handread.decisions.states import State, States
from handread.decisions.turns import LegalAction, Turn, turns
from handread.game.rules import Stakes, Variant
from handread.game.table import Table
from handread.history import Action, Seat, Wager
from handread.inference.analysis import true_holding
from handread.inference.hand_analysis import Analysis
from handread.inference.joint import Hidden, draw_deals, shares_of_the_pot
from handread.inference.observer import Belief, seat_cards, visible_cards
from handread.inference.players import PlayerModels
from handread.inference.viewpoint import without
from handread.runs import Run
from handread.simulate import Setup, seated, watched_games
from handread.study.decision_samples import full_weight_pdds
from handread.typed import read_typed, write_typed

NO_RAKE = HouseRake()

EXTREME = CHANCES[0], CHANCES[-1]
"""Chances to win below and above which decisions are rare, and values least accurate."""

SMALL_BET = 100


@dataclass(frozen=True, slots=True)
class ValuesPlan:
    """The numbers of games, draws and rollouts to learn values from."""

    games: int = 1600
    showdowns: int = 1600  # more games, used for their showdowns alone
    draws: int = 16  # of the hidden cards at each showdown
    played_on: int = 700  # games with decisions that are played on
    decisions: int = 2  # of each of them, on different streets
    extremes: int = 1  # more of each with a chance to win that is ``EXTREME``
    rollouts: int = 60  # of each decision
    gain_weight: float = 6.0  # of the difference between two actions; a value has 1
    rounds: int = 8  # how often the means over the games are made to agree
    penalties: tuple[float, ...] = (10.0, 30.0, 100.0, 300.0, 1000.0, 3000.0, 10000.0)  # of ridges
    seed: int = 1


def random_setup(players: PlayerModels, game: Variant, seed: int, number: int) -> Setup:
    """Return the setup of a game: half have seven seats, a third stacks of any size."""
    rng = np.random.default_rng((seed, number, 7))
    most = game.max_players
    n = min(7, most) if rng.random() < 0.5 else int(rng.integers(2, most + 1))
    ante, bring_in = int(rng.choice([10, 15, 20, 25])), int(rng.choice([25, 35, 50]))
    stakes = Stakes(ante, bring_in, game.bets(SMALL_BET, 2 * SMALL_BET))
    seats = seated(players, n)
    if rng.random() < 0.3:
        logs = rng.uniform(np.log(2 * SMALL_BET), np.log(50 * SMALL_BET), n)
        stacks = np.exp(logs).astype(int).tolist()
        seats = tuple(Seat(s.number, s.name, stack) for s, stack in zip(seats, stacks, strict=True))
    return Setup(players, seats, stakes, game=game)


@dataclass(slots=True)
class GameData:
    """States of games, and the nodes they lead to. Amounts are in big bets.

    A node is a value: the sum of a constant and of states with weights.

    Attributes:
        games: By state the number of its game.
        bets: By state the big bet, in minor units.
        constants: By node its constant.
        parts: Node, state and weight of each state in a node.
        follows: State, node that it leads to, and the amount to add to its value.
        shown: State before a showdown, its value with drawn cards, and weight of the draw.
        after: By decision played on its game, and the states after a check or call and after a bet
            or raise.
        values: By decision the mean values of these two states by rollouts.
        noise: By decision the squared standard errors of both, and of the difference.
    """

    states: list[State] = field(default_factory=list)
    games: list[int] = field(default_factory=list)
    bets: list[int] = field(default_factory=list)
    constants: list[float] = field(default_factory=list)
    parts: list[tuple[int, int, float]] = field(default_factory=list)
    follows: list[tuple[int, int, float]] = field(default_factory=list)
    shown: list[tuple[int, float, float]] = field(default_factory=list)
    after: list[tuple[int, int, int]] = field(default_factory=list)
    values: list[tuple[float, float]] = field(default_factory=list)
    noise: list[tuple[float, float, float]] = field(default_factory=list)

    def state(self, state: State, big_bet: int, game: int) -> int:
        """Add a state; return its number."""
        self.states.append(state)
        self.bets.append(big_bet)
        self.games.append(game)
        return len(self.states) - 1

    def extend(self, other: "GameData") -> None:
        """Add the data from other games."""
        states, nodes = len(self.states), len(self.constants)
        for name in ("states", "games", "bets", "constants", "values", "noise"):
            getattr(self, name).extend(getattr(other, name))
        self.parts += [(nodes + node, states + state, w) for node, state, w in other.parts]
        self.follows += [(states + state, nodes + node, add) for state, node, add in other.follows]
        self.shown += [(states + state, value, weight) for state, value, weight in other.shown]
        self.after += [
            (
                game,
                passive if passive < 0 else states + passive,
                active if active < 0 else states + active,
            )
            for game, passive, active in other.after
        ]

    def node(self, constant: float, parts: Sequence[tuple[int, float]] = ()) -> int:
        """Add a node; return its number."""
        node = len(self.constants)
        self.constants.append(constant)
        self.parts += [(node, state, weight) for state, weight in parts]
        return node


class _Collector:
    def __init__(self, data: GameData, read: Analysis, number: int) -> None:
        self._data, self._read, self._number = data, read, number
        self._big_bet = read.replay.stakes.bets[-1]
        self._states = States(read.ties)
        self._turns = {turn.decision.n: turn for turn in turns(read)}
        self._options: dict[int, list[tuple[LegalAction, int | None]]] = {}
        self._changes = tuple(changes(read))

    def add(self) -> None:
        for seat in self._read.replay.paid:
            self._add_seat(seat)

    def _add_seat(self, seat: int) -> None:
        replay, data = self._read.replay, self._data
        waiting: list[tuple[int, float]] = []
        final: list[tuple[int, float]] = []
        for change in self._changes:
            table = change.table
            if table.player(seat).folded:
                return
            if len(table.active) == 1:
                break
            if change.decider == seat and not table.bring_in_due:
                self._lead_to(self._turn_node(self._turns[change.decision]), waiting)
                continue
            down = true_holding(replay, seat, table.street)
            assert down is not None
            state, paid = self._state(table, change.belief, seat, down)
            if data.states[state].kind == "over":
                self._lead_to(data.node(-paid, [(state, 1.0)]), waiting)
                final.append((state, paid))
            else:
                waiting.append((state, paid))
        net = replay.net(seat)
        self._lead_to(data.node(net / self._big_bet), [*waiting, *final])

    def _lead_to(self, node: int, waiting: list[tuple[int, float]]) -> None:
        self._data.follows += [(state, node, paid) for state, paid in waiting]
        waiting.clear()

    def _state(
        self, table: Table, belief: Belief, seat: int, down: Sequence[Card]
    ) -> tuple[int, float]:
        """Add the state of a seat; return its number, and the seat's chips in the pot."""
        if table.bring_in_due:
            table = table.play(Wager(table.may_act[0], Action.BRING_IN))
        state = self._states.of(table, belief, seat, down)
        number = self._data.state(state, self._big_bet, self._number)
        return number, table.player(seat).paid / self._big_bet

    def _options_of(self, turn: Turn) -> list[tuple[LegalAction, int | None]]:
        if turn.decision.n not in self._options:
            pairs = self._options[turn.decision.n] = []
            for option in turn.options:
                after = option.table, option.belief, turn.seat, turn.down
                pairs.append((option, None if option.action == "fold" else self._state(*after)[0]))
        return self._options[turn.decision.n]

    def _turn_node(self, turn: Turn) -> int:
        held, constant = holding_index(turn.down), 0.0
        parts = []
        for option, state in self._options_of(turn):
            p = float(turn.expected.action_probs[option.action][held])
            constant -= p * option.table.player(turn.seat).paid / self._big_bet
            if state is not None:
                parts.append((state, p))
        return self._data.node(constant, parts)

    def play_on(self, plan: ValuesPlan, roll_out: RollOut) -> None:
        """Play on some decisions of the game, on as many streets as possible, and extreme ones."""
        rng = np.random.default_rng((plan.seed, self._number, 8))
        by_street: dict[int, list[Turn]] = {}
        for turn in self._turns.values():
            by_street.setdefault(turn.table.street, []).append(turn)
        streets = rng.permutation(list(by_street)).tolist()[: plan.decisions]
        chosen = [by_street[s][int(rng.integers(len(by_street[s])))] for s in streets]
        taken = {turn.decision.n for turn in chosen}
        left = [turn for n, turn in self._turns.items() if n not in taken and _is_extreme(turn)]
        chosen += [left[place] for place in rng.permutation(len(left))[: plan.extremes]]
        for turn in chosen:
            pairs = self._options_of(turn)
            options = [option for option, _ in pairs]
            futures = draw_futures(turn, plan.rollouts, rng)
            results = roll_out(turn, options, futures, NO_RAKE)
            self._add_rollouts(turn, pairs, results)

    def _add_rollouts(
        self, turn: Turn, pairs: list[tuple[LegalAction, int | None]], results: Rollouts
    ) -> None:
        states, columns = [-1, -1], [np.full(results.weights.size, np.nan)] * 2
        before = turn.table.player(turn.seat).paid
        for place, (option, state) in enumerate(pairs):
            if state is not None:
                which = int(option.action in ("bet", "raise"))
                states[which] = state
                paid = option.table.player(turn.seat).paid - before
                columns[which] = (results.nets[:, place] + paid) / self._big_bet
        weights = results.weights / results.weights.sum()
        passive, active, gain = *columns, columns[1] - columns[0]
        means = [float(weights @ each) for each in (passive, active, gain)]
        noise = [
            float((weights**2) @ (each - mean) ** 2)
            for each, mean in zip((passive, active, gain), means, strict=True)
        ]
        self._data.after.append((self._number, states[0], states[1]))
        self._data.values.append((means[0], means[1]))
        self._data.noise.append((noise[0], noise[1], noise[2]))


def _is_extreme(turn: Turn) -> bool:
    """Return True if the player to act is all but sure to lose, or likely to win."""
    low, high = EXTREME
    return not low <= turn.expected.chances[holding_index(turn.down)] <= high


def _add_showdown(
    data: GameData, read: Analysis, number: int, draws: int, rng: np.random.Generator
) -> None:
    """Add the states before the showdown of a game, with cards drawn given all actions.

    Games without a showdown, with side pots, or whose draws all fail add nothing.
    """
    last = tuple(changes(read))[-1]
    table, belief = last.table, last.belief
    if len(table.active) < 2 or any(table.player(seat).all_in for seat in table.active):
        return
    street = read.replay.streets[-1]
    up = {seat: seat_cards(street, seat) for seat in table.active}
    hidden = Hidden(up, frozenset(visible_cards(street)), _exact_pdds(read), table.game)
    try:
        deals = draw_deals(hidden, draws, rng)
    except ValueError:  # no draw fits together
        return
    won = shares_of_the_pot(hidden, deals, rng)
    weights = deals.weights / deals.weights.sum()
    states, big_bet = States(read.ties), table.stakes.bets[-1]
    for place, seat in enumerate(table.active):
        for draw, cards in enumerate(deals.downcards(seat).tolist()):
            if weights[draw]:
                down = tuple(Card(card) for card in cards if card >= 0)
                state = data.state(states.of(table, belief, seat, down), big_bet, number)
                value = float(won[draw, place]) * table.pot / big_bet
                data.shown.append((state, value, float(weights[draw])))


def _exact_pdds(read: Analysis) -> dict[int, Floats]:
    """Return the pdds of all seats at the end, or as they folded, without a likelihood exponent.

    Each is the prior times the probabilities of all actions.
    """
    *_, (_, pdds) = full_weight_pdds(read)
    seen_cards = list(visible_cards(read.replay.streets[-1]))
    return {seat: without(pdd, seen_cards) for seat, pdd in pdds.items()}


def game_data(
    players: PlayerModels, game: Variant, plan: ValuesPlan, roll_out: RollOut, run: Run = Run()
) -> GameData:
    """Return the data of the games of a plan, whose decisions ``roll_out`` plays on."""
    data = GameData()
    work = partial(_play_games, players, game, plan, roll_out)
    with run.parts(work, plan.games + plan.showdowns, 1 + plan.rollouts // 20) as parts:
        for part in parts:
            data.extend(read_typed(GameData, part.file))
    return data


def _play_games(
    players: PlayerModels,
    game: Variant,
    plan: ValuesPlan,
    roll_out: RollOut,
    numbers: Iterable[int],
    path: Path,
) -> None:
    data = GameData()
    for number in numbers:
        setup = random_setup(players, game, plan.seed, number)
        (read,) = watched_games(setup, plan.seed, range(number, number + 1))
        if number < plan.games:
            collector = _Collector(data, read, number)
            collector.add()
            if number < plan.played_on:
                collector.play_on(plan, roll_out)
        else:
            rng = np.random.default_rng((plan.seed, number, 9))
            _add_showdown(data, read, number, plan.draws, rng)
    write_typed(data, path)
