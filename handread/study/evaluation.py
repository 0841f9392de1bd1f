"""Evaluations of reads over many hands, with bootstrap intervals."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from handread.game.rules import AFTER_BETS, ALL_STAGES
from handread.policy import HitRates, Measured, Policy, policy_hash
from handread.study.measures import BRIER_SCORES, MEASURES, OBSERVERS
from handread.study.scores import (
    CALLS,
    COUNT,
    EVENTS,
    FIGURES,
    INFINITE,
    KINDS,
    PLACES,
    SCORES,
    SUM,
    WAYS,
    HandScores,
)
from handread.study.statistics import (
    BIN_NAMES,
    BINS,
    NOTHING,
    Estimate,
    FigureTable,
    Floats,
    Key,
    stages_with,
)

PLAYERS: Mapping[str, tuple[str, ...]] = {
    "active": ("shown", "otherwise"),
    "folded": ("folded",),
    "everybody": ("shown", "otherwise", "folded"),
    "known_by_showdown": ("shown",),
    "known_otherwise": ("otherwise",),
}
"""The groups of players whose reads are scored, each with the groups of ``scores.GROUPS`` in it.

Active are players still in where two or more are, folded those who folded on the street, at the
read that they folded on. The last two part the active by how their downcards are known.
"""


@dataclass(frozen=True, slots=True)
class KnownDowncards:
    """The number of players whose downcards are known, by the way; see ``scores.ways_known``."""

    shown: int
    hero: int
    published: int

    @property
    def total(self) -> int:
        """The number of players with known downcards."""
        return self.shown + self.hero + self.published


@dataclass(frozen=True, slots=True)
class Folds:
    """The cross-validation of an evaluation in ``k`` folds, by "hand" or "player".

    ``trained`` has the number of hands that each fold's policies were fitted to, by player to the
    actions of the players of other folds in them. No fold by player could score the ``nameless``.
    """

    k: int
    by: str
    family: str
    trained: tuple[int, ...] = ()
    nameless: int = 0


@dataclass(frozen=True)
class Evaluation(FigureTable):
    """The scores of reads of many hands.

    Figures have a stage and a group of players. Where a figure is about both observers, it is there
    for the cards alone, for the bets (bet-inference), and as the gain of the bets, which is
    positive where they are better. Infinite values count as 40 bits in the figures that are
    "floored"; the others lack a mean where a value is infinite.

    * "bits_on_truth": log2 of the probability of the true downcards over that of a uniform guess
      among all holdings that were possible. "true_state_ratio" is 2 to the power of its mean.
    * "rank_of_truth": rank of the true downcards, from 1. "rank_share_of_truth": the fraction of
      the possible holdings ranked before them; .5 for a uniform guess.
    * "kl", of the group "table": divergence of the chances to win from those of the omniscient
      observer, where all downcards are known. "kl_left_out" counts the hands in which only some
      are. "kl_share_of_oracle_gain" is the part of the divergence of the cards alone that the bets
      remove.
    * "outcome", of the group "table": log2 of the chance given to who won.
    * "share_of_oracle_bits": bits on the truth as a part of those of an observer who sees it.
    * "call_cards_only_bets", "call_bet_inference_bets" and so on: chips won at last calls, in big
      bets. "chip_share_of_oracle_gain" is the part of the oracle's gain over the upcards alone.
    * "surprise", of the group "all": the surprise of the actions.
    * "calibration_error": expected calibration error of each kind of event, by stage and for all
      stages together. Reliability tables of each kind of event come with it.

    Attributes:
        policy: The policies, or the reader, that the hands were read with.
        ties: How tied hands share the pot, "split" or "paper".
        hands: The number of hands.
        fitted_on: How many of them the policy was fitted to.
        folds: The cross-validation; None if the hands were read with one policy.
        known: The number of players whose downcards are known.
        resamples: The number of bootstrap samples.
        seed: The random seed of the bootstrap.
        read_by: What ``policy`` names, "policy" or "reader".
    """

    policy: str
    ties: str
    hands: int
    fitted_on: int
    folds: Folds | None
    known: KnownDowncards
    resamples: int
    seed: int
    read_by: str = "policy"

    @property
    def surprise(self) -> Estimate:
        """The mean surprise of the actions, infinite ones floored."""
        return self.at("surprise_floored_bits", group="all")


Name = tuple[str, ...]
"""The name of a figure; see ``FIGURES``."""

RESAMPLES_AT_ONCE = 50

HANDS_AT_ONCE = 2000
"""The hands of which all figures are in memory at once."""

LOW, HIGH = 2.5, 97.5


class HandSample:
    """The figures of some hands, and of ``resamples`` bootstrap samples of these hands.

    Whole hands are drawn (the cluster bootstrap; Efron and Tibshirani 1993, chapter 8), with
    percentile intervals. The same hands in the same order, resamples and seed give the same
    intervals.
    """

    def __init__(self, scores: Iterable[HandScores], resamples: int, seed: int) -> None:
        hands = list(scores)
        self._totals = np.zeros((len(FIGURES), 3))
        self._there = np.zeros((len(hands), len(FIGURES)), bool)
        for there, hand in zip(self._there, hands, strict=True):
            self._totals[hand.at] += hand.sums
            there[hand.at] = True
        used = np.flatnonzero(self._there.any(axis=0))
        times = _times_drawn(len(hands), resamples, seed)
        drawn = np.zeros((resamples, used.size * 2))
        for first in range(0, len(hands), HANDS_AT_ONCE):
            few = hands[first : first + HANDS_AT_ONCE]
            sums = np.zeros((len(few), used.size, 2))
            for row, hand in zip(sums, few, strict=True):
                row[np.searchsorted(used, hand.at)] = hand.sums[:, :INFINITE]
            weights = times[:, first : first + len(few)].astype(float)
            drawn += weights @ sums.reshape(len(few), -1)
        self._drawn = np.zeros((resamples, len(FIGURES), 2))
        self._drawn[:, used] = drawn.reshape(resamples, used.size, 2)

    @property
    def stages(self) -> set[str]:
        """The stages of which there are figures."""
        found = np.flatnonzero(self._totals[:, 0])
        return {part for place in found for part in FIGURES[place][:2]} & set(ALL_STAGES)

    def mean(self, *names: Name) -> Estimate:
        """Return the mean of the values of some figures together."""
        at = [PLACES[name] for name in names]
        n, total, infinite = self._totals[at].sum(axis=0).tolist()
        if not n:
            return NOTHING
        hands = int(self._there[:, at].any(axis=1).sum())
        found = Estimate(total / n, n=int(n), hands=hands, infinite=int(infinite))
        return self._with_interval(found, self._means(at))

    def difference(self, names: Sequence[Name], less: Sequence[Name]) -> Estimate:
        """Return the mean of some figures less that of others, with values from the same hands.

        Its infinite values are those of both.
        """
        return self._above(names, self, less)

    def above(self, other: HandSample, *names: Name) -> Estimate:
        """Return the mean of some figures less that in another sample of the same hands.

        Both must have values from the same hands, and resamples of the same seed: the differences
        are then paired. Its infinite values are those of both.
        """
        return self._above(names, other, names)

    def _above(self, names: Sequence[Name], other: HandSample, less: Sequence[Name]) -> Estimate:
        found, lower = self.mean(*names), other.mean(*less)
        infinite = found.infinite + lower.infinite
        found = replace(found, mean=found.mean - lower.mean, infinite=infinite)
        means, others = (
            sample._means([PLACES[name] for name in each])
            for sample, each in ((self, names), (other, less))
        )
        return self._with_interval(found, means - others)

    def ratio(self, names: Sequence[Name], under: Sequence[Name]) -> Estimate:
        """Return the sum of the values of some figures over that of others."""
        over, below = ([PLACES[name] for name in each] for each in (names, under))
        whole = self._totals[below, SUM].sum()
        found = self.mean(*names)
        if not whole:
            return replace(NOTHING, n=found.n, hands=found.hands)
        found = replace(found, mean=self._totals[over, SUM].sum() / whole)
        with np.errstate(invalid="ignore", divide="ignore"):
            ratios = self._drawn[:, over, SUM].sum(axis=1) / self._drawn[:, below, SUM].sum(axis=1)
        return self._with_interval(found, ratios)

    def calibration_errors(self, kind: str, stages: Sequence[str]) -> dict[str, Estimate]:
        """Return the expected calibration error of both observers, and the gain.

        It is the mean over events of the distance between chance and outcome of their bin. A
        sample makes it too large, and bootstrap samples make it larger by as much again. So its
        interval reaches as far to both sides, but not below 0, as the bins of 95% of the samples
        move in total: by the triangle inequality the error is not farther away. That of the gain,
        where both are too large, is the basic one (Davison and Hinkley 1997, section 5.2).
        """
        places = np.array(
            [
                [[PLACES[kind, stage, str(place), who] for who in OBSERVERS] for stage in stages]
                for place in range(BINS)
            ]
        )
        n = int(self._totals[places[..., 0], COUNT].sum())
        if not n:
            return {}
        excess = self._totals[places, SUM].sum(axis=1) / n
        drawn = self._drawn[:, places].sum(axis=2)
        with np.errstate(invalid="ignore"):
            moved = drawn[..., SUM] / drawn[..., COUNT].sum(axis=1)[:, None]
        moved = moved[np.isfinite(moved).all(axis=(1, 2))]
        hands = int(self._there[:, places[..., 0].ravel()].any(axis=1).sum())
        errors, samples = np.abs(excess).sum(axis=0), np.abs(moved).sum(axis=1)
        found = {
            who: Estimate(error, n=n, hands=hands)
            for who, error in zip(OBSERVERS, errors.tolist(), strict=True)
        }
        gain = float(errors[0] - errors[1])
        found["gain"] = self._with_interval(
            Estimate(gain, n=n, hands=hands), 2 * gain - (samples[:, 0] - samples[:, 1])
        )
        if hands > 1 and len(moved):
            reach = np.percentile(np.abs(moved - excess).sum(axis=1), HIGH - LOW, axis=0)
            for who, each in zip(OBSERVERS, reach.tolist(), strict=True):
                error = found[who].mean
                found[who] = replace(
                    found[who], low=max(0.0, error - each), high=min(1.0, error + each)
                )
        return found

    def _means(self, at: list[int]) -> Floats:
        """Return the mean of each bootstrap sample; NaN where it has no value."""
        drawn = self._drawn[:, at].sum(axis=1)
        with np.errstate(invalid="ignore"):
            means: Floats = drawn[:, SUM] / drawn[:, COUNT]
        return means

    @staticmethod
    def _with_interval(found: Estimate, means: Floats) -> Estimate:
        means = means[np.isfinite(means)]
        if found.hands < 2 or not means.size:
            return found
        # As np.percentile, which takes four times as long for so few numbers.
        places = np.array((LOW, HIGH)) / 100.0 * (means.size - 1)
        low, high = np.interp(places, np.arange(means.size), np.sort(means)).tolist()
        return replace(found, low=low, high=high)


def _times_drawn(hands: int, resamples: int, seed: int) -> npt.NDArray[np.uint16]:
    """Return how often each hand is in each bootstrap sample, (resamples, hands)."""
    times = np.zeros((resamples, hands), np.uint16)
    rng = np.random.default_rng(seed)
    for first in range(0, resamples if hands else 0, RESAMPLES_AT_ONCE):
        n = min(RESAMPLES_AT_ONCE, resamples - first)
        for row, draw in enumerate(rng.integers(0, hands, (n, hands)), start=first):
            times[row] = np.bincount(draw, minlength=hands)
    return times


def evaluation(
    scores: Sequence[HandScores],
    policy: str,
    ties: str,
    resamples: int = 1000,
    seed: int = 1,
    fitted_on: int = 0,
    folds: Folds | None = None,
    read_by: str = "policy",
) -> Evaluation:
    """Average the scores of hands, each figure with its interval; the facts as ``Evaluation``."""
    known = [sum(hand.known[way] for hand in scores) for way in range(len(WAYS))]
    return Evaluation(
        _figures(HandSample(scores, resamples, seed)),
        policy=policy,
        ties=ties,
        hands=len(scores),
        fitted_on=fitted_on,
        folds=folds,
        known=KnownDowncards(*known),
        resamples=resamples,
        seed=seed,
        read_by=read_by,
    )


def _figures(sample: HandSample) -> dict[Key, Estimate]:
    figures: dict[Key, Estimate] = {}
    stages = stages_with(sample.stages)
    for stage in stages:
        for group, members in PLAYERS.items():
            found = seat_figures(sample, (stage,), members)
            figures |= {Key(name, stage, group): estimate for name, estimate in found.items()}
        figures |= _pair(sample, stage, "kl", least_is_best=True)
        figures |= _pair(sample, stage, "outcome", least_is_best=False)
        figures |= _share_of_gain(sample, stage)
        partial = sample.mean((stage, "partial")).n
        left_out = Estimate(math.nan, n=partial, hands=partial)
        figures[Key("kl_left_out", stage, "table")] = left_out
    surprise = sample.mean(("surprise",))
    figures[Key("surprise_bits", group="all")] = surprise.exact
    figures[Key("surprise_floored_bits", group="all")] = surprise
    figures |= _calls(sample)
    for kind in KINDS:
        figures |= _reliability(sample, kind)
    for kind in EVENTS:
        for stage in ("", *stages):
            errors = sample.calibration_errors(kind, [stage] if stage else stages)
            for name, estimate in errors.items():
                key = Key(f"calibration_error_{name}", stage, kind, "calibration error")
                figures[key] = estimate
    return figures


RATED = ("kind_in_top_1", "kind_in_top_3", "family_in_top_1")
"""The measures that are kept as the hit rates of a policy, in the order of ``HitRates``."""


def hit_rates(found: Evaluation, stage: str) -> HitRates | None:
    """Return the hit rates of the players still in after a stage; None where none are known."""
    bets, cards = (
        [found.at(f"{measure}_{who}", stage, "active") for measure in RATED]
        for who in reversed(OBSERVERS)
    )
    if not bets[0].n:
        return None
    first, three, family = (
        (round(one.mean, 3), round(alone.mean, 3)) for one, alone in zip(bets, cards, strict=True)
    )
    return HitRates(bets[0].n, first, three, family)


def measured(found: Evaluation, policy: Policy, version: str) -> Measured:
    """Return the hit rates of an evaluation, to be kept in the file of a policy.

    The evaluation is of hands that the policy had not seen, or of folds.
    """
    folds = found.folds
    return Measured(
        policy=policy_hash(policy),
        version=version,
        hands=found.hands,
        folds=0 if folds is None else folds.k,
        by="hand" if folds is None else folds.by,
        stages=tuple(
            (stage, rates)
            for stage in found.stages
            if stage in AFTER_BETS and (rates := hit_rates(found, stage)) is not None
        ),
    )


def seat_figures(
    sample: HandSample, stages: Sequence[str], members: Sequence[str]
) -> dict[str, Estimate]:
    """Return the scores of the reads of players at some stages together, by name.

    ``infinite`` of the scores counts the truths that were ruled out. The measures are there for
    both observers, with their gain, if downcards are known. ``members`` are some of
    ``scores.GROUPS``.
    """

    def values(*what: str) -> list[Name]:
        return [(stage, member, *what) for stage in stages for member in members]

    bits, rank, share = (sample.mean(*values(score)) for score in SCORES)
    scores = {
        "bits_on_truth": bits.exact,
        "bits_on_truth_floored": bits,
        "rank_of_truth": rank,
        "rank_share_of_truth": share,
    }
    found = {name: replace(estimate, infinite=bits.infinite) for name, estimate in scores.items()}
    if not bits.n:
        return found
    part = sample.ratio(values("bits"), values("oracle"))
    found |= {
        "true_state_ratio": _power(bits.exact),
        "true_state_ratio_floored": _power(bits),
        "share_of_oracle_bits": part.exact,
        "share_of_oracle_bits_floored": part,
    }
    for measure in MEASURES:
        cards, bets = (values(measure, who) for who in OBSERVERS)
        each = _both(sample, cards, bets, measure in BRIER_SCORES)
        found |= {f"{measure}_{name}": estimate for name, estimate in each.items()}
    return found


def _both(
    sample: HandSample, cards: Sequence[Name], bets: Sequence[Name], least_is_best: bool
) -> dict[str, Estimate]:
    """Return a figure of both observers and its gain, by name."""
    better, worse = (cards, bets) if least_is_best else (bets, cards)
    means = (sample.mean(*names) for names in (cards, bets))
    return dict(zip(OBSERVERS, means, strict=True)) | {"gain": sample.difference(better, worse)}


def _power(bits: Estimate) -> Estimate:
    """Return 2 to the power of an estimate of bits."""
    mean, low, high = (2.0**x for x in (bits.mean, bits.low, bits.high))
    return replace(bits, mean=mean, low=low, high=high)


def _share_of_gain(sample: HandSample, stage: str) -> dict[Key, Estimate]:
    """Return the share of the K-L gain: 1 less the K-L of the read over that of the cards alone."""
    cards, bets = ((stage, "kl", who) for who in OBSERVERS)
    left = sample.ratio([bets], [cards])
    if not left.n:
        return {}
    infinite = sample.difference([cards], [bets]).infinite
    share = replace(
        left, mean=1 - left.mean, low=1 - left.high, high=1 - left.low, infinite=infinite
    )
    return {
        Key("kl_share_of_oracle_gain", stage, "table"): share.exact,
        Key("kl_share_of_oracle_gain_floored", stage, "table"): share,
    }


def _calls(sample: HandSample) -> dict[Key, Estimate]:
    """Return the chips at last calls, and the share of the oracle's gain in them."""
    found = {f"call_{name}_bets": sample.mean(("call", name)) for name in CALLS}
    if not found["call_gain_bets"].n:
        return {}
    found["chip_share_of_oracle_gain"] = sample.ratio([("call", "gain")], [("call", "oracle_gain")])
    return {Key(name, "", "table"): estimate for name, estimate in found.items()}


def _pair(sample: HandSample, stage: str, what: str, least_is_best: bool) -> dict[Key, Estimate]:
    """Return a figure of both observers and its gain; ``infinite`` counts those of both."""
    cards, bets = ((stage, what, who) for who in OBSERVERS)
    found = _both(sample, [cards], [bets], least_is_best)
    exact = {name: estimate.exact for name, estimate in found.items()}
    floored = {f"floored_{name}": estimate for name, estimate in found.items()}
    return {
        Key(f"{what}_{name}_bits", stage, "table"): replace(
            estimate, infinite=found["gain"].infinite
        )
        for name, estimate in (exact | floored).items()
    }


def _reliability(sample: HandSample, kind: str) -> dict[Key, Estimate]:
    """Return the bins of a reliability table that have events."""
    found = {}
    for place, group in enumerate(BIN_NAMES):
        chance, happened = (sample.mean((kind, str(place), what)) for what in ("p", "y"))
        if chance.n:
            found[Key("chance", "", group, kind)] = Estimate(
                chance.mean, n=chance.n, hands=chance.hands
            )
            found[Key("came_true", "", group, kind)] = happened
    return found
