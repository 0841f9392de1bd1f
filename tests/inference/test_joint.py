"""Joint deals against full enumeration, and what they say of the independence shortcut."""

from __future__ import annotations

import csv
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, permutations, product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from docs.site.independence import (
    JointChances,
    as_dealt,
    gain_on_truth,
    hidden_by_stage,
    independence,
    independence_cost,
    independence_text,
    joint_chances,
    loss,
)
from handread.arrays import Floats
from handread.cards import (
    DECK_SIZE,
    N_PAIRS,
    N_TRIPLES,
    Card,
    holding_index,
    pair_index,
    triple_index,
)
from handread.game.replay import replay
from handread.game.rules import STAGES
from handread.game.steps import Replay
from handread.inference.analysis import analyze_replay
from handread.inference.joint import Hidden, _laid_out, draw_deals
from handread.inference.observer import TIE_RULES, chances_to_win
from handread.inference.players import player_models
from handread.inference.readers import as_reader, read_hand
from handread.kernels import dealing
from handread.odds.hand_types import class_tables
from handread.odds.htpd import LastHands, Unseen, holding_cards
from handread.policy import load_policy
from handread.runs import Run
from handread.simulate import Setup
from tests import naive
from tests.examples import examples
from tests.frames import frame_csv
from tests.hands import GOLDEN, cards, hand

Holding = tuple[Card, ...]

DEFAULT = load_policy("default")
TABLES = (class_tables().by_ranks, class_tables().by_flush[:, None])
FACE_UP = tuple(range(20, DECK_SIZE))
"""Of eight seats on 6th street every card from the sevens up is on view; twenty are not."""


def rng(seed: int = 1) -> np.random.Generator:
    return np.random.default_rng(seed)


def pdd_of(size: int, weights: Mapping[Holding, float]) -> Floats:
    pdd = np.zeros(size)
    for holding, weight in weights.items():
        pdd[holding_index(holding)] = weight
    return np.asarray(pdd / pdd.sum())


def few(chance: np.random.Generator, size: int, n: int, deck: Sequence[Card]) -> Floats:
    """A pdd with ``n`` holdings of a small deck, with uneven chances."""
    held = 2 if size == N_PAIRS else 3
    holdings = list(combinations(deck, held))
    chosen = chance.choice(len(holdings), n, replace=False)
    return pdd_of(size, {holdings[i]: 0.05 + chance.random() for i in chosen})


def live(pdd: Floats) -> list[tuple[Holding, float]]:
    """The holdings of a pdd with their probabilities."""
    table = holding_cards(pdd.size)
    return [(tuple(table[i].tolist()), float(pdd[i])) for i in np.flatnonzero(pdd)]


def disjoint_deals(pdds: Mapping[int, Floats]) -> Iterator[tuple[dict[int, Holding], float]]:
    """Every deal without an overlap, with the product of its probabilities."""
    for deal in product(*(live(pdd) for pdd in pdds.values())):
        held = [card for holding, _ in deal for card in holding]
        if len(set(held)) == len(held):
            holdings = dict(zip(pdds, (holding for holding, _ in deal), strict=True))
            yield holdings, math.prod(p for _, p in deal)


def enumerated(hidden: Hidden, ties: str) -> dict[int, float]:
    """The chances to win: every deal without overlap, every way to deal the cards to come."""
    seats = list(hidden.up)
    unseen = naive.unseen_cards(hidden.seen)
    total = dict.fromkeys(seats, 0.0)
    for holdings, p in disjoint_deals(hidden.pdds):
        held = {card for holding in holdings.values() for card in holding}
        rest = [card for card in unseen if card not in held]
        known = {seat: (*hidden.up[seat], *holdings[seat]) for seat in seats}
        to_come = 7 - len(known[seats[0]])
        futures = list(permutations(rest, to_come * len(seats)))
        made = []
        for i, seat in enumerate(seats):
            mine = slice(i * to_come, (i + 1) * to_come)
            made.append(naive.classes_of(np.array([(*known[seat], *f[mine]) for f in futures])))
        won = np.array(made) == np.max(made, axis=0)
        if ties == "split":
            won = won / won.sum(axis=0)
        for seat, shares in zip(seats, won, strict=True):
            total[seat] += p * float(shares.mean())
    whole = sum(total.values())
    return {seat: p / whole for seat, p in total.items()}


