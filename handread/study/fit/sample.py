"""The data of a fit: the actions of each seat in a hand, and its possible holdings at each of them.

Of the hundreds of holdings that a seat may have, holdings that are alike at each of its actions
form a *group* with a weight. Everything is kept in flat arrays for compiled loops.
"""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Annotated, NamedTuple, Self, TypeVar, get_type_hints

import numpy as np
import numpy.typing as npt

import handread.inference.observer as observer
import handread.policy.features as policy_features
from handread.arrays import Array, Flags, Floats, Ints
from handread.cards import N_PAIRS, N_TRIPLES, holding_index
from handread.game.rules import variant_of
from handread.game.steps import Decision, Replay
from handread.inference.analysis import true_holding
from handread.inference.forecast import forecast
from handread.inference.players import PlayerModels
from handread.odds.htpd import PAIRS_OF_TRIPLE
from handread.policy.base import HoldingValues, legal_actions
from handread.policy.relations import SITUATION_WORDS, Words, situation_words
from handread.typed import read_array

Codes = npt.NDArray[np.uint32]

A = TypeVar("A", Floats, Codes)

CODES = {"check": 0, "call": 0, "bet": 1, "fold": 2, "raise": 3}
"""The actions as numbers; 0 is the reference of the others' odds."""


N_FEATURES = len(policy_features.SPOT_FEATURES) + len(policy_features.BOARD_FEATURES)


class Grouping(NamedTuple):
    """The rule that groups possible holdings.

    Attributes:
        most: Largest number of groups of a line.
        masks: Bits of the codes shared by the holdings of a group: at every turn, and under
            each condition. Without masks, a group has nearly the same percentiles, no more.
        situations: True to ask the tests of relational trees about each turn.
    """

    most: int
    masks: tuple[int, ...] = ()
    situations: bool = False


