"""The help of the commands: their actions, options in panels, and examples.

The reference is made from the panels and examples of the commands as well.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterable, Mapping, MutableMapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import typer
import typer.main
from typer.core import TyperCommand, TyperGroup

from handread.cli.streams import write
from handread.registry import FAULTS, commands_of, noting_faults

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text
    from typer.core import TyperArgument, TyperOption

ARGUMENTS = "Arguments"
OPTIONS = "Options"
SETTINGS = "Settings"
OUTPUT = "Output"
TABLE = "The table"
POLICIES = "Policies and readers"
READING = "Reading the files"
RUNNING = "Running"

PANELS = (ARGUMENTS, OPTIONS, SETTINGS, OUTPUT, TABLE, POLICIES, READING, RUNNING)
"""The panels of arguments and options, in order; OPTIONS has those of a single command."""

NARROWEST, WIDEST = 40, 100
"""The least and greatest width of a help text, as longer lines are hard to read."""

Example = tuple[str, str]
"""What a command line does, in a few words, and the command line."""

_Function = TypeVar("_Function", bound=Callable[..., Any])


def examples(*shown: Example) -> Callable[[_Function], _Function]:
    """Return a decorator that adds examples to the function of a command."""

    def with_examples(function: _Function) -> _Function:
        vars(function)["examples"] = shown
        return function

    return with_examples


def add(app: typer.Typer, panel: str, *functions: Callable[..., Any]) -> None:
    """Add functions to an app as commands of a panel, named after them."""
    for function in functions:
        name = function.__name__.strip("_").replace("_", "-")
        app.command(name, cls=Command, rich_help_panel=panel)(function)


class ShownSetting:
    """A setting of the option ``--set`` as the help shows it."""

    name: str
    help: str
    metavar: str
    default: Any
    param_type_name = "setting"
    rich_help_panel = SETTINGS
    required = False
    opts: Sequence[str] = ()
    secondary_opts: Sequence[str] = ()


Parameter: TypeAlias = "TyperArgument | TyperOption | ShownSetting"


class _WithHelp:
    """The help that commands and groups of commands have in common."""

    callback: Callable[..., Any] | None
    help: str | None
    name: str | None
    params: list[Any]
    rich_help_panel: str | None

    # What typer calls has types of click or typer's own, which depends on typer's version.
    def get_params(self, ctx: Any) -> list[Any]:
        params: list[Any] = super().get_params(ctx)  # type: ignore[misc]
        for param in params:
            vars(param).setdefault("process_value", partial(_processed, param, param.process_value))
        return params

    @property
    def examples(self) -> tuple[Example, ...]:
        return getattr(self.callback, "examples", ())

    @property
    def settings(self) -> Sequence[ShownSetting]:
        """The settings of its option ``--set``, shown in the help like options."""
        return getattr(self.callback, "settings", ())

    def collect_usage_pieces(self, _ctx: Any) -> list[str]:
        return usage_words(self)

    def format_help(self, ctx: Any, _formatter: Any) -> None:
        _print_help(self, ctx)


def _processed(
    option: TyperArgument | TyperOption, process: Callable[..., Any], ctx: Any, value: Any
) -> Any:
    """Return the value of an option or argument; leave texts and missing values unchanged."""
    # For all others typer imports pydantic and builds a validator each: .1 s of every start.
    kind = getattr(getattr(option, "type_descriptor", None), "annotation", None)
    if kind == list[str] and value:
        value = list(value)
    elif option.required or ctx.get_parameter_source(option.name).name != "DEFAULT":
        return process(ctx, value)
    return value if option.callback is None else option.callback(ctx, option, value)


class Command(_WithHelp, TyperCommand):
    """A command with examples."""


class Group(_WithHelp, TyperGroup):
    """A group of commands with examples."""


class OpenGroup(Group):
    """A group of commands from papers, imported on the first request for any of them."""

    _by_name: MutableMapping[str, Any]
    _complete: bool

    @property
    def commands(self) -> MutableMapping[str, Any]:
        """The commands by name, grouped by panel."""
        if not self._complete:
            self._complete = True
            for of_paper in commands_of(self.name or ""):
                added = typer.Typer()
                with noting_faults(of_paper.module):
                    add(added, of_paper.panel, *of_paper.load())
                    self._by_name.update(typer.main.get_group(added).commands)
            for name, fault in FAULTS.items():
                typer.echo(f"handread: {name} cannot be used: {fault}", err=True)
            by_panel = command_panels(self).values()
            self._by_name = {str(each.name): each for listed in by_panel for each in listed}
        return self._by_name

    @commands.setter
    def commands(self, by_name: MutableMapping[str, Any]) -> None:
        self._by_name, self._complete = by_name, False


def paragraphs(command: _WithHelp) -> list[str]:
    """Return the paragraphs of the description of a command, each in one line."""
    return [" ".join(text.split()) for text in (command.help or "").split("\n\n")]


def usage_words(command: _WithHelp) -> list[str]:
    """Return the words of a command's usage: its arguments and required options."""
    options = [param for param in command.params if param.param_type_name == "option"]
    arguments = [param for param in command.params if param.param_type_name == "argument"]
    required = (f"{param.opts[0]} {param.metavar}" for param in options if param.required)
    words = ["[OPTIONS]", *required]
    words += [param.metavar or param.name.upper() for param in arguments]
    return [*words, *(["COMMAND ..."] if isinstance(command, Group) else [])]


def command_panels(group: Group) -> dict[str, list[_WithHelp]]:
    """Return the commands of a group by panel, in order."""
    by_panel: dict[str, list[_WithHelp]] = {}
    for command in group.commands.values():
        assert isinstance(command, _WithHelp)
        by_panel.setdefault(str(command.rich_help_panel), []).append(command)
    return by_panel


