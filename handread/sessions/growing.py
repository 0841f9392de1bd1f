"""A log, read piece by piece.

A file that grows is read again, but unchanged pieces are skipped. A file just written may end in
half a hand, which waits until it is whole or the file stays quiet.
"""

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import blake2b
from io import BytesIO
from pathlib import Path
from typing import IO

from handread.formats.log_reader import LogPiece, LogReader, read_stream
from handread.formats.registry import DETECTION_SIZE
from handread.game.replay import replay
from handread.game.steps import Replay
from handread.history import History, Problem
from handread.sessions.files import ReadSettings
from handread.sessions.opening import open_regular

QUIET_SECONDS = 5.0
"""Seconds without a change of a file after which half a hand at its end counts as all of it."""


def readings_of(data: bytes, name: str, reads: ReadSettings) -> Iterable[History | Problem]:
    """Return the hands and problems of the text of a log."""
    return read_stream(BytesIO(data), name, reads.dialect, reads.known)


@dataclass(frozen=True, slots=True)
class Found:
    """A new hand or problem at a line of a log, or neither for a line that lost its hand.

    ``digest`` distinguishes hands at the same line.
    """

    line: int
    digest: bytes
    played: Replay | None = None
    problem: Problem | None = None

    @property
    def is_whole(self) -> bool:
        """True for a hand that reaches its end."""
        played = self.played
        return played is not None and played.problem is None and played.finished


class GrowingLog:
    """A log, and the state of its reading.

    Attributes:
        name: Its name on pages.
        path: The file.
        read_at: The local time of the last reading: "2026-05-08 20:31"; empty before.
        waits: True if half a hand at its end waits for the rest.
    """

    def __init__(
        self, name: str, reads: ReadSettings, path: Path, quiet_seconds: float = QUIET_SECONDS
    ) -> None:
        """Start without reading; ``quiet_seconds`` is 0 for a file that comes as a whole."""
        self.name = name
        self.path = path
        self.read_at = ""
        self.waits = False
        self._reads = reads
        self._quiet_seconds = quiet_seconds
        self._pieces: dict[bytes, set[int]] = {}
        self._lines: dict[int, bytes] = {}
        self._there: set[int] = set()
        self._seen = (0, 0), 0.0

    def fresh(self) -> Iterator[Found]:
        """Yield lines that lost their hands since the last call, then new hands, in order.

        An unreadable file yields nothing.
        """
        self.waits = False
        try:
            with open_regular(self.path) as stream:
                quiet = self._is_quiet()
                last: Found | None = None
                new = self._new(stream)
                if self._lines:
                    new = iter([*new])  # lost hands may stand at other lines now
                    gone = sorted(self._lines.keys() - self._there)
                    if gone and not quiet:  # the log is being written anew
                        self._pieces.clear()
                        self.waits = True
                        return
                    for line in gone:
                        del self._lines[line]
                        yield Found(line, b"")
                for reading in new:
                    if last is not None:
                        yield self._taken(last)
                    last = reading
        except OSError as error:
            self._pieces.clear()  # hands of some were not yielded
            reason = error.strerror or type(error).__name__
            problem = Problem(self.name, 0, 0, f"cannot be read: {reason}")
            last, quiet = Found(0, reason.encode(), problem=problem), True
            if self._lines.get(0) == last.digest:
                return
        if last is not None and (quiet or last.is_whole):
            yield self._taken(last)
        elif last is not None:
            self.waits = True
            # Pieces behind it may hold nothing new.
            self._pieces = {piece: at for piece, at in self._pieces.items() if last.line not in at}

    def forget(self, line: int) -> None:
        """Yield the hand at a line once more when all is read again."""
        self._lines.pop(line, None)
        self._pieces.clear()

    def _taken(self, new: Found) -> Found:
        self._lines[new.line] = new.digest
        return new

    def _is_quiet(self) -> bool:
        """Return True if the file should not grow now; note the time."""
        status = self.path.stat()
        self.read_at = time.strftime("%Y-%m-%d %H:%M")
        if (seen := (status.st_size, status.st_mtime_ns)) != self._seen[0]:
            self._seen = seen, time.monotonic()
        # The clock of the file may be ahead of this one.
        ages = time.time() - status.st_mtime, time.monotonic() - self._seen[1]
        return max(ages) >= self._quiet_seconds

    def _new(self, stream: IO[bytes]) -> Iterator[Found]:
        self._there = set()
        log = read_stream(stream, self.name, self._reads.dialect, self._reads.known)
        before: tuple[bytes, set[int]] | None = None
        for piece in log.pieces(DETECTION_SIZE):
            if before is not None:  # all before the last stay as they are when the log grows
                self._pieces[before[0]] = before[1]
            if isinstance(piece, Problem):
                whole = _digest(repr(piece))
            else:
                whole = _digest(f"{piece.first_line} {piece.dialect} {piece.above}\n{piece.text}")
            lines = self._pieces.get(whole, set())
            if whole not in self._pieces:
                yield from self._of_piece(log, piece, lines)
            self._there |= lines
            before = whole, lines

    def _of_piece(
        self, log: LogReader, piece: LogPiece | Problem, lines: set[int]
    ) -> Iterator[Found]:
        for reading in log.read(piece):
            line = reading.source.line if isinstance(reading, History) else reading.line
            lines.add(line)
            digest = _digest(log.text(line, max(line, reading.end_line)) or str(reading))
            if self._lines.get(line) == digest:
                continue
            if isinstance(reading, Problem):
                yield Found(line, digest, problem=reading)
            else:
                yield Found(line, digest, replay(self._reads.names.renamed(reading)))


def _digest(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "replace"), digest_size=16).digest()
