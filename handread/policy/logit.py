"""A smooth family of policies: the log-odds of an action are a weighted sum of features.

For a decision s and a holding l,

    g[a]        = sum over i of w[a, i] x_i(s) + sum over j of t[a, j] z_j(l)
    t[a, j]     = v[a, j] + sum over c of u[a, c, j] c(s)
    P(a | s, l) = exp g[a] / the sum of exp g over the legal actions,

a multinomial logit. a is a bet, with g = 0 for a check, or a fold or a raise, with g = 0 for a
call; x are features of the decision, z of the holding, c conditions of the decision, 0 or 1
(``policy.features``). ``w`` and ``v`` stand in the table ``[bet]`` of a file, ``u`` in
``[bet.on_3rd]`` and so on. With the *lapse* probability the player takes a random legal action.

The paper's figure 5 draws policies over x = -log_N(p), for a chance to win of p among N players.
The feature ``chance`` is the same scale, ln(N p) = (1 - x) ln N, from -2 to 2, and 0 for a fair
share. Beside it stands the rank of the holding among all that the upcards allow: ``percentile``.

Why not the paper's ramps? They say "never" at their ends, and one such action of a player rules out
the true downcards for the rest of the hand: ``default`` did so in two of five reads of real
players. Log-odds have no edges. Simulated players who bet by ramps are predicted better by ramps,
so that ``fit`` compares both families on hands held out (docs/fit.md).

Tried and dropped (docs/policies.md has the figures):

* Weights of pairs, draws and other kinds of holdings, and slopes: chance and percentile say nearly
  all that 145 hands can teach, and the fits read worse by .02 bits on 4th and .06 on 5th street.
  They can still be fitted (``fit --features``).
* Slopes of chance and percentile by street, bets or players: no gain beyond chance.
* Constants or weights of their own for razz and hi/lo: reads of razz lose .04 to .14 bits.
  ``people-mixed`` has one set of weights for all games.
* The chances of the high and of the low of hi/lo apart: .18 bits worse on late streets.
* ``players`` goes on growing in larger pots than the fit has seen: ``crowd``, the logarithm of at
  most six players, took its place.
* The chance to win less the effective odds (rational play): reads of razz gain .03 to .07 bits,
  half of it in a mixture of styles; reads of hi/lo lose .01.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np

from handread.arrays import Floats
from handread.policy.family import ON_7TH, PolicyPart, Single
from handread.policy.features import CONDITIONS, STUD_HIGH, feature_words
from handread.policy.fields import OLD_NAMES, Fields, toml_items

FEATURES = STUD_HIGH.names

HOLDING_FEATURES = tuple(FEATURES[i] for i in STUD_HIGH.columns[1].ravel())
"""Names of the weights that differ between holdings."""

HEADS = ("bet", "fold", "raise")
"""Actions with weights; check and call have log-odds of 0."""

PARAMETERS = tuple(f"{head}.{feature}" for head in HEADS for feature in FEATURES)
"""Names of all weights in the uncertainty of a fitted policy."""

CODE_FIELDS = (STUD_HIGH.shifts, STUD_HIGH.masks, STUD_HIGH.values)
"""The bit fields of the code of a holding, for kernels."""

Weights = tuple[float, ...]


@dataclass(frozen=True)
class LogitPolicy(Single):
    """Weights of the features for each action of ``HEADS``, as ``FEATURES``; omitted ones are 0."""

    bet: Weights
    fold: Weights
    raise_: Weights

    family: ClassVar[str] = "logit"
    fields: ClassVar[tuple[str, ...]] = (*HEADS, "uncertainty", "games")
    parameters: ClassVar[tuple[str, ...]] = PARAMETERS
    shown: ClassVar[str] = ON_7TH

    def __post_init__(self) -> None:
        for head in ("bet", "fold", "raise_"):
            weights = getattr(self, head)
            object.__setattr__(self, head, (*weights, *[0.0] * (len(FEATURES) - len(weights))))

    @cached_property
    def holding_weights(self) -> Floats:
        """The weights of the features of a holding, (heads, 1 + conditions, features)."""
        return self._heads[:, STUD_HIGH.columns[1]]

    @property
    def _heads(self) -> Floats:
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
        """Yield the lines of the weights: a table for each head, then its conditions."""
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
        """Return the fields of JSON: by feature the weight in each head."""
        return super().details() | {"weights": self._by_feature()}

    def _by_feature(self) -> dict[str, dict[str, float]]:
        heads = zip(self.bet, self.fold, self.raise_, strict=True)
        return {
            feature: dict(zip(HEADS, weights, strict=True))
            for feature, weights in zip(FEATURES, heads, strict=True)
            if any(weights)
        }

    def parts(self) -> Iterator[PolicyPart]:
        """Yield the table of the weights."""
        words = feature_words()
        words |= {f: f"the same {CONDITIONS[f.partition('@')[2]]}" for f in FEATURES if "@" in f}
        table = [["weight of", *HEADS, ""]]
        for feature, weights in self._by_feature().items():
            numbers = (f"{weight:+z.2f}" for weight in weights.values())
            table.append([feature, *numbers, words[feature]])
        head = "log-odds of a bet against a check, of a fold or raise against a call"
        yield PolicyPart(head, table, left=(0, len(HEADS) + 1))

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
    """Return the weights of a head; omitted features have 0."""
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