def assert_agrees(found: JointChances, expected: Mapping[int, float], sigmas: float = 4.5) -> None:
    assert found.seats == tuple(expected)
    assert found.p.sum() == pytest.approx(1.0)
    apart = np.abs(found.p - np.array(list(expected.values())))
    assert (apart <= sigmas * found.errors + 1e-9).all(), (found.seats, found.p, expected)


# The deals


PDDS = {
    "pairs that overlap": {
        1: few(rng(1), N_PAIRS, 8, range(8)),
        2: few(rng(2), N_PAIRS, 7, range(8)),
        3: few(rng(3), N_PAIRS, 6, range(8)),
    },
    "triples and a pair": {
        1: few(rng(4), N_TRIPLES, 9, range(9)),
        2: few(rng(5), N_TRIPLES, 9, range(9)),
        5: few(rng(6), N_PAIRS, 9, range(9)),
    },
    "hardly a way out": {
        1: pdd_of(N_PAIRS, {(0, 1): 0.999, (2, 3): 0.001}),
        2: pdd_of(N_PAIRS, {(0, 2): 0.995, (1, 3): 0.002, (4, 5): 0.003}),
        3: pdd_of(N_PAIRS, {(2, 5): 0.6, (6, 7): 0.4}),
    },
}


@pytest.mark.thorough
@pytest.mark.parametrize("pdds", PDDS.values(), ids=PDDS)
def test_deals_come_as_often_as_they_should(pdds: dict[int, Floats]) -> None:
    draws = 40_000
    deals = draw_deals(Hidden({1: (), 2: ()}, frozenset(), pdds), draws, rng())
    found: Counter[tuple[Holding, ...]] = Counter()
    squares: Counter[tuple[Holding, ...]] = Counter()
    by_seat = [deals.downcards(seat).tolist() for seat in pdds]
    for *holdings, weight in zip(*by_seat, deals.weights.tolist(), strict=True):
        if weight > 0:
            deal = tuple(tuple(card for card in held if card >= 0) for held in holdings)
            found[deal] += weight
            squares[deal] += weight**2
    exact = {tuple(deal.values()): p for deal, p in disjoint_deals(pdds)}
    whole = math.fsum(exact.values())
    assert set(found) <= set(exact)
    # Unscaled, the mean weight is the chance that independent draws do not overlap.
    assert deals.weights.mean() == pytest.approx(whole, rel=0.05)
    for deal, p in exact.items():
        error = math.sqrt(max(squares[deal], p * whole / draws)) / draws / whole
        assert found[deal] / draws / whole == pytest.approx(p / whole, abs=5 * error)


def test_no_draw_falls_behind_the_last_holding_of_a_seat() -> None:
    """A draw is a number below 1: it has a holding only if the sums of the chances end in 1."""
    tenths = pdd_of(N_PAIRS, {(0, card): 0.1 for card in range(1, 11)})
    assert np.cumsum(tenths)[-1] < 1.0
    (_, _, chances, sums), starts, _ = _laid_out([tenths, few(rng(1), N_TRIPLES, 9, range(9))])
    assert sums[starts[1:] - 1].tolist() == [1.0, 1.0]
    assert np.add.reduceat(chances, starts[:-1]) == pytest.approx(1.0)
    assert (np.diff(sums)[:9] > 0.0).all()


def test_even_odds_need_no_weights() -> None:
    """What is left to each seat does not depend on the cards of those before it."""
    for name, hidden in read_stages().items():
        deals = draw_deals(hidden.at_random(), 50, rng())
        left = DECK_SIZE - len(hidden.seen)
        expected = 1.0
        for pdd in sorted(hidden.pdds.values(), key=lambda pdd: pdd.size):
            held = 2 if pdd.size == N_PAIRS else 3
            whole = DECK_SIZE - len(hidden.seen)
            expected *= math.comb(left, held) / math.comb(whole, held)
            left -= held
        assert deals.weights == pytest.approx(np.full(50, expected), rel=1e-9), name


