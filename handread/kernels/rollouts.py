"""Play a hand on to its end many times, with the public beliefs as particles.

The players bet by policies at their chance to win against the public beliefs, and the observer of
the table reads their actions by Bayes' rule, as in ``continuation.play_on``. Here the beliefs are
weighted particles (``kernels.particles``), and everything is compiled.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from handread.kernels.betting import (
    ACTED,
    BET_OF_FIRST,
    BET_TO,
    BETS,
    CARDS,
    FIRST,
    FOLDED,
    LAST,
    LEADER,
    N_QUEUE,
    PAID,
    PUT,
    STREET,
    call,
    fold,
    leading_seat,
    n_active,
    n_bettors,
    next_street,
    open_from,
    pot_of,
    raise_target,
    raise_to,
    winnings,
)
from handread.kernels.holdings import stud_codes
from handread.kernels.jit import kernel
from handread.kernels.particles import (
    BINS,
    bin_of,
    complete,
    fill_table,
    flush_class,
    hand_place,
    lift,
    mean_value,
    percentiles,
    prune,
    revive,
    start_stream,
)

Array = npt.NDArray[Any]

N_COMMON = 20
N_CONDITIONS = 7
FOLD, CALL, RAISE = range(3)


class Setting(NamedTuple):
    """All that the rollouts of a decision have in common.

    Attributes:
        seats: The chips of each seat, ``kernels.betting``, as ``hand``, ``queue`` and ``limits``.
        hand: The state of the betting.
        queue: The seats that still have to act.
        limits: The rules of the betting.
        up: Face-up cards of each seat (seats, 8), a shared card included.
        n_up: Their number (seats,).
        place: Place of each seat in the order of the deal (seats,); -1 for those that get no card.
        counts: Cards dealt to players, the visible cards as a 52-bit set, and 1 for a shared card.
        brings_in: 1 for the seat whose door card brings it in (seats,).
        deals: Down- and upcards of a street, and the downcards held after it (streets, 3).
        boards: 1 for each of the features of upcards that the game has.
        low_leads: 1 if the lowest showing hand leads.
        tie: Part of a tie that a player counts as won.
    """

    seats: Array
    hand: Array
    queue: Array
    limits: Array
    up: Array
    n_up: Array
    place: Array
    counts: Array
    brings_in: Array
    deals: Array
    boards: Array
    low_leads: int
    tie: float


class Policies(NamedTuple):
    """The policies of all seats (seats, members, ...), a single policy as a panel of one.

    Attributes:
        ramps: Ramps to bet, raise and fold, x0, x1, y0 and y1 (3, 4).
        bluffs: Part of the folding hands that raise.
        lapses: Probability of a random action.
        logits: 1 for a logit, 0 for ramps.
        exponents: Likelihood exponent of each street (5,).
        common: Weights of the features of the decision (3, 20), for bet, fold and raise.
        own: Weights of the features of a holding (3, conditions, 2 + kinds).
        cards_only: 1 for a seat that looks at the cards only (seats,).
        shifts: Place of each kind of holding in a code (kinds,).
        masks: Mask of each kind in a code (kinds,).
        values: Value of each level of each kind (kinds, levels).
        with_kinds: True if a weight of a kind is not 0.
        some_cards_only: True if some seat looks at the cards only.
    """

    ramps: Array
    bluffs: Array
    lapses: Array
    logits: Array
    exponents: Array
    common: Array
    own: Array
    cards_only: Array
    shifts: Array
    masks: Array
    values: Array
    with_kinds: bool
    some_cards_only: bool


class Particles(NamedTuple):
    """The beliefs before the rollouts, and while one is played.

    Attributes:
        hold: Cards of the particles (seats, particles, 3).
        even: Weights under the uniform pdd (seats, particles); 0 for holdings that are not live.
        belief: Weights under the belief (seats, members, particles).
        n: Number of particles (seats,).
    """

    hold: Array
    even: Array
    belief: Array
    n: Array


class Futures(NamedTuple):
    """The chances of each rollout.

    Attributes:
        down: Downcards (rollouts, seats, 3); -1 for none.
        order: The rest of the deck in order (rollouts, 52); -1 for none.
        sizes: Number of cards in each order (rollouts,).
        places: Number of seats among which they are dealt.
        draws: Uniform draws for the actions (rollouts, seats, actions).
        shares: P(member | downcards) (rollouts, seats, members).
    """

    down: Array
    order: Array
    sizes: Array
    places: int
    draws: Array
    shares: Array


class Work(NamedTuple):
    """The arrays of a rollout.

    Attributes:
        classes: Classes of the completions of the particles (seats, completions).
        lows: Their lows.
        own_classes: Classes of the completions of the true holdings (seats, completions).
        own_lows: Their lows.
        tables: Tables of the belief and of the uniform pdd (2, seats, 3, classes).
        stale: 1 for a seat whose table is not that of its belief (seats,).
        weights: Weights of the particles of a seat (particles,).
        chances: Chance to win of the actor's particles (particles,).
        bins: Percentiles by chance (bins,).
        codes: Kinds of the actor's particles and, last, of its true holding (particles + 1,).
        chosen: P(action | particle) to the exponent, by member (members, particles).
        own_odds: Probabilities of the actions with the true holding (members, 3).
        heads: Log-odds that all holdings share (members, 3).
        slopes: Weights of the features of a holding (members, 3, 2 + kinds).
        common: Features of the decision (20,).
        conditions: Its conditions (7,).
        unseen: The unseen cards (52,).
        down: Downcards of the seats (seats, 3).
        shares: P(member | downcards) (seats, members).
        stream: Random stream (1,).
        dealt: As ``_deal_card`` (seats + 3,).
        acted: Actions of each seat in the rollout (seats,).
        start_classes: Classes of the completions where the rollouts begin (seats, completions).
        start_lows: Their lows.
    """

    classes: Array
    lows: Array
    own_classes: Array
    own_lows: Array
    tables: Array
    stale: Array
    weights: Array
    chances: Array
    bins: Array
    codes: Array
    chosen: Array
    own_odds: Array
    heads: Array
    slopes: Array
    common: Array
    conditions: Array
    unseen: Array
    down: Array
    shares: Array
    stream: Array
    dealt: Array
    acted: Array
    start_classes: Array
    start_lows: Array


def state_of(
    setting: Setting, particles: Particles, n_kinds: int, n_classes: int, each: Array
) -> tuple[Setting, Particles, Work]:
    """Return copies of what the rollouts change, and room for their work."""
    n_seats, n_members, room = particles.belief.shape
    width = max(particles.n.max() * each[0], room)
    at = setting._replace(
        **{
            name: getattr(setting, name).copy() for name in ("seats", "hand", "queue", "up", "n_up")
        },
        counts=setting.counts.copy(),
    )
    held = Particles(*(array.copy() for array in particles))
    whole = np.zeros((n_seats, width), dtype=np.int32)
    own = np.zeros((n_seats, each[2]), dtype=np.int32)
    work = Work(
        whole,
        whole.copy(),
        own,
        own.copy(),
        tables=np.zeros((2, n_seats, 3, n_classes)),
        stale=np.zeros(n_seats, dtype=np.int64),
        weights=np.zeros(room),
        chances=np.zeros(room),
        bins=np.zeros(BINS),
        codes=np.zeros(room + 1, dtype=np.uint32),
        chosen=np.zeros((n_members, room)),
        own_odds=np.zeros((n_members, 3)),
        heads=np.zeros((n_members, 3)),
        slopes=np.zeros((n_members, 3, n_kinds)),
        common=np.zeros(N_COMMON),
        conditions=np.zeros(N_CONDITIONS),
        unseen=np.zeros(52, dtype=np.int64),
        down=np.zeros((n_seats, 3), dtype=np.int64),
        shares=np.zeros((n_seats, n_members)),
        stream=np.zeros(1, dtype=np.uint64),
        dealt=np.zeros(n_seats + 3, dtype=np.int64),
        acted=np.zeros(n_seats, dtype=np.int64),
        start_classes=whole.copy(),
        start_lows=whole.copy(),
    )
    return at, held, work


@kernel
def _log_share(share: float, n: int) -> float:
    return min(2.0, max(-2.0, math.log(n * share))) if share > 0.0 else -2.0


@kernel
def _paired(up: Array, n: int) -> bool:
    for i in range(n):
        for j in range(i):
            if up[i] >> 2 == up[j] >> 2:
                return True
    return False


@kernel
def _suited(up: Array, n: int) -> bool:
    for suit in range(4):
        count = 0
        for i in range(n):
            count += up[i] & 3 == suit
        if count >= 3:
            return True
    return False


@kernel
def fill_features(
    at: Any, seat: int, spot: Any, public: float, common: Array, conditions: Array
) -> None:
    """Fill the common features (20,) and the conditions (7,), as ``policy.features``.

    ``at`` is a ``Setting``; ``spot`` is what there is to call, the pot and the effective odds.
    """
    seats, hand, up, n_up, boards = at.seats, at.hand, at.up, at.n_up, at.boards
    to_call, pot, odds = spot
    street, first, last = hand[STREET], at.limits[FIRST], at.limits[LAST]
    n = n_active(seats)
    waiting = n - 1
    rival_paired, rival_suited, highest = False, False, -1
    for other in range(seats.shape[0]):
        if other == seat or seats[other, FOLDED]:
            continue
        waiting -= seats[other, ACTED]
        rival_paired |= _paired(up[other], n_up[other])
        rival_suited |= _suited(up[other], n_up[other])
        for i in range(n_up[other]):
            highest = max(highest, up[other, i] >> 2)
    own_highest = -1
    for i in range(n_up[seat]):
        own_highest = max(own_highest, up[seat, i] >> 2)
    trapping = to_call > 0 and hand[BETS] == 1 and seats[seat, ACTED] == 1
    common[0] = 1.0
    common[1] = street == first
    common[2] = 2.0 * (street - first) / (last - first) - 1.0
    common[3] = min(hand[BETS], 3) / 2.0
    common[4] = to_call > 0 and hand[BETS] == 0
    common[5] = (n - 4) / 3.0
    common[6] = _log_share(odds, n)
    common[7] = 4.0 * to_call / (pot + to_call) if to_call > 0 else 0.0
    common[8] = _log_share(public, n)
    common[9] = hand[LEADER] == seat
    common[10] = hand[LEADER] >= 0 and hand[LEADER] != seat
    common[11] = waiting / max(1, n - 1)
    common[12] = seats[seat, ACTED]
    common[13] = boards[0] and _paired(up[seat], n_up[seat])
    common[14] = boards[1] and rival_paired
    common[15] = boards[2] and _suited(up[seat], n_up[seat])
    common[16] = boards[3] and rival_suited
    common[17] = boards[4] and own_highest > highest
    common[18] = boards[5] and n_up[seat] == 1 and at.brings_in[seat] == 1
    common[19] = boards[6] and trapping
    conditions[0] = 1.0
    conditions[1] = street == first
    conditions[2] = street >= last - 1
    conditions[3] = to_call > 0 and hand[BETS] >= 1
    conditions[4] = to_call > 0 and hand[BETS] >= 2
    conditions[5] = trapping
    conditions[6] = n == 2


@kernel
def _ramp(ramp: Array, x: float) -> float:
    """Return the probability of a ramp x0, x1, y0, y1 at x."""
    if ramp[0] == ramp[1]:
        return float(ramp[2] if x < ramp[0] else ramp[3])
    share = min(1.0, max(0.0, (x - ramp[0]) / (ramp[1] - ramp[0])))
    return float(ramp[2] + (ramp[3] - ramp[2]) * share)


@kernel
def action_odds(
    policies: Any, seat: int, member: int, work: Any, situation: Any, holding: Any, odds: Array
) -> None:
    """Fill the probabilities of fold, call (or check) and raise (or bet) of one holding.

    Args:
        policies: The ``Policies``.
        seat: Seat of the player.
        member: Member of its policy.
        work: The ``Work``, with the log-odds and slopes of the decision.
        situation: Whether there is a bet to call, whether a raise is legal, the number of players
            and the effective odds.
        holding: Its chance to win, percentile and code.
        odds: The result (3,).
    """
    facing, can_raise, n, effective = situation
    chance, percentile, code = holding
    odds[FOLD] = 0.0
    odds[RAISE] = 0.0
    log_n = math.log(n)
    log_chance = math.log(max(chance, 1e-300))
    if policies.logits[seat, member]:
        scaled = min(2.0, max(-2.0, log_chance + log_n))
        total = 1.0
        for action in (FOLD, RAISE):
            if (action == FOLD and not facing) or (action == RAISE and not can_raise):
                continue
            head = 1 if action == FOLD else 2 if facing else 0
            slopes = work.slopes[member, head]
            push = work.heads[member, head]
            push += slopes[0] * (2.0 * percentile - 1.0) + slopes[1] * scaled
            for k in range(policies.shifts.size if code else 0):
                level = (code >> policies.shifts[k]) & policies.masks[k]
                if level:
                    push += slopes[2 + k] * policies.values[k, level]
            odds[action] = math.exp(min(push, 500.0))
            total += odds[action]
        odds[FOLD] /= total
        odds[RAISE] /= total
        odds[CALL] = 1.0 / total
    else:
        x = -log_chance / log_n
        ramps, bluff = policies.ramps[seat, member], policies.bluffs[seat, member]
        if facing:
            raise_ = _ramp(ramps[1], x) if can_raise else 0.0
            folds = _ramp(ramps[2], x + math.log(effective) / log_n)
            bluffs = bluff * folds if can_raise else 0.0
            odds[FOLD] = (1.0 - raise_) * (folds - bluffs)
            odds[CALL] = (1.0 - raise_) * (1.0 - folds)
            odds[RAISE] = raise_ + (1.0 - raise_) * bluffs
        else:
            odds[RAISE] = _ramp(ramps[0], x) if can_raise else 0.0
            odds[CALL] = 1.0 - odds[RAISE]
    lapse = policies.lapses[seat, member]
    n_legal = 1 + facing + can_raise
    for action in range(3):
        legal = action == CALL or (facing if action == FOLD else can_raise)
        odds[action] = (1.0 - lapse) * odds[action] + lapse / n_legal if legal else 0.0


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


@kernel
def _outlook(
    at: Any, held: Any, work: Any, policies: Any, seat: int, per: int, splits: bool
) -> Any:
    """Fill the chances of a seat's particles and their percentiles.

    Returns:
        The chance to win of the true holding, and the mean chance of the live holdings.
    """
    for other in range(at.seats.shape[0]):
        if work.stale[other] and at.seats[other, FOLDED] == 0 and other != seat:
            work.stale[other] = 0
            for k in range(held.n[other]):
                work.weights[k] = 0.0
                for member in range(held.belief.shape[1]):
                    work.weights[k] += held.belief[other, member, k]
            ends = (work.classes[other], work.lows[other])
            fill_table(
                work.weights, held.n[other], per, ends, at.tie, splits, work.tables[0, other]
            )
    folded, against = at.seats[:, FOLDED], work.tables[policies.cards_only[seat]]
    ends = (work.classes[seat], work.lows[seat])
    for k in range(held.n[seat]):
        if held.even[seat, k] > 0.0:
            work.chances[k] = mean_value(ends, k * per, per, splits, seat, folded, against)
    n_own = 1 if per == 1 else work.own_classes.shape[1]
    own_ends = (work.own_classes[seat], work.own_lows[seat])
    own = mean_value(own_ends, 0, n_own, splits, seat, folded, against)
    return own, percentiles(work.chances, held.even[seat], held.n[seat], work.bins)


@kernel
def _fill_codes(at: Any, held: Any, work: Any, seat: int, n_down: int) -> None:
    """Fill the kinds of a seat's particles, and of its true holding after them."""
    n = held.n[seat]
    down = np.empty((n + 1, n_down), np.int64)
    live = np.ones(n + 1, np.bool_)
    for k in range(n):
        live[k] = held.even[seat, k] > 0.0
        for i in range(n_down):
            down[k, i] = held.hold[seat, k, i]
    for i in range(n_down):
        down[n, i] = work.down[seat, i]
    highest = -1
    for other in range(at.seats.shape[0]):
        if other != seat and at.seats[other, FOLDED] == 0:
            for i in range(at.n_up[other]):
                highest = max(highest, at.up[other, i] >> 2)
    left = np.zeros((13, 4), np.int64)
    for card in range(52):
        left[card >> 2, card & 3] = at.counts[1] >> card & 1 == 0
    codes = np.empty(n + 1, np.uint32)
    stud_codes(down, live, at.up[seat, : at.n_up[seat]], highest, left, codes)
    work.codes[:n] = codes[:n]
    work.codes[-1] = codes[n]


