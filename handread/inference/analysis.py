"""Analysis of a replayed hand by the observers of Saund 2006, section V.

The cards-only and the bet-inference observer read the hand in parallel, from a viewpoint. With
known downcards, both are scored against the omniscient observer.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from handread.arrays import Floats
from handread.bits import score_bits, surprise_bits, weighted_sum
from handread.cards import Card, holding_index
from handread.game.rules import variant_of
from handread.game.steps import Replay, StreetRecord
from handread.history import Problem
from handread.inference.hand_analysis import Analysis
from handread.inference.observer import (
    TIE_RULES,
    Belief,
    ObservedStreet,
    TieRule,
    Update,
    seat_cards,
    visible_cards,
)
from handread.inference.players import Model, PlayerModels
from handread.inference.ranges import DrawnReads, drawn_reads
from handread.inference.readers import (
    PolicyReader,
    Reader,
    as_reader,
    policies_of,
    read_hand,
    reader_of_hand,
    why_unseen,
)
from handread.inference.stages import ActionReading, SeatRead, StageReading
from handread.inference.viewpoint import (
    StreetViews,
    View,
    Viewpoint,
    card_news_bits,
    certainty,
    even_views,
    pdd_from,
    viewpoint_of,
)
from handread.kernels.reading import reweigh
from handread.odds.htpd import SeatView
from handread.policy import Policy, panel_of


def analyze_replay(
    replay: Replay,
    reader: Reader | Policy | Model | PlayerModels,
    viewpoint: str | Viewpoint = "public",
    ties: str = "split",
    observed: Iterable[ObservedStreet] | None = None,
) -> Analysis:
    """Analyze a replayed hand stage by stage, up to the last street that can be read.

    Reader, viewpoint and tie rule are as in ``api.analyze``; one policy or model may stand for all
    players. ``observed`` are streets already read (``readers.read_hand``). Draws of the policies
    (``PlayerModels.drawn``) give the analysis ranges.

    Raises:
        ValueError: The viewpoint is not possible for this hand, or the tie rule is unknown.
    """
    if ties not in TIE_RULES:
        raise ValueError(f"no tie rule {ties!r}: expected {' or '.join(TIE_RULES)}")
    who, players = reader_of_hand(as_reader(reader), replay.history), None
    viewer = viewpoint_of(replay, viewpoint) if isinstance(viewpoint, str) else viewpoint
    builder = _AnalysisBuilder(replay, who, TIE_RULES[ties], viewer)
    if observed is None:
        players, observed = policies_of(who), read_hand(who, replay, TIE_RULES[ties])
    streets = list(zip(replay.streets, observed, strict=False))
    for street, seen in streets:
        builder.add(street, seen)
    builder.report_faded()
    drawn = None
    if players is not None and players.draws:
        drawn = builder.add_ranges(players, [seen for _, seen in streets])
    unread = replay.streets[len(streets) :]
    stops = [builder.stop_before(unread[0])] if unread else []
    if replay.problem is not None:
        stops.append(replay.problem)
    return Analysis(
        replay=replay,
        reader=who,
        ties=ties,
        viewpoint=viewer.name,
        stages=tuple(builder.stages),
        actions=tuple(builder.actions),
        problems=(*builder.findings(), *stops),
        complete=replay.problem is None and not unread,
        members=builder.members,
        observed=tuple(seen for _, seen in streets),
        you=viewer.you,
        drawn=drawn,
    )


def after_hand(reader: Reader, read: Analysis) -> Reader:
    """Return the reader of the next hand; panels are weighed by the viewpoint's knowledge."""
    players = policies_of(reader)
    if players is None:
        return reader.after(read.replay, read.observed)
    return PolicyReader(players.after(read.replay.history, read.members))


