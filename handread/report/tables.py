"""Text laid out to the width of a terminal; the tables of the experiments as text and as CSV."""

from __future__ import annotations

import csv
import io
import math
import os
import re
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from handread.experiments.values import (
    Calibration,
    Estimate,
    IndependenceCost,
    InformationGain,
    Rate,
    StageGain,
    StageIndependence,
    WinRates,
)
from handread.stud import STAGES

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
