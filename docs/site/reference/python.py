"""The page of the Python interface, from docstrings."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import griffe

from docs.site.reference.markdown import anchor, block, bullet, bullets, code, link, page, prose
from handread import api

ROOT = Path(__file__).parents[3]

GROUPS: Mapping[str, Sequence[str]] = {
    "Read logs": (
        *("read", "read_hands", "parse_hands", "Log", "History", "Problem"),
        *("Seat", "Source", "Stakes", "Unit"),
    ),
    "Replay hands": (
        *("replay", "Replay", "StreetRecord", "DealtStreet", "Decision", "DecisionPoint", "Step"),
    ),
    "Analyze hands": (
        *("analyze", "analyze_hands", "Analysis", "AnalysisError"),
        *("StageReading", "SeatRead", "FamilyRead", "Truth", "ActionReading"),
    ),
    "Write text, pages, JSON and logs": (
        *("plain_text", "html_page", "analysis_object", "json_schema", "write_hand"),
    ),
    "Policies, players and readers": (
        *("load_policy", "load_reader", "load_player", "Policy", "Model", "PlayerModels"),
        *("PolicyError", "Reader", "ReaderError", "HoldingValues", "Observer", "Player"),
    ),
    "Value decisions": (
        *("value_decisions", "HandValues", "DecisionValue", "ActionValue", "Ledger"),
    ),
    "Many hands": ("tabulate",),
    "Fit and evaluate": (
        *("fit", "evaluate", "FitOptions", "Fit", "PolicyFile", "Evaluation", "FigureTable"),
        "Estimate",
    ),
    "Simulate": ("simulate_games", "Game"),
    "Observe step by step": (
        *("deal", "observe", "reweigh", "play_on", "Belief", "ObservedStreet", "Update"),
    ),
}
"""The names of ``handread`` that each section describes; the last section has all others."""

OTHERS = "Other types"
"""The section of types that need one line each."""

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


@cache
def _object(module: str, name: str) -> griffe.Object:
    found = _module(module).members[name]
    assert isinstance(found, griffe.Object)
    (base, *_) = getattr(getattr(import_module(module), name), "__bases__", (object,))
    ours = base.__module__.startswith("handread.")
    if ours and (base.__name__ == name or base.__name__ not in api.__all__):
        core = _object(base.__module__, base.__name__)
        found.members = {**core.members, **found.members}
        if base.__name__ == name:  # the public class adds outputs to a core class of the same name
            found.docstring = core.docstring
        else:
            _attributes(found)[:0] = _attributes(core)
    return found


def _attributes(found: griffe.Object) -> list[griffe.DocstringAttribute]:
    """Return the attributes that the docstring of a class describes."""
    kind = griffe.DocstringSectionKind.attributes
    sections = [] if found.docstring is None else found.docstring.parsed
    return next((section.value for section in sections if section.kind is kind), [])


@cache
def described(group: str) -> tuple[Described, ...]:
    """Return all functions and classes of a section."""
    return tuple(_described(name) for name in GROUPS[group])


def _described(name: str) -> Described:
    return Described(name, _object(getattr(api, name).__module__, name))


def all_described() -> tuple[Described, ...]:
    """Return all functions and classes of the page."""
    return tuple(one for group in GROUPS for one in described(group))


def others() -> tuple[Described, ...]:
    """Return the types of the interface that have no section of their own."""
    told = {one.name for one in all_described()} | {"ReadBy"}
    return tuple(_described(name) for name in sorted(set(api.__all__) - told))


def python_page() -> str:
    """Return the page of the Python interface."""
    contents = [
        f"{link(group)}: "
        + ", ".join(link(one.title, shown=code(one.name)) for one in described(group))
        for group in GROUPS
    ]
    contents.append(f"{link(OTHERS)}: {', '.join(code(one.name) for one in others())}")
    sections = [part for group in GROUPS for part in _group(group)]
    return page("python.md", contents=contents, sections=sections, others=map(_line, others()))


def _line(one: Described) -> str:
    """Return an item of a list about a type: its description and its attributes."""
    first = _text(one.found).partition("\n\n")[0]
    typed = [
        code(_bare(f"{name}: {each.annotation}"))
        for name, each in members(one.found).items()
        if isinstance(each, griffe.Attribute) and each.annotation and "property" not in each.labels
    ]
    rest = f" It has {', '.join(typed)}." if typed else ""
    return f"{code(one.name)}: {_markdown(first, one.name)}{rest}"


def _group(group: str) -> Iterator[str]:
    yield f"## {group}"
    for one in described(group):
        yield f"### {one.title}"
        if isinstance(one.found, griffe.Class):
            yield from _class(one.name, one.found)
        else:
            yield from _function(one.name, one.found, one.name)


def _function(name: str, found: griffe.Object, owner: str) -> Iterator[str]:
    """Yield a function, or a method of the class ``owner``."""
    assert isinstance(found, griffe.Function)
    arguments = [_argument(p, found) for p in found.parameters if p.name != "self"]
    yield _call(name, arguments, f" -> {found.returns}")
    yield from _sections(found, owner)


def _class(name: str, found: griffe.Class) -> Iterator[str]:
    public = members(found)
    attributes = [each for each in public.values() if isinstance(each, griffe.Attribute)]
    properties = [each for each in attributes if "property" in each.labels]
    if name in CONSTRUCTED:
        fields = [each for each in attributes if each not in properties]
        yield _call(name, [_with_default(each, each.value, each) for each in fields], "")
    yield from _sections(found, name)
    if properties:
        yield "**Properties**"
        yield "\n".join(_item(each.name, name, _text(each), each.annotation) for each in properties)
    for key, each in public.items():
        if each.is_function:
            yield f"#### {name}.{key}"
            yield from _function(key, each, name)


def members(found: griffe.Object) -> dict[str, griffe.Object]:
    """Return the public members of a class; without class methods, which make its values."""
    return {
        name: each
        for name, each in found.members.items()
        if isinstance(each, griffe.Object)
        and not name.startswith("_")
        and "classmethod" not in each.labels
    }


def _value(text: str, found: griffe.Object) -> str:
    """Return the text of a default; the value of a constant in place of its name."""
    if "default_factory=dict" in text:
        return "{}"
    if re.fullmatch(r"[A-Z_]+", text):
        value = getattr(import_module(found.module.path), text)
        if isinstance(value, str | int | tuple):
            text = repr(value)
    return text.replace("'", '"')


def _argument(parameter: griffe.Parameter, function: griffe.Function) -> str:
    """Return an argument of a function with its type and default."""
    if parameter.kind is griffe.ParameterKind.var_positional:
        return f"*{parameter.name}: {parameter.annotation}"
    if parameter.kind is griffe.ParameterKind.var_keyword:
        return f"**{parameter.name}: {parameter.annotation}"
    return _with_default(parameter, parameter.default, function)


def _with_default(
    each: griffe.Parameter | griffe.Attribute, default: Any, of: griffe.Object
) -> str:
    """Return an argument or field with its type and, if it has one, its default."""
    end = "" if default is None else f" = {_value(str(default), of)}"
    return f"{each.name}: {each.annotation}{end}"


def _bare(annotation: str) -> str:
    """Return types without the modules that the code names in short."""
    return re.sub(r"\b(?:hh|ranking|steps)\.", "", annotation)


def _call(name: str, arguments: Sequence[str], end: str) -> str:
    """Return a call of a function or class as a block, in one line if it fits."""
    line = f"{name}({', '.join(arguments)}){end}"
    if len(line) > 72:
        inner = "".join(f"    {argument},\n" for argument in arguments)
        line = f"{name}(\n{inner}){end}"
    return block(_bare(line), "py")


def _text(found: griffe.Object) -> str:
    return "" if found.docstring is None else found.docstring.value


def _sections(found: griffe.Object, owner: str) -> Iterator[str]:
    """Yield the parts of a docstring: text, then arguments, attributes, returns and raises."""
    kinds = griffe.DocstringSectionKind
    for section in [] if found.docstring is None else found.docstring.parsed:
        value = section.value
        if section.kind is kinds.text:
            yield from (_paragraph(text, owner) for text in str(value).split("\n\n"))
        elif section.kind is kinds.returns:
            yield prose(f"**Returns** {_markdown(value[0].description, owner)}")
        elif section.kind is kinds.parameters:  # the signature has their types
            yield "**Arguments**"
            yield "\n".join(_item(each.name, owner, each.description) for each in value)
        elif section.kind is kinds.attributes:
            yield "**Attributes**"
            yield "\n".join(
                _item(each.name, owner, each.description, each.annotation) for each in value
            )
        elif section.kind is kinds.raises:
            yield "**Raises**"
            yield "\n".join(_item(each.annotation, owner, each.description) for each in value)
        else:
            raise ValueError(f"{found.path}: a section {section.kind.value} is not shown")


def _item(name: object, owner: str, text: str, annotation: object = None) -> str:
    """Return the item of an argument, attribute or error."""
    kind = "" if annotation is None else f" ({code(_bare(str(annotation)))})"
    return bullet(f"{code(str(name))}{kind}: {_markdown(text, owner)}")


def _paragraph(text: str, owner: str) -> str:
    """Return a paragraph, a list or an example of a docstring."""
    if text.startswith(">>> "):
        return block(text, "pycon")
    first, *items = re.split(r"^\* ", text, flags=re.M)
    if items and not first.strip():
        return bullets(_markdown(item, owner) for item in items)
    return prose(_markdown(text, owner))


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
