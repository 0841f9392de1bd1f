"""Which tests need not run again: those for which nothing has changed since they passed."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from tests import proved
from tests.proved import Imports, left_out, record, recorded, unchanged

FILES = {
    "pyproject.toml": '[project]\nversion = "1"\ndependencies = []\noptional-dependencies = {}\n'
    "[tool.pytest]\n",
    "handread/__init__.py": "import handread.window",
    "handread/game/__init__.py": "from handread.game.rules import RULES",
    "handread/game/rules.py": "RULES = 1",
    "handread/game/notes.csv": "1",
    "handread/paper/__init__.py": 'DOOR = "handread.paper.door"',
    "handread/paper/door.py": "def f():\n    from handread.game import rules",
    "handread/window.py": "",
    "samples/a.stud": "a",
    ".gitignore": "build/",
    "build/lib.csv": "1",
    "tests/conftest.py": "",
    "tests/papers/test_one.py": "import handread.paper\nFOLDER = 'samples'",
    "tests/papers/test_two.py": "import handread.window",
    "tests/papers/test_three.py": "A = 'build'\nB = '/etc/hosts'\nC = '../..'\nD = 'no.module'\n"
    "E = 'handread'",
}
ONE, TWO, THREE = (f"tests/papers/test_{name}.py" for name in ("one", "two", "three"))
TODAY = date(2026, 3, 14)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with three test modules that have passed."""
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    record([ONE, TWO, THREE], TODAY, tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("changed", "runs"),
    [
        ("handread/game/rules.py", [ONE]),
        ("handread/game/notes.csv", [ONE]),
        ("handread/paper/door.py", [ONE]),
        ("samples/a.stud", [ONE]),
        ("handread/window.py", [TWO]),
        (THREE, [THREE]),
        ("tests/conftest.py", [ONE, THREE, TWO]),
        ("README.md", []),
        ("build/lib.csv", []),
    ],
)
def test_what_imports_a_change_runs_again(changed: str, runs: list[str], project: Path) -> None:
    assert unchanged(project) == [ONE, THREE, TWO]
    file = project / changed
    file.write_text((file.read_text() if file.exists() else "") + "\n# more")
    assert [name for name in (ONE, THREE, TWO) if name not in unchanged(project)] == runs


@pytest.mark.parametrize(
    "text", ["import handread", "from handread import analyze", "A = ['-m', 'handread']"]
)
def test_who_uses_the_whole_package_depends_on_all_that_it_loads(text: str, project: Path) -> None:
    assert not reaches_window(project, THREE)
    (project / THREE).write_text(text)
    assert reaches_window(project, THREE)


def reaches_window(project: Path, name: str) -> bool:
    return project / "handread/window.py" in Imports(project).closure(project / name)


def test_the_version_is_no_change_and_a_dependency_is_one(project: Path) -> None:
    settings = project / "pyproject.toml"
    settings.write_text(settings.read_text().replace('"1"', '"2"'))
    assert len(unchanged(project)) == 3
    settings.write_text(settings.read_text().replace("dependencies = []", 'dependencies = ["a"]'))
    assert unchanged(project) == []


def test_once_a_week_nothing_is_left_out(project: Path) -> None:
    for days, names in ((0, 3), (7, 3), (8, 0)):
        found, why = left_out(date.fromordinal(TODAY.toordinal() + days), False, project)
        assert len(found) == names
        assert ("2026-03-14" in why) is True
    assert left_out(TODAY, True, project) == ([], "nothing is left out: CI_ALL is set")


def test_a_module_that_did_not_pass_runs_again(project: Path) -> None:
    (project / "handread/window.py").write_text("1")
    record([ONE], root=project)
    assert unchanged(project) == [ONE, THREE]
    assert recorded(project)[proved.WHOLE] == "2026-03-14"


@pytest.mark.dear("it parses a large part of the project")
def test_nothing_outside_the_project_counts() -> None:
    imports = Imports()
    found = imports.closure(proved.ROOT / "tests/papers/loki/test_reader.py")
    names = {path.relative_to(proved.ROOT).as_posix() for path in found}
    assert {"handread/papers/loki/frequencies.csv", "handread/game/rules.py"} <= names
    names -= {"handread/window/__init__.py"}  # whose folder has the name of an extra
    assert not [name for name in names if name.startswith(("handread/window", "handread/cli"))]
