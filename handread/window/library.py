"""The hands read so far from all given logs: the data of the pages."""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from pathlib import Path, PurePath
from threading import RLock
from time import time_ns
from typing import NamedTuple

from handread.game.replay import without_analysis
from handread.game.steps import Replay
from handread.history import History, Problem, hand_key
from handread.report.index import IndexRow, refusal
from handread.report.tables import hands_words
from handread.report.words import visible
from handread.sessions.counts import Counts, Fate, fate_of
from handread.sessions.growing import Found, GrowingLog
from handread.sessions.page_files import ENDINGS, stem_of

_PAGE = re.compile(r"(?P<number>[0-9]{1,9})(-.*)?\.html")

Place = tuple[int, int]
"""The number of a source, and a line of it."""

_NOWHERE = -1
"""Stands for the source of hands that are gone."""


class HandStage(IntEnum):
    """The stage of a hand: its row has the play, also the read, or also the values."""

    LISTED = 0
    READ = 1
    VALUED = 2


@dataclass(slots=True)
class Entry:
    """A hand of the session, read or still to be read."""

    number: int  # in the session, from 1
    place: Place  # its log and line
    hand_id: str = ""  # in the log
    is_whole: bool = True  # as in ``Found``
    data: bytes = b""  # its ``work.Job``
    row: IndexRow | None = None  # None if it is not shown
    stage: HandStage = HandStage.LISTED  # of its row
    revision: int = 0  # of the library at its last change

    @property
    def page(self) -> str:
        """The name of its page."""
        return stem_of(self.number, self.hand_id) + ENDINGS["html"]


class Progress(NamedTuple):
    """The progress of the work: numbers of hands shown, and whether anything is still to be done.

    ``rest`` describes hands that are not even listed yet; it is empty if there are no such hands.
    """

    found: int
    read: int
    valued: int
    reading: bool
    rest: str

    @property
    def words(self) -> str:
        """The progress in a sentence; empty if all is done."""
        if not self.reading:
            return ""
        reads = self.read < self.found or self.valued == self.read
        work, done = ("Reading", self.read) if reads else ("Valuing decisions", self.valued)
        rest = f"; {self.rest}" if self.rest else ""
        return f"{work}: {done:,} of {self.found:,} hands so far{rest}."


ANSWER_MS = 30_000
"""A page that has seen no answer shows one for so many milliseconds."""


class Tally(NamedTuple):
    """The numbers of hands in a log."""

    there: int  # of games that are read
    copies: int  # that are shown from another log
    left_out: Counts  # that are not shown
    faults: tuple[str, ...]  # of its hands and other text

    def news(self, before: "Tally") -> str:
        """Return the news of a log that was added, in words."""
        same, new = self.copies + before.there, self.there - before.there
        others, unread = self.left_out.other_games, self.left_out.unanalyzed_games
        words = [f"{hands_words(new)} added"] if new else []
        if same:
            all_same, were = not (new or others or unread), "was" if same == 1 else "were"
            every = "all " * (all_same and same > 1)
            words.append(f"{every}{hands_words(same)} {were} here before")
        for games, why in ((others, "is not read"), (unread, "the reader does not read")):
            words += [f"{hands_words(n)} of {game}, which {why}" for game, n in games.items()]
        if self.faults:
            more = len(self.faults) - 1
            fault = f"{'fault: ' * bool(words)}{self.faults[0]}"
            words.append(fault + f" (and {more:,} more)" * (more > 0))
        nothing = "added nothing, " * (not (self.there or self.copies))
        return nothing + ("; ".join(words) or "no hand was found in it")


class KeptLog(NamedTuple):
    """A log that is shown."""

    number: int
    source: GrowingLog
    hands: int  # how many hands of it are shown
    waits: bool  # whether more of its hands are to be listed


