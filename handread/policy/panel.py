"""A panel of policies with a prior; a player follows one of them (Southey et al. 2005).

The policy of a stranger is unknown. The observer reads the player's downcards by each member of the
panel, and weighs the members by the probability that they give to the player's actions.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np

from handread.arrays import Floats
from handread.game.rules import MAX_PLAYERS, of_game
from handread.game.steps import DecisionPoint
from handread.history import AGGRESSIVE
from handread.policy.base import ByGame, Exponents, HoldingValues, Policy, PolicyError
from handread.policy.family import PolicyPart, Single
from handread.policy.provenance import Measured

FORGOTTEN = 0.02
"""Share of a panel's weights that returns to its prior after each hand."""

REPEATS_WORDS = "The third bet or raise of a player in a hand, and later ones, count to the power"
IDLE_WORDS = "With three players in, and with more, this part of an action after 4th street is idle"

TELLING = 3.0
"""Factor on the odds of a member that shows a player's style."""


@dataclass(frozen=True, slots=True)
class Panel:
    """Policies and their prior probabilities, which sum to 1.

    ``priors`` has the prior in other games, by the key of the game, ``learned`` the probabilities
    for a player after some hands; None for a stranger. ``learning`` is the power of P(actions |
    member) that moves the weights: 1 is Bayes' rule, 0 keeps the prior. Below 1 it protects the
    weights if no member plays exactly as the player does. By game, ``idle`` has the share of an
    action from 5th street on that is no evidence, with three players in, with four and so on;
    ``repeats`` the power of a player's third bet or raise of a hand, of the fourth and so on. The
    last number of a list is for all beyond it.

    Raises:
        PolicyError: Two members have one name, or the prior does not fit.
    """

    name: str
    members: tuple[Single, ...]
    prior: tuple[float, ...]
    learning: float = field(default=1.0, kw_only=True)
    priors: tuple[tuple[str, tuple[float, ...]], ...] = field(default=(), kw_only=True)
    learned: tuple[float, ...] | None = field(default=None, kw_only=True)
    idle: ByGame = field(default=(), kw_only=True)
    repeats: ByGame = field(default=(), kw_only=True)
    title: str = ""
    source: str = ""
    measured: Measured | None = field(default=None, compare=False)

    family: ClassVar[str] = "panel"
    lapse: ClassVar[float] = 0.0
    likelihood_exponent: ClassVar[Exponents] = 1.0
    uncertainty: ClassVar[None] = None
    shown: ClassVar[str] = "of a player drawn from the panel, of whom nothing has been seen"

    def __post_init__(self) -> None:
        twice = [
            name for name, n in Counter(member.name for member in self.members).items() if n > 1
        ]
        if twice:
            raise PolicyError(f"the panel {self.name!r} has two members named {twice[0]!r}")
        for prior in (self.prior, *(prior for _, prior in self.priors)):
            if len(prior) != len(self.members):
                raise PolicyError(
                    f"the panel {self.name!r} has {len(self.members)} members, not {len(prior)}"
                )
            if not math.isclose(sum(prior), 1.0, abs_tol=1e-6) or min(prior) < 0.0:
                raise PolicyError(
                    f"the priors of the panel {self.name!r} are no probabilities that add up to 1"
                )
        if not 0.0 <= self.learning <= 1.0:
            raise PolicyError(f"the learning of {self.name!r} is {self.learning}, not from 0 to 1")

    def probabilities(self, spot: DecisionPoint, outlook: HoldingValues) -> dict[str, Floats]:
        """Return the probability of each legal action by holding, mean over the members."""
        each = [member.probabilities(spot, outlook) for member in self.members]
        return {
            action: np.einsum("m,mh->h", self.weights, np.stack([odds[action] for odds in each]))
            for action in each[0]
        }

    def explains(self, shares: Floats) -> bool:
        """Return False if members that ignore downcards have most of ``shares`` (members,)."""
        blind = (p for m, p in zip(self.members, shares, strict=True) if m.blind)
        return float(sum(blind)) <= 0.5

    def with_lapse(self, lapse: float) -> Panel:
        """Return the panel with another lapse in each; raise ``PolicyError`` outside 0..1."""
        members = tuple(member.with_lapse(lapse) for member in self.members)
        return replace(self, name=f"{self.name}, lapse {lapse:g}", members=members)

    @property
    def weights(self) -> tuple[float, ...]:
        """The probabilities of the members before a hand."""
        return self.learned or self.prior

    def prior_in(self, game: str) -> tuple[float, ...]:
        """Return the prior of a game."""
        return of_game(dict(self.priors), game, self.prior)

    def in_game(self, game: str) -> Panel:
        """Return the panel with members and prior of a game."""
        members = tuple(member.in_game(game) for member in self.members)
        prior = self.prior_in(game)
        if members == self.members and prior == self.prior:
            return self
        learned = self.learned and _moved(np.array(self.learned), self.prior, prior)
        # A file has the hit rates of one game; for other games the first member has them.
        rates = members[0].measured
        return replace(self, members=members, prior=prior, learned=learned, measured=rates)

    def after(self, shares: Floats, game: str) -> Panel:
        """Return the panel of a player after a hand of a game that leaves ``shares`` (members,).

        A share ``FORGOTTEN`` returns to the prior: people change their play, and no member should
        be ruled out for good.
        """
        moved = _moved(shares, self.prior_in(game), self.prior)
        return replace(self, learned=tuple(_kept(np.array(moved), np.array(self.prior)).tolist()))

    def factors(self, shares: Floats) -> Floats:
        """Return a hand's factors of the members' odds (members,), given its ``shares`` (members,).

        They do not depend on the weights before the hand. Their mean under the prior is 1.
        """
        quotient = quotients(shares, np.array(self.weights))
        mean = float(quotient @ np.array(self.prior))
        return quotient / mean if mean > 0.0 else np.ones_like(quotient)

    def weights_after(self, hands: Floats) -> Floats:
        """Return weights (hands + 1, members) from the ``factors`` (hands, members) of hands."""
        return weights_after(np.array(self.prior), hands)

    def style(self, shares: Floats) -> int | None:
        """Return the index of the member that ``shares`` (members,) show; None if in doubt.

        It has at least half of the shares, and ``TELLING`` times its odds for a stranger.
        """
        place = int(np.argmax(shares))
        odds, before = (p[place] / (1.0 - p[place] or 1e-12) for p in (shares, self.prior))
        return place if shares[place] >= 0.5 and odds >= TELLING * before else None

    def led_by(self, first: Single) -> Panel:
        """Return the panel with another first member.

        >>> mine = handread.load_policy("honest")
        >>> handread.load_policy("people").led_by(mine).members[0].name
        'honest'
        """
        return replace(self, members=(first, *self.members[1:]))

    def details(self) -> dict[str, Any]:
        """Return the fields of JSON: its members, and how their weights move."""
        pairs = zip(self.members, self.prior, strict=True)
        return {
            "members": [{"name": member.name, "prior": prior} for member, prior in pairs],
            "learning": self.learning,
            "priors": dict(self.priors),
            "idle": dict(self.idle),
            "repeats": dict(self.repeats),
        }

    def parts(self) -> Iterator[PolicyPart]:
        """Yield the table of the members, and how their weights move."""
        priors = {self.prior: "prior"}
        for game, prior in self.priors:
            priors[prior] = f"{priors[prior]}, {game}" if prior in priors else f"in {game}"
        rows = zip((one.name for one in self.members), *priors, strict=True)
        table = [[name, *(f"{p:.0%}" for p in own)] for name, *own in rows]
        yield PolicyPart(table=[["member", *priors.values()], *table])
        if self.learning < 1.0:
            yield PolicyPart(f"Weights move by the evidence to the power of {self.learning:g}.")
        for words, lists in (REPEATS_WORDS, self.repeats), (IDLE_WORDS, self.idle):
            if lists:
                each = (f"{', '.join(f'{x:g}' for x in own)} in {game}" for game, own in lists)
                yield PolicyPart(f"{words}: {'; '.join(each)}.")


