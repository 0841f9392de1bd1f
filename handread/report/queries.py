"""Render answers of ``handread query`` as text and JSON, and list the columns of the tables."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from rich.cells import cell_len

import handread.tables as scored
from handread.inference.players import parse_players, players_terms
from handread.report.tables import as_columns, as_prose, as_text, interval_object, output_width
from handread.report.words import command_line, visible
from handread.tables.columns import COLUMNS

if TYPE_CHECKING:
    from handread.tables.query import Answer, QueryTally, Rows, TableQuery
    from handread.tables.read import Tables

NOUNS: Mapping[str, tuple[str, str]] = {
    scored.HANDS: ("hand", "hands"),
    scored.STAGE_TABLE: ("seat at a stage", "seats at stages"),
    scored.ACTIONS: ("action", "actions"),
    scored.PLAYERS: ("player in a hand", "players in hands"),
    scored.REJECTS: ("hand left out", "hands left out"),
    scored.DECISIONS: ("decision", "decisions"),
    scored.LEDGERS: ("ledger", "ledgers"),
}
"""The rows of each table in words, singular and plural."""

ROWS_OF: Mapping[str, str] = {
    scored.HANDS: "a hand",
    scored.STAGE_TABLE: "a seat at a stage, if it is in or folded on the street",
    scored.ACTIONS: "a voluntary action",
    scored.PLAYERS: "a player in a hand: what handread players sums up",
    scored.REJECTS: "a hand left out, or text that is not a hand",
    scored.PIECES: "a piece of a file, as it was read",
    scored.DECISIONS: "a decision of a player whose downcards are known (score --decisions)",
    scored.LEDGERS: "a player's result in a hand, split into luck and play (score --decisions)",
}
"""The meaning of a row of each table."""

SCHEMA = "handread.query/1"


def rows_text(tables: Tables, rows: Rows, limit: int) -> str:
    """Return the first rows of a SELECT statement as a table."""
    first = rows.first(limit + 1)
    cells = [[row[name] for name in rows.columns] for row in first[:limit]]
    more = "... and more (--top)\n" if len(first) > limit else ""
    text = as_columns(rows.columns, cells) + more
    if first and {"file", "line"} <= set(rows.columns):
        text += f"\n{_again(tables, 'report', first)}\n"
    return text


def answer_text(tables: Tables, question: TableQuery, answer: Answer, limit: int) -> str:
    """Return an answer as text: the count, the first rows as a table, a command to see a hand."""
    said = header(question, answer.table, answer.tally)
    rows = answer.rows.first(limit)
    if not rows:
        return said
    folder, hands = _in_one_folder([_hand(row) for row in rows])
    said += as_prose(f"files are in {visible(folder)}") if folder else ""
    cells = [
        [n, *(row[name] for name in answer.columns)] for n, row in zip(hands, rows, strict=True)
    ]
    left = answer.tally.count - len(rows)
    more = f"... and {left:,} more (--top)\n" if left else ""
    command = "check" if answer.table == scored.REJECTS else "report"
    table = as_columns(("hand", *answer.columns), cells)
    return f"{said}\n{table}{more}\n{_again(tables, command, rows)}\n"


def _hand(row: Mapping[str, object]) -> str:
    """Return the address of a hand; a problem of a whole file has no line."""
    return f"{row['file']}:{row['line']}" if row["line"] else str(row["file"])


def _in_one_folder(hands: list[str]) -> tuple[str, list[str]]:
    """Return the folder that long addresses share, if any, and the rest of each address."""
    levels = zip(*(hand.split("/")[:-1] for hand in hands), strict=False)
    shared = [names[0] for names in takewhile(lambda names: len(set(names)) == 1, levels)]
    folder = "".join(f"{name}/" for name in shared)
    if max(map(len, hands)) <= output_width() // 3:
        return "", hands
    return folder, [hand[len(folder) :] for hand in hands]


def _again(tables: Tables, command: str, rows: Iterable[Mapping[str, object]]) -> str:
    """Return the command that shows the first of the rows' hands that is in a file."""
    ties, checks = str(tables.terms.get("ties", "split")), command == "check"
    options = [] if checks or ties == "split" else ["--ties", ties]
    usual = tables.terms.get("players") == players_terms(parse_players(None, None, ()))
    note = "" if checks or usual else " (with --policy, --lapse and --seat as the tables have them)"
    for row in rows:
        path = None if row["file"] is None else tables.path_of(str(row["file"]))
        if path is not None:
            address = _hand({**row, "file": path})
            end = ["--"] * address.startswith("-")
            line = command_line(["handread", command, *options, *end, address])
            what = "what is wrong with the first" if checks else "the report of one"
            told = visible(f"{what}: {line}{note}")
            if cell_len(told) <= output_width():
                return told
            # The command has a line of its own, so that it can be copied.
            return "\n".join(filter(None, (f"{what}:", visible(line), note.strip())))
    return "the files of these hands are not there: what came from standard input is gone"


