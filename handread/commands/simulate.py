"""What ``handread simulate`` does: play games, and write them down."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from handread.columnar.files import merge_hands, read_hands, write_hands
from handread.commands.long_run import long_run
from handread.commands.output import emit
from handread.history import History
from handread.notation import Writer, dialects, writer_named
from handread.runs import Part, RunError, write_whole
from handread.simulate import Setup, play_games

PARQUET = ".parquet"


@dataclass(frozen=True, slots=True)
class SimulateOptions:
    """What ``handread simulate`` was asked for; ``target`` None is the columnar form."""

    setup: Setup
    n: int
    seed: int
    workers: int
    output: Path | None
    target: Writer | None


def target_of(output: Path | None, dialect: str | None) -> Writer | None:
    """The dialect to write: that named, that of the file's ending, or None for Parquet.

    Raises ``ValueError`` when neither tells, or they contradict each other.
    """
    suffix = "" if output is None else output.suffix.lower()
    if suffix == PARQUET:
        if dialect is not None:
            raise ValueError(f"{output}: Parquet is no text of the dialect {dialect}")
        return None
    if dialect is not None:
        return writer_named(dialect)
    if output is None:
        return writer_named("saund")
    for known in dialects():
        if suffix in known.suffixes and isinstance(known, Writer):
            return known
    endings = ".stud, .phhs, .parquet, or another with --dialect"
    raise ValueError(f"{output}: the ending tells no format; expected {endings}")


def run_simulate(options: SimulateOptions) -> int:
    """Play the games and write them; the exit status."""
    if options.output is None and options.workers in (0, 1):
        target = options.target or writer_named("saund")
        games = play_games(options.setup, options.seed, range(options.n))
        for text in target.write_all(game.history for game in games):
            emit(text)
        return 0
    terms = {"command": "simulate", "setup": repr(options.setup), "seed": options.seed}
    work = partial(play_part, options.setup, options.seed)
    with long_run(options.output, terms, work, options.n, options.workers, PARQUET) as parts:
        _write(parts, options)
    return 0


def play_part(setup: Setup, seed: int, numbers: range, path: Path) -> None:
    """Play the games of these numbers and keep their histories."""
    write_hands(path, (game.history for game in play_games(setup, seed, numbers)))


def _write(parts: list[Part], options: SimulateOptions) -> None:
    """The games of the parts, in order, as what was asked for."""
    files = [part.file for part in parts]
    if options.target is None:
        assert options.output is not None  # only the ending of a file asks for Parquet
        merge_hands(files, options.output)
        return
    texts = options.target.write_all(_histories(files))
    if options.output is None:
        for text in texts:
            emit(text)
    else:
        write_whole(options.output, partial(_write_texts, texts))


def _write_texts(texts: Iterable[str], path: Path) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(texts)


def _histories(files: Iterable[Path]) -> Iterator[History]:
    for file in files:
        for reading in read_hands(file):
            if not isinstance(reading, History):
                raise RunError(f"a part of the run was damaged: {reading}")
            yield reading
