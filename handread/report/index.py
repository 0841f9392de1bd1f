"""The rows of a session's index: what each hand came to, and what it told."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from handread.cards import cards_text
from handread.decisions.ledger import PARTS
from handread.decisions.terms import LEARNED, ValuedHand
from handread.decisions.values import DecisionValue
from handread.formats.dates import read_date
from handread.formats.grammar import date_styles
from handread.game.rules import STREET_NAMES, STUD, Stakes, variant_of
from handread.game.steps import Decision, Replay
from handread.history import Action, History, Problem
from handread.inference.hand import Analysis
from handread.inference.timeline import Moment, timeline_moments
from handread.inference.values import SeatRead
from handread.inference.viewpoint import viewpoint_of
from handread.known_cards import upcards
from handread.opponents.records import SeatHand, seat_hands
from handread.report.decisions import ChipWords, against_words, cost_in_full, kind_words
from handread.report.facets import NO_FACETS, Facets, facets_of
from handread.report.sentences import often_words
from handread.report.spots import own_cards, spot_words
from handread.report.words import (
    action_figures,
    action_words,
    hand_title,
    lines_words,
    ranked_words,
    result_lines,
    seat_label,
    spoken_label,
    visible,
)
from handread.study.session_values import YOU, DecisionCost
from handread.tables.figure import finite

_T = TypeVar("_T")

Moments = Sequence[Moment]

LOUD = 3
"""The number of actions of a hand, on either side, that may stand out in the session."""

CHIPS = "chips"
"""The unit of a hand that is not played for money."""

IN = ("dealt in", "folded at once", "played")
"""How far you were in a hand: dealt in and all in for the ante, folded on 3rd street, or more."""


@dataclass(frozen=True, slots=True)
class Highlight:
    """An action that stands out; ``moment`` is its place in the timeline.

    ``bits`` is the information about the actor's downcards, as the other players see it. Only for
    actions of others is there ``often``, how often players do this. Only for yours are there a
    ``verdict`` ("true" or "false" if it moved the others towards or away from your downcards) and a
    ``spot``: what you held, and what the opponents showed.
    """

    what: str
    moment: int
    bits: float
    often: str = ""
    verdict: str = ""
    spot: str = ""
    cards: str = ""


@dataclass(frozen=True, slots=True)
class CostlyDecision:
    """A decision that cost more than chance explains: ``bets`` big bets, in words ``cost``.

    ``low`` is the lower end of the interval of ``bets``, ``kind`` the street and the action.

    ``verdict`` is "costly" or "mistake"; ``moment``, ``spot`` and ``cards`` are as in
    ``Highlight``. ``better`` says what the best action and this one are worth.
    """

    what: str
    moment: int
    yours: bool
    bets: float
    cost: str
    verdict: str
    spot: str = ""
    low: float = 0.0
    kind: str = ""
    cards: str = ""
    better: str = ""


@dataclass(frozen=True, slots=True)
class HandWorth:
    """The values of a hand's decisions, as the index tells them.

    ``against`` names the policies that they are against; it is empty where no downcards are known.
    ``yours`` and ``theirs`` are numbers of decisions, ``costs`` those of yours. ``adjusted`` is
    your result without the luck of the cards in main units, None without a ledger;
    ``adjusted_bets`` is the same in big bets. Of your decisions, or without you of all, ``checked``
    were valued by rollouts, and ``rare`` seem costly, but there are few real hands like
    them. ``is_estimate`` is True if nothing was to be checked.
    """

    against: str
    yours: int
    theirs: int
    costly: tuple[CostlyDecision, ...]
    costs: tuple[DecisionCost, ...]
    adjusted: float | None
    adjusted_bets: float
    rare: int = 0
    checked: int = 0
    is_estimate: bool = False


@dataclass(frozen=True, slots=True)
class KnownRead:
    """The last read of a player whose downcards are known, and who stayed beyond the first street.

    ``moment`` is the place in the timeline of its last moment. ``bits`` is log2 of the
    probability of the true downcards over that by the upcards alone, None if the read had ruled
    them out. ``first`` is True if the likeliest family was the true one, ``first_by_cards`` if it
    was so by the upcards alone.
    """

    who: str
    street: int
    moment: int
    bits: float | None
    place: str
    first: bool
    first_by_cards: bool


@dataclass(frozen=True, slots=True)
class IndexRow:
    """A hand in the index of a session.

    ``number`` counts the hands of the session from 1, ``page`` is the name of the hand's file,
    ``key`` tells the hand from others wherever its log lies. ``reached`` is the last street.
    ``date`` is empty if the log has none, and so is ``day``, the same as in 2012-03-31, and
    ``table``. ``cards`` are your cards, if known: the first downcards, the upcards, the last
    downcard. ``held`` says what they made on your last street. ``net`` is your result in main units
    of ``unit``, with its ``net_words``; None if you are not known or the hand does not end.
    ``tournament`` is empty for a cash game. ``policy`` names the policy that read the hand.
    ``in_hand`` is a word of ``IN``, empty if you were not dealt in.
    ``telling`` is the action that gave away most. ``street_reads`` has the street and the bits of
    every read of a known player after 3rd street, ``reads`` the last of each. ``plays`` is what the
    hand adds to the record of each player. ``refused`` is the reason why the hand could not be read
    to its end, ``notes`` the number of findings. ``worth`` is None for a session without the values
    of decisions. ``place`` is the file and the line, as commands take them. ``facets`` are what
    reports of your results sort by.
    """

    number: int
    page: str
    key: str
    title: str
    date: str
    source: str
    lines: str
    game: str
    variant: str
    unit: str
    players: tuple[str, ...]
    reached: str
    pot: float
    pot_words: str
    net: float | None
    net_words: str
    net_bets: float
    in_hand: str
    cards: tuple[str, ...]
    held: str
    telling: Highlight | None
    yours: tuple[Highlight, ...]
    theirs: tuple[Highlight, ...]
    reads: tuple[KnownRead, ...]
    street_reads: tuple[tuple[int, float | None], ...]
    plays: tuple[SeatHand, ...]
    result: str
    notes: int
    refused: str
    worth: HandWorth | None = None
    day: str = ""
    table: str = ""
    tournament: str = ""
    policy: str = ""
    place: str = ""
    facets: Facets = NO_FACETS

    @property
    def has_result(self) -> bool:
        """True if the hand was dealt to you, and it ended."""
        return self.net is not None and self.in_hand != ""

    @property
    def adjusted(self) -> float | None:
        """Your result without the luck of the cards in main units; None without a ledger."""
        return None if self.worth is None else self.worth.adjusted


def index_row(analysis: Analysis) -> IndexRow:
    """Return the row of a hand, without its place in a session and the values of decisions."""
    replay, you = analysis.replay, analysis.you
    history, unit = replay.history, replay.history.unit
    moments, lines = tuple(timeline_moments(analysis)), tuple(result_lines(replay, you))
    big, net = replay.stakes.bets[-1], _net(replay, you)
    cards, held = own_cards(replay, you)
    date, day = _dates(history.played_at)
    money = unit.decimals and not history.tournament
    loud = sorted(_actions(analysis, moments), key=lambda item: -item[1].bits)
    return IndexRow(
        number=0,
        page="",
        key=_key(history),
        title=hand_title(history),
        date=date,
        source="",
        lines=lines_words(history.source.line, history.end_line),
        game=_game_words(history, replay.stakes),
        variant=history.variant,
        unit=visible(unit.symbol) if money else CHIPS,
        players=tuple(seat_label(replay, seat.number, you) for seat in history.seats),
        reached=f"{STREET_NAMES[moments[-1].street]} street" if moments else "",
        pot=replay.pot / 10**unit.decimals,
        pot_words=unit.text(replay.pot),
        net=None if net is None else net / 10**unit.decimals,
        net_words="" if net is None else f"{'+' * (net >= 0)}{unit.text(net)}",
        net_bets=0.0 if net is None or not big else net / big,
        in_hand=_in_hand(analysis, you),
        cards=cards,
        held=held,
        telling=next((found for _, found in loud), None),
        yours=tuple(found for yours, found in loud if yours)[:LOUD],
        theirs=tuple(found for yours, found in loud if not yours)[:LOUD],
        reads=tuple(_known_reads(analysis, moments)),
        street_reads=tuple(_street_reads(analysis, you)),
        plays=tuple(_plays(analysis)),
        result="; ".join(lines[: len(replay.won)] or lines[:1]),
        notes=len(analysis.problems),
        refused="" if analysis.complete else _stop_words(analysis),
        day=day,
        table=visible(history.table),
        tournament=visible(history.tournament),
        policy=analysis.reader.name,
        facets=facets_of(replay, you),
    )


def placed_row(
    row: IndexRow, history: History, number: int, page: str, worth: HandWorth | None = None
) -> IndexRow:
    """Return the row of a hand with its place in a session and the values of decisions.

    Args:
        row: The row.
        history: The hand, in its log.
        number: Its number in the session, from 1.
        page: The name of its page.
        worth: The values of its decisions; None without them.
    """
    source = history.source
    address = f"{source.file}:{source.line}"
    plays = tuple(replace(play, address=address) for play in row.plays)
    shown = visible(source.file)
    return replace(
        row,
        number=number,
        page=page,
        source=shown,
        place=visible(address),
        plays=plays,
        worth=worth,
    )


def _net(replay: Replay, you: int | None) -> int | None:
    """Return your result; None if you are not known or the hand does not end."""
    if you is None or not replay.finished:
        return None
    return replay.won.get(you, 0) - replay.paid.get(you, 0)


def refusal(history: History | None, problem: Problem) -> str:
    """Return the reason why a hand, or text that is not a hand, has no page."""
    who = "" if history is None or not history.hand_id else f"Hand {history.hand_id}: "
    return visible(f"{who}{problem}")


def _dates(text: str) -> tuple[str, str]:
    """Return the date of a log for people, and the day, 2012-03-31.

    Both are empty for 1970, which is made up. There is no day for a date that cannot be read.
    """
    date = read_date(text, date_styles())
    if date is None:
        return visible(text), ""
    return ("", "") if date.local.year == 1970 else (date.words, f"{date.local:%Y-%m-%d}")


def _game_words(history: History, stakes: Stakes) -> str:
    """Return the small and the big bet, after the name of any game but seven-card stud."""
    bets = f"{history.unit.text(stakes.bets[0])}/{history.unit.text(stakes.bets[-1])}"
    same = variant_of(history.variant).key == STUD.key
    return visible(bets if same else f"{history.game_name} {bets}")


def _key(history: History) -> str:
    """Return a name of a hand that stays the same when its log is moved or read anew.

    Ids of simulated hands and of short logs repeat; names and upcards tell these hands apart.
    """
    up = upcards(history)
    shown = [f"{s.number} {s.name} {cards_text(up[s.number])}" for s in history.seats]
    digest = hashlib.sha256("\n".join(shown).encode("utf-8", "backslashreplace")).hexdigest()
    return f"{visible(history.hand_id)}~{digest[:8]}"


def hand_worth(hand: ValuedHand) -> HandWorth:
    """Return what the index says of the values of a hand's decisions."""
    analysis, values = hand.analysis, hand.values
    replay, you = analysis.replay, analysis.you
    moments = [one.decision for one in timeline_moments(analysis)]
    places = {made.n: place for place, made in enumerate(moments) if made is not None}
    found = [one for one in values.decisions if one.decision.n in places]
    mine = [one for one in found if one.decision.seat == you]
    asked = found if you is None else mine
    ledger = None if you is None else values.ledgers.get(you)
    adjusted = None if ledger is None else ledger.adjusted / PARTS
    return HandWorth(
        against=against_words(hand) if found else "",
        yours=len(mine),
        theirs=len(found) - len(mine),
        costly=tuple(
            _costly(analysis, places[one.decision.n], one) for one in found if one.is_costly
        ),
        costs=tuple(map(DecisionCost.of, mine)),
        adjusted=None if adjusted is None else adjusted / 10**replay.history.unit.decimals,
        adjusted_bets=(adjusted or 0.0) / replay.stakes.bets[-1],
        rare=sum(one.verdict == "rare" for one in asked),
        checked=sum(one.rollouts > 0 for one in asked),
        is_estimate=hand.terms.way == LEARNED,
    )


