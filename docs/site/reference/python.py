"""The page of the Python interface, from docstrings."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import griffe

from docs.site.reference.markdown import (
    anchor,
    block,
    bullet,
    bullets,
    code,
    link,
    page,
    prose,
)
from handread import api

ROOT = Path(__file__).parents[3]

INTRODUCTION = """\
What you can import from `handread`, and the classes of what these functions return. [Use it from
Python](../python.md) has worked examples.
"""

NOTES = (
    "Amounts are integers in minor units (cents), information is in bits to base 2, probabilities "
    "are from 0 to 1.",
    "Seats are numbered from 1, as in the log.",
    "`Floats` is a NumPy array of float64. Its shape is given in parentheses: `(holdings,)` is one "
    "number for each possible holding.",
    "A pdd is the probability of each holding of downcards, an htpd that of each class of final "
    "hands ([glossary](../glossary.md)).",
    "The stages of a hand are `3D`, `3B`, ... `7B`: the street, then `D` after its deal or `B` "
    "after its betting. Five-card stud has `2D` to `5B`.",
)


@dataclass(frozen=True)
class NameGroup:
    """A section of the page.

    Attributes:
        title: Its heading.
        names: Names of ``handread`` that it describes.
        parts: Further classes, of what the values of these names hold; with their modules.
    """

    title: str
    names: tuple[str, ...]
    parts: tuple[str, ...] = ()


GROUPS = (
    NameGroup(
        "Read logs",
        ("read", "read_hands", "parse_hands", "Log", "History", "Problem"),
        (
            "handread.history.Seat",
            "handread.history.Source",
            "handread.game.rules.Stakes",
            "handread.game.rules.Unit",
        ),
    ),
    NameGroup(
        "Replay hands",
        ("replay", "Replay"),
        (
            "handread.game.steps.StreetRecord",
            "handread.game.steps.DealtStreet",
            "handread.game.steps.Decision",
            "handread.game.steps.DecisionPoint",
            "handread.game.steps.Step",
        ),
    ),
    NameGroup(
        "Analyze hands",
        ("analyze", "analyze_hands", "Analysis", "AnalysisError"),
        (
            "handread.inference.values.StageReading",
            "handread.inference.values.SeatRead",
            "handread.inference.values.FamilyRead",
            "handread.inference.values.Truth",
            "handread.inference.values.ActionReading",
        ),
    ),
    NameGroup(
        "Write text, pages, JSON and logs",
        ("plain_text", "html_page", "analysis_object", "json_schema", "write_hand"),
    ),
    NameGroup(
        "Policies, players and readers",
        (
            "load_policy",
            "load_reader",
            "Policy",
            "Model",
            "PlayerModels",
            "PolicyError",
            "Reader",
            "ReaderError",
        ),
        ("handread.policy.base.HoldingValues", "handread.inference.readers.Observer"),
    ),
    NameGroup(
        "Value decisions",
        ("value_decisions", "HandValues"),
        (
            "handread.decisions.values.DecisionValue",
            "handread.decisions.values.ActionValue",
            "handread.decisions.ledger.Ledger",
        ),
    ),
    NameGroup("Many hands", ("tabulate",)),
    NameGroup(
        "Fit and evaluate",
        ("fit", "evaluate"),
        (
            "handread.study.fit.fitted.FitOptions",
            "handread.study.fit.fitted.Fit",
            "handread.policy.files.PolicyFile",
            "handread.study.evaluation.Evaluation",
            "handread.study.statistics.FigureTable",
            "handread.study.statistics.Estimate",
        ),
    ),
    NameGroup("Simulate", ("simulate_games", "Game")),
    NameGroup(
        "Observe step by step",
        ("deal", "observe", "reweigh", "play_on", "Belief"),
        ("handread.inference.observer.ObservedStreet", "handread.inference.observer.Update"),
    ),
)

CONSTRUCTED = ("Model", "PlayerModels", "FitOptions", "Stakes", "Unit")
"""The classes that users make themselves; their signatures are shown."""


class Described(NamedTuple):
    """A function or class with the name under which the page describes it."""

    name: str
    found: griffe.Object

    @property
    def title(self) -> str:
        """The heading: that of ``Fit`` must differ from that of ``fit`` in more than its case."""
        return f"class {self.name}" if self.found.is_class else self.name


@cache
def _module(name: str) -> griffe.Module:
    file = ROOT.joinpath(*name.split(".")).with_suffix(".py")
    if not file.exists():
        file = file.with_suffix("") / "__init__.py"
    return griffe.visit(
        name,
        filepath=file,
        code=file.read_text(encoding="utf-8"),
        docstring_parser=griffe.Parser.google,
        docstring_options={
            "returns_multiple_items": False,
            "returns_named_value": False,
            "warnings": False,
        },
    )


def _object(module: str, name: str) -> griffe.Object:
    found = _module(module).members[name]
    assert isinstance(found, griffe.Object)
    (base, *_) = getattr(getattr(import_module(module), name), "__bases__", (object,))
    if base.__name__ == name:  # the public class adds outputs to a core class of the same name
        core = _object(base.__module__, name)
        found.docstring, found.members = core.docstring, {**core.members, **found.members}
    return found


@cache
def described(group: NameGroup) -> tuple[Described, ...]:
    """Return all functions and classes of a section."""
    public = [Described(name, _object(getattr(api, name).__module__, name)) for name in group.names]
    places = (part.rpartition(".") for part in group.parts)
    return (*public, *(Described(name, _object(module, name)) for module, _, name in places))


def all_described() -> tuple[Described, ...]:
    """Return all functions and classes of the page."""
    return tuple(one for group in GROUPS for one in described(group))


def python_page() -> str:
    """Return the page of the Python interface."""
    return page(
        "Python reference",
        prose(INTRODUCTION),
        _contents(),
        "What holds everywhere:",
        bullets(NOTES),
        *(part for group in GROUPS for part in _group(group)),
    )


def _contents() -> str:
    lines = []
    for group in GROUPS:
        links = ", ".join(link(one.title, shown=code(one.name)) for one in described(group))
        lines.append(f"{link(group.title)}: {links}")
    return bullets(lines)


def _group(group: NameGroup) -> Iterator[str]:
    yield f"## {group.title}"
    for one in described(group):
        yield from _function(one) if one.found.is_function else _class(one)


def _function(one: Described) -> Iterator[str]:
    assert isinstance(one.found, griffe.Function)
    yield f"### {one.title}"
    yield block(_signature(one.name, one.found), "py")
    yield from _sections(one.found, one.name)


def _class(one: Described) -> Iterator[str]:
    assert isinstance(one.found, griffe.Class)
    yield f"### {one.title}"
    if one.name in CONSTRUCTED:
        yield block(_constructor(one.found), "py")
    if one.name not in api.__all__:
        yield f"In `{one.found.module.path}`."
    yield from _sections(one.found, one.name)
    properties = [
        bullet(f"{code(name)}{_type(each.annotation)}: {_markdown(_text(each), one.name)}")
        for name, each in members(one.found).items()
        if isinstance(each, griffe.Attribute) and "property" in each.labels
    ]
    if properties:
        yield "**Properties**"
        yield "\n".join(properties)
    for name, each in members(one.found).items():
        if isinstance(each, griffe.Function):
            yield f"#### {one.name}.{name}"
            yield block(_signature(name, each, method=True), "py")
            yield from _sections(each, one.name)


def members(found: griffe.Object) -> dict[str, griffe.Object]:
    """Return the public members of a class; without class methods, which make its values."""
    return {
        name: each
        for name, each in found.members.items()
        if isinstance(each, griffe.Object)
        and not name.startswith("_")
        and "classmethod" not in each.labels
    }


def _signature(name: str, function: griffe.Function, method: bool = False) -> str:
    """Return a call of a function with the types of its arguments and its value."""
    given = [p for p in function.parameters if not (method and p.name == "self")]
    return _call(name, [_argument(p, function) for p in given], f" -> {function.returns}")


def _constructor(found: griffe.Class) -> str:
    fields = [
        f"{name}: {each.annotation}{_default(each)}"
        for name, each in members(found).items()
        if isinstance(each, griffe.Attribute) and "property" not in each.labels
    ]
    return _call(found.name, fields, "")


def _default(attribute: griffe.Attribute) -> str:
    if attribute.value is None:
        return ""
    value = _value(str(attribute.value), attribute)
    return f" = {'{}' if 'default_factory=dict' in value else value}"


def _value(text: str, found: griffe.Object) -> str:
    """Return the text of a default; the value of a constant in place of its name."""
    if re.fullmatch(r"[A-Z_]+", text):
        value = getattr(import_module(found.module.path), text)
        if isinstance(value, str | int | tuple):
            return repr(value).replace("'", '"')
    return text.replace("'", '"')


def _argument(parameter: griffe.Parameter, function: griffe.Function) -> str:
    stars = {
        griffe.ParameterKind.var_positional: "*",
        griffe.ParameterKind.var_keyword: "**",
    }
    star = stars.get(parameter.kind, "") if parameter.kind is not None else ""
    value = None if star else parameter.default
    default = "" if value is None else f" = {_value(str(value), function)}"
    return f"{star}{parameter.name}: {parameter.annotation}{default}"


def _call(name: str, arguments: Sequence[str], end: str) -> str:
    line = f"{name}({', '.join(arguments)}){end}"
    if len(line) <= 72:
        return line
    inner = "".join(f"    {argument},\n" for argument in arguments)
    return f"{name}(\n{inner}){end}"


def _type(annotation: Any) -> str:
    return "" if annotation is None else f" ({code(str(annotation))})"


def _text(found: griffe.Object) -> str:
    return "" if found.docstring is None else found.docstring.value


def _sections(found: griffe.Object, owner: str) -> Iterator[str]:
    """Yield the parts of a docstring: text, then arguments, attributes, returns and raises."""
    for section in [] if found.docstring is None else found.docstring.parsed:
        value = section.value
        if section.kind is griffe.DocstringSectionKind.text:
            yield from (_paragraph(text, owner) for text in str(value).split("\n\n"))
        elif section.kind in _NAMED:
            yield f"**{_NAMED[section.kind]}**"
            yield "\n".join(_item(each, found, owner) for each in value)
        elif section.kind is griffe.DocstringSectionKind.returns:
            (each,) = value
            yield prose(f"**Returns** {_markdown(each.description, owner)}")
        elif section.kind is griffe.DocstringSectionKind.raises:
            yield "**Raises**"
            yield bullets(
                f"{code(str(each.annotation))}: {_markdown(each.description, owner)}"
                for each in value
            )
        else:
            raise ValueError(f"{found.path}: a section {section.kind.value} is not shown")


def _paragraph(text: str, owner: str) -> str:
    """Return a paragraph or a list of a docstring."""
    first, *items = re.split(r"^\* ", text, flags=re.M)
    if items and not first.strip():
        return bullets(_markdown(item, owner) for item in items)
    return prose(_markdown(text, owner))


_NAMED: Mapping[griffe.DocstringSectionKind, str] = {
    griffe.DocstringSectionKind.parameters: "Arguments",
    griffe.DocstringSectionKind.attributes: "Attributes",
}


def _item(each: Any, found: griffe.Object, owner: str) -> str:
    """Return the item of an argument or attribute; the signature has the types of arguments."""
    kind = _type(each.annotation) if isinstance(found, griffe.Class) else ""
    return bullet(f"{code(each.name)}{kind}: {_markdown(each.description, owner)}")


@cache
def _names() -> Mapping[str, str]:
    """Return the anchor of each function, class and method of the page by its name."""
    found = {}
    for one in all_described():
        found[one.name] = anchor(one.title)
        for name, each in members(one.found).items() if one.found.is_class else ():
            whole = f"{one.name}.{name}"
            found[whole] = anchor(whole if isinstance(each, griffe.Function) else one.title)
    return found


def _markdown(text: str, owner: str) -> str:
    """Return a text of a docstring as Markdown, with links to what the page describes."""

    def shown(match: re.Match[str]) -> str:
        name = match[1]
        target = _names().get(name)
        return code(name) if target is None or name == owner else f"[`{name}`](#{target})"

    return re.sub(r"``([^`]+)``", shown, " ".join(inspect.cleandoc(text).split()))
