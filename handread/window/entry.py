"""A hand that is entered card by card and action by action.

The page keeps the setup of the hand and its entries, and sends both each time; nothing is kept
here. An entry is a card (``7h``, ``??`` for an unseen one) or the letter of an action: ``f`` fold,
``k`` check, ``c`` call or bring in, ``b`` or ``r`` bet, complete or raise, ``d`` and ``e`` for more
where the rules allow several amounts. If several seats may open, the number of the seat comes
first: ``3k``. At a showdown, ``m`` is a hand that is not shown.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Self

import handread.history as hh
from handread.cards import DECK_SIZE, UNSEEN_TEXT, MaybeCard, parse_card
from handread.formats.registry import writer_named
from handread.game.replay import ReplayBuilder, replay
from handread.game.rules import GAMES, STREET_NAMES, Stakes, Unit, Variant
from handread.game.seating import IllegalMove, Phase, Seated
from handread.game.table import Table
from handread.report.words import finished_hand, result_lines

OPPONENTS = {"strong": "a strong player", "people": "people as they usually bet"}
"""The policies of opponents who play by themselves, and their names."""


MOST_ENTRIES, LONGEST_ENTRY = 400, 8
"""The most entries of a hand, more than one can have, and the most characters of an entry."""

LONGEST_NAME = 200
"""The most characters of the name of a player or of a hand."""

SOURCE = hh.Source("entered", 1, "entered")

RAISES = "rde"
"""The letters of a bet or raise, to the least amount first."""

_ACTION = re.compile(rf"([1-8]?)([fkcb{RAISES}])")


@dataclass(frozen=True, slots=True)
class EntrySetup:
    """The answers before the cards: game, unit, stakes, seats, and your seat.

    ``all_cards`` is True if the downcards of all seats are entered, not only yours. ``title`` and
    ``played_at``, a date as logs write it, may be empty. ``against`` is the policy of opponents who
    play by themselves, with the cards that ``seed`` determines; empty for a hand that is entered.
    """

    game: Variant
    unit: Unit
    stakes: Stakes
    seats: tuple[hh.Seat, ...]
    hero: int | None
    all_cards: bool
    title: str = ""
    played_at: str = ""
    against: str = ""
    seed: int = 0

    @classmethod
    def of(cls, form: Any) -> Self:
        """Return the setup of a form; raise ``ValueError`` for an impossible one."""
        if not isinstance(form, dict):
            raise ValueError("the setup must be an object")
        game = GAMES.get(str(form.get("game")))
        if game is None:
            raise ValueError(f"game: expected one of {', '.join(GAMES)}")
        given = form.get("seats")
        if not isinstance(given, list) or not 2 <= len(given) <= game.max_players:
            raise ValueError(f"seats: expected 2 to {game.max_players}")
        rows = [row if isinstance(row, dict) else {} for row in given]
        words = [_text(form, key) for key in ("ante", "bring_in", "small", "big")]
        stacks = [_text(row, "stack") for row in rows]
        unit = Unit(2 if any("." in text for text in (*words, *stacks)) else 0)
        stakes = _stakes(words, unit, game)
        names = [_text(row, "name") for row in rows]
        named = [name for name in names if name]
        if len(set(named)) < len(named):
            raise ValueError("seats: two players have the same name")
        seats = tuple(
            hh.Seat(number, name, unit.amount(stack) if stack else None)
            for number, (name, stack) in enumerate(zip(names, stacks, strict=True), 1)
        )
        hero = form.get("hero") or None
        if hero is not None and (type(hero) is not int or not 1 <= hero <= len(seats)):
            raise ValueError(f"your seat: expected 1 to {len(seats)}, or none")
        title, at = _text(form, "title"), _played_at(_text(form, "played_at"))
        all_cards = form.get("all_cards") is True
        setup = cls(game, unit, stakes, seats, hero, all_cards=all_cards, title=title, played_at=at)
        return setup if not form.get("against") else setup.against_others(form)

    def against_others(self, form: Mapping[str, Any]) -> Self:
        """Return the setup of a hand against opponents who play by themselves."""
        against, seed = form["against"], form.get("seed")
        if against not in OPPONENTS:
            raise ValueError(f"against: expected one of {', '.join(OPPONENTS)}")
        if type(seed) is not int or not 0 <= seed < 2**53:
            raise ValueError("seed: expected a whole number")
        if self.hero is None:
            raise ValueError("your seat: choose one to play")
        if len(self.seats) * self.game.n_cards > DECK_SIZE:
            raise ValueError(f"seats: at most {DECK_SIZE // self.game.n_cards} to play")
        return replace(self, all_cards=False, against=against, seed=seed)


def _stakes(words: Sequence[str], unit: Unit, game: Variant) -> Stakes:
    """Return the stakes of a form: ante, bring-in, small and big bet."""
    ante, bring_in = (unit.amount(text) if text.strip("0.") else 0 for text in words[:2])
    small, big = (unit.amount(text) for text in words[2:])
    if not bring_in < small <= big:
        raise ValueError(
            "stakes: expected a bring-in below the small bet, and a big bet as large or larger"
        )
    if ante > big:
        raise ValueError("ante: expected no more than the big bet")
    bets, doubles = game.bets(small, big), game.open_pair_street is not None
    return Stakes(ante, bring_in, bets, cap_heads_up=None, open_pair_doubles=doubles)


def _text(form: Mapping[str, Any], key: str) -> str:
    text = form.get(key, "")
    if not isinstance(text, str) or len(text.strip()) > LONGEST_NAME:
        raise ValueError(f"{key}: expected a text of at most {LONGEST_NAME} characters")
    return "".join(c for c in text.strip() if c.isprintable())


def _played_at(text: str) -> str:
    """Return a date of a form, "2026-05-08T20:31", as logs write it; empty for an empty one."""
    try:
        return text and f"{datetime.strptime(text, '%Y-%m-%dT%H:%M'):%Y/%m/%d %H:%M:%S}"
    except ValueError:
        raise ValueError("played at: expected a date and a time") from None


@dataclass(frozen=True, slots=True)
class EntryChoice:
    """An action that is legal now, its entry, and the words of its button."""

    entry: str
    wager: hh.Wager
    words: str

    @property
    def seat(self) -> int:
        """The seat that may take the action."""
        return self.wager.seat


@dataclass(frozen=True, slots=True)
class CardDue:
    """The card that comes next: its seat (0 for a shared card), and whether it is face up.

    ``shown`` is True if it is a downcard that is shown at the end.
    """

    seat: int
    is_up: bool
    shown: bool = False


class EnteredHand:
    """The part of a hand that was entered.

    Attributes:
        events: Its events.
        due: The card that comes next; None if an action does, or nothing.
        taken: For each entry its street, its seat (0 for all), its words, and its place from 0.
    """

    def __init__(self, setup: EntrySetup) -> None:
        self.setup = setup
        self.events: list[hh.Event] = []
        self.taken: list[tuple[int, int, str, int]] = []
        start = Table.start(setup.stakes, setup.seats, setup.unit, setup.game)
        self._walk = ReplayBuilder(self.history, start)
        self.showing: list[MaybeCard] = []
        self._done: set[int] = set()
        self.due: CardDue | None = None
        if setup.stakes.ante:
            for seat in setup.seats:
                self._apply(hh.Ante(seat.number))
        self._go_on()

    @classmethod
    def of(cls, setup: EntrySetup, entries: Sequence[object]) -> tuple[Self, int, str]:
        """Return a hand, the number of entries taken, and the fault of the next."""
        hand = cls(setup)
        for number, entry in enumerate(entries):
            try:
                if number >= MOST_ENTRIES:
                    raise IllegalMove(f"a hand has at most {MOST_ENTRIES} entries")
                hand.enter(entry)
            except IllegalMove as illegal:
                more = f" (expected {illegal.expected})" if illegal.expected else ""
                return hand, number, f"{illegal.message}{more}"
        return hand, len(entries), ""

    @property
    def history(self) -> hh.History:
        """The hand as a record, perhaps unfinished."""
        setup = self.setup
        return hh.History(
            hand_id=setup.title,
            source=SOURCE,
            variant=setup.game.key,
            unit=setup.unit,
            stakes=setup.stakes,
            seats=setup.seats,
            events=tuple(self.events),
            hero=setup.hero,
            played_at=setup.played_at,
        )

    @property
    def asked(self) -> hh.History | None:
        """The hand with an action of yours added, to be valued with all others; else None.

        The values of a decision do not depend on the action: it is a check, a call or, in place of
        a bring-in, the least completion, since posting is no decision.
        """
        for choice in self.choices:
            passive = choice.wager.action in (hh.Action.FOLD, hh.Action.BRING_IN)
            if choice.seat == self.setup.hero and not passive:
                return replace(self.history, events=(*self.events, choice.wager))
        return None

    @property
    def table(self) -> Table:
        """The table now."""
        return self._walk.table

    @property
    def choices(self) -> tuple[EntryChoice, ...]:
        """The actions that are legal now, of all seats that may act."""
        return tuple(self._choices()) if self.table.phase is Phase.BET else ()

    @property
    def is_over(self) -> bool:
        """True if nothing can be entered any more."""
        return self.table.is_over and self.due is None

    def saved(self) -> tuple[str, str]:
        """Return the suffix and the text of a file of the hand; empty before any card is dealt.

        It is PHH, or the notation of Saund where PHH lacks the game.
        """
        for name in ("phh", "saund"):
            writer = writer_named(name)
            try:
                return writer.suffixes[-1], writer.write(self.history)
            except ValueError:
                continue
        return "", ""

    def enter(self, entry: object) -> None:
        """Take an entry; raise ``IllegalMove`` and stay the same if it is impossible now."""
        if not isinstance(entry, str) or len(entry) > LONGEST_ENTRY:
            raise IllegalMove("an entry is a card or the letter of an action", self.expected)
        street, due = self.table.street, self.due
        if due is None:
            choice = self._act(entry)
            seat, words = choice.seat, choice.words
        else:
            seat, words = due.seat, "not shown" if entry == "m" else entry
            if due.shown:
                self._show(due.seat, entry)
            else:
                self._deal(due, _card(entry, self.expected))
        self.taken.append((street, seat, words, len(self.taken)))
        self._go_on()

    @property
    def may_muck(self) -> bool:
        """True if a showdown begins for a seat: ``m`` leaves its hand unshown."""
        return self.due is not None and self.due.shown and not self.showing

    @property
    def expected(self) -> str:
        """The possible entries now, in words."""
        if self.due is None:
            return ", ".join(choice.entry for choice in self.choices) or "nothing: the hand is over"
        if self.due.shown:
            unshown = ", or m for a hand that is not shown" * self.may_muck
            return f"a card such as 7h{unshown}"
        return f"a card such as 7h, or {UNSEEN_TEXT} for one not seen"

    def question(self) -> str:
        """Return the question for the next entry, in words."""
        table, due = self.table, self.due
        street = f"{STREET_NAMES[table.street]} street"
        if due is None:
            if self.is_over:
                return self._ending()
            turn = " or ".join(str(table.player(seat)) for seat in table.may_act)
            return f"{street}: {turn} to act"
        if due.seat == 0:
            return f"{street}: the card that all players share"
        player = table.player(due.seat)
        kind = "upcard" if due.is_up else "downcard"
        return f"Showdown: a {kind} of {player}" if due.shown else f"{street}: {kind} of {player}"

    def _ending(self) -> str:
        played = replay(self.history)
        if not played.won:
            return "The hand is over. The cards do not say who won."
        names = (finished_hand(played, seat) if played.showdown else "" for seat in played.won)
        lines = zip(result_lines(played, self.setup.hero), names, strict=False)
        ending = "; ".join(f"{line}: {name}" if name else line for line, name in lines)
        return f"{ending[0].upper()}{ending[1:]}."

    # What follows without a question

    def _apply(self, event: hh.Event) -> None:
        self._walk.apply(event)
        self.events.append(event)

    def _go_on(self) -> None:
        """Do everything that needs no entry, and note the card that is due then, if any."""
        self.due = None
        while self.table.phase is not Phase.BET and not self.table.is_over:
            if self.table.phase is not Phase.DEAL:
                self._apply(hh.StreetStart(self.table.following))
            self.due = self._next_card()
            if self.due is not None:
                return
            self._walk.open_betting()
        if self.table.is_over:
            self.due = self._next_shown()

    def _next_card(self) -> CardDue | None:
        """Return the card that is dealt next; deal cards that need no entry."""
        if self.table.deck_runs_short:
            return CardDue(0, True)
        for seat in [player.seat for player in self.table.players if not player.folded]:
            down, up = self.table.missing(self.table.player(seat))
            if down and not (self.setup.all_cards or seat == self.setup.hero):
                self._apply(hh.Deal(seat, (None,) * down))
                down = 0
            if down or up:
                return CardDue(seat, not down)
        return None

    def _next_shown(self) -> CardDue | None:
        """Return the downcard that is shown next; give the pot to the only hand that is shown."""
        hidden = [seat for seat in self.table.active if None in self.table.player(seat).down]
        left = [seat for seat in hidden if seat not in self._done]
        if len(self.table.active) > 1 and left:
            return CardDue(left[0], False, shown=True)
        mucked = [event.seat for event in self.events if isinstance(event, hh.Muck)]
        winners = [seat for seat in self.table.active if seat not in mucked]
        paid = any(isinstance(event, hh.Collect) for event in self.events)
        if mucked and len(winners) == 1 and len(self.table.pots) == 1 and not paid:
            self._apply(hh.Collect(winners[0], self.table.pot))
        return None

    # Entries

    def _deal(self, due: CardDue, card: MaybeCard) -> None:
        if due.seat == 0:
            self._apply(hh.SharedCard(card))
        elif due.is_up:
            self._apply(hh.Deal(due.seat, (), (card,)))
        else:
            self._apply(hh.Deal(due.seat, (card,)))

    def _show(self, seat: int, entry: str) -> None:
        player = self.table.player(seat)
        if entry == "m" and self.may_muck:
            self._apply(hh.Muck(seat))
        else:
            card = _card(entry, self.expected)
            if card is None:
                raise IllegalMove("a hand is shown whole or not at all", self.expected)
            self.table.reveal(seat, (*self.showing, card))
            self.showing.append(card)
            if len(self.showing) < player.down.count(None):
                return
            self._apply(self._whole_hand(player))
        self.showing.clear()
        self._done.add(seat)

    def _whole_hand(self, player: Seated) -> hh.Show:
        shown = iter(self.showing)
        down = [next(shown) if card is None else card for card in player.down]
        first = self.setup.game.streets[0].down
        loose = len(down) > first and len(self.showing) > 1
        return hh.Show(player.seat, (*down[:first], *player.up, *down[first:]), any_order=loose)

    def _act(self, entry: str) -> EntryChoice:
        match = _ACTION.fullmatch(entry)
        seats = self.table.may_act
        if match is None or not seats:
            raise IllegalMove(f"{entry!r} is not possible now", self.expected)
        if not match[1] and len(seats) > 1:
            raise IllegalMove("several seats may act: say which", self.expected)
        seat = int(match[1] or seats[0])
        letters = "br" if match[2] in "br" else match[2]
        self.table.to_act(seat)
        for choice in self.choices:
            if choice.seat == seat and choice.entry[-1] in letters:
                self._apply(choice.wager)
                return choice
        raise IllegalMove(f"{entry!r} is not possible now", self.expected)

    def _choices(self) -> Iterator[EntryChoice]:
        for seat in self.table.may_act:
            number = str(seat) if len(self.table.may_act) > 1 else ""
            for letter, wager, words in self._options(seat):
                yield EntryChoice(number + letter, wager, words)

    def _options(self, seat: int) -> Iterator[tuple[str, hh.Wager, str]]:
        """Yield the legal actions of a seat, each with its letter and its words."""
        table, options = self.table, self.table.options(seat)
        call = table.money(options.call)
        if options.forced:
            yield "c", hh.Wager(seat, hh.Action.BRING_IN), f"bring in for {call}"
        else:
            yield "f", hh.Wager(seat, hh.Action.FOLD), "fold"
            if options.to_call > 0:
                yield "c", hh.Wager(seat, hh.Action.CALL), f"call {call}"
            else:
                yield "k", hh.Wager(seat, hh.Action.CHECK), "check"
        completes = table.bring_in_due or table.bring_in_open
        for letter, to in zip(RAISES, options.raises, strict=False):
            amount = table.money(to)
            if table.bet_to and not options.forced and not completes:
                yield letter, hh.Wager(seat, hh.Action.RAISE, to=to), f"raise to {amount}"
            else:
                bets = hh.Wager(seat, hh.Action.BET, to - table.player(seat).put)
                word = "complete to" if completes else "bet"
                yield letter.replace("r", "b"), bets, f"{word} {amount}"


def with_other_card(
    setup: EntrySetup, entries: Sequence[object], place: int, card: object
) -> tuple[list[object], str]:
    """Return the entries with another card at a place, and a remark on it.

    Later entries stay while they are legal and fall to the same players; the rest is cut.

    Raises:
        ValueError: The card is invalid or in the hand already, or there is no card at the place.
    """
    before, n, _ = EnteredHand.of(setup, entries)
    kept = list(entries[:n])
    if not 0 <= place < n or kept[place] == "m" or _ACTION.fullmatch(str(kept[place])):
        raise ValueError("there is no card to replace")
    try:
        if _card(str(card), "a card such as 7h") in before.table.cards and card != kept[place]:
            raise ValueError(f"{card} is in the hand already")
        hand = EnteredHand.of(setup, kept[:place])[0]
        hand.enter(card)
    except IllegalMove as illegal:
        raise ValueError(illegal.message) from None
    changed = [*kept[:place], card, *kept[place + 1 :]]
    for at in range(place + 1, n):
        try:
            hand.enter(changed[at])
        except IllegalMove:
            break
        if hand.taken[at][:2] != before.taken[at][:2]:
            break
    else:
        return changed, ""
    entry = "entry" if n - at == 1 else "entries"
    return changed[:at], f"With {card}, the play goes on otherwise: {n - at} {entry} taken back."


def _card(entry: str, expected: str) -> MaybeCard:
    """Return the card of an entry; raise ``IllegalMove`` if it is invalid."""
    if entry == UNSEEN_TEXT:
        return None
    try:
        return parse_card(entry)
    except ValueError:
        raise IllegalMove(f"{entry!r} is no card", expected) from None
