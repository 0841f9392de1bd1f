"""The summary of a session: your result, what stood out, and the players, a line each."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from handread.game.rules import STREET_NAMES, variant_of
from handread.report.decisions import VERDICTS, kind_words
from handread.report.index import (
    CHIPS,
    CostlyDecision,
    HandWorth,
    Highlight,
    IndexRow,
    KnownRead,
)
from handread.report.session_decisions import kind_rows
from handread.report.session_players import PlayersPanel, players_panel
from handread.report.stretches import LEAST_HANDS, Stretches, mean, progress, sessions
from handread.report.tables import hands_words
from handread.report.words import share_words, visible
from handread.study.session_values import YOU, SessionValues
from handread.study.statistics import Estimate, Moments

LISTED = 5
"""The number of actions in a panel."""

BY_LOW = " The surest come first."
"""The order of the most expensive decisions."""

READS = 3
"""The number of best reads, and of worst reads, in the panel of reads."""


@dataclass(frozen=True, slots=True)
class Pick:
    """A moment of a hand to look at: its row, what happened, and why it stands out.

    ``cards`` are those of the player as far as they are known, ``better`` is that of a decision.
    """

    row: IndexRow
    moment: int
    what: str
    words: str
    mark: str = ""
    cards: str = ""
    better: str = ""


@dataclass(frozen=True, slots=True)
class DecisionsPanel:
    """The most expensive decisions, yours if you made any, with their title.

    ``all_title`` is that of a page of all of them.
    ``counted`` says how many decisions were valued and cost something, ``order`` how they stand,
    ``against`` by what.
    ``kinds`` is the table of yours by street and action, its heads first; empty without yours.
    ``costly_kinds`` are those of which there is an expensive one.
    """

    title: str
    all_title: str
    picks: tuple[Pick, ...]
    counted: str
    order: str
    against: str
    kinds: Sequence[Sequence[str]]
    costly_kinds: Collection[str]


@dataclass(frozen=True, slots=True)
class Overview:
    """The summary of a session; a text is empty, and a list too, where there is nothing to say.

    ``hands`` says how many there are, ``policy`` names those that read them. ``result`` is yours,
    without the luck of the cards, too, if it ``has_luck``. ``progress`` and ``sessions`` are your
    results by time, log and table. ``decisions`` is None for a session without the values of
    decisions, or if no downcards are known.
    """

    hands: str
    policy: str
    result: str
    has_luck: bool
    played: str
    reads: str
    yours: tuple[Pick, ...]
    theirs: tuple[Pick, ...]
    best: tuple[Pick, ...]
    worst: tuple[Pick, ...]
    players: PlayersPanel
    decisions: DecisionsPanel | None
    progress: Stretches | None
    sessions: Sequence[Stretches]

    @property
    def lead(self) -> str:
        """What all fronts say first."""
        return " ".join(filter(None, (self.result, self.played)))


def overview(rows: Sequence[IndexRow]) -> Overview:
    """Return the summary of the hands of a session."""
    own, policies = [row for row in rows if row.has_result], Counter(row.policy for row in rows)
    found = [(row, read) for row in rows for read in row.reads]
    best = sorted(found, key=lambda item: -_bits(item[1]))[:READS]
    worst = sorted(found, key=lambda item: _bits(item[1]))[:READS]
    return Overview(
        hands=_hands_part(rows),
        policy="; ".join(visible(name) for name, _ in policies.most_common() if name),
        result=_result_words(own),
        has_luck=any(row.adjusted is not None for row in own),
        played=_played_words(rows),
        reads=_reads_words(rows),
        yours=tuple(_loudest(rows, lambda row: row.yours)),
        theirs=tuple(_loudest(rows, lambda row: row.theirs)),
        best=tuple(_read_pick(*one) for one in best if _bits(one[1]) > 0.0),
        worst=tuple(_read_pick(*one) for one in worst if _bits(one[1]) < 0.0),
        players=players_panel(rows),
        decisions=_decisions(rows),
        progress=progress(rows),
        sessions=sessions(rows),
    )


def _hands_part(rows: Sequence[IndexRow]) -> str:
    """Return how many hands there are, and how many of them stop at a fault of their logs."""
    stopped = sum(bool(row.refused) for row in rows)
    logs = "its log goes" if stopped == 1 else "their logs go"
    some = f", {stopped:,} of them as far as {logs}" if stopped else ""
    return f"{hands_words(len(rows))}{some}"


# Your result


def by_purse(rows: Iterable[IndexRow]) -> list[list[IndexRow]]:
    """Return hands by what they are played for: a currency, or the chips of a tournament.

    Amounts add up within a purse alone.
    """
    found: dict[str, list[IndexRow]] = defaultdict(list)
    for row in rows:
        found[f"{row.unit} {row.tournament}" if row.unit == CHIPS else row.unit].append(row)
    return list(found.values())


def _result_words(own: Iterable[IndexRow]) -> str:
    """Return your result, and that without luck, in sentences; empty without results.

    Each currency and each tournament has its own sentences; of several tournaments no chips are
    added up.
    """
    purses = by_purse(own)
    played = [purse for purse in purses if purse[0].tournament]
    several = len(played) > 1
    parts = [_result_part(purse) for purse in purses if not (several and purse[0].tournament)]
    if several:
        n = hands_words(sum(map(len, played)))
        parts.append(f"You were dealt {n} for chips of several tournaments, which do not add up.")
    return " ".join(parts)


def _result_part(own: Sequence[IndexRow]) -> str:
    """Return your result in one purse in sentences, the second about luck."""
    bets = sum(row.net_bets for row in own) / len(own)
    counted = ", each hand at its own stakes" if len({row.game for row in own}) > 1 else ""
    each = f" ({bets:+.2f} big bets a hand{counted})"
    shown = each if len(own) >= LEAST_HANDS and not own[0].tournament else ""
    words = f"You {_net_words(own)} in {hands_words(len(own))}{shown}."
    return " ".join(filter(None, (words, _adjusted_part(own))))


def _net_words(own: Sequence[IndexRow]) -> str:
    """Return your result in one purse: "won $4.20"."""
    net = sum(row.net or 0.0 for row in own)
    if abs(net) < 0.005:
        return "broke even"
    return f"{'won' if net > 0 else 'lost'} {_size_words(own[0].unit, net)}"


def _size_words(unit: str, amount: float) -> str:
    """Return an amount without its sign: "120 chips", "$1.20"."""
    return f"{abs(amount):,.0f} chips" if unit == CHIPS else f"{unit}{abs(amount):,.2f}"


def _adjusted_part(own: Sequence[IndexRow]) -> str:
    """Return your result in one purse without the luck of the cards; empty without a ledger.

    Where some hands have no ledger, the sentence has the result of those that have one, too.
    """
    unit, fair = own[0].unit, [row for row in own if row.adjusted is not None]
    n = len(fair)
    if not n:
        return ""
    numbers = [row.adjusted or 0.0 for row in fair]
    moments = Moments.of(np.array(numbers, dtype=np.float64)[:, None])
    error = math.sqrt(n * moments.variance(np.ones(1)))
    total = Estimate.student(math.fsum(numbers), error, n, n)
    within = ""
    if total.low <= total.high:
        low, high = signed_size(unit, total.low), signed_size(unit, total.high)
        within = f" (95% interval {low} to {high})"
    luck = f"ithout the luck of the cards, that would be {signed_size(unit, total.mean)}{within}."
    return f"W{luck}" if n == len(own) else f"In {n:,} of them you {_net_words(fair)}; w{luck}"


def signed_size(unit: str, amount: float) -> str:
    """Return an amount with its sign: "+$1.20", "-120 chips"."""
    return f"{'-' if amount < 0 else '+'}{_size_words(unit, amount)}"


# The decisions


def _decisions(rows: Sequence[IndexRow]) -> DecisionsPanel | None:
    """Return the most expensive decisions of a session: yours, or everybody's without yours."""
    valued = [row.worth for row in rows if row.worth is not None and row.worth.against]
    if not valued:
        return None
    mine, found = _are_yours(rows), costly_decisions(rows)
    n = sum(worth.yours if mine else worth.yours + worth.theirs for worth in valued)
    dear = found[:LISTED]
    size = "five most" if len(dear) == LISTED else "most"
    whose = "your" if mine else "the"
    return DecisionsPanel(
        title=f"{whose.capitalize()} {size} expensive decisions",
        all_title=f"{whose.capitalize()} most expensive decisions",
        picks=tuple(costly_pick(*item) for item in dear),
        counted=_counted([one for one in valued if one.yours or not mine], n, len(found), whose),
        order=BY_LOW if dear else "",
        against=_against_words([worth.against for worth in valued]),
        kinds=_kinds(valued),
        costly_kinds={one.kind for _, one in found},
    )


