"""Stars, tags and notes of the window: nothing is lost, and nothing sent is taken on trust."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from handread import user_cache
from handread.window.marks import (
    DAYS,
    LONGEST_NOTE,
    LONGEST_TAG,
    MOST_TAGS,
    Mark,
    Marks,
    MarksError,
    marks_file,
    marks_of,
    now,
    user_folder,
)
from tests.pages import NASTY
from tests.program import ROOT, run
from tests.window.conftest import DOOR, Window, opened_here, workshop
from tests.window.test_command import LISTED, LOG

if TYPE_CHECKING:
    from tests.browser import Page


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "marks.sqlite"


def sent(*hands: object) -> str:
    return json.dumps({"schema": "handread.marks/1", "hands": hands})


def starred(key: str, note: str = "", changed: str = "") -> Mark:
    return Mark(key, True, ("bluff", "river"), note, changed)


def notes(marks: Marks) -> dict[str, str]:
    return {mark.key: mark.note for mark in marks.since()[1]}


def test_what_is_put_is_there_for_every_window(path: Path) -> None:
    first, second = Marks(path), Marks(path)
    assert first.since() == (0, [])
    assert not path.exists()
    first.put([starred("a", "one"), starred("b", "two")])
    revision, found = second.since()
    assert [mark._replace(changed="") for mark in found] == [
        starred("a", "one"),
        starred("b", "two"),
    ]
    second.put([starred("a", "three")])
    assert first.since()[0] > revision
    assert [mark.note for mark in first.since(revision)[1]] == ["three"]
    assert notes(first) == {"a": "three", "b": "two"}


def test_a_file_that_is_being_made_holds_nothing_yet(path: Path) -> None:
    """A page that is opened while another makes its first mark gets an answer, and at once."""
    path.parent.mkdir()
    path.touch()
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert Marks(path).since() == (0, [])
        assert Marks(path).training() == {}


def test_many_writers_lose_nothing(path: Path) -> None:
    def write(number: int) -> None:
        Marks(path).put([starred(f"hand {number}", str(number)), starred("all", str(number))])

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(write, range(60)))
    found = notes(Marks(path))
    assert found.pop("all") in set(map(str, range(60)))
    assert found == {f"hand {n}": str(n) for n in range(60)}


def test_a_crash_leaves_what_was_there(path: Path) -> None:
    before = {str(n): "before" * 100 for n in range(300)}
    Marks(path).put([starred(key, note) for key, note in before.items()])
    crash = f"""
import os
from pathlib import Path
from handread.window.marks import WRITE, Marks
with Marks(Path({str(path)!r}))._opened(WRITE) as database:
    database.execute("PRAGMA cache_size = 2")  # so that half of it is in the file already
    database.execute("UPDATE marks SET note = 'half' || note")
    os._exit(9)
