"""Which bets and raises of a hand need an amount in Saund's notation, and which follow."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from handread.history import Action, Bet, BringIn, Call, Check, Fold, RaiseTo
from handread.notation.ledger import Ledger
from handread.stud import Stakes


@dataclass(slots=True)
class Sizes:
    """Goes through the streets of a hand with the chips of its players.

    A bare letter is the least bet or raise there can be: one bet, what a short all-in bet fell
    short of, or the last chip. A double one is the bet of 5th street on 4th. Whatever else a
    record says keeps its amount.
    """

    stakes: Stakes
    ledger: Ledger

    @classmethod
    def start(cls, stakes: Stakes, stacks: Mapping[int, int | None]) -> Sizes:
        """After the antes of these seats; ``None`` is a stack without end."""
        ledger = Ledger.start(stacks)
        for seat in stacks:
            ledger.ante(seat, stakes.ante)
        return cls(stakes, ledger)

    def unsaid(self, street: int, actions: Sequence[Action]) -> Iterator[Action]:
        """The actions of the next street without the amounts that follow from the rules."""
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
