"""The experiments of the paper: ``handread experiment ...``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from handread.cli import misspecified
from handread.cli.options import (
    Csv,
    Dialect,
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
    chosen_reads,
    table_setup,
    usage,
    usage_errors,
)
from handread.game.rules import STAGES

if TYPE_CHECKING:
    from handread.inference.values import Analysis
    from handread.parallel import Work
    from handread.session import Session
    from handread.simulate import Setup
    from handread.study.statistics import FigureTable

_Table = TypeVar("_Table", bound="FigureTable")

app = typer.Typer(
    help="Run the experiments of Saund 2006, section VI, with any policy and number of games.",
    no_args_is_help=True,
)


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
    from handread.report.experiments import gain_text
    from handread.study.replication import gain_table, measure_gain

    with usage_errors():
        setup = table_setup(seats, policy, lapse, Knowledge.BET_INFERENCE, seat, game, None, ties)
    _experiment(
        "information-gain",
        setup,
        games,
        seed,
        workers,
        partial(measure_gain, setup, seed),
        lambda files: gain_table(files, setup.players.name),
        csv,
        gain_text,
        (plot, lambda figures: figures.gain_figure),
    )


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
    from handread.report.experiments import rates_text
    from handread.study.replication import RateSums, measure_rates

    every_other = ",".join(str(number) for number in range(2, seats + 1, 2))
    own = seat or [f"{every_other}=:cards-only"]
    with usage_errors():
        setup = table_setup(seats, policy, lapse, Knowledge.BET_INFERENCE, own, game, None, ties)
    _experiment(
        "win-rates",
        setup,
        games,
        seed,
        workers,
        partial(measure_rates, setup, duplicate, seed),
        lambda files: RateSums.load(files, seats).rates(setup),
        csv,
        rates_text,
        (plot, lambda figures: figures.win_rates_figure),
        more={"duplicate": duplicate},
        what="deals",
        weight=seats if duplicate else 1,
    )


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
    from handread.cli.console import draw, emit, errors_told, keep, say
    from handread.report.tables import frame_csv
    from handread.session import Session
    from handread.study.replication import PICTURED, EntropyPaths, entropy_path

    if stage not in STAGES:
        raise usage(f"no stage {stage!r}: expected one of {', '.join(STAGES)}")
    htpds = figure is EntropyFigure.HTPD
    if htpds and plot is None:
        raise usage("the picture of the htpds needs a file: --plot FILE")
    with usage_errors():
        setup = table_setup(seats, policy, lapse, Knowledge.BET_INFERENCE, seat, game, None, ties)
        reads = chosen_reads(files or (), dialect, grammar, rejects)
    session = Session(files or (), reads)
    hands = dict(_read_hands(session, setup) if files else _simulated(setup, seed, games))
    picked = pick or _longest(hands)
    if picked not in hands:
        say(f"there is no hand {picked}" if picked else "there is no hand that could be read")
        raise typer.Exit(2)
    chosen = hands[picked]
    shown = next((read for read in chosen.stages if read.stage == stage), None)
    if htpds and shown is None:
        there = ", ".join(read.stage for read in chosen.stages)
        say(f"hand {picked} has no stage {stage}; it has {there}")
        raise typer.Exit(2)
    paths = {number: path for number, hand in hands.items() if (path := entropy_path(hand))}
    if not htpds and plot is not None and not paths:
        say("there is nothing to draw: not all downcards of any hand are known")
        raise typer.Exit(2)
    with errors_told():
        marked = tuple(stage for stage in PICTURED if stage in paths.get(picked, {}))
        drawn = EntropyPaths(paths, picked, marked)
        keep(csv, frame_csv(drawn) if csv else "")
        if htpds:
            names = {seat.number: seat.name for seat in chosen.replay.history.seats}
            draw(plot, lambda figures: figures.htpd_figure(shown, names))
        else:
            draw(plot, lambda figures: figures.entropies_figure(drawn))
    emit(f"hand {picked} of {len(hands)}\n{_record(chosen)}\n{_entropies_text(chosen)}")
    session.tell()
    raise typer.Exit(session.status)


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
    from handread.report.experiments import calibration_text
    from handread.study.calibration import calibration_table, measure_calibration

    with usage_errors():
        setup = table_setup(seats, policy, lapse, Knowledge.BET_INFERENCE, seat, game, None, ties)
    _experiment(
        "calibration",
        setup,
        games,
        seed,
        workers,
        partial(measure_calibration, setup, seed),
        lambda files: calibration_table(files, setup.players.name),
        csv,
        calibration_text,
        (plot, lambda figures: figures.calibration_figure),
    )


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
    from handread.report.experiments import independence_text
    from handread.study.independence import independence_table, measure_independence

    with usage_errors():
        setup = table_setup(seats, policy, lapse, Knowledge.BET_INFERENCE, seat, game, None, ties)
    _experiment(
        "independence",
        setup,
        games,
        seed,
        workers,
        partial(measure_independence, setup, draws, seed),
        lambda files: independence_table(files, setup.players.name, draws),
        csv,
        independence_text,
        more={"draws": draws},
        weight=1 + draws // 500,
    )


app.command()(misspecified.misspecified)


def _experiment(
    name: str,
    setup: Setup,
    games: int,
    seed: int,
    workers: int,
    work: Work,
    table: Callable[[Iterator[Path]], _Table],
    csv: Path | None,
    text: Callable[[_Table], str],
    picture: tuple[Path | None, Callable[[ModuleType], Callable[[_Table], Any]]] | None = None,
    more: Mapping[str, int] | None = None,
    what: str = "games",
    weight: int = 1,
) -> None:
    """Play games, average, write the table and the figure, print the text.

    Args:
        name: The name of the experiment.
        setup: The table.
        games: The number of games.
        seed: The random seed.
        workers: The number of processes; 0 takes as many as pay.
        work: The function that measures the games of a part.
        table: The function that averages the files of the parts.
        csv: The CSV file to write.
        text: The function that makes the text of a table.
        picture: The file to draw, and the function that takes its figure from
            ``report.figures``.
        more: Further values that decide the result.
        what: The name of what is counted.
        weight: The number of games that one is worth in time.
    """
    from handread.cli.console import draw, emit, keep, long_run
    from handread.report.tables import frame_csv

    plot = None if picture is None else picture[0]
    terms = {"command": name, "setup": repr(setup), "seed": seed, **(more or {})}
    run = long_run(csv or plot, terms, work, games, workers, what=what, weight=weight)
    with run as parts:
        found = table(part.file for part in parts)
        if csv is not None:
            keep(csv, frame_csv(found))
        if picture is not None:
            figure = picture[1]
            draw(plot, lambda figures: figure(figures)(found))
    # Last, because a reader who has gone away ends the program here.
    emit(text(found))


def _simulated(setup: Setup, seed: int, games: int) -> Iterator[tuple[int, Analysis]]:
    """Yield the games of a seed, numbered from 1."""
    from handread.cli.console import progress
    from handread.simulate import read_games

    with progress(games, "games") as tick:
        for number, (_, read) in enumerate(read_games(setup, seed, range(games)), 1):
            yield number, read
            tick(1)


def _read_hands(session: Session, setup: Setup) -> Iterator[tuple[int, Analysis]]:
    """Yield the hands of the files, numbered from 1; those that cannot be read are refused."""
    from handread.inference.analysis import analyze_replay

    for number, played in enumerate(session.replays(), 1):
        if played.problem is not None or not played.streets:
            none = played.history.problem(0, "no card is dealt")
            session.refuse(played.history, [played.problem or none])
            continue
        with session.slow_start():
            analysis = analyze_replay(played, setup.players, ties=setup.ties)
        session.accept(analysis.problems)
        if analysis.stages:
            yield number, analysis


def _longest(hands: dict[int, Analysis]) -> int:
    """Return the first hand that goes as far as any, with as many players as any of those.

    Hands with all downcards known come before others; 0 when there are no hands.
    """
    from handread.study.replication import entropy_path

    def merit(number: int) -> tuple[bool, int, int]:
        stages = hands[number].stages
        players = sum(len(stage.active) for stage in stages)
        return bool(entropy_path(hands[number])), len(stages), players

    return max(hands, key=merit, default=0)


def _record(analysis: Analysis) -> str:
    """Return the hand on one screen, in Saund's notation (Figure 8), if that can hold it."""
    from handread.formats.registry import writer_named

    try:
        return writer_named("saund").write(analysis.replay)
    except ValueError as error:
        return f"{error}\n"


def _entropies_text(analysis: Analysis) -> str:
    """Return the entropy of the outcome at each stage, where the downcards are known."""
    from handread.study.replication import entropy_path

    entropies = entropy_path(analysis)
    lines = [f"  {stage}  {bits:.3f} bits\n" for stage, bits in entropies.items()]
    return "entropy of the outcome\n" + "".join(lines) if lines else "not all downcards are known\n"
