"""The faces of an evaluation: text for people, CSV and a JSON object for programs.

The object's schema is ``handread.evaluation/1``. Bits are to base 2; what would be infinite or
cannot be said from so few hands is ``null``.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from importlib import resources
from typing import Any

from handread.evaluation.values import (
    Evaluation,
    Folds,
    Interval,
    Known,
    Pair,
    ReliabilityBin,
    Scores,
    StageScores,
)
from handread.report.escape import visible
from handread.report.tables import Rows, as_csv, as_prose, as_text, hands_words

SCHEMA = "handread.evaluation/1"


def evaluation_schema() -> dict[str, Any]:
    """The JSON Schema that every evaluation object meets."""
    name = "evaluation-1.schema.json"
    text = resources.files("handread.report").joinpath(name).read_text("utf-8")
    schema: dict[str, Any] = json.loads(text)
    return schema


# JSON


def evaluation_object(found: Evaluation) -> dict[str, Any]:
    """An evaluation as plain JSON values."""
    actions = found.actions
    return {
        "schema": SCHEMA,
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
            "n": actions.n,
            "unexplained": actions.unexplained,
            "surprise_bits": asdict(actions.surprise),
            "surprise_bits_floored": asdict(actions.floored),
        },
        "reliability": [
            {"event": kind, **asdict(b)} for kind, bins in found.reliability.items() for b in bins
        ],
    }


def _stage_object(stage: StageScores) -> dict[str, Any]:
    return {
        "stage": stage.stage,
        **_scores_object(stage.active),
        "folded": _scores_object(stage.folded),
        "everybody": _scores_object(stage.everybody),
        "known_by_showdown": _scores_object(stage.shown),
        "known_otherwise": _scores_object(stage.otherwise),
        "kl_bits": {**_pair_object(stage.kl), "partial": stage.partial},
        "outcome_bits": _pair_object(stage.outcome),
    }


def _scores_object(scores: Scores) -> dict[str, Any]:
    return {
        "n": scores.n,
        "ruled_out": scores.ruled_out,
        "bits_on_truth": asdict(scores.bits),
        "bits_on_truth_floored": asdict(scores.floored),
        "rank_of_truth": asdict(scores.place),
        "rank_share_of_truth": asdict(scores.share),
    }


def _pair_object(pair: Pair) -> dict[str, Any]:
    return asdict(pair)


# CSV

COLUMNS = (
    "stage",
    "players",
    "figure",
    "n",
    "mean",
    "low95",
    "high95",
    "infinite",
    "chance_low",
    "chance_high",
    "chance_mean",
)


def evaluation_csv(found: Evaluation) -> str:
    """An evaluation as CSV: a row a figure, stage and kind of player, then one a bin."""
    rows = [row for stage in found.stages for row in _stage_rows(stage)]
    actions = found.actions
    for name, interval in (("surprise", actions.surprise), ("surprise_floored", actions.floored)):
        rows.append(_row("", "all", f"{name}_bits", actions.n, interval, actions.unexplained))
    for kind, bins in found.reliability.items():
        for b in bins:
            row = _row("", "active", kind, b.events, b.happened, 0)
            rows.append([*row, b.low, b.high, b.chance])
    blank = [None] * len(COLUMNS)
    return as_csv(COLUMNS, [[*row, *blank[len(row) :]] for row in rows])


def _stage_rows(stage: StageScores) -> Iterable[list[object]]:
    groups = {
        "active": stage.active,
        "folded": stage.folded,
        "everybody": stage.everybody,
        "known_by_showdown": stage.shown,
        "known_otherwise": stage.otherwise,
    }
    for players, scores in groups.items():
        figures = {
            "bits_on_truth": scores.bits,
            "bits_on_truth_floored": scores.floored,
            "rank_of_truth": scores.place,
            "rank_share_of_truth": scores.share,
        }
        for figure, interval in figures.items():
            yield _row(stage.stage, players, figure, scores.n, interval, scores.ruled_out)
    for what, pair in (("kl", stage.kl), ("outcome", stage.outcome)):
        for name, interval in _intervals(pair).items():
            yield _row(
                stage.stage, "table", f"{what}_{name}_bits", pair.n, interval, pair.ruled_out
            )


def _intervals(pair: Pair) -> dict[str, Interval]:
    """The intervals of a pair by name."""
    return {
        "cards_only": pair.cards_only,
        "bet_inference": pair.bet_inference,
        "gain": pair.gain,
        "floored_cards_only": pair.floored_cards_only,
        "floored_bet_inference": pair.floored_bet_inference,
        "floored_gain": pair.floored_gain,
    }


def _row(
    stage: str, players: str, figure: str, n: int, interval: Interval, infinite: int
) -> list[object]:
    return [stage, players, figure, n, interval.mean, interval.low, interval.high, infinite]


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
    """An evaluation for a person: how it was made, its tables, and what they cannot tell."""
    parts = [
        _heading(found),
        _warning(found),
        _truth_text(found),
        _ways_text(found),
        _table_text(found),
        _actions_text(found),
        *(_reliability_text(kind, bins) for kind, bins in found.reliability.items() if bins),
        _bias_text(found),
    ]
    return "\n".join(part for part in parts if part)


def _heading(found: Evaluation) -> str:
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


def ways_words(known: Known) -> str:
    """In which ways downcards are known, in brackets."""
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
        if group == "active" or any(stage.folded.n for stage in found.stages):
            rows = [[stage.stage, getattr(stage, group)] for stage in found.stages]
            text += "\n" + _scores_table(title, rows)
    if any(stage.everybody.ruled_out for stage in found.stages):
        text += as_prose(RULED_OUT_WORDS)
    return text


def _scores_table(title: str, stages: Sequence[Sequence[Any]]) -> str:
    rows: Rows = [["", "n", "bits", "", "ruled out", "before it", "", "mean place"]]
    for stage, scores in stages:
        if scores.n:
            rows.append(
                [
                    f"  {stage}",
                    f"{scores.n:,}",
                    *_with_interval(scores.floored, 2, sign="+"),
                    f"{scores.ruled_out:,}" if scores.ruled_out else "-",
                    *_with_interval(scores.share, 0, 100.0, unit="%"),
                    _number(scores.place.mean, 0),
                ]
            )
    return f"{title}\n{as_text(rows)}"


def _ways_text(found: Evaluation) -> str:
    """The two ways of knowing side by side, where both occur."""
    both = [stage for stage in found.stages if stage.shown.n and stage.otherwise.n]
    if not both:
        return ""
    rows: Rows = [["", "shown: n", "bits", "", "others: n", "bits", ""]]
    for stage in both:
        cells = [f"  {stage.stage}"]
        for scores in (stage.shown, stage.otherwise):
            cells += [f"{scores.n:,}", *_with_interval(scores.floored, 2, sign="+")]
        rows.append(cells)
    return f"players still in, by how their downcards are known\n{as_text(rows)}"


def _table_text(found: Evaluation) -> str:
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
        ruled_out += pair.ruled_out
        if pair.n:
            figures = (pair.floored_cards_only, pair.floored_bet_inference)
            cells = [cell for figure in figures for cell in _with_interval(figure, 3)]
            gain = _with_interval(pair.floored_gain, 3, sign="+")
            rows.append([f"  {stage.stage}", f"{pair.n:,}", *cells, *gain])
    if len(rows) == 1:
        return ""
    infinite = f"infinite: {ruled_out:,}, counted as 40 bits\n" if ruled_out else ""
    return f"{as_prose(title)}{as_text(rows)}{infinite}"


def _actions_text(found: Evaluation) -> str:
    actions = found.actions
    if not actions.n:
        return ""
    mean, interval = _with_interval(actions.floored, 2)
    text = f"Actions: {actions.n:,}, mean surprise {mean} bits {interval}".rstrip() + "\n"
    if actions.unexplained:
        text += as_prose(
            f"{actions.unexplained:,} of them no holding of the policy takes: infinite, counted as "
            "40 bits"
        )
    return text


def _reliability_text(kind: str, bins: Sequence[ReliabilityBin]) -> str:
    rows: Rows = [[kind, "events", "chance %", "happened %", ""]]
    rows += [
        [
            f"  {100 * b.low:.0f} to {100 * b.high:.0f}%",
            f"{b.events:,}",
            f"{100 * b.chance:.1f}",
            *_with_interval(b.happened, 1, 100.0),
        ]
        for b in bins
    ]
    return as_text(rows)


def _bias_text(found: Evaluation) -> str:
    """What the sample leaves out, in words; only what applies."""
    known = found.known
    parts = []
    if known.shown:
        head = f"{known.shown:,} of the {known.total:,} players with known downcards showed them."
        parts.append(as_prose(head, SHOWN_WORDS))
    if any(found.reliability.values()):
        parts.append(as_prose(RELIABILITY_WORDS))
    return "\n".join(parts)


def _with_interval(
    interval: Interval, digits: int, scale: float = 1.0, sign: str = "", unit: str = ""
) -> tuple[str, str]:
    """A mean and its interval in two cells: ``+0.16``, ``(+0.02 to +0.29)``."""
    mean = _number(interval.mean, digits, scale, sign, unit)
    if interval.low is None or interval.high is None:
        return mean, ""
    low, high = (_number(x, digits, scale, sign) for x in (interval.low, interval.high))
    return mean, f"({low} to {high})"


def _number(
    value: float | None, digits: int, scale: float = 1.0, sign: str = "", unit: str = ""
) -> str:
    return "-" if value is None else f"{scale * value:{sign}z.{digits}f}{unit}"
