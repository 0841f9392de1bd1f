"""The work of processes on a hand: read it, or make a page. Hands travel as compressed bytes."""

import pickle
import zlib
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import NamedTuple

from handread.aliases import Aliases
from handread.decisions.hand_values import HandValues
from handread.decisions.terms import ROLLOUTS, ValuedHand
from handread.game.replay import replay
from handread.game.rules import variant_of
from handread.history import History
from handread.inference.readers import Reader, policies_of
from handread.inference.timeline import END
from handread.report.build import hand_report
from handread.report.html.page import PageLinks, fragment, page, session_page
from handread.report.html.practice import answer_json, question_page
from handread.report.steps import hand_steps
from handread.report.what_if import basis, options_now
from handread.report.words import prize_words
from handread.sessions.analyzing import HandView, analyzed_hand
from handread.sessions.parts import HandParts
from handread.sessions.reading import ReadHand, read_hand


class Job(NamedTuple):
    """A hand and its reader."""

    history: History
    reader: Reader


def packed(job: Job) -> bytes:
    """Return a job as compressed bytes."""
    return zlib.compress(pickle.dumps(job), 1)


def unpacked(data: bytes) -> Job:
    """Return a job from its bytes."""
    job: Job = pickle.loads(zlib.decompress(data))
    return job


def read(view: HandView, data: bytes) -> ReadHand:
    """Read a hand; of the values only those in its row are returned."""
    job = unpacked(data)
    hand = read_hand(replay(job.history), job.reader, view)
    values = None if hand.values is None else hand.values._replace(values=None)
    return replace(hand, values=values)


def hand_page(view: HandView, data: bytes, links: PageLinks, known: Mapping[int, str]) -> str:
    """Return the page of a hand; ``known`` are notes on the players by seat from earlier hands."""
    shown = _shown(view, unpacked(data), known)
    return session_page(shown.report, shown.steps, links, shown.figures)


def question(view: HandView, data: bytes, moment: int, seat: int, of_hand: str = "") -> str:
    """Return the page that asks for a seat's holding after a moment or, with 0, for an action.

    It is empty if no action is certainly the best. If ``of_hand``, the name of the page of the
    hand, is given, return the answer instead, as JSON.
    """
    shown = _shown(view, unpacked(data))
    decision = None if seat else next(iter(shown.checked(moment).by_moment), None)
    if not seat and decision is None:
        return ""
    seen = shown.steps.steps[: moment + bool(seat or of_hand)]
    until = replace(shown.steps, steps=tuple(step for step in seen if step.kind != END))
    if of_hand:
        return answer_json(shown.report, until, decision, of_hand)
    return question_page(shown.report, until, seat, decision)


def single_page(view: HandView, data: bytes, known: Mapping[int, str], hides: bool) -> str:
    """Return the page of a hand as a file that needs no other; if ``hides``, without its names.

    Where names are hidden the hand is read anew under other names, and nothing is ``known``.
    """
    job = unpacked(data)
    if hides:
        aliases = Aliases()
        hidden = aliases.hide(job.history, 1)
        assert isinstance(hidden, History)
        job, known = Job(hidden, aliases.of_reader(job.reader)), {}
        view = replace(view, viewpoint=aliases.of_viewpoint(view.viewpoint))
    shown = _shown(view, job, known)
    return page(shown.report, shown.steps, shown.json, decision_values=shown.figures)


def _shown(view: HandView, job: Job, known: Mapping[int, str] = MappingProxyType({})) -> HandParts:
    return HandParts(replay(job.history), job.reader, view, known=known)


def entered_reads(reader: Reader, view: HandView, history: History) -> str:
    """Return the possible holdings in a hand that is being entered, as a part of a page."""
    played = replay(history)
    hand = analyzed_hand(played, reader, view)
    if hand.analysis is None:
        message = hand.problem.message if hand.problem and played.streets else ""
        return fragment("new_reads.html", problem=message, steps=())
    report = hand_report(hand.analysis, view.top)
    steps = hand_steps(report, hand.analysis)
    to_win = prize_words(variant_of(history.variant)).to_win
    moments = [
        step for step in steps.steps if step.kind != END
    ]  # the showdown is still to be entered
    parts = {"steps": moments, "reads": steps.reads, "report": report, "to_win": to_win}
    return fragment("new_reads.html", problem="", **parts)


def entered_values(reader: Reader, view: HandView, asked: History) -> str:
    """Return the values of the last decision's actions, whichever was taken, as a part of a page.

    It is empty if no value is known.
    """
    analysis = analyzed_hand(replay(asked), reader, view).analysis
    if analysis is None or not analysis.complete or view.decisions is None:
        return ""
    if policies_of(analysis.reader) is None:
        return ""
    terms = replace(view.decisions, way=ROLLOUTS, check=None)
    spot = analysis.replay.decisions[-1]
    value = terms.played_on(analysis, {spot.n}, {spot.seat}).get(spot.n)
    if value is None:
        return fragment("new_values.html", found=None)
    valued = ValuedHand(analysis, HandValues((value,)), terms)
    return fragment(
        "new_values.html", found=value, options=options_now(valued), basis=basis(valued)
    )
