"""From a history in which every amount is written out to the text of a PHH hand."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence

from handread.cards import MaybeCard, cards_text
from handread.history import (
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
)
from handread.notation.ledger import Ledger
from handread.stud import Stakes, Unit


def write_hand(history: History) -> str:
    """A hand as the text of a .phh file; ``ValueError`` where PHH cannot hold it."""
    if history.variant != "stud":
        raise ValueError(f"only seven-card stud is written as PHH, not {history.variant!r}")
    if history.stakes is None:
        raise ValueError("a hand without stakes cannot be written as PHH")
    fields = _fields(history, history.stakes)
    return "".join(f"{key} = {value}\n" for key, value in fields if value)


def _fields(history: History, stakes: Stakes) -> Iterator[tuple[str, str]]:
    """The fields as TOML; those that are empty are not to be written."""
    unit = history.unit
    dealt = {event.seat for event in history.events if isinstance(event, Ante | Deal)}
    seats = sorted((s for s in history.seats if s.number in dealt), key=lambda s: s.number)
    if not seats:
        raise ValueError("a hand in which nobody is dealt in cannot be written as PHH")
    numbers = [seat.number for seat in seats]
    strangers = {getattr(event, "seat", numbers[0]) for event in history.events} - set(numbers)
    if strangers:
        raise ValueError(f"seat {min(strangers)} is not dealt in, but has a part in the hand")
    counted = _counted_stacks(history)
    stacks = {seat.number: counted.get(seat.number, seat.stack) for seat in seats}
    script = _Script(history, stakes, Ledger.start(stacks))
    for event in history.events:
        script.add(event)
    posted = [event.seat for event in history.events if isinstance(event, Ante) and event.amount]
    antes = [stakes.ante if number in posted else 0 for number in numbers]
    yield "variant", '"F7S"'
    yield "antes", _array(_money(ante, unit) for ante in antes)
    yield "bring_in", _money(stakes.bring_in, unit)
    yield "small_bet", _money(stakes.bet(3), unit)
    yield "big_bet", _money(stakes.bet(7), unit)
    yield "starting_stacks", _array(_stack(stack, unit) for stack in stacks.values())
    yield "actions", _lines(script.actions)
    yield "hand", _text(history.hand_id)
    yield "table", _text(history.table)
    yield "seats", _array(map(str, numbers))
    names = [seat.name for seat in seats]
    yield "players", _array(_quoted(name) for name in names) if any(names) else ""
    yield "finishing_stacks", _array(_money(stack, unit) for stack in script.finishing_stacks())
    yield "currency_symbol", _text(unit.symbol)
    plain = _plain_stakes(antes, stakes)
    yield "_handread_stakes", "" if stakes == plain else _stakes_table(stakes, unit)
    yield "_handread_antes_from", _array(map(str, posted if posted != sorted(posted) else []))
    yield "_handread_implied", _array(map(str, script.implied))
    yield "_handread_double", _array(map(str, script.doubled))
    yield "_handread_unknown_stacks", _array(map(str, counted))
    yield "_handread_sitting_out", _array(str(s.number) for s in seats if s.sitting_out)
    absent = [seat for seat in history.seats if seat.number not in dealt]
    yield "_handread_absent", _array(_seat_table(seat, unit) for seat in absent)
    yield "_handread_hero", "" if history.hero is None else str(history.hero)
    yield "_handread_played_at", _text(history.played_at)
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
    """The action strings of a hand, and those of its ending, as events are added.

    Programs that play a PHH hand need the winners to show their cards. Where the hand is paid
    out after a showdown that the log leaves out, the players left show what they are known to
    have: at the end, and before the cards that come when nobody can bet any more. ``implied``
    counts these actions, ``doubled`` those that are double bets, both from 1.
    """

    def __init__(self, history: History, stakes: Stakes, ledger: Ledger) -> None:
        self.stakes = stakes
        self.unit = history.unit
        self.ledger = ledger
        self.player = {seat: f"p{n}" for n, seat in enumerate(ledger.stacks, start=1)}
        kinds = {type(event) for event in history.events}
        folded = {event.seat for event in history.events if isinstance(event, Fold)}
        self.showdown = len(ledger.stacks.keys() - folded) > 1
        self.shows = self.showdown and Collect in kinds and not kinds & {Show, Muck}
        self.hands: dict[int, list[MaybeCard]] = {seat: [] for seat in ledger.stacks}
        self.actions: list[str] = []
        self.ending: list[str] = []
        self.implied: list[int] = []
        self.doubled: list[int] = []
        self.settled: dict[int, int] = {}

    def add(self, event: Event) -> None:
        """The next event; ``ValueError`` when an amount is left open or not what it must be."""
        action = None if self.ending else self._action(event)
        if action is None:
            if not self.ending:
                self._show_hands()
            self.ending += self._ending(event)
        elif action:
            self.actions.append(action)

    def _show_hands(self) -> None:
        """The players left show their hands, if it takes that and all of them are known."""
        if not self.shows or any(None in hand for hand in self.hands.values()):
            return
        for seat, hand in self.hands.items():
            self.actions.append(f"{self.player[seat]} sm {_cards(hand)}")
            self.implied.append(len(self.actions))

    def _next_street(self) -> None:
        betting = [seat for seat in self.hands if self.ledger.stacks[seat] != 0]
        if any(self.hands.values()) and len(betting) < 2 and not self.implied:
            self._show_hands()
        self.ledger.next_street()

    def _action(self, event: Event) -> str | None:
        """An event as an action, empty if PHH implies it; ``None`` when it has no such action."""
        match event:
            case StreetStart():
                self._next_street()
                return ""
            case Remark():
                return ""
            case Deal(seat=seat, down=down, up=up):
                self.hands[seat] += (*down, *up)
                return f"d dh {self.player[seat]} {_cards((*down, *up))}" if down or up else ""
            case SharedCard(card=card):
                return f"d db {_cards([card])}"
            case Fold(seat=seat):
                self.hands.pop(seat, None)
                return f"{self.player[seat]} f"
            case Show(seat=seat, cards=cards) if self.showdown and cards:
                return f"{self.player[seat]} sm {_cards(cards)}"
            case Muck(seat=seat, cards=()) if self.showdown:
                return f"{self.player[seat]} sm"
        return self._bet(event)

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
        return self._same(event, raised, f"{self.player[seat]} cbr {_money(to, self.unit)}")

    def _same(self, event: Event, read: Event, action: str) -> str:
        """The action, if it will be read as the event that it stands for."""
        if read != event:
            raise ValueError(f"{event} would be read as {read}; is the hand written out?")
        return action

    def _ending(self, event: Event) -> list[str]:
        match event:
            case TotalPot(amount=amount, before_rake=before_rake):
                return [f"pot {_money(amount, self.unit)}" + ("" if before_rake else " net")]
            case Rake(amount=amount):
                return [f"rake {_money(amount, self.unit)}"]
            case Uncalled(seat=seat, amount=amount):
                self.settled[seat] = self.settled.get(seat, 0) + amount
                return [f"{self.player[seat]} uncalled {_money(amount, self.unit)}"]
            case Collect(seat=seat, amount=amount, pot=pot):
                self.settled[seat] = self.settled.get(seat, 0) + amount
                return [
                    f"{self.player[seat]} collect {_money(amount, self.unit)} {pot}".rstrip(" ")
                ]
            case Show(seat=seat, cards=cards):
                return [f"{self.player[seat]} show {_cards(cards)}"]
            case Muck(seat=seat, cards=cards):
                return [f"{self.player[seat]} muck {_cards(cards)}".rstrip(" ")]
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


# TOML


def _plain_stakes(antes: Sequence[int], stakes: Stakes) -> Stakes:
    """The stakes as a reader of PHH has them without a word from us."""
    small, big = stakes.bet(3), stakes.bet(7)
    bets = (small, small, big, big, big)
    return Stakes(max(antes), stakes.bring_in, bets, cap_heads_up=None, open_pair_doubles=True)


def _stakes_table(stakes: Stakes, unit: Unit) -> str:
    table = {
        "ante": _money(stakes.ante, unit),
        "bets": _array(_money(bet, unit) for bet in stakes.bets),
        "cap": str(stakes.cap),
        "open_pair_doubles": str(stakes.open_pair_doubles).lower(),
        "inferred": str(stakes.inferred).lower(),
    }
    if stakes.cap_heads_up is not None:
        table["cap_heads_up"] = str(stakes.cap_heads_up)
    return _table(table)


def _seat_table(seat: Seat, unit: Unit) -> str:
    table = {
        "seat": str(seat.number),
        "name": _quoted(seat.name),
        "sitting_out": str(seat.sitting_out).lower(),
    }
    if seat.stack is not None:
        table["stack"] = _money(seat.stack, unit)
    return _table(table)


def _money(amount: int, unit: Unit) -> str:
    """An amount with every digit of its unit, so that the reader finds the unit again."""
    whole, part = divmod(amount, 10**unit.decimals)
    return f"{whole}.{part:0{unit.decimals}d}" if unit.decimals else str(whole)


def _stack(stack: int | None, unit: Unit) -> str:
    return "inf" if stack is None else _money(stack, unit)


def _cards(cards: Sequence[MaybeCard]) -> str:
    return cards_text(cards, between="")


def _quoted(text: str) -> str:
    # JSON's escapes are TOML's too; TOML asks for one more.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _text(text: str) -> str:
    return _quoted(text) if text else ""


def _array(values: Iterable[str]) -> str:
    inside = ", ".join(values)
    return f"[{inside}]" if inside else ""


def _lines(texts: Sequence[str]) -> str:
    """An array of texts, one a line."""
    inside = "".join(f"    {_quoted(text)},\n" for text in texts)
    return f"[\n{inside}]" if texts else ""


def _table(fields: Mapping[str, str]) -> str:
    inside = ", ".join(f"{key} = {value}" for key, value in fields.items())
    return f"{{ {inside} }}"
