"""The read of an action in one call: the steps of ``kernels.reading`` in turn.

Theory
======

An action is read by the chance to win of its player, and that by the htpds of the others; the pdd
of the player changes, and with it the htpd that the next one looks at. So the seats of a street are
*states*, each a pdd with its htpd:

    state r                the seat of row r as it is now
    state MAX_PLAYERS + r  row r with all holdings equally likely, if somebody looks at cards only

The htpd of a state is counted when somebody first looks at it, and kept until the pdd changes.

Why so
======

Called one by one from Python, the steps of an action spent as long on their arguments as on
arithmetic. Here they work on arrays that stay where they are (``Desk``), and a call has seven
arguments. The steps are the same kernels: a read by steps, as for a policy of one's own, gives the
same bits. All actions of a street in one call were tried: that took longer, as memory for all
results at once is not in the processor's caches.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy.typing as npt

from handread.kernels.acting import log_share
from handread.kernels.counting import class_triples, count_all, count_pairs
from handread.kernels.jit import inlined, kernel, shipped
from handread.kernels.pair_values import value_pairs
from handread.kernels.reading import fill_odds, fill_percentiles, share_against, weigh
from handread.kernels.rollout_state import POLICIES, Policies

Array = npt.NDArray[Any]

MAX_PLAYERS = 8
"""The most seats of a street."""

PUBLIC = 8
"""Place of the feature of the mean chance to win among the features of a decision."""

ROW, ACTION, BET, FOLD, RAISE, PLAYERS, LOOKED, LOOKS = range(8)
"""Places in ``Desk.what``: the action is -1 if the rules do not allow it; LOOKED is 1 after
``expect_action`` of the same situation, LOOKS if a policy looks at more than these and the odds."""

ODDS, POWER, IDLE = range(3)
"""Places in ``Desk.numbers``: effective odds, power of the evidence, part that says nothing."""

CHANCES, PROBS, LIKELIHOOD, AFTER = range(4)
"""Rows of the results (4, holdings): chances to win, mean of P(action | holding), the likelihood,
and the pdd after the action."""


class StreetCards(NamedTuple):
    """The cards of a street. H is counted for pairs, listed for singles, looked up for triples."""

    size: int  # number of downcards of a holding: 1 in five-card stud, 3 on 7th street, else 2
    unseen: int  # the unseen cards as a 52-bit set
    n_hidden: int  # hidden cards of a seat
    completions: float  # number of completions of a holding
    hands: float  # number of hidden hands
    ways: Any  # as ``kernels.counting`` (multisets,)
    unions: Any  # as ``kernels.counting``
    listed: Array  # ways of the completions of each single card (rows, 52, completions)
    listed_classes: Array  # their classes (rows, 52, completions)
    own: Array  # face-up cards of each row as a 52-bit set (rows,)
    up: Array  # the same as cards (rows, 4), for triples
    # class of each multiset of hidden ranks (tables, rows, multisets); for triples, of each live
    # one, filled where somebody looks at the row
    classes: Array
    known: Array  # 1 for a row whose triples have their classes (rows,)
    ranks: Any  # for triples, the class by ranks of each table
    flushes: Any  # the class by suited ranks of each table
    cards: Array  # the unseen cards, ascending
    live: Array  # the holdings without a visible card
    # in split pots the first class without a low, and the first low; else empty
    ends: Any


class Readers(NamedTuple):
    """The policy of each seat."""

    sets: Array  # which of ``Policies`` each row has (rows,)
    members: Array  # the number of its members (rows,)
    panels: Array  # 1 for a panel (rows,)
    cards_only: Array  # 1 for a player who looks at cards only (rows,)
    exponents: Array  # their likelihood exponents on the street (rows, members)
    learning: Array  # power of the evidence about the member (rows,)


class Desk(NamedTuple):
    """Arrays that stay where they are: the states, the action, and room for work."""

    pdds: Array  # (states, holdings)
    htpds: Array  # (states, classes)
    counted: Array  # 1 for states with an htpd (states,)
    even: Array  # 1 for states with all holdings equally likely (states,)
    still_in: Array  # 1 for rows that have not folded (MAX_PLAYERS,)
    what: Array  # the action in whole numbers (8,)
    numbers: Array  # the action in other numbers (3,)
    figures: Array  # as ``kernels.reading.weigh`` (6,)
    odds: Array  # P(action | holding) of one holding (actions, members)
    held: Array  # its index (1,)
    actions: Array  # the legal actions (4,)
    owner: Array  # the number of the street whose states these are (1,)
    nodes: Array  # nodes of ``share_against`` by number of opponents (MAX_PLAYERS, nodes)
    weights: Array  # their weights
    n_nodes: Array  # how many there are (MAX_PLAYERS,)
    counting: Any  # as ``kernels.counting``
    rivals: Array  # distributions of the others, as ``Showdown.parts`` (3, players, classes)
    shares: Array  # shares of the pot (3, classes)
    values: Array  # shares of the pot by class (classes,)
    work: Array  # as ``kernels.reading.share_against``
    sorting: Any  # as ``kernels.reading.fill_percentiles``
    percentiles: Array  # (holdings,)
    public: Array  # (1,)
    equals: tuple[Array, Array]  # as ``kernels.reading.fill_odds``
    each: Array  # P(action | holding) of all members (1, members, holdings)
    scales: Array  # (2, members)
    exponents: Array  # (members,)
    hand: Array  # (8,)
    spot: Any  # ``rollout_state.Spot``


_DESK = (
    "Desk(f8.2 f8.2 i8.1 i8.1 i8.1 i8.1 f8.1 f8.1 f8.2 i8.1 i8.1 i8.1 f8.2 f8.2 i8.1"
    " (f8.3 f8.2 f8.2 f8.3 i8.2) f8.3 f8.2 f8.1 f8.3 (u8.2 i8.2 i8.2) f8.1 f8.1 (i8.1 i8.1)"
    " f8.3 f8.2 f8.1 i8.1 Spot(f8.1 f8.1 f8.2 f8.3 f8.1 f8.1 i8.1 f8.1))"
)
FORM = (
    "StreetCards(int int int float float f8.1 u2.1 f8.3 u2.3 i8.1 i8.2 u2.3 i8.1 (u2.2 u2.2)"
    f" (u2.2 u2.2) i8.1 i8.1 i8.1) Readers(i8.1 i8.1 i8.1 i8.1 f8.2 f8.1) {POLICIES} {_DESK}"
    " u4.1 f8.2 f8.2"
)


@shipped("f8.2 u2.2 float f8.1 f8.1")
def count_listed(ways: Array, classes: Array, total: float, pdd: Array, counts: Array) -> None:
    """Fill ``counts`` with the probability of each class under a pdd over single cards (52,).

    ``ways`` and ``classes`` list the completions of each card (52, completions), ``total`` in all.
    """
    counts[:] = 0.0
    for card in range(ways.shape[0]):
        for i in range(ways.shape[1] if pdd[card] > 0.0 else 0):
            counts[classes[card, i]] += ways[card, i] * pdd[card]
    for i in range(counts.size):
        counts[i] /= total


@shipped("f8.2 u2.2 float f8.1 f8.1")
def value_listed(ways: Array, classes: Array, total: float, values: Array, out: Array) -> None:
    """Fill the expected value of each card (52,), given ``values`` of the classes."""
    for card in range(ways.shape[0]):
        value = 0.0
        for i in range(ways.shape[1]):
            value += ways[card, i] * values[classes[card, i]]
        out[card] = value / total


@inlined
def _copy(source: Array, target: Array) -> None:
    for k in range(target.size):
        target[k] = source[k]


@kernel
def _start(cards: Any, table: int) -> int:
    """Return the first class of a table."""
    return int(cards.ends[1]) if table else 0


@kernel
def _classify(cards: Any, row: int, hand: Array) -> None:
    """Look up the classes of a row's triples."""
    if cards.known[row]:
        return
    cards.known[row] = 1
    for table in range(cards.classes.shape[0]):
        ranks = cards.ranks[1] if table else cards.ranks[0]
        flushes = cards.flushes[1] if table else cards.flushes[0]
        class_triples(cards.cards, cards.up[row], ranks, flushes, hand, cards.classes[table, row])


