"""The options and the result of a fit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from handread.policy import Exponents, Panel, PolicyFile, Single, single
from handread.study.fit.choices import Choice
from handread.study.fit.families import FIRST
from handread.study.fit.intervals import Untold
from handread.study.fit.learners import PARAMETER
from handread.study.fit.uncertainty import DRAWS, draws
from handread.study.fit.usage import Usage
from handread.study.statistics import Estimate, FigureTable


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
            as for a family that is tried without a prior of its own.
        players: Fit policies of single players, too.
        least: Smallest number of actions of a player who gets an own policy.
        hidden: Treat all downcards as unknown.
        rounds: Largest number of times that the hands are read, each time by the policy fitted
            before; the first time only as many as choose penalty and likelihood exponent.
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
    version: str = ""
    mixture: Panel | None = None


EXPONENT = "exponent"
"""The part of a fit's table that holds the exponents by street."""


@dataclass(frozen=True, slots=True)
class Fit(FigureTable):
    """Fitted policies, and how they were chosen.

    Attributes:
        file: The policies and their provenance.
        choices: Values chosen by cross-validation.
        usage: How many actions of the hands were used.
        untold: Which parameters the hands do not tell, or cannot tell apart.
    """

    file: PolicyFile
    choices: tuple[Choice[Any], ...]
    usage: Usage
    untold: Untold

    def parameters(self) -> dict[str, Estimate]:
        """Return the parameters by name, with standard errors, the prior included."""
        return {key.figure: e for key, e in self.figures.items() if key.about == PARAMETER}

    def exponents(self) -> list[Estimate]:
        """Return the likelihood exponents of the streets, if they were chosen by stage."""
        return [e for key, e in self.figures.items() if key.about == EXPONENT]

    def draws(self, n: int = DRAWS, seed: int = 1) -> tuple[Single, ...]:
        """Return policies whose parameters are drawn from the distribution that the fit leaves.

        Args:
            n: Number of policies.
            seed: Random seed.
        """
        return draws(single(self.file.policy), n, seed)
