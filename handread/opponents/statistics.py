"""The statistics of stud, as data: when each has a chance to happen, and when it happens.

Each is the share of the situations ``when`` a player may do something in which the player ``does``.
A new statistic is a line of ``_DECLARED``.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from operator import attrgetter

import numpy as np

from handread.game.rules import STREET_NAMES, VARIANTS, Variant
from handread.game.steps import Decision
from handread.history import AGGRESSIVE, Action

MOST_COUNTED = 255
"""The largest count in a hand, so that narrow columns of tables hold it."""

ALIKE = 1.4
"""The number of bets of a hand, over all streets, with the evidence of one independent bet.

The variance of these shares from hand to hand is 1.0 to 1.6 times the variance of independent
actions for seven policies, 1.55 for 22 players of real logs; of other statistics below 1.2 times.
"""

COMMITTING = (Action.CALL, *AGGRESSIVE)


@dataclass(frozen=True, slots=True)
class StatisticSpot:
    """A decision as the statistics see it.

    Attributes:
        decision: The action, with its situation.
        first: True on the first street.
        last: True on the last street.
        turn: Number of the player's decisions on the street so far, this one included.
        brings_in: True if the bring-in is the player's, posted or completed at once.
        alone: True if nobody else but the bring-in has put in chips on the street.
        behind: Number of players who have yet to act, without the bring-in.
        best: True if the player alone shows the best board; None if an upcard was not seen.
        pairs_door: True if the card just dealt pairs the door card.
        brick: True if the card just dealt is a brick.
        checked: True if the player checked before on the street.
        aggressor: True if the player bet or raised before on the street.
    """

    decision: Decision
    first: bool
    last: bool
    turn: int
    brings_in: bool
    alone: bool
    behind: int
    best: bool | None
    pairs_door: bool
    brick: bool
    checked: bool
    aggressor: bool

    @property
    def may_bet(self) -> bool:
        """True on a later street where nobody has bet and the player may."""
        return not self.first and self.decision.to_call == 0 and self.decision.can_raise

    @property
    def may_complete(self) -> bool:
        """True on the first street before a full bet, if the player may make it."""
        return self.first and self.decision.raises == 0 and self.decision.can_raise

    @property
    def may_steal(self) -> bool:
        """True for one of the last two to act behind folds who may complete."""
        return self.may_complete and self.alone and self.behind < 2 and not self.brings_in

    @property
    def faces_completion(self) -> bool:
        """True on the first street facing one full bet, before the player has put one in."""
        return self.first and self.decision.raises == 1 and not self.aggressor

    @property
    def faces_bet(self) -> bool:
        """True on a later street facing a bet without having bet."""
        return not self.first and self.decision.to_call > 0 and not self.aggressor

    @property
    def has_new_card(self) -> bool:
        """True for the first decision after a card of a later street, if the player may bet."""
        return not self.first and self.turn == 1 and self.decision.can_raise


@dataclass(frozen=True, slots=True)
class Ending:
    """The end of a hand for a player: whether they reached the second street, and a showdown."""

    stayed: bool
    showdown: bool
    wins: bool
    scoops: bool


@dataclass(frozen=True, slots=True)
class Statistic:
    """A statistic of players.

    Attributes:
        key: Its name in tables and JSON.
        phrase: The player's action, for a sentence: "folds 5th street to a bet".
        definition: The actions counted, and the situations they are a share of.
        when: True for a situation that counts, on its street.
        does: True for an action that counts as done.
        group: The statistics beside it in outputs.
        games: True for a game that has it.
        short: Its head in a table of players, if any.
        street: The number of its street; None for all streets, or the first.
        once: True if it is counted at most once a hand, as done if it is done at all.
        ends: True for a statistic of an ``Ending`` in place of a situation.
        alike: Number of situations with the evidence of one: situations of a hand are alike.
    """

    key: str
    phrase: str
    definition: str
    when: Callable[..., bool]
    does: Callable[..., bool]
    group: str
    games: Callable[[Variant], bool] = attrgetter("readable")
    short: str = ""
    street: int | None = None
    once: bool = False
    ends: bool = False
    alike: float = 1.0

    def in_game(self, game: Variant) -> bool:
        """Return True if a game has the statistic."""
        on = self.street is None or game.first < self.street <= game.last
        return on and game.readable and self.games(game)

    def words(self, game: Variant, text: str) -> str:
        """Return a text of the statistic with the names of its street and a game's first street."""
        street = game.first if self.street is None else self.street
        return text.format(first=STREET_NAMES[game.first], street=STREET_NAMES[street])


