"""Families of policies as vectors of free parameters, for a fit.

``Logits`` has the weights of features. ``Ramps`` has, for each ramp of the paper, its left end, the
logarithm of its width and the log-odds of its two levels: all values are allowed, and the slopes
are smooth.
"""

import math
from collections.abc import Collection
from typing import Any, Protocol

import numpy as np

import handread.policy.ramps as ramp_policies
from handread.arrays import Flags, Floats, Ints
from handread.kernels.logit import logit_rows
from handread.kernels.ramps import ramp_rows
from handread.policy import Exponents, LogitPolicy, RampPolicy, Single, load_policy, single
from handread.policy.features import BOARD_FEATURES, REPLACED, STUD_HIGH
from handread.policy.logit import CODE_FIELDS, FEATURES, HEADS
from handread.study.fit.sample import Grouping, Sample


class Family(Protocol):
    """A family of policies as vectors of unbounded parameters (K,)."""

    grouping: Grouping
    """The rule that groups possible holdings."""

    names: tuple[str, ...]
    """Names of the parameters, as in a policy file ("fold.percentile")."""

    tightness: Floats
    """Precision of the prior at penalty 1, (K,): 1 / its variance."""

    personal: Floats
    """Precision at shrinkage 1 of a player's parameters around everybody's, (K,)."""

    bounds: Floats | None = None
    """Least and greatest parameters (2, K), at which errors mislead; None without bounds."""

    def common_sense(self) -> Floats:
        """Return the centre of the prior if no policy is given, (K,)."""

    def outset(self) -> Floats:
        """Return the start of a search, (K,)."""
        return self.common_sense()

    def vector(self, policy: Single) -> Floats:
        """Return the parameters of a policy of the family, (K,)."""

    def policy(self, vector: Floats, name: str, exponent: Exponents) -> Single:
        """Return the policy of parameters."""

    def log_odds(self, vector: Floats, sample: Sample) -> Floats:
        """Return the logarithm of P(action | group) of each row, (R,)."""

    def slopes(self, vector: Floats, sample: Sample, posterior: Floats) -> Floats:
        """Return the slopes of the evidence by the parameters, by turn (T, K).

        ``posterior`` is the probability of each group after the actions, (G,).
        """


N_FEATURES = len(FEATURES)
COMMON, OWN = STUD_HIGH.columns

GROUPS = {"boards": 1.5, "kinds": 10.0, "slopes": 10.0}
"""Groups of features that may be fitted, and the precision of their weights at penalty 1.

They are the upcards, the kinds of holdings, and the changes of the weights of holdings under
conditions. The features of the decision are in every fit, except for ``REPLACED``.
"""

NAMED = 3.0
"""Precision of the weight of a feature that is requested by name, at penalty 1."""

FIRST = ("boards",)
"""Groups and single features that are fitted by default."""

SENSE = {
    "bet": {"percentile": 0.5, "chance": 0.5},
    "fold": {"percentile": -0.5, "chance": -0.5},
    "raise": {"percentile": 0.5, "chance": 0.5},
}
"""The better the holding, the more bets and raises, and the fewer folds.

Without this prior, if no downcards are known, a fit separates strong from weak hands, but cannot
say which is which."""

TIGHTNESS = {"constant": 0.1, "chance": 5.0}
"""Precision of the prior of the plain weights at penalty 1; 1 for others.

Nobody knows beforehand how readily people act. The percentile and the chance to win order the
holdings alike; the percentile does so in the same manner on every street.
"""

BET_CONDITIONS = ("on_3rd", "late", "heads_up")
"""Conditions under which a bet can be legal."""

PERSONAL = {"constant": 1.0, "third": 2.0, "percentile": 2.0, "led": 2.0}
"""Precision of a player's weights at shrinkage 1; 8 for others.

Readiness to act, and how much the downcards count, differ more between players than the effects of
street, price or number of opponents.
"""


def _group(feature: str) -> str:
    """Return the group of a feature; empty for a feature in every fit."""
    if "@" in feature:
        return "slopes"
    if feature in REPLACED:
        return feature
    if feature in BOARD_FEATURES:
        return "boards"
    return "kinds" if _of_kind(feature) else ""


