"""The contract of the package: who may import what, and how large things may grow.

Budgets may be lowered, not raised: what brings something new makes its room first, or says why.
"""

from __future__ import annotations

import ast
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import handread

PACKAGE = Path(handread.__file__).parent

ORDER = (
    "version",
    "lazy",
    "kernels",
    "bits",
    "spelling",
    "settings",
    "parallel",
    "cluster",
    "runs",
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
    "registry",
    "own_reader",
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
    "papers",
    "__init__",
    "__main__",
)
"""Each module imports from those before it only, and from its own package without circles."""

LINES = {
    "": 4_600,
    "cli": 5_350,
    "decisions": 2_200,
    "formats": 10_750,
    "game": 2_950,
    "inference": 3_400,
    "kernels": 3_700,
    "odds": 1_650,
    "papers": 12_000,
    "policy": 2_900,
    "report": 11_300,
    "study": 6_700,
    "tables": 4_250,
}
"""The largest number of lines by package; "" is the modules that are in none."""

ALL_LINES = 70_500
LONGEST_FUNCTION = 120
LONGEST_MODULE = 640
IMPORTS_IN_FUNCTIONS = 170
"""Of handread; heavy libraries are imported late at their homes."""

DATA_PACKAGES = {"policies"}

AT_HOME = {
    "numba": ("kernels",),
    "llvmlite": ("kernels",),
    "pyparsing": ("formats",),
    "matplotlib": ("report.figures", "papers"),
    "polars": (
        "analysis",
        "api",
        "formats.parquet",
        "formats.parquet_rows",
        "inference.values",
        "papers",
        "study.statistics",
        "tables",
    ),
    "scipy": ("study", "papers"),
    "distributed": ("cluster",),
}
"""The places that may import each of these."""


@cache
def modules() -> dict[str, ast.Module]:
    """The syntax tree of every module, by its dotted name inside the package."""
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        name = ".".join(path.relative_to(PACKAGE).with_suffix("").parts)
        if name.partition(".")[0] not in DATA_PACKAGES:
            found[name] = ast.parse(path.read_text(encoding="utf-8"), str(path))
    return found


def imported(tree: ast.AST) -> Iterator[str]:
    """The dotted names that a module imports anywhere, those for type checking too."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            assert node.module is not None
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def own_imports(tree: ast.AST) -> Iterator[str]:
    """The modules of the package that are imported, by their names inside it."""
    for target in imported(tree):
        package, _, rest = target.partition(".")
        if package != "handread":
            continue
        while rest and rest not in modules() and f"{rest}.__init__" not in modules():
            rest = rest.rpartition(".")[0]
        if not rest:
            yield "__init__"
        else:
            yield rest if rest in modules() else f"{rest}.__init__"


def top(name: str) -> str:
    return name.partition(".")[0]


def place(name: str) -> int:
    """The index in ORDER of a module: its own entry, or that of its package."""
    return ORDER.index(name if name in ORDER else top(name))


def functions() -> Iterator[tuple[str, ast.FunctionDef]]:
    for name, tree in modules().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef):
                yield f"{name}.{node.name}", node


def lines_of(name: str) -> int:
    path = PACKAGE.joinpath(*name.split(".")).with_suffix(".py")
    return len(path.read_text(encoding="utf-8").splitlines())


def test_every_module_has_its_place() -> None:
    assert {top(name) for name in modules()} <= set(ORDER)


def test_modules_import_only_from_above() -> None:
    wrong = [
        f"{name} imports {target}, which stands below it"
        for name, tree in modules().items()
        for target in own_imports(tree)
        if top(target) != top(name) and place(target) >= place(name)
    ]
    assert not wrong, "\n".join(wrong)


def test_no_circle_of_any_kind() -> None:
    waiting = {name: set(own_imports(tree)) - {name} for name, tree in modules().items()}
    while free := {name for name, needed in waiting.items() if not needed & waiting.keys()}:
        waiting = {name: needed for name, needed in waiting.items() if name not in free}
    # Of what is left, some only import what is in a circle.
    while ends := waiting.keys() - {one for needed in waiting.values() for one in needed}:
        waiting = {name: needed for name, needed in waiting.items() if name not in ends}
    assert not waiting, f"in circles: {sorted(waiting)}"


def test_nothing_imports_a_paper_but_papers() -> None:
    guests = {
        name
        for name, tree in modules().items()
        if top(name) != "papers" and any(top(target) == "papers" for target in own_imports(tree))
    }
    assert not guests, "the registry finds papers by name"


def test_imports_stand_at_the_top() -> None:
    late: Counter[str] = Counter()
    for name, function in functions():
        late[name] += len(set(own_imports(ast.Module(function.body, []))))
    assert late.total() <= IMPORTS_IN_FUNCTIONS, late.most_common(10)


@pytest.mark.parametrize("library", AT_HOME)
def test_heavy_libraries_stay_at_home(library: str) -> None:
    guests = {
        name
        for name, tree in modules().items()
        if library in {top(target) for target in imported(tree)}
    }
    homes = AT_HOME[library]
    assert all(any(f"{name}.".startswith(f"{home}.") for home in homes) for name in guests)


def test_the_arithmetic_of_bits_knows_no_poker() -> None:
    assert not list(own_imports(modules()["bits"]))


@pytest.mark.parametrize(
    "code",
    [
        "import handread",
        "import handread.formats.text",
        "import handread.cli",
        "from handread.cli import app; app(['--help'], standalone_mode=False)",
    ],
)
def test_importing_is_light(code: str) -> None:
    heavy = "{'numba', 'llvmlite', 'matplotlib', 'polars', 'scipy'}"
    code = f"import sys; {code}; print('heavy:', sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip().endswith("heavy: []")


def test_every_package_is_installed() -> None:
    settings = tomllib.loads((PACKAGE.parent / "pyproject.toml").read_text(encoding="utf-8"))
    folders = {path.parent.relative_to(PACKAGE.parent) for path in PACKAGE.rglob("__init__.py")}
    packages = {".".join(folder.parts) for folder in folders}
    assert packages <= set(settings["tool"]["setuptools"]["packages"])


@pytest.mark.parametrize("package", LINES)
def test_packages_keep_to_their_lines(package: str) -> None:
    own = [name for name in modules() if (top(name) if "." in name else "") == package]
    assert sum(map(lines_of, own)) <= LINES[package]


def test_the_whole_keeps_to_its_lines() -> None:
    assert {top(name) for name in modules() if "." in name} <= LINES.keys()
    assert sum(map(lines_of, modules())) <= ALL_LINES


def test_functions_and_modules_are_short() -> None:
    long = {
        name: node.end_lineno - node.lineno + 1
        for name, node in functions()
        if node.end_lineno is not None and node.end_lineno - node.lineno >= LONGEST_FUNCTION
    }
    assert not long
    assert not [name for name in modules() if lines_of(name) > LONGEST_MODULE]
