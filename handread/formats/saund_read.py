"""Read hands in Saund's notation: from its lines to the events of a history."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from itertools import zip_longest
from typing import Any, Self, cast

import handread.formats.saund_lines as saund_lines
import handread.game.rules as rules
import handread.history as hh
from handread.formats.format import LineError, Reading
from handread.history import History, Problem, Seat, Source, renumbered

Lines = Sequence[tuple[int, str]]
"""The lines of one hand with their numbers."""

_NAMED_GAME = re.compile(rf"[ \t]*game[ \t]*:[ \t]*({'|'.join(rules.GAMES)})\b")

_JUNK = 3
"""Number of unreadable lines after the first that make a block without headers no hand."""


@dataclass(slots=True)
class _HandLines:
    file: str
    dialect: str
    text: dict[int, str]
    game: rules.Variant = rules.DEFAULT
    seats: dict[int, saund_lines.SeatLine] = field(default_factory=dict)
    headers: saund_lines.Headers = field(default_factory=saund_lines.Headers)
    number_of: dict[int | str, int] = field(default_factory=dict)
    amounts: dict[int | str, Sequence[Decimal]] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    def complain(self, line: int, column: int, message: str, expected: str = "") -> None:
        text, place = self.text.get(line, ""), (self.file, line, column)
        self.problems.append(Problem(*place, message, expected, text=text, dialect=self.dialect))

    @property
    def players(self) -> list[tuple[int, str]]:
        """Everybody at the table, dealt in or not, by seat and name."""
        dealt_in = [(number, line.name) for number, line in self.seats.items()]
        return [*dealt_in, *self.headers.get("absent", ())]


def read_game(text: str) -> tuple[rules.Unit, rules.Stakes, rules.Variant]:
    """Return the unit, stakes and game of a ``game:`` line; ``ValueError`` for a wrong text."""
    example = "ante .25 bring-in .25 bets 1 1 2 2 2 raises 4"
    try:
        line = saund_lines.parse_line(f"game: {text}")
    except LineError as why:
        names = ", ".join(key for key in rules.VARIANTS if key != "other")
        expected = f"{names}, stakes such as {example!r}, or both"
        raise ValueError(f"the game {text!r}: {why.message}; expected {expected}") from None
    game = line.value if isinstance(line, saund_lines.HeaderLine) else None
    if not isinstance(game, saund_lines.GameLine) or not game.forced:
        raise ValueError(f"the game {text!r} has no stakes; expected such as {example}")
    unit = rules.Unit(_decimals(game.forced), game.currency)
    stakes = _stakes(game, unit)
    assert stakes is not None
    if min(stakes.bets) <= 0:
        raise ValueError(f"the game {text!r}: a bet of nothing; expected such as {example}")
    return unit, stakes, rules.variant_of(game.variant)


def read_hand(block: Lines, file: str, dialect: str) -> Iterator[Reading]:
    """Yield the hand of a block of lines, or its problems if there is no line of a seat.

    A hand with an unreadable line keeps its seats and loses its events; a hand with actions that
    cannot be put in order keeps the streets before.
    """
    lines = _gather(block, file, dialect)
    if not lines.seats:
        yield from (replace(problem, end_line=block[-1][0]) for problem in _no_hand(lines, block))
        return
    _check_seat_numbers(lines)
    unit, stakes = _money(lines)
    headers = lines.headers
    stacks = {seat: _minor(amount, unit) for seat, amount in headers.get("stacks", ())}
    events = () if lines.problems else tuple(_events(lines, unit))
    history = History(
        hand_id=headers.get("hand", ""),
        source=Source(file, min(lines.number_of.values()), dialect),
        variant=lines.game.key,
        unit=unit,
        stakes=stakes,
        seats=tuple(
            Seat(number, name, stacks.get(number), number in headers.get("sitting-out", ()))
            for number, name in sorted(lines.players)
        ),
        events=events,
        hero=headers.get("hero"),
        table=headers.get("table", ""),
        played_at=headers.get("played", ""),
        problems=tuple(sorted(lines.problems, key=lambda problem: (problem.line, problem.column))),
        end_line=block[-1][0],
        any_opener=True,
        unpaid=headers.get("won", (0,)) == (),
    )
    if "room-seats" not in headers or lines.problems:
        yield history
        return
    table = [seat.number for seat in history.seats]
    yield renumbered(history, dict(zip(table, headers["room-seats"], strict=False)))


def _no_hand(lines: _HandLines, block: Lines) -> list[Problem]:
    """Return the problems of a block without seats; a single one without any line of a hand."""
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
    game = rules.variant_of(named[1]) if named else rules.DEFAULT
    lines = _HandLines(file, dialect, dict(block), game)
    for line, text in block:
        try:
            content = saund_lines.parse_line(text, game.key)
        except LineError as why:
            lines.complain(line, why.column, why.message, why.expected)
            continue
        if content is None:
            continue
        key = content.seat if isinstance(content, saund_lines.SeatLine) else content.key
        if key in lines.number_of:
            what = f"seat {key}" if isinstance(content, saund_lines.SeatLine) else f"{content.key}:"
            lines.complain(line, 1, f"{what} stands on line {lines.number_of[key]} already")
            continue
        lines.number_of[key], lines.amounts[key] = line, content.amounts
        if isinstance(content, saund_lines.SeatLine):
            lines.seats[content.seat] = content
        else:
            cast(dict[str, Any], lines.headers)[content.key] = content.value
    return lines


def _check_seat_numbers(lines: _HandLines) -> None:
    for seat in lines.seats:
        if not 1 <= seat <= rules.MAX_PLAYERS:
            line = lines.number_of[seat]
            lines.complain(line, 1, f"there is no seat {seat}", "a seat from 1 to 8")
    headers = lines.headers
    named = {
        "stacks": [seat for seat, _ in headers.get("stacks", ())],
        "won": [seat for seat, _ in headers.get("won", ())],
        "hero": [headers["hero"]] if "hero" in headers else [],
        "sitting-out": list(headers.get("sitting-out", ())),
    }
    at_table = [seat for seat, _ in lines.players]
    for seat in sorted({seat for seat in at_table if at_table.count(seat) > 1}):
        lines.complain(lines.number_of["absent"], 1, f"seat {seat} is taken twice", "another seat")
    if "room-seats" in headers:
        _check_room_seats(lines, headers["room-seats"], at_table)
    for key, seats in named.items():
        for seat in dict.fromkeys(seats):
            if seat not in (lines.seats if key == "won" else at_table):
                lines.complain(lines.number_of[key], 1, f"nobody sits in seat {seat}")
            elif key == "stacks" and seats.count(seat) > 1:
                lines.complain(lines.number_of[key], 1, f"seat {seat} has two stacks")


def _check_room_seats(lines: _HandLines, rooms: Sequence[int], at_table: Sequence[int]) -> None:
    line = lines.number_of[saund_lines.ROOM_SEATS]
    if not len(rooms) == len(set(rooms)) == len(at_table):
        expected = f"{len(at_table)} numbers, one for each seat"
        lines.complain(line, 1, "the room's numbers are not those of the seats here", expected)
        return
    numbers = dict(zip(sorted(at_table), rooms, strict=True))
    in_play = [numbers[seat] for seat in sorted(lines.seats)]
    if in_play != sorted(in_play) or in_play[0] < 1:
        what = "the room's numbers change the order of the seats"
        lines.complain(line, 1, what, "numbers that rise from 1 or more")


def _money(lines: _HandLines) -> tuple[rules.Unit, rules.Stakes | None]:
    """Return the unit that makes all amounts of the hand whole numbers, and the stakes."""
    game = lines.headers.get("game")
    decimals = {key: _decimals(amounts) for key, amounts in lines.amounts.items()}
    if game is None:
        for key, digits in decimals.items():
            if digits > rules.SAUND_UNIT.decimals:
                message = "an amount finer than hundredths"
                lines.complain(lines.number_of[key], 1, message, "a game: line that is as fine")
        return rules.SAUND_UNIT, rules.SAUND_STAKES
    unit = rules.Unit(max(decimals.values()), game.currency)
    return unit, _stakes(game, unit)


def _stakes(game: saund_lines.GameLine, unit: rules.Unit) -> rules.Stakes | None:
    if not game.forced:
        return None
    ante, bring_in, *bets = (_minor(amount, unit) for amount in game.forced)
    return rules.Stakes(
        ante,
        bring_in,
        tuple(bets),
        cap=game.cap,
        cap_heads_up=game.cap_heads_up,
        open_pair_doubles=game.open_pair_doubles,
        inferred=game.inferred,
    )


def _decimals(amounts: Iterable[Decimal]) -> int:
    digits = max((-int(amount.as_tuple().exponent) for amount in amounts), default=0)
    return max(2, digits) if digits else 0


def _minor(amount: Decimal, unit: rules.Unit) -> int:
    return int(amount.scaleb(unit.decimals))


def _events(lines: _HandLines, unit: rules.Unit) -> Iterator[hh.Event]:
    """Yield antes, streets and payments, up to a street that cannot be put in order."""
    active = sorted(lines.seats)
    for seat in active:
        yield hh.Ante(seat, line=lines.number_of[seat])
    for street in _streets_dealt(lines):
        play = _StreetCells.of(lines, street, active)
        errors = list(play.errors(lines))
        for seat, why in errors:
            lines.complain(lines.number_of[seat], why.column, why.message, why.expected)
        if errors:
            return
        yield hh.StreetStart(street, line=min(lines.number_of[seat] for seat in lines.seats))
        yield from _deals(lines, play)
        yield from play.actions(lines.number_of, unit)
        active = [seat for seat in active if not play.folds(seat)]
    yield from _loose_hands(lines)
    for seat, amount in lines.headers.get("won", ()):
        yield hh.Collect(seat, _minor(amount, unit), line=lines.number_of["won"])
    if "rake" in lines.headers:
        yield hh.Rake(_minor(lines.headers["rake"], unit), line=lines.number_of["rake"])


def _loose_hands(lines: _HandLines) -> Iterator[hh.Show]:
    """Return the hands with an unknown last downcard, upcards in their places."""
    for seat, cards in lines.headers.get("any-order", ()):
        line = lines.number_of["any-order"]
        cells = lines.seats[seat].cells if seat in lines.seats else ()
        up = tuple(card for cell in cells[:4] for card in cell.card)
        if len(cells) < 5 or None in up:
            message = f"seat {seat} has no four upcards and a card on 7th street"
            lines.complain(line, 1, message, "a seat that played to the end")
        else:
            yield hh.Show(seat, (*cards[:2], *up, *cards[2:]), any_order=True, line=line)


def _streets_dealt(lines: _HandLines) -> tuple[int, ...]:
    numbers = tuple(street.number for street in lines.game.streets)
    if "shared" in lines.headers:
        return numbers
    return numbers[: max(len(seat.cells) for seat in lines.seats.values())]


def _deals(lines: _HandLines, play: "_StreetCells") -> Iterator[hh.Event]:
    for seat in play.active:
        cell = play.cells.get(seat)
        line = lines.number_of[seat]
        if cell is None or not cell.card:
            continue
        if play.street == lines.game.first:
            down = lines.seats[seat].downcards
            yield hh.Deal(seat, down=down, up=cell.card, line=line, column=cell.column)
        elif lines.game.streets[play.street - lines.game.first].down:
            yield hh.Deal(seat, down=cell.card, line=line, column=cell.column)
        else:
            yield hh.Deal(seat, up=cell.card, line=line, column=cell.column)
    if play.street == lines.game.last and "shared" in lines.headers:
        yield hh.SharedCard(lines.headers["shared"], line=lines.number_of["shared"])


@dataclass(frozen=True, slots=True)
class _StreetCells:
    """The cells of one street by seat, and the active seats.

    ``goes_on`` is True if the hand went beyond the deal of this street: players still in lack no
    card.
    """

    street: int
    active: tuple[int, ...]
    cells: Mapping[int, saund_lines.Cell]
    shared: bool
    goes_on: bool

    @classmethod
    def of(cls, lines: _HandLines, street: int, active: Sequence[int]) -> Self:
        index = street - lines.game.first
        seats = sorted(lines.seats.items())
        cells = {seat: line.cells[index] for seat, line in seats if index < len(line.cells)}
        acted = any(cell.letters for cell in cells.values())
        goes_on = acted or street < max(_streets_dealt(lines)) or "won" in lines.headers
        shared = street == lines.game.last and "shared" in lines.headers
        return cls(street, tuple(active), cells, shared, goes_on)

    def folds(self, seat: int) -> bool:
        return seat in self.cells and any(letter.text == "f" for letter in self.cells[seat].letters)

    def errors(self, lines: _HandLines) -> Iterator[tuple[int, LineError]]:
        """Yield seat and reason of each fault that makes the order of the letters undecidable."""
        name = rules.STREET_NAMES[self.street]
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
            message, expected = f"nobody leads {name} street", "'.' before the first to act"
            yield seat, LineError(message, expected, column)
        for seat in leads[1:]:
            message = f"seat {seat} leads {name} street, and so does seat {leads[0]}"
            yield seat, LineError(message, "one '.' on a street", self.cells[seat].column)

    def actions(self, lines: Mapping[int | str, int], unit: rules.Unit) -> Iterator[hh.Wager]:
        """Yield the actions in the order of play: from the lead actor, one letter a turn."""
        lead = next((seat for seat, cell in self.cells.items() if cell.lead), 0)
        clockwise = sorted(self.cells, key=lambda seat: (seat < lead, seat))
        letters = [[(seat, letter) for letter in self.cells[seat].letters] for seat in clockwise]
        for turns in zip_longest(*letters):
            for seat, letter in filter(None, turns):
                yield _action(seat, letter, unit, lines[seat])


def _action(seat: int, letter: saund_lines.Letter, unit: rules.Unit, line: int) -> hh.Wager:
    action = saund_lines.ACTIONS[letter.text]
    total = None if letter.total is None else _minor(letter.total, unit)
    bet = action is hh.Action.BET
    return hh.Wager(
        seat,
        action,
        adds=total if bet else None,
        to=None if bet else total,
        double=letter.double,
        line=line,
        column=letter.column,
    )
