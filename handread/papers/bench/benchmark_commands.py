"""The benchmark: ``handread experiment benchmark``."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from handread.cli.declared import Option
from handread.cli.experiment import experiment
from handread.cli.groups import Drawn, Running, spread
from handread.cli.help import examples
from handread.cli.options import Resamples, reader_names, usage, usage_errors
from handread.cli.reading import Logs
from handread.lazy import lazily
from handread.papers.bench.commands import hands_of, stored

with lazily():
    import handread.game.steps as steps
    import handread.papers.bench.benchmark as benchmarks
    import handread.papers.bench.probabilities as probabilities
    import handread.papers.bench.readers as bench_readers
    import handread.papers.bench.text as bench_texts
    import handread.registry as paper_registry
    import handread.runs as runs
    import handread.study.hand_sets as hand_sets
    import handread.study.logs as hand_logs


@dataclass(frozen=True)
class Scored:
    """What is scored, and on which half."""

    reader: Annotated[
        list[str] | None,
        Option(
            "Reader to score; may be repeated. Default: all that are included. FILE.py is a "
            "reader of your own, which is run.",
            "NAME|FILE",
            names=reader_names,
        ),
    ] = None
    probabilities: Annotated[
        list[str] | None,
        Option(
            "Probabilities made by any program, as JSON lines, or these as .gz; may be repeated.",
            "FILE",
        ),
    ] = None
    answers: Annotated[
        Path | None,
        Option(
            "Score the test half, by its answers; they are checked against their hash. "
            "Default: the development half.",
            "FILE",
        ),
    ] = None
    folder: Annotated[
        Path, Option("The folder benchmark of the repository. Default: benchmark.", "FOLDER")
    ] = Path("benchmark")

    @property
    def half(self) -> str:
        """The half that is scored."""
        return benchmarks.DEVELOPMENT if self.answers is None else benchmarks.TEST

    def readers(self, hands: Sequence[steps.Replay]) -> list[bench_readers.BenchReader]:
        """Return the readers, those of files last."""
        files = self.probabilities or ()
        names = self.reader or []
        if not names and not files:
            names = [*bench_readers.READERS, *paper_registry.readers()]
        found = [bench_readers.named_reader(name) for name in dict.fromkeys(names)]
        for file in dict.fromkeys(files):
            reader = probabilities.file_reader(file, hands)
            silent = not reader.actions
            found.append(bench_readers.BenchReader(file, reader, silent=silent, timed=False))
        return found

    def answered(self, hands: Sequence[steps.Replay]) -> list[steps.Replay]:
        """Return the hands with all downcards."""
        if self.answers is None:
            return list(hands)
        commitment = self.folder / benchmarks.TEST / benchmarks.COMMITMENT
        answers = benchmarks.committed_answers(self.answers, commitment)
        return [benchmarks.with_answers(one, answers) for one in hands]


@spread
@examples(
    ("your own reader, and people", "handread experiment benchmark --reader mine.py"),
    (
        "probabilities of another program, on the test half",
        "handread experiment benchmark --probabilities mine.jsonl --answers answers.csv",
    ),
)
def benchmark(
    *, scored: Scored, resamples: Resamples = 1000, running: Running, output: Drawn
) -> None:
    """Score readers, or probabilities made by any program, on the benchmark.

    Readers see no downcards, and no hand is shown down. Intervals are by session.
    """
    with usage_errors():
        files = benchmarks.files_of(scored.folder, scored.half)
        session = Logs().session(files, output.csv, output.plot)
        hands = scored.answered(hands_of(session, True))
        chosen = scored.readers(hands)
        if session.status:
            raise usage(f"{scored.folder}: expected only hands of the benchmark")
    base, labels = bench_readers.BASELINE, [one.label for one in chosen]
    against = base if base in labels else labels[0]
    terms = {
        "command": "benchmark",
        "readers": [[one.label, one.reader.terms if one.reader else ""] for one in chosen],
        "hands": hand_sets.contents_hash(hands),
    }
    options = bench_readers.ReadOptions(0, "split", running.seed)

    def measure(run: runs.Run) -> Any:
        with tempfile.TemporaryDirectory(prefix="handread-") as place:
            sets = [_hand_set(Path(place), f"{scored.half} half", hands)]
            return bench_readers.bench(sets, chosen, against, options, resamples, run)

    text = partial(bench_texts.bench_text, hits=True)
    experiment(measure, text, terms, running, output, "readers_figure")


def _hand_set(folder: Path, name: str, hands: Sequence[steps.Replay]) -> bench_readers.HandSet:
    """Store hands, and what readers see of them; each file is a session."""
    files = [one.history.source.file for one in hands]
    number = {file: n for n, file in enumerate(dict.fromkeys(files))}
    found = stored(folder, name, hands)
    seen = stored(folder, name, map(benchmarks.hidden, hands)).stored
    logs = hand_logs.Logs(tuple(number[file] for file in files), (True,) * len(files))
    return replace(found, seen=seen, logs=logs)
