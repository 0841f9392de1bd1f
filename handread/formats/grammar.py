"""Grammars of poker rooms: the lines of their logs and the meaning of each, as data.

A grammar is a TOML file in ``handread.grammars`` or of the user's own, so that a new room needs no
Python. It has the profile of the site (``handread.formats.site``) and a line pattern for each kind
of line (``handread.formats.line_patterns``). The names of fields define the amounts: ``to`` is a
player's total on the street, ``added`` the chips that it puts in now. ``by`` is only checked
against the play.

A grammar can be ``like`` an installed one: it inherits all that it does not define itself, except
for the first lines of hands and ``[print]``, the table for printing hands.
``docs/reference/grammars.md`` lists the keys of every table.
"""

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from importlib.resources.abc import Traversable
from itertools import takewhile
from pathlib import Path
from typing import Any, TypeVar

from handread.formats.dates import DateStyle
from handread.formats.explain import MASK, Wording, explain, verb_of, wordings
from handread.formats.faults import GrammarReader
from handread.formats.format import LineError
from handread.formats.line_patterns import (
    PARTS,
    LinePattern,
    best_pattern,
    line_pattern,
    meant_field,
)
from handread.formats.site import ROOM_NAME, SITE_KEYS, SiteProfile, parse_site
from handread.formats.template import FieldKind, regex_of
from handread.formats.toml_places import explain_error
from handread.formats.xml_grammar import XmlGrammar, parse_xml_grammar
from handread.game.rules import STREETS
from handread.spelling import nearest

PLACEHOLDERS = ("hand_id", "table", "date", "button", "pot")
"""Fields that a log must state and a history may lack; ``[print.unknown]`` has texts for them."""

_PRINTED: Mapping[str, str] = {
    "hand": "game small big ante",
    "seat": "player seat stack",
    "ante": "player seat added",
    "deal": "player seat cards all",
    "bring_in": "player seat added to",
    "check": "player seat",
    "fold": "player seat",
    "call": "player seat added to",
    "bet": "player seat added to",
    "raise": "player seat added to hand_total",
    "collect": "player seat amount of bets wins",
}
"""The events that every printed hand needs, and the fields that always have a value there."""

ACTION_WORDS = frozenset(
    {
        *("ante", "antes", "posts", "bring-in", "brings", "complete", "completes", "all-in"),
        *("check", "checks", "fold", "folds", "bet", "bets", "call", "calls", "raise", "raises"),
        *("show", "shows", "mucks", "collected"),
    }
)
"""Words for actions in any room. A line with one of them is refused if no pattern matches it."""

_INSTEAD = {"collect": "won"}
"""Events that can replace another one."""


@dataclass(frozen=True, slots=True)
class PrintRules:
    """The table ``[print]``: texts for values that a history lacks, and the form of amounts."""

    unknown: Mapping[str, str]
    tournament: Mapping[str, str]
    raise_by: str = ""
    thousands: bool = False
    cents: bool = False
    bare: bool = False


