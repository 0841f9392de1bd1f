"""Policy files: read presets and TOML files, write fitted policies."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from handread.game.rules import STAGE_OF, STAGES, VARIANTS
from handread.policy.base import PolicyError
from handread.policy.features import CONDITIONS, STUD_HIGH
from handread.policy.fields import Fields
from handread.policy.logit import FEATURES, HEADS, LogitPolicy, Weights
from handread.policy.logit import PARAMETERS as LOGIT_PARAMETERS
from handread.policy.panel import Panel
from handread.policy.provenance import Measured, Provenance
from handread.policy.ramps import PARAMETERS as RAMP_PARAMETERS
from handread.policy.ramps import Ramp, RampPolicy
from handread.policy.tree import Node, TreePair, TreePolicy, parse_tree, tree_lines
from handread.policy.uncertainty import Uncertainty
from handread.settings import settings_text
from handread.spelling import or_meant

SCHEMA = "handread.policy/1"
ALIASES = {"default": "table1-left"}
PEOPLE = "people"
"""The preset that was fitted to hands of people."""

DESCRIPTION = ("schema", "name", "family", "title", "source")
HUMAN = ("lapse", "likelihood_exponent")
RAMP_FIELDS = ("x0", "x1", "y0", "y1")
OLD_NAMES = {"temper": "likelihood_exponent", "standing": "percentile"}
"""Names of fields and features in files of older versions."""

AFTER_BETS = tuple(stage for stage in STAGES if STAGE_OF[stage].after_bets)
"""The stages whose reads are measured."""

FAMILIES = {
    "ramps": (*HUMAN, "bluff", "bet", "raise", "fold", "uncertainty"),
    "logit": (*HUMAN, *HEADS, "uncertainty", "games"),
    "tree": (*HUMAN, "trees"),
    "panel": ("members",),
}
"""Fields of each family, besides ``DESCRIPTION``."""

TREE_FIELDS = ("against", "third", "later")

Single = RampPolicy | LogitPolicy | TreePolicy
"""A policy of a family that can be fitted."""


@dataclass(frozen=True, slots=True)
class PolicyFile:
    """The content of a policy file.

    Attributes:
        policy: The policy.
        players: Policies of players by name.
        provenance: Data that the policy was fitted to.
        members: Data that the members of a panel, or the policies of other games, were fitted to.
    """

    policy: Single | Panel
    players: Mapping[str, Single] = field(default_factory=dict)
    provenance: Provenance | None = None
    members: tuple[Provenance, ...] = ()

    @property
    def seen(self) -> frozenset[str]:
        """Fingerprints of the hands that the policy or its members were fitted to."""
        known = (*self.members, *((self.provenance,) if self.provenance else ()))
        return frozenset(seen for provenance in known for seen in provenance.seen)

    def with_lapse(self, lapse: float | None) -> PolicyFile:
        """Return the file with another lapse in all policies.

        Args:
            lapse: Probability that a player acts at random; None changes nothing.

        Raises:
            PolicyError: The lapse is not between 0 and 1.
        """
        if lapse is None:
            return self
        players = {name: policy.with_lapse(lapse) for name, policy in self.players.items()}
        return replace(self, policy=self.policy.with_lapse(lapse), players=players)


def policy_names() -> list[str]:
    """Return the names of the presets, aliases included."""
    shipped = resources.files("handread.policies").iterdir()
    names = [item.name.removesuffix(".toml") for item in shipped if item.name.endswith(".toml")]
    return sorted([*names, *ALIASES])


def load_policy(name_or_path: str | Path) -> Single | Panel:
    """Return an included policy or that of a TOML file.

    Args:
        name_or_path: Name of an included policy, such as "people"; a file; or ``FILE#PLAYER`` for
            the policy of one player of a file.

    Returns:
        One policy, or a panel of several.

    Raises:
        PolicyError: There is no such policy, or the file has a fault; the message names file, field
            and expectation.
    """
    return load_policy_file(name_or_path).policy


def load_policy_file(name_or_path: str | Path) -> PolicyFile:
    """Return the content of a preset or a policy file, as ``load_policy``."""
    text = str(name_or_path)
    file, player = _file_and_player(text)
    if file in policy_names():
        content = _preset(file)
    else:
        content = parse_policy_file(_policy_source(file), file)
    return _of_player(content, file, player)


@cache
def _preset(name: str) -> PolicyFile:
    """Return the content of a preset, read once: a run asks for the same again and again."""
    return parse_policy_file(_policy_source(name), name)


def _file_and_player(text: str) -> tuple[str, str | None]:
    """Split ``FILE#PLAYER``; a file may have the mark in its name."""
    file, mark, player = text.rpartition("#")
    with suppress(OSError):  # a name that is too long for a file
        if not mark or Path(text).is_file():
            return text, None
    return file, player


