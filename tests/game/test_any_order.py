"""Hands shown whole of which it is not told which downcard came last."""

from __future__ import annotations

import re
from dataclasses import replace

import jsonschema
import pytest

from handread.cards import cards_text, holding_index, parse_card
from handread.formats.format import Writer
from handread.formats.log_reader import read_text
from handread.formats.registry import dialects, writer_named
from handread.game.ranks import TRIPS, TWO_PAIR
from handread.game.replay import replay, written_out
from handread.game.steps import Replay
from handread.history import History, Show
from handread.inference.analysis import analyze_replay
from handread.policy import load_policy
from handread.report.build import hand_report
from handread.report.json import analysis_object
from handread.report.schemas import json_schema
from handread.study.scores import final_ranks, ways_known
from tests.hands import cards, one
from tests.invented_logs import EVERLEAF

ORDERED = [d.name for d in dialects() if isinstance(d, Writer) and d.name != "everleaf"]
ZOFIE, LENA = 8, 3
LOOSE = {ZOFIE: "3c 8h 8s"}


def played(text: str = EVERLEAF) -> Replay:
    found = replay(one(text))
    assert found.problem is None
    return found


def loose(found: Replay) -> dict[int, str]:
    return {seat: cards_text(cards) for seat, cards in found.loose_downcards.items()}


def test_three_downcards_in_no_order_are_known_on_7th_street_alone() -> None:
    found = played()
    assert loose(found) == LOOSE
    assert ZOFIE not in found.downcards
    assert [ZOFIE in found.downcards_on(street) for street in range(3, 8)] == [False] * 4 + [True]
    assert final_ranks(found).keys() == {LENA, ZOFIE}
    assert (final_ranks(found)[LENA][0][0], ways_known(found)[ZOFIE]) == (TRIPS, "shown")


def test_the_hands_decide_who_is_paid() -> None:
    text = EVERLEAF.replace("Lena wins", "Žofie wins")
    problem = replay(one(text)).problem
    assert problem is not None
    assert "is paid €0.79, which is not the share its cards win" in problem.message


def test_7th_street_is_scored_with_them_and_no_street_before() -> None:
    read = analyze_replay(played(), load_policy("loose"))
    truths = {
        stage.stage: stage.seats[ZOFIE].truth for stage in read.stages if ZOFIE in stage.seats
    }
    assert [stage for stage, truth in truths.items() if truth is not None] == ["7D", "7B"]
    truth = truths["7B"]
    assert truth is not None
    assert cards_text(sorted(truth.downcards)) == LOOSE[ZOFIE]
    last = read.stages[-1]
    assert truth.probability == last.seats[ZOFIE].pdd[holding_index(cards("8h 8s 3c"))]
    assert last.omniscient == {LENA: 1.0, ZOFIE: 0.0}
    assert [stage.omniscience for stage in read.stages] == ["partial"] * 10


def test_the_report_says_that_the_order_is_not_told() -> None:
    report = hand_report(analyze_replay(played(), load_policy("loose")))
    made = "two pair, kings and eights, nine kicker"
    assert (
        report.shown[1] == f"8 Žofie held 3c 8h 8s: {made} (the log does not say which came last)"
    )
    with pytest.raises(ValueError, match="three downcards of seat 8, but not which came last"):
        analyze_replay(played(), load_policy("loose"), f"seat:{ZOFIE}")


def test_json_has_them_under_a_name_of_their_own() -> None:
    found = analysis_object(analyze_replay(played(), load_policy("loose")))
    jsonschema.validate(found, json_schema())
    seats = {seat["seat"]: seat for seat in found["seats"]}
    for told in (seats[ZOFIE], found["showdown"]["seats"][str(ZOFIE)]):
        assert told["downcards"] is None
        assert told["downcards_any_order"] == ["3c", "8h", "8s"]
    assert "downcards_any_order" not in seats[LENA]
    assert found["showdown"]["seats"][str(ZOFIE)]["hand"].startswith("two pair, kings and eights")


def same(found: Replay, again: Replay) -> bool:
    return (
        again.problem is None
        and loose(again) == loose(found)
        and again.downcards == found.downcards
        and (again.won, again.pot, again.stacks) == (found.won, found.pot, found.stacks)
        and [street.upcards for street in again.streets]
        == [street.upcards for street in found.streets]
    )


@pytest.mark.parametrize("name", ORDERED)
def test_every_notation_keeps_all_seven_cards(name: str) -> None:
    found = played()
    (again,) = read_text(writer_named(name).write(written_out(found)), "again", name)
    assert isinstance(again, History)
    assert same(found, replay(again))


def test_the_room_itself_keeps_the_event() -> None:
    found = played()
    show = next(e for e in found.moves if isinstance(e, Show) and e.seat == ZOFIE)
    assert show.any_order
    (again,) = read_text(writer_named("everleaf").write(written_out(found)), "again")
    assert isinstance(again, History)
    assert same(found, replay(again))
    assert show in again.events


def test_upcards_out_of_their_place_tell_no_order_in_any_room() -> None:
    """Where a room lists a hand by rank, say, its last card is not that of 7th street."""
    stars = writer_named("pokerstars")
    (hand,) = read_text(stars.write(written_out(played())), "stars")
    assert isinstance(hand, History)
    shown = next(e for e in hand.events if isinstance(e, Show) and e.seat == ZOFIE)
    for listed, expected in (
        ("Kd Kc 9s 8h 8s 4d 3c", LOOSE),
        ("8h 8s Kc Kd 4d 9s 3c", {}),
        ("8h 3c Kd Kc 9s 4d 8s", {}),
    ):
        fast_replace = replace(shown, cards=tuple(map(parse_card, listed.split())))
        events = (fast_replace if event is shown else event for event in hand.events)
        assert loose(replay(replace(hand, events=tuple(events)))) == expected, listed


def test_a_later_word_on_the_order_counts() -> None:
    hand = one(EVERLEAF)
    ordered = Show(ZOFIE, cards("8h 3c Kc Kd 4d 9s 8s"))
    found = replay(replace(hand, events=(*hand.events, ordered)))
    assert (found.problem, found.loose_downcards) == (None, {})
    assert cards_text(found.downcards[ZOFIE]) == "8h 3c 8s"


def test_the_set_may_not_hold_another_players_card() -> None:
    text = re.sub("8s, 3c ]", "8s, 2c ]", EVERLEAF)
    problem = replay(one(text)).problem
    assert problem is not None
    assert "the 2c for seat 8 (Žofie) is on the table already" in problem.message


def test_of_a_hand_without_upcards_they_stand_third_to_sixth() -> None:
    """As in the logs of July 2011, which list no cards but those shown."""
    silent = re.sub(r"Dealt to .*\n", "", EVERLEAF)
    shown = "Žofie shows [ 8h, Kc, Kd, 4d, 9s, 8s, 3c ]"
    assert shown in silent
    silent = silent.replace(shown, "Žofie shows [ 8h, 8s, Kc, Kd, 4d, 9s, 3c ]")
    found = played(silent)
    assert loose(found)[ZOFIE] == LOOSE[ZOFIE]
    assert final_ranks(found)[ZOFIE][0][0] == TWO_PAIR
