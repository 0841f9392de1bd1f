"""Games of a learner: nets after each action, and the features of its decisions."""

from __future__ import annotations

import numpy as np
import pytest

from handread.formats.saund_read import read_game
from handread.game.rules import FIVE_STUD, RAZZ, STUD, STUD8, Variant
from handread.history import Seat
from handread.inference.players import Model, PlayerModels
from handread.papers.strong import self_play
from handread.papers.strong.improve import odds_of
from handread.papers.strong.self_play import ME, DealGames
from handread.policy import LogitPolicy, load_policy
from handread.simulate import Setup

GAMES = (STUD, STUD8, RAZZ, FIVE_STUD)


def setup_of(game: Variant) -> Setup:
    unit, stakes, _ = read_game(game.key)
    players = PlayerModels(Model(load_policy("default")))
    return Setup(players, (Seat(1), Seat(2)), stakes, unit, game=game)


def dealt(n: int, number: int, games: int = 4, game: Variant = STUD) -> DealGames:
    models = [Model(load_policy("people-mixed")).in_game(game.key)] * n
    return DealGames.drawn(models, games, 3, number, setup_of(game))


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_the_game_as_played_is_one_of_those_with_a_forced_action(game: Variant) -> None:
    """The first decision of the first game has the same random completions in both."""
    some = 0
    for number in range(6):
        deal = dealt(3, number, game=game)
        nets, n_acted = deal.nets()
        if n_acted[0]:
            seen = deal.decisions()
            assert seen.games[0] == 0
            assert nets[0] in seen.nets[0][seen.legal[0]]
            some += 1
    assert some


def test_a_fold_costs_what_was_put_in_since_the_first_decision() -> None:
    for number in range(6):
        seen = dealt(2, number).decisions()
        first = np.r_[True, np.diff(seen.games) > 0]
        facing = seen.legal[:, 2]
        assert (seen.nets[facing, 2] <= 0.0).all()
        assert not seen.nets[first & facing, 2].any()


def test_nets_of_all_places_cancel(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same game from each seat: the winner gets what was posted, too."""
    deal = dealt(3, 5, games=6)
    total = np.zeros(6)
    for place in range(3):
        monkeypatch.setattr(self_play, "ME", place)
        total += deal.nets()[0]
    stakes = deal.table.stakes
    posted = sum(player.paid for player in deal.table.players)
    assert total == pytest.approx(np.full(6, posted / stakes.bets[-1]))


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_features_are_those_by_which_the_policy_bets(game: Variant) -> None:
    """With the learner's own weights, the noted features give its mean action in many games."""
    deal = dealt(2, 1, games=200, game=game)
    policy = deal.models[ME].policy
    assert isinstance(policy, LogitPolicy)
    seen = deal.decisions()
    first = np.r_[True, np.diff(seen.games) > 0]
    odds = odds_of(seen.features[first], seen.legal[first], policy.vector())
    assert odds.sum(axis=1) == pytest.approx(np.ones(first.sum()))
    # The first decision is met by the same upcards: the learner folds as often as the odds say.
    nets, n_acted = deal.nets()
    facing = seen.legal[first][:, 2]
    if facing.all():
        folded = (nets == 0.0) & (n_acted == 1)
        assert folded[seen.games[first]].mean() == pytest.approx(odds[:, 2].mean(), abs=0.12)


def test_policies_of_trees_are_refused() -> None:
    models = [Model(load_policy("trees")), Model(load_policy("people-average"))]
    with pytest.raises(ValueError, match="trees do not play"):
        DealGames.drawn(models, 2, 1, 1, setup_of(STUD)).nets()
