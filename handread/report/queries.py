"""Answers of ``handread query`` as text and JSON."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from rich.cells import cell_len

from handread.inference.players import parse_players, players_terms
from handread.report.answers import header
from handread.report.tables import as_columns, as_prose, interval_object, output_width
from handread.report.words import visible
from handread.tables import REJECTS

if TYPE_CHECKING:
    from handread.tables.query import Answer, Question, Rows
    from handread.tables.read import Tables

SCHEMA = "handread.query/1"


def rows_text(tables: Tables, rows: Rows, limit: int) -> str:
    """Return the first rows of a SELECT statement as a table."""
    found = rows.first(limit + 1)
    cells = [[row[name] for name in rows.columns] for row in found[:limit]]
    more = "... and more (--limit)\n" if len(found) > limit else ""
    text = as_columns(rows.columns, cells) + more
    if found and {"file", "line"} <= set(rows.columns):
        text += f"\n{_again(tables, 'report', found)}\n"
    return text


def answer_text(tables: Tables, question: Question, answer: Answer, limit: int) -> str:
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
    more = f"... and {left:,} more (--limit)\n" if left else ""
    command = "check" if answer.table == REJECTS else "report"
    table = as_columns(("hand", *answer.columns), cells)
    return f"{said}\n{table}{more}\n{_again(tables, command, rows)}\n"


def _hand(row: Mapping[str, object]) -> str:
    """Return the address of a hand; what is wrong with a whole file has no line."""
    return f"{row['file']}:{row['line']}" if row["line"] else str(row["file"])


def _in_one_folder(hands: list[str]) -> tuple[str, list[str]]:
    """Return the folder that long addresses share, if there is one, and what stands behind it."""
    levels = zip(*(hand.split("/")[:-1] for hand in hands), strict=False)
    shared = [names[0] for names in takewhile(lambda names: len(set(names)) == 1, levels)]
    folder = "".join(f"{name}/" for name in shared)
    if max(map(len, hands)) <= output_width() // 3:
        return "", hands
    return folder, [hand[len(folder) :] for hand in hands]


def _again(tables: Tables, command: str, rows: Iterable[Mapping[str, object]]) -> str:
    """Return how to see a hand of the rows again: the first of those in files."""
    for row in rows:
        path = None if row["file"] is None else tables.path_of(str(row["file"]))
        if path is not None:
            words = ["handread", command, *_ties(tables, command)]
            address = _hand({**row, "file": path})
            words += ["--", address] if address.startswith("-") else [address]
            note = "" if command == "check" else _players_note(tables)
            what = "what is wrong with the first" if command == "check" else "the report of one"
            command_line = shlex.join(words)
            told = visible(f"{what}: {command_line}{note}")
            if cell_len(told) <= output_width():
                return told
            # The command stands alone, so that it can be copied whole.
            return "\n".join(filter(None, (f"{what}:", visible(command_line), note.strip())))
    return "the files of these hands are not there: what came from standard input is gone"


def _ties(tables: Tables, command: str) -> list[str]:
    ties = tables.terms.get("ties", "split")
    return [] if command == "check" or ties == "split" else ["--ties", str(ties)]


def _players_note(tables: Tables) -> str:
    """Return a note where the tables were read with other players than a report takes."""
    if tables.terms.get("players") == players_terms(parse_players(None, None, ())):
        return ""
    return " (with --policy, --lapse and --seat as the tables have them)"


def answer_object(tables: Tables, question: Question, answer: Answer) -> dict[str, Any]:
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
