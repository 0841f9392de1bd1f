"""The work of a run: a piece of a log goes in, the rows of its hands come out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from handread import __version__
from handread.analysis import analyze_replay
from handread.columnar.files import Rows
from handread.engine import no_cards, replay
from handread.history import History, Problem
from handread.lineup import Roster
from handread.notation import LogPiece
from handread.reading import Analysis
from handread.runs import RunError
from handread.score import HANDS, PIECES, REJECTS
from handread.score.frames import Gathering, packed, unpacked
from handread.score.rows import HandRow, PieceRow, RejectRow


@dataclass(frozen=True, slots=True)
class Terms:
    """What decides the rows of a hand: who is taken to sit there, and how equal hands count.

    ``version`` is that of the program: workers elsewhere may have another.
    """

    roster: Roster
    ties: str
    version: str = __version__


@dataclass(frozen=True, slots=True)
class PackedRows:
    """Hands of a Parquet file: rows from ``first_line`` on, as ``frames.packed``."""

    data: bytes
    first_line: int

    def read(self, file: str) -> Iterator[History | Problem]:
        """The hands, and a problem for each row that is none."""
        return Rows(self.first_line, unpacked(self.data)).hands(file)


Content = LogPiece | PackedRows | Problem


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a file, with all that is needed to read it wherever that is done.

    ``only`` says that it is the whole file. ``weight`` is its share of the work, in characters.
    """

    file: str
    first_line: int
    digest: str
    weight: int
    only: bool
    content: Content

    @property
    def key(self) -> tuple[str, int, str]:
        """What tells the piece from every other."""
        return self.file, self.first_line, self.digest

    def readings(self) -> Iterator[History | Problem]:
        """The hands of the piece and the problems of its text."""
        if isinstance(self.content, Problem):
            yield self.content
            return
        nothing = True
        for reading in self.content.read(self.file):
            nothing = False
            yield reading
        if nothing and self.only and isinstance(self.content, LogPiece):
            yield self.content.nothing(self.file)

    def line(self, number: int) -> str:
        """A line of the piece; empty where it has none."""
        if not isinstance(self.content, LogPiece):
            return ""
        lines = self.content.text.split("\n")
        at = number - self.first_line
        return lines[at] if 0 <= at < len(lines) else ""


@dataclass(frozen=True, slots=True)
class Scored:
    """What came of a piece: its tables as ``frames.packed``, and how many hands they hold."""

    tables: dict[str, bytes]
    hands: int
    rejects: int


def score_piece(terms: Terms, piece: Piece) -> Scored:
    """Read the hands of a piece; the same whatever was read before it, and where.

    ``RunError`` where another version of the program is asked for.
    """
    if terms.version != __version__:
        raise RunError(f"a worker has handread {__version__}, not {terms.version}")
    gathered = Gathering()
    for reading in piece.readings():
        _add(terms, piece, reading, gathered)
    hands, rejects = gathered.count(HANDS), gathered.count(REJECTS)
    gathered.add([(PIECES, PieceRow(*piece.key, hands, rejects))])
    tables = {table: packed(frame) for table, frame in gathered.frames().items()}
    return Scored(tables, hands, rejects)


def _add(terms: Terms, piece: Piece, reading: History | Problem, gathered: Gathering) -> None:
    """Put down the rows of a hand, or why there are none."""
    problem, history = (reading, None) if isinstance(reading, Problem) else (None, reading)
    if history is not None:
        try:
            found = _read(terms, history)
            if not isinstance(found, Problem):
                gathered.add(HandRow(found).rows())
                return
            problem = found
        except Exception as error:  # a fault of ours must not cost the other hands of a million
            problem = history.problem(0, f"handread fails on this hand: {error!r}", "an analysis")
    assert problem is not None
    gathered.add([(REJECTS, RejectRow(problem, history, piece.line(problem.line)))])


def _read(terms: Terms, history: History) -> Analysis | Problem:
    """What is read of a hand, or what keeps it from being read to its end."""
    played = replay(history)
    nothing = played.problem or no_cards(played)
    if nothing is not None:
        return nothing
    analysis = analyze_replay(played, terms.roster.lineup(history), ties=terms.ties)
    return analysis if analysis.complete else analysis.problems[-1]
