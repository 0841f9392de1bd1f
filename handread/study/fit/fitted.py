"""The options and the result of a fit, and what fits of all families share."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

import numpy as np

from handread.game.steps import Replay
from handread.policy import Exponents, PolicyFile, Single, single
from handread.study.fit.choices import Choice, Tick
from handread.study.fit.exponents import STAGES, ExponentFit, StreetRead, fit_exponents
from handread.study.fit.families import FIRST
from handread.study.fit.sample import Grouping, Sample
from handread.study.fit.uncertainty import DRAWS, draws
from handread.study.fit.usage import Usage
from handread.study.statistics import Estimate, FigureTable, Key

Gather = Callable[[Sequence[Replay], PolicyFile, Grouping], Sample]
"""Reads hands by policies, and takes possible holdings together."""


class FitError(ValueError):
    """Hands that nothing can be learned from; the message is for a person."""


@dataclass(frozen=True, slots=True)
class FitOptions:
    """Options of a fit.

    Attributes:
        family: Family of policies, "logit", "ramps" or "tree".
        features: Features of a logit policy: groups ("boards", "kinds", "slopes") and single ones,
            such as "ace@on_3rd".
        name: Name of the policy.
        penalty: Weight of the prior; None chooses it by cross-validation.
        likelihood_exponent: Exponent on P(action | holding); None chooses it by cross-validation.
        by_stage: Choose an exponent for 3rd and 4th, for 5th and 6th, and for 7th street, by the
            known downcards; ``likelihood_exponent`` must be None.
        prior: Policy of the same family at the centre of the prior; None stands for common sense.
        players: Fit policies of single players, too.
        least: Smallest number of actions of a player who gets an own policy.
        hidden: Treat all downcards as unknown.
        rounds: Number of times that the hands are read, each time by the policy fitted before.
        seed: Random seed of the folds.
        version: Version of the program, for the provenance.
    """

    family: str = "logit"
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


PARAMETER = "parameter"
"""The part of a fit's table that holds the parameters."""


EXPONENT = "exponent"
"""The part of a fit's table that holds the exponents by street."""


LEAVES = "leaves"
"""The part of a fit's table that holds the sizes of trees."""


@dataclass(frozen=True, slots=True)
class Fit(FigureTable):
    """Fitted policies, and how they were chosen.

    Attributes:
        file: The policies and their provenance.
        choices: Values chosen by cross-validation.
        usage: How many actions of the hands were used.
    """

    file: PolicyFile
    choices: tuple[Choice, ...]
    usage: Usage

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


def choice_figures(choices: Sequence[Choice], exponents: ExponentFit | None) -> dict[Key, Estimate]:
    """Return the held-out scores of the values tried, and the exponents by street."""
    figures = {}
    for one in choices:
        for value, score, error in zip(one.values, one.scores, one.errors, strict=True):
            key = Key(one.by, group=f"{one.what} {value:g}", about="choice")
            figures[key] = Estimate(score, error)
    if exponents is not None:
        ends = zip(exponents.exponents, exponents.low, exponents.high, strict=True)
        for street, (value, low, high) in zip(range(3, 8), ends, strict=True):
            key = Key("likelihood exponent", group=f"street {street}", about=EXPONENT)
            estimate = Estimate(float(value), low=float(low), high=float(high), n=exponents.lines)
            figures[key] = estimate
    return figures


class FitInProgress:
    """The part that fits of all families share: their input, and the choices made so far."""

    _usage: Usage

    def __init__(
        self,
        hands: Sequence[Replay],
        options: FitOptions,
        read: Gather,
        tick: Tick,
        phase: Tick,
        without: Collection[str],
    ) -> None:
        self._hands = hands
        self._options = options
        self._read = read
        self._tick = tick
        self._phase = phase
        self._without = without
        self._choices: list[Choice] = []
        self._exponent: Exponents = 1.0
        self._exponents: ExponentFit | None = None

    def _sample(self, policies: PolicyFile, grouping: Grouping) -> Sample:
        """Read the hands by policies; raise ``FitError`` if too few actions can be used."""
        sample = self._read(self._hands, policies, grouping)
        self._usage = usage = Usage.of(self._hands, sample)
        if usage.too_few:
            raise FitError(
                f"{usage.actions - usage.used:,} of the {usage.actions:,} actions by choice cannot "
                f"be used, which is more than a tenth: {'; '.join(usage.why_not())}"
            )
        if self._without:
            sample = sample.select(~np.isin(sample.player, list(self._without)))
        if not sample.n_turns:
            raise FitError("nobody in these hands had a choice between actions: nothing to learn")
        return sample.hidden() if self._options.hidden else sample

    def _chosen(self, choice: Choice) -> float:
        self._choices.append(choice)
        return choice.chosen

    def _exponents_of(self, reads: Sequence[StreetRead]) -> Exponents:
        """Return the likelihood exponents that fit held-out reads, one for each street."""
        if not reads:
            raise FitError("no downcards are known: they decide the likelihood exponents by stage")
        self._exponents = fit_exponents(reads, STAGES)
        third, fourth, fifth, sixth, seventh = np.round(self._exponents.exponents, 2).tolist()
        return third, fourth, fifth, sixth, seventh
