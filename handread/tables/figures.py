"""Figures of an action and of a seat at a stage, each declared once.

A figure is made into a column of ``to_frame``, a column of the tables of ``score``, and a field of
the JSON object with its schema; the reference pages are made from these.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from handread.cards import cards_text
from handread.game.rules import ALL_STAGES
from handread.inference.values import Truth
from handread.odds.hand_types import CATEGORIES
from handread.odds.showdown import LOW_CATEGORIES
from handread.study.scores import WAYS
from handread.tables.figure import (
    ACTION,
    BITS,
    COUNT,
    EVERYWHERE,
    FLAG,
    FRAME,
    MONEY,
    NET,
    NUMBER,
    OF_STAGE,
    OPEN_BITS,
    PROBABILITY,
    REAL,
    SAME,
    SEAT,
    SHARE,
    SIGNED_BITS,
    STAGE_FRAME,
    TABLE,
    TEXT,
    Field,
    Figure,
    one_of,
)
from handread.tables.rows import ActionRow, SeatRow, StageRow

HAND_KEY: tuple[Figure[Any], ...] = (
    Figure("file", TEXT, "as in hands", lambda r: r.hand.source.file, (TABLE,)),
    Figure("line", COUNT, "as in hands", lambda r: r.hand.source.line, (TABLE,)),
    Figure("hand_id", TEXT, "as in hands", lambda r: r.hand.history.hand_id, EVERYWHERE),
    Figure("variant", TEXT, "as in hands", lambda r: r.hand.history.variant, (TABLE,)),
)
"""The columns that join the rows of a hand to ``hands``."""

STREET: Figure[Any] = Figure(
    "street",
    COUNT,
    "as in stages",
    lambda r: r.decision.street,
    json=Field("number of the street", schema={"enum": [2, 3, 4, 5, 6, 7]}),
)

ACTION_FIGURES: tuple[Figure[ActionRow], ...] = (
    *HAND_KEY,
    Figure(
        "n", NUMBER, "number of the action in the hand, from 1", lambda r: r.decision.n, json=SAME
    ),
    STREET,
    Figure("seat", SEAT, "seat of the player who acts", lambda r: r.decision.seat, json=SAME),
    Figure("name", TEXT, "name of the player who acts", lambda r: r.hand.names[r.decision.seat]),
    Figure(
        "action",
        ACTION,
        "action taken; a completion is a raise",
        lambda r: r.decision.action,
        json=Field("the action; a completion is a raise"),
    ),
    Figure(
        "completes",
        FLAG,
        "true if it completes the bring-in",
        lambda r: r.decision.completes,
        json=SAME,
    ),
    Figure(
        "all_in",
        FLAG,
        "true if it takes the player's last chips",
        lambda r: r.decision.all_in,
        json=SAME,
    ),
    Figure("amount_minor", MONEY, "chips that it adds", lambda r: r.decision.amount, json=SAME),
    Figure(
        "to_minor", MONEY, "total of the player on the street after it", lambda r: r.decision.to
    ),
    Figure(
        "to_call_minor", MONEY, "chips that a call adds", lambda r: r.decision.to_call, json=SAME
    ),
    Figure(
        "pot_minor",
        MONEY,
        "pot before it",
        lambda r: r.decision.pot,
        json=Field("the pot before it"),
    ),
    Figure(
        "n_active",
        COUNT,
        "number of players still in before it",
        lambda r: r.decision.n_active,
        json=Field(schema={"type": "integer", "minimum": 2, "maximum": 10}),
    ),
    Figure(
        "raises",
        COUNT,
        "number of bets and raises on the street before it",
        lambda r: r.decision.raises,
    ),
    Figure(
        "effective_odds",
        SHARE,
        "chips still to be put in, as a share of the final pot (section II)",
        lambda r: r.decision.effective_odds,
        json=Field("chips still to be put in, as a share of the final pot"),
    ),
    Figure(
        "p_win",
        PROBABILITY,
        "chance to win of the player before it, for the public (equation 1)",
        lambda r: r.reading.p_win,
    ),
    Figure(
        "p_win_own",
        PROBABILITY,
        "the same with the player's own downcards, where these are known",
        lambda r: r.reading.own_p_win,
    ),
    Figure(
        "p_action",
        PROBABILITY,
        "probability of the action before it was seen",
        lambda r: r.reading.evidence,
        json=Field(name="evidence"),
    ),
    Figure(
        "surprise_bits",
        SIGNED_BITS,
        "-log2 of p_action",
        lambda r: r.reading.surprise_bits,
        json=Field("-log2 of evidence; null if the policy takes the action with no holding"),
    ),
    Figure(
        "information_bits",
        BITS,
        "information on the player's downcards: D(after || before)",
        lambda r: r.reading.information_bits,
        json=Field("information about the player's downcards, from the viewpoint"),
    ),
    Figure(
        "truth_bits",
        SIGNED_BITS,
        "log2 of the factor by which the probability of the true downcards changed",
        lambda r: r.reading.truth_bits,
        json=Field(
            "log2 of the factor by which the probability of the true downcards changed; "
            "null if they are unknown or ruled out"
        ),
    ),
    Figure(
        "table_bits",
        BITS,
        "information_bits for the public, who sees no downcard: what the player told the table",
        lambda r: r.reading.table_bits,
        (FRAME,),
        json=SAME,
    ),
    Figure(
        "table_truth_bits",
        SIGNED_BITS,
        "truth_bits for the public",
        lambda r: r.reading.table_truth_bits,
        (FRAME,),
        json=SAME,
    ),
    Figure(
        "known", one_of(WAYS), "as in stages", lambda r: r.hand.known.get(r.decision.seat), (TABLE,)
    ),
    Figure(
        "action_line",
        COUNT,
        "line of the file that it is on; empty if unknown",
        lambda r: r.decision.line or None,
        (TABLE,),
        stable=False,
    ),
)


def _of_truth(value: Callable[[Truth], object]) -> Callable[[SeatRow], object]:
    return lambda r: None if r.read.truth is None else value(r.read.truth)


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
    Figure(
        "stage",
        one_of(ALL_STAGES),
        "street, then D after the deal or B after the bets",
        lambda r: r.stage.stage,
        EVERYWHERE,
    ),
    Figure(
        "street",
        COUNT,
        "number of the street: 3 to 7, in five-card stud 2 to 5",
        lambda r: r.stage.street,
        EVERYWHERE,
    ),
    Figure("seat", SEAT, "number of the seat", lambda r: r.seat),
    Figure(
        "name",
        TEXT,
        "name of the player; empty if the log has none",
        lambda r: r.hand.names[r.seat],
    ),
    Figure(
        "active",
        FLAG,
        "true if the seat is in; false if it folded on the street: then its last read",
        lambda r: r.active,
    ),
    _N_ACTIVE,
    Figure("pot_minor", MONEY, "pot at the stage", lambda r: r.stage.pot, OF_STAGE),
    replace(_N_ACTIVE, places=(STAGE_FRAME,)),  # which has it after the pot
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
    Figure(
        "omniscience",
        one_of(("none", "partial", "full")),
        "downcards that this observer sees: those of all players, of some, or none",
        lambda r: r.stage.omniscience,
        OF_STAGE,
    ),
    Figure(
        "outcome_entropy_bits",
        OPEN_BITS,
        "entropy of the winner for this observer (equation 6); repeated for each seat of a stage",
        lambda r: r.entropy_bits,
        OF_STAGE,
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
    Figure(
        "possible",
        COUNT,
        "number of holdings that the cards on view allow",
        lambda r: r.read.possible,
    ),
    Figure(
        "entropy_bits",
        BITS,
        "entropy of the read of the downcards; log2(possible) if nothing is known",
        lambda r: r.read.entropy_bits,
    ),
    Figure(
        "news_bits",
        OPEN_BITS,
        "information of the stage on the downcards: of the deal at a D, of the bets at a B",
        lambda r: r.read.news_bits,
        json=Field(
            "information of the stage about its downcards, D(pdd after || pdd before); of "
            "the cards at a D, of the bets at a B; null if infinite"
        ),
    ),
    Figure(
        "family",
        TEXT,
        "likeliest family of holdings, such as split pair",
        lambda r: r.leading[0],
        stable=False,
    ),
    Figure(
        "p_family",
        PROBABILITY,
        "probability of that family",
        lambda r: r.leading[1].bet_inference,
        stable=False,
    ),
    Figure(
        "p_family_cards_only",
        PROBABILITY,
        "the same by the cards alone",
        lambda r: r.leading[1].cards_only,
        stable=False,
    ),
    Figure(
        "family_risen",
        TEXT,
        "family that the bets raised most; empty if by less than 5 points",
        lambda r: r.read.risen_family,
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
        _of_truth(lambda truth: cards_text(truth.downcards)),
    ),
    Figure(
        "true_family",
        TEXT,
        "family of the true downcards",
        lambda r: r.read.true_kind and r.read.true_kind.family,
        stable=False,
    ),
    Figure(
        "p_truth",
        PROBABILITY,
        "probability of the true downcards by the read",
        _of_truth(lambda truth: truth.probability),
    ),
    Figure(
        "truth_bits",
        SIGNED_BITS,
        "log2 of p_truth over 1/possible: above 0 if the bets helped; -inf if ruled out",
        _of_truth(lambda truth: truth.score_bits),
    ),
    Figure(
        "truth_rank",
        REAL,
        "rank of the true downcards among the possible ones, from 1; equals share the middle",
        _of_truth(lambda truth: truth.rank),
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
    *(_category(name, "empty in games without a low") for name in ("no low", *LOW_CATEGORIES)),
)
