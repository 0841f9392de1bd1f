"""``handread open`` as a user starts it: its address, its port, and its end."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest

from handread import processes
from handread.window import server
from tests.program import ROOT, SAMPLES, run
from tests.window.conftest import columns_of, opened_here

if TYPE_CHECKING:
    from tests.browser import Page

LOG = SAMPLES / "pokerstars.txt"


@contextmanager
def opened(*given: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The program, and the address that it prints."""
    words = [sys.executable, "-X", "faulthandler", "-m", "handread", "open", "--no-browser", *given]
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
    try:
        said = program.communicate(timeout=60)[1]
    except subprocess.TimeoutExpired:
        program.send_signal(signal.SIGABRT)  # it prints what its threads do
        pytest.fail(f"it does not end: {program.communicate()[1]}")
    assert program.returncode == 130
    assert "Traceback" not in said
    return said


@pytest.fixture
def heeded(name: str) -> Iterator[signal.Signals]:
    """The signal, which a program inherits as ignored where ``nohup`` started the tests."""
    by = signal.Signals[name]
    before = signal.getsignal(by)
    if before is signal.SIG_IGN:
        signal.signal(by, signal.SIG_DFL)
    yield by
    signal.signal(by, before)


class Reader:
    """Somebody who was given the address."""

    def __init__(self, address: str) -> None:
        self._place = urlsplit(address).netloc
        entered = self.answer("GET", f"/?{urlsplit(address).query}")
        assert entered.status == 303
        self._cookie = entered.headers["Set-Cookie"].partition(";")[0]

    def answer(self, method: str, path: str, body: bytes = b"", **headers: str) -> HTTPResponse:
        """The answer; to somebody without a cookie where none is given."""
        connection = HTTPConnection(self._place, timeout=60)
        connection.request(method, path, body, {"Host": self._place, **headers})
        return connection.getresponse()

    def post(self, path: str, body: bytes) -> None:
        given = {"Cookie": self._cookie, "Origin": f"http://{self._place}"}
        assert self.answer("POST", path, body, **given).status == 200

    def pages(self, ready: Callable[[dict[str, Any], list[str]], object]) -> list[str]:
        """The names of the pages of hands, once they and the news are as wanted."""
        end = time.monotonic() + 60
        while True:
            query = urlencode({"columns": columns_of(self.get("/").read().decode())})
            news = json.loads(self.get(f"/news?{query}").read())
            names = re.findall(r'<th scope="row"><a href="([^"]+)"', news["rows"])
            if ready(news, names):
                return names
            assert time.monotonic() < end
            time.sleep(0.05)

    def get(self, path: str) -> HTTPResponse:
        return self.answer("GET", path, Cookie=self._cookie)


