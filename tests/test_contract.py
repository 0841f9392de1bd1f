"""The contract of the package: who may import what, and how large things may grow.

Budgets may be lowered, not raised: what brings something new makes its room first, or says why.
``python -m tests.test_contract`` prints what is used of each.
"""

from __future__ import annotations

import ast
import inspect
import json
import os
import re
import shutil
import subprocess
import sys
import time
import tomllib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit
from urllib.request import HTTPCookieProcessor, build_opener

import pytest

import handread
from tests.program import PROGRAM

PACKAGE = Path(handread.__file__).parent

ORDER = (
    *("version", "arrays", "extras", "lazy", "user_cache", "kernels", "bits", "spelling"),
    *("settings", "whole_files", "processes", "parallel", "cluster", "runs", "cards", "typed"),
    *("game.ranks", "game.rules", "history", "names", "known_cards", "game", "formats", "odds"),
    *("policy", "inference", "registry", "own_reader", "named_readers", "continuation", "simulate"),
    *("decisions", "study", "opponents", "sessions.opening", "tables", "report", "analysis"),
    *("api_types", "api", "progress", "aliases", "sessions", "window", "engine", "cli", "papers"),
    *("__init__", "__main__"),
)
"""Each module imports from those before it only, and from its own package without circles."""


class Budget(NamedTuple):
    """The most that is allowed today, and the most that is aimed at."""

    today: int
    aim: int


LINES = {
    "": Budget(4_301, 2_700),
    "cli": Budget(5_639, 4_000),
    "decisions": Budget(2_306, 2_100),
    "formats": Budget(8_974, 9_300),
    "game": Budget(2_866, 2_700),
    "engine": Budget(1_397, 700),
    "inference": Budget(3_563, 3_200),
    "kernels": Budget(5_040, 2_700),
    "odds": Budget(1_873, 2_000),
    "opponents": Budget(1_090, 1_080),
    "papers": Budget(9_397, 10_000),
    "policy": Budget(3_323, 2_700),
    "report": Budget(11_246, 9_500),
    "sessions": Budget(2_242, 1_900),
    "study": Budget(6_444, 5_000),
    "tables": Budget(4_264, 3_000),
    "window": Budget(3_329, 2_000),
    "all": Budget(77_294, 61_000),
}
"""The largest number of lines by package; "" is the modules that are in none."""

LONGEST_MODULE = Budget(500, 500)
LONGEST_FUNCTION = Budget(50, 50)
LONGEST_COMMAND = Budget(25, 25)
"""Lines of the body of a command, without its signature and its help."""

IMPORTS_IN_FUNCTIONS = Budget(5, 10)
"""Of handread; heavy libraries are imported late at their homes."""

DATA_PACKAGES = {"policies"}

AT_HOME = {
    "numba": ("kernels",),
    "llvmlite": ("kernels",),
    "pyparsing": ("formats",),
    "matplotlib": ("report.figures", "papers"),
    "polars": ("analysis", "api", "inference.stages", "papers", "study.statistics", "tables"),
    "scipy": ("study",),
    "distributed": ("cluster",),
    "mcp": ("engine.server",),
    "starlette": ("window",),
    "uvicorn": ("window",),
    "watchfiles": ("window",),
}
"""The places that may import each of these."""


BETWEEN_PROCESSES = {"cluster", "own_reader", "parallel", "study.fit.stored", "window.work"}
"""The modules that unpickle what processes of one run give each other, or one keeps in memory."""

FROM_DISK = {"user_cache"}
"""The module that loads machine code from the user's private cache, after its digest."""

LOADERS = {"load", "loads", "Unpickler", "bytecode_from_string"}
PICKLES = {"pickle", "marshal", "shelve", "dill", "cloudpickle", "bucket"}


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


@cache
def imports_of(name: str) -> frozenset[str]:
    """The dotted names that a module of the package imports anywhere."""
    return frozenset(imported(modules()[name]))


def own(targets: Iterable[str]) -> Iterator[str]:
    """Of imported names the modules of the package, by their names inside it."""
    for target in targets:
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


