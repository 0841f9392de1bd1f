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

PACKAGE = "handread.papers"
"""The package whose ``PAPERS`` lists the folders of papers; also the group of entry points."""


class PaperEntry(NamedTuple):
    """A reader or a player of a paper, with a title for people.

    The ``function`` of the ``module`` makes it: a reader without arguments, a player from its name.
    """

    module: str
    function: str
    title: str = ""

    def make(self, *arguments: str) -> Any:
        """Import the module and return what the function returns; ``ValueError`` if it fails."""
        try:
            function = resolve_name(f"{self.module}:{self.function}")
        except (ImportError, AttributeError, SyntaxError) as error:
            if missing(error):  # the program then names the extra to install
                raise
            raise ValueError(f"{self.module} cannot be used: {error}") from None
        return function(*arguments)


class Commands(NamedTuple):
    """The functions of a module that are commands of a group, and their panel in its help."""

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
        readers: Its readers by name.
        players: Its players by name, who decide by rules of their own.
        pictures: The modules of the functions that draw its experiments, by function.
        commands: Its commands, in the order of the help.
    """

    readers: Mapping[str, PaperEntry] = field(default_factory=dict)
    players: Mapping[str, PaperEntry] = field(default_factory=dict)
    pictures: Mapping[str, str] = field(default_factory=dict)
    commands: Sequence[Commands] = ()

    @property
    def names(self) -> set[str]:
        """The names of readers, players and pictures, and commands with their groups."""
        commands = (f"{each.group} {name}" for each in self.commands for name in each.functions)
        return {*self.readers, *self.players, *self.pictures, *commands}


FAULTS: dict[str, str] = {}
"""The faults of papers and of their modules, by name; the program goes on without these."""


@contextmanager
def noting_faults(name: str) -> Iterator[None]:
    """Note an error in ``FAULTS`` under the name of a paper or of its module, and go on."""
    try:
        yield
    except (Exception, SystemExit) as error:  # a module may also exit when it is imported
        *_, last = traceback.extract_tb(error.__traceback__)
        # The message of a syntax error has the place; the traceback ends in the import.
        place = "" if isinstance(error, SyntaxError) else f" ({last.filename}, line {last.lineno})"
        FAULTS[name] = f"{type(error).__name__}: {error}{place}"


@cache
def papers() -> dict[str, Paper]:
    """Return the papers by name, in the order of their list."""
    by_name = {}
    for name in import_module(PACKAGE).PAPERS:
        with noting_faults(f"{PACKAGE}.{name}"):
            by_name[name] = import_module(f"{PACKAGE}.{name}").PAPER
    installed = import_module("importlib.metadata")  # takes long to import
    for point in sorted(installed.entry_points(group=PACKAGE)):
        with noting_faults(f"the paper {point.name} ({point.value})"):
            by_name[point.name] = _checked(point.name, point.load(), by_name)
    return by_name


def _checked(name: str, paper: Any, others: Mapping[str, Paper]) -> Paper:
    """Return the paper of another package, if it takes no name of an earlier paper.

    Raise ``TypeError`` if it is not a ``Paper``, ``ValueError`` if a name is taken.
    """
    if not isinstance(paper, Paper):
        raise TypeError(f"expected a handread.registry.Paper, not {type(paper).__name__}")
    for other, earlier in others.items():
        if taken := sorted({name} & {other} | paper.names & earlier.names):
            raise ValueError(f"{taken[0]!r} is a name of the paper {other}")
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
    """Return the function with this name that draws an experiment; ``KeyError`` if unknown."""
    modules = {key: module for one in papers().values() for key, module in one.pictures.items()}
    function: Callable[..., Any] = resolve_name(f"{modules[name]}:{name}")
    return function


def commands_of(group: str) -> list[Commands]:
    """Return the commands that the papers add to a group."""
    every = (commands for paper in papers().values() for commands in paper.commands)
    return [commands for commands in every if commands.group == group]
