"""JSON Schemas of the objects that the commands print with ``--json``."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from importlib import resources
from typing import Any

from handread.spelling import or_meant
from handread.tables.figure import json_figures, json_schemas
from handread.tables.figures import ACTION_FIGURES, LEDGER_FIGURES, STAGE_FIGURES

ANSWER_SCHEMA = "handread.answer/1"
DECISIONS = "decisions"
DECISIONS_SCHEMA = "handread.decisions/1"

_OF_SEATS = json_schemas(STAGE_FIGURES)

_FIGURE_PROPERTIES: Mapping[str, Mapping[str, Any]] = {
    "$actions": json_schemas(ACTION_FIGURES),
    "$seats": {
        name: {
            "type": "object",
            "additionalProperties": figure.kind.schema,
            "description": f"by seat still in: {_OF_SEATS[name]['description']}",
        }
        for name, figure in json_figures(STAGE_FIGURES).items()
    },
    "$folded": _OF_SEATS,
    "$ledgers": json_schemas(LEDGER_FIGURES),
}
"""Properties made from figures, by the word for them in a file; properties below the word win."""

_UNVERSIONED = ("check", "policy", "formats")
SCHEMA_NAMES = (
    *("analysis", DECISIONS, "evaluation", "summary", "query", "players"),
    *(*_UNVERSIONED, "request", "answer"),
)
"""The names of the schemas; all but "decisions", a part of "analysis", have a file."""

_OF_HAND = ("hand_id", "source", "variant", "stakes", "policy", "ties", "hero", "seats", "finished")
"""The properties of analyses that the objects of ``decisions`` have, too."""


def json_schema(of: str = "analysis", new_fields: bool = False) -> dict[str, Any]:
    """Return the JSON Schema of the objects that a command prints with ``--json``.

    Args:
        of: "analysis" (of ``handread analyze``), "decisions", "evaluation" (of ``evaluate``),
            "summary", "query", "players", "check", "policy" or "formats"; or "request" or "answer",
            of ``handread engine``.
        new_fields: Allow fields that the schema does not know, as in later versions.

    Returns:
        The schema, of draft 2020-12.

    Raises:
        ValueError: There is no such schema.

    >>> handread.json_schema("players")["$id"]
    'handread.players/1'
    """
    if of not in SCHEMA_NAMES:
        meant = or_meant(str(of), SCHEMA_NAMES, close=0.6)  # "analyze" means "analysis"
        raise ValueError(f"no schema {of!r}: expected one of {', '.join(SCHEMA_NAMES)}{meant}")
    if of == DECISIONS:
        schema = _decisions_schema()
    else:
        text = resources.files("handread.report").joinpath(schema_file(of)).read_text("utf-8")
        schema = _with_figures(json.loads(text))
    return _opened(schema) if new_fields else schema


def schema_file(of: str) -> str:
    """Return the name of the file of a schema."""
    return f"{of}.schema.json" if of in _UNVERSIONED else f"{of}-1.schema.json"


def _opened(schema: Any) -> Any:
    """Return a schema, or a part of one, that allows unknown fields."""
    if isinstance(schema, list):
        return [_opened(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    closing = ("additionalProperties", "unevaluatedProperties")
    kept = {key: value for key, value in schema.items() if value is not False or key not in closing}
    return {key: _opened(value) for key, value in kept.items()}


def _with_figures(schema: Any) -> Any:
    """Return a part of a schema with the figures in place of a word such as ``$actions``."""
    if isinstance(schema, list):
        figures = _FIGURE_PROPERTIES  # whose names stand in lists of required properties
        return [name for part in schema for name in figures.get(str(part), [_with_figures(part)])]
    if not isinstance(schema, dict):
        return schema
    properties: dict[str, Any] = {}
    for key, value in schema.items():
        properties |= _FIGURE_PROPERTIES.get(key) or {key: _with_figures(value)}
    return properties


def _decisions_schema() -> dict[str, Any]:
    """Return the schema of ``handread decisions``, a part of the schema of analyses."""
    whole = json_schema()
    properties = {
        "schema": {"const": DECISIONS_SCHEMA, "description": "version of the object"},
        **{key: whole["properties"][key] for key in _OF_HAND},
        DECISIONS: {
            "$ref": "#/$defs/decisions",
            "description": "the decisions of players whose downcards are known",
        },
    }
    return {
        "$schema": whole["$schema"],
        "$id": DECISIONS_SCHEMA,
        "title": "The decisions of a hand with their values",
        "description": whole["description"],
        "type": "object",
        "required": list(properties),
        "additionalProperties": False,
        "properties": properties,
        "$defs": {key: whole["$defs"][key] for key in needed(properties, whole["$defs"])},
    }


def needed(properties: Any, definitions: Mapping[str, Any]) -> list[str]:
    """Return the names of the definitions that properties need, also by others, in order."""
    names: set[str] = set()
    waiting = set(references(properties))
    while waiting:
        name = waiting.pop()
        names.add(name)
        waiting |= set(references(definitions[name])) - names
    return [name for name in definitions if name in names]


def references(schema: Any) -> list[str]:
    """Return the names of the definitions that a part of a schema refers to, in order."""
    return re.findall(r'"#/\$defs/(\w+)"', json.dumps(schema))
