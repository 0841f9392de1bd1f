"""Read the hands of a session one by one, and count them."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

import handread.inference.readers as readers
from handread.game.steps import Replay
from handread.inference.viewpoint import HERO, is_by_person, session_viewpoint
from handread.lazy import lazily
from handread.report.tables import hands_words
from handread.sessions.analyzing import AnalyzedHand, HandView, analyzed_hand
from handread.sessions.files import Session

with lazily():
    import handread.sessions.reading as reading


class SessionReader:
    """Reads the hands of a session one by one with its ``reader``, which learns from them."""

    def __init__(
        self, session: Session, reader: readers.Reader, view: HandView, later: bool = False
    ) -> None:
        """Prepare to read hands that ``session`` counts, the first by ``reader``.

        With the viewpoint None, hands without a hero are not mentioned. With ``later``, only those
        that must be are read now; the rest are checked.
        """
        self.reader = reader
        self._session, self._any_learns = session, False
        self._view = view
        self._later = later
        players = readers.policies_of(reader)
        self._unused, self._met = set(players.seats if players is not None else ()), False
        self._viewers: Counter[str] = Counter()
        self._names: set[str] = set()
        self._given: Counter[str] = Counter()

    def read(self, played: Replay) -> AnalyzedHand:
        """Read a hand, or only check it; its problem is the reason if it cannot be read."""
        history = played.history
        self._met = True
        self._unused -= {seat.number for seat in history.seats}
        reader = readers.reader_of_hand(self.reader, history)
        given, players = readers.policies_of(self.reader), readers.policies_of(reader)
        if given is not None and players is not None and given.draws and not players.draws:
            self._given[reader.name] += 1
        hand = AnalyzedHand(played, reader, readers.cannot_be_read(played, reader))
        if hand.problem is not None:
            return hand
        self._any_learns |= reader.learns
        try:
            self._count_viewers(played)
        except ValueError as error:  # the viewpoint is not possible for this hand
            return replace(hand, problem=history.problem(0, str(error)))
        if not self._later:
            hand = analyzed_hand(played, self.reader, self._view)
        elif self._is_read_first(played, reader):
            hand = self._kept(played, reader)
        self.reader = hand.after(self.reader)
        return hand

    def _is_read_first(self, played: Replay, reader: readers.Reader) -> bool:
        """Return True if a hand is read at once, before the work on all hands.

        That holds if the reader learns from hand to hand, if the log is faulty, and for the first
        hand of a reader that may compile kernels, so that not every process does.
        """
        broken = played.problem is not None or any(street.unseen for street in played.streets)
        compiles = readers.policies_of(reader) is None and not self._session.counts.analyzed
        return reader.learns or broken or compiles

    def _kept(self, played: Replay, reader: readers.Reader) -> AnalyzedHand:
        """Return a hand to keep, with the analysis if its reader has no policies."""
        players = readers.policies_of(self.reader)
        if players is None:
            return analyzed_hand(played, self.reader, self._view)
        # A reader learns nothing from ranges.
        plain = readers.PolicyReader(replace(players, drawn={}))
        hand = reading.read_hand(played, plain, replace(self._view, decisions=None))
        return replace(hand, reader=reader)

    def _count_viewers(self, played: Replay) -> None:
        """Count a hand by its viewer; raise ``ValueError`` for an impossible viewpoint."""
        viewpoint = self._view.viewpoint
        viewer = session_viewpoint(played, viewpoint)
        if viewpoint is not None and is_by_person(viewpoint):
            self._names |= {seat.name for seat in played.history.seats}
            shows = "seen" if viewer.known else "hidden"
            self._viewers["absent" if viewer.you is None else shows] += 1

    def finish(self, wanted: str | None = None) -> None:
        """Report options without effect, and a hand read alone, ``wanted`` or by its address."""
        if self._later and self._any_learns:
            self._session.say_alone(wanted)
        if self._met and self._unused:
            seats = ", ".join(map(str, sorted(self._unused)))
            self._session.say(f"no hand has a seat {seats}: --seat unused")
        self._say_viewers()
        for name, n in self._given.items():
            self._session.say(
                f"no ranges for {hands_words(n)}: the parameters of {name} were given, not fitted"
            )

    def _say_viewers(self) -> None:
        """Print the number of hands without the viewer, or without the viewer's downcards."""
        who = self._view.viewpoint
        absent, hidden = self._viewers["absent"], self._viewers["hidden"]
        who = None if who is None else self._session.real_name(who)
        if who is not None and absent == self._viewers.total() > 0:
            real = [*map(self._session.real_name, self._names)]
            self._session.lacks_player("--viewpoint", who, real)
        elif who is not None and absent + hidden:
            noun, whose = ("a hero", "the hero's") if who == HERO else (who, f"{who}'s")
            told = [
                *[f"{hands_words(absent)} without {noun}"] * bool(absent),
                *[f"{hands_words(hidden)} without {whose} downcards"] * bool(hidden),
            ]
            self._session.say(f"{' and '.join(told)}: read as the public sees them")


def analyses(
    session: Session, hands: Iterable[Replay], reader: readers.Reader, view: HandView
) -> Iterator[AnalyzedHand]:
    """Analyze hands in turn; the evidence about a player carries over to the next hand.

    Each hand is counted, and its problems are listed, before the next.
    """
    session_reader = SessionReader(session, reader, view)
    for played in hands:
        hand = session_reader.read(played)
        yield hand
        session.count(hand)
    session_reader.finish()
