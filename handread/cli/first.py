"""The command that is meant when files are given without one: a first look at a log.

It is imported when it runs: unlike those of other commands, its imports need not wait.
"""

from __future__ import annotations

import pickle
import shlex
import tempfile
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from handread.cli.console import LOST, emit, progress, stoppable
from handread.cli.declared import Option
from handread.cli.groups import spread
from handread.cli.help import examples
from handread.cli.options import Files
from handread.cli.reading import Formats
from handread.decisions.hand import HandValues
from handread.decisions.terms import LEARNED, DecisionTerms, decision_terms, own_values_in
from handread.game.steps import Replay
from handread.history import History, Problem
from handread.inference.hand import Analysis
from handread.inference.players import PlayerModels, parse_players
from handread.inference.readers import PolicyReader
from handread.parallel import StoredJobs, usable_cores
from handread.processes import Helpers
from handread.report.first import FirstLook, left_out_words, more_words, not_valued_words
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

    All that is on one screen, which ends with the commands that tell more.
    """
    log = _Log(files, reading.settings(files), hero)
    look, without = FirstLook(), Counter[str]()
    players = parse_players(None, None, [])
    with (
        stoppable(LOST),
        log.compiling_notice(),
        tempfile.TemporaryDirectory() as folder,
        Helpers(1) as helper,
    ):
        jobs = StoredJobs.store(_started(log.replays(), helper), Path(folder))
        if log.lacks_hero:
            raise typer.Exit(2)
        with progress(len(jobs), "hands", shown=len(jobs) > 0) as advance:
            analyses = _analyses(log, jobs, players, look, advance)
            for analysis, values in _valued(analyses, players, helper, Path(folder)):
                if isinstance(values, str):
                    without[values] += 1
                look.add(analysis, None if isinstance(values, str) else values)
    named = visible(shlex.join(files))
    named = named if len(named) <= LONGEST else "LOG..."
    if not log.analyzed:
        log.say("there is no hand to show")
    parts = [look.text()] if log.analyzed else []
    notes = "".join(not_valued_words(n, why) for why, n in without.items())
    notes += left_out_words(log.left_out, named)
    parts += [notes] if notes else []
    parts += [more_words(named)] if log.analyzed else []
    emit("\n".join(parts))
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


def _started(replays: Iterable[Replay], helper: Helpers) -> Iterator[Replay]:
    """Yield hands; start the second process as soon as there is enough for it to do."""
    for number, played in enumerate(replays, start=1):
        if number == LEAST_HANDS and usable_cores() > 1:
            helper.warm(own_values_in.__module__)
        yield played


def _analyses(
    log: _Log,
    jobs: StoredJobs,
    players: PlayerModels,
    look: FirstLook,
    advance: Callable[[int], object],
) -> Iterator[Analysis]:
    """Yield the analyses of hands, and count the hands."""
    analyzer = SessionAnalyzer(log, PolicyReader(players), "public", "split", stages=False)
    for played in jobs:
        hand = analyzer.analyze(played)
        analyzer.count(hand)
        if played.problem is None:
            look.add_players(played)
        if hand.analysis is not None and hand.problem is None:
            yield hand.analysis
        advance(1)


def _valued(
    analyses: Iterable[Analysis], players: PlayerModels, helper: Helpers, folder: Path
) -> Iterator[tuple[Analysis, HandValues | str]]:
    """Yield hands in order with their values, or why they have none.

    The ``helper`` values hands while the next ones are read here. Those for which it is not ready,
    or has no time, are valued here.
    """
    terms = decision_terms(LEARNED, players, 0, None, 1, None)
    waiting: deque[tuple[Analysis, Future[HandValues | str]]] = deque()
    for number, analysis in enumerate(analyses):
        in_work = sum(not future.done() for _, future in waiting)
        if in_work < AHEAD * helper.ready:
            # Megabytes: through a pipe they would wait for this thread again and again.
            file = folder / f"{number}.analysis"
            file.write_bytes(pickle.dumps((terms, analysis), pickle.HIGHEST_PROTOCOL))
            future = helper.submit(own_values_in, file)
        else:
            future = Future()
            future.set_result(terms.own_values(analysis))
        waiting.append((analysis, future))
        while waiting and waiting[0][1].done():
            yield _landed(terms, *waiting.popleft())
    for one in waiting:
        yield _landed(terms, *one)


def _landed(
    terms: DecisionTerms, analysis: Analysis, future: Future[HandValues | str]
) -> tuple[Analysis, HandValues | str]:
    """Return a hand with its values; value it here if the other process died."""
    try:
        return analysis, future.result()
    except BrokenProcessPool:
        return analysis, terms.own_values(analysis)
