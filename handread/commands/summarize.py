"""What ``handread summary`` does: the tables of a set of hands in figures."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from handread.cli.console import emit, say
from handread.parallel import RunError, write_text_whole

if TYPE_CHECKING:
    from handread.tables.read import Tables


@dataclass(frozen=True, slots=True)
class SummaryOptions:
    """What ``handread summary`` was asked for: whose players, and in which form."""

    players: tuple[str, ...]
    top: int
    least_hands: int
    sort: str
    as_json: bool
    csv: Path | None


def run_summary(folder: Path, options: SummaryOptions) -> int:
    """Print what a set of tables amounts to; the exit status."""
    from handread.report.tables import summary_csv, summary_object, summary_text
    from handread.tables.summary import Wanted, summary

    wanted = Wanted(options.players, options.top, options.least_hands, options.sort)
    try:
        tables = opened(folder)
        found = summary(tables, wanted)
        if options.csv is not None:
            write_text_whole(options.csv, summary_csv(found))
    except RunError as error:
        say(f"handread: {error}")
        return 2
    except OSError as error:
        say(f"handread: {options.csv} cannot be written: {error.strerror or error}")
        return 2
    for name in found.players.missing:
        say(f"nobody in the tables is called {name}")
    if options.as_json:
        emit(json.dumps(summary_object(found, tables.unfinished), allow_nan=False) + "\n")
    else:
        emit(summary_text(found))
    return 0


def opened(folder: Path) -> Tables:
    """The tables of a folder, with a word on stderr where hands are still missing."""
    from handread.tables.read import open_tables

    tables = open_tables(folder)
    if tables.unfinished:
        say(f"{folder}: a run is not finished; handread score --resume goes on with it")
    return tables
