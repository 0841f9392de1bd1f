"""The tables of the experiments, as text."""

from collections.abc import Iterator
from functools import partial

from handread.papers.published import range_cell, rows_of_kinds
from handread.papers.saund.replication import INFORMATION, RATES, WinRates
from handread.report.information_text import gain_text
from handread.report.tables import (
    FigureColumn,
    as_prose,
    by_stage,
    figures_text,
    n_games,
    number,
    with_error,
)
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
