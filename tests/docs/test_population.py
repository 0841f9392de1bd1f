"""The populations that are shipped, from the counts of players: fits, and guesses by one rule."""

from __future__ import annotations

import json

import numpy as np
import pytest

from docs.site.population import GUESSED, STUD_CHANCES, populations, written
from handread.opponents.counts import Counts
from handread.opponents.shares import LEAST_CHANCES, LEAST_PLAYERS, fitted
from handread.opponents.statistics import BY_GAME, PLACES, STATISTICS

pytestmark = pytest.mark.docs

Players = dict[tuple[str, str], Counts]


def players(n: int, **done_of: tuple[int, int]) -> Players:
    """Return the counts of n players who are alike, by their names."""
    counts = np.zeros((len(STATISTICS), 2), dtype=np.int64)
    for key, own in done_of.items():
        counts[PLACES[key]] = own
    return {(f"player {i}", ""): counts for i in range(n)}


def test_enough_players_with_enough_chances_are_fitted() -> None:
    found = populations({"razz": players(LEAST_PLAYERS, plays=(4, 10))})["razz"]
    done_of = np.array([4] * LEAST_PLAYERS), np.array([10] * LEAST_PLAYERS)
    assert LEAST_PLAYERS * 10 >= LEAST_CHANCES
    assert found["plays"] == fitted(*done_of)


def test_in_stud_one_chance_at_a_half_is_added() -> None:
    """So that nothing happens never or always; with few chances it is a guess of no players."""
    counts = players(10, plays=(0, 10), limps=(1, 1))
    found = populations({"stud": counts})["stud"]
    assert found["plays"] == (pytest.approx(0.5 / 101), GUESSED, 10)
    assert found["limps"] == (pytest.approx(10.5 / 11), GUESSED, 0)
    assert found["defends"] == (0.5, GUESSED, 0)


def test_the_mean_of_stud_counts_as_chances_of_another_game() -> None:
    stud = players(LEAST_PLAYERS, folds_4=(3, 10))
    mean = populations({"stud": stud})["stud"]["folds_4"].mean
    for n, of_players in ((STUD_CHANCES, STUD_CHANCES), (STUD_CHANCES - 1, 0), (0, 0)):
        found = populations({"stud8": players(n or 1, folds_4=(0, int(n > 0))), "stud": stud})
        expected = mean * STUD_CHANCES / (n + STUD_CHANCES)
        assert found["stud8"]["folds_4"] == (pytest.approx(expected), GUESSED, of_players)
    assert populations({"stud8": players(1), "stud": stud})["stud8"]["scoops"].mean == 0.5


def test_3rd_street_of_five_card_stud_takes_4th_of_stud() -> None:
    stud = players(LEAST_PLAYERS, folds_4=(3, 10), folds_5=(9, 10), plays=(5, 10))
    both = populations({"stud": stud, "5stud": players(1, folds_3=(1, 1))})
    found, of_stud = both["5stud"], both["stud"]
    assert found["folds_3"].mean == pytest.approx(
        (1 + of_stud["folds_4"].mean * STUD_CHANCES) / (1 + STUD_CHANCES)
    )
    for key in ("folds_4", "folds_5", "plays"):
        assert found[key].mean == pytest.approx(of_stud[key].mean)


def test_the_text_holds_every_statistic_of_the_games_that_were_played() -> None:
    found = json.loads(written(populations({"razz": players(1), "other": players(1)})))
    assert list(found) == ["razz"]
    assert list(found["razz"]) == [one.key for one in BY_GAME["razz"]]
    assert found["razz"]["plays"] == [0.5, GUESSED, 0]
