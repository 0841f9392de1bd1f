"""Invented logs, one a file; those of the conformance set are in ``benchmark/conformance``."""

from __future__ import annotations

from pathlib import Path

CONFORMANCE = Path(__file__).parents[2] / "benchmark" / "conformance"
"""The conformance set."""
FOLDERS = (Path(__file__).parent, CONFORMANCE / "inputs")


def log(name: str) -> str:
    """Return the text of a log."""
    (path,) = (folder / name for folder in FOLDERS if (folder / name).exists())
    return path.read_text(encoding="utf-8")
