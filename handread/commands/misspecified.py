"""What ``handread experiment misspecified`` does: fit policies, let them read games, compare."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from handread import __version__
from handread.cli.console import emit, progress, say, stoppable, work_out
from handread.commands.experiments import ExperimentOptions, draw, keep
from handread.commands.simulate import histories, play_part
from handread.game.replay import replay
from handread.game.steps import Replay
from handread.parallel import RunError, parts_folder, useful_workers, write_text_whole
from handread.policy import Panel, PolicyError, Single, load_policy, policy_text
from handread.report.tables import misreading_csv, misreading_text
from handread.study.fit.fit import FitOptions, PartReader, fit_hands
from handread.study.misspecified import FITTED, Reader, measure_misreading, misreading_table

SEEDS, ELSEWHERE = 2**32, 2**31
"""How many seeds there are, and how far from that of the games the hands to learn from begin."""


@dataclass(frozen=True, slots=True)
class MisspecifiedOptions:
    """What the study was asked for: games, readers, and after how many hands to fit what family.

    ``readers`` are those that need no hands, the true one first and the one by cards alone last.
    """

    experiment: ExperimentOptions
    readers: tuple[Reader, ...]
    fitted: tuple[int, ...]
    family: str


def run_misspecified(options: MisspecifiedOptions) -> int:
    """Fit, play, read, average, keep the table and the picture, print the text; the exit status."""
    wanted = options.experiment
    terms = {
        "command": "misspecified",
        "version": __version__,
        "setup": repr(wanted.setup),
        "seed": wanted.seed,
        "readers": repr(options.readers),
        "fitted": list(options.fitted),
        "family": options.family,
    }
    with stoppable(wanted.output), parts_folder(wanted.output, terms) as folder:
        *others, by_cards = options.readers
        readers = (*others, *_fitted_readers(folder, options), by_cards)
        work = partial(measure_misreading, wanted.setup, readers, wanted.seed)
        # To read a game once is about as much work as to play it.
        parts, account = work_out(
            folder, work, wanted.games, wanted.workers, weight=max(1, len(readers) // 2)
        )
        table = misreading_table(
            (part.file for part in parts), readers, wanted.setup.lineup.name, options.family
        )
        keep(wanted.csv, misreading_csv(table))
        draw(wanted.plot, lambda plots: plots.misreading_figure(table))
    say(account)
    # Last, because a reader who has gone away ends the program here.
    emit(misreading_text(table))
    return 0


def _fitted_readers(folder: Path, options: MisspecifiedOptions) -> tuple[Reader, ...]:
    """Readers by policies learned from hands of the same players; each policy kept as a file."""
    files = {n: folder / f"fitted-{n}.toml" for n in sorted(options.fitted)}
    # The largest first: the hands of the others are among its hands, and so are their readings.
    missing = [n for n, file in reversed(files.items()) if not file.exists()]
    if missing:
        _fit(folder, options, {n: files[n] for n in missing})
    return tuple(
        Reader(f"fitted to {n:,} hands" if n > 1 else "fitted to 1 hand", FITTED, policy, n)
        for n, policy in ((n, _kept(file)) for n, file in files.items())
    )


def _kept(file: Path) -> Single | Panel:
    """A policy that was fitted; ``RunError`` for a damaged file."""
    try:
        return load_policy(file)
    except PolicyError as error:
        raise RunError(f"{error}; remove it, and run again to go on") from None


def _fit(folder: Path, options: MisspecifiedOptions, files: dict[int, Path]) -> None:
    """Fit policies to so many hands, no downcard of which is known, and write them down."""
    hands = _hands(folder, options, max(options.fitted))
    readings = folder / "readings"
    readings.mkdir(exist_ok=True)
    fit = FitOptions(
        family=options.family,
        players=False,
        hidden=True,
        seed=options.experiment.seed,
        version=__version__,
    )
    workers = options.experiment.workers or useful_workers(2 * len(hands))
    with progress(fit.rounds * sum(files), "hands read for the fits") as tick:
        reader = PartReader(readings, workers, tick)
        for n, file in files.items():
            start = time.monotonic()
            found = fit_hands(hands[:n], fit, reader)
            write_text_whole(file, policy_text(found.file))
            say(f"a policy fitted to {n:,} hands in {time.monotonic() - start:.0f} s")


def _hands(folder: Path, options: MisspecifiedOptions, n: int) -> Sequence[Replay]:
    """Hands to learn from: of the same players, dealt other cards than the games to read."""
    wanted = options.experiment
    played = folder / "hands"
    played.mkdir(exist_ok=True)
    seed = (wanted.seed + ELSEWHERE) % SEEDS
    work = partial(play_part, wanted.setup, seed)
    parts, _ = work_out(played, work, n, wanted.workers, ".parquet", "hands to learn from")
    return [replay(history) for history in histories(part.file for part in parts)]
