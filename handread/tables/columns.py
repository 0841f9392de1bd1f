"""Columns of the tables: name, type, unit and meaning of each, and how its cells are computed.

Names give the unit: ``_minor`` is minor units of the currency (cents), ``_bits`` is bits, and the
prefix ``p_`` marks a probability. Null means unknown. Infinite values stay infinite: the bits of a
read that ruled out the truth are -inf.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, TypeVar

import polars as pl

from handread.cards import cards_text
from handread.decisions.hand import HandValues
from handread.decisions.ledger import PARTS, Ledger
from handread.decisions.values import DecisionValue
from handread.game.rules import ALL_STAGES as STAGE_NAMES
from handread.history import History, Problem
from handread.inference.values import ActionReading, Analysis, FamilyRead, SeatRead, StageReading
from handread.odds.hand_types import CATEGORIES
from handread.odds.showdown import LOW_CATEGORIES
from handread.study.scores import WAYS, ways_known
from handread.tables import ACTIONS, DECISIONS, HANDS, LEDGERS, PIECES, REJECTS, STAGE_TABLE


class HandRow:
    """A hand analysed to its end."""

    def __init__(self, analysis: Analysis) -> None:
        self.analysis = analysis
        self.replay = analysis.replay
        self.history: History = analysis.replay.history
        self.source = self.history.source
        self.stakes = analysis.replay.stakes
        self.known = ways_known(analysis.replay)
        self.names = {seat.number: seat.name or None for seat in self.history.seats}

    @property
    def winners(self) -> str | None:
        """The seats that won money, separated by spaces; None for an unfinished hand."""
        won = self.replay.won
        paid = " ".join(str(seat) for seat in sorted(won) if won[seat] > 0)
        return paid if self.replay.finished else None

    @cached_property
    def won_share(self) -> Mapping[int, float]:
        """The share of the payout of each seat; empty for an unfinished hand."""
        total = sum(self.replay.won.values())
        if not (self.replay.finished and total):
            return {}
        return {seat: self.replay.won.get(seat, 0) / total for seat in self.names}

    @cached_property
    def net(self) -> Mapping[int, int]:
        """The net result of each seat in minor units; empty for an unfinished hand."""
        if not self.replay.finished:
            return {}
        won, paid = self.replay.won, self.replay.paid
        return {seat: won.get(seat, 0) - paid.get(seat, 0) for seat in self.names}

    def rows(self) -> Iterator[tuple[str, object]]:
        """Yield all rows of the hand, each with the name of its table.

        A stage has a row for each active seat and for each seat that folded on the street.
        """
        yield HANDS, self
        for stage in self.analysis.stages:
            figures = stage.entropy_bits, stage.kl_bits  # costly, so once a stage
            for seat, read in stage.seats.items():
                yield STAGE_TABLE, StageRow(self, stage, *figures, seat, read, active=True)
            for seat, read in stage.folded.items():
                yield STAGE_TABLE, StageRow(self, stage, *figures, seat, read, active=False)
        for reading in self.analysis.actions:
            yield ACTIONS, DecisionRow(self, reading)

    def value_rows(self, values: HandValues) -> Iterator[tuple[str, object]]:
        """Yield the rows of the hand's decisions and ledgers, each with the name of its table."""
        for value in values.decisions:
            yield DECISIONS, ValueRow(self, value)
        for ledger in values.ledgers.values():
            yield LEDGERS, LedgerRow(self, ledger)


@dataclass(frozen=True)
class StageRow:
    """A seat at a stage, with the entropy and the K-L divergences of the stage in bits."""

    hand: HandRow
    stage: StageReading
    entropy_bits: float | None
    kl_bits: tuple[float, float] | None
    seat: int
    read: SeatRead
    active: bool

    @cached_property
    def categories(self) -> dict[str, float]:
        """The probability of each category of final hands of the game, by name."""
        names = self.read.hands.showdown.categories
        return dict(zip(names, self.read.categories(), strict=True))

    @cached_property
    def leading(self) -> tuple[str, FamilyRead]:
        """The likeliest family of holdings."""
        return next(iter(self.read.families().items()))


@dataclass(frozen=True, slots=True)
class DecisionRow:
    """A voluntary action."""

    hand: HandRow
    reading: ActionReading


@dataclass(frozen=True, slots=True)
class ValueRow:
    """A decision of a player whose downcards are known, with the values of its actions."""

    hand: HandRow
    value: DecisionValue


@dataclass(frozen=True, slots=True)
class LedgerRow:
    """A player's result in a hand, split into luck and play."""

    hand: HandRow
    ledger: Ledger


@dataclass(frozen=True, slots=True)
class RejectRow:
    """A refused hand, or a text that is not a hand: the problem and the line it is on."""

    problem: Problem
    history: History | None
    line: str

    @property
    def file_line(self) -> int:
        """The first line of the hand."""
        return self.problem.line if self.history is None else self.history.source.line


@dataclass(frozen=True, slots=True)
class PieceRow:
    """A piece of a file."""

    file: str
    first_line: int
    digest: str
    hands: int
    rejects: int


TEXT, FLAG, REAL, MONEY, COUNT = "text", "flag", "real", "money", "count"
"""Kinds of columns. A tuple of words is also a kind: each cell holds one of them."""

ACTION_WORDS = ("fold", "check", "call", "bet", "raise")
VERDICT_WORDS = ("best", "close", "costly", "mistake")
OMNISCIENCE = ("none", "partial", "full")

Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class Column(Generic[Row]):
    """A column of a table; ``value`` returns its cell for a row.

    A column that is not ``stable`` may change within a version of the tables.
    """

    name: str
    kind: str | tuple[str, ...]
    meaning: str
    value: Callable[[Row], object]
    stable: bool = True


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
        "policy", TEXT, "policies that the hand was read with", lambda r: r.analysis.players.name
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


HAND_KEY: tuple[Column[Any], ...] = (
    Column("file", TEXT, "as in hands", lambda r: r.hand.source.file),
    Column("line", COUNT, "as in hands", lambda r: r.hand.source.line),
    Column("hand_id", TEXT, "as in hands", lambda r: r.hand.history.hand_id),
    Column("variant", TEXT, "as in hands", lambda r: r.hand.history.variant),
)
"""The columns that join the rows of a hand to ``hands``."""


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
        "divergence of p_win_cards_only from p_win_omniscient (equation 7); likewise repeated",
        lambda r: r.kl_bits and r.kl_bits[0],
    ),
    Column(
        "kl_bits",
        REAL,
        "divergence of p_win from p_win_omniscient; likewise repeated",
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

ACTION_COLUMNS: tuple[Column[DecisionRow], ...] = (
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


def _value_of(action: str) -> Callable[[ValueRow], float | None]:
    return lambda r: next((a.q for a in r.value.actions if a.action == action), None)


DECISION_COLUMNS: tuple[Column[ValueRow], ...] = (
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
