"""Tests of relational trees, as data, each with a readable name.

A test of the *situation* asks about the state of the game, the upcards, the history of the hand and
the opponents; many are quantified: "somebody still in who bet or raised on this street shows a
pair" is true if there is such an opponent. A test of the *holding* asks about the downcards, a test
of the *choice* about the action (Ponsen et al. 2008).
"""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from handread.arrays import Flags, Floats
from handread.cards import Card
from handread.game.ranks import shows_pair
from handread.game.rules import DEFAULT, Variant
from handread.game.steps import DecisionPoint
from handread.policy.base import HoldingValues
from handread.policy.features import STUD_HIGH, Board, Codes, shows_suit

Words = npt.NDArray[np.uint64]

AGGRESSIVE = ("bet", "raise")

KING, ACE = 11, 12
"""Ranks as ``card >> 2``."""


def highest(cards: tuple[Card, ...]) -> int:
    """Return the highest rank among cards; a deuce's without cards."""
    return max(cards, default=0) >> 2


@dataclass(frozen=True, eq=False)
class Situation:
    """A decision point with the upcards, as the tests see it. Sets of seats are bit masks."""

    spot: DecisionPoint
    board: Board | None

    @property
    def game(self) -> Variant:
        """The game; stud high without upcards."""
        return DEFAULT if self.board is None else self.board.game

    @property
    def up(self) -> tuple[Card, ...]:
        """The upcards of the player to act, if given."""
        return () if self.board is None else self.board.up

    @property
    def highest(self) -> int:
        """The highest rank among these upcards."""
        return highest(self.up)

    @cached_property
    def upcards(self) -> dict[int, tuple[Card, ...]]:
        """The upcards of each opponent still in, by seat."""
        seats = [seat for seat in self.spot.active if seat != self.spot.seat]
        rivals = () if self.board is None else self.board.rivals
        return dict(zip(seats, rivals, strict=False))

    @cached_property
    def me(self) -> int:
        """The player to act."""
        return 1 << self.spot.seat

    @cached_property
    def others(self) -> int:
        """The opponents still in."""
        return _mask(seat for seat in self.spot.active if seat != self.spot.seat)

    def did(self, actions: Iterable[str], now: bool) -> int:
        """Return the seats with any of these actions on this street (``now``), or before it."""
        street, mask = self.spot.street, 0
        for action in actions:
            for past, seats in self._done.get(action, {}).items():
                if (past == street) is now:
                    mask |= seats
        return mask

    @cached_property
    def _done(self) -> dict[str, dict[int, int]]:
        done: dict[str, dict[int, int]] = {}
        for street, seat, action in self.spot.past:
            by_street = done.setdefault(action, {})
            by_street[street] = by_street.get(street, 0) | 1 << seat
        return done

    @cached_property
    def behind(self) -> int:
        """The opponents who have yet to act on this street."""
        return self.others & ~_mask(self.spot.acted)

    @cached_property
    def leader(self) -> int:
        """The last player to bet or raise in the hand, if any."""
        return 0 if self.spot.leader is None else 1 << self.spot.leader

    @cached_property
    def aggressions(self) -> int:
        """The number of bets and raises of the player to act in the hand."""
        return self.spot.aggressions

    @cached_property
    def led_before(self) -> int:
        """The last player to bet or raise before this street, if any."""
        for street, seat, action in reversed(self.spot.past):
            if street < self.spot.street and action in AGGRESSIVE:
                return 1 << seat
        return 0

    def showing(self, cards: Callable[[tuple[Card, ...]], bool]) -> int:
        """Return the opponents whose upcards have a property."""
        return _mask(seat for seat, up in self.upcards.items() if cards(up))

    @property
    def suits_count(self) -> bool:
        """True in games with flushes and straights for the high hand."""
        return self.game.high is not None


def _mask(seats: Iterable[int]) -> int:
    mask = 0
    for seat in seats:
        mask |= 1 << seat
    return mask


Answer = Callable[[Situation], bool]


@dataclass(frozen=True, slots=True)
class SituationTest:
    """A test of the situation: its name, and its answer."""

    name: str
    of: Answer


