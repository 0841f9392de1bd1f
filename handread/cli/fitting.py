"""The command that learns how players bet: fit."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from handread.cli.options import Dialect, Files, Seed, Workers, policy_names, usage_errors, writable


class Family(StrEnum):
    """The families of policies that are fitted."""

    LOGIT = "logit"
    RAMPS = "ramps"


FamilyOption = Annotated[
    Family, typer.Option("--family", help="Smooth log-odds, or the paper's ramps.")
]
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
    name: Annotated[str, typer.Option(help="What the policy is called.")] = "fitted",
    prior: Leaning = None,
    players: Annotated[bool, typer.Option(help="Learn policies of single players as well.")] = True,
    least: Annotated[
        int, typer.Option(help="From how many actions on a player gets its own.", min=1)
    ] = 20,
    hidden: Annotated[
        bool, typer.Option("--hidden", help="Take no downcards as known, even where they are.")
    ] = False,
    penalty: Annotated[
        float | None,
        typer.Option(help="The weight of the prior; else by cross-validation.", min=0.001),
    ] = None,
    temper: Annotated[
        float | None,
        typer.Option(
            help="The exponent on what an action tells; else by cross-validation.",
            min=0.01,
            max=1.0,
        ),
    ] = None,
    rounds: Annotated[
        int,
        typer.Option(help="How often the hands are read, each time by what was learned.", min=1),
    ] = 2,
    seed: Seed = 1,
    workers: Workers = 0,
    dialect: Dialect = None,
) -> None:
    """Learn policies from hands: everybody's, and each player's held to it by how little was seen.

    Hidden downcards are missing data, so every hand counts. A fit that is stopped goes on from
    what it has read when the same command is given again.
    """
    from handread.commands.fit import FitRun, leaning, run_fit
    from handread.fitting.fit import FitOptions

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
    raise typer.Exit(run_fit(files, dialect, run))
