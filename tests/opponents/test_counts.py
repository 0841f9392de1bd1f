"""The statistics of players: counted by hand in some hands, and by a slow obvious twin."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import handread
from handread.game.replay import replay
from handread.game.rules import (
    DEUCE_RAZZ,
    FIVE_STUD,
    RAZZ,
    SAUND_STAKES,
    STUD,
    STUD8,
    STUD_HL,
    Stakes,
    Variant,
)
from handread.game.steps import Replay
from handread.history import Action, Event, History, StreetStart, Wager
from handread.inference.players import player_models
from handread.opponents.counts import is_brick, seat_counts, situations
from handread.opponents.statistics import BY_GAME, PLACES, STATISTICS
from handread.simulate import Setup, play_games, seated
from tests.examples import examples, share
from tests.hands import ALL_IN, ROOM_STAKES, cards, hand, random_hand

GAMES = (STUD, STUD8, RAZZ, FIVE_STUD, STUD_HL, DEUCE_RAZZ)
FIVE_STAKES = Stakes(ante=25, bring_in=0, bets=(100, 100, 200, 200))
NO_BRING_IN = replace(SAUND_STAKES, bring_in=0)


def counted(played: Replay) -> dict[int, dict[str, str]]:
    """The statistics with a chance of each seat, as ``done/of``."""
    assert played.problem is None
    return {
        seat: {
            one.key: f"{done}/{of}"
            for one, (done, of) in zip(STATISTICS, counts.tolist(), strict=True)
            if of
        }
        for seat, counts in seat_counts(played).items()
    }


def expected(text: str) -> dict[int, dict[str, str]]:
    """Counts of seats: a line ``1: plays 1/1, raises 0/1``, and more lines without a number."""
    found: dict[int, dict[str, str]] = {}
    seat = 0
    for line in text.strip().splitlines():
        number, _, rest = line.rpartition(":")
        seat = int(number) if number else seat
        pairs = [part.split() for part in rest.split(",") if part.strip()]
        found.setdefault(seat, {}).update(dict(pairs))
    return found


STEAL = """
    1a 2a 3a 4a
    3: 1=??.??/2c 2=??.??/9d 3=??.??/Th 4=??.??/Ks
    1B 2f 3f 4r 1c
    4: 1=2h 4=5d  1k 4b 1c
    5: 1=3d 4=7h  1b 4r 1f
"""
"""A steal with the best door card, defended; a paired door card, bricks, a bet that is raised."""

STEAL_COUNTS = """
    1: plays 1/1, raises 0/1, reraises 0/1, defends 1/1
       bets_without_lead_4 0/1, bets_without_lead_5 1/1, bets_best_board 1/2, bets_paired_door 0/1
       folds_4 0/1, check_raises 0/1, to_showdown 0/1
       aggression 1/3, aggression_4 0/1, aggression_5 1/1
    2: plays 0/1, raises 0/1, completes 0/1, limps 0/1
    3: plays 0/1, raises 0/1, completes 0/1, limps 0/1, steals_low 0/1
    4: plays 1/1, raises 1/1, completes 1/1, limps 0/1, steals_high 1/1
       bets_with_lead_4 1/1, bets_brick 2/2, folds_5 0/1, to_showdown 0/1
       aggression 3/3, aggression_4 1/1, aggression_5 1/1
"""

RERAISE = """
    1a 2a 3a 4a
    3: 1=??.??/3c 2=??.??/Jd 3=Jc.5c/Qh 4=Tc.4h/As
    1B 2c 3r 4r 1f 2f 3c
    4: 3=Qd 4=6h  3k 4k
    5: 3=2s 4=Ad  4b 3r 4c
    6: 3=Kh 4=9c  4k 3b 4r 3c
    7: 3=8d/ 4=3d/  4b 3c
