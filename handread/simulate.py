"""Simulate games of players who bet by policies, as an observer sees them.

At every decision the player's chance to win with its own downcards, against the public beliefs
about the others, goes through its policy, and an action is drawn (Saund 2006, sections IV and VI).

A game depends on its setup, a random seed and its number alone. The cards of every seat are fixed
before the betting and every seat has its own random stream, so that a fold changes no card and no
draw of the others. This makes duplicate deals comparable.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

import handread.game.rules as rules
import handread.game.steps as steps
from handread.cards import DECK, DECK_SIZE, Card, holding_index
from handread.continuation import Stock, choose, held
from handread.game.replay import ReplayBuilder, written_out
from handread.game.seating import Phase
from handread.game.table import Table
from handread.history import Action, Ante, History, Seat, Source, Wager
from handread.inference.analysis import analyze_replay
from handread.inference.hand_analysis import Analysis
from handread.inference.observer import TIE_RULES, Belief, ObservedStreet, Update
from handread.inference.players import PlayerModels
from handread.inference.readers import Follower, Observer, Player, PolicyObserver, PolicyReader


@dataclass(frozen=True, slots=True)
class Setup:
    """The setup of a series of simulated games; ``ValueError`` if no game can be played with it.

    Attributes:
        seats: Seats, as many as the game takes; a stack of None never runs out.
        stakes: Stakes in minor units.
        ties: Tie rule of players and observer, "split" or "paper".
        deciders: By seat the players who decide from a reader instead.
        watched: False if no public observer follows the games; ``Game.observed`` is then empty.
    """

    players: PlayerModels
    seats: tuple[Seat, ...] = tuple(Seat(n) for n in range(1, 8))
    stakes: rules.Stakes = rules.SAUND_STAKES
    unit: rules.Unit = rules.SAUND_UNIT
    ties: str = "split"
    game: rules.Variant = rules.DEFAULT
    deciders: Mapping[int, Player] = field(default_factory=dict)
    watched: bool = True

    def __post_init__(self) -> None:
        if not 2 <= len(self.seats) <= self.game.max_players:
            raise ValueError(f"{len(self.seats)} seats: expected 2 to {self.game.max_players}")
        if len(self.stakes.bets) != len(self.game.streets):
            n_bets, n_streets = len(self.stakes.bets), len(self.game.streets)
            raise ValueError(f"{n_bets} bets, but {self.game.title} has {n_streets} streets")
        if self.ties not in TIE_RULES:
            raise ValueError(f"no tie rule {self.ties!r}: expected {' or '.join(TIE_RULES)}")
        sitting = {seat.number for seat in self.seats}
        if strangers := sorted((set(self.players.seats) | set(self.deciders)) - sitting):
            listed = ", ".join(map(str, strangers))
            raise ValueError(f"nobody sits in seat {listed}; there are {len(self.seats)} seats")
        for player in self.deciders.values():
            if self.game.key not in player.reader.games:
                raise ValueError(f"{player.name} does not play {self.game.title}")
        least = max(self.stakes.ante, 1)
        if any(seat.stack is not None and seat.stack < least for seat in self.seats):
            raise ValueError("a stack that does not cover the ante")
        endless = any(seat.stack is None for seat in self.seats)
        if self.stakes.cap_heads_up is None and endless:
            raise ValueError("without a cap of raises heads-up every player needs a stack")


def seated(
    players: PlayerModels, n: int, stack: int | None = None, names: Sequence[str] | None = None
) -> tuple[Seat, ...]:
    """Return the seats 1 to n, by default named after their models.

    A stack is in minor units; None never runs out. Raise ``ValueError`` for other than n different
    names.
    """
    if names is None:
        models = {number: players.of(number).name for number in range(1, n + 1)}
        names = [f"{name.replace(', ', '-')}-{number}" for number, name in models.items()]
    if len(names) != n or len(set(names)) != n or not all(names):
        raise ValueError(f"{n} seats need {n} different names, not {', '.join(names)}")
    return tuple(Seat(number, name, stack) for number, name in enumerate(names, 1))


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Game:
    """A simulated game with the beliefs of the observer, street by street.

    Attributes:
        replay: The play of the game.
        observed: Beliefs of the public observer by street.
        deck: The 52 cards in order. Of n seats, seat i (from 0) has the cards i, i + n, ...
        reads: By seat the streets as the reader of a player saw them, for players who decide by a
            reader that learns.
    """

    replay: steps.Replay
    observed: tuple[ObservedStreet, ...]
    deck: tuple[Card, ...]
    reads: Mapping[int, tuple[ObservedStreet, ...]] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"<Game {self.history.hand_id!r}: {len(self.history.seats)} seats, {self.replay!r}>"

    @property
    def history(self) -> History:
        """The record of the game with all downcards and amounts."""
        return self.replay.history

    @property
    def full_hands(self) -> dict[int, tuple[Card, ...]]:
        """All cards of each seat, had it stayed in; six of seven for the last four of eight."""
        seats = [seat.number for seat in self.history.seats]
        n = rules.variant_of(self.history.variant).n_cards
        return {seat: self.deck[i :: len(seats)][:n] for i, seat in enumerate(seats)}


def play_game(setup: Setup, seed: int, number: int) -> Game:
    """Return the game with this number in the series of a random seed."""
    return _Dealer(setup, seed, number).play()


def first_decision(setup: Setup, seed: int, number: int) -> Table:
    """Return the table of a numbered game at its first decision."""
    return _Dealer(setup, seed, number).first_decision()


def play_games(setup: Setup, seed: int, numbers: range) -> Iterator[Game]:
    """Yield the games with these numbers."""
    return (play_game(setup, seed, number) for number in numbers)


def read_games(setup: Setup, seed: int, numbers: range) -> Iterator[tuple[Game, Analysis]]:
    """Yield numbered games with their analysis."""
    for game in play_games(setup, seed, numbers):
        observed = game.observed
        yield game, analyze_replay(game.replay, setup.players, ties=setup.ties, observed=observed)


def watched_games(setup: Setup, seed: int, numbers: range) -> Iterator[Analysis]:
    """Yield the games with these numbers as their observer saw them.

    The analyses suffice for decisions and ledgers; they leave out the stages, which take longer.
    """
    reader = PolicyReader(setup.players.in_game(setup.game.key))
    for game in play_games(setup, seed, numbers):
        terms = game.replay, reader, setup.ties, "public"
        yield Analysis(*terms, (), (), (), complete=True, observed=game.observed)


class _GameWatch:
    """The observer of a reader during a game, with the streets for a reader that learns.

    Events wait until somebody decides: after all its players fold, an observer does no work.
    """

    def __init__(self, observer: Observer, learns: bool) -> None:
        self._observer = observer
        self._follow = observer.follow if isinstance(observer, Follower) else None
        self.kept = learns and self._follow is None
        self._waiting: list[steps.DealtStreet | steps.Decision] = []
        self._dealt: list[tuple[Belief, Mapping[int, float]]] = []
        self._updates: list[list[Update]] = []
        self._after: list[Belief] = []

    def add(self, event: steps.DealtStreet | steps.Decision) -> None:
        self._waiting.append(event)

    @property
    def observer(self) -> Observer:
        """The observer, after all events so far."""
        for event in self._waiting:
            if isinstance(event, steps.DealtStreet):
                self._deal(event)
            elif self._follow is not None:
                self._follow(event)
            else:
                update = self._observer.observe(event)
                if self.kept:
                    self._updates[-1].append(update)
        self._waiting.clear()
        return self._observer

    def _deal(self, street: steps.DealtStreet) -> None:
        if self._updates:
            self._after.append(self._observer.belief)
        news = self._observer.deal(street)
        if self.kept:
            self._dealt.append((self._observer.belief, news))
            self._updates.append([])

    def streets(self) -> tuple[ObservedStreet, ...]:
        last = self.observer.belief  # after this, all events have been taken in
        after = [*self._after, last]
        return tuple(
            ObservedStreet(dealt, news, tuple(updates), belief)
            for (dealt, news), updates, belief in zip(
                self._dealt, self._updates, after, strict=True
            )
        )


class _Dealer:
    """Plays one game: deals the cards, draws the actions and updates the observer."""

    def __init__(self, setup: Setup, seed: int, number: int) -> None:
        self._setup = setup
        self._players = setup.players.in_game(setup.game.key)
        self._ties = TIE_RULES[setup.ties]
        entropy = (seed, number)
        order = np.random.default_rng((*entropy, 0)).permutation(DECK_SIZE)
        self._deck: tuple[Card, ...] = tuple(DECK[card] for card in order.tolist())
        n, most = len(setup.seats), setup.game.n_cards
        places = {seat.number: place for place, seat in enumerate(setup.seats)}
        self._stock = Stock({seat: self._deck[place::n][:most] for seat, place in places.items()})
        streams = {seat: (*entropy, place + 1) for seat, place in places.items()}
        self._streams = {seat: np.random.default_rng(stream) for seat, stream in streams.items()}
        # The public observer is needed by players who bet by a policy, too.
        by_policy = {seat.number for seat in setup.seats} - set(setup.deciders)
        self._observes = setup.watched or bool(by_policy)
        history = History(
            hand_id=f"{seed}{number:09d}",
            source=Source("simulated", number + 1, "simulated"),
            variant=setup.game.key,
            unit=setup.unit,
            stakes=setup.stakes,
            seats=setup.seats,
            events=(),
        )
        table = Table.start(setup.stakes, setup.seats, setup.unit, setup.game)
        self._walk = ReplayBuilder(history, table)
        # Players with one reader share its observer.
        readers = {id(player.reader): player.reader for player in setup.deciders.values()}
        observers = {key: reader.observer(history, self._ties) for key, reader in readers.items()}
        watches = {key: _GameWatch(observers[key], readers[key].learns) for key in readers}
        deciders = setup.deciders.items()
        self._deciders = {seat: (who, watches[id(who.reader)]) for seat, who in deciders}
        self._watches = tuple(watches.values())

    def first_decision(self) -> Table:
        """Return the table after the first deal and the bring-in."""
        self._post_antes()
        self._deal(self._setup.game.streets[0])
        next(self._spots())
        return self._walk.table

    def play(self) -> Game:
        self._post_antes()
        observed: list[ObservedStreet] = []
        observer = PolicyObserver(self._players, self._ties)
        for street in self._setup.game.streets:
            if self._walk.table.is_over:
                break
            seen = self._deal(street)
            for watch in self._watches:
                watch.add(seen)
            if not self._observes:
                self._bet(None)
                continue
            news = observer.deal(seen)
            dealt = observer.belief
            updates = self._bet(observer)
            observed.append(ObservedStreet(dealt, news, updates, observer.belief))
        self._walk.finish()
        played = self._walk.result(None)
        reads = {seat: watch.streets() for seat, (_, watch) in self._deciders.items() if watch.kept}
        replay = replace(played, history=written_out(played))
        return Game(replay, tuple(observed), self._deck, reads)

    def _post_antes(self) -> None:
        if self._setup.stakes.ante:
            for seat in self._setup.seats:
                self._walk.apply(Ante(seat.number))

    def _deal(self, street: rules.Street) -> steps.DealtStreet:
        walk = self._walk
        walk.begin(street.number, 0)
        for event in self._stock.deals(walk.table):
            walk.apply(event)
        walk.open_betting()
        return steps.dealt_street(walk.table)

    def _spots(self) -> Iterator[steps.DecisionPoint]:
        """Yield the decisions of a betting round; a bring-in is posted, and is no decision."""
        walk = self._walk
        while walk.table.phase is Phase.BET:
            seat = walk.table.may_act[0]
            if walk.table.bring_in_due:
                walk.apply(Wager(seat, Action.BRING_IN))
            else:
                yield steps.decision_point_at(walk.table, walk.acted + 1, seat)

    def _bet(self, observer: PolicyObserver | None) -> tuple[Update, ...]:
        """Play a betting round, and let the public observer follow it, if there is one.

        Returns:
            The effect of each action.
        """
        walk = self._walk
        updates: list[Update] = []
        for spot in self._spots():
            before = walk.table
            if spot.seat in self._deciders:
                player, watch = self._deciders[spot.seat]
                odds = player.decide(watch.observer, spot, held(before, spot.seat))
            else:
                assert observer is not None
                odds = observer.odds_with(spot, holding_index(held(before, spot.seat)))
            walk.apply(Wager(spot.seat, choose(odds, self._streams[spot.seat].random())))
            for watch in self._watches:
                watch.add(walk.decisions[-1])
            if observer is not None:
                updates.append(observer.observe(walk.decisions[-1]))
        return tuple(updates)
