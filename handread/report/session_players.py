"""The players of a session: a table for each game, and a page and earlier record for each."""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from handread.game.rules import variant_of
from handread.opponents.records import PlayerRecord, Players, SeatHand, Style, add_hands
from handread.opponents.statistics import main_of
from handread.policy.panel import weights_after
from handread.report.index import IndexRow
from handread.report.players import Profile, ShareRow, profiles
from handread.report.words import safe_words, visible
from handread.study.session_values import YOU

LEAST_HANDS = 5
"""The fewest hands of a player who is listed."""

LONGEST_KEY = 200
"""The most characters of the key of a note on a player."""

MOST_PLAYERS = 12
"""The number of players listed in a game, those with the most hands first, you before all."""


@dataclass(frozen=True, slots=True)
class PlayerLine:
    """A player in a line; ``cells`` are the main statistics, None for one without a chance.

    ``page`` is the name of the player's page, ``shown`` the first cards shown most often.
    """

    profile: Profile
    name: str
    page: str
    cells: tuple[ShareRow | None, ...]
    shown: str

    @property
    def key(self) -> str:
        """The key of the user's notes on the player."""
        return mark_key(self.profile.player.name)


@dataclass(frozen=True, slots=True)
class PlayersTable:
    """The lines of a game's players, with heads; ``average`` is empty without a population."""

    game: str
    heads: tuple[tuple[str, str], ...]
    lines: tuple[PlayerLine, ...]
    average: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PlayersPanel:
    """The players seen often enough by game, and who is left out."""

    tables: tuple[PlayersTable, ...]
    left_out: str

    @property
    def pages(self) -> Iterator[PlayerLine]:
        """Yield the lines of the players who have a page."""
        return (line for table in self.tables for line in table.lines)


def players_panel(rows: Sequence[IndexRow]) -> PlayersPanel:
    """Return the players of a session."""
    named = sorted(_named(rows), key=lambda each: (not each.player.you, -each.player.hands))
    tables, listed = [], 0
    for game in {each.player.game.key: each.player.game for each in named}.values():
        of_game = [each for each in named if each.player.game is game]
        enough = [each for each in of_game if each.player.hands >= LEAST_HANDS][:MOST_PLAYERS]
        if enough:
            lines = tuple(map(_line, enough))
            listed += len(lines)
            heads = tuple((stat.short, stat.words(game, stat.definition)) for stat in main_of(game))
            means = [enough[0].populations.get(stat.key) for stat in main_of(game)]
            average = tuple("" if mean is None else f"{mean.mean:.0%}" for mean in means)
            tables.append(PlayersTable(game.title, heads, lines, average))
    return PlayersPanel(tuple(tables), _left_out(named, listed))


def player_of(rows: Iterable[IndexRow], page: str) -> PlayerLine | None:
    """Return the player with a page of this name, in the table or not; None if unknown."""
    named = (profile for profile in _named(rows) if page_name(profile.player) == page)
    return next(map(_line, named), None)


def mark_key(name: str) -> str:
    """Return the key of the user's notes on a player, in all games."""
    return f"player {visible(name)}"[:LONGEST_KEY]


def page_name(player: PlayerRecord) -> str:
    """Return the name of a player's page, which stays the same as hands are added."""
    told = f"{player.game.key}\n{player.name}".encode("utf-8", "backslashreplace")
    digest = hashlib.sha256(told).hexdigest()[:8]
    return f"player-{safe_words(player.name)}-{digest}.html"


def _named(rows: Iterable[IndexRow]) -> list[Profile]:
    return [profile for profile in profiles(players_of(rows)) if profile.player.name]


def players_of(rows: Iterable[IndexRow]) -> Players:
    """Return the records of all players of a session."""
    players: Players = {}
    for row in rows:
        add_hands(players, variant_of(row.variant), row.plays)
    return players


def rows_before(rows: Iterable[IndexRow], row: IndexRow) -> list[IndexRow]:
    """Return the earlier hands of a row's game, by day, then number, with its players' plays."""
    names = {play.name for play in row.plays if play.name}

    def is_before(other: IndexRow) -> bool:
        if other.day and row.day and other.day != row.day:
            return other.day < row.day
        return other.number < row.number

    before = (other for other in rows if other.variant == row.variant and is_before(other))
    return [replace(each, plays=tuple(p for p in each.plays if p.name in names)) for each in before]


def styles_of(player: PlayerRecord, rows: Iterable[IndexRow]) -> dict[str, Style]:
    """Return the styles that a player may follow by the reads of rows, most probable first.

    Only hands read with the same styles as the last one count.
    """
    styles: tuple[tuple[str, float], ...] = ()
    factors: list[tuple[float, ...]] = []
    for row, play in hands_of(player, rows):
        if play.factors:
            factors = factors if row.styles == styles else []
            styles = row.styles
            factors.append(play.factors)
    if not factors:
        return {}
    prior = np.array([share for _, share in styles])
    now = weights_after(prior, np.array(factors))[-1].tolist()
    styles_by_name = {name: Style(p, share) for (name, share), p in zip(styles, now, strict=True)}
    return dict(sorted(styles_by_name.items(), key=lambda item: -item[1].probability))


def _line(profile: Profile) -> PlayerLine:
    player = profile.player
    cells = tuple(map(profile.row, main_of(player.game)))
    families = player.families()
    shown = ", ".join(f"{family} {n}" for family, n in families.most_common(2))
    more = f" of {families.total()}" if len(families) > 2 else ""
    name = YOU if player.you else visible(player.name)
    return PlayerLine(profile, name, page_name(player), cells, shown + more)


def _left_out(named: Sequence[Profile], listed: int) -> str:
    """Return a sentence on the players who are not listed; empty if all are."""
    rest = len(named) - listed
    if not named:
        return "The log does not name the other players."
    if not rest:
        return ""
    more = "more " if listed else ""
    players = "player was" if rest == 1 else "players were"
    return f"{rest:,} {more}{players} in few hands: too few to say how they bet."


def hands_of(player: PlayerRecord, rows: Iterable[IndexRow]) -> list[tuple[IndexRow, SeatHand]]:
    """Return the hands of a player with the player's actions, in order."""
    return [
        (row, play)
        for row in rows
        for play in row.plays
        if play.name == player.name and row.variant == player.game.key
    ]