@kernel
def _weigh_features(policies: Any, work: Any, seat: int) -> None:
    """Fill the log-odds that all holdings share, and the slopes, of each member of a policy."""
    for member in range(work.heads.shape[0]):
        for head in range(3):
            total = 0.0
            for i in range(N_COMMON):
                total += policies.common[seat, member, head, i] * work.common[i]
            work.heads[member, head] = total
            for i in range(work.slopes.shape[2]):
                total = 0.0
                for c in range(N_CONDITIONS):
                    total += policies.own[seat, member, head, c, i] * work.conditions[c]
                work.slopes[member, head, i] = total


@kernel
def _decide(
    policies: Any, work: Any, seat: int, situation: Any, own_chance: float, draw: float
) -> int:
    """Return the action that a draw picks with the true holding."""
    holding = (own_chance, work.bins[bin_of(own_chance)], work.codes[-1])
    to_call, to_raise = 0.0, 0.0
    for member in range(work.heads.shape[0]):
        share = work.shares[seat, member]
        action_odds(policies, seat, member, work, situation, holding, work.own_odds[member])
        to_raise += share * work.own_odds[member, RAISE]
        to_call += share * work.own_odds[member, CALL]
    facing, can_raise, _, _ = situation
    if can_raise and draw < to_raise:
        return RAISE
    return CALL if draw < to_raise + to_call or not facing else FOLD


