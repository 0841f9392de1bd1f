"""``handread simulate`` and ``handread experiment`` as a person or a script meets them."""

from __future__ import annotations

import contextlib
import csv
import json
import os
from pathlib import Path

import pytest

import handread
from handread.history import History
from tests.program import PROGRAM, run


def downcards(path: Path) -> list[int]:
    hands = [hand for hand in handread.read_hands(path) if isinstance(hand, History)]
    return [len(handread.replay(hand).downcards) for hand in hands]


@pytest.mark.thorough
def test_simulated_games_on_standard_output() -> None:
    done = run("simulate", "3", "--seats", "4", "--policy", "loose", "--seed", "7")
    assert done.returncode == 0
    assert done.stderr == ""
    assert done.stdout.count("hand: 7") == 3
    again = run(
        "simulate", "2", "--seats", "4", "--policy", "loose", "--seed", "7", "--workers", "1"
    )
    assert done.stdout.startswith(again.stdout)
    checked = run("check", "-", stdin=done.stdout)
    assert checked.stdout == "3 hands: 3 accepted, 0 refused\n"


@pytest.mark.parametrize("name", ["g.stud", "g.phhs"])
def test_the_ending_tells_the_format(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    done = run("simulate", "6", "-o", str(path), "--policy", "loose", "--seats", "5")
    assert done.returncode == 0
    assert "6 games in" in done.stderr
    assert list(tmp_path.iterdir()) == [path]
    assert downcards(path) == [5] * 6
    checked = run("check", str(path))
    assert checked.stdout == "6 hands: 6 accepted, 0 refused\n"


def test_a_mixed_table_is_read_as_it_was_played(tmp_path: Path) -> None:
    path = tmp_path / "g.stud"
    seats = ("--seat", "2=loose", "--seat", "3=:cards-only")
    run("simulate", "2", "-o", str(path), "--seats", "3", *seats, "--names", "Ann,Ben,Cho")
    text = path.read_text()
    assert "Ann" in text
    assert "Cho" in text
    done = run("analyze", str(path), "--json", *seats)
    first = json.loads(done.stdout.splitlines()[0])
    assert "seat 2 loose" in first["policy"]
    assert "seat 3 table1" in first["policy"]
    assert first["problems"] == []


def test_the_structure_is_data(tmp_path: Path) -> None:
    path = tmp_path / "g.stud"
    game = "ante 2 bring-in 3 bets 10 10 20 20 20 raises 3 open-pair"
    done = run("simulate", "2", "-o", str(path), "--game", game, "--stack", "90")
    assert done.returncode == 0
    for hand in handread.read_hands(path):
        assert (hand.stakes.ante, hand.stakes.cap, hand.stakes.open_pair_doubles) == (2, 3, True)
        assert {seat.stack for seat in hand.seats} == {90}


@pytest.mark.thorough
def test_win_rates(tmp_path: Path) -> None:
    few = ("--games", "4", "--seats", "3", "--policy", "loose", "--seat", "2=:cards-only")
    table, picture = tmp_path / "rates.csv", tmp_path / "rates.svg"
    single = run("experiment", "win-rates", *few)
    assert single.stdout.startswith("4 games, loose; seat 2 loose, cards-only\n")
    files = ("--output", str(table), "--plot", str(picture))
    double = run("experiment", "win-rates", *few, "--set", "duplicate=yes", *files)
    assert double.stdout.startswith("4 deals played 3 times each, 12 games, loose;")
    rows = list(csv.DictReader(table.open()))
    nets = [row for row in rows if row["figure"] == "net_small_bets"]
    assert [row["group"] for row in nets][:2] == ["bet-inference", "cards-only"]
    nets = [float(row["mean"]) for row in nets]
    assert 2 * nets[0] + nets[1] == pytest.approx(0.0, abs=1e-12)
    assert "<svg" in picture.read_text()


@pytest.mark.thorough
def test_the_htpds_of_a_hand_and_what_cannot_be_drawn(tmp_path: Path) -> None:
    htpd = tmp_path / "h.png"
    hand = "sample_histories/showdown.stud"  # not all downcards are known
    figure = ("--set", "figure=htpd", "--set", "stage=5D", "--plot", str(htpd))
    done = run("experiment", "entropies", hand, *figure)
    assert done.returncode == 0
    assert "not all downcards are known" in done.stdout
    assert htpd.stat().st_size > 5000
    nothing = tmp_path / "nothing.png"
    unknown = run("experiment", "entropies", hand, "--plot", str(nothing))
    assert unknown.returncode == 2
    assert "there is nothing to draw" in unknown.stderr
    assert not nothing.exists()
    missing = run("experiment", "entropies", hand, "--set", "pick=9")
    assert missing.returncode == 2
    assert "there is no hand 9" in missing.stderr


@pytest.mark.thorough
def test_results_are_kept_when_nobody_reads_them(tmp_path: Path) -> None:
    """The table and the picture are written before the text is printed to a closed pipe."""
    table = tmp_path / "gain.csv"
    words = f"experiment information-gain --games 3 --seats 2 --policy loose -o {table}".split()
    read, written = os.pipe()
    os.close(read)
    with (
        contextlib.suppress(SystemExit, BrokenPipeError),
        os.fdopen(written, "w") as nobody,
        contextlib.redirect_stdout(nobody),
    ):
        PROGRAM.main(words, "handread")
    assert table.read_text().startswith("about,group,stage,")
    assert list(tmp_path.iterdir()) == [table]
