"""The command that shows the players of logs and tables."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
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
        """Return the sort key of a player."""
        player = profile.player
        share = profile.shares.get(self.sort.value)
        first: Mapping[Order, float] = {Order.HANDS: player.hands, Order.NET: player.net}
        figure = first.get(self.sort, -1.0 if share is None else share.estimate)
        return -figure, -player.hands, player.name


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
        every, status = _read(files, names, reading)
    if chosen.game is not None:
        every = {key: who for key, who in every.items() if key[1] == chosen.game.value}
        if not every:
            console.say(f"--game {chosen.game.value}: there is no hand of this game")
            raise typer.Exit(status or 1)
    lacking = [name for name in names if not any(name == key[0] for key in every)]
    for name in lacking:
        hint = spelling.or_meant(name, {key[0] for key in every} - {""})
        console.say(f"{name}: there is no such file, and no player of that name{hint}")
    if every and (not names or len(lacking) < len(names)):
        _show(every, names, chosen, as_json)
    raise typer.Exit(2 if lacking else status)


def _read(
    files: Sequence[str], names: Sequence[str], reading: LogOptions
) -> tuple[records.Players, int]:
    """Return the records of the players of logs and tables, and the exit status.

    Hands of the logs that are in the tables too are left out as repeated.
    """
    tables = [file for file in files if (Path(file) / score_tables.TERMS_FILE).is_file()]
    logs = [file for file in files if file not in tables]
    read: records.Players = {}
    seen: set[bytes] = set()
    for folder in tables:
        opened = console.opened(Path(folder))
        records.merge(read, table_players.records_in(opened, names))
        if logs:
            seen |= opened.hand_keys()
    if not logs:
        return read, 0
    settings = replace(reading.settings(logs), seen=seen)
    session = sessions.Session(logs, settings, prints=False)
    records.merge(read, records.records_of(_counted(session)))
    session.report_counts()
    return read, session.status_of_nothing if not read else session.status


def _counted(session: sessions.Session) -> Iterator[steps.Replay]:
    for played in session.legal():
        session.accept()
        yield played


def _show(
    every: records.Players, names: Sequence[str], chosen: ChosenOptions, as_json: bool
) -> None:
    profiles = sorted(player_report.profiles(every), key=chosen.key)
    wanted = [profile for name in names for profile in profiles if profile.player.name == name]
    if not names:
        seen: Counter[str] = Counter()
        for profile in profiles:
            game = profile.player.game.key
            if profile.player.hands >= chosen.least_hands and seen[game] < chosen.top:
                seen[game] += 1
                wanted.append(profile)
    if as_json:
        for profile in wanted:
            console.emit(json.dumps(player_report.profile_object(profile), allow_nan=False) + "\n")
    elif names:
        console.emit("\n".join(player_report.profile_text(profile) for profile in wanted))
    else:
        console.emit(player_report.players_text(wanted, len(profiles) - len(wanted)))
