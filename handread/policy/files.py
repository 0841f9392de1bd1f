"""Policy files: read presets and TOML files, write fitted policies."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import resources
from itertools import islice
from pathlib import Path

from handread.game.rules import STAGE_OF, STAGES
from handread.policy.base import PolicyError
from handread.policy.family import Single
from handread.policy.fields import OLD_NAMES, Fields, toml_items, toml_value
from handread.policy.logit import LogitPolicy
from handread.policy.panel import Panel, panel_of, single
from handread.policy.provenance import Measured, Provenance
from handread.policy.ramps import RampPolicy
from handread.policy.tree import TreePolicy
from handread.settings import is_there, settings_text
from handread.spelling import or_meant

SCHEMA = "handread.policy/1"
ALIASES = {"default": "table1-left"}
PEOPLE_AVERAGE = "people-average"
"""The preset that was fitted to people's hands; a member of the mixture "people"."""

DESCRIPTION = ("schema", "name", "family", "title", "source")
HUMAN = ("lapse", "likelihood_exponent")
"""Fields of all families."""

PANEL = ("members", "priors", "learning", "idle", "repeats")
"""Fields of a panel."""

AFTER_BETS = tuple(stage for stage in STAGES if STAGE_OF[stage].after_bets)

FAMILIES: dict[str, type[Single]] = {
    one.family: one for one in (RampPolicy, LogitPolicy, TreePolicy)
}


@dataclass(frozen=True, slots=True)
class PolicyFile:
    """The content of a policy file.

    Attributes:
        policy: The policy.
        players: Policies of players by name.
        provenance: Data of the policy's fit.
        members: Data of the fits of a panel's members, or of the policies of other games.
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


@cache
def policy_names() -> tuple[str, ...]:
    """Return the names of the presets, aliases included."""
    shipped = resources.files("handread.policies").iterdir()
    names = [item.name.removesuffix(".toml") for item in shipped if item.name.endswith(".toml")]
    return (*sorted([*names, *ALIASES]),)


def load_policy(name_or_path: str | Path) -> Single | Panel:
    """Return an included policy, or the policy of a TOML file.

    Args:
        name_or_path: Name of an included policy, such as "people"; a file; or ``FILE#PLAYER`` for
            the policy of one player of a file.

    Returns:
        One policy, or a panel of several.

    Raises:
        PolicyError: There is no such policy, or the file has a fault; the message names file, field
            and expectation.

    >>> handread.load_policy("tight").bet
    Ramp(x0=0.9, x1=1.0, y0=0.8, y1=0.05)
    >>> [member.name for member in handread.load_policy("people").members]
    ['people-average', 'loose', 'table1-left', 'tight', 'uniform']
    """
    return load_policy_file(name_or_path).policy


def load_policy_file(name_or_path: str | Path) -> PolicyFile:
    """Return the content of a preset or a policy file, as ``load_policy``."""
    file, player = _file_and_player(str(name_or_path))
    preset = file in policy_names()
    content = _preset(file) if preset else parse_policy_file(_policy_source(file), file)
    return _of_player(content, file, player)


@cache
def _preset(name: str) -> PolicyFile:
    """Return the content of a preset, which is read once per process."""
    content = parse_policy_file(_policy_source(name), name)
    for place, policy in enumerate(_all_of(content)):
        if policy.restored is None:  # not from another preset
            object.__setattr__(policy, "restored", (_of_preset, (name, place)))
    return content


def _all_of(content: PolicyFile) -> Iterator[Single]:
    panel = panel_of(content.policy)
    members = [single(content.policy)] if panel is None else panel.members
    for policy in (*members, *content.players.values()):
        yield policy
        yield from (other for _, other in policy.by_game)


def _of_preset(name: str, place: int) -> Single:
    """Return a policy of a preset by its index, to restore a pickle."""
    return next(islice(_all_of(_preset(name)), place, None))


def _file_and_player(text: str) -> tuple[str, str | None]:
    """Split ``FILE#PLAYER``; the name of a file may contain "#"."""
    file, mark, player = text.rpartition("#")
    return (text, None) if not mark or is_there(text) else (file, player)


