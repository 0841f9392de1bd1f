"""Policies as data: the presets that ship, and TOML files, read and written."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from importlib import resources
from pathlib import Path
from typing import Any

from handread.policy.base import PolicyError
from handread.policy.fields import Fields
from handread.policy.logit import FEATURES, HEADS, LogitPolicy, Weights
from handread.policy.panel import Panel
from handread.policy.provenance import Provenance
from handread.policy.ramps import Ramp, RampPolicy
from handread.spelling import or_meant

SCHEMA = "handread.policy/1"
ALIASES = {"default": "table1-left"}
PEOPLE = "people"
"""The shipped policy that was fitted to hands of people."""

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
    """What a policy file holds: the policy, those of players by name, and where it comes from.

    ``members`` is where the fitted members of a panel come from.
    """

    policy: Single | Panel
    players: Mapping[str, Single] = field(default_factory=dict)
    provenance: Provenance | None = None
    members: tuple[Provenance, ...] = ()

    @property
    def seen(self) -> frozenset[str]:
        """The fingerprints of the hands that the policy, or a member of it, was fitted to."""
        known = (*self.members, *((self.provenance,) if self.provenance else ()))
        return frozenset(seen for provenance in known for seen in provenance.seen)

    def with_lapse(self, lapse: float | None) -> PolicyFile:
        """All the policies with another lapse probability; as they are where it is ``None``.

        ``PolicyError`` outside 0..1.
        """
        if lapse is None:
            return self
        players = {name: policy.with_lapse(lapse) for name, policy in self.players.items()}
        return replace(self, policy=self.policy.with_lapse(lapse), players=players)


def policy_names() -> list[str]:
    """The names of the policies that ship with handread, aliases included."""
    shipped = resources.files("handread.policies").iterdir()
    names = [item.name.removesuffix(".toml") for item in shipped if item.name.endswith(".toml")]
    return sorted([*names, *ALIASES])


def load_policy(name_or_path: str | Path) -> Single | Panel:
    """The policy of that name, or of that TOML file; ``FILE#PLAYER`` is a player's own.

    Raises ``PolicyError`` with the file, the field and what was expected.
    """
    return load_policy_file(name_or_path).policy


def load_policy_file(name_or_path: str | Path) -> PolicyFile:
    """All that a preset or a policy file holds; of ``FILE#PLAYER`` that player's policy alone.

    ``PolicyError`` as in ``load_policy``.
    """
    text = str(name_or_path)
    file, player = _file_and_player(text)
    return _of_player(parse_policy_file(_policy_source(file), file), file, player)


def _file_and_player(text: str) -> tuple[str, str | None]:
    """What stands before and after the mark of a player's own policy."""
    file, mark, player = text.rpartition("#")
    with suppress(OSError):  # a name that is too long for a file
        if not mark or Path(text).is_file():
            return text, None
    return file, player


def _of_player(content: PolicyFile, file: str, player: str | None) -> PolicyFile:
    """A player's policy alone; for ``None`` all that the file holds."""
    if player is None:
        return content
    if player not in content.players:
        known = ", ".join(content.players) or "of nobody"
        message = f"{file}: no policy of the player {player!r}: it has those {known}"
        raise PolicyError(message + or_meant(player, content.players))
    return PolicyFile(content.players[player], {}, content.provenance)


def _policy_source(name: str) -> str:
    """The text of a preset or a file."""
    if name in policy_names():
        preset = resources.files("handread.policies") / f"{ALIASES.get(name, name)}.toml"
        return preset.read_text(encoding="utf-8")
    path = Path(name)
    try:
        if not path.is_file():
            names = policy_names()
            known, meant = ", ".join(names), or_meant(name, names)
            raise PolicyError(f"no policy {name!r}: neither a file nor one of {known}{meant}")
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise PolicyError(f"{name}: cannot be read as text: {error}") from None


def parse_policy(text: str, file: str) -> Single | Panel:
    """The policy that a TOML text holds; ``PolicyError`` names ``file`` and the fault."""
    return parse_policy_file(text, file).policy


def parse_policy_file(text: str, file: str) -> PolicyFile:
    """All that a TOML text holds; ``PolicyError`` names ``file`` and the fault."""
    fields, family = _opened(text, file)
    provenance = (
        Provenance.read(fields.table("fit", "hands, actions, ...")) if "fit" in fields else None
    )
    if family == "panel":
        panel, members = _panel(fields, Path(file).parent)
        return PolicyFile(panel, {}, provenance, members)
    name = fields.text("name")
    players = {
        player: _single(table, family, f"{name}#{player}")
        for player, table in _players(fields, family)
    }
    return PolicyFile(_single(fields, family, name), players, provenance)


def _opened(text: str, file: str) -> tuple[Fields, str]:
    """The fields of a policy file, none of them unknown, and its family."""
    try:
        fields = Fields(file, tomllib.loads(text))
    except (ValueError, RecursionError) as error:  # a number or a nesting without end, too
        raise PolicyError(f"{file}: not TOML: {error}") from None
    schema = fields.text("schema")
    if schema != SCHEMA:
        raise PolicyError(f"{file}: schema is {schema!r}, expected {SCHEMA!r}")
    family = fields.text("family")
    if family not in FAMILIES:
        expected = " or ".join(map(repr, FAMILIES))
        raise PolicyError(f"{file}: family {family!r} is not known, expected {expected}")
    players = () if family == "panel" else ("players",)
    fields.nothing_else((*DESCRIPTION, *FAMILIES[family], *players, "fit"))
    return fields, family


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


def _panel(fields: Fields, folder: Path) -> tuple[Panel, tuple[Provenance, ...]]:
    """A panel, and where its fitted members come from; their files are looked for beside it."""
    members: list[Single] = []
    priors: list[float] = []
    fitted: list[Provenance] = []
    for table in fields.tables("members", "policy and prior"):
        table.nothing_else(("policy", "prior"))
        content = _member(table, folder)
        assert not isinstance(content.policy, Panel)  # refused
        members.append(content.policy)
        priors.append(table.probability("prior"))
        fitted += [content.provenance] if content.provenance else []
    if abs(sum(priors) - 1.0) > 1e-6:
        raise fields.fault("members", "priors that add up to 1", sum(priors))
    try:
        panel = Panel(
            fields.text("name"),
            tuple(members),
            tuple(prior / sum(priors) for prior in priors),
            fields.text("title", ""),
            fields.text("source", ""),
        )
    except PolicyError as error:
        raise fields.fault("members", "policies of different names", str(error)) from None
    return panel, tuple(fitted)


def _member(table: Fields, folder: Path) -> PolicyFile:
    """The policy of a member, which is no panel, and where it comes from."""
    name = table.text("policy")
    file, player = _file_and_player(name)
    with suppress(OSError):  # a name that is too long for a file
        if file not in policy_names() and (folder / file).is_file():
            file = str(folder / file)
    # Looked at before it is read whole, as panels could go round in a circle.
    text = _policy_source(file)
    if _opened(text, file)[1] == "panel":
        raise table.fault("policy", "a policy that is no panel", name)
    return _of_player(parse_policy_file(text, file), file, player)


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
        players = {_value(name): n for name, *n in content.provenance.players}
        lines += ["", "[fit.players]", *_items(players)] if players else []
    for name, player in content.players.items():
        table = f"players.{_value(name)}"
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
