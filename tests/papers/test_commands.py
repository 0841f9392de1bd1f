"""The commands of the papers: what cannot be asked of an experiment is told.

The golden files (``tests.snapshots``) have what they print, write and draw; the laws of all long
commands say that workers, a cluster and interruptions change nothing.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from handread.parallel import RunError
from tests.program import SAMPLES, run, run_here

WRONG = (
    ("readers --reader nobody", "no policy or reader 'nobody'"),
    ("readers --players nobody", "no player 'nobody'"),
    ("readers --reader tight --set baseline=loose", "is not one of the readers tight"),
    ("readers --set fit=logit --folds 1", "--set fit needs 2 folds or more"),
    ("readers --set fit=cubic", "no policy or reader 'cubic'"),
    ("readers --set fit=loose", "the reader loose does not learn"),
    (
        "readers sample_histories/showdown.stud --reader loose --set fit=ramps",
        "ramps, fitted: 5 folds by hand need as many",
    ),
    ("read-value --players loki", "has no policies by which hands are played on"),
    ("read-value --players nobody", "no player 'nobody'"),
    ("read-value --rollouts 0", "--rollouts"),
    ("tournament --players GOM", "expected two players or more"),
    ("tournament --players GOM,nobody", "no player"),
    ("bpp --set pairing=bpp:nobody", "no player 'nobody': expected bpp, bpp-even"),
    ("bpp --set pairing=bpp", "'bpp' is no pairing: expected two players"),
    ("bpp --set curves=wild", "'wild' is not one of paper, separate, hidden"),
    ("bpp --set ante=0", "--set ante: 0 is not in the range 0.01 to 10"),
    ("bpp wild", "'wild' is not one of"),
    ("bpp curves --set decks=1", "--set decks: at least 2"),
    ("bpp curves --set ante=2", "are for matches"),
    ("bpp expected --set steps=2", "are for curves"),
    ("bpp --set decks=2", "is for expected and for curves"),
    ("bpp expected --plot a.svg", "--plot draws matches and curves"),
    ("bpp --games 0", "a match has at least 4 games, not 0"),
    ("bpp-reader --game razz", "five-card stud and seven-card stud, not razz"),
)


@pytest.mark.parametrize(("words", "why"), WRONG)
def test_what_an_experiment_cannot_do_is_told(words: str, why: str) -> None:
    done = run("experiment", *words.split())
    assert done.returncode == 2
    assert why in " ".join(done.stderr.replace("│", " ").split())


@pytest.mark.parametrize(
    ("words", "train"), [("5", 50), ("5 --set train=7", 7), ("10000000", 10**7)]
)
def test_bpp_learns_from_ten_times_the_games(
    words: str, train: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []

    def measure(_setup: object, _games: int, trained: int, _run: object) -> None:
        asked.append(trained)
        raise RunError("enough")

    monkeypatch.setattr("handread.papers.bpp.reader_study.bpp_readers", measure)
    done = run_here("experiment", "bpp-reader", "--games", *words.split())
    assert "enough" in done.stderr
    assert asked == [train]


@pytest.mark.parametrize(
    ("command", "study"),
    [
        ("readers", "set_readers.bench"),
        ("read-value", "read_value.read_value"),
        ("benchmark", "set_readers.bench"),
    ],
)
def test_a_run_that_stops_leaves_no_copy_of_its_hands(
    command: str, study: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*_given: object, **_more: object) -> None:
        raise RunError("stop")

    monkeypatch.setattr(f"handread.papers.bench.{study}", stop)
    log, table = str(SAMPLES / "showdown.stud"), tmp_path / "found.csv"
    monkeypatch.setattr("handread.papers.bench.benchmark.files_of", lambda *_: [log])
    given = [] if command == "benchmark" else [log]
    for _ in range(2):
        done = run("experiment", command, *given, "--output", str(table))
        assert done.stderr.endswith("handread: stop\n")
    left = [one.name for one in tmp_path.rglob("*") if one.is_file()]
    assert sorted(left) == ["lock", "run.json"]
