"""The types of arguments and results of ``handread``'s functions, for annotations.

The types of fits and evaluations are imported on first use: they need SciPy.
"""

from typing import TYPE_CHECKING, Any

from handread.cards import Card
from handread.decisions.decision_values import ActionValue, DecisionValue
from handread.decisions.ledger import Ledger
from handread.decisions.terms import DecisionTerms, ValuedHand
from handread.game.pots import Pot
from handread.game.rules import Stakes, Street, Unit, Variant
from handread.game.seating import Options, PastAction, Phase, Seated
from handread.game.steps import DealtStreet, Decision, DecisionPoint, Step, StreetRecord
from handread.game.table import Table
from handread.history import Action, Claim, Event, LowClaim, NetResult, Seat, Source, Wager
from handread.inference.observer import ObservedStreet, TieRule, Update
from handread.inference.players import Earlier
from handread.inference.ranges import DrawnReads, Range
from handread.inference.readers import Observer, Player
from handread.inference.stages import ActionReading, FamilyRead, SeatRead, StageReading, Truth
from handread.inference.viewpoint import View, Viewpoint
from handread.lazy import lazily
from handread.odds.high_holdings import Kind
from handread.odds.htpd import Htpds, Operator, SeatView
from handread.odds.showdown import Showdown
from handread.policy import HoldingValues, Panel, PolicyFile, Provenance, Single

with lazily():
    import handread.study.evaluation as evaluations
    import handread.study.fit.choices as choices
    import handread.study.fit.fitted as fitted
    import handread.study.fit.intervals as intervals
    import handread.study.statistics as statistics

if TYPE_CHECKING:
    from handread.study.evaluation import Evaluation, Folds, KnownDowncards
    from handread.study.fit.choices import Choice
    from handread.study.fit.fitted import Fit, FitError, FitOptions, Usage
    from handread.study.fit.intervals import Untold
    from handread.study.statistics import Estimate, FigureTable

__all__ = ["Action", "Card", "Claim", "Event", "LowClaim", "NetResult", "Seat", "Source", "Wager"]
__all__ += ["Options", "PastAction", "Phase", "Pot", "Stakes", "Street", "Unit", "Variant"]
__all__ += ["DealtStreet", "Decision", "DecisionPoint", "Step", "StreetRecord", "Table"]
__all__ += ["ActionReading", "FamilyRead", "SeatRead", "Seated", "StageReading", "Truth"]
__all__ += ["DrawnReads", "Kind", "Operator", "Range", "Showdown"]
__all__ += ["Htpds", "SeatView", "View", "Viewpoint"]
__all__ += ["ObservedStreet", "Observer", "Player", "TieRule", "Update"]
__all__ += ["Earlier", "HoldingValues", "Panel", "PolicyFile", "Provenance", "Single"]
__all__ += ["ActionValue", "DecisionTerms", "DecisionValue", "Ledger", "ValuedHand"]
__all__ += ["Choice", "Estimate", "Evaluation", "FigureTable", "Fit", "FitError"]
__all__ += ["FitOptions", "Folds", "KnownDowncards", "Untold", "Usage"]


def __getattr__(name: str) -> Any:
    for module in (statistics, evaluations, fitted, choices, intervals) if name in __all__ else ():
        if hasattr(module, name):
            return getattr(module, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
