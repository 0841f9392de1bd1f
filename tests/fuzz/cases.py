"""Inputs, each made out of two numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import zip_longest

import numpy as np
from numpy.random import Generator

from handread.formats.registry import dialects
from tests.fuzz import bytes_of, markup
from tests.fuzz.edits import Desk, edit
from tests.fuzz.hostile import PHRASES
from tests.fuzz.logs import Log, Logs
from tests.fuzz.luck import pick, span

LONGEST = 250_000
"""More characters than this would tell of nothing but the machine."""


@dataclass(frozen=True, slots=True)
class Case:
    """Bytes of a file, and how they are read.

    ``dialect`` is forced upon the reader, empty for its own choice. ``piece`` and ``bit`` are the
    sizes in which the text is cut up and comes in, 0 for whole. ``printed`` says whether its hands
    are printed in every notation and read again.
    """

    name: str
    data: bytes
    dialect: str = ""
    piece: int = 0
    bit: int = 0
    printed: bool = False


def case(seed: int, index: int, logs: Logs) -> Case:
    """The input of a seed and an index, always the same as long as the logs are."""
    rng = np.random.default_rng([seed, index])
    name, data = _file(rng, logs)
    forced = rng.random() < 0.1
    cut = rng.random() < 0.1
    return Case(
        name=name,
        data=data,
        dialect=pick(rng, dialects()).name if forced else "",
        piece=int(rng.integers(1, 3_000)) if cut else 0,
        bit=int(rng.integers(1, 3_000)) if cut else 0,
        printed=bool(rng.random() < 0.06),
    )


def _file(rng: Generator, logs: Logs) -> tuple[str, bytes]:
    """A file name and what the file holds."""
    kind = rng.random()
    if kind < 0.02:
        return pick(rng, ("hands.txt", "hands.stud", "hands.phh", "hands")), bytes_of.noise(rng)
    log = _log(rng, logs)
    if kind < 0.06:
        text = _soup(rng, logs)
    elif kind < 0.2:
        text = _spliced(rng, logs, log)
    else:
        text = _edited(rng, logs, _excerpt(rng, log))
    if log.is_markup and rng.random() < 0.7:
        text = pick(rng, markup.CHANGES)(rng, text)
    if rng.random() < 0.05:
        text = text[: int(rng.integers(len(text) + 1))]
    name = log.name if rng.random() < 0.9 else pick(rng, ("hands.txt", "-", "a.stud", "a.phhs"))
    return name, bytes_of.encoded(rng, text[:LONGEST])


def _log(rng: Generator, logs: Logs) -> Log:
    """A log; every room has the same chance."""
    return pick(rng, pick(rng, tuple(logs.by_room.values())))


def _excerpt(rng: Generator, log: Log) -> str:
    """One hand, or a few that follow each other, or once in a while all."""
    part = span(rng, len(log.hands) - 1, 3) if rng.random() < 0.98 else slice(None)
    hands = log.hands[part] or (pick(rng, log.hands),)
    before, after = log.frame
    return before + "\n\n".join(hands) + "\n" + after


def _edited(rng: Generator, logs: Logs, text: str) -> str:
    """A text after a few edits; seldom after many."""
    lines = text.split("\n")
    desk = Desk(rng, logs)
    for _ in range(int(rng.geometric(pick(rng, (0.3, 0.6, 0.9)))) - int(rng.random() < 0.1)):
        edit(desk, lines)
    return "\n".join(lines)


def _spliced(rng: Generator, logs: Logs, log: Log) -> str:
    """A hand of parts of two, of one room or of two."""
    same = rng.random() < 0.5
    other = pick(rng, logs.by_room[log.room]) if same else _log(rng, logs)
    a, b = (_excerpt(rng, one).split("\n") for one in (log, other))
    text = "\n".join(pick(rng, SEAMS)(rng, a, b))
    return _edited(rng, logs, text) if rng.random() < 0.3 else text


def _one_then_other(rng: Generator, a: list[str], b: list[str]) -> list[str]:
    return a[: int(rng.integers(len(a) + 1))] + b[int(rng.integers(len(b) + 1)) :]


def _one_inside_other(rng: Generator, a: list[str], b: list[str]) -> list[str]:
    at = int(rng.integers(len(a) + 1))
    return a[:at] + b + a[at:]


def _in_turns(rng: Generator, a: list[str], b: list[str]) -> list[str]:
    return [line for pair in zip_longest(a, b, fillvalue="") for line in pair]


def _one_after_other(rng: Generator, a: list[str], b: list[str]) -> list[str]:
    return a + [""] * int(rng.integers(3)) + b


SEAMS: Sequence[Callable[[Generator, list[str], list[str]], list[str]]] = (
    *(_one_then_other, _one_then_other, _one_inside_other, _in_turns, _one_after_other),
)


def _soup(rng: Generator, logs: Logs) -> str:
    """Words and lines of all logs in no order; or one thing again and again."""
    kind = int(rng.integers(4))
    if kind == 0:
        words = [pick(rng, logs.words) for _ in range(int(rng.integers(1, 300)))]
        return "".join(word + pick(rng, " \n  |") for word in words)
    if kind == 1:
        return "\n".join(pick(rng, logs.lines) for _ in range(int(rng.integers(1, 120))))
    if kind == 2:
        thing = pick(rng, (pick(rng, logs.words), pick(rng, logs.lines), pick(rng, PHRASES)))
        between = pick(rng, ("", " ", "\n", "\n\n"))
        return between.join([thing[:400]] * int(rng.integers(1, 400)))
    opening = pick(rng, logs.lines)
    return opening + "\n" + pick(rng, "[({<|. \n#\"'=") * int(rng.integers(1, 60_000))
