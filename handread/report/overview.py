"""The summary of a session: your result, what stood out, and the players, a line each."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from handread.game.rules import STREET_NAMES
from handread.report.decisions import VERDICTS
from handread.report.index import Highlight, IndexRow, KnownRead, SeatPlay
from handread.report.tables import hands_words
from handread.report.words import share_words
from handread.study.statistics import NOTHING, Estimate, Moments

LEAST_HANDS = 20
"""The fewest hands, or known downcards, about which anything is claimed."""

LISTED = 5
"""The number of actions in a panel."""

READS = 3
"""The number of best reads, and of worst reads, in the panel of reads."""

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
class Pick:
    """A moment of a hand to look at: its row, what happened, and why it stands out."""

    row: IndexRow
    moment: int
    what: str
    words: str
    mark: str = ""


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


@dataclass(frozen=True, slots=True)
class DecisionsPanel:
    """The most expensive decisions, yours if you made any, with their title.

    ``counted`` says how many decisions were valued and cost something, ``against`` by what.
    """

    title: str
    picks: tuple[Pick, ...]
    counted: str
    against: str


@dataclass(frozen=True, slots=True)
class Overview:
    """The summary of a session; a text is empty, and a list too, where there is nothing to say.

    ``adjusted`` is your result without the luck of the cards. ``decisions`` is None for a session
    without the values of decisions, or if no downcards are known.
    """

    result: str
    adjusted: str
    played: str
    reads: str
    yours: tuple[Pick, ...]
    theirs: tuple[Pick, ...]
    best: tuple[Pick, ...]
    worst: tuple[Pick, ...]
    players: PlayersPanel
    decisions: DecisionsPanel | None


def overview(rows: Sequence[IndexRow]) -> Overview:
    """Return the summary of the hands of a session."""
    found = [(row, read) for row in rows for read in row.reads]
    best = sorted(found, key=lambda item: -_bits(item[1]))[:READS]
    worst = sorted(found, key=lambda item: _bits(item[1]))[:READS]
    return Overview(
        result=_result_words(rows),
        adjusted=_adjusted_words(rows),
        played=_played_words(rows),
        reads=_reads_words(rows),
        yours=tuple(_loudest(rows, lambda row: row.yours)),
        theirs=tuple(_loudest(rows, lambda row: row.theirs)),
        best=tuple(_read_pick(*one) for one in best if _bits(one[1]) > 0.0),
        worst=tuple(_read_pick(*one) for one in worst if _bits(one[1]) < 0.0),
        players=_players(rows),
        decisions=_decisions(rows),
    )


# Your result


def _result_words(rows: Iterable[IndexRow]) -> str:
    """Return your result as a sentence, by unit; empty if you are in no hand that ends."""
    by_unit = defaultdict(list)
    for row in rows:
        if row.net is not None and row.in_hand:
            by_unit[row.unit].append(row)
    parts = [_result_part(unit, own) for unit, own in by_unit.items()]
    return f"You {'; you '.join(parts)}." if parts else ""


def _result_part(unit: str, rows: Sequence[IndexRow]) -> str:
    net = sum(row.net or 0.0 for row in rows)
    bets = sum(row.net_bets for row in rows) / len(rows)
    n = f"{len(rows):,} {'hand' if len(rows) == 1 else 'hands'}"
    if abs(net) < 0.005:
        return f"broke even in {n}"
    size = _size_words(unit, net)
    counted = ", each hand at its own stakes" if len({row.game for row in rows}) > 1 else ""
    each = f" ({bets:+.2f} big bets a hand{counted})" if len(rows) >= LEAST_HANDS else ""
    return f"{'won' if net > 0 else 'lost'} {size} in {n}{each}"


def _size_words(unit: str, amount: float) -> str:
    """Return an amount without its sign: "120 chips", "$1.20"."""
    return f"{abs(amount):,.0f} chips" if unit == "chips" else f"{unit}{abs(amount):,.2f}"


def _adjusted_words(rows: Iterable[IndexRow]) -> str:
    """Return your result without the luck of the cards, by unit; empty if no hand has a ledger."""
    by_unit: dict[str, list[float]] = defaultdict(list)
    hands = 0
    for row in rows:
        if row.net is not None and row.in_hand:
            hands += 1
            if row.worth is not None and row.worth.adjusted is not None:
                by_unit[row.unit].append(row.worth.adjusted)
    return " ".join(_adjusted_part(unit, own, hands) for unit, own in by_unit.items())


def _adjusted_part(unit: str, results: Sequence[float], hands: int) -> str:
    """Return the sum of adjusted results of a unit; ``hands`` are those of all units."""
    n = len(results)
    moments = Moments.of(np.array(results, dtype=np.float64)[:, None])
    error = math.sqrt(n * moments.variance(np.ones(1)))
    total = Estimate.student(math.fsum(results), error, n, n)
    within = ""
    if total.low <= total.high:
        low, high = _signed_size(unit, total.low), _signed_size(unit, total.high)
        within = f" (95% interval {low} to {high})"
    which = "that would be" if n == hands else f"{n:,} of these {hands:,} hands would come to"
    size = _signed_size(unit, total.mean)
    return f"Without the luck of the cards, {which} {size}{within}."


def _signed_size(unit: str, amount: float) -> str:
    return f"{'-' if amount < 0 else '+'}{_size_words(unit, amount)}"


# The decisions


def _decisions(rows: Sequence[IndexRow]) -> DecisionsPanel | None:
    """Return the most expensive decisions of a session: yours, or everybody's without yours."""
    valued = [row.worth for row in rows if row.worth is not None and row.worth.against]
    if not valued:
        return None
    mine = any(worth.yours for worth in valued)
    n = sum(worth.yours if mine else worth.yours + worth.theirs for worth in valued)
    found = [
        (row, one)
        for row in rows
        if row.worth is not None
        for one in row.worth.costly
        if one.yours or not mine
    ]
    dear = sorted(found, key=lambda item: -item[1].bets)[:LISTED]
    size = "five most" if len(dear) == LISTED else "most"
    whose = "your" if mine else "the"
    some = f"{len(found):,}" if found else "None"
    noun = "decision" if n == 1 else "decisions"
    return DecisionsPanel(
        title=f"{whose.capitalize()} {size} expensive decisions",
        picks=tuple(
            Pick(row, one.moment, one.what, f"cost {one.cost}", VERDICTS[one.verdict])
            for row, one in dear
        ),
        counted=f"{some} of {whose} {n:,} {noun} cost more than chance explains.",
        against=_against_words([worth.against for worth in valued]),
    )