@pytest.mark.dear("a program and its processes start, and load what they need")
@pytest.mark.skipif(sys.platform == "win32", reason="signals cannot be sent to a process there")
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_ctrl_c_and_the_system_end_it_while_it_works(name: str, heeded: signal.Signals) -> None:
    """It takes another port than one in use, and its processes read hands and make pages."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        taken = other.getsockname()[1]
        evening = str(ROOT / "docs" / "first-evening.txt")
        with opened("--port", str(taken), evening) as (program, address):
            reader, port = Reader(address), urlsplit(address).port
            assert port != taken
            assert reader.answer("GET", "/").status == 403
            assert reader.answer("GET", "/", Host="evil.example").status == 403
            [name, *_] = reader.pages(lambda _, names: names)
            assert reader.get(f"/{name}").status == 200
            said = ended(program, heeded).splitlines()
            assert said == [f"port {taken} is taken: this is port {port}", "Ctrl-C ends it"]


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="no terminal hangs up there")
def test_another_thread_than_the_main_one_leaves_a_hangup_alone() -> None:
    def hung_up(*_: Any) -> None:
        pytest.fail("nobody hung up")

    with processes.answering(signal.SIGHUP, hung_up):
        with opened_here() as address:
            assert Reader(address).get("/").status == 200
        assert signal.getsignal(signal.SIGHUP) is hung_up


@pytest.mark.dear("a program starts")
def test_the_page_of_the_logs_ends_it() -> None:
    """For those who clicked on an icon, and see no terminal."""
    with opened("--port", "0") as (program, address):
        reader = Reader(address)
        assert "End handread" in reader.get("/mylogs").read().decode()
        reader.post("/mylogs", b'{"end": "all"}')
        assert "Traceback" not in program.communicate(timeout=60)[1]
        assert program.returncode == 130


def test_the_next_free_port_is_taken() -> None:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        one.listen()
        port = one.getsockname()[1]
        with server.listening("127.0.0.1", port) as other:
            assert other.getsockname()[1] != port
            assert other.getsockname()[0] == "127.0.0.1"


HALVES = {
    "nothing": "",
    "half a head": "GET / HTTP/1.1\r\nHost: 127.0.0.1",
    "half a body": "POST /logs HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nCookie: {key}\r\n"
    "Content-Length: 99\r\n\r\nPokerStars",
    "half a body without the key": "POST /logs HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
    "Content-Length: 99\r\n\r\nPokerStars",
    "half of a second request": "GET /no HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nCookie: {key}\r\n"
    "\r\nGET / HT",
}


def test_a_request_that_does_not_arrive_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "ARRIVAL_SECONDS", 0.2)
    with opened_here() as address:
        port, token = urlsplit(address).port, parse_qs(urlsplit(address).query)["token"][0]
        key = f"handread-{port}={token}"
        with ExitStack() as stack:
            many = {
                name: stack.enter_context(socket.create_connection(("127.0.0.1", port), 10))
                for name in HALVES
            }
            for name, half in HALVES.items():
                many[name].sendall(half.format(port=port, key=key).encode())
            asking = stack.enter_context(closing(HTTPConnection(f"127.0.0.1:{port}", timeout=10)))
            asking.connect()
            sock = asking.sock
            for _ in range(4):
                asking.request("GET", "/no")
                assert asking.getresponse().read()
                time.sleep(0.15)
            assert asking.sock is sock, "what asks again and again stays open"
            for name in HALVES:
                while many[name].recv(9999):
                    pass
        assert Reader(address).answer("GET", "/").status == 403


@pytest.mark.thorough
def test_an_answer_may_take_longer_than_a_request(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "ARRIVAL_SECONDS", 0.05)
    monkeypatch.setattr(server.Pages, "player", lambda *_: time.sleep(0.2))
    with opened_here() as address:
        port, token = urlsplit(address).port, parse_qs(urlsplit(address).query)["token"][0]
        for kind, last in (("1.1", "Connection: close\r\n"), ("1.0", ""), ("1.1", "")):
            head = f"GET /no HTTP/{kind}\r\nHost: 127.0.0.1:{port}\r\n{last}"
            with socket.create_connection(("127.0.0.1", port), 10) as asking:
                asking.sendall(f"{head}Cookie: handread-{port}={token}\r\n\r\n".encode())
                assert asking.recv(9999).startswith(b"HTTP/1.1 404")


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


@pytest.mark.dear("logs are read, valued and drawn while somebody looks")
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
        growing.write_text("", encoding="utf-8")
        os.utime(growing, (0, 0))
        page.wait(LISTED.format(3), 60)
        os.utime(growing)
        page.find("#hands th a").click()
        page.wait("return document.querySelector('#stepper:not([hidden])') !== null", 60)
        assert page.text("h1").startswith("Hand ")
        assert "the command above" not in page.text("footer")  # there is none
        assert not page.console()


SAYS = "return document.getElementById('progress').innerText.includes('{}')"


@pytest.mark.dear("the program starts twice, and a page notices a second later")
def test_an_old_tab_says_what_to_do_and_goes_on(page: Page) -> None:
    """It says that the program has ended, that it has another key now, and goes on with the key."""
    star = '#hands [data-number="1"] .to-star'
    with opened_here(str(LOG)) as address:
        page.driver.get(address)
        page.wait(LISTED.format(2), 60)
        page.js("window.old = true")
    page.wait(SAYS.format("start it again"))
    page.js(f"document.querySelector('{star}').click()")
    with opened_here("--port", str(urlsplit(address).port), str(LOG)) as again:
        page.wait(SAYS.format("go on in the tab that it opened"))
        assert page.js("return window.old")
        page.js("fetch(arguments[0])", again)  # as another tab does, to which it gives the key
        page.wait("return window.old === undefined && !document.querySelector('.lost')")
        page.wait(f"return document.querySelector('{star}')?.ariaPressed === 'true'", 60)


@pytest.mark.dear("the program starts four times")
def test_what_was_dropped_is_there_at_the_next_start(tmp_path: Path) -> None:
    """With the files that it was dropped on, without any, and not with others."""
    evening = (ROOT / "docs" / "first-evening.txt").read_text(encoding="utf-8")
    one, other = tmp_path / "one.txt", tmp_path / "other.txt"
    for file, hand in zip((one, other), evening.split("\n\n\n"), strict=False):
        file.write_text(f"{hand}\n\n\n", encoding="utf-8")
    with opened_here(str(one)) as address:
        Reader(address).post("/logs?name=night.txt", LOG.read_bytes())
    assert len(list(tmp_path.glob("user's data/handread/logs/*/night.txt"))) == 1
    for given, hands in (([str(one)], 3), ([], 2), ([str(other)], 1)):
        with opened_here(*given) as address:
            reader = Reader(address)
            reader.pages(lambda _, names, hands=hands: len(names) >= hands)
            found = reader.pages(lambda news, _: not news["progress"].startswith("Reading"))
            assert len(found) == hands
