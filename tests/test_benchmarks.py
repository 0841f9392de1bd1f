"""What the benchmarks print beside the figures of another revision."""

from __future__ import annotations

import pytest

from tests.benchmarks.against import ratio


@pytest.mark.parametrize(
    ("now", "then", "expected"),
    [
        ("2.00 s", "500 ms", "4.00"),
        ("1,200", "600", "2.00"),
        ("98.2%", "49.1%", "2.00"),
        ("180 MB", "1.50 s", ""),
        ("3", "0", ""),
        ("fast", "1", ""),
    ],
)
def test_a_ratio_is_of_figures_in_one_unit(now: str, then: str, expected: str) -> None:
    assert ratio(now, then) == expected
