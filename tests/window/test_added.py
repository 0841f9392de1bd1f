"""Logs that are dropped or pasted become files, and are there at the next start."""

from __future__ import annotations

from pathlib import Path

import pytest

from handread.window.watching import Watch, added_logs, keep_log
from tests.program import ROOT, SAMPLES
from tests.window.conftest import Window, workshop

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
            assert str(folder) in window.get("/")
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