def _against_words(against: Sequence[str]) -> str:
    """Return what the values of a session are against: the policy of most hands first."""
    found = [words for words, _ in Counter(against).most_common()]
    more = "" if len(found) == 1 else " or another policy, as the page of the hand says"
    return f"Against {found[0]}{more}."


def _played_words(rows: Iterable[IndexRow]) -> str:
    dealt = [row for row in rows if row.in_hand]
    if not dealt:
        return ""
    played = sum(row.in_hand == "played" for row in dealt)
    return f"You played {played:,} of the {hands_words(len(dealt))} dealt to you."


# The reads


def _bits(read: KnownRead) -> float:
    return -math.inf if read.bits is None else read.bits


def _reads_words(rows: Sequence[IndexRow]) -> str:
    """Return how good the reads of known downcards were; empty if there are none."""
    found = [read for row in rows for read in row.reads]
    if not found:
        return ""
    n = len(found)
    players = f"{n:,} {'player' if n == 1 else 'players'}"
    if n < LEAST_HANDS:
        few = "of one player" if n == 1 else f"of only {n} players"
        return f"The downcards {few} are known: too few to say how good the reads were."
    right = share([(sum(read.first for read in row.reads), len(row.reads)) for row in rows])
    cards = share([(sum(r.first_by_cards for r in row.reads), len(row.reads)) for row in rows])
    missed = sum(read.bits is None for read in found)
    kept = [read.bits for read in found if read.bits is not None]
    words = (
        f"Of {players} whose downcards are known and who saw 4th street, the last read had the "
        f"right family first for {share_words(right.mean)}{_between(right)}; the upcards alone, "
        f"for {share_words(cards.mean)}{_between(cards)}."
    )
    if kept:
        times = 2.0 ** (sum(kept) / len(kept))
        words += f" It gave what they held {_times(times)} times the probability by the upcards."
    return words + (f" It had ruled out what {missed:,} of them held." if missed else "")