class _AnalysisBuilder:
    def __init__(self, replay: Replay, reader: Reader, ties: TieRule, viewpoint: Viewpoint) -> None:
        self._replay = replay
        self._reader = reader
        self._ties = ties
        self._viewpoint = viewpoint
        self._before: Belief | None = None
        self.stages: list[StageReading] = []
        self.actions: list[ActionReading] = []
        self.problems: list[Problem] = []
        self.members: dict[int, Floats] = {}
        self._refuted: set[tuple[int, str]] = set()

    def add(self, street: StreetRecord, seen: ObservedStreet) -> None:
        """Add the stages and the actions of a street."""
        refuted = [seat for seat, bits in seen.news.items() if math.isinf(bits)]
        self._report_refuted(street, refuted, "now seen elsewhere")
        belief, after = seen.dealt, seen.after
        known = self._viewpoint.on(street.number)
        views = StreetViews(street, known) if known else None
        cards_only = even_views(belief) if views is None else views.cards_only(belief)
        bets = cards_only
        if cards_only != belief.seats:
            bets = View(belief.seats) if views is None else views.of(belief.seats)
        shown = self._replay.downcards_on(street.number)
        by_shown = views if views is not None and shown == known else StreetViews(street, shown)
        reference = self._reference(street, belief, by_shown)
        self._stage(
            street,
            "D",
            belief,
            news=self._card_news(street, seen),
            cards_only=cards_only,
            bets=bets,
            reference=reference,
        )
        news, last = self._add_actions(street, seen)
        self._before = after
        if street.finished:
            if last != belief.seats:
                bets = View(last) if views is None else views.of(last)
            if reference[0] == "partial":
                reference = self._reference(street, after, by_shown)
            self._stage(
                street, "B", after, news=news, cards_only=cards_only, bets=bets, reference=reference
            )

    def _add_actions(
        self, street: StreetRecord, seen: ObservedStreet
    ) -> tuple[dict[int, float], dict[int, SeatView]]:
        """Add the actions of a street; return by seat their bits, and the last public view."""
        news = dict.fromkeys(seen.dealt.pdds, 0.0)
        last = dict(seen.dealt.seats)  # a folded seat keeps its last pdd
        known, visible = self._viewpoint.on(street.number), visible_cards(street)
        for update in seen.updates:
            seat = update.decision.seat
            action = self._action(update, pdd_from(update.before, seat, known, visible))
            self.actions.append(action)
            news[seat] += action.information_bits
            last[seat] = update.view
        for seat, update in {each.decision.seat: each for each in seen.updates}.items():
            self._weigh_members(update, pdd_from(update.after, seat, known, visible))
        return news, last

    def add_ranges(self, players: PlayerModels, observed: Sequence[ObservedStreet]) -> DrawnReads:
        """Read the hand by draws of the policies, and give the stages their ranges."""
        dealt = [stage for stage in self.stages if not stage.after_bets]
        operators = [{seat: read.hands for seat, read in each.seats.items()} for each in dealt]
        drawn = drawn_reads(
            self._replay,
            players,
            viewpoint=self._viewpoint,
            ties=self._ties,
            observed=observed,
            operators=operators,
        )
        actions = {seen.dealt.street: len(seen.updates) for seen in observed}
        for place, stage in enumerate(self.stages):
            point = stage.street, actions[stage.street] if stage.after_bets else 0
            reads = {**stage.seats, **stage.folded}
            ranged = {s: replace(r, drawn=drawn.kinds(point, s)) for s, r in reads.items()}
            self.stages[place] = replace(
                stage,
                seats={seat: ranged[seat] for seat in stage.seats},
                folded={seat: ranged[seat] for seat in stage.folded},
                chance_ranges=drawn.chances(point, stage.bet_inference),
            )
        return drawn

    def findings(self) -> list[Problem]:
        """Return the findings in the hand and in its log, by line."""
        problems = [*self.problems, *self._replay.history.damage]
        return sorted(problems, key=lambda problem: problem.line)

    def stop_before(self, street: StreetRecord) -> Problem:
        """Return the problem of an unseen upcard, which ends the analysis before this street."""
        unseen = self._names(street.unseen)
        return self._replay.history.problem(street.line, why_unseen(self._replay, unseen))

    def report_faded(self) -> None:
        """Report the players who seem to follow a policy that sees no cards."""
        players = policies_of(self._reader)
        for seat, shares in sorted(self.members.items()):
            panel = None if players is None else panel_of(players.of(seat).policy)
            if panel is not None and not panel.explains(shares):
                line = max(a.decision.line for a in self.actions if a.decision.seat == seat)
                who = self._names([seat])
                self._problem(
                    line,
                    f"no policy explains the actions of {who}: the read now rests on cards alone",
                )

    def _card_news(self, street: StreetRecord, seen: ObservedStreet) -> Mapping[int, float]:
        """Return the information of the deal about each seat in bits, from the viewpoint."""
        known = self._viewpoint.on(street.number)
        if not known or self._before is None:
            return seen.news
        knew = self._viewpoint.on(self._before.street)
        pdds = self._before.pdds
        return {s: card_news_bits(pdds[s], street, s, knew, known) for s in street.active}

    def _action(self, update: Update, before: Floats) -> ActionReading:
        """Return the figures of an action for an observer with the pdd ``before`` of the actor."""
        decision = update.decision
        public = _seen_by(update)
        seen = public if before is update.before else _seen_by(update, before)
        evidence = min(1.0, seen.probability)
        truth = true_holding(self._replay, decision.seat, decision.street)
        if update.evidence <= 0.0:
            self._problem(
                decision.line,
                f"under the {self._read_by(decision.seat)}, {self._names([decision.seat])} would "
                f"never {decision.action} here; the action is ignored",
                decision.column,
            )
        held = None if truth is None else holding_index(truth)
        table = mine = 0.0, None if held is None else 0.0
        if update.after is not update.before:
            table = _information(update, public, held)
            # An action that refutes what the observer knows tells nothing.
            mine = _information(update, seen, held) if seen.mean > 0.0 else mine
        return ActionReading(
            decision,
            min(1.0, seen.p_win),
            None if held is None else float(update.chances[held]),
            evidence,
            surprise_bits(evidence),
            *mine,
            *table,
        )

    def _read_by(self, seat: int) -> str:
        players = policies_of(self._reader)
        if players is None:
            return f"reader {self._reader.name!r}"
        return f"policy {players.of(seat).policy.name!r}"

    def _weigh_members(self, update: Update, after: Floats) -> None:
        """Store the probabilities of the panel's members, with the viewpoint's pdd ``after``."""
        if update.shares is not None:
            # Known downcards are evidence about the members, too, but may refute the whole pdd.
            pdd = after if after.any() else update.after
            self.members[update.decision.seat] = np.einsum("mh,h->m", update.shares, pdd)

    def _reference(self, street: StreetRecord, belief: Belief, views: StreetViews) -> "_Reference":
        """Return how many downcards the omniscient observer knows on a street, and its view.

        "full" means all downcards: betting does not change the htpds. With "partial", seats with
        unknown downcards keep their public pdd in ``belief``.
        """
        known = views.known
        if known.keys().isdisjoint(belief.pdds):
            return "none", None
        full = all(seat in known for seat in self._replay.streets[0].active) and all(
            true_holding(self._replay, seat, street.number) is not None for seat in belief.pdds
        )
        return "full" if full else "partial", views.of(belief.seats)

    def _stage(
        self,
        street: StreetRecord,
        half: str,
        belief: Belief,
        news: Mapping[int, float],
        cards_only: View,
        bets: View,
        reference: "_Reference",
    ) -> None:
        """Add the stage after the deal ("D") or the betting ("B") of a street."""
        active = street.active if half == "D" else street.active_after
        refuted = [seat for seat, view in bets.items() if view.refuted]
        self._report_refuted(street, refuted, f"known from {self._viewpoint.name}")
        reads = {
            seat: seat_read(
                self._replay,
                street,
                seat,
                bets[seat],
                cards_only[seat],
                first_two=self._first_two(belief, seat),
                news_bits=news[seat],
            )
            for seat in street.active
        }
        omniscience, seen = reference
        self.stages.append(
            StageReading(
                stage=f"{street.number}{half}",
                pot=street.pot if half == "D" else street.pot_after,
                active=active,
                ties=self._ties,
                by_cards=cards_only,
                by_bets=bets,
                reference=seen,
                omniscience=omniscience,
                seats={seat: reads[seat] for seat in active},
                folded={seat: reads[seat] for seat in street.active if seat not in active},
            )
        )

    def _first_two(self, belief: Belief, seat: int) -> Floats:
        """Return the pdd over the first downcards after the deal, from the viewpoint."""
        pdd, known = belief.first_two[seat], self._viewpoint.known.get(seat)
        return pdd if known is None else certainty(pdd.size, known[:2])

    def _report_refuted(self, street: StreetRecord, seats: Sequence[int], where: str) -> None:
        """Report, once, reads with all probability on cards since seen elsewhere."""
        new = [seat for seat in seats if (seat, where) not in self._refuted]
        self._refuted.update((seat, where) for seat in new)
        if new:
            names = self._names(new)
            self._problem(
                street.line, f"every holding left for {names} has a card {where}; the read restarts"
            )

    def _names(self, seats: Sequence[int]) -> str:
        names = [(seat, self._replay.history.seat(seat).name) for seat in seats]
        *rest, last = (f"seat {seat} ({name})" if name else f"seat {seat}" for seat, name in names)
        return f"{', '.join(rest)} and {last}" if rest else last

    def _problem(self, line: int, message: str, column: int = 1) -> None:
        self.problems.append(self._replay.history.problem(line, message, column=column))


