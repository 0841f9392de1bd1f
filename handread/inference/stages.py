"""Stages, seats and actions of an analysis. All outputs are built from these values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np

from handread.arrays import Floats, Ints
from handread.bits import entropy_bits, rounded, score_bits, surprise_bits
from handread.cards import Card, cards_text, holding_index
from handread.game.rules import STREET_NAMES, Variant
from handread.game.steps import Decision
from handread.inference.ranges import Range, ranges_of
from handread.inference.viewpoint import Standing
from handread.odds.high_holdings import Kind, KindTable
from handread.odds.holdings import (
    family_weights,
    kind_of,
    kind_table,
    kind_weights,
    kinds,
    likely_kinds,
)
from handread.odds.htpd import Operator, SeatView, holding_cards


@dataclass(frozen=True, slots=True)
class Truth:
    """Score of a seat's read at a stage, given its true downcards.

    Attributes:
        downcards: The true downcards.
        probability: Their probability under bet-inference.
        score_bits: log2 of ``probability`` over the cards-only probability: 0 is no better than
            ignoring the betting, -inf means that the truth was ruled out.
        rank: Their rank among the holdings, the likeliest first; ties get the middle rank.
        live: Number of holdings compatible with the visible cards.
        equal: Number of holdings as probable as the truth, itself included.
    """

    downcards: tuple[Card, ...]
    probability: float
    score_bits: float
    rank: float
    live: int
    equal: int

    def __repr__(self) -> str:
        return (
            f"{cards_text(self.downcards)}: probability {self.probability:.3g}, "
            f"{self.score_bits:+.2f} bits, rank {self.rank:g} of {self.live}"
        )


ROUNDING = 1e-9
"""Relative difference below which probabilities are equal: holdings alike but for their suits."""

NOTABLE_CHANGE = 0.05
"""The smallest change of a family's probability worth mentioning."""


class FamilyRead(NamedTuple):
    """Probability of a family of holdings, such as "split pair".

    Attributes:
        bet_inference: The probability given the cards on view and the bets.
        cards_only: The probability given the cards on view alone.
    """

    bet_inference: float
    cards_only: float

    @property
    def change(self) -> float:
        """The change of the probability by the bets."""
        return self.bet_inference - self.cards_only


