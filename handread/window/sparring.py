"""A hand that is played against opponents who bet by a policy.

The page of a new hand sends its entries as for a hand that is entered; here the entries that are
not yours follow: cards from a deck that the seed of the setup determines, actions of the opponents,
and their downcards at the showdown. Opponents bet by their true holdings, read each other by their
own policy, and read you by ``people``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from handread.cards import DECK, DECK_SIZE, Card, holding_index
from handread.continuation import choose
from handread.game.replay import replay
from handread.game.steps import decision_point_at
from handread.history import AGGRESSIVE
from handread.inference.observer import SPLIT
from handread.inference.players import PEOPLE_POLICY, Model, PlayerModels, player_models
from handread.inference.readers import PolicyObserver, PolicyReader, read_hand
from handread.policy import load_policy
from handread.window.entry import EnteredHand, EntryChoice, EntrySetup


class _Cards(NamedTuple):
    """The cards that a seat would get in a whole hand, in dealt order."""

    down: list[Card]
    up: list[Card]


def sparred(setup: EntrySetup, entries: Sequence[object]) -> list[object]:
    """Return the entries up to your next decision, or to the end of the hand."""
    whole = list(entries)
    hand, taken, _ = EnteredHand.of(setup, whole)
    if taken == len(whole):
        cards = {seat.number: _cards_of(setup, place) for place, seat in enumerate(setup.seats)}
        while (entry := _next(hand, cards)) is not None:
            hand.enter(entry)
            whole.append(entry)
    return whole


def _cards_of(setup: EntrySetup, place: int) -> _Cards:
    order = np.random.default_rng((setup.seed, 0)).permutation(DECK_SIZE).tolist()
    dealt = iter(DECK[card] for card in order[place :: len(setup.seats)])
    cards = _Cards([], [])
    for street in setup.game.streets:
        cards.down.extend(next(dealt) for _ in range(street.down))
        cards.up.extend(next(dealt) for _ in range(street.up))
    return cards


def _next(hand: EnteredHand, cards: Mapping[int, _Cards]) -> str | None:
    """Return the next entry that is not yours; None at your decision and at the end."""
    due, choices = hand.due, hand.choices
    if due is not None:
        player, mine = hand.table.player(due.seat), cards[due.seat]
        if due.shown:
            return str(mine.down[len(hand.showing)])
        return str(mine.up[len(player.up)] if due.is_up else mine.down[len(player.down)])
    if not choices or choices[0].seat == hand.setup.hero:
        return None
    seat = choices[0].seat
    if hand.table.bring_in_due:
        return choices[0].entry
    return _chosen(hand, [entry for entry in choices if entry.seat == seat], cards[seat]).entry


def _chosen(hand: EnteredHand, choices: Sequence[EntryChoice], cards: _Cards) -> EntryChoice:
    """Return the action of an opponent, drawn from its policy at its true holding."""
    setup, table, seat = hand.setup, hand.table, choices[0].seat
    assert setup.hero is not None
    models = PlayerModels(
        Model(load_policy(setup.against)), {setup.hero: player_models(PEOPLE_POLICY).rest}
    ).in_game(setup.game.key)
    *_, street = read_hand(PolicyReader(models), replay(hand.history))
    spot = decision_point_at(table, len(table.past) + 1, seat)
    holding = holding_index(tuple(cards.down[: len(table.player(seat).down)]))
    rng = np.random.default_rng((setup.seed, 1, len(hand.taken)))
    odds = PolicyObserver(models, SPLIT, street.after).odds_with(spot, holding)
    action = choose(odds, rng.random())
    same = [choice for choice in choices if choice.wager.action is action]
    return (
        same[0] if same else next(choice for choice in choices if choice.wager.action in AGGRESSIVE)
    )
