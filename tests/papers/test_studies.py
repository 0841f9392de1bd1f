"""Laws of all studies: every face has the figures, and where there is no number it makes up none.

``tests/test_long_commands.py`` has the laws of their runs: workers, clusters and resuming.
"""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from docs.site.decision_calibration import (
    SampleOptions,
    decision_calibration,
    decision_calibration_text,
)
from docs.site.independence import independence, independence_text
from docs.site.misspecified import misreading, misreading_text, standing_readers
from handread.named_readers import load_reader
from handread.papers.bench import decisions_text as decision_texts
from handread.papers.bench.read_value import ChoiceOptions, read_value
from handread.papers.bench.set_readers import BenchReader, HandSet, bench
from handread.papers.bench.text import bench_text
from handread.papers.bpp import text as bpp_texts
from handread.papers.bpp.expected import expected
from handread.papers.bpp.matches import MatchPlan, Pairing, bpp_matches
from handread.papers.bpp.reader_study import bpp_readers
from handread.papers.bpp.search import SearchPlan, search
from handread.papers.loki import text as loki_texts
from handread.papers.loki.study import action_frequencies, starting_hands
from handread.papers.saund import replication as saund
from handread.papers.saund import text as saund_texts
from handread.papers.tournament.study import tournament
from handread.papers.tournament.text import tournament_text
from handread.papers.trees.study import learning_curves
from handread.papers.trees.text import learning_text
from handread.policy import load_policy
from handread.registry import papers, picture
from handread.report.figures import picture_bytes
from handread.report.information_text import calibration_text
from handread.runs import Run
from handread.simulate import play_games
from handread.study.calibration import calibration
from handread.study.decision_samples import simulated
from handread.study.statistics import FigureTable
from tests.frames import frame_csv
from tests.papers.tables import FIVE, table

LOOSE, TWO = table("loose", 3), table("people", 2)
HANDS = simulated("people players", 1, TWO)
MODELS = [LOOSE.players.rest, TWO.players.rest]
PLAN = MatchPlan((Pairing("bpp", "rules"), Pairing("bpp-even", "rules")), games=4)
CURVES = SearchPlan("separate", decks=2, candidates=1, steps=1, learning=2)
TRUE = standing_readers(load_policy("loose"), ["tight"], ["move=.1"])


def two_readers(run: Run) -> FigureTable:
    """The bench of a single hand."""
    (game,) = play_games(LOOSE, 1, range(1))
    readers = [BenchReader(name, load_reader(name)) for name in ("people", "loki")]
    return bench([HandSet("a hand", [game.replay])], readers, "people", resamples=10, run=run)


class Case(NamedTuple):
    """A study of the fewest games: how to do it, its text, and the name of its picture."""

    measure: Callable[[Run], FigureTable]
    text: Callable[[Any], str]
    picture: str = ""


STUDIES = {
    "information-gain": Case(
        lambda run: saund.information_gain(LOOSE, 1, run),
        saund_texts.information_gain_text,
        "gain_figure",
    ),
    "win-rates": Case(
        lambda run: saund.win_rates(LOOSE, 1, run=run), saund_texts.rates_text, "win_rates_figure"
    ),
    "entropies": Case(
        lambda run: saund.entropies(LOOSE, 1, run=run),
        saund_texts.entropies_text,
        "entropies_figure",
    ),
    "calibration": Case(
        lambda run: calibration(LOOSE, 1, run), calibration_text, "reliability_figure"
    ),
    "independence": Case(lambda run: independence(LOOSE, 1, 200, run), independence_text),
    "misspecified": Case(lambda run: misreading(LOOSE, TRUE, 1, run=run), misreading_text),
    "readers": Case(two_readers, bench_text, "readers_figure"),
    "read-value": Case(
        lambda run: read_value([HANDS], ChoiceOptions(1, 2, scoring=2), run),
        decision_texts.read_value_text,
        "read_value_figure",
    ),
    "decision-calibration": Case(
        lambda run: decision_calibration([HANDS], SampleOptions(0, 2), run),
        decision_calibration_text,
    ),
    "tournament": Case(
        lambda run: tournament(MODELS, TWO, 1, 1, run=run), tournament_text, "tournament_figure"
    ),
    "loki-tables income": Case(
        lambda run: starting_hands(2, 2, run), loki_texts.starting_hands_text
    ),
    "loki-tables actions": Case(
        lambda run: action_frequencies(LOOSE, 1, run), loki_texts.action_frequencies_text
    ),
    "bpp": Case(lambda run: bpp_matches(PLAN, 1, run), bpp_texts.matches_text, "matches_figure"),
    "bpp-expected": Case(lambda run: expected(PLAN, 1, run), bpp_texts.expected_text),
    "bpp-curves": Case(lambda run: search(CURVES, 1, run), bpp_texts.search_text, "curves_figure"),
    "bpp-reader": Case(lambda run: bpp_readers(FIVE, 1, 2, run), bpp_texts.bpp_readers_text),
    "learning-curves": Case(
        lambda run: learning_curves((1,), 10, run), learning_text, "learning_figure"
    ),
}


def test_every_picture_is_that_of_a_study() -> None:
    drawn = {name for paper in papers().values() for name in paper.pictures}
    assert {case.picture for case in STUDIES.values()} - {""} == drawn


@pytest.mark.parametrize("name", STUDIES)
def test_a_single_game_is_told_without_numbers_that_there_are_not(name: str) -> None:
    measure, text, figure = STUDIES[name]
    found = measure(Run(4))
    told, table_csv = text(found), frame_csv(found.to_frame())
    assert "nan" not in told.lower()
    assert "-0.00 " not in told
    assert "nan" not in table_csv.lower()
    rows = list(csv.DictReader(io.StringIO(table_csv)))
    for row, (key, estimate) in zip(rows, found.figures.items(), strict=True):
        assert tuple(row[column] for column in key._fields) == key
        finite = [one for one in (estimate.mean, estimate.error) if math.isfinite(one)]
        assert [float(row[one]) for one in ("mean", "error") if row[one]] == finite
    record = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert record["figures"] == found.to_frame().to_dicts()
    if figure:
        assert picture_bytes(picture(figure)(found), ".svg")
