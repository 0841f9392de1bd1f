"""What ``handread plot`` does: pictures of a set of hands, and the numbers that they show."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from handread.commands.experiments import draw
from handread.commands.output import emit
from handread.commands.progress import say
from handread.commands.summarize import opened
from handread.parallel import RunError
from handread.report.words import visible

if TYPE_CHECKING:
    from handread.tables.read import Tables


@dataclass(frozen=True, slots=True)
class PlotOptions:
    """What ``handread plot`` was asked for; whose players is for the picture of players alone."""

    output: Path
    players: tuple[str, ...]
    top: int
    least_hands: int
    sort: str


class _NothingToDrawError(Exception):
    """The tables do not hold what a picture shows; in a person's words."""


Drawn = tuple[Callable[[Any], Any], str]
"""What makes a picture of ``report.plots``, and the text that goes with it."""

UNKNOWN = "there is nothing to draw: not all downcards of any hand are known"


def run_plot(folder: Path, kind: str, options: PlotOptions) -> int:
    """Draw a picture and print what it shows; the exit status."""
    if options.players and kind != "players":
        say(f"handread: --player is for the picture of players, not for {kind}")
        return 2
    try:
        figure, text = PICTURES[kind](opened(folder), options)
        draw(options.output, figure)
    except (RunError, _NothingToDrawError) as error:
        say(f"handread: {error}")
        return 2
    except OSError as error:
        say(f"handread: {options.output} cannot be written: {error.strerror or error}")
        return 2
    emit(text)
    return 0


def _gain(tables: Tables, _options: PlotOptions) -> Drawn:
    from handread.report.experiments import gain_text
    from handread.tables.summary import gain_of

    table = gain_of(tables)
    if not any(stage.games for stage in table.stages):
        raise _NothingToDrawError(UNKNOWN)
    return lambda plots: plots.gain_figure(table), gain_text(table)


def _entropies(tables: Tables, _options: PlotOptions) -> Drawn:
    from handread.tables.pictures import entropies

    found = entropies(tables)
    if found is None:
        raise _NothingToDrawError(UNKNOWN)
    where = visible(f"{found.file}:{found.line}")
    text = f"game {found.paths.picked} of {len(found.paths.paths)} is {where}\n"
    return lambda plots: plots.entropies_figure(found.paths), text


def _calibration(tables: Tables, _options: PlotOptions) -> Drawn:
    from handread.report.experiments import calibration_text
    from handread.tables.pictures import calibration

    table = calibration(tables)
    if not table.bins:
        raise _NothingToDrawError("there is nothing to draw: no hand is recorded to its end")
    return lambda plots: plots.calibration_figure(table), calibration_text(table)


def _players(tables: Tables, options: PlotOptions) -> Drawn:
    from handread.report.summary import told_text
    from handread.tables.summary import Wanted, summary

    wanted = Wanted(options.players, options.top, options.least_hands, options.sort)
    found = summary(tables, wanted)
    for name in found.players.missing:
        say(f"nobody in the tables is called {name}")
    if not found.players.wanted:
        why = "there are no such players"
        if found.players.few:
            why = f"nobody has {options.least_hands} hands (--least-hands)"
        raise _NothingToDrawError(f"there is nothing to draw: {why}")
    return lambda plots: plots.players_figure(found), told_text(found.players)


def _surprise(tables: Tables, _options: PlotOptions) -> Drawn:
    from handread.report.summary import surprise_text
    from handread.tables.pictures import surprise

    found = surprise(tables)
    if not found.kinds:
        raise _NothingToDrawError("there is nothing to draw: nobody acts in any hand")
    return lambda plots: plots.surprise_figure(found), surprise_text(found)


PICTURES: Mapping[str, Callable[[Tables, PlotOptions], Drawn]] = {
    "information-gain": _gain,
    "entropies": _entropies,
    "calibration": _calibration,
    "players": _players,
    "surprise": _surprise,
}
"""The pictures by their names."""
