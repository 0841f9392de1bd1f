"""The page of grammars: what is included, and what each field and event of a line is."""

from __future__ import annotations

from collections.abc import Iterator

from docs.site.reference.markdown import code, page
from handread.formats.grammar import AnyGrammar, Grammar, GrammarFile, grammar_files, parse_grammar
from handread.formats.line_patterns import EVENTS, PARTS
from handread.formats.template import FIRST_FIELDS, NAMED_KINDS
from handread.formats.xml_grammar import XmlGrammar
from handread.game.rules import VARIANTS


def grammars_page() -> str:
    """Return the page of the grammars."""
    readable = ", ".join(f"{code(key)} ({g.title})" for key, g in VARIANTS.items() if g.readable)
    counted = ", ".join(code(key) for key, game in VARIANTS.items() if not game.readable)
    return page(
        "grammars.md",
        grammars=[(file, parse_grammar(file.text, file.file)) for file in grammar_files()],
        about=about,
        facts=_facts,
        readable=readable,
        counted=counted,
        parts=", ".join(map(code, PARTS)),
        field=_field,
        event=_event,
    )


def about(file: GrammarFile) -> str:
    """Return the comment at the head of a grammar, without the line on the keys."""
    lines = file.text.partition("\nname =")[0].splitlines()
    words = (line.removeprefix("#").strip() for line in lines if "The keys are" not in line)
    return " ".join(words)


def _facts(file: GrammarFile, grammar: AnyGrammar) -> Iterator[str]:
    """Yield what a grammar reads, and how."""
    rules, printed = grammar.house_rules, isinstance(grammar, Grammar) and grammar.print_rules
    kind = "XML elements" if isinstance(grammar, XmlGrammar) else "lines"
    events = {pattern.event for pattern in grammar.patterns}
    games = dict.fromkeys(grammar.variants.values())
    currencies = [grammar.money.codes.get(symbol, symbol) for symbol in grammar.money.symbols]
    yield f"File: [`{file.file}`](../../grammars/{file.file}), with patterns of {kind}"
    yield f"Logs are {'read and printed' if printed else 'only read'}"
    yield "Games: " + ", ".join(code(key) for key in games if VARIANTS[key].readable)
    yield "Currencies: " + (f"{', '.join(currencies)}; chips" if currencies else "chips")
    if grammar.by_deals:
        yield "Streets: by the deals; headings are ignored"
    else:
        yield f"Streets: by {'headings' if 'street' in events else 'blocks of deals'}"
    yield (
        f"Bets and raises on a street: {rules.cap}; between two players "
        f"{rules.cap_heads_up or 'any number'}"
    )
    yield (
        f"Bring-in where nobody posts it: {rules.cash_bring_in} of the small bet, "
        f"{rules.tournament_bring_in} in tournaments"
    )
    yield f"Patterns: {len(grammar.patterns)} for {len(events)} of the {len(EVENTS)} events"


def _field(name: str, kind: str = "") -> str:
    """Return a field with its kind: by default the one that its name implies."""
    first = ", first lines" if name in FIRST_FIELDS else ""
    return f"{code(name)}<br>{kind or NAMED_KINDS.get(name, 'text')}{first}"


def _event(name: str) -> str:
    """Return an event with the fields that it needs."""
    needs = [", ".join(map(code, sorted(need))) for need in EVENTS[name] if need]
    return code(name) + (f"<br>needs {' or '.join(needs)}" if needs else "")
