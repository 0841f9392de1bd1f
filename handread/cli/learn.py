"""The command that learns how players bet: fit."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from handread.cli.options import (
    Dialect,
    Family,
    FamilyOption,
    Files,
    Grammars,
    Penalty,
    RejectsFile,
    Seed,
    Temper,
    Verbose,
    Workers,
    chosen_reads,
    policy_names,
    usage,
    usage_errors,
    writable,
)


def _text(name: str) -> str:
    """Refuses bytes that are no text, which no file of policies could hold."""
    try:
        name.encode()
    except UnicodeEncodeError:
        raise usage(f"{name!r} is no text") from None
    return name


Leaning = Annotated[
    str | None,
    typer.Option(
        "--prior",
        help="The policy that little evidence leaves nearly as it is; none for no such policy.",
        metavar="NAME|FILE",
        autocompletion=lambda: ["none", *policy_names()],
    ),
]


def fit(
    files: Files,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", help="Write the policies here.", callback=writable),
    ] = None,
    family: FamilyOption = Family.LOGIT,
    name: Annotated[
        str, typer.Option(help="What the policy is called.", callback=_text)
    ] = "fitted",
    prior: Leaning = None,
    players: Annotated[bool, typer.Option(help="Learn policies of single players as well.")] = True,
    least: Annotated[
        int, typer.Option(help="From how many actions on a player gets its own.", min=1)
    ] = 20,
    hidden: Annotated[
        bool, typer.Option("--hidden", help="Take no downcards as known, even where they are.")
    ] = False,
    penalty: Penalty = None,
    temper: Temper = None,
    rounds: Annotated[
        int,
        typer.Option(help="How often the hands are read, each time by what was learned.", min=1),
    ] = 3,
    seed: Seed = 1,
    workers: Workers = 0,
    dialect: Dialect = None,
    grammar: Grammars = [],  # noqa: B006 - typer makes a new list of it
    rejects: RejectsFile = None,
    verbose: Verbose = False,
) -> None:
    """Learn policies from hands: everybody's, and each player's held to it by how little was seen.

    Hidden downcards are missing data, so every hand counts. A fit that is stopped goes on from
    what it has read when the same command is given again.
    """
    from handread.commands.fit import FitRun, leaning, run_fit
    from handread.study.fit.fit import FitOptions

    with usage_errors():
        options = FitOptions(
            family=family.value,
            name=name,
            penalty=penalty,
            temper=temper,
            players=players,
            least=least,
            hidden=hidden,
            rounds=rounds,
            seed=seed,
        )
        run = FitRun(options, leaning(prior, family.value), output, workers)
    reads = chosen_reads(files, dialect, grammar, rejects, verbose)
    raise typer.Exit(run_fit(files, reads, run))
