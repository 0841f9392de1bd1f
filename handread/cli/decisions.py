"""The command that values decisions: decisions."""

from __future__ import annotations

import hashlib
import json
import re
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from handread.cli.declared import Option
from handread.cli.groups import Exactness, Policies, Running, spread
from handread.cli.help import examples
from handread.cli.options import (
    TIES,
    Anonymous,
    AsJson,
    Csv,
    Files,
    HandId,
    Ties,
    policy_names,
    usage,
)
from handread.cli.reading import Reading, keep_apart
from handread.lazy import lazily

with lazily():
    import handread.decisions.hand as decided
    import handread.decisions.terms as valuation
    import handread.decisions.values as decision_values
    import handread.game.steps as steps
    import handread.history as historys
    import handread.inference.analysis as analysis
    import handread.inference.hand as hand_analysis
    import handread.inference.readers as reading_by
    import handread.parallel as parallel
    import handread.policy as policy
    import handread.report.decisions as decision_report
    import handread.report.json as report_json
    import handread.report.pages as pages
    import handread.report.session_decisions as session_decisions
    import handread.report.tables as report_tables
    import handread.runs as runs
    import handread.session as sessions
    import handread.session_analyzer as session_analyzer
    import handread.study.logs as hand_logs
    import handread.study.session_values as session_values
    import handread.tables as score_tables
    import handread.tables.export as table_export
    import handread.tables.pieces as table_pieces
    import handread.tables.rows as table_rows
    import handread.typed as typed
    from handread.cli import console, report_session


WORST = 5
"""The number of expensive decisions listed by default, if there are several hands."""


def _known_player(name: str | None) -> str | None:
    if name is not None and re.fullmatch(r"|seat:(?![0-9]+$).*", name):
        raise usage(f"no player {name!r}: expected hero, all, seat:N or the name of a player")
    return name


@dataclass(frozen=True)
class Asked(Exactness):
    """Which decisions are valued, and how exactly."""

    check: Annotated[
        str | None,
        Option(
            "Policy by which costly decisions are valued once more; none for no such "
            "check. Default: people, or panel for hands read by people.",
            "NAME|FILE",
            names=lambda: [*policy_names(), "none"],
        ),
    ] = None
    player: Annotated[
        str | None,
        Option(
            "Value only the decisions of this player: hero, seat:N, a name, or all. "
            "Default: the hero, where the log tells who that is, otherwise all.",
            "WHO",
            check=_known_player,
        ),
    ] = None
    rake: Annotated[
        str | None,
        Option(
            "Part of every pot that the house keeps: 5%, or '5% max 3'. Default: the part "
            "kept of the hand's own pot.",
            "RAKE",
        ),
    ] = None


@dataclass(frozen=True)
class Shown:
    """Options for the output of the values of decisions."""

    top: Annotated[
        int | None,
        Option(
            "Number of expensive decisions to list; 0 lists none. Default: 5 if there are "
            "several hands.",
            min=0,
        ),
    ] = None
    show_all: Annotated[
        bool,
        Option(
            "Show the decisions of every hand, not only the most expensive of several.",
            flags="--all",
        ),
    ] = False
    csv: Csv = None
    as_json: AsJson = False


@spread
@examples(
    (
        "every decision of a hand in which all cards are known",
        "handread decisions sample_histories/all-cards-known.stud:3",
    ),
    (
        "the three most expensive decisions of a log",
        "handread decisions sample_histories/pokerstars.txt --top 3",
    ),
)
def decisions(
    *,
    files: Files,
    asked: Asked,
    anonymous: Anonymous = False,
    shown: Shown,
    policies: Policies,
    ties: Annotated[Ties, TIES] = Ties.SPLIT,
    running: Running,
    hand: HandId = None,
    reading: Reading,
) -> None:
    """Value decisions: what each was worth, and what it cost.

    These are your decisions, or where no log tells who you are those of all players whose downcards
    are known. The value of an action is what it wins from there on, on average, if everybody then
    plays by the policy with which the hand is read. Of several hands you see the totals by player,
    yours by street and action too, and the most expensive decisions.

    Give the same command again to resume an interrupted run.
    """
    reads = reading.settings(files, anonymous)
    keep_apart(files, shown.csv)
    reader = reads.named(policies.chosen())
    terms = asked.terms(reader, asked.check, running.seed, asked.rake)
    session = sessions.Session(files, reads, prints=False)
    valuing = _Valuing(session, terms, reader, reads.who(asked.player), ties.value, running)
    valuing.show(hand, _Output(shown))
    fault = valuing.missing
    if not valuing.met and hand is not None:
        fault = session.lacks(hand)
    if fault:
        session.say(fault)
        raise typer.Exit(2)
    for reason, n in valuing.without_values.items():
        session.say(f"{report_tables.hands_words(n)} without values: {reason}")
    session.report_counts()
    raise typer.Exit(session.status or int(bool(valuing.without_values)))


