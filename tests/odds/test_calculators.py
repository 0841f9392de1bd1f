"""The shares of random positions against two independent calculators.

``poker-equity`` walks all deals or samples them, PokerKit samples. Both deal the cards to come
jointly, as ``inference.joint`` does.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np
import pytest

from docs.site.independence import joint_chances
from handread.cards import Card, cards_text, holding_index
from handread.game.rules import FIVE_STUD, RAZZ, STUD, STUD8, Variant
from handread.inference.joint import Hidden
from handread.inference.observer import SPLIT
from handread.inference.viewpoint import certainty
from handread.odds.htpd import Hands, LastHands, Unseen
from handread.odds.showdown import showdown_of
from tests import naive

POSITIONS = 200
KEYS = {STUD: "stud", STUD8: "stud_hi_lo", RAZZ: "razz"}
SIZES = {1: 52, 2: 1326, 3: 22100}

pytestmark = pytest.mark.thorough


@dataclass(frozen=True)
class Position:
    """Known cards of some seats on a street, and dead upcards of players who folded."""

    game: Variant
    down: tuple[tuple[Card, ...], ...]
    up: tuple[tuple[Card, ...], ...]
    dead: tuple[Card, ...]

    @property
    def hands(self) -> list[tuple[Card, ...]]:
        return [(*down, *up) for down, up in zip(self.down, self.up, strict=True)]

    def hidden(self) -> Hidden:
        """The position for ``joint``: every pdd is certain."""
        shown = {card for cards in self.up for card in cards}
        pdds = {seat: certainty(SIZES[len(own)], own) for seat, own in enumerate(self.down)}
        return Hidden(dict(enumerate(self.up)), frozenset(shown | {*self.dead}), pdds, self.game)


def random_position(rng: Random, game: Variant, street: int | None = None) -> Position:
    """Two to five seats on any street, often with low cards, and up to twelve dead cards."""
    n_down, n_up = game.dealt[street or rng.randint(game.first, game.last)]
    seats = 2 if street else rng.randint(2, 5)
    deck = naive.unseen_cards([])
    rng.shuffle(deck)
    if rng.random() < 0.6:  # random cards seldom make a low
        deck.sort(key=lambda card: rng.random() + (4 < card // 4 < 12))
    size = n_down + n_up
    dealt = [[Card(card) for card in deck[i * size : (i + 1) * size]] for i in range(seats)]
    rest = deck[seats * size :]
    return Position(
        game,
        tuple(tuple(hand[:n_down]) for hand in dealt),
        tuple(tuple(hand[n_down:]) for hand in dealt),
        tuple(map(Card, rng.sample(rest, rng.randint(0, 12)))),
    )


def text(cards: tuple[Card, ...]) -> str:
    return cards_text(cards, "")


def exact_shares(position: Position) -> list[float]:
    """The shares of two seats on 6th or 7th street by the operators.

    One seat gets each of its last cards in turn; the operator of the other counts the rest.
    """
    showdown = showdown_of(position.game)
    (_, other), (mine, yours) = position.up, position.down
    known = {card for hand in position.hands for card in hand} | {*position.dead}
    to_come = [(card,) for card in naive.unseen_cards(known)] if len(mine) == 2 else [()]
    shares = []
    complete = LastHands(Unseen(position.up[0]), position.up[0], showdown)
    for last in to_come:
        unseen = Unseen({*position.dead, *mine, *last, *other, *position.up[0]})
        me = complete.htpd(certainty(22100, (*mine, *map(Card, last))))
        values = showdown.values([me], *SPLIT.nodes(1))
        kind = Hands if len(yours) == 2 else LastHands
        hands = kind(unseen, other, showdown=showdown)
        shares.append(hands.chances(values)[holding_index(yours)])
    share = float(np.mean(shares))
    return [1.0 - share, share]


@pytest.mark.parametrize("game", KEYS, ids=lambda game: game.key)
def test_poker_equity_walks_to_the_same_shares(game: Variant) -> None:
    calculator: Any = pytest.importorskip("poker_equity")
    rng = Random(6)
    for number in range(24):
        position = random_position(rng, game, street=6 + number % 2)
        hands, dead = list(map(text, position.hands)), text(position.dead)
        found = calculator.exact_from_text(KEYS[game], hands, dead=dead)
        assert found["exact"]
        expected = [player["equity"] for player in found["players"]]
        assert exact_shares(position) == pytest.approx(expected, abs=1e-9), position


def distances(ours: Any, theirs: list[float], samples: int) -> list[float]:
    """The differences in standard errors, but for certain shares, which must agree."""
    found = []
    for p, error, other in zip(ours.p, ours.errors, theirs, strict=True):
        deviation = math.sqrt(error**2 + max(p * (1 - p), other * (1 - other)) / samples)
        if deviation < 1e-9:
            assert p == pytest.approx(other, abs=1e-9)
        else:
            # A share near 0 or 1 is no normal variable after a few samples.
            found.append(max(0.0, abs(p - other) - 2.0 / samples) / deviation)
    return found


def assert_agree(found: list[float]) -> None:
    assert max(found) < 4.5
    assert np.mean(np.square(found)) < 1.2


@pytest.mark.parametrize("game", KEYS, ids=lambda game: game.key)
def test_poker_equity_samples_the_same_shares(game: Variant) -> None:
    calculator: Any = pytest.importorskip("poker_equity")
    rng, found = Random(1), []
    for number in range(60):
        position = random_position(rng, game)
        ours = joint_chances(position.hidden(), 10_000, np.random.default_rng(number))
        hands, dead = list(map(text, position.hands)), text(position.dead)
        sampled = calculator.chunk_from_text(
            KEYS[game], hands, dead=dead, samples=10_000, seed=number, threads=1
        )
        theirs = [player["equity"] for player in sampled["players"]]
        found += distances(ours, theirs, sampled["samples"])
    assert len(found) > 120
    assert_agree(found)


@pytest.mark.slow
@pytest.mark.parametrize("game", [*KEYS, FIVE_STUD], ids=lambda game: game.key)
def test_pokerkit_samples_the_same_shares(game: Variant) -> None:
    pokerkit: Any = pytest.importorskip("pokerkit")
    types = {
        STUD: (pokerkit.StandardHighHand,),
        STUD8: (pokerkit.StandardHighHand, pokerkit.EightOrBetterLowHand),
        RAZZ: (pokerkit.RegularLowHand,),
        FIVE_STUD: (pokerkit.StandardHighHand,),
    }[game]
    rng, found, samples = Random(2), [], 30
    for number in range(POSITIONS):
        position = random_position(rng, game)
        ours = joint_chances(position.hidden(), 10_000, np.random.default_rng(number))
        dead = set(pokerkit.Card.parse(text(position.dead)))
        theirs = pokerkit.calculate_equities(
            [pokerkit.parse_range(text(hand)) for hand in position.hands],
            (),
            game.n_cards,
            0,
            [card for card in pokerkit.Deck.STANDARD if card not in dead],
            types,
            sample_count=samples,
        )
        found += distances(ours, theirs, samples)
    assert_agree(found)