def panels(parameters: Iterable[Parameter]) -> dict[str, list[Parameter]]:
    """Return arguments, options and settings by panel, in the order of ``PANELS``."""
    by_panel: dict[str, list[Parameter]] = {name: [] for name in PANELS}
    for parameter in parameters:
        usual = ARGUMENTS if parameter.param_type_name == "argument" else OPTIONS
        by_panel[getattr(parameter, "rich_help_panel", None) or usual].append(parameter)
    return {name: listed for name, listed in by_panel.items() if listed}


def flags(parameter: Parameter) -> str:
    """Return the names of an option as they are typed, such as ``-o, --output``."""
    if parameter.param_type_name != "option":
        return ""
    names = sorted(parameter.opts, key=lambda name: name.startswith("--"))
    return ", ".join([*names, *parameter.secondary_opts])


def placeholder(parameter: Parameter) -> str:
    """Return the placeholder for the value of an argument or option; empty for a flag."""
    if getattr(parameter, "is_flag", False):
        return ""
    name = parameter.metavar or str(parameter.name).upper()
    return name.strip("[]") if name.startswith("[") else name


def meaning(parameter: Parameter) -> str:
    """Return the help of an argument or option, with its range and its default."""
    text, mark, default = (parameter.help or "").partition(" Default: ")
    kind = getattr(parameter, "type", parameter)  # in older versions of typer it has the range
    low, high = getattr(kind, "min", None), getattr(kind, "max", None)
    if high is not None:
        text = f"{text.removesuffix('.')} ({low:.10g} to {high:.10g})."
    elif low is not None and low > 1:
        text = f"{text.removesuffix('.')} (at least {low:.10g})."
    if parameter.required and flags(parameter):
        text += " Required."
    return text + (f"{mark}{default}" if mark else _default(parameter))


def _default(parameter: Parameter) -> str:
    """Return a sentence that states the default of an argument or option; empty without one."""
    default = getattr(parameter.default, "value", parameter.default)
    if parameter.secondary_opts:
        default = (parameter.opts if default else parameter.secondary_opts)[0]
    if isinstance(default, float):
        default = f"{default:g}"
    stated = isinstance(default, (int, str)) and not isinstance(default, bool)
    return f" Default: {default}." if stated else ""


def _print_help(command: _WithHelp, ctx: typer.Context) -> None:
    """Print usage, description, commands, options and examples, as wide as the terminal allows."""
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False, emoji=False, markup=False)
    console.width = width = min(max(console.width, NARROWEST), WIDEST)
    groups = command_panels(command) if isinstance(command, Group) else {}
    commands = {
        panel: [(Text(str(c.name), "bold cyan"), paragraphs(c)[0].rstrip(".")) for c in listed]
        for panel, listed in groups.items()
    }
    declared = panels([*command.get_params(ctx), *command.settings]).items()
    options = {panel: [(_label(p), meaning(p)) for p in listed] for panel, listed in declared}
    usage = " ".join([ctx.command_path, *command.collect_usage_pieces(ctx)])
    with console.capture() as text:
        console.print(_wrapped(f"Usage: {usage}", width, " " * 7), style="bold")
        for paragraph in paragraphs(command):
            console.print("\n" + _wrapped(paragraph, width))
        console.print()
        _print_panels(console, commands)
        _print_panels(console, options)
        if command.examples:
            console.print("Examples:", style="bold")
        for purpose, line in command.examples:
            console.print(_wrapped(f"  # {purpose}", width, "  # "), style="dim")
            console.print(f"  {continued(line, width - 2)}", soft_wrap=True)
    write(text.get())


def _print_panels(console: Console, rows_of: Mapping[str, list[tuple[Text, str]]]) -> None:
    """Print panels with rows of two columns, aligned from panel to panel."""
    from rich.panel import Panel
    from rich.text import Text

    width = console.width - 4  # within the frame
    widest = max((label.cell_len for rows in rows_of.values() for label, _ in rows), default=0)
    column = min(widest, width // 3) + 2
    for name, rows in rows_of.items():
        body = Text("\n").join(_row(label, words, column, width) for label, words in rows)
        console.print(Panel(body, title=name, title_align="left", border_style="dim"))


def _label(parameter: Parameter) -> Text:
    from rich.text import Text

    parts = [(flags(parameter), "bold cyan"), (placeholder(parameter), "yellow")]
    return Text(" ").join(Text(text, style) for text, style in parts if text)


def _row(label: Text, words: str, column: int, width: int) -> Text:
    """Return a row of a panel: the words begin at a column, on a new line after a long label."""
    below = "\n" + " " * column
    gap = below if label.cell_len > column - 2 else " " * (column - label.cell_len)
    return label.copy().append(gap).append(_wrapped(words, width - column).replace("\n", below))


def _wrapped(text: str, width: int, hang: str = "") -> str:
    """Return a paragraph broken into lines between words; all but the first begin with ``hang``."""
    return textwrap.fill(
        text, width, subsequent_indent=hang, break_long_words=False, break_on_hyphens=False
    )


def continued(command: str, width: int) -> str:
    """Return a command line broken for a shell: all lines but the last end in a backslash.

    Quoted text stays whole, and so does an option with its value.
    """
    parts = re.findall(r"""(?:-[\w-]+ (?!-))?(?:"[^"]*"|'[^']*'|[^\s"'])+""", command)
    lines = [parts[0]]
    for part in parts[1:]:
        end = "" if part is parts[-1] else " \\"
        if len(f"{lines[-1]} {part}{end}") > width:
            lines[-1] += " \\"
            lines.append(" " * 5 + part)
        else:
            lines[-1] += f" {part}"
    return "\n".join(lines)
