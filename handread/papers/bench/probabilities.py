"""Reads from a file of probabilities, made by any program, as a reader of the benchmark.

``benchmark/README.md`` defines the file: JSON lines, each with a read of a seat after the betting
of a street, or the probability of an action.
"""

import gzip
import hashlib
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Self

import numpy as np

import handread.inference.observer as observing
from handread.arrays import Flags, Floats, Ints
from handread.cards import RANKS, holding_index, parse_card
from handread.game.steps import DealtStreet, Decision, Replay
from handread.history import History
from handread.odds.htpd import Unseen, holding_cards
from handread.papers.bench.benchmark import BenchmarkError

ROUNDING = 1e-6
"""The largest error of a sum of probabilities."""

READ = '{"hand": "d-stud-01-01", "street": 3, "seat": 1, "holdings": {"AsAd": 0.1, "AK": 0.2}}'
ACTION = '{"hand": "d-stud-01-01", "action": 4, "probability": 0.3}'

Holdings = Mapping[str, float]
"""The probability of cards such as "AsKd", or of all holdings of some ranks such as "AK"."""

Reads = dict[tuple[int, int], Holdings]
Actions = dict[int, float]
"""A file's reads of a hand by street and seat, and its probabilities by the number of an action."""


@dataclass(frozen=True)
class FileReader:
    """A reader that takes its reads and action probabilities from a file, by hand."""

    name: str
    terms: str
    games: Sequence[str]
    reads: Mapping[str, Reads] = field(repr=False)
    actions: Mapping[str, Actions] = field(repr=False)
    learns: bool = False

    def observer(self, history: History, ties: observing.TieRule) -> "FileObserver":
        """Return an observer of a hand."""
        hand = history.hand_id
        return FileObserver(self.reads.get(hand, {}), self.actions.get(hand, {}), ties)

    def after(self, _replay: Replay, _observed: Sequence[observing.ObservedStreet]) -> Self:
        """Return the reader itself."""
        return self


class FileObserver:
    """The beliefs of a file during a hand: on each street, its reads after the betting.

    ``belief`` is the belief after the last event, from the first deal on.
    """

    belief: observing.Belief

    def __init__(self, reads: Reads, actions: Actions, ties: observing.TieRule) -> None:
        self._reads, self._actions, self._ties = reads, actions, ties
        self._by_cards: observing.Belief | None = None

    def deal(self, street: DealtStreet) -> Mapping[int, float]:
        """Take in the deal of a street; a seat that the file leaves out is read by the cards."""
        self._by_cards, news = observing.deal(self._by_cards, street)
        pdds = dict(self._by_cards.pdds)
        for seat, pdd in pdds.items():
            if (read := self._reads.get((street.number, seat))) is not None:
                pdds[seat] = spread(read, pdd > 0.0)
        self.belief = replace(self._by_cards, pdds=pdds)
        return news

    def observe(self, decision: Decision) -> observing.Update:
        """Take in an action, which does not change the belief."""
        chances = self.belief.holding_chances(decision.seat, self._ties)
        probability = self._actions.get(decision.n, 1.0)
        same = np.ones(chances.size)
        self.belief, update = observing.reweigh(
            self.belief, decision, same, chances, same * probability, evidence=probability
        )
        return update


def spread(holdings: Holdings, possible: Flags) -> Floats:
    """Return the pdd of a read; ``possible`` marks the holdings that the visible cards leave.

    The holdings of a key share its probability, all others the remainder. Raises ``ValueError`` for
    a key without a possible holding and for a wrong sum.
    """
    pdd = np.zeros(possible.size)
    listed = np.zeros(possible.size, bool)
    for key, probability in holdings.items():
        places = places_of(key, possible.size)
        places = places[possible[places]]
        listed[places] = True
        if not places.size and probability:
            raise ValueError(f"{key} is not possible: the visible cards rule it out")
        if places.size:
            pdd[places] += probability / places.size
    rest, left = 1.0 - sum(holdings.values()), possible & ~listed
    if rest < -ROUNDING or (rest > ROUNDING and not left.any()):
        raise ValueError(f"the probabilities sum to {1.0 - rest:.6g}, expected 1")
    if left.any():
        pdd[left] += max(0.0, rest) / np.count_nonzero(left)
    spread_out: Floats = pdd / pdd.sum()
    return spread_out


