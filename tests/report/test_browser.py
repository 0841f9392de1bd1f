"""The browser that the tests look with: what it says it sees is there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.browser import Page

Write = Callable[..., Path]

HEAD = '<!doctype html><html lang="en"><meta charset="utf-8"><title>Trial</title>'
VIEWPORT = '<meta name="viewport" content="width=device-width">'


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes a page with this body and tells where it is."""

    def written(body: str, head: str = "", name: str = "trial page.html") -> Path:
        path = tmp_path / name
        path.write_text(f"{HEAD}{head}<body>{body}", encoding="utf-8")
        return path

    return written


def test_a_quiet_page_asks_for_nothing(page: Page, write: Write) -> None:
    dot = "data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=="
    page.open(write(f"<h1>Sevens</h1><p hidden>no</p><img alt='' src='{dot}'>"), "#top")
    assert page.text("body") == "Sevens"
    assert page.js("return location.hash") == "#top"
    assert page.js("return document.images[0].naturalWidth") == 1
    assert page.requests() == []
    assert page.console() == []


def test_requests_are_seen(page: Page, write: Write) -> None:
    page.open(
        write(
            "<img src='https://example.invalid/x.png'><script src='beside.js'></script>"
            "<script>fetch('https://example.invalid/y').catch(() => 0);"
            "new WebSocket('wss://example.invalid/z')</script>"
        )
    )
    asked = page.requests()
    assert {"https://example.invalid/x.png", "https://example.invalid/y"} <= set(asked)
    assert "wss://example.invalid/z" in asked
    assert any(url.startswith("file:") and url.endswith("/beside.js") for url in asked)
    assert page.requests() == asked


def test_a_forbidden_request_is_seen_too(page: Page, write: Write) -> None:
    policy = "default-src 'none'; script-src 'unsafe-inline'"
    rule = f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
    page.open(write("<img src='https://example.invalid/x.png'>", rule))
    assert page.requests() == ["https://example.invalid/x.png"]
    assert any("Content Security Policy" in message for message in page.console())


def test_errors_are_seen_and_forgotten_by_the_next_page(page: Page, write: Write) -> None:
    page.open(write("<script>console.warn('mere warning'); throw Error('boom')</script>"))
    (message,) = page.console()
    assert "boom" in message
    page.open(write("<p>well</p>"))
    assert page.console() == []


def test_a_rejected_promise_is_an_error(page: Page, write: Write) -> None:
    page.open(write("<script>Promise.reject(Error('late'))</script>"))
    assert any("late" in message for message in page.console())


@pytest.mark.parametrize("mobile", [False, True])
@pytest.mark.parametrize(("width", "height"), [(320, 568), (1280, 720)])
def test_the_viewport_has_the_size_asked_for(
    page: Page, write: Write, width: int, height: int, mobile: bool
) -> None:
    page.resize(width, height, mobile=mobile)
    page.open(write("<p>short</p>", VIEWPORT))
    assert page.js("return [innerWidth, innerHeight]") == [width, height]


def test_a_phone_heeds_the_viewport_tag(page: Page, write: Write) -> None:
    page.resize(360, 640, mobile=True)
    page.open(write("<p>no tag</p>"))
    assert page.js("return document.documentElement.clientWidth") == 980


def test_sideways_scrolling_is_seen(page: Page, write: Write) -> None:
    page.resize(320, 568)
    page.open(write("<div style='width:400px;height:9px'></div>", VIEWPORT))
    assert page.overflows()
    page.resize(500, 568)
    assert not page.overflows()


def test_media_are_set_one_by_one(page: Page, write: Write) -> None:
    page.open(write("<p>paper</p>"))
    queries = ("prefers-color-scheme: dark", "prefers-reduced-motion: reduce")

    def matched() -> list[bool]:
        conditions = [*(f"({query})" for query in queries), "print"]
        return [page.js("return matchMedia(arguments[0]).matches", c) for c in conditions]

    page.dark(False)
    assert matched() == [False, False, False]
    page.dark()
    page.reduced_motion()
    assert matched() == [True, True, False]
    page.print_media()
    assert matched() == [True, True, True]
    page.print_media(False)
    page.reduced_motion(False)
    page.prefer("forced-colors", "active")
    assert matched() == [True, False, False]
    assert page.js("return matchMedia('(forced-colors: active)').matches")
