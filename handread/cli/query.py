"""The command that queries the tables of score."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from enum import StrEnum
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import Annotated, Any

import typer

from handread.cli.help import OUTPUT, choices, examples
from handread.cli.options import MOST, usage, writable
from handread.lazy import lazily

with lazily():
    import handread.parallel as parallel
    import handread.report.queries as query_report
    import handread.report.tables as report_tables
    import handread.report.words as words
    import handread.tables.conditions as conditions
    import handread.tables.query as queries
    from handread.cli import console


SHOWN_ROWS = 20
"""The number of rows shown by default."""

LINES_AT_ONCE = 1000


class AskedTable(StrEnum):
    """The tables that can be queried."""

    HANDS = "hands"
    STAGES = "stages"
    ACTIONS = "actions"
    REJECTS = "rejects"
    DECISIONS = "decisions"
    LEDGERS = "ledgers"


@examples(
    (
        "folds on 5th street with good chances to win",
        "handread query tables \"street = 5 and p_win > .4 and action = 'fold'\"",
    ),
    ("the columns of all tables, and what they mean", "handread query --schema"),
)
def query(
    folder: Annotated[
        Path | None,
        typer.Argument(
            metavar="DIR", help="Folder of tables, which handread score wrote; not for --schema."
        ),
    ] = None,
    condition: Annotated[
        str | None,
        typer.Argument(
            metavar="[CONDITION]",
            help='Condition on the rows, in SQL, such as "street = 5 and p_win > .6"; or a '
            "whole SELECT. Default: all rows.",
        ),
    ] = None,
    table: Annotated[
        AskedTable | None,
        typer.Option(
            help="Table to query. Default: the first that has the columns.",
            metavar=choices(AskedTable),
        ),
    ] = None,
    given: Annotated[
        str | None,
        typer.Option(
            help="Count only among the rows that meet this condition.", metavar="CONDITION"
        ),
    ] = None,
    columns: Annotated[
        str | None,
        typer.Option(help="Columns to show, separated by commas; or all.", metavar="NAMES"),
    ] = None,
    sort: Annotated[
        str | None, typer.Option(help='Column to sort by, such as "p_win desc".', metavar="COLUMN")
    ] = None,
    top: Annotated[
        int | None,
        typer.Option(
            help="Number of rows to show; 0 shows none. Default: 20, or all with --json or --csv.",
            min=0,
            max=MOST,
            metavar="N",
        ),
    ] = None,
    as_json: Annotated[
        bool,
        typer.Option(
            "--json",
            help="Print a JSON object for the count, then one for each row.",
            rich_help_panel=OUTPUT,
        ),
    ] = False,
    csv: Annotated[
        Path | None,
        typer.Option(
            "--csv",
            help="Write the rows to this file, as CSV.",
            metavar="FILE",
            callback=writable,
            rich_help_panel=OUTPUT,
        ),
    ] = None,
    schema: Annotated[
        bool, typer.Option("--schema", help="List the columns of all tables; needs no folder.")
    ] = False,
) -> None:
    """Find hands in the tables: count the rows that meet a condition.

    Each row comes with the file and line of its hand. A condition on actions or stages may name
    columns of hands as well; --schema lists all columns.
    """
    if schema:
        if as_json:
            _print_lines(query_report.column_records())
        else:
            console.emit(query_report.columns_text())
        return
    if folder is None:
        raise usage("DIR is missing: give the folder that score wrote")
    if csv is not None and as_json:
        raise usage("--json prints, --csv writes: choose one")
    names = () if columns is None else tuple(name.strip() for name in columns.split(","))
    question = queries.Question(
        condition, given, None if table is None else table.value, names, sort
    )
    statement = condition if condition is not None and conditions.is_statement(condition) else None
    if statement is not None and question != queries.Question(condition):
        raise usage("do not combine a SELECT with --table, --given, --columns or --sort")
    try:
        _answer(folder, question, statement, top, as_json, csv)
    except (parallel.RunError, conditions.QuestionError) as error:
        console.say(f"handread: {error}")
        raise typer.Exit(2) from None
    except OSError as error:
        console.say(f"handread: {error.filename or folder}: {error.strerror or error}")
        raise typer.Exit(2) from None


def _answer(
    folder: Path,
    question: queries.Question,
    statement: str | None,
    top: int | None,
    as_json: bool,
    csv: Path | None,
) -> None:
    """Print or write the answer to a condition, or to a whole SELECT statement."""
    shown = SHOWN_ROWS if top is None else top
    tables = console.opened(folder)
    if csv is not None and csv.resolve().is_relative_to(folder.resolve()):
        raise parallel.RunError(f"{csv}: is in the folder of the tables; choose another folder")
    answer = queries.ask(tables, question) if statement is None else None
    rows = queries.select(tables, statement or "") if answer is None else answer.rows
    if as_json and answer is not None:
        _print_json(query_report.answer_object(tables, question, answer), rows, top)
    elif as_json:
        record = {
            "schema": query_report.SCHEMA,
            "statement": statement,
            "unfinished": tables.unfinished,
        }
        _print_json(record, rows, top)
    elif csv is not None:
        parallel.write_whole(csv, partial(rows.write_csv, n=top))
        said = (
            ""
            if answer is None
            else query_report.header(question, answer.table, answer.tally) + "\n"
        )
        console.emit(f"{said}the rows are in {words.visible(str(csv))}\n")
    elif answer is not None:
        console.emit(query_report.answer_text(tables, question, answer, shown))
    else:
        console.emit(query_report.rows_text(tables, rows, shown))


def _print_json(record: Mapping[str, Any], rows: queries.Rows, top: int | None) -> None:
    """Print a JSON object for the count, then one per row, each on a line."""
    found = iter(rows.first(top)) if top is not None else rows.all()
    _print_lines(chain([record], map(report_tables.finite, found)))


def _print_lines(objects: Iterable[Mapping[str, Any]]) -> None:

    lines = (json.dumps(each, allow_nan=False, default=str) + "\n" for each in objects)
    while some := list(islice(lines, LINES_AT_ONCE)):
        console.emit("".join(some))
