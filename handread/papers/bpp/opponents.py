"""The opponents of BPP (Korb et al. 1999, 5.1): a card counter and a rule-based player.

Neither reads the bets of the others.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain

from handread.cards import Card
from handread.game.ranks import rank_five
from handread.game.steps import DecisionPoint
from handread.inference.observer import SPLIT
from handread.inference.readers import Observer
from handread.odds.five_card import FiveCardHands
from handread.odds.htpd import Unseen
from handread.papers.bpp.board import BoardReader, board_of
from handread.papers.bpp.play import Betting, action_probs, paper_betting
from handread.papers.bpp.types import PAPER


@lru_cache(maxsize=8192)
def chance_by_cards(
    down: tuple[Card, ...],
    up: tuple[Card, ...],
    others: tuple[tuple[Card, ...], ...],
    dead: tuple[Card, ...] = (),
) -> float:
    """Return the chance to win (a share of the pot) by the known cards alone.

    Completions are counted exactly; the authors took a large sample. Final hands are independent
    given the known cards, as if two players could hold the same card.
    """
    visible = [*up, *chain.from_iterable(others), *dead]
    hands = FiveCardHands(Unseen(visible), up)
    unseen = Unseen([*visible, *down])
    htpds = [FiveCardHands(unseen, cards).uniform_htpd for cards in others]
    type_values = hands.showdown.values(htpds, *SPLIT.nodes(len(htpds)))
    # In five-card stud, holdings are numbered by their only downcard.
    return float(hands.chances(type_values)[down[0]])


@dataclass(frozen=True, slots=True)
class ProbabilisticPlayer:
    """The probabilistic player: it bets by the curves of BPP and its chance by the cards alone."""

    betting: Betting = field(default_factory=paper_betting)
    name: str = "probabilistic"
    reader: BoardReader = field(default_factory=BoardReader)

    def decide(
        self, observer: Observer, spot: DecisionPoint, down: tuple[Card, ...]
    ) -> Mapping[str, float]:
        """Return the probability of each legal action, by the betting curves."""
        board = board_of(observer)
        up, others = board.sides(spot.seat)
        chance = chance_by_cards(down, up, others, board.dead)
        return self.betting.decide(chance, spot, down, up, board.bet)


Shares = tuple[float, float, float]
"""Probabilities of a bet or raise, a check or call, and a fold."""


def rule_shares(
    down: Sequence[Card], up: Sequence[Card], other: Sequence[Card], facing: bool
) -> Shares:
    """Return the action probabilities of Figure 4, whose "BPP" is the other player.

    They depend on whose upcards are better, on the player's whole hand, and on a bet to call
    (``facing``). Hands are ranked as they stand, and their types are BPP's 17.
    """
    hand, rank_showing = (*down, *up), rank_five(other)
    better_type = PAPER.hand(hand, to_come=False) > PAPER.hand(other, to_come=False)
    if rank_showing > rank_five(up):
        if rank_five(hand) > rank_showing:
            return (0.9, 0.1, 0.0) if better_type else (0.8, 0.2, 0.0)
        return (0.0, 0.15, 0.85)
    if facing:
        return (0.85, 0.15, 0.0) if better_type else (0.0, 0.85, 0.15)
    return (1.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class RuleBasedPlayer:
    """The rule-based player of Figure 4; of several opponents it looks at the best upcards."""

    name: str = "rule-based"
    reader: BoardReader = field(default_factory=BoardReader)

    def decide(
        self, observer: Observer, spot: DecisionPoint, down: tuple[Card, ...]
    ) -> Mapping[str, float]:
        """Return the probability of each legal action, by the rules."""
        up, others = board_of(observer).sides(spot.seat)
        best = max(others, key=rank_five)
        return action_probs(rule_shares(down, up, best, facing=spot.to_call > 0), spot)
