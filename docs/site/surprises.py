"""``python -m docs.site.surprises POLICY``: decisions that a policy takes otherwise than people do.

In simulated games of ``people`` at six seats, the decisions at which the policy and
``people-average`` differ most, one a game, each valued by long rollouts in which the player goes on
by the policy. It prints those that the rollouts are sure about, as a table in Markdown.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from handread.cards import cards_text, holding_index
from handread.decisions.decision_values import DecisionValue, Valuation
from handread.decisions.rollouts import HouseRake
from handread.decisions.turns import Turn, turns
from handread.inference.forecast import forecast
from handread.inference.observer import SPLIT, holding_values_at
from handread.inference.players import Model, PlayerModels, player_models
from handread.policy import load_policy
from handread.simulate import Setup, read_games, seated

SEATS, GAMES, ROLLOUTS, SHOWN = 6, 400, 4000, 10

ALIKE = 2
"""The most decisions of one street with the same two actions."""


class Surprise(NamedTuple):
    """A decision, and how often each action is taken by people and by the policy."""

    turn: Turn
    people: dict[str, float]
    strong: dict[str, float]

    @property
    def size(self) -> float:
        """The part of the decisions that differ."""
        return sum(abs(self.strong[a] - self.people[a]) for a in self.people) / 2.0


def odds(turn: Turn, model: Model) -> dict[str, float]:
    """Return the probability of each action by a model at the true holding."""
    outlook = holding_values_at(turn.belief, turn.decision, model, SPLIT)
    found = forecast(model, turn.decision, outlook, None).action_probs
    return {action: float(p[holding_index(turn.down)]) for action, p in found.items()}


def surprises(policy: str) -> Iterator[Surprise]:
    """Yield the decision of each game at which the policies differ most."""
    strong, average = Model(load_policy(policy)), Model(load_policy("people-average"))
    people = player_models("people")
    setup = Setup(people, seated(PlayerModels(average), SEATS))
    for _, analysis in read_games(setup, 1, range(GAMES)):
        found = [Surprise(t, odds(t, average), odds(t, strong)) for t in turns(analysis)]
        if found:
            yield max(found, key=lambda one: one.size)


def row(one: Surprise, value: DecisionValue) -> str:
    """Return the row of a decision."""
    turn, big = one.turn, value.big_bet
    hands = []
    for seat in turn.table.active:
        player = turn.table.player(seat)
        own = f"({cards_text(turn.down)}) " if seat == turn.seat else ""
        words = f"{own}{cards_text(player.up)}"
        hands.append(f"**{words}**" if seat == turn.seat else words)
    parts = [
        f"{action} {100 * one.people[action]:.0f}% -> {100 * one.strong[action]:.0f}%"
        for action in one.people
    ]
    worth = [f"{a.action} {a.q / big:+.2f} ±{1.96 * a.error / big:.2f}" for a in value.actions]
    street = turn.decision.street
    return f"| {street} | {'; '.join(hands)} | {', '.join(parts)} | {', '.join(worth)} |"


def main(policy: str) -> None:
    """Print the decisions that differ most and that rollouts confirm."""
    strong = Model(load_policy(policy))
    found = sorted(surprises(policy), key=lambda one: -one.size)
    print("| street | hands, the player's first cards in parentheses | people -> strong | worth |")
    print("|---|---|---|---|")
    shown = wrong = 0
    kinds = Counter[tuple[int, str, str]]()
    for one in found:
        most, now = (max(o, key=o.__getitem__) for o in (one.people, one.strong))
        kind = one.turn.decision.street, most, now
        if kinds[kind] >= ALIKE:
            continue
        value = Valuation(ROLLOUTS, then=strong).of_turn(one.turn, HouseRake())
        by = {action.action: action for action in value.actions}
        if now == most:
            continue
        gain = by[now].q - by[most].q
        error = (by[now].error ** 2 + by[most].error ** 2) ** 0.5
        if abs(gain) < 1.96 * error:
            continue
        kinds[kind] += 1
        shown, wrong = shown + 1, wrong + (gain < 0.0)
        print(row(one, value), flush=True)
        if shown == SHOWN:
            break
    print(f"\n{shown - wrong} of {shown} are better by the rollouts.")


if __name__ == "__main__":
    main(sys.argv[1])
