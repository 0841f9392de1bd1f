"""Numbers with the words printed for them, from which the values of a report are made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class Number(NamedTuple):
    """A probability or bits, None where infinite, and what every renderer prints of it.

    ``within`` is its range, "(40 to 59)", empty for none.
    """

    value: float | None
    point: str
    within: str = ""

    @property
    def words(self) -> str:
        """The figure with its range: "52% (40 to 59)"."""
        return f"{self.point} {self.within}" if self.within else self.point


class HoldingChance(NamedTuple):
    """A kind of holding in words, and its probability."""

    what: str
    chance: Number


@dataclass(frozen=True, slots=True)
class ActionFigures:
    """A voluntary action: its probability and the information in it.

    ``surprise`` is None if the policy takes the action with no holding. ``information`` is about
    the downcards; ``truth`` is the bits added to the read of the true downcards, None if they are
    unknown. ``table`` and ``table_truth`` are the same for players who see no downcards;
    ``verdict`` is "true" or "false" if the action moved their read towards or away from the true
    downcards, else "".
    """

    n: int
    seat: int
    label: str
    words: str
    expected: Number
    one_in: str
    surprise: Number | None
    information: Number
    truth: Number | None
    table: Number
    table_truth: Number | None
    verdict: str
