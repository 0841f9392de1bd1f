"""Draws from a generator."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from numpy.random import Generator

T = TypeVar("T")


def pick(rng: Generator, items: Sequence[T]) -> T:
    """One of some items, each as likely; ``ValueError`` without any."""
    return items[int(rng.integers(len(items)))]


def span(rng: Generator, n: int, longest: int) -> slice:
    """A part of ``n`` things, at most so many, perhaps none."""
    start = int(rng.integers(n + 1))
    return slice(start, min(n, start + int(rng.integers(longest + 1))))
