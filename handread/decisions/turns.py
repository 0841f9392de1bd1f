"""Decisions as their players saw them: the table, the public belief, their cards, their options.

A ``Turn`` is a decision of an actor with known downcards. It can play the hand on after each legal
action: each ``LegalAction`` has the table after it and the belief of the others.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from handread.arrays import Floats
from handread.cards import Card
from handread.continuation import policy_action
from handread.game.steps import Decision, DecisionPoint, decision_at
from handread.game.table import Table
from handread.history import AGGRESSIVE, Action, Wager
from handread.inference.analysis import analyze_replay, true_holding
from handread.inference.forecast import Forecast, forecast
from handread.inference.hand_analysis import Analysis
from handread.inference.joint import Deals, Hidden, draw_deals, possible
from handread.inference.observer import Belief, Update, apply_bayes, holding_values, visible_cards
from handread.inference.players import Model, PlayerModels
from handread.inference.viewpoint import certainty
from handread.policy import Single, members_of, panel_of

LEAST_DEALS = 4
"""The fewest deals compatible with the reads, so that both halves of the rollouts count."""


@dataclass(frozen=True, slots=True)
class LegalAction:
    """A legal action of a turn."""

    action: str  # the action as policies name it: fold, check, call, bet or raise
    wager: Wager  # the action with its amounts
    table: Table  # the table after it
    belief: Belief  # the public belief after it
    # its effect on the public belief about the actor; None for a posted bring-in
    update: Update | None


@dataclass(frozen=True, repr=False)
class Turn:
    """A decision of a player with known downcards, before the action."""

    decision: Decision  # the decision with the action taken
    table: Table  # the table before it
    belief: Belief  # the public belief before it
    expected: Forecast  # P(action | holding) of the actor
    down: tuple[Card, ...]  # the actor's downcards
    # the hidden cards for the actor: reads of all other seats, folded ones too, without own cards
    hidden: Hidden
    players: PlayerModels  # models of the players of the hand
    ties: str  # tie rule, "split" or "paper"
    update: Update | None = None  # the public information in the action taken, if known
    then: Model | None = None  # how the actor goes on after it; None as by ``players``

    def __repr__(self) -> str:
        return f"<Turn of seat {self.seat}: decision {self.decision.n}>"

    @property
    def seat(self) -> int:
        """The seat to act."""
        return self.decision.seat

    @property
    def taken(self) -> str:
        """The action taken, as policies name it."""
        return str(self.decision.action)

    @property
    def later(self) -> PlayerModels:
        """The models by which the players go on after the decision."""
        if self.then is None:
            return self.players
        return replace(self.players, seats={**self.players.seats, self.seat: self.then})

    def shares(self, belief: Belief, seat: int) -> Floats | None:
        """Return P(member | holding) of the policy by which a seat goes on; None for its priors."""
        return belief.shares.get(seat) if seat != self.seat or self.then is None else None

    @property
    def big_bet(self) -> int:
        """The bet of the last street, in minor units."""
        return self.table.stakes.bets[-1]

    @cached_property
    def real(self) -> int | None:
        """The least number of real decisions like this in the fit of the policies of all still in.

        A panel counts by its first member. None if unknown, 0 if no policy explains the past
        actions of an opponent.
        """
        if not all(self._is_explained(s) for s in self.belief.shares if s != self.seat):
            return 0
        game = self.table.game.key
        firsts = [members_of(self.players.of(seat).policy)[0] for seat in self.table.active]
        counts = [who.seen(game, self.decision) for who in firsts if isinstance(who, Single)]
        return min((n for n in counts if n is not None), default=None)

    def _is_explained(self, seat: int) -> bool:
        shares, pdd = self.belief.shares[seat], self.belief.pdds.get(seat)
        panel = panel_of(self.players.of(seat).policy)
        return pdd is None or panel is None or panel.explains(shares @ pdd)

    def deals(self, n: int, rng: np.random.Generator) -> Deals:
        """Draw ``n`` joint deals of the hidden cards.

        Reads that contradict each other in nearly all deals are mixed with the upcards-only pdds.
        """
        try:
            deals = draw_deals(self.hidden, n, rng)
        except ValueError:
            deals = None
        if deals is None or np.count_nonzero(deals.weights) < min(n, LEAST_DEALS):
            even = self.hidden.at_random().pdds
            pdds = {seat: (pdd + even[seat]) / 2.0 for seat, pdd in self.hidden.pdds.items()}
            pdds[self.seat] = self.hidden.pdds[self.seat]
            deals = draw_deals(replace(self.hidden, pdds=pdds), n, rng)
        return deals

    @cached_property
    def options(self) -> tuple[LegalAction, ...]:
        """The legal actions, the one taken as logged; other bets and raises are the smallest."""
        actions = [*self.expected.action_probs]
        if self.taken not in actions:  # a raise that the rules of the table allow only as stated
            actions.append(self.taken)
        return tuple(self._option(action) for action in actions)

    @cached_property
    def taken_at(self) -> int:
        """The index of the action taken among the options."""
        return [option.action for option in self.options].index(self.taken)

    def _option(self, name: str) -> LegalAction:
        spot = self.decision
        action = policy_action(spot, name)
        wager = Wager(spot.seat, action)
        if name == self.taken:
            raising = action in AGGRESSIVE
            wager = Wager(
                spot.seat,
                action,
                spot.amount if action in (Action.BET, Action.CALL) else None,
                to=spot.to if raising else None,
                all_in=spot.all_in,
            )
        wager = self.table.plain(wager)
        after = self.table.play(wager)
        if action is Action.BRING_IN:
            return LegalAction(name, wager, after, self.belief, None)
        decided = decision_at(_point(spot), wager, self.table, after)
        if name == self.taken and self.update is not None:
            update = replace(self.update, decision=decided)
            return LegalAction(name, wager, after, self.belief.updated(update), update)
        belief, update = apply_bayes(self.belief, decided, self.expected)
        return LegalAction(name, wager, after, belief, update)


def _point(decision: Decision) -> DecisionPoint:
    names = DecisionPoint.__dataclass_fields__
    return DecisionPoint(**{name: getattr(decision, name) for name in names})


def turns(analysis: Analysis, seats: set[int] | None = None) -> Iterator[Turn]:
    """Yield the decisions of players with known downcards, in order, of ``seats`` or of all.

    Raises:
        ValueError: The reader of the analysis has no policies.
    """
    players, replay = analysis.players, analysis.replay
    tables = {step.decision.n: step.before for step in replay.steps if step.decision is not None}
    folded: dict[int, Floats] = {}
    for street, seen in zip(replay.streets, analysis.observed, strict=False):
        belief = seen.dealt
        visible = visible_cards(street)
        for update in seen.updates:
            decision = update.decision
            down = true_holding(replay, decision.seat, street.number)
            if down is not None and (seats is None or decision.seat in seats):
                hidden = hidden_from(belief, folded, visible, decision.seat, down)
                outlook = holding_values(belief, decision, update.chances)
                shares = belief.shares.get(decision.seat)
                yield Turn(
                    decision=decision,
                    table=tables[decision.n],
                    belief=belief,
                    expected=forecast(players.of(decision.seat), decision, outlook, shares),
                    down=down,
                    hidden=hidden,
                    players=players,
                    ties=analysis.ties,
                    update=update,
                )
            if decision.action is Action.FOLD:
                folded[decision.seat] = update.after
            belief = belief.updated(update)


def turns_by(players: PlayerModels, analysis: Analysis, seats: set[int] | None) -> dict[int, Turn]:
    """Return the ``turns`` of a hand by the number of the decision, read by other models."""
    models = players.for_hand(analysis.replay.history)
    again = analyze_replay(analysis.replay, models, ties=analysis.ties)
    return {turn.decision.n: turn for turn in turns(again, seats)}


def hidden_from(
    belief: Belief,
    folded: Mapping[int, Floats],
    visible: set[Card],
    seat: int,
    down: tuple[Card, ...],
) -> Hidden:
    """Return the hidden cards as the player of a seat sees them."""
    seen = [*visible, *down]
    # If the player's own cards refute the public read, all compatible holdings are likely.
    pdds = {
        other: certainty(pdd.size, down) if other == seat else possible(pdd, seen)
        for other, pdd in {**folded, **belief.pdds}.items()
    }
    up = {other: hands.up for other, hands in belief.hands.items() if other in belief.pdds}
    return Hidden(up, frozenset(visible), pdds, belief.showdown.game)
