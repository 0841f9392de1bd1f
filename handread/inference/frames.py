"""An analysis as tidy polars frames, with the names and units of the tables of ``score``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from handread.cards import cards_text
from handread.game.rules import Variant, variant_of
from handread.history import History
from handread.inference.hand import Analysis
from handread.inference.values import ActionReading, FamilyRead, SeatRead, StageReading, Truth
from handread.odds.showdown import showdown_of

if TYPE_CHECKING:
    import polars as pl

TEXT, COUNT, REAL, FLAG = "String", "Int64", "Float64", "Boolean"
"""Names of polars types."""


class _ActionRow(NamedTuple):
    history: History
    reading: ActionReading


class _StageRow(NamedTuple):
    history: History
    stage: StageReading


class _SeatRow(NamedTuple):
    history: History
    stage: StageReading
    read: SeatRead


Columns = Mapping[str, tuple[str, Callable[[Any], Any]]]
"""The columns of a frame: name, type and value of a cell."""

ACTION_COLUMNS: Columns = {
    "hand_id": (TEXT, lambda r: r.history.hand_id),
    "n": (COUNT, lambda r: r.reading.decision.n),
    "street": (COUNT, lambda r: r.reading.decision.street),
    "seat": (COUNT, lambda r: r.reading.decision.seat),
    "name": (TEXT, lambda r: r.history.seat(r.reading.decision.seat).name or None),
    "action": (TEXT, lambda r: r.reading.decision.action),
    "completes": (FLAG, lambda r: r.reading.decision.completes),
    "all_in": (FLAG, lambda r: r.reading.decision.all_in),
    "amount_minor": (COUNT, lambda r: r.reading.decision.amount),
    "to_minor": (COUNT, lambda r: r.reading.decision.to),
    "to_call_minor": (COUNT, lambda r: r.reading.decision.to_call),
    "pot_minor": (COUNT, lambda r: r.reading.decision.pot),
    "n_active": (COUNT, lambda r: r.reading.decision.n_active),
    "raises": (COUNT, lambda r: r.reading.decision.raises),
    "effective_odds": (REAL, lambda r: r.reading.decision.effective_odds),
    "p_win": (REAL, lambda r: r.reading.p_win),
    "p_win_own": (REAL, lambda r: r.reading.own_p_win),
    "p_action": (REAL, lambda r: r.reading.evidence),
    "surprise_bits": (REAL, lambda r: r.reading.surprise_bits),
    "information_bits": (REAL, lambda r: r.reading.information_bits),
    "truth_bits": (REAL, lambda r: r.reading.truth_bits),
    "table_bits": (REAL, lambda r: r.reading.table_bits),
    "table_truth_bits": (REAL, lambda r: r.reading.table_truth_bits),
}

STAGE_COLUMNS: Columns = {
    "hand_id": (TEXT, lambda r: r.history.hand_id),
    "stage": (TEXT, lambda r: r.stage.stage),
    "street": (COUNT, lambda r: r.stage.street),
    "pot_minor": (COUNT, lambda r: r.stage.pot),
    "n_active": (COUNT, lambda r: len(r.stage.active)),
    "omniscience": (TEXT, lambda r: r.stage.omniscience),
    "outcome_entropy_bits": (REAL, lambda r: r.stage.entropy_bits),
    "kl_cards_only_bits": (REAL, lambda r: (r.stage.kl_bits or (None, None))[0]),
    "kl_bits": (REAL, lambda r: (r.stage.kl_bits or (None, None))[1]),
}


def _of_truth(value: Callable[[Truth], Any]) -> Callable[[_SeatRow], Any]:
    return lambda r: None if r.read.truth is None else value(r.read.truth)


def _leading(value: Callable[[str, FamilyRead], Any]) -> Callable[[_SeatRow], Any]:
    return lambda r: value(*next(iter(r.read.families().items())))


def _category(place: int) -> Callable[[_SeatRow], float]:
    return lambda r: r.read.categories()[place]


SEAT_COLUMNS: Columns = {
    "hand_id": (TEXT, lambda r: r.history.hand_id),
    "stage": (TEXT, lambda r: r.stage.stage),
    "street": (COUNT, lambda r: r.stage.street),
    "seat": (COUNT, lambda r: r.read.seat),
    "name": (TEXT, lambda r: r.history.seat(r.read.seat).name or None),
    "active": (FLAG, lambda r: r.read.seat in r.stage.seats),
    "upcards": (TEXT, lambda r: cards_text(r.read.up)),
    "p_win": (REAL, lambda r: r.stage.bet_inference.get(r.read.seat)),
    "p_win_cards_only": (REAL, lambda r: r.stage.cards_only.get(r.read.seat)),
    "p_win_omniscient": (REAL, lambda r: (r.stage.omniscient or {}).get(r.read.seat)),
    "possible": (COUNT, lambda r: r.read.possible),
    "entropy_bits": (REAL, lambda r: r.read.entropy_bits),
    "news_bits": (REAL, lambda r: r.read.news_bits),
    "family": (TEXT, _leading(lambda name, _: name)),
    "p_family": (REAL, _leading(lambda _, family: family.bet_inference)),
    "p_family_cards_only": (REAL, _leading(lambda _, family: family.cards_only)),
    "family_risen": (TEXT, lambda r: r.read.risen_family),
    "downcards": (TEXT, _of_truth(lambda truth: cards_text(truth.downcards))),
    "true_family": (TEXT, lambda r: r.read.true_kind and r.read.true_kind.family),
    "p_truth": (REAL, _of_truth(lambda truth: truth.probability)),
    "truth_bits": (REAL, _of_truth(lambda truth: truth.score_bits)),
    "truth_rank": (REAL, _of_truth(lambda truth: truth.rank)),
}
"""The columns of seats in all games; those of the categories of hands follow."""


def _category_columns(game: Variant) -> Columns:
    names = enumerate(showdown_of(game).categories)
    return {f"p_{name.replace(' ', '_')}": (REAL, _category(i)) for i, name in names}


def to_frame(analysis: Analysis, rows: str) -> pl.DataFrame:
    """Return a frame with a row per action, per stage, or per stage and seat.

    Raises:
        ValueError: ``rows`` is none of "actions", "stages" and "seats".
    """
    import polars as pl

    history = analysis.replay.history
    found: list[_ActionRow] | list[_StageRow] | list[_SeatRow]
    if rows == "actions":
        columns, found = ACTION_COLUMNS, [_ActionRow(history, r) for r in analysis.actions]
    elif rows == "stages":
        columns, found = STAGE_COLUMNS, [_StageRow(history, s) for s in analysis.stages]
    elif rows == "seats":
        columns = {**SEAT_COLUMNS, **_category_columns(variant_of(history.variant))}
        found = [
            _SeatRow(history, stage, read)
            for stage in analysis.stages
            for read in (*stage.seats.values(), *stage.folded.values())
        ]
    else:
        raise ValueError(f"no rows {rows!r}: expected actions, stages or seats")
    cells = {name: [value(row) for row in found] for name, (_, value) in columns.items()}
    return pl.DataFrame(cells, {name: getattr(pl, kind) for name, (kind, _) in columns.items()})
