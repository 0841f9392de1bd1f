"""Invented logs, one a file."""

from __future__ import annotations

from pathlib import Path


def log(name: str) -> str:
    """Return the text of a log."""
    return (Path(__file__).parent / name).read_text(encoding="utf-8")
