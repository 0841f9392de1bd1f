"""Render the report of a hand as text for a terminal."""

import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.text import Text

import handread.report.words as wording
from handread.cards import MaybeCard, cards_text
from handread.game.rules import STREET_NAMES, variant_of
from handread.report.ends import hand_axis
from handread.report.families import informative_families
from handread.report.honesty import honesty_words
from handread.report.layout import INDENT, Cell, Column, Indented, Part, TextTable, rendered, ruled
from handread.report.shown_values import HandReport, SeatFigures, StepPart, StreetPart

_BLOCKS = " ▁▂▃▄▅▆▇█"
_ASCII_BLOCKS = " .:-=+*#@"
WIDE, WIDEST = 100, 140
"""The least width of tables with all columns, and the largest width of a table."""

FAMILIES_OF_FOLDED = 2
"""The number of families listed for a player who folds."""

TOLD_BY_CARDS, CARDS_ALONE = "told by cards", "cards alone"

CHANCE_WIDTH, RANGE_WIDTH, BITS_WIDTH = 6, 10, 9
"""The widths of columns; a range stands below its chance."""

BAR_WIDTH = 5
"""The width of a probability with its bar."""

COST_WIDTH = 5
"""The least width of the column of costs, which keeps its place from street to street."""

LEAST_LABEL = 8
"""The least width of a player's label, which may be cut."""

_SUIT_STYLE = {"h": "red", "d": "red"}


def report_text(
    report: HandReport,
    console: Console,
    steps: Sequence[StepPart] = (),
    costs: "HandCosts | None" = None,
) -> str:
    """Return a report for the console: sentences of notable ``steps``, ``costs`` unless None."""
    return rendered(_Report(report, console, steps, costs).parts(), console)


def plain_report(
    report: HandReport,
    steps: Sequence[StepPart] = (),
    width: int = 110,
    costs: "HandCosts | None" = None,
) -> str:
    """Return a report as plain text, without colours; the arguments are as in ``report_text``."""
    console = Console(file=io.StringIO(), width=width, no_color=True, highlight=False, emoji=False)
    return report_text(report, console, steps, costs)


def cards_in_colour(cards: Sequence[MaybeCard]) -> Text:
    """Return cards with red suits in red."""
    text = Text()
    for i, card in enumerate(cards_text(cards).split()):
        text.append(" " if i else "")
        text.append(card, style=_SUIT_STYLE.get(card[1], ""))
    return text


def plain_table(*heads: str, right: tuple[int, ...] = ()) -> TextTable:
    """Return a table without lines; the columns in ``right`` are right-aligned."""
    return TextTable([Column(head, right=i in right, wraps=i > 0) for i, head in enumerate(heads)])


def _tells(news: wording.Number | None) -> bool:
    """Return True for bits that are not shown as 0.00."""
    return news is not None and (news.value is None or news.value >= wording.LEAST_BITS)


def _broken(figure: wording.Number) -> str:
    return f"{figure.point}\n{figure.within}" if figure.within else figure.point


@dataclass(frozen=True, slots=True)
class HandCosts:
    """The costs of a hand's decisions: ``cells`` of a column by the number of the action."""

    cells: Mapping[int, Text]
    lines: Sequence[str]
    meaning: str


