"""Pages of a session in a browser: small files that unfold to the page of the hand."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from handread.report.html.page import PageLinks, kept_json, session_page, shared_files
from handread.report.html.page import page as hand_page
from tests.pages import Made, hostile, longest, sample, without_a_street

if TYPE_CHECKING:
    from tests.browser import Page

LINKS = PageLinks("index.html", "0001.html", "0003.html")

OUTLINE = """
return [document.title, document.body.className,
  ...[...document.body.querySelectorAll("*")]
    .filter((e) => !["SCRIPT", "NOSCRIPT"].includes(e.tagName) && !e.closest("footer > p"))
    .map((e) => `${e.tagName} ${e.id} ${e.className} ${e.childElementCount ? "" : e.textContent}`)];
"""
"""The elements of a page that a reader meets, in order."""


def written(made: Made, folder: Path) -> Path:
    """The page of a hand in the folder of its session."""
    page = {"0002.html": session_page(made.report, made.steps, LINKS)}
    for file, text in {**shared_files(), **page}.items():
        (folder / file).write_text(text, encoding="utf-8")
    return folder / "0002.html"


MADE = {
    "showdown": lambda: sample("showdown.stud", "seat:1"),
    "hostile": hostile,
    "no street": without_a_street,
}


@pytest.mark.thorough
@pytest.mark.parametrize("name", MADE)
def test_a_session_page_unfolds_to_the_page_of_the_hand(
    page: Page, tmp_path: Path, name: str
) -> None:
    made = MADE[name]()
    single = tmp_path / "single.html"
    whole = hand_page(made.report, made.steps, kept_json(made.analysis), LINKS)
    single.write_text(whole, encoding="utf-8")
    page.resize(1280, 900)
    page.open(single, "#3")
    wanted = page.js(OUTLINE)
    page.open(written(made, tmp_path), "#3")
    page.wait("return !document.getElementById('unopened')")
    assert page.js(OUTLINE) == wanted
    if name == "showdown":
        page.press("End", "o")
        assert page.text("#where") == f"{len(made.moments)} of {len(made.moments)}"
        assert page.js("return document.body.className").split() == ["has-truth", "revealed"]
    assert page.console() == []
    assert set(page.requests()) == {(tmp_path / file).as_uri() for file in shared_files()}


@pytest.mark.thorough
def test_a_session_page_without_its_script_says_so(page: Page, tmp_path: Path) -> None:
    path = written(sample("showdown.stud"), tmp_path)
    (script,) = (file for file in shared_files() if file.endswith(".js"))
    (tmp_path / script).unlink()
    page.open(path)
    look = "getComputedStyle(document.getElementById('unopened')).visibility"
    page.wait(f"return {look} === 'visible'")
    assert f"needs the file {script} of its folder" in page.text("#unopened")


def test_a_session_page_is_small_and_admits_the_files_beside_it() -> None:
    made = sample("showdown.stud")
    text = session_page(made.report, made.steps, LINKS)
    assert len(text.encode()) < len(made.html.encode()) / 4
    assert len(session_page(longest().report, longest().steps, LINKS).encode()) < 200_000
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)
    admitted = ["default-src 'none'", "style-src 'self' file:", "script-src 'self' file:"]
    assert policy[1].split("; ")[:3] == admitted
    assert "unsafe" not in text
    assert all(f'"{file}"' in text for file in shared_files())
    without = re.findall(r"<noscript>(.*?)</noscript>", text, re.S)[0]
    assert re.findall(r'href="([^"]*)"', without) == ["index.html", "0001.html", "0003.html"]
