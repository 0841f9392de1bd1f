"""The style that each player of earlier sessions seems to follow, from their tables."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl

from handread.arrays import Floats
from handread.history import History
from handread.inference.players import PlayerModels, model_terms, parse_players
from handread.opponents.records import Style
from handread.parallel import RunError
from handread.policy import Panel, PolicyError, panel_of
from handread.tables import PLAYERS
from handread.tables.estimates import reading_errors
from handread.tables.read import Tables, open_tables


class KnownPlayer(NamedTuple):
    """The weights of the styles of a player, from the tables.

    ``weights`` (hands + 1, members) are the weights before each hand and after the last; ``places``
    maps the file name, line and number of a hand to its row.
    """

    weights: Floats
    places: dict[tuple[str, int, str | None], int]

    def before(self, history: History) -> Floats:
        """Return the weights (members,) before a hand."""
        source = history.source
        file = source.file.replace("\\", "/").rpartition("/")[2]
        place = self.places.get((file, source.line, history.hand_id or None), len(self.places))
        weights: Floats = self.weights[place]
        return weights


@dataclass(frozen=True, slots=True)
class EarlierHands:
    """The hands of a folder of tables, read by the styles of a panel.

    They count in the order of the tables: by file, then by line. A hand that is in the tables
    itself, in a file of the same name, is read with the hands before it.

    Attributes:
        terms: A text that changes with the tables.
        names: The players to look up; None for all.
    """

    folder: Path
    panel: Panel
    terms: str
    names: frozenset[str] | None = None

    def known(self, panel: Panel, name: str, history: History) -> Panel:
        """Return the panel of a player before a hand; ``panel`` itself for a stranger."""
        player = self.player(name) if panel.members == self.panel.members else None
        if player is None:
            return panel
        return replace(panel, learned=tuple(player.before(history).tolist()))

    def player(self, name: str) -> KnownPlayer | None:
        """Return a player's weights of styles; None for a stranger."""
        return _hands(self.folder, self.terms, self.names).player(name, self.panel)


@dataclass(frozen=True, slots=True)
class _AllHands:
    """The hands of all players: ``rows`` by name and in order, ``slices`` of each name."""

    rows: pl.DataFrame
    slices: dict[str, tuple[int, int]]
    found: dict[str, KnownPlayer] = field(default_factory=dict)

    def player(self, name: str, panel: Panel) -> KnownPlayer | None:
        if name not in self.found:
            if name not in self.slices:
                return None
            rows = self.rows.slice(*self.slices[name])
            factors = rows["styles"].str.split(" ").cast(pl.List(pl.Float64))
            places = rows.select("file", "line", "hand_id").rows()
            # A repeated hand counts from its first copy.
            first = {place: i for i, place in reversed([*enumerate(places)])}
            weights = panel.weights_after(np.array(factors.to_list()))
            self.found[name] = KnownPlayer(weights, first)
        return self.found[name]


@cache
def _hands(folder: Path, _terms: str, names: frozenset[str] | None) -> _AllHands:
    """Read the hands of a folder, once in each process: workers get many of its players."""
    wanted = pl.lit(True) if names is None else pl.col("name").is_in(names)
    tables = open_tables(folder)
    with reading_errors(tables):
        base = pl.col("file").str.replace_all("\\", "/", literal=True).str.split("/").list.last()
        rows = (
            tables.scan(PLAYERS)
            .filter(pl.col("name").is_not_null(), pl.col("styles").is_not_null(), wanted)
            .sort("name", "file", "line")
            .select("name", base, "line", "hand_id", "styles")
            .collect()
        )
    lengths = rows.group_by("name", maintain_order=True).len()
    starts = lengths["len"].cum_sum() - lengths["len"]
    slices = zip(starts, lengths["len"], strict=True)
    return _AllHands(rows, dict(zip(lengths["name"], slices, strict=True)))


def styles_in(tables: Tables, names: Iterable[str]) -> dict[str, dict[str, Style]]:
    """Return the styles of known players; raise ``RunError`` if the tables cannot be read."""
    name = _read_by(tables).rpartition(" (")[0]
    try:
        earlier = earlier_hands(tables, parse_players(name, None, ()))
    except (PolicyError, RunError):  # no panel, or a panel that has changed since
        return {}
    names = frozenset(names)
    earlier, panel, by_player = replace(earlier, names=names), earlier.panel, {}
    for player in sorted(names):
        if (known := earlier.player(player)) is not None:
            now = zip(panel.members, known.weights[-1].tolist(), panel.prior, strict=True)
            styles = {member.name: Style(*shares) for member, *shares in now}
            by_player[player] = dict(sorted(styles.items(), key=lambda item: -item[1].probability))
    return by_player


def _read_by(tables: Tables) -> str:
    return str(tables.terms.get("players", "")).partition("; ")[0]


def earlier_hands(tables: Tables, players: PlayerModels) -> EarlierHands:
    """Return the players' earlier hands, for reading hands by ``players``.

    Raise ``RunError`` if they were read by another policy, or by a policy without styles.
    """
    panel = panel_of(players.rest.policy)
    if panel is None:
        lack = f"the policy {players.rest.name} has no styles of which a player could follow one"
        raise RunError(f"{lack}; people has (--policy)")
    read_by, wanted = _read_by(tables), model_terms(players.rest)
    if read_by != wanted:
        readers = f"its hands were read by {read_by}, not by {wanted}"
        raise RunError(f"{tables.folder}: {readers}; score them anew")
    files = sorted(name for part in tables.parts for name in part.files)
    parts = [(name, (tables.folder / name).stat().st_size) for name in files]
    digest = blake2b(repr(parts).encode(), digest_size=6).hexdigest()
    return EarlierHands(tables.folder.absolute(), panel, f"players known from tables {digest}")
