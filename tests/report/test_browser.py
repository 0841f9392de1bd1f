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


def size_of_png(path: Path) -> tuple[int, int]:
    head = path.read_bytes()[:24]
    assert head[:8] == b"\x89PNG\r\n\x1a\n"
    return int.from_bytes(head[16:20], "big"), int.from_bytes(head[20:24], "big")


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


def test_the_screenshot_holds_the_whole_page(page: Page, write: Write, tmp_path: Path) -> None:
    page.resize(400, 300)
    page.open(write("<style>body{margin:0}</style><div style='height:900px'></div>"))
    page.screenshot(tmp_path / "whole.png")
    page.screenshot(tmp_path / "part.png", full=False)
    assert size_of_png(tmp_path / "whole.png") == (400, 900)
    assert size_of_png(tmp_path / "part.png") == (400, 300)
    assert page.js("return [innerWidth, innerHeight]") == [400, 300]


def test_the_page_prints(page: Page, write: Write) -> None:
    page.open(write("<p>one</p><p style='break-before:page'>two</p>"))
    printed = page.pdf()
    assert printed.startswith(b"%PDF-")
    assert printed.count(b"/Type /Page\n") == 2


def test_keys_reach_the_page(page: Page, write: Write) -> None:
    page.open(
        write(
            "<input><script>var seen = []; addEventListener('keydown', e => "
            "{ if (e.key !== 'Shift') seen.push((e.shiftKey ? 'S-' : '') + e.key) })</script>"
        )
    )
    page.press("j", "ArrowRight", "Escape", "Space", "?", "+", "Home", "PageDown", "Shift+Tab")
    assert page.js("return seen") == [
        *("j", "ArrowRight", "Escape", " ", "S-?", "S-+", "Home", "PageDown", "S-Tab")
    ]


def test_tab_walks_the_controls(page: Page, write: Write) -> None:
    page.open(
        write(
            "<a href='#x'>first</a><button aria-label='second'>2</button><p>text</p>"
            "<button disabled>never</button><label>third <input></label>"
        )
    )
    assert page.focused() == ("body", "")
    assert page.tab_order(3) == [("a", "first"), ("button", "second"), ("input", "third")]
    page.press("Shift+Tab")
    assert page.focused().name == "second"


def test_the_accessibility_tree_is_told_in_order(page: Page, write: Write) -> None:
    page.open(
        write(
            "<h2>Street</h2><button aria-pressed='true' title='more'>4th</button>"
            "<svg role='img' aria-label='chances to win'><path d='M0 0h9'/></svg>"
            "<p aria-hidden='true'>unsaid</p><input type='range' aria-label='stage' value='70'>"
        )
    )
    nodes = page.accessibility()
    told = {node.role: node for node in nodes}
    roles = ["heading", "button", "image", "slider"]
    assert [node.role for node in nodes if node.role in roles] == roles
    assert (told["heading"].name, told["heading"].properties["level"]) == ("Street", 2)
    assert told["button"].focusable
    assert not told["heading"].focusable
    assert told["button"].properties["pressed"] == "true"
    assert told["button"].description == "more"
    assert told["image"].name == "chances to win"
    assert told["slider"].value == "70"
    assert "unsaid" not in {node.name for node in nodes}


@pytest.mark.parametrize("turn", [1, 2])
def test_a_page_knows_nothing_of_the_one_before(page: Page, write: Write, turn: int) -> None:
    page.open(write("<p>kept</p>"))
    assert page.js("return [localStorage.length, sessionStorage.length]") == [0, 0]
    assert not page.js("return matchMedia('(prefers-color-scheme: dark)').matches")
    page.dark()
    page.js("localStorage.theme = 'dark'; sessionStorage.theme = 'dark'")
    page.open(write("<p>kept</p>"))
    assert page.js("return localStorage.theme") == "dark"
