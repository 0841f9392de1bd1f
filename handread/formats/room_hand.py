"""Build the history of a hand from the lines of a line-based log."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import takewhile

import handread.formats.room_read as room_read
from handread.formats.format import LineError
from handread.formats.grammar import Grammar
from handread.formats.line_patterns import ParsedLine, money
from handread.formats.room_events import EventBuilder, NumberedLine, problem_at
from handread.formats.site import SiteProfile
from handread.game.rules import VARIANTS, Stakes, Unit, Variant, unfixed_limit
from handread.history import Ante, Collect, History, Problem, Remark, Seat, Source

MAX_LINES = 5_000
"""Longest hand that is read, in lines, to bound the time."""

_BEGINS_PLAY = ("antes", "ante", "street", "blocks", "deal")


@dataclass(slots=True)
class HandBuilder:
    """Collect the parsed lines of a hand, and make its history.

    Lines that nothing matched stand among ``lines`` unparsed, and become remarks.
    """

    site: SiteProfile
    file: str
    header: ParsedLine
    end_line: int
    header_lines: list[ParsedLine] = field(default_factory=list)
    seating: room_read.SeatedPlayers = field(default_factory=room_read.SeatedPlayers)
    seats: list[ParsedLine] = field(default_factory=list)
    lines: list[ParsedLine | NumberedLine] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    _header: dict[str, ParsedLine] = field(default_factory=dict)
    _parsed: list[ParsedLine] = field(default_factory=list)

    def header_with(self, name: str) -> ParsedLine | None:
        """Return the first header line that has a field, or ``None``; ask once all are there."""
        if not self._header:
            lines = reversed((self.header, *self.header_lines))
            self._header = {name: line for line in lines for name in line.values}
        return self._header.get(name)

    def word(self, name: str) -> str:
        """Return the text of a field of the header lines, or an empty string."""
        line = self.header_with(name)
        return line.word(name) if line else ""

    @property
    def variant(self) -> str:
        """Key of the game; stud without fixed limits is another game."""
        return "other" if self._unfixed else self.site.variant(self.word("game"))

    @property
    def _unfixed(self) -> str:
        limit = unfixed_limit(self.word("limit"))
        game = VARIANTS[self.site.variant(self.word("game"))]
        return f"{limit} {game.title}" if limit and game.readable else ""

    def refuse(self, line: NumberedLine, why: LineError) -> None:
        """Add the problem of a line."""
        self.problems.append(problem_at(self.site, self.file, line, why))

    def refuse_parsed(self, line: ParsedLine, why: LineError) -> None:
        """Add the problem of a parsed line; columns in ``why`` start at the parsed text."""
        column = why.column + line.column - 1
        self.refuse((line.number, line.text), LineError(why.message, why.expected, column))

    def take_seat(self, line: ParsedLine, number: int) -> None:
        """Seat a player, unless the seat or the name is taken."""
        name = line.word("player")
        if not 1 <= number <= room_read.MAX_SEAT:
            why = LineError(f"there is no seat {number}", f"a seat from 1 to {room_read.MAX_SEAT}")
        elif number in self.seating.numbers:
            why = LineError(f"seat {number} is listed twice", "another seat")
        elif name in self.seating.names:
            why = LineError(f"{name!r} is seated twice", "another player")
        else:
            self.seating.add(number, name)
            line.seat = number
            self.seats.append(line)
            return
        self.refuse_parsed(line, why)

    def take_winners(self, line: ParsedLine) -> None:
        """Split a line that lists winners into one line per winner."""
        try:
            shares = room_read.split_winners(self.seating, line)
        except LineError as why:
            self.refuse_parsed(line, why)
            return
        for n, (seat, amount) in enumerate(shares):
            values = {**line.values, "amount": amount}
            if n:  # keep the size of the pot on the first winner only
                values.pop("of", None)
            self.lines.append(replace(line, values=values, seat=seat))

    def history(self) -> History:
        """Return the hand, without seats and events if its game is not supported."""
        variant = VARIANTS[self.variant]
        if self.header_with("game") is None:
            why = LineError("the header does not name the game", "the game's name")
            self.refuse_parsed(self.header, why)
        elif variant.readable and not self.seats and not self.problems:
            why = LineError("no player sits in this hand", "a line for each seat")
            self.refuse_parsed(self.header, why)
        self._parsed = [line for line in self.lines if isinstance(line, ParsedLine)]
        unit = self._unit()
        play = self._play(unit, variant)
        antes = {event.seat: event.amount or 0 for event in play.events if isinstance(event, Ante)}
        # No event after a faulty line is reliable, even if that line is in the header.
        sound = min((problem.line for problem in self.problems), default=self.end_line + 1)
        game = self.word("game")
        return History(
            hand_id=self.site.label("hand_id", self.word("hand_id")),
            source=Source(self.file, self.header.number, self.site.name),
            variant=variant.key,
            unit=unit,
            stakes=self._stakes(unit, antes, variant) if variant.readable else None,
            seats=tuple(sorted(self._seated(unit, antes), key=lambda seat: seat.number)),
            events=tuple(takewhile(lambda event: event.line < sound, play.events)),
            hero=self._hero(play),
            table=self._table(),
            played_at=self.word("date"),
            problems=tuple(
                sorted(self.problems, key=lambda problem: (problem.line, problem.column))
            ),
            end_line=self.end_line,
            game=self._unfixed or self.site.other_games.get(game, game),
            meant=self.site.meant(game),
            unpaid=Collect not in map(type, play.events),
            findings=tuple(sorted(play.findings, key=lambda found: found.line)),
            nets=tuple(net for net in play.nets if net.line < sound),
            claims=() if self.problems else tuple(play.claims),
            lows=() if self.problems else tuple(play.lows),
            tournament=self.word("tournament"),
            bring_in_share=self._bring_in_share(),
            without_uncalled=not self.site.wins_uncalled,
        )

    def _unit(self) -> Unit:
        """Return hundredths or finer if an amount has decimals or a currency, else whole chips."""
        lines = [self.header, *self.header_lines, *self.seats, *self._parsed]
        amounts = [(line.values, names) for line in lines if (names := line.pattern.amounts)]
        written = [money(told[name]) for told, names in amounts for name in names if name in told]
        digits = max((digits for digits, _ in written), default=0)
        symbol = next((symbol for _, symbol in written if symbol), "")
        return Unit(max(2, digits) if digits or symbol else 0, symbol)

    def _seated(self, unit: Unit, antes: Mapping[int, int]) -> Iterator[Seat]:
        after_antes = self.header_with("stacks_after_antes") is not None
        for line in self.seats:
            stack = line.minor("stack", unit) + after_antes * antes.get(line.seat, 0)
            yield Seat(line.seat, line.word("player"), stack, "sitting_out" in line)

    def _table(self) -> str:
        tables = (line.word("table") for line in self._parsed if line.pattern.event == "table")
        named = next(tables, "")
        return self.site.label("table", named or self.word("table"))

    def _play(self, unit: Unit, game: Variant) -> EventBuilder:
        stated = self.header_with("small")
        small = stated.minor("small", unit) if stated else 1
        play = EventBuilder(self.file, unit, self.site, max(1, small), game)
        for line in self.lines:
            if not isinstance(line, ParsedLine):
                play.events.append(Remark(line[1].strip(), known=False, line=line[0]))
                continue
            try:
                play.take(line)
            except LineError as why:
                self.refuse_parsed(line, why)
        play.finish()
        if not self.problems:
            play.check_deals()
        return play

    def _hero(self, play: EventBuilder) -> int | None:
        """Return the owner's seat by the log, or the only one dealt known cards."""
        marked = [seat.seat for seat in self.seats if "me" in seat]
        named = self.seating.names.get(self.word("hero"))
        owners = marked or ([named] if named else play.full_deals)
        return owners[0] if len(owners) == 1 else None

    def _stakes(self, unit: Unit, antes: Mapping[int, int], game: Variant) -> Stakes | None:
        """Return the stakes of the header, completed by the posted ante and bring-in."""
        stated = self.header_with("small")
        if stated is None or "big" not in stated:
            return None
        rules = self.site.house_rules
        small, big = (stated.minor(name, unit) for name in ("small", "big"))
        ante = self.header_with("ante")
        return Stakes(
            ante=ante.minor("ante", unit) if ante else max(antes.values(), default=0),
            bring_in=self._bring_in(unit, small),
            bets=game.bets(small, big),
            cap=rules.cap,
            cap_heads_up=rules.cap_heads_up,
            open_pair_doubles=rules.open_pair_doubles and game.open_pair_street is not None,
        )

    def _bring_in(self, unit: Unit, small: int) -> int:
        asked = int(small * self._bring_in_share())
        for line in [line for line in self._parsed if line.pattern.event == "bring_in"]:
            amount = line.minor("added", unit)
            # A player who is all-in for the bring-in may have posted only part of it.
            asked = max(amount, asked) if "all_in" in line else amount
        return asked

    def _bring_in_share(self) -> Fraction:
        rules = self.site.house_rules
        tournament = self.header_with("tournament") is not None
        return rules.tournament_bring_in if tournament else rules.cash_bring_in


