"""The summary of a session: your result, the highlights, and the players, a line each."""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from handread.game.rules import STREET_NAMES
from handread.report.decision_words import VERDICTS, kind_words, rare_words
from handread.report.index import CHIPS, CostlyDecision, HandWorth, Highlight, IndexRow, KnownRead
from handread.report.session_decisions import kind_rows
from handread.report.session_players import PlayersPanel, players_panel
from handread.report.stretches import LEAST_HANDS, Stretches, mean, progress, sessions
from handread.report.tables import hands_words
from handread.report.words import hidden_words, share_words, visible
from handread.study.session_values import YOU, SessionValues
from handread.study.statistics import Estimate, Moments

LISTED = 5
"""The number of actions in a panel."""

READS = 3
"""The number of best reads, and of worst reads, in the panel of reads."""


@dataclass(frozen=True, slots=True)
class Pick:
    """A moment of a hand to look at: its row, the event, and the reason.

    ``cards`` are the player's known cards.
    """

    row: IndexRow
    moment: int
    what: str
    words: str
    mark: str = ""
    cards: str = ""


@dataclass(frozen=True, slots=True)
class DecisionsPanel:
    """The most expensive decisions, yours if you made any, with their title.

    ``all_title`` heads the page of all of them. ``counted`` says how many decisions were valued and
    wrong, ``against`` names the assumed policies. ``work`` names your kind to work on; it is
    ``counted`` if none was clearly wrong, and empty without yours or any checked one. ``kinds`` is
    the table of yours by street and action, heads first; ``costly_kinds`` have an expensive one.
    """

    title: str
    all_title: str
    picks: tuple[Pick, ...]
    counted: str
    work: str
    against: str
    kinds: Sequence[Sequence[str]]
    costly_kinds: Collection[str]


