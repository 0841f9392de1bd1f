"""Files that are none, that change while they are read, and pipes."""

from __future__ import annotations

import io
import os
import threading
from pathlib import Path

import pytest

import handread
from handread.formats.log_reader import read_stream
from handread.formats.text import HEAD, text_pieces
from handread.history import History, Problem
from handread.sessions.opening import input_files, read_file
from tests.program import SAMPLES, run
from tests.readings import contents

LOG = SAMPLES / "pokerstars.txt"


def fed(pipe: Path, data: bytes) -> threading.Thread:
    """A writer of those bytes to a pipe that is made for it."""
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(data,), daemon=True)
    writer.start()
    return writer


@pytest.mark.parametrize("name", ["pokerstars.txt", "session.phhs"])
def test_a_pipe_is_read_like_a_file(tmp_path: Path, name: str) -> None:
    whole = run("check", "--json", str(SAMPLES / name))
    writer = fed(tmp_path / "pipe", (SAMPLES / name).read_bytes())
    piped = run("check", "--json", str(tmp_path / "pipe"))
    writer.join(10)
    assert piped.returncode == 0
    assert piped.stdout.replace(str(tmp_path / "pipe"), str(SAMPLES / name)) == whole.stdout


def test_a_pipe_is_read_once(tmp_path: Path) -> None:
    writer = fed(tmp_path / "pipe", LOG.read_bytes())
    assert handread.read_hands(tmp_path / "pipe") == handread.read_hands(LOG)
    writer.join(10)


def test_what_cannot_be_opened_raises_in_python(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="nowhere"):
        handread.read_hands(tmp_path / "nowhere.txt")
    with pytest.raises(FileNotFoundError):
        handread.read_hands(tmp_path / "nowhere.txt", "pokerstars")


def test_what_cannot_be_opened_is_told_with_status_2(tmp_path: Path) -> None:
    (tmp_path / "broken").symlink_to("nowhere")
    (tmp_path / "round").symlink_to("round")
    for name, why in (("none", "No such file"), ("broken", "No such file"), ("round", "levels")):
        done = run("check", str(tmp_path / name))
        assert done.returncode == 2
        assert why in done.stderr
        assert "Traceback" not in done.stderr


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="there is no endless file")
def test_an_endless_file_of_zeros_is_no_text(tmp_path: Path) -> None:
    (problem,) = read_file("/dev/zero")
    assert "binary" in problem.message
    (source,), faults = input_files(["/dev/zero"], tmp_path, tmp_path, tmp_path / "out")
    assert not faults
    assert source.path.stat().st_size == HEAD


def test_a_name_with_a_line_end_and_colours_is_spelled_out(tmp_path: Path) -> None:
    path = tmp_path / "a\n\x1b[31mb.txt"
    path.write_text("dear diary\n")
    done = run("check", str(path))
    assert done.returncode == 1
    assert "a\\n\\x1b[31mb.txt:1:1: this does not look like a hand history" in done.stderr
    assert "\x1b" not in done.stderr + done.stdout


def test_what_is_written_while_a_log_is_read_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "log.txt"
    text = LOG.read_text()
    path.write_text(100 * text)
    with path.open("rb") as stream, path.open("a") as writer:
        found = []
        for piece in text_pieces(stream, 1000):
            found.append(piece)
            writer.write(text)
            writer.flush()
    assert "".join(found) == 100 * text


def test_a_log_that_shrinks_ends_where_it_ends_now(tmp_path: Path) -> None:
    path = tmp_path / "log.txt"
    text = LOG.read_text()
    path.write_text(100 * text)
    with path.open("rb") as stream:
        log = iter(read_stream(stream, "log.txt"))
        first = next(log)
        path.write_text("")
        path.unlink()
        rest = list(log)
    assert isinstance(first, History)
    assert all(isinstance(one, History | Problem) for one in rest)


def test_a_log_that_is_cut_off_anywhere_is_hands_and_problems() -> None:
    data = LOG.read_bytes()
    whole = [contents(one) for one in read_stream(io.BytesIO(data), "a.txt")]
    for end in range(0, len(data), 23):
        *before, last = read_stream(io.BytesIO(data[:end]), "a.txt")
        assert [contents(one) for one in before] == whole[: len(before)]
        assert isinstance(last, History | Problem)


def test_a_damaged_disk_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Damaged(io.BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            if self.tell() > HEAD:
                raise OSError(5, "Input/output error")
            return super().read(size)

    data = LOG.read_bytes() * 100
    monkeypatch.setattr(Path, "open", lambda *_: Damaged(data))
    *_, problem = read_file(tmp_path / "log.txt")
    assert "cannot read the file: Input/output error" in problem.message
