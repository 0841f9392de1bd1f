"""The table of players, and the records summed up over it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import handread
from handread.formats.registry import writer_named
from handread.game.replay import replay
from handread.game.rules import FIVE_STUD, RAZZ, STUD, STUD8
from handread.game.steps import Replay
from handread.history import History
from handread.opponents.counts import seat_counts
from handread.opponents.records import records_of, seat_hands
from handread.opponents.statistics import PLACES, STATISTICS
from handread.parallel import RunError
from handread.tables import LEDGERS, PLAYERS, TERMS_FILE
from handread.tables.columns import CHANCES
from handread.tables.players import records_in
from handread.tables.read import Tables, open_tables
from tests.hands import random_hand
from tests.opponents.comparing import assert_same_records
from tests.printing import out as printed
from tests.program import ROOT, SAMPLES, first_hands, run_here

FILES = ("check-raise.stud", "hi-lo.stud", "razz.stud", "five-card.stud", "pokerstars.txt")
"""Sessions of all games, of which one has a hero."""


def scored(folder: Path, *args: str | Path) -> Tables:
    """The tables that ``handread score`` makes."""
    options = ("-o", str(folder), "--policy", "loose", "--workers", "1")
    done = run_here("score", *map(str, args), *options)
    assert done.returncode in (0, 1), done.stderr
    return open_tables(folder)


def replays(*paths: Path) -> Iterator[Replay]:
    for path in paths:
        for reading in handread.read_hands(path):
            if isinstance(reading, History):
                played = replay(reading)
                if played.problem is None:
                    yield played


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Samples, a log that stops in the middle of a hand, and one without names."""
    folder = tmp_path_factory.mktemp("logs")
    stops, nameless = folder / "stops.txt", folder / "nameless.stud"
    evening = (ROOT / "docs" / "first-evening.txt").read_text("utf-8")
    stops.write_text(evening[: evening.index("*** 5th STREET")], "utf-8")
    hands = [random_hand(seed, 4, game=game) for seed, game in enumerate(GAMES)]
    write = writer_named("saund").write
    nameless.write_text("\n".join(write(printed(one)) + "\n" for one in hands), "utf-8")
    for name in FILES[:-1]:
        (folder / name).write_text(first_hands(name, 2), "utf-8")
    return [*(folder / name for name in FILES[:-1]), SAMPLES / FILES[-1], stops, nameless]


GAMES = (STUD, STUD8, RAZZ, FIVE_STUD)


@pytest.fixture(scope="module")
def tables(logs: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Tables:
    return scored(tmp_path_factory.mktemp("players") / "out", *logs)


@pytest.mark.thorough
def test_tables_and_logs_give_equal_records(tables: Tables, logs: list[Path]) -> None:
    found, expected = records_in(tables), records_of(replays(*logs))
    assert len({game for _, game in expected}) == 4
    assert any(player.you for player in expected.values())
    assert any(player.finished < player.hands for player in expected.values())
    assert any(name == "" for name, _ in expected)
    assert_same_records(found, expected)


@pytest.mark.thorough
def test_a_row_holds_what_a_hand_adds(tables: Tables, logs: list[Path]) -> None:
    rows = tables.scan(PLAYERS).sort("file", "line", "seat").collect().to_dicts()
    played = {(path, hand.history.source.line): hand for path in logs for hand in replays(path)}
    assert len(rows) == sum(len(seat_hands(hand)) for hand in played.values())
    for row in rows:
        hand = played[ROOT / row["file"], row["line"]]
        (own,) = (one for one in seat_hands(hand) if one.seat == row["seat"])
        assert (row["name"] or "", row["you"]) == (own.name, own.you)
        assert (row["opening"] or "", row["shown"] or "") == (own.opening, own.shown)
        assert row["bluffed"] is own.bluffed
        assert row["net_bets"] == (
            None if own.net_bets is None else pytest.approx(own.net_bets, abs=1e-5)
        )
        for one in STATISTICS:
            done, of = seat_counts(hand)[own.seat][PLACES[one.key]].tolist()
            assert (row[one.key], row[one.key + CHANCES]) == (done, of), one.key


def test_no_hands_give_no_records(tmp_path: Path) -> None:
    empty = tmp_path / "empty.txt"
    empty.write_text("nothing\n")
    assert records_in(scored(tmp_path / "out", empty)) == {}


def test_one_game_of_the_tables(tables: Tables) -> None:
    rows = tables.scan(PLAYERS)
    razz = rows.filter(pl.col("variant") == "razz").collect()
    found = {key: one for key, one in records_in(tables).items() if key[1] == "razz"}
    assert sum(one.hands for one in found.values()) == razz.height


@pytest.mark.thorough
def test_a_result_without_luck_needs_a_ledger_of_every_hand(tmp_path: Path) -> None:
    folder, log = tmp_path / "out", SAMPLES / "pokerstars.txt"
    done = run_here("score", str(log), "-o", str(folder), "--decisions", "--workers", "1")
    assert done.returncode == 0, done.stderr
    tables = open_tables(folder)
    ledgers = {(r["line"], r["seat"]): r["adjusted_bb"] for r in _rows(tables, LEDGERS)}
    own: dict[str, list[float | None]] = {}
    for row in _rows(tables, PLAYERS):
        own.setdefault(row["name"], []).append(ledgers.get((row["line"], row["seat"])))
    found = records_in(tables)
    assert {name for name, _ in found} == set(own)
    for (name, _), player in found.items():
        known = [each for each in own[name] if each is not None]
        if len(known) < player.hands:
            assert player.adjusted is None
        else:
            assert player.adjusted == pytest.approx(sum(known), abs=1e-5)
    assert found["Hero", "stud"].adjusted is not None
    assert found["Marigold", "stud"].adjusted is None
    assert all(one.adjusted is None for one in records_of(replays(log)).values())
    table, profile = run_here("players", str(folder)), run_here("players", str(folder), "Hero")
    assert "luck" not in table.stdout  # nobody has five hands
    assert "with average luck" in " ".join(profile.stdout.split())


def _rows(tables: Tables, table: str) -> list[dict[str, Any]]:
    return tables.scan(table).collect().to_dicts()


def test_tables_of_another_version_say_what_to_do(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    scored(folder, SAMPLES / "check-raise.stud")
    terms = json.loads((folder / TERMS_FILE).read_text("utf-8"))
    (folder / TERMS_FILE).write_text(json.dumps({**terms, "schema": "0"}), "utf-8")
    with pytest.raises(
        RunError,
        match=r"has tables 0, .*; score the logs again, .* score LOGS -o .*/out-new --ties split",
    ):
        open_tables(folder)
    done = run_here("players", str(folder))
    assert done.returncode == 2
    assert "score the logs again" in done.said
    assert not done.stdout


def test_the_schema_has_each_statistic_and_its_chances() -> None:
    done = run_here("query", "--schema")
    for one in STATISTICS:
        assert one.key in done.stdout
    assert len(PLACES) == len(STATISTICS)
    assert len({one.key for one in STATISTICS}) == len(STATISTICS)
