"""Cross-validation: reads scored by policies that were fitted without the scored hands."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np

from handread.game.steps import Replay
from handread.inference.readers import PolicyReader, Reader
from handread.parallel import PART_SIZE
from handread.policy import fingerprint
from handread.runs import Run
from handread.study.evaluation import Evaluation, Folds, evaluation
from handread.study.fit.fit import fit_hands, players_of
from handread.study.fit.fitted import FitError, FitOptions
from handread.study.logs import LogIndex, logs_of
from handread.study.scores import HandScores, score_hands
from handread.typed import read_typed, write_typed

FitReader = Callable[[Sequence[Replay], Collection[str]], Reader]
"""Fits policies to hands, without the actions of players of these names."""


class FoldError(ValueError):
    """There are too few hands, logs or players for the folds."""


@dataclass(frozen=True, slots=True)
class CrossValidated:
    """The scores of hands, each read by policies fitted without it, their logs, and the folds."""

    scores: tuple[HandScores, ...]
    logs: LogIndex
    folds: Folds


Held = Mapping[int, tuple[Replay, Collection[int] | None]]
"""The hands, by number, that a fold scores, with the seats to score; None for all."""

Fold = tuple[list[Replay], Collection[str], list[Held]]
"""The hands to fit to, the players whose actions are left out, and the hands to score.

