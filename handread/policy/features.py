"""Features of the decision and of the holding, as data: names, values and meaning by game.

The log-odds of a ``LogitPolicy`` are weighted sums of these features (``policy.logit``). Features
of the decision are the same for all holdings. The weights of the others may differ by the
conditions of the decision: ``pair`` in the table ``[raise.on_3rd]`` of a policy file adds to the
weight of ``pair`` on 3rd street.

* All features are about 0 or 1 in common situations, and always within -3 to 3.
* A feature that a game lacks is 0 there. So one set of weights reads all games.
* Features of kinds have a few levels. The levels of a holding are the bit fields of one number, its
  *code*: kernels look values up, and a fit groups the holdings with equal codes.
* New features come last in ``FeatureSet.names``, so that policies of older versions keep their
  hashes.

Tried, and without a gain beyond chance on hands held out (docs/policies.md): the number of players
yet to act; last to act behind a bet; callers so far; a late position to steal from; the rank of the
door card; a last upcard that helps nothing; a last raiser who has checked; bets of earlier streets,
own and others'.
"""

import math
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from operator import attrgetter

import numpy as np
import numpy.typing as npt

from handread.arrays import Flags, Floats, Ints
from handread.cards import N_TRIPLES, Card
from handread.game.ranks import shows_pair
from handread.game.rules import DEFAULT, GAMES, Variant
from handread.game.steps import DecisionPoint
from handread.kernels.actions import MOST_CROWDED
from handread.kernels.holdings import stud_codes
from handread.odds.htpd import PAIR_CARDS, TRIPLE_CARDS, Operator

Codes = npt.NDArray[np.uint32]

YES_NO = (0.0, 1.0)
HALVES = (0.0, 0.5, 1.0)
THIRDS = (0.0, 1 / 3, 2 / 3, 1.0)
BY_RANK = (0.0, *((rank - 6) / 6 for rank in range(13)))
"""-1 for deuces to 1 for aces; 0 without a rank."""


@dataclass(frozen=True, slots=True)
class HoldingFeature:
    """A feature of a holding with a few levels, by its name in policy files.

    ``phrase`` names the holdings with it for people, and is empty for a matter of degree.
    ``values`` has a value for each level; level 0 has the value 0.
    """

    name: str
    meaning: str
    phrase: str = ""
    values: tuple[float, ...] = YES_NO

    @property
    def bits(self) -> int:
        """The number of bits of the level in a code."""
        return (len(self.values) - 1).bit_length()


@dataclass(frozen=True, slots=True, eq=False)
class Board:
    """The face-up cards at a decision, the player's door card first.

    ``rivals`` has the upcards of each opponent still in; ``unseen`` is True for the cards (52,)
    that are face down everywhere.
    """

    up: tuple[Card, ...]
    rivals: tuple[tuple[Card, ...], ...]
    unseen: Flags
    game: Variant = DEFAULT

    @classmethod
    def at(cls, hands: Mapping[int, Operator], seats: Iterable[int], seat: int) -> "Board":
        """Return the cards that a seat sees, against the other ``seats``."""
        own, rivals = hands[seat], tuple(hands[other].up for other in seats if other != seat)
        return cls(own.up, rivals, own.unseen.mask, own.showdown.game)

    @property
    def highest_rival(self) -> int:
        """The highest rank among the opponents' upcards, or -1."""
        return max((card >> 2 for cards in self.rivals for card in cards), default=-1)

    @property
    def brings_in(self) -> bool:
        """True on the first street if the door card brings it in."""
        return len(self.up) == 1 and self.up[0] == _opener(self.game.key, self.unseen.tobytes())


@lru_cache(maxsize=256)
def _opener(game: str, unseen: bytes) -> int:
    """Return the door card that brings it in, given a byte for each card, 0 for the doors."""
    doors = {card: Card(card) for card, is_unseen in enumerate(unseen) if not is_unseen}
    return GAMES[game].brings_in(doors)[0]