@dataclass(frozen=True, slots=True)
class Overview:
    """The summary of a session; texts and lists are empty where there is nothing to say.

    ``hands`` counts them, ``policy`` names their readers. ``result`` is yours, also with average
    luck if it ``has_luck``. ``progress`` and ``sessions`` are your results by time, log and table.
    ``decisions`` is None without values, or if no downcards are known.
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
        """What all fronts say first: money, and the decisions to work on."""
        work = self.decisions.work if self.decisions else ""
        return " ".join(filter(None, (self.result, work, self.played)))

    @property
    def lead_so_far(self) -> str:
        """The lead while values are missing: it says nothing about decisions."""
        return replace(self, decisions=None).lead


def overview(rows: Sequence[IndexRow]) -> Overview:
    """Return the summary of the hands of a session."""
    with_result = [row for row in rows if row.has_result]
    policies = Counter(row.policy for row in rows)
    read_rows = [(row, read) for row in rows for read in row.reads]
    best = sorted(read_rows, key=lambda item: -_bits(item[1]))[:READS]
    worst = sorted(read_rows, key=lambda item: _bits(item[1]))[:READS]
    return Overview(
        hands=hands_words(len(rows)),
        policy="; ".join(visible(name) for name, _ in policies.most_common() if name),
        result=_result_words(with_result),
        has_luck=any(row.adjusted is not None for row in with_result),
        played=_played_words(rows),
        reads=_reads_words(rows),
        yours=tuple(_loudest(rows, lambda row: row.yours)),
        theirs=tuple(_loudest(rows, lambda row: row.theirs)),
        best=tuple(_read_pick(*pick) for pick in best if _bits(pick[1]) > 0.0),
        worst=tuple(_read_pick(*pick) for pick in worst if _bits(pick[1]) < 0.0),
        players=players_panel(rows),
        decisions=_decisions(rows),
        progress=progress(rows),
        sessions=sessions(rows),
    )


def by_purse(rows: Iterable[IndexRow]) -> list[list[IndexRow]]:
    """Return hands by purse, a currency or a tournament; only within one do amounts add up."""
    purses: dict[str, list[IndexRow]] = defaultdict(list)
    for row in rows:
        purses[f"{row.unit} {row.tournament}" if row.unit == CHIPS else row.unit].append(row)
    return list(purses.values())


def _result_words(yours: Iterable[IndexRow]) -> str:
    """Return your result by currency and tournament, also without luck; "" without results."""
    purses = by_purse(yours)
    played = [purse for purse in purses if purse[0].tournament]
    several = len(played) > 1
    parts = [_result_part(purse) for purse in purses if not (several and purse[0].tournament)]
    if several:
        n = hands_words(sum(map(len, played)))
        parts.append(f"You were dealt {n} for chips of several tournaments, which do not add up.")
    if len({one.game.split()[-1] for own in purses for one in own if not one.tournament}) > 1:
        parts.append("Big bets count each hand at its own stakes.")  # money may differ in sign
    return " ".join(parts)


def _result_part(yours: Sequence[IndexRow]) -> str:
    bets = sum(row.net_bets for row in yours) / len(yours)
    each = f" ({bets:+.2f} big bets a hand)"
    shown = each if len(yours) >= LEAST_HANDS and not yours[0].tournament else ""
    net = _won_words(yours[0].unit, sum(row.net or 0.0 for row in yours))
    words = f"You {net} in {hands_words(len(yours))}{shown}."
    return " ".join(filter(None, (words, _adjusted_part(yours))))


def _won_words(unit: str, amount: float) -> str:
    """Return an amount as a result: "won $4.20", "lost 120 chips"."""
    won = f"{'lost' if amount < 0 else 'won'} {_size_words(unit, amount)}"
    return "broke even" if abs(amount) < 0.005 else won


def _size_words(unit: str, amount: float) -> str:
    """Return an amount without its sign: "120 chips", "$1.20"."""
    return f"{abs(amount):,.0f} chips" if unit == CHIPS else f"{unit}{abs(amount):,.2f}"


def _adjusted_part(yours: Sequence[IndexRow]) -> str:
    """Return your result in one purse with average luck; empty without a ledger.

    Where some hands have no ledger, the sentence also has the result of the others, and why if the
    log hides your downcards. It waits for pending hands: your largest losses are valued first.
    """
    if waits := sum(row.pending for row in yours):
        far = f"{len(yours) - waits:,} of {len(yours):,}"
        return f"With average luck: when all hands are valued ({far} so far)."
    unit, fair = yours[0].unit, [row for row in yours if row.adjusted is not None]
    n = len(fair)
    if not n:
        return ""
    numbers = [row.adjusted or 0.0 for row in fair]
    moments = Moments.of(np.array(numbers, dtype=np.float64)[:, None])
    error = math.sqrt(n * moments.variance(np.ones(1)))
    total = Estimate.student(math.fsum(numbers), error, n, n)
    within = ""
    if total.low <= total.high and n >= LEAST_HANDS:
        low, high = signed_size(unit, total.low), signed_size(unit, total.high)
        within = f" (95% interval {low} to {high})"
    won = _won_words(unit, total.mean).replace("broke", "broken")
    would = f"ith average luck you would have {won}"
    if n < len(yours):
        net = _won_words(unit, sum(row.net or 0.0 for row in fair))
        hidden = sum(not row.cards for row in yours if row.adjusted is None)
        return f"In {n:,} of them{hidden_words(hidden)} you {net}; w{would}{within}."
    return f"W{would} in {'this hand' if n == 1 else f'these {n:,} hands'}{within}."


def signed_size(unit: str, amount: float) -> str:
    """Return an amount with its sign: "+$1.20", "-120 chips"."""
    return f"{'-' if amount < 0 else '+'}{_size_words(unit, amount)}"


def _decisions(rows: Sequence[IndexRow]) -> DecisionsPanel | None:
    """Return the most expensive decisions of a session: yours, or everybody's without yours."""
    valued = [row.worth for row in rows if row.worth is not None and row.worth.against]
    if not valued:
        return None
    mine, listed = _are_yours(rows), costly_decisions(rows)
    shown = [(row, value) for row, value in listed if value.verdict != "rare"]
    n = sum(worth.yours if mine else worth.yours + worth.theirs for worth in valued)
    dear = shown[:LISTED]
    size = "five most" if len(dear) == LISTED else "most"
    whose = "your" if mine else "the"
    by = ", by what each cost at least" * bool(dear)
    asked = [value for value in valued if value.yours or not mine]
    guessed = any(value.is_estimate for value in asked)
    wrong = _wrong_words([value.verdict for _, value in shown], n, whose, guessed)
    checked, rare = (sum(getattr(value, name) for value in asked) for name in ("checked", "rare"))
    counted = wrong + f" {_were(checked)} checked." * (0 < checked < n)
    counted += f" {rare_words(rare, ' more' * bool(shown))}" * (rare > 0)
    work = _work_words([value for _, value in shown]) or counted
    return DecisionsPanel(
        title=f"{whose.capitalize()} {size} expensive decisions{by}",
        all_title=f"{whose.capitalize()} most expensive decisions",
        picks=tuple(costly_pick(*item) for item in dear),
        counted=counted,
        work=work if mine and not guessed else "",
        against=_against_words([worth.against for worth in valued]),
        kinds=_kinds(valued),
        costly_kinds={value.kind for _, value in listed},
    )


