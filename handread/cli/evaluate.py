"""The command that scores reads: evaluate."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from handread.cli.options import (
    Family,
    Files,
    Lapse,
    Penalty,
    Plot,
    Seed,
    SuitingPolicy,
    Temper,
    Ties,
    TiesOption,
    Workers,
    usage,
    writable,
)
from handread.cli.reading import Dialect, Grammars, RejectsFile, Verbose, chosen_reads


class By(StrEnum):
    """What is held out."""

    HAND = "hand"
    PLAYER = "player"


def evaluate(
    files: Files,
    policy: SuitingPolicy = None,
    lapse: Lapse = None,
    folds: Annotated[
        int | None,
        typer.Option(
            help="Cross-validate: fit policies K times, each without the part it reads.",
            metavar="K",
            min=2,
        ),
    ] = None,
    by: Annotated[By | None, typer.Option("--by", help="With --folds: what is held out.")] = None,
    family: Annotated[
        Family | None, typer.Option("--family", help="With --folds: the policies to fit.")
    ] = None,
    train: Annotated[
        list[str],
        typer.Option("--train", help="With --folds: more hands to learn from.", metavar="FILE"),
    ] = [],  # noqa: B006 - typer makes a new list of it
    penalty: Penalty = None,
    temper: Temper = None,
    ties: TiesOption = Ties.SPLIT,
    resamples: Annotated[
        int,
        typer.Option(help="How often the hands are drawn anew.", min=100, max=100_000, metavar="N"),
    ] = 1000,
    seed: Seed = 1,
    workers: Workers = 0,
    dialect: Dialect = None,
    grammar: Grammars = [],  # noqa: B006 - typer makes a new list of it
    rejects: RejectsFile = None,
    verbose: Verbose = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
    csv: Annotated[
        Path | None,
        typer.Option("--csv", help="Write the figures here.", metavar="FILE", callback=writable),
    ] = None,
    plot: Plot = None,
) -> None:
    """Score the reads of hands on what turned out true: downcards, winners, actions."""
    from handread.commands.evaluate import EvaluateOptions, run_evaluate
    from handread.policy import PolicyError
    from handread.study.evaluation import Folds

    if folds is None and (by or family or train or penalty or temper):
        raise usage("--by, --family, --train, --penalty and --temper are for --folds K: add it")
    if folds is not None and (policy is not None or lapse is not None):
        raise usage("--folds fits its own policies: leave --policy and --lapse out")
    held_out = None
    if folds is not None:
        held_out = Folds(folds, (by or By.HAND).value, (family or Family.LOGIT).value)
    options = EvaluateOptions(
        policy=policy,
        lapse=lapse,
        folds=held_out,
        train=tuple(train),
        penalty=penalty,
        temper=temper,
        ties=ties.value,
        resamples=resamples,
        seed=seed,
        workers=workers,
        as_json=as_json,
        csv=csv,
        plot=plot,
    )
    reads = chosen_reads([*files, *train], dialect, grammar, rejects, verbose)
    try:
        raise typer.Exit(run_evaluate(files, reads, options))
    except PolicyError as error:
        raise usage(error) from None
