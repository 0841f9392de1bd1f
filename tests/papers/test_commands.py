"""The commands of the papers: what cannot be asked of an experiment is told.

The golden files (``tests.snapshots``) have what they print, write and draw; the laws of all long
commands say that workers, a cluster and interruptions change nothing.
"""

from __future__ import annotations

import pytest

from tests.program import run

WRONG = (
    ("misspecified --fitted 50,x", "no numbers of hands '50,x'"),
    ("misspecified --fitted 0", "numbers from 1"),
    ("misspecified --drift twist=2", "no drift 'twist=2'"),
    ("misspecified --reader nobody", "no policy 'nobody'"),
    ("misspecified --players panel", "the players follow one policy: panel is a panel"),
    ("misspecified --plot x.gif", ".png, .svg or .pdf"),
    ("readers --reader nobody", "no policy or reader 'nobody'"),
    ("readers --players nobody", "no player 'nobody'"),
    ("readers --reader tight --baseline loose", "is not one of the readers tight"),
    ("readers --fit logit --folds 1", "--fit needs 2 folds or more"),
    ("readers --fit cubic", "no policy or reader 'cubic'"),
    ("readers --fit loose", "the reader loose does not learn"),
    ("readers --game 27razz", "not analyzed"),
    (
        "readers sample_histories/showdown.stud --reader loose --fit ramps",
        "ramps, fitted: 5 folds by hand need as many",
    ),
    ("read-value --players loki", "has no policies by which hands are played on"),
    ("read-value --players nobody", "no player 'nobody'"),
    ("read-value --rollouts 0", "--rollouts"),
    ("read-value --game 27razz", "not analyzed"),
    ("tournament --players GOM", "expected two players or more"),
    ("tournament --players GOM,nobody", "no player"),
    ("bpp --pairing bpp:nobody", "no player 'nobody': expected bpp, bpp-even"),
    ("bpp --pairing bpp", "'bpp' is no pairing: expected two players"),
    ("bpp --curves wild", "no curves 'wild': expected paper"),
    ("bpp --ante 0", "'--ante'"),
    ("bpp-curves wild", "'wild' is not one of"),
    ("bpp-reader --game razz", "five-card stud and seven-card stud, not razz"),
)


@pytest.mark.parametrize(("words", "why"), WRONG)
def test_what_an_experiment_cannot_do_is_told(words: str, why: str) -> None:
    done = run("experiment", *words.split())
    assert done.returncode == 2
    assert why in " ".join(done.stderr.replace("│", " ").split())
