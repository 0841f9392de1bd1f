"""The gist of a hand in two or three lines: probable holdings, and the most revealing play."""

from collections.abc import Collection, Mapping
from dataclasses import replace

from handread.game.rules import STREET_NAMES
from handread.inference.hand_analysis import Analysis
from handread.inference.stages import SeatRead
from handread.report.families import family_lines, informative_families
from handread.report.honesty import LIE_BITS
from handread.report.sentences import LITTLE, expected_words, told_words
from handread.report.words import action_figures

MOST_PLAYERS = 4
"""The largest number of players whose holdings are named."""

MOST_TRUTHS = 3
"""The largest number of sentences on the honesty of bets."""


def hand_gist(
    analysis: Analysis, spoken: Mapping[int, str], truths: Mapping[int, str]
) -> tuple[tuple[str, str], ...]:
    """Return the gist of a hand, or of the part that was read, as labels with sentences.

    They give the last players' probable holdings, the most revealing action and, with known
    downcards, the honesty of the bets (``truths`` by seat, of ``honesty.honesty_sentence``).
    """
    if not analysis.actions:
        return ()
    last = _last_reads(analysis)
    on_truth = [truths[seat] for seat in (*last, *_misleading(analysis, last)) if truths[seat]]
    gist = (
        ("Probably", _probable_words(spoken, last)),
        ("Gave away most", _revealing_words(analysis, spoken)),
        ("In truth", " ".join(on_truth[:MOST_TRUTHS])),
    )
    return tuple((label, words) for label, words in gist if words)


def _last_reads(analysis: Analysis) -> dict[int, SeatRead]:
    """Return the last read of each player who was still in at the last bets.

    If one player was left, the last player who folded comes second.
    """
    stages = [stage for stage in analysis.stages if stage.after_bets] or analysis.stages[-1:]
    stage = stages[-1]
    reads = dict(stage.seats)
    if len(reads) == 1:
        folds = [a.decision.seat for a in analysis.actions if a.decision.action == "fold"]
        reads |= {seat: stage.folded[seat] for seat in folds[-1:] if seat in stage.folded}
    return reads


def _probable_words(spoken: Mapping[int, str], reads: Mapping[int, SeatRead]) -> str:
    """Return the likeliest holdings of the players whose downcards the viewer does not know."""
    unknown = [read for read in reads.values() if read.live > 1]
    if not unknown:
        return ""
    holdings = [
        f"{spoken[read.seat]}: {', '.join(line.words for line in informative_families(lines))}"
        for read in unknown
        if (lines := family_lines(read))
    ]
    more = len(holdings) - MOST_PLAYERS
    others = f" (and {more} more)" if more > 0 else ""
    return f"{'; '.join(holdings[:MOST_PLAYERS])}{others} (by the cards alone → after the bets)"


def _revealing_words(analysis: Analysis, spoken: Mapping[int, str]) -> str:
    """Return the action that revealed most to players without the downcards."""
    actions = [a for a in analysis.actions if a.explained and a.decision.action != "fold"]
    if not actions:
        return ""
    most = max(actions, key=lambda action: action.table_bits)
    if told_words(most.table_bits) == LITTLE:
        return "No action said much."
    # The sentence is about the table, whatever the viewpoint of the analysis.
    most = replace(most, information_bits=most.table_bits)
    row = action_figures(most, analysis.replay)
    street = STREET_NAMES[most.decision.street]
    who = spoken[most.decision.seat]
    return f"{who[0].upper()}{who[1:]} {row.words} on {street} street. {expected_words(most, row)}"


def _misleading(analysis: Analysis, last: Collection[int]) -> list[int]:
    """Return the seats with misleading bets, except the last players, the most misleading first."""
    bits: dict[int, float] = {}
    for action in analysis.actions:
        seat = action.decision.seat
        bits[seat] = bits.get(seat, 0.0) + (action.table_truth_bits or 0.0)
    others = (seat for seat in bits if seat not in last and bits[seat] <= -LIE_BITS)
    return sorted(others, key=bits.__getitem__)