@dataclass(frozen=True, eq=False)
class Grammar(SiteProfile):
    """Grammar of a room whose logs are lines; without ``print_rules``, they are only read."""

    patterns: tuple[LinePattern, ...]
    print_rules: PrintRules | None
    like: str = ""

    @cached_property
    def headers(self) -> tuple[LinePattern, ...]:
        """The patterns of the first line of a hand."""
        return tuple(pattern for pattern in self.patterns if pattern.event == "hand")

    @cached_property
    def abouts(self) -> tuple[LinePattern, ...]:
        """The patterns of lines that complete the first one."""
        return tuple(pattern for pattern in self.patterns if pattern.event == "about")

    @cached_property
    def leaves_stakes_open(self) -> bool:
        """True if the first lines of a hand may name its game without stakes."""
        named = [{*pattern.fields, *pattern.constants} for pattern in (*self.headers, *self.abouts)]
        return any("game" in fields and not fields & {"small", "stakes"} for fields in named)

    @cached_property
    def by_part(self) -> Mapping[str, tuple[LinePattern, ...]]:
        """The patterns of each part of a hand; ``about`` comes last, as it matches anything."""
        lines = [pattern for pattern in self.patterns if pattern.event not in ("hand", "about")]
        lines += self.abouts
        return {part: tuple(r for r in lines if r.part in ("", part)) for part in PARTS}

    @cached_property
    def anchors(self) -> Mapping[str, tuple[str, ...]]:
        """The anchors of the same patterns."""
        parts = self.by_part.items()
        return {part: tuple(pattern.anchor for pattern in patterns) for part, patterns in parts}

    @cached_property
    def openings(self) -> tuple[str, ...]:
        """Words at the beginning of lines that report the play."""
        others = ("hand", "about", "remark", "end")
        play = (pattern for pattern in self.patterns if pattern.event not in others)
        return tuple({pattern.opening for pattern in play if pattern.opening})

    @cached_property
    def _header_wordings(self) -> list[Wording]:
        return self._wordings(self.headers)

    @cached_property
    def _wordings_by_part(self) -> Mapping[str, list[Wording]]:
        by_part = self.by_part.items()
        return {p: self._wordings(r for r in rows if r.event != "remark") for p, rows in by_part}

    @cached_property
    def verbs(self) -> frozenset[str]:
        """The verbs of actions: the room's and poker's."""
        actions = [pattern for pattern in self.patterns if pattern.actor]
        own_verbs = {wording.verb for wording in self._wordings(actions)}
        return ACTION_WORDS | own_verbs - {""}

    @cached_property
    def _subject(self) -> re.Pattern[str]:
        pieces = next((pattern.pieces for pattern in self.patterns if pattern.event == "fold"), ())
        words = {each: getattr(each, "wordings", (getattr(each, "text", ""),)) for each in pieces}
        before = takewhile(lambda piece: verb_of(words[piece][0]) not in self.verbs, pieces)
        kinds = {**self.kinds, "player": FieldKind(f"{MASK}+", "")}
        return re.compile(regex_of(tuple(before), kinds))

    def is_notice(self, masked: str, part: str) -> bool:
        """Return True if a line reports something about a player that is no action, even misspelt.

        It cannot change the play. The name of the player is masked; only the summary has more words
        before it.
        """
        find = self._subject.search if part == "summary" else self._subject.match
        match = find(masked)
        verb = verb_of(masked[match.end() :]) if match else ""
        return bool(verb) and not self._is_verb(verb)

    def has_verb(self, line: str) -> bool:
        """Return True if a line has the verb of an action, perhaps misspelt."""
        return any(self._is_verb(verb_of(word)) for word in line.split())

    def _is_verb(self, word: str) -> bool:
        cut_off = bool(word) and any(verb.startswith(word) for verb in self.verbs)
        # A room may say that somebody "gets" chips, which is no misspelt "bets".
        return cut_off or nearest(word, self.verbs)[:1] == word[:1] != ""

    def _wordings(self, patterns: Iterable[LinePattern]) -> list[Wording]:
        return [wording for pattern in patterns for wording in wordings(pattern.pieces, self.kinds)]

    def explain_header(self, line: str) -> LineError:
        """Return the error of a line that is not the first of a hand."""
        return explain(self._header_wordings, line)

    def explain(self, line: str, part: str, masked: str) -> LineError:
        """Return the error of a line of a part of a hand that matches no pattern.

        ``masked`` is the line with the name of its player masked.
        """
        return explain(self._wordings_by_part[part], line, masked)


AnyGrammar = Grammar | XmlGrammar
SomeGrammar = TypeVar("SomeGrammar", Grammar, XmlGrammar)

_TABLE = re.compile(r"^\[+([a-z_]+)", re.MULTILINE)


