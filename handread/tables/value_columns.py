"""Columns of the tables of decisions and ledgers."""

from __future__ import annotations

from collections.abc import Callable

from handread.cards import cards_text
from handread.decisions.ledger import PARTS
from handread.study.scores import WAYS
from handread.tables.rows import (
    ACTION_WORDS,
    COUNT,
    HAND_KEY,
    MONEY,
    REAL,
    TEXT,
    VERDICT_WORDS,
    Column,
    DecisionRow,
    LedgerRow,
)


def _value_of(action: str) -> Callable[[DecisionRow], float | None]:
    return lambda r: next((a.q for a in r.value.actions if a.action == action), None)


DECISION_COLUMNS: tuple[Column[DecisionRow], ...] = (
    *HAND_KEY,
    Column("n", COUNT, "as in actions", lambda r: r.value.decision.n),
    Column("street", COUNT, "as in stages", lambda r: r.value.decision.street),
    Column("seat", COUNT, "seat of the player who acts", lambda r: r.value.decision.seat),
    Column(
        "name", TEXT, "name of the player who acts", lambda r: r.hand.names[r.value.decision.seat]
    ),
    Column("known", WAYS, "as in stages", lambda r: r.hand.known.get(r.value.decision.seat)),
    Column("downcards", TEXT, "downcards of the player", lambda r: cards_text(r.value.down)),
    Column("action", ACTION_WORDS, "as in actions", lambda r: r.value.decision.action),
    Column("best", ACTION_WORDS, "action with the highest value", lambda r: r.value.best.action),
    *(
        Column(
            f"q_{action}_minor",
            REAL,
            f"expected net of a {action} from the decision on; empty where it is not legal",
            _value_of(action),
        )
        for action in ACTION_WORDS
    ),
    Column(
        "q_error_minor",
        REAL,
        "standard error of the value of the action taken",
        lambda r: r.value.taken.error,
    ),
    Column(
        "cost_minor",
        REAL,
        "best value less that of the action taken; chance may make it negative",
        lambda r: r.value.cost,
    ),
    Column("cost_error_minor", REAL, "standard error of the cost", lambda r: r.value.error),
    Column("cost_bb", REAL, "cost in big bets", lambda r: r.value.cost / r.value.big_bet),
    Column(
        "verdict",
        VERDICT_WORDS,
        "close: cost within two standard errors; costly: beyond, by one policy; mistake: by two",
        lambda r: r.value.verdict,
    ),
    Column(
        "check_cost_minor",
        REAL,
        "cost by the checking policy; empty if it was not asked",
        lambda r: r.value.checked and r.value.checked.cost,
    ),
    Column(
        "check_cost_error_minor",
        REAL,
        "standard error of that cost",
        lambda r: r.value.checked and r.value.checked.error,
    ),
    Column(
        "rollouts", COUNT, "number of rollouts; 0 for learned values", lambda r: r.value.rollouts
    ),
)


def _term(name: str) -> Callable[[LedgerRow], float]:
    return lambda r: r.ledger.terms[name] / PARTS


LEDGER_COLUMNS: tuple[Column[LedgerRow], ...] = (
    *HAND_KEY,
    Column("seat", COUNT, "number of the seat", lambda r: r.ledger.seat),
    Column(
        "name",
        TEXT,
        "name of the player; empty if the log has none",
        lambda r: r.hand.names[r.ledger.seat],
    ),
    Column("known", WAYS, "as in stages", lambda r: r.hand.known.get(r.ledger.seat)),
    Column(
        "net_minor",
        MONEY,
        "chips won less chips put in: the sum of the next six columns",
        lambda r: r.ledger.net,
    ),
    *(
        Column(f"{term}_minor", REAL, f"part of the net result that is due to {words}", _term(term))
        for term, words in {
            "deal": "the first deal",
            "cards": "later cards",
            "others": "the actions of others",
            "own": "the player's own actions",
            "showdown": "the showdown",
            "rake": "the rake",
        }.items()
    ),
    Column(
        "luck_minor",
        REAL,
        "luck of the cards: deal_minor, cards_minor and showdown_minor together",
        lambda r: r.ledger.luck / PARTS,
    ),
    Column(
        "adjusted_minor",
        REAL,
        "net result without the luck of the cards",
        lambda r: r.ledger.adjusted / PARTS,
    ),
    Column(
        "adjusted_bb",
        REAL,
        "the same in big bets",
        lambda r: r.ledger.adjusted / PARTS / r.hand.stakes.bets[-1],
    ),
)
