"""Slow and obvious twins of the fast functions: everything is enumerated, nothing is clever.

Hands are ranked by numpy over whole arrays of seven cards, which ``test_hand_types`` checks
against ``stud.best_hand``. No function here uses a kernel.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, product
from random import Random

import numpy as np
import numpy.typing as npt

from handread.cards import DECK_SIZE, N_PAIRS, N_TRIPLES, Card, pair_index, parse_card, triple_index
from handread.game import ranks as stud
from handread.game.rules import STUD
from handread.game.steps import Decision, StreetRecord
from handread.odds.hand_types import N_CLASSES, class_of, five_tables, low_ranks, ranks_of_keys

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


def rank_of(p: Floats, index: int, among: npt.NDArray[np.bool_]) -> float:
    """The place of an entry among some, the largest first; equal entries share the middle one."""
    better = int((p[among] > p[index]).sum())
    equal = int((p[among] == p[index]).sum())
    return better + (equal + 1) / 2


def unseen_cards(seen: Iterable[Card]) -> list[Card]:
    """The deck without some cards."""
    gone = set(seen)
    return [card for card in range(DECK_SIZE) if card not in gone]


def on_view(up: Sequence[Card], others: int) -> list[Card]:
    """A seat's upcards and so many random cards besides."""
    return [*up, *Random(len(up) + others).sample(unseen_cards(up), others)]


# Ranking


def _tops(present: npt.NDArray[np.bool_]) -> Ints:
    """The top rank of the best straight in rows of 13 flags, -1 where there is none."""
    tops = np.full(len(present), -1)
    for top in range(3, 13):
        window = [(top - below) % 13 for below in range(5)]
        tops[present[:, window].all(axis=1)] = top
    return tops


def _highest(flags: npt.NDArray[np.bool_], n: int) -> Ints:
    """The n highest ranks flagged in each row, best first, (rows, n)."""
    return np.argsort(np.where(flags, np.arange(13), -1), axis=1)[:, ::-1][:, :n]


def ranks_of(hands: Ints) -> Ints:
    """(category, tie breakers, -1 ...) of rows of seven cards, (n, 6)."""
    n = len(hands)
    ranks, suits = hands >> 2, hands & 3
    rows = np.arange(n)[:, None]
    counts = np.zeros((n, 13), dtype=np.int64)
    np.add.at(counts, (np.broadcast_to(rows, ranks.shape), ranks), 1)
    out = np.full((n, 6), -1)

    def fill(where: npt.NDArray[np.bool_], category: int, *columns: Ints) -> None:
        if where.any():
            breakers = np.concatenate([c.reshape(n, -1) for c in columns], axis=1)[where]
            out[where, 0] = category
            out[where, 1:] = -1
            out[where, 1 : 1 + breakers.shape[1]] = breakers

    def but(*columns: Ints) -> npt.NDArray[np.bool_]:
        flags = counts > 0
        for column in columns:
            flags[np.arange(n), column] = False
        return flags

    pairs = _highest(counts == 2, 2)
    trips = _highest(counts == 3, 2)
    quads = _highest(counts == 4, 1)[:, 0]
    n_pairs, n_trips = (counts == 2).sum(axis=1), (counts == 3).sum(axis=1)
    one, two, three = pairs[:, 0], pairs[:, 1], trips[:, 0]
    tops = _tops(counts > 0)
    everywhere = np.ones(n, dtype=bool)
    # Worst category first: a better one writes over it.
    fill(everywhere, stud.HIGH_CARD, _highest(counts > 0, 5))
    fill(n_pairs >= 1, stud.PAIR, one, _highest(but(one), 3))
    fill(n_pairs >= 2, stud.TWO_PAIR, one, two, _highest(but(one, two), 1))
    fill(n_trips >= 1, stud.TRIPS, three, _highest(but(three), 2))
    fill(tops >= 0, stud.STRAIGHT, tops)
    for suit in range(4):
        suited = np.zeros((n, 13), dtype=bool)
        of_suit = suits == suit
        suited[np.broadcast_to(rows, ranks.shape)[of_suit], ranks[of_suit]] = True
        enough = suited.sum(axis=1) >= 5
        fill(enough, stud.FLUSH, _highest(suited, 5))
        suited_tops = _tops(suited)
        fill(enough & (suited_tops >= 0), stud.STRAIGHT_FLUSH, suited_tops)
    full = (n_trips == 2) | ((n_trips == 1) & (n_pairs >= 1))
    fill(full, stud.FULL_HOUSE, three, np.where(n_trips == 2, trips[:, 1], one))
    fill((counts == 4).any(axis=1), stud.QUADS, quads, _highest(but(quads), 1))
    return out


