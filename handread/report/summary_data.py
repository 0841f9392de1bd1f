"""A summary for programs: CSV and a JSON object.

The object's schema is ``handread.summary/1``. Bits are to base 2, intervals are of 95%; what cannot
be said from so few hands is ``null``. Infinite bits count as 40 in a mean, and are counted.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from handread.evaluation.values import Interval
from handread.experiments.values import Estimate, StageGain
from handread.report.tables import as_csv
from handread.score.columns import ACTION_WORDS
from handread.score.copies import harmless_cell
from handread.score.estimates import Mean
from handread.score.players import Player, Players
from handread.score.summary import StageReads, Summary, Totals

SCHEMA = "handread.summary/1"

# What a player's figures are called, in the order in which they are shown.
SHARES = {kind: f"{kind}_share" for kind in ACTION_WORDS}
FIGURES = {
    "surprise": "surprise_bits_an_action",
    "told": "told_bits_a_hand",
    "told_truth": "told_truth_bits_a_hand",
    "read": "last_read_truth_bits",
    "net": "net_big_bets_a_hand",
}
GAIN_FIGURES = {
    "log2_n": "log2_n_bits",
    "entropy": "entropy_bits",
    "cards_only": "kl_cards_only_bits",
    "bet_inference": "kl_bet_inference_bits",
    "gain": "gain_fraction",
}
READ_FIGURES = {
    "active_bits": "bits_on_truth",
    "active_share": "rank_share_of_truth",
    "everybody_bits": "bits_on_truth_with_folded",
    "everybody_share": "rank_share_of_truth_with_folded",
}


def _player_figures(player: Player) -> Iterator[tuple[str, Mean, Interval]]:
    """The figures of a player by name, each with its interval."""
    for kind, name in SHARES.items():
        yield name, player.kinds[kind], player.kinds[kind].share
    for field, name in FIGURES.items():
        mean: Mean = getattr(player, field)
        yield name, mean, mean.interval


def _read_figures(reads: StageReads) -> Iterator[tuple[str, Mean, Interval]]:
    """The figures of the reads of a stage by name, each with its interval."""
    for field, name in READ_FIGURES.items():
        mean: Mean = getattr(reads, field)
        yield name, mean, mean.part if field.endswith("share") else mean.interval


def _gain_figures(stage: StageGain) -> Iterator[tuple[str, Interval]]:
    for field, name in GAIN_FIGURES.items():
        yield name, _interval(getattr(stage, field))


def _interval(estimate: Estimate) -> Interval:
    """An estimate with nothing where it is not finite."""
    numbers = (estimate.mean, *estimate.interval)
    return Interval(*(number if math.isfinite(number) else None for number in numbers))


# JSON


def summary_object(found: Summary, unfinished: bool) -> dict[str, Any]:
    """A summary as plain JSON values; ``unfinished`` as of ``Tables``."""
    totals, players = found.totals, found.players
    return {
        "schema": SCHEMA,
        "unfinished": unfinished,
        "hands": totals.hands,
        "finished": totals.finished,
        "showdowns": totals.showdowns,
        "ties": totals.ties,
        "policies": [{"policy": name, "hands": n} for name, n in totals.policies],
        "refused": totals.refused,
        "reasons": [asdict(reason) for reason in totals.reasons],
        "known": {
            "dealt_in": totals.dealt_in,
            "downcards": {"total": totals.known.total, **asdict(totals.known)},
            "hands_fully": totals.fully_known,
            "hands_partly": totals.partly_known,
        },
        "information_gain": [_gain_object(stage) for stage in found.gain.stages],
        "reads": [_reads_object(reads) for reads in found.reads],
        "everybody": _player_object(players.everybody),
        "players": [_player_object(player) for player in players.wanted],
        "players_in_all": players.all,
    }


def _gain_object(stage: StageGain) -> dict[str, Any]:
    figures = {name: asdict(interval) for name, interval in _gain_figures(stage)}
    return {"stage": stage.stage, "n": stage.games, "ruled_out": stage.ruled_out, **figures}


def _reads_object(reads: StageReads) -> dict[str, Any]:
    figures = {name: _mean_object(mean, cut) for name, mean, cut in _read_figures(reads)}
    return {"stage": reads.stage, **figures}


def _player_object(player: Player) -> dict[str, Any]:
    return {
        "name": player.name,
        "hands": player.hands,
        "actions": player.counts,
        **{name: _mean_object(mean, interval) for name, mean, interval in _player_figures(player)},
    }


def _mean_object(mean: Mean, interval: Interval) -> dict[str, Any]:
    return {"n": mean.n, "hands": mean.hands, **asdict(interval), "infinite": mean.infinite}


# CSV

COLUMNS = (
    "about",
    "stage",
    "player",
    "figure",
    "n",
    "hands",
    "mean",
    "low95",
    "high95",
    "infinite",
)


def summary_csv(found: Summary) -> str:
    """A summary as CSV: a row a figure. A player without a name has an empty cell."""
    return as_csv(COLUMNS, _csv_rows(found))


def _csv_rows(found: Summary) -> Iterator[list[object]]:
    totals = found.totals
    for name, n in _counts(totals).items():
        yield ["set", "", "", name, n, totals.hands, None, None, None, None]
    for stage in found.gain.stages:
        for name, interval in _gain_figures(stage):
            row = ["gain", stage.stage, "", name, stage.games, stage.games]
            yield [*row, *_numbers(interval), stage.ruled_out]
    for reads in found.reads:
        for figure in _read_figures(reads):
            yield _csv_row("reads", reads.stage, "", *figure)
    for about, player in _all_players(found.players):
        for figure in _player_figures(player):
            yield _csv_row(about, "", harmless_cell(player.name or ""), *figure)


def _counts(totals: Totals) -> dict[str, int]:
    return {
        "hands": totals.hands,
        "finished": totals.finished,
        "showdowns": totals.showdowns,
        "refused": totals.refused,
        "dealt_in": totals.dealt_in,
        "downcards_known": totals.known.total,
        "hands_fully_known": totals.fully_known,
        "hands_partly_known": totals.partly_known,
    }


def _all_players(found: Players) -> Iterator[tuple[str, Player]]:
    yield "everybody", found.everybody
    for player in found.wanted:
        yield "player", player


def _csv_row(
    about: str, stage: str, player: str, figure: str, mean: Mean, interval: Interval
) -> list[object]:
    numbers = _numbers(interval)
    return [about, stage, player, figure, mean.n, mean.hands, *numbers, mean.infinite]


def _numbers(interval: Interval) -> tuple[float | None, ...]:
    return interval.mean, interval.low, interval.high
