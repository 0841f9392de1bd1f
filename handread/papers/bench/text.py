"""The tables of the bench of readers, as text."""

import math
from collections.abc import Iterator
from functools import partial

import handread.report.tables as tables
from handread.papers.bench.set_readers import ABOVE, BITS, HIT, SURPRISE, TRUE, Bench
from handread.report.words import visible
from handread.study.logs import FEWEST_LOGS
from handread.study.statistics import Estimate, Key

LEGEND = """\
bits: log2 of what the read gives the true downcards over a guess at the holdings that the upcards \
leave; the mean over players and betting stages, those who fold as they fold
less {baseline}: the bits less those of {baseline} in the same hands
ratio: the true-state ratio, 2 to the bits: how many times likelier than by that guess
MRR: mean reciprocal rank of the true downcards among all holdings
calib.: expected calibration error of the family of the holding, %; small samples make it too large
ace: Brier score of "an ace among the downcards" (0 is best)
surprise: bits an action; ms: milliseconds of the processor for a hand, without the scores
true: Saund's observer with the policies that the simulated players follow
±: half of the 95% interval, from {resamples:,} resamples of the hands, or of whole logs \
where there are {logs}"""

HIT_LEGEND = "hit: the likeliest family of holdings, such as a split pair, is the true one, %"


def bench_text(table: Bench, hits: bool = False) -> str:
    """Return the bench as text: tables of each set, a line per reader; with ``hits`` hit rates."""
    sets = "\n".join(_set_text(table, name, hits) for name in table.sets)
    baseline, resamples = visible(table.baseline), table.resamples
    lines = LEGEND.format(baseline=baseline, resamples=resamples, logs=FEWEST_LOGS).splitlines()
    if hits:
        lines = [HIT_LEGEND if line.startswith("ratio:") else line for line in lines]
    if TRUE not in table.readers:
        lines = [line for line in lines if not line.startswith(f"{TRUE}:")]
    return f"{sets}\n{tables.as_prose(*lines, hang='  ')}"


def _set_text(table: Bench, name: str, hits: bool) -> str:
    labels = [label for label in table.readers if table.at(BITS, "", label, name).n]
    if not labels:
        unread = (table.at("unread", "", label, name).n for label in table.readers)
        read = sum(unread) < len(table.readers) * table.sets[name]
        why = "no downcards known" if read else "no reader reads them"
        return tables.as_prose(f"{_title(table, name)}, {why}", *_notes(table, name))
    first = table.at(BITS, "", labels[0], name)
    floor = tables.number(table.at("reciprocal_rank_floor", "", labels[0], name).mean, 4)
    rows = [(f"  {visible(label)}", Key("", "", label, name)) for label in labels]
    return (
        tables.as_prose(
            f"{_title(table, name)}, {first.n:,} reads of known downcards; MRR by the upcards "
            f"alone {floor}"
        )
        + tables.figures_text(table, rows, _columns(table, hits), gaps=False)
        + "  bits by betting stage\n"
        + tables.figures_text(table, rows, _stage_columns(table, name), gaps=False)
        + tables.as_prose(*_notes(table, name))
    )


def _title(table: Bench, name: str) -> str:
    return f"{visible(name)}: {tables.hands_words(table.sets[name])}"


def with_reach(estimate: Estimate, digits: int = 2, scale: float = 1.0, sign: str = "") -> str:
    """Return a mean and half of its 95% interval: ``1.19 ±.04``; a dash if there is no mean."""
    mean = tables.number(estimate.mean, digits, scale, f"{sign}z")
    if mean == "-" or not math.isfinite(estimate.low):
        return mean
    reach = scale * (estimate.high - estimate.low) / 2.0
    return f"{mean} ±{reach:.{digits}f}".replace("±0.", "±.")


SIGNED = partial(with_reach, sign="+")


def _columns(table: Bench, hits: bool) -> list[tables.FigureColumn]:
    percent = partial(with_reach, digits=1, scale=100.0)
    ratio = tables.FigureColumn(("ratio",), "true_state_ratio_floored", with_reach)
    less = f"less {visible(table.baseline)}"
    return [
        tables.FigureColumn(("bits",), BITS, SIGNED),
        tables.FigureColumn((less,), BITS + ABOVE, SIGNED),
        tables.FigureColumn(("hit",), HIT, percent) if hits else ratio,
        tables.FigureColumn(("MRR",), "reciprocal_rank", partial(with_reach, digits=4)),
        tables.FigureColumn(("calib.",), "calibration_error", percent),
        tables.FigureColumn(("ace",), "brier_ace", partial(with_reach, digits=3)),
        tables.FigureColumn(("surprise",), SURPRISE, with_reach),
        tables.FigureColumn(("ms",), "milliseconds", partial(tables.mean_cell, digits=1)),
    ]


def _stage_columns(table: Bench, name: str) -> list[tables.FigureColumn]:
    there = {key.stage for key in table.figures if key.about == name and key.stage}
    stages = [stage for stage in table.stages if stage in there]
    return [tables.FigureColumn((stage,), BITS, SIGNED, stage) for stage in stages]


def _notes(table: Bench, name: str) -> Iterator[str]:
    """Yield the hands that readers could not read, had seen before, or ruled out."""
    for label in table.readers:
        reader = visible(label)
        unread = table.at("unread", "", label, name).n
        if unread and label != TRUE:
            yield f"{reader} cannot read {tables.hands_words(unread)} of these"
        if seen := table.at("seen", "", label, name).n:
            hands = tables.hands_words(seen)
            yield f"{reader} was fitted to {hands} of these: it reads others less well"
        if ruled_out := table.at(BITS, "", label, name).infinite:
            yield f"{reader} ruled out {ruled_out:,} true holdings; each counts as -40 bits"