class _Output:
    """Prints hands with their values, and at the end what is to be said of all."""

    def __init__(self, shown: Shown) -> None:
        self._shown = shown
        self._console = console.screen()
        self.listed = WORST if shown.top is None else shown.top
        self._totals = session_values.SessionValues(self.listed)
        self._told = session_decisions.SessionDecisions()
        self._rows: list[list[object]] = []
        self._first = ""

    def add(self, hand: valuation.ValuedHand) -> None:
        """Count a hand; print it, unless it may be one of several."""
        self._totals.add(hand.analysis, hand.values)
        self._told.add(hand)
        if self._shown.csv is not None:
            rows = table_rows.HandRow(hand.analysis).value_rows(hand.values)
            self._rows += (
                cells
                for table, cells in table_pieces.cells_of(rows)
                if table == score_tables.DECISIONS
            )
        if self._shown.as_json:
            found = report_json.decisions_object(hand)
            console.emit(json.dumps(found, allow_nan=False) + "\n")
        elif self._shown.show_all:
            console.emit(decision_report.hand_text(hand, self._console))
        elif self._told.hands == 1:
            self._first = decision_report.hand_text(hand, self._console)

    def finish(self) -> None:
        """Print the only hand, or the totals and the most expensive decisions of several."""
        if self._shown.csv is not None:
            console.keep(self._shown.csv, table_export.rows_csv(score_tables.DECISIONS, self._rows))
        if self._shown.as_json:
            return
        several = self._told.hands > 1
        found = self._totals.table()
        parts: list[str] = []
        if several:
            parts.append(session_decisions.session_text(found, self._told))
        elif self._first:
            parts.append(self._first)
        if self._shown.top or (several and self._shown.top is None):
            parts.append(session_decisions.worst_text(found, self._told))
        if several and found.players:
            parts.append(report_tables.as_prose(session_decisions.meaning_words(self._told)))
        console.emit("\n".join(filter(None, parts)))


class _Job(NamedTuple):
    """A hand to value, and the seats; ``reader`` is None for the one that is given."""

    played: steps.Replay
    reader: reading_by.Reader | None
    seats: frozenset[int] | None


class _Valued(NamedTuple):
    """The values of a hand, or why there are none, and what was found on reading it."""

    values: decided.HandValues | str
    findings: list[str]


