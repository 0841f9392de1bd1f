"""Viewpoints: the public belief as seen by an observer who knows some downcards.

Saund 2006, section V, has N + 2 viewpoints: the public observer, each seat, and the omniscient
observer. Players act on the *public* knowledge of the others, so likelihoods are the same from
every viewpoint; known downcards only rule out holdings. Another seat has its public pdd without the
holdings that contain a known card. The pdd of a known seat is certain.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial

import numpy as np

from handread.arrays import Flags, Floats
from handread.bits import surprise_bits
from handread.cards import N_TRIPLES, Card, holding_index
from handread.game.steps import Replay, StreetRecord
from handread.inference.observer import (
    Belief,
    TieRule,
    chances_to_win,
    operator_of,
    visible_cards,
)
from handread.odds.counting import cards_in
from handread.odds.htpd import Htpds, Operator, SeatView, Unseen, holding_sets

Known = Mapping[int, tuple[Card, ...]]
"""The downcards that an observer knows, by seat."""


@dataclass(frozen=True, slots=True)
class Viewpoint:
    """A viewpoint of a hand."""

    name: str  # "public", "seat:3" or "omniscient"
    known: Mapping[int, tuple[Card, ...]]  # the downcards known there, by seat
    you: int | None = None  # the seat to address as you, if any

    def on(self, street: int) -> dict[int, tuple[Card, ...]]:
        """Return the downcards known on a street: the first two, on 7th street all."""
        return {seat: on_street(cards, street) for seat, cards in self.known.items()}


PUBLIC = Viewpoint("public", {})

HERO = "hero"
"""The viewpoint of the log's owner."""

OMNISCIENT = "omniscient"
"""The viewpoint of an observer who knows all downcards."""


def is_by_person(name: str) -> bool:
    """Return True for the viewpoint of a person, who may sit elsewhere in each hand."""
    return name not in (PUBLIC.name, OMNISCIENT) and not name.startswith("seat:")


def viewing_seat(replay: Replay, name: str) -> int:
    """Return the viewing seat of "hero", "seat:N" or a player's name, else raise ``ValueError``."""
    seats = replay.history.seats
    if name == HERO:
        if replay.history.hero is None:
            raise ValueError("the log does not say which player is the hero")
        return replay.history.hero
    if is_by_person(name):
        numbers = [seat.number for seat in seats if seat.name == name]
        if len(numbers) != 1:
            expected = "public, hero, seat:N, omniscient or the name of a player in the hand"
            raise ValueError(f"no viewpoint {name!r}: expected {expected}")
        return numbers[0]
    number = name.partition(":")[2]
    if not (number.isascii() and number.isdecimal()):
        raise ValueError(f"no viewpoint {name!r}: expected seat:N, as in seat:3")
    if int(number) not in [seat.number for seat in seats]:
        listed = ", ".join(str(seat.number) for seat in seats)
        raise ValueError(f"nobody sits in seat {int(number)}; seats are {listed}")
    return int(number)


def viewpoint_of(replay: Replay, name: str) -> Viewpoint:
    """Return a viewpoint: "public", "hero", "seat:N", "omniscient" or the name of a player.

    The viewpoint of a player is called "seat:N". From "public" and "omniscient", you are the hero.

    Raises:
        ValueError: The viewpoint is unknown, or the log does not show the downcards that it needs.
    """
    if name == PUBLIC.name:
        return replace(PUBLIC, you=replay.history.hero)
    if name == OMNISCIENT:
        dealt = replay.streets[0].active if replay.streets else ()
        unknown = [seat for seat in dealt if seat not in replay.downcards]
        if unknown:
            listed = ", ".join(map(str, unknown))
            raise ValueError(f"omniscient needs all downcards; unknown for seat {listed}")
        return Viewpoint(name, dict(replay.downcards), replay.history.hero)
    seat = viewing_seat(replay, name)
    if seat in replay.loose_downcards:
        shown = f"the log shows the three downcards of seat {seat}"
        raise ValueError(f"{shown}, but not which came last")
    if seat not in replay.downcards:
        raise ValueError(f"the log does not show the downcards of seat {seat}")
    return Viewpoint(f"seat:{seat}", {seat: replay.downcards[seat]}, seat)


def session_viewpoint(replay: Replay, name: str | None) -> Viewpoint:
    """Return the viewpoint of a hand in a session, where players may differ from hand to hand.

    The name is as in ``viewpoint_of``; None stands for "hero". A hand without the person, or
    without the person's downcards in the log, is seen by the public.

    Raises:
        ValueError: A viewpoint that names no person is not possible for this hand.
    """
    name = HERO if name is None else name
    try:
        return viewpoint_of(replay, name)
    except ValueError:
        if not is_by_person(name):
            raise
    try:
        return replace(PUBLIC, you=viewing_seat(replay, name))
    except ValueError:
        return PUBLIC


def on_street(downcards: Sequence[Card], street: int) -> tuple[Card, ...]:
    """Return the downcards that a seat holds on a street."""
    return tuple(downcards if street == 7 else downcards[:2])


def without(pdd: Floats, cards: Sequence[Card]) -> Floats:
    """Return a pdd without the holdings that contain one of ``cards``, scaled to sum 1.

    Return zeros if the cards rule out all holdings.
    """
    kept: Floats = pdd * _compatible(pdd.size, cards_in(cards))
    total = kept.sum()
    return kept / total if total > 0 else kept


@lru_cache(maxsize=32)
def _compatible(size: int, cards: int) -> Flags:
    """Return True for the holdings without one of the cards, a 52-bit set."""
    free: Flags = holding_sets(size) & cards == 0
    return free


