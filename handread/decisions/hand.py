"""What the decisions of a hand were worth, and where the chips of its players came from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from handread.decisions.ledger import Ledger
from handread.decisions.values import DecisionValue, Valuation
from handread.inference.values import Analysis


@dataclass(frozen=True, slots=True)
class HandValues:
    """The values of a hand.

    Attributes:
        decisions: Values of the decisions of players whose downcards were known, in order.
        ledgers: By seat the ledger of each player whose downcards were known.
        no_ledger: By seat why there is none, for the other players and for hands without an end.
    """

    decisions: tuple[DecisionValue, ...]
    ledgers: Mapping[int, Ledger] = field(default_factory=dict)
    no_ledger: Mapping[int, str] = field(default_factory=dict)


def hand_values(
    analysis: Analysis, valuation: Valuation, seats: set[int] | None = None
) -> HandValues:
    """Return the values of a hand.

    Args:
        analysis: The analysis of the hand, by policies.
        valuation: How decisions are valued.
        seats: Only those of these seats; None for all whose downcards are known.

    Raises:
        ValueError: The analysis is that of a reader without policies.
    """
    return HandValues(tuple(valuation.of_hand(analysis, seats)))
