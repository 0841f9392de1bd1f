"""Chips of notations that leave amounts to the rules: PHH on reading, Saund's on writing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from handread.game.rules import Stakes
from handread.history import Action, Ante, Bet, BringIn, Call, Check, Fold, RaiseTo


@dataclass(slots=True)
class Ledger:
    """Chips left (``None`` without end) and chips put in on this street, by seat.

    All amounts are in minor units; ``bet_to`` is the most that a seat put in on this street.
    """

    stacks: dict[int, int | None]
    put: dict[int, int] = field(default_factory=dict)
    bet_to: int = 0

    @classmethod
    def start(cls, stacks: Mapping[int, int | None]) -> Ledger:
        """Return the ledger before the antes."""
        return cls(dict(stacks), dict.fromkeys(stacks, 0))

    def next_street(self) -> None:
        """Move the bets of the street into the pot."""
        self.put = dict.fromkeys(self.stacks, 0)
        self.bet_to = 0

    def ante(self, seat: int, ante: int) -> Ante:
        """A seat posts its ante, or what it has of it."""
        amount = self._at_most(seat, ante)
        return Ante(seat, amount, self._pays(seat, amount))

    def bring_in(self, seat: int, bring_in: int) -> BringIn:
        """A seat brings in, with what it has."""
        amount = self._at_most(seat, bring_in)
        return BringIn(seat, amount, self._bets(seat, self.put[seat] + amount))

    def check_or_call(self, seat: int) -> Check | Call:
        """A seat checks, or calls with what it has."""
        amount = self._at_most(seat, self.bet_to - self.put[seat])
        if amount <= 0:
            return Check(seat)
        return Call(seat, amount, self._bets(seat, self.put[seat] + amount))

    def bet_or_raise(self, seat: int, to: int, double: bool = False) -> Bet | RaiseTo:
        """A seat opens, completes or raises to a total of this street."""
        if self.bet_to:
            return RaiseTo(seat, to, self._bets(seat, to), double)
        return Bet(seat, to - self.put[seat], self._bets(seat, to), double)

    def _at_most(self, seat: int, amount: int) -> int:
        stack = self.stacks[seat]
        return amount if stack is None else min(amount, stack)

    def _bets(self, seat: int, to: int) -> bool:
        """Raise the seat to a total of the street; return whether that was its last chip."""
        all_in = self._pays(seat, to - self.put[seat])
        self.put[seat] = to
        self.bet_to = max(self.bet_to, to)
        return all_in

    def _pays(self, seat: int, amount: int) -> bool:
        stack = self.stacks[seat]
        if stack is None:
            return False
        self.stacks[seat] = stack - amount
        return stack == amount


@dataclass(slots=True)
class Sizes:
    """Drop the amounts of bets and raises that Saund's notation leaves to the rules.

    A bare letter is the least bet or raise there can be: one bet, what a short all-in bet fell
    short of, or the last chip. A double one is the bet of 5th street on 4th. Whatever else a
    record says keeps its amount.
    """

    stakes: Stakes
    ledger: Ledger

    @classmethod
    def start(cls, stakes: Stakes, stacks: Mapping[int, int | None]) -> Sizes:
        """Begin after the antes of these seats; ``None`` is a stack without end."""
        ledger = Ledger.start(stacks)
        for seat in stacks:
            ledger.ante(seat, stakes.ante)
        return cls(stakes, ledger)

    def unsaid(self, street: int, actions: Sequence[Action]) -> Iterator[Action]:
        """Yield the actions of the next street without the amounts that follow from the rules."""
        self.ledger.next_street()
        bet_to = full_to = 0
        for action in actions:
            if not isinstance(action, Bet | RaiseTo):
                yield self._follow(action)
                continue
            filling_up = full_to > bet_to
            least = full_to if filling_up else bet_to + self.stakes.bet(street)
            doubles = street == 4 and self.stakes.open_pair_doubles and not filling_up
            most = bet_to + max(self.stakes.bet(4), self.stakes.bet(5)) if doubles else least
            said = action.amount if isinstance(action, Bet) else action.to
            low, high = self._at_most(action.seat, least), self._at_most(action.seat, most)
            double = said is None and action.double
            to = (high if double else low) if said is None else said
            if said == low:
                said = None
            elif said == high:
                said, double = None, True
            self.ledger.bet_or_raise(action.seat, to)
            bet_to, full_to = to, max(to, least)
            yield type(action)(
                action.seat, said, double=double, line=action.line, column=action.column
            )

    def _follow(self, action: BringIn | Call | Check | Fold) -> Action:
        match action:
            case BringIn(seat=seat):
                self.ledger.bring_in(seat, self.stakes.bring_in)
            case Call(seat=seat):
                self.ledger.check_or_call(seat)
        return type(action)(action.seat, line=action.line, column=action.column)

    def _at_most(self, seat: int, to: int) -> int:
        """A total of the street, or the last chip below it."""
        stack = self.ledger.stacks[seat]
        return to if stack is None else min(to, self.ledger.put[seat] + stack)
