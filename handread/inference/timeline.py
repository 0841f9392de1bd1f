"""The timeline of a hand: the table and the beliefs after each deal and each action.

The stages of an analysis come only after deals and betting rounds.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import NamedTuple

from handread.game.steps import Decision, Step, StreetRecord
from handread.game.table import Table
from handread.history import Action, Deal, SharedCard, Wager
from handread.inference.analysis import public_read, true_holding
from handread.inference.hand_analysis import Analysis
from handread.inference.observer import (
    TIE_RULES,
    ObservedStreet,
    Update,
    visible_cards,
)
from handread.inference.ranges import Range
from handread.inference.stages import ActionReading, SeatRead, StageReading
from handread.inference.viewpoint import (
    Standing,
    StreetViews,
    View,
    pdd_from,
    viewpoint_of,
)
from handread.odds.htpd import SeatView

DEAL, BRING_IN, ACTION, END = "deal", "bring-in", "action", "end"


class Moment(NamedTuple):
    """The event at a point of the timeline; attributes as in ``TimelinePoint``."""

    kind: str
    street: int
    decision: Decision | None = None  # the action, if it was voluntary


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class TimelinePoint(Standing):
    """The hand after a deal, a bring-in or an action, or at its end."""

    kind: str  # "deal", "bring-in", "action" or "end"
    street: int  # number of the street
    table: Table  # the table after the event
    # stage of the analysis that the event completes, such as "4D"; else None
    stage: str | None
    action: ActionReading | None  # the action, if it was voluntary
    # reads of all seats that were dealt in; for a folded seat, its last read
    reads: Mapping[int, SeatRead]
    # public reads of the seats with downcards known to the viewpoint
    table_reads: Mapping[int, SeatRead]
    line: int  # line of the event in the log
    # the range of each chance of ``bet_inference``, as of a stage
    chance_ranges: Mapping[int, Range] = field(default_factory=dict)


def timeline_points(analysis: Analysis) -> tuple[TimelinePoint, ...]:
    """Return the timeline of a hand in order, up to the last street that was read."""
    reader = _TimelineReader(analysis)
    played = analysis.replay.steps
    points: list[TimelinePoint] = []
    for street, seen in zip(analysis.replay.streets, analysis.observed, strict=False):
        mine = [step for step in played if step.after.street == street.number]
        points += reader.street(street, seen, mine)
    if points and analysis.complete and analysis.replay.played_out:
        line = analysis.replay.history.end_line
        points.append(replace(points[-1], kind=END, stage=None, action=None, line=line))
    return tuple(points)


def timeline_moments(analysis: Analysis) -> Iterator[Moment]:
    """Yield the event at each point of the timeline, without the costly reads."""
    for street, _ in zip(analysis.replay.streets, analysis.observed, strict=False):
        yield Moment(DEAL, street.number)
        for step in analysis.replay.steps:
            if step.after.street != street.number:
                continue
            if _is_bring_in(step):
                yield Moment(BRING_IN, street.number)
            elif step.decision is not None:
                yield Moment(ACTION, street.number, step.decision)
    if analysis.observed and analysis.complete and analysis.replay.played_out:
        yield Moment(END, street.number)


def all_stages(analysis: Analysis) -> tuple[StageReading, ...]:
    """Return the stages of a hand, with a last one such as "5A" if it stops within the betting."""
    streets, stages = analysis.replay.streets[: len(analysis.observed)], analysis.stages
    if not stages or streets[-1].finished or not analysis.observed[-1].updates:
        return stages
    point, dealt = timeline_points(analysis)[-1], stages[-1]
    bits = dict.fromkeys(dealt.seats, 0.0)
    for action in analysis.actions:
        if action.decision.street == point.street:
            bits[action.decision.seat] += action.information_bits
    reads = {s: replace(point.reads[s], news_bits=bits[s]) for s in dealt.seats}
    now = replace(
        dealt,
        stage=f"{point.street}A",
        pot=point.table.pot,
        active=point.active,
        by_cards=point.by_cards,
        by_bets=point.by_bets,
        reference=point.reference,
        omniscience=dealt.omniscience if point.reference else "none",
        seats={seat: read for seat, read in reads.items() if seat in point.active},
        folded={seat: read for seat, read in reads.items() if seat not in point.active},
        chance_ranges=point.chance_ranges,
    )
    return (*stages, now)


def _is_bring_in(step: Step) -> bool:
    return isinstance(step.event, Wager) and step.event.action is Action.BRING_IN


def public_reads(analysis: Analysis, seat: int) -> Iterator[tuple[ActionReading, SeatRead]]:
    """Yield the actions of a seat in order, each with the public read of the seat after it."""
    actions = {action.decision.n: action for action in analysis.actions}
    for street, seen in zip(analysis.replay.streets, analysis.observed, strict=False):
        mine = [update for update in seen.updates if update.decision.seat == seat]
        if not mine:
            continue
        dealt = public_read(analysis.replay, street, seen.dealt, seat, seen.news[seat])
        for update in mine:
            action = actions[update.decision.n]
            yield (
                action,
                _after(dealt, update, action.table_bits),
            )


def _after(read: SeatRead, update: Update, bits: float) -> SeatRead:
    """Return the public read of the actor after an action."""
    return replace(read, bets=update.view, news_bits=bits)


class _TimelineReader:
    """Builds the timeline street by street; holds the current reads of all seats."""

    def __init__(self, analysis: Analysis) -> None:
        self._replay = analysis.replay
        self._ties = TIE_RULES[analysis.ties]
        self._viewpoint = viewpoint_of(analysis.replay, analysis.viewpoint)
        self._stages = {stage.stage: stage for stage in analysis.stages}
        self._actions = {action.decision.n: action for action in analysis.actions}
        self._reads: dict[int, SeatRead] = {}
        self._table_reads: dict[int, SeatRead] = {}
        self._reference: View | None = None
        self._by_cards = View({})
        self._drawn = analysis.drawn

    def street(
        self, street: StreetRecord, seen: ObservedStreet, played: list[Step]
    ) -> Iterator[TimelinePoint]:
        dealt = self._stages[f"{street.number}D"]
        self._deal(street, seen, dealt)
        deals = [step.after for step in played if isinstance(step.event, Deal | SharedCard)]
        yield self._of_stage(DEAL, dealt, deals[-1], street.line)
        updates = iter(seen.updates)
        n = 0
        for step in played:
            if _is_bring_in(step):
                moment = self._of_stage(DEAL, dealt, step.after, step.event.line)
                yield replace(moment, kind=BRING_IN, stage=None)
            elif step.decision is not None:
                n += 1
                yield self._act(street, next(updates), n, step.after)

    def _deal(self, street: StreetRecord, seen: ObservedStreet, stage: StageReading) -> None:
        belief = seen.dealt
        self._reads.update(stage.seats)
        self._by_cards = stage.by_cards
        for seat in self._viewpoint.known.keys() & belief.pdds.keys():
            self._table_reads[seat] = public_read(
                self._replay, street, belief, seat, seen.news[seat]
            )
        self._reference = None if stage.reference is None else View(stage.reference)

    def _act(self, street: StreetRecord, update: Update, n: int, table: Table) -> TimelinePoint:
        action = self._actions[update.decision.n]
        self._learn(street, update, n, action)
        last = street.finished and update.decision is street.decisions[-1]
        if last:
            stage = self._stages[f"{street.number}B"]
            moment = self._of_stage(ACTION, stage, table, action.decision.line)
            return replace(moment, action=action)
        active = table.active
        by_bets = View({seat: self._reads[seat].bets for seat in active})
        bets = by_bets.chances(self._ties, active)
        drawn, true = self._drawn, None
        known = self._replay.downcards_on(street.number)
        if self._reference is not None and not known.keys().isdisjoint(active):
            true = View(self._reference)
        return TimelinePoint(
            kind=ACTION,
            street=street.number,
            table=table,
            stage=None,
            action=action,
            active=active,
            ties=self._ties,
            by_cards=self._by_cards,
            by_bets=by_bets,
            reference=true,
            reads=dict(self._reads),
            table_reads=dict(self._table_reads),
            line=action.decision.line,
            chance_ranges={} if drawn is None else drawn.chances((street.number, n), bets),
        )

    def _learn(self, street: StreetRecord, update: Update, n: int, action: ActionReading) -> None:
        """Update the reads of the actor by the viewpoint, the public and the reference."""
        seat, bits = action.decision.seat, action.information_bits
        known, bets = self._viewpoint.on(street.number), update.view
        if known:
            observed = partial(pdd_from, update.after, seat, known, visible_cards(street))
            bets = SeatView(self._reads[seat].hands, observed)
        if street.finished and action.decision.action == "fold":
            bets = self._stages[f"{street.number}B"].folded[seat].bets
        drawn = None if self._drawn is None else self._drawn.kinds((street.number, n), seat)
        self._reads[seat] = replace(self._reads[seat], bets=bets, news_bits=bits, drawn=drawn)
        if seat in self._table_reads:
            table_read = self._table_reads[seat]
            self._table_reads[seat] = _after(table_read, update, action.table_bits)
        if self._reference is not None and true_holding(self._replay, seat, street.number) is None:
            known = self._replay.downcards_on(street.number)
            self._reference[seat] = StreetViews(street, known).of({seat: update.view})[seat]

    def _of_stage(self, kind: str, stage: StageReading, table: Table, line: int) -> TimelinePoint:
        return TimelinePoint(
            kind=kind,
            street=stage.street,
            table=table,
            stage=stage.stage,
            action=None,
            active=stage.active,
            ties=stage.ties,
            by_cards=stage.by_cards,
            by_bets=stage.by_bets,
            reference=stage.reference,
            reads=dict(self._reads),
            table_reads=dict(self._table_reads),
            line=line,
            chance_ranges=stage.chance_ranges,
        )
