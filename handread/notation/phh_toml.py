"""Values as the text of TOML; the empty text stands for a value that is not to be written."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping

from handread.stud import Unit


def money(amount: int, unit: Unit) -> str:
    """An amount with every digit of its unit, so that the reader finds the unit again."""
    whole, part = divmod(amount, 10**unit.decimals)
    return f"{whole}.{part:0{unit.decimals}d}" if unit.decimals else str(whole)


def number(value: float | None) -> str:
    """A number that reads back as the same float; empty for ``None`` and what is not finite."""
    if value is None or not math.isfinite(value):
        return ""
    return repr(float(value) + 0.0)  # no minus before a zero


def quoted(text: str) -> str:
    """A text in quotes, on one line."""
    # JSON's escapes are TOML's too; TOML asks for one more.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def quoted_unless_empty(text: str) -> str:
    """A text in quotes; empty for an empty one."""
    return quoted(text) if text else ""


def array(values: Iterable[str]) -> str:
    """An array on one line; empty without values."""
    inside = ", ".join(values)
    return f"[{inside}]" if inside else ""


def rows(values: Iterable[str]) -> str:
    """An array with one value a line; empty without values."""
    inside = "".join(f"    {value},\n" for value in values)
    return f"[\n{inside}]" if inside else ""


def table(fields: Mapping[str, str]) -> str:
    """A table on one line, of the fields that are not empty; empty without any."""
    inside = ", ".join(f"{key} = {value}" for key, value in fields.items() if value)
    return f"{{ {inside} }}" if inside else ""
