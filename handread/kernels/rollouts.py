"""Play a hand on to its end many times, with the public beliefs as particles.

The players bet by policies at their chance to win against the public beliefs, and the observer of
the table reads their actions by Bayes' rule, as in ``continuation.play_on``. Here the beliefs are
weighted particles (``kernels.particles``), and everything is compiled. ``kernels.betting`` has the
rules, ``kernels.acting`` the players, ``kernels.rollout_state`` the arrays.
"""

from __future__ import annotations

from typing import Any

import numpy.typing as npt

from handread.kernels.acting import act, downcards_held, fill_belief_table
from handread.kernels.betting import (
    CARDS,
    FIRST,
    FOLDED,
    LAST,
    N_QUEUE,
    PAID,
    STREET,
    leading_seat,
    n_active,
    n_bettors,
    next_street,
    open_from,
    pot_of,
    winnings,
)
from handread.kernels.jit import inlined, kernel, shipped
from handread.kernels.particles import (
    complete,
    fill_table,
    flush_class,
    hand_place,
    lift,
    prune,
    revive,
    start_stream,
)
from handread.kernels.rollout_state import AT_START, CURRENT, EVEN, FORM

Array = npt.NDArray[Any]


@kernel
def _deal_card(state: Array, seat: int, seats: Array, place: Array, order: Array) -> int:
    """Return the next card of a seat, as from a ``continuation.Stock``.

    ``state`` (seats + 3,) has the number of cards that each seat has had, then the number of seats
    with cards to come, the size of the rest of the deck and the most cards of a seat. The seat -1
    takes a card that nobody needs, or else of any seat.
    """
    n_seats = seats.shape[0]
    n, size, most = state[n_seats], state[n_seats + 1], state[n_seats + 2]
    if seat >= 0 and place[seat] >= 0 and state[seat] < most:
        at = place[seat] + n * state[seat]
        if at < size:
            state[seat] += 1
            return int(order[at])
    for still_in in range(2):
        for other in range(n_seats):
            if place[other] < 0 or (1 - seats[other, FOLDED]) != still_in:
                continue
            at = place[other] + n * state[other]
            if state[other] < most and at < size:
                state[other] += 1
                return int(order[at])
    return -1


@inlined
def _complete(
    at: Any, work: Any, tables: Any, seat: int, down: Any, n_unseen: int, ends: Any
) -> None:
    """Make the completions of a holding; ``down`` is its cards and their number."""
    hold, n_down = down
    classes, lows = ends
    complete(
        hold,
        n_down,
        at.up[seat],
        at.n_up[seat],
        (work.unseen, n_unseen),
        at.limits[CARDS],
        tables,
        (work.stream, work.hand, work.ranks),
        classes,
        lows,
    )


@kernel
def _complete_all(
    at: Any, held: Any, work: Any, tables: Any, seat: int, n_down: int, per: int, n_unseen: int
) -> None:
    for k in range(held.n[seat]):
        if held.even[seat, k] > 0.0:
            here = slice(k * per, k * per + per)
            ends = (work.classes[seat, here], work.lows[seat, here])
            _complete(at, work, tables, seat, (held.hold[seat, k], n_down), n_unseen, ends)


@kernel
def _fill_unseen(at: Any, work: Any) -> int:
    """Fill the unseen cards; return their number."""
    n = 0
    for card in range(52):
        if at.counts[1] >> card & 1 == 0:
            work.unseen[n] = card
            n += 1
    return n


@kernel
def _begin_street(
    at: Any, held: Any, work: Any, tables: Any, each: Array, seed: int, first: bool, rollout: int
) -> int:
    """Make particles and completions fit the cards of a street; return completions a particle.

    On the ``first`` street of the rollouts they are there already, the same in all rollouts; only
    the completions of the true holdings are made.
    """
    street = at.hand[STREET]
    n_down = downcards_held(at)
    n_unseen = _fill_unseen(at, work)
    deck = (work.unseen, n_unseen)
    per = 1
    for seat in range(at.seats.shape[0]):
        if at.seats[seat, FOLDED]:
            continue
        ends = n_down + at.n_up[seat] == at.limits[CARDS]
        per = 1 if ends else each[0]
        start_stream(work.stream, seed, ((rollout + 1) * 8 + street) * 8 + seat)
        if not first:
            even, belief, n = held.even[seat], held.belief[seat], held.n[seat]
            before = min(n_down, 2)
            prune(held.hold[seat], n, before, at.counts[1], even, belief)
            revive(held.hold[seat], n, before, deck, work.stream, even, belief)
            if n_down == 3:
                held.n[seat] = lift(held.hold[seat], n, each[1], deck, work.stream, even, belief)
            _complete_all(at, held, work, tables, seat, n_down, per, n_unseen)
        own = slice(0, 1 if ends else each[2])
        own_ends = (work.own_classes[seat, own], work.own_lows[seat, own])
        _complete(at, work, tables, seat, (work.down[seat], n_down), n_unseen, own_ends)
        work.stale[seat] = not first
        work.which[seat] = AT_START if first else CURRENT
    return per


