"""The thread of the window that reads logs, and the processes that help it and make pages."""

from __future__ import annotations

import threading
from asyncio import wrap_future
from collections import defaultdict
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import contextmanager
from copy import deepcopy
from pathlib import Path
from queue import Empty, Queue

from handread.game.rules import variant_of
from handread.game.steps import Replay
from handread.history import History
from handread.inference.readers import Reader, reader_of_hand
from handread.opponents.records import Players, add_hands, seat_hands
from handread.processes import Helpers, failure_words
from handread.report.players import known_before
from handread.sessions.analyzing import View
from handread.sessions.files import ReadSettings
from handread.sessions.growing import QUIET_SECONDS, Source
from handread.sessions.reading import ReadHand, kept_hand
from handread.window.library import Entry, Library, Tally
from handread.window.watching import keep_log
from handread.window.work import Job, entered_reads, packed, read

Flying = dict[Future[ReadHand], tuple[Entry, Replay]]
"""Hands that processes are reading."""

STEP_SECONDS = 0.2
"""How long the thread waits before it looks whether it shall end."""


class Workshop:
    """Reads logs in the background; makes pages for those who ask.

    Attributes:
        library: The hands.
        added: The folder of the logs that are added.
        ended: Set at the end of its work.
    """

    def __init__(
        self,
        reader: Reader,
        view: View,
        reads: ReadSettings,
        readers: Helpers,
        makers: Helpers,
        added: Path,
    ) -> None:
        """Prepare to show hands; in ``running`` they are read, the first one by ``reader``.

        The processes ``readers`` read hands, ``makers`` make pages.
        """
        self.library = Library(reads.keep_repeated)
        self.added = added
        self._reader = reader
        self._view = view
        self._reads = reads
        self._readers, self._makers = readers, makers
        self._players: Players = {}
        self._half: tuple[int, Reader, Players] | None = None
        self._sources: dict[Path, int] = {}
        self._logs: list[Source] = []
        self._waiting: Queue[int] = Queue()
        # what each log was called whenever it was added and is not yet answered
        self._new: defaultdict[int, list[str]] = defaultdict(list)
        self.ended = threading.Event()

    def start(self) -> None:
        """Work in the background until ``ended`` is set."""
        threading.Thread(target=self._until_the_end, daemon=True).start()

    @contextmanager
    def running(self) -> Iterator[threading.Event]:
        """Work in the background during the body of the ``with``; yield what is set at its end."""
        self.start()
        try:
            yield self.ended
        finally:
            self.ended.set()

    def _until_the_end(self) -> None:
        """Do the work of the thread; at the end its processes are gone, which is no error."""
        try:
            self._read_all()
        except RuntimeError:
            if not self.ended.is_set():
                raise

    # What is read

    def add_file(
        self, path: Path, name: str, quiet_seconds: float = QUIET_SECONDS, added: str = ""
    ) -> None:
        """Read a file, or read it again because it may have changed.

        Of one that was ``added``, under this name, the pages say what came of it; if it holds no
        hand, it is not kept.
        """
        place = path.absolute()
        if place not in self._sources:
            source = Source(name, self._reads, place, quiet_seconds)
            self._sources[place] = self.library.add_source(source)
            self._logs.append(source)
        if added:
            self._new[self._sources[place]].append(added)
        self._wait_for(self._sources[place])

    def add_text(self, data: bytes, name: str) -> str:
        """Write a log that is in no file, and read it; return what it is called.

        Raises:
            OSError: It cannot be written.
        """
        path = keep_log(self.added, name or "pasted", data)
        self.add_file(path, path.name, 0.0, added=name or path.name)
        return path.name

    def remove(self, number: int) -> None:
        """Show nothing more of a log; what it shared with others is read from these."""
        self.library.drop(number)
        self._sources.pop(self._logs[number].path, None)
        while self.library.again:
            self._wait_for(self.library.again.pop())

    def _wait_for(self, number: int) -> None:
        self.library.reads(1)
        self._waiting.put(number)

    def _read_all(self) -> None:
        """Read what waits to be read, until the end."""
        self._makers.warm("handread.window.work")
        while not self.ended.is_set():
            try:
                number = self._waiting.get(timeout=STEP_SECONDS)
            except Empty:
                continue
            before = self.library.tally(number) if self._new[number] else None
            self._read(number)
            if before is not None and not self.ended.is_set():
                self._answer(number, before, self._new[number].pop(0))
            self.library.reads(-1)
            if self._logs[number].waits:
                again = threading.Timer(QUIET_SECONDS, self._wait_for, [number])
                again.daemon = True
                again.start()

    def _answer(self, number: int, before: Tally, name: str) -> None:
        """Say what came of a log that was added; keep none without a hand."""
        log, found = self._logs[number], self.library.tally(number)
        words = found.news(before)
        if not found.there and not found.copies:
            self.remove(number)
            log.path.unlink(missing_ok=True)
            words = f"added nothing, {words or 'no hand was found in it'}"
        self.library.answer(f"{name}: {words}.")

    def _read(self, number: int) -> None:
        """Read what is new in a log."""
        flying: Flying = {}
        for found in self._logs[number].fresh():
            taken = self.library.take(number, found)
            played = found.played
            if taken is None or played is None:
                continue
            # A reader that learns goes from hand to hand; other hands are read side by side.
            learns = reader_of_hand(self._reader, played.history).learns
            self._land(flying, 0 if learns else self._readers.workers - 1)
            self._begin(*taken, played, flying)
            if self.ended.is_set():
                return
        self._land(flying, 0)
        while self.library.again:
            self._wait_for(self.library.again.pop())

    def _begin(self, entry: Entry, is_new: bool, played: Replay, flying: Flying) -> None:
        """Take in a hand that is kept; have a process read any other."""
        if self._half is not None and self._half[0] == entry.number:
            # What was learned from its first half is forgotten; no other hand came since.
            _, self._reader, self._players = self._half
            is_new = True
        self._half = None
        if not entry.is_whole:
            self._half = entry.number, self._reader, deepcopy(self._players)
        known = known_before(self._players, played)
        if is_new and played.problem is None:
            add_hands(self._players, variant_of(played.history.variant), seat_hands(played))
        reader = reader_of_hand(self._reader, played.history)
        entry.data = packed(Job(played.history, reader, known))
        try:
            kept = kept_hand(played, reader, self._view)
        except Exception:  # of one hand: a process finds the same, and says it
            kept = None
        if kept is None:
            flying[self._readers.submit(read, self._view, entry.data)] = entry, played
        else:
            self._take_in(entry, kept)

    def _land(self, flying: Flying, most: int) -> None:
        """Take in what was read, until at most ``most`` hands are still being read."""
        while len(flying) > most and not self.ended.is_set():
            done, _ = wait(flying, STEP_SECONDS, FIRST_COMPLETED)
            for future in done:
                entry, played = flying.pop(future)
                try:
                    hand = future.result()
                except Exception as error:  # of one hand; the others go on
                    problem = played.history.problem(0, failure_words(error))
                    self.library.leave_out(entry, played, problem)
                else:
                    self._take_in(entry, hand)

    def _take_in(self, entry: Entry, hand: ReadHand) -> None:
        self._reader = hand.after(self._reader)
        if hand.is_shown:
            self.library.show(entry, hand.row(entry.number, entry.page))
        elif hand.problem is not None:
            self.library.leave_out(entry, hand.played, hand.problem)

    # Pages

    async def page(self, entry: Entry, make: Callable[..., str], *asked: object) -> str:
        """Return a page of a hand; a process calls ``make``, of ``work``, with what is asked."""
        return await wrap_future(self._makers.submit(make, self._view, entry.data, *asked))

    async def entered(self, history: History) -> str:
        """Return what is read of a hand that is being entered, as a part of a page."""
        made = self._makers.submit(entered_reads, self._reader, self._view, history)
        return await wrap_future(made)
