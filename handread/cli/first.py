"""The command that is meant when files are given without one: a first look at a log.

It is imported when it runs: unlike those of other commands, its imports need not wait.
"""

from __future__ import annotations

import pickle
import shlex
import tempfile
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from handread.cli.console import LOST, UNREAD, emit, kept_words, progress, stoppable
from handread.cli.declared import Option
from handread.cli.first_kept import KeptLook, LookedAt, LookSoFar
from handread.cli.groups import spread
from handread.cli.help import examples
from handread.cli.options import Files
from handread.cli.reading import Formats
from handread.decisions.hand import HandValues
from handread.decisions.terms import LEARNED, DecisionTerms, decision_terms, own_values_in
from handread.game.steps import Replay
from handread.history import History, Problem
from handread.inference.players import PlayerModels, parse_players
from handread.inference.readers import PolicyReader, Reader
from handread.parallel import StoredJobs, usable_cores
from handread.processes import Helpers
from handread.report.first import left_out_words, more_words, not_valued_words
from handread.report.words import visible
from handread.session import ReadSettings, Session, lacks_player
from handread.session_analyzer import SessionAnalyzer

LONGEST = 26
"""Names of files that are longer are not repeated in the commands that tell more."""

LEAST_HANDS = 10
"""Fewer hands are there before a second process can help."""

AHEAD = 2
"""Hands that wait for the second process or are in it."""


@spread
@examples(
    ("your result, decisions and tells", "handread sample_histories/pokerstars.txt"),
    ("those of another player", "handread docs/first-evening.txt --hero Rooster_21"),
)
def first(
    *,
    files: Files,
    hero: Annotated[
        str | None,
        Option("Name of the player who is you. Default: whose downcards the log lists.", "NAME"),
    ] = None,
    reading: Formats,
) -> None:
    """Look at a log first: your result, your dearest decisions, the loudest tells, the players.

    All that is on one screen, which ends with the commands that tell more. What was read is kept
    for the next time: of a log that has grown, only the new hands are read.
    """
    reads, players = reading.settings(files), parse_players(None, None, [])
    log = _Log(files, reads, hero)
    kept = KeptLook.of(files, hero, reads.terms, PolicyReader(players))
    with tempfile.TemporaryDirectory() as name, Helpers(1) as helper:
        folder = Path(name)
        with stoppable(UNREAD):
            jobs = StoredJobs.store(_started(log.replays(), kept, helper), folder)
        if log.lacks_hero:
            raise typer.Exit(2)
        so_far = kept.so_far
        so_far.count(log)
        with (
            stoppable(kept_words(None) if kept.keeps else LOST),
            progress(len(jobs), "hands", shown=len(jobs) > so_far.hands) as advance,
        ):
            advance(so_far.hands, earlier=True)
            read = _read(log, so_far.reader, jobs.after(so_far.hands))
            for one in _valued(read, players, helper, folder):
                kept.add(one, is_last=so_far.hands == len(jobs) - 1)
                advance(1)
    _tell(log, so_far, visible(shlex.join(files)))
    raise typer.Exit(log.status if log.analyzed else log.status_of_nothing)


class _Log(Session):
    """Reads the hands of a log, with a hero by name; does not list those that it refuses."""

    def __init__(self, files: Sequence[str], reads: ReadSettings, hero: str | None) -> None:
        super().__init__(files, reads, prints=False)
        self._hero = hero
        self._names: set[str] = set()

    def readings(self) -> Iterator[History | Problem]:
        """Yield all hands and problems of the files in order."""
        for reading in super().readings():
            if self._hero is not None and isinstance(reading, History):
                seats = {seat.name: seat.number for seat in reading.seats}
                self._names |= seats.keys()
                yield replace(reading, hero=seats.get(self._hero))
            else:
                yield reading

    def report(self, _problem: Problem, excerpt: bool = True) -> None:
        """Say nothing: the hands that are not read are counted, and ``check`` lists them."""

    @property
    def lacks_hero(self) -> bool:
        """True, with a message, if the hero is in none of the hands that were read."""
        lacking = self._hero is not None and bool(self._names) and self._hero not in self._names
        if lacking:
            self.say(lacks_player("--hero", str(self._hero), self._names, ()))
        return lacking

    @property
    def left_out(self) -> list[tuple[int, str]]:
        """Numbers of hands that were left out, and why."""
        games = ", ".join(name for name, _ in self.other_games.most_common(3))
        return [
            (self.refused, "refused"),
            (self.unanalyzed, "not analyzed"),
            (self.other_games.total(), f"of other games ({games})"),
            (self.repeated, "repeated"),
            (self.unread_texts, "not understood"),
        ]


def _started(replays: Iterable[Replay], kept: KeptLook, helper: Helpers) -> Iterator[Replay]:
    """Yield hands; start the second process as soon as there is enough for it to do."""
    waits = usable_cores() > 1
    for number, played in enumerate(kept.compared(replays), start=1):
        if waits and number >= kept.expected + LEAST_HANDS:
            helper.warm(own_values_in.__module__)
            waits = False
        yield played


def _read(log: _Log, reader: Reader, jobs: Iterable[Replay]) -> Iterator[LookedAt]:
    """Yield hands in order, read, without values; count them."""
    analyzer = SessionAnalyzer(log, reader, "public", "split", stages=False)
    for played in jobs:
        hand = analyzer.analyze(played)
        analyzer.count(hand)
        yield LookedAt(hand, analyzer.reader)


def _valued(
    hands: Iterable[LookedAt], players: PlayerModels, helper: Helpers, folder: Path
) -> Iterator[LookedAt]:
    """Yield hands in order with the values of their decisions.

    The ``helper`` values hands while the next ones are read here. Those for which it is not ready,
    or has no time, are valued here.
    """
    terms = decision_terms(LEARNED, players, 0, None, 1, None)
    waiting: deque[tuple[LookedAt, Future[HandValues | str | None]]] = deque()
    for number, one in enumerate(hands):
        future: Future[HandValues | str | None] = Future()
        in_work = sum(not future.done() for _, future in waiting)
        if one.analysis is not None and in_work < AHEAD * helper.ready:
            # Megabytes: through a pipe they would wait for this thread again and again.
            file = folder / f"{number}.analysis"
            file.write_bytes(pickle.dumps((terms, one.analysis), pickle.HIGHEST_PROTOCOL))
            future = helper.submit(own_values_in, file)
        else:
            future.set_result(one.valued(terms))
        waiting.append((one, future))
        while waiting and waiting[0][1].done():
            yield _landed(terms, *waiting.popleft())
    for pair in waiting:
        yield _landed(terms, *pair)


def _landed(
    terms: DecisionTerms, one: LookedAt, future: Future[HandValues | str | None]
) -> LookedAt:
    """Return a hand with its values; value it here if the other process died."""
    try:
        return one._replace(values=future.result())
    except BrokenProcessPool:
        return one._replace(values=one.valued(terms))


def _tell(log: _Log, so_far: LookSoFar, files: str) -> None:
    """Print what the hands tell, what was left out, and the commands that tell more."""
    named = files if len(files) <= LONGEST else "LOG..."
    if not log.analyzed:
        log.say("there is no hand to show")
    parts = [so_far.look.text()] if log.analyzed else []
    notes = "".join(not_valued_words(n, why) for why, n in so_far.unvalued.items())
    notes += left_out_words(log.left_out, named)
    parts += [notes] if notes else []
    parts += [more_words(named)] if log.analyzed else []
    emit("\n".join(parts))
