"""What the script of a page shows: the report value as plain JSON values.

The script places text and draws lengths; what a person reads of numbers is worded here, but for
the reader's own scores.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from handread.cards import MaybeCard, card_text
from handread.hand_types import CATEGORIES
from handread.report.bins import CATEGORY_MARKS, category_starts, edges
from handread.report.reads import GRID_SCALE
from handread.report.value import (
    ActionRow,
    Chance,
    Figure,
    HandReport,
    Likely,
    ReadPart,
    Step,
    Steps,
    TruthPart,
)
from handread.report.words import percent_words, share_words

SCHEMA = "handread.report/1"

DIGITS = 5
"""To how many places a length is kept; the words beside it are exact."""


def page_data(report: HandReport, steps: Steps) -> dict[str, Any]:
    """All that a page steps through, ``handread.report/1``."""
    replay = report.analysis.replay
    return {
        "schema": SCHEMA,
        "labels": report.labels,
        "known": _known(report),
        "downcards": {str(seat): _cards(cards) for seat, cards in sorted(replay.downcards.items())},
        "categories": CATEGORIES,
        "marks": CATEGORY_MARKS,
        "starts": category_starts(),
        "edges": edges().tolist(),
        "steps": [_step(step) for step in steps.steps],
        "reads": [_read(read) for read in steps.reads],
        "lives": steps.lives,
        "shares": shares(steps.reads),
    }


def _known(report: HandReport) -> list[int]:
    """The seats whose downcards whoever looks on knows anyway."""
    kind, _, seat = report.analysis.viewpoint.partition(":")
    if kind == "omniscient":
        return sorted(report.analysis.replay.downcards)
    return [int(seat)] if kind == "seat" else []


def shares(reads: Iterable[ReadPart]) -> dict[str, str]:
    """The words for every share that a grid has, by its parts of 10,000."""
    found = sorted({parts for read in reads for parts in read.grid})
    return {str(parts): percent_words(parts / GRID_SCALE) for parts in found if parts}


def _cards(cards: Sequence[MaybeCard]) -> list[str]:
    return [card_text(card) for card in cards]


def _length(value: float | None) -> float | None:
    return None if value is None else round(value, DIGITS)


def _figure(figure: Figure | None) -> list[Any] | None:
    return None if figure is None else [_length(figure.value), figure.words]


def _words(figure: Figure | None) -> str | None:
    return None if figure is None else figure.words


def _step(step: Step) -> dict[str, Any]:
    return {
        "kind": step.kind,
        "street": step.street,
        "stage": step.stage,
        "actor": step.actor,
        "to_act": step.to_act,
        "line": step.line,
        "title": step.title,
        "mark": step.mark,
        "pot": step.pot,
        "places": [
            {
                "seat": place.seat,
                "up": _cards(place.up),
                "state": place.state,
                "put": place.put,
                "stack": place.stack,
            }
            for place in step.places
        ],
        "shared": None if step.shared is None else card_text(step.shared),
        "chances": [_chance(chance) for chance in step.chances],
        "action": None if step.action is None else _action(step.action),
        "news": {str(seat): figure.words for seat, figure in step.news.items()},
        "notable": step.notable,
        "sentence": step.sentence,
        "on_truth": step.on_truth,
        "reads": {str(seat): number for seat, number in step.reads.items()},
        "table_reads": {str(seat): number for seat, number in step.table_reads.items()},
    }


def _chance(chance: Chance) -> dict[str, Any]:
    return {
        "seat": chance.seat,
        "bets": _figure(chance.bets),
        "cards": _figure(chance.cards),
        "truth": _figure(chance.truth),
    }


def _action(row: ActionRow) -> dict[str, Any]:
    return {
        "expected": row.expected.words,
        "one_in": row.one_in,
        "surprise": _words(row.surprise),
        "told": row.told.words,
        "truth": _words(row.truth),
        "table": row.table.words,
        "table_truth": _words(row.table_truth),
    }


def _likely(found: Iterable[Likely]) -> list[list[Any]]:
    return [[what, _length(chance.value), chance.words] for what, chance in found]


def _read(read: ReadPart) -> dict[str, Any]:
    return {
        "seat": read.seat,
        "street": read.street,
        "kinds": _likely(read.kinds),
        "holdings": _likely(read.holdings),
        "grid": read.grid,
        "live": read.live,
        "combinations": read.combinations,
        "entropy": read.entropy.words,
        "categories": [_figure(share) for share in read.categories],
        "heights": read.heights,
        "families": [
            [name, _length(p), _length(guess), share_words(guess)]
            for name, p, guess in read.families
        ],
        "truth": None if read.truth is None else _truth(read.truth),
    }


def _truth(truth: TruthPart) -> dict[str, Any]:
    return {
        "cards": _cards(truth.downcards),
        "kind": truth.kind,
        "family": truth.family,
        "chance": truth.chance.words,
        "score": truth.score.words,
        "place": truth.place,
    }
