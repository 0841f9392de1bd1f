"""An engine in this process, and hands for it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from io import BytesIO
from typing import Any

from handread.engine.engine import Engine, request_lines
from handread.processes import Helpers
from tests.program import SAMPLES

LOG = (SAMPLES / "pokerstars.txt").read_text("utf-8").split("\n")
END = LOG.index("", 5)
HAND = "\n".join(LOG[2:END]) + "\n"
"""A hand of which seat 7, the hero, is in to the showdown."""

DEALT, _, PLAYED = HAND.partition("old tom: brings in")
PLAYED = f"old tom: brings in{PLAYED}"


def answers(data: bytes, helpers: Helpers | None = None) -> list[dict[str, Any]]:
    """The answers to the lines of an input, in the order in which they are written."""
    written: list[str] = []
    Engine(written.append, helpers).run(request_lines(BytesIO(data).read))
    assert all(line.endswith("\n") and line.count("\n") == 1 for line in written)
    return [json.loads(line) for line in written]


def asked(*requests: Any, helpers: Helpers | None = None) -> list[dict[str, Any]]:
    """The answers to requests."""
    return answers(lines(requests), helpers)


def lines(requests: Iterable[Any]) -> bytes:
    return b"".join(json.dumps(one).encode() + b"\n" for one in requests)
