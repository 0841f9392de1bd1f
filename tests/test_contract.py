"""Who may import what: modules stand in one order, heavy libraries in one place."""

from __future__ import annotations

import ast
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

import handread

PACKAGE = Path(handread.__file__).parent

ORDER = (
    "version",
    "kernels",
    "bits",
    "spelling",
    "settings",
    "parallel",
    "cluster",
    "runs",
    "cards",
    "game.rules",
    "history",
    "game",
    "formats",
    "odds",
    "policy",
    "inference",
    "readers",
    "continuation",
    "simulate",
    "decisions",
    "study",
    "tables",
    "report",
    "analysis",
    "api",
    "addresses",
    "progress",
    "rejects",
    "aliases",
    "session",
    "session_analyzer",
    "cli",
    "__init__",
    "__main__",
)
"""Each module imports from those before it only; inside a package the order is free."""

DATA_PACKAGES = {"policies"}

AT_HOME = {
    "numba": ("kernels",),
    "llvmlite": ("kernels",),
    "pyparsing": ("formats",),
    "matplotlib": ("report.figures",),
    "polars": (
        "analysis",
        "api",
        "formats.parquet",
        "formats.parquet_rows",
        "inference.frames",
        "study.statistics",
        "tables",
    ),
    "scipy": ("study",),
    "distributed": ("cluster",),
}
"""The places that may import each of these."""


def modules() -> dict[str, ast.Module]:
    """The syntax tree of every module, by its dotted name inside the package."""
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        name = ".".join(path.relative_to(PACKAGE).with_suffix("").parts)
        if name.partition(".")[0] not in DATA_PACKAGES:
            found[name] = ast.parse(path.read_text(encoding="utf-8"), str(path))
    return found


MODULES = modules()


def imported(tree: ast.Module) -> Iterator[str]:
    """The dotted names that a module imports, those for type checking too."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            assert node.module is not None
            if node.module == "handread":
                yield from (f"handread.{alias.name}" for alias in node.names)
            else:
                yield node.module


def top(name: str) -> str:
    return name.partition(".")[0]


def place(name: str) -> int:
    """The index in ORDER of a module: its own entry, or that of its package."""
    return ORDER.index(name if name in ORDER else top(name))


def test_every_module_has_its_place() -> None:
    assert {top(name) for name in MODULES} <= set(ORDER)


@pytest.mark.parametrize("name", MODULES)
def test_modules_import_only_from_above(name: str) -> None:
    own = {path.stem for path in PACKAGE.glob("*")}
    for target in imported(MODULES[name]):
        package, _, rest = target.partition(".")
        if package == "handread" and top(rest) in own:
            module = rest if rest in MODULES else rest.rpartition(".")[0] or rest
            allowed = top(rest) == top(name) or place(module) < place(name)
            assert allowed, f"{name} imports {rest}, which stands below it"


@pytest.mark.parametrize("library", AT_HOME)
def test_heavy_libraries_stay_at_home(library: str) -> None:
    guests = {
        name
        for name, tree in MODULES.items()
        if library in {top(target) for target in imported(tree)}
    }
    homes = AT_HOME[library]
    assert all(any(f"{name}.".startswith(f"{home}.") for home in homes) for name in guests)


def test_the_arithmetic_of_bits_knows_no_poker() -> None:
    assert not [name for name in imported(MODULES["bits"]) if top(name) == "handread"]


@pytest.mark.parametrize("module", ["handread", "handread.cli", "handread.formats.text"])
def test_importing_is_light(module: str) -> None:
    heavy = "{'numba', 'llvmlite', 'matplotlib', 'polars'}"
    code = f"import sys, {module}; print(sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_every_package_is_installed() -> None:
    settings = tomllib.loads((PACKAGE.parent / "pyproject.toml").read_text(encoding="utf-8"))
    folders = {path.parent.relative_to(PACKAGE.parent) for path in PACKAGE.rglob("__init__.py")}
    packages = {".".join(folder.parts) for folder in folders}
    assert packages <= set(settings["tool"]["setuptools"]["packages"])