@kernel
def _deal_street(at: Any, work: Any, order: Array) -> int:
    """Deal the cards of a street that has begun; return the seat that leads it."""
    street = at.hand[STREET] - at.limits[FIRST]
    undealt = 52 - at.counts[0]
    if at.hand[STREET] == at.limits[LAST] and undealt < n_active(at.seats):
        leader = leading_seat(at.seats, at.up, at.n_up, at.low_leads, work.ranks)
        card = _deal_card(work.dealt, -1, at.seats, at.place, order)
        at.counts[1] |= 1 << card
        at.counts[2] = 1
        for seat in range(at.seats.shape[0]):
            if at.seats[seat, FOLDED] == 0:
                at.up[seat, at.n_up[seat]] = card
                at.n_up[seat] += 1
        return leader
    n_down = at.deals[street - 1, 2]
    for seat in range(at.seats.shape[0]):
        if at.seats[seat, FOLDED]:
            continue
        for i in range(at.deals[street, 0]):
            work.down[seat, n_down + i] = _deal_card(work.dealt, seat, at.seats, at.place, order)
        for _ in range(at.deals[street, 1]):
            card = _deal_card(work.dealt, seat, at.seats, at.place, order)
            at.counts[1] |= 1 << card
            at.up[seat, at.n_up[seat]] = card
            at.n_up[seat] += 1
        at.counts[0] += at.deals[street, 0] + at.deals[street, 1]
    return leading_seat(at.seats, at.up, at.n_up, at.low_leads, work.ranks)


@kernel
def _settle(at: Any, work: Any, tables: Any, rake: Array, me: int) -> int:
    """Return what a seat gets at the end, in minor units."""
    by_ranks, by_flush, low_ranks = tables
    n_seats, n_cards = at.seats.shape[0], at.limits[CARDS]
    highs, lows = work.final[0], work.final[1]
    work.final[:] = 0
    hand = work.hand
    kept = int(pot_of(at.seats) * rake[0])
    if rake[1] >= 0.0:
        kept = min(kept, int(rake[1]))
    if n_active(at.seats) > 1:
        for seat in range(n_seats):
            if at.seats[seat, FOLDED]:
                continue
            n = at.n_up[seat]
            for i in range(n):
                hand[i] = at.up[seat, i]
            for i in range(n_cards - n):
                hand[n + i] = work.down[seat, i]
            row, column = hand_place(hand, n_cards, -1, work.ranks)
            flush = flush_class(hand, n_cards, by_flush)
            highs[seat] = by_ranks[row, column] if flush < 0 else flush
            if low_ranks.size:
                lows[seat] = low_ranks[row, column]
    return winnings(at.seats, highs, lows, low_ranks.size > 0, kept, me)


@kernel
def _restore(at: Any, held: Any, setting: Any, particles: Any) -> None:
    """Take the state and the beliefs back to where the rollouts begin."""
    for i in range(at.hand.size):
        at.hand[i] = setting.hand[i]
    for i in range(at.counts.size):
        at.counts[i] = setting.counts[i]
    for seat in range(particles.n.size):
        at.queue[seat] = setting.queue[seat]
        at.n_up[seat] = setting.n_up[seat]
        for i in range(at.seats.shape[1]):
            at.seats[seat, i] = setting.seats[seat, i]
        for i in range(at.up.shape[1]):
            at.up[seat, i] = setting.up[seat, i]
        held.n[seat] = particles.n[seat]
        for k in range(particles.n[seat]):
            held.even[seat, k] = particles.even[seat, k]
            for i in range(3):
                held.hold[seat, k, i] = particles.hold[seat, k, i]
            for member in range(held.belief.shape[1]):
                held.belief[seat, member, k] = particles.belief[seat, member, k]


