"""Where compiled kernels are kept when the usual places are closed."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
import pytest

from handread.kernels import jit


@pytest.fixture
def closed_places(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[bool]:
    """Numba finds no folder for its cache unless it is told one; lists the caching asked for."""
    asked: list[bool] = []
    real = numba.njit

    def njit(*args: Any, cache: bool = False, **options: Any) -> Any:
        asked.append(cache)

        def compiled(function: Callable[..., Any]) -> Any:
            if cache and not numba.config.CACHE_DIR:
                raise RuntimeError("cannot cache function: no locator available")
            return real(cache=cache, **options)(function)

        return compiled

    monkeypatch.setattr(numba, "njit", njit)
    monkeypatch.setattr(numba.config, "CACHE_DIR", "")
    monkeypatch.setattr(jit.tempfile, "gettempdir", lambda: str(tmp_path))
    return asked


def double(x: int) -> int:
    return x + x


def test_a_private_folder_serves(closed_places: list[bool], tmp_path: Path) -> None:
    assert jit.kernel(double)(21) == 42
    (folder,) = tmp_path.iterdir()
    assert numba.config.CACHE_DIR == str(folder)
    assert folder.stat().st_mode & 0o777 == 0o700
    assert any(folder.rglob("*.nbi"))


def test_a_folder_that_others_can_write_is_not_trusted(
    closed_places: list[bool], tmp_path: Path
) -> None:
    folder = tmp_path / f"handread-kernels-{os.getuid()}"
    folder.mkdir()
    folder.chmod(0o777)
    assert jit.kernel(double)(21) == 42
    assert list(folder.iterdir()) == []
    assert closed_places[-1] is False
