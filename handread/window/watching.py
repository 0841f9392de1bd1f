"""The files and folders that were given: find the logs in them, and follow their changes."""

import os
import re
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import count
from pathlib import Path
from stat import S_ISREG
from zlib import crc32

import watchfiles

from handread.sessions.opening import files_below, is_folder
from handread.sessions.page_files import PAGE_NAME
from handread.whole_files import write_whole

TakeFile = Callable[[Path, str], None]
"""Takes a new or changed file, and its name for people."""

NOT_LOGS = re.compile(
    r".*\.(html?|css|js|svg|png|jpe?g|gif|pdf|csv|json|toml|ipynb|py|zip|gz|xz|sqlite3?|part|tmp)",
    re.IGNORECASE,
)
"""Files in a folder other than logs: pages and pictures of ``report`` among them."""

NOT_LOG_FOLDERS = re.compile(r".*\.parts|\..*")
"""Folders without logs: unfinished runs, and hidden ones."""

LONGEST_STEM, LONGEST_SUFFIX = 80, 12
"""Characters of the name of a file that is kept, before and in its ending."""

DEVICES = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(?=\.|$)", re.IGNORECASE)
"""Names that Windows gives to devices, whatever their ending."""

SETTLED_MS, LOOK_MS, ANYWAY_MS = 200, 50, 2000
"""Milliseconds: the longest wait of a change for others, the time between looks for one, and the
time without changes after which all files are looked at."""

REST_SHARE = 20.0
"""The pause after a look at all files of large folders, as a multiple of the look's duration."""

State = tuple[str, int, int, int]
"""The name of a file, and its number, size and time: a difference means a change."""


class Watch:
    """The files and folders that were given; nothing else is ever read.

    Attributes:
        faults: The faults of these, a message each.
    """

    def __init__(self, given: Iterable[str]) -> None:
        """``given`` are files and folders, as a user writes them."""
        self.faults: list[str] = []
        self._files: dict[Path, str] = {}
        self._folders: dict[Path, str] = {}
        for name in given:
            path = Path(name)
            if path.exists() and (fault := unreadable(path)):
                self.faults.append(f"{name}: {fault}")
            elif is_folder(name):
                self._folders[path.resolve()] = name
            elif path.is_file():
                self._files[path.resolve()] = name
            else:
                self.faults.append(f"{name}: there is no such file or folder")

    def files(self) -> Iterator[tuple[Path, str]]:
        """Yield the present logs, with their names for people."""
        yield from self._files.items()
        yield from self._below(self.faults)

    def _below(self, faults: list[str]) -> Iterator[tuple[Path, str]]:
        for folder, name in self._folders.items():
            for path in files_below(folder, None, faults):
                below = path.relative_to(folder)
                if _is_log(path, below.parts[:-1]):
                    yield path, str(Path(name) / below)

    def begin(self, take: TakeFile, ended: threading.Event) -> None:
        """Follow changes, and take the present logs."""
        self.follow(take, ended)
        for path, name in self.files():
            take(path, name)

    def follow(self, take: TakeFile, ended: threading.Event) -> None:
        """Start to follow changes; ``take`` is called from other threads until ``ended`` is set."""
        beside = {path.parent for path in self._files}
        for places, below in ((sorted(beside), False), (sorted(self._folders), True)):
            if places:
                given = places, below, self._states(below), take, ended
                threading.Thread(target=self._follow, args=given, daemon=True).start()

    def _follow(
        self,
        places: Sequence[Path],
        below: bool,
        before: Mapping[Path, State],
        take: TakeFile,
        ended: threading.Event,
    ) -> None:
        """Take changed files in some folders, or anywhere below them."""
        rested = 0.0
        for changed in _moments(places, below, ended):
            begun = time.monotonic()
            if not changed and begun < rested:
                continue
            # Files left out at the start stay out: the tables of a run, for one.
            now = self._states(below)
            for path in sorted(now):
                if now[path] != before.get(path):
                    take(path, now[path][0])
            before = now
            rested = time.monotonic() + REST_SHARE * (time.monotonic() - begun)

    def _states(self, below: bool) -> dict[Path, State]:
        """Return the files that can be read now; not pipes, which would block all reading."""
        states: dict[Path, State] = {}
        for path, name in self._below([]) if below else self._files.items():
            with suppress(OSError):
                status = path.stat()
                if S_ISREG(status.st_mode):
                    states[path] = (name, status.st_ino, status.st_size, status.st_mtime_ns)
        return states


def unreadable(path: Path) -> str:
    """Return why a file or folder cannot be read; empty if it can."""
    return "" if os.access(path, os.R_OK) else "you may not read it"


def _is_log(path: Path, folders: Iterable[str]) -> bool:
    if NOT_LOGS.fullmatch(path.name) or any(map(NOT_LOG_FOLDERS.fullmatch, folders)):
        return False
    # A report may have a text of each hand beside its page.
    page = path.with_suffix(".html")
    return not (PAGE_NAME.fullmatch(page.name) and path.suffix == ".txt" and page.exists())


def _moments(places: Sequence[Path], below: bool, ended: threading.Event) -> Iterator[bool]:
    """Yield True when the system reports a change in folders, and False from time to time.

    The system reports nothing of a recreated folder, nor when it cannot watch more folders, and
    ``watchfiles`` raises an error for a name that is not UTF-8.
    """
    while not ended.is_set():
        with suppress(Exception):
            for changes in watchfiles.watch(
                *places,
                watch_filter=None,
                debounce=SETTLED_MS,
                step=LOOK_MS,
                stop_event=ended,
                rust_timeout=ANYWAY_MS,
                yield_on_timeout=True,
                recursive=below,
                ignore_permission_denied=True,
                raise_interrupt=False,
            ):
                yield bool(changes)
        yield False
        ended.wait(ANYWAY_MS / 1000)


def added_logs(folder: Path, given: Sequence[str]) -> Path:
    """Return the folder of a session's added logs, below the folder of the user.

    The folder of a session without files contains the others: it shows whatever was added.
    """
    places = sorted({str(Path(log).resolve()) for log in given})
    which = repr(places).encode("utf-8", "surrogatepass")
    return folder / "logs" / (f"{crc32(which):08x}" if given else "")


def keep_log(folder: Path, name: str, data: bytes) -> Path:
    """Write a log into a folder; return the file, under its name made safe, or raise ``OSError``.

    The same log is not written twice, and a log that has grown replaces its older version.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    safe = Path(re.sub(r"[^\w .-]+", "-", name).strip("-. ") or "log")
    stem, suffix = DEVICES.sub(r"\1-", safe.stem[:LONGEST_STEM]), safe.suffix[:LONGEST_SUFFIX]
    if not suffix or NOT_LOGS.fullmatch(safe.name):
        suffix = ".txt"
    for number in count(1):
        path = folder / (f"{stem}{suffix}" if number == 1 else f"{stem} {number}{suffix}")
        if not path.exists() or data.startswith(path.read_bytes()):
            break
    write_whole(path, lambda draft: draft.write_bytes(data))
    return path
