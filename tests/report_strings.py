"""Every text anywhere in a value of a report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass

from handread.inference.hand import Analysis
from handread.report.words import Number


def strings(value: object) -> Iterator[str]:
    """Yield every text of a value, and the words of its figures, but for those of the analysis."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from (*strings(key), *strings(item))
    elif isinstance(value, tuple | list):
        if isinstance(value, Number):
            yield value.words
        for item in value:
            yield from strings(item)
    elif is_dataclass(value) and not isinstance(value, Analysis):
        for field in fields(value):
            yield from strings(getattr(value, field.name))
