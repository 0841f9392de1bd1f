"""The commands of large sets of hands: score, summary, plot, query."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from handread.cli.options import (
    PICTURES,
    TIES,
    Dialect,
    Grammars,
    Lapse,
    SeatModels,
    SuitingPolicy,
    Ties,
    Workers,
    chosen_reads,
    chosen_roster,
    usage,
    writable,
)


class CopyFormat(StrEnum):
    """What tables can be had as, besides Parquet."""

    CSV = "csv"
    ARROW = "arrow"


class AskedTable(StrEnum):
    """The tables that can be asked."""

    HANDS = "hands"
    STAGES = "stages"
    ACTIONS = "actions"
    REJECTS = "rejects"


def score(
    paths: Annotated[
        list[str],
        typer.Argument(
            metavar="PATH...", help="Hand histories, or folders of them; - is standard input."
        ),
    ],
    output: Annotated[
        Path, typer.Option("-o", "--output", help="The folder for the tables.", metavar="DIR")
    ],
    policy: SuitingPolicy = None,
    lapse: Lapse = None,
    seat: SeatModels = [],  # noqa: B006 - typer makes a new list of it
    ties: Annotated[Ties, TIES] = Ties.SPLIT,
    resume: Annotated[
        bool,
        typer.Option(
            "--resume", help="Go on with tables that are there: what is in them is not read again."
        ),
    ] = False,
    formats: Annotated[
        list[CopyFormat],
        typer.Option("--format", help="Copy the tables to this format as well."),
    ] = [],  # noqa: B006 - typer makes a new list of it
    workers: Workers = 0,
    scheduler: Annotated[
        str | None,
        typer.Option(
            help="Let a Dask cluster do the work: its scheduler, such as tcp://host:8786.",
            metavar="ADDRESS",
        ),
    ] = None,
    dialect: Dialect = None,
    grammar: Grammars = [],  # noqa: B006 - typer makes a new list of it
) -> None:
    """Read many hands into tables: Parquet that polars, DuckDB or pandas open.

    One row a hand, a seat at a stage, an action; and one for each hand that was refused. A run that
    is stopped goes on with --resume, and tables grow when files do, or when others are named.
    """
    from handread.commands.score import ScoreOptions, run_score

    if output.exists() and not output.is_dir():
        raise usage(f"{output}: is a file; the tables need a folder")
    roster = chosen_roster(policy, lapse, seat)
    copies = tuple(kind.value for kind in dict.fromkeys(formats))
    reads = chosen_reads((), dialect, grammar)
    options = ScoreOptions(
        output, roster, ties.value, dialect, reads.known, workers, resume, scheduler, copies
    )
    raise typer.Exit(run_score(paths, options))


def query(
    folder: Annotated[
        Path | None, typer.Argument(metavar="OUT", help="The folder that score wrote.")
    ] = None,
    condition: Annotated[
        str | None,
        typer.Argument(
            metavar="CONDITION",
            help='What rows are to meet, as SQL: "street = 5 and p_win > .6"; or a SELECT.',
        ),
    ] = None,
    table: Annotated[
        AskedTable | None,
        typer.Option(help="The table asked; else the first that has the columns named."),
    ] = None,
    given: Annotated[
        str | None,
        typer.Option(help="Count only among rows that meet this.", metavar="CONDITION"),
    ] = None,
    columns: Annotated[
        str | None,
        typer.Option(help="The columns to show, commas between; or all.", metavar="NAMES"),
    ] = None,
    sort: Annotated[
        str | None, typer.Option(help='Sort by this: "p_win desc".', metavar="COLUMN")
    ] = None,
    limit: Annotated[
        int | None,
        typer.Option(help="How many rows; else 20, and all with --json or --csv.", min=0),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="One JSON object on the count, then one a row.")
    ] = False,
    csv: Annotated[
        Path | None,
        typer.Option("--csv", help="Write the rows here.", metavar="FILE", callback=writable),
    ] = None,
    schema: Annotated[
        bool, typer.Option("--schema", help="Print what columns the tables have.")
    ] = False,
) -> None:
    """Ask the tables of score: how many rows meet a condition, and where the hands stand.

    handread query OUT "street = 5 and p_win > .6 and action = 'fold'" counts actions. Columns of
    hands may be named with those of actions and stages.
    """
    from handread.commands.query import QueryOptions, run_query, run_schema

    if schema:
        raise typer.Exit(run_schema(as_json))
    if folder is None:
        raise usage("OUT is missing: the folder that score wrote")
    if csv is not None and as_json:
        raise usage("--json prints, --csv writes: choose one")
    from handread.tables.query import Question, is_statement

    names = () if columns is None else tuple(name.strip() for name in columns.split(","))
    question = Question(condition, given, None if table is None else table.value, names, sort)
    whole = condition is not None and is_statement(condition)
    if whole and question != Question(condition):
        raise usage("a whole SELECT says all itself: without --table, --given, --columns, --sort")
    options = QueryOptions(limit, as_json, csv)
    raise typer.Exit(run_query(folder, condition if whole else None, question, options))


Folder = Annotated[Path, typer.Argument(metavar="OUT", help="The folder that score wrote.")]
Players = Annotated[
    list[str],
    typer.Option("--player", help="Only the player of this name; may be repeated.", metavar="NAME"),
]
TopPlayers = Annotated[int, typer.Option("--top", help="How many players to tell of.", min=0)]
LeastHands = Annotated[
    int,
    typer.Option(help="Leave out players with fewer hands, but for --player.", min=1, metavar="N"),
]
FEW_HANDS = 20
"""Of a player with fewer hands nothing is claimed."""


class PlayerOrder(StrEnum):
    """What players are sorted by."""

    HANDS = "hands"
    TOLD = "told"
    TRUE = "true"
    SURPRISE = "surprise"
    READ = "read"
    NET = "net"


SortPlayers = Annotated[
    PlayerOrder, typer.Option("--sort", help="The players with the most of this first.")
]


def summary(
    folder: Folder,
    player: Players = [],  # noqa: B006 - typer makes a new list of it
    top: TopPlayers = 20,
    least_hands: LeastHands = FEW_HANDS,
    sort: SortPlayers = PlayerOrder.HANDS,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
    csv: Annotated[
        Path | None,
        typer.Option("--csv", help="Write the figures here.", metavar="FILE", callback=writable),
    ] = None,
) -> None:
    """Sum up the tables of score: the set, Figure 6, how good the reads are, and every player.

    Each figure with its n and a 95% interval, for which hands are what chance draws.
    """
    from handread.commands.summarize import SummaryOptions, run_summary

    options = SummaryOptions(tuple(player), top, least_hands, sort.value, as_json, csv)
    raise typer.Exit(run_summary(folder, options))


class Picture(StrEnum):
    """The pictures of a set of hands."""

    INFORMATION_GAIN = "information-gain"
    ENTROPIES = "entropies"
    CALIBRATION = "calibration"
    PLAYERS = "players"
    SURPRISE = "surprise"


def _picture(path: Path) -> Path:
    if path.suffix.lower() not in PICTURES:
        raise usage(f"{path}: a picture is written as .png, .svg or .pdf")
    writable(path)
    return path


def plot(
    folder: Folder,
    kind: Annotated[
        Picture,
        typer.Argument(
            metavar="KIND", help=f"Which picture: {', '.join(kind.value for kind in Picture)}."
        ),
    ],
    output: Annotated[
        Path,
        typer.Option(
            "-o",
            "--output",
            help="Draw it here: .png, .svg or .pdf.",
            metavar="FILE",
            callback=_picture,
        ),
    ],
    player: Players = [],  # noqa: B006 - typer makes a new list of it
    top: TopPlayers = 20,
    least_hands: LeastHands = FEW_HANDS,
    sort: SortPlayers = PlayerOrder.HANDS,
) -> None:
    """Draw the tables of score, and print the numbers of the picture.

    --player, --top and --least-hands are for the picture of players.
    """
    from handread.commands.plot import PlotOptions, run_plot

    options = PlotOptions(output, tuple(player), top, least_hands, sort.value)
    raise typer.Exit(run_plot(folder, kind.value, options))
