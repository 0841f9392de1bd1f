"""The moments of a hand, ready to be stepped through."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import numpy as np

from handread.engine.player import Player
from handread.information import entropy_bits
from handread.moments import BRING_IN, DEAL, END, Moment, moments
from handread.reading import SeatRead
from handread.report.reads import Reads
from handread.report.sentences import (
    action_sentence,
    deal_sentence,
    is_notable,
    is_turn,
    truth_sentence,
)
from handread.report.sheets import action_row, bits_figure, chance_figure
from handread.report.value import ActionRow, Chance, Figure, HandReport, Place, Step, Steps
from handread.stud import STREET_NAMES
from handread.watch import WatchedStreet

MARKS = {"fold": "f", "check": "k", "call": "c", "bet": "b", "raise": "r"}
"""The paper's letters; ``B`` is the bring-in."""


def hand_steps(report: HandReport, watched: Iterable[WatchedStreet] | None = None) -> Steps:
    """The moments of a report's hand, as far as it was read; ``watched`` as in ``moments``."""
    reads = Reads()
    maker = _Maker(report, reads)
    found = moments(report.analysis, watched)
    steps = [maker.step(moment, found[i - 1] if i else None) for i, moment in enumerate(found)]
    return Steps(tuple(steps), tuple(reads.parts), tuple(reads.lives))


class _Maker:
    """Makes the steps of one hand."""

    def __init__(self, report: HandReport, reads: Reads) -> None:
        self._report = report
        self._replay = report.analysis.replay
        self._unit = self._replay.history.unit
        self._reads = reads
        self._spoken = report.spoken

    def step(self, moment: Moment, before: Moment | None) -> Step:
        row = None if moment.action is None else action_row(moment.action, self._replay)
        notable, sentence, on_truth = self._words(moment, before, row)
        table = moment.table
        return Step(
            kind=moment.kind,
            street=moment.street,
            stage=moment.stage or "",
            actor=_actor(moment),
            to_act=None if moment.kind == END or table.openers else table.actor,
            line=moment.line,
            title=self._title(moment, row),
            mark=self._mark(moment),
            pot=self._unit.text(table.pot),
            places=tuple(self._places(moment)),
            shared=table.shared[0] if table.shared else None,
            chances=tuple(_chances(moment)),
            open_bits=_entropy(moment.bet_inference),
            true_bits=None if moment.omniscient is None else _entropy(moment.omniscient),
            action=row,
            news=_news(moment) if moment.kind == DEAL and moment.street > 3 else {},
            notable=notable,
            sentence=sentence,
            on_truth=on_truth,
            reads=self._numbers(moment.reads, moment.street),
            table_reads=self._numbers(moment.table_reads, moment.street),
        )

    def _words(
        self, moment: Moment, before: Moment | None, row: ActionRow | None
    ) -> tuple[bool, str, str]:
        """Whether the moment is notable, what it told, and how that stands to the truth."""
        earlier = None if before is None else before.bet_inference
        if moment.kind == DEAL:
            news = {seat: moment.reads[seat].news_bits for seat in moment.active}
            turn = is_turn(news, earlier, moment.bet_inference)
            return turn, deal_sentence(self._spoken, news, earlier, moment.bet_inference), ""
        if moment.action is None or row is None or before is None:
            forced = moment.kind == BRING_IN
            return False, "Forced: it tells nothing." if forced else self._end(), ""
        chances = before.bet_inference, moment.bet_inference
        reads = before.reads[row.seat], moment.reads[row.seat]
        return (
            is_notable(moment.action, *chances),
            action_sentence(moment.action, row, reads, chances),
            truth_sentence(moment.action, before.reads[row.seat]),
        )

    def _end(self) -> str:
        words = f"{'; '.join(line.rstrip('.') for line in self._report.result)}."
        return words[0].upper() + words[1:]

    def _title(self, moment: Moment, row: ActionRow | None) -> str:
        """What happened, in a few words."""
        if row is not None:
            return f"{self._spoken[row.seat]} {row.words}"
        if moment.kind == BRING_IN:
            seat = moment.table.brought_in
            assert seat is not None
            amount = self._unit.text(moment.table.player(seat).put)
            return f"{self._spoken[seat]} brings in for {amount}"
        return "The end" if moment.kind == END else f"{STREET_NAMES[moment.street]} street is dealt"

    @staticmethod
    def _mark(moment: Moment) -> str:
        """The moment in a letter or two, for a line of play."""
        if moment.action is not None:
            return MARKS[moment.action.decision.action]
        return {DEAL: STREET_NAMES[moment.street], BRING_IN: "B", END: "end"}[moment.kind]

    def _places(self, moment: Moment) -> list[Place]:
        table = moment.table
        return [
            Place(
                seat=player.seat,
                up=player.up,
                state="folded" if player.folded else "all-in" if player.all_in else "in",
                put=self._in_front(moment, player),
                stack="" if player.stack is None else self._unit.text(player.stack),
            )
            for player in table.players
            if player.dealt_in
        ]

    def _in_front(self, moment: Moment, player: Player) -> str:
        """The chips in front of a player; in the end what it has won."""
        if moment.kind == END:
            won = self._replay.won.get(player.seat)
            return f"wins {self._unit.text(won)}" if won else ""
        return self._unit.text(player.put) if player.put else ""

    def _numbers(self, reads: Mapping[int, SeatRead], street: int) -> dict[int, int]:
        return {seat: self._reads.number(read, street) for seat, read in sorted(reads.items())}


def _actor(moment: Moment) -> int | None:
    if moment.kind == BRING_IN:
        return moment.table.brought_in
    return None if moment.action is None else moment.action.decision.seat


def _chances(moment: Moment) -> Iterator[Chance]:
    truth = moment.omniscient
    for seat in moment.active:
        yield Chance(
            seat,
            chance_figure(moment.bet_inference[seat]),
            chance_figure(moment.cards_only[seat]),
            None if truth is None else chance_figure(truth[seat]),
        )


def _news(moment: Moment) -> dict[int, Figure]:
    return {seat: bits_figure(moment.reads[seat].news_bits) for seat in moment.active}


def _entropy(chances: Mapping[int, float]) -> Figure:
    """How open it is who will win, in bits."""
    return bits_figure(entropy_bits(np.array(list(chances.values()))))
