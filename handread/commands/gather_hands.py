"""The hands of a session that are to be shown, and what is known of those that cannot be."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from handread.commands.pages import INDEX, Job, Shape, stem_of
from handread.game.replay import no_cards, replay
from handread.game.steps import Replay
from handread.history import History, Problem
from handread.inference.observer import unseen_upcards
from handread.inference.players import Lineup, Roster
from handread.policy import Panel
from handread.report.build import refusal
from handread.report.formats import ENDINGS
from handread.report.words import visible
from handread.session import GivenSeats, Session, address_of

if TYPE_CHECKING:
    from handread.inference.values import Analysis


@dataclass(frozen=True, slots=True)
class ReportOptions:
    """What ``handread report`` was asked for.

    ``given`` are the options that say how hands are read and shown, as words of a command;
    ``output`` is a folder, or where ``one_file`` is set the file of the only hand. ``addressed``
    says that all that is read is one hand, named by its line.
    """

    roster: Roster
    viewpoint: str
    ties: str
    top: int
    hand: str | None
    formats: tuple[str, ...]
    output: Path
    one_file: bool
    workers: int
    given: tuple[str, ...]
    addressed: bool = False

    @property
    def indexed(self) -> bool:
        """Whether an index is written: for a session, not for one hand of it made again."""
        return "html" in self.formats and not self.one_file and not self._one_of_many

    @property
    def _one_of_many(self) -> bool:
        return self.addressed or self.hand is not None

    def shape(self) -> Shape:
        """How the hands are shown; one made again leads to the index that is there."""
        again = self._one_of_many and not self.one_file and (self.output / INDEX).exists()
        index = INDEX if self.indexed or again else ""
        how = self.viewpoint, self.ties, self.top, self.formats
        return Shape(*how, self.output, self.one_file, index)


class Hands:
    """Reads the hands of a session; ``refused`` says which have nothing to show, and why."""

    def __init__(
        self, session: Session, files: Sequence[str], options: ReportOptions, shape: Shape
    ) -> None:
        self._session = session
        self._files = files
        self._options = options
        self._roster = options.roster
        self._shape = shape
        sources = {address_of(file).file for file in session.files} - {"-"}
        self._sources = {Path(file).resolve() for file in sources}
        self.refused: list[str] = []
        self.other_games: list[str] = []
        self._given = GivenSeats(options.roster.seats)
        self._wanted = 0
        self._clash = ""

    @property
    def title(self) -> str:
        """What the session is called: the name of its file, or how many there are."""
        many, file = len(self._files) > 1, Path(self._files[0])
        return f"{len(self._files)} files" if many else visible(file.name or file.resolve().name)

    def fault(self, n: int) -> str:
        """Why ``n`` hands cannot be shown as was asked, in words; empty if they can."""
        options = self._options
        if not self._wanted and options.hand is not None:
            return self._session.lacks(options.hand)
        if options.one_file and n > 1:
            which = "choose one with --hand, or name a folder"
            return f"{options.output}: holds one hand, and there are {n:,}; {which}"
        if self._clash:
            return f"{self._clash}: is one of the files to read; choose another output"
        return ""

    def jobs(self) -> Iterator[Job]:
        """The hands to be shown, with links to the pages beside them; others are refused."""
        previous, waiting = "", None
        for page, job in self._pages():
            if waiting is not None:
                yield replace(waiting, following=page)
            waiting = None if job is None else replace(job, previous=previous)
            previous = page
        if waiting is not None:
            yield waiting
        self._given.tell(self._session)

    def _pages(self) -> Iterator[tuple[str, Job | None]]:
        """The pages of the session in order; without a job one that an earlier run has left."""
        number, wanted = 0, self._options.hand
        for reading in self._session.readings():
            if isinstance(reading, Problem):
                self._session.refuse(None, [reading])
                self.refused.append(refusal(None, reading))
                continue
            number += 1
            stem = self._stem(number, reading)
            page = stem + ENDINGS["html"]
            if wanted is None or wanted in (reading.hand_id, f"#{number}"):
                self._wanted += 1
                job = self._job(replay(reading), number, stem)
                if job is not None:
                    yield page, job
            elif (self._options.output / page).exists():
                yield page, None

    def _stem(self, number: int, hand: History) -> str:
        """The name of the files of a hand; of one by its address none that another hand has."""
        if not self._options.addressed:
            return stem_of(number, hand.hand_id)
        # Rows are the numbers of hands, lines are not.
        kind = "" if hand.source.dialect == "parquet" else "line-"
        return kind + stem_of(hand.source.line, hand.hand_id)

    def _job(self, played: Replay, number: int, stem: str) -> Job | None:
        """A hand to be shown; None for one that is refused and has nothing to show."""
        history = played.history
        self._given.meet(history)
        players = self._roster.lineup(history)
        # What earlier hands told of the players cannot be had from this hand alone.
        alone = self._options.addressed or self._carried(history)
        which = self._options.hand if alone else f"#{number}"
        if not self._readable(played, players):
            return None
        for kind in self._options.formats:
            path = self._shape.file(stem, kind)
            if path.resolve() in self._sources:
                self._clash = str(path)
        return Job(number, stem, played, players, self._made_by(which))

    def _readable(self, played: Replay, players: Lineup) -> bool:
        """Whether there is something to show; the hand is counted as done or refused."""
        history = played.history
        try:
            analysis = self._analysis(played, players)
        except ValueError as error:
            problem = played.problem or history.problem(0, str(error))
            self._session.refuse(history, [problem])
            self._note_refusal(history, problem)
            return False
        if analysis is None:
            self._session.accept()
            return True
        self._roster = self._roster.after(history, analysis.members)
        if analysis.complete:
            self._session.accept()  # what was found strange is told when the page is made
            return True
        self._session.refuse(history, analysis.problems)
        if not analysis.stages:
            self._note_refusal(history, analysis.problems[-1])
        return bool(analysis.stages)

    def _note_refusal(self, history: History, problem: Problem) -> None:
        """Keep for the index why a hand is not shown; those of other games apart."""
        kept = self.other_games if history.other_game else self.refused
        kept.append(refusal(history, problem))

    def _analysis(self, played: Replay, players: Lineup) -> Analysis | None:
        """What is read of a hand, where that is wanted before its page is made.

        That is so if it tells of players who may turn up again, if the record is broken, and for
        the first, so that the kernels are compiled once and not by every process. ``ValueError``
        without cards, or for a viewpoint that the hand does not allow.
        """
        from handread.inference.analysis import analyze_replay, viewpoint_of

        nothing = no_cards(played)
        if nothing is not None:
            raise ValueError(nothing.message)
        options = self._options
        viewpoint_of(played, options.viewpoint)
        models = (players.rest, *players.seats.values())
        learns = any(isinstance(model.policy, Panel) for model in models)
        broken = played.problem is not None or any(map(unseen_upcards, played.streets))
        if not (learns or broken) and self._session.done:
            return None
        with self._session.slow_start():
            return analyze_replay(played, players, options.viewpoint, options.ties)

    def _carried(self, history: History) -> bool:
        """Whether earlier hands have told something of the players of a hand."""
        machines = self._roster.machines
        told = {*self._roster.told, *(machines.told if machines is not None else ())}
        return any(seat.name in told for seat in history.seats)

    def _made_by(self, hand: str | None) -> str:
        """The command that makes a page again, for a shell."""
        words = ["handread", "report", *self._options.given]
        words += ["--hand", hand] if hand is not None else []
        # Behind two dashes a name that begins with one is no option.
        dashed = any(file.startswith("-") and file != "-" for file in self._files)
        words += ["--", *self._files] if dashed else []
        return shlex.join(words if dashed else [*words[:2], *self._files, *words[2:]])
