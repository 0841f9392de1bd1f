"""Simulated games: legal, reproducible, whole, and read the same by everybody."""

from __future__ import annotations

import warnings
from collections import Counter
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from handread.cards import DECK_SIZE, holding_index
from handread.formats.log_reader import read_text
from handread.formats.registry import writer_named
from handread.game.replay import replay
from handread.game.rules import (
    DEUCE_RAZZ,
    FIVE_STUD,
    RAZZ,
    SAUND_STAKES,
    STUD8,
    STUD_HL,
    Stakes,
    Variant,
    variant_of,
)
from handread.history import Deal, Seat, SharedCard, Show
from handread.inference.analysis import analyze_replay
from handread.inference.observer import TIE_RULES, values_against
from handread.inference.players import (
    BET_INFERENCE,
    CARDS_ONLY,
    KNOWLEDGE,
    Model,
    PlayerModels,
    parse_seats,
)
from handread.inference.readers import as_reader, read_hand
from handread.policy import HoldingValues, PolicyError, load_policy
from handread.simulate import Game, Setup, play_game, play_games, seated
from tests.examples import examples

DEFAULT, LOOSE, HONEST = map(load_policy, ("default", "loose", "honest"))
MIXED = PlayerModels(Model(DEFAULT), {2: Model(LOOSE), 3: Model(HONEST, CARDS_ONLY)})
ROOM = Stakes(10, 20, (50, 50, 100, 100, 100), cap_heads_up=None, open_pair_doubles=True)


def table(players: PlayerModels, n: int, stack: int | None = None, **changes) -> Setup:
    return replace(Setup(players, seated(players, n, stack)), **changes)


SETUPS = {
    "paper": table(PlayerModels(Model(DEFAULT)), 7),
    "eight loose": table(PlayerModels(Model(LOOSE)), 8),
    "heads-up": table(PlayerModels(Model(DEFAULT)), 2),
    "mixed, short stacks, room stakes": table(MIXED, 5, 330, stakes=ROOM),
    "no antes": table(
        PlayerModels(Model(LOOSE)), 3, stakes=Stakes(0, 25, (100, 100, 200, 200, 200))
    ),
}


for other in (STUD8, STUD_HL, RAZZ, DEUCE_RAZZ, FIVE_STUD):
    stakes = replace(ROOM, bets=other.bets(50, 100), open_pair_doubles=False)
    SETUPS[other.title] = table(MIXED, 6, 550, stakes=stakes, game=other)


NUMBER = 17


@cache
def some_games(name: str) -> list[Game]:
    """Games of a table; what the observer saw is kept of the first, as it takes much memory."""
    played = enumerate(play_games(SETUPS[name], 5, range(NUMBER)))
    return [game if number < 6 else replace(game, observed=()) for number, game in played]


@pytest.fixture(params=SETUPS)
def games(request: pytest.FixtureRequest) -> list[Game]:
    return some_games(request.param)


@pytest.mark.thorough
def test_the_replay_judges_the_record_as_the_table_played_it(games: list[Game]) -> None:
    for game in games:
        judged, played = replay(game.history), game.replay
        assert (judged.problem, judged.finished) == (None, True)
        assert (judged.decisions, judged.streets) == (played.decisions, played.streets)
        assert (judged.pots, judged.won, judged.paid) == (played.pots, played.won, played.paid)


def test_chips_and_cards_are_conserved(games: list[Game]) -> None:
    for game in games:
        played = game.replay
        assert sum(played.paid.values()) == played.pot == sum(played.won.values())
        dealt = [card for e in played.moves if isinstance(e, Deal) for card in (*e.down, *e.up)]
        dealt += [event.card for event in played.moves if isinstance(event, SharedCard)]
        assert None not in dealt
        assert len(set(dealt)) == len(dealt)
        assert sorted(game.deck) == list(range(DECK_SIZE))
        for seat, chips in played.stacks.items():
            before = played.history.seat(seat).stack
            if before is not None:
                assert chips == before - played.paid[seat] + played.won.get(seat, 0)
                assert chips >= 0


def test_halves_go_to_the_best_hands(games: list[Game]) -> None:
    met, split, game = 0, 0, variant_of(games[0].history.variant)
    for one in games:
        played = one.replay
        hands = {seat: one.full_hands[seat] for seat in played.showdown}
        if len({played.paid[seat] for seat in hands}) != 1:
            continue  # Of side pots others may have won some.
        if any(len(cards) < game.n_cards for cards in hands.values()):
            continue  # They share the last card.
        ranks = {seat: game.ranks(cards) for seat, cards in hands.items()}
        winners = set()
        for half in range(1 + game.splits):
            known = {seat: rank[half] for seat, rank in ranks.items() if rank[half] is not None}
            winners |= {seat for seat in known if known[seat] == max(known.values())}
        assert set(played.won) == winners
        met += 1
        split += len(winners) > 1
    assert met
    assert split or not game.splits


