"""The two threads of the window: one reads the logs, one values the decisions."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import contextmanager
from pathlib import Path
from queue import Empty, Queue

from handread.game.rules import variant_of
from handread.game.steps import Replay
from handread.history import History
from handread.inference.readers import PolicyReader, cannot_be_read, policies_of, reader_of_hand
from handread.opponents.records import Players, add_hands, seat_hands
from handread.processes import Helpers, failure_words
from handread.report.html import PageLinks
from handread.report.index import IndexRow
from handread.report.pages import PageJob
from handread.report.players import known_before
from handread.report.what_if import no_decisions
from handread.sessions.files import ReadSettings
from handread.window.kept import Kept, KeptSession
from handread.window.library import Entry, Library
from handread.window.sources import QUIET_SECONDS, Source
from handread.window.watching import keep_log
from handread.window.work import (
    Look,
    ReadHand,
    entered_reads,
    hand_page,
    packed,
    question_page,
    read_hand,
    single_page,
    value_hand,
)

FOR_PAGES = 1
"""Processes of those for pages that read no hands, so that a page never waits."""

Flying = dict[Future[ReadHand], tuple[Entry, Replay]]
"""Hands that processes are reading."""

HEAD_START = 1.0
"""Seconds from restoring what was kept to starting processes, which would slow the first rows."""

STEP_SECONDS = 0.2
"""How long a thread waits before it looks whether it shall end."""


class Workshop:
    """Reads logs and values decisions in the background; makes pages for those who ask.

    Attributes:
        library: The hands.
        values: True if decisions are valued.
        added: The folder of the logs that are added.
        front: The first page as it was last made; empty before.
        restored: Set unless what was kept is still being restored: until then ``front`` is all
            that can be shown.
    """

    def __init__(
        self,
        look: Look,
        reads: ReadSettings,
        front: Helpers,
        back: Helpers,
        added: Path,
        kept: Kept | None = None,
    ) -> None:
        """Prepare to show hands; in ``running`` they are read.

        Args:
            look: How hands are shown.
            reads: How logs are read.
            front: Processes that read hands and make pages, two or more.
            back: Processes that value decisions.
            added: The folder in which logs that are added become files.
            kept: Where the session is kept until the next start.
        """
        self.library = Library(reads.keep_repeated)
        self.values = look.terms is not None
        self._look = look
        self._reads = reads
        self._reader = look.reader
        self._players: Players = {}
        self._sources: dict[Path, int] = {}
        self._logs: list[Source] = []
        self._waiting: Queue[int] = Queue()
        self._ended = threading.Event()
        self._front, self._back = front, back
        self._kept = kept or Kept(None)
        self.added = added
        self.front = self._kept_front = ""
        self.restored = threading.Event()
        self.restored.set()
        self._recalled: KeptSession | None = None

    @contextmanager
    def running(self) -> Iterator[threading.Event]:
        """Work in the background during the body of the ``with``; yield what is set at its end."""
        for work in [self.restore, self._read_all, *[self._value_all] * self.values]:
            threading.Thread(target=self._until_the_end, args=(work,), daemon=True).start()
        try:
            yield self._ended
        finally:
            self._ended.set()

    def _until_the_end(self, work: Callable[[], None]) -> None:
        """Do the work of a thread; at the end its processes are gone, which is no error."""
        try:
            work()
        except RuntimeError:
            if not self._ended.is_set():
                raise

    # What is kept between starts

    def recall(self) -> None:
        """Show the first page of an earlier session, if one was kept; ``restore`` does the rest."""
        self._recalled = self._kept.recalled()
        if self._recalled is not None:
            self.front = self._kept_front = self._recalled.front
            self.restored.clear()

    def restore(self) -> None:
        """Restore what was kept of the session that was recalled."""
        session, self._recalled = self._recalled, None
        try:
            if session is not None:
                self.library.recall(session.rest, self._kept.hands(), session.logs)
                self._kept.revision = self.library.revision
                self._reader, self._players = session.reader, session.players
                self._logs = list(session.logs)
                self._sources = {log.path: n for n, log in enumerate(self._logs)}
        except Exception:
            return  # two windows have kept parts of it, or it is damaged: all is read anew
        finally:
            self.restored.set()

    def _keep(self) -> None:
        """Save what has changed, if it is time; no hand may be half read."""
        kept, library = self._kept, self.library
        changed = library.revision != kept.revision or self.front != self._kept_front
        if kept.is_due() and changed and not self._ended.is_set():
            revision, hands = library.hands_since(kept.revision)
            known = self._reader, self._players, library.rest()
            self._kept_front = self.front
            kept.save(KeptSession(self._logs, *known, self._kept_front), revision, hands)

    # What is read

    def add_file(self, path: Path, name: str, quiet_seconds: float = QUIET_SECONDS) -> None:
        """Read a file, or read it again because it may have changed."""
        self.restored.wait()
        place = path.absolute()
        if place not in self._sources:
            source = Source(name, self._reads, place, quiet_seconds)
            self._sources[place] = self.library.add_source(source)
            self._logs.append(source)
        self._wait_for(self._sources[place])

    def add_text(self, data: bytes, name: str) -> str:
        """Write a log that is in no file, and read it; return what it is called.

        Raises:
            OSError: It cannot be written.
        """
        path = keep_log(self.added, name or "pasted", data)
        self.add_file(path, path.name, 0.0)
        return path.name

    def _wait_for(self, number: int) -> None:
        self.library.reads(1)
        self._waiting.put(number)

    def _read_all(self) -> None:
        """Read what waits to be read, until the end."""
        self.restored.wait()
        if self.library.progress().shown:
            self._ended.wait(HEAD_START)
        self._front.warm("handread.window.work")
        while not self._ended.is_set():
            try:
                number = self._waiting.get(timeout=STEP_SECONDS)
            except Empty:
                self._keep()
                continue
            self._read(number)
            self.library.reads(-1)
            if self._logs[number].waits:
                again = threading.Timer(QUIET_SECONDS, self._wait_for, [number])
                again.daemon = True
                again.start()

    def _read(self, number: int) -> None:
        """Read what is new in a log."""
        flying: Flying = {}
        for found in self._logs[number].fresh():
            taken = self.library.take(number, found)
            played = found.played
            if taken is None or played is None:
                continue
            entry, is_new = taken
            # A reader that learns goes from hand to hand; other hands are read side by side.
            learns = reader_of_hand(self._reader, played.history).learns
            self._land(flying, 0 if learns else self._front.workers - FOR_PAGES - 1)
            if self._prepare(entry, played, is_new):
                future = self._front.submit(read_hand, self._look.rendering, entry.data)
                flying[future] = entry, played
            if self._kept.is_due():
                self._land(flying, 0)
                self._keep()
            if self._ended.is_set():
                return
        self._land(flying, 0)
        while self.library.again:
            self._wait_for(self.library.again.pop())

    def _prepare(self, entry: Entry, played: Replay, is_new: bool) -> bool:
        """Get a hand ready to be read; return False if nothing of it can be."""
        reader = reader_of_hand(self._reader, played.history)
        problem = cannot_be_read(played, reader)
        known = known_before(self._players, played)
        if is_new and played.problem is None:
            add_hands(self._players, variant_of(played.history.variant), seat_hands(played))
        if problem is not None:
            self.library.leave_out(entry, played, problem)
            return False
        entry.data = packed(PageJob(entry.number, entry.stem, played, reader, "", known))
        return True

    def _land(self, flying: Flying, most: int) -> None:
        """Take in what was read, until at most ``most`` hands are still being read."""
        while len(flying) > most and not self._ended.is_set():
            done, _ = wait(flying, STEP_SECONDS, FIRST_COMPLETED)
            for future in done:
                self._take_in(*flying.pop(future), future)

    def _take_in(self, entry: Entry, played: Replay, future: Future[ReadHand]) -> None:
        try:
            read = future.result()
        except Exception as error:  # of one hand; the others go on
            self._kept.stop()  # it may go well the next time
            problem = played.history.problem(0, failure_words(error))
            self.library.leave_out(entry, played, problem)
            return
        players = policies_of(self._reader)
        if read.members and players is not None:
            self._reader = PolicyReader(players.after(played.history, read.members))
        if read.row is not None:
            self.library.show(entry, read.row)
        elif read.problem is not None:
            self.library.leave_out(entry, played, read.problem)

    # Values of decisions

    def _value_all(self) -> None:
        """Value the decisions of hands, until the end."""
        self.restored.wait()
        flying: dict[Future[tuple[IndexRow, bytes]], tuple[Entry, bytes]] = {}
        while not self._ended.is_set():
            busy = {entry.number for entry, _ in flying.values()}
            entry = self.library.next_to_value(busy) if len(flying) < self._back.workers else None
            if entry is not None:
                data = entry.data  # which may change while processes start
                future = self._back.submit(value_hand, self._look.rendering, data)
                flying[future] = entry, data
                continue
            if not flying:
                self._ended.wait(STEP_SECONDS)
                continue
            done, _ = wait(flying, STEP_SECONDS, FIRST_COMPLETED)
            for one in done:
                self._keep_values(*flying.pop(one), one)

    def _keep_values(self, entry: Entry, data: bytes, one: Future[tuple[IndexRow, bytes]]) -> None:
        try:
            self.library.value(entry, data, *one.result())
        except Exception as error:
            self.library.value(entry, data, None, packed(no_decisions(failure_words(error))))

    # Pages

    def page(self, entry: Entry, links: PageLinks) -> Future[str]:
        """Have a process make the page of a hand."""
        rendering = self._look.rendering
        return self._front.submit(hand_page, rendering, entry.data, entry.values, links)

    def single(self, entry: Entry, hides: bool) -> Future[str]:
        """Have a process make the page of a hand that needs no other file."""
        given = entry.data, entry.values, hides
        return self._front.submit(single_page, self._look.rendering, *given)

    def question(self, entry: Entry, links: PageLinks, moment: int) -> Future[str]:
        """Have a process make the page that asks for a decision of a hand with values."""
        assert entry.values is not None
        rendering = self._look.rendering
        return self._front.submit(question_page, rendering, entry.data, entry.values, links, moment)

    def entered(self, history: History) -> Future[str]:
        """Have a process read a hand that is being entered; the result is a part of a page."""
        return self._front.submit(entered_reads, Look(self._reader, self._look.rendering), history)
