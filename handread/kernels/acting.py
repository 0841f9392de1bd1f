"""The actions of the players in ``kernels.rollouts``, and what the table learns from them.

A player bets by its policy at its chance to win against the public beliefs (equations 1 and 3 of
Saund 2006), and the belief about it follows by Bayes' rule (equation 4). ``at``, ``held``, ``work``
and ``policies`` are the ``Setting``, ``Particles``, ``Work`` and ``Policies`` of
``kernels.rollout_state``.
"""

from __future__ import annotations

import math
from typing import Any

import numpy.typing as npt

from handread.kernels.actions import (
    BET,
    CALL,
    FOLD,
    MOST_CROWDED,
    N_ACTIONS,
    RAISE,
    n_legal,
    with_lapse,
)
from handread.kernels.betting import (
    ACTED,
    BET_OF_FIRST,
    BET_TO,
    BETS,
    FIRST,
    FOLDED,
    LAST,
    LEADER,
    N_QUEUE,
    PAID,
    PUT,
    RAISED,
    STREET,
    call,
    fold,
    n_active,
    pot_of,
    raise_target,
    raise_to,
)
from handread.kernels.holdings import count_cards, stud_code
from handread.kernels.jit import kernel
from handread.kernels.logit import kinds_held, logit_odds
from handread.kernels.particles import (
    bin_of,
    fill_table,
    mean_value,
    percentiles,
)
from handread.kernels.ramps import ramp_odds
from handread.kernels.rollout_state import CURRENT, EVEN, N_COMMON, N_CONDITIONS

Array = npt.NDArray[Any]


@kernel
def log_share(share: float, n: int) -> float:
    """Return ln(N x share), -2 to 2: a feature of the decision; 0 is a fair share."""
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
def _highest(up: Array, n: int) -> int:
    highest = -1
    for i in range(n):
        highest = max(highest, up[i] >> 2)
    return highest


