"""The calibration of values: what was won, the slope between noisy values, the tenths, and luck."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from docs.site import decision_calibration as study
from docs.site.decision_calibration import _KeptDecision, decision_calibration_text
from docs.site.luck import luck_check, luck_text
from handread.continuation import net
from handread.decisions.rollouts import Futures, HouseRake, Rollouts
from handread.decisions.turns import LegalAction, Turn, turns
from handread.history import Action
from handread.inference.hand_analysis import Analysis
from handread.runs import Run
from handread.simulate import read_games
from handread.study.decision_samples import simulated
from handread.typed import read_typed
from tests.decisions.values import invented
from tests.papers.tables import table
from tests.program import SAMPLES

SEED, GAMES = 4, 10
TABLE = table("people", 3)
SOURCE = simulated("people players", GAMES, TABLE, SEED)


@cache
def games() -> tuple[Analysis, ...]:
    return tuple(read for _, read in read_games(TABLE, SEED, range(GAMES)))


def test_what_was_won_counts_from_the_decision_on() -> None:
    met = set()
    for read in games():
        replay = read.replay
        end = replay.steps[-1].after
        for turn in turns(read):
            assert study.won_from(replay, turn) == net(end, turn.seat, replay.rake, turn.table)
            met.add(turn.taken)
            if turn.taken == "fold":
                assert study.won_from(replay, turn) == 0
    assert {"fold", "call", "check", "bet"} <= met


def test_decisions_that_are_compared() -> None:
    for read in games():
        found = study.valued(read.replay)
        assert found == [d for d in read.replay.decisions if d.action is not Action.FOLD]


def test_halves_of_rollouts() -> None:
    nets = np.array([[1.0], [10.0], [3.0], [30.0], [5.0]])
    assert study.halves(Rollouts(nets, np.ones(5))) == [3.0, 20.0]
    assert study.halves(Rollouts(nets, np.array([2.0, 0, 0, 1, 0]))) == [1.0, 30.0]
    # A half without a possible deal takes the mean of the other.
    assert study.halves(Rollouts(nets, np.array([2.5, 0, 2.5, 0, 0]))) == [2.0, 2.0]


def test_slope_allows_for_the_noise_of_the_values() -> None:
    rng = np.random.default_rng(7)
    n = 40_000
    true = rng.normal(1.0, 1.0, n)
    first, second = (true + rng.normal(0.0, 1.5, n) for _ in range(2))
    realised = 0.7 * true + rng.normal(0.0, 3.0, n)
    hands = np.arange(n) // 2.0
    found = study.slope(hands, first, second, realised)
    assert (found.n, found.hands) == (n, n // 2)
    assert found.low < 0.7 < found.high
    assert found.error < 0.03
    mean = (first + second) / 2.0
    attenuated = float(np.polyfit(mean, realised, 1)[0])
    assert attenuated < found.low


def test_error_of_the_slope() -> None:
    rng = np.random.default_rng(8)
    slopes, errors = [], []
    for _ in range(200):
        true = np.repeat(rng.normal(1.0, 1.0, 150), 2)
        first, second = (true + rng.normal(0.0, 0.5, 300) for _ in range(2))
        # The decisions of a hand share their luck.
        realised = true + np.repeat(rng.normal(0.0, 2.0, 150), 2)
        found = study.slope(np.arange(300) // 2.0, first, second, realised)
        slopes.append(found.mean)
        errors.append(found.error)
    assert np.mean(slopes) == pytest.approx(1.0, abs=0.05)
    assert np.mean(errors) == pytest.approx(np.std(slopes), rel=0.15)


def halved(
    turn: Turn, options: Sequence[LegalAction], futures: Futures, rake: HouseRake
) -> Rollouts:
    """Rollouts of half of the pot, but for noise."""
    assert [option.action for option in options] == [turn.taken]
    assert rake.share == 0.0
    noise = np.random.default_rng(int(futures.draws[0, 0, 0] * 2**53))
    nets = turn.decision.pot / 2.0 + noise.normal(0.0, 100.0, (futures.weights.size, 1))
    return Rollouts(nets, futures.weights)


OPTIONS = study.SampleOptions(decisions=2, rollouts=4, roll_out=halved)


def test_figures_are_means_over_decisions(tmp_path: Path) -> None:
    found = study.decision_calibration([SOURCE], OPTIONS, Run(resume=tmp_path))
    files = sorted(one for one in tmp_path.iterdir() if not one.suffix)
    rows = np.array([row for file in files for row in read_typed(_KeptDecision, file).rows])
    assert rows.shape[1] == 3 + 2 * len(study.OBSERVERS)
    for at, who in enumerate(study.OBSERVERS):
        first, second, won = rows[:, 3 + 2 * at], rows[:, 4 + 2 * at], rows[:, 2]
        values = (first + second) / 2.0
        for figure, mean in (
            (study.PREDICTED, values.mean()),
            (study.REALISED, won.mean()),
            (study.DIFFERENCE, (won - values).mean()),
        ):
            estimate = found.at(figure, "", who, SOURCE.name)
            assert estimate.mean == pytest.approx(mean)
            assert (estimate.n, estimate.hands) == (len(rows), len(set(rows[:, 1])))
        about = study.part_of(SOURCE.name, who)
        assert found.groups(about) == list(study.TENTH_NAMES)
        lowest = np.argsort(first, kind="stable")[: -(-len(rows) // 10)]
        bottom = found.at(study.PREDICTED, "", study.TENTH_NAMES[0], about)
        assert bottom.mean == pytest.approx(second[lowest].mean())
        tenths = [found.at(study.REALISED, "", tenth, about) for tenth in study.TENTH_NAMES]
        assert sum(tenth.n for tenth in tenths) == len(rows)


def test_ledgers_are_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(study, "learned_values", lambda _players, _game: invented())
    few = replace(SOURCE, jobs=range(4))
    found = study.decision_calibration([few], OPTIONS)
    exact = found.at(study.EXACT, "", "", SOURCE.name)
    assert exact.mean == 1.0
    assert 4 <= exact.n <= 8
    assert f"chips won: all of {exact.n}" in decision_calibration_text(found)
    wrong = study.ledger_figures([few], [[0, 1000, 1000], [0, 1000, 1001], [1, 0, 1]])
    ((key, half),) = wrong.items()
    assert (key.about, half.mean, half.n) == (SOURCE.name, 0.5, 2)
    shown = replace(found, figures={**found.figures, **wrong})
    assert "chips won: 50.00% of 2" in decision_calibration_text(shown)


def test_policies_without_values_have_no_ledgers() -> None:
    source = simulated("loose players", 1, table("loose", 2), SEED)
    found = study.decision_calibration([source], OPTIONS)
    assert not found.at(study.EXACT, "", "", source.name).n
    assert "ledgers" not in decision_calibration_text(found)


def test_no_decisions() -> None:
    found = study.decision_calibration([], OPTIONS)
    assert found.figures == {}
    nobody = study.DecisionCalibration({}, {"files": 3}, 2, 4, 1)
    assert "files: no decision with known downcards" in decision_calibration_text(nobody)


def test_hands_of_files_and_simulated_players_are_sources(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    log, table_csv = SAMPLES / "pokerstars.txt", tmp_path / "found.csv"
    line = f"tool {log} --players people --games 2 --seats 2 --rollouts 4 --output {table_csv}"
    monkeypatch.setattr("sys.argv", line.split())
    assert study.main() == 0
    told = capsys.readouterr().out
    assert "\nother hands: " in told
    assert "\npeople players: " in told
    assert table_csv.read_text("utf-8").count("predicted_big_bets") >= 4
    for wrong in ("--players loki --seats 2", "--rollouts 1"):
        monkeypatch.setattr("sys.argv", ["tool", *wrong.split()])
        with pytest.raises(SystemExit, match="2"):
            study.main()


def test_luck_is_checked_on_simulated_games() -> None:
    found = luck_check(table("people", 3), 4, learned=invented())
    assert (found.games, found.ledgers) == (4, 12)
    mean = {name: found.at("mean_big_bets", group=name).mean for name in ("net", "luck")}
    assert mean["net"] == pytest.approx(0.0)
    assert found.at("mean_big_bets", group="adjusted").mean == pytest.approx(-mean["luck"])
    assert found.at("variance_ratio").mean > 0.0
    assert "4 games of seven-card stud, people; 12 ledgers, all sums exact" in luck_text(found)
