"""A hand of a room that writes lines, from its lines to a sheet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from handread.history import Problem
from handread.notation.grammar import Grammar
from handread.notation.lines import Line, read_about, read_header, read_line, split_winners
from handread.notation.sheet import NumberedLine, Sheet, problem_at
from handread.notation.statement import Misread

MAX_LINES = 5_000
"""A hand of more lines is none, and to look at each of them would take for ever."""

_BEGINS_PLAY = ("antes", "ante", "street", "blocks", "deal")


def read_block(grammar: Grammar, file: str, block: Sequence[NumberedLine]) -> Sheet | Problem:
    """The sheet of the lines of a hand; a problem if the first of them is none of a hand's.

    Only the first lines of a hand of a game that is not read are looked at.
    """
    header = read_header(grammar, *block[0])
    if isinstance(header, Misread):
        return problem_at(grammar, file, block[0], header, block[-1][0])
    if len(block) > MAX_LINES:
        why = Misread(1, f"a hand of {len(block):,} lines", "the beginning of the next hand")
        return problem_at(grammar, file, block[0], why, block[-1][0])
    sheet = Sheet(grammar, file, header, block[-1][0])
    rest = list(_without_abouts(sheet, grammar, block[1:]))
    if sheet.readable:
        _read_lines(sheet, grammar, rest)
    return sheet


def _without_abouts(
    sheet: Sheet, grammar: Grammar, lines: Sequence[NumberedLine]
) -> Iterator[NumberedLine]:
    """The lines but for those that complete the first one, which go to the sheet.

    They stand before any player: each takes the first form that it fits, and ends the head.
    """
    head = bool(grammar.abouts)
    for number, text in lines:
        head = head and not _is_seat(grammar, text)
        said = read_about(grammar, number, text) if head else None
        if said is None:
            yield number, text
        else:
            sheet.abouts.append(said)


def _is_seat(grammar: Grammar, text: str) -> bool:
    line = text.rstrip()
    return any(rule.event == "seat" and rule.match(line) for rule in grammar.by_part["head"])


def _read_lines(sheet: Sheet, grammar: Grammar, lines: Sequence[NumberedLine]) -> None:
    """Every line on its own; what it is depends on the part of the hand it stands in."""
    part = "head"
    for number, text in lines:
        said = read_line(grammar, sheet.seating, part, number, text)
        if isinstance(said, Misread):
            sheet.refuse((number, text), said)
        elif said is None:
            sheet.said.append((number, text))
        elif said.rule.event == "seat":
            sheet.take_seat(said, int(said.word("seat")))
        elif "winners" in said:
            _take_winners(sheet, said)
        else:
            part = _part_after(part, said)
            sheet.said.append(said)


def _take_winners(sheet: Sheet, line: Line) -> None:
    """A line that lists who won what is as many statements as it has winners."""
    shares = split_winners(sheet.seating, line)
    if isinstance(shares, Misread):
        sheet.refuse_statement(line, shares)
        return
    for n, (seat, amount) in enumerate(shares):
        values = {**line.values, "amount": amount}
        if n:  # the pot itself is told once
            values.pop("of", None)
        sheet.said.append(replace(line, values=values, seat=seat))


def _part_after(part: str, line: Line) -> str:
    """The part of a hand's text that a line leaves the reader in."""
    if line.rule.event == "summary":
        return "summary"
    return "play" if part == "head" and line.rule.event in _BEGINS_PLAY else part
