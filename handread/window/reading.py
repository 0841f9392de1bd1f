"""The thread of the window that reads logs, and the processes that help it and make pages."""

import threading
from asyncio import wrap_future
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import contextmanager, suppress
from dataclasses import replace
from itertools import islice
from pathlib import Path
from queue import Empty, Queue
from typing import TypeVar

from handread.game.replay import replay
from handread.game.steps import Replay
from handread.history import History, Problem
from handread.inference.readers import Reader, reader_of_hand
from handread.processes import Helpers, failure_words
from handread.report.index import refusal
from handread.sessions.analyzing import HandView
from handread.sessions.counts import Counts
from handread.sessions.files import ReadSettings
from handread.sessions.growing import QUIET_SECONDS, Found, GrowingLog, readings_of
from handread.sessions.parts import HandParts
from handread.sessions.reading import ReadHand, hand_of, kept_hand
from handread.window.library import Entry, HandStage, Library, Tally
from handread.window.watching import keep_log
from handread.window.work import Job, packed, read, unpacked

T = TypeVar("T")

Flying = dict[Future[ReadHand], tuple[Entry, Replay | None]]
"""Hands that processes are reading; None for a hand that was read, and is being valued."""

AHEAD = 1_000
"""The number of hands that are listed before they are read."""

PORTION = 100
"""The number of hands that are read before some of them are valued."""

DEAREST = 10
"""The number of hands of a portion that are valued at once, your largest losses first."""

LOOKED_AT = 2_000
"""The most hands of other games that are looked at before a log waits its turn: .7 s."""

STEP_SECONDS = 0.2
"""How long the thread waits before it looks whether it shall end."""