Seats = Callable[[Situation], int]
"""A set of seats as a bit mask."""


def _connected(cards: tuple[Card, ...]) -> bool:
    """Return True for three different ranks within five; the ace is high."""
    ranks = sorted({card >> 2 for card in cards})
    return any(high - low <= 4 for low, high in zip(ranks, ranks[2:], strict=False))


SUBJECTS: dict[str, Seats] = {
    "somebody still in": lambda s: s.others,
    "somebody still in who bet or raised on this street": lambda s: s.did(AGGRESSIVE, now=True),
    "somebody still in who called on this street": lambda s: s.did(("call",), now=True),
    "somebody yet to act on this street": lambda s: s.behind,
    "the last raiser": lambda s: s.leader,
}
"""The opponents that tests quantify over, as the subject of a sentence."""

PROPERTIES: dict[str, Seats] = {
    "shows a pair": lambda s: s.showing(shows_pair),
    "shows three of a suit": lambda s: s.showing(shows_suit) * s.suits_count,
    "shows three to a straight": lambda s: s.showing(_connected) * s.suits_count,
    "shows an ace": lambda s: s.showing(lambda up: highest(up) == ACE),
    "shows a king or an ace": lambda s: s.showing(lambda up: highest(up) >= KING),
    "shows a higher card than this player": lambda s: s.showing(lambda up: highest(up) > s.highest),
    "was aggressive before": lambda s: s.did(AGGRESSIVE, now=False),
    "was passive before": lambda s: s.did(("call",), now=False) & ~s.did(AGGRESSIVE, now=False),
    "led the betting before this street": lambda s: s.led_before,
    "checked on this street": lambda s: s.did(("check",), now=True),
}

IMPOSSIBLE = "somebody yet to act on this street checked on this street"


def _some(subject: Seats, having: Seats) -> Answer:
    return lambda s: bool(s.others & subject(s) & having(s))


def _mine(seats: Seats) -> Answer:
    return lambda s: bool(s.me & seats(s))


def _reaches(value: Callable[[Situation], float], bound: float) -> Answer:
    return lambda s: value(s) >= bound


def _at_least(
    name: str, value: Callable[[Situation], float], bounds: Iterable[float]
) -> dict[str, Answer]:
    return {name.format(bound): _reaches(value, bound) for bound in bounds}


def _price(s: Situation) -> float:
    spot = s.spot
    return spot.to_call / (spot.pot + spot.to_call) if spot.to_call else 0.0


STATE: dict[str, Answer] = {
    "there is a bet, a raise or a bring-in to call": lambda s: s.spot.to_call > 0,
    "only the bring-in is to call": lambda s: s.spot.to_call > 0 and s.spot.raises == 0,
    "a bet or raise is allowed": lambda s: s.spot.can_raise,
    "a fold is allowed": lambda s: s.spot.can_fold,
    **_at_least("{} or more bets and raises on this street", lambda s: s.spot.raises, (1, 2, 3)),
    **_at_least("it is street {} or later", lambda s: s.spot.street, range(3, 8)),
    "it is the first street": lambda s: s.spot.street == s.game.first,
    "it is the last street": lambda s: s.spot.street == s.game.last,
    **_at_least("{} or more players are in", lambda s: s.spot.n_active, range(3, 8)),
    **_at_least(
        "the pot odds of a call are {:.0%} or more", _price, (0.05, 0.1, 0.15, 0.2, 0.25, 0.3)
    ),
    **_at_least(
        "the effective odds are {:.0%} or more",
        lambda s: s.spot.effective_odds,
        (0.1, 0.15, 0.2, 0.25, 0.3),
    ),
}

