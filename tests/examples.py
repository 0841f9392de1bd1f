"""Numbers of examples for properties, by the Hypothesis profile of the run.

The default profile tries a fifth of the numbers that stand in the tests, ``ci`` all of them and
``thorough`` five times as many (``pytest --hypothesis-profile=ci``). Those of ``ci`` are the same
in every run: whether a change lands must not hang on luck. The others try new ones each time.
"""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from _pytest.mark.structures import ParameterSet
from hypothesis import settings

PROFILES = {"default": 20, "ci": 100, "thorough": 500}
"""Examples of a property that names no number of its own."""

for _name, _number in PROFILES.items():
    # The time that an example takes says more about the machine than about the program.
    _given = {"deadline": None, "max_examples": _number}
    settings.register_profile(_name, derandomize=_name == "ci", **_given)


def share(n: int) -> int:
    """Return the part of ``n`` examples that the profile asks for, at least 2."""
    return max(2, n * settings.default.max_examples // PROFILES["ci"])


def examples(n: int) -> settings:
    """Return the settings of a property that ``n`` examples test well enough."""
    return settings(max_examples=share(n))


def is_thorough() -> bool:
    """Return whether the profile asks for more than what ``.ci/run`` tries."""
    return settings.default.max_examples > PROFILES["ci"]


def few(values: Iterable[object], n: int = 2) -> list[object]:
    """Return the values of parameters; the default run takes only the first ``n``.

    A tuple holds the values of several parameters. A tuple that is one value is a
    ``pytest.param``.
    """
    return [value if at < n else _thorough(value) for at, value in enumerate(values)]


def _thorough(value: object) -> ParameterSet:
    if isinstance(value, ParameterSet):
        return pytest.param(*value.values, id=value.id, marks=[*value.marks, pytest.mark.thorough])
    return pytest.param(
        *(value if isinstance(value, tuple) else (value,)), marks=pytest.mark.thorough
    )
