"""The duplicate tournament of players: ``handread experiment tournament``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from handread.cli.options import (
    Csv,
    Game,
    Knowledge,
    Plot,
    Seed,
    Ties,
    TiesOption,
    Workers,
    chosen_policy,
    table_setup,
    usage,
    usage_errors,
)

if TYPE_CHECKING:
    from handread.inference.players import Model
    from handread.simulate import Setup


def tournament(
    players: Annotated[
        str,
        typer.Option(
            help="Who plays, 2 to 8: policies, presets or TOML files; a name may be repeated.",
            metavar="NAME,NAME,...",
        ),
    ] = "default,tight,loose",
    sessions: Annotated[int, typer.Option(help="Number of sessions.", min=1)] = 50,
    deals: Annotated[
        int, typer.Option(help="Deals of a session; players remember those before.", min=1)
    ] = 200,
    reference: Annotated[
        str | None,
        typer.Option(
            help="Kinds of players with whose mean the others are compared.",
            metavar="NAME,...",
        ),
    ] = None,
    game: Game = None,
    ties: TiesOption = Ties.SPLIT,
    seed: Seed = 1,
    workers: Workers = 0,
    csv: Csv = None,
    plot: Plot = None,
) -> None:
    """Play a duplicate tournament: each deal once for every rotation of the players."""
    from functools import partial

    from handread.cli.console import emit, experiment_run
    from handread.report.experiments import tournament_text
    from handread.study import tournament as study

    entrants, setup = _entrants(players, game, ties)
    with usage_errors():
        reference_kinds = study.checked_reference(entrants, _listed(reference or ""))
    terms = {
        "command": "tournament",
        "entrants": repr(entrants),
        "setup": repr(setup),
        "deals": deals,
        "seed": seed,
    }
    run = partial(study.tournament, entrants, setup, sessions, deals, seed, reference_kinds)
    with experiment_run(terms, workers, csv, plot, "tournament_figure", "sessions") as (_, finish):
        found = finish(run)
    emit(tournament_text(found))


def _entrants(players: str, game: str | None, ties: Ties) -> tuple[tuple[Model, ...], Setup]:
    """Return the players and their table, or raise a usage error."""
    from handread.inference.players import Model
    from handread.simulate import check_analysed

    names = _listed(players)
    if len(names) < 2:
        raise usage(f"{players!r}: expected two players or more, such as tight,loose")
    with usage_errors():
        entrants = tuple(Model(chosen_policy(name, None)) for name in names)
        knows = Knowledge.BET_INFERENCE
        setup = table_setup(len(names), "default", None, knows, [], game, None, ties)
        return entrants, check_analysed(setup)


def _listed(names: str) -> list[str]:
    return [name.strip() for name in names.split(",") if name.strip()]
