"""The betting of a hand by the rules of ``game.table``, for players who make the smallest bets.

Arrays: ``seats`` (seats, 7) has the columns ``PUT`` to ``RAISED`` of every seat dealt in, in order
of its number; ``hand`` (7,) the entries ``STREET`` to ``N_QUEUE``; ``queue`` (seats,) the seats
that still have to act, the next one first; ``rules`` the entries ``FIRST`` to ``CAP_HEADS_UP``,
then the bet of each street. Amounts are in minor units; a stack of -1 never runs out, and a cap of
-1 does not limit the raises. All functions change the arrays in place.
"""

from __future__ import annotations

from typing import Any

import numpy.typing as npt

from handread.kernels.jit import kernel
from handread.kernels.tables import grouped_key

Array = npt.NDArray[Any]

PUT, PAID, STACK, FOLDED, ALL_IN, ACTED, RAISED = range(7)
STREET, BET_TO, FULL_TO, BETS, BRING_IN_OPEN, LEADER, N_QUEUE = range(7)
FIRST, LAST, CARDS, CAP, CAP_HEADS_UP, BET_OF_FIRST = range(6)


@kernel
def n_active(seats: Array) -> int:
    """Return the number of players who have not folded."""
    n = 0
    for i in range(seats.shape[0]):
        n += 1 - seats[i, FOLDED]
    return n


@kernel
def pot_of(seats: Array) -> int:
    """Return all chips put in so far."""
    pot = 0
    for i in range(seats.shape[0]):
        pot += seats[i, PAID]
    return pot


@kernel
def n_bettors(seats: Array) -> int:
    """Return the number of players who have neither folded nor are all-in."""
    n = 0
    for i in range(seats.shape[0]):
        n += seats[i, FOLDED] == 0 and seats[i, ALL_IN] == 0
    return n


@kernel
def raise_target(seats: Array, hand: Array, rules: Array, seat: int) -> int:
    """Return the street total of the smallest bet or raise of a seat; -1 if it may not raise."""
    cap = rules[CAP_HEADS_UP] if n_active(seats) == 2 else rules[CAP]
    if (cap >= 0 and hand[BETS] >= cap) or not _is_open_to(seats, hand, rules, seat):
        return -1
    bet_to = hand[BET_TO]
    callable_ = False
    for i in range(seats.shape[0]):
        if i != seat and seats[i, FOLDED] == 0 and seats[i, ALL_IN] == 0:
            callable_ |= seats[i, STACK] < 0 or seats[i, PUT] + seats[i, STACK] > bet_to
    if not callable_:
        return -1
    to = _full_target(hand, rules)
    if seats[seat, STACK] >= 0:
        to = min(to, seats[seat, PUT] + seats[seat, STACK])
    return to if to > bet_to else -1


@kernel
def _is_open_to(seats: Array, hand: Array, rules: Array, seat: int) -> bool:
    """Return True unless all raises since a seat acted are short all-ins."""
    if hand[BET_TO] >= hand[FULL_TO] or seats[seat, ACTED] == 0:
        return True
    put = seats[seat, PUT]
    full = _bet(hand, rules) if hand[BETS] else hand[FULL_TO] - put
    return bool(2 * (hand[BET_TO] - put) >= full)


@kernel
def _bet(hand: Array, rules: Array) -> int:
    return int(rules[BET_OF_FIRST + hand[STREET] - rules[FIRST]])


@kernel
def _full_target(hand: Array, rules: Array) -> int:
    """Return the street total of the smallest full bet: one bet more, or a short all-in's rest."""
    bet_to = hand[BET_TO]
    size = _bet(hand, rules)
    if hand[BRING_IN_OPEN] and size > bet_to:
        return size
    if hand[BRING_IN_OPEN] == 0 and hand[FULL_TO] > bet_to:
        return int(min(bet_to + size, hand[FULL_TO]))
    return int(bet_to + size)


