"""Fits to Loki's players: that they say what the players do."""

from __future__ import annotations

from pathlib import Path

import pytest

from docs.site import stand_ins
from handread.policy import load_policy, single
from handread.study.fit.sample import Sample


@pytest.mark.dear("games of one of Loki's players, and a fit to them")
def test_a_fit_says_what_a_player_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(stand_ins, "GAMES", {"BPT": 30})
    monkeypatch.setattr(stand_ins, "PENALTY", 3.0)
    stand_ins.main(tmp_path / "fits")
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith("BPT: ")
    held_out = [float(part.split()[-1]) for part in line.split(", by people-average ")]
    assert held_out[0] < held_out[1]
    average, fitted = map(single, map(load_policy, ("people-average", tmp_path / "fits/bpt.toml")))
    assert fitted.name == "bpt"
    sample = Sample.join(stand_ins.games("BPT", stand_ins.FAMILY.grouping))
    surprises = [stand_ins.bits(stand_ins.FAMILY.vector(one), sample) for one in (fitted, average)]
    assert surprises[0] < 0.8 * surprises[1]
