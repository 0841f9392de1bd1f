"""The experiments of the paper: ``handread experiment ...``."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from handread.cli.options import (
    Dialect,
    Family,
    FamilyOption,
    Game,
    Grammars,
    Knowledge,
    Lapse,
    Plot,
    PolicyName,
    RejectsFile,
    SeatModels,
    Seats,
    Seed,
    Ties,
    TiesOption,
    Workers,
    chosen_policy,
    chosen_reads,
    policy_names,
    table_setup,
    usage,
    usage_errors,
    writable,
)
from handread.game.rules import STAGES

app = typer.Typer(
    help="Run the experiments of Saund 2006, section VI, with any policy and number of games.",
    no_args_is_help=True,
)

Csv = Annotated[
    Path | None,
    typer.Option("--csv", help="Write the table here.", metavar="FILE", callback=writable),
]


class EntropyFigure(StrEnum):
    """The pictures of a hand."""

    ENTROPIES = "entropies"
    HTPD = "htpd"


@app.command("information-gain")
def information_gain(
    games: Annotated[int, typer.Option(help="How many games.", min=1)] = 1827,
    seats: Seats = 7,
    policy: PolicyName = "default",
    lapse: Lapse = None,
    seat: SeatModels = [],  # noqa: B006 - typer makes a new list of it
    game: Game = None,
    ties: TiesOption = Ties.PAPER,
    seed: Seed = 1,
    workers: Workers = 0,
    csv: Csv = None,
    plot: Plot = None,
) -> None:
    """Figure 6: what the bets tell beyond the cards, stage by stage."""
    from handread.commands.experiments import ExperimentOptions, run_information_gain

    with usage_errors():
        setup = table_setup(seats, policy, lapse, Knowledge.BET_INFERENCE, seat, game, None, ties)
        options = ExperimentOptions(setup, games, seed, workers, csv, plot)
    raise typer.Exit(run_information_gain(options))


@app.command("win-rates")
def win_rates(
    games: Annotated[int, typer.Option(help="How many deals.", min=1)] = 8977,
    seats: Seats = 7,
    policy: PolicyName = "default",
    lapse: Lapse = None,
    seat: SeatModels = [],  # noqa: B006 - typer makes a new list of it
    duplicate: Annotated[
        bool,
        typer.Option("--duplicate", help="Play each deal once for every rotation of the players."),
    ] = False,
    game: Game = None,
    ties: TiesOption = Ties.PAPER,
    seed: Seed = 1,
    workers: Workers = 0,
    csv: Csv = None,
    plot: Plot = None,
) -> None:
    """Figure 9: what players put in and win who read the bets, and who do not.

    Without --seat every other player is cards-only, as in the paper: seats 2, 4 and 6 of seven.
    """
    from handread.commands.experiments import ExperimentOptions, run_win_rates

    every_other = ",".join(str(number) for number in range(2, seats + 1, 2))
    own = seat or [f"{every_other}=:cards-only"]
    with usage_errors():
        setup = table_setup(seats, policy, lapse, Knowledge.BET_INFERENCE, own, game, None, ties)
        options = ExperimentOptions(setup, games, seed, workers, csv, plot)
    raise typer.Exit(run_win_rates(options, duplicate))


@app.command()
def entropies(
    files: Annotated[
        list[str] | None,
        typer.Argument(metavar="[FILE...]", help="Hands to show; without files, simulated games."),
    ] = None,
    games: Annotated[int, typer.Option(help="How many simulated games.", min=1)] = 80,
    figure: Annotated[
        EntropyFigure, typer.Option(help="What to draw: Figure 7, or Figure 1 of one hand.")
    ] = EntropyFigure.ENTROPIES,
    stage: Annotated[str, typer.Option(help="The stage of the htpds, 3D to 7B.")] = "3B",
    pick: Annotated[
        int, typer.Option(help="The hand to single out, from 1; else the longest.", min=0)
    ] = 0,
    seats: Seats = 7,
    policy: PolicyName = "default",
    lapse: Lapse = None,
    seat: SeatModels = [],  # noqa: B006 - typer makes a new list of it
    game: Game = None,
    ties: TiesOption = Ties.PAPER,
    seed: Seed = 1,
    dialect: Dialect = None,
    grammar: Grammars = [],  # noqa: B006 - typer makes a new list of it
    rejects: RejectsFile = None,
    csv: Csv = None,
    plot: Plot = None,
) -> None:
    """Figure 7: how uncertain each game is as it goes on; and Figure 1, the htpds of a hand."""
    from handread.commands.experiments import EntropyOptions, ExperimentOptions, run_entropies

    if stage not in STAGES:
        raise usage(f"no stage {stage!r}: expected one of {', '.join(STAGES)}")
    if figure is EntropyFigure.HTPD and plot is None:
        raise usage("the picture of the htpds needs a file: --plot FILE")
    with usage_errors():
        setup = table_setup(seats, policy, lapse, Knowledge.BET_INFERENCE, seat, game, None, ties)
        experiment = ExperimentOptions(setup, games, seed, 1, csv, plot)
        pictured = stage if figure is EntropyFigure.HTPD else None
        reads = chosen_reads(files or (), dialect, grammar, rejects)
        options = EntropyOptions(experiment, tuple(files or ()), reads, pick, pictured)
    raise typer.Exit(run_entropies(options))


@app.command()
def calibration(
    games: Annotated[int, typer.Option(help="How many games.", min=1)] = 1000,
    seats: Annotated[int, typer.Option("--seats", help="How many players.", min=2, max=7)] = 7,
    policy: PolicyName = "default",
    lapse: Lapse = None,
    seat: SeatModels = [],  # noqa: B006 - typer makes a new list of it
    game: Game = None,
    ties: TiesOption = Ties.SPLIT,
    seed: Seed = 1,
    workers: Workers = 0,
    csv: Csv = None,
    plot: Plot = None,
) -> None:
    """Whether the observer is right: of what it gives 30%, 30% should happen."""
    from handread.commands.experiments import ExperimentOptions, run_calibration

    with usage_errors():
        setup = table_setup(seats, policy, lapse, Knowledge.BET_INFERENCE, seat, game, None, ties)
        options = ExperimentOptions(setup, games, seed, workers, csv, plot)
    raise typer.Exit(run_calibration(options))


@app.command()
def independence(
    games: Annotated[int, typer.Option(help="How many games.", min=1)] = 250,
    draws: Annotated[int, typer.Option(help="Joint deals a stage and observer.", min=1)] = 20_000,
    seats: Seats = 7,
    policy: PolicyName = "default",
    lapse: Lapse = None,
    seat: SeatModels = [],  # noqa: B006 - typer makes a new list of it
    game: Game = None,
    ties: TiesOption = Ties.SPLIT,
    seed: Seed = 1,
    workers: Workers = 0,
    csv: Csv = None,
) -> None:
    """What it costs to take the seats' downcards as independent, in bits."""
    from handread.commands.experiments import ExperimentOptions, run_independence

    with usage_errors():
        setup = table_setup(seats, policy, lapse, Knowledge.BET_INFERENCE, seat, game, None, ties)
        options = ExperimentOptions(setup, games, seed, workers, csv, None)
    raise typer.Exit(run_independence(options, draws))


