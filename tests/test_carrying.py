"""What governs later hands is carried from piece to piece of a log."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handread.formats.format import Dialect
from handread.formats.log_reader import LogPiece, LogReader
from handread.history import History, Problem
from handread.sessions.opening import InputFile
from handread.tables.pieces import Piece, pieces


@dataclass(frozen=True)
class Sessions(Dialect):
    """A dialect of sessions: a line names the game, a line names each hand of it."""

    name: str = "sessions"
    title: str = "Sessions"
    suffixes: tuple[str, ...] = (".sessions",)

    @property
    def first_line(self) -> re.Pattern[str]:
        return re.compile("^hand ", re.MULTILINE)

    @property
    def opens(self) -> re.Pattern[str]:
        return re.compile("(?=game |hand )")

    def ends(self, lines: Sequence[str]) -> bool:
        return False

    def begins(self, line: str) -> bool:
        return line.startswith("hand ")

    def above(self, lines: Sequence[str]) -> int:
        return int(bool(lines) and lines[-1].startswith("game "))

    def detect(self, text: str) -> bool:
        return text.startswith("game ")

    def cut(self, text: str) -> int:
        return max(0, text.rfind("\nhand ", 0, text.rfind("\n") + 1) + 1)

    def carry(self, text: str) -> str:
        games = [line for line in text.split("\n") if line.startswith("game ")]
        return f"{games[-1]}\n" if games else ""

    def leaves_stakes_open(self, text: str) -> bool:
        return bool(text)

    def read(self, text: str, file: str, first_line: int = 1) -> Iterator[History | Problem]:
        game = ""
        for number, line in enumerate(text.split("\n"), start=first_line):
            game = line.removeprefix("game ") if line.startswith("game ") else game
            if line.startswith("hand "):
                yield Problem(file, number, 1, f"{line} of {game}")


@pytest.fixture(autouse=True, scope="module")
def there_are_sessions() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("handread.formats.registry.rooms", lambda: (Sessions(),))
        yield


LOG = "game stud\nhand 1\nhand 2\nhand 3\ngame razz\nhand 4\nx\nhand 5\n"
READ = ["hand 1 of stud", "hand 2 of stud", "hand 3 of stud", "hand 4 of razz", "hand 5 of razz"]


def said(text: str, size: int, bit: int) -> list[str]:
    bits = (text[at : at + bit] for at in range(0, len(text), bit))
    log = LogReader(bits, "a.sessions", Sessions())
    found = [one for piece in log.pieces(size) for one in log.read(piece)]
    assert all(isinstance(one, Problem) for one in found)
    return [one.message for one in found if isinstance(one, Problem)]


@given(size=st.integers(1, 80), bit=st.integers(1, 80))
def test_each_hand_is_governed_by_what_stands_above_it(size: int, bit: int) -> None:
    assert said(LOG, size, bit) == READ


def test_a_hand_that_is_passed_over_may_hold_what_governs_the_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("handread.formats.text.LONGEST", 30)
    text = LOG.replace("game razz", "x\n" * 100 + "game razz\n" + "x" * 100)
    assert [message for message in said(text, 10, 7) if message.startswith("hand ")] == [
        message for message in READ if message != "hand 3 of stud"
    ]


def test_what_stands_at_a_line_is_governed_too() -> None:
    (found,), _ = LogReader(iter([LOG]), "a.sessions", None).at(8)
    assert isinstance(found, Problem)
    assert found.message == "hand 5 of razz"


def test_a_piece_is_known_by_what_governs_it_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("handread.tables.pieces.PIECE_SIZE", 10)

    def planned(text: str) -> tuple[list[Piece], list[LogPiece]]:
        (tmp_path / "a.sessions").write_text(text)
        found = list(pieces(InputFile("a", tmp_path / "a.sessions"), None))
        return found, [one.content for one in found if isinstance(one.content, LogPiece)]

    log = LOG + "hand 6\n" * 9
    stud, texts = planned(log)
    other, others = planned(log.replace("stud", "hilo"))
    before = ["".join(piece.text for piece in texts[:n]) for n in range(len(texts))]
    assert [piece.above for piece in texts] == [Sessions().carry(text) for text in before]
    same = [one.digest == two.digest for one, two in zip(stud, other, strict=True)]
    assert same == [one == two for one, two in zip(texts, others, strict=True)]
    assert True in same
    assert texts[1].text == others[1].text
    assert not same[1]
    found = [one for piece in stud for one in piece.readings()]
    messages = [one.message for one in found if isinstance(one, Problem)]
    assert messages == READ + 9 * ["hand 6 of razz"]
