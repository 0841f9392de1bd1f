"""Texts without an end: hands that are passed over, and what is read all the same."""

from __future__ import annotations

import io
import sys
import tracemalloc
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handread.formats.log_reader import LogReader, read_bytes
from handread.formats.registry import dialect_named
from handread.formats.text import TextPart, cut_up, plain_line_ends, text_pieces
from handread.history import History, Problem
from tests.examples import examples, few
from tests.program import SAMPLES
from tests.readings import contents, in_pieces

LIMIT = 3_000
LOGS = ["simulated-pokerstars.txt", "simulated.stud", "simulated.phhs"]


@pytest.fixture(autouse=True, scope="module")
def low_limit() -> Iterator[None]:
    """Hands that are too long at a few thousand characters."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("handread.formats.text.LONGEST", LIMIT)
        patch.setattr(sys.modules["handread.formats.log_reader"], "LONGEST", LIMIT)
        yield


def hands(name: str) -> list[str]:
    """The texts of the hands of a sample, none too long."""
    cut = dialect_named(
        {"txt": "pokerstars", "stud": "saund", "phhs": "phh"}[name.split(".")[1]]
    ).cut
    text = plain_line_ends((SAMPLES / name).read_text())
    found: list[str] = []
    while at := cut(text):
        found.append(text[at:])
        text = text[:at]
    short = [hand for hand in reversed(found) if len(hand) < LIMIT - 100]
    assert len(short) > 2
    return short


@pytest.mark.parametrize("name", LOGS)
@examples(15)
@given(data=st.data(), size=st.integers(1, 9000), bit=st.integers(100, 9000))
def test_what_is_passed_over_does_not_depend_on_the_pieces(
    name: str, data: st.DataObject, size: int, bit: int
) -> None:
    junk = st.sampled_from(["x", "x\n", "\n", " ", "*** RIVER ***\n", "1 Ann | "])
    endless = st.builds(lambda text, n: text * n, junk, st.integers(1, 9000))
    log = data.draw(st.lists(st.sampled_from(hands(name)) | endless, min_size=1, max_size=6))
    text = hands(name)[0] + "".join(log)
    whole = in_pieces(text, name, 1 << 20, 1 << 20)
    assert list(map(contents, in_pieces(text, name, size, bit))) == list(map(contents, whole))


@pytest.mark.parametrize("name", LOGS)
@pytest.mark.parametrize("line", ["x", "x\n", "Ann: checks\n", "x" * (LIMIT // 2) + "\n"])
def test_the_neighbours_of_a_hand_without_an_end_are_kept(name: str, line: str) -> None:
    first, second, third = hands(name)[:3]
    end = "\n\n" if name.endswith(".stud") else "\n"
    endless = line * (4 * LIMIT // len(line)) + end
    # In Saund's notation what has no blank line is one hand; elsewhere it belongs to the second.
    text = first + second.rstrip() + "\n" + endless + third
    before, problem, after = in_pieces(text, name, 500, 700)
    assert problem.line == first.count("\n") + 1
    assert problem.text == second.split("\n")[0]
    assert "does not end within 3,000 characters" in problem.message
    shift = (text[: -len(third)]).count("\n")
    (alone,) = (one for one in LogReader(iter([third]), name, dialect_named(before.source.dialect)))
    assert after == alone
    assert after.source.line == alone.source.line + shift
    assert [event.line for event in after.events] == [event.line + shift for event in alone.events]


def test_a_hand_may_be_as_long_as_the_limit() -> None:
    hand = "x" * (LIMIT - 1) + "\n"
    for length, passed_over in ((LIMIT, False), (LIMIT + 1, True)):
        parts = list(cut_up(iter([hand.rjust(length)]), lambda text: 0, 100))
        assert "".join(part.text for part in parts) == hand.rjust(length)
        assert {part.passed_over for part in parts} == {passed_over}


def test_every_hand_without_an_end_is_a_problem_of_its_own() -> None:
    first, second, *_ = hands(LOGS[0])
    endless = second.rstrip() + "\n" + "Ann: checks\n" * LIMIT
    found = in_pieces(first + 3 * endless + first, LOGS[0], 500, 100_000)
    assert [isinstance(one, Problem) for one in found] == [False, True, True, True, False]
    lines = [one.line for one in found if isinstance(one, Problem)]
    n = endless.count("\n")
    assert lines == [first.count("\n") + 1 + k * n for k in range(3)]


def test_the_parts_are_the_text() -> None:
    text = "hand\n" + "x\n" * 5 * LIMIT + "hand\nx\n"
    parts = list(cut_up(iter([text]), lambda text: max(0, text.rfind("hand\n")), 100))
    assert "".join(part.text for part in parts) == text
    assert parts[-1] == TextPart("hand\nx\n")
    assert [part.begins for part in parts if part.passed_over].count(True) == 1


def test_at_a_line_of_a_hand_without_an_end_stands_its_problem() -> None:
    first, second, third, *_ = hands(LOGS[0])
    endless = second.rstrip() + "\n" + "Ann: checks\n" * LIMIT
    text = first + endless + endless + third

    def at(line: int) -> object:
        (found,), near = LogReader(iter([text]), LOGS[0], None).at(line)
        assert near == 0
        return found.line if isinstance(found, Problem) else found.hand_id

    a, b = first.count("\n") + 1, endless.count("\n")
    ids = [
        one.hand_id for one in in_pieces(first + third, LOGS[0], 9, 9) if isinstance(one, History)
    ]
    assert [at(1), at(a), at(a + b - 1), at(a + b), at(a + 2 * b - 1)] == [
        ids[0],
        a,
        a,
        a + b,
        a + b,
    ]
    assert at(a + 2 * b + 3) == ids[1]


@pytest.mark.thorough
@pytest.mark.parametrize("bit", few([b"x", b"\xff", b"\n", b"P\0o\0"]))
def test_memory_does_not_grow_with_an_endless_text(bit: bytes) -> None:
    hand = hands(LOGS[0])[0].encode()
    list(read_bytes(hand, "-"))  # what is compiled once does not count
    stream = io.BytesIO(hand * 20 + bit * (300_000 // len(bit)) + b"\n" + hand)
    tracemalloc.start()
    found = list(LogReader(text_pieces(stream, 1 << 14), "-", dialect_named("pokerstars")).pieces())
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert [isinstance(one, Problem) for one in found[-3:]] == [False, True, False]
    assert peak < 250_000


def test_a_blank_text_is_not_held() -> None:
    blank = (" " * 999 + "\n" for _ in range(1_000_000))
    (problem,) = LogReader(blank, "a.txt", None)
    assert "blank" in problem.message
    assert next(blank, None)
    (problem,) = LogReader(iter([" \n" * 100]), "a.txt", None)
    assert "the file is empty" in str(problem)
