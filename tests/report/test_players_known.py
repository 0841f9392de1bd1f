"""What is known of players before a hand, and the styles that they may follow."""

from __future__ import annotations

from dataclasses import replace

import pytest

import handread
from handread.game.replay import replay
from handread.game.rules import STUD
from handread.opponents.records import PlayerRecord
from handread.policy import load_policy, panel_of
from handread.report.index import index_row
from handread.report.session_players import (
    mark_key,
    players_of,
    rows_before,
    styles_of,
)
from tests.program import SAMPLES
from tests.session_rows import play, row

STYLES = (("calm", 0.75), ("wild", 0.25))


def test_hands_of_earlier_days_come_first() -> None:
    days = ("2026-05-09", "2026-05-08", "", "2026-05-10", "2026-05-09")
    rows = [row(n, day=day, plays=(play("Lou"), play("Ann"))) for n, day in enumerate(days, 1)]
    rows.append(row(6, day="2026-05-01", variant="razz", plays=(play("Lou"),)))
    at = replace(rows[4], plays=(play("Lou"), play("")))
    assert [one.number for one in rows_before(rows, at)] == [1, 2, 3]
    assert [one.number for one in rows_before(rows, rows[1])] == []
    assert [one.number for one in rows_before(rows, rows[2])] == [1, 2]
    [lou] = players_of(rows_before(rows, at)).values()
    assert (lou.name, lou.hands) == ("Lou", 3)


def test_styles_are_those_of_bayes() -> None:
    """The slow twin multiplies odds; what the panel forgets is small in three hands."""
    hands = [(1.2, 0.4), (0.9, 1.3), (1.25, 0.25)]
    rows = [
        row(n, styles=STYLES, plays=(play("Lou", factors=factors), play("Ann")))
        for n, factors in enumerate(hands, 1)
    ]
    odds = 3.0
    for calm, wild in hands:
        odds *= calm / wild
    found = styles_of(PlayerRecord("Lou", STUD), rows)
    assert list(found) == ["calm", "wild"]
    assert found["calm"].probability == pytest.approx(odds / (1 + odds), abs=0.02)
    assert found["calm"].stranger == 0.75
    assert sum(style.probability for style in found.values()) == pytest.approx(1.0)
    assert styles_of(PlayerRecord("Ann", STUD), rows) == {}


def test_hands_of_other_styles_do_not_count() -> None:
    others = (("bold", 0.5), ("shy", 0.5))
    rows = [
        row(1, styles=STYLES, plays=(play("Lou", factors=(0.1, 2.0)),)),
        row(2, styles=others, plays=(play("Lou", factors=(1.5, 0.5)),)),
    ]
    assert list(styles_of(PlayerRecord("Lou", STUD), rows)) == ["bold", "shy"]
    assert styles_of(PlayerRecord("Lou", STUD), rows) == styles_of(
        PlayerRecord("Lou", STUD), rows[1:]
    )


def test_a_row_has_the_factors_of_the_read() -> None:
    analysis = handread.analyze(next(iter(handread.read(SAMPLES / "showdown.stud"))), "people")
    panel = panel_of(load_policy("people"))
    assert panel is not None
    found = index_row(analysis)
    assert dict(found.styles) == pytest.approx(
        dict(zip([one.name for one in panel.members], panel.prior, strict=True))
    )
    acted = {one.decision.seat for one in analysis.actions}
    for one in found.plays:
        assert (len(one.factors) == len(panel.members)) == (one.seat in acted)
        if one.factors:
            weighed = zip(one.factors, panel.prior, strict=True)
            assert sum(factor * share for factor, share in weighed) == pytest.approx(1.0)
    alone = index_row(handread.analyze(analysis.replay.history, "default"))
    assert alone.styles == ()
    assert not any(one.factors for one in alone.plays)
    assert replay(analysis.replay.history).streets


def test_a_key_of_a_player_is_never_too_long() -> None:
    assert mark_key("Lou") == "player Lou"
    assert len(mark_key("x" * 1000)) == 200