@dataclass(frozen=True)
class Sample:
    """Lines (L), their turns (T), their groups (G), and rows (R): a group at a turn.

    A line holds the actions of a seat in a hand. Its turns and groups are stored in order, and so
    are its rows, group by group. The metadata of each array say what its entries are for, and give
    the array of no hands.

    Attributes:
        hand: Number of the hand (L,), from 0.
        log: Number of the log of the hand (L,); the hand's own number until a fit finds the logs.
        player: Name of the player (L,), or "".
        turns, groups: Number of turns and groups of each line (L,).
        truth: Group of the true holding within the line (L,); -1 if it is not known.
        features: Features of the decision (T, features).
        conditions: Conditions of the decision (T, conditions), 0 or 1.
        action: Action (T,), as in ``CODES``.
        street: Street (T,), 3 to 7.
        log_n: ln N (T,).
        odds_x: -log_N of the effective odds (T,).
        legal: True where a bet, a fold and a raise are legal (T, 3).
        situation: Answers to the tests of relational trees (T, words), see
            ``relations.situation_words``; 0 where they were not asked.
        true_percentile, true_log_chance, true_code: Values of the true holding (T,), NaN or 0 if
            it is not known.
        weight: Share of the holdings of the line in each group (G,).
        percentile, log_chance: Mean over the holdings of the group (R,).
        code: Levels of the features of a holding of the group (R,).
    """

    hand: Annotated[Ints, "line", np.zeros(0, np.int64)]
    log: Annotated[Ints, "line", np.zeros(0, np.int64)]
    player: Annotated[npt.NDArray[np.str_], "line", np.zeros(0, "<U1")]
    turns: Annotated[Ints, "line", np.zeros(0, np.int64)]
    groups: Annotated[Ints, "line", np.zeros(0, np.int64)]
    truth: Annotated[Ints, "line", np.zeros(0, np.int64)]
    features: Annotated[Floats, "turn", np.zeros((0, N_FEATURES))]
    conditions: Annotated[
        Floats, "turn", np.zeros((0, len(policy_features.CONDITIONS)), np.float64)
    ]
    action: Annotated[Ints, "turn", np.zeros(0, np.int64)]
    street: Annotated[Ints, "turn", np.zeros(0, np.int64)]
    log_n: Annotated[Floats, "turn", np.zeros(0, np.float64)]
    odds_x: Annotated[Floats, "turn", np.zeros(0, np.float64)]
    legal: Annotated[Flags, "turn", np.zeros((0, 3), np.bool_)]
    situation: Annotated[Words, "turn", np.zeros((0, SITUATION_WORDS), np.uint64)]
    true_percentile: Annotated[Floats, "turn", np.zeros(0, np.float64)]
    true_log_chance: Annotated[Floats, "turn", np.zeros(0, np.float64)]
    true_code: Annotated[Codes, "turn", np.zeros(0, np.uint32)]
    weight: Annotated[Floats, "group", np.zeros(0, np.float64)]
    percentile: Annotated[Floats, "row", np.zeros(0, np.float64)]
    log_chance: Annotated[Floats, "row", np.zeros(0, np.float64)]
    code: Annotated[Codes, "row", np.zeros(0, np.uint32)]

    @property
    def n_lines(self) -> int:
        """The number of lines."""
        return int(self.turns.size)

    @property
    def n_turns(self) -> int:
        """The number of actions."""
        return int(self.action.size)

    def parts(self) -> "Iterator[Sample]":
        """Yield the sample itself."""
        yield self

    @cached_property
    def line_of_turn(self) -> Ints:
        """The line of each turn, (T,)."""
        return np.repeat(np.arange(self.n_lines), self.turns)

    @cached_property
    def known(self) -> Flags:
        """True for the lines (L,) with known downcards."""
        return self.truth >= 0

    @cached_property
    def chance(self) -> Floats:
        """ln(N x chance to win) of each row (R,), clipped to -2..2."""
        return np.clip(self.log_chance + self.by_row(self.log_n), -2.0, 2.0)

    @cached_property
    def x(self) -> Floats:
        """-log_N of the chance to win of each row (R,)."""
        return -self.log_chance / self.by_row(self.log_n)

    def by_row(self, values: Floats) -> Floats:
        """Return values of turns (T,) by row (R,)."""
        out = np.empty(self.percentile.size, dtype=np.float64)
        row, turn = 0, 0
        for turns, groups in zip(self.turns.tolist(), self.groups.tolist(), strict=True):
            rows = out[row : row + turns * groups].reshape(groups, turns)
            rows[:] = values[turn : turn + turns]
            row, turn = row + turns * groups, turn + turns
        return out

    def select(self, lines: Flags) -> Self:
        """Return the lines that are marked, (L,)."""
        kept = {
            "line": lines,
            "turn": np.repeat(lines, self.turns),
            "group": np.repeat(lines, self.groups),
            "row": np.repeat(lines, self.turns * self.groups),
        }
        arrays = {name: getattr(self, name)[kept[per]] for name, (per, _) in ARRAYS.items()}
        return replace(self, **arrays)

    def hidden(self) -> Self:
        """Return the sample with no downcards known."""
        nowhere = np.full(self.n_turns, np.nan)
        return replace(
            self,
            truth=np.full(self.n_lines, -1),
            true_percentile=nowhere,
            true_log_chance=nowhere,
            true_code=np.zeros(self.n_turns, dtype=np.uint32),
        )

    def with_truths(self) -> Self:
        """Return the sample with the true holding alone, of weight 1, where it is known."""
        if not self.known.any():
            return self
        rows = self.turns * self.groups
        kept_groups = np.repeat(~self.known, self.groups)
        kept_rows = np.repeat(~self.known, rows)
        # Each known line becomes one group, its turns the rows, at the same place.
        at_groups = _kept_before(np.where(self.known, 0, self.groups))[self.known]
        at_rows = np.repeat(_kept_before(np.where(self.known, 0, rows)), self.turns * self.known)
        turns = self.known[self.line_of_turn]

        def told(values: A, truths: A) -> A:
            return np.insert(values[kept_rows], at_rows, truths[turns])

        return replace(
            self,
            groups=np.where(self.known, 1, self.groups),
            truth=np.where(self.known, 0, -1),
            weight=np.insert(self.weight[kept_groups], at_groups, 1.0),
            percentile=told(self.percentile, self.true_percentile),
            log_chance=told(self.log_chance, self.true_log_chance),
            code=told(self.code, self.true_code),
        )

    def coarser(self, most: int) -> Self:
        """Return the sample with at most ``most`` groups a line, similar groups merged."""
        parts: dict[str, list[Array]] = {name: [] for name in PER_GROUP}
        truth, row, first = self.truth.copy(), 0, 0
        for line, (turns, groups) in enumerate(zip(self.turns, self.groups, strict=True)):
            rows, of_line = slice(row, row + turns * groups), slice(first, first + groups)
            row, first = rows.stop, of_line.stop
            percentile = self.percentile[rows].reshape(groups, turns).T
            code = self.code[rows].reshape(groups, turns).T
            group = _grouped(percentile, code, most)
            _, at = np.unique(group, return_index=True)
            weight = np.bincount(group, weights=self.weight[of_line])
            shares = self.weight[of_line] / weight[group]
            parts["weight"].append(weight)
            for name in ("percentile", "log_chance"):
                values = getattr(self, name)[rows].reshape(groups, turns).T
                parts[name].append(_means(values * shares, group, np.ones(weight.size)))
            parts["code"].append(code[:, at].T.ravel())
            if truth[line] >= 0:
                truth[line] = group[truth[line]]
        fewer = np.array([weight.size for weight in parts["weight"]], dtype=np.int64)
        joined = {name: np.concatenate([none, *parts[name]]) for name, none in PER_GROUP.items()}
        return replace(self, groups=fewer, truth=truth, **joined)

    def save(self, path: Path) -> None:
        """Write the arrays to a file."""
        with path.open("wb") as file:
            np.savez(file, **{name: getattr(self, name) for name in ARRAYS})

    @classmethod
    def load(cls, file: Path) -> Self:
        """Return the sample of a file."""
        return cls(**{name: read_array(file, name) for name in ARRAYS})

    @classmethod
    def join(cls, samples: "Iterable[Sample]") -> Self:
        """Return samples one after the other."""
        # Array by array, so that no more than one of them is in memory twice.
        parts = [dict(vars(part)) for part in (_EMPTY, *samples)]
        return cls(**{name: np.concatenate([part.pop(name) for part in parts]) for name in ARRAYS})


