"""What a fit sees of the hands: seats' lines of actions, and what every holding promised each time.

Of the hundreds of holdings that a seat may have, those that stood alike at each of its actions are
taken together: a *group* with a weight. Where downcards are known the truth stands beside them.
Everything is kept in flat arrays, so that a fit costs a few passes over them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

import numpy as np
import numpy.typing as npt

from handread.cards import N_PAIRS, holding_index
from handread.game.steps import Decision, Replay
from handread.inference.analysis import true_holding
from handread.inference.observer import (
    TIE_RULES,
    Belief,
    apply_bayes,
    deal,
    forecast,
    holding_values_at,
    unseen_upcards,
)
from handread.inference.players import PlayerModels
from handread.odds.htpd import TRIPLE_CARDS
from handread.policy.base import HoldingValues, legal_actions
from handread.policy.logit import SPOT_FEATURES, spot_features

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

CODES = {"check": 0, "call": 0, "bet": 1, "fold": 2, "raise": 3}
"""The actions as numbers; a check and a call are what the others are weighed against."""


@dataclass(frozen=True)
class Sample:
    """Lines (L), their turns (T), their groups (G), and rows (R): a group at a turn.

    A line's turns and groups stand together in order, and so do its rows, group by group.

    Lines: ``hand`` (L,) numbers the hands from 0, ``player`` (L,) names or "", ``turns`` and
    ``groups`` (L,) count; ``truth`` (L,) is the group of the true holding within the line, -1
    where it is not known.
    Turns: ``features`` (T, features of a spot); ``action`` (T,) as in ``CODES``; ``street`` (T,);
    ``log_n`` (T,) ln N; ``odds_x`` (T,) -log_N of the effective odds; ``faced`` a bet to call;
    ``can_fold``, ``can_raise``; ``true_percentile``, ``true_log_chance`` (T,) of the true
    holding, NaN where it is not known.
    Groups: ``weight`` (G,), adding up to 1 in each line. Rows: ``percentile`` and ``log_chance``
    (R,), the mean over the holdings of the group.
    """

    hand: Ints
    player: npt.NDArray[np.str_]
    turns: Ints
    groups: Ints
    truth: Ints
    features: Floats
    action: Ints
    street: Ints
    log_n: Floats
    odds_x: Floats
    faced: Flags
    can_fold: Flags
    can_raise: Flags
    true_percentile: Floats
    true_log_chance: Floats
    weight: Floats
    percentile: Floats
    log_chance: Floats

    @property
    def n_lines(self) -> int:
        """How many lines there are."""
        return int(self.turns.size)

    @property
    def n_turns(self) -> int:
        """How many actions there are."""
        return int(self.action.size)

    @cached_property
    def line_of_turn(self) -> Ints:
        """The line of each turn, (T,)."""
        return np.repeat(np.arange(self.n_lines), self.turns)

    @cached_property
    def line_of_group(self) -> Ints:
        """The line of each group, (G,)."""
        return np.repeat(np.arange(self.n_lines), self.groups)

    @cached_property
    def first_group(self) -> Ints:
        """Where each line's groups begin, (L,)."""
        return np.cumsum(self.groups) - self.groups

    @cached_property
    def group_of_row(self) -> Ints:
        """The group of each row, (R,)."""
        return np.repeat(np.arange(self.weight.size), self.turns[self.line_of_group])

    @cached_property
    def first_row(self) -> Ints:
        """Where each group's rows begin, (G,)."""
        turns = self.turns[self.line_of_group]
        return np.cumsum(turns) - turns

    @cached_property
    def turn_of_row(self) -> Ints:
        """The turn of each row, (R,)."""
        within = np.arange(self.percentile.size) - self.first_row[self.group_of_row]
        first_turn = np.cumsum(self.turns) - self.turns
        return first_turn[self.line_of_group[self.group_of_row]] + within

    @cached_property
    def known(self) -> Flags:
        """Which lines (L,) are of known downcards."""
        return self.truth >= 0

    def select(self, lines: Flags) -> Sample:
        """The lines that are marked, (L,)."""
        kept = {
            LINES: lines,
            TURNS: np.repeat(lines, self.turns),
            GROUPS: np.repeat(lines, self.groups),
            ROWS: np.repeat(lines, self.turns * self.groups),
        }
        arrays = {name: getattr(self, name)[mask] for names, mask in kept.items() for name in names}
        return Sample(**arrays)

    def hidden(self) -> Sample:
        """The same with no downcards known."""
        nowhere = np.full(self.n_turns, np.nan)
        return replace(
            self,
            truth=np.full(self.n_lines, -1),
            true_percentile=nowhere,
            true_log_chance=nowhere,
        )

    def with_truths(self) -> Sample:
        """The true holding alone, of weight 1, where it is known; other lines as they are."""
        theirs = self.known[self.line_of_group]
        their_rows = theirs[self.group_of_row]
        first_group = self.first_group[self.known]
        # Each known line becomes one group, whose rows are its turns, put in where it stood.
        at_groups = _kept_before(~theirs, first_group)
        at_rows = np.repeat(
            _kept_before(~their_rows, self.first_row[first_group]), self.turns[self.known]
        )
        turns = self.known[self.line_of_turn]
        true_percentile, true_chance = self.true_percentile[turns], self.true_log_chance[turns]
        return replace(
            self,
            groups=np.where(self.known, 1, self.groups),
            truth=np.where(self.known, 0, -1),
            weight=np.insert(self.weight[~theirs], at_groups, 1.0),
            percentile=np.insert(self.percentile[~their_rows], at_rows, true_percentile),
            log_chance=np.insert(self.log_chance[~their_rows], at_rows, true_chance),
        )

    def save(self, path: Path) -> None:
        """Write the arrays to a file."""
        with path.open("wb") as file:
            np.savez(file, **{name: getattr(self, name) for name in ARRAYS})

    @classmethod
    def load(cls, path: Path) -> Sample:
        """The arrays of a file."""
        with np.load(path, allow_pickle=False) as arrays:
            return cls(**{name: arrays[name] for name in ARRAYS})

    @classmethod
    def join(cls, samples: Iterable[Sample]) -> Sample:
        """Samples one after the other; raises ``ValueError`` when there are none."""
        parts = list(samples)
        joined = {name: np.concatenate([getattr(part, name) for part in parts]) for name in ARRAYS}
        return cls(**joined)


