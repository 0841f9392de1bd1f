"""Evaluations of reads over many hands, with bootstrap intervals."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from handread.game.rules import AFTER_BETS
from handread.policy import HitRates, Measured, Policy, policy_hash
from handread.study.hand_sample import HandSample, Name
from handread.study.logs import LogIndex
from handread.study.measures import BRIER_SCORES, MEASURES, OBSERVERS
from handread.study.scores import CALLS, EVENTS, KINDS, LEFT, PROMISE, SCORES, WAYS, HandScores
from handread.study.statistics import BIN_NAMES, Estimate, FigureTable, Key, stages_with

PLAYERS: Mapping[str, tuple[str, ...]] = {
    "active": ("shown", "otherwise"),
    "folded": ("folded",),
    "everybody": ("shown", "otherwise", "folded"),
    "known_by_showdown": ("shown",),
    "known_otherwise": ("otherwise",),
}
"""The groups of players whose reads are scored, each with the groups of ``scores.GROUPS`` in it.

Active players are still in, with one opponent or more; folded players folded on the street, and are
scored by the read that they folded on. The last two groups divide the active players by how their
downcards are known.
"""


@dataclass(frozen=True, slots=True)
class KnownDowncards:
    """The number of players with known downcards, by the way; see ``scores.ways_known``."""

    shown: int
    hero: int
    published: int

    @property
    def total(self) -> int:
        """Their total."""
        return self.shown + self.hero + self.published


@dataclass(frozen=True, slots=True)
class Folds:
    """The cross-validation of an evaluation in ``k`` folds, by "log", "hand" or "player".

    An empty ``by`` is "log" if there are ``k`` logs, else "hand". ``trained`` has the number of
    hands that each fold's policies were fitted to; by player, to other folds' players in them.
    ``nameless`` players are in no fold by player.
    """

    k: int
    by: str
    family: str
    trained: tuple[int, ...] = ()
    nameless: int = 0


@dataclass(frozen=True)
class Evaluation(FigureTable):
    """The scores of reads of many hands.

    Figures have a stage and a group of players. A figure of both observers stands there for the
    cards alone, for the bets (bet-inference), and as the gain of the bets, which is positive if
    they are better. Infinite values count as 40 bits in the figures that are "floored"; other
    figures lack a mean if a value is infinite.

    * "bits_on_truth": log2 of the probability of the true downcards over a uniform guess among all
      possible holdings. "true_state_ratio" is 2 to the power of its mean.
    * "rank_of_truth": rank of the true downcards, from 1. "rank_share_of_truth": the fraction of
      the possible holdings ranked before them; .5 for a uniform guess.
    * "kl", of the group "table": divergence of the chances to win from those of the omniscient
      observer, where all downcards are known. "kl_left_out" counts the hands in which only some
      are. "kl_share_of_oracle_gain" is the part of the divergence of the cards alone that the bets
      remove.
    * "promised_bits", of the groups "two_left" and "more_left" (two players still in, or more): the
      mean of log2 n less the entropy of the read, with n the number of possible holdings. A
      calibrated read gets as many bits on the truth; "got_floored_bits" are the bits it got, and
      "got_less_promised_bits" the difference.
    * "outcome", of the group "table": log2 of the chance given to the winner.
    * "share_of_oracle_bits": bits on the truth as a part of the bits of an observer who sees it.
    * "call_cards_only_bets", "call_bet_inference_bets" and so on: chips won at last calls, in big
      bets. "chip_share_of_oracle_gain" is the part of the oracle's gain over the upcards alone.
    * "surprise", of the group "all": the surprise of the actions.
    * "calibration_error": expected calibration error of each kind of event, by stage and for all
      stages together. Reliability tables of each kind of event come with it.

    Attributes:
        policy: The policies, or the reader, that read the hands.
        ties: How tied hands share the pot, "split" or "paper".
        hands: The number of hands.
        fitted_on: The number of these hands that the policy was fitted to.
        folds: The cross-validation; None if the hands were read with one policy.
        known: The number of players with known downcards.
        resamples: The number of bootstrap samples.
        seed: The random seed of the bootstrap.
        read_by: The kind of ``policy``, "policy" or "reader".
        logs: The number of logs of hands that people played.
        resampled: The unit that the bootstrap draws, "logs" or "hands".
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
    logs: int = 0
    resampled: str = "hands"

    @property
    def surprise(self) -> Estimate:
        """The mean surprise of the actions, infinite ones floored."""
        return self.at("surprise_floored_bits", group="all")


def evaluation(
    scores: Sequence[HandScores],
    policy: str,
    ties: str,
    resamples: int = 1000,
    seed: int = 1,
    fitted_on: int = 0,
    folds: Folds | None = None,
    read_by: str = "policy",
    logs: LogIndex | None = None,
) -> Evaluation:
    """Average the scores of hands, each figure with its interval; see ``Evaluation``.

    Without ``logs``, the bootstrap draws hands.
    """
    known = [sum(hand.known[way] for hand in scores) for way in range(len(WAYS))]
    return Evaluation(
        _figures(HandSample(scores, resamples, seed, logs)),
        policy=policy,
        ties=ties,
        hands=len(scores),
        fitted_on=fitted_on,
        folds=folds,
        known=KnownDowncards(*known),
        resamples=resamples,
        seed=seed,
        read_by=read_by,
        logs=logs.people if logs else 0,
        resampled="logs" if logs and logs.resampled else "hands",
    )