def weights_after(prior: Floats, hands: Floats) -> Floats:
    """Return ``Panel.weights_after`` of a panel with this prior (members,)."""
    weights = np.empty((len(hands) + 1, prior.size))
    weights[0] = prior
    for i, factors in enumerate(hands):
        joint = factors * weights[i]
        total = joint.sum()
        weights[i + 1] = _kept(joint / total if total > 0.0 else prior, prior)
    return weights


def _kept(found: Floats, prior: Floats) -> Floats:
    """Return the weights (members,) after a hand, with a share back at the prior."""
    return (1.0 - FORGOTTEN) * found + FORGOTTEN * prior


def _moved(weights: Floats, prior: Sequence[float], other: Sequence[float]) -> tuple[float, ...]:
    """Return the weights (members,) that the same evidence gives from another prior.

    Evidence that refutes all members of the other prior is ignored.
    """
    joint = weights * quotients(np.array(other), np.array(prior))
    total = joint.sum()
    return tuple((joint / total).tolist() if total > 0.0 else other)


def panel_of(policy: Policy) -> Panel | None:
    """Return a policy if it is a panel, else None."""
    return policy if isinstance(policy, Panel) else None


def single(policy: Single | Panel) -> Single:
    """Return a single policy; raise ``TypeError`` for a panel."""
    if isinstance(policy, Panel):
        raise TypeError(f"{policy.name} is a panel of policies")
    return policy


