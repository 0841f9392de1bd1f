"""Bet policies: P(action | holding), given the chance to win and the situation.

A policy is data (TOML). There are three families, the paper's piecewise linear ``ramps``, a smooth
``logit``, and relational trees (``tree``). A player follows one policy of a ``panel``.
"""

from handread.policy.base import (
    EvenHoldingValues,
    Exponents,
    HoldingValues,
    Policy,
    PolicyError,
    decision_point_at_odds,
    exponent_on,
    legal_actions,
)
from handread.policy.family import PolicyPart, Single
from handread.policy.features import Board
from handread.policy.files import (
    ALIASES,
    PEOPLE_AVERAGE,
    PolicyFile,
    load_policy,
    load_policy_file,
    parse_policy,
    parse_policy_file,
    policy_names,
    policy_text,
    with_measured,
)
from handread.policy.logit import LogitPolicy
from handread.policy.panel import (
    Panel,
    changed,
    discounts,
    evidence_tables,
    in_game,
    learning_of,
    members_of,
    panel_of,
    single,
    weights_of,
)
from handread.policy.provenance import (
    HitRates,
    Measured,
    Provenance,
    fingerprint,
    policy_hash,
    spot_kind,
)
from handread.policy.ramps import Ramp, RampPolicy
from handread.policy.tree import TreePolicy
from handread.policy.uncertainty import Uncertainty

__all__ = ["ALIASES", "PEOPLE_AVERAGE", "Board", "EvenHoldingValues", "Exponents", "HitRates"]
__all__ += [
    "HoldingValues",
    "LogitPolicy",
    "Measured",
    "Panel",
    "Policy",
    "PolicyError",
    "PolicyPart",
]
__all__ += ["PolicyFile", "Provenance", "Ramp", "RampPolicy", "Single", "TreePolicy", "Uncertainty"]
__all__ += ["changed", "decision_point_at_odds", "discounts", "evidence_tables", "exponent_on"]
__all__ += ["fingerprint", "in_game", "learning_of", "legal_actions", "load_policy"]
__all__ += ["load_policy_file", "members_of", "panel_of", "parse_policy", "parse_policy_file"]
__all__ += ["policy_hash", "policy_names", "policy_text", "single", "spot_kind", "weights_of"]
__all__ += ["with_measured"]
