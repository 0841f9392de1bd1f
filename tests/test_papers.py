"""The papers stand in a wing of their own: the package finds them by name."""

from __future__ import annotations

import csv
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import typer
import typer.main

import handread
from handread.cli import experiment
from handread.registry import FAULTS, Commands, commands_of, papers, picture
from tests.program import ROOT, whole_process

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


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of installed packages, which begins empty."""
    monkeypatch.syspath_prepend(tmp_path)
    before = set(sys.modules)
    yield tmp_path
    FAULTS.clear()
    for name in set(sys.modules) - before:
        if str(getattr(sys.modules[name], "__file__", "")).startswith(str(tmp_path)):
            del sys.modules[name]


def install(packages: Path, name: str, text: str) -> None:
    """Install a package of one module, with a paper of this name."""
    info = packages / f"{name}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", "utf-8")
    (info / "entry_points.txt").write_text(f"[{WING}]\n{name} = {name}_door:PAPER\n", "utf-8")
    (packages / f"{name}_door.py").write_text(text, "utf-8")


DOOR = """
from handread.registry import Commands, Paper, PaperEntry

def coin():
    "Toss a coin."
    print("heads")

PAPER = Paper(
    readers={%r: PaperEntry("handread.named_readers", "load_reader", "a reader of another name")},
    commands=(Commands("experiment", "Coins", __name__, ("coin",)),),
)
"""


def test_an_installed_package_adds_a_paper(packages: Path) -> None:
    install(packages, "coins", DOOR % "coins")
    found = papers.__wrapped__()
    assert list(found) == [*import_module(WING).PAPERS, "coins"]
    assert found["coins"].readers["coins"].title == "a reader of another name"
    assert not FAULTS
    (listed,) = found["coins"].commands
    assert [one.__doc__ for one in listed.load()] == ["Toss a coin."]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("import nowhere\n", "ModuleNotFoundError: No module named 'nowhere' ("),
        ("raise SystemExit(3)\n", "SystemExit: 3 ("),
        ("PAPER = 3\n", "TypeError: expected a handread.registry.Paper, not int"),
        ("PAPERS = 3\n", "AttributeError: module 'wrong_door' has no attribute 'PAPER'"),
        (DOOR % "loki", "ValueError: 'loki' is a name of the paper loki"),
        (DOOR % "own", "ValueError: 'experiment coin' is a name of the paper coins"),
    ],
)
def test_a_broken_package_is_named_and_left_out(packages: Path, text: str, told: str) -> None:
    install(packages, "coins", DOOR % "coins")
    install(packages, "wrong", text)
    assert list(papers.__wrapped__()) == [*import_module(WING).PAPERS, "coins"]
    ((name, fault),) = FAULTS.items()
    assert name == "the paper wrong (wrong_door:PAPER)"
    assert fault.startswith(told)


@pytest.mark.thorough
def test_the_help_lists_installed_papers_and_names_broken_ones(packages: Path) -> None:
    install(packages, "coins", DOOR % "coins")
    install(packages, "wrong", "1 / 0\n")
    done = whole_process("experiment", "--help", PYTHONPATH=f"{packages}{os.pathsep}{ROOT}")
    assert "Coins" in done.stdout
    assert "coin   " in done.stdout
    assert "information-gain" in done.stdout
    assert "the paper wrong (wrong_door:PAPER) cannot be used: ZeroDivisionError" in done.stderr
    assert "wrong_door.py, line 1)" in " ".join(done.stderr.split())
    assert (
        whole_process("experiment", "coin", PYTHONPATH=f"{packages}{os.pathsep}{ROOT}").stdout
        == "heads\n"
    )


@pytest.mark.dear("two processes play games by a paper that is made for it")
def test_the_paper_of_contributing_works_as_it_says(packages: Path, tmp_path: Path) -> None:
    section = (ROOT / "CONTRIBUTING.md").read_text("utf-8").partition("## Add a paper")[2]
    section = section.partition("\n## ")[0]
    names = re.findall(r"`bluffs/(\w+\.py)`", section)
    blocks = re.findall(r"```python\n(.*?)```", section, re.S)
    (packages / "bluffs").mkdir()
    for name, text in zip(names, blocks, strict=True):
        (packages / "bluffs" / name).write_text(text, "utf-8")
    (point,) = re.findall(r"bluffs = \"(\w+:\w+)\"", section)
    info = packages / "bluffs-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: bluffs\nVersion: 1.0\n", "utf-8")
    (info / "entry_points.txt").write_text(f"[{WING}]\nbluffs = {point}\n", "utf-8")
    path, table = f"{packages}{os.pathsep}{ROOT}", tmp_path / "bluffs.csv"
    done = whole_process(
        *("experiment", "bluffs", "--games", "4", "--seats", "2", "-o", str(table)), PYTHONPATH=path
    )
    assert re.fullmatch(r"\d+% of 4 games' bets are bluffs\n", done.stdout), done.stderr
    first, stated = csv.DictReader(table.open(encoding="utf-8"))
    assert first["figure"] == stated["figure"] == "bluffs_fraction"
    assert first["paper"] == stated["mean"] == "0.3"
    assert first["command"].startswith("handread experiment bluffs --games 4 --seats 2")
    assert first["policy"].startswith("table1-left (")
