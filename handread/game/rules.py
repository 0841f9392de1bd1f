"""The games as data: streets, stakes, and the rules that differ between games."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple, TypeVar

import handread.game.ranks as ranking
from handread.cards import Card, rank_of


@dataclass(frozen=True, slots=True)
class Street:
    """One street: its number, and the cards that each player is dealt."""

    number: int
    down: int
    up: int

    @property
    def name(self) -> str:
        """The ordinal of the street, such as "3rd"."""
        return STREET_NAMES[self.number]


STREET_NAMES = {2: "2nd", 3: "3rd", 4: "4th", 5: "5th", 6: "6th", 7: "7th"}
STREETS = (Street(3, 2, 1), Street(4, 0, 1), Street(5, 0, 1), Street(6, 0, 1), Street(7, 1, 0))
"""Streets of the games with seven cards."""
FIVE_CARD_STREETS = (Street(2, 1, 1), Street(3, 0, 1), Street(4, 0, 1), Street(5, 0, 1))
"""Streets of five-card stud: one card down, four up."""


T = TypeVar("T")


class Stage(NamedTuple):
    """A street after its deal, or after its betting."""

    street: int
    after_bets: bool

    @property
    def name(self) -> str:
        """Its name: "5D" is 5th street after the deal, "5B" after the betting."""
        return f"{self.street}{'B' if self.after_bets else 'D'}"


_EVERY_STAGE = [Stage(number, after) for number in STREET_NAMES for after in (False, True)]
STAGE_OF: Mapping[str, Stage] = {stage.name: stage for stage in _EVERY_STAGE}
"""Stages of all games by name, in the order of play. Five-card stud has those from 2D to 5B."""
ALL_STAGES = tuple(STAGE_OF)
"""The names of these stages."""
STAGES = ALL_STAGES[2:]
"""The names of the stages of the games with seven cards."""
AFTER_BETS = tuple(name for name, stage in STAGE_OF.items() if stage.after_bets)
"""The names of the stages after the betting."""
MAX_PLAYERS = 8


@dataclass(frozen=True, slots=True)
class Unit:
    """Unit of the amounts, which are integers in minor units: 125 is $1.25 in ``Unit(2, "$")``.

    Attributes:
        decimals: Number of digits after the point; 0 for tournament chips.
        symbol: Currency symbol; empty for chips.
    """

    decimals: int = 2
    symbol: str = ""

    def text(self, amount: int) -> str:
        """Return the exact amount as text, such as "$1,234.50".

        Args:
            amount: The amount in minor units.
        """
        sign = "-" if amount < 0 else ""
        if self.decimals == 0:
            return f"{sign}{self.symbol}{abs(amount):,}"
        whole, part = divmod(abs(amount), 10**self.decimals)
        return f"{sign}{self.symbol}{whole:,}.{part:0{self.decimals}d}"

    def amount(self, text: str) -> int:
        """Return the amount above zero that a text states, in minor units.

        Args:
            text: The amount without a symbol, such as "1,234.50".

        Raises:
            ValueError: The text is not such an amount, or is finer than the unit.
        """
        try:
            minor = Decimal(text.replace(",", "")).scaleb(self.decimals)
        except ArithmeticError:
            raise ValueError(f"{text!r} is no amount") from None
        if not 0 < minor < 10**15 or minor != int(minor):
            raise ValueError(f"{text!r} is no amount of whole {self.text(1)}s above zero")
        return int(minor)


@dataclass(frozen=True, slots=True)
class Stakes:
    """The stakes of a fixed-limit game. Amounts are in minor units.

    Attributes:
        ante: The ante; 0 for none.
        bring_in: The bring-in; 0 for none.
        bets: The bet of each street, from the first.
        cap: Number of bets and raises that a street allows; a bet or completion is the first.
        cap_heads_up: The same between two players; None for no cap.
        open_pair_doubles: True if a pair on view on 4th street allows the bet of 5th street.
        inferred: True if the log does not state the bets, and they were inferred from the actions.
    """

    ante: int
    bring_in: int
    bets: tuple[int, ...]
    cap: int = 4
    cap_heads_up: int | None = 4
    open_pair_doubles: bool = False
    inferred: bool = False

    @property
    def small(self) -> int:
        """The bet of the first street, in minor units."""
        return self.bets[0]

    @property
    def big(self) -> int:
        """The bet of the last street, in minor units."""
        return self.bets[-1]


SAUND_UNIT = Unit(2, "")
SAUND_STAKES = Stakes(ante=25, bring_in=25, bets=(100, 100, 200, 200, 200))
"""Ante .25, bring-in .25, bets 1 1 2 2 2, four bets a street (Saund 2006, footnote 1)."""

_OTHER_GAMES = {
    r"razz": "razz",
    r"hold.?em": "Hold'em",
    r"omaha.*(?:hi.?lo|h.?l\b|8)": "Omaha hi/lo",
    r"omaha": "Omaha",
    r"stud.*(?:hi.?lo|h.?l\b|8)": "seven-card stud hi/lo",
    r"triple draw.*2-7|2-7.*triple draw": "2-7 triple draw",
    r"single draw.*2-7|2-7.*single draw": "2-7 single draw",
    r"badugi": "badugi",
}
_LIMIT = re.compile(r"\b(?:(?:no|pot|fixed)[ -]limit|limit|nl|pl|fl)\b|\(.*?\)", re.IGNORECASE)
_UNFIXED = re.compile(r"\b(?:(no|pot)[ -]limit|(n|p)l)\b", re.IGNORECASE)
_STUD = re.compile(r"stud|razz|(?:7|seven).?card", re.IGNORECASE)


def unfixed_limit(text: str) -> str:
    """Return ``no-limit`` or ``pot-limit`` if a text names one of them; else an empty text."""
    match = _UNFIXED.search(text)
    return "" if match is None else "no-limit" if match[0][0] in "nN" else "pot-limit"


def game_name(title: str) -> str:
    """Return a uniform name for a game with several names in logs; for stud, with the limit."""
    limit = unfixed_limit(title) if _STUD.search(title) else ""
    known = (name for words, name in _OTHER_GAMES.items() if re.search(words, title, re.IGNORECASE))
    name = next(known, " ".join(_LIMIT.sub(" ", title).split()) or title)
    return f"{limit} {name}".strip()


@dataclass(frozen=True)
class Variant:
    """The rules of a game as one value; the defaults are stud high's, without its open pair.

    To add a game, give it an entry in ``VARIANTS``. Write its card functions in ``game.ranks``, the
    classes of its final hands in ``odds.showdown``, and its names on a site in the grammar of the
    site. Other modules ask for what a game is like; CONTRIBUTING.md lists texts that name all.
    """

    key: str  # name in files and tables
    title: str  # name for people
    readable: bool = True  # True if handread reads the game; hands of other games are counted
    streets: tuple[Street, ...] = STREETS  # the deals, in order, numbered without a gap
    max_players: int = MAX_PLAYERS  # players for whom the deck suffices
    # seats in order of liability for the bring-in, by their door cards
    brings_in: Callable[[Mapping[int, Card]], list[int]] = field(
        default=ranking.bring_in_seats, repr=False
    )
    # rank of a player's upcards; the best opens a later street
    showing: Callable[[Sequence[Card]], ranking.HandRank] = field(
        default=ranking.rank_five, repr=False
    )
    opens_by_bring_in: bool = True  # False if the best upcards open a hand without a bring-in
    # rank of a hand for the high; ``None`` if no high wins
    high: ranking.RankHand | None = field(default=ranking.best_hand, repr=False)
    # Rank of a hand for the low; ``None`` if no low wins. A game with both splits each pot, and the
    # high takes all of it where no low qualifies.
    low: ranking.RankHand | None = field(default=None, repr=False)
    eight_or_better: bool = False  # True if ``low`` needs an eight or better
    ace_is_low: bool = True  # the rank of the ace in a low
    like: str = ""  # key of a game whose data about people's play serve this game, which has none
    phh: str = ""  # code in PHH; empty where PHH has none
    big_bet_from: int = 5  # first street of the big bet
    # street on which a pair on view allows the bet of the next street
    open_pair_street: int | None = None
    cap: int = 4  # most bets and raises on a street where the stakes are not stated

    @cached_property
    def first(self) -> int:
        """Number of the first street."""
        return self.streets[0].number

    @cached_property
    def last(self) -> int:
        """Number of the last street."""
        return self.streets[-1].number

    @cached_property
    def dealt(self) -> dict[int, tuple[int, int]]:
        """Number of cards of a player after the deal of each street, down and up."""
        down = accumulate(street.down for street in self.streets)
        up = accumulate(street.up for street in self.streets)
        return dict(zip(range(self.first, self.last + 1), zip(down, up, strict=True), strict=True))

    @cached_property
    def n_cards(self) -> int:
        """Number of cards of a whole hand."""
        return sum(self.dealt[self.last])

    @cached_property
    def up_places(self) -> slice:
        """Places of the upcards in a whole hand in dealt order."""
        first = self.dealt[self.first][0]
        return slice(first, first + self.dealt[self.last][1])

    @property
    def stages(self) -> tuple[str, ...]:
        """Names of the stages: after the deal and after the betting of each street."""
        return tuple(f"{street.number}{half}" for street in self.streets for half in "DB")

    @property
    def wins_high(self) -> bool:
        """True if the high hand wins the pot or half of it."""
        return self.high is not None

    @property
    def splits(self) -> bool:
        """True if high and low share the pot."""
        return self.wins_high and self.low is not None

    @property
    def seven_card_high(self) -> bool:
        """True if seven cards make a high: the holdings are those of stud high."""
        return self.wins_high and self.n_cards == sum(street.down + street.up for street in STREETS)

    def low_rank(self, card: Card) -> int:
        """Return the rank of a card in a low: 0 for a low ace, 1 for a deuce, 13 for a high ace."""
        return ranking.low_rank_of(card) if self.ace_is_low else rank_of(card) + 1

    def leads(self, showing: Mapping[int, Sequence[Card]]) -> list[int]:
        """Return the seats whose upcards are best; more than one when equal hands show."""
        ranks = {seat: self.showing(cards) for seat, cards in showing.items()}
        best = max(ranks.values())
        return [seat for seat, rank in ranks.items() if rank == best]

    def ranks(self, cards: Sequence[Card]) -> tuple[ranking.HandRank | None, ...]:
        """Return the rank of a whole hand for each half of the pot, the high first.

        One rank where the pot is not split; ``None`` where the hand does not qualify.
        """
        return tuple(rank(cards) for rank in (self.high, self.low) if rank is not None)

    def bets(self, small: int, big: int) -> tuple[int, ...]:
        """Return the bet of each street, in minor units."""
        return tuple(small if street.number < self.big_bet_from else big for street in self.streets)

    def bet(self, stakes: Stakes, street: int) -> int:
        """Return the bet of a street, in minor units."""
        return stakes.bets[street - self.first]

    def later_bets(self, stakes: Stakes, street: int) -> int:
        """Return the sum of one bet on each later street, in minor units (Saund, section IV)."""
        return sum(stakes.bets[street - self.first + 1 :])

    def __reduce__(self) -> tuple[Callable[[str], Variant], tuple[str]]:
        """Pickle a game by its key: there is one value for each in a process."""
        return variant_of, (self.key,)


STUD = Variant("stud", "seven-card stud", open_pair_street=4, phh="F7S")
STUD8 = Variant(
    "stud8", "seven-card stud hi/lo", low=ranking.best_eight_low, eight_or_better=True, phh="F7S/8"
)
STUD_HL = Variant(
    "studhl", "seven-card stud hi/lo without a qualifier", low=ranking.best_low, like=STUD8.key
)
RAZZ = Variant(
    "razz",
    "razz",
    phh="FR",
    brings_in=ranking.razz_bring_in_seats,
    showing=ranking.rank_low,
    high=None,
    low=ranking.best_low,
)
DEUCE_RAZZ = Variant(
    "27razz",
    "deuce-to-seven razz",
    brings_in=ranking.deuce_bring_in_seats,
    showing=ranking.rank_deuce_low,
    high=None,
    low=ranking.best_deuce_low,
    ace_is_low=False,
    like=RAZZ.key,
)
FIVE_STUD = Variant(
    "5stud", "five-card stud", streets=FIVE_CARD_STREETS, opens_by_bring_in=False, big_bet_from=4
)
OTHER = Variant("other", "another game", readable=False)
"""Stands for all games that are not read."""

DEFAULT = STUD
"""The game of a log, a policy or a call that names none."""

_ALL = (STUD, STUD8, STUD_HL, RAZZ, DEUCE_RAZZ, FIVE_STUD, OTHER)
VARIANTS = {variant.key: variant for variant in _ALL}
GAMES = {key: variant for key, variant in VARIANTS.items() if variant.readable}
"""The games that are read, by key."""

ONLY_STUD = "handread reads fixed-limit stud only"
"""Message for a hand of another game."""

NOT_BY_READER = "the reader does not read this game"
"""Message for a hand of a game that the chosen reader does not analyze."""

NOT_TO_END = "the hand is not analyzed to its end"
"""Ending of the message about a single hand that cannot be analyzed."""


def variant_of(key: str) -> Variant:
    """Return the game with this key, or the one that stands for all unknown games."""
    return VARIANTS.get(key, OTHER)


def of_game(by_game: Mapping[str, T], key: str, otherwise: T) -> T:
    """Return the value of a game by its key, else the value of the game that it is like."""
    return by_game.get(key, by_game.get(variant_of(key).like, otherwise))