@given(st.sets(st.integers(0, 15), max_size=9), st.integers(0, 2**32))
@examples(30)
def test_what_is_left_by_inclusion_and_exclusion(used: set[Card], seed: int) -> None:
    chance = rng(seed)
    for size in (N_PAIRS, N_TRIPLES):
        pdd = few(chance, size, 25, range(16))
        single, double, triple = np.zeros(52), np.zeros((52, 52)), np.zeros(0)
        for holding, p in live(pdd):
            single[list(holding)] += p
            for a, b in permutations(holding, 2):
                double[a, b] += p
        if size == N_TRIPLES:
            triple = pdd
        taken = np.array([*sorted(used), 99])
        found = dealing.free_chance(taken, len(used), single, double, triple)
        left = sum(p for holding, p in live(pdd) if not used & set(holding))
        assert found == pytest.approx(left, abs=1e-12)


def test_a_draw_among_sums_is_a_search() -> None:
    sums = np.array([0.1, 0.1, 0.4, 0.4, 1.0])
    for target in (0.0, 0.05, 0.1, 0.25, 0.4, 0.9):
        found = dealing._first_above(sums, target)
        assert found == np.searchsorted(sums, target, side="right")
    assert dealing._first_above(sums[:0], 0.5) == 0


def test_classes_of_seven_cards() -> None:
    chance = rng()
    decks = [range(DECK_SIZE)] * 3000 + [range(suit, DECK_SIZE, 4) for suit in range(4)] * 50
    hands = np.array([chance.permutation(deck)[:7] for deck in decks])
    found = [dealing.class_of_hand(row, np.empty(8, np.int64), *TABLES) for row in hands]
    assert found == naive.classes_of(hands).tolist()


# Chances to win


SIXTH_UP = {1: cards("7c 9c Tc Qd"), 2: cards("7d 9d Jh Qc")}


@pytest.mark.parametrize("ties", TIE_RULES)
@pytest.mark.parametrize("others", [0, 1])
def test_sixth_street_against_every_deal(others: int, ties: str) -> None:
    """Two players of whom a few pairs are possible, and one who folded one of a few."""
    chance = rng(7)
    deck = range(8)
    pdds = {seat: few(chance, N_PAIRS, 5, deck) for seat in (1, 2, 3)[: 2 + others]}
    hidden = Hidden(SIXTH_UP, frozenset(FACE_UP), pdds)
    found = joint_chances(hidden, 20_000, rng(), ties)
    assert_agrees(found, enumerated(hidden, ties))


def seventh(ups: Mapping[int, str], seen: Sequence[Card], pdds: dict[int, Floats]) -> Hidden:
    return Hidden({seat: cards(up) for seat, up in ups.items()}, frozenset(seen), pdds)


def test_seventh_street_against_every_deal() -> None:
    """All triples of twenty cards for both players, with chances like those after betting."""
    ups = {1: "7c 9c Tc Qd", 2: "7d 9d Jh Qc"}
    unseen = Unseen(FACE_UP)
    chance = rng(11)
    hands = {seat: LastHands(unseen, cards(up)) for seat, up in ups.items()}
    pdds, triples, classes = {}, {}, {}
    for seat, up in ups.items():
        strength = hands[seat].chances(np.linspace(0, 1, class_tables().keys.size) ** 12)
        pdd = hands[seat].uniform * (strength + 0.05 * chance.random(N_TRIPLES))
        pdds[seat] = pdd / pdd.sum()
        classes[seat] = naive.triple_classes(FACE_UP, cards(up))
        triples[seat] = pdds[seat][[triple_index(*t) for t in classes[seat]]]
    held = np.array([sum(1 << c for c in triple) for triple in classes[1]])
    joint = np.outer(triples[1], triples[2]) * ((held[:, None] & held) == 0)
    mine, yours = (np.array(list(classes[seat].values())) for seat in ups)
    first = joint[mine[:, None] > yours].sum() + joint[mine[:, None] == yours].sum() / 2
    expected = {1: first / joint.sum(), 2: 1 - first / joint.sum()}
    found = joint_chances(seventh(ups, FACE_UP, pdds), 200_000, rng())
    assert_agrees(found, expected)
    # The shortcut is far enough off here to be told from the truth.
    alone = chances_to_win({s: hands[s].htpd(pdds[s]) for s in ups}, TIE_RULES["split"])
    assert abs(alone[1] - expected[1]) > 6 * found.errors[0]


