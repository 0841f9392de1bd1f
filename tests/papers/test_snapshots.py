"""The experiments of the papers print what they printed before, byte for byte."""

from __future__ import annotations

import pytest

from tests import snapshots


@pytest.mark.dear("all experiments of the papers, one small run each")
def test_outputs_are_unchanged() -> None:
    assert snapshots.changed("papers") == []
