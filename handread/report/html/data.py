"""The data that a page's script steps through, as JSON values of schema ``handread.report/2``.

Texts, table states and grids that occur more than once are stored once and referred to by number.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import cache
from itertools import pairwise
from pathlib import PurePath
from typing import Any, Generic, TypeVar

import numpy as np
import numpy.typing as npt

from handread.cards import MaybeCard, card_text, cards_text
from handread.game.rules import STUD, Variant, variant_of
from handread.inference.viewpoint import viewpoint_of
from handread.report.ends import hand_axis
from handread.report.families import FamilyLine
from handread.report.numbers import ActionFigures, Number
from handread.report.steps import GRID_SCALE
from handread.report.values import HandReport, ReadPart, StepPart, Steps, TruthPart
from handread.report.what_if import DecisionFigures, HandDecisions
from handread.report.words import percent_words, prize_words, share_words

SCHEMA = "handread.report/2"

RUN = "~"
"""Precedes the length of a run of zeros."""

DIGITS = "".join(sorted({*map(chr, range(0x21, 0x7F))} - set("\"\\<>&'" + RUN)))[:86]
"""The digits of base 43 twice: one of the second half is followed by another digit."""

BASE = len(DIGITS) // 2

_ZEROS = re.compile(f"(?<![{re.escape(DIGITS[BASE:])}]){re.escape(DIGITS[0])}{{3,}}")
"""Three or more numbers that are 0. A digit 0 may also end a longer number."""

SEPARATOR = "|"
"""Stands between the figures of a line; some have spaces in them."""

_NUMBER = re.compile(r"\d[\d,]*")

PLACES = 5
"""The decimal places of the probabilities from which the script computes scores."""

T = TypeVar("T", bound=Hashable)


def packed(values: Sequence[int]) -> str:
    """Return non-negative integers as text, without the zeros at the end."""
    end = len(values)
    while end and not values[end - 1]:
        end -= 1
    text = "".join(map(_number, values[:end]))
    return _ZEROS.sub(lambda run: RUN + _number(len(run[0])), text)


@cache
def _number(value: int) -> str:
    """Return an integer in ``DIGITS``, the most significant digit first."""
    text = DIGITS[value % BASE]
    while value := value // BASE:
        text = DIGITS[BASE + value % BASE] + text
    return text


def page_data(
    report: HandReport, steps: Steps, worth: HandDecisions | None = None
) -> dict[str, Any]:
    """Return everything that a page steps through; ``worth`` are the values of the decisions."""
    replay = report.analysis.replay
    game = variant_of(replay.history.variant)
    encoder = _Encoder(known_seats(report), game)
    return {
        **constant_data(game),
        "single": int(game.dealt[game.last][0] == 1),
        "to_win": prize_words(game).to_win,
        "hand": hand_key(report),
        "title": report.title,
        "you": report.you,
        "spoken": report.spoken,
        "known": encoder.known,
        "downcards": _cards_by_seat(replay.downcards),
        "loose": _cards_by_seat(replay.loose_downcards),
        "steps": _columns([encoder.step(step) for step in steps.steps]),
        "reads": _columns([encoder.read(read) for read in steps.reads]),
        **({} if worth is None else {"worth": [encoder.decision(d) for d in worth.by_moment]}),
        "texts": encoder.texts.values,
        "places": encoder.places.values,
        "names": encoder.names.values,
        "families": encoder.families.values,
        "lives": [packed(counts) for counts in steps.lives],
    }


def constant_data(game: Variant = STUD) -> dict[str, Any]:
    """Return the data that are the same for every hand of a game."""
    axis = hand_axis(game)
    return {
        "schema": SCHEMA,
        "digits": DIGITS,
        "run": RUN,
        "categories": axis.categories,
        "marks": axis.marks,
        "starts": axis.starts,
        "edges": axis.edges[_strokes(game)].tolist(),
        "shares": share_thresholds(),
    }


def hand_key(report: HandReport) -> str:
    """Return a short digest that tells a hand from others, for the score of the reader's guesses.

    It does not depend on the program's version, the policy or the folder of the log.
    """
    history = report.analysis.replay.history
    source = history.source
    told = [source.dialect, history.hand_id, PurePath(source.file).name, source.line]
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()[:12]


def strokes(heights: Sequence[int], game: Variant = STUD) -> list[int]:
    """Return the heights of the bins of an htpd with neighbours taken together.

    A page draws two bins as one: its htpds would else be a third of what it carries.
    """
    edges = hand_axis(game).edges
    squares = np.square(np.array(heights, np.float64)) * np.diff(edges)
    bounds = _strokes(game)
    sums = np.add.reduceat(squares, bounds[:-1])
    found: list[int] = np.rint(np.sqrt(sums / np.diff(edges[bounds]))).astype(int).tolist()
    return found


@cache
def _strokes(game: Variant) -> npt.NDArray[np.int64]:
    """Return the first of the bins that are drawn as one, and the number of bins.

    Each category begins with a new one.
    """
    starts = np.searchsorted(hand_axis(game).edges, hand_axis(game).starts)
    return np.concatenate(
        [*(np.arange(low, high, 2) for low, high in pairwise(starts)), starts[-1:]]
    )


def known_seats(report: HandReport) -> list[int]:
    """Return the seats whose downcards the viewpoint knows."""
    analysis = report.analysis
    return sorted(viewpoint_of(analysis.replay, analysis.viewpoint).known)


@cache
def share_thresholds() -> tuple[tuple[int, str], ...]:
    """Return the words for a share of a grid, each with the least share that they stand for.

    Shares are in parts of ``GRID_SCALE``.
    """
    found: list[tuple[int, str]] = []
    for parts in range(1, GRID_SCALE + 1):
        words = percent_words(parts / GRID_SCALE)
        if not found or words != found[-1][1]:
            found.append((parts, words))
    return tuple(found)


class _Pool(Generic[T]):
    """Values that are stored once and referred to by number."""

    def __init__(self) -> None:
        self._numbers: dict[T, int] = {}

    def number(self, value: T) -> int:
        """Return the number of a value; a new value gets the next one."""
        return self._numbers.setdefault(value, len(self._numbers))

    @property
    def values(self) -> list[T]:
        """The values in the order of their numbers."""
        return list(self._numbers)


class _Encoder:
    """Encodes steps and reads, and collects the values that they share."""

    def __init__(self, known: Sequence[int], game: Variant) -> None:
        self.known = known
        self._game = game
        self.texts: _Pool[str] = _Pool()
        self.places: _Pool[tuple[int, str, str, str, str]] = _Pool()
        self.names: _Pool[str] = _Pool()
        self.families: _Pool[tuple[tuple[int, float, str], ...]] = _Pool()

    def step(self, step: StepPart) -> dict[str, Any]:
        """Return a step as JSON values."""
        return {
            "kind": self.texts.number(step.kind),
            "street": step.street,
            "stage": step.stage,
            "actor": step.actor,
            "to_act": step.to_act,
            "title": step.title,
            "mark": step.mark,
            "pot": step.pot,
            "places": [
                self.places.number((p.seat, cards_text(p.up), p.state, p.put, p.stack))
                for p in step.places
            ],
            "shared": None if step.shared is None else card_text(step.shared),
            "chances": self._chances(step),
            "action": None if step.action is None else self._action(step.action),
            "news": {str(seat): figure.words for seat, figure in step.news.items()},
            "notable": int(step.notable),
            "gist": step.gist,
            "sentence": step.sentence,
            "on_truth": self._with_numbers(step.on_truth),
            "reads": [step.reads[place.seat] for place in step.places],
            "table_reads": {str(seat): number for seat, number in step.table_reads.items()},
        }

    def _chances(self, step: StepPart) -> list[int]:
        """Return texts of the seats, and their chances by the bets, by the cards and in truth."""
        found = step.chances
        lines = [SEPARATOR.join(str(chance.seat) for chance in found)]
        lines += [_words(chance.bets for chance in found), _words(chance.cards for chance in found)]
        truths = [chance.truth for chance in found if chance.truth is not None]
        if truths:
            lines.append(_words(truths))
        return [self.texts.number(line) for line in lines]

    def _action(self, row: ActionFigures) -> list[str | None]:
        """Return the figures of an action in words.

        Those for the table come last, and only where the viewpoint knows the actor's downcards.
        """
        figures = [row.surprise, row.information, row.truth]
        if row.seat in self.known:
            figures += [row.table, row.table_truth]
        words = [None if figure is None else figure.words for figure in figures]
        return [row.expected.words, row.one_in, *words]

    def read(self, read: ReadPart) -> dict[str, Any]:
        """Return a read as JSON values.

        Lines of families and kinds are texts: the number of a name, the share in the read, that by
        the cards alone, a mark. The families to guess among are left out where no truth is known to
        score a guess.
        """
        families = tuple(
            (self.names.number(name), round(guess, PLACES), share_words(guess))
            for name, _, guess in read.families
        )
        return {
            "seat": read.seat,
            "street": read.street,
            "lines": SEPARATOR.join(self._line(read, line) for line in read.lines),
            "kinds": SEPARATOR.join(
                f"{self.names.number(kind)}:{chance.words}:{cards.words}:{self.names.number(family)}"
                for family, kind, chance, cards in read.kinds
            ),
            "holdings": [f"{cards} {chance.words}" for cards, chance in read.holdings],
            "as_likely": self.texts.number(read.as_likely),
            "grid": packed(read.grid),
            "live": read.live,
            "openness": self._with_numbers(read.openness),
            "combinations": read.combinations,
            "entropy": read.entropy.words,
            "ends": self.texts.number(_words(read.categories)),
            "heights": packed(strokes(read.heights, self._game)),
            "families": None if read.truth is None else self.families.number(families),
            "truth": None if read.truth is None else self._truth(read, read.truth),
        }

    def decision(self, decision: DecisionFigures) -> dict[str, Any]:
        """Return what the options of a decision come to, as JSON values.

        Lines of families are texts: the number of a name, the share before the decision in per
        cent, and that after each option.
        """
        return {
            "at": decision.moment,
            "open": int(decision.is_open),
            "taken": decision.options.index(decision.taken),
            "nouns": [option.noun for option in decision.options],
            "deeds": [option.deed for option in decision.options],
            "against": [option.against for option in decision.options],
            "bits": [option.bits for option in decision.options],
            "families": SEPARATOR.join(
                ":".join(
                    [
                        str(self.names.number(line.family)),
                        *(share.removesuffix("%") for share in (line.before, *line.after)),
                    ]
                )
                for line in decision.families
            ),
        }

    def _with_numbers(self, text: str) -> str:
        """Return the number of a text with a # for each of its numbers, then these numbers."""
        found = _NUMBER.findall(text)
        return " ".join([str(self.texts.number(_NUMBER.sub("#", text))), *found])

    def _line(self, read: ReadPart, line: FamilyLine) -> str:
        """Return a family: name, read, cards alone, and the marks r, f (rise, fall) and h."""
        marks = line.change[:1] + ("h" if line in read.headline else "")
        number = self.names.number(line.family)
        return f"{number}:{line.read.words}:{line.cards_alone.words}:{marks}"

    def _truth(self, read: ReadPart, truth: TruthPart) -> list[Any]:
        """Return the true downcards, their kind and family, the score, the family's probability."""
        share = next(p for name, p, _ in read.families if name == truth.family)
        kinds = self.texts.number(truth.kind), self.names.number(truth.family)
        return [
            cards_text(truth.downcards),
            *kinds,
            self._with_numbers(truth.words),
            round(share, PLACES),
        ]


def _words(figures: Iterable[Number]) -> str:
    return SEPARATOR.join(figure.words for figure in figures)


def _columns(rows: Sequence[dict[str, Any]]) -> dict[str, list[Any]]:
    """Return rows of the same fields as one list a field."""
    return {name: [row[name] for row in rows] for name in rows[0]} if rows else {}


def _cards_by_seat(cards: Mapping[int, Sequence[MaybeCard]]) -> dict[str, str]:
    return {str(seat): cards_text(held) for seat, held in sorted(cards.items())}
