"""handread schema: what it prints is what programs can check objects against."""

from __future__ import annotations

import json

import pytest
from jsonschema import Draft202012Validator, ValidationError

from handread.report.schemas import SCHEMA_NAMES, json_schema
from tests.program import run


def test_the_names_are_listed() -> None:
    assert run("schema").stdout.split() == list(SCHEMA_NAMES)


@pytest.mark.parametrize("name", ["analysis", "decisions"])
def test_a_schema_is_printed(name: str) -> None:
    assert json.loads(run("schema", name).stdout) == json_schema(name)


def test_an_unknown_name_is_told() -> None:
    done = run("schema", "analyses")
    assert done.returncode == 2
    assert "did you mean 'analysis'" in done.said


@pytest.mark.parametrize("name", SCHEMA_NAMES)
def test_new_fields_may_be_allowed(name: str) -> None:
    found = json_schema(name, new_fields=True)
    Draft202012Validator.check_schema(found)
    text = json.dumps(found)
    assert '"additionalProperties": false' not in text
    assert '"unevaluatedProperties": false' not in text


def test_only_new_fields_are_allowed() -> None:
    request = {"id": 1, "action": "version", "colour": "red"}
    with pytest.raises(ValidationError):
        Draft202012Validator(json_schema("request")).validate(request)
    opened = Draft202012Validator(json_schema("request", new_fields=True))
    opened.validate(request)
    with pytest.raises(ValidationError):
        opened.validate({**request, "top": -1})