def _by(*actions: Action) -> Callable[[StatisticSpot], bool]:
    return lambda situation: situation.decision.action in actions


GROUPS = ("first street", "bets", "facing a bet", "showdown", "aggression")
OPENING, BETTING, FACING, SHOWING, AGGRESSION = GROUPS
"""The groups of statistics, in the order of outputs."""

_LATER = range(3, 8)
"""The streets after the first in any game."""


def _each_street(statistic: Statistic) -> list[Statistic]:
    """Return a statistic; if its phrase names a street, one for each street after the first."""
    if "{street}" not in statistic.phrase:
        return [statistic]
    key = statistic.key
    return [replace(statistic, key=f"{key}_{street}", street=street) for street in _LATER]


_opening, _betting, _facing = (
    partial(Statistic, group=group) for group in (OPENING, BETTING, FACING)
)
_showing = partial(Statistic, group=SHOWING, ends=True)
_aggressive = partial(Statistic, group=AGGRESSION, when=_by(*COMMITTING), does=_by(*AGGRESSIVE))

_DECLARED = (
    _opening(
        "plays",
        phrase="plays {first} street",
        definition="calls, completes or raises on {first} street, of the hands with a choice there",
        when=lambda s: s.first,
        does=_by(*COMMITTING),
        short="plays",
        once=True,
    ),
    _opening(
        "raises",
        phrase="completes or raises on {first} street",
        definition="bets, completes or raises on {first} street, of the hands with a choice there",
        when=lambda s: s.first,
        does=_by(*AGGRESSIVE),
        short="raises",
        once=True,
    ),
    _opening(
        "completes",
        phrase="completes when nobody has",
        definition="completes or bets, where nobody has made a full bet on {first} street",
        when=lambda s: s.may_complete,
        does=_by(*AGGRESSIVE),
    ),
    _opening(
        "limps",
        phrase="limps behind the bring-in",
        definition="calls the bring-in alone, where nobody has completed",
        when=lambda s: s.may_complete and s.decision.to_call > 0 and not s.brings_in,
        does=_by(Action.CALL),
        games=attrgetter("opens_by_bring_in"),
    ),
    _opening(
        "reraises",
        phrase="re-raises a completion",
        definition="raises, facing one completion or bet on {first} street",
        when=lambda s: s.faces_completion and s.decision.can_raise,
        does=_by(*AGGRESSIVE),
        short="3-bets",
    ),
    _opening(
        "folds_to_completion",
        phrase="folds to a completion",
        definition="folds, facing one completion or bet on {first} street, without the bring-in",
        when=lambda s: s.faces_completion and not s.brings_in,
        does=_by(Action.FOLD),
    ),
    _opening(
        "defends",
        phrase="defends the bring-in",
        definition="calls or raises one completion after bringing in",
        when=lambda s: s.faces_completion and s.brings_in,
        does=_by(*COMMITTING),
        games=attrgetter("opens_by_bring_in"),
    ),
    _opening(
        "steals_high",
        phrase="steals with the best door card",
        definition="completes first in with the last or second to last upcard, the best on view",
        when=lambda s: s.may_steal and s.best is True,
        does=_by(*AGGRESSIVE),
        games=attrgetter("opens_by_bring_in"),
        short="steals",
    ),
    _opening(
        "steals_low",
        phrase="steals without the best door card",
        definition="completes first in with the last or second to last upcard, one at least as "
        "good on view",
        when=lambda s: s.may_steal and s.best is False,
        does=_by(*AGGRESSIVE),
        games=attrgetter("opens_by_bring_in"),
    ),
    _betting(
        "bets_with_lead",
        phrase="bets {street} street with the lead",
        definition="bets {street} street where nobody has, after betting or raising last in the "
        "hand",
        when=lambda s: s.may_bet and s.decision.leader == s.decision.seat,
        does=_by(Action.BET),
    ),
    _betting(
        "bets_without_lead",
        phrase="bets {street} street without the lead",
        definition="bets {street} street where nobody has, after somebody else or nobody bet last",
        when=lambda s: s.may_bet and s.decision.leader != s.decision.seat,
        does=_by(Action.BET),
    ),
    _betting(
        "bets_best_board",
        phrase="bets with the best board",
        definition="bets a later street where nobody has, showing the best board",
        when=lambda s: s.may_bet and s.best is True,
        does=_by(Action.BET),
        alike=ALIKE,
    ),
    _betting(
        "bets_paired_door",
        phrase="bets after pairing the door card",
        definition="bets or raises at the first chance after a card that pairs the door card",
        when=lambda s: s.has_new_card and s.pairs_door,
        does=_by(*AGGRESSIVE),
        games=attrgetter("wins_high"),
    ),
    _betting(
        "bets_brick",
        phrase="bets after a brick",
        definition="bets or raises at the first chance after a brick: in razz and hi/lo a card "
        "above an eight or one that pairs the board, else a card below the door card, of no rank "
        "or suit on the board",
        when=lambda s: s.has_new_card and s.brick,
        does=_by(*AGGRESSIVE),
    ),
    _facing(
        "folds",
        phrase="folds {street} street to a bet",
        definition="folds, facing a bet on {street} street without having bet",
        when=lambda s: s.faces_bet,
        does=_by(Action.FOLD),
    ),
    _facing(
        "check_raises",
        phrase="check-raises",
        definition="raises, facing a bet after a check on the street",
        when=lambda s: s.faces_bet and s.checked and s.decision.can_raise,
        does=_by(*AGGRESSIVE),
    ),
    _facing(
        "calls_last",
        phrase="calls the last bet",
        definition="calls, facing a bet on the last street",
        when=lambda s: s.faces_bet and s.last,
        does=_by(Action.CALL),
    ),
    _showing(
        "to_showdown",
        phrase="goes to showdown",
        definition="is in at the showdown, of the hands that came beyond {first} street",
        when=lambda e: e.stayed,
        does=lambda e: e.showdown,
        short="to SD",
    ),
    _showing(
        "wins_showdown",
        phrase="wins at showdown",
        definition="wins chips, of the showdowns",
        when=lambda e: e.showdown,
        does=lambda e: e.wins,
        short="won SD",
    ),
    _showing(
        "scoops",
        phrase="scoops at showdown",
        definition="wins all of the pot, of the showdowns",
        when=lambda e: e.showdown,
        does=lambda e: e.scoops,
        games=attrgetter("splits"),
        short="scoops",
    ),
    _aggressive(
        "aggression",
        phrase="bets or raises",
        definition="bets and raises, of all bets, raises and calls of the hand",
        short="aggr.",
        alike=ALIKE,
    ),
    _aggressive(
        "aggression",
        phrase="bets or raises on {street} street",
        definition="bets and raises, of all bets, raises and calls on {street} street",
    ),
)

