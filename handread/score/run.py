"""A run: what is to be read is planned, shared out, kept, and put together in order."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice

from handread.notation import BUILT_IN, Known
from handread.runs import RunError, spread
from handread.score.plan import HAND_WEIGHT, Key, Planned, Source, pieces
from handread.score.store import Store
from handread.score.work import Piece, Scored, Terms, score_piece

PART_WEIGHT = 5000 * HAND_WEIGHT
"""How much of what is read makes a part of the tables: some thousands of hands."""

Scoring = Callable[[Piece], Scored]
Sharing = Callable[[Scoring, Iterable[Piece]], Generator[tuple[Piece, Scored]]]
"""Shares pieces out among those who score them, and gives each with what came of it."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a run has to read: the pieces of its files in order, by the names of the files.

    ``faults`` says of the files that could not be read why.
    """

    files: Mapping[str, tuple[Planned, ...]]
    faults: Mapping[str, str]

    @property
    def pieces(self) -> Iterator[Planned]:
        """The pieces of all files."""
        return chain.from_iterable(self.files.values())

    @property
    def weight(self) -> int:
        """The work of all pieces."""
        return sum(piece.weight for piece in self.pieces)


def local_processes(workers: int) -> Sharing:
    """Shares out among so many processes of this machine; 1 is this process.

    This process reads the first piece, so that the kernels are compiled once and not by every one.
    """

    def share(work: Scoring, jobs: Iterable[Piece]) -> Generator[tuple[Piece, Scored]]:
        waiting = iter(jobs)
        for piece in islice(waiting, 1):
            yield piece, work(piece)
        yield from spread(work, waiting, workers)

    return share


def plan_run(files: Iterable[Source], dialect: str | None, known: Known = BUILT_IN) -> Plan:
    """What there is to read in files."""
    found: dict[str, tuple[Planned, ...]] = {}
    faults: dict[str, str] = {}
    for source in files:
        try:
            cut = (Planned(piece.key, piece.weight) for piece in pieces(source, dialect, known))
            found[source.name] = tuple(cut)
        except OSError as error:
            faults[source.name] = error.strerror or str(error)
    return Plan(found, faults)


def carry_out(
    store: Store,
    plan: Plan,
    files: Sequence[Source],
    dialect: str | None,
    terms: Terms,
    share: Sharing,
    tick: Callable[[int, int], None],
    known: Known = BUILT_IN,
) -> None:
    """Read what is planned and not yet kept; ``tick`` is told the work and the hands done.

    When it is stopped what is done is put into the tables. ``RunError`` when a file was another
    when it was read than when it was planned.
    """
    wanted = {piece.key: piece.weight for piece in plan.pieces}
    kept = store.in_parts | store.waiting
    store.drop({key for key in kept if key[0] in plan.files} - set(wanted))
    done = store.in_parts
    groups = list(_groups(piece for piece in plan.pieces if piece.key not in done))
    missing = set(wanted) - done - store.waiting
    tick(sum(wanted[key] for key in set(wanted) - missing), 0)
    jobs = (piece for piece in _read(files, dialect, known) if piece.key in missing)
    try:
        with closing(share(partial(score_piece, terms), jobs)) as results:
            for piece, scored in results:
                store.keep(piece.key, scored)
                missing.discard(piece.key)
                tick(wanted[piece.key], scored.hands + scored.rejects)
                while groups and missing.isdisjoint(groups[0]):
                    store.make_part(groups.pop(0))
    except (KeyboardInterrupt, RunError):  # a disk that is full takes no tables either
        _put_together(store, groups)
        raise
    _put_together(store, groups)
    store.join_small()
    changed = sorted({key[0] for key in missing})
    if changed:
        names_of = ", ".join(changed[:3]) + (" and others" if len(changed) > 3 else "")
        raise RunError(f"{names_of} changed while being read; --resume reads what is new")


def _put_together(store: Store, groups: Iterable[list[Key]]) -> None:
    """Put what is done into the tables, even where a part is not complete."""
    for group in (*groups, store.waiting):
        store.make_part(group)


def _read(files: Iterable[Source], dialect: str | None, known: Known) -> Iterator[Piece]:
    """All pieces of files with what they hold; of one that has gone none."""
    for source in files:
        try:
            yield from pieces(source, dialect, known)
        except OSError:
            continue


def _groups(planned: Iterable[Planned]) -> Iterator[list[Key]]:
    """Pieces in the order of the plan, as they make parts."""
    group: list[Key] = []
    weight = 0
    for piece in planned:
        group.append(piece.key)
        weight += piece.weight
        if weight >= PART_WEIGHT:
            yield group
            group, weight = [], 0
    if group:
        yield group
