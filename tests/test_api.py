"""The Python interface: logs, figures of many hands, the forms of an analysis."""

from __future__ import annotations

import ast
import inspect
import json
import pickle
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

import pytest

import handread
from handread.history import Deal, Event, Show
from tests.program import ROOT, run

SAMPLES = ROOT / "sample_histories"
STEAL, SHOWDOWN = SAMPLES / "steal.stud", SAMPLES / "showdown.stud"


def test_a_log_is_a_sequence_of_hands_with_its_problems(tmp_path: Path) -> None:
    (tmp_path / "a.stud").write_text(STEAL.read_text("utf-8"), "utf-8")
    (tmp_path / "b.txt").write_text("no hand\n", "utf-8")
    log = handread.read(tmp_path)
    assert [hand.hand_id for hand in log] == [log[0].hand_id]
    assert log[:] == tuple(log)
    assert len(log.problems) == 1
    assert repr(log) == f"<Log of {str(tmp_path)!r}: 1 hand, 1 problem>"
    assert len(handread.read(STEAL, SHOWDOWN)) == 2
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
    log = handread.read(STEAL, SHOWDOWN)
    tables = handread.tabulate(log, "loose")
    assert list(tables) == ["hands", "stages", "actions", "players", "rejects"]
    assert tables["hands"].height == handread.evaluate(log, "loose", resamples=100).hands == 2
    wanted = {"penalty": 3.0, "likelihood_exponent": 1.0, "rounds": 1, "players": False}
    found = handread.fit(log, handread.FitOptions(family="ramps", **wanted)).file.policy
    assert handread.analyze(log[0], found).complete


@pytest.mark.thorough
def test_a_hand_is_seen_as_on_the_command_line() -> None:
    """By default the hero sees the hand, and the public where there is none."""
    (hand, *_) = handread.read(SAMPLES / "pokerstars.txt")
    read = handread.analyze(hand)
    assert (read.viewpoint, hand.hero) == ("seat:7", 7)
    assert next(handread.analyze_hands([hand])).viewpoint == "seat:7"
    shown = run("analyze", str(SAMPLES / "pokerstars.txt"), "--hand", "#1", "--json").stdout
    assert read.to_dict() == json.loads(shown)
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
    values = handread.value_decisions(analysis, "rollouts", 20, seats=[seat])
    assert {value.decision.seat for value in values.decisions} == {seat}
    assert {*values.ledgers, *values.no_ledger} == {seat}
    assert all(value.rollouts == 20 and value.actions for value in values.decisions)
    # In razz "people" plays by another policy; the check must still be a different one.
    checks = {value.checked.policy for value in values.decisions if value.checked}
    assert checks <= {"panel"}
    usual = handread.value_decisions(analysis, rollouts=20, seats=[seat])
    assert all(value.is_checked for value in usual.decisions if value.is_costly)
    with pytest.raises(ValueError, match="at least 10 rollouts"):
        handread.value_decisions(analysis, rollouts=1)
    with pytest.raises(ValueError, match=r"no seats \[9\]: expected some of \[1, 2, "):
        handread.value_decisions(analysis, seats=[9, seat])
    with pytest.raises(ValueError, match="checked or rollouts or learned"):
        handread.value_decisions(analysis, by="guess")


# The types of the interface

PASSED_ON = ("DecisionTerms", "DrawnReads", "Earlier", "Operator", "Panel", "Showdown", "Single")
"""Values that are passed on and not opened; the types of their parts are not exported."""


def annotations(found: object) -> Iterator[tuple[str, str, str]]:
    """Yield the place, the module and the text of each public annotation of a function or class."""
    if inspect.isfunction(found):
        for name, text in found.__annotations__.items():
            yield f"{found.__qualname__}({name})", found.__module__, str(text)
        return
    for kind in inspect.getmro(found) if inspect.isclass(found) else ():
        if not kind.__module__.startswith("handread."):
            continue
        for name, text in vars(kind).get("__annotations__", {}).items():
            if not name.startswith("_"):
                yield f"{found.__name__}.{name}", kind.__module__, str(text)
        for name, one in vars(kind).items():
            made = getattr(one, "fget", None) or getattr(one, "func", None) or one
            if inspect.isfunction(made) and not name.startswith("_"):
                yield from annotations(made)


@cache
def imported(module: str) -> dict[str, str]:
    """Return where the names of a module come from that it imports for annotations alone."""
    tree = ast.parse(inspect.getsource(sys.modules[module]))
    return {
        alias.asname or alias.name: f"{node.module}:{alias.name}"
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("handread")
        for alias in node.names
    }


def types_in(module: str, text: str) -> Iterator[type]:
    """Yield the types of handread that an annotation of a module names."""
    for name in re.findall(r"[A-Za-z_]\w*", text):
        found = getattr(sys.modules[module], name, None)
        if found is None and name in imported(module):
            found = resolve_name(imported(module)[name])
        if inspect.isclass(found) and found.__module__.startswith("handread"):
            yield found


@pytest.mark.parametrize("name", handread.__all__)
def test_all_types_of_signatures_can_be_imported(name: str) -> None:
    found = getattr(handread, name)
    public = {getattr(handread, one) for one in handread.__all__ if one != "ReadBy"}
    if name not in PASSED_ON:
        lacking = {
            f"{place}: {kind.__module__}.{kind.__name__}"
            for place, module, text in annotations(found)
            for kind in types_in(module, text)
            if not any(kind in inspect.getmro(one) for one in public if inspect.isclass(one))
        }
        assert not lacking


