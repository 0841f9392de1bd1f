"""The 95% intervals of short runs cover what long runs give: in about 95% of cases."""

from __future__ import annotations

import numpy as np
import pytest

from tests.interval_coverage import (
    gain_covered,
    gain_games,
    main,
    player_hands,
    players_covered,
)


@pytest.mark.slow
def test_the_gain_of_few_games() -> None:
    """Of 100 games the interval of the gain covers it; 1.96 errors, and resamples, too seldom."""
    every = gain_games(6000)
    found = {stage: gain_covered(rows, 100, 1500) for stage, rows in every.items() if stage != "3D"}
    parts = {way: np.array([one[way] for one in found.values()]) for way in found["6B"]}
    ours = parts.pop("ours")
    assert ours.min() > 0.92
    assert 0.935 < ours.mean() < 0.97
    for other in parts.values():
        assert other.mean() < ours.mean() - 0.015
        assert other.min() < 0.9


@pytest.mark.slow
@pytest.mark.parametrize("size", [30, 100])
def test_the_shares_of_players(size: int) -> None:
    """Seven different players: each share of each of them, few chances and extreme ones, too."""
    found = list(players_covered(player_hands(4000), size, 500))
    ours = np.array([one.ours for one in found])
    assert ours.size > 40
    assert ours.min() > 0.91
    assert ours.max() < 0.995
    assert 0.94 < ours.mean() < 0.975


@pytest.mark.parametrize("what", ["gain", "players"])
def test_the_tables_are_printed(what: str, capsys: pytest.CaptureFixture[str]) -> None:
    main([what, "--all", "40", "--games", "30", "--trials", "20"])
    assert "%" in capsys.readouterr().out
