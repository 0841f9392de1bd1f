"""An independent scorer, from the definitions of benchmark/README.md alone: no handread.

It scores reads of PHH hands with all downcards, and returns lists of values by figure and street.
"""

import json
import tomllib
from collections import defaultdict
from itertools import combinations
from math import log2
from pathlib import Path

DECK = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]


def scores(phhs: str, probabilities: str) -> dict[tuple[str, int], list[float]]:
    lines = map(json.loads, Path(probabilities).read_text().splitlines())
    reads = {(r["hand"], r["street"], r["seat"]): r["holdings"] for r in lines if "street" in r}
    found: dict[tuple[str, int], list[float]] = defaultdict(list)
    for hand in tomllib.loads(Path(phhs).read_text()).values():
        for street, seat, down, seen in scored_reads(hand["actions"]):
            unseen = [card for card in DECK if card not in seen]
            possible = [frozenset(h) for h in combinations(unseen, len(down))]
            p = dict.fromkeys(possible, 0.0)
            named = set()
            read = reads.get((hand["hand"], street, seat), {})
            for key, chance in read.items():
                cards = frozenset(key[i : i + 2] for i in range(0, len(key), 2))
                same = [h for h in possible if sorted(c[0] for c in h) == sorted(key)]
                holdings = same if len(key) == len(down) else [cards]
                named |= set(holdings)
                for h in holdings:
                    p[h] += chance / len(holdings)
            for h in set(possible) - named:
                p[h] = (1 - sum(read.values())) / (len(possible) - len(named))
            true = p[frozenset(down)]
            better = sum(q > true * (1 + 1e-9) for q in p.values())
            equal = sum(abs(q - true) <= true * 1e-9 for q in p.values())
            ace = sum(q for h, q in p.items() if any(c[0] == "A" for c in h))
            bits = log2(true * len(possible)) if true else -40.0
            found["bits", street].append(max(-40.0, bits))
            found["mrr", street].append(sum(1 / (better + i + 1) for i in range(equal)) / equal)
            found["ace", street].append((ace - any(c[0] == "A" for c in down)) ** 2)
    return found


def scored_reads(actions: list[str]) -> list[tuple[int, int, list[str], list[str]]]:
    """Return (street, seat, downcards, upcards on view) of the reads of a hand."""
    down: dict[int, list[str]] = defaultdict(list)
    up: list[str] = []
    folded: list[int] = []
    left: set[int] = set()
    found: list[tuple[int, int, list[str], list[str]]] = []
    street = 2

    def end() -> None:
        for seat in folded + (sorted(left) if len(left) > 1 else []):
            found.append((street, seat, list(down[seat]), list(up)))
        folded.clear()

    dealing = False
    for action in actions:
        word = action.split()
        if word[0] == "d":
            if not dealing:
                end() if street > 2 else None
                street += 1
            seat, cards = int(word[2][1:]), [word[3][i : i + 2] for i in range(0, len(word[3]), 2)]
            hidden = 2 if street == 3 else int(street == 7)
            down[seat] += cards[:hidden]
            up += cards[hidden:]
            left.add(seat)
        elif word[1] == "f":
            left.remove(int(word[0][1:]))
            folded.append(int(word[0][1:]))
        dealing = word[0] == "d"
    end()
    return found
