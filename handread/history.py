"""A hand as its log states it, and problems with it.

A history is not checked against the rules; ``handread.game`` does that. Every event keeps its line.
Lines are ignored when histories are compared, so that a hand that is printed and read again equals
the original.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from fractions import Fraction
from hashlib import blake2b

from handread.cards import DECK_SIZE, MaybeCard, cards_text
from handread.game.ranks import HandRank
from handread.game.rules import Stakes, Unit, game_name, variant_of


@dataclass(frozen=True, slots=True)
class Source:
    """The place of a hand in its log.

    Attributes:
        file: Name of the file; ``-`` for standard input.
        line: First line of the hand, from 1.
        dialect: Name of the format that the hand was read as.
    """

    file: str
    line: int
    dialect: str


@dataclass(frozen=True, slots=True)
class Problem:
    """A fault in a log, with its place and an expectation. ``str`` gives a message.

    Attributes:
        file: Name of the file; ``-`` for standard input.
        line: Number of the line, from 1.
        column: Number of the character in the line, from 1.
        message: The fault in words.
        expected: What was expected instead; empty if nothing can be said.
        text: The line itself; empty if it is not known.
        dialect: Name of the format that was tried; empty for none.
        end_line: Last line of a text that is not a hand; 0 for a problem of one line.
        only_strict: True for a problem that only ``handread check --strict`` reports.
    """

    file: str
    line: int
    column: int
    message: str
    expected: str = ""
    text: str = ""
    dialect: str = ""
    end_line: int = 0
    only_strict: bool = False

    def record(self) -> dict[str, int | str]:
        """Return line, column, message and expectation as plain values for JSON."""
        return {
            "line": self.line,
            "column": self.column,
            "message": self.message,
            "expected": self.expected,
        }

    def __str__(self) -> str:
        tail = f" (expected {self.expected})" if self.expected else ""
        return f"{self.file}:{self.line}:{self.column}: {self.message}{tail}"


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat of the table.

    Attributes:
        number: Number of the seat, from 1.
        name: Name of its player; empty if the log has none.
        stack: Chips before the hand, in minor units; None if the log does not state them.
        sitting_out: True if the log marks the player so. Such a player may still post an ante, be
            dealt in and fold.
    """

    number: int
    name: str = ""
    stack: int | None = None
    sitting_out: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Event:
    """Something that the log reports, with its line and column from 1 (line 0 if unknown)."""

    line: int = field(default=0, compare=False)
    column: int = field(default=1, compare=False)

    def __repr__(self) -> str:
        cells = [(part.name, getattr(self, part.name), part.default) for part in fields(self)]
        shown = [f"{name}={_shown(name, cell)}" for name, cell, empty in cells if cell != empty]
        return f"{type(self).__name__}({', '.join(shown)})"


def _shown(name: str, value: object) -> str:
    """Return a value of an event as text, with valid cards in card notation."""
    cards = (value,) if name == "card" else value
    if not isinstance(cards, tuple) or any(c is not None and not 0 <= c < DECK_SIZE for c in cards):
        return repr(value)
    return repr(cards_text(cards))


@dataclass(frozen=True, slots=True, repr=False)
class Ante(Event):
    """A seat posts its ante. ``amount`` is in minor units, ``None`` for the ante of the stakes."""

    seat: int
    amount: int | None = None
    all_in: bool = False


@dataclass(frozen=True, slots=True, repr=False)
class StreetStart(Event):
    """A street begins, 3 to 7 (2 to 5 in five-card stud); its deals follow."""

    street: int


@dataclass(frozen=True, slots=True, repr=False)
class Deal(Event):
    """A seat gets cards: ``down`` face down, ``up`` face up; ``None`` is a card not seen."""

    seat: int
    down: tuple[MaybeCard, ...] = ()
    up: tuple[MaybeCard, ...] = ()


@dataclass(frozen=True, slots=True, repr=False)
class SharedCard(Event):
    """The seventh card that all players share, face up, if the deck runs short."""

    card: MaybeCard


class Action(StrEnum):
    """An action of a seat whose turn it is, or its bring-in.

    Logs use the last three where the action depends on the table; a replay makes them definite.
    """

    BRING_IN = "bring-in"
    FOLD = "fold"
    CHECK = "check"
    CALL = "call"
    BET = "bet"
    RAISE = "raise"
    CHECK_OR_CALL = "check or call"
    BET_OR_RAISE = "bet or raise"
    ALL_IN = "all-in"

    def __repr__(self) -> str:
        return f"Action.{self.name}"


AGGRESSIVE = (Action.BET, Action.RAISE)
"""The actions that other players must match; a completion is one by either name."""


@dataclass(frozen=True, slots=True, repr=False)
class Wager(Event):
    """An action as the log states it.

    Amounts are in minor units. A log states what the seat ``adds`` or its total on the street after
    the action, ``to``. If it states neither, the replay fills in the amount. A completion in place
    of the bring-in is a bet. ``double`` is the big bet that an open pair allows on 4th street;
    ``over_bring_in`` says that ``to`` leaves out the bring-in.
    """

    seat: int
    action: Action
    adds: int | None = None
    to: int | None = None
    all_in: bool = False
    double: bool = False
    over_bring_in: bool = False


