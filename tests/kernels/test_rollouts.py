"""Rollouts by particles and their slow twins: the exact observer, the table and the policies."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from handread.cards import Card
from handread.decisions.particles import particle_rollouts
from handread.decisions.rollouts import HouseRake, Rollouts, draw_futures, exact_rollouts
from handread.decisions.turns import Turn, turns
from handread.game.pots import shares, side_pots
from handread.game.rules import (
    DEUCE_RAZZ,
    FIVE_STUD,
    GAMES,
    RAZZ,
    STUD,
    STUD8,
    STUD_HL,
    Stakes,
    Variant,
)
from handread.inference.players import CARDS_ONLY, Model, PlayerModels
from handread.kernels import betting
from handread.kernels.acting import action_odds, fill_features
from handread.kernels.logit import kinds_held
from handread.kernels.particles import BINS, bin_of, complete, percentiles, start_stream
from handread.odds.showdown import showdown_of
from handread.policy import HoldingValues, Panel, load_policy
from handread.policy import panel as panels
from handread.simulate import Setup, read_games, seated
from tests.examples import few
from tests.policies import DEFAULT, LOOSE, UNIFORM

RAKE = HouseRake(0.05, 300)


def models(policy: str) -> PlayerModels:
    return PlayerModels(Model(load_policy(policy)))


def some_turns(
    players: PlayerModels,
    games: int,
    game: Variant = STUD,
    n: int = 4,
    stack: int | None = None,
    every: int = 3,
) -> Iterator[Turn]:
    """Yield some of the decisions of simulated games."""
    stakes = Stakes(10, 20, game.bets(50, 100), cap_heads_up=4)
    setup = Setup(players, seated(players, n, stack), stakes, game=game)
    for _, analysis in read_games(setup, 6, range(games)):
        yield from list(turns(analysis))[::every]


def both(turn: Turn, n: int) -> tuple[Rollouts, Rollouts]:
    """Return the same futures played on by particles and by the exact observer."""
    options, futures = turn.options, draw_futures(turn, n, np.random.default_rng(turn.decision.n))
    return (
        particle_rollouts(turn, options, futures, RAKE),
        exact_rollouts(turn, options, futures, RAKE),
    )


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("game", "n", "stack"),
    few(
        [
            *[(STUD8, 5, 330), (FIVE_STUD, 4, 200), (STUD, 8, None), (STUD, 4, 260)],
            *[(RAZZ, 5, None), (STUD_HL, 5, 330), (DEUCE_RAZZ, 5, None)],
        ]
    ),
    ids=lambda value: value.key if isinstance(value, Variant) else str(value),
)
def test_players_who_ignore_their_cards_end_exactly_as_at_the_table(
    game: Variant, n: int, stack: int | None
) -> None:
    # The beliefs do not matter to them: only the rules do.
    for turn in some_turns(models("uniform"), 3, game, n, stack, every=n + 5):
        particles, exact = both(turn, 2)
        assert (particles.nets == exact.nets).all()


@pytest.mark.thorough
def test_on_the_last_street_of_five_card_stud_particles_are_exact() -> None:
    # Every downcard is a particle, and no card is to come. Chances that fall into one interval
    # share a percentile, which may change the action at a draw in a thousand.
    same = []
    for turn in some_turns(models("people"), 12, FIVE_STUD, every=1):
        if turn.decision.street == FIVE_STUD.last:
            particles, exact = both(turn, 8)
            same.append((particles.nets == exact.nets).mean())
    assert len(same) > 8
    assert np.mean(same) > 0.995


TWO_STYLES = Panel("two styles", (LOOSE, DEFAULT), (0.5, 0.5))
PANEL = PlayerModels(Model(TWO_STYLES), {2: Model(TWO_STYLES, CARDS_ONLY)})
DEAR = pytest.mark.dear("the exact observer reads every action of every rollout by both styles")


@pytest.mark.thorough
@pytest.mark.parametrize(
    "players",
    [
        pytest.param(models("default"), id="default"),
        pytest.param(PANEL, id="panel, one by the cards alone", marks=DEAR),
    ],
)
def test_particles_agree_with_the_exact_observer(players: PlayerModels) -> None:
    apart, errors = [], []
    for turn in some_turns(players, 2, n=3, every=3):
        particles, exact = both(turn, 20)
        off = (particles.nets - exact.nets) * particles.weights[:, None] / turn.big_bet
        apart += off.mean(axis=0).tolist()
        errors += (off.var(axis=0) / len(off)).tolist()
    bias, error = np.mean(apart), np.sqrt(np.sum(errors)) / len(errors)
    assert abs(bias) < 0.08 + 3 * error
    assert np.sqrt(np.mean(np.square(apart))) < 0.15 + 1.2 * np.sqrt(np.mean(errors))


# The parts


SEATS = st.integers(2, 5)


@pytest.mark.thorough
@given(st.data(), SEATS, st.booleans(), st.integers(0, 30))
def test_winnings_are_those_of_the_pots(
    data: st.DataObject, n: int, splits: bool, rake: int
) -> None:
    paid = data.draw(st.lists(st.integers(1, 60), min_size=n, max_size=n))
    out = data.draw(st.lists(st.booleans(), min_size=n, max_size=n))
    out[data.draw(st.integers(0, n - 1))] = False
    live = [i for i in range(n) if not out[i]]
    top = max(paid[i] for i in live)
    paid = [min(amount, top) for amount in paid]  # nobody who folded put in more than the rest
    highs = np.array(data.draw(st.lists(st.integers(0, 3), min_size=n, max_size=n)))
    lows = np.array(data.draw(st.lists(st.integers(0, 2), min_size=n, max_size=n)))
    seats = np.zeros((n, 6), dtype=np.int64)
    seats[:, betting.PAID] = paid
    seats[:, betting.FOLDED] = out
    ranks = {
        i: ((int(highs[i]),), *(((int(lows[i]),) if lows[i] else None,) if splits else ()))
        for i in live
    }
    expected = shares(side_pots(dict(enumerate(paid)), live), ranks, rake)
    assert expected is not None
    for seat in range(n):
        won = betting.winnings(seats, highs, lows, splits, rake, seat)
        assert won == expected.get(seat, 0)


@pytest.mark.thorough
@given(st.data(), st.integers(1, 4), st.sampled_from([STUD, RAZZ, DEUCE_RAZZ]))
def test_the_best_showing_hand_leads(data: st.DataObject, n_up: int, game: Variant) -> None:
    cards = data.draw(st.permutations(list(range(52))))[: 3 * n_up]
    up = np.zeros((3, 8), dtype=np.int64)
    up[:, :n_up] = np.array(cards).reshape(3, n_up)
    seats = np.zeros((3, 6), dtype=np.int64)
    seats[:, betting.STACK] = -1
    led = game.leads({i: [Card(c) for c in up[i, :n_up].tolist()] for i in range(3)})
    found = betting.leading_seat(
        seats,
        up,
        np.full(3, n_up),
        0 if game.wins_high else 1 + (not game.ace_is_low),
        np.empty(13, dtype=np.int64),
    )
    assert found == min(led)


def room() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    return np.zeros(1, dtype=np.uint64), np.zeros(8, dtype=np.int64), np.zeros(8, dtype=np.int64)


@pytest.mark.parametrize("game", GAMES.values(), ids=[*GAMES])
def test_classes_order_whole_hands_as_the_rules_do(game: Variant) -> None:
    rng = np.random.default_rng(3)
    tables, scratch = showdown_of(game).final, room()
    start_stream(scratch[0], 1, 2)
    found = []
    for _ in range(300):
        cards = rng.permutation(52)[: game.n_cards]
        classes, low_classes = np.zeros(1, dtype=np.int32), np.zeros(1, dtype=np.int32)
        n_down = 2
        deck = (np.arange(52), 52)
        down, up = cards[:n_down], np.zeros(8, dtype=np.int64)
        up[: game.n_cards - n_down] = cards[n_down:]
        complete(
            down, n_down, up, game.n_cards - n_down, deck, game.n_cards, tables, scratch, classes,
            low_classes,
        )  # fmt: skip
        found.append((game.ranks([Card(c) for c in cards.tolist()]), classes[0], low_classes[0]))
    for one, other in itertools.pairwise(found):
        (first, *rest), (second, *others) = one[0], other[0]
        assert first is not None
        assert second is not None
        assert np.sign(one[1] - other[1]) == (first > second) - (first < second)
        for low, other_low in zip(rest, others, strict=True):
            better = (low or (-9,)) > (other_low or (-9,))
            worse = (low or (-9,)) < (other_low or (-9,))
            assert np.sign(int(one[2]) - int(other[2])) == better - worse


def test_random_completions_are_fair() -> None:
    # A seat with a pair of aces on 6th street: each unseen card is as likely as any other.
    tables = showdown_of(STUD).final
    up = np.zeros(8, dtype=np.int64)
    up[:4] = [0, 5, 10, 15]
    down = np.array([48, 49])
    unseen = np.array([card for card in range(52) if card not in (0, 5, 10, 15)])
    scratch, n = room(), 40_000
    start_stream(scratch[0], 7, 1)
    classes, lows = np.zeros(n, dtype=np.int32), np.zeros(n, dtype=np.int32)
    complete(down, 2, up, 4, (unseen, unseen.size), 7, tables, scratch, classes, lows)
    one = np.zeros(1, dtype=np.int32)
    expected: dict[int, int] = {}
    for card in unseen.tolist():
        if card not in (48, 49):
            up[4] = card
            complete(down, 2, up, 5, (unseen, unseen.size), 7, tables, scratch, one, lows)
            expected[int(one[0])] = expected.get(int(one[0]), 0) + 1
    total = sum(expected.values())
    for number, count in expected.items():
        share = (classes == number).mean()
        p = count / total
        assert abs(share - p) < 5 * np.sqrt(p * (1 - p) / n)
    assert set(classes.tolist()) == set(expected)


def test_percentiles_are_those_of_the_policies_up_to_an_interval() -> None:
    rng = np.random.default_rng(2)
    chances = rng.random(300)
    bins = np.zeros(BINS)
    mean = percentiles(chances, np.full(300, 2.0), 300, bins)
    outlook = HoldingValues(chances, np.ones(300, dtype=bool))
    assert mean == pytest.approx(outlook.public)
    found = [bins[bin_of(chance)] for chance in chances.tolist()]
    assert found == pytest.approx(outlook.percentile.tolist(), abs=4 / 300)


@pytest.mark.thorough
@pytest.mark.parametrize(
    "policy", ["people-average", "people-mixed", "default", "loose", "table1-bluff"]
)
@pytest.mark.parametrize("game", [STUD, RAZZ, STUD_HL], ids=lambda game: game.key)
def test_probabilities_of_actions_are_those_of_the_policy(policy: str, game: Variant) -> None:
    from handread.decisions.particles import (
        policy_arrays,
        setting_of,
    )  # the arrays that the kernel gets
    from handread.kernels import rollout_state as state
    from handread.kernels.acting import weigh_features
    from handread.kernels.actions import BET, CALL, FOLD, RAISE
    from handread.policy.features import conditions_of, spot_features

    numbers = {"check": CALL, "call": CALL, "bet": BET, "fold": FOLD, "raise": RAISE}
    players = models(policy).in_game(game.key)
    for turn in some_turns(players, 2, game, every=4):
        seats = tuple(p.seat for p in turn.table.players)
        arrays = policy_arrays(tuple(players.of(seat) for seat in seats), game)
        assert arrays is not None
        setting = setting_of(turn.table, seats, turn.table.active, turn.hidden.seen, turn.ties)
        me = seats.index(turn.seat)
        n = 1
        particles = state.Particles(
            np.zeros((len(seats), n, 3), dtype=np.int64),
            np.ones((len(seats), n)),
            np.ones((len(seats), 1, n)),
            np.ones(len(seats), dtype=np.int64),
        )
        each = np.array([1, 1, 1])
        _, _, work = state.state_of(setting, particles, arrays.own.shape[-1], 4824, each)
        spot = turn.decision
        outlook = HoldingValues(
            turn.expected.chances, turn.belief.hands[turn.seat].live, board_of(turn)
        )
        amounts = (spot.to_call, spot.pot, spot.effective_odds)
        fill_features(setting, me, amounts, outlook.public, work.common, work.conditions)
        features = spot_features(spot, outlook.public, outlook.board)
        assert work.common.tolist() == pytest.approx(list(features))
        assert work.conditions.tolist() == [1.0, *conditions_of(spot, game)]
        weigh_features(arrays, work, me)
        expected = turn.players.of(turn.seat).policy.probabilities(spot, outlook)
        odds = np.zeros(4)
        legal = tuple(action in expected for action in ("bet", "fold", "raise"))
        situation = (legal, spot.n_active, spot.effective_odds)
        kinds = (arrays.shifts, arrays.masks, arrays.values)
        for i in np.flatnonzero(outlook.live)[::97].tolist():
            n_kinds = kinds_held(int(outlook.codes[i]), kinds, work.places, work.worths)
            holding = (outlook.chance[i], outlook.percentile[i], n_kinds)
            action_odds(arrays, me, 0, work, situation, holding, odds)
            for action, p in expected.items():
                assert odds[numbers[action]] == pytest.approx(p[i], abs=1e-9), action


@pytest.mark.thorough
@pytest.mark.parametrize("learning", [0.0, 0.3, 1.0])
def test_styles_are_learned_as_by_the_observer(
    learning: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On the last street of five-card stud, where every downcard is a particle.

    Against one opponent, where the chances are exact: so two players are a crowd here.
    """
    from handread.decisions.particles import _HoldingSample, policy_arrays, setting_of
    from handread.kernels.acting import act
    from handread.kernels.rollout_state import state_of
    from handread.kernels.rollouts import _begin_street, complete_start

    panel = Panel(
        "styles", (replace(LOOSE, likelihood_exponent=0.5), DEFAULT, UNIFORM), (0.2, 0.7, 0.1)
    )
    monkeypatch.setattr(panels, "CROWD", 2)
    less = {"idle": (("5stud", (0.3,)),), "repeats": (("5stud", (0.5,)),)}
    players = PlayerModels(Model(replace(panel, learning=learning, **less)))
    tables, each, seen = showdown_of(FIVE_STUD).final, np.array([1, 1, 1]), set()
    for turn in some_turns(players, 8, FIVE_STUD, every=1):
        options = turn.options
        if turn.decision.street != FIVE_STUD.last or options[-1].action == "call":
            continue
        rng = np.random.default_rng(1)
        futures = draw_futures(turn, 1, rng)
        sample = _HoldingSample(turn, options, futures, rng)
        setting = setting_of(
            turn.table, futures.seats, turn.table.active, turn.hidden.seen, turn.ties
        )
        policies = policy_arrays(tuple(map(players.of, futures.seats)), FIVE_STUD)
        assert policies is not None
        n_classes = int(max(table.max(initial=0) for table in tables)) + 1
        start = setting, sample.particles(turn.belief), policies.own.shape[-1], n_classes, each
        at, held, work = state_of(*start)
        complete_start(at, held, work, tables, each, 1)
        work.down[:], work.shares[:] = futures.down[0], sample.shares(turn.belief)[0]
        per = _begin_street(at, held, work, tables, each, 1, True, 0)
        act(at, held, work, policies, per, False, 0.0)  # the draw of the boldest action
        me, after = futures.seats.index(turn.seat), options[-1].belief
        pdd, shares = after.pdds[turn.seat], after.shares[turn.seat]
        down = held.hold[me, : held.n[me], 0]
        assert held.belief[me, :, : held.n[me]] == pytest.approx((shares * pdd)[:, down], abs=1e-6)
        assert work.shares[me] == pytest.approx(shares[:, turn.down[0]], abs=1e-6)
        seen |= {options[-1].action, f"after {min(2, turn.decision.aggressions)}"}
    assert seen >= {"bet", "raise", "after 1", "after 2"}


def board_of(turn: Turn):
    from handread.policy import Board

    hands = turn.belief.hands
    rivals = tuple(hands[seat].up for seat in turn.belief.htpds if seat != turn.seat)
    return Board(hands[turn.seat].up, rivals, hands[turn.seat].unseen.mask, turn.table.game)
