"""The paper and the pens of every picture: style, figures without a display, files."""

from __future__ import annotations

import io
import warnings
from collections.abc import Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import matplotlib.style
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from handread.report.escape import visible
from handread.runs import write_whole

INK = "#222222"
SOFT = "#666666"
FAINT = "#c8c8c8"
NAME_WIDTH = 18

FORMATS = {".png": "png", ".svg": "svg", ".pdf": "pdf"}
_UNDATED: Mapping[str, Mapping[str, Any]] = {
    "png": {"Software": None},
    "svg": {"Date": None},
    "pdf": {"CreationDate": None},
}
_HOUSE = {
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


def house_style() -> AbstractContextManager[None]:
    """The style of all pictures, whatever the user's own settings; gone when left."""
    return matplotlib.style.context(["default", _HOUSE])


def blank(width: float, height: float, **layout: Any) -> Figure:
    """An empty figure of that size in inches, with the canvas that draws it."""
    figure = Figure(figsize=(width, height), layout="constrained", **layout)
    FigureCanvasAgg(figure)
    return figure


def plain(text: str, width: int = 80) -> str:
    """Somebody else's text as it may stand in a picture: nothing hidden, cut to a width."""
    shown = visible(text)
    return shown if len(shown) <= width else f"{shown[: width - 2]}.."


def note(figure: Figure, text: str) -> None:
    """Put small print under a picture."""
    figure.supxlabel(text, fontsize=8, color=SOFT)


def drawn(figure: Figure, suffix: str) -> bytes:
    """A picture as the bytes of a file: ".png", ".svg" (text stays text) or ".pdf".

    The same figure gives the same bytes: no date, no random names. ``ValueError`` for another
    suffix.
    """
    kind = FORMATS.get(suffix.lower())
    if kind is None:
        *others, last = FORMATS
        expected = f"{', '.join(others)} or {last}"
        raise ValueError(
            f"no picture can be written as {suffix or 'a file without ending'!r}: "
            f"expected {expected}"
        )
    page = io.BytesIO()
    with house_style(), warnings.catch_warnings():
        # A name in a script that the font lacks is drawn as boxes; that is no news to a user.
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        figure.savefig(page, format=kind, metadata=dict(_UNDATED[kind]))
    return page.getvalue()


def save(figure: Figure, path: str | Path) -> None:
    """Write a picture, whole or not at all; the format goes by the ending of the name.

    Raises ``ValueError`` for an ending other than .png, .svg and .pdf, ``OSError`` when the file
    cannot be written.
    """
    path = Path(path)
    content = drawn(figure, path.suffix)
    write_whole(path, lambda draft: draft.write_bytes(content))
