"""Templates: a grammar's notation for the lines of a log.

A template is the line itself, with

* ``{name}`` or ``{name:kind}``: a field; without a kind, the name implies it (``NAMED_KINDS``);
* ``{? piece}``: an optional piece with fields;
* ``{? and is all-in=all_in}``: an optional piece without fields, recorded as a flag;
* ``{Calls|Call}``: one of several wordings; the first is printed;
* ``{{`` and ``}}``: braces.

A run of blanks in a template matches any run of blanks.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import pyparsing as pp

from handread.formats.styles import EXAMPLE_CARDS, STREET_REGEX, CardStyle, MoneyStyle, street_meant


@dataclass(frozen=True, slots=True)
class Literal:
    """Literal text of a line."""

    text: str


@dataclass(frozen=True, slots=True)
class Field:
    """A place for a value."""

    name: str
    kind: str


@dataclass(frozen=True, slots=True)
class Wordings:
    """One of several wordings that mean the same."""

    wordings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OptionalPieces:
    """Pieces that are optional together; ``flag`` is their name if they have no fields."""

    pieces: "tuple[Piece, ...]"
    flag: str


Piece = Literal | Field | Wordings | OptionalPieces


@dataclass(frozen=True, slots=True)
class FieldKind:
    """Kind of a field: the regular expression of its texts, and its name for people.

    ``too_large`` matches texts that are only too large; ``meant`` returns the text probably meant
    by a misspelt word, empty if unknown.
    """

    regex: str
    title: str
    too_large: str = ""
    meant: Callable[[str], str] | None = None


_HUGE_AMOUNT = r"[-+]?(?:[^\w\s] ?)?[0-9](?:,?[0-9]){15,}"

NAMED_KINDS = {
    name: kind
    for kind, names in {
        "player": "player",
        "int": "seat order",
        "street": "street",
        "cards": "cards old all",
        "card": "card new",
        "amount": "amount of stack added to small big ante bring_in rake fee",
        "signed": "by net",
        "code": "currency",
        "word": "hand_id",
    }.items()
    for name in names.split()
}
"""The kinds of fields without an explicit kind; any other name is a text."""

FIRST_FIELDS = frozenset(
    {
        *("hand_id", "game", "small", "big", "ante", "currency", "date", "table", "hero"),
        *("limit", "tournament", "stacks_after_antes"),
    }
)
"""The fields and flags with a meaning in the first lines of a hand."""

TELLING = frozenset(
    {
        *FIRST_FIELDS,
        *NAMED_KINDS,
        *("winners", "pot", "remark", "hand_total"),
        *("all_in", "double", "sitting_out", "me", "mucked", "alone"),
    }
)
"""All fields and flags with a meaning; others are matched and ignored."""


def field_kinds(cards: CardStyle, money: MoneyStyle) -> Mapping[str, FieldKind]:
    """Return the kinds of fields of a site that writes cards and money in these styles."""
    return {
        "player": FieldKind(".+?", "a player of this hand"),
        "amount": FieldKind(money.regex, "an amount", _HUGE_AMOUNT),
        "close": FieldKind(money.regex, "an amount", _HUGE_AMOUNT),
        "signed": FieldKind(f"[-+]?{money.regex}", "an amount", _HUGE_AMOUNT),
        "cards": FieldKind(cards.list_regex, f"cards such as {cards.text(EXAMPLE_CARDS)}"),
        "card": FieldKind(cards.regex, f"a card such as {cards.text(EXAMPLE_CARDS[:1])}"),
        "street": FieldKind(STREET_REGEX, "3rd, 4th, 5th, 6th or 7th", meant=street_meant),
        "int": FieldKind("[0-9]{1,18}", "a number", "[0-9]{19,}"),
        "code": FieldKind("[A-Z]{3,4}", "a currency such as USD"),
        "stamp": FieldKind(r"[0-9][0-9/:. -]*[0-9]", "a date and time"),
        "word": FieldKind(r"\S+", "a word"),
        "text": FieldKind(".+?", "some text"),
        "plain": FieldKind(r"[^()\[\]]+?", "some text without brackets"),
    }


def damaged_kinds(kinds: Mapping[str, FieldKind], cards: CardStyle) -> Mapping[str, FieldKind]:
    """Return the kinds of fields with the style ``cards`` for cards."""
    regexes = {"cards": cards.list_regex, "card": cards.regex}
    loose = {name: replace(kinds[name], regex=regex) for name, regex in regexes.items()}
    return {**kinds, **loose}


def parse_template(template: str) -> tuple[Piece, ...]:
    """Parse a template; raise ``ValueError`` for a wrong one."""
    try:
        pieces = _TEMPLATE.parse_string(template.rstrip(), parse_all=True)
    except pp.ParseException as error:
        message = f"column {error.column} of the template {template!r}: {error.msg}"
        raise ValueError(message) from error
    check_names(read := tuple(pieces))
    return read


def check_names(pieces: Sequence[Piece]) -> None:
    """Raise ``ValueError`` if a field or flag occurs twice in a template."""
    times = Counter(name for name, _ in _named(pieces))
    if name := next((name for name, n in times.items() if n > 1), ""):
        message = f"{{{name}}} occurs twice; give one of them another name"
        kind = NAMED_KINDS.get(name)
        raise ValueError(f"{message}, such as {{other:{kind}}}" if kind else message)


def _named(pieces: Sequence[Piece]) -> Iterator[tuple[str, str]]:
    for piece in pieces:
        if isinstance(piece, Field):
            yield piece.name, piece.kind
        elif isinstance(piece, OptionalPieces):
            yield from _named(piece.pieces)
            if piece.flag:
                yield piece.flag, "flag"


def regex_of(pieces: Sequence[Piece], kinds: Mapping[str, FieldKind]) -> str:
    """Return the regular expression of a template, with a group for each field and flag."""
    return "".join(_piece_regex(piece, kinds) for piece in pieces)


def _piece_regex(piece: Piece, kinds: Mapping[str, FieldKind]) -> str:
    match piece:
        case Literal(text):
            return blank_tolerant(text)
        case Field(name, kind):
            return f"(?P<{name}>{kinds[kind].regex})"
        case Wordings(wordings):
            return f"(?:{'|'.join(map(blank_tolerant, wordings))})"
        case OptionalPieces(inner, flag):
            group = f"?P<{flag}>" if flag else "?:"
            return f"({group}{regex_of(inner, kinds)})?"


def blank_tolerant(text: str) -> str:
    """Return the regular expression of a literal text that matches any runs of blanks."""
    return r"\s+".join(re.escape(part) for part in re.split(" +", text))


def fields(pieces: Sequence[Piece]) -> dict[str, str]:
    """Return the kinds of the fields by name; the kind of a flag is ``flag``."""
    return dict(_named(pieces))


def printed(pieces: Sequence[Piece], values: Mapping[str, str]) -> str:
    """Return the line of a template for the values of its fields; ``KeyError`` if one is missing.

    An optional piece is printed if its flag or all of its fields have a value.
    """
    return "".join(_printed_piece(piece, values) for piece in pieces)


def _printed_piece(piece: Piece, values: Mapping[str, str]) -> str:
    match piece:
        case Literal(text):
            return text
        case Field(name, _):
            return values[name]
        case Wordings(wordings):
            return wordings[0]
        case OptionalPieces(inner, flag):
            wanted = [flag] if flag else fields(inner)
            return printed(inner, values) if all(map(values.get, wanted)) else ""


def _field_piece(tokens: pp.ParseResults) -> Field:
    name = str(tokens[0])
    kind = str(tokens[1]) if len(tokens) > 1 else NAMED_KINDS.get(name, "text")
    return Field(name, kind)


def _optional_piece(tokens: pp.ParseResults) -> OptionalPieces:
    pieces = tuple(piece for piece in tokens if not isinstance(piece, str))
    flag = next((piece for piece in tokens if isinstance(piece, str)), "")
    return OptionalPieces(pieces, flag)


def _mark(text: str) -> pp.ParserElement:
    return pp.Suppress(pp.Literal(text).leave_whitespace())


def _template_grammar() -> pp.ParserElement:
    """Return the pyparsing grammar of templates; it yields pieces.

    No terminal skips leading blanks, which are part of a template.
    """
    opens, closes = _mark("{"), _mark("}")
    name = pp.Regex("[a-z_]+").set_name("a name").leave_whitespace()
    text = pp.Regex(r"(?:[^{}]|\{\{|\}\})+").set_name("text").leave_whitespace()
    text.add_parse_action(lambda tokens: Literal(tokens[0].replace("{{", "{").replace("}}", "}")))
    flagged_text = pp.Regex(r"[^{}=]+").leave_whitespace()
    flagged_text.add_parse_action(lambda tokens: Literal(tokens[0]))
    wording = pp.Regex(r"[^{}|?][^{}|]*").set_name("a wording").leave_whitespace()

    field = opens + name + pp.Opt(_mark(":") + name) + closes
    field.add_parse_action(_field_piece)
    choice = opens + wording + (_mark("|") + wording)[1, ...] + closes
    choice.add_parse_action(lambda tokens: Wordings(tuple(tokens)))
    optional = pp.Forward()
    pieces: pp.ParserElement = (optional | choice | field | text)[1, ...]
    flagged = flagged_text + _mark("=") + name
    optional <<= _mark("{?") + (flagged + closes | pieces + closes)
    optional.add_parse_action(_optional_piece)
    return pieces


_TEMPLATE = _template_grammar()