@lru_cache(maxsize=1024)
def shows_suit(cards: tuple[Card, ...]) -> bool:
    """Return True for three cards of a suit."""
    suits = [card & 3 for card in cards]
    return any(suits.count(suit) >= 3 for suit in set(suits))


def _trapping(spot: DecisionPoint) -> bool:
    return spot.to_call > 0 and spot.raises == 1 and spot.seat in spot.acted


SPOT_FEATURES = {
    "constant": "1 for every decision",
    "third": "1 on the first street",
    "street": "-1 on the first street to 1 on the last",
    "raises": "half the bets and raises of the street, 3 at most",
    "unraised": "1 with only the bring-in to call",
    "players": "(N - 4) / 3",
    "odds": "ln(N x effective odds), -2 to 2",
    "price": "4 x to call / (pot + to call)",
    "public": "ln(N x mean chance of all that the upcards allow), -2 to 2",
    "led": "1 for the player who bet or raised last in the hand",
    "follows": "1 where somebody else did",
    "behind": "the share of the others who have yet to act",
    "acted": "1 for a player who has acted on the street",
    "crowd": "ln(N / 4), of six players at most",
    "heads_up_3rd": "1 on the first street against one opponent",
}
"""Features of the decision that need no cards but the chances to win."""

ADDED = ("crowd", "heads_up_3rd")
"""Features of the decision that older versions lack; see ``FeatureSet.names``."""

REPLACED = ("players",)
"""Features of older policies that fits omit by default.

``crowd`` replaces ``players``, which goes on growing where fits have seen few pots.
"""


@dataclass(frozen=True, slots=True)
class BoardFeature:
    """A feature of the decision from the upcards or the player's past; 0 in other ``games``."""

    name: str
    meaning: str
    of: Callable[[Board, DecisionPoint], float]
    games: Callable[[Variant], bool] = attrgetter("readable")


BOARDS = (
    BoardFeature(
        "door_paired",
        "1 with a pair among the player's upcards",
        lambda board, _: shows_pair(board.up),
        attrgetter("wins_high"),
    ),
    BoardFeature(
        "paired_against",
        "1 with a pair among the upcards of an opponent",
        lambda board, _: any(map(shows_pair, board.rivals)),
        attrgetter("wins_high"),
    ),
    BoardFeature(
        "suited_up",
        "1 with three upcards of a suit",
        lambda board, _: shows_suit(board.up),
        attrgetter("seven_card_high"),
    ),
    BoardFeature(
        "suited_against",
        "1 where an opponent has three upcards of a suit",
        lambda board, _: any(map(shows_suit, board.rivals)),
        attrgetter("seven_card_high"),
    ),
    BoardFeature(
        "high_up",
        "1 if the highest upcard is above those of all opponents",
        lambda board, _: max(board.up) >> 2 > board.highest_rival,
        attrgetter("wins_high"),
    ),
    BoardFeature(
        "brings_in",
        "1 on 3rd street for the door card that brings it in",
        lambda board, _: board.brings_in,
        attrgetter("opens_by_bring_in"),
    ),
    BoardFeature(
        "slow",
        "1 for a player who checked or called on the street and now faces its first bet",
        lambda _, spot: _trapping(spot),
    ),
)

BOARD_FEATURES = {feature.name: feature.meaning for feature in BOARDS}

CONDITIONS = {
    "on_3rd": "on 3rd street",
    "late": "on 6th and 7th street",
    "facing_bet": "facing a bet, a completion or a raise",
    "facing_raise": "facing a raise",
    "trapping": "facing the first bet of the street after a check or a call",
    "heads_up": "against one opponent",
}
"""Conditions of the decision that may change the weights of the features of holdings."""

VALUE_FEATURES = {
    "percentile": "-1 for the worst downcards that there can be, 1 for the best",
    "chance": "ln(N x chance to win), -2 to 2",
}
"""Features of a holding from its chance to win."""


