"""The user's cache: a private folder for files that the program can make again.

It is in the user's cache folder, or, if that is not writable (no home, a locked-down container),
under the system's temporary folder. It is never next to the package, where an uninstall would leave
it behind.

A file may be deleted at any time, or damaged by a power failure, which must not stop later runs.
Files begin with a digest of their content. A damaged file, or another user's file, is deleted.
"""

import hashlib
import os
import pickle
import stat
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from handread.version import __version__

_DIGEST = hashlib.sha256


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
    """Make a folder if it is missing; return True if only this user can write to it.

    Code is loaded from the cache, so nobody else may write there.
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
    """Return content without the digest of ``sealed``; raise ``ValueError`` if it is damaged."""
    size = _DIGEST().digest_size
    content = memoryview(data)[size:]
    if _DIGEST(content).digest() != data[:size]:
        raise ValueError("damaged")
    return content


def load(path: Path | None) -> Any:
    """Return the value of a pickle file; None if the file is missing or damaged."""
    if path is None or not path.is_file():
        return None
    with suppress(Exception):  # whatever is wrong costs only time
        if not hasattr(os, "getuid") or path.stat().st_uid == os.getuid():
            return pickle.loads(unsealed(path.read_bytes()))
    with suppress(OSError):
        path.unlink()
    return None


def keep(path: Path, content: bytes) -> None:
    """Write a file that only this user can read, whole or not at all; may raise ``OSError``."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, draft = tempfile.mkstemp(dir=path.parent, prefix=f"{path.stem}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(sealed(content))
        Path(draft).replace(path)
    finally:
        Path(draft).unlink(missing_ok=True)


def make_private(path: Path) -> None:
    """Let only this user read and write a file, made if missing; may raise ``OSError``."""
    if not path.exists():
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600))
    elif path.is_file() and path.stat().st_mode & 0o077:  # as earlier versions made it
        with suppress(OSError):
            path.chmod(0o600)


@cache
def program_digest() -> str:
    """Return a digest of the program by times and sizes of its files: reading them takes long."""
    files = sorted(Path(__file__).parent.rglob("*"))
    if getattr(sys, "frozen", False):  # a program in one file, which is unpacked at each start
        files = [Path(sys.executable)]
    sources = [file for file in files if file.suffix != ".pyc" and file.is_file()]
    states = [(str(file), file.stat().st_mtime_ns, file.stat().st_size) for file in sources]
    identity = repr((__version__, states)).encode("utf-8", "surrogatepass")
    return hashlib.blake2b(identity, digest_size=8).hexdigest()
