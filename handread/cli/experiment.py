"""The run of an experiment, from its options to its text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from handread.cli.groups import Running
from handread.cli.lazy import lazily

with lazily():
    from handread.cli import console


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
        figure: The name of the function of ``report.figures`` that draws it.
        what: The plural name of the items counted.
    """
    terms = {**terms, "seed": running.seed}
    with console.experiment_run(terms, running.workers, csv, plot, figure, what) as (_, finish):
        found = finish(run)
    # Last, because a closed pipe ends the program here.
    console.emit(text(found))
