"""The command for learned values: ``handread fit-values``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from handread.cli.groups import Running, spread
from handread.cli.help import OUTPUT, choices, examples
from handread.cli.options import (
    MOST_GAMES,
    MOST_ROLLOUTS,
    AnalyzedGame,
    policy_names,
    usage_errors,
    writable,
)
from handread.lazy import lazily

with lazily():
    import handread.decisions.learned as learning
    import handread.decisions.particles as particles
    import handread.game.rules as rules
    import handread.inference.players as inference
    import handread.parallel as parallel
    import handread.report.learned_values as values_report
    import handread.study.fit.learned_values as value_fits
    from handread.cli import console


@spread
@examples(
    (
        "the values of a policy of your own",
        "handread fit-values mine.toml --like people -o mine-values.json",
    ),
    (
        "fewer games, for a first look",
        "handread fit-values tight --games 50 --showdowns 50 --like people",
    ),
)
def fit_values(
    *,
    policy: Annotated[
        str,
        typer.Argument(
            metavar="POLICY",
            help="Policy by which everybody plays: a policy by name, or a TOML file.",
            autocompletion=policy_names,
        ),
    ],
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            help="File for the values; without it only the errors are printed.",
            metavar="FILE.json",
            callback=writable,
            rich_help_panel=OUTPUT,
        ),
    ] = None,
    game: Annotated[
        AnalyzedGame,
        typer.Option("--game", help="Game that is played.", metavar=choices(AnalyzedGame)),
    ] = AnalyzedGame.STUD,
    games: Annotated[
        int, typer.Option(help="Number of games to simulate.", min=50, max=MOST_GAMES, metavar="N")
    ] = 1600,
    played_on: Annotated[
        int,
        typer.Option(
            help="Number of these games in which two decisions are played on by rollouts.",
            min=50,
            max=MOST_GAMES,
            metavar="N",
        ),
    ] = 700,
    showdowns: Annotated[
        int,
        typer.Option(
            help="Number of further games of which only the showdowns are used.",
            min=0,
            max=MOST_GAMES,
            metavar="N",
        ),
    ] = 1600,
    rollouts: Annotated[
        int,
        typer.Option(
            help="Number of rollouts of each of these decisions.",
            min=10,
            max=MOST_ROLLOUTS,
            metavar="N",
        ),
    ] = 60,
    like: Annotated[
        str | None,
        typer.Option(
            "--like",
            help="Policy with included values to which the new ones are held, so that fewer "
            "games are needed.",
            metavar="NAME|FILE",
            autocompletion=policy_names,
        ),
    ] = None,
    running: Running,
) -> None:
    """Learn what decisions are worth, for values without rollouts.

    The values of a policy in a game are fitted to simulated games. The errors that are printed are
    those on games held out from the fit. Give the same command again to resume an interrupted run.
    """
    with usage_errors():
        players, start = inference.player_models(policy), None
        if like is not None:
            start = learning.learned_values(
                inference.player_models(like).in_game(game.value), game.value
            )
    variant = rules.variant_of(game.value)
    played_on = min(games, played_on)
    plan = value_fits.ValuesPlan(
        games, showdowns, played_on=played_on, rollouts=rollouts, seed=running.seed
    )
    terms = {
        "command": "fit-values",
        "players": inference.players_terms(players),
        "game": game.value,
        "plan": repr(plan),
    }
    with running.begin(terms, output) as run:
        data = value_fits.game_data(players, variant, plan, particles.particle_rollouts, run)
        command = (
            f"handread fit-values {policy} --game {game.value} --games {games} "
            f"--played-on {played_on} --showdowns {showdowns} --rollouts {rollouts} "
            f"--seed {running.seed}" + ("" if like is None else f" --like {like}")
        )
        found = value_fits.fit_values(players, variant, plan, data, command, start)
        if output is not None:
            parallel.write_text_whole(output, json.dumps(found.record(), allow_nan=False) + "\n")
    console.emit(values_report.fitted_values_text(found))