OWN: dict[str, Answer] = {
    "this player has acted on this street": _mine(lambda s: _mask(s.spot.acted)),
    "this player checked on this street": _mine(lambda s: s.did(("check",), now=True)),
    "this player called on this street": _mine(lambda s: s.did(("call",), now=True)),
    "this player bet or raised on this street": _mine(lambda s: s.did(AGGRESSIVE, now=True)),
    "this player bet or raised last in the hand": _mine(lambda s: s.leader),
    "this player led the betting before this street": _mine(lambda s: s.led_before),
    "this player was aggressive before": _mine(lambda s: s.did(AGGRESSIVE, now=False)),
    "this player called before": _mine(lambda s: s.did(("call",), now=False)),
    "this player checked before": _mine(lambda s: s.did(("check",), now=False)),
    **_at_least(
        "this player bet or raised {} or more times in the hand", lambda s: s.aggressions, (2, 3, 4)
    ),
    "nobody has bet or raised in the hand": lambda s: s.leader == 0,
    "this player shows a pair": lambda s: shows_pair(s.up),
    "this player shows three of a suit": lambda s: shows_suit(s.up) and s.suits_count,
    "this player shows three to a straight": lambda s: _connected(s.up) and s.suits_count,
    "this player shows an ace": lambda s: s.highest == ACE,
    "this player shows a king or an ace": lambda s: s.highest >= KING,
    "this player shows a ten or higher": lambda s: s.highest >= 8,
    "this player brings it in": lambda s: s.board is not None and s.board.brings_in,
}

OPPONENTS: dict[str, Answer] = {
    **{f"there is {who}": _some(seats, seats) for who, seats in [*SUBJECTS.items()][1:4]},
    **{
        f"{who} {what}": _some(seats, having)
        for who, seats in SUBJECTS.items()
        for what, having in PROPERTIES.items()
        if f"{who} {what}" != IMPOSSIBLE
    },
}

SITUATION_TESTS = tuple(SituationTest(name, of) for name, of in (STATE | OWN | OPPONENTS).items())


@dataclass(frozen=True, slots=True, eq=False)
class Holdings:
    """The values of holdings, as the tests see them; all arrays, or numbers, broadcast.

    ``codes`` are as in ``FeatureSet.codes``, ``log_n`` is ln of the number of active players,
    ``log_odds`` ln of the effective odds, -inf with nothing at stake.
    """

    percentile: Floats
    log_chance: Floats
    codes: Codes
    log_n: Floats | float
    log_odds: Floats | float

    @classmethod
    def of(cls, spot: DecisionPoint, outlook: HoldingValues) -> Self:
        """Return the values of the holdings of the player to act."""
        odds = spot.effective_odds
        return cls(
            outlook.percentile,
            outlook.log_chance,
            outlook.codes,
            math.log(spot.n_active),
            math.log(odds) if odds else -math.inf,
        )

    def level(self, kind: str) -> Codes:
        """Return the level of a feature of each holding."""
        place = _KINDS.index(kind)
        level: Codes = (self.codes >> STUD_HIGH.shifts[place]) & STUD_HIGH.masks[place]
        return level


_KINDS = [kind.name for kind in STUD_HIGH.kinds]


@dataclass(frozen=True, slots=True)
class HoldingTest:
    """A test of the holding: its name, its answer by holding, and the features it looks at."""

    name: str
    of: Callable[[Holdings], Flags]
    kinds: tuple[str, ...] = ()


def _best(share: float) -> HoldingTest:
    name = f"the holding is among the best {share:.0%}"
    return HoldingTest(name, lambda h: h.percentile >= 1.0 - share - 1e-9)


def _times(amount: float) -> str:
    return "" if amount == 1.0 else f"{amount:g} times "


def _shares(times: float) -> HoldingTest:
    name = f"the chance to win is {_times(times)}a fair share or more"
    return HoldingTest(name, lambda h: h.log_chance + h.log_n >= math.log(times))


def _chance(chance: float) -> HoldingTest:
    name = f"the chance to win is {chance:.0%} or more"
    return HoldingTest(name, lambda h: h.log_chance >= math.log(chance))


def _worth(times: float) -> HoldingTest:
    name = f"the chance to win is {_times(times)}the effective odds or more"
    return HoldingTest(name, lambda h: h.log_chance >= h.log_odds + math.log(times))


def _has(kind: str, words: str, least: int = 1) -> HoldingTest:
    """Return the test that a feature has at least a level; a rank has the level 1 for a deuce."""
    return HoldingTest(f"the hand has {words}", lambda h: h.level(kind) >= least, (kind,))


