"""Tables of a few games to be summarized and drawn."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from handread.history import History
from handread.inference.hand_analysis import Analysis
from handread.inference.players import Model, PlayerModels
from handread.policy import load_policy
from handread.simulate import Setup, play_games, seated
from handread.tables import PIECES, REJECTS, VERSION
from handread.tables.files import WORK_FOLDER, Folder, commit_part, write_files
from handread.tables.pieces import TableBuilder
from handread.tables.read import Tables, open_tables
from handread.tables.rows import HandRow, RejectRow
from tests.hands import GOLDEN, hand

DEFAULT = load_policy("default")
SEED = 3
HONEST = Setup(PlayerModels(Model(DEFAULT)), seated(PlayerModels(Model(DEFAULT)), 4))
EVIL = "=HYPERLINK(1)\x1b[31m"


LOOSE = PlayerModels(Model(load_policy("loose")))


NAMES = ("Ann", EVIL, "Bob", "everybody")


def histories() -> Iterable[History]:
    """Games of honest players and of loose ones, and a hand without names, told and half told."""
    for game in play_games(HONEST, SEED, range(12)):
        yield game.history
    loose = Setup(LOOSE, seated(LOOSE, 4, names=NAMES))
    for game in play_games(loose, SEED, range(9)):
        yield game.history
    shown = GOLDEN
    for folded in ("5d.Ac", "Jc.2h", "6s.3c", "9h.7s", "4d.Kh"):
        shown = shown.replace(folded, "??.??")
    for script in (GOLDEN, shown):
        yield hand(script)


def write_tables(folder: Path, reads: Sequence[Analysis], part: int = 5) -> Tables:
    """Tables of what was read, so many hands a part, and of two hands that were refused."""
    (folder / WORK_FOLDER).mkdir(parents=True)
    chunks = [reads[n : n + part] for n in range(0, len(reads), part)]
    for n, chunk in enumerate(chunks):
        rows = TableBuilder()
        for read in chunk:
            rows.add(HandRow(read).rows())
        if n == 0:
            for seat in (1, 23):
                problem = reads[0].replay.history.problem(7, f"seat {seat} acts\x1b[2J twice")
                rows.add([(REJECTS, RejectRow(problem, None, ""))])
        frames, place = rows.frames(), Folder(folder)
        part = write_files(place.write, [("", n, "")], frames, {})
        commit_part(place.write, part, frames[PIECES], {})
    terms = {"schema": VERSION, "ties": "split"}
    (folder / "handread.json").write_text(json.dumps(terms), encoding="utf-8")
    return open_tables(folder)
