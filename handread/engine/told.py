"""Results of the tools of assistants: a text, and JSON values of a schema with its figures."""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from importlib import resources
from itertools import islice
from typing import Any

from handread.lazy import lazily
from handread.policy import policy_names
from handread.report.schemas import json_schema, needed
from handread.report.words import visible
from handread.tables.figure import finite

with lazily():
    import handread.report.index as index
    import handread.report.overview as summary
    import handread.report.players as player_report
    import handread.sessions.reading as session_reading

MOST_CHARACTERS = 20_000
"""The longest text of a tool, some five thousand words."""

MOST_LISTED = 100
"""The most hands, players or rows of tables in one answer."""

DRAWN = re.compile("[\u2500-\u259f]| ={3,}$", re.M)
"""Bars and lines, which readers without pictures do not need."""

_SHORT = ("name", "you", "game", "hands", "net_big_bets")
"""Keys of a player in a list."""

_OF_ROW = ("date", "game", "cards", "held", "net", "unit", "net_words", "result", "refused")
"""Keys of a hand in a list, besides its place."""


@dataclass(frozen=True, slots=True)
class Told:
    """The result of a tool: a text, and JSON values of its schema with the same figures."""

    text: str
    found: Mapping[str, Any]


def _tools() -> dict[str, Any]:
    text = resources.files("handread.engine").joinpath("tools.json").read_text("utf-8")
    return dict(json.loads(text))


def described(tool: str) -> tuple[str, dict[str, Any]]:
    """Return the title of a tool, and the JSON Schema of its values."""
    whole = _tools()
    entry, parts = whole[tool], whole["$defs"]
    properties = entry["properties"] | whole["every"]
    for name in entry.get("uses", ()):
        whole = json_schema(name)
        parts |= whole.pop("$defs", {})
        parts[f"the_{name}"] = {key: part for key, part in whole.items() if key[0] != "$"}
    schema = {"type": "object", "required": [*properties], "additionalProperties": False}
    used = {name: parts[name] for name in needed(properties, parts)}
    return entry["title"], {**schema, "properties": properties, "$defs": used}


def with_words(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return the JSON Schema of arguments with the words that they take; some take any text."""
    policy = {"anyOf": [{"enum": [*policy_names()]}, {"type": "string"}]}
    words = {**_tools()["inputs"], "policy": policy}
    return {name: {**schema, **words.get(name, {})} for name, schema in arguments.items()}


def in_json(value: Any) -> Any:
    """Return JSON values with six decimals and no invisible characters; infinite ones are null."""
    if isinstance(value, Mapping):
        return {visible(str(key)): in_json(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [*map(in_json, value)]
    if isinstance(value, float):
        return finite(round(value, 6))
    return value if value is None or isinstance(value, bool | int) else visible(str(value))


def cut(text: str) -> str:
    """Return a text, cut at the end of a line, with a note, if it is too long."""
    if len(text) <= MOST_CHARACTERS:
        return text
    kept = text[: text.rfind("\n", 0, MOST_CHARACTERS) + 1] or text[:MOST_CHARACTERS]
    lines = text.count("\n", len(kept))
    return f"{kept}[cut here: {lines:,} more lines. Ask for one hand, or for less.]\n"


def listed(profiles: "Iterable[player_report.Profile]") -> list[dict[str, Any]]:
    """Return the first ``MOST_LISTED`` players as entries of a list."""
    objects = map(player_report.profile_object, islice(profiles, MOST_LISTED))
    return [{key: player[key] for key in _SHORT} for player in objects]


def moment(pick: "summary.Pick") -> dict[str, str]:
    """Return a moment that stands out in a session."""
    facts = {key: getattr(pick, key) for key in ("what", "words", "mark", "cards")}
    return {"address": pick.row.place, **facts}


def listed_hand(hand: "session_reading.ReadHand", number: int) -> tuple[str, dict[str, Any]]:
    """Return a hand of a list as a line of text, and as a JSON value."""
    history = hand.played.history
    address = f"{history.source.file}:{history.source.line}"
    facts = {"number": number, "address": address}
    facts |= {"hand_id": history.hand_id, "variant": history.variant}
    if not hand.is_shown:
        assert hand.problem is not None
        refused = index.refusal(None, hand.problem)
        line = visible(f"#{number} {address}; hand {history.hand_id}; {refused}")
        return line, {**facts, "refused": refused}
    row = hand.row(number, "")
    facts["gave_away"] = None if row.telling is None else asdict(row.telling)
    return summary.line_text(row), {**facts, **{key: getattr(row, key) for key in _OF_ROW}}


def row_text(row: Mapping[str, object]) -> str:
    """Return a row of tables in one line, after the address of its hand."""
    cells = {key: value for key, value in row.items() if value is not None}
    address = [f"{cells.pop('file')}:{cells.pop('line')}"] if {"file", "line"} <= {*cells} else []
    figures = (f"{value:.4g}" if isinstance(value, float) else value for value in cells.values())
    named = (f"{key} {value}" for key, value in zip(cells, figures, strict=True))
    return visible("; ".join([*address, *named])) + "\n"
