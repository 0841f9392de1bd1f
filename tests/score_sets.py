"""Small sets of hands for the tests of ``score``, and its tables read back."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping
from functools import cache, partial
from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import handread
from handread.history import History
from handread.inference.players import PlayerModels, parse_players
from handread.inference.readers import PolicyReader
from handread.sessions.opening import input_files
from handread.tables import ACTIONS, HANDS, PIECES, PLAYERS, REJECTS, STAGE_TABLE, TABLES, run
from handread.tables import pieces as plan
from handread.tables.pieces import Piece, ScoreTerms
from handread.tables.read import open_tables
from handread.tables.run import ScoredPart, execute_plan, plan_run
from handread.tables.store import open_store
from tests.hands import write_hands

Frames = dict[str, pl.DataFrame]
"""Tables by name."""

KEYS = {
    HANDS: ["file", "line"],
    STAGE_TABLE: ["file", "line", "stage", "seat"],
    ACTIONS: ["file", "line", "n"],
    PLAYERS: ["file", "line", "seat"],
    REJECTS: ["file", "line", "problem_line"],
    PIECES: ["file", "first_line"],
}


@cache
def games() -> tuple[History, ...]:
    """Eight short-handed games, half of them with three players and half with four."""
    found = [g for seats in (3, 4) for g in handread.simulate_games(4, seats=seats, seed=5)]
    return tuple(game.history for game in found)


def text_of(hands: Iterable[History], dialect: str = "saund") -> str:
    """A log of hands."""
    return "\n".join(handread.write_hand(hand, dialect) + "\n" for hand in hands)


def small_pieces(monkeypatch: pytest.MonkeyPatch, size: int = 400, part: int = 5) -> None:
    """Cut files into pieces of a hand or two, and tables into parts of a few."""
    monkeypatch.setattr(plan, "PIECE_SIZE", size)
    monkeypatch.setattr(run, "JOB_WEIGHT", part * plan.HAND_WEIGHT)


def write_set(folder: Path) -> list[Path]:
    """The games in Saund's notation, as a room's log, and others, and a broken hand."""
    folder.mkdir(exist_ok=True)
    files = [folder / name for name in ("a.stud", "b.txt", "c.stud", "d.stud")]
    write_hands(files[0], games())
    files[1].write_text(text_of(games(), "pokerstars"))
    files[2].write_text(text_of(games()[:3]))
    files[3].write_text("hand: 1\n1 Ann | 7c Qs | 11h r\n2 Bob | Ad Jd | 8d c\n")
    return files


ROSTER: PlayerModels = parse_players("default", None, ())
TERMS = ScoreTerms(PolicyReader(ROSTER), "split")
RECORD = {"players": "default", "ties": "split"}


Job = tuple[int, list[Piece]]


class Once:
    """Scores each group of pieces once, whatever asks for it again."""

    def __init__(self) -> None:
        self.known: dict[object, ScoredPart] = {}
        self.asked: list[Piece] = []

    def share(
        self, work: Callable[[Job], ScoredPart], jobs: Iterable[Job]
    ) -> Generator[tuple[Job, ScoredPart], None, None]:
        for job in jobs:
            self.asked += job[1]
            key = tuple(piece.key for piece in job[1])
            if key not in self.known:
                self.known[key] = work(job)
            yield job, self.known[key]


def score_into(
    out: Path,
    record: Mapping[str, object],
    terms: ScoreTerms,
    paths: Iterable[Path],
    scorer: Once,
    resume: bool,
) -> None:
    """A run over files into a folder, on some terms and their record."""
    with open_store(out, record, resume) as store:
        files, faults = input_files(map(str, paths), store.base, store.work, out)
        assert not faults
        cut = partial(plan.pieces, dialect=None, terms=terms)
        planned = plan_run(files, cut)
        execute_plan(store, planned, files, cut, terms, scorer.share, lambda _work, _hands: None)


def score(paths: Iterable[Path], out: Path, scorer: Once, resume: bool = False) -> None:
    """A run over files into a folder."""
    score_into(out, RECORD, TERMS, paths, scorer, resume)


def tables(out: Path) -> Frames:
    """All tables of a folder, sorted."""
    found = open_tables(out)
    return {table: found.scan(table).sort(KEYS[table]).collect() for table in TABLES}


def assert_same(one: Frames, other: Frames) -> None:
    for table in TABLES:
        assert_frame_equal(one[table], other[table], check_exact=True)
