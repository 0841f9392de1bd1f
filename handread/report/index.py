"""A hand in a row of the index of its session.

The rows are plain values, so that the processes that write the pages can hand them over as JSON.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from handread.history import History, Problem
from handread.report.escape import visible
from handread.report.sheets import bits_figure, read_at
from handread.report.value import HandReport, Step, Steps
from handread.report.words import lines_words
from handread.stud import STREET_NAMES


@dataclass(frozen=True, slots=True)
class Highlight:
    """An action that stands out: ``what`` was done and when, and how far in ``words``.

    ``moment`` is its place in ``Steps.steps``.
    """

    what: str
    words: str
    moment: int


@dataclass(frozen=True, slots=True)
class IndexRow:
    """A hand as the index of a session lists it.

    ``number`` counts the hands of the session from 1, ``page`` is the name of the file that shows
    it. ``reached`` is the last street, ``actions`` counts those taken by choice; of those
    ``surprising`` was expected least and ``telling`` told most. ``score`` says how the reads stand
    to the known downcards, not what these are. ``notes`` counts what was found strange, ``refused``
    is why the hand could not be read to its end.
    """

    number: int
    page: str
    title: str
    source: str
    lines: str
    game: str
    players: tuple[str, ...]
    pot: str
    reached: str
    actions: int
    surprising: Highlight | None
    telling: Highlight | None
    score: str
    result: str
    notes: int
    refused: str

    def record(self) -> dict[str, Any]:
        """The row as plain values, for JSON."""
        return asdict(self)

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> IndexRow:
        """The row that ``record`` gave."""
        own = dict(record)
        for name in ("surprising", "telling"):
            own[name] = None if own[name] is None else Highlight(**own[name])
        return cls(**{**own, "players": tuple(own["players"])})


def index_row(report: HandReport, steps: Steps, number: int, page: str) -> IndexRow:
    """The row of a hand that has a page."""
    replay, analysis = report.analysis.replay, report.analysis
    ends = report.result[: len(replay.won)] or report.result[:1]
    return IndexRow(
        number=number,
        page=page,
        title=report.title,
        source=visible(replay.history.source.file),
        lines=lines_words(replay.history.source.line, replay.history.end_line),
        game=report.game,
        players=tuple(report.labels.values()),
        pot=steps.steps[-1].pot if steps.steps else "",
        reached=report.streets[-1].name if report.streets else "",
        actions=len(analysis.actions),
        surprising=_most_surprising(steps.steps),
        telling=_most_telling(steps.steps),
        score=_score_words(report),
        result="; ".join(ends),
        notes=len(report.notes),
        refused="" if analysis.complete else _stop_words(report),
    )


def refusal(history: History | None, problem: Problem) -> str:
    """Why a hand, or a text that is none, has no page, in words."""
    who = "" if history is None or not history.hand_id else f"Hand {history.hand_id}: "
    return visible(f"{who}{problem}")


def _most_surprising(steps: Iterable[Step]) -> Highlight | None:
    """The first of the actions that were least expected."""
    best, found = math.inf, None
    for moment, step in enumerate(steps):
        row = step.action
        if row is None or row.expected.value is None or row.expected.value >= best:
            continue
        best = row.expected.value
        words = "beyond the model"
        if row.surprise is not None:
            words = f"{row.one_in}, {row.surprise.words} bits"
        found = Highlight(_what(step), words, moment)
    return found


def _most_telling(steps: Iterable[Step]) -> Highlight | None:
    """The first of the actions that told most; None where none told anything."""
    best, found = 0.0, None
    for moment, step in enumerate(steps):
        told = None if step.action is None else step.action.told
        if told is not None and told.value is not None and told.value > best:
            best = told.value
            found = Highlight(_what(step), f"{told.words} bits", moment)
    return found


def _what(step: Step) -> str:
    return f"{step.title} on {STREET_NAMES[step.street]} street"


def _score_words(report: HandReport) -> str:
    """How the reads of known downcards did, each at the seat's own last stage of betting.

    Empty where there are none, or all are those of the seat that looks on.
    """
    last: dict[int, float] = {}
    for stage in report.analysis.stages:
        if stage.stage[1] == "B":
            for seat in (*stage.active, *stage.folded):
                truth = read_at(stage, seat).truth
                if truth is not None and truth.live > 1:
                    last[seat] = truth.score_bits
    if not last:
        return ""
    missed = sum(math.isinf(bits) for bits in last.values())
    if missed:
        return f"ruled out what {missed} of {len(last)} held"
    words = bits_figure(sum(last.values()) / len(last), sign=True).words
    return f"{words} bits, mean of {len(last)} players" if len(last) > 1 else f"{words} bits"


def _stop_words(report: HandReport) -> str:
    """What stopped the reading of a hand: its record's fault, else the last of the findings."""
    analysis = report.analysis
    problem = analysis.replay.problem or analysis.problems[-1]
    expected = f" (expected {problem.expected})" if problem.expected else ""
    return visible(f"line {problem.line}: {problem.message}{expected}")
