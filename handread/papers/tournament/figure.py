"""The figure of the tournament."""

from matplotlib.figure import Figure

import handread.report.figures.style as style
from handread.papers.tournament.study import NET, Tournament
from handread.report.figures.panels import apart
from handread.report.tables import n_games

KIND_COLOURS = (
    style.BLUE,
    style.ORANGE,
    style.GREEN,
    style.RED,
    style.INK,
    "#7b3294",
    "#8c6d31",
    style.SOFT,
)


@style.picture_style()
def tournament_figure(table: Tournament) -> Figure:
    """Return Figure 4 of Billings et al. 1998: profit so far in small bets a hand, by deals.

    Bands are 95% intervals from session to session.
    """
    figure = style.blank(8.6, 5.2)
    axes = figure.subplots()
    x = list(table.so_far)
    ends, late = [], [0.05]
    for place, kind in enumerate(table.groups("kind")):
        colour = KIND_COLOURS[place % len(KIND_COLOURS)]
        nets = [table.at(NET, group=kind, about=part) for part in table.so_far.values()]
        means = [net.mean for net in nets]
        axes.plot(x, means, "-o", ms=2.5 if len(x) > 1 else 6, lw=1.6, color=colour)
        axes.fill_between(
            x, [net.low for net in nets], [net.high for net in nets], color=colour, alpha=0.08, lw=0
        )
        ends.append((means[-1], f"{style.plain(kind, 24)} {means[-1]:+.3f}", colour))
        late += [abs(mean) for mean in means[len(means) // 4 :]]
    reach = 1.3 * max(late)
    axes.set_ylim(-reach, reach)  # the first means and intervals may not fit
    spread = apart([mean for mean, _, _ in ends], 0.09 * reach, -0.95 * reach, 0.95 * reach)
    for (_, label, colour), y in zip(ends, spread, strict=True):
        style.beside(axes, label, (x[-1], y), (8, 0), color=colour)
    axes.axhline(0.0, color=style.SOFT, lw=0.8)
    axes.set_xlim(0, x[-1] * 1.02)
    axes.set_xlabel("deals, each played in every rotation")
    axes.set_ylabel("mean profit so far, small bets a hand")
    axes.set_title(f"Duplicate tournament: {n_games(table.games)}")
    style.note(figure, f"{style.plain(table.players, 100)}; bands are 95% intervals")
    return figure
