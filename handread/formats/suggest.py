"""Suggestions for misspelt first lines of hands, and for the format of unknown text."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cache
from itertools import islice, product

from handread.formats.format import Dialect
from handread.formats.grammar import Grammar
from handread.formats.line_patterns import LinePattern
from handread.formats.room_read import MAX_LINE
from handread.formats.template import Literal, OptionalPieces, Piece, Wordings
from handread.spelling import SLIPS

LEAST_OPENING = 8
"""Least length of the beginning of a first line; shorter ones resemble too much else."""

ALIKE = 0.85
"""Least similarity of a misspelt beginning of a first line: 15 of 17 letters."""

LOOKED_AT = 300
"""Most lines that are compared with the patterns of all formats."""

LEAST_LINES = 3
LEAST_SHARE = 0.75
CLEARLY = 1.5
"""Least number and share of lines that a suggested format matches, and least factor to the next.

Logs of unknown rooms share up to 73% of their lines with known ones."""

_TELLING = re.compile("[A-Za-z]{3}")

# The lines of the notations that have no grammar in a file.
_LOOKS_LIKE = {
    "saund": re.compile(r"[ \t]*(?:[1-8]\b[^|]*\|[^|]+\||(?:hand|game|stacks|won|rake): )"),
    "phh": re.compile(
        r"[ \t]*(?:variant|ante_trimming_status|antes|bring_in|small_bet|big_bet|starting_stacks"
        r"|actions|finishing_stacks|players|author|event|year|month|day|hand|_handread_\w+)[ \t]*="
        r"|[ \t]*(?:[\"'](?:d d[hb]|p[1-8]) |\])"
    ),
}


@dataclass(frozen=True, slots=True)
class NearMiss:
    """A line that is almost the first of a hand: column of the fault, and right beginning."""

    column: int
    opening: str


def near_header(grammar: Grammar, line: str) -> NearMiss | None:
    """Return the fault of a line that was probably meant to be the first of a hand."""
    openings = _openings(grammar)
    head = line[: openings.longest + SLIPS].lower()
    if not openings.parts.search(head):
        return None
    near = max(((_likeness(line, text), text) for text in openings.texts), default=(0.0, ""))
    likeness, text = near
    if likeness < ALIKE or _matches_any(grammar.patterns, line):
        return None
    if line.lower().startswith(text.lower()) and not _matches_any(
        grammar.headers, text + line[len(text) :]
    ):
        return None  # Two rooms' lines may begin alike but for the capitals.
    pairs = zip(line, text, strict=False)
    column = next((n for n, (a, b) in enumerate(pairs, start=1) if a != b), 0)
    return NearMiss(column, text) if column else None


def resembled(dialects: Sequence[Dialect], text: str) -> Dialect | None:
    """Return the format whose patterns match the first lines of a text, if one stands out.

    A line counts for every format that has a pattern for it, divided by their number.
    """
    texts = (line.rstrip() for line in text.split("\n") if line.strip())
    lines = list(islice(texts, LOOKED_AT))
    # Rooms that share the lines of another one share all of them.
    originals = [d for d in dialects if not getattr(getattr(d, "grammar", None), "like", "")]
    tests = [(dialect, _test(dialect)) for dialect in originals]
    counts = dict.fromkeys(range(len(tests)), 0)
    weights = dict.fromkeys(range(len(tests)), 0.0)
    for line in lines:
        known_to = [n for n, (_, test) in enumerate(tests) if test(line)]
        for n in known_to:
            counts[n] += 1
            weights[n] += 1 / len(known_to)
    first, second = sorted(weights, key=weights.__getitem__, reverse=True)[:2]
    enough = counts[first] >= max(LEAST_LINES, LEAST_SHARE * len(lines))
    return tests[first][0] if enough and weights[first] >= CLEARLY * weights[second] else None


@dataclass(frozen=True, slots=True)
class _Openings:
    """The possible beginnings of the first lines of a room's hands.

    ``parts`` finds one of their thirds in lowercase: with two wrong letters, a third is right.
    """

    texts: tuple[str, ...]
    longest: int
    parts: re.Pattern[str]


@cache
def _openings(grammar: Grammar) -> _Openings:
    # A line that is not printed may follow another one, and be nearly another room's.
    patterns = [pattern for pattern in grammar.headers if pattern.printed]
    openings = {text.rstrip() for pattern in patterns for text in _literal_starts(pattern.pieces)}
    texts = tuple(sorted(text for text in openings if len(text) >= LEAST_OPENING))
    parts = sorted({part for text in texts for part in _thirds(text.lower())})
    any_part = re.compile("|".join(map(re.escape, parts)) or "(?!)")
    return _Openings(texts, max(map(len, texts), default=0), any_part)


def _thirds(text: str) -> Iterator[str]:
    size = -(-len(text) // 3)
    return (text[start : start + size] for start in range(0, len(text), size))


def _literal_starts(pieces: Sequence[Piece]) -> Iterable[str]:
    ways: list[tuple[str, ...]] = []
    for piece in pieces:
        match piece:
            case Literal(text):
                ways.append((text,))
            case Wordings(wordings):
                ways.append(tuple(wordings))
            case OptionalPieces(inner, _) if all(isinstance(part, Literal) for part in inner):
                ways.append(("", *_literal_starts(inner)))
            case _:
                break
    return ("".join(parts) for parts in product(*ways))


def _likeness(line: str, opening: str) -> float:
    a, b = opening.lower(), line[: len(opening)].lower()
    # Letters that a text lacks match nothing: most lines need no closer look.
    most = 2.0 * (len(a) - len({*a}.difference(b))) / (len(a) + len(b))
    return most if most < ALIKE else SequenceMatcher(None, a, b, autojunk=False).ratio()


def _test(dialect: Dialect) -> Callable[[str], bool]:
    grammar = getattr(dialect, "grammar", None)
    if isinstance(grammar, Grammar):
        patterns = [pattern for pattern in grammar.patterns if _TELLING.search(pattern.anchor)]
        return lambda line: _matches_any(patterns, line)
    looks_like = _LOOKS_LIKE.get(dialect.name)
    return lambda line: looks_like is not None and looks_like.match(line) is not None


def _matches_any(patterns: Iterable[LinePattern], line: str) -> bool:
    text = line.rstrip()
    return len(text) <= MAX_LINE and any(pattern.match(text) for pattern in patterns)
