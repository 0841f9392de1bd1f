"""Compilation of kernels, and a cache on disk for machine code and large tables.

The cache is the user's, unless the variable NUMBA_CACHE_DIR names another folder that only this
user can write. Without one, or without space, every process compiles anew. The name of a file has a
digest of everything that its content depends on.

Numba's own cache is not used. It trusts its files: one truncated by a power failure stops every
later run, and a flipped bit may crash it. It also initialises all of numba's compiler before it
loads anything, which takes longer than the rest of the start.
"""

from __future__ import annotations

import hashlib
import multiprocessing
import os
import pickle
import sys
from collections.abc import Callable
from functools import cache, cached_property, update_wrapper
from pathlib import Path
from typing import Any, TypeVar, cast

from handread.kernels import loading
from handread.user_cache import cache_folder, is_private, keep, load

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T")

_DIGEST = hashlib.sha256


@cache
def kernel_folder() -> Path | None:
    """Return the folder of the kernels' machine code, or None."""
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    if not chosen or is_private(Path(chosen).resolve()):
        return Path(chosen) if chosen else cache_folder()
    if multiprocessing.parent_process() is None:  # the others would repeat it
        words = "it must be a folder of yours to which only you can write"
        print(f"handread: NUMBA_CACHE_DIR={chosen!r} is not used: {words}", file=sys.stderr)
    return cache_folder()


@cache
def _sources(file: str) -> str | None:
    """Return a digest of a source file and of all kernels that it may call.

    These are the modules of this package, and beside the file those called ``NAME_kernel.py``.
    """
    digest, own = _DIGEST(), Path(file)
    beside = own.parent.glob("*_kernel.py")
    try:
        for path in (own, *sorted(beside), *sorted(Path(__file__).parent.glob("*.py"))):
            digest.update(path.read_bytes())
    except OSError:
        return None
    return digest.hexdigest()


def _place(name: str, source: str, *depends_on: object) -> Path | None:
    """Return the cache file of something, given all it depends on; None without a cache."""
    folder, code = kernel_folder(), _sources(source)
    if folder is None or code is None:
        return None
    key = _DIGEST(repr((sys.implementation.cache_tag, sys.byteorder, code, *depends_on)).encode())
    return folder / f"{name}-{key.hexdigest()[:24]}.kept"


def _keep(path: Path | None, content: bytes) -> None:
    """Write a file if there is a cache; errors cost only time."""
    try:
        if path is not None:
            keep(path, content)
    except OSError as error:
        _say(f"compiled kernels cannot be kept in {kernel_folder()}: {error.strerror}")


@cache
def _say(message: str) -> None:
    """Print a message on stderr once, and not in all processes of a run."""
    if multiprocessing.current_process().name.rpartition("-")[2] in ("MainProcess", "1"):
        print(message, file=sys.stderr, flush=True)


def kept(name: str, build: Callable[[], T]) -> T:
    """Return the result of ``build``, from the cache if possible.

    It must depend only on the kernels and on the module of ``build``.
    """
    path = _place(name, build.__code__.co_filename)
    found: T | None = load(path)
    if found is None:
        found = build()
        _keep(path, pickle.dumps(found, protocol=5))
    return found


class _Cache:
    """The machine code of one kernel, with the interface of numba's caches."""

    def __init__(self, function: Callable[..., Any], shipped: bool) -> None:
        self._function = function
        self._shipped = shipped

    def load_overload(self, signature: Any, target: Any) -> Any:
        """Return the machine code for a signature; None if it must be compiled."""
        from numba.core.compiler import CompileResult
        from numba.core.runtime.nrt import rtsys

        rtsys.initialize(target)  # memory of arrays: all that loading needs
        parts = load(self._path(signature, target))
        if parts is None:
            if self._shipped:  # kernels of fits and papers must be compiled
                folder = kernel_folder()
                when = f"once; kept in {folder}" if folder else "in each run; no folder keeps them"
                _say(f"compiling the kernels (takes up to half a minute, {when}) ...")
            return None
        rebuild: Callable[..., Any] = CompileResult._rebuild
        return rebuild(target, *parts)

    def save_overload(self, signature: Any, made: Any) -> None:
        """Write the machine code for a signature."""
        from numba.core import serialize

        dumps: Callable[[Any], bytes] = serialize.dumps
        parts = made._reduce()
        for environment in parts[-1]:  # of the kernels below, as ``_rebuild`` does
            made.codegen.set_env(environment.env_name, environment)
        _keep(self._path(signature, made.target_context), dumps(parts))

    def _path(self, signature: Any, target: Any) -> Path | None:
        import numba

        machine = target.codegen().magic_tuple()
        source = self._function.__code__.co_filename
        return _place(self._function.__name__, source, numba.__version__, machine, str(signature))


class Kernel:
    """A function that is compiled when Python or another kernel first calls it.

    The import of numba takes a third of a second; commands without kernels must not wait for it.
    """

    def __init__(
        self,
        function: Callable[..., Any],
        inline: str = "never",
        allocates: bool = False,
        form: str = "",
    ) -> None:
        update_wrapper(self, function)
        self._function = function
        # By these two numba knows what to write into the kernels that call it.
        self.py_func = function
        self.targetoptions = {"inline": inline}
        self.allocates = allocates
        self.form = form

    def __call__(self, *args: Any) -> Any:
        """Call the machine code that comes with the package, else the compiled function."""
        if self._shipped is not None and self._shipped(args):
            return None
        return self._dispatchers[0](*loading.plain(args))

    @cached_property
    def _shipped(self) -> Callable[[tuple[Any, ...]], bool] | None:
        return loading.loaded(self._function.__name__, self.form) if self.form else None

    @cached_property
    def _dispatchers(self) -> tuple[Any, Any]:
        from handread.kernels.linking import dispatchers

        whole, part = dispatchers(self._function, self.allocates)
        whole._cache = _Cache(self._function, bool(self.form))
        return whole, part

    @property
    def _numba_type_(self) -> Any:
        """The type by which numba knows the function in another kernel."""
        return self._dispatchers[1]._numba_type_


def kernel(function: F) -> F:
    """Compile a function when it is first called; cache the machine code on disk.

    It makes no arrays. To know when an array can be freed, numba counts the references to it; that
    would double the time of compiling and of rollouts.
    """
    return cast(F, Kernel(function))


def shipped(form: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Return a decorator for a kernel whose machine code comes with the package.

    It fills arrays and returns nothing. ``form`` describes its arguments: f8.2 for an array of two
    axes, with NumPy's name of its type, int, float, bool, rng, or a tuple of these in brackets,
    behind its name if it has one.
    """
    return lambda function: Kernel(function, form=form)


def allocating(function: F) -> F:
    """Compile a function that makes arrays, else as ``kernel``, which would not free them."""
    return cast(F, Kernel(function, allocates=True))


def inlined(function: F) -> F:
    """Compile a function into each kernel that calls it.

    A call costs ten nanoseconds if arrays are among the arguments: too much for a single holding.
    """
    return cast(F, Kernel(function, inline="always"))
