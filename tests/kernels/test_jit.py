"""Where compiled kernels are kept, and what becomes of damaged ones."""

from __future__ import annotations

import builtins
import errno
import hashlib
import importlib
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest

import handread.session
from handread import user_cache
from handread.kernels import jit
from handread.odds.hand_types import class_tables
from handread.session import ReadSettings, Session
from tests.program import ROOT, whole_process

SAMPLE = str(ROOT / "sample_histories" / "showdown.stud")
TREES = "analyze", SAMPLE, "--policy", "trees"
"""A command that needs few kernels."""


@pytest.fixture
def places(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """A machine whose home and temporary folder lie in an empty folder."""
    for variable in ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "home")
    monkeypatch.setattr(user_cache.tempfile, "gettempdir", lambda: str(tmp_path / "tmp"))
    monkeypatch.setattr(jit, "failures", [])
    jit.kernel_folder.cache_clear()
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


def cut_off(data: bytes) -> bytes:
    return data[: len(data) // 2]


def flipped(data: bytes) -> bytes:
    middle = len(data) // 2
    return data[:middle] + bytes([data[middle] ^ 4]) + data[middle + 1 :]


DAMAGES: list[Callable[[bytes], bytes]] = [lambda data: b"", lambda data: b"x", cut_off, flipped]


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
    places: Path, monkeypatch: pytest.MonkeyPatch, error: int
) -> None:
    def refuse(**_: object) -> None:
        raise OSError(error, "no")

    monkeypatch.setattr(user_cache.tempfile, "mkstemp", refuse)
    assert jit.kernel(double)(21) == 42
    assert [failure.errno for failure in jit.failures] == [error]
    assert entries(places) == []


def test_nothing_is_left_of_a_file_that_could_not_be_written(places: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, hard))
    try:
        assert jit.kernel(double)(21) == 42
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert [failure.errno for failure in jit.failures] == [errno.EFBIG]
    assert entries(places) == []


LOADED = """\
import sys
from handread.cli import main
heavy = {"numba", "scipy.linalg", "numba.np.arraymath", "numba.np.npyimpl"}
try:
    main()
finally:
    print(*sorted(heavy & set(sys.modules)), file=sys.stderr)
"""


def modules_loaded(*arguments: str) -> tuple[str, str]:
    """The heavy modules of numba that a command has loaded, and its output."""
    command = [sys.executable, "-c", LOADED, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    return done.stderr.splitlines()[-1], done.stdout


@pytest.mark.dear("an analysis in processes of its own, of which one compiles kernels")
def test_a_damaged_cache_changes_nothing(tmp_path: Path) -> None:
    """A warm analysis loads no compiler; where kernels are damaged they are compiled anew."""
    folder, own_cache = jit.kernel_folder(), tmp_path / "handread"
    assert folder is not None
    found = modules_loaded(*TREES)  # which keeps all that it compiles
    loaded, expected = found if found[0] == "numba" else modules_loaded(*TREES)
    assert loaded == "numba"
    own_cache.mkdir(0o700)
    for kernel in folder.glob("*.kept"):
        shutil.copy(kernel, own_cache)
    damaged = sorted(own_cache.rglob("stud_codes-*.kept"))
    for path in damaged:  # those of other versions, too
        path.write_bytes(flipped(path.read_bytes()))
    again = whole_process(*TREES, XDG_CACHE_HOME=str(tmp_path), NUMBA_CACHE_DIR="")
    assert (again.returncode, again.stdout) == (0, expected)
    assert sum(is_sound(path.read_bytes()) for path in damaged) == 1


@pytest.mark.dear("a process of its own that imports the program and reads hands of all games")
def test_an_analysis_compiles_nothing(tmp_path: Path) -> None:
    hands = tmp_path / "hands.stud"
    for name in ("showdown", "razz", "hi-lo", "five-card"):
        sample = (ROOT / "sample_histories" / f"{name}.stud").read_text()
        with hands.open("a") as file:
            print(*sample.split("\n\n")[:2], sep="\n\n", end="\n\n", file=file)
    loaded, told = modules_loaded("analyze", str(hands))
    assert loaded == ""
    assert "five-card stud" in told


def test_shipped_tables_can_be_written_to() -> None:
    """Numba compiles anew for arrays that differ in that."""
    tables = class_tables()
    arrays = [tables.by_ranks, tables.by_flush, tables.keys]
    assert all(array.flags.c_contiguous and array.flags.writeable for array in arrays)
    assert {numba.typeof(array).aligned for array in arrays} == {True}


def test_a_kernel_is_named_while_it_is_compiled(
    places: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    named: list[set[str]] = []
    monkeypatch.setattr(jit, "_keep", lambda *_: named.append(set(jit.being_made)))
    assert jit.kernel(double)(21) == 42
    assert named == [{"double"}]
    assert not jit.being_made


def triple(x: int) -> int:
    return 3 * x


inner, within = jit.kernel(double), jit.inlined(triple)


def sextuple(x: int) -> int:
    return inner(within(x))


def test_the_kernels_to_compile_are_counted_beforehand(
    places: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jit, "compiled", jit.Compiled())
    counted: list[tuple[int, int]] = []
    keep = jit._keep

    def noted(path: Path | None, content: bytes) -> None:
        counted.append((jit.compiled.done, jit.compiled.of))
        keep(path, content)

    monkeypatch.setattr(jit, "_keep", noted)
    assert jit.kernel(sextuple)(7) == 42
    assert counted == [(1, 2)]
    assert jit.compiled == jit.Compiled(2, 2)
    (entry,) = entries(places)
    assert entry.name.startswith("sextuple-")


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


@pytest.mark.parametrize("making", [{"double"}, set()])
def test_a_session_says_once_that_kernels_are_compiled(
    making: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    session = Session([SAMPLE], ReadSettings())
    monkeypatch.setattr(handread.progress, "SLOW_START_SECONDS", 0.001)
    monkeypatch.setattr(jit, "being_made", making)
    monkeypatch.setattr(session.compiling_notice, "_say", said.append)
    for _ in range(2):
        with session.compiling_notice():
            time.sleep(0.05)
    assert [line[:21] for line in said] == ["compiling the kernels"] * bool(making)
