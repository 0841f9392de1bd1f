"""Text laid out to the width of a terminal; the tables of the experiments as text and as CSV."""

from __future__ import annotations

import csv
import io
import json
import math
import os
import re
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from importlib import resources
from typing import Any

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from handread.game.rules import STAGES
from handread.policy import Provenance
from handread.report.words import visible
from handread.study.fit.fit import Choice, Fit
from handread.study.misspecified import FITTED, PLACES, POOLED, Misread, Misreading, StageMisread
from handread.study.statistics import (
    Calibration,
    Estimate,
    Evaluation,
    Folds,
    IndependenceCost,
    InformationGain,
    Interval,
    Known,
    Pair,
    Rate,
    ReliabilityBin,
    Scores,
    StageGain,
    StageIndependence,
    StageScores,
    WinRates,
)
from handread.tables import ACTIONS, HANDS, PIECES, REJECTS, STAGE_TABLE, TABLES, VERSION
from handread.tables.columns import ACTION_WORDS, COLUMNS, Column
from handread.tables.copies import harmless_cell
from handread.tables.estimates import Mean
from handread.tables.query import Question, Tally
from handread.tables.summary import Player, Players, StageReads, Summary, Surprise, Totals

Rows = list[list[str]]


def hands_words(n: int) -> str:
    """So many hands, as people say it."""
    return "1 hand" if n == 1 else f"{n:,} hands"