def test_a_game_needs_a_bet_for_each_of_its_streets() -> None:
    setup = SETUPS[DEUCE_RAZZ.title]
    with pytest.raises(ValueError, match="5 bets, but five-card stud has 4 streets"):
        replace(setup, game=FIVE_STUD)


def test_every_downcard_is_known_and_is_the_seats_own(games: list[Game]) -> None:
    for game in games:
        for seat, cards in game.replay.downcards.items():
            own = game.full_hands[seat]
            first = 1 if game.history.variant == "5stud" else 2
            assert cards[:first] == own[:first]
            ups = game.replay.streets[-1].upcards[seat]
            assert ups == own[first : first + len(ups)]
            if len(cards) == 3 and len(own) == 7:
                assert cards[2] == own[6]
        assert set(game.replay.downcards) == {seat.number for seat in game.history.seats}


def test_a_full_table_that_stays_shares_the_last_card() -> None:
    """Eight players who never fold use up the deck."""
    station = replace(LOOSE, fold=replace(LOOSE.fold, y0=0.0, y1=0.0))
    game = play_game(table(PlayerModels(Model(station)), 8), 1, 0)
    assert any(isinstance(event, SharedCard) for event in game.replay.moves)
    assert game.replay.finished
    assert len(game.replay.showdown) == 8
    assert replay(game.history).problem is None


def test_the_observer_saw_what_it_sees_in_the_record(games: list[Game]) -> None:
    """Watching while playing and watching the record are the same, to the last digit."""
    setup = next(setup for name, setup in SETUPS.items() if some_games(name) is games)
    for game in games[:6]:
        again = list(
            read_hand(as_reader(setup.players), replay(game.history), TIE_RULES[setup.ties])
        )
        assert len(again) == len(game.observed)
        for mine, other in zip(game.observed, again, strict=True):
            assert mine.news == other.news
            for one, two in zip(mine.updates, other.updates, strict=True):
                assert one.decision == two.decision
                assert one.evidence == two.evidence
                assert (one.after == two.after).all()
            for seat, pdd in mine.after.pdds.items():
                assert (pdd == other.after.pdds[seat]).all()


def test_a_game_depends_on_its_number_alone() -> None:
    setup = SETUPS["paper"]
    assert [game.history for game in play_games(setup, 5, range(8, 11))] == [
        game.history for game in some_games("paper")[8:11]
    ]
    assert play_game(setup, 6, 8).history != some_games("paper")[8].history
    assert len({game.deck for game in some_games("paper")}) == NUMBER


def test_seats_get_the_same_cards_whoever_folds() -> None:
    """The cards of a deal do not depend on who plays it, so that deals can be duplicated."""
    for number in range(5):
        one = play_game(SETUPS["paper"], 3, number)
        two = play_game(table(PlayerModels(Model(LOOSE)), 7), 3, number)
        assert one.full_hands == two.full_hands


@pytest.mark.thorough
def test_actions_come_as_often_as_the_policy_says() -> None:
    """The first to act after the bring-in, over many games: counts against probabilities."""
    setup = SETUPS["heads-up"]
    expected, found = Counter[str](), Counter[str]()
    spread = 0.0
    for number in range(60):
        game = play_game(setup, 11, number)
        first = game.observed[0].updates[0].decision
        belief = game.observed[0].dealt
        values = values_against(belief.htpds, first.seat, TIE_RULES[setup.ties])
        chance = belief.hands[first.seat].chances(values)
        own = holding_index(game.replay.downcards[first.seat][:2])
        odds = setup.players.rest.policy.probabilities(
            first, HoldingValues(chance, belief.hands[first.seat].live)
        )
        for action, p in odds.items():
            expected[action] += p[own]
            spread += p[own] * (1 - p[own]) / len(odds)
        found[first.action] += 1
    for action in expected:
        assert abs(found[action] - expected[action]) < 4 * np.sqrt(spread)


@pytest.mark.thorough
def test_cards_only_players_do_not_see_bets() -> None:
    """What a cards-only player would do with a holding is the same whatever others have bet."""
    players = PlayerModels(Model(DEFAULT, CARDS_ONLY))
    setup = table(players, 7)
    games = play_games(setup, 2, range(6))
    updates = [(game, update) for game in games for update in game.observed[0].updates]
    assert len(updates) > 30
    for game, update in updates:
        belief = game.observed[0].dealt
        decision = update.decision
        blind = {seat: belief.hands[seat].uniform_htpd for seat in decision.active}
        values = values_against(blind, decision.seat, TIE_RULES["split"])
        hands = belief.hands[decision.seat]
        outlook = HoldingValues(hands.chances(values), hands.live)
        expected = DEFAULT.probabilities(decision, outlook)[decision.action]
        assert update.likelihood == pytest.approx(expected, abs=1e-15)


