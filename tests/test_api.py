"""The Python interface: logs, figures of many hands, the forms of an analysis."""

from __future__ import annotations

from pathlib import Path

import pytest

import handread
from tests.program import ROOT

SAMPLES = ROOT / "sample_histories"
STEAL = SAMPLES / "steal.stud"


def test_a_log_is_a_sequence_of_hands_with_its_problems(tmp_path: Path) -> None:
    (tmp_path / "a.stud").write_text(STEAL.read_text("utf-8"), "utf-8")
    (tmp_path / "b.txt").write_text("no hand\n", "utf-8")
    log = handread.read(tmp_path)
    assert [hand.hand_id for hand in log] == [log[0].hand_id]
    assert log[:] == tuple(log)
    assert len(log.problems) == 1
    assert repr(log) == f"<Log of {str(tmp_path)!r}: 1 hand, 1 problem>"
    assert len(handread.read(STEAL, SAMPLES / "showdown.stud")) == 2
    with pytest.raises(FileNotFoundError):
        handread.read(tmp_path / "none.stud")
    with pytest.raises(ValueError, match="no file"):
        handread.read()


def test_an_analysis_has_the_forms_of_the_command_line() -> None:
    read = handread.analyze(handread.read(STEAL)[0], policy="loose")
    assert read.to_text() == handread.plain_text(read)
    assert read.to_html() == handread.html_page(read)
    assert read.to_dict() == handread.analysis_object(read)


def test_the_figures_of_many_hands() -> None:
    log = handread.read(STEAL, SAMPLES / "showdown.stud")
    tables = handread.tabulate(log, "loose")
    assert list(tables) == ["hands", "stages", "actions", "rejects"]
    assert tables["hands"].height == handread.evaluate(log, "loose", resamples=100).hands == 2
    wanted = {"penalty": 3.0, "likelihood_exponent": 1.0, "rounds": 1, "players": False}
    found = handread.fit(log, family="ramps", **wanted).file.policy
    assert handread.analyze(log[0], found).complete


def test_a_game_is_shown_in_a_line() -> None:
    (game,) = handread.simulate_games(1)
    assert len(repr(game)) < 120


def test_what_an_observer_makes_of_a_hand_is_shown_in_a_line() -> None:
    street = handread.analyze(handread.read(STEAL)[0], policy="loose").observed[0]
    for value in (street, street.dealt, street.updates[0]):
        assert len(repr(value)) < 200


def test_the_value_of_decisions() -> None:
    log = handread.read("sample_histories/razz.stud")
    analysis = handread.analyze(log[0], "people")
    seat = analysis.actions[0].decision.seat
    values = handread.value_decisions(analysis, rollouts=20, seats=[seat])
    assert {value.decision.seat for value in values.decisions} == {seat}
    assert {*values.ledgers, *values.no_ledger} == {seat}
    assert all(value.rollouts == 20 and value.actions for value in values.decisions)
    # In razz "people" plays by another policy; the check must still be a different one.
    checks = {value.checked.policy for value in values.decisions if value.checked}
    assert checks <= {"panel"}
    with pytest.raises(ValueError, match="at least 10 rollouts"):
        handread.value_decisions(analysis, rollouts=1)
    with pytest.raises(ValueError, match="rollouts or learned"):
        handread.value_decisions(analysis, by="guess")