def _costly(analysis: Analysis, moment: int, value: DecisionValue) -> CostlyDecision:
    what, spot = _what(analysis, value.decision)
    cost = DecisionCost.of(value)
    chips = ChipWords(analysis.replay.history.unit, value.big_bet)
    best, taken = chips.signed(value.best.q), chips.signed(value.taken.q)
    return CostlyDecision(
        what=what,
        spot=spot,
        moment=moment,
        yours=value.decision.seat == analysis.you,
        bets=max(0.0, cost.big_bets),
        cost=cost_in_full(value, chips),
        verdict=cost.verdict,
        low=cost.low,
        kind=kind_words(cost.street, cost.action),
        cards=_cards(analysis.replay, value.decision),
        better=f"a {value.best.action} is worth {best}, this {taken}",
    )


def _cards(replay: Replay, made: Decision) -> str:
    """Return the cards of a player at a decision: the known downcards in parentheses, upcards."""
    street = next(one for one in replay.streets if one.number == made.street)
    down = replay.downcards_on(street.number).get(made.seat, ())
    cards = f"({cards_text(down)}) " if down else ""
    cards += cards_text(street.upcards[made.seat])
    return cards if street.shared is None else f"{cards}, {cards_text([street.shared])} shared"


def _in_hand(analysis: Analysis, you: int | None) -> str:
    """Return how far you were in a hand, a word of ``IN``."""
    streets = analysis.replay.streets
    if not streets or you not in streets[0].active:
        return ""
    dealt_in, folded, played = IN
    mine = [decision for decision in streets[0].decisions if decision.seat == you]
    if len(streets) > 1 and you in streets[1].active:
        return played
    if any(decision.action != Action.FOLD for decision in mine):
        return played
    return folded if mine else dealt_in


