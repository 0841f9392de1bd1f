"""BPP's counts of actions, and the action matrices that follow (Korb et al. 1999, section 3.3).

A ``Record`` counts choices by the hand type of the player: bet or not where a bet or raise is
allowed, fold or not where a bet must be met. The counts are by all distinctions and the types of
``FINE``; they are added up where ``Switches`` do not make a distinction.

The paper merges checks with calls and bets with raises, and folds all hands equally often. By the
switches, a player

* chooses in another way when a bet must be met (``refined``),
* folds some types more than others (``folds``),
* looks at the other upcards (``link``): the matrices differ for hands that are behind, level with
  and ahead of the best hand showing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import NamedTuple

import numpy as np

from handread.arrays import Floats, Ints
from handread.game.rules import FIVE_STUD, STUD, Variant
from handread.game.steps import Decision, DecisionPoint
from handread.papers.bpp.types import FINE, TYPE_SETS, TypeSet

GAMES = (FIVE_STUD, STUD)
"""The games that BPP reads: the paper's, and seven-card stud high by the same network."""

CONTEXTS = ("free", "facing")
"""Nobody has bet; a bet must be met."""
RELATIONS = ("behind", "level", "ahead")
"""The player's hand against the best hand showing."""

LEARNING = ("player", "pooled", "off")
"""Whose hands a reader learns from: each player's by name, all together, nobody's."""


@dataclass(frozen=True, slots=True)
class Switches:
    """The distinctions that a BPP reader makes; by default the paper's.

    Attributes:
        types: Name of the set of hand types: "paper" (17), "nine" or "fine".
        refined: Separate checks from calls, and bets from raises.
        folds: Let folds depend on the hand type; needs ``all_hands``, as no folded hand is shown.
        link: Let actions depend on the other upcards.
        all_hands: Learn from all hands, hidden cards as missing data; otherwise from showdowns.
        memory: Keep the evidence of earlier rounds, as the dynamic network of section 6.3;
            otherwise each betting round has a network of its own.
        learning: One of ``LEARNING``.
        weight: Number of observations that the starting odds of a type count as.

    Raises ``ValueError`` for unknown names and contradictory switches.
    """

    types: str = "paper"
    refined: bool = False
    folds: bool = False
    link: bool = False
    all_hands: bool = False
    memory: bool = False
    learning: str = "player"
    weight: float = 2.0

    def __post_init__(self) -> None:
        if self.types not in TYPE_SETS:
            raise ValueError(f"no hand types {self.types!r}: expected {', '.join(TYPE_SETS)}")
        if self.learning not in LEARNING:
            raise ValueError(f"no learning {self.learning!r}: expected {', '.join(LEARNING)}")
        if self.folds and not self.all_hands:
            raise ValueError("folded hands are not shown: folds needs all_hands")
        if not self.weight > 0.0:
            raise ValueError(f"a weight is a number above 0, not {self.weight}")

    @property
    def changed(self) -> str:
        """The distinctions that differ from the paper, as text; empty without any."""
        changes = [f"{self.types} types"] if self.types != "paper" else []
        names = [switch.name for switch in fields(self) if getattr(self, switch.name) is True]
        return ", ".join([*changes, *(name.replace("_", " ") for name in names)])


class BinaryChoices(NamedTuple):
    """The two choices that an action makes."""

    folded: bool | None  # None if there was no bet to fold to
    raised: bool | None  # a bet, too; None if neither was legal, and for a fold


def choice_in(decision: Decision) -> BinaryChoices:
    """Return the choices that an action makes."""
    facing = decision.to_call > 0 and decision.can_fold
    folded = decision.action == "fold"
    open_to_raise = decision.can_raise and not folded
    raised = decision.action in ("bet", "raise")
    return BinaryChoices(folded if facing else None, raised if open_to_raise else None)


def context_of(spot: DecisionPoint) -> int:
    """Return the index of a decision's context in ``CONTEXTS``."""
    return int(spot.to_call > 0)