@dataclass(frozen=True, slots=True, repr=False)
class Uncalled(Event):
    """The uncalled part of a bet returns to its owner, in minor units."""

    seat: int
    amount: int


@dataclass(frozen=True, slots=True, repr=False)
class Show(Event):
    """A seat shows cards, in the order of the log: the first downcards, upcards, the 7th card.

    With ``any_order``, the hand is complete and its upcards are the third to sixth cards, but any
    of the other three may have come last.
    """

    seat: int
    cards: tuple[MaybeCard, ...]
    any_order: bool = False


@dataclass(frozen=True, slots=True, repr=False)
class Muck(Event):
    """A seat does not show its hand; a summary reveals ``cards``, ``any_order`` as in ``Show``."""

    seat: int
    cards: tuple[MaybeCard, ...] = ()
    any_order: bool = False


@dataclass(frozen=True, slots=True, repr=False)
class Collect(Event):
    """A seat is paid from a pot, in minor units."""

    seat: int
    amount: int
    pot: str = ""


@dataclass(frozen=True, slots=True, repr=False)
class TotalPot(Event):
    """The log's own total of the pot, in minor units, and whether the rake is in it."""

    amount: int
    before_rake: bool = True


@dataclass(frozen=True, slots=True, repr=False)
class Rake(Event):
    """Rake of the room, in minor units."""

    amount: int


@dataclass(frozen=True, slots=True, repr=False)
class Remark(Event):
    """A line that is not about the play (chat, a player leaving), kept verbatim.

    ``known`` is False if the line matches no pattern of its dialect.
    """

    text: str
    known: bool = field(default=True, compare=False)


def is_unknown(event: Event) -> bool:
    """Return True for a line of a log that no pattern of its room matches."""
    return isinstance(event, Remark) and not event.known


SeatEvent = Wager | Ante | Deal | Uncalled | Show | Muck | Collect
"""An event of one seat."""


@dataclass(frozen=True, slots=True)
class NetResult:
    """Net result of a seat as the log states it, in minor units, with its line and column."""

    seat: int
    amount: int
    line: int = 0
    column: int = 1


@dataclass(frozen=True, slots=True)
class Claim:
    """An amount that the log states and that follows from the play.

    ``figure`` is the "increase" of a raise or the chips "added" by it; or what the seat "won",
    "collects", "bets", "wins", "loses" or its "net" in the hand. ``problem`` is to be reported,
    filled in, if the replay finds another amount. ``event`` is an index; None for the whole hand.
    """

    figure: str
    seat: int
    amount: int
    problem: Problem
    event: int | None = None


@dataclass(frozen=True, slots=True)
class LowClaim:
    """A low that the log announces: of seat 0 and ``None`` if it says that nobody has one.

    ``problem`` is to be reported, filled in, if the cards make another low.
    """

    seat: int
    low: HandRank | None
    problem: Problem


