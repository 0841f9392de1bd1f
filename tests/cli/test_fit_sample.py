"""A fit to a sample of hands."""

from __future__ import annotations

import pytest
import typer

from handread.cli.fit import _hands
from handread.sessions.files import ReadSettings, Session
from tests.program import SAMPLES

LOG = str(SAMPLES / "simulated.stud")


def drawn(most: int | None, seed: int = 1) -> list[int]:
    """The lines of the hands that are drawn."""
    session = Session([LOG], ReadSettings())
    return [hand.source.line for hand in _hands(session, None, most, seed)]


def test_a_sample_is_of_the_hands_and_by_the_seed(capsys: pytest.CaptureFixture[str]) -> None:
    every = drawn(None)
    assert len(every) > 3
    assert drawn(len(every)) == every
    assert not capsys.readouterr().err
    samples = {tuple(sorted(drawn(2, seed))) for seed in range(8)}
    assert len(samples) > 1
    assert all(len(found) == 2 and set(found) <= set(every) for found in samples)
    assert drawn(2) == drawn(2)
    assert f"2 of {len(every)} hands are drawn (--sample, --seed 1)" in capsys.readouterr().err


def test_a_game_that_nobody_played_has_no_sample() -> None:
    with pytest.raises(typer.Exit):
        _hands(Session([LOG], ReadSettings()), "razz", 2, 1)
