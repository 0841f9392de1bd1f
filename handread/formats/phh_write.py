"""From the replay of a hand to its text in PHH."""

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import handread.history as hh
from handread.cards import Card, MaybeCard, cards_text
from handread.formats.format import legal_replay
from handread.formats.phh_read import plain_stakes
from handread.game.replay import written_out
from handread.game.rules import Stakes, Unit, variant_of
from handread.game.steps import Replay, Step
from handread.history import History, Seat
from handread.known_cards import known_downcards, loose_cards, upcards

_WORDS = {hh.Action.BRING_IN: "pb", hh.Action.FOLD: "f", hh.Action.CHECK: "cc"}


def money(amount: int, unit: Unit) -> str:
    """Return an amount with every digit of its unit, so that a reader can infer the unit."""
    whole, part = divmod(amount, 10**unit.decimals)
    return f"{whole}.{part:0{unit.decimals}d}" if unit.decimals else str(whole)


def number(value: float | None) -> str:
    """Return a number that reads back as the same float; empty for None or if not finite."""
    if value is None or not math.isfinite(value):
        return ""
    return repr(float(value) + 0.0)  # no minus before a zero


def quoted(text: str) -> str:
    """Return a text in quotes, on one line."""
    # JSON's escapes are TOML's too; TOML asks for one more.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def quoted_unless_empty(text: str) -> str:
    """Return a text in quotes; empty for an empty one."""
    return quoted(text) if text else ""


def array(values: Iterable[str]) -> str:
    """Return an array on one line; empty without values."""
    inside = ", ".join(values)
    return f"[{inside}]" if inside else ""


def rows(values: Iterable[str]) -> str:
    """Return an array with one value a line; empty without values."""
    inside = "".join(f"    {value},\n" for value in values)
    return f"[\n{inside}]" if inside else ""


def table(fields: Mapping[str, str]) -> str:
    """Return a table of the nonempty fields on one line; empty without any."""
    inside = ", ".join(f"{key} = {value}" for key, value in fields.items() if value)
    return f"{{ {inside} }}" if inside else ""


@dataclass(frozen=True, slots=True)
class Notes:
    """Comments and fields that are written into a hand; readers ignore them.

    ``comments`` follow the actions of events, by index in the events of ``written_out``, and are
    left out for events without an action. ``fields`` come last, each a key and its value as TOML;
    PHH leaves keys that begin with an underscore to programs.
    """

    comments: Mapping[int, str] = field(default_factory=dict)
    fields: Sequence[tuple[str, str]] = ()


def write_hand(hand: History | Replay, notes: Notes | None = None) -> str:
    """Return a hand as the text of a .phh file; raise ``ValueError`` if PHH cannot hold it."""
    return Layout(hand).text(notes)


def _playable(hand: History | Replay) -> Replay:
    """Return the replay; raise ``ValueError`` if PHH lacks the game or nobody is dealt in."""
    game = variant_of((hand if isinstance(hand, History) else hand.history).variant)
    if not game.phh:
        raise ValueError(f"PHH has no code for {game.title}")
    played = legal_replay(hand)
    if not played.paid:
        raise ValueError("a hand in which nobody is dealt in cannot be written as PHH")
    return played