@kernel
def _pay(seats: Array, seat: int, amount: int) -> None:
    seats[seat, PUT] += amount
    seats[seat, PAID] += amount
    if seats[seat, STACK] >= 0:
        seats[seat, STACK] -= amount
        if seats[seat, STACK] == 0:
            seats[seat, ALL_IN] = 1


@kernel
def fold(seats: Array, hand: Array, queue: Array) -> None:
    """Fold the hand of the next player."""
    seats[queue[0], FOLDED] = 1
    _next(seats, hand, queue)


@kernel
def call(seats: Array, hand: Array, queue: Array) -> None:
    """Check or call for the next player, with the last chips if need be."""
    seat = queue[0]
    due = hand[BET_TO] - seats[seat, PUT]
    if seats[seat, STACK] >= 0:
        due = min(due, seats[seat, STACK])
    if due > 0:
        _pay(seats, seat, due)
    _next(seats, hand, queue)


@kernel
def _fill_queue(seats: Array, hand: Array, queue: Array, seat: int, skip: int) -> None:
    """Queue the players who can bet, clockwise from a seat, without the first ``skip`` seats."""
    n = 0
    for step in range(skip, seats.shape[0]):
        other = (seat + step) % seats.shape[0]
        if seats[other, FOLDED] == 0 and seats[other, ALL_IN] == 0:
            queue[n] = other
            n += 1
    hand[N_QUEUE] = n


@kernel
def raise_to(seats: Array, hand: Array, queue: Array, rules: Array, to: int) -> None:
    """Bet or raise for the next player, to a street total of ``raise_target``."""
    seat = queue[0]
    full = _full_target(hand, rules)
    _pay(seats, seat, to - seats[seat, PUT])
    _fill_queue(seats, hand, queue, seat, 1)
    hand[BETS] += to >= full
    hand[BET_TO] = to
    hand[FULL_TO] = max(to, full)
    hand[BRING_IN_OPEN] = 0
    hand[LEADER] = seat
    seats[seat, ACTED] = 1
    seats[seat, RAISED] += 1
    _close_if_over(seats, hand)


@kernel
def _next(seats: Array, hand: Array, queue: Array) -> None:
    seats[queue[0], ACTED] = 1
    hand[N_QUEUE] -= 1
    for i in range(hand[N_QUEUE]):
        queue[i] = queue[i + 1]
    _close_if_over(seats, hand)


@kernel
def _close_if_over(seats: Array, hand: Array) -> None:
    """Close the betting round if nobody has to act, and return an uncalled bet to its owner."""
    alone = False
    if n_bettors(seats) == 1:
        for i in range(seats.shape[0]):
            if seats[i, FOLDED] == 0 and seats[i, ALL_IN] == 0:
                alone = seats[i, PUT] >= hand[BET_TO]
    if hand[N_QUEUE] > 0 and not alone and n_active(seats) > 1:
        return
    hand[N_QUEUE] = 0
    most = -1
    for i in range(seats.shape[0]):
        if seats[i, FOLDED] == 0 and (most < 0 or seats[i, PAID] > seats[most, PAID]):
            most = i
    second = 0
    for i in range(seats.shape[0]):
        if i != most:
            second = max(second, seats[i, PAID])
    back = seats[most, PAID] - second
    if back > 0:
        seats[most, PAID] -= back
        seats[most, ALL_IN] = 0
        if seats[most, STACK] >= 0:
            seats[most, STACK] += back


@kernel
def next_street(seats: Array, hand: Array) -> None:
    """Begin the next street."""
    for i in range(seats.shape[0]):
        seats[i, PUT] = 0
        seats[i, ACTED] = 0
    hand[STREET] += 1
    hand[BET_TO] = 0
    hand[FULL_TO] = 0
    hand[BETS] = 0
    hand[BRING_IN_OPEN] = 0
    hand[N_QUEUE] = 0


