"""Run ``handread score``: plan the pieces, score them, and store their rows in parts."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial

from handread.formats.registry import BUILT_IN, FormatRegistry
from handread.parallel import RunError, Runner
from handread.sessions.opening import InputFile
from handread.tables.pieces import HAND_WEIGHT, Key, Piece, Scored, ScoreTerms, pieces, score_piece
from handread.tables.store import Store, in_groups

PART_WEIGHT = 5000 * HAND_WEIGHT
"""Work of the pieces in a part of the tables: a few thousand hands."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The work of each piece to read, in order, and the reasons why files cannot be read."""

    weights: Mapping[Key, int]
    faults: Mapping[str, str]

    @property
    def files(self) -> set[str]:
        """Names of the files that can be read; each has a piece."""
        return {file for file, _, _ in self.weights}

    @property
    def weight(self) -> int:
        """The work of all pieces."""
        return sum(self.weights.values())


def plan_run(
    files: Iterable[InputFile], dialect: str | None, known: FormatRegistry = BUILT_IN
) -> Plan:
    """Read files once to find their pieces."""
    weights: dict[Key, int] = {}
    faults: dict[str, str] = {}
    for source in files:
        try:
            weights |= {piece.key: piece.weight for piece in pieces(source, dialect, known)}
        except OSError as error:
            faults[source.name] = error.strerror or str(error)
    return Plan(weights, faults)


def execute_plan(
    store: Store,
    plan: Plan,
    files: Sequence[InputFile],
    dialect: str | None,
    terms: ScoreTerms,
    runner: Runner,
    tick: Callable[[int, int], None],
    known: FormatRegistry = BUILT_IN,
) -> None:
    """Read the pieces that the store does not hold yet, and put them into its tables.

    Pieces that the planned files no longer have are removed from the store. An interrupted run puts
    the finished pieces into the tables. A ``dialect`` of None is detected among the formats
    ``known``. ``tick`` is called with the work and the number of hands done since the last call.

    Raises:
        RunError: If a file has changed since it was planned.
    """
    wanted = plan.weights
    _drop_stale(store, plan)
    seen = set() if terms.keep_repeated else store.seen()[0]
    done = store.in_parts
    undone = [key for key in wanted if key not in done]
    groups = list(in_groups(undone, wanted.__getitem__, PART_WEIGHT))
    missing = set(wanted) - done - store.waiting
    tick(sum(wanted[key] for key in set(wanted) - missing), 0)
    jobs = (piece for piece in _read(files, dialect, known) if piece.key in missing)
    try:
        with closing(runner(partial(score_piece, terms), jobs)) as results:
            for piece, scored in _in_order(results, [key for key in wanted if key in missing]):
                unlike = scored if terms.keep_repeated else scored.without_repeated(seen)
                store.keep(piece.key, unlike)
                missing.discard(piece.key)
                tick(wanted[piece.key], len(scored.keys))
                while groups and missing.isdisjoint(groups[0]):
                    store.make_part(groups.pop(0))
    except (KeyboardInterrupt, RunError):  # not OSError: a full disk has no room
        _make_parts(store, groups)
        raise
    _make_parts(store, groups)
    store.join_small()
    changed = sorted({key[0] for key in missing})
    if changed:
        names = ", ".join(changed[:3]) + (" and others" if len(changed) > 3 else "")
        raise RunError(f"{names} changed while being read; --resume reads what is new")


def _drop_stale(store: Store, plan: Plan) -> None:
    """Remove pieces that the planned files no longer have."""
    files, wanted = plan.files, set(plan.weights)
    kept = store.in_parts | store.waiting
    stale = {key for key in kept if key[0] in files} - wanted
    if stale:
        # Hands that repeat one of a piece that goes are no longer repeated.
        stale |= store.seen()[1] & wanted
    store.drop(stale)


def _in_order(
    results: Iterable[tuple[Piece, Scored]], keys: Iterable[Key]
) -> Iterator[tuple[Piece, Scored]]:
    """Yield results in the order of the files, so that it is the first copy of a hand that counts.

    Results of ``keys`` that never come are passed over at the end.
    """
    early: dict[Key, tuple[Piece, Scored]] = {}
    awaited = deque(keys)
    for result in results:
        early[result[0].key] = result
        while awaited and awaited[0] in early:
            yield early.pop(awaited.popleft())
    for key in awaited:
        if key in early:
            yield early.pop(key)


def _make_parts(store: Store, groups: Iterable[list[Key]]) -> None:
    """Move all waiting pieces into the tables, even if they do not fill a part."""
    for group in (*groups, store.waiting):
        store.make_part(group)


def _read(
    files: Iterable[InputFile], dialect: str | None, known: FormatRegistry
) -> Iterator[Piece]:
    """Yield the pieces of files, skipping files that no longer exist."""
    for source in files:
        try:
            yield from pieces(source, dialect, known)
        except OSError:
            continue