def _fields(played: Replay, script: "Layout", actions: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the fields as TOML; empty ones are not to be written."""
    history, stakes = played.history, played.stakes
    unit = history.unit
    numbers = sorted(played.paid)
    seats = [history.seat(seat) for seat in numbers]
    counted = _counted_stacks(played)
    stacks = {seat.number: counted.get(seat.number, seat.stack) for seat in seats}
    posted = [event.seat for event in played.moves if isinstance(event, hh.Ante) and event.amount]
    antes = [stakes.ante if seat in posted else 0 for seat in numbers]
    yield "variant", quoted(variant_of(history.variant).phh)
    yield "antes", array(money(ante, unit) for ante in antes)
    # Else programs that play the hand match a partial ante.
    paid = [move.amount or 0 for move in played.moves if isinstance(move, hh.Ante)]
    part = any(0 < amount < stakes.ante for amount in paid)
    yield "ante_trimming_status", "true" if part else ""
    yield "bring_in", money(stakes.bring_in, unit)
    yield "small_bet", money(stakes.small, unit)
    yield "big_bet", money(stakes.big, unit)
    begin = ["inf" if stack is None else money(stack, unit) for stack in stacks.values()]
    yield "starting_stacks", array(begin)
    yield "actions", rows(map(quoted, actions))
    yield "hand", quoted_unless_empty(history.hand_id)
    yield "table", quoted_unless_empty(history.table)
    yield "seats", array(map(str, numbers))
    names = [seat.name for seat in seats]
    yield "players", array(quoted(name) for name in names) if any(names) else ""
    yield "finishing_stacks", array(money(stack, unit) for stack in _finishing(played, stacks))
    yield "currency_symbol", quoted_unless_empty(unit.symbol)
    told = max(antes), stakes.bring_in, stakes.small, stakes.big
    plain = plain_stakes(variant_of(history.variant), *told)
    yield "_handread_stakes", "" if stakes == plain else _stakes_table(stakes, unit)
    yield "_handread_antes_from", array(map(str, posted if posted != sorted(posted) else []))
    yield "_handread_implied", array(map(str, script.implied))
    yield "_handread_double", array(map(str, script.doubled))
    yield "_handread_unknown_stacks", array(map(str, counted))
    yield "_handread_sitting_out", array(str(s.number) for s in seats if s.sitting_out)
    absent = [seat for seat in history.seats if seat.number not in stacks]
    yield "_handread_absent", array(_seat_table(seat, unit) for seat in absent)
    yield "_handread_hero", "" if history.hero is None else str(history.hero)
    yield "_handread_played_at", quoted_unless_empty(history.played_at)
    yield "_handread_ending", rows(map(quoted, script.ending))


def _counted_stacks(played: Replay) -> dict[int, int]:
    """Return the chips of seats of unknown stack that went all-in."""
    back, amount = played.returned or (0, 0)
    chips = hh.Ante | hh.Wager
    broke = {event.seat for event in played.moves if isinstance(event, chips) and event.all_in}
    counted = (s.number for s in played.history.seats if s.stack is None and s.number in broke)
    return {seat: played.paid[seat] + (amount if seat == back else 0) for seat in counted}


def _finishing(played: Replay, stacks: Mapping[int, int | None]) -> list[int]:
    if not (played.finished and (played.won or played.returned)) or None in stacks.values():
        return []
    counted = ((seat, stack) for seat, stack in stacks.items() if stack is not None)
    return [stack - played.paid[seat] + played.won.get(seat, 0) for seat, stack in counted]


class Layout:
    """Layout of a hand in PHH: its actions, the actions of its ending, the places of its events.

    Programs that play a PHH hand pay the best of the hands that are shown whole. So every player
    left at the end shows or mucks: a winner shows all cards, whatever the log says of the showdown,
    and so does a loser who did not muck. If the cards of a winner are not known, all muck, and such
    programs pay nobody; the ending then has the log's account of the showdown. If nobody can bet
    any more, hands are shown before the next cards, too.

    ``implied`` are numbers of the actions, from 1, that the log does not have, ``doubled`` of
    double bets. ``places`` are the numbers of the actions of events, by index in the events of
    ``history``, the hand written out; PHH implies the other events, or has no action for them.
    """

    def __init__(self, hand: History | Replay) -> None:
        played = self._played = _playable(hand)
        history = self.history = written_out(played)
        self.unit = history.unit
        self.players = tuple(sorted(played.paid))
        self.player = {seat: f"p{n}" for n, seat in enumerate(self.players, start=1)}
        self.table = played.steps[0].before
        events = history.events
        last = played.steps[-1].after
        self.showdown = len(last.active) > 1
        self.winners = set(played.won)
        self.mucked = {event.seat for event in events if isinstance(event, hh.Muck)} - self.winners
        self.whole = _whole_hands(history)
        self.payable = self.winners <= self.whole.keys()
        play = hh.Deal | hh.SharedCard | hh.Wager
        self.last_play = max((n for n, e in enumerate(events) if isinstance(e, play)), default=0)
        early = [e for e in events[: self.last_play] if isinstance(e, hh.Show | hh.Muck)]
        self.shows_early = self.showdown and bool(self.winners) and not early
        self.open: set[int] = set()  # seats that have shown all cards that they hold
        self.done: set[int] = set()
        self.actions: list[str] = []
        self.ending: list[str] = []
        folds = (e for e in events if isinstance(e, hh.Wager) and e.action is hh.Action.FOLD)
        self.folders = {fold.seat for fold in folds}
        self.implied: list[int] = []
        self.doubled: list[int] = []
        self.places: dict[int, int] = {}
        steps = [*played.steps, *(Step(event, last, last) for event in events[len(played.steps) :])]
        for index, step in enumerate(steps):
            self.table = step.before
            self._add(index, step)
        self.ending += ["unpaid"] if played.played_out and not played.finished else []

    def text(self, notes: Notes | None = None) -> str:
        """Return the text of the hand with notes."""
        notes = notes or Notes()
        actions = list(self.actions)
        for index, place in self.places.items():
            if comment := notes.comments.get(index):
                actions[place - 1] += f" # {comment}"
        fields = (*_fields(self._played, self, actions), *notes.fields)
        return "".join(f"{key} = {value}\n" for key, value in fields if value)

    def _add(self, index: int, step: Step) -> None:
        action = None if self.ending else self._action(step, index < self.last_play)
        if action is None:
            if not self.ending:
                self._show_down()
            self.ending += self._ending(step.event)
        elif action:
            self.actions.append(action)
            self.places[index] = len(self.actions)

    def _show_down(self) -> None:
        """Let every player left who has not shown all cards show or muck."""
        if not (self.showdown and self.winners):
            return
        for seat in self.table.active:
            if seat in self.done:
                continue
            shows = self.payable and seat in self.whole and seat not in self.mucked
            self._imply(seat, _cards(self.whole[seat]) if shows else "")

    def _imply(self, seat: int, cards: str) -> None:
        self.actions.append(f"{self.player[seat]} sm {cards}".rstrip())
        self.open.add(seat)
        self.implied.append(len(self.actions))

    def _next_street(self) -> None:
        hands = {p.seat: (*p.down, *p.up) for p in self.table.players if p.active}
        known = any(hands.values()) and not any(None in hand for hand in hands.values())
        if self.shows_early and known and len(self.table.bettors) < 2 and not self.implied:
            for seat, hand in hands.items():
                self._imply(seat, _cards(hand))

    def _action(self, step: Step, early: bool) -> str | None:
        """Return a step as an action: empty if PHH implies it, ``None`` if it has none.

        ``early`` is True if cards or bets come after it.
        """
        event = step.event
        match event:
            case hh.StreetStart():
                self._next_street()
                return ""
            case hh.Deal(seat=seat, down=down, up=up):
                return f"d dh {self.player[seat]} {_cards((*down, *up))}" if down or up else ""
            case hh.SharedCard(card=card):
                self.done |= self.open  # they get no card that they could still show
                return f"d db {_cards([card])}"
            case hh.Show(seat=seat) if early and seat in self.folders:
                raise ValueError(f"seat {seat} shows cards and folds, which PHH cannot hold")
            case hh.Show(seat=seat, cards=cards) if early and cards and seat in self.table.active:
                player = self.table.player(seat)
                if None not in cards and len(cards) == len(player.down) + len(player.up):
                    self.open.add(seat)
                return f"{self.player[seat]} sm {_cards(_out_of_place(event))}"
            case hh.Show(seat=seat, cards=cards) if cards and self._pays(seat, cards):
                self.done.add(seat)
                return f"{self.player[seat]} sm {_cards(_out_of_place(event))}"
            case hh.Muck(seat=seat, cards=()) if self._pays(seat, ()):
                self.done.add(seat)
                return f"{self.player[seat]} sm"
            case hh.Ante():
                return ""
            case hh.Wager(seat=seat):
                return f"{self.player[seat]} {self._words(event, step)}"
        return None

    def _words(self, event: hh.Wager, step: Step) -> str:
        """Return the words of an action, in PHH a total of the street if there is a choice."""
        if event.action in _WORDS:
            return _WORDS[event.action]
        decision = step.decision
        assert decision is not None
        if event.action is hh.Action.CALL:
            if decision.amount > decision.to_call:
                player, called = step.before.player(decision.seat), decision.amount
                why = "which would be read as a call of what was posted"
                raise ValueError(f"{player} calls {step.before.money(called)}, {why}")
            return "cc"
        if event.double:
            self.doubled.append(len(self.actions) + 1)
        return f"cbr {money(decision.to, self.unit)}"

    def _pays(self, seat: int, cards: Sequence[MaybeCard]) -> bool:
        """Return True if a show, or a muck without cards, lets other programs pay as the log."""
        if not self.showdown or seat not in self.table.active or seat in self.done:
            return False
        if not cards:
            return not (self.payable and seat in self.winners)
        return self.payable and set(cards) == set(self.whole.get(seat, ()))

    def _ending(self, event: hh.Event) -> list[str]:
        match event:
            case hh.TotalPot(amount=amount):
                return [f"pot {money(amount, self.unit)}"]
            case hh.Rake(amount=amount):
                return [f"rake {money(amount, self.unit)}"]
            case hh.Uncalled(seat=seat, amount=amount):
                return [f"{self.player[seat]} uncalled {money(amount, self.unit)}"]
            case hh.Collect(seat=seat, amount=amount):
                return [f"{self.player[seat]} collect {money(amount, self.unit)}"]
            case hh.Show(seat=seat):
                return [f"{self.player[seat]} show {_cards(_out_of_place(event))}"]
            case hh.Muck(seat=seat):
                return [f"{self.player[seat]} muck {_cards(_out_of_place(event))}".rstrip(" ")]
        raise ValueError(f"{event} after the end of the hand")


def _whole_hands(history: History) -> dict[int, tuple[Card, ...]]:
    """Return the hands with all cards known, in dealt order, without a shared card."""
    shared = {event.card for event in history.events if isinstance(event, hh.SharedCard)}
    size = variant_of(history.variant).n_cards - len(shared)
    ups, downs = upcards(history), known_downcards(history)
    hands = {seat: (*cards[:2], *ups[seat], *cards[2:]) for seat, cards in downs.items()}
    # If no upcards were seen, a shown hand has them.
    for event in history.events:
        if isinstance(event, hh.Show | hh.Muck):
            hands.setdefault(event.seat, tuple(c for c in event.cards if c not in shared))
    known = {seat: tuple(c for c in cards if c is not None) for seat, cards in hands.items()}
    return {seat: cards for seat, cards in known.items() if len(cards) == size}


def _out_of_place(event: hh.Show | hh.Muck) -> tuple[MaybeCard, ...]:
    """Return the cards of a shown hand for PHH, which cannot mark ``any_order``."""
    return (*loose_cards(event), *event.cards[2:6]) if event.any_order else event.cards


def _stakes_table(stakes: Stakes, unit: Unit) -> str:
    heads_up = stakes.cap_heads_up
    fields = {
        "ante": money(stakes.ante, unit),
        "bets": array(money(bet, unit) for bet in stakes.bets),
        "cap": str(stakes.cap),
        "open_pair_doubles": str(stakes.open_pair_doubles).lower(),
        "inferred": str(stakes.inferred).lower(),
        "cap_heads_up": "" if heads_up is None else str(heads_up),
    }
    return table(fields)


def _seat_table(seat: Seat, unit: Unit) -> str:
    fields = {
        "seat": str(seat.number),
        "name": quoted(seat.name),
        "sitting_out": str(seat.sitting_out).lower(),
        "stack": "" if seat.stack is None else money(seat.stack, unit),
    }
    return table(fields)


def _cards(cards: Sequence[MaybeCard]) -> str:
    return cards_text(cards, between="")