"""
"""A limp behind the bring-in, a re-raise, a check-raise, and a last bet that is called."""

RERAISE_COUNTS = """
    1: plays 0/1, raises 0/1
    2: plays 1/1, raises 0/1, completes 0/1, limps 1/1, aggression 0/1
    3: plays 1/1, raises 1/1, completes 1/1, limps 0/1
       bets_without_lead_4 0/1, bets_with_lead_6 1/1
       bets_best_board 0/1, bets_paired_door 0/1, bets_brick 1/1
       folds_5 0/1, folds_7 0/1, calls_last 1/1, to_showdown 1/1, wins_showdown 0/1
       aggression 3/6, aggression_5 1/1, aggression_6 1/2, aggression_7 0/1
    4: plays 1/1, raises 1/1, reraises 1/1, folds_to_completion 0/1
       bets_with_lead_4 0/1, bets_with_lead_5 1/1, bets_without_lead_6 0/1, bets_with_lead_7 1/1
       bets_best_board 2/3, bets_paired_door 1/1, bets_brick 0/2
       folds_6 0/1, check_raises 1/1, to_showdown 1/1, wins_showdown 1/1
       aggression 4/5, aggression_5 1/2, aggression_6 1/1, aggression_7 1/1
"""

RAZZ_STEAL = """
    1a 2a 3a 4a
    3: 1=??.??/Kc 2=??.??/5d 3=??.??/7h 4=??.??/3s
    1B 2f 3r 4f 1c
    4: 1=2d 3=7s  1b 3f
"""
"""Razz: a steal with a better door card behind, and a pair, which is a brick."""

RAZZ_COUNTS = """
    1: plays 1/1, raises 0/1, reraises 0/1, defends 1/1
       bets_without_lead_4 1/1, bets_best_board 1/1, to_showdown 0/1
       aggression 1/2, aggression_4 1/1
    2: plays 0/1, raises 0/1, completes 0/1, limps 0/1
    3: plays 1/1, raises 1/1, completes 1/1, limps 0/1, steals_low 1/1
       bets_brick 0/1, folds_4 1/1, to_showdown 0/1, aggression 1/1
    4: plays 0/1, raises 0/1, reraises 0/1, folds_to_completion 1/1
"""

SPLIT = """
    1a 2a 3a
    3: 1=As.5d/2c 2=Jc.Js/8d 3=??.??/Kh
    1B 2c 3f
    4: 1=4h 2=8s  2b 1c
    5: 1=9c 2=3d  2k 1k
    6: 1=6s 2=Qh  2k 1k
    7: 1=Kd/ 2=Kc/  2k 1b 2c
"""
"""Hi/lo: seat 2 has the high with two pair, seat 1 the low with 6-5-4-2-A."""

SPLIT_COUNTS = """
    1: bets_without_lead_5 0/1, bets_without_lead_6 0/1, bets_without_lead_7 1/1
       bets_brick 0/1, folds_4 0/1, to_showdown 1/1, wins_showdown 1/1, scoops 0/1
       aggression 1/2, aggression_4 0/1, aggression_7 1/1
    2: plays 1/1, raises 0/1, completes 0/1, limps 1/1, steals_low 0/1
       bets_without_lead_4 1/1, bets_with_lead_5 0/1, bets_with_lead_6 0/1, bets_with_lead_7 0/1
       bets_best_board 1/4, bets_paired_door 1/1, bets_brick 1/2
       folds_7 0/1, check_raises 0/1, calls_last 1/1
       to_showdown 1/1, wins_showdown 1/1, scoops 0/1
       aggression 1/3, aggression_4 1/1, aggression_7 0/1
    3: plays 0/1, raises 0/1, completes 0/1, limps 0/1
"""

FIVE = """
    1a 2a 3a
    2: 1=??/9c 2=??/Ad 3=??/4h
    2k 3b 1f 2c
    3: 2=Ac 3=2s  2k 3b 2r 3f
