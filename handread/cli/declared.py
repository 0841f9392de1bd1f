"""Declarations of arguments and options, which ``groups.spread`` hands to typer.

An option of a single command or group is the default of a parameter or field: ``number: int =
option("Number of ...", default=3)``; the default ``...`` makes it required. A shared option is a
type: ``Annotated[int, Option("Number of ...")]``.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, fields
from enum import Enum
from types import UnionType
from typing import Any, get_args, get_origin

import typer

MOST = 1_000_000
"""Largest value of a count, unless an option says otherwise."""


@dataclass(frozen=True)
class Option:
    """An option, with the name of its declaration as flag unless it has others.

    Attributes:
        help: Its help text.
        metavar: Placeholder for its value; N or a choice of words if it is empty.
        flags: Its names on the command line, such as "-o --output".
        panel: Its panel in the help; None for the panel of the command's own options.
        min: The smallest value of a number.
        max: The largest value of a number.
        names: Returns values, for completion.
        check: Returns a value that may be used, or raises a usage error.
        repeated: False if a command that makes an output again need not have it.
    """

    help: str
    metavar: str = ""
    flags: str = ""
    panel: str | None = None
    min: float | None = 1
    max: float | None = MOST
    names: Callable[[], Sequence[Any]] | None = None
    check: Callable[[Any], Any] | None = None
    repeated: bool = True

    def made(self, name: str, kind: Any) -> Any:
        """Return the option for typer, with the name and the type of its declaration."""
        type_of, _ = kind_of(kind)
        number = type_of in (int, float)
        return typer.Option(
            *(self.flags or f"--{name.replace('_', '-')}").split(),
            help=self.help,
            metavar=None if type_of is bool else self.metavar or "|".join(words_of(type_of)) or "N",
            min=self.min if number else None,
            max=self.max if number else None,
            autocompletion=self.names,
            callback=self.check,
            rich_help_panel=self.panel,
        )


def declaration(declared: Any, default: Any) -> Any:
    """Return the declaration of an argument or option, as the default of a field or parameter."""
    metadata = {"declared": declared, "default": default}
    if default == []:
        return field(default_factory=list, metadata=metadata)
    return field(default=default, metadata=metadata)


def option(help: str, metavar: str = "", *, default: Any = None, **more: Any) -> Any:
    """Declare an option; ``more`` is as in ``Option``."""
    return declaration(Option(help, metavar, **more), default)


def argument(help: str, metavar: str, *, default: Any = None, **more: Any) -> Any:
    """Declare an argument; ``more`` is as in ``typer.Argument``."""
    return declaration(typer.Argument(help=help, metavar=metavar, **more), default)


def kind_of(kind: Any) -> tuple[Any, bool]:
    """Return the type of a value of an option, and whether the option may be repeated."""
    if isinstance(kind, UnionType):
        kind = get_args(kind)[0]  # the other is None
    many = get_origin(kind) is list
    return get_args(kind)[0] if many else kind, many


def words_of(kind: type) -> list[str]:
    """Return the words that stand for the values of a type; empty if there are too many."""
    return [str(value.value) for value in kind] if issubclass(kind, Enum) else []


def given_options(group: Any) -> dict[str, list[str]]:
    """Return the given options that a repeated command needs; a switch has no values."""
    usual, given = type(group)(), {}
    for group_field in fields(group):
        value, declared = getattr(group, group_field.name), group_field.metadata.get("declared")
        if value != getattr(usual, group_field.name) and getattr(declared, "repeated", True):
            values = value if isinstance(value, list) else [] if value is True else [value]
            words = [str(each.value if isinstance(each, Enum) else each) for each in values]
            given[f"--{group_field.name.replace('_', '-')}"] = words
    return given


def given_words(*groups: object) -> Iterator[str]:
    """Yield the given options of groups as words of a command line."""
    for group in groups:
        for name, values in given_options(group).items():
            yield from (word for value in values for word in (name, value)) if values else [name]
