"""Run ``handread report``: write the files of a session's hands, and their index."""

import hashlib
import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import handread.sessions.page_files as page_files
from handread.cli.console import LOST, Watched, emit, kept_words, say, stoppable, stored
from handread.game.replay import replay
from handread.game.rules import variant_of
from handread.game.steps import Replay
from handread.history import History, Problem
from handread.inference.readers import Reader, policies_of
from handread.opponents.records import Players, add_hands, seat_hands
from handread.parallel import Part, StoredJobs, parts_folder, planned_parts
from handread.report.html.page import index_page, player_page, shared_files
from handread.report.index import refusal
from handread.report.overview import overview
from handread.report.players import known_before
from handread.report.words import command_line, visible
from handread.runs import Run
from handread.sessions.counts import Fate
from handread.sessions.files import ReadSettings, Session
from handread.sessions.in_turn import SessionReader
from handread.sessions.opening import address_of
from handread.study.logs import add_hand
from handread.version import __version__
from handread.whole_files import write_text_whole


class SessionReport:
    """A run of ``handread report``: it reads the files once and writes what they show."""

    def __init__(
        self,
        files: Sequence[str],
        reads: ReadSettings,
        reader: Reader,
        rendering: page_files.Rendering,
        hand: str | None = None,
        workers: int = 1,
        given: Sequence[str] = (),
    ) -> None:
        """Open the files; the ``index`` of ``rendering`` is filled in.

        ``hand`` is the id or #N of the only hand to show; with 0 ``workers``, as many start as are
        useful. The options ``given`` to the command are repeated on the pages.
        """
        self._files, self._hand, self._given = files, hand, given
        self._workers = workers
        self._output = output = rendering.output
        self._addressed = len(files) == 1 and address_of(files[0]).line is not None
        single = self._addressed or hand is not None
        in_folder = not rendering.one_file
        self._indexed = "html" in rendering.formats and in_folder and not single
        # A page that is rewritten alone links to an existing index.
        links_back = single and in_folder and (output / page_files.INDEX).exists()
        index = page_files.INDEX if self._indexed or links_back else ""
        self._rendering = replace(rendering, index=index)
        self._anonymous = reads.aliases is not None
        self._session = Session(files, reads, prints=False, besides=self._output)
        sources = {address_of(file).file for file in self._session.files} - {"-"}
        self._sources = {Path(file).resolve() for file in sources}
        self._players: Players = {}
        self._reasons: dict[str, list[str]] = defaultdict(list)
        self._n_wanted = self._reading = 0  # hands to show, and games' time to read new ones
        self._clash = ""  # a file to write that is also read
        self._analyzer = SessionReader(self._session, reader, rendering.view, later=True)

    def run(self) -> int:
        """Write the files of each hand, then the index; return the exit status."""
        session, rendering = self._session, self._rendering
        digest = hashlib.sha256()
        with stored(_digested(self._jobs(), digest), rendering.weight) as jobs:
            n = len(jobs)
            if fault := self._fault(n):
                session.say(fault)
                return 2
            if not n:
                session.say("there is no hand to show")
                return session.end(False)
            written = self._write(jobs, digest.hexdigest())
        for hand in written:
            for finding in hand.findings:
                session.say(finding)
        emit(f"{n:,} {'hand' if n == 1 else 'hands'}: {visible(self._to_open(written))}\n")
        return session.end()

    def _write(self, jobs: StoredJobs, digest: str) -> list[page_files.WrittenHand]:
        """Write all files; return the records of the hands in the parts."""
        rendering, output = self._rendering, self._output
        # The real name of a folder, so that a file can be placed beside it.
        folder = output if output.name not in ("", "..") else output.resolve()
        beside = None if rendering.one_file else folder
        watch = Watched()
        with stoppable(LOST if beside is None else kept_words(beside)):
            if beside is not None:
                output.mkdir(exist_ok=True)
            with parts_folder(beside, _terms(digest, rendering)) as resume:
                if rendering.index:
                    files = shared_files(valued=rendering.view.decisions is not None)
                    for name, text in files.items():
                        write_text_whole(output / name, text)
                _delete_outdated(planned_parts(resume, jobs, size=jobs.size), output)
                work = partial(page_files.write_part, rendering)
                run = Run(workers=self._workers, resume=resume, watch=watch)
                weight = rendering.writing_weight + math.ceil(self._reading / len(jobs))
                with run.parts(work, jobs, weight, "hands") as parts:
                    written = [hand for part in parts for hand in page_files.kept_hands(part)]
                if self._indexed:
                    self._write_index(written)
        if len(jobs) > 1:
            watch.tell()
        if self._indexed:
            _note_other_pages(output, {hand.row.page for hand in written})
        return written

    def _write_index(self, written: Sequence[page_files.WrittenHand]) -> None:
        """Write the index and the pages of its players; delete pages of an earlier run."""
        n, file = len(self._files), Path(self._files[0])
        title = f"{n} files" if n > 1 else visible(file.name or file.resolve().name)
        title = "Session" if self._anonymous else title
        counts, rows = self._session.counts, [hand.row for hand in written]
        whole, left_out = overview(rows), counts.left_out()
        text = index_page(title, rows, self._reasons, left_out, whole)
        write_text_whole(self._output / page_files.INDEX, text)
        for old in self._output.glob("player-*.html"):
            old.unlink()
        for line in whole.players.pages:
            text = player_page(title, page_files.INDEX, line, rows)
            write_text_whole(self._output / line.page, text)

    def _to_open(self, written: Sequence[page_files.WrittenHand]) -> str:
        """Return the path that the user will open: the index, the only file, or the folder."""
        names = [name for hand in written for name in hand.files]
        if self._indexed:
            return str(self._output / page_files.INDEX)
        single = len(names) == 1 and not self._rendering.one_file
        return str(self._output / names[0] if single else self._output)

    def _fault(self, n: int) -> str:
        """Return why ``n`` hands cannot be shown as requested; empty if they can."""
        if self._rendering.one_file and n > 1:
            advice = "choose one with --hand, or name a folder"
            return f"{self._output}: holds one hand, and there are {n:,}; {advice}"
        if self._clash:
            return f"{self._clash}: is one of the files to read; choose another output"
        return ""

    def _jobs(self) -> Iterator[page_files.PageJob]:
        """Yield the hands to show, with links to the pages beside them; count the others."""
        previous, unlinked = "", None
        for page, job in self._page_jobs():
            if unlinked is not None:
                yield replace(unlinked, following=page)
            unlinked = None if job is None else replace(job, previous=previous)
            previous = page
        if unlinked is not None:
            yield unlinked
        if not self._n_wanted and self._hand is not None:
            self._session.lacks(self._hand)
        self._analyzer.finish(self._hand)

    def _page_jobs(self) -> Iterator[tuple[str, page_files.PageJob | None]]:
        """Yield the pages in order; a page from an earlier run comes without a job."""
        number, is_over = 0, False
        for reading in self._session.readings():
            if isinstance(reading, Problem):
                self._session.refuse(None, [reading])
                self._reasons[Fate.NO_HAND].append(refusal(None, reading))
                continue
            number += 1
            # If the user named the line, it stands in the names of the hand's files.
            stem = page_files.stem_of(number, reading.hand_id)
            if self._addressed:
                stem = f"line-{page_files.stem_of(reading.source.line, reading.hand_id)}"
            page = stem + page_files.ENDINGS["html"]
            wanted = self._session.is_wanted(number, self._hand)
            if not wanted:
                if (self._output / page).exists():
                    yield page, None
                if is_over:
                    continue
            played = replay(reading)
            if wanted:
                self._n_wanted += 1
                # No later hand matters to the page of #N; an id may belong to several hands.
                is_over = self._hand == f"#{number}"
                job = self._job(played, number, stem)
                if job is not None:
                    yield page, job
            if played.problem is None:
                add_hands(self._players, variant_of(reading.variant), seat_hands(played))

    def _job(self, played: Replay, number: int, stem: str) -> page_files.PageJob | None:
        """Return the job that shows a hand; None if nothing of it can be shown."""
        history, analyzer = played.history, self._analyzer
        # An address selects the hand already; a reader that has learned needs the hands before.
        as_given = self._addressed or _has_learned(analyzer.reader, history)
        hand = analyzer.read(played)
        fate = self._session.count(hand, findings=False)
        if fate is not None and hand.problem is not None:
            self._reasons[fate].append(refusal(history, hand.problem))
        if not hand.is_shown:
            return None
        for kind in self._rendering.formats:
            path = self._rendering.file(stem, kind)
            if path.resolve() in self._sources:
                self._clash = str(path)
        made_by = self._made_by(self._hand if as_given else f"#{number}")
        known = known_before(self._players, seat_hands(played), history.variant)
        job = page_files.PageJob(number, stem, played, hand.reader, made_by=made_by, known=known)
        if not job.parts(view := self._rendering.view).has_page:
            self._reading += page_files.reading_weight(played, hand.reader, view)
        return job

    def _made_by(self, hand: str | None) -> str:
        """Return the shell command that reproduces a page; empty if it may not name the files."""
        if self._anonymous:
            return ""
        options = [*self._given, *(["--hand", hand] if hand is not None else [])]
        # After two dashes, a name that begins with a dash is not an option.
        dashed = any(file.startswith("-") and file != "-" for file in self._files)
        words = [*options, "--", *self._files] if dashed else [*self._files, *options]
        return command_line(["handread", "report", *words])


