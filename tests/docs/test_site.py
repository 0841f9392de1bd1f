"""The site: what it is made of, its links, and how it shows in a browser."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("zensical", reason="needs pip install -e '.[docs]'")

from docs.site import need
from docs.site.build import DOCS, MARK, PAGES, ROOT, SITE, SiteError, build, check_output
from docs.site.links import faults

if TYPE_CHECKING:
    from tests.browser import Page

pytestmark = pytest.mark.docs


def names(nav: list[dict[str, Any]]) -> Iterator[str]:
    """Yield the pages of a navigation."""
    for entry in nav:
        for below in entry.values():
            yield from [below] if isinstance(below, str) else names(below)


def test_the_navigation_lists_every_page_once() -> None:
    nav = tomllib.loads((SITE / "zensical.toml").read_text("utf-8"))["project"]["nav"]
    pages = [path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")]
    assert sorted(names(nav)) == sorted([*pages, *PAGES.values()])


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ('<a href="b.html">', "b.html: there is no such file"),
        ('<a href="/b.html">', "/b.html: there is no such file"),
        ('<p id="x"><a href="#y">', "#y: there is no such anchor"),
        ('<p id="x"><a href="a.html#y">', "a.html#y: there is no such anchor"),
        ('<img src="b.png" alt="a page">', "b.png: there is no such file"),
        ('<img src="a.html" alt=" ">', "a.html: a picture without alternative text"),
        ('<script src="//x.org/a.js">', "//x.org/a.js: is fetched from the network"),
        ('<link href="https://x.org/a.css">', "https://x.org/a.css: is fetched from the network"),
        ('<link rel="canonical" href="https://x.org/">', None),
        ('<p id="x"><a href="a.html#x"><a href="https://x.org"><a href="mailto:a@x.org">', None),
    ],
)
def test_faults_of_links(body: str, fault: str | None, tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(f"<html><body>{body}</body></html>", "utf-8")
    assert faults(tmp_path) == ([] if fault is None else [f"a.html: {fault}"])


@pytest.mark.parametrize("folder", [ROOT, ROOT.parent, DOCS, DOCS / "new", ROOT / "handread"])
def test_the_site_replaces_no_part_of_the_project(folder: Path) -> None:
    with pytest.raises(SiteError, match=r"the site cannot|something else than a site"):
        check_output(folder)


def test_the_site_replaces_only_a_site(tmp_path: Path) -> None:
    check_output(tmp_path / "new")
    check_output(tmp_path)
    kept = tmp_path / "kept.txt"
    kept.touch()
    for place, fault in ((tmp_path, "something else than a site"), (kept, "is not a folder")):
        with pytest.raises(SiteError, match=fault):
            build(place)
    (tmp_path / MARK).parent.mkdir()
    (tmp_path / MARK).touch()
    check_output(tmp_path)


def test_what_is_not_installed_is_named() -> None:
    need("pytest")
    with pytest.raises(SystemExit, match=r"^nopytest not found: .* pip install '\.\[docs\]'$"):
        need("pytest", "nopytest")


@pytest.mark.dear("builds the whole site, which the pages in the browser come from")
def test_the_site_in_a_browser(page: Page, tmp_path: Path) -> None:
    build(tmp_path / "site")  # which fails at any warning, and at links that lead nowhere
    page.resize(390, 844, mobile=True)
    for name in ("index", "gallery", "paper", "which-reader", "reference/python"):
        page.open(tmp_path / "site" / f"{name}.html")
        assert not page.overflows(), name
        assert not page.console(), name
        assert all(url.startswith("file:") for url in page.requests()), name
    page.resize(1440, 900)
    page.open(tmp_path / "site" / "index.html")
    page.press("Control+k")
    page.press(*"kl_bits")
    # The search shows its results in a shadow tree; the column of this name comes first.
    found = "[...document.querySelectorAll('*')].map(e => e.shadowRoot?.textContent).join()"
    page.wait(f"return /[0-9]+ results?kl_bits/.test({found})")
