"""What ``handread score`` does: hands of many files become tables."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from handread import __version__
from handread.cli.console import emit, hands_progress, looking_through, say
from handread.formats.registry import Known
from handread.inference.players import Roster, roster_terms
from handread.parallel import RunError, useful_workers
from handread.report.problems import problem_lines
from handread.tables import ACTIONS, HANDS, REJECTS, STAGE_TABLE

if TYPE_CHECKING:
    from handread.tables.read import Tables
    from handread.tables.run import Sharing
    from handread.tables.store import Store

SHOWN_REJECTS = 10
"""How many refused hands are listed when a run is done; the table has them all."""


@dataclass(frozen=True, slots=True)
class ScoreOptions:
    """What ``handread score`` was asked for; ``scheduler`` is the address of a Dask cluster."""

    output: Path
    roster: Roster
    ties: str
    dialect: str | None
    known: Known
    workers: int
    resume: bool
    scheduler: str | None
    formats: tuple[str, ...]


def run_score(paths: Sequence[str], options: ScoreOptions) -> int:
    """Read the hands into tables; the exit status."""
    from handread.tables.store import open_store

    terms = {
        "version": __version__,
        "players": roster_terms(options.roster),
        "ties": options.ties,
    }
    try:
        with open_store(options.output, terms, options.resume) as store:
            unreadable = _read_all(paths, options, store)
        _copy(options)
        status = _account(options.output)
        return 2 if unreadable else status
    except KeyboardInterrupt:
        say(f"stopped; what was done is kept in {options.output}, and --resume goes on from it")
        raise SystemExit(130) from None
    except RunError as error:
        say(f"handread: {error}")
        raise SystemExit(2) from None


def _read_all(paths: Sequence[str], options: ScoreOptions, store: Store) -> bool:
    """Read what is not read yet; whether a file could not be opened."""
    from handread.tables.run import carry_out, plan_run
    from handread.tables.store import HAND_WEIGHT, Terms, sources

    files, faults = sources(paths, store.base, store.work, options.output)
    with looking_through():
        plan = plan_run(files, options.dialect, options.known)
    faults += [f"{file}: cannot be read: {why}" for file, why in plan.faults.items()]
    for fault in faults:
        say(fault)
    if not plan.files:
        raise RunError("there is no file to read")
    start, read = time.monotonic(), 0
    with (
        _helpers(options, plan.weight // HAND_WEIGHT) as share,
        hands_progress(plan.weight) as show,
    ):

        def tick(work: int, hands: int) -> None:
            nonlocal read
            read += hands
            show(work, hands)

        terms = Terms(options.roster, options.ties)
        with store.at_work():
            carry_out(store, plan, files, options.dialect, terms, share, tick, options.known)
    seconds = time.monotonic() - start
    if read:
        speed = f"{read / max(seconds, 1e-9):.1f} a second"
        say(f"{read:,} {'hand' if read == 1 else 'hands'} read in {seconds:.0f} s: {speed}")
    else:
        say("nothing is new: all hands were read before")
    return bool(faults)


def _helpers(options: ScoreOptions, hands: int) -> AbstractContextManager[Sharing]:
    """Those who do the work: processes of this machine, or a cluster."""
    if options.scheduler is not None:
        from handread.tables.run import cluster

        return cluster(options.scheduler, say)
    from handread.tables.run import local_processes

    return nullcontext(local_processes(options.workers or useful_workers(hands)))


def _copy(options: ScoreOptions) -> None:
    """Copy the tables to the formats that were asked for; ``RunError`` where that fails."""
    from handread.tables.copies import COPIERS, copy_tables
    from handread.tables.read import open_tables

    tables = open_tables(options.output)
    try:
        for kind in options.formats:
            copy_tables(tables, kind)
    except OSError as error:
        place = error.filename or options.output
        raise RunError(f"{place}: cannot be written: {error.strerror or error}") from None
    for kind in COPIERS:
        if kind not in options.formats and (options.output / kind).is_dir():
            say(f"{options.output / kind} is of an earlier run; --format {kind} copies anew")


def _account(folder: Path) -> int:
    """Say what the tables hold, and list some of what was refused; the exit status."""
    from handread.tables.estimates import told
    from handread.tables.read import open_tables

    tables = open_tables(folder)
    with told(tables):
        return _tell(tables)


def _tell(tables: Tables) -> int:
    folder = tables.folder
    rejects = tables.count(REJECTS)
    for row in tables.first_rejects(SHOWN_REJECTS):
        for line in problem_lines(row):
            say(line)
    if rejects > SHOWN_REJECTS:
        more = rejects - SHOWN_REJECTS
        say(f"... and {more:,} more: handread query {folder} --table {REJECTS}")
    counts = {table: tables.count(table) for table in (HANDS, STAGE_TABLE, ACTIONS)}
    held = ", ".join(f"{n:,} rows of {table}" for table, n in counts.items())
    emit(f"{folder}: {held}; {rejects:,} refused\n")
    return 1 if rejects else 0