@kernel
def _play(
    at: Any, held: Any, work: Any, tables: Any, policies: Any, each: Array, chance: Any
) -> None:
    """Play a hand on to its end.

    ``chance`` is the seed of the completions, the number of the rollout, its draws for the actions
    (seats, actions) and the cards to come (52,).
    """
    seed, rollout, draws, order = chance
    splits, n_seats, first = tables[2].size > 0, at.seats.shape[0], True
    while True:
        if at.hand[N_QUEUE] > 0:
            per = _begin_street(at, held, work, tables, each, seed, first, rollout)
            if policies.some_cards_only:
                for seat in range(n_seats):
                    ends = (work.classes[seat], work.lows[seat])
                    even, table = held.even[seat], work.tables[EVEN, seat]
                    fill_table(even, held.n[seat], per, ends, at.tie, splits, table)
            while at.hand[N_QUEUE] > 0:
                seat = at.queue[0]
                draw = draws[seat, work.acted[seat] % draws.shape[1]]
                work.acted[seat] += 1
                act(at, held, work, policies, per, splits, draw)
        if n_active(at.seats) < 2 or at.hand[STREET] == at.limits[LAST]:
            return
        first = False
        next_street(at.seats, at.hand)
        leader = _deal_street(at, work, order)
        if n_bettors(at.seats) > 1:
            open_from(at.seats, at.hand, at.queue, leader)


@kernel
def complete_start(at: Any, held: Any, work: Any, tables: Any, each: Array, seed: int) -> None:
    """Make the completions and tables of the first street, the same in all rollouts."""
    n_down, n_unseen = downcards_held(at), _fill_unseen(at, work)
    for seat in range(at.seats.shape[0]):
        if at.seats[seat, FOLDED] == 0:
            start_stream(work.stream, seed, seat)
            per = 1 if n_down + at.n_up[seat] == at.limits[CARDS] else each[0]
            _complete_all(at, held, work, tables, seat, n_down, per, n_unseen)
            fill_belief_table(at, held, work, seat, per, tables[2].size > 0, AT_START)


@kernel
def _keep_note(note: Array, acted: int, kept: Array) -> None:
    """Move what was noted, and the number of actions of the seat, to the notes of a rollout."""
    note[note.size - 1] = acted
    for i in range(note.size):
        kept[i] = note[i]
        note[i] = 0.0


@shipped(FORM)
def roll_out(
    seed: int,
    me: int,
    rake: Array,
    each: Array,
    starts: Any,
    state: Any,
    tables: Any,
    policies: Any,
    futures: Any,
    nets: Array,
    notes: Array,
) -> None:
    """Fill ``nets`` (rollouts,) with what a seat wins from here on, less what it puts in.

    ``rake`` is the house's part of the pot and its most, -1 for no limit. ``each`` (3,) counts
    completions of a particle, third downcards of a pair on 7th street, and completions of a true
    holding. ``starts`` is the ``Setting`` and the ``Particles`` at the start; ``state``, copies of
    these and the ``Work``, is overwritten. ``tables`` are as in ``FinalTables``, perhaps empty.
    ``notes`` (rollouts, N_NOTED), or no rows, gets forced decisions. Nets are in minor units.
    """
    (setting, particles), (at, held, work) = starts, state
    n_seats, n_members = work.shares.shape
    complete_start(at, held, work, tables, each, seed)
    width = work.classes.shape[1]
    for seat in range(n_seats):
        for i in range(width):
            work.start_classes[seat, i] = work.classes[seat, i]
            work.start_lows[seat, i] = work.lows[seat, i]
    for rollout in range(nets.size):
        _restore(at, held, setting, particles)
        for seat in range(n_seats):
            work.acted[seat] = 0
            work.dealt[seat] = 0
            for i in range(3):
                work.down[seat, i] = futures.down[rollout, seat, i]
            for member in range(n_members):
                work.shares[seat, member] = futures.shares[rollout, seat, member]
            for i in range(min(width, particles.n[seat] * each[0])):
                work.classes[seat, i] = work.start_classes[seat, i]
                work.lows[seat, i] = work.start_lows[seat, i]
        work.dealt[n_seats] = futures.places
        work.dealt[n_seats + 1] = futures.sizes[rollout]
        work.dealt[n_seats + 2] = at.limits[CARDS]
        chance = (seed, rollout, futures.draws[rollout], futures.order[rollout])
        _play(at, held, work, tables, policies, each, chance)
        won = _settle(at, work, tables, rake, me)
        nets[rollout] = won - at.seats[me, PAID] + setting.seats[me, PAID]
        if notes.shape[0]:
            _keep_note(work.note, work.acted[me], notes[rollout])
