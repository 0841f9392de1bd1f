"""The links and pictures of a site: where they lead, and what is wrong with them."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

GALLERY = "gallery"
"""The folder of the pages of hands, of which a fragment names a step and not an anchor."""

_LOADED = {"img": "src", "script": "src", "iframe": "src", "link": "href", "source": "srcset"}
"""The elements for which a browser fetches a file, and the attribute that names it."""


@dataclass
class _LinkedPage(HTMLParser):
    """The links and anchors of a page of HTML."""

    file: Path
    anchors: set[str] = field(default_factory=set)
    links: set[str] = field(default_factory=set)
    loaded: set[str] = field(default_factory=set)
    unnamed: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        super().__init__()
        self.feed(self.file.read_text("utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what an element refers to."""
        values = {name: value or "" for name, value in attrs}
        self.anchors.update(values[name] for name in ("id", "name") if name in values)
        if tag == "a" and "href" in values:
            self.links.add(values["href"])
        loads = tag in _LOADED and values.get("rel") not in ("canonical", "next", "prev")
        if loads and _LOADED[tag] in values:
            self.loaded.add(values[_LOADED[tag]])
        if tag == "img" and not values.get("alt", "").strip():
            self.unnamed.add(values.get("src", ""))


def faults(site: Path) -> list[str]:
    """Return what is wrong with the links of a site, each with the page that it is on.

    These are links to files or anchors that do not exist, anything that a page would fetch from
    the network, and pictures without an alternative text.
    """
    page = cache(_LinkedPage)
    found = []
    for file in sorted(site.rglob("*.html")):
        read = page(file)
        name = file.relative_to(site)
        far = filter(_far, sorted(read.loaded))
        found += [f"{name}: {url}: is fetched from the network" for url in far]
        unnamed = sorted(read.unnamed)
        found += [f"{name}: {url}: a picture without alternative text" for url in unnamed]
        for url in sorted(read.links | read.loaded):
            if _far(url) or url.startswith(("data:", "mailto:", "javascript:")):
                continue
            parts = urlsplit(url)
            start = site if parts.path.startswith("/") else file.parent
            target = (start / unquote(parts.path).lstrip("/")).resolve() if parts.path else file
            if not target.is_file():
                found.append(f"{name}: {url}: there is no such file")
            elif target.suffix != ".html" or target.parent.name == GALLERY or not parts.fragment:
                continue
            elif unquote(parts.fragment) not in page(target).anchors:
                found.append(f"{name}: {url}: there is no such anchor")
    return found


def _far(url: str) -> bool:
    return bool(urlsplit(url).netloc)