@dataclass(frozen=True, repr=False, eq=False)
class SeatRead:
    """The read of a seat at a stage. Arrays are as in ``Belief``.

    Attributes:
        seat: Number of the seat.
        up: Its upcards, including a shared card.
        bets: The seat as the bet-inference observer sees it.
        cards: The seat as the cards-only observer sees it: all live holdings equally likely.
        first_two: Pdd over the first downcards after the deal.
        news_bits: Information about the downcards from the cards of a D stage or the bets of a B
            stage.
        holding: The true downcards; None if unknown.
        drawn: Probability of each kind of holding by draws of the policies, (draws, kinds), or
            None.
    """

    seat: int
    up: tuple[Card, ...]
    bets: SeatView
    cards: SeatView
    first_two: Floats
    news_bits: float
    holding: tuple[Card, ...] | None
    drawn: Floats | None = None

    def __repr__(self) -> str:
        shares = ", ".join(f"{kind} {p:.0%}" for kind, p in self.kinds(3))
        held = "" if self.holding is None else f"; holds {cards_text(self.holding)}"
        return f"seat {self.seat}: {cards_text(self.up)}; {shares}, ...{held}"

    @property
    def hands(self) -> Operator:
        """The operator between pdd and htpd."""
        return self.bets.hands

    @property
    def pdd(self) -> Floats:
        """The pdd of the bet-inference observer."""
        return self.bets.pdd

    @property
    def htpd(self) -> Floats:
        """The probability of each class by the bet-inference observer."""
        return self.bets.htpd

    @property
    def cards_only_pdd(self) -> Floats:
        """The pdd of the cards-only observer."""
        return self.cards.pdd

    @property
    def cards_only_htpd(self) -> Floats:
        """The htpd of the cards-only observer."""
        return self.cards.htpd

    @cached_property
    def pairs(self) -> Floats:
        """The pdd over the first downcards, (1326,); on 7th street a marginal of ``pdd``."""
        pairs = self.hands.pair_marginal(self.first_two, self.pdd)
        if pairs.sum() > 1.0 - 1e-9:
            return pairs
        # The read restarted with holdings that ``first_two`` rules out.
        return self.hands.pair_marginal(np.ones(pairs.size), self.pdd)

    @cached_property
    def truth(self) -> Truth | None:
        """The score of the read; None if the downcards are unknown."""
        if self.holding is None:
            return None
        index = holding_index(self.holding)
        probability = float(self.pdd[index])
        possible = self.pdd.take(self._places)
        better = int(np.count_nonzero(possible > probability * (1.0 + ROUNDING)))
        equal = int(np.count_nonzero(possible >= probability * (1.0 - ROUNDING))) - better
        return Truth(
            downcards=self.holding,
            probability=probability,
            score_bits=score_bits(probability, float(self.cards_only_pdd[index])),
            rank=better + (equal + 1) / 2,
            live=self.possible,
            equal=equal,
        )

    @cached_property
    def live(self) -> int:
        """Number of holdings with a probability above 0."""
        return int(np.count_nonzero(self.pdd))

    @cached_property
    def possible(self) -> int:
        """The number of holdings compatible with the visible cards."""
        return self._places.size

    @cached_property
    def _places(self) -> Ints:
        """Indices of the holdings compatible with the visible cards."""
        cards = self.cards
        return cards.hands.places if cards.is_even else np.flatnonzero(cards.pdd)

    @cached_property
    def entropy_bits(self) -> float:
        """The entropy of the pdd in bits."""
        return entropy_bits(self.pdd.take(self.hands.places))

    def categories(self) -> list[float]:
        """Return the probability of each category of final hands, worst to best.

        ``hands.showdown.categories`` has their names: nine in stud high; in hi/lo highs, then lows.
        """
        return [*self.hands.showdown.by_category(self.htpd).tolist()]

    @property
    def game(self) -> Variant:
        """The game."""
        return self.hands.showdown.game

    def families(self) -> dict[str, FamilyRead]:
        """Return the probability of each family of holdings, by bet-inference and cards alone.

        A family is the present holding without its ranks: "split pair", "flush draw"; on 7th street
        the category of the final hand. The likeliest comes first.

        >>> hand = handread.read("sample_histories/showdown.stud")[0]
        >>> ann = handread.analyze(hand, policy="people").at("5B").seats[1]
        >>> family, read = next(iter(ann.families().items()))
        >>> f"{family}: by the cards {read.cards_only:.0%}, after the bets {read.bet_inference:.0%}"
        'split pair: by the cards 31%, after the bets 48%'
        """
        return dict(self._families)

    @cached_property
    def _table(self) -> KindTable:
        return kind_table(self.pdd.size, self.up, self.game.key)

    @cached_property
    def _by_number(self) -> Floats:
        return self._weights(self.bets)

    def _weights(self, view: SeatView) -> Floats:
        # Only kinds of final hands need the htpd.
        return kind_weights(self._table, view.pdd, view.htpd if self._table.complete else view.pdd)

    @cached_property
    def _shares(self) -> list[tuple[float, float, str]]:
        """The probability of each family by bets and by cards alone, with its name."""
        views = self.bets, self.cards
        for view in views:
            if view.families is None:  # the stages of a street may share a view
                view.families = family_weights(self._table, self._weights(view)).tolist()
        bets, cards = (view.families or () for view in views)
        return [*zip(bets, cards, self._table.families, strict=True)]

    @cached_property
    def _families(self) -> dict[str, FamilyRead]:
        ordered = sorted(self._shares, key=_likeliest_first)
        return {name: FamilyRead(p, alone) for p, alone, name in ordered if p > 0 or alone > 0}

    @cached_property
    def leading(self) -> tuple[str, FamilyRead]:
        """The likeliest family of holdings."""
        largest = max(self._shares)[0]
        near = [each for each in self._shares if each[0] >= largest - 2.0 * ROUNDING]
        p, alone, name = min(near, key=_likeliest_first)
        return name, FamilyRead(p, alone)

    @property
    def risen_family(self) -> str | None:
        """The family that the bets raised most; None if it rose by less than 5 points."""
        largest = max([p - alone for p, alone, _ in self._shares])
        if largest < NOTABLE_CHANGE:
            return None
        risen = [family for family in self._shares if family[0] - family[1] == largest]
        return min(risen, key=_likeliest_first)[2]

    @cached_property
    def true_kind(self) -> Kind | None:
        """The kind of the true downcards; None if they are unknown."""
        if self.holding is None:
            return None
        table = self._table
        if table.complete:
            return kind_of(self.holding, self.up, self.game.key)
        number: int = table.number[holding_index(self.holding)]
        return table.kinds[number]

    @cached_property
    def kind_ranges(self) -> Mapping[str, Range]:
        """The range of each kind of holding by its words; empty for a read without ranges."""
        return self._ranges(lambda kind: kind.words)

    @cached_property
    def family_ranges(self) -> Mapping[str, Range]:
        """The range of each family of holdings; empty for a read without ranges."""
        return self._ranges(lambda kind: kind.family)

    def _ranges(self, name: Callable[[Kind], str]) -> dict[str, Range]:
        if self.drawn is None:
            return {}
        return ranges_of(map(name, self._table.kinds), self.drawn, self._by_number)

    @cached_property
    def by_kind(self) -> Mapping[Kind, float]:
        """The probability of each possible kind of holding."""
        return self._table.possible(self._by_number)

    @cached_property
    def by_kind_cards_only(self) -> Mapping[Kind, float]:
        """The probability of each possible kind of holding by the cards alone."""
        return kinds(self.cards_only_pdd, self.cards_only_htpd, self.up, self.game.key)

    def kinds(self, top: int) -> list[tuple[str, float]]:
        """Return the likeliest kinds of holding, such as "split queens", with probabilities.

        Args:
            top: Number of kinds.

        >>> hand = handread.read("sample_histories/showdown.stud")[0]
        >>> ann = handread.analyze(hand, policy="people").at("5B").seats[1]
        >>> [kind for kind, p in ann.kinds(2)]
        ['split sevens', 'split jacks']
        """
        return likely_kinds(self.by_kind, top)

    def top(self, top: int) -> list[tuple[tuple[Card, ...], float]]:
        """Return the likeliest holdings, pairs or triples, with probabilities.

        Args:
            top: Number of holdings.
        """
        return likeliest(self.pdd, top)

    def top_pairs(self, top: int) -> list[tuple[tuple[Card, ...], float]]:
        """Return the likeliest first two downcards, with probabilities.

        Args:
            top: Number of pairs.
        """
        return likeliest(self.pairs, top)