"""
"""Five-card stud without a bring-in: the best door card opens, and later check-raises."""

FIVE_COUNTS = """
    1: plays 0/1, raises 0/1, reraises 0/1, folds_to_completion 1/1
    2: plays 1/1, raises 0/1, completes 0/1, reraises 0/1, folds_to_completion 0/1
       bets_without_lead_3 0/1, bets_best_board 0/1, bets_paired_door 0/1
       folds_3 0/1, check_raises 1/1, to_showdown 0/1, aggression 1/2, aggression_3 1/1
    3: plays 1/1, raises 1/1, completes 1/1
       bets_with_lead_3 1/1, bets_brick 1/1, to_showdown 0/1, aggression 2/2, aggression_3 1/1
"""

UNSEEN = """
    1a 2a 3a
    3: 1=??.??/2c 2=??.??/?? 3=??.??/Kd
    1B 2f 3r 1c
    4: 1=8h 3=??  3b 1f
"""
"""A door card that was not seen is neither the best nor not; nor is one on 4th street a brick."""

UNSEEN_COUNTS = """
    1: plays 1/1, raises 0/1, reraises 0/1, defends 1/1, folds_4 1/1, to_showdown 0/1
       aggression 0/1
    2: plays 0/1, raises 0/1, completes 0/1, limps 0/1
    3: plays 1/1, raises 1/1, completes 1/1, limps 0/1, steals_high 1/1
       bets_with_lead_4 1/1, to_showdown 0/1, aggression 2/2, aggression_4 1/1
"""

UNFINISHED = """
    1a 2a 3a
    3: 1=??.??/2c 2=??.??/9d 3=??.??/9h
    1B 2r 3f 1r 2c
    4: 1=Kd 2=Js  1b
"""
"""A log that stops before seat 2 acts; two nines, of which neither is the better."""

UNFINISHED_COUNTS = """
    1: plays 1/1, raises 1/1, reraises 1/1, defends 1/1
       bets_with_lead_4 1/1, bets_best_board 1/1, aggression 2/2, aggression_4 1/1
    2: plays 1/1, raises 1/1, completes 1/1, limps 0/1, steals_low 1/1, aggression 1/2
    3: plays 0/1, raises 0/1, reraises 0/1, folds_to_completion 1/1
"""

BESIDE = """
    1a25! 2a 3a
    3: 1=Ac.Ad/Ah 2=??.??/3c 3=Kd.Js/Kh
    2B 3r 2c
    4: 1=2d 2=9s 3=8c  3b 2f
    5: 1=4d 3=2s
    6: 1=6h 3=5c
    7: 1=9c/ 3=7c/
"""
"""Seat 1 is all-in with the ante: it has no choice, and wins the main pot of three antes."""

BESIDE_COUNTS = """
    1: to_showdown 1/1, wins_showdown 1/1
    2: plays 1/1, raises 0/1, reraises 0/1, defends 1/1, folds_4 1/1
       to_showdown 0/1, aggression 0/1
    3: plays 1/1, raises 1/1, completes 1/1, limps 0/1, steals_low 1/1
       bets_with_lead_4 1/1, bets_brick 1/1, to_showdown 1/1, wins_showdown 1/1
       aggression 2/2, aggression_4 1/1