def certainty(size: int, holding: Sequence[Card]) -> Floats:
    """Return the pdd (size,) with all probability on one holding."""
    pdd = np.zeros(size)
    pdd[holding_index(holding)] = 1.0
    return pdd


def _known_of_others(known: Known, seat: int) -> list[Card]:
    return [card for other, cards in known.items() if other != seat for card in cards]


def pdd_from(pdd: Floats, seat: int, known: Known, visible: Iterable[Card] = ()) -> Floats:
    """Return a seat's pdd for an observer who knows the downcards ``known`` of some seats.

    On 7th street only the first two downcards of a seat may be known; the third then follows the
    pdd. If the pdd rules out these two, all third cards are equally likely except cards that others
    hold or that are ``visible``.
    """
    others, own = _known_of_others(known, seat), known.get(seat)
    if own is None:
        return without(pdd, others) if others else pdd
    if len(own) == 3 or pdd.size != N_TRIPLES:
        return certainty(pdd.size, own)
    own_set = cards_in(own)
    fits = holding_sets(N_TRIPLES) & own_set == own_set
    fitting = without(pdd * fits, others)
    return fitting if fitting.any() else without(fits.astype(np.float64), [*others, *visible])


def card_news_bits(
    pdd: Floats, street: StreetRecord, seat: int, before: Known, now: Known
) -> float:
    """Return the information of a deal about a seat, in bits, from a viewpoint.

    ``pdd`` is public, over the first downcards before the deal; the viewpoint knows the downcards
    ``before`` and ``now``. If a deal only rules out holdings, D(pdd after || pdd before) is -log2
    of the probability remaining.
    """
    if seat in now:
        return 0.0
    live = Unseen(visible_cards(street) | set(_known_of_others(now, seat))).live(pdd.size)
    return surprise_bits(min(1.0, float(pdd_from(pdd, seat, before)[live].sum())))


class View(dict[int, SeatView]):
    """The seats of a hand from a viewpoint."""

    def __init__(self, seats: Mapping[int, SeatView]) -> None:
        super().__init__(seats)
        self._chances: dict[tuple[bool, tuple[int, ...]], dict[int, float]] = {}

    def chances(self, ties: TieRule, active: tuple[int, ...]) -> dict[int, float]:
        """Return the chance to win of each active seat (equation 1), summing to 1."""
        if len(active) == 1:
            return {active[0]: 1.0}
        key = ties.share, active
        if key not in self._chances:
            showdown = self[active[0]].hands.showdown
            self._chances[key] = chances_to_win(Htpds(self), ties, active, showdown)
        return self._chances[key]


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Standing:
    """The seats of a hand at some point, as three observers see them.

    Attributes:
        active: Active seats; a single one if everybody else has folded.
        ties: How tied hands share the pot.
        by_cards: The seats as the cards-only observer sees them.
        by_bets: The seats as the bet-inference observer sees them.
        reference: The seats as the reference sees them, an observer who knows downcards; None
            without any.
    """

    active: tuple[int, ...]
    ties: TieRule
    by_cards: View
    by_bets: View
    reference: View | None

    @property
    def cards_only(self) -> dict[int, float]:
        """Chance to win by active seat by the cards-only observer; they sum to 1."""
        return self.by_cards.chances(self.ties, self.active)

    @property
    def bet_inference(self) -> dict[int, float]:
        """Chance to win by active seat by the bet-inference observer."""
        return self.by_bets.chances(self.ties, self.active)

    @property
    def omniscient(self) -> dict[int, float] | None:
        """Chance to win by active seat by the reference; None without one."""
        return None if self.reference is None else self.reference.chances(self.ties, self.active)


class StreetViews:
    """Views of a street for an observer who knows some downcards, perhaps of folded seats."""

    def __init__(self, street: StreetRecord, known: Known) -> None:
        self.known = known
        self._street = street
        self._seen = visible_cards(street)
        known_cards = {card for cards in known.values() for card in cards}
        self._unseen = Unseen(self._seen | known_cards)
        self._hands: dict[int, Operator] = {}
        self._latest: dict[int, tuple[SeatView, SeatView]] = {}

    def of(self, public: Mapping[int, SeatView]) -> View:
        """Return the view of seats from how the public sees them."""
        for seat, view in public.items():
            if seat not in self._latest or self._latest[seat][0] is not view:
                self._latest[seat] = view, self._observed(seat, view)
        return View({seat: self._latest[seat][1] for seat in public})

    def cards_only(self, belief: Belief) -> View:
        """Return the view of the cards-only observer: all live holdings equally likely."""
        return View({seat: self._observed(seat, each) for seat, each in even_views(belief).items()})

    def _operator(self, seat: int) -> Operator:
        if seat not in self._hands:
            unseen = self._unseen
            if seat in self.known:
                unseen = Unseen(self._seen | set(_known_of_others(self.known, seat)))
            self._hands[seat] = operator_of(self._street, seat, unseen)
        return self._hands[seat]

    def _observed(self, seat: int, public: SeatView) -> SeatView:
        operator = self._operator(seat)
        if public.is_even and seat not in self.known:
            return SeatView(operator, operator.uniform)
        return SeatView(operator, partial(pdd_from, public.pdd, seat, self.known, self._seen))


def even_views(belief: Belief) -> View:
    """Return the public view of the cards-only observer: all live holdings equally likely."""
    seats = belief.seats.items()
    return View({s: v if v.is_even else SeatView(v.hands, v.hands.uniform) for s, v in seats})
