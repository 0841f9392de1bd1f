"""The state of a hand for a seat, as numbers for its learned value."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple, Self

import numpy as np

from handread.arrays import Floats, Ints
from handread.cards import Card
from handread.decisions.turns import Turn, turns
from handread.game.seating import Phase, Seated
from handread.game.table import Table
from handread.history import AGGRESSIVE
from handread.inference.hand_analysis import Analysis
from handread.inference.observer import TIE_RULES, Belief, values_against, values_of_each
from handread.inference.viewpoint import certainty
from handread.odds.htpd import Operator

KINDS = ("raised", "called", "waiting", "over")
"""Kinds of states: after an own bet or raise, or check or call; waiting; no more betting."""

NUMBERS = (
    "chance",
    "public",
    "best_other",
    "second_other",
    "others",
    "pot",
    "to_call",
    "later",
    "owed",
    "to_act",
    "own_turn",
    "closed",
    "fresh",
    "leads",
    "led_by_other",
    "raises",
    "raises_left",
    "all_in",
    "size",
)
"""The numbers of a state.

In order: the seat's chance to win with its downcards, and from the table's view; the two best
chances of others; the number of others still in; as shares of the scale the pot, the chips that the
seat owes to call, a bet on each later street, and the chips that the others owe; the share of
others still to act; if the seat is to act, if the betting round is closed, if nobody has acted in
it; if the seat or another bet or raised last; the full bets of the street made and left; the share
of others all-in; the logarithm of the scale in big bets.
"""

BY_STREET = ("chance", "public", "best_other", "pot", "owed", "others", "raises")
"""The numbers with weights of their own on each street for their products with the chance."""

_BY_STREET = [NUMBERS.index(name) for name in BY_STREET]

_PAIRS = np.triu_indices(len(NUMBERS))
"""All pairs of numbers, with equal ones."""


class HandTurns(NamedTuple):
    """The turns of a hand, and the states shared by all its values."""

    turns: tuple[Turn, ...]
    states: "States"

    @classmethod
    def of(cls, analysis: Analysis, seats: set[int] | None = None) -> Self:
        """Return the turns and states of a hand; arguments as for ``turns``."""
        return cls(tuple(turns(analysis, seats)), States(analysis.ties))


@dataclass(frozen=True, slots=True)
class State:
    """The state of a hand for a seat with known downcards."""

    kind: str  # one of ``KINDS``
    street: int  # index of the street in the game, from 0
    # expected part of the pots that the seat can win, by its chance to win, in minor units
    share: float
    scale: float  # size of the stake, the unit of fitted values, in minor units
    numbers: Floats  # the ``NUMBERS`` (19,)

    @property
    def pot(self) -> float:
        """The pot that the seat can win, in minor units."""
        return self.scale * float(self.numbers[NUMBERS.index("pot")])

    @property
    def is_certain(self) -> bool:
        """True if the betting is over, and the seat is sure to win or to lose."""
        little = 1e-9 * self.pot
        return self.kind == "over" and not little < self.share < self.pot - little


class States:
    """The states of one hand under a tie rule, "split" or "paper", with shared parts."""

    def __init__(self, ties: str) -> None:
        self._ties = TIE_RULES[ties]
        self._htpds: dict[tuple[Operator, tuple[Card, ...]], Floats] = {}
        self._seen: tuple[Belief, Mapping[int, Floats], Mapping[int, float]] | None = None
        # by the identities of table and belief, which are kept so that no other can take them
        self._made: dict[tuple[object, ...], tuple[Table, Belief, State]] = {}

    def of(self, table: Table, belief: Belief, seat: int, down: Sequence[Card]) -> State:
        """Return the state for one of two or more active seats, with no bring-in due."""
        key = id(table), id(belief), seat, tuple(down)
        if key not in self._made:
            self._made[key] = table, belief, self._of(table, belief, seat, tuple(down))
        return self._made[key][-1]

    def _of(self, table: Table, belief: Belief, seat: int, down: tuple[Card, ...]) -> State:
        values, public = self._public(belief)
        chance, share = self._share(
            table, belief, seat, values[seat], self._own_htpd(belief, seat, down)
        )
        rivals = sorted((p for s, p in public.items() if s != seat), reverse=True)
        return _state(
            table,
            table.player(seat),
            chance=chance,
            share=share,
            public=public[seat],
            rivals=rivals,
        )

    def _own_htpd(self, belief: Belief, seat: int, down: tuple[Card, ...]) -> Floats:
        operator = belief.hands[seat]
        key = operator, down
        if key not in self._htpds:
            self._htpds[key] = operator.htpd(certainty(belief.pdds[seat].size, down))
        return self._htpds[key]

    def _public(self, belief: Belief) -> tuple[Mapping[int, Floats], Mapping[int, float]]:
        """Return by seat the values of classes against all others, and the chance to win."""
        if self._seen is None or self._seen[0] is not belief:
            values = values_of_each(belief, self._ties)
            won = {seat: float(share @ belief.htpds[seat]) for seat, share in values.items()}
            total = sum(won.values())
            self._seen = belief, values, {seat: chance / total for seat, chance in won.items()}
        return self._seen[1:]

    def _share(
        self, table: Table, belief: Belief, seat: int, values: Floats, own: Floats
    ) -> tuple[float, float]:
        """Return the chance to win against all others, and the expected share of the pots.

        ``values`` is by class against all others, ``own`` the seat's htpd.
        """
        share = chance = 0.0
        for amount, seats in _open_pots(table, seat):
            won = 1.0  # a part that nobody else can win
            if len(seats) == len(belief.htpds):
                chance = won = float(values @ own)
            elif len(seats) > 1:
                htpds = {other: belief.htpds[other] for other in seats}
                won = float(values_against(htpds, seat, self._ties, belief.showdown) @ own)
            share += amount * won
        return chance, share


def _open_pots(table: Table, seat: int) -> list[tuple[int, list[int]]]:
    """Return amount and seats of the pots that a seat can win, the pot of all active seats first.

    Only the chips of a player who is all-in close a pot.
    """
    active = [p for p in table.players if p.active]
    player = next(p for p in active if p.seat == seat)
    levels = sorted({p.paid for p in active if p.all_in})
    tops = [top for top in levels if not player.all_in or top <= player.paid]
    if not player.all_in:
        tops.append(max(p.paid for p in table.players))
    pots: list[tuple[int, list[int]]] = []
    below = 0
    for top in tops:
        amount = sum(min(p.paid, top) - min(p.paid, below) for p in table.players)
        seats = [p.seat for p in active if not p.all_in or p.paid > below]
        if amount or not pots:
            pots.append((amount, seats))
        below = max(below, top)
    return pots


def _state(
    table: Table, own: Seated, chance: float, share: float, public: float, rivals: Sequence[float]
) -> State:
    game, stakes = table.game, table.stakes
    others = [p for p in table.players if p.active and p.seat != own.seat]
    big_bet, n = float(stakes.bets[-1]), len(others)
    reach = math.inf if own.stack is None else own.paid + own.stack
    pot = sum(min(p.paid, reach) for p in table.players)
    betting = table.phase is Phase.BET
    to_call = min(max(0, table.bet_to - own.put), reach - own.paid) if betting else 0
    owed = sum(_owed(table, p) for p in others) if betting else 0
    deepest = max((math.inf if p.stack is None else float(p.stack) for p in others), default=0.0)
    later = float(game.later_bets(stakes, table.street))
    later = min(later, reach - own.paid - to_call, deepest)
    if table.betting_over:
        later = 0.0
    scale = pot + to_call + 0.5 * later + 0.5 * big_bet
    to_act = sum(s != own.seat for s in table.queue) if betting else 0
    cap = stakes.cap if stakes.cap_heads_up is None or n > 1 else stakes.cap_heads_up
    left = 4 if cap is None else max(0, cap - table.bets)
    led = table.leader is not None and any(p.seat == table.leader for p in others)
    numbers = (
        chance,
        public,
        rivals[0],
        rivals[1] if n > 1 else 0.0,
        n / 7.0,
        pot / scale,
        to_call / scale,
        later / scale,
        owed / scale,
        to_act / n,
        float(betting and own.seat in table.queue),
        float(not betting),
        float(betting and not table.acted),
        float(table.leader == own.seat),
        float(led),
        min(table.bets, 4) / 4.0 if betting else 0.0,
        min(left, 4) / 4.0 if betting else 0.0,
        sum(p.all_in for p in others) / n,
        math.log(scale / big_bet),
    )
    kind = _kind(table, own.seat)
    return State(kind, table.street - game.first, share, scale, np.array(numbers))


def _owed(table: Table, player: Seated) -> int:
    owed = max(0, table.bet_to - player.put) if player.seat in table.queue else 0
    return owed if player.stack is None else min(owed, player.stack)


def _kind(table: Table, seat: int) -> str:
    if table.betting_over:
        return "over"
    last = table.past[-1] if table.past else None
    if last is None or last.seat != seat or last.street != table.street or not table.acted:
        return "waiting"
    return "raised" if last.action in AGGRESSIVE else "called"


def expanded(numbers: Floats, streets: Ints, n_streets: int) -> Floats:
    """Return the terms of states, (rows, terms), from their standardised numbers (rows, 19).

    They are 1, the standardised numbers and their products; the terms up to degree 1 for each
    street but the last; and for each street the cube of the chance and its products with
    ``BY_STREET``. Streets are indices in the game.
    """
    rows = len(numbers)
    first, second = _PAIRS
    linear = np.concatenate([np.ones((rows, 1)), numbers], axis=1)
    on = (streets[:, None] == np.arange(n_streets)).astype(np.float64)
    by_street = (on[:, :-1, None] * linear[:, None, :]).reshape(rows, -1)
    chance = numbers[:, :1]
    more = chance * np.concatenate([chance**2, numbers[:, _BY_STREET]], axis=1)
    return np.concatenate(
        [
            linear,
            numbers[:, first] * numbers[:, second],
            by_street,
            (on[:, :, None] * more[:, None, :]).reshape(rows, -1),
        ],
        axis=1,
    )


@cache
def mean_terms(n_streets: int) -> list[int]:
    """Return the indices of the terms that make means of values agree.

    They are 1 for all states, for closed betting rounds, and for rounds without an action,
    each in all and by street.
    """
    n = len(NUMBERS)
    within = [0, 1 + NUMBERS.index("closed"), 1 + NUMBERS.index("fresh")]
    first = 1 + n + n * (n + 1) // 2
    blocks = [0, *(first + street * (1 + n) for street in range(n_streets - 1))]
    return [block + place for block in blocks for place in within]
