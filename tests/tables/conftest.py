"""Tables of a few games, made once for a module."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from handread.game.replay import replay
from handread.history import Source
from handread.inference.analysis import analyze_replay
from handread.inference.values import Analysis
from handread.tables.read import open_tables
from handread.tables.summary import Summary, summary
from tests.summary_set import DEFAULT, histories, write_tables


@pytest.fixture(scope="module")
def reads() -> list[Analysis]:
    found = []
    for n, history in enumerate(histories()):
        source = Source(f"{'ba'[n % 2]}.stud", 10 * n + 1, "saund")
        found.append(analyze_replay(replay(replace(history, source=source)), DEFAULT))
    return found


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, reads: list[Analysis]) -> Path:
    path = tmp_path_factory.mktemp("tables") / "out"
    write_tables(path, reads)
    return path


@pytest.fixture(scope="module")
def found(folder: Path) -> Summary:
    return summary(open_tables(folder))
