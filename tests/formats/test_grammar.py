"""Grammars of rooms: the template language, line patterns, and how errors are explained."""

from __future__ import annotations

import re
import tomllib
from importlib.resources import files

import pytest

from handread.formats.faults import GrammarError
from handread.formats.format import LineError
from handread.formats.grammar import Grammar, grammar_files, parse_grammar
from handread.formats.room import rooms
from handread.formats.room_read import SeatedPlayers, read_about, read_header, read_line
from handread.formats.styles import CardStyle, MoneyStyle
from handread.formats.template import field_kinds, parse_template, printed, regex_of

INSTALLED = [room.grammar for room in rooms()]
GRAMMARS = {grammar.name: grammar for grammar in INSTALLED if isinstance(grammar, Grammar)}
KINDS = field_kinds(CardStyle(), MoneyStyle("$€"))


def match(template: str, line: str) -> dict[str, str | None] | None:
    found = re.fullmatch(regex_of(parse_template(template), KINDS), line)
    return found.groupdict() if found else None


@pytest.mark.parametrize(
    ("template", "line", "fields"),
    [
        ("{player}: checks", "a: b: checks", {"player": "a: b"}),
        ("pays {added}", "pays $1,234.50", {"added": "$1,234.50"}),
        ("pays {added}", "pays 12€", {"added": "12€"}),
        ("pays {added}", "pays $1,23", None),
        ("pays {added}", "pays $1€", None),
        ("has [{cards}]", "has [7h Ts]", {"cards": "7h Ts"}),
        ("has [{card}]", "has [of]", None),
        ("calls{? and is all-in=all_in}", "calls and is all-in", {"all_in": " and is all-in"}),
        ("calls{? and is all-in=all_in}", "calls", {"all_in": None}),
        ("pot {amount}{? | Rake {rake}}", "pot 5 | Rake 1", {"amount": "5", "rake": "1"}),
        ("{Call|Calls} now", "Calls   now", {}),
        ("of {{{club}}}{? (x{?, y {n:int}})}", "of {A} (x, y 3)", {"club": "A", "n": "3"}),
    ],
)
def test_templates(template: str, line: str, fields: dict[str, str | None] | None) -> None:
    assert match(template, line) == fields


def test_a_template_prints_what_it_is_given() -> None:
    pieces = parse_template("{player}: {calls|rings} {added}{? and is all-in=all_in}{? ({hand})}")
    assert printed(pieces, {"player": "Lena", "added": "$2"}) == "Lena: calls $2"
    full = {"player": "Lena", "added": "$2", "all_in": "yes", "hand": "a pair"}
    assert printed(pieces, full) == "Lena: calls $2 and is all-in (a pair)"
    with pytest.raises(KeyError):
        printed(pieces, {"player": "Lena"})


@pytest.mark.parametrize("name", GRAMMARS)
def test_every_example_is_read_by_its_own_pattern_and_printed_back(name: str) -> None:
    grammar, seating = GRAMMARS[name], SeatedPlayers()
    for number in range(1, 9):
        player = "" if name == "bovada" else "Lena" if number == 1 else f"player {number}"
        seating.add(number, player)
    own = next(tomllib.loads(file.text) for file in grammar_files() if file.name == name)
    for pattern in grammar.patterns[: len(own["line"])]:
        if pattern.event == "hand":
            line: object = read_header(grammar, 1, pattern.example)
        elif pattern.event == "about":
            line = read_about(grammar, 1, pattern.example)
        else:
            line = read_line(grammar, seating, pattern.part or "play", 1, pattern.example + " ")
        assert line.pattern is pattern
        assert pattern.print(line.values) == pattern.example
        assert pattern.origin


@pytest.mark.parametrize("name", GRAMMARS)
def test_every_variant_of_stud_is_known(name: str) -> None:
    assert {"stud", "stud8"} <= set(GRAMMARS[name].variants.values())
    assert GRAMMARS[name].variant("Hold'em No Limit") == "other"


@pytest.mark.parametrize(
    ("line", "column", "expected"),
    [
        ("Lena: cals 72", 7, r"one of: .*checks.*calls.*bets"),
        ("Lena: calls 72 and is allin", 23, "all-in"),
        ("Lena: checks twice", 14, "the end of the line"),
        ("Dealt to Lena [7h 7xyz]", 19, r"\]"),
    ],
)
def test_an_unreadable_line_says_where_and_what(line: str, column: int, expected: str) -> None:
    seating = SeatedPlayers()
    seating.add(1, "Lena")
    with pytest.raises(LineError) as error:
        read_line(GRAMMARS["pokerstars"], seating, "play", 1, line)
    assert error.value.column == column
    assert re.search(expected, error.value.expected)


