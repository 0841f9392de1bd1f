"""The page of the commands, from the parser of the command line."""

from __future__ import annotations

import inspect
import re
import types
import typing
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

import typer

from docs.site.reference.markdown import (
    block,
    bullet,
    bullets,
    code,
    link,
    page,
    prose,
    sentence,
)
from handread.cli import app

# The classes of commands are click's or typer's own: that depends on the version of typer.
Command = Any
Parameter = Any

COMMANDS, OPTIONS = "Commands", "Options"
"""The panels of commands and options without one."""

INTRODUCTION = """\
Each command with its arguments, options and defaults, as `handread COMMAND --help` shows them.
[Commands](../commands.md) says what holds for all of them: how files are named, where results and
messages go, and what the exit status means.
"""

HELP = "`-h`, `--help`: Show this text and exit. Every command has it."


class NamedCommand(NamedTuple):
    """A command with the words that call it, such as ``("policy", "show")``."""

    words: tuple[str, ...]
    command: Command

    @property
    def title(self) -> str:
        """The command as it is typed."""
        return " ".join(("handread", *self.words))


@cache
def all_commands() -> tuple[NamedCommand, ...]:
    """Return the program, its commands and their subcommands, in the order of the help."""

    def walk(command: Command, words: tuple[str, ...]) -> Iterator[NamedCommand]:
        yield NamedCommand(words, command)
        for name, below in getattr(command, "commands", {}).items():
            if not below.hidden:
                yield from walk(below, (*words, name))

    return tuple(walk(typer.main.get_command(app), ()))


def parameters(command: Command) -> tuple[Parameter, ...]:
    """Return the arguments and options of a command, without ``--help`` and hidden ones."""
    return tuple(
        one for one in command.params if one.name != "help" and not getattr(one, "hidden", False)
    )


def is_argument(parameter: Parameter) -> bool:
    """Return True for an argument, False for an option."""
    return bool(parameter.param_type_name == "argument")


def commands_page() -> str:
    """Return the page of the commands."""
    program, *commands = all_commands()
    top = [one for one in commands if len(one.words) == 1]
    return page(
        "Command reference",
        INTRODUCTION,
        _contents(top),
        *_command(program),
        *(part for panel in _panels(top) for part in _panel(*panel, commands)),
    )


def _panels(commands: Sequence[NamedCommand]) -> list[tuple[str, list[NamedCommand]]]:
    """Return the panels of the help with their commands."""
    panels: dict[str, list[NamedCommand]] = {}
    for one in commands:
        panels.setdefault(_panel_of(one.command, COMMANDS), []).append(one)
    return list(panels.items())


def _panel_of(owner: Any, default: str) -> str:
    found = getattr(owner, "rich_help_panel", None)
    return found if isinstance(found, str) and found else default


def _contents(top: Sequence[NamedCommand]) -> str:
    lines = []
    for panel, commands in _panels(top):
        lines.append(f"**{panel}**")
        lines.append(
            bullets(
                f"{link(one.title, shown=code(one.words[0]))}: {_summary(one.command)}"
                for one in commands
            )
        )
    return "\n\n".join(lines)


def _paragraphs(command: Command) -> list[str]:
    return [" ".join(text.split()) for text in inspect.cleandoc(command.help or "").split("\n\n")]


def _summary(command: Command) -> str:
    return sentence(_paragraphs(command)[0])


def _panel(
    title: str, top: Sequence[NamedCommand], commands: Sequence[NamedCommand]
) -> Iterator[str]:
    """Yield the section of a panel: its commands, each followed by its subcommands."""
    yield f"## {title}"
    for one in top:
        yield from _command(one)
        for below in commands:
            if len(below.words) > 1 and below.words[: len(one.words)] == one.words:
                yield from _command(below)


def _command(one: NamedCommand) -> Iterator[str]:
    """Yield the parts of the section of a command."""
    command = one.command
    yield f"{'#' * max(2, 2 + len(one.words))} {one.title}"
    first, *others = _paragraphs(command)
    yield prose(_linked(sentence(first)))
    yield from (prose(_linked(text)) for text in others)
    yield block(_usage(one))
    below = getattr(command, "commands", {})
    if below and one.words:
        yield bullets(
            f"{link(f'{one.title} {name}', shown=code(name))}: {_summary(each)}"
            for name, each in below.items()
            if not each.hidden
        )
    hints = _annotations(command)
    found = parameters(command)
    arguments = [each for each in found if is_argument(each)]
    if arguments:
        yield "**Arguments**"
        yield "\n".join(_parameter(each, hints) for each in arguments)
    options = sorted(
        (each for each in found if not is_argument(each)),
        key=lambda each: _option_panels(found).index(_panel_of(each, OPTIONS)),
    )
    for panel, group in groupby(options, lambda each: _panel_of(each, OPTIONS)):
        yield f"**{panel}**"
        items = [_parameter(each, hints) for each in group]
        yield "\n".join([*items, bullet(HELP)] if not one.words else items)
    examples = list(_examples(command))
    if examples:
        yield "**Examples**"
        yield block("\n".join(examples), "sh")


