"""The user's cache: a private folder for what the program can make again.

It is in the user's cache folder, or, if that cannot be written (no home, a locked-down container),
under the system's temporary folder. It is never next to the package, where an uninstall would leave
it behind.

A file here may be deleted at any time, and may be damaged: one truncated by a power failure must
not stop every later run. Files begin with a digest of their content. A file that is damaged, or
that another user wrote, is deleted.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import stat
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")

MOST_FILES = 10
"""The number of sessions of a kind that are kept: those that were used last."""

PAUSE_SECONDS, PAUSE_SHARE = 2.0, 20.0
"""The shortest pause between two savings, in seconds, and in times of how long one takes."""

_DIGEST = hashlib.sha256
_DIGEST_SIZE = 32


def _candidates() -> Iterator[Path]:
    """Yield the possible cache folders, the best first."""
    for variable in ("XDG_CACHE_HOME", "LOCALAPPDATA"):
        # The rule for XDG_CACHE_HOME is that a relative path is ignored.
        if (place := Path(os.environ.get(variable, ""))).is_absolute():
            yield place / "handread"
    with suppress(RuntimeError):  # this user has no home
        yield Path.home() / ".cache" / "handread"
    user = os.getuid() if hasattr(os, "getuid") else os.environ.get("USERNAME", "user")
    yield Path(tempfile.gettempdir()) / f"handread-{user}"


def is_private(folder: Path) -> bool:
    """Return True if a folder exists (or can be made) that only this user can write.

    The cache is loaded as code, so nobody else may write to it.
    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        info = folder.lstat()
    except OSError:
        return False
    if not stat.S_ISDIR(info.st_mode) or not os.access(folder, os.W_OK):
        return False
    return not hasattr(os, "getuid") or (info.st_uid == os.getuid() and not info.st_mode & 0o022)


def cache_folder() -> Path | None:
    """Return the cache folder; None if no private folder can be made."""
    return next(filter(is_private, _candidates()), None)


def sealed(content: bytes) -> bytes:
    """Return content with its digest before it."""
    return _DIGEST(content).digest() + content


def unsealed(data: bytes) -> memoryview:
    """Return the content of ``sealed``; raise ``ValueError`` if it is damaged."""
    content = memoryview(data)[_DIGEST_SIZE:]
    if _DIGEST(content).digest() != data[:_DIGEST_SIZE]:
        raise ValueError("damaged")
    return content


def load(path: Path | None, restore: Callable[[memoryview], T] = pickle.loads) -> T | None:
    """Return what ``restore`` makes of a file's content; None if it is missing or damaged."""
    if path is None or not path.is_file():
        return None
    try:
        if not hasattr(os, "getuid") or path.stat().st_uid == os.getuid():
            return restore(unsealed(path.read_bytes()))
    except Exception:  # whatever is wrong costs only time
        pass
    with suppress(OSError):
        path.unlink()
    return None


def keep(path: Path, content: bytes) -> None:
    """Write content to a file, which only this user can read, completely or not at all.

    Raises:
        OSError: It cannot be written.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, draft = tempfile.mkstemp(dir=path.parent, prefix=f"{path.stem}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(sealed(content))
        Path(draft).replace(path)
    finally:
        Path(draft).unlink(missing_ok=True)


def make_private(path: Path) -> None:
    """Let only this user read and write a file; make it if it is missing.

    Raises:
        OSError: It cannot be made.
    """
    if not path.exists():
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600))
    elif path.is_file() and path.stat().st_mode & 0o077:
        with suppress(OSError):
            path.chmod(0o600)


class Pauses:
    """Says when it is time to save again what is kept, so that saving takes little of the time."""

    def __init__(self) -> None:
        self._next = time.monotonic() + PAUSE_SECONDS

    def are_over(self) -> bool:
        """Return whether it is time to save."""
        return time.monotonic() >= self._next

    @contextmanager
    def after(self) -> Iterator[None]:
        """Begin a pause after the body of the ``with``, which saves."""
        begun = time.monotonic()
        yield
        ended = time.monotonic()
        self._next = ended + max(PAUSE_SECONDS, PAUSE_SHARE * (ended - begun))


def session_file(pattern: str, *depends_on: object) -> Path | None:
    """Return the file for what was read of logs; None without a cache.

    Files of this kind that have not been used for long, and those of other versions of the program,
    are deleted.

    Args:
        pattern: The names of such files, with one *: "window-*.sqlite".
        depends_on: The values on which it depends besides this program: equal ones give the same
            file.
    """
    folder = cache_folder()
    if folder is None:
        return None
    program = program_digest()
    digest = hashlib.blake2b(repr(depends_on).encode("utf-8", "surrogatepass"), digest_size=16)
    path = folder / pattern.replace("*", f"{program}-{digest.hexdigest()}")
    with suppress(OSError):
        os.utime(path)
    with suppress(OSError):
        others = [one for one in folder.glob(pattern) if one != path]
        others.sort(key=lambda one: one.stat().st_mtime, reverse=True)
        for place, old in enumerate(others, 1):
            if place >= MOST_FILES or not old.match(pattern.replace("*", f"{program}-*")):
                old.unlink(missing_ok=True)
    return path


@cache
def program_digest() -> str:
    """Return a digest that changes with every change of the program."""
    files = sorted(Path(__file__).parent.rglob("*"))
    status = [
        (str(file), file.stat().st_mtime_ns)
        for file in files
        if file.suffix != ".pyc" and file.is_file()
    ]
    said = repr(status).encode("utf-8", "surrogatepass")
    return hashlib.blake2b(said, digest_size=4).hexdigest()
