"""The index of a session: a row for each hand, and the reasons why hands are refused."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from handread.game.rules import STREET_NAMES
from handread.history import History, Problem
from handread.report.values import HandReport, StepPart, Steps
from handread.report.words import bits_words, lines_words, visible


@dataclass(frozen=True, slots=True)
class Highlight:
    """An action that stands out: ``what`` was done and when, and its figure in ``words``.

    ``moment`` is its index in ``Steps.steps``.
    """

    what: str
    words: str
    moment: int


@dataclass(frozen=True, slots=True)
class IndexRow:
    """A hand in the index of a session.

    ``number`` counts the hands of the session from 1, ``page`` is the name of the hand's file.
    ``reached`` is the last street, ``actions`` the number of actions by choice; ``surprising`` is
    the least expected of them, ``telling`` the one that told most. ``score`` compares the reads
    with known downcards, without naming these. ``notes`` is the number of findings, ``refused``
    the reason why the hand could not be read to its end.
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
        """Return the row as JSON values."""
        return asdict(self)

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> IndexRow:
        """Return the row of a ``record``."""
        own = dict(record)
        for name in ("surprising", "telling"):
            own[name] = None if own[name] is None else Highlight(**own[name])
        return cls(**{**own, "players": tuple(own["players"])})


def index_row(report: HandReport, steps: Steps, number: int, page: str) -> IndexRow:
    """Return the row of a hand that has a page."""
    analysis, replay = report.analysis, report.analysis.replay
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
    """Return the reason why a hand, or text that is not a hand, has no page."""
    who = "" if history is None or not history.hand_id else f"Hand {history.hand_id}: "
    return visible(f"{who}{problem}")


def _most_surprising(steps: Iterable[StepPart]) -> Highlight | None:
    """Return the first of the least expected actions."""
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


def _most_telling(steps: Iterable[StepPart]) -> Highlight | None:
    """Return the first of the actions that told most, None where none told anything."""
    best, found = 0.0, None
    for moment, step in enumerate(steps):
        told = None if step.action is None else step.action.information
        if told is not None and told.value is not None and told.value > best:
            best = told.value
            found = Highlight(_what(step), f"{told.words} bits", moment)
    return found


def _what(step: StepPart) -> str:
    return f"{step.title} on {STREET_NAMES[step.street]} street"


def _score_words(report: HandReport) -> str:
    """Return the mean score of the last reads of known downcards.

    Empty where none are known but those of the viewpoint.
    """
    last: dict[int, float] = {}
    for stage in report.analysis.stages:
        if stage.after_bets:
            for seat, read in (*stage.seats.items(), *stage.folded.items()):
                if read.truth is not None and read.truth.live > 1:
                    last[seat] = read.truth.score_bits
    if not last:
        return ""
    missed = sum(math.isinf(bits) for bits in last.values())
    if missed:
        return f"ruled out what {missed} of {len(last)} held"
    words = bits_words(sum(last.values()) / len(last), sign=True)
    return f"{words} bits, mean of {len(last)} players" if len(last) > 1 else f"{words} bits"


def _stop_words(report: HandReport) -> str:
    """Return the problem that stopped the analysis: that of the log, or else the last finding."""
    analysis = report.analysis
    problem = analysis.replay.problem or analysis.problems[-1]
    expected = f" (expected {problem.expected})" if problem.expected else ""
    return visible(f"line {problem.line}: {problem.message}{expected}")
