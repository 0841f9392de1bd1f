"""The data that a page's script steps through, as JSON values of schema ``handread.report/3``."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
from pathlib import PurePath
from types import MappingProxyType
from typing import Any

import numpy as np

import handread.report.words as wording
from handread.arrays import Ints
from handread.cards import card_text, card_texts
from handread.game.rules import DEFAULT, Variant, variant_of
from handread.inference.timeline import END
from handread.report.ends import hand_axis
from handread.report.shown_values import Chance, HandReport, ReadPart, StepPart, Steps, TruthPart
from handread.report.steps import GRID_SCALE
from handread.report.what_if import DecisionFigures, HandDecisions

SCHEMA = "handread.report/3"

PLACES = 5
"""The decimal places of the probabilities for the script's scores."""


def page_data(
    report: HandReport,
    steps: Steps,
    decision_values: HandDecisions | None = None,
    players: Mapping[int, Sequence[str]] = MappingProxyType({}),
) -> dict[str, Any]:
    """Return all data that a page steps through; ``players`` are as in ``PageLinks``."""
    replay = report.replay
    game = variant_of(replay.history.variant)
    known = report.known_seats
    ends = bool(steps.steps) and steps.steps[-1].kind == END
    decisions = () if decision_values is None else decision_values.by_moment
    stacks = {seat.number: seat.stack for seat in replay.history.seats}
    return {
        **constant_data(game),
        "single": game.dealt[game.last][0] == 1,
        "to_win": wording.prize_words(game).to_win,
        "hand": hand_key(report),
        "title": report.title,
        "game": report.game,
        "stacks": _by_seat({s: replay.history.unit.text(n) for s, n in stacks.items() if n}),
        "ending": [*report.shown, *report.result] * ends,
        "you": report.you,
        "spoken": _by_seat(report.spoken),
        "names": _by_seat({s.number: wording.visible(s.name) for s in replay.history.seats}),
        "known": known,
        "before": _by_seat(report.known),
        "players": _by_seat(players),
        "downcards": _by_seat({s: card_texts(held) for s, held in replay.downcards.items()}),
        "loose": _by_seat({s: card_texts(held) for s, held in replay.loose_downcards.items()}),
        "steps": [_step(step, report.spoken, known) for step in steps.steps],
        "reads": [_read(read, game) for read in steps.reads],
        "lives": steps.lives,
        "worth": [_decision(decision, known) for decision in decisions],
    }


def constant_data(game: Variant = DEFAULT) -> dict[str, Any]:
    """Return the data that are the same for every hand of a game."""
    axis = hand_axis(game)
    return {
        "schema": SCHEMA,
        "categories": axis.categories,
        "marks": axis.marks,
        "starts": axis.starts,
        "edges": axis.edges[_strokes(game)].tolist(),
        "shares": share_thresholds(),
    }


def hand_key(report: HandReport) -> str:
    """Return a digest that keys guesses of a hand, whatever the version, policy or log folder."""
    history = report.replay.history
    source = history.source
    told = [source.dialect, history.hand_id, PurePath(source.file).name, source.line]
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()[:12]


def strokes(heights: Sequence[int], game: Variant = DEFAULT) -> list[int]:
    """Return an htpd's heights with two bins as one: all bins would be a third of a page."""
    edges = hand_axis(game).edges
    squares = np.square(np.array(heights, np.float64)) * np.diff(edges)
    bounds = _strokes(game)
    sums = np.add.reduceat(squares, bounds[:-1])
    merged: list[int] = np.rint(np.sqrt(sums / np.diff(edges[bounds]))).astype(int).tolist()
    return merged


@cache
def _strokes(game: Variant) -> Ints:
    """Return the first bin of each stroke (none crosses a category), and the number of bins."""
    starts = np.searchsorted(hand_axis(game).edges, hand_axis(game).starts)
    return np.concatenate(
        [*(np.arange(low, high, 2) for low, high in pairwise(starts)), starts[-1:]]
    )


@cache
def share_thresholds() -> tuple[tuple[int, str], ...]:
    """Return the words for a share of a grid, each with its least share times ``GRID_SCALE``."""
    least: dict[str, int] = {}
    for parts in range(1, GRID_SCALE + 1):
        least.setdefault(wording.percent_words(parts / GRID_SCALE), parts)
    return tuple((parts, words) for words, parts in least.items())


