"""From a history in which every amount is written out to the text of a PHH hand."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from handread.cards import Card, MaybeCard, cards_text
from handread.formats.amounts import Ledger
from handread.formats.phh_read import CARDS_DEALT
from handread.game.rules import Stakes, Unit
from handread.history import (
    Action,
    Ante,
    Bet,
    BringIn,
    Call,
    Check,
    Collect,
    Deal,
    Event,
    Fold,
    History,
    Muck,
    RaiseTo,
    Rake,
    Remark,
    Seat,
    SharedCard,
    Show,
    StreetStart,
    TotalPot,
    Uncalled,
    known_downcards,
    out_of_place,
    upcards,
)


def money(amount: int, unit: Unit) -> str:
    """An amount with every digit of its unit, so that the reader finds the unit again."""
    whole, part = divmod(amount, 10**unit.decimals)
    return f"{whole}.{part:0{unit.decimals}d}" if unit.decimals else str(whole)


def number(value: float | None) -> str:
    """A number that reads back as the same float; empty for ``None`` and what is not finite."""
    if value is None or not math.isfinite(value):
        return ""
    return repr(float(value) + 0.0)  # no minus before a zero


def quoted(text: str) -> str:
    """A text in quotes, on one line."""
    # JSON's escapes are TOML's too; TOML asks for one more.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def quoted_unless_empty(text: str) -> str:
    """A text in quotes; empty for an empty one."""
    return quoted(text) if text else ""


def array(values: Iterable[str]) -> str:
    """An array on one line; empty without values."""
    inside = ", ".join(values)
    return f"[{inside}]" if inside else ""


def rows(values: Iterable[str]) -> str:
    """An array with one value a line; empty without values."""
    inside = "".join(f"    {value},\n" for value in values)
    return f"[\n{inside}]" if inside else ""


def table(fields: Mapping[str, str]) -> str:
    """A table on one line, of the fields that are not empty; empty without any."""
    inside = ", ".join(f"{key} = {value}" for key, value in fields.items() if value)
    return f"{{ {inside} }}" if inside else ""


@dataclass(frozen=True, slots=True)
class Notes:
    """What is written into a hand beside the hand; readers pass over it.

    ``comments`` stand behind the actions of events, by index in ``History.events``; that of an
    event without an action is left out. ``fields`` come last, each a key and its value as TOML;
    PHH leaves keys that begin with an underscore to programs.
    """

    comments: Mapping[int, str] = field(default_factory=dict)
    fields: Sequence[tuple[str, str]] = ()


@dataclass(frozen=True, slots=True)
class Layout:
    """How a hand lies in PHH: the seats of p1, p2 ..., and where its events stand.

    ``actions`` is the number, from 1, of the action that an event becomes, by index in
    ``History.events``; those that PHH implies, or has no action for, are not among them.
    """

    players: tuple[int, ...]
    actions: Mapping[int, int]


def write_hand(history: History, notes: Notes | None = None) -> str:
    """A hand as the text of a .phh file; ``ValueError`` where PHH cannot hold it."""
    notes = notes or Notes()
    fields = (*_fields(history, _stakes_of(history), notes.comments), *notes.fields)
    return "".join(f"{key} = {value}\n" for key, value in fields if value)


def layout(history: History) -> Layout:
    """Where everything stands once a hand is written; ``ValueError`` as ``write_hand``."""
    stakes = _stakes_of(history)
    stacks, _ = _stacks(history, _dealt_in(history))
    script = _Script(history, stakes, Ledger.start(stacks), {})
    return Layout(tuple(stacks), script.places)


def _stakes_of(history: History) -> Stakes:
    """The stakes; ``ValueError`` for another game than stud, and without them."""
    if history.variant != "stud":
        raise ValueError(f"only seven-card stud is written as PHH, not {history.variant!r}")
    if history.stakes is None:
        raise ValueError("a hand without stakes cannot be written as PHH")
    return history.stakes


def _dealt_in(history: History) -> list[Seat]:
    """The seats of p1, p2 ...; ``ValueError`` without any, and where another takes part."""
    dealt = {event.seat for event in history.events if isinstance(event, Ante | Deal)}
    seats = sorted((s for s in history.seats if s.number in dealt), key=lambda s: s.number)
    if not seats:
        raise ValueError("a hand in which nobody is dealt in cannot be written as PHH")
    numbers = [seat.number for seat in seats]
    strangers = {getattr(event, "seat", numbers[0]) for event in history.events} - set(numbers)
    if strangers:
        raise ValueError(f"seat {min(strangers)} is not dealt in, but has a part in the hand")
    return seats


def _stacks(history: History, seats: Sequence[Seat]) -> tuple[dict[int, int | None], list[int]]:
    """The chips that seats begin with, and the seats for which these had to be counted."""
    counted = _counted_stacks(history)
    return {seat.number: counted.get(seat.number, seat.stack) for seat in seats}, list(counted)


def _fields(
    history: History, stakes: Stakes, comments: Mapping[int, str]
) -> Iterator[tuple[str, str]]:
    """The fields as TOML; those that are empty are not to be written."""
    unit = history.unit
    seats = _dealt_in(history)
    numbers = [seat.number for seat in seats]
    stacks, counted = _stacks(history, seats)
    script = _Script(history, stakes, Ledger.start(stacks), comments)
    posted = [event.seat for event in history.events if isinstance(event, Ante) and event.amount]
    antes = [stakes.ante if number in posted else 0 for number in numbers]
    yield "variant", '"F7S"'
    yield "antes", array(money(ante, unit) for ante in antes)
    yield "bring_in", money(stakes.bring_in, unit)
    yield "small_bet", money(stakes.bet(3), unit)
    yield "big_bet", money(stakes.bet(7), unit)
    yield "starting_stacks", array(_stack(stack, unit) for stack in stacks.values())
    yield "actions", _lines(script.actions)
    yield "hand", quoted_unless_empty(history.hand_id)
    yield "table", quoted_unless_empty(history.table)
    yield "seats", array(map(str, numbers))
    names = [seat.name for seat in seats]
    yield "players", array(quoted(name) for name in names) if any(names) else ""
    yield "finishing_stacks", array(money(stack, unit) for stack in script.finishing_stacks())
    yield "currency_symbol", quoted_unless_empty(unit.symbol)
    plain = _plain_stakes(antes, stakes)
    yield "_handread_stakes", "" if stakes == plain else _stakes_table(stakes, unit)
    yield "_handread_antes_from", array(map(str, posted if posted != sorted(posted) else []))
    yield "_handread_implied", array(map(str, script.implied))
    yield "_handread_double", array(map(str, script.doubled))
    yield "_handread_unknown_stacks", array(map(str, counted))
    yield "_handread_sitting_out", array(str(s.number) for s in seats if s.sitting_out)
    absent = [seat for seat in history.seats if seat.number not in stacks]
    yield "_handread_absent", array(_seat_table(seat, unit) for seat in absent)
    yield "_handread_hero", "" if history.hero is None else str(history.hero)
    yield "_handread_played_at", quoted_unless_empty(history.played_at)
    yield "_handread_ending", _lines(script.ending)


def _counted_stacks(history: History) -> dict[int, int]:
    """What seats of unknown stack put in that went all-in, which is what they had."""
    ledger = Ledger.start({seat.number: None for seat in history.seats})
    broke = set()
    for event in history.events:
        match event:
            case StreetStart():
                ledger.next_street()
            case Ante(seat=seat, amount=int(amount)):
                ledger.ante(seat, amount)
            case BringIn(seat=seat, amount=int(amount)):
                ledger.bring_in(seat, amount)
            case Call(seat=seat, amount=int(amount)) | Bet(seat=seat, amount=int(amount)):
                ledger.bet_or_raise(seat, ledger.put[seat] + amount)
            case RaiseTo(seat=seat, to=int(to)):
                ledger.bet_or_raise(seat, to)
        if isinstance(event, Ante | BringIn | Call | Bet | RaiseTo) and event.all_in:
            broke.add(event.seat)
    return {
        seat.number: ledger.paid[seat.number]
        for seat in history.seats
        if seat.stack is None and seat.number in broke
    }


class _Script:
    """The action strings of a hand, those of its ending, and where its events stand.

    Programs that play a PHH hand pay the best of the hands that are shown whole. So every player
    who is left at the end shows or mucks: a winner shows all cards, whatever the log says of the
    showdown, and so does a loser who did not muck. If the cards of a winner are not known, all
    muck, and such programs pay nobody. What the log says of the showdown then stands in the
    ending. Where nobody can bet any more, hands are shown before the next cards too.

    ``implied`` counts the actions that the log does not have, ``doubled`` those that are double
    bets, both from 1; ``places`` is as ``Layout.actions``. ``ValueError`` when an amount is left
    open or not what it must be.
    """

    def __init__(
        self, history: History, stakes: Stakes, ledger: Ledger, comments: Mapping[int, str]
    ) -> None:
        self.stakes = stakes
        self.unit = history.unit
        self.ledger = ledger
        self.player = {seat: f"p{n}" for n, seat in enumerate(ledger.stacks, start=1)}
        events = history.events
        folded = {event.seat for event in events if isinstance(event, Fold)}
        self.showdown = len(ledger.stacks.keys() - folded) > 1
        self.winners = {event.seat for event in events if isinstance(event, Collect)}
        self.mucked = {event.seat for event in events if isinstance(event, Muck)} - self.winners
        self.whole = _whole_hands(history)
        self.payable = self.winners <= self.whole.keys()
        play = Deal | SharedCard | Action
        self.last_play = max((n for n, e in enumerate(events) if isinstance(e, play)), default=0)
        early = [e for e in events[: self.last_play] if isinstance(e, Show | Muck)]
        self.shows_early = self.showdown and bool(self.winners) and not early
        self.done: set[int] = set()
        self.hands: dict[int, list[MaybeCard]] = {seat: [] for seat in ledger.stacks}
        self.actions: list[str] = []
        self.ending: list[str] = []
        self.implied: list[int] = []
        self.doubled: list[int] = []
        self.settled: dict[int, int] = {}
        self.places: dict[int, int] = {}
        for index, event in enumerate(history.events):
            self._add(index, event, comments.get(index, ""))

    def _add(self, index: int, event: Event, comment: str) -> None:
        """The next event."""
        action = None if self.ending else self._action(event, index < self.last_play)
        if action is None:
            if not self.ending:
                self._show_down()
            self.ending += self._ending(event)
        elif action:
            self.actions.append(f"{action} # {comment}" if comment else action)
            self.places[index] = len(self.actions)

    def _show_down(self) -> None:
        """Add what is lacking for every player left to have shown all cards, or mucked."""
        if not (self.showdown and self.winners):
            return
        for seat in self.hands:
            if seat in self.done:
                continue
            shows = self.payable and seat in self.whole and seat not in self.mucked
            self._imply(seat, _cards(self.whole[seat]) if shows else "")

    def _imply(self, seat: int, cards: str) -> None:
        self.actions.append(f"{self.player[seat]} sm {cards}".rstrip())
        self.implied.append(len(self.actions))

    def _next_street(self) -> None:
        betting = [seat for seat in self.hands if self.ledger.stacks[seat] != 0]
        known = any(self.hands.values()) and not any(None in hand for hand in self.hands.values())
        if self.shows_early and known and len(betting) < 2 and not self.implied:
            for seat, hand in self.hands.items():
                self._imply(seat, _cards(hand))
        self.ledger.next_street()

    def _action(self, event: Event, early: bool) -> str | None:
        """An event as an action, empty if PHH implies it; ``None`` when it has no such action.

        ``early`` says that cards or bets come after it.
        """
        match event:
            case StreetStart():
                self._next_street()
                return ""
            case Remark():
                return ""
            case Deal(seat=seat, down=down, up=up):
                if seat not in self.hands:
                    raise ValueError(f"{event}, but this player has folded")
                self.hands[seat] += (*down, *up)
                return f"d dh {self.player[seat]} {_cards((*down, *up))}" if down or up else ""
            case SharedCard(card=card):
                return f"d db {_cards([card])}"
            case Fold(seat=seat):
                self.hands.pop(seat, None)
                return f"{self.player[seat]} f"
            case Show(seat=seat, cards=cards) if early and cards and seat in self.hands:
                return f"{self.player[seat]} sm {_cards(out_of_place(event))}"
            case Show(seat=seat, cards=cards) if self._shows_whole(seat, cards):
                self.done.add(seat)
                return f"{self.player[seat]} sm {_cards(out_of_place(event))}"
            case Muck(seat=seat, cards=()) if self._may_muck(seat):
                self.done.add(seat)
                return f"{self.player[seat]} sm"
        return self._bet(event)

    def _shows_whole(self, seat: int, cards: Sequence[MaybeCard]) -> bool:
        """Whether a show lets other programs pay the hand as the log does."""
        whole = set(self.whole.get(seat, ()))
        left = self.showdown and seat in self.hands and seat not in self.done
        return left and self.payable and None not in cards and set(cards) == whole

    def _may_muck(self, seat: int) -> bool:
        """Whether a muck lets other programs pay the hand as the log does."""
        left = self.showdown and seat in self.hands and seat not in self.done
        return left and not (self.payable and seat in self.winners)

    def _bet(self, event: Event) -> str | None:
        """An event that puts chips in; ``None`` when it is none."""
        match event:
            case Ante(seat=seat):
                return self._same(event, self.ledger.ante(seat, self.stakes.ante), "")
            case BringIn(seat=seat):
                brought = self.ledger.bring_in(seat, self.stakes.bring_in)
                return self._same(event, brought, f"{self.player[seat]} pb")
            case Check(seat=seat) | Call(seat=seat):
                called = self.ledger.check_or_call(seat)
                return self._same(event, called, f"{self.player[seat]} cc")
            case Bet(seat=seat, amount=int(amount), double=double):
                return self._raise(event, seat, self.ledger.put[seat] + amount, double)
            case RaiseTo(seat=seat, to=int(to), double=double):
                return self._raise(event, seat, to, double)
            case Bet() | RaiseTo():
                raise ValueError(f"{event} is not written out")
        return None

    def _raise(self, event: Event, seat: int, to: int, double: bool) -> str:
        raised = self.ledger.bet_or_raise(seat, to, double)
        if double:
            self.doubled.append(len(self.actions) + 1)
        return self._same(event, raised, f"{self.player[seat]} cbr {money(to, self.unit)}")

    def _same(self, event: Event, read: Event, action: str) -> str:
        """The action, if it will be read as the event that it stands for."""
        if read != event:
            raise ValueError(f"{event} would be read as {read}; is the hand written out?")
        return action

    def _ending(self, event: Event) -> list[str]:
        match event:
            case TotalPot(amount=amount, before_rake=before_rake):
                return [f"pot {money(amount, self.unit)}" + ("" if before_rake else " net")]
            case Rake(amount=amount):
                return [f"rake {money(amount, self.unit)}"]
            case Uncalled(seat=seat, amount=amount):
                self.settled[seat] = self.settled.get(seat, 0) + amount
                return [f"{self.player[seat]} uncalled {money(amount, self.unit)}"]
            case Collect(seat=seat, amount=amount, pot=pot):
                self.settled[seat] = self.settled.get(seat, 0) + amount
                return [f"{self.player[seat]} collect {money(amount, self.unit)} {pot}".rstrip(" ")]
            case Show(seat=seat):
                return [f"{self.player[seat]} show {_cards(out_of_place(event))}"]
            case Muck(seat=seat):
                return [f"{self.player[seat]} muck {_cards(out_of_place(event))}".rstrip(" ")]
            case Remark():
                return []
        raise ValueError(f"{event} after the end of the hand")

    def finishing_stacks(self) -> list[int]:
        """The stacks after the hand; none unless all are known and the hand is paid out."""
        stacks = [
            stack + self.settled.get(seat, 0)
            for seat, stack in self.ledger.stacks.items()
            if stack is not None
        ]
        return stacks if self.settled and len(stacks) == len(self.ledger.stacks) else []


def _whole_hands(history: History) -> dict[int, tuple[Card, ...]]:
    """The cards of each seat in dealt order, but for a shared one; of those that are all known."""
    shared = {event.card for event in history.events if isinstance(event, SharedCard)}
    size = CARDS_DEALT - len(shared)
    ups, downs = upcards(history), known_downcards(history)
    hands = {seat: (*cards[:2], *ups[seat], *cards[2:]) for seat, cards in downs.items()}
    # Where no upcards were seen, a hand that is shown tells them.
    for event in history.events:
        if isinstance(event, Show | Muck):
            hands.setdefault(event.seat, tuple(c for c in event.cards if c not in shared))
    return {
        seat: whole
        for seat, cards in hands.items()
        if len(whole := tuple(card for card in cards if card is not None)) == size
    }


def _plain_stakes(antes: Sequence[int], stakes: Stakes) -> Stakes:
    """The stakes as a reader of PHH has them without a word from us."""
    small, big = stakes.bet(3), stakes.bet(7)
    bets = (small, small, big, big, big)
    return Stakes(max(antes), stakes.bring_in, bets, cap_heads_up=None, open_pair_doubles=True)


def _stakes_table(stakes: Stakes, unit: Unit) -> str:
    heads_up = stakes.cap_heads_up
    fields = {
        "ante": money(stakes.ante, unit),
        "bets": array(money(bet, unit) for bet in stakes.bets),
        "cap": str(stakes.cap),
        "open_pair_doubles": str(stakes.open_pair_doubles).lower(),
        "inferred": str(stakes.inferred).lower(),
        "cap_heads_up": "" if heads_up is None else str(heads_up),
    }
    return table(fields)


def _seat_table(seat: Seat, unit: Unit) -> str:
    fields = {
        "seat": str(seat.number),
        "name": quoted(seat.name),
        "sitting_out": str(seat.sitting_out).lower(),
        "stack": "" if seat.stack is None else money(seat.stack, unit),
    }
    return table(fields)


def _stack(stack: int | None, unit: Unit) -> str:
    return "inf" if stack is None else money(stack, unit)


def _cards(cards: Sequence[MaybeCard]) -> str:
    return cards_text(cards, between="")


def _lines(texts: Sequence[str]) -> str:
    """An array of texts, one a line."""
    return rows(map(quoted, texts))
