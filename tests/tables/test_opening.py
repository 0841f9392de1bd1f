"""Files that are read into tables: folders, pieces, and logs that grow."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

import handread
from handread.parallel import RunError
from handread.sessions.opening import InputFile, input_files
from handread.tables import ACTIONS, HANDS, PIECES, REJECTS, STAGE_TABLE, TERMS_FILE
from handread.tables.pieces import pieces
from handread.tables.read import open_tables
from tests.score_sets import Frames, Once, assert_same, games, score, small_pieces, tables, text_of

pytestmark = pytest.mark.usefixtures("small")


@pytest.mark.thorough
@pytest.mark.parametrize("size", [100, 1 << 15])
def test_what_is_read_does_not_depend_on_the_pieces(
    logs: list[Path], whole: Frames, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    small_pieces(monkeypatch, size, part=3)
    score(logs, tmp_path / "out", Once())
    found = tables(tmp_path / "out")
    for table in (HANDS, STAGE_TABLE, ACTIONS, REJECTS):
        assert found[table].equals(whole[table])


def test_the_pieces_of_a_file_hold_all_of_it(logs: list[Path]) -> None:
    for path in logs:
        cut = list(pieces(InputFile("x", path), None))
        assert len(cut) > 1 or path.stem in "cd"
        assert [piece.only for piece in cut] == [len(cut) == 1] * len(cut)
        read = [reading for piece in cut for reading in piece.readings()]
        assert read == list(handread.read_hands(path))


def test_folders_are_searched_but_for_hidden_files_and_the_tables(tmp_path: Path) -> None:
    for name in ("b.txt", "sub/a.txt", ".hidden", ".git/x.txt", "out/part/hands.parquet"):
        (tmp_path / name).parent.mkdir(exist_ok=True, parents=True)
        (tmp_path / name).write_text("x")
    paths = [str(tmp_path / "b.txt"), str(tmp_path), f"{tmp_path}/./b.txt", str(tmp_path / "no")]
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / TERMS_FILE).write_text("{}")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "again").symlink_to(tmp_path)
    (tmp_path / "link.txt").symlink_to(tmp_path / "b.txt")
    found, faults = input_files(paths, tmp_path, tmp_path / "out", tmp_path / "out")
    assert [source.name for source in found] == ["b.txt", "sub/a.txt"]
    assert faults == [f"{tmp_path / 'no'}: cannot be read: No such file or directory"]
    found, faults = input_files(["", "./-"], tmp_path / "sub", tmp_path / "out", tmp_path / "out")
    assert not found
    assert [fault.partition(":")[0] for fault in faults] == ["", "./-"]


def test_a_name_that_is_no_text_is_spelled_out(tmp_path: Path, scorer: Once) -> None:
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff.stud"))
    path.write_text(text_of(games()[:1]))
    score([path], tmp_path / "out", scorer)
    assert tables(tmp_path / "out")[HANDS]["file"].to_list() == [f"{tmp_path}/\\udcff.stud"]


def test_a_file_has_one_name_wherever_the_run_starts(
    tmp_path: Path, scorer: Once, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sub").mkdir()
    log = tmp_path / "sub" / "log.stud"
    log.write_text(text_of(games()[:1]))
    monkeypatch.chdir(tmp_path)
    score([Path("sub/log.stud")], tmp_path / "out", scorer)
    monkeypatch.chdir(tmp_path / "sub")
    for path in (Path("log.stud"), log):
        score([path], tmp_path / "out", scorer, resume=True)
    assert tables(tmp_path / "out")[HANDS]["file"].to_list() == ["sub/log.stud"]
    assert open_tables(tmp_path / "out").path_of("sub/log.stud") == str(log)


def test_a_file_without_hands_is_refused_once(tmp_path: Path, scorer: Once) -> None:
    texts = {"empty.txt": "", "prose.txt": "no hand here", "blank.stud": "\n# nothing\n"}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    score([tmp_path / name for name in texts], tmp_path / "out", scorer)
    rejects = tables(tmp_path / "out")[REJECTS]
    assert rejects["file"].to_list() == sorted(str(tmp_path / name) for name in texts)
    assert tables(tmp_path / "out")[PIECES]["rejects"].sum() == 3


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("dialect", "begun", "left"),
    [("pokerstars", slice(5), slice(None)), ("saund", slice(6), slice(3, 5))],
)
def test_a_log_that_grew_or_was_changed_is_read_from_there(
    tmp_path: Path, scorer: Once, dialect: str, begun: slice, left: slice
) -> None:
    """The other log has a hand that is repeated in Saund's notation, until it is gone."""
    log, other, out = tmp_path / "log.txt", tmp_path / "other.stud", tmp_path / "out"
    other.write_text(text_of(games()[:1]))
    log.write_text(text_of(games()[begun], dialect))
    score([log, other], out, scorer)
    log.write_text(text_of(games()[left], dialect))
    scorer.asked.clear()
    grew = dialect == "pokerstars"
    score([log] if grew else [log, other], out, scorer, resume=True)
    if grew:
        assert 0 < len(scorer.asked) < len(list(pieces(InputFile("x", log), None)))
    score([log, other], tmp_path / "fresh", Once())
    assert_same(tables(out), tables(tmp_path / "fresh"))


def test_more_files_are_added(
    logs: list[Path], whole: Frames, tmp_path: Path, scorer: Once
) -> None:
    for n in range(1, len(logs) + 1):
        score(logs[:n], tmp_path / "out", scorer, resume=True)
    assert_same(tables(tmp_path / "out"), whole)


def test_a_file_that_changes_while_it_is_read(tmp_path: Path, scorer: Once) -> None:
    log = tmp_path / "log.stud"
    log.write_text(text_of(games()))

    class Late(Once):
        def share(self, work: Any, jobs: Any) -> Any:
            log.write_text(text_of(games()[:1]))
            yield from scorer.share(work, jobs)

    with pytest.raises(RunError, match="changed while being read"):
        score([log], tmp_path / "out", Late())
    score([log], tmp_path / "out", scorer, resume=True)
    assert tables(tmp_path / "out")[HANDS].height == 1
