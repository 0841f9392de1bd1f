"""The values of a hand: those of its decisions, and the ledgers of its players."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from handread.decisions.learned import learned_values, not_learned
from handread.decisions.ledger import Ledger, ledgers
from handread.decisions.states import HandTurns
from handread.decisions.values import DecisionValue, LearnedValuation, Valuation
from handread.inference.hand import Analysis
from handread.policy import PolicyError


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
    analysis: Analysis, valuation: Valuation | LearnedValuation, seats: set[int] | None = None
) -> HandValues:
    """Return the values of a hand, of all seats whose downcards are known or of those in ``seats``.

    The ledgers are made with learned values, in whatever way the decisions are valued.

    Raises:
        PolicyError: Decisions are valued by learned values, and the policy has none in this game.
        ValueError: The analysis is that of a reader without policies.
    """
    game = analysis.replay.history.variant
    learned = valuation.values_for(analysis) if isinstance(valuation, LearnedValuation) else None
    # Decisions and ledgers take the same turns; to make them takes as long as to value them.
    made = HandTurns.of(analysis, seats)
    decisions = tuple(valuation.of_hand(analysis, seats, made))
    try:
        learned = learned or learned_values(analysis.players, game)
    except PolicyError:
        wanted = [seat for seat in analysis.replay.paid if seats is None or seat in seats]
        why = not_learned(analysis.players, game)
        return HandValues(decisions, {}, dict.fromkeys(wanted, why))
    return HandValues(decisions, *ledgers(analysis, learned, seats, made))
