"""How kernels are compiled, and where the machine code is kept between runs.

Compiled kernels are kept in the user's cache folder; where there is none that can be written (no
home, a locked-down container) in a private folder under the system's temporary folder; and where
even that fails they are compiled anew in every process. They are never kept beside the package: an
uninstall would leave them there. The variable NUMBA_CACHE_DIR, when set, decides.
"""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import numba

F = TypeVar("F", bound=Callable[..., Any])


def _candidates() -> Iterator[Path]:
    """Folders that may serve, the best first."""
    for variable in ("XDG_CACHE_HOME", "LOCALAPPDATA"):
        # The rule for XDG_CACHE_HOME is that a relative path is ignored.
        if (place := Path(os.environ.get(variable, ""))).is_absolute():
            yield place / "handread"
    with suppress(RuntimeError):  # this user has no home
        yield Path.home() / ".cache" / "handread"
    user = os.getuid() if hasattr(os, "getuid") else os.environ.get("USERNAME", "user")
    yield Path(tempfile.gettempdir()) / f"handread-{user}"


def _is_private(folder: Path) -> bool:
    """Whether a folder is there, this user's own, and can be written by nobody else.

    Kept kernels are loaded as code, so a folder that somebody else could write is no use.
    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        info = folder.lstat()
    except OSError:
        return False
    if not stat.S_ISDIR(info.st_mode) or not os.access(folder, os.W_OK):
        return False
    return not hasattr(os, "getuid") or (info.st_uid == os.getuid() and not info.st_mode & 0o022)


@cache
def kernel_folder() -> Path | None:
    """The folder where compiled kernels are kept; ``None`` where there is none to be had."""
    chosen = vars(numba.config)["CACHE_DIR"]
    if chosen:
        return Path(chosen)
    return next(filter(_is_private, _candidates()), None)


def kernel(function: F) -> F:
    """The compiled form of a function, kept on disk wherever that is possible."""
    folder = kernel_folder()
    settings = vars(numba.config)
    before = settings["CACHE_DIR"]
    # Numba asks for the folder only while it decorates; other programs' kernels keep theirs.
    settings["CACHE_DIR"] = str(folder or "")
    try:
        return cast(F, numba.njit(cache=folder is not None, error_model="numpy")(function))
    finally:
        settings["CACHE_DIR"] = before