class _Valuing:
    """Values the hands of a session, by one or several processes.

    Attributes:
        met: Number of hands of the session.
        missing: The message that no hand has the wanted player; empty if one has.
        without_values: Number of hands that could not be valued, by the reason.
    """

    def __init__(
        self,
        session: sessions.Session,
        terms: valuation.DecisionTerms,
        reader: reading_by.Reader,
        player: str | None,
        ties: str,
        running: Running,
    ) -> None:
        self.met = 0
        self.missing = ""
        self.without_values: Counter[str] = Counter()
        self._session = session
        self._terms = terms
        self._reader = reader
        self._player = player
        self._ties = ties
        self._running = running

    def show(self, hand: str | None, output: _Output) -> None:
        """Read the hands, value them, and show them in order.

        The hands are all read first, so that their number is known. They wait on the disk, for all
        of them may not fit in memory.
        """
        digest = hashlib.sha256()
        with tempfile.TemporaryDirectory(prefix="handread-") as name:
            with console.stoppable(console.UNREAD):
                size = parallel.part_size(self._weight)
                found = self._jobs(hand, digest)
                jobs = parallel.StoredJobs.store(found, Path(name), size)
            terms = {
                "command": "decisions",
                "hands": digest.hexdigest(),
                "values": self._terms.text,
                "ties": self._ties,
            }
            if len(jobs):
                with self._running.begin(terms, told=False) as run:
                    self._show(run, jobs, output)
        if not self.missing:
            output.finish()

    def _show(self, run: runs.Run, jobs: parallel.StoredJobs, output: _Output) -> None:
        """Value hands in parts, those decisions again whose cost could matter, and show them."""
        work = partial(_value_part, self._terms, self._reader, self._ties)
        notice = self._session.compiling_notice
        with run.within("all").parts(work, jobs, self._weight, "hands", compiling=notice) as parts:
            again = self._played_on(run, jobs, parts, output.listed)
            place = 0
            for part in parts:
                found = typed.read_typed(list[_Valued], part.file)
                for job, valued in zip(part.jobs, found, strict=True):
                    self._add(job, valued, again.get(place, {}), output)
                    place += 1

    def _played_on(
        self,
        run: runs.Run,
        jobs: parallel.StoredJobs,
        parts: Sequence[parallel.Part],
        listed: int,
    ) -> dict[int, dict[int, decision_values.DecisionValue]]:
        """Return values by rollouts where learned ones do not do, by place of the hand and number.

        ``parts`` have the first values of the hands, ``listed`` is the length of the list. The
        decisions that look most expensive come first, so that few others can still reach the list;
        these are valued by a few rollouts, and by all rollouts if that leaves it open.
        """
        again: dict[int, dict[int, decision_values.DecisionValue]] = {}
        if self._terms.way != valuation.EITHER:
            return again
        valued = (one for part in parts for one in typed.read_typed(list[_Valued], part.file))
        none = decided.HandValues(())
        hands = [none if isinstance(one.values, str) else one.values for one in valued]
        few, enough = session_values.FEW_ROLLOUTS, self._terms.rollouts
        for step, rollouts in (("first", enough), ("others", few), ("listed", enough)):
            now = [_with(values, again.get(n, {})) for n, values in enumerate(hands)]
            dearest = step == "first"
            wanted = session_values.worth_playing_on(now, listed, rollouts, dearest=dearest)
            some = ((n, job, wanted[n]) for n, job in enumerate(jobs) if wanted[n])
            terms = replace(self._terms, way=valuation.ROLLOUTS, rollouts=rollouts)
            for place, values in self._by_rollouts(run.within(step), some, terms, dearest):
                again.setdefault(place, {}).update(values)
        return again

    def _by_rollouts(
        self,
        run: runs.Run,
        hands: Iterable[tuple[int, _Job, frozenset[int]]],
        terms: valuation.DecisionTerms,
        first: bool,
    ) -> Iterator[tuple[int, Mapping[int, decision_values.DecisionValue]]]:
        """Yield the places of hands and their values by rollouts of some decisions, by number."""
        play = partial(_play_part, terms, self._reader, self._ties)
        weight = pages.valuing_weight(terms)
        with tempfile.TemporaryDirectory(prefix="handread-") as name:
            size = parallel.part_size(min(parallel.PART_SIZE, weight))
            stored = parallel.StoredJobs.store(hands, Path(name), size)
            if len(stored):
                # Learned values need no kernels: this process compiles them, once for all workers.
                notice = self._session.compiling_notice if first else None
                called = "hands by rollouts"
                with run.parts(play, stored, weight, called, compiling=notice) as done:
                    kept = list[tuple[int, dict[int, decision_values.DecisionValue]]]
                    for part in done:
                        yield from typed.read_typed(kept, part.file)

    def _add(
        self,
        job: _Job,
        valued: _Valued,
        again: Mapping[int, decision_values.DecisionValue],
        output: _Output,
    ) -> None:
        """Count and show a hand, the values of some decisions taken from ``again``."""
        for finding in valued.findings:
            self._session.say(finding)
        if isinstance(valued.values, str):
            self.without_values[valued.values] += 1
            return
        bare = _unread(job, _reader_of(job, self._reader), self._ties)
        terms = self._terms.of_hand(bare)
        output.add(valuation.ValuedHand(bare, _with(valued.values, again), terms))

    @property
    def _weight(self) -> int:
        """Time to value a hand, in games; at most a part of a run."""
        return min(parallel.PART_SIZE, pages.READING + pages.valuing_weight(self._terms))

    def _jobs(self, wanted: str | None, digest: hashlib._Hash) -> Iterator[_Job]:
        """Yield the hands to value; count each, and add to a digest what determines its values."""
        names: set[str] = set()
        found = False
        needed = partial(report_session.analyzed_first, self._session)
        analyzer = session_analyzer.SessionAnalyzer(
            self._session, self._reader, "public", self._ties, needed
        )
        for played in self._session.replays(wanted):
            given = analyzer.reader is self._reader
            hand = analyzer.analyze(played)
            analyzer.count(hand)
            self.met += 1
            seats = _seats_of(self._player, played.history)
            names |= {seat.name for seat in played.history.seats}
            found = found or seats is None or bool(seats)
            refused = hand.problem is not None and hand.analysis is None
            if not refused and (seats is None or seats):
                read_by = hand.reader, hand.reader.terms
                hand_logs.add_hand(digest, played, *read_by, seats and sorted(seats))
                yield _Job(played, None if given else hand.reader, seats)
        analyzer.finish()
        if self.met and not found:
            real = self._session.real_name
            who, names = real(self._player or ""), {*map(real, names)}
            self.missing = sessions.lacks_player("--player", who, names, ("hero",))


