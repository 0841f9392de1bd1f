"""Learning BPP's action matrices from hands.

The paper counts choices in hands that were shown, by the type of the hand at the time. Shown hands
differ from others, which biases these frequencies. ``all_hands`` uses the others too, with hidden
cards as missing data: expectation and maximisation (EM) over the holdings that the upcards leave,
with a prior by the cards and the likelihood of all actions of the hand. Seats are independent given
the upcards, as in every belief of an observer.

The holdings of a seat fall into groups of equal hands on every street; EM runs over these *paths*.
"""

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import NamedTuple, Self

import numpy as np

import handread.papers.bpp.record as records
from handread.arrays import Flags, Floats, Ints
from handread.cards import N_PAIRS, Card
from handread.game.rules import Variant, variant_of
from handread.game.steps import DealtStreet, Replay, StreetRecord
from handread.history import Show
from handread.inference.observer import seat_cards, visible_cards
from handread.odds.htpd import TRIPLE_CARDS, Unseen, holding_cards
from handread.papers.bpp import hand_codes_kernel as kernels
from handread.papers.bpp.hand_codes_kernel import N_CODES
from handread.papers.bpp.types import FINE, hand_code, made_strength

MOST_ROUNDS = 200
"""The most rounds of EM."""
LEAST_GAIN_BITS = 1e-5
"""EM stops when a round gains less for each seat of a hand."""


# Holdings and their hands


def holding_codes(street: DealtStreet, seat: int, down: Ints, live: Flags | None = None) -> Ints:
    """Return the codes (holdings,) of a seat's hands by holding; 0 where it is not live."""
    codes = np.empty(len(down), dtype=np.int64)
    up = np.array(seat_cards(street, seat), dtype=np.int64)
    live = np.ones(len(down), dtype=bool) if live is None else live
    kernels.hand_codes(down, live, up, street.number < street.game.last, codes)
    return np.maximum(codes, 0)


def rows_of(
    codes: Ints, street: DealtStreet, seat: int, active: Sequence[int]
) -> records.MatrixRows:
    """Return the rows of the action matrices for hands with these codes."""
    strength = made_strength()
    shown = [hand_code(seat_cards(street, other), False) for other in active if other != seat]
    best = max((strength[code] for code in shown), default=0)
    relations = np.sign(strength[codes] - best) + 1
    return records.MatrixRows(relations, FINE.of(codes, street.number))


class Choices(NamedTuple):
    """The choices of a seat between two kinds of action in a hand.

    Attributes:
        cells: Index of each choice in the flattened ``Record.bets`` or ``folds`` without the last
            axis, on each path (paths, choices).
        chosen: The choices (choices,), 0 or 1.
    """

    cells: Ints
    chosen: Ints


class Paths(NamedTuple):
    """The hands that a seat may have had, and its choices in a hand.

    Attributes:
        weights: Prior of each path by the cards alone (paths,).
        bets: Whether to bet or raise, where legal.
        folds: Whether to fold, where a bet must be met.
        known: True if the downcards are known.
    """

    weights: Floats
    bets: Choices
    folds: Choices
    known: bool


def hand_paths(replay: Replay, known: Container[int], hidden: bool) -> dict[int, Paths]:
    """Return the paths of the seats of a hand that chose an action.

    Downcards in the record are used for ``known`` seats only. With ``hidden`` the other seats have
    all holdings that the upcards leave.
    """
    streets: list[StreetRecord] = []
    for street in replay.streets:
        if street.unseen:
            break
        streets.append(street)
    by_seat = {}
    for seat in dict.fromkeys(decision.seat for street in streets for decision in street.decisions):
        streets_of = [street for street in streets if any(d.seat == seat for d in street.decisions)]
        codes = _known_codes(replay, seat, streets_of) if seat in known else None
        if codes is not None:
            by_seat[seat] = _paths(seat, streets_of, codes, True)
        elif hidden:
            by_seat[seat] = _paths(seat, streets_of, _hidden_codes(seat, streets_of), False)
    return by_seat


