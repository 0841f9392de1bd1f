"""Markdown that a forge and the site generator show alike."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Sequence
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

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


def bullet(text: str) -> str:
    """Return an item of a list."""
    return prose(f"* {text}", hang="  ")


def bullets(texts: Iterable[str]) -> str:
    """Return a list."""
    return "\n".join(bullet(text) for text in texts)


def code(text: str) -> str:
    """Return a code span."""
    fence = "``" if "`" in text else "`"
    blank = " " if "`" in text else ""
    return f"{fence}{blank}{text}{blank}{fence}"


_NAME = re.compile(
    r"(?<![\w`-])"
    r"(?:--[a-z][a-z-]*|handread (?:analyze|score|query)|_?[a-z0-9]+(?:_[a-z0-9]+)+|_[a-z0-9]+)"
    r"(?![`*])"
)


def with_code(text: str) -> str:
    """Return a text with its options, commands and names with underscores as code."""
    return _NAME.sub(lambda found: code(found[0]), text)


def block(text: str, language: str = "text") -> str:
    """Return a block of code; its fence is longer than any in the text."""
    lines = "\n".join(line.rstrip() for line in text.strip("\n").splitlines())
    ticks = max(map(len, re.findall(r"^ *(`+)", lines, re.M)), default=0)
    fence = "`" * max(3, ticks + 1)
    return f"{fence}{language}\n{lines}\n{fence}"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table.

    Raises ValueError for a line break in a cell, or a bar in a code span: forges and the site
    generator escape it differently.
    """
    lines = [head, ["---"] * len(head), *([_cell(cell) for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _cell(text: str) -> str:
    if re.search(r"`[^`]*\|[^`]*`", text) or "\n" in text:
        raise ValueError(f"a cell of a table has a bar in a code span or a line break: {text}")
    return text.replace("|", "\\|")


def anchor(title: str) -> str:
    """Return the anchor of a heading."""
    return re.sub(r"[^\w -]", "", title.lower()).strip().replace(" ", "-")


def link(title: str, target: str = "", shown: str = "") -> str:
    """Return a link to the heading ``title``, on the page ``target`` or on the same page."""
    return f"[{shown or title}]({target}#{anchor(title)})"


def sentence(text: str) -> str:
    """Return a text that begins with a capital letter and ends with a full stop."""
    text = " ".join(text.split())
    if re.match(r"(?:a|[a-z]{2,}(?:-[a-z]+)*)(?:[ ,;.]|$)", text):
        text = text[0].upper() + text[1:]
    return text if not text or text.endswith((".", "!", "?", ":")) else f"{text}."


def page(name: str, **values: object) -> str:
    """Return a page: the template ``templates/NAME.jinja`` with these values filled in."""
    title, _, rest = _TEMPLATES.get_template(f"{name}.jinja").render(values).partition("\n")
    made = "<!-- Made by `python -m docs.site.reference`. Do not edit this page. -->"
    return f"{title}\n\n{made}\n{rest}".rstrip("\n") + "\n"


def joined(parts: Iterable[str]) -> str:
    """Return parts of a page as one, with blank lines between them."""
    return "\n\n".join(part.strip("\n") for part in parts if part)


_TEMPLATES = Environment(
    loader=FileSystemLoader(Path(__file__).parent / "templates"),
    undefined=StrictUndefined,
    trim_blocks=True,
)
_TEMPLATES.filters |= {"bullets": bullets, "joined": joined, "prose": prose}
