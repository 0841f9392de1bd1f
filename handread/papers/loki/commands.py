"""The tables behind Loki: ``handread experiment loki-tables``."""

from enum import StrEnum
from functools import partial

import handread.cli.options as shared
from handread.cli.declared import argument, option
from handread.cli.experiment import experiment
from handread.cli.groups import OutputOptions, PlayerOptions, RuleOptions, RunningOptions, spread
from handread.cli.help import examples
from handread.cli.options import player_names, simulated_players, usage, usage_errors
from handread.lazy import lazily

with lazily():
    import handread.papers.loki.study as loki_study
    import handread.papers.loki.text as loki_text
    import handread.papers.tournament.commands as commands
    import handread.papers.tournament.study as tournament_study

MOST_AT_SHOWDOWNS = 7
"""The most players to whom the deck can deal seven cards each."""

LokiTable = StrEnum("LokiTable", "INCOME ACTIONS")


@spread
@examples(
    ("few games, for a first look", "handread experiment loki-tables income --games 100"),
    (
        "how often Loki's opponent modellers act",
        "handread experiment loki-tables actions --games 50 --players GOM,GOM,GOM",
    ),
)
def loki_tables(
    *,
    kind: LokiTable = argument(
        "income: of every starting hand against random hands, if all stay to the "
        "showdown; actions: folds, calls and raises, by street and cost.",
        "KIND",
        default=...,
    ),
    games: int | None = option(
        "Number of games, for income of each starting hand. Default: 100000 for income, "
        "2000 for actions.",
        max=shared.MOST_GAMES,
    ),
    seats: shared.Seats = 7,
    table: PlayerOptions,
    players: list[str] | None = simulated_players(
        "those of actions, named as in experiment tournament, in place of --seats, --policy "
        "and --seat.",
        player_names,
    ),
    running: RunningOptions,
    output: OutputOptions,
) -> None:
    """Make the tables that Loki plays by: incomes and frequencies of actions.

    Loki ranks starting hands by income, and expects its opponents to act as often as the players
    of the other table do.
    """
    if kind is LokiTable.ACTIONS:
        _actions(games or 2000, seats, table, players, running=running, output=output)
        return
    if players is not None or table != PlayerOptions():
        raise usage("--players, --policy, --lapse and --seat are for actions: leave them out")
    _income(100_000 if games is None else games, seats, running, output)


def _income(games: int, seats: int, running: RunningOptions, output: OutputOptions) -> None:
    if games < 2:
        raise usage("--games: at least 2 are needed for income")
    if seats > MOST_AT_SHOWDOWNS:
        raise usage(f"--seats: income is that of at most {MOST_AT_SHOWDOWNS} players")
    terms = {"command": "starting-hands", "games": games, "seats": seats}
    measure = partial(loki_study.starting_hands, seats, games)
    experiment(measure, loki_text.starting_hands_text, terms, running, output)


def _actions(
    games: int,
    seats: int,
    table: PlayerOptions,
    players: list[str] | None,
    running: RunningOptions,
    output: OutputOptions,
) -> None:
    terms: dict[str, object] = {"command": "action-frequencies"}
    if players is not None:
        entrants, base = commands.entrants_at_table(players, None, shared.Ties.SPLIT)
        setup = tournament_study.table_of(entrants, base)
        terms |= {"setup": base, "players": tournament_study.terms_of(entrants)}
    else:
        with usage_errors():
            setup = RuleOptions(seats).setup_of(table.models())
        terms["setup"] = setup
    measure = partial(loki_study.action_frequencies, setup, games)
    experiment(measure, loki_text.action_frequencies_text, terms, running, output)
