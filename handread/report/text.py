"""Render the report of a hand as text for a terminal."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence

from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from handread.cards import MaybeCard, cards_text
from handread.game.rules import STREET_NAMES
from handread.report.values import (
    ActionFigures,
    HandReport,
    Number,
    ScoreRow,
    SeatFigures,
    StepPart,
    StreetPart,
)
from handread.report.words import honesty_words, visible, with_unit

CATEGORY_HEADS = ("high", "pair", "2 pair", "trips", "str", "flush", "full", "quads", "st.fl")
_BLOCKS = " ▁▂▃▄▅▆▇█"
_ASCII_BLOCKS = " .:-=+*#@"
_SUIT_STYLE = {"h": "red", "d": "red"}


def report_text(report: HandReport, console: Console, steps: Sequence[StepPart] = ()) -> str:
    """Return a report as the console shows it, with sentences on the notable ``steps``."""
    page = io.StringIO()
    # Console.capture() also writes to the console's file, which may be a closed pipe.
    printer = Console(
        file=page,
        width=console.width,
        force_terminal=console.is_terminal,
        color_system="standard" if console.color_system else None,
        no_color=console.no_color,
        highlight=False,
        emoji=False,
    )
    for part in _Report(report, console.options.ascii_only, steps).parts():
        printer.print(part)
    return re.sub(r" +$", "", page.getvalue(), flags=re.MULTILINE)


def plain_report(report: HandReport, steps: Sequence[StepPart] = (), width: int = 110) -> str:
    """Return a report as plain text, without colours."""
    console = Console(file=io.StringIO(), width=width, no_color=True, highlight=False, emoji=False)
    return report_text(report, console, steps)


def _cards(cards: Sequence[MaybeCard]) -> Text:
    """Return cards with red suits in red."""
    text = Text()
    for i, card in enumerate(cards_text(cards).split()):
        text.append(" " if i else "")
        text.append(card, style=_SUIT_STYLE.get(card[1], ""))
    return text


def _plain_table(*headers: str, right: tuple[int, ...] = ()) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for i, header in enumerate(headers):
        table.add_column(header, justify="right" if i in right else "left", no_wrap=i == 0)
    return table


def _told(step: StepPart) -> str:
    return f"{step.title} on {STREET_NAMES[step.street]} street: {step.sentence}"


class _Report:
    """Renders the parts of a report in order."""

    def __init__(self, report: HandReport, ascii_only: bool, steps: Sequence[StepPart]) -> None:
        self._report = report
        self._steps = steps
        self._ascii = ascii_only
        self._blocks = _ASCII_BLOCKS if ascii_only else _BLOCKS
        self._dot = " - " if ascii_only else " · "

    def parts(self) -> Iterator[RenderableType]:
        """Yield the parts from the heading to the facts."""
        yield from self._heading()
        for street in self._report.streets:
            yield from self._street(street)
        yield from self._list("Result", (*self._report.shown, *self._report.result))
        yield from self._viewer_actions()
        yield from self._policies()
        yield from self._against_the_truth()
        yield from self._list("In words", [_told(step) for step in self._steps if step.notable])
        yield from self._list("Note", self._report.notes)
        if self._steps:
            yield from self._bits()
            facts = [f"{name}: {value}" for name, value in self._report.facts]
            yield from self._list("Made of", facts)
        yield Text("")

    def _indented(self, part: RenderableType) -> RenderableType:
        return Padding(part, (0, 0, 0, 2), expand=False)

    def _list(self, title: str, lines: Sequence[str]) -> Iterator[RenderableType]:
        """Yield lines of text under a title, if there are any."""
        if lines:
            yield Text("")
            yield Text(title, style="bold")
            yield from (self._indented(Text(line)) for line in lines)

    def _heading(self) -> Iterator[RenderableType]:
        report = self._report
        source = report.analysis.replay.history.source
        yield Rule(Text(report.title, style="bold"), align="left", characters="=")
        yield Text(report.game.replace(" · ", self._dot))
        where = f"{visible(source.file)}:{source.line} ({source.dialect})"
        policy = visible(report.analysis.players.name)
        facts = (f"policy {policy}", report.looks_on, f"ties {report.analysis.ties}", where)
        yield Text(self._dot.join(facts), style="dim")

    def _street(self, street: StreetPart) -> Iterator[RenderableType]:
        yield Text("")
        yield Text(f"{street.name}{self._dot}pot {street.pot}", style="bold")
        yield self._indented(self._chances(street))
        if street.actions:
            yield Text("")
            yield self._indented(self._actions(street.actions))
        if street.ends:
            yield Text("")
            yield self._indented(self._ends_with(street))

    def _chances(self, street: StreetPart) -> Table:
        """Return a table with a row for each seat: chances to win, probable holdings."""
        heads = ("seat", "up", "card news", "dealt", "after bets", "cards alone", "probably holds")
        table = _plain_table(*heads, right=(2, 3, 4, 5))
        for row in street.seats:
            table.add_row(
                Text(row.label),
                _cards(row.up),
                with_unit(row.card_news.words) if row.card_news else "",
                row.dealt.words,
                self._after(row),
                row.cards_alone.words if row.cards_alone else "",
                ", ".join(f"{kind} {share.words}" for kind, share in row.kinds),
            )
        return table

    @staticmethod
    def _after(row: SeatFigures) -> Text:
        if row.fate:
            return Text(row.fate, style="bold" if row.fate == "wins" else "dim")
        return Text(row.after.words, style="bold") if row.after else Text("")

    @staticmethod
    def _actions(actions: Sequence[ActionFigures]) -> Table:
        known = any(action.truth is not None for action in actions)
        heads = ["action", "expected", "surprise", "told"] + ["truth"] * known
        table = _plain_table(*heads, right=(1, 2, 3, 4))
        for action in actions:
            words = Text(action.label + " ")
            words.append(action.words, style="bold")
            row: list[RenderableType] = [
                words,
                action.expected.words,
                f"{action.surprise.words} bits" if action.surprise else "",
                f"{action.information.words} bits",
            ]
            if known:
                row.append(action.truth.words if action.truth else "-")
            table.add_row(*row)
        return table

    def _ends_with(self, street: StreetPart) -> Table:
        """Return the htpds by category: a bar and a percentage each."""
        table = _plain_table(
            "ends with", *CATEGORY_HEADS, right=tuple(range(1, len(CATEGORY_HEADS) + 1))
        )
        for row in street.ends:
            table.add_row(Text(row.label), *(self._bar(share) for share in row.categories))
        return table

    def _bar(self, share: Number) -> Text:
        p = share.value or 0.0
        if p < 0.0005:
            return Text("")
        step = min(len(self._blocks) - 1, 1 + int(p * (len(self._blocks) - 1)))
        cell = Text(self._blocks[step], style="cyan")
        cell.append(share.words.rjust(4), style="dim" if p < 0.05 else "")
        return cell

    def _bits(self) -> Iterator[RenderableType]:
        """Yield the total bits about each seat."""
        yield Text("")
        yield Text("Bits told", style="bold")
        table = _plain_table(
            "about", "card news", "bet news", "bets, on the true downcards", right=(1, 2, 3)
        )
        for row in self._report.bits:
            truth = row.truth.words if row.truth else "-"
            table.add_row(Text(row.label), row.card_news.words, row.bet_news.words, truth)
        yield self._indented(table)

    def _viewer_actions(self) -> Iterator[RenderableType]:
        """Yield what the viewing seat revealed to players who do not know its downcards."""
        rows = self._report.viewer_actions
        if not rows:
            return
        yield Text("")
        yield Text("What the table knows of you", style="bold")
        streets = {a.decision.n: a.decision.street for a in self._report.analysis.actions}
        table = _plain_table("street", "your action", "told", "was it true?", right=(2,))
        for row in rows:
            truth, street = honesty_words(row.table_truth), STREET_NAMES[streets[row.n]]
            table.add_row(street, Text(row.words), f"{row.table.words} bits", Text(truth))
        yield self._indented(table)
        if self._report.on_viewer:
            told = f"By your upcards alone → after your bets: {self._report.on_viewer}."
            yield self._indented(Text(told.replace("→", "to") if self._ascii else told))

    def _policies(self) -> Iterator[RenderableType]:
        """Yield the policies of a panel that each player may follow, the likeliest first."""
        if not self._report.plays_like:
            return
        yield Text("")
        yield Text("Plays like", style="bold")
        table = _plain_table("seat", "the policies of the panel, after the player's last action")
        for label, words in self._report.plays_like:
            table.add_row(Text(label), Text(words))
        yield self._indented(table)

    def _against_the_truth(self) -> Iterator[RenderableType]:
        """Yield the scores of the reads of known downcards."""
        if not any(row.held is not None for row in self._report.scores):
            return
        yield Text("")
        yield Text("Against the truth", style="bold")
        table = _plain_table(
            "seat", "held", "bits on the true downcards after the bets (place of how many)"
        )
        for row in self._report.scores:
            table.add_row(*self._score(row), style="dim" if row.held is None else "")
        yield self._indented(table)

    def _score(self, row: ScoreRow) -> tuple[Text, Text, str]:
        held = Text(row.rests_on) if row.held is None else _cards(row.held)
        return (
            Text(row.label),
            held,
            self._dot.join(f"{stage} {bits}" for stage, bits in row.stages),
        )
