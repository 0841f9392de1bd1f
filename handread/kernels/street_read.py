"""The read of all actions of a street in one call: the steps of ``kernels.reading``, in turn.

Theory
======

An action is read by the chance to win of its player, and that by the htpds of the others; the pdd
of the player changes, and with it the htpd that the next one looks at. So a street is a list of
*states*, each the pdd and the htpd of a seat at some time:

    state r            the seat of row r before the betting, for each of the n seats
    state n + r        row r with all holdings equally likely, if somebody looks at cards only
    the last states    the seat that acted after each action, in order

The htpd of a state is counted when the first player looks at it, and kept. An action that says
nothing about the holding leaves the state of its seat as it was.

Why so
======

Called one by one from Python, the steps of an action spent as long on their arguments as on
arithmetic. The steps are the same kernels: a read by steps, as for a policy of one's own, gives the
same bits. One call for a whole hand would gain no more: each street deals other cards.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy.typing as npt

from handread.kernels.acting import log_share
from handread.kernels.counting import (
    class_triples,
    count_all,
    count_listed,
    count_pairs,
    value_listed,
)
from handread.kernels.jit import inlined, kernel, shipped
from handread.kernels.pair_values import value_pairs
from handread.kernels.reading import fill_odds, fill_percentiles, share_against, weigh
from handread.kernels.rollout_state import POLICIES, Policies

Array = npt.NDArray[Any]

PUBLIC = 8
"""Place of the feature of the mean chance to win among the features of a decision."""

ROW, ACTION, BET, FOLD, RAISE, PLAYERS, FOLDS = range(7)
"""Columns of ``Moves.what``; the action is -1 if the rules do not allow it."""

ODDS, POWER, IDLE = range(3)
"""Columns of ``Moves.numbers``."""


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


class States(NamedTuple):
    """The beliefs about the seats, by state."""

    pdds: Array  # (states, holdings)
    htpds: Array  # (states, classes)
    counted: Array  # 1 for states with an htpd (states,)
    even: Array  # the state of each row with all holdings equally likely (rows,); -1 for none
    current: Array  # the state of each row (rows,)
    still_in: Array  # 1 for rows that have not folded (rows,)


class Readers(NamedTuple):
    """The policies by which the seats are read."""

    sets: Array  # which of ``Policies`` each row has (rows,)
    members: Array  # the number of its members (rows,)
    panels: Array  # 1 for a panel (rows,)
    cards_only: Array  # 1 for a player who looks at cards only (rows,)
    exponents: Array  # their likelihood exponents on the street (rows, members)
    learning: Array  # power of the evidence about the member (rows,)


class Moves(NamedTuple):
    """The actions of a street in order."""

    what: Array  # whole numbers (actions, 7)
    # effective odds, power of the evidence, and the part of it that says nothing (actions, 3)
    numbers: Array
    common: Array  # features of the decision (actions, 22), without the mean chance to win
    conditions: Array  # its conditions (actions, 7)
    codes: Array  # kinds of the holdings (actions, holdings), if a policy looks at them


class Room(NamedTuple):
    """Arrays for work."""

    counting: tuple[Array, Array, Array, Array, Array]  # as ``kernels.counting``
    rivals: Array  # distributions of the others, as ``Showdown.parts`` (3, players, classes)
    shares: Array  # shares of the pot (3, classes)
    values: Array  # shares of the pot by class (classes,)
    work: Array  # as ``kernels.reading.share_against``
    sorting: tuple[Array, Array, Array]  # as ``kernels.reading.fill_percentiles``
    percentile: Array  # (holdings,)
    public: Array  # (1,)
    equals: tuple[Array, Array]  # as ``kernels.reading.fill_odds``
    each: Array  # P(action | holding) of all members (1, members, holdings)
    scales: Array  # (2, members)
    exponents: Array  # (members,)
    none: Array  # shares of a single policy (1, 1)
    no_codes: Array  # kinds of holdings for policies that do not look at them (holdings,)
    hand: Array  # (8,)


class Found(NamedTuple):
    """What the actions say."""

    chances: Array  # chance to win of each holding (actions, holdings)
    action_probs: Array  # mean of P(action | holding) (actions, holdings)
    likelihoods: Array  # (actions, holdings)
    # P(member | holding) after the action, of panels (actions, members, holdings); for the first
    # action of a row given before it
    shares: Array
    figures: Array  # as ``kernels.reading.weigh`` (actions, 6)
    states: Array  # the state of the player before and after the action (actions, 2)


FORM = (
    "StreetCards(int int int float float f8.1 u2.1 f8.3 u2.3 i8.1 i8.2 u2.3 i8.1 (u2.2 u2.2)"
    " (u2.2 u2.2) i8.1 i8.1 i8.1)"
    " States(f8.2 f8.2 i8.1 i8.1 i8.1 i8.1)"
    " Readers(i8.1 i8.1 i8.1 i8.1 f8.2 f8.1)"
    f" {POLICIES}"
    " Moves(i8.2 f8.2 f8.2 f8.2 u4.2)"
    " (f8.2 f8.2 i8.1)"
    " Room((f8.3 f8.2 f8.2 f8.3 i8.2) f8.3 f8.2 f8.1 f8.3 (u8.2 i8.2 i8.2) f8.1 f8.1 (i8.1 i8.1)"
    " f8.3 f8.2 f8.1 f8.2 u4.1 i8.1)"
    " Spot(f8.1 f8.1 f8.2 f8.3 f8.1 f8.1 i8.1 f8.1)"
    " Found(f8.2 f8.2 f8.2 f8.3 f8.2 i8.2)"
)


@inlined
def _copy(source: Array, target: Array) -> None:
    for k in range(target.size):
        target[k] = source[k]


@kernel
def _start(cards: Any, table: int) -> int:
    """Return the first class of a table."""
    return int(cards.ends[1]) if table else 0


@kernel
def _classify(cards: Any, row: int, room: Any) -> None:
    """Look up the classes of a row's triples."""
    if cards.known[row]:
        return
    cards.known[row] = 1
    for table in range(cards.classes.shape[0]):
        ranks = cards.ranks[1] if table else cards.ranks[0]
        flushes = cards.flushes[1] if table else cards.flushes[0]
        class_triples(
            cards.cards, cards.up[row], ranks, flushes, room.hand, cards.classes[table, row]
        )


