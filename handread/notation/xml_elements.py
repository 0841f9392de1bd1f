"""XML read with care: elements with their places, and no entities of any kind."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from xml.parsers import expat

MAX_DEPTH = 64
"""No log has elements so deep inside each other."""

_AMPERSAND = re.compile(r"&(?![\w:.#-]+;)")
_STAND_IN = "\ue001"
"""Takes the place of an ampersand that begins nothing, so that columns stay as they are."""


@dataclass(slots=True)
class Element:
    """An element: tag, attributes, the text right inside it, its place, counted from 1.

    ``inside`` is the number of its ancestor among the children of the outermost element.
    """

    tag: str
    attributes: Mapping[str, str]
    line: int
    column: int
    inside: int
    text: str = ""


@dataclass(slots=True)
class Elements:
    """The elements of a text in order, and what is wrong with it as XML, if anything is."""

    found: list[Element] = field(default_factory=list)
    error: tuple[int, int, str] | None = None


class _NotAllowedError(Exception):
    """Something that no log has and no reader should follow."""


def read_elements(text: str, whole: bool = True) -> Elements:
    """The elements of a text, as far as it is XML. Never raises, follows no entity, loads nothing.

    ``whole`` is False for a text that may end before its elements do. An ampersand that begins
    nothing, as of names and chat in logs made without care, stands for itself.
    """
    found = _Reading().read(text, whole)
    if found.error is not None and _AMPERSAND.search(text):
        found = _Reading().read(_AMPERSAND.sub(_STAND_IN, text), whole)
        for one in found.found:
            one.text = one.text.replace(_STAND_IN, "&")
            one.attributes = {k: v.replace(_STAND_IN, "&") for k, v in one.attributes.items()}
    return found


def declared(text: str) -> str:
    """What to say of a text with declarations, which no log has and no reader should follow."""
    if "<!ENTITY" in text:
        return "this XML defines entities; they are not followed"
    return "this XML has a document type of its own; it is not followed"


class _Reading:
    def __init__(self) -> None:
        # The text was decoded before; what it declares of its encoding no longer holds.
        self._parser = parser = expat.ParserCreate("utf-8")
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters
        parser.StartDoctypeDeclHandler = self._refuse
        parser.EntityDeclHandler = self._refuse
        parser.ExternalEntityRefHandler = self._refuse
        self._text = ""
        self._open: list[Element] = []
        self._child = 0
        self._elements = Elements()

    def read(self, text: str, whole: bool) -> Elements:
        self._text = text
        try:
            self._parser.Parse(text.encode("utf-8", "replace"), whole)
        except expat.ExpatError as error:
            what = expat.ErrorString(error.code)
            self._elements.error = error.lineno, error.offset + 1, f"this is no XML: {what}"
        except _NotAllowedError as reason:
            self._elements.error = *self._place(), str(reason)
        return self._elements

    def _place(self) -> tuple[int, int]:
        return self._parser.CurrentLineNumber, self._parser.CurrentColumnNumber + 1

    def _start(self, tag: str, attributes: Mapping[str, str]) -> None:
        if len(self._open) == 1:
            self._child += 1
        if len(self._open) >= MAX_DEPTH:
            raise _NotAllowedError(f"elements stand more than {MAX_DEPTH} deep inside each other")
        element = Element(tag, attributes, *self._place(), self._child)
        self._elements.found.append(element)
        self._open.append(element)

    def _end(self, _tag: str) -> None:
        self._open.pop()

    def _characters(self, text: str) -> None:
        if self._open:
            self._open[-1].text += text

    def _refuse(self, *_: object) -> int:
        raise _NotAllowedError(declared(self._text))