ARRAYS: dict[str, tuple[str, Array]] = {
    name: hint.__metadata__ for name, hint in get_type_hints(Sample, include_extras=True).items()
}
"""The unit of each array of a sample, and the array of no hands."""

PER_GROUP = {name: none for name, (per, none) in ARRAYS.items() if per in ("group", "row")}
"""The arrays of a sample that change if groups are merged, empty."""

_EMPTY = Sample(**{name: none for name, (_, none) in ARRAYS.items()})


def _kept_before(kept: Ints) -> Ints:
    return np.cumsum(kept) - kept


FINEST = 64
"""Largest number of steps of the percentile, if there are few enough groups."""

HASH = np.uint64(0x9E3779B97F4A7C15)
"""Odd factor that spreads keys over 64 bits; courses with equal keys are alike."""

FLOOR = -12.0
"""ln of the smallest chance to win that differs from no chance."""

TIES = observer.TIE_RULES["split"]


class _SampledTurn(NamedTuple):
    """An action by choice, the values of the holdings, and the index of the true one, or -1."""

    decision: Decision
    outlook: HoldingValues
    truth: int


def gather(hands: Iterable[tuple[int, Replay, PlayerModels]], grouping: Grouping) -> Sample:
    """Return the sample of numbered hands, read with models of players."""
    return Sample.join(
        _sample_of_line(grouping, number, hand, seat, line)
        for number, hand, players in hands
        for seat, line in _lines(hand, players).items()
    )


def is_choice(decision: Decision) -> bool:
    """Return True if the player chose; a fold with nothing to call is a player who left."""
    legal = legal_actions(decision)
    return len(legal) > 1 and decision.action in legal


def _lines(hand: Replay, players: PlayerModels) -> dict[int, list[_SampledTurn]]:
    lines: dict[int, list[_SampledTurn]] = {}
    belief: observer.Belief | None = None
    for street in hand.streets:
        if street.unseen:
            break
        belief, _ = observer.deal(belief, street)
        for decision in street.decisions:
            model = players.of(decision.seat)
            outlook = observer.holding_values_at(belief, decision, model, TIES)
            if is_choice(decision):
                down = true_holding(hand, decision.seat, street.number)
                turn = _SampledTurn(decision, outlook, -1 if down is None else holding_index(down))
                lines.setdefault(decision.seat, []).append(turn)
            shares = belief.shares.get(decision.seat)
            belief, _ = observer.apply_bayes(
                belief, decision, forecast(model, decision, outlook, shares)
            )
    return lines


def _sample_of_line(
    grouping: Grouping, number: int, hand: Replay, seat: int, line: list[_SampledTurn]
) -> Sample:
    decisions = [turn.decision for turn in line]
    holdings = _holdings([turn.outlook for turn in line])
    percentile = np.stack([t.outlook.percentile[h] for t, h in zip(line, holdings, strict=True)])
    log_chance = np.stack([_log(t.outlook.chance[h]) for t, h in zip(line, holdings, strict=True)])
    game = variant_of(hand.history.variant)
    conditions = np.array([policy_features.conditions_of(d, game) for d in decisions])
    codes = np.zeros(percentile.shape, dtype=np.uint32)
    masks = _masks(grouping, conditions)
    for turn in np.flatnonzero(masks).tolist():
        codes[turn] = line[turn].outlook.codes[holdings[turn]] & masks[turn]
    group = _grouped(percentile, codes, grouping.most)
    _, first, counts = np.unique(group, return_index=True, return_counts=True)
    return Sample(
        hand=np.array([number]),
        log=np.array([number]),
        player=np.array([hand.history.seat(seat).name]),
        turns=np.array([len(decisions)]),
        groups=np.array([counts.size]),
        features=np.array(
            [policy_features.spot_features(d, seen.public, seen.board) for d, seen, _ in line]
        ),
        conditions=conditions,
        action=np.array([CODES[d.action] for d in decisions]),
        street=np.array([d.street for d in decisions]),
        log_n=np.array([math.log(d.n_active) for d in decisions]),
        odds_x=np.array([_odds_x(d) for d in decisions]),
        legal=np.array(
            [[a in legal_actions(d) for a in ("bet", "fold", "raise")] for d in decisions]
        ),
        situation=_situations(grouping, line),
        weight=counts / counts.sum(),
        percentile=_means(percentile, group, counts),
        log_chance=_means(log_chance, group, counts),
        code=codes[:, first].T.ravel(),
        **_true_values(line, holdings, masks, group),
    )