@kernel
def _given(cards: Any, row: int, table: int) -> Any:
    """Return what ``kernels.counting`` needs of a row."""
    flushes = cards.flushes[1] if table else cards.flushes[0]
    known = cards.classes[table, row], flushes
    return cards.unseen, cards.own[row], cards.n_hidden, cards.ways, known, cards.unions


@kernel
def _count(cards: Any, states: Any, row: int, state: int, room: Any) -> None:
    """Count the htpd of a state (equation 2)."""
    htpd, pdd, live = states.htpds[state], states.pdds[state], cards.live
    n_tables = cards.classes.shape[0]
    states.counted[state] = 1
    if cards.size == 1:
        ways, classes = cards.listed[row], cards.listed_classes[row]
        count_listed(ways, classes, cards.completions, pdd, htpd)
    elif cards.size == 3:
        _classify(cards, row, room)
        htpd[:] = 0.0
    for table in range(n_tables):
        end = htpd.size if table + 1 == n_tables else _start(cards, table + 1)
        part = htpd[_start(cards, table) : end]
        if cards.size == 3:
            classes = cards.classes[table, row]
            for i in range(live.size):
                part[classes[i]] += pdd[live[i]]
        elif state == states.even[row]:
            count_all(_given(cards, row, table), room.counting, cards.hands, part)
        else:
            count_pairs(_given(cards, row, table), room.counting, cards.completions, pdd, part)


@kernel
def _cut(ends: Array, htpd: Array, place: int, rivals: Array) -> None:
    """Add the distributions that make an htpd to those of the others, as ``Showdown.cut``."""
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
def _value_classes(ends: Array, n_rivals: int, ties: Any, room: Any) -> None:
    """Fill the share of the pot of each class against the others (equation 1)."""
    nodes, weights, n_nodes = ties
    used = n_nodes[n_rivals]
    at, by = nodes[n_rivals, :used], weights[n_rivals, :used]
    values = room.values
    if ends.size == 0:
        share_against(room.rivals[0, :n_rivals], at, by, room.work, values)
        return
    n, first = ends[0], ends[1]
    high, no_low = room.shares[0, :n], room.shares[1, :n]
    low = room.shares[2, : values.size - first]
    share_against(room.rivals[0, :n_rivals], at, by, room.work, high)
    share_against(room.rivals[2, :n_rivals], at, by, room.work, low)
    for k in range(n):
        values[k] = high[k] / 2.0
    if first > n:
        share_against(room.rivals[1, :n_rivals], at, by, room.work, no_low)
        low[0] = 0.0
        for k in range(n):
            values[n + k] = (high[k] + no_low[k]) / 2.0
    for k in range(low.size):
        values[first + k] = low[k] / 2.0


