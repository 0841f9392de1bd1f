"""Several pictures as the pages of one file."""

from __future__ import annotations

import io
import warnings
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import matplotlib.style
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_pdf import PdfPages
from matplotlib.figure import Figure

from handread.parallel import write_whole
from handread.report.words import visible

SEATS_LIGHT = (
    "#09318b",  # blue
    "#7d0100",  # oxblood
    "#916900",  # ochre
    "#785fc3",  # violet
    "#095a3a",  # green
    "#ba2f56",  # crimson
    "#1d7b83",  # teal
    "#5c2646",  # plum
)
"""Text and lines of seats 1 to 8 on a light surface; the first few differ the most."""

SEATS_DARK = (
    "#7bafff",  # blue
    "#f7c381",  # apricot
    "#9a8f31",  # olive
    "#9089ac",  # mauve
    "#2a9f75",  # green
    "#ff879d",  # pink
    "#8befd5",  # mint
    "#dcd8ff",  # lilac
)
"""The same on a dark surface: each the paler kin of its light one, where one could be had."""

DASHES = (
    "none",
    "7 3",
    "2 3",
    "9 3 2 3",
    "14 4",
    "6 2 2 2 2 2",
    "4 8",
    "14 3 5 3",
)
"""The ``stroke-dasharray`` of seats 1 to 8, in pixels for a line about two wide, butt ends."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One step of a heat grid: the fill, and the ink of the text on it (contrast 4.5 or more)."""

    fill: str
    ink: str


@dataclass(frozen=True, slots=True)
class Theme:
    """The colours of one theme.

    ``surface`` is the page and ``raised`` what lies on it. Text on either is in ``ink``, ``soft``
    (notes), ``accent`` (links, focus, the place one is at), ``good``, ``bad`` or ``red`` (hearts
    and diamonds in running text; the black suits are in ink); text on a filled accent is in
    ``surface``. ``faint`` is for hairlines that decorate: it is too weak to carry meaning, so a
    control is outlined in ``soft``. A card has its own face, with ``card_red`` and ``card_black``.
    ``heat`` climbs from the surface (nothing) to strong in even steps of lightness.
    """

    surface: str
    raised: str
    ink: str
    soft: str
    faint: str
    accent: str
    good: str
    bad: str
    red: str
    card_face: str
    card_red: str
    card_black: str
    seats: tuple[str, ...]
    heat: tuple[Cell, ...]


def _heat(fills: tuple[str, ...], weak_ink: str, strong_ink: str) -> tuple[Cell, ...]:
    """Cells of a scale; the ink turns over in the middle, where both are just legible."""
    turn = (len(fills) + 1) // 2
    return tuple(Cell(fill, weak_ink if i < turn else strong_ink) for i, fill in enumerate(fills))


LIGHT = Theme(
    surface="#f8f4ea",
    raised="#fffdf8",
    ink="#20242e",
    soft="#5b5d66",
    faint="#d8d1c0",
    accent="#1f5a8c",
    good="#00695f",
    bad="#a8361a",
    red="#b3261e",
    card_face="#fffefb",
    card_red="#c0282a",
    card_black="#20242e",
    seats=SEATS_LIGHT,
    heat=_heat(
        (
            "#f8f4ea",
            "#d2dbe2",
            "#adc1d6",
            "#8ba8c7",
            "#6b90b5",
            "#4f77a1",
            "#36608a",
            "#224971",
            "#143256",
        ),
        weak_ink="#20242e",
        strong_ink="#fffdf8",
    ),
)

DARK = Theme(
    surface="#161c26",
    raised="#1f2733",
    ink="#e9e4d8",
    soft="#a3a7b0",
    faint="#364150",
    accent="#86b8e6",
    good="#56c3ad",
    bad="#f0926e",
    red="#f08a80",
    card_face="#e4ddcc",
    card_red="#ad2424",
    card_black="#20242e",
    seats=SEATS_DARK,
    heat=_heat(
        (
            "#161c26",
            "#213145",
            "#2e4663",
            "#405d7f",
            "#56759a",
            "#6f8eb1",
            "#8ca7c5",
            "#abc0d6",
            "#cddbe4",
        ),
        weak_ink="#fffdf8",
        strong_ink="#161c26",
    ),
)


def seat_colour(theme: Theme, seat: int) -> str:
    """The colour of a seat, numbered from 1; a ninth seat begins again."""
    return theme.seats[(seat - 1) % len(theme.seats)]


def seat_dashes(seat: int) -> str:
    """The ``stroke-dasharray`` of a seat, numbered from 1; a ninth seat begins again."""
    return DASHES[(seat - 1) % len(DASHES)]


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


def pages_drawn(figures: Sequence[Figure]) -> bytes:
    """Pictures as the bytes of a PDF file, a page each; the same pictures give the same bytes.

    ``ValueError`` where there is none: a PDF file has a page at least.
    """
    if not figures:
        raise ValueError("no pictures: expected one or more")
    page = io.BytesIO()
    with house_style(), warnings.catch_warnings():
        # As in ``drawn``: a script that the font lacks is drawn as boxes.
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        with PdfPages(page, metadata={"CreationDate": None}) as pages:
            for figure in figures:
                pages.savefig(figure)
    return page.getvalue()


def save_pages(figures: Sequence[Figure], path: str | Path) -> None:
    """Write pictures as one PDF file, whole or not at all.

    Raises ``ValueError`` for an ending other than .pdf, ``OSError`` when the file cannot be
    written.
    """
    path = Path(path)
    if path.suffix.lower() != ".pdf":
        ending = path.suffix or "a file without ending"
        raise ValueError(f"several pages cannot be written as {ending!r}: expected .pdf")
    content = pages_drawn(figures)
    write_whole(path, lambda draft: draft.write_bytes(content))
