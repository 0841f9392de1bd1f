"""A hand is read once: what is kept of it is what would be read, wherever its log lies."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from handread.decisions.terms import CHECKED, decision_terms
from handread.game.replay import replay
from handread.game.steps import Replay
from handread.history import History
from handread.inference.players import parse_players, player_models
from handread.inference.readers import PolicyReader, Reader, as_reader
from handread.named_readers import load_reader
from handread.policy import load_policy
from handread.policy.logit import LogitPolicy
from handread.sessions import parts
from handread.sessions.analyzing import HandView
from handread.sessions.counts import Fate
from handread.sessions.files import ReadSettings, Session
from handread.sessions.opening import read_file
from handread.sessions.parts import KeptRow, KeptValues
from handread.sessions.reading import (
    ReadHand,
    kept_hand,
    read_hand,
    read_in_turn,
    usual_reading,
)
from handread.sessions.store import HandStore
from tests.program import ROOT, SAMPLES

EVENING = (ROOT / "docs" / "first-evening.txt").read_text("utf-8").split("\n\n\n")
HANDS = [EVENING[n] for n in (0, 8, 9, 10, 11)]
"""Hands of the evening that end soon."""

READER = PolicyReader(parse_players(None, None, []))
VIEW = HandView()
VALUED = HandView(decisions=decision_terms(CHECKED, READER.players, 20, None, 1, None))


def log(path: Path, *hands: str) -> list[Replay]:
    path.write_text("\n\n\n".join([*hands, ""]), encoding="utf-8")
    return [replay(one) for one in read_file(path) if isinstance(one, History)]


def shown(hand: ReadHand | None) -> object:
    """What a session shows of a hand."""
    assert hand is not None
    return hand.row(1, "1.html"), hand.values, hand.findings, hand.problem


@pytest.fixture
def store(tmp_path: Path) -> HandStore:
    return HandStore(tmp_path / "hands")


def test_what_is_kept_is_what_is_read(tmp_path: Path, store: HandStore) -> None:
    (played,) = log(tmp_path / "a.txt", HANDS[1])
    assert kept_hand(played, READER, VALUED, store) is None
    fresh = read_hand(played, READER, VALUED, store)
    assert not fresh.was_kept
    again = kept_hand(played, READER, VALUED, HandStore(tmp_path / "hands"))
    assert again is not None
    assert again.was_kept
    assert shown(again) == shown(fresh)
    assert again.row(1, "").place == f"{tmp_path}/a.txt:1"
    alone = read_hand(played, READER, VIEW, store)
    assert alone.was_kept  # the values are another part
    assert alone.row(1, "").worth is None


def test_a_log_that_moves_or_grows_costs_its_new_hands(tmp_path: Path, store: HandStore) -> None:
    for played in log(tmp_path / "a.txt", *HANDS[:2]):
        read_hand(played, READER, VIEW, store)
    (tmp_path / "elsewhere").mkdir()
    found = log(tmp_path / "elsewhere" / "b.txt", *HANDS[:3])
    kept = [kept_hand(played, READER, VIEW, store) for played in found]
    assert [one is not None for one in kept] == [True, True, False]
    alone = [read_hand(played, READER, VIEW, HandStore(None)) for played in found[:2]]
    assert list(map(shown, kept[:2])) == list(map(shown, alone))


def test_nothing_kept_names_the_file(tmp_path: Path, store: HandStore) -> None:
    faulty = HANDS[1].replace("NellB: folds", "NellB: calls $77", 1)
    for played in log(tmp_path / "a name to look for.txt", faulty, HANDS[1]):
        read_hand(played, READER, VALUED, store)
    kinds = store._with(lambda one: one.execute("SELECT key FROM records").fetchall(), [])
    assert len(kinds) >= 2
    for (key,) in kinds:
        for kind in (KeptRow, KeptValues):
            assert "a name to look for" not in repr(store.found({key: kind}))


@pytest.mark.parametrize(
    "other",
    [replace(VIEW, viewpoint="public"), replace(VIEW, ties="paper"), VALUED],
    ids=["viewpoint", "ties", "decisions"],
)
def test_another_view_is_read_for_itself(other: HandView, tmp_path: Path, store: HandStore) -> None:
    (played,) = log(tmp_path / "a.txt", HANDS[1])
    read_hand(played, READER, VIEW, store)
    assert kept_hand(played, READER, other, store) is None
    assert kept_hand(played, load_reader("loose"), VIEW, store) is None
    seats = replace(VALUED, seats=frozenset({played.history.hero or 0}))
    read_hand(played, READER, VALUED, store)
    assert kept_hand(played, READER, seats, store) is not None  # they are yours


def test_a_policy_is_known_by_all_that_outputs_show(tmp_path: Path, store: HandStore) -> None:
    """Also by what says nothing about how it bets, such as the number of decisions like these."""
    (played,) = log(tmp_path / "a.txt", HANDS[1])
    policy = load_policy("people-average")
    assert isinstance(policy, LogitPolicy)
    fewer = tuple((name, 1) for name, _ in policy.spots)
    others = replace(policy, name="mine"), replace(policy, spots=fewer)
    read_hand(played, as_reader(policy), VIEW, store)
    for other in others:
        assert kept_hand(played, as_reader(other), VIEW, store) is None
        terms = replace(VALUED.decisions, check=player_models(other))
        read_hand(played, as_reader(policy), replace(VALUED, decisions=terms), store)
    usual = replace(VALUED.decisions, check=player_models(policy))
    assert kept_hand(played, as_reader(policy), replace(VALUED, decisions=usual), store) is None


def test_a_reader_learns_from_what_is_kept(tmp_path: Path, store: HandStore) -> None:
    panel: Reader = load_reader("panel")
    hands = log(tmp_path / "a.txt", *HANDS[:3])
    rows = []
    for _ in range(2):
        reader = panel
        for played in hands:
            hand = read_hand(played, reader, VIEW, store)
            reader = hand.after(reader)
            rows.append((hand.was_kept, hand.row(1, "")))
    assert [kept for kept, _ in rows] == [False] * 3 + [True] * 3
    assert [row for _, row in rows[:3]] == [row for _, row in rows[3:]]
    alone = read_hand(hands[2], panel, VIEW, HandStore(None)).row(1, "")
    assert alone != rows[2][1]


def test_hands_are_read_in_turn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = HandStore(tmp_path / "hands")
    monkeypatch.setattr(parts, "user_store", lambda: kept)
    hands = log(tmp_path / "a.txt", *HANDS[:3])
    panel = load_reader("panel")
    read = list(read_in_turn(hands, panel, VIEW))
    assert [(number, one.played) for number, one in read] == [*enumerate(hands, 1)]
    assert [one.was_kept for _, one in read_in_turn(hands, panel, VIEW)] == [True] * 3


def test_a_session_ends_with_its_counts(capsys: pytest.CaptureFixture[str]) -> None:
    session = Session([str(SAMPLES / "broken-turn.stud")], ReadSettings(), prints=False)
    hands = list(read_in_turn(session.replays(), *usual_reading(), session))
    assert [(number, hand.is_shown) for number, hand in hands] == [(1, True), (2, True)]
    assert (session.counts.stopped, session.end()) == ({Fate.REFUSED: 1}, 1)
    refused, *_, unvalued, counts = capsys.readouterr().err.splitlines()
    assert "seat 3 acts" in refused
    assert unvalued.startswith("2 hands without values: no values have been learned for ")
    assert counts == "2 hands: 1 accepted, 1 refused"
    whole = Session([str(SAMPLES / "showdown.stud")], ReadSettings(), prints=False)
    list(read_in_turn(whole.replays(), *usual_reading(), whole))
    assert (whole.end(), whole.end(shown=False)) == (0, 1)


def test_a_hand_that_cannot_be_read_says_why(tmp_path: Path, store: HandStore) -> None:
    (played,) = log(tmp_path / "a.txt", HANDS[1])
    seen = read_hand(played, READER, HandView("seat:9"), store)
    assert seen.problem is not None
    assert "seat" in seen.problem.message
    assert not seen.is_shown
    assert seen.refused_for