GRAMMAR = """
name = "here"
title = "Here"
starts = "^hand "
[money]
symbols = "$"
pot_before_rake = true
[house_rules]
cap = 4
open_pair_doubles = true
default_bring_in = { cash = "1/2", tournament = "1/2" }
[variants]
"stud" = "stud"
[[line]]
event = "hand"
template = "hand {hand_id} of {game}"
example = "hand 7 of stud"
from = "here"
[[line]]
event = "call"
template = "{player} calls {added}"
example = "Lena calls 5"
from = "here"
"""


SECOND = "[[line]] 2, "


@pytest.mark.parametrize(
    ("old", "new", "line", "fault"),
    [
        ("{added}", "{sum}", 21, f"{SECOND}template: call needs added or to"),
        ("{player} calls", "all call", 21, f"{SECOND}template: call needs player or seat"),
        ("{player}", "{player", 21, f"{SECOND}template: column 15 of the template"),
        ("cap = 4", "", 8, "[house_rules], cap: is missing: the number of bets on a street"),
        ("doubles = true", "doubles = 1", 10, "[house_rules], open_pair_doubles: must be true or"),
        ("symbols", "raised_by = 3\nsymbols", 6, "[money], raised_by: must be a string, not 3"),
        ('"1/2", t', '"2", t', 11, "[house_rules.default_bring_in], cash: must be more than 0"),
        ('lls 5"', 'lls 5"\nprinted_on = [8]', 23, f"{SECOND}printed_on: must be a list of street"),
        ("[money]", "[money", 5, "this is not TOML"),
        ("{game}", "{what}", 14, "line: no pattern for a hand's first lines states its game"),
        ('"^hand "', '"^hand ("', 4, "starts: is not a regular expression"),
        ('"^hand "', '"^"', 4, "starts: matches an empty text"),
        ('name = "here"', 'name = "Here!"', 2, "name: must be lowercase letters"),
    ],
)
def test_a_wrong_grammar_is_an_error_that_says_where_and_why(
    old: str, new: str, line: int, fault: str
) -> None:
    assert parse_grammar(GRAMMAR, "here.toml").title == "Here"
    assert old in GRAMMAR
    with pytest.raises(GrammarError) as error:
        parse_grammar(GRAMMAR.replace(old, new), "here.toml")
    assert str(error.value).startswith(f"here.toml:{line}: {fault}")


def test_a_table_that_is_not_one_is_told_once() -> None:
    text = GRAMMAR.replace("[money]\n", "money = 3\n[other]\n")
    with pytest.raises(GrammarError) as error:
        parse_grammar(text, "here.toml")
    assert str(error.value).count("money: must be a table, not 3") == 1


def test_all_that_is_wrong_is_told_at_once_in_order() -> None:
    text = GRAMMAR.replace('"call"', '"cal"').replace("cap = 4", "cap = 0").replace("1/2", "x")
    with pytest.raises(GrammarError) as error:
        parse_grammar(text, "here.toml")
    assert [fault.line for fault in error.value.faults] == [9, 11, 11, 20]


RAISE_BY, UNPRINTED = 'raise_by = "increase"', "print: no pattern for"


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        (RAISE_BY, 'raise_by = "more"', "[print], raise_by: must be increase or added, not 'more'"),
        (RAISE_BY, "", f"{UNPRINTED} 'raise' can be printed"),
        (RAISE_BY, 'raised_by = "added"', "[print], raised_by: there is no such"),
        (RAISE_BY, f"{RAISE_BY}\nthousands = 1", "[print], thousands: must be true or false"),
        ('pot = "pot"', "pot = 5", "[print.unknown], pot: must be a string, not 5"),
        ('pot = "pot"', 'pott = "pot"', "[print.unknown], pott: there is no field 'pott'"),
        ("{player}: checks", "{player}: {how} checks", f"{UNPRINTED} 'check' can be printed"),
    ],
)
def test_a_grammar_that_cannot_print_a_hand_is_an_error(old: str, new: str, fault: str) -> None:
    text = files("handread.grammars").joinpath("pokerstars.toml").read_text("utf-8")
    assert old in text
    with pytest.raises(GrammarError) as error:
        parse_grammar(text.replace(old, new), "stars.toml")
    assert any(fault in str(one) for one in error.value.faults), error.value


@pytest.mark.parametrize(
    ("labels", "fault"),
    [
        ('own = "("\nother = "{int}"', "[labels.table], own: is not a regular expression"),
        ('own = "x"\nother = "0-{}"', "[labels.table], other: must be a text with"),
        ('own = "x"', "[labels.table], other: is missing"),
        ('own = "x"\nothr = "{int}"', "[labels.table], othr: there is no such key"),
    ],
)
def test_wrong_forms_of_labels_are_told(labels: str, fault: str) -> None:
    with pytest.raises(GrammarError) as error:
        parse_grammar(f"{GRAMMAR}\n[labels.table]\n{labels}\n", "here.toml")
    assert fault in str(error.value)
