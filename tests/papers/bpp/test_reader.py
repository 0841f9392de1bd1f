"""BPP as a reader: its pdds, its learning, and the matrices that ship."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from docs.site.bpp_matrices import matrices_text, records_text, simulated_hands
from handread.cards import Card, holding_index
from handread.game.rules import FIVE_STUD, STUD, Stakes, Variant
from handread.game.steps import DealtStreet, Decision, Replay, StreetRecord
from handread.inference.observer import SPLIT, seat_cards
from handread.inference.readers import PolicyReader, read_hand
from handread.named_readers import load_reader
from handread.odds.htpd import holding_cards
from handread.papers.bpp.learning import (
    PathSample,
    bets_met,
    count_open,
    hand_paths,
    learn,
    rows_of,
)
from handread.papers.bpp.reader import BppReader, bpp_reader
from handread.papers.bpp.reader_study import IMPROVEMENTS, TRUE_POLICIES, bpp_readers
from handread.papers.bpp.record import (
    GAMES,
    RELATIONS,
    Record,
    Switches,
    action_matrices,
    choice_in,
)
from handread.papers.bpp.shipped import parse_records, shipped_records
from handread.papers.bpp.types import FINE, NINE, PAPER, hand_code, made_strength
from handread.runs import Run
from handread.simulate import play_games
from tests.hands import cards
from tests.papers.tables import FIVE, table

ALL = {"types": "fine", "refined": True, "folds": True, "link": True, "all_hands": True}
"""Every switch on, but for the memory."""


@cache
def hands(game: Variant) -> tuple[Replay, ...]:
    stakes = Stakes(25, 25, (100, 100, 200, 200, 200)[: len(game.streets)])
    setup = table("loose", 3, stakes=stakes, game=game)
    return tuple(one.replay for one in play_games(setup, 3, range(12)))


BOTH = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)


def trained(**switches: object) -> BppReader:
    return bpp_reader([*hands(FIVE_STUD), *hands(STUD)], **switches)


def street_of(played: Replay, decision: Decision) -> StreetRecord:
    return next(street for street in played.streets if street.number == decision.street)


# Pdds


def plain_place(played: Replay, decision: Decision, down: Sequence[Card]) -> tuple[int, int, int]:
    """The betting round, the relation and the type of the hand of a player with some downcards."""
    street, strength = street_of(played, decision), made_strength()
    own = hand_code([*down, *seat_cards(street, decision.seat)], street.number < street.game.last)
    others = [seat_cards(street, seat) for seat in decision.active if seat != decision.seat]
    best = max(strength[hand_code(shown, False)] for shown in others)
    relation = 0 if strength[own] < best else 1 if strength[own] == best else 2
    return street.number - street.game.first, relation, int(FINE.of(np.array(own), street.number))


def plain_likelihood(
    reader: BppReader, played: Replay, decision: Decision, down: Sequence[Card]
) -> float:
    """P(action | holding), written out."""
    place, *row = plain_place(played, decision, down)
    matrices = reader.matrices(street_of(played, decision).game)
    bet = matrices.bet[place, int(decision.to_call > 0), *row]
    fold = matrices.fold[place, *row]
    stay = 1.0 if decision.to_call == 0 or not decision.can_fold else 1.0 - fold
    if decision.action == "fold":
        return float(fold)
    if not decision.can_raise:
        return float(stay)
    return float(stay * (bet if decision.action in ("bet", "raise") else 1.0 - bet))


@BOTH
@pytest.mark.parametrize("memory", [False, True])
def test_pdds_are_products_of_the_matrices(game: Variant, memory: bool) -> None:
    reader = trained(memory=memory, **ALL)
    played = max(hands(game), key=lambda one: len(one.decisions))
    seen = list(read_hand(reader, played))
    rng = np.random.default_rng(1)
    for number, street in enumerate(seen):
        for seat, pdd in street.after.pdds.items():
            live = np.flatnonzero(street.after.hands[seat].live)
            assert pdd.sum() == pytest.approx(1.0)
            if len(holding_cards(pdd.size)[0]) == 3 and memory:
                continue  # a triple has three first pairs
            drawn = rng.choice(live, 5, replace=False)
            acted = [
                update.decision
                for one in seen[: number + 1]
                for update in one.updates
                if update.decision.seat == seat and (memory or one is street)
            ]
            weights = [
                np.prod([plain_likelihood(reader, played, decision, down) for decision in acted])
                for down in map(tuple, holding_cards(pdd.size)[drawn].tolist())
            ]
            np.testing.assert_allclose(pdd[drawn] / pdd[drawn[0]], weights / weights[0], rtol=1e-9)


@BOTH
def test_probabilities_of_the_legal_actions_sum_to_one(game: Variant) -> None:
    for switches in ({}, ALL):
        reader = trained(**switches)
        for played in hands(game)[:3]:
            observer = reader.observer(played.history, SPLIT)
            for street in played.streets:
                observer.deal(street)
                for decision in street.decisions:
                    odds = observer.action_probs(decision)
                    np.testing.assert_allclose(sum(odds.values()), 1.0)
                    update = observer.observe(decision)
                    np.testing.assert_array_equal(odds[decision.action], update.likelihood)
                    mean = odds[decision.action] @ update.before
                    assert update.evidence == pytest.approx(mean)
                    if not switches and decision.action == "fold":  # says nothing, as in the paper
                        assert update.information_bits == 0.0


# Learning


@pytest.mark.parametrize(
    ("own", "others", "relation"),
    [
        ("9h 8d", "8c", "ahead"),
        ("8h 7d", "8c", "level"),
        ("7h 6d", "8c", "behind"),
        ("8h 7d", "7c 8c 2c", "level"),  # with the best of the upcards
        ("8h 7d", "7c 9c 2c", "behind"),
        ("2h 2d", "Ac Kc", "ahead"),
    ],
)
def test_a_hand_is_compared_with_the_best_upcards_of_the_others(
    own: str, others: str, relation: str
) -> None:
    down, up = cards(own)
    upcards = {1: (up,)} | {n: (card,) for n, card in enumerate(cards(others), 2)}
    street = DealtStreet(2, FIVE_STUD, upcards, None, tuple(upcards), 100)
    codes = np.array([hand_code([down, up], True)])
    (place,) = rows_of(codes, street, 1, street.active).relations
    assert RELATIONS[place] == relation


def shown(game: Variant) -> list[tuple[Replay, Decision]]:
    return [(p, d) for p in hands(game) for d in p.decisions if d.seat in p.showdown]


@BOTH
def test_showdowns_are_counted(game: Variant) -> None:
    plain = np.zeros((len(game.streets), len(PAPER), 2))
    for played, decision in shown(game):
        raised = choice_in(decision).raised
        if raised is not None:
            street = street_of(played, decision)
            down = played.downcards_on(street.number)[decision.seat]
            cards = [*down, *seat_cards(street, decision.seat)]
            hand = PAPER.hand(cards, street.number < game.last)
            plain[street.number - game.first, hand, int(raised)] += 1
    assert plain.sum() > 20
    record = learn(hands(game), game, Switches())
    matrices = action_matrices([record], game, Switches())
    for place, street in enumerate(game.streets):
        counts = plain[place]
        expected = (1.0 + counts) / (2.0 + counts.sum(axis=1, keepdims=True))
        found = matrices.of_types(PAPER, street.number, place)
        occurs = np.unique(PAPER.of_fine(street.number))
        np.testing.assert_allclose(found[occurs], expected[occurs])


@BOTH
def test_even_odds_before_anything_is_learned(game: Variant) -> None:
    for switches in (Switches(), Switches(**ALL)):
        matrices = action_matrices([Record.empty(game)], game, switches)
        assert (matrices.bet == 0.5).all()
        assert (matrices.fold == 0.5).all()


@BOTH
def test_folds_are_counted_whoever_shows(game: Variant) -> None:
    record = learn(hands(game), game, Switches())
    folds = sum(d.action == "fold" for played in hands(game) for d in played.decisions)
    assert record.met[:, 1].sum() == folds > 0
    assert record.folds[..., 1].sum() == 0
    seen = action_matrices([record], game, Switches())
    assert len(np.unique(seen.fold[0])) == 1  # the same for all hands


@BOTH
def test_hands_alone_are_learned_one_after_another(game: Variant) -> None:
    # Showdown counts do not depend on the order, and after() adds them hand by hand.
    switches = Switches(learning="pooled")
    reader = BppReader(switches)
    for played in hands(game):
        reader = reader.after(played, ())
    together = learn(hands(game), game, switches)
    np.testing.assert_allclose(reader.pooled[game.key].bets, together.bets)
    np.testing.assert_allclose(reader.pooled[game.key].met, together.met)
    assert reader.own == {}


def test_players_are_learned_by_name() -> None:
    reader = BppReader(Switches())
    for played in hands(FIVE_STUD):
        reader = reader.after(played, ())
    assert set(reader.own) == {seat.name for seat in hands(FIVE_STUD)[0].history.seats}
    total = sum(records["5stud"].bets for records in reader.own.values())
    np.testing.assert_allclose(total, reader.pooled["5stud"].bets)
    own, strange = (reader.matrices(FIVE_STUD, name) for name in ("loose-1", ""))
    assert not np.array_equal(own.bet, strange.bet)
    # A player without hands is a stranger.
    np.testing.assert_array_equal(reader.matrices(FIVE_STUD, "nobody").bet, strange.bet)


def plain_posterior(reader: BppReader, played: Replay, seat: int) -> dict[tuple, float]:
    """P(holding | all actions of a hand) of a seat, with the downcard of five-card stud."""
    own = [d for d in played.decisions if d.seat == seat]
    last = street_of(played, own[-1])
    visible = {card for cards in last.upcards.values() for card in cards}
    weights = {
        (card,): float(np.prod([plain_likelihood(reader, played, d, (card,)) for d in own]))
        for card in range(52)
        if card not in visible
    }
    total = sum(weights.values())
    return {down: weight / total for down, weight in weights.items()}


def test_expected_counts_written_out() -> None:
    reader = trained(**ALL)
    matrices = reader.matrices(FIVE_STUD)
    played = next(one for one in hands(FIVE_STUD) if len(one.showdown) < 3 and len(one.streets) > 2)
    for seat, paths in hand_paths(played, (), True).items():
        found, _ = PathSample.of([paths]).expected(matrices, FIVE_STUD)
        posterior = plain_posterior(reader, played, seat)
        plain = Record.empty(FIVE_STUD)
        for decision in (d for d in played.decisions if d.seat == seat):
            choice, context = choice_in(decision), int(decision.to_call > 0)
            for down, chance in posterior.items():
                place, *row = plain_place(played, decision, down)
                if choice.raised is not None:
                    plain.bets[place, context, *row, int(choice.raised)] += chance
                if choice.folded is not None:
                    plain.folds[place, *row, int(choice.folded)] += chance
        np.testing.assert_allclose(found.bets, plain.bets, atol=1e-9)
        np.testing.assert_allclose(found.folds, plain.folds, atol=1e-9)


def test_triples_of_seventh_street_are_paths() -> None:
    # Each holding of three cards has three choices of the last: 3 C(n, 3) equally likely paths.
    played = next(one for one in hands(STUD) if one.streets[-1].number == 7 and one.showdown)
    street = played.streets[-1]
    seat = street.decisions[0].seat
    paths = hand_paths(played, (), True)[seat]
    known = hand_paths(played, {seat}, False)[seat]
    assert known.weights.tolist() == [1.0]
    assert paths.weights.sum() == pytest.approx(1.0)
    assert paths.bets.cells.shape[1] == known.bets.cells.shape[1]
    n_seen = sum(len(cards) for cards in street.upcards.values())
    n = 52 - n_seen
    counts = paths.weights * n * (n - 1) * (n - 2) / 2
    np.testing.assert_allclose(counts, np.round(counts), atol=1e-6)
    # A seat may act on 7th street alone.
    quiet = [replace(street, decisions=()) for street in played.streets[:-1]]
    late = hand_paths(replace(played, streets=(*quiet, street)), (), True)[seat]
    assert late.weights.sum() == pytest.approx(1.0)
    assert late.bets.cells.shape[1] + late.folds.cells.shape[1] > 0


def test_em_finds_a_better_explanation_of_hands_that_were_not_shown() -> None:
    switches = Switches(**ALL)
    first = learn(hands(FIVE_STUD), FIVE_STUD, replace(switches, all_hands=False, folds=False))
    sample = PathSample.of(
        [p for one in hands(FIVE_STUD) for p in hand_paths(one, one.showdown, True).values()]
    )
    found = learn(hands(FIVE_STUD), FIVE_STUD, switches)
    bits = [
        sample.expected(action_matrices([record], FIVE_STUD, switches), FIVE_STUD)[1]
        for record in (first, found)
    ]
    assert bits[1] > bits[0]
    # A choice of a hidden hand is spread over its holdings, and counts once in all.
    choices = sum(choice_in(d).raised is not None for p in hands(FIVE_STUD) for d in p.decisions)
    assert found.bets.sum() == pytest.approx(choices)


def test_open_hands_count_every_choice() -> None:
    record = count_open(hands(STUD), STUD)
    choices = [choice_in(d) for played in hands(STUD) for d in played.decisions]
    assert record.bets.sum() == sum(choice.raised is not None for choice in choices)
    assert record.folds[..., 1].sum() == sum(choice.folded is True for choice in choices)
    np.testing.assert_allclose(record.folds.sum(axis=(1, 2)), record.met)
    met = bets_met(hands(STUD)[0])
    folds = {d.seat for d in hands(STUD)[0].decisions if d.action == "fold"}
    assert {seat for seat, counts in met.items() if counts[:, 1].sum()} == folds


# Switches


def test_distinctions_that_are_not_made_do_not_show() -> None:
    record = count_open(hands(STUD), STUD)
    coarse = action_matrices([record], STUD, Switches(types="nine"))
    assert (coarse.bet == coarse.bet[:, :1, :1]).all()
    for place, street in enumerate(STUD.streets):
        of_fine = NINE.of_fine(street.number)
        for hand in range(9):
            assert len(np.unique(coarse.bet[place, 0, 0, of_fine == hand])) <= 1
    fine = action_matrices([record], STUD, Switches(**ALL))
    assert (fine.bet != fine.bet[:, :1, :1]).any()


@pytest.mark.parametrize(
    ("switches", "message"),
    [
        ({"types": "ten"}, "no hand types 'ten': expected paper, fine, nine"),
        ({"folds": True}, "folded hands are not shown: folds needs all_hands"),
        ({"learning": "all"}, "no learning 'all'"),
        ({"weight": 0.0}, "a weight is a number above 0"),
    ],
)
def test_switches_that_contradict(switches: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Switches(**switches)


def test_names_and_terms() -> None:
    plain, full = trained(), trained(memory=True, **ALL)
    assert plain.name == "bpp"
    assert full.name == "bpp (fine types, refined, folds, link, all hands, memory)"
    improved = load_reader("bpp-improved")
    assert improved.name == "bpp (refined, folds, link, all hands, memory)"
    assert not plain.learns
    assert plain.terms == trained().terms
    assert len({plain.terms, full.terms, BppReader().terms}) == 3


# Shipped


@BOTH
def test_shipped_matrices_are_read_and_written(game: Variant) -> None:
    some, every = learn(hands(game), game, Switches()), count_open(hands(game), game)
    shown, again = parse_records(records_text(some, every, game), game)
    np.testing.assert_array_equal(again.folds, every.folds)  # of hands shown they do not ship
    for found, expected in ((shown, some), (again, every)):
        np.testing.assert_array_equal(found.bets, expected.bets)
        np.testing.assert_array_equal(found.met, expected.met)


@BOTH
def test_shipped_players_bet_strong_hands(game: Variant) -> None:
    nine = Switches(types="nine")
    for record in shipped_records(game):
        matrices = action_matrices([record], game, nine)
        for place, street in enumerate(game.streets):
            busted, pair, two_pair = matrices.of_types(NINE, street.number, place)[:3, 1]
            assert busted < pair
            if street.number > 4:
                assert pair < two_pair


def test_a_shipped_reader_reads_its_players_better_than_cards_alone() -> None:
    total, reader = 0.0, load_reader("bpp")
    for played in hands(STUD):
        for street in read_hand(reader, played):
            down = played.downcards_on(street.dealt.street)
            for update in street.updates:
                truth = holding_index(down[update.decision.seat])
                total += np.log2(update.after[truth] / update.before[truth])
    assert total > 0.0


# The experiment on the improvements of the network


def test_the_experiment_reads_the_games_that_it_did_not_learn_from() -> None:
    table = bpp_readers(FIVE, games=6, trained=10, run=Run(4))
    assert table.readers == [*IMPROVEMENTS, TRUE_POLICIES]
    games = [game.replay for game in play_games(FIVE, 4, range(16))]
    memory = bpp_reader(games[6:], memory=True)
    for name, reader in (("memory", memory), (TRUE_POLICIES, PolicyReader(FIVE.players))):
        updates = [
            update
            for played in games[:6]
            for street in read_hand(reader, played, SPLIT)
            for update in street.updates
        ]
        surprise = table.at("surprise_bits", group=name)
        mean = sum(update.surprise_bits for update in updates) / len(updates)
        assert surprise.mean == pytest.approx(mean)
    paper, fine = (table.at("bits_on_truth", group=name).mean for name in table.readers[0::2][:2])
    assert table.at("gain_bits", group="fine types").mean == pytest.approx(fine - paper)


def test_shipped_counts_are_those_of_simulated_games() -> None:
    hands = list(simulated_hands("5stud", 4))
    assert [played.stakes.bring_in for played in hands] == [0, 0, 25, 25]
    shown, every = parse_records(matrices_text("5stud", 4), FIVE_STUD)
    np.testing.assert_array_equal(every.bets, count_open(hands, FIVE_STUD).bets)
    np.testing.assert_array_equal(shown.bets, learn(hands, FIVE_STUD, Switches()).bets)