def _fields(value: object, names: str) -> dict[str, Any]:
    """Return some fields of a value, whose names are given with blanks between."""
    return {name: getattr(value, name) for name in names.split()}


def _step(step: StepPart, spoken: Mapping[int, str], known: Sequence[int]) -> dict[str, Any]:
    return {
        **_fields(step, "kind street actor to_act title mark pot"),
        "places": [
            {**_fields(place, "seat status put stack"), "up": card_texts(place.up)}
            for place in step.places
        ],
        "shared": None if step.shared is None else card_text(step.shared),
        "chances": [_chance(seat, chance) for seat, chance in step.chances.items()],
        "bits": list(_bits_told(step, spoken, known)),
        **_fields(step, "notable gist sentence on_truth"),
        "reads": _by_seat(step.reads),
        "table_reads": _by_seat(step.table_reads),
    }


def _chance(seat: int, chance: Chance) -> dict[str, Any]:
    return {
        "seat": seat,
        "bets": chance.bets.point,
        "range": chance.bets.within,
        "cards": chance.cards.words,
        "truth": None if chance.truth is None else chance.truth.words,
    }


def _bits_told(
    step: StepPart, spoken: Mapping[int, str], known: Sequence[int]
) -> Iterator[tuple[str, ...]]:
    """Yield a moment's figures: name and words, and "spoiler" for one to be hidden.

    If the viewpoint knows the actor's downcards, the information for the table follows.
    """
    row = step.action
    if row is not None:
        expected, *in_bits = wording.action_columns([row])
        yield expected.name, " · ".join(dict.fromkeys((row.expected.words, row.one_in)))
        for figure in in_bits:
            hidden = ("spoiler",) * figure.on_truth
            yield figure.name, wording.with_unit(figure.words(row, wording.BEYOND)), *hidden
        if row.seat in known:
            yield "told the table", wording.with_unit(row.table.words)
            if row.table_truth is not None:
                yield "on your downcards", wording.with_unit(row.table_truth.words)
    for seat, news in sorted(step.news.items()):
        yield f"told by the cards about {spoken[seat]}", wording.with_unit(news.words)


def _read(read: ReadPart, game: Variant) -> dict[str, Any]:
    """Return a read; the families to guess among only where a truth is known to score a guess."""
    families = () if read.truth is None else read.families
    return {
        **_fields(read, "seat street"),
        "lines": [
            {
                "name": line.family,
                "share": line.read.point,
                "range": line.read.within,
                "cards": line.cards_alone.words,
                "change": line.change,
                "leads": line in read.headline,
            }
            for line in read.lines
        ],
        "kinds": [
            {"name": kind, "share": chance.point, "cards": cards.words, "family": family}
            for family, kind, chance, cards in read.kinds
        ],
        "holdings": [
            {"cards": card_texts(cards), "chance": chance.words} for cards, chance in read.holdings
        ],
        **_fields(read, "as_likely grid live openness combinations"),
        "entropy": read.entropy.words,
        "ends": [share.words for share in read.categories],
        "heights": strokes(read.heights, game),
        "families": [
            {"name": name, "guess": round(guess, PLACES), "share": wording.share_words(guess)}
            for name, _, guess in families
        ],
        "truth": None if read.truth is None else _truth(read, read.truth),
    }


def _truth(read: ReadPart, truth: TruthPart) -> dict[str, Any]:
    """Return the true downcards; ``share`` is their family's share in the read."""
    return {
        "cards": card_texts(truth.downcards),
        "kind": truth.kind,
        "family": truth.family,
        "sentence": truth.words,
        "share": round(next(p for name, p, _ in read.families if name == truth.family), PLACES),
    }


def _decision(decision: DecisionFigures, known: Sequence[int]) -> dict[str, Any]:
    return {
        "at": decision.moment,
        "open": decision.seat in known,
        "taken": decision.options.index(decision.taken),
        "options": [_fields(each, "noun deed against bits") for each in decision.options],
        "families": [line._asdict() for line in decision.families],
    }


def _by_seat(values: Mapping[int, Any]) -> dict[str, Any]:
    """Return values by seat; JSON has names where Python has numbers."""
    return {str(seat): value for seat, value in sorted(values.items())}
