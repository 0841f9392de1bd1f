"""The window for those who click on an icon: the entry of a menu, and what is seen of a failure."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from handread.cli.program import guarded
from handread.user_cache import program_digest
from tests.program import ROOT, run

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminals there")

CLICKED = [sys.executable, "-c", "from handread.__main__ import window; window()"]
NOWHERE = ["--host", "203.0.113.1"]
FAULT = "--host 203.0.113.1: cannot listen there"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the user's data."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "da%ta"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "da%ta"


@pytest.mark.dear("the program starts")
def test_a_failure_without_a_terminal_opens_a_file(home: Path, tmp_path: Path) -> None:
    browser, opened = tmp_path / "browser", tmp_path / "opened"
    browser.write_text(f"#!/bin/sh\necho $1 > {opened}\n", "utf-8")
    browser.chmod(0o700)
    env = {**os.environ, "BROWSER": f"{browser} %s"}
    done = subprocess.run(
        [*CLICKED, *NOWHERE],
        cwd=ROOT,
        env=env,
        check=False,
        stdin=subprocess.DEVNULL,
        capture_output=True,
    )
    assert (done.returncode, done.stdout, done.stderr) == (2, b"", b"")
    file = home / "handread" / "last-start.txt"
    assert opened.read_text("utf-8").strip() == file.as_uri()
    assert FAULT in " ".join(re.sub("[│╭╮╰╯─]", " ", file.read_text("utf-8")).split())
    assert file.stat().st_mode & 0o077 == 0


@pytest.mark.dear("the program starts")
def test_a_failure_in_a_terminal_stays_until_enter(home: Path) -> None:
    import pty

    ours, theirs = pty.openpty()
    program = subprocess.Popen(
        [*CLICKED, *NOWHERE], cwd=ROOT, stdin=theirs, stdout=theirs, stderr=theirs
    )
    os.close(theirs)
    try:
        said = ""
        while "Press Enter to close this window." not in said:
            said += os.read(ours, 9999).decode()
        assert said.startswith("handread opens in your browser. To end it, close this window.")
        assert "cannot listen there" in said
        assert program.poll() is None
        os.write(ours, b"\n")
        assert program.wait(timeout=60) == 2
    finally:
        program.kill()
        program.wait()
        os.close(ours)
    assert not (home / "handread" / "last-start.txt").exists()


def test_a_browser_that_does_not_open_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from handread.cli import open as command

    for there, opens in ((False, True), (True, False), (True, True)):
        monkeypatch.setattr("handread.window.server.has_browser", lambda there=there: there)
        monkeypatch.setattr("webbrowser.open", lambda _, opens=opens: opens)
        command._show("http://127.0.0.1/")
        assert ("copy the address into one" in capsys.readouterr().err) is not (there and opens)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no desktop entries")
def test_the_entry_of_a_menu_starts_the_program(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the name of its folder, as a desktop reads it: first the value, then the words."""
    program = tmp_path / 'my "bin" `$HOME` 100% \\ ü' / "handread-window"
    monkeypatch.setattr("shutil.which", lambda name, path: str(program))
    said = run("open", "--desktop-entry").stdout
    entry = home / "applications" / "handread.desktop"
    assert said == f"handread is in the menu of applications: {entry}\n"
    lines = entry.read_text("utf-8").splitlines()
    values = dict(line.split("=", 1) for line in lines if "=" in line)
    assert lines[0] == "[Desktop Entry]"
    assert values["Terminal"] == "true"  # to close it ends the program
    quoted = values["Exec"].replace("\\\\", "\\").replace("%%", "%")
    words = subprocess.check_output(["sh", "-c", f"printf %s {quoted}"], text=True)
    assert words == str(program)
    assert Path(values["Icon"]).read_text("utf-8").startswith("<svg ")
    monkeypatch.setattr("shutil.which", lambda name, path: None)
    assert "no program handread-window" in run("open", "--desktop-entry").said


def test_other_systems_have_no_desktop_entry(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    monkeypatch.setattr("sys.platform", "darwin")
    assert "--desktop-entry is for Linux" in run("open", "--desktop-entry").said
    assert not home.exists()


def test_a_program_in_one_file_has_a_digest_of_that_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each start unpacks its modules anew: their times say nothing, and hands were read before."""
    program = tmp_path / "handread"
    program.write_bytes(b"one")
    whole = program_digest.__wrapped__()
    monkeypatch.setattr("sys.frozen", True, raising=False)
    monkeypatch.setattr("sys.executable", str(program))
    found = program_digest.__wrapped__()
    assert found != whole
    assert found == program_digest.__wrapped__()
    program.write_bytes(b"another")
    assert found != program_digest.__wrapped__()


def test_what_is_missing_is_said_otherwise_in_a_program_in_one_file(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def ended() -> tuple[object, str]:
        with pytest.raises(SystemExit) as end, guarded(debug=False):
            raise ModuleNotFoundError("No module named 'polars'", name="polars")
        return end.value.code, capsys.readouterr().err

    monkeypatch.setattr(signal, "signal", lambda *_: None)
    monkeypatch.setattr("sys.unraisablehook", sys.unraisablehook)
    assert ended() == (2, "handread: this needs polars: pip install 'handread[tables]'\n")
    monkeypatch.setattr("sys.frozen", True, raising=False)
    words = "handread: this needs polars: install handread with Python for it\n"
    assert ended() == (2, words)