def _of_player(content: PolicyFile, file: str, player: str | None) -> PolicyFile:
    """Return the policy of a player alone; for None the whole content."""
    if player is None:
        return content
    if player not in content.players:
        known = ", ".join(content.players) or "of nobody"
        message = f"{file}: no policy of the player {player!r}: it has those {known}"
        raise PolicyError(message + or_meant(player, content.players))
    return PolicyFile(content.players[player], {}, content.provenance)


def _policy_source(name: str) -> str:
    """Return the text of a preset or a file."""
    if name in policy_names():
        preset = resources.files("handread.policies") / f"{ALIASES.get(name, name)}.toml"
        return preset.read_text(encoding="utf-8")
    with suppress(OSError):  # a name that is too long for a file
        if not Path(name).exists():
            names = policy_names()
            known, meant = ", ".join(names), or_meant(name, names)
            raise PolicyError(f"no policy {name!r}: neither a file nor one of {known}{meant}")
    try:
        return settings_text(name)
    except ValueError as error:
        raise PolicyError(str(error)) from None


def parse_policy(text: str, file: str) -> Single | Panel:
    """Parse the policy of a TOML text; ``PolicyError`` names ``file`` and the fault."""
    return parse_policy_file(text, file).policy


def parse_policy_file(text: str, file: str) -> PolicyFile:
    """Parse a policy file; ``PolicyError`` names ``file`` and the fault."""
    fields, family = _opened(text, file)
    provenance = (
        Provenance.read(fields.table("fit", "hands, actions, ...")) if "fit" in fields else None
    )
    measured = None
    if "measured" in fields:
        measured = Measured.read(fields.table("measured", "policy, hands, ..."), AFTER_BETS)
    if family == "panel":
        panel, members = _panel(fields, Path(file).parent)
        return PolicyFile(replace(panel, measured=measured), {}, provenance, members)
    name = fields.text("name")
    policy = replace(_single(fields, family, name), measured=measured)
    players = {
        player: _single(table, family, f"{name}#{player}", policy)
        for player, table in _players(fields, family)
    }
    others = _games(fields, Path(file).parent)
    if isinstance(policy, LogitPolicy) and others:
        policy = replace(policy, by_game=tuple((game, one) for game, one, _ in others))
    return PolicyFile(policy, players, provenance, tuple(seen for *_, seen in others if seen))


def _games(fields: Fields, folder: Path) -> list[tuple[str, LogitPolicy, Provenance | None]]:
    """Return the policies of other games and their provenance; relative files are next to it."""
    found = []
    for game, name in fields.strings("games").items():
        known = [key for key, variant in VARIANTS.items() if variant.analyzed]
        if game not in known:
            raise fields.fault("games", f"keys from {', '.join(known)}", game)
        content = _member(fields, "games", name, folder)
        if not isinstance(content.policy, LogitPolicy):
            raise fields.fault("games", "a policy of the family logit", name)
        found.append((game, content.policy, content.provenance))
    return found


def _opened(text: str, file: str) -> tuple[Fields, str]:
    """Return the fields of a policy file, all of them known, and its family."""
    try:
        fields = Fields(file, tomllib.loads(text), text=text).renamed(OLD_NAMES)
    except (ValueError, RecursionError) as error:  # huge numbers and deep nesting, too
        raise PolicyError(f"{file}: not TOML: {error}") from None
    schema = fields.text("schema")
    if schema != SCHEMA:
        raise PolicyError(f"{file}: schema is {schema!r}, expected {SCHEMA!r}")
    family = fields.text("family")
    if family not in FAMILIES:
        expected = " or ".join(map(repr, FAMILIES))
        raise PolicyError(f"{file}: family {family!r} is not known, expected {expected}")
    players = () if family == "panel" else ("players",)
    fields.nothing_else((*DESCRIPTION, *FAMILIES[family], *players, "fit", "measured"))
    return fields, family