def _what(analysis: Analysis, made: Decision) -> tuple[str, str]:
    """Return an action with its street, and the spot of an action of yours.

    "You call $1.00 on 7th street", "with ace high, into kings showing". What others held stays
    hidden.
    """
    replay, on = analysis.replay, f"on {STREET_NAMES[made.street]} street"
    yours = made.seat == analysis.you
    words = action_words(made, replay.history.unit, yours)
    if yours:
        return f"You {words} {on}", spot_words(replay, made)
    who = spoken_label(replay, made.seat)
    return f"{who[0].upper()}{who[1:]} {words} {on}", ""


def _actions(analysis: Analysis, moments: Moments) -> Iterator[tuple[bool, Highlight]]:
    """Yield the actions that told something, and whether they are yours.

    A fold does not count: it tells about cards that are out of play.
    """
    places = {one.decision.n: place for place, one in enumerate(moments) if one.decision}
    known = viewpoint_of(analysis.replay, analysis.viewpoint).known
    for reading in analysis.actions:
        made = reading.decision
        # The viewing seat learns nothing from its own actions; the others do.
        bits = reading.table_bits if made.seat in known else reading.information_bits
        if made.action == "fold" or bits <= 0.0:
            continue
        yours = made.seat == analysis.you
        row = action_figures(reading, analysis.replay)
        what, spot = _what(analysis, made)
        often, verdict = ("", row.verdict) if yours else (often_words(row), "")
        cards = _cards(analysis.replay, made)
        yield yours, Highlight(what, places[made.n], bits, often, verdict, spot, cards)


