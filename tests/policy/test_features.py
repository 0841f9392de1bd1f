"""Features of holdings and boards against their definitions, card by card."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handread.cards import rank_of, suit_of
from handread.game.rules import DEUCE_RAZZ, FIVE_STUD, RAZZ, STUD, STUD8, Variant
from handread.odds.htpd import PAIR_CARDS, TRIPLE_CARDS
from handread.policy import HoldingValues, exponent_on
from handread.policy.features import (
    BOARD_FEATURES,
    CONDITIONS,
    SPOT_FEATURES,
    STUD_HIGH,
    Board,
    conditions_of,
    spot_features,
)
from tests.policies import board, levels
from tests.strategies import spot

ACE = 12


def slow_levels(down: tuple[int, ...], at: Board) -> dict[str, float]:
    """The features of a holding, by their meanings."""
    own = (*down, *at.up)
    ranks, suits = Counter(map(rank_of, own)), Counter(map(suit_of, own))
    pairs = sorted(rank for rank, n in ranks.items() if n >= 2)
    dead = [c for c in range(52) if not at.unseen[c] and c not in at.up]
    rivals = [rank_of(card) for cards in at.rivals for card in cards]
    windows = [{low % 13 for low in range(low, low + 5)} for low in range(-1, 9)]
    longest = max(len(window & set(ranks)) for window in windows)
    suit, suited = max(sorted(suits.items()), key=lambda item: item[1])
    to_come, wanted = len(own) < 7, min(4, len(own))
    downs = Counter(map(rank_of, down))
    most = max(ranks.values())
    found = {
        "pair": most == 2 and len(pairs) == 1,
        "two_pair": most == 2 and len(pairs) > 1,
        "trips": most > 2,
        "straight": longest == 5,
        "flush": suited >= 5,
        "top_pair": bool(pairs) and pairs[-1] > max(rivals, default=-1),
        "hidden_pair": max(downs.values()) > 1,
        "door_match": rank_of(at.up[0]) in downs,
        "flush_draw": to_come and wanted <= suited < 5,
        "straight_draw": to_come and wanted <= longest < 5,
        "overcard": max(downs) > max(rivals, default=-1),
        "ace": ACE in downs,
        "pair_rank": (pairs[-1] - 6) / 6 if pairs else 0.0,
        "dead_pair": min(2, sum(rank_of(c) == pairs[-1] for c in dead)) / 2 if pairs else 0.0,
        "kicker": (max(downs) - 6) / 6,
    }
    found["dead_suit"] = found["flush_draw"] * min(3, sum(suit_of(c) == suit for c in dead)) / 3
    return {name: float(value) for name, value in found.items() if value}


@st.composite
def boards(draw: st.DrawFn) -> Board:
    """Boards of three seats, one of which has folded, on any street."""
    n = draw(st.integers(1, 4))
    deck = draw(st.permutations(range(52)))
    unseen = np.ones(52, dtype=bool)
    unseen[deck[: 3 * n]] = False
    return Board(tuple(deck[:n]), (tuple(deck[n : 2 * n]),), unseen)


@pytest.mark.thorough
@given(boards(), st.booleans())
@settings(max_examples=25, deadline=None)
def test_kinds_of_all_holdings(at: Board, last: bool) -> None:
    every = TRIPLE_CARDS if last and len(at.up) == 4 else PAIR_CARDS
    live = at.unseen[every].all(axis=1)
    codes = STUD_HIGH.codes(at, live)
    assert (codes[~live] == 0).all()
    for i in np.flatnonzero(live)[:: len(every) // 300]:
        found = levels(int(codes[i]))
        assert found == pytest.approx(slow_levels(tuple(every[i].tolist()), at))


def test_a_code_has_room_for_every_level() -> None:
    assert sum(kind.bits for kind in STUD_HIGH.kinds) <= 32
    for kind in STUD_HIGH.kinds:
        assert kind.values[0] == 0.0
        assert len(kind.values) <= 1 << kind.bits
    assert len(set(STUD_HIGH.names)) == len(STUD_HIGH.names)


@given(st.data())
def test_masks_keep_what_weights_look_at(data: st.DataObject) -> None:
    names = data.draw(st.sets(st.sampled_from(STUD_HIGH.names), max_size=6))
    masks = STUD_HIGH.code_masks(names).tolist()
    code = 0
    for kind, shift in zip(STUD_HIGH.kinds, STUD_HIGH.shifts.tolist(), strict=True):
        code |= data.draw(st.integers(0, len(kind.values) - 1)) << shift
    kinds = [kind.name for kind in STUD_HIGH.kinds]
    for mask, ending in zip(masks, ["", *(f"@{c}" for c in CONDITIONS)], strict=True):
        seen = {kind for kind in kinds if kind + ending in names}
        whole = levels(code)
        assert levels(code & mask) == {k: v for k, v in whole.items() if k in seen}


def test_what_a_fit_may_leave_out() -> None:
    assert {"ace", "ace@on_3rd", "door_paired", "percentile@late"} <= set(STUD_HIGH.optional)
    assert not {"constant", "percentile", "chance"} & set(STUD_HIGH.optional)


@pytest.mark.parametrize(
    ("at", "seen"),
    [
        (board("2c", "7d", "Kh"), ["brings_in"]),
        (board("Kc", "7d", "2h"), ["high_up"]),
        (board("3c", "7d", folded="2s"), []),
        (board("8c 8d 2s", "7d Ad 6d"), ["door_paired", "suited_against"]),
        (board("8c 9c 2c", "7d Ad 7h"), ["paired_against", "suited_up"]),
        (board("Kc", "Kd"), ["brings_in"]),
        (board("Kd", "Kc"), []),
        (board("Kd", "Kc", game=RAZZ), ["brings_in"]),
        (board("Ac", "2c", "Kd", game=RAZZ), []),
        (board("8c 8d 2s", "7d Ad 6d", game=RAZZ), []),
        (board("2c", "7d", game=STUD8), ["brings_in"]),
        (board("Ac 7d 8d", "Kd Ks 9d", game=STUD8), ["paired_against", "high_up"]),
        (board("8c 8d 2s", "7d Ad 6d", game=STUD8), ["door_paired", "suited_against"]),
        (board("2c", "7d", game=FIVE_STUD), []),
        (board("Ac Ad", "7d 8d", game=FIVE_STUD), ["door_paired", "high_up"]),
        (board("Ac Ad", "7d 8d", game=DEUCE_RAZZ), []),
    ],
)
def test_boards(at: Board, seen: list[str]) -> None:
    street = at.game.first - 1 + len(at.up)
    features = spot_features(spot(street=street, acted=()), 0.3, at)[-len(BOARD_FEATURES) :]
    assert [name for name, value in zip(BOARD_FEATURES, features, strict=True) if value] == seen


@pytest.mark.parametrize("game", [RAZZ, FIVE_STUD])
def test_kinds_of_stud_high_vanish_in_games_without_them(game: Variant) -> None:
    at = board("Ac", "7d", game=game)
    values = HoldingValues(np.full(1326, 0.5), np.ones(1326, dtype=bool), at)
    assert not values.codes.any()
    assert HoldingValues(values.chance, values.live, replace(at, game=STUD8)).codes.any()


def test_streets_count_from_the_first_to_the_last_of_a_game() -> None:
    place = list(SPOT_FEATURES).index("street")
    found = [
        spot_features(spot(street=street), 0.3, board("Ac", "7d", game=game))[place - 1 : place + 1]
        for game, street in ((STUD, 3), (RAZZ, 5), (RAZZ, 7), (FIVE_STUD, 2), (FIVE_STUD, 5))
    ]
    assert found == [(1.0, -1.0), (0.0, 0.0), (0.0, 1.0), (1.0, -1.0), (0.0, 1.0)]
    assert conditions_of(spot(street=2), FIVE_STUD)[:2] == (1.0, 0.0)
    assert conditions_of(spot(street=4), FIVE_STUD)[:2] == (0.0, 1.0)
    assert exponent_on((0.1, 0.2, 0.3, 0.4, 0.5), 2) == 0.1


def test_who_checked_and_now_faces_a_bet_is_slow() -> None:
    at = board("Kc", "7d", "2h")
    names = list(BOARD_FEATURES)
    for acted, raises, slow in (((1,), 1, 1.0), ((2,), 1, 0.0), ((1,), 2, 0.0), ((1,), 0, 0.0)):
        features = spot_features(spot(seat=1, acted=acted, raises=raises), 0.3, at)
        assert features[-len(names) :][names.index("slow")] == slow
