"""The duplicate tournament: means against games played one by one, memory by rotation."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from statistics import mean, stdev

import numpy as np
import pytest

from handread.game.steps import Replay
from handread.history import History
from handread.inference.observer import ObservedStreet, TieRule
from handread.inference.players import CARDS_ONLY, Model, PlayerModels
from handread.inference.readers import Observer, PolicyReader
from handread.papers.tournament import study
from handread.policy import load_policy
from handread.runs import Run
from handread.simulate import Setup, play_game
from tests.papers.tables import Caller

LOOSE, TIGHT = Model(load_policy("loose")), Model(load_policy("tight"))
SETUP = Setup(PlayerModels(LOOSE))
MIXED = (TIGHT, LOOSE, LOOSE)
SESSIONS, DEALS = 5, 3


@cache
def mixed(reference: tuple[str, ...] = ()) -> study.Tournament:
    return study.tournament(MIXED, SETUP, SESSIONS, DEALS, reference, Run(4))


@cache
def nets_by_hand(session: int) -> tuple[tuple[float, ...], ...]:
    """The net of each entrant in each deal of a session, seat by seat."""
    found = []
    for number in range(DEALS * session, DEALS * (session + 1)):
        order = list(np.random.default_rng((4, number, study.ORDER_STREAM)).permutation(3))
        nets = [0.0] * 3
        for _ in range(3):
            played = play_game(study.table_of(MIXED, SETUP, order), 4, number).replay
            for seat, who in enumerate(order, 1):
                nets[who] += (played.won.get(seat, 0) - played.paid[seat]) / 100 / 3
            order = [order[-1], *order[:-1]]
        found.append(tuple(nets))
    return tuple(found)


def test_the_profit_is_the_mean_over_deals_and_rotations() -> None:
    found = mixed()
    assert (found.sessions, found.deals, found.games) == (5, 15, 45)
    tight = [mean(net[0] for net in nets_by_hand(session)) for session in range(SESSIONS)]
    loose = [mean(sum(net[1:]) / 2 for net in nets_by_hand(i)) for i in range(SESSIONS)]
    for kind, by_session in (("tight", tight), ("loose", loose)):
        net = found.at(study.NET, "", kind, "kind")
        assert net.mean == pytest.approx(mean(by_session))
        assert net.error == pytest.approx(stdev(by_session) / math.sqrt(SESSIONS))
        assert (net.n, net.hands) == (15, 5)
        first = found.at(study.NET, "", kind, "first 6 deals")
        assert first.mean == pytest.approx(mean(by_session[:2]))
    apart = [one - other for one, other in zip(loose, tight, strict=True)]
    difference = found.at(study.DIFFERENCE, "", "loose - tight", "difference")
    assert difference.mean == pytest.approx(mean(apart))
    assert difference.error == pytest.approx(stdev(apart) / math.sqrt(SESSIONS))
    by_player = [found.at(study.NET, "", group, "player").mean for group in found.groups("player")]
    assert sum(by_player) == pytest.approx(0.0, abs=1e-12)


def test_every_player_plays_the_cards_of_every_seat() -> None:
    tables = []
    for number in (7, 8):
        order = list(np.random.default_rng((4, number, study.ORDER_STREAM)).permutation(3))
        for turn in range(3):
            sitting = np.roll(order, turn).tolist()
            game = play_game(study.table_of(MIXED, SETUP, sitting), 4, number)
            tables.append((number, sitting, game.deck))
    for number in (7, 8):
        decks = {deck for of, _, deck in tables if of == number}
        assert len(decks) == 1
        for seat in range(3):
            assert {sitting[seat] for of, sitting, _ in tables if of == number} == {0, 1, 2}


def test_players_alike_come_out_even() -> None:
    for results in study.play_session((LOOSE,) * 4, SETUP, 2, 4, 1):
        nets, put_in, fourth, showdown, won = results
        assert nets == pytest.approx(0.0, abs=1e-12)
        assert put_in == pytest.approx(np.full(4, put_in[0]))
        assert (0 <= won).all()
        assert (won <= showdown).all()
        assert (showdown <= fourth).all()
        assert (fourth <= 1).all()


LEARNED: list[tuple[str, ...]] = []


@dataclass(frozen=True)
class Memory:
    """A reader that keeps the hands that it has seen; otherwise that of a policy."""

    seen: tuple[str, ...] = ()
    name: str = "memory"
    terms: str = "memory"
    games: tuple[str, ...] = ("stud",)
    learns: bool = True

    def observer(self, history: History, ties: TieRule) -> Observer:
        return PolicyReader(PlayerModels(LOOSE)).observer(history, ties)

    def after(self, replay: Replay, observed: Sequence[ObservedStreet]) -> Memory:
        assert len(observed) == len(replay.streets)
        for street, read in zip(replay.streets, observed, strict=True):
            assert tuple(update.decision for update in read.updates) == street.decisions
            assert set(read.dealt.pdds) == set(street.active)
            assert set(read.after.pdds) == set(street.active_after)
        LEARNED.append((*self.seen, replay.history.hand_id))
        return Memory(LEARNED[-1])


def test_each_rotation_of_a_session_has_its_own_memory() -> None:
    """Two players with one reader share what they learn, and one observer a game."""
    LEARNED.clear()
    reader = Memory()
    list(study.play_session((Caller(reader), Caller(reader), LOOSE), SETUP, 3, 4, 2))
    ids = ["4000000006", "4000000007", "4000000008"]
    expected = [tuple(ids[: deal + 1]) for deal in range(3) for _ in range(3)]
    assert expected == LEARNED


def test_a_session_is_cut_at_round_numbers() -> None:
    assert study.parts_of(25) == {
        "deals 1 to 10": slice(0, 10),
        "deals 11 to 20": slice(10, 20),
        "deals 21 to 25": slice(20, 25),
    }
    assert list(study.parts_of(3)) == ["deals 1 to 3"]
    assert list(study.parts_of(1000))[-1] == "deals 501 to 1,000"


def test_kinds_are_compared_with_a_reference() -> None:
    assert mixed(("tight",)).groups("difference") == ["loose - tight"]
    blind = Model(load_policy("loose"), CARDS_ONLY)
    three = study.tournament((LOOSE, TIGHT, blind), SETUP, 1, 1, ("loose", "tight"), Run(4))
    words, *singles = three.groups("difference")
    assert words == "loose, cards-only - mean of loose, tight"
    assert singles == ["loose, cards-only - loose", "loose, cards-only - tight"]
    nets = [three.at(study.NET, "", kind, "kind").mean for kind in three.groups("kind")]
    single = three.at(study.DIFFERENCE, "", singles[1], "difference")
    assert single.mean == pytest.approx(nets[2] - nets[1])
    difference = three.at(study.DIFFERENCE, "", words, "difference")
    assert difference.mean == pytest.approx(nets[2] - (nets[0] + nets[1]) / 2)
    assert math.isnan(difference.error)
    with pytest.raises(ValueError, match="nobody plays as honest: there are tight, loose"):
        study.tournament(MIXED, SETUP, 1, 1, ("honest",), Run(4))
