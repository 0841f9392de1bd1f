"""The ledger of a hand: the sources of a player's chips.

A player's expected result changes with the cards dealt, with the actions of others, and with the
player's own. The value before an own decision is the mean of its actions' values, weighted by the
policy, so that an own action counts by its difference from the average play of the policy. Every
value is rounded to a ``PARTS``-th of a minor unit before differences are taken: the terms of a
ledger sum exactly to the chips won.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from handread.cards import holding_index
from handread.decisions.learned import LearnedValues
from handread.decisions.states import HandTurns
from handread.decisions.turns import Turn
from handread.game.seating import Phase
from handread.game.steps import Replay
from handread.game.table import Table
from handread.history import Deal, SharedCard, Wager
from handread.inference.analysis import true_holding
from handread.inference.hand_analysis import Analysis
from handread.inference.observer import Belief

PARTS = 1000
"""Units of a ledger per minor unit."""

TERMS = ("deal", "cards", "others", "own", "showdown", "rake")
"""The terms of a ledger, in the order of play."""

LUCK = ("deal", "cards", "showdown")
"""The terms that are the luck of the cards."""


@dataclass(frozen=True, slots=True)
class Ledger:
    """A player's result in a hand by its sources, in thousandths of a minor unit.

    Attributes:
        seat: The seat of the player.
        net: Chips won less chips put in, in minor units.
        terms: The change of the player's expected result by the first deal ("deal"), later cards
            ("cards"), actions of others ("others"), own actions ("own"), the showdown ("showdown")
            and the rake ("rake"): integers that sum exactly to the chips won.
    """

    seat: int
    net: int
    terms: Mapping[str, int]

    @property
    def luck(self) -> int:
        """The luck of the cards: the terms "deal", "cards" and "showdown" together."""
        return sum(self.terms[term] for term in LUCK)

    @property
    def adjusted(self) -> int:
        """The result without the luck of the cards."""
        return PARTS * self.net - self.luck


class Change(NamedTuple):
    """An event of a hand that changes the players' expectations."""

    # "deal" for the first deal with its bring-in, "cards" for a later one, "act" for an action
    term: str
    seat: int | None  # the seat that acted; None for a deal
    table: Table  # the table after it
    belief: Belief  # the public belief after it
    # the seat of the decision that follows at once; None before cards or the end
    decider: int | None
    decision: int  # number of that decision; 0 for none


def changes(analysis: Analysis) -> Iterator[Change]:
    """Yield the events of a hand that was read to its end."""
    steps = analysis.replay.steps
    dealt = {
        street.number: seen
        for street, seen in zip(analysis.replay.streets, analysis.observed, strict=True)
    }
    updates = {u.decision.n: u for seen in analysis.observed for u in seen.updates}
    first = steps[0].after.game.first
    belief: Belief | None = None
    for at, step in enumerate(steps):
        table, seat, term = step.after, None, "deal"
        if isinstance(step.event, Deal | SharedCard):
            if table.phase is Phase.DEAL:
                continue
            belief = dealt[table.street].dealt
            term = "deal" if table.street == first else "cards"
        elif step.decision is not None:
            assert belief is not None
            belief = belief.updated(updates[step.decision.n])
            seat, term = step.decision.seat, "act"
        elif not isinstance(step.event, Wager):
            continue
        later = (s for s in steps[at + 1 :] if isinstance(s.event, Deal | SharedCard | Wager))
        following = next(later, None)
        decision = None if following is None else following.decision
        decider, number = (None, 0) if decision is None else (decision.seat, decision.n)
        assert belief is not None
        yield Change(term, seat, table, belief, decider=decider, decision=number)


def why_no_ledger(analysis: Analysis) -> str | None:
    """Return the reason why nobody has a ledger of a hand, if there is one."""
    replay = analysis.replay
    if not replay.played_out:
        return "the hand is not played out"
    if not analysis.complete or not analysis.observed:
        return "the hand cannot be read to its end"
    if not replay.finished:
        return "the log does not tell who won"
    return None


class HandLedgers:
    """The ledgers of a hand that has some (``why_no_ledger``), with ``made`` turns of its seats."""

    def __init__(self, analysis: Analysis, learned: LearnedValues, made: HandTurns) -> None:
        self._analysis, self._learned, self._states = analysis, learned, made.states
        self._changes = tuple(changes(analysis))
        self._turns = {turn.decision.n: turn for turn in made.turns}

    def of(self, seat: int) -> Ledger | None:
        """Return the ledger of a seat; None unless its downcards are known while it is in."""
        replay = self._analysis.replay
        terms = dict.fromkeys(TERMS, 0)
        before = 0
        for change in self._changes:
            expected = self._expected_net(change, seat)
            if expected is None:
                return None
            term = change.term
            if term == "act":
                term = "own" if change.seat == seat else "others"
            now = round(PARTS * expected)
            terms[term] += now - before
            before = now
            if change.table.player(seat).folded:
                break
        net = replay.net(seat)
        terms["rake"] = -_rake_paid(replay, seat)
        terms["showdown"] = PARTS * net - terms["rake"] - before
        return Ledger(seat, net, terms)

    def _expected_net(self, change: Change, seat: int) -> float | None:
        """Return the expected result of the hand for a seat; None without its downcards."""
        table = change.table
        paid = table.player(seat).paid
        if table.player(seat).folded:
            return -float(paid)
        if len(table.active) == 1:
            return float(table.pot - paid)
        down = true_holding(self._analysis.replay, seat, table.street)
        if down is None:
            return None
        if change.decider == seat and not table.bring_in_due:
            return self._at_decision(self._turns[change.decision]) - paid
        return self._learned.value(self._states, table, change.belief, seat, down) - paid

    def _at_decision(self, turn: Turn) -> float:
        """Return the expected net from a decision on: the mean over the actions of the policy."""
        held, seat, before = holding_index(turn.down), turn.seat, turn.table.player(turn.seat).paid
        expected = 0.0
        for option in turn.options:
            chance = turn.expected.action_probs.get(option.action)
            if chance is not None:
                paid = option.table.player(seat).paid - before
                after = option.table, option.belief, seat, turn.down
                expected += float(chance[held]) * (self._learned.value(self._states, *after) - paid)
        return expected


def _rake_paid(replay: Replay, seat: int) -> int:
    """Return the rake out of a seat's winnings, in ``PARTS``."""
    won = sum(replay.won.values())
    return round(PARTS * replay.rake * replay.won.get(seat, 0) / won) if won else 0


def ledgers(
    analysis: Analysis,
    learned: LearnedValues,
    seats: set[int] | None = None,
    made: HandTurns | None = None,
) -> tuple[dict[int, Ledger], dict[int, str]]:
    """Return the ledgers of a hand by seat, and by seat the reasons for no ledger.

    ``seats`` restricts the seats. ``made`` are their turns, if already computed.

    Raises:
        ValueError: The reader of the analysis has no policies.
    """
    wanted = [seat for seat in analysis.replay.paid if seats is None or seat in seats]
    reason = why_no_ledger(analysis)
    if reason is not None:
        return {}, dict.fromkeys(wanted, reason)
    hand = HandLedgers(analysis, learned, made or HandTurns.of(analysis, seats))
    by_seat = {seat: ledger for seat in wanted if (ledger := hand.of(seat)) is not None}
    unknown = [seat for seat in wanted if seat not in by_seat]
    return by_seat, dict.fromkeys(unknown, "the downcards are not known")
