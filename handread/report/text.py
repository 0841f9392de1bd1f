"""The terminal face of a hand: street by street, what each player probably holds and why."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator

from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from handread.cards import Card, cards_text
from handread.engine import StreetPlay
from handread.reading import ActionReading, Analysis, SeatRead, StageReading, Truth
from handread.report.escape import visible
from handread.report.words import (
    action_words,
    bits_words,
    finished_hand,
    percent_words,
    seat_label,
    stakes_words,
    viewpoint_words,
)
from handread.stud import STREET_NAMES

CATEGORY_HEADS = ("high", "pair", "2 pair", "trips", "str", "flush", "full", "quads", "st.fl")
_BLOCKS = " ▁▂▃▄▅▆▇█"
_ASCII_BLOCKS = " .:-=+*#@"
_SUIT_STYLE = {"h": "red", "d": "red"}


def report_text(analysis: Analysis, console: Console, top: int = 4) -> str:
    """A hand for a person, as the console would show it; ``top`` kinds of holding a seat."""
    page = io.StringIO()
    # The console's own capture would touch its file, which may be a pipe that is closed.
    printer = Console(
        file=page,
        width=console.width,
        force_terminal=console.is_terminal,
        color_system="standard" if console.color_system else None,
        no_color=console.no_color,
        highlight=False,
    )
    for part in _Report(analysis, console.options.ascii_only, top).parts():
        printer.print(part)
    return re.sub(r" +$", "", page.getvalue(), flags=re.MULTILINE)


def plain_text(analysis: Analysis, top: int = 4, width: int = 110) -> str:
    """The report as plain text, without colours."""
    console = Console(file=io.StringIO(), width=width, no_color=True, highlight=False)
    return report_text(analysis, console, top)


def _cards(cards: tuple[Card | None, ...]) -> Text:
    """Cards with red suits in red."""
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


class _Report:
    """The parts of one hand's report in order."""

    def __init__(self, analysis: Analysis, ascii_only: bool, top: int) -> None:
        self._analysis = analysis
        self._replay = analysis.replay
        self._unit = analysis.replay.history.unit
        self._stages = {stage.stage: stage for stage in analysis.stages}
        self._blocks = _ASCII_BLOCKS if ascii_only else _BLOCKS
        self._dot = " - " if ascii_only else " · "
        self._top = top

    def parts(self) -> Iterator[RenderableType]:
        """Heading, streets, result, and the scores where downcards are known."""
        yield from self._heading()
        for street in self._replay.streets:
            if f"{street.number}D" in self._stages:
                yield from self._street(street)
        yield from self._result()
        yield from self._policies()
        yield from self._against_the_truth()
        yield from self._findings()
        yield Text("")

    def _indented(self, part: RenderableType) -> RenderableType:
        return Padding(part, (0, 0, 0, 2), expand=False)

    def _heading(self) -> Iterator[RenderableType]:
        analysis, history = self._analysis, self._replay.history
        source = history.source
        title = f"Hand {visible(history.hand_id) or '?'}"
        yield Rule(Text(title, style="bold"), align="left", characters="=")
        yield Text(f"{stakes_words(self._replay)}{self._dot}{len(history.seats)} seats")
        where = f"{visible(source.file)}:{source.line} ({source.dialect})"
        yield Text(
            self._dot.join(
                (
                    f"policy {visible(analysis.players.name)}",
                    viewpoint_words(analysis.viewpoint),
                    f"ties {analysis.ties}",
                    where,
                )
            ),
            style="dim",
        )

    def _street(self, street: StreetPlay) -> Iterator[RenderableType]:
        pots = [street.pot, street.pot_after] if street.decisions else [street.pot]
        pot = " to ".join(self._unit.text(amount) for amount in pots)
        yield Text("")
        yield Text(f"{STREET_NAMES[street.number]} street{self._dot}pot {pot}", style="bold")
        yield self._indented(self._chances(street))
        actions = [a for a in self._analysis.actions if a.decision.street == street.number]
        if actions:
            yield Text("")
            yield self._indented(self._actions(actions))
        after = self._stages.get(f"{street.number}B")
        if after is not None and len(after.active) > 1:
            yield Text("")
            yield self._indented(self._ends_with(after))

    def _chances(self, street: StreetPlay) -> Table:
        """A seat a row: chances to win and what it probably holds after the betting."""
        dealt = self._stages[f"{street.number}D"]
        after = self._stages.get(f"{street.number}B")
        heads = ("seat", "up", "card news", "dealt", "after bets", "cards alone", "probably holds")
        table = _plain_table(*heads, right=(2, 3, 4, 5))
        for seat in dealt.active:
            news = dealt.seats[seat].news_bits
            read = self._last_read(dealt, after, seat)
            table.add_row(
                Text(seat_label(self._replay, seat)),
                _cards(tuple(street.upcards[seat])),
                f"{bits_words(news)} bits" if street.number > 3 else "",
                f"{dealt.bet_inference[seat]:.1%}",
                self._after(after, seat),
                f"{(after or dealt).cards_only[seat]:.1%}" if self._is_in(after, seat) else "",
                self._kinds(read),
            )
        return table

    @staticmethod
    def _is_in(after: StageReading | None, seat: int) -> bool:
        return after is None or (seat in after.active and len(after.active) > 1)

    @staticmethod
    def _last_read(dealt: StageReading, after: StageReading | None, seat: int) -> SeatRead:
        """What is believed of a seat after the betting, or after its fold."""
        if after is None:
            return dealt.seats[seat]
        return after.seats[seat] if seat in after.active else after.folded[seat]

    @staticmethod
    def _after(after: StageReading | None, seat: int) -> Text:
        if after is None:
            return Text("")
        if seat not in after.active:
            return Text("folded", style="dim")
        if len(after.active) == 1:
            return Text("wins", style="bold")
        return Text(f"{after.bet_inference[seat]:.1%}", style="bold")

    def _kinds(self, read: SeatRead) -> str:
        """The likeliest kinds of holding, without those that round to nothing."""
        likely = [(kind, p) for kind, p in read.kinds(self._top) if p >= 0.005]
        return ", ".join(f"{kind} {p:.0%}" for kind, p in likely)

    def _actions(self, actions: list[ActionReading]) -> Table:
        known = any(action.truth_bits is not None for action in actions)
        heads = ["action", "expected", "surprise", "told"] + ["truth"] * known
        table = _plain_table(*heads, right=(1, 2, 3, 4))
        for action in actions:
            decision = action.decision
            words = Text(seat_label(self._replay, decision.seat) + " ")
            words.append(action_words(decision, self._replay), style="bold")
            row: list[RenderableType] = [
                words,
                percent_words(action.evidence),
                f"{bits_words(action.surprise_bits)} bits" if action.explained else "",
                f"{bits_words(action.information_bits)} bits",
            ]
            if known:
                row.append(bits_words(action.truth_bits, sign=True))
            table.add_row(*row)
        return table

    def _ends_with(self, stage: StageReading) -> Table:
        """The htpd by category: a bar and a percentage each."""
        table = _plain_table(
            "ends with", *CATEGORY_HEADS, right=tuple(range(1, len(CATEGORY_HEADS) + 1))
        )
        for seat, read in stage.seats.items():
            cells = [self._bar(p) for p in read.categories()]
            table.add_row(Text(seat_label(self._replay, seat)), *cells)
        return table

    def _bar(self, p: float) -> Text:
        if p < 0.0005:
            return Text("")
        step = min(len(self._blocks) - 1, 1 + int(p * (len(self._blocks) - 1)))
        cell = Text(self._blocks[step], style="cyan")
        cell.append(f"{p:4.0%}" if p >= 0.005 else " <1%", style="dim" if p < 0.05 else "")
        return cell

    def _result(self) -> Iterator[RenderableType]:
        replay = self._replay
        lines = list(self._shown_hands())
        for seat, amount in replay.won.items():
            lines.append(f"{seat_label(replay, seat)} wins {self._unit.text(amount)}")
        if not replay.finished:
            lines.append("The record stops here.")
        if replay.rake:
            lines.append(f"Rake {self._unit.text(replay.rake)}")
        if lines:
            yield Text("")
            yield Text("Result", style="bold")
            yield from (self._indented(Text(line)) for line in lines)

    def _shown_hands(self) -> Iterator[str]:
        for seat in self._replay.showdown:
            down = self._replay.downcards.get(seat)
            label = seat_label(self._replay, seat)
            if down is None:
                yield f"{label} never showed"
                continue
            name = finished_hand(self._replay, seat)
            yield f"{label} held {cards_text(down)}" + (f": {name}" if name else "")

    def _policies(self) -> Iterator[RenderableType]:
        """Which policy of a panel each player seems to follow, the likeliest first."""
        policies = self._analysis.policies
        if not policies:
            return
        yield Text("")
        yield Text("Plays like", style="bold")
        table = _plain_table("seat", "the policies of the panel, after the player's last action")
        for seat, shares in policies.items():
            likely = sorted(shares.items(), key=lambda item: -item[1])
            words = ", ".join(f"{visible(name)} {p:.0%}" for name, p in likely if p >= 0.005)
            table.add_row(Text(seat_label(self._replay, seat)), Text(words))
        yield self._indented(table)

    def _against_the_truth(self) -> Iterator[RenderableType]:
        """Scores of the reads whose downcards the record reveals."""
        stages = [stage for stage in self._analysis.stages if stage.stage[1] == "B"]
        scores = {
            seat: [
                f"{stage.stage} {self._score(read.truth)}"
                for stage in stages
                for read in (stage.seats.get(seat) or stage.folded.get(seat),)
                if read is not None and read.truth is not None
            ]
            for seat in sorted(self._replay.downcards)
        }
        if not any(scores.values()):
            return
        yield Text("")
        yield Text("Against the truth", style="bold")
        table = _plain_table(
            "seat", "held", "bits on the true downcards after the bets (place of how many)"
        )
        for seat, cells in scores.items():
            label = Text(seat_label(self._replay, seat))
            table.add_row(label, _cards(self._replay.downcards[seat]), self._dot.join(cells))
        for name, index in (("K-L, cards alone", 0), ("K-L, after bets", 1)):
            cells = [
                f"{stage.stage} {bits_words(kl[index])}"
                for stage in stages
                if (kl := stage.kl_bits) is not None and len(stage.active) > 1
            ]
            if cells:
                rests_on = "all known" if stages[0].omniscience == "full" else "partly known"
                table.add_row(name, rests_on, self._dot.join(cells), style="dim")
        yield self._indented(table)

    @staticmethod
    def _score(truth: Truth) -> str:
        """Bits and place of the truth; no place where the read ruled it out."""
        if truth.probability <= 0.0:
            return "ruled out"
        return f"{bits_words(truth.score_bits, sign=True)} ({truth.rank:.0f} of {truth.live})"

    def _findings(self) -> Iterator[RenderableType]:
        """What is wrong with the record, and what the policy cannot explain."""
        if self._analysis.problems:
            yield Text("")
            yield Text("Note", style="bold")
        for problem in self._analysis.problems:
            yield self._indented(Text(visible(f"line {problem.line}: {problem.message}")))
