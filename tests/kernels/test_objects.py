"""The machine code that comes with the package: it is up to date, and damage is noticed."""

from __future__ import annotations

import lzma
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from handread.kernels import jit, loading
from handread.kernels.holdings import stud_codes
from handread.user_cache import sealed, unsealed
from tests.damages import DAMAGES
from tests.kernel_objects import HOW, MADE_BY, TARGETS, examples_of, shipped_kernels
from tests.program import ROOT

BUILT_HERE = loading.host() in TARGETS
MOST_BYTES = 500_000


def codes_by(code: Any, **changed: Any) -> tuple[np.ndarray, Any]:
    """The codes of some holdings by machine code, and what it returns."""
    codes = np.zeros(3, dtype=np.uint32)
    down = np.array([[50, 51], [1, 2], [8, 9]])
    given = {"down": down, "live": np.ones(3, bool), "up": np.array([48]), "rivals": 5} | changed
    room = np.empty((6, 13), dtype=np.int64)
    return codes, code((*given.values(), 2**52 - 1 - 2**48, room, codes))


def stud_codes_of(folder: Path) -> Any:
    """The machine code of ``stud_codes`` in a folder; None if there is none that is sound."""
    assert isinstance(stud_codes, jit.Kernel)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(loading, "FOLDER", folder)
        patch.setattr(loading, "_engine", loading._engine.__wrapped__)
        return loading.loaded("stud_codes", stud_codes.form)


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """The object of this machine, in a folder of the test."""
    if not BUILT_HERE:
        pytest.skip("no machine code is made for this machine")
    path = loading.object_path(loading.host())
    return Path(shutil.copy(path, tmp_path))


def test_the_objects_are_those_of_these_sources() -> None:
    expected = {loading.object_path(target).name for target in TARGETS}
    found = {path.name for path in loading.FOLDER.iterdir()}
    assert found == expected | {MADE_BY, "README.md"}, HOW
    assert sum(path.stat().st_size for path in loading.FOLDER.iterdir()) < MOST_BYTES
    for name in expected:
        assert lzma.decompress(unsealed((loading.FOLDER / name).read_bytes()))


def test_forms_have_a_word_for_each_argument() -> None:
    for name, kernel in shipped_kernels().items():
        kinds: list[str] = []
        loading._unfold(examples_of(kernel.form), kinds, loading.array("q"))
        assert kinds == re.sub(r"\w*\(|\)", " ", kernel.form).split(), name


def test_machine_code_answers_only_for_its_form(copied: Path) -> None:
    code = stud_codes_of(copied.parent)
    codes, done = codes_by(code)
    assert done
    assert codes.all()
    wide = np.array([[50, 51, 3], [1, 2, 3], [8, 9, 3]])
    for changed in (
        {"rivals": 5.0},
        {"rivals": None},
        {"live": np.ones(3)},
        {"down": wide[:, :2]},
        {"down": np.array(wide, dtype=">i8")},
        {"up": np.broadcast_to(np.int64(48), 1)},
    ):
        codes, done = codes_by(code, **changed)
        assert (done, codes.any()) == (False, False)


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_object_is_not_loaded(copied: Path, damage: Any) -> None:
    copied.write_bytes(damage(copied.read_bytes()))
    assert stud_codes_of(copied.parent) is None


@pytest.mark.parametrize("content", [b"", b"not packed"])
def test_what_is_not_packed_is_not_loaded(copied: Path, content: bytes) -> None:
    copied.write_bytes(sealed(content))
    assert stud_codes_of(copied.parent) is None


def test_without_objects_or_functions_that_they_need_none_is_loaded(
    copied: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert stud_codes_of(copied.parent / "none") is None
    monkeypatch.setattr(loading, "NEEDED", ("exp", "no_such_function_anywhere"))
    assert stud_codes_of(copied.parent) is None


@pytest.mark.dear("a kernel is compiled")
def test_a_compiled_kernel_answers_as_the_object(copied: Path) -> None:
    assert isinstance(stud_codes, jit.Kernel)
    compiled = stud_codes._dispatchers[0]
    found, _ = codes_by(stud_codes_of(copied.parent))
    expected, _ = codes_by(lambda arguments: compiled(*arguments))
    assert found.tolist() == expected.tolist()


WITHOUT = """\
import sys
from pathlib import Path
from handread.kernels import loading
loading.FOLDER = Path("nowhere")
from handread.cli import main
main()
"""
TREES = "analyze", "sample_histories/showdown.stud", "--policy", "trees"


@pytest.mark.dear("processes of their own, of which one compiles all kernels of a read")
def test_without_objects_everything_still_answers(tmp_path: Path) -> None:
    """What is compiled instead is kept; where that is damaged, it is compiled anew."""
    places = {"XDG_CACHE_HOME": str(tmp_path), "NUMBA_CACHE_DIR": ""}

    def done(*command: str) -> tuple[str, str]:
        words = [sys.executable, *command, *TREES]
        run = subprocess.run(
            words, capture_output=True, text=True, check=True, cwd=ROOT, env=os.environ | places
        )
        return run.stdout, run.stderr

    expected, told = done("-m", "handread")
    assert "compiling" not in told
    runs = [done("-c", WITHOUT) for _ in range(2)]
    (kept,) = tmp_path.rglob("share_against-*.kept")
    kept.write_bytes(DAMAGES[-1](kept.read_bytes()))
    runs.append(done("-c", WITHOUT))
    assert [out for out, _ in runs] == [expected] * 3
    assert ["compiling the kernels (" in told for _, told in runs] == [True, False, True]