def _of_player(content: PolicyFile, file: str, player: str | None) -> PolicyFile:
    if player is None:
        return content
    if player not in content.players:
        known = ", ".join(content.players) or "of nobody"
        message = f"{file}: no policy of the player {player!r}: it has those {known}"
        raise PolicyError(message + or_meant(player, content.players))
    return PolicyFile(content.players[player], {}, content.provenance)


def _policy_source(name: str) -> str:
    if name in policy_names():
        preset = resources.files("handread.policies") / f"{ALIASES.get(name, name)}.toml"
        return preset.read_text(encoding="utf-8")
    if not is_there(name):
        names = policy_names()
        known, meant = ", ".join(names), or_meant(name, names)
        raise PolicyError(f"no policy {name!r}: neither a file nor one of {known}{meant}")
    try:
        return settings_text(name)
    except ValueError as error:
        raise PolicyError(str(error)) from None


def parse_policy(text: str, file: str) -> Single | Panel:
    """Parse a policy file, and return its policy; errors as ``parse_policy_file``."""
    return parse_policy_file(text, file).policy


def parse_policy_file(text: str, file: str) -> PolicyFile:
    """Parse a policy file; ``PolicyError`` names ``file`` and the fault."""
    fields, family = _opened(text, file)
    provenance = measured = None
    if "fit" in fields:
        provenance = Provenance.read(fields.table("fit", "hands, actions, ..."))
    if "measured" in fields:
        measured = Measured.read(fields.table("measured", "policy, hands, ..."), AFTER_BETS)
    if family == "panel":
        panel, members = _panel(fields, Path(file).parent)
        return PolicyFile(replace(panel, measured=measured), {}, provenance, members)
    kind, name = FAMILIES[family], fields.text("name")
    spots = provenance.spots if provenance else ()
    policy = replace(kind.read(fields, name), measured=measured, spots=spots)
    players = {
        player: replace(kind.read(table, f"{name}#{player}", policy), spots=spots)
        for player, table in _players(fields, kind)
    }
    others = _games(fields, family, Path(file).parent)
    policy = replace(policy, by_game=tuple((game, one) for game, one, _ in others))
    return PolicyFile(policy, players, provenance, tuple(seen for *_, seen in others if seen))


def _games(
    fields: Fields, family: str, folder: Path
) -> list[tuple[str, Single, Provenance | None]]:
    """Return the policies of other games and their provenance, from files in ``folder``."""
    games = []
    for game, name in fields.by_game("games", "texts", Fields.text).items():
        content = _member(fields, "games", name, folder)
        if content.policy.family != family:
            raise fields.fault("games", f"a policy of the family {family}", name)
        games.append((game, single(content.policy), content.provenance))
    return games


@cache
def _opened(text: str, file: str) -> tuple[Fields, str]:
    """Return the fields of a policy file, checked to be known, and its family."""
    try:
        fields = Fields(file, tomllib.loads(text), source=text).renamed(OLD_NAMES)
    except (ValueError, RecursionError) as error:  # huge numbers and deep nesting, too
        raise PolicyError(f"{file}: not TOML: {error}") from None
    schema = fields.text("schema")
    if schema != SCHEMA:
        raise PolicyError(f"{file}: schema is {schema!r}, expected {SCHEMA!r}")
    family = fields.text("family")
    families = (*FAMILIES, Panel.family)
    if family not in families:
        expected = " or ".join(map(repr, families))
        raise PolicyError(f"{file}: family {family!r} is not known, expected {expected}")
    keys = (*HUMAN, *FAMILIES[family].fields, "players") if family in FAMILIES else PANEL
    fields.nothing_else((*DESCRIPTION, *keys, "fit", "measured"))
    return fields, family


def _players(fields: Fields, kind: type[Single]) -> Iterator[tuple[str, Fields]]:
    tables = fields.items(
        "players", "a table for each", lambda of, name: of.table(name, "a policy")
    )
    for player, table in tables.items():
        own = table.renamed(OLD_NAMES)
        known = (field for field in kind.fields if field != "games")
        own.nothing_else((*HUMAN, *known, "title", "source", "fit"))
        yield player, own


