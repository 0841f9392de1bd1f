"""How often players act as they do, and how often a policy says so."""

from __future__ import annotations

import math

import numpy as np
import pytest

from docs.site.frequencies import (
    FACED,
    Foreseen,
    Spot,
    foreseen_actions,
    frequencies,
    frequency_table,
)
from handread.game.replay import replay
from handread.inference.players import player_models
from handread.inference.readers import PolicyReader, read_hand
from handread.study.fit.sample import is_choice
from tests.hands import GOLDEN, hand

AT = Spot("a bet", "5th", "3")


def test_an_action_is_foreseen_as_the_read_says() -> None:
    """The evidence of each action by choice, in order; the chances of a spot sum to 1."""
    played, reader = replay(hand(GOLDEN)), PolicyReader(player_models("people-average"))
    (found,) = foreseen_actions([played], reader)
    updates = [update for street in read_hand(reader, played) for update in street.updates]
    chosen = [one for one in updates if is_choice(one.decision)]
    assert len(found) == len(chosen) > 10
    for one, update in zip(found, chosen, strict=True):
        assert one.action == update.decision.action
        assert one.chances[one.action] == pytest.approx(update.evidence, rel=1e-9)
        assert sum(one.chances.values()) == pytest.approx(1.0)
        facing = update.decision.to_call > 0
        assert one.spot.faced == FACED[facing * (1 + min(2, update.decision.raises))]
        assert one.spot.players == {2: "2", 3: "3", 4: "4"}.get(
            update.decision.n_active, "5 or more"
        )


def acted(action: str, fold: float) -> Foreseen:
    chances = {"fold": fold, "call": 0.9 - fold, "raise": 0.1}
    return Foreseen(AT, action, chances)


def test_shares_and_their_errors_by_log() -> None:
    """Two hands of a log count as one observation, against sums written out."""
    hands = [[acted("fold", 0.5)], [acted("fold", 0.7), acted("call", 0.3)], [acted("raise", 0.4)]]
    found = frequencies(hands, ["a", "a", "b"])
    assert (found.logs, found.spots) == (2, (AT,))
    seen = found.at("fold", group="5th, 3", about="a bet")
    assert (seen.mean, seen.n, seen.hands) == (0.5, 4, 2)
    off = np.array([0.5 + 0.5 - 0.5, -0.5])  # of the logs, around their mean
    assert seen.error == pytest.approx(math.sqrt((off**2).sum() * 2 / 1) / 4)
    assert found.at("expected fold", group="5th, 3", about="a bet").mean == pytest.approx(1.9 / 4)
    assert math.isnan(found.at("bet", group="5th, 3", about="a bet").mean)


def test_the_table_has_a_row_for_each_spot_with_ten_decisions() -> None:
    actions = ["fold"] * 6 + ["call"] * 4
    found = frequencies([[acted(one, 0.5)] for one in actions], [str(n) for n in range(10)])
    few = frequencies([[acted("fold", 0.5)]], ["a"])
    assert frequency_table(found).splitlines()[2].startswith("| a bet | 5th | 3 | 10 | 60% (")
    assert frequency_table(found).splitlines()[2].endswith(") | 50% | 0% (0 to 34) | 10% |")
    assert len(frequency_table(few).splitlines()) == 2
