"""How often players fold, call, bet and raise, against how often a policy says that they do.

Decisions are counted by street, by the number of players still in, and by what is faced. The
policy's frequencies come from the public belief before each action.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from handread.arrays import Floats
from handread.bits import weighted_sum
from handread.game.rules import Variant, variant_of
from handread.game.steps import DecisionPoint, Replay
from handread.inference.observer import SPLIT, ObservedStreet, expect
from handread.inference.players import PlayerModels
from handread.inference.readers import PolicyReader, read_hand
from handread.policy.base import legal_actions
from handread.study.fit.sample import is_choice
from handread.study.statistics import Estimate, Figures, FigureTable, Key

FACED = ("nothing", "the bring-in", "a bet", "a raise")
"""What a player may face; a completion is a bet, and so is an all-in for less."""

STREETS = ("3rd", "4th", "5th", "6th and 7th")
PLAYERS = ("2", "3", "4", "5 or more")


class Spot(NamedTuple):
    """The cell of a decision in the table: of ``FACED``, ``STREETS`` and ``PLAYERS``."""

    faced: str
    street: str
    players: str


def spot_of(decision: DecisionPoint, game: Variant) -> Spot:
    """Return the cell of a decision."""
    street = min(len(STREETS) - 1, decision.street - game.first)
    # An all-in for less than a bet is no full bet, but no bring-in either.
    least = 1 if street == 0 else 2
    faced = FACED[max(least, 1 + min(2, decision.raises))] if decision.to_call else FACED[0]
    return Spot(faced, STREETS[street], PLAYERS[min(len(PLAYERS), decision.n_active - 1) - 1])


@dataclass(frozen=True, slots=True)
class Foreseen:
    """An action by choice, and the probability that the read gave to each legal action."""

    spot: Spot
    action: str
    chances: Mapping[str, float]


def foreseen_actions(
    hands: Iterable[Replay], reader: PolicyReader
) -> Iterator[tuple[Foreseen, ...]]:
    """Read the hands of a session in order, and yield the actions by choice of each.

    A hand is read up to the first street with an upcard that was not seen.
    """
    for hand in hands:
        observed, history = tuple(read_hand(reader, hand)), hand.history
        players, game = reader.players.for_hand(history), variant_of(history.variant)
        yield tuple(_foreseen(observed, players, game))
        reader = reader.after(hand, observed)


def _foreseen(
    observed: Iterable[ObservedStreet], players: PlayerModels, game: Variant
) -> Iterator[Foreseen]:
    """Yield the actions by choice of a hand that was read."""
    for street in observed:
        belief = street.dealt
        for update in street.updates:
            decision = update.decision
            if is_choice(decision):
                expected = expect(belief, decision, players.of(decision.seat), SPLIT).action_probs
                pdd = belief.pdds[decision.seat]
                chances = {a: weighted_sum(pdd, expected[a]) for a in legal_actions(decision)}
                yield Foreseen(spot_of(decision, game), str(decision.action), chances)
            belief = belief.updated(update)


@dataclass(frozen=True)
class Frequencies(FigureTable):
    """Shares of actions by spot; ``logs`` is the number of logs.

    A key has the action, or "expected " and the action, as its figure; street and players are its
    ``group``, what is faced is ``about``. Intervals are by log: those of the shares that were
    expected are of the share that was seen less the expected one, around the latter.
    """

    logs: int
    spots: tuple[Spot, ...]


def frequencies(hands: Sequence[Sequence[Foreseen]], logs: Sequence[str]) -> Frequencies:
    """Return how often each action was taken in each spot, and how often it was expected.

    Args:
        hands: The actions of each hand.
        logs: The log of each hand; the hands of one log are one observation.
    """
    cells: defaultdict[tuple[Spot, str], list[tuple[str, float, float]]] = defaultdict(list)
    for hand, log in zip(hands, logs, strict=True):
        for one in hand:
            for action, chance in one.chances.items():
                cells[one.spot, action].append((log, float(one.action == action), chance))
    figures: dict[Key, Estimate] = {}
    spots = [Spot(*cell) for cell in _cells() if any(spot == cell for spot, _ in cells)]
    for spot in spots:
        for action in ("fold", "check", "call", "bet", "raise"):
            if seen := cells.get((spot, action)):
                figures |= _shares(spot, action, seen)
    return Frequencies(figures, len(set(logs)), tuple(spots))


def _cells() -> Iterator[Spot]:
    for faced in FACED:
        for street in STREETS:
            yield from (Spot(faced, street, players) for players in PLAYERS)


def group_of(spot: Spot) -> str:
    """Return the group of a spot's figures."""
    return f"{spot.street}, {spot.players}"


def _shares(spot: Spot, action: str, seen: Sequence[tuple[str, float, float]]) -> Figures:
    """Return the share of an action, and the expected one, from (log, taken, chance) each."""
    names, taken, chance = zip(*seen, strict=True)
    each, log = np.unique(names, return_inverse=True)
    n, logs = len(seen), each.size
    share, expected = float(np.mean(taken)), float(np.mean(chance))

    def error(values: Floats) -> float:
        sums = np.bincount(log, weights=values)
        return math.sqrt(float(sums @ sums) * logs / max(1, logs - 1)) / n

    off: Floats = np.subtract(taken, chance)
    at = Key(action, group=group_of(spot), about=spot.faced)
    return {
        at: Estimate.share(share, error(np.subtract(taken, share)), n, logs),
        at._replace(figure=f"expected {action}"): Estimate.student(
            expected, error(off - off.mean()), n, logs
        ),
    }


# The table for the pages

FEWEST = 10
"""The fewest decisions of a row; other spots are left out."""

HEAD = ("faced", "street", "players in", "decisions", "folds", "policy", "bets, raises", "policy")


def frequency_table(found: Frequencies) -> str:
    """Return the shares of actions that were seen and expected as a table of Markdown."""
    rows = [row for spot in found.spots if int((row := _row(found, spot))[3]) >= FEWEST]
    lines = [HEAD, ["---"] * len(HEAD), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _row(found: Frequencies, spot: Spot) -> list[str]:
    pairs = [
        [found.at(f"{kind}{action}", group=group_of(spot), about=spot.faced) for action in actions]
        for actions in (("fold",), ("bet", "raise"))
        for kind in ("", "expected ")
    ]
    # Of a bet and a raise a spot has one; a fold may be missing, as with nothing to call.
    each = [next((one for one in pair if one.n), Estimate(math.nan)) for pair in pairs]
    n = max(one.n for one in each)
    return [*spot, str(n), *(_percent(one, not place % 2) for place, one in enumerate(each))]


def _percent(one: Estimate, interval: bool) -> str:
    """Return a share in percent, with its interval if it has one."""
    if not one.n:
        return ""
    ends = f" ({100 * one.low:.0f} to {100 * one.high:.0f})"
    return f"{100 * one.mean:.0f}%{ends if interval and math.isfinite(one.low) else ''}"
