"""The commands that read hands: analyze, check, formats."""

from __future__ import annotations

from typing import Annotated

import typer

from handread.cli.options import (
    TIES,
    TOP,
    VIEWPOINT,
    AsJson,
    Files,
    HandId,
    Lapse,
    SeatModels,
    SuitingPolicy,
    Ties,
    chosen_roster,
    usage,
    usage_errors,
)
from handread.cli.reading import (
    Dialect,
    Grammars,
    RejectsFile,
    Verbose,
    chosen_reads,
    dialect_names,
    known_with,
)


def analyze(
    files: Files,
    policy: SuitingPolicy = None,
    lapse: Lapse = None,
    seat: SeatModels = [],  # noqa: B006 - typer makes a new list of it
    viewpoint: Annotated[str, VIEWPOINT] = "public",
    ties: Annotated[Ties, TIES] = Ties.SPLIT,
    top: Annotated[int, TOP] = 4,
    hand: HandId = None,
    dialect: Dialect = None,
    grammar: Grammars = [],  # noqa: B006 - typer makes a new list of it
    rejects: RejectsFile = None,
    verbose: Verbose = False,
    as_json: AsJson = False,
) -> None:
    """Read hands street by street: who probably holds what, and what each action told."""
    from handread.commands.hands import AnalyzeOptions, run_analyze

    roster = chosen_roster(policy, lapse, seat)
    options = AnalyzeOptions(roster, viewpoint, ties.value, top, hand, as_json)
    reads = chosen_reads(files, dialect, grammar, rejects, verbose)
    raise typer.Exit(run_analyze(files, reads, options))


def check(
    files: Files,
    strict: Annotated[
        bool,
        typer.Option(
            "--strict",
            help="Refuse hands that stop in the middle or contradict themselves, and those with a "
            "line of no known form.",
        ),
    ] = False,
    dialect: Dialect = None,
    grammar: Grammars = [],  # noqa: B006 - typer makes a new list of it
    rejects: RejectsFile = None,
    verbose: Verbose = False,
    as_json: AsJson = False,
) -> None:
    """Read and replay only: which hands are whole and legal, and what is wrong with the rest."""
    from handread.commands.hands import CheckOptions, run_check

    reads = chosen_reads(files, dialect, grammar, rejects, verbose)
    raise typer.Exit(run_check(files, reads, CheckOptions(as_json, strict)))


def formats(
    files: Annotated[
        list[str] | None,
        typer.Argument(metavar="[FILE.toml...]", help="Grammars of your own, for --lint."),
    ] = None,
    explain: Annotated[
        str | None,
        typer.Option(
            "--explain",
            help="Show every form of line that this dialect has, and where it was seen.",
            metavar="NAME",
            autocompletion=dialect_names,
        ),
    ] = None,
    lint: Annotated[
        bool, typer.Option("--lint", help="Say what is wrong with grammars, by line and field.")
    ] = False,
    new: Annotated[
        str | None,
        typer.Option(
            "--new",
            help="Print the draft of a grammar for a room of this name, to be edited.",
            metavar="NAME",
        ),
    ] = None,
    grammar: Grammars = [],  # noqa: B006 - typer makes a new list of it
    as_json: Annotated[
        bool, typer.Option("--json", help="One JSON object a format, on one line.")
    ] = False,
) -> None:
    """List the notations and rooms that can be read, explain one, look through or draft a grammar.

    A new room begins with: handread formats --new my-room > my-room.toml
    """
    from handread.commands.formats import run_explain, run_lint, run_list, run_new

    if new is not None:
        if files or lint or explain is not None or grammar or as_json:
            raise usage("--new stands alone")
        raise typer.Exit(run_new(new))
    if bool(files) != lint or (lint and (explain is not None or grammar or as_json)):
        raise usage("a grammar's file goes with --lint, and nothing else does")
    if files:
        raise typer.Exit(run_lint(files))
    known = known_with(grammar)
    if explain is None:
        raise typer.Exit(run_list(known, as_json))
    with usage_errors():
        dialect = known.named(explain)
    raise typer.Exit(run_explain(dialect, as_json))
