"""What ``handread experiment`` does: play games, average, print the table, draw the picture."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any, Generic, TypeVar

from handread.commands.long_run import long_run
from handread.commands.output import emit
from handread.commands.progress import progress, say
from handread.formats.registry import writer_named
from handread.game.replay import written_out
from handread.inference.analysis import analyze_replay
from handread.inference.values import Analysis
from handread.parallel import Work, write_text_whole
from handread.report.experiments import (
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
from handread.session import Reads, Session
from handread.simulate import Setup, read_games
from handread.study.calibration import calibration_table, measure_calibration
from handread.study.independence import independence_table, measure_independence
from handread.study.replication import (
    PICTURED,
    EntropyPaths,
    RateSums,
    entropy_path,
    gain_table,
    measure_gain,
    measure_rates,
)

Table = TypeVar("Table")


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


@dataclass(frozen=True, slots=True)
class Experiment(Generic[Table]):
    """What is measured in simulated games, and the faces of the table that comes of it.

    ``work`` measures the games of a part, ``table`` averages the files of the parts, ``figure``
    takes the function that draws it from ``report.plots``. ``more`` are further terms that
    decide the result; ``what`` and ``weight`` as in ``long_run``.
    """

    name: str
    work: Work
    table: Callable[[Iterator[Path]], Table]
    text: Callable[[Table], str]
    csv: Callable[[Table], str]
    figure: Callable[[ModuleType], Callable[[Table], Any]] | None = None
    more: Mapping[str, int] = field(default_factory=dict)
    what: str = "games"
    weight: int = 1

    def run(self, options: ExperimentOptions) -> int:
        """Play, average, keep the table and the picture, print the text; the exit status."""
        terms = {"command": self.name, "setup": repr(options.setup), "seed": options.seed}
        run = long_run(
            options.output,
            {**terms, **self.more},
            self.work,
            options.games,
            options.workers,
            what=self.what,
            weight=self.weight,
        )
        with run as parts:
            table = self.table(part.file for part in parts)
            keep(options.csv, self.csv(table))
            figure = self.figure
            if figure is not None:
                draw(options.plot, lambda plots: figure(plots)(table))
        # Last, because a reader who has gone away ends the program here.
        emit(self.text(table))
        return 0


def run_information_gain(options: ExperimentOptions) -> int:
    """Figure 6; the exit status."""
    return Experiment(
        "information-gain",
        partial(measure_gain, options.setup, options.seed),
        lambda files: gain_table(files, options.setup.lineup.name),
        gain_text,
        gain_csv,
        lambda plots: plots.gain_figure,
    ).run(options)


def run_win_rates(options: ExperimentOptions, duplicate: bool) -> int:
    """Figure 9; the exit status."""
    players = len(options.setup.seats)
    return Experiment(
        "win-rates",
        partial(measure_rates, options.setup, duplicate, options.seed),
        lambda files: RateSums.load(files, players).rates(options.setup),
        rates_text,
        rates_csv,
        lambda plots: plots.win_rates_figure,
        more={"duplicate": duplicate},
        what="deals",
        weight=players if duplicate else 1,
    ).run(options)


def run_calibration(options: ExperimentOptions) -> int:
    """Whether the observer's chances come true; the exit status."""
    return Experiment(
        "calibration",
        partial(measure_calibration, options.setup, options.seed),
        lambda files: calibration_table(files, options.setup.lineup.name),
        calibration_text,
        calibration_csv,
        lambda plots: plots.calibration_figure,
    ).run(options)


def run_independence(options: ExperimentOptions, draws: int) -> int:
    """What independent seats cost; the exit status."""
    return Experiment(
        "independence",
        partial(measure_independence, options.setup, draws, options.seed),
        lambda files: independence_table(files, options.setup.lineup.name, draws),
        independence_text,
        independence_csv,
        more={"draws": draws},
        weight=1 + draws // 500,
    ).run(options)


@dataclass(frozen=True, slots=True)
class EntropyOptions:
    """What the entropies are asked of: hands of files or simulated games, and what to show.

    ``picked`` is the number of the hand to single out, from 1; 0 takes the longest. ``stage`` is
    that of the htpd picture, or None for the picture of the entropies.
    """

    experiment: ExperimentOptions
    files: tuple[str, ...]
    reads: Reads
    picked: int
    stage: str | None


def run_entropies(options: EntropyOptions) -> int:
    """Figure 7, or Figure 1 of the hand picked out; the exit status."""
    session = Session(options.files, options.reads)
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
        keep(options.experiment.csv, entropies_csv(paths))
        if stage is None:
            marked = tuple(stage for stage in PICTURED if stage in paths.get(picked, {}))
            shown = EntropyPaths(paths, picked, marked)
            draw(options.experiment.plot, lambda plots: plots.entropies_figure(shown))
        else:
            names = {seat.number: seat.name for seat in chosen.replay.history.seats}
            draw(options.experiment.plot, lambda plots: plots.htpd_figure(stage, names))
    except OSError as error:
        say(f"handread: {error.filename} cannot be written: {error.strerror or error}")
        return 2
    emit(f"hand {picked} of {len(hands)}\n{_record(chosen)}\n{_stages_text(chosen)}")
    session.tell()
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
    for number, played in enumerate(session.replays(), 1):
        if played.problem is not None or not played.streets:
            none = played.history.problem(0, "no card is dealt")
            session.refuse(played.history, [played.problem or none])
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


def keep(path: Path | None, text: str) -> None:
    """Write a table where it is wanted."""
    if path is not None:
        write_text_whole(path, text)


def draw(path: Path | None, figure: Callable[[ModuleType], Any]) -> None:
    """Draw a picture where it is wanted, with a function that takes ``report.plots``."""
    if path is not None:
        from handread.report import figures as plots

        plots.save(figure(plots), path)
