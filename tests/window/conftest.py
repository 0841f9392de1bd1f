"""A window whose work is done in this process, so that nothing has to start."""

from __future__ import annotations

import html
import re
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from queue import Queue
from threading import Thread
from typing import Any, TypeVar
from unittest import mock

import pytest
import uvicorn
from starlette.testclient import TestClient

from handread.decisions.terms import CHECKED, decision_terms
from handread.inference.players import parse_players
from handread.inference.readers import PolicyReader
from handread.processes import Helpers
from handread.report.html.page import columns_key
from handread.sessions.analyzing import HandView
from handread.sessions.files import ReadSettings
from handread.window.guard import Door
from handread.window.logs import Logs
from handread.window.marks import Marks, user_folder
from handread.window.reading import Workshop
from handread.window.server import application
from tests.program import PROGRAM

T = TypeVar("T")
DOOR = Door(8123, token="a-secret_of-this-test")


class Here(Helpers):
    """Does every job at once, in this process."""

    def submit(self, work: Callable[..., T], *arguments: Any) -> Future[T]:
        future: Future[T] = Future()
        try:
            future.set_result(work(*arguments))
        except Exception as error:
            future.set_exception(error)
        return future


@pytest.fixture(autouse=True)
def windows_keep_apart(folders_of_its_own: Path) -> None:
    """Keep what windows write out of the folders of the user, and of other tests."""


def workshop(values: bool = False, added: Path | None = None, policy: str = "") -> Workshop:
    players = parse_players(policy or None, None, [])
    terms = decision_terms(CHECKED, players, 300, None, 1, None) if values else None
    return Workshop(
        PolicyReader(players),
        HandView(decisions=terms),
        ReadSettings(),
        Here(2),
        Here(1),
        added or user_folder() / "logs",
    )


@contextmanager
def opened_here(*given: str) -> Iterator[str]:
    """``handread open`` in a thread of this process, which does all its work; its address."""
    found: Queue[Any] = Queue()

    class Server(uvicorn.Server):
        def __init__(self, config: uvicorn.Config) -> None:
            super().__init__(config)
            found.put(self)

    with (
        mock.patch("handread.processes.Helpers", Here),
        mock.patch("handread.cli.open.PlaceOptions.told", lambda _, door: found.put(door.address)),
        mock.patch("uvicorn.Server", Server),
    ):
        words = ["open", "--no-browser", "--port", "0", *given]
        thread = Thread(target=PROGRAM.main, args=(words,), kwargs={"standalone_mode": False})
        thread.start()
        address, server = found.get(timeout=30), found.get(timeout=30)
        try:
            yield address
        finally:
            server.should_exit = True
            thread.join()


def columns_of(page: str) -> str:
    """The columns of the list of an index, as its script asks for them."""
    found = re.search(r'data-columns="([^"]*)"', page)
    assert found is not None
    return html.unescape(found[1])


class Window:
    """A window as a browser sees it."""

    def __init__(
        self,
        shop: Workshop,
        marks: Path = Path("no such folder/marks.sqlite"),
        folders: Path | None = None,
    ) -> None:
        self.shop = shop
        self.client = TestClient(
            application(shop, DOOR, Marks(marks), logs=Logs(shop, folders)),
            base_url="http://127.0.0.1:8123",
        )
        assert self.client.get("/", params={"token": DOOR.token}).status_code == 200

    def get(self, path: str, status: int = 200, **query: str) -> str:
        answer = self.client.get(path, params=query)
        assert answer.status_code == status, answer.text
        return answer.text

    def add(self, text: str | bytes, name: str = "") -> None:
        assert self.client.post("/logs", params={"name": name}, content=text).status_code == 200
        self.settle()

    def news(self, since: int = 0) -> dict[str, Any]:
        columns = self.shop.library.listing().rows
        query = {"since": str(since), "columns": columns_key(columns)}
        found: dict[str, Any] = self.client.get("/news", params=query).json()
        return found

    def settle(self, seconds: float = 60.0) -> None:
        """Wait until all is read."""
        end = time.monotonic() + seconds
        while self.shop.library.progress().reading:
            assert time.monotonic() < end
            time.sleep(0.01)


@pytest.fixture
def window() -> Iterator[Window]:
    """A window without files, that values no decisions."""
    shop = workshop()
    with shop.running():
        yield Window(shop)