def _were(n: int) -> str:
    return f"{n:,} {'was' if n == 1 else 'were'}"


def _wrong_words(verdicts: Sequence[str], n: int, whose: str, guessed: bool) -> str:
    """Return how many of ``n`` decisions were wrong: clearly, unless values are ``guessed``."""
    costly = verdicts.count("costly")
    wrong = len(verdicts) if guessed else len(verdicts) - costly
    some = f"{wrong:,}" if wrong else "None"
    who = f"{some} of {whose} {n:,} decisions" if n > 1 else f"{whose.capitalize()} only decision"
    words = f"{who} {'were' if wrong > 1 else 'was' if wrong or n > 1 else 'was not'}"
    if guessed:
        return f"{words} wrong, by estimates that nothing has checked."
    rest = f"; {_were(costly)} {VERDICTS['costly']}" if costly else ""
    return f"{words} clearly wrong{rest}."


def _work_words(wrong: Iterable[CostlyDecision]) -> str:
    """Return which kind of decision to work on, from the clearly wrong ones; empty for none."""
    costs: dict[str, list[float]] = defaultdict(list)
    for value in wrong:
        costs[value.kind] += [value.bets] * (value.verdict == "mistake")
    kind = max(costs, key=lambda kind: sum(costs[kind]), default="")
    if not (kind and costs[kind]):
        return ""
    size = f"{_were(len(costs[kind]))} clearly wrong and cost {sum(costs[kind]):.1f} big bets"
    return "Work on your {1}s on {0} street first: {2}.".format(*kind.split(), size)


def _are_yours(rows: Iterable[IndexRow]) -> bool:
    return any(row.worth is not None and row.worth.yours for row in rows)


def costly_decisions(rows: Sequence[IndexRow]) -> list[tuple[IndexRow, CostlyDecision]]:
    """Return costly decisions, yours if any, by the lower end of the cost; uncertain ones last."""
    mine = _are_yours(rows)
    costly = ((row, value) for row in rows if row.worth is not None for value in row.worth.costly)
    shown = [(row, value) for row, value in costly if value.yours or not mine]
    return sorted(shown, key=lambda item: item[1].place)


def costly_pick(row: IndexRow, value: CostlyDecision) -> Pick:
    """Return a costly decision as a moment to look at, with a verdict unless it is a guess."""
    what, guessed = _in_full(value), row.worth is not None and row.worth.is_estimate
    mark = "" if guessed else VERDICTS[value.verdict]
    return Pick(row, value.moment, what, value.cost, mark=mark, cards=value.cards)


