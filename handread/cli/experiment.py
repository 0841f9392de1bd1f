"""The run of an experiment, from its options to its text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from handread.cli.groups import Running
from handread.cli.lazy import lazily

with lazily():
    import handread.runs as runs
    from handread.cli import console


def experiment(
    measure: Callable[[runs.Run], Any],
    text: Callable[[Any], str],
    terms: Mapping[str, Any],
    running: Running,
    csv: Path | None,
    plot: Path | None = None,
    figure: str = "",
) -> None:
    """Run an experiment, write its table and its picture, and print its text.

    Args:
        measure: The experiment, with all arguments except the run.
        text: The function that renders its result.
        terms: JSON values that determine the result.
        running: How it is run.
        csv: The CSV file to write.
        plot: The picture to draw.
        figure: The name of the function of ``report.figures`` that draws it.
    """
    with running.begin(terms, csv or plot) as run:
        found = measure(run)
        console.write_result(found, csv, plot, figure)
    # Last, because a closed pipe ends the program here.
    console.emit(text(found))
