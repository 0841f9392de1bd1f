"""Why a line is none of a grammar's: how far it agrees with a template, and what ought to follow.

A line is read with one regular expression a template, which says yes or no. Here every
template is taken apart into elements instead, so that the ones that get furthest can say
at which column they stopped and what they looked for there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import pyparsing as pp

from handread.notation.template import Choice, Field, Kind, Literal, Optional, Piece, blank_tolerant

MASK = "\ue000"
"""Stands for every character of a seated player's name, so that columns stay as they are."""

_EDGE = r"(?!\w|[.,]\w)"
_LINE_END = pp.StringEnd().set_name("the end of the line")


@dataclass(frozen=True, slots=True)
class Explanation:
    """Where a line stops making sense, counted from 1, and what was expected there."""

    column: int
    expected: str


def element_forms(pieces: Sequence[Piece], kinds: Mapping[str, Kind]) -> list[pp.ParserElement]:
    """A template as sequences of elements, one for every way to leave pieces out.

    Every element is named by what a person would call it. The player of a line is looked
    for under its ``MASK``.
    """
    return [
        pp.And([*_elements(form, kinds), _LINE_END]).parse_with_tabs() for form in _flat(pieces)
    ]


def explain(forms: Iterable[pp.ParserElement], line: str) -> Explanation:
    """What the forms that get furthest in a line expect there."""
    furthest, expected = 0, dict[str, None]()
    for form in forms:
        try:
            form.parse_string(line)
        except pp.ParseException as failure:
            if failure.loc > furthest:
                furthest, expected = failure.loc, {}
            if failure.loc == furthest and failure.parser_element is not None:
                expected[str(failure.parser_element.name)] = None
    names = ", ".join(expected)
    return Explanation(furthest + 1, f"one of: {names}" if len(expected) > 1 else names)


def _flat(pieces: Sequence[Piece]) -> list[list[Literal | Field]]:
    """The sequences of literals and fields that a template stands for."""
    ways: list[list[list[Literal | Field]]] = []
    for piece in pieces:
        match piece:
            case Literal() | Field():
                ways.append([[piece]])
            case Choice(wordings):
                ways.append([[Literal(wording)] for wording in wordings])
            case Optional(inner, _):
                ways.append([[], *_flat(inner)])
    return [[piece for part in form for piece in part] for form in product(*ways)]


def _elements(form: Sequence[Literal | Field], kinds: Mapping[str, Kind]) -> list[pp.ParserElement]:
    elements: list[pp.ParserElement] = []
    for index, piece in enumerate(form):
        if isinstance(piece, Literal):
            elements += [_word_element(word) for word in piece.text.split()]
        else:
            elements.append(_field_element(piece, form[index + 1 :], kinds))
    return elements


def _word_element(word: str) -> pp.ParserElement:
    return pp.Regex(re.escape(word) + (_EDGE if word[-1].isalnum() else "")).set_name(word)


def _field_element(
    field: Field, rest: Sequence[Literal | Field], kinds: Mapping[str, Kind]
) -> pp.ParserElement:
    kind = kinds[field.kind]
    if field.kind == "player":
        pattern = f"{MASK}+"
    elif field.kind in ("text", "word"):
        pattern = kind.pattern + _look_ahead(rest)
    else:
        pattern = kind.pattern + _EDGE
    return pp.Regex(pattern).set_name(kind.title)


def _look_ahead(rest: Sequence[Literal | Field]) -> str:
    """Ends a field of any text where the literal behind it begins."""
    if not rest:
        return r"(?=\s*$)"
    first = rest[0]
    return f"(?={blank_tolerant(first.text)})" if isinstance(first, Literal) else ""