class Listing(NamedTuple):
    """The contents of an index; the fields are the first arguments of ``index_page``."""

    title: str
    rows: Sequence[IndexRow]
    reasons: Mapping[str, Sequence[str]]
    left_out: str


class Library:
    """Holds hands; any thread may ask.

    Attributes:
        revision: Grows with every change.
        listed: The revision at which ``listing`` last changed.
        again: The numbers of logs to read again: they have copies of hands that are gone elsewhere.
        sources: The logs by their number, including dropped ones.
    """

    def __init__(self, keep_repeated: bool = False) -> None:
        """``keep_repeated`` also takes hands that came before."""
        self.revision = self.listed = 0
        self.again: set[int] = set()
        self._keep_repeated = keep_repeated
        self._lock = RLock()
        self._entries: dict[int, Entry] = {}
        self._by_place: dict[Place, Entry] = {}
        self._keys: dict[Place, bytes] = {}
        self._copies: dict[bytes, list[Place]] = {}  # the place where it is shown comes first
        # The fate, the reason in words, and what counts it: the hand without events, its problem.
        self._left_out: dict[Place, tuple[Fate, str, History | None, Problem]] = {}
        self.sources: list[GrowingLog] = []
        self._dropped: set[int] = set()
        self._answers: list[tuple[int, str]] = []
        self._unlisted: dict[int, bool] = {}  # logs with hands to list, and whether they are begun
        self._reading = 0

    def add_source(self, source: GrowingLog) -> int:
        """Add a log; return its number."""
        with self._lock:
            self.sources.append(source)
            self._unlisted[len(self.sources) - 1] = False
            self._change()
            return len(self.sources) - 1

    def reads(self, by: int) -> None:
        """Count logs that wait to be read, or with -1 one that has been."""
        with self._lock:
            self._reading += by
            self.revision += 1

    def lists(self, source: int, begins: bool) -> None:
        """Take note that the hands of a log begin to be listed, or that all are."""
        with self._lock:
            if self._unlisted.pop(source, None) is not None and begins:
                self._unlisted[source] = True
            self.revision += 1

    def tally(self, source: int) -> Tally:
        """Return the present numbers of hands in a log."""
        with self._lock:
            n_entries = sum(entry.place[0] == source for entry in self._by_place.values())
            counts = self._counts(source)
            others = counts.other_games.total() + counts.unanalyzed_games.total()
            copies = sum(
                at[0] == source and self._copies[key][0] != at for at, key in self._keys.items()
            )
            faults = self._reasons(Fate.NO_HAND, Fate.REFUSED, source=source)
            return Tally(n_entries - others, copies, counts, tuple(faults))

    def answer(self, text: str) -> None:
        """Publish the news of a log that was added."""
        with self._lock:
            self.revision += 1
            last = self._answers[-1][0] if self._answers else 0
            self._answers.append((max(last + 1, time_ns() // 1_000_000), text))

    def answers_since(self, seen: int) -> list[tuple[int, str]]:
        """Return the news of added logs after the last that a page has seen, with their times.

        Times are in milliseconds since 1970. A page that has ``seen`` none, 0, gets the latest.
        """
        after = seen or time_ns() // 1_000_000 - ANSWER_MS
        with self._lock:
            return [answer for answer in self._answers if answer[0] > after]

    def logs(self) -> list[KeptLog]:
        """Return the logs that are shown, in the order of adding."""
        with self._lock:
            hands = Counter(
                each.place[0] for each in self._by_place.values() if each.row is not None
            )
            shown = [(n, log) for n, log in enumerate(self.sources) if n not in self._dropped]
            return [KeptLog(n, log, hands[n], n in self._unlisted) for n, log in shown]

    def drop(self, source: int) -> None:
        """Show nothing more of a log."""
        with self._lock:
            self._dropped.add(source)
            self._unlisted.pop(source, None)
            for place in [at for at in self._keys if at[0] == source]:
                self._is_copy(place, None)
            for entry in [each for each in self._by_place.values() if each.place[0] == source]:
                self._forget(entry)
            self._left_out = {at: why for at, why in self._left_out.items() if at[0] != source}
            self._change()

    def _change(self) -> int:
        self.revision += 1
        self.listed = self.revision
        return self.revision

    def take(self, source: int, new: Found) -> Entry | None:
        """Take in news of a log; return the hand to read, None for a problem or a repeated hand."""
        with self._lock:
            if source in self._dropped:
                return None
            self._change()
            place, played = (source, new.line), new.played
            earlier = self._by_place.get(place)
            self._left_out.pop(place, None)
            is_copy = self._is_copy(place, played)
            if new.problem is not None:
                self._left_out[place] = Fate.NO_HAND, refusal(None, new.problem), None, new.problem
            hand_id = "" if played is None else played.history.hand_id
            if earlier is not None:
                goes_on = earlier.hand_id == hand_id != "" or not earlier.is_whole
                if played is None or is_copy or not goes_on:
                    self._forget(earlier)
            if played is None or is_copy:
                return None
            entry = self._by_place.get(place) or Entry(len(self._entries) + 1, place)
            entry.hand_id, entry.is_whole = hand_id, new.is_whole
            self._entries[entry.number] = self._by_place[place] = entry
            return entry

    def _forget(self, entry: Entry) -> None:
        """Hide a hand that is gone from its log; its number is not given again."""
        del self._by_place[entry.place]
        entry.place = _NOWHERE, entry.number
        entry.row, entry.data, entry.revision = None, b"", self._change()

    def _is_copy(self, place: Place, played: Replay | None) -> bool:
        """Take note of the hand at a place; return whether it is shown at another."""
        key = b"" if played is None or self._keep_repeated else hand_key(played.history)
        before = self._keys.pop(place, b"")
        if before and before != key:
            copies = self._copies[before]
            if place != copies[0]:
                copies.remove(place)
            else:  # the logs with another copy read it again
                for source, line in self._copies.pop(before)[1:]:
                    del self._keys[source, line]
                    self.sources[source].forget(line)
                    self.again.add(source)
        if not key:
            return False
        self._keys[place] = key
        copies = self._copies.setdefault(key, [place])
        if place not in copies:
            copies.append(place)
        return copies[0] != place

    def show(self, entry: Entry, row: IndexRow, stage: HandStage) -> None:
        """Show a hand, unless its log was dropped since."""
        with self._lock:
            if entry.place[0] == _NOWHERE:
                return
            entry.row = replace(row, pending=stage is not HandStage.VALUED)
            entry.stage, entry.revision = stage, self._change()

    def leave_out(self, entry: Entry, played: Replay, problem: Problem, in_part: bool) -> None:
        """Record why a hand is not shown, or only ``in_part``."""
        with self._lock:
            if entry.place[0] == _NOWHERE:
                return
            entry.row, entry.revision = entry.row if in_part else None, self._change()
            history, why = replace(played.history, events=()), without_analysis(played, problem)
            fate, words = fate_of(history, [why]), refusal(history, problem)
            self._left_out[entry.place] = fate, words, history, why

    def page_of(self, name: str) -> Entry | None:
        """Return the hand that a page shows; None if there is no such page."""
        match = _PAGE.fullmatch(name)
        if match is None:
            return None
        entry = self.numbered(int(match["number"]))
        return entry if entry is not None and entry.page == name else None

    def numbered(self, number: int) -> Entry | None:
        """Return the hand with a number; None if it is not shown."""
        with self._lock:
            entry = self._entries.get(number)
            return entry if entry is not None and entry.row is not None else None

    def page_in(self, log: Path) -> str:
        """Return the page of a log's first hand, or of a copy's original; empty until read."""
        with self._lock:
            here = {n for n, each in enumerate(self.sources) if each.path == log.absolute()}
            places = [at for at in (*self._keys, *self._by_place) if at[0] in here]
            firsts = (self._copies[self._keys[at]][0] if at in self._keys else at for at in places)
            entries = map(self._by_place.get, firsts)
            return next((each.page for each in entries if each and each.row is not None), "")

    def beside(self, entry: Entry) -> tuple[str, str]:
        """Return the pages before and after the page of a hand; empty at either end."""
        with self._lock:
            shown = [each.number for each in self._shown()]
            at = bisect_left(shown, entry.number)
            beside = [self._entries[n] for n in shown[at - 1 : at] + shown[at + 1 : at + 2]]
            pages = [each.page for each in beside]
            return (pages[0] if at else ""), (pages[-1] if at + 1 < len(shown) else "")

    def _shown(self) -> Iterable[Entry]:
        return (entry for entry in self._entries.values() if entry.row is not None)

    def changed_since(self, revision: int, most: int) -> tuple[list[IndexRow], int]:
        """Return ``most`` rows or fewer that changed after a revision, in order of change.

        Beside them is the revision up to which they are all.
        """
        with self._lock:
            fresh = sorted(
                (entry for entry in self._shown() if entry.revision > revision),
                key=lambda entry: entry.revision,
            )
            upto = self.revision if len(fresh) <= most else fresh[most - 1].revision
            return [entry.row for entry in fresh[:most] if entry.row is not None], upto

    def gone_since(self, revision: int) -> list[int]:
        """Return the numbers of hands that were in a log at a revision, and are gone now."""
        with self._lock:
            gone = (entry for entry in self._entries.values() if entry.place[0] == _NOWHERE)
            return [entry.number for entry in gone if entry.revision > revision]

    def listing(self) -> Listing:
        """Return the present contents of the index."""
        with self._lock:
            rows = [entry.row for entry in self._shown() if entry.row is not None]
            shown = {entry.place for entry in self._shown()}
            stopped = Counter(fate for at, (fate, *_) in self._left_out.items() if at in shown)
            reasons: dict[str, list[str]] = {fate: self._reasons(fate) for fate in Fate}
            repeated = len(self._keys) - len(self._copies)
            counts = replace(self._counts(), repeated=repeated, stopped=stopped)
            return Listing(self._title(), rows, reasons, counts.left_out())

    def _counts(self, source: int | None = None) -> Counts:
        """Return the numbers of hands that are left out, in one log or in all."""
        counts = Counts()
        for at, (*_, history, problem) in self._left_out.items():
            if source in (None, at[0]):
                counts.refuse(history, [problem])
        return counts

    def _reasons(self, *fates: Fate, source: int | None = None) -> list[str]:
        """Return why hands are left out, in one log or in all."""
        hands = sorted(self._left_out.items())
        return [why[1] for at, why in hands if why[0] in fates and source in (None, at[0])]

    def _title(self) -> str:
        sources = [source for n, source in enumerate(self.sources) if n not in self._dropped]
        names = [visible(PurePath(source.name).name or source.name) for source in sources]
        return f"{len(names)} logs" if len(names) > 1 else names[0] if names else "handread"

    def progress(self) -> Progress:
        """Return the progress of the work."""
        with self._lock:
            stages = Counter(entry.stage for entry in self._shown())
            valued = stages[HandStage.VALUED]
            read = valued + stages[HandStage.READ]
            reading = self._reading > 0 or stages[HandStage.READ] > 0
            waits = [*self._unlisted.values()].count(False)
            rest = "more hands follow" if self._unlisted else ""
            rest = f"{waits:,} more {'log waits' if waits == 1 else 'logs wait'}" if waits else rest
            return Progress(stages.total(), read, valued, reading, rest)

    def now(self) -> tuple[int, Listing, Progress]:
        """Return the revision of the listing, the listing, and the progress at the same moment."""
        with self._lock:
            return self.listed, self.listing(), self.progress()
