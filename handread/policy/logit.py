"""A smooth family of policies: the log-odds of an action are a weighted sum of features.

They are the log-odds of a bet against a check, or of a fold and of a raise against a call (a
multinomial logit). No boundary is sharp, so that no action of a human is impossible.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np

from handread.arrays import Floats
from handread.policy.family import ON_7TH, Part, Single
from handread.policy.features import (
    CONDITIONS,
    STUD_HIGH,
    feature_words,
)
from handread.policy.fields import OLD_NAMES, Fields, toml_items

FEATURES = STUD_HIGH.names
"""Names of the weights."""

HOLDING_FEATURES = tuple(FEATURES[i] for i in STUD_HIGH.columns[1].ravel())
"""Those of the weights that tell holdings apart."""

HEADS = ("bet", "fold", "raise")
"""Actions with weights; check and call have log-odds of 0."""

PARAMETERS = tuple(f"{head}.{feature}" for head in HEADS for feature in FEATURES)
"""Names of all weights in the uncertainty of a fitted policy."""

CODE_FIELDS = (STUD_HIGH.shifts, STUD_HIGH.masks, STUD_HIGH.values)
"""The bit fields of the code of a holding, for kernels."""

Weights = tuple[float, ...]


@dataclass(frozen=True)
class LogitPolicy(Single):
    """Weights of the features for each action of ``HEADS``, in the order of ``FEATURES``.

    Weights that are left out at the end are 0.
    """

    bet: Weights
    fold: Weights
    raise_: Weights

    family: ClassVar[str] = "logit"
    fields: ClassVar[tuple[str, ...]] = (*HEADS, "uncertainty", "games")
    parameters: ClassVar[tuple[str, ...]] = PARAMETERS
    shown: ClassVar[str] = ON_7TH

    def __post_init__(self) -> None:
        for head in ("bet", "fold", "raise_"):
            own = getattr(self, head)
            object.__setattr__(self, head, (*own, *[0.0] * (len(FEATURES) - len(own))))

    @cached_property
    def holding_weights(self) -> Floats:
        """The weights of the features of a holding, (heads, 1 + conditions, features)."""
        return self._heads[:, STUD_HIGH.columns[1]]

    @property
    def _heads(self) -> Floats:
        """The weights of all features by head."""
        return np.array([self.bet, self.fold, self.raise_])

    @property
    def blind(self) -> bool:
        """True if its actions do not depend on the downcards: they carry no information."""
        return self.lapse == 1.0 or not self.holding_weights.any()

    @classmethod
    def read_own(cls, fields: Fields) -> dict[str, Any]:
        """Return the weights of a table of a file."""
        bet, fold, raise_ = (_weights(fields, head) for head in HEADS)
        return {"bet": bet, "fold": fold, "raise_": raise_}

    def own_lines(self, within: str) -> Iterator[str]:
        """Yield the lines of the weights: a table a head, then those of the conditions."""
        for head, weights in zip(HEADS, (self.bet, self.fold, self.raise_), strict=True):
            tables: dict[str, dict[str, float]] = {"": {}}
            for feature, weight in zip(FEATURES, weights, strict=True):
                name, _, condition = feature.partition("@")
                if weight:
                    tables.setdefault(condition, {})[name] = weight
            for condition, table in tables.items():
                place = f"{head}.{condition}" if condition else head
                yield from ("", f"[{within}{place}]", *toml_items(table))

    def details(self) -> dict[str, Any]:
        """Return what JSON has of the policy: by feature the weight in each head."""
        return super().details() | {"weights": self._by_feature()}

    def _by_feature(self) -> dict[str, dict[str, float]]:
        """By feature the weight in each head; without the features that weigh nothing."""
        heads = zip(self.bet, self.fold, self.raise_, strict=True)
        return {
            feature: dict(zip(HEADS, weights, strict=True))
            for feature, weights in zip(FEATURES, heads, strict=True)
            if any(weights)
        }

    def parts(self) -> Iterator[Part]:
        """Yield the table of the weights."""
        words = feature_words()
        words |= {f: f"the same {CONDITIONS[f.partition('@')[2]]}" for f in FEATURES if "@" in f}
        table = [["weight of", *HEADS, ""]]
        for feature, weights in self._by_feature().items():
            numbers = (f"{weight:+z.2f}" for weight in weights.values())
            table.append([feature, *numbers, words[feature]])
        head = "log-odds of a bet against a check, of a fold or raise against a call"
        yield Part(head, table, left=(0, len(HEADS) + 1))

    def vector(self) -> Floats:
        """Return the weights by head (K,)."""
        return self._heads.ravel()

    @classmethod
    def of(cls, vector: Floats, name: str, **common: Any) -> Self:
        """Return the policy of weights (K,), rounded to four digits."""
        heads = vector.reshape(len(HEADS), -1).tolist()
        return cls(name, *(tuple(round(weight, 4) for weight in head) for head in heads), **common)

    def moved(self, changes: Mapping[str, float]) -> Self:
        """Return the policy with steps added to weights by name."""
        vector = self.vector().copy()
        for name, change in changes.items():
            vector[PARAMETERS.index(name)] += change
        bet, fold, raise_ = map(tuple, vector.reshape(len(HEADS), -1).tolist())
        return replace(self, bet=bet, fold=fold, raise_=raise_, uncertainty=None)

    def own_arrays(self) -> dict[str, Any]:
        """Return the parameters by field of ``kernels.rollout_state.Policies``."""
        common = self._heads[:, STUD_HIGH.columns[0]]
        return {"logits": 1, "common": common, "own": self.holding_weights}


def _weights(fields: Fields, name: str) -> Weights:
    """Return the weights of a head; 0 for features that are left out."""
    table = fields.table(name, "weights of features").renamed(OLD_NAMES)
    plain = table.without(CONDITIONS)
    plain.nothing_else(tuple(feature for feature in FEATURES if "@" not in feature))
    tables = {"": plain}
    for condition in CONDITIONS:
        if condition in table:
            tables[condition] = table.table(condition, "weights of features of holdings")
            tables[condition].nothing_else(STUD_HIGH.holding)
    return tuple(_weight(tables, *feature.partition("@")[::2]) for feature in FEATURES)


def _weight(tables: Mapping[str, Fields], feature: str, condition: str) -> float:
    return tables[condition].number(feature, 0.0) if condition in tables else 0.0