@kernel
def _given(cards: Any, row: int, table: int) -> Any:
    """Return what ``kernels.counting`` needs of a row."""
    flushes = cards.flushes[1] if table else cards.flushes[0]
    known = cards.classes[table, row], flushes
    return cards.unseen, cards.own[row], cards.n_hidden, cards.ways, known, cards.unions


@kernel
def _count(cards: Any, desk: Any, row: int, state: int) -> None:
    """Count the htpd of a state (equation 2)."""
    htpd, pdd, live = desk.htpds[state], desk.pdds[state], cards.live
    n_tables = cards.classes.shape[0]
    desk.counted[state] = 1
    if cards.size == 1:
        ways, classes = cards.listed[row], cards.listed_classes[row]
        count_listed(ways, classes, cards.completions, pdd, htpd)
    elif cards.size == 3:
        _classify(cards, row, desk.hand)
        htpd[:] = 0.0
    for table in range(n_tables):
        end = htpd.size if table + 1 == n_tables else _start(cards, table + 1)
        part = htpd[_start(cards, table) : end]
        if cards.size == 3:
            classes = cards.classes[table, row]
            for i in range(live.size):
                part[classes[i]] += pdd[live[i]]
        elif desk.even[state]:
            count_all(_given(cards, row, table), desk.counting, cards.hands, part)
        else:
            count_pairs(_given(cards, row, table), desk.counting, cards.completions, pdd, part)