HOLDING_TESTS = (
    *map(_best, (0.95, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0.05)),
    *map(_shares, (0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 2.5, 3.0)),
    *map(_chance, (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)),
    *map(_worth, (0.5, 0.75, 1.0, 1.25, 1.5, 2.0)),
    *(_has(kind.name, kind.phrase) for kind in STUD_HIGH.kinds if kind.phrase),
    _has("pair_rank", "a pair of eights or higher", 7),
    _has("pair_rank", "a pair of jacks or higher", 10),
    _has("dead_pair", "a pair with a dead card of its rank"),
)

HOLDING_KINDS = tuple(sorted({kind for test in HOLDING_TESTS for kind in test.kinds}))
"""The features of holdings in tests, beside percentile and chance to win."""


@dataclass(frozen=True, slots=True)
class ChoiceTest:
    """A test of a choice or an outcome: its name, and the choices that pass."""

    name: str
    among: frozenset[str]


ACTION_TESTS = (
    *(
        ChoiceTest(f"the action is a {action}", frozenset((action,)))
        for action in ("fold", "check", "call", "bet", "raise")
    ),
    ChoiceTest("the action is a bet or a raise", frozenset(AGGRESSIVE)),
    ChoiceTest("the action is a check or a call", frozenset(("check", "call"))),
)

LOSE, WIN = "lose", "win unseen"

SHOWN = (
    "high card",
    "a pair",
    "two pair",
    "trips",
    "a straight",
    "a flush",
    "a full house",
    "quads",
)
"""Families of final hands at the showdown, the weakest first; quads and better are one."""

OUTCOMES = (LOSE, WIN, *SHOWN)
"""Outcomes of a game for a player: folds, wins without a showdown, or shows a hand."""

OUTCOME_TESTS = (
    ChoiceTest("the player folds in the end", frozenset((LOSE,))),
    ChoiceTest("the player wins without a showdown", frozenset((WIN,))),
    ChoiceTest("the player shows the hand", frozenset(SHOWN)),
    *(
        ChoiceTest(f"the player shows {family} or better", frozenset(SHOWN[place:]))
        for place, family in enumerate(SHOWN)
        if place
    ),
)

SITUATIONS = {test.name: test for test in SITUATION_TESTS}
HOLDINGS = {test.name: test for test in HOLDING_TESTS}
CHOICES = {test.name: test for test in (*ACTION_TESTS, *OUTCOME_TESTS)}
TESTS = (SITUATIONS, HOLDINGS, CHOICES)
"""The tests that a tree may have, by name."""


def holding_mask() -> int:
    """Return the bits of a code that tests of holdings use."""
    return int(STUD_HIGH.code_masks(HOLDING_KINDS)[0])


def packed(flags: npt.NDArray[Any]) -> Words:
    """Return rows of flags (n, tests) as bits of words (n, words): test t is bit t % 64."""
    n, tests = flags.shape
    bits = np.zeros((n, -(-tests // 64) * 64), dtype=np.uint8)
    bits[:, :tests] = flags
    return np.packbits(bits, axis=1, bitorder="little").view("<u8").astype(np.uint64)


def situation_words(spot: DecisionPoint, board: Board | None) -> Words:
    """Return the answers of ``SITUATION_TESTS`` as words, see ``packed``."""
    situation = Situation(spot, board)
    words: Words = packed(np.array([[test.of(situation) for test in SITUATION_TESTS]]))[0]
    return words


SITUATION_WORDS = -(-len(SITUATION_TESTS) // 64)


def holding_words(holdings: Holdings) -> Words:
    """Return the answers of ``HOLDING_TESTS`` by holding, see ``packed``."""
    return packed(np.stack([test.of(holdings) for test in HOLDING_TESTS], axis=1))


def choice_words(tests: Iterable[ChoiceTest], choices: Iterable[str]) -> Words:
    """Return the answers of tests by choice, see ``packed``."""
    listed = list(tests)
    return packed(np.array([[choice in test.among for test in listed] for choice in choices]))
