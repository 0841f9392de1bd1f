"""What is believed of a seat at a moment, ready to show: kinds, holdings, grid, htpd."""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

from handread.cards import N_PAIRS, N_TRIPLES, Card, cards_text
from handread.holdings import families, kind_of
from handread.htpd import PAIR_CARDS, TRIPLE_CARDS
from handread.reading import SeatRead
from handread.report.bins import heights
from handread.report.sheets import bits_figure, likely, place_words, share_figure
from handread.report.value import Figure, Likely, ReadPart, TruthPart
from handread.report.words import bits_words, percent_words

GRID_SCALE = 10_000
"""The parts in which a grid counts probability."""

KINDS = 6
"""How many kinds of holding, and how many holdings, a read lists."""


class Reads:
    """Collects the reads of a hand, each once, and the grids of live combinations."""

    def __init__(self) -> None:
        self.parts: list[ReadPart] = []
        self.lives: list[tuple[int, ...]] = []
        self._number: dict[int, int] = {}
        self._kept: list[SeatRead] = []
        self._guesses: dict[tuple[tuple[Card, ...], bytes], dict[str, float]] = {}

    def number(self, read: SeatRead, street: int) -> int:
        """The number of a read among ``parts``."""
        if id(read) not in self._number:
            self._kept.append(read)  # so that no other read takes its identity
            self._number[id(read)] = len(self.parts)
            self.parts.append(self._part(read, street))
        return self._number[id(read)]

    def _part(self, read: SeatRead, street: int) -> ReadPart:
        return ReadPart(
            seat=read.seat,
            street=street,
            kinds=likely(read.kinds(KINDS)),
            holdings=tuple(
                Likely(cards_text(cards), Figure(p, percent_words(p)))
                for cards, p in read.top(KINDS)
            ),
            as_likely=_as_likely(read),
            grid=tuple(np.rint(GRID_SCALE * by_cell(read.pairs)).astype(int).tolist()),
            live=self._live(live_cells(read.guess)),
            combinations=f"{read.live:,} of {np.count_nonzero(read.guess):,}",
            entropy=bits_figure(read.entropy_bits),
            categories=tuple(map(share_figure, read.categories())),
            heights=tuple(np.rint(1000 * heights(read.htpd)).astype(int).tolist()),
            families=self._families(read),
            truth=_truth_part(read),
        )

    def _live(self, counts: tuple[int, ...]) -> int:
        if counts not in self.lives:
            self.lives.append(counts)
        return self.lives.index(counts)

    def _families(self, read: SeatRead) -> tuple[tuple[str, float, float], ...]:
        """Each family with its probability, and that by the cards alone, the likeliest first."""
        key = read.up, read.guess.tobytes()
        if key not in self._guesses:
            self._guesses[key] = families(read.guess, read.guess_htpd, read.up)
        guess = self._guesses[key]
        found = families(read.pdd, read.htpd, read.up)
        order = sorted(guess, key=lambda family: (-guess[family], family))
        return tuple((family, found.get(family, 0.0), guess[family]) for family in order)


def _truth_part(read: SeatRead) -> TruthPart | None:
    truth = read.truth
    if truth is None:
        return None
    kind = kind_of(truth.downcards, read.up)
    chance, score = percent_words(truth.probability), bits_words(truth.score_bits, sign=True)
    words = f"The read gives these downcards {chance}, {score} bits on a blind guess, "
    words += f"place {place_words(truth)}."
    if truth.probability <= 0.0:
        words = "The read has ruled these downcards out."
    return TruthPart(
        downcards=truth.downcards,
        kind=kind.words,
        family=kind.family,
        chance=Figure(truth.probability, chance),
        score=bits_figure(truth.score_bits, sign=True),
        place=place_words(truth) if truth.probability > 0 else f"ruled out, of {truth.live}",
        words=words,
    )


def _as_likely(read: SeatRead) -> str:
    """What to add to the likeliest holdings, where others are as likely as the last of them."""
    ordered = np.sort(read.pdd[read.pdd > 0])[::-1]
    if ordered.size <= KINDS or ordered[KINDS] < ordered[KINDS - 1] * (1 - 1e-9):
        return ""
    if ordered[-1] > ordered[0] * (1 - 1e-9):
        return f"All {ordered.size:,} are as likely."
    more = int((ordered[KINDS:] > ordered[KINDS - 1] * (1 - 1e-9)).sum())
    return f"{more:,} more are as likely as the last."


@cache
def _cells() -> npt.NDArray[np.int64]:
    """The cell (1326,) of each pair: by rank from the ace, suited above the diagonal."""
    ranks, suits = 12 - (PAIR_CARDS >> 2), PAIR_CARDS & 3
    high, low = ranks.min(axis=1), ranks.max(axis=1)
    suited = suits[:, 0] == suits[:, 1]
    cells: npt.NDArray[np.int64] = np.where(suited, 13 * high + low, 13 * low + high)
    return cells


def by_cell(pairs: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """A pdd over pairs (1326,) added up by ranks, (169,)."""
    return np.bincount(_cells(), pairs, 169).astype(np.float64)


def live_cells(guess: npt.NDArray[np.float64]) -> tuple[int, ...]:
    """How many combinations of each cell (169,) are possible by the cards alone.

    ``guess`` is over pairs or over triples, of which any two may be the first downcards.
    """
    live = guess > 0
    if guess.size == N_TRIPLES:
        live = np.bincount(_pairs_of_triples()[live].ravel(), minlength=N_PAIRS) > 0
    return tuple(np.bincount(_cells()[live], minlength=169).tolist())


@cache
def _pairs_of_triples() -> npt.NDArray[np.int64]:
    """The indices (22100, 3) of the three pairs in each triple."""
    low, high = TRIPLE_CARDS[:, [0, 0, 1]], TRIPLE_CARDS[:, [1, 2, 2]]
    pairs: npt.NDArray[np.int64] = high * (high - 1) // 2 + low
    return pairs