def _players(fields: Fields, family: str) -> Iterator[tuple[str, Fields]]:
    for player, table in fields.named_tables("players").items():
        own = table.renamed(OLD_NAMES)
        known = (field for field in FAMILIES[family] if field != "games")
        own.nothing_else((*known, "title", "source", "fit"))
        yield player, own


def _single(fields: Fields, family: str, name: str, everybody: Single | None = None) -> Single:
    """Return a policy; ``everybody`` is that of its file, for the policy of a player.

    The trees of a player follow those of everybody.
    """
    title, source = fields.text("title", ""), fields.text("source", "")
    if family == "tree":
        before = everybody.trees if isinstance(everybody, TreePolicy) else ()
        return TreePolicy(
            name=name,
            title=title,
            source=source,
            lapse=fields.probability("lapse", 0.0),
            likelihood_exponent=fields.exponents("likelihood_exponent"),
            trees=(*before, *map(_tree_pair, fields.tables("trees", "against, third, later"))),
        )
    uncertainty = _uncertainty(fields, family, everybody)
    if family == "ramps":
        return RampPolicy(
            name=name,
            title=title,
            source=source,
            uncertainty=uncertainty,
            bluff=fields.probability("bluff", 0.0),
            lapse=fields.probability("lapse"),
            likelihood_exponent=fields.exponents("likelihood_exponent"),
            bet=_ramp(fields, "bet"),
            raise_=_ramp(fields, "raise"),
            fold=_ramp(fields, "fold"),
        )
    return LogitPolicy(
        name=name,
        title=title,
        source=source,
        uncertainty=uncertainty,
        lapse=fields.probability("lapse", 0.0),
        likelihood_exponent=fields.exponents("likelihood_exponent"),
        bet=_weights(fields, "bet"),
        fold=_weights(fields, "fold"),
        raise_=_weights(fields, "raise"),
    )


def _tree_pair(fields: Fields) -> TreePair:
    fields.nothing_else(TREE_FIELDS)
    return TreePair(fields.text("against"), _tree(fields, "third"), _tree(fields, "later"))


def _tree(fields: Fields, name: str) -> Node:
    text = fields.text(name)
    try:
        return parse_tree(text)
    except PolicyError as error:
        raise fields.error(name, f", {error}") from None


def _uncertainty(fields: Fields, family: str, everybody: Single | None) -> Uncertainty | None:
    if "uncertainty" not in fields:
        return None
    table = fields.table("uncertainty", "errors and factor")
    known = RAMP_PARAMETERS if family == "ramps" else LOGIT_PARAMETERS
    others = None if everybody is None else everybody.uncertainty
    if family == "ramps" and fields.probability("bluff", 0.0):
        raise fields.fault("bluff", "none beside [uncertainty], which no fit gives it", "there")
    return Uncertainty.read(table, known, others)


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


def _panel(fields: Fields, folder: Path) -> tuple[Panel, tuple[Provenance, ...]]:
    """Return a panel and the provenance of its members; relative files are next to it."""
    members: list[Single] = []
    priors: list[float] = []
    fitted: list[Provenance] = []
    for table in fields.tables("members", "policy and prior"):
        table.nothing_else(("policy", "prior"))
        content = _member(table, "policy", table.text("policy"), folder)
        assert not isinstance(content.policy, Panel)  # refused
        members.append(content.policy)
        priors.append(table.probability("prior"))
        fitted += [content.provenance] if content.provenance else []
        fitted += content.members
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


def _member(table: Fields, field: str, name: str, folder: Path) -> PolicyFile:
    """Return the policy file that a field names, which must not refer to other files."""
    file, player = _file_and_player(name)
    with suppress(OSError):  # a name that is too long for a file
        if file not in policy_names() and (folder / file).is_file():
            file = str(folder / file)
    # Look before reading: files could refer to each other in a circle.
    text = _policy_source(file)
    fields, family = _opened(text, file)
    if family == "panel":
        raise table.fault(field, "a policy that is no panel", name)
    if field == "games" and "games" in fields:
        raise table.fault(field, "a policy without games of its own", name)
    return _of_player(parse_policy_file(text, file), file, player)


