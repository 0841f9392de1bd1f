"""From a table to the values that the observer reads: dealt streets, spots, decisions."""

from __future__ import annotations

from handread.engine.played import DealtStreet, Decision, Spot
from handread.engine.table import Table
from handread.history import Bet, Call, Check, Fold, RaiseTo

Choice = Check | Fold | Bet | Call | RaiseTo
"""An action that a player takes of its own will."""


def dealt_street(table: Table) -> DealtStreet:
    """The street of a table whose cards have just been dealt."""
    return DealtStreet(
        number=table.street,
        upcards={p.seat: p.up for p in table.players if p.dealt_in},
        shared=table.shared[0] if table.shared else None,
        active=table.active,
        pot=table.pot,
    )


def spot_at(table: Table, n: int, seat: int | None = None) -> Spot:
    """What the player to act sees, at the hand's ``n``-th decision.

    ``seat`` chooses when several may open. ``IllegalMove`` when it is not that seat's turn.
    """
    options = table.options(seat)
    return Spot(
        n=n,
        street=table.street,
        seat=options.seat,
        to_call=options.to_call,
        pot=table.pot,
        active=table.active,
        can_fold=not options.forced,
        can_raise=bool(options.raises),
        raises_left=options.raises_left,
        later_bets=table.stakes.later_bets(table.street),
        forced=options.forced,
        raises=table.bets,
        leader=table.leader,
        acted=table.acted,
    )


def decision_at(spot: Spot, choice: Choice, before: Table, after: Table) -> Decision:
    """The decision at a spot by the action that led from one table to the next."""
    player = before.player(spot.seat)
    amount = put_in(before, after)
    raising = isinstance(choice, Bet | RaiseTo)
    return Decision(
        n=spot.n,
        street=spot.street,
        seat=spot.seat,
        to_call=spot.to_call,
        pot=spot.pot,
        active=spot.active,
        can_fold=spot.can_fold,
        can_raise=spot.can_raise,
        raises_left=spot.raises_left,
        later_bets=spot.later_bets,
        forced=spot.forced,
        raises=spot.raises,
        leader=spot.leader,
        acted=spot.acted,
        action=_word(choice, before),
        amount=amount,
        to=player.put + amount,
        completes=raising and (before.bring_in_due or before.bring_in_open),
        all_in=amount > 0 and (player.stack == amount or getattr(choice, "all_in", False)),
        line=choice.line,
        column=choice.column,
    )


def put_in(before: Table, after: Table) -> int:
    """What an action put in, an uncalled part that went straight back included."""
    back = (after.returned or (0, 0))[1] - (before.returned or (0, 0))[1]
    return after.pot - before.pot + back


def _word(choice: Choice, table: Table) -> str:
    """The paper's word for an action: a completion is a raise, however the record puts it."""
    match choice:
        case Fold():
            return "fold"
        case Check():
            return "check"
        case Call():
            return "call"
        case _:
            return "raise" if table.bet_to or table.bring_in_due else "bet"
