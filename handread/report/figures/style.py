"""The style of all pictures, text fitted into them, and files of them."""

import io
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import matplotlib.style
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_pdf import PdfPages
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties, findfont, get_font

from handread.report.words import visible
from handread.whole_files import write_whole

INK = "#222222"
SOFT = "#666666"
FAINT = "#c8c8c8"
GREEN, RED, BLUE, ORANGE = "#1b7837", "#b2182b", "#2166ac", "#c05a00"
NAME_WIDTH = 18

_UNDATED: Mapping[str, Mapping[str, Any]] = {
    "png": {"Software": None},
    "svg": {"Date": None},
    "pdf": {"CreationDate": None},
}
_STYLE = {
    "font.family": "DejaVu Sans",
    "font.size": 9.5,
    "text.color": INK,
    # A dollar sign in a player's name is a dollar sign, not the start of a formula.
    "text.parse_math": False,
    "axes.edgecolor": SOFT,
    "axes.labelcolor": INK,
    "axes.linewidth": 0.8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 11,
    "axes.titlelocation": "left",
    "axes.unicode_minus": True,
    "xtick.color": SOFT,
    "ytick.color": SOFT,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "hatch.linewidth": 0.7,
    "savefig.dpi": 160,
    "svg.fonttype": "none",
    "svg.hashsalt": "handread",
    "pdf.fonttype": 42,
}


@contextmanager
def picture_style() -> Iterator[None]:
    """Draw in the style of all pictures, independent of the user's settings."""
    with matplotlib.style.context(["default", _STYLE]):
        yield


def blank(width: float, height: float) -> Figure:
    """Return an empty figure of a size in inches, with a canvas."""
    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def plain(text: str, width: int = 80) -> str:
    """Return a text from a log with control characters escaped, cut to a number of characters."""
    shown = visible(text)
    return shown if len(shown) <= width else f"{shown[: width - 2]}.."


@cache
def _advance(character: str, weight: str) -> float:
    """Return the width of a character relative to the font size."""
    font = get_font(findfont(FontProperties(family="DejaVu Sans", weight=weight)))
    if not font.get_char_index(ord(character)):
        return 1.05  # drawn as a box
    font.set_size(100, 72)
    return float(font.load_char(ord(character)).linearHoriAdvance) / 65536 / 100


def breadth(text: str, size: float, weight: str = "normal") -> float:
    """Return the width of a text in points, 3% too large as letters fitted to pixels are wider."""
    return 1.03 * size * sum(_advance(character, weight) for character in text)


def fitted(text: str, room: float, size: float, weight: str = "normal") -> str:
    """Return a text from a log with control characters escaped, cut to a width in points."""
    # No character but a combining one is narrower than a fifth of the size.
    shown = plain(text, max(4, int(5 * room / size)))
    if breadth(shown, size, weight) <= room:
        return shown
    while shown and breadth(shown + "..", size, weight) > room:
        shown = shown[:-1]
    return shown + ".."


def flowed(items: Sequence[str], room: float, size: float, most: int) -> list[str]:
    """Return items in lines of a width in points; the last line is cut if there are too many."""
    lines: list[str] = []
    for item in items:
        joined = f"{lines[-1]} · {item}" if lines else item
        if lines and breadth(joined, size) <= room:
            lines[-1] = joined
        elif len(lines) < most:
            lines.append(fitted(item, room, size))
        else:
            lines[-1] = fitted(joined, room, size)
            break
    return lines


def wrapped(text: str, room: float, size: float) -> str:
    """Return a text with its lines broken, between words, to a width in points."""
    lines: list[str] = []
    for line in text.split("\n"):
        lines.append("")
        for word in line.split(" "):
            longer = f"{lines[-1]} {word}".lstrip()
            if lines[-1] and breadth(longer, size) > room:
                lines.append(word)
            else:
                lines[-1] = longer
    return "\n".join(lines)


def note(figure: Figure, text: str) -> None:
    """Add small print below a picture, in lines that fit its width."""
    room = 72 * figure.get_figwidth() - 36
    figure.supxlabel(wrapped(text, room, 8), fontsize=8, color=SOFT)


def beside(
    axes: Axes, words: str, place: tuple[float, float], by: tuple[float, float], **look: Any
) -> None:
    """Write words next to a place of a plot, by so many points to the right and up."""
    axes.annotate(words, place, by, textcoords="offset points", **look)


def picture_bytes(figure: Figure, suffix: str) -> bytes:
    """Return a ".png", ".svg" (text stays text) or ".pdf" file, without dates and random names."""
    kind = suffix.lower().removeprefix(".")
    page = io.BytesIO()
    with _writing():
        figure.savefig(page, format=kind, metadata=dict(_UNDATED[kind]))
    return page.getvalue()


@contextmanager
def _writing() -> Iterator[None]:
    with picture_style(), warnings.catch_warnings():
        # A name in a script that the font lacks is drawn as boxes.
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        yield


def save(figure: Figure, path: Path) -> None:
    """Write a picture completely or not at all, in the format of the file's suffix."""
    content = picture_bytes(figure, path.suffix)
    write_whole(path, lambda draft: draft.write_bytes(content))


def pages_drawn(figures: Sequence[Figure]) -> bytes:
    """Return pictures as the bytes of a PDF file, one a page, without a date."""
    page = io.BytesIO()
    with _writing(), PdfPages(page, metadata=dict(_UNDATED["pdf"])) as pages:
        for figure in figures:
            pages.savefig(figure)
    return page.getvalue()


def save_pages(figures: Sequence[Figure], path: Path) -> None:
    """Write pictures as one PDF file, completely or not at all."""
    content = pages_drawn(figures)
    write_whole(path, lambda draft: draft.write_bytes(content))
