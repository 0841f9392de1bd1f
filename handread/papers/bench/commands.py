"""Readers compared: ``handread experiment readers`` and ``handread experiment benchmark``."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import typer

import handread.cli.options as shared
from handread.cli.declared import argument, option
from handread.cli.experiment import experiment
from handread.cli.groups import DrawnOptions, RuleOptions, RunningOptions, spread
from handread.cli.help import examples
from handread.cli.rare import setting
from handread.cli.reading import LogOptions
from handread.lazy import lazily

with lazily():
    import handread.game.replay as replaying
    import handread.game.steps as steps
    import handread.papers.bench.benchmark as benchmarks
    import handread.papers.bench.probabilities as probabilities
    import handread.papers.bench.set_readers as bench_readers
    import handread.papers.bench.text as bench_texts
    import handread.parallel as parallel
    import handread.registry as paper_registry
    import handread.runs as runs
    import handread.sessions.files as sessions
    import handread.simulate as simulation
    import handread.study.hand_sets as hand_sets
    import handread.study.logs as hand_logs
    from handread.cli import console, simulate

FILES = "hands of the files"


@dataclass(frozen=True)
class Compared:
    """The readers that are compared."""

    reader: list[str] | None = option(
        "Reader to compare; may be repeated. Default: default, people, panel, trees, "
        "cards-only, the readers of other papers, and for simulated games the true "
        "policies. FILE.py is a reader of your own, which is run.",
        "NAME|FILE",
        names=shared.reader_names,
    )
    fit: list[str] | None = setting(
        "Reader to cross-validate: logit, ramps or tree (a policy to fit), or one that "
        "learns; may be repeated. Default: for files logit and those that learn.",
        "NAME",
    )
    folds: int = option(
        "Number of folds of cross-validated readers; 0 for no such readers.", min=0, default=5
    )
    baseline: str | None = setting(
        "Reader with which the others are compared. Default: people.", "NAME"
    )

    def chosen(self, files: bool, simulated: bool) -> list[bench_readers.BenchReader]:
        """Return the readers, fitted ones last; ``PolicyError`` for an unknown one."""
        true = [bench_readers.TRUE] if simulated else []
        usual = (*bench_readers.READERS, *paper_registry.readers(), *true)
        picked = [bench_readers.named_reader(name) for name in dict.fromkeys(self.reader or usual)]
        fits = self.fit
        if fits is None:
            learn = [reader.label for reader in picked if reader.reader and reader.reader.learns]
            unasked = files and self.folds and self.reader is None
            fits = [shared.FamilyName.LOGIT, *learn] if unasked else []
        if fits and self.folds < 2:
            raise shared.usage("--set fit needs 2 folds or more")
        families = {family.value for family in shared.FamilyName}
        for name in dict.fromkeys(map(str, fits)):
            fitted = name in families
            make = bench_readers.fitted_reader if fitted else bench_readers.taught_reader
            picked.append(make(name))
        return picked

    def against(self, readers: Sequence[bench_readers.BenchReader]) -> str:
        """Return the label of the baseline reader."""
        labels = [reader.label for reader in readers]
        if self.baseline is None:
            return bench_readers.BASELINE if bench_readers.BASELINE in labels else labels[0]
        if self.baseline not in labels:
            known = ", ".join(labels)
            raise shared.usage(f"--set baseline={self.baseline}: is not one of the readers {known}")
        return self.baseline


@dataclass(frozen=True)
class Simulated:
    """The players of simulated games, if any."""

    players: list[str] | None = shared.simulated_players(
        "mixed, loki, bpp, or a player or policy by name. Default: default, loose and mixed, "
        "or none with files.",
        lambda: ["mixed", "loki", "bpp", *shared.player_names()],
    )
    games: shared.GamesOfEach = 400

    def setups(self, files: bool, rules: RuleOptions) -> dict[str, simulation.Setup]:
        """Return tables by name of players; ``ValueError`` if a game is not analyzed or played."""
        names = shared.listed(self.players or ([] if files else bench_readers.POPULATIONS))
        if not names:
            return {}
        table = rules.played_by()
        return {
            f"{name} players": bench_readers.population(name, table)
            for name in dict.fromkeys(names)
        }


@spread
@examples(
    (
        "two readers on a few games",
        "handread experiment readers --games 5 --reader people --reader cards-only",
    ),
    ("all readers on your own logs", "handread experiment readers logs --output readers.csv"),
)
def readers(
    *,
    files: list[str] | None = argument(
        "Hands to read. Default: games of simulated players.", "[FILE...]"
    ),
    compared: Compared,
    simulated: Simulated,
    rules: RuleOptions,
    resamples: shared.Resamples = 1000,
    running: RunningOptions,
    reading: LogOptions,
    output: DrawnOptions,
) -> None:
    """Set readers against each other on the same hands.

    Each reads the hands in order, so that panels and other readers that learn can do so. Fitted
    readers are cross-validated: they read each fold by policies fitted to the others.
    """
    with shared.usage_errors():
        setups = simulated.setups(bool(files), rules)
        chosen = compared.chosen(files=bool(files), simulated=bool(setups))
        against = compared.against(chosen)
    session = reading.session(files or (), output.results, output.plot)
    hands = hands_of(session, bool(files))
    terms = {
        "command": "readers",
        "readers": [[r.label, r.family, r.reader.terms if r.reader else ""] for r in chosen],
        "setups": {name: repr(setup) for name, setup in setups.items()},
        "games": simulated.games,
        "hands": hand_sets.contents_hash(hand.history for hand in hands),
        "logs": hand_logs.logs_of(played.history for played in hands).of_hand,
        "folds": compared.folds,
        "ties": rules.ties.value,
    }
    options = bench_readers.ReadOptions(compared.folds, rules.ties.value, running.seed)

    def measure(run: runs.Run) -> Any:
        with _sets(run, hands, setups, simulated.games) as sets:
            return bench_readers.bench(sets, chosen, against, options, resamples, run=run)

    experiment(measure, bench_texts.bench_text, terms, running, output, figure="readers_figure")
    raise typer.Exit(session.end())


def hands_of(session: sessions.Session, needed: bool) -> list[steps.Replay]:
    """Return the readable hands of files; count the others.

    If hands are needed and no hand is left, the program ends.
    """
    hands = []
    for played in session.legal(hand_sets.cannot_be_scored):
        session.accept(played.history, played.history.damage)
        hands.append(played)
    if needed and not hands:
        console.say("there is no hand to read")
        raise typer.Exit(session.end(False))
    return hands


@contextmanager
def _sets(
    run: runs.Run, hands: Sequence[steps.Replay], setups: Mapping[str, simulation.Setup], games: int
) -> Iterator[list[bench_readers.HandSet]]:
    with parallel.parts_folder(None, {}) as folder:
        sets = [stored(folder, FILES, hands)] if hands else []
        for n, (name, setup) in enumerate(setups.items()):
            sets.append(_simulated(run.within(f"players-{n}"), folder, name, setup, games))
        yield sets


def stored(folder: Path, name: str, hands: Iterable[steps.Replay]) -> bench_readers.HandSet:
    """Store hands in a folder that ends with the run, and return their set."""
    return bench_readers.HandSet(name, parallel.StoredJobs.store(hands, folder))


def _simulated(
    run: runs.Run, folder: Path, name: str, setup: simulation.Setup, games: int
) -> bench_readers.HandSet:
    work, what = partial(simulate.play_part, setup, run.seed), f"games of {name}"
    before = replace(run.within("games"), watch=console.Watched())
    with before.parts(work, games, what=what) as parts:
        played = map(replaying.replay, simulate.histories(part.file for part in parts))
        hand_set = stored(folder, name, played)
    return hand_set if setup.deciders else replace(hand_set, players=setup.players)


@dataclass(frozen=True)
class ScoredOptions:
    """The readers to score, and the half."""

    reader: list[str] | None = option(
        "Reader to score; may be repeated. Default: all that are included. FILE.py is a "
        "reader of your own, which is run.",
        "NAME|FILE",
        names=shared.reader_names,
    )
    probabilities: list[str] | None = option(
        "Probabilities made by any program, as JSON lines, or these as .gz; may be repeated.",
        "FILE",
    )
    half: str = option(
        "The half to score: development, test, or one that python -m benchmark.fresh has made. "
        "Default: development.",
        "NAME",
        default="development",
    )
    folder: Path = option(
        "The folder benchmark of the repository. Default: benchmark.",
        "FOLDER",
        default=Path("benchmark"),
    )

    def readers(self, hands: Sequence[steps.Replay]) -> list[bench_readers.BenchReader]:
        """Return the readers, those from files last."""
        files = self.probabilities or ()
        names = self.reader or []
        if not names and not files:
            names = [*bench_readers.READERS, *paper_registry.readers()]
        readers_named = [bench_readers.named_reader(name) for name in dict.fromkeys(names)]
        for file in dict.fromkeys(files):
            reader = probabilities.file_reader(file, hands)
            silent = not reader.actions
            readers_named.append(
                bench_readers.BenchReader(file, reader, silent=silent, timed=False)
            )
        return readers_named

    def answered(self, hands: Sequence[steps.Replay]) -> list[steps.Replay]:
        """Return the hands with all downcards."""
        if self.half == benchmarks.DEVELOPMENT:
            return list(hands)
        answers = benchmarks.answers_in(self.folder / self.half / benchmarks.ANSWERS)
        return [benchmarks.with_answers(hand, answers) for hand in hands]


@spread
@examples(
    ("your own reader, and people", "handread experiment benchmark --reader mine.py"),
    (
        "probabilities of another program, on the test half",
        "handread experiment benchmark --probabilities mine.jsonl --half test",
    ),
)
def benchmark(
    *,
    scored: ScoredOptions,
    resamples: shared.Resamples = 1000,
    running: RunningOptions,
    output: DrawnOptions,
) -> None:
    """Score readers, or probabilities made by any program, on the benchmark.

    Readers see no downcards, and no hand is shown down. Intervals are by session.
    """
    with shared.usage_errors():
        files = benchmarks.files_of(scored.folder, scored.half)
        session = LogOptions().session(files, output.results, output.plot)
        hands = scored.answered(hands_of(session, True))
        chosen = scored.readers(hands)
        if session.counts.status:
            raise shared.usage(f"{scored.folder}: expected only hands of the benchmark")
    against = Compared().against(chosen)
    terms = {
        "command": "benchmark",
        "readers": [
            [reader.label, reader.reader.terms if reader.reader else ""] for reader in chosen
        ],
        "hands": hand_sets.contents_hash(hand.history for hand in hands),
    }
    options = bench_readers.ReadOptions(0, "split", running.seed)

    def measure(run: runs.Run) -> Any:
        with tempfile.TemporaryDirectory(prefix="handread-") as place:
            sets = [_hand_set(Path(place), f"{scored.half} half", hands)]
            return bench_readers.bench(sets, chosen, against, options, resamples, run=run)

    text = partial(bench_texts.bench_text, hits=True)
    experiment(measure, text, terms, running, output, figure="readers_figure")


def _hand_set(folder: Path, name: str, hands: Sequence[steps.Replay]) -> bench_readers.HandSet:
    """Store hands, and what readers see of them, as a set; each file is a session."""
    files = [hand.history.source.file for hand in hands]
    number = {file: n for n, file in enumerate(dict.fromkeys(files))}
    hand_set = stored(folder, name, hands)
    seen = stored(folder, name, map(benchmarks.hidden, hands)).stored
    logs = hand_logs.LogIndex(tuple(number[file] for file in files), (True,) * len(files))
    return replace(hand_set, seen=seen, logs=logs)
