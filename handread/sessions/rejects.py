"""The file for the text of refused hands (``--rejects``)."""

import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from shutil import copyfileobj
from typing import IO

from handread.formats.log_reader import LogReader
from handread.formats.phh import PHH
from handread.history import History, Problem
from handread.whole_files import write_whole

IN_MEMORY = 1 << 24
"""The most bytes of rejected text in memory."""


class Rejects:
    """Collects texts for a file that is written whole at the end, or not at all."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._draft: IO[bytes] | None = None
        self._last = 0
        self._count = 0
        self._fault: OSError | None = None
        self.dialects: set[str] = set()

    def next_file(self) -> None:
        """Begin another file."""
        self._last = 0

    def keep(self, log: LogReader, hand: History | None, problems: Sequence[Problem]) -> None:
        """Keep the text of a refused hand, or other text that was not read."""
        if hand is None:
            first, last, dialect = problems[0].line, problems[0].end_line, problems[0].dialect
        else:
            first, last, dialect = hand.source.line, hand.end_line, hand.source.dialect
        last = max(first, last)
        if hand is None and not dialect:
            self._keep_text(0, dialect, log.unknown)
        elif last > self._last:  # a text may have several problems
            text = log.text(first, last)
            if text.strip():
                self._keep_text(last, dialect, [text])

    def notes(self) -> Iterator[str]:
        """Yield notes on surprises in the file."""
        if not self.dialects and self.path.exists():
            yield f"{self.path} is from an earlier run; this run has no text to save"

    def _keep_text(self, end_line: int, dialect: str, text: Iterable[str]) -> None:
        """Keep a text that comes in pieces; ``end_line`` is its last line in the file."""
        if self._fault is None:
            try:
                self._add(dialect, text)
            except OSError as error:  # a full disk must not cost the hands that follow
                self._fault = error
        self._last = end_line

    def _add(self, dialect: str, text: Iterable[str]) -> None:
        assert self._draft is not None
        if self.dialects:
            self._write("\n")
        # Without headers many hands in PHH would be one.
        if dialect == PHH.name and dialect in self.dialects:
            text = _with_header(text, self._count + 1)
        last = ""
        for piece in text:
            self._write(piece)
            last = piece or last
        if not last.endswith("\n"):
            self._write("\n")
        self._count += 1
        self.dialects.add(dialect)

    @contextmanager
    def gathering(self) -> Iterator[None]:
        """Collect texts in the body of the ``with``, and write the file at its end.

        Without refused texts the file is left as it is. Raises ``OSError`` if it cannot be written.
        """
        with tempfile.SpooledTemporaryFile(max_size=IN_MEMORY) as draft:
            self._draft = draft
            try:
                yield
            finally:
                self._draft = None
            if self._fault is not None:
                raise self._fault
            if self.dialects:
                draft.seek(0)
                write_whole(self.path, lambda path: _copy(draft, path))

    def _write(self, text: str) -> None:
        assert self._draft is not None
        self._draft.write(text.encode("utf-8", "backslashreplace"))


def _with_header(text: Iterable[str], number: int) -> Iterator[str]:
    """Yield a hand in PHH with the header of a hand among others."""
    for n, piece in enumerate(text):
        headed = n > 0 or piece.lstrip().startswith("[")
        yield piece if headed else f"[{number}]\n{piece}"


def _copy(draft: IO[bytes], path: Path) -> None:
    with path.open("wb") as file:
        copyfileobj(draft, file)