def _grouped(feature: str, groups: Collection[str]) -> bool:
    """Return True for a feature of groups; slopes of kinds are only fitted with the kinds."""
    of_kind = "slopes" in groups and "kinds" not in groups and _of_kind(feature)
    return _group(feature) in ("", *groups) and not of_kind


def _of_kind(feature: str) -> bool:
    """Return True for a feature of kinds of holdings, also under a condition."""
    return feature.partition("@")[0] in KINDS


KINDS = {kind.name for kind in STUD_HIGH.kinds}


class Logits(Family):
    """Log-odds that are weighted sums of features; parameters by head.

    The features are those in every fit, and the ``groups``, each a group or the name of a feature.
    """

    def __init__(self, groups: Collection[str] = FIRST) -> None:
        features = [
            (head, feature)
            for head in HEADS
            for feature in FEATURES
            if (feature in groups or _grouped(feature, groups))
            and (head != "bet" or feature.partition("@")[2] in ("", *BET_CONDITIONS))
        ]
        self.names = tuple(f"{head}.{feature}" for head, feature in features)
        masks = STUD_HIGH.code_masks([feature for _, feature in features])
        self.grouping = Grouping(2048, tuple(masks.tolist())) if masks.any() else Grouping(512)
        self._places = np.array(
            [HEADS.index(head) * N_FEATURES + FEATURES.index(f) for head, f in features]
        )
        self._sense = np.array([SENSE[head].get(feature, 0.0) for head, feature in features])
        self.tightness = np.array(
            [
                NAMED if f in groups else GROUPS.get(_group(f), TIGHTNESS.get(f, 1.0))
                for _, f in features
            ]
        )
        self.personal = np.array([PERSONAL.get(feature, 8.0) for _, feature in features])

    def common_sense(self) -> Floats:
        """Return weights that assume little, (K,)."""
        return self._sense

    def outset(self) -> Floats:
        """Return three times the common sense, (K,).

        If no downcards are known the evidence has a second peak, where strong hands fold. No
        search may start near it.
        """
        return 3.0 * self.common_sense()

    def vector(self, policy: Single) -> Floats:
        """Return the weights by head; raise ``TypeError`` if the policy's weights are others."""
        if policy.family != LogitPolicy.family:
            raise TypeError(f"{policy.name} is no logit policy")
        weights = policy.vector()
        vector: Floats = weights[self._places]
        if np.count_nonzero(vector) < np.count_nonzero(weights):
            raise TypeError(f"{policy.name} has weights of features that are not fitted")
        return vector

    def policy(self, vector: Floats, name: str, exponent: Exponents) -> LogitPolicy:
        """Return the policy of weights, rounded to four digits."""
        return LogitPolicy.of(self._heads(vector), name, likelihood_exponent=exponent)

    def log_odds(self, vector: Floats, sample: Sample) -> Floats:
        """Return the logarithm of P(action | group) of each row, (R,)."""
        out = np.empty(sample.percentile.size)
        nothing = np.empty((0, 3)), np.empty((0, 3, OWN.shape[1]))
        logit_rows(*_logit_arguments(self._heads(vector), sample), np.empty(0), out, *nothing)
        return out

    def slopes(self, vector: Floats, sample: Sample, posterior: Floats) -> Floats:
        """Return the slopes of the evidence by the weights, by turn (T, K)."""
        n = sample.n_turns
        by_common, by_slopes = np.zeros((n, 3)), np.zeros((n, 3, OWN.shape[1]))
        arguments = _logit_arguments(self._heads(vector), sample)
        logit_rows(*arguments, posterior, np.empty(0), by_common, by_slopes)
        out = np.empty((n, len(self.names)))
        head, feature = np.divmod(self._places, N_FEATURES)
        shared = np.isin(feature, COMMON)
        places = {int(f): i for i, f in enumerate(COMMON)}
        at = [places[f] for f in feature[shared].tolist()]
        out[:, shared] = by_common[:, head[shared]] * sample.features[:, at]
        places = {int(f): i for i, f in enumerate(OWN.ravel())}
        at = [places[f] for f in feature[~shared].tolist()]
        condition, of_holding = np.divmod(np.array(at), OWN.shape[1])
        slopes = by_slopes[:, head[~shared], of_holding]
        out[:, ~shared] = slopes * _conditions(sample)[:, condition]
        return out

    def _heads(self, vector: Floats) -> Floats:
        """Return the weights of all features, (heads, features)."""
        weights = np.zeros(len(HEADS) * N_FEATURES)
        weights[self._places] = vector
        return weights.reshape(len(HEADS), N_FEATURES)


