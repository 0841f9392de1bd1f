"""The values of the papers stand beside ours, where the table of players is the paper's."""

from __future__ import annotations

import csv
import io
from dataclasses import replace

import pytest

from docs.site.holdem import EXAMPLE, holdem_text
from handread.game.rules import RAZZ
from handread.inference.players import CARDS_ONLY, Model, PlayerModels
from handread.named_readers import load_player
from handread.papers.bpp.matches import MatchPlan, Pairing, bpp_matches
from handread.papers.bpp.text import matches_text
from handread.papers.saund.replication import information_gain, win_rates
from handread.papers.saund.text import information_gain_text, rates_text
from handread.papers.tournament.study import parts_of, tournament_table
from handread.papers.tournament.text import tournament_text
from handread.policy import load_policy
from handread.simulate import Setup, seated
from handread.study.sums import Sums
from tests.frames import frame_csv
from tests.program import ROOT

DEFAULT = Model(load_policy("default"))
ALL_READ = PlayerModels(DEFAULT)
CARDS = Model(DEFAULT.policy, CARDS_ONLY)
THREE_DO_NOT = PlayerModels(DEFAULT, {2: CARDS, 4: CARDS, 6: CARDS})
SAUNDS = Setup(ALL_READ, seated(ALL_READ, 7), ties="paper")


def test_the_gain_that_the_paper_states_stands_below_ours() -> None:
    table = information_gain(SAUNDS, 4)
    lines = information_gain_text(table).splitlines()
    (row,) = (n for n, line in enumerate(lines) if line.startswith("paper "))
    assert lines[row - 1].startswith("6B ")
    assert lines[row].split() == ["paper", "-", "-", "-", "-", "-", "36%"]
    assert lines[-1] == "paper: Saund 2006, section VI (1,827 games)"
    (found,) = (
        row
        for row in csv.DictReader(io.StringIO(frame_csv(table.to_frame())))
        if row["about"] == "paper"
    )
    assert (found["stage"], found["figure"], found["mean"]) == ("6B", "gain_fraction", "0.36")


@pytest.mark.parametrize(
    "other",
    [
        replace(SAUNDS, game=RAZZ),
        replace(SAUNDS, seats=SAUNDS.seats[:4]),
        replace(SAUNDS, players=PlayerModels(Model(load_policy("loose")))),
        replace(SAUNDS, players=THREE_DO_NOT),
    ],
    ids=["another game", "another table", "other players", "some do not read"],
)
def test_another_table_than_the_paper_s_is_not_compared_with_it(other: Setup) -> None:
    assert "paper" not in information_gain_text(information_gain(other, 2))


def test_what_players_put_in_and_won_in_the_paper() -> None:
    setup = Setup(THREE_DO_NOT, seated(THREE_DO_NOT, 7), ties="paper")
    for duplicate in (False, True):
        lines = rates_text(win_rates(setup, 3, duplicate=duplicate)).splitlines()
        stated = [n for n, line in enumerate(lines) if line.startswith("  in the paper")][:2]
        assert [lines[n - 1].split(" ")[0] for n in stated] == ["bet-inference", "cards-only"]
        found = [lines[n].split()[3:6] for n in stated]
        assert found == [["1.57", "1.71", "+0.14"], ["2.69", "2.50", "-0.19"]]
        assert lines[-1] == "paper: Saund 2006, section VI (8,977 games)"
    assert "paper" not in rates_text(win_rates(SAUNDS, 2)).replace("in the paper's", "")


def test_the_tournament_of_one_player_who_learns() -> None:
    for line_up, stated in (("SOM,BPM,BPM", True), ("SOM,BPM,BPT", False), ("BPM,BPM", False)):
        entrants = [load_player(name) for name in line_up.split(",")]
        sums = Sums()
        for session in range(2):
            sums.add(f"session {session}", [0.1] * len(entrants))
            sums.add("play", [0.5] * 4 * len(entrants))
            for name in parts_of(5):
                sums.add(name, [0.1] * len(entrants))
        text = tournament_text(tournament_table(sums, entrants, 2, 5))
        rows = [line.split()[3] for line in text.splitlines() if line.startswith("  in the paper")]
        assert rows == (["+0.025", "-0.003"] if stated else [])
        assert ("Billings et al. 1998" in text) is stated


def test_the_t_values_of_bpp() -> None:
    plan = MatchPlan((Pairing("bpp", "rules"), Pairing("probabilistic", "rules")), games=6)
    found = bpp_matches(plan, 2)
    text = matches_text(found)
    assert "paper: Korb et al. 1999, section 5.2" in text
    (row,) = (line for line in text.split("learning:")[0].splitlines() if "bpp:rules" in line)
    assert "7.84" in row.split()
    assert {key.group for key in found.figures if key.figure.startswith("paper")} == {"bpp:rules"}


def test_the_example_of_hold_em_stands_in_the_docs_as_it_is_printed() -> None:
    text = holdem_text()
    rows = [line.split() for line in text.splitlines()[1:-1]]
    assert len(rows) == len(EXAMPLE.values)
    assert all(row[-2] == row[-1] for row in rows)
    assert text in (ROOT / "docs" / "loki.md").read_text("utf-8")
    other = holdem_text(("Qd", "Td", "3h", "4c", "Jh"))
    assert "paper" not in other
    assert "0.359" in other
    with pytest.raises(ValueError, match="two cards and a flop of three"):
        holdem_text(("Qd",))
