"""Columns of the tables: name, type, unit and meaning of each, and how its cells are computed.

Names give the unit: ``_minor`` is minor units of the currency (cents), ``_bits`` is bits, and the
prefix ``p_`` marks a probability. Null means unknown. Infinite values stay infinite: the bits of a
read that ruled out the truth are -inf.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import polars as pl

from handread.cards import cards_text
from handread.game.rules import ALL_STAGES as STAGE_NAMES
from handread.odds.hand_types import CATEGORIES
from handread.odds.showdown import LOW_CATEGORIES
from handread.study.scores import WAYS
from handread.tables import ACTIONS, DECISIONS, HANDS, LEDGERS, PIECES, REJECTS, STAGE_TABLE
from handread.tables.rows import (
    ACTION_WORDS,
    COUNT,
    FLAG,
    HAND_KEY,
    MONEY,
    OMNISCIENCE,
    REAL,
    REJECT_WORDS,
    TEXT,
    ActionRow,
    Column,
    HandRow,
    PieceRow,
    RejectRow,
    StageRow,
)
from handread.tables.value_columns import DECISION_COLUMNS, LEDGER_COLUMNS

HAND_COLUMNS: tuple[Column[HandRow], ...] = (
    Column(
        "file",
        TEXT,
        "file of the hand, relative to the folder of the first run",
        lambda r: r.source.file,
    ),
    Column(
        "line",
        COUNT,
        "first line of the hand in its file, from 1; of Parquet its row",
        lambda r: r.source.line,
    ),
    Column("hand_id", TEXT, "what the log calls the hand", lambda r: r.history.hand_id),
    Column("dialect", TEXT, "format that it was read as", lambda r: r.source.dialect),
    Column(
        "variant", TEXT, "key of the game: stud, stud8, razz or 5stud", lambda r: r.history.variant
    ),
    Column("table_name", TEXT, "table, as the log names it", lambda r: r.history.table or None),
    Column(
        "played_at",
        TEXT,
        "date and time, as the log writes them",
        lambda r: r.history.played_at or None,
    ),
    Column(
        "currency",
        TEXT,
        "currency symbol of the amounts; empty for chips",
        lambda r: r.history.unit.symbol or None,
    ),
    Column(
        "decimals",
        COUNT,
        "decimals of the currency: 2 if minor units are cents",
        lambda r: r.history.unit.decimals,
    ),
    Column("ante_minor", MONEY, "ante", lambda r: r.stakes.ante),
    Column("bring_in_minor", MONEY, "bring-in", lambda r: r.stakes.bring_in),
    Column("small_bet_minor", MONEY, "bet on the first street", lambda r: r.stakes.bets[0]),
    Column(
        "big_bet_minor", MONEY, "bet on the last street, the big bet", lambda r: r.stakes.bets[-1]
    ),
    Column("seats", COUNT, "number of players dealt in", lambda r: len(r.replay.streets[0].active)),
    Column("hero", COUNT, "seat of the player whose log it is", lambda r: r.history.hero),
    Column("known", COUNT, "number of players whose downcards are known", lambda r: len(r.known)),
    Column("last_street", COUNT, "last street dealt", lambda r: r.replay.streets[-1].number),
    Column("actions", COUNT, "number of voluntary actions", lambda r: len(r.analysis.actions)),
    Column(
        "finished", FLAG, "true if the log goes to the end of the hand", lambda r: r.replay.finished
    ),
    Column(
        "showdown",
        COUNT,
        "number of players in at the showdown; 0 without one",
        lambda r: len(r.replay.showdown),
    ),
    Column("winners", TEXT, "seats that won chips, separated by blanks", lambda r: r.winners),
    Column("pot_minor", MONEY, "pot at the end", lambda r: r.replay.pot),
    Column("rake_minor", MONEY, "rake", lambda r: r.replay.rake),
    Column(
        "policy", TEXT, "policies that the hand was read with", lambda r: r.analysis.reader.name
    ),
    Column(
        "surprise_bits",
        REAL,
        "surprise of all actions together: -log2 of their probability",
        lambda r: r.analysis.surprise_bits,
    ),
    Column(
        "unexplained",
        COUNT,
        "number of actions that the policy takes with no holding",
        lambda r: sum(not action.explained for action in r.analysis.actions),
    ),
    Column(
        "findings",
        COUNT,
        "number of other findings; handread analyze prints them",
        lambda r: len(r.analysis.problems),
        stable=False,
    ),
)


def _category(name: str) -> Callable[[StageRow], float | None]:
    return lambda r: r.categories.get(name) if r.active else None


STAGE_COLUMNS: tuple[Column[StageRow], ...] = (
    *HAND_KEY,
    Column(
        "stage",
        STAGE_NAMES,
        "street, then D after the deal or B after the bets",
        lambda r: r.stage.stage,
    ),
    Column(
        "street",
        COUNT,
        "number of the street: 3 to 7, in five-card stud 2 to 5",
        lambda r: r.stage.street,
    ),
    Column("seat", COUNT, "number of the seat", lambda r: r.seat),
    Column(
        "name",
        TEXT,
        "name of the player; empty if the log has none",
        lambda r: r.hand.names[r.seat],
    ),
    Column(
        "active",
        FLAG,
        "true if the seat is in; false if it folded on the street: then its last read",
        lambda r: r.active,
    ),
    Column("n_active", COUNT, "number of players still in", lambda r: len(r.stage.active)),
    Column("pot_minor", MONEY, "pot at the stage", lambda r: r.stage.pot),
    Column("upcards", TEXT, "upcards of the seat", lambda r: cards_text(r.read.up)),
    Column(
        "p_win",
        REAL,
        "chance to win (in hi/lo share of the pot) by cards and bets; sums to 1 over the active",
        lambda r: r.stage.bet_inference.get(r.seat),
    ),
    Column(
        "p_win_cards_only",
        REAL,
        "the same by the cards alone",
        lambda r: r.stage.cards_only.get(r.seat),
    ),
    Column(
        "p_win_omniscient",
        REAL,
        "the same for an observer who sees the known downcards",
        lambda r: None if r.stage.omniscient is None else r.stage.omniscient.get(r.seat),
    ),
    Column(
        "omniscience",
        OMNISCIENCE,
        "downcards that this observer sees: those of all players, of some, or none",
        lambda r: r.stage.omniscience,
    ),
    Column(
        "outcome_entropy_bits",
        REAL,
        "entropy of the winner for this observer (equation 6); repeated for each seat of a stage",
        lambda r: r.entropy_bits,
    ),
    Column(
        "kl_cards_only_bits",
        REAL,
        "divergence of p_win_cards_only from p_win_omniscient (equation 7); the same for all seats",
        lambda r: r.kl_bits and r.kl_bits[0],
    ),
    Column(
        "kl_bits",
        REAL,
        "divergence of p_win from p_win_omniscient; the same for all seats",
        lambda r: r.kl_bits and r.kl_bits[1],
    ),
    Column(
        "possible",
        COUNT,
        "number of holdings that the cards on view allow",
        lambda r: r.read.possible,
    ),
    Column(
        "entropy_bits",
        REAL,
        "entropy of the read of the downcards; log2(possible) if nothing is known",
        lambda r: r.read.entropy_bits,
    ),
    Column(
        "news_bits",
        REAL,
        "information of the stage on the downcards: of the deal at a D, of the bets at a B",
        lambda r: r.read.news_bits,
    ),
    Column(
        "family",
        TEXT,
        "likeliest family of holdings, such as split pair",
        lambda r: r.leading[0],
        stable=False,
    ),
    Column(
        "p_family",
        REAL,
        "probability of that family",
        lambda r: r.leading[1].bet_inference,
        stable=False,
    ),
    Column(
        "p_family_cards_only",
        REAL,
        "the same by the cards alone",
        lambda r: r.leading[1].cards_only,
        stable=False,
    ),
    Column(
        "family_risen",
        TEXT,
        "family that the bets raised most; empty if by less than 5 points",
        lambda r: r.read.risen_family,
        stable=False,
    ),
    Column(
        "known",
        WAYS,
        "how the downcards are known: shown at the end, the hero's own, or published; else empty",
        lambda r: r.hand.known.get(r.seat),
    ),
    Column(
        "downcards",
        TEXT,
        "downcards held at the stage",
        lambda r: None if r.read.truth is None else cards_text(r.read.truth.downcards),
    ),
    Column(
        "true_family",
        TEXT,
        "family of the true downcards",
        lambda r: r.read.true_kind and r.read.true_kind.family,
        stable=False,
    ),
    Column(
        "p_truth",
        REAL,
        "probability of the true downcards by the read",
        lambda r: None if r.read.truth is None else r.read.truth.probability,
    ),
    Column(
        "truth_bits",
        REAL,
        "log2 of p_truth over 1/possible: above 0 if the bets helped; -inf if ruled out",
        lambda r: None if r.read.truth is None else r.read.truth.score_bits,
    ),
    Column(
        "truth_rank",
        REAL,
        "rank of the true downcards among the possible ones, from 1; equals share the middle",
        lambda r: None if r.read.truth is None else r.read.truth.rank,
    ),
    Column(
        "won_share",
        REAL,
        "share of all chips paid out at the end that the seat won",
        lambda r: r.hand.won_share.get(r.seat),
    ),
    Column(
        "net_minor",
        MONEY,
        "chips won in the hand less chips put in",
        lambda r: r.hand.net.get(r.seat),
    ),
    *(
        Column(
            f"p_{name.replace(' ', '_')}",
            REAL,
            f"probability of the category {name} (htpd); empty for a seat that folded",
            _category(name),
            stable=False,
        )
        for name in CATEGORIES
    ),
    *(
        Column(
            f"p_{name.replace(' ', '_')}",
            REAL,
            f"probability of the category {name} (htpd); empty in games without a low",
            _category(name),
            stable=False,
        )
        for name in ("no low", *LOW_CATEGORIES)
    ),
)

ACTION_COLUMNS: tuple[Column[ActionRow], ...] = (
    *HAND_KEY,
    Column("n", COUNT, "number of the action in the hand, from 1", lambda r: r.reading.decision.n),
    Column("street", COUNT, "as in stages", lambda r: r.reading.decision.street),
    Column("seat", COUNT, "seat of the player who acts", lambda r: r.reading.decision.seat),
    Column(
        "name", TEXT, "name of the player who acts", lambda r: r.hand.names[r.reading.decision.seat]
    ),
    Column(
        "action",
        ACTION_WORDS,
        "action taken; a completion is a raise",
        lambda r: r.reading.decision.action,
    ),
    Column(
        "completes",
        FLAG,
        "true if it completes the bring-in",
        lambda r: r.reading.decision.completes,
    ),
    Column(
        "all_in",
        FLAG,
        "true if it takes the player's last chips",
        lambda r: r.reading.decision.all_in,
    ),
    Column("amount_minor", MONEY, "chips that it adds", lambda r: r.reading.decision.amount),
    Column(
        "to_minor",
        MONEY,
        "total of the player on the street after it",
        lambda r: r.reading.decision.to,
    ),
    Column("to_call_minor", MONEY, "chips that a call adds", lambda r: r.reading.decision.to_call),
    Column("pot_minor", MONEY, "pot before it", lambda r: r.reading.decision.pot),
    Column(
        "n_active",
        COUNT,
        "number of players still in before it",
        lambda r: r.reading.decision.n_active,
    ),
    Column(
        "raises",
        COUNT,
        "number of bets and raises on the street before it",
        lambda r: r.reading.decision.raises,
    ),
    Column(
        "effective_odds",
        REAL,
        "chips still to be put in, as a share of the final pot (section II)",
        lambda r: r.reading.decision.effective_odds,
    ),
    Column(
        "p_win",
        REAL,
        "chance to win of the player before it, for the public (equation 1)",
        lambda r: r.reading.p_win,
    ),
    Column(
        "p_win_own",
        REAL,
        "the same with the player's own downcards, where these are known",
        lambda r: r.reading.own_p_win,
    ),
    Column(
        "p_action",
        REAL,
        "probability of the action before it was seen",
        lambda r: r.reading.evidence,
    ),
    Column("surprise_bits", REAL, "-log2 of p_action", lambda r: r.reading.surprise_bits),
    Column(
        "information_bits",
        REAL,
        "information on the player's downcards: D(after || before)",
        lambda r: r.reading.information_bits,
    ),
    Column(
        "truth_bits",
        REAL,
        "log2 of the factor by which the probability of the true downcards changed",
        lambda r: r.reading.truth_bits,
    ),
    Column(
        "known",
        WAYS,
        "as in stages",
        lambda r: r.hand.known.get(r.reading.decision.seat),
    ),
    Column(
        "action_line",
        COUNT,
        "line of the file that it is on; empty if unknown",
        lambda r: r.reading.decision.line or None,
        stable=False,
    ),
)

REJECT_COLUMNS: tuple[Column[RejectRow], ...] = (
    Column("file", TEXT, "file, relative to the folder of the first run", lambda r: r.problem.file),
    Column(
        "line",
        COUNT,
        "first line of the hand in its file, from 1; of Parquet its row",
        lambda r: r.file_line,
    ),
    Column(
        "hand_id",
        TEXT,
        "what the log calls the hand; empty for text that is not a hand",
        lambda r: None if r.history is None else r.history.hand_id,
    ),
    Column(
        "variant",
        TEXT,
        "game; empty if it is not known",
        lambda r: None if r.history is None else r.history.variant,
    ),
    Column(
        "kind",
        REJECT_WORDS,
        "why it is here: its log is wrong; it is sound and cannot be analyzed; it is of another "
        "game; it is text that is not a hand",
        lambda r: r.kind,
    ),
    Column("problem_line", COUNT, "line of the fault", lambda r: r.problem.line),
    Column("problem_column", COUNT, "column of the fault", lambda r: r.problem.column),
    Column("reason", TEXT, "what is wrong, in words", lambda r: r.problem.message),
    Column(
        "expected",
        TEXT,
        "what was expected there; empty if nothing can be said",
        lambda r: r.problem.expected or None,
    ),
    Column("text", TEXT, "text of that line", lambda r: r.line or None),
    Column(
        "dialect",
        TEXT,
        "format that was tried; empty for none",
        lambda r: r.problem.dialect or None,
    ),
)

PIECE_COLUMNS: tuple[Column[PieceRow], ...] = (
    Column("file", TEXT, "file, relative to the folder of the first run", lambda r: r.file),
    Column("first_line", COUNT, "first line of the piece", lambda r: r.first_line),
    Column("digest", TEXT, "hash of the content of the piece", lambda r: r.digest),
    Column("hands", COUNT, "number of its rows in hands", lambda r: r.hands),
    Column("rejects", COUNT, "number of its rows in rejects", lambda r: r.rejects),
    Column("repeated", COUNT, "number of its hands that came before", lambda _: 0),
    Column(
        "keys",
        TEXT,
        "hashes of its other hands, by which a repeated one is noticed",
        lambda r: r.joined_keys,
        stable=False,
    ),
)

COLUMNS: Mapping[str, tuple[Column[Any], ...]] = {
    HANDS: HAND_COLUMNS,
    STAGE_TABLE: STAGE_COLUMNS,
    ACTIONS: ACTION_COLUMNS,
    REJECTS: REJECT_COLUMNS,
    PIECES: PIECE_COLUMNS,
    DECISIONS: DECISION_COLUMNS,
    LEDGERS: LEDGER_COLUMNS,
}
"""The columns of every table, in order."""

_TYPES: Mapping[str, pl.DataType] = {
    TEXT: pl.String(),
    FLAG: pl.Boolean(),
    REAL: pl.Float32(),  # seven digits; more would be noise that does not compress
    MONEY: pl.Int64(),  # in a narrow unsigned type 2 - 3 is 255
    COUNT: pl.Int64(),
}


def type_of(column: Column[Any]) -> pl.DataType:
    """Return the polars type of a column."""
    return _TYPES[column.kind] if isinstance(column.kind, str) else pl.Enum(column.kind)


SCHEMAS: Mapping[str, pl.Schema] = {
    table: pl.Schema({column.name: type_of(column) for column in columns})
    for table, columns in COLUMNS.items()
}
"""The polars schema of every table."""
