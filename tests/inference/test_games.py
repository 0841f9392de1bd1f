"""The observer and the analysis in razz, hi/lo and five-card stud."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from itertools import combinations

import numpy as np
import pytest

from docs.site.independence import hidden_by_stage, independence_cost, joint_chances
from handread.cards import DECK_SIZE, Card, pair_index, parse_card
from handread.game.replay import replay
from handread.game.rules import (
    FIVE_STUD,
    GAMES,
    RAZZ,
    SAUND_STAKES,
    STUD,
    STUD8,
    STUD_HL,
    Stakes,
    Variant,
)
from handread.game.steps import Replay, StreetRecord
from handread.inference.analysis import analyze_replay
from handread.inference.joint import Hidden, draw_deals, shares_of_the_pot
from handread.inference.timeline import timeline_points
from handread.inference.viewpoint import certainty
from handread.odds.showdown import showdown_of
from handread.policy import load_policy
from handread.tables.columns import to_frame
from tests import naive
from tests.beliefs import assert_read_as
from tests.hands import random_hand

LOOSE = load_policy("loose")
OTHERS = [game for game in GAMES.values() if game is not STUD]

games = pytest.mark.parametrize("game", OTHERS, ids=lambda game: game.key)


def played(game: Variant, seed: int, n_players: int = 4) -> Replay:
    stakes = SAUND_STAKES
    if game is FIVE_STUD:  # without a bring-in
        stakes = Stakes(ante=25, bring_in=0, bets=game.bets(100, 200))
    found = replay(random_hand(seed, n_players, stakes, game=game))
    assert found.problem is None
    return found


# Against plain sums

SHOWN = {1: "7h 2h Js 4c", 2: "8d Kc As 5d"}


def line_of(number: int, shown: dict[int, str], line: str, game: Variant) -> StreetRecord:
    return replace(naive.street_play(number, shown, line), game=game)


@pytest.mark.thorough
@pytest.mark.parametrize("game", [STUD8, STUD_HL, RAZZ], ids=lambda game: game.key)
@pytest.mark.parametrize("line", ["2k 1b 2c", "2b 1r 2r 1c"])
def test_a_line_on_sixth_street(line: str, game: Variant) -> None:
    """Every pair with every card to come, ranked one by one as high and as low."""
    up = {seat: [parse_card(word) for word in text.split()] for seat, text in SHOWN.items()}
    unseen = naive.unseen_cards(up[1] + up[2])
    deals = np.array([(*p, c) for p in combinations(unseen, 2) for c in unseen if c not in p])
    highs, lows = {}, {}
    for seat, cards in up.items():
        hands = np.concatenate([np.broadcast_to(np.array(cards), (len(deals), 4)), deals], axis=1)
        lows[seat] = naive.lows_of(hands)
        highs[seat] = np.zeros_like(lows[seat])
        if game.splits:
            highs[seat] = naive.classes_of(hands)
            worst = 5083 - 57 if game.eight_or_better else -1
            lows[seat] = np.maximum(lows[seat] - worst, 0)
    both = np.concatenate([np.column_stack([highs[s], lows[s]]) for s in up])
    made, member = np.unique(both, axis=0, return_inverse=True)
    to_come = len(unseen) - 2
    rows = {}
    for seat, part in zip(up, np.split(member.reshape(-1), 2), strict=True):
        rows[seat] = np.zeros((len(deals) // to_come, len(made)))
        np.add.at(rows[seat], (np.arange(len(deals)) // to_come, part), 1 / to_come)
    pairs = [pair_index(*pair) for pair in combinations(unseen, 2)]
    # In razz the first column is 0 for all: the low alone takes the pot.
    value = partial(naive.split_worth, made[:, 0], made[:, 1]) if game.splits else None
    assert_read_as(line_of(6, SHOWN, line, game), "split", pairs, rows, value)


@pytest.mark.parametrize("line", ["2k 1b 2c", "2b 1r 2r 1c"])
def test_a_line_of_five_card_stud(line: str) -> None:
    shown = {1: "7h 8h Jh", 2: "8d Kc As"}
    up = {seat: [parse_card(word) for word in text.split()] for seat, text in shown.items()}
    unseen = naive.unseen_cards(up[1] + up[2])
    deals = [(a, b) for a in unseen for b in unseen if a != b]
    classes = {
        seat: naive.five_classes([*map(Card, two), *cards] for two in deals)
        for seat, cards in up.items()
    }
    made, member = np.unique(list(classes.values()), return_inverse=True)
    to_come = len(unseen) - 1
    rows = {}
    for seat, part in zip(up, member.reshape(2, -1), strict=True):
        rows[seat] = np.zeros((len(unseen), made.size))
        np.add.at(rows[seat], (np.arange(len(deals)) // to_come, part), 1 / to_come)
    assert_read_as(line_of(4, shown, line, FIVE_STUD), "split", unseen, rows)


# Whole hands


@games
@pytest.mark.parametrize("viewpoint", ["public", "seat", "omniscient"])
def test_a_hand_is_read_to_its_end(game: Variant, viewpoint: str) -> None:
    for seed, n_players in ((1, 3), (3, 8))[: 1 + (viewpoint == "public")]:
        hand = played(game, seed, n_players)
        name = f"seat:{hand.history.seats[0].number}" if viewpoint == "seat" else viewpoint
        read = analyze_replay(hand, LOOSE, name)
        assert read.complete
        names = [f"{street.number}{half}" for street in game.streets for half in "DB"]
        assert [stage.stage for stage in read.stages] == names[: len(read.stages)]
        for stage in read.stages:
            assert stage.omniscience == "full"
            for chances in (stage.cards_only, stage.bet_inference, stage.omniscient):
                assert chances is not None
                assert sum(chances.values()) == pytest.approx(1.0)
                assert all(0.0 <= chance <= 1.0 for chance in chances.values())
            assert stage.kl_bits is not None
            assert not any(map(math.isnan, stage.kl_bits))
            for seat, part in (stage.seats | stage.folded).items():
                assert part.game is game
                assert part.pdd.sum() == pytest.approx(1.0)
                assert sum(part.by_kind.values()) == pytest.approx(1.0)
                assert sum(part.categories()) == pytest.approx(2.0 if game.splits else 1.0)
                assert len(part.categories()) == len(part.hands.showdown.categories)
                n_down = game.dealt[stage.street][0]
                assert part.truth is not None
                assert part.truth.downcards == hand.downcards[seat][:n_down]
        points = timeline_points(read)
        assert len(points) > len(read.stages)
        assert all(sum(p.bet_inference.values()) == pytest.approx(1.0) for p in points)


@pytest.mark.thorough
@games
def test_the_last_stage_knows_who_wins(game: Variant) -> None:
    """With all cards known on the last street, the shares are those of the replay's settlement."""
    for seed in range(8):
        hand = played(game, seed)
        read = analyze_replay(hand, LOOSE, "omniscient")
        last = read.stages[-1]
        if last.stage[0] != str(game.last) or len(last.active) < 2:
            continue
        # Odd chips go to one of the tied, a cent at most of each part.
        pot = sum(hand.won.values())
        for seat, share in last.bet_inference.items():
            assert hand.won.get(seat, 0) == pytest.approx(share * pot, abs=3.0)


