"""Libraries that only some tasks need: declared, and named where they are missing."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.machinery import BuiltinImporter, FrozenImporter, ModuleSpec, PathFinder
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Any

import pytest

from handread.extras import EXTRAS, missing, need
from handread.lazy import lazily
from handread.processes import failure_words
from handread.study.statistics import FigureTable
from tests.program import ROOT, run
from tests.test_contract import imports_of, modules, top

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
OPTIONAL = PROJECT["optional-dependencies"]
USERS = {name for name in re.split(r"[\[\],]", OPTIONAL["all"][0])[1:] if name}
"""The extras for those who use handread."""

COME_ALONG = {"anyio": "mcp", "h11": "uvicorn", "markupsafe": "jinja2"}
"""Libraries that another library requires."""


def names(requirements: list[str]) -> set[str]:
    """The distributions that requirements name."""
    return {re.match(r"[A-Za-z0-9_-]+", one)[0].lower() for one in requirements}


def test_each_library_is_in_its_extra() -> None:
    for library, extra in EXTRAS.items():
        assert COME_ALONG.get(library, library) in names(OPTIONAL[extra])
    assert set(EXTRAS.values()) == USERS


def test_what_a_module_imports_is_required_or_has_an_extra() -> None:
    distributions = {**packages_distributions(), **{name: [name] for name in EXTRAS}}
    found = {top(name) for module in modules() for name in imports_of(module)}
    libraries = found - sys.stdlib_module_names - {"handread", *COME_ALONG, *EXTRAS}
    required = names(PROJECT["dependencies"])
    assert {name for name in libraries if distributions[name][0].lower() not in required} == set()


def test_the_tests_have_all_that_users_may_have() -> None:
    assert "handread[all]" in OPTIONAL["test"]
    assert names(PROJECT["dependencies"]).isdisjoint(EXTRAS)


class Without:
    """The finder of files, which finds no library of an extra."""

    @staticmethod
    def find_spec(name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        """Return how to load a module; None if there is none."""
        if name.partition(".")[0] in EXTRAS:
            return None
        return PathFinder.find_spec(name, path, target)


@pytest.fixture
def without() -> Iterator[None]:
    """No extra is installed for what was not imported before."""
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in sys.modules if name.partition(".")[0] in EXTRAS]:
            patch.delitem(sys.modules, name)
        patch.setattr(sys, "meta_path", [BuiltinImporter, FrozenImporter, Without])
        yield


@pytest.mark.usefixtures("without")
@pytest.mark.parametrize("library", EXTRAS)
def test_a_missing_library_is_named_with_its_extra(library: str) -> None:
    words = f"this needs {library}: pip install 'handread[{EXTRAS[library]}]'"
    with pytest.raises(ModuleNotFoundError) as error:
        __import__(f"{library}.part")
    assert missing(error.value) == failure_words(error.value) == words
    with pytest.raises(ModuleNotFoundError) as early:
        need(library)
    assert missing(early.value) == words


@pytest.mark.usefixtures("without")
def test_a_program_is_told_how_to_install_what_it_lacks(monkeypatch: pytest.MonkeyPatch) -> None:
    """As from the command line, where it first uses a module that needs the library."""
    monkeypatch.delitem(sys.modules, "handread.tables.export", raising=False)
    with lazily():
        import handread.tables.export as export
    for _ in range(2):
        with pytest.raises(ModuleNotFoundError, match=r"polars: pip install 'handread\[tables\]'$"):
            export.write_results  # noqa: B018
    with pytest.raises(ModuleNotFoundError, match=r"polars: pip install 'handread\[tables\]'$"):
        FigureTable({}).to_frame()


def test_other_errors_are_not_explained() -> None:
    assert missing(ModuleNotFoundError("No module named 'nowhere'", name="nowhere")) == ""
    assert missing(ImportError("cannot import name", name="polars")) == ""


@pytest.mark.usefixtures("without")
@pytest.mark.parametrize(
    ("words", "library"),
    [
        (("policy", "show", "table1", "--plot", "x.png"), "matplotlib"),
        (("decisions", "sample_histories/showdown.stud", "-o", "x.csv"), "polars"),
    ],
)
def test_what_the_output_needs_is_missed_before_the_work(
    words: tuple[str, ...], library: str
) -> None:
    with pytest.raises(ModuleNotFoundError) as error:
        run(*words)
    assert error.value.name == library


PLAIN = (
    (("analyze", "showdown.stud"), ""),
    (("showdown.stud",), ""),
    (("check", "pokerstars.txt"), ""),
    (("decisions", "showdown.stud", "--rollouts", "20"), ""),
    (("players", "pokerstars.txt"), ""),
    (("report", "showdown.stud", "-o", "{}/report"), ""),
    (("simulate", "2", "-o", "{}/games.stud"), ""),
    (("convert", "--to", "winamax", "-o", "{}/hands.txt", "showdown.stud"), ""),
    (("schema",), ""),
    (("open", "--no-browser"), "watchfiles: pip install 'handread[window]'"),
    (("score", "showdown.stud", "-o", "{}/tables"), "polars: pip install 'handread[tables]'"),
    (("query", "{}", "hand = 1"), "polars: pip install 'handread[tables]'"),
    (("summary", "{}"), "polars: pip install 'handread[tables]'"),
    (("report", "showdown.stud", "-o", "x.png"), "matplotlib: pip install 'handread[pictures]'"),
    (("fit", "showdown.stud", "-o", "{}/x.toml"), "scipy: pip install 'handread[fit]'"),
    (("analyze", "--reader", "loki", "showdown.stud"), "numba: pip install 'handread[fit]'"),
    (
        ("score", "showdown.stud", "-o", "{}/t", "--scheduler", "tcp://127.0.0.1:9"),
        "polars: pip install 'handread[tables]'",
    ),
    (
        ("simulate", "2", "-o", "{}/g.stud", "--scheduler", "tcp://127.0.0.1:9"),
        "distributed: pip install 'handread[cluster]'",
    ),
    (("mcp",), "anyio: pip install 'handread[mcp]'"),
)
"""Words of a command, and how its message goes on behind "this needs"; "" if it succeeds."""


@pytest.mark.dear("a process of its own, in which seventeen commands run")
def test_commands_without_the_extras(tmp_path: Path) -> None:
    code = f"""
import io, os, sys
from importlib.machinery import PathFinder
from contextlib import redirect_stderr, redirect_stdout
sys.path.insert(0, {str(ROOT)!r})
LIBRARIES, PLAIN, PLACE = {set(EXTRAS)!r}, {PLAIN!r}, {str(tmp_path)!r}
class Without:
    def find_spec(name, *rest):
        found = name.partition(".")[0] not in LIBRARIES
        return PathFinder.find_spec(name, *rest) if found else None
if __name__ == "__main__":
    sys.meta_path[sys.meta_path.index(PathFinder)] = Without
    from handread.cli import main
    for words, lack in PLAIN:
        sys.argv[1:] = [word.format(PLACE) for word in words]
        said, status = io.StringIO(), 0
        with redirect_stderr(said), redirect_stdout(io.StringIO()):
            try:
                main()
            except SystemExit as end:
                status = end.code or 0
        good = f"handread: this needs {{lack}}\\n" == said.getvalue() if lack else status == 0
        if not good:
            print(words, status, said.getvalue())
"""
    samples = ROOT / "sample_histories"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=samples, capture_output=True, text=True, check=False
    )
    assert done.stdout + done.stderr == ""
