"""The holdings behind the actions of a policy."""

from __future__ import annotations

import json
from itertools import groupby

import jsonschema
import pytest
from typer.testing import CliRunner

from handread.cli import app
from handread.policy import legal_actions, load_policy
from handread.report.policies import profile_text
from handread.report.schemas import json_schema
from handread.study.policy_profile import BOARDS, SITUATIONS, policy_profile


def test_situations_are_possible() -> None:
    for situation in SITUATIONS:
        for seats in (2, 4, 8):
            at = situation.decision_point(seats)
            assert at.n_active == min(seats, situation.players)
            assert len(legal_actions(at)) == (3 if at.to_call else 2)
            assert 0.0 < at.effective_odds < 1.0


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["people", "loose", "panel"])
def test_actions_split_the_holdings(name: str) -> None:
    """What is known before an action is the mean of what the actions say."""
    profile = policy_profile(load_policy(name), seats=4)
    assert BOARDS > 1
    for _, group in groupby(profile.actions, lambda one: one.situation):
        actions = list(group)
        assert sum(one.share for one in actions) == pytest.approx(1.0)
        for family, share in actions[0].before.items():
            mean = sum(one.share * one.families.get(family, 0.0) for one in actions)
            assert mean == pytest.approx(share)
    frame = profile.to_frame()
    assert frame.filter(frame["figure"] == "share").height == len(profile.actions)


@pytest.mark.thorough
def test_who_ignores_the_cards_says_nothing() -> None:
    for one in policy_profile(load_policy("uniform"), seats=3).actions:
        assert one.families == pytest.approx(one.before)


@pytest.mark.thorough
def test_people_raise_with_more_than_they_call_with() -> None:
    profile = policy_profile(load_policy("people"))
    by_action = {(one.situation.words, one.action): one for one in profile.actions}
    words = "on 3rd street, a completion to call"
    fold, call, raise_ = (by_action[words, action].families for action in ("fold", "call", "raise"))
    for strong in ("split pair", "pair in the hole", "three to a flush"):
        assert fold[strong] < call[strong] < raise_[strong]
    assert max(map(len, profile_text(profile).splitlines())) <= 80


@pytest.mark.thorough
def test_show_names_the_holdings() -> None:
    found = CliRunner().invoke(app, ["policy", "show", "loose", "--holdings", "--json"])
    assert found.exit_code == 0
    jsonschema.validate(json.loads(found.stdout), json_schema("policy"))
    rows = json.loads(found.stdout)["holdings"]
    assert {row["about"] for row in rows} == {situation.words for situation in SITUATIONS}