def _kinds(valued: Iterable[HandWorth]) -> Sequence[Sequence[str]]:
    """Return the costs of your decisions by street and action, as ``decisions`` prints them."""
    totals = SessionValues(most=0)
    for worth in valued:
        if worth.costs:
            totals.add_costs(YOU, worth.costs)
    rows = kind_rows(totals.table(), YOU)
    return rows if rows[1:] else ()


def _against_words(against: Sequence[str]) -> str:
    """Return the policies that the values of a session assume, the policy of most hands first."""
    policies = [words for words, _ in Counter(against).most_common()]
    more = "" if len(policies) == 1 else " or another policy, as the page of the hand says"
    return f"Against {policies[0]}{more}."


def _played_words(rows: Iterable[IndexRow]) -> str:
    dealt = [row for row in rows if row.in_hand]
    if not dealt:
        return ""
    played = sum(row.in_hand == "played" for row in dealt)
    if len(dealt) == 1:
        return f"You {'played' if played else 'did not play'} the hand dealt to you."
    return f"You played {played:,} of the {hands_words(len(dealt))} dealt to you."


def _bits(read: KnownRead) -> float:
    return -math.inf if read.bits is None else read.bits


def _share_of(share: Estimate, of: str = "") -> str:
    """Return a share in 100, with its 95% interval if it has one: "55 of 100 (37 to 71)"."""
    low, high = 100 * share.low, 100 * share.high
    within = f" ({low:.0f} to {high:.0f})" if low <= high else ""
    return f"{share_words(share.mean).removesuffix('%')}{of}{within}"


def _reads_words(rows: Sequence[IndexRow]) -> str:
    """Return how good the reads of known downcards were; empty without reads."""
    reads = [read for row in rows for read in row.reads]
    if not reads:
        return ""
    n = len(reads)
    if n < LEAST_HANDS:
        holdings = "One player's holding was" if n == 1 else f"Only {n} holdings of players were"
        return f"{holdings} shown: too few to say how good the reads were."
    firsts = [(sum(read.first for read in row.reads), len(row.reads)) for row in rows]
    alone = [(sum(read.first_by_cards for read in row.reads), len(row.reads)) for row in rows]
    right, cards = (mean(counts, Estimate.share) for counts in (firsts, alone))
    missed = sum(read.bits is None for read in reads)
    words = (
        f"For {n:,} holdings of players that were shown, the last read named the right kind of "
        f"hand first in {_share_of(right, ' of 100')}; the upcards alone, in {_share_of(cards)}."
    )
    ruled_out = f" In {missed:,} of them it had ruled out the true cards." if missed else ""
    return f"{words}{_street_words(rows)}{ruled_out}"


def _street_words(rows: Sequence[IndexRow]) -> str:
    """Return on which streets the reads added to the upcards, as two sentences."""
    # Reads of a hand are alike: bits are averaged over hands. Reads that ruled out the truth are
    # counted elsewhere.
    by_street: dict[int, list[tuple[float, int]]] = defaultdict(list)
    for row in rows:
        for street in {street for street, _ in row.street_reads}:
            bits = [b for at, b in row.street_reads if at == street and b is not None]
            by_street[street].append((math.fsum(bits), len(bits)))
    means = {street: mean(hands) for street, hands in sorted(by_street.items())}
    told = {STREET_NAMES[street]: bits for street, bits in means.items() if bits.n}
    if not told:
        return ""
    first, *rest = [(street, _times(2.0**bits.mean)) for street, bits in told.items()]
    more = [f"{times} on {street}" for street, times in rest]
    begin = f"{first[1]} times the chance that the upcards give on {first[0]} street"
    words = f" The reads gave the true cards {_and([begin, *more])}."
    clear = [street for street, bits in told.items() if bits.low > 0.0]
    where = f"on {_and(clear)} street" if clear else "on no street"
    return f"{words} That is more than chance {where}."


def _and(parts: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(parts[:-1]), parts[-1])))