class _Report:
    def __init__(
        self,
        report: HandReport,
        console: Console,
        steps: Sequence[StepPart],
        costs: HandCosts | None,
    ) -> None:
        self._report = report
        self._steps = steps
        self._costs = costs
        self._ascii = console.options.ascii_only
        self._wide = console.width >= WIDE
        self._room = console.width
        self._width = min(console.width, WIDEST)
        self._blocks = _ASCII_BLOCKS if self._ascii else _BLOCKS
        self._dot = " - " if self._ascii else " · "
        self._game = variant_of(report.replay.history.variant)
        self._prize = wording.prize_words(self._game)

    def parts(self) -> Iterator[Part]:
        yield from self._heading()
        yield from self._gist()
        for street in self._report.streets:
            yield from self._street(street)
        yield from self._list("Result", (*self._report.shown, *self._report.result))
        if self._costs is not None:
            yield from self._list("Decisions", (*self._costs.lines, self._costs.meaning))
        yield from self._viewer_actions()
        yield from self._policies()
        yield from self._against_the_truth()
        notable = (step for step in self._steps if step.notable)
        told = [f"{s.title} on {STREET_NAMES[s.street]} street: {s.sentence}" for s in notable]
        yield from self._list("In words", told)
        yield from self._list("Note", self._report.notes)
        if self._steps:
            yield from self._bits()
            facts = [f"{name}: {value}" for name, value in self._report.facts]
            yield from self._list("Made of", facts)
        yield Text("")
        yield Text(self._report.trust, style="dim")
        yield Text("")

    def _titled(self, title: str, *parts: Text | TextTable) -> Iterator[Part]:
        if parts:
            yield Text("")
            yield Text(title, style="bold")
            yield from map(Indented, parts)

    def _list(self, title: str, lines: Sequence[str]) -> Iterator[Part]:
        yield from self._titled(title, *(Text(self._arrows(line)) for line in lines))

    def _heading(self) -> Iterator[Part]:
        report = self._report
        source = report.replay.history.source
        yield ruled(report.title, self._room)
        yield Text(report.game.replace(" · ", self._dot))
        where = f"{wording.visible(source.file)}:{source.line} ({source.dialect})"
        label, name = report.facts[0]
        facts = (f"{label} {name}", report.looks_on, f"ties {report.ties}", where)
        yield Text(self._dot.join(facts), style="dim")
        if report.ranges:
            yield Text(report.ranges, style="dim")

    def _gist(self) -> Iterator[Part]:
        table = TextTable([Column(""), Column("")], has_heads=False)
        for label, words in self._report.gist:
            table.add_row(Text(label, style="bold"), Text(self._arrows(words)))
        if table.rows:
            yield Text("")
            yield table

    def _arrows(self, text: str) -> str:
        return text.replace(" → ", " to ").replace("→", ">") if self._ascii else text

    def _label(self, seat: int) -> Text:
        return Text(self._report.labels[seat])

    def _street(self, street: StreetPart) -> Iterator[Part]:
        yield Text("")
        also = f"{self._dot}{street.shared}" if street.shared else ""
        yield Text(f"{street.name}{self._dot}pot {street.pot}{also}", style="bold")
        yield Indented(self._seats(street))
        if street.actions:
            yield Text("")
            yield Indented(self._actions(street.actions))
        if street.ends:
            for table in self._ends_with(street):
                yield Text("")
                yield Indented(table)

    def _seats(self, street: StreetPart) -> TextTable:
        """Return a table with a row for each seat: probable holdings, chances to win.

        Columns keep their places from street to street. A wide table also has the chances before
        the betting, and the bits of the new cards.
        """
        told = self._wide and any(_tells(row.card_news) for row in street.seats)
        table = plain_table("seat", "probably holds", "upcards")
        table.columns[0].least = max(map(len, self._report.labels.values()))
        table.columns[1].head = self._arrows("probably holds (cards → bets)")
        table.columns[1].fills = True
        table.width = self._width - INDENT
        ups = (cards_text(row.up) for part in self._report.streets for row in part.seats)
        table.columns[2].least = max(map(len, ups))  # the upcards of the last street
        heads = (
            [TOLD_BY_CARDS] * told + ["before bets"] * self._wide + [self._prize.head, CARDS_ALONE]
        )
        broken = RANGE_WIDTH if self._report.ranges else CHANCE_WIDTH
        for head in heads:
            width = {TOLD_BY_CARDS: BITS_WIDTH, CARDS_ALONE: CHANCE_WIDTH}.get(head, broken)
            table.columns.append(Column(head, right=True, most=width))
        for row in street.seats:
            cells: list[Cell] = [self._label(row.seat), self._holds(row), cards_in_colour(row.up)]
            if told:
                cells.append(wording.with_unit(row.card_news.words) if row.card_news else "")
            if self._wide:
                cells.append(_broken(row.dealt))
            alone = row.cards_alone.words if row.cards_alone else ""
            table.add_row(*cells, self._after(row), alone)
        return table

    def _holds(self, row: SeatFigures) -> Text:
        """Return the families of a seat's read, or its downcards if the viewpoint knows them.

        The largest rise is bold; the likeliest has its kinds if the seat is still in.
        """
        if row.only is not None:
            kind, held = row.only
            return Text(f"{kind} (").append(cards_in_colour(held)).append(")")
        lines, folded = row.lines, row.outcome == "folded"
        listed = lines[: min(self._report.top, FAMILIES_OF_FOLDED) if folded else self._report.top]
        text = Text("")
        for line in (
            *listed,
            *(line for line in informative_families(lines) if line not in listed),
        ):
            text.append(", " if text else "")
            style = "bold" if line.change == "rise" and not folded else ""
            text.append(self._arrows(line.short), style=style)
            if line is lines[0] and line.kinds and not folded:
                text.append(f" ({line.kind_words})")
        return text

    @staticmethod
    def _after(row: SeatFigures) -> Text:
        if row.outcome:
            return Text(row.outcome, style="bold" if row.outcome == "wins" else "dim")
        return Text(_broken(row.after), style="bold") if row.after else Text("")

    def _actions(self, actions: Sequence[wording.ActionFigures]) -> TextTable:
        columns = wording.action_columns(actions)
        costs = {} if self._costs is None else self._costs.cells
        bits = ", bits" if self._wide else ",\nbits"
        heads = [column.head + bits * column.in_bits for column in columns]
        right = tuple(range(1, len(heads) + 2))
        table = plain_table("action", *heads, *["cost"] * bool(costs), right=right)
        if costs:
            table.columns[-1].least = COST_WIDTH
        every = [action for street in self._report.streets for action in street.actions]
        others = [max(map(cell_len, head.split("\n"))) for head in heads]
        others += [COST_WIDTH] * bool(costs)
        room = self._width - INDENT - sum(others) - 2 * len(others)
        labels = self._report.labels
        if any(cell_len(f"{labels[action.seat]} {action.words}") > room for action in every):
            table.gap = 1
            room += len(others)
        table.columns[0].least = max(cell_len(self._deed(action, room).plain) for action in every)
        for action in actions:
            # The viewing seat learns nothing from its own actions; the others do.
            shown = action.for_table if action.seat == self._report.viewer else action
            cells = (column.words(shown, "") for column in columns)
            cost = [costs.get(action.n, "-")] * bool(costs)
            table.add_row(self._deed(action, room), *cells, *cost)
        return table

    def _deed(self, action: wording.ActionFigures, room: int) -> Text:
        """Return an action behind the label of its seat, which is cut where there is no room."""
        label = self._report.labels[action.seat]
        left = max(room - cell_len(action.words) - 1, LEAST_LABEL)
        if cell_len(label) > left:
            label = f"{set_cell_size(label, left - 2)}.."
        return Text(f"{label} ").append(action.words, style="bold")

    def _ends_with(self, street: StreetPart) -> Iterator[TextTable]:
        """Yield the htpds by category, a bar and a percentage each; in hi/lo highs, then lows."""
        labels = max(len(self._report.labels[seat]) for seat in street.ends)
        for group in hand_axis(self._game).groups:
            right = tuple(range(1, len(group.heads) + 1))
            room = self._width - INDENT - max(labels, len(group.title))
            room -= sum(max(len(head), BAR_WIDTH) for head in group.heads)
            table = plain_table(group.title, *group.heads, right=right)
            table.gap = max(0, min(2, room // len(group.heads)))
            for seat, categories in street.ends.items():
                table.add_row(self._label(seat), *map(self._bar, categories[group.places]))
            yield table

    def _bar(self, share: wording.Number) -> Text:
        p = share.value or 0.0
        if p < 0.0005:
            return Text("")
        step = min(len(self._blocks) - 1, 1 + int(p * (len(self._blocks) - 1)))
        cell = Text(self._blocks[step], style="cyan")
        cell.append(share.words.rjust(4), style="dim" if p < 0.05 else "")
        return cell

    def _bits(self) -> Iterator[Part]:
        table = plain_table(
            "about", "by the cards", "by the bets", "bets, on the truth", right=(1, 2, 3)
        )
        for row in self._report.bits:
            truth = row.truth.words if row.truth else "-"
            table.add_row(self._label(row.seat), row.card_news.words, row.bet_news.words, truth)
        yield from self._titled("Bits told", table)

    def _viewer_actions(self) -> Iterator[Part]:
        rows = self._report.viewer_actions
        if not rows:
            return
        streets = {decision.n: decision.street for decision in self._report.replay.decisions}
        table = plain_table("street", "your action", "told", "was it true?", right=(2,))
        for row in rows:
            truth, street = honesty_words(row), STREET_NAMES[streets[row.n]]
            table.add_row(street, Text(row.words), f"{row.table.words} bits", Text(truth))
        yield from self._titled("What the table knows of you", table)
        if self._report.on_viewer:
            told = f"By your upcards alone → after your bets: {self._report.on_viewer}."
            yield Indented(Text(self._arrows(told)))

    def _policies(self) -> Iterator[Part]:
        table = plain_table(
            "seat", "its probability after the player's last action, and for a stranger"
        )
        for label, words in self._report.plays_like:
            table.add_row(Text(label), Text(words))
        if table.rows:
            yield from self._titled("Plays like", table)

    def _against_the_truth(self) -> Iterator[Part]:
        if not any(row.held is not None for row in self._report.scores):
            return
        table = plain_table(
            "seat", "held", "bits on the true downcards after the bets (place of how many)"
        )
        for row in self._report.scores:
            held = Text(row.rests_on) if row.held is None else cards_in_colour(row.held)
            bits = self._dot.join(f"{stage} {bits}" for stage, bits in row.stages)
            style = "dim" if row.held is None else ""
            table.add_row(Text(row.label), held, bits, style=style)
        yield from self._titled("Against the truth", table)
