"""The group of experiments, which papers fill, and the run of one from its options to its text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import typer

from handread.cli.groups import Output, Running
from handread.cli.help import OpenGroup, examples
from handread.lazy import lazily

with lazily():
    import handread.runs as runs
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
    measure: Callable[[runs.Run], Any],
    text: Callable[[Any], str],
    terms: Mapping[str, Any],
    running: Running,
    output: Output,
    figure: str = "",
) -> None:
    """Run an experiment, write its table and its picture, and print its text.

    ``measure`` is the experiment, with all arguments except the run; ``text`` renders its result,
    which the JSON values ``terms`` determine. ``figure`` names the function that draws the picture,
    as a paper lists it.
    """
    with running.begin(terms, output.first) as run:
        found = measure(run)
        output.write(found, figure)
    # Last, because a closed pipe ends the program here.
    console.emit(text(found))
