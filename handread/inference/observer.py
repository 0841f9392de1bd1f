"""The public-knowledge observer: from upcards and actions to beliefs about downcards.

A ``Belief`` is what the observer holds after an event: for every seat still in, a pdd over its
downcards and the htpd that follows. ``deal`` and ``observe`` take a belief to the next one:

* a deal prunes: holdings with a newly visible card drop out (equation 2 gives the htpds);
* an action reweighs the actor's pdd by Bayes' rule (equation 4) under a policy, at the chance
  to win of every holding (equation 1) against the others' public htpds.

Seats are taken as independent given what is public, as in the paper.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from handread.bits import divergence_bits, surprise_bits, weighted_sum
from handread.cards import Card
from handread.game.steps import DealtStreet, Decision, Replay, Spot, StreetPlay
from handread.history import Deal
from handread.inference.players import CARDS_ONLY, Lineup, Model
from handread.kernels.showdown import winning_chances, winning_values
from handread.odds.hand_types import N_CLASSES
from handread.odds.htpd import Hands, LastHands, Operator, Unseen
from handread.policy import Outlook, Panel, members_of

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
    ``shares`` (members, holdings) are, of a seat that has acted and may follow any member of a
    panel, the probabilities of the members given each holding.
    """

    street: int
    hands: Mapping[int, Operator]
    pdds: Mapping[int, Floats]
    htpds: Mapping[int, Floats]
    first_two: Mapping[int, Floats]
    shares: Mapping[int, Floats] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Forecast:
    """What a model lets its player do, by action: ``odds`` are P(action | holding).

    ``each`` are those of each member of a panel; a single policy is a panel of one. ``shares``
    (members, holdings) are the probabilities of the members given each holding before the
    action, None for a single policy. ``chances`` (holdings,) are what each holding has to win.
    """

    model: Model
    chances: Floats
    odds: Mapping[str, Floats]
    each: tuple[Mapping[str, Floats], ...]
    shares: Floats | None


@dataclass(frozen=True, slots=True)
class Update:
    """What one action told: its probability, and how it reweighs the actor's holdings.

    ``evidence`` is P(action) under the belief before it, ``odds`` P(action | holding).
    ``likelihood`` is what reweighs: the odds, tempered as the policy says and scaled so that the
    mean over ``before`` is still the evidence. ``before`` and ``after`` are the actor's pdd. With
    ``evidence`` 0 no holding of the policy plays so; the belief is then left as it was.
    ``shares`` (members, holdings) are the probabilities of the members of the player's panel
    given each holding, after the action; None for a single policy. ``chances`` are the chance to
    win of each holding before the action, by what the player knows of the others (equation 1,
    before normalising).
    """

    decision: Decision
    chances: Floats
    odds: Floats
    likelihood: Floats
    evidence: float
    before: Floats
    after: Floats
    shares: Floats | None

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
    shares: dict[int, Floats] = {}
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
        if seat in belief.shares:
            shares[seat] = _dealt_shares(belief.shares[seat], operator, first_two[seat])
    return Belief(street.number, hands, pdds, htpds, first_two, shares), news


def _dealt_shares(shares: Floats, operator: Operator, pdd: Floats) -> Floats:
    """The probabilities of the members given each holding after a deal.

    Those of a triple are those of its three pairs, each weighed by its probability.
    """
    if operator.live.size == pdd.size:
        return shares
    joint = shares * pdd
    weights = joint.sum(axis=1)
    lifted = weights[:, None] * np.stack([operator.lift(member) for member in joint])
    total = lifted.sum(axis=0)
    # The shares of a triple that no read allows are never asked for; they stay probabilities.
    split: Floats = np.broadcast_to(weights[:, None] / weights.sum(), lifted.shape).copy()
    np.divide(lifted, total, out=split, where=total > 0.0)
    return split


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


def expect(belief: Belief, spot: Spot, model: Model, ties: TieRule) -> Forecast:
    """What the player to act may do by its model, per holding."""
    outlook = outlook_at(belief, spot, model, ties)
    return forecast(model, spot, outlook, belief.shares.get(spot.seat))


def outlook_at(belief: Belief, spot: Spot, model: Model, ties: TieRule) -> Outlook:
    """What the holdings of the player to act promise by what it knows of the others.

    The chance to win of a holding is against the others' public htpds, for a cards-only player
    against those that follow from the upcards alone.
    """
    if model.knowledge == CARDS_ONLY:
        htpds = {seat: belief.hands[seat].uniform_htpd for seat in belief.htpds}
    else:
        htpds = dict(belief.htpds)
    hands = belief.hands[spot.seat]
    return Outlook(hands.chances(values_against(htpds, spot.seat, ties)), hands.live)


def forecast(model: Model, spot: Spot, outlook: Outlook, shares: Floats | None) -> Forecast:
    """What a model lets its player do at a spot; ``shares`` None is the prior of its panel."""
    policy = model.policy
    if not isinstance(policy, Panel):
        odds = policy.probabilities(spot, outlook)
        return Forecast(model, outlook.chance, odds, (odds,), None)
    each = tuple(member.probabilities(spot, outlook) for member in policy.members)
    if shares is None:
        shape = (len(each), outlook.chance.size)
        shares = np.broadcast_to(np.array(policy.prior)[:, None], shape)
    mixed = {action: _mean(shares, [odds[action] for odds in each]) for action in each[0]}
    return Forecast(model, outlook.chance, mixed, each, shares)


