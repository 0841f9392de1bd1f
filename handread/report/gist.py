"""The gist of a hand in two or three lines: the probable holdings, the play that gave away most."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from handread.game.rules import STREET_NAMES
from handread.inference.hand import Analysis
from handread.inference.values import SeatRead
from handread.report.families import family_lines, informative_families
from handread.report.honesty import LIE_BITS, told_truth
from handread.report.sentences import NOTHING, expected_words
from handread.report.values import HandReport
from handread.report.words import action_figures

MOST_PLAYERS = 4
"""The largest number of players whose holdings are named."""

MOST_TRUTHS = 3
"""The largest number of sentences on the truth of bets."""


def hand_gist(report: HandReport) -> tuple[tuple[str, str], ...]:
    """Return the gist of a hand as labels with sentences, as far as the hand was read.

    They say what the last players probably held, which action gave away most and, where
    downcards are known, if the bets told the truth.
    """
    analysis = report.analysis
    if not analysis.actions:
        return ()
    last = _last_reads(analysis)
    truths = list(_truths(analysis, list(last)))
    gist = (
        ("Probably", _held(report, last)),
        ("Gave away most", _told_most(report)),
        ("In truth", " ".join(truths)),
    )
    return tuple((label, words) for label, words in gist if words)


def _last_reads(analysis: Analysis) -> dict[int, SeatRead]:
    """Return the reads of the players in at the last betting, those who folded in it last.

    Of these only the last player who folded, where they left a single one.
    """
    stages = [stage for stage in analysis.stages if stage.after_bets] or analysis.stages[-1:]
    stage = stages[-1]
    found = dict(stage.seats)
    if len(found) == 1:
        folds = [a.decision.seat for a in analysis.actions if a.decision.action == "fold"]
        found |= {seat: stage.folded[seat] for seat in folds[-1:] if seat in stage.folded}
    return found


def _held(report: HandReport, reads: dict[int, SeatRead]) -> str:
    """Return the probable holdings of the players whose downcards the viewpoint does not know."""
    unknown = [read for read in reads.values() if read.live > 1]
    if not unknown:
        return ""
    held = [
        f"{report.spoken[read.seat]}: "
        f"{', '.join(line.words for line in informative_families(lines))}"
        for read in unknown
        if (lines := family_lines(read))
    ]
    more = len(held) - MOST_PLAYERS
    listed = "; ".join(held[:MOST_PLAYERS])
    others = f" (and {more} more)" if more > 0 else ""
    return f"{listed}{others} (by the cards alone → after the bets)"


def _told_most(report: HandReport) -> str:
    """Return the action that gave away most about downcards, to those who do not know them."""
    analysis = report.analysis
    told = [
        action
        for action in analysis.actions
        if action.decision.action != "fold" and action.explained
    ]
    if not told:
        return ""
    most = max(told, key=lambda action: action.table_bits)
    if 1.0 - 2.0**-most.table_bits < NOTHING:
        return "Every action told next to nothing."
    most = replace(most, information_bits=most.table_bits)
    row = action_figures(most, analysis.replay)
    street = STREET_NAMES[most.decision.street]
    who = report.spoken[most.decision.seat]
    return f"{who[0].upper()}{who[1:]} {row.words} on {street} street. {expected_words(most, row)}"


def _truths(analysis: Analysis, last: list[int]) -> Iterator[str]:
    """Yield sentences on the bets of the last players, and on earlier ones that lied."""
    bits: dict[int, float] = {}
    for action in analysis.actions:
        seat = action.decision.seat
        bits[seat] = bits.get(seat, 0.0) + (action.table_truth_bits or 0.0)
    liars = sorted(
        (seat for seat in bits if seat not in last and bits[seat] <= -LIE_BITS),
        key=bits.__getitem__,
    )
    found = [told for seat in (*last, *liars) if (told := told_truth(analysis, seat))]
    yield from found[:MOST_TRUTHS]
