"""The rows of a session's index: the outcome of each hand, and the information in it."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import handread.report.words as wording
from handread.cards import cards_text
from handread.decisions.decision_values import DecisionValue
from handread.decisions.ledger import PARTS
from handread.decisions.terms import LEARNED, ValuedHand
from handread.formats.dates import read_date
from handread.formats.grammar import date_styles
from handread.game.rules import DEFAULT, STREET_NAMES, Stakes, variant_of
from handread.game.steps import Decision, Replay
from handread.history import Action, History, Problem
from handread.inference.hand_analysis import Analysis
from handread.inference.stages import SeatRead
from handread.inference.timeline import Moment, timeline_moments
from handread.inference.viewpoint import viewpoint_of
from handread.known_cards import upcards
from handread.opponents.records import SeatHand, seat_hands
from handread.report.decision_words import ChipWords, against_words, dear_words, kind_words
from handread.report.facets import NO_FACETS, Facets, facets_of
from handread.report.sentences import often_words
from handread.report.spots import own_cards, spot_words
from handread.study.session_values import YOU, DecisionCost
from handread.tables.figure import finite

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

    ``bits`` is the information about the actor's downcards for the other players. Others' actions
    alone have ``often``, how often players do this. Yours alone have a ``verdict`` ("true" or
    "false" if it moved others towards or away from your downcards) and a ``spot``: your holding
    and the upcards of the opponents.
    """

    what: str
    moment: int
    bits: float
    often: str = ""
    verdict: str = ""
    spot: str = ""
    cards: str = ""

    @property
    def words(self) -> str:
        """The information: "rules out 63% of the holdings; seen 1 time in 12"."""
        share_out = 1.0 - 2.0**-self.bits
        size = "over 99%" if share_out >= 0.995 else wording.share_words(share_out)
        return "; seen ".join(filter(None, (f"rules out {size} of the holdings", self.often)))


@dataclass(frozen=True, slots=True)
class CostlyDecision:
    """A decision that cost more than chance explains: ``bets`` big bets, ``low`` at least.

    ``cost`` is in words, with the better action, ``kind`` the street and the action, ``verdict``
    "rare", "costly" or "mistake"; ``moment``, ``spot`` and ``cards`` are as in ``Highlight``.
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

    @property
    def place(self) -> tuple[bool, float, float]:
        """Its place in a list: by the lower end of the cost, uncertain ones last."""
        return self.verdict == "rare", -self.low, -self.bets


@dataclass(frozen=True, slots=True)
class HandWorth:
    """The values of a hand's decisions in the index.

    ``against`` names the assumed policies; it is empty where no downcards are known. ``yours`` and
    ``theirs`` are numbers of decisions, ``costs`` are yours. ``adjusted`` is your result without
    the luck of the cards in main units, None without a ledger; ``adjusted_bets`` is in big bets. Of
    your decisions (of all, without you) ``checked`` were valued by rollouts; ``rare`` seem costly,
    but there are few real hands like them. ``is_estimate`` is True if nothing was to be checked.
    ``asked`` are the moments at which the best action is certain, perhaps by an unchecked estimate,
    each with its lead over the next in big bets.
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
    asked: tuple[tuple[int, float], ...] = ()

    @property
    def cost(self) -> float:
        """What your decisions cost, in big bets."""
        return sum(cost.big_bets for cost in self.costs)

    @property
    def verdict(self) -> str:
        """The verdict on the dearest costly decision, yours if any is valued; empty for none."""
        costly = [value for value in self.costly if value.yours or not self.yours]
        return min(costly, key=lambda value: value.place).verdict if costly else ""


@dataclass(frozen=True, slots=True)
class KnownRead:
    """The last read of a player with known downcards who stayed beyond the first street.

    ``moment`` is the place of its last moment in the timeline. ``bits`` is log2 of the probability
    of the true downcards over their probability by the upcards alone, None if the read had ruled
    them out. ``first`` is True if the likeliest family was the true one, ``first_by_cards`` if it
    was so by the upcards alone. ``chance`` is the share of the true family, 1 if there is no other.
    """

    who: str
    street: int
    moment: int
    bits: float | None
    place: str
    first: bool
    first_by_cards: bool
    seat: int = 0
    chance: float = 1.0


