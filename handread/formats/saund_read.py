"""Read hands in Saund's notation: from its lines to the events of a history."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from itertools import zip_longest

from handread.formats.format import LineError, Reading
from handread.formats.saund_lines import (
    ACTIONS,
    GAMES,
    ROOM_SEATS,
    AbsentLine,
    AmountsLine,
    Cell,
    GameLine,
    HeaderLine,
    HeroLine,
    Letter,
    LooseLine,
    RakeLine,
    RoomSeatsLine,
    SeatLine,
    SharedLine,
    SittingOutLine,
    TextLine,
    parse_line,
)
from handread.game.rules import (
    MAX_PLAYERS,
    SAUND_STAKES,
    SAUND_UNIT,
    STREET_NAMES,
    STUD,
    Stakes,
    Unit,
    Variant,
    variant_of,
)
from handread.history import (
    Action,
    Ante,
    Collect,
    Deal,
    Event,
    History,
    Problem,
    Rake,
    Seat,
    SharedCard,
    Show,
    Source,
    StreetStart,
    Wager,
    renumbered,
)

Lines = Sequence[tuple[int, str]]
"""The lines of one hand with their numbers."""


_NAMED_GAME = re.compile(rf"[ \t]*game[ \t]*:[ \t]*({'|'.join(GAMES)})\b")

_JUNK = 3
"""Number of unreadable lines after the first from which a block without headers is not a hand."""


@dataclass(slots=True)
class _HandLines:
    """The lines of one hand, and the problems found in them."""

    file: str
    dialect: str
    text: dict[int, str]
    game: Variant = STUD
    seats: dict[int, SeatLine] = field(default_factory=dict)
    headers: dict[str, HeaderLine] = field(default_factory=dict)
    number_of: dict[int | str, int] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    def complain(self, line: int, column: int, message: str, expected: str = "") -> None:
        """Add a problem at a line of the hand."""
        text = self.text.get(line, "")
        self.problems.append(
            Problem(self.file, line, column, message, expected, text, self.dialect)
        )

    def word(self, key: str) -> str:
        """Return the text of a header line, or an empty one if the line is missing."""
        header = self.headers.get(key)
        return header.text if isinstance(header, TextLine) else ""

    def by_seat(self, key: str) -> tuple[tuple[int, Decimal], ...]:
        """Return the amounts by seat of a header line; no amounts if it is missing."""
        header = self.headers.get(key)
        return header.amounts if isinstance(header, AmountsLine) else ()

    @property
    def players(self) -> list[tuple[int, str]]:
        """Everybody at the table, dealt in or not, by seat and name."""
        absent = self.headers.get("absent")
        others = absent.players if isinstance(absent, AbsentLine) else ()
        return [*((number, line.name) for number, line in self.seats.items()), *others]

    @property
    def room_seats(self) -> tuple[int, ...]:
        """The room's numbers of the seats; empty when they are the numbers here."""
        header = self.headers.get(ROOM_SEATS)
        return header.seats if isinstance(header, RoomSeatsLine) else ()

    @property
    def sitting_out(self) -> tuple[int, ...]:
        """The seats that the log marks as sitting out."""
        header = self.headers.get("sitting-out")
        return header.seats if isinstance(header, SittingOutLine) else ()

    def amounts(self, key: int | str) -> tuple[Decimal, ...]:
        """Return every amount of the line of a seat or of a header."""
        if isinstance(key, int):
            letters = (letter for cell in self.seats[key].cells for letter in cell.letters)
            return tuple(letter.total for letter in letters if letter.total is not None)
        header = self.headers.get(key)
        if isinstance(header, RakeLine):
            return (header.amount,)
        if isinstance(header, GameLine):
            return header.forced
        return tuple(amount for _, amount in self.by_seat(key))


def read_game(text: str) -> tuple[Unit, Stakes, Variant]:
    """Return the unit, the stakes and the game, in the notation of a ``game:`` line.

    Raises ``ValueError`` in a person's words.
    """
    example = "ante .25 bring-in .25 bets 1 1 2 2 2 raises 4"
    try:
        line = parse_line(f"game: {text}")
    except LineError as why:
        expected = f"expected {why.expected}" if why.expected else f"such as {example}"
        raise ValueError(f"the game {text!r}: {why.message}, {expected}") from None
    if not isinstance(line, GameLine) or not line.forced:
        raise ValueError(f"the game {text!r} has no stakes; expected such as {example}")
    unit = Unit(_decimals(line.forced), line.currency)
    stakes = _stakes(line, unit)
    assert stakes is not None
    if min(stakes.bets) <= 0:
        raise ValueError(f"the game {text!r}: a bet of nothing; expected such as {example}")
    return unit, stakes, variant_of(line.variant)


