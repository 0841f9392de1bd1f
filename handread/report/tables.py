"""The tables of the experiments, as text for people and as CSV for programs."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Mapping, Sequence

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


def as_text(rows: Rows, indent: str = "") -> str:
    """A table in columns, the first to the left and the others to the right."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = []
    for row in rows:
        first = row[0].ljust(widths[0])
        others = (cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))
        lines.append(indent + "  ".join([first, *others]).rstrip() + "\n")
    return "".join(lines)


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
        f"{n_games(table.games)}, {table.policy}\n"
        "bits, mean ±standard error over the games with two or more active\n"
        f"\n{as_text([header, *rows])}" + _left_out(stage.ruled_out for stage in table.stages)
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
    return f"{head} ±standard error\n\n{as_text([header, *rows])}"


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
    text = f"{n_games(table.games)}, {table.policy}; the observer's chances, and what came true\n"
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
        f"{games}, {table.policy}; {table.draws:,} joint deals a stage and observer\n"
        "bits that independent seats cost the cards-only and the bet-inference observer: expected\n"
        "by the observer itself, and on the cards dealt; and what equation 1 costs who knows all\n"
        f"\n{as_text([header, *rows])}" + _left_out(stage.ruled_out for stage in table.stages)
    )