"""


@pytest.mark.parametrize(
    ("script", "game", "stakes", "counts"),
    [
        pytest.param(STEAL, STUD, SAUND_STAKES, STEAL_COUNTS, id="steal"),
        pytest.param(RERAISE, STUD, SAUND_STAKES, RERAISE_COUNTS, id="re-raise"),
        pytest.param(RAZZ_STEAL, RAZZ, SAUND_STAKES, RAZZ_COUNTS, id="razz"),
        pytest.param(SPLIT, STUD8, SAUND_STAKES, SPLIT_COUNTS, id="hi/lo"),
        pytest.param(FIVE, FIVE_STUD, FIVE_STAKES, FIVE_COUNTS, id="five-card stud"),
        pytest.param(UNSEEN, STUD, SAUND_STAKES, UNSEEN_COUNTS, id="unseen"),
        pytest.param(UNFINISHED, STUD, SAUND_STAKES, UNFINISHED_COUNTS, id="unfinished"),
    ],
)
def test_hands_are_counted_as_by_hand(
    script: str, game: Variant, stakes: Stakes, counts: str
) -> None:
    assert counted(replay(hand(script, variant=game.key, stakes=stakes))) == expected(counts)


def test_a_player_all_in_without_a_choice_only_comes_to_a_showdown() -> None:
    assert counted(replay(hand(BESIDE, stacks={1: 25}))) == expected(BESIDE_COUNTS)
    alone = counted(replay(hand(ALL_IN)))
    assert {key for counts in alone.values() for key in counts} == {"to_showdown", "wins_showdown"}


def test_a_scoop_takes_both_halves() -> None:
    lowless = SPLIT.replace("As.5d", "Kd.Th").replace("1=Kd/", "1=Jd/")
    found = counted(replay(hand(lowless, variant="stud8")))
    assert (found[2]["wins_showdown"], found[2]["scoops"]) == ("1/1", "1/1")
    assert (found[1]["wins_showdown"], found[1]["scoops"]) == ("0/1", "0/1")


@pytest.mark.parametrize(
    ("doors", "thief", "key"),
    [
        ("2c 9d Ks", 3, "steals_high"),
        ("2c Kd 9s", 2, "steals_high"),
        ("2c 9d Ks", 2, "steals_low"),
        ("2c Kd Ks", 3, "steals_high"),  # the other king has folded
        ("2c 9d 9s", 2, "steals_low"),  # one as good behind
        ("2c ?? Ks", 2, ""),
        ("2c Kd ??", 2, ""),
        ("2c ?? Ks", 3, "steals_high"),
    ],
)
def test_a_steal_is_counted_by_the_upcards_still_in(doors: str, thief: int, key: str) -> None:
    one, two, three = doors.split()
    play = {2: "2r 3f", 3: "2f 3r"}[thief]
    script = f"1a 2a 3a\n3: 1=??.??/{one} 2=??.??/{two} 3=??.??/{three}\n1B {play} 1f"
    found = counted(replay(hand(script)))[thief]
    assert {k: v for k, v in found.items() if k.startswith("steals")} == (
        {key: "1/1"} if key else {}
    )


def test_nobody_steals_from_three_behind_or_after_a_limp() -> None:
    doors = "3: 1=??.??/2c 2=??.??/9d 3=??.??/Th 4=??.??/Ks"
    early = counted(replay(hand(f"1a 2a 3a 4a\n{doors}\n1B 2r 3f 4f 1f")))
    assert not {k for counts in early.values() for k in counts if k.startswith("steals")}
    limped = counted(replay(hand(f"1a 2a 3a 4a\n{doors}\n1B 2c 3f 4r 1f 2f")))
    assert "steals_high" not in limped[4]
    assert limped[4]["completes"] == "1/1"
    assert limped[2]["folds_to_completion"] == "1/1"


def test_the_owner_of_the_bring_in_who_completes_at_once_neither_limps_nor_steals() -> None:
    found = counted(replay(hand("1a 2a\n3: 1=??.??/2c 2=??.??/8d\n1b 2f")))
    assert found == expected("""
        1: plays 1/1, raises 1/1, completes 1/1, aggression 1/1
        2: plays 0/1, raises 0/1, reraises 0/1, folds_to_completion 1/1
    """)


def test_without_a_bring_in_nobody_limps() -> None:
    script = "1a 2a 3a\n3: 1=??.??/2c 2=??.??/8d 3=??.??/Kh\n1k 2k 3b 1f 2c"
    found = counted(replay(hand(script, stakes=NO_BRING_IN)))
    assert not any("limps" in counts for counts in found.values())
    assert found[1]["completes"] == "0/1"
    assert not any("defends" in counts for counts in found.values())


@pytest.mark.parametrize(
    ("game", "up", "brick"),
    [
        (STUD, "Ks 5d", True),
        (STUD, "Ks 5s", False),  # suited
        (STUD, "5s Kd", False),  # above the door card
        (STUD, "Ks Kd", False),
        (STUD, "Ks 5d 5c", False),  # a pair
        (STUD, "Ks 5d 4c", True),
        (RAZZ, "3s 8d", False),
        (RAZZ, "3s 9d", True),
        (RAZZ, "3s Ad", False),
        (RAZZ, "3s Kd", True),
        (RAZZ, "3s 3d", True),
        (RAZZ, "7s 7d 2c", False),  # the pair came before
        (DEUCE_RAZZ, "3s 8d", False),
        (DEUCE_RAZZ, "3s Ad", True),
        (STUD_HL, "Ks 8d", False),
        (STUD8, "3s 3d", True),
        (STUD8, "Ks 8d", False),
        (FIVE_STUD, "Ks 5d", True),
    ],
)
def test_a_brick_helps_nothing_that_can_be_seen(game: Variant, up: str, brick: bool) -> None:
    assert is_brick(game, [card for card in cards(up) if card is not None]) is brick


# A slow obvious twin


@dataclass(frozen=True)
class Move:
    """A voluntary action: the moves before it, and what it owes and may do by the rules."""

    street: int
    seat: int
    word: str  # fold, check, call, or raise for every bet
    owes: int
    may_raise: bool
    level: int  # bets and raises before on the street, without those all-in for less
    bring_in: int | None
    before: tuple[Move, ...]

    @property
    def here(self) -> list[Move]:
        """The earlier moves of the street."""
        return [move for move in self.before if move.street == self.street]

    @property
    def own(self) -> list[str]:
        """What the player did before on the street."""
        return [move.word for move in self.here if move.seat == self.seat]

    @property
    def leads(self) -> bool:
        """True if the last bet or raise of the hand is the player's."""
        bettors = [move.seat for move in self.before if move.word == "raise"]
        return bool(bettors) and bettors[-1] == self.seat