class Workshop:
    """Reads logs in the background; makes pages on request.

    Attributes:
        library: The hands.
        added: The folder of the logs that are added.
        ended: Set at the end of its work.
    """

    def __init__(
        self,
        reader: Reader,
        view: HandView,
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
        self._view, self._bare = view, replace(view, decisions=None)
        self._reads = reads
        self._readers, self._makers = readers, makers
        self._half: tuple[int, Reader] | None = None
        self._sources: dict[Path, int] = {}
        self._waiting: Queue[int] = Queue()
        self._unvalued: list[Entry] = []
        # the name of each log whenever it was added and is not yet answered
        self._new: defaultdict[int, list[str]] = defaultdict(list)
        self.ended = threading.Event()

    def start(self) -> None:
        """Work in the background until ``ended`` is set."""
        threading.Thread(target=self._until_the_end, daemon=True).start()

    @contextmanager
    def running(self) -> Iterator[threading.Event]:
        """Work in the background during the body of the ``with``; yield the event of its end."""
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

    def add_file(
        self, path: Path, name: str, quiet_seconds: float = QUIET_SECONDS, added: str = ""
    ) -> None:
        """Read a file, or read it again because it may have changed.

        The pages report on a file that was ``added`` under this name; it goes if it holds no hand.
        """
        place = path.absolute()
        if place not in self._sources:
            source = GrowingLog(name, self._reads, place, quiet_seconds)
            self._sources[place] = self.library.add_source(source)
        if added:
            self._new[self._sources[place]].append(added)
        self._wait_for(self._sources[place])

    def add_text(self, data: bytes, name: str) -> str:
        """Write a log that holds hands, and read it; return its name, or raise ``OSError``."""
        if (looked := self._looked_at(data, name)) is not None:  # no reason to wait
            self.library.answer(f"{name or 'pasted'}: {looked.news(looked)}.")
            return name
        path = keep_log(self.added, name or "pasted", data)
        self.add_file(path, path.name, 0.0, added=name or path.name)
        return path.name

    def _looked_at(self, data: bytes, name: str) -> Tally | None:
        """Return the tally of a log without a hand to read, None for others; names are visible."""
        counts, refused = Counts(), []
        for n, reading in enumerate(readings_of(data, name, self._reads)):
            if isinstance(reading, Problem):
                refused.append(refusal(None, reading).removeprefix(f"{name}: "))
            elif n < LOOKED_AT and reading.other_game:
                counts.refuse(reading, ())
            else:
                return None
        return Tally(0, 0, counts, tuple(refused))

    def remove(self, number: int) -> None:
        """Hide a log; the logs that share hands with it are read again."""
        self.library.drop(number)
        self._sources.pop(self.library.sources[number].path, None)
        while self.library.again:
            self._wait_for(self.library.again.pop())

    def _wait_for(self, number: int) -> None:
        self.library.reads(1)
        self._waiting.put(number)

    def _read_all(self) -> None:
        self._makers.warm("handread.window.work")
        while not self.ended.is_set():
            try:
                number = self._waiting.get(timeout=0 if self._unvalued else STEP_SECONDS)
            except Empty:
                self._value(self._unvalued[:DEAREST])
                continue
            before = self.library.tally(number) if self._new[number] else None
            self.library.lists(number, begins=True)
            self._read(number)
            self.library.lists(number, begins=False)
            if before is not None and not self.ended.is_set():
                self._answer(number, before, self._new[number].pop(0))
            self.library.reads(-1)
            if self.library.sources[number].waits:
                again = threading.Timer(QUIET_SECONDS, self._wait_for, [number])
                again.daemon = True
                again.start()

    def _answer(self, number: int, before: Tally, name: str) -> None:
        log, tally = self.library.sources[number], self.library.tally(number)
        if not (tally.there or tally.copies):
            self.remove(number)
            log.path.unlink(missing_ok=True)
        self.library.answer(f"{name}: {tally.news(before)}.")

    def _read(self, number: int) -> None:
        """Read the news of a log: hands are listed as they were played, then read."""
        for some in _portions(self.library.sources[number].fresh(), AHEAD):
            listed = [entry for hand in some if (entry := self._list(number, hand)) is not None]
            if len(some) < AHEAD:
                self.library.lists(number, begins=False)
            for portion in _portions(listed, PORTION):
                self._read_portion(portion)
                if self.ended.is_set():
                    return
                fresh = {entry.number for entry in portion}
                unvalued = [entry for entry in self._unvalued if entry.number in fresh]
                self._value(sorted(unvalued, key=_result)[:DEAREST])
        while self.library.again:
            self._wait_for(self.library.again.pop())

    def _list(self, number: int, new: Found) -> Entry | None:
        """Show a hand as it was played, or as it is stored; return it if it is to be read."""
        if self.ended.is_set():
            return None
        entry, played = self.library.take(number, new), new.played
        if entry is None or played is None:
            return None
        entry.data = packed(Job(played.history, reader_of_hand(self._reader, played.history)))
        with suppress(Exception):  # in one hand: the process that reads it meets the same
            parts = HandParts(played, self._reader, self._view)
            if parts.problem is not None or (parts.was_kept and not parts.reader.learns):
                self._take_in(entry, hand_of(parts), is_valued=True)
                return None
            self.library.show(entry, parts.unread_row(entry.number, entry.page), HandStage.LISTED)
        return entry

    def _read_portion(self, entries: Iterable[Entry]) -> None:
        """Read hands, side by side unless the reader learns from one for the next."""
        flying: Flying = {}
        for entry in entries:
            if not entry.data:  # its log was removed
                continue
            job = unpacked(entry.data)
            self._land(flying, 0 if job.reader.learns else self._readers.workers - 1)
            self._begin(entry, job.history, flying)
            if self.ended.is_set():
                return
        self._land(flying, 0)

    def _begin(self, entry: Entry, history: History, flying: Flying) -> None:
        if self._half is not None and self._half[0] == entry.number:
            # What was learned from its first half is forgotten; no other hand came since.
            self._reader = self._half[1]
        self._half = None if entry.is_whole else (entry.number, self._reader)
        reader, played = reader_of_hand(self._reader, history), replay(history)
        kept = None
        if reader.learns:  # others were looked for when they were listed
            entry.data = packed(Job(history, reader))
            with suppress(Exception):
                kept = kept_hand(played, reader, self._view)
        if kept is None:
            flying[self._readers.submit(read, self._bare, entry.data)] = entry, played
        else:
            self._take_in(entry, kept, is_valued=True)

    def _value(self, entries: Sequence[Entry]) -> None:
        flying: Flying = {}
        for entry in entries:
            self._unvalued.remove(entry)
            if entry.data:
                self._land(flying, self._readers.workers - 1)
                flying[self._readers.submit(read, self._view, entry.data)] = entry, None
        self._land(flying, 0)

    def _land(self, flying: Flying, most: int) -> None:
        """Take in finished hands, until at most ``most`` are still being read."""
        while len(flying) > most and not self.ended.is_set():
            done, _ = wait(flying, STEP_SECONDS, FIRST_COMPLETED)
            for future in done:
                entry, played = flying.pop(future)
                try:
                    hand = future.result()
                except Exception as error:  # in one hand; the others go on
                    if played is not None:
                        problem = played.history.problem(0, failure_words(error))
                        self.library.leave_out(entry, played, problem, False)
                    elif entry.row is not None:
                        self.library.show(entry, entry.row, HandStage.VALUED)
                else:
                    self._take_in(entry, hand, is_valued=played is None)

    def _take_in(self, entry: Entry, hand: ReadHand, is_valued: bool) -> None:
        """Show a hand that was read; remember it if its decisions are still to be valued."""
        if entry.stage is HandStage.LISTED:
            self._reader = hand.after(self._reader)
        if hand.is_shown:
            is_valued |= self._view.decisions is None
            stage = HandStage.VALUED if is_valued else HandStage.READ
            self.library.show(entry, hand.row(entry.number, entry.page), stage)
            if not is_valued:
                self._unvalued.append(entry)
        if hand.problem is not None:
            self.library.leave_out(entry, hand.played, hand.problem, hand.is_shown)

    async def page(self, entry: Entry, make: Callable[..., str], *asked: object) -> str:
        """Return a page of a hand; a process calls ``make``, of ``work``, with the arguments."""
        return await wrap_future(self._makers.submit(make, self._view, entry.data, *asked))

    async def entered(self, make: Callable[..., str], history: History) -> str:
        """Return a part of the page of a hand that is being entered, by ``make`` of ``work``."""
        made = self._makers.submit(make, self._reader, self._view, history)
        return await wrap_future(made)


def _portions(items: Iterable[T], size: int) -> Iterator[list[T]]:
    rest = iter(items)
    while some := list(islice(rest, size)):
        yield some


def _result(entry: Entry) -> float:
    """Return your result in a hand in big bets; for others' hands, the less the larger the pot."""
    row = entry.row
    if row is None:
        return 0.0
    return row.net_bets if row.has_result else -row.pot
