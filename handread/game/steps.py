"""Records of play: streets, spots, decisions, steps and the replay that holds them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from handread.cards import Card, MaybeCard
from handread.game.pots import Pot
from handread.game.rules import Stakes, Variant, variant_of
from handread.game.seating import PastAction, aggressions, fast_make
from handread.game.table import Table
from handread.history import AGGRESSIVE, Action, Event, History, Problem, Wager

_FOLD, _CHECK, _CALL, _BET, _RAISE = tuple(Action)[1:6]  # looking up a member takes longer


@dataclass(frozen=True)
class DecisionPoint:
    """The situation of a player to act. Amounts are in minor units.

    Attributes:
        n: Number of the decision in the hand, from 1.
        street: Number of the street.
        seat: The player to act.
        to_call: Chips that a call adds, if the stack is deep enough.
        pot: Chips put in so far.
        active: Seats still in, the player included.
        can_fold: False for the owner of a bring-in that is due.
        can_raise: True if a bet or raise is allowed and affordable.
        raises_left: Number of bets and raises that the cap leaves; None without a cap.
        later_bets: One bet on each later street, added up.
        forced: True if the player must post the bring-in or complete it.
        raises: Number of full bets and raises on the street.
        leader: Seat that bet or raised last in the hand; None if nobody did.
        acted: Seats that have chosen an action on the street.
        past: Street, seat and action of every earlier decision of the hand.
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
    def aggressions(self) -> int:
        """Number of the player's bets and raises in the hand before this decision."""
        return aggressions(self.past, self.seat)

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
    """A ``DecisionPoint`` with the voluntary action taken. Amounts are in minor units.

    Attributes:
        action: A fold, check, call, bet or raise; a completion is a raise.
        amount: Chips that it adds.
        to: Total of the player on the street after it.
        completes: True if it completes the bring-in. If ``forced`` is set too, the owner of the
            bring-in completed at once.
        all_in: True if it takes the last chips.
        line: Line of the log, from 1; 0 if unknown.
        column: Column of the log, from 1.
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
    """A street after its deal.

    Attributes:
        number: Number of the street: 3 to 7, in five-card stud 2 to 5.
        game: The game.
        upcards: Upcards of every seat dealt in, folded ones too; None for an unseen upcard.
        shared: The card that all players share, or None.
        active: Seats still in.
        pot: The pot in minor units, before a bring-in.
    """

    number: int
    game: Variant
    upcards: Mapping[int, tuple[MaybeCard, ...]]
    shared: Card | None
    active: tuple[int, ...]
    pot: int


@dataclass(frozen=True, slots=True)
class StreetRecord(DealtStreet):
    """A ``DealtStreet`` with the decisions of its betting.

    Attributes:
        decisions: The voluntary actions in order.
        active_after: Seats still in after the betting.
        pot_after: The pot after the betting in minor units, without an uncalled bet.
        finished: False if the log stops inside the betting round.
        bring_in: Seat that posted the bring-in; None if nobody did.
        line: Line of the log, from 1; 0 if unknown.
    """

    decisions: tuple[Decision, ...]
    active_after: tuple[int, ...]
    pot_after: int
    finished: bool
    bring_in: int | None = None
    line: int = 0

    @property
    def unseen(self) -> list[int]:
        """The active seats with an upcard that was not seen."""
        return [seat for seat in self.active if None in self.upcards[seat]]


class Step(NamedTuple):
    """One event of the play.

    Attributes:
        event: The event, with its amount filled in. Cards are dealt by seat.
        before: The table before it.
        after: The table after it. After the last card of a street its betting is open.
        decision: The decision, if the event is a voluntary action; else None.
    """

    event: Event
    before: Table
    after: Table
    decision: Decision | None = None


@dataclass(frozen=True, slots=True, repr=False)
class Replay:
    """Play of a hand, up to the first fault of its log. Amounts are in minor units.

    The chips of an unfinished hand are in ``stacks`` and ``pot``, of a finished one in ``stacks``
    and ``rake``.

    Attributes:
        history: The hand as its log states it.
        stakes: The stakes of the log or, without any, those inferred from the actions.
        streets: The streets in order, each with its decisions.
        downcards: Known downcards by seat, at least all of the first street.
        loose_downcards: Known downcards of seats that may have got any of the three on 7th street.
        pots: The main pot and the side pots.
        pot: All chips in the pots.
        rake: Chips that the house kept.
        paid: Chips that each seat put in, without an uncalled bet.
        won: Chips that each seat was paid, after rake and without an uncalled bet; empty if the
            hand did not end.
        stacks: Chips of each seat after the hand; None for a log without stacks.
        showdown: Seats still in at the end, if there were several.
        finished: True if the hand was played out and paid. False as well if the log ends before the
            pot is paid and the cards do not decide who wins it.
        played_out: True if no action is missing.
        problem: The first illegal event; None for a hand that is whole, or that merely stops.
        returned: Seat and amount of the uncalled bet that went back, or None.
        steps: Every event of the play, with the table before and after it.
        findings: Findings of the history, and amounts of the log that differ from the play.
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
        """Return the known downcards on a street by seat; on the last, ``loose_downcards`` too.

        Args:
            street: Number of the street.
        """
        game = variant_of(self.history.variant)
        if street == game.last:
            return {**self.downcards, **self.loose_downcards}
        n = game.dealt[street][0]
        return {seat: cards[:n] for seat, cards in self.downcards.items()}

    def final_cards(self, seat: int) -> list[Card] | None:
        """Return the cards of a seat's final hand; None unless all are known.

        Args:
            seat: Number of the seat.
        """
        game = variant_of(self.history.variant)
        up = self.streets[-1].upcards.get(seat, ()) if self.streets else ()
        shared = [street.shared for street in self.streets]
        cards = (*self.downcards_on(game.last).get(seat, ()), *up, *shared)
        known = [card for card in cards if card is not None]
        return known if len(known) == game.n_cards else None

    def net(self, seat: int) -> int:
        """Return the chips that a seat won, less what it put in, once the hand has ended.

        Args:
            seat: Number of the seat.
        """
        return self.won.get(seat, 0) - self.paid.get(seat, 0)

    @property
    def moves(self) -> tuple[Event, ...]:
        """The events of the steps."""
        return tuple([step.event for step in self.steps])

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """All decisions of the hand in order."""
        return tuple(d for street in self.streets for d in street.decisions)


