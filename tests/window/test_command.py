"""``handread open`` as a user starts it: its address, its port, and its end."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest

from handread.window import server
from tests.program import ROOT, SAMPLES, run
from tests.window.conftest import opened_here

if TYPE_CHECKING:
    from tests.browser import Page

LOG = SAMPLES / "pokerstars.txt"


@contextmanager
def opened(*given: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The program, and the address that it prints."""
    words = [sys.executable, "-m", "handread", "open", "--no-browser", *given]
    pipes: Any = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    program = subprocess.Popen(words, cwd=ROOT, text=True, **pipes)
    assert program.stdout is not None
    try:
        yield program, program.stdout.readline().strip()
    finally:
        program.kill()
        program.communicate()


def ended(program: subprocess.Popen[str], by: signal.Signals = signal.SIGINT) -> str:
    """Press Ctrl-C, or send another signal; return what was said on stderr."""
    program.send_signal(by)
    said = program.communicate(timeout=20)[1]
    assert program.returncode == 130
    assert "Traceback" not in said
    return said


def status(address: str, path: str = "/", host: str = "") -> int:
    """The status of an answer to somebody who has no cookie."""
    place = urlsplit(address).netloc
    connection = HTTPConnection(place, timeout=20)
    connection.request("GET", path, headers={"Host": host or place})
    return connection.getresponse().status


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform == "win32", reason="signals cannot be sent to a process there")
@pytest.mark.parametrize("by", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_and_the_system_end_it_while_it_works(by: signal.Signals) -> None:
    with opened("--port", "0", str(ROOT / "docs" / "first-evening.txt")) as (program, address):
        assert status(address, "/?" + urlsplit(address).query) == 303
        assert status(address) == 403
        assert status(address, "/", "evil.example") == 403
        time.sleep(2.0)  # until processes work
        said = ended(program, by).splitlines()
        assert said == ["Ctrl-C ends it"]


@pytest.mark.thorough
def test_two_at_a_time_take_two_ports() -> None:
    with opened("--port", "0") as (_, first):
        port = urlsplit(first).port
        with opened("--port", str(port)) as (program, second):
            assert urlsplit(second).port != port
            assert status(first) == status(second) == 403
            assert f"port {port} is taken" in ended(program)


def test_the_next_free_port_is_taken() -> None:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        one.listen()
        port = one.getsockname()[1]
        with server.listening("127.0.0.1", port) as other:
            assert other.getsockname()[1] != port
            assert other.getsockname()[0] == "127.0.0.1"


def test_what_cannot_be_opened_is_said() -> None:
    done = run("open", "--no-browser", "no-such-log.txt")
    assert done.returncode == 2
    assert "no-such-log.txt: there is no such file or folder" in done.said
    done = run("open", "--no-browser", "--host", "203.0.113.1")
    assert done.returncode == 2
    assert "--host 203.0.113.1: cannot listen there" in done.said


def test_no_browser_is_opened_for_those_far_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setenv("SSH_CONNECTION", "10.0.0.1 1 10.0.0.2 22")
    assert not server.has_browser()
    monkeypatch.delenv("SSH_CONNECTION")
    monkeypatch.delenv("SSH_TTY", raising=False)
    monkeypatch.delenv("DISPLAY")
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    if sys.platform == "linux":
        assert not server.has_browser()


PASTE = """
const data = new DataTransfer();
data.setData("text/plain", arguments[0]);
document.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }));
"""
DROP = """
const data = new DataTransfer();
data.items.add(new File([arguments[0]], "night.txt"));
document.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true }));
"""
LISTED = "return document.querySelectorAll('#hands tbody tr').length === {}"


@pytest.mark.thorough
def test_in_a_browser(page: Page, tmp_path: Path) -> None:
    """Paste a log, drop another, watch a third grow, and look at a hand."""
    text, growing = LOG.read_text(encoding="utf-8"), tmp_path / "growing.txt"
    evening = (ROOT / "docs" / "first-evening.txt").read_text(encoding="utf-8")
    hands = evening.split("\n\n\n")
    growing.write_text("", encoding="utf-8")
    with opened_here(str(growing)) as address:
        page.driver.get(address)
        assert "token" not in page.driver.current_url
        page.wait("return document.getElementById('add') !== null")
        page.js(PASTE, text)
        page.wait(LISTED.format(2), 60)
        page.js(DROP, hands[0] + "\n\n\n")
        page.wait(LISTED.format(3), 60)
        growing.write_text(hands[1] + "\n\n\n", encoding="utf-8")
        page.wait(LISTED.format(4), 60)
        os.utime(growing)
        page.find("#hands th a").click()
        page.wait("return document.querySelector('#stepper:not([hidden])') !== null", 60)
        assert page.text("h1").startswith("Hand ")
        assert "the command above" not in page.text("footer")  # there is none
        page.wait("return document.querySelector('.waiting') === null", 120)
        assert not page.console()


def posted(address: str, text: bytes, name: str) -> None:
    """Drop a log on the page of an address."""
    place, query = urlsplit(address).netloc, urlsplit(address).query
    connection = HTTPConnection(place, timeout=20)
    connection.request("GET", f"/?{query}")
    answer = connection.getresponse()
    cookie = answer.headers["Set-Cookie"].partition(";")[0]
    answer.read()
    headers = {"Cookie": cookie, "Origin": f"http://{place}"}
    connection.request("POST", f"/logs?name={name}", text, headers)
    assert connection.getresponse().status == 200


@pytest.mark.thorough
def test_what_was_dropped_is_there_at_the_next_start(page: Page, tmp_path: Path) -> None:
    """With the files that it was dropped on, without any, and not with others."""
    evening = (ROOT / "docs" / "first-evening.txt").read_text(encoding="utf-8")
    one, other = tmp_path / "one.txt", tmp_path / "other.txt"
    for file, hand in zip((one, other), evening.split("\n\n\n"), strict=False):
        file.write_text(f"{hand}\n\n\n", encoding="utf-8")
    with opened_here(str(one)) as address:
        posted(address, LOG.read_bytes(), "night.txt")
    assert len(list(tmp_path.glob("user's data/handread/logs/*/night.txt"))) == 1
    for given, hands in (([str(one)], 3), ([], 2), ([str(other)], 1)):
        with opened_here(*given) as address:
            page.driver.get(address)
            page.wait(LISTED.format(hands), 60)
            page.wait("return document.getElementById('progress').textContent.includes('valued')")
            assert page.js(LISTED.format(hands))
