"""The picture of an evaluation: whether the chances of the reads came true."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from handread.evaluation.values import Evaluation, ReliabilityBin
from handread.report.plots.canvas import FAINT, SOFT, blank, house_style, note, plain
from handread.report.tables import hands_words

BLUE = "#2166ac"


def reliability_figure(found: Evaluation) -> Figure:
    """A reliability curve for each kind of event: the chances given, and what came true.

    The bars are 95% bootstrap intervals, the numbers how many events each point stands for.
    """
    tables = {kind: bins for kind, bins in found.reliability.items() if bins}
    with house_style():
        figure = blank(4.6 * max(1, len(tables)), 4.9)
        plots = figure.subplots(1, max(1, len(tables)), squeeze=False)[0]
        for axes, (kind, bins) in zip(plots, tables.items(), strict=False):
            _curve(axes, kind, bins)
        hands = hands_words(found.hands)
        note(figure, f"{hands}, {plain(found.policy, 60)}; bars: 95% intervals, numbers: events")
    return figure


def _curve(axes: Axes, kind: str, bins: Sequence[ReliabilityBin]) -> None:
    axes.plot([0, 100], [0, 100], color=FAINT, lw=1.2, zorder=1)
    points = [
        (100 * b.chance, 100 * b.happened.mean, b) for b in bins if b.happened.mean is not None
    ]
    axes.plot(
        [x for x, _, _ in points],
        [y for _, y, _ in points],
        "-o",
        ms=5,
        lw=1.0,
        color=BLUE,
        clip_on=False,
    )
    for x, y, b in points:
        if b.happened.low is not None and b.happened.high is not None:
            axes.plot([x, x], [100 * b.happened.low, 100 * b.happened.high], color=BLUE, lw=0.9)
        axes.annotate(
            f"{b.events:,}",
            (x, y),
            (5, -9),
            textcoords="offset points",
            fontsize=7.5,
            color=SOFT,
        )
    axes.set(xlim=(-2, 102), ylim=(-2, 102), aspect="equal", title=kind)
    axes.set_xlabel("chance that the read gave, %")
    axes.set_ylabel("came true, %")
