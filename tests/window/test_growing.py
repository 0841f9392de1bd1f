"""A log that is written while it is read."""

from __future__ import annotations

import os
import re
import shutil
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from handread.sessions.files import ReadSettings
from handread.sessions.growing import QUIET_SECONDS, Found, GrowingLog
from handread.window import watching
from handread.window.library import Library
from handread.window.watching import Watch
from tests.program import SAMPLES
from tests.window.conftest import Window, workshop

TEXT = (SAMPLES / "simulated-pokerstars.txt").read_text(encoding="utf-8")
LOG = (SAMPLES / "pokerstars.txt").read_text(encoding="utf-8")
SECOND = LOG.rindex("PokerStars ")
HALF = LOG[: SECOND + (len(LOG) - SECOND) // 2]
"""The first hand, and half of the second."""


def aged(path: Path) -> None:
    """Make a file look as if nobody had written to it for long."""
    past = time.time() - 10 * QUIET_SECONDS
    os.utime(path, (past, past))


def test_a_longer_version_of_a_hand_takes_its_place(window: Window, tmp_path: Path) -> None:
    path = tmp_path / "log.txt"
    path.write_text(HALF, encoding="utf-8")
    aged(path)
    window.shop.add_file(path, "log.txt")
    window.settle()
    half = window.shop.library.listing()
    path.write_text(LOG, encoding="utf-8")
    aged(path)
    window.shop.add_file(path, "log.txt")
    window.settle()
    whole = window.shop.library.listing()
    assert [row.number for row in whole.rows] == [1, 2]
    assert whole.left_out == ""
    assert half.rows[-1] != whole.rows[-1]


def test_from_a_hand_that_grows_is_learned_once(tmp_path: Path) -> None:
    """A log that was shown in the middle of a hand ends as one that was shown whole."""
    hands = TEXT.split("\n\n\n")[:4]
    cut = hands[1][: hands[1].index("*** 6th STREET")]
    log = tmp_path / "log.txt"
    rows = []
    for versions in ([hands[:1], cut], hands), (hands,):
        shop = workshop(policy="panel")
        with shop.running():
            for some in versions:
                parts = [*some[0], some[1]] if isinstance(some[0], list) else some
                log.write_text("\n\n\n".join(parts) + "\n", encoding="utf-8")
                aged(log)
                shop.add_file(log, "log.txt", 0.0)
                Window(shop).settle()
        rows.append(shop.library.listing().rows)
    assert len(rows[0]) == 4
    assert rows[0] == rows[1]


class Follower:
    """What a watch tells of changes."""

    def __init__(self, *given: Path) -> None:
        self.watch = Watch(map(str, given))
        self.told: list[str] = []
        self.ended = threading.Event()
        self.watch.follow(lambda path, _: self.told.append(path.name), self.ended)

    def hears(self, act: Callable[[], object], name: str, seconds: float = 10.0) -> float:
        """Return how long after an act a file is told of."""
        self.told.clear()
        begun = time.monotonic()
        while name not in self.told:  # it may take a moment until the watch has begun
            act()
            for _ in range(50):
                if name in self.told:
                    break
                assert time.monotonic() < begun + seconds
                time.sleep(0.01)
        return time.monotonic() - begun


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    found = tmp_path / "logs"
    (found / "below").mkdir(parents=True)
    return found


def test_what_is_written_into_a_folder_is_told(folder: Path) -> None:
    follower = Follower(folder)
    try:
        file = folder / "below" / "night.txt"
        follower.hears(lambda: file.write_text(LOG, encoding="utf-8"), "night.txt")
        follower.told.clear()
        for name in ("0001-1.html", "index.html", ".hidden", "x.csv"):
            (folder / name).write_text(LOG, encoding="utf-8")
        (folder / "tables").mkdir()
        (folder / "tables" / "terms.json").write_text("{}", encoding="utf-8")
        (folder / "out.txt.parts").mkdir()
        (folder / "out.txt.parts" / "000").write_text(LOG, encoding="utf-8")
        last = folder / "last.txt"
        follower.hears(lambda: last.write_text(LOG, encoding="utf-8"), "last.txt")
        assert set(follower.told) == {"last.txt"}
    finally:
        follower.ended.set()


def test_of_a_file_that_was_given_only_itself_is_told(folder: Path) -> None:
    file, other = folder / "night.txt", folder / "other.txt"
    file.write_text("", encoding="utf-8")
    follower = Follower(file)
    try:

        def both() -> None:
            other.write_text("x", encoding="utf-8")
            draft = folder / "draft"
            draft.write_text(LOG, encoding="utf-8")
            draft.replace(file)  # as many programs save

        follower.hears(both, "night.txt")
        assert set(follower.told) == {"night.txt"}
    finally:
        follower.ended.set()


def test_output_of_the_program_is_no_log(folder: Path) -> None:
    for name in ("index.html", "0001-12.html", "player-1.html", "0001-12.txt", "handread-a.css"):
        (folder / name).write_text("x", encoding="utf-8")
    (folder / "0001-12.html").write_text("x", encoding="utf-8")
    (folder / "20260501-night.txt").write_text(LOG, encoding="utf-8")
    assert [path.name for path, _ in Watch([str(folder)]).files()] == ["20260501-night.txt"]


def test_what_is_not_there_is_a_fault(tmp_path: Path) -> None:
    assert Watch([str(tmp_path / "no.txt")]).faults == [
        f"{tmp_path / 'no.txt'}: there is no such file or folder"
    ]


@pytest.fixture
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching, "ANYWAY_MS", 100)