@kernel
def open_from(seats: Array, hand: Array, queue: Array, opener: int) -> None:
    """Open the betting of a later street with the seat that leads it."""
    _fill_queue(seats, hand, queue, opener, 0)


@kernel
def showing_key(up: Array, n: int, low: int, counts: Array) -> int:
    """Return a number that orders showing hands of up to four cards, the greatest leading.

    With ``low`` the lowest hand without a pair leads, as in razz; the ace is low if it is 1.
    ``counts`` (13,) is room for the ranks.
    """
    counts[:] = 0
    for i in range(n):
        rank = up[i] >> 2
        counts[(rank + 1) % 13 if low == 1 else rank] += 1
    pairs, most = 0, 0
    for rank in range(13):
        pairs += counts[rank] == 2
        most = max(most, counts[rank])
    # High card, one pair, two pairs, three and four of a kind.
    key = grouped_key(4 if most == 4 else 3 if most == 3 else pairs, counts, 4)
    return -key if low else key


@kernel
def leading_seat(seats: Array, up: Array, n_up: Array, low: int, room: Array) -> int:
    """Return the seat with chips that leads with its upcards, the lowest seat of equals."""
    best, best_key = -1, 0
    for i in range(seats.shape[0]):
        if seats[i, FOLDED] == 0 and seats[i, ALL_IN] == 0:
            key = showing_key(up[i], n_up[i], low, room)
            if best < 0 or key > best_key:
                best, best_key = i, key
    return best


@kernel
def winnings(seats: Array, highs: Array, lows: Array, splits: bool, rake: int, seat: int) -> int:
    """Return what a seat gets at the end, in minor units, as ``game.pots.shares``.

    ``highs`` (seats,) and ``lows`` (seats,) are the classes of the hands, the greatest best; a low
    of 0 does not qualify, and ``lows`` count only in a game that ``splits`` the pot. The rake comes
    out of the main pot first; odd chips go to the high half, then to the lowest seats.
    """
    won, below, total = 0, 0, 0
    top_live, top = 0, 0
    for i in range(seats.shape[0]):
        total += seats[i, PAID]
        top = max(top, seats[i, PAID])
        if seats[i, FOLDED] == 0:
            top_live = max(top_live, seats[i, PAID])
    while below < top_live:
        level = top_live
        for i in range(seats.shape[0]):
            if seats[i, FOLDED] == 0 and below < seats[i, PAID] < level:
                level = seats[i, PAID]
        reach = top if level == top_live else level
        amount = 0
        in_pot = 0
        for i in range(seats.shape[0]):
            amount += max(0, min(seats[i, PAID], reach) - below)
            in_pot += seats[i, FOLDED] == 0 and seats[i, PAID] >= level
        taken = min(rake, amount)
        rake -= taken
        amount -= taken
        if seats[seat, FOLDED] == 0 and seats[seat, PAID] >= level:
            if in_pot == 1:
                won += amount
            else:
                low_best = 0
                if splits:
                    low_best = _best(seats, lows, level)
                if low_best > 0:
                    won += _part(seats, highs, level, amount - amount // 2, seat)
                    won += _part(seats, lows, level, amount // 2, seat)
                else:
                    won += _part(seats, highs, level, amount, seat)
        below = level
    return won


@kernel
def _best(seats: Array, classes: Array, level: int) -> int:
    best = 0
    for i in range(seats.shape[0]):
        if seats[i, FOLDED] == 0 and seats[i, PAID] >= level:
            best = max(best, classes[i])
    return best


@kernel
def _part(seats: Array, classes: Array, level: int, amount: int, seat: int) -> int:
    """Return a seat's share of a half of a pot."""
    best = _best(seats, classes, level)
    if classes[seat] < best:
        return 0
    winners, place = 0, 0
    for i in range(seats.shape[0]):
        if seats[i, FOLDED] == 0 and seats[i, PAID] >= level and classes[i] == best:
            place += i < seat
            winners += 1
    return int(amount // winners + (place < amount % winners))