def _known_codes(replay: Replay, seat: int, streets: Sequence[StreetRecord]) -> Ints | None:
    """Return the codes (paths, streets) of known downcards; None if they are unknown."""
    first, last = replay.downcards.get(seat), replay.loose_downcards.get(seat)
    holdings: list[Sequence[Card]] = [] if first is None else [first]
    if not holdings and last is not None:  # any of the three may have come last
        holdings = [(*pair, *(set(last) - set(pair))) for pair in combinations(last, 2)]
    columns = []
    for street in streets:
        n = street.number - len(seat_cards(street, seat))
        if not holdings or any(len(cards) < n for cards in holdings):
            return None
        down = np.array([cards[:n] for cards in holdings], dtype=np.int64)
        columns.append(holding_codes(street, seat, down))
    return np.stack(columns, axis=1)


def _hidden_codes(seat: int, streets: Sequence[StreetRecord]) -> Ints:
    """Return the codes (holdings, streets) of all holdings that the upcards leave.

    After a third downcard, a row is a triple with the choice of its last card.
    """
    unseen = Unseen(visible_cards(streets[-1]))
    n_first = streets[-1].game.streets[0].down
    size = 52 if n_first == 1 else N_PAIRS
    live = unseen.live(size)
    down = holding_cards(size)[live]
    columns = [
        holding_codes(street, seat, down)
        for street in streets
        if street.number - len(seat_cards(street, seat)) == n_first
    ]
    if len(columns) == len(streets):
        return np.stack(columns, axis=1)
    last = holding_codes(streets[-1], seat, TRIPLE_CARDS[unseen.live_triples])
    rows = (np.cumsum(live) - 1)[unseen.pairs_of_live_triples.ravel()]
    return np.stack([*(column[rows] for column in columns), np.tile(last, 3)], axis=1)


def _paths(seat: int, streets: Sequence[StreetRecord], codes: Ints, known: bool) -> Paths:
    """Return the paths of a seat from the codes (holdings, streets) of equally likely holdings."""
    scale = N_CODES ** np.arange(codes.shape[1])
    keys, times = np.unique(codes @ scale, return_counts=True)
    groups = keys[:, None] // scale % N_CODES
    bets: list[tuple[Ints, bool]] = []
    folds: list[tuple[Ints, bool]] = []
    n_types, n_relations = len(FINE), len(records.RELATIONS)
    for street, hands in zip(streets, groups.T, strict=True):
        place = street.number - street.game.first
        for decision in street.decisions:
            if decision.seat != seat:
                continue
            rows = rows_of(hands, street, seat, decision.active)
            cell = rows.relations * n_types + rows.types
            choice = records.choice_in(decision)
            if choice.raised is not None:
                context = place * len(records.CONTEXTS) + records.context_of(decision)
                bets.append((context * n_relations * n_types + cell, choice.raised))
            if choice.folded is not None:
                folds.append((place * n_relations * n_types + cell, choice.folded))
    weights = times / times.sum()
    return Paths(weights, _choices(bets, len(keys)), _choices(folds, len(keys)), known)


def _choices(made: Sequence[tuple[Ints, bool]], n_paths: int) -> Choices:
    cells = np.array([cell for cell, _ in made], dtype=np.int64).reshape(-1, n_paths).T
    return Choices(cells, np.array([chosen for _, chosen in made], dtype=np.int64))


# Counts


@dataclass(frozen=True, slots=True, eq=False)
class PathSample:
    """The paths of many seats, and their choices one after another.

    Attributes:
        weights: Prior of each path by the cards alone (paths,).
        starts: First path of each seat (seats,).
        bets: Path, place in ``Record.bets`` and choice of each bet or not (3, events).
        folds: The same for each fold or not.
    """

    weights: Floats
    starts: Ints
    bets: Ints
    folds: Ints

    @classmethod
    def of(cls, seats: Sequence[Paths]) -> Self:
        """Return the sample of some seats."""
        sizes = np.array([seat.weights.size for seat in seats], dtype=np.int64)
        starts = np.cumsum(sizes) - sizes
        weights = np.concatenate([np.zeros(0), *(seat.weights for seat in seats)])
        bets = _events([seat.bets for seat in seats], starts)
        return cls(weights, starts, bets, _events([seat.folds for seat in seats], starts))

    def likelihoods(self, matrices: records.ActionMatrices) -> Floats:
        """Return the likelihood of the choices on each path (paths,)."""
        logs = np.zeros(self.weights.size)
        for events, chances in ((self.bets, matrices.bet), (self.folds, matrices.fold)):
            paths, cells, chosen = events
            taken = np.where(chosen, chances.ravel()[cells], 1.0 - chances.ravel()[cells])
            logs += np.bincount(paths, np.log(taken), self.weights.size)
        return np.exp(logs)

    def counts(self, posterior: Floats, game: Variant) -> records.Record:
        """Return the expected counts under the posterior of the paths (paths,), without ``met``."""
        record = records.Record.empty(game)
        sums: list[Floats] = []
        for events, like in ((self.bets, record.bets), (self.folds, record.folds)):
            paths, cells, chosen = events
            summed = np.bincount(2 * cells + chosen, posterior[paths], like.size)
            sums.append(summed.astype(np.float64).reshape(like.shape))
        return records.Record(sums[0], sums[1], record.met)

    def expected(
        self, matrices: records.ActionMatrices, game: Variant
    ) -> tuple[records.Record, float]:
        """Return the expected counts under action matrices, and the log-likelihood in bits."""
        if not self.starts.size:
            return records.Record.empty(game), 0.0
        joint = self.weights * self.likelihoods(matrices)
        evidence = np.add.reduceat(joint, self.starts)
        sizes = np.diff(np.append(self.starts, joint.size))
        posterior = joint / np.repeat(evidence, sizes)
        return self.counts(posterior, game), float(np.log2(evidence).sum())


