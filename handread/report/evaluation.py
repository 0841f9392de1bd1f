"""Evaluations as text and JSON."""

from collections.abc import Iterator
from dataclasses import asdict
from functools import partial
from typing import Any

import handread.report.tables as tables
from handread.report.tables import FigureColumn, as_prose, mean_cell, stages_text, with_interval
from handread.report.words import visible
from handread.study.evaluation import PLAYERS, Evaluation, Folds, KnownDowncards
from handread.study.measures import HIT_RATES, MEASURES, OBSERVERS
from handread.study.scores import CALLS, EVENTS, KINDS
from handread.study.statistics import BIN_NAMES, BINS, Estimate, Key

EVALUATION_SCHEMA = "handread.evaluation/1"

SCORES = ("bits_on_truth", "bits_on_truth_floored", "rank_of_truth", "rank_share_of_truth")
COMPARED = (*OBSERVERS, "gain")
CHIP_SHARE = "chip_share_of_oracle_gain"
KL_SHARE = "kl_share_of_oracle_gain_floored"
PROMISES = {name: f"{name}_bits" for name in ("promised", "got_floored", "got_less_promised")}

_MEASURES = {
    name: name
    for name in (
        *("true_state_ratio", "true_state_ratio_floored"),
        *("share_of_oracle_bits", "share_of_oracle_bits_floored"),
        *(f"{name}_{of}" for name in MEASURES for of in COMPARED),
    )
}
"""The names of the measures, the same as in JSON."""


def evaluation_object(scored: Evaluation) -> dict[str, Any]:
    """Return an evaluation as JSON values."""
    return {
        "schema": EVALUATION_SCHEMA,
        "policy": scored.policy,
        "ties": scored.ties,
        "hands": scored.hands,
        "fitted_on": scored.fitted_on,
        "folds": None if scored.folds is None else asdict(scored.folds),
        "resamples": scored.resamples,
        "seed": scored.seed,
        "logs": scored.logs,
        "resampled": scored.resampled,
        "known": {"total": scored.known.total, **asdict(scored.known)},
        "stages": [_stage_object(scored, stage) for stage in scored.stages],
        "actions": {
            "n": scored.surprise.n,
            "unexplained": scored.surprise.infinite,
            "surprise_bits": tables.interval_object(scored.surprise.exact),
            "surprise_bits_floored": tables.interval_object(scored.surprise),
        },
        "last_calls": _calls_object(scored),
        "reliability": [each for kind in KINDS for each in _bin_objects(scored, kind)],
        "calibration_errors": list(_calibration_objects(scored)),
    }


def _stage_object(scored: Evaluation, stage: str) -> dict[str, Any]:
    places = {group: Key("", stage, group) for group in PLAYERS}
    scores = {
        group: {
            **tables.counted_objects(scored, dict(zip(SCORES, SCORES, strict=True)), place),
            "measures": tables.interval_objects(scored, _MEASURES, place),
        }
        for group, place in places.items()
    }
    share = scored.at(KL_SHARE, stage, "table")
    return {
        "stage": stage,
        **scores.pop("active"),
        **scores,
        "kl_bits": {
            **_pair_object(scored, stage, "kl"),
            "partial": scored.at("kl_left_out", stage, "table").n,
            "share_of_oracle_gain": tables.interval_object(share.exact),
            "floored_share_of_oracle_gain": tables.interval_object(share),
        },
        "outcome_bits": _pair_object(scored, stage, "outcome"),
        "promises": {
            left: tables.counted_objects(scored, PROMISES, Key("", stage, left))
            for left in PROMISE_TITLES
        },
    }


def _calls_object(scored: Evaluation) -> dict[str, Any]:
    names = {f"{name}_bets": f"call_{name}_bets" for name in CALLS}
    names["share_of_oracle_gain"] = CHIP_SHARE
    numbers = tables.interval_objects(scored, names, Key("", group="table"))
    return {"n": scored.at("call_gain_bets", group="table").n, **numbers}