def members_of(policy: Policy) -> tuple[Policy, ...]:
    """Return the members of a panel, or any other policy alone."""
    panel = panel_of(policy)
    return (policy,) if panel is None else panel.members


def weights_of(policy: Policy) -> tuple[float, ...]:
    """Return the weights of ``members_of`` a policy."""
    panel = panel_of(policy)
    return (1.0,) if panel is None else panel.weights


def learning_of(policy: Policy) -> float:
    """Return the power by which the weights of a panel's members move; 1 for others."""
    panel = panel_of(policy)
    return 1.0 if panel is None else panel.learning


MOST_RAISES = 20
"""The largest number of a player's bets and raises in a hand that makes a difference."""

CROWD, AGAIN, LATE = 3, 3, 5
"""Numbers of players and of a player's bets, and the street, from which evidence is weaker."""


def evidence_tables(policy: Policy, game: str) -> tuple[Floats, Floats]:
    """Return the discounts on the evidence of a player's actions in a game.

    Returns:
        The share of an action that is no evidence, by street from 3rd and number of players (5, 9);
        and the power of a bet or raise, on P(action | holding) and on the member's probability, by
        the number of bets and raises before it (``MOST_RAISES``,).
    """
    panel = panel_of(policy)
    lists = () if panel is None else (panel.idle, panel.repeats)
    return _evidence_tables(*[of_game(dict(each), game, ()) for each in lists])


@lru_cache(maxsize=64)
def _evidence_tables(
    idle: tuple[float, ...] = (), repeats: tuple[float, ...] = ()
) -> tuple[Floats, Floats]:
    """Return ``evidence_tables`` by the numbers of a game, read-only."""
    silent, powers = np.zeros((5, MAX_PLAYERS + 1)), np.ones(MOST_RAISES)
    for table, own in (silent[LATE - 3 :, CROWD:], idle), (powers[AGAIN - 1 :], repeats):
        if own := own[: table.shape[-1]]:
            table[..., : len(own)], table[..., len(own) :] = own, own[-1]
    silent.flags.writeable = powers.flags.writeable = False
    return silent, powers


def discounts(
    tables: tuple[Floats, Floats], spot: DecisionPoint, action: str, street: int
) -> tuple[float, float]:
    """Return the power of an action's evidence, and the part of it that says nothing.

    ``tables`` are ``evidence_tables`` of the player's policy.
    """
    idle, powers = tables
    power = powers[min(spot.aggressions, powers.size - 1)] if action in AGGRESSIVE else 1.0
    return float(power), float(idle[max(0, street - 3), spot.n_active])


def quotients(over: Floats, under: Floats) -> Floats:
    """Return quotients; 0 for a divisor of 0."""
    return np.divide(over, under, out=np.zeros_like(under), where=under > 0.0)


def changed(policy: Policy, change: Callable[[Single], Single]) -> Policy:
    """Return a policy, or each member of a panel, changed; any other as it is."""
    if isinstance(policy, Single):
        return change(policy)
    if isinstance(policy, Panel):
        members = tuple(map(change, policy.members))
        return policy if members == policy.members else replace(policy, members=members)
    return policy


def in_game(policy: Policy, game: str) -> Policy:
    """Return the version of a policy, and of the members of a panel, for a game."""
    if isinstance(policy, Panel):
        return policy.in_game(game)
    return changed(policy, lambda one: one.in_game(game))
