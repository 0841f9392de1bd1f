"""Aliases for the players of hands that are to be shared.

``Aliases.hide`` removes all that identifies players from a hand, before anything else sees it:
names, chat, the hand's number, table, tournament, date and file. Cards, bets, seats, stakes and the
format stay.
"""

import re
from dataclasses import dataclass, field, replace

from handread.history import History, Problem, Remark, with_problems
from handread.inference.players import ANONYMOUS, played_by_people
from handread.inference.readers import PolicyReader, Reader, policies_of
from handread.inference.viewpoint import is_by_person

UNREADABLE = "this line cannot be read"
"""Replaces a message that may quote the log."""

_NUMBERS = re.compile(r"\d{8,}|\d{4}[/.-]\d\d[/.-]\d\d|\d\d?:\d\d:\d\d")
"""Numbers that identify a hand, and dates."""

_MADE = "handread"
"""The table of hands that people did not play; by default another policy reads them."""


@dataclass(slots=True)
class Aliases:
    """Names of players in a run: "Player 1", "Player 2" ..., in the order of appearance.

    The hero of a hand comes first. A name has the same alias in all hands and files.
    """

    _players: dict[str, str] = field(default_factory=dict)
    _files: dict[str, str] = field(default_factory=dict)
    _numbers: int = 0

    def of(self, name: str) -> str:
        """Return the alias of a player, even of one called "Player 3"; empty for an empty name."""
        while name and self._players.get(name, name) == name:
            self._numbers += 1
            self._players[name] = f"Player {self._numbers}"
        return self._players.get(name, "")

    def name_of(self, alias: str) -> str:
        """Return the name behind an alias, for messages to the user; other names as they are."""
        return next((name for name, given in self._players.items() if given == alias), alias)

    def of_viewpoint(self, viewpoint: str | None) -> str | None:
        """Return a viewpoint with the alias of a player named in it."""
        named = viewpoint is not None and viewpoint != "hero" and is_by_person(viewpoint)
        return self.of(viewpoint) if named and viewpoint is not None else viewpoint

    def of_reader(self, reader: Reader) -> Reader:
        """Return a reader with the aliases of players that have a model by name."""
        known = policies_of(reader)
        if known is None:
            return reader
        return PolicyReader(replace(known, names={self.of(n): m for n, m in known.names.items()}))

    def of_file(self, file: str) -> str:
        """Return the alias of a file: "log 1"."""
        return self._files.setdefault(file, f"log {len(self._files) + 1}")

    def hide(self, reading: History | Problem, number: int) -> History | Problem:
        """Return a hand, or a text that is not a hand, without anything that identifies players.

        ``number``, the place of the hand in the run, replaces its own number.
        """
        if isinstance(reading, Problem):
            return self._problem(reading)
        heroes = [seat.name for seat in reading.seats if seat.number == reading.hero]
        for name in (*heroes, *(seat.name for seat in reading.seats)):
            self.of(name)
        file = self.of_file(reading.source.file)
        kept = [n for n, event in enumerate(reading.events) if not isinstance(event, Remark)]
        moved = {n: place for place, n in enumerate(kept)}
        hidden = with_problems(reading, self._problem)
        return replace(
            hidden,
            hand_id=str(number),
            source=replace(reading.source, file=file),
            seats=tuple(replace(seat, name=self.of(seat.name)) for seat in reading.seats),
            events=tuple(reading.events[n] for n in kept),
            table=ANONYMOUS if played_by_people(reading) else _MADE,
            played_at="",
            tournament="1" if reading.tournament else "",
            claims=tuple(
                claim if claim.event is None else replace(claim, event=moved[claim.event])
                for claim in hidden.claims
            ),
        )

    def hide_in(self, text: str, hand: History) -> str:
        """Return the text of a hand with aliases, without chat, dates and long numbers.

        Names in lines that nobody could read may stay.
        """
        said = [event.text for event in hand.events if isinstance(event, Remark) and event.known]
        said += re.findall(r": \{(.+?)\} ", text)  # the name of a home game's club
        left_out = dict.fromkeys(filter(None, (*said, hand.table)), "...")
        shown = left_out | {seat.name: self.of(seat.name) for seat in hand.seats if seat.name}
        words = "|".join(rf"(?<!\w){re.escape(who)}(?!\w)" for who in sorted(shown, key=len)[::-1])
        text = re.sub(words, lambda found: shown[found[0]], text) if words else text
        return _NUMBERS.sub(lambda found: re.sub(r"\d", "1", found[0]), text)

    def as_read(self, problem: Problem, reading: History | Problem) -> Problem:
        """Return a problem in the words that it had before ``hide``, for messages to the user."""
        if problem.message != UNREADABLE:
            return problem
        if isinstance(reading, Problem):
            return reading
        problems = (*reading.problems, *reading.findings)
        place = problem.line, problem.column
        return next((each for each in problems if (each.line, each.column) == place), problem)

    def _problem(self, problem: Problem) -> Problem:
        file = self.of_file(problem.file)
        return replace(problem, file=file, message=UNREADABLE, expected="", text="")
