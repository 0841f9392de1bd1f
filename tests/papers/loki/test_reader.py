"""Loki as a reader: categories of actions, thresholds, weights, and what it learns."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import handread
from handread.cards import pair_index, triple_index
from handread.game.replay import replay
from handread.history import Action, History, Seat
from handread.inference.observer import ObservedStreet
from handread.inference.readers import read_hand
from handread.named_readers import load_reader
from handread.papers.loki.income import incomes, starts
from handread.papers.loki.model import (
    ACTIONS,
    CALL,
    COSTS,
    ENOUGH,
    FOLD,
    RAISE,
    STRENGTH_STEPS,
    ActionModel,
    Threshold,
    categories,
    counts_in,
    frequencies_of,
    model_in,
    player_key,
    shipped_model,
    strength_figure,
    strength_threshold,
    threshold,
)
from handread.papers.loki.player import OWN_FREQUENCIES
from handread.papers.loki.reader import LokiReader, basic_reader, specific_reader
from handread.papers.loki.study import action_frequencies
from handread.simulate import play_game
from tests.examples import few
from tests.frames import frame_csv
from tests.hands import GOLDEN, WALKED_OFF, cards, hand, random_hand
from tests.papers.tables import Caller, table

SHAPE = (5, len(COSTS), len(ACTIONS))


def streets_of(history: History, reader: LokiReader) -> list[ObservedStreet]:
    return list(read_hand(reader, replay(history)))


# Categories


def test_categories_of_a_hand() -> None:
    """A bring-in and a completion cost one bet each, a completion and a raise more."""
    script = """
        1a 2a 3a 4a
        3: 1=??.??/7h 2=??.??/8d 3=??.??/2d 4=??.??/4c
        3B 4c 1r 2r 3f 4f 1c
        4: 1=8h 2=Kc  2k 1b 2r 1f
    """
    found = list(categories(replay(hand(script)).decisions))
    assert found == [
        (4, (0, 1, CALL)),
        (1, (0, 1, RAISE)),
        (2, (0, 1, RAISE)),
        (3, (0, 2, FOLD)),
        (4, (0, 2, FOLD)),
        (1, (0, 1, CALL)),
        (2, (1, 0, CALL)),
        (1, (1, 0, RAISE)),
        (2, (1, 1, RAISE)),
        (1, (1, 1, FOLD)),
    ]


def test_a_completion_by_the_owner_of_the_bring_in_is_not_counted() -> None:
    script = """
        1a 2a
        3: 1=??.??/7h 2=??.??/2d
        2r 1f
    """
    assert list(categories(replay(hand(script)).decisions)) == [(1, (0, 1, FOLD))]


def test_default_frequencies_are_probabilities() -> None:
    for found in (shipped_model(OWN_FREQUENCIES).default, shipped_model().default):
        assert found.shape == SHAPE
        np.testing.assert_allclose(found.sum(axis=-1), 1.0)
        assert found.min() > 0.0
    # A free card is never declined, and a bet is called less often than a check is made.
    assert found[:, 0, FOLD].max() < 0.01
    assert (found[:, 1, CALL] < found[:, 0].max(axis=-1)).all()


def test_default_frequencies_are_those_of_the_experiment() -> None:
    """The table that it writes has the counts of its games, and those shipped are of more games."""
    counts = np.zeros(SHAPE)
    for number in range(10):
        for _, category in categories(play_game(table("default", 7), 1, number).replay.decisions):
            counts[category] += 1
    text = frame_csv(action_frequencies(table("default", 7), 10).to_frame())
    np.testing.assert_allclose(counts_in(text), counts, atol=1e-9)
    shares = counts[0, 1] / counts[0, 1].sum()
    np.testing.assert_allclose(shipped_model().default[0, 1], shares, atol=0.2)
    smoothed = frequencies_of(counts)
    np.testing.assert_allclose(smoothed.sum(axis=-1), 1.0)
    assert smoothed.min() > 0.0


# Thresholds


def test_the_threshold_of_thirty_percent() -> None:
    """The paper's example: a player who calls with 30% of the hands, with a spread of 100."""
    values = np.arange(1000.0)
    found = threshold(CALL, np.array([0.7, 0.2, 0.1]), values, np.ones(1000), 100.0)
    assert found == Threshold(700.0, 100.0)
    factors = found.factors(values)
    assert (factors[700], factors[601], factors[801]) == (0.5, 0.01, 1.0)
    assert factors[750] == 0.75
    raised = threshold(RAISE, np.array([0.7, 0.2, 0.1]), values, np.ones(1000), 100.0)
    assert raised.mean == 900.0
    folded = threshold(FOLD, np.array([0.7, 0.2, 0.1]), values, np.ones(1000), 100.0)
    assert folded.factors(values)[[500, 700, 900]].tolist() == [1.0, 0.5, 0.01]


