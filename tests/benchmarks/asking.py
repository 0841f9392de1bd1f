"""The engine: what it costs beyond the analysis of a hand."""

from __future__ import annotations

import json
from collections.abc import Iterator

from handread.engine.answers import analyzed, answer_line
from handread.engine.engine import Engine
from handread.engine.requests import Request, parse_request
from handread.formats.log_reader import read_text
from handread.game.replay import replay
from handread.history import History
from handread.inference.analysis import analyze_replay
from handread.inference.players import parse_players
from handread.inference.readers import PolicyReader
from handread.inference.viewpoint import session_viewpoint
from handread.report.json import analysis_object
from tests.benchmarks.timing import Row, alternating, as_time
from tests.engine.asking import HAND


def rows() -> Iterator[Row]:
    """A hand of a room to its showdown, asked about again and again in one process."""
    request = json.dumps({"id": 1, "hand": HAND}).encode()
    reader = PolicyReader(parse_players(None, None, ()))
    (history,) = read_text(HAND, "-")
    assert isinstance(history, History)
    played = replay(history)
    viewer = session_viewpoint(played, None)
    found = analyzed(HAND, {})
    written_lines: list[str] = []
    steps = alternating(
        [
            lambda: Engine(written_lines.append).run([request]),
            # A replay that was analyzed before has some of its figures at hand.
            lambda: analyze_replay(replay(history), reader, viewer),
            lambda: list(read_text(HAND, "-")),
            lambda: replay(history),
            lambda: json.dumps(analysis_object(found, 4)),
            lambda: parse_request(request),
            lambda: answer_line(Request(1, hand=HAND, wants={"at": "last"})),
        ],
        runs=25,
    )
    whole, both, read, play, written, parsed, last = steps
    analysis = both - play
    yield Row("a request, warm", as_time(whole), f"of these {as_time(analysis)} the analysis")
    yield Row("beyond the analysis", as_time(whole - analysis), "reading and writing included")
    parts = (
        f"reading {as_time(read)}, replay {as_time(play)}, the object as JSON {as_time(written)}"
    )
    yield Row("  of these", as_time(read + play + written), parts)
    yield Row("  the engine itself", as_time(whole - analysis - read - play - written), "the rest")
    yield Row("  the request as a value", as_time(parsed))
    yield Row("beyond the analysis, at the last stage", as_time(last - analysis))
