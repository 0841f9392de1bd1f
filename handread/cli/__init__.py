"""The command line. Heavy imports wait until a command needs them."""

from __future__ import annotations

import gc
import sys
from typing import Annotated

import typer

from handread import __version__
from handread.cli import (
    converting,
    evaluate,
    experiments,
    fitting,
    hands,
    policies,
    reporting,
    scoring,
    simulating,
)
from handread.cli.program import Program

app = typer.Typer(
    name="handread",
    cls=Program,
    help="Read observed hands of seven-card stud and tell what the betting gave away.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"handread {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Read observed hands of seven-card stud and tell what the betting gave away."""


app.command()(hands.analyze)
app.command()(reporting.report)
app.command()(hands.check)
app.command()(evaluate.evaluate)
app.command()(fitting.fit)
app.command()(converting.convert)
app.command()(simulating.simulate)
app.command()(scoring.score)
app.command()(scoring.summary)
app.command()(scoring.plot)
app.command()(scoring.query)
app.add_typer(experiments.app, name="experiment")
app.add_typer(policies.app, name="policy")
app.command()(hands.formats)


def main() -> None:
    """Run the program."""
    # What the imports make stays: to look for garbage in it again and again takes 7% of the start.
    gc.set_threshold(100_000)
    try:
        app()
    except KeyboardInterrupt:
        sys.exit(130)