def _calibration_objects(scored: Evaluation) -> Iterator[dict[str, Any]]:
    names = {of: f"calibration_error_{of}" for of in COMPARED}
    for kind in EVENTS:
        for stage in ("", *scored.stages):
            place = Key(names["gain"], stage, kind, "calibration error")
            if n := scored.at(*place).n:
                numbers = tables.interval_objects(scored, names, place)
                yield {"event": kind, "stage": stage or None, "events": n, **numbers}


def _pair_object(scored: Evaluation, stage: str, what: str) -> dict[str, Any]:
    exact = ("cards_only", "bet_inference", "gain")
    names = (*exact, *(f"floored_{name}" for name in exact))
    figures = {name: f"{what}_{name}_bits" for name in names}
    return tables.counted_objects(scored, figures, Key("", stage, "table"))


def _bin_objects(scored: Evaluation, kind: str) -> Iterator[dict[str, Any]]:
    for place, group in enumerate(BIN_NAMES):
        chance = scored.at("chance", group=group, about=kind)
        if chance.n:
            yield {
                "event": kind,
                "low": place / BINS,
                "high": (place + 1) / BINS,
                "events": chance.n,
                "chance": chance.mean,
                "happened": tables.interval_object(scored.at("came_true", group=group, about=kind)),
            }


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
Scores on them tell how well hands are read that people show, and may flatter the read or do it an
injustice; so does the K-L of hands in which everybody showed.
"""
RELIABILITY_WORDS = """\
Chances to win, and who won, are counted in hands that came to a showdown, among those who showed
down, their chances scaled to add up to 100%; categories for players whose seven cards are known.
Hands that somebody gave up are missing from both. That alone draws what happens to the middle: of
simulated players read by their own policy, those given 65% won 55% of such hands. Without it, on
simulated hands: handread experiment calibration.
"""

HITS_WORDS = """\
How far to trust the read: how often the kind of holding that it puts first, such as "split
queens", is right, how often one of its first three is, and how often its first family, such as
"split pair"; in brackets the same for the upcards alone.
"""
PROMISE_WORDS = """\
Does the read know how much it knows? "promised" is how many bits on the true downcards it gets on
average if it is right, "got" how many it got. Where it gets less, it is too sure of itself.
"""
MEASURE_TITLES = {
    "reciprocal_rank": "1 / place of the true downcards, mean (upcards alone: H_n / n)",
    "kind_in_top_1": "first kind of holding right, %",
    "kind_in_top_3": "one of the first three kinds right, %",
    "kind_in_top_5": "one of the first five kinds right, %",
    "family_in_top_1": 'first family right, %: kinds without ranks, such as "split pair"',
    "family_in_top_3": "one of the first three families right, %",
    "family_in_top_5": "one of the first five families right, %",
    "brier_ace": 'Brier score of "an ace among the downcards" (0 is best)',
    "brier_pair": 'Brier score of "a downcard pairs another of its cards" (0 is best)',
}
ORACLE_WORDS = """\
Against a reader who sees every card: "ratio" is what the read gives the true downcards against a
blind guess (2 to the bits, 1 is a guess); "of the bits" their bits against those of who sees them;
"of the K-L" the part of the K-L of the upcards alone that the read saves. 0% is the upcards alone,
100% seeing every card; below 0% the read misleads.
"""
CALLS_WORDS = """\
Last calls on 7th street, where all cards are known: a reader in the player's seat calls where the
chance to win is worth the price, else folds. Chips a decision, in bets of 7th street; "share" is
the part of what seeing every card gains over the upcards alone that the read gains.
"""
CALIBRATION_WORDS = """\
Expected calibration error: the distance between chance and outcome, averaged over the events by
bins of 10%. Small samples make it too large: where the interval begins at 0, all may be chance.
"""


def evaluation_text(scored: Evaluation, every_measure: bool = False) -> str:
    """Return an evaluation as text; if ``every_measure``, each beside the upcards alone."""
    parts = [
        _evaluation_heading(scored),
        _warning(scored),
        _truth_text(scored),
        _hits_text(scored),
        _promises_text(scored),
        _ways_text(scored),
        _measures_text(scored) if every_measure else "",
        _evaluation_text(scored),
        _actions_text(scored),
        *(tables.reliability_text(scored, kind, error=False) for kind in KINDS),
        shown_text(scored.known),
        as_prose(RELIABILITY_WORDS) if any(scored.groups(kind) for kind in KINDS) else "",
    ]
    return "\n".join(part for part in parts if part)


def _evaluation_heading(scored: Evaluation) -> str:
    hands = tables.hands_words(scored.hands)
    known = scored.known
    lines = [
        f"{hands}, {scored.read_by} {visible(scored.policy)}, ties {scored.ties}",
        f"downcards known of {known.total:,} players{ways_words(known)}",
        _interval_words(scored),
    ]
    if scored.folds is not None:
        lines.insert(1, _folds_words(scored.folds, scored.logs))
    return as_prose(*lines)


def _interval_words(scored: Evaluation) -> str:
    """Return how the bootstrap draws, and when its intervals are too narrow."""
    n, by_log = scored.logs, scored.resampled == "logs"
    unit = f"{n:,} logs" if by_log else "hands"
    words = f"in brackets: 95% intervals, from {scored.resamples:,} resamples of the {unit}; "
    if not by_log and n:
        of = "one log" if n == 1 else f"{n:,} logs"
        words += f"the hands are of {of}, and other tables may differ by more; "
    return f"{words}from fewer than about {FEW_HANDS} {scored.resampled} they are too narrow"


def ways_words(known: KnownDowncards) -> str:
    """Return in brackets how downcards are known."""
    ways = [
        f"{n:,} {words}"
        for n, words in (
            (known.shown, "at a showdown"),
            (known.hero, "of the log's own player"),
            (known.published, "told by the record"),
        )
        if n
    ]
    return f" ({', '.join(ways)})" if ways else ""


def _folds_words(folds: Folds, logs: int) -> str:
    low, high = min(folds.trained), max(folds.trained)
    trained = f"{low:,}" if low == high else f"{low:,} to {high:,}"
    head = f"cross-validated by {folds.by}, {folds.k} folds, each read by policies fitted to"
    if folds.by == "log":
        return f"{head} {trained} hands of other logs"
    if folds.by == "hand":
        return f"{head} {trained} other hands{', of the same logs too' if logs else ''}"
    words = f"{head} other players' actions in {trained} hands; "
    words += "what concerns a whole table (K-L, who won) is left out"
    if folds.nameless:
        words += f"; {folds.nameless:,} players without a name are not scored"
    return words


def _warning(scored: Evaluation) -> str:
    if not scored.fitted_on:
        return ""
    hands = "this hand"
    if scored.hands > 1:
        hands = f"{scored.fitted_on:,} of these {scored.hands:,} hands"
    return as_prose(
        f"WARNING: the policy was fitted to {hands}. "
        "What it scores on them is no measure of how it reads others; use hands that it has not "
        "seen, or --folds."
    )


def _truth_text(scored: Evaluation) -> str:
    still_in, with_folded = (
        stages_text(scored, SCORE_COLUMNS, group) for group in ("active", "everybody")
    )
    if not any(scored.at(BITS, stage, "folded").n for stage in scored.stages):
        with_folded = ""
    ruled_out = any(scored.at(BITS, stage, "everybody").infinite for stage in scored.stages)
    return truth_text(scored.known, still_in, with_folded, ruled_out)


def truth_text(known: KnownDowncards, still_in: str, with_folded: str, ruled_out: bool) -> str:
    """Return two tables of bits on the true downcards, the second perhaps empty, with notes."""
    if not known.total:
        return "No downcards are known: nothing can be said of the reads, only of the actions.\n"
    text = f"{as_prose(TRUTH_WORDS)}\nplayers still in\n{still_in}"
    if with_folded:
        text += f"\nwith those who folded on the street, as they folded\n{with_folded}"
    return text + as_prose(RULED_OUT_WORDS) * ruled_out


BITS = "bits_on_truth_floored"

SCORE_COLUMNS = (
    FigureColumn(("n", "bits", ""), BITS, partial(tables.with_n, digits=2, sign="+")),
    FigureColumn(("ruled out",), BITS, tables.infinite_cell),
    FigureColumn(("before it", ""), "rank_share_of_truth", tables.share_cells),
    FigureColumn(("mean place",), "rank_of_truth", partial(mean_cell, digits=0)),
)


_PERCENT = partial(mean_cell, digits=0, scale=100.0, unit="%")


def _beside(estimate: Estimate) -> str:
    return f"({_PERCENT(estimate)})"


HIT_COLUMNS = (
    FigureColumn(("n",), "kind_in_top_1_bet_inference", tables.n_cell),
    FigureColumn(("first kind right",), "kind_in_top_1_bet_inference", _PERCENT),
    FigureColumn(("(cards)",), "kind_in_top_1_cards_only", _beside),
    FigureColumn(("one of three",), "kind_in_top_3_bet_inference", _PERCENT),
    FigureColumn(("(cards)",), "kind_in_top_3_cards_only", _beside),
    FigureColumn(("family right",), "family_in_top_1_bet_inference", _PERCENT),
    FigureColumn(("(cards)",), "family_in_top_1_cards_only", _beside),
)


def _hits_text(scored: Evaluation) -> str:
    table = stages_text(scored, HIT_COLUMNS, "active")
    return f"{as_prose(HITS_WORDS)}\nplayers still in\n{table}" if table else ""


def _measures_text(scored: Evaluation) -> str:
    if not scored.known.total:
        return ""
    calls = tables.figures_text(
        scored, [("  last calls", Key("", "", "table"))], CALL_COLUMNS, gaps=False
    )
    parts = [
        as_prose(ORACLE_WORDS) + stages_text(scored, ORACLE_COLUMNS),
        as_prose(CALLS_WORDS) + calls if calls else "",
    ]
    for measure, title in MEASURE_TITLES.items():
        scale, digits = (100.0, 0) if measure in HIT_RATES else (1.0, 3)
        columns = _compared_columns(measure, scale, digits)
        parts.append(f"{title}\n{stages_text(scored, columns, 'active')}")
    parts.append(as_prose(CALIBRATION_WORDS))
    columns = _compared_columns("calibration_error", 100.0, 1)
    for kind in EVENTS:
        overall = ("  all", Key("", "", kind, "calibration error"))
        places = tables.by_stage(scored, kind, "calibration error", indent="  ")
        table = tables.figures_text(scored, [overall, *places], columns, gaps=False)
        parts.append(f"{kind}, %\n{table}" if table else "")
    return "\n".join(part for part in parts if part)


def _compared_columns(measure: str, scale: float, digits: int) -> tuple[FigureColumn, ...]:
    """Return columns of a measure after the bets and by the upcards alone, and of the gain."""
    cells = partial(with_interval, digits=digits, scale=scale)
    cards_only = partial(mean_cell, digits=digits, scale=scale)
    return (
        FigureColumn(("n",), f"{measure}_bet_inference", tables.n_cell),
        FigureColumn(("after bets", ""), f"{measure}_bet_inference", cells),
        FigureColumn(("upcards alone",), f"{measure}_cards_only", cards_only),
        FigureColumn(("gain", ""), f"{measure}_gain", partial(cells, sign="+")),
    )


ORACLE_COLUMNS = (
    FigureColumn(("n",), "true_state_ratio_floored", tables.n_cell, group="active"),
    FigureColumn(
        ("ratio", ""), "true_state_ratio_floored", partial(with_interval, digits=2), group="active"
    ),
    FigureColumn(
        ("of the bits", ""), "share_of_oracle_bits_floored", tables.share_cells, group="active"
    ),
    FigureColumn(("of the K-L", ""), KL_SHARE, tables.share_cells, group="table"),
)

CALL_COLUMNS = (
    FigureColumn(("n",), "call_gain_bets", tables.n_cell),
    FigureColumn(("upcards alone",), "call_cards_only_bets", partial(mean_cell, digits=2)),
    FigureColumn(("after bets",), "call_bet_inference_bets", partial(mean_cell, digits=2)),
    FigureColumn(("every card",), "call_oracle_bets", partial(mean_cell, digits=2)),
    FigureColumn(("gain", ""), "call_gain_bets", partial(with_interval, digits=2, sign="+")),
    FigureColumn(("share", ""), CHIP_SHARE, tables.share_cells),
)

_BITS = partial(with_interval, digits=2, sign="+")

PROMISE_TITLES = {"two_left": "two players left", "more_left": "three or more players left"}
PROMISE_COLUMNS = (
    FigureColumn(("n",), "promised_bits", tables.n_cell),
    FigureColumn(("promised", ""), "promised_bits", _BITS),
    FigureColumn(("got", ""), "got_floored_bits", _BITS),
    FigureColumn(("difference", ""), "got_less_promised_bits", _BITS),
)


def _promises_text(scored: Evaluation) -> str:
    """Return promised beside actual frequencies, by how many players are left."""
    text = ""
    for left, title in PROMISE_TITLES.items():
        table = stages_text(scored, PROMISE_COLUMNS, left)
        text += f"\n{title}\n{table}" if table else ""
    return f"{as_prose(PROMISE_WORDS)}{text}" if text else ""


def _ways_text(scored: Evaluation) -> str:
    ways = {"shown": "known_by_showdown", "others": "known_otherwise"}
    columns = [
        FigureColumn((f"{head}: n", "bits", ""), BITS, SCORE_COLUMNS[0].cells, group=group)
        for head, group in ways.items()
    ]
    both = [
        (label, place)
        for label, place in tables.by_stage(scored, indent="  ")
        if all(scored.at(BITS, place.stage, group).n for group in ways.values())
    ]
    table = tables.figures_text(scored, both, columns)
    title = "players still in, by how their downcards are known"
    return f"{title}\n{table}" if table else ""


PAIR_TITLES = {
    "kl": "K-L bits from an observer who sees every card (0 is best), where that can be told",
    "outcome": "log2 of the chance given to who won, among those who showed down (0 is best)",
}


def _evaluation_text(scored: Evaluation) -> str:
    parts = [_pair_table(scored, what, title) for what, title in PAIR_TITLES.items()]
    left_out = max(scored.at("kl_left_out", stage, "table").n for stage in scored.stages)
    if left_out:
        hands = tables.hands_words(left_out)
        parts.append(as_prose(f"K-L leaves out {hands} in which only some downcards are known."))
    return "\n".join(part for part in parts if part)


def _pair_table(scored: Evaluation, what: str, title: str) -> str:
    cells = partial(with_interval, digits=3)
    columns = (
        FigureColumn(
            ("n", "cards only", ""),
            f"{what}_floored_cards_only_bits",
            partial(tables.with_n, digits=3),
        ),
        FigureColumn(("after bets", ""), f"{what}_floored_bet_inference_bits", cells),
        FigureColumn(("gain", ""), f"{what}_floored_gain_bits", partial(cells, sign="+")),
    )
    table = stages_text(scored, columns, "table")
    ruled_out = sum(
        scored.at(columns[-1].figure, stage, "table").infinite for stage in scored.stages
    )
    infinite = f"infinite: {ruled_out:,}, counted as 40 bits\n" if ruled_out else ""
    return f"{as_prose(title)}{table}{infinite}" if table else ""


def _actions_text(scored: Evaluation) -> str:
    surprise = scored.surprise
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
