"""The papers by name, and their additions to the program.

A paper is a folder of ``handread.papers``. Its ``__init__`` is its door: ``PAPER`` names its
readers, players, commands and pictures. The named modules are imported on first use. An installed
package adds a paper by an entry point of the group ``handread.papers``, such as
``mine = "my_package:PAPER"``.
"""

import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pkgutil import resolve_name
from typing import Any, NamedTuple

from handread.extras import missing

WING = "handread.papers"
"""The package of the papers, whose ``PAPERS`` lists their folders; also the entry points' group."""


class PaperEntry(NamedTuple):
    """A reader or a player of a paper, with a title for people.

    The ``function`` of a ``module`` makes it: a reader without arguments, a player by its name.
    """

    module: str
    function: str
    title: str = ""

    def make(self, *arguments: str) -> Any:
        """Import the module and return what the function returns; ``ValueError`` if it fails."""
        try:
            function = resolve_name(f"{self.module}:{self.function}")
        except (ImportError, AttributeError, SyntaxError) as error:
            if missing(error):
                raise
            raise ValueError(f"{self.module} cannot be used: {error}") from None
        return function(*arguments)


class Commands(NamedTuple):
    """Functions of a module that are commands, of a group and of a panel of its help."""

    group: str
    panel: str
    module: str
    functions: Sequence[str]

    def load(self) -> list[Callable[..., Any]]:
        """Import the module and return the functions."""
        return [resolve_name(f"{self.module}:{name}") for name in self.functions]


@dataclass(frozen=True)
class Paper:
    """The additions of a paper to the program; the names are those that users type.

    Attributes:
        players: Its players by name, who decide by rules of their own.
        pictures: The functions that draw its experiments, each with its module.
        commands: Its commands, in the order of the help.
    """

    readers: Mapping[str, PaperEntry] = field(default_factory=dict)
    players: Mapping[str, PaperEntry] = field(default_factory=dict)
    pictures: Mapping[str, str] = field(default_factory=dict)
    commands: Sequence[Commands] = ()

    @property
    def names(self) -> set[str]:
        """All names: of readers and players, of pictures and of commands."""
        typed = (f"{c.group} {name}" for c in self.commands for name in c.functions)
        return {*self.readers, *self.players, *self.pictures, *typed}


FAULTS: dict[str, str] = {}
"""Faults in papers or their modules, by name: the program goes on without these."""


@contextmanager
def apart(name: str) -> Iterator[None]:
    """Keep a mistake in a paper or one of its modules from the rest of the program."""
    try:
        yield
    except (Exception, SystemExit) as error:
        *_, last = traceback.extract_tb(error.__traceback__)
        place = "" if isinstance(error, SyntaxError) else f" ({last.filename}, line {last.lineno})"
        FAULTS[name] = f"{type(error).__name__}: {error}{place}"


@cache
def papers() -> dict[str, Paper]:
    """Return the papers by name, in the order of their list."""
    by_name = {}
    for name in import_module(WING).PAPERS:
        with apart(f"{WING}.{name}"):
            by_name[name] = import_module(f"{WING}.{name}").PAPER
    installed = import_module("importlib.metadata")  # takes long to import
    for point in sorted(installed.entry_points(group=WING)):
        with apart(f"the paper {point.name} ({point.value})"):
            by_name[point.name] = _of_its_own(point.name, point.load(), by_name)
    return by_name


def _of_its_own(name: str, paper: Any, others: Mapping[str, Paper]) -> Paper:
    """Return a paper of another package, unless it takes a name of an earlier paper.

    Raise ``TypeError`` if it is no ``Paper``, ``ValueError`` if a name is taken.
    """
    if not isinstance(paper, Paper):
        raise TypeError(f"expected a handread.registry.Paper, not {type(paper).__name__}")
    for other, known in others.items():
        if twice := sorted({name} & {other} | paper.names & known.names):
            raise ValueError(f"{twice[0]!r} is a name of the paper {other}")
    return paper


@cache
def readers() -> dict[str, PaperEntry]:
    """Return the readers of all papers by name."""
    return {name: entry for paper in papers().values() for name, entry in paper.readers.items()}


@cache
def players() -> dict[str, PaperEntry]:
    """Return the players of all papers by name."""
    return {name: entry for paper in papers().values() for name, entry in paper.players.items()}


def picture(name: str) -> Callable[..., Any]:
    """Return the function with this name that draws an experiment."""
    modules = {name: module for each in papers().values() for name, module in each.pictures.items()}
    function: Callable[..., Any] = resolve_name(f"{modules[name]}:{name}")
    return function


def commands_of(group: str) -> list[Commands]:
    """Return the commands that the papers add to a group."""
    every = (commands for paper in papers().values() for commands in paper.commands)
    return [commands for commands in every if commands.group == group]