def read_hand(block: Lines, file: str, dialect: str) -> Iterator[Reading]:
    """Yield the hand of a block of lines, or its problems if no line is that of a seat.

    A hand with an unreadable line keeps its seats and loses its events; one whose actions
    cannot be put in order keeps the streets before.
    """
    lines = _gather(block, file, dialect)
    if not lines.seats:
        yield from (replace(problem, end_line=block[-1][0]) for problem in _no_hand(lines, block))
        return
    _check_seat_numbers(lines)
    unit, stakes = _money(lines)
    hero = lines.headers.get("hero")
    stacks = {seat: _minor(amount, unit) for seat, amount in lines.by_seat("stacks")}
    events = () if lines.problems else tuple(_events(lines, unit))
    history = History(
        hand_id=lines.word("hand"),
        source=Source(file, min(lines.number_of.values()), dialect),
        variant=lines.game.key,
        unit=unit,
        stakes=stakes,
        seats=tuple(
            Seat(number, name, stacks.get(number), number in lines.sitting_out)
            for number, name in sorted(lines.players)
        ),
        events=events,
        hero=hero.seat if isinstance(hero, HeroLine) else None,
        table=lines.word("table"),
        played_at=lines.word("played"),
        problems=tuple(sorted(lines.problems, key=lambda problem: (problem.line, problem.column))),
        end_line=block[-1][0],
    )
    table = [seat.number for seat in history.seats]
    numbers = dict(zip(table, lines.room_seats, strict=False))
    yield history if lines.problems else renumbered(history, numbers)


def _no_hand(lines: _HandLines, block: Lines) -> list[Problem]:
    """Return the problems of a block without seats; one for a block without any line of a hand."""
    if not lines.problems:
        if lines.headers:
            lines.complain(block[0][0], 1, "a hand without seats", "a line for each seat")
        return lines.problems
    first, *others = lines.problems
    if lines.headers or len(others) < _JUNK:
        return lines.problems
    message = f"{first.message}; the {len(others)} lines after it cannot be read either"
    return [replace(first, message=message)]


def _gather(block: Lines, file: str, dialect: str) -> _HandLines:
    """Parse every line of a hand on its own; seats and headers given twice are problems."""
    named = next(filter(None, (_NAMED_GAME.match(text) for _, text in block)), None)
    game = variant_of(named[1]) if named else STUD
    lines = _HandLines(file, dialect, dict(block), game)
    for line, text in block:
        try:
            content = parse_line(text, game.key)
        except LineError as why:
            lines.complain(line, why.column, why.message, why.expected)
            continue
        if content is None:
            continue
        key = content.seat if isinstance(content, SeatLine) else content.key
        if key in lines.number_of:
            what = f"seat {key}" if isinstance(content, SeatLine) else f"{content.key}:"
            lines.complain(line, 1, f"{what} stands on line {lines.number_of[key]} already")
            continue
        lines.number_of[key] = line
        if isinstance(content, SeatLine):
            lines.seats[content.seat] = content
        else:
            lines.headers[content.key] = content
    return lines


def _check_seat_numbers(lines: _HandLines) -> None:
    for seat in lines.seats:
        if not 1 <= seat <= MAX_PLAYERS:
            lines.complain(
                lines.number_of[seat], 1, f"there is no seat {seat}", "a seat from 1 to 8"
            )
    hero = lines.headers.get("hero")
    named = {key: [seat for seat, _ in lines.by_seat(key)] for key in ("stacks", "won")}
    named["hero"] = [hero.seat] if isinstance(hero, HeroLine) else []
    named["sitting-out"] = list(lines.sitting_out)
    at_table = [seat for seat, _ in lines.players]
    for seat in sorted({seat for seat in at_table if at_table.count(seat) > 1}):
        lines.complain(lines.number_of["absent"], 1, f"seat {seat} is taken twice", "another seat")
    if lines.room_seats:
        _check_room_seats(lines, at_table)
    for key, seats in named.items():
        for seat in dict.fromkeys(seats):
            if seat not in (lines.seats if key == "won" else at_table):
                lines.complain(lines.number_of[key], 1, f"nobody sits in seat {seat}")
            elif key == "stacks" and seats.count(seat) > 1:
                lines.complain(lines.number_of[key], 1, f"seat {seat} has two stacks")