def dealt_fields(table: Table) -> dict[str, Any]:
    """Return the fields of ``DealtStreet`` for a table whose cards have just been dealt."""
    return {
        "number": table.street,
        "game": table.game,
        "upcards": {p.seat: p.up for p in table.players if p.dealt_in},
        "shared": table.shared[0] if table.shared else None,
        "active": table.active,
        "pot": table.pot,
    }


def dealt_street(table: Table) -> DealtStreet:
    """Return the street of a table whose cards have just been dealt."""
    return DealtStreet(**dealt_fields(table))


def decision_point_at(table: Table, n: int, seat: int | None = None) -> DecisionPoint:
    """Return the hand's ``n``-th decision point, of the player to act.

    ``seat`` chooses when several may open; ``IllegalMove`` if it has no turn.
    """
    player = table.to_act((table.actor or 0) if seat is None else seat)
    forced, left = table.bring_in_due, table.raises_left
    return fast_make(
        DecisionPoint,
        {
            "n": n,
            "street": table.street,
            "seat": player.seat,
            "to_call": table.stakes.bring_in if forced else table.bet_to - player.put,
            "pot": table.pot,
            "active": table.active,
            "can_fold": not forced,
            "can_raise": left != 0 and table.can_raise(player),
            "raises_left": left,
            "later_bets": table.game.later_bets(table.stakes, table.street),
            "forced": forced,
            "raises": table.bets,
            "leader": table.leader,
            "acted": table.acted,
            "past": table.past,
        },
    )


def decision_at(spot: DecisionPoint, wager: Wager, before: Table, after: Table) -> Decision:
    """Return the decision at a spot, made by a plain wager from one table to the next."""
    player = before.player(spot.seat)
    amount = put_in(before, after)
    action, raising = wager.action, wager.action in AGGRESSIVE
    if raising:  # A completion is a raise, whatever the record calls it.
        action = _RAISE if before.bet_to or before.bring_in_due else _BET
    changes = {
        "action": action,
        "amount": amount,
        "to": player.put + amount,
        "completes": raising and (before.bring_in_due or before.bring_in_open),
        "all_in": amount > 0 and (player.stack == amount or wager.all_in),
        "line": wager.line,
        "column": wager.column,
    }
    return fast_make(Decision, spot.__dict__ | changes)


def completed(event: Wager, decision: Decision, before: Table) -> Wager:
    """Return the action with its amount; a completion in place of the bring-in is a bet.

    ``double`` follows from the size of the bet, not from the log's wording.
    """
    action = event.action
    if action is _FOLD or action is _CHECK:
        return event
    if action is _CALL:
        if (event.adds, event.all_in) == (decision.amount, decision.all_in):
            return event
        made = event.seat, action, decision.amount, None, decision.all_in, event.double
        return Wager(*made, event.over_bring_in, line=event.line, column=event.column)
    bet = before.game.bet(before.stakes, decision.street)
    open_pair = decision.street == before.game.open_pair_street
    double = open_pair and decision.to - before.bet_to > bet
    opens = decision.action is _BET or decision.forced
    return Wager(
        event.seat,
        _BET if opens else _RAISE,
        adds=decision.amount if opens else None,
        to=None if opens else decision.to,
        all_in=decision.all_in,
        double=double,
        line=event.line,
    )


def put_in(before: Table, after: Table) -> int:
    """Return the chips that an action put in, with an uncalled part that went straight back."""
    back = 0
    if after.returned is not None and after.returned is not before.returned:
        back = after.returned[1] - (before.returned or (0, 0))[1]
    return after.pot - before.pot + back
