"""Shares against those of the population: intervals, fits, and what is claimed of a player."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.special import betaln
from scipy.stats import beta, binom

from handread.arrays import Ints
from handread.game.rules import FIVE_STUD, RAZZ, STUD, STUD8, VARIANTS, Variant
from handread.opponents.shares import (
    FEW,
    LEAST_CHANCES,
    LEAST_PLAYERS,
    LESS,
    MORE,
    MOST_STRENGTH,
    SHIPPED_CHANCES,
    UNKNOWN,
    Population,
    Share,
    beta_below,
    fitted,
    populations_of,
    shares_of,
    shipped_populations,
)
from handread.opponents.statistics import BY_GAME, PLACES, STATISTICS
from tests.examples import examples, share

GAMES = (STUD, STUD8, RAZZ, FIVE_STUD)

of_chances = st.integers(1, 2000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
populations = st.builds(
    Population, st.floats(0.01, 0.99), st.floats(1.0, MOST_STRENGTH), st.integers(1, 500)
)


@given(of_chances)
def test_at_the_ends_of_the_interval_as_much_is_rare(counts: tuple[int, int]) -> None:
    done, of = counts
    low, high = Share(done, of, UNKNOWN).interval
    assert 0.0 <= low <= done / of <= high <= 1.0
    assert (low == 0.0, high == 1.0) == (done == 0, done == of)
    for end, more in ((low, binom.sf(done, of, low)), (high, binom.cdf(done - 1, of, high))):
        if 0.0 < end < 1.0:
            assert more + binom.pmf(done, of, end) / 2 == pytest.approx(0.025, rel=0.02)


@pytest.mark.parametrize("of", [FEW, 12, 15, 20, 30, 60, 150])
def test_the_interval_covers_every_share_as_often_as_it_says(of: int) -> None:
    """Exactly, also near 0 and 1, where that of Wilson would cover some in 84% of samples."""
    ends = np.array([Share(done, of, UNKNOWN).interval for done in range(of + 1)])
    shares = np.linspace(0.001, 0.999, 999)
    inside = (ends[:, :1] <= shares) & (shares <= ends[:, 1:])
    covered = (binom.pmf(np.arange(of + 1)[:, None], of, shares) * inside).sum(axis=0)
    assert covered.min() > 0.917
    assert 0.94 < covered.mean() < 0.97


def test_bets_of_a_hand_count_as_fewer_chances() -> None:
    alone, alike = Share(60, 140, UNKNOWN), Share(60, 140, UNKNOWN, alike=1.4)
    low, high = Share(43, 100, UNKNOWN).interval
    assert alike.interval == pytest.approx((low, high), abs=0.002)
    assert alike.interval[0] < alone.interval[0] < alone.interval[1] < alike.interval[1]
    known = Population(0.3, 10.0, 50)
    assert replace(alone, population=known).doubt < replace(alike, population=known).doubt
    counts = np.full((len(STATISTICS), 2), 20)
    found = shares_of(counts, STUD, {})
    several = {key for key, one in found.items() if one.alike > 1.0}
    assert several == {"aggression", "bets_best_board"}


def test_without_a_chance_nothing_is_known() -> None:
    none = Share(0, 0, Population(0.3, 5.0, 20))
    assert math.isnan(none.mean)
    assert none.interval == (0.0, 1.0)
    assert none.estimate == pytest.approx(0.3)
    assert none.is_little
    assert none.claim == ""


@given(of_chances, populations)
def test_the_estimate_lies_between_the_player_and_the_others(
    counts: tuple[int, int], population: Population
) -> None:
    found = Share(*counts, population)
    low, high = sorted((found.mean, population.mean))
    assert low - 1e-12 <= found.estimate <= high + 1e-12
    a, b = population.mean * population.strength, (1 - population.mean) * population.strength
    after = beta(a + counts[0], b + counts[1] - counts[0])
    assert found.estimate == pytest.approx(after.mean())
    below = after.cdf(population.mean)
    assert found.doubt == pytest.approx(min(below, 1 - below), abs=1e-9)
    assert 0.0 <= found.doubt <= 0.5


# Claims


def test_few_chances_and_unknown_populations_claim_nothing() -> None:
    known = Population(0.1, 50.0, 100)
    assert Share(FEW - 1, FEW - 1, known).claim == ""
    assert Share(FEW, FEW, known).claim == MORE
    assert Share(500, 500, known._replace(players=0)).claim == ""
    assert Share(0, 500, known).claim == LESS


@given(of_chances, populations, st.integers(1, 30), st.integers(2, 50))
def test_more_of_the_same_never_turns_a_claim_around(
    counts: tuple[int, int], population: Population, compared: int, times: int
) -> None:
    done, of = counts
    claim = Share(done, of, population, compared).claim
    assume(claim)
    assert Share(done * times, of * times, population, compared).claim == claim


@given(of_chances, populations, st.integers(1, 30))
def test_claims_agree_with_the_share_and_are_fewer_among_many(
    counts: tuple[int, int], population: Population, compared: int
) -> None:
    found = Share(*counts, population, compared)
    if found.claim:
        assert (found.claim == MORE) == (found.mean > population.mean)
        assert Share(*counts, population, 1).claim == found.claim


def alike(rng: np.random.Generator, n: int, game: Variant, means: dict[str, float]) -> list[Ints]:
    """Counts of players who are all alike, with up to a few hundred chances."""
    found = []
    for _ in range(n):
        counts = np.zeros((len(STATISTICS), 2), dtype=np.int64)
        for one in BY_GAME[game.key]:
            of = int(rng.geometric(1 / 60))
            counts[PLACES[one.key]] = rng.binomial(of, means[one.key]), of
        found.append(counts)
    return found


@pytest.mark.parametrize(
    "n", [6, pytest.param(40, marks=pytest.mark.dear("the shares of 40 players are fitted"))]
)
def test_of_players_all_alike_little_is_claimed(n: int) -> None:
    """Of every twenty players of whom nothing is true, at most one has a claim to them."""
    rng = np.random.default_rng(11)
    means = {key: one.mean for key, one in shipped_populations()["stud"].items()}
    wrong = asked = 0
    for _ in range(share(200) // n + 1):
        players = alike(rng, n, STUD, means)
        known = populations_of(players, STUD)
        for counts in players:
            found = shares_of(counts, STUD, known)
            wrong += any(one.claim for one in found.values())
            asked += 1
    assert wrong < 0.05 * asked


def test_an_unlike_player_is_told_from_the_others() -> None:
    rng = np.random.default_rng(2)
    means = {key: one.mean for key, one in shipped_populations()["stud"].items()}
    players = alike(rng, 30, STUD, means)
    players[0][PLACES["plays"]] = 95, 100
    players[0][PLACES["aggression"]] = 5, 100
    found = shares_of(players[0], STUD, populations_of(players, STUD))
    assert found["plays"].claim == MORE
    assert found["aggression"].claim == LESS
    assert found["plays"].compared == sum(one.of >= FEW for one in found.values())


# Populations


def drawn(seed: int, n: int, mean: float, strength: float) -> tuple[Ints, Ints]:
    """Players of a population, what they did of their chances."""
    rng = np.random.default_rng(seed)
    of = rng.integers(5, 120, n)
    own = rng.beta(mean * strength, (1 - mean) * strength, n)
    return rng.binomial(of, own), of


@pytest.mark.parametrize(("mean", "strength"), [(0.5, 4.0), (0.2, 12.0), (0.8, 8.0), (0.1, 30.0)])
def test_a_fit_recovers_the_population(mean: float, strength: float) -> None:
    found = fitted(*drawn(5, 600, mean, strength))
    assert found.mean == pytest.approx(mean, abs=0.03)
    assert 0.6 * strength < found.strength < 1.6 * strength
    assert found.players == 600


@pytest.mark.parametrize("seed", range(4))
def test_a_fit_has_the_largest_likelihood_of_a_grid(seed: int) -> None:
    done, of = drawn(seed, 30, 0.3, 6.0)
    found = fitted(done, of)
    done, of = np.append(done, (0, 1)), np.append(of, (1, 1))

    def likelihood(mean: float, strength: float) -> float:
        a, b = mean * strength, (1 - mean) * strength
        return float((betaln(a + done, b + of - done) - betaln(a, b)).sum())

    best = likelihood(found.mean, found.strength)
    grid = [
        (likelihood(mean, strength), mean, strength)
        for mean in np.linspace(0.02, 0.98, 97)
        for strength in np.geomspace(1.0, MOST_STRENGTH, 60)
    ]
    most, mean, strength = max(grid)
    assert best >= most - 1e-6
    assert found.mean == pytest.approx(mean, abs=0.02)
    assert found.strength == pytest.approx(strength, rel=0.15)


@examples(50)
@given(st.lists(of_chances, min_size=1, max_size=40))
def test_the_strength_of_a_fit_is_bounded(counts: list[tuple[int, int]]) -> None:
    done, of = np.array(counts, dtype=np.int64).T
    found = fitted(done, of)
    assert 0.0 < found.mean < 1.0
    assert 1.0 - 1e-9 <= found.strength <= MOST_STRENGTH + 1e-9


def test_players_who_all_do_the_same_have_a_bounded_strength() -> None:
    of = np.full(50, 40)
    for done in (0 * of, of, of // 2):
        found = fitted(done, of)
        assert 0.0 < found.mean < 1.0
        assert found.strength <= MOST_STRENGTH + 1e-9


def test_a_small_population_moves_the_shipped_mean() -> None:
    counts = np.zeros((len(STATISTICS), 2), dtype=np.int64)
    counts[PLACES["plays"]] = 50, 50
    shipped = shipped_populations()["stud"]["plays"]
    found = populations_of([counts] * 2, STUD)["plays"]
    expected = (100 + shipped.mean * SHIPPED_CHANCES) / (100 + SHIPPED_CHANCES)
    assert found == (pytest.approx(expected), shipped.strength, shipped.players + 2)
    assert populations_of([], STUD) == shipped_populations()["stud"]


def test_a_guess_stays_one_until_there_is_as_much_of_the_game() -> None:
    counts = np.zeros((len(STATISTICS), 2), dtype=np.int64)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("handread.opponents.shares.shipped_populations", dict)
        for chances, n in ((SHIPPED_CHANCES - 1, 0), (SHIPPED_CHANCES, 1)):
            counts[PLACES["plays"]] = 5, chances
            assert populations_of([counts], STUD)["plays"].players == n


def test_a_large_population_is_fitted_to_its_players() -> None:
    done, of = drawn(1, LEAST_PLAYERS, 0.7, 10.0)
    assert of.sum() >= LEAST_CHANCES
    players = []
    for own in zip(done, of, strict=True):
        counts = np.zeros((len(STATISTICS), 2), dtype=np.int64)
        counts[PLACES["plays"]] = own
        players.append(counts)
    assert populations_of(players, STUD)["plays"] == fitted(done, of)
    fewer = populations_of(players[1:], STUD)["plays"]
    shipped = shipped_populations()["stud"]["plays"]
    assert (fewer.strength, fewer.players) == (shipped.strength, shipped.players + 19)


def test_statistics_without_any_population_are_unknown() -> None:
    counts = np.zeros((len(STATISTICS), 2), dtype=np.int64)
    counts[PLACES["plays"]] = 300, 300
    found = shares_of(counts, STUD, {})
    assert found["plays"].population == UNKNOWN
    assert found["plays"].claim == ""
    assert list(found) == ["plays"]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_the_shipped_file_has_every_statistic(game: Variant) -> None:
    shipped = shipped_populations()[game.key]
    assert list(shipped) == [one.key for one in BY_GAME[game.key]]
    for key, (mean, strength, players) in shipped.items():
        assert 0.0 < mean < 1.0, key
        assert 1.0 <= strength <= MOST_STRENGTH, key
        assert players >= 0, key
        assert isinstance(players, int)


def test_the_shipped_file_has_only_analyzed_games() -> None:
    assert set(shipped_populations()) == {
        game.key for game in VARIANTS.values() if game.readable and not game.like
    }
    assert "scoops" not in shipped_populations()["5stud"]
    assert "bets_with_lead_3" not in shipped_populations()["stud"]


# SciPy's is wrong below the smallest normal float: .5% too small for x = 5e-324, a = 1/64, b = 2.
@given(st.floats(0.0, 1.0, allow_subnormal=False), st.floats(0.01, 5e3), st.floats(0.01, 5e3))
def test_the_beta_distribution_is_that_of_scipy(x: float, a: float, b: float) -> None:
    assert beta_below(x, a, b) == pytest.approx(beta(a, b).cdf(x), abs=1e-10)
