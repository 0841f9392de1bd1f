"""Descriptions of formats, and of the faults of grammars."""

from collections.abc import Iterator, Sequence
from typing import Any

from handread.formats.faults import Fault
from handread.formats.format import Dialect, Writer
from handread.formats.grammar import AnyGrammar, Grammar, new_grammar
from handread.formats.line_patterns import EventPattern, LinePattern
from handread.formats.lint import lint
from handread.formats.log_reader import read_text
from handread.formats.registry import BUILT_IN, RESERVED
from handread.formats.room import PrintingRoom, room
from handread.game.replay import replay
from handread.game.rules import VARIANTS
from handread.history import History
from handread.report.tables import as_prose
from handread.report.words import visible
from handread.settings import settings_text

_PLAIN = {
    "saund": (
        "The compact notation of Saund (2006), figure 8: one line a seat, cells between bars.",
        "  hand: 17",
        "  game: ante .25  bring-in .25  bets 1 1 2 2 2  raises 4",
        "  1 Ann   | 7c Qs | 7h r   | 8h k  | Js bc  | 2c b  | Jh r",
        "Letters: B bring-in, k check, b bet, f fold, c call, r raise; . stands before the lead's.",
    ),
    "phh": (
        "The Poker Hand History format, version of PokerKit: TOML with the fields variant, antes,",
        "bring_in, small_bet, big_bet, starting_stacks and actions. Variant F7S is read.",
        '  actions = ["d dh p1 7cQs7h", "p3 pb", "p1 cbr 100", "p2 f"]',
    ),
}

_PROOF = """\
game: ante .25  bring-in .25  bets 1 1 2 2 2  raises {cap}
1 Ann | 7c Qs | 7h r | 8h k | Js bc | 2c b | Jh r
2 Bob | Ad Jd | 8d c | Kc .k | As .kr | 7d .kc | 4h .bc
3 Cid | ?? ?? | 3d .Bf
"""
"""A hand that every room must print and read again; ``cap`` is the cap of the room."""


def line(dialect: Dialect, width: int | None = None) -> str:
    """Return the line of a format in the list of formats."""
    does = "reads, writes" if isinstance(dialect, Writer) else "reads"
    text = f"{dialect.name:<13} {does:<13} {visible(dialect.title)}"
    return as_prose(text, hang=" " * 28, width=width)


def record(dialect: Dialect) -> dict[str, Any]:
    """Return a format as a JSON object."""
    return {
        "name": dialect.name,
        "title": dialect.title,
        "suffixes": list(dialect.suffixes),
        "writes": isinstance(dialect, Writer),
    }


def full_record(dialect: Dialect) -> dict[str, Any]:
    """Return a format with its line patterns as a JSON object."""
    grammar = getattr(dialect, "grammar", None)
    forms = list(map(_pattern_record, grammar.patterns)) if grammar is not None else []
    return {**record(dialect), "forms": forms}


def explained(dialect: Dialect, width: int | None = None) -> str:
    """Return the description of a format with all of its line patterns."""
    grammar = getattr(dialect, "grammar", None)
    lines = [f"{dialect.title}: --dialect {dialect.name}"]
    lines += _PLAIN.get(dialect.name, ()) if grammar is None else _explained(grammar)
    return "".join(as_prose(visible(each), hang=" " * 8, width=width) for each in lines)


def draft(name: str) -> str:
    """Return a draft grammar for a new room; raise ``ValueError`` for a bad or taken name."""
    text = new_grammar(name)
    if name in [dialect.name for dialect in BUILT_IN.dialects] or name in RESERVED:
        raise ValueError(f"handread reads {name} already; choose another name for your room")
    return text


def lint_lines(file: str) -> tuple[list[str], bool]:
    """Return the faults of a grammar file as lines, and True if some are more than warnings."""
    faults = _faults(file)
    wrong = any(not (isinstance(fault, Fault) and fault.warning) for fault in faults)
    lines = [visible(str(fault)) for fault in faults] or [f"{visible(file)}: nothing wrong"]
    return lines, wrong


def _pattern_record(pattern: EventPattern) -> dict[str, Any]:
    row = {"event": pattern.event, "template": pattern.template, "example": pattern.example}
    return {**row, "from": pattern.origin, "set": dict(pattern.constants)}


def _explained(grammar: AnyGrammar) -> Iterator[str]:
    yield f"a hand begins with: {grammar.starts.pattern}"
    for words, key in grammar.variants.items():
        yield f"game: {words!r} is {VARIANTS[key].title}"
    includes = "includes" if grammar.pot_before_rake else "excludes"
    yield f"money: {' '.join(grammar.money.symbols)}; the total pot {includes} the rake"
    if grammar.by_deals:
        yield "the deals mark the streets; headings are ignored"
    if grammar.cards.hidden:
        yield f"an unseen card: {' or '.join(map(repr, grammar.cards.hidden))}"
    rules = grammar.house_rules
    two = f"{rules.cap_heads_up} for two players" if rules.cap_heads_up else "no cap for two"
    yield (
        f"assumed: {rules.cap} bets a street, {two}; where nobody posts it, a bring-in "
        f"of {rules.cash_bring_in} of the small bet, {rules.tournament_bring_in} in tournaments"
    )
    yield ""
    for pattern in grammar.patterns:
        part = pattern.part if isinstance(pattern, LinePattern) else ""
        place = f" (in the {part})" if part else ""
        yield f"{pattern.event}{place}: {pattern.example}"
        yield f"    template: {pattern.template}"
        if pattern.constants:
            texts = (f"{name} = {text}" for name, text in pattern.constants.items())
            yield f"    means: {', '.join(texts)}"
        yield f"    from: {pattern.origin}"


def _faults(file: str) -> Sequence[Fault | str]:
    """Return the faults of a grammar file; those without a line are texts."""
    try:
        text = settings_text(file)
    except ValueError as error:
        return [str(error)]
    grammar, faults = lint(text, file)
    sound = all(fault.warning for fault in faults)
    if isinstance(grammar, Grammar) and grammar.print_rules is not None and sound:
        return [*faults, *_misprinted(grammar, file)]
    return faults


def _misprinted(grammar: Grammar, file: str) -> list[str]:
    """Print a hand and read it again; return the differences."""
    (hand,) = read_text(_PROOF.format(cap=grammar.house_rules.cap), "proof", "saund")
    assert isinstance(hand, History)
    before, writer = replay(hand), room(grammar)
    assert isinstance(writer, PrintingRoom)
    try:
        (again,) = writer.read(writer.write(before), file)
    except ValueError as error:
        return [f"{file}: print: a hand cannot be printed: {error}"]
    after = replay(again) if isinstance(again, History) else None
    if after is None or after.problem is not None:
        why = after.problem if after is not None else again
        return [f"{file}: print: a printed hand cannot be read again: {why}"]
    if (after.won, after.downcards, after.pot) != (before.won, before.downcards, before.pot):
        return [f"{file}: print: a printed hand is read as a different one"]
    return []
