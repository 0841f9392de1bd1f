"""All downcards dealt together: what the independence of the observer's seats costs.

The observer takes seats as independent given what is public. Exactly, no card is held twice: the
posterior over all downcards is the product of the seats' pdds, limited to holdings that share
no card, of folded seats too, whose downcards nobody else can hold or draw. Here deals are
drawn from it at random and played out to the showdown, which gives chances to win to compare with
equation 1 of Saund 2006. This is for checking the shortcut; nothing else rests on it.

All figures are in bits. A divergence estimated from draws comes out too high, by (seats - 1) /
(2 ln 2 draws) bits or so; that bias is estimated and taken off, and told.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from handread.cards import DECK_SIZE, N_TRIPLES, Card
from handread.inference.observer import TIE_RULES, seat_cards, visible_cards
from handread.inference.values import Analysis, StageReading
from handread.inference.viewpoint import certainty, without
from handread.kernels import dealing
from handread.odds.hand_types import class_tables
from handread.odds.htpd import HAND_CARDS, Unseen, holding_cards

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

LN2 = math.log(2.0)
TINY = float(np.finfo(np.float64).tiny)


@dataclass(frozen=True, slots=True)
class Hidden:
    """What is face down at a stage, and who may hold it.

    ``up`` are the face-up cards of each seat still in, a shared card included, ``seen`` all cards
    face up so far. ``pdds`` has every seat dealt in, folded ones too: probabilities over pairs
    (1326,) or triples (22100,), each seat's by itself.
    """

    up: Mapping[int, tuple[Card, ...]]
    seen: frozenset[Card]
    pdds: Mapping[int, Floats] = field(repr=False)

    def at_random(self) -> Hidden:
        """The same as the cards-only observer has it: every deal is equally likely."""
        return replace(self, pdds={s: _even(p.size, self.seen) for s, p in self.pdds.items()})

    def as_dealt(self, downcards: Mapping[int, Sequence[Card]]) -> Hidden:
        """The same when all downcards are known; ``KeyError`` if those of a seat are not."""
        known = {
            seat: certainty(pdd.size, downcards[seat][: _held(pdd)])
            for seat, pdd in self.pdds.items()
        }
        return replace(self, pdds=known)


def _held(pdd: Floats) -> int:
    """How many downcards a pdd is about."""
    return 3 if pdd.size == N_TRIPLES else 2


def _even(size: int, seen: Iterable[Card]) -> Floats:
    """Equal probability for every holding without a seen card."""
    return without(np.ones(size), list(seen))


def _pruned(pdd: Floats, seen: Iterable[Card]) -> Floats:
    """A pdd without the holdings that have a seen card; a read that they refute starts again."""
    kept = without(pdd, list(seen))
    return kept if kept.any() else _even(pdd.size, seen)


def hidden_by_stage(analysis: Analysis) -> dict[str, Hidden]:
    """What is hidden at each stage of a hand with two or more active players, as the public reads.

    A folded seat keeps the pdd that it folded with, less the cards seen since. Raises
    ``ValueError`` for a reading that is not the public's.
    """
    if analysis.viewpoint != "public":
        raise ValueError(f"deals are drawn from the public read, not that of {analysis.viewpoint}")
    streets = {street.number: street for street in analysis.replay.streets}
    folded: dict[int, Floats] = {}
    found: dict[str, Hidden] = {}
    for stage in analysis.stages:
        folded |= {seat: read.pdd for seat, read in stage.folded.items()}
        if len(stage.active) > 1:
            street = streets[int(stage.stage[0])]
            seen = frozenset(visible_cards(street))
            up = {seat: seat_cards(street, seat) for seat in stage.active}
            pdds = {seat: read.pdd for seat, read in stage.seats.items()}
            pdds |= {seat: _pruned(pdd, seen) for seat, pdd in folded.items()}
            found[stage.stage] = Hidden(up, seen, pdds)
    return found


@dataclass(frozen=True, slots=True)
class JointChances:
    """Chances to win estimated from joint deals.

    ``p`` (seats,) sums to 1 over ``seats``, those still in; ``covariance`` (seats, seats) is that
    of its sampling error. ``effective`` is how many equally weighted draws would be as good.
    """

    seats: tuple[int, ...]
    p: Floats
    covariance: Floats
    draws: int
    effective: float

    @property
    def errors(self) -> Floats:
        """The standard error of each chance, (seats,)."""
        return np.sqrt(np.diag(self.covariance))

    def by_seat(self) -> dict[int, float]:
        """The chances by seat."""
        return dict(zip(self.seats, self.p.tolist(), strict=True))


@dataclass(frozen=True, slots=True, repr=False)
class Deals:
    """Downcards of all seats drawn together, no card twice; and how much each draw counts.

    ``weights`` (draws,) are those of importance, 0 where the draw came to nothing. ``rows``
    (draws, seats) point into ``cards`` (rows, 3), a pair with -1 as its third, and into the same as
    52-bit sets, ``masks`` (rows,); a seat has the column of its place in ``seats``.
    """

    seats: tuple[int, ...]
    cards: Ints
    masks: Ints
    rows: Ints
    weights: Floats

    def downcards(self, seat: int) -> Ints:
        """The downcards of a seat by draw, (draws, 3), -1 as the third of a pair."""
        drawn: Ints = self.cards[self.rows[:, self.seats.index(seat)]]
        return drawn


def draw_deals(hidden: Hidden, draws: int, rng: np.random.Generator) -> Deals:
    """Random downcards for every seat dealt in, from the product of the pdds without overlaps.

    Raises ``ValueError`` for no draws, or when none of them came to anything.
    """
    if draws < 1:
        raise ValueError(f"at least one draw is needed, not {draws}")
    # Those of whom most is known draw first: the weights then vary least.
    order = sorted(hidden.pdds, key=lambda seat: -float((hidden.pdds[seat] ** 2).sum()))
    holdings, starts, marginals = _laid_out([hidden.pdds[seat] for seat in order])
    rows = np.zeros((draws, len(order)), dtype=np.int64)
    weights = np.empty(draws)
    dealing.draw_disjoint(rng, holdings, starts, marginals, rows, weights)
    if not weights.any():
        raise ValueError("no deal was found in which these reads hold and no card comes twice")
    return Deals(tuple(order), *holdings[:2], rows, weights)


def shares_of_the_pot(hidden: Hidden, deals: Deals, rng: np.random.Generator) -> Floats:
    """The share of the pot (draws, active seats) that each seat still in wins, ties shared.

    Each deal is played out once with random cards to come; when the deck is too short for all,
    the last card is shared.
    """
    shares = np.empty((deals.weights.size, len(hidden.up)))
    dealing.play_out(
        rng,
        (deals.cards, deals.masks, deals.rows, deals.weights),
        Unseen(hidden.seen).cards,
        np.array([deals.seats.index(seat) for seat in hidden.up]),
        np.array(list(hidden.up.values()), dtype=np.int64),
        np.array(_to_come(hidden)),
        (class_tables().by_ranks, class_tables().by_flush),
        shares,
    )
    return shares


def joint_chances(
    hidden: Hidden, draws: int, rng: np.random.Generator, ties: str = "split"
) -> JointChances:
    """The chance to win of each seat still in, from ``draws`` random deals of all cards.

    ``ties`` as in ``analysis.analyze_replay``. Raises ``ValueError`` for an unknown tie rule, and
    as ``draw_deals`` does.
    """
    if ties not in TIE_RULES:
        raise ValueError(f"no tie rule {ties!r}: expected {' or '.join(TIE_RULES)}")
    deals = draw_deals(hidden, draws, rng)
    shares = shares_of_the_pot(hidden, deals, rng)
    weights = deals.weights
    if ties == "paper":  # a tie is a win for each: the deal counts once for every winner
        weights = weights * (shares > 0).sum(axis=1)
    total = float(weights.sum())
    p = weights @ shares / total
    apart = (shares - p) * (weights / total)[:, None]
    effective = total**2 / float(weights @ weights)
    return JointChances(tuple(hidden.up), p, apart.T @ apart, draws, effective)


def _to_come(hidden: Hidden) -> tuple[int, int]:
    """How many cards come to each seat still in, and how many (0 or 1) to all of them as one."""
    seat, up = next(iter(hidden.up.items()))
    each = HAND_CARDS - len(up) - _held(hidden.pdds[seat])
    deck = DECK_SIZE - len(hidden.seen) - sum(map(_held, hidden.pdds.values()))
    return (each, 0) if each * len(hidden.up) <= deck else (each - 1, 1)


def _laid_out(
    pdds: Sequence[Floats],
) -> tuple[tuple[Ints, Ints, Floats, Floats], Ints, tuple[Floats, Floats, Floats]]:
    """Holdings, starts and marginals as ``kernels.dealing`` wants them."""
    live = [np.flatnonzero(pdd) for pdd in pdds]
    starts = np.cumsum([0, *(rows.size for rows in live)])
    cards = np.full((starts[-1], 3), -1)
    chances, sums = np.empty(starts[-1]), np.empty(starts[-1])
    single, double = np.zeros((len(pdds), DECK_SIZE)), np.zeros((len(pdds), DECK_SIZE, DECK_SIZE))
    triple = np.zeros((len(pdds), N_TRIPLES if max(map(_held, pdds)) == 3 else 0))
    for seat, (pdd, rows) in enumerate(zip(pdds, live, strict=True)):
        here, p = slice(starts[seat], starts[seat + 1]), pdd[rows] / pdd[rows].sum()
        held = holding_cards(pdd.size)[rows]
        cards[here, : held.shape[1]] = held
        chances[here], sums[here] = p, np.cumsum(p)
        sums[here.stop - 1] = 1.0
        for i, first in enumerate(held.T):
            np.add.at(single[seat], first, p)
            for second in np.delete(held, i, axis=1).T:
                np.add.at(double[seat], (first, second), p)
        if held.shape[1] == 3:
            triple[seat, rows] = p
    masks = np.where(cards >= 0, 1 << np.maximum(cards, 0), 0).sum(axis=1)
    return (cards, masks, chances, sums), starts, (single, double, triple)


# What the shortcut costs


@dataclass(frozen=True, slots=True)
class Bits:
    """A figure in bits, its standard error, and the bias that was taken off it."""

    bits: float
    error: float
    bias: float = 0.0


def loss(joint: JointChances, q: Floats) -> Bits:
    """D(joint || q): what somebody loses who goes by ``q`` (seats,) where ``joint`` holds.

    Infinite where ``q`` rules out what ``joint`` does not.
    """
    live = joint.p > 0
    if (q[live] <= 0).any():
        return Bits(math.inf, 0.0)
    p, covariance = joint.p[live], joint.covariance[np.ix_(live, live)]
    bent = covariance / p / LN2  # the second derivative is 1 / (p ln 2)
    bias = float(np.trace(bent)) / 2.0
    slope = np.log2(p / q[live])
    # Where the slope is nothing but noise the bend spreads the estimate; counted once, not twice.
    spread = float(np.trace(bent @ bent)) / 2.0
    variance = max(float(slope @ covariance @ slope) - spread, spread)
    return Bits(float((p * slope).sum()) - bias, math.sqrt(variance), bias)


def gain_on_truth(truth: JointChances, joint: JointChances, q: Floats) -> Bits:
    """D(truth || q) - D(truth || joint): what ``q`` (seats,) loses against the joint chances.

    For one hand it may fall below 0; over the deals that the joint posterior expects its mean is
    ``loss(joint, q)``. One draw is given to ``q``, so that no chance is 0 only for being too small
    to be drawn; what ``q`` rules out so do joint deals, and neither loses more by it.
    """
    p = (joint.effective * joint.p + q) / (joint.effective + 1.0)
    ratios, slope = np.zeros_like(p), np.zeros_like(p)
    np.log2(p / np.maximum(q, TINY), where=(truth.p > 0) & (q > 0), out=ratios)
    np.divide(truth.p, p * LN2, where=p > 0, out=slope)
    bias = -float(slope @ (np.diag(joint.covariance) / np.maximum(p, TINY))) / 2.0
    variance = slope @ joint.covariance @ slope + ratios @ truth.covariance @ ratios
    return Bits(float(truth.p @ ratios) - bias, math.sqrt(max(0.0, float(variance))), bias)


@dataclass(frozen=True, slots=True)
class ObserverCost:
    """What independence costs one observer at one stage.

    ``kl`` is D(truth || independent chances), ``on_truth`` how much less it is with joint chances,
    ``expected`` the same on average over what the observer takes for possible (never below 0 but
    for the error).
    """

    kl: Bits
    on_truth: Bits
    expected: Bits


@dataclass(frozen=True, slots=True)
class StageCost:
    """What independence costs at one stage of a hand with all downcards known.

    ``equation_1`` is D(truth || equation 1 with known downcards), where truth are the chances to
    win when the cards to come are dealt to all seats together.
    """

    stage: str
    active: tuple[int, ...]
    cards_only: ObserverCost
    bet_inference: ObserverCost
    equation_1: Bits


def independence_cost(
    analysis: Analysis, draws: int, rng: np.random.Generator
) -> tuple[StageCost, ...]:
    """What independence costs at each stage of a hand with two or more active players.

    The independent chances are those of the analysis; ``draws`` joint deals a stage are drawn for
    the truth and for each observer. Raises ``ValueError`` when not all dealt downcards are known,
    and as ``hidden_by_stage`` and ``joint_chances`` do.
    """
    if any(stage.omniscience != "full" for stage in analysis.stages):
        raise ValueError("the cost is counted where all dealt downcards are known")
    stages = {stage.stage: stage for stage in analysis.stages}
    costs = []
    for name, hidden in hidden_by_stage(analysis).items():
        reads = (hidden.as_dealt(analysis.replay.downcards), hidden.at_random(), hidden)
        truth, blind, read = (joint_chances(h, draws, rng, analysis.ties) for h in reads)
        costs.append(_stage_cost(stages[name], truth, blind, read))
    return tuple(costs)


def _stage_cost(
    stage: StageReading, truth: JointChances, blind: JointChances, read: JointChances
) -> StageCost:
    def by_place(chances: Mapping[int, float]) -> Floats:
        return np.array([chances[seat] for seat in truth.seats])

    def cost(joint: JointChances, q: Floats) -> ObserverCost:
        return ObserverCost(loss(truth, q), gain_on_truth(truth, joint, q), loss(joint, q))

    assert stage.omniscient is not None, "all downcards are known"
    return StageCost(
        stage.stage,
        stage.active,
        cost(blind, by_place(stage.cards_only)),
        cost(read, by_place(stage.bet_inference)),
        loss(truth, by_place(stage.omniscient)),
    )
