"""The origin of a fitted policy, and hashes of hands and policies."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from functools import lru_cache
from typing import Any

from handread.game.rules import DEFAULT
from handread.game.steps import DecisionPoint
from handread.history import History
from handread.policy.base import Policy
from handread.policy.fields import Fields, toml_items


@dataclass(frozen=True, slots=True)
class Provenance:
    """The data that a policy was fitted to, with the version of the program.

    ``actions`` counts voluntary actions, ``known`` those by players with known downcards.
    ``evidence_bits`` is log2 of the probability of all actions under the policy; ``seen`` are the
    fingerprints of the hands, to recognise a score on the training data. ``players`` has name,
    hands and actions of each player with a policy of their own, ``games`` the hands of each game.
    ``families`` has log2 of the mean probability of a player's actions in a held-out hand for each
    family compared, ``spots`` the decisions of each ``spot_kind``; older files have neither.
    """

    version: str
    hands: int
    actions: int
    known: int
    evidence_bits: float
    penalty: float
    seen: tuple[str, ...]
    players: tuple[tuple[str, int, int], ...] = ()
    games: tuple[tuple[str, int], ...] = ()
    families: tuple[tuple[str, float], ...] = ()
    spots: tuple[tuple[str, int], ...] = ()

    def record(self) -> dict[str, Any]:
        """Return the fields as plain values, without the tables of a policy file."""
        return {key: value for key, value in asdict(self).items() if key not in TABLES}

    @classmethod
    def read(cls, fields: Fields) -> Provenance:
        """Read a table of a policy file; raise ``PolicyError`` for a fault in it."""
        fields.nothing_else(tuple(cls.__annotations__))
        players = fields.items("players", "pairs of numbers", Fields.pair)
        return cls(
            version=fields.text("version"),
            hands=fields.count("hands"),
            actions=fields.count("actions"),
            known=fields.count("known"),
            evidence_bits=fields.number("evidence_bits"),
            penalty=fields.number("penalty"),
            seen=fields.texts("seen"),
            players=tuple((name, *counts) for name, counts in players.items()),
            games=tuple(fields.items("games", "numbers", Fields.count).items()),
            families=tuple(fields.items("families", "numbers", Fields.number).items()),
            spots=tuple(fields.items("spots", "numbers", Fields.count).items()),
        )


TABLES = ("families", "games", "players", "spots")
"""Fields of a provenance that are tables in a policy file."""

FACED = ("nothing", "bet", "raise")
"""A player may face no bet but a bring-in, a bet, or one raise or more."""

MANY_PLAYERS = 5
"""From this number of players still in on, spots are of one kind."""


def spot_kind(game: str, spot: DecisionPoint) -> str:
    """Return the kind under which real decisions are counted, such as "stud-6-2-bet".

    It has the game, the street, the number of players still in and the bet faced.
    """
    players = min(spot.n_active, MANY_PLAYERS)
    return f"{game}-{spot.street}-{players}-{FACED[min(spot.raises, 2)]}"


Rates = tuple[float, float]
"""Shares of right reads, after the bets and by the upcards alone."""


@dataclass(frozen=True, slots=True)
class HitRates:
    """Hit rates of ``n`` reads after the bets of a street, of players still in.

    A hit is the likeliest kind of holding, one of the three likeliest, or the likeliest family.
    """

    n: int
    first_kind: Rates
    one_of_three: Rates
    first_family: Rates


@dataclass(frozen=True, slots=True)
class Measured:
    """Hit rates of a policy by stage, on hands outside its fit.

    ``policy`` is its hash: the rates hold for it alone. Each of the ``folds``, by "log", "hand" or
    "player", was read by policies fitted to the others; without folds the policy itself read the
    hands. ``games`` has the keys of their games.
    """

    policy: str
    version: str
    hands: int
    folds: int
    by: str
    stages: tuple[tuple[str, HitRates], ...]
    games: tuple[str, ...] = (DEFAULT.key,)

    @property
    def overall(self) -> HitRates:
        """The hit rates of the reads of all stages together."""
        each = [rates for _, rates in self.stages]
        n = sum(rates.n for rates in each)
        first, three, family = (
            _mean([(rates.n, getattr(rates, name)) for rates in each], n) for name in RATES
        )
        return HitRates(n, first, three, family)

    def lines(self) -> list[str]:
        """Return the table of a policy file."""
        own = {name: getattr(self, name) for name in ("policy", "version", "hands", "folds", "by")}
        if self.games != (DEFAULT.key,):  # the default of a file
            own["games"] = self.games
        lines = ["[measured]", *toml_items(own)]
        for stage, rates in self.stages:
            lines += [f"[measured.{stage}]", *toml_items(asdict(rates))]
        return lines

    @classmethod
    def read(cls, fields: Fields, stages: Sequence[str]) -> Measured:
        """Read a table of a policy file; raise ``PolicyError`` for a fault in it."""
        fields.nothing_else((*cls.__annotations__, *stages))
        return cls(
            policy=fields.text("policy"),
            version=fields.text("version"),
            hands=fields.count("hands"),
            folds=fields.count("folds"),
            by=fields.text("by"),
            stages=tuple(
                (stage, _hit_rates(fields.table(stage, "n, first_kind, ...")))
                for stage in stages
                if stage in fields
            ),
            games=fields.texts("games") or (DEFAULT.key,),
        )


RATES = ("first_kind", "one_of_three", "first_family")


def _hit_rates(fields: Fields) -> HitRates:
    fields.nothing_else(("n", *RATES))
    first, three, family = (fields.rates(name) for name in RATES)
    return HitRates(fields.count("n"), first, three, family)


def _mean(weighted: Sequence[tuple[int, Rates]], n: int) -> Rates:
    bets, cards = (sum(k * rates[i] for k, rates in weighted) / max(n, 1) for i in range(2))
    return bets, cards


def fingerprint(history: History) -> str:
    """Return a hash of a hand (8 hexadecimal digits) from its id, variant and names by seat."""
    seats = [(seat.number, seat.name) for seat in history.seats]
    text = repr((history.hand_id, history.variant, seats))
    return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()[:8]


@lru_cache(maxsize=256)
def policy_hash(policy: Policy) -> str:
    """Return a hash of a policy (12 hexadecimal digits of SHA-256).

    It covers the family and all parameters, but not name, title, source, hit rates and other games:
    policies that act alike in a game have the same hash.
    """
    text = json.dumps(_parameters(policy), sort_keys=True, default=asdict)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


HEAD_FIELDS = ("bet", "fold", "raise_")
NEW = (("learning", 1.0), ("learned", None), ("priors", ()), ("idle", ()), ("repeats", ()))
"""Fields of panels that older versions lack, with their defaults."""

FIRST_FEATURES = 15
"""The number of features of the first version."""


def _without_new_zeros(weights: Any) -> Any:
    """Return the weights of a head without zeros of features that were added later."""
    if not isinstance(weights, tuple):  # a ramp
        return weights
    last = max((i for i, weight in enumerate(weights) if weight), default=-1)
    return weights[: max(FIRST_FEATURES, last + 1)]


NOT_HASHED = {"name", "title", "source", "uncertainty", "measured", "spots", "by_game"}


@lru_cache(maxsize=256)
def _parameters(policy: Policy) -> dict[str, Any]:
    """Return the family and the parameters of a policy, with its members' nested in them."""
    # Hashes outlive the names of fields: the likelihood exponent was once called temper.
    renamed = {"likelihood_exponent": "temper"}
    parameters: dict[str, Any] = {"family": type(policy).__name__}
    # ``Policy`` is a protocol, but all its implementations are dataclasses.
    for field in fields(policy):  # type: ignore[arg-type]
        value = getattr(policy, field.name)
        if field.name in NOT_HASHED or (field.name, value) in NEW:  # the default of older versions
            continue
        if field.name == "members":
            value = [*map(_parameters, value)]
        elif field.name == "learned":  # the last digits of weights depend on the processor
            value = [round(weight, 9) for weight in value]
        elif field.name in HEAD_FIELDS:
            value = _without_new_zeros(value)
        parameters[renamed.get(field.name, field.name)] = value
    return parameters
