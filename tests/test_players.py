"""Players who decide from a reader of their own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import pytest

from handread.cards import Card, rank_of
from handread.game.steps import DecisionPoint
from handread.inference.players import PlayerModels, player_models
from handread.inference.readers import Observer, PolicyReader, Reader
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