def _check_room_seats(lines: _HandLines, at_table: Sequence[int]) -> None:
    line, rooms = lines.number_of[ROOM_SEATS], lines.room_seats
    if not len(rooms) == len(set(rooms)) == len(at_table):
        expected = f"{len(at_table)} numbers, one for each seat"
        lines.complain(line, 1, "the room's numbers are not those of the seats here", expected)
        return
    numbers = dict(zip(sorted(at_table), rooms, strict=True))
    in_play = [numbers[seat] for seat in sorted(lines.seats)]
    if in_play != sorted(in_play) or in_play[0] < 1:
        what = "the room's numbers change the order of the seats"
        lines.complain(line, 1, what, "numbers that rise from 1 or more")


def _money(lines: _HandLines) -> tuple[Unit, Stakes | None]:
    """Return the unit in which the amounts of the hand are whole numbers, and the stakes."""
    game = lines.headers.get("game")
    decimals = {key: _decimals(lines.amounts(key)) for key in lines.number_of}
    if not isinstance(game, GameLine):
        for key, digits in decimals.items():
            if digits > SAUND_UNIT.decimals:
                message = "an amount finer than hundredths"
                lines.complain(lines.number_of[key], 1, message, "a game: line that is as fine")
        return SAUND_UNIT, SAUND_STAKES
    unit = Unit(max(decimals.values()), game.currency)
    return unit, _stakes(game, unit)


def _stakes(game: GameLine, unit: Unit) -> Stakes | None:
    if not game.forced:
        return None
    ante, bring_in, *bets = (_minor(amount, unit) for amount in game.forced)
    return Stakes(
        ante,
        bring_in,
        tuple(bets),
        game.cap,
        game.cap_heads_up,
        game.open_pair_doubles,
        game.inferred,
    )


def _decimals(amounts: Iterable[Decimal]) -> int:
    digits = max((-int(amount.as_tuple().exponent) for amount in amounts), default=0)
    return max(2, digits) if digits else 0


def _minor(amount: Decimal, unit: Unit) -> int:
    return int(amount.scaleb(unit.decimals))


def _events(lines: _HandLines, unit: Unit) -> Iterator[Event]:
    """Yield antes, streets and payments, up to a street that cannot be put in order."""
    active = sorted(lines.seats)
    for seat in active:
        yield Ante(seat, line=lines.number_of[seat])
    for street in _streets_dealt(lines):
        play = _StreetCells.of(lines, street, active)
        errors = list(play.errors(lines))
        for seat, why in errors:
            lines.complain(lines.number_of[seat], why.column, why.message, why.expected)
        if errors:
            return
        yield StreetStart(street, line=min(lines.number_of[seat] for seat in lines.seats))
        yield from _deals(lines, play)
        yield from play.actions(lines.number_of, unit)
        active = [seat for seat in active if not play.folds(seat)]
    yield from _loose_hands(lines)
    for seat, amount in lines.by_seat("won"):
        yield Collect(seat, _minor(amount, unit), line=lines.number_of["won"])
    for amount in lines.amounts("rake"):
        yield Rake(_minor(amount, unit), line=lines.number_of["rake"])


def _loose_hands(lines: _HandLines) -> Iterator[Show]:
    """Return the hands of which any downcard may have come last, upcards in their places."""
    header = lines.headers.get("any-order")
    for seat, cards in header.hands if isinstance(header, LooseLine) else ():
        line = lines.number_of["any-order"]
        cells = lines.seats[seat].cells if seat in lines.seats else ()
        up = tuple(card for cell in cells[:4] for card in cell.card)
        if len(cells) < 5 or None in up:
            message = f"seat {seat} has no four upcards and a card on 7th street"
            lines.complain(line, 1, message, "a seat that played to the end")
        else:
            yield Show(seat, (*cards[:2], *up, *cards[2:]), any_order=True, line=line)


def _streets_dealt(lines: _HandLines) -> tuple[int, ...]:
    numbers = tuple(street.number for street in lines.game.streets)
    if "shared" in lines.headers:
        return numbers
    return numbers[: max(len(seat.cells) for seat in lines.seats.values())]


