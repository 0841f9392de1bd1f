"""Cross-validation: no hand, or no player, is scored by what it was fitted on."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from handread.analysis import analyze_replay
from handread.engine import Replay
from handread.evaluation.marks import HandMarks, hand_marks, mark_hands
from handread.evaluation.values import Folds
from handread.lineup import Roster
from handread.policy import fingerprint

BY = ("hand", "player")

Fit = Callable[[Sequence[Replay], Collection[str]], Roster]
"""Learns from hands how players bet, but not from the actions of players of these names."""


class FoldError(ValueError):
    """Hands that cannot be parted as was asked; the message is for a person."""


@dataclass(frozen=True, slots=True)
class CrossValidated:
    """The marks of hands, each read by policies fitted without it, and how that was done."""

    marks: tuple[HandMarks, ...]
    folds: Folds


def cross_validated(
    hands: Sequence[Replay],
    fit: Fit,
    folds: Folds,
    ties: str,
    seed: int,
    tick: Callable[[int], None] = lambda _done: None,
) -> CrossValidated:
    """Mark every hand, or every player, by policies fitted to the other folds.

    ``folds`` says into how many and by what; its ``trained`` and ``nameless`` are filled in. By
    hand, hands of one fingerprint stay together. By player, a fold's players are scored in all
    their hands by what was fitted to the actions of the others. ``tick`` is told of every hand
    read. Raises ``FoldError`` when there are too few hands or players.
    """
    if folds.by == "hand":
        return _by_hand(hands, fit, folds, ties, seed, tick)
    return _by_player(hands, fit, folds, ties, seed, tick)


def dealt_out(names: Sequence[str], k: int, seed: int) -> dict[str, int]:
    """The fold of each name, 0 to k - 1: shuffled by the seed, whatever order they come in."""
    ordered = sorted(set(names))
    shuffled = np.random.default_rng(seed).permutation(len(ordered))
    return {ordered[at]: place % k for place, at in enumerate(shuffled.tolist())}


def _by_hand(
    hands: Sequence[Replay],
    fit: Fit,
    folds: Folds,
    ties: str,
    seed: int,
    tick: Callable[[int], None],
) -> CrossValidated:
    prints = [fingerprint(played.history) for played in hands]
    fold_of = dealt_out(prints, folds.k, seed)
    _enough(len(fold_of), folds, "hands that differ in id, game or players")
    marks: dict[int, HandMarks] = {}
    trained = []
    for fold in range(folds.k):
        held = [i for i, name in enumerate(prints) if fold_of[name] == fold]
        train = [hands[i] for i, name in enumerate(prints) if fold_of[name] != fold]
        trained.append(len(train))
        found = mark_hands((hands[i] for i in held), fit(train, ()), ties)
        for i, hand in zip(held, found, strict=True):
            marks[i] = hand
            tick(1)
    return CrossValidated(tuple(marks[i] for i in range(len(hands))), _done(folds, trained, 0))


def _by_player(
    hands: Sequence[Replay],
    fit: Fit,
    folds: Folds,
    ties: str,
    seed: int,
    tick: Callable[[int], None],
) -> CrossValidated:
    names = [{s.number: s.name for s in played.history.seats if s.name} for played in hands]
    fold_of = dealt_out([name for seats in names for name in seats.values()], folds.k, seed)
    _enough(len(fold_of), folds, "players with a name")
    marks: dict[int, HandMarks] = {}
    trained = []
    for fold in range(folds.k):
        out = {name for name, own in fold_of.items() if own == fold}
        held = [{s for s, name in seats.items() if name in out} for seats in names]
        train = [
            played
            for played, seats in zip(hands, held, strict=True)
            if len(seats) < len(played.history.seats)
        ]
        trained.append(len(train))
        roster = fit(train, out)
        for i, found in _marks_of(hands, held, roster, ties):
            tick(i not in marks)
            marks[i] = marks[i].plus(found) if i in marks else found
    nameless = sum(not seat.name for played in hands for seat in played.history.seats)
    return CrossValidated(tuple(marks[i] for i in sorted(marks)), _done(folds, trained, nameless))


def _marks_of(
    hands: Sequence[Replay], held: Sequence[set[int]], roster: Roster, ties: str
) -> Iterator[tuple[int, HandMarks]]:
    """The marks of some seats of each hand, by the hand's number."""
    for i, (played, seats) in enumerate(zip(hands, held, strict=True)):
        if seats:
            read = analyze_replay(played, roster.lineup(played.history), ties=ties)
            yield i, hand_marks(read, seats)


def _enough(n: int, folds: Folds, what: str) -> None:
    if n < folds.k:
        raise FoldError(f"{folds.k} folds by {folds.by} need as many {what}; found {n}")


def _done(folds: Folds, trained: Sequence[int], nameless: int) -> Folds:
    return Folds(folds.k, folds.by, folds.family, tuple(trained), nameless)
