"""Two processes make of an experiment what one makes; for other commands see long commands."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest

from handread.processes import new_pool
from tests.long_commands import EXPERIMENTS, check_two_processes, small_parts


@pytest.fixture(autouse=True)
def in_small_parts(tmp_path: Path) -> Iterator[None]:
    with small_parts(tmp_path):
        yield


@pytest.fixture(scope="module")
def two_processes() -> Iterator[ProcessPoolExecutor]:
    with new_pool(2) as pool:
        yield pool


DEAR = {
    "learning-curves": "two runs that grow trees",
    "loki-tables income": "two runs over all starting hands",
    "tournament": "two runs of three sessions each, with networks that learn",
}


@pytest.mark.parametrize(
    "name",
    [pytest.param(n, marks=pytest.mark.dear(DEAR[n]) if n in DEAR else ()) for n in EXPERIMENTS],
)
def test_two_processes_change_nothing(
    name: str, tmp_path: Path, two_processes: ProcessPoolExecutor
) -> None:
    check_two_processes(name, tmp_path, two_processes)
