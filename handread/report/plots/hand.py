"""The picture of a hand: one page for a paper or a print-out, and pages of what may come of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from handread.reading import StageReading
from handread.report.palette import LIGHT, seat_colour
from handread.report.plots.canvas import FAINT, INK, SOFT, blank, house_style
from handread.report.plots.hand_axes import View, breadth, fitted, flowed
from handread.report.plots.hand_ledger import ledger_panel
from handread.report.plots.hand_panels import FEW, chances_panel, entropy_panel, play_panel
from handread.report.plots.hands import htpd_figure
from handread.report.value import ActionRow, HandReport, Step, Steps
from handread.stud import STREET_NAMES

WIDTH, HEIGHT = 8.27, 11.69
"""A4, in inches."""

LEFT, RIGHT, TOP, BOTTOM = 0.6, 0.5, 0.5, 0.4
MARGIN = 2.2
"""The room at the right of the panels for the labels of the lines."""

ENTROPY, LEDGER, PLAY_ROW, TABLE_ROW = 0.85, 1.2, 0.14, 0.158
HEADS, COLUMN = ("expected", "that is", "surprise", "told"), 0.68
"""What the table tells of every action, and how wide its columns are."""

SPAN = 72 * (WIDTH - LEFT - RIGHT)
"""The width of the text in points."""

PANEL = 72 * (WIDTH - LEFT - MARGIN)
"""The width of the panels in points."""

SMALL = 6.3
"""The size of the small print."""

CHANCES = 2.4, 3.9
"""The lowest and the highest that the panel of the chances may be."""


def hand_figure(report: HandReport, steps: Steps, truth: bool = True) -> Figure:
    """A hand on one page: chances to win, play, entropy, bits, and what was done.

    Without ``truth`` it shows nothing of the true downcards. Where the actions are more than the
    page has room for, it lists the most notable and says how many it leaves out.
    """
    with house_style():
        figure = blank(WIDTH, HEIGHT)
        figure.set_layout_engine("none")
        view = View(report, steps.steps, truth, PANEL)
        page = _Page(figure)
        _heading(page, view)
        facts = _facts(report)
        foot = BOTTOM + 0.12 * len(facts)
        done = [step for step in steps.steps if step.action is not None]
        if steps.steps:
            chances, rows = _shares(page.down - foot, len(view.seats), len(done))
            _panels(page, view, chances)
            _actions(page, view, done, rows)
        else:
            page.line("Nothing of this hand could be read.", 9)
        page.small_print(facts, foot)
    return figure


def hand_pages(report: HandReport, steps: Steps, truth: bool = True) -> list[Figure]:
    """The page of a hand, then one a street: what those still in may end with.

    A street is shown after its betting, or after its deal where there is none to the end;
    not where the betting left one player alone.
    """
    pages = [hand_figure(report, steps, truth)]
    view = View(report, steps.steps, truth, PANEL)
    stages = {stage.stage: stage for stage in report.analysis.stages}
    moments = {step.stage: step for step in steps.steps}
    for street in STREET_NAMES:
        stage = stages.get(f"{street}B") or stages.get(f"{street}D")
        if stage is not None and len(stage.active) > 1:
            pages.append(_street_page(view, stage, moments[stage.stage]))
    return pages


def _street_page(view: View, stage: StageReading, step: Step) -> Figure:
    """The htpds of a stage on a page of the same size, from its top, with the report's words."""
    if not view.truth:
        stage = replace(stage, omniscient=None, omniscience="none")
    figure = htpd_figure(stage, {})
    chances = {chance.seat: chance for chance in step.chances}
    pitch = min(1.45, (HEIGHT - 2.05) / len(stage.seats))
    foot = HEIGHT - 1.05 - pitch * len(stage.seats)
    with house_style():
        figure.set_layout_engine("none")
        figure.set_size_inches(WIDTH, HEIGHT)
        heading = fitted(view.report.title, SPAN, 15, "bold")
        figure.text(LEFT / WIDTH, 1 - 0.7 / HEIGHT, heading, fontsize=15, fontweight="bold")
        about = {"x": LEFT / WIDTH, "ha": "left"}
        figure.suptitle(figure.get_suptitle(), y=1 - 0.85 / HEIGHT, fontsize=9.5, **about)
        below = (foot - 0.35) / HEIGHT
        figure.supxlabel(figure.get_supxlabel(), y=below, va="top", fontsize=7, color=SOFT, **about)
        part = " as far as is known" * (stage.omniscience == "partial")
        for row, (axes, seat) in enumerate(zip(figure.axes, stage.seats, strict=True)):
            low = (HEIGHT - 1.05 - pitch * (row + 1)) / HEIGHT
            axes.set_position((LEFT / WIDTH, low, SPAN / 72 / WIDTH, (pitch - 0.4) / HEIGHT))
            chance = chances[seat]
            words = f"wins {chance.bets.words}, by the cards alone {chance.cards.words}"
            if view.truth and chance.truth is not None:
                words += f", in truth{part} {chance.truth.words}"
            colour = seat_colour(LIGHT, seat)
            axes.set_title(view.label(seat), fontsize=8.5, color=colour)
            axes.set_title(words, fontsize=8, loc="right")
    return figure


