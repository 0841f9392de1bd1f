"""Errors of lines that match no pattern: the column of the fault, and the expected text.

Lines are read with one regular expression for each template, which gives no place of a failure.
Here templates are matched part by part; the templates that match furthest give the column and the
expectations.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise, product

from handread.formats.format import LineError
from handread.formats.template import (
    Field,
    FieldKind,
    Literal,
    OptionalPieces,
    Piece,
    Wordings,
    blank_tolerant,
)
from handread.spelling import nearest

MASK = "\ue000"
"""Replaces each character of a seated player's name, so that columns stay the same."""

_AUXILIARIES = {
    *("be", "been", "did", "didn't", "does", "doesn't", "had", "has", "is", "not", "was", "will")
}

_EDGE = r"(?!\w|[.,]\w)"
_BLANK = "a blank"


@dataclass(frozen=True, eq=False)
class Wording:
    """A wording of a template, without optional parts."""

    pieces: tuple[Literal | Field, ...]
    kinds: Mapping[str, FieldKind]

    @property
    def verb(self) -> str:
        """The verb that follows the player or the seat; empty without one."""
        fields = ((first, two) for first, two in pairwise(self.pieces) if isinstance(first, Field))
        after = (piece for actor, piece in fields if actor.name in ("player", "seat"))
        verbs = (verb_of(piece.text) for piece in after if isinstance(piece, Literal))
        return next(filter(None, verbs), "")

    @cached_property
    def parts(self) -> "list[_TemplatePart]":
        """The words, blanks and fields of the line, and its end; a player is a run of ``MASK``."""
        parts: list[_TemplatePart] = []
        for index, piece in enumerate(self.pieces):
            rest = self.pieces[index + 1 :]
            if isinstance(piece, Field):
                parts.append(_field_part(piece, rest, self.kinds))
            else:
                parts += _literal_parts(piece.text, joined=bool(rest))
        return [*parts, _TemplatePart(r"\Z", "the end of the line")]


@dataclass(frozen=True, eq=False)
class _TemplatePart:
    """A word, a blank or a field of a template, with a name for people: a word is quoted.

    ``words`` are the word, alone and with the next one, as two words may be written as one.
    """

    pattern: str
    name: str
    words: tuple[str, ...] = ()
    kind: FieldKind | None = None

    @cached_property
    def regex(self) -> re.Pattern[str]:
        """The regular expression; few parts are ever looked for."""
        return re.compile(self.pattern)


def verb_of(text: str) -> str:
    """Return the first word of a text, in lowercase, without auxiliaries; empty without one."""
    words = map(str.lower, re.findall(r"(?<!')\b[^\W\d_][\w'-]*", text))
    return next((word for word in words if word not in _AUXILIARIES), "")


def wordings(pieces: Sequence[Piece], kinds: Mapping[str, FieldKind]) -> list[Wording]:
    """Return all wordings of a template."""
    return [Wording(wording, kinds) for wording in _flat(pieces)]


def explain(candidates: Iterable[Wording], line: str, masked: str = "") -> LineError:
    """Return the error of a line: the expectations of the wordings that match furthest.

    ``candidates`` are the wordings of all patterns. ``masked`` is the line with the name of its
    player masked, if it has one.
    """
    masked = masked or line
    furthest, expected = 0, dict[str, _TemplatePart]()
    for wording in candidates:
        lacking = _lacking(wording, masked, blanks=False)
        if lacking is None:
            return _of_blanks(wording, line, masked)
        place, part = lacking
        if place > furthest:
            furthest, expected = place, {}
        if place == furthest:
            expected.setdefault(part.name, part)
    parts, rest, names = [*expected.values()], line[furthest:], ", ".join(expected)
    limited = (part.kind.too_large for part in parts if part.kind and part.kind.too_large)
    huge = next(filter(None, (re.match(pattern, rest) for pattern in limited)), None)
    if huge:
        return LineError(f"{huge[0]!r} is too large", "a smaller number", furthest + 1)
    names = f"one of: {names}" if len(expected) > 1 else names
    return LineError(_nonsense(parts, rest), names, furthest + 1)


