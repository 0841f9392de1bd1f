"""Logs of several rooms in one text: every hand is read, refused or counted."""

from __future__ import annotations

import io
import itertools
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handread import Problem, read_hands
from handread.formats.format import Reading
from handread.formats.log_reader import LogPiece, LogReader, read_stream, read_text
from handread.formats.registry import dialects, read_grammars
from handread.formats.text import plain_line_ends
from handread.tables.input_files import InputFile
from handread.tables.pieces import pieces
from tests.decoding import decode
from tests.examples import examples
from tests.program import LOGS, SAMPLES, run


def told(reading: Reading) -> object:
    """All that a reading says but for its lines."""
    if isinstance(reading, Problem):
        return reading.message, reading.expected, reading.text, reading.dialect
    problems = [problem.message for problem in reading.problems]
    return reading.source.dialect, reading.hand_id, reading.variant, reading, problems


@cache
def text_of(path: Path) -> str:
    text = plain_line_ends(decode(path.read_bytes()))
    return text if text.endswith("\n") else f"{text}\n"


@cache
def alone(path: Path) -> tuple[object, ...]:
    return tuple(map(told, read_text(text_of(path), path.name)))


@cache
def one_of_each() -> dict[str, Path]:
    """A sample of every dialect."""
    found: dict[str, Path] = {}
    for path in LOGS:
        first = next(iter(read_text(text_of(path), path.name)))
        assert not isinstance(first, Problem)
        found.setdefault(first.source.dialect, path)
    assert set(found) == {dialect.name for dialect in dialects()}
    return found


def assert_all_read(*paths: Path) -> None:
    """All of the hands of files that are joined end to end are those of each on its own."""
    found = read_text("".join(map(text_of, paths)), "joined")
    assert list(map(told, found)) == [one for path in paths for one in alone(path)]


@pytest.mark.thorough
def test_every_pair_of_dialects_is_read_whole() -> None:
    """In either order: of four samples A, B, C, D the texts are ABACADA, BCBDB, CDC and D."""
    samples = list(one_of_each().values())
    for n, sample in enumerate(samples):
        assert_all_read(sample, *(one for other in samples[n + 1 :] for one in (other, sample)))


def line_of(reading: Reading) -> int:
    return reading.line if isinstance(reading, Problem) else reading.source.line


@examples(40)
@given(
    st.lists(st.sampled_from(LOGS), min_size=1, max_size=5),
    st.integers(1, 9000),
    st.integers(20, 9000),
)
def test_joined_samples_do_not_depend_on_the_pieces(paths: list[Path], size: int, bit: int) -> None:
    # In Saund's notation a blank line ends a hand.
    text = "\n".join(map(text_of, paths))
    bits = (text[at : at + bit] for at in range(0, len(text), bit))
    found: list[Reading] = []
    lines = 1
    for piece in LogReader(bits, "joined", None).pieces(size):
        assert isinstance(piece, LogPiece)
        assert piece.first_line == lines
        lines += piece.text.count("\n")
        found += piece.read("joined")
    assert lines == text.count("\n") + 1
    assert list(map(told, found)) == [one for path in paths for one in alone(path)]


@examples(30)
@given(st.lists(st.sampled_from(LOGS), min_size=2, max_size=4), st.data())
def test_a_log_that_grows_by_another_room_keeps_its_pieces(
    paths: list[Path], data: st.DataObject
) -> None:
    text = "\n".join(map(text_of, paths))
    shorter = text[: data.draw(st.integers(1, len(text)))]
    before, after = (
        list(read_stream(io.BytesIO(log.encode()), "log").pieces(1 << 15))
        for log in (shorter, text)
    )
    if isinstance(before[0], LogPiece) and before[0].dialect == getattr(after[0], "dialect", ""):
        assert before[:-1] == after[: len(before) - 1]


# Lines that do not begin a hand of another room


