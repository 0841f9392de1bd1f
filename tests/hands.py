"""Hands for tests: a terse way to write one, and random legal ones played on the table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

from handread.cards import DECK_SIZE, MaybeCard, parse_card
from handread.formats.log_reader import read_text
from handread.formats.registry import writer_named
from handread.game.replay import replay
from handread.game.rules import SAUND_STAKES, SAUND_UNIT, STUD, Stakes, Variant
from handread.game.seating import Options, open_pair
from handread.game.steps import Replay
from handread.game.table import Table
from handread.game.wagers import plain_events
from handread.history import (
    Action,
    Ante,
    Deal,
    Event,
    History,
    Seat,
    SharedCard,
    Source,
    StreetStart,
    Wager,
)


def write_hands(path: Path, hands: Iterable[History | Replay]) -> None:
    """Write a file of hands in Saund's notation, which loses nothing."""
    text = "".join(writer_named("saund").write_all(hands))
    path.write_text(text, encoding="utf-8", newline="\n")


def cards(text: str) -> tuple[MaybeCard, ...]:
    return tuple(None if word == "??" else parse_card(word) for word in text.split())


def events(script: str) -> list[Event]:
    """Events from words: ``1a`` ante, ``3:`` street, ``1=Ad.Jd/8d`` deal (down/up), ``2c`` action.

    ``=6h`` is a shared card. An action is a seat and a letter (B k f c b r), then an amount in
    minor units where the rules are not to fill it in, ``!`` for all-in, ``+`` for the double
    bet. Lines count from 1.
    """
    found: list[Event] = []
    for line, text in enumerate(script.strip().splitlines(), 1):
        found += [_event(word, line) for word in text.split("#")[0].split()]
    return found


def _event(word: str, line: int) -> Event:
    if word.endswith(":"):
        return StreetStart(int(word[:-1]), line=line)
    if "=" in word:
        seat, dealt = word.split("=")
        if not seat:
            return SharedCard(cards(dealt)[0], line=line)
        down, up = dealt.split("/") if "/" in dealt else ("", dealt)
        down, up = down.replace(".", " "), up.replace(".", " ")
        return Deal(int(seat), cards(down), cards(up), line=line)
    seat_number, letter, rest = int(word[0]), word[1], word[2:].rstrip("!+")
    amount = int(rest) if rest else None
    all_in, double = "!" in word, "+" in word
    actions: dict[str, Event] = {
        "a": Ante(seat_number, amount, all_in, line=line),
        "B": Wager(seat_number, Action.BRING_IN, amount, all_in=all_in, line=line),
        "k": Wager(seat_number, Action.CHECK, line=line),
        "f": Wager(seat_number, Action.FOLD, line=line),
        "c": Wager(seat_number, Action.CALL, amount, all_in=all_in, line=line),
        "b": Wager(seat_number, Action.BET, amount, all_in=all_in, double=double, line=line),
        "r": Wager(seat_number, Action.RAISE, to=amount, all_in=all_in, double=double, line=line),
    }
    return actions[letter]


def wagers(found: Iterable[Event], *actions: Action) -> list[Wager]:
    """The wagers in plain form, of these actions or all."""
    plain = [event for event in plain_events(found) if isinstance(event, Wager)]
    return [wager for wager in plain if wager.action in (actions or Action)]


def in_full(history: History) -> History:
    """The hand with the amounts that its record leaves to the rules."""
    moves = iter([e for e in replay(history).moves if isinstance(e, Ante | Wager)])
    events = (next(moves, e) if isinstance(e, Ante | Wager) else e for e in history.events)
    return replace(history, events=tuple(events))


def one(text: str, file: str = "hands.txt") -> History:
    """The only hand of a log, which may have problems of its own."""
    (found,) = read_text(text, file)
    assert isinstance(found, History)
    return found


def hand(
    script: str,
    *more: Event,
    seats: Sequence[Seat | int] | None = None,
    stacks: dict[int, int] | None = None,
    stakes: Stakes | None = SAUND_STAKES,
    variant: str = "stud",
    hero: int | None = None,
) -> History:
    """A history of a script, of which the seats are those that post an ante."""
    found = events(script)
    if seats is None:
        seats = sorted({event.seat for event in found if isinstance(event, Ante)})
    named = tuple(s if isinstance(s, Seat) else Seat(s, "", (stacks or {}).get(s)) for s in seats)
    return History(
        hand_id="1",
        source=Source("test", 1, "test"),
        variant=variant,
        unit=SAUND_UNIT,
        stakes=stakes,
        seats=named,
        events=(*found, *more),
        hero=hero,
        end_line=len(script.strip().splitlines()),
    )


GOLDEN = """
    1a 2a 3a 4a 5a 6a 7a
    3: 1=7c.Qs/7h 2=Ad.Jd/8d 3=5d.Ac/9d 4=Jc.2h/4c 5=6s.3c/3h 6=9h.7s/3s 7=4d.Kh/Tc
    5B 6f 7f 1r 2c 3f 4f 5f
    4: 1=8h 2=Kc  2k 1k
    5: 1=Js 2=As  2k 1b 2r 1c
    6: 1=2c 2=7d  2k 1b 2c
    7: 1=Jh/ 2=4h/  2b 1r 2c
"""
"""The hand of the design notes with every downcard known: pot 24.00, seat 1 wins."""

