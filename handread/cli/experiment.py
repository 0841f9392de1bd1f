"""The group of experiments, which papers fill, and the run of one from its options to its text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import typer

from handread.cli.groups import Running
from handread.cli.help import OpenGroup, examples
from handread.lazy import lazily

with lazily():
    from handread.cli import console

app = typer.Typer(cls=OpenGroup, no_args_is_help=True)


@app.callback()
@examples(
    ("Figure 6 of Saund 2006, from 100 games", "handread experiment information-gain --games 100"),
    ("the options of an experiment", "handread experiment readers --help"),
)
def _experiment_group() -> None:
    """Repeat the experiments of the papers, and compare readers."""


def experiment(
    run: Callable[..., Any],
    text: Callable[[Any], str],
    terms: Mapping[str, Any],
    running: Running,
    csv: Path | None,
    plot: Path | None = None,
    figure: str = "",
    what: str = "games",
) -> None:
    """Run an experiment, write its table and its picture, and print its text.

    Args:
        run: The experiment, with all arguments except ``compute``.
        text: The function that renders its result.
        terms: JSON values that determine the result.
        running: How it is run.
        csv: The CSV file to write.
        plot: The picture to draw.
        figure: The name of the function that draws it, as a paper lists it.
        what: The plural name of the items counted.
    """
    terms = {**terms, "seed": running.seed}
    with console.experiment_run(terms, running.workers, csv, plot, figure, what) as (_, finish):
        found = finish(run)
    # Last, because a closed pipe ends the program here.
    console.emit(text(found))
