"""Cut files into pieces, and turn a piece into rows of the tables.

A piece holds everything that its rows depend on: any process or machine can read it.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

import polars as pl

from handread.decisions.terms import DecisionTerms
from handread.formats.log_reader import LogPiece, LogReader, read_stream
from handread.formats.registry import BUILT_IN, FormatRegistry
from handread.game.replay import replay, without_analysis
from handread.game.steps import Replay
from handread.history import History, Problem, hand_key
from handread.inference.analysis import analyze_replay
from handread.inference.readers import Reader, cannot_be_read, policies_of
from handread.names import NO_NAMES, Names
from handread.parallel import RunError
from handread.policy import PolicyError
from handread.sessions.opening import InputFile
from handread.tables import ALL_TABLES, HANDS, PIECES, REJECTS, TABLES
from handread.tables.columns import COLUMNS, SCHEMAS
from handread.tables.rows import HandRow, PieceRow, RejectRow

PIECE_SIZE = 1 << 15
"""Minimum number of characters in a piece of a log: about twenty hands.

Pieces end where a hand ends. If a log grows and is then detected as another format, it is cut
differently, and read anew.
"""

HAND_WEIGHT = 1500
"""Work of reading a hand, in characters of a log."""

LEARNED_WEIGHT, HAND_ROLLOUTS = 3, 6
"""Time of a hand with learned values, in hands without; rollouts that take the time of a hand."""

Key = tuple[str, int, str]
"""Identity of a piece: file, first line and digest."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a file with its content.

    ``weight`` is the work of its rows, in characters; ``only`` is True if it is the whole file.
    """

    file: str
    first_line: int
    digest: str
    weight: int
    content: LogPiece | Problem
    only: bool = False

    @property
    def key(self) -> Key:
        """The identity of the piece."""
        return self.file, self.first_line, self.digest

    def readings(self) -> Iterator[History | Problem]:
        """Yield the hands of the piece and the problems of its text."""
        if isinstance(self.content, Problem):
            yield self.content
            return
        nothing = True
        for reading in self.content.read(self.file):
            nothing = False
            yield reading
        if nothing and self.only:
            yield self.content.nothing(self.file)

    def line(self, number: int) -> str:
        """Return the text of a line of the file; empty if the piece does not hold it."""
        if not isinstance(self.content, LogPiece):
            return ""
        lines = self.content.lines
        at = number - self.first_line
        return lines[at] if 0 <= at < len(lines) else ""


def pieces(
    source: InputFile,
    dialect: str | None,
    known: FormatRegistry = BUILT_IN,
    terms: "ScoreTerms | None" = None,
) -> Iterator[Piece]:
    """Yield the pieces of a file in order; raise ``OSError`` if the file cannot be read."""
    with source.path.open("rb") as stream:
        cut = _pieces(source.name, read_stream(stream, source.name, dialect, known), terms)
        first, second = next(cut), next(cut, None)
        if second is None:
            yield replace(first, only=True, digest=_digest(first.digest, "only"))
        else:
            yield from (first, second, *cut)


def _pieces(file: str, log: LogReader, terms: "ScoreTerms | None") -> Iterator[Piece]:
    for cut in log.pieces(PIECE_SIZE):
        if isinstance(cut, Problem):
            yield Piece(file, cut.line, _digest(str(cut)), 1, cut)
            continue
        times = 1 if terms is None else terms.weight(cut.read(file))
        by_hand = times > LEARNED_WEIGHT  # rollouts: a piece of a hand or two takes a second
        for piece in cut.parts(1) if by_hand else (cut,):
            more = [piece.above] if piece.above else []
            more += [] if piece.own is None else [piece.own.text]
            more += [str(level.decides) for level in piece.levels]
            more += [str(piece.column)] if piece.column > 1 else []
            digest = _digest(piece.dialect, piece.text, *more)
            weight = times * (HAND_WEIGHT if by_hand else len(piece.text))
            yield Piece(file, piece.first_line, digest, weight, piece)


def _digest(*parts: str) -> str:
    text = "\0".join(parts)
    return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()[:32]


class TableBuilder:
    """Collects rows by table."""

    def __init__(self, tables: Iterable[str] = TABLES) -> None:
        self._cells = {table: [list[object]() for _ in COLUMNS[table]] for table in tables}

    def add(self, rows: Iterable[tuple[str, object]]) -> None:
        """Add rows, each with the name of its table; add nothing if computing a cell raises."""
        every = [
            (cells_before, [*map(column.value, listed)])
            for table, group in groupby(rows, itemgetter(0))
            for listed in [[row for _, row in group]]
            for column, cells_before in zip(COLUMNS[table], self._cells[table], strict=True)
        ]
        for cells_before, cells in every:
            cells_before.extend(cells)

    def add_hand(
        self,
        played: Replay,
        reader: Reader,
        ties: str,
        line: Callable[[int], str] | None = None,
        decisions: DecisionTerms | None = None,
    ) -> None:
        """Add the rows of a hand, or a row in "rejects" if it cannot be analyzed to its end.

        ``line`` returns the text of a line of the file; by default the problem's text is used.
        Decisions have rows if ``decisions`` says how to value them.
        """
        problem = played.problem or cannot_be_read(played, reader)
        if problem is None:
            analysis = analyze_replay(played, reader, ties=ties)
            if analysis.complete:
                row = HandRow(analysis)
                self.add((*row.rows(), *_value_rows(row, decisions)))
                return
            problem = analysis.problems[-1]
        problem = without_analysis(played, problem)
        text = problem.text if line is None else line(problem.line)
        self.add([(REJECTS, RejectRow(problem, played.history, text))])

    def count(self, table: str) -> int:
        """Return the number of rows of a table."""
        return len(self._cells[table][0])

    def frames(self) -> dict[str, pl.DataFrame]:
        """Return the tables as frames."""
        return {
            table: pl.DataFrame(
                dict(zip(SCHEMAS[table], cells, strict=True)), schema=SCHEMAS[table], strict=True
            )
            for table, cells in self._cells.items()
        }


def _value_rows(row: HandRow, decisions: DecisionTerms | None) -> Iterable[tuple[str, object]]:
    """Return the rows of a hand's decisions; none if its policy has no learned values."""
    if decisions is None:
        return ()
    try:
        return row.value_rows(decisions.values_of(row.analysis))
    except PolicyError:
        return ()