@kernel
def _cut(ends: Array, htpd: Array, place: int, rivals: Array) -> None:
    """Copy the distributions of an htpd to a row of the rivals, as ``Showdown.cut``."""
    if ends.size == 0:
        _copy(htpd, rivals[0, place])
        return
    n, first = ends[0], ends[1]
    for k in range(n):
        high = htpd[k]
        if first > n:
            high += htpd[n + k]
            rivals[1, place, k] = htpd[n + k]
        rivals[0, place, k] = high
    _copy(htpd[first:], rivals[2, place, : htpd.size - first])


@kernel
def _value_classes(ends: Array, n_rivals: int, desk: Any) -> None:
    """Fill the share of the pot of each class against the others (equation 1)."""
    used, work, values = desk.n_nodes[n_rivals], desk.work, desk.values
    at, by = desk.nodes[n_rivals, :used], desk.weights[n_rivals, :used]
    if ends.size == 0:
        share_against(desk.rivals[0, :n_rivals], at, by, work, values)
        return
    n, first = ends[0], ends[1]
    high, no_low = desk.shares[0, :n], desk.shares[1, :n]
    low = desk.shares[2, : values.size - first]
    share_against(desk.rivals[0, :n_rivals], at, by, work, high)
    share_against(desk.rivals[2, :n_rivals], at, by, work, low)
    for k in range(n):
        values[k] = high[k] / 2.0
    if first > n:
        share_against(desk.rivals[1, :n_rivals], at, by, work, no_low)
        low[0] = 0.0
        for k in range(n):
            values[n + k] = (high[k] + no_low[k]) / 2.0
    for k in range(low.size):
        values[first + k] = low[k] / 2.0


@kernel
def _value_holdings(cards: Any, row: int, desk: Any, chances: Array) -> None:
    """Add the value of each live holding of a row to its chances: H @ values."""
    if cards.size == 1:
        ways, classes = cards.listed[row], cards.listed_classes[row]
        value_listed(ways, classes, cards.completions, desk.values, chances)
    elif cards.size == 3:
        _classify(cards, row, desk.hand)
    for table in range(cards.classes.shape[0]):
        values = desk.values[_start(cards, table) :]
        if cards.size == 3:
            classes = cards.classes[table, row]
            for i in range(cards.live.size):
                chances[cards.live[i]] += values[classes[i]]
        else:
            given, total = _given(cards, row, table), cards.completions
            value_pairs(given, desk.counting, total, values, chances)


