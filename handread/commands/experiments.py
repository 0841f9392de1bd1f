"""What ``handread experiment`` does: play games, average, print the table, draw the picture."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

from handread.analysis import analyze_replay
from handread.commands.long_run import long_run
from handread.commands.output import emit
from handread.commands.progress import progress, say
from handread.engine import replay, written_out
from handread.experiments.calibration import calibration_table, measure_calibration
from handread.experiments.entropies import entropy_path
from handread.experiments.gain import gain_table, measure_gain
from handread.experiments.independence import independence_table, measure_independence
from handread.experiments.rates import RateSums, measure_rates
from handread.experiments.values import EntropyPaths
from handread.history import Problem
from handread.notation import writer_named
from handread.reading import Analysis
from handread.report.tables import (
    calibration_csv,
    calibration_text,
    entropies_csv,
    gain_csv,
    gain_text,
    independence_csv,
    independence_text,
    rates_csv,
    rates_text,
)
from handread.runs import write_text_whole
from handread.session import Session
from handread.simulate import Setup, read_games

PICTURED = ("3B", "5D")
"""The stages of Figure 1, circled in Figure 7."""


@dataclass(frozen=True, slots=True)
class ExperimentOptions:
    """What an experiment was asked for: the table, how many games, where the results go."""

    setup: Setup
    games: int
    seed: int
    workers: int
    csv: Path | None
    plot: Path | None

    @property
    def output(self) -> Path | None:
        """The file beside which a run keeps its parts."""
        return self.csv or self.plot

    def terms(self, command: str) -> dict[str, Any]:
        """What decides the result of the run."""
        return {"command": command, "setup": repr(self.setup), "seed": self.seed}


def run_information_gain(options: ExperimentOptions) -> int:
    """Figure 6; the exit status."""
    work = partial(measure_gain, options.setup, options.seed)
    terms = options.terms("information-gain")
    with long_run(options.output, terms, work, options.games, options.workers) as parts:
        table = gain_table((part.file for part in parts), options.setup.lineup.name)
        _keep(options.csv, gain_csv(table))
        _draw(options.plot, lambda plots: plots.gain_figure(table))
    emit(gain_text(table))
    return 0


def run_win_rates(options: ExperimentOptions, duplicate: bool) -> int:
    """Figure 9; the exit status."""
    work = partial(measure_rates, options.setup, duplicate, options.seed)
    terms = options.terms("win-rates") | {"duplicate": duplicate}
    weight = len(options.setup.seats) if duplicate else 1
    run = long_run(
        options.output, terms, work, options.games, options.workers, what="deals", weight=weight
    )
    with run as parts:
        sums = RateSums.load((part.file for part in parts), len(options.setup.seats))
        rates = sums.rates(options.setup)
        _keep(options.csv, rates_csv(rates))
        _draw(options.plot, lambda plots: plots.win_rates_figure(rates))
    emit(rates_text(rates))
    return 0


def run_calibration(options: ExperimentOptions) -> int:
    """Whether the observer's chances come true; the exit status."""
    work = partial(measure_calibration, options.setup, options.seed)
    terms = options.terms("calibration")
    with long_run(options.output, terms, work, options.games, options.workers) as parts:
        table = calibration_table((part.file for part in parts), options.setup.lineup.name)
        _keep(options.csv, calibration_csv(table))
        _draw(options.plot, lambda plots: plots.calibration_figure(table))
    emit(calibration_text(table))
    return 0


def run_independence(options: ExperimentOptions, draws: int) -> int:
    """What independent seats cost; the exit status."""
    work = partial(measure_independence, options.setup, draws, options.seed)
    terms = options.terms("independence") | {"draws": draws}
    weight = 1 + draws // 500
    run = long_run(options.output, terms, work, options.games, options.workers, weight=weight)
    with run as parts:
        files = (part.file for part in parts)
        table = independence_table(files, options.setup.lineup.name, draws)
        _keep(options.csv, independence_csv(table))
    emit(independence_text(table))
    return 0


@dataclass(frozen=True, slots=True)
class EntropyOptions:
    """What the entropies are asked of: hands of files or simulated games, and what to show.

    ``picked`` is the number of the hand to single out, from 1; 0 takes the longest. ``stage`` is
    that of the htpd picture, or None for the picture of the entropies.
    """

    experiment: ExperimentOptions
    files: tuple[str, ...]
    dialect: str | None
    picked: int
    stage: str | None


