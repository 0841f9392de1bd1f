"""The readers by name."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

import handread
from handread.inference.players import player_models
from handread.inference.readers import PolicyReader
from handread.named_readers import load_player, load_reader, player_names, reader_names
from handread.policy import PolicyError
from handread.registry import players, readers
from tests.hands import GOLDEN, hand


def test_cards_only_learns_nothing_from_the_betting() -> None:
    read = handread.analyze(hand(GOLDEN), "cards-only")
    assert all(
        np.allclose(seat.pdd, seat.cards_only_pdd)
        for stage in read.stages
        for seat in stage.seats.values()
    )


def test_a_policy_is_a_reader() -> None:
    assert load_reader("loose") == PolicyReader(player_models("loose"))


def test_an_unknown_reader_is_refused_with_the_names_of_all() -> None:
    with pytest.raises(
        PolicyError, match=r"no policy or reader 'cards-olny'.*cards-only.*did you mean"
    ):
        load_reader("cards-olny")


@pytest.mark.parametrize("name", readers())
def test_every_reader_reads_a_hand(name: str) -> None:
    reader = load_reader(name)
    read = handread.analyze(hand(GOLDEN), reader)
    assert read.complete
    assert read.reader is reader
    for stage in read.stages:
        for seat in stage.seats.values():
            assert seat.pdd.sum() == pytest.approx(1.0)
            assert seat.pdd.min() >= 0.0


@pytest.mark.thorough
def test_a_plain_analysis_imports_no_other_reader() -> None:
    """A module that waits until it is used is of another type."""
    code = (
        "import sys, types, handread\n"
        "log = handread.read('sample_histories/showdown.stud')\n"
        "handread.analyze(log[0])\n"
        "others = ('handread.papers.', 'handread.own_reader', 'handread.policy.relations')\n"
        "found = [m for m in sys.modules if m.startswith(others)]\n"
        "print([m for m in found if type(sys.modules[m]) is types.ModuleType])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_the_names_are_those_of_readers_and_policies() -> None:
    names = reader_names()
    assert names[: 1 + len(readers())] == ["cards-only", *readers()]
    assert "people" in names


def test_players_are_named_as_readers_are() -> None:
    known = ["BPM", "BPT", "BPL", "GOM", "SOM", "rollouts"]
    assert player_names()[: len(players())] == [*players()] == known
    for name in players():
        assert load_player(name).name == name
    assert load_player("loose").name == "loose"
    with pytest.raises(
        PolicyError, match=r"no player 'SOMM'.*GOM, SOM, rollouts or a policy.*did you mean"
    ):
        load_player("SOMM")
