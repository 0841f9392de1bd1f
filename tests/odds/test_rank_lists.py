"""Sums over the pairs of ranks in multisets, against plain loops."""

from __future__ import annotations

from itertools import combinations, combinations_with_replacement
from math import comb, prod

import numpy as np
import pytest

from handread.kernels.tables import multiset_indices
from handread.odds.rank_lists import choices, rank_multisets, rank_sets


def pairs_of(ranks: list[int]) -> list[tuple[int, int]]:
    return list(combinations(ranks, 2))


@pytest.mark.parametrize("size", range(7))
def test_every_multiset_is_listed_once(size: int) -> None:
    found = rank_multisets(size)
    rows = [tuple(row) for row in found.ranks.tolist()]
    assert sorted(rows) == sorted(combinations_with_replacement(range(13), size))
    assert (multiset_indices(found.ranks[found.places]) == np.arange(len(rows))).all()
    held = [[row.count(rank) for rank in range(13)] for row in rows]
    assert found.held.tolist() == held


@pytest.mark.parametrize("size", range(7))
def test_every_set_is_listed_once(size: int) -> None:
    found = rank_sets(size)
    rows = [tuple(row) for row in found.ranks.tolist()]
    assert sorted(rows) == sorted(combinations(range(13), size))
    assert found.masks.tolist() == [sum(1 << rank for rank in row) for row in rows]
    assert (found.held.sum(axis=1) == size).all()


@pytest.mark.parametrize("size", range(7))
def test_sums_over_pairs_and_back(size: int) -> None:
    rng = np.random.default_rng(size)
    found = rank_multisets(size)
    some = rng.choice(len(found.ranks), min(len(found.ranks), 300), replace=False)
    weights = np.zeros(len(found.ranks))
    weights[some] = rng.random(some.size)
    expected = np.zeros((13, 13))
    by_ranks = rng.random((13, 13))
    by_ranks += by_ranks.T
    spread = found.spread(by_ranks)
    for place in some:
        pairs = pairs_of(found.ranks[place].tolist())
        for low, high in pairs:
            expected[low, high] += weights[place]
        assert spread[place] == pytest.approx(sum(by_ranks[pair] for pair in pairs), abs=1e-12)
    sums = found.sums(weights)
    in_one_order = np.triu(sums) + np.tril(sums, -1).T
    assert np.allclose(in_one_order, expected, rtol=0, atol=1e-12)
    assert (sums >= 0).all()


@pytest.mark.parametrize("size", range(7))
def test_multisets_are_drawn_in_as_many_ways_as_cards_allow(size: int) -> None:
    cards = np.array([4, 0, 1, 2, 3, 4, 4, 1, 3, 2, 4, 4, 0])
    ways = choices(cards, size)
    for place, row in enumerate(rank_multisets(size).ranks.tolist()):
        assert ways[place] == prod(comb(cards[rank], row.count(rank)) for rank in set(row))