@cache
def functions() -> list[tuple[str, ast.FunctionDef]]:
    return [
        (f"{name}.{node.name}", node)
        for name, tree in modules().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
    ]


def late_imports() -> Counter[str]:
    """The number of imports of the package inside functions, by module."""
    late: Counter[str] = Counter()
    for name, function in functions():
        late[name.rpartition(".")[0]] += len(set(own(imported(ast.Module(function.body, [])))))
    return late


@cache
def lines_of(name: str) -> int:
    path = PACKAGE.joinpath(*name.split(".")).with_suffix(".py")
    return len(path.read_text(encoding="utf-8").splitlines())


def lines() -> Counter[str]:
    """The lines of each package, and of all."""
    found: Counter[str] = Counter()
    for name in modules():
        found.update({top(name) if "." in name else "": lines_of(name), "all": lines_of(name)})
    return found


def length(node: ast.FunctionDef) -> int:
    assert node.end_lineno is not None
    return node.end_lineno - node.lineno + 1


def body_length(node: ast.FunctionDef) -> int:
    """The lines of a function below its signature and its docstring."""
    first = node.body[1:] if ast.get_docstring(node) is not None else node.body
    assert node.end_lineno is not None
    return node.end_lineno - first[0].lineno + 1 if first else 0


def commands(group: Any = PROGRAM) -> Iterator[str]:
    """The functions that are commands of the program, as ``functions`` calls them."""
    for command in group.commands.values():
        if hasattr(command, "commands"):
            yield from commands(command)
        else:
            function = inspect.unwrap(command.callback)
            yield f"{function.__module__.removeprefix('handread.')}.{function.__name__}"


def function_lengths() -> list[tuple[int, str]]:
    """The lines of all functions, the longest first."""
    return sorted(((length(node), name) for name, node in functions()), reverse=True)


def command_lengths() -> list[tuple[int, str]]:
    """The lines of the bodies of all commands, the longest first."""
    these = set(commands())
    return sorted(
        ((body_length(node), name) for name, node in functions() if name in these), reverse=True
    )


def used() -> Iterator[tuple[str, Budget, int]]:
    """Every budget: its name, itself, and what is used of it."""
    counts = lines()
    for package, budget in LINES.items():
        yield f"lines of {package or 'single modules'}", budget, counts[package]
    yield "longest module", LONGEST_MODULE, max(map(lines_of, modules()))
    yield "longest function", LONGEST_FUNCTION, function_lengths()[0][0]
    yield "longest body of a command", LONGEST_COMMAND, command_lengths()[0][0]
    yield "imports in functions", IMPORTS_IN_FUNCTIONS, late_imports().total()


@pytest.mark.thorough
def test_every_module_has_its_place() -> None:
    assert {top(name) for name in modules()} <= set(ORDER)


@pytest.mark.thorough
def test_modules_import_only_from_above() -> None:
    wrong = [
        f"{name} imports {target}, which stands below it"
        for name in modules()
        for target in own(imports_of(name))
        if top(target) != top(name) and place(target) >= place(name)
    ]
    assert not wrong, "\n".join(wrong)


def test_no_circle_of_any_kind() -> None:
    waiting = {name: set(own(imports_of(name))) - {name} for name in modules()}
    while free := {name for name, needed in waiting.items() if not needed & waiting.keys()}:
        waiting = {name: needed for name, needed in waiting.items() if name not in free}
    # Of what is left, some only import what is in a circle.
    while ends := waiting.keys() - {one for needed in waiting.values() for one in needed}:
        waiting = {name: needed for name, needed in waiting.items() if name not in ends}
    assert not waiting, f"in circles: {sorted(waiting)}"


def test_nothing_imports_a_paper_but_papers() -> None:
    guests = {
        name
        for name in modules()
        if top(name) != "papers" and any(top(one) == "papers" for one in own(imports_of(name)))
    }
    assert not guests, "the registry finds papers by name"