@lru_cache(maxsize=4096)
def places_of(key: str, size: int) -> Ints:
    """Return the indices of the holdings of a key; ``ValueError`` without any."""
    cards = holding_cards(size)
    n = cards.shape[1]
    if len(key) == n and all(rank in RANKS for rank in key):
        wanted = sorted(map(RANKS.index, key))
        return np.flatnonzero((np.sort(cards >> 2, axis=1) == wanted).all(axis=1))
    example = "AsKd7c"[: 2 * n]
    try:
        held = [parse_card(key[at : at + 2]) for at in range(0, len(key), 2)]
    except ValueError:
        held = []
    if len(held) != n or len(set(held)) != n:
        expected = f"expected cards such as {example} or ranks such as {example[::2]}"
        raise ValueError(f"{key!r} is no holding of {n}: {expected}")
    return np.array([holding_index(held)])


def file_reader(path: str, hands: Iterable[Replay]) -> FileReader:
    """Return the reader of a file for these hands; ``BenchmarkError`` for a bad file or line."""
    known = {played.history.hand_id: played for played in hands}
    reads: dict[str, Reads] = {}
    actions: dict[str, Actions] = {}
    try:
        content = Path(path).read_bytes()
        content = gzip.decompress(content) if path.endswith(".gz") else content
        lines = content.decode("utf-8").splitlines()
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise BenchmarkError(f"{path}: cannot be read: {error}") from None
    for number, line in enumerate(lines, start=1):
        if line.strip():
            try:
                _take(line, known, reads, actions)
            except ValueError as error:
                raise BenchmarkError(f"{path}:{number}: {error}") from None
    for hand in reads if actions else ():
        n = sum(len(street.decisions) for street in known[hand].streets)
        if missing := set(range(1, n + 1)) - actions.get(hand, {}).keys():
            message = "has no probability; expected those of all actions, or of none"
            raise BenchmarkError(f"{path}: hand {hand}: action {min(missing)} {message}")
    games = sorted({known[hand].history.variant for hand in reads})
    terms = f"{path} {hashlib.sha256(content).hexdigest()}"
    return FileReader(Path(path).name, terms, games, reads, actions)


def _take(
    line: str, known: Mapping[str, Replay], reads: dict[str, Reads], actions: dict[str, Actions]
) -> None:
    """Add the content of a line; raise ``ValueError`` if it is invalid."""
    try:
        content = json.loads(line)
    except (ValueError, RecursionError):
        content = None
    if (
        isinstance(content, dict)
        and isinstance(hand := content.get("hand"), str)
        and hand not in known
    ):
        raise ValueError(f"there is no hand {hand!r}: expected one such as {next(iter(known))}")
    match content:
        case {"hand": str(hand), "street": int(street), "seat": int(seat), "holdings": dict(each)}:
            possible = _possible(known[hand], street, seat)
            chances = {str(name): _probability(p) for name, p in each.items()}
            spread(chances, possible)
            _put(reads.setdefault(hand, {}), (street, seat), chances, "read of this seat")
        case {"hand": str(hand), "action": int(action), "probability": p}:
            n = sum(len(street.decisions) for street in known[hand].streets)
            if not 1 <= action <= n:
                raise ValueError(f"there is no action {action}: expected 1 to {n}")
            _put(actions.setdefault(hand, {}), action, _probability(p), "line of this action")
        case _:
            raise ValueError(f"no line of probabilities: expected {READ} or {ACTION}")


def _probability(value: Any) -> float:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not number or not math.isfinite(value) or not 0.0 <= value <= 1.0:
        raise ValueError(f"{value!r} is no probability: expected 0 to 1")
    return float(value)


def _put(table: dict[Any, Any], key: object, value: object, what: str) -> None:
    if key in table:
        raise ValueError(f"a second {what}: expected one")
    table[key] = value


def _possible(played: Replay, number: int, seat: int) -> Flags:
    """Return the holdings of a seat that the visible cards leave on a street."""
    for street in played.streets:
        if street.number == number and seat in street.active:
            return observing.operator_of(street, seat, Unseen(observing.visible_cards(street))).live
    streets = [str(street.number) for street in played.streets if seat in street.active]
    raise ValueError(
        f"there is no seat {seat} on street {number}: it plays on {', '.join(streets) or 'none'}"
    )