def test_an_action_that_everybody_takes_tells_nothing() -> None:
    values = np.linspace(0.0, 1.0, 50)
    found = threshold(CALL, np.array([0.0, 0.9, 0.1]), values, np.ones(50), 0.2)
    assert found.factors(values).tolist() == [1.0] * 50


def test_a_threshold_is_a_quantile_of_the_weights() -> None:
    values = np.array([0.1, 0.9, 0.5, 0.3])
    weights = np.array([0.0, 1.0, 1.0, 2.0])
    found = threshold(CALL, np.array([0.6, 0.4, 0.0]), values, weights, 0.5)
    assert found == Threshold(0.5, pytest.approx(0.2))


def test_the_threshold_of_a_strength_is_that_of_a_situation() -> None:
    """Of the hands 90% have less than .5: those who bet with one hand in ten need .5."""
    strengths = np.array([0.9 if step >= 0.5 else 0.1 for step in STRENGTH_STEPS[:-1]] + [1.0])
    found = strength_threshold(RAISE, np.array([0.0, 0.89, 0.11]), strengths)
    assert found == Threshold(pytest.approx(0.5, abs=0.001), 0.2)
    factors = found.factors(np.array([0.22, 0.5, 0.8])).tolist()
    assert factors == pytest.approx([0.01, 0.5, 1.0], abs=0.01)
    middle = strength_threshold(FOLD, np.array([0.5, 0.4, 0.1]), strengths)
    assert middle.mean == pytest.approx(0.475)
    assert not middle.above
    loose = strength_threshold(CALL, np.array([0.05, 0.9, 0.05]), strengths)
    assert loose.mean == loose.spread == pytest.approx(0.025)
    assert strength_threshold(RAISE, np.array([1.0, 0.0, 0.0]), strengths).mean == 1.0


def test_strengths_shipped_are_distributions() -> None:
    found = shipped_model().strengths
    assert found.shape == (5, len(COSTS), len(STRENGTH_STEPS))
    assert (np.diff(found, axis=-1) >= 0.0).all()
    np.testing.assert_allclose(found[..., -1], 1.0)
    # The median hand of a street is neither worthless nor the best.
    medians = [np.searchsorted(found[street, 0], 0.5) for street in range(1, 4)]
    assert 0 < min(medians) <= max(medians) < len(STRENGTH_STEPS) - 1


def test_a_rare_situation_has_the_strengths_of_its_street() -> None:
    head = "about,group,stage,figure,n,hands,mean,error,low,high,infinite"
    rows = [
        f",{words},5,{strength_figure(step)},{n},9,{mean},,,,0"
        for words, n, mean in (("any", 80, 0.6), ("no bet", 60, 0.7), ("one bet", 20, 0.2))
        for step in STRENGTH_STEPS
    ]
    found = model_in("\n".join([head, *rows])).strengths
    assert found[2, :, 5].tolist() == [0.7, 0.6, 0.6]
    assert found[3, 0].tolist() == list(STRENGTH_STEPS)
    assert model_in(head).strengths is None


def test_own_frequencies_count_after_twenty_actions() -> None:
    default = np.full(SHAPE, 1 / 3)
    own = np.zeros(SHAPE)
    own[2, 1] = [ENOUGH - 1, 0, 0]
    model = ActionModel(default, counts={"Ann": own}, enough=ENOUGH)
    assert model.frequencies("Ann", 2, 1).tolist() == [1 / 3] * 3
    own[2, 1] += [1, 0, 0]
    expected = [(ENOUGH + 1 / 3) / (ENOUGH + 1), *[1 / 3 / (ENOUGH + 1)] * 2]
    assert model.frequencies("Ann", 2, 1).tolist() == pytest.approx(expected)
    assert model.frequencies("Bob", 2, 1).tolist() == [1 / 3] * 3
    assert model.frequencies("Ann", 2, 0).tolist() == [1 / 3] * 3
    assert replace(model, enough=None).frequencies("Ann", 2, 1).tolist() == [1 / 3] * 3


# The reader


def test_a_reader_re_weighs_step_by_step() -> None:
    """Each pdd is the one before times the factors of Figure 3."""
    for street in streets_of(hand(GOLDEN), LokiReader()):
        for update in street.updates:
            joint = update.before * update.likelihood
            np.testing.assert_allclose(update.after, joint / joint.sum(), rtol=1e-12)
            assert update.likelihood.max() <= 1.0
            assert update.likelihood.min() >= 0.01
            assert len(set(update.action_probs.tolist())) == 1
            assert update.evidence == update.action_probs[0]
            assert 0.0 < update.evidence <= 1.0


