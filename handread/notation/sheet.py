"""One hand of a room's log on its way from lines to a history."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from handread.history import History, Problem, Remark, Seat, Source
from handread.notation.grammar import Grammar
from handread.notation.lines import Line, Misread, Seating, read_line
from handread.notation.play import Play
from handread.stud import VARIANTS, Stakes, Unit

MAX_SEAT = 10
"""No room has tables with more seats."""

NumberedLine = tuple[int, str]


def problem_at(
    grammar: Grammar, file: str, line: NumberedLine, why: Misread, end_line: int = 0
) -> Problem:
    """The problem of a line that cannot be read; of a text that is no hand with its last line."""
    where = file, line[0], why.column
    return Problem(*where, why.message, why.expected, line[1].rstrip(), grammar.name, end_line)


@dataclass(slots=True)
class Sheet:
    """What is gathered from the lines of a hand: seats, lines understood or not, problems."""

    grammar: Grammar
    file: str
    header: Line
    seating: Seating = field(default_factory=Seating)
    seat_lines: list[Line] = field(default_factory=list)
    table: str = ""
    lines: list[Line | NumberedLine] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    def history(self, block: Sequence[NumberedLine]) -> History:
        """The hand; without seats and events if it is of a game that is not read."""
        variant = self.grammar.variant(self.header.word("game"))
        readable = VARIANTS[variant].readable
        if readable:
            self._read_lines(block[1:])
            self._check_seats(block[0])
        unit = self._unit()
        play = self._play(unit)
        # What follows a line that was not understood cannot be relied on.
        sound = min((problem.line for problem in self.problems), default=block[-1][0] + 1)
        return History(
            hand_id=self.header.word("hand_id"),
            source=Source(self.file, block[0][0], self.grammar.name),
            variant=variant,
            unit=unit,
            stakes=self._stakes(unit) if readable else None,
            seats=tuple(sorted(self._seats(unit), key=lambda seat: seat.number)),
            events=tuple(event for event in play.events if event.line < sound),
            hero=self._hero(play),
            table=self.table or self.header.word("table"),
            played_at=self.header.word("date"),
            problems=tuple(sorted(self.problems, key=lambda problem: problem.line)),
            end_line=block[-1][0],
        )

    def _read_lines(self, lines: Sequence[NumberedLine]) -> None:
        """Every line on its own; lines of no form stay as they are, for remarks."""
        part = "head"
        for number, text in lines:
            said = read_line(self.grammar, self.seating, part, number, text)
            if isinstance(said, Misread):
                self.problems.append(problem_at(self.grammar, self.file, (number, text), said))
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
        if not 1 <= number <= MAX_SEAT:
            why = Misread(1, f"there is no seat {number}", f"a seat from 1 to {MAX_SEAT}")
        elif number in self.seating.numbers:
            why = Misread(1, f"seat {number} is listed twice", "another seat")
        elif name in self.seating.names:
            why = Misread(1, f"{name!r} sits here twice", "another player")
        else:
            self.seating.add(number, name)
            self.seat_lines.append(line)
            return
        self.problems.append(problem_at(self.grammar, self.file, (line.number, line.text), why))

    def _check_seats(self, first: NumberedLine) -> None:
        if not self.seat_lines:
            why = Misread(1, "no player sits in this hand", "a line for each seat")
            self.problems.append(problem_at(self.grammar, self.file, first, why))

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
                    self.problems.append(
                        problem_at(self.grammar, self.file, (line.number, line.text), why)
                    )
            else:
                play.events.append(Remark(line[1].strip(), known=False, line=line[0]))
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