@pytest.mark.thorough
@pytest.mark.parametrize("game", [STUD8, RAZZ], ids=lambda game: game.key)
def test_pokerkit_plays_simulated_games_to_the_same_end(game: Variant) -> None:
    pokerkit = pytest.importorskip("pokerkit")
    players = PlayerModels(Model(DEFAULT), {2: Model(LOOSE)})
    setup = table(players, 6, 20000, game=game)
    for one in play_games(setup, 9, range(8)):
        text = writer_named("phh").write(one.history)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            *_, state = pokerkit.HandHistory.loads(text)
        # It halves a cent that a room gives to the high hand.
        for chips, stack in zip(state.stacks, one.replay.stacks.values(), strict=True):
            assert stack is not None
            assert abs(100 * chips - stack) < 1


@pytest.mark.parametrize("name", ["saund", "phh"])
def test_notations_keep_a_game_whole(name: str, games: list[Game]) -> None:
    if name == "phh" and not variant_of(games[0].history.variant).phh:
        return
    games = games[:10]
    text = "".join(writer_named(name).write_all(game.history for game in games))
    back = [replay(hand) for hand in read_text(text, "-", name)]
    assert len(back) == len(games)
    for again, game in zip(back, games, strict=True):
        assert again.problem is None
        assert again.downcards == game.replay.downcards
        assert again.won == game.replay.won
        assert [(d.street, d.seat, d.action, d.amount) for d in again.decisions] == [
            (d.street, d.seat, d.action, d.amount) for d in game.replay.decisions
        ]


@pytest.mark.laws
@examples(5)
@given(
    st.integers(0, 10**6),
    st.integers(2, 8),
    st.sampled_from([None, 26, 130, 900]),
    st.lists(st.tuples(st.sampled_from(["default", "loose", "tight"]), st.sampled_from(KNOWLEDGE))),
    st.sampled_from([SAUND_STAKES, ROOM]),
)
def test_any_table_plays_to_its_end(seed, n, stack, models, stakes):
    seats = {i: Model(load_policy(p), k) for i, (p, k) in enumerate(models[:n], 1)}
    players = PlayerModels(Model(LOOSE), seats)
    if stakes.cap_heads_up is None and stack is None:
        stack = 100_000
    game = play_game(Setup(players, seated(players, n, stack), stakes), seed, 0)
    assert game.replay.finished
    assert replay(game.history).problem is None
    assert not any(isinstance(event, Show) for event in game.replay.moves)
    read = analyze_replay(game.replay, players, observed=game.observed)
    assert read.complete
    assert all(action.explained for action in read.actions)
    assert np.isfinite(read.surprise_bits)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"seats": (Seat(1),)}, "1 seats: expected 2 to 8"),
        ({"ties": "both"}, "no tie rule 'both'"),
        ({"players": PlayerModels(Model(LOOSE), {9: Model(LOOSE)})}, "nobody sits in seat 9"),
        ({"seats": (Seat(1, "", 5), Seat(2, "", 500))}, "does not cover the ante"),
        ({"stakes": ROOM}, "every player needs a stack"),
    ],
)
def test_tables_that_cannot_be(changes: dict, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        replace(SETUPS["paper"], **changes)


def test_players_as_people_write_them() -> None:
    found = parse_seats(Model(DEFAULT), ["3=loose", "2, 4=:cards-only", "5=honest:bet-inference"])
    assert found == PlayerModels(
        Model(DEFAULT),
        {
            3: Model(LOOSE),
            2: Model(DEFAULT, CARDS_ONLY),
            4: Model(DEFAULT, CARDS_ONLY),
            5: Model(HONEST, BET_INFERENCE),
        },
    )
    assert found.name == (
        f"{DEFAULT.name}; seat 2 {DEFAULT.name}, cards-only; seat 3 loose; "
        f"seat 4 {DEFAULT.name}, cards-only; seat 5 honest"
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("loose", "'loose' is not valid for a seat: expected seats=policy"),
        ("x=loose", "is not valid for a seat"),
        ("3=", "'3=' is not valid for a seat: expected seats=policy"),
        ("3=nobody", "no policy 'nobody'"),
        ("3=loose:blind", "unknown knowledge 'blind'"),
        ("3,3=loose", "seat 3 is given twice"),
    ],
)
def test_players_that_are_none(text: str, words: str) -> None:
    with pytest.raises(PolicyError, match=words):
        parse_seats(Model(DEFAULT), [text])


def test_names() -> None:
    players = PlayerModels(Model(LOOSE), {2: Model(LOOSE, CARDS_ONLY)})
    names = [seat.name for seat in seated(players, 3)]
    assert names == ["loose-1", "loose-cards-only-2", "loose-3"]
    assert [seat.name for seat in seated(players, 2, 100, ["Ann", "Ben"])] == ["Ann", "Ben"]
    with pytest.raises(ValueError, match="2 seats need 2 different names"):
        seated(players, 2, 100, ["Ann", "Ann"])