_Reference = tuple[str, View | None]


class _ObservedAction(NamedTuple):
    """Figures of an action for an observer with a pdd of the actor before it."""

    mean: float  # of the likelihood
    bits: float  # of information
    p_win: float  # mean of the chances to win
    probability: float  # mean of P(action | holding)


def _seen_by(update: Update, before: Floats | None = None) -> _ObservedAction:
    """Return the figures of an action; ``before`` is None for the pdd of the public."""
    if before is None:
        mean = weighted_sum(update.before, update.likelihood)
        return _ObservedAction(mean, update.information_bits, update.p_win, update.probability)
    live, found, after = update.view.hands.places, np.zeros(5), np.zeros(before.size)
    given = update.likelihood, update.chances, update.action_probs
    reweigh(live, before, *given, after, found)
    return _ObservedAction(*found[[0, 2, 3, 4]].tolist())


def _information(
    update: Update, seen: _ObservedAction, held: int | None
) -> tuple[float, float | None]:
    """Return the bits of information in an action, and the bits about the true downcards.

    ``held`` is the index of the true downcards, None if unknown.
    """
    if held is None:
        return seen.bits, None
    return seen.bits, score_bits(float(update.likelihood[held]), seen.mean)


def seat_read(
    replay: Replay,
    street: StreetRecord,
    seat: int,
    bets: SeatView,
    cards: SeatView,
    first_two: Floats,
    news_bits: float,
) -> SeatRead:
    """Return the read of a seat from the views of both observers."""
    return SeatRead(
        seat=seat,
        up=seat_cards(street, seat),
        bets=bets,
        cards=cards,
        first_two=first_two,
        news_bits=news_bits,
        holding=true_holding(replay, seat, street.number),
    )


