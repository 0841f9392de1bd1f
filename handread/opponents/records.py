"""The record of a player in a hand, and the records of players over many hands."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from handread.cards import Card
from handread.game.ranks import HIGH_CARD
from handread.game.rules import Variant, variant_of
from handread.game.steps import Replay
from handread.history import AGGRESSIVE, Action
from handread.odds.holdings import kind_of
from handread.opponents.counts import Counts, seat_counts
from handread.opponents.statistics import STATISTICS
from handread.study.session_values import YOU

OPENINGS = ("folded", "brought in", "checked", "limped", "called", "completed", "re-raised")
FOLDED, BROUGHT_IN, CHECKED, LIMPED, CALLED, COMPLETED, RERAISED = OPENINGS
"""Actions of a player on the first street, the strongest last; a bet counts as a completion."""

AT_ONCE = 500
"""The most hands whose counts wait to be added."""

LARGEST = 5
"""The number of hands shown down that a record keeps."""

_TEN = 9
"""The rank of a ten with the ace low."""


@dataclass(frozen=True, slots=True)
class SeatHand:
    """The record of a player in one hand.

    Attributes:
        seat: Number of the seat.
        name: The player's name; ``YOU`` for a hero without one, empty for other nameless players.
        you: True for the hero.
        net_bets: Net result in big bets; None for an unfinished hand, and in tournaments.
        opening: The strongest of ``OPENINGS``; empty without a choice.
        shown: The family of the first cards, if they were shown down.
        address: The file and the line of the hand, as commands take it.
        bluffed: True if the player bet or raised the last street and showed down nothing; None
            without such a bet that was shown down.
        tally: The ``counts`` as bytes: pickling a small array takes longer than all else.
        factors: The factors that a read of the hand gives the odds of the player's styles; empty
            without such a read.
    """

    seat: int
    name: str
    you: bool
    net_bets: float | None
    opening: str
    shown: str
    bluffed: bool | None
    address: str
    tally: bytes
    factors: tuple[float, ...] = ()

    @property
    def counts(self) -> Counts:
        """The counts of the statistics (statistics, 2)."""
        return np.frombuffer(self.tally, dtype=np.uint8).reshape(-1, 2).astype(np.int64)


def tally_of(counts: Counts) -> bytes:
    """Return the counts of a hand for ``SeatHand``; they are at most ``MOST_A_HAND``."""
    return counts.astype(np.uint8).tobytes()


def seat_hands(replay: Replay) -> list[SeatHand]:
    """Return the records of the players dealt in, for one hand."""
    history = replay.history
    if not replay.streets:
        return []
    return [
        SeatHand(
            seat,
            name=history.seat(seat).name or (YOU if seat == history.hero else ""),
            you=seat == history.hero,
            net_bets=_net_bets(replay, seat),
            opening=_opening(replay, seat),
            shown=_shown(replay, seat),
            bluffed=_bluffed(replay, seat),
            address=f"{history.source.file}:{history.source.line}",
            tally=tally_of(counts),
        )
        for seat, counts in seat_counts(replay).items()
    ]


def _net_bets(replay: Replay, seat: int) -> float | None:
    big = replay.stakes.big
    # The big bets of a tournament grow: a player may win in big bets and lose chips.
    if not (replay.finished and big) or replay.history.tournament:
        return None
    return replay.net(seat) / big


def _opening(replay: Replay, seat: int) -> str:
    street = replay.streets[0]
    openings = [BROUGHT_IN] if seat == street.bring_in else []
    for decision in street.decisions:
        if decision.seat != seat:
            continue
        if decision.action is Action.FOLD:
            openings.append(FOLDED)
        elif decision.action is Action.CHECK:
            openings.append(CHECKED)
        elif decision.action is Action.CALL:
            openings.append(CALLED if decision.raises else LIMPED)
        else:
            openings.append(RERAISED if decision.raises else COMPLETED)
    return max(openings, key=OPENINGS.index, default="")


def _shown(replay: Replay, seat: int) -> str:
    """Return the family of the first cards of a seat still in at the showdown."""
    first, game = replay.streets[0], variant_of(replay.history.variant)
    down = replay.downcards_on(first.number).get(seat)
    up = [card for card in first.upcards[seat] if card is not None]
    if seat not in replay.showdown or down is None or not up:
        return ""
    return kind_of(down, up, game.key).family


def _bluffed(replay: Replay, seat: int) -> bool | None:
    last, game = replay.streets[-1], variant_of(replay.history.variant)
    if seat not in replay.showdown or last.number != game.last or not replay.finished:
        return None
    if not any(d.seat == seat and d.action in AGGRESSIVE for d in last.decisions):
        return None
    cards = replay.final_cards(seat)
    return None if cards is None else holds_nothing(game, cards)


def holds_nothing(game: Variant, cards: Sequence[Card]) -> bool:
    """Return True for a final hand without a pair or a low (with any low, below a ten-low)."""
    high = game.high is None or (game.high(cards) or (HIGH_CARD,))[0] == HIGH_CARD
    low = None if game.low is None else game.low(cards)
    ten = _TEN if game.ace_is_low else _TEN - 1
    good = low is not None and low[0] == HIGH_CARD and -low[1] <= ten
    return high and not good


class Style(NamedTuple):
    """The probability of a style of a panel for a player, and for a stranger."""

    probability: float
    stranger: float


class ShownHand(NamedTuple):
    """A hand shown down by a player: the result in big bets, the opening, and the first cards.

    ``address`` is the file and line of the hand. ``bits`` is log2 of the probability of all
    downcards by the last read over their probability if all possible ones are alike; NaN without a
    read.
    """

    net: float
    opening: str
    family: str
    address: str
    bits: float = math.nan


@dataclass(slots=True)
class PlayerRecord:
    """The record of a player in one game.

    Attributes:
        name: The player's name; empty for all players without one.
        game: The game.
        you: True for the hero.
        hands: Number of hands dealt in.
        counted: The counts of the statistics (statistics, 2), without ``tallies``.
        finished: Number of hands with a result.
        net: Sum of these results, in big bets.
        adjusted: The same sum without the luck of the cards; None if decisions were not valued.
        shown: How often first cards were shown down, by the opening and the family.
        largest: The hands shown down with the largest results, won or lost.
        unexpected: The hands shown down that surprised the last read most; only in tables, on
            request.
        bluffs: Number of bluffs among the last street's bets that were shown down, and of these
            bets.
        styles: The styles by name, most probable first; empty without reads.
        tallies: The counts of the last hands, to be added many at a time.
    """

    name: str
    game: Variant
    you: bool = False
    hands: int = 0
    counted: Counts = field(default_factory=lambda: np.zeros((len(STATISTICS), 2), dtype=np.int64))
    finished: int = 0
    net: float = 0.0
    adjusted: float | None = None
    shown: Counter[tuple[str, str]] = field(default_factory=Counter)
    largest: list[ShownHand] = field(default_factory=list)
    unexpected: list[ShownHand] = field(default_factory=list)
    bluffs: tuple[int, int] = (0, 0)
    styles: Mapping[str, Style] = field(default_factory=dict)
    tallies: list[bytes] = field(default_factory=list)

    @property
    def counts(self) -> Counts:
        """The counts of the statistics (statistics, 2)."""
        self._count()
        return self.counted

    def _count(self) -> None:
        if self.tallies:
            hands = np.frombuffer(b"".join(self.tallies), dtype=np.uint8)
            self.counted += hands.reshape(-1, *self.counted.shape).sum(axis=0, dtype=np.int64)
            self.tallies.clear()

    def families(self) -> Counter[str]:
        """Return the number of hands shown down by family of their first cards."""
        counts: Counter[str] = Counter()
        for (_, family), n in self.shown.items():
            counts[family] += n
        return counts

    def add(self, hand: SeatHand) -> None:
        """Add a hand."""
        self.you |= hand.you
        self.hands += 1
        self.tallies.append(hand.tally)
        if len(self.tallies) >= AT_ONCE:
            self._count()
        if hand.net_bets is not None:
            self.finished += 1
            self.net += hand.net_bets
        if hand.shown:
            self.shown[hand.opening, hand.shown] += 1
            if hand.net_bets is not None:
                self.keep([ShownHand(hand.net_bets, hand.opening, hand.shown, hand.address)])
        if hand.bluffed is not None:
            self.bluffs = self.bluffs[0] + hand.bluffed, self.bluffs[1] + 1

    def keep(self, showdowns: Iterable[ShownHand]) -> None:
        """Keep the hands with the largest results among old and new ones."""
        ordered = sorted([*self.largest, *showdowns], key=lambda shown: -abs(shown.net))
        self.largest = ordered[:LARGEST]

    def keep_unexpected(self, showdowns: Iterable[ShownHand]) -> None:
        """Keep the least expected hands among old and new ones."""
        ordered = sorted([*self.unexpected, *showdowns], key=lambda shown: shown.bits)
        self.unexpected = ordered[:LARGEST]

    def merge(self, other: "PlayerRecord") -> None:
        """Add the record of the same player from other hands."""
        self.you |= other.you
        self.hands += other.hands
        self.counted += other.counts
        self.finished += other.finished
        self.net += other.net
        both = self.adjusted is not None and other.adjusted is not None
        self.adjusted = (self.adjusted or 0.0) + (other.adjusted or 0.0) if both else None
        self.shown += other.shown
        self.keep(other.largest)
        self.keep_unexpected(other.unexpected)
        self.bluffs = self.bluffs[0] + other.bluffs[0], self.bluffs[1] + other.bluffs[1]
        self.styles = _both(self.styles, other.styles)


def _both(styles: Mapping[str, Style], others: Mapping[str, Style]) -> Mapping[str, Style]:
    """Return the styles of a player by two sets of hands; by one, if the other lacks them."""
    if styles.keys() != others.keys():
        return styles or others
    together = ((name, share, others[name].probability) for name, share in styles.items())
    odds = {name: share.probability * other / share.stranger for name, share, other in together}
    total = sum(odds.values())
    both = {name: Style(odds[name] / total, share.stranger) for name, share in styles.items()}
    return dict(sorted(both.items(), key=lambda item: -item[1].probability))


Players = dict[tuple[str, str], PlayerRecord]
"""Records by the name of the player and the key of the game."""


def add_hands(players: Players, game: Variant, hands: Iterable[SeatHand]) -> None:
    """Add the records of a hand to the records of its players."""
    for hand in hands:
        player = players.get((hand.name, game.key))
        if player is None:
            player = players[hand.name, game.key] = PlayerRecord(hand.name, game)
        player.add(hand)


def merge(players: Players, others: Players) -> None:
    """Add records from other hands."""
    for key, other in others.items():
        if key in players:
            players[key].merge(other)
        else:
            players[key] = other


def records_of(replays: Iterable[Replay]) -> Players:
    """Return the records of the players of some hands."""
    players: Players = {}
    for replay in replays:
        add_hands(players, variant_of(replay.history.variant), seat_hands(replay))
    return players
