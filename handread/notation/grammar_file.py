"""From the file of a grammar to the grammar, or to all that is wrong with the file."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, TypeVar

from handread.notation.dates import DateStyle
from handread.notation.faults import Faults
from handread.notation.forms import LineRule, line_rule, meant_field
from handread.notation.grammar import Grammar
from handread.notation.house import HOUSE_KEYS, ROOM_NAME, parse_house
from handread.notation.print_rules import parse_print_rules
from handread.notation.xml_grammar import XmlGrammar, parse_xml_grammar

AnyGrammar = Grammar | XmlGrammar
SomeGrammar = TypeVar("SomeGrammar", Grammar, XmlGrammar)

_TABLE = re.compile(r"^\[+([a-z_]+)", re.MULTILINE)
_PLACE = re.compile(r" \(at line (\d+), column \d+\)")


@dataclass(frozen=True)
class GrammarFile:
    """An installed grammar, of which only the head was read.

    The head is what stands before the first table; ``tables`` are the names of the tables.
    """

    name: str
    title: str
    starts: str
    tables: frozenset[str]
    file: str
    text: str

    def compiled(self, kind: type[SomeGrammar]) -> SomeGrammar:
        """Compile the whole grammar, which is of this kind."""
        grammar = parse_grammar(self.text, self.file)
        assert isinstance(grammar, kind)
        return grammar


def grammar_files() -> tuple[GrammarFile, ...]:
    """Every grammar that is installed, in the order of their file names."""
    folder = _grammar_folder()
    names = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".toml"))
    return tuple(_grammar_file(folder.joinpath(name)) for name in names)


def _grammar_file(path: Traversable) -> GrammarFile:
    text = path.read_text(encoding="utf-8")
    tables = list(_TABLE.finditer(text))
    head = tomllib.loads(text[: tables[0].start()])
    names = frozenset(table[1] for table in tables)
    return GrammarFile(head["name"], head["title"], head["starts"], names, path.name, text)


def load_grammars() -> tuple[AnyGrammar, ...]:
    """Every grammar that is installed, compiled, in the order of their file names."""
    return tuple(parse_grammar(file.text, file.file) for file in grammar_files())


@cache
def date_styles() -> tuple[DateStyle, ...]:
    """How the rooms that are installed write dates, and PHH and ISO 8601; read without the rest."""
    tables = [tomllib.loads(file.text).get("dates", {}) for file in grammar_files()]
    rooms = (DateStyle(tuple(t.get("forms", ())), t.get("zone", "")) for t in tables)
    return (*rooms, DateStyle(("%Y-%m-%d", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M:%S")))


def _grammar_folder() -> Traversable:
    """The folder of the grammars: installed as a package, in a source tree beside ``handread``."""
    try:
        return files("handread.grammars")
    except ModuleNotFoundError:
        return Path(__file__).parents[2] / "grammars"


def new_grammar(name: str) -> str:
    """Return the draft of a grammar: a room of that name, whose only hand is in its comments.

    Raises ``ValueError`` for what is no name of a room.
    """
    if not ROOM_NAME.fullmatch(name):
        raise ValueError(f"{name!r}: a room's name is made of lowercase letters, digits and dashes")
    text = files("handread.notation").joinpath("new_room.toml").read_text("utf-8")
    title = name.replace("-", " ").title()
    return text.replace("new-room", name).replace("New Room", title)


def parse_grammar(text: str, file: str) -> AnyGrammar:
    """The grammar of a TOML text; ``GrammarError`` with file, line and field of every fault."""
    faults = Faults(file, text)
    data = _toml(text, faults)
    faults.check()
    if "xml" in data:
        grammar: AnyGrammar | None = parse_xml_grammar(data, faults)
    else:
        grammar = _line_grammar(data, faults)
    faults.check()
    assert grammar is not None
    return grammar


def _toml(text: str, faults: Faults) -> Mapping[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        place = _PLACE.search(str(error))
        message = f"this is no TOML: {_PLACE.sub('', str(error))}"
        faults.add_at(int(place[1]) if place else text.count("\n") + 1, message)
        return {}
    except RecursionError:
        faults.add_at(1, "this is no TOML: too many brackets inside each other")
        return {}


def _line_grammar(data: Mapping[str, Any], faults: Faults) -> Grammar | None:
    faults.known_keys(data, (*HOUSE_KEYS, "line", "print"))
    house = parse_house(data, faults)
    rules = tuple(_rules(data, house, faults))
    if faults.found:
        return None
    printed = parse_print_rules(data, rules, house["by_deals"], faults)
    return Grammar(**house, rules=rules, print_rules=printed)


def _rules(data: Mapping[str, Any], house: Mapping[str, Any], faults: Faults) -> Iterator[LineRule]:
    entries = []
    for entry in faults.tables(data, "line"):
        entries.append(entry)
        rule = line_rule(entry, house["kinds"], house["cards"], faults)
        if rule is not None:
            yield rule
    told = {name for entry in entries for name in _told_by(entry)}
    for name in ("hand_id", "game"):
        if name not in told:
            meant = meant_field([name], told)
            faults.add(f"no form of a hand's first lines tells its {name}{meant}", "line")


def _told_by(entry: Mapping[str, Any]) -> Iterator[str]:
    """The fields that a form of a hand's first lines may tell."""
    if entry.get("event") in ("hand", "about"):
        yield from re.findall(r"\{([a-z_]+)", str(entry.get("template", "")))
        yield from entry.get("set", {})
