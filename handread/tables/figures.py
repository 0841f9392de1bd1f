"""Figures of actions, of seats at a stage, of decisions and of ledgers, each declared once.

A figure becomes a column of ``to_frame``, a column of the tables of ``score``, and a field of the
JSON object with its schema; the reference pages are made from these.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from handread.cards import cards_text
from handread.decisions.ledger import PARTS
from handread.game.rules import ALL_STAGES
from handread.odds.hand_types import CATEGORIES
from handread.odds.showdown import LOW_CATEGORIES
from handread.study.scores import WAYS
from handread.tables.figure import (
    EVERYWHERE,
    FRAME,
    OF_STAGE,
    SAME,
    STAGE_FRAME,
    TABLE,
    Figure,
    JsonField,
    ValueKind,
    figures_of,
    finite,
    in_main_unit,
)
from handread.tables.rows import ActionRow, DecisionRow, LedgerRow, SeatRow, StageRow

TEXT = ValueKind("text", {"type": "string"})
FLAG = ValueKind("bool", {"type": "boolean"})
COUNT = ValueKind("i16", {"type": "integer", "minimum": 0})
NUMBER = ValueKind("i16", {"type": "integer", "minimum": 1})
LINE = ValueKind("i32", {"type": "integer", "minimum": 0})
SEAT = ValueKind("i16", {"type": "integer", "minimum": 1, "maximum": 10})
MONEY = ValueKind("i64", {"type": "number", "minimum": 0}, in_main_unit)
NET = ValueKind("i64", {"type": "number"}, in_main_unit)
CHIPS = ValueKind("f32", {"type": "number"}, in_main_unit)
CHIPS_ERROR = ValueKind("f32", {"type": "number", "minimum": 0}, in_main_unit)
REAL = ValueKind("f32", {"type": "number"})
SHARE = ValueKind("f32", {"type": "number", "minimum": 0, "maximum": 1})
PROBABILITY = ValueKind("f32", {"$ref": "#/$defs/probability"})
BITS = ValueKind("f32", {"$ref": "#/$defs/bits"})
OPEN_BITS = ValueKind("f32", {"type": ["number", "null"], "minimum": 0}, finite)
"""Bits that may be infinite or unknown."""
SIGNED_BITS = ValueKind("f32", {"type": ["number", "null"]}, finite)
"""Bits that may be infinite or unknown, of either sign."""


def one_of(words: Iterable[str]) -> ValueKind:
    """Return the kind of figures with these words as values."""
    words = tuple(words)
    return ValueKind("word", {"enum": list(words)}, words=words)


ACTION_WORDS = ("fold", "check", "call", "bet", "raise")
ACTION = one_of(ACTION_WORDS)

_row, _decision, _reading = figures_of(), figures_of("decision"), figures_of("reading")
_stage, _read, _truth = figures_of("stage"), figures_of("read"), figures_of("read.truth")
_value, _ledger = figures_of("value"), figures_of("ledger")

HAND_KEY: tuple[Figure[Any], ...] = (
    Figure("file", TEXT, "as in hands", lambda r: r.hand.source.file, (TABLE,)),
    Figure("line", LINE, "as in hands", lambda r: r.hand.source.line, (TABLE,)),
    Figure("hand_id", TEXT, "as in hands", lambda r: r.hand.history.hand_id, EVERYWHERE),
    Figure("variant", TEXT, "as in hands", lambda r: r.hand.history.variant, (TABLE,)),
)
"""The columns that join the rows of a hand to ``hands``."""

STREET: Figure[Any] = _decision(
    "street",
    COUNT,
    "as in stages",
    json=JsonField("number of the street", schema={"enum": [2, 3, 4, 5, 6, 7]}),
)

ACTING: Figure[Any] = Figure(
    "name", TEXT, "name of the player who acts", lambda r: r.hand.names[r.decision.seat]
)

KNOWN: Figure[Any] = Figure(
    "known", one_of(WAYS), "as in stages", lambda r: r.hand.known.get(r.decision.seat), (TABLE,)
)

ACTION_FIGURES: tuple[Figure[ActionRow], ...] = (
    *HAND_KEY,
    _decision("n", NUMBER, "number of the action in the hand, from 1", json=SAME),
    STREET,
    _decision("seat", SEAT, "seat of the player who acts", json=SAME),
    ACTING,
    _decision(
        "action",
        ACTION,
        "action taken; a completion is a raise",
        json=JsonField("the action; a completion is a raise"),
    ),
    _decision("completes", FLAG, "true if it completes the bring-in", json=SAME),
    _decision("all_in", FLAG, "true if it takes the player's last chips", json=SAME),
    _decision("amount_minor", MONEY, "chips that it adds", json=SAME),
    _decision("to_minor", MONEY, "total of the player on the street after it"),
    _decision("to_call_minor", MONEY, "chips that a call adds", json=SAME),
    _decision("pot_minor", MONEY, "pot before it", json=JsonField("the pot before it")),
    _decision(
        "n_active",
        COUNT,
        "number of players still in before it",
        json=JsonField(schema={"type": "integer", "minimum": 2, "maximum": 10}),
    ),
    _decision("raises", COUNT, "number of bets and raises on the street before it"),
    _decision(
        "effective_odds",
        SHARE,
        "chips still to be put in, as a share of the final pot (section II)",
        json=JsonField("chips still to be put in, as a share of the final pot"),
    ),
    _reading(
        "p_win", PROBABILITY, "chance to win of the player before it, for the public (equation 1)"
    ),
    _reading(
        "p_win_own",
        PROBABILITY,
        "the same with the player's own downcards, where these are known",
        "own_p_win",
    ),
    _reading(
        "p_action",
        PROBABILITY,
        "probability of the action before it was seen",
        "evidence",
        json=JsonField(name="evidence"),
    ),
    _reading(
        "surprise_bits",
        SIGNED_BITS,
        "-log2 of p_action",
        json=JsonField("-log2 of evidence; null if the policy takes the action with no holding"),
    ),
    _reading(
        "information_bits",
        BITS,
        "information on the player's downcards: D(after || before)",
        json=JsonField("information about the player's downcards, from the viewpoint"),
    ),
    _reading(
        "truth_bits",
        SIGNED_BITS,
        "log2 of the factor by which the probability of the true downcards changed",
        json=JsonField(
            "log2 of the factor by which the probability of the true downcards changed; "
            "null if they are unknown or ruled out"
        ),
    ),
    _reading(
        "table_bits",
        BITS,
        "information_bits for the public, who sees no downcard: what the player told the table",
        places=(FRAME,),
        json=SAME,
    ),
    _reading(
        "table_truth_bits", SIGNED_BITS, "truth_bits for the public", places=(FRAME,), json=SAME
    ),
    KNOWN,
    Figure(
        "action_line",
        LINE,
        "line of the file that it is on; empty if unknown",
        lambda r: r.decision.line or None,
        (TABLE,),
        stable=False,
    ),
)


def _named(name: Callable[[Any], object]) -> Figure[Any]:
    return Figure("name", TEXT, "name of the player; empty if the log has none", name)


def _kl_bits(place: int) -> Callable[[StageRow], float | None]:
    return lambda r: r.kl_bits and r.kl_bits[place]


def _category(name: str, empty: str) -> Figure[SeatRow]:
    return Figure(
        f"p_{name.replace(' ', '_')}",
        PROBABILITY,
        f"probability of the category {name} (htpd); {empty}",
        lambda r: r.categories.get(name) if r.active else None,
        (TABLE,),
        stable=False,
    )


_N_ACTIVE: Figure[SeatRow] = Figure(
    "n_active", COUNT, "number of players still in", lambda r: len(r.stage.active), (TABLE,)
)

STAGE_FIGURES: tuple[Figure[SeatRow], ...] = (
    *HAND_KEY,
    _stage(
        "stage",
        one_of(ALL_STAGES),
        "street, then D after the deal or B after the bets",
        places=EVERYWHERE,
    ),
    Figure(
        "stage_number",
        COUNT,
        "place of the stage in the order of play, which sorts: 0 for 2D to 11 for 7B",
        lambda r: ALL_STAGES.index(r.stage.stage),
        (TABLE,),
    ),
    _stage(
        "street", COUNT, "number of the street: 3 to 7, in five-card stud 2 to 5", places=EVERYWHERE
    ),
    _row("seat", SEAT, "number of the seat"),
    _named(lambda r: r.hand.names[r.seat]),
    _row(
        "active",
        FLAG,
        "true if the seat is in; false if it folded on the street: then its last read",
    ),
    _N_ACTIVE,
    _stage("pot_minor", MONEY, "pot at the stage", places=OF_STAGE),
    replace(_N_ACTIVE, places=(STAGE_FRAME,)),  # the frame has it after the pot
    Figure("upcards", TEXT, "upcards of the seat", lambda r: cards_text(r.read.up)),
    Figure(
        "p_win",
        PROBABILITY,
        "chance to win (in hi/lo share of the pot) by cards and bets; sums to 1 over the active",
        lambda r: r.stage.bet_inference.get(r.seat),
    ),
    Figure(
        "p_win_cards_only",
        PROBABILITY,
        "the same by the cards alone",
        lambda r: r.stage.cards_only.get(r.seat),
    ),
    Figure(
        "p_win_omniscient",
        PROBABILITY,
        "the same for an observer who sees the known downcards",
        lambda r: (r.stage.omniscient or {}).get(r.seat),
    ),
    _stage(
        "omniscience",
        one_of(("none", "partial", "full")),
        "downcards that this observer sees: those of all players, of some, or none",
        places=OF_STAGE,
    ),
    _row(
        "outcome_entropy_bits",
        OPEN_BITS,
        "entropy of the winner for this observer (equation 6); repeated for each seat of a stage",
        "entropy_bits",
        places=OF_STAGE,
    ),
    Figure(
        "kl_cards_only_bits",
        OPEN_BITS,
        "divergence of p_win_cards_only from p_win_omniscient (equation 7); the same for all seats",
        _kl_bits(0),
        OF_STAGE,
    ),
    Figure(
        "kl_bits",
        OPEN_BITS,
        "divergence of p_win from p_win_omniscient; the same for all seats",
        _kl_bits(1),
        OF_STAGE,
    ),
    _read("possible", COUNT, "number of holdings that the cards on view allow"),
    _read(
        "entropy_bits",
        BITS,
        "entropy of the read of the downcards; log2(possible) if nothing is known",
    ),
    _read(
        "news_bits",
        OPEN_BITS,
        "information of the stage on the downcards: of the deal at a D, of the bets at a B",
        json=JsonField(
            "information of the stage about its downcards, D(pdd after || pdd before); of "
            "the cards at a D, of the bets at a B; null if infinite"
        ),
    ),
    Figure(
        "family",
        TEXT,
        "likeliest family of holdings, such as split pair",
        lambda r: r.read.leading[0],
        stable=False,
    ),
    Figure(
        "p_family",
        PROBABILITY,
        "probability of that family",
        lambda r: r.read.leading[1].bet_inference,
        stable=False,
    ),
    Figure(
        "p_family_cards_only",
        PROBABILITY,
        "the same by the cards alone",
        lambda r: r.read.leading[1].cards_only,
        stable=False,
    ),
    _read(
        "family_risen",
        TEXT,
        "family that the bets raised most; empty if by less than 5 points",
        "risen_family",
        stable=False,
    ),
    Figure(
        "known",
        one_of(WAYS),
        "how the downcards are known: shown at the end, the hero's own, or published; else empty",
        lambda r: r.hand.known.get(r.seat),
        (TABLE,),
    ),
    Figure(
        "downcards",
        TEXT,
        "downcards held at the stage",
        lambda r: r.read.truth and cards_text(r.read.truth.downcards),
    ),
    _read("true_family", TEXT, "family of the true downcards", "true_kind.family", stable=False),
    _truth("p_truth", PROBABILITY, "probability of the true downcards by the read", "probability"),
    _truth(
        "truth_bits",
        SIGNED_BITS,
        "log2 of p_truth over 1/possible: above 0 if the bets helped; -inf if ruled out",
        "score_bits",
    ),
    _truth(
        "truth_rank",
        REAL,
        "rank of the true downcards among the possible ones, from 1; equals share the middle",
        "rank",
    ),
    Figure(
        "won_share",
        REAL,
        "share of all chips paid out at the end that the seat won",
        lambda r: r.hand.won_share.get(r.seat),
        (TABLE,),
    ),
    Figure(
        "net_minor",
        NET,
        "chips won in the hand less chips put in",
        lambda r: r.hand.net.get(r.seat),
        (TABLE,),
    ),
    *(_category(name, "empty for a seat that folded") for name in CATEGORIES),
    *(_category(name, "empty in games without a low") for name in LOW_CATEGORIES),
)


def _value_of(action: str) -> Callable[[DecisionRow], float | None]:
    return lambda r: next((a.q for a in r.value.actions if a.action == action), None)


DECISION_FIGURES: tuple[Figure[DecisionRow], ...] = (
    *HAND_KEY,
    _decision("n", NUMBER, "as in actions"),
    STREET,
    _decision("seat", SEAT, "seat of the player who acts"),
    ACTING,
    KNOWN,
    Figure("downcards", TEXT, "downcards of the player", lambda r: cards_text(r.value.down)),
    _decision("action", ACTION, "as in actions"),
    _value("best", ACTION, "action with the highest value", "best.action"),
    *(
        Figure(
            f"q_{action}_minor",
            CHIPS,
            f"expected net of a {action} from the decision on; empty where it is not legal",
            _value_of(action),
        )
        for action in ACTION_WORDS
    ),
    _value(
        "q_error_minor",
        CHIPS_ERROR,
        "standard error of the value of the action taken",
        "taken.error",
    ),
    _value(
        "cost_minor", CHIPS, "best value less that of the action taken; chance may make it negative"
    ),
    _value("cost_error_minor", CHIPS_ERROR, "standard error of the cost", "error"),
    Figure("cost_bb", REAL, "cost in big bets", lambda r: r.value.cost / r.value.big_bet),
    _value(
        "verdict",
        one_of(("best", "close", "rare", "costly", "mistake")),
        "close: cost within two standard errors; rare: beyond, but few real hands are like this; "
        "costly: beyond, by one policy; mistake: by two",
    ),
    _value(
        "check_cost_minor",
        CHIPS,
        "cost by the checking policy; empty if it was not asked",
        "checked.cost",
    ),
    _value("check_cost_error_minor", CHIPS_ERROR, "standard error of that cost", "checked.error"),
    _value("rollouts", LINE, "number of rollouts; 0 for learned values"),
)


def _term(name: str, cause: str, in_json: str = "") -> Figure[LedgerRow]:
    return Figure(
        f"{name}_minor",
        CHIPS,
        f"part of the net result that is due to {cause}",
        lambda r: r.ledger.terms[name] / PARTS,
        json=JsonField(in_json or f"part that is due to {cause}"),
    )


LEDGER_FIGURES: tuple[Figure[LedgerRow], ...] = (
    *HAND_KEY,
    _ledger("seat", SEAT, "number of the seat"),
    _named(lambda r: r.hand.names[r.ledger.seat]),
    replace(KNOWN, value=lambda r: r.hand.known.get(r.ledger.seat)),
    _ledger(
        "net_minor",
        NET,
        "chips won less chips put in: the sum of the next six columns",
        json=JsonField("chips won less chips put in"),
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
        json=JsonField("luck of the cards: deal, cards and showdown together"),
    ),
    Figure(
        "adjusted_minor",
        CHIPS,
        "net result without the luck of the cards",
        lambda r: r.ledger.adjusted / PARTS,
        json=JsonField("net without the luck of the cards"),
    ),
    Figure(
        "adjusted_bb",
        REAL,
        "the same in big bets",
        lambda r: r.ledger.adjusted / PARTS / r.hand.stakes.bets[-1],
    ),
)