@app.command()
def misspecified(
    games: Annotated[int, typer.Option(help="How many games are read.", min=1)] = 400,
    players: Annotated[
        str,
        typer.Option(
            "--players",
            help="The policy that the players follow: a preset or a TOML file.",
            metavar="NAME|FILE",
            autocompletion=policy_names,
        ),
    ] = "default",
    reader: Annotated[
        list[str] | None,
        typer.Option(
            "--reader",
            help="A policy to read with; may be repeated. Else default, tight, loose, honest.",
            metavar="NAME|FILE",
            autocompletion=policy_names,
        ),
    ] = None,
    fitted: Annotated[
        str,
        typer.Option(
            help="After how many hands to fit policies to read with; none for no fits.",
            metavar="N,N,...",
        ),
    ] = "50,200,1000",
    family: FamilyOption = Family.RAMPS,
    drift: Annotated[
        list[str] | None,
        typer.Option(
            help="A fault in the true policy: move=STEP along x, shrink=FACTOR of its levels, or "
            "none; may be repeated.",
            metavar="KIND=SIZE",
        ),
    ] = None,
    seats: Seats = 7,
    game: Game = None,
    seed: Seed = 1,
    workers: Workers = 0,
    csv: Csv = None,
    plot: Plot = None,
) -> None:
    """What a wrong model of the players costs, and how many hands it takes to learn a right one.

    The same games are read with the true policy, with others, with the true one put off, and with
    policies fitted to other hands of the same players, of which no downcard is known.
    """
    from handread.commands.experiments import ExperimentOptions
    from handread.commands.misspecified import MisspecifiedOptions, run_misspecified
    from handread.study.fit.fit import single
    from handread.study.misspecified import DRIFTS, standing_readers

    with usage_errors():
        try:
            policy = single(chosen_policy(players, None))
        except TypeError as error:
            raise usage(f"the players follow one policy: {error}") from None
        drifts = DRIFTS if drift is None else [text for text in drift if text != "none"]
        readers = standing_readers(policy, reader, drifts)
        knows = Knowledge.BET_INFERENCE
        # Equal hands share the pot, as in the fit.
        setup = table_setup(seats, players, None, knows, [], game, None, Ties.SPLIT)
        experiment = ExperimentOptions(setup, games, seed, workers, csv, plot)
        options = MisspecifiedOptions(experiment, readers, _counts(fitted), family.value)
    raise typer.Exit(run_misspecified(options))


MOST_HANDS = 100_000
"""How many hands a policy is fitted to at most, as they are held at once."""


def _counts(text: str) -> tuple[int, ...]:
    """Numbers of hands, from the fewest: ``50,200``; "none" is no number."""
    parts = [] if text == "none" else [part.strip() for part in text.split(",")]
    if not all(part.isdecimal() and 0 < int(part) <= MOST_HANDS for part in parts):
        expected = f"numbers from 1 to {MOST_HANDS:,} such as 50,200, or none"
        raise usage(f"no numbers of hands {text!r}: expected {expected}")
    return tuple(sorted({int(part) for part in parts}))
