"""The session of docs/first-evening.md is what the page says."""

from __future__ import annotations

import re

import pytest

import handread
from handread.history import Action, Collect, Deal, Show, Wager
from tests.docs.evening import HERO, NAMES, log
from tests.program import ROOT

PAGE = (ROOT / "docs" / "first-evening.md").read_text("utf-8")
SESSION = ROOT / "docs" / "first-evening.txt"


@pytest.fixture(scope="module")
def hands() -> list[handread.History]:
    return list(handread.read(SESSION))


def test_the_evening_is_a_room_s_log_of_the_hero(hands: list[handread.History]) -> None:
    assert len(hands) == 60
    assert {hand.hero for hand in hands} == {HERO}
    assert {tuple(seat.name for seat in hand.seats) for hand in hands} == {NAMES}
    assert SESSION.stat().st_size < 150_000


def test_downcards_of_others_are_seen_at_showdowns_only(hands: list[handread.History]) -> None:
    for hand in hands:
        wagers = [event for event in hand.events if isinstance(event, Wager)]
        folded = {wager.seat for wager in wagers if wager.action is Action.FOLD}
        deals = [event for event in hand.events if isinstance(event, Deal)]
        assert {deal.seat for deal in deals if set(deal.down) - {None}} <= {HERO}
        shown = {event.seat for event in hand.events if isinstance(event, Show)}
        left = {seat.number for seat in hand.seats} - folded
        assert shown == (left if len(left) > 1 else set())


def test_the_five_calls_are_on_7th_street_and_lose(hands: list[handread.History]) -> None:
    lines = [int(line) for line in re.findall(r"^\| (\d+) \| (?:ace|a pair)", PAGE, re.M)]
    assert len(lines) == 5
    found = {hand.source.line: hand for hand in hands}
    for line in lines:
        *_, last = (event for event in found[line].events if isinstance(event, Deal))
        after = found[line].events[found[line].events.index(last) :]
        wagers = [e.action for e in after if isinstance(e, Wager) and e.seat == HERO]
        assert wagers[-1] is Action.CALL
        assert HERO not in {e.seat for e in after if isinstance(e, Collect)}


@pytest.mark.dear("plays all sixty hands of the session")
def test_the_evening_can_be_played_again() -> None:
    assert log() == SESSION.read_text("utf-8")
