"""Markdown that a forge and the site generator show alike."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Sequence

WIDTH = 100
"""Most characters in a line of prose."""


def prose(text: str, hang: str = "") -> str:
    """Return a text wrapped to the width; all lines but the first begin with ``hang``."""
    return textwrap.fill(
        " ".join(text.split()),
        WIDTH,
        subsequent_indent=hang,
        break_long_words=False,
        break_on_hyphens=False,
    )


def bullet(text: str, level: int = 0) -> str:
    """Return an item of a list."""
    blanks = "  " * level
    return prose(f"* {text}", f"{blanks}  ") if not level else blanks + prose(f"* {text}", "    ")


def bullets(texts: Iterable[str]) -> str:
    """Return a list."""
    return "\n".join(bullet(text) for text in texts)


def code(text: str) -> str:
    """Return a code span."""
    fence = "``" if "`" in text else "`"
    blank = " " if "`" in text else ""
    return f"{fence}{blank}{text}{blank}{fence}"


def block(text: str, language: str = "text") -> str:
    """Return a fenced block of code."""
    return f"```{language}\n{text.rstrip()}\n```"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table. Cells must not contain ``|`` in code spans: dialects differ there.

    Raises:
        ValueError: A cell has a ``|`` or a line break.
    """
    lines = [head, ["---"] * len(head), *rows]
    for line in lines:
        if any(re.search(r"[|\n]", cell) for cell in line):
            raise ValueError(f"a cell of a table has a bar or a line break: {line}")
    return "\n".join(f"| {' | '.join(line)} |".replace("|  |", "| |") for line in lines)


def anchor(title: str) -> str:
    """Return the anchor of a heading."""
    return re.sub(r"[^\w -]", "", title.lower()).strip().replace(" ", "-")


def link(title: str, target: str = "", shown: str = "") -> str:
    """Return a link to the heading ``title``, on the page ``target`` or on the same page."""
    return f"[{shown or title}]({target}#{anchor(title)})"


def sentence(text: str) -> str:
    """Return a text that begins with a capital letter and ends with a full stop."""
    text = " ".join(text.split())
    if re.match(r"[a-z]+(?:[ ,;.]|$)", text):
        text = text[0].upper() + text[1:]
    return text if not text or text.endswith((".", "!", "?", ":")) else f"{text}."


def page(title: str, *parts: str) -> str:
    """Return a page of its parts, which blank lines separate."""
    made = "<!-- Made by `python -m docs.site.reference`. Do not edit this page. -->"
    return "\n\n".join(part.strip("\n") for part in (f"# {title}", made, *parts) if part) + "\n"