def _reader_of(job: _Job, given: reading_by.Reader) -> reading_by.Reader:
    """Return the reader of a hand."""
    return (
        reading_by.reader_of_hand(given, job.played.history) if job.reader is None else job.reader
    )


def _unread(job: _Job, reader: reading_by.Reader, ties: str) -> hand_analysis.Analysis:
    """Return the analysis of a hand without its reads: they are large, and not shown."""
    return hand_analysis.Analysis(
        job.played, reader, ties, "public", (), (), (), complete=True, you=job.played.history.hero
    )


def _seats_of(player: str | None, history: historys.History) -> frozenset[int] | None:
    """Return the seats of the wanted player in a hand; None for all."""
    if player == "all" or (player is None and history.hero is None):
        return None
    if player in (None, "hero"):
        return frozenset() if history.hero is None else frozenset({history.hero})
    return frozenset(
        seat.number
        for seat in history.seats
        if player == f"seat:{seat.number}" or (seat.name == player and player)
    )


def _value_part(
    terms: valuation.DecisionTerms,
    given: reading_by.Reader,
    ties: str,
    jobs: Iterable[_Job],
    path: Path,
) -> None:
    """Value some hands."""
    found = [_valued(terms, job, _reader_of(job, given), ties) for job in jobs]
    typed.write_typed(found, path)


def _play_part(
    terms: valuation.DecisionTerms,
    given: reading_by.Reader,
    ties: str,
    hands: Iterable[tuple[int, _Job, frozenset[int]]],
    path: Path,
) -> None:
    """Value the decisions with these numbers of some hands by rollouts."""
    found = []
    for place, job, decisions in hands:
        read = analysis.analyze_replay(job.played, _reader_of(job, given), ties=ties)
        seats = None if job.seats is None else set(job.seats)
        values = terms.played_on(read, decisions, seats)
        found.append((place, {n: _light(value) for n, value in values.items()}))
    typed.write_typed(found, path)


def _valued(
    terms: valuation.DecisionTerms, job: _Job, reader: reading_by.Reader, ties: str
) -> _Valued:
    """Value a hand. The reads after each action are left out: they are large."""
    read = analysis.analyze_replay(job.played, reader, ties=ties, stages=False)
    # Of a hand that is refused they are told with its refusal.
    findings = [str(found) for found in read.problems] if read.complete else []
    try:
        values = terms.values_of(read, None if job.seats is None else set(job.seats))
    except policy.PolicyError as error:
        return _Valued(str(error), findings)
    light = tuple(map(_light, values.decisions))
    return _Valued(replace(values, decisions=light), findings)


def _with(
    values: decided.HandValues, again: Mapping[int, decision_values.DecisionValue]
) -> decided.HandValues:
    """Return the values of a hand with some decisions, by number, valued again."""
    decisions = tuple(again.get(one.decision.n, one) for one in values.decisions)
    return replace(values, decisions=decisions)


def _light(value: decision_values.DecisionValue) -> decision_values.DecisionValue:
    """Return the values of a decision without the reads."""
    actions = tuple(replace(action, read=None) for action in value.actions)
    checked = None if value.checked is None else _light(value.checked)
    return replace(value, actions=actions, checked=checked)
