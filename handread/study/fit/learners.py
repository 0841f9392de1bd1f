"""Learners of the policies of a family: a prior, and a search for parameters from there."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Protocol, Self, TypeVar

import numpy as np

from handread.arrays import Floats
from handread.policy import Exponents, Single, Uncertainty
from handread.study.fit.evidence import Prior, covariance, evidence_sums, most_probable
from handread.study.fit.families import Family
from handread.study.fit.intervals import Untold, profile_intervals, untold
from handread.study.fit.sample import Grouping, Sample
from handread.study.fit.stored import KeptSample, Lines
from handread.study.statistics import NORMAL_975, Estimate, Figures, Key

PARAMETER = "parameter"
"""The part of a fit's table that holds the parameters."""

LEAST_ERROR = 1e-3
"""Least error on a side of a parameter, where its interval ends at the fitted value."""

COARSE = 32
"""Largest number of groups of a line in the choice of penalty and family: a search takes a fifth of
the time. The evidence of a line changes by .1 of the differences between families. The optimum
moves by up to 1.5 standard errors: too far for an interval."""

S = TypeVar("S", bound=Sample)
P = TypeVar("P")


class Learner(Protocol[S, P]):
    """A family of policies with a prior; ``S`` are its samples, ``P`` their results."""

    penalty: ClassVar[str]
    """The name of the strength of the prior."""

    penalties: ClassVar[tuple[float, ...]]
    """The strengths tried, the most cautious first."""

    most_hands: ClassVar[int]
    """The largest number of hands for the choice of penalty and likelihood exponent."""

    approach: ClassVar[str]
    """How the first parameters are found, for people."""

    rereads: ClassVar[bool] = False
    """True to read the hands once more by the players' own policies."""

    @property
    def grouping(self) -> Grouping:
        """The rule that groups possible holdings."""

    def sample_of(self, sample: KeptSample) -> Lines:
        """Return a sample gathered by ``grouping`` in the learner's form."""
        return sample

    def coarse(self, sample: S) -> S:
        """Return the sample in the form for the choice of penalty and family."""
        return sample

    def at(self, penalty: float) -> Self:
        """Return the learner with the prior of a penalty; this one has penalty 1."""

    def of_player(self, everybody: P, shrinkage: float) -> Self:
        """Return the learner of a player, with everybody's policy as prior."""

    def starts(self, sample: S, penalties: Sequence[float]) -> list[P]:
        """Return the starts of searches at some penalties, the strongest first."""

    def learned(self, sample: S, start: P) -> P:
        """Return what the sample teaches."""

    def log_odds(self, fit: P, sample: S) -> Floats:
        """Return the logarithm of P(action | group) of each row, (R,)."""

    def uncertainty(self, fit: P, sample: S, everybody: Uncertainty | None) -> Uncertainty | None:
        """Return the uncertainty of the parameters, if any; of a player, around everybody's."""

    def untold(self, fit: P, sample: S) -> Untold:
        """Return the parameters that the hands do not determine, or cannot tell apart."""

    def policy(self, fit: P, name: str, exponent: Exponents) -> Single:
        """Return the policy of a result."""

    def figures(self, fit: P, choices: Figures, known: Uncertainty | None, hands: int) -> Figures:
        """Return the table of a fit: the figures of its choices, and the result."""


@dataclass(frozen=True, slots=True)
class VectorLearner(Learner[Sample, Floats]):
    """The learner of a family of parameters (K,), with the start of its first search."""

    family: Family
    prior: Prior
    start: Floats

    penalty: ClassVar[str] = "penalty"
    penalties: ClassVar[tuple[float, ...]] = (30.0, 10.0, 3.0, 1.0, 0.3)
    most_hands: ClassVar[int] = 200  # with more, the penalty hardly matters any longer
    approach: ClassVar[str] = "fitting, under weaker and weaker priors"
    rereads: ClassVar[bool] = True

    @classmethod
    def of(cls, family: Family, prior: Single | None) -> Self:
        """Return the learner of a family; without a prior, around common sense."""
        centre = family.common_sense() if prior is None else family.vector(prior)
        start = family.outset() if prior is None else centre
        return cls(family, Prior(centre, family.tightness), start)

    @property
    def grouping(self) -> Grouping:
        """The grouping of the family."""
        return self.family.grouping

    def coarse(self, sample: Sample) -> Sample:
        """Return the sample with at most ``COARSE`` groups a line."""
        return sample.coarser(COARSE)

    def at(self, penalty: float) -> Self:
        """Return the learner with the precision of its prior multiplied."""
        return replace(self, prior=Prior(self.prior.centre, penalty * self.prior.precision))

    def of_player(self, everybody: Floats, shrinkage: float) -> Self:
        """Return the learner of a player, with a prior around everybody's parameters."""
        return replace(self, prior=Prior(everybody, shrinkage * self.family.personal))

    def starts(self, sample: Lines, penalties: Sequence[float]) -> list[Floats]:
        """Return the most probable parameters at each penalty, by way of all stronger ones.

        A search from afar may end at a lesser optimum; under a strong prior there is only one.
        """
        results, start = [], self.start
        for penalty in penalties:
            start = self.at(penalty).learned(sample, start)
            results.append(start)
        return results

    def learned(self, sample: Lines, start: Floats) -> Floats:
        """Return the most probable parameters (K,)."""
        return most_probable(self.family, sample, self.prior, start)

    def log_odds(self, fit: Floats, sample: Sample) -> Floats:
        """Return the logarithm of P(action | group) of each row, (R,)."""
        return self.family.log_odds(fit, sample)

    def uncertainty(self, fit: Floats, sample: Lines, everybody: Uncertainty | None) -> Uncertainty:
        """Return the uncertainty by Laplace's approximation.

        For everybody's parameters with bounds it is made from profile-likelihood intervals.
        """
        family = self.family
        if everybody is None and family.bounds is not None:
            ends, spread = profile_intervals(family, sample, fit, family.bounds)
            sides = np.maximum(np.abs(ends - fit) / NORMAL_975, LEAST_ERROR)
            return Uncertainty.between(family.names, spread, sides)
        spread = covariance(family, fit, sample, self.prior)
        held = None if everybody is None else self.prior.precision
        return Uncertainty.of(family.names, spread, held, everybody)

    def untold(self, fit: Floats, sample: Lines) -> Untold:
        """Return the parameters that the hands do not determine, or cannot tell apart."""
        family = self.family
        hands = evidence_sums(family, fit, sample, squares=True).by_hand
        return untold(family.names, hands, self.prior.precision, family.tightness)

    def policy(self, fit: Floats, name: str, exponent: Exponents) -> Single:
        """Return the policy of parameters."""
        return self.family.policy(fit, name, exponent)

    def figures(
        self, fit: Floats, choices: Figures, known: Uncertainty | None, hands: int
    ) -> Figures:
        """Return the parameters with their errors, and the choices."""
        assert known is not None
        below, above = (known.errors, known.errors) if known.sides is None else known.sides
        low, high = fit - NORMAL_975 * below, fit + NORMAL_975 * above
        numbers = np.stack([fit, known.errors, low, high]).T.tolist()
        parameters = {
            Key(name, about=PARAMETER): Estimate(mean, error, start, end, n=hands, hands=hands)
            for name, (mean, error, start, end) in zip(known.parameters, numbers, strict=True)
        }
        return {**parameters, **choices}