@games
def test_frames_have_the_categories_of_the_game(game: Variant) -> None:
    read = analyze_replay(played(game, 1), LOOSE)
    frame = to_frame(read, "seats")
    names = [f"p_{name.replace(' ', '_')}" for name in showdown_of(game).categories]
    assert frame.columns[-len(names) :] == names
    first = read.stages[0].seats[frame["seat"][0]]
    assert list(frame.select(names).row(0)) == pytest.approx(first.categories())


def test_a_folded_seat_of_five_card_stud_is_known_by_one_card() -> None:
    hand = played(FIVE_STUD, 2, 5)
    read = analyze_replay(hand, LOOSE, f"seat:{hand.history.seats[1].number}")
    seat = hand.history.seats[1].number
    first = read.stages[0].seats[seat]
    assert first.pdd.size == DECK_SIZE
    assert first.top(1) == [(hand.downcards[seat], 1.0)]
    assert first.pairs[hand.downcards[seat][0]] == 1.0


# Joint deals


@pytest.mark.thorough
@pytest.mark.parametrize("game", [STUD, *OTHERS], ids=lambda game: game.key)
def test_final_hands_are_paid_by_their_ranks(game: Variant) -> None:
    rng = np.random.default_rng(5)
    n_down, n_up = game.dealt[game.last]
    size = {1: 52, 3: 22100}[n_down]
    splits = 0
    for _ in range(150):
        deck = list(map(Card, rng.permutation(DECK_SIZE).tolist()))
        deck.sort(key=lambda card: rng.random() + (4 < card // 4 < 12))
        hands = [deck[i * 7 :][: n_down + n_up] for i in range(4)]
        hidden = Hidden(
            {seat: tuple(hand[n_down:]) for seat, hand in enumerate(hands)},
            frozenset(card for hand in hands for card in hand[n_down:]),
            {seat: certainty(size, hand[:n_down]) for seat, hand in enumerate(hands)},
            game,
        )
        found = shares_of_the_pot(hidden, draw_deals(hidden, 1, rng), rng)[0]
        halves = list(zip(*(game.ranks(hand) for hand in hands), strict=True))
        parts = [half for half in halves if any(rank is not None for rank in half)]
        splits += len(parts) == 2
        expected = np.zeros(4)
        for part in parts:
            best = max(rank for rank in part if rank is not None)
            winners = np.array([rank == best for rank in part])
            expected += winners / winners.sum() / len(parts)
        assert found == pytest.approx(expected)
    assert (splits > 30) == game.splits


@games
@pytest.mark.parametrize("ties", ["split", "paper"])
def test_joint_chances_are_near_the_independent_ones(game: Variant, ties: str) -> None:
    read = analyze_replay(played(game, 4, 3), LOOSE, ties=ties)
    for name, hidden in hidden_by_stage(read).items():
        joint = joint_chances(hidden, 3000, np.random.default_rng(1), ties)
        chances = read.at(name).bet_inference
        apart = [abs(p - chances[seat]) for seat, p in zip(joint.seats, joint.p, strict=True)]
        assert max(apart) < 4 * joint.errors.max() + 0.02


def test_the_cost_of_independence_in_hi_lo() -> None:
    read = analyze_replay(played(STUD8, 2, 3), LOOSE)
    for stage in independence_cost(read, 1500, np.random.default_rng(0)):
        assert abs(stage.equation_1.bits) < 0.05
