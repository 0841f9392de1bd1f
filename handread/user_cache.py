"""The user's cache: a private folder for files that the program can make again.

It is in the user's cache folder, or, if that cannot be written (no home, a locked-down container),
under the system's temporary folder. It is never next to the package, where an uninstall would leave
it behind.

A file here may be deleted at any time, and may be damaged: a file truncated by a power failure must
not stop every later run. Files begin with a digest of their content. A damaged file, or one that
another user wrote, is deleted.
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
    """Return True if only this user can write to a folder, which is made if possible.

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


def load(path: Path | None) -> Any:
    """Return the value of a pickle file; None if the file is missing or damaged."""
    if path is None or not path.is_file():
        return None
    try:
        if not hasattr(os, "getuid") or path.stat().st_uid == os.getuid():
            return pickle.loads(unsealed(path.read_bytes()))
    except Exception:  # whatever is wrong costs only time
        pass
    with suppress(OSError):
        path.unlink()
    return None


def keep(path: Path, content: bytes) -> None:
    """Write a file that only this user can read, whole or not at all; or raise ``OSError``."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, draft = tempfile.mkstemp(dir=path.parent, prefix=f"{path.stem}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(sealed(content))
        Path(draft).replace(path)
    finally:
        Path(draft).unlink(missing_ok=True)


def make_private(path: Path) -> None:
    """Let only this user read and write a file, made if missing; or raise ``OSError``."""
    if not path.exists():
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600))
    elif path.is_file() and path.stat().st_mode & 0o077:
        with suppress(OSError):
            path.chmod(0o600)


@cache
def program_digest() -> str:
    """Return a digest that changes with every change of the program."""
    files = sorted(Path(__file__).parent.rglob("*"))
    if getattr(sys, "frozen", False):  # a program in one file, which is unpacked at each start
        files = [Path(sys.executable)]
    sources = [file for file in files if file.suffix != ".pyc" and file.is_file()]
    status = [(str(file), file.stat().st_mtime_ns, file.stat().st_size) for file in sources]
    said = repr((__version__, status)).encode("utf-8", "surrogatepass")
    return hashlib.blake2b(said, digest_size=8).hexdigest()
