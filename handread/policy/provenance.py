"""Where a fitted policy comes from."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from handread.history import History
from handread.policy.base import Policy
from handread.policy.fields import Fields


@dataclass(frozen=True, slots=True)
class Provenance:
    """What a policy was fitted to.

    ``hands`` were seen, ``actions`` taken in them by choice, ``known`` counts those of players
    whose downcards are known. ``evidence_bits`` is log2 of the probability of all actions under
    the policy, ``penalty`` the weight of its prior. ``seen`` are the
    fingerprints of the hands, so that a score on them is known for what it is; ``version`` is
    that of the program. ``players`` has the name, hands and actions of each player with a policy
    of its own.
    """

    version: str
    hands: int
    actions: int
    known: int
    evidence_bits: float
    penalty: float
    seen: tuple[str, ...]
    players: tuple[tuple[str, int, int], ...] = ()

    def record(self) -> dict[str, Any]:
        """The fields as plain values, but for the players."""
        return {key: value for key, value in asdict(self).items() if key != "players"}

    @classmethod
    def read(cls, fields: Fields) -> Provenance:
        """Of a table of a policy file; ``PolicyError`` for a fault in it."""
        fields.nothing_else(tuple(cls.__annotations__))
        return cls(
            version=fields.text("version"),
            hands=fields.count("hands"),
            actions=fields.count("actions"),
            known=fields.count("known"),
            evidence_bits=fields.number("evidence_bits"),
            penalty=fields.number("penalty"),
            seen=fields.texts("seen"),
            players=tuple((name, *counts) for name, counts in fields.pairs("players").items()),
        )


def fingerprint(history: History) -> str:
    """Eight hexadecimal digits that tell a hand from others, whatever file it stands in.

    Made of the id, the variant and who sits where.
    """
    seats = [(seat.number, seat.name) for seat in history.seats]
    text = repr((history.hand_id, history.variant, seats))
    return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()[:8]


def policy_hash(policy: Policy) -> str:
    """Twelve hexadecimal digits of SHA-256 that tell policies apart which act differently.

    Made of the family and every parameter, not of names, titles and where they come from.
    """
    # A policy is whatever acts like one; all that there are, are dataclasses.
    parameters = _parameters(policy, asdict(policy))  # type: ignore[call-overload]
    text = json.dumps(parameters, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def _parameters(policy: object, fields: Mapping[str, Any]) -> dict[str, Any]:
    found = {key: value for key, value in fields.items() if key not in ("name", "title", "source")}
    members = getattr(policy, "members", ())
    if members:
        pairs = zip(members, fields["members"], strict=True)
        found["members"] = [_parameters(member, own) for member, own in pairs]
    return {"family": type(policy).__name__, **found}
