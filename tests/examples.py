"""How many examples a law is tried on, where every example costs whole analyses."""

from __future__ import annotations

import os

from hypothesis import settings

THOROUGH = bool(os.environ.get("HANDREAD_THOROUGH"))
"""Whether to take the time for many examples; without it every run tries a few others."""

MANY = 5
"""How many times as many examples make a run thorough."""


def costly(n: int) -> settings:
    """So many examples, or ``MANY`` times as many where the run is to be thorough."""
    return settings(max_examples=n * MANY if THOROUGH else n)