@dataclass(frozen=True)
class FeatureSet:
    """The features of the holdings of a game, in the order of their bit fields in a code."""

    kinds: tuple[HoldingFeature, ...]

    @cached_property
    def shifts(self) -> npt.NDArray[np.uint32]:
        """The place of each bit field in a code, (kinds,)."""
        return np.cumsum([0, *(kind.bits for kind in self.kinds[:-1])]).astype(np.uint32)

    @cached_property
    def masks(self) -> npt.NDArray[np.uint32]:
        """The mask of each bit field after its shift, (kinds,)."""
        return np.array([(1 << kind.bits) - 1 for kind in self.kinds], dtype=np.uint32)

    @cached_property
    def values(self) -> Floats:
        """The value of each level of each feature, (kinds, levels)."""
        values = np.zeros((len(self.kinds), int(self.masks.max()) + 1))
        for row, kind in zip(values, self.kinds, strict=True):
            row[: len(kind.values)] = kind.values
        return values

    @cached_property
    def holding(self) -> tuple[str, ...]:
        """The names of all features of a holding."""
        return (*VALUE_FEATURES, *(kind.name for kind in self.kinds))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of all weights; ``pair@on_3rd`` adds to ``pair`` on 3rd street.

        The features of older versions come first, so that their policies keep their hashes.
        """
        first = [name for name in SPOT_FEATURES if name not in ADDED]
        slopes = [f"{name}@{condition}" for condition in CONDITIONS for name in self.holding]
        kinds = [kind.name for kind in self.kinds]
        return (*first, *VALUE_FEATURES, *BOARD_FEATURES, *kinds, *slopes, *ADDED)

    @property
    def optional(self) -> tuple[str, ...]:
        """The names of the weights that a fit may leave out."""
        always = {*SPOT_FEATURES, *VALUE_FEATURES} - {*REPLACED}
        return tuple(name for name in self.names if name not in always)

    def code_masks(self, names: Collection[str]) -> npt.NDArray[np.uint32]:
        """Return the bits of a code that weights use, (1 + conditions,).

        The first mask is for the weights of every decision, the others for each of ``CONDITIONS``.
        """
        masks = np.zeros(1 + len(CONDITIONS), dtype=np.uint32)
        for name in names:
            feature, _, condition = name.partition("@")
            place = 1 + list(CONDITIONS).index(condition) if condition else 0
            for kind, shift, mask in zip(self.kinds, self.shifts, self.masks, strict=True):
                if kind.name == feature:
                    masks[place] |= mask << shift
        return masks

    @cached_property
    def columns(self) -> tuple[Ints, Ints]:
        """The indices in ``names`` of the decision's features (common,) and of the holding's.

        The latter are (1 + conditions, holding features), the plain weights first.
        """
        place = {name: i for i, name in enumerate(self.names)}
        common = np.array([place[name] for name in (*SPOT_FEATURES, *BOARD_FEATURES)])
        plain = [[place[name] for name in self.holding]]
        rows = [[place[f"{name}@{c}"] for name in self.holding] for c in CONDITIONS]
        return common, np.array(plain + rows)

    def codes(self, board: Board, live: Flags) -> Codes:
        """Return the levels of the features of each live holding, as bit fields, (holdings,)."""
        codes, room = np.empty(live.size, dtype=np.uint32), np.empty((6, 13), dtype=np.int64)
        down = TRIPLE_CARDS if live.size == N_TRIPLES else PAIR_CARDS
        unseen = int.from_bytes(np.packbits(board.unseen, bitorder="little").tobytes(), "little")
        stud_codes(down, live, np.array(board.up), board.highest_rival, unseen, room, codes)
        return codes


STUD_HIGH = FeatureSet(
    (
        HoldingFeature("pair", "1 with one pair", "one pair"),
        HoldingFeature("two_pair", "1 with two pair", "two pair"),
        HoldingFeature("trips", "1 with three of a kind or better", "trips"),
        HoldingFeature("straight", "1 with a straight", "a straight"),
        HoldingFeature("flush", "1 with a flush", "a flush"),
        HoldingFeature(
            "top_pair", "1 with a pair above every upcard of the opponents", "a top pair"
        ),
        HoldingFeature("hidden_pair", "1 with a pair in the hole", "a pair in the hole"),
        HoldingFeature(
            "door_match", "1 with a downcard of the rank of the door card", "a match of the door"
        ),
        HoldingFeature(
            "flush_draw",
            "1 with all cards of a suit; from 5th street on four of them",
            "a flush draw",
        ),
        HoldingFeature(
            "straight_draw",
            "1 with all cards within five ranks; from 5th street on four of them",
            "a straight draw",
        ),
        HoldingFeature(
            "overcard", "1 with a downcard above every upcard of the opponents", "an overcard"
        ),
        HoldingFeature("ace", "1 with an ace in the hole", "an ace in the hole"),
        HoldingFeature(
            "pair_rank", "rank of the highest pair, -1 for deuces to 1 for aces", values=(*BY_RANK,)
        ),
        HoldingFeature(
            "dead_pair", "dead cards of the rank of the highest pair, 0 to 1 for two", values=HALVES
        ),
        HoldingFeature(
            "dead_suit", "dead cards of the suit of a flush draw, 0 to 1 for three", values=THIRDS
        ),
        HoldingFeature(
            "kicker", "rank of the highest downcard, -1 for a deuce to 1 for an ace", values=BY_RANK
        ),
    ),
)


def spot_features(spot: DecisionPoint, public: float, board: Board | None) -> tuple[float, ...]:
    """Return the features of the decision, ``SPOT_FEATURES`` and ``BOARD_FEATURES``.

    They are about 0 or 1 in common situations, and always within -3 to 3. ``public`` is the mean
    chance to win of the live holdings; a policy may be shown without a board.
    """
    n = spot.n_active
    game = DEFAULT if board is None else board.game
    waiting = (
        n - 1 - len({seat for seat in spot.acted if seat in spot.active and seat != spot.seat})
    )
    seen = (
        1.0,
        float(spot.street == game.first),
        2.0 * (spot.street - game.first) / (game.last - game.first) - 1.0,
        min(spot.raises, 3) / 2.0,
        float(spot.to_call > 0 and spot.raises == 0),
        (n - 4) / 3.0,
        _log_share(spot.effective_odds, n),
        4.0 * spot.to_call / (spot.pot + spot.to_call) if spot.to_call else 0.0,
        _log_share(public, n),
        float(spot.leader == spot.seat),
        float(spot.leader not in (None, spot.seat)),
        waiting / max(1, n - 1),
        float(spot.seat in spot.acted),
        math.log(min(n, MOST_CROWDED) / 4.0),
        float(n == 2 and spot.street == game.first),
    )
    if board is None:
        return (*seen, *[0.0] * len(BOARDS))
    boards = [0.0 if of is None else float(of(board, spot)) for of in _boards_of(game.key)]
    return (*seen, *boards)


@cache
def _boards_of(game: str) -> list[Callable[[Board, DecisionPoint], float] | None]:
    """Return the functions of ``BOARDS``; None for those that the game does not have."""
    return [each.of if each.games(GAMES[game]) else None for each in BOARDS]


def conditions_of(spot: DecisionPoint, game: Variant = DEFAULT) -> tuple[float, ...]:
    """Return 1 for each of ``CONDITIONS`` that holds, else 0."""
    facing = spot.to_call > 0
    return (
        float(spot.street == game.first),
        float(spot.street >= game.last - 1),
        float(facing and spot.raises >= 1),
        float(facing and spot.raises >= 2),
        float(_trapping(spot)),
        float(spot.n_active == 2),
    )


def _log_share(share: float, n: int) -> float:
    """Return ln(N x share) clipped to -2..2; 0 is a fair share."""
    return min(2.0, max(-2.0, math.log(n * share))) if share > 0.0 else -2.0


def feature_words() -> dict[str, str]:
    """Return the meaning of each feature by name, for people."""
    kinds = {kind.name: kind.meaning for kind in STUD_HIGH.kinds}
    return {**SPOT_FEATURES, **BOARD_FEATURES, **VALUE_FEATURES, **kinds}