@pytest.mark.parametrize("ties", TIE_RULES)
def test_without_an_overlap_seats_are_independent(ties: str) -> None:
    ups = {1: "7c 9c Tc Qd", 4: "7d 9d Jh Qc", 6: "8d 8c Kd Ah"}
    decks = ((0, 4, 8, 9, 12, 16), (1, 5, 10, 13, 14, 17), (2, 6, 7, 11, 15, 18))
    pdds = {s: few(rng(s), N_TRIPLES, 12, deck) for s, deck in zip(ups, decks, strict=True)}
    hidden = seventh(ups, FACE_UP, pdds)
    found = joint_chances(hidden, 20_000, rng(), ties)
    hands = {s: LastHands(Unseen(FACE_UP), up) for s, up in hidden.up.items()}
    htpds = {s: hands[s].htpd(pdds[s]) for s in ups}
    assert_agrees(found, chances_to_win(htpds, TIE_RULES[ties]))
    if ties == "split":
        assert found.effective == pytest.approx(20_000)


@pytest.mark.parametrize(("shown", "left"), [(4, 16), (3, 12), (2, 9), (1, 8)])
def test_known_downcards_leave_only_the_cards_to_come(shown: int, left: int) -> None:
    """3rd to 6th street with most of the deck on view, so that every future can be dealt."""
    deck = rng(shown).permutation(DECK_SIZE).tolist()
    ups = {1: tuple(deck[:shown]), 2: tuple(deck[4 : 4 + shown])}
    downs = {1: tuple(deck[8:10]), 2: tuple(deck[10:12])}
    pdds = {seat: pdd_of(N_PAIRS, {pair: 1}) for seat, pair in downs.items()}
    hidden = Hidden(ups, frozenset([*deck[:8], *deck[12 + left :]]), pdds)
    found = joint_chances(hidden, 20_000, rng())
    assert found.effective == pytest.approx(20_000)
    assert_agrees(found, enumerated(hidden, "split"))


def test_eight_players_share_the_last_card() -> None:
    """Forty-eight cards are out on 6th street; each of the four left is as likely."""
    deck = rng(3).permutation(DECK_SIZE).tolist()
    ups = {seat: tuple(deck[4 * seat : 4 * seat + 4]) for seat in range(8)}
    down = {seat: tuple(deck[32 + 2 * seat : 34 + 2 * seat]) for seat in range(8)}
    pdds = {seat: pdd_of(N_PAIRS, {pair: 1}) for seat, pair in down.items()}
    found = joint_chances(Hidden(ups, frozenset(deck[:32]), pdds), 20_000, rng())
    expected = dict.fromkeys(range(8), 0.0)
    for last in deck[48:]:
        made = naive.classes_of(np.array([(*ups[s], *down[s], last) for s in range(8)]))
        best = np.flatnonzero(made == made.max())
        for seat in best.tolist():
            expected[seat] += 1 / best.size / 4
    assert_agrees(found, expected)


def test_who_folded_unread_changes_nothing_but_the_draws() -> None:
    hidden = read_stages()["3B"].at_random()
    fewer = Hidden(hidden.up, hidden.seen, {seat: hidden.pdds[seat] for seat in hidden.up})
    with_folded, without = (joint_chances(h, 20_000, rng()) for h in (hidden, fewer))
    error = math.hypot(with_folded.errors[0], without.errors[0])
    assert with_folded.p[0] == pytest.approx(without.p[0], abs=4 * error)