@pytest.mark.thorough
def test_nothing_names_the_module_of_a_paper_but_the_registry() -> None:
    names = {
        name
        for name, tree in modules().items()
        if top(name) not in {"papers", "registry"}
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and str(node.value).startswith("handread.papers")
    }
    assert not names, "the registry finds papers by name"


@pytest.mark.thorough
def test_imports_stand_at_the_top() -> None:
    late = late_imports()
    assert late.total() <= IMPORTS_IN_FUNCTIONS.today, late.most_common(10)


@pytest.mark.parametrize("library", AT_HOME)
def test_heavy_libraries_stay_at_home(library: str) -> None:
    guests = {name for name in modules() if library in map(top, imports_of(name))}
    homes = AT_HOME[library]
    assert all(any(f"{name}.".startswith(f"{home}.") for home in homes) for name in guests)


OPENS_LOGS = {"sessions.opening"}
"""The module that opens logs."""

READS_HANDS = {"sessions.analyzing", "sessions.parts"}
"""The modules that analyze hands for those who show them."""

FRONTS = {"cli", "engine", "report", "sessions", "window"}


def test_one_module_opens_logs() -> None:
    """Texts are read elsewhere, too, but no other module makes text of the bytes of a file."""
    opened = {"handread.formats.text.text_pieces", "handread.formats.log_reader.read_stream"}
    given = {"formats", "sessions"}  # which get an open stream
    guests = {name for name in modules() if opened & imports_of(name)}
    assert {name for name in guests if top(name) not in given} <= {"tables.pieces"}
    calls = {
        name
        for name, tree in modules().items()
        if top(name) in FRONTS and name not in OPENS_LOGS
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and ast.unparse(node).startswith(("os.open(", "open("))
    }
    assert calls <= {"cli.program", "cli.streams"}, "these open no logs"


def test_hands_are_analyzed_in_one_place_for_all_who_show_them() -> None:
    found = {
        name
        for name in modules()
        if top(name) in FRONTS and "handread.inference.analysis.analyze_replay" in imports_of(name)
    }
    assert found == READS_HANDS


def loads_code(tree: ast.AST) -> bool:
    """Whether a module loads pickles or other files that can run code."""
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(ast.Name(library), function):
                found = library in PICKLES and function in LOADERS
            case ast.ImportFrom(library, names):
                found = library in PICKLES and bool({one.name for one in names} & LOADERS)
            case ast.keyword("allow_pickle", value):
                found = not (isinstance(value, ast.Constant) and value.value is False)
            case _:
                found = False
        if found:
            return True
    return False


def test_nothing_on_disk_is_unpickled() -> None:
    found = {name for name, tree in modules().items() if loads_code(tree)}
    assert found == BETWEEN_PROCESSES | FROM_DISK
    assert len(FROM_DISK) == 1, "other files are read by ``typed``"


@pytest.mark.parametrize(
    "code",
    [
        "pickle.loads(data)",
        "use(pickle.load)",
        "from pickle import loads as read",
        "np.load(file, allow_pickle=True)",
        "marshal.loads(data)",
        "class Own(pickle.Unpickler): ...",
    ],
)
def test_what_loads_code_is_found(code: str) -> None:
    assert loads_code(ast.parse(code))
    assert not loads_code(
        ast.parse("pickle.dumps(1); json.loads(b); np.load(f, allow_pickle=False)")
    )


def test_the_arithmetic_of_bits_knows_no_poker() -> None:
    assert set(own(imports_of("bits"))) <= {"arrays"}


def test_importing_is_light() -> None:
    """That of the package, of a format and of the program, even if it tells its help."""
    heavy = set(AT_HOME) - {"pyparsing", "distributed"}
    code = "import sys, handread.formats.text; from handread.cli import app; "
    code += "app(['--help'], standalone_mode=False); "
    code += f"print('heavy:', sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip().endswith("heavy: []")


NEEDLESS = ("decisions", "papers", "report.html", "report.figures", "simulate", "study.fit")
"""What ``check`` and ``analyze`` must not run: they would start later."""


