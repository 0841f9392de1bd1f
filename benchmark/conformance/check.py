"""Compare what a program reads of the conformance set with what is right.

    your-program | python check.py [CASE ...]

The program prints a line of JSON for each case: {"case": "...", "results": [...]}, as README.md
says. CASE chooses cases by name, with * for any text: "pokerstars-*". Needs Python alone.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from fnmatch import fnmatch
from pathlib import Path
from typing import Any, TextIO

HERE = Path(__file__).parent


def differences(expected: Any, found: Any, at: str = "results") -> Iterator[str]:
    """Yield where a value differs from the expected one; keys that nobody expects do not count."""
    if isinstance(expected, dict) and isinstance(found, dict):
        for key, cell in expected.items():
            if key in found:
                yield from differences(cell, found[key], f"{at}.{key}")
            else:
                yield f"{at}.{key} is missing"
    elif isinstance(expected, list) and isinstance(found, list):
        if len(expected) != len(found):
            yield f"{at} has {len(found)} values, expected {len(expected)}"
        for n, (cell, other) in enumerate(zip(expected, found, strict=False)):
            yield from differences(cell, other, f"{at}[{n}]")
    elif type(expected) is not type(found) or expected != found:
        yield f"{at} is {json.dumps(found)}, expected {json.dumps(expected)}"


def answers(lines: TextIO) -> dict[str, Any]:
    """Return the results by case, from lines of JSON."""
    found = {}
    for n, line in enumerate(lines, 1):
        if line.strip():
            try:
                answer = json.loads(line)
                found[answer["case"]] = answer["results"]
            except (ValueError, KeyError, TypeError):
                sys.exit(f'line {n}: expected {{"case": "...", "results": [...]}}')
    return found


def main(patterns: Sequence[str]) -> int:
    """Print the differences of each case, and return 1 if there are any."""
    manifest = json.loads((HERE / "manifest.json").read_text(encoding="utf-8"))
    names = [case for case in manifest["cases"] if chosen(case["case"], patterns)]
    found, wrong = answers(sys.stdin), 0
    for case in names:
        expected = json.loads((HERE / case["expected"]).read_text(encoding="utf-8"))
        faults = ["no answer"]
        if case["case"] in found:
            faults = list(differences(expected, found[case["case"]]))
        wrong += bool(faults)
        for fault in faults:
            print(f"{case['case']}: {fault}")
    print(f"{len(names)} cases: {len(names) - wrong} agree, {wrong} differ")
    return int(wrong > 0 or not names)


def chosen(name: str, patterns: Sequence[str]) -> bool:
    """Return whether a case is asked for; without patterns all are."""
    return not patterns or any(fnmatch(name, pattern) for pattern in patterns)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