def test_the_walk_finds_types_that_are_imported_late_and_by_properties() -> None:
    def types_of(found: object) -> set[str]:
        return {k.__name__ for _, module, t in annotations(found) for k in types_in(module, t)}

    assert {"Evaluation", "History"} <= types_of(handread.evaluate)
    assert {"Estimate", "Folds"} <= types_of(handread.Evaluation)
    assert {"StageReading", "SeatRead"} <= types_of(handread.Analysis) | types_of(
        handread.StageReading
    )


def test_signatures_of_functions_are_typed() -> None:
    """``Any`` stands for values of JSON alone."""
    for one in (getattr(handread, name) for name in handread.__all__):
        for place, _, text in annotations(one) if inspect.isfunction(one) else ():
            rest = text.replace("dict[str, Any]", "")
            assert not re.search(r"\b(Any|object)\b|\b(dict|list|tuple)\b(?!\[)", rest), place


# Equality, and how results are shown

PEOPLE = {"policy": "people", "viewpoint": "public"}
SMALL = {"family": "ramps", "penalty": 3.0, "likelihood_exponent": 1.0, "rounds": 1}


def results() -> dict[str, object]:
    """A result of each kind, made anew."""
    log = handread.read(SHOWDOWN)
    read = handread.analyze(log[0], **PEOPLE)
    values = handread.value_decisions(read, by="learned")
    (game,) = handread.simulate_games(1, "loose", seats=2)
    street, stage = read.observed[0], read.stages[0]
    parts = [read, stage, *list(stage.seats.values())[:1], read.actions[0], street, street.dealt]
    parts += [street.updates[0], game, game.replay, log[0], values, values.decisions[0]]
    parts += [*list(values.ledgers.values())[:1], handread.load_policy("loose")]
    return {type(one).__name__: one for one in parts}


HOLD_ARRAYS = ("Analysis", "StageReading", "SeatRead", "ObservedStreet", "Belief", "Update", "Game")
HOLD_MAPPINGS = ("Replay", "HandValues", "Ledger", "Evaluation", "Fit", "PolicyFile")


def check_equality(name: str, one: object, again: object) -> None:
    """What holds arrays equals itself alone; all else is equal if its parts are."""
    assert (one == one) is True
    assert (one == again) is (name not in HOLD_ARRAYS)
    assert (one != again) is (name in HOLD_ARRAYS)
    if name in HOLD_MAPPINGS:
        with pytest.raises(TypeError, match="unhashable"):
            hash(one)
    else:
        assert len({one, again}) == 1 + (name in HOLD_ARRAYS)


def test_results_are_compared_without_errors() -> None:
    again = results()
    for name, one in results().items():
        check_equality(name, one, again[name])


@pytest.mark.dear("fits and evaluates twice")
def test_results_of_many_hands_are_equal_if_their_figures_are() -> None:
    log = handread.read(STEAL, SHOWDOWN)
    fits = [handread.fit(log, handread.FitOptions(players=False, **SMALL)) for _ in range(2)]
    scores = [handread.evaluate(log, "loose", resamples=20) for _ in range(2)]
    for first, second in (fits, scores, [one.file for one in fits]):
        check_equality(type(first).__name__, first, second)
    assert scores[0] != handread.evaluate(log, "tight", resamples=20)
    assert repr(fits[0]).startswith("<Fit of 'fitted', ramps, and 0 players: ")
    assert repr(scores[0]).startswith("Evaluation(policy='loose', ties='split', hands=2, ")
    shown = scores[0]._repr_html_()
    assert shown.startswith("<p>Evaluation(policy=&#x27;loose&#x27;, ")
    assert 60 < shown.count("<tr>") < 65
    assert "bet.x0" in fits[0]._repr_html_()


@pytest.mark.parametrize("file", [SHOWDOWN, ROOT / "sample_histories" / "razz.stud"])
def test_the_values_of_decisions_are_a_frame(file: Path) -> None:
    hand = replace(handread.read(file)[0], hand_id="night 7")
    read = handread.analyze(hand, **PEOPLE)
    values = handread.value_decisions(read, "learned")
    frame = values.to_frame()
    assert frame.height == len(values.decisions) > 0
    assert {*frame["hand_id"]} == {"night 7"}
    for row, value in zip(frame.rows(named=True), values.decisions, strict=True):
        made = value.decision
        assert (row["n"], row["seat"], row["action"]) == (made.n, made.seat, made.action)
        assert row["name"] == (hand.seat(made.seat).name or None)
        assert (row["best"], row["cost_minor"]) == (value.best.action, value.cost)
        assert row["cost_bb"] == value.cost / value.big_bet
        assert {one.action: one.q for one in value.actions} == {
            name: row[f"q_{name}_minor"]
            for name in ("fold", "check", "call", "bet", "raise")
            if row[f"q_{name}_minor"] is not None
        }
    actions = read.to_frame("actions")
    assert frame.join(actions, on=["hand_id", "n", "seat", "street"]).height == frame.height
    ledgers = values.to_frame("ledgers")
    assert dict(ledgers.select("seat", "net_minor").iter_rows()) == {
        seat: ledger.net for seat, ledger in values.ledgers.items()
    }
    wrong: Any = "actions"
    with pytest.raises(ValueError, match="no rows 'actions': expected decisions or ledgers"):
        values.to_frame(wrong)
    assert pickle.loads(pickle.dumps(values)).to_frame().equals(frame)


def test_a_notebook_shows_the_values_of_decisions() -> None:
    values = handread.value_decisions(
        handread.analyze(handread.read(SHOWDOWN)[0], **PEOPLE), "learned"
    )
    costly = sum(one.is_costly for one in values.decisions)
    assert repr(values) == f"<HandValues of {len(values.decisions)} decisions: {costly} costly>"
    shown = values._repr_html_()
    assert shown.count("<tr>") == len(values.decisions) + 1
    assert "<th>cost</th>" in shown
