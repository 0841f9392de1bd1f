"""The options and the result of a fit, and the number of actions it uses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

from handread.game.replay import replay
from handread.game.steps import Replay
from handread.policy import Exponents, Panel, PolicyFile, Single, single
from handread.study.fit.choices import Choice
from handread.study.fit.families import FIRST
from handread.study.fit.intervals import Untold
from handread.study.fit.learners import PARAMETER
from handread.study.fit.sample import is_choice
from handread.study.fit.stored import StoredHands
from handread.study.fit.uncertainty import DRAWS, draws
from handread.study.statistics import Estimate, FigureTable
from handread.version import __version__


class FitError(ValueError):
    """Hands that nothing can be learned from; the message is for a person."""


@dataclass(frozen=True, slots=True)
class FitOptions:
    """Options of a fit.

    Attributes:
        family: Family of policies, "logit", "ramps" or "tree"; None takes logit or ramps, whichever
            makes held-out hands more probable.
        features: Features of a logit policy: groups ("boards", "kinds", "slopes") and single ones,
            such as "ace@on_3rd".
        name: Name of the policy.
        penalty: Weight of the prior; None chooses it by cross-validation.
        likelihood_exponent: Exponent on P(action | holding); None chooses it by cross-validation.
        by_stage: Choose an exponent for 3rd and 4th, for 5th and 6th, and for 7th street, by the
            known downcards; ``likelihood_exponent`` must be None.
        prior: Policy of the same family at the centre of the prior; None stands for common sense,
            as for a family without a prior of its own.
        players: Fit policies of single players, too.
        least: Smallest number of actions of a player who gets an own policy.
        hidden: Treat all downcards as unknown.
        rounds: Largest number of times that the hands are read, each time by the policy fitted
            before; the first time only enough to choose penalty and likelihood exponent.
        seed: Random seed of the folds.
        version: Version of the program, for the provenance.
        mixture: Panel whose first member the fitted policy replaces in reads of cross-validation;
            None for reads by the fitted policy alone.
    """

    family: str | None = None
    features: tuple[str, ...] = FIRST
    name: str = "fitted"
    penalty: float | None = None
    likelihood_exponent: Exponents | None = None
    by_stage: bool = False
    prior: Single | None = None
    players: bool = True
    least: int = 20
    hidden: bool = False
    rounds: int = 3
    seed: int = 1
    version: str = __version__
    mixture: Panel | None = None


MOST_LOST = 0.1
"""The largest share of the chosen actions that a fit may leave unused."""


@dataclass(frozen=True, slots=True)
class Usage:
    """The numbers of hands and chosen actions, and of the actions that a fit uses.

    ``unseen`` counts the actions after an upcard that the log does not show; ``worst`` is the file
    with most of them, empty without any.
    """

    hands: int
    hands_used: int
    actions: int
    used: int
    unseen: int
    worst: str

    @classmethod
    def of(cls, hands: StoredHands, hands_used: int, used: int) -> Usage:
        """Return the usage of hands."""
        unseen = Counter[str]()
        actions = 0
        for hand in map(replay, hands):
            seen = list(_choices(hand))
            actions += len(seen)
            unseen[hand.history.source.file] += seen.count(False)
        worst, most = max(unseen.items(), key=itemgetter(1), default=("", 0))
        where = worst if most else ""
        return cls(len(hands), hands_used, actions, used, unseen=unseen.total(), worst=where)

    def why_not(self) -> list[str]:
        """Return why actions are not used, each reason with its number."""
        lost = self.actions - self.used - self.unseen
        reasons = []
        if self.unseen:
            reasons.append(
                f"{self.unseen:,} after an upcard that the log does not show, most in {self.worst}"
            )
        if lost:
            reasons.append(f"{lost:,} lost when the hands were read again for the fit")
        return reasons


def _choices(hand: Replay) -> Iterator[bool]:
    """Yield, for each chosen action, whether all upcards up to it were seen."""
    seen = True
    for street in hand.streets:
        seen = seen and not street.unseen
        yield from (seen for decision in street.decisions if is_choice(decision))


EXPONENT = "exponent"
"""The part of a fit's table that holds the exponents by street."""


@dataclass(frozen=True, slots=True, repr=False)
class Fit(FigureTable):
    """Fitted policies, and how they were chosen.

    Attributes:
        file: The policies and their provenance.
        choices: Values chosen by cross-validation.
        usage: Numbers of hands and actions, and of the actions used.
        untold: Parameters that the hands do not determine, or cannot separate.
    """

    file: PolicyFile
    choices: tuple[Choice[Any], ...]
    usage: Usage
    untold: Untold

    def __repr__(self) -> str:
        policy, n, usage = self.file.policy, len(self.file.players), self.usage
        return (
            f"<Fit of {policy.name!r}, {policy.family}, and {n:,} players: {usage.used:,} of "
            f"{usage.actions:,} actions in {usage.hands:,} hands>"
        )

    def parameters(self) -> dict[str, Estimate]:
        """Return the parameters by name, with standard errors, the prior included."""
        return {key.figure: e for key, e in self.figures.items() if key.about == PARAMETER}

    def exponents(self) -> list[Estimate]:
        """Return the likelihood exponents of the streets, if they were chosen by stage."""
        return [e for key, e in self.figures.items() if key.about == EXPONENT]

    def draws(self, n: int = DRAWS, seed: int = 1) -> tuple[Single, ...]:
        """Return ``n`` policies with parameters drawn from the posterior of the fit.

        Args:
            n: Number of policies.
            seed: Random seed.
        """
        return draws(single(self.file.policy), n, seed)
