"""The values of the hands of a session, by one or several processes, shown when final."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

from handread.cli.groups import RunningOptions
from handread.lazy import lazily

with lazily():
    import handread.decisions.hand_values as decided
    import handread.decisions.terms as valuation
    import handread.game.steps as steps
    import handread.history as historys
    import handread.inference.readers as reading_by
    import handread.parallel as parallel
    import handread.runs as runs
    import handread.sessions.analyzing as analyzing
    import handread.sessions.files as sessions
    import handread.sessions.in_turn as in_turn
    import handread.sessions.page_files as pages
    import handread.sessions.parts as session_parts
    import handread.sessions.reading as reading
    import handread.study.logs as hand_logs
    import handread.typed as typed
    from handread.cli import console


class ValuingJob(NamedTuple):
    """A hand to value, its reader, and the seats."""

    played: steps.Replay
    reader: reading_by.Reader
    seats: frozenset[int] | None


class Valued(NamedTuple):
    """The values of a hand, or the reason why it has no values, and the findings on reading it."""

    values: decided.HandValues | str
    findings: list[str]


@dataclass
class SessionValuing:
    """Values the hands of a session, by one or several processes.

    Attributes:
        shown: Called with each hand, in order.
    """

    session: sessions.Session
    terms: valuation.DecisionTerms
    reader: reading_by.Reader
    player: str | None
    ties: str
    running: RunningOptions
    shown: Callable[[valuation.ValuedHand], None]
    _part: int = 0  # the next one to show
    _fresh: int = 0  # the time of all hands, in games; those that were kept take none

    @property
    def _view(self) -> analyzing.HandView:
        return analyzing.HandView(ties=self.ties, decisions=self.terms)

    def show(self, hand: str | None) -> None:
        """Read the hands, value them, and show them in order; only ``hand``, an id, if given."""
        digest = hashlib.sha256()
        with console.stored(self._jobs(hand, digest), self._weight) as jobs:
            terms = {
                "command": "decisions",
                "hands": digest.hexdigest(),
                "values": self.terms.text,
                "ties": self.ties,
            }
            if len(jobs):
                with self.running.begin(terms, timed=False) as run:
                    self._show(run, jobs)

    def _show(self, run: runs.Run, jobs: parallel.StoredJobs) -> None:
        """Value hands in parts; show each part once those before it are there."""
        work = partial(_value_part, self._view)

        def landed(parts: Sequence[parallel.Part]) -> None:
            # On a terminal a bar stands where the hands would be printed.
            if not sys.stdout.isatty():
                self._land(parts)

        weight = -(-self._fresh // len(jobs))
        with run.parts(work, jobs, weight, "hands", landed=landed) as parts:
            self._land(parts)

    def _land(self, parts: Sequence[parallel.Part]) -> None:
        """Show the hands of the next parts, up to the first missing part."""
        while self._part < len(parts) and parts[self._part].file.exists():
            part = parts[self._part]
            part_values = typed.read_typed(list[Valued], part.file)
            for job, valued in zip(part.jobs, part_values, strict=True):
                self._add(job, valued)
            self._part += 1

    def _add(self, job: ValuingJob, valued: Valued) -> None:
        for finding in valued.findings:
            self.session.say(finding)
        if isinstance(valued.values, str):
            self.session.counts.unvalued[valued.values] += 1
            return
        bare = session_parts.unread(job.played, job.reader, self.ties)
        terms = self.terms.of_hand(bare)
        self.shown(valuation.ValuedHand(bare, valued.values, terms))

    def _weight(self, job: ValuingJob) -> int:
        return pages.reading_weight(job.played, job.reader, self._view)

    def _jobs(self, wanted: str | None, digest: hashlib._Hash) -> Iterator[ValuingJob]:
        """Yield the hands to value; count each, and digest all that determines its values."""
        names: set[str] = set()
        any_seat = False
        analyzer = in_turn.SessionReader(self.session, self.reader, self._view, later=True)
        for played in self.session.replays(wanted):
            hand = analyzer.read(played)
            self.session.count(hand, findings=False)
            seats = _seats_of(self.player, played.history)
            names |= {seat.name for seat in played.history.seats}
            any_seat = any_seat or seats is None or bool(seats)
            if hand.is_shown and (seats is None or seats):
                read_by = hand.reader, hand.reader.terms
                hand_logs.add_hand(digest, played, *read_by, seats and sorted(seats))
                job = ValuingJob(played, hand.reader, seats)
                if reading.kept_hand(played, hand.reader, _view_of(job, self._view)) is None:
                    self._fresh += self._weight(job)
                yield job
        analyzer.finish(wanted)
        if not any_seat:
            real = self.session.real_name
            self.session.lacks_player("--player", real(self.player or ""), {*map(real, names)})


def _seats_of(player: str | None, history: historys.History) -> frozenset[int] | None:
    """Return the seats of the wanted player in a hand; None for all."""
    if player == "all" or (player is None and history.hero is None):
        return None
    if player in (None, "hero"):
        return frozenset() if history.hero is None else frozenset({history.hero})
    called = {seat.number: (f"seat:{seat.number}", seat.name) for seat in history.seats}
    return frozenset(number for number, names in called.items() if player and player in names)


def _view_of(job: ValuingJob, view: analyzing.HandView) -> analyzing.HandView:
    return replace(view, seats=job.seats, everybody=job.seats is None)


def _value_part(view: analyzing.HandView, jobs: Iterable[ValuingJob], path: Path) -> None:
    typed.write_typed([_valued(view, job) for job in jobs], path)


def _valued(view: analyzing.HandView, job: ValuingJob) -> Valued:
    hand = reading.read_hand(job.played, job.reader, _view_of(job, view))
    values = hand.values
    assert values is not None
    # The refusal of a refused hand names its findings.
    findings = [str(problem) for problem in hand.findings] if hand.problem is None else []
    return Valued(values.values or values.why, findings)