@dataclass(frozen=True, slots=True, repr=False)
class History:
    """One hand as its log states it. Amounts are in minor units.

    Attributes:
        hand_id: The log's name of the hand; empty if it has none.
        source: File, line and format that it was read from.
        variant: Key of the game, such as "stud"; hands of the game "other" are not read.
        unit: Currency of the amounts, and the number of its decimals.
        stakes: Ante, bring-in and bets; None if the log states none and none could be inferred.
        seats: The seats in order.
        events: What happened, in order: antes, deals, actions, hands shown, payments, remarks.
        hero: Seat of the player whose log it is; None if the log does not say.
        table: Name of the table; empty if the log has none.
        played_at: Date and time as the log writes them; empty if it has none.
        problems: Lines that could not be read; ``events`` are then those before the first of them.
        end_line: Last line of the hand's text; 0 if unknown.
        game: The log's name of the game.
        meant: The name of a game that is read, if ``game`` is almost that name; else empty.
        unpaid: True if the log is cut off: the room always says who is paid, and here it does not.
        findings: Faults that do not stop the play: dealt cards that cannot be read and, for
            ``handread check --strict`` only, cards that the log repeats differently.
        nets: Net results of seats, in rooms that state them instead of winnings.
        claims: Amounts that follow from the play; the replay compares them.
        lows: Announced lows, which the replay compares with the cards.
        inferred_from: Source of inferred ``stakes`` in words; empty if the log states them.
        tournament: The log's name of the tournament; empty for a cash game.
        bring_in_share: Bring-in of the room as a share of the small bet, for logs that state only
            one of them.
        any_opener: True for records of any room. If the best showing hand is all-in, the next
            player clockwise may open a street, as well as the best hand with chips.
        without_uncalled: True if winnings never include the winner's uncalled bet.
    """

    hand_id: str
    source: Source = field(compare=False)
    variant: str
    unit: Unit
    stakes: Stakes | None
    seats: tuple[Seat, ...]
    events: tuple[Event, ...]
    hero: int | None = None
    table: str = ""
    played_at: str = ""
    problems: tuple[Problem, ...] = field(default=(), compare=False)
    end_line: int = field(default=0, compare=False)
    game: str = field(default="", compare=False)
    meant: str = field(default="", compare=False)
    unpaid: bool = field(default=False, compare=False)
    findings: tuple[Problem, ...] = field(default=(), compare=False)
    nets: tuple[NetResult, ...] = field(default=(), compare=False)
    claims: tuple[Claim, ...] = field(default=(), compare=False)
    lows: tuple[LowClaim, ...] = field(default=(), compare=False)
    inferred_from: str = field(default="", compare=False)
    tournament: str = field(default="", compare=False)
    bring_in_share: Fraction = field(default=Fraction(1, 2), compare=False)
    any_opener: bool = field(default=False, compare=False)
    without_uncalled: bool = field(default=False, compare=False)

    def __repr__(self) -> str:
        where = f"{self.source.file}:{self.source.line}"
        return (
            f"<History {self.hand_id!r} of {where}: {self.variant}, {len(self.seats)} seats, "
            f"{len(self.events)} events, {len(self.problems)} problems>"
        )

    @property
    def damage(self) -> tuple[Problem, ...]:
        """The findings that are always reported: dealt cards that cannot be read."""
        return tuple(finding for finding in self.findings if not finding.only_strict)

    @property
    def title(self) -> str:
        """Name of the game, such as seven-card stud, or the log's name of an unknown one."""
        known = variant_of(self.variant)
        return self.game if known.key == "other" and self.game else known.title

    @property
    def other_game(self) -> bool:
        """True for a hand of a game that is not read, unless its name is misspelt."""
        return not (variant_of(self.variant).readable or self.meant)

    @property
    def game_name(self) -> str:
        """The name of the game, the same for all of its limits and in all rooms."""
        known = variant_of(self.variant)
        return game_name(self.title) if known.key == "other" else known.title

    def seat(self, number: int) -> Seat:
        """Return the seat of a number.

        Args:
            number: The number.

        Raises:
            KeyError: There is no such seat.
        """
        for seat in self.seats:
            if seat.number == number:
                return seat
        raise KeyError(number)

    def problem(self, line: int, message: str, expected: str = "", column: int = 1) -> Problem:
        """Return a problem at a line of this hand's source.

        Args:
            line: Number of the line; 0 for the first of the hand.
            message: What is wrong, in words.
            expected: What was expected instead.
            column: Number of the character in the line, from 1.
        """
        return Problem(
            self.source.file,
            line or self.source.line,
            column,
            message,
            expected,
            dialect=self.source.dialect,
        )


def with_problems(history: History, changed: Callable[[Problem], Problem]) -> History:
    """Return a hand with its problems ``changed``, also the problems of its claims and lows."""
    return replace(
        history,
        problems=tuple(map(changed, history.problems)),
        findings=tuple(map(changed, history.findings)),
        claims=tuple([replace(c, problem=changed(c.problem)) for c in history.claims]),
        lows=tuple([replace(low, problem=changed(low.problem)) for low in history.lows]),
    )


def unplaced(history: History) -> History:
    """Return a hand without its file name, equal for each copy of its log."""
    hand = with_problems(history, lambda problem: replace(problem, file=""))
    return replace(hand, source=replace(history.source, file=""))


KEY_SIZE = 8
"""Number of bytes of the key of a hand."""


def hand_key(history: History) -> bytes:
    """Return bytes that are the same for each copy of a hand: its room, number and play.

    Remarks do not count. Logs of two players at the table show different cards, and so are no
    copies. A hand without a number has no key, as others may look like it.
    """
    if not history.hand_id:
        return b""
    play = [
        (type(event).__name__, *(getattr(event, name) for name in _COMPARED[type(event)]))
        for event in history.events
        if not isinstance(event, Remark)
    ]
    seats = [(seat.number, seat.name, seat.stack) for seat in history.seats]
    named = history.source.dialect, history.hand_id, history.variant, history.game
    text = repr((*named, seats, play))
    return blake2b(text.encode("utf-8", "backslashreplace"), digest_size=KEY_SIZE).digest()


def is_repeated(history: History, seen: set[bytes]) -> bool:
    """Return True for a hand whose key was seen before; otherwise add the key, if it has one."""
    key = hand_key(history)
    if not key or key in seen:
        return bool(key)
    seen.add(key)
    return False


_KINDS = Event.__subclasses__()
_COMPARED = {kind: tuple(f.name for f in fields(kind) if f.compare) for kind in _KINDS}
"""The fields that are compared in events of a kind."""


def renumbered(history: History, numbers: Mapping[int, int]) -> History:
    """Return the hand with other numbers of its seats; those not in ``numbers`` stay."""

    def number(seat: int) -> int:
        return numbers.get(seat, seat)

    seats = [replace(seat, number=number(seat.number)) for seat in history.seats]
    return replace(
        history,
        seats=tuple(sorted(seats, key=lambda seat: seat.number)),
        events=tuple(
            replace(event, seat=number(event.seat)) if isinstance(event, SeatEvent) else event
            for event in history.events
        ),
        hero=None if history.hero is None else number(history.hero),
    )