def classes_of(hands: Ints) -> Ints:
    """The class of rows of seven cards, (n,): suits count only where five are of one."""
    suits = hands & 3
    suited = np.stack([(suits == suit).sum(axis=1) for suit in range(4)], axis=1)
    codes = 2 * (hands >> 2) + (np.take_along_axis(suited, suits, axis=1) >= 5)
    first, member = _alike(codes)
    ranks = ranks_of(hands[first]).tolist()
    return np.array([class_of(tuple(r for r in rank if r >= 0)) for rank in ranks])[member]


def _alike(codes: Ints) -> tuple[Ints, Ints]:
    """The first of the rows that hold the same numbers in any order, and the place of each row."""
    numbers = np.sort(codes, axis=1) @ 26 ** np.arange(codes.shape[1])
    return np.unique(numbers, return_index=True, return_inverse=True)[1:]


@cache
def _low_numbers() -> dict[tuple[int, ...], int]:
    return {rank: number for number, rank in enumerate(low_ranks())}


def lows_of(hands: Ints) -> Ints:
    """The class of the best ace-to-five low of rows of seven cards: every five is ranked, (n,)."""
    first, alike = _alike(hands >> 2)
    hands = hands[first]
    best = np.full((len(hands), 6), 99)
    for five in combinations(range(7), 5):
        ranks = (hands[:, five] // 4 + 1) % 13
        counts = (ranks[:, :, None] == ranks[:, None, :]).sum(axis=2)
        # 5 for no pair, then one pair, two pair, trips, full house, quads.
        category = np.searchsorted([5, 7, 9, 11, 13, 17], counts.sum(axis=1))
        order = np.argsort(-(13 * counts + ranks), axis=1)
        found = np.column_stack([category, np.take_along_axis(ranks, order, axis=1)])
        differs = found != best
        first = differs.argmax(axis=1)[:, None]
        below = np.take_along_axis(found, first, 1) < np.take_along_axis(best, first, 1)
        best = np.where(below & differs.any(axis=1)[:, None], found, best)
    categories = (stud.HIGH_CARD, stud.PAIR, stud.TWO_PAIR, stud.TRIPS, stud.FULL_HOUSE, stud.QUADS)
    classes = [
        _low_numbers()[(-categories[category], *(-rank for rank in dict.fromkeys(ranks)))]
        for category, *ranks in best.tolist()
    ]
    return np.array(classes)[alike]


def five_classes(hands: Iterable[Sequence[Card]]) -> list[int]:
    """The class of each hand of five cards."""
    numbers = {rank: number for number, rank in enumerate(ranks_of_keys(five_tables().keys))}
    return [numbers[stud.best_hand(hand)] for hand in hands]


def class_counts(hands: Ints, game: str) -> Ints:
    """How many of some rows of seven cards make each class of a game; (..., rows, 7)."""
    n_lows, rows = len(_low_numbers()), hands.reshape(-1, hands.shape[-1])

    def counted(classes: Ints, n: int) -> Ints:
        of_each = [np.bincount(c, minlength=n) for c in classes.reshape(-1, hands.shape[-2])]
        return np.array(of_each).reshape(*hands.shape[:-2], n)

    if game == "stud":
        return counted(classes_of(rows), N_CLASSES)
    if game == "razz":
        return counted(lows_of(rows), n_lows)
    qualified = np.maximum(lows_of(rows) - (n_lows - 57), 0)  # the best 56 qualify
    highs = classes_of(rows) + N_CLASSES * (qualified == 0)
    return np.concatenate([counted(highs, 2 * N_CLASSES), counted(qualified, 57)], axis=-1)


# Completions


@cache
def _choices(n: int, m: int) -> Ints:
    return np.array(list(combinations(range(n), m)), dtype=np.int64).reshape(math.comb(n, m), m)


def completions(
    seen: Sequence[Card], up: Sequence[Card], pairs: Sequence[Sequence[Card]], game: str = "stud"
) -> Ints:
    """How many completions of each pair make each class of a game, (pairs, classes)."""
    rest = np.array([unseen_cards([*seen, *pair]) for pair in pairs], dtype=np.int64)
    future = rest[:, _choices(rest.shape[1], 5 - len(up))]
    known = np.array([(*up, *pair) for pair in pairs])[:, None]
    known = np.broadcast_to(known, (*future.shape[:2], known.shape[-1]))
    return class_counts(np.concatenate([known, future], axis=2), game)


def holdings_on_sixth(seen: Iterable[Card], up: Sequence[Card]) -> tuple[list[int], Floats]:
    """The live pairs by index, and the distribution of the class of each, (pairs, 4824)."""
    unseen = unseen_cards(seen)
    deals = [(*p, c) for p in combinations(unseen, 2) for c in unseen if c not in p]
    known = np.broadcast_to(np.array(up), (len(deals), 4))
    classes = classes_of(np.concatenate([known, np.array(deals)], axis=1))
    to_come = len(unseen) - 2
    chance = np.zeros((len(deals) // to_come, N_CLASSES))
    np.add.at(chance, (np.arange(len(deals)) // to_come, classes), 1 / to_come)
    return [pair_index(*pair) for pair in combinations(unseen, 2)], chance


def triple_classes(seen: Iterable[Card], up: Sequence[Card]) -> dict[tuple[Card, ...], int]:
    """The class that each triple of downcards makes with four upcards."""
    triples = list(combinations(unseen_cards(seen), 3))
    known = np.broadcast_to(np.array(up), (len(triples), 4))
    classes = classes_of(np.concatenate([np.array(triples), known], axis=1))
    return dict(zip(triples, classes.tolist(), strict=True))


# The last card


def lift(seen: Iterable[Card], pair_pdd: Floats) -> Floats:
    """A pdd over triples: each weighs the sum over its three pairs."""
    out = np.zeros(N_TRIPLES)
    for triple in combinations(unseen_cards(seen), 3):
        pairs = combinations(triple, 2)
        out[triple_index(*triple)] = sum(pair_pdd[pair_index(*pair)] for pair in pairs)
    return np.asarray(out / out.sum())


def pair_marginal(seen: Iterable[Card], pair_pdd: Floats, triple_pdd: Floats) -> Floats:
    """A pdd over triples as one over pairs: each triple is shared out as its pairs weighed."""
    out = np.zeros(N_PAIRS)
    for triple in combinations(unseen_cards(seen), 3):
        pairs = [pair_index(*pair) for pair in combinations(triple, 2)]
        weights = [pair_pdd[pair] for pair in pairs]
        for pair, weight in zip(pairs, weights, strict=True):
            if weight > 0:
                out[pair] += triple_pdd[triple_index(*triple)] * weight / sum(weights)
    return out


# The chance to win


def winning_share(others: Sequence[Mapping[int, float]], mine: int, ties: str) -> float:
    """The expected share of a class against others' distributions, outcome by outcome."""
    share = 0.0
    for outcome in product(*(other.items() for other in others)):
        classes = [number for number, _ in outcome]
        if max(classes, default=-1) <= mine:
            equal = classes.count(mine) if ties == "split" else 0
            share += math.prod(p for _, p in outcome) / (1 + equal)
    return share


def split_shares(hands: Sequence[tuple[int, int]]) -> list[float]:
    """The share of the pot of each (high class, low) of hi/lo; low 0 does not qualify."""
    highs, lows = [high for high, _ in hands], [low for _, low in hands]
    no_low = max(lows) == 0
    shares = [(1.0 if no_low else 0.5) * (h == max(highs)) / highs.count(max(highs)) for h in highs]
    if not no_low:
        shares = [
            share + 0.5 * (low == max(lows)) / lows.count(max(lows))
            for share, low in zip(shares, lows, strict=True)
        ]
    return shares


# A policy and an observer


def table1_left(decision: Decision, chance: float) -> dict[str, float]:
    """Figure 5 of Saund 2006 with the numbers of Table I, ramps left of the boundary."""
    a, b, c, d, e, f, g, h = 0.2, 0.05, 0.1, 0.2, 0.05, 0.3, 0.2, 0.1

    def ramp(x: float, x0: float, x1: float, y0: float, y1: float) -> float:
        if x <= x0:
            return y0
        return y1 if x >= x1 else y0 + (y1 - y0) * (x - x0) / (x1 - x0)

    def log_n(p: float) -> float:
        return math.inf if p == 0 else -math.log(p) / math.log(decision.n_active)

    x = log_n(chance)
    if decision.to_call == 0:
        bet = ramp(x, 1 - c, 1, 1 - a, b)
        return {"bet": bet, "check": 1 - bet}
    x_e = log_n(decision.effective_odds)
    raises = ramp(x, 1 - f, 1 - g, 1 - d, e) if decision.can_raise else 0.0
    folds = ramp(x, x_e - h, x_e, 0, 1) if decision.can_fold else 0.0
    return {"raise": raises, "fold": (1 - raises) * folds, "call": (1 - raises) * (1 - folds)}


def worth(others: Sequence[Floats], ties: str) -> Floats:
    """The share of the pot of each class (4824,); ties are shared between two players only."""
    if ties == "paper":
        return np.asarray(np.prod([np.cumsum(htpd) for htpd in others], axis=0))
    (other,) = others
    return np.asarray(np.cumsum(other) - other / 2)


@dataclass
class Line:
    """A line of actions read by plain sums over holdings: per seat, in the order of its rows."""

    pdds: dict[int, Floats]
    likelihoods: dict[int, Floats]
    evidence: list[float]


def split_worth(highs: Ints, lows: Ints, other: Floats) -> Floats:
    """The share of each hand (high class, low; 0 for none) against another's chances of them."""
    found = []
    for mine, my_low in zip(highs, lows, strict=True):
        high, low = np.sign(mine - highs) / 2 + 0.5, np.sign(my_low - lows) / 2 + 0.5
        no_low = np.maximum(my_low, lows) == 0
        found.append(np.where(no_low, high, (high + low) / 2) @ other)
    return np.array(found)


def read_line(
    rows: Mapping[int, Floats],
    decisions: Sequence[Decision],
    ties: str,
    value: Callable[[Floats], Floats] | None = None,
) -> Line:
    """Bayes' rule, action by action, from even odds on the holdings (rows of class chances).

    ``value`` gives the share of each class against one opponent's, where the best class does not
    take it all.
    """
    pdds = {seat: np.full(len(chance), 1 / len(chance)) for seat, chance in rows.items()}
    line = Line(pdds, {seat: np.ones(len(chance)) for seat, chance in rows.items()}, [])
    for decision in decisions:
        others = [pdds[seat] @ rows[seat] for seat in decision.active if seat != decision.seat]
        shares = worth(others, ties) if value is None else value(others[0])
        chances = rows[decision.seat] @ shares
        plays_so = np.array([table1_left(decision, y)[decision.action] for y in chances])
        joint = pdds[decision.seat] * plays_so
        line.evidence.append(joint.sum())
        line.likelihoods[decision.seat] *= plays_so
        pdds[decision.seat] = joint / joint.sum()
    return line


ACTIONS = {"k": "check", "b": "bet", "f": "fold", "c": "call", "r": "raise"}


def street_play(number: int, shown: Mapping[int, str], line: str, shared: str = "") -> StreetRecord:
    """One street of a fixed-limit hand: upcards by seat, then the line ("2k 1b 2c").

    The pot is 400 before it, a bet 200, and four bets are the cap.
    """
    upcards = {seat: tuple(map(parse_card, text.split())) for seat, text in shown.items()}
    put = dict.fromkeys(shown, 0)
    active = tuple(shown)
    decisions: list[Decision] = []
    raises, leader = 0, None
    for n, word in enumerate(line.split(), start=1):
        seat, action = int(word[0]), ACTIONS[word[1]]
        before, to_call = sum(put.values()), max(put.values()) - put[seat]
        if action in ("bet", "raise"):
            put[seat] = max(put.values()) + 200
        elif action == "call":
            put[seat] += to_call
        decisions.append(
            Decision(
                n=n,
                street=number,
                seat=seat,
                action=action,
                amount=sum(put.values()) - before,
                to=put[seat],
                to_call=to_call,
                pot=400 + before,
                active=active,
                can_fold=to_call > 0,
                can_raise=raises < 4,
                raises_left=4 - raises,
                later_bets=200 * (7 - number),
                forced=False,
                raises=raises,
                leader=leader,
                acted=tuple(decision.seat for decision in decisions),
                line=n,
            )
        )
        if action in ("bet", "raise"):
            raises, leader = raises + 1, seat
        active = tuple(s for s in active if action != "fold" or s != seat)
    return StreetRecord(
        number=number,
        game=STUD,
        upcards=upcards,
        shared=parse_card(shared) if shared else None,
        active=tuple(shown),
        pot=400,
        decisions=tuple(decisions),
        active_after=active,
        pot_after=400 + sum(put.values()),
        finished=True,
    )
