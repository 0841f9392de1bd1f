"""The page of the commands, from the parser of the command line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

import typer

from docs.site.reference.markdown import block, bullet, bullets, code, link, page, prose, sentence
from handread.cli import app
from handread.cli.help import (
    command_panels,
    continued,
    flags,
    meaning,
    panels,
    paragraphs,
    placeholder,
    usage_words,
)
from handread.cli.program import LOG, first_command

# The classes of commands are click's or typer's own: that depends on the version of typer.
Command = Any
Parameter = Any

HELP = "`-h, --help`: Show this text and exit. Every command has it."

LINE = 88
"""Most characters in a line of an example."""


class NamedCommand(NamedTuple):
    """A command with the words that call it, such as ``("policy", "show")``."""

    words: tuple[str, ...]
    command: Command

    @property
    def title(self) -> str:
        """The command as it is typed."""
        return " ".join(("handread", *self.words))

    @property
    def below(self) -> list[tuple[str, list[NamedCommand]]]:
        """Its subcommands by panel."""
        if not hasattr(self.command, "commands"):
            return []
        return [
            (panel, [NamedCommand((*self.words, str(one.name)), one) for one in listed])
            for panel, listed in command_panels(self.command).items()
        ]

    def walk(self) -> Iterator[NamedCommand]:
        """Yield the command, then its subcommands, in the order of the help."""
        yield self
        for _, listed in self.below:
            for one in listed:
                yield from one.walk()


@cache
def all_commands() -> tuple[NamedCommand, ...]:
    """Return the program, its commands and their subcommands, in the order of the help."""
    return tuple(NamedCommand((), typer.main.get_command(app)).walk())


def commands_page() -> str:
    """Return the page of the commands."""
    return page("commands.md", sections=_sections(all_commands()[0]))


def _sections(program: NamedCommand) -> Iterator[str]:
    for panel, listed in program.below:
        yield from _contents(panel, listed)
    yield from _command(program)
    yield from _command(NamedCommand((LOG,), first_command()))
    for panel, listed in program.below:
        yield f"## {panel}"
        for one in listed:
            for each in one.walk():
                yield from _command(each)


def _contents(panel: str, commands: list[NamedCommand]) -> Iterator[str]:
    """Yield the commands of a panel, with links to their sections."""
    yield f"**{panel}**"
    yield bullets(
        f"{link(one.title, shown=code(one.words[-1]))}: {_linked(paragraphs(one.command)[0])}"
        for one in commands
    )


def _command(one: NamedCommand) -> Iterator[str]:
    """Yield the parts of the section of a command."""
    yield f"{'#' * (2 + len(one.words))} {one.title}"
    for text in paragraphs(one.command):
        yield prose(_linked(text))
    if one.words:
        yield block(" ".join([one.title, *one.command.collect_usage_pieces(None)]))
    else:
        yield block(f"handread {LOG}\n" + " ".join(["handread", *usage_words(one.command)]))
    for panel, listed in one.below if one.words else ():
        yield from _contents(panel, listed)
    for panel, found in panels([*one.command.params, *one.command.settings]).items():
        items = [_parameter(each) for each in found]
        yield f"**{panel}**"
        yield "\n".join([*items, bullet(HELP)] if not one.words else items)
    examples = one.command.examples
    if examples:
        yield f"**{'Example' if len(examples) == 1 else 'Examples'}**"
        lines = (f"# {what}\n{continued(line, LINE)}" for what, line in examples)
        yield block("\n".join(lines), "sh")


def _parameter(parameter: Parameter) -> str:
    """Return the item of an argument or option."""
    names = " ".join(filter(None, (flags(parameter), placeholder(parameter))))
    return bullet(f"{code(names)}: {_linked(sentence(meaning(parameter)))}")


_OPTION = re.compile(r"(?<![\w`-])(--[a-z][a-z-]*)")
_COMMAND = re.compile(
    r"(?<![\w`-])handread (?:(?:policy|experiment) )?[a-z][a-z-]*\b(?! [-A-Z>\w]*[-A-Z>])"
)


def _linked(text: str) -> str:
    """Return a text with its options as code, and its commands as links to their sections."""
    titles = {one.title for one in all_commands()}

    def shown(found: re.Match[str]) -> str:
        name = found[0]
        return link(name, shown=code(name)) if name in titles else name

    parts = text.replace("handread COMMAND --help", "`handread COMMAND --help`").split("`")
    parts[::2] = [_OPTION.sub(r"`\1`", _COMMAND.sub(shown, part)) for part in parts[::2]]
    return "`".join(parts)