WORDS = {
    Action.FOLD: "fold",
    Action.CHECK: "check",
    Action.CALL: "call",
    Action.BET: "raise",
    Action.RAISE: "raise",
}


def moves_of(played: Replay) -> Iterator[Move]:
    """The actions of a hand, from its events alone but for what the rules allow."""
    street, bring_in, most, level, full_to, small = 0, None, 0, 0, 0, played.stakes.small
    put: Counter[int] = Counter()
    before: tuple[Move, ...] = ()
    for step in played.steps:
        event = step.event
        if isinstance(event, StreetStart):
            street, bring_in, most, level, full_to = event.street, None, 0, 0, 0
            put.clear()
        elif isinstance(event, Wager):
            seat = event.seat
            if step.decision is None:
                bring_in = seat
            else:
                may = step.decision.can_raise
                word, owes = WORDS[event.action], max(0, most - put[seat])
                before += (Move(street, seat, word, owes, may, level, bring_in, before),)
                yield before[-1]
            put[seat] = event.to if event.to is not None else put[seat] + (event.adds or 0)
            if event.action in (Action.BET, Action.RAISE):
                # An all-in for less than a full bet, or than the rest of one, opens no new round.
                full = full_to if full_to > most else small if most < small else most + small
                level += not event.all_in or put[seat] >= full
                full_to = max(full, put[seat])
            most = max(most, put[seat])


def twin(played: Replay) -> dict[int, dict[str, tuple[int, int]]]:
    """Counts of each seat by key, a statistic after the other."""
    game = GAME_OF[played.history.variant]
    moves = list(moves_of(played))
    seats = [p.seat for p in played.steps[-1].after.players if p.dealt_in]
    return {seat: _twin_of(seat, moves, played, game) for seat in seats}