@dataclass(frozen=True, slots=True)
class IndexRow:
    """A hand in the index of a session.

    ``number`` counts from 1, ``page`` is the name of the hand's file, ``key`` identifies the hand
    wherever its log lies. ``reached`` is the last street. ``date``, ``day`` (2012-03-31) and
    ``table`` are empty if the log has none. ``cards`` are yours, if known: the first downcards, the
    upcards, the last downcard; ``held`` is your holding on your last street. ``net`` is your result
    in main units of ``unit``, in words ``net_words``; None if you are not known or the hand does
    not end. ``tournament`` is empty for a cash game. ``policy`` read the hand. ``in_hand`` is a
    word of ``IN``, empty if you were not dealt in. ``telling`` is the most revealing action.
    ``street_reads`` has the street and the bits of every read of a known player after 3rd street,
    ``reads`` the last of each. ``plays`` are additions to the records of the players. ``refused``
    is the reason why the hand could not be read to its end, ``notes`` the number of findings.
    ``worth`` is None for a session without values. ``place`` is the file and the line, as commands
    take them. Reports of your results sort by ``facets``. ``styles`` are the policy's, each with
    the probability that a stranger follows it. A window's row is ``pending`` until it has values.
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
    styles: tuple[tuple[str, float], ...] = ()
    pending: bool = False

    @property
    def called(self) -> str:
        """The hand's name if a person gave it one; empty for the number of a room."""
        words = self.title.removeprefix("Hand ")
        return words if " " in words or words.isalpha() else ""

    @property
    def has_result(self) -> bool:
        """True if the hand was dealt to you, and it ended."""
        return self.net is not None and self.in_hand != ""

    @property
    def awaits_reads(self) -> bool:
        """True if others showed their cards: once the hand is read, it has reads to compare."""
        return any(play.shown and not play.you for play in self.plays)

    @property
    def adjusted(self) -> float | None:
        """Your result without the luck of the cards in main units; None without a ledger."""
        return None if self.worth is None else self.worth.adjusted


def index_row(analysis: Analysis) -> IndexRow:
    """Return the row of a hand, without its place in a session and the values of decisions."""
    replay, you = analysis.replay, analysis.you
    history, unit = replay.history, replay.history.unit
    moments, lines = tuple(timeline_moments(analysis)), tuple(wording.result_lines(replay, you))
    big, net = replay.stakes.bets[-1], _net(replay, you)
    cards, held = own_cards(replay, you)
    date, day = dates(history.played_at)
    loud = sorted(_actions(analysis, moments), key=lambda item: -item[1].bits)
    return IndexRow(
        number=0,
        page="",
        key=_key(history),
        title=wording.hand_title(history),
        date=date,
        source="",
        lines=wording.lines_words(history.source.line, history.end_line),
        game=_game_words(history, replay.stakes),
        variant=history.variant,
        unit=wording.visible(unit.symbol) if unit.decimals and not history.tournament else CHIPS,
        players=tuple(wording.seat_label(replay, seat.number, you) for seat in history.seats),
        reached=f"{STREET_NAMES[moments[-1].street]} street" if moments else "",
        pot=replay.pot / 10**unit.decimals,
        pot_words=unit.text(replay.pot),
        net=None if net is None else net / 10**unit.decimals,
        net_words="" if net is None else f"{'+' * (net >= 0)}{unit.text(net)}",
        net_bets=0.0 if net is None or not big else net / big,
        in_hand=_in_hand(analysis, you),
        cards=cards,
        held=held,
        telling=next((action for _, action in loud), None),
        yours=tuple(action for yours, action in loud if yours)[:LOUD],
        theirs=tuple(action for yours, action in loud if not yours)[:LOUD],
        reads=tuple(_known_reads(analysis, moments)),
        street_reads=tuple(_street_reads(analysis)),
        plays=tuple(_plays(analysis)),
        result="; ".join(lines[: len(replay.won)] or lines[:1]),
        notes=len(analysis.problems),
        refused="" if analysis.complete else _stop_words(analysis),
        day=day,
        table=wording.visible(history.table),
        tournament=wording.visible(history.tournament),
        policy=analysis.reader.name,
        facets=facets_of(replay, you),
        styles=analysis.styles,
    )