def _option_panels(found: Sequence[Parameter]) -> list[str]:
    """Return the panels of the options in the order in which they first occur."""
    return list(dict.fromkeys(_panel_of(each, OPTIONS) for each in found if not is_argument(each)))


def _examples(command: Command) -> Iterator[str]:
    """Yield the examples of a command, as lines of a shell."""
    for example in getattr(command, "examples", None) or ():
        yield example if isinstance(example, str) else f"{example[0]}  # {example[1]}"


def _usage(one: NamedCommand) -> str:
    """Return the line that shows how a command is called."""
    words = [one.title]
    found = parameters(one.command)
    if any(not is_argument(each) and not each.required for each in found):
        words.append("[OPTIONS]")
    words += [
        f"{each.opts[0]} {each.metavar or each.name.upper()}"
        for each in found
        if not is_argument(each) and each.required
    ]
    words += [_argument_name(each) for each in found if is_argument(each)]
    if getattr(one.command, "commands", None):
        words.append("COMMAND")
    return " ".join(words)


def _argument_name(argument: Parameter) -> str:
    name = str(argument.metavar or argument.name.upper())
    return name if argument.required or name.startswith("[") else f"[{name}]"


def _annotations(command: Command) -> Mapping[str, Any]:
    """Return the annotations of the function of a command, with typer's information."""
    function = inspect.unwrap(command.callback) if command.callback is not None else None
    return {} if function is None else typing.get_type_hints(function, include_extras=True)


def _parameter(parameter: Parameter, hints: Mapping[str, Any]) -> str:
    """Return the item of an argument or option."""
    annotated = hints.get(parameter.name)
    info = next((one for one in getattr(annotated, "__metadata__", ())), None)
    kind = _plain(typing.get_args(annotated)[0]) if info is not None else str
    if is_argument(parameter):
        names = code(_argument_name(parameter))
    else:
        names = _option_names(parameter, kind)
    words = [_linked(sentence(parameter.help or "")), *_facts(parameter, kind, info)]
    return bullet(f"{names}: {' '.join(words)}")


_OPTION = re.compile(r"(?<![\w`-])(--[a-z][a-z-]*)")
_COMMAND = re.compile(r"(?<![\w`-])handread (?:(?:policy|experiment) )?[a-z][a-z-]*\b(?! [-A-Z])")


def _linked(text: str) -> str:
    """Return a text with its options as code, and its commands as links to their sections."""
    titles = {one.title for one in all_commands()}

    def shown(found: re.Match[str]) -> str:
        name = found[0]
        return link(name, shown=code(name)) if name in titles else name

    return _OPTION.sub(r"`\1`", _COMMAND.sub(shown, text))


def _plain(annotation: Any) -> Any:
    """Return the type of one value: without None, of a list that of its items."""
    if isinstance(annotation, types.UnionType) or typing.get_origin(annotation) is typing.Union:
        (annotation,) = (one for one in typing.get_args(annotation) if one is not type(None))
    if typing.get_origin(annotation) in (list, tuple):
        return typing.get_args(annotation)[0]
    return annotation


METAVARS: Mapping[Any, str] = {int: "N", float: "X", str: "TEXT", Path: "FILE"}
"""What stands for the value of an option that has no name for it, by type."""


def _option_names(option: Parameter, kind: Any) -> str:
    """Return the names of an option with its value, as code."""
    if option.is_flag:
        value = ""
    elif _choices(kind):
        value = " " + "|".join(_choices(kind))
    else:
        value = " " + (option.metavar or METAVARS[kind])
    names = [*option.opts, *option.secondary_opts]
    short_first = sorted(names, key=lambda name: name.startswith("--"))
    return ", ".join(code(f"{name}{value}") for name in short_first)


def _choices(kind: Any) -> list[str]:
    if isinstance(kind, type) and issubclass(kind, Enum):
        return [str(one.value) for one in kind]
    return []


def _facts(parameter: Parameter, kind: Any, info: Any) -> Iterator[str]:
    """Yield sentences about the choices, range, default and repetition of a parameter."""
    if is_argument(parameter) and _choices(kind):
        yield f"One of {', '.join(map(code, _choices(kind)))}."
    low, high = getattr(info, "min", None), getattr(info, "max", None)
    if low is not None and high is not None:
        yield f"Range: {_number(low)} to {_number(high)}."
    elif low is not None:
        yield f"At least {_number(low)}."
    elif high is not None:
        yield f"At most {_number(high)}."
    told = (parameter.help or "").lower()
    default = _default(parameter)
    if default and "default:" not in told:
        yield f"Default: {code(default)}."
    if getattr(parameter, "multiple", False) and "repeated" not in told:
        yield "May be repeated."
    if parameter.required and not is_argument(parameter):
        yield "Required."


def _number(value: float) -> str:
    return f"{value:,.10g}"


def _default(parameter: Parameter) -> str:
    """Return the default of a parameter as it is typed; empty if it has none."""
    value = parameter.default
    if isinstance(value, Enum):
        value = value.value
    if value is True and parameter.secondary_opts:
        return str(parameter.opts[0])
    if value is None or isinstance(value, bool) or value in ("", [], ()) or callable(value):
        return ""
    return ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
