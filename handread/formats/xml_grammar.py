"""Grammars of rooms that write XML: the elements of their logs and their events, as data.

Such a grammar has the profile of the site (``handread.formats.site``) and a table ``[xml]``:
``hand`` is the element of a hand, ``about`` lists the elements that apply to the hands after them,
``first_seat`` is the number of the first seat. Within a child of a hand (a betting round), cards
come before actions, and actions are sorted by their field ``order``.

An element pattern is a table ``[[element]]`` with keys of a line pattern: ``event``, ``template``,
``example``, ``from``, ``set``. Its template is an element; the attributes and the text of the
element are templates. Attributes that are not in the template are ignored. An element that matches
the patterns of several events reports all of them.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any
from xml.parsers import expat

import handread.formats.template as templates
from handread.formats.faults import GrammarReader
from handread.formats.line_patterns import EventPattern, read_pattern
from handread.formats.site import SiteProfile
from handread.formats.styles import CardStyle

MAX_DEPTH = 64
"""Greatest depth of nested elements; logs have a far smaller one."""

_AMPERSAND = re.compile(r"&(?![\w:.#-]+;)")
_STAND_IN = "\ue001"
"""Replaces an ampersand that begins no entity, so that columns stay the same."""


@dataclass(slots=True)
class Element:
    """An XML element: tag, attributes, direct text, and place, counted from 1.

    ``inside`` is the number of its ancestor among the children of the outermost element.
    """

    tag: str
    attributes: Mapping[str, str]
    line: int
    column: int
    inside: int
    text: str = ""

    def __str__(self) -> str:
        attributes = "".join(f' {name}="{text}"' for name, text in self.attributes.items())
        return f"<{self.tag}{attributes}>"


@dataclass(slots=True)
class Elements:
    """The elements of a text in order, and the line, column and message of its first error."""

    found: list[Element] = field(default_factory=list)
    error: tuple[int, int, str] | None = None


class _NotAllowedError(Exception):
    """A text has a declaration or depth that no log has."""


def read_elements(text: str, whole: bool = True) -> Elements:
    """Parse a text up to its first error, without following entities or loading anything.

    An ampersand that a log did not escape stands for itself. A text that is not ``whole`` may end
    within an element.
    """
    elements = _Reading().read(text, whole)
    if elements.error is not None and _AMPERSAND.search(text):
        elements = _Reading().read(_AMPERSAND.sub(_STAND_IN, text), whole)
        for each in elements.found:
            each.text = each.text.replace(_STAND_IN, "&")
            each.attributes = {k: v.replace(_STAND_IN, "&") for k, v in each.attributes.items()}
    return elements


def declared(text: str) -> str:
    """Return a message about a text with declarations, which no log has."""
    if "<!ENTITY" in text:
        return "this XML defines entities; they are not followed"
    return "this XML declares a document type; it is not followed"


class _Reading:
    def __init__(self) -> None:
        # The text is already decoded, so ignore the encoding that it declares.
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
            self._elements.error = error.lineno, error.offset + 1, f"this is not XML: {what}"
        except _NotAllowedError as reason:
            self._elements.error = *self._place(), str(reason)
        return self._elements

    def _place(self) -> tuple[int, int]:
        return self._parser.CurrentLineNumber, self._parser.CurrentColumnNumber + 1

    def _start(self, tag: str, attributes: Mapping[str, str]) -> None:
        if len(self._open) == 1:
            self._child += 1
        if len(self._open) >= MAX_DEPTH:
            raise _NotAllowedError(f"elements are nested more than {MAX_DEPTH} deep")
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


INSIDE = ""
"""Key of the text of an element among its attributes."""


@dataclass(frozen=True, eq=False)
class ElementPattern(EventPattern):
    """A pattern of an element: the template as an element, and its attributes and text parsed."""

    element: Element
    parts: Mapping[str, tuple[templates.Piece, ...]]

    @property
    def tag(self) -> str:
        """The tag of the element."""
        return self.element.tag

    @cached_property
    def regexes(self) -> Mapping[str, re.Pattern[str]]:
        """The regular expressions of the parts."""
        regexes = {name: templates.regex_of(part, self.kinds) for name, part in self.parts.items()}
        return {name: re.compile(regex) for name, regex in regexes.items()}

    @cached_property
    def words(self) -> Mapping[str, str]:
        """The attributes that are one word; they differ between most patterns of a tag."""
        words = {}
        for name, part in self.parts.items():
            literals = [piece.text for piece in part if isinstance(piece, templates.Literal)]
            if name != INSIDE and len(literals) == len(part) and " " not in "".join(literals):
                words[name] = "".join(literals)
        return words

    @cached_property
    def money(self) -> tuple[str, ...]:
        """The attributes that hold an amount."""
        kinds = {name: templates.fields(part).values() for name, part in self.parts.items()}
        return tuple(name for name, kind in kinds.items() if "amount" in kind)

    @cached_property
    def titles(self) -> Mapping[str, str]:
        """The content of each part for people: its fields, or else its text."""
        titles = {}
        for name, part in self.parts.items():
            kinds_of = templates.fields(part).values()
            words = " and ".join(self.kinds[kind].title for kind in kinds_of if kind in self.kinds)
            titles[name] = words or text_of(self.element, name) or ""
        return titles

    def match(self, element: Element) -> dict[str, str] | None:
        """Return the texts of the fields; ``None`` if the element does not match."""
        words, values = self.words, dict(self.constants)
        if not words.items() <= element.attributes.items():
            return None
        for name, regex in self.regexes.items():
            if name in words:
                continue
            text = text_of(element, name)
            match = None if text is None else regex.fullmatch(text)
            if match is None:
                return None
            values |= {key: told for key, told in match.groupdict().items() if told is not None}
        return values

    def misfits(self, element: Element) -> list[str]:
        """Return the attributes that do not match."""
        texts = ((name, text_of(element, name)) for name in self.parts)
        return [n for n, text in texts if text is None or not self.regexes[n].fullmatch(text)]


def text_of(element: Element, name: str) -> str | None:
    """Return the text of an attribute or of the element; ``None`` if there is no such attribute."""
    return element.text.strip() if name == INSIDE else element.attributes.get(name)


@dataclass(frozen=True, eq=False)
class XmlGrammar(SiteProfile):
    """The grammar of a room that writes XML."""

    patterns: tuple[ElementPattern, ...]
    hand: str
    about: tuple[str, ...]
    first_seat: int

    @cached_property
    def about_tags(self) -> frozenset[str]:
        """The tags of the elements that continue the header of a hand."""
        return frozenset(pattern.tag for pattern in self.patterns if pattern.event == "about")

    @cached_property
    def by_tag(self) -> Mapping[str, tuple[ElementPattern, ...]]:
        """The patterns of each element."""
        of_tags: dict[str, tuple[ElementPattern, ...]] = {}
        for pattern in self.patterns:
            of_tags[pattern.tag] = (*of_tags.get(pattern.tag, ()), pattern)
        return of_tags

    def near(self, element: Element) -> list[ElementPattern]:
        """Return the patterns of an element with all of its words."""
        told = element.attributes.items()
        return [each for each in self.by_tag.get(element.tag, ()) if each.words.items() <= told]


def parse_xml_grammar(
    data: Mapping[str, Any], site: SiteProfile, reader: GrammarReader
) -> XmlGrammar | None:
    """Compile the tables ``[xml]`` and ``[[element]]`` of a grammar; ``None`` if it has faults."""
    table = reader.table(data, "xml", needed=True)
    tables = reader.tables(data, "element")
    read = (element_pattern(entry, site.kinds, site.cards, reader) for entry in tables)
    patterns = tuple(filter(None, read))
    with reader.at("xml"):
        reader.known_keys(table, ("hand", "about", "first_seat"))
        hand = reader.text(table, "hand")
        about, first = reader.strings(table, "about"), table.get("first_seat", 1)
        if hand and not any((each.tag, each.event) == (hand, "hand") for each in patterns):
            reader.add(f"no pattern reads <{hand}> as a hand", "hand")
        if first not in (0, 1):
            reader.add(f"must be 0 or 1, not {first!r}", "first_seat")
    if reader.found:
        return None
    return XmlGrammar(**vars(site), patterns=patterns, hand=hand, about=about, first_seat=first)


def element_pattern(
    entry: Mapping[str, Any],
    kinds: Mapping[str, templates.FieldKind],
    cards: CardStyle,
    reader: GrammarReader,
) -> ElementPattern | None:
    """Return the pattern of a table ``[[element]]``; ``None``, with its faults, for a wrong one."""
    read = read_pattern(entry, (), _parsed, kinds=kinds, cards=cards, reader=reader)
    if read is None:
        return None
    (element, parts), common = read
    return ElementPattern(**common, element=element, parts=parts)


_Parts = Mapping[str, tuple[templates.Piece, ...]]


def _parsed(template: str) -> tuple[tuple[Element, _Parts], Mapping[str, str]]:
    """Return the element of a template, the pieces of its texts, and the kinds of its fields."""
    element = the_element(template)
    texts = {**element.attributes, INSIDE: element.text.strip()}
    parts = {name: templates.parse_template(text) for name, text in texts.items() if text}
    parts |= {name: () for name, text in element.attributes.items() if not text}
    pieces = [piece for part in parts.values() for piece in part]
    templates.check_names(pieces)
    return (element, parts), templates.fields(pieces)


def the_element(text: str) -> Element:
    """Parse a text that is one element; raise ``ValueError`` for any other text."""
    elements = read_elements(text)
    if elements.error is not None:
        raise ValueError(elements.error[2])
    if len(elements.found) != 1:
        raise ValueError(f"must be one element, not {len(elements.found)}")
    return elements.found[0]
