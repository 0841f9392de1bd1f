"""Logs of several rooms in one text, with line ends between them or without: no hand is lost."""

from __future__ import annotations

import io
import itertools
import re
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
from handread.game.replay import replay
from handread.history import History
from handread.sessions.opening import InputFile
from handread.tables.pieces import pieces
from tests.decoding import decode
from tests.examples import examples, few
from tests.invented_logs import EVERLEAF_JULY, INVENTED, LIKE_STARS
from tests.logs import log
from tests.program import LOGS, SAMPLES, run

WHOLE = ("full-house.phh", "ipoker.xml", "merge.xml", "bovada.txt")
ROOMS = {
    path.name: path.read_text(encoding="utf-8").rstrip("\n")
    for path in LOGS
    if path.name.startswith("simulated") or path.name in WHOLE
}
"""A log of every format without its final line end."""

STARS, TILT = ROOMS["simulated-pokerstars.txt"], ROOMS["simulated-fulltilt.txt"]
HEADER = "PokerStars Hand #5:  7 Card Stud Limit ($0.50/$1.00 USD) - 2026/03/14 20:15:09 ET"


def bare(text: str) -> str:
    """A text without the comments above its first hand, as rooms write none."""
    return re.sub(r"\A(?:#(?![0-9]).*\n|<!--.*?-->\n|\n)+", "", text)


def told(reading: Reading) -> object:
    """All that a reading says but for its place."""
    if isinstance(reading, Problem):
        return reading.message, reading.expected, reading.text, reading.dialect
    problems = [problem.message for problem in reading.problems]
    return reading.source.dialect, reading.hand_id, reading.variant, reading, problems


@cache
def alone(text: str) -> list[object]:
    return list(map(told, read_text(text, "a")))


def hands_of(*texts: str) -> list[object]:
    return [one for text in texts for one in alone(text)]


@cache
def text_of(path: Path) -> str:
    text = plain_line_ends(decode(path.read_bytes()))
    return text if text.endswith("\n") else f"{text}\n"


@cache
def one_of_each() -> dict[str, str]:
    """A sample of every dialect."""
    found: dict[str, str] = {}
    for text in map(text_of, LOGS):
        first = next(iter(read_text(text, "a")))
        found.setdefault(first.source.dialect, text)
    found |= {name: INVENTED[name] for name in LIKE_STARS}
    assert set(found) == {dialect.name for dialect in dialects()}
    return found


def line_of(reading: Reading) -> int:
    return reading.line if isinstance(reading, Problem) else reading.source.line


BETWEEN = ["", pytest.param("\n", marks=pytest.mark.thorough)]


@pytest.mark.parametrize("between", BETWEEN, ids=["joined", "apart"])
@pytest.mark.parametrize("first", few(sorted(ROOMS), 4))
def test_no_hand_of_two_joined_logs_is_lost(first: str, between: str) -> None:
    end = ROOMS[first] + between
    for n, (second, text) in enumerate(list(ROOMS.items())[:: 5 if between else 1]):
        # Every fifth with the comments above its first hand, too.
        for begin in (text, bare(text)) if n % 5 == 0 else (bare(text),):
            assert hands_of(end + begin) == hands_of(end, begin), second


@pytest.mark.thorough
def test_no_hand_of_three_joined_logs_is_lost() -> None:
    """Every room in the middle, behind and before two others of the rooms."""
    logs = list(map(bare, ROOMS.values()))
    for near, far in ((1, 2), (5, 9)):
        for n in range(len(logs)):
            three = [logs[(n + step) % len(logs)] for step in (0, near, far)]
            assert hands_of("".join(three)) == hands_of(*three)


@pytest.mark.thorough
@pytest.mark.parametrize("between", ["", "\n"])
def test_pairs_of_real_logs(real_hands: Path, between: str) -> None:
    logs: dict[str, str] = {}
    for path in sorted(real_hands.rglob("*")):
        if path.suffix in (".txt", ".xml", ".phh") and path.stat().st_size < 20_000:
            logs.setdefault(f"{path.parent.name}{path.suffix}", decode(path.read_bytes()).rstrip())
    assert len(logs) > 8
    for end, begin in list(itertools.product(logs.values(), repeat=2))[:: 3 if between else 2]:
        assert hands_of(end + between + begin) == hands_of(end, begin)