@dataclass(frozen=True, slots=True)
class ScoreTerms:
    """The settings that determine the rows of a hand, in addition to its text.

    Decisions are valued if there are ``decisions``. ``keep_repeated`` keeps repeated hands.
    ``names`` replace names of the logs.
    """

    reader: Reader
    ties: str
    decisions: DecisionTerms | None = None
    keep_repeated: bool = False
    names: Names = NO_NAMES

    @property
    def tables(self) -> tuple[str, ...]:
        """The names of the tables."""
        return TABLES if self.decisions is None else ALL_TABLES

    def weight(self, hands: Iterable[History | Problem]) -> int:
        """Return the longest time of the rows of one of these hands, in hands without values."""
        players = policies_of(self.reader)
        if self.decisions is None or players is None:
            return 1
        for hand in hands:
            if isinstance(hand, History) and hand.variant in self.reader.games:
                models = players.for_hand(self.names.renamed(hand))
                if self.decisions.needs_rollouts(models, hand.variant):
                    return max(LEARNED_WEIGHT, self.decisions.rollouts // HAND_ROLLOUTS)
        return LEARNED_WEIGHT


class ScoredHand(NamedTuple):
    """A hand of a piece: its first line, its key (``hand_key``), and whether it was analyzed."""

    line: int
    key: bytes
    analyzed: bool


@dataclass(frozen=True, slots=True)
class Scored:
    """The rows of a piece, and its hands in order."""

    frames: Mapping[str, pl.DataFrame]
    hands: tuple[ScoredHand, ...]


def score_piece(terms: ScoreTerms, piece: Piece) -> Scored:
    """Return the rows of a piece."""
    builder, hands = TableBuilder(terms.tables), []
    for reading in piece.readings():
        problem, history = (reading, None) if isinstance(reading, Problem) else (None, reading)
        before = builder.count(HANDS)
        if history is not None:
            line, key = history.source.line, hand_key(history)
            history = terms.names.renamed(history)
            try:
                played = replay(history)
                builder.add_hand(played, terms.reader, terms.ties, piece.line, terms.decisions)
            except RunError:
                raise
            except Exception as error:  # a bug must not lose the other hands
                message = f"handread fails on this hand: {error!r}"
                problem = history.problem(0, message, "an analysis")
            hands.append(ScoredHand(line, key, builder.count(HANDS) > before))
        if problem is not None:
            builder.add([(REJECTS, RejectRow(problem, history, piece.line(problem.line)))])
    counts = builder.count(HANDS), builder.count(REJECTS)
    keys = tuple(hand.key for hand in hands if hand.key)
    builder.add([(PIECES, PieceRow(*piece.key, *counts, keys))])
    return Scored(builder.frames(), tuple(hands))
