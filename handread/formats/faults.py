"""Faults of a grammar file, with their lines and fields."""

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

from handread.formats.toml_places import Key, key_places, line_and_column, place_of
from handread.spelling import nearest, or_meant

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault of a grammar file; ``path`` are the keys that lead to the wrong field.

    With a ``warning``, the grammar can be used all the same.
    """

    file: str
    line: int
    path: tuple[Key, ...]
    message: str
    warning: bool = False

    def __str__(self) -> str:
        where = _in_words(self.path)
        kind = "warning: " if self.warning else ""
        return f"{self.file}:{self.line}: {kind}{where}{': ' if where else ''}{self.message}"


class GrammarError(ValueError):
    """A grammar has faults; ``faults`` lists all of them in order of lines."""

    def __init__(self, faults: list[Fault]) -> None:
        super().__init__("\n".join(map(str, faults)))
        self.faults = faults


class GrammarReader:
    """Reader of the values of a grammar that collects all faults, to report them at once."""

    def __init__(self, file: str, text: str) -> None:
        self._file = file
        self._text = text
        self._path: tuple[Key, ...] = ()
        self.found: list[Fault] = []

    @contextmanager
    def at(self, *keys: Key) -> Iterator[None]:
        """Prefix the paths of faults added in the block; a ``ValueError`` becomes a fault."""
        before = self._path
        self._path = (*before, *keys)
        try:
            yield
        except ValueError as error:
            self.add(str(error))
        finally:
            self._path = before

    @cached_property
    def _places(self) -> dict[tuple[Key, ...], tuple[int, int]]:
        return key_places(self._text)

    @property
    def here(self) -> bool:
        """True if the value at the current keys has a fault."""
        depth = len(self._path)
        return any(fault.path[:depth] == self._path for fault in self.found)

    def add(self, message: str, *keys: Key, warning: bool = False) -> None:
        """Add a fault at these keys."""
        path = (*self._path, *keys)
        line, _ = line_and_column(self._text, place_of(self._places, path))
        self.found.append(Fault(self._file, line, path, message, warning))

    def add_at(self, line: int, message: str) -> None:
        """Add a fault at a line."""
        self.found.append(Fault(self._file, line, (), message))

    def unknown(self, what: str, word: str, known: Collection[str], *keys: Key) -> None:
        """Add the fault of an unknown word, with the most similar known word or all of them."""
        others = or_meant(word, known, '"{}"') or f", but {', '.join(known)}"
        self.add(f"there is no {what} {word!r}{others}", *keys)

    def check(self) -> None:
        """Raise ``GrammarError`` if there is any fault."""
        if self.found:
            raise GrammarError(sorted(self.found, key=lambda fault: fault.line))

    def known_keys(self, table: Mapping[str, Any], known: Collection[str]) -> None:
        """Check that every key of a table is known."""
        missing = [key for key in known if key not in table]
        for key, value in table.items():
            if key not in known:
                near = nearest(key, missing)
                meant = _as_written((*self._path, near), value)
                others = f"did you mean {meant}?" if near else f"there are {', '.join(known)}"
                self.add(f"there is no such key; {others}", key)

    def text(self, table: Mapping[str, Any], key: str, default: str | None = None) -> str:
        """Return the string of a key, which must exist if there is no default."""
        return self._typed(table.get(key, default), str, "a string", key)

    def flag(self, table: Mapping[str, Any], key: str, default: bool | None = None) -> bool:
        """Return the boolean of a key, which must exist if there is no default."""
        return self._typed(table.get(key, default), bool, "true or false", key)

    def table(self, table: Mapping[str, Any], key: str, needed: bool = False) -> Mapping[str, Any]:
        """Return the table of a key; empty if it is missing and not needed."""
        return self._typed(table.get(key, None if needed else {}), dict, "a table", key)

    def strings(self, table: Mapping[str, Any], key: str) -> tuple[str, ...]:
        """Return the list of strings of a key; empty if it is missing."""
        value = table.get(key, [])
        if isinstance(value, list) and all(isinstance(text, str) for text in value):
            return tuple(value)
        self.add(f"must be a list of strings, not {value!r}", key)
        return ()

    def _typed(self, value: object, kind: type[T], expected: str, key: str) -> T:
        """Return a value of this type, or else add a fault and return an empty value."""
        if isinstance(value, kind):
            return value
        self.add("is missing" if value is None else f"must be {expected}, not {value!r}", key)
        return kind()

    def tables(self, table: Mapping[str, Any], key: str) -> Iterator[Mapping[str, Any]]:
        """Yield the tables of an array; faults added meanwhile belong to the current one."""
        listed = table.get(key)
        if not isinstance(listed, list) or not all(isinstance(item, dict) for item in listed):
            self.add(f"is missing; each pattern is a table [[{key}]]", key)
            return
        for n, item in enumerate(listed):
            with self.at(key, n):
                yield item

    def texts(self, table: Mapping[str, Any], key: str) -> Mapping[str, str]:
        """Return the table of strings of a key; empty if it is missing."""
        words = self.table(table, key)
        for name, value in words.items():
            if not isinstance(value, str):
                self.add(f"must be a string, not {value!r}", key, name)
        return {name: value for name, value in words.items() if isinstance(value, str)}


def _as_written(path: tuple[Key, ...], value: object) -> str:
    """Return the key of a value as it is written in a file, such as ``[print.unknown]``."""
    header = ".".join(str(key) for key in path if isinstance(key, str))
    if isinstance(value, dict):
        return f"[{header}]"
    tables = isinstance(value, list) and value and all(isinstance(item, dict) for item in value)
    return f"[[{header}]]" if tables else str(path[-1])


def _in_words(path: tuple[Key, ...]) -> str:
    """Return a path for people, such as ``[[line]] 3, template``."""
    if not path:
        return ""
    first, *rest = path
    if rest and isinstance(rest[0], int):
        head, rest = f"[[{first}]] {rest[0] + 1}", rest[1:]
    elif rest:
        head, rest = f"[{'.'.join(map(str, path[:-1]))}]", rest[-1:]
    else:
        return str(first)
    return ", ".join([head, *map(str, rest)])
