"""The uncertainty of the parameters of a fitted policy, and its form in policy files."""

from __future__ import annotations

import base64
import binascii
import zlib
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from handread.arrays import Floats
from handread.policy.fields import Fields

UNIT = 1.0 / 32767.0
"""Unit of the 16-bit integers of the factor in a policy file."""

SIDES = ("below", "above")

DIGITS = 4
"""Significant digits of errors in a policy file."""


@dataclass(frozen=True, slots=True, eq=False)
class Uncertainty:
    """The normal distribution of a policy's parameters around the fitted ones.

    The parameters (K,) have standard errors (K,) and a ``factor`` (K, K) that, times its transpose,
    gives their correlations. For a player's policy these are conditional on everybody's parameters;
    ``everybody`` adds the uncertainty of the latter, and ``held`` is the precision (K,) with which
    the prior holds the parameters to them. In an asymmetric distribution, ``sides`` has the
    standard errors below and above the fitted parameters (2, K): each half of the normal
    distribution is stretched by its own.
    """

    parameters: tuple[str, ...]
    errors: Floats
    factor: Floats
    held: Floats | None = None
    everybody: Uncertainty | None = None
    sides: Floats | None = None

    @classmethod
    def of(
        cls,
        parameters: tuple[str, ...],
        covariance: Floats,
        held: Floats | None = None,
        everybody: Uncertainty | None = None,
    ) -> Uncertainty:
        """Return the uncertainty with a covariance (K, K)."""
        errors = np.sqrt(np.diag(covariance))
        factor = np.linalg.cholesky(covariance) / errors[:, None]
        return cls(parameters, errors, factor, held, everybody)

    @classmethod
    def between(cls, parameters: tuple[str, ...], covariance: Floats, sides: Floats) -> Uncertainty:
        """Return the uncertainty with the correlations of a covariance, and errors by side."""
        errors = np.sqrt((sides**2).mean(axis=0))
        return replace(cls.of(parameters, covariance), errors=errors, sides=sides)

    @property
    def covariance(self) -> Floats:
        """The covariance (K, K); a player's is around everybody's parameters."""
        root = self.errors[:, None] * self.factor
        return root @ root.T

    def steps(self, n: int, seed: int) -> Floats:
        """Draw n differences (n, K) from the fit; players fitted together move with everybody."""
        digest = zlib.crc32(np.ascontiguousarray(self.errors[:, None] * self.factor).tobytes())
        normal = np.random.default_rng([seed, digest]).normal(size=(n, self.factor.shape[1]))
        unit = normal @ self.factor.T
        below, above = (self.errors, self.errors) if self.sides is None else self.sides
        steps: Floats = unit * np.where(unit < 0.0, below, above)
        if self.everybody is not None and self.held is not None:
            # A player's most probable parameters follow the centre of their prior by C P, with the
            # covariance C around it and the precision P of the prior.
            steps += (self.everybody.steps(n, seed) * self.held) @ self.covariance
        return steps

    def without(self, parameter: str) -> Uncertainty:
        """Return the uncertainty without a parameter, if it is among them."""
        kept = [i for i, name in enumerate(self.parameters) if name != parameter]
        return replace(
            self,
            parameters=tuple(self.parameters[i] for i in kept),
            errors=self.errors[kept],
            factor=self.factor[kept],
            held=None if self.held is None else self.held[kept],
            sides=None if self.sides is None else self.sides[:, kept],
            everybody=None if self.everybody is None else self.everybody.without(parameter),
        )

    def alone(self) -> Uncertainty:
        """Return the same distribution without reference to everybody."""
        if self.everybody is None or self.held is None:
            return self
        moved = self.covariance * self.held
        covariance = self.covariance + moved @ self.everybody.covariance @ moved.T
        return Uncertainty.of(self.parameters, covariance)

    def record(self) -> Iterator[tuple[str, Any]]:
        """Yield the fields of the table of a policy file."""
        size = len(self.parameters)
        if self.everybody is None:  # a player shares everybody's
            yield "parameters", self.parameters
        yield "errors", tuple(float(f"{error:.{DIGITS}g}") for error in self.errors)
        if self.held is not None:
            yield "held", tuple(self.held.tolist())
        for name, side in zip(SIDES, () if self.sides is None else self.sides, strict=False):
            yield name, tuple(float(f"{error:.{DIGITS}g}") for error in side)
        triangle = self.factor[np.tril_indices(size)]
        yield "factor", base64.b64encode(np.rint(triangle / UNIT).astype("<i2").tobytes()).decode()

    @classmethod
    def read(
        cls, fields: Fields, known: Collection[str], everybody: Uncertainty | None = None
    ) -> Uncertainty:
        """Read the table of a policy file; ``known`` are the parameters of the policy's family.

        A player's table refers to everybody's, unless it names its own parameters.

        Raises:
            PolicyError: A field is missing or has another form.
        """
        if "parameters" in fields:
            everybody = None
        keys = ("parameters",) if everybody is None else ("held",)
        fields.nothing_else((*keys, "errors", "factor", *SIDES))
        names = fields.texts("parameters") if everybody is None else everybody.parameters
        for name in names:
            if name not in known or names.count(name) > 1:
                raise fields.fault("parameters", "names of different parameters", name)
        errors = _numbers(fields, "errors", len(names))
        held = None if everybody is None else _numbers(fields, "held", len(names))
        sides = None
        if any(name in fields for name in SIDES):
            sides = np.stack([_numbers(fields, name, len(names)) for name in SIDES])
        return cls(
            names,
            errors,
            factor=_factor(fields, len(names)),
            held=held,
            everybody=everybody,
            sides=sides,
        )


def _numbers(fields: Fields, name: str, size: int) -> Floats:
    """Return a list of numbers, 0 or more."""
    numbers = fields.numbers(name)
    if len(numbers) != size or min(numbers, default=0.0) < 0.0:
        raise fields.fault(name, f"{size} numbers, 0 or more", f"{len(numbers)} numbers")
    return np.array(numbers)


def _factor(fields: Fields, size: int) -> Floats:
    """Return the factor (K, K) from its lower triangle, row by row."""
    expected = f"{size * (size + 1) // 2} integers of 16 bits in base64"
    try:
        data = base64.b64decode(fields.text("factor"), validate=True)
    except (binascii.Error, ValueError):
        raise fields.fault("factor", expected, "no base64") from None
    if len(data) != size * (size + 1):
        raise fields.fault("factor", expected, f"{len(data)} bytes")
    factor = np.zeros((size, size))
    factor[np.tril_indices(size)] = np.frombuffer(data, "<i2") * UNIT
    return factor
