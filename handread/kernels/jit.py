"""How kernels are compiled, and where the machine code is kept between runs.

Numba keeps compiled kernels next to the package, or in the user's cache folder when the
package is read-only. Where neither can be written (no home, a locked-down container) it would
refuse to import; then a private folder under the system's temporary folder serves, and where
even that fails the kernels are compiled anew in every process.
"""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba

F = TypeVar("F", bound=Callable[..., Any])


def _private_folder() -> Path | None:
    """A folder of this user's alone under the temporary folder; ``None`` if there is none.

    Cached kernels are loaded as code, so a folder that somebody else could write is no use.
    """
    folder = Path(tempfile.gettempdir()) / f"handread-kernels-{os.getuid()}"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        info = folder.lstat()
    except OSError:
        return None
    mine = stat.S_ISDIR(info.st_mode) and info.st_uid == os.getuid()
    return folder if mine and not info.st_mode & 0o022 and os.access(folder, os.W_OK) else None


def kernel(function: F) -> F:
    """The compiled form of a function, kept on disk wherever that is possible."""
    compile_cached = numba.njit(cache=True, error_model="numpy")
    try:
        return cast(F, compile_cached(function))
    except RuntimeError:  # numba found no folder for its cache
        pass
    folder = _private_folder() if hasattr(os, "getuid") else None
    if folder is None:
        return cast(F, numba.njit(error_model="numpy")(function))
    vars(numba.config)["CACHE_DIR"] = str(folder)  # a setting that the module does not declare
    return cast(F, compile_cached(function))
