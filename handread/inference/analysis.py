"""Reading a hand: the observers of section V of Saund 2006 run over a replayed hand.

Cards-only and bet-inference go side by side, seen from a viewpoint, and are scored where
downcards are known.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from handread.bits import divergence_bits, score_bits, surprise_bits, weighted_sum
from handread.cards import N_PAIRS, Card, holding_index
from handread.game.steps import Replay, StreetPlay
from handread.history import Problem
from handread.inference.observer import (
    TIE_RULES,
    Belief,
    TieRule,
    Update,
    WatchedStreet,
    chances_to_win,
    seat_cards,
    unseen_upcards,
    visible_cards,
    watch,
    why_unseen,
)
from handread.inference.players import Lineup, Model, lineup
from handread.inference.values import ActionReading, Analysis, SeatRead, StageReading
from handread.inference.viewpoint import (
    PUBLIC,
    View,
    Viewpoint,
    card_news_bits,
    certainty,
    pdd_from,
    uniform_pdds,
    view,
)
from handread.policy import Panel, Policy

Floats = npt.NDArray[np.float64]


def viewpoint_of(replay: Replay, name: str) -> Viewpoint:
    """The viewpoint of that name for a hand: "public", "seat:N" or "omniscient".

    Raises ``ValueError`` in a person's words when the hand does not tell the downcards needed.
    """
    if name == "public":
        return PUBLIC
    if name == "omniscient":
        dealt = replay.streets[0].active if replay.streets else ()
        unknown = [seat for seat in dealt if seat not in replay.downcards]
        if unknown:
            listed = ", ".join(map(str, unknown))
            raise ValueError(f"omniscient needs all downcards; not known: seat {listed}")
        return Viewpoint(name, dict(replay.downcards))
    kind, _, number = name.partition(":")
    if kind != "seat" or not (number.isascii() and number.isdecimal()):
        raise ValueError(f"no viewpoint {name!r}: expected public, seat:N or omniscient")
    seats = [seat.number for seat in replay.history.seats]
    if int(number) not in seats:
        raise ValueError(f"nobody sits in seat {number}; seats are {', '.join(map(str, seats))}")
    if int(number) in replay.loose_downcards:
        raise ValueError(
            f"the record tells the three downcards of seat {number}, but not which came last"
        )
    if int(number) not in replay.downcards:
        raise ValueError(f"the record does not tell the downcards of seat {number}")
    return Viewpoint(name, {int(number): replay.downcards[int(number)]})


def analyze_replay(
    replay: Replay,
    players: Policy | Model | Lineup,
    viewpoint: str = "public",
    ties: str = "split",
    watched: Iterable[WatchedStreet] | None = None,
) -> Analysis:
    """A replayed hand read stage by stage, as far as it goes.

    ``players`` says how they bet: all by one policy or model, or a lineup. ``watched`` is what
    the observer already made of the hand, if it has seen it with these players and tie rule.
    Raises ``ValueError`` for a viewpoint that the hand does not allow or an unknown tie rule.
    """
    if ties not in TIE_RULES:
        raise ValueError(f"no tie rule {ties!r}: expected {' or '.join(TIE_RULES)}")
    who = lineup(players)
    reader = _Reader(replay, who, TIE_RULES[ties], viewpoint_of(replay, viewpoint))
    if watched is None:
        watched = watch(replay, who, TIE_RULES[ties])
    streets = list(zip(replay.streets, watched, strict=False))
    for street, seen in streets:
        reader.read(street, seen)
    reader.report_faded()
    found = [*reader.problems, *replay.history.damage]
    unread = replay.streets[len(streets) :]
    stops = [reader.stop_before(unread[0])] if unread else []
    if replay.problem is not None:
        stops.append(replay.problem)
    return Analysis(
        replay,
        who,
        ties,
        viewpoint,
        tuple(reader.stages),
        tuple(reader.actions),
        (*sorted(found, key=lambda problem: problem.line), *stops),
        complete=replay.problem is None and not unread,
        members=reader.members,
    )


class _Reader:
    """The observers at work on one hand; collects stages, actions and problems."""

    def __init__(
        self, replay: Replay, players: Lineup, ties: TieRule, viewpoint: Viewpoint
    ) -> None:
        self._replay = replay
        self._players = players
        self._ties = ties
        self._viewpoint = viewpoint
        self._before: Belief | None = None
        self.stages: list[StageReading] = []
        self.actions: list[ActionReading] = []
        self.problems: list[Problem] = []
        self.members: dict[int, Floats] = {}
        self._refuted: set[tuple[int, str]] = set()

    def read(self, street: StreetPlay, seen: WatchedStreet) -> None:
        """A street that the observer has watched."""
        belief = seen.dealt
        refuted = [seat for seat, bits in seen.news.items() if math.isinf(bits)]
        self._report_refuted(street, refuted, "now seen elsewhere")
        blind = {seat: hands.uniform_htpd for seat, hands in belief.hands.items()}
        cards_only = self._look(street, belief, uniform_pdds(belief), blind)
        reference = _Reference(self._replay, street, belief)
        bets = self._look(street, belief, belief.pdds, belief.htpds)
        news = self._card_news(street, seen)
        self._stage(street, "D", belief, news, (cards_only, bets, reference))
        news = dict.fromkeys(belief.pdds, 0.0)
        last = dict(belief.pdds)  # of those who fold, the pdd that they fold with
        known, visible = self._viewpoint.on(street.number), visible_cards(street)
        for update in seen.updates:
            seat = update.decision.seat
            action = self._told(update, pdd_from(update.before, seat, known, visible))
            self._weigh(update, pdd_from(update.after, seat, known, visible))
            self.actions.append(action)
            news[seat] += action.information_bits
            last[seat] = update.after
        self._before = after = seen.after
        if street.finished:
            bets = self._look(street, belief, last, after.htpds)
            reference = reference.after(after)
            self._stage(street, "B", after, news, (cards_only, bets, reference))

    def stop_before(self, street: StreetPlay) -> Problem:
        """Return why a street, and with it the rest of the hand, cannot be read."""
        unseen = self._names(unseen_upcards(street))
        return self._replay.history.problem(street.line, why_unseen(self._replay, unseen))

    def _card_news(self, street: StreetPlay, seen: WatchedStreet) -> Mapping[int, float]:
        """What the deal told about each seat, in bits, from the viewpoint."""
        known = self._viewpoint.on(street.number)
        if not known or self._before is None:
            return seen.news
        knew = self._viewpoint.on(self._before.street)
        pdds = self._before.pdds
        return {s: card_news_bits(pdds[s], street, s, knew, known) for s in street.active}

    def _told(self, update: Update, before: Floats) -> ActionReading:
        """What an action told somebody whose pdd of the actor was ``before``."""
        decision = update.decision
        evidence = min(1.0, weighted_sum(before, update.odds))
        truth = true_holding(self._replay, decision.seat, decision.street)
        if update.evidence <= 0.0:
            policy = self._players.of(decision.seat).policy
            self._problem(
                decision.line,
                f"no hand of the policy {policy.name!r} lets {self._names([decision.seat])} "
                f"{decision.action} here; the read goes on as if it had not been seen",
                decision.column,
            )
        table = seen = nothing = 0.0, None if truth is None else 0.0
        if update.after is not update.before:
            table = _moved(update, update.before, truth) or nothing
            seen = table if before is update.before else _moved(update, before, truth) or nothing
        return ActionReading(
            decision,
            min(1.0, weighted_sum(before, update.chances)),
            None if truth is None else float(update.chances[holding_index(truth)]),
            evidence,
            surprise_bits(evidence),
            *seen,
            *table,
        )

    def _weigh(self, update: Update, after: Floats) -> None:
        """Keep what an action left of the members of the player's panel.

        ``after`` is the pdd of the player from the viewpoint; a downcard that is known decides
        among the members, too.
        """
        if update.shares is not None:
            # Nothing may be left of a read that the viewpoint's own cards refute.
            pdd = after if after.any() else update.after
            self.members[update.decision.seat] = np.einsum("mh,h->m", update.shares, pdd)

    def report_faded(self) -> None:
        """Say whose actions are best explained by a policy that looks at no cards."""
        for seat, shares in sorted(self.members.items()):
            panel = self._players.of(seat).policy
            if isinstance(panel, Panel) and panel.blind(shares) > 0.5:
                line = max(a.decision.line for a in self.actions if a.decision.seat == seat)
                who = self._names([seat])
                self._problem(
                    line,
                    f"no policy explains the actions of {who}: its read has faded to the cards",
                )

    def _look(
        self,
        street: StreetPlay,
        dealt: Belief,
        pdds: Mapping[int, Floats],
        htpds: Mapping[int, Floats],
    ) -> View:
        """What the public holds, from the viewpoint."""
        if self._viewpoint.known:
            return view(street, pdds, self._viewpoint.on(street.number))
        return View(pdds, htpds, dealt.hands)

    def _stage(
        self,
        street: StreetPlay,
        half: str,
        belief: Belief,
        news: Mapping[int, float],
        looks: tuple[View, View, _Reference],
    ) -> None:
        """Add a stage: what cards-only, bet-inference and the reference see of it."""
        cards_only, bets, reference = looks
        active = street.active if half == "D" else street.active_after
        self._report_refuted(street, bets.refuted, f"known from {self._viewpoint.name}")
        reads = {
            seat: SeatRead(
                seat=seat,
                up=seat_cards(street, seat),
                pdd=bets.pdds[seat],
                guess=cards_only.pdds[seat],
                first_two=self._first_two(belief, seat),
                hands=bets.hands[seat],
                known_htpd=bets.htpds.get(seat),
                news_bits=news[seat],
                holding=true_holding(self._replay, seat, street.number),
            )
            for seat in street.active
        }
        self.stages.append(
            StageReading(
                stage=f"{street.number}{half}",
                pot=street.pot if half == "D" else street.pot_after,
                active=active,
                cards_only=chances_to_win(cards_only.htpds, self._ties, active),
                bet_inference=chances_to_win(bets.htpds, self._ties, active),
                omniscient=None
                if reference.htpds is None
                else chances_to_win(reference.htpds, self._ties, active),
                omniscience=reference.omniscience,
                seats={seat: reads[seat] for seat in active},
                folded={seat: reads[seat] for seat in street.active if seat not in active},
            )
        )

    def _first_two(self, belief: Belief, seat: int) -> Floats:
        """The pdd over the first two downcards after the deal, from the viewpoint."""
        known = self._viewpoint.known.get(seat)
        return belief.first_two[seat] if known is None else certainty(N_PAIRS, known[:2])

    def _report_refuted(self, street: StreetPlay, seats: Sequence[int], where: str) -> None:
        """Say so, once, when a read gave everything to cards that turn out to be elsewhere."""
        new = [seat for seat in seats if (seat, where) not in self._refuted]
        self._refuted.update((seat, where) for seat in new)
        if new:
            names = self._names(new)
            self._problem(street.line, f"all that the read left {names} is {where}; it restarts")

    def _names(self, seats: Sequence[int]) -> str:
        names = [(seat, self._replay.history.seat(seat).name) for seat in seats]
        *rest, last = (f"seat {seat} ({name})" if name else f"seat {seat}" for seat, name in names)
        return f"{', '.join(rest)} and {last}" if rest else last

    def _problem(self, line: int, message: str, column: int = 1) -> None:
        self.problems.append(self._replay.history.problem(line, message, column=column))


def _moved(
    update: Update, before: Floats, truth: tuple[Card, ...] | None
) -> tuple[float, float | None] | None:
    """What an action told of the actor to somebody whose pdd was ``before``, in bits.

    And how far it moved that read of the true downcards; None where nothing would be left.
    """
    joint = before * update.likelihood
    moved = float(joint.sum())
    if moved <= 0.0:
        return None
    told = divergence_bits(joint / moved, before)
    if truth is None:
        return told, None
    return told, score_bits(float(update.likelihood[holding_index(truth)]), moved)


def true_holding(replay: Replay, seat: int, street: int) -> tuple[Card, ...] | None:
    """The downcards that a seat holds on a street, when all of them are known."""
    shared = any(s.shared is not None for s in replay.streets)
    needed = 3 if street == 7 and not shared else 2
    known = replay.downcards_on(street).get(seat, ())[:needed]
    return known if len(known) == needed else None


class _Reference:
    """The htpds of the omniscient observer on a street, and what they rest on.

    Where all downcards are known ("full") betting does not change them; else the seats
    that are not known stand at their public pdd ("partial"), and ``after`` follows it.
    """

    def __init__(self, replay: Replay, street: StreetPlay, belief: Belief) -> None:
        self._replay = replay
        self._street = street
        known = replay.downcards_on(street.number)
        self.htpds: Mapping[int, Floats] | None = None
        self.omniscience = "none"
        if any(seat in known for seat in belief.pdds):
            holdings = [true_holding(replay, seat, street.number) for seat in belief.pdds]
            full = None not in holdings and all(s in known for s in replay.streets[0].active)
            self.omniscience = "full" if full else "partial"
            self.htpds = view(street, belief.pdds, known).htpds

    def after(self, belief: Belief) -> _Reference:
        """The reference once the betting of the street has led to ``belief``."""
        if self.omniscience != "partial":
            return self
        return _Reference(self._replay, self._street, belief)
