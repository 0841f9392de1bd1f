"""The boards of a hand street by street, each with the seat's probable holdings."""

from collections.abc import Mapping, Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.patches import FancyBboxPatch

from handread.cards import MaybeCard, card_text
from handread.game.rules import variant_of
from handread.report.families import informative_families
from handread.report.figures.panels import HandPlot
from handread.report.figures.style import FAINT, INK, SOFT, breadth, fitted
from handread.report.palette import LIGHT, seat_colour
from handread.report.shown_values import SeatFigures

NAMES = 1.1
"""The width of the column of names, in inches."""

HEAD, CARDS, LINE, GAP = 0.16, 0.16, 0.105, 0.05
"""The heights of heads, of a row of cards, of a line of a read, and between seats, in inches."""

CARD, STEP = 0.2, 0.225
"""The width of a card, and the distance between cards, in inches."""

MOST_LINES = 2
"""The most families in the read of a seat on a street."""

SIZE, LEAST_SIZE = 6.3, 5.0
"""The font size of reads, and of the longest reads."""

SUITS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}

_ROUND = "round,pad=0,rounding_size=0.025"
PAPER: Mapping[str, Any] = {"boxstyle": _ROUND, "fc": "white", "lw": 0.5, "clip_on": False}
"""The look of a card without its edge."""

OLD = 0.5
"""The opacity of upcards that were there before the street."""


def seat_boards(plot: HandPlot) -> dict[int, dict[int, SeatFigures]]:
    """Return the boards and reads of the part that was read, by seat and street."""
    by_seat: dict[int, dict[int, SeatFigures]] = {seat: {} for seat in plot.seats}
    for street in plot.report.streets:
        for row in street.seats:
            by_seat[row.seat][street.number] = row
    return by_seat


def boards_height(plot: HandPlot, most: int) -> float:
    """Return the height of the panel in inches, with at most ``most`` families for each read."""
    return HEAD + sum(_heights(plot, most).values())


def _heights(plot: HandPlot, most: int) -> dict[int, float]:
    heights = {}
    for seat, boards in seat_boards(plot).items():
        lines = 0.0  # of a seat that folds on 3rd street, the read is beside the door card
        if len(boards) > 1:
            reads = (informative_families(board.lines) for board in boards.values())
            lines = LINE * max(len(read[:most]) for read in reads)
        if len(boards) > 1 and most == MOST_LINES and _downcards(plot, seat):
            lines = max(lines, CARDS)
        heights[seat] = CARDS + GAP + lines
    return heights


def _downcards(plot: HandPlot, seat: int) -> tuple[MaybeCard, ...]:
    replay = plot.report.replay
    return replay.downcards_on(variant_of(replay.history.variant).last).get(seat, ())


def boards_panel(axes: Axes, plot: HandPlot, width: float, most: int) -> None:
    """Draw the upcards of each seat by street, and at most ``most`` leading families below them.

    ``axes`` is a panel of ``boards_height``; ``width`` is in inches.
    """
    axes.set(xlim=(0, width), ylim=(boards_height(plot, most), 0))
    axes.set_axis_off()
    replay = plot.report.replay
    streets = variant_of(replay.history.variant).streets
    column = (width - NAMES) / len(streets)
    left = {street.number: NAMES + n * column for n, street in enumerate(streets)}
    new = {street.number: street.up for street in streets}
    shared = {s.number: s.shared for s in replay.streets}
    for street in streets:
        words = f"{street.name} street"
        if (card := shared.get(street.number)) is not None:
            words += f", {card_text(card)} shared"
        axes.text(left[street.number], HEAD / 2, words, fontsize=7, color=SOFT, va="center")
    y, rows = HEAD, _heights(plot, most)
    for seat, row in seat_boards(plot).items():
        axes.plot([0, width], [y, y], color=FAINT, lw=0.4, clip_on=False)
        _seat(axes, plot, seat, (y, rows[seat]))
        for number, board in row.items():
            room = column if len(row) > 1 else width - NAMES
            lines = most if len(row) > 1 else 0
            _board(axes, board, new[number], (left[number], y), room, most=lines)
        y += rows[seat]


def _seat(axes: Axes, plot: HandPlot, seat: int, row: tuple[float, float]) -> None:
    """Write a seat's name, its downcards below or, in a low ``row`` (top, height), beside it."""
    down, (y, height) = _downcards(plot, seat), row
    middle, below = y + GAP / 2 + CARDS / 2, height >= 2 * CARDS + GAP
    room = NAMES - (0.0 if below else STEP * len(down)) - 0.08
    look: dict[str, Any] = {"fontsize": 7, "fontweight": "bold", "va": "center_baseline"}
    name = fitted(plot.report.labels[seat], 72 * room, 7, "bold")
    axes.text(0, middle, name, color=seat_colour(seat), **look)
    x = 0.0 if below else NAMES - STEP * len(down) - 0.06
    _cards(axes, down, (x, middle + CARDS * below), SOFT)


def _board(
    axes: Axes, board: SeatFigures, new: int, at: tuple[float, float], room: float, most: int
) -> None:
    """Draw a seat's upcards (the last ``new`` are new), and its read below or (0 lines) beside."""
    (x, y), folds, lines = at, board.outcome == "folded", informative_families(board.lines)
    middle = y + GAP / 2 + CARDS / 2
    _cards(axes, board.up, (x, middle), INK, old=len(board.up) - new)
    beside = x + STEP * len(board.up) + 0.04
    if not most:
        words = "; ".join(line.short for line in lines) + "; folds" * folds
        shown = fitted(words, 72 * (x + room - beside), SIZE)
        axes.text(beside, middle, shown, fontsize=SIZE, color=SOFT, va="center_baseline")
        return
    if folds:
        axes.text(beside, middle, "folds", fontsize=SIZE, color=SOFT, va="center_baseline")
    for n, line in enumerate(lines[:most]):
        rises = line.change == "rise"
        weight = "bold" if rises else "normal"
        words, points = line.short, 72 * room - 4
        size = max(LEAST_SIZE, min(SIZE, SIZE * points / breadth(words, SIZE, weight)))
        left = points + 1 - breadth(f" {line.shares}", size, weight)
        down = y + GAP / 2 + CARDS + LINE * (n + 0.5)
        colour = seat_colour(board.seat) if rises else INK
        look: dict[str, Any] = {"fontsize": size, "fontweight": weight, "va": "center_baseline"}
        # The name gives way, the figures stay.
        words = f"{fitted(line.family, left, size, weight)} {line.shares}"
        axes.text(x, down, words, color=colour, **look)


def _cards(
    axes: Axes, cards: Sequence[MaybeCard], at: tuple[float, float], edge: str, old: int = 0
) -> None:
    """Draw cards side by side; the first ``old`` of them are faint."""
    x, y = at
    for n, card in enumerate(cards):
        text, left = card_text(card), x + n * STEP
        words = text[0] + SUITS[text[1]] if card is not None else "?"
        look: dict[str, Any] = {"alpha": OLD if n < old else 1.0}
        corner = left, y - 0.065
        axes.add_patch(FancyBboxPatch(corner, CARD, 0.13, ec=edge, **PAPER, **look))
        colour = LIGHT.card_red if text[1] in "dh" else INK
        look |= {"fontsize": 6.6, "ha": "center", "color": colour}
        axes.text(left + CARD / 2, y + 0.045, words, **look)
