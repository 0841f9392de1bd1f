"""Files that show hands: their names, and writing them in parts of a run."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from handread.game.steps import Replay
from handread.inference.readers import Reader, policies_of
from handread.parallel import PART_SIZE, Part
from handread.report.html.page import PageLinks, page, session_page
from handread.report.index import IndexRow
from handread.report.text import plain_report
from handread.report.words import safe_words
from handread.sessions.analyzing import HandView
from handread.sessions.parts import HandParts
from handread.sessions.reading import hand_of
from handread.typed import read_typed, write_typed
from handread.whole_files import write_text_whole

ENDINGS = {"html": ".html", "text": ".txt", "svg": ".svg", "png": ".png", "pdf": ".pdf"}
"""The output formats of a hand, with the endings of their files."""

INDEX = "index.html"

READING = 8
"""Time to analyze a hand, in games; a game takes about 0.03 s."""

ROLLOUT, LEARNED_VALUE = 2 / 3, 4
"""Time to value the decisions of a hand, in games: for each rollout, or by learned values."""

WEIGHTS: Mapping[str, int] = {"html": 2, "text": 4, "svg": 20, "png": 20, "pdf": 60}
"""Time to write an analyzed hand by format, in games."""

PAGE_NAME = re.compile(r"[0-9]{4,}(-[A-Za-z0-9._-]+)?\.html")
"""Names of pages; see ``stem_of``."""


@dataclass(frozen=True, slots=True)
class PageJob:
    """A hand to show, with its number in the session, from 1.

    ``stem`` is the name of its files without the ending, ``made_by`` the command that writes them
    again. ``known`` describes the players by seat, from the hands before. ``previous`` and
    ``following`` name the pages beside it, if any.
    """

    number: int
    stem: str
    played: Replay
    reader: Reader
    made_by: str
    known: Mapping[int, str] = field(default_factory=dict)
    previous: str = ""
    following: str = ""

    @property
    def page(self) -> str:
        """The name of the page."""
        return self.stem + ENDINGS["html"]

    def parts(self, view: HandView) -> HandParts:
        """Return the parts of the hand to show."""
        return HandParts(self.played, self.reader, view, self.made_by, self.known)


@dataclass(frozen=True, slots=True)
class Rendering:
    """Settings of the files of all hands.

    ``view`` is the way to read hands; ``formats`` are keys of ``ENDINGS``. ``output`` is the folder
    of the files, or with ``one_file`` the file of the only hand; the pages link to ``index``.
    """

    view: HandView
    formats: tuple[str, ...]
    output: Path
    one_file: bool
    index: str = ""

    def weight(self, job: PageJob) -> int:
        """Return the time to show a hand, in games."""
        return reading_weight(job.played, job.reader, self.view) + self.writing_weight

    @property
    def writing_weight(self) -> int:
        """Time to show a hand that was read before, in games."""
        return sum(WEIGHTS[kind] for kind in self.formats)

    def file(self, stem: str, kind: str) -> Path:
        """Return the file of a hand in a format."""
        return self.output if self.one_file else self.output / (stem + ENDINGS[kind])


def reading_weight(played: Replay, reader: Reader, view: HandView) -> int:
    """Return the time to read a hand and value its decisions, in games; at most a part of a run."""
    terms, players = view.decisions, policies_of(reader)
    if terms is None or players is None:
        return READING
    rolls = terms.needs_rollouts(players, played.history.variant)
    return min(PART_SIZE, READING + (int(ROLLOUT * terms.rollouts) if rolls else LEARNED_VALUE))


def stem_of(number: int, hand_id: str) -> str:
    """Return the name of a hand's files without an ending: its number, then its id made safe."""
    safe = safe_words(hand_id)
    return f"{number:04d}-{safe}" if safe else f"{number:04d}"


class WrittenHand(NamedTuple):
    """A hand in a part of a run: its row, its findings, and its files with sizes."""

    row: IndexRow
    findings: list[str]
    files: dict[str, int]


def write_part(rendering: Rendering, jobs: Iterable[PageJob], path: Path) -> None:
    """Show some hands; the part keeps the hands for ``kept_hands``."""
    write_typed([_shown(job, rendering) for job in jobs], path)


def kept_hands(part: Part) -> list[WrittenHand]:
    """Return the hands of ``write_part``; raise ``RunError`` for a damaged part."""
    return read_typed(list[WrittenHand], part.file)


def _shown(job: PageJob, rendering: Rendering) -> WrittenHand:
    shown = job.parts(rendering.view)
    files = [(kind, rendering.file(job.stem, kind)) for kind in rendering.formats]
    for kind, path in files:
        _write(kind, shown, PageLinks(rendering.index, job.previous, job.following), path)
    hand = hand_of(shown)
    # The refusal of a refused hand includes its findings.
    findings = [str(problem) for problem in hand.findings] if hand.problem is None else []
    sizes = {path.name: path.stat().st_size for _, path in files}
    return WrittenHand(hand.row(job.number, job.page), findings, sizes)


def _write(kind: str, shown: HandParts, links: PageLinks, path: Path) -> None:
    report, steps = shown.report, shown.steps
    if kind == "html" and links.index:
        write_text_whole(path, session_page(report, steps, links, shown.figures))
    elif kind == "html":
        write_text_whole(path, page(report, steps, shown.json, links, shown.figures))
    elif kind == "text":
        write_text_whole(path, plain_report(report, steps.steps, costs=shown.costs))
    else:
        from handread.report import figures as plots

        if kind == "pdf":
            plots.save_pages(plots.hand_pages(report, steps, shown.ends), path)
        else:
            plots.save(plots.hand_figure(report, steps), path)