Readers that learn from hand to hand begin anew with each part of the hands to score.
"""


def held_out_scores(
    hands: Sequence[Replay],
    fit: FitReader,
    folds: Folds,
    ties: str,
    run: Run = Run(),
    more: Sequence[Replay] = (),
) -> CrossValidated:
    """Score every hand, or every player, by policies fitted to the other folds and to ``more``.

    By hand, hands of one fingerprint stay together. By log, no hand is read by policies fitted to
    a hand of its log, ``more`` included. By player, a fold's players are scored in all their hands
    by policies fitted to the actions of the other players.

    The returned folds have ``by``, ``trained`` and ``nameless`` filled in. Raise ``FoldError`` if
    there are too few hands, logs or players.
    """
    every = [*hands, *more]
    logs = logs_of(played.history for played in every)
    logs_own = logs_of(played.history for played in hands)
    folds = replace(folds, by=folds.by or ("log" if logs_own.people >= folds.k else "hand"))
    if folds.by == "log":
        every_fold = list(_by_log(every, len(hands), logs.of_hand, folds, run.seed))
    else:
        by = {"hand": _by_hand, "player": _by_player}[folds.by]
        every_fold = list(by(hands, more, folds, run.seed))
    with run.parts(partial(_score_folds, fit, ties), every_fold, PART_SIZE, "folds") as parts:
        kept = [fold for part in parts for fold in read_typed(list[list[HandScores]], part.file)]
    scores: dict[int, HandScores] = {}
    for (_, _, held), of_fold in zip(every_fold, kept, strict=True):
        for i, hand in zip((i for part in held for i in part), of_fold, strict=True):
            scores[i] = scores[i].plus(hand) if i in scores else hand
    scored = sorted(scores)
    trained = tuple(len(train) for train, _, _ in every_fold)
    nameless = sum(not seat.name for played in hands for seat in played.history.seats)
    return CrossValidated(
        tuple(scores[i] for i in scored),
        logs_own.some(scored),
        replace(folds, trained=trained, nameless=nameless if folds.by == "player" else 0),
    )


def _score_folds(fit: FitReader, ties: str, folds: Iterable[Fold], path: Path) -> None:
    scored = []
    for train, without, held in folds:
        reader = fit(train, without)
        scores: list[HandScores] = []
        for part in held:
            read, seats = zip(*part.values(), strict=True)
            scores += score_hands(read, reader, ties, seats)
        scored.append(scores)
    write_typed(scored, path)


def _by_log(
    hands: Sequence[Replay], scored: int, logs: Sequence[int], folds: Folds, seed: int
) -> Iterator[Fold]:
    prints: dict[int, list[str]] = {}
    for played, log in zip(hands[:scored], logs, strict=False):
        prints.setdefault(log, []).append(fingerprint(played.history))
    _check_folds(len(prints), folds, "logs")
    # By the least fingerprint of a log, so that the order of the files does not matter.
    name_of = {log: min(marks) for log, marks in prints.items()}
    fold_of = dealt_by_size({name_of[log]: len(prints[log]) for log in prints}, folds.k, seed)
    for fold in range(folds.k):
        held: dict[int, dict[int, tuple[Replay, None]]] = {}
        for i, log in enumerate(logs[:scored]):
            if fold_of[name_of[log]] == fold:
                held.setdefault(log, {})[i] = hands[i], None
        train = [hand for hand, log in zip(hands, logs, strict=True) if log not in held]
        yield train, (), [*held.values()]


def _by_hand(
    hands: Sequence[Replay], more: Sequence[Replay], folds: Folds, seed: int
) -> Iterator[Fold]:
    prints = [fingerprint(played.history) for played in hands]
    fold_of = dealt_out(prints, folds.k, seed)
    _check_folds(len(fold_of), folds, "hands that differ in id, game or players")
    for fold in range(folds.k):
        held = {i: (hands[i], None) for i, name in enumerate(prints) if fold_of[name] == fold}
        train = [played for i, played in enumerate(hands) if i not in held]
        yield [*train, *more], (), [held]


def _by_player(
    hands: Sequence[Replay], more: Sequence[Replay], folds: Folds, seed: int
) -> Iterator[Fold]:
    names = [{s.number: s.name for s in played.history.seats if s.name} for played in hands]
    fold_of = dealt_out([name for seats in names for name in seats.values()], folds.k, seed)
    _check_folds(len(fold_of), folds, "players with a name")
    for fold in range(folds.k):
        out = {name for name, fold_number in fold_of.items() if fold_number == fold}
        seats = [{s for s, name in named.items() if name in out} for named in names]
        train = [
            played
            for played, held in zip(hands, seats, strict=True)
            if len(held) < len(played.history.seats)
        ]
        held_out: Held = {i: (hands[i], held) for i, held in enumerate(seats) if held}
        yield [*train, *more], out, [held_out]


def dealt_out(names: Sequence[str], k: int, seed: int) -> dict[str, int]:
    """Assign each name to a fold, 0 to k - 1, at random; their order does not matter."""
    ordered = sorted(set(names))
    shuffled = np.random.default_rng(seed).permutation(len(ordered))
    return {ordered[at]: place % k for place, at in enumerate(shuffled.tolist())}


def dealt_by_size(sizes: Mapping[str, int], k: int, seed: int) -> dict[str, int]:
    """Assign logs to folds, 0 to k - 1, that have about as many hands.

    The largest first, and equal ones at random, each goes to the fold with the fewest hands.
    """
    ordered = np.random.default_rng(seed).permutation(sorted(sizes)).tolist()
    full, fold_of = [0] * k, {}
    for log in sorted(ordered, key=sizes.__getitem__, reverse=True):
        fold_of[log] = full.index(min(full))
        full[fold_of[log]] += sizes[log]
    return fold_of


def _check_folds(n: int, folds: Folds, what: str) -> None:
    if n < folds.k:
        raise FoldError(f"{folds.k} folds by {folds.by} need as many {what}; found {n}")


def fitter(options: FitOptions) -> FitReader:
    """Return the function that fits policies to hands, also policies of named players."""
    return partial(_fitted, options)


def _fitted(options: FitOptions, hands: Sequence[Replay], without: Collection[str]) -> Reader:
    try:
        file = fit_hands(hands, options, without=without).file
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

    The seed of the run draws folds and intervals. Raise ``FoldError`` if there are too few hands,
    logs or players.
    """
    done = held_out_scores(hands, fitter(options), folds, ties, run, more=train)
    policy = f"fitted {options.family or 'logit or ramps'}"
    policy += f" in {options.mixture.name}" if options.mixture else ""
    return evaluation(
        done.scores, policy, ties, resamples, run.seed, folds=done.folds, logs=done.logs
    )