def policy_text(content: PolicyFile) -> str:
    """Return the text of a policy file; reading it gives equal policies.

    The policies of other games, which stand in files of their own, are left out.

    Raises:
        ValueError: The policy is a panel, which refers to other files.
    """
    policy = content.policy
    if isinstance(policy, Panel):
        raise ValueError("a panel is written by hand: it names policies that stand elsewhere")
    head = {"schema": SCHEMA, "name": policy.name, "family": family_of(policy)}
    lines = [f"{key} = {_value(value)}" for key, value in head.items()]
    lines += _policy_lines(policy, "")
    if content.provenance is not None:
        lines += ["", "[fit]", *_items(content.provenance.record())]
        players = {_value(name): n for name, *n in content.provenance.players}
        lines += ["", "[fit.players]", *_items(players)] if players else []
        games = dict(content.provenance.games)
        lines += ["", "[fit.games]", *_items(games)] if games else []
    if policy.measured is not None:
        lines += ["", *policy.measured.lines()]
    for name, player in content.players.items():
        table = f"players.{_value(name)}"
        own = _beyond(policy, player)
        lines += ["", f"[{table}]", *_policy_lines(own, f"{table}.")]
    return "\n".join(lines) + "\n"


def _beyond(everybody: Single, player: Single) -> Single:
    """Return the policy of a player without the trees that are everybody's."""
    if isinstance(player, TreePolicy) and isinstance(everybody, TreePolicy):
        return replace(player, trees=player.trees[len(everybody.trees) :])
    return player


def family_of(policy: Single | Panel) -> str:
    """Return the name of the family of a policy."""
    if isinstance(policy, Panel):
        return "panel"
    if isinstance(policy, TreePolicy):
        return "tree"
    return "ramps" if isinstance(policy, RampPolicy) else "logit"


def with_measured(text: str, measured: Measured) -> str:
    """Return the text of a policy file with these hit rates in place of its own.

    The rest of the text, comments included, stays as it is.
    """
    tables = re.split(r"(?m)^(?=\[)", text)
    others = [one for one in tables if not re.match(r"\[\s*measured\s*[.\]]", one)]
    return "".join(others).rstrip("\n") + "\n\n" + "\n".join(measured.lines()) + "\n"


def _policy_lines(policy: Single, within: str) -> Iterator[str]:
    """Yield the lines of a policy: its fields, then its tables."""
    values: dict[str, Any] = {"title": policy.title, "source": policy.source}
    values = {key: text for key, text in values.items() if text}
    values |= {"lapse": policy.lapse, "likelihood_exponent": policy.likelihood_exponent}
    tables: dict[str, Mapping[str, float]]
    if isinstance(policy, TreePolicy):
        yield from _items(values)
        for pair in policy.trees:
            yield from ("", f"[[{within}trees]]", f"against = {_value(pair.against)}")
            for name, tree in (("third", pair.third), ("later", pair.later)):
                yield from (f'{name} = """', *tree_lines(tree), '"""')
        return
    if isinstance(policy, RampPolicy):
        values |= {"bluff": policy.bluff} if policy.bluff else {}
        ramps = {"bet": policy.bet, "raise": policy.raise_, "fold": policy.fold}
        tables = {name: {f: getattr(ramp, f) for f in RAMP_FIELDS} for name, ramp in ramps.items()}
    else:
        weights = (policy.bet, policy.fold, policy.raise_)
        tables = dict(_weight_tables(dict(zip(HEADS, weights, strict=True))))
    yield from _items(values)
    for name, items in tables.items():
        yield from ("", f"[{within}{name}]", *_items(items))
    if policy.uncertainty is not None:
        known = policy.uncertainty if within else policy.uncertainty.alone()
        yield from ("", f"[{within}uncertainty]", *_items(dict(known.record())))


def _weight_tables(weights: Mapping[str, Weights]) -> Iterator[tuple[str, dict[str, float]]]:
    """Yield the table of each head, then those of the conditions, without weights of 0."""
    for head, own in weights.items():
        tables: dict[str, dict[str, float]] = {"": {}}
        for feature, weight in zip(FEATURES, own, strict=True):
            name, _, condition = feature.partition("@")
            if weight:
                tables.setdefault(condition, {})[name] = weight
        for condition, table in tables.items():
            yield (f"{head}.{condition}" if condition else head), table


def _items(table: Mapping[str, Any]) -> Iterator[str]:
    return (f"{key} = {_value(value)}" for key, value in table.items())


def _value(value: Any) -> str:
    """Return a value as TOML, which includes the strings, numbers and lists of JSON."""
    if isinstance(value, tuple | list):
        rows = [", ".join(map(_value, value[i : i + 8])) for i in range(0, len(value), 8)]
        return "[" + ",\n  ".join(rows) + "]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
