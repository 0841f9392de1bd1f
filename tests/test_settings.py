"""Files of settings: regular files of a stated size, or refused in one line."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from handread import settings
from tests.program import run

LOG = "sample_histories/showdown.stud"
COMMANDS = {
    "grammar": ("check", LOG, "--grammar"),
    "lint": ("formats", "--lint"),
    "policy": ("analyze", LOG, "--policy"),
    "shown policy": ("policy", "show"),
    "prior of values": ("fit", "--values", "tight", "--games", "50", "--prior"),
    "check": ("decisions", LOG, "--check"),
    "seat": ("analyze", LOG, "--seat"),
}


@pytest.fixture(params=COMMANDS)
def command(request: pytest.FixtureRequest) -> tuple[str, ...]:
    return COMMANDS[request.param]


def told(command: tuple[str, ...], file: object) -> str:
    last = f"3={file}" if command[-1] == "--seat" else str(file)
    done = run(*command, last)
    assert done.returncode == (1 if "--lint" in command else 2)
    return " ".join((done.stdout + done.stderr).replace("│", " ").split())


@pytest.mark.parametrize("kind", ["device", "pipe"])
def test_what_may_have_no_end_is_refused(
    command: tuple[str, ...], kind: str, tmp_path: Path
) -> None:
    file = Path("/dev/zero")
    if kind == "pipe":
        file = tmp_path / "pipe"
        os.mkfifo(file)
    assert "is a device or a pipe; settings are read from regular files" in told(command, file)


def test_a_file_that_is_too_large_is_refused(command: tuple[str, ...], tmp_path: Path) -> None:
    file = tmp_path / "large.toml"
    with file.open("wb") as stream:  # without the space on the disk
        stream.truncate(settings.LARGEST_FILE + 1)
    assert "is larger than 20 MB, the most that is read as settings" in told(command, file)


def test_a_folder_is_refused(command: tuple[str, ...], tmp_path: Path) -> None:
    assert "is a folder, not a file" in told(command, tmp_path)


def test_other_line_ends_and_a_mark_at_the_beginning_are_read(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_bytes("\ufeffa = 1\r\nb = 'é'\r\n".encode())
    assert settings.settings_text(file) == "a = 1\nb = 'é'\n"
