"""The JSON object of a hand, schema ``handread.analysis/1``.

Bits are to base 2. Infinite values are ``null``: the surprise of an action that no hand of the
policy takes, a divergence from a read that ruled out the outcome. Money is an exact number of the
game's main unit.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, TypeVar

from handread.cards import Card, card_texts
from handread.game.rules import Unit
from handread.game.steps import Replay
from handread.inference.hand_analysis import Analysis
from handread.inference.ranges import LEVEL, Range
from handread.inference.stages import SeatRead, StageReading, Truth
from handread.inference.timeline import all_stages
from handread.known_cards import upcards
from handread.report.schemas import DECISIONS_SCHEMA
from handread.report.words import finished_hand
from handread.tables.figure import finite, in_main_unit, json_figures, json_values
from handread.tables.figures import ACTION_FIGURES, LEDGER_FIGURES, STAGE_FIGURES
from handread.tables.rows import HandRow, LedgerRow, SeatRow, StageRow

if TYPE_CHECKING:
    from handread.decisions.decision_values import DecisionValue
    from handread.decisions.terms import ValuedHand

SCHEMA = "handread.analysis/1"

_T = TypeVar("_T")


def analysis_object(
    analysis: Analysis,
    top: int = 4,
    decisions: ValuedHand | None = None,
    stages: Iterable[StageReading] | None = None,
) -> dict[str, Any]:
    """Return an analysis as the JSON values that ``handread analyze --json`` prints.

    Args:
        analysis: The analysis.
        top: Number of likeliest holdings of each pdd.
        decisions: The hand with the values of its decisions; None if they were not valued.
        stages: The stages to include; None for all.

    Returns:
        The object, of the schema ``json_schema()``.

    >>> read = handread.analyze(handread.read("sample_histories/showdown.stud")[0])
    >>> handread.analysis_object(read)["stages"][-1]["p_win"]["omniscient"]
    {'1': 1.0, '2': 0.0}
    """
    replay, unit = analysis.replay, analysis.replay.history.unit
    hand, drawn = HandRow(analysis), analysis.drawn
    return {
        "schema": SCHEMA,
        **_hand(analysis),
        **({} if drawn is None else {"uncertainty": {"draws": analysis.draws, "level": LEVEL}}),
        "viewpoint": analysis.viewpoint,
        "hero": analysis.hero,
        "seats": _seats(replay),
        "stages": [
            _stage(StageRow(hand, stage, stage.entropy_bits, stage.kl_bits), top)
            for stage in (all_stages(analysis) if stages is None else stages)
        ],
        "actions": [
            {**json_values(ACTION_FIGURES, row, unit), "line": row.decision.line}
            for row in hand.actions()
        ],
        "policies": {str(seat): shares for seat, shares in analysis.policies.items()},
        "showdown": _showdown(replay),
        "finished": replay.finished,
        "problems": [problem.record() for problem in analysis.problems],
        **({} if decisions is None else {"decisions": _values(decisions)}),
    }


def decisions_object(hand: ValuedHand) -> dict[str, Any]:
    """Return the values of a hand's decisions as JSON values, with what identifies the hand."""
    return {
        "schema": DECISIONS_SCHEMA,
        **_hand(hand.analysis),
        "hero": hand.analysis.hero,
        "seats": _seats(hand.replay),
        "finished": hand.replay.finished,
        "decisions": _values(hand),
    }


def _values(hand: ValuedHand) -> dict[str, Any]:
    replay, values, terms = hand.replay, hand.values, hand.terms
    row, unit = HandRow(hand.analysis), replay.history.unit
    return {
        "way": terms.way,
        "check": hand.check or None,
        "seed": terms.seed,
        "rake": None if terms.rake is None else str(terms.rake),
        "then": None if terms.then is None else terms.then.name,
        "big_bet": in_main_unit(replay.stakes.bets[-1], unit),
        "values": [_decision(value, unit) for value in values.decisions],
        "ledgers": {
            str(seat): json_values(LEDGER_FIGURES, LedgerRow(row, ledger), unit)
            for seat, ledger in values.ledgers.items()
        },
    }


def _decision(value: DecisionValue, unit: Unit) -> dict[str, Any]:
    decision = value.decision
    return {
        "n": decision.n,
        "street": decision.street,
        "seat": decision.seat,
        "downcards": card_texts(value.down),
        "action": decision.action,
        "best": value.best.action,
        "verdict": value.verdict,
        "real_decisions": value.real,
        **_cost(value, unit),
        "checked": None if value.checked is None else _cost(value.checked, unit),
    }


def _cost(value: DecisionValue, unit: Unit) -> dict[str, Any]:
    """Return the values of the actions of a decision by some policies, and its cost."""
    return {
        "policy": value.policy,
        "rollouts": value.rollouts,
        "cost": in_main_unit(value.cost, unit),
        "cost_error": in_main_unit(value.error, unit),
        "cost_big_bets": value.cost / value.big_bet,
        "cost_low_big_bets": value.low / value.big_bet,
        "actions": [
            {
                "action": action.action,
                "to": in_main_unit(action.to, unit),
                "q": in_main_unit(action.q, unit),
                "error": in_main_unit(action.error, unit),
                "gain": in_main_unit(action.gain, unit),
                "gain_error": in_main_unit(action.gain_error, unit),
                "table_bits": finite(action.table_bits),
            }
            for action in value.actions
        ],
    }


def _hand(analysis: Analysis) -> dict[str, Any]:
    history = analysis.replay.history
    return {
        "hand_id": history.hand_id,
        "source": asdict(history.source),
        "variant": history.variant,
        "stakes": _stakes(analysis.replay),
        "policy": analysis.reader.name,
        "ties": analysis.ties,
    }


