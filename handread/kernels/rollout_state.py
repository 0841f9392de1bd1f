"""The arrays of ``kernels.rollouts``: where rollouts begin, and what changes in each."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from handread.kernels.actions import N_ACTIONS
from handread.kernels.particles import BINS, NEIGHBOURS

Array = npt.NDArray[Any]

N_COMMON = 22
N_CONDITIONS = 7

N_NOTED = N_COMMON + N_CONDITIONS + 9
"""Numbers noted of a decision: its features and conditions, which of bet, fold and raise are legal,
the number of players, the percentile, the chance to win and the code of the true holding, what the
seat has put in, and the number of its actions in the rollout. Without a forced action, all but the
last are 0."""

CURRENT, EVEN, AT_START = range(3)
"""The tables of a seat: of its belief, of the uniform pdd, of its belief where rollouts begin."""


class Setting(NamedTuple):
    """All that the rollouts of a decision have in common."""

    # the chips of each seat, ``kernels.betting``, as ``hand``, ``queue`` and ``limits``
    seats: Array
    hand: Array  # the state of the betting
    queue: Array  # the seats that still have to act
    limits: Array  # the rules of the betting
    up: Array  # face-up cards of each seat (seats, 8), a shared card included
    n_up: Array  # their number (seats,)
    # place of each seat in the order of the deal (seats,); -1 for those that get no card
    place: Array
    # cards dealt to players, the visible cards as a 52-bit set, and 1 for a shared card
    counts: Array
    brings_in: Array  # 1 for the seat whose door card brings it in (seats,)
    deals: Array  # down- and upcards of a street, and the downcards held after it (streets, 3)
    boards: Array  # 1 for each of the features of upcards that the game has
    low_leads: int  # 1 if the lowest showing hand leads, 2 if aces are high besides
    tie: float  # part of a tie that a player counts as won


class Policies(NamedTuple):
    """The policies of all seats (seats, members, ...), a single policy as a panel of one."""

    ramps: Array  # the ramps of ``kernels.ramps`` (3, 4)
    bluffs: Array  # part of the folding hands that raise
    lapses: Array  # probability of a random action
    logits: Array  # 1 for a logit, 0 for ramps
    exponents: Array  # likelihood exponent of each street (5,)
    common: Array  # weights of the features of the decision (3, 22), for bet, fold and raise
    own: Array  # weights of the features of a holding (3, conditions, 2 + kinds)
    learning: Array  # power of the evidence about the member that is followed (seats,)
    idle: (
        Array  # part of an action that says nothing, by street and number of players (seats, 5, 9)
    )
    repeats: Array  # power of a bet or raise, by number of those before it (seats, raises)
    cards_only: Array  # 1 for a seat that looks at the cards only (seats,)
    shifts: Array  # place of each kind of holding in a code (kinds,)
    masks: Array  # mask of each kind in a code (kinds,)
    values: Array  # value of each level of each kind (kinds, levels)
    with_kinds: bool  # True if a weight of a kind is not 0
    some_cards_only: bool  # True if some seat looks at the cards only


class Spot(NamedTuple):
    """A decision, and room for what the members of a policy make of it."""

    common: Array  # features of the decision (22,)
    conditions: Array  # its conditions (7,)
    heads: Array  # log-odds that all holdings share (members, 3)
    slopes: Array  # weights of the features of a holding (members, 3, 2 + kinds)
    log_odds: Array  # log-odds of the actions with a holding (4,)
    odds: Array  # their odds (4,)
    places: Array  # places of the kinds of a holding among its features (kinds,)
    worths: Array  # their values (kinds,)


class Particles(NamedTuple):
    """The beliefs before the rollouts, and while one is played."""

    hold: Array  # cards of the particles (seats, particles, 3)
    # weights under the uniform pdd (seats, particles); 0 for holdings that are not live
    even: Array
    belief: Array  # weights under the belief (seats, members, particles)
    n: Array  # number of particles (seats,)


class RolloutFutures(NamedTuple):
    """The chances of each rollout."""

    down: Array  # downcards (rollouts, seats, 3); -1 for none
    order: Array  # the rest of the deck in order (rollouts, 52); -1 for none
    sizes: Array  # number of cards in each order (rollouts,)
    places: int  # number of seats among which they are dealt
    # uniform draws for the actions (rollouts, seats, actions); -1 - a forces the action a
    draws: Array
    shares: Array  # P(member | downcards) (rollouts, seats, members)


class Work(NamedTuple):
    """The arrays of a rollout."""

    classes: Array  # classes of the completions of the particles (seats, completions)
    lows: Array  # their lows
    own_classes: Array  # classes of the completions of the true holdings (seats, completions)
    own_lows: Array  # their lows
    tables: Array  # ``CURRENT``, ``EVEN`` and ``AT_START`` (3, seats, 3, entries)
    which: Array  # the table that has the belief of each seat (seats,)
    stale: Array  # 1 for a seat of whose belief there is no table (seats,)
    rivals: Array  # the opponents of the actor (seats,)
    sources: Array  # the tables by which the actor sees them (seats,)
    weights: Array  # weights of the particles of a seat (particles,)
    chances: Array  # chance to win of the actor's particles (particles,)
    bins: Array  # percentiles by chance (bins,)
    code: Array  # kinds of the actor's true holding (1,)
    chosen: Array  # P(action | particle) to the exponent, by member (members, particles)
    # probabilities of the actions with the true holding; last, with a particle (members + 1, 4)
    own_odds: Array
    log_odds: Array  # log-odds of the actions with a holding (4,)
    places: Array  # places of the kinds of a holding among its features (kinds,)
    worths: Array  # their values (kinds,)
    heads: Array  # log-odds that all holdings share (members, 3)
    slopes: Array  # weights of the features of a holding (members, 3, 2 + kinds)
    common: Array  # features of the decision (22,)
    conditions: Array  # its conditions (7,)
    unseen: Array  # the unseen cards (52,)
    down: Array  # downcards of the seats (seats, 3)
    shares: Array  # P(member | downcards) (seats, members)
    stream: Array  # random stream (1,)
    hand: Array  # room for the cards of a hand (8,)
    ranks: Array  # room for their ranks, or for the number of each (13,)
    counts: Array  # room for ``holdings.count_cards`` (6, 13)
    final: Array  # classes of the hands at the showdown, and of their lows (2, seats)
    dealt: Array  # as ``_deal_card`` (seats + 3,)
    acted: Array  # actions of each seat in the rollout (seats,)
    note: Array  # the forced decision (N_NOTED,)
    start_classes: Array  # classes of the completions where the rollouts begin (seats, completions)
    start_lows: Array  # their lows


_STARTS = (
    "Setting(i8.2 i8.1 i8.1 i8.1 i8.2 i8.1 i8.1 i8.1 i8.1 i8.2 i8.1 int float)"
    " Particles(i8.3 f8.2 f8.3 i8.1)"
)
_WORK = (
    "Work(i4.2 i4.2 i4.2 i4.2 f8.4 i8.1 i8.1 i8.1 i8.1 f8.1 f8.1 f8.1 u4.1 f8.2 f8.2 f8.1 i8.1"
    " f8.1 f8.2 f8.3 f8.1 f8.1 i8.1 i8.2 f8.2 u8.1 i8.1 i8.1 i8.2 i8.2 i8.1 i8.1 f8.1"
    " i4.2 i4.2)"
)
POLICIES = (
    "Policies(f8.4 f8.2 f8.2 i8.2 f8.3 f8.4 f8.5 f8.1 f8.3 f8.2 i8.1 u4.1 u4.1 f8.2 bool bool)"
)
FORM = (
    f"int int f8.1 i8.1 ({_STARTS}) ({_STARTS} {_WORK}) (u2.2 u2.2 u2.2)"
    f" {POLICIES} RolloutFutures(i8.3 i8.2 i8.1 int f8.3 f8.3) f8.1 f8.2"
)
"""The form of the arguments of ``rollouts.roll_out``, as ``jit.shipped`` takes it."""


def state_of(
    setting: Setting, particles: Particles, n_kinds: int, n_classes: int, each: Array
) -> tuple[Setting, Particles, Work]:
    """Return copies of what the rollouts change, and room for their work."""
    n_seats, n_members, room = particles.belief.shape
    width = max(particles.n.max() * each[0], room)
    changing = ("seats", "hand", "queue", "up", "n_up", "counts")
    at = setting._replace(**{name: getattr(setting, name).copy() for name in changing})
    held = Particles(*(array.copy() for array in particles))
    whole = np.zeros((n_seats, width), dtype=np.int32)
    own = np.zeros((n_seats, each[2]), dtype=np.int32)
    work = Work(
        whole,
        whole.copy(),
        own,
        own.copy(),
        tables=np.zeros((3, n_seats, 3, n_classes // NEIGHBOURS + 1)),
        which=np.zeros(n_seats, dtype=np.int64),
        stale=np.zeros(n_seats, dtype=np.int64),
        rivals=np.zeros(n_seats, dtype=np.int64),
        sources=np.zeros(n_seats, dtype=np.int64),
        weights=np.zeros(room),
        chances=np.zeros(room),
        bins=np.zeros(BINS),
        code=np.zeros(1, dtype=np.uint32),
        chosen=np.zeros((n_members, room)),
        own_odds=np.zeros((n_members + 1, N_ACTIONS)),
        log_odds=np.zeros(N_ACTIONS),
        places=np.zeros(n_kinds, dtype=np.int64),
        worths=np.zeros(n_kinds),
        heads=np.zeros((n_members, 3)),
        slopes=np.zeros((n_members, 3, n_kinds)),
        common=np.zeros(N_COMMON),
        conditions=np.zeros(N_CONDITIONS),
        unseen=np.zeros(52, dtype=np.int64),
        down=np.zeros((n_seats, 3), dtype=np.int64),
        shares=np.zeros((n_seats, n_members)),
        stream=np.zeros(1, dtype=np.uint64),
        hand=np.zeros(8, dtype=np.int64),
        ranks=np.zeros(13, dtype=np.int64),
        counts=np.zeros((6, 13), dtype=np.int64),
        final=np.zeros((2, n_seats), dtype=np.int64),
        dealt=np.zeros(n_seats + 3, dtype=np.int64),
        acted=np.zeros(n_seats, dtype=np.int64),
        note=np.zeros(N_NOTED),
        start_classes=whole.copy(),
        start_lows=whole.copy(),
    )
    return at, held, work
