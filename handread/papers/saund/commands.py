"""The experiments of the paper: ``handread experiment ...``."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from handread.cli.experiment import experiment
from handread.cli.groups import Drawn, FullTable, Logs, Output, Running, Table, spread
from handread.cli.help import choices, examples
from handread.cli.options import (
    MOST,
    MOST_GAMES,
    Games,
    Ties,
    usage,
    usage_errors,
)
from handread.game.rules import ALL_STAGES

if TYPE_CHECKING:
    from handread.game.steps import Replay
    from handread.inference.hand import Analysis
    from handread.session import Session
    from handread.simulate import Setup
    from handread.study.information import EntropyPaths


class EntropyFigure(StrEnum):
    """Pictures of a hand."""

    ENTROPIES = "entropies"
    HTPD = "htpd"


@spread
@examples(
    ("100 games, as a table", "handread experiment information-gain --games 100"),
    (
        "as many games as in the paper, and the figure",
        "handread experiment information-gain --csv gain.csv --plot gain.png",
    ),
)
def information_gain(
    *,
    games: Games = 1827,
    table: Table = Table(ties=Ties.PAPER),
    running: Running,
    output: Drawn,
) -> None:
    """Figure 6: what the bets tell beyond the cards.

    It is measured in bits, stage by stage, in simulated games.
    """
    from handread.papers.saund import replication
    from handread.papers.saund.text import information_gain_text

    setup = table.setup()
    measure = partial(replication.information_gain, setup, games)
    terms = {"command": "information-gain", "setup": repr(setup)}
    experiment(
        measure, information_gain_text, terms, running, output.csv, output.plot, "gain_figure"
    )


@spread
@examples(
    ("100 deals, as a table", "handread experiment win-rates --games 100"),
    (
        "each deal for every rotation of the players: less luck",
        "handread experiment win-rates --games 10 --duplicate",
    ),
)
def win_rates(
    *,
    games: Annotated[
        int, typer.Option(help="Number of deals.", min=1, max=MOST_GAMES, metavar="N")
    ] = 8977,
    table: Table = Table(ties=Ties.PAPER),
    duplicate: Annotated[
        bool,
        typer.Option("--duplicate", help="Play each deal once for every rotation of the players."),
    ] = False,
    running: Running,
    output: Drawn,
) -> None:
    """Figure 9: chips won with and without reading the bets.

    Without --seat every other player is cards-only, as in the paper: seats 2, 4 and 6 of seven.
    """
    from handread.papers.saund import replication
    from handread.papers.saund.text import rates_text

    every_other = ",".join(str(number) for number in range(2, table.seats + 1, 2))
    setup = replace(table, seat=table.seat or [f"{every_other}=:cards-only"]).setup()
    measure = partial(replication.win_rates, setup, games, duplicate)
    terms = {
        "command": "win-rates",
        "setup": repr(setup),
        "duplicate": duplicate,
    }
    experiment(measure, rates_text, terms, running, output.csv, output.plot, "win_rates_figure")


@spread
@examples(
    (
        "Figure 7 of 20 games",
        "handread experiment entropies --games 20 --plot entropies.png",
    ),
    (
        "Figure 1 of a simulated hand",
        "handread experiment entropies --games 1 --figure htpd --plot htpd.png",
    ),
)
def entropies(
    *,
    files: Annotated[
        list[str] | None,
        typer.Argument(metavar="[FILE...]", help="Hands to show. Default: simulated games."),
    ] = None,
    games: Annotated[
        int, typer.Option(help="Number of simulated games.", min=1, max=MOST_GAMES, metavar="N")
    ] = 80,
    figure: Annotated[
        EntropyFigure,
        typer.Option(
            help="Picture to draw: Figure 7, or Figure 1 of one hand.",
            metavar=choices(EntropyFigure),
        ),
    ] = EntropyFigure.ENTROPIES,
    stage: Annotated[
        str,
        typer.Option(
            help="Stage of the htpds: 3D (3rd street, after the deal), 3B (after its bets) ... 7B.",
            metavar="STAGE",
        ),
    ] = "3B",
    pick: Annotated[
        int,
        typer.Option(
            help="Number of the hand to highlight, from 1; 0 is the longest.",
            min=0,
            max=MOST,
            metavar="N",
        ),
    ] = 0,
    table: Table = Table(ties=Ties.PAPER),
    running: Running,
    reading: Logs,
    output: Drawn,
) -> None:
    """Figure 7: entropy as games go on; Figure 1: htpds.

    The entropy says how open it is who will win. The htpds are the probabilities of each player's
    final hand types, at one stage of one hand.
    """
    from handread.cli.console import draw, emit, errors_told, say, write_result
    from handread.inference.analysis import analyze_replay
    from handread.papers.saund import replication
    from handread.papers.saund.text import entropies_text
    from handread.session import Session
    from handread.simulate import play_game

    htpds = figure is EntropyFigure.HTPD
    if htpds and output.plot is None:
        raise usage("the picture of the htpds needs a file: --plot FILE")
    setup = table.setup()
    stages = ALL_STAGES if files else setup.game.stages
    if stage not in stages:
        raise usage(f"no stage {stage!r}: expected one of {', '.join(stages)}")
    with usage_errors():
        reads = reading.settings(files or ())
    session = Session(files or (), reads)
    drawn = None if htpds else output.plot
    replays: dict[int, Replay] = {}
    if files:
        found, replays = _entropies_of_files(session, setup, pick)
    elif pick <= games:
        terms = {"command": "entropies", "setup": repr(setup), "pick": pick}
        with running.begin(terms, output.csv or drawn) as run:
            found = replication.entropies(setup, games, pick, run)
            write_result(found, output.csv, drawn, "entropies_figure")
        replays[found.picked] = play_game(setup, running.seed, found.picked - 1).replay
    picked = found.picked if replays else pick
    if picked not in replays:
        say(f"there is no hand {picked}" if picked else "no hand could be read")
        raise typer.Exit(2)
    chosen = analyze_replay(replays[picked], setup.players, ties=setup.ties)
    shown = next((read for read in chosen.stages if read.stage == stage), None)
    if htpds and shown is None:
        there = ", ".join(read.stage for read in chosen.stages)
        say(f"hand {picked} has no stage {stage}; it has {there}")
        raise typer.Exit(2)
    if drawn is not None and not found.figures:
        say("there is nothing to draw: not all downcards of any hand are known")
        raise typer.Exit(2)
    with errors_told():
        if files:
            write_result(found, output.csv, drawn, "entropies_figure")
        if htpds:
            names = {seat.number: seat.name for seat in chosen.replay.history.seats}
            draw(output.plot, lambda figures: figures.htpd_figure(shown, names))
    n = len(replays) if files else games
    emit(f"hand {picked} of {n}\n{_record(chosen)}\n{entropies_text(found)}")
    session.report_counts()
    raise typer.Exit(session.status)


@spread
@examples(
    ("100 games, as a table", "handread experiment calibration --games 100"),
    (
        "1,000 games, and a reliability diagram",
        "handread experiment calibration --plot calibration.png",
    ),
)
def calibration(
    *,
    games: Games = 1000,
    table: FullTable,
    running: Running,
    output: Drawn,
) -> None:
    """Check the observer's probabilities against outcomes.

    What it gives 30% should happen 30% of the time.
    """
    from handread.report.information import calibration_text
    from handread.study.calibration import calibration as calibrated

    setup = table.setup()
    measure = partial(calibrated, setup, games)
    terms = {"command": "calibration", "setup": repr(setup)}
    experiment(
        measure, calibration_text, terms, running, output.csv, output.plot, "reliability_figure"
    )


@spread
@examples(
    ("10 games, with few deals", "handread experiment independence --games 10 --draws 1000"),
    ("the same with three players", "handread experiment independence --games 10 --seats 3"),
)
def independence(
    *,
    games: Games = 250,
    draws: Annotated[
        int,
        typer.Option(
            help="Number of joint deals for each stage and observer.", min=1, max=MOST, metavar="N"
        ),
    ] = 20_000,
    table: Table,
    running: Running,
    output: Output,
) -> None:
    """Measure the cost of taking seats as independent.

    The observer neglects that no two players can hold the same card; the cost is in bits.
    """
    from handread.papers.saund.independence import independence as cost
    from handread.papers.saund.text import independence_text

    setup = table.setup()
    measure = partial(cost, setup, games, draws)
    terms = {"command": "independence", "setup": repr(setup), "draws": draws}
    experiment(measure, independence_text, terms, running, output.csv)


def _entropies_of_files(
    session: Session, setup: Setup, pick: int
) -> tuple[EntropyPaths, dict[int, Replay]]:
    """Return the entropies of the hands of files, and the hands, both numbered from 1.

    Hands that cannot be read are refused, but keep their number.
    """
    from handread.game.replay import unanalysable, without_analysis
    from handread.inference.analysis import analyze_replay
    from handread.papers.saund.replication import entropies_table, entropy_rows
    from handread.study.sums import Sums

    sums, replays = Sums(), {}
    for number, played in enumerate(session.replays(), 1):
        problem = played.problem or unanalysable(played)
        if problem is not None:
            session.refuse(played.history, [without_analysis(played, problem)])
            continue
        with session.slow_start():
            analysis = analyze_replay(played, setup.players, ties=setup.ties)
        session.accept(analysis.problems)
        if analysis.stages:
            for row in entropy_rows(number, analysis):
                sums.add(*row)
            replays[number] = played
    return entropies_table(sums, pick), replays


def _record(analysis: Analysis) -> str:
    """Return the hand in Saund's notation (Figure 8), or nothing if it cannot represent it."""
    from handread.formats.registry import writer_named

    try:
        return writer_named("saund").write(analysis.replay)
    except ValueError as error:
        return f"{error}\n"
