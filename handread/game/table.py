"""The table of one fixed-limit stud hand: a frozen state, and moves that return the next one.

``Table.start`` seats the players; then ``ante``, ``next_street``, ``deal``, ``open_betting``, the
betting moves (or ``play`` with an action of a history) follow, and again ``next_street`` until
``is_over``. A move that the rules forbid raises ``IllegalMove``. All amounts are in minor units. A
stack of ``None`` never runs out.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from handread.game.pots import uncalled_part
from handread.game.rules import DEFAULT, SAUND_UNIT, STREET_NAMES, Stakes, Unit, Variant
from handread.game.seating import (
    AT_ANTES,
    AT_BETS,
    AT_CLOSE,
    AT_DEAL,
    IllegalMove,
    Options,
    PastAction,
    Seated,
    Seating,
    clockwise,
    clockwise_after,
    fast_make,
    fast_replace,
    open_pair,
    seats_to_bring_in,
    seats_to_open,
)
from handread.game.wagers import is_plain, plain_wager, short_bring_in
from handread.history import Action, Seat, Wager

_BRING_IN, _FOLD, _CHECK, _CALL, _BET, _RAISE, *_ = Action  # looking up a member takes longer
_EMPTY_SEAT = Seated(0)


@dataclass(frozen=True, repr=False)
class Table(Seating):
    """The state of a hand: the seating, and the state of the betting.

    ``queue`` holds the seats that still have to act, the next one first; ``openers`` the seats that
    may open if the cards do not decide, else none. ``bet_to`` is the bet to match on this street,
    ``full_to`` the same if the last bet were no short all-in, ``bets`` the number of full bets and
    raises. ``brought_in`` is the seat that posted the bring-in, ``posted`` its amount while the
    street lasts, ``returned`` the seat and amount of a returned uncalled bet. ``acted`` are the
    seats that have acted on this street, in order, with repeats; ``leader`` bet or raised last in
    the hand. ``past`` has every decision of the hand so far.
    """

    queue: tuple[int, ...] = ()
    openers: tuple[int, ...] = ()
    bet_to: int = 0
    full_to: int = 0
    bets: int = 0
    bring_in_due: bool = False
    bring_in_open: bool = False
    brought_in: int | None = None
    posted: int = 0
    returned: tuple[int, int] | None = None
    acted: tuple[int, ...] = ()
    leader: int | None = None
    past: tuple[PastAction, ...] = ()

    def __repr__(self) -> str:
        street = STREET_NAMES.get(self.street, "no")
        seats = ", ".join(map(str, self.active))
        return f"<Table on {street} street: pot {self.money(self.pot)}, seats {seats} in>"

    @classmethod
    def start(
        cls,
        stakes: Stakes,
        seats: Iterable[Seat],
        unit: Unit = SAUND_UNIT,
        game: Variant = DEFAULT,
        any_opener: bool = False,
    ) -> Table:
        """Return the table before the antes."""
        ordered = sorted(seats, key=lambda seat: seat.number)
        cells = [{"seat": s.number, "name": s.name, "stack": s.stack} for s in ordered]
        players = tuple([fast_replace(_EMPTY_SEAT, **each) for each in cells])
        places = {player.seat: place for place, player in enumerate(players)}
        return cls(stakes, players, unit, game=game, any_opener=any_opener, places=places)

    @property
    def actor(self) -> int | None:
        """The seat whose turn it is; ``None`` when nobody has to act."""
        return self.queue[0] if self.queue else None

    @property
    def may_act(self) -> tuple[int, ...]:
        """The seats that may act next: the actor, or all that may open."""
        return self.openers or self.queue[:1]

    @property
    def betting_over(self) -> bool:
        """True if no more betting can come in this hand."""
        last = self.street == self.game.last
        return self.phase is AT_CLOSE and (last or len(self.bettors) < 2)

    def ante(self, seat: int, amount: int | None = None, all_in: bool = False) -> Table:
        """Post the ante of a seat, all of it or the last of its chips."""
        player = self.player(seat)
        if self.phase is not AT_ANTES:
            raise IllegalMove(f"{player} posts an ante after the deal", self.expected)
        if player.dealt_in:
            raise IllegalMove(f"{player} posts a second ante", "one ante a seat")
        paid = self._due(player, self.stakes.ante, amount, all_in, "posts an ante of")
        return self._with(self._paying(player, paid, all_in, put=player.put, dealt_in=True), {})

    def next_street(self) -> Table:
        """Begin the next street, before its deal."""
        if self.phase not in (AT_ANTES, AT_CLOSE) or self.is_over:
            raise IllegalMove("another street begins too soon", self.expected)
        players = tuple([fast_replace(p, put=0) if p.put else p for p in self.players])
        return fast_replace(
            self,
            players=players,
            street=self.following,
            phase=AT_DEAL,
            bet_to=0,
            full_to=0,
            bets=0,
            bring_in_open=False,
            posted=0,
            acted=(),
        )

    def open_betting(self) -> Table:
        """Open the betting once the street is dealt, or close it if nobody can bet."""
        if self.phase is not AT_DEAL:
            raise IllegalMove("the betting begins", self.expected)
        most = self.game.max_players
        if not 2 <= len(self.active) <= most:
            message = f"{len(self.active)} players are dealt in"
            raise IllegalMove(message, f"2 to {most} players")
        if lacking := self.lacking:
            raise IllegalMove(f"{lacking[0]} gets no card on {STREET_NAMES[self.street]} street")
        if len(self.bettors) < 2:
            return self._closed()
        first = self.street == self.game.first
        by_door = first and (self.stakes.bring_in or self.game.opens_by_bring_in)
        seats = self.game, self.players
        openers = seats_to_bring_in(*seats) if by_door else seats_to_open(*seats, self.any_opener)
        queue, due = clockwise(self.players, openers[0]), first and self.stakes.bring_in > 0
        return fast_replace(
            self,
            phase=AT_BETS,
            queue=queue[:1] if due else queue,
            openers=openers if len(openers) > 1 else (),
            bring_in_due=due,
        )

    def options(self, seat: int | None = None) -> Options:
        """Return the options of the player to act; ``seat`` picks one if several may open."""
        player = self.to_act((self.actor or 0) if seat is None else seat)
        to_call = self.stakes.bring_in if self.bring_in_due else self.bet_to - player.put
        call = to_call if player.stack is None else min(to_call, player.stack)
        left = self.raises_left
        raises = self._raises(player, self._full_targets()) if left != 0 else ()
        return Options(player.seat, to_call, call, raises, left, forced=self.bring_in_due)

    def play(self, wager: Wager) -> Table:
        """Return the table after a wager of a history."""
        return self.move(self.plain(wager))

    def move(self, wager: Wager) -> Table:
        """Return the table after a wager in plain form."""
        action, seat, all_in = wager.action, wager.seat, wager.all_in
        if action is _FOLD:
            return self.fold(seat)
        if action is _CHECK:
            return self.check(seat)
        if action is _CALL:
            return self.call(seat, wager.adds, all_in)
        if action is _BRING_IN:
            return self.bring_in(seat, wager.adds, all_in)
        if action is _BET:
            return self.bet(seat, wager.adds, all_in, wager.double)
        return self.raise_to(seat, wager.to, all_in, wager.double)

    def plain(self, wager: Wager) -> Wager:
        """Return the wager in plain form; it brings in if the bring-in takes the whole stack."""
        if self.bring_in_due:
            stack = self.player(wager.seat).stack
            wager = short_bring_in(wager, stack, self.stakes.bring_in)
        if is_plain(wager):
            return wager
        return plain_wager(wager, self.player(wager.seat).put, self.bet_to, self.posted)

    def bring_in(self, seat: int, amount: int | None = None, all_in: bool = False) -> Table:
        """Post the bring-in; it is optional if all other players are all-in from the ante."""
        first = self.street == self.game.first
        lone = first and self.betting_over and not (self.is_over or self.bet_to)
        player = self.player(seat) if lone and self.bettors == (seat,) else self.to_act(seat)
        if not (self.bring_in_due or lone):
            raise IllegalMove(f"{player} brings in, but no bring-in is due", self.expected)
        paid = self._due(player, self.stakes.bring_in, amount, all_in, "brings in for")
        return self._moved(
            self._paying(player, paid, all_in),
            () if lone else clockwise_after(self.players, seat),
            bet_to=paid,
            full_to=self.stakes.bring_in,
            bring_in_due=False,
            bring_in_open=True,
            brought_in=seat,
            posted=paid,
        )

    def fold(self, seat: int) -> Table:
        """Fold the hand of a seat."""
        player = self.to_act(seat)
        if self.bring_in_due:
            raise IllegalMove(f"{player} folds", self.expected)
        cells = player.__dict__.copy()
        cells["folded"] = True
        return self._moved(fast_make(Seated, cells), self._after(seat), _FOLD)

    def check(self, seat: int) -> Table:
        """Check, with no bet to call."""
        player = self.to_act(seat)
        if self.bring_in_due or self.bet_to > player.put:
            raise IllegalMove(f"{player} checks, but there is a bet to call", self.expected)
        return self._moved(player, self._after(seat), _CHECK)

    def call(self, seat: int, amount: int | None = None, all_in: bool = False) -> Table:
        """Call the bet, or part of it with the last chips of a seat.

        If the bring-in was all-in for less, the full bring-in may be called.
        """
        player = self.to_act(seat)
        if self.bring_in_due or self.bet_to <= player.put:
            raise IllegalMove(f"{player} calls, but there is nothing to call", self.expected)
        bet_to = self.bet_to
        if self.bring_in_open and amount == self.stakes.bring_in - player.put:
            bet_to = self.stakes.bring_in
        paid = self._due(player, bet_to - player.put, amount, all_in, "calls")
        called = self._paying(player, paid, all_in)
        return self._moved(called, self._after(seat), _CALL, bet_to=bet_to)

    def bet(
        self, seat: int, amount: int | None = None, all_in: bool = False, double: bool = False
    ) -> Table:
        """Open the betting or complete, adding ``amount``.

        Without an amount, the bet is the smallest legal one; with ``double``, the largest.
        """
        player = self.to_act(seat)
        if self.bet_to and not self.bring_in_open:
            raise IllegalMove(f"{player} bets, but there is a bet already", self.expected)
        to = None if amount is None else player.put + amount
        return self._raised(player, to, all_in, double, "bets")

    def raise_to(
        self, seat: int, to: int | None = None, all_in: bool = False, double: bool = False
    ) -> Table:
        """Raise, or complete, to a total of ``to`` on the street.

        Without ``to``, the raise is the smallest legal one; with ``double``, the largest.
        """
        player = self.to_act(seat)
        if not self.bet_to and not self.bring_in_due:
            raise IllegalMove(f"{player} raises, but nobody has bet", self.expected)
        return self._raised(player, to, all_in, double, "raises to")

    # The rules behind the moves

    def _raised(
        self, player: Seated, to: int | None, all_in: bool, double: bool, verb: str
    ) -> Table:
        targets = self._full_targets()
        allowed = self._raises(player, targets) if self.raises_left != 0 else ()
        if double and to is None and len(targets) < 2:
            verb = verb.removesuffix(" to")
            raise IllegalMove(f"{player} {verb} double, but nobody shows a pair", self.expected)
        if to is None and allowed:
            to = allowed[-1] if double else allowed[0]
        short = player.stack is None and all_in and to is not None and allowed
        topped = bool(allowed) and to not in allowed and to == self._over_bring_in()
        if to is None or not (
            to in allowed
            or topped
            or (short and self.bet_to < to < allowed[-1])
            or (allowed and to < allowed[0] and to == self._most_callable(player))
        ):
            raise IllegalMove(*self._why_not(player, to, allowed, verb))
        full = to if topped else min(targets)
        return self._moved(
            self._paying(player, to - player.put, all_in),
            clockwise_after(self.players, player.seat),
            _RAISE if self.bet_to or self.bring_in_due else _BET,
            bet_to=to,
            full_to=max(to, full),
            bets=self.bets + (to >= full),
            bring_in_due=False,
            bring_in_open=False,
            leader=player.seat,
        )

    def can_raise(self, player: Seated) -> bool:
        """Return True if a player can raise and another can put in more, the cap aside."""
        to_match = self.stakes.bring_in if self.bring_in_due else self.bet_to
        if player.stack is not None and player.put + player.stack <= to_match:
            return False
        return self._is_open_to(player) and self._is_callable(player)

    def _is_callable(self, player: Seated) -> bool:
        bet_to, seat = self.bet_to, player.seat
        for other in self.players:
            if other.folded or other.all_in or not other.dealt_in or other.seat == seat:
                continue
            if other.stack is None or other.put + other.stack > bet_to:
                return True
        return False

    def _is_open_to(self, player: Seated) -> bool:
        """Return True unless all raises since a player acted are short all-ins.

        They re-open the betting if they add up to half a bet or, before the first full bet, to half
        of its completion.
        """
        if self.bet_to >= self.full_to or player.seat not in self.acted:
            return True
        bet = self.game.bet(self.stakes, self.street)
        full = bet if self.bets else self.full_to - player.put
        return 2 * (self.bet_to - player.put) >= full

    def _raises(self, player: Seated, targets: set[int]) -> tuple[int, ...]:
        """Return the street totals of a player's legal bets and raises, ignoring the cap.

        Empty if no other player could put in more; a short stack goes all-in instead.
        """
        if not self.can_raise(player):
            return ()
        if player.stack is not None:
            deepest = player.put + player.stack
            targets = {min(target, deepest) for target in targets}
        return tuple(sorted(target for target in targets if target > self.bet_to))

    def _full_targets(self) -> set[int]:
        """Return the totals of a full bet: a bet more, a completion, or a short all-in's rest."""
        stakes, street = self.stakes, self.street
        sizes = {self.game.bet(stakes, street)}
        optional = stakes.open_pair_doubles and street == self.game.open_pair_street
        if optional and open_pair(self.players):
            sizes.add(max(*sizes, self.game.bet(stakes, street + 1)))
        if self.bring_in_due or self.bring_in_open:
            return {size if size > self.bet_to else self.bet_to + size for size in sizes}
        targets = {self.bet_to + size for size in sizes}
        return targets | {self.full_to} if self.full_to > self.bet_to else targets

    def _over_bring_in(self) -> int | None:
        """Return the total of a raise of one bet above the bring-in, as KingsClub counts it.

        There the first raise after a completion, or after a bet that an all-in cut short of one,
        adds a bet to the bring-in. A log may state it, but it is never among the legal raises.
        """
        size = self.game.bet(self.stakes, self.street)
        if self.street != self.game.first or not self.brought_in:
            return None
        completed = self.bets == 1 and self.bet_to == size
        short = not self.bets and not self.bring_in_open and self.bet_to < size
        return self.stakes.bring_in + size if completed or short else None

    def _most_callable(self, player: Seated) -> int | None:
        """Return the most that any other player could call, if it is more than the bet.

        A raise to it is accepted: logs may omit the part that nobody could call.
        """
        others = [other for other in self.players if other.can_bet and other.seat != player.seat]
        most = max([other.put + (other.stack or 0) for other in others], default=0)
        endless = any(other.stack is None for other in others)
        return None if endless or most <= self.bet_to else most

    @property
    def raises_left(self) -> int | None:
        """Number of bets and raises that are left on the street; ``None`` without a cap."""
        cap = self.stakes.cap_heads_up if len(self.active) == 2 else self.stakes.cap
        return None if cap is None else max(0, cap - self.bets)

    def _after(self, seat: int) -> tuple[int, ...]:
        """Return the queue after a seat has acted; it is rotated if a later opener acted first."""
        place = self.queue.index(seat)
        return self.queue[place + 1 :] + self.queue[:place]

    def _moved(
        self, player: Seated, queue: tuple[int, ...], action: Action | None = None, **changes: Any
    ) -> Table:
        """Return the table after a player's move, with the betting round closed if it is over.

        ``player`` is the player after the move, ``queue`` the seats that still have to act,
        ``action`` the choice of the player; a bring-in is no choice.
        """
        if action is not None:
            changes["acted"] = (*self.acted, player.seat)
            changes["past"] = (*self.past, PastAction(self.street, player.seat, action))
        changes["queue"], changes["openers"] = queue, ()
        table = self._with(player, changes)
        if len(queue) > 1:  # whoever still has to act has chips
            return table
        if not queue or len(table.active) < 2:
            return table._closed()
        bettors = table.bettors
        alone = len(bettors) == 1 and table.player(bettors[0]).put >= table.bet_to
        return table._closed() if alone else table

    def _closed(self) -> Table:
        """Close the betting round, and return an uncalled bet to its owner."""
        closed: dict[str, Any] = {"phase": AT_CLOSE, "queue": (), "openers": ()}
        part = uncalled_part({p.seat: p.paid for p in self.players if p.dealt_in}, self.active)
        if part is None:
            return fast_replace(self, **closed)
        player = self.player(part[0])
        stack = None if player.stack is None else player.stack + part[1]
        back = fast_replace(player, stack=stack, paid=player.paid - part[1], all_in=False)
        before = self.returned[1] if self.returned else 0
        return self._with(back, closed | {"returned": (part[0], before + part[1])})

    def _paying(self, player: Seated, amount: int, all_in: bool, **changes: Any) -> Seated:
        """Return the player after putting in a legal amount, with other changes."""
        stack = None if player.stack is None else player.stack - amount
        if all_in and stack:
            raise IllegalMove(f"{player} is all-in, but has {self.money(stack)} left")
        cells = player.__dict__.copy()
        cells["stack"], cells["all_in"] = stack, all_in or stack == 0
        cells["put"] += amount
        cells["paid"] += amount
        cells.update(changes)
        return fast_make(Seated, cells)

    def _due(self, player: Seated, due: int, amount: int | None, all_in: bool, verb: str) -> int:
        """Return the payment of an amount due: all of it, or the last chips of the player.

        An omitted ``amount`` (None) is filled in; any other is checked.
        """
        stack = player.stack
        most = due if stack is None or 0 <= due <= stack else max(0, min(due, stack))
        if amount is None:
            amount = most
        short = stack is None and all_in and 0 < amount < due
        if (amount != most and not short) or (due and not amount):
            raise IllegalMove(f"{player} {verb} {self.money(amount)}", self.money(most))
        return amount

    def _why_not(
        self, player: Seated, to: int | None, allowed: tuple[int, ...], verb: str
    ) -> tuple[str, str]:
        """Return the message and the expected amounts for an illegal bet or raise."""
        what = f"{player} {verb.removesuffix(' to')}"
        if allowed:
            sums = " or ".join(self.money(target) for target in allowed)
            return f"{player} {verb} {self.money(to or 0)}", sums
        if self.bring_in_due:
            return f"{what}, but has no more than the bring-in", f"{player} to bring in"
        left = f"{self._turn()} to {'call or fold' if self.bet_to > player.put else 'check'}"
        if self.raises_left == 0:
            cap = self.stakes.cap_heads_up if len(self.active) == 2 else self.stakes.cap
            return f"{what}, but the street has its {cap} bets and raises", left
        if self._is_open_to(player) or not self._is_callable(player):
            return f"{what}, but nobody is left who could call more", left
        return f"{what}, but an all-in of less than half a bet does not re-open the betting", left

    def to_act(self, seat: int) -> Seated:
        """Return the player of a seat whose turn it is; raise ``IllegalMove`` for another one."""
        player = self.player(seat)
        if seat in (self.openers or self.queue[:1]):
            return player
        if player.folded:
            raise IllegalMove(f"{player} acts, but has folded", self.expected)
        turn = f"it is {self._turn()}'s turn" if self.queue else "it is nobody's turn"
        raise IllegalMove(f"{player} acts, but {turn}", self.expected)

    def _turn(self) -> str:
        return " or ".join(str(self.player(seat)) for seat in self.may_act)

    @property
    def expected(self) -> str:
        """The next event that is legal, in words."""
        if not self.queue:
            return "the end of the hand" if self.is_over else self.phase.value
        if self.bring_in_due:
            return f"{self._turn()} to bring in or to complete"
        if self.bet_to:
            return f"{self._turn()} to call, raise or fold"
        return f"{self._turn()} to check or bet"
