"""From the marks of hands to the tables of an evaluation."""

from __future__ import annotations

from collections.abc import Sequence

from handread.evaluation.bootstrap import Sample
from handread.evaluation.marks import BINS, KINDS, OBSERVERS, HandMarks
from handread.evaluation.values import (
    ActionScores,
    Evaluation,
    Folds,
    Interval,
    Known,
    Pair,
    ReliabilityBin,
    Scores,
    StageScores,
)
from handread.stud import STAGES


def evaluation(
    marks: Sequence[HandMarks],
    policy: str,
    ties: str,
    resamples: int = 1000,
    seed: int = 1,
    fitted_on: int = 0,
    folds: Folds | None = None,
) -> Evaluation:
    """How well the reads behind the marks were, each figure with its interval.

    ``policy`` and ``ties`` say how the hands were read, ``fitted_on`` how many of them the policy
    was fitted to, ``folds`` how they were cross-validated.
    """
    sample = Sample(marks, resamples, seed)
    known = [sum(hand.known[way] for hand in marks) for way in range(3)]
    surprise = [("surprise",)]
    return Evaluation(
        policy=policy,
        ties=ties,
        hands=len(marks),
        fitted_on=fitted_on,
        folds=folds,
        known=Known(*known),
        stages=tuple(_stage(sample, stage) for stage in STAGES),
        actions=ActionScores(
            sample.count(surprise),
            sample.infinite(surprise),
            sample.exact(surprise),
            sample.mean(surprise),
        ),
        reliability={kind: tuple(_bins(sample, kind)) for kind in KINDS},
        resamples=resamples,
        seed=seed,
    )


def _stage(sample: Sample, stage: str) -> StageScores:
    return StageScores(
        stage=stage,
        active=_scores(sample, stage, "shown", "otherwise"),
        folded=_scores(sample, stage, "folded"),
        everybody=_scores(sample, stage, "shown", "otherwise", "folded"),
        shown=_scores(sample, stage, "shown"),
        otherwise=_scores(sample, stage, "otherwise"),
        kl=_pair(sample, stage, "kl", least_is_best=True),
        partial=sample.count([(stage, "partial")]),
        outcome=_pair(sample, stage, "outcome", least_is_best=False),
    )


def _scores(sample: Sample, stage: str, *groups: str) -> Scores:
    bits, place, share = (
        [(stage, group, score) for group in groups] for score in ("bits", "place", "share")
    )
    return Scores(
        n=sample.count(bits),
        ruled_out=sample.infinite(bits),
        bits=sample.exact(bits),
        floored=sample.mean(bits),
        place=sample.mean(place),
        share=sample.mean(share),
    )


def _pair(sample: Sample, stage: str, what: str, least_is_best: bool) -> Pair:
    cards, bets = ((stage, what, who) for who in OBSERVERS)
    better, worse = (cards, bets) if least_is_best else (bets, cards)
    gain = sample.difference(better, worse)
    ruled_out = sample.infinite([cards, bets])
    return Pair(
        n=sample.count([bets]),
        ruled_out=ruled_out,
        cards_only=sample.exact([cards]),
        bet_inference=sample.exact([bets]),
        gain=Interval(None) if ruled_out else gain,
        floored_cards_only=sample.mean([cards]),
        floored_bet_inference=sample.mean([bets]),
        floored_gain=gain,
    )


def _bins(sample: Sample, kind: str) -> list[ReliabilityBin]:
    """The bins of a reliability table that have events."""
    bins = []
    for place in range(BINS):
        given, came_true = ([(kind, str(place), what)] for what in ("p", "y"))
        chance = sample.mean(given).mean
        if chance is not None:
            happened = sample.mean(came_true)
            events = sample.count(given)
            bins.append(ReliabilityBin(place / BINS, (place + 1) / BINS, events, chance, happened))
    return bins