def placed_row(
    row: IndexRow, history: History, number: int, page: str, worth: HandWorth | None = None
) -> IndexRow:
    """Return a hand's row with its values, its number from 1, and the file name of its page."""
    source, address = history.source.file, f"{history.source.file}:{history.source.line}"
    plays = tuple(replace(play, address=address) for play in row.plays)
    placed = replace(row, number=number, page=page, plays=plays, worth=worth)
    return replace(placed, source=wording.visible(source), place=wording.visible(address))


def _net(replay: Replay, you: int | None) -> int | None:
    if you is None or not replay.finished:
        return None
    return replay.net(you)


def refusal(history: History | None, problem: Problem) -> str:
    """Return the reason why a hand, or text that is not a hand, has no page."""
    who = "" if history is None or not history.hand_id else f"Hand {history.hand_id}: "
    if history is None and not problem.dialect:  # of no format: the file as a whole is at fault
        return wording.visible(f"{problem.file}: {problem.message}")
    return wording.visible(f"{who}{problem}")


def dates(text: str) -> tuple[str, str]:
    """Return a date for people, and as 2012-03-31 if readable; both empty for a made-up 1970."""
    date = read_date(text, date_styles())
    if date is None:
        return wording.visible(text), ""
    return ("", "") if date.local.year == 1970 else (date.words, f"{date.local:%Y-%m-%d}")


def _game_words(history: History, stakes: Stakes) -> str:
    """Return the small and the big bet, after the name of any game but seven-card stud."""
    bets = f"{history.unit.text(stakes.bets[0])}/{history.unit.text(stakes.bets[-1])}"
    same = variant_of(history.variant).key == DEFAULT.key
    return wording.visible(bets if same else f"{history.game_name} {bets}")


def _key(history: History) -> str:
    """Return a name of a hand that stays the same when its log is moved or read anew."""
    # Ids of simulated hands and of short logs repeat; names and upcards tell these hands apart.
    up = upcards(history)
    shown = [f"{s.number} {s.name} {cards_text(up[s.number])}" for s in history.seats]
    digest = hashlib.sha256("\n".join(shown).encode("utf-8", "backslashreplace")).hexdigest()
    return f"{wording.visible(history.hand_id)}~{digest[:8]}"


def hand_worth(hand: ValuedHand) -> HandWorth:
    """Return the values of a hand's decisions for the index."""
    analysis, values = hand.analysis, hand.values
    replay, you = analysis.replay, analysis.you
    moments = [value.decision for value in timeline_moments(analysis)]
    places = {made.n: place for place, made in enumerate(moments) if made is not None}
    shown = [value for value in values.decisions if value.decision.n in places]
    mine = [value for value in shown if value.decision.seat == you]
    asked = shown if you is None else mine
    ledger = None if you is None else values.ledgers.get(you)
    adjusted = None if ledger is None else ledger.adjusted / PARTS
    return HandWorth(
        against=against_words(hand) if shown else "",
        yours=len(mine),
        theirs=len(shown) - len(mine),
        costly=tuple(
            _costly(analysis, places[value.decision.n], value) for value in shown if value.is_sure
        ),
        costs=tuple(map(DecisionCost.of, mine)),
        adjusted=None if adjusted is None else adjusted / 10**replay.history.unit.decimals,
        adjusted_bets=(adjusted or 0.0) / replay.stakes.bets[-1],
        rare=sum(value.verdict == "rare" for value in asked),
        checked=sum(value.rollouts > 0 for value in asked),
        is_estimate=hand.terms.way == LEARNED,
        asked=tuple(
            (places[value.decision.n], value.lead / value.big_bet) for value in asked if value.lead
        ),
    )


def _costly(analysis: Analysis, moment: int, value: DecisionValue) -> CostlyDecision:
    what, spot = _what(analysis, value.decision)
    cost = DecisionCost.of(value)
    chips = ChipWords(analysis.replay.history.unit, value.big_bet)
    return CostlyDecision(
        what=what,
        spot=spot,
        moment=moment,
        yours=value.decision.seat == analysis.you,
        bets=max(0.0, cost.big_bets),
        cost=dear_words(value, chips),
        verdict=cost.verdict,
        low=cost.low,
        kind=kind_words(cost.street, cost.action),
        cards=_cards(analysis.replay, value.decision),
    )


