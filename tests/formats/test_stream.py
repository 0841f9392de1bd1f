"""Logs read in pieces: what is read does not depend on the pieces, and memory does not grow."""

from __future__ import annotations

import io
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handread.formats.log_reader import LogPiece, LogReader, read_bytes
from handread.formats.registry import dialect_named, dialects
from handread.formats.text import PIECE, NotTextError, plain_line_ends, text_pieces
from handread.history import Problem
from handread.sessions.opening import read_file
from tests.decoding import decode
from tests.examples import examples, few
from tests.program import ONE_GAME, SAMPLES
from tests.readings import contents, cut, in_pieces


def in_some_encoding() -> st.SearchStrategy[bytes]:
    """Plain text and not so plain, in one of the encodings, perhaps cut off."""
    texts = st.text("ab1 \r\nëЖ漢🂡", max_size=40) | st.text("ab1 \r\n", min_size=60, max_size=90)
    encodings = st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
    return st.builds(lambda text, encoding: text.encode(encoding), texts, encodings)


def mixed_bytes() -> st.SearchStrategy[bytes]:
    """Files joined end to end, with damage between them."""
    damage = st.binary(max_size=3)
    return st.lists(in_some_encoding() | damage, min_size=2, max_size=6).map(b"".join)


@given(
    st.one_of(st.binary(max_size=400), st.text(max_size=200).map(str.encode), mixed_bytes()),
    st.sampled_from([1, 2, 3, 6, 64]),
)
def test_the_pieces_are_the_text(data: bytes, size: int) -> None:
    try:
        whole = plain_line_ends(decode(data))
        assert "\0" not in whole
    except NotTextError as reason:
        with pytest.raises(NotTextError, match=str(reason)[:10]):
            list(text_pieces(io.BytesIO(data), size))
        return
    assert "".join(text_pieces(io.BytesIO(data), size)) == whole


def twice(path: Path) -> str:
    text = plain_line_ends(decode(path.read_bytes()))
    return text + "\n" + text


@cache
def read_whole(path: Path) -> list[object]:
    """What is read of that text at once."""
    return list(map(contents, read_bytes(twice(path).encode(), path.name)))


@pytest.mark.parametrize("path", few(ONE_GAME, 8), ids=lambda path: path.name)
@examples(4)
@given(size=st.integers(1, 2500), bit=st.integers(1, 2500))
def test_hands_do_not_depend_on_the_pieces(path: Path, size: int, bit: int) -> None:
    text = twice(path)
    assert list(map(contents, in_pieces(text, path.name, size, bit))) == read_whole(path)


@pytest.mark.parametrize("path", few(ONE_GAME, 8), ids=lambda path: path.name)
@examples(5)
@given(size=st.integers(1, 2500), bits=st.tuples(*[st.integers(1, 2500)] * 2), data=st.data())
def test_a_log_that_grows_keeps_its_pieces(
    path: Path, size: int, bits: tuple[int, int], data: st.DataObject
) -> None:
    text = twice(path)
    pieces = cut(text, path.name, size, bits[0])
    assert all(isinstance(piece, LogPiece) for piece in pieces)
    assert "".join(piece.text for piece in pieces if isinstance(piece, LogPiece)) == text
    shorter = text[: data.draw(st.integers(1, len(text)))]
    before = cut(shorter, path.name, size, bits[1])
    if isinstance(before[0], LogPiece) and before[0].dialect == pieces[0].dialect:
        # What the hands of a level show may change with those that follow.
        texts = [replace(piece, levels=()) for piece in pieces if isinstance(piece, LogPiece)]
        kept = [replace(piece, levels=()) for piece in before if isinstance(piece, LogPiece)]
        assert kept[:-1] == texts[: len(before) - 1]


def test_pieces_are_no_longer_than_asked() -> None:
    text = (SAMPLES / "simulated-pokerstars.txt").read_text() * 300
    pieces = cut(text, "log.txt", 100_000, 1 << 20)
    assert len(pieces) > 20
    assert all(len(piece.text) <= 100_000 for piece in pieces if isinstance(piece, LogPiece))
    short = [piece for piece in pieces if isinstance(piece, LogPiece) and len(piece.text) < 90_000]
    assert len(short) <= len(text) // PIECE + 1  # the last of every megabyte


@pytest.mark.parametrize("text", ["", " \n\n", "no log of ours\n"])
def test_a_text_without_pieces_is_one_problem(text: str) -> None:
    assert cut(text, "log.txt", 100, 7) == list(read_bytes(text.encode(), "log.txt"))


def test_real_logs_do_not_depend_on_the_pieces(real_hands: Path) -> None:
    compared = 0
    for path in sorted(real_hands.rglob("*")):
        if path.is_file() and path.stat().st_size < 12_000:
            try:
                text = plain_line_ends(decode(path.read_bytes()))
            except NotTextError:
                continue
            whole = list(read_file(path))
            if isinstance(whole[0], Problem) and whole[0].line == 1:
                continue  # no dialect of ours
            found = in_pieces(text, str(path), 700, 1500)
            assert list(map(contents, found)) == list(map(contents, whole)), path
            compared += len(found)
    assert compared > 100


@pytest.mark.parametrize("name", [dialect.name for dialect in dialects()])
@examples(40)
@given(text=st.text(alphabet="ab 1|\n[]=#?:", max_size=80))
def test_a_cut_is_a_place_in_the_text(name: str, text: str) -> None:
    assert 0 <= dialect_named(name).cut(text) <= len(text)


def test_a_page_of_blank_lines_is_cut_at_once() -> None:
    text = (SAMPLES / "steal.stud").read_text()
    blank = "\n" * 1_000_000
    at = dialect_named("saund").cut(text + blank + text)
    assert (text + blank + text)[at:].splitlines() == text.strip().split("\n\n")[-1].splitlines()
    assert dialect_named("saund").cut(text.strip() + blank) < len(text)


@pytest.mark.parametrize("name", ["steal.stud", "pokerstars.txt", "session.phhs"])
@examples(15)
@given(junk=st.text(alphabet="ab \n", max_size=40), size=st.integers(40, 400))
def test_what_stands_before_a_hand_does_not_hinder(name: str, junk: str, size: int) -> None:
    text = f"{junk}\n\n" + (SAMPLES / name).read_text()
    dialect = next(d for d in dialects() if d.detect(text))
    whole = list(LogReader(iter([text]), name, dialect))
    assert list(map(contents, in_pieces(text, name, size, size))) == list(map(contents, whole))
