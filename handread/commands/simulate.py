"""What ``handread simulate`` does: play games, and write them down."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from handread.commands.long_run import long_run
from handread.commands.output import emit, writer_check
from handread.commands.progress import progress, say
from handread.formats.format import Writer
from handread.formats.registry import dialects, writer_named
from handread.history import History
from handread.parallel import Part, RunError, write_whole
from handread.simulate import Setup, play_game, play_games

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
    own = next((known for known in dialects() if suffix in known.suffixes), None)
    if dialect is not None:
        if suffix == PARQUET or (own is not None and own.name != dialect):
            raise ValueError(f"{output}: the ending {suffix} is not that of {dialect}")
        return writer_named(dialect)
    if suffix == PARQUET:
        return None
    if output is None:
        return writer_named("saund")
    if isinstance(own, Writer):
        return own
    endings = ".stud, .phhs, .parquet, or another with --dialect"
    raise ValueError(f"{output}: the ending tells no format; expected {endings}")


def check_writable(setup: Setup, target: Writer | None) -> None:
    """Raises ``ValueError`` when games of a setup cannot be written so: before they are played."""
    writer_check(target)(play_game(setup, 0, 0).history)


def run_simulate(options: SimulateOptions) -> int:
    """Play the games and write them; the exit status."""
    target = options.target
    if options.output is None and options.workers in (0, 1) and target is not None:
        return _stream(options, target)
    terms = {"command": "simulate", "setup": repr(options.setup), "seed": options.seed}
    work = partial(play_part, options.setup, options.seed)
    with long_run(options.output, terms, work, options.n, options.workers, PARQUET) as parts:
        _write(parts, options)
    return 0


def _stream(options: SimulateOptions, target: Writer) -> int:
    """Play the games one by one and write each as it is played."""
    games = play_games(options.setup, options.seed, range(options.n))
    try:
        # On a terminal the games themselves show how far it is.
        with progress(options.n, "games", shown=not sys.stdout.isatty()) as tick:
            for text in target.write_all(game.replay for game in games):
                emit(text)
                tick(1)
    except ValueError as error:  # a hand that the notation cannot hold
        say(f"handread: {error}")
        return 2
    return 0


def play_part(setup: Setup, seed: int, numbers: range, path: Path) -> None:
    """Play the games of these numbers and keep their histories."""
    from handread.formats.parquet import write_hands

    write_hands(path, (game.history for game in play_games(setup, seed, numbers)))


def _write(parts: list[Part], options: SimulateOptions) -> None:
    """The games of the parts, in order, as what was asked for."""
    files = [part.file for part in parts]
    try:
        if options.target is None:
            from handread.formats.parquet import merge_hands

            assert options.output is not None  # only the ending of a file asks for Parquet
            merge_hands(files, options.output)
            return
        texts = options.target.write_all(histories(files))
        if options.output is None:
            for text in texts:
                emit(text)
        else:
            write_whole(options.output, partial(_write_texts, texts))
    except ValueError as error:  # a damaged part, or a hand that the notation cannot hold
        raise RunError(str(error)) from None


def _write_texts(texts: Iterable[str], path: Path) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(texts)


def histories(files: Iterable[Path]) -> Iterator[History]:
    """The hands that ``play_part`` kept, in order; ``RunError`` for a damaged part."""
    from handread.formats.parquet import read_hands

    for file in files:
        for reading in read_hands(file):
            if not isinstance(reading, History):
                raise RunError(f"a damaged part; remove it, and run again to go on: {reading}")
            yield reading