def as_csv(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table as CSV; a number that there is none of is an empty cell."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows([_cell(value) for value in row] for row in rows)
    return text.getvalue()


def _cell(value: object) -> object:
    if isinstance(value, float):
        return repr(value) if math.isfinite(value) else ""
    return value


# Text laid out to a width

LEAST_WIDTH = 80
"""Columns of text that does not go to a terminal, and of text for a narrower terminal."""

PROSE_WIDTH = 100
"""Longer lines of prose are hard to read, however wide the terminal is."""

LEAST_PROSE = 24
"""A column of prose that is broken between words has at least so many columns."""

LEAST_LABEL = 12

_GAP = "  "
_SINGLE_BLANK = re.compile("(?<! ) (?! )")
_FIXED_BLANK = "\ue000"
_RULER = Console(file=io.StringIO())


def output_width() -> int:
    """Return the columns of the terminal that stdout is, 80 for another stdout; never fewer.

    The environment variable ``COLUMNS`` sets another width.
    """
    wanted = os.environ.get("COLUMNS", "")
    if wanted.isdecimal() and int(wanted):
        return max(int(wanted), LEAST_WIDTH)
    try:
        columns = os.get_terminal_size(sys.stdout.fileno()).columns
    except (AttributeError, OSError, ValueError):  # no terminal, or no stdout at all
        return LEAST_WIDTH
    return max(columns, LEAST_WIDTH)


def as_prose(*paragraphs: str, hang: str = "", width: int | None = None) -> str:
    """Return paragraphs broken between words; in each of them a line end counts as a blank.

    ``hang`` stands before every line of a paragraph but the first.
    """
    room = width or min(output_width(), PROSE_WIDTH)
    text = ""
    for paragraph in paragraphs:
        line = paragraph.strip("\n").replace("\n", " ")
        first = _broken(line, room)[0]
        rest = line[len(first) :].removeprefix(" ")
        others = _broken(rest, room - cell_len(hang)) if rest else []
        text += "".join(f"{each}\n" for each in (first, *(hang + other for other in others)))
    return text


def as_text(
    rows: Rows, indent: str = "", left: Collection[int] = (0,), width: int | None = None
) -> str:
    """Return a table in columns, its first row the heads; columns in ``left`` to the left.

    Of a table that is too wide first the heads are broken between words, then the cells of the
    last column if that is in ``left``. What is still too wide is split into tables one below the
    other, each with the first column. A column without a head stays with the one before it.
    Nothing is left out.
    """
    room = (width or output_width()) - cell_len(indent)
    tables = []
    for columns in _stacked(rows, room, left):
        widths = _fitting(rows, columns, room, left) or _least(rows, columns, room, left)
        lines = (line for row in rows for line in _row_lines(row, widths, left))
        tables.append("".join(f"{indent}{line}".rstrip() + "\n" for line in lines))
    return "\n".join(tables)


Widths = dict[int, int]
"""The widths of columns by their number."""


def _stacked(rows: Rows, room: int, left: Collection[int]) -> Iterator[list[int]]:
    """Yield the columns of each table into which one is split; all at once if they fit."""
    table = [0]
    for group in _groups(rows[0]):
        together = _fitting(rows, [0, *group], room, left) is not None
        for part in [group] if together else [[column] for column in group]:
            if len(table) > 1 and _fitting(rows, [*table, *part], room, left) is None:
                yield table
                table = [0]
            table += part
    yield table


def _groups(heads: Sequence[str]) -> list[list[int]]:
    """Return the columns behind the first, those without a head with the one before."""
    groups: list[list[int]] = []
    for column, head in enumerate(heads[1:], start=1):
        if head or not groups:
            groups.append([])
        groups[-1].append(column)
    return groups


def _natural(rows: Rows, columns: Iterable[int]) -> Widths:
    return {column: max(cell_len(row[column]) for row in rows) for column in columns}


def _total(widths: Widths) -> int:
    return sum(widths.values()) + len(_GAP) * (len(widths) - 1)


def _longest_word(text: str) -> int:
    return max(map(cell_len, _SINGLE_BLANK.split(text)))


def _fitting(rows: Rows, columns: Sequence[int], room: int, left: Collection[int]) -> Widths | None:
    """Return widths with which columns fit, with heads and prose broken between words."""
    widths = _natural(rows, columns)
    last, over = columns[-1], _total(widths) - room
    if over > 0 and last in left and last and widths[last] - over >= LEAST_PROSE:
        return {**widths, last: widths[last] - over}
    body = _natural(rows[1:], columns) if rows[1:] else widths
    narrow = {c: max(body[c], _longest_word(rows[0][c])) for c in columns}
    for column in sorted(columns, key=lambda c: narrow[c] - widths[c]):
        if _total(widths) > room:
            widths[column] = narrow[column]
    if _total(widths) > room and 0 in left and len(columns) > 1:
        widths[0] = min(widths[0], max(room // 2, LEAST_LABEL))
    return widths if _total(widths) <= room else None


def _least(rows: Rows, columns: Sequence[int], room: int, left: Collection[int]) -> Widths:
    """Return the widths of columns that do not fit: text is broken anywhere, numbers never."""
    widths = _natural(rows, columns)
    for column in (columns[0], columns[-1]):
        over = _total(widths) - room
        if over > 0 and column in left:
            widths[column] = max(min(widths[column], LEAST_LABEL), widths[column] - over)
    return widths


def _row_lines(row: Sequence[str], widths: Widths, left: Collection[int]) -> Iterator[str]:
    """Yield the lines of a row; several where cells are broken."""
    cells = {column: _broken(row[column], width) for column, width in widths.items()}
    for n in range(max(map(len, cells.values()))):
        line = []
        for column, width in widths.items():
            text = cells[column][n] if n < len(cells[column]) else ""
            blanks = " " * (width - cell_len(text))
            line.append(text + blanks if column in left else blanks + text)
        yield _GAP.join(line).rstrip()


def _broken(text: str, width: int) -> list[str]:
    """Return the lines of a text, broken at single blanks; longer words are broken anywhere.

    Where there are several blanks it is not broken, so that one can tell how many there were.
    """
    if cell_len(text) <= width:
        return [text]
    fixed = re.sub(" {2,}", lambda blanks: _FIXED_BLANK * len(blanks[0]), text)
    lines = Text(fixed).wrap(_RULER, width)
    return [line.plain.replace(_FIXED_BLANK, " ").rstrip() for line in lines]


def with_error(estimate: Estimate, digits: int = 3, scale: float = 1.0, sign: str = "") -> str:
    """A mean and its standard error: ``1.188 ±.004``; a dash where there is none."""
    if not math.isfinite(estimate.mean):
        return "-"
    mean = f"{scale * estimate.mean:{sign}.{digits}f}"
    if not math.isfinite(estimate.error):
        return mean
    return f"{mean} ±{scale * estimate.error:.{digits}f}".replace("±0.", "±.")


# Information gain (Figure 6)


def _stage_columns(*names: str) -> tuple[str, ...]:
    """The columns of a table by stage: of each figure the mean and its standard error."""
    figures = [f"{name}_{part}" for name in names for part in ("mean", "se")]
    return ("stage", "games", *figures, "games_ruled_out")


def _stage_row(
    stage: StageGain | StageIndependence, figures: Iterable[Estimate]
) -> Sequence[object]:
    values = [value for figure in figures for value in (figure.mean, figure.error)]
    return (stage.stage, stage.games, *values, stage.ruled_out)


GAIN_COLUMNS = _stage_columns(
    "log2_n_bits", "entropy_bits", "kl_cards_only_bits", "kl_bet_inference_bits", "gain_fraction"
)


def gain_csv(table: InformationGain) -> str:
    """Figure 6 as CSV: a row a stage, means and their standard errors."""
    return as_csv(GAIN_COLUMNS, [_stage_row(s, _gain_figures(s)) for s in table.stages])


def _gain_figures(stage: StageGain) -> tuple[Estimate, ...]:
    return (stage.log2_n, stage.entropy, stage.cards_only, stage.bet_inference, stage.gain)


def gain_text(table: InformationGain) -> str:
    """Figure 6 as text: a line a stage."""
    header = ["stage", "games", "log2 N", "entropy", "K-L cards-only", "K-L bet-inference", "gain"]
    rows = [
        [
            stage.stage,
            f"{stage.games:,}",
            with_error(stage.log2_n),
            with_error(stage.entropy),
            with_error(stage.cards_only),
            with_error(stage.bet_inference),
            f"{with_error(stage.gain, 1, 100.0)}%" if math.isfinite(stage.gain.mean) else "-",
        ]
        for stage in table.stages
    ]
    return (
        as_prose(
            f"{n_games(table.games)}, {table.policy}",
            "bits, mean ±standard error over the games with two or more active",
        )
        + f"\n{as_text([header, *rows])}"
        + _left_out(stage.ruled_out for stage in table.stages)
    )


def n_games(n: int) -> str:
    """How many games, as people say it."""
    return "1 game" if n == 1 else f"{n:,} games"


def _left_out(ruled_out: Iterable[int]) -> str:
    """A line on the reads that gave no chance to what happened, if there are any."""
    n = sum(ruled_out)
    return f"left out: {n:,} infinite, where a read ruled out what could be\n" if n else ""


# Entropies (Figure 7)


def entropies_csv(paths: Mapping[int, Mapping[str, float]]) -> str:
    """Figure 7 as CSV: a row a game and stage."""
    rows = [
        (game, stage, path[stage])
        for game, path in paths.items()
        for stage in STAGES
        if stage in path
    ]
    return as_csv(("game", "stage", "entropy_bits"), rows)


# Win rates (Figure 9)

RATE_COLUMNS = (
    "player",
    "knowledge",
    *(
        f"{name}_small_bets_{part}"
        for name in ("put_in", "won", "net")
        for part in ("mean", "se", "low95", "high95")
    ),
    "precision",
)


def rates_csv(rates: WinRates) -> str:
    """Figure 9 as CSV: a row a kind of player and a row a player."""
    return as_csv(RATE_COLUMNS, map(_rate_row, (*rates.kinds, *rates.seats)))


def _rate_row(rate: Rate) -> list[object]:
    numbers = [
        value
        for estimate in (rate.put_in, rate.won, rate.net)
        for value in (estimate.mean, estimate.error, *estimate.interval)
    ]
    return [rate.label, rate.knowledge, *numbers, rate.precision]


def rates_text(rates: WinRates) -> str:
    """Figure 9 as text: a line a kind of player and a line a player."""
    duplicate = rates.games != rates.deals
    header = ["", "put in", "won", "net", "95% of net"]
    head = f"{n_games(rates.games)}, {rates.players}\nsmall bets a player and hand, mean"
    if duplicate:
        header.append("precision")
        times = rates.games // rates.deals
        head = f"{rates.deals:,} deals played {times} times each, {head}"
    rows = [_rate_cells(rate, duplicate) for rate in (*rates.kinds, *rates.seats)]
    return as_prose(*f"{head} ±standard error".split("\n")) + f"\n{as_text([header, *rows])}"


def _rate_cells(rate: Rate, duplicate: bool) -> list[str]:
    low, high = rate.net.interval
    cells = [
        rate.label if rate.knowledge in rate.label else f"{rate.label}, {rate.knowledge}",
        with_error(rate.put_in),
        with_error(rate.won),
        with_error(rate.net, sign="+"),
        f"{low:+.3f} to {high:+.3f}" if math.isfinite(low) else "-",
    ]
    if duplicate:
        cells.append(f"x{rate.precision:.2f}" if math.isfinite(rate.precision) else "-")
    return cells


# Calibration

CALIBRATION_COLUMNS = (
    "event",
    "chance_low",
    "chance_high",
    "events",
    "chance_mean",
    "happened_mean",
    "happened_se",
)


def calibration_csv(table: Calibration) -> str:
    """The reliability table as CSV: a row a kind of event and bin."""
    rows = [
        (kind, b.low, b.high, b.events, b.chance, b.happened.mean, b.happened.error)
        for kind, bins in table.bins.items()
        for b in bins
    ]
    return as_csv(CALIBRATION_COLUMNS, rows)


def calibration_text(table: Calibration) -> str:
    """The reliability table as text: a line a bin."""
    head = f"{n_games(table.games)}, {table.policy}; the observer's chances, and what came true"
    text = as_prose(head)
    for kind, bins in table.bins.items():
        rows = [[kind, "events", "chance %", "happened %"]]
        rows += [
            [
                f"  {100 * b.low:.0f} to {100 * b.high:.0f}%",
                f"{b.events:,}",
                f"{100 * b.chance:.1f}",
                with_error(b.happened, 1, 100.0),
            ]
            for b in bins
        ]
        text += f"\n{as_text(rows)}"
    return text


# Independence

INDEPENDENCE_COLUMNS = _stage_columns(
    "cards_only_bits",
    "bet_inference_bits",
    "cards_only_on_truth_bits",
    "bet_inference_on_truth_bits",
    "equation_1_bits",
)


def _independence_figures(stage: StageIndependence) -> tuple[Estimate, ...]:
    return (
        stage.cards_only,
        stage.bet_inference,
        stage.cards_only_on_truth,
        stage.bet_inference_on_truth,
        stage.equation_1,
    )


def independence_csv(table: IndependenceCost) -> str:
    """The cost of independence as CSV: a row a stage."""
    rows = [_stage_row(stage, _independence_figures(stage)) for stage in table.stages]
    return as_csv(INDEPENDENCE_COLUMNS, rows)


def independence_text(table: IndependenceCost) -> str:
    """The cost of independence as text: a line a stage."""
    header = ["stage", "games", "cards", "bets", "cards, truth", "bets, truth", "equation 1"]
    rows = [
        [
            stage.stage,
            f"{stage.games:,}",
            *(with_error(figure, 5) for figure in _independence_figures(stage)),
        ]
        for stage in table.stages
    ]
    games = n_games(table.games)
    return (
        as_prose(
            f"{games}, {table.policy}; {table.draws:,} joint deals a stage and observer",
            "bits that independent seats cost the cards-only and the bet-inference observer: "
            "expected by the observer itself, and on the cards dealt; and what equation 1 costs "
            "who knows all",
        )
        + f"\n{as_text([header, *rows])}"
        + _left_out(stage.ruled_out for stage in table.stages)
    )


EVALUATION_SCHEMA = "handread.evaluation/1"


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

EVALUATION_COLUMNS = (
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
        rows.append(
            _evaluation_row("", "all", f"{name}_bits", actions.n, interval, actions.unexplained)
        )
    for kind, bins in found.reliability.items():
        for b in bins:
            row = _evaluation_row("", "active", kind, b.events, b.happened, 0)
            rows.append([*row, b.low, b.high, b.chance])
    blank = [None] * len(EVALUATION_COLUMNS)
    return as_csv(EVALUATION_COLUMNS, [[*row, *blank[len(row) :]] for row in rows])


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
            yield _evaluation_row(
                stage.stage, players, figure, scores.n, interval, scores.ruled_out
            )
    for what, pair in (("kl", stage.kl), ("outcome", stage.outcome)):
        for name, interval in _intervals(pair).items():
            yield _evaluation_row(
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


def _evaluation_row(
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
        _evaluation_heading(found),
        _warning(found),
        _truth_text(found),
        _ways_text(found),
        _evaluation_text(found),
        _actions_text(found),
        *(_reliability_text(kind, bins) for kind, bins in found.reliability.items() if bins),
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


NAME_WIDTH = 20

MOST_POLICIES = 5

TOLD_WORDS = """\
surprise: -log2 of the probability of an action. told: what a player's actions in a hand tell about
its downcards. true: how far they move the read towards the downcards that it has (below 0: away
from them), where these are known.
"""
END_WORDS = """\
last read: log2 of what a player's last read in a hand gives the true downcards against a blind
guess, in bits. net: big bets won, less those put in, in hands that are recorded to the end.
"""


def summary_text(found: Summary) -> str:
    """A summary for a person: the set, its reads, and its players."""
    parts = [
        _heading(found.totals),
        _refused_text(found.totals),
        _gain_text(found),
        _reads_text(found),
        *_players_texts(found.players),
        _hidden_text(found),
    ]
    return "\n".join(part for part in parts if part)


def _heading(totals: Totals) -> str:
    known = totals.known
    shown = totals.policies[:MOST_POLICIES]
    policies = ", ".join(f"{visible(name)} ({n:,})" for name, n in shown)
    if len(totals.policies) > len(shown):
        policies += f" and {len(totals.policies) - len(shown):,} others"
    lines = (
        f"{hands_words(totals.hands)}, {totals.finished:,} recorded to the end, "
        f"{totals.showdowns:,} with a showdown; {totals.refused:,} refused",
        f"policies and hands read with them: {policies or 'none'}; ties {visible(totals.ties)}",
        f"downcards known of {known.total:,} of {totals.dealt_in:,} players dealt in"
        f"{ways_words(known)}",
        f"all downcards known in {hands_words(totals.fully_known)}, "
        f"some in {totals.partly_known:,}",
        "in brackets: 95% intervals, hands being what chance draws; from fewer than about "
        f"{FEW_HANDS} hands they are too narrow",
    )
    return as_prose(*lines)


def _refused_text(totals: Totals) -> str:
    """Why hands were refused: the most frequent reasons."""
    if not totals.refused:
        return ""
    lines = [f"  {reason.hands:,}  {visible(reason.example)}" for reason in totals.reasons]
    others = totals.refused - sum(reason.hands for reason in totals.reasons)
    if others:
        lines.append(f"  {others:,}  for other reasons")
    return as_prose("refused, by reason (one of each kind is shown)", *lines, hang=" " * 6)


def _gain_text(found: Summary) -> str:
    if not any(stage.games for stage in found.gain.stages):
        return ""
    title = "What the bets add to the cards (Figure 6), in hands with all downcards known"
    ties = "equal hands share the pot" if found.totals.ties == "split" else "a tie is a win"
    note = f"{ties}; the paper's is --ties paper" if found.totals.ties == "split" else ties
    return as_prose(title, note) + gain_text(found.gain)


def _reads_text(found: Summary) -> str:
    if not found.totals.known.total:
        return "No downcards are known: nothing can be said of the reads, only of the actions.\n"
    text = as_prose(TRUTH_WORDS)
    tables = [("players still in", [(r.stage, r.active_bits, r.active_share) for r in found.reads])]
    if any(r.everybody_bits.n > r.active_bits.n for r in found.reads):
        title = "with those who folded on the street, as they folded"
        everybody = [(r.stage, r.everybody_bits, r.everybody_share) for r in found.reads]
        tables.append((title, everybody))
    for title, stages in tables:
        rows: Rows = [["", "n", "hands", "bits", "", "ruled out", "before it", ""]]
        rows += [
            [
                f"  {stage}",
                f"{bits.n:,}",
                f"{bits.hands:,}",
                *_cells(bits.interval, 2, sign="+"),
                _count(bits.infinite),
                *_cells(share.part, 0, 100.0, unit="%"),
            ]
            for stage, bits, share in stages
            if bits.n
        ]
        text += f"\n{title}\n{as_text(rows)}"
    ruled_out = any(reads.everybody_bits.infinite for reads in found.reads)
    return text + (as_prose(RULED_OUT_WORDS) if ruled_out else "")


SORTED_BY = {
    "hands": "hands",
    "told": "bits told a hand",
    "true": "bits told on the true downcards",
    "surprise": "surprise",
    "read": "bits on the truth at the last read",
    "net": "big bets won a hand",
}
"""What players are sorted by, in words."""


def _players_texts(found: Players) -> Iterator[str]:
    """The tables of players: what they did, what that told, and how it ended."""
    if not found.everybody.hands:
        return
    title = f"players, from the most {SORTED_BY[found.sort]}: {len(found.wanted):,}"
    if found.all > len(found.wanted):
        title += f" of {found.all:,}"
    left_out = (
        as_prose(
            f"{found.few:,} with fewer than {found.least_hands} hands left out (--least-hands)"
        )
        if found.few
        else ""
    )
    did = _did_table(found)
    yield f"{as_prose(title)}{left_out}\nwhat they did, % of their actions\n{did}"
    yield told_text(found)
    yield f"how it ended, by hand\n{_end_table(found)}{as_prose(END_WORDS)}{_floor_text(found)}"


def told_text(found: Players) -> str:
    """What the actions of players told, as text: a line a player."""
    title = "what their actions told, in bits: surprise by action, the others by hand"
    return f"{title}\n{_told_table(found)}{as_prose(TOLD_WORDS)}"


def _did_table(found: Players) -> str:
    rows: Rows = [["", "dealt in", "actions", *(x for kind in ACTION_WORDS for x in (kind, ""))]]
    for name, player in _named(found):
        shares = (_cells(player.kinds[kind].share, 0, 100.0) for kind in ACTION_WORDS)
        cells = [cell for pair in shares for cell in pair]
        rows.append([name, f"{player.hands:,}", f"{player.actions:,}", *cells])
    return as_text(rows)


def _told_table(found: Players) -> str:
    rows: Rows = [["", "actions", "surprise", "", "dealt in", "told", "", "known", "true", ""]]
    rows += [
        [
            name,
            *_with_n(player.surprise, 2),
            *_with_n(player.told, 2),
            *_with_n(player.told_truth, 2, sign="+"),
        ]
        for name, player in _named(found)
    ]
    return as_text(rows)


def _end_table(found: Players) -> str:
    rows: Rows = [["", "known", "last read", "", "ruled out", "ended", "net", ""]]
    rows += [
        [
            name,
            *_with_n(player.read, 2, sign="+"),
            _count(player.read.infinite),
            *_with_n(player.net, 2, sign="+"),
        ]
        for name, player in _named(found)
    ]
    return as_text(rows)


def _floor_text(found: Players) -> str:
    """What is infinite in the tables of players, in words."""
    everybody = found.everybody
    counted = (
        (everybody.surprise.infinite, "actions that no holding of the policy takes"),
        (everybody.read.infinite, "true downcards that the last read ruled out"),
    )
    words = [f"{n:,} {what}" for n, what in counted if n]
    if not words:
        return ""
    text = f"infinite, counted as 40 bits: {' and '.join(words)}"
    return as_prose(text)


def _named(found: Players) -> Iterator[tuple[str, Player]]:
    """The rows of a table of players, everybody first; the others are set in."""
    yield "everybody", found.everybody
    for player in found.wanted:
        yield _shown_name(player.name), player


def _shown_name(name: str | None) -> str:
    if name is None:
        return "  (no name)"
    shown = visible(name)
    short = shown if len(shown) <= NAME_WIDTH else f"{shown[: NAME_WIDTH - 2]}.."
    return f"  {short}"


def _hidden_text(found: Summary) -> str:
    """What showdowns leave out, where it applies."""
    known = found.totals.known
    if not known.shown:
        return ""
    head = f"{known.shown:,} of the {known.total:,} players with known downcards showed them."
    return as_prose(head, SHOWN_WORDS)


def _with_n(mean: Mean, digits: int, sign: str = "") -> tuple[str, str, str]:
    """How many values, their mean and its interval, in three cells."""
    return _count(mean.n), *_cells(mean.interval, digits, sign=sign)


def surprise_text(found: Surprise) -> str:
    """How surprising the actions were, by kind: a line a kind."""
    rows: Rows = [["", "actions", "surprise, bits", "", "infinite"]]
    rows += [
        [f"  {kind}", *_with_n(actions.mean, 2), _count(actions.mean.infinite)]
        for kind, actions in found.kinds.items()
    ]
    words = as_prose("infinite: no holding of the policy takes the action; counted as 40 bits")
    some = any(actions.mean.infinite for actions in found.kinds.values())
    head = f"{hands_words(found.hands)}, {visible(found.policy)}"
    return f"{as_prose(head)}{as_text(rows)}{words if some else ''}"


def _count(n: int) -> str:
    return f"{n:,}" if n else "-"


def _cells(
    interval: Interval, digits: int, scale: float = 1.0, sign: str = "", unit: str = ""
) -> tuple[str, str]:
    """A mean and its interval in two cells: ``+0.16``, ``(+0.02 to +0.29)``."""
    if interval.mean is None:
        return "-", ""
    mean = f"{scale * interval.mean:{sign}z.{digits}f}{unit}"
    if interval.low is None or interval.high is None:
        return mean, ""
    low, high = (f"{scale * x:{sign}z.{digits}f}" for x in (interval.low, interval.high))
    return mean, f"({low} to {high})"


SCHEMA = "handread.summary/1"

# What a player's figures are called, in the order in which they are shown.
SHARES = {kind: f"{kind}_share" for kind in ACTION_WORDS}
FIGURES = {
    "surprise": "surprise_bits_an_action",
    "told": "told_bits_a_hand",
    "told_truth": "told_truth_bits_a_hand",
    "read": "last_read_truth_bits",
    "net": "net_big_bets_a_hand",
}
GAIN_FIGURES = {
    "log2_n": "log2_n_bits",
    "entropy": "entropy_bits",
    "cards_only": "kl_cards_only_bits",
    "bet_inference": "kl_bet_inference_bits",
    "gain": "gain_fraction",
}
READ_FIGURES = {
    "active_bits": "bits_on_truth",
    "active_share": "rank_share_of_truth",
    "everybody_bits": "bits_on_truth_with_folded",
    "everybody_share": "rank_share_of_truth_with_folded",
}


def _player_figures(player: Player) -> Iterator[tuple[str, Mean, Interval]]:
    """The figures of a player by name, each with its interval."""
    for kind, name in SHARES.items():
        yield name, player.kinds[kind], player.kinds[kind].share
    for field, name in FIGURES.items():
        mean: Mean = getattr(player, field)
        yield name, mean, mean.interval


def _read_figures(reads: StageReads) -> Iterator[tuple[str, Mean, Interval]]:
    """The figures of the reads of a stage by name, each with its interval."""
    for field, name in READ_FIGURES.items():
        mean: Mean = getattr(reads, field)
        yield name, mean, mean.part if field.endswith("share") else mean.interval


def _gain_sums(stage: StageGain) -> Iterator[tuple[str, Interval]]:
    for field, name in GAIN_FIGURES.items():
        yield name, _interval(getattr(stage, field))


def _interval(estimate: Estimate) -> Interval:
    """An estimate with nothing where it is not finite."""
    numbers = (estimate.mean, *estimate.interval)
    return Interval(*(number if math.isfinite(number) else None for number in numbers))


# JSON


def summary_object(found: Summary, unfinished: bool) -> dict[str, Any]:
    """A summary as plain JSON values; ``unfinished`` as of ``Tables``."""
    totals, players = found.totals, found.players
    return {
        "schema": SCHEMA,
        "unfinished": unfinished,
        "hands": totals.hands,
        "finished": totals.finished,
        "showdowns": totals.showdowns,
        "ties": totals.ties,
        "policies": [{"policy": name, "hands": n} for name, n in totals.policies],
        "refused": totals.refused,
        "reasons": [asdict(reason) for reason in totals.reasons],
        "known": {
            "dealt_in": totals.dealt_in,
            "downcards": {"total": totals.known.total, **asdict(totals.known)},
            "hands_fully": totals.fully_known,
            "hands_partly": totals.partly_known,
        },
        "information_gain": [_gain_object(stage) for stage in found.gain.stages],
        "reads": [_reads_object(reads) for reads in found.reads],
        "everybody": _player_object(players.everybody),
        "players": [_player_object(player) for player in players.wanted],
        "players_in_all": players.all,
    }


def _gain_object(stage: StageGain) -> dict[str, Any]:
    figures = {name: asdict(interval) for name, interval in _gain_sums(stage)}
    return {"stage": stage.stage, "n": stage.games, "ruled_out": stage.ruled_out, **figures}


def _reads_object(reads: StageReads) -> dict[str, Any]:
    figures = {name: _mean_object(mean, cut) for name, mean, cut in _read_figures(reads)}
    return {"stage": reads.stage, **figures}


def _player_object(player: Player) -> dict[str, Any]:
    return {
        "name": player.name,
        "hands": player.hands,
        "actions": player.counts,
        **{name: _mean_object(mean, interval) for name, mean, interval in _player_figures(player)},
    }


def _mean_object(mean: Mean, interval: Interval) -> dict[str, Any]:
    return {"n": mean.n, "hands": mean.hands, **asdict(interval), "infinite": mean.infinite}


# CSV

SUMMARY_COLUMNS = (
    "about",
    "stage",
    "player",
    "figure",
    "n",
    "hands",
    "mean",
    "low95",
    "high95",
    "infinite",
)


def summary_csv(found: Summary) -> str:
    """A summary as CSV: a row a figure. A player without a name has an empty cell."""
    return as_csv(SUMMARY_COLUMNS, _csv_rows(found))


def _csv_rows(found: Summary) -> Iterator[list[object]]:
    totals = found.totals
    for name, n in _counts(totals).items():
        yield ["set", "", "", name, n, totals.hands, None, None, None, None]
    for stage in found.gain.stages:
        for name, interval in _gain_sums(stage):
            row = ["gain", stage.stage, "", name, stage.games, stage.games]
            yield [*row, *_numbers(interval), stage.ruled_out]
    for reads in found.reads:
        for figure in _read_figures(reads):
            yield _csv_row("reads", reads.stage, "", *figure)
    for about, player in _all_players(found.players):
        for figure in _player_figures(player):
            yield _csv_row(about, "", harmless_cell(player.name or ""), *figure)


def _counts(totals: Totals) -> dict[str, int]:
    return {
        "hands": totals.hands,
        "finished": totals.finished,
        "showdowns": totals.showdowns,
        "refused": totals.refused,
        "dealt_in": totals.dealt_in,
        "downcards_known": totals.known.total,
        "hands_fully_known": totals.fully_known,
        "hands_partly_known": totals.partly_known,
    }


def _all_players(found: Players) -> Iterator[tuple[str, Player]]:
    yield "everybody", found.everybody
    for player in found.wanted:
        yield "player", player


def _csv_row(
    about: str, stage: str, player: str, figure: str, mean: Mean, interval: Interval
) -> list[object]:
    numbers = _numbers(interval)
    return [about, stage, player, figure, mean.n, mean.hands, *numbers, mean.infinite]


def _numbers(interval: Interval) -> tuple[float | None, ...]:
    return interval.mean, interval.low, interval.high


MISREADING_FIGURES = ("model_error_bits", "surprise_bits", "surprise_over_true_bits")
STAGE_FIGURES = (
    "kl_bits",
    "gain_bits",
    "gain_share_of_true",
    "bits_on_truth",
    "bits_on_truth_over_true",
)


def _columns() -> Iterator[str]:
    yield from ("reader", "kind", "policy", "hands", "actions", "actions_impossible")
    yield from (f"{name}_{part}" for name in MISREADING_FIGURES for part in ("mean", "se"))
    for place in PLACES:
        yield f"{place}_games"
        yield from (f"{place}_{name}_{part}" for name in STAGE_FIGURES for part in ("mean", "se"))
        yield f"{place}_ruled_out"


MISREADING_COLUMNS = tuple(_columns())


def misreading_csv(table: Misreading) -> str:
    """The study as CSV: a row a reader, means and their standard errors."""
    return as_csv(MISREADING_COLUMNS, [list(_row(found)) for found in table.readers])


def _row(found: Misread) -> Iterator[object]:
    reader = found.reader
    policy = "" if reader.policy is None else reader.policy.name
    hands = "" if reader.hands is None else reader.hands
    yield from (reader.label, reader.kind, policy, hands, found.actions, found.impossible)
    for figure in (found.error, found.surprise, found.excess):
        yield from (figure.mean, figure.error)
    for place in PLACES:
        stage = found.stages[place]
        yield stage.games
        for figure in (stage.divergence, stage.gain, stage.share, stage.truth, stage.behind):
            yield from (figure.mean, figure.error)
        yield stage.ruled_out


def misreading_text(table: Misreading) -> str:
    """The study as text: tables with a line a reader."""
    actions = table.readers[0].actions
    learned = any(found.reader.kind == FITTED for found in table.readers)
    fits = f"; fits: {table.family}, no downcard known" if learned else ""
    return (
        as_prose(
            f"{n_games(table.games)} of {visible(table.players)}, {actions:,} actions, each game "
            f"read by every reader{fits}",
            "mean ±standard error from game to game; all: the betting stages together",
        )
        + f"\n{as_text(_action_rows(table))}\n"
        + as_prose(
            "model error: D(true policy || reader's policy) at the player's own downcards, bits "
            "an action",
            "surprise: -log2 of what the read expected of the action; over true: beyond what the "
            "true policy's read has; impossible: actions at which the reader rules out what the "
            "player could do (each counts 40 bits at most)",
        )
        + f"\n{_stages(table, 'information gain, bits', _gain)}"
        f"\n{_stages(table, 'information gain, % of what the true policy gives', _misread_share)}"
        f"\n{_stages(table, 'bits on the true downcards', _truth)}"
        f"{_misread_left_out(table)}"
    )


def _label(found: Misread) -> str:
    return visible(found.reader.label)


def _action_rows(table: Misreading) -> list[list[str]]:
    rows = [["reader", "model error", "surprise", "over true", "impossible"]]
    for found in table.readers:
        figures = [
            with_error(found.error),
            with_error(found.surprise),
            with_error(found.excess, sign="+z"),
        ]
        share = f"{found.impossible / found.actions:.1%}" if found.actions else "-"
        rows.append([_label(found), *figures, share])
    return rows


def _stages(table: Misreading, title: str, cell: Callable[[StageMisread], str]) -> str:
    """One figure by reader and stage."""
    rows = [[title, *PLACES]]
    rows += [
        [f"  {_label(found)}", *(cell(found.stages[place]) for place in PLACES)]
        for found in table.readers
    ]
    return as_text(rows)


def _gain(stage: StageMisread) -> str:
    return with_error(stage.gain, sign="+z")


def _truth(stage: StageMisread) -> str:
    return with_error(stage.truth, 2, sign="+z")


def _misread_share(stage: StageMisread) -> str:
    return signed_percent(stage.share)


def signed_percent(share: Estimate) -> str:
    """A fraction with its error as a percentage: ``93 ±4``; a dash where there is none."""
    return with_error(share, 0, 100.0, "z") if math.isfinite(share.mean) else "-"


def _misread_left_out(table: Misreading) -> str:
    """A line on the reads that gave no chance to what could be, if there are any."""
    found = [
        f"{_label(row)} {row.stages[POOLED].ruled_out:,}"
        for row in table.readers
        if row.stages[POOLED].ruled_out
    ]
    if not found:
        return ""
    words = f"left out of the gains, K-L infinite, games times stages: {'; '.join(found)}"
    return f"\n{as_prose(words)}"


def fit_text(fit: Fit) -> str:
    """What was seen, what was chosen, the parameters with their errors, the players."""
    provenance = fit.file.provenance
    assert provenance is not None  # a fit knows what it was fitted to
    text = as_prose(*_seen(provenance), *map(_choice, fit.choices)) + _parameters(fit)
    return f"{text}\n{_players(provenance)}" if provenance.players else text


def _seen(provenance: Provenance) -> tuple[str, str]:
    surprise = -provenance.evidence_bits / provenance.actions
    hands = "hand" if provenance.hands == 1 else "hands"
    given = ", given the downcards where they are known" if provenance.known else ""
    return (
        f"{provenance.hands:,} {hands}, {provenance.actions:,} actions by choice, "
        f"{provenance.known:,} of them by players whose downcards are known",
        f"surprise on these hands {surprise:.3f} bits an action{given}; on others it is more",
    )


def _choice(choice: Choice) -> str:
    """The values that were tried and what they were worth on hands held out."""
    cells = [
        f"{value:g}{'*' if value == choice.chosen else ''}: {score:+.3f}"
        for value, score in zip(choice.values, choice.scores, strict=True)
    ]
    return f"{choice.what}, by {choice.by} on hands held out: {', '.join(cells)}"


def _parameters(fit: Fit) -> str:
    rows = [["parameter", "value", "error"]]
    rows += [
        [name, f"{value:+.2f}", f"{error:.2f}"]
        for name, value, error in zip(fit.names, fit.vector, fit.errors, strict=True)
    ]
    return f"\n{as_text(rows)}"


def _players(provenance: Provenance) -> str:
    rows = [["player", "hands", "actions"]]
    rows += [[visible(name), f"{hands:,}", f"{n:,}"] for name, hands, n in provenance.players]
    return f"players with a policy of their own\n{as_text(rows)}"


NOUNS: Mapping[str, tuple[str, str]] = {
    HANDS: ("hand", "hands"),
    STAGE_TABLE: ("seat at a stage", "seats at stages"),
    ACTIONS: ("action", "actions"),
    REJECTS: ("refused hand", "refused hands"),
}
"""What the rows of each table are, one and many."""

ROWS_OF: Mapping[str, str] = {
    HANDS: "a hand",
    STAGE_TABLE: "a seat at a stage, if it is in or folded on the street",
    ACTIONS: "an action by choice",
    REJECTS: "a hand that was refused, or a text that is none",
    PIECES: "a piece of a file, as it was read",
}
"""What each table has a row for."""

TYPES: Mapping[str, str] = {
    "text": "text",
    "flag": "bool",
    "real": "f32",
    "money": "i64",
    "count": "i64",
}


def header(question: Question, table: str, tally: Tally) -> str:
    """How many rows out of how many, which these are, and what the interval is."""
    many = NOUNS[table][1]
    clustered = table not in (HANDS, REJECTS)
    among = f"all {many}" if question.given is None else f"the {many} where {question.given}"
    if question.condition is None:
        inside = f", in {_counted(HANDS, tally.of_hands)}" if clustered else ""
        counted = f"{_counted(table, tally.of)}{inside}: {visible(among)}"
        return as_prose(counted, width=output_width())
    inside = f", in {tally.hands:,} of {_counted(HANDS, tally.of_hands)}" if clustered else ""
    interval = "" if tally.share.low is None else "; 95% interval"
    if interval and clustered:
        interval += f" by hands, as {many} of one hang together"
    lines = [
        f"{tally.count:,} of {_counted(table, tally.of)}{_share(tally)}{inside}",
        f"counted among {visible(among)}{interval}",
    ]
    if tally.unknown:
        lines.append(f"{tally.unknown:,} of them lack what is asked for, and count as not met")
    return as_prose(*lines, width=output_width())


def _counted(table: str, n: int) -> str:
    """So many rows, as people say it."""
    return f"{n:,} {NOUNS[table][n != 1]}"


def _share(tally: Tally) -> str:
    """The share in brackets, with its interval where there is one."""
    found = tally.share
    if found.mean is None:
        return ""
    if found.low is None or found.high is None:
        return f" ({percent(found.mean)}%)"
    return f" ({percent(found.mean)}%, {percent(found.low)} to {percent(found.high)}%)"


def percent(share: float) -> str:
    """A share as percent, small ones with two digits."""
    found = 100.0 * share
    if 0.0 < found < 0.1:
        return f"{found:.{1 - math.floor(math.log10(found))}f}" if found >= 1e-6 else "<0.000001"
    return f"{found:.1f}"


def as_columns(names: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Rows under the names of their columns, numbers to the right."""
    found = list(rows)
    texts = [[visible(name) for name in names], *([_text(cell) for cell in row] for row in found)]
    numbers = {n for n in range(len(names)) if _is_number(row[n] for row in found)}
    return as_text(texts, left=set(range(len(names))) - numbers)


def _is_number(cells: Iterable[object]) -> bool:
    return all(
        cell is None or (isinstance(cell, int | float) and not isinstance(cell, bool))
        for cell in cells
    )


def _text(cell: object) -> str:
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, float):
        return f"{cell:#.3g}" if 0.0 < abs(cell) < 0.1 else f"{cell:.3f}"
    return visible(str(cell))


def finite(row: Mapping[str, object]) -> dict[str, object]:
    """A row for JSON: what is infinite is null, and ``infinite`` says of which columns and sign."""
    infinite = {
        name: "inf" if value > 0 else "-inf"
        for name, value in row.items()
        if isinstance(value, float) and math.isinf(value)
    }
    cells = {
        name: None if isinstance(value, float) and not math.isfinite(value) else value
        for name, value in row.items()
    }
    return {"infinite": infinite, **cells} if infinite else cells


# The columns of the tables


def columns_text() -> str:
    """All tables with their columns, in words."""
    parts = [as_prose(*_INTRODUCTION), *(_table_text(table) for table in TABLES)]
    return "\n".join(parts)


_INTRODUCTION = (
    f"Tables {VERSION}. A * marks columns that may change within this version.",
    "Types: text; bool; word, one of a list (an enum); f32, real numbers of seven digits; i64, "
    "whole numbers. _minor is in minor units of the currency (cents), _bits in bits, p_ a chance.",
    "Empty is what is not known. What is infinite is infinite: bits of what a read ruled out.",
)


def _table_text(table: str) -> str:
    rows = [
        [f"{column.name}{'' if column.stable else '*'}", type_name(column), _meaning(column)]
        for column in COLUMNS[table]
    ]
    return as_prose(f"{table}: a row for {ROWS_OF[table]}") + as_text(rows, "  ", left=(0, 1, 2))


def _meaning(column: Column[Any]) -> str:
    """What a column says; of words all of them."""
    words = "" if isinstance(column.kind, str) else f": {' '.join(column.kind)}"
    return column.meaning + words


def type_name(column: Column[Any]) -> str:
    """What the cells of a column are."""
    return TYPES[column.kind] if isinstance(column.kind, str) else "word"


def column_records() -> Iterator[dict[str, Any]]:
    """The same for programs: an object a column."""
    for table in TABLES:
        for column in COLUMNS[table]:
            yield {
                "schema": VERSION,
                "table": table,
                "column": column.name,
                "type": type_name(column),
                "words": None if isinstance(column.kind, str) else list(column.kind),
                "meaning": column.meaning,
                "stable": column.stable,
            }
