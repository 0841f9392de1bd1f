"""The logs that inputs are made from, and the words and lines in them."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from handread.formats.text import NotTextError, plain_line_ends
from tests.decoding import decode

ROOT = Path(__file__).parents[2]

_BLANK = re.compile(r"\n(?:[ \t]*\n)+")
_GAME = re.compile(r"[ \t]*<game\b.*?</game>[ \t]*\n?", re.S)
_FEW_LOGS = 3
"""A word that stands in no more logs than this may be somebody's name."""


@dataclass(frozen=True, eq=False)
class Log:
    """A text of hands: its file name, its room or format as far as its place tells, its text."""

    name: str
    room: str
    text: str

    @cached_property
    def hands(self) -> tuple[str, ...]:
        """Its parts that may be a hand each: what blank lines part, or games of XML."""
        games = tuple(found[0] for found in _GAME.finditer(self.text))
        return games or tuple(part for part in _BLANK.split(self.text) if part.strip())

    @cached_property
    def frame(self) -> tuple[str, str]:
        """What stands around the games of XML; empty for a log that is cut at blank lines."""
        games = list(_GAME.finditer(self.text))
        return (self.text[: games[0].start()], self.text[games[-1].end() :]) if games else ("", "")

    @property
    def is_markup(self) -> bool:
        return self.text.lstrip().startswith("<")


@dataclass(frozen=True, eq=False)
class Logs:
    """All logs, and what can be taken out of them."""

    logs: Sequence[Log]

    @cached_property
    def by_room(self) -> Mapping[str, tuple[Log, ...]]:
        rooms = sorted({log.room for log in self.logs})
        return {room: tuple(log for log in self.logs if log.room == room) for room in rooms}

    @cached_property
    def lines(self) -> tuple[str, ...]:
        return tuple(sorted({line for log in self.logs for line in log.text.split("\n")}))

    @cached_property
    def words(self) -> tuple[str, ...]:
        return tuple(sorted({word for log in self.logs for word in log.text.split()}))

    @cached_property
    def _spread(self) -> Counter[str]:
        """In how many logs each word stands."""
        return Counter(word for log in self.logs for word in set(re.findall(r"\w+", log.text)))

    def own_words(self, text: str) -> list[str]:
        """The words of a text that few other logs have and that it has twice: names, often."""
        words = Counter(re.findall(r"\w+", text))
        return sorted(w for w, n in words.items() if n > 1 and self._spread[w] <= _FEW_LOGS)


def gathered(real: Path | None = None) -> Logs:
    """The logs of the project, and those of a folder with one folder a room."""
    logs = [*_samples(), *_examples()]
    if real is not None:
        logs += _real(real)
    return Logs(logs)


def _samples() -> Iterator[Log]:
    """The sample histories; a room's are told by the first word of their first line."""
    for path in sorted((ROOT / "sample_histories").iterdir()):
        if text := _text(path):
            of_a_room = path.suffix in (".txt", ".xml")
            room = path.stem.rpartition("-")[2] if of_a_room else path.suffix
            yield Log(path.name, room, text)


def _examples() -> Iterator[Log]:
    """The lines that the grammars quote, one log a room."""
    for path in sorted((ROOT / "grammars").glob("*.toml")):
        grammar = tomllib.loads(path.read_text(encoding="utf-8"))
        lines = [str(rule["example"]) for rule in grammar.get("line", []) if "example" in rule]
        if lines:
            yield Log(f"{path.stem}-lines.txt", path.stem, "\n".join(lines) + "\n")


def _real(folder: Path) -> Iterator[Log]:
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        if text := _text(path):
            yield Log(path.name, path.parent.name.lower(), text)


def _text(path: Path) -> str:
    """The text of a file, empty for one that holds none."""
    try:
        return plain_line_ends(decode(path.read_bytes()))
    except NotTextError:
        return ""
