"""A fit whose hands and samples stay on disk: the same sums, and memory that does not grow."""

from __future__ import annotations

import pickle
import tracemalloc
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from handread.game.steps import Replay
from handread.inference.players import player_models
from handread.policy import PolicyFile, load_policy, policy_text, single
from handread.simulate import Setup, play_games, seated
from handread.study.fit import stored
from handread.study.fit.choices import hands_in, players_in, some_hands
from handread.study.fit.evidence import evidence, evidence_sums, sums_by
from handread.study.fit.families import Family, Logits, Ramps
from handread.study.fit.fit import fit_hands
from handread.study.fit.fitted import FitOptions
from handread.study.fit.sample import ARRAYS, Sample
from handread.study.fit.stored import KeptSample, StoredHands
from tests.fit_samples import read_all

LOOSE, NAMES = single(load_policy("loose")), ["Ann", "Ben", "Cho"]


@cache
def hands() -> list[Replay]:
    setup = Setup(player_models(LOOSE), seated(player_models(LOOSE), 3, None, NAMES))
    return [game.replay for game in play_games(setup, 3, range(6))]


@cache
def small() -> Sample:
    """Six hands, in three logs; the downcards of every other line are not known."""
    sample = read_all(hands(), PolicyFile(LOOSE), Ramps().grouping)
    truth = np.where(np.arange(sample.n_lines) % 2, sample.truth, -1)
    return replace(sample, truth=truth, log=sample.hand % 3)


def copies(n: int) -> Iterator[Sample]:
    """The hands n times, each time as others."""
    for number in range(n):
        more = len(hands()) * number
        yield replace(small(), hand=small().hand + more, log=small().log + more)


def each_hand() -> Iterator[Sample]:
    for number in range(len(hands())):
        yield small().select(small().hand == number)


@pytest.mark.parametrize("family", [Ramps(), Logits()], ids=["ramps", "logit"])
def test_sums_by_parts_are_the_sums_of_the_whole(
    family: Family, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Logs, too, have hands in several parts."""
    monkeypatch.setattr(stored, "ROWS", 1)
    vector, whole = family.outset(), small().with_truths()
    kept = KeptSample.of(each_hand()).with_truths()
    assert len(kept.batches) == len(hands())
    assert kept.n_turns == whole.n_turns
    found = evidence_sums(family, vector, kept, squares=True)
    lines, slopes = evidence(family, vector, whole)
    assert found.total == lines.sum()
    assert (found.slope == slopes.sum(axis=0)).all()
    for ours, numbers in ((found.by_hand, whole.hand), (found.by_log, whole.log)):
        each = sums_by(numbers, slopes, whole)
        assert (ours == each.T @ each).all()
    assert (found.by_hand != found.by_log).any()


def test_hands_and_players_of_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    for rows in (1, 1 << 20):
        monkeypatch.setattr(stored, "ROWS", rows)
        kept = KeptSample.of(each_hand())
        assert (hands_in(kept) == hands_in(small())).all()
        same(some_hands(kept, 7, 3), some_hands(small(), 7, 3))
        own, plain = players_in(kept, 5), players_in(small(), 5)
        assert list(own) == list(plain) == NAMES
        for name, one in plain.items():
            same(Sample.join(own[name].parts()), Sample.join(one.parts()))
    assert KeptSample.of([]).n_turns == 0


def same(one: Sample, other: Sample) -> None:
    for name in ARRAYS:
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name), name)


@pytest.mark.thorough
def test_a_fit_in_many_batches_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """To the digits of a policy file; the rounding of sums differs in the last bits."""
    options = FitOptions(family="logit", penalty=3.0, likelihood_exponent=1.0, rounds=2, least=5)
    whole = policy_text(fit_hands(hands(), options).file)
    monkeypatch.setattr(stored, "ROWS", 1)
    assert policy_text(fit_hands(hands(), options).file) == whole


def test_memory_does_not_grow_with_the_hands() -> None:
    """A hand costs some bookkeeping, not its sample of 300 kilobytes."""
    family, few, many = Ramps(), 6, 16
    vector, size = family.outset(), sum(getattr(small(), name).nbytes for name in ARRAYS)

    def peak(n: int) -> int:
        tracemalloc.start()
        kept = KeptSample.of(copies(n))
        evidence_sums(family, vector, kept, squares=True)
        players_in(kept, 1)
        found = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return found

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stored, "ROWS", 1)
        peak(1)  # modules and caches
        growth = (peak(many) - peak(few)) / (many - few)
    assert size > 40_000 * len(hands())
    assert growth < size / 50


def test_stored_hands_are_the_hands() -> None:
    kept = StoredHands.of(hands())
    histories = [hand.history for hand in hands()]
    assert StoredHands.of(kept) is kept
    assert list(kept) == list(pickle.loads(pickle.dumps(kept))) == histories
    assert list(kept[[4, 1]]) == [histories[4], histories[1]]
    assert list(kept[2:5]) == histories[2:5]
    assert len(kept[2:5]) == 3
