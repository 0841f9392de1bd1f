"""Files that are not what a command expects: pipes, tables, what may not be read."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import Any

import pytest

from handread.sessions import opening as input_files
from tests.program import ROOT, run

LOG = "sample_histories/showdown.stud"


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tables") / "scores"
    assert run("score", LOG, "-o", str(folder), "--workers", "1").returncode == 0
    return folder


@pytest.mark.parametrize("command", ["check", "convert", "score"])
def test_a_pipe_that_nobody_writes_to_is_named(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The writer comes when the message has been said."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    text = (ROOT / LOG).read_bytes()
    said = threading.Event()

    def write() -> None:
        said.wait(60)
        pipe.write_bytes(text)

    class Told(threading.Timer):
        def __init__(self, _seconds: float, say: Any, told: list[str]) -> None:
            super().__init__(0.0, lambda: (say(*told), said.set()))

    monkeypatch.setattr(input_files.threading, "Timer", Told)
    writer = threading.Thread(target=write)
    writer.start()
    options = {"score": ("-o", str(tmp_path / "x"), "--workers", "1"), "convert": ("--to", "phh")}
    done = run(command, str(pipe), *options.get(command, ()))
    writer.join()
    assert done.returncode == 0
    told = " ".join(done.stderr.split())
    assert f"{pipe}: waiting for a program to write to this pipe ..." in told


def test_a_pipe_that_is_written_to_is_read_without_a_word(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    text = (ROOT / LOG).read_bytes()
    writer = threading.Thread(target=lambda: pipe.write_bytes(text))
    writer.start()
    done = run("check", str(pipe))
    writer.join()
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("command", ["evaluate", "check", "analyze", "fit"])
def test_a_folder_of_tables_is_no_log(command: str, tables: Path) -> None:
    done = run(command, str(tables))
    assert done.returncode == 2
    told = " ".join(done.stderr.split())
    assert f"{tables}: is a folder of tables made by handread score, not of logs" in told
    assert "there is no file in this folder" not in told


@pytest.mark.parametrize("file", ["hands", "handread.json"])
def test_tables_that_may_not_be_read_are_not_called_damaged(
    file: str, tables: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The administrator may read anything, so the refusal is simulated."""
    opened = Path.open

    def refuse(self: Path, *args: Any, **kwargs: Any) -> Any:
        if file in (self.name, self.parent.parent.name):
            raise PermissionError(13, "Permission denied", str(self))
        return opened(self, *args, **kwargs)

    monkeypatch.setattr(Path, "open", refuse)
    for command in (("summary", str(tables)), ("score", LOG, "-o", str(tables), "--resume")):
        done = run(*command)
        assert done.returncode == 2
        told = " ".join(done.stderr.split())
        assert f"{tables}/{file}" in told
        assert "Permission denied" in told
        assert "damaged" not in told
        assert "remove" not in told
