"""Poker rooms as dialects: their text logs, read by a grammar that is data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache

from handread.history import History, Problem, Remark, Seat, Source
from handread.notation.dialect import Reading
from handread.notation.grammar import Grammar, load_grammars
from handread.notation.lines import Line, Misread, Seating, read_header, read_line
from handread.notation.play import Play
from handread.notation.source import plain_line_ends
from handread.stud import VARIANTS, Stakes, Unit

NumberedLines = Sequence[tuple[int, str]]


@dataclass(frozen=True, slots=True)
class Room:
    """The dialect of a room's text logs."""

    grammar: Grammar
    suffixes: tuple[str, ...] = ()
    writes: bool = False

    @property
    def name(self) -> str:
        """The room's word for ``--dialect``."""
        return self.grammar.name

    @property
    def title(self) -> str:
        """The room as people call it."""
        return self.grammar.title

    def detect(self, text: str) -> bool:
        """Whether a line of the text begins a hand of this room."""
        return self.grammar.starts.search(text) is not None

    def read(self, text: str, file: str) -> Iterator[Reading]:
        """The hands of a log in order, each from its first line to the next one's.

        A hand of a game that is not read is a history without events. A hand whose first line
        is unreadable is a problem that stands for all its lines.
        """
        blocks = _blocks(self.grammar, text)
        if blocks[0]:
            yield from _before_first(self.grammar, blocks[0], file)
        for block in blocks[1:]:
            header = read_header(self.grammar, *block[0])
            if isinstance(header, Misread):
                yield _problem(file, block[0], header)
            else:
                yield _Sheet(self.grammar, file, header).history(block)
        if len(blocks) == 1:
            yield Problem(file, 1, 1, "there is no hand", f"the log of a {self.title} hand")

    def write(self, history: History) -> str:
        """Nothing yet: a room's log cannot be written, which is a ``ValueError``."""
        raise ValueError(f"a hand cannot be written as a {self.title} log ({history.hand_id})")


@cache
def rooms() -> tuple[Room, ...]:
    """The rooms whose grammars are installed."""
    return tuple(map(Room, load_grammars()))


def _blocks(grammar: Grammar, text: str) -> list[list[tuple[int, str]]]:
    """The lines that are not blank, with their numbers: those before any hand, then by hand."""
    blocks: list[list[tuple[int, str]]] = [[]]
    for number, line in enumerate(plain_line_ends(text).split("\n"), start=1):
        if grammar.starts.match(line):
            blocks.append([])
        if line.strip():
            blocks[-1].append((number, line))
    return blocks


def _before_first(grammar: Grammar, lines: NumberedLines, file: str) -> Iterator[Problem]:
    """The problem of a hand that has lost its first line."""
    for number, line in lines:
        if line.startswith(grammar.openings):
            why = Misread(1, "the hand of this line has no first line", "the beginning of a hand")
            yield _problem(file, (number, line), why)
            return


def _problem(file: str, line: tuple[int, str], why: Misread) -> Problem:
    return Problem(file, line[0], why.column, why.message, why.expected, line[1].rstrip())


