"""Sources of hands for the tools of assistants: texts, and files below given folders."""

import os
import re
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from handread.formats.log_reader import read_bytes, read_bytes_at, read_text
from handread.game.replay import replay
from handread.game.steps import Replay
from handread.history import History, Problem, is_repeated
from handread.report.words import visible
from handread.sessions.opening import TERMS_FILE, open_below

MOST_BYTES = 50_000_000
"""The largest file that is read."""

MOST_FILES = 1_000
"""The most files of a folder that are read."""

ADDRESS = re.compile(r"(.+):([1-9][0-9]{0,8})", re.S)
"""The address of a hand in answers: a file and a line."""


class ToolError(ValueError):
    """A tool has no result; the message is for an assistant."""


class Sources:
    """Hands of texts and of files; no file outside the folders is opened.

    Attributes:
        folders: The real folders whose files, at any depth, may be read.
        unread: Faults in reading the last path, a line each.
    """

    def __init__(self, folders: Iterable[Path]) -> None:
        """``folders`` are as users name them."""
        self.folders = [folder.resolve() for folder in folders]
        self.unread = ""

    def replays(self, text: str, path: str) -> Iterator[Replay]:
        """Yield the replays of hands in a text, a file or a folder, without copies and other text.

        Raise ``ToolError`` unless there is one source, which may be read and has a hand.
        """
        if bool(text) == bool(path):
            raise ToolError("give either text, the text of hands, or path, a file or a folder")
        self.unread = ""
        readings = read_text(text, "-") if text else self._read(path)
        problem: Problem | None = None
        any_hand, repeated, seen = False, 0, set[bytes]()
        for reading in readings:
            if isinstance(reading, History):
                any_hand = True
                if is_repeated(reading, seen):
                    repeated += 1
                else:
                    yield replay(reading)
            elif problem is None:
                problem = reading
        if repeated:
            self.unread += f"Hands that came before are left out: {repeated:,}.\n"
        if not any_hand:
            said = f"there is no hand: {visible(str(problem))}" if problem else "no hand"
            raise ToolError(f"{said}\n{self.unread}".strip())

    def _read(self, path: str) -> Iterator[History | Problem]:
        place, file, line = self._addressed(path)
        many = place.is_dir()
        if line:
            readings, near = read_bytes_at(self._bytes(place, file), file, line)
            if not readings:
                hint = f"; the nearest begins at line {near}" if near else ""
                raise ToolError(f"{visible(file)}: no hand at line {line}{hint}")
            yield from readings
            return
        below = sorted(place.rglob("*")) if many else [place]
        tables = {each.parent for each in below if each.name == TERMS_FILE and many}
        below = [each for each in below if tables.isdisjoint(each.parents)]
        # A link below a folder may lead out of it.
        kept = (each for each in below if not os.access(each.parent, os.X_OK) or each.is_file())
        real = ((at, at.resolve()) for at in kept)
        files = (pair for pair in real if any(map(pair[1].is_relative_to, self.folders)))
        for at, inside in islice(files, MOST_FILES):
            name = str(Path(path) / at.relative_to(place)) if many else path
            try:
                data = self._bytes(inside, name)
            except ToolError as error:
                if not many:
                    raise
                self.unread += f"{error}\n"
                continue
            yield from read_bytes(data, name)
        if next(files, None) is not None:
            self.unread += f"Only the first {MOST_FILES:,} files were read.\n"

    def _bytes(self, file: Path, path: str) -> bytes:
        """Return the content of a file, by its resolved path; ``path`` is for messages."""
        folder = next(each for each in self.folders if file.is_relative_to(each))
        try:
            with open_below(folder, file.relative_to(folder).parts) as stream:
                data = stream.read(MOST_BYTES + 1)
        except OSError as error:  # such as a link or a folder in its place by now
            raise ToolError(f"{visible(path)}: cannot be read: {error.strerror}") from None
        if len(data) > MOST_BYTES:
            raise ToolError(f"{visible(path)}: has more than {MOST_BYTES:,} bytes")
        return data

    def tables(self, path: str) -> Path:
        """Return the resolved path of a folder of tables, which contains no link."""
        place = self._allowed(path)
        if not (place / TERMS_FILE).is_file():
            raise ToolError(f"{visible(path)}: expected a folder of tables made by handread score")
        for below in place.rglob("*"):
            if below.is_symlink() or not (below.is_file() or below.is_dir()):
                raise ToolError(f"{visible(path)}: {visible(below.name)} is a link or a device")
        return place

    def named(self, base: str, file: str) -> str:
        """Return a file of tables made in the folder ``base`` as the tools take it."""
        whole = Path(os.path.normpath(Path(base, file)))
        first = self.folders[0]
        return str(whole.relative_to(first) if whole.is_relative_to(first) else whole)

    def _addressed(self, path: str) -> tuple[Path, str, int]:
        """Return the resolved path of a path or address ``FILE:LINE``, its file, its line or 0."""
        address = ADDRESS.fullmatch(path)
        try:
            return self._allowed(path), path, 0
        except ToolError:  # unless a file has the whole address as its name
            if address is None:
                raise
            return self._allowed(address[1]), address[1], int(address[2])

    def _allowed(self, path: str) -> Path:
        """Return the resolved path of a file or folder that may be read."""
        if not self.folders:
            raise ToolError("no folder was given to handread mcp: files cannot be read, only text")
        for folder in self.folders:
            try:
                place = (folder / path).resolve(strict=True)
            except (OSError, ValueError, RuntimeError):  # missing, a zero byte, a loop of links
                continue
            inside = any(map(place.is_relative_to, self.folders))
            if inside and (place.is_file() or place.is_dir()):
                return place
        named = ", ".join(folder.name for folder in self.folders)
        expected = "expected a file, a folder or FILE:LINE"
        raise ToolError(f"{visible(path[:200])}: there is no such file below {named}; {expected}")
