"""Files without a final line end, joined: a hand begins inside the last line of another."""

from __future__ import annotations

import io
import itertools
import re
from pathlib import Path

import pytest

from handread.formats.format import Reading
from handread.formats.format_runs import _words
from handread.formats.log_reader import LogPiece, LogReader, read_stream, read_text
from handread.game.replay import replay
from handread.history import History, Problem
from tests.decoding import decode
from tests.examples import few
from tests.program import LOGS, SAMPLES, run

ROOMS = {
    path.name: path.read_text(encoding="utf-8").rstrip("\n")
    for path in (
        *(one for one in LOGS if one.name.startswith("simulated")),
        *(SAMPLES / name for name in ("full-house.phh", "ipoker.xml", "merge.xml", "bovada.txt")),
    )
}
"""A log of every format without its final line end."""

HEADER = "PokerStars Hand #5:  7 Card Stud Limit ($0.50/$1.00 USD) - 2026/03/14 20:15:09 ET"


def bare(text: str) -> str:
    """A text without the comments above its first hand, as rooms write none."""
    return re.sub(r"\A(?:#(?![0-9]).*\n|<!--.*?-->\n|\n)+", "", text)


def told(reading: Reading) -> object:
    """All that a reading says but for its place."""
    if isinstance(reading, Problem):
        return reading.message, reading.expected
    return reading.source.dialect, reading.hand_id, reading, [p.message for p in reading.problems]


def hands_of(*texts: str) -> list[object]:
    return [told(one) for text in texts for one in read_text(text, "a")]


@pytest.mark.parametrize("first", few(sorted(ROOMS), 4))
def test_no_hand_of_two_joined_logs_is_lost(first: str) -> None:
    end = ROOMS[first]
    for second, text in ROOMS.items():
        for begin in (text, bare(text)):
            assert hands_of(end + begin) == hands_of(end, begin), second


@pytest.mark.thorough
def test_no_hand_of_three_joined_logs_is_lost() -> None:
    for three in itertools.combinations(map(bare, ROOMS.values()), 3):
        assert hands_of("".join(three)) == hands_of(*three)


def test_files_of_one_hand_in_phh_are_joined_by_cat() -> None:
    for last in (
        "seat_count = 22",
        "city = 'USD'",
        "ante_trimming_status = true",
        "day = 2026-01-02",
    ):
        for first in ("", "# a comment\n", "author = 'Ann'\n", "[1]\n"):
            one = f"{first}{bare(ROOMS['full-house.phh'])}\n{last}"
            assert not isinstance(next(read_text(one, "a")), Problem)
            assert hands_of(one + one + one) == hands_of(one, one, one)


def test_saunds_hands_need_no_blank_line_where_files_are_joined() -> None:
    hands = [bare((SAMPLES / f"{name}.stud").read_text()) for name in ("showdown", "steal")]
    seats = [re.sub(r"^won:.*\n", "", hand, flags=re.M).rstrip("\n") for hand in hands]
    headed = [f"table: {n}\n{hand}" for n, hand in enumerate(hands)]
    for one, other in (hands, headed, (headed[0], hands[1])):
        assert hands_of(one + other) == hands_of(one, other)
        assert hands_of(one.rstrip() + other) == hands_of(one, other)
    assert hands_of(seats[0] + seats[1]) == hands_of(*seats)
    # A seat that is typed twice is a fault of one hand.
    twice = hands[0].replace("\n2 ", "\n1 ", 1)
    assert len(hands_of(twice)) == 1


def test_places_are_those_of_the_file() -> None:
    for name, text in ROOMS.items():
        first, second = ROOMS["simulated-kingsclub.txt"], bare(text)
        lines = (first + second).split("\n")
        at = first.count("\n") + 1
        own = list(read_text(second, "a"))
        joined = list(read_text(first + second, "a"))[-len(own) :]
        shift = len(lines[at - 1]) - len(second.split("\n")[0])
        for alone, found in zip(own, joined, strict=True):
            assert isinstance(alone, History)
            assert isinstance(found, History)
            assert found.source.line == alone.source.line + at - 1
            for before, after in zip(alone.events, found.events, strict=True):
                assert after.line == before.line + at - 1, name
                assert after.column == before.column + shift * (before.line == 1)


def test_a_problem_in_the_joined_line_has_its_column_in_the_file(tmp_path: Path) -> None:
    file = tmp_path / "joined.stud"
    first = ROOMS["simulated-winamax.txt"]
    file.write_text(f"{first}1 Ann | ?? ?? | Qh r | 11h c\n2 Ben | ?? ?? | 3d .B\n")
    line = first.split("\n")[-1] + "1 Ann | ?? ?? | Qh r | 11h c"
    found = run("check", str(file))
    place = f"joined.stud:{first.count(chr(10)) + 1}:{line.index('11h') + 1}: "
    assert place in found.stderr
    shown, caret = found.stderr.split("\n")[1:3]
    assert shown[caret.index("^") :].startswith("11h c")
    assert found.stdout == "5 hands: 4 accepted, 1 refused\n"


