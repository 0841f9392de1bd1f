"""Cross-validation: reads of hands scored by policies that were fitted without them."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np

from handread.game.steps import Replay
from handread.inference.readers import PolicyReader, Reader
from handread.parallel import PART_SIZE, read_record
from handread.policy import fingerprint
from handread.runs import Run
from handread.study.evaluation import Evaluation, Folds, evaluation
from handread.study.fit.fit import fit_hands, players_of
from handread.study.fit.fitted import FitError, FitOptions
from handread.study.scores import HandScores, score_hands

FitReader = Callable[[Sequence[Replay], Collection[str]], Reader]
"""A function that fits policies to hands, without the actions of players of these names."""


class FoldError(ValueError):
    """There are too few hands or players for the folds; the message says which."""


@dataclass(frozen=True, slots=True)
class CrossValidated:
    """The scores of hands, each read by policies fitted without it, and the folds."""

    scores: tuple[HandScores, ...]
    folds: Folds


Held = Mapping[int, tuple[Replay, Collection[int] | None]]
"""The hands, by number, that a fold scores, with the seats to score; None for all."""

Fold = tuple[list[Replay], Collection[str], Held]
"""The hands to fit to, the players whose actions are left out, and what is scored."""


def held_out_scores(
    hands: Sequence[Replay],
    fit: FitReader,
    folds: Folds,
    ties: str,
    run: Run = Run(),
) -> CrossValidated:
    """Score every hand, or every player, by policies fitted to the other folds.

    By hand, hands of one fingerprint stay together. By player, a fold's players are scored in all
    their hands by what was fitted to the actions of the others.

    The folds that are returned have ``trained`` and ``nameless`` filled in.

    Raises:
        FoldError: There are too few hands or players.
    """
    splits, nameless = _by_hand(hands, folds, run.seed), 0
    if folds.by == "player":
        splits = _by_player(hands, folds, run.seed)
        nameless = sum(not seat.name for played in hands for seat in played.history.seats)
    found = list(splits)
    with run.parts(partial(_score_folds, fit, ties), found, PART_SIZE, "folds") as parts:
        records = [record for part in parts for record in read_record(part.file)["folds"]]
    scores: dict[int, HandScores] = {}
    for (_, _, held), of_fold in zip(found, records, strict=True):
        for i, record in zip(held, of_fold, strict=True):
            one = HandScores.from_record(record)
            scores[i] = scores[i].plus(one) if i in scores else one
    trained = [len(train) for train, _, _ in found]
    return CrossValidated(
        tuple(scores[i] for i in sorted(scores)),
        replace(folds, trained=tuple(trained), nameless=nameless),
    )


def _score_folds(fit: FitReader, ties: str, folds: Iterable[Fold], path: Path) -> None:
    """Fit to the hands of some folds, and keep the scores of those held out."""
    found = []
    for train, without, held in folds:
        read, seats = zip(*held.values(), strict=True) if held else ((), ())
        scores = score_hands(read, fit(train, without), ties, seats)
        found.append([one.record() for one in scores])
    path.write_text(json.dumps({"folds": found}), encoding="utf-8")


def _by_hand(hands: Sequence[Replay], folds: Folds, seed: int) -> Iterator[Fold]:
    prints = [fingerprint(played.history) for played in hands]
    fold_of = dealt_out(prints, folds.k, seed)
    _check_folds(len(fold_of), folds, "hands that differ in id, game or players")
    for fold in range(folds.k):
        held = {i: (hands[i], None) for i, name in enumerate(prints) if fold_of[name] == fold}
        train = [played for i, played in enumerate(hands) if i not in held]
        yield train, (), held


def _by_player(hands: Sequence[Replay], folds: Folds, seed: int) -> Iterator[Fold]:
    names = [{s.number: s.name for s in played.history.seats if s.name} for played in hands]
    fold_of = dealt_out([name for seats in names for name in seats.values()], folds.k, seed)
    _check_folds(len(fold_of), folds, "players with a name")
    for fold in range(folds.k):
        out = {name for name, own in fold_of.items() if own == fold}
        seats = [{s for s, name in named.items() if name in out} for named in names]
        train = [
            played
            for played, held in zip(hands, seats, strict=True)
            if len(held) < len(played.history.seats)
        ]
        yield train, out, {i: (hands[i], held) for i, held in enumerate(seats) if held}


def dealt_out(names: Sequence[str], k: int, seed: int) -> dict[str, int]:
    """Assign each name to a fold, 0 to k - 1, at random; their order does not matter."""
    ordered = sorted(set(names))
    shuffled = np.random.default_rng(seed).permutation(len(ordered))
    return {ordered[at]: place % k for place, at in enumerate(shuffled.tolist())}


def _check_folds(n: int, folds: Folds, what: str) -> None:
    if n < folds.k:
        raise FoldError(f"{folds.k} folds by {folds.by} need as many {what}; found {n}")


def fitter(options: FitOptions, more: Sequence[Replay] = ()) -> FitReader:
    """Return the function that fits policies to hands and ``more``, with those of named players."""
    return partial(_fitted, options, more)


def _fitted(
    options: FitOptions, more: Sequence[Replay], hands: Sequence[Replay], without: Collection[str]
) -> Reader:
    try:
        file = fit_hands([*hands, *more], options, without=without).file
    except FitError as error:
        raise FoldError(str(error)) from None
    return PolicyReader(players_of(file, options.mixture))


def cross_validate(
    hands: Sequence[Replay],
    folds: Folds,
    options: FitOptions,
    ties: str = "split",
    resamples: int = 1000,
    train: Sequence[Replay] = (),
    run: Run = Run(),
) -> Evaluation:
    """Evaluate the reads of hands, each by policies fitted to the other folds and to ``train``.

    The seed of the run is that of folds and intervals.

    Raises:
        FoldError: There are too few hands or players.
    """
    done = held_out_scores(hands, fitter(options, train), folds, ties, run)
    policy = f"fitted {options.family}"
    return evaluation(done.scores, policy, ties, resamples, run.seed, folds=done.folds)