def _figures(sample: HandSample) -> dict[Key, Estimate]:
    figures: dict[Key, Estimate] = {}
    stages = stages_with(sample.stages)
    for stage in stages:
        for group, members in PLAYERS.items():
            figures_of = seat_figures(sample, (stage,), members)
            figures |= {Key(name, stage, group): estimate for name, estimate in figures_of.items()}
        figures |= _promises(sample, stage)
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
"""The measures stored as the hit rates of a policy, in the order of ``HitRates``."""


def hit_rates(table: Evaluation, stage: str) -> HitRates | None:
    """Return the hit rates of the players still in after a stage; None without known downcards."""
    bets, cards = (
        [table.at(f"{measure}_{who}", stage, "active") for measure in RATED]
        for who in reversed(OBSERVERS)
    )
    if not bets[0].n:
        return None
    first, three, family = (
        (round(read.mean, 3), round(alone.mean, 3)) for read, alone in zip(bets, cards, strict=True)
    )
    return HitRates(bets[0].n, first, three, family)


def measured(table: Evaluation, policy: Policy, version: str) -> Measured:
    """Return the hit rates of an evaluation, for the file of a policy.

    The evaluation is of hands that the policy had not seen, or of folds.
    """
    folds = table.folds
    return Measured(
        policy=policy_hash(policy),
        version=version,
        hands=table.hands,
        folds=0 if folds is None else folds.k,
        by="hand" if folds is None else folds.by,
        stages=tuple(
            (stage, rates)
            for stage in table.stages
            if stage in AFTER_BETS and (rates := hit_rates(table, stage)) is not None
        ),
    )


def _promises(sample: HandSample, stage: str) -> dict[Key, Estimate]:
    """Return the bits that reads promise, and the bits they get, by the players left."""
    figures: dict[Key, Estimate] = {}
    for left in LEFT:
        got, promised = ([(stage, left, what)] for what in PROMISE)
        if sample.mean(*got).n:
            figures |= {
                Key("got_floored_bits", stage, left): sample.mean(*got),
                Key("promised_bits", stage, left): sample.mean(*promised),
                Key("got_less_promised_bits", stage, left): sample.difference(got, promised),
            }
    return figures


def seat_figures(
    sample: HandSample, stages: Sequence[str], members: Sequence[str]
) -> dict[str, Estimate]:
    """Return the scores of the reads of players at some stages together, by name.

    ``infinite`` of the scores counts truths ruled out. If downcards are known, there are the
    measures of both observers, with their gain. ``members`` are some of ``scores.GROUPS``.
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
    figures = {name: replace(estimate, infinite=bits.infinite) for name, estimate in scores.items()}
    if not bits.n:
        return figures
    part = sample.ratio(values("bits"), values("oracle"))
    figures |= {
        "true_state_ratio": _power(bits.exact),
        "true_state_ratio_floored": _power(bits),
        "share_of_oracle_bits": part.exact,
        "share_of_oracle_bits_floored": part,
    }
    for measure in MEASURES:
        cards, bets = (values(measure, who) for who in OBSERVERS)
        each = _both(sample, cards, bets, measure in BRIER_SCORES)
        figures |= {f"{measure}_{name}": estimate for name, estimate in each.items()}
    return figures


def _both(
    sample: HandSample, cards: Sequence[Name], bets: Sequence[Name], least_is_best: bool
) -> dict[str, Estimate]:
    better, worse = (cards, bets) if least_is_best else (bets, cards)
    means = (sample.mean(*names) for names in (cards, bets))
    return dict(zip(OBSERVERS, means, strict=True)) | {"gain": sample.difference(better, worse)}


def _power(bits: Estimate) -> Estimate:
    mean, low, high = (2.0**x for x in (bits.mean, bits.low, bits.high))
    return replace(bits, mean=mean, low=low, high=high)


def _share_of_gain(sample: HandSample, stage: str) -> dict[Key, Estimate]:
    """Return the share of the K-L gain: 1 less the ratio of the read's K-L to the cards' alone."""
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
    calls = {f"call_{name}_bets": sample.mean(("call", name)) for name in CALLS}
    if not calls["call_gain_bets"].n:
        return {}
    calls["chip_share_of_oracle_gain"] = sample.ratio([("call", "gain")], [("call", "oracle_gain")])
    return {Key(name, "", "table"): estimate for name, estimate in calls.items()}


def _pair(sample: HandSample, stage: str, what: str, least_is_best: bool) -> dict[Key, Estimate]:
    """Return a figure of both observers and its gain; ``infinite`` counts values of both."""
    cards, bets = ((stage, what, who) for who in OBSERVERS)
    both = _both(sample, [cards], [bets], least_is_best)
    exact = {name: estimate.exact for name, estimate in both.items()}
    floored = {f"floored_{name}": estimate for name, estimate in both.items()}
    return {
        Key(f"{what}_{name}_bits", stage, "table"): replace(
            estimate, infinite=both["gain"].infinite
        )
        for name, estimate in (exact | floored).items()
    }


def _reliability(sample: HandSample, kind: str) -> dict[Key, Estimate]:
    figures = {}
    for place, group in enumerate(BIN_NAMES):
        chance, happened = (sample.mean((kind, str(place), what)) for what in ("p", "y"))
        if chance.n:
            figures[Key("chance", "", group, kind)] = Estimate(
                chance.mean, n=chance.n, hands=chance.hands
            )
            figures[Key("came_true", "", group, kind)] = happened
    return figures
