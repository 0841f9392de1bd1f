"""Compare records of players."""

from __future__ import annotations

import numpy as np
import pytest

from handread.opponents.records import Players


def assert_same_records(found: Players, expected: Players) -> None:
    assert set(found) == set(expected)
    for key, other in expected.items():
        own = found[key]
        for what in ("name", "game", "you", "hands", "finished", "shown", "bluffs"):
            assert getattr(own, what) == getattr(other, what), (key, what)
        assert np.array_equal(own.counts, other.counts), key
        assert own.net == pytest.approx(other.net, abs=1e-4), key
        assert (own.adjusted is None) == (other.adjusted is None), key
