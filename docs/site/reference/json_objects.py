"""The page of the JSON objects that the commands print, from their schemas."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from docs.site.reference.markdown import code, link, page, prose, sentence, table, with_code
from handread.report.schemas import DECISIONS, SCHEMA_NAMES, json_schema, references

Schema = Mapping[str, Any]


def json_page() -> str:
    """Return the page of the JSON objects."""
    return page("json.md", sections=(part for name in SCHEMA_NAMES for part in _schema(name)))


def _title(name: str) -> str:
    return f"JSON of {name}"


def _schema(name: str) -> Iterator[str]:
    """Yield the section of a schema: the fields of its object, then those of its parts."""
    root = json_schema(name)
    yield f"## {_title(name)}"
    told = f" Its version is {code(root['$id'])}." if "/" in root["$id"] else ""
    words = with_code(f"{sentence(root['title'])} {sentence(root['description'])}")
    yield prose(f"{words}{told}")
    if name == DECISIONS:
        shared = link(_title("analysis"))
        yield prose(
            f"Its fields, and the parts that they lead to, are those of {shared}; the others of "
            "an analysis are left out."
        )
    if "properties" in root:
        yield _fields(root, root, name)
    for definition in _parts(root) if name != DECISIONS else ():
        part = root["$defs"][definition]
        yield f"### {_part_title(name, definition)}"
        yield prose(with_code(sentence(part["description"])))
        yield _fields(part.get("items", part), root, name)


def _part_title(name: str, definition: str) -> str:
    """Return the heading of a part; decisions have those of an analysis."""
    return f"{'analysis' if name == DECISIONS else name}: {definition.replace('_', ' ')}"


def _parts(root: Schema) -> Iterator[str]:
    """Yield the names of definitions of objects with fields, or lists of such, as they occur."""
    definitions = root.get("$defs", {})
    waiting = [key for key in root if key != "$defs"]
    found = list(dict.fromkeys(n for key in waiting for n in references(root[key])))
    for definition in found:  # which grows
        found += [n for n in dict.fromkeys(references(definitions[definition])) if n not in found]
    for definition in found:
        schema = definitions[definition]
        inner = _merged(schema.get("items", schema), root)
        if inner.get("properties") and not _is_alias(schema):
            yield definition


def _merged(schema: Schema, root: Schema) -> dict[str, Any]:
    """Return a schema with what it refers to; its own keywords come first."""
    if "$ref" not in schema:
        return dict(schema)
    base = _merged(root["$defs"][schema["$ref"].rpartition("/")[2]], root)
    merged = {**base, **{key: value for key, value in schema.items() if key != "$ref"}}
    merged["properties"] = {**base.get("properties", {}), **schema.get("properties", {})}
    merged["required"] = [*base.get("required", ()), *schema.get("required", ())]
    return merged


def _fields(schema: Schema, root: Schema, name: str) -> str:
    """Return the table of the fields of an object, with those of nested objects by path."""
    return table(("field", "meaning"), _rows(_merged(schema, root), root, name, ""))


def _rows(schema: Schema, root: Schema, name: str, path: str) -> Iterator[tuple[str, str]]:
    required = schema.get("required", ())
    for key, field in schema.get("properties", {}).items():
        here = f"{path}{key}"
        kind = _type(field, root, name) + ("" if key in required else ", *optional*")
        meaning = with_code(sentence(_description(field, root)))
        if "const" in field:
            meaning = f"Version of the object: {code(json.dumps(field['const']))}."
        yield f"{code(here)}<br>{kind}", meaning + _values(field)
        if "](" not in kind:  # the object has no section of its own
            yield from _below(field, root, name, here)


def _below(field: Schema, root: Schema, name: str, path: str) -> Iterator[tuple[str, str]]:
    """Yield the rows of the objects within a field."""
    for option in field.get("oneOf", ()):
        yield from _below(option, root, name, path)
    if "items" in field:
        yield from _below(field["items"], root, name, f"{path}[]")
    if isinstance(field.get("additionalProperties"), dict):
        yield from _below(field["additionalProperties"], root, name, f"{path}.*")
    if "$ref" in field or "properties" in field:
        yield from _rows(_merged(field, root), root, name, f"{path}.")


def _description(field: Schema, root: Schema) -> str:
    found = field.get("description") or _merged(field, root).get("description", "")
    return str(found)


def _values(field: Schema) -> str:
    """Return the values of a field that has one of a list."""
    values = [value for value in field.get("enum", ()) if value is not None]
    return f" One of {', '.join(code(str(value)) for value in values)}." if values else ""


_NOUNS = {
    "string": "text",
    "integer": "whole number",
    "number": "number",
    "boolean": "true or false",
    "object": "object",
    "array": "list",
    "null": "null",
}


def _type(field: Schema, root: Schema, name: str) -> str:
    """Return the type of a field in words; that of an object with a section is a link to it."""
    if "oneOf" in field:
        found = [_type(option, root, name) for option in field["oneOf"]]
        return " or ".join(sorted(found, key=lambda one: one == "null"))
    if "$ref" in field:
        return _referred(field, root, name)
    if "enum" in field:
        word = "word" if any(isinstance(one, str) for one in field["enum"]) else "whole number"
        return f"{word} or null" if None in field["enum"] else word
    if "const" in field:
        return "text"
    kinds = field.get("type", "object")
    names = [_NOUNS[kind] for kind in ([kinds] if isinstance(kinds, str) else kinds)]
    for noun, key in (("list", "items"), ("object", "additionalProperties")):
        if noun in names and isinstance(field.get(key), dict):
            inner = _plural(_type(field[key], root, name))
            names = [f"{noun} of {inner}" if one == noun else one for one in names]
    return " or ".join(names)


def _referred(field: Schema, root: Schema, name: str) -> str:
    """Return the type of a field that refers to a definition."""
    definition = field["$ref"].rpartition("/")[2]
    base = root["$defs"][definition]
    if _is_alias(base):
        return _referred(base, root, name)
    if "properties" in field or not _merged(base.get("items", base), root).get("properties"):
        return _type(base, root, name)
    words = link(_part_title(name, definition), shown=definition.replace("_", " "))
    return f"list of {words}" if "items" in base else words


def _is_alias(schema: Schema) -> bool:
    """Return True for a definition that is another one without further fields."""
    return "$ref" in schema and "properties" not in schema


def _plural(words: str) -> str:
    """Return the plural of the name of a type."""
    if "](" in words or words == "true or false":
        return words
    if words.endswith(" or null"):
        return f"{_plural(words.removesuffix(' or null'))} or nulls"
    first, *others = words.split(" of ", 1)
    return " of ".join([f"{first}s", *others])
