"""The shipped machine code is what its sources compile to."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from handread.kernels import loading
from tests.kernel_objects import HOW, MADE_BY, ROOT, TARGETS, versions


@pytest.mark.dear("all shipped kernels are compiled")
@pytest.mark.parametrize(
    "targets", [("linux-x86_64",), pytest.param((*TARGETS,), marks=pytest.mark.slow)], ids=len
)
def test_the_objects_are_those_that_are_built_anew(
    targets: tuple[str, ...], tmp_path: Path
) -> None:
    """All targets are made of one text; the name of each file has the digest of the sources."""
    if versions() != (loading.FOLDER / MADE_BY).read_text(encoding="utf-8"):
        pytest.skip("other versions made the objects")
    command = [sys.executable, "-m", "tests.kernel_objects", str(tmp_path), *targets]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    for path in tmp_path.glob("*.xz"):
        assert path.read_bytes() == (loading.FOLDER / path.name).read_bytes(), HOW
    assert len(list(tmp_path.iterdir())) == len(targets) + 1
