"""Tables of a few games, made once for all tests."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from handread.game.replay import replay
from handread.history import Source
from handread.inference.analysis import analyze_replay
from handread.inference.hand_analysis import Analysis
from handread.tables import ACTIONS, HANDS, STAGE_TABLE, TABLES
from handread.tables.read import Tables, open_tables
from handread.tables.summary import Summary, summary
from tests.asked_set import Loaded, asked_set
from tests.score_sets import Frames, Once, score, small_pieces, tables, write_set
from tests.summary_set import DEFAULT, histories, write_tables


@pytest.fixture(scope="session")
def reads() -> list[Analysis]:
    found = []
    for n, history in enumerate(histories()):
        source = Source(f"{'ba'[n % 2]}.stud", 10 * n + 1, "saund")
        found.append(analyze_replay(replay(replace(history, source=source)), DEFAULT))
    return found


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory, reads: list[Analysis]) -> Path:
    path = tmp_path_factory.mktemp("tables") / "out"
    write_tables(path, reads)
    return path


@pytest.fixture(scope="session")
def found(folder: Path) -> Summary:
    return summary(open_tables(folder))


@pytest.fixture(scope="session")
def scorer() -> Once:
    return Once()


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small pieces and parts."""
    small_pieces(monkeypatch)


@pytest.fixture(scope="session")
def logs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    return write_set(tmp_path_factory.mktemp("logs") / "set")


@pytest.fixture(scope="session")
def whole(logs: list[Path], scorer: Once, tmp_path_factory: pytest.TempPathFactory) -> Frames:
    """The tables of an undisturbed run."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        small_pieces(monkeypatch)
        out = tmp_path_factory.mktemp("whole") / "out"
        score(logs, out, scorer)
        return tables(out)


@pytest.fixture(scope="session")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return asked_set(tmp_path_factory.mktemp("query"))


@pytest.fixture(scope="session", name="tables")
def asked_tables(out: Path) -> Tables:
    return open_tables(out)


@pytest.fixture(scope="session")
def loaded(tables: Tables) -> Loaded:
    """The rows of the tables, with the columns of hands that theirs lack."""
    found = {table: tables.scan(table).collect().to_dicts() for table in TABLES}
    hands = {(row["file"], row["line"]): row for row in found[HANDS]}
    for table in (STAGE_TABLE, ACTIONS):
        found[table] = [{**hands[row["file"], row["line"]], **row} for row in found[table]]
    return found
