"""The chips of a hand as its actions move them, for notations that leave amounts unsaid.

PHH writes a call without its amount and a bet as the total of its street; Saund's notation leaves
every amount to the rules. The ledger fills them in, and lets a writer see that nothing is lost.
It judges nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from handread.history import Ante, Bet, BringIn, Call, Check, RaiseTo


@dataclass(slots=True)
class Ledger:
    """What each seat has left (``None`` without end), put in on this street, and paid in all.

    All amounts are in minor units; ``bet_to`` is the most that a seat put in on this street.
    """

    stacks: dict[int, int | None]
    put: dict[int, int] = field(default_factory=dict)
    paid: dict[int, int] = field(default_factory=dict)
    bet_to: int = 0

    @classmethod
    def start(cls, stacks: Mapping[int, int | None]) -> Ledger:
        """The ledger before the antes."""
        return cls(dict(stacks), dict.fromkeys(stacks, 0), dict.fromkeys(stacks, 0))

    def next_street(self) -> None:
        """The bets of the street go into the pot."""
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
        """Puts in up to a total of the street; whether that was the last chip."""
        all_in = self._pays(seat, to - self.put[seat])
        self.put[seat] = to
        self.bet_to = max(self.bet_to, to)
        return all_in

    def _pays(self, seat: int, amount: int) -> bool:
        self.paid[seat] += amount
        stack = self.stacks[seat]
        if stack is None:
            return False
        self.stacks[seat] = stack - amount
        return stack == amount
