"""How many actions of its hands a fit uses, and why it cannot use the others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from handread.game.steps import Replay
from handread.inference.observer import unseen_upcards
from handread.study.fit.sample import Sample, is_choice

MOST_LOST = 0.1
"""The largest share of the actions by choice that a fit may do without."""


@dataclass(frozen=True, slots=True)
class Usage:
    """The numbers of hands and of actions by choice, and of those that a fit uses.

    ``unseen`` counts the actions after an upcard that the log does not show; ``worst`` is the file
    of most of them, empty if there are none.
    """

    hands: int
    hands_used: int
    actions: int
    used: int
    unseen: int
    worst: str

    @classmethod
    def of(cls, hands: Sequence[Replay], sample: Sample) -> Usage:
        """Return the usage of hands of which a fit has this sample."""
        unseen = Counter[str]()
        actions = 0
        for hand in hands:
            seen = list(_choices(hand))
            actions += len(seen)
            unseen[hand.history.source.file] += seen.count(False)
        worst, most = max(unseen.items(), key=lambda one: one[1], default=("", 0))
        return cls(
            hands=len(hands),
            hands_used=int(np.unique(sample.hand).size),
            actions=actions,
            used=sample.n_turns,
            unseen=unseen.total(),
            worst=worst if most else "",
        )

    def why_not(self) -> list[str]:
        """Return why actions are not used, each reason with its number."""
        lost = self.actions - self.used - self.unseen
        reasons = []
        if self.unseen:
            reasons.append(
                f"{self.unseen:,} after an upcard that the log does not show, most in {self.worst}"
            )
        if lost:
            reasons.append(f"{lost:,} lost when the hands were read again for the fit")
        return reasons


def _choices(hand: Replay) -> Iterator[bool]:
    """Yield, for each action by choice, whether all upcards up to it were seen."""
    seen = True
    for street in hand.streets:
        seen = seen and not unseen_upcards(street)
        yield from (seen for decision in street.decisions if is_choice(decision))
