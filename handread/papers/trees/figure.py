"""The figure of learning curves (Ponsen et al. 2008, Figures 1 and 2)."""

from matplotlib.axes import Axes
from matplotlib.figure import Figure

import handread.report.figures.style as style
from handread.papers.trees import study

COLOURS = {
    study.UNINFORMED: style.SOFT,
    study.PRIOR: style.ORANGE,
    study.CORRECTED: style.BLUE,
    study.MATCHED: style.GREEN,
}

TITLES = {
    study.OUTCOME: "outcome, given upcards and history",
    study.ACTION: "action, given outcome, upcards and history",
}


@style.picture_style()
def learning_figure(table: study.LearningCurves) -> Figure:
    """Return Figures 1 and 2 of Ponsen et al. 2008 above the gains on the prior, with 95% bands."""
    figure = style.blank(10.0, 6.8)
    panels = figure.subplots(2, 2, sharex=True, sharey="row")
    for (top, bottom), (kind, title) in zip(panels.T, TITLES.items(), strict=True):
        for curve in study.CURVES:
            _draw(top, table, study.LIKELIHOOD, kind, curve)
        for curve in (study.CORRECTED, study.MATCHED):
            _draw(bottom, table, study.GAIN, kind, curve, band=True)
        top.set_title(title)
        bottom.axhline(0.0, color=COLOURS[study.PRIOR], lw=1.2)
        bottom.set_xscale("log")
        bottom.set_xticks(table.sizes, [f"{size:,}" for size in table.sizes], rotation=45)
        bottom.minorticks_off()
        bottom.set_xlabel("games of the player")
    panels[0, 0].set_ylabel("mean log2 P, held out")
    panels[1, 0].set_ylabel("gain on the prior, bits")
    panels[0, 1].legend(frameon=False, fontsize=8.5, loc="center right")
    players = style.plain("; ".join(table.players), 110)
    style.note(figure, f"{len(table.players)} players ({players}); bands are 95% intervals")
    return figure


def _draw(
    axes: Axes, table: study.LearningCurves, name: str, kind: str, curve: str, band: bool = False
) -> None:
    values = [table.at(name, group=curve, about=study.part_of(kind, size)) for size in table.sizes]
    colour = COLOURS[curve]
    marker = "-" if curve in (study.UNINFORMED, study.PRIOR) else "-o"
    means = [value.mean for value in values]
    axes.plot(table.sizes, means, marker, ms=3.5, color=colour, label=curve)
    if band:
        lows, highs = [value.low for value in values], [value.high for value in values]
        axes.fill_between(table.sizes, lows, highs, color=colour, alpha=0.12)
