"""The tournament as text."""

from functools import partial

from handread.papers.published import range_cell, rows_of_kinds
from handread.papers.tournament.study import DIFFERENCE, NET, PLAY, SPECIFIC, Tournament
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


def tournament_text(found: Tournament) -> str:
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
    times = found.games // found.deals
    sessions = "1 session" if found.sessions == 1 else f"{found.sessions:,} sessions"
    paragraphs = as_prose(
        f"{found.deals:,} deals in {sessions}, played {times} times each, {n_games(found.games)}: "
        + visible(found.players),
        "small bets a hand, mean ±standard error over sessions; hands that see 4th street, reach "
        "a showdown, and win there",
    )
    kinds = found.groups("kind")
    tables = [figures_text(found, rows_of_kinds(found), columns) + SPECIFIC.footnote(found)]
    pairs = [(pair, Key("", "", pair, "difference")) for pair in found.groups("difference")]
    tables.append(figures_text(found, pairs, differences, "difference"))
    if len(found.in_session) > 1:
        parts = [(part, Key("", "", "", part)) for part in found.in_session]
        nets = [
            FigureColumn((kind,), NET, partial(with_error, digits=2, sign="+"), group=kind)
            for kind in kinds
        ]
        tables.append(figures_text(found, parts, nets, "in a session"))
    return "\n".join([paragraphs, *(table for table in tables if table)])
