"""The shipped action matrices: counts of choices in simulated games, as CSV.

``python -m docs.site.bpp_matrices`` plays the games; its ``records_text`` writes the files.
"""

import csv
import io
from functools import cache
from importlib.resources import files

from handread.game.rules import STREET_NAMES, Variant
from handread.papers.bpp.reader import BppReader
from handread.papers.bpp.record import CONTEXTS, GAMES, RELATIONS, Record, Switches
from handread.papers.bpp.types import FINE

KEYS = ("street", "context", "relation", "hand")
COUNTS = ("no_bet", "bet", "stayed", "folded", "shown_no_bet", "shown_bet")
"""The columns: choices of all players by their hand, then choices in hands that were shown."""

SHIPPED_WEIGHT = 20.0
"""Observations that the shipped matrices of a type count as, against the hands read."""


def parse_records(text: str, game: Variant) -> tuple[Record, Record]:
    """Return the records of shown and of all hands from CSV, as ``records_text`` writes it."""
    shown, every = Record.empty(game), Record.empty(game)
    places = {STREET_NAMES[street.number]: i for i, street in enumerate(game.streets)}
    hands = {label: i for i, label in enumerate(FINE.labels)}
    for row in csv.DictReader(io.StringIO(text)):
        place, hand = places[row["street"]], hands[row["hand"]]
        context, relation = CONTEXTS.index(row["context"]), RELATIONS.index(row["relation"])
        counts = [float(row[column]) for column in COUNTS]
        every.bets[place, context, relation, hand] = counts[:2]
        shown.bets[place, context, relation, hand] = counts[4:]
        if context:
            every.folds[place, relation, hand] = counts[2:4]
            every.met[place] += counts[2:4]
            shown.met[place] += counts[2:4]  # folds are seen, whoever shows
    return shown, every


@cache
def shipped_records(game: Variant) -> tuple[Record, Record]:
    """Return the shipped records of a game: of shown hands, and of all hands."""
    file = files("handread.papers.bpp") / f"{game.key}.csv"
    return parse_records(file.read_text(encoding="utf-8"), game)


IMPROVED = Switches(
    refined=True, folds=True, link=True, all_hands=True, memory=True, weight=SHIPPED_WEIGHT
)
"""All improvements that the authors propose, with their hand types."""


def shipped_reader(switches: Switches | None = None) -> BppReader:
    """Return a reader that starts from the shipped matrices; by default the paper's reader."""
    chosen = Switches(weight=SHIPPED_WEIGHT) if switches is None else switches
    start = {game.key: shipped_records(game)[chosen.all_hands] for game in GAMES}
    return BppReader(chosen, start)


def improved_reader() -> BppReader:
    """Return the reader with the improvements, starting from the shipped matrices."""
    return shipped_reader(IMPROVED)