def _deals(lines: _HandLines, play: _StreetCells) -> Iterator[Event]:
    """Yield the deals of a street to the players who are still in."""
    for seat in play.active:
        cell = play.cells.get(seat)
        line = lines.number_of[seat]
        if cell is None or not cell.card:
            continue
        if play.street == lines.game.first:
            down = lines.seats[seat].downcards
            yield Deal(seat, down=down, up=cell.card, line=line, column=cell.column)
        elif lines.game.streets[play.street - lines.game.first].down:
            yield Deal(seat, down=cell.card, line=line, column=cell.column)
        else:
            yield Deal(seat, up=cell.card, line=line, column=cell.column)
    shared = lines.headers.get("shared")
    if play.street == lines.game.last and isinstance(shared, SharedLine):
        yield SharedCard(shared.card, line=lines.number_of["shared"])


@dataclass(frozen=True, slots=True)
class _StreetCells:
    """The cells of one street by seat, and the active seats.

    ``goes_on`` says that the hand went beyond the deal of this street, so that no card of a
    player still in can be missing.
    """

    street: int
    active: tuple[int, ...]
    cells: Mapping[int, Cell]
    shared: bool
    goes_on: bool

    @classmethod
    def of(cls, lines: _HandLines, street: int, active: Sequence[int]) -> _StreetCells:
        """Collect the cells of a street."""
        index = street - lines.game.first
        cells = {
            seat: line.cells[index]
            for seat, line in sorted(lines.seats.items())
            if index < len(line.cells)
        }
        acted = any(cell.letters for cell in cells.values())
        goes_on = acted or street < max(_streets_dealt(lines)) or "won" in lines.headers
        shared = street == lines.game.last and "shared" in lines.headers
        return cls(street, tuple(active), cells, shared, goes_on)

    def folds(self, seat: int) -> bool:
        """Return True if a seat folds on this street."""
        return seat in self.cells and any(letter.text == "f" for letter in self.cells[seat].letters)

    def errors(self, lines: _HandLines) -> Iterator[tuple[int, LineError]]:
        """Yield seat and reason of each fault that makes the order of the letters undecidable."""
        name = STREET_NAMES[self.street]
        for seat in self.active:
            if seat not in self.cells and self.goes_on and not self.shared:
                end = len(lines.text[lines.number_of[seat]]) + 1
                yield seat, LineError(f"seat {seat} has no cell for {name} street", "a card", end)
        for seat, cell in self.cells.items():
            if seat not in self.active:
                yield seat, LineError(f"seat {seat} folded before {name} street", "", cell.column)
            elif self.shared and cell.card:
                message = "a card here, but all share the 7th card"
                yield seat, LineError(message, "letters only", cell.column)
            elif not self.shared and not cell.card:
                message = f"seat {seat} has no card on {name} street"
                yield seat, LineError(message, "a card", cell.column)
            texts = [letter.text for letter in cell.letters]
            if "f" in texts[:-1]:
                extra = cell.letters[texts.index("f") + 1]
                message = f"seat {seat} has {extra.text!r} left after its fold"
                yield seat, LineError(message, "", extra.column)
        yield from self._lead_errors(name)

    def _lead_errors(self, name: str) -> Iterator[tuple[int, LineError]]:
        leads = [seat for seat, cell in self.cells.items() if cell.lead]
        acting = [seat for seat, cell in self.cells.items() if cell.letters]
        if acting and not leads:
            seat = acting[0]
            column = self.cells[seat].letters[0].column
            yield (
                seat,
                LineError(f"nobody leads {name} street", "'.' before the first to act", column),
            )
        for seat in leads[1:]:
            message = f"seat {seat} leads {name} street, and so does seat {leads[0]}"
            yield seat, LineError(message, "one '.' on a street", self.cells[seat].column)

    def actions(self, lines: Mapping[int | str, int], unit: Unit) -> Iterator[Wager]:
        """Yield the actions in the order of play: from the lead actor, one letter a turn."""
        lead = next((seat for seat, cell in self.cells.items() if cell.lead), 0)
        clockwise = sorted(self.cells, key=lambda seat: (seat < lead, seat))
        letters = [[(seat, letter) for letter in self.cells[seat].letters] for seat in clockwise]
        for turns in zip_longest(*letters):
            for seat, letter in filter(None, turns):
                yield _action(seat, letter, unit, lines[seat])


def _action(seat: int, letter: Letter, unit: Unit, line: int) -> Wager:
    action = ACTIONS[letter.text]
    total = None if letter.total is None else _minor(letter.total, unit)
    bet = action is Action.BET
    return Wager(
        seat,
        action,
        adds=total if bet else None,
        to=None if bet else total,
        double=letter.double,
        line=line,
        column=letter.column,
    )