def _counted(valued: Sequence[HandWorth], n: int, costly: int, whose: str) -> str:
    """Return how many of ``n`` decisions cost something, and how many were checked."""
    noun = "decision" if n == 1 else "decisions"
    some = f"{costly:,}" if costly else "None"
    words = f"{some} of {whose} {n:,} {noun} cost more than chance explains"
    if any(worth.is_estimate for worth in valued):
        return f"{words}. These are estimates, which nothing has checked."
    checked, rare = (sum(getattr(one, name) for one in valued) for name in ("checked", "rare"))
    more = [f"{checked:,} {'was' if checked == 1 else 'were'} checked"] * (0 < checked < n)
    more += [f"{rare:,} {'is' if rare == 1 else 'are'} too rare to judge"] * (rare > 0)
    return "; ".join(filter(None, (words, ", ".join(more)))) + "."


def _are_yours(rows: Iterable[IndexRow]) -> bool:
    """Return whether decisions of yours have been valued."""
    return any(row.worth is not None and row.worth.yours for row in rows)


def costly_decisions(rows: Sequence[IndexRow]) -> list[tuple[IndexRow, CostlyDecision]]:
    """Return all costly decisions, yours if you made any, the most expensive first."""
    mine = _are_yours(rows)
    costly = ((row, one) for row in rows if row.worth is not None for one in row.worth.costly)
    found = [(row, one) for row, one in costly if one.yours or not mine]
    return sorted(found, key=lambda item: (-item[1].low, -item[1].bets))