def test_files_of_one_hand_in_phh_are_joined_by_cat() -> None:
    whole = text_of(SAMPLES / "full-house.phh")
    assert hands_of(whole + whole + whole) == hands_of(whole, whole, whole)
    ends = ("seat_count = 22", "city = 'USD'", "ante_trimming_status = true", "day = 2026-01-02")
    for last in ends:
        for first in ("", "# a comment\n", "author = 'Ann'\n", "[1]\n"):
            one = f"{first}{bare(ROOMS['full-house.phh'])}\n{last}"
            assert not isinstance(next(read_text(one, "a")), Problem)
            assert hands_of(one + one + one) == hands_of(one, one, one)


def test_cards_in_brackets_at_the_end_of_a_log_are_no_header_of_phh() -> None:
    begin = EVERLEAF_JULY[: EVERLEAF_JULY.index("**** dealing 4th")]
    shown = begin + log("everleaf-july-shown.txt")
    assert shown.endswith(" [ Qd, Qs, Js, 8d, 7h ]\n")
    assert hands_of(shown + ROOMS["full-house.phh"]) == hands_of(shown, ROOMS["full-house.phh"])


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
    first, second = ROOMS["simulated-winamax.txt"], bare(STARS)
    reader = LogReader(iter([first + second]), "a", None)
    (hand,), _ = reader.at(first.count("\n") + 1)
    assert hand.source.dialect == "pokerstars"
    n_lines = hand.end_line - hand.source.line + 1
    text = reader.text(hand.source.line, hand.end_line)
    assert text == "\n".join(second.split("\n")[:n_lines]) + "\n"


@pytest.mark.thorough
@examples(40)
@given(
    st.lists(st.sampled_from(LOGS), min_size=1, max_size=5),
    st.booleans(),
    st.integers(1, 9000),
    st.integers(20, 9000),
)
def test_joined_samples_do_not_depend_on_the_pieces(
    paths: list[Path], apart: bool, size: int, bit: int
) -> None:
    # In Saund's notation a blank line ends a hand.
    texts = [text_of(path) if apart else bare(text_of(path)).rstrip("\n") for path in paths]
    text = "\n".join(texts) if apart else "".join(texts)
    bits = (text[at : at + bit] for at in range(0, len(text), bit))
    found: list[Reading] = []
    lines = 1
    for piece in LogReader(bits, "joined", None).pieces(size):
        assert piece.first_line == lines
        lines += piece.text.count("\n")
        found += piece.read("joined")
    assert lines == text.count("\n") + 1
    assert list(map(told, found)) == (hands_of(*texts) if apart else alone(text))


@examples(30)
@given(st.lists(st.sampled_from(LOGS), min_size=2, max_size=4), st.data())
def test_a_log_that_grows_by_another_room_keeps_its_pieces(
    paths: list[Path], data: st.DataObject
) -> None:
    text = "\n".join(map(text_of, paths))
    shorter = text[: data.draw(st.integers(1, len(text)))]
    before, after = (
        list(read_stream(io.BytesIO(part.encode()), "log").pieces(1 << 15))
        for part in (shorter, text)
    )
    if isinstance(before[0], LogPiece) and before[0].dialect == getattr(after[0], "dialect", ""):
        assert before[:-1] == after[: len(before) - 1]


# What only looks like a first line


