"""The hands of all logs that were given, as far as they are read: what the pages show."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from threading import RLock
from time import monotonic
from typing import NamedTuple

from handread.game.replay import without_analysis
from handread.game.steps import Replay
from handread.history import History, Problem, hand_key
from handread.report.index import IndexRow, refusal
from handread.report.tables import hands_words
from handread.report.words import visible
from handread.sessions.counts import Fate, fate_of
from handread.sessions.growing import Found, Source
from handread.sessions.pages import ENDINGS, stem_of

_PAGE = re.compile(r"(?P<stem>(?P<number>[0-9]{1,9})(-.*)?)\.html")

Place = tuple[int, int]
"""The number of a source, and a line of it."""


def _were(n: int) -> str:
    """Return what is said of n hands that came before."""
    return f"{'was' if n == 1 else 'were'} here before"


_NOWHERE = -1
"""Stands for the source of hands that are gone."""


@dataclass(slots=True)
class Entry:
    """A hand of the session, read or still to be read.

    Attributes:
        number: Its number in the session, from 1.
        place: Where it stands.
        hand_id: Its id in the log.
        is_whole: As in ``Found``.
        data: Its ``work.Job`` as bytes.
        row: Its row; None until it is read.
        revision: The revision of the library when it last changed.
    """

    number: int
    place: Place
    hand_id: str = ""
    is_whole: bool = True
    data: bytes = b""
    row: IndexRow | None = None
    revision: int = 0

    @property
    def stem(self) -> str:
        """The name of its page without the ending."""
        return stem_of(self.number, self.hand_id)

    @property
    def page(self) -> str:
        """The name of its page."""
        return self.stem + ENDINGS["html"]

    def becomes(self, found: Found) -> None:
        """Take over what its log says now; the hand itself is not kept, only its job will be."""
        assert isinstance(found.reading, History)
        self.hand_id, self.is_whole = found.reading.hand_id, found.is_whole

    def is_continued_by(self, found: Found) -> bool:
        """Return whether what is new at its line is a longer version of it."""
        assert isinstance(found.reading, History)
        return self.hand_id == found.reading.hand_id != "" or not self.is_whole


class Progress(NamedTuple):
    """How far the work is: numbers of hands, and whether a log is being read."""

    found: int
    read: int
    reading: bool


ANSWER_SECONDS = 30.0
"""How long a new page shows what came of logs that were added."""


class Tally(NamedTuple):
    """How many hands of a log there are."""

    there: int  # of games that are read
    copies: int  # that are shown from another log
    others: Counter[str]  # of games that are not read, by game
    refused: tuple[str, ...]  # what is wrong with other text

    def news(self, before: Tally) -> str:
        """Return what came of a log that was added, in words; empty if it holds no hand."""
        same, new = self.copies + before.there, self.there - before.there
        words = [f"{hands_words(new)} added"] if new else []
        if same:
            all_same = not new and not self.others
            words.append(f"{'all ' * (all_same and same > 1)}{hands_words(same)} {_were(same)}")
        words += [
            f"{hands_words(n)} of {game}, which is not read" for game, n in self.others.items()
        ]
        if self.refused:
            more = len(self.refused) - 1
            words.append(f"refused: {self.refused[0]}" + f" (and {more:,} more)" * (more > 0))
        return "; ".join(words)


class KeptLog(NamedTuple):
    """A log that is shown."""

    number: int
    source: Source
    hands: int  # how many hands of it are shown


class Listing(NamedTuple):
    """What an index shows; the fields are the first arguments of ``index_page``."""

    title: str
    rows: Sequence[IndexRow]
    refused: Sequence[str]
    others: Mapping[str, int]
    unanalyzed: Sequence[str]
    repeated: int


class Library:
    """Holds hands; any thread may ask.

    Attributes:
        revision: Grows with every change.
        listed: The revision at which ``listing`` last changed.
        again: The numbers of logs to read again: they hold copies of hands that are gone elsewhere.
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
        self._refused: dict[Place, str] = {}
        self._unanalyzed: dict[Place, str] = {}
        self._others: dict[Place, str] = {}
        self._gone: set[int] = set()
        self._sources: list[Source] = []
        self._dropped: set[int] = set()
        self._answers: list[tuple[int, float, str]] = []
        self._reading = 0

    def add_source(self, source: Source) -> int:
        """Add a log; return its number."""
        with self._lock:
            self._sources.append(source)
            self._change()
            return len(self._sources) - 1

    def reads(self, by: int) -> None:
        """Count logs that wait to be read, or with -1 one that has been."""
        with self._lock:
            self._reading += by
            self.revision += 1

    def tally(self, source: int) -> Tally:
        """Return how many hands of a log there are now."""
        with self._lock:
            own = [entry for entry in self._by_place.values() if entry.place[0] == source]
            others = Counter(name for (at, _), name in self._others.items() if at == source)
            copies = sum(
                at[0] == source and self._copies[key][0] != at for at, key in self._keys.items()
            )
            refused = [self._refused[at] for at in sorted(self._refused) if at[0] == source]
            return Tally(len(own) - others.total(), copies, others, tuple(refused))

    def answer(self, text: str) -> None:
        """Say what came of a log that was added."""
        with self._lock:
            self.revision += 1
            self._answers.append((self.revision, monotonic(), text))

    def answers_since(self, revision: int) -> list[str]:
        """Return what was said after a revision of logs that were added.

        A page that is new, with revision 0, shows the last answers: hands may have made it anew.
        """
        now = monotonic()
        with self._lock:
            return [
                text
                for at, when, text in self._answers
                if at > revision and (revision or now - when < ANSWER_SECONDS)
            ]

    def logs(self) -> list[KeptLog]:
        """Return the logs that are shown, as they were added."""
        with self._lock:
            hands = Counter(one.place[0] for one in self._by_place.values() if one.row is not None)
            sources = enumerate(self._sources)
            return [KeptLog(n, one, hands[n]) for n, one in sources if n not in self._dropped]

    def drop(self, source: int) -> None:
        """Show nothing more of a log."""
        with self._lock:
            self._dropped.add(source)
            for place in [one for one in self._keys if one[0] == source]:
                self._is_copy(place, None)
            for entry in [one for one in self._by_place.values() if one.place[0] == source]:
                self._forget(entry)
            for notes in (self._refused, self._unanalyzed, self._others):
                for place in [one for one in notes if one[0] == source]:
                    del notes[place]
            self._change()

    def _change(self) -> int:
        self.revision += 1
        self.listed = self.revision
        return self.revision

    # What is read

    def take(self, source: int, found: Found) -> tuple[Entry, bool] | None:
        """Take in what is new in a log.

        Returns:
            A hand to read, and whether it is new, not a longer version of one; None for a problem,
            and for a hand that came before.
        """
        with self._lock:
            if source in self._dropped:
                return None
            self._change()
            place = source, found.line
            earlier = self._by_place.get(place)
            for notes in (self._refused, self._unanalyzed, self._others):
                notes.pop(place, None)
            played, is_copy = found.played, self._is_copy(place, found.played)
            if earlier and (played is None or is_copy or not earlier.is_continued_by(found)):
                self._forget(earlier)
            if played is None and isinstance(found.reading, Problem):
                self._refused[place] = refusal(None, found.reading)
            if played is None or is_copy:
                return None
            if earlier is not None and place in self._by_place:
                earlier.becomes(found)
                return earlier, False
            entry = Entry(len(self._entries) + 1, place)
            entry.becomes(found)
            self._entries[entry.number] = self._by_place[place] = entry
            return entry, True

    def _forget(self, entry: Entry) -> None:
        """Show a hand no longer that is gone from its log; its number is not given again."""
        del self._by_place[entry.place]
        self._gone.add(entry.number)
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
            else:  # those who hold another copy read it again
                for source, line in self._copies.pop(before)[1:]:
                    del self._keys[source, line]
                    self._sources[source].forget(line)
                    self.again.add(source)
        if not key:
            return False
        self._keys[place] = key
        copies = self._copies.setdefault(key, [place])
        if place not in copies:
            copies.append(place)
        return copies[0] != place

    def show(self, entry: Entry, row: IndexRow) -> None:
        """Show a hand that was read, unless its log was dropped since."""
        with self._lock:
            if entry.place[0] == _NOWHERE:
                return
            entry.row, entry.revision = row, self._change()

    def leave_out(self, entry: Entry, played: Replay, problem: Problem) -> None:
        """Say why a hand is not shown."""
        with self._lock:
            if entry.place[0] == _NOWHERE:
                return
            entry.row, entry.revision = None, self._change()
            history = played.history
            fate = fate_of(history, [without_analysis(played, problem)])
            if fate is Fate.OTHER_GAME:
                self._others[entry.place] = history.game_name
            else:
                reasons = self._refused if fate is Fate.REFUSED else self._unanalyzed
                reasons[entry.place] = refusal(history, problem)

    # What is shown

    def page_of(self, name: str) -> Entry | None:
        """Return the hand that a page shows; None if there is no such page."""
        found = _PAGE.fullmatch(name)
        if found is None:
            return None
        with self._lock:
            entry = self._entries.get(int(found["number"]))
            shown = entry is not None and entry.row is not None and entry.stem == found["stem"]
            return entry if shown else None

    def beside(self, entry: Entry) -> tuple[str, str]:
        """Return the pages before and after the page of a hand; empty where there is none."""
        with self._lock:
            shown = [one.number for one in self._shown()]
            at = bisect_left(shown, entry.number)
            beside = [self._entries[n] for n in shown[at - 1 : at] + shown[at + 1 : at + 2]]
            pages = [one.page for one in beside]
            return (pages[0] if at else ""), (pages[-1] if at + 1 < len(shown) else "")

    def _shown(self) -> Iterable[Entry]:
        return (entry for entry in self._entries.values() if entry.row is not None)

    def changed_since(self, revision: int, most: int) -> tuple[list[IndexRow], int]:
        """Return rows that are newer than a revision, and the revision up to which they are all.

        There are at most ``most``; those that changed first come first.
        """
        with self._lock:
            fresh = sorted(
                (one for one in self._shown() if one.revision > revision),
                key=lambda one: one.revision,
            )
            upto = self.revision if len(fresh) <= most else fresh[most - 1].revision
            return [one.row for one in fresh[:most] if one.row is not None], upto

    def gone_since(self, revision: int) -> list[int]:
        """Return the numbers of hands that were in a log at a revision, and are no longer."""
        with self._lock:
            return [n for n in sorted(self._gone) if self._entries[n].revision > revision]

    def listing(self) -> Listing:
        """Return what the index shows now."""
        with self._lock:
            return Listing(
                title=self._title(),
                rows=[entry.row for entry in self._shown() if entry.row is not None],
                refused=[self._refused[place] for place in sorted(self._refused)],
                others=Counter(self._others.values()),
                unanalyzed=[self._unanalyzed[place] for place in sorted(self._unanalyzed)],
                repeated=len(self._keys) - len(self._copies),
            )

    def _title(self) -> str:
        sources = [one for n, one in enumerate(self._sources) if n not in self._dropped]
        names = [visible(PurePath(source.name).name or source.name) for source in sources]
        return f"{len(names)} logs" if len(names) > 1 else names[0] if names else "handread"

    def progress(self) -> Progress:
        """Return how far the work is."""
        with self._lock:
            done = sum(len(one) for one in (self._refused, self._unanalyzed, self._others))
            done += sum(1 for _ in self._shown())
            found = len(self._entries) - len(self._gone)
            return Progress(found, min(found, done), self._reading > 0)
