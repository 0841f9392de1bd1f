"""The papers stand in a wing of their own: the package finds them by name."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import typer
import typer.main

import handread
from handread.cli import experiment
from handread.registry import FAULTS, Commands, commands_of, papers, picture

PACKAGE = Path(handread.__file__).parent
WING = "handread.papers"
HEAVY = ("numpy", "numba", "polars", "scipy", "matplotlib", "typer")


def test_every_folder_is_a_paper_with_a_door() -> None:
    folders = {path.parent.name for path in (PACKAGE / "papers").glob("*/__init__.py")}
    assert set(papers()) == folders
    assert list(papers()) == list(import_module(WING).PAPERS)


def test_doors_are_light() -> None:
    code = (
        "import sys; from handread.registry import papers, players, readers\n"
        "papers(), players(), readers()\n"
        f"own = [m for m in sys.modules if m.startswith('{WING}.') and m.count('.') > 2]\n"
        f"print(own, sorted(set({HEAVY}) & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[] []\n"


@pytest.mark.parametrize("name", papers())
def test_what_a_door_names_is_there(name: str) -> None:
    paper = papers()[name]
    for entry in (*paper.readers.values(), *paper.players.values()):
        assert hasattr(import_module(entry.module), entry.function)
        assert entry.title
    assert all(callable(picture(one)) for one in paper.pictures)
    assert all(callable(one) for few in paper.commands for one in few.load())


def test_a_mistake_in_a_paper_costs_its_commands_alone(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    load = Commands.load

    def misspelt(few: Commands) -> list[Callable[..., Any]]:
        if ".tournament." in few.module:
            raise NameError("no 'nmae'")
        return load(few)

    monkeypatch.setattr(Commands, "load", misspelt)
    group = typer.main.get_group(experiment.app)
    group.name = "experiment"
    assert "tournament" not in group.commands
    assert "information-gain" in group.commands
    told = capsys.readouterr().err
    assert "handread.papers.tournament.commands cannot be used: NameError: no 'nmae' (" in told
    FAULTS.clear()


def test_a_door_that_does_not_open_costs_its_paper_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("handread.papers.PAPERS", ("saund", "nowhere", "loki"))
    assert list(papers.__wrapped__()) == ["saund", "loki"]
    assert FAULTS.pop(f"{WING}.nowhere").startswith("ModuleNotFoundError: No module named ")


def test_commands_are_added_to_groups_that_are_open() -> None:
    groups = {few.group for one in papers().values() for few in one.commands}
    assert groups == {"experiment", "policy"}
    assert all(commands_of(group) for group in groups)
