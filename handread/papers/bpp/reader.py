"""BPP as a reader of hands: from its action matrices to a pdd.

The network of the paper infers hand types. For a pdd, exact counting replaces P(type | upcards)
from M_C/F and M_U/C: before the betting every holding without a visible card is equally likely, and
its cards and the upcards give its hand type. The likelihood of a holding is P(action | type) by
M_A/C.

In the paper each betting round has a network of its own, for the cards and actions of the round.
Likewise the reader forgets the betting with each new street. The switch ``memory`` keeps it, like
the dynamic network proposed in section 6.3.

In seven-card stud high the hand type is of the best hand of the cards so far, in five rounds.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

import handread.papers.bpp.learning as learning
from handread.arrays import Floats, Ints
from handread.bits import divergence_bits, surprise_bits
from handread.cards import N_PAIRS
from handread.game.rules import Variant, variant_of
from handread.game.steps import DealtStreet, Decision, DecisionPoint, Replay
from handread.history import History
from handread.inference.observer import Belief, ObservedStreet, TieRule, Update, deal, reweigh
from handread.inference.readers import Believer
from handread.odds.htpd import holding_cards
from handread.papers.bpp.record import GAMES, ActionMatrices, Record, Switches, action_matrices

Records = Mapping[str, Record]
"""A record for each game (``Variant.key``)."""


@dataclass(frozen=True, slots=True, eq=False)
class BppReader:
    """The reader of Korb et al. 1999.

    Attributes:
        start: Counts from before the first hand; the matrices of other games start even.
        pooled: Counts learned since, of all players together.
        own: Counts learned of each player by name, if it learns of each.
    """

    switches: Switches = field(default_factory=Switches)
    start: Records = field(default_factory=dict)
    pooled: Records = field(default_factory=dict)
    own: Mapping[str, Records] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The name, with the switches that differ from the paper."""
        changed = self.switches.changed
        return f"bpp ({changed})" if changed else "bpp"

    @property
    def terms(self) -> str:
        """The switches, and digests of what has been learned."""
        learned = [self.start, self.pooled, *(self.own[name] for name in sorted(self.own))]
        digest = hashlib.sha256(repr((self.switches, sorted(self.own))).encode())
        for records in learned:
            for game in sorted(records):
                digest.update(game.encode())
                for counts in (records[game].bets, records[game].folds, records[game].met):
                    digest.update(counts.tobytes())
        return f"{self.name} ({digest.hexdigest()[:12]})"

    @property
    def games(self) -> Sequence[str]:
        """Five-card stud and seven-card stud high."""
        return [game.key for game in GAMES]

    @property
    def learns(self) -> bool:
        """True if it learns from the hands that it reads."""
        return self.switches.learning != "off"

    def matrices(self, game: Variant, player: str = "") -> ActionMatrices:
        """Return the action matrices of a player; without a name, a stranger's."""
        known = [self.start, self.pooled, self.own.get(player, {})]
        records = [records[game.key] for records in known if game.key in records]
        return action_matrices(records, game, self.switches)

    def observer(self, history: History, ties: TieRule) -> "BppObserver":
        """Return an observer of a hand."""
        game = variant_of(history.variant)
        strange = self.matrices(game)
        of_seat = {
            seat.number: self.matrices(game, seat.name) if seat.name in self.own else strange
            for seat in history.seats
        }
        return BppObserver(of_seat, self.switches.memory, ties)

    def after(self, replay: Replay, observed: Sequence[ObservedStreet]) -> "BppReader":  # noqa: ARG002 - it weighs the holdings by its own matrices
        """Return the reader with the choices in a hand, counted by the hands that were shown.

        With ``all_hands`` choices with hidden cards count as well, in proportion to the posterior
        of the holdings at the end of the hand.
        """
        game = variant_of(replay.history.variant)
        if not self.learns or game.key not in self.games:
            return self
        names = {seat.number: seat.name for seat in replay.history.seats}
        known, hidden = learning.shown_seats(replay, self.switches), self.switches.all_hands
        by_seat = {
            seat: replace(Record.empty(game), met=met)
            for seat, met in learning.bets_met(replay).items()
        }
        for seat, paths in learning.hand_paths(replay, known, hidden).items():
            matrices = self.matrices(game, names[seat])
            counts = learning.PathSample.of([paths]).expected(matrices, game)[0]
            by_seat[seat] = counts.plus(by_seat.get(seat, Record.empty(game)))
        pooled, by_player = self.pooled, dict(self.own)
        for seat, record in by_seat.items():
            pooled, name = _added(pooled, game, record), names[seat]
            if name and self.switches.learning == "player":
                by_player[name] = _added(by_player.get(name, {}), game, record)
        return replace(self, pooled=pooled, own=by_player)


