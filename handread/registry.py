"""The papers by name, and what they add to the program.

A paper is a folder of ``handread.papers``. Its ``__init__`` is its door: ``PAPER`` names its
readers, players, commands and pictures. The modules that it names are imported when one asks for
what they hold.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pkgutil import resolve_name
from typing import Any, NamedTuple

WING = "handread.papers"
"""The package of the papers; its ``PAPERS`` lists their folders."""


class Entry(NamedTuple):
    """A reader or a player of a paper.

    Attributes:
        module: The module that makes it.
        function: The function of this module that returns it. That of a reader takes no argument,
            that of a player its name.
        title: What it is, for people.
    """

    module: str
    function: str
    title: str = ""

    def make(self, *arguments: str) -> Any:
        """Import the module and return what the function returns."""
        return resolve_name(f"{self.module}:{self.function}")(*arguments)


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
    """What a paper adds to the program; the names are those that users type.

    Attributes:
        readers: Its readers by name.
        players: Its players by name, who decide by rules of their own.
        pictures: The functions that draw its experiments, each with its module.
        commands: Its commands, in the order of the help.
    """

    readers: Mapping[str, Entry] = field(default_factory=dict)
    players: Mapping[str, Entry] = field(default_factory=dict)
    pictures: Mapping[str, str] = field(default_factory=dict)
    commands: Sequence[Commands] = ()


FAULTS: dict[str, str] = {}
"""What is wrong with a paper or one of its modules, by name: the program goes on without it."""


@contextmanager
def apart(name: str) -> Iterator[None]:
    """Keep a mistake in a paper or one of its modules from the rest of the program."""
    try:
        yield
    except Exception as error:
        *_, last = traceback.extract_tb(error.__traceback__)
        place = "" if isinstance(error, SyntaxError) else f" ({last.filename}, line {last.lineno})"
        FAULTS[name] = f"{type(error).__name__}: {error}{place}"


@cache
def papers() -> dict[str, Paper]:
    """Return the papers by name, in the order in which they are listed."""
    found = {}
    for name in import_module(WING).PAPERS:
        with apart(f"{WING}.{name}"):
            found[name] = import_module(f"{WING}.{name}").PAPER
    return found


@cache
def readers() -> dict[str, Entry]:
    """Return the readers of all papers by name."""
    return {name: entry for one in papers().values() for name, entry in one.readers.items()}


@cache
def players() -> dict[str, Entry]:
    """Return the players of all papers by name."""
    return {name: entry for one in papers().values() for name, entry in one.players.items()}


def picture(name: str) -> Callable[..., Any]:
    """Return the function of a name that draws an experiment."""
    modules = {name: module for one in papers().values() for name, module in one.pictures.items()}
    found: Callable[..., Any] = resolve_name(f"{modules[name]}:{name}")
    return found


def commands_of(group: str) -> list[Commands]:
    """Return the commands that the papers add to a group."""
    return [few for one in papers().values() for few in one.commands if few.group == group]
