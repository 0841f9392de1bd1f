"""The players of a session, a line each: how they bet, with intervals, against the others."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from handread.report.index import IndexRow, SeatPlay
from handread.report.words import share_words
from handread.study.statistics import NOTHING, Estimate, Moments

LEAST_HANDS = 20
"""The fewest hands, or known downcards, about which anything is claimed."""

MOST_PLAYERS = 12
"""The number of players listed, those with the most hands first."""

PLAYS, RAISES, LATER = FIGURES = ("plays", "raises", "later")
"""Hands played by choice, hands raised on 3rd street, bets and raises later on."""

CLAIMS: Mapping[str, tuple[str, str]] = {
    PLAYS: ("plays more hands", "plays fewer hands"),
    RAISES: ("raises more on 3rd street", "raises less on 3rd street"),
    LATER: ("bets and raises more later", "bets and raises less later"),
}


@dataclass(frozen=True, slots=True)
class ShareCell:
    """A share with its interval in words; ``claim`` says "more" or "less" than other players."""

    words: str = ""
    interval: str = ""
    claim: str = ""


@dataclass(frozen=True, slots=True)
class PlayerLine:
    """A player in a line: the hands, ``cells`` by figure, and the first three cards shown."""

    name: str
    you: bool
    hands: int
    cells: Mapping[str, ShareCell]
    claims: str
    shown: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PlayersPanel:
    """The players seen often enough, you first, all others but you as one, and who is left out."""

    lines: tuple[PlayerLine, ...]
    others: PlayerLine | None
    left_out: str


def share(counts: Iterable[tuple[int, int]]) -> Estimate:
    """Return a share over hands, each with its hits and trials, with a 95% interval.

    Hands without trials do not count.
    """
    return _mean(counts, Estimate.share)


def mean(sums: Iterable[tuple[float, int]]) -> Estimate:
    """Return a mean over hands, each with its sum and number of values, with a 95% interval."""
    return _mean(sums, Estimate.student)


def _mean(
    hands: Iterable[tuple[float, int]], estimate: Callable[[float, float, int, int], Estimate]
) -> Estimate:
    counted = [(total, n) for total, n in hands if n]
    if not counted:
        return NOTHING
    ratio = Moments.of(np.array(counted, dtype=np.float64)).ratio(*np.eye(2))
    return estimate(ratio.mean, ratio.error, sum(n for _, n in counted), len(counted))


def _counts(plays: Iterable[SeatPlay], figure: str) -> list[tuple[int, int]]:
    """Return the hits and trials of a figure in each hand."""
    if figure == LATER:
        return [(play.aggressive, play.later) for play in plays]
    return [(int(play.plays if figure == PLAYS else play.raises), 1) for play in plays]


def in_brackets(estimate: Estimate) -> str:
    """Return a 95% interval of a share after a blank; empty if there is none."""
    found = interval(estimate)
    return f" ({found})" if found else ""


def interval(estimate: Estimate) -> str:
    """Return a 95% interval of a share in words: "54 to 69%"; empty if there is none."""
    if not estimate.low <= estimate.high:
        return ""
    return f"{100 * estimate.low:.0f} to {100 * estimate.high:.0f}%"


def players_panel(rows: Sequence[IndexRow]) -> PlayersPanel:
    """Return the lines of the players of a session."""
    by_player: dict[tuple[bool, str], list[SeatPlay]] = defaultdict(list)
    for row in rows:
        for play in row.plays:
            if play.you or play.name:
                by_player[play.you, "" if play.you else play.name].append(play)
    ordered = sorted(by_player.items(), key=lambda item: (not item[0][0], -len(item[1])))
    others = [play for row in rows for play in row.plays if not play.you]
    enough = [item for item in ordered if len(item[1]) >= LEAST_HANDS][:MOST_PLAYERS]
    lines = tuple(_line(who, plays, others) for who, plays in enough)
    listed = {who for who, _ in enough}
    return PlayersPanel(
        lines,
        _line((False, ""), others, []) if lines else None,
        _left_out([(who[1], len(plays)) for who, plays in ordered if who not in listed], lines),
    )


def _left_out(rest: Sequence[tuple[str, int]], lines: Sequence[PlayerLine]) -> str:
    """Return a sentence on the players who are not listed; empty if all are.

    ``rest`` are their names and numbers of hands, most hands first; your name is empty.
    """
    named = [(name, n) for name, n in rest if name]
    if not named:
        return "" if lines else "The log does not name the other players."
    if named[0][1] >= LEAST_HANDS:
        return f"{len(named):,} more were in fewer hands than these."
    few = f"fewer than {LEAST_HANDS} hands"
    if len(named) == 1:
        return f"{named[0][0]} was in {few}: too few to say how anybody bets."
    most = f"{named[0][0]} in most, {named[0][1]}"
    more = "more " if lines else ""
    return f"{len(named):,} {more}players were in {few} each ({most}): too few to say how they bet."


def _line(
    who: tuple[bool, str], plays: Sequence[SeatPlay], everybody: Sequence[SeatPlay]
) -> PlayerLine:
    """Return a player's line, compared with all others but you."""
    you, name = who
    others = [play for play in everybody if play.name != name or you]
    cells = {}
    for figure in FIGURES:
        own, rest = share(_counts(plays, figure)), share(_counts(others, figure))
        claim = ""
        if own.hands >= LEAST_HANDS and rest.hands >= LEAST_HANDS:
            claim = "more" if own.low > rest.mean else "less" if own.high < rest.mean else ""
        words = share_words(own.mean) if own.n else ""
        cells[figure] = ShareCell(words, interval(own), claim)
    claims = [CLAIMS[f][cell.claim == "less"] for f, cell in cells.items() if cell.claim]
    return PlayerLine(name, you, len(plays), cells, ", ".join(claims), tuple(_shown(plays)))


def _shown(plays: Iterable[SeatPlay]) -> Iterator[str]:
    """Yield the two families of first cards that a player showed most often."""
    found = Counter(play.shown for play in plays if play.shown)
    n = found.total()
    for family, times in sorted(found.items(), key=lambda item: (-item[1], item[0]))[:2]:
        own = share([(int(i < times), 1) for i in range(n)])
        yield f"{family} {times} of {n}{in_brackets(own)}"
