"""Registry of formats: the built-in ones and rooms of the user's own."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from handread.formats.faults import GrammarError, GrammarReader
from handread.formats.format import Dialect, Writer
from handread.formats.format_runs import first_dialect
from handread.formats.grammar import parse_grammar
from handread.formats.phh import PHH
from handread.formats.room import Room, room, rooms
from handread.formats.saund import SAUND
from handread.formats.suggest import resembled
from handread.settings import settings_text
from handread.spelling import or_meant

DETECTION_SIZE = 100_000
"""Characters of a text that are searched to detect its format."""

RESERVED = ("phh", "saund")
"""Names that no room can have."""


@dataclass(frozen=True, slots=True)
class OwnGrammar:
    """Text of a user's grammar, which can be sent to other processes; ``file`` is for messages."""

    file: str
    text: str

    def room(self) -> Dialect:
        """Return the format of the grammar; raise ``ValueError`` for a wrong one."""
        return _own_room(self)


@cache
def _own_room(grammar: OwnGrammar) -> Dialect:
    own_room = room(parse_grammar(grammar.text, grammar.file))
    if own_room.name in RESERVED:
        raise _misnamed(grammar, f"{own_room.name!r} is the name of a built-in format")
    return own_room


def _misnamed(grammar: OwnGrammar, message: str) -> GrammarError:
    reader = GrammarReader(grammar.file, grammar.text)
    reader.add(message, "name")
    return GrammarError(reader.found)


@dataclass(frozen=True, slots=True)
class FormatRegistry:
    """The built-in formats after a user's ``own`` grammars, which replace rooms of their name."""

    own: tuple[OwnGrammar, ...] = ()

    @property
    def dialects(self) -> tuple[Dialect, ...]:
        """All formats, in the order of detection."""
        given = tuple(grammar.room() for grammar in self.own)
        names = {dialect.name for dialect in given}
        return (*given, *(shipped for shipped in rooms() if shipped.name not in names), PHH, SAUND)

    def named(self, name: str) -> Dialect:
        """Return the format of that name; raise ``ValueError`` for an unknown one."""
        by_name = {dialect.name: dialect for dialect in self.dialects}
        if name in by_name:
            return by_name[name]
        meant = or_meant(name, by_name)
        there_are = f"{meant} There are" if meant else "; there are"
        raise ValueError(f"there is no dialect {name!r}{there_are} {', '.join(by_name)}")

    def writer(self, name: str) -> Writer:
        """Return the format of that name; raise ``ValueError`` if it cannot be written."""
        dialect = self.named(name)
        if not isinstance(dialect, Writer):
            raise ValueError(f"{dialect.title} hands can be read, but not written")
        return dialect

    def writer_by_ending(self, file: Path | None, option: str) -> Writer:
        """Return the format of a file to write; ``ValueError`` names the endings and an option."""
        named = None if file is None else self.by_suffix(file)
        if isinstance(named, Writer):
            return named
        known = (one for one in self.dialects if one.suffixes)
        each = ", ".join(f"{' or '.join(one.suffixes)} ({one.name})" for one in known)
        fault = "no format is given" if file is None else f"{file}: the ending tells no format"
        raise ValueError(f"{fault}; expected the ending {each}, or another format with {option}")

    def detect(self, text: str) -> Dialect | None:
        """Return the format of the first hand of a text; ``None`` without a hand."""
        head, known = text[:DETECTION_SIZE], self.dialects
        first = first_dialect(head, known)
        return first or next((dialect for dialect in known if dialect.detect(head)), None)

    def guess(self, text: str, file: str) -> Dialect | None:
        """Return the format of a text by its first hand, a misspelt line, or the file name."""
        head = text[:DETECTION_SIZE]
        return self.detect(head) or self._misspelt(head) or self.by_suffix(Path(file))

    def resembled(self, text: str) -> Dialect | None:
        """Return the format most like the lines of a text; ``None`` if no format is."""
        return resembled(self.dialects, text[:DETECTION_SIZE])

    def hint(self, text: str, tried: Dialect | None) -> str:
        """Return a question that suggests a likelier format than the one tried, or ""."""
        head = text[:DETECTION_SIZE]
        if tried is not None and tried.detect(head):
            return ""
        other = self.detect(head) or self._misspelt(head) or self.resembled(head)
        if other is None or other is tried:
            return ""
        return f"did you mean --dialect {other.name}?"

    def _misspelt(self, text: str) -> Dialect | None:
        alike = (d for d in self.dialects if isinstance(d, Room) and d.nearly(text))
        return next(alike, None)

    def by_suffix(self, file: Path) -> Dialect | None:
        """Return the format of a file by the end of its name; ``None`` if no format has it."""
        suffix = file.suffix.lower()
        return next((dialect for dialect in self.dialects if suffix in dialect.suffixes), None)


BUILT_IN = FormatRegistry()
"""The built-in formats."""


def read_grammars(files: Iterable[str | Path]) -> FormatRegistry:
    """Return the built-in formats and formats of grammar files.

    Raise ``ValueError`` for a wrong file, and if two define the same room.
    """
    known = FormatRegistry(tuple(OwnGrammar(str(file), settings_text(file)) for file in files))
    seen: dict[str, str] = {}
    for grammar in known.own:
        name = grammar.room().name
        if name in seen:
            raise _misnamed(grammar, f"{name!r} is also defined in {seen[name]}")
        seen[name] = grammar.file
    return known


def dialects() -> tuple[Dialect, ...]:
    """Return the built-in formats in the order of detection."""
    return BUILT_IN.dialects


dialect_named = BUILT_IN.named
"""``FormatRegistry.named`` of the built-in formats."""

writer_named = BUILT_IN.writer
"""``FormatRegistry.writer`` of the built-in formats."""
