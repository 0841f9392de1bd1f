"""Evaluations as text and JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from functools import partial
from importlib import resources
from typing import Any

from handread.game.rules import STAGES
from handread.report.tables import (
    FigureColumn,
    as_prose,
    figures_text,
    hands_words,
    infinite_cell,
    interval_object,
    number,
    reliability_text,
    share_cells,
    with_interval,
    with_n,
)
from handread.report.words import visible
from handread.study.evaluation import PLAYERS, Evaluation, Folds, KnownDowncards
from handread.study.scores import KINDS
from handread.study.statistics import BIN_NAMES, BINS, Estimate, Key

EVALUATION_SCHEMA = "handread.evaluation/1"


def evaluation_schema() -> dict[str, Any]:
    """Return the JSON Schema of evaluation objects."""
    name = "evaluation-1.schema.json"
    text = resources.files("handread.report").joinpath(name).read_text("utf-8")
    schema: dict[str, Any] = json.loads(text)
    return schema


# JSON

SCORES = ("bits_on_truth", "bits_on_truth_floored", "rank_of_truth", "rank_share_of_truth")
"""The figures of a group of players."""


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
        "stages": [_stage_object(found, stage) for stage in STAGES],
        "actions": {
            "n": found.surprise.n,
            "unexplained": found.surprise.infinite,
            "surprise_bits": interval_object(found.surprise.exact),
            "surprise_bits_floored": interval_object(found.surprise),
        },
        "reliability": [each for kind in KINDS for each in _bin_objects(found, kind)],
    }


def _stage_object(found: Evaluation, stage: str) -> dict[str, Any]:
    scores = {
        group: _objects(found, stage, group, {name: name for name in SCORES}) for group in PLAYERS
    }
    left_out = found.at("kl_left_out", stage, "table").n
    return {
        "stage": stage,
        **scores.pop("active"),
        **scores,
        "kl_bits": {**_pair_object(found, stage, "kl"), "partial": left_out},
        "outcome_bits": _pair_object(found, stage, "outcome"),
    }


def _objects(
    found: Evaluation, stage: str, group: str, figures: Mapping[str, str]
) -> dict[str, Any]:
    """Return figures by the names that they have in the object; the last one has the counts."""
    estimates = {name: found.at(figure, stage, group) for name, figure in figures.items()}
    last = list(estimates.values())[-1]
    intervals = {name: interval_object(estimate) for name, estimate in estimates.items()}
    return {"n": last.n, "ruled_out": last.infinite, **intervals}


def _pair_object(found: Evaluation, stage: str, what: str) -> dict[str, Any]:
    exact = ("cards_only", "bet_inference", "gain")
    names = (*exact, *(f"floored_{name}" for name in exact))
    return _objects(found, stage, "table", {name: f"{what}_{name}_bits" for name in names})


def _bin_objects(found: Evaluation, kind: str) -> Iterator[dict[str, Any]]:
    for place, group in enumerate(BIN_NAMES):
        chance = found.at("chance", group=group, about=kind)
        if chance.n:
            yield {
                "event": kind,
                "low": place / BINS,
                "high": (place + 1) / BINS,
                "events": chance.n,
                "chance": chance.mean,
                "happened": interval_object(found.at("came_true", group=group, about=kind)),
            }


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
        *(reliability_text(found, kind, error=False) for kind in KINDS),
        shown_text(found.known),
        as_prose(RELIABILITY_WORDS) if any(found.groups(kind) for kind in KINDS) else "",
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
    text = as_prose(TRUTH_WORDS) + _scores_table("players still in", found, "active")
    if _any(found, "folded"):
        title = "with those who folded on the street, as they folded"
        text += _scores_table(title, found, "everybody")
    if any(_bits(found, stage, "everybody").infinite for stage in STAGES):
        text += as_prose(RULED_OUT_WORDS)
    return text


BITS = "bits_on_truth_floored"

SCORE_COLUMNS = (
    FigureColumn(("n", "bits", ""), BITS, partial(with_n, digits=2, sign="+")),
    FigureColumn(("ruled out",), BITS, infinite_cell),
    FigureColumn(("before it", ""), "rank_share_of_truth", share_cells),
    FigureColumn(("mean place",), "rank_of_truth", lambda rank: number(rank.mean, 0)),
)


def _bits(found: Evaluation, stage: str, group: str) -> Estimate:
    return found.at(BITS, stage, group)


def _any(found: Evaluation, group: str) -> bool:
    return any(_bits(found, stage, group).n for stage in STAGES)


def _scores_table(title: str, found: Evaluation, group: str) -> str:
    rows = [(f"  {stage}", Key("", stage, group)) for stage in STAGES]
    return f"\n{title}\n{figures_text(found, rows, SCORE_COLUMNS, gaps=False)}"


def _ways_text(found: Evaluation) -> str:
    """Return the two ways of knowing side by side, where both occur."""
    ways = {"shown": "known_by_showdown", "others": "known_otherwise"}
    columns = [
        FigureColumn((f"{head}: n", "bits", ""), BITS, SCORE_COLUMNS[0].cells, group=group)
        for head, group in ways.items()
    ]
    both = [
        (f"  {stage}", Key("", stage))
        for stage in STAGES
        if all(_bits(found, stage, group).n for group in ways.values())
    ]
    table = figures_text(found, both, columns)
    title = "players still in, by how their downcards are known"
    return f"{title}\n{table}" if table else ""


PAIR_TITLES = {
    "kl": "K-L bits from an observer who sees every card (0 is best), where that can be told",
    "outcome": "log2 of the chance given to who won, among those who showed down (0 is best)",
}


def _evaluation_text(found: Evaluation) -> str:
    parts = [_pair_table(found, what, title) for what, title in PAIR_TITLES.items()]
    left_out = max(found.at("kl_left_out", stage, "table").n for stage in STAGES)
    if left_out:
        hands = hands_words(left_out)
        parts.append(as_prose(f"K-L leaves out {hands} in which only some downcards are known."))
    return "\n".join(part for part in parts if part)


def _pair_table(found: Evaluation, what: str, title: str) -> str:
    cells = partial(with_interval, digits=3)
    columns = (
        FigureColumn(
            ("n", "cards only", ""), f"{what}_floored_cards_only_bits", partial(with_n, digits=3)
        ),
        FigureColumn(("after bets", ""), f"{what}_floored_bet_inference_bits", cells),
        FigureColumn(("gain", ""), f"{what}_floored_gain_bits", partial(cells, sign="+")),
    )
    rows = [(f"  {stage}", Key("", stage, "table")) for stage in STAGES]
    table = figures_text(found, rows, columns, gaps=False)
    ruled_out = sum(found.at(columns[-1].figure, stage, "table").infinite for stage in STAGES)
    infinite = f"infinite: {ruled_out:,}, counted as 40 bits\n" if ruled_out else ""
    return f"{as_prose(title)}{table}{infinite}" if table else ""


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


def shown_text(known: KnownDowncards) -> str:
    """Return in words what showdowns leave out, where it applies."""
    if not known.shown:
        return ""
    head = f"{known.shown:,} of the {known.total:,} players with known downcards showed them."
    return as_prose(head, SHOWN_WORDS)
