"""Fits to Loki's players: that they say what the players do."""

from __future__ import annotations

from pathlib import Path

import pytest

from docs.site import stand_ins
from handread.policy import load_policy


@pytest.mark.dear("games of one of Loki's players, and a fit to them")
def test_a_fit_says_what_a_player_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(stand_ins, "GAMES", {"BPT": 30})
    monkeypatch.setattr(stand_ins, "PENALTY", 3.0)
    stand_ins.main(tmp_path / "fits")
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith("BPT: ")
    fitted, average = (float(part.split()[-1]) for part in line.split(", by people-average "))
    assert fitted < average
    assert load_policy(tmp_path / "fits/bpt.toml").name == "bpt"