def _conditions(sample: Sample) -> Floats:
    return np.concatenate([np.ones((sample.n_turns, 1)), sample.conditions], axis=1)


LogitArguments = tuple[Ints, Ints, Ints, Flags, Floats, Floats, Any, Any]
RampArguments = tuple[Ints, Ints, Ints, Flags, Floats, float, Floats, Any]


def _logit_arguments(heads: Floats, sample: Sample) -> LogitArguments:
    common = sample.features @ heads[:, COMMON].T
    slopes = np.einsum("tc,hcf->thf", _conditions(sample), heads[:, OWN])
    holdings = (2.0 * sample.percentile - 1.0, sample.chance, sample.code)
    who = (sample.turns, sample.groups, sample.action, sample.legal)
    return *who, common, slopes, holdings, CODE_FIELDS


FARTHEST = 20.0
"""Greatest distance from 0 of the left end of a ramp."""

SPREAD = {"x0": 0.4, "width": 0.8, "y0": 1.2, "y1": 1.2}
"""Standard deviation of the prior of each part at penalty 1."""


class Ramps(Family):
    """Twelve numbers of ramps, and the log-odds of the lapse."""

    grouping = Grouping(512)
    names = ramp_policies.PARAMETERS

    def __init__(self) -> None:
        ramp = [SPREAD[part] ** -2.0 for part in ramp_policies.PARTS]
        # The centre has many lapses and rules little out: no reason to hold a fit to it.
        self.tightness = np.array([*(ramp * len(ramp_policies.RAMPS)), 0.1])
        highest = -ramp_policies.log_odds(0.0)
        least = [-FARTHEST, math.log(ramp_policies.NARROWEST), -highest, -highest]
        most = [FARTHEST, math.log(ramp_policies.WIDEST), highest, highest]
        bounds = [[*side * len(ramp_policies.RAMPS), side[-1]] for side in (least, most)]
        self.bounds = np.array(bounds)
        self.personal = 2.0 * self.tightness

    def common_sense(self) -> Floats:
        """Return the ramps of the preset ``loose``, wide and low, with many lapses, (K,)."""
        return self.vector(loose())

    def vector(self, policy: Single) -> Floats:
        """Return the parameters; raise ``TypeError`` for another family, or for bluffs."""
        if policy.family != RampPolicy.family:
            raise TypeError(f"{policy.name} is no policy of plain ramps")
        return policy.vector()

    def policy(self, vector: Floats, name: str, exponent: Exponents) -> RampPolicy:
        """Return the policy of parameters, rounded to four digits."""
        return RampPolicy.of(vector, name, likelihood_exponent=exponent)

    def log_odds(self, vector: Floats, sample: Sample) -> Floats:
        """Return the logarithm of P(action | group) of each row, (R,)."""
        out = np.empty(sample.percentile.size)
        ramp_rows(*_ramp_arguments(vector, sample), np.empty(0), out, np.empty((0, 13)))
        return out

    def slopes(self, vector: Floats, sample: Sample, posterior: Floats) -> Floats:
        """Return the slopes of the evidence by the parameters, by turn (T, K)."""
        out = np.zeros((sample.n_turns, len(self.names)))
        ramp_rows(*_ramp_arguments(vector, sample), posterior, np.empty(0), out)
        log_width = vector[:-1].reshape(3, 4)[:, 1]
        bounded = (log_width < math.log(ramp_policies.NARROWEST)) | (
            log_width > math.log(ramp_policies.WIDEST)
        )
        out[:, 1:-1:4] *= ~bounded
        for place in (2, 3, 6, 7, 10, 11, 12):  # the levels and the lapse are log-odds
            p = ramp_policies.level(vector[place])
            out[:, place] *= p * (1.0 - p)
        return out


def _ramp_arguments(vector: Floats, sample: Sample) -> RampArguments:
    ramps, lapse = ramp_policies.ramps_of(vector)
    who = (sample.turns, sample.groups, sample.action, sample.legal)
    return *who, ramps, lapse, sample.odds_x, sample.x


def loose() -> Single:
    """Return a policy that rules little out."""
    return single(load_policy("loose")).with_lapse(0.3)
