"""The group of experiments, ``handread experiment``, and what its commands have in common."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from handread.cli.chosen import table_setup
from handread.cli.help import OpenGroup, examples
from handread.cli.options import Knowledge, Ties, usage_errors

if TYPE_CHECKING:
    from handread.simulate import Setup

app = typer.Typer(cls=OpenGroup, no_args_is_help=True)


@app.callback()
@examples(
    ("Figure 6 of Saund 2006, from 100 games", "handread experiment information-gain --games 100"),
    ("the options of an experiment", "handread experiment readers --help"),
)
def _experiment_group() -> None:
    """Repeat the experiments of the papers, and compare readers."""


def analyzed_table(
    seats: int,
    policy: str,
    lapse: float | None,
    own: list[str],
    game: str | None,
    ties: Ties,
) -> Setup:
    """Return the table for the options; raise a usage error for an invalid one."""
    from handread.simulate import check_analyzed

    knowledge = Knowledge.BET_INFERENCE
    with usage_errors():
        return check_analyzed(table_setup(seats, policy, lapse, knowledge, own, game, None, ties))


def run_experiment(
    experiment: Callable[..., Any],
    text: Callable[[Any], str],
    terms: Mapping[str, Any],
    workers: int,
    csv: Path | None,
    plot: Path | None = None,
    figure: str = "",
    what: str = "games",
) -> None:
    """Run an experiment, write its table and its picture, and print the text.

    The arguments are those of ``experiment_run``, and the functions that run the experiment and
    render its text.
    """
    from handread.cli.console import emit, experiment_run

    with experiment_run(terms, workers, csv, plot, figure, what) as (_, finish):
        found = finish(experiment)
    # Last, because a closed pipe ends the program here.
    emit(text(found))
