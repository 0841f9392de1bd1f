"""Where the tools of assistants take hands from: texts, and files below given folders."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from handread.formats.log_reader import read_bytes, read_text
from handread.game.replay import replay
from handread.game.steps import Replay
from handread.history import History, Problem
from handread.report.words import visible
from handread.sessions.opening import open_below

MOST_BYTES = 50_000_000
"""The largest file that is read."""

MOST_FILES = 1_000
"""The most files of a folder that are read."""


class ToolError(ValueError):
    """Why a tool has no result, in words for an assistant."""


class Sources:
    """Hands of texts and of files; no file outside the folders is opened.

    Attributes:
        folders: The real folders whose files may be read, with all below them.
        unread: What was not read of the last path, a line each.
    """

    def __init__(self, folders: Iterable[Path]) -> None:
        """``folders`` are as users name them."""
        self.folders = [folder.resolve() for folder in folders]
        self.unread = ""

    def replays(self, text: str, path: str) -> Iterator[Replay]:
        """Yield the hands of a text, a file or a folder, replayed; leave out what is no hand.

        Raises:
            ToolError: Not one of both is given, the file may not be read, or there is no hand.
        """
        if bool(text) == bool(path):
            raise ToolError("give either text, the text of hands, or path, a file or a folder")
        self.unread = ""
        readings = read_text(text, "-") if text else self._read(path)
        problem: Problem | None = None
        found = False
        for one in readings:
            if isinstance(one, History):
                found = True
                yield replay(one)
            elif problem is None:
                problem = one
        if not found:
            said = f"there is no hand: {visible(str(problem))}" if problem else "no hand"
            raise ToolError(f"{said}\n{self.unread}".strip())

    def _read(self, path: str) -> Iterator[History | Problem]:
        place = self._allowed(path)
        many = place.is_dir()
        below = sorted(place.rglob("*")) if many else [place]
        # A link below a folder may lead out of it.
        kept = (one for one in below if not os.access(one.parent, os.X_OK) or one.is_file())
        files = (at for at in map(Path.resolve, kept) if any(map(at.is_relative_to, self.folders)))
        for inside in islice(files, MOST_FILES):
            name = f"{path}/{inside.name}" if many else path
            try:
                data = self._bytes(inside, name)
            except ToolError as error:
                if not many:
                    raise
                self.unread += f"{error}\n"
                continue
            yield from read_bytes(data, path)
        if next(files, None) is not None:
            self.unread += f"Only the first {MOST_FILES:,} files were read.\n"

    def _bytes(self, file: Path, path: str) -> bytes:
        """Return what is in a file that was found at a path, by its real place."""
        folder = next(one for one in self.folders if file.is_relative_to(one))
        try:
            with open_below(folder, file.relative_to(folder).parts) as stream:
                data = stream.read(MOST_BYTES + 1)
        except OSError as error:  # such as a link or a folder in its place by now
            raise ToolError(f"{visible(path)}: cannot be read: {error.strerror}") from None
        if len(data) > MOST_BYTES:
            raise ToolError(f"{visible(path)}: has more than {MOST_BYTES:,} bytes")
        return data

    def _allowed(self, path: str) -> Path:
        """Return the real place of a file or folder that may be read."""
        if not self.folders:
            raise ToolError("no folder was given to handread mcp: files cannot be read, only text")
        for folder in self.folders:
            try:
                place = (folder / path).resolve(strict=True)
            except (OSError, ValueError, RuntimeError):  # none there, a zero byte, a loop of links
                continue
            if place.is_relative_to(folder) and (place.is_file() or place.is_dir()):
                return place
        named = ", ".join(folder.name for folder in self.folders)
        raise ToolError(f"{visible(path[:200])}: there is no such file below {named}")
