"""All actions of a street read at once: ``observer.observe`` for each, in one call of a kernel.

The kernel knows the families of policies. Streets with a tree or a policy of one's own are read
action by action, by the same kernels: the figures are the same bit by bit.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from handread.arrays import Floats
from handread.game.rules import MAX_PLAYERS
from handread.game.steps import Decision
from handread.history import AGGRESSIVE
from handread.inference.observer import Belief, TieRule, Update
from handread.inference.players import CARDS_ONLY, Model
from handread.kernels.loading import Fixed, Workspace
from handread.kernels.reading import BLOCK, HASH
from handread.kernels.street_read import Found, Moves, Readers, Room, States, read_street
from handread.odds.counting import room
from handread.odds.htpd import SeatView
from handread.odds.street_cards import street_cards
from handread.policy import (
    Board,
    evidence_tables,
    exponent_on,
    learning_of,
    members_of,
    panel_of,
)
from handread.policy.base import codes_of, legal_actions, room_for_sorting
from handread.policy.family import ACTIONS, packed, room_for_members
from handread.policy.features import conditions_of, spot_features


def observe_street(
    belief: Belief, decisions: Sequence[Decision], models: Mapping[int, Model], ties: TieRule
) -> tuple[Belief, tuple[Update, ...]] | None:
    """Update a belief by all actions of a street, in order.

    Args:
        belief: Belief after the deal.
        decisions: The actions.
        models: The models of the active seats.
        ties: How tied hands share the pot.

    Returns:
        The belief after the actions, and the effect of each, as ``observe`` returns them; None
        if the kernel does not know a policy.
    """
    if not decisions:
        return belief, ()
    street = _Street(belief, decisions, models)
    policies = packed(street.sets)
    if policies is None:
        return None
    n_members, states, found = max(map(len, street.sets)), street.states(), street.found()
    n_holdings = states.pdds.shape[1]
    read_street(
        street_cards([*belief.hands.values()]),
        states,
        street.readers(n_members),
        policies,
        street.moves(policies.value),
        _nodes(ties),
        _ROOM.of(
            (belief.showdown.n_classes, n_holdings, n_members),
            lambda: _room(belief.showdown.n_classes, n_holdings, n_members),
        ),
        room_for_members(n_members),
        found,
    )
    return street.after(states, found)


class _Street:
    """The actions of a street; the seats are rows of arrays."""

    def __init__(
        self, belief: Belief, decisions: Sequence[Decision], models: Mapping[int, Model]
    ) -> None:
        self.belief = belief
        self.decisions = decisions
        self.models = [models[seat] for seat in belief.pdds]
        self.row_of = {seat: row for row, seat in enumerate(belief.pdds)}
        self.members = [members_of(model.policy) for model in self.models]
        self.sets = [*{tuple(map(id, each)): each for each in self.members}.values()]

    def states(self) -> States:
        """Return the states of the seats before the betting, and room for all others."""
        views = [*self.belief.seats.values()]
        n, some_cards_only = len(views), any(m.knowledge == CARDS_ONLY for m in self.models)
        n_states = n * (1 + some_cards_only) + len(self.decisions)
        counted, even = np.zeros(n_states, np.int64), np.full(n, -1)
        pdds = np.zeros((n_states, views[0].pdd.size))
        htpds = np.empty((n_states, self.belief.showdown.n_classes))
        for row, view in enumerate(views):
            pdds[row] = view.pdd
            if view.is_even:
                even[row] = row
            elif some_cards_only:
                even[row], pdds[n + row] = n + row, view.hands.uniform
            if view.counted is not None:
                counted[row], htpds[row] = 1, view.counted
        return States(pdds, htpds, counted, even, np.arange(n), np.ones(n, np.int64))

    def readers(self, n_members: int) -> Readers:
        """Return the policies by row."""
        places = {tuple(map(id, each)): place for place, each in enumerate(self.sets)}
        exponents = np.ones((len(self.models), n_members))
        for row, members in enumerate(self.members):
            own = [exponent_on(each.likelihood_exponent, self.belief.street) for each in members]
            exponents[row, : len(own)] = own
        return Readers(
            sets=np.array([places[tuple(map(id, each))] for each in self.members]),
            members=np.array([len(each) for each in self.members]),
            panels=np.array([panel_of(model.policy) is not None for model in self.models], int),
            cards_only=np.array([model.knowledge == CARDS_ONLY for model in self.models], int),
            exponents=exponents,
            learning=np.array([learning_of(model.policy) for model in self.models]),
        )

    def moves(self, policies: Any) -> Moves:
        """Return the actions; ``policies`` are the ``kernels.rollout_state.Policies``."""
        what, numbers, common, conditions, codes = [], [], [], [], []
        game, place = self.belief.showdown.game, max(0, self.belief.street - 3)
        tables = [evidence_tables(model.policy, game.key) for model in self.models]
        for decision, board in self._boards():
            row, action = self.row_of[decision.seat], decision.action
            legal, n = legal_actions(decision), decision.n_active
            idle, powers = tables[row]
            allowed = ["bet" in legal, "fold" in legal, "raise" in legal]
            number = ACTIONS[action] if action in legal else -1
            what.append([row, number, *allowed, n, action == "fold"])
            power = 1.0
            if action in AGGRESSIVE:
                power = powers[min(decision.aggressions, powers.size - 1)]
            odds = decision.effective_odds if decision.to_call else 1.0
            numbers.append((odds, power, idle[place, n]))
            if policies.logits.any():
                common.append(spot_features(decision, 1.0, board))
                conditions.append((1.0, *conditions_of(decision, game)))
            if policies.with_kinds:
                codes.append(codes_of(board, self.belief.hands[decision.seat].live))
        return Moves(
            np.array(what, np.int64),
            np.array(numbers, np.float64),
            np.array(common) if common else np.empty((0, 0)),
            np.array(conditions) if common else np.empty((0, 0)),
            np.array(codes) if codes else np.empty((0, 0), np.uint32),
        )

    def _boards(self) -> Iterator[tuple[Decision, Board]]:
        """Yield the actions with the cards in sight before each."""
        hands, game = self.belief.hands, self.belief.showdown.game
        still_in = list(self.row_of)
        for decision in self.decisions:
            own = hands[decision.seat]
            rivals = tuple(hands[seat].up for seat in still_in if seat != decision.seat)
            yield decision, Board(own.up, rivals, own.unseen.mask, game)
            if decision.action == "fold":
                still_in.remove(decision.seat)

    def found(self) -> Found:
        """Return arrays for the results, with the shares of panels before the street."""
        n, n_holdings = len(self.decisions), next(iter(self.belief.pdds.values())).size
        chances, action_probs, likelihoods = np.zeros((3, n, n_holdings))
        panels = [panel_of(model.policy) for model in self.models]
        most = max((len(panel.members) for panel in panels if panel is not None), default=0)
        shares, met = np.empty((n, most, n_holdings)), set()
        for i, decision in enumerate(self.decisions):
            panel = panels[self.row_of[decision.seat]]
            if panel is not None and decision.seat not in met:
                met.add(decision.seat)
                before = self.belief.shares.get(decision.seat)
                weights = np.array(panel.weights)[:, None]
                shares[i, : len(weights)] = weights if before is None else before
        figures, states = np.zeros((n, 6)), np.zeros((n, 2), np.int64)
        return Found(chances, action_probs, likelihoods, shares, figures, states)

    def after(self, states: States, found: Found) -> tuple[Belief, tuple[Update, ...]]:
        """Return the belief after the actions, and the effect of each."""
        views, shares, updates = dict(self.belief.seats), dict(self.belief.shares), []
        for row, (view, even) in enumerate(zip(views.values(), states.even.tolist(), strict=True)):
            _keep(view, states, row)
            if even > row and states.counted[even]:
                vars(view.hands)["uniform_htpd"] = states.htpds[even]
        for i, (decision, (before, after)) in enumerate(
            zip(self.decisions, found.states.tolist(), strict=True)
        ):
            seat, view = decision.seat, views[decision.seat]
            row, pdd = self.row_of[seat], view.pdd
            if after != before:
                view = views[seat] = SeatView(view.hands, states.pdds[after])
                _keep(view, states, after)
            if panel_of(self.models[row].policy) is not None:
                shares[seat] = found.shares[i, : len(self.members[row])]
            updates.append(self._update(i, found, pdd, view, shares.get(seat)))
            if decision.action == "fold":
                del views[seat]
                shares.pop(seat, None)
        pdds = {seat: view.pdd for seat, view in views.items()}
        return replace(self.belief, pdds=pdds, shares=shares, earlier=views), tuple(updates)

    def _update(
        self, i: int, found: Found, before: Floats, view: SeatView, shares: Floats | None
    ) -> Update:
        """Return the effect of an action."""
        evidence, informative, bits, p_win, probability, _ = found.figures[i].tolist()
        return Update(
            decision=self.decisions[i],
            chances=found.chances[i],
            action_probs=found.action_probs[i],
            likelihood=found.likelihoods[i],
            evidence=min(1.0, evidence),
            before=before,
            view=view,
            shares=shares,
            information_bits=bits if informative else 0.0,
            p_win=p_win,
            probability=probability,
        )


def _keep(view: SeatView, states: States, state: int) -> None:
    if states.counted[state]:
        view.keep(states.htpds[state])


@cache
def _nodes(ties: TieRule) -> Fixed:
    """Return the nodes and weights of a tie rule by number of opponents, and how many there are."""
    each = [ties.nodes(n) for n in range(MAX_PLAYERS)]
    used = np.array([nodes.size for nodes, _ in each])
    tables = np.zeros((2, len(each), int(used.max())))
    for n, (nodes, weights) in enumerate(each):
        tables[0, n, : used[n]], tables[1, n, : used[n]] = nodes, weights
    return Fixed((tables[0], tables[1], used))


_ROOM = Workspace()


def _room(n_classes: int, n_holdings: int, n_members: int) -> Room:
    """Return arrays for the work of the kernel."""
    return Room(
        counting=room().value,
        rivals=np.empty((3, MAX_PLAYERS, n_classes)),
        shares=np.empty((3, n_classes)),
        values=np.empty(n_classes),
        work=np.empty((4, MAX_PLAYERS + 1, BLOCK)),
        sorting=room_for_sorting(n_holdings).value,
        percentile=np.zeros(n_holdings),
        public=np.zeros(1),
        equals=(np.empty(n_holdings, np.int64), np.empty(1 << HASH, np.int64)),
        each=np.empty((1, n_members, n_holdings)),
        scales=np.empty((2, n_members)),
        exponents=np.empty(n_members),
        none=np.empty((1, 1)),
        no_codes=np.zeros(n_holdings, np.uint32),
        hand=np.empty(8, np.int64),
    )