LINES = ("hand", "player", "turns", "groups", "truth")
TURNS = (
    "features",
    "action",
    "street",
    "log_n",
    "odds_x",
    "faced",
    "can_fold",
    "can_raise",
    "true_percentile",
    "true_log_chance",
)
GROUPS = ("weight",)
ROWS = ("percentile", "log_chance")
ARRAYS = (*LINES, *TURNS, *GROUPS, *ROWS)
"""The arrays of a sample, by what they have an entry for."""


def _kept_before(kept: Flags, places: Ints) -> Ints:
    """How many are kept before each place."""
    return np.concatenate([[0], np.cumsum(kept)])[places]


FINEST = 64
"""Into how many steps of the percentile holdings are told apart at an action, where they may be."""

FLOOR = -12.0
"""ln of a chance to win that is as good as none."""

TIES = TIE_RULES["split"]

_LOW, _MIDDLE, _HIGH = TRIPLE_CARDS.T
_TWO_OF_THREE = ((_LOW, _MIDDLE), (_LOW, _HIGH), (_MIDDLE, _HIGH))
PAIRS_OF_TRIPLE = np.stack([low + high * (high - 1) // 2 for low, high in _TWO_OF_THREE])
"""The three pairs in each triple, (3, 22100), as ``cards.pair_index`` counts."""


@dataclass(slots=True)
class _Line:
    """A seat's way through a hand, as far as it acted: its decisions and their outlooks."""

    decisions: list[Decision] = field(default_factory=list)
    outlooks: list[HoldingValues] = field(default_factory=list)
    truths: list[int] = field(default_factory=list)


def gather(hands: Iterable[tuple[int, Replay, PlayerModels]], groups: int) -> Sample:
    """The sample of hands with their numbers, as the observer sees them with these models.

    ``groups`` is the most that a line may have.
    """
    return Sample.join([_EMPTY, *(_sample_of(*hand, groups) for hand in hands)])


def _sample_of(number: int, hand: Replay, players: PlayerModels, groups: int) -> Sample:
    lines = [
        _sample_of_line(groups, number, hand.history.seat(seat).name, line)
        for seat, line in _lines(hand, players).items()
    ]
    return Sample.join([_EMPTY, *lines])


def _lines(hand: Replay, players: PlayerModels) -> dict[int, _Line]:
    """The lines of the seats that chose between actions, by seat."""
    lines: dict[int, _Line] = {}
    belief: Belief | None = None
    for street in hand.streets:
        if unseen_upcards(street):
            break
        belief, _ = deal(belief, street)
        for decision in street.decisions:
            model = players.of(decision.seat)
            outlook = holding_values_at(belief, decision, model, TIES)
            legal = legal_actions(decision)
            # A fold where nothing is to call is a player who went away, and no choice.
            if len(legal) > 1 and decision.action in legal:
                line = lines.setdefault(decision.seat, _Line())
                line.decisions.append(decision)
                line.outlooks.append(outlook)
                truth = true_holding(hand, decision.seat, street.number)
                line.truths.append(-1 if truth is None else holding_index(truth))
            shares = belief.shares.get(decision.seat)
            belief, _ = apply_bayes(belief, decision, forecast(model, decision, outlook, shares))
    return lines


def _sample_of_line(groups: int, number: int, player: str, line: _Line) -> Sample:
    """The sample of one line."""
    decisions, outlooks = line.decisions, line.outlooks
    n_turns = len(decisions)
    holdings = _holdings(outlooks)
    percentile = np.stack([o.percentile[h] for o, h in zip(outlooks, holdings, strict=True)])
    log_chance = np.stack([_log(o.chance[h]) for o, h in zip(outlooks, holdings, strict=True)])
    group = _grouped(percentile, groups)
    counts = np.bincount(group)
    known = -1 not in line.truths
    at = [int(truth) for truth in line.truths]
    truth_group = -1
    if known:
        here = np.logical_and.reduce([h == t for h, t in zip(holdings, at, strict=True)])
        truth_group = int(group[np.flatnonzero(here)[0]])
    nowhere = [math.nan] * n_turns
    return Sample(
        hand=np.array([number]),
        player=np.array([player]),
        turns=np.array([n_turns]),
        groups=np.array([counts.size]),
        truth=np.array([truth_group]),
        features=np.array(
            [spot_features(d, o.public) for d, o in zip(decisions, outlooks, strict=True)]
        ),
        action=np.array([CODES[d.action] for d in decisions]),
        street=np.array([d.street for d in decisions]),
        log_n=np.array([math.log(d.n_active) for d in decisions]),
        odds_x=np.array([_odds_x(d) for d in decisions]),
        faced=np.array([d.to_call > 0 for d in decisions]),
        can_fold=np.array([d.to_call > 0 and d.can_fold for d in decisions]),
        can_raise=np.array([d.can_raise for d in decisions]),
        true_percentile=np.array(
            [o.percentile[t] for o, t in zip(outlooks, at, strict=True)] if known else nowhere
        ),
        true_log_chance=np.array(
            [_log(o.chance[t]) for o, t in zip(outlooks, at, strict=True)] if known else nowhere
        ),
        weight=counts / counts.sum(),
        percentile=_means(percentile, group, counts),
        log_chance=_means(log_chance, group, counts),
    )


def _odds_x(decision: Decision) -> float:
    """-log_N of the effective odds; 0 where nothing is at stake."""
    odds = decision.effective_odds
    return -math.log(odds) / math.log(decision.n_active) if odds else 0.0


def _log(chance: Floats | float) -> Floats:
    """The logarithm of chances to win, not below ``FLOOR``."""
    return np.log(np.maximum(chance, math.exp(FLOOR)))


def _holdings(outlooks: list[HoldingValues]) -> list[Ints]:
    """For each turn, the holdings by index: one entry for each way that the hand may have gone.

    A way is a pair that no card seen by the last action rules out; where the last action was
    taken with three downcards, a triple with one of its three cards as the last.
    """
    last = outlooks[-1]
    if last.live.size == N_PAIRS:
        pairs = np.flatnonzero(last.live)
        return [pairs for _ in outlooks]
    triples = np.flatnonzero(last.live)
    pairs, triples = PAIRS_OF_TRIPLE[:, triples].ravel(), np.tile(triples, 3)
    return [pairs if outlook.live.size == N_PAIRS else triples for outlook in outlooks]


def _grouped(percentile: Floats, most: int) -> Ints:
    """The group of each way, by its standings (turns, ways), as fine as ``most`` allows."""
    steps = FINEST
    while True:
        cells = np.minimum((percentile * steps).astype(np.int64), steps - 1)
        code = cells[0]
        for more in cells[1:]:
            _, code = np.unique(code * steps + more, return_inverse=True)
        found, group = np.unique(code, return_inverse=True)
        if found.size <= most or steps == 2:
            return group
        steps //= 2


def _means(values: Floats, group: Ints, counts: Ints) -> Floats:
    """The means of values (turns, ways) in each group, group by group, (groups x turns,)."""
    sums = np.stack([np.bincount(group, weights=row, minlength=counts.size) for row in values])
    means: Floats = (sums / counts).T.ravel()
    return means


def _empty() -> Sample:
    """The sample of no hand."""
    none, numbers = np.zeros(0), np.zeros(0, dtype=np.int64)
    flags = np.zeros(0, dtype=bool)
    return Sample(
        hand=numbers,
        player=np.zeros(0, dtype="<U1"),
        turns=numbers,
        groups=numbers,
        truth=numbers,
        features=np.zeros((0, len(SPOT_FEATURES))),
        action=numbers,
        street=numbers,
        log_n=none,
        odds_x=none,
        faced=flags,
        can_fold=flags,
        can_raise=flags,
        true_percentile=none,
        true_log_chance=none,
        weight=none,
        percentile=none,
        log_chance=none,
    )


_EMPTY = _empty()