GAME_OF = {game.key: game for game in GAMES}


def done_of(chances: Sequence[Move], *words: str) -> tuple[int, int]:
    return sum(move.word in words for move in chances), len(chances)


def _twin_of(
    seat: int, moves: Sequence[Move], played: Replay, game: Variant
) -> dict[str, tuple[int, int]]:
    own = [move for move in moves if move.seat == seat]
    first = [move for move in own if move.street == game.first]
    later = [move for move in own if move.street > game.first]
    active = ("call", "raise")
    opening = [m for m in first if m.level == 0 and m.may_raise]
    completed = [m for m in first if m.level == 1 and "raise" not in m.own and m.bring_in != seat]
    free = [m for m in later if m.owes == 0 and m.may_raise]
    facing = [m for m in later if m.owes > 0 and "raise" not in m.own]
    found = {
        "plays": (any(m.word in active for m in first), bool(first)),
        "raises": (any(m.word == "raise" for m in first), bool(first)),
        "completes": done_of(opening, "raise"),
        "folds_to_completion": done_of(completed, "fold"),
        "check_raises": done_of([m for m in facing if "check" in m.own and m.may_raise], "raise"),
        "calls_last": done_of([m for m in facing if m.street == game.last], "call"),
        "aggression": done_of([m for m in own if m.word in active], "raise"),
    }
    if game is not FIVE_STUD:
        found["limps"] = done_of([m for m in opening if m.owes and m.bring_in != seat], "call")
    for n in range(game.first + 1, game.last + 1):
        here = [m for m in own if m.street == n]
        found[f"bets_with_lead_{n}"] = done_of(
            [m for m in free if m.street == n and m.leads], "raise"
        )
        rest = [m for m in free if m.street == n and not m.leads]
        found[f"bets_without_lead_{n}"] = done_of(rest, "raise")
        found[f"folds_{n}"] = done_of([m for m in facing if m.street == n], "fold")
        found[f"aggression_{n}"] = done_of([m for m in here if m.word in active], "raise")
    if played.finished:
        folded = {m.seat: m.street for m in moves if m.word == "fold"}
        dealt = [p.seat for p in played.steps[-1].after.players if p.dealt_in]
        streets = {e.event.street for e in played.steps if isinstance(e.event, StreetStart)}
        stayed = game.first + 1 in streets and folded.get(seat, 99) > game.first
        shown = seat not in folded and len(dealt) - len(folded) > 1
        found["to_showdown"] = (stayed and shown, stayed)
        found["wins_showdown"] = (shown and played.won.get(seat, 0) > 0, shown)
    return {key: (int(done), int(of)) for key, (done, of) in found.items()}


def assert_as_twin(played: Replay) -> None:
    counts, naive = seat_counts(played), twin(played)
    assert set(counts) == set(naive)
    for seat, found in naive.items():
        own = {key: tuple(counts[seat][PLACES[key]].tolist()) for key in found}
        assert own == found, (played.history.source, seat)


@pytest.mark.thorough
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_simulated_games_are_counted_as_by_the_twin(game: Variant) -> None:
    stakes = replace(SAUND_STAKES, bets=game.bets(100, 200))
    players = player_models("loose")
    setup = Setup(players, seated(players, 5), stakes, game=game, watched=False)
    for simulated in play_games(setup, 7, range(share(8))):
        assert_as_twin(simulated.replay)


def legal(games: Sequence[Variant] = GAMES) -> st.SearchStrategy[History]:
    """Random hands, with all-ins and side pots."""
    return st.builds(
        random_hand,
        st.integers(0, 2**32),
        st.integers(2, 7),
        st.sampled_from([SAUND_STAKES, ROOM_STAKES]),
        st.sampled_from([None, 4, 12, 40]),
        game=st.sampled_from(games),
    )


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
@examples(75)
@given(data=st.data())
def test_random_hands_are_counted_as_by_the_twin(game: Variant, data: st.DataObject) -> None:
    assert_as_twin(replay(data.draw(legal([game]))))


