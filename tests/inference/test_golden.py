"""The hand of the design notes, all downcards known, against numbers worked out elsewhere.

Another program computed them: the policy ``table1-left``, ties as in the paper.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from handread.formats.log_reader import read_text
from handread.game.replay import replay
from handread.history import History
from handread.inference.analysis import analyze_replay
from handread.inference.hand_analysis import Analysis
from handread.policy import load_policy

GOLDEN_FILE = Path(__file__).parents[3] / "shared" / "golden-hand.json"
TOLERANCE = 1e-4

HAND = """\
1 | 7c Qs | 7h r | 8h k | Js bc | 2c b | Jh r
2 | Ad Jd | 8d c | Kc .k | As .kr | 7d .kc | 4h .bc
3 | 5d Ac | 9d f
4 | Jc 2h | 4c f
5 | 6s 3c | 3h .Bf
6 | 9h 7s | 3s f
7 | 4d Kh | Tc f
"""

# Of seats 1 and 2: the chances to win of cards-only, bet-inference and the omniscient observer,
# then the entropies of the pdds in bits (over triples on 7th street).
STAGES = {
    "3D": ((0.14658, 0.15089), (0.14658, 0.15089), (0.19157, 0.27856), (9.95129, 9.95129)),
    "3B": ((0.48609, 0.5139), (0.4712, 0.5288), (0.46507, 0.53493), (8.95487, 7.97372)),
    "4D": ((0.52342, 0.47658), (0.54133, 0.45867), (0.52959, 0.47041), (8.82917, 7.68689)),
    "4B": ((0.52342, 0.47658), (0.48663, 0.51337), (0.52959, 0.47041), (9.42913, 7.51567)),
    "5D": ((0.47901, 0.52099), (0.47976, 0.52024), (0.29247, 0.70753), (9.27332, 7.46154)),
    "5B": ((0.47901, 0.52099), (0.53643, 0.46357), (0.29247, 0.70753), (7.9791, 7.16482)),
    "6D": ((0.40717, 0.59283), (0.44331, 0.55669), (0.1792, 0.8208), (7.84227, 6.94445)),
    "6B": ((0.40717, 0.59283), (0.63934, 0.36066), (0.1792, 0.8208), (7.3228, 6.30676)),
    "7D": ((0.40717, 0.59283), (0.63934, 0.36066), (1.0, 0.0), (11.70708, 11.15061)),
    "7B": ((0.40717, 0.59283), (0.59403, 0.40597), (1.0, 0.0), (10.82956, 9.89276)),
}
EVIDENCE = [
    *(0.78046, 0.55898, 0.12883, 0.19477, 0.71108, 0.80698, 0.90659, 0.80029, 0.4317, 0.56294),
    *(0.47253, 0.06919, 0.73436, 0.57923, 0.6373, 0.86555, 0.3242, 0.10516, 0.609),
]


def read(text: str) -> Analysis:
    (history,) = read_text(text, "golden.stud", dialect="saund")
    assert isinstance(history, History)
    played = replay(history)
    assert played.problem is None
    return analyze_replay(played, load_policy("table1-left"), ties="paper")


@pytest.fixture(scope="module")
def analysis() -> Analysis:
    return read(HAND)


@pytest.fixture(scope="module")
def golden() -> dict[str, Any]:
    if not GOLDEN_FILE.is_file():
        pytest.skip(f"no golden hand in {GOLDEN_FILE}")
    found: dict[str, Any] = json.loads(GOLDEN_FILE.read_text(encoding="utf-8"))
    return found


@pytest.mark.parametrize("stage", STAGES)
def test_stages(analysis: Analysis, stage: str) -> None:
    (found,) = [s for s in analysis.stages if s.stage == stage]
    cards_only, bet_inference, omniscient, entropies = STAGES[stage]
    assert found.omniscient is not None
    for chances, expected in (
        (found.cards_only, cards_only),
        (found.bet_inference, bet_inference),
        (found.omniscient, omniscient),
        ({seat: found.seats[seat].entropy_bits for seat in (1, 2)}, entropies),
    ):
        assert (chances[1], chances[2]) == pytest.approx(expected, abs=TOLERANCE)


def test_evidence(analysis: Analysis) -> None:
    found = [action.evidence for action in analysis.actions]
    assert found == pytest.approx(EVIDENCE, abs=TOLERANCE)


def test_all_of_the_golden_file(golden: dict[str, Any]) -> None:
    analysis = read(golden["text"])
    assert [stage.stage for stage in analysis.stages] == list(golden["stages"])
    for stage in analysis.stages:
        expected = golden["stages"][stage.stage]
        assert list(stage.active) == expected["active"]
        assert stage.pot == round(100 * expected["pot"])
        entropies = {seat: read.entropy_bits for seat, read in stage.seats.items()}
        for name, found in (
            ("cards_only", stage.cards_only),
            ("bet_inference", stage.bet_inference),
            ("omniscient", stage.omniscient),
            ("pdd_entropy_bits", entropies),
        ):
            numbers = {int(seat): number for seat, number in expected[name].items()}
            assert found == pytest.approx(numbers, abs=TOLERANCE), (stage.stage, name)
    for action, expected in zip(analysis.actions, golden["evidence"], strict=True):
        decision = action.decision
        assert (decision.street, decision.seat) == (expected["street"], expected["seat"])
        assert decision.n_active == expected["n_active"]
        assert decision.to_call == round(100 * expected["to_call"])
        assert decision.effective_odds == pytest.approx(expected["effective_odds"], abs=1e-6)
        assert action.evidence == pytest.approx(expected["evidence"], abs=TOLERANCE)
    assert analysis.replay.pot == round(100 * golden["pot"])
    won = {int(seat): round(100 * amount) for seat, amount in golden["won"].items()}
    assert dict(analysis.replay.won) == won
