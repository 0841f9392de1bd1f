"""Policies as data: the presets that ship, and TOML files, read and written."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import Any

from handread.policy.base import PolicyError
from handread.policy.fields import Fields
from handread.policy.logit import FEATURES, HEADS, LogitPolicy, Weights
from handread.policy.panel import Panel
from handread.policy.provenance import Provenance
from handread.policy.ramps import Ramp, RampPolicy

SCHEMA = "handread.policy/1"
ALIASES = {"default": "table1-left"}
DESCRIPTION = ("schema", "name", "family", "title", "source")
HUMAN = ("lapse", "temper")
RAMP_FIELDS = ("x0", "x1", "y0", "y1")
FAMILIES = {
    "ramps": (*HUMAN, "bluff", "bet", "raise", "fold"),
    "logit": (*HUMAN, *HEADS),
    "panel": ("members",),
}
"""The fields of each family beside those that describe a policy."""

Single = RampPolicy | LogitPolicy
"""A policy of one of the families that are fitted."""


@dataclass(frozen=True, slots=True)
class PolicyFile:
    """What a policy file holds: the policy, those of players by name, and where it comes from."""

    policy: Single | Panel
    players: Mapping[str, Single] = field(default_factory=dict)
    provenance: Provenance | None = None


def policy_names() -> list[str]:
    """The names of the policies that ship with handread, aliases included."""
    shipped = resources.files("handread.policies").iterdir()
    names = [item.name.removesuffix(".toml") for item in shipped if item.name.endswith(".toml")]
    return sorted([*names, *ALIASES])


def load_policy(name_or_path: str | Path) -> Single | Panel:
    """The policy of that name, or of that TOML file; ``FILE#PLAYER`` is a player's own.

    Raises ``PolicyError`` with the file, the field and what was expected.
    """
    text = str(name_or_path)
    file, mark, player = text.rpartition("#")
    if not mark or Path(text).is_file():
        return load_policy_file(text).policy
    players = load_policy_file(file).players
    if player not in players:
        known = ", ".join(players) or "of nobody"
        raise PolicyError(f"{file}: no policy of the player {player!r}: it has those {known}")
    return players[player]


def load_policy_file(name_or_path: str | Path) -> PolicyFile:
    """All that a preset or a policy file holds; ``PolicyError`` as in ``load_policy``."""
    text = str(name_or_path)
    if text in policy_names():
        preset = resources.files("handread.policies") / f"{ALIASES.get(text, text)}.toml"
        return parse_policy_file(preset.read_text(encoding="utf-8"), text)
    path = Path(name_or_path)
    try:
        if not path.is_file():
            known = ", ".join(policy_names())
            raise PolicyError(f"no policy {text!r}: neither a file nor one of {known}")
        content = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise PolicyError(f"{text}: cannot be read as text: {error}") from None
    return parse_policy_file(content, text)


def parse_policy(text: str, file: str) -> Single | Panel:
    """The policy that a TOML text holds; ``PolicyError`` names ``file`` and the fault."""
    return parse_policy_file(text, file).policy


def parse_policy_file(text: str, file: str) -> PolicyFile:
    """All that a TOML text holds; ``PolicyError`` names ``file`` and the fault."""
    try:
        fields = Fields(file, tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise PolicyError(f"{file}: not TOML: {error}") from None
    schema = fields.text("schema")
    if schema != SCHEMA:
        raise PolicyError(f"{file}: schema is {schema!r}, expected {SCHEMA!r}")
    family = fields.text("family")
    if family not in FAMILIES:
        expected = " or ".join(map(repr, FAMILIES))
        raise PolicyError(f"{file}: family {family!r} is not known, expected {expected}")
    fields.nothing_else((*DESCRIPTION, *FAMILIES[family], "players", "fit"))
    provenance = (
        Provenance.read(fields.table("fit", "hands, actions, ...")) if "fit" in fields else None
    )
    if family == "panel":
        return PolicyFile(_panel(fields, Path(file).parent), {}, provenance)
    name = fields.text("name")
    players = {
        player: _single(table, family, f"{name}#{player}")
        for player, table in _players(fields, family)
    }
    return PolicyFile(_single(fields, family, name), players, provenance)


def _players(fields: Fields, family: str) -> Iterator[tuple[str, Fields]]:
    for player, table in fields.named_tables("players").items():
        table.nothing_else((*FAMILIES[family], "title", "source", "fit"))
        yield player, table


def _single(fields: Fields, family: str, name: str) -> Single:
    if family == "ramps":
        return RampPolicy(
            name=name,
            title=fields.text("title", ""),
            source=fields.text("source", ""),
            bluff=fields.probability("bluff", 0.0),
            lapse=fields.probability("lapse"),
            temper=fields.exponent("temper"),
            bet=_ramp(fields, "bet"),
            raise_=_ramp(fields, "raise"),
            fold=_ramp(fields, "fold"),
        )
    return LogitPolicy(
        name=name,
        title=fields.text("title", ""),
        source=fields.text("source", ""),
        lapse=fields.probability("lapse", 0.0),
        temper=fields.exponent("temper"),
        bet=_weights(fields, "bet"),
        fold=_weights(fields, "fold"),
        raise_=_weights(fields, "raise"),
    )


def _ramp(fields: Fields, name: str) -> Ramp:
    table = fields.table(name, "x0, x1, y0, y1")
    table.nothing_else(RAMP_FIELDS)
    ramp = Ramp(
        x0=table.number("x0"),
        x1=table.number("x1"),
        y0=table.probability("y0"),
        y1=table.probability("y1"),
    )
    if ramp.x0 > ramp.x1:
        raise table.fault("x0", f"at most x1 = {ramp.x1:g}", ramp.x0)
    return ramp


def _weights(fields: Fields, name: str) -> Weights:
    """The weights of a head; a feature that is left out weighs nothing."""
    table = fields.table(name, "weights of features")
    table.nothing_else(FEATURES)
    return tuple(table.number(feature, 0.0) for feature in FEATURES)


def _panel(fields: Fields, folder: Path) -> Panel:
    """A panel; a member's file is looked for beside the panel's."""
    members: list[Single] = []
    priors: list[float] = []
    for table in fields.tables("members", "policy and prior"):
        table.nothing_else(("policy", "prior"))
        name = table.text("policy")
        beside = folder / name
        member = load_policy(beside if name not in policy_names() and beside.is_file() else name)
        if isinstance(member, Panel):
            raise table.fault("policy", "a policy that is no panel", name)
        members.append(member)
        priors.append(table.probability("prior"))
    if abs(sum(priors) - 1.0) > 1e-6:
        raise fields.fault("members", "priors that add up to 1", sum(priors))
    scaled = tuple(prior / sum(priors) for prior in priors)
    return Panel(
        fields.text("name"),
        tuple(members),
        scaled,
        fields.text("title", ""),
        fields.text("source", ""),
    )


def policy_text(content: PolicyFile) -> str:
    """A policy of a fitted family as the text of a file, players and provenance with it.

    Reading it gives equal policies. Raises ``ValueError`` for a panel.
    """
    policy = content.policy
    if isinstance(policy, Panel):
        raise ValueError("a panel is written by hand: it names policies that stand elsewhere")
    family = "ramps" if isinstance(policy, RampPolicy) else "logit"
    head = {"schema": SCHEMA, "name": policy.name, "family": family}
    lines = [f"{key} = {_value(value)}" for key, value in head.items()]
    lines += _policy_lines(policy, "")
    if content.provenance is not None:
        lines += ["", "[fit]", *_items(content.provenance.record())]
    for name, player in content.players.items():
        table = f"players.{json.dumps(name)}"
        lines += ["", f"[{table}]", *_policy_lines(player, f"{table}.")]
    return "\n".join(lines) + "\n"


def _policy_lines(policy: Single, within: str) -> Iterator[str]:
    """What a policy adds to its table, and the tables in it."""
    values: dict[str, Any] = {"title": policy.title, "source": policy.source}
    values = {key: text for key, text in values.items() if text}
    values |= {"lapse": policy.lapse, "temper": policy.temper}
    tables: dict[str, Mapping[str, float]]
    if isinstance(policy, RampPolicy):
        values |= {"bluff": policy.bluff} if policy.bluff else {}
        ramps = {"bet": policy.bet, "raise": policy.raise_, "fold": policy.fold}
        tables = {name: {f: getattr(ramp, f) for f in RAMP_FIELDS} for name, ramp in ramps.items()}
    else:
        weights = (policy.bet, policy.fold, policy.raise_)
        tables = {
            name: {f: w for f, w in zip(FEATURES, own, strict=True) if w}
            for name, own in zip(HEADS, weights, strict=True)
        }
    yield from _items(values)
    for name, items in tables.items():
        yield from ("", f"[{within}{name}]", *_items(items))


def _items(table: Mapping[str, Any]) -> Iterator[str]:
    return (f"{key} = {_value(value)}" for key, value in table.items())


def _value(value: Any) -> str:
    """A value in TOML, of which JSON's texts, numbers and lists of them are a part."""
    if isinstance(value, tuple | list):
        rows = [", ".join(map(_value, value[i : i + 8])) for i in range(0, len(value), 8)]
        return "[" + ",\n  ".join(rows) + "]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