def test_a_raise_of_a_short_all_in_is_counted_as_by_the_twin() -> None:
    assert_as_twin(replay(random_hand(2998206, 5, SAUND_STAKES, 4, game=FIVE_STUD)))


def test_real_hands_are_counted_as_by_the_twin(real_hands: Path) -> None:
    n = 0
    for history in handread.read_hands(real_hands):
        if isinstance(history, History) and history.variant in GAME_OF:
            played = replay(history)
            if played.problem is None and played.steps:
                assert_as_twin(played)
                n += 1
    assert n > 100


# Laws


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
@examples(50)
@given(data=st.data())
def test_counts_are_shares_wherever_a_log_stops(game: Variant, data: st.DataObject) -> None:
    history = data.draw(legal([game]))
    stop = data.draw(st.integers(0, len(history.events)))
    played = replay(replace(history, events=history.events[:stop]))
    first = GAME_OF[history.variant].first
    for counts in seat_counts(played).values():
        done, of = counts.T
        assert (0 <= done).all()
        assert (done <= of).all()
        assert (of[[PLACES[one.key] for one in STATISTICS if one.once]] <= 1).all()
        other = [one.key for one in STATISTICS if one not in BY_GAME[history.variant]]
        assert not of[[PLACES[key] for key in other]].any()
        endings = [PLACES[one.key] for one in STATISTICS if one.ends]
        assert played.finished or not of[endings].any()
        later = [PLACES[f"aggression_{n}"] for n in range(3, 8)]
        rest = counts[PLACES["aggression"]] - counts[later].sum(axis=0)
        assert (rest >= 0).all()
    committed = Counter(
        d.seat for d in played.decisions if d.street == first and d.action not in PASSIVE
    )
    for seat, counts in seat_counts(played).items():
        later = [PLACES[f"aggression_{n}"] for n in range(first + 1, 8)]
        rest = counts[PLACES["aggression"]] - counts[later].sum(axis=0)
        assert rest[1] == committed[seat]


PASSIVE = (Action.FOLD, Action.CHECK)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
@examples(25)
@given(data=st.data())
def test_each_decision_is_a_situation(game: Variant, data: st.DataObject) -> None:
    played = replay(data.draw(legal([game])))
    found = list(situations(played))
    assert [each.decision for each in found] == list(played.decisions)
    for each in found:
        assert not (each.may_bet and each.faces_bet)
        assert not (each.may_steal and each.brings_in)
        assert not (each.first and (each.pairs_door or each.brick))


@examples(60)
@given(legal())
def test_a_turn_of_the_table_changes_no_count(history: History) -> None:
    """Everybody moves one seat on, and the last to the first; all else is as before."""
    order = [seat.number for seat in history.seats]
    moved = dict(zip(order, [*order[1:], order[0]], strict=True))
    events = tuple(_moved(event, moved) for event in history.events)
    seats = sorted((replace(s, number=moved[s.number]) for s in history.seats), key=_number)
    played = replay(replace(history, events=events, seats=tuple(seats)))
    if played.problem is not None:  # equal door cards or boards: the order of seats decides
        return
    before, after = seat_counts(replay(history)), seat_counts(played)
    assert {moved[seat] for seat in before} == set(after)
    for seat, counts in before.items():
        assert np.array_equal(after[moved[seat]][:, 1], counts[:, 1])
        showdown = [PLACES["wins_showdown"]]  # an odd chip goes by the seat
        assert np.array_equal(
            np.delete(after[moved[seat]], showdown, 0), np.delete(counts, showdown, 0)
        )


def _number(seat: handread.Seat) -> int:
    return seat.number


def _moved(event: Event, moved: dict[int, int]) -> Event:
    seat = getattr(event, "seat", None)
    return event if seat is None else replace(event, seat=moved[seat])
