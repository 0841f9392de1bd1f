"""The browser page that the tests of pages look at."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.browser import Page


@pytest.fixture
def quiet(page: Page) -> Iterator[Page]:
    """A page that must not complain of anything, nor ask for anything."""
    page.resize(1280, 900)
    yield page
    assert page.console() == []
    assert page.requests() == []