def _has_learned(reader: Reader, history: History) -> bool:
    """Return True if the reader of a hand may know its players from earlier hands."""
    players = policies_of(reader)
    if players is None:
        return reader.learns
    machines = players.simulated
    learned = {*players.learned, *(machines.learned if machines is not None else ())}
    return any(seat.name in learned for seat in history.seats)


def _digested(
    jobs: Iterable[page_files.PageJob], digest: "hashlib._Hash"
) -> Iterator[page_files.PageJob]:
    """Yield jobs unchanged; add all that determines their pages to a digest."""
    for job in jobs:
        besides = job.number, job.stem, job.made_by, job.known, job.previous, job.following
        add_hand(digest, job.played, job.reader, job.reader.terms, *besides)
        yield job


def _note_other_pages(output: Path, written: set[str]) -> None:
    """Print a note if the folder also has pages of another session."""
    names = {path.name for path in output.glob("*.html")}
    if others := set(filter(page_files.PAGE_NAME.match, names - written)):
        pages = "a page" if len(others) == 1 else f"{len(others):,} pages"
        say(f"{output} also holds {pages} that this run did not make, such as {min(others)}")


def _terms(digest: str, rendering: page_files.Rendering) -> dict[str, Any]:
    """Return the JSON values that determine the result of a run."""
    return {
        "command": "report",
        "version": __version__,
        "hands": digest,
        "viewpoint": rendering.view.viewpoint,
        "ties": rendering.view.ties,
        "top": rendering.view.top,
        "formats": list(rendering.formats),
        "index": rendering.index,
        "decisions": rendering.view.decisions and rendering.view.decisions.text,
    }


def _delete_outdated(parts: Sequence[Part], output: Path) -> None:
    """Delete the parts of an earlier run whose files are gone or changed."""
    for part in parts:
        if part.file.exists():
            sizes = [item for hand in page_files.kept_hands(part) for item in hand.files.items()]
            files = [(output / name, size) for name, size in sizes]
            if not all(file.is_file() and file.stat().st_size == size for file, size in files):
                part.file.unlink()