@kernel
def _value_holdings(cards: Any, row: int, room: Any, chances: Array) -> None:
    """Add the value of each live holding of a row to its chances: H @ values."""
    if cards.size == 1:
        ways, classes = cards.listed[row], cards.listed_classes[row]
        value_listed(ways, classes, cards.completions, room.values, chances)
    elif cards.size == 3:
        _classify(cards, row, room)
    for table in range(cards.classes.shape[0]):
        values = room.values[_start(cards, table) :]
        if cards.size == 3:
            classes = cards.classes[table, row]
            for i in range(cards.live.size):
                chances[cards.live[i]] += values[classes[i]]
        else:
            value_pairs(
                _given(cards, row, table), room.counting, cards.completions, values, chances
            )


@kernel
def _look(cards: Any, states: Any, row: int, cards_only: bool, ties: Any, room: Any) -> None:
    """Fill the share of the pot of each class against the others who are still in."""
    n_rivals = 0
    for other in range(states.current.size):
        if other != row and states.still_in[other]:
            state = states.even[other] if cards_only else states.current[other]
            if not states.counted[state]:
                _count(cards, states, other, state, room)
            _cut(cards.ends, states.htpds[state], n_rivals, room.rivals)
            n_rivals += 1
    _value_classes(cards.ends, n_rivals, ties, room)


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
def _expect(
    live: Array, own: Any, moves: Any, i: int, chance: Array, spot: Any, room: Any, each: Array
) -> None:
    """Fill P(action | holding) of each member for an action (equation 3)."""
    what, n_players = moves.what[i], moves.what[i, PLAYERS]
    legal = (what[BET] == 1, what[FOLD] == 1, what[RAISE] == 1)
    codes = room.no_codes
    logits = 0
    for member in range(each.shape[1]):
        logits += own.logits[0, member]
    if logits:
        fill_percentiles(live, chance, room.sorting, room.percentile, room.public)
        _copy(moves.common[i], spot.common)
        spot.common[PUBLIC] = log_share(room.public[0], n_players)
        _copy(moves.conditions[i], spot.conditions)
        if moves.codes.shape[0]:
            codes = moves.codes[i]
    holdings = (live, chance, room.percentile, codes, room.equals[0], room.equals[1])
    odds = moves.numbers[i, ODDS]
    fill_odds(own, what[ACTION : ACTION + 1], legal, n_players, odds, holdings, spot, each)


@kernel
def _copy_shares(moves: Any, i: int, found: Any) -> None:
    """Fill P(member | holding) before an action as it was after the last one of the same row."""
    for earlier in range(i - 1, -1, -1):
        if moves.what[earlier, ROW] == moves.what[i, ROW]:
            for member in range(found.shares.shape[1]):
                _copy(found.shares[earlier, member], found.shares[i, member])
            return


@shipped(FORM)
def read_street(
    cards: Any,
    states: Any,
    readers: Any,
    policies: Any,
    moves: Any,
    ties: Any,
    room: Any,
    spot: Any,
    found: Any,
) -> None:
    """Read the actions of a street in turn: fill ``Found``, and the states after each.

    ``ties`` are the nodes and weights of ``share_against`` by the number of opponents, and how many
    there are.
    """
    n_actions = moves.what.shape[0]
    for i in range(n_actions):
        row = moves.what[i, ROW]
        n, panel = readers.members[row], readers.panels[row] == 1
        _look(cards, states, row, readers.cards_only[row] == 1, ties, room)
        _value_holdings(cards, row, room, found.chances[i])
        own = _of_row(policies, readers.sets[row])
        each = room.each
        each[:] = 0.0
        if moves.what[i, ACTION] >= 0:
            _expect(cards.live, own, moves, i, found.chances[i], spot, room, each)
        if panel:
            _copy_shares(moves, i, found)
        shares = found.shares[i, :n] if panel else room.none
        exponents, power = room.exponents[:n], moves.numbers[i, POWER]
        for member in range(n):
            exponents[member] = power * readers.exponents[row, member]
        state, after = states.current[row], states.counted.size - n_actions + i
        weigh(
            cards.live,
            states.pdds[state],
            found.chances[i],
            each[0, :n],
            shares,
            panel,
            exponents,
            power * readers.learning[row],
            moves.numbers[i, IDLE],
            room.scales,
            found.likelihoods[i],
            found.action_probs[i],
            states.pdds[after],
            found.figures[i],
        )
        if power * readers.learning[row] < 1.0:
            # The likelihood is scaled: its mean is no longer the evidence.
            found.figures[i, 0] = found.figures[i, 5]
        found.states[i, 0] = state
        if found.figures[i, 1] > 0.0:
            states.current[row] = after
        found.states[i, 1] = states.current[row]
        states.still_in[row] = 1 - moves.what[i, FOLDS]