def _by_seat(chances: Mapping[int, float]) -> dict[str, float]:
    return {str(seat): p for seat, p in chances.items()}


def _stakes(replay: Replay) -> dict[str, Any]:
    stakes, unit = replay.stakes, replay.history.unit
    return {
        "ante": in_main_unit(stakes.ante, unit),
        "bring_in": in_main_unit(stakes.bring_in, unit),
        "bets": [in_main_unit(bet, unit) for bet in stakes.bets],
        "cap": stakes.cap,
        "symbol": unit.symbol,
        "inferred": stakes.inferred,
        "inferred_from": replay.history.inferred_from,
    }


def _seats(replay: Replay) -> list[dict[str, Any]]:
    up = upcards(replay.history)
    return [
        {
            "seat": seat.number,
            "name": seat.name,
            "upcards": card_texts(up[seat.number]),
            **_downcards(replay, seat.number),
        }
        for seat in replay.history.seats
    ]


def _downcards(replay: Replay, seat: int) -> dict[str, list[str] | None]:
    """Return a seat's downcards; if some may have come last, also under a name of their own."""
    down, loose = replay.downcards.get(seat), replay.loose_downcards.get(seat)
    known = {"downcards": None if down is None else card_texts(down)}
    return known if loose is None else {**known, "downcards_any_order": card_texts(loose)}


def _stage(row: StageRow, top: int) -> dict[str, Any]:
    stage, kl, unit = row.stage, row.kl_bits, row.hand.history.unit
    return {
        "stage": stage.stage,
        "pot": in_main_unit(stage.pot, unit),
        "active": list(stage.active),
        "p_win": {
            "cards_only": _by_seat(stage.cards_only),
            "bet_inference": _by_seat(stage.bet_inference),
            "omniscient": None if stage.omniscient is None else _by_seat(stage.omniscient),
        },
        "entropy_bits": row.entropy_bits,
        "kl_bits": None
        if kl is None
        else {"cards_only": finite(kl[0]), "bet_inference": finite(kl[1])},
        "omniscience": stage.omniscience,
        "pdd": {str(seat): _pdd(read, top) for seat, read in stage.seats.items()},
        "htpd": {
            str(seat): dict(zip(read.hands.showdown.categories, read.categories(), strict=True))
            for seat, read in stage.seats.items()
        },
        **{
            name: {
                str(each.seat): figure.kind.to_json(figure.value(each), unit)
                for each in row.seats()
                if each.active
            }
            for name, figure in json_figures(STAGE_FIGURES).items()
        },
        "truth": {
            str(seat): _truth(read, read.truth)
            for seat, read in stage.seats.items()
            if read.truth is not None
        },
        "folded": {
            str(each.seat): _folded(each, top, unit) for each in row.seats() if not each.active
        },
        **_ranges(stage, top),
    }


def _folded(row: SeatRow, top: int, unit: Unit) -> dict[str, Any]:
    """Return the last read of a seat that folded on the street."""
    return {
        "pdd": _pdd(row.read, top),
        **json_values(STAGE_FIGURES, row, unit),
        "truth": None if row.read.truth is None else _truth(row.read, row.read.truth),
    }


def _ranges(stage: StageReading, top: int) -> dict[str, Any]:
    """Return the ranges of a stage by seat; empty if it has none."""
    if not stage.chance_ranges:
        return {}
    ranges = {}
    for seat, read in {**stage.seats, **stage.folded}.items():
        shares = {name: share.bet_inference for name, share in read.families().items()}
        chance = {seat: stage.bet_inference[seat]} if seat in stage.active else {}
        ranges[str(seat)] = {
            "p_win": _ranged(chance, stage.chance_ranges).get(seat),
            "families": _ranged(shares, read.family_ranges),
            "kinds": _ranged(dict(read.kinds(top)), read.kind_ranges),
        }
    return {"ranges": ranges}


def _ranged(shares: Mapping[_T, float], ranges: Mapping[_T, Range]) -> dict[_T, dict[str, float]]:
    return {
        name: {"p": p, **ranges[name]._asdict()} for name, p in shares.items() if name in ranges
    }


def _pdd(read: SeatRead, top: int) -> dict[str, Any]:
    holdings = _holdings(read.top(top))
    return {
        "live": read.live,
        "entropy_bits": read.entropy_bits,
        "top": holdings,
        "top_pairs": holdings if read.pairs is read.pdd else _holdings(read.top_pairs(top)),
        "families": [
            {"family": name, "p": family.bet_inference, "p_cards_only": family.cards_only}
            for name, family in read.families().items()
        ],
        "kinds": [{"kind": kind, "p": p} for kind, p in read.kinds(top)],
    }


def _holdings(likeliest: Iterable[tuple[tuple[Card, ...], float]]) -> list[dict[str, Any]]:
    return [{"cards": card_texts(cards), "p": p} for cards, p in likeliest]


def _truth(read: SeatRead, truth: Truth) -> dict[str, Any]:
    kind = read.true_kind
    assert kind is not None
    return {
        "downcards": card_texts(truth.downcards),
        "kind": kind.words,
        "family": kind.family,
        "p": truth.probability,
        "score_bits": finite(truth.score_bits),
        "rank": truth.rank,
        "live": truth.live,
    }


def _showdown(replay: Replay) -> dict[str, Any] | None:
    if not replay.showdown:
        return None
    unit = replay.history.unit
    hands = {
        str(seat): {
            **_downcards(replay, seat),
            "hand": finished_hand(replay, seat),
            "won": in_main_unit(replay.won.get(seat, 0), unit),
        }
        for seat in replay.showdown
    }
    pot, rake = (in_main_unit(amount, unit) for amount in (replay.pot, replay.rake))
    return {"seats": hands, "pot": pot, "rake": rake}
