"""Folders among the files to read, and sessions with hands of other games."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import handread
from handread.formats.registry import writer_named
from handread.game.rules import NOT_BY_READER, RAZZ, STUD8, game_name
from handread.history import Problem
from handread.tables.read import open_tables
from tests.hands import ROOM_STAKES, random_hand
from tests.printing import out
from tests.program import SAMPLES, run


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of three hands of stud, with what is not read in it."""
    place = tmp_path / "hands"
    (place / "sub").mkdir(parents=True)
    shutil.copy(SAMPLES / "steal.stud", place / "b.stud")
    shutil.copy(SAMPLES / "pokerstars.txt", place / "sub" / "a.txt")
    (place / ".hidden").write_text("x")
    (place / "tables").mkdir()
    (place / "tables" / "handread.json").write_text("{}")
    (place / "tables" / "x.txt").write_text("x")
    return place


def test_python_reads_folders(folder: Path) -> None:
    hands = handread.read_hands(folder)
    assert not any(isinstance(hand, Problem) for hand in hands)
    assert [Path(hand.source.file).name for hand in hands if not isinstance(hand, Problem)] == [
        "b.stud",
        "a.txt",
        "a.txt",
    ]


@pytest.fixture
def session(tmp_path: Path) -> Path:
    """Two hands of stud and one of razz, of hi/lo and of Hold'em each."""
    text = (SAMPLES / "pokerstars.txt").read_text()
    hands = [text, text[: text.rindex("PokerStars Hand")].replace("7 Card Stud", "Hold'em")]
    for game in (RAZZ, STUD8):
        hands.append(
            writer_named("pokerstars").write(out(random_hand(1, 3, ROOM_STAKES, game=game)))
        )
    path = tmp_path / "mixed.txt"
    path.write_text("\n".join(hands))
    return path


def test_other_games_are_counted_on_one_line(session: Path) -> None:
    done = run("check", str(session))
    assert done.stdout == "5 hands: 4 accepted, 0 refused, 1 of other games\n"
    (line,) = done.stderr.splitlines()
    assert line == "not read: 1 Hold'em; handread reads fixed-limit stud only (-v lists them)"
    assert done.returncode == 0
    listed = run("check", "-v", str(session))
    assert len(listed.stderr.splitlines()) == 2
    assert f"{session}:" in listed.stderr
    assert "(expected" not in listed.stderr
    assert run("check", "--strict", str(session)).returncode == 1


def test_one_damaged_hand_is_not_buried(session: Path) -> None:
    text = session.read_text()
    session.write_text(text.replace("*** 4th STREET ***", "*** 4th STRET ***", 1))
    done = run("check", str(session))
    assert done.returncode == 1
    assert done.stdout == "5 hands: 3 accepted, 1 refused, 1 of other games\n"


def test_nothing_but_other_games_is_no_success(tmp_path: Path) -> None:
    session = tmp_path / "holdem.txt"
    text = (SAMPLES / "pokerstars.txt").read_text()
    session.write_text(text.replace("7 Card Stud Limit", "Hold'em Limit"))
    for command in (["report", "-o", str(tmp_path / "out")], ["convert", "--to", "phh"]):
        assert run(*command, str(session)).returncode == 1


@pytest.mark.thorough
def test_the_index_counts_other_games(session: Path, tmp_path: Path) -> None:
    out = tmp_path / "pages"
    assert run("report", "--policy", "uniform", str(session), "-o", str(out)).returncode == 0
    page = (out / "index.html").read_text()
    lead = "4 hands, 1 of other games (1 Hold'em), policy uniform."
    assert f'<p class="lead">{lead}' in page.replace("&#39;", "'")
    assert "Refused" not in page


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Hold'em No Limit", "Hold'em"),
        ("Limit Holdem", "Hold'em"),
        ("Pot Limit Omaha Hi", "Omaha"),
        ("Omaha Hi/Lo Limit", "Omaha hi/lo"),
        ("Limit Omaha H/L", "Omaha hi/lo"),
        ("Razz Limit (tournament)", "razz"),
        ("Triple Draw 2-7 Lowball Limit", "2-7 triple draw"),
        ("Limit 2-7 Triple Draw", "2-7 triple draw"),
        ("Limit Courchevel", "Courchevel"),
        ("Limit", "Limit"),
    ],
)
def test_a_game_has_one_name(title: str, name: str) -> None:
    assert game_name(title) == name


@pytest.mark.thorough
def test_games_that_a_reader_does_not_read_are_counted(tmp_path: Path) -> None:
    files = [str(SAMPLES / name) for name in ("razz.stud", "showdown.stud")]
    done = run("analyze", *files, "--reader", "loki")
    assert done.returncode == 0
    assert "not analyzed: 12 razz; the reader does not read this game" in done.stderr
    assert "13 accepted (12 of them not analyzed), 0 refused" in done.stderr
    done = run("score", *files, "--reader", "loki", "-o", str(tmp_path / "tables"))
    assert "not analyzed: 12 razz; the reader does not read this game" in done.stderr
    tables = open_tables(tmp_path / "tables")
    assert tables.other_games(NOT_BY_READER) == {"razz": 12}
    assert tables.first_rejects(9) == []
