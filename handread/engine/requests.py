"""Requests to the engine: one line of JSON becomes a checked value, or an error."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from handread.decisions.terms import CHECKED, LEARNED, LEAST_ROLLOUTS, ROLLOUTS
from handread.game.rules import ALL_STAGES, STREET_NAMES
from handread.history import History, Problem
from handread.inference.observer import TIE_RULES
from handread.spelling import or_meant

MOST_BYTES = 1_000_000
"""The longest line of a request. A hand has some thousand characters."""

MOST_ACTIONS = 1_000
"""The most actions that a request adds, and the last action after which a hand can be cut."""

MOST_HOLDINGS = 1326
MOST_ROLLOUTS = 1_000_000

LONGEST_NAME = 1_000
"""The most characters of an id or another name, which answers repeat."""

AFTER_ACTION = tuple(f"{street}A" for street in STREET_NAMES)
"""The names of the stages of hands that stop within a betting round."""

LAST = "last"
"""The name of the last stage that a hand has reached."""

COMMANDS = ("version", "policies", "formats", "clear", "stop")
"""The values of ``action``."""

Id = str | int | None


class RequestError(Exception):
    """An error as the answer to a request. Line and column are 0 without a place."""

    def __init__(self, message: str, expected: str = "", line: int = 0, column: int = 0) -> None:
        super().__init__(message)
        self.record: dict[str, int | str] = {
            "message": message,
            "line": line,
            "column": column,
            "expected": expected,
        }

    @property
    def words(self) -> str:
        """The message with its place."""
        line = self.record["line"]
        return f"line {line}: {self}" if line else str(self)

    @classmethod
    def of(cls, problem: Problem) -> Self:
        """Return the error of a problem with a hand; the place is in the hand's text."""
        return cls(problem.message, problem.expected, problem.line, problem.column)


@dataclass(frozen=True, slots=True)
class Request:
    """A request; ``wants`` are the keys for reading a hand, with their values.

    Its hand is a text or, once it is known to be running, the hand so far.
    """

    id: Id = None
    action: str | None = None
    hand: str | History | None = None
    hand_id: str | None = None
    add: str | list[str] | None = None
    wants: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _RequestKey:
    """A key of requests: its values in words, and a test of a value."""

    expected: str
    holds: Callable[[Any], bool]


def _text(most: int = LONGEST_NAME) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, str) and 0 < len(value) <= most


def _whole(least: int, most: int) -> _RequestKey:
    return _RequestKey(
        f"a whole number from {least} to {most:,}",
        lambda value: type(value) is int and least <= value <= most,
    )


def _one_of(*values: Any) -> _RequestKey:
    # A number that equals True is no truth value.
    return _RequestKey(
        ", ".join(json.dumps(value) for value in values),
        lambda value: any(type(value) is type(each) and value == each for each in values),
    )


def _is_added(value: Any) -> bool:
    if isinstance(value, str):
        return True
    return isinstance(value, list) and len(value) <= MOST_ACTIONS and all(map(_text(), value))


_NAME = f"a text of 1 to {LONGEST_NAME:,} characters"
_OF_HAND: Mapping[str, _RequestKey] = {
    "hand": _RequestKey("the text of a hand", _text(MOST_BYTES)),
    "hand_id": _RequestKey(_NAME, _text()),
    "add": _RequestKey("a text, or a list of actions as in PHH", _is_added),
}
WANTS: Mapping[str, _RequestKey] = {
    "dialect": _RequestKey("the name of a format", _text()),
    "actions": _whole(0, MOST_ACTIONS),
    "viewpoint": _RequestKey(_NAME, _text()),
    "policy": _RequestKey("the name or the file of a policy", _text()),
    "reader": _RequestKey("the name of a reader", _text()),
    "ties": _one_of(*TIE_RULES),
    "at": _one_of(*ALL_STAGES, *AFTER_ACTION, LAST),
    "decisions": _one_of(True, False, LEARNED, ROLLOUTS),
    "rollouts": _whole(LEAST_ROLLOUTS, MOST_ROLLOUTS),
    "then": _RequestKey("the name or the file of a policy", _text()),
    "top": _whole(0, MOST_HOLDINGS),
}
"""Keys for reading a hand and for the answer; options of ``analyze`` where it has them."""