STATISTICS = tuple(chain.from_iterable(map(_each_street, _DECLARED)))
"""All statistics, in the order of outputs."""

PLACES = {statistic.key: place for place, statistic in enumerate(STATISTICS)}
"""The index of each statistic among all, by key."""


def of_game(game: Variant) -> tuple[Statistic, ...]:
    """Return the statistics that a game has, in order."""
    return tuple(statistic for statistic in STATISTICS if statistic.in_game(game))


BY_GAME = {key: of_game(game) for key, game in VARIANTS.items()}

ON_STREET = {
    (key, street): tuple(s for s in BY_GAME[key] if not s.ends and s.street in (None, street))
    for key in VARIANTS
    for street in STREET_NAMES
}
"""The statistics of the decisions on a street, by the key of the game and the street."""

OF_ENDINGS = {key: tuple(s for s in of_key if s.ends) for key, of_key in BY_GAME.items()}
"""The statistics of the endings of a hand, by the key of the game."""

MOST_A_HAND = np.array([1 if statistic.once else MOST_COUNTED for statistic in STATISTICS])
"""The largest count of each statistic in a hand (statistics,)."""


def main_of(game: Variant) -> tuple[Statistic, ...]:
    """Return the statistics of a game in a table of players."""
    return tuple(statistic for statistic in BY_GAME[game.key] if statistic.short)
