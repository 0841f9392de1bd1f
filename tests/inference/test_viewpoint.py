"""The N + 2 viewpoints: what a pdd becomes for somebody who knows some downcards."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from handread.cards import N_PAIRS, N_TRIPLES, pair_index, triple_index
from handread.game.replay import replay
from handread.game.steps import Replay
from handread.history import Seat
from handread.inference.analysis import analyze_replay, last_public_read
from handread.inference.observer import deal, seat_cards, visible_cards
from handread.inference.viewpoint import (
    StreetViews,
    certainty,
    even_views,
    on_street,
    pdd_from,
    session_viewpoint,
    viewpoint_of,
    without,
)
from handread.odds.htpd import Unseen
from handread.policy import load_policy
from tests import naive
from tests.beliefs import plain_without
from tests.hands import GOLDEN, cards, hand

DEFAULT = load_policy("default")
UPCARDS = {1: "7h 8h Js 2c", 2: "8d Kc As 7d"}


# Pdds


@pytest.mark.parametrize("size", [N_PAIRS, N_TRIPLES])
def test_without_some_cards(size: int) -> None:
    pdd = np.random.default_rng(size).dirichlet(np.ones(size))
    gone = cards("As 2c 7h")
    assert np.allclose(without(pdd, gone), plain_without(pdd, gone), rtol=0, atol=1e-15)


def test_nothing_left_is_zero_and_no_nan() -> None:
    pdd = certainty(N_PAIRS, cards("As Ad"))
    assert not without(pdd, cards("As")).any()


def test_certainty() -> None:
    assert certainty(N_PAIRS, cards("As 2c"))[pair_index(*cards("2c As"))] == 1.0
    assert certainty(N_TRIPLES, cards("As 2c 7h"))[triple_index(*cards("2c 7h As"))] == 1.0


def test_the_third_downcard_comes_on_seventh() -> None:
    assert on_street(cards("As 2c 7h"), 6) == cards("As 2c")
    assert on_street(cards("As 2c 7h"), 7) == cards("As 2c 7h")


def test_a_pdd_seen_by_its_owner_and_by_the_others() -> None:
    pdd = np.random.default_rng(0).dirichlet(np.ones(N_PAIRS))
    known = {1: cards("As Ad"), 2: cards("Ks Kd")}
    assert (pdd_from(pdd, 1, known) == certainty(N_PAIRS, cards("As Ad"))).all()
    expected = plain_without(pdd, cards("As Ad Ks Kd"))
    assert np.allclose(pdd_from(pdd, 3, known), expected, rtol=0, atol=1e-15)
    assert pdd_from(pdd, 3, {}) is pdd


def test_two_known_downcards_of_three() -> None:
    """The third downcard stays what the pdd says of it, without the cards of others."""
    pdd = np.random.default_rng(0).dirichlet(np.ones(N_TRIPLES))
    seen = pdd_from(pdd, 1, {1: cards("As Ad"), 2: cards("Ks Kd Kh")})
    assert seen.sum() == pytest.approx(1.0)
    assert np.count_nonzero(seen) == 47
    first, second = (triple_index(*cards(f"As Ad {third}")) for third in ("7h", "8c"))
    assert seen[first] / seen[second] == pytest.approx(pdd[first] / pdd[second])
    assert seen[triple_index(*cards("As Ad Kh"))] == 0.0


def test_two_known_downcards_that_the_read_ruled_out() -> None:
    seen = pdd_from(certainty(N_TRIPLES, cards("2c 3c 4c")), 1, {1: cards("As Ad")})
    assert np.count_nonzero(seen) == 50
    assert seen.max() == pytest.approx(1 / 50)
    seen = pdd_from(certainty(N_TRIPLES, cards("2c 3c 4c")), 1, {1: cards("As Ad")}, cards("Kc 5h"))
    assert np.count_nonzero(seen) == 48
    assert seen[triple_index(*cards("As Ad Kc"))] == 0.0


# Views


@pytest.mark.parametrize(
    "known", [{1: "Qs Qd"}, {3: "Qs Qd"}, {1: "Qs Qd", 2: "Ad Jd", 3: "3c 4c"}]
)
def test_a_view_on_sixth_street(known: dict[int, str]) -> None:
    """Known downcards, those of a folded seat too, are no cards that can still come."""
    street = naive.street_play(6, UPCARDS, "")
    belief, _ = deal(None, street)
    downcards = {seat: cards(text) for seat, text in known.items()}
    seen = StreetViews(street, downcards).of(belief.seats)
    for seat in UPCARDS:
        up = seat_cards(street, seat)
        gone = [c for other, own in downcards.items() if other != seat for c in own]
        pairs, rows = naive.holdings_on_sixth([*visible_cards(street), *gone], up)
        if seat in downcards:
            own = downcards[seat]
            expected = rows[pairs.index(pair_index(*own))]
        else:
            expected = rows.mean(axis=0)
        assert np.allclose(seen[seat].htpd, expected, rtol=0, atol=1e-12)
        assert seen[seat].pdd.sum() == pytest.approx(1.0)


def test_a_view_of_known_hands_on_seventh_street_is_the_showdown() -> None:
    street = naive.street_play(7, UPCARDS, "")
    belief, _ = deal(None, street)
    seen = StreetViews(street, {1: cards("7c Qs Jh"), 2: cards("Ad Jd 4h")}).of(belief.seats)
    for seat, down in ((1, "7c Qs Jh"), (2, "Ad Jd 4h")):
        hand_class = naive.classes_of(np.array([[*cards(down), *street.upcards[seat]]]))[0]
        assert seen[seat].htpd[hand_class] == 1.0


def test_cards_only_is_even_over_what_is_live() -> None:
    street = naive.street_play(5, {1: "7h 8h Js", 2: "8d Kc As"}, "")
    belief, _ = deal(None, street)
    unseen = Unseen(visible_cards(street))
    for view in even_views(belief).values():
        pdd = view.pdd
        assert (pdd > 0).tolist() == unseen.live_pairs.tolist()
        assert pdd.max() == pytest.approx(1 / 1035)


# Whole hands


# Names


def golden(change: Callable[[str], str] = str) -> Replay:
    return replay(hand(change(GOLDEN)))


def test_names_of_viewpoints() -> None:
    played = golden()
    assert viewpoint_of(played, "public").known == {}
    assert viewpoint_of(played, "seat:2").known == {2: cards("Ad Jd 4h")}
    assert set(viewpoint_of(played, "omniscient").known) == {1, 2, 3, 4, 5, 6, 7}


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("all", "no viewpoint 'all'"),
        ("seat:", "no viewpoint 'seat:'"),
        ("seat:x", "no viewpoint 'seat:x'"),
        ("seat:²", "no viewpoint"),
        ("seat:-1", "no viewpoint"),
        ("seat:8", "nobody sits in seat 8; seats are 1, 2, 3, 4, 5, 6, 7"),
        ("seat:3", "the log does not show the downcards of seat 3"),
        ("omniscient", "unknown for seat 3"),
    ],
)
def test_viewpoints_that_a_hand_does_not_allow(name: str, words: str) -> None:
    played = golden(lambda text: text.replace("5d.Ac", "??.??"))
    with pytest.raises(ValueError, match=words):
        viewpoint_of(played, name)


NAMED = [Seat(n, name) for n, name in enumerate(("Ann", "Bo", "Cy", "Di", "Bo", "", "hero"), 1)]


def table(hero: int | None, hidden: str = "") -> Replay:
    """The golden hand with names and a hero; ``hidden`` downcards are not in the log."""
    text = GOLDEN.replace(hidden, "??.??") if hidden else GOLDEN
    return replay(hand(text, seats=NAMED, hero=hero))


@pytest.mark.parametrize(
    ("wanted", "hero", "name", "you"),
    [
        (None, 2, "seat:2", 2),
        (None, None, "public", None),
        (None, 3, "public", 3),  # whose downcards the log hides
        ("hero", 2, "seat:2", 2),
        ("hero", None, "public", None),
        ("public", 2, "public", 2),
        ("omniscient", 2, "omniscient", 2),
        ("seat:4", 2, "seat:4", 4),
        ("Ann", 2, "seat:1", 1),
        ("Cy", 2, "public", 3),  # the name is yours, not the hero's
        ("ann", 2, "public", None),
        ("Bo", 2, "public", None),  # two players of that name
        ("nobody", 2, "public", None),
    ],
)
def test_the_viewpoint_of_a_hand_of_a_session(
    wanted: str | None, hero: int | None, name: str, you: int | None
) -> None:
    played = table(hero, "" if wanted == "omniscient" else "5d.Ac")
    seen = session_viewpoint(played, wanted)
    assert (seen.name, seen.you) == (name, you)
    assert seen.known == viewpoint_of(played, name).known
    analysis = analyze_replay(played, DEFAULT, seen)
    assert (analysis.viewpoint, analysis.you, analysis.hero) == (name, you, hero)
    assert analysis.viewer == (you if name.startswith("seat:") else None)


def test_seats_that_are_not_in_a_hand_are_refused_in_a_session() -> None:
    with pytest.raises(ValueError, match="nobody sits in seat 8"):
        session_viewpoint(table(1), "seat:8")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("hero", "the log does not say which player is the hero"),
        ("Eve", "no viewpoint 'Eve': expected .* or the name of a player"),
        ("Cy", "does not show the downcards of seat 3"),
    ],
)
def test_persons_whom_a_hand_does_not_have(name: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        analyze_replay(table(None, "5d.Ac"), DEFAULT, name)


def test_the_last_public_read_is_that_of_the_public_viewpoint() -> None:
    played = golden()
    public, mine = (analyze_replay(played, DEFAULT, who) for who in ("public", "seat:6"))
    for seat in range(1, 8):
        read = last_public_read(mine, seat)
        stages = [s for s in public.stages if s.after_bets and {**s.seats, **s.folded}.get(seat)]
        last = {**stages[-1].seats, **stages[-1].folded}[seat]
        assert read is not None
        np.testing.assert_allclose(read.pdd, last.pdd)
        np.testing.assert_allclose(read.htpd, last.htpd)


def test_a_known_pair_stays_known_on_seventh_street() -> None:
    played = golden()
    for stage in analyze_replay(played, DEFAULT, "seat:1").stages:
        pairs = stage.seats[1].pairs
        assert pairs[pair_index(*cards("7c Qs"))] == pytest.approx(1.0), stage.stage


def test_a_deal_tells_a_seat_nothing_about_itself() -> None:
    for stage in analyze_replay(golden(), DEFAULT, "seat:1").stages:
        assert stage.seats[1].news_bits == pytest.approx(0.0, abs=1e-12), stage.stage


def test_a_finding_about_a_known_hand_does_not_speak_of_all_hands() -> None:
    """An honest player would not bet king high here; other hands would, which the public knows."""
    script = "1a 2a\n 3: 1=2c.4s/7h 2=Ad.Jd/8d\n 1B 2c\n 4: 1=Kc 2=9s\n 1b 2c"
    played = replay(hand(script))
    honest = load_policy("honest")
    assert analyze_replay(played, honest).problems == ()
    problems = analyze_replay(played, honest, "omniscient").problems
    assert not [problem for problem in problems if "under the policy" in problem.message]
