"""What ``handread report`` does: files that show hands, and an index of them."""

from __future__ import annotations

import hashlib
import pickle
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import fields, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from handread import __version__
from handread.cli.console import emit, say, stoppable, work_out
from handread.commands.gather_hands import Hands, ReportOptions
from handread.commands.pages import INDEX, PAGE_NAME, Job, Shape, hands_of, write_part
from handread.parallel import Part, part_sizes, parts_folder, planned_parts, write_text_whole
from handread.report.build import IndexRow
from handread.report.words import visible
from handread.session import Reads, Session, address_of


def run_report(files: list[str], reads: Reads, options: ReportOptions) -> int:
    """Write the files of each hand, then the index; the exit status."""
    options = replace(options, addressed=len(files) == 1 and address_of(files[0]).line is not None)
    session = Session(files, reads, prints=False, besides=options.output)
    shape = options.shape()
    hands = Hands(session, files, options, shape)
    with tempfile.TemporaryDirectory(prefix="handread-") as name:
        with stoppable(None, keeps=False):
            n, digest = _put_down(hands.jobs(), Path(name), shape.part_size)
        fault = hands.fault(n)
        if fault:
            session.say(fault)
            return 2
        if not n:
            session.say("there is no hand to show")
            session.tell()
            return session.status_of_nothing
        shown = _show(Path(name), n, digest, hands, shape, options)
    for hand in shown:
        for finding in hand["findings"]:
            session.say(finding)
    emit(f"{n:,} {'hand' if n == 1 else 'hands'}: {visible(str(_where(shown, options)))}\n")
    session.tell()
    return session.status


def _put_down(jobs: Iterator[Job], folder: Path, size: int) -> tuple[int, str]:
    """Leave the jobs on the disk in the parts of ``part_sizes``, as all may not fit in memory.

    Returns how many there are, and a hash of all that decides what comes of them.
    """
    digest, n = hashlib.sha256(), 0
    for length in part_sizes(size):
        part = list(islice(jobs, length))
        if not part:
            break
        (folder / str(n)).write_bytes(pickle.dumps(part))
        n += len(part)
        for job in part:
            digest.update(_spelled_out(job).encode("utf-8", "backslashreplace"))
    return n, digest.hexdigest()


def _spelled_out(job: Job) -> str:
    """All that a job holds; of the replay the history, whose own repr is a line for people."""
    history = job.played.history
    record = [getattr(history, field.name) for field in fields(history)]
    own = job.number, job.stem, job.made_by, job.previous, job.following
    return repr((own, job.players, record))


def _show(
    jobs: Path, n: int, digest: str, hands: Hands, shape: Shape, options: ReportOptions
) -> list[dict[str, Any]]:
    """Write all files; what is known of each hand that is shown."""
    beside = None if options.one_file else _with_a_name(options.output)
    with stoppable(beside, keeps=not options.one_file):
        if not options.one_file:
            options.output.mkdir(exist_ok=True)
        with parts_folder(beside, _terms(digest, shape)) as folder:
            _forget_lost(planned_parts(folder, n, size=shape.part_size), options.output)
            work = partial(write_part, jobs, shape)
            parts, account = work_out(folder, work, n, options.workers, "", "hands", shape.weight)
            shown = [hand for part in parts for hand in hands_of(part)]
            if options.indexed:
                _write_index(shown, hands, options.output / INDEX)
    if n > 1:
        say(account)
    if options.indexed:
        _tell_of_others(options.output, {job["row"]["page"] for job in shown})
    return shown


def _tell_of_others(output: Path, own: set[str]) -> None:
    """Say so where pages of another session lie among those of this one."""
    others = {path.name for path in output.glob("*.html") if PAGE_NAME.match(path.name)} - own
    if others:
        pages = "a page" if len(others) == 1 else f"{len(others):,} pages"
        say(f"{output} also holds {pages} that this run did not make, such as {min(others)}")


def _with_a_name(output: Path) -> Path:
    """A folder by its name, for something to stand beside it."""
    return output if output.name not in ("", "..") else output.resolve()


def _terms(digest: str, shape: Shape) -> dict[str, Any]:
    """What decides what comes of a run, as plain values."""
    return {
        "command": "report",
        "version": __version__,
        "hands": digest,
        "viewpoint": shape.viewpoint,
        "ties": shape.ties,
        "top": shape.top,
        "formats": list(shape.formats),
        "index": shape.index,
    }


def _forget_lost(parts: Sequence[Part], output: Path) -> None:
    """Drop the parts of an earlier run whose files are not there any more as they were."""
    for part in parts:
        if part.file.exists():
            files = [item for hand in hands_of(part) for item in hand["files"].items()]
            if not all(_size(output / name) == size for name, size in files):
                part.file.unlink()


def _size(path: Path) -> int | None:
    return path.stat().st_size if path.is_file() else None


def _write_index(shown: Sequence[dict[str, Any]], hands: Hands, path: Path) -> None:
    from handread.report.html import index_page

    rows = [IndexRow.from_record(hand["row"]) for hand in shown]
    write_text_whole(path, index_page(hands.title, rows, hands.refused, hands.other_games))


def _where(shown: Sequence[dict[str, Any]], options: ReportOptions) -> Path:
    """What to open: the index, the only file, or the folder."""
    if options.one_file:
        return options.output
    if options.indexed:
        return options.output / INDEX
    names = [name for hand in shown for name in hand["files"]]
    return options.output / names[0] if len(names) == 1 else options.output
