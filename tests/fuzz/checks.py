"""What must hold for any bytes: hands or problems, never anything else."""

from __future__ import annotations

import io
import json
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from handread.engine import Replay, no_cards, replay, written_out
from handread.history import History, Problem, known_downcards, upcards
from handread.notation import (
    LogPiece,
    LogReader,
    Reading,
    Writer,
    dialect_named,
    dialects,
    read_bytes,
    read_stream,
    read_text,
)
from handread.notation.source import NotTextError
from handread.notation.stream import text_pieces
from handread.report.escape import visible
from tests.fuzz.cases import Case

LARGEST_FILE_SHOWN = 1_000_000
"""A message that is longer tells nobody anything."""


class BrokenLawError(AssertionError):
    """Something that must hold does not; the message says what."""


@dataclass(slots=True)
class Tally:
    """What was in the inputs: how many inputs, hands, hands replayed whole, hands printed."""

    inputs: int = 0
    hands: int = 0
    problems: int = 0
    accepted: int = 0
    printed: int = 0

    def add(self, other: Tally) -> None:
        """Counts another's as well."""
        self.inputs += other.inputs
        self.hands += other.hands
        self.problems += other.problems
        self.accepted += other.accepted
        self.printed += other.printed


def demand(holds: bool, what: str) -> None:
    """``BrokenLawError`` unless something holds."""
    if not holds:
        raise BrokenLawError(what)


def check(case: Case) -> Tally:
    """What an input holds; ``BrokenLawError``, or what the program raised, where it must not."""
    tally = Tally(inputs=1)
    readings = list(read_bytes(case.data, case.name, case.dialect or None))
    demand(bool(readings), "neither hands nor problems")
    try:
        lines = "".join(text_pieces(io.BytesIO(case.data))).split("\n")
    except NotTextError:
        lines = [""]
    for reading in readings:
        if isinstance(reading, Problem):
            tally.problems += 1
            _check_problem(reading, lines)
        elif isinstance(reading, History):
            tally.hands += 1
            tally.problems += len(reading.problems)
            _check_hand(reading, lines)
            played = _checked_replay(reading)
            tally.accepted += played.problem is None
            if case.printed and played.problem is None:
                tally.printed += _check_printing(played)
        else:
            raise BrokenLawError(f"a {type(reading).__name__} was read")
    if case.piece:
        _check_pieces(case, readings)
    return tally


def _check_problem(problem: Problem, lines: list[str]) -> None:
    """A problem is at a line of the file, shows that line, and can be told to a person."""
    demand(1 <= problem.line <= len(lines), f"line {problem.line} of {len(lines)}")
    demand(bool(problem.message.strip()), "a problem without words")
    if problem.text:
        here = lines[problem.line - 1].rstrip()
        demand(problem.text.strip() in here, f"the text is not that of line {problem.line}")
    length = len(lines[problem.line - 1])
    demand(1 <= problem.column <= length + 1, f"column {problem.column} of {length} characters")
    for text in (str(problem), problem.message, problem.expected):
        _check_shown(text)
    json.dumps(problem.record())


