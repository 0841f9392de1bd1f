"""The page of the logs: what is kept and watched is listed, removed, and remembered."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from handread.window.logs import Logs
from handread.window.watching import Watch
from tests.program import SAMPLES
from tests.window.conftest import Window, workshop

LOG = (SAMPLES / "pokerstars.txt").read_text(encoding="utf-8")
STUD = (SAMPLES / "showdown.stud").read_text(encoding="utf-8")


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[Window]:
    shop = workshop(added=tmp_path / "logs")
    with shop.running():
        yield Window(shop, folders=tmp_path / "folders.json")


def sent(window: Window, status: int = 200, **what: object) -> str:
    answer = window.client.post("/mylogs", content=json.dumps(what))
    assert answer.status_code == status, answer.text
    return answer.text


def shown(window: Window, n: int) -> None:
    """Wait until so many hands are shown."""
    end = time.monotonic() + 30.0
    while len(window.shop.library.listing().rows) != n or window.shop.library.progress().reading:
        assert time.monotonic() < end, len(window.shop.library.listing().rows)
        time.sleep(0.02)


def test_an_added_log_is_listed_and_removed(kept: Window) -> None:
    kept.add(LOG, "night.txt")
    kept.add(STUD, "paper.stud")
    page = kept.get("/mylogs")
    assert '<th scope="row">night.txt</th><td class="n" data-head="hands">2</td>' in page
    assert page.count("added here") == 2
    sent(kept, remove=0)
    assert not (kept.shop.added / "night.txt").exists()
    assert [row.source for row in kept.shop.library.listing().rows] == ["paper.stud"]
    assert "night.txt" not in kept.get("/mylogs")
    assert kept.news(0)["gone"] == [1, 2]
    kept.add(LOG, "night.txt")  # it is new again
    shown(kept, 3)


def test_a_copy_shows_what_a_removed_log_had(kept: Window) -> None:
    kept.add(LOG, "night.txt")
    kept.add(LOG, "again.txt")
    sent(kept, remove=0)
    shown(kept, 2)
    assert {row.source for row in kept.shop.library.listing().rows} == {"again.txt"}


def test_a_folder_that_cannot_be_read_says_so(
    kept: Window, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder of the last start may be gone, or of somebody else."""
    folders = [str(tmp_path / "gone"), str(tmp_path / "secret"), str(tmp_path / "shared")]
    for folder in folders[1:]:
        Path(folder).mkdir()
    (tmp_path / "folders.json").write_text(json.dumps(folders), "utf-8")
    monkeypatch.setattr("os.access", lambda path, *_, **__: Path(path).name != "secret")
    page = kept.get("/mylogs")
    assert 'gone</code> <b class="bad">it is not there now</b>' in page
    assert 'secret</code> <b class="bad">you may not read it</b>' in page
    assert "shared</code> <button" in page
    assert Watch(folders).faults == [
        f"{folders[0]}: there is no such file or folder",
        f"{folders[1]}: you may not read it",
    ]


@pytest.mark.thorough
def test_a_folder_is_watched_remembered_and_left(kept: Window, tmp_path: Path) -> None:
    folder = tmp_path / "rooms <b>"
    folder.mkdir()
    (folder / "one.txt").write_text(LOG, encoding="utf-8")
    sent(kept, watch=f" {folder} ")
    shown(kept, 2)
    assert "rooms &lt;b&gt;" in kept.get("/mylogs")
    assert json.loads((tmp_path / "folders.json").read_text("utf-8")) == [str(folder)]
    sent(kept, remove=0)  # it belongs to the user
    assert (folder / "one.txt").exists()
    shown(kept, 2)
    (folder / "two.stud").write_text(STUD, encoding="utf-8")
    shown(kept, 3)
    shop = workshop(added=tmp_path / "logs")
    with shop.running():  # the next start
        again = Window(shop)
        logs = Logs(shop, tmp_path / "folders.json")
        logs.begin()
        shown(again, 3)
        assert logs.folders() == {str(folder): ""}
    sent(kept, leave=str(folder))
    shown(kept, 0)
    assert json.loads((tmp_path / "folders.json").read_text("utf-8")) == []
    (folder / "three.txt").write_text(LOG, encoding="utf-8")
    time.sleep(0.5)
    shown(kept, 0)


@pytest.mark.parametrize(
    ("what", "said"),
    [
        ({"watch": "logs"}, "give the whole path"),
        ({"watch": ""}, "give the whole path"),
        ({"watch": "/no/such/place"}, "there is no such folder"),
        ({"watch": str(Path.home())}, "of the hand histories alone"),
        ({"watch": "/"}, "of the hand histories alone"),
        ({"remove": "1"}, "expected a folder"),
        ({"remove": True}, "expected a folder"),
        ({"eat": "/"}, "expected a folder"),
        ({"watch": "/a", "remove": 1}, "expected a folder"),
    ],
)
def test_what_cannot_be_done_is_said(kept: Window, what: dict[str, object], said: str) -> None:
    assert said in sent(kept, 400, **what)
    assert kept.client.post("/mylogs", content=b"[]").status_code == 400


@pytest.mark.parametrize("text", ["", "{", "[1, null]", '["relative"]', "[" * 9999])
def test_a_damaged_file_of_folders_is_empty(tmp_path: Path, text: str) -> None:
    (tmp_path / "folders.json").write_text(text, encoding="utf-8")
    shop = workshop()
    logs = Logs(shop, tmp_path / "folders.json")
    logs.begin()
    assert logs.folders() == {}


def test_folders_of_rooms_are_offered(
    kept: Window, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    room = tmp_path / "AppData/Local/PokerStars.EU/HandHistory"
    room.mkdir(parents=True)
    assert f'data-watch="{room}"' in kept.get("/mylogs")
    sent(kept, watch=str(room))
    page = kept.get("/mylogs")
    assert "data-watch=" not in page.partition("<script>")[0]
    assert f'data-leave="{room}"' in page
