"""A hand read whole: stages, bits that add up, and findings that are reported."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from dataclasses import replace

import pytest

import handread
from handread.cards import parse_card
from handread.game.replay import replay
from handread.game.rules import STAGES
from handread.game.steps import Replay
from handread.inference.analysis import analyze_replay, true_holding
from handread.odds.holdings import kind_of
from handread.policy import load_policy
from handread.tables.columns import to_frame
from tests.beliefs import assert_no_nan
from tests.hands import GOLDEN, hand

DEFAULT = load_policy("default")
TIPSY = DEFAULT.with_lapse(0.05)


def golden(old: str = "", new: str = "") -> Replay:
    played = replay(hand(GOLDEN.replace(old, new)))
    assert played.problem is None
    return played


def test_a_hand_of_another_game_cannot_be_analyzed() -> None:
    other, game = replace(hand(GOLDEN), variant="other"), "this is another game;"
    for given_hand in (other, replay(other)):
        with pytest.raises(handread.AnalysisError, match=game):
            handread.analyze(given_hand)
    with pytest.raises(ValueError, match=game):
        list(handread.analyze_hands([hand(GOLDEN), other]))


def test_a_hand_without_cards_cannot_be_analyzed() -> None:
    bare = replace(hand(GOLDEN), events=())
    with pytest.raises(handread.AnalysisError, match="stops before any card is dealt"):
        handread.analyze(bare)


# Stages


def test_the_ten_stages() -> None:
    read = analyze_replay(golden(), DEFAULT)
    assert tuple(stage.stage for stage in read.stages) == STAGES
    assert [stage.pot for stage in read.stages] == [
        175, 400, 400, 400, 400, 1200, 1200, 1600, 1600, 2400,
    ]  # fmt: skip
    assert [len(stage.active) for stage in read.stages] == [7] + [2] * 9
    assert read.problems == ()


def test_who_folds_and_who_wins_by_it_are_read_after_the_betting() -> None:
    played = replay(hand("1a 2a\n 3: 1=7c.Qs/7h 2=Ad.Jd/8d\n 1B 2r 1f"))
    dealt, after = analyze_replay(played, DEFAULT).stages
    assert (dealt.stage, after.stage) == ("3D", "3B")
    assert dict(after.bet_inference) == {2: 1.0}
    assert list(after.seats) == [2]
    assert list(after.folded) == [1]
    assert dict(dealt.folded) == {}
    actions = analyze_replay(played, DEFAULT).actions
    for action, read in zip(actions, (after.seats[2], after.folded[1]), strict=True):
        assert read.news_bits == action.information_bits > 0
        assert read.truth is not None
        assert read.truth.score_bits == pytest.approx(action.truth_bits)


def test_a_record_that_stops_is_read_as_far_as_it_goes() -> None:
    played = replay(hand("1a 2a\n 3: 1=7c.Qs/7h 2=Ad.Jd/8d\n 1B 2c\n 4: 1=8h 2=Kc  2k"))
    read = analyze_replay(played, DEFAULT)
    assert [stage.stage for stage in read.stages] == ["3D", "3B", "4D"]
    assert len(read.actions) == 2


def test_the_problem_of_the_replay_stands_in_the_analysis() -> None:
    played = replay(hand("1a 2a\n 3: 1=7c.Qs/7h 2=Ad.Jd/8d\n 1B 2k"))
    assert played.problem is not None
    assert analyze_replay(played, DEFAULT).problems == (played.problem,)


def test_unseen_upcards_end_the_reading() -> None:
    script = """
        1a 2a
        3: 1=??.??/7h 2=??.??/8d  1B 2c
        4: 1=?? 2=Kc  2k 1k
    """
    read = analyze_replay(replay(hand(script)), DEFAULT)
    assert [stage.stage for stage in read.stages] == ["3D", "3B"]
    (problem,) = read.problems
    assert problem.message == "the upcards of seat 1 were not seen"
    assert problem.line == 3


def test_an_unknown_tie_rule() -> None:
    with pytest.raises(ValueError, match="no tie rule 'coin': expected paper or split"):
        analyze_replay(golden(), DEFAULT, ties="coin")


# Known cards


@pytest.mark.parametrize(
    ("old", "new", "omniscience"),
    [
        ("", "", ["full"] * 10),
        ("5d.Ac", "??.??", ["partial"] * 10),
        ("1=Jh/", "1=??/", ["full"] * 8 + ["partial"] * 2),
    ],
)
def test_how_much_the_reference_knows(old: str, new: str, omniscience: list[str]) -> None:
    read = analyze_replay(golden(old, new), DEFAULT)
    assert [stage.omniscience for stage in read.stages] == omniscience


def test_no_downcards_no_reference() -> None:
    script = "1a 2a\n 3: 1=??.??/7h 2=??.??/8d\n 1B 2c"
    for stage in analyze_replay(replay(hand(script)), DEFAULT).stages:
        assert stage.omniscience == "none"
        assert stage.omniscient is None
        assert stage.kl_bits is None
        assert stage.entropy_bits is None
        assert all(read.truth is None for read in stage.seats.values())


def test_a_partial_reference_keeps_the_public_read_of_the_unknown() -> None:
    """With one of two players known, the other stands at its public pdd, before and after bets."""
    script = """
        1a 2a
        3: 1=7c.Qs/7h 2=??.??/8d  1B 2r 1c
        4: 1=8h 2=Kc  2b 1c
        5: 1=Js 2=As  2b 1c
        6: 1=2c 2=7d  2b 1c
    """
    played = replay(hand(script))
    read = analyze_replay(played, TIPSY)
    seen = analyze_replay(played, TIPSY, "seat:1")
    for stage, mine in zip(read.stages, seen.stages, strict=True):
        assert stage.omniscience == "partial"
        assert stage.omniscient == pytest.approx(mine.bet_inference, abs=1e-12)


def test_kl_is_of_the_reference_against_the_reads() -> None:
    for stage in analyze_replay(golden(), DEFAULT).stages:
        assert stage.omniscient is not None
        assert stage.kl_bits is not None
        for read, found in zip((stage.cards_only, stage.bet_inference), stage.kl_bits, strict=True):
            expected = sum(
                p * math.log2(p / read[seat]) for seat, p in stage.omniscient.items() if p > 0
            )
            assert found == pytest.approx(expected, abs=1e-12)
        outcome = stage.omniscient.values()
        entropy = -sum(p * math.log2(p) for p in outcome if p > 0)
        assert stage.entropy_bits == pytest.approx(entropy, abs=1e-12)


def test_true_holdings() -> None:
    played = golden("5d.Ac", "??.??")
    assert true_holding(played, 1, 6) == (parse_card("7c"), parse_card("Qs"))
    assert true_holding(played, 1, 7) == tuple(map(parse_card, ("7c", "Qs", "Jh")))
    assert true_holding(played, 3, 3) is None
    assert true_holding(played, 4, 7) is None  # it folded with two


# Bits


def test_surprise_is_that_of_the_whole_line() -> None:
    read = analyze_replay(golden(), DEFAULT)
    line = math.prod(action.evidence for action in read.actions)
    assert read.surprise_bits == pytest.approx(-math.log2(line), abs=1e-9)


# What no hand of the policy plays


BLUFF = """
    1a 2a
    3: 1=7c.Qs/9h 2=Ad.Jd/4d  2B 1c
    4: 1=9d 2=2c  1b 2c
    5: 1=9c 2=Kc  1b 2c
    6: 1=9s 2=7h  1b
    2r
    1f
