"""Imports that wait until a module is used, so that the program starts fast."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.abc import Loader
from importlib.machinery import ModuleSpec, PathFinder
from threading import RLock
from types import ModuleType
from typing import Any

from handread.extras import missing

_LOCK = RLock()


class _Waiting(ModuleType):
    """A module that runs on first use; ``importlib.util.LazyLoader`` runs it on a second import."""

    def __getattr__(self, name: str) -> Any:
        with _LOCK:
            if type(self) is _Waiting:
                spec = self.__spec__
                assert spec is not None
                assert isinstance(spec.loader, _LazyLoader)
                lazy, self.__loader__ = spec.loader, spec.loader.wrapped
                spec.loader = lazy.wrapped
                object.__setattr__(self, "__class__", ModuleType)
                try:
                    lazy.wrapped.exec_module(self)
                except BaseException as error:  # an interrupt, too: the next use starts afresh
                    spec.loader = lazy
                    object.__setattr__(self, "__class__", _Waiting)
                    if isinstance(error, ModuleNotFoundError):
                        error.msg = missing(error) or error.msg
                    raise
        return getattr(self, name)


class _LazyLoader(Loader):
    """Makes a module without running it, which is left to the ``wrapped`` loader."""

    def __init__(self, wrapped: Loader) -> None:
        self.wrapped = wrapped

    def exec_module(self, module: ModuleType) -> None:
        module.__class__ = _Waiting

    def __getattr__(self, name: str) -> Any:
        return getattr(self.wrapped, name)  # for importlib.resources and the like


class _LazyFinder:
    """Finds the modules of handread, to be run when they are used."""

    @staticmethod
    def find_spec(
        name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the specification of a module of handread; None leaves others to Python."""
        if not name.startswith("handread."):
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec is not None and spec.loader is not None:
            spec.loader = _LazyLoader(spec.loader)
        return spec


@contextmanager
def lazily() -> Iterator[None]:
    """Let modules of handread that are imported in the body of the ``with`` wait until used.

    Import them as ``import handread.sessions.files as sessions``: ``from`` would use them at once.
    """
    finder = _LazyFinder()
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