def _check_shown(text: str) -> None:
    """What is shown of a text does not steer the terminal, and is not endless."""
    shown = visible(text)
    steers = [c for c in shown if unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp")]
    demand(not steers, f"{steers[:1]} reaches the terminal")
    demand(len(shown) <= LARGEST_FILE_SHOWN, f"a message of {len(shown):,} characters")


def _check_hand(hand: History, lines: list[str]) -> None:
    """A hand's places are in the file, and it can be looked at in every way."""
    demand(1 <= hand.source.line <= len(lines), f"a hand at line {hand.source.line}")
    demand(hand.end_line <= len(lines), f"a hand that ends at line {hand.end_line}")
    for problem in hand.problems:
        _check_problem(problem, lines)
    for event in hand.events:
        demand(0 <= event.line <= len(lines), f"an event at line {event.line}")
        demand(event.column >= 1, f"an event at column {event.column}")
    visible(repr(hand))
    hash(hand)
    upcards(hand)
    known_downcards(hand)


def _checked_replay(hand: History) -> Replay:
    """The replay of a hand, in which no chip is lost; written out, it is played the same way."""
    played = replay(hand)
    repr(played)
    no_cards(played)
    if played.problem:
        demand(played.problem.line >= 1, f"a replay stops at line {played.problem.line}")
        demand(played.problem.column >= 1, f"a replay stops at column {played.problem.column}")
        _check_shown(str(played.problem))
    _check_chips(played)
    _check_written_out(played)
    return played


def _check_written_out(played: Replay) -> None:
    """A hand, or the valid prefix of one, is played the same way when it is written out."""
    again = replay(written_out(played))
    if played.problem is None:
        demand(again.problem is None, f"written out, the hand has a problem: {again.problem}")
        demand(_outcome(again) == _outcome(played), "written out, a hand is played in another way")
    elif played.streets:
        demand(again.problem is None, f"the valid prefix has a problem: {again.problem}")
        same = _actions(again) == _actions(played) and again.pot == played.pot
        demand(same, "the valid prefix is played in another way")


def _check_chips(played: Replay) -> None:
    demand(sum(played.paid.values()) == played.pot, "the pot is not what was put in")
    if not played.finished:
        return
    demand(sum(pot.amount for pot in played.pots) == played.pot, "the pots are not the pot")
    out = played.pot
    if played.won:
        demand(sum(played.won.values()) + played.rake == played.pot, "the pot is not what was won")
        out = played.rake
    before = [seat.stack for seat in played.history.seats]
    after = played.stacks.values()
    if played.problem is None and None not in before and None not in after:
        chips = sum(stack or 0 for stack in before) - sum(stack or 0 for stack in after)
        demand(chips == out, "chips are lost or made")
        demand(min(stack or 0 for stack in after) >= 0, "a stack below zero")


def _outcome(played: Replay) -> object:
    """What a hand comes to, whatever record it is of."""
    return _actions(played), played.pot, played.won, played.rake, played.finished


def _actions(played: Replay) -> list[object]:
    return [(d.street, d.seat, d.action, d.amount, d.to) for d in played.decisions]


# Printing


def _check_printing(played: Replay) -> int:
    """In how many notations a hand can be printed; read again, it must be the same."""
    hand = written_out(played)
    printed = 0
    for dialect in dialects():
        if isinstance(dialect, Writer):
            text = _printed(dialect, hand)
            if text is not None:
                printed += 1
                _check_read_again(dialect, text, played)
    return printed


def _printed(dialect: Writer, hand: History) -> str | None:
    """The hand in a notation, ``None`` where it cannot be written in it."""
    try:
        return "".join(dialect.write_all([hand]))
    except ValueError as reason:
        _check_shown(str(reason))
        return None


def _check_read_again(dialect: Writer, text: str, played: Replay) -> None:
    found = list(read_bytes(text.encode(), "again", dialect.name))
    demand(len(found) == 1, f"one hand printed as {dialect.name} is {len(found)} when read")
    hand = found[0]
    if isinstance(hand, Problem):
        raise BrokenLawError(f"a hand printed as {dialect.name} is {hand.message}")
    demand(not hand.problems, f"a hand printed as {dialect.name} has {hand.problems[:1]}")
    again = replay(hand)
    demand(again.problem is None, f"printed as {dialect.name}, a hand stops at {again.problem}")
    same = _outcome(again) == _outcome(played)
    demand(same, f"printed as {dialect.name}, a hand is played in another way")


# Pieces


def _check_pieces(case: Case, whole: list[Reading]) -> None:
    """In small pieces, in any way that bytes come in, the same is read."""
    streamed = list(read_stream(io.BytesIO(case.data), case.name, case.dialect or None))
    demand(streamed == whole, "a stream is read in another way")
    try:
        text = "".join(text_pieces(io.BytesIO(case.data)))
    except NotTextError:
        return
    if whole == list(read_text("", case.name, case.dialect or None)):
        return
    forced = dialect_named(case.dialect) if case.dialect else None
    bits = (text[at : at + case.bit] for at in range(0, len(text), case.bit))
    in_pieces = list(_in_pieces(LogReader(bits, case.name, forced), case))
    nothing = len(whole) == 1 and isinstance(whole[0], Problem) and not in_pieces
    demand(nothing or _told(in_pieces) == _told(whole), "in pieces, something else is read")


def _in_pieces(log: LogReader, case: Case) -> Iterator[Reading]:
    for piece in log.pieces(case.piece):
        if isinstance(piece, LogPiece):
            yield from piece.read(case.name)
        else:
            yield piece


def _told(readings: list[Reading]) -> list[object]:
    """All that readings say, lines too, which do not count when they are compared."""
    return [
        one
        if isinstance(one, Problem)
        else (one, one.source, one.problems, one.end_line, [event.line for event in one.events])
        for one in readings
    ]