def _cards(replay: Replay, made: Decision) -> str:
    """Return a player's cards at a decision: the known downcards in parentheses, the upcards."""
    street = next(each for each in replay.streets if each.number == made.street)
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
    """Return "You call $1.00 on 7th street" and your spot; the holdings of others stay hidden."""
    replay, on = analysis.replay, f"on {STREET_NAMES[made.street]} street"
    yours = made.seat == analysis.you
    words = wording.action_words(made, replay.history.unit, yours)
    if yours:
        return f"You {words} {on}", spot_words(replay, made)
    who = wording.spoken_label(replay, made.seat)
    return f"{who[0].upper()}{who[1:]} {words} {on}", ""


def _actions(analysis: Analysis, moments: Moments) -> Iterator[tuple[bool, Highlight]]:
    """Yield informative actions, and whether they are yours; folds concern cards out of play."""
    places = {each.decision.n: place for place, each in enumerate(moments) if each.decision}
    known = viewpoint_of(analysis.replay, analysis.viewpoint).known
    for reading in analysis.actions:
        made = reading.decision
        # The viewing seat learns nothing from its own actions; the others do.
        bits = reading.table_bits if made.seat in known else reading.information_bits
        if made.action == "fold" or bits <= 0.0:
            continue
        yours = made.seat == analysis.you
        row = wording.action_figures(reading, analysis.replay)
        what, spot = _what(analysis, made)
        often, verdict = ("", row.verdict) if yours else (often_words(row), "")
        cards = _cards(analysis.replay, made)
        yield yours, Highlight(what, places[made.n], bits, often, verdict, spot=spot, cards=cards)


def _later_reads(analysis: Analysis) -> Iterator[tuple[int, int, SeatRead]]:
    """Yield street, seat and read after the betting of every street but the first."""
    for stage in analysis.stages:
        if stage.after_bets and stage.street > analysis.replay.streets[0].number:
            for seat, read in (*stage.seats.items(), *stage.folded.items()):
                yield stage.street, seat, read


def _street_reads(analysis: Analysis) -> Iterator[tuple[int, float | None]]:
    for street, seat, read in _later_reads(analysis):
        if seat != analysis.you and read.truth is not None and read.truth.live > 1:
            yield street, finite(read.truth.score_bits)


def _known_reads(analysis: Analysis, moments: Moments) -> Iterator[KnownRead]:
    last = {seat: (street, read) for street, seat, read in _later_reads(analysis)}
    for seat in sorted(last):
        street, read = last[seat]
        truth, kind = read.truth, read.true_kind
        if seat == analysis.you or truth is None or kind is None or truth.live < 2:
            continue
        families = read.families()
        given = families.get(kind.family)
        yield KnownRead(
            who=wording.spoken_label(analysis.replay, seat),
            street=street,
            moment=max(place for place, each in enumerate(moments) if each.street == street),
            bits=finite(truth.score_bits),
            place=wording.ranked_words(truth),
            first=max(families, key=lambda name: families[name].bet_inference) == kind.family,
            first_by_cards=max(families, key=lambda name: families[name].cards_only) == kind.family,
            seat=seat,
            chance=1.0 if len(families) < 2 else given.bet_inference if given else 0.0,
        )


def _plays(analysis: Analysis) -> Iterator[SeatHand]:
    """Yield the additions of a legal hand to each player's record; you are the viewer."""
    if analysis.replay.problem is not None:
        return
    for hand in seat_hands(analysis.replay):
        you = hand.seat == analysis.you
        name = YOU if you else "" if hand.name == YOU else hand.name
        factors = analysis.style_factors(hand.seat)
        yield replace(hand, name=name, you=you, factors=factors)


def _stop_words(analysis: Analysis) -> str:
    """Return the problem that stopped the analysis: in the log, or else the last finding."""
    problem = analysis.replay.problem or analysis.problems[-1]
    expected = f" (expected {problem.expected})" if problem.expected else ""
    return wording.visible(f"line {problem.line}: {problem.message}{expected}")