@dataclass(slots=True)
class _Sheet:
    """The text of one hand on its way to a history."""

    grammar: Grammar
    file: str
    header: Line
    seating: Seating = field(default_factory=Seating)
    seat_lines: list[Line] = field(default_factory=list)
    table: str = ""
    lines: list[Line | tuple[int, str]] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    def history(self, block: NumberedLines) -> History:
        """The hand; without seats and events if it is of a game that is not read."""
        variant = self.grammar.variant(self.header.word("game"))
        readable = VARIANTS[variant].readable
        if readable:
            self._read_lines(block[1:])
            self._check_seats(block[0])
        unit = self._unit()
        play = self._play(unit)
        return History(
            hand_id=self.header.word("hand_id"),
            source=Source(self.file, block[0][0], self.grammar.name),
            variant=variant,
            unit=unit,
            stakes=self._stakes(unit) if readable else None,
            seats=tuple(sorted(self._seats(unit), key=lambda seat: seat.number)),
            events=tuple(play.events),
            hero=self._hero(play),
            table=self.table or self.header.word("table"),
            played_at=self.header.word("date"),
            problems=tuple(sorted(self.problems, key=lambda problem: problem.line)),
            end_line=block[-1][0],
        )

    def _read_lines(self, lines: NumberedLines) -> None:
        """Every line on its own; lines of no form stay as they are, for remarks."""
        part = "head"
        for number, text in lines:
            said = read_line(self.grammar, self.seating, part, number, text)
            if isinstance(said, Misread):
                self.problems.append(_problem(self.file, (number, text), said))
            elif said is None:
                self.lines.append((number, text))
            elif said.rule.event == "seat":
                self._take_seat(said)
            elif said.rule.event == "table":
                self.table = said.word("table")
            else:
                part = _part_after(part, said)
                self.lines.append(said)

    def _take_seat(self, line: Line) -> None:
        number, name = int(line.word("seat")), line.word("player")
        if number in self.seating.numbers or name in self.seating.names:
            again = f"seat {number}" if number in self.seating.numbers else repr(name)
            why = Misread(1, f"{again} is listed twice", "a new player")
            self.problems.append(_problem(self.file, (line.number, line.text), why))
            return
        self.seating.add(number, name)
        self.seat_lines.append(line)

    def _check_seats(self, first: tuple[int, str]) -> None:
        if not self.seat_lines:
            why = Misread(1, "no player sits in this hand", "a line for each seat")
            self.problems.append(_problem(self.file, first, why))

    def _unit(self) -> Unit:
        """Hundredths when any amount has a fraction or a currency, else whole chips."""
        lines = [self.header, *self.seat_lines, *self._understood()]
        amounts = [amount for line in lines for amount in line.amounts()]
        digits = max((-int(amount.as_tuple().exponent) for amount in amounts), default=0)
        symbol = next(filter(None, (line.symbol() for line in lines)), "")
        return Unit(max(2, digits) if digits or symbol else 0, symbol)

    def _understood(self, event: str = "") -> list[Line]:
        """The lines whose form is known, or those of them that report an event."""
        lines = [line for line in self.lines if isinstance(line, Line)]
        return [line for line in lines if line.rule.event == event] if event else lines

    def _seats(self, unit: Unit) -> Iterator[Seat]:
        for line in self.seat_lines:
            number, stack = int(line.word("seat")), line.minor("stack", unit)
            yield Seat(number, line.word("player"), stack, "sitting_out" in line)

    def _play(self, unit: Unit) -> Play:
        play = Play(unit, self.grammar.pot_before_rake)
        for line in self.lines:
            if isinstance(line, Line):
                why = play.take(line)
                if why:
                    self.problems.append(_problem(self.file, (line.number, line.text), why))
            else:
                play.events.append(Remark(line[1].strip(), line=line[0]))
        play.finish()
        return play

    def _hero(self, play: Play) -> int | None:
        """The seat that the log marks as its own, or else the only one whose downcards it saw."""
        marked = [int(line.word("seat")) for line in self.seat_lines if "me" in line]
        own = marked or play.full_deals
        return own[0] if len(own) == 1 else None

    def _stakes(self, unit: Unit) -> Stakes | None:
        """The stakes as the header has them, with ante and bring-in as they were posted."""
        if "small" not in self.header:
            return None
        house = self.grammar.house_rules
        small, big = (self.header.minor(name, unit) for name in ("small", "big"))
        return Stakes(
            ante=self._ante_asked(unit),
            bring_in=self._bring_in_asked(unit, small),
            bets=(small, small, big, big, big),
            cap=house.cap,
            cap_heads_up=house.cap_heads_up,
            open_pair_doubles=house.open_pair_doubles,
        )

    def _ante_asked(self, unit: Unit) -> int:
        if "ante" in self.header:
            return self.header.minor("ante", unit)
        return max((line.minor("added", unit) for line in self._understood("ante")), default=0)

    def _bring_in_asked(self, unit: Unit, small: int) -> int:
        house = self.grammar.house_rules
        tournament = "tournament" in self.header
        share = house.tournament_bring_in if tournament else house.cash_bring_in
        asked = int(small * share)
        for line in self._understood("bring_in"):
            amount = line.minor("added", unit)
            # A player who is all-in for the bring-in may have posted less than all of it.
            asked = max(amount, asked) if "all_in" in line else amount
        return asked


def _part_after(part: str, line: Line) -> str:
    """The part of a hand's text that a line leaves the reader in."""
    if line.rule.event == "summary":
        return "summary"
    begins_play = line.rule.event in ("ante", "street", "blocks", "deal")
    return "play" if part == "head" and begins_play else part