# The page


class _Page:
    """A page that is filled from the top; ``down`` is how far up from its foot, in inches."""

    def __init__(self, figure: Figure) -> None:
        self.figure = figure
        self.down = HEIGHT - TOP

    def text(self, x: float, words: str, size: float = 7.5, **look: Any) -> None:
        """A text on the line at hand, ``x`` in inches from the left edge."""
        self.figure.text(x / WIDTH, self.down / HEIGHT, words, fontsize=size, **look)

    def line(self, words: str, size: float, **look: Any) -> None:
        """A line of text from the left margin, and down to the next."""
        self.down -= size / 72
        weight = str(look.get("fontweight", "normal"))
        self.text(LEFT, fitted(words, SPAN, size, weight), size, **look)
        self.down -= 0.5 * size / 72

    def title(self, words: str, more: str) -> None:
        """The title of a part at the left, what explains it at the right."""
        self.text(LEFT, words, 9.5, fontweight="bold")
        room = SPAN - breadth(words, 9.5, "bold") - 9
        self.text(WIDTH - RIGHT, fitted(more, room, 7), 7, color=SOFT, ha="right")

    def panel(self, height: float) -> Axes:
        """The panel below, between the left margin and the room for labels."""
        self.down -= height
        box = LEFT / WIDTH, self.down / HEIGHT, PANEL / 72 / WIDTH, height / HEIGHT
        return self.figure.add_axes(box)

    def rule(self) -> None:
        """A hairline across."""
        axes = self.figure.add_axes(
            (LEFT / WIDTH, self.down / HEIGHT, 1 - (LEFT + RIGHT) / WIDTH, 0)
        )
        axes.set_axis_off()
        axes.axhline(0.0, color=FAINT, lw=0.7, clip_on=False)

    def small_print(self, lines: Sequence[str], top: float) -> None:
        """Lines at the foot of the page, whatever is above."""
        self.down = top
        self.rule()
        for line in lines:
            self.down -= 0.12
            self.text(LEFT, line, SMALL, color=SOFT)


def _shares(room: float, seats: int, actions: int) -> tuple[float, int]:
    """How high the panel of the chances is, and how many actions the table has room for."""
    fixed = 0.55 + 0.08 + PLAY_ROW * seats + 0.35 + ENTROPY + 0.35 + LEDGER
    table = 0.62
    spare = room - fixed - table
    least, most = CHANCES
    chances = min(most, max(least, spare - TABLE_ROW * actions))
    return chances, min(actions, max(0, int((spare - chances) / TABLE_ROW)))


def _heading(page: _Page, view: View) -> None:
    """What hand it is, who reads it, and how it ended."""
    report = view.report
    page.line(report.title, 15, fontweight="bold")
    page.line(report.game, 9)
    policy = dict(report.facts).get("policy", "")
    page.line(f"policy {policy} · {report.looks_on}", 9)
    ended = (*report.shown, *report.result) if view.truth else report.result
    for line in flowed(ended, SPAN, 8.5, 3):
        page.line(line, 8.5, color=SOFT)
    for words in report.notes[:2]:
        page.line(words, 8, color=LIGHT.bad)
    if len(report.notes) > 2:
        page.line(f"and {len(report.notes) - 2} more notes", 8, color=LIGHT.bad)


