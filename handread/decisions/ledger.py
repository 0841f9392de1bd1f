"""The ledger of a hand: where a player's chips came from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

PARTS = 1000
"""Units of a ledger in a minor unit."""

TERMS = ("deal", "cards", "others", "own", "showdown", "rake")
"""The terms of a ledger, in the order of play."""

LUCK = ("deal", "cards", "showdown")
"""The terms that are the luck of the cards."""


@dataclass(frozen=True, slots=True)
class Ledger:
    """A player's result in a hand, by what brought it, in thousandths of a minor unit.

    The terms are integers that sum exactly to the chips won.

    Attributes:
        seat: The seat of the player.
        net: Chips won less chips put in, in minor units.
        terms: The change of the player's expected result by each of ``TERMS``: by the first deal,
            by later cards, by the actions of others and by own actions, at the showdown, and what
            the house took.
    """

    seat: int
    net: int
    terms: Mapping[str, int]

    @property
    def luck(self) -> int:
        """The luck of the cards: the sum of ``LUCK``."""
        return sum(self.terms[term] for term in LUCK)

    @property
    def adjusted(self) -> int:
        """The result without the luck of the cards."""
        return PARTS * self.net - self.luck
