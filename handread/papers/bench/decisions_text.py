"""The worth of a read, as text."""

from collections.abc import Mapping
from functools import partial

from handread.game.rules import STAGE_OF, STREET_NAMES
from handread.inference.players import CARDS_ONLY
from handread.papers.bench import read_value
from handread.papers.bench.text import with_reach
from handread.report.tables import (
    FigureColumn,
    as_prose,
    figures_text,
    hands_words,
    mean_cell,
    n_cell,
)
from handread.report.words import visible
from handread.study.decision_samples import ALL_CARDS, FULL_WEIGHT, READ
from handread.study.statistics import Estimate, Key

OBSERVER_NAMES: Mapping[str, str] = {
    CARDS_ONLY: "cards alone",
    READ: "the read",
    FULL_WEIGHT: "full weight",
    ALL_CARDS: "all cards",
}

LEGEND = """\
gain: big bets a decision, beyond the action taken, of the action that the observer takes for the \
best: by {scoring:,} fresh rollouts with the true downcards; ±: half of the 95% interval, by hand
share: % of the gain with all cards known
promised: the gain by the {rollouts:,} rollouts by which the observer chose; it is too high, \
because the best of several noisy values is
changes: % of choices that differ from the action taken; agrees: % that are those with all cards"""

FULL_WEIGHT_LEGEND = """\
full weight: the read by Bayes' rule without the likelihood exponent of the policies"""


def read_value_text(table: read_value.ReadValue) -> str:
    """Return the worth of reads as text: tables of each source, with a line per observer."""
    tables = [_value_text(table, name) for name in table.sets]
    legend = LEGEND.format(rollouts=table.rollouts, scoring=table.scoring).splitlines()
    if any(table.at(read_value.GAIN, "", FULL_WEIGHT, name).n for name in table.sets):
        legend.append(FULL_WEIGHT_LEGEND)
    return "\n".join([*tables, as_prose(*legend, hang="  ")])


def _value_text(table: read_value.ReadValue, name: str) -> str:
    there = table.at(read_value.GAIN, "", ALL_CARDS, name)
    if not there.n:
        return as_prose(f"{visible(name)}: no decision with known downcards of all who are in")
    observers = [who for who in read_value.OBSERVERS if table.at(read_value.GAIN, "", who, name).n]
    rows = [(f"  {OBSERVER_NAMES[who]}", Key("", "", who, name)) for who in observers]
    gain = partial(with_reach, digits=3, sign="+")
    share = partial(with_reach, digits=0, scale=100.0)
    columns = (
        FigureColumn(("gain",), read_value.GAIN, gain),
        FigureColumn(("share",), read_value.SHARE, share),
        FigureColumn(("above cards",), read_value.ABOVE, gain),
        FigureColumn(("promised",), read_value.PROMISED, partial(mean_cell, digits=2, sign="+z")),
        FigureColumn(("changes",), read_value.CHANGED, share),
        FigureColumn(("agrees",), read_value.AGREES, share),
    )
    stages = sorted({key.stage for key in table.figures if key.stage and key.about == name})
    gains = [
        FigureColumn((OBSERVER_NAMES[who],), read_value.GAIN, gain, group=who) for who in observers
    ]
    streets = [
        (f"  {STREET_NAMES[STAGE_OF[stage].street]} street", Key("", stage, "", name))
        for stage in stages
    ]
    decisions = FigureColumn(("decisions",), read_value.GAIN, n_cell, group=ALL_CARDS)
    return (
        as_prose(f"{visible(name)}: {counted(there)}")
        + figures_text(table, rows, columns)
        + "  gain by street\n"
        + figures_text(table, streets, (decisions, *gains))
    )


def counted(there: Estimate) -> str:
    """Return the number of decisions and of their hands, as words."""
    decisions = "1 decision" if there.n == 1 else f"{there.n:,} decisions"
    return f"{decisions} of {hands_words(there.hands)}"
