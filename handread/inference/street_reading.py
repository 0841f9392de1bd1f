"""The read of the actions of a street by a kernel, one after the other.

The kernel knows the families of policies. Streets with a tree or a policy of one's own are read by
``observer.observe``, which calls the same kernels step by step: the figures are the same bit by
bit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import count
from typing import NamedTuple

import numpy as np

from handread.arrays import Floats
from handread.cards import N_TRIPLES
from handread.game.steps import Decision, DecisionPoint
from handread.inference.observer import Belief, TieRule, Update
from handread.inference.players import CARDS_ONLY, Model
from handread.kernels.actions import N_ACTIONS
from handread.kernels.loading import Fixed, Workspace
from handread.kernels.reading import BLOCK, HASH
from handread.kernels.rollout_state import Spot
from handread.kernels.street_read import (
    AFTER,
    CHANCES,
    LIKELIHOOD,
    MAX_PLAYERS,
    PROBS,
    Desk,
    Readers,
    expect_action,
    read_action,
)
from handread.odds.counting import room
from handread.odds.htpd import SeatView
from handread.odds.street_cards import street_cards
from handread.policy import (
    Board,
    Policy,
    discounts,
    evidence_tables,
    exponent_on,
    learning_of,
    members_of,
    panel_of,
    weights_of,
)
from handread.policy.base import codes_of, legal_actions, room_for_sorting
from handread.policy.family import ACTIONS, packed, room_for_members
from handread.policy.features import Codes, conditions_of, spot_features

_Identity = tuple[int, ...]


class _PolicySets(NamedTuple):
    """The different policies of a street."""

    packed: Fixed
    places: Mapping[_Identity, int]  # by the identity of their members


class StreetReading:
    """The read of the actions of a street."""

    def __init__(
        self, belief: Belief, models: Mapping[int, Model], ties: TieRule, policies: _PolicySets
    ) -> None:
        """Take the belief after the deal; see ``begin``."""
        self._dealt = belief
        self._latest: Belief | None = belief
        self._pdds, self._shares = dict(belief.pdds), dict(belief.shares)
        self._models = [models[seat] for seat in belief.pdds]
        self._rows = {seat: row for row, seat in enumerate(belief.pdds)}
        self._views = dict(belief.seats)
        game, hands = belief.showdown.game, [view.hands for view in self._views.values()]
        self._evidence = [evidence_tables(model.policy, game.key) for model in self._models]
        self._some_cards_only = any(model.knowledge == CARDS_ONLY for model in self._models)
        packed_sets = policies.packed.value
        self._looks = bool(packed_sets.logits.any()), packed_sets.with_kinds
        self._n_members = packed_sets.lapses.shape[1]
        self._n_holdings = next(iter(belief.pdds.values())).size
        self._terms = ties, belief.showdown.n_classes, self._n_holdings, self._n_members
        readers = self._read_by(policies.places)
        self._given = Fixed(street_cards(hands)), Fixed(readers), policies.packed
        self._fixed = self._own_desk()
        self._number, self._counted = next(_NUMBERS), [0] * (2 * MAX_PLAYERS)
        self._looked: tuple[DecisionPoint, Floats, Codes] | None = None

    @classmethod
    def begin(
        cls, belief: Belief, models: Mapping[int, Model], ties: TieRule
    ) -> StreetReading | None:
        """Return the read of a street after its deal, or after some of its actions.

        Args:
            belief: The belief.
            models: The models of the active seats.
            ties: How tied hands share the pot.

        Returns:
            The read; None if the kernel does not know a policy.
        """
        members = (members_of(models[seat].policy) for seat in belief.pdds)
        sets = {_identity(each): each for each in members}
        policies = packed([*sets.values()])
        if policies is None:
            return None
        places = {each: place for place, each in enumerate(sets)}
        return cls(belief, models, ties, _PolicySets(policies, places))

    @property
    def belief(self) -> Belief:
        """The belief after the actions so far."""
        if self._latest is None:
            views = {seat: self._views[seat] for seat in self._pdds}
            pdds, shares = dict(self._pdds), dict(self._shares)
            self._latest = replace(self._dealt, pdds=pdds, shares=shares, earlier=views)
        return self._latest

    def odds_with(self, spot: DecisionPoint, holding: int) -> dict[str, float]:
        """Return P(action | holding) of the player to act by legal action (equation 3).

        Args:
            spot: The situation.
            holding: Index of the holding.
        """
        legal, row, codes = legal_actions(spot), self._rows[spot.seat], self._lay_out(spot)
        desk = self._desk
        desk.held[0], desk.actions[:] = holding, -1
        desk.actions[: len(legal)] = [ACTIONS[action] for action in legal]
        out = np.zeros((4, self._n_holdings))
        expect_action(*self._given, self._fixed, codes, _NONE, out)
        self._keep_counted()
        self._looked = spot, out, codes
        weights = np.array(weights_of(self._models[row].policy))
        if spot.seat in self._shares:
            weights = self._shares[spot.seat][:, holding]
        means = np.einsum("am,m->a", desk.odds[: len(legal), : weights.size], weights)
        return dict(zip(legal, means.tolist(), strict=True))

    def observe(self, decision: Decision) -> Update:
        """Take in an action; return its effect, as ``observer.observe`` does.

        Args:
            decision: The action.
        """
        looked, self._looked = self._looked, None
        if looked is None or not self._is_at(looked[0], decision):
            codes, out = self._lay_out(decision), np.zeros((4, self._n_holdings))
        else:
            _, out, codes = looked
            self._lay_action(decision, looked=True)
        panel, shares = panel_of(self._models[self._rows[decision.seat]].policy), None
        if panel is not None:
            shares = np.empty((len(panel.members), self._n_holdings))
            before = self._shares.get(decision.seat)
            shares[:] = np.array(panel.weights)[:, None] if before is None else before
        given = *self._given, self._fixed, codes
        read_action(*given, _NONE if shares is None else shares, out)
        self._keep_counted()
        return self._updated(decision, out, shares)

    def _own_desk(self) -> Fixed:
        """Return the desk of this thread."""
        return _DESKS.of(self._terms, lambda: _desk(*self._terms))

    @property
    def _desk(self) -> Desk:
        desk: Desk = self._fixed.value
        return desk

    def _is_at(self, spot: DecisionPoint, decision: Decision) -> bool:
        """Return True if the desk still has the situation of a decision."""
        here = self._own_desk() is self._fixed and self._desk.owner[0] == self._number
        return here and (decision.n, decision.seat) == (spot.n, spot.seat)

    def _read_by(self, places: Mapping[_Identity, int]) -> Readers:
        members = [members_of(model.policy) for model in self._models]
        exponents = np.ones((len(members), self._n_members))
        for row, own in enumerate(members):
            powers = [exponent_on(each.likelihood_exponent, self._dealt.street) for each in own]
            exponents[row, : len(own)] = powers
        return Readers(
            sets=np.array([places[_identity(own)] for own in members]),
            members=np.array([len(own) for own in members]),
            panels=np.array([panel_of(model.policy) is not None for model in self._models], int),
            cards_only=np.array([model.knowledge == CARDS_ONLY for model in self._models], int),
            exponents=exponents,
            learning=np.array([learning_of(model.policy) for model in self._models]),
        )

    def _take_desk(self) -> None:
        """Fill the states of the desk, unless they are there."""
        here = self._own_desk()
        if here is not self._fixed:  # what this street left on another desk may be out of date
            self._fixed, self._number = here, next(_NUMBERS)
        desk = self._desk
        if desk.owner[0] == self._number:
            return
        desk.owner[0] = self._number
        desk.counted[:] = desk.even[:] = desk.still_in[:] = 0
        for row, (seat, view) in enumerate(self._views.items()):
            if seat not in self._pdds:
                continue
            desk.still_in[row], desk.pdds[row], desk.even[row] = 1, view.pdd, view.is_even
            if view.counted is not None:
                desk.counted[row], desk.htpds[row] = 1, view.counted
            if self._some_cards_only:
                other, even = MAX_PLAYERS + row, SeatView(view.hands, view.hands.uniform)
                desk.pdds[other], desk.even[other] = even.pdd, 1
                if even.counted is not None:
                    desk.counted[other], desk.htpds[other] = 1, even.counted
        self._counted = desk.counted.tolist()

    def _lay_out(self, spot: DecisionPoint) -> Codes:
        """Put a situation on the desk; return the kinds of the holdings."""
        self._take_desk()
        self._lay_action(spot)
        logits, kinds = self._looks
        if not logits:
            return _NO_CODES
        board = Board.at(self._dealt.hands, self._pdds, spot.seat)
        self._desk.spot.common[:] = spot_features(spot, 1.0, board)
        self._desk.spot.conditions[:] = 1.0, *conditions_of(spot, board.game)
        return codes_of(board, self._dealt.hands[spot.seat].live) if kinds else _NO_CODES

    def _lay_action(self, spot: DecisionPoint, looked: bool = False) -> None:
        """Put the numbers of a situation on the desk, and of the action if there is one."""
        row, action = self._rows[spot.seat], spot.action if isinstance(spot, Decision) else ""
        legal, n, tables = legal_actions(spot), spot.n_active, self._evidence[row]
        allowed = "bet" in legal, "fold" in legal, "raise" in legal
        number = ACTIONS[action] if action in legal else -1
        self._desk.what[:] = row, number, *allowed, n, looked, self._looks[0]
        odds = spot.effective_odds if spot.to_call else 1.0
        self._desk.numbers[:] = odds, *discounts(tables, spot, action, self._dealt.street)

    def _keep_counted(self) -> None:
        """Keep the htpds that the kernel counted."""
        before, self._counted = self._counted, self._desk.counted.tolist()
        if self._counted == before:
            return
        for row, view in enumerate(self._views.values()):
            if self._counted[row] > before[row]:
                view.keep(self._desk.htpds[row].copy())
            other = MAX_PLAYERS + row
            if self._counted[other] > before[other]:
                SeatView(view.hands, view.hands.uniform).keep(self._desk.htpds[other].copy())

    def _updated(self, decision: Decision, out: Floats, shares: Floats | None) -> Update:
        """Return the effect of an action; move on to the belief after it."""
        seat, desk = decision.seat, self._desk
        evidence, informative, bits, p_win, probability, _ = desk.figures.tolist()
        view = self._views[seat]
        before = view.pdd
        if informative:
            view = self._views[seat] = SeatView(view.hands, out[AFTER])
            self._pdds[seat] = out[AFTER]
        if shares is not None:
            self._shares[seat] = shares
        if decision.action == "fold":
            desk.still_in[self._rows[seat]] = 0
            del self._pdds[seat]
            self._shares.pop(seat, None)
        self._latest = None
        return Update(
            decision=decision,
            chances=out[CHANCES],
            action_probs=out[PROBS],
            likelihood=out[LIKELIHOOD],
            evidence=min(1.0, evidence),
            before=before,
            view=view,
            shares=shares,
            information_bits=bits if informative else 0.0,
            p_win=p_win,
            probability=probability,
        )


def _identity(members: Sequence[Policy]) -> _Identity:
    return tuple(map(id, members))


_NUMBERS = count(1)
_NONE, _NO_CODES = np.zeros((1, 1)), np.zeros(N_TRIPLES, np.uint32)
_DESKS = Workspace(most=6)
"""Desks of some megabytes; a log has one game, with two sizes of holdings."""


def _desk(ties: TieRule, n_classes: int, n_holdings: int, n_members: int) -> Desk:
    """Return the working arrays of the kernel."""
    nodes = [ties.nodes(n) for n in range(MAX_PLAYERS)]
    n_nodes = np.array([each.size for each, _ in nodes])
    tables = np.zeros((2, MAX_PLAYERS, int(n_nodes.max())))
    for n, pair in enumerate(nodes):
        tables[:, n, : n_nodes[n]] = pair
    n_states = 2 * MAX_PLAYERS
    counted, even, still_in, what = (np.zeros(n, np.int64) for n in (n_states, n_states, 8, 8))
    return Desk(
        pdds=np.zeros((n_states, n_holdings)),
        htpds=np.empty((n_states, n_classes)),
        counted=counted,
        even=even,
        still_in=still_in,
        what=what,
        numbers=np.zeros(3),
        figures=np.zeros(6),
        odds=np.zeros((N_ACTIONS, n_members)),
        held=np.zeros(1, np.int64),
        actions=np.zeros(N_ACTIONS, np.int64),
        owner=np.zeros(1, np.int64),
        nodes=tables[0],
        weights=tables[1],
        n_nodes=n_nodes,
        counting=room().value,
        rivals=np.empty((3, MAX_PLAYERS, n_classes)),
        shares=np.empty((3, n_classes)),
        values=np.empty(n_classes),
        work=np.empty((4, MAX_PLAYERS + 1, BLOCK)),
        sorting=room_for_sorting(n_holdings).value,
        percentiles=np.zeros(n_holdings),
        public=np.zeros(1),
        equals=(np.empty(n_holdings, np.int64), np.empty(1 << HASH, np.int64)),
        each=np.zeros((1, n_members, n_holdings)),
        scales=np.empty((2, n_members)),
        exponents=np.empty(n_members),
        hand=np.empty(8, np.int64),
        spot=Spot(*(each.copy() for each in room_for_members(n_members).value)),
    )
