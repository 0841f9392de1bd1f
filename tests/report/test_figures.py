"""The pictures show the numbers that they are made of, and are written whole or not at all."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from matplotlib.collections import PolyCollection
from matplotlib.patches import StepPatch

from handread.game.replay import replay
from handread.game.rules import STAGES
from handread.inference.analysis import analyze_replay
from handread.papers.saund.figure import RATE_FIGURES, win_rates_figure
from handread.papers.saund.replication import WinRates
from handread.policy import EvenHoldingValues, decision_point_at_odds, load_policy
from handread.report import figures as plots
from handread.report.ends import hand_axis
from handread.study.calibration import Calibration
from handread.study.information_gain import GAIN_FIGURES, InformationGain, entropy_paths
from handread.study.statistics import NOTHING, Estimate, Key, bin_figures
from tests.examples import few
from tests.hands import GOLDEN, hand
from tests.pictures import words_of
from tests.program import run


def gain() -> InformationGain:
    lines: tuple[tuple[float, float, float], ...]
    lines = ((2.8, -0.2, 0.01), (2.6, -0.25, 0.02), (0.1, 0.05, 0.01), (0.1, 0.03, 0.01))
    lines += ((0.0, 0.04, 0.01),)
    figures = {
        Key(name, stage): Estimate(first + slope * place, error, n=100 - place)
        for name, (first, slope, error) in zip(GAIN_FIGURES, lines, strict=True)
        for place, stage in enumerate(STAGES[:-1])
    }
    figures |= {Key(name, "7B"): NOTHING for name in GAIN_FIGURES}
    return InformationGain(figures, 100, "a <b> $x$ policy")


def rates() -> WinRates:
    players = (
        ("kind", "cards-only", 2.7, 2.5),
        ("seat", "seat 1, bet-inference", 1.5, 1.7),
        ("seat", "seat 2, cards-only", 2.7, 2.5),
    )
    figures = {
        Key(name, "", group, about): Estimate(value, 0.1)
        for about, group, put_in, won in players
        for name, value in zip(RATE_FIGURES, (put_in, won, won - put_in), strict=True)
    }
    return WinRates(figures, "loose", 10, 10)


@pytest.mark.parametrize("name", ["default", "loose", "table1-bluff"])
def test_the_regions_of_a_policy_are_its_probabilities(name: str) -> None:
    policy = load_policy(name)
    figure = plots.policy_figure(policy, players=5, odds=0.1)
    for axes, spot, order, by_chance in (
        (figure.axes[0], decision_point_at_odds(5, None), ("bet", "check"), True),
        (figure.axes[1], decision_point_at_odds(5, None), ("bet", "check"), False),
        (figure.axes[2], decision_point_at_odds(5, 0.1), ("raise", "call", "fold"), True),
        (figure.axes[3], decision_point_at_odds(5, 0.1), ("raise", "call", "fold"), False),
    ):
        areas = [area for area in axes.collections if isinstance(area, PolyCollection)]
        assert len(areas) == len(order)
        for x in (0.1, 0.75, 0.95, 1.3, 1.38, 1.9):
            place = 5.0**-x if by_chance else x
            odds = policy.probabilities(spot, EvenHoldingValues(np.array([5.0**-x]), 5))
            for area, action in zip(areas, order, strict=True):
                corners = area.get_paths()[0].vertices
                near = corners[abs(corners[:, 0] - place) < 0.00101][:, 1]
                assert np.ptp(near) == pytest.approx(odds[action][0], abs=0.05)
    text = words_of(figure)
    assert all(action in text for action in ("bet", "check", "raise", "call", "fold"))
    assert "odds 10%" in text
    marks = [[line.get_xdata()[0] for line in figure.axes[at].lines[-2:]] for at in (2, 3)]
    assert marks[0] == pytest.approx([0.2, 0.1])
    assert marks[1] == pytest.approx([1.0, -math.log(0.1) / math.log(5)])


@pytest.mark.parametrize(
    ("name", "players", "odds"),
    few(
        [
            ("default", 2, 0.1),
            ("loose", 2, 0.1),
            ("honest", 2, 0.1),
            ("default", 2, 0.25),
            ("loose", 7, 0.5),
            ("honest", 8, 1e-6),
        ],
        3,
    ),
)
def test_every_mark_and_word_of_a_policy_is_on_the_page(
    name: str, players: int, odds: float
) -> None:
    figure = plots.policy_figure(load_policy(name), players, odds)
    figure.canvas.draw()
    for axes in figure.axes:
        # A mark outside the panel would also push the panel itself out of its half of the page.
        assert axes.get_position().width > 0.4
        for words in axes.texts:
            box = words.get_window_extent()
            assert figure.bbox.x0 <= box.x0 < box.x1 <= figure.bbox.x1, words.get_text()
    x_e = -math.log(odds) / math.log(players)
    axes = figure.axes[3]
    assert axes.lines[-1].get_xdata()[0] == pytest.approx(x_e)
    assert axes.get_xlim()[1] > x_e


@pytest.mark.parametrize(
    ("name", "expected"),
    [("default", ["slowplay 20%", "bluff 5%", "slowplay 20%", "bluff 5%"]), ("honest", [])],
)
def test_what_runs_counter_to_the_hand_is_named(name: str, expected: list[str]) -> None:
    text = words_of(plots.policy_figure(load_policy(name), 4, 0.125))
    found = [line for line in text.split("\n") if line.startswith(("slowplay", "bluff"))]
    assert found == expected


@pytest.mark.parametrize("odds", [0.0, 1.0])
def test_policies_at_odds_that_cannot_be(odds: float) -> None:
    with pytest.raises(ValueError, match="expected"):
        plots.policy_figure(load_policy("loose"), 4, odds)


def test_the_htpds_are_those_of_the_stage() -> None:
    read = analyze_replay(replay(hand(GOLDEN)), load_policy("default"))
    stage = read.stages[1]
    figure = plots.htpd_figure(stage, {1: "a $x^2$ <b>", 2: "\x1b[31mred"})
    assert len(figure.axes) == len(stage.active) == 2
    for axes, seat in zip(figure.axes, stage.seats, strict=True):
        (steps,) = [patch for patch in axes.patches if isinstance(patch, StepPatch)]
        heights, edges, _ = steps.get_data()
        assert (heights**2 * np.diff(edges)).sum() == pytest.approx(1.0)
        pairs = (edges[:-1] >= 407) & (edges[:-1] < 407 + 1470)
        mass = (heights**2 * np.diff(edges))[pairs].sum()
        assert mass == pytest.approx(stage.seats[seat].categories()[1])
    text = words_of(figure)
    assert f"wins {stage.bet_inference[1]:.0%}" in text
    assert "seat 1 a $x^2$ <b>" in text
    assert "\x1b" not in text
    assert all(mark in text for mark in hand_axis().marks)
    assert f"entropy of the outcome {stage.entropy_bits:.2f} bits" in text


def test_the_lines_of_the_gain_are_its_means() -> None:
    table = gain()
    figure = plots.gain_figure(table)
    lines = {line.get_label(): line.get_ydata() for line in figure.axes[0].lines}
    log2_n, entropies, cards, bets, gains = (
        [table.at(name, stage).mean for stage in STAGES[:-1]] for name in GAIN_FIGURES
    )
    assert list(lines["log2 N, a blind guess"]) == log2_n
    assert list(lines["entropy, all cards known"]) == entropies
    assert list(lines["cards only"]) == [a + b for a, b in zip(entropies, cards, strict=True)]
    assert list(lines["cards and bets"]) == [a + b for a, b in zip(entropies, bets, strict=True)]
    text = words_of(figure)
    assert all(f"{100 * gain:.0f}%" in text for gain in gains)
    assert "a <b> $x$ policy" in text
    assert "nan" not in text


def test_the_paths_of_the_entropies() -> None:
    paths = {1: {"3D": 2.0, "3B": 1.0}, 7: {"3D": 2.5, "3B": 1.5, "4D": 1.2}}
    figure = plots.entropies_figure(entropy_paths(paths, 7))
    grey, red, circles = figure.axes[0].lines
    assert list(grey.get_ydata()) == [2.0, 1.0]
    assert list(red.get_ydata()) == [2.5, 1.5, 1.2]
    assert list(circles.get_ydata()) == [1.5]
    assert "game 7" in words_of(figure)


@pytest.mark.thorough
def test_the_bars_of_the_rates() -> None:
    figure = win_rates_figure(rates())
    heights = [bar.get_height() for bar in figure.axes[0].patches]
    expected = [2.7, 1.5, 2.7, 2.5, 1.7, 2.5, -0.2, 0.2, -0.2]
    assert [h for h in heights if h] == pytest.approx(expected)
    assert "+0.20" in words_of(figure)
    assert "−0.20" in words_of(figure) or "-0.20" in words_of(figure)


def test_the_points_of_the_calibration() -> None:
    figures = bin_figures("chance to win", [(2, 50, 13.0, 15.5, 6.25, 10)])
    assert figures[Key("came_true", "", "20 to 30%", "chance to win")].error == 0.05
    figure = plots.reliability_figure(Calibration(figures, 10, "p"))
    points = figure.axes[0].lines[1]
    assert (list(points.get_xdata()), list(points.get_ydata())) == ([26.0], [31.0])


@pytest.mark.thorough
@pytest.mark.parametrize("suffix", few([".svg", ".PNG", ".pdf"], 1))
def test_files_are_the_same_every_time(tmp_path: Path, suffix: str) -> None:
    one, two = tmp_path / f"1{suffix}", tmp_path / f"2{suffix}"
    for path in (one, two):
        plots.save(plots.gain_figure(gain()), path)
    assert one.read_bytes() == two.read_bytes()
    assert set(tmp_path.iterdir()) == {one, two}
    assert suffix != ".svg" or "a &lt;b&gt; $x$ policy" in one.read_text()


@pytest.mark.thorough
def test_pictures_that_cannot_be_written(tmp_path: Path) -> None:
    figure = win_rates_figure(rates())
    with pytest.raises(OSError, match="No such file"):
        plots.save(figure, tmp_path / "nowhere" / "x.png")
    with pytest.raises(OSError, match="No such file"):
        plots.save_pages([figure], tmp_path / "nowhere" / "x.pdf")
    assert not list(tmp_path.iterdir())


def test_policies_on_the_command_line(tmp_path: Path) -> None:
    listed = run("policy", "list")
    assert "the same as" in listed.stdout
    assert run("policy", "show", "default").stdout.startswith("default is another name for table1")
    assert "loose" in listed.stdout
    picture = tmp_path / "p.svg"
    done = run("policy", "show", "loose", "--seats", "3", "--odds", ".2", "--plot", str(picture))
    assert done.returncode == 0
    assert "3 players; a call at effective odds of 20.0%" in done.stdout
    assert "fold" in picture.read_text()
    odds = {row.split()[0]: row.split()[2:7] for row in done.stdout.splitlines() if "%" in row[:6]}
    policy = load_policy("loose")
    for chance, cells in odds.items():
        p = np.array([float(chance.rstrip("%")) / 100])
        free = policy.probabilities(decision_point_at_odds(3, None), EvenHoldingValues(p, 3))
        called = policy.probabilities(decision_point_at_odds(3, 0.2), EvenHoldingValues(p, 3))
        found = [float(cell.rstrip("%")) / 100 for cell in cells]
        expected = [free["bet"], free["check"], called["raise"], called["call"], called["fold"]]
        assert found == pytest.approx([value[0] for value in expected], abs=0.0151)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["show", "nobody"], "no policy 'nobody'"),
        (["show", "loose", "--odds", "1.5"], "odds of 1.5: expected a chance"),
        (["show", "loose", "--plot", "x.gif"], "a picture is written as .png, .svg or .pdf"),
        (["show", "loose", "--odds", "1e-310"], "odds of 1e-310: expected a chance"),
        (["show", "x" * 300], "neither a file nor one of"),
        (["show", "loose", "--plot", "no/where/x.png"], "cannot be written"),
    ],
)
def test_policies_that_cannot_be_shown(arguments: list[str], expected: str) -> None:
    done = run("policy", *arguments)
    assert done.returncode == 2
    assert expected in " ".join(done.stderr.replace("│", "").split())
    assert "Traceback" not in done.stderr
