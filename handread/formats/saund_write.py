"""From a history to its text in Saund's notation."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest

import handread.formats.saund_lines as saund_lines
import handread.game.rules as rules
import handread.history as hh
from handread.cards import MaybeCard, cards_text
from handread.formats.format import legal_replay
from handread.game.replay import replay, written_out
from handread.game.steps import Replay, Step
from handread.game.wagers import check_plain
from handread.history import History, renumbered
from handread.known_cards import known_downcards, loose_cards

_LETTER_OF_ACTION = {action: letter for letter, action in saund_lines.ACTIONS.items()}


def write_hand(hand: History | Replay) -> str:
    """Return a hand in Saund's notation; raise ``ValueError`` if the notation cannot hold it.

    A history is written as it is, a replay without the amounts that follow from the rules.
    """
    if isinstance(hand, History):
        check_plain(hand.events)
        history = replace(hand, unpaid=hand.unpaid and replay(hand).played_out)
    else:
        played = legal_replay(hand)
        # A bare letter is the least legal bet or raise, a double letter on 4th street the largest.
        history, bare = written_out(played), [_bare(step) for step in played.steps]
        history = replace(history, events=(*bare, *history.events[len(bare) :]))
    if history.variant not in rules.GAMES:
        raise ValueError(f"Saund's notation holds games of stud, not {history.variant!r}")
    seats = _seats_in_play(history)
    _refuse_lost_amounts(history)
    # Seats in play come first and keep their order, so that the turn goes round as before.
    others = sorted({seat.number for seat in history.seats}.difference(seats))
    rooms = [*seats, *others] if max(seats) > rules.MAX_PLAYERS else []
    if rooms:
        history = renumbered(history, {room: n for n, room in enumerate(rooms, start=1)})
        seats = list(range(1, len(seats) + 1))
    lines = [*_headers(history, seats), *_seat_lines(history, seats), *_footers(history)]
    if rooms:
        lines.insert(0, f"{saund_lines.ROOM_SEATS}: {' '.join(map(str, rooms))}")
    return "\n".join(lines) + "\n"


def _bare(step: Step) -> hh.Event:
    """Return the event of a step, a bet or raise without an amount that follows from the rules."""
    event, before = step.event, step.before
    if not isinstance(event, hh.Wager) or event.action not in (hh.Action.BET, hh.Action.RAISE):
        return event
    assert step.decision is not None
    least, *more = before.options(event.seat).raises
    plain = replace(event, adds=None, to=None, double=False)
    if step.decision.to == least:
        return plain
    filling_up = before.full_to > before.bet_to
    if (
        before.street == before.game.open_pair_street
        and not filling_up
        and more
        and step.decision.to == more[-1]
    ):
        return replace(plain, double=True)
    return event


def _seats_in_play(history: History) -> list[int]:
    in_play = hh.Ante | hh.Deal | hh.Wager | hh.Collect
    seats = {event.seat for event in history.events if isinstance(event, in_play)}
    if not seats:
        raise ValueError("a hand in which nobody is dealt in: in Saund's notation all post antes")
    if len(seats) > rules.MAX_PLAYERS:
        most = f"Saund's notation has {rules.MAX_PLAYERS} seats"
        raise ValueError(f"{most}; {len(seats)} are in play here")
    if min(seats) < 1:
        raise ValueError(f"Saund's notation has seats from 1 on, not {min(seats)}")
    return sorted(seats)


def _refuse_lost_amounts(history: History) -> None:
    """Raise ``ValueError`` if amounts do not follow from stakes and stacks."""
    stacks = {seat.number: seat.stack for seat in history.seats}
    for event in history.events:
        if not isinstance(event, hh.Ante | hh.Wager):
            continue
        if event.all_in and stacks.get(event.seat) is None:
            raise ValueError(f"seat {event.seat} goes all-in with a stack that is not known")
        owed = event.amount if isinstance(event, hh.Ante) else _owed(event)
        if history.stakes is None and owed:
            raise ValueError("a hand with amounts and without stakes; is it written out?")


def _owed(event: hh.Wager) -> int | None:
    owed = event.action in (hh.Action.BRING_IN, hh.Action.CALL)
    return (event.to or event.adds) if owed else None


def _amount(amount: int, unit: rules.Unit, *, full: bool = False) -> str:
    """Return an amount without separators; whole ones have a point only if ``full``."""
    decimals = unit.decimals
    if decimals == 1:
        amount, decimals = amount * 10, 2
    whole, part = divmod(amount, 10**decimals)
    if decimals == 0 or (part == 0 and not full):
        return str(whole)
    return f"{whole or ''}.{part:0{decimals}d}"


def _money(amount: int, history: History) -> str:
    # Without stakes no ante shows how fine the unit is, so that every amount must.
    return _amount(amount, history.unit, full=history.stakes is None)


def _headers(history: History, seats: Sequence[int]) -> Iterator[str]:
    texts = {"hand": history.hand_id, "table": history.table, "played": history.played_at}
    yield from (f"{key}: {saund_lines.quoted(text)}" for key, text in texts.items() if text)
    game = "" if history.variant == rules.DEFAULT.key else f"{history.variant} "
    if game or (history.stakes, history.unit) != (rules.SAUND_STAKES, rules.SAUND_UNIT):
        yield f"game: {game}" + "  ".join(_game_settings(history.stakes, history.unit))
    table = sorted(history.seats, key=lambda seat: seat.number)
    absent = [f"{s.number} {saund_lines.quoted(s.name)}" for s in table if s.number not in seats]
    yield from _line("absent", absent)
    yield from _line("sitting-out", [str(seat.number) for seat in table if seat.sitting_out])
    known = [f"{s.number} {_money(s.stack, history)}" for s in table if s.stack is not None]
    yield from _line("stacks", known)
    yield from _line("hero", [] if history.hero is None else [str(history.hero)])


def _line(key: str, values: Sequence[str]) -> Iterator[str]:
    if values:
        yield f"{key}: {'  '.join(values)}"


def _game_settings(stakes: rules.Stakes | None, unit: rules.Unit) -> Iterator[str]:
    if stakes is None:
        yield saund_lines.UNKNOWN_STAKES
    else:
        # The ante is written to the last digit: a reader infers the unit from it.
        yield f"ante {_amount(stakes.ante, unit, full=True)}"
        yield f"bring-in {_amount(stakes.bring_in, unit)}"
        yield "bets " + " ".join(_amount(bet, unit) for bet in stakes.bets)
        yield f"raises {stakes.cap}"
        if stakes.cap_heads_up != stakes.cap:
            heads_up = saund_lines.NO_CAP if stakes.cap_heads_up is None else stakes.cap_heads_up
            yield f"heads-up {heads_up}"
        if stakes.open_pair_doubles:
            yield "open-pair"
    if unit.symbol:
        yield f"currency {saund_lines.quoted(unit.symbol)}"
    if stakes is not None and stakes.inferred:
        yield "inferred"


def _footers(history: History) -> Iterator[str]:
    known = known_downcards(history)
    shared, loose, won, rake = [list[str]() for _ in range(4)]
    for event in history.events:
        match event:
            case hh.SharedCard(card=card):
                shared.append(cards_text([card]))
            case hh.Show() | hh.Muck() if event.any_order and event.seat not in known:
                loose.append(f"{event.seat} {cards_text(loose_cards(event))}")
            case hh.Collect(seat=seat, amount=amount):
                won.append(f"{seat} {_money(amount, history)}")
            case hh.Rake(amount=amount):
                rake.append(_money(amount, history))
    yield from (f"shared: {card}" for card in shared)
    yield from _line("any-order", loose)
    yield from _line("won", won or ([saund_lines.UNPAID] if history.unpaid else []))
    yield from (f"rake: {amount}" for amount in rake)


@dataclass(slots=True)
class _Round:
    """Record of one street: the cards of each seat, and the actions in order."""

    down: dict[int, tuple[MaybeCard, ...]] = field(default_factory=dict)
    up: dict[int, tuple[MaybeCard, ...]] = field(default_factory=dict)
    shared: bool = False
    actions: list[hh.Wager] = field(default_factory=list)

    def seats(self) -> set[int]:
        return self.down.keys() | self.up.keys() | {action.seat for action in self.actions}

    def letters(self, money: Callable[[int], str]) -> dict[int, str]:
        """Return the letters of each seat that acts, after ``.`` for the first to act."""
        letters: dict[int, str] = {}
        for action in self.actions:
            mark = ""
            if action.action in (hh.Action.BET, hh.Action.RAISE):
                total = action.adds if action.action is hh.Action.BET else action.to
                double = saund_lines.DOUBLE_MARK if action.double else ""
                mark = double if total is None else f"({money(total)})"
            start = letters.get(action.seat, "" if letters else saund_lines.LEAD_MARK)
            letters[action.seat] = start + _LETTER_OF_ACTION[action.action] + mark
        return letters

    def goes_round_the_table(self) -> bool:
        order = [action.seat for action in self.actions]
        lead = order[0] if order else 0
        clockwise = sorted(set(order), key=lambda seat: (seat < lead, seat))
        turns = zip_longest(*([seat] * order.count(seat) for seat in clockwise))
        return order == [seat for turn in turns for seat in turn if seat is not None]


def _rounds(history: History) -> dict[int, _Round]:
    rounds: dict[int, _Round] = {}
    paid = any(isinstance(event, hh.Collect) for event in history.events)
    game = rules.variant_of(history.variant)
    street = game.first
    for event in history.events:
        if isinstance(event, hh.StreetStart):
            street = event.street
            if paid:
                rounds.setdefault(street, _Round())
        elif isinstance(event, hh.Deal):
            play = rounds.setdefault(street, _Round())
            play.down[event.seat] = play.down.get(event.seat, ()) + event.down
            play.up[event.seat] = play.up.get(event.seat, ()) + event.up
        elif isinstance(event, hh.SharedCard):
            rounds.setdefault(game.last, _Round()).shared = True
        elif isinstance(event, hh.Wager):
            rounds.setdefault(street, _Round()).actions.append(event)
    numbers = range(game.first, max(rounds, default=0) + 1)
    return {street: rounds.get(street, _Round()) for street in numbers}


def _seat_lines(history: History, seats: Sequence[int]) -> list[str]:
    names = {seat.number: seat.name for seat in history.seats}
    rows = {
        seat: [f"{seat} {saund_lines.quoted(names[seat])}" if names.get(seat) else str(seat)]
        for seat in seats
    }
    rounds = _rounds(history)
    paid = any(isinstance(event, hh.Collect) for event in history.events)
    active, game = list(seats), rules.variant_of(history.variant)
    for street, play in rounds.items():
        _refuse_disorder(street, play, active)
        letters = play.letters(lambda amount: _money(amount, history))
        goes_on = bool(play.actions) or paid or street < max(rounds)
        for seat in active:
            if goes_on or seat in play.seats():
                downcards = _holding(history, rounds, seat)
                acts = letters.get(seat, "")
                rows[seat] += _cells(game, street, play, seat, downcards=downcards, letters=acts)
        folded = {action.seat for action in play.actions if action.action is hh.Action.FOLD}
        active = [seat for seat in active if seat not in folded]
    columns = zip_longest(*rows.values(), fillvalue="")
    widths = [max(map(len, column)) for column in columns]
    aligned = (map(str.ljust, row, widths) for row in rows.values())
    return [" | ".join(row).rstrip() for row in aligned]


def _refuse_disorder(street: int, play: _Round, active: Sequence[int]) -> None:
    late, name = play.seats().difference(active), rules.STREET_NAMES[street]
    if late:
        raise ValueError(f"seat {min(late)} is out of the hand before {name} street")
    if not play.goes_round_the_table():
        raise ValueError(f"the actions of {name} street do not go round the table in turn")
    if play.shared and any(play.down.values()):
        raise ValueError("a shared 7th card, and cards dealt to seats all the same")


def _cells(
    game: rules.Variant,
    street: int,
    play: _Round,
    seat: int,
    downcards: Sequence[MaybeCard],
    letters: str,
) -> list[str]:
    """Return the cells of a seat on a street, two on the first; ``??`` for an unseen card."""
    if play.shared:
        return [letters] if letters else []
    up = play.up.get(seat, ())
    dealt = game.streets[street - game.first]
    if len(up) > dealt.up:
        raise ValueError(f"seat {seat} has too many upcards on {rules.STREET_NAMES[street]} street")
    n_first = game.streets[0].down
    card = cards_text(up or (None,) if dealt.up else downcards[n_first:])
    cell = f"{card} {letters}" if letters else card
    return [cards_text(downcards[:n_first]), cell] if street == game.first else [cell]


def _holding(history: History, rounds: Mapping[int, _Round], seat: int) -> list[MaybeCard]:
    """Return the downcards of a seat; cards shown at the end replace unseen ones."""
    game = rules.variant_of(history.variant)
    dealt: list[MaybeCard] = []
    for street in game.streets:
        down = rounds[street.number].down.get(seat, ()) if street.number in rounds else ()
        if len(down or (None,) * street.down) != street.down:
            dealt_now = f"{len(down)} downcards on {street.name} street"
            raise ValueError(f"seat {seat} is dealt {dealt_now}, not {street.down}")
        dealt += down or (None,) * street.down
    known, n_first = known_downcards(history).get(seat, ()), game.streets[0].down
    if not set(known).issubset(dealt):
        return [*known, *dealt[n_first:]][: len(dealt)]
    return dealt
