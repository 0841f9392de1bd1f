"""The cost of treating seats as independent, estimated from joint deals.

The observer treats seats as independent given the public information. The exact posterior over all
downcards, also of folded seats, is the product of the seats' pdds restricted to holdings without a
common card. This module draws deals from the posterior and plays them out, to compare the chances
to win with equation 1 of Saund 2006. The cost is a check; rollouts also begin with these deals.

All costs are in bits. An estimate of a divergence from draws is too high by about (seats - 1) /
(2 ln 2 draws) bits; this bias is estimated, subtracted and reported.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Self

import numpy as np

from handread.arrays import Floats, Ints
from handread.bits import weighted_sum
from handread.cards import DECK_SIZE, N_PAIRS, N_TRIPLES, Card
from handread.game.rules import DEFAULT, Variant, variant_of
from handread.inference.hand_analysis import Analysis
from handread.inference.observer import TIE_RULES, seat_cards, visible_cards
from handread.inference.stages import StageReading
from handread.inference.viewpoint import certainty, without
from handread.kernels import dealing
from handread.odds.htpd import Unseen, holding_cards
from handread.odds.showdown import showdown_of

LN2 = math.log(2.0)
TINY = float(np.finfo(np.float64).tiny)  # in place of 0, so that a quotient is finite


@dataclass(frozen=True, slots=True)
class Hidden:
    """The hidden cards at a stage."""

    up: Mapping[int, tuple[Card, ...]]  # face-up cards of each active seat, including a shared card
    seen: frozenset[Card]  # all cards that are or were face up
    # pdd over pairs (1326,), triples (22100,) or single cards (52,) of every seat, folded ones too
    pdds: Mapping[int, Floats] = field(repr=False)
    game: Variant = DEFAULT

    def at_random(self) -> Self:
        """Return these cards for the cards-only observer: all deals equally likely."""
        even = {seat: _even(pdd.size, self.seen) for seat, pdd in self.pdds.items()}
        return replace(self, pdds=even)

    def as_dealt(self, downcards: Mapping[int, Sequence[Card]]) -> Self:
        """Return these cards with all downcards known; ``KeyError`` for a seat without any."""
        held = {seat: downcards[seat][: _n_held(pdd)] for seat, pdd in self.pdds.items()}
        known = {seat: certainty(pdd.size, held[seat]) for seat, pdd in self.pdds.items()}
        return replace(self, pdds=known)


def _n_held(pdd: Floats) -> int:
    """Return the number of cards of the holdings in a pdd."""
    return {DECK_SIZE: 1, N_PAIRS: 2, N_TRIPLES: 3}[pdd.size]


def _even(size: int, seen: Iterable[Card]) -> Floats:
    return without(np.ones(size), list(seen))


def possible(pdd: Floats, seen: Iterable[Card]) -> Floats:
    """Return a pdd without the holdings with a seen card; uniform if none remains."""
    kept = without(pdd, list(seen))
    return kept if kept.any() else _even(pdd.size, seen)


def hidden_by_stage(analysis: Analysis) -> dict[str, Hidden]:
    """Return the hidden cards at each stage with two or more active players.

    A folded seat keeps its last pdd, without the holdings that contain cards seen since.

    Raises:
        ValueError: The analysis is not from the public viewpoint.
    """
    if analysis.viewpoint != "public":
        raise ValueError(f"deals are drawn from the public read, not that of {analysis.viewpoint}")
    game = variant_of(analysis.replay.history.variant)
    streets = {street.number: street for street in analysis.replay.streets}
    folded: dict[int, Floats] = {}
    by_stage: dict[str, Hidden] = {}
    for stage in analysis.stages:
        folded |= {seat: read.pdd for seat, read in stage.folded.items()}
        if len(stage.active) > 1:
            street = streets[stage.street]
            seen = frozenset(visible_cards(street))
            up = {seat: seat_cards(street, seat) for seat in stage.active}
            pdds = {seat: read.pdd for seat, read in stage.seats.items()}
            pdds |= {seat: possible(pdd, seen) for seat, pdd in folded.items()}
            by_stage[stage.stage] = Hidden(up, seen, pdds, game)
    return by_stage


@dataclass(frozen=True, slots=True)
class JointChances:
    """Chances to win, estimated from joint deals."""

    seats: tuple[int, ...]  # the active seats
    p: Floats  # chances to win (seats,); they sum to 1
    covariance: Floats  # covariance of the sampling error of ``p`` (seats, seats)
    effective: float  # number of equally weighted draws with the same error

    @property
    def errors(self) -> Floats:
        """The standard error of each chance to win, (seats,)."""
        return np.sqrt(np.diag(self.covariance))


@dataclass(frozen=True, slots=True, repr=False)
class Deals:
    """Downcards of all seats, drawn jointly without overlaps, with importance weights."""

    seats: tuple[int, ...]  # seats in the order of the columns of ``rows``
    cards: Ints  # holdings (rows, 3); a pair has -1 as its third card
    masks: Ints  # the same as 52-bit sets (rows,)
    rows: Ints  # holding of each seat in each draw (draws, seats), as an index into ``cards``
    weights: Floats  # importance weight of each draw (draws,); 0 for a draw that failed

    def downcards(self, seat: int) -> Ints:
        """Return the downcards of a seat by draw, (draws, 3); a pair has -1 as its third card."""
        return self.cards[self.rows[:, self.seats.index(seat)]]


def draw_deals(hidden: Hidden, draws: int, rng: np.random.Generator) -> Deals:
    """Draw downcards for all seats, without overlaps, from the product of their pdds.

    Raises:
        ValueError: ``draws`` is below 1, or every draw failed.
    """
    if draws < 1:
        raise ValueError(f"at least one draw is needed, not {draws}")
    # Drawing the most certain seats first keeps the variance of the weights low.
    order = sorted(hidden.pdds, key=lambda seat: -float((hidden.pdds[seat] ** 2).sum()))
    holdings, starts, marginals = _laid_out([hidden.pdds[seat] for seat in order])
    rows = np.zeros((draws, len(order)), dtype=np.int64)
    weights, used = np.empty(draws), np.empty(DECK_SIZE, dtype=np.int64)
    dealing.draw_disjoint(rng, holdings, starts, marginals, used, rows, weights)
    if not weights.any():
        raise ValueError("no deal was found in which these reads hold and no card comes twice")
    return Deals(tuple(order), *holdings[:2], rows, weights)


def shares_of_the_pot(
    hidden: Hidden, deals: Deals, rng: np.random.Generator, split: bool = True
) -> Floats:
    """Return the share of the pot (draws, active seats) of each active seat.

    Each deal is played out once with random cards to come; the last card is shared if the deck is
    too short. Ties are ``split``, or each of the tied wins all.
    """
    shares = np.empty((deals.weights.size, len(hidden.up)))
    dealing.play_out(
        rng,
        (deals.cards, deals.masks, deals.rows, deals.weights),
        Unseen(hidden.seen).cards,
        np.array([deals.seats.index(seat) for seat in hidden.up]),
        np.array(list(hidden.up.values()), dtype=np.int64),
        np.array([*_to_come(hidden), hidden.game.n_cards]),
        showdown_of(hidden.game).final,
        split,
        np.empty((5, DECK_SIZE), dtype=np.int64),  # room for cards and classes
        shares,
    )
    return shares


def joint_chances(
    hidden: Hidden, draws: int, rng: np.random.Generator, ties: str = "split"
) -> JointChances:
    """Estimate the chance to win of each active seat from ``draws`` random joint deals.

    Raises:
        ValueError: The tie rule ("split" or "paper") is unknown, or the errors of ``draw_deals``.
    """
    if ties not in TIE_RULES:
        raise ValueError(f"no tie rule {ties!r}: expected {' or '.join(TIE_RULES)}")
    deals = draw_deals(hidden, draws, rng)
    shares = shares_of_the_pot(hidden, deals, rng, ties == "split")
    weights = deals.weights
    if ties == "paper":  # each of the tied wins: a deal counts by the sum of its shares
        won = shares.sum(axis=1)
        weights = weights * won
        np.divide(shares, won[:, None], out=shares, where=won[:, None] > 0)
    total = float(weights.sum())
    p = np.einsum("d,ds->s", weights, shares) / total
    deviations = (shares - p) * (weights / total)[:, None]
    effective = total**2 / weighted_sum(weights, weights)
    covariance = np.einsum("di,dj->ij", deviations, deviations)
    return JointChances(tuple(hidden.up), p, covariance, effective)


def _to_come(hidden: Hidden) -> tuple[int, int]:
    """Return the number of cards to come to each active seat, and of shared cards (0 or 1)."""
    seat, up = next(iter(hidden.up.items()))
    each = hidden.game.n_cards - len(up) - _n_held(hidden.pdds[seat])
    deck = DECK_SIZE - len(hidden.seen) - sum(map(_n_held, hidden.pdds.values()))
    return (each, 0) if each * len(hidden.up) <= deck else (each - 1, 1)


def _laid_out(
    pdds: Sequence[Floats],
) -> tuple[tuple[Ints, Ints, Floats, Floats], Ints, tuple[Floats, Floats, Floats]]:
    """Return holdings, starts and marginals in the layout of ``kernels.dealing``."""
    live = [np.flatnonzero(pdd) for pdd in pdds]
    starts = np.cumsum([0, *(rows.size for rows in live)])
    cards = np.full((starts[-1], 3), -1)
    chances, sums = np.empty(starts[-1]), np.empty(starts[-1])
    single, double = np.zeros((len(pdds), DECK_SIZE)), np.zeros((len(pdds), DECK_SIZE, DECK_SIZE))
    triple = np.zeros((len(pdds), N_TRIPLES if max(map(_n_held, pdds)) == 3 else 0))
    for seat, (pdd, rows) in enumerate(zip(pdds, live, strict=True)):
        here, p = slice(starts[seat], starts[seat + 1]), pdd[rows] / pdd[rows].sum()
        held = holding_cards(pdd.size)[rows]
        cards[here, : held.shape[1]] = held
        chances[here], sums[here] = p, np.cumsum(p)
        sums[here.stop - 1] = 1.0  # whatever the rounding: a random number finds its holding
        for i, first in enumerate(held.T):
            np.add.at(single[seat], first, p)
            for second in np.delete(held, i, axis=1).T:
                np.add.at(double[seat], (first, second), p)
        if held.shape[1] == 3:
            triple[seat, rows] = p
    masks = np.where(cards >= 0, 1 << np.maximum(cards, 0), 0).sum(axis=1)
    return (cards, masks, chances, sums), starts, (single, double, triple)


# Cost of independence


@dataclass(frozen=True, slots=True)
class BitsEstimate:
    """A figure in bits, its standard error, and the bias that was subtracted."""

    bits: float
    error: float
    bias: float = 0.0


def loss(joint: JointChances, q: Floats) -> BitsEstimate:
    """Return D(joint || q), the loss by ``q`` (seats,); infinite if it excludes a winner."""
    live = joint.p > 0
    if (q[live] <= 0).any():
        return BitsEstimate(math.inf, 0.0)
    p, covariance = joint.p[live], joint.covariance[np.ix_(live, live)]
    curvature = covariance / p / LN2  # the second derivative is 1 / (p ln 2)
    bias = float(np.trace(curvature)) / 2.0
    slope = np.log2(p / q[live])
    # Where the slope is only noise, the error comes from the curvature: count it once, not twice.
    spread = float(np.trace(curvature @ curvature)) / 2.0
    variance = max(float(slope @ covariance @ slope) - spread, spread)
    return BitsEstimate(float((p * slope).sum()) - bias, math.sqrt(variance), bias)


def gain_on_truth(truth: JointChances, joint: JointChances, q: Floats) -> BitsEstimate:
    """Return D(truth || q) - D(truth || joint), the loss of ``q`` (seats,) against ``joint``.

    It may be negative for one hand; its mean over the joint posterior is ``loss(joint, q)``. One
    draw from ``q`` is added, so that a chance too small to be drawn is not 0. A winner that ``q``
    rules out is also ruled out by joint deals, and is ignored.
    """
    p = (joint.effective * joint.p + q) / (joint.effective + 1.0)
    ratios, slope = np.zeros_like(p), np.zeros_like(p)
    np.log2(p / np.maximum(q, TINY), where=(truth.p > 0) & (q > 0), out=ratios)
    np.divide(truth.p, p * LN2, where=p > 0, out=slope)
    bias = -float(slope @ (np.diag(joint.covariance) / np.maximum(p, TINY))) / 2.0
    variance = slope @ joint.covariance @ slope + ratios @ truth.covariance @ ratios
    return BitsEstimate(float(truth.p @ ratios) - bias, math.sqrt(max(0.0, float(variance))), bias)


@dataclass(frozen=True, slots=True)
class ObserverCost:
    """The cost of independence for one observer at one stage."""

    # reduction of the divergence from the truth by joint chances
    on_truth: BitsEstimate
    # mean of ``on_truth`` over the observer's posterior; not negative, except by sampling error
    expected: BitsEstimate


@dataclass(frozen=True, slots=True)
class StageCost:
    """The cost of independence at one stage of a hand with all downcards known.

    ``equation_1`` is D(truth || equation 1 with known downcards); the truth is the chances to win
    when the cards to come are dealt to all seats jointly.
    """

    stage: str
    active: tuple[int, ...]
    cards_only: ObserverCost
    bet_inference: ObserverCost
    equation_1: BitsEstimate


def independence_cost(
    analysis: Analysis, draws: int, rng: np.random.Generator
) -> tuple[StageCost, ...]:
    """Return the cost of independence at each stage with two or more active players.

    A stage takes ``draws`` joint deals for the truth, and as many for each observer.

    Raises:
        ValueError: A dealt downcard is unknown, or the errors of ``hidden_by_stage`` and
            ``joint_chances``.
    """
    if any(stage.omniscience != "full" for stage in analysis.stages):
        raise ValueError("the cost is counted where all dealt downcards are known")
    stages = {stage.stage: stage for stage in analysis.stages}
    costs = []
    for name, hidden in hidden_by_stage(analysis).items():
        beliefs = (hidden.as_dealt(analysis.replay.downcards), hidden.at_random(), hidden)
        truth, blind, read = (joint_chances(each, draws, rng, analysis.ties) for each in beliefs)
        costs.append(_stage_cost(stages[name], truth, blind, read))
    return tuple(costs)


def _stage_cost(
    stage: StageReading, truth: JointChances, blind: JointChances, read: JointChances
) -> StageCost:
    def by_place(chances: Mapping[int, float]) -> Floats:
        return np.array([chances[seat] for seat in truth.seats])

    def cost(joint: JointChances, q: Floats) -> ObserverCost:
        return ObserverCost(gain_on_truth(truth, joint, q), loss(joint, q))

    assert stage.omniscient is not None, "all downcards are known"
    return StageCost(
        stage.stage,
        stage.active,
        cost(blind, by_place(stage.cards_only)),
        cost(read, by_place(stage.bet_inference)),
        loss(truth, by_place(stage.omniscient)),
    )
