"""Machine code that comes with the package, loaded by llvmlite without numba."""

from __future__ import annotations

import ctypes
import hashlib
import lzma
import platform
import re
import struct
import sys
import threading
from array import array
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from handread.user_cache import unsealed

FOLDER = Path(__file__).parent / "objects"

NEEDED = ("exp", "log", "memmove", "memset", "pow", "sqrt", *["bzero"] * (sys.platform == "darwin"))
"""The functions of the C library that the objects call."""


def digest() -> str:
    """Return a digest of all that the objects are made of: the modules beside this one."""
    found = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        found.update(path.read_bytes().replace(b"\r\n", b"\n"))
    return found.hexdigest()[:16]


def object_path(target: str) -> Path:
    """Return the place of the object for a target: a system and a processor."""
    return FOLDER / f"{target}-{digest()}.o.xz"


def host() -> str:
    """Return the target that is this machine."""
    processor = platform.machine().lower().replace("amd64", "x86_64").replace("aarch64", "arm64")
    return f"{sys.platform}-{processor}"


@cache
def _engine() -> Any:
    """Return what has loaded the object of this machine; None without one that is sound."""
    try:
        code = lzma.decompress(unsealed(object_path(host()).read_bytes()))
        import llvmlite.binding as llvm

        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        machine = llvm.Target.from_default_triple().create_target_machine(jit=True)
        engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
        # Where a function is missing, LLVM would end the process.
        if sys.maxsize < 2**63 - 1 or not all(map(llvm.address_of_symbol, NEEDED)):
            return None
        engine.add_object_file(llvm.ObjectFileRef.from_data(code))
        engine.finalize_object()
    except (ImportError, OSError, ValueError, lzma.LZMAError, RuntimeError):
        return None
    return engine


def loaded(name: str, form: str) -> Callable[[tuple[Any, ...]], bool] | None:
    """Return the machine code of a kernel, or None; it returns False for another form."""
    engine = _engine()
    address = 0 if engine is None else engine.get_function_address(name)
    if not address:
        return None
    # With the engine its code would go.
    kept = engine, ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)(address)
    expected = re.sub(r"\w*\(|\)", " ", form).split()

    def run(arguments: tuple[Any, ...]) -> bool:
        kinds: list[str] = []
        words = array("q")
        _unfold(arguments, kinds, words)
        if kinds != expected:
            return False
        if kept[1](words.buffer_info()[0]):
            raise RuntimeError(f"{name} failed")
        return True

    return run


_FIRST: Any = ctypes.c_char.from_buffer  # its address comes four times as fast as NumPy's


@cache
def _kind(dtype: Any, axes: int) -> str:
    return f"{dtype.str.lstrip('<|')}.{axes}"


class Fixed:
    """Arguments of many calls, such as tables and room for work, unfolded once.

    Attributes:
        value: The argument: an array, a number, or a tuple of them.
    """

    def __init__(self, value: Any) -> None:
        self.value = plain(value)
        self.kinds: list[str] = []
        self.words = array("q")
        _unfold(value, self.kinds, self.words)


class Workspace(threading.local):
    """Arrays in which kernels work, kept by key; each thread has its own."""

    def __init__(self, most: int = 1 << 30) -> None:
        """Keep the arrays of at most so many keys: those made last."""
        self._kept: dict[Any, Fixed] = {}
        self._most = most

    def of(self, key: Any, make: Callable[[], Any]) -> Fixed:
        """Return the arrays of a key, made when they are first asked for."""
        if key not in self._kept:
            if len(self._kept) >= self._most:
                del self._kept[next(iter(self._kept))]
            self._kept[key] = Fixed(make())
        return self._kept[key]


def plain(value: Any) -> Any:
    """Return arguments as they are without ``Fixed``."""
    if isinstance(value, Fixed):
        return value.value
    if isinstance(value, tuple):
        each = map(plain, value)
        return tuple(each) if type(value) is tuple else type(value)(*each)
    return value


def _unfold(value: Any, kinds: list[str], words: array[int]) -> None:
    """Add the kinds of a value, and what numba's calls take for it, one word each."""
    if isinstance(value, np.ndarray):
        # Numba compiles anew for arrays with gaps, and for those that cannot be written to.
        fits = value.flags.carray
        kinds.append(_kind(value.dtype, value.ndim) if fits else "other")
        first = ctypes.addressof(_FIRST(value)) if fits and value.size else value.ctypes.data
        words.extend((0, 0, value.size, value.itemsize, first, *value.shape, *value.strides))
    elif isinstance(value, Fixed):
        kinds += value.kinds
        words += value.words
    elif isinstance(value, tuple):
        for each in value:
            _unfold(each, kinds, words)
    elif isinstance(value, bool | int | np.bool_ | np.int64):
        kinds.append("bool" if isinstance(value, bool | np.bool_) else "int")
        words.append(int(value))
    elif isinstance(value, float):
        kinds.append("float")
        words.frombytes(struct.pack("d", value))
    elif isinstance(value, np.random.Generator):
        kinds.append("rng")
        at = value.bit_generator.ctypes
        calls = at.next_uint64, at.next_uint32, at.next_double
        places = (ctypes.cast(one, ctypes.c_void_p).value or 0 for one in calls)
        words.extend((0, at.state_address, at.state.value, *places, at.bit_generator.value, 0, 0))
    else:
        kinds.append("other")