def _likeliest_first(family: tuple[float, float, str]) -> tuple[float, float, str]:
    """Return the key that sorts families, ``(p, p by the cards alone, name)``."""
    p, alone, name = family
    p = rounded(p)
    return -p, -rounded(alone) if p == 0 else 0.0, name


def likeliest(pdd: Floats, top: int) -> list[tuple[tuple[Card, ...], float]]:
    """Return the likeliest holdings of a pdd; among equals, higher cards come first."""
    table, live = holding_cards(pdd.size), np.flatnonzero(pdd)[::-1]
    if live.size > top:
        least = np.partition(pdd[live], -top)[-top]
        live = live[pdd[live] >= least - 1e-11]
    rounded = np.round(pdd[live], 12)  # equals differ by rounding errors
    order = live[np.argsort(-rounded, kind="stable")][:top]
    return [(tuple(table[i, ::-1].tolist()), float(pdd[i])) for i in order]


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class StageReading(Standing):
    """The hand at one of its stages, 3D to 7B; in five-card stud 2D to 5B.

    Attributes:
        stage: Name of the stage: street, then D after the deal, B after the betting, or A after the
            last action of a hand that stops within the betting.
        pot: Pot in minor units.
        omniscience: Downcards that the reference knows: "full" (all dealt), "partial" (other seats
            keep their public pdd) or "none".
        seats: Reads of the active seats.
        folded: At a B or A stage, the last reads of the seats that folded on the street.
        chance_ranges: Range of each chance of ``bet_inference`` by draws of the policies, if any.
    """

    stage: str
    pot: int
    omniscience: str
    seats: Mapping[int, SeatRead]
    folded: Mapping[int, SeatRead]
    chance_ranges: Mapping[int, Range] = field(default_factory=dict)

    def __repr__(self) -> str:
        chances = ", ".join(f"seat {seat} {p:.0%}" for seat, p in self.bet_inference.items())
        return f"{self.stage}: {chances}"

    @property
    def street(self) -> int:
        """The number of the street."""
        return int(self.stage[:-1])

    @property
    def after_bets(self) -> bool:
        """True after the betting of the street, False after its deal."""
        return self.stage.endswith("B")

    @property
    def entropy_bits(self) -> float | None:
        """The entropy of the outcome under the reference (equation 6); None without a reference."""
        if self.omniscient is None:
            return None
        return max(0.0, sum(p * surprise_bits(p) for p in self.omniscient.values() if p > 0.0))

    @property
    def kl_bits(self) -> tuple[float, float] | None:
        """D(reference || read) of cards-only and of bet-inference (equation 7), in bits.

        Infinite if a read excludes an outcome of the reference; None without a reference.
        """
        if self.omniscient is None:
            return None
        bits = {s: (p, surprise_bits(p)) for s, p in self.omniscient.items() if p > 0.0}
        cards_only, bet_inference = (
            max(0.0, sum(p * (surprise_bits(read[seat]) - own) for seat, (p, own) in bits.items()))
            for read in (self.cards_only, self.bet_inference)
        )
        return cards_only, bet_inference


@dataclass(frozen=True, slots=True, repr=False)
class ActionReading:
    """The figures of one action, from the viewpoint.

    Attributes:
        decision: The action, with its situation.
        p_win: The actor's chance to win before the action, given the actor's assumed knowledge of
            the others' hands (equation 1, not normalised).
        own_p_win: The same given the actor's true downcards; None if they are unknown.
        evidence: Probability of the action before it was seen.
        surprise_bits: -log2 of ``evidence``.
        information_bits: Information about the actor's downcards, D(pdd after || pdd before).
        truth_bits: log2 of P(true downcards) after the action over before; None if unknown.
        table_bits: ``information_bits`` for the public, whatever the viewpoint.
        table_truth_bits: ``truth_bits`` for the public.
    """

    decision: Decision
    p_win: float
    own_p_win: float | None
    evidence: float
    surprise_bits: float
    information_bits: float
    truth_bits: float | None
    table_bits: float
    table_truth_bits: float | None

    def __repr__(self) -> str:
        decision = self.decision
        return (
            f"{STREET_NAMES[decision.street]} street, seat {decision.seat} {decision.action}: "
            f"information {self.information_bits:.2f} bits, surprise {self.surprise_bits:.2f} bits"
        )

    @property
    def explained(self) -> bool:
        """True if the policy takes this action with a holding possible from the viewpoint."""
        return self.evidence > 0.0