def make_hostile(folder: Path, what: str) -> None:
    """Do what ended the watching of a folder, or all reading."""
    if what == "a name that is not UTF-8":
        (folder / os.fsdecode(b"\xff\xfe.txt")).write_text("x")
    elif what == "a pipe":
        os.mkfifo(folder / "pipe.txt")
    else:
        shutil.rmtree(folder)
        time.sleep(0.3)
        folder.mkdir()


@pytest.mark.usefixtures("often")
@pytest.mark.parametrize("what", ["a name that is not UTF-8", "a pipe", "a folder made anew"])
def test_a_folder_is_followed_whatever_happens(folder: Path, what: str) -> None:
    follower = Follower(folder)
    try:
        for name in ("one.txt", "two.txt"):
            file = folder / name
            follower.hears(lambda file=file: file.write_text(LOG, encoding="utf-8"), name)
            if name == "one.txt":
                make_hostile(folder, what)
        assert "pipe.txt" not in follower.told
    finally:
        follower.ended.set()


@pytest.mark.usefixtures("often")
def test_a_given_file_is_followed_after_its_folder_was_made_anew(folder: Path) -> None:
    file = folder / "night.txt"
    file.write_text(LOG[:SECOND], encoding="utf-8")
    follower = Follower(file)
    try:
        make_hostile(folder, "a folder made anew")
        follower.hears(lambda: file.write_text(LOG, encoding="utf-8"), "night.txt")
    finally:
        follower.ended.set()


def test_hands_that_are_gone_from_a_log_are_not_listed(window: Window, tmp_path: Path) -> None:
    path, other = tmp_path / "log.txt", TEXT[: TEXT.index("\n\n\n") + 3]
    library = window.shop.library

    def after(text: str) -> list[str]:
        path.write_text(text, encoding="utf-8")
        aged(path)
        window.shop.add_file(path, "log.txt")
        window.settle()
        assert library.progress().read == library.progress().found == len(library.listing().rows)
        return [row.key for row in library.listing().rows]

    first, second = after(LOG)
    seen = library.revision
    assert after(LOG[SECOND:]) == [second], "the hand that stands higher now is still there"
    assert library.gone_since(seen) == [1, 2]
    assert after(LOG[SECOND:] + "\n\n" + LOG[:SECOND]) == [second, first]
    (third,) = after(other)
    assert third not in (first, second)
    assert library.gone_since(library.revision) == []
    assert window.get("/news")


