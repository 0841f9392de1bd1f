"""From bytes to text: encodings, damaged files, line ends, and what is no text."""

from __future__ import annotations

import gzip
import re
from io import BytesIO

import pytest

from handread.formats.log_reader import read_bytes, read_text
from handread.formats.text import plain_line_ends, text_pieces
from handread.game.replay import replay
from handread.history import History
from handread.known_cards import upcards
from handread.sessions.opening import read_file
from tests.decoding import decode
from tests.examples import few
from tests.program import SAMPLES

LINES = "Seat 1: Zoë (€5)\r\nSeat 2: Ömer ($4)\r\n"


@pytest.mark.parametrize(
    "data",
    [
        *map(LINES.encode, ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252")),
        b"\xfe\xff" + LINES.encode("utf-16-be"),
        LINES.encode("utf-8").replace("Ö".encode(), "Ö".encode("cp1252")),
    ],
)
def test_encodings_are_told_apart(data: bytes) -> None:
    assert decode(data) == LINES


def test_a_byte_that_is_no_utf8_is_a_character_of_windows() -> None:
    data = b"Zo\xc3\xab Zo\xeb \x80 \xe2\x82 \x81\xe2\x82\xac\xe2"
    assert decode(data) == "Zoë Zoë € â‚ \ufffd€â"


LONG = "A line of plain words, as in the first line of a hand, tells the encoding.\r\n" + LINES
BYTES = ["utf-8", "utf-8-sig", "cp1252"]
UTF_16 = ["utf-16-le", "utf-16-be"]


@pytest.mark.parametrize("first", [*BYTES, "utf-16", *UTF_16])
@pytest.mark.parametrize("second", [*BYTES, "utf-16"])
def test_joined_files_may_have_encodings_of_their_own(first: str, second: str) -> None:
    parts = [LONG.encode(encoding) for encoding in (first, second, first, second)]
    assert decode(b"".join(parts[:2])) == 2 * LONG
    if first not in UTF_16 or second in BYTES:
        assert decode(b"".join(parts)) == 4 * LONG


@pytest.mark.parametrize("size", [3, 64, 4096])
def test_the_hands_of_a_log_that_changes_its_encoding_are_read(size: int) -> None:
    log = (SAMPLES / "pokerstars.txt").read_text() + "\n\n\n"
    parts = [log.encode(encoding) for encoding in ("utf-8", "utf-16", "cp1252", "utf-16-be")]
    assert list(read_bytes(b"".join(parts), "a.txt")) == list(read_text(4 * log, "a.txt"))
    text = "".join(text_pieces(BytesIO(b"".join(parts)), size))
    assert text == 4 * plain_line_ends(log)


def test_half_a_character_does_not_spoil_the_next_file() -> None:
    half = LONG.encode("utf-16")[:-1]
    assert decode(half + LONG.encode("utf-16")) == LONG[:-1] + LONG
    assert decode(half + LONG.encode("cp1252")) == LONG[:-1] + "\n" + LONG


def test_a_damaged_utf16_file_keeps_its_lines() -> None:
    data = LINES.encode("utf-16").replace(b"\r\0", b"\n\0") + b"\n"
    assert decode(data) == LINES.replace("\r", "\n")


def test_a_stray_zero_is_a_blank_but_where_a_character_may_be_lost() -> None:
    rest = "a log of some length, in which there are few zeros and many more characters\n" * 3
    data = b"\0Seat 1: L\0a ($5\0\0)\n\0 " + rest.encode()
    assert decode(data) == " Seat 1: L\ufffda ($5\ufffd\ufffd)\n  " + rest


def test_line_ends_of_all_kinds_count_once() -> None:
    assert plain_line_ends("a\r\nb\nc\rd\n\ne\x0bf\u2028g") == "a\nb\nc\nd\n\ne\x0bf\u2028g"


@pytest.mark.parametrize(
    ("data", "word"),
    [
        (gzip.compress(b"a", mtime=0), "gzip"),
        (b"PK\x03\x04..", "zip"),
        (b"PK\x05\x06" + bytes(18), "empty zip"),
        (b"log.txt".ljust(257, b"\0") + b"ustar\x0000" + bytes(100), "tar"),
        (bytes(100_000), "binary"),
        (bytes(range(64)), "binary"),
    ],
)
def test_other_files_are_named(data: bytes, word: str) -> None:
    (problem,) = read_bytes(data, "hands.txt")
    assert word in problem.message
    assert (problem.file, problem.line) == ("hands.txt", 1)


def test_a_log_that_a_crash_filled_up_with_zeros_is_read() -> None:
    hand = (SAMPLES / "steal.stud").read_bytes()
    (whole,) = read_bytes(hand, "a.stud")
    assert list(read_bytes(hand + bytes(100_000), "a.stud")) == [whole]


@pytest.mark.thorough
@pytest.mark.parametrize("byte", few([0x81, 0xFF, 0xC3, 0]))
def test_no_spoiled_byte_stands_for_a_card_or_an_amount(byte: int) -> None:
    log = (SAMPLES / "pokerstars.txt").read_bytes().split(b"\n\n\n")[0] + b"\n"
    (whole,) = read_bytes(log, "log.txt")
    assert isinstance(whole, History)
    told = re.finditer(rb"\[[2-9TJQKAcdhs ]+\]|(?<=\$)[0-9.]+(?= |\n)", log.split(b"*** SHOW")[0])
    places = [at for found in told for at in range(found.start(), found.end())]
    assert len(places) > 50
    for at in places[byte % 3 :: 2]:
        spoiled = log[:at] + bytes([byte]) + log[at + 1 :]
        (hand,) = read_bytes(spoiled, "log.txt")
        if not isinstance(hand, History) or hand.problems or replay(hand).problem is not None:
            continue
        if not hand.damage:
            assert hand == whole, at
            continue
        for seat, cards in upcards(whole).items():  # a card that is reported counts as unseen
            read = zip(upcards(hand)[seat], cards, strict=True)
            assert all(found in (card, None) for found, card in read), at


@pytest.mark.parametrize("text", ["", " \n\n"])
def test_an_empty_file_is_a_problem(text: str) -> None:
    (problem,) = read_text(text, "a.txt")
    assert "empty" in problem.message


@pytest.mark.thorough
def test_an_unknown_text_says_what_was_tried() -> None:
    (problem,) = read_text("dear diary\n", "a.txt")
    assert problem.line == 1
    assert "handread formats" in problem.expected


def test_an_unknown_dialect_is_an_error_that_lists_the_known() -> None:
    with pytest.raises(ValueError, match=r"pokerstar2.*bovada.*pokerstars"):
        read_text("x", "a.txt", "pokerstar2")


def test_a_missing_file_is_a_problem(tmp_path: object) -> None:
    (problem,) = read_file(f"{tmp_path}/none.txt")
    assert "cannot read the file" in problem.message
