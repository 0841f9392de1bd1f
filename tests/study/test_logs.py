"""Logs as the units of folds and of the bootstrap, against plain drawing and on invented logs."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

import numpy as np
import pytest

from handread.game.replay import replay
from handread.game.steps import Replay
from handread.history import History, Source
from handread.inference.observer import TieRule
from handread.inference.readers import Observer, Reader, as_reader
from handread.report.evaluation import evaluation_text
from handread.study.cross_validation import FoldError, dealt_by_size, held_out_scores
from handread.study.evaluation import Folds, evaluation
from handread.study.hand_sample import HandSample
from handread.study.logs import FEWEST_LOGS, LogIndex, logs_of
from handread.study.scores import FIGURES, HandScores
from tests.study.evaluated import LOOSE, SOME, games, marks

PLACE = FIGURES.index(("surprise",))


def logged(played: Replay, file: str) -> Replay:
    """A hand as if people had played it, of a log."""
    one = played.history
    seats = tuple(replace(seat, name=f"p{seat.number}") for seat in one.seats)
    source = Source(file, 1, "pokerstars")
    return replay(replace(one, source=source, table="t", played_at="2011", seats=seats))


def in_logs(*sizes: int) -> list[Replay]:
    """Games in logs of some sizes."""
    files = [f"{number}.txt" for number, size in enumerate(sizes) for _ in range(size)]
    return [logged(played, file) for played, file in zip(games(), files, strict=False)]


def numbers_of(*hands: Replay) -> tuple[tuple[int, ...], int]:
    found = logs_of(played.history for played in hands)
    return found.of_hand, found.people


def test_a_log_is_a_file_or_a_folder_of_single_hands() -> None:
    a, b, c, d = games()[:4]
    assert numbers_of(logged(a, "x.txt"), logged(b, "y.txt"), logged(c, "x.txt")) == ((0, 1, 0), 2)
    phh = logged(a, "f/1.phh"), logged(b, "f/2.phh"), logged(c, "g/1.phh"), logged(d, "f/x.phhs")
    assert numbers_of(*phh) == ((0, 0, 1, 2), 3)
    assert numbers_of(a, b, logged(c, "x.txt")) == ((0, 1, 2), 1), "no log of simulated games"


def test_logs_that_share_a_hand_are_one() -> None:
    a, b, c, d = games()[:4]
    twice = logged(a, "x.txt"), logged(b, "y.txt"), logged(c, "z.txt"), logged(a, "z.txt")
    assert numbers_of(*twice) == ((0, 1, 0, 0), 2)
    named = logged(d, "y.txt")
    nameless = replace(
        named.history,
        source=Source("w.phhs", 1, "phh"),
        seats=tuple(replace(seat, name="") for seat in named.history.seats),
    )
    assert numbers_of(logged(a, "x.txt"), named, replay(nameless)) == ((0, 1, 1), 2)


def valued(values: Iterable[float]) -> list[HandScores]:
    """Hands with one value each."""
    found = []
    for value in values:
        sums = np.zeros((len(FIGURES), 3))
        sums[PLACE] = (1.0, value, 0.0)
        found.append(HandScores.from_sums(sums, (0, 0, 0)))
    return found


def test_intervals_are_those_of_drawing_logs_anew() -> None:
    rng = np.random.default_rng(1)
    of_hand = [n for n in range(12) for _ in range(n % 4 + 1)]
    values = rng.normal(size=len(of_hand))
    logs = LogIndex(tuple(of_hand), (True,) * len(of_hand))
    means = []
    draw = np.random.default_rng(9)
    for row in [row for _ in range(4) for row in draw.integers(0, 12, (50, 12))]:
        drawn = [v for log in row for v, own in zip(values, of_hand, strict=True) if own == log]
        means.append(sum(drawn) / len(drawn))
    found = HandSample(valued(values), 200, 9, logs).mean(("surprise",))
    assert found.low == pytest.approx(np.percentile(means, 2.5))
    assert found.high == pytest.approx(np.percentile(means, 97.5))
    assert found == HandSample(valued(values), 200, 9, logs).mean(("surprise",))
    assert (found.n, found.hands) == (len(values), len(values))


def test_hands_that_differ_by_log_alone_tell_no_more_than_logs() -> None:
    values = np.random.default_rng(2).normal(size=FEWEST_LOGS)
    logs = LogIndex(tuple(range(FEWEST_LOGS)) * 9, (True,) * 9 * FEWEST_LOGS)
    nine, by_hand, one = (
        HandSample(valued(these), 500, 1, of).mean(("surprise",))
        for these, of in (([*values] * 9, logs), ([*values] * 9, None), (values, None))
    )
    assert nine.low == pytest.approx(one.low)
    assert nine.high == pytest.approx(one.high)
    assert nine.high - nine.low > 2 * (by_hand.high - by_hand.low)
    only = logs.some(range(0, 9 * FEWEST_LOGS, FEWEST_LOGS))
    assert only.people == 1
    assert not only.resampled


def test_a_figure_of_one_log_has_no_interval() -> None:
    logs = LogIndex((0, 0, *range(1, FEWEST_LOGS)), (True,) * (FEWEST_LOGS + 1))
    empty = [HandScores.from_sums(np.zeros((len(FIGURES), 3)), (0, 0, 0))] * (FEWEST_LOGS - 1)
    found = HandSample([*valued([1.0, 2.0]), *empty], 100, 1, logs).mean(("surprise",))
    assert found.mean == 1.5
    assert np.isnan(found.low)


class Strict:
    """A reader that refuses a log to which it was fitted, and two logs in one session."""

    name = terms = "strict"
    games = ("stud",)
    learns = True

    def __init__(self, train: Sequence[Replay], _without: Collection[str], met: str = "") -> None:
        self.train, self.met = train, met

    def observer(self, history: History, ties: TieRule) -> Observer:
        file = history.source.file
        assert file not in {played.history.source.file for played in self.train}
        assert self.met in ("", file)
        return as_reader(LOOSE).observer(history, ties)

    def after(self, replay: Replay, observed: object) -> Strict:
        return Strict(self.train, (), replay.history.source.file)


@pytest.mark.thorough
def test_no_log_is_scored_by_what_it_was_fitted_on() -> None:
    hands = in_logs(2, 1, 2, 2, 1, 1)
    scored, more = hands[::2], hands[1::2]
    found = held_out_scores(scored, Strict, Folds(3, "", "fake"), "split", more=more)
    assert (found.folds.by, len(found.scores)) == ("log", len(scored))
    assert found.logs == logs_of(played.history for played in scored)
    assert max(found.folds.trained) < SOME
    backwards = held_out_scores(hands[:4:-1], Strict, Folds(3, "log", "fake"), "split")
    forwards = held_out_scores(hands[5:], Strict, Folds(3, "log", "fake"), "split")
    assert backwards.folds == forwards.folds


def test_folds_of_logs_have_about_as_many_hands() -> None:
    sizes = {"a": 50, **{f"{n}": 1 + n % 7 for n in range(40)}}
    fold_of = dealt_by_size(sizes, 5, 1)
    full = sorted(sum(n for log, n in sizes.items() if fold_of[log] == fold) for fold in range(5))
    assert full[-1] == 50
    assert full[3] - full[0] <= 7
    assert dealt_by_size(dict(reversed(sizes.items())), 5, 1) == fold_of
    assert dealt_by_size(sizes, 5, 2) != fold_of


@pytest.mark.thorough
def test_the_output_says_what_is_drawn_and_held_out() -> None:
    few, many = in_logs(3, 1), in_logs(*[1] * FEWEST_LOGS)
    for reader, folds, words in (
        (Strict, 2, ["folds, each read by policies fitted to 1 to 3 hands of other logs"]),
        (_loose, 3, ["2 to 3 other hands, of the same logs too", "hands; the hands are of 2 logs"]),
    ):
        done = held_out_scores(few, reader, Folds(folds, "", ""), "split")
        table = evaluation(done.scores, "fake", "split", 100, folds=done.folds, logs=done.logs)
        text = " ".join(evaluation_text(table).split())
        assert all(said in text for said in words)
    logs = logs_of(played.history for played in many)
    text = evaluation_text(evaluation(marks(), "fake", "split", 100, logs=logs))
    words = f"100 resamples of the {FEWEST_LOGS} logs; from fewer than about 20 logs"
    assert words in " ".join(text.split())
    with pytest.raises(FoldError, match="3 folds by log need as many logs; found 2"):
        held_out_scores(few, _loose, Folds(3, "log", ""), "split")


def _loose(_hands: Sequence[Replay], _without: Collection[str]) -> Reader:
    return as_reader(LOOSE)
