"""Bet policies: the chance of each action given the chance to win, the odds and the players.

A policy is data (TOML). The family ``ramps`` is the paper's (section IV, Table I, Figure 5):
piecewise linear in x = -log_N(p), p the chance to win and N the number of active players, with
the odds e at x_e = -log_N(e). A *lapse* probability is added: with it the player acts at
random among what is legal, and nothing is certain that a human could still do.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from handread.engine import Spot

Floats = npt.NDArray[np.float64]

SCHEMA = "handread.policy/1"
ALIASES = {"default": "table1-left"}
POLICY_FIELDS = (
    "schema",
    "name",
    "family",
    "title",
    "source",
    "lapse",
    "bluff",
    "bet",
    "raise",
    "fold",
)
RAMP_FIELDS = ("x0", "x1", "y0", "y1")


class PolicyError(ValueError):
    """A policy file that cannot be used; the message names the file, the field and the fault."""


class Policy(Protocol):
    """What the observer asks of a policy."""

    @property
    def name(self) -> str:
        """The policy's name, for reports."""

    def probabilities(self, spot: Spot, chance: Floats) -> dict[str, Floats]:
        """The probability of each legal action, per holding, given its chance to win."""


@dataclass(frozen=True, slots=True)
class Ramp:
    """A probability that is ``y0`` left of ``x0``, ``y1`` right of ``x1``, linear between."""

    x0: float
    x1: float
    y0: float
    y1: float

    def at(self, x: Floats) -> Floats:
        """The probability at each x."""
        if self.x0 == self.x1:
            return np.where(x < self.x0, self.y0, self.y1)
        share = np.clip((x - self.x0) / (self.x1 - self.x0), 0.0, 1.0)
        return self.y0 + (self.y1 - self.y0) * share


@dataclass(frozen=True, slots=True)
class RampPolicy:
    """The paper's family: a ramp to bet, one to raise, one to fold what is left.

    ``fold`` is placed relative to x_e; ``bet`` and ``raise_`` stand on x itself. ``bluff`` is the
    part of the hands that would fold that raises instead, where a raise is to be had.
    """

    name: str
    bet: Ramp
    raise_: Ramp
    fold: Ramp
    bluff: float = 0.0
    lapse: float = 0.0
    title: str = ""
    source: str = ""

    def probabilities(self, spot: Spot, chance: Floats) -> dict[str, Floats]:
        """The probability of each legal action, per holding (Saund 2006, Figure 5).

        ``chance`` is the chance to win of each holding (equation 1, before normalising).
        """
        log_n = math.log(spot.n_active)
        with np.errstate(divide="ignore"):
            x = -np.log(chance) / log_n
        if spot.to_call == 0:
            bet = self.bet.at(x) if spot.can_raise else np.zeros_like(x)
            odds = {"check": 1.0 - bet, "bet": bet}
        else:
            raise_ = self.raise_.at(x) if spot.can_raise else np.zeros_like(x)
            x_e = -math.log(spot.effective_odds) / log_n
            fold = self.fold.at(x - x_e) if spot.can_fold else np.zeros_like(x)
            bluff = self.bluff * fold if spot.can_raise else np.zeros_like(x)
            odds = {
                "fold": (1.0 - raise_) * (fold - bluff),
                "call": (1.0 - raise_) * (1.0 - fold),
                "raise": raise_ + (1.0 - raise_) * bluff,
            }
        return self._with_lapse(odds, legal_actions(spot))

    def _with_lapse(self, odds: dict[str, Floats], legal: tuple[str, ...]) -> dict[str, Floats]:
        random = self.lapse / len(legal)
        return {action: (1.0 - self.lapse) * odds[action] + random for action in legal}

    def with_lapse(self, lapse: float) -> RampPolicy:
        """The same policy with another lapse probability; ``PolicyError`` outside 0..1."""
        if not 0.0 <= lapse <= 1.0:
            raise PolicyError(f"a lapse is a probability from 0 to 1, not {lapse}")
        return replace(self, name=f"{self.name}, lapse {lapse:g}", lapse=lapse)


def legal_actions(spot: Spot) -> tuple[str, ...]:
    """What the player could do: of check and bet, or of fold, call and raise."""
    if spot.to_call == 0:
        return ("check", "bet") if spot.can_raise else ("check",)
    fold = ("fold",) if spot.can_fold else ()
    return (*fold, "call", "raise") if spot.can_raise else (*fold, "call")