FIRST_LINES = {
    "fulltilt": "Full Tilt Poker Game #1: Table Elm - $2/$4 Ante $0.40 - Limit Stud Hi - "
    "20:15:09 ET - 2026/03/14",
    "kingsclub": "#12: Limit Seven Card Stud - 44/88",
    "pokerstars": "PokerStars Hand #5:  7 Card Stud Limit ($0.50/$1.00 USD) - "
    "2026/03/14 20:15:09 ET",
    "winning-old": "Game started at: 2016/8/2 11:17:19",
}


@pytest.mark.parametrize("name", sorted(FIRST_LINES))
def test_a_first_line_that_is_said_in_a_hand_is_none(name: str) -> None:
    for dialect, path in one_of_each().items():
        if dialect == name or path.suffix == ".xml":
            continue
        chat = ("# ", '"') if dialect in ("phh", "saund") else ("Ann: ", "")
        lines = text_of(path).rstrip().split("\n")
        lines.insert(-1, f"{chat[0]}{FIRST_LINES[name]}{chat[1]}")
        found = read_text("\n".join(lines), path.name)
        assert {
            one.dialect if isinstance(one, Problem) else one.source.dialect for one in found
        } == {dialect}


def test_part_of_a_first_line_inside_of_a_hand_is_none() -> None:
    lines = text_of(SAMPLES / "pokerstars.txt").split("\n")
    for part in (
        "Winamax Poker - the best",
        "Stage #12: up next",
        "Hand #12 - mine",
        "#1: x - 1/2",
    ):
        text = "\n".join([*lines[:10], part, *lines[10:]])
        assert {getattr(one, "source", one).dialect for one in read_text(text, "a")} == {
            "pokerstars"
        }


def test_a_damaged_first_line_behind_a_blank_one_begins_a_hand() -> None:
    first, second = text_of(SAMPLES / "fulltilt.txt"), text_of(SAMPLES / "simulated-winamax.txt")
    damaged = second.replace("Winamax Poker - ", "Winamax Poker - x", 1)
    *hands, problem = list(read_text(f"{first}\n{damaged}", "a"))[
        : len(alone(SAMPLES / "fulltilt.txt")) + 1
    ]
    assert list(map(told, hands)) == list(alone(SAMPLES / "fulltilt.txt"))
    assert isinstance(problem, Problem)
    assert problem.dialect == "winamax"


def test_a_comment_of_a_notation_is_no_first_line() -> None:
    comment = "#7: my home game - 1/2\n"
    for name in ("showdown.stud", "full-house.phh"):
        found = read_text(comment + "\n" + comment + text_of(SAMPLES / name), "a")
        assert list(map(told, found)) == list(alone(SAMPLES / name))


# What belongs to no hand


OUTSIDE = {
    "text before a log": "once upon a time\n{pokerstars}",
    "fields of PHH before a log": "author = 'Ann'\nyear = 2026\n{pokerstars}",
    "text behind XML": "{merge}once upon a time\n",
    "much of nothing behind XML": "{ipoker}" + 2_000_000 * "<",
    "text between hands in XML": "{merge}hello there\n{merge}",
    "a hand in XML without its first line": "{merge}{torn}",
    "elements of a hand before another room's": "{torn}{pokerstars}",
    "text behind hands of PHH": "{phh}once upon a time\n",
    "text behind hands in Saund's notation": "{saund}\nonce upon a time\n",
}


@pytest.mark.parametrize("what", OUTSIDE)
def test_text_of_no_hand_is_a_problem(what: str) -> None:
    samples = {name: text_of(path) for name, path in one_of_each().items()}
    samples["torn"] = "\n".join(samples["merge"].split("\n")[3:])
    text = OUTSIDE[what].format(**samples)
    found = list(read_text(text, "a"))
    problems = [one for one in found if isinstance(one, Problem) or one.problems]
    assert len(problems) == 1
    whole = sum(text.count(f"{{{name}}}") for name in samples)
    assert len(found) - 1 >= whole


def test_comments_and_blank_lines_belong_to_no_hand_and_are_no_problem() -> None:
    comment = "\n# a comment: PokerStars Hand #1\n\n"
    for path in one_of_each().values():
        text = comment + text_of(path) + comment
        assert list(map(told, read_text(text, path.name))) == list(alone(path))


