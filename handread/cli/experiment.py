"""The group of experiments, filled by papers, and the run of one from its options to its text."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import typer

from handread.cli.groups import OutputOptions, RunningOptions
from handread.cli.help import OpenGroup, examples
from handread.lazy import lazily

with lazily():
    import handread.inference.players as inference
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
    measure: "Callable[[runs.Run], Any]",
    text: Callable[[Any], str],
    terms: Mapping[str, Any],
    running: RunningOptions,
    output: OutputOptions,
    figure: str = "",
) -> None:
    """Run an experiment, write its table and its picture, and print its text.

    ``measure`` is the experiment, without the run; ``text`` renders its result, determined by the
    JSON values ``terms``. ``figure`` names the drawing function, as a paper lists it.
    """
    with running.begin(terms, output.first) as run:
        result = measure(run)
        output.write(result, running.facts(_players(terms)), figure)
    # Last, because a closed pipe ends the program here.
    console.emit(text(result))


def _players(terms: Mapping[str, Any]) -> str:
    """Return the policies and readers among the terms of an experiment, with their hashes."""
    if (setup := terms.get("setup")) is not None and "players" not in terms:
        return inference.players_terms(setup.players)
    deciders = terms.get("players", terms.get("readers", ""))
    return deciders if isinstance(deciders, str) else "; ".join(map(_words, deciders))


def _words(decider: str | Sequence[str]) -> str:
    return decider if isinstance(decider, str) else " ".join(filter(None, decider))