@pytest.mark.thorough
def test_a_command_runs_only_what_it_needs() -> None:
    sample = PACKAGE.parent / "sample_histories" / "showdown.stud"
    code = (
        "import sys, types; from handread.cli import app\n"
        f"for command in ('check', 'analyze'):\n"
        f"    app([command, {str(sample)!r}], standalone_mode=False)\n"
        "ran = [name for name, one in sys.modules.items() if type(one) is types.ModuleType]\n"
        "print('ran:', *(name for name in ran if name.split('.')[0] in "
        "('handread', 'numba', 'polars', 'matplotlib')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    ran = done.stdout.rpartition("ran: ")[2].split()
    needless = tuple(f"handread.{name}" for name in NEEDLESS)
    assert not [name for name in ran if name.startswith(needless)]
    assert not {"numba", "polars", "matplotlib"} & set(ran)


NO_NUMBA = "import pathlib; pathlib.Path(__file__).with_name('met').touch(); raise SystemExit"
WITHOUT_NUMBA = (
    ("analyze", "showdown.stud", "--policy", "trees"),
    ("first-evening.txt",),
    ("report", "showdown.stud", "--decisions", "-o", "report"),
    ("decisions", "showdown.stud"),
    ("decisions", "--exact", "showdown.stud", "--rollouts", "20"),
    ("simulate", "3"),
)
ONE_AFTER_ANOTHER = f"""
import sys
from handread.cli import main
if __name__ == "__main__":
    for sys.argv[1:] in {WITHOUT_NUMBA!r}:
        try:
            main()
        except SystemExit as end:
            if end.code:
                raise
"""


@pytest.fixture
def without_numba(tmp_path: Path) -> dict[str, Any]:
    """A folder and an environment in which numba cannot be imported, by workers neither."""
    (tmp_path / "numba").mkdir()
    (tmp_path / "numba" / "__init__.py").write_text(NO_NUMBA)
    shutil.copy(PACKAGE.parent / "sample_histories" / "showdown.stud", tmp_path)
    hands = (PACKAGE.parent / "docs" / "first-evening.txt").read_text().split("\n\n\n")
    (tmp_path / "first-evening.txt").write_text("\n\n\n".join(hands[:12]))
    names = ("XDG_CACHE_HOME", "XDG_DATA_HOME", "NUMBA_CACHE_DIR")
    places = {"PYTHONPATH": f"{tmp_path}{os.pathsep}{PACKAGE.parent}"} | dict.fromkeys(names, "")
    return {"cwd": tmp_path, "env": os.environ | places | {"HOME": str(tmp_path / "home")}}


@pytest.mark.dear("a process of its own, in which six commands run")
def test_players_never_import_numba(without_numba: dict[str, Any]) -> None:
    words = [sys.executable, "-c", ONE_AFTER_ANOTHER]
    done = subprocess.run(words, **without_numba, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert not (without_numba["cwd"] / "numba" / "met").exists()
    assert (without_numba["cwd"] / "report").exists()


@pytest.mark.dear("a window, and the processes that value its hands")
def test_the_window_never_imports_numba(without_numba: dict[str, Any]) -> None:
    words = [sys.executable, "-m", "handread", "open", "--no-browser", "first-evening.txt"]
    browser, stop = build_opener(HTTPCookieProcessor()), time.monotonic() + 60
    with subprocess.Popen(words, **without_numba, text=True, stdout=subprocess.PIPE) as program:
        try:
            assert program.stdout is not None
            address = program.stdout.readline().strip()
            place = f"http://{urlsplit(address).netloc}"
            news = {"latest": 0, "progress": ""}
            browser.open(address, timeout=60)
            while not news["latest"] or news["progress"]:
                assert time.monotonic() < stop, news
                time.sleep(0.2)
                news = json.load(browser.open(f"{place}/news?n=0", timeout=60))
            index = browser.open(place, timeout=60).read().decode()
            page = re.search(r"[0-9]{4}-[0-9]+\.html", index)
            assert page is not None
            assert browser.open(f"{place}/{page.group()}", timeout=60).status == 200
        finally:
            program.terminate()
    assert not (without_numba["cwd"] / "numba" / "met").exists()


def test_data_beside_modules_is_installed() -> None:
    """Modules are found; each file of data must be named with its package."""
    settings = tomllib.loads((PACKAGE.parent / "pyproject.toml").read_text(encoding="utf-8"))
    named = settings["tool"]["setuptools"]["package-data"]
    files = {path for path in PACKAGE.rglob("*") if path.is_file()}
    data = {path for path in files if path.suffix not in (".py", ".pyc")}
    for package, patterns in named.items():
        folder = PACKAGE.parent.joinpath(*package.split("."))
        data -= {path for pattern in patterns for path in folder.glob(pattern)}
    assert data == set()


PHRASES = {
    r"\b(that|those) of\b": 3,
    r"\bwhat (is|was|it|they|a|an|there|others|players|can|may)\b": 3,
    r"\b(of|by|in|to|with|for|from|at|on) which\b": 6,
    r"\b(tells?|told)\b": 3,
    r"\b(is|are|be) none\b": 1,
}
"""Turns of phrase that avoid a noun, and how many of them 10,000 words may have."""


@cache
def docstrings() -> str:
    """All docstrings of the package, those below constants and fields included."""
    bodies = (getattr(node, "body", None) for tree in modules().values() for node in ast.walk(tree))
    parts = (part for body in bodies if isinstance(body, list) for part in body)
    texts = (one.value.value for one in parts if isinstance(one, ast.Expr) and is_text(one.value))
    return "\n\n".join(texts)


def is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


@cache
def pages() -> str:
    """The prose of the documentation: neither tables nor what stands between fences."""
    root = PACKAGE.parent
    texts = (path.read_text("utf-8") for path in [*root.glob("docs/*.md"), root / "README.md"])
    prose = (part for text in texts for part in text.split("\n```")[::2])
    return "\n".join(line for part in prose for line in part.splitlines() if line[:1] != "|")


@pytest.mark.parametrize("text", [docstrings, pages])
@pytest.mark.parametrize(("phrase", "most"), PHRASES.items())
def test_a_noun_is_repeated(phrase: str, most: int, text: Callable[[], str]) -> None:
    assert 1e4 * len(re.findall(phrase, text())) / len(text().split()) < most


def test_a_class_has_a_name_of_its_own() -> None:
    """Who looks for a name finds one class. Users have two with outputs of their own."""
    homes: dict[str, list[str]] = defaultdict(list)
    for module, tree in modules().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                homes[node.name.lstrip("_")].append(module)
    shared = {name: places for name, places in homes.items() if len(places) > 1}
    assert shared == {
        "Analysis": ["analysis", "inference.hand_analysis"],
        "HandValues": ["analysis", "decisions.hand_values"],
    }


def test_a_module_of_a_common_name_says_whose_it_is() -> None:
    common = {"first", "hand", "decisions", "information", "readers", "pages", "values"}
    names = Counter(module.rpartition(".")[2] for module in modules())
    assert not {name for name in common if names[name] > 1}


@pytest.mark.parametrize("package", LINES)
def test_packages_keep_to_their_lines(package: str) -> None:
    assert lines()[package] <= LINES[package].today


def test_every_package_has_a_budget() -> None:
    assert lines().keys() == LINES.keys()


def test_functions_and_modules_are_short() -> None:
    assert not [name for name in modules() if lines_of(name) > LONGEST_MODULE.today]
    assert not [found for found in function_lengths() if found[0] > LONGEST_FUNCTION.today]


def test_commands_leave_the_work_to_others() -> None:
    bodies = command_lengths()
    assert len(bodies) >= len(set(commands())), "every command is found"
    assert not [found for found in bodies if found[0] > LONGEST_COMMAND.today]


if __name__ == "__main__":
    print(f"{'':26} {'used':>6} {'today':>6} {'aim':>6}")
    for name, budget, n in used():
        print(f"{name:26} {n:6} {budget.today:6} {budget.aim:6}")