def _added(records: Records, game: Variant, record: Record) -> Records:
    before = records.get(game.key)
    return {**records, game.key: record if before is None else before.plus(record)}


class BppObserver(Believer):
    """The reader during one hand."""

    def __init__(self, matrices: Mapping[int, ActionMatrices], memory: bool, ties: TieRule) -> None:
        self.matrices = matrices
        self.street: DealtStreet | None = None
        self._memory = memory
        self._ties = ties
        self._codes: dict[int, Ints] = {}

    def deal(self, street: DealtStreet) -> Mapping[int, float]:
        """Take in the deal of a street: without ``memory``, all live holdings are equally likely.

        Returns the divergence of the pdd from the pdd before, in bits, by seat. Without ``memory``
        it is not the information of the cards alone: the betting is forgotten.
        """
        self.street, self._codes = street, {}
        before = self._belief
        if before is None or self._memory:
            self._belief, news = deal(before, street)
            return news
        self._belief = fresh = _without_betting(deal(None, street)[0])
        return {seat: _news(before, fresh, seat) for seat in fresh.pdds}

    def action_probs(self, spot: DecisionPoint) -> dict[str, Floats]:
        """Return P(action | holding) of each legal action of the player to act, (holdings,)."""
        assert self.street is not None, "no card has been dealt"
        if spot.seat not in self._codes:
            live = self.belief.hands[spot.seat].live
            down = holding_cards(live.size)
            self._codes[spot.seat] = learning.holding_codes(self.street, spot.seat, down, live)
        rows = learning.rows_of(self._codes[spot.seat], self.street, spot.seat, spot.active)
        place = self.street.number - self.street.game.first
        return self.matrices[spot.seat].probabilities(spot, place, rows)

    def observe(self, decision: Decision) -> Update:
        """Reweigh the holdings of the player by the probability of the action."""
        belief = self.belief
        chances = belief.holding_chances(decision.seat, self._ties)
        likely = self.action_probs(decision).get(decision.action)
        likelihood = np.zeros(chances.size) if likely is None else likely
        self._belief, update = reweigh(belief, decision, likelihood, chances)
        return update


def _without_betting(belief: Belief) -> Belief:
    """Return a belief by the cards alone, with pdds over the first downcards on 7th street."""
    first = {
        seat: hands.unseen.live(N_PAIRS) / hands.unseen.live(N_PAIRS).sum()
        for seat, hands in belief.hands.items()
        if hands.live.size > N_PAIRS
    }
    return replace(belief, first_two={**belief.first_two, **first})


def _news(before: Belief, fresh: Belief, seat: int) -> float:
    """Return D(pdd after || pdd before) of a deal in bits."""
    hands = fresh.hands[seat]
    kept = before.pdds[seat] * hands.unseen.live(before.pdds[seat].size)
    mass = float(kept.sum())
    if mass <= 0.0:
        return surprise_bits(0.0)
    lifted = hands.lift(kept / mass)
    return surprise_bits(mass) + divergence_bits(fresh.pdds[seat], lifted)


def bpp_reader(replays: Iterable[Replay], **switches: Any) -> BppReader:
    """Return a reader with action matrices learned from hands, which learns no more."""
    chosen = Switches(**{"learning": "off", **switches})
    hands = list(replays)
    played = {hand.history.variant for hand in hands}
    start = {game.key: learning.learn(hands, game, chosen) for game in GAMES if game.key in played}
    return BppReader(chosen, start)
