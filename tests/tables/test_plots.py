"""Pictures of tables show what a plain loop over the analyses finds."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from handread.game.replay import replay
from handread.inference.analysis import analyze_replay
from handread.inference.hand_analysis import Analysis
from handread.papers.saund.replication import entropy_path
from handread.policy import load_policy
from handread.report import figures as plots
from handread.report.summary import surprise_text
from handread.study.statistics import BIN_NAMES, NOTHING, Estimate, Key
from handread.tables.pictures import (
    ALL_HANDS,
    BIN_BITS,
    N_BINS,
    SHOWN_DOWN,
    calibration,
    entropies,
    surprise,
)
from handread.tables.read import Tables, open_tables
from handread.tables.summary import SURPRISE, TOLD, TOLD_TRUTH, Summary
from tests.hands import WALKED_OFF, hand
from tests.pictures import words_of
from tests.program import Done, run_here
from tests.summary_set import EVIL, write_tables

KINDS = ("information-gain", "entropies", "calibration", "players", "surprise")


@pytest.fixture
def tables(folder: Path) -> Tables:
    return open_tables(folder)


Events = dict[int, list[tuple[int, float, float]]]


def in_bins(events: Iterable[tuple[int, float, float]]) -> Events:
    """Events (hand, chance, outcome) by bin."""
    bins: Events = defaultdict(list)
    for event in events:
        bins[min(int(event[1] * 10), 9)].append(event)
    return bins


def chances(reads: list[Analysis], among_shown: bool) -> Iterable[tuple[int, float, float]]:
    for number, read in enumerate(reads):
        played = read.replay
        total = sum(played.won.values())
        for stage in read.stages:
            if len(stage.active) < 2 or not played.finished:
                continue
            seats = [s for s in stage.active if not among_shown or s in played.showdown]
            given = {seat: stage.bet_inference[seat] for seat in seats}
            whole = sum(given.values()) if among_shown else 1.0
            for seat, chance in given.items():
                yield number, chance / whole if whole else 0.0, played.won.get(seat, 0) / total


@pytest.mark.thorough
@pytest.mark.parametrize("kind", [ALL_HANDS, SHOWN_DOWN])
def test_calibration_is_what_a_plain_loop_finds(
    tables: Tables, reads: list[Analysis], kind: str
) -> None:
    bins = in_bins(chances(reads, kind == SHOWN_DOWN))
    table = calibration(tables)
    assert table.games == len(reads)
    assert table.groups(kind) == [BIN_NAMES[place] for place in sorted(bins)]
    for place, events in bins.items():
        chance, made = (
            table.at(figure, "", BIN_NAMES[place], kind) for figure in ("chance", "came_true")
        )
        assert chance.n == made.n == len(events)
        assert chance.mean == pytest.approx(sum(p for _, p, _ in events) / len(events), abs=1e-5)
        happened = sum(y for _, _, y in events) / len(events)
        assert made.mean == pytest.approx(happened, abs=1e-5)
        excess: dict[int, float] = defaultdict(float)
        for number, p, y in events:
            excess[number] += y - p
        error = math.sqrt(sum(x * x for x in excess.values())) / len(events)
        wanted = error if len(excess) > 1 else math.nan
        assert made.error == pytest.approx(wanted, abs=1e-5, nan_ok=True)


def test_entropies_are_those_of_the_first_hands(
    tables: Tables, reads: list[Analysis], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("handread.tables.pictures.MOST_PATHS", 18)
    made = entropies(tables)
    known = [r for r in reads if r.stages[0].omniscience == "full"]
    order = sorted(
        known, key=lambda r: (r.replay.history.source.file, r.replay.history.source.line)
    )
    assert len(order) > 18
    assert list(made.paths.paths) == list(range(1, 19))
    for path, read in zip(made.paths.paths.values(), order, strict=False):
        assert path == pytest.approx(dict(entropy_path(read)), abs=1e-5)
    longest = max(len(path) for path in made.paths.paths.values())
    assert len(made.paths.paths[made.paths.picked]) == longest
    source = order[made.paths.picked - 1].replay.history.source
    assert (made.file, made.line) == (source.file, source.line)


def test_surprise_is_counted_by_kind(tables: Tables, reads: list[Analysis]) -> None:
    made = surprise(tables)
    actions = [a for read in reads for a in read.actions]
    assert set(made.counts) == {a.decision.action for a in actions}
    assert len(made.edges) == N_BINS + 2
    for kind, binned in made.counts.items():
        shown = made.at("surprise_bits", group=kind)
        bits = [a.surprise_bits for a in actions if a.decision.action == kind]
        counts = [0] * (N_BINS + 1)
        for x in filter(math.isfinite, bits):
            counts[min(int(x / BIN_BITS), N_BINS)] += 1
        assert list(binned) == counts
        assert shown.n == len(bits)
        assert shown.infinite == sum(map(math.isinf, bits))
        assert f"  {kind}" in surprise_text(made)
    assert any(shown.infinite for shown in made.figures.values())
    assert "infinite counts as 40 bits" in words_of(plots.surprise_figure(made))


@pytest.mark.thorough
def test_the_players_figure_has_a_point_a_figure(found: Summary) -> None:
    figure = plots.players_figure(found)
    told, surprising = figure.axes
    places = [("", "", "everybody"), *(("", n or "", "player") for n in found.players.wanted)]
    for axes, name in ((told, TOLD), (surprising, SURPRISE)):
        points = [x for line in axes.lines if line.get_marker() == "o" for x in line.get_xdata()]
        assert points == [found.at(name, *place).mean for place in places]
    shown = words_of(figure)
    assert "everybody" in shown
    assert "unnamed" in shown
    assert "told: how much the actions of a hand change the read of the downcards" in shown
    assert "true: how far towards the downcards really held (below 0: away)" in shown
    assert "=HYPERLINK(1)" in shown
    assert EVIL[-5:] not in shown


def test_one_outlier_does_not_rule_the_axis(found: Summary) -> None:
    means = {"": 0.1, "Ann": 0.1, "Bob": 0.12, "Cy": 0.14, "odd": -8.0}
    figures = {key: NOTHING for key in found.figures if key.figure == TOLD_TRUTH}
    for name, mean in means.items():
        place = ("", name, "player" if name else "everybody")
        figures[Key(TOLD, *place)] = Estimate.student(mean, 0.01, 50, 50)
        figures[Key(SURPRISE, *place)] = found.at(SURPRISE, about="everybody")
    players = replace(found.players, wanted=tuple(means)[1:])
    told = plots.players_figure(replace(found, figures=figures, players=players)).axes[0]
    left, right = told.get_xlim()
    assert -1 < left < right < 1
    assert [text.get_text().strip() for text in told.texts if "8" in text.get_text()] == ["-8.00"]


def drawn(folder: Path, kind: str, file: Path, *options: str, status: int = 0) -> Done:
    done = run_here("summary", str(folder), "--plot", kind, "-o", str(file), *options)
    assert done.returncode == status, done.stderr
    return Done(status, done.stdout, " ".join(done.stderr.split()))


@pytest.mark.parametrize("kind", KINDS)
def test_the_command_draws_and_tells(folder: Path, tmp_path: Path, kind: str) -> None:
    file = tmp_path / "picture.svg"
    done = drawn(folder, kind, file, "--least-hands", "1")
    assert done.stderr == ""
    assert done.stdout
    assert "\x1b" not in done.stdout
    assert file.read_text(encoding="utf-8").startswith("<?xml")
    if kind == "entropies":
        assert re.fullmatch(r"game \d+ of \d+ is [ab]\.stud:\d+1\n", done.stdout)


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_to_draw_is_said(tmp_path: Path, kind: str) -> None:
    write_tables(tmp_path / "out", [])
    file = tmp_path / "picture.png"
    done = drawn(tmp_path / "out", kind, file, status=2)
    assert "there is nothing to draw: " in done.stderr
    assert not file.exists()


@pytest.mark.parametrize("kind", ["information-gain", "entropies"])
def test_hands_with_hidden_cards_have_no_figures_6_and_7(tmp_path: Path, kind: str) -> None:
    read = analyze_replay(replay(hand(WALKED_OFF)), load_policy("default"))
    write_tables(tmp_path / "out", [read])
    done = drawn(tmp_path / "out", kind, tmp_path / "a.png", status=2)
    assert "not all downcards of any hand are known" in done.stderr


@pytest.mark.parametrize(
    ("kind", "file", "options", "told"),
    [
        ("surprise", "a.gif", (), ".png, .svg or .pdf"),
        ("surprise", "none/a.png", (), "cannot be written"),
        ("players", "a.png", (), "nobody has 20 hands (--least-hands)"),
        ("players", "a.png", ("--player", "Zoe"), "nobody in the tables is called Zoe"),
    ],
)
def test_the_command_says_why_it_draws_nothing(
    kind: str, file: str, options: tuple[str, ...], told: str, folder: Path, tmp_path: Path
) -> None:
    assert told in drawn(folder, kind, tmp_path / file, *options, status=2).stderr
