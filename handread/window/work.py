"""What worker processes do with a hand: read it, value its decisions, make its page.

An analysis takes 20 MB and a tenth of a second, so that it is made anew for each and never kept.
Hands travel, and wait, as compressed bytes.
"""

from __future__ import annotations

import pickle
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from handread.aliases import Aliases
from handread.decisions.terms import DecisionTerms
from handread.game.replay import replay
from handread.game.rules import variant_of
from handread.history import History, Problem
from handread.inference.readers import Reader, cannot_be_read, reader_of_hand
from handread.report.html import PageLinks, fragment, session_page
from handread.report.index import IndexRow, index_row, placed_row
from handread.report.pages import PageJob, Rendering, analyzed, seen_hand, valued_hand
from handread.report.what_if import only_at
from handread.report.words import prize_words


@dataclass(frozen=True, slots=True)
class Look:
    """How all hands are shown: the reader of the first, and the settings of the pages."""

    reader: Reader
    rendering: Rendering

    @property
    def terms(self) -> DecisionTerms | None:
        """How decisions are valued; None if they are not."""
        return self.rendering.decisions


@dataclass(frozen=True, slots=True)
class ReadHand:
    """What came of reading a hand.

    ``row`` is None if nothing can be shown, ``problem`` the reason why it is not read to its end.
    ``members`` are those of ``Analysis``, from which the reader learns.
    """

    row: IndexRow | None
    problem: Problem | None
    members: Mapping[int, npt.NDArray[np.float64]]


def packed(value: object) -> bytes:
    """Return a value as compressed bytes."""
    return zlib.compress(pickle.dumps(value), 1)


def unpacked(data: bytes) -> Any:
    """Return a value, a ``PageJob`` or ``HandDecisions``, from its bytes."""
    return pickle.loads(zlib.decompress(data))


def read_hand(rendering: Rendering, data: bytes) -> ReadHand:
    """Read a hand; its decisions are not valued."""
    job: PageJob = unpacked(data)
    try:
        analysis = analyzed(job, rendering)
    except ValueError as error:  # the viewpoint is not possible for this hand
        return ReadHand(None, job.played.history.problem(0, str(error)), {})
    problem = None if analysis.complete else analysis.problems[-1]
    shown = analysis.complete or analysis.stages
    row = None
    if shown:
        row = placed_row(index_row(analysis), job.played.history, job.number, job.page)
    return ReadHand(row, problem, analysis.members)


def value_hand(rendering: Rendering, data: bytes) -> tuple[IndexRow, bytes]:
    """Value the decisions of a hand; return its row with them, and the values as bytes."""
    job: PageJob = unpacked(data)
    shown = valued_hand(seen_hand(job, rendering), rendering.decisions)
    return shown.row(job), packed(shown.decision_values)


def question_page(
    rendering: Rendering, data: bytes, values: bytes, links: PageLinks, moment: int
) -> str:
    """Return the page that asks for a decision; nothing of the hand after it is in the page."""
    report, steps, *_ = seen_hand(unpacked(data), rendering)
    until = replace(steps, steps=steps.steps[: moment + 1], own_actions=())
    return session_page(report, until, links, only_at(unpacked(values), moment), asks=True)


def hand_page(rendering: Rendering, data: bytes, values: bytes | None, links: PageLinks) -> str:
    """Return the page of a hand, with the values of its decisions if they are there."""
    report, steps, *_ = seen_hand(unpacked(data), rendering)
    return session_page(report, steps, links, None if values is None else unpacked(values))


def single_page(rendering: Rendering, data: bytes, values: bytes | None, hides: bool) -> str:
    """Return the page of a hand as a file that needs no other; if ``hides``, without its names.

    The words of values have names in them: where these are hidden, the values are made again.
    """
    job: PageJob = unpacked(data)
    if not hides:
        known = None if values is None else unpacked(values)
        return seen_hand(job, rendering)._replace(decision_values=known).page(PageLinks())
    aliases = Aliases()
    hidden = aliases.hide(job.played.history, 1)
    assert isinstance(hidden, History)
    job = replace(job, played=replay(hidden), reader=aliases.of_reader(job.reader), known={})
    rendering = replace(rendering, viewpoint=aliases.of_viewpoint(rendering.viewpoint))
    terms = None if values is None else rendering.decisions
    return valued_hand(seen_hand(job, rendering), terms).page(PageLinks())


def entered_reads(look: Look, history: History) -> str:
    """Return what the players of a hand that is being entered may hold, as a part of a page."""
    played = replay(history)
    reader = reader_of_hand(look.reader, history)
    problem = cannot_be_read(played, reader)
    if problem is not None:
        message = problem.message if played.streets else ""
        return fragment("new_reads.html", problem=message, steps=())
    report, steps, *_ = seen_hand(PageJob(1, "", played, reader, ""), look.rendering)
    to_win = prize_words(variant_of(history.variant)).to_win
    parts = {"steps": steps.steps, "reads": steps.reads, "report": report, "to_win": to_win}
    return fragment("new_reads.html", problem="", **parts)