def _mean(shares: Floats, rows: Sequence[Floats]) -> Floats:
    """The mean over the members (holdings,), each weighed by its share of each holding."""
    total: Floats = shares[0] * rows[0]
    for share, row in zip(shares[1:], rows[1:], strict=True):
        total += share * row
    return total


def learn(belief: Belief, decision: Decision, expected: Forecast) -> tuple[Belief, Update]:
    """The belief after an action, and what the action told.

    Bayes' rule (Saund 2006, equation 4), for a panel over members and holdings together.
    """
    seat, action = decision.seat, decision.action
    before, shares = belief.pdds[seat], expected.shares
    odds = expected.odds.get(action, np.zeros_like(before))
    weights = _weights(expected, action, before)
    likelihood = weights[0] if shares is None else _mean(shares, weights)
    joint = before * likelihood
    total = float(joint.sum())
    # What every holding does alike tells nothing, not even a rounding error.
    told = total > 0.0 and likelihood.min() < likelihood.max()
    after = joint / total if told else before
    if shares is not None and total > 0.0:
        split = shares * np.stack(weights)
        shares = np.divide(split, likelihood, out=shares.copy(), where=likelihood > 0.0)
    evidence = min(1.0, total)
    update = Update(decision, expected.chances, odds, likelihood, evidence, before, after, shares)
    pdds = {**belief.pdds, seat: after}
    htpds = dict(belief.htpds)
    panels = belief.shares if shares is None else {**belief.shares, seat: shares}
    if action == "fold":
        del pdds[seat], htpds[seat]
        panels = {other: share for other, share in panels.items() if other != seat}
    elif after is not before:
        htpds[seat] = belief.hands[seat].htpd(after)
    return replace(belief, pdds=pdds, htpds=htpds, shares=panels), update


def _weights(expected: Forecast, action: str, pdd: Floats) -> list[Floats]:
    """How an action reweighs the holdings (holdings,) under each member.

    P(action | holding) to the power of the member's temper, scaled to the member's evidence:
    a temper holds back what is learned of the cards, not what is learned of the members. 0 for
    what no policy does, such as a fold where nothing is to call.
    """
    weights = []
    for i, member in enumerate(members_of(expected.model.policy)):
        odds = expected.each[i].get(action, np.zeros_like(pdd))
        if member.temper < 1.0:
            own = pdd if expected.shares is None else expected.shares[i] * pdd
            tempered = odds**member.temper
            mass = weighted_sum(own, tempered)
            odds = tempered * (weighted_sum(own, odds) / mass) if mass > 0.0 else odds
        weights.append(odds)
    return weights


def observe(
    belief: Belief, decision: Decision, model: Model, ties: TieRule
) -> tuple[Belief, Update]:
    """The belief after an action of a player, and what the action told."""
    return learn(belief, decision, expect(belief, decision, model, ties))


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
    among = list(htpds if seats is None else seats)
    raw = np.empty(len(among))
    stacked = np.stack([htpds[seat] for seat in among])
    winning_chances(stacked, ties.nodes, ties.weights, raw)
    return dict(zip(among, (raw / raw.sum()).tolist(), strict=True))


@dataclass(frozen=True, slots=True)
class WatchedStreet:
    """A street as the public observer followed it.

    ``dealt`` is the belief after the deal, ``news`` what the deal told about each seat in bits,
    ``updates`` what each action told, ``after`` the belief after the betting.
    """

    dealt: Belief
    news: Mapping[int, float]
    updates: tuple[Update, ...]
    after: Belief


def watch(replay: Replay, lineup: Lineup, ties: TieRule) -> Iterator[WatchedStreet]:
    """The streets of a hand as the observer followed them.

    It ends before the first street on which an active seat's upcards were not all seen.
    """
    belief: Belief | None = None
    for street in replay.streets:
        if unseen_upcards(street):
            return
        dealt, news = deal(belief, street)
        belief = dealt
        updates: list[Update] = []
        for decision in street.decisions:
            belief, update = observe(belief, decision, lineup.of(decision.seat), ties)
            updates.append(update)
        yield WatchedStreet(dealt, news, tuple(updates), belief)


def unseen_upcards(street: StreetPlay) -> list[int]:
    """The active seats of which an upcard was not seen."""
    return [seat for seat in street.active if None in street.upcards[seat]]


def why_unseen(played: Replay, names: str) -> str:
    """In words, why a hand is not read on; ``names`` are the seats with an unseen upcard.

    Some logs list no upcards but their owner's: that is nothing amiss with the one hand.
    """
    listed = {
        event.seat
        for event in played.history.events
        if isinstance(event, Deal) and any(card is not None for card in event.up)
    }
    if listed <= {played.history.hero} and not played.history.damage:
        return (
            f"the log does not list the upcards of {names}; "
            "the hand can be played through, but not read"
        )
    return f"the upcards of {names} were not seen"
