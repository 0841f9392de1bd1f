"""Hands played on from any point end as the simulated games that they come from."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from handread.continuation import choose, net, play_on
from handread.game.rules import FIVE_STUD, RAZZ, STUD, STUD8, Stakes, Variant
from handread.game.seating import IllegalMove
from handread.game.table import Table
from handread.history import Action
from handread.inference.observer import Belief
from handread.inference.players import CARDS_ONLY, Model, PlayerModels
from handread.policy import load_policy
from handread.simulate import Game, Setup, play_games, seated
from tests.examples import few

MIXED = PlayerModels(
    Model(load_policy("default")),
    {2: Model(load_policy("loose")), 3: Model(load_policy("panel"), CARDS_ONLY)},
)
SEED = 8


def setup(game: Variant = STUD, n: int = 4, stack: int | None = None) -> Setup:
    stakes = Stakes(10, 20, game.bets(50, 100), cap_heads_up=4)
    return Setup(MIXED, seated(MIXED, n, stack), stakes, game=game)


SETUPS = [
    setup(),
    setup(n=8),
    setup(n=3, stack=240),
    *(setup(game) for game in (STUD8, RAZZ, FIVE_STUD)),
]


def points(game: Game) -> Iterator[tuple[Table, Belief | None]]:
    """Yield the table and the belief after the antes and after every action."""
    tables = iter([step.after for step in game.replay.steps if step.decision is not None])
    antes = [step.after for step in game.replay.steps if step.after.street == 0]
    yield antes[-1], None
    for street in game.observed:
        belief = street.dealt
        for update in street.updates:
            belief = belief.updated(update)
            yield next(tables), belief


def streams(game: Game, number: int, table: Table) -> dict[int, np.random.Generator]:
    """Return the random stream of each seat as it stands at a table."""
    found = {}
    for place, seat in enumerate(game.history.seats):
        stream = np.random.default_rng((SEED, number, place + 1))
        stream.random(sum(past.seat == seat.number for past in table.past))
        found[seat.number] = stream
    return found


@pytest.mark.thorough
@pytest.mark.parametrize("setting", few(SETUPS), ids=lambda s: f"{s.game.key}-{len(s.seats)}")
def test_a_hand_played_on_from_any_point_ends_as_the_game_did(setting: Setup) -> None:
    models = setting.players.in_game(setting.game.key)
    for number, game in enumerate(play_games(setting, SEED, range(1))):
        end = game.replay.steps[-1].after
        hands = game.full_hands
        for table, belief in points(game):
            down = {p.seat: p.down for p in table.players}
            dealt = {p.seat: len(p.down) + len(p.up) for p in table.players}
            left = {seat: cards[dealt[seat] :] for seat, cards in hands.items()}
            draws = streams(game, number, table)
            played = play_on(
                table, belief, down, left, models, lambda seat, d=draws: float(d[seat].random())
            )
            assert played.past == end.past
            assert [p.paid for p in played.players] == [p.paid for p in end.players]
            assert [p.up for p in played.players] == [p.up for p in end.players]
            won = {seat: net(played, seat) for seat in game.replay.paid}
            paid = game.replay.paid
            assert won == {seat: game.replay.won.get(seat, 0) - paid[seat] for seat in paid}


def test_the_strongest_action_has_the_lowest_draws() -> None:
    odds = {"fold": 0.5, "call": 0.3, "raise": 0.2}
    assert [choose(odds, draw) for draw in (0.1, 0.3, 0.6, 1.0)] == [
        Action.RAISE,
        Action.CALL,
        Action.FOLD,
        Action.FOLD,
    ]


def test_nobody_acts_on_unknown_downcards() -> None:
    (game,) = play_games(setup(n=3), SEED, range(1))
    start = game.replay.steps[0].before
    for seat in (1, 2, 3):
        start = start.ante(seat)
    start = start.next_street()
    for seat in (1, 2, 3):
        start = start.deal(seat, (None, None), (game.deck[seat],))
    belief = game.observed[0].dealt
    with pytest.raises(IllegalMove, match="are not known"):
        play_on(start.open_betting(), belief, {}, {}, MIXED, lambda _: 0.9)