def _read_pick(row: IndexRow, read: KnownRead) -> Pick:
    what = f"{read.who[0].upper()}{read.who[1:]} on {STREET_NAMES[read.street]} street"
    if read.bits is None:
        words = "the read ruled out the true cards"
    else:
        more, less = ("read gave", "upcards give")[:: 1 if read.bits >= 0.0 else -1]
        times = f"{_times(2.0 ** abs(read.bits))} times the chance"
        words = f"the {more} the true cards {times} that the {less} ({read.place})"
    return Pick(row, read.moment, what, words)


def line_text(row: IndexRow) -> str:
    """Return a hand in a line: its place, how it ended, your costs, and what gave away most."""
    told, worth = row.telling, row.worth
    parts = [f"#{row.number} {row.place}", f"hand {row.title.removeprefix('Hand ')}"]
    parts += [row.date, row.game]
    parts += [f"you {' '.join(row.cards)} {row.net_words}".rstrip()] if row.cards else []
    parts += [row.result, row.refused]
    if worth is not None and worth.costs:
        verdict = f" ({VERDICTS[worth.verdict]})" if worth.verdict else ""
        parts += [f"decisions cost {worth.cost:.2f} BB{verdict}"]
    parts += [f"gave away most: {told.what} ({told.bits:.2f} bits)"] if told else []
    return visible("; ".join(filter(None, parts)))


def read_words(row: IndexRow) -> str:
    """Return the quality of a hand's reads, "1.8×" on average; empty without known downcards."""
    missed = sum(read.bits is None for read in row.reads)
    if missed:
        return f"ruled out {missed} of {len(row.reads)}"
    return f"{_times(2.0 ** mean_bits(row))}×" if row.reads else ""


def mean_bits(row: IndexRow) -> float:
    """Return the mean bits of a hand's reads: -inf if one was ruled out, 0 without reads."""
    return sum(map(_bits, row.reads)) / len(row.reads) if row.reads else 0.0


def _times(factor: float) -> str:
    return f"{factor:,.0f}" if factor >= 9.95 else f"{factor:.1f}" if factor >= 0.095 else "<0.1"


def _loudest(
    rows: Iterable[IndexRow], side: Callable[[IndexRow], Sequence[Highlight]]
) -> Iterator[Pick]:
    loud = [(row, high) for row in rows for high in side(row)]
    for row, high in sorted(loud, key=lambda item: -item[1].bits)[:LISTED]:
        what, words = _in_full(high), high.words
        yield Pick(row, high.moment, what, words, mark=_mark(high), cards=high.cards)


def _in_full(action: Highlight | CostlyDecision) -> str:
    return f"{action.what} {action.spot}".rstrip()


def kinds_played(row: IndexRow, costly: bool = False) -> str:
    """Return the kinds of your decisions in a hand, or of the costly ones, with a bar between."""
    worth = row.worth
    if worth is None:
        return ""
    kinds = [kind_words(value.street, value.action) for value in worth.costs]
    return "|".join(
        dict.fromkeys([value.kind for value in worth.costly if value.yours] if costly else kinds)
    )


def _mark(high: Highlight) -> str:
    return {"true": "told the truth", "false": "misled", "": ""}[high.verdict]


_NAMES_OF_HANDS = {"three ": "trips", "four ": "quads"}
"""Players' names of some hands, by the beginning of our names."""


def search_words(row: IndexRow) -> str:
    """Return words that find a hand, besides the words of its row."""
    words = [*row.players, *row.cards, row.held, row.table, *filter(None, row.facets)]
    words += ["".join(row.cards).replace(" ", "")]  # AsAd9c, as players write them
    words += [name for start, name in _NAMES_OF_HANDS.items() if row.held.startswith(start)]
    if row.net is not None and row.in_hand:
        words.append("won" if row.net > 0 else "lost" if row.net < 0 else "broke even")
    for high in (*row.yours, *row.theirs):
        words += [_in_full(high), _mark(high)]
    for value in () if row.worth is None else row.worth.costly:
        if value.yours or not row.in_hand:
            words += [_in_full(value), VERDICTS[value.verdict]]
    return " ".join(dict.fromkeys(filter(None, words)))
