"""What worker processes do with a hand: read it, or make a page of it.

Hands travel, and wait, as compressed bytes.
"""

from __future__ import annotations

import pickle
import zlib
from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from handread.aliases import Aliases
from handread.game.replay import replay
from handread.game.rules import variant_of
from handread.history import History
from handread.inference.readers import Reader
from handread.report.build import hand_report
from handread.report.html.page import PageLinks, fragment, page, session_page
from handread.report.steps import hand_steps
from handread.report.what_if import only_at
from handread.report.words import prize_words
from handread.sessions.analyzing import View, analyzed_hand
from handread.sessions.parts import HandParts
from handread.sessions.reading import ReadHand, read_hand


class Job(NamedTuple):
    """A hand, its reader, and what is known of the players by seat from the hands before."""

    history: History
    reader: Reader
    known: Mapping[int, str]


def packed(job: Job) -> bytes:
    """Return a job as compressed bytes."""
    return zlib.compress(pickle.dumps(job), 1)


def unpacked(data: bytes) -> Job:
    """Return a job from its bytes."""
    job: Job = pickle.loads(zlib.decompress(data))
    return job


def read(view: View, data: bytes) -> ReadHand:
    """Read a hand; of the values only what its row says of them is returned."""
    job = unpacked(data)
    hand = read_hand(replay(job.history), job.reader, view)
    values = None if hand.values is None else hand.values._replace(values=None)
    return replace(hand, values=values)


def hand_page(view: View, data: bytes, links: PageLinks) -> str:
    """Return the page of a hand."""
    shown = _shown(view, unpacked(data))
    return session_page(shown.report, shown.steps, links, shown.figures)


def question_page(view: View, data: bytes, links: PageLinks, moment: int) -> str:
    """Return the page that asks for a decision; nothing of the hand after it is in the page."""
    shown = _shown(view, unpacked(data))
    assert shown.figures is not None
    until = replace(shown.steps, steps=shown.steps.steps[: moment + 1], own_actions=())
    return session_page(shown.report, until, links, only_at(shown.figures, moment), asks=True)


def single_page(view: View, data: bytes, hides: bool) -> str:
    """Return the page of a hand as a file that needs no other; if ``hides``, without its names.

    Where names are hidden the hand is read anew under other names.
    """
    job = unpacked(data)
    if hides:
        aliases = Aliases()
        hidden = aliases.hide(job.history, 1)
        assert isinstance(hidden, History)
        job = Job(hidden, aliases.of_reader(job.reader), {})
        view = replace(view, viewpoint=aliases.of_viewpoint(view.viewpoint))
    shown = _shown(view, job)
    return page(shown.report, shown.steps, shown.json, decision_values=shown.figures)


def _shown(view: View, job: Job) -> HandParts:
    return HandParts(replay(job.history), job.reader, view, known=job.known)


def entered_reads(reader: Reader, view: View, history: History) -> str:
    """Return what the players of a hand that is being entered may hold, as a part of a page."""
    played = replay(history)
    hand = analyzed_hand(played, reader, view)
    if hand.analysis is None:
        message = hand.problem.message if hand.problem and played.streets else ""
        return fragment("new_reads.html", problem=message, steps=())
    report = hand_report(hand.analysis, view.top)
    steps = hand_steps(report, hand.analysis)
    to_win = prize_words(variant_of(history.variant)).to_win
    parts = {"steps": steps.steps, "reads": steps.reads, "report": report, "to_win": to_win}
    return fragment("new_reads.html", problem="", **parts)
