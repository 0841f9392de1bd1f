"""Evaluations of reads over many hands, with bootstrap intervals."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from handread.game.rules import AFTER_BETS
from handread.policy import HitRates, Measured, Policy, policy_hash
from handread.study.hand_sample import HandSample, Name
from handread.study.logs import Logs
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
    """The cross-validation of an evaluation in ``k`` folds, by "log", "hand" or "player".

    Where ``by`` is empty, it is "log" if there are ``k`` logs, else "hand". ``trained`` has the
    number of hands that each fold's policies were fitted to, by player to the actions of the
    players of other folds in them. No fold by player could score the ``nameless``.
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
    * "promised_bits", of the groups "two_left" and "more_left": the mean of log2 n less the entropy
      of the read, with n the number of possible holdings. It is what a read that is right gets in
      bits on the truth; "got_floored_bits" are what it got, and "got_less_promised_bits" the
      difference. Players still in, where two are left, or three and more.
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
        logs: The number of logs of hands that people played.
        resampled: What the bootstrap draws, "logs" or "hands".
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
    logs: Logs | None = None,
) -> Evaluation:
    """Average the scores of hands, each figure with its interval; the facts as ``Evaluation``.

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
            found = seat_figures(sample, (stage,), members)
            figures |= {Key(name, stage, group): estimate for name, estimate in found.items()}
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


def _promises(sample: HandSample, stage: str) -> dict[Key, Estimate]:
    """Return the bits that the reads promise by how many players are left, and what they get."""
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