@kernel
def _learn(
    held: Any, policies: Any, work: Any, seat: int, situation: Any, action: int, street: int
) -> None:
    """Apply Bayes' rule to the particles of a seat, and to the members with its true holding."""
    n, n_members = held.n[seat], work.heads.shape[0]
    odds = np.zeros(3)
    likelihood = 0.0
    for member in range(n_members):
        exponent = policies.exponents[seat, member, max(0, street - 3)]
        own = held.belief[seat, member]
        evidence, mass = 0.0, 0.0
        for k in range(n):
            work.chosen[member, k] = 0.0
            if own[k] > 0.0:
                chance = work.chances[k]
                holding = (chance, work.bins[bin_of(chance)], work.codes[k])
                action_odds(policies, seat, member, work, situation, holding, odds)
                p = odds[action]
                evidence += own[k] * p
                if exponent < 1.0:
                    p = p**exponent
                mass += own[k] * p
                work.chosen[member, k] = p
        # A tempered likelihood keeps the evidence for the member.
        scale = evidence / mass if mass > 0.0 else 0.0
        for k in range(n):
            work.chosen[member, k] *= scale
        p = work.own_odds[member, action]
        work.own_odds[member, action] = scale * (p**exponent if exponent < 1.0 else p)
        likelihood += evidence
    if likelihood <= 0.0:
        return
    share = 0.0
    for member in range(n_members):
        for k in range(n):
            held.belief[seat, member, k] *= work.chosen[member, k] / likelihood
        work.shares[seat, member] *= work.own_odds[member, action]
        share += work.shares[seat, member]
    for member in range(n_members):
        if share > 0.0:
            work.shares[seat, member] /= share
        else:
            work.shares[seat, member] = 1.0 / n_members


