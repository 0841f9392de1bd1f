"""The analysis of a hand with its outputs, and checks of arguments."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from handread.decisions import hand_values
from handread.game.replay import replay
from handread.game.steps import Replay
from handread.history import History, Problem
from handread.inference import hand_analysis
from handread.lazy import lazily
from handread.report.build import hand_report
from handread.report.html.page import kept_json, page
from handread.report.json import analysis_object
from handread.report.steps import hand_steps
from handread.report.text import plain_report

with lazily():
    import handread.tables.columns as columns

if TYPE_CHECKING:
    import polars as pl


class Analysis(hand_analysis.Analysis):
    """A hand, its replay, and everything inferred from it."""

    __slots__ = ()

    @classmethod
    def of(cls, read: hand_analysis.Analysis) -> Analysis:
        """Return an analysis with the outputs."""
        return cls(*(getattr(read, field.name) for field in fields(read)))

    def to_frame(self, rows: Literal["actions", "stages", "seats"] = "actions") -> pl.DataFrame:
        """Return the analysis as a tidy polars frame.

        Amounts are in minor units, ``p_`` marks probabilities, information is in bits; null means
        unknown.

        Args:
            rows: "actions" gives one row per voluntary action, "stages" one per stage, "seats" one
                per stage and seat, including seats that folded on the street.

        Returns:
            The frame. Its columns are in the tables "actions" and "stages" of ``tabulate``, too.

        >>> read = handread.analyze(handread.read("sample_histories/showdown.stud")[0])
        >>> read.to_frame("stages").select("stage", "pot_minor").row(-1)
        ('7B', 2400)
        """
        return columns.to_frame(self, rows)

    def to_text(self, top: int = 4, width: int = 110) -> str:
        """Return the report of the hand as plain text.

        Args:
            top: Number of kinds of holding listed per seat.
            width: Width of the lines in characters.
        """
        return plain_text(self, top, width)

    def to_html(self, top: int = 4) -> str:
        """Return the page of the hand as one self-contained HTML document, without links.

        Args:
            top: Number of kinds of holding listed per seat.
        """
        return html_page(self, top)

    def to_dict(self, top: int = 4) -> dict[str, Any]:
        """Return the analysis as a JSON object, as ``handread analyze --json`` prints it.

        Args:
            top: Number of likeliest holdings of each pdd.
        """
        return analysis_object(self, top)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class HandValues(hand_values.HandValues):
    """The values of a hand."""

    _hand: hand_analysis.Analysis = field(compare=False)

    @classmethod
    def of(cls, values: hand_values.HandValues, analysis: hand_analysis.Analysis) -> HandValues:
        """Return the values of an analyzed hand with the output."""
        bare = replace(analysis, stages=(), actions=(), observed=())
        return cls(values.decisions, values.ledgers, values.no_ledger, _hand=bare)

    def to_frame(self, rows: Literal["decisions", "ledgers"] = "decisions") -> pl.DataFrame:
        """Return the values as a tidy polars frame.

        Its columns are in the tables "decisions" and "ledgers" of ``score``, too.

        Args:
            rows: "decisions" gives one row per decision, "ledgers" one per player.

        >>> hand = handread.read("sample_histories/showdown.stud")[0]
        >>> values = handread.value_decisions(handread.analyze(hand, policy="people"), "learned")
        >>> values.to_frame().select("n", "street", "action", "best").row(0)
        (3, 3, 'raise', 'raise')
        """
        return columns.values_frame(self._hand, self, rows)


def plain_text(analysis: Analysis, top: int = 4, width: int = 110) -> str:
    """Return the report of a hand as plain text.

    Args:
        analysis: The analysis of the hand.
        top: Number of kinds of holding listed per seat.
        width: Width of the lines in characters.

    Returns:
        The report that ``handread analyze`` prints, without colours.

    >>> hand = handread.read("sample_histories/showdown.stud")[0]
    >>> print(handread.plain_text(handread.analyze(hand)).splitlines()[1])
    seven-card stud · ante 0.25, bring-in 0.25, bets 1.00 and 2.00 · 7 seats
    """
    check_analysis("plain_text", analysis)
    return plain_report(hand_report(analysis, top), width=width)


def html_page(analysis: Analysis, top: int = 4) -> str:
    """Return the page of a hand as one self-contained HTML document, without links.

    Args:
        analysis: The analysis of the hand.
        top: Number of kinds of holding listed per seat.

    Returns:
        The document. It needs no other file and no network.

    >>> hand = handread.read("sample_histories/showdown.stud")[0]
    >>> handread.html_page(handread.analyze(hand)).splitlines()[0]
    '<!doctype html>'
    """
    check_analysis("html_page", analysis)
    report = hand_report(analysis, top)
    return page(report, hand_steps(report, analysis), kept_json(analysis))


def check_analysis(function: str, given: object) -> None:
    """Raise ``TypeError`` with the right call if something is not an analysis."""
    if not isinstance(given, hand_analysis.Analysis):
        played = isinstance(given, (History, Replay))
        right = f": use {function}(handread.analyze(hand))" if played else ""
        raise TypeError(f"{function} needs an analysis, not {type(given).__name__}{right}")


def replayed(hand: History | Replay) -> Replay:
    """Replay a hand; raise ``TypeError`` with the right call if it is something else."""
    if isinstance(hand, Replay):
        return hand
    if isinstance(hand, History):
        return replay(hand)
    given: object = hand
    if isinstance(given, (str, Path)):
        raise TypeError(f"{str(given)!r} is not a hand: take one of handread.read({str(given)!r})")
    if isinstance(given, Problem):
        raise TypeError(f"a Problem is not a hand (handread.read returns hands alone): {given}")
    if isinstance(given, Iterable):
        raise TypeError("one hand is needed, not several: take one, or use analyze_hands")
    raise TypeError(f"{type(given).__name__} is not a hand: take one of handread.read(FILE)")


def replays(hands: Iterable[History | Replay]) -> Iterator[Replay]:
    """Replay hands one by one; raise ``TypeError`` with the right call for other objects."""
    if isinstance(hands, (str, Path)):
        right = f"use handread.read({str(hands)!r})"
        raise TypeError(f"{str(hands)!r} is not a series of hands: {right}")
    if isinstance(hands, (History, Replay)):
        raise TypeError("several hands are needed, not one: put it into a list, as in [hand]")
    return map(replayed, hands)