@pytest.mark.parametrize(
    "line",
    [
        f'Ann said, "{HEADER}"',
        f'Ann said, "Ann: folds{HEADER}"',
        f"Ann: folds with {HEADER}",
        f"Ann is sitting out{HEADER}",
        f"{HEADER.split(':', maxsplit=1)[0]}: folds",
    ],
)
def test_a_line_that_names_a_hand_does_not_begin_one(line: str) -> None:
    lines = TILT.split("\n")
    lines.insert(len(lines) // 2, line)
    assert len(hands_of("\n".join(lines))) == len(alone(TILT))


@pytest.mark.parametrize("chat", ["x folds", "Ann folds", "Ann: checks", "nice hand"])
def test_chat_that_says_play_and_a_first_line_is_chat(chat: str) -> None:
    lines = TILT.split("\n")
    seated = next(n for n, line in enumerate(lines) if " antes " in line)
    lines.insert(seated + 1, f"Ben: {chat}{HEADER}")
    after = list(read_text("\n".join(lines), "a"))
    assert len(after) == len(alone(TILT))
    assert all(isinstance(one, History) and replay(one).problem is None for one in after)


@pytest.mark.thorough
def test_a_player_named_like_a_first_line_plays_on() -> None:
    for name in ("a PokerStars Hand #5", "xFull Tilt Poker Game #12", "a#1: x - 1/2", "Hand #7 - "):
        found = list(read_text(re.sub(r"\bAnn\b", name, STARS), "a"))
        assert len(found) == len(alone(STARS))
        assert {one.source.dialect for one in found if isinstance(one, History)} == {"pokerstars"}


def test_a_comment_that_names_a_hand_begins_none() -> None:
    hand = (SAMPLES / "showdown.stud").read_text().rstrip("\n")
    for comment in (HEADER, " #12: Limit Seven Card Stud - 44/88", " hand: 12"):
        assert len(hands_of(f"{hand} # {comment}")) == 1
    comment = "#7: my home game - 1/2\n"
    for name in ("showdown.stud", "full-house.phh"):
        text = text_of(SAMPLES / name)
        assert hands_of(f"{comment}\n{comment}{text}") == alone(text)


FIRST_LINES = {
    "fulltilt": "Full Tilt Poker Game #1: Table Elm - $2/$4 Ante $0.40 - Limit Stud Hi - "
    "20:15:09 ET - 2026/03/14",
    "kingsclub": "#12: Limit Seven Card Stud - 44/88",
    "pokerstars": HEADER,
    "winning-old": "Game started at: 2016/8/2 11:17:19",
}


@pytest.mark.parametrize("name", sorted(FIRST_LINES))
def test_a_first_line_that_is_said_in_a_hand_is_none(name: str) -> None:
    for dialect, text in one_of_each().items():
        if dialect == name or text.startswith("<"):
            continue
        before, after = ("# ", '"') if dialect in ("phh", "saund") else ("Ann: ", "")
        lines = text.rstrip().split("\n")
        lines.insert(-1, f"{before}{FIRST_LINES[name]}{after}")
        found = read_text("\n".join(lines), "a")
        assert {getattr(one, "source", one).dialect for one in found} == {dialect}


def test_part_of_a_first_line_inside_of_a_hand_is_none() -> None:
    lines = text_of(SAMPLES / "pokerstars.txt").split("\n")
    for part in (
        "Winamax Poker - the best",
        "Stage #12: up next",
        "Hand #12 - mine",
        "#1: x - 1/2",
    ):
        text = "\n".join([*lines[:10], part, *lines[10:]])
        found = {getattr(one, "source", one).dialect for one in read_text(text, "a")}
        assert found == {"pokerstars"}


def test_a_damaged_first_line_behind_a_blank_one_begins_a_hand() -> None:
    damaged = ROOMS["simulated-winamax.txt"].replace("Winamax Poker - ", "Winamax Poker - x", 1)
    *hands, problem = list(read_text(f"{TILT}\n\n{damaged}", "a"))[: len(alone(TILT)) + 1]
    assert list(map(told, hands)) == alone(TILT)
    assert problem.dialect == "winamax"


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
    samples = dict(one_of_each())
    samples["torn"] = "\n".join(samples["merge"].split("\n")[3:])
    found = list(read_text(OUTSIDE[what].format(**samples), "a"))
    assert sum(isinstance(one, Problem) or bool(one.problems) for one in found) == 1
    assert len(found) >= OUTSIDE[what].replace("{torn}", "").count("{")


def test_comments_and_blank_lines_belong_to_no_hand_and_are_no_problem() -> None:
    comment = "\n# a comment: PokerStars Hand #1\n\n"
    for text in one_of_each().values():
        assert hands_of(comment + text + comment) == alone(text)


def test_hands_behind_text_of_no_known_dialect_are_read() -> None:
    text = text_of(SAMPLES / "pokerstars.txt")
    unknown, *hands = read_text("call me Ishmael\n" * 20_000 + text, "a")
    assert "not look like a hand history" in unknown.message
    assert list(map(told, hands)) == alone(text)
    assert [line_of(one) - 20_000 for one in hands] == [line_of(o) for o in read_text(text, "a")]


def test_a_first_line_that_is_lost_does_not_hide_a_hand_of_everleaf() -> None:
    whole = ROOMS["simulated-everleaf.txt"]
    lines = whole.split("\n")
    torn = [line for line in lines if not line.startswith("Everleaf Gaming Game #")]
    assert len(torn) == len(lines) - len(alone(whole))
    assert hands_of("\n".join(torn)) == alone(whole)


# Who reads


def test_hands_of_another_room_are_refused_where_a_dialect_is_given() -> None:
    samples = one_of_each()
    titles = {one.name: one.title for one in dialects()}
    for asked, other in itertools.pairwise([*samples, *samples][: len(samples) + 1]):
        found = list(read_text(samples[asked] + samples[other] + samples[asked], "a", asked))
        own = alone(samples[asked])
        assert len(found) == 2 * len(own) + len(alone(samples[other]))
        assert list(map(told, found[: len(own)] + found[-len(own) :])) == [*own, *own]
        for one in found[len(own) : -len(own)]:
            assert one.message == f"this is a {titles[other]} hand"
            assert one.end_line > one.line


MIXED = ("merge.xml", "simulated-fulltilt.txt", "session.phhs", "pokerstars.txt", "showdown.stud")


def test_all_who_read_hands_read_all_of_them(tmp_path: Path) -> None:
    file = tmp_path / "mixed.txt"
    file.write_text("".join(text_of(SAMPLES / name) for name in MIXED))
    wanted = hands_of(*(text_of(SAMPLES / name) for name in MIXED))
    assert list(map(told, read_hands(file))) == wanted
    with file.open("rb") as stream:
        assert list(map(told, read_stream(stream, "a"))) == wanted
    scored = [one for piece in pieces(InputFile("a", file), None) for one in piece.readings()]
    assert list(map(told, scored)) == wanted
    for hand, at in zip(wanted, read_hands(file), strict=True):
        assert told(LogReader(iter([file.read_text()]), "a", None).at(line_of(at))[0][0]) == hand
    check = run("check", "--strict", "-", stdin=file.read_text())
    assert check.stdout == f"{len(wanted)} hands: {len(wanted)} accepted, 0 refused\n"
    assert check.returncode == 0


def test_a_room_of_ones_own_among_others(tmp_path: Path) -> None:
    grammar = tmp_path / "mine.toml"
    text = (SAMPLES.parent / "grammars" / "winamax.toml").read_text()
    grammar.write_text(text.replace("Winamax", "Wyvern").replace("winamax", "wyvern"))
    winamax = text_of(SAMPLES / "simulated-winamax.txt")
    own = winamax.replace("Winamax", "Wyvern")
    text, wanted = own, ["wyvern"] * len(alone(winamax))
    for name in ("pokerstars", "winamax", "merge", "saund", "phh"):
        text += one_of_each()[name] + own
        wanted += [name] * len(alone(one_of_each()[name])) + ["wyvern"] * len(alone(winamax))
    found = list(read_stream(io.BytesIO(text.encode()), "a", None, read_grammars([grammar])))
    assert [one.source.dialect for one in found if isinstance(one, History)] == wanted
    assert len(found) == len(wanted)


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-16"])
@pytest.mark.parametrize("cut", range(0, 9))
def test_utf_16_that_is_cut_swallows_no_line_of_utf_8(encoding: str, cut: int) -> None:
    first, second = bare(ROOMS["simulated-kingsclub.txt"]), bare(STARS)
    wide = f"{first}\n".encode(encoding)
    found = list(read_stream(io.BytesIO(wide[: len(wide) - cut] + second.encode()), "a"))
    last = len(hands_of(second))
    assert list(map(told, found[-last:])) == hands_of(second)
    assert len(found) == len(hands_of(first)) + last
    if cut < 3:  # only the line end is lost, or half of it
        assert list(map(told, found[:-last])) == hands_of(first)