def public_read(
    replay: Replay, street: StreetRecord, dealt: Belief, seat: int, news_bits: float
) -> SeatRead:
    """Return the public read of a seat after a deal, whatever the viewpoint of the analysis."""
    hands = dealt.hands[seat]
    return seat_read(
        replay,
        street,
        seat,
        bets=dealt.seats[seat],
        cards=SeatView(hands, hands.uniform),
        first_two=dealt.first_two[seat],
        news_bits=news_bits,
    )


def last_public_read(analysis: Analysis, seat: int) -> SeatRead | None:
    """Return the public read of a seat after its last action; None if no card was dealt to it."""
    read = None
    for street, seen in zip(analysis.replay.streets, analysis.observed, strict=False):
        if seat in seen.dealt.pdds:
            read = public_read(analysis.replay, street, seen.dealt, seat, seen.news[seat])
            for update in seen.updates:
                if update.decision.seat == seat:
                    read = replace(read, bets=update.view)
    return read


def true_holding(replay: Replay, seat: int, street: int) -> tuple[Card, ...] | None:
    """Return the downcards that a seat holds on a street, if all of them are known."""
    game = variant_of(replay.history.variant)
    needed = game.dealt[street][0]
    if street == game.last and any(s.shared is not None for s in replay.streets):
        needed -= 1
    known = replay.downcards_on(street).get(seat, ())[:needed]
    return known if len(known) == needed else None
