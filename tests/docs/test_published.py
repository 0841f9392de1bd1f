"""The script of published figures: its tables from invented logs, and their places in the pages."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from docs.site import promises, published, published_tables
from docs.site.promises import NONE, PROMISES, TRIED, Trial, promises_table
from docs.site.published_tables import MAKERS, Reads, blocks, in_page, named, spread
from handread.history import Source
from handread.study.evaluation import Folds
from handread.study.logs import logs_of
from handread.study.scores import PLACES, HandScores, hand_scores
from tests.program import SAMPLES
from tests.study.evaluated import SOME, games, reads

pytestmark = pytest.mark.docs

ROOT = Path(__file__).parents[2]


def test_every_table_of_a_page_is_made() -> None:
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    names = {page.name: set(named(page.read_text(encoding="utf-8"))) for page in pages}
    # The table of crowded pots is only printed.
    assert set().union(*names.values()) == {*MAKERS, PROMISES}
    assert names["README.md"]
    marks = sum(page.read_text(encoding="utf-8").count("<!-- figures:") for page in pages)
    assert marks == sum(len([*named(page.read_text(encoding="utf-8"))]) for page in pages)


def test_tables_replace_those_of_a_page() -> None:
    page = (
        "a\n<!-- figures: hits -->\nold\n<!-- end -->\nb\n<!-- figures: other -->\nc\n<!-- end -->"
    )
    once = in_page(page, {"hits": "new"})
    assert once == page.replace("old", "\nnew\n")
    assert in_page(once, {"hits": "new"}) == once


@pytest.mark.thorough
def test_tables_of_invented_logs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(published_tables, "RESAMPLES", 100)
    monkeypatch.setattr(published_tables, "WIDEST", 9.0)
    hands = tuple(
        replace(one, history=replace(one.history, source=Source(f"{n}", 1, "bovada"), table="t"))
        for n, one in enumerate(games())
    )
    scores = [hand_scores(read) for read in reads()]
    logs = logs_of(one.history for one in hands)
    assert logs.people == SOME
    folds = Folds(2, "log", "logit")
    found = blocks(Reads(hands, logs, {"people": scores, "people-average": scores}, folds, 1))
    assert found.keys() == {*MAKERS} - {"people-hi-lo", "people-razz", "hits-others"}
    assert f"{SOME} hands of {SOME} logs" in found["people-stud"]
    assert "| `people` less `people-average` | +.00 (.00 to .00) |" in found["people-stud"]
    assert found["people-stud-known"] == found["people-stud"], "nothing is hidden in these games"
    assert all(len(line) <= 100 for line in found["summary"].splitlines())


def test_the_numbers_of_a_fold_are_chosen_without_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(promises, "RESAMPLES", 20)
    scores = [hand_scores(read) for read in reads()]
    best, at = TRIED[7], PLACES["7B", "two_left", "got"]
    scored = [n for n, one in enumerate(scores) if at in one.at]
    first, rest = scored[0], scored[1:]
    logs = logs_of(one.history for one in games())

    def better(places: list[int]) -> tuple[HandScores, ...]:
        found = list(scores)
        for n in places:
            sums = scores[n].sums + (scores[n].at == at)[:, None] * [0.0, 1.0, 0.0]
            found[n] = replace(scores[n], sums=sums)
        return tuple(found)

    tried = dict.fromkeys(TRIED, tuple(scores)) | {best: better([first]), TRIED[3]: better(rest)}
    folds = [int(n == first) for n in range(len(scores))]
    trial = Trial(tried, folds, logs, 1)
    assert trial.chosen == [best, TRIED[3]]
    none, chosen = trial.sample(NONE), trial.sample(None)
    assert chosen.mean(("7B", "two_left", "got")).mean == none.mean(("7B", "two_left", "got")).mean
    table = promises_table(trial)
    assert "| `idle` 0; `repeats` 1 |" in table
    assert "**chosen without the fold**" in table


def test_the_spread_between_logs_is_what_chance_does_not_explain() -> None:
    rng = np.random.default_rng(1)
    logs = [log for log in range(400) for _ in range(5)]
    means = rng.normal(0.0, 0.5, 400).repeat(5) + rng.normal(0.3, 1.0, 2000)
    found = spread(means, logs)
    by_log = means.reshape(400, 5)
    chance = by_log.var(axis=1, ddof=1).mean() / 5
    assert found.mean**2 == pytest.approx(by_log.mean(axis=1).var(ddof=1) - chance)
    assert 0.4 < found.low < 0.5 < found.high < 0.6
    chance_alone = [spread(rng.normal(size=100), logs[:100]) for _ in range(200)]
    assert sum(one.low > 0.0 for one in chance_alone) / 200 == pytest.approx(0.025, abs=0.025)


def test_without_logs_the_script_says_what_is_missing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["published", str(SAMPLES / "showdown.stud")])
    assert published.main() == 2
    assert "not part of the project" in capsys.readouterr().err