def _facts(report: HandReport) -> list[str]:
    return flowed([f"{name}: {words}" for name, words in report.facts], SPAN, SMALL, 5)


def _panels(page: _Page, view: View, chances: float) -> None:
    page.down -= 0.3
    known = view.truth and any(c.truth for step in view.steps for c in step.chances)
    part = " as far as is known" * (view.report.omniscience == "partial")
    dots = f"; dots: in truth{part}" * known
    many = max(len(step.chances) for step in view.steps) > FEW
    thin = f"; thin: cards alone{dots}" + f"; thin and dots only where {FEW} or fewer are in" * many
    page.title("Chances to win", f"thick: cards and bets{thin}")
    page.down -= 0.25
    chances_panel(page.panel(chances), view)
    page.down -= 0.08
    play_panel(page.panel(PLAY_ROW * len(view.seats)), view)
    page.down -= 0.27
    page.title("How open the outcome is", f"its entropy, in bits{dots}")
    page.down -= 0.08
    entropy_panel(page.panel(ENTROPY), view)
    page.down -= 0.27
    hollow = ""
    if view.report.told_table:
        hollow = f"; outlined: what {view.label(view.report.told_table[0].seat)} told the table"
    more = f"bits about the downcards of each seat; filled: by bets; hatched: by cards{hollow}"
    page.title("What was told", more)
    page.down -= 0.08
    ledger_panel(page.panel(LEDGER), view)


# The table of the actions


def most_notable(done: Sequence[Step], room: int) -> list[Step]:
    """The most notable actions that there is room for, in the order of play."""

    def weight(place: int) -> tuple[bool, float, int]:
        step, row = done[place], done[place].action
        assert row is not None
        if row.surprise is None or row.surprise.value is None:
            return True, float("inf"), -place
        return step.notable, row.surprise.value + (row.told.value or 0.0), -place

    kept = sorted(range(len(done)), key=weight, reverse=True)[:room]
    return [done[place] for place in sorted(kept)]


def _actions(page: _Page, view: View, done: Sequence[Step], room: int) -> None:
    """A row an action: who did what, how far it was expected, and what it told."""
    if not done:
        return
    page.down -= 0.33
    kept = most_notable(done, room)
    left_out = len(done) - len(kept)
    more = "surprise and what was told in bits; in bold what is notable"
    if left_out:
        more += f"; the most notable of {len(done)} actions, {left_out} left out"
    page.title("What was done", more)
    truth = view.truth and any(row.truth for row in _rows(done))
    heads = [*HEADS, *["to the table"] * bool(view.report.told_table), *["truth"] * truth]
    # From the right edge, however many there are.
    places = {head: WIDTH - RIGHT - COLUMN * n for n, head in enumerate(reversed(heads))}
    page.down -= 0.19
    for head, x in places.items():
        page.text(x, head, 7, color=SOFT, ha="right")
    street = 0
    for step in kept:
        page.down -= TABLE_ROW
        if step.street != street:
            street = step.street
            page.text(LEFT, STREET_NAMES[street], 7, color=SOFT)
        _action(page, view, step, places)


def _rows(done: Sequence[Step]) -> list[ActionRow]:
    return [step.action for step in done if step.action is not None]


def _action(page: _Page, view: View, step: Step, places: dict[str, float]) -> None:
    row = step.action
    assert row is not None
    weight = "bold" if step.notable else "normal"
    room = 72 * (min(places.values()) - LEFT - 2.3)
    page.text(LEFT + 0.4, view.label(row.seat), color=seat_colour(LIGHT, row.seat))
    page.text(LEFT + 1.75, fitted(row.words, room, 7.5, weight), color=INK, fontweight=weight)
    cells = {
        "expected": row.expected.words,
        "that is": row.one_in,
        "surprise": row.surprise.words if row.surprise else "-",
        "told": row.told.words,
        "to the table": row.table.words,
        "truth": row.truth.words if row.truth else "-",
    }
    for head, x in places.items():
        page.text(x, cells[head], color=INK, fontweight=weight, ha="right")
