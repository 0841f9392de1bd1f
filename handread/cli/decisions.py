"""The command that values decisions: decisions."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from itertools import chain, islice
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from handread.cli.chosen import chosen_players, chosen_reads, decision_terms
from handread.cli.help import choices, examples
from handread.cli.options import (
    TIES,
    Anonymous,
    AsJson,
    Csv,
    DecisionWay,
    Dialect,
    Files,
    Grammars,
    HandId,
    Lapse,
    RejectsFile,
    SeatModels,
    Seed,
    SuitingPolicy,
    Ties,
    Verbose,
    Workers,
    policy_names,
    usage,
)

if TYPE_CHECKING:
    from pathlib import Path

    from handread.decisions.hand import HandValues
    from handread.decisions.terms import DecisionTerms, ValuedHand
    from handread.decisions.values import DecisionValue
    from handread.game.steps import Replay
    from handread.history import History
    from handread.inference.players import PlayerModels
    from handread.inference.values import Analysis
    from handread.session import Session

WORST = 5
"""The number of expensive decisions listed by default, if there are several hands."""

NAMED = 10
"""The number of players that a message names."""

LOOKED_AT = 8
"""The number of hands from which the number of useful processes is estimated."""

WORTH_A_WORKER = 4000
"""The number of rollouts whose work takes as long as starting a process."""


def _known_player(name: str | None) -> str | None:
    if name is not None and re.fullmatch(r"|seat:(?![0-9]+$).*", name):
        raise usage(f"no player {name!r}: expected hero, seat:N or the name of a player")
    return name


@examples(
    (
        "every decision of a hand in which all cards are known",
        "handread decisions sample_histories/all-cards-known.stud:3",
    ),
    (
        "the three most expensive decisions of a log, quickly",
        "handread decisions sample_histories/pokerstars.txt --by learned --worst 3",
    ),
)
def decisions(
    files: Files,
    by: Annotated[
        DecisionWay,
        typer.Option(
            "--by",
            help="Value them by rollouts, which are random continuations of the hand, or at "
            "once by learned values.",
            metavar=choices(DecisionWay),
        ),
    ] = DecisionWay.ROLLOUTS,
    rollouts: Annotated[
        int,
        typer.Option(
            help="Number of rollouts of each decision; more give smaller errors.",
            min=10,
            max=1_000_000,
            metavar="N",
        ),
    ] = 300,
    check: Annotated[
        str | None,
        typer.Option(
            "--check",
            help="Policy by which costly decisions are valued once more; none for no such "
            "check. Default: people, or panel for hands read by people.",
            metavar="NAME|FILE",
            autocompletion=lambda: [*policy_names(), "none"],
        ),
    ] = None,
    player: Annotated[
        str | None,
        typer.Option(
            "--player",
            help="Value only the decisions of this player: hero, seat:N or a name.",
            metavar="WHO",
            callback=_known_player,
        ),
    ] = None,
    rake: Annotated[
        str | None,
        typer.Option(
            "--rake",
            help="Part of every pot that the house keeps: 5%, or '5% max 3'. Default: the part "
            "kept of the hand's own pot.",
            metavar="RAKE",
        ),
    ] = None,
    worst: Annotated[
        int | None,
        typer.Option(
            "--worst",
            help="Number of expensive decisions to list. Default: 5 if there are several hands.",
            min=0,
            metavar="N",
        ),
    ] = None,
    show_all: Annotated[
        bool,
        typer.Option(
            "--all",
            help="Show the decisions of every hand, not only the most expensive of several.",
        ),
    ] = False,
    policy: SuitingPolicy = None,
    lapse: Lapse = None,
    seat: SeatModels = [],  # noqa: B006 - typer makes a new list of it
    ties: Annotated[Ties, TIES] = Ties.SPLIT,
    seed: Seed = 1,
    hand: HandId = None,
    workers: Workers = 0,
    anonymous: Anonymous = False,
    dialect: Dialect = None,
    grammar: Grammars = [],  # noqa: B006 - typer makes a new list of it
    rejects: RejectsFile = None,
    verbose: Verbose = False,
    csv: Csv = None,
    as_json: AsJson = False,
) -> None:
    """Value decisions: what each was worth, and what it cost.

    These are the decisions of players whose downcards are known. The value of an action is what it
    wins from there on, on average, if everybody then plays by the policy with which the hand is
    read. Of several hands you see the totals by player, yours by street and action too, and the
    most expensive decisions.
    """
    from handread.cli.console import stoppable
    from handread.report.tables import hands_words
    from handread.session import Session

    reads = chosen_reads(files, dialect, grammar, rejects, verbose, anonymous)
    players = reads.models(chosen_players(policy, lapse, seat))
    terms = decision_terms(by, players, rollouts, check, seed, rake)
    session = Session(files, reads, prints=as_json or show_all)
    run = _Run(session, terms, reads.who(player), workers)
    output = _Output(terms, worst, show_all, as_json, csv)
    with stoppable(None, keeps=False):
        for valued in run.hands(session.replays(hand), players, ties.value):
            output.add(valued)
        output.finish()
    fault = run.missing
    if not run.met and hand is not None:
        fault = session.lacks(hand)
    if fault:
        session.say(fault)
        raise typer.Exit(2)
    for reason, n in run.without_values.items():
        session.say(f"{hands_words(n)} without values: {reason}")
    session.report_counts()
    raise typer.Exit(session.status or int(bool(run.without_values)))


class _Output:
    """Prints hands with their values as they come, and at the end what is to be said of all."""

    def __init__(
        self,
        terms: DecisionTerms,
        worst: int | None,
        show_all: bool,
        as_json: bool,
        csv: Path | None,
    ) -> None:
        from rich.console import Console

        from handread.report.decisions import SessionDecisions
        from handread.report.tables import output_width
        from handread.study.session_values import SessionValues

        self._terms = terms
        self._worst = worst
        self._show_all = show_all
        self._as_json = as_json
        self._csv = csv
        self._console = Console(highlight=False, emoji=False, width=output_width())
        self._totals = SessionValues(WORST if worst is None else worst)
        self._told = SessionDecisions()
        self._rows: list[list[object]] = []
        self._first = ""

    def add(self, hand: ValuedHand) -> None:
        """Count a hand; print it, unless it may be one of several."""
        from handread.cli.console import emit
        from handread.report.decisions import hand_text
        from handread.report.json import decisions_object
        from handread.tables import DECISIONS
        from handread.tables.pieces import cells_of
        from handread.tables.rows import HandRow

        self._totals.add(hand.analysis, hand.values)
        self._told.add(hand)
        if self._csv is not None:
            rows = HandRow(hand.analysis).value_rows(hand.values)
            self._rows += (cells for table, cells in cells_of(rows) if table == DECISIONS)
        if self._as_json:
            found = decisions_object(hand)
            emit(json.dumps(found, allow_nan=False) + "\n")
        elif self._show_all:
            emit(hand_text(hand, self._console))
        elif self._told.hands == 1:
            self._first = hand_text(hand, self._console)

    def finish(self) -> None:
        """Print the only hand, or the totals and the most expensive decisions of several."""
        from handread.cli.console import emit, keep
        from handread.report.decisions import meaning_words, session_text, worst_text
        from handread.report.tables import as_prose
        from handread.tables import DECISIONS
        from handread.tables.export import rows_csv

        if self._csv is not None:
            keep(self._csv, rows_csv(DECISIONS, self._rows))
        if self._as_json:
            return
        several = self._told.hands > 1
        found = self._totals.table()
        parts: list[str] = []
        if several:
            parts.append(session_text(found, self._told, self._terms))
        elif self._first:
            parts.append(self._first)
        if self._worst or (several and self._worst is None):
            parts.append(worst_text(found, self._told))
        if several and found.players:
            parts.append(as_prose(meaning_words(self._terms)))
        emit("\n".join(filter(None, parts)))


class _Job(NamedTuple):
    """A hand to value: its number, the seats, and the analysis unless it is to be made anew."""

    number: int
    played: Replay
    players: PlayerModels
    ties: str
    seats: frozenset[int] | None
    analysis: Analysis | None


class _Run:
    """Values the hands of a session, by one or several processes.

    Attributes:
        met: Number of hands of the session.
        missing: The message that no hand has the wanted player; empty if one has.
        without_values: Number of hands that could not be valued, by the reason.
    """

    def __init__(
        self, session: Session, terms: DecisionTerms, player: str | None, workers: int
    ) -> None:
        self.met = 0
        self.missing = ""
        self.without_values: Counter[str] = Counter()
        self._session = session
        self._terms = terms
        self._player = player
        self._workers = workers
        self._read: dict[int, Analysis] = {}

    def hands(
        self, replays: Iterable[Replay], players: PlayerModels, ties: str
    ) -> Iterator[ValuedHand]:
        """Yield the hands in order, with their values."""
        from handread.decisions.terms import ValuedHand

        jobs = self._jobs(replays, players, ties)
        waiting: dict[int, HandValues | str] = {}
        done = 0
        with closing(self._valued(jobs)) as results:
            for job, values in results:
                waiting[job.number] = values
                while done in waiting:
                    analysis, found = self._read.pop(done), waiting.pop(done)
                    if isinstance(found, str):
                        self.without_values[found] += 1
                    else:
                        yield ValuedHand(analysis, found, self._terms)
                    done += 1

    def _valued(self, jobs: Iterator[_Job]) -> Generator[tuple[_Job, HandValues | str]]:
        """Yield the jobs with their values, in any order.

        The first is done here, so that kernels are compiled once.
        """
        from handread.parallel import spread

        for job in islice(jobs, 1):
            with self._session.compiling_notice():
                values = _values(self._terms, job)
            yield job, values
        early = list(islice(jobs, LOOKED_AT))
        workers = self._workers or self._useful(early)
        work = partial(_values, self._terms)
        analyzed = chain(early, jobs)  # an analysis is too large to be sent to a process
        bare = (job._replace(analysis=None) for job in analyzed)
        yield from spread(work, bare if workers > 1 else analyzed, workers)

    def _useful(self, jobs: Sequence[_Job]) -> int:
        """Return the number of processes that are worth starting, judged by the first hands."""
        from handread.decisions.terms import LEARNED
        from handread.parallel import usable_cores

        if self._terms.way == LEARNED:
            return 1  # to read the hands, which is done here, takes most of the time
        n = sum(
            job.seats is None or decision.seat in job.seats
            for job in jobs
            for decision in job.played.decisions
            if decision.seat in job.played.downcards
        )
        return max(1, min(usable_cores(), n * self._terms.rollouts // WORTH_A_WORKER))

    def _jobs(self, replays: Iterable[Replay], players: PlayerModels, ties: str) -> Iterator[_Job]:
        """Yield the hands to value; count each, and keep its analysis."""
        names: set[str] = set()
        found, number = False, 0
        for played, models, read, _ in self._session.analyses(replays, players, "public", ties):
            self.met += 1
            history = played.history
            seats = _seats_of(self._player, history)
            names |= {seat.name for seat in history.seats}
            found = found or seats is None or bool(seats)
            if read is None or (seats is not None and not seats):
                continue
            self._read[number] = read
            yield _Job(number, played, models, ties, seats, read)
            number += 1
        if self.met and not found:
            real = self._session.real_name
            self.missing = _lacks_player(real(self._player or ""), {*map(real, names)})


def _seats_of(player: str | None, history: History) -> frozenset[int] | None:
    """Return the seats of the wanted player in a hand; None for all."""
    if player is None:
        return None
    if player == "hero":
        return frozenset() if history.hero is None else frozenset({history.hero})
    return frozenset(
        seat.number
        for seat in history.seats
        if player == f"seat:{seat.number}" or (seat.name == player and player)
    )


def _lacks_player(player: str, names: set[str]) -> str:
    """Return the message that no hand has the wanted player."""
    from handread.report.words import visible
    from handread.spelling import or_meant

    if player == "hero":
        return "--player hero: no log says which player is the hero"
    known = sorted(names - {""})
    meant = or_meant(player, ["hero", *known])
    if known and not meant:
        more = ", ..." if len(known) > NAMED else ""
        meant = f" (players: {', '.join(map(visible, known[:NAMED]))}{more})"
    return f"--player {player}: no hand has such a player{meant}"


def _values(terms: DecisionTerms, job: _Job) -> HandValues | str:
    """Return the values of a hand, or the reason why there are none.

    The reads after each action are left out: they are large.
    """
    from handread.inference.analysis import analyze_replay
    from handread.policy import PolicyError

    read = job.analysis or analyze_replay(job.played, job.players, ties=job.ties)
    try:
        values = terms.values_of(read, None if job.seats is None else set(job.seats))
    except PolicyError as error:
        return str(error)
    return replace(values, decisions=tuple(map(_light, values.decisions)))


def _light(value: DecisionValue) -> DecisionValue:
    """Return the values of a decision without the reads."""
    actions = tuple(replace(action, read=None) for action in value.actions)
    checked = None if value.checked is None else _light(value.checked)
    return replace(value, actions=actions, checked=checked)
