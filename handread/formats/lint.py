"""Checks of a grammar: whether patterns read their own examples, and whether any are missing."""

import re
import tomllib
from itertools import product

from handread.formats.explain import explain, wordings
from handread.formats.faults import Fault, GrammarError, GrammarReader
from handread.formats.format import LineError
from handread.formats.grammar import AnyGrammar, Grammar, parse_grammar
from handread.formats.line_patterns import LinePattern, ParsedLine, misspelt_field
from handread.formats.room_read import MAX_SEAT, SeatedPlayers, read_about, read_header, read_line
from handread.formats.xml_grammar import ElementPattern, XmlGrammar, the_element

_NEEDED = ("hand", "seat", "ante", "deal", "bring_in", "fold", "check", "call", "bet", "raise")
"""The events that hands cannot do without."""

_WINNINGS = ("collect", "won", "net")
_SHOWDOWN = ("show", "revealed")

_PIECE = re.compile(
    r"(?P<open>\()|(?P<close>\))|(?P<times>(?:[*+?]|\{[0-9]*,?[0-9]*\}))(?P<how>[+?]?)"
    r"|\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|.",
    re.DOTALL,
)
"""Matches a piece of a regular expression: a bracket, a repetition, or a repeated item."""

_MANY = 10
"""Nested repetitions of at most this number of times cannot take long."""


def lint(text: str, file: str) -> tuple[AnyGrammar | None, list[Fault]]:
    """Compile a grammar and check it; return ``None`` for a wrong one, and the faults by line.

    Every example must be read by its own pattern, examples of first lines must begin a hand, and
    every event that hands need must have a pattern. Without faults, there may be warnings: the
    grammar may be slow, or lack the end of hands.
    """
    try:
        grammar = parse_grammar(text, file)
    except GrammarError as error:
        return None, error.faults
    reader = GrammarReader(file, text)
    if isinstance(grammar, Grammar):
        kind, reasons = ("line", [_line_fault(grammar, each) for each in grammar.patterns])
    else:
        kind, reasons = ("element", [_element_fault(grammar, each) for each in grammar.patterns])
    n_own = len(tomllib.loads(text)[kind])  # patterns of the room named in like come behind them
    for n, (pattern, why) in enumerate(zip(grammar.patterns[:n_own], reasons, strict=False)):
        with reader.at(kind, n):
            if why:
                reader.add(why, "example")
            if meant := misspelt_field(pattern):
                reader.add(meant, "template")
    _check_starts(grammar, reader)
    events = {pattern.event for pattern in grammar.patterns}
    for event in _NEEDED:
        if event not in events and not (event == "raise" and "complete" in events):
            reader.add(f"there is no pattern for the event {event!r}", kind)
    if not reader.found:
        _warn(grammar, events, reader)
    return grammar, sorted(reader.found, key=lambda fault: fault.line)


def _warn(grammar: AnyGrammar, events: set[str], reader: GrammarReader) -> None:
    if nested_repetition(grammar.starts.pattern):
        message = "repeats what is itself repeated, which may take forever on a line that nearly"
        reader.add(f"{message} matches; for (a+)+ write a+", "starts", warning=True)
    kind = "line" if isinstance(grammar, Grammar) else "element"
    if not events.intersection(_WINNINGS):
        message = "no pattern reads winnings (collect, won or net): pots and rake cannot be checked"
        reader.add(message, kind, warning=True)
    # In XML, the shown cards of a player may be among the dealt ones.
    if kind == "line" and not events.intersection(_SHOWDOWN):
        message = "no pattern reads a showdown (show or revealed): reads cannot be scored"
        reader.add(message, kind, warning=True)


