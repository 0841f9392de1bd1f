"""The experiment on the improvements of BPP's network."""

from __future__ import annotations

import numpy as np
import pytest

from handread.game.rules import FIVE_STUD, Stakes
from handread.inference.observer import SPLIT
from handread.inference.players import player_models
from handread.inference.readers import PolicyReader, read_hand
from handread.papers.bpp.learning import count_open, learn
from handread.papers.bpp.matrix_study import main, matrices_text, simulated_hands
from handread.papers.bpp.reader import bpp_reader
from handread.papers.bpp.reader_study import IMPROVEMENTS, TRUE_POLICIES, bpp_readers
from handread.papers.bpp.record import Switches
from handread.papers.bpp.shipped import parse_records
from handread.papers.bpp.text import bpp_readers_text
from handread.runs import Run
from handread.simulate import Setup, play_games, seated
from tests.program import run

LOOSE = player_models("loose")
SETUP = Setup(LOOSE, seated(LOOSE, 2), Stakes(25, 0, (100, 100, 200, 200)), game=FIVE_STUD)


def test_the_experiment_reads_the_games_that_it_did_not_learn_from() -> None:
    table = bpp_readers(SETUP, games=6, trained=10, run=Run(4))
    assert table.readers == [*IMPROVEMENTS, TRUE_POLICIES]
    hands = [game.replay for game in play_games(SETUP, 4, range(16))]
    memory = bpp_reader(hands[6:], memory=True)
    for name, reader in (("memory", memory), (TRUE_POLICIES, PolicyReader(LOOSE))):
        updates = [
            update
            for played in hands[:6]
            for street in read_hand(reader, played, SPLIT)
            for update in street.updates
        ]
        surprise = table.at("surprise_bits", group=name)
        mean = sum(update.surprise_bits for update in updates) / len(updates)
        assert surprise.mean == pytest.approx(mean)
    paper, fine = (table.at("bits_on_truth", group=name).mean for name in table.readers[0::2][:2])
    assert table.at("gain_bits", group="fine types").mean == pytest.approx(fine - paper)
    text = bpp_readers_text(table)
    assert "6 games, learned from 10 others" in text
    assert all(name in text for name in table.readers)


def test_the_command() -> None:
    args = ["--games", "5", "--set", "train=5", "--seats", "2", "--workers", "1"]
    done = run("experiment", "bpp-reader", *args)
    assert done[0] == 0
    assert "as in the paper" in done[1]


def test_games_that_bpp_does_not_read() -> None:
    done = run("experiment", "bpp-reader", "--game", "razz ante .1 bring-in .1 bets .5 .5 1 1 1")
    assert done[0] == 2
    assert "five-card stud and seven-card stud, not razz" in " ".join(done[2].split())


# The matrices that ship


def test_shipped_counts_are_those_of_simulated_games() -> None:
    hands = list(simulated_hands("5stud", 4))
    assert [played.stakes.bring_in for played in hands] == [0, 0, 25, 25]
    shown, every = parse_records(matrices_text("5stud", 4), FIVE_STUD)
    np.testing.assert_array_equal(every.bets, count_open(hands, FIVE_STUD).bets)
    np.testing.assert_array_equal(shown.bets, learn(hands, FIVE_STUD, Switches()).bets)


@pytest.mark.parametrize("args", [[], ["holdem"], ["stud", "5"]])
def test_shipped_counts_are_of_one_game(args: list[str]) -> None:
    with pytest.raises(SystemExit, match=r"usage: .* stud\|5stud"):
        main(args)
