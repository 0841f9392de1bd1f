"""From a history in which every amount is written out to the log of a poker room."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from types import UnionType

from handread.history import (
    Action,
    Ante,
    Collect,
    Deal,
    Event,
    History,
    Muck,
    Rake,
    SharedCard,
    Show,
    StreetStart,
    TotalPot,
    Uncalled,
)
from handread.notation.dialect import Written
from handread.notation.grammar import Grammar
from handread.notation.print_rules import PrintRules
from handread.notation.room_pen import YES, Pen, Printed, check_read_back
from handread.notation.room_play import RoomPlay
from handread.stud import STREET_NAMES, VARIANTS, Stakes

SEATS = 8
"""The seats of a table of stud, for logs that state them."""

DEEP = 100
"""Big bets in a stack that nobody counted and that lasted."""

UNSTATED = 10
"""A reader believes a rake that nobody states if it is at most this part of the pot."""

_PLAY = Ante | StreetStart | Deal | SharedCard | Action | Uncalled
"""Events of the play; cards shown after the last of them are the showdown."""


def write_hand(grammar: Grammar, rules: PrintRules, history: History) -> Written:
    """A hand as the log of a room; ``ValueError`` where the room cannot hold it."""
    variant = VARIANTS.get(history.variant, VARIANTS["other"])
    if not variant.readable or variant.key not in grammar.games:
        raise ValueError(
            f"only seven-card stud is written as a {grammar.title} log, not {variant.title}"
        )
    seats = {seat.number for seat in history.seats}
    for event in history.events:
        seat = getattr(event, "seat", None)
        if seat is not None and seat not in seats:
            raise ValueError(f"seat {seat} has a part in the hand, but nobody sits there")
    script = _Script(Pen(grammar, rules, history), history)
    lines = script.lines()
    read = check_read_back(grammar, lines)
    script.check_stakes(read.stakes)
    return Written("".join(f"{line.text}\n" for line in lines), read)


class _Script:
    """The lines of a hand: the play, and before and after it what the play amounts to."""

    def __init__(self, pen: Pen, history: History) -> None:
        self.pen = pen
        self.history = history
        self.stakes = history.stakes
        self.play = RoomPlay(pen, history)

    def lines(self) -> list[Printed]:
        """All lines of the hand; ``ValueError`` where the room has none for it."""
        play, ending = _in_order(self.history.events)
        told = [line for event in play for line in self.play.lines(event)]
        told += self._showdown(ending)
        payments = list(self._payments(ending))
        late = [line for line in payments if line.rule.part == "summary"]
        told += [line for line in payments if line not in late]
        self._check_upcards()
        end = self.pen.some("end", self._labels()) if ending else ()
        return [*self._head(), *told, *self._summary(ending, late), *end]

    # Before the play

    def _labels(self) -> dict[str, str]:
        history = self.history
        return {"hand_id": history.hand_id, "table": history.table, "date": history.played_at}

    def _head(self) -> Iterator[Printed]:
        history = self.history
        values = {
            **self._labels(),
            "game": self.pen.grammar.games[history.variant],
            "size": str(max([SEATS, *(seat.number for seat in history.seats)])),
            "players": str(len(history.seats)),
            "hero": self.pen.names.get(history.hero or 0, ""),
        }
        chips = not (history.unit.decimals or history.unit.symbol)
        tournament = self.pen.rules.tournament if chips else {}
        first = {**values, **self._stakes(), **tournament}
        header = self.pen.line("hand", first)
        abouts = list(self.pen.every("about", first))
        if header is None or not any("game" in line.values for line in (header, *abouts)):
            title = self.pen.grammar.title
            raise ValueError(f"a {title} log states the bets, which this hand does not tell")
        yield from (header, *abouts)
        yield from self.pen.some("table", values)
        for seat in sorted(history.seats, key=lambda seat: seat.number):
            stack = self._made_up_stack(seat.number) if seat.stack is None else seat.stack
            out = YES if seat.sitting_out else ""
            values = {"stack": self.pen.money(stack), "sitting_out": out}
            yield self.pen.must("seat", values, seat.number)
        yield from self.pen.some("antes", {})

    def _stakes(self) -> dict[str, str]:
        """What a header may say of the stakes; ``ValueError`` for what no room plays."""
        if self.stakes is None:
            return {}
        small, big, money = self.stakes.bet(3), self.stakes.bet(7), self.pen.money
        if self.stakes.bets != (small, small, big, big, big):
            bets = " ".join(map(money, self.stakes.bets))
            raise ValueError(f"a room has one small bet and, from 5th street, one big, not {bets}")
        if not self.stakes.bring_in:
            raise ValueError("a room has no games without a bring-in")
        cap = self.pen.grammar.house_rules.cap
        if self.stakes.cap != cap:
            title = self.pen.grammar.title
            raise ValueError(f"{title} takes {cap} bets a street, not {self.stakes.cap}")
        amounts = {"small": small, "big": big, "bring_in": self.stakes.bring_in}
        if self.stakes.ante:
            amounts["ante"] = self.stakes.ante
        return {name: money(amount) for name, amount in amounts.items()}

    def _made_up_stack(self, seat: int) -> int:
        """What a seat has whose stack is not known.

        What it put in if that was its last chip, else enough to bet on at any time.
        """
        paid = self.play.ledger.paid
        if seat in self.play.broke:
            return paid[seat]
        most = max(paid.values())
        big = self.stakes.bet(7) if self.stakes else max(1, most)
        stack = DEEP * big
        while stack < most + DEEP // 4 * big:
            stack *= 2
        return stack

    # After the play

    def _showdown(self, ending: Sequence[Event]) -> Iterator[Printed]:
        """The hands shown; where the record is silent, those of all who are left, if known."""
        reveals = [event for event in ending if isinstance(event, Show | Muck)]
        paid = any(isinstance(event, Collect) for event in ending)
        left = self.play.left
        if len(left) > 1 and paid and not reveals and not self.play.showed:
            reveals = self._implied_shows(left)
        if len(left) > 1 and (paid or reveals):
            yield from self.pen.some("showdown", {})
        for event in reveals:
            self.play.see(event)
        for event in reveals:
            yield from self.play.lines(event)

    def _implied_shows(self, left: Sequence[int]) -> list[Show | Muck]:
        hands = {seat: self.play.told[seat].cards for seat in left}
        whole = 7 - len(self.play.shared)
        if any(len(cards) < whole for cards in hands.values()):
            return []
        return [Show(seat, tuple(cards)) for seat, cards in hands.items()]

    def _payments(self, ending: Sequence[Event]) -> Iterator[Printed]:
        """What each seat is paid; where a room tells pots and not their total, it is in the first.

        Some rooms tell it in the summary alone.
        """
        if not self.pen.has("collect"):
            return
        collects = [event for event in ending if isinstance(event, Collect)]
        rest = self._stated_total(ending) - sum(event.amount for event in collects)
        for event in collects:
            values = {
                "amount": self.pen.money(event.amount),
                "of": self.pen.money(event.amount + max(0, rest)),
                "pot": event.pot,
            }
            rest = 0
            yield self.pen.must("collect", values, event.seat)

    def _summary(self, ending: Sequence[Event], payments: Sequence[Printed]) -> Iterator[Printed]:
        if not ending:
            return
        yield from self.pen.some("summary", {})
        yield from payments
        yield from self._total(ending)
        if self.play.shared:
            yield from self.pen.some("board", {"cards": self.pen.cards(self.play.shared)})
        won: Counter[int] = Counter()
        for event in ending:
            if isinstance(event, Collect):
                won[event.seat] += event.amount
        for seat in sorted(self.play.dealt):
            yield from self._result(seat, won[seat])

    def _stated_total(self, ending: Sequence[Event]) -> int:
        """The total of the pots as the room counts it, 0 where the record has none."""
        rake = _rake_of(ending)
        for total in ending:
            if isinstance(total, TotalPot):
                amount = total.amount + (0 if total.before_rake else rake)
                return amount - (0 if self.pen.grammar.pot_before_rake else rake)
        return 0

    def _total(self, ending: Sequence[Event]) -> Iterator[Printed]:
        rake, total = _rake_of(ending), self._stated_total(ending)
        stated = any(isinstance(event, TotalPot) for event in ending)
        if rake and not stated and self.pen.has("total"):
            raise ValueError("the rake stands without a total pot; is the hand written out?")
        values = {"amount": self.pen.money(total), "rake": self.pen.money(rake)}
        lines = list(self.pen.some("total", values)) if stated else []
        if stated or any(isinstance(event, Rake) for event in ending):
            lines += self.pen.some("rake", values)
        yield from lines
        pot = total + (0 if self.pen.grammar.pot_before_rake else rake)
        if rake > pot // UNSTATED and not any("rake" in line.values for line in lines):
            title = self.pen.grammar.title
            raise ValueError(f"{title} logs do not state the rake, and here it is a large one")

    def _result(self, seat: int, won: int) -> Iterator[Printed]:
        """What the summary says of a seat; the hand of one that did not show is news."""
        play = self.play
        showed, hand = play.showed.get(seat), self.pen.cards(play.told[seat].hand)
        money = self._balance(seat, won)
        if seat in play.folded:
            idle = play.ledger.paid[seat] == play.anted.get(seat, 0)
            street = {"street": STREET_NAMES[play.folded[seat]]}
            yield from self.pen.some("folded", street | {"without_bet": YES if idle else ""}, seat)
        elif won and self.pen.has("won"):
            told = {"cards": hand} if showed else {"mucked": YES if showed is False else ""}
            yield from self.pen.some("won", {**money, **told}, seat)
        elif showed is not None and hand:
            mucked = "" if showed else YES
            yield from self.pen.some("revealed", {**money, "cards": hand, "mucked": mucked}, seat)
        elif showed is False:
            yield from self.pen.some("mucked", {}, seat)

    def _balance(self, seat: int, won: int) -> dict[str, str]:
        """What a seat put in, less what nobody called, collected, won and lost, and has then."""
        others = [paid for other, paid in self.play.ledger.paid.items() if other != seat]
        # Not every log reports an uncalled bet, so it is counted.
        paid = min(self.play.ledger.paid[seat], max(others, default=0))
        stack = self.history.seat(seat).stack
        left = (self._made_up_stack(seat) if stack is None else stack) - paid + won
        amounts = {"amount": won, "collects": won, "bets": paid, "left": left}
        amounts |= {"wins": max(0, won - paid), "loses": max(0, paid - won)}
        values = {name: self.pen.money(amount) for name, amount in amounts.items()}
        sign = "+" if won > paid else "-"
        return {**values, "net": sign + self.pen.money(abs(won - paid))}

    # What a room cannot hold

    def _check_upcards(self) -> None:
        """Cards of which the log lists some must all be there, but for the owner's alone."""
        seen = {seat for seat, told in self.play.told.items() if told.up} - {self.pen.owner}
        if self.play.blind and (seen or self.pen.grammar.by_deals):
            seats = ", ".join(map(str, sorted(self.play.blind)))
            raise ValueError(f"a room lists all upcards; some of seat {seats} were not seen")

    def check_stakes(self, read: Stakes | None) -> None:
        """``ValueError`` if a reader of the log may not find the bets and the bring-in."""
        if self.stakes is None or self.stakes.inferred:
            if read is None and not self.play.put_in:
                title = self.pen.grammar.title
                raise ValueError(f"{title} logs do not state the stakes, and no bet tells them")
            return
        if read is None:
            self._check_first_bet(self.stakes)
        if self.play.overcalled and (read is None or read.bring_in != self.stakes.bring_in):
            raise ValueError(
                f"{self.pen.grammar.title} logs do not state the bring-in, "
                "and here nobody posted all of it, but somebody called it"
            )

    def _check_first_bet(self, stakes: Stakes) -> None:
        """Where a log does not state the stakes, its bring-in and its first bet must tell them."""
        small, first = stakes.bet(3), self.play.first_bet
        if first is None:
            told = self.play.brought_in
        else:
            street, to, all_in = first
            whole = to == stakes.bet(street) or (street == 4 and to == stakes.bet(5))
            alone = self.play.n_bets < 2 and 2 * stakes.bring_in <= small
            told = whole and (alone or not all_in)
        if stakes.bet(7) != 2 * small or not told:
            raise ValueError(
                f"{self.pen.grammar.title} logs do not state the stakes, "
                "and the first bets of this hand would not tell them"
            )


def _rake_of(events: Sequence[Event]) -> int:
    return sum(event.amount for event in events if isinstance(event, Rake))


def _in_order(events: Sequence[Event]) -> tuple[list[Event], list[Event]]:
    """The play, an uncalled bet after its last action, and what comes after the play."""
    rest = [event for event in events if not isinstance(event, Uncalled)]
    uncalled = [event for event in events if isinstance(event, Uncalled)]
    place = _after_last(rest, Action) or _after_last(rest, _PLAY)
    rest[place:place] = uncalled
    end = _after_last(rest, _PLAY)
    ending = [event for event in rest if isinstance(event, Collect | TotalPot | Rake)]
    return rest[:end], ending + [event for event in rest[end:] if isinstance(event, Show | Muck)]


def _after_last(events: Sequence[Event], kind: UnionType) -> int:
    """The place after the last event of a kind, 0 if there is none."""
    return max((n for n, event in enumerate(events, start=1) if isinstance(event, kind)), default=0)
