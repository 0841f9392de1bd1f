"""Add the words, options and columns of the reference to the search of the site.

The search ranks titles first. A word that has a row of a table, and no section of its own, would
come after every page that mentions it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any

from markdown.extensions.toc import slugify

INDEXED = ("glossary.md", "reference/commands.md", "reference/tables.md")
"""The pages of which each option and each row of a table can be found by its name."""

SCRIPT = "var __index = "
"""The start of the index as a script, for pages that are opened as files."""

_ENTRY = re.compile(r"\| (.+?) \| (.+?) \||\* `(--?\w[^`]*)`: (.+)")


def add_entries(site: Path, docs: Path) -> None:
    """Add entries of some pages to the index of a site that was built from ``docs``."""
    index = json.loads((site / "search.json").read_text("utf-8"))
    for page in INDEXED:
        index["items"] += _entries(page, (docs / page).read_text("utf-8"))
    written = json.dumps(index, ensure_ascii=False)
    (site / "search.json").write_text(written, "utf-8")
    (site / "search.js").write_text(SCRIPT + written, "utf-8")


def _entries(page: str, text: str) -> Iterator[dict[str, Any]]:
    """Yield an entry of the index for each option and each row of a table of a page."""
    heading = ""
    lines = text.splitlines()
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        if line.startswith("#"):
            heading = line.lstrip("# ")
        found = _ENTRY.match(line)
        # The head of a table comes before the line that separates it from its rows.
        if found is None or any(one.startswith(("|-", "| -")) for one in (line, following)):
            continue
        name, meaning = (_bare(cell) for cell in found.groups() if cell is not None)
        yield {
            "location": f"{page.removesuffix('.md')}.html#{slugify(heading, '-')}",
            "level": 3,
            "title": name,
            "text": f"<p>{meaning}</p>",
            "path": [heading],
            "tags": [],
        }


def _bare(cell: str) -> str:
    """Return the words of a cell of a table as HTML, without its type and its markup."""
    words = re.sub(r"\[(.*?)\]\(.*?\)", r"\1", cell.partition("<br>")[0])
    return escape(re.sub(r"[`*]", "", words), quote=False)