"""


NOBODY = "under the policy 'honest', {} here; the action is ignored"


@pytest.mark.parametrize("viewpoint", ["public", "seat:1", "seat:2", "omniscient"])
def test_a_bluff_that_the_honest_never_make(viewpoint: str) -> None:
    """Nobody honest raises four nines, and nobody folds them: two findings, no NaN."""
    played = replay(hand(BLUFF))
    assert played.problem is None
    read = analyze_replay(played, load_policy("honest"), viewpoint)
    assert_no_nan(read)
    assert [(problem.line, problem.message) for problem in read.problems[-2:]] == [
        (6, NOBODY.format("seat 2 would never raise")),
        (7, NOBODY.format("seat 1 would never fold")),
    ]
    bluff, fold = read.actions[-2:]
    assert not bluff.explained
    assert not fold.explained
    assert bluff.surprise_bits == fold.surprise_bits == read.surprise_bits == math.inf
    assert bluff.information_bits == bluff.truth_bits == 0.0
    assert "infinite bits of surprise" in str(read)


def test_a_lapse_explains_everything() -> None:
    read = analyze_replay(replay(hand(BLUFF)), load_policy("honest").with_lapse(0.01))
    assert read.problems == ()
    assert math.isfinite(read.surprise_bits)


# Names of seats and suits do not matter


_FIGURES = """
import handread
hand = next(iter(handread.read_hands("sample_histories/showdown.stud")))
read = handread.analyze(hand, "people")
print([one.surprise_bits.hex() for one in read.actions])
print([p.hex() for stage in read.stages for p in stage.bet_inference.values()])
games = [game.replay for game in handread.simulate_games(4, "loose", seats=3, seed=5)]
wide = {"family": "logit", "features": ("boards", "kinds", "slopes"), "penalty": 3.0}
found = handread.fit(games, handread.FitOptions(**wide, likelihood_exponent=1.0, rounds=1))
print(found.file.policy.vector(), found.file.provenance.evidence_bits.hex())
print([x.hex() for one in found.draws(2) for x in one.vector().tolist()])
"""


@pytest.mark.dear("two processes of its own, as a process sets its threads once")
def test_no_figure_depends_on_the_threads_of_blas() -> None:
    """Sums over all holdings, or over many parameters, BLAS would split among its threads."""
    command = [sys.executable, "-c", _FIGURES]
    blas = [{**os.environ, "OPENBLAS_NUM_THREADS": threads} for threads in ("1", "2")]
    done = [subprocess.run(command, env=env, check=True, capture_output=True) for env in blas]
    assert done[0].stdout == done[1].stdout
    assert b"0x1" in done[0].stdout


# Access


def test_a_stage_is_found_by_its_name() -> None:
    read = analyze_replay(golden(), DEFAULT)
    assert [read.at(stage).stage for stage in STAGES] == list(STAGES)
    assert [read.at(stage).street for stage in STAGES] == [3, 3, 4, 4, 5, 5, 6, 6, 7, 7]
    stages = r"no stage '8B': expected one of 3D, 3B, 4D, 4B, 5D, 5B, 6D, 6B, 7D, 7B"
    with pytest.raises(KeyError, match=stages):
        read.at("8B")


def test_the_families_of_a_seat() -> None:
    for stage in analyze_replay(golden(), DEFAULT).stages:
        for read in stage.seats.values():
            found = read.families()
            by_read, by_cards = zip(*found.values(), strict=True)
            assert sum(by_read) == pytest.approx(1.0)
            assert sum(by_cards) == pytest.approx(1.0)
            assert list(by_read) == sorted(by_read, reverse=True)
    assert list(found) == [name for name in found if found[name].cards_only > 0]
    likeliest = analyze_replay(golden(), DEFAULT).at("5B").seats[1]
    assert next(iter(likeliest.families())) == likeliest.risen_family == "split pair"
    assert likeliest.true_kind == kind_of(likeliest.holding or (), likeliest.up)
    dealt = analyze_replay(golden(), DEFAULT).at("3D").seats[1]
    assert dealt.risen_family is None


def test_values_print_in_words() -> None:
    read = analyze_replay(golden(), DEFAULT)
    seat, action = read.at("5B").seats[1], read.actions[0]
    assert repr(seat) == (
        "seat 1: 7h 8h Js; split sevens 52%, split jacks 15%, flush draw 9%, ...; holds 7c Qs"
    )
    assert repr(seat.truth) == "7c Qs: probability 0.00992, +3.02 bits, rank 12 of 820"
    assert repr(read.at("5B")) == "5B: seat 1 53%, seat 2 47%"
    assert repr(action) == ("3rd street, seat 6 fold: information 0.23 bits, surprise 0.35 bits")


def test_frames_hold_the_figures_of_the_analysis() -> None:
    read = analyze_replay(golden("5d.Ac", "??.??"), DEFAULT)
    actions, stages, seats = (to_frame(read, rows) for rows in ("actions", "stages", "seats"))
    assert actions["surprise_bits"].sum() == pytest.approx(read.surprise_bits)
    assert actions["action"].to_list() == [a.decision.action for a in read.actions]
    assert stages["stage"].to_list() == list(STAGES)
    assert stages["pot_minor"].to_list() == [stage.pot for stage in read.stages]
    assert seats.height == sum(len(stage.seats) + len(stage.folded) for stage in read.stages)
    assert seats.filter(seat=3)["downcards"].null_count() == seats.filter(seat=3).height
    (row,) = seats.filter(seat=1, stage="5B").to_dicts()
    assert (row["downcards"], row["true_family"]) == ("7c Qs", "split pair")
    likeliest = next(iter(read.at("5B").seats[1].families().items()))
    assert (row["family"], (row["p_family"], row["p_family_cards_only"])) == likeliest
    for stage in read.stages:
        assert seats.filter(stage=stage.stage)["p_win"].sum() == pytest.approx(1.0)


def test_frames_without_rows_have_their_columns() -> None:
    full = analyze_replay(golden(), DEFAULT)
    bare = replace(full, stages=(), actions=())
    for rows in ("actions", "stages", "seats"):
        assert to_frame(bare, rows).schema == to_frame(full, rows).schema
    with pytest.raises(ValueError, match="no rows 'hands': expected actions, stages or seats"):
        to_frame(full, "hands")
