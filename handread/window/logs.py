"""The logs of a window: those that are kept, and the folders that are watched.

The user removes logs and adds folders on a page. A file beside the marks keeps the folders for the
next start of a window without arguments.
"""

import json
import threading
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from handread.report.words import visible
from handread.whole_files import write_text_whole
from handread.window.library import KeptLog
from handread.window.reading import Workshop
from handread.window.watching import Watch, unreadable

ROOM_FOLDERS = (
    "AppData/Local/PokerStars*/HandHistory",
    "Library/Application Support/PokerStars*/HandHistory",
    ".wine/drive_c/users/*/AppData/Local/PokerStars*/HandHistory",
    "AppData/Local/FullTiltPoker*/HandHistory",
    "Documents/Winamax Poker/accounts/*/history",
    "Library/Application Support/winamax/documents/accounts/*/history",
    "Documents/* Poker/Hand History",
    "AppData/Local/*Poker*/data/*/History/Data",
    "AppData/Roaming/PartyPoker/HandHistory",
    "Poker/HandHistory",
)
"""Folders of rooms for hand histories, below the home of the user."""

LONGEST_LIST = 100_000
"""The most bytes of the file of the folders."""


class LogsError(Exception):
    """A folder cannot be watched; the text says why."""


class LogLine(NamedTuple):
    """A log for the page."""

    log: KeptLog
    name: str
    folder: str  # the watched folder that it is in; empty for others
    size: int  # in bytes; 0 if it is gone
    is_kept: bool  # whether it was added on the page, so that it can be removed


class Logs:
    """The logs of a workshop."""

    def __init__(self, workshop: Workshop, kept: Path | None) -> None:
        """Keep the folders in a file; with None they are not kept, and none is watched at first."""
        self._workshop, self._kept = workshop, kept
        self._lock = threading.RLock()
        self._folders: dict[Path, threading.Event] = {}

    def begin(self) -> None:
        """Watch the folders of the last start; missing ones wait until they are back."""
        for folder in self._remembered():
            with suppress(LogsError):
                self._watch(folder)

    def lines(self) -> Iterator[LogLine]:
        """Yield the logs, in the order of adding."""
        for log in self._workshop.library.logs():
            path, size = log.source.path, 0
            folder = next((str(each) for each in self._folders if each in path.parents), "")
            is_kept = path.parent == self._workshop.added
            name = visible(path.name if folder or is_kept else log.source.name)
            with suppress(OSError):
                size = path.stat().st_size
            yield LogLine(log, name, visible(folder), size, is_kept)

    def folders(self) -> dict[str, str]:
        """Return the watched folders, each with the reason why it cannot be read now, or ""."""
        with self._lock:
            places = sorted({*self._folders, *self._remembered()})
        return {str(at): unreadable(at) if at.is_dir() else "it is not there now" for at in places}

    def offered(self) -> list[str]:
        """Return folders of rooms on this machine that are not watched."""
        watched, home = set(self.folders()), Path.home()
        places = {str(path) for each in ROOM_FOLDERS for path in home.glob(each) if path.is_dir()}
        return sorted(places - watched)

    def watch(self, text: str) -> None:
        """Watch a folder from now on, and remember it; raise ``LogsError`` if it cannot be."""
        with suppress(RuntimeError):  # "~somebody"
            text = str(Path(text.strip()).expanduser())
        folder = Path(text)
        if not text or not folder.is_absolute():
            raise LogsError("give the whole path of a folder")
        with self._lock:
            self._watch(folder)
            self._remember([*self._remembered(), folder.resolve()])

    def _watch(self, folder: Path) -> None:
        place = folder.resolve()
        if not place.is_dir():
            raise LogsError(f"{folder}: there is no such folder")
        if place in (Path.home(), Path(place.anchor)):
            raise LogsError(f"{folder}: give the folder of the hand histories alone")
        with self._lock:
            if place in self._folders:
                return
            stop = self._folders[place] = threading.Event()
        threading.Thread(target=self._follow, args=(place, stop), daemon=True).start()

    def _follow(self, folder: Path, stop: threading.Event) -> None:
        def take(path: Path, name: str) -> None:
            if not stop.is_set() and not self._workshop.ended.is_set():
                self._workshop.add_file(path, name)

        Watch([str(folder)]).begin(take, stop)

    def leave(self, text: str) -> None:
        """Stop watching a folder, and show none of its logs."""
        with self._lock:
            place = Path(text)
            stop = self._folders.pop(place, None)
            if stop is not None:
                stop.set()
            self._remember(log for log in self._remembered() if log != place)
        for log in self._workshop.library.logs():
            if place in log.source.path.parents:
                self._workshop.remove(log.number)

    def remove(self, number: int) -> None:
        """Delete a log that was added on the page; others belong to the user, and stay."""
        for log in self._workshop.library.logs():
            if log.number == number and log.source.path.parent == self._workshop.added:
                self._workshop.remove(number)
                log.source.path.unlink(missing_ok=True)

    def _remembered(self) -> list[Path]:
        try:
            text = "[]" if self._kept is None else self._kept.read_text("utf-8")[:LONGEST_LIST]
            listed = json.loads(text)
        except (OSError, ValueError, RecursionError):
            return []
        each = listed if isinstance(listed, list) else []
        return [Path(path) for path in each if isinstance(path, str) and Path(path).is_absolute()]

    def _remember(self, folders: Iterable[Path]) -> None:
        if self._kept is not None:
            listed = list(dict.fromkeys(map(str, folders)))
            try:
                self._kept.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                write_text_whole(self._kept, json.dumps(listed, indent=1) + "\n")
            except OSError as error:
                raise LogsError(f"{self._kept} cannot be written: {error.strerror}") from None
