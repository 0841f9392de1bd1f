"""The pages of the window, made when they are looked at from the templates of ``report``."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from threading import Lock
from types import MappingProxyType

from handread.report.html.page import (
    LivePlace,
    PageLinks,
    columns_key,
    hand_rows,
    index_page,
    mistakes_page,
    player_page,
    shared_files,
    training_page,
)
from handread.report.overview import Overview, costly_decisions, costly_pick, overview
from handread.report.session_players import player_of
from handread.window.library import Entry, Listing
from handread.window.marks import Marks, MarksError
from handread.window.mistakes import asked_for, beside_mistake, is_costly, of_kind
from handread.window.reading import Workshop
from handread.window.sample import Sample
from handread.window.work import hand_page, question_page, single_page

ROWS_AT_ONCE = 250
"""The most rows that are sent in one answer."""

HOME = "./"
"""The address of the index, from every page."""


class Pages:
    """Makes the pages of a workshop's hands, which know whether marks have changed."""

    def __init__(
        self,
        workshop: Workshop,
        marks: Marks,
        sample: Sample | None = None,
        offered: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        """``sample`` is what the hands are, if they are one; ``offered`` are titles by address."""
        self._sample, self._offered = sample, offered
        self._workshop = workshop
        self._marks = marks
        self._library = workshop.library
        self._lock = Lock()
        self._whole: tuple[int, Listing, Overview] | None = None

    def mistakes(self, kind: str) -> str:
        """Return the page of the costly decisions, of one kind or, if it is empty, of all."""
        listing, whole = self._listed()
        dear = costly_decisions(listing.rows)
        return mistakes_page(
            (listing.title, HOME),
            whole.decisions,
            [costly_pick(*item) for item in of_kind(dear, kind)],
            kind,
            self._progress(),
        )

    def training(self) -> str:
        """Return the page on which a training begins and ends."""
        listing, whole = self._listed()
        try:
            learned = self._marks.training()
        except MarksError:
            learned = {}
        asked = asked_for(costly_decisions(listing.rows), learned)
        return training_page((listing.title, HOME), whole.decisions, asked, self._progress())

    async def question(self, name: str, moment: int) -> str | None:
        """Return the page that asks for a costly decision; None if there is none of this name."""
        entry = self._library.page_of(name)
        if entry is None or not is_costly(entry, moment):
            return None
        return await self._workshop.page(entry, question_page, PageLinks(HOME), moment)

    def index(self) -> str:
        """Return the index, without rows: its script fetches them."""
        sample = self._sample if self._sample is not None and self._sample.begun else None
        listing, whole = self._listed()
        place = LivePlace(self._offered, "" if sample is None else sample.words)
        return index_page(*listing, whole, place)

    def _listed(self) -> tuple[Listing, Overview]:
        """Return what the index shows and its summary, made once until it changes."""
        with self._lock:
            revision = self._library.listed
            if self._whole is None or self._whole[0] != revision:
                listing = self._library.listing()
                if self._sample is not None:
                    listing = listing._replace(title=self._sample.title)
                self._whole = revision, listing, overview(listing.rows)
            return self._whole[1:]

    def news(self, since: int, columns: str) -> dict[str, object]:
        """Return what has changed since a revision, for the index with some columns.

        ``reload`` is True if the list has other columns now. ``rows`` are those that are new or
        changed; if ``more``, others are left for the next answer. ``gone`` are numbers of hands,
        ``answers`` say what came of logs that were added.
        """
        library = self._library
        rows = library.listing().rows
        found, upto = library.changed_since(since, ROWS_AT_ONCE)
        reload = columns_key(rows) != columns
        return {
            "revision": since if reload else upto,
            "latest": library.revision,
            "reload": reload,
            "rows": "" if reload else hand_rows(found, rows),
            "more": upto < library.revision,
            "gone": library.gone_since(since),
            "answers": library.answers_since(since),
            "marks": self._marks_revision(),
            "progress": self._progress(),
        }

    def _marks_revision(self) -> int:
        """Return the revision of the marks; -1, which never changes, if they cannot be read."""
        try:
            return self._marks.revision()
        except MarksError:
            return -1

    def _progress(self) -> str:
        """Return how far the work is in a sentence; empty if all is done."""
        found, read, reading = self._library.progress()
        if reading or read < found:
            return f"Reading: {read:,} of {found:,} hands so far."
        return ""

    async def hand(self, name: str, mistake: int | None = None, kind: str = "") -> str | None:
        """Return the page of a hand; None if there is none of this name.

        With the moment of a ``mistake`` it leads to the mistakes before and after, of one ``kind``
        if it is not empty.
        """
        entry = self._library.page_of(name)
        if entry is None:
            return None
        return await self._workshop.page(entry, hand_page, self._links(entry, mistake, kind))

    async def single(self, name: str, hides: bool) -> tuple[str, str] | None:
        """Return the name of a file and the page in it, which needs no other file.

        If it ``hides`` names, neither tells who played. None if there is no hand of this name.
        """
        entry = self._library.page_of(name)
        if entry is None:
            return None
        made = await self._workshop.page(entry, single_page, hides)
        return "hand.html" if hides else name, made

    def _links(self, entry: Entry, mistake: int | None, kind: str) -> PageLinks:
        before, after = self._library.beside(entry)
        name = entry.page
        copy = f"new?hand={name}" if self._sample is None else ""
        links = PageLinks(HOME, before, after, copy=copy, single=f"{name}?file=1")
        if mistake is None:
            return links
        dear = costly_decisions(self._library.listing().rows)
        return beside_mistake(of_kind(dear, kind), links, (name, mistake), kind)

    def player(self, name: str) -> str | None:
        """Return the page of a player; None if there is none of this name."""
        listing, whole = self._listed()
        found = next((line for line in whole.players.pages if line.page == name), None)
        if found is None and name.startswith("player-"):
            found = player_of(listing.rows, name)
        return None if found is None else player_page(listing.title, HOME, found, listing.rows)

    def file(self, name: str) -> str | None:
        """Return a file that pages load; None if there is none of this name."""
        for files in (shared_files(), shared_files(True), shared_files(True, True)):
            if name in files:
                return files[name]
        return None


def from_home(folder: Path) -> str:
    """Return a folder as its user knows it: "~/logs"."""
    with suppress(RuntimeError, ValueError):  # there is no home, or it is elsewhere
        return str(Path("~", folder.relative_to(Path.home())))
    return str(folder)
