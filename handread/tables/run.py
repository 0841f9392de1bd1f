"""Run ``handread score``: plan the pieces, score them, and store their rows in parts."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from operator import attrgetter

import polars as pl

import handread.tables.pieces as table_pieces
from handread.parallel import RunError, Runner
from handread.sessions.opening import InputFile
from handread.tables import HANDS, PIECES
from handread.tables.columns import SCHEMAS
from handread.tables.estimates import HAND
from handread.tables.files import Place, TablePart, joined, write_files
from handread.tables.store import Store, in_groups

PART_WEIGHT, JOB_WEIGHT = 5000 * table_pieces.HAND_WEIGHT, 100 * table_pieces.HAND_WEIGHT
"""Work of the pieces in a part where workers write it, and where their rows come here."""

MANY_JOBS = 50
"""Number of jobs after which small parts are joined."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The work of each piece to read, in order, and why some files cannot be read."""

    weights: Mapping[table_pieces.Key, int]
    faults: Mapping[str, str]

    @property
    def files(self) -> set[str]:
        """Names of the files that can be read; each has a piece."""
        return {file for file, _, _ in self.weights}

    @property
    def weight(self) -> int:
        """The work of all pieces."""
        return sum(self.weights.values())


Cut = Callable[[InputFile], Iterator[table_pieces.Piece]]
"""Cuts a file as ``pieces`` does."""


def plan_run(files: Iterable[InputFile], cut: Cut) -> Plan:
    """Read files once to find their pieces."""
    faults: dict[str, str] = {}
    weights = {piece.key: piece.weight for piece in _read(files, cut, faults)}
    return Plan({key: weights[key] for key in weights if key[0] not in faults}, faults)


@dataclass(frozen=True, slots=True)
class ScoredPart:
    """The rows of some pieces, in the files of a part; the file of the pieces is not written yet.

    ``data`` are the files by name; empty if they are where the tables are.
    """

    part: TablePart
    pieces: pl.DataFrame
    hands: Mapping[table_pieces.Key, tuple[table_pieces.ScoredHand, ...]]
    data: Mapping[str, bytes]

    def without_repeated(self, seen: set[bytes] | None) -> tuple[pl.DataFrame, pl.DataFrame | None]:
        """Return the pieces without hands whose key was seen, and file and line of these hands.

        The keys of the other hands are added to ``seen``; None keeps all hands.
        """
        if seen is None:
            return self.pieces, None
        gone = list[tuple[str, int]]()
        rows = {(r["file"], r["first_line"], r["digest"]): r for r in self.pieces.to_dicts()}
        for key, hands in self.hands.items():  # in the order of the run
            row = rows[key]
            lines, kept = Counter(hand.line for hand in hands), []
            for line, same, analyzed in hands:
                if same in seen and lines[line] == 1:
                    gone.append((row["file"], line))
                    row["hands" if analyzed else "rejects"] -= 1
                    row["repeated"] += 1
                elif same:
                    seen.add(same)
                    kept.append(same)
            row["keys"] = b"".join(kept).hex()
        places = pl.DataFrame(gone, {name: SCHEMAS[HANDS][name] for name in HAND}, orient="row")
        return pl.DataFrame([*rows.values()], SCHEMAS[PIECES]), places


def score_part(
    terms: table_pieces.ScoreTerms,
    place: Place | None,
    notes: Mapping[str, str],
    job: tuple[int, list[table_pieces.Piece]],
) -> ScoredPart:
    """Read the hands of pieces, and write the files of a part, in memory without a place."""
    data = dict[str, bytes]()
    write = data.__setitem__ if place is None else place.write
    scored = {piece.key: table_pieces.score_piece(terms, piece) for piece in job[1]}
    keys = sorted(scored)  # hands are found by file and line
    rows = {key: scored[key].frames for key in keys}
    frames = {table: joined(table, (rows[key][table] for key in keys)) for table in terms.tables}
    part = write_files(write, keys, frames, notes)
    hands = {piece.key: scored[piece.key].hands for piece in job[1]}
    return ScoredPart(part, frames[PIECES], hands, data)


def execute_plan(
    store: Store,
    plan: Plan,
    files: Sequence[InputFile],
    cut: Cut,
    terms: table_pieces.ScoreTerms,
    runner: Runner,
    tick: Callable[[int, int], None],
) -> None:
    """Read the pieces that the store does not hold yet, and put them into its tables.

    Pieces that the planned files no longer have are removed from the store. ``tick`` is called with
    the work and the number of hands done since the last call. Workers write their rows if the store
    is ``away``; else they send them here, a few at a time, and small parts are joined.

    Raises:
        RunError: If a file has changed since it was planned.
    """
    wanted = plan.weights
    _drop_stale(store, plan)
    seen = None if terms.keep_repeated else store.seen()[0]
    missing = set(wanted) - store.in_parts
    tick(sum(wanted[key] for key in set(wanted) - missing), 0)
    lacking = (piece for piece in _read(files, cut, {}) if piece.key in missing)
    least = PART_WEIGHT if store.away else JOB_WEIGHT
    jobs = enumerate(in_groups(lacking, attrgetter("weight"), least))
    work = partial(score_part, terms, store.place if store.away else None, store.notes)
    with closing(runner(work, jobs)) as results:
        for n, scored in enumerate(_in_order(results), start=1):
            store.take(scored.part, scored.data, *scored.without_repeated(seen))
            for key, hands in scored.hands.items():
                missing.discard(key)
                tick(wanted[key], len(hands))
            if not store.away and n % MANY_JOBS == 0:
                store.join_small()
    if not store.away:
        store.join_small()
    if changed := sorted({file for file, _, _ in missing}):
        names = ", ".join(changed[:3]) + (" and others" if len(changed) > 3 else "")
        raise RunError(f"{names} changed while being read; --resume reads what is new")


def _drop_stale(store: Store, plan: Plan) -> None:
    files, wanted = plan.files, set(plan.weights)
    stale = {key for key in store.in_parts if key[0] in files} - wanted
    if stale:
        # Copies of hands in the removed pieces are no longer repeated.
        stale |= store.seen()[1] & wanted
    store.drop(stale)


def _in_order(
    results: Iterable[tuple[tuple[int, list[table_pieces.Piece]], ScoredPart]],
) -> Iterator[ScoredPart]:
    """Yield results in the order of the files, so that the first copy of a hand counts."""
    early: dict[int, ScoredPart] = {}
    n = 0
    for (number, _), scored in results:
        early[number] = scored
        while n in early:
            yield early.pop(n)
            n += 1


def _read(
    files: Iterable[InputFile], cut: Cut, faults: dict[str, str]
) -> Iterator[table_pieces.Piece]:
    """Yield the pieces of files; add to ``faults`` why a file cannot be read."""
    for source in files:
        try:
            yield from cut(source)
        except OSError as error:
            faults[source.name] = error.strerror or str(error)
