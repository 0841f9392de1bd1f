"""The command that queries the tables of score."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain, islice
from pathlib import Path
from typing import Any

import typer

from handread.cli.declared import argument, option
from handread.cli.groups import facts_of_tables, spread
from handread.cli.help import examples
from handread.cli.options import Results, json_option, usage
from handread.lazy import lazily

with lazily():
    import handread.parallel as parallel
    import handread.report.queries as query_report
    import handread.report.tables as report_tables
    import handread.report.words as words
    import handread.tables.conditions as conditions
    import handread.tables.query as queries
    import handread.tables.read as tables_read
    from handread.cli import console

SHOWN_ROWS = 20

LINES_AT_ONCE = 1000

AskedTable = StrEnum("AskedTable", "HANDS STAGES ACTIONS PLAYERS REJECTS DECISIONS LEDGERS")


@dataclass(frozen=True)
class QueryOptions:
    """Options for the rows to find in the tables."""

    condition: str | None = argument(
        'Condition on the rows, in SQL, such as "street = 5 and p_win > .6"; or a '
        "whole SELECT. Default: all rows.",
        "[CONDITION]",
    )
    table: AskedTable | None = option("Table to query. Default: the first that has the columns.")
    given: str | None = option("Count only among the rows that meet this condition.", "CONDITION")
    columns: str | None = option("Columns to show, separated by commas; or all.", "NAMES")
    sort: str | None = option('Column to sort by, such as "p_win desc".', "COLUMN")

    @property
    def statement(self) -> str | None:
        """The complete SELECT statement, if one is given."""
        text = self.condition
        return text if text is not None and conditions.is_statement(text) else None

    @property
    def question(self) -> "queries.TableQuery":
        """The condition and the output; raises a usage error if they contradict each other."""
        names = () if self.columns is None else tuple(map(str.strip, self.columns.split(",")))
        asked = queries.TableQuery(self.condition, self.given, self.table, names, self.sort)
        if self.statement is not None and asked != queries.TableQuery(self.condition):
            raise usage("do not combine a SELECT with --table, --given, --columns or --sort")
        return asked


@dataclass(frozen=True)
class ShownOptions:
    """Options for the output of the answer."""

    top: int | None = option(
        "Number of rows to show; 0 shows none. Default: 20, or all with --json or -o.", min=0
    )
    as_json: bool = json_option("Print a JSON object for the count, then one for each row.")
    results: Results = None


@spread
@examples(
    (
        "folds on 5th street with good chances to win",
        "handread query tables \"street = 5 and p_win > .4 and action = 'fold'\"",
    ),
    ("the columns of all tables, and what they mean", "handread query --schema"),
)
def query(
    *,
    folder: Path | None = argument(
        "Folder of tables, which handread score wrote; not for --schema.", "DIR"
    ),
    asked: QueryOptions,
    shown: ShownOptions,
    schema: bool = option("List the columns of all tables; needs no folder.", default=False),
) -> None:
    """Find hands in the tables: count the rows that meet a condition.

    Each row comes with the file and line of its hand. A condition on actions or stages may name
    columns of hands as well; --schema lists all columns.
    """
    if schema:
        if shown.as_json:
            _print_lines(query_report.column_records())
        else:
            console.emit(query_report.columns_text())
        return
    if folder is None:
        raise usage("DIR is missing: give the folder that score wrote")
    if shown.results is not None and shown.as_json:
        raise usage("--json prints, -o writes: choose one")
    question = asked.question
    try:
        tables = console.opened(folder)
        file = shown.results
        if file is not None and file.resolve().is_relative_to(folder.resolve()):
            raise parallel.RunError(f"{file}: is in the folder of the tables; choose another")
        _answer(tables, question, asked.statement, shown)
    except (parallel.RunError, conditions.QuestionError) as error:
        console.say(f"handread: {error}")
        raise typer.Exit(2) from None
    except OSError as error:
        console.say(f"handread: {error.filename or folder}: {error.strerror or error}")
        raise typer.Exit(2) from None


def _answer(
    tables: "tables_read.Tables",
    question: "queries.TableQuery",
    statement: str | None,
    shown: ShownOptions,
) -> None:
    answer = queries.ask(tables, question) if statement is None else None
    rows = queries.select(tables, statement or "") if answer is None else answer.rows
    if shown.as_json:
        record: dict[str, Any] = {"schema": query_report.SCHEMA, "statement": statement}
        record["unfinished"] = tables.unfinished
        if answer is not None:
            record = query_report.answer_object(tables, question, answer)
        _print_lines(chain([record], _finite(rows, shown.top)))
    elif (file := shown.results) is not None:
        whole = {"rows": [*_finite(rows, shown.top)]} if file.suffix.lower() == ".json" else {}
        rows.write(file, facts_of_tables(tables), whole, shown.top)
        if answer is not None:
            console.emit(query_report.header(question, answer.table, answer.tally) + "\n")
        which = "rows" if shown.top is None else f"rows, at most {shown.top:,},"
        console.emit(f"the {which} are in {words.visible(str(file))}\n")
    else:
        top = SHOWN_ROWS if shown.top is None else shown.top
        if answer is None:
            console.emit(query_report.rows_text(tables, rows, top))
        else:
            console.emit(query_report.answer_text(tables, question, answer, top))


def _finite(rows: "queries.Rows", top: int | None) -> Iterator[dict[str, Any]]:
    return map(report_tables.finite, rows.all() if top is None else rows.first(top))


def _print_lines(objects: Iterable[Mapping[str, Any]]) -> None:
    lines = (json.dumps(each, allow_nan=False, default=str) + "\n" for each in objects)
    while some := list(islice(lines, LINES_AT_ONCE)):
        console.emit("".join(some))