def test_hands_behind_text_of_no_known_dialect_are_read() -> None:
    path = SAMPLES / "pokerstars.txt"
    unknown, *hands = read_text("call me Ishmael\n" * 20_000 + text_of(path), "a")
    assert isinstance(unknown, Problem)
    assert "not look like a hand history" in unknown.message
    assert list(map(told, hands)) == list(alone(path))
    assert [line_of(hand) for hand in hands] == [
        20_000 + line_of(one) for one in read_text(text_of(path), "a")
    ]


def test_files_of_one_hand_in_phh_are_told_apart() -> None:
    path = SAMPLES / "full-house.phh"
    assert_all_read(path, path, path)


def test_a_first_line_that_is_lost_does_not_hide_a_hand_of_everleaf() -> None:
    path = SAMPLES / "simulated-everleaf.txt"
    whole = text_of(path).split("\n")
    torn = [line for line in whole if not line.startswith("Everleaf Gaming Game #")]
    assert len(torn) == len(whole) - len(alone(path))
    assert list(map(told, read_text("\n".join(torn), "a"))) == list(alone(path))


# A dialect that is given


def test_hands_of_another_room_are_refused_where_a_dialect_is_given() -> None:
    samples = one_of_each()
    for asked, other in itertools.pairwise([*samples, *samples][: len(samples) + 1]):
        text = text_of(samples[asked]) + text_of(samples[other]) + text_of(samples[asked])
        found = list(read_text(text, "a", asked))
        own, alien = alone(samples[asked]), alone(samples[other])
        assert len(found) == 2 * len(own) + len(alien)
        refused = found[len(own) : -len(own)]
        assert list(map(told, found[: len(own)] + found[-len(own) :])) == [*own, *own]
        title = next(one.title for one in dialects() if one.name == other)
        for one in refused:
            assert isinstance(one, Problem)
            assert one.message == f"this is a {title} hand"
            assert one.end_line > one.line


# Who reads


MIXED = ("merge.xml", "simulated-fulltilt.txt", "session.phhs", "pokerstars.txt", "showdown.stud")


def test_all_who_read_hands_read_all_of_them(tmp_path: Path) -> None:
    file = tmp_path / "mixed.txt"
    file.write_text("".join(text_of(SAMPLES / name) for name in MIXED))
    wanted = [one for name in MIXED for one in alone(SAMPLES / name)]
    assert list(map(told, read_hands(file))) == wanted
    with file.open("rb") as stream:
        assert list(map(told, read_stream(stream, "a"))) == wanted
    scored = [one for piece in pieces(InputFile("a", file), None) for one in piece.readings()]
    assert list(map(told, scored)) == wanted
    for log, at in zip(wanted, read_hands(file), strict=True):
        assert told(LogReader(iter([file.read_text()]), "a", None).at(line_of(at))[0][0]) == log
    check = run("check", "--strict", "-", stdin=file.read_text())
    assert check.stdout == f"{len(wanted)} hands: {len(wanted)} accepted, 0 refused\n"
    assert check.returncode == 0


def test_a_room_of_ones_own_among_others(tmp_path: Path) -> None:
    grammar = tmp_path / "mine.toml"
    text = (SAMPLES.parent / "grammars" / "winamax.toml").read_text()
    grammar.write_text(text.replace("Winamax", "Wyvern").replace("winamax", "wyvern"))
    own = text_of(SAMPLES / "simulated-winamax.txt").replace("Winamax", "Wyvern")
    known = read_grammars([grammar])
    names = ["pokerstars", "winamax", "merge", "saund", "phh"]
    log = own + "".join(text_of(one_of_each()[name]) + own for name in names)
    found = list(read_stream(io.BytesIO(log.encode()), "a", None, known))
    seen = [one.source.dialect for one in found if not isinstance(one, Problem)]
    n = len(alone(SAMPLES / "simulated-winamax.txt"))
    wanted = ["wyvern"] * n
    for name in names:
        wanted += [name] * len(alone(one_of_each()[name])) + ["wyvern"] * n
    assert seen == wanted
    assert len(found) == len(seen)
