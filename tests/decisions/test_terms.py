"""The settings by which decisions are valued."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest

from handread.decisions.rollouts import HouseRake
from handread.decisions.terms import DecisionTerms, RakeRule, check_models, parse_rake
from handread.game.rules import Unit
from handread.inference.players import parse_players


@pytest.mark.parametrize(
    ("text", "rake"),
    [
        ("5%", HouseRake(0.05)),
        (" 2.5 % max 3 ", HouseRake(0.025, 300)),
        ("0%", HouseRake(0.0)),
        ("100% max .5", HouseRake(1.0, 50)),
    ],
)
def test_a_rake_is_a_percentage_with_a_limit(text: str, rake: HouseRake) -> None:
    assert parse_rake(text).in_unit(Unit(2)) == rake


def test_the_limit_of_a_rake_is_in_the_unit_of_the_log() -> None:
    rule = parse_rake("5% max 300")
    assert rule == RakeRule(Decimal(5), Decimal(300))
    assert rule.in_unit(Unit(0)).most == 300
    assert rule.in_unit(Unit(2)).most == 30_000
    assert parse_rake(str(rule)) == rule


@pytest.mark.parametrize(
    "text", ["", "5", "-5%", "5% max", "101%", "5% of 3", "x%", "5%5", "5% max 1234567890123"]
)
def test_another_text_is_no_rake(text: str) -> None:
    with pytest.raises(ValueError, match="is no rake"):
        parse_rake(text)


def test_hands_are_checked_by_other_policies_than_they_are_read_by() -> None:
    default = parse_players(None, None, ())
    assert default.simulated is not None
    check = check_models(default)
    assert (default.rest.name, check.rest.name) == ("people", "panel")
    assert check.simulated is not None
    assert default.simulated.rest.name != check.simulated.rest.name == "people"
    assert check_models(parse_players("loose", None, ())).name == "people"
    assert check_models(parse_players("people", None, ())).name == "panel"


def test_equal_texts_mean_equal_terms() -> None:
    terms = DecisionTerms(rollouts=50, check=parse_players("people", None, ()), seed=2)
    others = [
        replace(terms, rollouts=60),
        replace(terms, check=None),
        replace(terms, check=parse_players("panel", None, ())),
        replace(terms, seed=3),
        replace(terms, rake=parse_rake("5%")),
    ]
    assert len({terms.text, *(other.text for other in others)}) == 6
    assert replace(terms).text == terms.text