"""
    assert subprocess.run([sys.executable, "-c", crash], cwd=ROOT, check=False).returncode == 9
    assert b"halfbefore" in path.read_bytes()
    assert Marks(path).rescued() is None
    assert notes(Marks(path)) == before


def test_of_a_file_only_what_is_newer_is_taken(path: Path) -> None:
    marks = Marks(path)
    marks.put([starred("a", "mine")])
    marks.take([starred("a", "old", "2001"), starred("b", "old", "2001")])
    assert notes(marks) == {"a": "mine", "b": "old"}
    marks.take([starred("b", "newer", "2002")])
    assert notes(marks)["b"] == "newer"
    marks.take(marks_of(sent({"key": "b", "note": "to come", "changed": "2999"})))
    marks.put([starred("b", "now")])
    assert notes(marks)["b"] == "now"


DAMAGED = [b"no database" * 500, b"SQLite format 3\x00" + b"\xff" * 5000]


@pytest.mark.parametrize("data", DAMAGED)
def test_a_damaged_file_is_kept_beside_a_new_one(path: Path, data: bytes) -> None:
    marks = Marks(path)
    path.parent.mkdir()
    path.write_bytes(data)
    for use in (marks.since, marks.damaged, lambda: marks.put([starred("a")])):
        with pytest.raises(MarksError, match=r"is damaged .* keeps a copy when it starts again"):
            use()
    window = Window(workshop(), path)
    assert "is damaged" in window.get("/marks", 400)
    assert window.news()["marks"] == -1
    moved = marks.rescued()
    assert moved is not None
    assert moved.read_bytes() == data
    assert moved.stat().st_mode & 0o777 == 0o600
    assert marks.rescued() is None
    marks.put([starred("a", "anew")])
    assert notes(marks) == {"a": "anew"}
    assert marks.rescued() is None


DAMAGED_ROWS = {
    "a note": "UPDATE marks SET note = CAST(x'6e6f746520ff' AS TEXT) WHERE key = 'a'",
    "half of the tags": "UPDATE marks SET tags = '[\"bluff\", \"ri' WHERE key = 'a'",
    "tags of another kind": "UPDATE marks SET tags = '{\"bluff\": 1}' WHERE key = 'a'",
    "a tag that is none": "UPDATE marks SET tags = '[3]' WHERE key = 'a'",
    "deep tags": f"UPDATE marks SET tags = '{'[' * 5000}' WHERE key = 'a'",
    "a star": "UPDATE marks SET star = 'star' WHERE key = 'a'",
    "a time": "UPDATE marks SET changed = CAST(x'ff' AS TEXT) WHERE key = 'a'",
    "a key": "UPDATE marks SET key = CAST(x'61ff' AS TEXT) WHERE key = 'a'",
    "bytes": "UPDATE marks SET note = x'6e6f' WHERE key = 'a'",
}


@pytest.mark.parametrize("damage", DAMAGED_ROWS.values(), ids=DAMAGED_ROWS)
def test_a_damaged_row_costs_that_row(path: Path, damage: str) -> None:
    marks = Marks(path)
    marks.put([starred("a", "one"), starred("b", "two")])
    assert marks.damaged() == 0
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(damage)
    assert notes(marks) == {"b": "two"}
    assert marks.damaged() == 1
    assert json.loads(Window(workshop(), path).get("/marks"))["hands"][0]["note"] == "two"
    marks.take([starred("b", "older", "2001"), starred("c", "three")])
    assert notes(marks) == {"b": "two", "c": "three"}


@pytest.mark.parametrize(
    "damage", ["box = 9", "box = 'x'", "due = 'soon'", "id = CAST(x'ff' AS TEXT)"]
)
def test_a_damaged_answer_costs_that_answer(path: Path, damage: str) -> None:
    marks = Marks(path)
    for key in ("a", "b"):
        marks.learn({"id": key, "right": True})
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(f"UPDATE training SET {damage} WHERE id = 'a'")
    assert marks.training().keys() == {"b"}
    assert marks.damaged() == 1
    assert marks.learn({"id": "a", "right": True}) == DAYS[1]
    assert marks.training().keys() == {"a", "b"}


def test_of_a_file_with_a_damaged_page_the_rest_is_saved(path: Path) -> None:
    marks = Marks(path)
    marks.put([starred(str(n), "note" * 100) for n in range(100)])
    marks.learn({"id": "a", "right": True})
    content = bytearray(path.read_bytes())
    middle = len(content) // 8192 * 4096
    content[middle : middle + 4096] = b"\xff" * 4096
    path.write_bytes(content)
    assert marks.rescued() is not None
    assert 80 < len(notes(marks)) < 100
    assert marks.training().keys() == {"a"}
    assert marks.rescued() is None


def test_only_the_user_can_read_the_file(path: Path) -> None:
    Marks(path).put([starred("a")])
    assert path.stat().st_mode & 0o777 == 0o600
    path.chmod(0o644)  # as earlier versions made it
    Marks(path).put([starred("b")])
    assert path.stat().st_mode & 0o777 == 0o600


def test_half_of_a_file_is_damaged(path: Path) -> None:
    marks = Marks(path)
    marks.put([starred(str(n), "x" * 500) for n in range(200)])
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    journal = path.with_name("marks.sqlite-journal")
    journal.write_bytes(b"of the damaged file")
    moved = marks.rescued()
    assert moved is not None
    assert moved.read_bytes() == whole[: len(whole) // 2]
    assert not journal.exists()


def test_a_newer_version_is_not_touched(path: Path) -> None:
    marks = Marks(path)
    marks.put([starred("a")])
    with marks._opened("BEGIN") as database:
        database.execute("PRAGMA user_version = 99")
    before = path.read_bytes()
    assert marks.rescued() is None
    with pytest.raises(MarksError, match="a newer version of handread has written it"):
        marks.put([starred("a", "over it")])
    assert path.read_bytes() == before


def test_where_nothing_can_be_written_it_is_said(tmp_path: Path) -> None:
    place = tmp_path / "file"
    place.write_text("")
    window = Window(workshop(), place / "marks.sqlite")
    answer = window.client.put("/marks", content=sent({"key": "a"}))
    assert answer.status_code == 400
    assert str(place) in answer.text
    assert window.client.get("/marks").json() == {"revision": 0, "hands": []}
    folder = tmp_path / "folder"
    folder.mkdir()
    with pytest.raises(MarksError, match="unable to open database file"):
        Marks(folder).put([starred("a")])
    with pytest.raises(MarksError, match="unable to open database file"):
        Marks(folder).rescued()


def test_pages_send_and_get_marks(path: Path) -> None:
    one, other = Window(workshop(), path), Window(workshop(), path)
    mark = {"key": "7~ab", "star": True, "tags": ["a", "b"], "note": "He had it.", "changed": ""}
    first = one.client.put("/marks", content=sent(mark)).json()
    assert other.news()["marks"] == first["revision"]
    assert [{**hand, "changed": ""} for hand in other.client.get("/marks").json()["hands"]] == [
        mark
    ]
    old = {**mark, "note": "old", "changed": "2001"}
    answer = other.client.post("/marks", params={"since": first["revision"]}, content=sent(old))
    assert answer.json() == {"revision": first["revision"], "hands": []}
    stranger = one.client.put("/marks", content=sent(mark), headers={"origin": "http://evil.test"})
    assert stranger.status_code == 403
    one.client.cookies.clear()
    assert one.client.get("/marks").status_code == 403
    assert DOOR.token not in first


BAD = [
    "",
    "nonsense",
    "[]",
    "null",
    '{"schema": "other/1", "hands": []}',
    sent()[:-3] + "1}",
    "[" * 9999,
]


@pytest.mark.parametrize("text", BAD)
def test_what_is_no_mark_is_refused(path: Path, text: str) -> None:
    answer = Window(workshop(), path).client.put("/marks", content=text)
    assert answer.status_code == 400
    assert "no marks of handread" in answer.text
    assert not path.exists()


def test_nothing_of_a_mark_is_taken_on_trust(path: Path) -> None:
    odd: list[Any] = [None, 7, {}, {"key": 5}, {"key": ""}, {"key": "k" * 1000, "star": True}]
    odd += [{"key": "odd", "star": "yes", "tags": {"a": 1}, "note": ["x"], "changed": 3}]
    assert marks_of(sent(*odd)) == [Mark("odd", False, (), "", "")]
    long = {"key": "long", "tags": ["t" * 999, *map(str, range(999))], "note": "n" * 99_999}
    [found] = marks_of(sent(long))
    assert [len(found.tags[0]), len(found.tags), len(found.note)] == [
        LONGEST_TAG,
        MOST_TAGS,
        LONGEST_NOTE,
    ]
    window = Window(workshop(), path)
    texts = [*NASTY, "a\x00b", "\ud800", "'); DROP TABLE marks; --"]
    hands = [{"key": f"{n} {text}"[:200], "note": text} for n, text in enumerate(texts)]
    assert window.client.put("/marks", content=sent(*hands)).status_code == 200
    kept = window.client.get("/marks").json()["hands"]
    clean = [text.encode("utf-8", "replace").decode().strip()[:LONGEST_NOTE] for text in texts]
    assert [hand["note"] for hand in kept] == clean


def test_a_key_of_any_object_is_a_key() -> None:
    assert marks_of(sent({"key": "__proto__"}))[0].key == "__proto__"
    assert len(now()) == len("2026-01-01T00:00:00.000Z")


def test_the_file_is_where_the_system_keeps_data(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert marks_file() == tmp_path / "handread" / "marks.sqlite"
    monkeypatch.setenv("XDG_DATA_HOME", "relative")
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path))
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    usual = {"linux": ".local/share", "darwin": "Library/Application Support", "win32": ""}
    for system, place in usual.items():
        monkeypatch.setattr("handread.window.marks.sys.platform", system)
        assert marks_file() == tmp_path / place / "handread" / "marks.sqlite"


def test_marks_are_exported(tmp_path: Path) -> None:
    kept = tmp_path / "handread" / "marks.sqlite"
    Marks(kept).put([starred("a", "Fold."), Mark("b", False, (), "", "")])
    file = tmp_path / "notes.json"
    done = run("open", "--export-notes", str(file), XDG_DATA_HOME=str(tmp_path))
    assert done.returncode == 0
    assert done.stdout == f"the marks of 1 hand written to {file}\n"
    assert marks_of(file.read_bytes()) == Marks(kept).since()[1]
    kept.write_bytes(DAMAGED[0])
    done = run("open", "--export-notes", str(file), XDG_DATA_HOME=str(tmp_path))
    assert done.returncode == 2
    assert "is damaged" in done.said


STARRED = (
    "return document.querySelector('#hands [data-number=\"2\"] .to-star')?.ariaPressed === '{}'"
)


@pytest.mark.dear("hands are read and drawn by two starts of the program")
def test_a_star_outlives_the_program(
    page: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Star a hand in one window: another shows it, and the next start does so as well."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    kept = Marks(tmp_path / "handread" / "marks.sqlite")
    with opened_here(str(LOG)) as address:
        page.driver.get(address)
        page.wait(LISTED.format(2), 60)
        page.find('#hands [data-number="2"] .to-star').click()
        page.wait(STARRED.format("true"))
        page.wait("return fetch('marks?since=0').then((r) => r.json()).then((r) => r.revision > 0)")
        [mark] = kept.since()[1]
        kept.put([mark._replace(note="from another window")])
        page.wait("return document.body.innerText.includes('from another window')")
        earlier = sent({"key": mark.key, "tags": ["slow"], "note": "older", "changed": "2001"})
        other = sent({"key": f"{mark.key}?", "tags": ["elsewhere"], "changed": "2001"})
        for text in (earlier, other):  # as windows kept them before
            page.js("localStorage.setItem('handread.marks', arguments[0])", text)
            page.driver.refresh()
            page.wait("return localStorage.getItem('handread.marks') === null", 60)
        assert notes(kept) == {mark.key: "from another window", f"{mark.key}?": ""}
        kept.put([mark._replace(tags=("slow",), note="from another window")])
        page.wait(LISTED.format(2), 60)
        page.wait("return document.querySelector('#tag option[value=slow]') !== null")
    page.find('#hands [data-number="1"] .to-star').click()
    page.wait("return document.getElementById('carried').innerText.includes('has ended')")
    copy = tmp_path / "copy.txt"
    copy.write_bytes(LOG.read_bytes())
    with opened_here(str(copy)) as address:
        page.driver.get(address + "#starred=1&tag=slow")
        page.wait("return document.querySelectorAll('#hands tbody tr').length === 1", 60)
        assert page.js(STARRED.format("true"))
        assert "from another window" in page.text("#hands .marks")
        assert page.js("return document.getElementById('tag').value") == "slow"
        assert not [said for said in page.console() if "CONNECTION_REFUSED" not in said]


def test_a_user_without_a_home_has_a_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in a container with ``docker run -u 4711``."""

    def none() -> Path:
        raise RuntimeError("Could not determine home directory.")

    for variable in ("XDG_DATA_HOME", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr(user_cache.tempfile, "gettempdir", lambda: str(tmp_path))
    for home in (none, lambda: Path("/proc/nobody")):
        monkeypatch.setattr(Path, "home", home)
        (private,) = {path for path in [user_folder().parent] if path.parent == tmp_path}
        assert private.stat().st_mode & 0o777 == 0o700
        assert marks_file() == private / "data" / "marks.sqlite"
        window = Window(workshop(), marks_file())
        assert "hands" in window.get("/")
        assert window.client.put("/marks", content=sent({"key": "a"})).status_code == 200
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert user_folder() == tmp_path / "data" / "handread"


@pytest.mark.parametrize("variable", ["HOME", "XDG_DATA_HOME"])
def test_a_folder_of_another_user_is_not_used(
    variable: str, closed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.setenv(variable, str(closed))
    found = marks_file()
    assert found.is_relative_to(closed) == (variable == "XDG_DATA_HOME")
    if variable == "XDG_DATA_HOME":
        for look in (Marks(found).since, Marks(found).rescued, Marks(found).training):
            with pytest.raises(MarksError, match="Permission denied"):
                look()


ONLY_AS_IT_LEAVES = """
const real = window.fetch;
window.fetch = (url, how) => how?.keepalive ? real(url, how) : new Promise(() => {});
"""
"""The program hears nothing of a page before it is left."""


@pytest.mark.dear("hands are read and drawn by a start of the program")
def test_filters_and_notes_are_about_everything(
    page: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A filter of the list is one of the summary; a colour of a player is one of every page."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    evening = (ROOT / "docs" / "first-evening.txt").read_text(encoding="utf-8")
    log = tmp_path / "evening.txt"
    log.write_text("\n\n\n".join(evening.split("\n\n\n")[:6]) + "\n\n\n", encoding="utf-8")
    with opened_here(str(log)) as address:
        page.driver.get(address)
        page.wait(LISTED.format(6), 60)
        page.wait("return document.getElementById('progress').textContent === ''", 60)
        shown = "document.querySelector('.masthead').innerText"
        page.js(
            "const e = document.getElementById('find'); e.value = '>0';"
            "e.dispatchEvent(new Event('input', { bubbles: true }))"
        )
        won = int(page.js("return document.querySelectorAll('#hands tbody tr').length"))
        assert 0 < won < 6
        page.wait(f"return {shown}.includes('shows, {won} of 6.')")
        page.click("#clear")
        page.wait(f"return !{shown}.includes(' of 6.')")
        page.find(".players .who a[data-player='player duckpond']").click()
        page.wait("return document.getElementById('own')?.hidden === false")
        page.js(ONLY_AS_IT_LEAVES)
        page.find("[name=colour][value=green]").click()
        page.js(
            "const e = document.getElementById('note'); e.value = 'never folds';"
            "e.dispatchEvent(new Event('change', { bubbles: true }))"
        )
        kept = Marks(tmp_path / "handread" / "marks.sqlite")
        page.wait("return document.querySelector('h1').dataset.colour === 'green'")
        page.driver.get(address)
        coloured = "document.querySelector('[data-player=\"player duckpond\"]')"
        page.wait(f"return {coloured}?.dataset.colour === 'green'", 60)
        page.wait(f"return {coloured}.title === 'never folds'")
        [mark] = kept.since()[1]
        assert (mark.key, mark.tags, mark.note) == ("player duckpond", ("green",), "never folds")
        page.wait(LISTED.format(6), 60)
        page.find('#hands [data-number="6"] th a').click()
        page.wait("return document.querySelector('#stepper:not([hidden])') !== null", 60)
        seats = page.text("#seats")
        assert "never folds" in seats
        assert page.js("return document.querySelector('#seats [data-colour=green]') !== null")
        assert not page.console()
