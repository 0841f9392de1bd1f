"""What ``handread query`` does: ask the tables, and say where each hand of the answer stands."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice, takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.cells import cell_len

from handread.cli.console import emit, say
from handread.commands.summarize import opened
from handread.parallel import RunError, write_whole
from handread.report.tables import (
    as_columns,
    as_prose,
    column_records,
    columns_text,
    finite,
    header,
    output_width,
)
from handread.report.words import visible
from handread.tables import REJECTS

if TYPE_CHECKING:
    from handread.tables.query import Answer, Question, Rows
    from handread.tables.read import Tables

SCHEMA = "handread.query/1"

SHOWN_ROWS = 20
"""How many rows are shown to people who do not say."""

LINES_AT_ONCE = 1000


@dataclass(frozen=True, slots=True)
class QueryOptions:
    """How an answer is shown; ``limit`` None is ``SHOWN_ROWS`` for people, all for programs."""

    limit: int | None
    as_json: bool
    csv: Path | None


def run_query(folder: Path, text: str | None, question: Question, options: QueryOptions) -> int:
    """Answer a question, or a whole statement in ``text``; the exit status."""
    from handread.tables.query import QuestionError, ask, tell

    try:
        tables = opened(folder)
        if options.csv is not None and options.csv.resolve().is_relative_to(folder.resolve()):
            raise RunError(f"{options.csv}: lies among the tables; choose another place")
        if text is None:
            _show_answer(tables, question, ask(tables, question), options)
        else:
            _show_rows(tables, text, tell(tables, text), options)
    except (RunError, QuestionError) as error:
        say(f"handread: {error}")
        return 2
    except OSError as error:
        say(f"handread: {error.filename or folder}: {error.strerror or error}")
        return 2
    return 0


def _show_answer(tables: Tables, question: Question, answer: Answer, options: QueryOptions) -> None:
    if options.as_json:
        _print_json(_answer_record(tables, question, answer), answer.rows, options.limit)
        return
    said = header(question, answer.table, answer.tally)
    if options.csv is not None:
        _save(answer.rows, options)
        emit(f"{said}\nthe rows are in {visible(str(options.csv))}\n")
        return
    rows = answer.rows.first(SHOWN_ROWS if options.limit is None else options.limit)
    if not rows:
        emit(said)
        return
    folder, hands = _in_one_folder([_hand(row) for row in rows])
    said += as_prose(f"files are in {visible(folder)}") if folder else ""
    cells = [
        [n, *(row[name] for name in answer.columns)] for n, row in zip(hands, rows, strict=True)
    ]
    left = answer.tally.count - len(rows)
    more = f"... and {left:,} more (--limit)\n" if left else ""
    command = "check" if answer.table == REJECTS else "report"
    emit(f"{said}\n{as_columns(('hand', *answer.columns), cells)}{more}")
    emit(f"\n{_again(tables, command, rows)}\n")


def _show_rows(tables: Tables, text: str, rows: Rows, options: QueryOptions) -> None:
    """Show what a whole statement gives."""
    if options.as_json:
        record = {"schema": SCHEMA, "statement": text, "unfinished": tables.unfinished}
        _print_json(record, rows, options.limit)
        return
    if options.csv is not None:
        _save(rows, options)
        emit(f"the rows are in {visible(str(options.csv))}\n")
        return
    limit = SHOWN_ROWS if options.limit is None else options.limit
    found = rows.first(limit + 1)
    cells = [[row[name] for name in rows.columns] for row in found[:limit]]
    more = "... and more (--limit)\n" if len(found) > limit else ""
    emit(as_columns(rows.columns, cells) + more)
    if found and {"file", "line"} <= set(rows.columns):
        emit(f"\n{_again(tables, 'report', found)}\n")


def _save(rows: Rows, options: QueryOptions) -> None:
    assert options.csv is not None
    write_whole(options.csv, partial(rows.write_csv, n=options.limit))


def _hand(row: Mapping[str, object]) -> str:
    """Where a hand stands; what is wrong with a whole file has no line."""
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
    """How to see a hand of the rows again: the first of those in files."""
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
    """A word where the tables were read with other players than a report takes."""
    from handread.inference.players import parse_roster, roster_terms

    if tables.terms.get("players") == roster_terms(parse_roster(None, None, ())):
        return ""
    return " (with --policy, --lapse and --seat as the tables have them)"


# For programs


def _answer_record(tables: Tables, question: Question, answer: Answer) -> dict[str, Any]:
    tally = answer.tally
    share = tally.share
    interval = None if share.low is None else [share.low, share.high]
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
        "share": share.mean,
        "interval": interval,
        "unfinished": tables.unfinished,
    }


def _print_json(record: Mapping[str, Any], rows: Rows, limit: int | None) -> None:
    """An object on the whole, then one a row, each on a line."""
    found = iter(rows.first(limit)) if limit is not None else rows.all()
    _print_lines(chain([record], map(finite, found)))


def _print_lines(objects: Iterable[Mapping[str, Any]]) -> None:
    lines = (json.dumps(each, allow_nan=False, default=str) + "\n" for each in objects)
    while some := list(islice(lines, LINES_AT_ONCE)):
        emit("".join(some))


def run_schema(as_json: bool) -> int:
    """Print the columns of all tables; the exit status."""
    if as_json:
        _print_lines(column_records())
    else:
        emit(columns_text())
    return 0
