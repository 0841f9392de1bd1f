"""Reports of razz, hi/lo and five-card stud, in the words and shapes of the game."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from jsonschema import Draft202012Validator
from rich.cells import cell_len

import handread
from handread.cards import DECK_SIZE, parse_card
from handread.game.rules import DEUCE_RAZZ, FIVE_STUD, RAZZ, STUD, STUD8, STUD_HL, Variant
from handread.history import History
from handread.inference.hand_analysis import Analysis
from handread.inference.viewpoint import certainty
from handread.odds.showdown import category_places, showdown_of
from handread.policy import in_game, load_policy
from handread.report.build import hand_report
from handread.report.ends import hand_axis
from handread.report.html.data import page_data
from handread.report.policies import trust_words
from handread.report.schemas import json_schema
from handread.report.steps import by_cell, hand_steps, live_cells
from handread.report.text import plain_report
from handread.report.words import prize_words, won_words
from tests.hands import random_hand
from tests.program import ROOT, SAMPLES

FILES = {STUD8: "hi-lo.stud", RAZZ: "razz.stud", FIVE_STUD: "five-card.stud"}
OTHERS = (*FILES, STUD_HL, DEUCE_RAZZ)
games = pytest.mark.parametrize("game", OTHERS, ids=lambda game: game.key)


@cache
def reads(game: Variant, policy: str = "loose") -> list[Analysis]:
    """The first hands of the sample session of a game, or random hands."""
    return [handread.analyze(hand, policy) for hand in hands_of(game)[:4]]


def hands_of(game: Variant) -> list[History]:
    if game not in FILES:
        return [random_hand(seed, 4, game=game) for seed in range(4)]
    found = handread.read_hands(SAMPLES / FILES[game])
    return [hand for hand in found if isinstance(hand, History)]


def cards(text: str) -> list[int]:
    return [parse_card(word) for word in text.split()]


@pytest.mark.thorough
@games
def test_all_that_is_shared_out_sums_to_one(game: Variant) -> None:
    """A policy that ignores the cards teaches nothing."""
    for analysis in reads(game, "uniform"):
        for action in analysis.actions:
            assert action.information_bits == pytest.approx(0.0, abs=1e-9)
        for stage in analysis.stages:
            assert stage.bet_inference == pytest.approx(stage.cards_only)
    for analysis in reads(game):
        assert {stage.stage for stage in analysis.stages} <= set(game.stages)
        for stage in analysis.stages:
            for chances in (stage.bet_inference, stage.cards_only, stage.omniscient or {}):
                assert sum(chances.values()) == pytest.approx(1.0)
            for read in stage.seats.values():
                assert read.pdd.sum() == pytest.approx(1.0)
                ends = read.categories()
                for group in hand_axis(game).groups:
                    assert sum(ends[group.places]) == pytest.approx(1.0)


@games
def test_a_whole_hand_has_the_categories_of_its_rank(game: Variant) -> None:
    seen = 0
    for analysis in reads(game):
        for seat, read in analysis.stages[-1].seats.items():
            if analysis.stages[-1].street != game.last or read.holding is None:
                continue
            sure = read.hands.showdown.by_category(
                read.hands.htpd(certainty(read.pdd.size, read.holding))
            )
            ranks = game.ranks([*read.holding, *read.up])
            assert np.flatnonzero(sure > 0.5).tolist() == category_places(game, ranks), seat
            seen += 1
    assert seen


@pytest.mark.parametrize("game", [STUD, *OTHERS], ids=lambda game: game.key)
def test_the_area_of_a_picture_of_final_hands_is_one_a_half_of_the_pot(game: Variant) -> None:
    axis = hand_axis(game)
    assert (np.diff(axis.edges) > 0).all()
    assert set(axis.starts) <= set(axis.edges.tolist())
    assert axis.edges[-1] == axis.starts[-1]
    assert len(axis.marks) == len(axis.categories) == len(axis.starts) - 1 == len(set(axis.marks))
    assert axis.categories == showdown_of(game).categories
    analysis = None if game is STUD else reads(game)[0]
    htpd = (
        np.full(axis.n_types, 1.0 / axis.n_types)
        if analysis is None
        else next(iter(analysis.stages[0].seats.values())).htpd
    )
    area = (axis.heights(htpd) ** 2 * np.diff(axis.edges)).sum()
    assert area == pytest.approx(len(axis.groups))


@pytest.mark.thorough
@pytest.mark.parametrize("game", [STUD8, FIVE_STUD, STUD_HL, DEUCE_RAZZ], ids=lambda game: game.key)
def test_the_report_names_the_game_and_its_prize(game: Variant) -> None:
    for analysis in reads(game):
        text, page = analysis.to_text(width=100), analysis.to_html()
        assert f"\n{game.title} · ante" in text
        assert f"{game.title} · ante" in page
        assert f'<h2 id="chances-title">{prize_words(game).chance.capitalize()}</h2>' in page
        assert ("hare of the pot" in page) is game.splits
        assert not game.splits or "to win" not in text
        assert text.count("low hand ") == text.count("high hand ")
        assert ("low hand " in text) is game.splits
        highs = re.search("high card|two pair|flush|straight|full house", text)
        assert not highs or game.wins_high
        record = json.loads(json.dumps(analysis.to_dict(), allow_nan=False))
        Draft202012Validator(json_schema()).validate(record)
        assert record["variant"] == game.key
        for stage in record["stages"]:
            for ends in stage["htpd"].values():
                assert list(ends) == list(showdown_of(game).categories)


@pytest.mark.thorough
def test_no_hit_rates_of_stud_high_stand_below_another_game() -> None:
    people = load_policy("people")
    for game in OTHERS:
        words = trust_words(people, game)
        assert words.startswith(
            f"Nobody has measured how often reads of {game.title} by the policy"
        )
        for analysis in reads(game, "people")[:1]:
            own = trust_words(in_game(people, game.key), game)
            assert (", the policy people named the right kind of hand first in " in own) is (
                game in (STUD8, RAZZ)
            )
            assert own in " ".join(analysis.to_text().split())


def test_a_grid_of_single_cards_has_a_row_a_suit() -> None:
    pdd = np.zeros(DECK_SIZE)
    for card, cell in (("As", 0), ("2s", 12), ("Ah", 13), ("Kd", 27), ("2c", 51)):
        pdd[:] = 0.0
        pdd[parse_card(card)] = 1.0
        assert np.flatnonzero(by_cell(pdd)).tolist() == [cell]
        assert np.flatnonzero(live_cells(pdd)).tolist() == [cell]


def test_the_page_of_five_card_stud_shows_single_cards() -> None:
    as_likely = set()
    for analysis in reads(FIVE_STUD):
        report = hand_report(analysis)
        steps = hand_steps(report, analysis)
        assert page_data(report, steps)["single"] == 1
        assert all(len(read.grid) == DECK_SIZE for read in steps.reads)
        assert all(abs(sum(read.grid) - 10_000) < DECK_SIZE for read in steps.reads)
        assert "The downcard</h3>" in analysis.to_html()
        as_likely |= {read.as_likely for read in steps.reads}
    assert {"1 more is as likely as the last.", "2 more are as likely as the last."} < as_likely


@cache
def of_long_names(game: Variant, long: str) -> Analysis:
    """The first hand of a sample, whose players have long names."""
    file = FILES.get(game, "pokerstars.txt")
    told = next(h for h in handread.read_hands(SAMPLES / file) if isinstance(h, History))
    seats = tuple(replace(seat, name=f"{long}{seat.number}") for seat in told.seats)
    return handread.analyze(replace(told, seats=seats), "loose", viewpoint="public")


@pytest.mark.parametrize("width", [80, 60])
@pytest.mark.parametrize("long", ["Bartholomew_the_Third", "漢字" * 9], ids=["latin", "wide"])
@pytest.mark.parametrize("game", [STUD, *FILES], ids=lambda game: game.key)
def test_an_action_of_a_long_name_stays_on_a_line(game: Variant, long: str, width: int) -> None:
    """The unit stands in the head; where there is no room, the name gives way, not the figures."""
    report = replace(hand_report(of_long_names(game, long)), made_by="me")
    lines = plain_report(report, width=width).splitlines()
    assert width < 80 or any(re.search(r"  surprise, +told,", line) for line in lines)
    assert max(map(cell_len, lines)) <= width
    for street in report.streets:
        for action in street.actions:
            figures = [action.expected.words, action.surprise.words if action.surprise else ""]
            end = r"\s+".join(map(re.escape, [f" {action.words}", *filter(None, figures)]))
            row = rf"{action.seat} .*{end}\s+{re.escape(action.information.words)}(\s|$)"
            assert any(re.search(row, line) for line in lines), f"{action.seat} {action.words}"


def test_a_result_says_who_won_which_half() -> None:
    """As far as the cards of the winners tell; in games without a low there is no half."""
    results = [hand_report(one).result for one in reads(STUD8)]
    assert ("1 loose-1 wins 8.50 with the low", "2 loose-2 wins 8.50 with the high") in results
    for analysis, result in zip(reads(STUD8), results, strict=True):
        assert ("with the" in " ".join(result)) == bool(analysis.replay.showdown)
    (scoop,) = handread.read_hands(ROOT / "docs" / "gallery" / "hi-lo-scoop.stud")
    whole = handread.analyze(scoop, "loose").replay
    assert won_words(whole, 2) == "wins $43.80 with the high and the low"
    assert won_words(replace(whole, pots=whole.pots * 2), 2) == "wins $43.80"
    unknown = replace(whole, downcards={}, loose_downcards={})
    assert won_words(unknown, 2) == "wins $43.80"
    for game in (RAZZ, FIVE_STUD):
        assert not any(
            "with the" in line for one in reads(game) for line in hand_report(one).result
        )
