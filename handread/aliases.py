"""Aliases for the players of hands that are to be shared.

``Aliases.hide`` takes out of a hand what tells who played it, before anything else sees the hand:
names, chat, the hand's number, table, tournament, date and file. Cards, bets, seats, stakes and the
format stay.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from handread.history import History, Problem, Remark
from handread.inference.players import ANONYMOUS, played_by_people
from handread.inference.readers import PolicyReader, Reader, policies_of
from handread.inference.viewpoint import is_by_person

UNREADABLE = "this line cannot be read"
"""Takes the place of a message that may quote the log."""

_MADE = "handread"
"""The table of hands that people did not play; by default another policy reads them."""


@dataclass(slots=True)
class Aliases:
    """Names by which players are called in a run: "Player 1", "Player 2" ... as they are met.

    The hero of a hand is met first. The same name has the same alias in all hands and files.
    """

    _players: dict[str, str] = field(default_factory=dict)
    _files: dict[str, str] = field(default_factory=dict)
    _numbers: int = 0

    def of(self, name: str) -> str:
        """Return the alias of a player; empty for an empty name.

        Nobody keeps a name, not even a player called "Player 3".
        """
        while name and self._players.get(name, name) == name:
            self._numbers += 1
            self._players[name] = f"Player {self._numbers}"
        return self._players.get(name, "")

    def name_of(self, alias: str) -> str:
        """Return the name behind an alias, for messages to the user; other names as they are."""
        return next((name for name, own in self._players.items() if own == alias), alias)

    def of_viewpoint(self, viewpoint: str | None) -> str | None:
        """Return a viewpoint with the alias of a player named in it."""
        named = viewpoint is not None and viewpoint != "hero" and is_by_person(viewpoint)
        return self.of(viewpoint) if named and viewpoint is not None else viewpoint

    def of_reader(self, reader: Reader) -> Reader:
        """Return a reader with the aliases of players that have a model by name."""
        players = policies_of(reader)
        if players is None:
            return reader
        names = {self.of(name): own for name, own in players.names.items()}
        return PolicyReader(replace(players, names=names))

    def of_file(self, file: str) -> str:
        """Return the alias of a file: "log 1"."""
        return self._files.setdefault(file, f"log {len(self._files) + 1}")

    def hide(self, reading: History | Problem, number: int) -> History | Problem:
        """Return a hand, or a text that is not a hand, without what tells who played it.

        ``number`` is that of the hand in the run, which takes the place of its own.
        """
        if isinstance(reading, Problem):
            return self._problem(reading)
        heroes = [seat.name for seat in reading.seats if seat.number == reading.hero]
        for name in (*heroes, *(seat.name for seat in reading.seats)):
            self.of(name)
        file = self.of_file(reading.source.file)
        kept = [n for n, event in enumerate(reading.events) if not isinstance(event, Remark)]
        moved = {n: place for place, n in enumerate(kept)}
        claims = [replace(one, problem=self._problem(one.problem)) for one in reading.claims]
        return replace(
            reading,
            hand_id=str(number),
            source=replace(reading.source, file=file),
            seats=tuple(replace(seat, name=self.of(seat.name)) for seat in reading.seats),
            events=tuple(reading.events[n] for n in kept),
            table=ANONYMOUS if played_by_people(reading) else _MADE,
            played_at="",
            tournament="1" if reading.tournament else "",
            problems=tuple(map(self._problem, reading.problems)),
            findings=tuple(map(self._problem, reading.findings)),
            claims=tuple(
                replace(one, event=None if one.event is None else moved[one.event])
                for one in claims
            ),
            lows=tuple(replace(one, problem=self._problem(one.problem)) for one in reading.lows),
        )

    def as_read(self, problem: Problem, reading: History | Problem) -> Problem:
        """Return a problem in the words that it had before ``hide``, for messages to the user."""
        if problem.message != UNREADABLE:
            return problem
        if isinstance(reading, Problem):
            return reading
        found = (*reading.problems, *reading.findings)
        place = problem.line, problem.column
        return next((one for one in found if (one.line, one.column) == place), problem)

    def _problem(self, problem: Problem) -> Problem:
        """Return a problem without the text of the log."""
        file = self.of_file(problem.file)
        return replace(problem, file=file, message=UNREADABLE, expected="", text="")