def run_entropies(options: EntropyOptions) -> int:
    """Figure 7, or Figure 1 of the hand picked out; the exit status."""
    session = Session(options.files, options.dialect)
    hands = dict(_hands(options, session) if options.files else _simulated(options))
    picked = options.picked or _longest(hands)
    if picked not in hands:
        say(f"there is no hand {picked}" if picked else "there is no hand that could be read")
        return 2
    chosen = hands[picked]
    stage = next((read for read in chosen.stages if read.stage == options.stage), None)
    if options.stage is not None and stage is None:
        there = ", ".join(read.stage for read in chosen.stages)
        say(f"hand {picked} has no stage {options.stage}; it has {there}")
        return 2
    paths = {number: path for number, hand in hands.items() if (path := entropy_path(hand))}
    if stage is None and options.experiment.plot is not None and not paths:
        say("there is nothing to draw: not all downcards of any hand are known")
        return 2
    try:
        _keep(options.experiment.csv, entropies_csv(paths))
        if stage is None:
            marked = tuple(stage for stage in PICTURED if stage in paths.get(picked, {}))
            shown = EntropyPaths(paths, picked, marked)
            _draw(options.experiment.plot, lambda plots: plots.entropies_figure(shown))
        else:
            names = {seat.number: seat.name for seat in chosen.replay.history.seats}
            _draw(options.experiment.plot, lambda plots: plots.htpd_figure(stage, names))
    except OSError as error:
        say(f"handread: {error.filename} cannot be written: {error.strerror or error}")
        return 2
    emit(f"hand {picked} of {len(hands)}\n{_record(chosen)}\n{_stages_text(chosen)}")
    return session.status


def _record(analysis: Analysis) -> str:
    """The hand on one screen, in Saund's notation (Figure 8), if that can hold it."""
    try:
        return writer_named("saund").write(written_out(analysis.replay))
    except ValueError as error:
        return f"{error}\n"


def _simulated(options: EntropyOptions) -> Iterator[tuple[int, Analysis]]:
    """The games of a seed, numbered from 1."""
    wanted = options.experiment
    games = read_games(wanted.setup, wanted.seed, range(wanted.games))
    with progress(wanted.games, "games") as tick:
        for number, (_, read) in enumerate(games, 1):
            yield number, read
            tick(1)


def _hands(options: EntropyOptions, session: Session) -> Iterator[tuple[int, Analysis]]:
    """The hands of the files, numbered from 1; what cannot be read is refused on the way."""
    setup = options.experiment.setup
    number = 0
    for reading in session.readings():
        if isinstance(reading, Problem):
            session.refuse(None, [reading])
            continue
        number += 1
        played = replay(reading)
        if played.problem is not None or not played.streets:
            session.refuse(reading, [played.problem or reading.problem(0, "no card is dealt")])
            continue
        with session.slow_start():
            analysis = analyze_replay(played, setup.lineup, ties=setup.ties)
        session.accept(analysis.problems)
        if analysis.stages:
            yield number, analysis


def _longest(hands: dict[int, Analysis]) -> int:
    """The first hand that goes as far as any, with as many players as any of those.

    Hands with all downcards known come before others; 0 when there are no hands.
    """

    def merit(number: int) -> tuple[bool, int, int]:
        stages = hands[number].stages
        players = sum(len(stage.active) for stage in stages)
        return bool(entropy_path(hands[number])), len(stages), players

    return max(hands, key=merit, default=0)


def _stages_text(analysis: Analysis) -> str:
    """The entropy of the outcome at each stage, where the downcards are known, and the chances."""
    entropies = entropy_path(analysis)
    lines = [f"  {stage}  {bits:.3f} bits\n" for stage, bits in entropies.items()]
    return "entropy of the outcome\n" + "".join(lines) if lines else "not all downcards are known\n"


def _keep(path: Path | None, text: str) -> None:
    if path is not None:
        write_text_whole(path, text)


def _draw(path: Path | None, figure: Callable[[ModuleType], Any]) -> None:
    if path is not None:
        from handread.report import plots

        plots.save(figure(plots), path)
