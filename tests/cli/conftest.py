"""What all tests of commands share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest


@pytest.fixture(scope="module", autouse=True)
def one_process() -> Iterator[None]:
    """Start no more processes unless ``--workers`` says so: each would load everything anew."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("handread.parallel.usable_cores", lambda: 1)
        yield