@dataclass(frozen=True)
class GrammarFile:
    """An installed grammar, compiled when it is used; ``tables`` are the tables of its text."""

    name: str
    title: str
    starts: str
    like: str
    tables: frozenset[str]
    file: str
    text: str

    def compiled(self, kind: type[SomeGrammar]) -> SomeGrammar:
        """Compile the grammar."""
        grammar = parse_grammar(self.text, self.file)
        assert isinstance(grammar, kind)
        return grammar


def grammar_files() -> tuple[GrammarFile, ...]:
    """Return the installed grammars by the names of files; grammars ``like`` others come last."""
    folder = data_folder("grammars", "grammars")
    names = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".toml"))
    grammars = (_grammar_file(folder.joinpath(name)) for name in names)
    return tuple(sorted(grammars, key=lambda file: bool(file.like)))


def _grammar_file(path: Traversable) -> GrammarFile:
    text = path.read_text(encoding="utf-8")
    tables = list(_TABLE.finditer(text))
    head = tomllib.loads(text[: tables[0].start()])
    names = frozenset(table[1] for table in tables)
    named = {key: head.get(key, "") for key in ("name", "title", "starts", "like")}
    return GrammarFile(**named, tables=names, file=path.name, text=text)


@cache
def date_styles() -> tuple[DateStyle, ...]:
    """Return the date styles of the installed rooms, of PHH and of ISO 8601, without compiling."""
    tables = [tomllib.loads(file.text).get("dates", {}) for file in grammar_files()]
    rooms = (DateStyle(tuple(t.get("forms", ())), t.get("zone", "")) for t in tables)
    return (*rooms, DateStyle(("%Y-%m-%d", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M:%S")))


def data_folder(package: str, beside: str) -> Traversable:
    """Return a folder of data: a package of handread, or in a source tree the folder beside it."""
    try:
        return files(f"handread.{package}")
    except ModuleNotFoundError:
        return Path(__file__).parents[2] / beside


def new_grammar(name: str) -> str:
    """Return the draft of a grammar, which reads the hand in its comments.

    Raise ``ValueError`` for a name that no room can have.
    """
    if not ROOM_NAME.fullmatch(name):
        raise ValueError(f"{name!r}: a room's name is made of lowercase letters, digits and dashes")
    text = files("handread.formats").joinpath("new_room.toml").read_text("utf-8")
    title = name.replace("-", " ").title()
    return text.replace("new-room", name).replace("New Room", title)


def parse_grammar(text: str, file: str) -> AnyGrammar:
    """Compile a grammar; raise ``GrammarError`` with all of its faults."""
    reader = GrammarReader(file, text)
    data = _with_likeness(_toml(text, reader), reader)
    reader.check()
    is_xml = "xml" in data
    structure = ("xml", "element") if is_xml else ("like", "line", "print")
    reader.known_keys(data, (*SITE_KEYS, *structure))
    read = parse_xml_grammar if is_xml else _line_grammar
    grammar: AnyGrammar | None = read(data, parse_site(data, reader), reader)
    reader.check()
    assert grammar is not None
    return grammar


def _with_likeness(data: Mapping[str, Any], reader: GrammarReader) -> Mapping[str, Any]:
    """Return the tables of a grammar, completed by the room in ``like``."""
    if "like" not in data:
        return data
    rooms = {file.name: file.text for file in grammar_files() if "line" in file.tables}
    like = reader.text(data, "like")
    if like not in rooms:
        reader.unknown("room", like, rooms, "like")
        return data
    other = _with_likeness(tomllib.loads(rooms[like]), reader)
    lines = [line for line in other["line"] if line["event"] != "hand"]
    merged = {"line": lines, **{key: other[key] for key in other.keys() - {"line", "print"}}}
    for key, value in data.items():
        theirs = merged.get(key)
        if isinstance(value, list) and isinstance(theirs, list):
            merged[key] = [*value, *theirs]
        elif isinstance(value, dict) and isinstance(theirs, dict):
            merged[key] = {**theirs, **value}
        else:
            merged[key] = value
    return merged


def _toml(text: str, reader: GrammarReader) -> Mapping[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        reason, line, _ = explain_error(error, text)
        reader.add_at(line, f"this is not TOML: {reason}")
        return {}
    except RecursionError:
        reader.add_at(1, "this is not TOML: brackets are nested too deeply")
        return {}


def _line_grammar(
    data: Mapping[str, Any], site: SiteProfile, reader: GrammarReader
) -> Grammar | None:
    patterns_read, told = [], set[str]()
    for entry in reader.tables(data, "line"):
        patterns_read.append(line_pattern(entry, site.kinds, site.cards, reader))
        if entry.get("event") in ("hand", "about"):
            told |= {*re.findall(r"\{([a-z_]+)", str(entry.get("template", "")))}
            told |= {*entry.get("set", {})}
    patterns = tuple(filter(None, patterns_read))
    for name in ("hand_id", "game"):
        if name not in told:
            meant = meant_field([name], told)
            reader.add(f"no pattern for a hand's first lines states its {name}{meant}", "line")
    if reader.found:
        return None
    printed = parse_print_rules(data, patterns, site.by_deals, reader)
    return Grammar(**vars(site), patterns=patterns, print_rules=printed, like=data.get("like", ""))


def parse_print_rules(
    data: Mapping[str, Any], patterns: Sequence[LinePattern], by_deals: bool, reader: GrammarReader
) -> PrintRules | None:
    """Read the table ``[print]``; ``None`` for a grammar that cannot print."""
    if "print" not in data:
        return None
    table = reader.table(data, "print")
    flags = ("thousands", "cents", "bare")
    with reader.at("print"):
        reader.known_keys(table, ("raise_by", *flags, "unknown", "tournament"))
        raise_by = reader.text(table, "raise_by", "")
        if raise_by not in ("", "increase", "added"):
            reader.add(f"must be increase or added, not {raise_by!r}", "raise_by")
        thousands, cents, bare = (reader.flag(table, key, False) for key in flags)
        unknown, tournament = (reader.texts(table, key) for key in ("unknown", "tournament"))
        first = [pattern for pattern in patterns if pattern.event in ("hand", "about")]
        headers = {name for pattern in first for name in pattern.fields}
        for key, texts, known in (
            ("unknown", unknown, set(PLACEHOLDERS)),
            ("tournament", tournament, headers),
        ):
            for name in texts.keys() - known:
                reader.unknown("field", name, sorted(known), key, name)
        _check_printable(patterns, {**unknown, **tournament}, raise_by, by_deals)
    return PrintRules(unknown, tournament, raise_by, thousands=thousands, cents=cents, bare=bare)


def _check_printable(
    patterns: Sequence[LinePattern], unknown: Mapping[str, str], raise_by: str, by_deals: bool
) -> None:
    needs = [(event, dict.fromkeys(names.split(), " ")) for event, names in _PRINTED.items()]
    if not by_deals:
        needs += [("street", {"street": street.name}) for street in STREETS]
    for event, values in needs:
        known = {**unknown, **values, **({"by": " "} if raise_by and event == "raise" else {})}
        instead = best_pattern(patterns, _INSTEAD.get(event, event), known)
        if best_pattern(patterns, event, known) is None and instead is None:
            message = f"no pattern for {event!r} can be printed from {', '.join(known)}"
            raise ValueError(message + _lacking(patterns, event, known))


def _lacking(patterns: Sequence[LinePattern], event: str, known: Mapping[str, str]) -> str:
    """Return words about the fields that the nearest pattern lacks; empty without a pattern."""
    printed = (pattern for pattern in patterns if pattern.event == event and pattern.printed)
    lacking = [pattern.required - known.keys() for pattern in printed]
    missing = sorted(min(lacking, key=len, default=()))
    if not missing:
        return ""
    unknown = [name for name in missing if name in PLACEHOLDERS]
    remedy = f"; [print.unknown] may have a text for {' and '.join(unknown)}" if unknown else ""
    return f": it needs {' and '.join(missing)} as well{remedy}"