@kernel
def _complete_all(
    at: Any, held: Any, work: Any, tables: Any, seat: int, n_down: int, per: int, n_unseen: int
) -> None:
    """Make the completions of a seat's particles."""
    deck = (work.unseen, n_unseen)
    for k in range(held.n[seat]):
        if held.even[seat, k] > 0.0:
            here = slice(k * per, k * per + per)
            complete(
                held.hold[seat, k],
                n_down,
                at.up[seat],
                at.n_up[seat],
                deck,
                at.limits[CARDS],
                tables,
                work.stream,
                work.classes[seat, here],
                work.lows[seat, here],
            )


@kernel
def _n_down(at: Any) -> int:
    """Return the number of downcards of a player on the street."""
    return int(at.deals[at.hand[STREET] - at.limits[FIRST], 2] - at.counts[2])


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
    those of the true holdings are made.
    """
    street = at.hand[STREET]
    n_down = _n_down(at)
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
        complete(
            work.down[seat],
            n_down,
            at.up[seat],
            at.n_up[seat],
            deck,
            at.limits[CARDS],
            tables,
            work.stream,
            work.own_classes[seat, own],
            work.own_lows[seat, own],
        )
        work.stale[seat] = 1
    return per


@kernel
def _deal_street(at: Any, work: Any, order: Array) -> int:
    """Deal the cards of a street that has begun; return the seat that leads it."""
    street = at.hand[STREET] - at.limits[FIRST]
    undealt = 52 - at.counts[0]
    if at.hand[STREET] == at.limits[LAST] and undealt < n_active(at.seats):
        leader = leading_seat(at.seats, at.up, at.n_up, at.low_leads == 1)
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
    return leading_seat(at.seats, at.up, at.n_up, at.low_leads == 1)


@kernel
def _act(at: Any, held: Any, work: Any, policies: Any, per: int, splits: bool, draw: float) -> None:
    """Let the next player act, and the table learn from it."""
    seat, street, first = at.queue[0], at.hand[STREET], at.limits[FIRST]
    own_chance, public = _outlook(at, held, work, policies, seat, per, splits)
    to_call = at.hand[BET_TO] - at.seats[seat, PUT]
    target = raise_target(at.seats, at.hand, at.limits, seat)
    pot, later, n = pot_of(at.seats), 0, n_active(at.seats)
    for other in range(street - first + 1, at.deals.shape[0]):
        later += at.limits[BET_OF_FIRST + other]
    stake = pot + to_call + n * later
    effective = (to_call + later) / stake if stake > 0 else 0.0
    situation = (to_call > 0, target >= 0, n, effective)
    spot = (to_call, pot, effective)
    fill_features(at, seat, spot, public, work.common, work.conditions)
    _weigh_features(policies, work, seat)
    if policies.with_kinds:
        _fill_codes(at, held, work, seat, _n_down(at))
    action = _decide(policies, work, seat, situation, own_chance, draw)
    if action == FOLD:
        fold(at.seats, at.hand, at.queue)
        return
    _learn(held, policies, work, seat, situation, action, street)
    work.stale[seat] = 1
    if action == CALL:
        call(at.seats, at.hand, at.queue)
    else:
        raise_to(at.seats, at.hand, at.queue, at.limits, target)


@kernel
def _settle(at: Any, work: Any, tables: Any, rake: Array, me: int) -> int:
    """Return what a seat gets at the end, in minor units."""
    by_ranks, by_flush, low_ranks = tables
    n_seats, n_cards = at.seats.shape[0], at.limits[CARDS]
    highs, lows = np.zeros(n_seats, np.int64), np.zeros(n_seats, np.int64)
    hand, scratch = np.empty(8, np.int64), np.empty(8, np.int64)
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
            row, column = hand_place(hand, n_cards, -1, scratch)
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
                    even, table = held.even[seat], work.tables[1, seat]
                    fill_table(even, held.n[seat], per, ends, at.tie, splits, table)
            while at.hand[N_QUEUE] > 0:
                seat = at.queue[0]
                draw = draws[seat, work.acted[seat] % draws.shape[1]]
                work.acted[seat] += 1
                _act(at, held, work, policies, per, splits, draw)
        if n_active(at.seats) < 2 or at.hand[STREET] == at.limits[LAST]:
            return
        first = False
        next_street(at.seats, at.hand)
        leader = _deal_street(at, work, order)
        if n_bettors(at.seats) > 1:
            open_from(at.seats, at.hand, at.queue, leader)


@kernel
def complete_start(at: Any, held: Any, work: Any, tables: Any, each: Array, seed: int) -> None:
    """Make the completions on the first street, which are the same in all rollouts."""
    n_down, n_unseen = _n_down(at), _fill_unseen(at, work)
    for seat in range(at.seats.shape[0]):
        if at.seats[seat, FOLDED] == 0:
            start_stream(work.stream, seed, seat)
            per = 1 if n_down + at.n_up[seat] == at.limits[CARDS] else each[0]
            _complete_all(at, held, work, tables, seat, n_down, per, n_unseen)


@kernel
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
) -> None:
    """Fill ``nets`` (rollouts,) with what a seat wins from here on, less what it puts in.

    Args:
        seed: Random seed of the completions.
        me: The seat.
        rake: Part of the pot that the house keeps, and the most it takes, -1 for no limit.
        each: Completions of a particle, third downcards of a pair on 7th street, and completions of
            a true holding (3,).
        starts: The ``Setting`` and the ``Particles`` at which the rollouts begin.
        state: Copies of these and the ``Work``, of which the rollouts make use.
        tables: Classes by ranks and by suited ranks, and lows by ranks, as ``FinalTables``; empty
            where there are none.
        policies: The ``Policies``.
        futures: The ``Futures``.
        nets: The result, in minor units.
    """
    setting, particles = starts
    at, held, work = state
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
