"""The pages of the window, made from the templates of ``report`` when they are opened."""

from collections.abc import Collection, Mapping
from contextlib import suppress
from pathlib import Path
from threading import Lock
from types import MappingProxyType

import handread.report.html.page as html
from handread.game.rules import variant_of
from handread.opponents.records import PlayerRecord
from handread.report.html.environment import embedded
from handread.report.overview import Overview, costly_decisions, costly_pick, overview
from handread.report.palette import COLOURS
from handread.report.players import known_before
from handread.report.session_players import mark_key, page_name, player_of, players_of, rows_before
from handread.window.library import Entry, Listing, Progress
from handread.window.marks import NEVER, Mark, Marks, MarksError
from handread.window.mistakes import asked_for, beside_mistake, of_kind, questions
from handread.window.reading import Workshop
from handread.window.sample import SampleSession
from handread.window.work import hand_page, question, single_page

ROWS_AT_ONCE = 2_000
"""The most rows that are sent in one answer: they take .8 s and 3 MB."""

HOME = "./"
"""The address of the index, from every page."""


class Pages:
    """Makes the pages of a workshop's hands, and notices changed marks."""

    def __init__(
        self,
        workshop: Workshop,
        marks: Marks,
        sample: SampleSession | None = None,
        offered: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        """``sample`` describes the hands of a sample; ``offered`` are titles by address."""
        self._sample, self._offered = sample, offered
        self._workshop = workshop
        self._marks = marks
        self._library = workshop.library
        self._lock = Lock()
        self._whole: tuple[int, Listing, Overview] | None = None

    def mistakes(self, kind: str) -> str:
        """Return the page of the costly decisions, of one ``kind`` or, if empty, of all."""
        listing, whole, far = self._listed()
        panel, dear = whole.decisions, of_kind(costly_decisions(listing.rows), kind)
        return html.session_rendered(
            "mistakes.html",
            title="The most expensive decisions" if panel is None else panel.all_title,
            links=(listing.title, HOME),
            panel=panel,
            dear=[costly_pick(*item) for item in dear],
            costly_kinds=() if panel is None else panel.costly_kinds,
            kind=kind,
            progress=far.words,
        )

    def training(self) -> str:
        """Return the page for the beginning and the end of practice."""
        here = self._begun_sample()
        listing, _, far = self._listed()
        try:
            learned, score = self._marks.training(), self._marks.score()
        except MarksError:
            learned, score = {}, []
        up = "" if here is None else "../"
        sources = [(f"{up}train", "Your own logs", here is None)]
        for name, title in self._offered.items():
            sources.append((f"{up}{name}/train", title, here is not None and here.name == name))
        asked = asked_for(listing.rows, learned)
        return html.session_rendered(
            "training.html",
            ("sitting.js", "training.js"),
            ("session.css", "train.css"),
            title="Practice",
            links=(listing.title, HOME),
            sources=sources,
            asked=asked,
            data=embedded(asked),
            score=score,
            progress=far.words,
            connects=True,
        )

    def asked(self, *place: object) -> tuple[str, Entry] | None:
        """Return the id and the hand of a question, given as the first three of ``Question``."""
        entry = self._library.numbered(place[0]) if isinstance(place[0], int) else None
        if entry is None or entry.row is None:
            return None
        keys = (key for key, which in questions(entry.row).items() if which[:3] == place)
        return next(((key, entry) for key in keys), None)

    async def question(self, answers: bool, *place: object) -> str | None:
        """Return the page of a question, or its answer as JSON; None for an unknown question.

        The page is empty if the check of an estimate leaves the answer open.
        """
        asked = self.asked(*place)
        if asked is None:
            return None
        entry = asked[1]
        return await self._workshop.page(entry, question, *place[1:], entry.page if answers else "")

    def index(self, chosen: Collection[int] | None = None) -> str:
        """Return the index without rows: its script fetches them; ``chosen`` limits the summary."""
        sample = self._begun_sample()
        listing, whole, far = self._listed()
        place = html.LivePlace(self._offered, "")
        if sample is not None:
            place = html.LivePlace({}, sample.words)
        if far.reading:
            place = place._replace(read=far.read, valued=far.valued, found=far.found)
            place = place._replace(rest=far.rest, progress=far.words)
        if chosen is not None:
            place = place._replace(all_hands=len(listing.rows))
            listing = listing._replace(rows=[row for row in listing.rows if row.number in chosen])
            whole = overview(listing.rows)
        return html.index_page(*listing, whole, place)

    def _begun_sample(self) -> SampleSession | None:
        return self._sample if self._sample is not None and self._sample.begun else None

    def _listed(self) -> tuple[Listing, Overview, Progress]:
        """Return what the index shows, its summary and the progress, all of the same moment."""
        with self._lock:
            revision, listing, far = self._library.now()
            if self._whole is None or self._whole[0] != revision:
                if self._sample is not None:
                    listing = listing._replace(title=self._sample.title)
                self._whole = revision, listing, overview(listing.rows)
            return *self._whole[1:], far

    def news(self, since: int, columns: str, seen: int = 0) -> dict[str, object]:
        """Return the changes since a revision, for the index with some columns.

        ``reload`` is True if the list has other columns now. ``rows`` are new or changed; with
        ``more``, others are left for the next answer. ``gone`` are numbers of hands, ``answers``
        the news of added logs after the last that was ``seen``.
        """
        library = self._library
        rows = library.listing().rows
        changed, upto = library.changed_since(since, ROWS_AT_ONCE)
        reload = html.columns_key(rows) != columns
        return {
            "revision": since if reload else upto,
            "latest": library.revision,
            "reload": reload,
            "rows": "" if reload else html.hand_rows(changed, rows),
            "more": len(changed) == ROWS_AT_ONCE,
            "gone": library.gone_since(since),
            "answers": library.answers_since(seen),
            "marks": self._marks_since(NEVER)[0],
            "progress": library.progress().words,
        }

    def _marks_since(self, revision: int = 0) -> tuple[int, list[Mark]]:
        """Return ``Marks.since``; -1, which never changes, and no marks if they are unreadable."""
        try:
            return self._marks.since(revision)
        except MarksError:
            return -1, []

    async def hand(self, name: str, mistake: int | None = None, kind: str = "") -> str | None:
        """Return the page of a hand; None for an unknown name.

        With the moment of a ``mistake`` it leads to the mistakes around it, of one ``kind`` if any.
        """
        entry = self._library.page_of(name)
        if entry is None:
            return None
        links = self._links(entry, mistake, kind)
        return await self._workshop.page(entry, hand_page, links, self._known(entry))

    async def single(self, name: str, hides: bool) -> tuple[str, str] | None:
        """Return a file name and a self-contained page, both without names if it ``hides`` them.

        None for an unknown name.
        """
        entry = self._library.page_of(name)
        if entry is None:
            return None
        made = await self._workshop.page(entry, single_page, self._known(entry), hides)
        return "hand.html" if hides else name, made

    def _known(self, entry: Entry) -> dict[int, str]:
        """Return notes on a hand's players by seat, from all hands before it."""
        row = entry.row
        if row is None:
            return {}
        earlier = rows_before(self._library.listing().rows, row)
        return known_before(players_of(earlier), row.plays, row.variant)

    def _players(self, entry: Entry) -> dict[int, html.PlayerLink]:
        """Return the pages of a hand's players by seat, and the user's notes on them."""
        row, marks = entry.row, {mark.key: mark for mark in self._marks_since()[1]}
        links: dict[int, html.PlayerLink] = {}
        if row is None:
            return links
        for play in row.plays:
            if play.name:
                mark = marks.get(mark_key(play.name))
                links[play.seat] = html.PlayerLink(
                    page_name(PlayerRecord(play.name, variant_of(row.variant))),
                    note="" if mark is None else mark.note,
                    colour=next((tag for tag in mark.tags if tag in COLOURS), "") if mark else "",
                )
        return links

    def _links(self, entry: Entry, mistake: int | None, kind: str) -> html.PageLinks:
        before, after = self._library.beside(entry)
        name = entry.page
        copy = f"new?hand={name}" if self._sample is None else ""
        links = html.PageLinks(
            HOME, before, after, copy=copy, single=f"{name}?file=1", players=self._players(entry)
        )
        if mistake is None:
            return links
        dear = costly_decisions(self._library.listing().rows)
        return beside_mistake(of_kind(dear, kind), links, (name, mistake), kind)

    def player(self, name: str) -> str | None:
        """Return the page of a player; None for an unknown name."""
        listing, whole, _ = self._listed()
        player = next((line for line in whole.players.pages if line.page == name), None)
        if player is None and name.startswith("player-"):
            player = player_of(listing.rows, name)
        if player is None:
            return None
        return html.player_page(listing.title, HOME, player, listing.rows, live=True)

    def file(self, name: str) -> str | None:
        """Return a file that pages load; None for an unknown name."""
        files = {**html.shared_files(), **html.shared_files(True), **html.shared_files(True, True)}
        return files.get(name)


def from_home(folder: Path) -> str:
    """Return a folder as its user knows it: "~/logs"."""
    with suppress(RuntimeError, ValueError):  # there is no home, or it is elsewhere
        return str(Path("~", folder.relative_to(Path.home())))
    return str(folder)