@pytest.mark.parametrize("name", ["3D", "6B", "7B"])
def test_the_stated_error_is_the_error(name: str) -> None:
    hidden = read_stages()[name]
    chance = rng()
    runs = [joint_chances(hidden, 300, chance) for _ in range(60)]
    spread = np.std([run.p for run in runs], axis=0, ddof=1)
    stated = np.sqrt(np.mean([run.errors**2 for run in runs], axis=0))
    assert spread == pytest.approx(stated, rel=0.35)


# What is hidden in a hand


def golden() -> Replay:
    played = replay(hand(GOLDEN))
    assert played.problem is None
    return played


def read_stages() -> dict[str, Hidden]:
    return hidden_by_stage(analyze_replay(golden(), DEFAULT))


def test_pdds_are_the_likelihoods_of_each_seats_own_actions() -> None:
    """Multiplied up from even odds, over pairs; the last card joins them evenly; folds count."""
    played, stages = golden(), read_stages()
    assert tuple(stages) == STAGES
    pairs = {seat: np.ones(N_PAIRS) for seat in range(1, 8)}
    observed = read_hand(as_reader(player_models(DEFAULT)), played, TIE_RULES["split"])
    for street, seen in zip(played.streets, observed, strict=True):
        hidden = stages[f"{street.number}B"]
        triples = {}
        for update in seen.updates:
            seat, likelihood = update.decision.seat, update.likelihood
            if street.number < 7:
                pairs[seat] = pairs[seat] * likelihood
            else:
                triples[seat] = triples.get(seat, np.ones(N_TRIPLES)) * likelihood
        for seat, pdd in hidden.pdds.items():
            dead = set(hidden.seen)
            weights = {p: pairs[seat][pair_index(*p)] for p in combinations(range(52), 2)}
            if pdd.size == N_TRIPLES:
                weights = {
                    t: sum(weights[pair] for pair in combinations(t, 2))
                    * triples[seat][triple_index(*t)]
                    for t in combinations(naive.unseen_cards(dead), 3)
                }
            free = {held: w for held, w in weights.items() if not dead & set(held)}
            assert np.allclose(pdd, pdd_of(pdd.size, free), rtol=0, atol=1e-12)
        assert set(hidden.up) == set(street.active_after)


def test_the_truth_is_one_of_the_deals() -> None:
    played = golden()
    for name, hidden in read_stages().items():
        known = as_dealt(hidden, played.downcards)
        deals = draw_deals(known, 3, rng())
        assert deals.weights.tolist() == [1.0] * 3
        for seat, pdd in hidden.pdds.items():
            held = played.downcards[seat][: 3 if pdd.size == N_TRIPLES else 2]
            drawn = [card for card in deals.downcards(seat)[0].tolist() if card >= 0]
            assert set(drawn) == set(held), name


def test_what_cannot_be() -> None:
    hidden = read_stages()["5B"]
    with pytest.raises(ValueError, match="no tie rule 'coin': expected paper or split"):
        joint_chances(hidden, 10, rng(), "coin")
    with pytest.raises(ValueError, match="at least one draw is needed, not 0"):
        joint_chances(hidden, 0, rng())
    pair = pdd_of(N_PAIRS, {cards("As Ad"): 1})
    with pytest.raises(ValueError, match="no deal was found in which these reads hold"):
        joint_chances(Hidden(SIXTH_UP, frozenset(), {1: pair, 2: pair}), 10, rng())
    with pytest.raises(ValueError, match="from the public read, not that of seat:1"):
        hidden_by_stage(analyze_replay(golden(), DEFAULT, "seat:1"))
    unknown = replay(hand(GOLDEN.replace("5d.Ac", "??.??")))
    with pytest.raises(ValueError, match="where all dealt downcards are known"):
        independence_cost(analyze_replay(unknown, DEFAULT), 10, rng())


# Costs


def chances(p: Sequence[float], draws: int) -> JointChances:
    """Chances as if estimated from ``draws`` whole pots."""
    q = np.array(p)
    covariance = (np.diag(q) - np.outer(q, q)) / draws
    return JointChances(tuple(range(1, q.size + 1)), q, covariance, draws)


