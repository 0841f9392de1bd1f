"""The examples in docstrings: each prints what it shows."""

from __future__ import annotations

import contextlib
import doctest
import inspect
from collections.abc import Iterator

import pytest

import handread
from handread import api
from tests.program import ROOT

pytestmark = pytest.mark.docs

DEAR = {
    "fit": pytest.mark.dear("compiles the kernels of fits where they were not kept"),
    "evaluate": pytest.mark.thorough,
}


def public() -> Iterator[tuple[str, object]]:
    """Yield the functions and methods of the interface that have examples, by name."""
    for name in api.__all__:
        found = getattr(handread, name)
        methods = inspect.getmembers(found, inspect.isfunction) if inspect.isclass(found) else []
        for whole, each in [(name, found), *((f"{name}.{key}", one) for key, one in methods)]:
            if ">>> " in (inspect.getdoc(each) or ""):
                yield whole, each


EXAMPLES: dict[str, object] = {"handread": handread, **dict(public())}


def test_thirty_functions_have_examples() -> None:
    assert len(EXAMPLES) >= 30


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=DEAR[name]) if name in DEAR else name for name in EXAMPLES]
)
def test_an_example_prints_what_it_shows(name: str) -> None:
    finder, runner = doctest.DocTestFinder(recurse=False), doctest.DocTestRunner()
    (example,) = finder.find(EXAMPLES[name], name, globs={"handread": handread})
    with contextlib.chdir(ROOT):
        failed, tried = runner.run(example)
    assert tried
    assert not failed
