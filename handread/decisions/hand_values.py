"""The values of a hand: the values of its decisions, and the ledgers of its players."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from handread.decisions.decision_values import DecisionValue, LearnedValuation, Valuation
from handread.decisions.learned import learned_values, not_learned
from handread.decisions.ledger import Ledger, ledgers
from handread.decisions.states import HandTurns
from handread.inference.hand_analysis import Analysis, html_table
from handread.policy import PolicyError


@dataclass(frozen=True, slots=True, repr=False)
class HandValues:
    """The values of a hand.

    Attributes:
        decisions: Values of the decisions of players with known downcards, in order.
        ledgers: By seat the ledger of each player with known downcards.
        no_ledger: By seat the reason for no ledger: unknown downcards, or no end of the hand.
    """

    decisions: tuple[DecisionValue, ...]
    ledgers: Mapping[int, Ledger] = field(default_factory=dict)
    no_ledger: Mapping[int, str] = field(default_factory=dict)

    def __repr__(self) -> str:
        n = len(self.decisions)
        n_costly = sum(value.is_costly for value in self.decisions)
        return f"<HandValues of {n} decisions: {n_costly} costly>"

    def _repr_html_(self) -> str:
        rows: list[tuple[object, ...]] = [("n", "street", "seat", "taken", "values", "cost", "±")]
        for value in self.decisions:
            each = ", ".join(f"{option.action} {option.q:.0f}" for option in value.actions)
            made, cost, error = value.decision, f"{value.cost:.0f}", f"{value.error:.0f}"
            rows.append((made.n, made.street, made.seat, made.action, each, cost, error))
        return html_table(f"{self!r}, in minor units", rows)


def hand_values(
    analysis: Analysis, valuation: Valuation | LearnedValuation, seats: set[int] | None = None
) -> HandValues:
    """Return the values of a hand, of all seats with known downcards or of ``seats`` only.

    The ledgers are always made with learned values.

    Raises:
        PolicyError: Decisions are valued by learned values, and the policy has none in this game.
        ValueError: The reader of the analysis has no policies.
    """
    game = analysis.replay.history.variant
    learned = valuation.values_for(analysis) if isinstance(valuation, LearnedValuation) else None
    # Decisions and ledgers share the turns, which take as long to make as to value.
    made = HandTurns.of(analysis, seats)
    decisions = tuple(valuation.of_hand(analysis, seats, made))
    try:
        learned = learned or learned_values(analysis.players, game)
    except PolicyError:
        wanted = [seat for seat in analysis.replay.paid if seats is None or seat in seats]
        why = not_learned(analysis.players, game)
        return HandValues(decisions, {}, dict.fromkeys(wanted, why))
    return HandValues(decisions, *ledgers(analysis, learned, seats, made))
