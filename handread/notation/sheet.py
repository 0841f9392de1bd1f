"""One hand of a room's log on its way from statements to a history."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import takewhile

from handread.history import Ante, Collect, History, Problem, Remark, Seat, Source
from handread.notation.house import House
from handread.notation.lines import Seating
from handread.notation.play import Play
from handread.notation.statement import Misread, Statement
from handread.stud import VARIANTS, Stakes, Unit

MAX_SEAT = 10
"""No room has tables with more seats."""

NumberedLine = tuple[int, str]


def problem_at(
    house: House, file: str, line: NumberedLine, why: Misread, end_line: int = 0
) -> Problem:
    """The problem of a line that cannot be read; of a text that is no hand with its last line."""
    where = file, line[0], why.column
    return Problem(*where, why.message, why.expected, line[1].rstrip(), house.name, end_line)


@dataclass(slots=True)
class Sheet:
    """What is gathered of a hand: seats, what was understood and what was not, problems.

    ``header`` is its first statement, ``abouts`` those that complete it. Lines of no form stay
    among ``said`` as they are, for remarks. ``end_line`` is the last line of the hand.
    """

    house: House
    file: str
    header: Statement
    end_line: int
    abouts: list[Statement] = field(default_factory=list)
    seating: Seating = field(default_factory=Seating)
    seats: list[Statement] = field(default_factory=list)
    said: list[Statement | NumberedLine] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    def told(self, name: str) -> Statement | None:
        """The statement of the hand's first lines that has a field."""
        return next((one for one in (self.header, *self.abouts) if name in one), None)

    def word(self, name: str) -> str:
        """The text of a field of the first lines, empty when none has it."""
        statement = self.told(name)
        return statement.word(name) if statement else ""

    @property
    def variant(self) -> str:
        """The key of the game that is played."""
        return self.house.variant(self.word("game"))

    @property
    def readable(self) -> bool:
        """Whether it is a game that is read."""
        return VARIANTS[self.variant].readable

    def refuse(self, line: NumberedLine, why: Misread) -> None:
        """Note what is wrong with a line."""
        self.problems.append(problem_at(self.house, self.file, line, why))

    def refuse_statement(self, one: Statement, why: Misread) -> None:
        """Note what is wrong with a statement; columns count from where it begins."""
        column = why.column + one.column - 1
        self.refuse((one.number, one.text), replace(why, column=column))

    def take_seat(self, line: Statement, number: int) -> None:
        """Seat a player, unless the seat or the name is taken."""
        name = line.word("player")
        if not 1 <= number <= MAX_SEAT:
            why = Misread(1, f"there is no seat {number}", f"a seat from 1 to {MAX_SEAT}")
        elif number in self.seating.numbers:
            why = Misread(1, f"seat {number} is listed twice", "another seat")
        elif name in self.seating.names:
            why = Misread(1, f"{name!r} sits here twice", "another player")
        else:
            self.seating.add(number, name)
            self.seats.append(replace(line, seat=number))
            return
        self.refuse_statement(line, why)

    def history(self) -> History:
        """The hand; without seats and events if it is of a game that is not read."""
        if self.told("game") is None:
            why = Misread(1, "nothing says which game this is", "the game's name")
            self.refuse_statement(self.header, why)
        elif self.readable and not self.seats:
            why = Misread(1, "no player sits in this hand", "a line for each seat")
            self.refuse_statement(self.header, why)
        unit = self._unit()
        play = self._play(unit)
        antes = {event.seat: event.amount or 0 for event in play.events if isinstance(event, Ante)}
        # What follows a line that was not understood cannot be relied on; it may stand above it.
        sound = min((problem.line for problem in self.problems), default=self.end_line + 1)
        return History(
            hand_id=self.word("hand_id"),
            source=Source(self.file, self.header.number, self.house.name),
            variant=self.variant,
            unit=unit,
            stakes=self._stakes(unit, antes) if self.readable else None,
            seats=tuple(sorted(self._seated(unit, antes), key=lambda seat: seat.number)),
            events=tuple(takewhile(lambda event: event.line < sound, play.events)),
            hero=self._hero(play),
            table=self._table(),
            played_at=self.word("date"),
            problems=tuple(
                sorted(self.problems, key=lambda problem: (problem.line, problem.column))
            ),
            end_line=self.end_line,
            game=self.house.other_games.get(self.word("game"), self.word("game")),
            meant=self.house.meant(self.word("game")),
            unpaid=not any(isinstance(event, Collect) for event in play.events),
            contradictions=tuple(
                problem_at(self.house, self.file, (line.number, line.text), why)
                for line, why in sorted(play.contradictions, key=lambda found: found[0].number)
            ),
            tournament=self.word("tournament"),
            bring_in_share=self._bring_in_share(),
        )

    def _understood(self, event: str = "") -> list[Statement]:
        """The statements of the play, or those of them that report an event."""
        found = [one for one in self.said if isinstance(one, Statement)]
        return [one for one in found if one.rule.event == event] if event else found

    def _unit(self) -> Unit:
        """Hundredths when any amount has a fraction or a currency, else whole chips."""
        said = [self.header, *self.abouts, *self.seats, *self._understood()]
        amounts = [amount for one in said for amount in one.amounts()]
        digits = max((-int(amount.as_tuple().exponent) for amount in amounts), default=0)
        symbol = next(filter(None, (one.symbol() for one in said)), "")
        return Unit(max(2, digits) if digits or symbol else 0, symbol)

    def _seated(self, unit: Unit, antes: Mapping[int, int]) -> Iterator[Seat]:
        after_antes = self.told("stacks_after_antes") is not None
        for line in self.seats:
            stack = line.minor("stack", unit) + after_antes * antes.get(line.seat, 0)
            yield Seat(line.seat, line.word("player"), stack, "sitting_out" in line)

    def _table(self) -> str:
        named = next((one.word("table") for one in self._understood("table")), "")
        return named or self.word("table")

    def _play(self, unit: Unit) -> Play:
        stated = self.told("small")
        play = Play(unit, self.house, max(1, stated.minor("small", unit) if stated else 1))
        for one in self.said:
            if isinstance(one, Statement):
                why = play.take(one)
                if why:
                    self.refuse_statement(one, why)
            else:
                play.events.append(Remark(one[1].strip(), known=False, line=one[0]))
        play.finish()
        return play

    def _hero(self, play: Play) -> int | None:
        """The seat that the log marks as its own, or else the only one whose downcards it saw."""
        marked = [one.seat for one in self.seats if "me" in one]
        named = self.seating.names.get(self.word("hero"))
        own = marked or ([named] if named else play.full_deals)
        return own[0] if len(own) == 1 else None

    def _stakes(self, unit: Unit, antes: Mapping[int, int]) -> Stakes | None:
        """The stakes as the first lines have them, with ante and bring-in as they were posted."""
        stated = self.told("small")
        if stated is None or "big" not in stated:
            return None
        house = self.house.house_rules
        small, big = (stated.minor(name, unit) for name in ("small", "big"))
        return Stakes(
            ante=self._ante_asked(unit, antes),
            bring_in=self._bring_in_asked(unit, small),
            bets=(small, small, big, big, big),
            cap=house.cap,
            cap_heads_up=house.cap_heads_up,
            open_pair_doubles=house.open_pair_doubles,
        )

    def _ante_asked(self, unit: Unit, antes: Mapping[int, int]) -> int:
        stated = self.told("ante")
        return stated.minor("ante", unit) if stated else max(antes.values(), default=0)

    def _bring_in_asked(self, unit: Unit, small: int) -> int:
        asked = int(small * self._bring_in_share())
        for line in self._understood("bring_in"):
            amount = line.minor("added", unit)
            # A player who is all-in for the bring-in may have posted less than all of it.
            asked = max(amount, asked) if "all_in" in line else amount
        return asked

    def _bring_in_share(self) -> Fraction:
        """Return the share of the small bet that the room asks of the bring-in."""
        house = self.house.house_rules
        tournament = self.told("tournament") is not None
        return house.tournament_bring_in if tournament else house.cash_bring_in
