"""The public observer against plain sums, toys with their answer on paper, and its laws."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest

import handread
from handread.cards import N_PAIRS, pair_index, parse_card, triple_index
from handread.game.replay import replay
from handread.game.steps import DealtStreet, Decision, DecisionPoint, Replay
from handread.history import History
from handread.inference.analysis import after_hand, analyze_replay
from handread.inference.observer import (
    TIE_RULES,
    Belief,
    ObservedStreet,
    TieRule,
    Update,
    deal,
    reweigh,
    seat_cards,
    visible_cards,
)
from handread.inference.players import player_models
from handread.inference.readers import Observer, PolicyReader, Reader, cannot_be_read, read_hand
from handread.odds.htpd import PAIR_CARDS, TRIPLE_CARDS, holding_cards
from handread.policy import HoldingValues, load_policy
from tests import naive
from tests.beliefs import assert_read_as, observed
from tests.hands import GOLDEN, WALKED_OFF, hand

DEFAULT = load_policy("default")
SPLIT = TIE_RULES["split"]


# Against plain sums


@pytest.mark.parametrize(
    ("shown", "line", "ties"),
    [
        ({1: "7h 8h Js 2c", 2: "8d Kc As 7d"}, "2k 1b 2c", "split"),
        ({1: "7h 8h Js 2c", 2: "8d Kc As 7d"}, "2b 1r 2r 1r 2c", "paper"),
        ({1: "5h 6h 8h 9h", 2: "Kd Kc 2s 2d"}, "2b 1r 2c", "split"),
        ({1: "Ah 2h 3h 4c", 2: "Ad As 9d 9h"}, "2k 1k", "paper"),
        ({1: "Th Jh Qd Kd", 2: "9c 9d 9s 3c"}, "2b 1r 2r 1f", "split"),
        ({1: "7h 8h Js 2c", 4: "8d Kc As 7d", 8: "Th Jd 3s 3c"}, "8b 1c 4r 8c 1c", "paper"),
    ],
)
def test_a_line_on_sixth_street(shown: dict[int, str], line: str, ties: str) -> None:
    """Every pair with every card to come, ranked one by one; Figure 5 and Bayes written out."""
    street = naive.street_play(6, shown, line)
    seen = visible_cards(street)
    pairs: list[int] = []
    rows = {}
    for seat in shown:
        pairs, rows[seat] = naive.holdings_on_sixth(seen, seat_cards(street, seat))
    line_read = assert_read_as(street, ties, pairs, rows)
    # The chance of the line: the joint holdings of all seats, added up.
    joint = np.ones(())
    for played in line_read.likelihoods.values():
        joint = np.multiply.outer(joint, played / len(pairs)).sum(axis=0)
    assert math.prod(line_read.evidence) == pytest.approx(float(joint))


@pytest.mark.parametrize("ties", ["paper", "split"])
def test_a_line_on_seventh_street(ties: str) -> None:
    shown = {1: "7h 8h Js 2c", 2: "8d Kc As 7d"}
    street = naive.street_play(7, shown, "2b 1r 2c")
    # Nothing was known before: every triple is as likely as any other. Classes that neither
    # seat can make are left out.
    seen = visible_cards(street)
    classes = {seat: naive.triple_classes(seen, seat_cards(street, seat)) for seat in shown}
    triples = list(classes[1])
    made, places = np.unique([list(c.values()) for c in classes.values()], return_inverse=True)
    rows = {seat: np.eye(made.size)[i] for seat, i in zip(classes, places, strict=True)}
    assert_read_as(street, ties, [triple_index(*triple) for triple in triples], rows)


# Toys with their answer on paper


@dataclass(frozen=True)
class BetsTheNuts:
    """Bets and raises what cannot lose, and else one time in ten; never folds."""

    name: str = "nuts"
    likelihood_exponent: float = 1.0

    def probabilities(
        self, decision: DecisionPoint, outlook: HoldingValues
    ) -> dict[str, np.ndarray]:
        strong = np.where(outlook.chance > 1 - 1e-9, 1.0, 0.1)
        if decision.to_call == 0:
            return {"check": 1 - strong, "bet": strong}
        return {"fold": 0 * strong, "call": 1 - strong, "raise": strong}


ROYAL_DRAW = {1: "As Ks Qs Js", 2: "Ad Kh 9d 8d"}


def holds(pdd: np.ndarray, card: str) -> float:
    """The probability that a holding contains a card."""
    cards = PAIR_CARDS if pdd.size == N_PAIRS else TRIPLE_CARDS
    return float(pdd[(cards == parse_card(card)).any(axis=1)].sum())


def test_a_royal_draw_bets() -> None:
    """44 cards are unseen; the ten of spades, 3 times in 44, cannot lose.

    P(bet) = 3/44 + 41/44 / 10 = 71/440, and P(ten | bet) = (3/44) / (71/440) = 30/71. Nothing
    else is safe from a straight flush in diamonds.
    """
    street = naive.street_play(7, ROYAL_DRAW, "1b")
    (start, after), (bet,) = observed((street,), BetsTheNuts())
    assert holds(start.pdds[1], "Ts") == pytest.approx(3 / 44)
    assert bet.evidence == pytest.approx(71 / 440)
    assert bet.surprise_bits == pytest.approx(math.log2(440 / 71))
    assert holds(after.pdds[1], "Ts") == pytest.approx(30 / 71)
    with_ten, without = 30 / 71, 41 / 71
    news = with_ten * math.log2(440 / 71) + without * math.log2(44 / 71)
    assert bet.information_bits == pytest.approx(news)
    assert after.pdds[2] is start.pdds[2]


def test_a_royal_draw_checks() -> None:
    street = naive.street_play(7, ROYAL_DRAW, "1k 2b 1r")
    (_, checked, _, raised), (check, _, raise_) = observed((street,), BetsTheNuts())
    assert check.evidence == pytest.approx(41 / 44 * 9 / 10)
    assert holds(checked.pdds[1], "Ts") == 0.0
    assert raise_.evidence == pytest.approx(0.1)
    assert raise_.information_bits == pytest.approx(0.0, abs=1e-12)
    assert holds(raised.pdds[1], "Ts") == 0.0


def test_a_shared_royal_card() -> None:
    """With the seventh card shared, two downcards of 43 have the ten twice in 43."""
    street = naive.street_play(7, ROYAL_DRAW, "1b", shared="7d")
    (start, after), (bet,) = observed((street,), BetsTheNuts())
    assert start.pdds[1].size == N_PAIRS
    assert bet.evidence == pytest.approx(2 / 43 + 41 / 43 / 10)
    assert holds(after.pdds[1], "Ts") == pytest.approx(20 / 61)


def test_no_holding_plays_so() -> None:
    """The honest player does not bet a hand that cannot win; the belief stays as it was."""
    street = naive.street_play(7, {1: "Ac Ad Ah As", 2: "2c 4d 7h Jc"}, "1k 2b")
    (_, before, after), (_, bluff) = observed((street,), load_policy("honest"))
    assert bluff.evidence == 0.0
    assert bluff.surprise_bits == math.inf
    assert bluff.information_bits == 0.0
    assert (after.pdds[2] == before.pdds[2]).all()
    assert np.isfinite(after.htpds[2]).all()


# Deals


@pytest.mark.parametrize("policy", ["default", "people", "panel"])
def test_a_fold_with_nothing_to_call_is_no_choice_of_a_policy(policy: str) -> None:
    """A legal record may hold it: somebody went away. It tells nothing and is said to."""
    one = replay(hand(WALKED_OFF))
    assert one.problem is None
    beliefs, updates = observed(one.streets, load_policy(policy))
    last = updates[-1]
    assert (last.decision.action, last.decision.to_call) == ("fold", 0)
    assert last.evidence == 0.0
    assert last.after is last.before
    assert set(beliefs[-1].pdds) == {1}


def test_the_first_deal_gives_even_odds() -> None:
    street = naive.street_play(3, {1: "7h", 2: "8d", 3: "9d"}, "")
    belief, news = deal(None, street)
    assert news == {1: 0.0, 2: 0.0, 3: 0.0}
    for pdd in belief.pdds.values():
        assert np.count_nonzero(pdd) == math.comb(49, 2)
        assert pdd.max() == pytest.approx(1 / math.comb(49, 2))


def test_a_deal_prunes_and_tells_so_many_bits() -> None:
    third = naive.street_play(3, {1: "7h", 2: "8d"}, "")
    fourth = naive.street_play(4, {1: "7h Kc", 2: "8d Ks"}, "")
    first, _ = deal(None, third)
    second, news = deal(first, fourth)
    left = math.comb(48, 2) / math.comb(50, 2)
    assert news == pytest.approx({1: -math.log2(left), 2: -math.log2(left)})
    assert second.pdds[1][pair_index(parse_card("Ks"), parse_card("2c"))] == 0.0
    assert second.pdds[1].sum() == pytest.approx(1.0)


def test_a_read_that_the_cards_refute_starts_again() -> None:
    third = naive.street_play(3, {1: "7h", 2: "8d"}, "")
    fourth = naive.street_play(4, {1: "7h Kc", 2: "8d Ks"}, "")
    belief, _ = deal(None, third)
    sure = np.zeros(N_PAIRS)
    sure[pair_index(parse_card("Ks"), parse_card("Kd"))] = 1.0
    after, news = deal(replace(belief, pdds={**belief.pdds, 1: sure}), fourth)
    assert news[1] == math.inf
    assert after.pdds[1].max() == pytest.approx(1 / math.comb(48, 2))


def test_folded_upcards_stay_seen() -> None:
    streets = replay(hand(GOLDEN)).streets
    beliefs, _ = observed(streets, DEFAULT)
    assert set(beliefs[-1].pdds) == {1, 2}
    for card in ("9d", "4c", "3h", "3s", "Tc"):
        assert parse_card(card) in visible_cards(streets[-1])
        assert holds(beliefs[-1].pdds[1], card) == 0.0


def test_upcards_that_were_not_seen() -> None:
    street = naive.street_play(3, {1: "7h", 2: "8d"}, "")
    with pytest.raises(ValueError, match="an upcard of seat 2 was not seen"):
        seat_cards(replace(street, upcards={**street.upcards, 2: (None,)}), 2)


# Readers


def test_the_algorithm_step_by_step() -> None:
    """The public functions give the beliefs of an analysis."""
    played = replay(hand(GOLDEN))
    read = analyze_replay(played, DEFAULT, ties="split")
    belief = None
    for street in played.streets:
        belief, _ = handread.deal(belief, street)
        for decision in street.decisions:
            belief, update = handread.observe(belief, decision, DEFAULT)
            assert update.evidence == pytest.approx(read.actions[decision.n - 1].evidence)
        stage = read.at(f"{street.number}B")
        assert belief.chances() == stage.bet_inference
        for seat, pdd in belief.pdds.items():
            assert np.array_equal(pdd, stage.seats[seat].pdd)


def test_weights_of_any_type_are_read_as_numbers_and_of_another_shape_refused() -> None:
    """The kernels check no bounds: a weight for each holding of another street is a fault."""
    street = replay(hand(GOLDEN)).streets[0]
    belief, _ = handread.deal(None, street)
    decision = street.decisions[0]
    chances = belief.holding_chances(decision.seat)
    even = np.arange(N_PAIRS) % 2 == 0
    _, expected = reweigh(belief, decision, even.astype(np.float64), chances)
    others: list[Any] = [even, even.astype(np.int64), np.repeat(even, 2)[::2].astype(np.float32)]
    for weights in others:
        _, update = reweigh(belief, decision, weights, chances)
        assert np.array_equal(update.after, expected.after)
    for size in (1325, TRIPLE_CARDS.shape[0]):
        with pytest.raises(ValueError, match="expected an array of the shape"):
            reweigh(belief, decision, np.ones(size), chances)
        with pytest.raises(ValueError, match="expected an array of the shape"):
            belief.hands[decision.seat].htpd(np.ones(size))


def test_with_a_policy_that_looks_at_no_cards_the_reader_is_the_cards_only_observer() -> None:
    played = replay(hand(GOLDEN))
    reader: Reader = PolicyReader(player_models("uniform"))
    for seen in read_hand(reader, played):
        for belief in (seen.dealt, seen.after):
            for seat, pdd in belief.pdds.items():
                assert np.allclose(pdd, belief.hands[seat].uniform, rtol=0, atol=1e-15)
                assert np.array_equal(pdd, seen.dealt.pdds[seat])


class AcesObserver:
    """Takes a bet or raise to be twice as likely with an ace in the hole."""

    belief: Belief

    def __init__(self) -> None:
        self._before: Belief | None = None

    def deal(self, street: DealtStreet) -> Mapping[int, float]:
        self.belief, news = deal(self._before, street)
        return news

    def observe(self, decision: Decision) -> Update:
        size = self.belief.pdds[decision.seat].size
        aces = (holding_cards(size) >> 2 == 12).any(axis=1)
        strong = decision.action in ("bet", "raise")
        odds = np.where(aces, 0.8, 0.4) if strong else np.full(size, 0.5)
        self.belief, update = reweigh(self.belief, decision, odds, np.zeros(size))
        self._before = self.belief
        return update


@dataclass(frozen=True)
class AcesReader:
    """Counts the hands that it has seen."""

    hands: int = 0
    name: str = "aces"
    terms: str = "aces"
    games: tuple[str, ...] = ("stud",)
    learns: bool = True

    def observer(self, history: History, ties: TieRule) -> Observer:
        return AcesObserver()

    def after(self, replay: Replay, observed: Sequence[ObservedStreet]) -> Reader:
        assert len(observed) == len(replay.streets)
        return AcesReader(self.hands + 1)


def test_an_analysis_takes_any_reader() -> None:
    played = replay(hand(GOLDEN))
    read = handread.analyze(played, AcesReader())
    assert read.reader.name == "aces"
    with pytest.raises(ValueError, match="the reader aces has no policies"):
        _ = read.players
    seat = next(a.decision.seat for a in read.actions if a.decision.action == "raise")
    before, after = (read.at(stage).seats[seat].pdd for stage in ("3D", "3B"))
    aces = (PAIR_CARDS >> 2 == 12).any(axis=1)
    share = before[aces].sum()
    assert after[aces].sum() == pytest.approx(2 * share / (1 + share))
    assert read.at("3B").cards_only.keys() == read.at("3B").bet_inference.keys()


def test_a_reader_learns_from_hand_to_hand() -> None:
    played = replay(hand(GOLDEN))
    reader = AcesReader()
    assert reader.learns
    assert after_hand(reader, handread.analyze(played, reader)) == AcesReader(1)


def test_a_reader_refuses_games_that_it_does_not_read() -> None:
    played = replay(hand(GOLDEN))
    razz = replace(played, history=replace(played.history, variant="razz"))
    problem = cannot_be_read(razz, AcesReader())
    assert problem is not None
    assert "this is razz; the reader does not read this game" in str(problem)
    assert cannot_be_read(played, AcesReader()) is None
    with pytest.raises(handread.AnalysisError, match="the reader does not"):
        handread.analyze(razz, AcesReader())
