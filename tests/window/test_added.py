"""Logs that are dropped or pasted: files, what is said of them, and samples for those without."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest
from starlette.testclient import TestClient

from handread.inference.readers import PolicyReader
from handread.window.marks import Marks
from handread.window.sample import samples
from handread.window.server import application
from handread.window.watching import Watch, added_logs, keep_log
from tests.program import ROOT, SAMPLES, run_here
from tests.window.conftest import DOOR, Window, workshop

LOG = (SAMPLES / "pokerstars.txt").read_text(encoding="utf-8")
EVENING = (ROOT / "docs" / "first-evening.txt").read_text(encoding="utf-8").split("\n\n\n")[:2]


def test_added_logs_become_files(tmp_path: Path) -> None:
    """The same log is one file, one that has grown takes its place, and names stay inside."""
    folder = tmp_path / "logs"
    assert keep_log(folder, "night.txt", b"one") == folder / "night.txt"
    assert keep_log(folder, "night.txt", b"one and two") == folder / "night.txt"
    assert keep_log(folder, "night.txt", b"one and two") == folder / "night.txt"
    assert keep_log(folder, "night.txt", b"another") == folder / "night 2.txt"
    assert keep_log(folder, "night.txt", b"another") == folder / "night 2.txt"
    names = [
        "../../etc/passwd",
        "..",
        "",
        "a\0b\n<b>",
        "CON:\\x",
        ".hidden",
        "x" * 999,
        "page.html",
    ]
    for name in names:
        path = keep_log(folder, name, name.encode() or b"empty")
        assert path.parent == folder
        assert not path.name.startswith(".")
        assert path.suffix in (".txt", "")
        assert path.read_bytes() == name.encode() or b"empty"
    assert len(list(folder.iterdir())) == 2 + len(names)


@pytest.mark.thorough
def test_what_was_added_is_shown_again(tmp_path: Path) -> None:
    """The log of the start, what was added and what was written since are there again."""
    log = tmp_path / "night.txt"
    folder, rows = added_logs(tmp_path, [str(log)]), list[object]()
    for hands in (1, 2):
        log.write_text("\n\n\n".join([*EVENING[:hands], ""]), encoding="utf-8")
        shop = workshop(added=folder)
        with shop.running():
            window = Window(shop)
            for path, name in Watch([str(log), *[str(folder)] * folder.is_dir()]).files():
                shop.add_file(path, name, 0.0)
            window.settle()
            if hands == 1:
                window.add(LOG, "more.txt")
            assert str(folder) in window.get("/mylogs")
        rows.append({row.key for row in shop.library.listing().rows})
    assert [len(one) for one in rows] == [3, 4]
    assert rows[0] < rows[1]


def test_a_log_that_cannot_be_written_is_an_answer(tmp_path: Path) -> None:
    (tmp_path / "logs").write_text("a file in the place of the folder", encoding="utf-8")
    shop = workshop(added=tmp_path / "logs")
    with shop.running():
        answer = Window(shop).client.post("/logs", params={"name": "a"}, content=LOG)
        assert answer.status_code == 507
        assert answer.text.startswith("it cannot be kept: ")
        assert shop.library.listing().rows == []


BASE = f"http://127.0.0.1:{DOOR.port}"
HOLDEM = (ROOT / "tests" / "window" / "holdem.txt").read_text(encoding="utf-8")


def answers(window: Window) -> list[str]:
    """What the pages were told of added logs so far."""
    return [text for _, text in window.news()["answers"]]


@pytest.mark.parametrize(
    ("start", "what"),
    [
        (b"\x89PNG\r\n", "this is a picture, not a hand history"),
        (b"%PDF-1.7", "this is a PDF, not text; save its text first"),
        (b"PK\x03\x04", "this is a zip archive, not text; unpack it first"),
    ],
)
def test_what_is_no_text_is_not_kept(window: Window, start: bytes, what: str) -> None:
    """The page says what it is, in the words of all commands, and under the name that it had."""
    window.add(start + b"\0" * 9, "it.png")
    (said,) = answers(window)
    assert said == f"it.png: added nothing, {what}."
    assert not window.shop.added.exists()


def test_an_answer_says_what_came_of_a_log(window: Window) -> None:
    """Hands that are new, that were here before, of other games, and text without hands."""
    folder = window.shop.added
    window.add(LOG, "night.txt")
    window.add(LOG, "again.txt")
    window.add(HOLDEM, "holdem.txt")
    window.add("a letter\n", "letter.txt")
    *said, letter = answers(window)
    assert said == [
        "night.txt: 2 hands added.",
        "again.txt: all 2 hands were here before.",
        "holdem.txt: added nothing, 1 hand of Hold'em, which is not read.",
    ]
    does_not = "this does not look like a hand history that handread can read"
    assert letter == f"letter.txt: added nothing, {does_not}."
    assert sorted(one.name for one in folder.iterdir()) == ["again.txt", "night.txt"]
    assert window.shop.library.listing().left_out == "2 repeated"
    for _ in range(2):  # at once
        window.client.post("/logs", params={"name": "night.txt"}, content=LOG)
    window.settle()
    assert answers(window)[-2:] == ["night.txt: all 2 hands were here before."] * 2
    window.add(LOG + "\n\n\n" + EVENING[0], "night.txt")  # it has grown
    assert answers(window)[-1] == "night.txt: 1 hand added; 2 hands were here before."
    last = window.news()["answers"][-1][0]
    assert window.client.get("/news", params={"seen": str(last)}).json()["answers"] == []
    times = [at for at, _ in window.shop.library.answers_since(1)]
    assert times == sorted(set(times))  # a page tells them apart by it


def test_what_holds_no_hand_is_answered_at_once() -> None:
    """It does not wait for the reading of other logs; what holds a hand does."""
    window = Window(workshop())  # nothing is read
    given = {"it.png": b"\x89PNG\r\n\0", "blank.txt": " \n", "holdem.txt": HOLDEM}
    given["night.txt"] = HOLDEM + "\n\n\n" + LOG
    for name, content in given.items():
        assert window.client.post("/logs", params={"name": name}, content=content).json()["name"]
    assert answers(window) == [
        "it.png: added nothing, this is a picture, not a hand history.",
        "blank.txt: added nothing, there is no hand, the file is empty.",
        "holdem.txt: added nothing, 1 hand of Hold'em, which is not read.",
    ]
    assert [one.name for one in window.shop.added.iterdir()] == ["night.txt"]
    assert len(window.shop.library.logs()) == 1


def test_many_hands_of_other_games_wait_their_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("handread.window.reading.LOOKED_AT", 2)
    shop = workshop()
    text = "\n\n\n".join(HOLDEM.replace("#1000001", f"#{n}") for n in (1, 2, 3))
    assert shop.add_text(text.encode(), "long.txt") == "long.txt"
    assert [one.waits for one in shop.library.logs()] == [True]
    with shop.running():
        Window(shop).settle()
    (said,) = [text for _, text in shop.library.answers_since(0)]
    assert said == "long.txt: added nothing, 3 hands of Hold'em, which is not read."
    assert not any(shop.added.iterdir())


def test_a_game_that_the_reader_does_not_read_is_counted_as_the_commands_count_it(
    window: Window, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(PolicyReader, "games", ("stud",))
    razz = LOG.replace("#9", "#8").replace("7 Card Stud", "Razz")
    log = tmp_path / "night.txt"
    log.write_text("\n\n\n".join([LOG, razz, HOLDEM]), "utf-8")
    window.add(log.read_text("utf-8"), "night.txt")
    told = "1 hand of Hold'em, which is not read; 2 hands of razz, which the reader does not read"
    assert answers(window) == [f"night.txt: 2 hands added; {told}."]
    left_out = window.shop.library.listing().left_out
    assert left_out == "2 not analyzed (2 razz), 1 of other games (1 Hold'em)"
    assert f"Left out: {left_out}: handread" in " ".join(run_here(str(log)).stdout.split())


def test_a_sample_is_a_session_of_its_own(tmp_path: Path) -> None:
    """The samples are offered where there are no hands, and mix with nothing."""
    own, *others = (workshop(added=tmp_path / "logs") for _ in range(3))
    kept = Marks(tmp_path / "sample.sqlite3")
    shown = samples(others, kept)
    shown[0].logs = "gallery/steal.stud"  # one hand of the evening would do, too
    with own.running():
        client = TestClient(application(own, DOOR, Marks(tmp_path / "own"), shown), base_url=BASE)
        client.get("/", params={"token": DOOR.token})
        page = client.get("/").text
        assert '<a class="button" href="sample/">A sample evening</a>' in page
        assert 'href="gallery/"' in page
        assert others[0].library.progress().found == 0  # nobody has looked at it yet
        assert "<h1>A sample evening</h1>" in client.get("/sample/").text
        Window.settle(SimpleNamespace(shop=others[0]))  # type: ignore[arg-type]
        assert [row.title for row in others[0].library.listing().rows] == ["Hand steal"]
        assert 'id="add-files"' not in client.get("/sample/").text
        assert client.get("/sample/0001-steal.html").status_code == 200
        assert client.get("/0001-steal.html").status_code == 404
        assert client.post("/sample/logs", content=LOG).status_code == 405
        assert own.library.listing().rows == []
        assert others[1].library.progress().found == 0
    others[0].ended.set()
