"""The public-knowledge observer: from upcards and actions to beliefs about downcards.

A ``Belief`` is what the observer holds after an event: for every seat still in, a pdd over its
downcards and the htpd that follows. ``deal`` and ``observe`` take a belief to the next one:

* a deal prunes: holdings with a newly visible card drop out (equation 2 gives the htpds);
* an action reweighs the actor's pdd by Bayes' rule (equation 4) under a policy, at the chance
  to win of every holding (equation 1) against the others' public htpds.

Seats are taken as independent given what is public, as in the paper.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from handread.cards import Card
from handread.engine import DealtStreet, Decision, Spot
from handread.hand_types import N_CLASSES
from handread.htpd import Hands, LastHands, Operator, Unseen
from handread.information import divergence_bits, surprise_bits
from handread.kernels.showdown import winning_values
from handread.lineup import CARDS_ONLY, Model

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class TieRule:
    """How equal hands count: nodes and weights of the integral in ``winning_values``."""

    nodes: Floats
    weights: Floats


def _sharing() -> TieRule:
    nodes, weights = np.polynomial.legendre.leggauss(4)
    return TieRule((nodes + 1.0) / 2.0, weights / 2.0)


TIE_RULES = {"paper": TieRule(np.ones(1), np.ones(1)), "split": _sharing()}
"""``paper``: a tie is a win (equation 1). ``split``: equal hands share the pot, exactly."""


@dataclass(frozen=True, slots=True)
class Belief:
    """What an observer believes at one moment, by seat still in.

    ``hands`` are the operators of the street; ``pdds`` probabilities over pairs (1326,), on
    7th street over triples (22100,); ``htpds`` probabilities over classes (4824,).
    ``first_two`` keeps the pdds over pairs after the deal, from which 7th street's were made.
    """

    street: int
    hands: Mapping[int, Operator]
    pdds: Mapping[int, Floats]
    htpds: Mapping[int, Floats]
    first_two: Mapping[int, Floats]


@dataclass(frozen=True, slots=True)
class Update:
    """What one action told: its probability, and how it reweighs the actor's holdings.

    ``evidence`` is P(action) under the belief before it, ``likelihood`` P(action | holding),
    ``before`` and ``after`` the actor's pdd. With ``evidence`` 0 no holding of the policy plays
    so; the belief is then left as it was.
    """

    decision: Decision
    likelihood: Floats
    evidence: float
    before: Floats
    after: Floats

    @property
    def information_bits(self) -> float:
        """D(pdd after || pdd before): what the action told about the actor's downcards."""
        return divergence_bits(self.after, self.before)

    @property
    def surprise_bits(self) -> float:
        """-log2 of the evidence; infinite when no holding plays so."""
        return surprise_bits(self.evidence)


def seat_cards(street: DealtStreet, seat: int) -> tuple[Card, ...]:
    """A seat's face-up cards, the shared card included.

    Raises ``ValueError`` when one of them was not seen.
    """
    up = street.upcards[seat]
    cards = up if street.shared is None else (*up, street.shared)
    known = tuple(card for card in cards if card is not None)
    if len(known) < len(cards):
        raise ValueError(f"an upcard of seat {seat} was not seen")
    return known


def hands_of(
    street: DealtStreet, seat: int, unseen: Unseen, known: tuple[Card, ...] = ()
) -> Operator:
    """The operator of a seat's hands on a street, before given unseen cards.

    ``known`` are the seat's downcards where they are known; nothing else is then counted.
    """
    if street.number == 7 and street.shared is None:
        return LastHands(unseen, seat_cards(street, seat))
    holding = (known[0], known[1]) if known else None
    return Hands(unseen, seat_cards(street, seat), holding)


def visible_cards(street: DealtStreet) -> set[Card]:
    """Every card that the table has seen by the deal of a street."""
    seen = {card for cards in street.upcards.values() for card in cards if card is not None}
    return seen if street.shared is None else seen | {street.shared}


