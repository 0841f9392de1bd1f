"""Several pictures as the pages of one file."""

from __future__ import annotations

import io
import warnings
from collections.abc import Sequence
from pathlib import Path

from matplotlib.backends.backend_pdf import PdfPages
from matplotlib.figure import Figure

from handread.report.plots.canvas import house_style
from handread.runs import write_whole


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
