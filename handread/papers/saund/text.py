"""The tables of the experiments, as text."""

from collections.abc import Iterator
from functools import partial

from handread.papers.published import range_cell, rows_of_kinds
from handread.papers.saund.misspecified import FITTED, POOLED, Misreading
from handread.papers.saund.replication import INFORMATION, RATES, WinRates
from handread.report.information_text import gain_text
from handread.report.tables import (
    FigureColumn,
    as_prose,
    by_stage,
    figures_text,
    mean_cell,
    n_games,
    number,
    with_error,
)
from handread.report.words import visible
from handread.study.information_gain import EntropyPaths, InformationGain
from handread.study.statistics import PAPER, Estimate, Key


def information_gain_text(table: InformationGain) -> str:
    """Return Figure 6 as text: a line per stage, and the paper's figures."""
    return gain_text(table, _gains(table)) + INFORMATION.footnote(table)


def _gains(table: InformationGain) -> Iterator[tuple[str, Key]]:
    for stage, place in by_stage(table):
        yield stage, place
        if Key("gain_fraction", stage, "", PAPER) in table.figures:
            yield PAPER, place._replace(about=PAPER)


def entropies_text(table: EntropyPaths) -> str:
    """Return the entropies of the picked game, if its downcards are known."""
    path = table.paths.get(table.picked, {})
    lines = [f"  {stage}  {bits:.3f} bits\n" for stage, bits in path.items()]
    return "entropy of the outcome\n" + "".join(lines) if lines else "not all downcards are known\n"


def rates_text(rates: WinRates) -> str:
    """Return Figure 9 as text: a line per kind of player and a line per player."""
    columns = [
        FigureColumn(("put in",), "put_in_small_bets", _or_stated),
        FigureColumn(("won",), "won_small_bets", _or_stated),
        FigureColumn(("net",), "net_small_bets", partial(_or_stated, sign="+")),
        FigureColumn(("95% of net",), "net_small_bets", range_cell),
    ]
    head = f"{n_games(rates.games)}, {rates.players}"
    if rates.games != rates.deals:
        columns.append(FigureColumn(("precision",), "precision", _times))
        times = rates.games // rates.deals
        head = f"{rates.deals:,} deals played {times} times each, {head}"
    rows = [
        *rows_of_kinds(rates),
        *((seat, Key("", "", seat, "seat")) for seat in rates.groups("seat")),
    ]
    table = figures_text(rates, rows, columns)
    words = as_prose(head, "small bets a player and hand, mean ±standard error")
    return f"{words}\n{table}{RATES.footnote(rates)}"


def _or_stated(estimate: Estimate, sign: str = "") -> str:
    """Return a mean with its error, or a paper's value with its digits there."""
    return with_error(estimate, sign=sign) if estimate.n else number(estimate.mean, 2, sign=sign)


def _times(precision: Estimate) -> str:
    times = number(precision.mean, 2)
    return times if times == "-" else f"x{times}"


def misreading_text(table: Misreading) -> str:
    """Return the study as text: tables with a line per reader."""
    actions = table.of(table.readers[0], "surprise_bits").n
    learned = any(reader.kind == FITTED for reader in table.readers)
    fits = f"; fits: {table.family}, no downcard known" if learned else ""
    impossible = partial(mean_cell, digits=1, scale=100.0, unit="%")
    columns = (
        FigureColumn(("model error",), "model_error_bits", with_error),
        FigureColumn(("surprise",), "surprise_bits", with_error),
        FigureColumn(("over true",), "surprise_over_true_bits", partial(with_error, sign="+z")),
        FigureColumn(("impossible",), "impossible_fraction", impossible),
    )
    return (
        as_prose(
            f"{n_games(table.games)} of {visible(table.players)}, {actions:,} actions, each game "
            f"read by every reader{fits}",
            "mean ±standard error from game to game; all: the betting stages together",
        )
        + f"\n{figures_text(table, _readers(table, ''), columns, 'reader')}\n"
        + as_prose(
            "model error: D(true policy || reader's policy) at the player's own downcards, bits "
            "an action",
            "surprise: -log2 of what the read expected of the action; over true: beyond what the "
            "true policy's read has; impossible: actions at which the reader rules out what the "
            "player could do (each counts 40 bits at most)",
        )
        + "".join(_by_stage(table, *stages) for stages in STAGE_TABLES)
        + _misread_left_out(table)
    )


def _readers(table: Misreading, indent: str) -> list[tuple[str, Key]]:
    return [
        (indent + visible(reader.label), Key("", "", reader.label, reader.kind))
        for reader in table.readers
    ]


STAGE_TABLES = (
    ("information gain, bits", "gain_bits", partial(with_error, sign="+z")),
    (
        "information gain, % of what the true policy gives",
        "gain_share_of_true",
        partial(with_error, digits=0, scale=100.0, sign="z"),
    ),
    ("bits on the true downcards", "bits_on_truth", partial(with_error, digits=2, sign="+z")),
)
"""The tables of readers by stage: title, figure and cells."""


def _by_stage(table: Misreading, title: str, figure: str, cells: partial[str]) -> str:
    columns = [FigureColumn((place,), figure, cells, place) for place in table.places]
    return f"\n{figures_text(table, _readers(table, '  '), columns, title)}"


def _misread_left_out(table: Misreading) -> str:
    """Return a line on reads that excluded possible actions or cards, if there are any."""
    gains = ((reader.label, table.of(reader, "gain_bits", POOLED)) for reader in table.readers)
    excluded = [f"{visible(label)} {gain.infinite:,}" for label, gain in gains if gain.infinite]
    words = f"left out of the gains, K-L infinite, games times stages: {'; '.join(excluded)}"
    return f"\n{as_prose(words)}" if excluded else ""
