"""The public-knowledge observer: the algorithm of Saund 2006, sections II to V.

Theory
======

The observer sees every upcard and every action, but no downcard. Of each seat j still in, a
``Belief`` holds two distributions:

    pdd_j[l]     the probability that j holds l: two downcards, on 7th street three
    htpd_j[k]    the probability that the final hand of j is of class k

Let H_j[l, k] be the share of the ways to deal j's cards to come that turn l into class k
(``odds.htpd``). The htpd of j follows from its pdd, the chance to win with each l from the htpds of
the others, and the action from the chance to win:

    htpd_j[k] = sum over l of pdd_j[l] H_j[l, k]                                      (equation 2)
    f_j[k]    = product over i other than j of the sum over k' <= k of htpd_i[k']
    y_j[l]    = sum over k of H_j[l, k] f_j[k]                                        (equation 1)
    P(b | l)  = the policy at y_j[l], the effective odds, the number of players   (equations 3, 5)

Two functions take a belief to the next one:

``deal``: holdings with a new upcard get probability 0, and the others are scaled to sum to 1. On
    7th street the weight of a triple is the sum of the pdd over its three pairs.
``observe``: the action b of j reweighs the pdd of j, and its htpd follows:

        pdd_j[l] <- pdd_j[l] P(b | l) / sum over l' of pdd_j[l'] P(b | l')            (equation 4)

    The denominator is the *evidence*, P(b). Its -log2 is the surprise; D(pdd after || pdd before)
    is the information of the action.

``holding_values_at``, ``forecast`` and ``apply_bayes`` are the steps of ``observe``: another reader
can replace one of them. ``inference.readers`` applies them to all streets of a hand.

Choices
=======

* Seats are independent given the public information, as in the paper. ``inference.joint`` draws all
  downcards together, and measures the cost: less than .001 bits of the chances to win on average,
  up to .13 where eight players share the last card (docs/experiments.md).
* Equation 1 counts a tie as a win. That is the tie rule "paper"; "split", the default, shares the
  pot exactly (``kernels.reading.share_against``). In a split pot y is the expected share.
* A policy takes y as equation 1 gives it. Only ``chances_to_win`` scales the chances to sum to 1.
* Opponents have their public htpds also in y, although the actor knows two cards more, as in the
  second experiment of section VI. Simulated players bet by this y, so their model is exact.
* If the policy takes an action with no holding, the evidence is 0 and the belief stays as it was.
  If it takes an action equally often with every holding, the pdd stays the same bit by bit.
* Bayes' rule takes P(b | l) itself. A power below 1 protects the read from a policy that is not
  quite the player's: .9 was best for ``people-average`` alone on hands held out. For the mixture
  ``people`` 1 is best: a surprising action moves weight to another style (docs/people.md).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property

import numpy as np

from handread.arrays import Floats, as_floats
from handread.bits import entropy_bits, surprise_bits
from handread.cards import Card
from handread.game.rules import STREET_NAMES
from handread.game.steps import DealtStreet, Decision, DecisionPoint
from handread.inference.forecast import Forecast, Weighed, forecast
from handread.inference.players import CARDS_ONLY, Model, as_model
from handread.kernels import reading as kernels
from handread.odds.five_card import HAND_CARDS as FIVE_CARDS
from handread.odds.five_card import FiveCardHands
from handread.odds.htpd import Hands, Htpds, LastHands, Operator, SeatView, Unseen
from handread.odds.showdown import Showdown, showdown_of
from handread.policy import Board, HoldingValues, Policy


@cache
def _gauss(n: int) -> tuple[Floats, Floats]:
    """Return n Gauss-Legendre nodes from 0 to 1 with weights: exact up to degree 2 n - 1."""
    nodes, weights = np.polynomial.legendre.leggauss(n)
    return (nodes + 1.0) / 2.0, weights / 2.0


@dataclass(frozen=True, slots=True)
class TieRule:
    """The rule for tied hands: whether they share the pot, or each counts as a win."""

    share: bool

    def nodes(self, opponents: int) -> tuple[Floats, Floats]:
        """Return nodes and weights of the integral of ``Showdown.values``, a polynomial."""
        return _gauss(opponents // 2 + 1) if self.share else (np.ones(1), np.ones(1))


TIE_RULES = {"paper": TieRule(share=False), "split": TieRule(share=True)}
"""``paper``: a tie is a win (equation 1). ``split``: tied hands share the pot, exactly."""

SPLIT = TIE_RULES["split"]


@dataclass(frozen=True, repr=False, eq=False)
class Belief:
    """The observer's belief about each active seat after an event.

    Attributes:
        street: Number of the street.
        hands: Operators between pdds and htpds on this street.
        pdds: Probabilities over pairs of downcards (1326,), on 7th street over triples (22100,), in
            five-card stud over single cards (52,); indices as in ``handread.cards``.
        first_two: Pdds over the first downcards after the deal, the source of 7th street's pdds.
        shares: P(member | holding), (members, holdings), for seats modelled by a panel that have
            already acted.
        earlier: The seats before an event, whose htpds hold where pdds stay the same.
    """

    street: int
    hands: Mapping[int, Operator]
    pdds: Mapping[int, Floats]
    first_two: Mapping[int, Floats]
    shares: Mapping[int, Floats] = field(default_factory=dict)
    earlier: Mapping[int, SeatView] = field(default_factory=dict)

    @cached_property
    def seats(self) -> dict[int, SeatView]:
        """The active seats as the public sees them."""
        return {
            seat: view
            if (view := self.earlier.get(seat)) is not None and view.pdd is pdd
            else SeatView(self.hands[seat], pdd)
            for seat, pdd in self.pdds.items()
        }

    @property
    def htpds(self) -> Htpds:
        """Probabilities over the classes of the final hand, (4824,) in stud high, by seat."""
        return Htpds(self.seats)

    def __repr__(self) -> str:
        bits = ", ".join(f"{seat}: {entropy_bits(pdd):.2f}" for seat, pdd in self.pdds.items())
        return f"<Belief on {STREET_NAMES[self.street]} street, bits of entropy by seat {bits}>"

    def chances(self, ties: TieRule = SPLIT) -> dict[int, float]:
        """Return the chance to win of each active seat (equation 1), scaled to sum to 1.

        Args:
            ties: How tied hands share the pot; by default it is split.

        >>> street = handread.replay(handread.read("sample_histories/showdown.stud")[0]).streets[0]
        >>> belief, _ = handread.deal(None, street)
        >>> round(belief.chances()[7], 3)  # the highest door card
        0.165
        """
        return chances_to_win(self.htpds, ties, showdown=self.showdown)

    def holding_chances(self, seat: int, ties: TieRule = SPLIT) -> Floats:
        """Return the chance to win of each holding of a seat (holdings,), not normalised.

        Args:
            seat: Number of the seat.
            ties: How tied hands share the pot; by default it is split.

        >>> street = handread.replay(handread.read("sample_histories/showdown.stud")[0]).streets[0]
        >>> belief, _ = handread.deal(None, street)
        >>> round(float(belief.holding_chances(1).max()), 2)  # trip sevens
        0.62
        """
        return self.hands[seat].chances(values_against(self.htpds, seat, ties, self.showdown))

    @property
    def showdown(self) -> Showdown:
        """The classes of final hands, and their shares of the pot."""
        return next(iter(self.hands.values())).showdown

    def updated(self, update: Update) -> Belief:
        """Return the belief after an action.

        Args:
            update: The effect of the action.
        """
        seat, shares = update.decision.seat, update.shares
        pdds, seats = {**self.pdds, seat: update.after}, self.seats
        panels = self.shares if shares is None else {**self.shares, seat: shares}
        if update.decision.action == "fold":
            del pdds[seat]
            panels = {other: share for other, share in panels.items() if other != seat}
        else:
            seats = {**seats, seat: update.view}
        return replace(self, pdds=pdds, shares=panels, earlier=seats)


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Update:
    """The effect of one action on the belief about its actor. Arrays are (holdings,).

    Attributes:
        decision: The action, with its situation.
        chances: Chance to win of each holding before the action, given the assumed knowledge of the
            player about the others' hands (equation 1, not normalised).
        action_probs: P(action | holding), equation 3.
        likelihood: Factor of the pdd: ``action_probs`` raised to the policy's likelihood exponent,
            rescaled so that its mean under ``before`` remains the evidence.
        evidence: P(action) under the belief before it. If it is 0, the policy takes this action
            with no holding; the belief is then left unchanged.
        before: Pdd of the actor before the action.
        view: The actor as the public sees it after the action.
        shares: P(member | holding), (members, holdings), after the action; None without a panel.
        information_bits: Information about the actor's downcards: D(pdd after || pdd before).
        p_win: Mean of the chances under the pdd before the action.
        probability: Mean of ``action_probs`` under it.
    """

    decision: Decision
    chances: Floats
    action_probs: Floats
    likelihood: Floats
    evidence: float
    before: Floats
    view: SeatView
    shares: Floats | None
    information_bits: float
    p_win: float
    probability: float

    def __repr__(self) -> str:
        street, seat = STREET_NAMES[self.decision.street], self.decision.seat
        bits = f"information {self.information_bits:.2f} bits, surprise {self.surprise_bits:.2f}"
        return f"<Update by seat {seat} {self.decision.action} on {street} street: {bits} bits>"

    @property
    def after(self) -> Floats:
        """Pdd of the actor after the action."""
        return self.view.pdd

    @property
    def surprise_bits(self) -> float:
        """-log2 of the evidence; infinite if no holding takes this action."""
        return surprise_bits(self.evidence)


def seat_cards(street: DealtStreet, seat: int) -> tuple[Card, ...]:
    """Return a seat's face-up cards, the shared card included.

    Raises:
        ValueError: One of them was not seen.
    """
    up = street.upcards[seat]
    cards = up if street.shared is None else (*up, street.shared)
    known = tuple(card for card in cards if card is not None)
    if len(known) < len(cards):
        raise ValueError(f"an upcard of seat {seat} was not seen")
    return known


def operator_of(street: DealtStreet, seat: int, unseen: Unseen) -> Operator:
    """Return the operator that maps the pdd of a seat on a street to its htpd and back.

    Raises:
        ValueError: The chances of the game are not counted.
    """
    up = seat_cards(street, seat)
    game = street.game
    if game.n_cards == FIVE_CARDS:
        return FiveCardHands(unseen, up)
    if street.number == game.last and street.shared is None:
        return LastHands(unseen, up, showdown_of(game))
    return Hands(unseen, up, showdown_of(game))


def visible_cards(street: DealtStreet) -> set[Card]:
    """Return all face-up cards of a dealt street, including the cards of folded seats."""
    seen = {card for cards in street.upcards.values() for card in cards if card is not None}
    return seen if street.shared is None else seen | {street.shared}


def deal(
    belief: Belief | None, street: DealtStreet, operators: Mapping[int, Operator] | None = None
) -> tuple[Belief, dict[int, float]]:
    """Return the belief after the deal of a street, and the information of its cards.

    Args:
        belief: Belief after the betting of the street before; None starts a hand.
        street: The street; all upcards of its active seats must have been seen.
        operators: Operators of the street, if another read of the hand has made them.

    Returns:
        The new belief, and by seat D(pdd after || pdd before) in bits: -log2 of the probability
        remaining when holdings are only removed. The step from pairs to triples on 7th street adds
        none.

    >>> street = handread.replay(handread.read("sample_histories/showdown.stud")[0]).streets[0]
    >>> belief, news = handread.deal(None, street)
    >>> belief.hands[1].n_live  # pairs of the 45 unseen cards
    990
    """
    unseen = Unseen(visible_cards(street))
    if operators is None:
        operators = {seat: operator_of(street, seat, unseen) for seat in street.active}
    pdds: dict[int, Floats] = {}
    first_two: dict[int, Floats] = {}
    shares: dict[int, Floats] = {}
    news: dict[int, float] = {}
    for seat, operator in operators.items():
        if belief is None:
            first_two[seat] = pdds[seat] = operator.uniform
            news[seat] = 0.0
            continue
        first_two[seat], news[seat] = pruned(belief.pdds[seat], unseen)
        pdds[seat] = operator.lift(first_two[seat])
        if seat in belief.shares:
            shares[seat] = operator.lift_shares(belief.shares[seat], first_two[seat])
    return Belief(street.number, operators, pdds, first_two, shares=shares), news


def pruned(pdd: Floats, unseen: Unseen) -> tuple[Floats, float]:
    """Remove the holdings with a visible card from a pdd; return the rest and the information.

    If the cards contradict the pdd, so that nothing remains, all live holdings become equally
    likely.
    """
    live = unseen.live(pdd.size)
    kept = pdd * live
    mass = float(kept.sum())
    if mass <= 0.0:
        return live / live.sum(), surprise_bits(0.0)
    if np.array_equal(kept, pdd):
        return pdd, 0.0
    return kept / mass, max(0.0, surprise_bits(mass))


def observe(
    belief: Belief, decision: Decision, model: Model | Policy, ties: TieRule = SPLIT
) -> tuple[Belief, Update]:
    """Update a belief by an action of a player (Saund 2006, section III).

    Args:
        belief: Belief before the action.
        decision: The action, with its situation.
        model: The player's policy and assumed knowledge of the others.
        ties: How tied hands share the pot; by default the pot is split.

    Returns:
        The belief after the action, and its effect on the pdd of the actor. The other seats' pdds
        are unchanged; a seat that folds leaves the belief.

    >>> street = handread.replay(handread.read("sample_histories/showdown.stud")[0]).streets[0]
    >>> belief, _ = handread.deal(None, street)
    >>> people = handread.load_policy("people")
    >>> after, update = handread.observe(belief, street.decisions[2], people)
    >>> update
    <Update by seat 1 raise on 3rd street: information 0.49 bits, surprise 3.30 bits>
    >>> round(belief.chances()[1], 3), round(after.chances()[1], 3)
    (0.147, 0.196)
    """
    return apply_bayes(belief, decision, expect(belief, decision, as_model(model), ties))


def expect(belief: Belief, spot: DecisionPoint, model: Model, ties: TieRule) -> Forecast:
    """Return P(action | holding) of the player to act."""
    outlook = holding_values_at(belief, spot, model, ties)
    return forecast(model, spot, outlook, belief.shares.get(spot.seat))


def holding_values_at(
    belief: Belief, spot: DecisionPoint, model: Model, ties: TieRule
) -> HoldingValues:
    """Return the chance to win of each holding of the player to act (equation 1).

    Opponents have their public htpds or, for a cards-only player, htpds from the upcards alone
    (Saund 2006, section VI).
    """
    htpds: Mapping[int, Floats] = belief.htpds
    if model.knowledge == CARDS_ONLY:
        htpds = {seat: belief.hands[seat].uniform_htpd for seat in belief.pdds}
    values = values_against(htpds, spot.seat, ties, belief.showdown)
    return holding_values(belief, spot, belief.hands[spot.seat].chances(values))


def holding_values(belief: Belief, spot: DecisionPoint, chances: Floats) -> HoldingValues:
    """Return the chances to win of the player to act, (holdings,), with the cards in sight."""
    hands = belief.hands[spot.seat]
    board = Board.at(belief.hands, belief.pdds, spot.seat)
    return HoldingValues(chances, hands.live, board, hands.places)


def apply_bayes(belief: Belief, decision: Decision, expected: Forecast) -> tuple[Belief, Update]:
    """Update a belief by Bayes' rule (Saund 2006, equation 4), as ``observe`` returns it.

    ``expected`` is P(action | holding) for the actor before the action, as ``expect`` returns it.
    For a panel the rule applies to members and holdings together (Southey et al. 2005).
    """
    before = belief.pdds[decision.seat]
    weighed = expected.weighed(decision.action, before, belief.street)
    return _updated(belief, decision, expected.chances, weighed)


def reweigh(
    belief: Belief,
    decision: Decision,
    likelihood: Floats,
    chances: Floats,
    action_probs: Floats | None = None,
    evidence: float | None = None,
    shares: Floats | None = None,
) -> tuple[Belief, Update]:
    """Multiply the pdd of the actor by a likelihood, as every reader does.

    Args:
        belief: Belief before the action.
        decision: The action.
        likelihood: Factor of each holding (holdings,), not negative.
        chances: Chance to win of each holding (holdings,).
        action_probs: P(action | holding) (holdings,); None if equal to the likelihood.
        evidence: Probability of the action before it; None for the mean of the likelihood.
        shares: P(member | holding) of a panel after the action.

    Returns:
        The belief and the effect, as from ``observe``.
    """
    seat, hands = decision.seat, belief.hands[decision.seat]
    live, n = hands.places, hands.live.size
    before, likelihood = as_floats(belief.pdds[seat], n), as_floats(likelihood, n)
    action_probs = likelihood if action_probs is None else as_floats(action_probs, n)
    chances, after, figures = as_floats(chances, n), np.zeros(n), np.zeros(5)
    kernels.reweigh(live, before, likelihood, chances, action_probs, after, figures)
    weighed = Weighed(
        likelihood, action_probs, after=after, figures=figures, evidence=evidence, shares=shares
    )
    return _updated(belief, decision, chances, weighed)


def _updated(
    belief: Belief, decision: Decision, chances: Floats, weighed: Weighed
) -> tuple[Belief, Update]:
    view, bits = belief.seats[decision.seat], 0.0
    before = view.pdd
    total, informative, change, p_win, probability, *_ = weighed.figures.tolist()
    if informative:
        view, bits = SeatView(view.hands, weighed.after), change
    update = Update(
        decision=decision,
        chances=chances,
        action_probs=weighed.action_probs,
        likelihood=weighed.likelihood,
        evidence=min(1.0, total if weighed.evidence is None else weighed.evidence),
        before=before,
        view=view,
        shares=weighed.shares,
        information_bits=bits,
        p_win=p_win,
        probability=probability,
    )
    return belief.updated(update), update


def values_against(
    htpds: Mapping[int, Floats], seat: int, ties: TieRule, showdown: Showdown | None = None
) -> Floats:
    """Return the expected share of the pot by class (equation 1); the default game is stud high."""
    others = [htpds[other] for other in htpds if other != seat]
    return (showdown or showdown_of()).values(others, *ties.nodes(len(others)))


def values_of_each(belief: Belief, ties: TieRule) -> dict[int, Floats]:
    """Return ``values_against`` of all seats of a belief, in one go."""
    htpds = list(belief.htpds.values())
    values = belief.showdown.values_of_each(htpds, *ties.nodes(len(htpds) - 1))
    return dict(zip(belief.htpds, values, strict=True))


def chances_to_win(
    htpds: Mapping[int, Floats],
    ties: TieRule,
    seats: Iterable[int] | None = None,
    showdown: Showdown | None = None,
) -> dict[int, float]:
    """Return the chance to win of each seat (equation 1), summing to 1; default game stud high."""
    among = list(htpds if seats is None else seats)
    among_htpds = [htpds[seat] for seat in among]
    raw = (showdown or showdown_of()).chances(among_htpds, *ties.nodes(len(among_htpds) - 1))
    return dict(zip(among, (raw / raw.sum()).tolist(), strict=True))


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class ObservedStreet:
    """The beliefs of a reader on one street.

    Attributes:
        dealt: Belief after the deal.
        news: Information of the deal about each seat, in bits.
        updates: Effect of each action, in order.
        after: Belief after the betting.
    """

    dealt: Belief
    news: Mapping[int, float]
    updates: tuple[Update, ...]
    after: Belief

    def __repr__(self) -> str:
        return f"<ObservedStreet: {len(self.updates)} actions, then {self.after!r}>"
