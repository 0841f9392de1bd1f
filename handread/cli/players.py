"""The command that shows the players of logs and tables."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

import typer

from handread.cli.declared import argument, option
from handread.cli.groups import spread
from handread.cli.help import examples
from handread.cli.options import OneGame, json_option, usage
from handread.cli.reading import LogOptions
from handread.lazy import lazily

with lazily():
    import handread.game.steps as steps
    import handread.opponents.records as records
    import handread.report.players as player_report
    import handread.sessions.files as sessions
    import handread.sessions.opening as opening
    import handread.spelling as spelling
    import handread.tables as score_tables
    import handread.tables.players as table_players
    from handread.cli import console

Order = StrEnum("Order", "HANDS NET PLAYS RAISES AGGRESSION")


@dataclass(frozen=True)
class ChosenOptions:
    """The players to show, and their order."""

    game: OneGame = None
    sort: Order = option("Figure by which players are sorted, largest first.", default=Order.HANDS)
    top: int = option("Number of players to show in each game.", min=1, default=20)
    least_hands: int = option(
        "Leave out players with fewer hands than this, unless they are named.", min=1, default=5
    )

    def key(self, profile: player_report.Profile) -> tuple[float, int, str]:
        """Return the sort key of a player: the chosen figure, then hands and name."""
        player = profile.player
        share = profile.shares.get(self.sort.value)
        estimate = -1.0 if share is None else share.estimate  # without a chance, the last
        figures: Mapping[Order, float] = {Order.HANDS: player.hands, Order.NET: player.net}
        return -figures.get(self.sort, estimate), -player.hands, player.name

    def first_of(self, ordered: Iterable[player_report.Profile]) -> Iterator[player_report.Profile]:
        """Yield the first players of each game, of those with enough hands."""
        n_shown: Counter[str] = Counter()
        for profile in ordered:
            game = profile.player.game.key
            if profile.player.hands >= self.least_hands and n_shown[game] < self.top:
                n_shown[game] += 1
                yield profile


@spread
@examples(
    ("who sat in a session", "handread players docs/first-evening.txt"),
    ("what is known of one of them", "handread players docs/first-evening.txt Rooster_21"),
)
def players(
    *,
    paths: list[str] = argument(
        "Hand histories, or folders of them or of tables, which handread score wrote; "
        "then the names of players, for their profiles.",
        "PATH... [NAME...]",
        default=...,
    ),
    chosen: ChosenOptions,
    reading: LogOptions,
    as_json: bool = json_option("Print a JSON object for each player."),
) -> None:
    """Look opponents up: how each player bets, against the others.

    Without a name, a table of the players; with names, a profile of each: all statistics beside
    the average of the other players, what was shown down, and what stands out beyond chance.
    """
    files = [path for path in paths if opening.is_there(opening.address_of(path).file)]
    names = [path for path in paths if path not in files]
    if not files:
        raise usage(f"{paths[0]}: there is no such file or folder")
    with console.errors_told():
        found, status = _read(files, names, reading)
    if chosen.game is not None:
        found = {key: record for key, record in found.items() if key[1] == chosen.game.value}
        if not found:
            console.say(f"--game {chosen.game.value}: there is no hand of this game")
            raise typer.Exit(status or 1)
    known = {name for name, _ in found}
    unknown = [name for name in names if name not in known]
    for name in unknown:
        hint = spelling.or_meant(name, known - {""})
        console.say(f"{name}: there is no such file, and no player of that name{hint}")
    if found and (not names or len(unknown) < len(names)):
        _show(found, names, chosen, as_json)
    raise typer.Exit(2 if unknown else status)


def _read(
    files: Sequence[str], names: Sequence[str], reading: LogOptions
) -> tuple[records.Players, int]:
    """Return the records of the players of logs and tables, and the exit status.

    Hands of the logs that are in the tables too are left out as repeated.
    """
    tables = [file for file in files if (Path(file) / score_tables.TERMS_FILE).is_file()]
    logs = [file for file in files if file not in tables]
    found: records.Players = {}
    seen: set[bytes] = set()
    for folder in tables:
        opened = console.opened(Path(folder))
        records.merge(found, table_players.records_in(opened, names))
        if logs:
            seen |= opened.hand_keys()
    if not logs:
        return found, 0
    session = sessions.Session(logs, replace(reading.settings(logs), seen=seen), prints=False)
    records.merge(found, records.records_of(_accepted(session)))
    return found, session.end(bool(found))


def _accepted(session: sessions.Session) -> Iterator[steps.Replay]:
    """Yield the legal hands, and count them."""
    for played in session.legal():
        session.accept(played.history)
        yield played


def _show(
    found: records.Players, names: Sequence[str], chosen: ChosenOptions, as_json: bool
) -> None:
    profiles = sorted(player_report.profiles(found), key=chosen.key)
    named = [profile for name in names for profile in profiles if profile.player.name == name]
    shown = named if names else [*chosen.first_of(profiles)]
    if as_json:
        for profile in shown:
            console.emit(json.dumps(player_report.profile_object(profile), allow_nan=False) + "\n")
    elif names:
        console.emit("\n".join(map(player_report.profile_text, shown)))
    else:
        console.emit(player_report.players_text(shown, len(profiles) - len(shown)))
