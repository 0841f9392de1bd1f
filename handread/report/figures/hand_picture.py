"""The picture of a hand: its boards, panels and a table, and a page for each street's htpds."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import handread.report.figures.panels as panels
import handread.report.figures.style as style
from handread.arrays import Floats
from handread.game.rules import STREET_NAMES, Variant, variant_of
from handread.inference.stages import StageReading
from handread.report.ends import BIN, HandAxis, StageEnds, hand_axis, stage_ends
from handread.report.figures.boards import MOST_LINES, boards_height, boards_panel
from handread.report.palette import LIGHT, seat_colour
from handread.report.shown_values import HandReport, StepPart, Steps
from handread.report.words import prize_words

WIDTH, HEIGHT = 8.27, 11.69
"""A4, in inches."""

LEFT, RIGHT, TOP, BOTTOM = 0.6, 0.5, 0.5, 0.4
MARGIN = 2.2
"""The width of the labels to the right of the panels."""

ENTROPY, BITS, PLAY_ROW, TABLE_ROW = 0.6, 1.0, 0.14, 0.158
HEADS, COLUMN = ("expected", "that is", "surprise", "told"), 0.68
"""The columns of the table of actions, and their width."""

SPAN = 72 * (WIDTH - LEFT - RIGHT)
"""The width of the text in points."""

PANEL = 72 * (WIDTH - LEFT - MARGIN)
"""The width of the panels in points."""

SMALL = 6.3
"""The font size of the small print."""

CHANCES = 1.9, 3.4
"""The least and the greatest height of the panel of chances."""


@style.picture_style()
def hand_figure(report: HandReport, steps: Steps) -> Figure:
    """Return a hand on one page, with the most notable actions if there is no room for all."""
    figure = style.blank(WIDTH, HEIGHT)
    figure.set_layout_engine("none")
    plot = panels.HandPlot(report, steps.steps, PANEL)
    page = _Page(figure)
    _heading(page, plot)
    facts = style.flowed([f"{name}: {words}" for name, words in report.facts], SPAN, SMALL, 5)
    foot = BOTTOM + 0.12 * len(facts)
    done = [step for step in steps.steps if step.action is not None]
    if steps.steps:
        _boards(page, plot, foot)
        shares = _shares(page.down - foot, len(plot.seats), len(done))
        _panels(page, plot, shares)
        _actions(page, plot, done, shares.actions)
    else:
        page.line("Nothing of this hand could be read.", 9)
    page.small_print(facts, foot)
    return figure


def hand_pages(report: HandReport, steps: Steps, ends: Sequence[StageEnds]) -> list[Figure]:
    """Return ``hand_figure``, then a page of htpds a street (``ends`` of ``street_ends``)."""
    plot = panels.HandPlot(report, steps.steps, PANEL)
    moments = {step.stage: step for step in steps.steps}
    streets = (_street_page(plot, stage, moments[stage.stage]) for stage in ends)
    return [hand_figure(report, steps), *streets]


@style.picture_style()
def _street_page(plot: panels.HandPlot, stage: StageEnds, step: StepPart) -> Figure:
    game = variant_of(plot.report.replay.history.variant)
    figure = _htpds(stage, game)
    pitch = min(1.45, (HEIGHT - 2.05) / len(step.chances))
    foot = HEIGHT - 1.05 - pitch * len(step.chances)
    figure.set_layout_engine("none")
    figure.set_size_inches(WIDTH, HEIGHT)
    heading = style.fitted(plot.report.title, SPAN, 15, "bold")
    figure.text(LEFT / WIDTH, 1 - 0.7 / HEIGHT, heading, fontsize=15, fontweight="bold")
    about: dict[str, Any] = {"x": LEFT / WIDTH, "ha": "left"}
    figure.suptitle(figure.get_suptitle(), y=1 - 0.85 / HEIGHT, fontsize=9.5, **about)
    below = (foot - 0.35) / HEIGHT
    about |= {"y": below, "va": "top", "fontsize": 7, "color": style.SOFT}
    figure.supxlabel(figure.get_supxlabel(), **about)
    part = " as far as is known" * (stage.omniscience == "partial")
    for row, (axes, seat) in enumerate(zip(figure.axes, stage.heights, strict=True)):
        low = (HEIGHT - 1.05 - pitch * (row + 1)) / HEIGHT
        axes.set_position((LEFT / WIDTH, low, SPAN / 72 / WIDTH, (pitch - 0.4) / HEIGHT))
        chance = step.chances[seat]
        verb = "share" if game.splits else "wins"
        words = f"{verb} {chance.bets.words}, by the cards alone {chance.cards.words}"
        if chance.truth is not None:
            words += f", in truth{part} {chance.truth.words}"
        axes.set_title(plot.label(seat), fontsize=8.5, color=seat_colour(seat))
        axes.set_title(words, fontsize=8, loc="right")
    return figure


class _Page:
    """A page that is filled from the top; ``down`` is the distance to its foot, in inches."""

    def __init__(self, figure: Figure) -> None:
        self.figure = figure
        self.down = HEIGHT - TOP

    def text(self, x: float, words: str, size: float = 7.5, **look: Any) -> None:
        self.figure.text(x / WIDTH, self.down / HEIGHT, words, fontsize=size, **look)

    def line(self, words: str, size: float, **look: Any) -> None:
        self.down -= size / 72
        weight = str(look.get("fontweight", "normal"))
        self.text(LEFT, style.fitted(words, SPAN, size, weight), size, **look)
        self.down -= 0.5 * size / 72

    def title(self, words: str, more: str) -> None:
        self.text(LEFT, words, 9.5, fontweight="bold")
        room = SPAN - style.breadth(words, 9.5, "bold") - 9
        self.text(WIDTH - RIGHT, style.fitted(more, room, 7), 7, color=style.SOFT, ha="right")

    def panel(self, height: float) -> Axes:
        self.down -= height
        box = LEFT / WIDTH, self.down / HEIGHT, PANEL / 72 / WIDTH, height / HEIGHT
        return self.figure.add_axes(box)

    def rule(self) -> None:
        box = LEFT / WIDTH, self.down / HEIGHT, 1 - (LEFT + RIGHT) / WIDTH, 0
        axes = self.figure.add_axes(box)
        axes.set_axis_off()
        axes.axhline(0.0, color=style.FAINT, lw=0.7, clip_on=False)

    def small_print(self, lines: Sequence[str], top: float) -> None:
        self.down = top
        self.rule()
        for line in lines:
            self.down -= 0.12
            self.text(LEFT, line, SMALL, color=style.SOFT)


TABLE = 0.62
"""The height of the table of actions without its rows."""

FEW_ACTIONS = 6
"""With room for fewer actions, the panel of the entropy is left out."""


class _Shares(NamedTuple):
    """The height of the panel of chances, the number of actions, and whether entropy is shown."""

    chances: float
    actions: int
    entropy: bool


def _fixed(seats: int) -> float:
    """Return the height of all panels except chances and entropy."""
    return 0.55 + 0.08 + PLAY_ROW * seats + 0.35 + BITS


def _shares(room: float, seats: int, actions: int) -> _Shares:
    spare = room - _fixed(seats) - TABLE
    least, most = CHANCES
    entropy = spare - 0.35 - ENTROPY - least >= TABLE_ROW * min(actions, FEW_ACTIONS)
    if entropy:
        spare -= 0.35 + ENTROPY
    chances = min(most, max(least, spare - TABLE_ROW * actions))
    return _Shares(chances, min(actions, max(0, int((spare - chances) / TABLE_ROW))), entropy)


def _heading(page: _Page, plot: panels.HandPlot) -> None:
    report = plot.report
    page.line(report.title, 15, fontweight="bold")
    page.line(report.game, 9)
    label, name = report.facts[0]
    page.line(f"{label} {name} · {report.looks_on}", 9)
    for line in style.flowed((*report.shown, *report.result), SPAN, 8.5, 3):
        page.line(line, 8.5, color=style.SOFT)
    for words in report.notes[:2]:
        page.line(words, 8, color=LIGHT.bad)
    if len(report.notes) > 2:
        page.line(f"and {len(report.notes) - 2} more notes", 8, color=LIGHT.bad)


def _boards(page: _Page, plot: panels.HandPlot, foot: float) -> None:
    """Draw the boards, with fewer families for each read where many seats leave little room."""
    page.down -= 0.3
    cards = plot.report.cards_seen
    more = f"leading family of each read, {cards} → after the bets; in bold what rose most"
    page.title("Boards and reads", more)
    page.down -= 0.08
    seats = len(plot.seats)
    room = page.down - foot - _fixed(seats) - CHANCES[0] - TABLE - TABLE_ROW * FEW_ACTIONS
    most = MOST_LINES if boards_height(plot, MOST_LINES) <= room else 1
    page.down -= boards_height(plot, most)
    width = SPAN / 72
    box = LEFT / WIDTH, page.down / HEIGHT, width / WIDTH, boards_height(plot, most) / HEIGHT
    boards_panel(page.figure.add_axes(box), plot, width, most)


def _panels(page: _Page, plot: panels.HandPlot, shares: _Shares) -> None:
    page.down -= 0.3
    known = any(c.truth for step in plot.steps for c in step.chances.values())
    part = " as far as is known" * (plot.report.omniscience == "partial")
    dots = f"; dots: in truth{part}" * known
    many = max(len(step.chances) for step in plot.steps) > panels.FEW
    thin = f"; thin: cards alone{dots}" + f"; thin and dots if {panels.FEW} or fewer are in" * many
    game = variant_of(plot.report.replay.history.variant)
    page.title(prize_words(game).chances.capitalize(), f"thick: cards and bets{thin}")
    page.down -= 0.25
    panels.chances_panel(page.panel(shares.chances), plot)
    page.down -= 0.08
    panels.play_panel(page.panel(PLAY_ROW * len(plot.seats)), plot)
    if shares.entropy:
        page.down -= 0.27
        page.title("How open the outcome is", f"its entropy, in bits{dots}")
        page.down -= 0.08
        panels.entropy_panel(page.panel(ENTROPY), plot)
    page.down -= 0.27
    hollow = ""
    if plot.report.viewer_actions:
        hollow = f"; outlined: what {plot.label(plot.report.viewer_actions[0].seat)} told the table"
    more = f"bits about the downcards of each seat; filled: by bets; hatched: by cards{hollow}"
    page.title("What was told", more)
    page.down -= 0.08
    panels.bits_panel(page.panel(BITS), plot)


def most_notable(done: Sequence[StepPart], room: int) -> list[StepPart]:
    """Return the most notable actions that there is room for, in the order of play."""

    def weight(place: int) -> tuple[bool, float, int]:
        step, row = done[place], done[place].action
        assert row is not None
        if row.surprise is None or row.surprise.value is None:
            return True, float("inf"), -place
        return step.notable, row.surprise.value + (row.information.value or 0.0), -place

    kept = sorted(range(len(done)), key=weight, reverse=True)[:room]
    return [done[place] for place in sorted(kept)]


def _actions(page: _Page, plot: panels.HandPlot, done: Sequence[StepPart], room: int) -> None:
    if not room:
        return
    page.down -= 0.33
    kept = most_notable(done, room)
    left_out = len(done) - len(kept)
    more = "surprise and what was told in bits; in bold what is notable"
    if left_out:
        more += f"; the most notable of {len(done)} actions, {left_out} left out"
    page.title("What was done", more)
    truth = any(step.action and step.action.truth for step in done)
    heads = [*HEADS, *["to the table"] * bool(plot.report.viewer_actions), *["truth"] * truth]
    # Columns are placed from the right edge.
    places = {head: WIDTH - RIGHT - COLUMN * n for n, head in enumerate(reversed(heads))}
    page.down -= 0.19
    for head, x in places.items():
        page.text(x, head, 7, color=style.SOFT, ha="right")
    street = 0
    for step in kept:
        page.down -= TABLE_ROW
        if step.street != street:
            street = step.street
            page.text(LEFT, STREET_NAMES[street], 7, color=style.SOFT)
        _action(page, plot, step, places)


def _action(page: _Page, plot: panels.HandPlot, step: StepPart, places: dict[str, float]) -> None:
    row = step.action
    assert row is not None
    weight = "bold" if step.notable else "normal"
    room = 72 * (min(places.values()) - LEFT - 2.3)
    page.text(LEFT + 0.4, plot.label(row.seat), color=seat_colour(row.seat))
    look: dict[str, Any] = {"color": style.INK, "fontweight": weight}
    page.text(LEFT + 1.75, style.fitted(row.words, room, 7.5, weight), **look)
    cells = {
        "expected": row.expected.words,
        "that is": row.one_in,
        "surprise": row.surprise.words if row.surprise else "-",
        "told": row.information.words,
        "to the table": row.table.words,
        "truth": row.truth.words if row.truth else "-",
    }
    for head, x in places.items():
        page.text(x, cells[head], ha="right", **look)


FILL = "#4a7aa5"


@style.picture_style()
def htpd_figure(stage: StageReading, names: Mapping[int, str]) -> Figure:
    """Return Figure 1 of Saund 2006: the htpds of the seats still in, with their chances to win.

    Hand types go from the worst to the best. The height is the square root of the probability of a
    type, averaged over bins of ``BIN`` types.
    """
    figure = _htpds(stage_ends(stage), next(iter(stage.seats.values())).game)
    for axes, seat in zip(figure.axes, stage.seats, strict=True):
        _words(axes, seat, names.get(seat, ""), stage)
    return figure


def _htpds(stage: StageEnds, game: Variant) -> Figure:
    figure = style.blank(8.6, 1.1 + 1.3 * len(stage.heights))
    rows = figure.subplots(len(stage.heights), 1, sharex=True, sharey=True, squeeze=False)[:, 0]
    axis = hand_axis(game)
    top = max(map(max, stage.heights.values()))
    for axes, heights in zip(rows, stage.heights.values(), strict=True):
        _row(axes, axis, np.array(heights), top)
    _marks(rows[-1], axis)
    known = ""
    if stage.omniscience == "full" and stage.entropy_bits is not None:
        known = f"; entropy of the outcome {stage.entropy_bits:.2f} bits"
    style.note(
        figure,
        f"hand types from the worst to the best: {axis.marks_words}\n"
        f"height: square root of the probability of a type, mean of {BIN} neighbours"
        if game.low is None
        else f"hands from the worst to the best: {axis.marks_words}\n"
        "height: square root of the probability over the width",
    )
    figure.suptitle(f"What each seat may end with at {stage.stage}{known}", fontsize=11)
    return figure


def _row(axes: Axes, axis: HandAxis, row: Floats, top: float) -> None:
    axes.stairs(row, axis.edges, fill=True, color=FILL)
    axes.set(xlim=(0, axis.starts[-1]), ylim=(0, top * 1.05))
    axes.set_yticks([])
    axes.spines["left"].set_visible(False)
    for start in axis.starts[1:-1]:
        axes.axvline(start, color=style.FAINT, lw=0.7, zorder=0)


def _words(axes: Axes, seat: int, name: str, stage: StageReading) -> None:
    who = f"seat {seat} {style.plain(name, style.NAME_WIDTH)}".rstrip()
    bets, cards = stage.bet_inference[seat], stage.cards_only[seat]
    verb = "share" if stage.seats[seat].game.splits else "wins"
    chances = f"{verb} {bets:.0%}, by the cards alone {cards:.0%}"
    if stage.omniscient is not None:
        sure = "" if stage.omniscience == "full" else " as far as is known"
        chances += f", in truth{sure} {stage.omniscient[seat]:.0%}"
    axes.set_title(f"{who}: {chances}", fontsize=9)


def _marks(axes: Axes, axis: HandAxis) -> None:
    middles = [(low + high) / 2 for low, high in pairwise(axis.starts)]
    axes.set_xticks(middles, axis.marks)
    axes.tick_params(axis="x", length=0)
    for mark, label in zip(axis.marks, axes.get_xticklabels(), strict=True):
        if mark in ("S", "FH", "SF"):  # few hand types: no room for a label beside the next
            label.set_y(-0.13)