def _lacking(wording: Wording, line: str, blanks: bool) -> tuple[int, _TemplatePart] | None:
    """Return where a line departs from a wording, and the lacking part; None if it does not.

    Without ``blanks``, blanks between parts are ignored.
    """
    place = 0
    for part in wording.parts:
        if not blanks:
            if part.name == _BLANK:
                continue
            place = len(line) - len(line[place:].lstrip(" \t\r\n"))
        match = part.regex.match(line, place)
        if match is None:
            return place, part
        place = match.end()
    return None


def _of_blanks(wording: Wording, line: str, masked: str) -> LineError:
    """Return the error of a line that is right except for its blanks."""
    lacking = _lacking(wording, masked, blanks=True)
    if lacking is None:
        return LineError(_nonsense((), line))
    place, part = lacking
    rest = line[place:]
    if part.name == _BLANK:
        message = "a blank is missing here"
    else:
        message = "there is an extra blank here" if rest[:1].isspace() else _nonsense((), rest)
    return LineError(message, part.name, place + 1)


def _nonsense(parts: Sequence[_TemplatePart], rest: str) -> str:
    words = rest.split()
    if not words:
        return "the line ends too early"
    fields = (part.kind.meant(words[0]) for part in parts if part.kind and part.kind.meant)
    known = [word for part in parts for word in part.words]
    texts = (words[0], " ".join(words[:2]))
    near = next(filter(None, [*fields, *(nearest(text, known) for text in texts)]), "")
    return f"{words[0]!r} makes no sense here" + (f"; did you mean {near!r}?" if near else "")


def _flat(pieces: Sequence[Piece]) -> list[tuple[Literal | Field, ...]]:
    """Return the sequences of literals and fields that a template stands for."""
    choices: list[list[tuple[Literal | Field, ...]]] = []
    for piece in pieces:
        match piece:
            case Literal() | Field():
                choices.append([(piece,)])
            case Wordings(texts):
                choices.append([(Literal(text),) for text in texts])
            case OptionalPieces(inner, _):
                choices.append([(), *_flat(inner)])
    return [_joined(piece for part in wording for piece in part) for wording in product(*choices)]


def _joined(pieces: Iterable[Literal | Field]) -> tuple[Literal | Field, ...]:
    """Join adjacent literals, as a word may extend from one to the next."""
    joined: list[Literal | Field] = []
    for piece in pieces:
        last = joined[-1] if joined else None
        if isinstance(piece, Literal) and isinstance(last, Literal):
            joined[-1] = Literal(last.text + piece.text)
        else:
            joined.append(piece)
    return tuple(joined)


def _literal_parts(text: str, joined: bool) -> Iterator[_TemplatePart]:
    """Yield the words and blanks of a literal; if ``joined`` to a field, its last word is open."""
    chunks = re.findall(r"\s+|\S+", text)
    for index, chunk in enumerate(chunks):
        if chunk.isspace():
            yield _TemplatePart(r"\s+", _BLANK)
            continue
        last = index == len(chunks) - 1
        edge = _EDGE if chunk[-1].isalnum() and not (last and joined) else ""
        following = chunks[index + 2 : index + 3]
        words = (chunk, *(f"{chunk} {word}" for word in following))
        yield _TemplatePart(re.escape(chunk) + edge, repr(chunk), words)


def _field_part(
    field: Field, rest: Sequence[Literal | Field], kinds: Mapping[str, FieldKind]
) -> _TemplatePart:
    kind, name = kinds[field.kind], kinds[field.kind].title
    behind = rest[0].text if rest and isinstance(rest[0], Literal) else ""
    if field.kind == "player":
        return _TemplatePart(f"{MASK}+", name, kind=kind)
    if field.kind in ("text", "word"):
        if behind.strip():
            name += f" before {behind.split()[0]!r}"
        # A text ends at the next literal, or with the line.
        end = f"(?={blank_tolerant(behind)})" if behind else "" if rest else r"(?=\s*$)"
        return _TemplatePart(kind.regex + end, name, kind=kind)
    edge = "" if behind[:1].isalnum() else _EDGE
    return _TemplatePart(kind.regex + edge, name, kind=kind)