def _panel(fields: Fields, folder: Path) -> tuple[Panel, tuple[Provenance, ...]]:
    """Return a panel and the provenance of its members, from files in ``folder``."""
    members: list[Single] = []
    priors: list[float] = []
    fitted: list[Provenance] = []
    for table in fields.tables("members", "policy and prior"):
        table.nothing_else(("policy", "prior"))
        content = _member(table, "policy", table.text("policy"), folder)
        members.append(single(content.policy))
        priors.append(table.probability("prior"))
        fitted += [content.provenance] if content.provenance else []
        fitted += content.members
    if abs(sum(priors) - 1.0) > 1e-6:
        raise fields.fault("members", "priors that add up to 1", sum(priors))
    by_game = fields.by_game("priors", "lists of numbers", Fields.numbers)
    for game, prior in by_game.items():
        if len(prior) != len(members) or min(prior) < 0.0 or abs(sum(prior) - 1.0) > 1e-6:
            expected = f"{len(members)} probabilities that add up to 1"
            raise fields.fault(f"priors.{game}", expected, list(prior))
    parts = "lists of numbers from 0 to 1", Fields.probabilities
    try:
        panel = Panel(
            fields.text("name"),
            tuple(members),
            tuple(prior / sum(priors) for prior in priors),
            priors=tuple(by_game.items()),
            learning=fields.probability("learning", 1.0),
            idle=tuple(fields.by_game("idle", *parts).items()),
            repeats=tuple(fields.by_game("repeats", *parts).items()),
            title=fields.text("title", ""),
            source=fields.text("source", ""),
        )
    except PolicyError as error:
        raise fields.fault("members", "policies of different names", str(error)) from None
    return panel, tuple(fitted)


def _member(table: Fields, field: str, name: str, folder: Path) -> PolicyFile:
    """Return the policy file named in a field; it must not refer to other files."""
    file, player = _file_and_player(name)
    if file not in policy_names() and is_there(folder / file):
        file = str(folder / file)
    # Look before reading: files could refer to each other in a circle.
    text = _policy_source(file)
    fields, family = _opened(text, file)
    if family == "panel":
        raise table.fault(field, "a policy that is no panel, such as people-average", name)
    if field == "games" and "games" in fields:
        raise table.fault(field, "a policy without games of its own", name)
    return _of_player(parse_policy_file(text, file), file, player)


def policy_text(content: PolicyFile) -> str:
    """Return the text of a policy file, without its other games, which have their own files.

    Raises:
        ValueError: The policy is a panel, which refers to other files.
    """
    policy = content.policy
    if isinstance(policy, Panel):
        raise ValueError("a panel is written by hand: it names policies that stand elsewhere")
    lines = list(toml_items({"schema": SCHEMA, "name": policy.name, "family": policy.family}))
    lines += policy.lines()
    if content.provenance is not None:
        lines += ["", "[fit]", *toml_items(content.provenance.record())]
        players = {toml_value(name): n for name, *n in content.provenance.players}
        lines += ["", "[fit.players]", *toml_items(players)] if players else []
        for table in ("games", "families", "spots"):
            items = dict(getattr(content.provenance, table))
            lines += ["", f"[fit.{table}]", *toml_items(items)] if items else []
    if policy.measured is not None:
        lines += ["", *policy.measured.lines()]
    for name, player in content.players.items():
        table = f"players.{toml_value(name)}"
        lines += ["", f"[{table}]", *player.beyond(policy).lines(f"{table}.")]
    return "\n".join(lines) + "\n"


def with_measured(text: str, measured: Measured) -> str:
    """Return the text of a policy file, comments included, with its hit rates replaced."""
    tables = re.split(r"(?m)^(?=\[)", text)
    others = [table for table in tables if not re.match(r"\[\s*measured\s*[.\]]", table)]
    return "".join(others).rstrip("\n") + "\n\n" + "\n".join(measured.lines()) + "\n"