def costly_pick(row: IndexRow, one: CostlyDecision) -> Pick:
    """Return a costly decision as a moment to look at."""
    what = _in_full(one), f"cost {one.cost}", VERDICTS[one.verdict]
    return Pick(row, one.moment, *what, one.cards, one.better)


def _kinds(valued: Iterable[HandWorth]) -> Sequence[Sequence[str]]:
    """Return what your decisions cost by street and action, as ``decisions`` prints it."""
    totals = SessionValues(most=0)
    for worth in valued:
        if worth.costs:
            totals.add_costs(YOU, worth.costs)
    rows = kind_rows(totals.table(), YOU)
    return rows if rows[1:] else ()


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


def _in_brackets(estimate: Estimate) -> str:
    """Return a 95% interval of a share in brackets, " (54 to 69%)"; empty without one."""
    if not estimate.low <= estimate.high:
        return ""
    return f" ({100 * estimate.low:.0f} to {100 * estimate.high:.0f}%)"


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
    firsts = [(sum(read.first for read in row.reads), len(row.reads)) for row in rows]
    alone = [(sum(read.first_by_cards for read in row.reads), len(row.reads)) for row in rows]
    right, cards = (mean(counts, Estimate.share) for counts in (firsts, alone))
    missed = sum(read.bits is None for read in found)
    second = {variant_of(row.variant).first + 1 for row in rows if row.reads}
    seen = " or ".join(STREET_NAMES[street] for street in sorted(second))
    by_bets, by_cards = (f"{share_words(one.mean)}{_in_brackets(one)}" for one in (right, cards))
    words = (
        f"Of {players} whose downcards are known and who saw {seen} street, the last read had the "
        f"right family first for {by_bets}; the upcards alone, for {by_cards}."
    )
    words += _street_words(rows)
    return words + (f" It had ruled out what {missed:,} of them held." if missed else "")


