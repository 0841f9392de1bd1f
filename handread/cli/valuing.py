"""The values of the hands of a session, by one or several processes; each is shown when final."""

from __future__ import annotations

import hashlib
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

from handread.cli.groups import Running
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
    import handread.report.pages as pages
    import handread.runs as runs
    import handread.session as sessions
    import handread.session_analyzer as session_analyzer
    import handread.study.logs as hand_logs
    import handread.study.session_values as session_values
    import handread.typed as typed
    from handread.cli import console, report_session


class Job(NamedTuple):
    """A hand to value, and the seats; ``reader`` is None for the one that is given."""

    played: steps.Replay
    reader: reading_by.Reader | None
    seats: frozenset[int] | None


class Valued(NamedTuple):
    """The values of a hand, or why there are none, and what was found on reading it."""

    values: decided.HandValues | str
    findings: list[str]


Again = dict[int, dict[int, decision_values.DecisionValue]]
"""Values by rollouts where learned ones do not do, by place of the hand and number."""


class SessionValuing:
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
        # The part with the next hand to show, the place of that hand, and the new values so far.
        self._part = self._place = 0
        self._again: Again = {}

    def show(
        self, hand: str | None, add: Callable[[valuation.ValuedHand], None], listed: int
    ) -> None:
        """Read the hands, value them, and show them in order, each when its values are final.

        The hands are all read first, so that their number is known. They wait on the disk, for all
        of them may not fit in memory.

        Args:
            hand: The id of the only hand to value; None for all.
            add: Shows a hand.
            listed: The length of the list of expensive decisions.
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
                    self._show(run, jobs, add, listed)

    def _show(
        self,
        run: runs.Run,
        jobs: parallel.StoredJobs,
        add: Callable[[valuation.ValuedHand], None],
        listed: int,
    ) -> None:
        """Value hands in parts, those decisions again whose cost could matter, and show them."""
        work = partial(_value_part, self._terms, self._reader, self._ties)
        again = self._terms.way == valuation.EITHER and listed > 0
        enough = self._terms.rollouts

        def final(_: int, values: decided.HandValues) -> bool:
            return not (again and session_values.is_open(values, enough))

        def landed(parts: Sequence[parallel.Part]) -> None:
            # On a terminal a bar stands where the hands would be printed.
            if not sys.stdout.isatty():
                self._land(parts, final, add)

        with run.within("all").parts(work, jobs, self._weight, "hands", landed=landed) as parts:
            if again:
                self._play_on(run, jobs, parts, add, listed)
            self._land(parts, lambda _place, _values: True, add)

    def _land(
        self,
        parts: Sequence[parallel.Part],
        final: Callable[[int, decided.HandValues], bool],
        add: Callable[[valuation.ValuedHand], None],
    ) -> None:
        """Show the next hands, up to the first one whose values are not final yet."""
        while self._part < len(parts) and parts[self._part].file.exists():
            part = parts[self._part]
            found = typed.read_typed(list[Valued], part.file)
            for place, job, valued in zip(part.numbers, part.jobs, found, strict=True):
                if place < self._place:
                    continue
                if not (isinstance(valued.values, str) or final(place, valued.values)):
                    return
                self._add(job, valued, self._again.get(place, {}), add)
                self._place += 1
            self._part += 1

    def _play_on(
        self,
        run: runs.Run,
        jobs: parallel.StoredJobs,
        parts: Sequence[parallel.Part],
        add: Callable[[valuation.ValuedHand], None],
        listed: int,
    ) -> None:
        """Value decisions by rollouts where learned values do not do, in at most three rounds.

        ``parts`` have the first values of the hands, ``listed`` is the length of the list. The
        decisions that look most expensive come first, so that few others can still reach the list;
        these are valued by a few rollouts, and by all rollouts if that leaves it open. Hands of
        which the last round values nothing are final when it begins.
        """
        valued = (one for part in parts for one in typed.read_typed(list[Valued], part.file))
        none = decided.HandValues(())
        hands = [none if isinstance(one.values, str) else one.values for one in valued]
        few, enough = session_values.FEW_ROLLOUTS, self._terms.rollouts
        rounds = ("first", enough), ("others", few), ("listed", enough)
        for number, (step, rollouts) in enumerate(rounds, 1):
            now = [_with(values, self._again.get(n, {})) for n, values in enumerate(hands)]
            dearest = step == "first"
            wanted = session_values.worth_playing_on(now, listed, rollouts, dearest=dearest)
            some = ((n, job, wanted[n]) for n, job in enumerate(jobs) if wanted[n])
            terms = replace(self._terms, way=valuation.ROLLOUTS, rollouts=rollouts)
            left = {n for n, numbers in enumerate(wanted) if numbers}

            def landed(places: Iterable[int], left: set[int] = left, step: str = step) -> None:
                left -= set(places)
                if step == "listed" and not sys.stdout.isatty():
                    self._land(parts, lambda place, _: place not in left, add)

            landed(())
            called = f"hands by rollouts, round {number} of {len(rounds)} at most"
            self._by_rollouts(run.within(step), some, terms, called, landed)

    def _by_rollouts(
        self,
        run: runs.Run,
        hands: Iterable[tuple[int, Job, frozenset[int]]],
        terms: valuation.DecisionTerms,
        called: str,
        landed: Callable[[Iterable[int]], None],
    ) -> None:
        """Value some decisions of hands by rollouts; call ``landed`` with the places of hands."""
        play = partial(_play_part, terms, self._reader, self._ties)
        weight = pages.valuing_weight(terms)
        kept, taken = list[tuple[int, dict[int, decision_values.DecisionValue]]], set[Path]()

        def take(parts: Sequence[parallel.Part]) -> None:
            for part in parts:
                if part.file not in taken and part.file.exists():
                    taken.add(part.file)
                    found = typed.read_typed(kept, part.file)
                    for place, values in found:
                        self._again.setdefault(place, {}).update(values)
                    landed([place for place, _ in found])

        with tempfile.TemporaryDirectory(prefix="handread-") as name:
            size = parallel.part_size(min(parallel.PART_SIZE, weight))
            stored = parallel.StoredJobs.store(hands, Path(name), size)
            if len(stored):
                with run.parts(play, stored, weight, called, landed=take) as parts:
                    take(parts)

    def _add(
        self,
        job: Job,
        valued: Valued,
        again: Mapping[int, decision_values.DecisionValue],
        add: Callable[[valuation.ValuedHand], None],
    ) -> None:
        """Count and show a hand, the values of some decisions taken from ``again``."""
        for finding in valued.findings:
            self._session.say(finding)
        if isinstance(valued.values, str):
            self.without_values[valued.values] += 1
            return
        bare = _unread(job, _reader_of(job, self._reader), self._ties)
        terms = self._terms.of_hand(bare)
        add(valuation.ValuedHand(bare, _with(valued.values, again), terms))

    @property
    def _weight(self) -> int:
        """Time to value a hand, in games; at most a part of a run."""
        return min(parallel.PART_SIZE, pages.READING + pages.valuing_weight(self._terms))

    def _jobs(self, wanted: str | None, digest: hashlib._Hash) -> Iterator[Job]:
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
                yield Job(played, None if given else hand.reader, seats)
        analyzer.finish()
        if self.met and not found:
            real = self._session.real_name
            who, names = real(self._player or ""), {*map(real, names)}
            self.missing = sessions.lacks_player("--player", who, names, ("hero",))


def _reader_of(job: Job, given: reading_by.Reader) -> reading_by.Reader:
    """Return the reader of a hand."""
    return (
        reading_by.reader_of_hand(given, job.played.history) if job.reader is None else job.reader
    )


def _unread(job: Job, reader: reading_by.Reader, ties: str) -> hand_analysis.Analysis:
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
    jobs: Iterable[Job],
    path: Path,
) -> None:
    """Value some hands."""
    found = [_valued(terms, job, _reader_of(job, given), ties) for job in jobs]
    typed.write_typed(found, path)


def _play_part(
    terms: valuation.DecisionTerms,
    given: reading_by.Reader,
    ties: str,
    hands: Iterable[tuple[int, Job, frozenset[int]]],
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
    terms: valuation.DecisionTerms, job: Job, reader: reading_by.Reader, ties: str
) -> Valued:
    """Value a hand. The reads after each action are left out: they are large."""
    read = analysis.analyze_replay(job.played, reader, ties=ties, stages=False)
    # The refusal of a refused hand names its findings.
    findings = [str(found) for found in read.problems] if read.complete else []
    try:
        values = terms.values_of(read, None if job.seats is None else set(job.seats))
    except policy.PolicyError as error:
        return Valued(str(error), findings)
    light = tuple(map(_light, values.decisions))
    return Valued(replace(values, decisions=light), findings)


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
