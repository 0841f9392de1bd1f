"""What must hold for any bytes: hands or problems, never anything else."""

from __future__ import annotations

import io
import json
import unicodedata
from dataclasses import dataclass, fields

from handread.formats.format import Reading, Writer
from handread.formats.log_reader import LogReader, read_bytes, read_stream
from handread.formats.registry import dialect_named, dialects
from handread.formats.text import NotTextError, text_pieces
from handread.game.replay import nothing_dealt, replay, written_out
from handread.game.steps import Replay
from handread.history import History, Problem
from handread.known_cards import known_downcards, upcards
from handread.report.words import visible
from tests.fuzz.cases import Case

PRINTED_HANDS = 3
"""How many hands of an input are printed in every notation."""

LONGEST_MESSAGE = 1_000_000
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
        for count in fields(self):
            setattr(self, count.name, getattr(self, count.name) + getattr(other, count.name))


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
            # Of a whole log a few are enough; to print all would take longer than to read them.
            if case.printed and tally.hands <= PRINTED_HANDS:
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
    demand(len(shown) <= LONGEST_MESSAGE, f"a message of {len(shown):,} characters")


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
    nothing_dealt(played)
    if played.problem:
        demand(played.problem.line >= 1, f"a replay stops at line {played.problem.line}")
        demand(played.problem.column >= 1, f"a replay stops at column {played.problem.column}")
        _check_shown(str(played.problem))
    _check_chips(played)
    _check_written_out(played)
    return played


def _check_written_out(played: Replay) -> None:
    """A hand, or the valid prefix of one, is played the same way when it is written out."""
    if played.problem is None or played.streets:
        again = replay(written_out(played))
        demand(again.problem is None, f"written out, a hand has a problem: {again.problem}")
        demand(_played_alike(again, played), "written out, a hand is played in another way")


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


def _played_alike(again: Replay, played: Replay) -> bool:
    """Whether a hand comes to the same; where it was stopped, up to there."""
    if played.problem is None:
        pay = [(one.won, one.rake, one.finished) for one in (again, played)]
        if pay[0] != pay[1]:
            return False
    return again.pot == played.pot and _actions(again) == _actions(played)


def _actions(played: Replay) -> list[object]:
    return [(d.street, d.seat, d.action, d.amount, d.to) for d in played.decisions]


# Printing


def _check_printing(played: Replay) -> int:
    """In how many notations a hand can be printed; read again, it must be the same.

    A record that is not written out, or has no card, need not be what it says when it is read
    again, but it must be refused in words.
    """
    hand = written_out(played)
    printed = 0
    for dialect in dialects():
        if isinstance(dialect, Writer):
            _printed(dialect, played.history)
            text = _printed(dialect, hand)
            if text is not None and played.streets:
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
    same = _played_alike(again, played)
    demand(same, f"printed as {dialect.name}, a hand is played in another way")


# Pieces


def _check_pieces(case: Case, whole: list[Reading]) -> None:
    """In small pieces, in any way that bytes come in, the same is read; so is a single hand."""
    streamed = list(read_stream(io.BytesIO(case.data), case.name, case.dialect or None))
    demand(_told(streamed) == _told(whole), "a stream is read in another way")
    try:
        text = "".join(text_pieces(io.BytesIO(case.data)))
    except NotTextError:
        return

    def log() -> LogReader:
        bits = (text[at : at + case.bit] for at in range(0, len(text), case.bit))
        return LogReader(bits, case.name, dialect_named(case.dialect) if case.dialect else None)

    reader = log()
    found = [one for piece in reader.pieces(case.piece) for one in reader.read(piece)]
    # Of a file in which there is nothing, only the whole can say so.
    nothing = not found and len(whole) == 1 and isinstance(whole[0], Problem)
    demand(nothing or _told(found) == _told(whole), "in pieces, something else is read")
    if text.strip():
        line = 1 + case.piece % (text.count("\n") + 1)
        here, _ = log().at(line)
        told = _told(whole)
        demand(all(one in told for one in _told(here)), f"another hand is read at line {line}")


def _told(readings: list[Reading]) -> list[object]:
    """All that readings say, lines too, which do not count when they are compared."""
    return [
        one
        if isinstance(one, Problem)
        else (one, one.source, one.problems, one.end_line, [event.line for event in one.events])
        for one in readings
    ]
