"""The changes that ``python -m tests.mutants`` makes."""

from __future__ import annotations

from pathlib import Path

from tests.mutants import TESTS, mutants

CODE = '''
"""A module of 3 lines."""
def paid(sums: tuple[int, 3], rake: int) -> int:
    if 0 <= rake < 5 and not sums:
        raise ValueError(f"{1 + 1} chips")
    sums[0] = min(rake, sums[1])
    return sums[0] if rake else -rake
'''


def test_a_mutant_is_one_small_change(tmp_path: Path) -> None:
    file = tmp_path / "pots.py"
    file.write_text(CODE)
    found = {change: text.decode() for _, change, text in mutants(file)}
    assert "4: 0 <= rake < 5  ->  (0 < rake < 5)" in found
    assert "6: min(rake, sums[1])  ->  (rake)" in found
    assert "7: sums[0] if rake else -rake  ->  (sums[0])" in found
    assert {change[0] for change in found} == set("4567")  # no text, no type
    for change, text in found.items():
        pairs = zip(CODE.splitlines(), text.splitlines(), strict=True)
        lines = [n for n, (before, after) in enumerate(pairs, 1) if before != after]
        assert lines == [int(change[0])]
        compile(text, file, "exec")


def test_the_parts_that_are_changed_and_their_tests_exist() -> None:
    root = Path(__file__).parents[1]
    for part, tests in TESTS.items():
        assert (root / "handread" / part).exists()
        assert all((root / name).exists() for name in tests)
