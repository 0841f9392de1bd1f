"""A player who decides by rollouts: the action that wins most is the most probable.

The player follows the table, and reads the others by Bayes' rule with a policy. At a decision it
plays the hand on many times after each legal action, and takes an action that is worth
``TEMPERATURE`` big bets more e times as often.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from handread.arrays import Floats
from handread.cards import Card
from handread.decisions.decision_values import Valuation
from handread.decisions.rollouts import HouseRake
from handread.decisions.turns import Turn, hidden_from
from handread.game.replay import ReplayBuilder
from handread.game.rules import variant_of
from handread.game.steps import DealtStreet, Decision, DecisionPoint, decision_at
from handread.game.table import Table
from handread.history import Action, Ante, Deal, History, SharedCard, Wager
from handread.inference.observer import TieRule, Update, expect, visible_cards
from handread.inference.players import PlayerModels, player_models
from handread.inference.readers import Observer, PolicyObserver, PolicyReader

ROLLOUTS = 60
"""Rollouts of each action."""

TEMPERATURE = 0.25
"""Big bets by which an action must be better to be e times as probable."""


class TableObserver(PolicyObserver):
    """The observer of a policy, who also keeps the table and the last read of who folded."""

    def __init__(self, players: PlayerModels, ties: TieRule, history: History) -> None:
        super().__init__(players, ties)
        self.players, self.ties = players, ties
        self.folded: dict[int, Floats] = {}
        self.street: DealtStreet | None = None
        game = variant_of(history.variant)
        assert history.stakes is not None, "simulated games have stakes"
        table = Table.start(history.stakes, history.seats, history.unit, game)
        self.walk = ReplayBuilder(history, table)
        if history.stakes.ante:
            for seat in history.seats:
                self.walk.apply(Ante(seat.number))

    def deal(self, street: DealtStreet) -> Mapping[int, float]:
        """Take in the cards of a street; the simulator posts a bring-in at once."""
        self.street = street
        self.walk.begin(street.number, 0)
        dealt = street.game.streets[street.number - street.game.first]
        if street.shared is not None:
            self.walk.apply(SharedCard(street.shared))
        for seat in street.active if street.shared is None else ():
            up = street.upcards[seat]
            self.walk.apply(Deal(seat, (None,) * dealt.down, up[len(up) - dealt.up :]))
        self.walk.open_betting()
        if self.walk.table.bring_in_due:
            self.walk.apply(Wager(self.walk.table.may_act[0], Action.BRING_IN))
        return super().deal(street)

    def observe(self, decision: Decision) -> Update:
        """Take in an action."""
        self.walk.apply(Wager(decision.seat, decision.action))
        update = super().observe(decision)
        if decision.action is Action.FOLD:
            self.folded[decision.seat] = update.after
        return update


class TableReader(PolicyReader):
    """The reader of a policy, whose observers keep the table."""

    def observer(self, history: History, ties: TieRule) -> TableObserver:
        """Return an observer of a hand before its first card."""
        return TableObserver(self.players.for_hand(history), ties, history)


def by_people() -> TableReader:
    """Return the reader by ``people``."""
    return TableReader(player_models("people"))


@dataclass(frozen=True)
class RolloutPlayer:
    """A player who takes the actions that win most in rollouts."""

    name: str
    reader: TableReader = field(default_factory=by_people)

    def decide(
        self, observer: Observer, spot: DecisionPoint, down: tuple[Card, ...]
    ) -> Mapping[str, float]:
        """Return the probability of each legal action."""
        assert isinstance(observer, TableObserver)
        table, street = observer.walk.table, observer.street
        assert street is not None, "somebody acts only after a deal"
        players = observer.players
        expected = expect(observer.belief, spot, players.of(spot.seat), observer.ties)
        wager = table.plain(Wager(spot.seat, Action(next(iter(expected.action_probs)))))
        visible = visible_cards(street)
        turn = Turn(
            decision_at(spot, wager, table, table.play(wager)),
            table,
            observer.belief,
            expected,
            down=down,
            hidden=hidden_from(observer.belief, observer.folded, visible, spot.seat, down),
            players=players,
            ties="split",
        )
        # Other draws for other cards, the same whenever the hand is played again.
        seed = zlib.crc32(repr((sorted(visible), down)).encode())
        value = Valuation(ROLLOUTS, seed=seed).of_turn(turn, HouseRake())
        q = np.array([each.q for each in value.actions]) / (TEMPERATURE * value.big_bet)
        weights = np.exp(q - q.max())
        chances = (weights / weights.sum()).tolist()
        return {each.action: chance for each, chance in zip(value.actions, chances, strict=True)}
