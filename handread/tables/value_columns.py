"""Figures of decisions, and of ledgers of luck and play.

Those of decisions are columns only: JSON nests them by the policies that value a decision.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from handread.cards import cards_text
from handread.decisions.ledger import PARTS
from handread.study.scores import WAYS
from handread.tables.figure import (
    ACTION,
    ACTION_WORDS,
    CHIPS,
    CHIPS_ERROR,
    COUNT,
    NET,
    NUMBER,
    REAL,
    SEAT,
    TEXT,
    Field,
    Figure,
    one_of,
)
from handread.tables.figures import HAND_KEY, STREET
from handread.tables.rows import DecisionRow, LedgerRow


def _value_of(action: str) -> Callable[[DecisionRow], float | None]:
    return lambda r: next((a.q for a in r.value.actions if a.action == action), None)


DECISION_FIGURES: tuple[Figure[DecisionRow], ...] = (
    *HAND_KEY,
    Figure("n", NUMBER, "as in actions", lambda r: r.decision.n),
    replace(STREET, value=lambda r: r.decision.street),
    Figure("seat", SEAT, "seat of the player who acts", lambda r: r.decision.seat),
    Figure("name", TEXT, "name of the player who acts", lambda r: r.hand.names[r.decision.seat]),
    Figure("known", one_of(WAYS), "as in stages", lambda r: r.hand.known.get(r.decision.seat)),
    Figure("downcards", TEXT, "downcards of the player", lambda r: cards_text(r.value.down)),
    Figure("action", ACTION, "as in actions", lambda r: r.decision.action),
    Figure("best", ACTION, "action with the highest value", lambda r: r.value.best.action),
    *(
        Figure(
            f"q_{action}_minor",
            CHIPS,
            f"expected net of a {action} from the decision on; empty where it is not legal",
            _value_of(action),
        )
        for action in ACTION_WORDS
    ),
    Figure(
        "q_error_minor",
        CHIPS_ERROR,
        "standard error of the value of the action taken",
        lambda r: r.value.taken.error,
    ),
    Figure(
        "cost_minor",
        CHIPS,
        "best value less that of the action taken; chance may make it negative",
        lambda r: r.value.cost,
    ),
    Figure("cost_error_minor", CHIPS_ERROR, "standard error of the cost", lambda r: r.value.error),
    Figure("cost_bb", REAL, "cost in big bets", lambda r: r.value.cost / r.value.big_bet),
    Figure(
        "verdict",
        one_of(("best", "close", "costly", "mistake")),
        "close: cost within two standard errors; costly: beyond, by one policy; mistake: by two",
        lambda r: r.value.verdict,
    ),
    Figure(
        "check_cost_minor",
        CHIPS,
        "cost by the checking policy; empty if it was not asked",
        lambda r: r.value.checked and r.value.checked.cost,
    ),
    Figure(
        "check_cost_error_minor",
        CHIPS_ERROR,
        "standard error of that cost",
        lambda r: r.value.checked and r.value.checked.error,
    ),
    Figure(
        "rollouts", COUNT, "number of rollouts; 0 for learned values", lambda r: r.value.rollouts
    ),
)


def _term(name: str, cause: str, in_json: str = "") -> Figure[LedgerRow]:
    return Figure(
        f"{name}_minor",
        CHIPS,
        f"part of the net result that is due to {cause}",
        lambda r: r.ledger.terms[name] / PARTS,
        json=Field(in_json or f"part that is due to {cause}"),
    )


LEDGER_FIGURES: tuple[Figure[LedgerRow], ...] = (
    *HAND_KEY,
    Figure("seat", SEAT, "number of the seat", lambda r: r.ledger.seat),
    Figure(
        "name",
        TEXT,
        "name of the player; empty if the log has none",
        lambda r: r.hand.names[r.ledger.seat],
    ),
    Figure("known", one_of(WAYS), "as in stages", lambda r: r.hand.known.get(r.ledger.seat)),
    Figure(
        "net_minor",
        NET,
        "chips won less chips put in: the sum of the next six columns",
        lambda r: r.ledger.net,
        json=Field("chips won less chips put in"),
    ),
    _term("deal", "the first deal", "part of net that is due to the first deal"),
    _term("cards", "later cards"),
    _term("others", "the actions of others"),
    _term("own", "the player's own actions"),
    _term("showdown", "the showdown"),
    _term("rake", "the rake", "part that the house took"),
    Figure(
        "luck_minor",
        CHIPS,
        "luck of the cards: deal_minor, cards_minor and showdown_minor together",
        lambda r: r.ledger.luck / PARTS,
        json=Field("luck of the cards: deal, cards and showdown together"),
    ),
    Figure(
        "adjusted_minor",
        CHIPS,
        "net result without the luck of the cards",
        lambda r: r.ledger.adjusted / PARTS,
        json=Field("net without the luck of the cards"),
    ),
    Figure(
        "adjusted_bb",
        REAL,
        "the same in big bets",
        lambda r: r.ledger.adjusted / PARTS / r.hand.stakes.bets[-1],
    ),
)