@kernel
def _look(cards: Any, readers: Any, desk: Any, chances: Array) -> None:
    """Fill the chances to win of the player to act, their percentiles and their mean."""
    what, n_rivals = desk.what, 0
    row = what[ROW]
    if what[LOOKED]:
        return
    for other in range(cards.own.size):
        if other != row and desk.still_in[other]:
            state = MAX_PLAYERS + other if readers.cards_only[row] else other
            if not desk.counted[state]:
                _count(cards, desk, other, state)
            _cut(cards.ends, desk.htpds[state], n_rivals, desk.rivals)
            n_rivals += 1
    _value_classes(cards.ends, n_rivals, desk)
    _value_holdings(cards, row, desk, chances)
    if what[LOOKS]:
        fill_percentiles(cards.live, chances, desk.sorting, desk.percentiles, desk.public)
        desk.spot.common[PUBLIC] = log_share(desk.public[0], what[PLAYERS])


@kernel
def _of_row(policies: Any, chosen: int) -> Any:
    """Return the policies of one seat."""
    one = slice(chosen, chosen + 1)
    return Policies(
        policies.ramps[one],
        policies.bluffs[one],
        policies.lapses[one],
        policies.logits[one],
        policies.exponents[one],
        policies.common[one],
        policies.own[one],
        policies.learning,
        policies.idle,
        policies.repeats,
        policies.cards_only,
        policies.shifts,
        policies.masks,
        policies.values,
        policies.with_kinds,
        policies.some_cards_only,
    )


@kernel
def _expect(live: Array, own: Any, desk: Any, action: Array, codes: Array, chances: Array) -> None:
    """Fill P(action | holding) of each member for an action and some holdings (equation 3)."""
    what, spot = desk.what, desk.spot
    legal = (what[BET] == 1, what[FOLD] == 1, what[RAISE] == 1)
    holdings = (live, chances, desk.percentiles, codes, desk.equals[0], desk.equals[1])
    fill_odds(own, action, legal, what[PLAYERS], desk.numbers[ODDS], holdings, spot, desk.each)


@shipped(FORM)
def expect_action(
    cards: Any,
    readers: Any,
    policies: Any,
    desk: Any,
    codes: Array,
    shares: Array,  # noqa: ARG001 - the same arguments as of ``read_action``
    out: Array,
) -> None:
    """Fill the odds of the legal actions with one holding, and the chances to win of all."""
    _look(cards, readers, desk, out[CHANCES])
    own, chances = _of_row(policies, readers.sets[desk.what[ROW]]), out[CHANCES]
    for k in range(desk.odds.shape[0]):
        if desk.actions[k] >= 0:
            _expect(desk.held, own, desk, desk.actions[k : k + 1], codes, chances)
            for member in range(desk.odds.shape[1]):
                desk.odds[k, member] = desk.each[0, member, desk.held[0]]


@shipped(FORM)
def read_action(
    cards: Any, readers: Any, policies: Any, desk: Any, codes: Array, shares: Array, out: Array
) -> None:
    """Read an action: fill the rows of ``out`` and the figures, and change the state of its seat.

    ``codes`` are the kinds of the holdings (holdings,), if a policy looks at them. ``shares`` are
    P(member | holding) of a panel before the action (members, holdings), and become those after it.
    """
    row, chances = desk.what[ROW], out[CHANCES]
    n, power = readers.members[row], desk.numbers[POWER]
    _look(cards, readers, desk, chances)
    if desk.what[ACTION] >= 0:
        own, action = _of_row(policies, readers.sets[row]), desk.what[ACTION : ACTION + 1]
        _expect(cards.live, own, desk, action, codes, chances)
    else:
        desk.each[:] = 0.0
    exponents, learning = desk.exponents[:n], power * readers.learning[row]
    for member in range(n):
        exponents[member] = power * readers.exponents[row, member]
    before, each, panel = desk.pdds[row], desk.each[0, :n], readers.panels[row] == 1
    weigh(
        cards.live,
        before,
        chances,
        each,
        shares,
        panel,
        exponents,
        learning,
        desk.numbers[IDLE],
        desk.scales,
        out[LIKELIHOOD],
        out[PROBS],
        out[AFTER],
        desk.figures,
    )
    if learning < 1.0:
        # The likelihood is scaled: its mean is no longer the evidence.
        desk.figures[0] = desk.figures[5]
    if desk.figures[1] > 0.0:
        _copy(out[AFTER], before)
        desk.counted[row] = desk.even[row] = 0
