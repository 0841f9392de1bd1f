"""What the kernels of the first ``decisions`` cost to compile, each without those that it calls."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import process_time
from typing import Any

from tests.benchmarks.timing import Row, as_time
from tests.program import ROOT

SAMPLE = str(ROOT / "sample_histories" / "showdown.stud")

SHOWN = 12
"""So many of the dearest kernels are listed."""


def measured() -> None:
    """Value the decisions of a hand with an empty cache; print what each kernel costs."""
    from handread.cli import app
    from handread.kernels import jit

    open_now: list[list[float]] = []
    own: dict[str, float] = {}

    def watch(kind: Any) -> None:
        load, save = kind.load_overload, kind.save_overload

        def loaded(cache: Any, signature: Any, target: Any) -> Any:
            found = load(cache, signature, target)
            if found is None:
                open_now.append([process_time(), 0.0])
            return found

        def saved(cache: Any, signature: Any, made: Any) -> None:
            save(cache, signature, made)
            note(cache)

        kind.load_overload, kind.save_overload = loaded, saved

    def note(cache: Any) -> None:
        start, inner = open_now.pop()
        took = process_time() - start
        own[cache._name] = own.get(cache._name, 0.0) + took - inner
        if open_now:
            open_now[-1][1] += took

    watch(jit._Cache)
    watch(jit._PartCache)
    app(["decisions", SAMPLE, "--workers", "1"], standalone_mode=False)
    for name, seconds in sorted(own.items(), key=lambda item: -item[1]):
        print("kernel", name, seconds)


def rows() -> Iterator[Row]:
    """The time of all kernels, and of the dearest."""
    with tempfile.TemporaryDirectory() as folder:
        code = "from tests.benchmarks.compiling import measured; measured()"
        done = subprocess.run(
            [sys.executable, "-c", code],
            env={"NUMBA_CACHE_DIR": folder, "PYTHONPATH": str(ROOT), "HOME": folder},
            cwd=Path(ROOT),
            capture_output=True,
            text=True,
            check=True,
        )
    lines = [line.split() for line in done.stdout.splitlines() if line.startswith("kernel ")]
    costs = {name: float(seconds) for _, name, seconds in lines}
    total = sum(costs.values())
    yield Row("the first decisions: kernels compiled", str(len(costs)))
    yield Row("processor time of all", as_time(total))
    for name, seconds in list(costs.items())[:SHOWN]:
        yield Row(f"  {name}", as_time(seconds), f"{seconds / total:.0%}")
