"""The command that plays games: simulate."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import handread.cli.options as shared
from handread.cli.declared import argument, option
from handread.cli.groups import RunningOptions, TableOptions, spread
from handread.cli.help import OUTPUT, POLICIES, TABLE, examples
from handread.cli.options import file_option, usage_errors, writer_names
from handread.lazy import lazily

with lazily():
    import handread.formats.format as format_kinds
    import handread.formats.log_reader as logs
    import handread.formats.registry as formats
    import handread.history as history
    import handread.named_readers as readers
    import handread.parallel as parallel
    import handread.simulate as simulation
    import handread.typed as typed
    import handread.whole_files as whole_files
    from handread.cli import console


def _known_writer(name: str | None) -> str | None:
    if name is not None:
        with usage_errors():
            formats.writer_named(name)
    return name


@dataclass(frozen=True)
class SimulatedTableOptions(TableOptions):
    """The table of the games, the players, and their chips."""

    knowledge: shared.Knowledge = option(
        "What the players know of each other: bets and cards, or cards only.",
        panel=POLICIES,
        default=shared.Knowledge.BET_INFERENCE,
    )
    seat: shared.SeatPlayers = field(default_factory=list)
    names: str | None = option(
        "Names of the players by seat. Default: their policies.", "A,B,...", panel=TABLE
    )
    stack: shared.Stack = None

    def played(self) -> simulation.Setup:
        """Return the table; raise ``ValueError`` if no game can be played there."""
        given = [text.partition("=") for text in self.seat]
        programs = {seats: name for seats, _, name in given if name.endswith(readers.PYTHON)}
        # Seats are checked as for a policy, which the deciders then replace.
        texts = [
            f"{seats}=:{self.knowledge.value}" if seats in programs else f"{seats}{equals}{name}"
            for seats, equals, name in given
        ]
        players = replace(self, seat=texts).models(self.knowledge)
        setup = self.setup_of(players, self.stack, self.names)
        deciders: dict[int, Any] = {}
        for numbers, name in programs.items():
            player = readers.load_player(name)
            deciders |= {int(number): player for number in numbers.split(",")}
        seats = [
            replace(seat, name=f"{deciders[seat.number].name}-{seat.number}")
            if self.names is None and seat.number in deciders
            else seat
            for seat in setup.seats
        ]
        return replace(setup, seats=tuple(seats), deciders=deciders)


@spread
@examples(
    ("three games in Saund's notation", "handread simulate 3"),
    (
        "200 games of razz with a loose player in seat 3, as PHH",
        "handread simulate 200 --game razz --seat 3=loose -o games.phhs",
    ),
)
def simulate(
    *,
    n: int = argument("Number of games to play.", "N", min=1, max=shared.MOST_GAMES, default=...),
    output: Path | None = file_option(
        "File to write: .stud, .phhs, or any ending with --dialect. Default: standard output.",
        flags="-o --output",
    ),
    table: SimulatedTableOptions,
    running: RunningOptions,
    dialect: str | None = option(
        "Format to write. Default: that of the file's ending, or saund on standard output.",
        "NAME",
        check=_known_writer,
        names=writer_names,
        panel=OUTPUT,
    ),
) -> None:
    """Play games by policies, and write them with all downcards.

    The games depend on the seed, not on the number of processes. Give the same command again to
    resume an interrupted run to a file. Games on standard output are played by one process, unless
    --workers or --scheduler asks for more.
    """
    with usage_errors():
        setup = table.played()
        writer = writer_of(output, dialect)
        writer.write(simulation.play_game(setup, 0, 0).history)  # the format must hold such games
    if output is None and running.workers in (0, 1) and running.scheduler is None:
        _stream(setup, n, running.seed, writer)
        return
    terms = {"command": "simulate", "setup": repr(setup)}
    work = partial(play_part, setup, running.seed)
    with running.begin(terms, output) as run, run.parts(work, n) as parts:
        _write([part.file for part in parts], output, writer)


def writer_of(output: Path | None, dialect: str | None) -> format_kinds.Writer:
    """Return the format given by name or by the file's suffix; ``ValueError`` if they differ."""
    known = formats.BUILT_IN
    if dialect is None and output is not None:
        return known.writer_by_ending(output, "--dialect")
    named = None if output is None else known.by_suffix(output)
    if output is not None and named is not None and named.name != dialect:
        raise ValueError(f"{output}: the ending {output.suffix.lower()} is not that of {dialect}")
    return known.writer(dialect or "saund")


def _stream(setup: simulation.Setup, n: int, seed: int, writer: format_kinds.Writer) -> None:
    games = simulation.play_games(setup, seed, range(n))
    # On a terminal the games themselves show the progress.
    with (
        console.errors_told(ValueError),  # a hand that the format cannot hold
        console.progress(n, "games", shown=not sys.stdout.isatty()) as tick,
    ):
        for text in writer.write_all(game.replay for game in games):
            console.emit(text)
            tick(1)


def play_part(setup: simulation.Setup, seed: int, numbers: Iterable[int], path: Path) -> None:
    """Play the games with these numbers and store them in Saund's notation, which loses nothing."""
    played = (simulation.play_game(setup, seed, number) for number in numbers)
    saund = formats.writer_named("saund")
    typed.write_typed([saund.write(game.history) for game in played], path)


def _write(files: list[Path], output: Path | None, writer: format_kinds.Writer) -> None:
    try:
        texts = writer.write_all(histories(files))
        if output is None:
            for text in texts:
                console.emit(text)
        else:
            whole_files.write_whole(output, lambda path: _write_texts(texts, path))
    except ValueError as error:  # a hand that the format cannot hold
        raise parallel.RunError(str(error)) from None


def _write_texts(texts: Iterable[str], path: Path) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(texts)


def histories(files: Iterable[Path]) -> Iterator[history.History]:
    """Yield the hands stored by ``play_part``, in order; raise ``RunError`` for a damaged part."""
    for file in files:
        for text in typed.read_typed(list[str], file):
            for hand in logs.read_text(text, "simulated", "saund"):
                if not isinstance(hand, history.History):
                    raise parallel.RunError(parallel.damaged(file))
                yield hand