def test_a_log_whose_name_is_not_utf8_is_shown(window: Window, folder: Path) -> None:
    (folder / os.fsdecode(b"\xff\xfe.txt")).write_text(LOG, encoding="utf-8")
    for path, name in Watch([str(folder)]).files():
        aged(path)
        window.shop.add_file(path, name)
    window.settle()
    assert len(window.shop.library.listing().rows) == 2
    assert "2 hands" in window.get("/")
    rows = window.news()["rows"]
    for link in re.findall(r'href="([^"]+\.html)"', rows)[:1]:
        assert "</html>" in window.get(f"/{link}")


@pytest.mark.thorough
def test_a_new_hand_is_shown_within_a_second(tmp_path: Path) -> None:
    path = tmp_path / "log.txt"
    path.write_text(LOG[:SECOND], encoding="utf-8")
    shop = workshop()
    with shop.running() as ended:
        watch = Watch([str(path)])
        watch.follow(shop.add_file, ended)
        shop.add_file(path.resolve(), "log.txt")
        Window(shop).settle()
        time.sleep(0.5)  # until the watch has begun
        begun = time.monotonic()
        with path.open("a", encoding="utf-8") as stream:
            stream.write(LOG[SECOND:])
        while len(shop.library.listing().rows) < 2:
            assert time.monotonic() < begun + 10
            time.sleep(0.01)
        assert time.monotonic() - begun < 5  # a fifth of a second where nothing else runs


ALIKE = [re.sub(r"(#\d*)\d", rf"\g<1>{digit}", LOG[:SECOND], count=1) for digit in "123"]
"""Three hands of one length."""


@pytest.mark.thorough
@pytest.mark.parametrize("order", [[1, 2], [2, 0, 1], [0, 1, 2, 0], []])
def test_hands_that_move_to_the_lines_of_others_stay(
    window: Window, tmp_path: Path, order: list[int]
) -> None:
    """No hand is taken for a copy of itself, and one whose first copy goes is shown by another."""
    path, other = tmp_path / "log.txt", tmp_path / "other.txt"
    library, keys = window.shop.library, list[str]()
    for those in ([0, 1, 2], order):
        path.write_text("".join(ALIKE[n] for n in those), encoding="utf-8")
        other.write_text(ALIKE[0], encoding="utf-8")
        for log in (path, other):
            if log == path or not keys:  # the other log has not changed
                aged(log)
                window.shop.add_file(log, log.name)
        window.settle()
        found = [row.key for row in library.listing().rows]
        keys = keys or found
        assert sorted(found) == sorted(keys[n] for n in {*those, 0})
        repeated = len(those) + 1 - len(found)
        assert (f"{repeated} repeated" in library.listing().left_out) == (repeated > 0)


class Line(int):
    """A line that counts how often it is compared."""

    compared = 0

    def __eq__(self, other: object) -> bool:
        Line.compared += 1
        return int(self) == other

    __hash__ = int.__hash__


def test_hands_that_go_are_not_looked_for_among_all(tmp_path: Path) -> None:
    path, library, n = tmp_path / "log.txt", Library(), 50
    path.write_text(LOG, encoding="utf-8")
    source = GrowingLog("log.txt", ReadSettings(), path)
    library.add_source(source)
    first = next(iter(source.fresh()))
    assert first.played is not None
    for number in range(n):
        hand = replace(first.played.history, hand_id=str(number))
        library.take(0, Found(Line(number), b"", replace(first.played, history=hand)))
    before = Line.compared
    for number in range(n):
        library.take(0, Found(Line(number), b""))
    assert library.progress().found == 0
    assert Line.compared - before < 20 * n