def _later_reads(analysis: Analysis) -> Iterator[tuple[int, int, SeatRead]]:
    """Yield street, seat and read after the betting of every street but the first."""
    for stage in analysis.stages:
        if stage.after_bets and stage.street > analysis.replay.streets[0].number:
            for seat, read in (*stage.seats.items(), *stage.folded.items()):
                yield stage.street, seat, read


def _street_reads(analysis: Analysis, you: int | None) -> Iterator[tuple[int, float | None]]:
    """Yield the street and the bits of all reads of others whose downcards are known."""
    for street, seat, read in _later_reads(analysis):
        if seat != you and read.truth is not None and read.truth.live > 1:
            yield street, finite(read.truth.score_bits)


def _known_reads(analysis: Analysis, moments: Moments) -> Iterator[KnownRead]:
    """Yield the last reads of other players whose downcards are known."""
    last = {seat: (street, read) for street, seat, read in _later_reads(analysis)}
    for seat in sorted(last):
        street, read = last[seat]
        truth, kind = read.truth, read.true_kind
        if seat == analysis.you or truth is None or kind is None or truth.live < 2:
            continue
        families = read.families()
        yield KnownRead(
            who=spoken_label(analysis.replay, seat),
            street=street,
            moment=max(place for place, one in enumerate(moments) if one.street == street),
            bits=finite(truth.score_bits),
            place=ranked_words(truth),
            first=max(families, key=lambda name: families[name].bet_inference) == kind.family,
            first_by_cards=max(families, key=lambda name: families[name].cards_only) == kind.family,
        )


def _plays(analysis: Analysis) -> Iterator[SeatHand]:
    """Yield what a legal hand adds to the record of each player; you are who looks on."""
    if analysis.replay.problem is not None:
        return
    for hand in seat_hands(analysis.replay):
        you = hand.seat == analysis.you
        name = YOU if you else "" if hand.name == YOU else hand.name
        yield replace(hand, name=name, you=you)


def _stop_words(analysis: Analysis) -> str:
    """Return the problem that stopped the analysis: that of the log, or else the last finding."""
    problem = analysis.replay.problem or analysis.problems[-1]
    expected = f" (expected {problem.expected})" if problem.expected else ""
    return visible(f"line {problem.line}: {problem.message}{expected}")
