"""A small set of tables with all that can be asked about, and hostile names, for several tests."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from handread.history import History
from tests.hands import write_hands
from tests.program import SAMPLES, Done, run_here
from tests.score_sets import Once, games, score, text_of

Loaded = dict[str, list[dict[str, Any]]]
"""The rows of tables by name."""

HOSTILE = ("=1+1", "-Bob", "\tTab\x1b[2J", '@a,b"c')


def hostile_games() -> list[History]:
    """Two games whose players have names that a spreadsheet takes for formulas."""
    found = []
    for game in games()[3:5]:
        names = iter(HOSTILE)
        seats = tuple(replace(seat, name=next(names)) for seat in game.seats)
        found.append(replace(game, seats=seats, table="=cmd|' /C calc'!A0"))
    return found


def asked_set(folder: Path) -> Path:
    """The tables, in ``folder / "out"``: made games, hands of samples, and a refused one."""
    made, hostile, log = (folder / name for name in ("made.stud", "=evil.stud", "room log"))
    write_hands(made, games())
    write_hands(hostile, hostile_games())
    log.write_text(text_of(games()[:3], "pokerstars"))
    samples = [SAMPLES / f"{name}.stud" for name in ("broken-card", "check-raise", "raising-war")]
    out = folder / "out"
    score([made, hostile, log, *samples], out, Once())
    return out


def query(out: Path, *args: str, status: int = 0) -> Done:
    """The program, its messages on one line whatever the width."""
    done = run_here("query", str(out), *args, COLUMNS="1000")
    assert done.returncode == status, done.stderr
    return Done(done.returncode, done.stdout, " ".join(done.stderr.split()))


EXAMPLE = "street = 5 and p_win > .6 and action = 'fold'"