WALKED_OFF = """
    1a 2a 3a 4a
    3: 1=7c.Qs/7h 2=Ad.Jd/8d 3=??.??/9d 4=6s.3c/3h
    4B 1r 2c 3f 4f
    4: 1=8h 2=Kc  2f
"""
"""Somebody folds with nothing to call, which no rule forbids and no policy does."""


ROOM_STAKES = Stakes(10, 20, (50, 50, 100, 100, 100), cap_heads_up=None, open_pair_doubles=True)


class Dealer:
    """Plays a random legal hand on a table and writes its history as it goes."""

    def __init__(self, rng: Random, table: Table, explicit: bool) -> None:
        self.rng = rng
        self.table = table
        self.explicit = explicit
        self.deck = list(range(DECK_SIZE))
        self.events: list[Event] = []
        rng.shuffle(self.deck)

    def play(self) -> list[Event]:
        for player in self.table.players:
            before, self.table = self.table, self.table.ante(player.seat)
            amount = self.table.pot - before.pot if self.explicit else None
            self.events.append(Ante(player.seat, amount, self.table.player(player.seat).all_in))
        while not self.table.is_over:
            self.deal(self.table.next_street())
            while self.table.queue:
                self.act()
        return self.events

    def deal(self, table: Table) -> None:
        self.events.append(StreetStart(table.street))
        if table.street == table.game.last and len(table.active) > len(self.deck):
            shared = SharedCard(self.deck.pop())
            table = table.share(shared.card)
            self.events.append(shared)
        for player in table.players:
            down, up = table.missing(player)
            if player.active and (down or up):
                deal = Deal(player.seat, self.draw(down), self.draw(up))
                table = table.deal(player.seat, deal.down, deal.up)
                self.events.append(deal)
        self.table = table.open_betting()

    def draw(self, n: int) -> tuple[MaybeCard, ...]:
        return tuple(self.deck.pop() for _ in range(n))

    def act(self) -> None:
        action = self.choose(self.table.options(self.rng.choice(self.table.may_act)))
        self.table = self.table.play(action)
        self.events.append(action)

    def choose(self, options: Options) -> Wager:
        seat, stack = options.seat, self.table.player(options.seat).stack
        amount = options.call if self.explicit else None
        words = ["bring-in"] if options.forced else ["check", "call", "call", "fold"]
        if options.raises:
            words += ["raise", "raise"]
        match self.rng.choice(words), options.to_call > 0:
            case "bring-in", _:
                return Wager(seat, Action.BRING_IN, amount, all_in=options.call == stack)
            case "raise", _:
                return self.raising(options)
            case "fold", True:
                return Wager(seat, Action.FOLD)
            case _, True:
                return Wager(seat, Action.CALL, amount, all_in=options.call == stack)
            case _:
                return Wager(seat, Action.CHECK)

    def raising(self, options: Options) -> Wager:
        player, to = self.table.player(options.seat), self.rng.choice(options.raises)
        all_in = player.stack == to - player.put
        implied = not self.explicit and not all_in
        doubled = self.table.stakes.open_pair_doubles and open_pair(self.table.players)
        open_pair_street = self.table.street == self.table.game.open_pair_street
        double = implied and doubled and open_pair_street and to == options.raises[-1]
        implied = double or (implied and to == options.raises[0])
        if self.table.bet_to and not options.forced:
            return Wager(
                player.seat, Action.RAISE, to=None if implied else to, all_in=all_in, double=double
            )
        return Wager(
            player.seat,
            Action.BET,
            None if implied else to - player.put,
            all_in=all_in,
            double=double,
        )


def random_hand(
    seed: int,
    n_players: int = 7,
    stakes: Stakes = SAUND_STAKES,
    deepest: int | None = None,
    explicit: bool = True,
    game: Variant = STUD,
) -> History:
    """A legal hand with every card known; stacks up to ``deepest`` bets, or no stacks."""
    rng = Random(seed)
    stakes = replace(
        stakes,
        bets=stakes.bets if game is STUD else game.bets(stakes.small, stakes.big),
        open_pair_doubles=stakes.open_pair_doubles and game is STUD,
    )
    numbers = sorted(rng.sample(range(1, 9), n_players))
    most = None if deepest is None else deepest * stakes.small
    seats = tuple(
        Seat(n, "", None if most is None else rng.randint(max(1, stakes.ante // 2), most))
        for n in numbers
    )
    played = Dealer(rng, Table.start(stakes, seats, game=game), explicit).play()
    return History(
        hand_id=str(seed),
        source=Source("random", 1, "test"),
        variant=game.key,
        unit=SAUND_UNIT,
        stakes=stakes,
        seats=seats,
        events=tuple(played),
    )


PARTLY_SEEN = """
    1a 2a 3a
    3: 1=7c.Qs/7h 2=??.??/8d 3=6s.3c/3h
    3B 1r 2c 3f
    4: 1=8h 2=Kc  2b 1c
    5: 1=Js 2=As  2b 1r 2c
    6: 1=2c 2=7d  2k 1b 2c
    7: 1=??/ 2=??/  2k 1b 2r 1c
"""
"""Of seat 1 the first two downcards are known, of seat 2 none; seat 3 folds known ones."""


ALL_IN = """
    1a25! 2a25!
    3: 1=7c.Qs/7h 2=Ad.Jd/8d
    4: 1=8h 2=Kc
    5: 1=Js 2=As
    6: 1=2c 2=7d
    7: 1=Jh/ 2=4h/
"""
