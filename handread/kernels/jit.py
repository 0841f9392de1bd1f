"""How kernels are compiled, and where what takes long to make is kept between runs.

Compiled kernels, and tables that take long to build, are kept in the user's cache folder; where
there is none that can be written (no home, a locked-down container) in a private folder under the
system's temporary folder; and where even that fails, or there is no space, they are made anew in
every process. They are never kept beside the package: an uninstall would leave them there. The
variable NUMBA_CACHE_DIR, when set, decides.

The cache that numba brings is not used. It loads what it finds, so that a file cut short by a
power cut stops every later run, and a flipped bit may crash it. It also sets up all that numba can
compile before it loads anything, which takes longer than the rest of the start. Here every file
begins with a digest of what follows, and one that does not fit is dropped and made anew. The name
of a file holds a digest of all that what is in it depends on.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import stat
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache, cached_property, update_wrapper
from pathlib import Path
from typing import Any, TypeVar, cast

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T")

_DIGEST = hashlib.sha256
_DIGEST_SIZE = 32

failures: list[OSError] = []
"""Why something could not be kept, if it could not."""


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
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    if chosen:
        return Path(chosen)
    return next(filter(_is_private, _candidates()), None)


@cache
def _sources(file: str) -> str | None:
    """A digest of a source file and of all kernels, which call each other; ``None`` without it."""
    digest = _DIGEST()
    try:
        for path in (Path(file), *sorted(Path(__file__).parent.glob("*.py"))):
            digest.update(path.read_bytes())
    except OSError:
        return None
    return digest.hexdigest()


def _place(name: str, source: str, *depends_on: object) -> Path | None:
    """The file of what depends on this source file and on more; ``None`` if it cannot be kept."""
    folder, code = kernel_folder(), _sources(source)
    if folder is None or code is None:
        return None
    key = _DIGEST(repr((sys.implementation.cache_tag, sys.byteorder, code, *depends_on)).encode())
    return folder / f"{name}-{key.hexdigest()[:24]}.kept"


def _load(path: Path | None) -> Any:
    """What is kept in a file; ``None`` if there is none, or it is not as it was written."""
    if path is None:
        return None
    try:
        data = path.read_bytes()
    except OSError:
        return None
    content = memoryview(data)[_DIGEST_SIZE:]
    if _DIGEST(content).digest() == data[:_DIGEST_SIZE]:
        return pickle.loads(content)
    with suppress(OSError):
        path.unlink()
    return None


def _keep(path: Path | None, content: bytes) -> None:
    """Write a file whole, or not at all: without space there is no more than a slow start."""
    if path is None:
        return
    draft = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, draft = tempfile.mkstemp(dir=path.parent, prefix=f"{path.stem}.")
        with os.fdopen(handle, "wb") as file:
            file.write(_DIGEST(content).digest())
            file.write(content)
        Path(draft).replace(path)
    except OSError as error:
        failures.append(error)
        if draft is not None:
            with suppress(OSError):
                Path(draft).unlink()


def kept(name: str, build: Callable[[], T]) -> T:
    """Return what ``build`` makes, from the cache folder if an earlier run has kept it there.

    It must depend on nothing but the kernels and the module of ``build``.
    """
    path = _place(name, build.__code__.co_filename)
    found = _load(path)
    if found is None:
        found = build()
        _keep(path, pickle.dumps(found, protocol=5))
    return cast(T, found)


class _Cache:
    """Machine code of one kernel, in the form in which numba asks for it."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._name = function.__name__
        self._source = function.__code__.co_filename

    def load_overload(self, signature: Any, target: Any) -> Any:
        """Return the machine code for a signature, ``None`` where it must be compiled."""
        from numba.core.compiler import CompileResult
        from numba.core.runtime.nrt import rtsys

        rtsys.initialize(target)  # memory of arrays; nothing else is needed to load
        parts = _load(self._path(signature, target))
        rebuild: Callable[..., Any] = CompileResult._rebuild
        return None if parts is None else rebuild(target, *parts)

    def save_overload(self, signature: Any, compiled: Any) -> None:
        """Keep what was compiled for a signature."""
        from numba.core import serialize

        dumps: Callable[[Any], bytes] = serialize.dumps
        _keep(self._path(signature, compiled.target_context), dumps(compiled._reduce()))

    def _path(self, signature: Any, target: Any) -> Path | None:
        import numba

        machine = target.codegen().magic_tuple()
        return _place(self._name, self._source, numba.__version__, machine, str(signature))


class Kernel:
    """A function that is compiled when it is first called, in Python or by another kernel.

    Numba takes a third of a second to import, which no command should wait for that needs no
    kernel.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        update_wrapper(self, function)
        self._function = function

    def __call__(self, *args: Any) -> Any:
        """Call the compiled function."""
        return self._compiled(*args)

    @cached_property
    def _compiled(self) -> Any:
        import numba

        compiled: Any = numba.njit(error_model="numpy")(self._function)
        compiled._cache = _Cache(self._function)
        return compiled

    @property
    def _numba_type_(self) -> Any:
        """The type by which numba knows the function in another kernel."""
        return self._compiled._numba_type_


def kernel(function: F) -> F:
    """The compiled form of a function, kept on disk wherever that is possible."""
    return cast(F, Kernel(function))
