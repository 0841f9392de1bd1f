"""Where compiled kernels are kept, and what becomes of damaged ones."""

from __future__ import annotations

import builtins
import errno
import hashlib
import importlib
import os
import resource
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest

import handread.sessions.files
from handread import user_cache
from handread.kernels import jit
from handread.odds.hand_types import class_tables
from tests.damages import DAMAGES
from tests.program import ROOT


@pytest.fixture
def places(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """A machine whose home and temporary folder lie in an empty folder."""
    for variable in ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "home")
    monkeypatch.setattr(user_cache.tempfile, "gettempdir", lambda: str(tmp_path / "tmp"))
    jit.kernel_folder.cache_clear()
    jit._say.cache_clear()
    yield tmp_path
    jit.kernel_folder.cache_clear()


def double(x: int) -> int:
    return x + x


def loaded(compiled: Callable[[int], int]) -> bool:
    """Whether a kernel, called for the first time, is loaded and not compiled."""
    assert compiled(21) == 42
    assert isinstance(compiled, jit.Kernel)
    return sum(compiled._dispatchers[0]._cache_hits.values()) == 1


def entries(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def is_sound(data: bytes) -> bool:
    return len(data) > 32 and hashlib.sha256(data[32:]).digest() == data[:32]


def test_the_cache_of_the_user_serves(places: Path) -> None:
    assert not loaded(jit.kernel(double))
    assert loaded(jit.kernel(double))
    folder = places / "home" / ".cache" / "handread"
    assert folder.stat().st_mode & 0o777 == 0o700
    (entry,) = entries(places)
    assert entry.parent == folder
    assert entry.stat().st_mode & 0o077 == 0


def test_without_a_home_a_private_temporary_folder_serves(places: Path) -> None:
    (places / "home").write_text("not a folder")
    assert jit.kernel(double)(21) == 42
    (folder,) = (places / "tmp").iterdir()
    assert folder.stat().st_mode & 0o777 == 0o700
    assert len(entries(folder)) == 1


def test_a_relative_cache_folder_is_ignored(places: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(places)
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert next(user_cache._candidates()) == places / "home" / ".cache" / "handread"
    monkeypatch.setenv("XDG_CACHE_HOME", str(places / "absolute"))
    assert next(user_cache._candidates()) == places / "absolute" / "handread"


def test_a_folder_that_others_can_write_is_not_trusted(places: Path) -> None:
    for folder in user_cache._candidates():
        folder.mkdir(parents=True)
        folder.chmod(0o777)
    assert jit.kernel_folder() is None
    assert jit.kernel(double)(21) == 42
    assert entries(places) == []


def test_a_named_folder_that_others_can_write_is_not_trusted(
    places: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Machine code that another user put there would run here."""
    named, own = places / "named", places / "home" / ".cache" / "handread"
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(named))
    assert jit.kernel_folder() == named
    assert capsys.readouterr().err == ""
    assert jit.kernel(double)(21) == 42
    (planted,) = entries(named)
    named.chmod(0o777)
    jit.kernel_folder.cache_clear()
    assert jit.kernel_folder() == jit.kernel_folder() == own
    (told,) = capsys.readouterr().err.splitlines()
    assert told.startswith(f"handread: NUMBA_CACHE_DIR={str(named)!r} is not used: it must be a")
    assert not loaded(jit.kernel(double))
    assert [one.name for one in entries(own)] == [planted.name]


def test_nothing_is_kept_beside_the_package() -> None:
    package = Path(handread.__file__).parent
    assert not [path for kind in ("nbi", "kept") for path in package.rglob(f"*.{kind}")]


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_kernel_is_compiled_anew(places: Path, damage: Callable[[bytes], bytes]) -> None:
    jit.kernel(double)(21)
    (entry,) = entries(places)
    entry.write_bytes(damage(entry.read_bytes()))
    assert not loaded(jit.kernel(double))
    assert entries(places) == [entry]
    assert is_sound(entry.read_bytes())
    assert loaded(jit.kernel(double))


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_table_is_built_anew(places: Path, damage: Callable[[bytes], bytes]) -> None:
    built = []

    def build() -> list[int]:
        built.append(len(built))
        return [2, 3, 5]

    for _ in range(2):
        assert jit.kept("primes", build) == [2, 3, 5]
    assert built == [0]
    (entry,) = entries(places)
    entry.write_bytes(damage(entry.read_bytes()))
    for _ in range(2):
        assert jit.kept("primes", build) == [2, 3, 5]
    assert built == [0, 1]


@pytest.mark.parametrize("error", [errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES])
def test_without_space_a_kernel_is_used_but_not_kept(
    places: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], error: int
) -> None:
    def refuse(**_: object) -> None:
        raise OSError(error, "no")

    monkeypatch.setattr(user_cache.tempfile, "mkstemp", refuse)
    assert jit.kernel(double)(21) == 42
    assert jit.kernel(double)(21) == 42
    (told,) = capsys.readouterr().err.splitlines()
    assert told.endswith(": no")
    assert entries(places) == []


def test_nothing_is_left_of_a_file_that_could_not_be_written(
    places: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, hard))
    try:
        assert jit.kernel(double)(21) == 42
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert os.strerror(errno.EFBIG) in capsys.readouterr().err
    assert entries(places) == []


def test_shipped_tables_can_be_written_to() -> None:
    """Numba compiles anew for arrays that differ in that."""
    tables = class_tables()
    arrays = [tables.by_ranks, tables.by_flush, tables.keys]
    assert all(array.flags.c_contiguous and array.flags.writeable for array in arrays)
    assert {numba.typeof(array).aligned for array in arrays} == {True}


def whole_numbers(x: int) -> int:
    if x < 0:
        raise ValueError("negative")
    print("at", x)
    return x


below = jit.kernel(whole_numbers)


def doubled(x: int) -> int:
    return 2 * below(x)


def test_a_kernel_below_another_may_raise_and_print(
    places: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for _ in range(2):  # compiled, then loaded
        compiled = jit.kernel(doubled)
        assert compiled(21) == 42
        with pytest.raises(ValueError, match="negative"):
            compiled(-1)
        assert capsys.readouterr().out == "at 21\n"


def makers(function: Callable[..., Any]) -> set[str]:
    """The names in a kernel of functions of NumPy that may make arrays."""
    names = set(function.__code__.co_names) - set(dir(builtins)) - {"place", "shape", "size"}
    found = {name for name in names if callable(getattr(np, name, None))}
    return {name for name in found if not isinstance(getattr(np, name), type | np.ufunc)}


def test_kernels_that_make_arrays_say_so() -> None:
    """Without a count of references the arrays of others would never be freed."""
    modules = [
        ".".join(path.relative_to(ROOT).with_suffix("").parts)
        for folder, pattern in (("kernels", "*.py"), ("papers", "**/*_kernel.py"))
        for path in (ROOT / "handread" / folder).glob(pattern)
    ]
    kernels = [
        found
        for module in modules
        for found in vars(importlib.import_module(module)).values()
        if isinstance(found, jit.Kernel)
    ]
    assert len(kernels) > 100
    makes = {kernel.__name__ for kernel in kernels if makers(kernel.py_func)}
    assert makes == {kernel.__name__ for kernel in kernels if kernel.allocates}
