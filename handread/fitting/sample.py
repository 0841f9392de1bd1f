"""What a fit sees of the hands: seats' lines of actions, and what every holding promised each time.

Of the hundreds of holdings that a seat may have, those that stood alike at each of its actions are
taken together: a *group* with a weight. Where downcards are known the truth stands beside them.
Everything is kept in flat arrays, so that a fit costs a few passes over them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np
import numpy.typing as npt

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
    ``can_fold``, ``can_raise``; ``true_standing``, ``true_log_chance`` (T,) of the true
    holding, NaN where it is not known.
    Groups: ``weight`` (G,), adding up to 1 in each line. Rows: ``standing`` and ``log_chance``
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
    true_standing: Floats
    true_log_chance: Floats
    weight: Floats
    standing: Floats
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
        within = np.arange(self.standing.size) - self.first_row[self.group_of_row]
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
            true_standing=nowhere,
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
        true_standing, true_chance = self.true_standing[turns], self.true_log_chance[turns]
        return replace(
            self,
            groups=np.where(self.known, 1, self.groups),
            truth=np.where(self.known, 0, -1),
            weight=np.insert(self.weight[~theirs], at_groups, 1.0),
            standing=np.insert(self.standing[~their_rows], at_rows, true_standing),
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
    "true_standing",
    "true_log_chance",
)
GROUPS = ("weight",)
ROWS = ("standing", "log_chance")
ARRAYS = (*LINES, *TURNS, *GROUPS, *ROWS)
"""The arrays of a sample, by what they have an entry for."""


def _kept_before(kept: Flags, places: Ints) -> Ints:
    """How many are kept before each place."""
    return np.concatenate([[0], np.cumsum(kept)])[places]
