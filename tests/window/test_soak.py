"""A window that is used for long takes no more memory than one that is used for a minute."""

from __future__ import annotations

import gc
import json
import tracemalloc
from pathlib import Path

import pytest

from tests.window.conftest import Window, workshop
from tests.window.test_pages import EVENING, pages

REQUESTS = 2_000
MOST_GROWTH = 2_000_000
"""Bytes; each of the answers kept would take more."""


def ask(window: Window, paths: list[str], number: int) -> None:
    """One request, as pages send them: mostly for news, and every now and then something else."""
    key = f"{number % 50}~soak"
    body = json.dumps({"schema": "handread.marks/1", "hands": [{"key": key, "note": "x" * 500}]})
    if number % 20 == 0:
        window.get("/")
    elif number % 5 == 1:
        window.get(paths[number % len(paths)])
    elif number % 5 == 2:
        assert window.client.put("/marks", params={"since": number}, content=body).is_success
    elif number % 100 == 3:
        window.add(f"no hand number {number % 7}\n", "letter.txt")
    elif number % 50 == 4:
        window.get(f"/nothing-{number}.html", 404)
    else:
        window.news(number % 40)


@pytest.mark.slow
def test_two_thousand_requests_leave_nothing_behind(tmp_path: Path) -> None:
    shop = workshop()
    with shop.running():
        window = Window(shop, tmp_path / "marks.sqlite")
        window.add(b"\n\n\n".join(EVENING.read_bytes().split(b"\n\n\n")[:12]), "evening.txt")
        listed = pages(window)
        assert len(listed) == 12
        paths = [f"/{name}" for name in listed]
        for number in range(200):
            ask(window, paths, number)
        gc.collect()
        tracemalloc.start()
        try:
            for number in range(REQUESTS):
                ask(window, paths, number)
            gc.collect()
            grown = tracemalloc.get_traced_memory()[0]
            largest = tracemalloc.take_snapshot().statistics("lineno")[:3]
        finally:
            tracemalloc.stop()
    assert grown < MOST_GROWTH, largest