@dataclass(frozen=True, slots=True, eq=False)
class Record:
    """Counts of choices, by betting round, context, relation and type of ``FINE``.

    Attributes:
        bets: No bet, and bets (rounds, contexts, relations, types, 2), where one was allowed.
        folds: Other actions, and folds (rounds, relations, types, 2), where a bet had to be met.
        met: ``folds`` for all hands, shown or not (rounds, 2).
    """

    bets: Floats
    folds: Floats
    met: Floats

    @classmethod
    def empty(cls, game: Variant) -> Record:
        """Return a record of a game without counts."""
        rounds = len(game.streets)
        met = np.zeros((rounds, 2))
        folds = np.zeros((rounds, len(RELATIONS), len(FINE), 2))
        return cls(np.zeros((rounds, len(CONTEXTS), *folds.shape[1:])), folds, met)

    def plus(self, other: Record) -> Record:
        """Return the sum of two records."""
        return Record(self.bets + other.bets, self.folds + other.folds, self.met + other.met)


class MatrixRows(NamedTuple):
    """The indices of holdings in ``RELATIONS`` and in ``FINE``, each (holdings,)."""

    relations: Ints
    types: Ints


@dataclass(frozen=True, slots=True, eq=False)
class ActionMatrices:
    """The action matrices of all rounds, by the types of ``FINE``.

    Attributes:
        bet: P(bet or raise | type, no fold), (rounds, contexts, relations, types).
        fold: P(fold | type) where a bet must be met, (rounds, relations, types).
    """

    bet: Floats
    fold: Floats

    def probabilities(self, spot: DecisionPoint, place: int, rows: MatrixRows) -> dict[str, Floats]:
        """Return P(action | holding), (holdings,), of each legal action; ``place`` is the round."""
        context = context_of(spot)
        probs: dict[str, Floats] = {}
        stay = np.ones(rows.types.size)
        if context and spot.can_fold:
            probs["fold"] = self.fold[place, rows.relations, rows.types]
            stay = 1.0 - probs["fold"]
        passive, active = ("call", "raise") if context else ("check", "bet")
        if not spot.can_raise:
            return {**probs, passive: stay}
        bet = self.bet[place, context, rows.relations, rows.types]
        return {**probs, passive: stay * (1.0 - bet), active: stay * bet}

    def of_types(self, types: TypeSet, cards: int, place: int) -> Floats:
        """Return the paper's matrix M_A/C of a round (types, 2): P(no bet), P(bet) by type.

        It holds where contexts (``refined``) and relations (``link``) are not distinguished.
        """
        bet = np.full(len(types), 0.5)
        bet[types.of_fine(cards)] = self.bet[place, 0, 0]
        return np.stack([1.0 - bet, bet], axis=1)


def action_matrices(records: Sequence[Record], game: Variant, switches: Switches) -> ActionMatrices:
    """Return the action matrices from records, the most general first: each starts the next.

    The first record starts from even odds. Every start counts as ``switches.weight`` observations
    of each type, so that a player's short record does not outweigh the long record of all players.
    """
    rounds = len(game.streets)
    shape = (len(RELATIONS), len(FINE))
    bet = np.full((rounds, len(CONTEXTS), *shape), 0.5)
    fold = np.full((rounds, *shape), 0.5)
    weight = switches.weight
    for record in records:
        for place, street in enumerate(game.streets):
            of_fine = TYPE_SETS[switches.types].of_fine(street.number)
            bets = _merged(record.bets[place], of_fine, switches)
            if not switches.refined:
                bets = np.broadcast_to(bets.sum(axis=0), bets.shape)
            bet[place] = (weight * bet[place] + bets[..., 1]) / (weight + bets.sum(axis=-1))
            if switches.folds:
                folds = _merged(record.folds[place], of_fine, switches)
            else:
                folds = np.broadcast_to(record.met[place], (*shape, 2))
            fold[place] = (weight * fold[place] + folds[..., 1]) / (weight + folds.sum(axis=-1))
    return ActionMatrices(bet, fold)


def _merged(counts: Floats, of_fine: Ints, switches: Switches) -> Floats:
    """Add up counts (..., relations, fine types, 2) over distinctions that the switches ignore."""
    # The shape stays: fine types that are one type for the switches all get its sum.
    alike = of_fine[:, None] == of_fine
    merged: Floats = np.einsum("...tk,ut->...uk", counts, alike.astype(float))
    if not switches.link:
        merged = np.broadcast_to(merged.sum(axis=-3, keepdims=True), merged.shape)
    return merged