def answer_object(tables: Tables, question: TableQuery, answer: Answer) -> dict[str, Any]:
    """Return the count of an answer as a JSON object."""
    tally = answer.tally
    share, low, high = interval_object(tally.share).values()
    return {
        "schema": SCHEMA,
        "table": answer.table,
        "condition": question.condition,
        "given": question.given,
        "count": tally.count,
        "denominator": tally.of,
        "unknown": tally.unknown,
        "hands": tally.hands,
        "denominator_hands": tally.of_hands,
        "share": share,
        "interval": None if low is None else [low, high],
        "unfinished": tables.unfinished,
    }


def header(question: TableQuery, table: str, tally: QueryTally) -> str:
    """Return the count and the share of an answer in words."""
    many = NOUNS[table][1]
    clustered = table not in (scored.HANDS, scored.REJECTS)
    among = f"all {many}" if question.given is None else f"the {many} where {question.given}"
    among += " with a value" if tally.unknown else ""
    if question.condition is None:
        inside = f", in {_counted(scored.HANDS, tally.of_hands)}" if clustered else ""
        counted = f"{_counted(table, tally.of)}{inside}: {visible(among)}"
        return as_prose(counted, width=output_width())
    inside = (
        f", in {tally.hands:,} of {_counted(scored.HANDS, tally.of_hands)}" if clustered else ""
    )
    interval = "" if math.isnan(tally.share.low) else "; 95% interval"
    if interval and clustered:
        interval += f" by hands, as {many} of one hand are correlated"
    lines = [
        f"{tally.count:,} of {_counted(table, tally.of)}{_share(tally)}{inside}",
        f"counted among {visible(among)}{interval}",
    ]
    if tally.unknown:
        single = tally.unknown == 1
        verbs = "has no value here, and is" if single else "have no value here, and are"
        lines.append(f"{_counted(table, tally.unknown)} {verbs} left out")
    return as_prose(*lines, width=output_width())


def _counted(table: str, n: int) -> str:
    return f"{n:,} {NOUNS[table][n != 1]}"


def _share(tally: QueryTally) -> str:
    share = tally.share
    if math.isnan(share.mean):
        return ""
    if math.isnan(share.low):
        return f" ({percent(share.mean)}%)"
    return f" ({percent(share.mean)}%, {percent(share.low)} to {percent(share.high)}%)"


def percent(share: float) -> str:
    """Return a share as a percentage; small ones with two digits."""
    figure = 100.0 * share
    if 0.0 < figure < 0.1:
        return f"{figure:.{1 - math.floor(math.log10(figure))}f}" if figure >= 1e-6 else "<0.000001"
    return f"{figure:.1f}"


# The columns of the tables


def columns_text() -> str:
    """Return all tables with their columns in words."""
    return "\n".join([as_prose(*_INTRODUCTION), *map(_table_text, scored.ALL_TABLES)])


_INTRODUCTION = (
    f"Tables {scored.VERSION}. A * marks columns that may change within this version.",
    "Types: text; bool; word, one of a list (an enum); f32, reals of seven digits; i16, i32, i64, "
    "i16s, whole numbers and a list; time, utc. _minor is in cents or so, p_ is 0 to 1.",
    "Empty is what is not known, or infinite, as bits of what a read ruled out: see _infinite.",
)


def _table_text(table: str) -> str:
    rows = []
    for column in COLUMNS[table]:
        words = f": {' '.join(column.kind.words)}" if column.kind.words else ""
        name = column.name + "*" * (not column.stable)
        rows.append([name, column.kind.type, column.meaning + words])
    return as_prose(f"{table}: a row for {ROWS_OF[table]}") + as_text(rows, "  ", left=(0, 1, 2))


def column_records() -> Iterator[dict[str, Any]]:
    """Yield the columns of all tables as JSON objects."""
    for table in scored.ALL_TABLES:
        for column in COLUMNS[table]:
            yield {
                "schema": scored.VERSION,
                "table": table,
                "column": column.name,
                "type": column.kind.type,
                "words": list(column.kind.words) or None,
                "meaning": column.meaning,
                "stable": column.stable,
            }
