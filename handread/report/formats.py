"""The forms in which a hand is shown, and how their files end; light, for the command line."""

from __future__ import annotations

from collections.abc import Mapping

ENDINGS: Mapping[str, str] = {
    "html": ".html",
    "text": ".txt",
    "svg": ".svg",
    "png": ".png",
    "pdf": ".pdf",
}
