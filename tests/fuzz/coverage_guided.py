"""``python -m tests.fuzz.coverage_guided -runs=100000``: inputs that take new ways, by atheris.

Options are libFuzzer's own, and ``--real PATH`` for a folder of real logs to begin with. An input
that fails is printed with its traceback and kept in a file (``-artifact_prefix=FOLDER/``).
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tests.fuzz.limits import MEMORY, SECONDS

if TYPE_CHECKING:
    from tests.fuzz.cases import Case
    from tests.fuzz.logs import Logs

LONGEST = 8_192
"""Bytes of an input: what takes a new way needs no more."""

LIMITS = (f"-timeout={SECONDS:.0f}", f"-rss_limit_mb={MEMORY >> 20}", f"-max_len={LONGEST}")


def main(arguments: Sequence[str]) -> int:
    """Looks for failing inputs; 2 where atheris is missing. Else libFuzzer ends the process."""
    try:
        import atheris
    except ImportError:
        print(
            "this needs atheris, which is not installed: pip install -e '.[fuzz]'; "
            "python -m tests.fuzz does without it",
            file=sys.stderr,
        )
        return 2
    # What is imported here is watched: nothing of handread may be there before.
    with atheris.instrument_imports(include=["handread"]):
        from tests.fuzz.checks import check
        from tests.fuzz.logs import gathered

    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--real", type=Path)
    own, options = parser.parse_known_args(arguments)
    logs = gathered(own.real)
    with tempfile.TemporaryDirectory() as folder:
        for number, hand in enumerate(hand for log in logs.logs for hand in log.hands):
            (Path(folder) / str(number)).write_text(hand, encoding="utf-8")
        atheris.Setup(
            [sys.argv[0], *LIMITS, *options, folder],
            lambda data: check(_case(data)),
            custom_mutator=_mutator(logs),
        )
        atheris.Fuzz()
    return 0


def _case(data: bytes) -> Case:
    """The bytes as a file; what looks like nothing is read as one dialect or another."""
    from handread.formats.registry import BUILT_IN, dialects
    from tests.fuzz.cases import Case

    text = data.decode("utf-8", "replace")
    known = dialects()
    forced = "" if BUILT_IN.detect(text) else known[len(data) % len(known)].name
    return Case("hands", data, forced, printed=len(data) % 4 == 0)


def _mutator(logs: Logs) -> Callable[[bytes, int, int], bytes]:
    """Edits lines as a log has them every other time, and bytes the others."""
    import atheris
    import numpy as np

    from tests.fuzz.edits import Desk, edit

    def mutated(data: bytes, longest: int, seed: int) -> bytes:
        rng = np.random.default_rng(seed)
        if rng.random() < 0.5:
            return atheris.Mutate(data, longest)
        lines = data.decode("utf-8", "replace").split("\n")
        edit(Desk(rng, logs), lines)
        return "\n".join(lines).encode("utf-8", "replace")[:longest]

    return mutated


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
