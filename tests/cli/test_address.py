"""One hand by FILE:LINE: what a run over the whole file finds there, and nothing else read."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handread.formats.registry import writer_named
from handread.formats.room import Room
from handread.game.replay import replay, written_out
from handread.history import History, Problem
from handread.sessions.files import ReadSettings, Session
from handread.sessions.opening import Address, address_of, read_file
from tests.cli.test_report import made_by
from tests.examples import examples, few
from tests.program import LOGS, ONE_GAME, SAMPLES, Done, run_here
from tests.readings import contents
from tests.strategies import legal_hands

PRINTED = ("saund", "phh", "pokerstars", "fulltilt", "bovada")

Reading = History | Problem


def at(file: object, line: int, dialect: str | None = None) -> list[object]:
    """All that a session says of what it reads at a line."""
    return list(map(contents, Session([f"{file}:{line}"], ReadSettings(dialect)).readings()))


def covers(reading: Reading, line: int) -> bool:
    if isinstance(reading, Problem):
        return reading.line == line
    return reading.source.line <= line <= reading.end_line


def first_line(reading: Reading) -> int:
    return reading.line if isinstance(reading, Problem) else reading.source.line


def expected(whole: Sequence[Reading], line: int) -> list[object]:
    """What a whole run finds at a line."""
    return [contents(reading) for reading in whole if covers(reading, line)]


def hands_of(whole: Sequence[Reading]) -> list[History]:
    return [reading for reading in whole if isinstance(reading, History)]


# What is an address


@pytest.mark.parametrize(
    ("argument", "file", "line"),
    [
        ("log.txt:12", "log.txt", 12),
        ("log.txt:0", "log.txt", 0),
        ("log.txt:007", "log.txt", 7),
        ("-:3", "-", 3),
        ("-", "-", None),
        ("log.txt", "log.txt", None),
        ("log.txt:", "log.txt:", None),
        ("log.txt:-1", "log.txt:-1", None),
        ("log.txt:1.5", "log.txt:1.5", None),
        ("log.txt:١٢", "log.txt:١٢", None),
        ("nothing.txt:12", "nothing.txt:12", None),
        ("odd:12", "odd:12", None),
        ("odd:12:3", "odd:12", 3),
        (r"C:\x.txt", r"C:\x.txt", None),
        (r"C:\x.txt:12", r"C:\x.txt", 12),
        (":5", ":5", None),
        ("x" * 5000 + ":5", "x" * 5000 + ":5", None),
        ("a\0b:5", "a\0b:5", None),
        ("log.txt:" + "9" * 5000, "log.txt:" + "9" * 5000, None),
    ],
)
def test_what_is_an_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, argument: str, file: str, line: int | None
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("log.txt", "odd", "odd:12", r"C:\x.txt"):
        (tmp_path / name).touch()
    assert address_of(argument) == Address(file, line)


# The hand is the one of a whole run


@pytest.mark.parametrize("path", few(LOGS, 8), ids=lambda path: path.name)
def test_every_line_of_a_log_finds_its_hand(path: Path) -> None:
    whole = list(read_file(path))
    lines = path.read_text().count("\n") + 1
    # Some of the first lines, fewer of the later ones, which are of the same kinds, and all ends.
    ends = [line for hand in hands_of(whole) for line in (hand.source.line, hand.end_line)]
    around = {line + by for line in (*ends, lines) for by in (-1, 0, 1)}
    for line in sorted({*range(0, 25, 4), *range(25, lines, 19)} & set(range(lines)) | around):
        assert at(path, line) == expected(whole, line), line


def printed(hands: Sequence[History], name: str) -> str:
    """Those of the hands that the dialect can hold, as a file."""
    writer, texts = writer_named(name), []
    for hand in hands:
        ready = hand if name == "saund" else written_out(replay(hand))
        try:
            writer.write(ready)
        except ValueError:
            continue
        texts.append(ready)
    return "".join(writer.write_all(texts))


@pytest.mark.parametrize("name", PRINTED)
@examples(6)
@given(
    hands=st.lists(legal_hands(), min_size=1, max_size=2),
    junk=st.lists(st.sampled_from(["", "\n", "# a word\n\n"]), min_size=2, max_size=2),
    line_end=st.sampled_from(["\n", "\r\n"]),
    data=st.data(),
)
def test_every_line_of_printed_hands_finds_its_hand(
    tmp_path_factory: pytest.TempPathFactory,
    name: str,
    hands: list[History],
    junk: list[str],
    line_end: str,
    data: st.DataObject,
) -> None:
    text = junk[0] + printed(hands, name) + junk[1]
    if data.draw(st.booleans()):
        text = text.rstrip("\n")
    path = tmp_path_factory.getbasetemp() / f"printed-{name}.log"
    path.write_text(text.replace("\n", line_end), newline="")
    whole = list(read_file(path, name))
    lines = text.count("\n") + 1
    chosen = data.draw(st.lists(st.integers(1, lines), min_size=2, max_size=4))
    for line in {0, *map(first_line, whole), *chosen, lines, lines + 1}:
        if hands_of(whole):
            assert at(path, line, name) == expected(whole, line), line


def test_the_other_hands_are_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "long.txt"
    path.write_text((SAMPLES / "simulated-pokerstars.txt").read_text() * 30)
    last = hands_of(list(read_file(path)))[-1]
    sizes = []
    read = Room.read

    def counting(self: Room, text: str, *where: object) -> object:
        sizes.append(len(text))
        return read(self, text, *where)

    monkeypatch.setattr(Room, "read", counting)
    assert at(path, last.source.line) == [contents(last)]
    assert sum(sizes) < path.stat().st_size / 20


ALONE = "read alone: what other hands tell about the players may change the figures\n"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("decisions {log}:64", True),
        ("decisions {log}:4 {log}:64 --top 0", True),
        ("decisions {log} --hand #2", True),
        ("decisions {log}", False),
        ("decisions {log}:64 --policy people-average", False),
        ("report {log}:64 -o {out}", True),
        ("report {log} --hand #2 -o {out}", True),
        ("report {log} -o {out}", False),
        ("{log}:64", True),
        ("{log}", False),
        ("analyze {log}:64", False),
    ],
)
def test_a_hand_of_a_log_that_is_read_alone_is_said_to_be(
    words: str, told: bool, tmp_path: Path, folders_of_its_own: Path
) -> None:
    log, out = str(SAMPLES / "pokerstars.txt"), str(tmp_path / "pages")
    done = run_here(*(word.format(log=log, out=out) for word in words.split()))
    assert done.returncode == 0
    assert done.stderr.count(ALONE) == told


# What is no hand


def spoiled(name: str) -> str:
    """A log of which the first hand has a first line to be misread."""
    text = (SAMPLES / name).read_text()
    return re.sub(r"^(PokerStars Hand #\w+).*", r"\1: something else", text, count=1, flags=re.M)


def test_a_problem_is_reported_where_it_is(tmp_path: Path) -> None:
    path = tmp_path / "log.txt"
    path.write_text((SAMPLES / "pokerstars.txt").read_text() + "\n\n" + spoiled("pokerstars.txt"))
    whole = list(read_file(path))
    (problem,) = [reading for reading in whole if isinstance(reading, Problem)]
    assert at(path, problem.line) == at(path, problem.line + 1) == [problem]
    done = run_here("check", f"{path}:{problem.line}")
    assert done.returncode == 1
    assert str(problem) in done.stderr.replace("\n", "")
    assert "^" in done.stderr
    assert done.stdout == "0 hands: 0 accepted, 0 refused, 1 not understood\n"


def test_a_text_without_a_seat_is_a_problem_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "log.stud"
    good = (SAMPLES / "steal.stud").read_text().strip()
    path.write_text(f"{good}\n\nthis is no hand\nnor is this\n\n{good}\n")
    whole = list(read_file(path))
    problem = next(reading for reading in whole if isinstance(reading, Problem))
    lines = path.read_text().split("\n")
    begins = lines.index("this is no hand") + 1
    assert problem.line == begins
    assert at(path, begins)[0] == problem
    assert at(path, begins + 1) != []
    assert at(path, begins + 2) == []


@pytest.mark.parametrize("text", ["", "\n\n", "this is no log\nthat we know\n"])
def test_a_file_that_holds_nothing_says_so(tmp_path: Path, text: str) -> None:
    path = tmp_path / "log.txt"
    path.write_text(text)
    assert at(path, 2) == list(read_file(path)) != []


GAPS = [
    ("steal.stud:1", "steal.stud: no hand at line 1; the next begins at line 2"),
    ("steal.stud:99", "steal.stud: no hand at line 99; the one before begins at line 2"),
    ("steal.stud:0", "steal.stud: no hand at line 0; the next begins at line 2"),
    (
        "simulated.stud:" + "9" * 40,
        f"simulated.stud: no hand at line {'9' * 40}; the one before begins at line 32",
    ),
]


@pytest.mark.parametrize("command", ["analyze", "check", "convert", "report"])
@pytest.mark.parametrize(("argument", "message"), GAPS)
def test_where_no_hand_is_one_is_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, command: str, argument: str, message: str
) -> None:
    monkeypatch.chdir(SAMPLES)
    more = {"convert": ["--to", "phh"], "report": ["-o", str(tmp_path / "out")]}
    done = run_here(command, argument, *more.get(command, []))
    assert done.returncode == 2
    assert done.stderr.splitlines()[0] == message


@pytest.mark.parametrize("path", few(ONE_GAME, 4), ids=lambda path: path.name)
def test_the_hand_before_a_gap_is_named(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole = list(read_file(path))
    begins = [hand.source.line for hand in hands_of(whole)]
    lines = path.read_text().count("\n") + 1
    for line in range(1, lines + 3):
        if not expected(whole, line):
            list(Session([f"{path}:{line}"], ReadSettings()).readings())
            before = [one for one in begins if one <= line]
            which = "the one before" if before else "the next"
            near = (before or begins[:1])[-1]
            message = f"{path}: no hand at line {line}; {which} begins at line {near}\n"
            assert capsys.readouterr().err == message


@pytest.mark.thorough
def test_commands_take_addresses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(SAMPLES)
    whole = run_here("analyze", "--json", "session.phhs", "simulated.stud")
    lines = [json.loads(line) for line in whole.stdout.splitlines()]
    places = [f"{one['source']['file']}:{one['source']['line']}" for one in lines]
    picked = run_here("analyze", "--json", places[6], places[1], places[3])
    assert picked.returncode == 0
    assert [json.loads(line) for line in picked.stdout.splitlines()] == [
        lines[6],
        lines[1],
        lines[3],
    ]
    second = run_here("analyze", "--json", "--hand", "#2", *places)
    assert json.loads(second.stdout) == lines[1]


@pytest.mark.parametrize(
    "words",
    [("-:25",), ("--json", "-:25"), ("-:25", "--json"), ("--json", "--", "-:25"), ("-:25", "--")],
)
def test_standard_input_has_lines_too(words: tuple[str, ...]) -> None:
    text = (SAMPLES / "simulated.stud").read_text()
    done = run_here("check", *words, stdin=text)
    assert done.returncode == 0
    if "--json" in words:
        (wanted,) = [
            hand.source.line
            for hand in hands_of(list(read_file(SAMPLES / "simulated.stud")))
            if hand.source.line <= 25 <= hand.end_line
        ]
        assert json.loads(done.stdout)["source"] == {
            "file": "-",
            "line": wanted,
            "dialect": "saund",
        }
    else:
        assert done.stdout == "1 hand: 1 accepted, 0 refused\n"


def report(*words: str) -> Done:
    done = run_here("report", "--workers", "1", *words)
    assert done.returncode == 0, done.stderr
    return done


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "line", "page"),
    [("simulated.stud", 14, "line-0012-12000000001.html"), ("simulated-pokerstars.txt", 300, None)],
)
def test_a_page_is_made_again_by_its_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, line: int, page: str | None
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).write_bytes((SAMPLES / name).read_bytes())
    line = min(line, 200)
    report(f"{name}:{line}", "-o", "first", "--top", "5")
    (path,) = (tmp_path / "first").iterdir()
    assert page in (None, path.name)
    first = path.read_bytes()
    command = made_by(first)
    assert command == ["handread", "report", f"{name}:{line}", "--top", "5"]
    path.unlink()
    report(*command[2:], "-o", "first")
    assert path.read_bytes() == first


@pytest.mark.thorough
def test_a_page_leaves_the_session_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The index stays, and no page of another hand is written over."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "log.stud").write_text("1 Ann | ?? ?? | 3h .Bf\n2 Bob | ?? ?? | Kc r\n\n" * 3)
    report("log.stud")
    folder = tmp_path / "log-report"
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert "0002.html" in before
    done = report("log.stud:2")
    after = {path.name: path.read_bytes() for path in folder.iterdir()}
    (new,) = after.keys() - before.keys()
    assert done.stdout == f"1 hand: {Path('log-report', new)}\n"
    assert b"index.html" in after.pop(new)
    assert after == before


@pytest.mark.thorough
def test_some_hands_of_a_log_have_an_index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(SAMPLES)
    done = report("simulated.stud:32", "simulated.stud:2", "-o", str(tmp_path / "picks"))
    assert done.stdout == f"2 hands: {tmp_path / 'picks' / 'index.html'}\n"
    pages = sorted((tmp_path / "picks").glob("0*.html"))
    assert [path.name for path in pages] == ["0001-12000000003.html", "0002-12000000000.html"]
    command = made_by(pages[1].read_bytes())
    assert command[2:] == ["simulated.stud:32", "simulated.stud:2", "--hand", "#2"]
    second = pages[1].read_bytes()
    report(*command[2:], "-o", str(tmp_path / "picks"))
    assert len(second) > 0
    assert pages[1].read_bytes() == second