def _street_words(rows: Sequence[IndexRow]) -> str:
    """Return on which streets the reads added to the upcards, as two sentences.

    Bits are averaged over hands, as reads of a hand are alike; reads that ruled out the truth are
    counted elsewhere.
    """
    by_street: dict[int, list[tuple[float, int]]] = defaultdict(list)
    for row in rows:
        for street in {street for street, _ in row.street_reads}:
            bits = [b for at, b in row.street_reads if at == street and b is not None]
            by_street[street].append((math.fsum(bits), len(bits)))
    means = {street: mean(hands) for street, hands in sorted(by_street.items())}
    told = {STREET_NAMES[street]: one for street, one in means.items() if one.n}
    if not told:
        return ""
    first, *rest = [(street, _times(2.0**one.mean)) for street, one in told.items()]
    more = [f"{times} on {street}" for street, times in rest]
    begin = f"{first[1]} times as likely as the upcards do on {first[0]} street"
    words = f" The reads made what they held {_and([begin, *more])}."
    clear = [street for street, one in told.items() if one.low > 0.0]
    where = f"on {_and(clear)} street" if clear else "on no street"
    return f"{words} That is more than chance {where}."


def _and(parts: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(parts[:-1]), parts[-1])))


def _read_pick(row: IndexRow, read: KnownRead) -> Pick:
    what = f"{read.who[0].upper()}{read.who[1:]} on {STREET_NAMES[read.street]} street"
    if read.bits is None:
        words = "ruled out what it was"
    else:
        times = f"{_times(2.0 ** abs(read.bits))} times"
        side = "as likely as" if read.bits >= 0.0 else "less likely than"
        words = f"{times} {side} by the upcards, {read.place}"
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
        yield Pick(row, high.moment, _in_full(high), told_words(high), _mark(high), high.cards)


def _in_full(action: Highlight | CostlyDecision) -> str:
    return f"{action.what} {action.spot}".rstrip()


def kinds_played(row: IndexRow, costly: bool = False) -> str:
    """Return the kinds of your decisions in a hand, or of the costly ones, with a bar between."""
    worth = row.worth
    if worth is None:
        return ""
    kinds = [kind_words(one.street, one.action) for one in worth.costs]
    return "|".join(
        dict.fromkeys([one.kind for one in worth.costly if one.yours] if costly else kinds)
    )


def told_words(high: Highlight) -> str:
    """Return what an action told: "rules out 63% of the holdings; seen 1 time in 12"."""
    share_out = 1.0 - 2.0**-high.bits
    size = "over 99%" if share_out >= 0.995 else share_words(share_out)
    words = f"rules out {size} of the holdings"
    return f"{words}; seen {high.often}" if high.often else words


def _mark(high: Highlight) -> str:
    return {"true": "told the truth", "false": "misled", "": ""}[high.verdict]


_NAMES_OF_HANDS = {"three ": "trips", "four ": "quads"}
"""What players call some hands, by the beginning of our names."""


def search_words(row: IndexRow) -> str:
    """Return words by which a hand can be found, besides those of its row."""
    words = [*row.players, *row.cards, row.held, row.table, *filter(None, row.facets)]
    words += ["".join(row.cards).replace(" ", "")]  # AsAd9c, as players write them
    words += [name for start, name in _NAMES_OF_HANDS.items() if row.held.startswith(start)]
    if row.net is not None and row.in_hand:
        words.append("won" if row.net > 0 else "lost" if row.net < 0 else "broke even")
    for high in (*row.yours, *row.theirs):
        words += [_in_full(high), _mark(high)]
    for one in () if row.worth is None else row.worth.costly:
        if one.yours or not row.in_hand:
            words += [_in_full(one), VERDICTS[one.verdict]]
    return " ".join(dict.fromkeys(filter(None, words)))