@kernel
def fill_features(
    at: Any, seat: int, spot: Any, public: float, common: Array, conditions: Array
) -> None:
    """Fill the common features (22,) and the conditions (7,), as ``policy.features``.

    ``at`` is a ``Setting``; ``spot`` is the amount to call, the pot and the effective odds.
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
        highest = max(highest, _highest(up[other], n_up[other]))
    trapping = to_call > 0 and hand[BETS] == 1 and seats[seat, ACTED] == 1
    common[0] = 1.0
    common[1] = street == first
    common[2] = 2.0 * (street - first) / (last - first) - 1.0
    common[3] = min(hand[BETS], 3) / 2.0
    common[4] = to_call > 0 and hand[BETS] == 0
    common[5] = (n - 4) / 3.0
    common[6] = log_share(odds, n)
    common[7] = 4.0 * to_call / (pot + to_call) if to_call > 0 else 0.0
    common[8] = log_share(public, n)
    common[9] = hand[LEADER] == seat
    common[10] = hand[LEADER] >= 0 and hand[LEADER] != seat
    common[11] = waiting / max(1, n - 1)
    common[12] = seats[seat, ACTED]
    common[13] = math.log(min(n, MOST_CROWDED) / 4.0)
    common[14] = n == 2 and street == first
    common[15] = boards[0] and _paired(up[seat], n_up[seat])
    common[16] = boards[1] and rival_paired
    common[17] = boards[2] and _suited(up[seat], n_up[seat])
    common[18] = boards[3] and rival_suited
    common[19] = boards[4] and _highest(up[seat], n_up[seat]) > highest
    common[20] = boards[5] and n_up[seat] == 1 and at.brings_in[seat] == 1
    common[21] = boards[6] and trapping
    conditions[0] = 1.0
    conditions[1] = street == first
    conditions[2] = street >= last - 1
    conditions[3] = to_call > 0 and hand[BETS] >= 1
    conditions[4] = to_call > 0 and hand[BETS] >= 2
    conditions[5] = trapping
    conditions[6] = n == 2


@kernel
def action_odds(
    policies: Any, seat: int, member: int, work: Any, situation: Any, holding: Any, odds: Array
) -> None:
    """Fill the probabilities of the actions with one holding.

    ``member`` counts the members of the seat's policy; ``work`` has the log-odds and slopes.
    ``situation`` is the legal actions (3,), the number of players and the effective odds,
    ``holding`` its chance to win, percentile and number of kinds, which ``work`` has, too. ``odds``
    (4,) are by ``kernels.actions``.
    """
    legal, n, effective = situation
    chance, percentile, n_kinds = holding
    log_n = math.log(n)
    log_chance = math.log(max(chance, 1e-300))
    if policies.logits[seat, member]:
        scaled = min(2.0, max(-2.0, log_chance + log_n))
        own = (2.0 * percentile - 1.0, scaled, (n_kinds, work.places, work.worths))
        total = logit_odds(work.heads, work.slopes, member, legal, own, work.log_odds, odds)
        for action in range(N_ACTIONS):
            odds[action] /= total
    else:
        ramps, bluff = policies.ramps[seat, member], policies.bluffs[seat, member]
        odds_x = -math.log(effective) / log_n if legal[FOLD - 1] else 0.0
        _, parts = ramp_odds(ramps, bluff, legal, -log_chance / log_n, odds_x)
        for action in range(N_ACTIONS):
            odds[action] = parts[action]
    n_ways = n_legal(legal)
    for action in range(N_ACTIONS):
        if action == CALL or legal[action - 1]:
            odds[action] = with_lapse(odds[action], policies.lapses[seat, member], n_ways)


@kernel
def fill_belief_table(
    at: Any, held: Any, work: Any, seat: int, per: int, splits: bool, source: int
) -> None:
    """Fill a table of a seat from its belief: ``CURRENT`` or ``AT_START``."""
    work.stale[seat] = 0
    work.which[seat] = source
    for k in range(held.n[seat]):
        work.weights[k] = 0.0
        for member in range(held.belief.shape[1]):
            work.weights[k] += held.belief[seat, member, k]
    ends = (work.classes[seat], work.lows[seat])
    fill_table(work.weights, held.n[seat], per, ends, at.tie, splits, work.tables[source, seat])


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
            fill_belief_table(at, held, work, other, per, splits, CURRENT)
    n = 0
    for other in range(at.seats.shape[0]):
        if other != seat and at.seats[other, FOLDED] == 0:
            work.rivals[n] = other
            n += 1
            work.sources[other] = EVEN if policies.cards_only[seat] else work.which[other]
    against = (work.rivals, n, work.sources)
    ends = (work.classes[seat], work.lows[seat])
    for k in range(held.n[seat]):
        if held.even[seat, k] > 0.0:
            work.chances[k] = mean_value(ends, k * per, per, splits, against, work.tables)
    n_own = 1 if per == 1 else work.own_classes.shape[1]
    own_ends = (work.own_classes[seat], work.own_lows[seat])
    own = mean_value(own_ends, 0, n_own, splits, against, work.tables)
    return own, percentiles(work.chances, held.even[seat], held.n[seat], work.bins)


@kernel
def downcards_held(at: Any) -> int:
    """Return the number of downcards of a player on the street."""
    return int(at.deals[at.hand[STREET] - at.limits[FIRST], 2] - at.counts[2])


@kernel
def _look(at: Any, work: Any, seat: int, with_kinds: bool) -> Any:
    """Fill the kinds of a seat's true holding; return what the kinds of others of its rest on.

    Returns:
        The number of its downcards, its upcards and their number, and the highest rank against it.
    """
    up, n_up, n_down, highest = at.up[seat], at.n_up[seat], downcards_held(at), -1
    for other in range(at.seats.shape[0]):
        if other != seat and at.seats[other, FOLDED] == 0:
            highest = max(highest, _highest(at.up[other], at.n_up[other]))
    work.code[0] = 0
    if with_kinds:
        count_cards(up, n_up, ~at.counts[1], work.counts)
        work.code[0] = stud_code(work.down[seat], n_down, up, n_up, highest, work.counts)
    return n_down, up, n_up, highest


@kernel
def weigh_features(policies: Any, work: Any, seat: int) -> None:
    """Fill the log-odds that all holdings share, and the slopes, of each member of a policy."""
    for member in range(work.heads.shape[0]):
        # Ramps look at the chance to win alone.
        for head in range(3 if policies.logits[seat, member] else 0):
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
    """Return the action that a draw picks with the true holding, or forces below 0."""
    kinds = (policies.shifts, policies.masks, policies.values)
    n_kinds = kinds_held(work.code[0], kinds, work.places, work.worths)
    holding = (own_chance, work.bins[bin_of(own_chance)], n_kinds)
    legal, _, _ = situation
    bold = RAISE if legal[FOLD - 1] else BET
    to_call, to_raise = 0.0, 0.0
    for member in range(work.heads.shape[0]):
        share = work.shares[seat, member]
        action_odds(policies, seat, member, work, situation, holding, work.own_odds[member])
        to_raise += share * work.own_odds[member, bold]
        to_call += share * work.own_odds[member, CALL]
    if draw < 0.0:
        return int(-1.0 - draw)
    if legal[bold - 1] and draw < to_raise:
        return bold
    return CALL if draw < to_raise + to_call or not legal[FOLD - 1] else FOLD


@kernel
def _note(work: Any, situation: Any, own_chance: float, paid: int) -> None:
    """Fill ``work.note`` with a decision, but for the number of actions."""
    note, (legal, n, _) = work.note, situation
    for i in range(N_COMMON):
        note[i] = work.common[i]
    for i in range(N_CONDITIONS):
        note[N_COMMON + i] = work.conditions[i]
    rest = note[N_COMMON + N_CONDITIONS :]
    for i in range(3):
        rest[i] = legal[i]
    rest[3], rest[4], rest[5] = n, work.bins[bin_of(own_chance)], own_chance
    rest[6], rest[7] = work.code[0], paid


@kernel
def _fill_chosen(
    policies: Any, seat: int, work: Any, situation: Any, action: int, held: Any, sight: Any
) -> None:
    """Fill P(action | particle) of each member where its belief is not 0.

    ``sight`` is as ``_look`` returns it.
    """
    (legal, players, effective), (n_down, up, n_up, highest) = situation, sight
    belief = held.belief[seat]
    chosen, n_ways, log_n = work.chosen, n_legal(legal), math.log(players)
    kinds = (policies.shifts, policies.masks, policies.values)
    heads, slopes, room, odds = work.heads, work.slopes, work.log_odds, work.own_odds[-1]
    odds_x = -math.log(effective) / log_n if legal[FOLD - 1] else 0.0
    for k in range(held.n[seat]):
        if held.even[seat, k] <= 0.0:
            chosen[:, k] = 0.0
            continue
        log_chance, n_kinds = math.log(max(work.chances[k], 1e-300)), -1
        scaled = min(2.0, max(-2.0, log_chance + log_n))
        for member in range(belief.shape[0]):
            lapse = policies.lapses[seat, member]
            if belief[member, k] <= 0.0:
                chosen[member, k] = 0.0
            elif lapse >= 1.0:
                chosen[member, k] = 1.0 / n_ways
            elif policies.logits[seat, member]:
                if n_kinds < 0:
                    code, down = 0, held.hold[seat, k]
                    if policies.with_kinds:
                        code = stud_code(down, n_down, up, n_up, highest, work.counts)
                    n_kinds = kinds_held(code, kinds, work.places, work.worths)
                percentile = 2.0 * work.bins[bin_of(work.chances[k])] - 1.0
                own = (percentile, scaled, (n_kinds, work.places, work.worths))
                total = logit_odds(heads, slopes, member, legal, own, room, odds)
                chosen[member, k] = with_lapse(odds[action] / total, lapse, n_ways)
            else:
                ramps, bluff = policies.ramps[seat, member], policies.bluffs[seat, member]
                _, parts = ramp_odds(ramps, bluff, legal, -log_chance / log_n, odds_x)
                chosen[member, k] = with_lapse(parts[action], lapse, n_ways)


@kernel
def _learn(
    at: Any, held: Any, policies: Any, work: Any, seat: int, situation: Any, action: int, sight: Any
) -> None:
    """Apply Bayes' rule to the particles of a seat, and to the members with its true holding."""
    n, n_members = held.n[seat], work.heads.shape[0]
    street = max(0, at.hand[STREET] - 3)
    idle, power = policies.idle[seat, street, situation[1]], 1.0
    if action != CALL:
        raised = min(at.seats[seat, RAISED], policies.repeats.shape[1] - 1)
        power = policies.repeats[seat, raised]
    learning, likelihood = power * policies.learning[seat], 0.0
    _fill_chosen(policies, seat, work, situation, action, held, sight)
    for member in range(n_members):
        exponent = power * policies.exponents[seat, member, street]
        own = held.belief[seat, member]
        weight, evidence, mass = 0.0, 0.0, 0.0
        for k in range(n):
            if own[k] > 0.0:
                p = work.chosen[member, k]
                weight += own[k]
                evidence += own[k] * p
                if exponent < 1.0:
                    p = p**exponent
                mass += own[k] * p
                work.chosen[member, k] = p
        # A tempered likelihood keeps the evidence for the member, or its power.
        if learning < 1.0 and weight > 0.0:
            evidence = weight * (evidence / weight) ** learning
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
            told = (1.0 - idle) * (work.chosen[member, k] / likelihood)
            held.belief[seat, member, k] *= told + idle
        told = (1.0 - idle) * work.own_odds[member, action]
        work.shares[seat, member] *= told + idle * likelihood
        share += work.shares[seat, member]
    for member in range(n_members):
        if share > 0.0:
            work.shares[seat, member] /= share
        else:
            work.shares[seat, member] = 1.0 / n_members


@kernel
def act(at: Any, held: Any, work: Any, policies: Any, per: int, splits: bool, draw: float) -> None:
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
    facing, can_raise = to_call > 0, target >= 0
    situation = ((not facing and can_raise, facing, facing and can_raise), n, effective)
    spot = (to_call, pot, effective)
    fill_features(at, seat, spot, public, work.common, work.conditions)
    weigh_features(policies, work, seat)
    sight = _look(at, work, seat, policies.with_kinds)
    action = _decide(policies, work, seat, situation, own_chance, draw)
    if draw < 0.0:
        _note(work, situation, own_chance, at.seats[seat, PAID])
    if action == FOLD:
        fold(at.seats, at.hand, at.queue)
        return
    is_last = street == at.limits[LAST] and action == CALL and at.hand[N_QUEUE] == 1
    if not is_last:  # else nobody looks at the belief any more
        _learn(at, held, policies, work, seat, situation, action, sight)
        work.stale[seat] = 1
    if action == CALL:
        call(at.seats, at.hand, at.queue)
    else:
        raise_to(at.seats, at.hand, at.queue, at.limits, target)
