"""Relational trees against trees of other libraries on the same features, where there are any.

The prediction is that of Figure 2 of Ponsen et al. 2008: the action of a player of whom nothing is
known but the games of others, given the outcome, the upcards and the history.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import numpy.typing as npt

from handread.papers.trees.study import (
    ACTION,
    DESIGN_EFFECTS,
    PRIOR_LEAST,
    WATCHED,
    CurveGames,
    GameExamples,
    measure_examples,
    population,
)
from handread.policy.tree import UNIFORM
from handread.study.fit.trees import ChoiceExamples, Growth
from tests.benchmarks.timing import Row

TRAINED, HELD_OUT = 400, 100
"""Numbers of games to learn from, and to predict."""

Bits = npt.NDArray[np.bool_]


def rows() -> Iterator[Row]:
    """Bits an action on held-out games, and the time to learn, of each library."""
    train, test = _examples()
    for name, learn in LEARNERS.items():
        try:
            began = time.perf_counter()
            bits = learn(train, test)
            spent = time.perf_counter() - began
        except ImportError:
            yield Row(name, "-", "not installed")
            continue
        yield Row(name, f"{bits:.4f}", f"mean log2 P of {test.n_contexts:,} actions, {spent:.2f} s")


def _examples() -> tuple[ChoiceExamples, ChoiceExamples]:
    plan = CurveGames(population(WATCHED, 1), population(2 * WATCHED, 1), 0, 1)
    with TemporaryDirectory(prefix="handread-") as folder:
        file = Path(folder, "part")
        measure_examples(plan, range(TRAINED + HELD_OUT), file)
        found = GameExamples.load([file])
    return found.choices(found.game < TRAINED, ACTION), found.choices(found.game >= TRAINED, ACTION)


def _uniform(_: ChoiceExamples, test: ChoiceExamples) -> float:
    return _bits(test, test.uniform)


def _relational(train: ChoiceExamples, test: ChoiceExamples) -> float:
    growth = Growth(PRIOR_LEAST, design_effect=DESIGN_EFFECTS[ACTION] / 2.0)
    pair = train.grow_from(UNIFORM, train.uniform, np.ones(train.n_contexts), growth)
    return _bits(test, test.probabilities((pair,)))


def _bits(test: ChoiceExamples, probabilities: npt.NDArray[np.float64]) -> float:
    return float(np.log2(test.of_chosen(probabilities)).mean())


def _flags(examples: ChoiceExamples) -> tuple[Bits, npt.NDArray[np.int64]]:
    """Return the answers to the tests of the contexts, and the class of the choice of each.

    The words of the choice itself are the last, which tell the classes.
    """
    chosen = examples.observed
    words = examples.words[chosen]
    bits = np.unpackbits(words[:, :-1].copy().view(np.uint8), axis=1, bitorder="little")
    return bits.astype(bool), words[:, -1].astype(np.int64)


def _classified(train: ChoiceExamples, test: ChoiceExamples, model: Any) -> float:
    """Return the score of a classifier of another library, its odds scaled to the legal actions."""
    flags, classes = _flags(train)
    model.fit(np.column_stack([flags, train.first[train.observed]]), classes)
    flags, _ = _flags(test)
    odds = model.predict_proba(np.column_stack([flags, test.first[test.observed]]))
    place = {kind: column for column, kind in enumerate(model.classes_.tolist())}
    columns = np.array(
        [place.get(kind, -1) for kind in test.words[:, -1].astype(np.int64).tolist()]
    )
    each = np.where(columns >= 0, odds[test.context, columns], 0.0) + 1e-4
    totals = np.bincount(test.context, weights=each)
    return _bits(test, each / totals[test.context])


def _scikit_learn(train: ChoiceExamples, test: ChoiceExamples) -> float:
    tree = import_module("sklearn.tree")
    model = tree.DecisionTreeClassifier(
        criterion="entropy", min_samples_leaf=int(PRIOR_LEAST), random_state=0
    )
    return _classified(train, test, model)


def _lightgbm(train: ChoiceExamples, test: ChoiceExamples) -> float:
    boosting = import_module("lightgbm")
    model = boosting.LGBMClassifier(
        n_estimators=100, learning_rate=0.05, min_child_samples=40, n_jobs=1, verbose=-1
    )
    return _classified(train, test, model)


LEARNERS: dict[str, Callable[[ChoiceExamples, ChoiceExamples], float]] = {
    "uniform": _uniform,
    "relational tree": _relational,
    "scikit-learn, one tree": _scikit_learn,
    "LightGBM, 100 trees": _lightgbm,
}
