"""The help of every command: its panels, its examples, and lines that fit the terminal."""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import typer
from rich.cells import cell_len

from handread.cli import app
from handread.cli.help import PANELS, continued, flags, meaning, panels, paragraphs, placeholder
from handread.cli.rare import values
from tests.cli.test_terminal import terminal
from tests.program import ROOT, SAMPLES, run, run_here

QUICK = (
    "analyze|sample_histories|check|convert|formats|policy (list|export|show people)|query"
    "|simulate 3|summary|decisions .* --top 3|evaluate sample"
    "|experiment (bpp --games|entropies --games 1|loki-tables income)"
)
"""Examples that are run, by how they begin; all are parsed."""


def walk(command: Any, *words: str) -> Iterator[tuple[tuple[str, ...], Any]]:
    """The commands below a command, and itself, with their words."""
    yield words, command
    for name, below in getattr(command, "commands", {}).items():
        yield from walk(below, *words, name)


COMMANDS = dict(walk(typer.main.get_command(app)))
EXAMPLES = {line: words for words, command in COMMANDS.items() for _, line in command.examples}


@cache
def shown(words: tuple[str, ...], columns: int = 80) -> str:
    """The help of a command in a pipe, where COLUMNS sets the width."""
    done = run(*words, "--help", COLUMNS=str(columns))
    assert done.returncode == 0
    return done.stdout


def parameters(command: Any) -> list[Any]:
    """What a command takes: arguments, options and settings."""
    return [*command.params, *command.settings]


def in_words(text: str) -> str:
    """A text without the frames of its panels and the breaks of its lines."""
    return " ".join(re.sub("[│╭╮╰╯─]", " ", text).split())


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_the_help_says_everything_at_any_width(words: tuple[str, ...]) -> None:
    command = COMMANDS[words]
    for columns in (60, 80, 120):
        text = shown(words, columns)
        assert max(map(cell_len, text.splitlines())) <= columns
        assert "\x1b" not in text
        told = in_words(text.partition("Examples:")[0])
        for paragraph in paragraphs(command):
            assert paragraph in told
        for parameter in parameters(command):
            left = " ".join(filter(None, (flags(parameter), placeholder(parameter))))
            assert f"{left} {in_words(meaning(parameter))}" in told
        for below in getattr(command, "commands", {}).values():
            assert f"{below.name} {paragraphs(below)[0].rstrip('.')}" in told


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_paragraphs_of_help_break_at_the_width_only(words: tuple[str, ...]) -> None:
    prose = shown(words, 100).partition("╭")[0]
    broken = [part.strip().splitlines() for part in prose.split("\n\n")]
    assert all(len(line) > 80 for part in broken for line in part[:-1])


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_values_are_named_in_the_words_of_the_field(words: tuple[str, ...]) -> None:
    for parameter in parameters(COMMANDS[words]):
        assert meaning(parameter).rstrip().endswith((".", ")")), parameter.name
        if not getattr(parameter, "is_flag", False):
            assert parameter.metavar, parameter.name
    noise = r"<\w+>|INTEGER|FLOAT|TEXT|\bPATH\b(?!\.\.\.)|RANGE|\[default|\[required|<=|>="
    assert not re.search(noise, shown(words))


def test_names_that_are_listed_in_a_help_are_all_that_there_are() -> None:
    from handread.cli.tables import Picture
    from handread.papers.bpp.play import bettings
    from handread.registry import readers

    def told(name: str, *words: str) -> str:
        return next(meaning(one) for one in parameters(COMMANDS[words]) if one.name == name)

    assert all(picture.value in told("plot", "summary") for picture in Picture)
    assert all(f" {name}" in told("reader", "analyze") for name in readers())
    curves = next(one for one in COMMANDS["experiment", "bpp"].settings if one.name == "curves")
    assert curves.choices == list(bettings())


def test_an_option_is_in_the_same_panel_in_every_command() -> None:
    places = defaultdict(set)
    for command in COMMANDS.values():
        for panel, listed in panels(parameters(command)).items():
            for one in listed:
                places[flags(one), meaning(one).partition(" Default:")[0]].add(panel)
    assert all(len(found) == 1 for found in places.values())
    assert {panel for found in places.values() for panel in found} == set(PANELS)


def parse(line: str) -> None:
    """Let the parser take the words of a command, as far as the command would be run."""
    name, *words = shlex.split(re.sub(r" > \S+$", "", line))
    assert name == "handread"
    command = COMMANDS[()]
    context = command.make_context(name, words)
    while hasattr(command, "commands"):
        name, command, words = command.resolve_command(
            context, [*context._protected_args, *context.args]
        )
        context = command.make_context(name, words, parent=context)
    values(command.settings, context.params.get("set_") or ())


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_every_command_has_two_examples_that_can_be_typed(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sample_histories").symlink_to(SAMPLES)
    examples = COMMANDS[words].examples
    assert len(examples) == 2
    for what, line in examples:
        assert 0 < len(what) <= 75
        assert line.startswith(" ".join(("handread", *words)))
        for file in re.findall(r"sample_histories\S*", line):
            assert (ROOT / file.partition(":")[0]).exists()
        if line.endswith(" --help"):
            assert tuple(line.split()[1:-1]) in COMMANDS
        else:
            parse(line)
    for columns in (60, 80, 120):
        block = shown(words, columns).partition("Examples:\n")[2]
        typed = [part.strip() for part in block.replace("\\\n", "").splitlines()]
        found = [shlex.split(part) for part in typed if part and not part.startswith("#")]
        assert found == [shlex.split(line) for _, line in examples]


def test_examples_are_whole_lines_at_80_columns() -> None:
    assert [line for line in EXAMPLES if continued(line, 78) != line] == []
    broken = continued("""handread a 'b c' --d e --f "g h" -i j""", 24)
    assert broken == """handread a 'b c' --d e \\\n     --f "g h" -i j"""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with the samples and with tables."""
    folder = tmp_path_factory.mktemp("examples")
    (folder / "sample_histories").symlink_to(SAMPLES)
    games = ("simulate", "6", "--seats", "3", "-o", "six.phhs")
    with contextlib.chdir(folder):
        for words in (games, ("score", "six.phhs", "-o", "tables")):
            assert run_here(*words).returncode == 0
        yield folder


@pytest.mark.thorough
@pytest.mark.parametrize("line", [x for x in EXAMPLES if re.match(f"handread ({QUICK})", x)])
def test_examples_run(line: str, place: Path) -> None:
    done = run_here(*shlex.split(re.sub(r" > \S+$", "", line))[1:])
    assert done.returncode == int("broken" in line), done.stderr


@pytest.mark.thorough
def test_a_terminal_gets_its_own_width_and_colours_unless_unwanted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    for name in ("COLUMNS", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    command = [sys.executable, "-m", "handread", "report", "--help"]
    found = []
    for unwanted in ("", "1"):
        monkeypatch.setenv("NO_COLOR", unwanted)
        with terminal(60) as (screen, written):
            subprocess.run(command, stdout=screen, check=True, cwd=ROOT, env=os.environ)
        found.append(b"".join(written).decode().replace("\r\n", "\n"))
    plain = [re.sub(r"\x1b\[[\d;]*m", "", text) for text in found]
    assert plain[0] == plain[1]
    assert max(map(cell_len, plain[0].splitlines())) == 60
    assert "\x1b[1;36m" in found[0]
    assert not re.search(r"\x1b\[[\d;]*3[0-7]", found[1])
