"""The browser that the tests look with: what it says it sees is there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.browser import Page

Open = Callable[..., None]

HEAD = '<!doctype html><html lang="en"><meta charset="utf-8"><title>Trial</title>'
VIEWPORT = '<meta name="viewport" content="width=device-width">'


@pytest.fixture
def shows(page: Page, tmp_path: Path) -> Open:
    """Opens a page with this body."""

    def opened(body: str, head: str = "", after: str = "") -> None:
        path = tmp_path / "trial page.html"
        path.write_text(f"{HEAD}{head}<body>{body}", encoding="utf-8")
        page.open(path, after)

    return opened


@pytest.mark.thorough
def test_a_quiet_page_asks_for_nothing(page: Page, shows: Open) -> None:
    dot = "data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=="
    shows(f"<h1>Sevens</h1><p hidden>no</p><img alt='' src='{dot}'>", after="#top")
    assert page.text("body") == "Sevens"
    assert page.js("return [location.hash, document.images[0].naturalWidth]") == ["#top", 1]
    assert page.requests() == page.console() == []


@pytest.mark.thorough
def test_requests_are_seen_even_where_they_are_forbidden(page: Page, shows: Open) -> None:
    shows(
        "<img src='https://example.invalid/x.png'><script src='beside.js'></script>"
        "<script>fetch('https://example.invalid/y').catch(() => 0);"
        "new WebSocket('wss://example.invalid/z')</script>"
    )
    asked = page.requests()
    beside = page.driver.current_url.replace("trial%20page.html", "beside.js")
    outside = ("https://example.invalid/x.png", "https://example.invalid/y")
    assert {*outside, "wss://example.invalid/z", beside} <= set(asked)
    assert page.requests() == asked
    policy = "default-src 'none'; script-src 'unsafe-inline'"
    rule = f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
    shows("<img src='https://example.invalid/x.png'>", rule)
    assert page.requests() == ["https://example.invalid/x.png"]
    assert any("Content Security Policy" in message for message in page.console())


@pytest.mark.thorough
def test_errors_are_seen_and_forgotten_by_the_next_page(page: Page, shows: Open) -> None:
    shows("<script>console.warn('mere warning'); throw Error('boom')</script>")
    (message,) = page.console()
    assert "boom" in message
    shows("<p>well</p>")
    assert page.console() == []
    shows("<script>Promise.reject(Error('late'))</script>")
    assert any("late" in message for message in page.console())


@pytest.mark.thorough
def test_the_viewport_has_the_size_asked_for(page: Page, shows: Open) -> None:
    shows("<p>short</p>", VIEWPORT)
    for width, height in ((320, 568), (1280, 720)):
        for mobile in (False, True):
            page.resize(width, height, mobile=mobile)
            assert page.js("return [innerWidth, innerHeight]") == [width, height]
    shows("<div style='width:400px;height:9px'></div>", VIEWPORT)
    for width in (320, 500):
        page.resize(width, 568)
        assert page.overflows() is (width < 400)
    page.resize(360, 640, mobile=True)
    shows("<p>a phone heeds the viewport tag, and here is none</p>")
    assert page.js("return document.documentElement.clientWidth") == 980


@pytest.mark.thorough
def test_media_are_set_one_by_one(page: Page, shows: Open) -> None:
    shows("<p>paper</p>")
    queries = (
        *("(prefers-color-scheme: dark)", "(prefers-reduced-motion: reduce)", "print"),
        "(forced-colors: active)",
    )

    def matched() -> list[bool]:
        return [page.js("return matchMedia(arguments[0]).matches", query) for query in queries]

    page.dark(False)
    assert matched() == [False] * 4
    page.dark()
    page.prefer("prefers-reduced-motion", "reduce")
    assert matched() == [True, True, False, False]
    page.print_media()
    assert matched() == [True, True, True, False]
    page.print_media(False)
    page.prefer("prefers-reduced-motion", "no-preference")
    page.prefer("forced-colors", "active")
    assert matched() == [True, False, False, True]
