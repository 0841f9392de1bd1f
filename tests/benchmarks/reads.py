"""How good the shipped policies read given hands: ``python -m tests.benchmarks.reads FILE...``

Prints, for each policy and lapse, the mean bits on the true downcards after the betting of each
street (log2 of what the read gives the truth against a blind guess), over all hands in which
downcards are known, then the mean surprise of an action; first for the players still in, then with
those who folded on the street, at the read that they folded on. A truth that a policy rules out
counts as ``FLOOR`` bits; how many there were stands in brackets.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from itertools import product
from statistics import mean

from handread.analysis import analyze_replay
from handread.engine import Replay, replay
from handread.history import Problem
from handread.notation import read_file
from handread.policy import load_policy

FLOOR = -40.0
POLICIES = ("default", "table1-centred", "honest", "tight", "loose")
LAPSES = (0.0, 0.1, 0.3)
STAGES = ("3B", "4B", "5B", "6B", "7B")


def known_hands(files: list[str]) -> list[Replay]:
    """The legal hands of the files in which somebody's downcards are known."""
    hands = [hand for file in files for hand in read_file(file) if not isinstance(hand, Problem)]
    played = [replay(hand) for hand in hands]
    return [hand for hand in played if hand.problem is None and hand.downcards]


def score(
    hands: list[Replay], policy: str, lapse: float, folders: bool
) -> tuple[dict[str, list[float]], float]:
    """The bits on the truth by stage, and the mean surprise of an action."""
    chosen = load_policy(policy).with_lapse(lapse)
    bits: dict[str, list[float]] = defaultdict(list)
    surprises = []
    for hand in hands:
        analysis = analyze_replay(hand, chosen)
        surprises += [min(action.surprise_bits, -FLOOR) for action in analysis.actions]
        for stage in analysis.stages:
            reads = [*stage.seats.values(), *(stage.folded.values() if folders else ())]
            truths = [read.truth for read in reads if read.truth]
            bits[stage.stage] += [max(truth.score_bits, FLOOR) for truth in truths]
    return bits, mean(surprises)


def main() -> None:
    """Print both tables."""
    hands = known_hands(sys.argv[1:])
    print(f"{len(hands)} hands; bits on the true downcards, [ruled out]; surprise an action")
    for folders in (False, True):
        print("everybody who was dealt in on the street" if folders else "players still in")
        for row, (policy, lapse) in enumerate(product(POLICIES, LAPSES)):
            bits, surprise = score(hands, policy, lapse, folders)
            if row == 0:
                print(f"{'':<26}" + "".join(f"{f'{s} n={len(bits[s])}':>16}" for s in STAGES))
            cells = [f"{mean(bits[s]):+.2f} [{bits[s].count(FLOOR)}]" for s in STAGES if bits[s]]
            line = "".join(f"{cell:>16}" for cell in cells)
            print(f"{f'{policy}, lapse {lapse:g}':<26}{line}{surprise:10.2f}")


if __name__ == "__main__":
    main()