def test_costs_on_paper() -> None:
    joint, alone = chances([0.5, 0.25, 0.25], 10**9), np.array([0.25, 0.5, 0.25])
    assert loss(joint, alone).bits == pytest.approx(0.5 * 1 + 0.25 * -1, abs=1e-6)
    truth = chances([1.0, 0.0, 0.0], 10**9)
    assert gain_on_truth(truth, joint, alone).bits == pytest.approx(1.0, abs=1e-6)
    nobody = chances([0.0, 1.0, 0.0], 10**9)
    assert gain_on_truth(nobody, joint, alone).bits == pytest.approx(-1.0, abs=1e-6)


def test_the_bias_of_a_divergence() -> None:
    """(seats - 1) / (2 n ln 2); for a chance that no draw met, a figure that is finite."""
    found = loss(chances([0.2, 0.3, 0.4, 0.1], 1000), np.array([0.2, 0.3, 0.4, 0.1]))
    assert found.bias == pytest.approx(3 / (2 * 1000 * math.log(2)))
    assert found.bits == pytest.approx(-found.bias)
    never = gain_on_truth(chances([0, 1], 9), chances([1, 0], 9), np.array([0.9, 0.1]))
    assert math.isfinite(never.bits)


def test_what_a_read_rules_out() -> None:
    """The divergence is infinite; the difference of two such reads is not, nor is it NaN."""
    truth, joint, alone = chances([0.5, 0.5], 10**6), chances([1, 0], 10**6), np.array([1.0, 0.0])
    assert loss(truth, alone).bits == math.inf
    assert gain_on_truth(truth, joint, alone).bits == pytest.approx(0.0, abs=1e-6)


def test_no_cost_is_found_where_there_is_none() -> None:
    """Multinomial estimates of the very chances they are compared with, many times."""
    p = np.array([0.5, 0.3, 0.15, 0.05])
    chance = rng()
    truth = chances([0.1, 0.2, 0.3, 0.4], 10**9)
    drawn = [chances(chance.multinomial(400, p) / 400, 400) for _ in range(3000)]
    for figures in ([loss(j, p) for j in drawn], [gain_on_truth(truth, j, p) for j in drawn]):
        bits = np.array([figure.bits for figure in figures])
        error = bits.std() / math.sqrt(bits.size)
        assert abs(bits.mean()) < 4 * error + 0.05 * abs(figures[0].bias)
        stated = math.sqrt(np.mean([figure.error**2 for figure in figures]))
        assert 0.9 < stated / bits.std() < 1.4  # never much too small


@pytest.mark.thorough
def test_independence_costs_next_to_nothing(tmp_path: Path) -> None:
    setup = Setup(player_models(DEFAULT), ties="split")
    table = independence(setup, 12, 2000, Run(5, resume=tmp_path))
    assert len(list(tmp_path.iterdir())) > 1
    assert list(dict.fromkeys(key.stage for key in table.figures)) == list(STAGES)
    assert table.games == table.at("equation_1_bits", "3D").n == 12
    bias = 6 / (2 * 2000 * math.log(2))
    for key, estimate in table.figures.items():
        if "on_truth" not in key.figure:
            assert -bias < estimate.mean < 0.01, key
    assert "2,000 joint deals" in independence_text(table)
    rows = list(csv.DictReader(frame_csv(table.to_frame()).splitlines()))
    equation_1 = [row["mean"] for row in rows if row["figure"] == "equation_1_bits"]
    assert float(equation_1[1]) == table.at("equation_1_bits", STAGES[1]).mean


def test_with_all_cards_dealt_equation_1_is_exact() -> None:
    costs = independence_cost(analyze_replay(golden(), DEFAULT), 100, rng())
    assert [cost.stage for cost in costs] == list(STAGES)
    for cost in costs[-2:]:
        assert cost.equation_1.bits == pytest.approx(0.0, abs=1e-9)
        assert cost.equation_1.error == pytest.approx(0.0, abs=1e-9)