def _read_pick(row: IndexRow, read: KnownRead) -> Pick:
    what = f"{read.who[0].upper()}{read.who[1:]} on {STREET_NAMES[read.street]} street"
    if read.bits is None:
        return Pick(row, read.moment, what, "ruled out what it was")
    place = read.place
    if read.bits >= 0.0:
        words = f"{_times(2.0**read.bits)} times as likely as by the upcards, {place}"
        return Pick(row, read.moment, what, words)
    words = f"{_times(2.0**-read.bits)} times less likely than by the upcards, {place}"
    return Pick(row, read.moment, what, words)


def read_words(row: IndexRow) -> str:
    """Return how good the reads of a hand were, "1.8×" on average; empty if none is known."""
    missed = sum(read.bits is None for read in row.reads)
    if missed:
        return f"ruled out {missed} of {len(row.reads)}"
    return f"{_times(2.0 ** mean_bits(row))}×" if row.reads else ""


def mean_bits(row: IndexRow) -> float:
    """Return the mean bits of a hand's reads: -inf if one was ruled out, 0 if there is none."""
    return sum(map(_bits, row.reads)) / len(row.reads) if row.reads else 0.0


def _times(factor: float) -> str:
    return f"{factor:,.0f}" if factor >= 9.95 else f"{factor:.1f}" if factor >= 0.095 else "<0.1"


# The actions


def _loudest(
    rows: Iterable[IndexRow], side: Callable[[IndexRow], Sequence[Highlight]]
) -> Iterator[Pick]:
    """Yield the actions of a side that gave away most."""
    found = [(row, high) for row in rows for high in side(row)]
    for row, high in sorted(found, key=lambda item: -item[1].bits)[:LISTED]:
        yield Pick(row, high.moment, high.what, told_words(high), _mark(high))


def told_words(high: Highlight) -> str:
    """Return what an action told: "rules out 63% of the holdings; seen 1 time in 12"."""
    share_out = 1.0 - 2.0**-high.bits
    size = "over 99%" if share_out >= 0.995 else share_words(share_out)
    words = f"rules out {size} of the holdings"
    return f"{words}; seen {high.often}" if high.often else words


def _mark(high: Highlight) -> str:
    return {"true": "told the truth", "false": "misled", "": ""}[high.verdict]


# The players


def share(counts: Iterable[tuple[int, int]]) -> Estimate:
    """Return a share over hands, each with its hits and trials, with a 95% interval.

    Hands without trials do not count.
    """
    hands = [(hits, trials) for hits, trials in counts if trials]
    n = sum(trials for _, trials in hands)
    if not n:
        return NOTHING
    ratio = Moments.of(np.array(hands, dtype=np.float64)).ratio(*np.eye(2))
    return Estimate.share(ratio.mean, ratio.error, n, len(hands))


def _counts(plays: Iterable[SeatPlay], figure: str) -> list[tuple[int, int]]:
    """Return the hits and trials of a figure in each hand."""
    if figure == LATER:
        return [(play.aggressive, play.later) for play in plays]
    return [(int(play.plays if figure == PLAYS else play.raises), 1) for play in plays]


def _between(estimate: Estimate) -> str:
    found = interval(estimate)
    return f" ({found})" if found else ""


def interval(estimate: Estimate) -> str:
    """Return a 95% interval of a share in words: "54 to 69%"; empty if there is none."""
    if not estimate.low <= estimate.high:
        return ""
    return f"{100 * estimate.low:.0f} to {100 * estimate.high:.0f}%"


def _players(rows: Sequence[IndexRow]) -> PlayersPanel:
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

    Args:
        rest: Their names and numbers of hands, most hands first; your name is empty.
        lines: The lines of those who are listed.
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
        yield f"{family} {times} of {n}{_between(own)}"