def spot_at_odds(players: int, odds: float | None) -> Spot:
    """A spot on 7th street to show a policy with: nobody has bet, or a call at effective odds.

    The odds are met as nearly as whole chips allow. Raises ``ValueError`` for odds that are no
    chance, or next to none.
    """
    if odds is not None and not 1e-6 <= odds < 1.0:
        raise ValueError(f"odds of {odds:g}: expected a chance from .000001 to below 1")
    to_call = 0 if odds is None else 1_000_000
    pot = 100 if odds is None else max(0, round(to_call / odds) - to_call)
    return Spot(
        n=1,
        street=7,
        seat=1,
        to_call=to_call,
        pot=pot,
        active=tuple(range(1, players + 1)),
        can_fold=odds is not None,
        can_raise=True,
        raises_left=3,
        later_bets=0,
        forced=False,
    )


def policy_names() -> list[str]:
    """The names of the policies that ship with handread, aliases included."""
    shipped = resources.files("handread.policies").iterdir()
    names = [item.name.removesuffix(".toml") for item in shipped if item.name.endswith(".toml")]
    return sorted([*names, *ALIASES])


def load_policy(name_or_path: str | Path) -> RampPolicy:
    """The policy of that name, or of that TOML file.

    Raises ``PolicyError`` with the file, the field and what was expected.
    """
    text = str(name_or_path)
    if text in policy_names():
        preset = resources.files("handread.policies") / f"{ALIASES.get(text, text)}.toml"
        return parse_policy(preset.read_text(encoding="utf-8"), text)
    path = Path(name_or_path)
    try:
        if not path.is_file():
            known = ", ".join(policy_names())
            raise PolicyError(f"no policy {text!r}: neither a file nor one of {known}")
        content = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise PolicyError(f"{text}: cannot be read as text: {error}") from None
    return parse_policy(content, text)


def parse_policy(text: str, file: str) -> RampPolicy:
    """The policy that a TOML text holds; ``PolicyError`` names ``file`` and the fault."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise PolicyError(f"{file}: not TOML: {error}") from None
    fields = _Fields(file, data)
    fields.nothing_else(POLICY_FIELDS, data)
    schema = fields.text("schema")
    if schema != SCHEMA:
        raise PolicyError(f"{file}: schema is {schema!r}, expected {SCHEMA!r}")
    family = fields.text("family")
    if family != "ramps":
        raise PolicyError(f"{file}: family {family!r} is not known, expected 'ramps'")
    return RampPolicy(
        name=fields.text("name"),
        title=fields.text("title", ""),
        source=fields.text("source", ""),
        bluff=fields.probability("bluff", data) if "bluff" in data else 0.0,
        lapse=fields.probability("lapse", data),
        bet=fields.ramp("bet"),
        raise_=fields.ramp("raise"),
        fold=fields.ramp("fold"),
    )


class _Fields:
    """The fields of a policy file, each checked as it is taken."""

    def __init__(self, file: str, data: Mapping[str, Any]) -> None:
        self._file = file
        self._data = data

    def _fault(self, field: str, expected: str, found: object) -> PolicyError:
        found_text = "nothing" if found is None else repr(found)
        return PolicyError(f"{self._file}: {field} is {found_text}, expected {expected}")

    def text(self, name: str, default: str | None = None) -> str:
        value = self._data.get(name, default)
        if not isinstance(value, str):
            raise self._fault(name, "a text", value)
        return value

    def probability(self, name: str, table: Mapping[str, Any], prefix: str = "") -> float:
        value = self._number(name, table, prefix)
        if not 0.0 <= value <= 1.0:
            raise self._fault(prefix + name, "a probability from 0 to 1", value)
        return value

    def _number(self, name: str, table: Mapping[str, Any], prefix: str) -> float:
        value = table.get(name)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self._fault(prefix + name, "a number", value)
        if not math.isfinite(value):
            raise self._fault(prefix + name, "a finite number", value)
        return float(value)

    def ramp(self, name: str) -> Ramp:
        table = self._data.get(name)
        if not isinstance(table, Mapping):
            raise self._fault(f"[{name}]", "a table with x0, x1, y0, y1", table)
        prefix = f"{name}."
        self.nothing_else(RAMP_FIELDS, table, prefix)
        ramp = Ramp(
            x0=self._number("x0", table, prefix),
            x1=self._number("x1", table, prefix),
            y0=self.probability("y0", table, prefix),
            y1=self.probability("y1", table, prefix),
        )
        if ramp.x0 > ramp.x1:
            raise self._fault(f"{prefix}x0", f"at most x1 = {ramp.x1:g}", ramp.x0)
        return ramp

    def nothing_else(
        self, known: Sequence[str], table: Mapping[str, Any], prefix: str = ""
    ) -> None:
        """Refuse a field that nobody reads: it is a slip of the pen that would go unseen."""
        for field in table:
            if field not in known:
                expected = ", ".join(known)
                raise PolicyError(
                    f"{self._file}: {prefix}{field} is not a field of a policy, expected {expected}"
                )
