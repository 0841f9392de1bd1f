"""Where compiled kernels are kept."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numba
import pytest

import handread
from handread.kernels import jit


@pytest.fixture
def places(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """A machine whose home and temporary folder lie in an empty folder."""
    monkeypatch.setitem(vars(numba.config), "CACHE_DIR", "")
    for variable in ("XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr(jit.Path, "home", lambda: tmp_path / "home")
    monkeypatch.setattr(jit.tempfile, "gettempdir", lambda: str(tmp_path / "tmp"))
    jit.kernel_folder.cache_clear()
    yield tmp_path
    jit.kernel_folder.cache_clear()


def double(x: int) -> int:
    return x + x


def test_the_cache_of_the_user_serves(places: Path) -> None:
    assert jit.kernel(double)(21) == 42
    folder = places / "home" / ".cache" / "handread"
    assert folder.stat().st_mode & 0o777 == 0o700
    assert any(folder.rglob("*.nbi"))
    assert numba.config.CACHE_DIR == ""


def test_without_a_home_a_private_temporary_folder_serves(places: Path) -> None:
    (places / "home").write_text("not a folder")
    assert jit.kernel(double)(21) == 42
    (folder,) = (places / "tmp").iterdir()
    assert folder.stat().st_mode & 0o777 == 0o700
    assert any(folder.rglob("*.nbi"))


def test_a_relative_cache_folder_is_ignored(places: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(places)
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert next(jit._candidates()) == places / "home" / ".cache" / "handread"
    monkeypatch.setenv("XDG_CACHE_HOME", str(places / "absolute"))
    assert next(jit._candidates()) == places / "absolute" / "handread"


def test_a_folder_that_others_can_write_is_not_trusted(places: Path) -> None:
    for folder in jit._candidates():
        folder.mkdir(parents=True)
        folder.chmod(0o777)
    assert jit.kernel_folder() is None
    assert jit.kernel(double)(21) == 42
    assert not any(places.rglob("*.nbi"))


def test_nothing_is_kept_beside_the_package() -> None:
    assert not any(Path(handread.__file__).parent.rglob("*.nbi"))
