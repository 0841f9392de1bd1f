"""Players who decide from a reader of their own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import pytest

from handread.cards import Card, rank_of
from handread.game.steps import DealtStreet, DecisionPoint, Replay
from handread.history import History
from handread.inference.observer import ObservedStreet, TieRule
from handread.inference.players import PlayerModels, player_models
from handread.inference.readers import Observer, Player, PolicyReader, Reader
from handread.policy import legal_actions
from handread.simulate import Game, Setup, play_game, play_games, seated

LOOSE = player_models("loose")


@dataclass(frozen=True)
class Aces:
    """Bets and raises with an ace in the hole, and otherwise checks or folds."""

    reader: Reader
    name: str = "aces"

    def decide(
        self, observer: Observer, spot: DecisionPoint, down: tuple[Card, ...]
    ) -> Mapping[str, float]:
        assert spot.seat in observer.belief.pdds  # it has seen the deal and all actions so far
        legal = legal_actions(spot)
        strong = any(rank_of(card) == 12 for card in down)
        wish = ("raise", "bet", "call", "check") if strong else ("check", "fold", "call")
        chosen = next(action for action in wish if action in legal)
        return {action: float(action == chosen) for action in legal}


def table(players: PlayerModels = LOOSE, watched: bool = True) -> Setup:
    aces = Aces(PolicyReader(LOOSE))
    seats = seated(players, 4)
    return Setup(players, seats, deciders={2: aces, 4: aces}, watched=watched)


def actions(game: Game) -> list[tuple[int, str]]:
    return [(d.seat, d.action) for street in game.replay.streets for d in street.decisions]


@pytest.mark.thorough
def test_a_player_decides_by_its_own_downcards() -> None:
    for game in play_games(table(), 5, range(20)):
        for decision in (d for street in game.replay.streets for d in street.decisions):
            if decision.seat in (2, 4):
                down = game.replay.downcards_on(decision.street)[decision.seat]
                strong = any(rank_of(card) == 12 for card in down)
                assert (decision.action in ("bet", "raise")) <= strong
                assert (decision.action == "fold") <= (not strong)


def test_a_game_without_a_public_observer_is_the_same_game() -> None:
    everybody = dict.fromkeys(range(1, 5), Aces(PolicyReader(LOOSE)))
    seen = replace(table(), deciders=everybody)
    for number in range(5):
        watched = play_game(seen, 5, number)
        alone = play_game(replace(seen, watched=False), 5, number)
        assert actions(watched) == actions(alone)
        assert watched.history == alone.history
        assert watched.observed
        assert not alone.observed


def test_a_player_sits_on_a_seat_of_a_game_that_its_reader_reads() -> None:
    with pytest.raises(ValueError, match="nobody sits in seat 9"):
        replace(table(), deciders={9: Aces(PolicyReader(LOOSE))})


@dataclass(frozen=True)
class Noted:
    """A reader whose observers note the streets that they are told of."""

    streets: list[int]
    name: str = "noted"
    terms: str = "noted"
    games: tuple[str, ...] = ("stud",)
    learns: bool = False

    def observer(self, history: History, ties: TieRule) -> Observer:
        observer = PolicyReader(LOOSE).observer(history, ties)
        dealt = observer.deal

        def noted(street: DealtStreet) -> Mapping[int, float]:
            self.streets.append(street.number)
            return dealt(street)

        observer.deal = noted  # type: ignore[method-assign]
        return observer

    def after(self, replay: Replay, observed: Sequence[ObservedStreet]) -> Noted:
        raise AssertionError("it learns nothing")


def test_an_observer_is_told_nothing_once_its_players_have_folded() -> None:
    """The last one in acts until the others have folded, those who fold on 3rd street do not."""
    everybody: dict[int, Player] = {}
    readers = {seat: Noted([]) for seat in range(1, 5)}
    for seat, reader in readers.items():
        everybody[seat] = Aces(reader)
    games = [play_game(replace(table(watched=False), deciders=everybody), 5, 3)]
    for seat, reader in readers.items():
        acted = [d.street for game in games for d in game.replay.decisions if d.seat == seat]
        assert reader.streets == list(range(3, max(acted, default=2) + 1))