def test_the_hand_at_the_joined_line_is_the_one_that_begins_there() -> None:
    first, second = ROOMS["simulated-winamax.txt"], bare(ROOMS["simulated-pokerstars.txt"])
    log = LogReader(iter([first + second]), "a", None)
    (hand,), _ = log.at(first.count("\n") + 1)
    assert isinstance(hand, History)
    assert hand.source.dialect == "pokerstars"
    end = hand.end_line
    assert (
        log.text(hand.source.line, end)
        == "\n".join(second.split("\n")[: end - hand.source.line + 1]) + "\n"
    )


@pytest.mark.parametrize("size", [1, 700, 1 << 20])
def test_pieces_of_joined_logs_are_those_of_the_file(size: int) -> None:
    text = "".join(map(bare, ROOMS.values()))
    parts = (text[at : at + 1000] for at in range(0, len(text), 1000))
    found: list[Reading] = []
    line = 1
    for piece in LogReader(parts, "a", None).pieces(size):
        assert isinstance(piece, LogPiece)
        assert piece.first_line == line
        line += piece.text.count("\n")
        found += piece.read("a")
    assert line == text.count("\n") + 1
    assert list(map(told, found)) == hands_of(*map(bare, ROOMS.values()))


# What only looks like a first line


@pytest.mark.parametrize(
    "line",
    [
        f'Hero said, "{HEADER}"',
        f'Hero said, "Hero: folds{HEADER}"',
        f"Hero: folds with {HEADER}",
        f"Hero is sitting out{HEADER}",
        f"{HEADER.split(':', maxsplit=1)[0]}: folds",
    ],
)
def test_a_line_that_names_a_hand_does_not_begin_one(line: str) -> None:
    lines = ROOMS["simulated-fulltilt.txt"].split("\n")
    lines.insert(len(lines) // 2, line.replace("Hero", "Ann"))
    assert len(hands_of("\n".join(lines))) == len(hands_of(ROOMS["simulated-fulltilt.txt"]))


@pytest.mark.parametrize("chat", ["x folds", "Ann folds", "Ann: checks", "nice hand"])
def test_chat_that_says_play_and_a_first_line_is_chat(chat: str) -> None:
    lines = ROOMS["simulated-fulltilt.txt"].split("\n")
    before = hands_of("\n".join(lines))
    seated = next(n for n, line in enumerate(lines) if " antes " in line)
    lines.insert(seated + 1, f"Ben: {chat}{HEADER}")
    after = list(read_text("\n".join(lines), "a"))
    assert len(after) == len(before)
    assert all(isinstance(one, History) and replay(one).problem is None for one in after)


def test_a_player_named_like_a_first_line_plays_on() -> None:
    for name in ("a PokerStars Hand #5", "xFull Tilt Poker Game #12", "a#1: x - 1/2", "Hand #7 - "):
        text = re.sub(r"\bAnn\b", name, ROOMS["simulated-pokerstars.txt"])
        found = list(read_text(text, "a"))
        assert len(found) == len(hands_of(ROOMS["simulated-pokerstars.txt"]))
        assert {one.source.dialect for one in found if isinstance(one, History)} == {"pokerstars"}


def test_a_comment_that_names_a_hand_begins_none() -> None:
    hand = (SAMPLES / "showdown.stud").read_text().rstrip("\n")
    for comment in (HEADER, " #12: Limit Seven Card Stud - 44/88", " hand: 12"):
        assert len(hands_of(f"{hand} # {comment}")) == 1


def test_each_first_line_has_one_of_its_words() -> None:
    assert _words("PokerStars (?:Home Game |Zoom )?(?:Hand|Game) #") == ("PokerStars ",)
    assert _words(r"(?:Everleaf #(?:[0-9]+ *)?|[*]{5} Hand history)") == (
        *("Everleaf #", " Hand history"),
    )
    assert _words("Full ?Tilt ?Poker Game #") == ("Poker Game #",)
    assert _words("ab?cd|x{2,3}yz") == ()


# Encodings


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-16"])
@pytest.mark.parametrize("cut", range(0, 9))
def test_utf_16_that_is_cut_swallows_no_line_of_utf_8(encoding: str, cut: int) -> None:
    first, second = bare(ROOMS["simulated-kingsclub.txt"]), bare(ROOMS["simulated-pokerstars.txt"])
    wide = f"{first}\n".encode(encoding)
    found = list(read_stream(io.BytesIO(wide[: len(wide) - cut] + second.encode()), "a"))
    last = len(hands_of(second))
    assert list(map(told, found[-last:])) == hands_of(second)
    assert len(found) == len(hands_of(first)) + last
    if cut < 3:  # only the line end is lost, or half of it
        assert list(map(told, found[:-last])) == hands_of(first)


# Real logs


@pytest.mark.thorough
@pytest.mark.parametrize("between", ["", "\n"])
def test_pairs_of_real_logs(real_hands: Path, between: str) -> None:
    logs: dict[str, str] = {}
    for path in sorted(real_hands.rglob("*")):
        if path.suffix in (".txt", ".xml", ".phh") and path.stat().st_size < 20_000:
            logs.setdefault(f"{path.parent.name}{path.suffix}", decode(path.read_bytes()).rstrip())
    assert len(logs) > 8
    for end, begin in itertools.product(logs.values(), repeat=2):
        assert hands_of(end + between + begin) == hands_of(end, begin)
