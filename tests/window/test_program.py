"""The program in one file, for people without Python: it is built, clicked on, used and ended."""

from __future__ import annotations

import html
import importlib.util
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, build_opener

import pytest

from tests.program import ROOT, SAMPLES

MISSING = [name for name in ("PyInstaller", "pip") if importlib.util.find_spec(name) is None]

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(MISSING), reason=f"without {MISSING}: pip install '.[program]'"),
    pytest.mark.skipif(sys.platform == "win32", reason="signals cannot be sent to a process there"),
]

SECONDS = 60


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("program")
    build = [sys.executable, str(ROOT / ".ci" / "program" / "build.py"), str(folder)]
    subprocess.run(build, check=True, cwd=folder)
    return folder / "handread"


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    """The environment of a user at a desktop whose browser writes down what it is to open."""
    (tmp := tmp_path / "tmp").mkdir()
    browser = tmp_path / "browser"
    browser.write_text(
        f"#!/bin/sh\necho $1 > {tmp_path}/draft && mv {tmp_path}/draft {tmp_path}/opened\n"
    )
    browser.chmod(0o700)
    kept = ("HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME")
    usual = {"PATH": "/usr/bin:/bin", "TMPDIR": str(tmp), "DISPLAY": ":0"}
    return {**usual, "BROWSER": f"{browser} %s", **{name: str(tmp_path / name) for name in kept}}


def wait(found: Callable[[], object]) -> None:
    end = time.monotonic() + SECONDS
    while not found():
        assert time.monotonic() < end
        time.sleep(0.05)


def is_running(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize("by", [signal.SIGINT, signal.SIGHUP, None], ids=str)
def test_a_click_opens_the_window(
    program: Path, env: dict[str, str], tmp_path: Path, by: signal.Signals | None
) -> None:
    """It reads a log that is dropped, and leaves nothing behind when it ends."""
    begun = time.monotonic()
    none = subprocess.DEVNULL
    running = subprocess.Popen(
        [program],
        env=env,
        cwd=tmp_path,
        stdin=none,
        stdout=none,
        stderr=none,
        start_new_session=True,
    )
    try:
        opened = tmp_path / "opened"
        wait(lambda: opened.exists() and opened.read_text("utf-8").endswith("\n"))
        address = opened.read_text("utf-8").strip()
        browser = build_opener(HTTPCookieProcessor())

        def page(name: str = "", data: bytes | None = None) -> str:
            home = address.partition("?")[0]
            with browser.open(home + name, data, timeout=SECONDS) as answer:
                found: str = answer.read().decode()
            return found

        with browser.open(address, timeout=SECONDS) as answer:
            assert "Which hands?" in answer.read().decode()
        print(f"{time.monotonic() - begun:.1f} s to the first page")
        page("logs?name=night.txt", (SAMPLES / "pokerstars.txt").read_bytes())

        def rows() -> int:
            columns = re.search(r'data-columns="([^"]*)"', page())
            assert columns is not None
            news = json.loads(page(f"news?{urlencode({'columns': html.unescape(columns[1])})}"))
            return str(news["rows"]).count('<th scope="row">')

        wait(lambda: rows() == 2)
        if by is None:
            page("mylogs", b'{"end": "all"}')
        else:
            os.killpg(running.pid, by)
        assert running.wait(timeout=SECONDS) == 130
        wait(lambda: not is_running(running.pid))
        assert [*(tmp_path / "tmp").iterdir()] == []
    finally:
        if is_running(running.pid):
            os.killpg(running.pid, signal.SIGKILL)
        running.wait()


def test_with_words_it_is_the_command(program: Path, env: dict[str, str], tmp_path: Path) -> None:
    """A command that needs what the program leaves out says so."""

    def said(*words: str) -> tuple[int, str]:
        done = subprocess.run(
            [program, *words], env=env, cwd=tmp_path, capture_output=True, text=True, check=False
        )
        return done.returncode, done.stdout + done.stderr

    log = str(SAMPLES / "pokerstars.txt")
    assert said("--version")[1].startswith("handread ")
    code, first = said(log)
    assert (code, "compiling" in first, "2 hands" in first) == (0, False, True)
    needs = "handread: this needs polars: install handread with Python for it\n"
    assert said("score", log, "-o", "tables") == (2, needs)
    assert program.stat().st_size < 140e6
