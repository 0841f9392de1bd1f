"""The command for files given without a command: a first look at a log.

It is imported when it runs, so its own imports need not wait.
"""

from collections.abc import Iterable, Iterator, Sequence

import typer

from handread.cli.console import LOST, emit, kept_words, progress, stoppable, stored
from handread.cli.declared import given_words, option
from handread.cli.groups import spread
from handread.cli.help import examples
from handread.cli.options import Files
from handread.cli.reading import FormatOptions
from handread.decisions.terms import CHECKED, LEARNED
from handread.game.steps import Replay
from handread.history import Problem
from handread.parallel import usable_cores
from handread.processes import Helpers
from handread.report.first_screen import first_text, left_out_words, more_words, not_valued_words
from handread.report.index import IndexRow
from handread.report.overview import overview
from handread.report.words import command_line, visible
from handread.sessions.files import Session
from handread.sessions.opening import address_of
from handread.sessions.reading import read_in_turn, usual_reading
from handread.sessions.store import damage_words, user_store

LONGEST = 120
"""Longer names of files are not repeated in the suggested commands."""

LEAST_HANDS = 10
"""Fewest hands for a second process to help."""


@spread
@examples(
    ("your result, decisions and tells", "handread sample_histories/pokerstars.txt"),
    ("those of another player", "handread docs/first-evening.txt --hero Rooster_21"),
)
def first(
    *,
    files: Files,
    quick: bool = option(
        "List decisions by estimates of what they cost, which nothing has checked.", default=False
    ),
    reading: FormatOptions,
) -> None:
    """Look at a log first: your result, your dearest decisions, the loudest tells, the players.

    All that is on one screen, which ends with the commands that tell more. What was read is kept:
    of a log that has grown, only the new hands are read.
    """
    reader, view = usual_reading(way=LEARNED if quick else CHECKED)
    log, rows = _QuietLog(files, reading.settings(files), prints=False), list[IndexRow]()
    with Helpers(1) as helper, stored(_started(log.replays(), helper)) as jobs:
        kept = kept_words(None) if user_store().keeps else LOST
        with stoppable(kept), progress(len(jobs), "hands") as advance:
            for number, hand in read_in_turn(jobs, reader, view, log, helper):
                if hand.is_shown:
                    rows.append(hand.row(number, ""))
                advance(1, earlier=hand.was_kept)
    _tell(log, rows, _named(files, reading))
    # Not ``end``: the screen has the counts.
    raise typer.Exit(log.counts.status or int(not rows))


class _QuietLog(Session):
    """Reads the hands of a log without listing refused ones.

    Attributes:
        fault: The first problem, after a colon.
    """

    fault = ""

    def report(self, problem: Problem, excerpt: bool = True) -> None:  # noqa: ARG002
        """Say nothing: refused hands are counted, and ``check`` lists them."""
        self.fault = self.fault or f": {problem}"


def _started(replays: Iterable[Replay], helper: Helpers) -> Iterator[Replay]:
    """Yield hands; start the second process as soon as there is enough work for it."""
    for number, played in enumerate(replays, start=1):
        if number == LEAST_HANDS and usable_cores() > 1:
            helper.warm(read_in_turn.__module__)
        yield played


def _named(files: Sequence[str], reading: FormatOptions) -> str:
    """Return the logs and options of commands that read them again; empty if none can."""
    if any(address_of(file).file == "-" for file in files):
        return ""
    logs = words if len(words := command_line(files)) <= LONGEST else "LOG..."
    return visible(" ".join(filter(None, (logs, command_line(given_words(reading))))))


def _tell(log: _QuietLog, rows: Sequence[IndexRow], named: str) -> None:
    """Print the results of the hands, the counts of others, and commands for more."""
    nothing = f"there is no hand to show{log.fault}" * (not rows)
    for said in filter(None, (damage_words(), nothing)):
        log.say(said)
    if any(row.styles for row in rows):  # what is learned from other hands
        log.say_alone()
    parts = [first_text(rows, overview(rows))] if rows else []
    notes = "".join(not_valued_words(n, why) for why, n in log.counts.unvalued.items())
    notes += left_out_words(log.counts.left_out(), named)
    parts += [notes] if notes else []
    parts += [more_words(named)] if rows and named else []
    emit("\n".join(parts))