def read_block(grammar: Grammar, file: str, block: Sequence[NumberedLine]) -> HandBuilder | Problem:
    """Read the lines of a hand; return a problem if the first line does not begin a hand.

    If the game is not supported, only the header lines are parsed.
    """
    number, text = block[0]
    try:
        header = room_read.read_header(grammar, number, text)
        if len(block) > MAX_LINES:
            message = f"the hand has {len(block):,} lines"
            raise LineError(message, f"at most {MAX_LINES:,}")
    except LineError as why:
        return problem_at(grammar, file, block[0], why, block[-1][0])
    hand = HandBuilder(grammar, file, header, block[-1][0])
    rest = list(_take_header_lines(hand, grammar, block[1:]))
    if VARIANTS[hand.variant].readable:
        _read_lines(hand, grammar, rest)
    return hand


def _take_header_lines(
    hand: HandBuilder, grammar: Grammar, lines: Sequence[NumberedLine]
) -> Iterator[NumberedLine]:
    """Add header lines, by the first matching pattern, to the hand; yield the other lines.

    Header lines precede the first seat line.
    """
    seats = [pattern for pattern in grammar.by_part["head"] if pattern.event == "seat"]
    for n, (number, text) in enumerate(lines):
        if not grammar.abouts or any(pattern.match(text.rstrip()) for pattern in seats):
            yield from lines[n:]
            return
        about = room_read.read_about(grammar, number, text)
        if about is None:
            yield number, text
        else:
            hand.header_lines.append(about)


def _read_lines(hand: HandBuilder, grammar: Grammar, lines: Sequence[NumberedLine]) -> None:
    part = "head"
    for number, text in lines:
        try:
            line = room_read.read_line(grammar, hand.seating, part, number, text)
        except LineError as why:
            hand.refuse((number, text), why)
            continue
        if line is None:
            hand.lines.append((number, text))
        elif line.pattern.event == "seat":
            hand.take_seat(line, int(line.word("seat")))
        elif "winners" in line.values:
            hand.take_winners(line)
        else:
            if line.pattern.event == "summary":
                part = "summary"
            elif part == "head" and line.pattern.event in _BEGINS_PLAY:
                part = "play"
            hand.lines.append(line)
