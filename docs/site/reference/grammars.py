"""The page of grammars: their keys, templates, fields and events, and those included."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from docs.site.reference.markdown import (
    block,
    bullets,
    code,
    link,
    page,
    prose,
    sentence,
    table,
)
from handread.formats.grammar import AnyGrammar, Grammar, GrammarFile, grammar_files, parse_grammar
from handread.formats.line_patterns import EVENTS, PARTS
from handread.formats.styles import CardStyle, MoneyStyle
from handread.formats.template import FIRST_FIELDS, NAMED_KINDS, TELLING, field_kinds
from handread.formats.xml_grammar import XmlGrammar
from handread.game.rules import VARIANTS

INTRODUCTION = """\
A grammar is a TOML file that says how the logs of a room are read and printed. [Add your room in
half an hour](../add-a-room.md) builds one step by step, and lists common faults. This page has
every key, field and event, and the grammars that handread includes. `handread formats --lint FILE`
checks a file against all of this.
"""

TOP: Mapping[str, str] = {
    "name": "name for `--dialect` and `--to`: lowercase letters, digits and dashes",
    "title": "name for people",
    "starts": "regular expression for the beginning of a hand's first line; it must fit no other",
    "variants": "names of games in the logs, each with the key of the game",
    "other_games": "names for games that the room numbers; their hands are counted by these names",
    "money": "how amounts are written",
    "cards": "how cards are written",
    "dates": "how dates are written",
    "labels": "how hand numbers and tables are written",
    "streets": "what marks the streets",
    "house_rules": "rules of the room that its logs do not state",
    "print": "how hands are printed; without this table they are only read",
    "line": "a line pattern, as often as needed: `[[line]]`",
    "xml": "in place of lines: the structure of logs in XML",
    "element": "in place of lines: an element pattern, as often as needed: `[[element]]`",
}
"""The keys of a grammar."""

KEYS: Mapping[str, Mapping[str, str]] = {
    "money": {
        "symbols": "every currency symbol of the logs, such as `$€£`; empty if amounts have none",
        "pot_before_rake": "true if the total pot that the log states includes the rake",
        "raised_by": "what the field `by` of a raise is: `increase` or `added`. Leave it out if "
        "logs of the room differ; `check --strict` then does not compare it",
        "after": "true to print the symbol after the amount: `5€`",
        "apart": "true for a blank between symbol and amount: `$ 5`",
        "codes": "currency code of each symbol, such as `USD`",
    },
    "cards": {
        "hidden": "list of texts for an unseen card; the first is printed",
        "ten": "printed rank of a ten; `T` and `10` are both read",
        "between": "printed text between two cards; blanks and commas are read",
        "suit_first": "true for `DA`, the ace of diamonds",
        "shown_in_order": "false if the last downcard of a shown hand may be anywhere in it",
        "owner_only": "true if a log may list the cards of its owner and of nobody else",
    },
    "dates": {
        "forms": "list of formats such as `%d %B %Y %H:%M`; the first is printed. `%-d` has no "
        "leading zero, `%b` is `Jan`, `%a` is `Mon`, `%Z` a time zone, `%*` any text",
        "zone": "time zone of the room, such as `ET`",
    },
    "labels.hand_id": {
        "own": "regular expression for the room's own hand numbers",
        "other": "how hand numbers of other rooms are printed, such as `0-{int}-0`; reading takes "
        "the rest off again. A name that is no number is printed as a number made from it",
    },
    "labels.table": {
        "own": "regular expression for the room's own names of tables",
        "other": "how other names are printed, such as `{text} [0]`",
    },
    "streets": {
        "by_deals": "true if the deals mark the streets, and headings are missing or wrong",
        "one_by_one": "true if each of the first three cards has a line of its own",
    },
    "house_rules": {
        "cap": "number of bets and raises that a street allows, the first bet counted",
        "cap_heads_up": "the same between two players; without it there is no cap",
        "open_pair_doubles": "true if an open pair on 4th street allows a double bet",
    },
    "house_rules.default_bring_in": {
        "cash": "bring-in as a share of the small bet, such as `1/2`, where nobody posts it",
        "tournament": "the same in tournaments",
    },
    "print": {
        "raise_by": "what the field `by` of a raise is, `increase` or `added`; without it, "
        "patterns with `by` are not printed",
        "thousands": "true for commas: `1,234`",
        "cents": "true for two decimals in whole amounts: `1.00`",
        "bare": "true for amounts without a symbol",
        "unknown": "texts of fields that another log may lack: `hand_id`, `table`, `date`, "
        "`button`, `pot`",
        "tournament": "texts of fields that the first line of a tournament needs",
    },
    "xml": {
        "hand": "element of a hand",
        "about": "list of elements that apply to the hands after them",
        "first_seat": "number of the first seat, 0 or 1",
    },
}
"""The keys of each table of a grammar."""

PATTERN_KEYS: Mapping[str, str] = {
    "event": "what the line reports: one of the events below",
    "template": "the line, in the notation of templates",
    "example": "a line that the template matches",
    "from": "where the example was seen",
    "set": "values that the line implies without stating them, by field",
    "part": f"the only part of a hand where it matches: {', '.join(code(part) for part in PARTS)}",
    "printed": "false for a pattern that is only read",
    "printed_on": "list of the streets on which it is printed, such as `[4, 5, 6]`",
}
"""The keys of a line pattern; an element pattern has the first five."""

NOTATION: Mapping[str, str] = {
    "{name}": "a field; its name implies its kind",
    "{name:kind}": "a field of another kind",
    "{Calls|calls}": "one of several wordings; the first is printed",
    "{? for {fee}}": "an optional part with fields",
    "{?, all in=all_in}": "an optional part without fields, recorded as a flag",
    "{{": "a brace",
}
"""The notation of templates."""

KIND_MEANINGS: Mapping[str, str] = {
    "player": "a name of a player of this hand, blanks included",
    "amount": "an amount, such as `$1,234.50`, `12€` or `40`",
    "close": "an amount without a blank, even if `apart` is set",
    "signed": "an amount that may have a sign",
    "cards": "cards, separated by blanks or commas",
    "card": "one card",
    "street": "`3rd` to `7th` or `third` to `seventh`, in five-card stud `2nd` to `5th`",
    "int": "digits",
    "code": "three or four capital letters, such as `USD`",
    "stamp": "digits of a date and time",
    "word": "text without blanks",
    "text": "any text",
    "plain": "text without brackets",
}
"""The kinds of fields."""

FIELD_MEANINGS: Mapping[str, str] = {
    "hand_id": "number of the hand",
    "game": "name of the game, one of `[variants]`",
    "small": "bet of the first street",
    "big": "bet of the last street",
    "limit": "the limit; hands of no-limit and pot-limit stud are only counted",
    "ante": "the ante",
    "bring_in": "the bring-in",
    "currency": "currency of the hand",
    "date": "date and time of the hand",
    "table": "name of the table",
    "hero": "the player whose log it is",
    "tournament": "number of the tournament; also a flag of hands of tournaments",
    "stacks_after_antes": "flag: the stacks are those after the antes",
    "player": "name of the player who acts",
    "seat": "number of the seat that acts",
    "stack": "chips of a seat before the hand",
    "street": "the street that begins",
    "cards": "new cards of a deal, or the cards of a shown hand",
    "card": "a card that all players share",
    "old": "cards that the seat had before a deal",
    "new": "the new card of a deal",
    "all": "all cards of the seat after a deal",
    "amount": "an amount that is paid, returned or totalled",
    "of": "the pot before the rake",
    "added": "chips that the player puts in now",
    "to": "total of the player on the street",
    "by": "first amount of a raise; only checked, if `raised_by` says what it is",
    "hand_total": "total of the player in the hand; matched and ignored",
    "rake": "the rake",
    "fee": "a fee that is taken like a rake",
    "net": "what a seat won or lost in the hand",
    "order": "place of an action among those of its betting round, in XML",
    "winners": "several winners with their amounts: `Ann ($1), Ben ($2)`",
    "pot": "name of the pot",
    "remark": "text that is kept as a remark",
    "all_in": "flag: the player is all-in",
    "double": "flag: the big bet on 4th street",
    "sitting_out": "flag: the player sits out",
    "me": "flag: the seat of the player whose log it is",
    "mucked": "flag: the hand was mucked",
    "alone": "set it to `yes` for a line about a player whom nobody called",
}
"""The fields and flags that mean something; any other name matches a text that is ignored."""

EVENT_MEANINGS: Mapping[str, str] = {
    "hand": "the first line of a hand. With `about` it states `hand_id` and `game`, and `small` "
    "and `big` if the log does",
    "about": "a further line about the hand, before the seats",
    "table": "the table",
    "seat": "a seat with its player and stack",
    "antes": "the heading of the antes; adds nothing",
    "ante": "an ante",
    "street": "a heading of a street. `nth` is its number among the streets of the game, from 1, "
    "for logs that count the deals of any game",
    "blocks": "from here on blocks of deals mark the streets",
    "deal": "a deal to a seat. The third card of the first street is the upcard",
    "bring_in": "a bring-in",
    "check": "a check",
    "fold": "a fold",
    "bet": "a bet",
    "call": "a call",
    "raise": "a raise",
    "complete": "a completion of the bring-in",
    "all_in": "an action with the last chips; its amount makes it a bet, a call or a raise",
    "uncalled": "the uncalled part of a bet, which returns to its player",
    "show": "a shown hand, in the order of the deal",
    "muck": "a player who does not show",
    "collect": "a payment from a pot",
    "total": "the total pot",
    "rake": "the rake",
    "net": "what a seat won or lost in all; used if the log states no winnings",
    "summary": "the beginning of the summary",
    "revealed": "cards in the summary; used if the play did not show them",
    "won": "a payment in the summary; used if the play did not state it",
    "showdown": "the heading of the showdown; adds nothing",
    "board": "a shared card that is repeated; adds nothing",
    "folded": "a fold that the summary repeats; adds nothing",
    "mucked": "a mucked hand that the summary repeats; adds nothing",
    "known": "a line that repeats others and is not printed; adds nothing",
    "end": "the last line of a hand; adds nothing",
    "remark": 'any other line; kept unchanged. `set = { low = "none" }` marks the line that says '
    "that no low qualified",
}
"""The events that a line can report."""


def grammars_page() -> str:
    """Return the page of the grammars."""
    return page(
        "Grammar reference",
        prose(INTRODUCTION),
        bullets(
            link(title)
            for title in (
                "Included grammars",
                "Keys of a grammar",
                "Line patterns",
                "Templates",
                "Kinds of fields",
                "Fields and flags",
                "Events",
            )
        ),
        *_included(),
        *_keys(),
        *_patterns(),
        *_templates(),
        *_events(),
    )


# The included grammars


def _included() -> Iterator[str]:
    """Yield the section of the included grammars."""
    yield "## Included grammars"
    yield prose(
        "What each room's logs list, and the years that were checked, is in [Formats and rooms]"
        "(../formats.md#rooms). `handread formats --explain NAME` prints every pattern of a room "
        "with an example."
    )
    for file in grammar_files():
        yield f"### {file.name}"
        yield from _grammar(file, parse_grammar(file.text, file.file))


def about(file: GrammarFile) -> str:
    """Return the comment at the head of a grammar, without the line on the keys."""
    lines = file.text.partition("\nname =")[0].splitlines()
    words = (line.removeprefix("#").strip() for line in lines if "The keys are" not in line)
    return " ".join(words)


def _grammar(file: GrammarFile, grammar: AnyGrammar) -> Iterator[str]:
    """Yield what a grammar reads, and how."""
    yield prose(about(file))
    rules, printed = grammar.house_rules, isinstance(grammar, Grammar) and grammar.print_rules
    kind = "XML elements" if isinstance(grammar, XmlGrammar) else "lines"
    events = len({pattern.event for pattern in grammar.patterns})
    games = dict.fromkeys(grammar.variants.values())
    yield bullets(
        (
            f"File: [`{file.file}`](../../grammars/{file.file}), with patterns of {kind}",
            f"Logs are {'read and printed' if printed else 'only read'}",
            "Games: " + ", ".join(code(key) for key in games if VARIANTS[key].readable),
            f"Currencies: {_currencies(grammar)}",
            f"Streets: {_streets(grammar)}",
            f"Bets and raises on a street: {rules.cap}; between two players "
            f"{rules.cap_heads_up or 'any number'}",
            f"Bring-in where nobody posts it: {rules.cash_bring_in} of the small bet, "
            f"{rules.tournament_bring_in} in tournaments",
            f"Patterns: {len(grammar.patterns)} for {events} of the {len(EVENTS)} events",
        )
    )


def _currencies(grammar: AnyGrammar) -> str:
    names = [grammar.money.codes.get(symbol, symbol) for symbol in grammar.money.symbols]
    return f"{', '.join(names)}; chips" if names else "chips"


def _streets(grammar: AnyGrammar) -> str:
    if grammar.by_deals:
        return "by the deals; headings are ignored"
    events = {pattern.event for pattern in grammar.patterns}
    return "by blocks of deals" if "street" not in events else "by headings"


# Keys


def _keys() -> Iterator[str]:
    """Yield the section of the keys of a grammar."""
    yield "## Keys of a grammar"
    yield _meanings("key", TOP)
    games = ", ".join(f"`{key}` ({game.title})" for key, game in VARIANTS.items() if game.readable)
    counted = ", ".join(code(key) for key, game in VARIANTS.items() if not game.readable)
    yield prose(
        f"The games of `[variants]` are {games}. Hands of other games are counted by name: "
        f"{counted}."
    )
    for name, keys in KEYS.items():
        yield f"### [{name}]"
        yield _meanings("key", keys)


def _meanings(of: str, texts: Mapping[str, str]) -> str:
    """Return a table of names and what they mean."""
    return table((of, "meaning"), ((code(name), sentence(text)) for name, text in texts.items()))


def _patterns() -> Iterator[str]:
    """Yield the section of line patterns."""
    yield "## Line patterns"
    yield _meanings("key", PATTERN_KEYS)
    yield prose(
        "Patterns are tried from top to bottom: put the narrower one first. Of the patterns that "
        "can print an event, the one that states most about it is printed "
        "([which one](../add-a-room.md#keys-of-a-line-pattern))."
    )


# Templates


def _templates() -> Iterator[str]:
    """Yield the sections of templates, of the kinds of fields, and of fields."""
    yield "## Templates"
    yield prose("A template is the line itself, with fields and other pieces in braces:")
    yield bullets(f"{code(piece)}: {text}" for piece, text in NOTATION.items())
    yield prose("A run of blanks in a template matches any run of blanks.")
    yield "## Kinds of fields"
    kinds = field_kinds(CardStyle(), MoneyStyle(""))
    yield table(
        ("kind", "matches"), ((code(kind), sentence(KIND_MEANINGS[kind])) for kind in kinds)
    )
    yield "## Fields and flags"
    yield prose(
        "A field of any other name matches some text and is ignored. A flag has no kind: it is the "
        "name of an optional part, or is given by `set`."
    )
    yield table(("field", "meaning"), map(_field, sorted(TELLING)))


def _field(name: str) -> tuple[str, str]:
    flag = name not in NAMED_KINDS and name not in FIRST_FIELDS
    text = FIELD_MEANINGS[name]
    kind = "" if text.startswith(("flag", "set")) else NAMED_KINDS.get(name, "text")
    first = ", first lines" if name in FIRST_FIELDS else ""
    words = f"<br>{kind or 'flag'}{first}"
    return f"{code(name)}{words}", sentence(
        re.sub("^flag: ", "", text) if flag or not kind else text
    )


# Events


def _events() -> Iterator[str]:
    """Yield the section of events."""
    yield "## Events"
    yield prose(
        "Every event needs the fields that are listed under it, in the template or in `set`. An "
        "event of a player also needs `player` or `seat`."
    )
    yield table(("event", "meaning"), map(_event, EVENTS))
    yield block(
        '[[line]]\nevent = "raise"\ntemplate = "{player}: raises {by} to {to}"\n'
        'example = "Lena: raises $1 to $2"\nfrom = "my logs, 2031"',
        "toml",
    )


def _event(name: str) -> tuple[str, str]:
    needs = [", ".join(code(field) for field in sorted(need)) for need in EVENTS[name] if need]
    words = f"<br>needs {' or '.join(needs)}" if needs else ""
    return f"{code(name)}{words}", sentence(EVENT_MEANINGS[name])
