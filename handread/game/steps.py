"""Records of play: streets, spots, decisions, steps and the replay that holds them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from handread.cards import Card, MaybeCard
from handread.game.pots import Pot
from handread.game.rules import Stakes, Variant, variant_of
from handread.game.seating import PastAction, fast_make
from handread.game.table import Table
from handread.history import Action, Event, History, Problem, Wager


@dataclass(frozen=True)
class DecisionPoint:
    """Decision point of a player to act: the bet, the pot, who is in. Amounts in minor units.

    ``n`` counts the decisions of the hand from 1. ``to_call`` is what a call would add were the
    stack deep enough, ``pot`` everything put in so far, ``active`` the seats still in, the player
    included. ``can_raise`` says whether a bet or raise is allowed and affordable, ``can_fold``
    is False for the owner of a bring-in that is due (``forced``). ``later_bets`` is one bet
    on each later street, added up. ``raises`` counts the full bets and raises of the street,
    ``leader`` is the seat that bet or raised last in the hand, ``acted`` are the seats that have
    chosen an action on the street. ``past`` has the street, the seat and the action of every
    decision of the hand before this one.
    """

    n: int
    street: int
    seat: int
    to_call: int
    pot: int
    active: tuple[int, ...]
    can_fold: bool
    can_raise: bool
    raises_left: int | None
    later_bets: int
    forced: bool
    raises: int
    leader: int | None
    acted: tuple[int, ...]
    past: tuple[PastAction, ...] = field(default=(), repr=False)

    @property
    def n_active(self) -> int:
        """Number of players still in, the one to act included (the paper's N)."""
        return len(self.active)

    @property
    def effective_odds(self) -> float:
        """Share of the final pot that the player must still put in (section II).

        (to call + one bet a later street) / (pot + to call + N x one bet a later street); 0 where
        nothing is at stake: no forced bets, and checks to the end.
        """
        share = self.to_call + self.later_bets
        final = self.pot + self.to_call + self.n_active * self.later_bets
        return share / final if final else 0.0


@dataclass(frozen=True, kw_only=True)
class Decision(DecisionPoint):
    """A voluntary action, at the spot where it was taken. Amounts in minor units.

    ``action`` is a fold, check, call, bet or raise; a completion is a raise with ``completes``
    set (a bring-in that its owner completes at once has ``forced`` set too: to fold or check was
    not on offer). ``amount`` is what the action adds, ``to`` the player's total on the street
    after it.
    """

    action: Action
    amount: int
    to: int
    completes: bool = False
    all_in: bool = False
    line: int = 0
    column: int = 1


@dataclass(frozen=True, slots=True)
class DealtStreet:
    """A street after its deal: the cards on view, who is in, the pot before a bring-in.

    ``upcards`` holds every seat dealt in, folded ones too; ``None`` is an upcard not seen.
    """

    number: int
    game: Variant
    upcards: Mapping[int, tuple[MaybeCard, ...]]
    shared: Card | None
    active: tuple[int, ...]
    pot: int


@dataclass(frozen=True, slots=True)
class StreetRecord(DealtStreet):
    """One street: the cards on view after its deal, and the decisions of its betting.

    ``active_after`` and ``pot_after`` are those after the betting, without an uncalled bet.
    ``finished`` is False when the record stops inside the betting round.
    """

    decisions: tuple[Decision, ...]
    active_after: tuple[int, ...]
    pot_after: int
    finished: bool
    bring_in: int | None = None
    line: int = 0


class Step(NamedTuple):
    """One event of the play, with the table before it and after it.

    ``event`` is complete: its amount is filled in. Cards are dealt by seat, and the table after
    the last card of a street has its betting open. ``decision`` is that of a voluntary action.
    """

    event: Event
    before: Table
    after: Table
    decision: Decision | None = None


@dataclass(frozen=True, slots=True, repr=False)
class Replay:
    """Play of a hand, as far as its record is whole and legal.

    ``stakes`` are the record's or, where it has none, those worked out from the actions.
    ``downcards`` are the known downcards by seat, at least all of the first street;
    ``loose_downcards`` those of seats of which three cards are known, but not which of them came
    on 7th street.
    ``paid`` is what each seat put in, without an uncalled bet; ``won`` what it was paid, after
    rake and without that bet; empty when the hand did not end.
    ``stacks`` are the chips after the hand (None where the record gives no stacks).
    ``showdown`` lists the seats that were still in at the end when more than one was.
    ``finished`` says that the hand was played out and paid: it is False as well where the record
    ends before the pot is paid, and the cards do not tell to whom. ``played_out`` says that no
    action is missing. The chips of an unfinished hand are in ``stacks`` and ``pot``, those of a
    finished one in ``stacks`` and ``rake``.
    ``problem`` is what stopped the replay; None for a hand that is whole, or that merely stops.
    ``returned`` is the uncalled bet that went back, with its seat.
    ``steps`` are the play as the table took it, each with the table before and after it: every
    amount filled in, cards dealt by seat, the cards that the record showed.
    ``findings`` are those of the history, and the amounts that the log states otherwise than the
    play tells them.
    """

    history: History
    stakes: Stakes
    streets: tuple[StreetRecord, ...]
    downcards: Mapping[int, tuple[Card, ...]]
    loose_downcards: Mapping[int, tuple[Card, ...]]
    pots: tuple[Pot, ...]
    pot: int
    rake: int
    paid: Mapping[int, int]
    won: Mapping[int, int]
    stacks: Mapping[int, int | None]
    showdown: tuple[int, ...]
    finished: bool
    played_out: bool
    problem: Problem | None = None
    returned: tuple[int, int] | None = None
    steps: tuple[Step, ...] = ()
    findings: tuple[Problem, ...] = field(default=(), compare=False)

    def __repr__(self) -> str:
        ending = "finished" if self.finished else "unfinished"
        problem = f", {self.problem}" if self.problem else ""
        return (
            f"<Replay of {self.history.hand_id!r}: {len(self.streets)} streets, "
            f"{len(self.decisions)} decisions, {ending}{problem}>"
        )

    def downcards_on(self, street: int) -> dict[int, tuple[Card, ...]]:
        """Return the downcards that the record tells on a street, by seat.

        Those of the first street, and on the last all, those too of which any may have come last.
        """
        game = variant_of(self.history.variant)
        if street == game.last:
            return {**self.downcards, **self.loose_downcards}
        n = game.dealt[street][0]
        return {seat: cards[:n] for seat, cards in self.downcards.items()}

    @property
    def moves(self) -> tuple[Event, ...]:
        """The events of the steps."""
        return tuple([step.event for step in self.steps])

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """All decisions of the hand in order."""
        return tuple(d for street in self.streets for d in street.decisions)


def dealt_street(table: Table) -> DealtStreet:
    """Return the street of a table whose cards have just been dealt."""
    return DealtStreet(
        number=table.street,
        game=table.game,
        upcards={p.seat: p.up for p in table.players if p.dealt_in},
        shared=table.shared[0] if table.shared else None,
        active=table.active,
        pot=table.pot,
    )


def decision_point_at(table: Table, n: int, seat: int | None = None) -> DecisionPoint:
    """Return the decision point of the player to act, the hand's ``n``-th.

    ``seat`` chooses when several may open. ``IllegalMove`` when it is not that seat's turn.
    """
    options = table.options(seat)
    return fast_make(
        DecisionPoint,
        n=n,
        street=table.street,
        seat=options.seat,
        to_call=options.to_call,
        pot=table.pot,
        active=table.active,
        can_fold=not options.forced,
        can_raise=bool(options.raises),
        raises_left=options.raises_left,
        later_bets=table.game.later_bets(table.stakes, table.street),
        forced=options.forced,
        raises=table.bets,
        leader=table.leader,
        acted=table.acted,
        past=table.past,
    )


def decision_at(spot: DecisionPoint, wager: Wager, before: Table, after: Table) -> Decision:
    """Return the decision at a spot by the plain wager that led from one table to the next."""
    player = before.player(spot.seat)
    amount = after.pot - spot.pot + _returned(before, after)
    action, raising = wager.action, wager.action in (Action.BET, Action.RAISE)
    if raising:  # A completion is a raise, whatever the record calls it.
        action = Action.RAISE if before.bet_to or before.bring_in_due else Action.BET
    return fast_make(
        Decision,
        **spot.__dict__,
        action=action,
        amount=amount,
        to=player.put + amount,
        completes=raising and (before.bring_in_due or before.bring_in_open),
        all_in=amount > 0 and (player.stack == amount or wager.all_in),
        line=wager.line,
        column=wager.column,
    )


def put_in(before: Table, after: Table) -> int:
    """Return the chips that an action put in, with an uncalled part that went straight back."""
    return after.pot - before.pot + _returned(before, after)


def _returned(before: Table, after: Table) -> int:
    """Return the uncalled part of an action, which went straight back."""
    if after.returned is before.returned or after.returned is None:
        return 0
    return after.returned[1] - (before.returned or (0, 0))[1]
