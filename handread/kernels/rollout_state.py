"""The arrays of ``kernels.rollouts``: where rollouts begin, and what changes in each."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from handread.kernels.actions import N_ACTIONS
from handread.kernels.particles import BINS, NEIGHBOURS

Array = npt.NDArray[Any]

N_COMMON = 20
N_CONDITIONS = 7

CURRENT, EVEN, AT_START = range(3)
"""The tables of a seat: of its belief, of the uniform pdd, of its belief where rollouts begin."""


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
        ramps: The ramps of ``kernels.ramps`` (3, 4).
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


class RolloutFutures(NamedTuple):
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
        tables: ``CURRENT``, ``EVEN`` and ``AT_START`` (3, seats, 3, entries).
        which: The table that has the belief of each seat (seats,).
        stale: 1 for a seat of whose belief there is no table (seats,).
        rivals: The opponents of the actor (seats,).
        sources: The tables by which the actor sees them (seats,).
        weights: Weights of the particles of a seat (particles,).
        chances: Chance to win of the actor's particles (particles,).
        bins: Percentiles by chance (bins,).
        codes: Kinds of the actor's particles and, last, of its true holding (particles + 1,).
        chosen: P(action | particle) to the exponent, by member (members, particles).
        own_odds: Probabilities of the actions with the true holding (members, 4).
        log_odds: Log-odds of the actions with a holding (4,).
        heads: Log-odds that all holdings share (members, 3).
        slopes: Weights of the features of a holding (members, 3, 2 + kinds).
        common: Features of the decision (20,).
        conditions: Its conditions (7,).
        unseen: The unseen cards (52,).
        down: Downcards of the seats (seats, 3).
        shares: P(member | downcards) (seats, members).
        stream: Random stream (1,).
        hand: Room for the cards of a hand (8,).
        ranks: Room for their ranks (8,).
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
    which: Array
    stale: Array
    rivals: Array
    sources: Array
    weights: Array
    chances: Array
    bins: Array
    codes: Array
    chosen: Array
    own_odds: Array
    log_odds: Array
    heads: Array
    slopes: Array
    common: Array
    conditions: Array
    unseen: Array
    down: Array
    shares: Array
    stream: Array
    hand: Array
    ranks: Array
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
        tables=np.zeros((3, n_seats, 3, n_classes // NEIGHBOURS + 1)),
        which=np.zeros(n_seats, dtype=np.int64),
        stale=np.zeros(n_seats, dtype=np.int64),
        rivals=np.zeros(n_seats, dtype=np.int64),
        sources=np.zeros(n_seats, dtype=np.int64),
        weights=np.zeros(room),
        chances=np.zeros(room),
        bins=np.zeros(BINS),
        codes=np.zeros(room + 1, dtype=np.uint32),
        chosen=np.zeros((n_members, room)),
        own_odds=np.zeros((n_members, N_ACTIONS)),
        log_odds=np.zeros(N_ACTIONS),
        heads=np.zeros((n_members, 3)),
        slopes=np.zeros((n_members, 3, n_kinds)),
        common=np.zeros(N_COMMON),
        conditions=np.zeros(N_CONDITIONS),
        unseen=np.zeros(52, dtype=np.int64),
        down=np.zeros((n_seats, 3), dtype=np.int64),
        shares=np.zeros((n_seats, n_members)),
        stream=np.zeros(1, dtype=np.uint64),
        hand=np.zeros(8, dtype=np.int64),
        ranks=np.zeros(8, dtype=np.int64),
        dealt=np.zeros(n_seats + 3, dtype=np.int64),
        acted=np.zeros(n_seats, dtype=np.int64),
        start_classes=whole.copy(),
        start_lows=whole.copy(),
    )
    return at, held, work
