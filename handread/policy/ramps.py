"""The paper's family of policies (section IV, Table I, Figure 5).

Piecewise linear in x = -log_N(p), p the chance to win and N the number of active players, with the
effective odds e at x_e = -log_N(e). With the *lapse* probability, an addition to the paper, the
player takes a random legal action, so that no action of a human is impossible.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import astuple, dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np

from handread.arrays import Floats
from handread.policy.family import Single
from handread.policy.fields import Fields, toml_items

RAMPS = ("bet", "raise", "fold")
PARTS = ("x0", "width", "y0", "y1")
PARAMETERS = (*(f"{ramp}.{part}" for ramp in RAMPS for part in PARTS), "lapse")
"""Names of the parameters of a fit: the logarithm of a width, the log-odds of levels and lapse."""

NARROWEST, WIDEST, LOWEST = 0.02, 1000.0, 0.002
"""Least and greatest width of a fitted ramp, and the least distance of its levels from 0 and 1."""

FIELDS = ("x0", "x1", "y0", "y1")


@dataclass(frozen=True, slots=True)
class Ramp:
    """A probability that is ``y0`` left of ``x0``, ``y1`` right of ``x1``, linear between."""

    x0: float
    x1: float
    y0: float
    y1: float

    @classmethod
    def read(cls, fields: Fields, name: str) -> Self:
        """Return the ramp of a table of a policy file."""
        table = fields.table(name, ", ".join(FIELDS))
        table.nothing_else(FIELDS)
        ramp = cls(
            x0=table.number("x0"),
            x1=table.number("x1"),
            y0=table.probability("y0"),
            y1=table.probability("y1"),
        )
        if ramp.x0 > ramp.x1:
            raise table.fault("x0", f"at most x1 = {ramp.x1:g}", ramp.x0)
        return ramp

    def at(self, x: Floats) -> Floats:
        """Return the probability at each x, to show a ramp with."""
        if self.x0 == self.x1:
            return np.where(x < self.x0, self.y0, self.y1)
        return np.interp(x, (self.x0, self.x1), (self.y0, self.y1))


@dataclass(frozen=True)
class RampPolicy(Single):
    """The paper's family: a ramp to bet, one to raise, one to fold the rest.

    ``fold`` is a function of x - x_e, ``bet`` and ``raise_`` are functions of x. ``bluff`` is the
    share of the folding hands that raise instead if it is legal.
    """

    bet: Ramp
    raise_: Ramp
    fold: Ramp
    bluff: float = 0.0

    family: ClassVar[str] = "ramps"
    fields: ClassVar[tuple[str, ...]] = ("bluff", *RAMPS, "uncertainty")
    parameters: ClassVar[tuple[str, ...]] = PARAMETERS

    @property
    def ramps(self) -> tuple[Ramp, Ramp, Ramp]:
        """The ramps in the order of ``RAMPS``."""
        return self.bet, self.raise_, self.fold

    @property
    def blind(self) -> bool:
        """True if its actions do not depend on the downcards: they carry no information."""
        return self.lapse == 1.0 or all(ramp.y0 == ramp.y1 for ramp in self.ramps)

    @classmethod
    def read_own(cls, fields: Fields) -> dict[str, Any]:
        """Read the ramps, the bluffs and the lapse, all required, from a table of a file."""
        bluff = fields.probability("bluff", 0.0)
        if bluff and "uncertainty" in fields:
            raise fields.fault("bluff", "none beside [uncertainty], which no fit gives it", "there")
        lapse = fields.probability("lapse")
        bet, raise_, fold = (Ramp.read(fields, name) for name in RAMPS)
        return {"bluff": bluff, "lapse": lapse, "bet": bet, "raise_": raise_, "fold": fold}

    def own_lines(self, within: str) -> Iterator[str]:
        """Yield the lines of the ramps."""
        yield from toml_items({"bluff": self.bluff} if self.bluff else {})
        for name, ramp in zip(RAMPS, self.ramps, strict=True):
            values = dict(zip(FIELDS, astuple(ramp), strict=True))
            yield from ("", f"[{within}{name}]", *toml_items(values))

    def vector(self) -> Floats:
        """Return the parameters (13,), any real numbers; ``TypeError`` if the policy bluffs."""
        if self.bluff:
            raise TypeError(f"{self.name} is no policy of plain ramps")
        out: list[float] = []
        for ramp in self.ramps:
            width = min(WIDEST, max(NARROWEST, ramp.x1 - ramp.x0))
            out += [ramp.x0, math.log(width), log_odds(ramp.y0), log_odds(ramp.y1)]
        return np.array([*out, log_odds(self.lapse)])

    @classmethod
    def of(cls, vector: Floats, name: str, **common: Any) -> Self:
        """Return the policy of parameters, rounded to four digits."""
        ramps, lapse = ramps_of(vector)
        bet, raise_, fold = (
            Ramp(round(x0, 4), round(x0 + width, 4), round(y0, 4), round(y1, 4))
            for x0, width, y0, y1 in ramps.tolist()
        )
        return cls(name, bet, raise_, fold, lapse=round(lapse, 4), **common)

    def moved(self, changes: Mapping[str, float]) -> Self:
        """Return the policy with steps added to parameters by name; the lapse is optional."""
        vector = self.vector() + [changes.get(name, 0.0) for name in PARAMETERS]
        policy = self.of(vector, self.name, likelihood_exponent=self.likelihood_exponent)
        return policy if "lapse" in changes else replace(policy, lapse=self.lapse)

    def own_arrays(self) -> dict[str, Any]:
        """Return the parameters by field of ``kernels.rollout_state.Policies``."""
        # The kernel has ramps as x0, width, y0, y1.
        ramps = [(ramp.x0, ramp.x1 - ramp.x0, ramp.y0, ramp.y1) for ramp in self.ramps]
        return {"ramps": np.array(ramps), "bluffs": self.bluff}


def natural(name: str, value: float) -> float:
    """Return a fitted parameter as in a policy file: for ramps a width or a probability."""
    part = name.rpartition(".")[2]
    if part == "width":
        return _width(value)
    return level(value) if part in ("y0", "y1", "lapse") else value


def ramps_of(vector: Floats) -> tuple[Floats, float]:
    """Return the ramps (3, 4) of parameters (13,) as in the kernel, and the lapse."""
    ramps = [
        [x0, _width(log_width), level(low), level(high)]
        for x0, log_width, low, high in vector[:-1].reshape(3, 4).tolist()
    ]
    return np.array(ramps), level(vector[-1])


def level(log_odds: float) -> float:
    """Return a probability from its log-odds."""
    return 1.0 / (1.0 + math.exp(-min(30.0, max(-30.0, log_odds))))


def _width(log_width: float) -> float:
    return math.exp(min(math.log(WIDEST), max(math.log(NARROWEST), log_width)))


def log_odds(p: float) -> float:
    """Return the log-odds of a probability, at least ``LOWEST`` from 0 and 1."""
    kept = min(1.0 - LOWEST, max(LOWEST, p))
    return math.log(kept / (1.0 - kept))