def _events(seats: Iterable[Choices], starts: Iterable[int]) -> Ints:
    """Return path, cell and choice (3, events) of seats' choices, by their first paths."""
    events = [np.zeros((3, 0), dtype=np.int64)]
    for (cells, chosen), first in zip(seats, starts, strict=True):
        n_paths, n = cells.shape
        paths = np.repeat(np.arange(first, first + n_paths), n)
        events.append(np.stack([paths, cells.ravel(), np.tile(chosen, n_paths)]))
    return np.concatenate(events, axis=1)


def bets_met(replay: Replay) -> dict[int, Floats]:
    """Return by seat the bets it met without and with a fold in each round (rounds, 2)."""
    game = variant_of(replay.history.variant)
    met: dict[int, Floats] = {}
    for decision in replay.decisions:
        folded = records.choice_in(decision).folded
        if folded is not None:
            of_seat = met.setdefault(decision.seat, np.zeros((len(game.streets), 2)))
            of_seat[decision.street - game.first, int(folded)] += 1
    return met


def shown_seats(replay: Replay, switches: records.Switches) -> set[int]:
    """Return the seats whose downcards may be used: seats that showed their hands.

    The player who recorded the hand may have mucked, and counts only if the log has a show; with
    ``all_hands``, always.
    """
    hero = replay.history.hero
    shown = set(replay.showdown)
    if hero is None:
        return shown
    if switches.all_hands:
        return shown | {hero}
    events = replay.history.events
    mucked = not any(isinstance(event, Show) and event.seat == hero for event in events)
    return shown - {hero} if mucked else shown


def learn(replays: Iterable[Replay], game: Variant, switches: records.Switches) -> records.Record:
    """Return the counts of choices in the hands of a game, which give the action matrices.

    With ``all_hands`` hidden cards are weighed by the matrices that the switches distinguish;
    otherwise only showdowns count.
    """
    hands = [played for played in replays if played.history.variant == game.key]
    seats = [
        paths
        for played in hands
        for paths in hand_paths(played, shown_seats(played, switches), switches.all_hands).values()
    ]
    met = _all_met(hands, game)
    record = _counted([paths for paths in seats if paths.known], game, met)
    if not switches.all_hands:
        return record
    sample, before = PathSample.of(seats), float("-inf")
    for _ in range(MOST_ROUNDS):
        counts, bits = sample.expected(records.action_matrices([record], game, switches), game)
        record = replace(counts, met=met)
        if bits - before < LEAST_GAIN_BITS * len(seats):
            break
        before = bits
    return record


def count_open(replays: Sequence[Replay], game: Variant) -> records.Record:
    """Return the counts of choices that ``learn`` estimates, from hands with all cards known."""
    seats = [
        paths
        for played in replays
        for paths in hand_paths(played, played.downcards, False).values()
    ]
    return _counted(seats, game, _all_met(replays, game))


def _counted(seats: Sequence[Paths], game: Variant, met: Floats) -> records.Record:
    sample = PathSample.of(seats)
    return replace(sample.counts(sample.weights, game), met=met)


def _all_met(replays: Iterable[Replay], game: Variant) -> Floats:
    met = np.zeros((len(game.streets), 2))
    for played in replays:
        for bets in bets_met(played).values():
            met += bets
    return met