def deal(belief: Belief | None, street: DealtStreet) -> tuple[Belief, dict[int, float]]:
    """The belief after a street's deal, and what its cards told about each seat, in bits.

    The bits are D(pdd after || pdd before), which for a pruning is -log2 of the probability
    that was left. On 7th street pairs become triples: by itself this tells nothing.
    """
    unseen = Unseen(visible_cards(street))
    hands = {seat: hands_of(street, seat, unseen) for seat in street.active}
    pdds: dict[int, Floats] = {}
    first_two: dict[int, Floats] = {}
    htpds: dict[int, Floats] = {}
    news: dict[int, float] = {}
    for seat, operator in hands.items():
        if belief is None:
            first_two[seat] = pdds[seat] = operator.uniform()
            news[seat] = 0.0
            htpds[seat] = operator.uniform_htpd
            continue
        first_two[seat], news[seat] = _pruned(belief.pdds[seat], unseen)
        pdds[seat] = operator.lift(first_two[seat])
        htpds[seat] = operator.htpd(pdds[seat])
    return Belief(street.number, hands, pdds, htpds, first_two), news


def _pruned(pdd: Floats, unseen: Unseen) -> tuple[Floats, float]:
    """A pdd over pairs without those that hold a seen card; the bits that told.

    A read that gave everything to cards that now lie face up was wrong altogether: what is
    live is then equally likely.
    """
    kept = pdd * unseen.live_pairs
    mass = float(kept.sum())
    if mass <= 0.0:
        return unseen.live_pairs / unseen.live_pairs.sum(), surprise_bits(0.0)
    return kept / mass, max(0.0, surprise_bits(mass))


def expect(belief: Belief, spot: Spot, model: Model, ties: TieRule) -> dict[str, Floats]:
    """P(action | holding) for each legal action of the player to act, by its model.

    The chance to win of a holding is against the others' public htpds, for a cards-only player
    against those that follow from the upcards alone.
    """
    if model.knowledge == CARDS_ONLY:
        htpds = {seat: belief.hands[seat].uniform_htpd for seat in belief.htpds}
    else:
        htpds = dict(belief.htpds)
    values = values_against(htpds, spot.seat, ties)
    return model.policy.probabilities(spot, belief.hands[spot.seat].chances(values))


def learn(belief: Belief, decision: Decision, likelihood: Floats) -> tuple[Belief, Update]:
    """The belief after an action that each holding takes with a given probability.

    Bayes' rule (Saund 2006, equation 4), and what the action told.
    """
    seat = decision.seat
    before = belief.pdds[seat]
    joint = before * likelihood
    total = float(joint.sum())
    after = joint / total if total > 0.0 else before
    update = Update(decision, likelihood, min(1.0, total), before, after)
    pdds = {**belief.pdds, seat: after}
    htpds = dict(belief.htpds)
    if decision.action == "fold":
        del pdds[seat], htpds[seat]
    elif after is not before:
        htpds[seat] = belief.hands[seat].htpd(after)
    return replace(belief, pdds=pdds, htpds=htpds), update


def observe(
    belief: Belief, decision: Decision, model: Model, ties: TieRule
) -> tuple[Belief, Update]:
    """The belief after an action of a player, and what the action told."""
    return learn(belief, decision, expect(belief, decision, model, ties)[decision.action])


def values_against(htpds: Mapping[int, Floats], seat: int, ties: TieRule) -> Floats:
    """The expected share of the pot (4824,) of each class that a seat may end with."""
    out = np.empty(N_CLASSES)
    others = [htpd for other, htpd in htpds.items() if other != seat]
    stacked = np.stack([*others, np.zeros(N_CLASSES)])
    winning_values(stacked, len(others), ties.nodes, ties.weights, out)
    return out


def chances_to_win(
    htpds: Mapping[int, Floats], ties: TieRule, seats: Iterable[int] | None = None
) -> dict[int, float]:
    """The chance to win of each seat (equation 1), scaled to sum to 1."""
    among = {seat: htpds[seat] for seat in (htpds if seats is None else seats)}
    raw = {seat: float(values_against(among, seat, ties) @ among[seat]) for seat in among}
    total = sum(raw.values())
    return {seat: p / total for seat, p in raw.items()}