def _true_values(
    line: list[_SampledTurn], holdings: list[Ints], masks: Codes, group: Ints
) -> dict[str, Array]:
    truth, values = -1, [(math.nan, math.nan, np.uint32(0))] * len(line)
    if all(turn.truth >= 0 for turn in line):
        each = zip(holdings, line, strict=True)
        here = np.logical_and.reduce([held == turn.truth for held, turn in each])
        truth = int(group[np.flatnonzero(here)[0]])
        values = [
            (
                float(seen.percentile[true]),
                float(_log(seen.chance[true])),
                seen.codes[true] & mask if mask else mask,
            )
            for (_, seen, true), mask in zip(line, masks, strict=True)
        ]
    percentile, log_chance, code = zip(*values, strict=True)
    return {
        "truth": np.array([truth]),
        "true_percentile": np.array(percentile),
        "true_log_chance": np.array(log_chance),
        "true_code": np.array(code, dtype=np.uint32),
    }


def _situations(grouping: Grouping, line: list[_SampledTurn]) -> Words:
    """Return the answers to the tests of relational trees at each turn, (turns, words)."""
    if not grouping.situations:
        return np.zeros((len(line), SITUATION_WORDS), dtype=np.uint64)
    return np.stack([situation_words(decision, seen.board) for decision, seen, _ in line])


def _masks(grouping: Grouping, conditions: Floats) -> Codes:
    """Return the bits of the codes that matter at each turn, (turns,)."""
    masks = np.zeros(len(conditions), dtype=np.uint32)
    if grouping.masks:
        holds = np.concatenate([np.ones((len(conditions), 1)), conditions], axis=1) > 0.0
        for mask, turns in zip(grouping.masks, holds.T, strict=True):
            masks[turns] |= np.uint32(mask)
    return masks


def _odds_x(decision: Decision) -> float:
    """Return -log_N of the effective odds; 0 if nothing is at stake."""
    odds = decision.effective_odds
    return -math.log(odds) / math.log(decision.n_active) if odds else 0.0


def _log(chance: Floats | float) -> Floats:
    return np.log(np.maximum(chance, math.exp(FLOOR)))


def _holdings(outlooks: list[HoldingValues]) -> list[Ints]:
    """Return the possible holdings at each turn by index, one entry for each course of the deal.

    A course is a pair that no card face up by the last action rules out; with three downcards at
    the last action, a triple and the card of it that came last.
    """
    last = outlooks[-1]
    if last.live.size < N_TRIPLES:  # pairs, or in five-card stud single cards
        same = np.flatnonzero(last.live)
        return [same for _ in outlooks]
    triples = np.flatnonzero(last.live)
    pairs, triples = PAIRS_OF_TRIPLE[:, triples].ravel(), np.tile(triples, 3)
    return [pairs if outlook.live.size == N_PAIRS else triples for outlook in outlooks]


def _grouped(percentile: Floats, codes: Codes, most: int) -> Ints:
    """Return the group of each course, by percentiles and codes (turns, courses).

    Steps of the percentile are as fine as ``most`` allows. If the codes alone make too many groups,
    courses that are neighbours in strength at the last turn are merged.
    """
    steps = FINEST
    while True:
        key = np.zeros(percentile.shape[1], dtype=np.uint64)
        for row, code in zip(percentile, codes, strict=True):
            cells = np.minimum((row * steps).astype(np.uint64), np.uint64(steps - 1))
            key = (key ^ (cells | code.astype(np.uint64) << np.uint64(32))) * HASH
            key ^= key >> np.uint64(29)
        keys, group = np.unique(key, return_inverse=True)
        if keys.size <= most:
            return group
        if steps == 2:
            order = np.lexsort((percentile[-1], codes[-1]))
            group[order] = np.arange(group.size) * most // group.size
            return group
        steps //= 2


def _means(values: Floats, group: Ints, counts: Ints | Floats) -> Floats:
    """Return the means of values (turns, courses) in each group, group by group, (rows,)."""
    sums = np.stack([np.bincount(group, weights=row, minlength=counts.size) for row in values])
    return (sums / counts).T.ravel()
