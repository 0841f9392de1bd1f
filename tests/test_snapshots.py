"""The program prints what it printed before, byte for byte."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import snapshots

HOW = "python -m tests.snapshots --to DIR writes the outputs, to compare with the last commit's"


MANY = pytest.mark.dear("one part has up to a hundred outputs")


@MANY
@pytest.mark.parametrize("part", sorted(snapshots.PARTS.keys() - {"papers", "real"}))
def test_outputs_are_unchanged(part: str) -> None:
    """For the papers see ``tests/papers/test_snapshots.py``."""
    assert snapshots.changed(part) == [], HOW


@MANY
@pytest.mark.usefixtures("real_hands")
def test_outputs_from_real_logs_are_unchanged() -> None:
    assert snapshots.changed("real") == [], HOW


def test_the_broken_logs_are_many() -> None:
    text = (snapshots.ROOT / "sample_histories" / snapshots.LINE_LOGS[0]).read_text("utf-8")
    faults = dict(snapshots.faults(text))
    assert len(snapshots.LINE_LOGS) * len(faults) >= 60
    assert len({text, *faults.values()}) == len(faults) + 1


def test_digests_of_another_processor_are_kept_beside(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(snapshots, "DIGESTS", tmp_path / "digests.json")
    snapshots.DIGESTS.write_text("{}")
    for output, beside, unchanged in (
        (b"one", False, {b"one"}),
        (b"two", True, {b"one", b"two"}),
        (b"two", True, {b"one", b"two"}),
        (b"two", False, {b"two"}),
    ):
        monkeypatch.setitem(snapshots.PARTS, "one", lambda text=output: iter([("name", text)]))
        snapshots.update(["one"], beside)
        for text in (b"one", b"two", b"three"):
            monkeypatch.setitem(snapshots.PARTS, "one", lambda text=text: iter([("name", text)]))
            assert (snapshots.changed("one") == []) is (text in unchanged)


def test_another_output_is_noticed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(snapshots.PARTS, "one", lambda: iter([("check/steal.stud", b"other")]))
    assert snapshots.changed("one", tmp_path) == ["check/steal.stud"]
    assert (tmp_path / "check/steal.stud").read_bytes() == b"other"
