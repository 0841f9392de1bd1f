"""Answers to requests about hands, as lines of JSON; worker processes make them."""

import json
from collections.abc import Mapping
from functools import cache
from typing import Any

from handread import api
from handread.decisions.terms import USUAL_ROLLOUTS, ValuedHand, decision_terms
from handread.engine.requests import LAST, Id, Request, RequestError, decisions_way
from handread.engine.running import first_actions, read_one
from handread.game.replay import replay
from handread.game.steps import Replay
from handread.history import History
from handread.inference.hand_analysis import Analysis, AnalysisError
from handread.inference.players import parse_players
from handread.inference.readers import PolicyReader, Reader, policies_of
from handread.inference.timeline import all_stages
from handread.named_readers import load_reader, reader_names
from handread.policy import policy_names
from handread.processes import failure_words
from handread.report.json import analysis_object
from handread.spelling import or_meant

TOP = 4
"""Default number of holdings listed for each player."""


def line_of(request_id: Id, answer: Mapping[str, Any]) -> str:
    """Return an answer as a line of JSON."""
    return json.dumps({"id": request_id, **answer}, allow_nan=False) + "\n"


def error_line(request_id: Id, error: Exception) -> str:
    """Return an error as the answer to a request."""
    if not isinstance(error, RequestError):
        error = RequestError(failure_words(error))
    return line_of(request_id, {"error": error.record})


def answer_line(request: Request) -> str:
    """Return the answer about a hand; it depends on the request alone. No error is raised."""
    try:
        assert request.hand is not None
        answer = _object(analyzed(request.hand, request.wants), request.wants)
    except Exception as error:  # concerns one request; the engine goes on
        return error_line(request.id, error)
    running = {} if request.hand_id is None else {"hand_id": request.hand_id}
    return line_of(request.id, {**running, "analysis": answer})


def analyzed(hand: str | History, wants: Mapping[str, Any]) -> Analysis:
    """Return the analysis of a hand; raise ``RequestError`` if it cannot be read as wanted."""
    history = read_one(hand, wants.get("dialect")) if isinstance(hand, str) else hand
    if "actions" in wants:
        history = first_actions(history, wants["actions"])
    return analysis_of(replay(history), wants)


def analysis_of(played: Replay, wants: Mapping[str, Any]) -> Analysis:
    """Return the analysis of a replayed hand; errors as in ``analyzed``."""
    reader = chosen_reader(wants)
    try:
        return api.analyze(played, reader, wants.get("viewpoint"), wants.get("ties", "split"))
    except AnalysisError as error:
        raise RequestError.of(error.problem) from None
    except ValueError as error:
        raise RequestError(str(error)) from None


def chosen_reader(wants: Mapping[str, Any]) -> Reader:
    """Return the named reader, else the reader by the policy; errors as in ``analyzed``."""
    name, policy = wants.get("reader"), wants.get("policy")
    try:
        if name is None:
            # Files may change from one request to the next.
            return _reader(policy) if policy in (None, *policy_names()) else _loaded(policy)
        if policy is not None:
            raise RequestError("reader replaces policy", "one of them")
        if name not in reader_names():
            meant = or_meant(name, reader_names())
            raise RequestError(f"there is no reader {name!r}{meant}", ", ".join(reader_names()))
        return load_reader(name)
    except ValueError as error:
        raise RequestError(str(error)) from None


def _loaded(policy: str | None) -> Reader:
    return PolicyReader(parse_players(policy, None, ()))


_reader = cache(_loaded)


def _object(analysis: Analysis, wants: Mapping[str, Any]) -> dict[str, Any]:
    """Return the object of an analysis, as ``analyze --json`` prints it."""
    valued = _valued(analysis, wants)
    stage, stages = wants.get("at"), all_stages(analysis)
    if stage is not None:
        names = [each.stage for each in stages]
        if stage != LAST and stage not in names:
            raise RequestError(f"at: the hand does not reach {stage}", ", ".join([*names, LAST]))
        at = len(names) - 1 if stage == LAST else names.index(stage)
        stages = stages[at : at + 1] if names else ()
    return analysis_object(analysis, wants.get("top", TOP), valued, stages)


def _valued(analysis: Analysis, wants: Mapping[str, Any]) -> ValuedHand | None:
    """Return the hand with the values of its decisions, if they are wanted."""
    way = decisions_way(wants)
    if way is None:
        return None
    reader = chosen_reader(wants)
    players = policies_of(reader)
    if players is None:
        message = f"the reader {reader.name} has no policies by which hands are played on"
        raise RequestError(f"decisions: {message}", "a policy")
    try:
        rollouts = wants.get("rollouts", USUAL_ROLLOUTS)
        terms = decision_terms(way, players, rollouts, then=wants.get("then"))
        return terms.valued(analysis)
    except ValueError as error:  # such as a policy without learned values
        raise RequestError(f"decisions: {error}") from None
