"""Evaluations as text and JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from importlib import resources
from typing import Any

from handread.report.tables import (
    Rows,
    as_prose,
    as_text,
    count,
    hands_words,
    interval_object,
    number,
    reliability_rows,
    with_interval,
    with_n,
)
from handread.report.words import visible
from handread.study.evaluation import Evaluation, Folds, KnownDowncards, Pair, Scores, StageScores
from handread.study.statistics import CalibrationBin, Estimate

EVALUATION_SCHEMA = "handread.evaluation/1"


def evaluation_schema() -> dict[str, Any]:
    """Return the JSON Schema of evaluation objects."""
    name = "evaluation-1.schema.json"
    text = resources.files("handread.report").joinpath(name).read_text("utf-8")
    schema: dict[str, Any] = json.loads(text)
    return schema


# JSON


def evaluation_object(found: Evaluation) -> dict[str, Any]:
    """Return an evaluation as JSON values."""
    return {
        "schema": EVALUATION_SCHEMA,
        "policy": found.policy,
        "ties": found.ties,
        "hands": found.hands,
        "fitted_on": found.fitted_on,
        "folds": None if found.folds is None else asdict(found.folds),
        "resamples": found.resamples,
        "seed": found.seed,
        "known": {"total": found.known.total, **asdict(found.known)},
        "stages": [_stage_object(stage) for stage in found.stages],
        "actions": {
            "n": found.surprise.n,
            "unexplained": found.surprise.infinite,
            "surprise_bits": interval_object(found.surprise.exact),
            "surprise_bits_floored": interval_object(found.surprise),
        },
        "reliability": [
            _bin_object(kind, one) for kind, bins in found.reliability.items() for one in bins
        ],
    }


def _stage_object(stage: StageScores) -> dict[str, Any]:
    active, *others = ((name, _scores_object(scores)) for name, scores in stage.groups.items())
    return {
        "stage": stage.stage,
        **active[1],
        **dict(others),
        "kl_bits": {**_pair_object(stage.kl), "partial": stage.partial},
        "outcome_bits": _pair_object(stage.outcome),
    }


def _scores_object(scores: Scores) -> dict[str, Any]:
    counts = {"n": scores.bits.n, "ruled_out": scores.bits.infinite}
    return counts | _objects(scores.figures())


def _pair_object(pair: Pair) -> dict[str, Any]:
    return {"n": pair.gain.n, "ruled_out": pair.gain.infinite} | _objects(pair.figures())


def _objects(figures: Mapping[str, Estimate]) -> dict[str, Any]:
    return {name: interval_object(estimate) for name, estimate in figures.items()}


def _bin_object(kind: str, one: CalibrationBin) -> dict[str, Any]:
    return {"event": kind, **asdict(one), "happened": interval_object(one.happened)}


# Text

FEW_HANDS = 20
"""Below this a bootstrap has too little to draw from."""

TRUTH_WORDS = """\
Bits on the true downcards: log2 of what the read gives them against a blind guess. 0 is no better
than guessing; below 0 the read misleads. "before it" is the part of the possible holdings that the
read puts before the truth: 50% by guessing, less is better.
"""
RULED_OUT_WORDS = """\
ruled out: truths to which the read gave no chance. Their bits are -infinite, and so is the mean;
the mean shown counts each of them as -40 bits.
"""
SHOWN_WORDS = """\
They stayed to the end with hands worth showing; who held something else and gave it up is missing.
Scores on them tell how well hands are read that people show, and may flatter the read or wrong it;
so does the K-L of hands in which everybody showed.
"""
RELIABILITY_WORDS = """\
Chances to win, and who won, are counted in hands that came to a showdown, among those who showed
down, their chances scaled to add up to 100%; categories for players whose seven cards are known.
Hands that somebody gave up are missing from both. That alone draws what happens to the middle: of
simulated players read by their own policy, those given 65% won 55% of such hands. Without it, on
simulated hands: handread experiment calibration.
"""


def evaluation_text(found: Evaluation) -> str:
    """Return an evaluation as text: how it was made, its tables, and their biases."""
    parts = [
        _evaluation_heading(found),
        _warning(found),
        _truth_text(found),
        _ways_text(found),
        _evaluation_text(found),
        _actions_text(found),
        *(
            as_text(reliability_rows(kind, bins, False))
            for kind, bins in found.reliability.items()
            if bins
        ),
        _bias_text(found),
    ]
    return "\n".join(part for part in parts if part)


def _evaluation_heading(found: Evaluation) -> str:
    hands = hands_words(found.hands)
    known = found.known
    lines = [
        f"{hands}, policy {visible(found.policy)}, ties {found.ties}",
        f"downcards known of {known.total:,} players{ways_words(known)}",
        f"in brackets: 95% intervals, the hands drawn anew {found.resamples:,} times; from fewer "
        f"than about {FEW_HANDS} hands they are too narrow",
    ]
    if found.folds is not None:
        lines.insert(1, _folds_words(found.folds))
    return as_prose(*lines)


def ways_words(known: KnownDowncards) -> str:
    """Return the ways in which downcards are known, in brackets."""
    ways = [
        f"{n:,} {words}"
        for n, words in (
            (known.shown, "shown"),
            (known.hero, "the log's own player"),
            (known.published, "told by the record"),
        )
        if n
    ]
    return f" ({', '.join(ways)})" if ways else ""


def _folds_words(folds: Folds) -> str:
    low, high = min(folds.trained), max(folds.trained)
    trained = f"{low:,}" if low == high else f"{low:,} to {high:,}"
    head = f"cross-validated by {folds.by}, {folds.k} folds, each read by policies fitted to"
    if folds.by == "hand":
        return f"{head} {trained} other hands"
    words = f"{head} other players' actions in {trained} hands; "
    words += "what concerns a whole table (K-L, who won) is left out"
    if folds.nameless:
        words += f"; {folds.nameless:,} players without a name are not scored"
    return words


def _warning(found: Evaluation) -> str:
    if not found.fitted_on:
        return ""
    return as_prose(
        f"WARNING: the policy was fitted to {found.fitted_on:,} of these {found.hands:,} hands. "
        "What it scores on them is no measure of how it reads others; use hands that it has not "
        "seen, or --folds."
    )


def _truth_text(found: Evaluation) -> str:
    if not found.known.total:
        return "No downcards are known: nothing can be said of the reads, only of the actions.\n"
    text = as_prose(TRUTH_WORDS)
    for title, group in (
        ("players still in", "active"),
        ("with those who folded on the street, as they folded", "everybody"),
    ):
        if group == "active" or any(stage.folded.bits.n for stage in found.stages):
            rows = [[stage.stage, getattr(stage, group)] for stage in found.stages]
            text += "\n" + _scores_table(title, rows)
    if any(stage.everybody.bits.infinite for stage in found.stages):
        text += as_prose(RULED_OUT_WORDS)
    return text


def _scores_table(title: str, stages: Sequence[Sequence[Any]]) -> str:
    rows: Rows = [["", "n", "bits", "", "ruled out", "before it", "", "mean place"]]
    for stage, scores in stages:
        bits = scores.bits
        if bits.n:
            rows.append(
                [
                    f"  {stage}",
                    *with_n(bits, 2, sign="+"),
                    count(bits.infinite),
                    *with_interval(scores.share, 0, 100.0, unit="%"),
                    number(scores.place.mean, 0),
                ]
            )
    return f"{title}\n{as_text(rows)}"


def _ways_text(found: Evaluation) -> str:
    """The two ways of knowing side by side, where both occur."""
    both = [stage for stage in found.stages if stage.shown.bits.n and stage.otherwise.bits.n]
    if not both:
        return ""
    rows: Rows = [["", "shown: n", "bits", "", "others: n", "bits", ""]]
    for stage in both:
        cells = [f"  {stage.stage}"]
        for scores in (stage.shown, stage.otherwise):
            cells += with_n(scores.bits, 2, sign="+")
        rows.append(cells)
    return f"players still in, by how their downcards are known\n{as_text(rows)}"


def _evaluation_text(found: Evaluation) -> str:
    parts = [
        _pair_table(
            found,
            "kl",
            "K-L bits from an observer who sees every card (0 is best), where that can be told",
        ),
        _pair_table(
            found,
            "outcome",
            "log2 of the chance given to who won, among those who showed down (0 is best)",
        ),
    ]
    partial = max((stage.partial for stage in found.stages), default=0)
    if partial:
        hands = hands_words(partial)
        parts.append(as_prose(f"K-L leaves out {hands} in which only some downcards are known."))
    return "\n".join(part for part in parts if part)


def _pair_table(found: Evaluation, what: str, title: str) -> str:
    rows: Rows = [["", "n", "cards only", "", "after bets", "", "gain", ""]]
    ruled_out = 0
    for stage in found.stages:
        pair: Pair = getattr(stage, what)
        ruled_out += pair.gain.infinite
        if pair.gain.n:
            cells = [*with_n(pair.cards_only, 3), *with_interval(pair.bet_inference, 3)]
            rows.append([f"  {stage.stage}", *cells, *with_interval(pair.gain, 3, sign="+")])
    if len(rows) == 1:
        return ""
    infinite = f"infinite: {ruled_out:,}, counted as 40 bits\n" if ruled_out else ""
    return f"{as_prose(title)}{as_text(rows)}{infinite}"


def _actions_text(found: Evaluation) -> str:
    surprise = found.surprise
    if not surprise.n:
        return ""
    mean, interval = with_interval(surprise, 2)
    text = f"Actions: {surprise.n:,}, mean surprise {mean} bits {interval}".rstrip() + "\n"
    if surprise.infinite:
        text += as_prose(
            f"{surprise.infinite:,} of them no holding of the policy takes: infinite, counted as "
            "40 bits"
        )
    return text


def _bias_text(found: Evaluation) -> str:
    """Return the biases of the sample in words; only those that apply."""
    known = found.known
    parts = []
    if known.shown:
        head = f"{known.shown:,} of the {known.total:,} players with known downcards showed them."
        parts.append(as_prose(head, SHOWN_WORDS))
    if any(found.reliability.values()):
        parts.append(as_prose(RELIABILITY_WORDS))
    return "\n".join(parts)