_KEYS: Mapping[str, _RequestKey] = {"action": _one_of(*COMMANDS), **_OF_HAND, **WANTS}


def _is_id(value: Any) -> bool:
    if isinstance(value, str):
        return len(value) <= LONGEST_NAME
    return value is None or (type(value) is int and abs(value) < 2**63)


def parse_request(line: bytes) -> tuple[Id, Request | RequestError]:
    """Return a request's id, None if it cannot be read, and the request or its error."""
    request_id: Id = None
    try:
        fields = _object(line)
        given = fields.pop("id", None)
        if not _is_id(given):
            expected = f"a text of at most {LONGEST_NAME:,} characters or a whole number"
            raise RequestError("id: this is no id", expected)
        request_id = given
        return request_id, _checked(request_id, fields)
    except RequestError as error:
        return request_id, error


def _object(line: bytes) -> dict[str, Any]:
    if len(line) > MOST_BYTES:
        raise RequestError("the line is too long", f"at most {MOST_BYTES:,} bytes")
    try:
        text = line.removeprefix(b"\xef\xbb\xbf").decode()
        fields = json.loads(text, parse_constant=_no_number, object_pairs_hook=_unrepeated)
    except UnicodeDecodeError as error:
        raise RequestError("the line is not UTF-8", "UTF-8", 1, error.start + 1) from None
    except json.JSONDecodeError as error:
        raise RequestError(f"this is not JSON: {error.msg}", "JSON", 1, error.colno) from None
    except RecursionError:
        raise RequestError("values are nested too deeply", "a request") from None
    except ValueError as error:  # a number of too many digits
        raise RequestError(f"this is not JSON: {error}", "JSON") from None
    if not isinstance(fields, dict):
        raise RequestError("this is no request", 'a JSON object, such as {"id": 1, "hand": "..."}')
    return fields


def _no_number(name: str) -> Any:
    raise ValueError(f"{name} is no number of JSON")


def _unrepeated(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise ValueError("an object has a key twice")
    return fields


def _checked(request_id: Id, fields: dict[str, Any]) -> Request:
    """Return the request in an object; raise ``RequestError`` for an invalid one."""
    fields = {key: value for key, value in fields.items() if (key, value) != ("hand", "")}
    for key, value in fields.items():
        if key not in _KEYS:
            meant = or_meant(key[:LONGEST_NAME], _KEYS)
            named = json.dumps(key[:LONGEST_NAME])
            raise RequestError(f"unknown key {named}{meant}", ", ".join(["id", *_KEYS]))
        if not _KEYS[key].holds(value):
            raise RequestError(f"{key}: this value is not possible", _KEYS[key].expected)
    for message in _contradictions(fields):
        raise RequestError(message)
    wants = {key: value for key, value in fields.items() if key in WANTS}
    others = {key: value for key, value in fields.items() if key not in WANTS}
    return Request(request_id, wants=wants, **others)


def _contradictions(fields: Mapping[str, Any]) -> Iterator[str]:
    """Yield why keys of a request contradict each other."""
    if "action" in fields:
        others = fields.keys() - {"action"}
        if others - ({"hand_id"} if fields["action"] == "clear" else set()):
            yield f"the action {fields['action']} takes no {', '.join(sorted(others))}"
        return
    if "hand" not in fields and "hand_id" not in fields:
        yield "there is no hand, no hand_id and no action"
    if "add" in fields and ("hand" in fields or "hand_id" not in fields):
        yield "add needs the hand_id of a running hand, and no hand"
    if "dialect" in fields and "hand" not in fields:
        yield "dialect is for the text of a hand"


def decisions_way(wants: Mapping[str, Any]) -> str | None:
    """Return how decisions are valued, as in ``DecisionTerms``; None if they are not.

    Raise ``RequestError`` for settings of rollouts if decisions are valued otherwise.
    """
    asked = wants.get("decisions", False)
    settings = [key for key in ("rollouts", "then") if key in wants]
    if settings and asked in (False, LEARNED):
        raise RequestError(f"{settings[0]} is for decisions", 'decisions: true or "rollouts"')
    if settings:
        return ROLLOUTS
    if asked is True:
        return CHECKED
    return asked or None
