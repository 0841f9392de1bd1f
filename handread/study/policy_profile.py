"""The holdings behind the actions of a policy, in a few common situations."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from handread.arrays import Floats
from handread.game.rules import DEFAULT
from handread.game.steps import DealtStreet, DecisionPoint
from handread.inference.forecast import forecast
from handread.inference.observer import TIE_RULES, Belief, deal, holding_values_at
from handread.inference.players import Model
from handread.odds.holdings import kinds
from handread.policy import Policy
from handread.study.statistics import Estimate, Figures, FigureTable, Key

ANTE, BRING_IN, SMALL, BIG = 25, 25, 100, 200
"""The stakes of the situations."""

BOARDS, SEED = 24, 1
"""Number of random boards over which each situation is averaged, and their random seed."""


@dataclass(frozen=True, slots=True)
class CommonSpot:
    """A common situation, apart from the cards.

    At a table with fewer than ``players`` all are in. On 3rd street 0 ``bets`` leave the bring-in
    to call, which the player may have ``called`` before.
    """

    words: str
    street: int
    players: int
    bets: int
    called: bool = False

    def decision_point(self, seats: int) -> DecisionPoint:
        """Return the situation at a table with this many seats; seat 1 is to act."""
        n = min(seats, self.players)
        bet = SMALL if self.street < 5 else BIG
        paid = BRING_IN if self.called else 0
        to_call = self.bets * bet - paid if self.bets else BRING_IN * (self.street == 3)
        pot = seats * ANTE + (self.street > 3) * n * SMALL + paid
        return DecisionPoint(
            n=1,
            street=self.street,
            seat=1,
            to_call=to_call,
            pot=pot + self.bets * bet + (self.street == 3 and not self.bets) * BRING_IN,
            active=tuple(range(1, n + 1)),
            can_fold=to_call > 0,
            can_raise=True,
            raises_left=4 - self.bets,
            later_bets=SMALL * (self.street == 3) + BIG * (7 - max(4, self.street)),
            forced=False,
            raises=self.bets,
            leader=2 if self.bets else None,
            acted=(*((1,) if self.called else ()), *range(2, 2 + self.bets)),
        )


SITUATIONS = (
    CommonSpot("on 3rd street, the bring-in to call", 3, 7, 0),
    CommonSpot("on 3rd street, a completion to call", 3, 7, 1),
    CommonSpot("on 3rd street, a raise to call", 3, 7, 2),
    CommonSpot("on 3rd street, a completion to call after calling the bring-in", 3, 7, 1, True),
    CommonSpot("on 4th street, nobody has bet", 4, 3, 0),
    CommonSpot("on 5th street, nobody has bet", 5, 3, 0),
    CommonSpot("on 5th street, a bet to call", 5, 3, 1),
    CommonSpot("on 6th street, a bet to call", 6, 2, 1),
)


@dataclass(frozen=True, slots=True)
class ActionProfile:
    """An action of a policy in a situation, with its probability ``share``.

    ``families`` has the probability of each family of holdings given the action, the likeliest
    first, ``before`` the probability before the action.
    """

    situation: CommonSpot
    action: str
    share: float
    families: dict[str, float]
    before: dict[str, float]


@dataclass(frozen=True, slots=True)
class PolicyProfile(FigureTable):
    """The actions of a policy in ``SITUATIONS``, and the holdings behind them."""

    actions: tuple[ActionProfile, ...]


def _figures(actions: Iterable[ActionProfile]) -> Figures:
    figures: dict[Key, Estimate] = {}
    for action in actions:
        about = action.situation.words
        figures[Key("share", group=action.action, about=about)] = Estimate(action.share)
        for family, p in action.families.items():
            figures[Key(family, group=action.action, about=about)] = Estimate(p)
    return figures


def policy_profile(policy: Policy, seats: int = 7) -> PolicyProfile:
    """Return the holdings behind the actions of a policy, with 2 to 8 players dealt in.

    All holdings that the upcards of random boards allow are equally likely before the action,
    except that a player who has called the bring-in holds what the policy calls it with.
    """
    profiles: list[ActionProfile] = []
    dealt: dict[tuple[int, int], list[Belief]] = {}
    for situation in SITUATIONS:
        at = situation.decision_point(seats)
        table = (at.street, at.n_active)
        if table not in dealt:
            rng = np.random.default_rng(SEED)
            dealt[table] = [_belief(rng, at, seats) for _ in range(BOARDS)]
        profiles += _profile(Model(policy), situation, at, dealt[table])
    return PolicyProfile(_figures(profiles), tuple(profiles))


def _profile(
    model: Model, situation: CommonSpot, at: DecisionPoint, beliefs: Sequence[Belief]
) -> list[ActionProfile]:
    before: dict[str, float] = {}
    given: dict[str, dict[str, float]] = {}
    for belief in beliefs:
        prior = belief.pdds[at.seat]
        if situation.called:
            limp = replace(at, to_call=BRING_IN, raises=0, leader=None, acted=())
            prior = prior * _odds(belief, limp, model)["call"]
            prior /= prior.sum()
        _add(before, belief, at, prior)
        for action, odds in _odds(belief, at, model).items():
            _add(given.setdefault(action, {}), belief, at, prior * odds)
    known = _scaled(before, BOARDS)
    profiles = []
    for action, weights in given.items():
        total = sum(weights.values())
        families = _scaled(weights, total) if total else {}
        profiles.append(ActionProfile(situation, action, total / BOARDS, families, known))
    return profiles


def _belief(rng: np.random.Generator, at: DecisionPoint, seats: int) -> Belief:
    """Return the belief after the deal of random upcards, one to each player who has folded."""
    n = at.street - 2
    deck = rng.permutation(52).tolist()
    cards = {seat: tuple(deck[4 * seat : 4 * seat + n]) for seat in at.active}
    folded = {seat: (deck[4 * seat],) for seat in range(len(at.active) + 1, seats + 1)}
    upcards = {**cards, **folded}
    street = DealtStreet(at.street, DEFAULT, upcards, shared=None, active=at.active, pot=at.pot)
    return deal(None, street)[0]


def _odds(belief: Belief, at: DecisionPoint, model: Model) -> dict[str, Floats]:
    values = holding_values_at(belief, at, model, TIE_RULES["split"])
    return dict(forecast(model, at, values, None).action_probs)


def _add(total: dict[str, float], belief: Belief, at: DecisionPoint, weights: Floats) -> None:
    for kind, weight in kinds(weights, np.empty(0), belief.hands[at.seat].up).items():
        total[kind.family] = total.get(kind.family, 0.0) + weight


def _scaled(weights: dict[str, float], total: float) -> dict[str, float]:
    ordered = sorted(weights.items(), key=lambda item: (-item[1], item[0]))
    return {family: weight / total for family, weight in ordered}
