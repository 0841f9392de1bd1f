"""The Python interface: logs, figures of many hands, the forms of an analysis."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import handread
from handread.history import Deal, Event, Show
from tests.program import ROOT, run

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


@pytest.mark.thorough
def test_the_figures_of_many_hands() -> None:
    log = handread.read(STEAL, SAMPLES / "showdown.stud")
    tables = handread.tabulate(log, "loose")
    assert list(tables) == ["hands", "stages", "actions", "players", "rejects"]
    assert tables["hands"].height == handread.evaluate(log, "loose", resamples=100).hands == 2
    wanted = {"penalty": 3.0, "likelihood_exponent": 1.0, "rounds": 1, "players": False}
    found = handread.fit(log, family="ramps", **wanted).file.policy
    assert handread.analyze(log[0], found).complete


@pytest.mark.thorough
def test_a_hand_is_seen_as_on_the_command_line() -> None:
    """By default the hero sees the hand, and the public where there is none."""
    (hand, *_) = handread.read(SAMPLES / "pokerstars.txt")
    read = handread.analyze(hand)
    assert (read.viewpoint, hand.hero) == ("seat:7", 7)
    assert next(handread.analyze_hands([hand])).viewpoint == "seat:7"
    shown = run("analyze", str(SAMPLES / "pokerstars.txt"), "--hand", "#1", "--json").stdout
    assert read.to_dict(top=4) == json.loads(shown)
    assert handread.analyze(hand, viewpoint="public").viewpoint == "public"
    assert handread.analyze(handread.read(STEAL)[0]).viewpoint == "public"
    hidden = replace(hand, events=tuple(map(_face_down, hand.events)))
    unseen = handread.analyze(hidden)
    assert (unseen.viewpoint, unseen.you) == ("public", 7)


def _face_down(event: Event) -> Event:
    """Return an event without downcards."""
    if isinstance(event, Deal):
        return replace(event, down=(None,) * len(event.down))
    return replace(event, cards=()) if isinstance(event, Show) else event


def test_public_names_alone_are_listed() -> None:
    assert dir(handread) == sorted([*handread.__all__, "__version__"])
    assert all(hasattr(handread, name) for name in dir(handread))


HAND = handread.read(STEAL)[0]


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda: handread.analyze("a.txt"), r"take one of handread.read\('a.txt'\)"),
        (lambda: handread.analyze(Path("a.txt")), r"take one of handread.read\('a.txt'\)"),
        (lambda: handread.analyze(handread.read(STEAL)), "take one, or use analyze_hands"),
        (lambda: handread.analyze(3), "int is not a hand: take one of handread.read"),
        (lambda: handread.analyze(HAND, 3), "int is neither a policy nor a reader"),
        (lambda: handread.write_hand("a.txt", "phh"), "take one of handread.read"),
        (lambda: handread.replay("a.txt"), "replay takes a History, .* not 'a.txt'"),
        (lambda: handread.analyze_hands("a.txt"), r"use handread.read\('a.txt'\)"),
        (lambda: handread.analyze_hands(HAND), r"put it into a list, as in \[hand\]"),
        (lambda: handread.tabulate("a.txt"), r"use handread.read\('a.txt'\)"),
        (lambda: handread.tabulate(handread.parse_hands("?")), "a Problem is not a hand .*read"),
        (lambda: handread.evaluate("a.txt"), r"use handread.read\('a.txt'\)"),
        (lambda: handread.fit("a.txt"), r"use handread.read\('a.txt'\)"),
        (lambda: handread.value_decisions(HAND), r"use value_decisions\(handread.analyze\(hand"),
        (lambda: handread.plain_text(HAND), r"use plain_text\(handread.analyze\(hand\)\)"),
        (lambda: handread.html_page(HAND), r"use html_page\(handread.analyze\(hand\)\)"),
        (lambda: handread.html_page(3), "html_page needs an analysis, not int"),
        (lambda: handread.simulate_games(1, 3), "int is no policy"),
    ],
)
def test_a_wrong_argument_is_told_the_right_call(call: Callable[[], object], told: str) -> None:
    with pytest.raises(TypeError, match=told):
        call()


def test_a_misspelt_policy_is_told_the_nearest() -> None:
    with pytest.raises(handread.PolicyError, match=r"no policy or reader 'peolpe'.*mean 'people'"):
        handread.analyze(HAND, policy="peolpe")


@pytest.mark.thorough
def test_a_seat_by_the_name_of_its_player() -> None:
    read = handread.analyze(handread.read(SAMPLES / "pokerstars.txt")[0])
    assert read.seat("Priya.K") == 4
    assert read.at("3D").seats[read.seat("Hero")].holding is not None
    with pytest.raises(KeyError, match="no player 'Nobody': the players are Marigold, old tom, Pr"):
        read.seat("Nobody")
    with pytest.raises(KeyError, match="the players are without names"):
        handread.analyze(handread.read(SAMPLES / "bovada.txt")[0]).seat("")


def test_a_frame_needs_no_argument() -> None:
    read = handread.analyze(HAND, "loose")
    assert read.to_frame().equals(read.to_frame("actions"))


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
