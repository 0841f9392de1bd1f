"""The tournament as text."""

from functools import partial

from handread.papers.published import range_cell, rows_of_kinds
from handread.papers.tournament.study import DIFFERENCE, NET, PLAY, SPECIFIC, Tournament, parts_of
from handread.report.tables import (
    FigureColumn,
    as_prose,
    figures_text,
    mean_cell,
    n_games,
    with_error,
)
from handread.report.words import visible
from handread.study.statistics import Key


def tournament_text(table: Tournament) -> str:
    """Return a tournament as text: the kinds of players, their differences, their learning."""
    share = partial(mean_cell, digits=1, scale=100.0, unit="%")
    columns = (
        FigureColumn(("net",), NET, partial(with_error, sign="+")),
        FigureColumn(("95% of net",), NET, range_cell),
        *(
            FigureColumn((head,), figure, share)
            for head, figure in zip(("4th street", "showdown", "won"), PLAY[1:], strict=True)
        ),
    )
    differences = (
        FigureColumn(("net",), DIFFERENCE, partial(with_error, sign="+")),
        FigureColumn(("95% of net",), DIFFERENCE, range_cell),
    )
    times = table.games // table.deals
    sessions = "1 session" if table.sessions == 1 else f"{table.sessions:,} sessions"
    paragraphs = as_prose(
        f"{table.deals:,} deals in {sessions}, played {times} times each, {n_games(table.games)}: "
        + visible(table.players),
        "small bets a hand, mean ±standard error over sessions; hands that see 4th street, reach "
        "a showdown, and win there",
    )
    kinds = table.groups("kind")
    tables = [figures_text(table, rows_of_kinds(table), columns) + SPECIFIC.footnote(table)]
    pairs = [(pair, Key("", "", pair, "difference")) for pair in table.groups("difference")]
    tables.append(figures_text(table, pairs, differences, "difference"))
    parts = [(part, Key("", "", "", part)) for part in parts_of(table.deals // table.sessions)]
    if len(parts) > 1:
        nets = [
            FigureColumn((kind,), NET, partial(with_error, digits=2, sign="+"), group=kind)
            for kind in kinds
        ]
        tables.append(figures_text(table, parts, nets, "in a session"))
    return "\n".join([paragraphs, *(text for text in tables if text)])
