"""``python -m docs.site.independence``: the cost of treating seats as independent, in bits.

The observer treats seats as independent given the public information. The exact posterior over all
downcards, also of folded seats, is the product of the seats' pdds restricted to holdings without a
common card. Deals drawn from it (``inference.joint``) are played out, and their chances to win
compared with equation 1 of Saund 2006.

An estimate of a divergence from draws is too high by about (seats - 1) / (2 ln 2 draws) bits; this
bias is estimated, subtracted and reported.
"""

import argparse
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from handread.arrays import Floats
from handread.bits import weighted_sum
from handread.cards import Card
from handread.cli.groups import RuleOptions
from handread.game.rules import variant_of
from handread.inference.hand_analysis import Analysis
from handread.inference.joint import Hidden, draw_deals, n_held, possible, shares_of_the_pot
from handread.inference.observer import TIE_RULES, seat_cards, visible_cards
from handread.inference.players import player_models
from handread.inference.stages import StageReading
from handread.inference.viewpoint import certainty
from handread.report.information_text import left_out
from handread.report.tables import (
    FigureColumn,
    as_prose,
    by_stage,
    figures_text,
    n_cell,
    n_games,
    with_error,
)
from handread.runs import Run
from handread.simulate import Setup, read_games
from handread.study.statistics import FigureTable
from handread.study.sums import Row, Study

LN2 = math.log(2.0)
TINY = float(np.finfo(np.float64).tiny)  # in place of 0, so that a quotient is finite


def as_dealt(hidden: Hidden, downcards: Mapping[int, Sequence[Card]]) -> Hidden:
    """Return the cards with all downcards known; ``KeyError`` for a seat without any."""
    held = {seat: downcards[seat][: n_held(pdd)] for seat, pdd in hidden.pdds.items()}
    known = {seat: certainty(pdd.size, held[seat]) for seat, pdd in hidden.pdds.items()}
    return replace(hidden, pdds=known)


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
    found: dict[str, Hidden] = {}
    for stage in analysis.stages:
        folded |= {seat: read.pdd for seat, read in stage.folded.items()}
        if len(stage.active) > 1:
            street = streets[stage.street]
            seen = frozenset(visible_cards(street))
            up = {seat: seat_cards(street, seat) for seat in stage.active}
            pdds = {seat: read.pdd for seat, read in stage.seats.items()}
            pdds |= {seat: possible(pdd, seen) for seat, pdd in folded.items()}
            found[stage.stage] = Hidden(up, seen, pdds, game)
    return found


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
        beliefs = (as_dealt(hidden, analysis.replay.downcards), hidden.at_random(), hidden)
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


INDEPENDENCE_FIGURES = (
    "cards_only_bits",
    "bet_inference_bits",
    "cards_only_on_truth_bits",
    "bet_inference_on_truth_bits",
    "equation_1_bits",
)
"""The figures of a stage, over the games with two or more active.

The first two are D(joint chances || independent chances): the mean cost over the deals that an
observer thinks possible, and ``on_truth`` the cost on the true cards, which has the same mean under
the right policy but far more noise. The last is the loss of equation 1 when all downcards are
known. Games are left out where one of the figures is infinite.
"""


@dataclass(frozen=True)
class IndependenceCost(FigureTable):
    """The cost of independence by stage, from ``draws`` joint deals a stage and observer."""

    games: int
    policy: str
    draws: int


JOINT_STREAM = 1_000
"""The random stream of a game for joint deals."""


def independence(
    setup: Setup, games: int = 250, draws: int = 20_000, run: Run = Run()
) -> IndependenceCost:
    """Play games and measure the cost of independence, with ``draws`` joint deals each time.

    Each observer has joint deals of its own at each stage.
    """
    study = Study(partial(independence_rows, setup, draws, run.seed), 1 + draws // 500)
    sums, names = study.sums(games, run), INDEPENDENCE_FIGURES
    weights = {name: (weight,) for name, weight in zip(names, np.eye(len(names)), strict=True)}
    return IndependenceCost(sums.by_stage(weights), sums.games, setup.players.name, draws)


def independence_rows(setup: Setup, draws: int, seed: int, number: int) -> Iterator[Row]:
    """Play a game, and yield the cost of independence by stage, in bits."""
    ((_, read),) = read_games(setup, seed, range(number, number + 1))
    rng = np.random.default_rng((seed, number, JOINT_STREAM))
    for cost in independence_cost(read, draws, rng):
        both = cost.cards_only, cost.bet_inference
        figures = [*(each.expected for each in both), *(each.on_truth for each in both)]
        yield cost.stage, [figure.bits for figure in (*figures, cost.equation_1)]


def independence_text(table: IndependenceCost) -> str:
    """Return the cost of independence as text: a line per stage."""
    heads = ("cards", "bets", "cards, truth", "bets, truth", "equation 1")
    columns = [FigureColumn(("games",), INDEPENDENCE_FIGURES[0], n_cell)]
    for head, figure in zip(heads, INDEPENDENCE_FIGURES, strict=True):
        columns.append(FigureColumn((head,), figure, partial(with_error, digits=5)))
    return (
        as_prose(
            f"{n_games(table.games)}, {table.policy}; {table.draws:,} joint deals a stage and "
            "observer",
            "bits that independent seats cost the cards-only and the bet-inference observer: "
            "expected by the observer itself, and on the cards dealt; and what equation 1 costs "
            "who knows all",
        )
        + f"\n{figures_text(table, by_stage(table), columns, 'stage')}"
        + left_out(table, INDEPENDENCE_FIGURES[0])
    )


def main() -> None:
    """Play games and print the cost."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=250)
    parser.add_argument("--draws", type=int, default=20_000)
    parser.add_argument("--seats", type=int, default=7)
    parser.add_argument("--game", help="a game with its stakes, as simulate takes them")
    parser.add_argument("--policy", default="default")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1)
    asked = parser.parse_args()
    setup = RuleOptions(asked.seats, asked.game).setup_of(player_models(asked.policy))
    run = Run(asked.seed, asked.workers)
    print(independence_text(independence(setup, asked.games, asked.draws, run)), end="")


if __name__ == "__main__":
    main()