def nested_repetition(regex: str) -> bool:
    """Return True if a regular expression repeats a group that has a repetition.

    It may take exponential time to fail, unless the repetition is possessive (``*+``).
    """
    inside = [False]  # by open group: True if it has a repetition
    group = False  # the same for a group that has just been closed
    for piece in _PIECE.finditer(regex):
        if piece["open"]:
            inside.append(False)
        elif piece["close"] and len(inside) > 1:
            group = inside.pop()
            inside[-1] |= group
            continue
        elif piece["times"] and piece["how"] != "+" and _is_many(piece["times"]):
            if group:
                return True
            inside[-1] = True
        group = False
    return False


def _is_many(times: str) -> bool:
    low, _, high = times.strip("{}").partition(",")
    if times in ("*", "+", "?"):
        return times != "?"
    return "," in times and low != high and (not high or int(high) > _MANY)


def _check_starts(grammar: AnyGrammar, reader: GrammarReader) -> None:
    firsts = [n for n, pattern in enumerate(grammar.patterns) if pattern.event == "hand"]
    astray = [n for n in firsts if not _begins(grammar, grammar.patterns[n].example)]
    if astray == firsts:
        reader.add("matches no example of the event 'hand'", "starts")
    elif isinstance(grammar, Grammar):
        for n in astray:
            message = "does not match the regular expression starts"
            reader.add(message, "line", n, "example")


def _begins(grammar: AnyGrammar, example: str) -> bool:
    """Return True if a hand begins with an example, alone or followed by other first lines."""
    others = [pattern.example for pattern in grammar.patterns if pattern.event == "about"]
    behind = ("", *others, *map("\n".join, product(others, repeat=2)))
    return any(grammar.starts.match(f"{example}\n{text}\n") for text in behind)


def _line_fault(grammar: Grammar, pattern: LinePattern) -> str:
    match = pattern.match(pattern.example)
    if match is None:
        return f"does not match its template: {_misfit(grammar, pattern)}"
    try:
        line = _read(grammar, pattern, match.groupdict().get("player") or "")
    except LineError as why:
        return f"is not read: {why.message}"
    if line is None:
        return "is not read"
    if line.pattern is pattern:
        return ""
    return f"is read by an earlier pattern, {line.pattern.template!r}"


def _misfit(grammar: Grammar, pattern: LinePattern) -> LineError:
    line, candidates = pattern.example, wordings(pattern.pieces, grammar.kinds)
    masked = _maskings(grammar, line) if "player" in pattern.fields else ()
    reasons = (explain(candidates, line, text) for text in masked or (line,))
    return max(reasons, key=lambda why: why.column)


def _maskings(grammar: Grammar, line: str) -> list[str]:
    """Return a line with its player masked: a name in other examples, or else each word."""
    names = SeatedPlayers()
    for pattern in grammar.patterns:
        match = pattern.match(pattern.example)
        names.add(1, (match and match.groupdict().get("player")) or "")
    if not any(name in line for name in names.names):
        for word in line.split():
            names.add(1, re.sub(r"^\W+|\W+$", "", word))
    return [masked for _, masked in names.maskings(line)]


def _read(grammar: Grammar, pattern: LinePattern, player: str) -> ParsedLine | None:
    if pattern.event == "hand":
        return read_header(grammar, 1, pattern.example)
    if pattern.event == "about":
        return read_about(grammar, 1, pattern.example)
    seating = SeatedPlayers()
    for number in range(1, MAX_SEAT + 1):
        seating.add(number, player if number == 1 else "")
    return read_line(grammar, seating, pattern.part or "play", 1, pattern.example)


def _element_fault(grammar: XmlGrammar, pattern: ElementPattern) -> str:
    try:
        element = the_element(pattern.example)
    except ValueError as error:
        return str(error)
    if element.tag != pattern.tag or pattern.match(element) is None:
        return "does not match its template"
    rivals = (other for other in grammar.by_tag[pattern.tag] if other.event == pattern.event)
    first = next(other for other in rivals if other.match(element) is not None)
    return "" if first is pattern else f"is read by an earlier pattern, {first.template!r}"
