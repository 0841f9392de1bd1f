"""Every kind of picture in every game: its words are the values that it shows, in their places."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text

import handread
from handread.cards import card_text
from handread.game.rules import FIVE_STUD, STUD8, Stakes, Variant
from handread.history import History
from handread.inference.hand_analysis import Analysis
from handread.inference.players import Model, PlayerModels
from handread.papers.bpp.figure import matches_figure
from handread.papers.bpp.matches import BPPMatches
from handread.papers.saund.replication import entropies, information_gain
from handread.policy import load_policy
from handread.report import figures as plots
from handread.report.build import hand_report
from handread.report.ends import street_ends
from handread.report.families import family_lines, informative_families
from handread.report.shown_values import HandReport, Steps
from handread.report.steps import hand_steps
from handread.runs import Run
from handread.simulate import Setup, seated
from handread.study.statistics import Estimate, FigureTable, Key
from handread.tables import pictures
from handread.tables.read import Tables
from handread.tables.summary import Wanted, summary
from tests.program import SAMPLES, run
from tests.summary_set import write_tables

FILES = {STUD8: "hi-lo.stud", FIVE_STUD: "five-card.stud"}
"""The game of most families and its halves, and that of the other streets."""
games = pytest.mark.parametrize("game", FILES, ids=lambda game: game.key)
SUITS = dict(zip("cdhs", "♣♦♥♠", strict=True))
STAGE = re.compile(r"[2-7][DB]")


class Word(NamedTuple):
    """A text of a picture, and where it is written, in points from the upper left corner."""

    text: str
    x: float
    y: float


def words_of(figure: Figure) -> list[Word]:
    """Return the texts of a picture as its SVG has them."""
    root = ET.fromstring(plots.picture_bytes(figure, ".svg"))
    texts = (one for one in root.iter("{http://www.w3.org/2000/svg}text") if one.text)
    found = []
    for one in texts:
        moved = re.search(r"translate\((\S+) (\S+)\)", one.get("transform", ""))
        x, y = moved.groups() if moved else (one.get("x"), one.get("y"))
        found.append(Word(one.text or "", float(x or 0), float(y or 0)))
    return found


def written_on(figure: Figure) -> list[Text]:
    """Return the texts that a picture shows, once all has its place."""
    figure.draw_without_rendering()
    shown = (text for text in figure.findobj(Text) if text.get_visible())
    return [text for text in shown if text.get_text().strip()]


def told(figure: Figure) -> set[str]:
    return {line for text in written_on(figure) for line in text.get_text().splitlines()}


def told_inside(figure: Figure) -> str:
    """Return what is written; nothing of it leaves the page."""
    texts = written_on(figure)
    for text in texts:
        box = text.get_window_extent()
        assert figure.bbox.x0 - 1 <= box.x0, text.get_text()
        assert box.x1 <= figure.bbox.x1 + 1, text.get_text()
    return " ".join(text.get_text() for text in texts)


# A hand


@cache
def reads(game: Variant) -> list[Analysis]:
    hands = [h for h in handread.read_hands(SAMPLES / FILES[game]) if isinstance(h, History)]
    return [handread.analyze(hand, "loose") for hand in hands[:3]]


def longest_read(game: Variant) -> Analysis:
    """The hand of the sample with the most moments."""
    return max(reads(game), key=lambda read: len(read.stages))


@cache
def longest(game: Variant) -> tuple[HandReport, Steps]:
    read = longest_read(game)
    report = replace(hand_report(read), made_by="me")
    return report, hand_steps(report, read)


@cache
def pages(game: Variant) -> list[Figure]:
    return plots.hand_pages(*longest(game), street_ends(longest_read(game)))


def cards(found: Iterable[Word]) -> list[str]:
    """Return the cards among some words, from left to right."""
    across = sorted(found, key=lambda word: word.x)
    return [word.text for word in across if len(word.text) == 2 and word.text[1] in SUITS.values()]


def drawn_cards(dealt: Iterable[int]) -> list[str]:
    return [text[0] + SUITS[text[1]] for text in map(card_text, dealt)]


@pytest.mark.thorough
@games
def test_boards_and_reads_stand_under_their_streets(game: Variant) -> None:
    report, _ = longest(game)
    told_inside(pages(game)[0])
    found = words_of(pages(game)[0])
    heads = [word for word in found if re.fullmatch(r"\w+ street(, .. shared)?", word.text)]
    heads = [word for word in heads if word.y == min(word.y for word in heads)]
    assert [word.text for word in heads] == [f"{street.name} street" for street in game.streets]
    ends = [word.x for word in heads[1:]] + [600.0]
    analysis = longest_read(game)
    stages = {stage.stage: stage for stage in analysis.stages}
    names = [word for word in found if word.text in report.labels.values()]
    rows = sorted(names, key=lambda word: word.y)[: len(report.labels)]
    places = [row.y for row in rows]
    for row, below in zip(rows, [*places[1:], places[-1] + 40], strict=True):
        (seat,) = [seat for seat, label in report.labels.items() if label == row.text]
        inside = [word for word in found if row.y - 4 < word.y < below - 4]
        held = analysis.replay.downcards_on(game.last).get(seat, ())
        assert cards(word for word in inside if word.x < heads[0].x) == drawn_cards(held)
        dealt = [
            s for s in analysis.replay.streets if f"{s.number}D" in stages and seat in s.active
        ]
        for street in analysis.replay.streets:
            head, end = heads[street.number - game.first], ends[street.number - game.first]
            if len(dealt) == 1:
                end = 600.0
            column = [word for word in inside if head.x <= word.x < end]
            if street not in dealt:
                assert street is not dealt[0]
                assert len(dealt) == 1 or not column
                continue
            assert cards(column) == drawn_cards(street.upcards[seat])
            stage = stages.get(f"{street.number}B") or stages[f"{street.number}D"]
            read = stage.seats.get(seat) or stage.folded[seat]
            lead = informative_families(family_lines(read))[0].words.replace("% → ", "→")
            written = " ".join(word.text for word in column)
            assert lead.split()[0] in written
            assert lead.split()[-1] in written


@pytest.mark.thorough
@games
def test_the_pages_of_a_hand_have_the_chances_of_its_steps(game: Variant) -> None:
    report, steps = longest(game)
    _, *rest = pages(game)
    at = {step.stage: step for step in steps.steps}
    assert rest
    for page in rest:
        written = told_inside(page)
        (stage,) = set(STAGE.findall(page.get_suptitle()))
        assert stage in game.stages
        for axes, (seat, chance) in zip(page.axes, at[stage].chances.items(), strict=True):
            words = f"{chance.bets.words}, by the cards alone {chance.cards.words}"
            assert words in axes.get_title(loc="right")
            assert report.labels[seat] in written


@pytest.mark.thorough
@games
def test_the_htpds_of_a_stage_have_its_chances(game: Variant) -> None:
    for stage in longest_read(game).stages[::4]:
        figure = plots.htpd_figure(stage, {})
        written = told_inside(figure)
        assert f"at {stage.stage}" in written
        for seat in stage.seats:
            chance, by_cards = stage.bet_inference[seat], stage.cards_only[seat]
            assert f"{chance:.0%}, by the cards alone {by_cards:.0%}" in written


# Many games


def setup(game: Variant) -> Setup:
    models = PlayerModels(Model(load_policy("loose")))
    return Setup(models, seated(models, 3), Stakes(25, 25, game.bets(100, 200)), game=game)


def check_gain(figure: Figure, table: FigureTable, game: Variant) -> None:
    """The stages are those of the game; below each stands what was measured there."""
    found = words_of(figure)
    ticks = {word.text: word.x for word in found if STAGE.fullmatch(word.text)}
    assert tuple(ticks) == game.stages
    rows = ("games", "log2 N", "entropy", "K-L cards", "K-L bets", "gain")
    lines = {word.text: word.y for word in found if word.text in rows}
    for stage in game.stages:
        gain, entropy = table.at("gain_fraction", stage), table.at("entropy_bits", stage)
        cells = {
            row: word.text
            for row, y in lines.items()
            for word in found
            if abs(word.y - y) < 3 and abs(word.x - ticks[stage]) < 12
        }
        if not gain.n:
            assert not cells
            continue
        assert cells["games"] == f"{gain.n:,}"
        assert cells["entropy"] == f"{entropy.mean:.2f}"
        assert cells["gain"] == (f"{100 * gain.mean:.0f}%" if np.isfinite(gain.mean) else "-")


@pytest.mark.thorough
@games
def test_the_gain_stands_under_the_stages_of_the_game(game: Variant) -> None:
    table = information_gain(setup(game), games=4, run=Run(3))
    check_gain(plots.gain_figure(table), table, game)
    paths = entropies(setup(game), games=4, run=Run(3))
    found = told(plots.entropies_figure(paths))
    assert {word for word in found if STAGE.fullmatch(word)} == set(game.stages)
    assert "How uncertain the outcome is as a game goes on: 4 games" in found
    assert any(f"game {paths.picked}" in word for word in found)


@pytest.mark.thorough
@games
def test_pictures_of_tables_have_the_figures_of_the_tables(game: Variant, tmp_path: Path) -> None:
    tables: Tables = write_tables(tmp_path / game.key, reads(game))
    hands = len(reads(game))
    gain = summary(tables).gain
    if any(estimate.n for estimate in gain.figures.values()):
        check_gain(plots.gain_figure(gain), gain, game)
        found = pictures.entropies(tables)
        ticks = {w for w in told(plots.entropies_figure(found.paths)) if STAGE.fullmatch(w)}
        assert ticks >= set(game.stages)
    calibration = pictures.calibration(tables)
    written = told(plots.reliability_figure(calibration))
    events = [e.n for key, e in calibration.figures.items() if key.figure == "came_true" and e.n]
    assert {f"{n:,}" for n in events} <= written
    surprise = pictures.surprise(tables)
    written = told(plots.surprise_figure(surprise))
    for kind in surprise.counts:
        n = surprise.at("surprise_bits", group=kind).n
        assert any(word.startswith(f"{kind}: {n:,}") for word in written)
    players = summary(tables, Wanted())
    written = told(plots.players_figure(players))
    dealt = {seat.name for read in reads(game) for seat in read.replay.history.seats} - {""}
    for name in dealt:
        assert any(re.fullmatch(rf"{re.escape(name)}  [\d,]+", word) for word in written), name
    assert any(word.startswith("1 hand" if hands == 1 else f"{hands} hands") for word in written)


@pytest.mark.thorough
def test_five_card_stud_beside_seven_cards_has_the_stages_of_both(tmp_path: Path) -> None:
    tables = write_tables(tmp_path / "both", [*reads(FIVE_STUD), *reads(STUD8)])
    found = told(plots.gain_figure(summary(tables).gain))
    stages = {word for word in found if STAGE.fullmatch(word)}
    assert stages == {*FIVE_STUD.stages, *STUD8.stages}


def test_the_htpds_may_be_those_of_its_first_street(tmp_path: Path) -> None:
    picture = tmp_path / "htpd.svg"
    game = "5stud ante .25 bring-in 0 bets 1 1 2 2 raises 3"
    asked = ["experiment", "entropies", "--games", "1", "--seats", "3", "--game", game]
    asked += ["--set", "figure=htpd", "--plot", str(picture)]
    assert run(*asked, "--set", "stage=2B").returncode == 0
    assert "What each seat may end with at 2B" in picture.read_text()
    refused = run(*asked, "--set", "stage=6B")
    assert refused.returncode == 2
    said = " ".join(refused.stderr.replace("│", "").split())
    assert f"no stage '6B': expected one of {', '.join(FIVE_STUD.stages)}" in said


def test_matches_are_named_at_the_ends_of_their_lines() -> None:
    ends = {"bpp:rules": 12.5, "rules:bpp": -12.5}
    figures = {
        Key(name, "", pairing, str(games)): Estimate(end * games / 40, 1.0)
        for pairing, end in ends.items()
        for games in (20, 40)
        for name in ("cumulative_bets", "first_match_bets")
    }
    figures |= {
        Key("net_bets", "", pairing): Estimate(end / 40, 0.1) for pairing, end in ends.items()
    }
    found = words_of(matches_figure(BPPMatches(figures, 40, 2, 20, "paper", 0.25)))
    places = {word.text: word.y for word in found if word.text in ends}
    assert places["bpp:rules"] < places["rules:bpp"]
    assert "Winnings at five-card stud: 2 matches of 40 games" in {word.text for word in found}
