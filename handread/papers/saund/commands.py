"""The experiments of the paper: ``handread experiment ...``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial

import typer

from handread.cli.declared import argument, option
from handread.cli.experiment import experiment
from handread.cli.groups import (
    DrawnOptions,
    FullTableOptions,
    RunningOptions,
    TableOptions,
    spread,
)
from handread.cli.help import examples
from handread.cli.options import MOST_GAMES, Games, Ties, usage
from handread.cli.rare import setting
from handread.cli.reading import LogOptions
from handread.game.rules import ALL_STAGES
from handread.lazy import lazily

with lazily():
    import handread.formats.registry as format_registry
    import handread.game.replay as replaying
    import handread.game.steps as steps
    import handread.inference.analysis as analyses
    import handread.inference.hand_analysis as hand_analysis
    import handread.inference.players as inference
    import handread.papers.saund.replication as replicating
    import handread.papers.saund.text as saund_text
    import handread.report.information_text as information
    import handread.sessions.files as sessions
    import handread.simulate as simulation
    import handread.study.calibration as calibrating
    import handread.study.information_gain as information_report
    import handread.study.sums as summing
    from handread.cli import console

EntropyFigure = StrEnum("EntropyFigure", "ENTROPIES HTPD")


@spread
@examples(
    ("100 games, as a table", "handread experiment information-gain --games 100"),
    (
        "as many games as in the paper, and the figure",
        "handread experiment information-gain --output gain.csv --plot gain.png",
    ),
)
def information_gain(
    *,
    games: Games = 1827,
    table: TableOptions = TableOptions(ties=Ties.PAPER),
    running: RunningOptions,
    output: DrawnOptions,
) -> None:
    """Figure 6: what the bets tell beyond the cards.

    It is measured in bits, stage by stage, in simulated games.
    """
    setup = table.setup()
    measure = partial(replicating.information_gain, setup, games)
    terms = {"command": "information-gain", "setup": setup}
    experiment(
        measure, saund_text.information_gain_text, terms, running, output, figure="gain_figure"
    )


@spread
@examples(
    ("100 deals, as a table", "handread experiment win-rates --games 100"),
    (
        "each deal for every rotation of the players: less luck",
        "handread experiment win-rates --games 10 --set duplicate=yes",
    ),
)
def win_rates(
    *,
    games: int = option("Number of deals.", max=MOST_GAMES, default=8977),
    table: TableOptions = TableOptions(ties=Ties.PAPER),
    duplicate: bool = setting(
        "Play each deal once for every rotation of the players.", default=False
    ),
    running: RunningOptions,
    output: DrawnOptions,
) -> None:
    """Figure 9: chips won with and without reading the bets.

    Without --seat every other player is cards-only, as in the paper: seats 2, 4 and 6 of seven.
    """
    every_other = ",".join(str(number) for number in range(2, table.seats + 1, 2))
    setup = replace(table, seat=table.seat or [f"{every_other}=:cards-only"]).setup()
    measure = partial(replicating.win_rates, setup, games, duplicate)
    terms = {"command": "win-rates", "setup": setup, "duplicate": duplicate}
    experiment(measure, saund_text.rates_text, terms, running, output, figure="win_rates_figure")


@dataclass(frozen=True)
class Figures:
    """The output about games."""

    figure: EntropyFigure = setting(
        "Picture to draw: Figure 7, or Figure 1 of one hand.", default=EntropyFigure.ENTROPIES
    )
    stage: str = setting(
        "Stage of the htpds: 3D (3rd street, after the deal), 3B (after its bets) ... 7B.",
        "STAGE",
        default="3B",
    )
    pick: int = setting(
        "Number of the hand to highlight, from 1; 0 is the longest.", min=0, default=0
    )

    @property
    def htpds(self) -> bool:
        """True if the picture shows htpds."""
        return self.figure is EntropyFigure.HTPD

    def check(self, output: DrawnOptions, stages: Sequence[str]) -> None:
        """Raise a usage error if there is no such picture."""
        if self.htpds and output.plot is None:
            raise usage("the picture of the htpds needs a file: --plot FILE")
        if self.stage not in stages:
            raise usage(f"no stage {self.stage!r}: expected one of {', '.join(stages)}")


@spread
@examples(
    ("Figure 7 of 20 games", "handread experiment entropies --games 20 --plot entropies.png"),
    (
        "Figure 1 of a simulated hand",
        "handread experiment entropies --games 1 --set figure=htpd --plot htpd.png",
    ),
)
def entropies(
    *,
    files: list[str] | None = argument("Hands to show. Default: simulated games.", "[FILE...]"),
    games: int = option("Number of simulated games.", max=MOST_GAMES, default=80),
    figures: Figures,
    table: TableOptions = TableOptions(ties=Ties.PAPER),
    running: RunningOptions,
    reading: LogOptions,
    output: DrawnOptions,
) -> None:
    """Figure 7: entropy as games go on; Figure 1: htpds.

    The entropy says how open it is who will win. The htpds are the probabilities of each player's
    final hand types, at one stage of one hand.
    """
    setup = table.setup()
    figures.check(output, ALL_STAGES if files else setup.game.stages)
    session = reading.session(files or (), output.results, output.plot, prints=True)
    table_only = replace(output, plot=None) if figures.htpds else output
    if files:
        drawn = table_only.plot is not None
        paths, played, n = _of_files(session, setup, figures.pick, drawn)
    else:
        paths, played, n = _of_games(setup, games, figures.pick, running, table_only)
    hand = analyses.analyze_replay(played, setup.players, ties=setup.ties)
    if figures.htpds:
        _draw_htpds(hand, paths.picked, figures.stage, output)
    if files:
        with console.errors_told():
            facts = running.facts(inference.players_terms(setup.players))
            table_only.write(paths, facts, "entropies_figure")
    picked = f"hand {paths.picked} of {n}"
    console.emit(f"{picked}\n{_record(hand)}\n{saund_text.entropies_text(paths)}")
    raise typer.Exit(session.end())


def _stop(message: str) -> typer.Exit:
    console.say(message)
    return typer.Exit(2)


def _of_games(
    setup: simulation.Setup, games: int, pick: int, running: RunningOptions, output: DrawnOptions
) -> tuple[information_report.EntropyPaths, steps.Replay, int]:
    """Return the entropies of games, the picked game, and the number of games."""
    if pick > games:
        raise _stop(f"there is no hand {pick}")
    terms = {"command": "entropies", "setup": setup, "pick": pick}
    with running.begin(terms, output.first) as run:
        table = replicating.entropies(setup, games, pick, run)
        facts = running.facts(inference.players_terms(setup.players))
        output.write(table, facts, "entropies_figure")
    played = simulation.play_game(setup, running.seed, table.picked - 1)
    return table, played.replay, games


def _of_files(
    session: sessions.Session, setup: simulation.Setup, pick: int, drawn: bool
) -> tuple[information_report.EntropyPaths, steps.Replay, int]:
    """Return the same for hands of files, numbered from 1; refused hands keep their numbers."""
    sums, replays = summing.Sums(), {}
    for number, played in enumerate(session.replays(), 1):
        problem = played.problem or replaying.nothing_dealt(played)
        if problem is not None:
            session.refuse(played.history, [replaying.without_analysis(played, problem)])
            continue
        analysis = analyses.analyze_replay(played, setup.players, ties=setup.ties)
        session.accept(played.history, analysis.problems)
        if analysis.stages:
            for row in replicating.entropy_rows(number, analysis):
                sums.add(*row)
            replays[number] = played
    table = replicating.entropies_table(sums, pick)
    if pick and pick not in replays:
        raise _stop(f"there is no hand {pick}")
    if not replays:
        raise typer.Exit(session.end(False))
    if drawn and not table.figures:
        raise _stop("there is nothing to draw: not all downcards of any hand are known")
    return table, replays[table.picked], len(replays)


def _draw_htpds(
    hand: hand_analysis.Analysis, number: int, stage: str, output: DrawnOptions
) -> None:
    shown = next((read for read in hand.stages if read.stage == stage), None)
    if shown is None:
        there = ", ".join(read.stage for read in hand.stages)
        raise _stop(f"hand {number} has no stage {stage}; it has {there}")
    names = {seat.number: seat.name for seat in hand.replay.history.seats}
    with console.errors_told():
        console.draw(output.plot, lambda figures: figures.htpd_figure(shown, names))


def _record(analysis: hand_analysis.Analysis) -> str:
    """Return the hand in Saund's notation (Figure 8); empty if it cannot represent it."""
    try:
        return format_registry.writer_named("saund").write(analysis.replay)
    except ValueError as error:
        return f"{error}\n"


@spread
@examples(
    ("100 games, as a table", "handread experiment calibration --games 100"),
    (
        "1,000 games, and a reliability diagram",
        "handread experiment calibration --plot calibration.png",
    ),
)
def calibration(
    *, games: Games = 1000, table: FullTableOptions, running: RunningOptions, output: DrawnOptions
) -> None:
    """Check the observer's probabilities against outcomes.

    Events that it gives 30% should happen 30% of the time.
    """
    setup = table.setup()
    measure = partial(calibrating.calibration, setup, games)
    terms = {"command": "calibration", "setup": setup}
    experiment(
        measure, information.calibration_text, terms, running, output, figure="reliability_figure"
    )
