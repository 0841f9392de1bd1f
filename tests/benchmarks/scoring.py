"""What it costs to make tables, against the observers alone on the same hands."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from handread import read_hands
from handread.game.replay import replay
from handread.history import History
from handread.inference.analysis import analyze_replay
from handread.inference.players import player_models
from handread.inference.readers import as_reader
from handread.parallel import spread
from handread.policy import load_policy
from handread.sessions.opening import InputFile
from handread.simulate import Setup, play_games
from handread.tables.pieces import ScoreTerms, pieces
from handread.tables.run import execute_plan, plan_run
from handread.tables.store import open_store
from tests.benchmarks.timing import Row, alternating, as_time
from tests.hands import write_hands

GAMES = 128
RUNS = 15


def overhead() -> Iterator[Row]:
    """All of ``score`` in one process, with the plan and the disk, and the observers alone."""
    players = player_models(load_policy("default"))
    with tempfile.TemporaryDirectory(prefix="handread-") as name:
        path = Path(name, "games.stud")
        games = play_games(Setup(players), 1, range(GAMES))
        write_hands(path, (game.history for game in games))
        hands = [replay(hand) for hand in read_hands(path) if isinstance(hand, History)]

        def bare() -> None:
            for hand in hands:
                analyze_replay(hand, players)

        def scored() -> None:
            out = Path(name, "out")
            files = [InputFile("games.stud", path)]
            with open_store(out, {}, resume=False) as store:
                terms = ScoreTerms(as_reader(player_models(players)), "split")
                cut = partial(pieces, dialect=None)
                plan = plan_run(files, cut)
                here = partial(spread, workers=1)
                execute_plan(store, plan, files, cut, terms, here, lambda _work, _hands: None)
            shutil.rmtree(out)

        alone, whole = alternating([bare, scored], RUNS)
    note = f"{GAMES} simulated seven-handed games, one process"
    yield Row("the observers alone, a hand", as_time(alone / GAMES), note)
    yield Row("score, a hand", as_time(whole / GAMES), "reading, replay, tables, disk and all")
    yield Row("score's speed against the observers alone", f"{alone / whole:.1%}")