def test_third_street_is_read_by_income() -> None:
    street = streets_of(hand(GOLDEN), LokiReader())[0]
    completion = next(u for u in street.updates if u.decision.action is Action.RAISE)
    assert completion.decision.seat == 1  # who shows 7h
    frequencies = shipped_model().default[0, 1]
    needed = threshold(RAISE, frequencies, incomes(), starts().ways, 0.1)
    for down in ("7c 7d", "Kc 9d", "Ah Kh"):
        index = starts().of_triple[triple_index(*cards(f"{down} 7h"))]
        factor = completion.likelihood[pair_index(*cards(down))]
        assert factor == needed.factors(incomes())[index]
    trips, nothing = (pair_index(*cards(text)) for text in ("7c 7d", "Kc 9d"))
    assert completion.likelihood[trips] == 1.0
    assert completion.likelihood[nothing] < 0.5


def test_a_bet_makes_strong_hands_likely() -> None:
    streets = streets_of(hand(GOLDEN), LokiReader())
    raised = next(u for u in streets[2].updates if u.decision.action is Action.RAISE)
    three_aces = pair_index(*cards("Ah Ac"))
    assert raised.after[three_aces] > raised.before[three_aces]
    assert raised.information_bits > 0.1


def test_the_basic_reader_reads_third_street_alone() -> None:
    streets = streets_of(hand(GOLDEN), basic_reader())
    generic = streets_of(hand(GOLDEN), LokiReader())
    for mine, theirs in zip(streets[0].updates, generic[0].updates, strict=True):
        np.testing.assert_array_equal(mine.after, theirs.after)
    for street in streets[1:]:
        for update in street.updates:
            np.testing.assert_array_equal(update.after, update.before)


def test_specific_modelling_learns_players_by_name() -> None:
    named = [Seat(n, f"player {n}") for n in range(1, 8)]
    played = replay(hand(GOLDEN, seats=named))
    reader = specific_reader()
    for _ in range(ENOUGH):
        reader = reader.after(played, ())
    counts = reader.model.counts
    assert counts["player 3"][0, 2 if counts["player 3"][0, 2].sum() else 1, FOLD] == ENOUGH
    before = streets_of(hand(GOLDEN, seats=named), specific_reader())
    after = streets_of(hand(GOLDEN, seats=named), reader)
    first = [(street.updates[0].evidence) for street in (before[0], after[0])]
    assert first[1] > 0.9  # seat 6 always folds to the bring-in
    assert first[0] < first[1]
    assert reader.terms != specific_reader().terms
    assert LokiReader().after(played, ()) == LokiReader()
    assert not LokiReader().learns


def test_players_without_a_name_are_known_by_their_seat() -> None:
    assert player_key(hand(GOLDEN), 3) == "seat 3"


def assert_read(history: History) -> None:
    """Each pdd sums to 1 and leaves out the cards on view."""
    played = replay(history)
    streets = streets_of(history, LokiReader())
    assert len(streets) == len(played.streets)
    for street in streets:
        for belief in (street.dealt, street.after):
            for seat, pdd in belief.pdds.items():
                assert pdd.sum() == pytest.approx(1.0)
                assert pdd.min() >= 0.0
                assert (pdd[~belief.hands[seat].live] == 0.0).all()
        assert all(0.0 < update.evidence <= 1.0 for update in street.updates)


@pytest.mark.parametrize(
    ("seed", "players", "deepest"),
    few(
        [(1, 7, None), (5, 8, 3), (6, 2, 2)]
        + [(seed, 2 + seed % 7, seed % 5 + 1) for seed in range(20)],
        3,
    ),
)
def test_random_hands_are_read(seed: int, players: int, deepest: int | None) -> None:
    assert_read(random_hand(seed, players, deepest=deepest))


def test_a_shared_last_card_leaves_pairs() -> None:
    """Eight players who stay in share the last card; they decide from one observer."""
    callers = dict.fromkeys(range(1, 9), Caller(LokiReader()))
    game = play_game(table("default", 8, deciders=callers, watched=False), 1, 0)
    assert game.replay.streets[-1].shared is not None
    assert_read(game.history)
    last = streets_of(game.history, LokiReader())[-1]
    assert {pdd.size for pdd in last.after.pdds.values()} == {1326}


def test_a_fold_with_nothing_to_call_tells_nothing() -> None:
    (last,) = streets_of(hand(WALKED_OFF), LokiReader())[-1].updates
    np.testing.assert_array_equal(last.after, last.before)
    assert last.evidence > 0.0


def test_other_games_are_refused() -> None:
    with pytest.raises(handread.AnalysisError, match="the reader does not read this game"):
        handread.analyze(hand(GOLDEN, variant="stud8"), load_reader("loki"))
