"""What several test modules need."""

from __future__ import annotations

from pathlib import Path

import pytest

REAL_HANDS = Path(__file__).parents[2] / "shared" / "real_hands" / "dev"


@pytest.fixture(scope="session")
def real_hands() -> Path:
    """The folder of real hands, one folder a room; they are no part of the project."""
    if not REAL_HANDS.is_dir():
        pytest.skip(f"no real hands in {REAL_HANDS}")
    return REAL_HANDS
