"""From bytes to text: encodings, damaged files, line ends, and what is no text."""

from __future__ import annotations

import gzip

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handread.history import Problem
from handread.notation import read_bytes, read_file, read_text
from handread.notation.source import NotTextError, plain_line_ends
from tests.decoding import decode

LINES = "Seat 1: Zoë (€5)\r\nSeat 2: Ömer ($4)\r\n"


@pytest.mark.parametrize(
    "data",
    [
        LINES.encode("utf-8"),
        LINES.encode("utf-8-sig"),
        LINES.encode("utf-16"),
        LINES.encode("utf-16-le"),
        LINES.encode("utf-16-be"),
        b"\xfe\xff" + LINES.encode("utf-16-be"),
        LINES.encode("cp1252"),
    ],
)
def test_encodings_are_told_apart(data: bytes) -> None:
    assert decode(data) == LINES


def test_a_damaged_utf16_file_keeps_its_lines() -> None:
    data = LINES.encode("utf-16").replace(b"\r\0", b"\n\0") + b"\n"
    assert decode(data) == LINES.replace("\r", "\n")


def test_joined_files_lose_their_inner_marks() -> None:
    assert decode(2 * "a\n".encode("utf-8-sig")) == "a\na\n"


def test_a_stray_zero_is_a_blank() -> None:
    assert decode(b"\0Seat 1: Lena ($5)\0, a log of some length\n")[:6] == " Seat "


def test_line_ends_of_all_kinds_count_once() -> None:
    assert plain_line_ends("a\r\nb\nc\rd\n\ne\x0bf\u2028g") == "a\nb\nc\nd\n\ne\x0bf\u2028g"


@pytest.mark.parametrize(
    ("data", "word"),
    [
        (gzip.compress(b"a", mtime=0), "gzip"),
        (b"PK\x03\x04..", "zip"),
        (bytes(range(64)), "binary"),
    ],
)
def test_other_files_are_named(data: bytes, word: str) -> None:
    (problem,) = read_bytes(data, "hands.txt")
    assert isinstance(problem, Problem)
    assert word in problem.message
    assert (problem.file, problem.line) == ("hands.txt", 1)


@given(st.binary(max_size=300))
def test_any_bytes_are_text_or_refused(data: bytes) -> None:
    try:
        text = decode(data)
    except NotTextError:
        return
    assert "\0" not in text


@pytest.mark.parametrize("text", ["", " \n\n"])
def test_an_empty_file_is_a_problem(text: str) -> None:
    (problem,) = read_text(text, "a.txt")
    assert isinstance(problem, Problem)
    assert "empty" in problem.message


def test_an_unknown_text_says_what_was_tried() -> None:
    (problem,) = read_text("dear diary\n", "a.txt")
    assert isinstance(problem, Problem)
    assert problem.line == 1
    assert "pokerstars" in problem.expected


def test_an_unknown_dialect_is_an_error_that_lists_the_known() -> None:
    with pytest.raises(ValueError, match=r"pokerstar2.*bovada.*pokerstars"):
        read_text("x", "a.txt", "pokerstar2")


def test_a_missing_file_is_a_problem(tmp_path: object) -> None:
    (problem,) = read_file(f"{tmp_path}/none.txt")
    assert isinstance(problem, Problem)
    assert "cannot read the file" in problem.message
