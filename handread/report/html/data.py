"""What the script of a page shows: the report value as plain JSON values.

The script places text and draws lengths; what a person reads of numbers is worded here, but for
the reader's own scores. A long hand of eight players has some two hundred moments and as many
reads, so what repeats stands once (``texts``, ``places``, ``families``, ``lives``) and is meant by
its number, rows of numbers are packed, and what is empty is left out.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Any, Generic, TypeVar

from handread.analysis import viewpoint_of
from handread.cards import MaybeCard, card_text
from handread.hand_types import CATEGORIES
from handread.report.bins import CATEGORY_MARKS, category_starts, edges
from handread.report.html.packing import DIGITS, RUN, packed
from handread.report.reads import GRID_SCALE
from handread.report.value import ActionRow, Figure, HandReport, ReadPart, Step, Steps, TruthPart
from handread.report.words import percent_words, share_words

SCHEMA = "handread.report/1"

PLACES = 5
"""To how many decimal places a guess is kept that scores are reckoned from."""

T = TypeVar("T", bound=Hashable)


class Pool(Generic[T]):
    """Values that stand once and are meant by their number."""

    def __init__(self) -> None:
        self.numbers: dict[T, int] = {}

    def number(self, value: T) -> int:
        """The number of a value, a new one for a new value."""
        return self.numbers.setdefault(value, len(self.numbers))

    @property
    def values(self) -> list[T]:
        """The values by their number."""
        return list(self.numbers)


def page_data(report: HandReport, steps: Steps) -> dict[str, Any]:
    """All that a page steps through, ``handread.report/1``."""
    known = known_seats(report)
    made = _Maker(known)
    downcards = sorted(report.analysis.replay.downcards.items())
    moments = [made.step(step) for step in steps.steps]
    reads = [made.read(read) for read in steps.reads]
    return {
        "schema": SCHEMA,
        "digits": DIGITS,
        "run": RUN,
        "spoken": report.spoken,
        "known": known,
        "downcards": {str(seat): _cards(cards) for seat, cards in downcards},
        "categories": CATEGORIES,
        "marks": CATEGORY_MARKS,
        "starts": category_starts(),
        "edges": edges().tolist(),
        "steps": _columns(moments),
        "reads": _columns(reads),
        "texts": made.texts.values,
        "places": made.places.values,
        "families": made.families.values,
        "lives": [packed(counts) for counts in steps.lives],
        "shares": share_thresholds(),
    }


def known_seats(report: HandReport) -> list[int]:
    """The seats whose downcards whoever looks on knows anyway."""
    analysis = report.analysis
    return sorted(viewpoint_of(analysis.replay, analysis.viewpoint).known)


def share_thresholds() -> list[tuple[int, str]]:
    """The words for a share of a grid: from so many parts of 10,000 on they are these."""
    found: list[tuple[int, str]] = []
    for parts in range(1, GRID_SCALE + 1):
        words = percent_words(parts / GRID_SCALE)
        if not found or words != found[-1][1]:
            found.append((parts, words))
    return found


def _cards(cards: Sequence[MaybeCard]) -> str:
    return " ".join(map(card_text, cards))


def _words(figures: Iterable[Figure]) -> str:
    return " ".join(figure.words for figure in figures)


def _columns(rows: Sequence[dict[str, Any]]) -> dict[str, list[Any]]:
    """Rows of the same fields as a list a field."""
    return {name: [row[name] for row in rows] for name in rows[0]} if rows else {}


class _Maker:
    """Makes moments and reads, and collects what they share."""

    def __init__(self, known: Sequence[int]) -> None:
        self.known = known
        self.texts: Pool[str] = Pool()
        self.places: Pool[tuple[int, str, str, str, str]] = Pool()
        self.families: Pool[tuple[tuple[str, float, str], ...]] = Pool()

    def step(self, step: Step) -> dict[str, Any]:
        """A moment."""
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
                self.places.number((p.seat, _cards(p.up), p.state, p.put, p.stack))
                for p in step.places
            ],
            "shared": None if step.shared is None else card_text(step.shared),
            "chances": self._chances(step),
            "action": None if step.action is None else self._action(step.action),
            "news": {str(seat): figure.words for seat, figure in step.news.items()},
            "notable": int(step.notable),
            "sentence": step.sentence,
            "on_truth": step.on_truth,
            "reads": [step.reads[place.seat] for place in step.places],
            "table_reads": {str(seat): number for seat, number in step.table_reads.items()},
        }

    def _chances(self, step: Step) -> list[int]:
        """Texts of the seats, their chances by the bets, by the cards, and in truth where known."""
        found = step.chances
        lines = [" ".join(str(chance.seat) for chance in found)]
        lines += [_words(chance.bets for chance in found), _words(chance.cards for chance in found)]
        truths = [chance.truth for chance in found if chance.truth is not None]
        if truths:
            lines.append(_words(truths))
        return [self.texts.number(line) for line in lines]

    def _action(self, row: ActionRow) -> list[str | None]:
        """What an action told; last what it told the table, where that is something else."""
        figures = [row.surprise, row.told, row.truth]
        if row.seat in self.known:
            figures += [row.table, row.table_truth]
        words = [None if figure is None else figure.words for figure in figures]
        return [row.expected.words, row.one_in, *words]

    def read(self, read: ReadPart) -> dict[str, Any]:
        """A read; the families to guess among only where the guess can be held to a truth."""
        families = tuple(
            (name, round(guess, PLACES), share_words(guess)) for name, _, guess in read.families
        )
        return {
            "seat": read.seat,
            "street": read.street,
            "kinds": [(self.texts.number(kind), chance.words) for kind, chance in read.kinds],
            "holdings": [f"{cards} {chance.words}" for cards, chance in read.holdings],
            "as_likely": self.texts.number(read.as_likely),
            "grid": packed(read.grid),
            "live": read.live,
            "combinations": read.combinations,
            "entropy": read.entropy.words,
            "ends": self.texts.number(_words(read.categories)),
            "heights": packed(read.heights),
            "families": None if read.truth is None else self.families.number(families),
            "truth": None if read.truth is None else self._truth(read, read.truth),
        }

    def _truth(self, read: ReadPart, truth: TruthPart) -> list[Any]:
        """The true downcards, their kind and family, how the read stands to them in words.

        Last is what the read gives to the family.
        """
        share = next(p for name, p, _ in read.families if name == truth.family)
        kinds = self.texts.number(truth.kind), self.texts.number(truth.family)
        return [_cards(truth.downcards), *kinds, truth.words, round(share, PLACES)]
