"""Holdings in words, and a pdd summed by kind against a sum over its pairs."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from handread.cards import DECK_SIZE, N_PAIRS, Card, parse_card
from handread.game.ranks import STRAIGHTS, best_hand
from handread.odds.hand_types import CATEGORIES, class_of, class_ranks, plural, rank_word
from handread.odds.high_holdings import Kind, made_kind
from handread.odds.holdings import families, kind_of, kind_table, kinds, likely_kinds
from handread.odds.htpd import PAIR_CARDS, Hands, Unseen
from tests.examples import examples


def cards(text: str) -> list[Card]:
    return [parse_card(word) for word in text.split()]


@pytest.mark.parametrize(
    ("down", "up", "kind"),
    [
        ("Ks Kd", "7h", "kings in the hole"),
        ("7s Kd", "7h", "split sevens"),
        ("7s 7d", "7h", "rolled-up sevens"),
        ("2s Kd", "7h", "king high"),
        ("2h Kh", "7h", "three to a flush"),
        ("6s 8d", "7h", "three in a row"),
        ("As 2d", "3h", "three in a row"),
        ("As Kd", "Qh", "three in a row"),
        ("6s 9d", "7h", "three to a straight with a gap"),
        ("As 2d", "4h", "three to a straight with a gap"),
        ("As Kd", "Jh", "three to a straight with a gap"),
        ("6s Td", "7h", "ten high"),
        ("As 2d", "5h", "ace high"),
        ("As Kd", "2h", "ace high"),
        ("Ah 2h", "3h", "three to a flush"),
        ("Ks Kd", "7h 7c", "two pair, kings up"),
        ("Ks Qd", "7h 7c", "sevens on board"),
        ("7s 7d", "7h 7c", "quads"),
        ("7s Kd", "7h 7c", "three sevens"),
        ("2h Kh", "7h 9h", "flush draw"),
        ("2h Kh", "7h 9c", "three to a flush"),
        ("5h 6c", "7h 8d", "open-ended straight draw"),
        ("5h 6h", "7h 8d", "open-ended straight draw"),
        ("5h 7h", "8h 9d", "three to a flush"),
        ("5h 7s", "8h 9d", "gutshot"),
        ("Ah Kc", "Qh Jd", "gutshot"),
        ("Ah 2c", "4h 5d", "gutshot"),
        ("5s 7h", "8h 9d Jc", "open-ended straight draw"),
        ("5s 6h", "7h Qd Kc", "king high"),
        ("6s 6h", "7h 8d 9c", "sixes in the hole"),
        ("Kh Kc", "7h 8h 2h", "kings in the hole with a flush draw"),
        ("6h 9c", "7h 8d Ts", "straight"),
        ("6h 9h", "7h 8h Ts", "straight"),
        ("2h 9h", "7h 8h Th", "flush"),
        ("Ks Kd", "7h 7c 7d", "sevens full"),
        ("Ks 2d", "7h 7c 2s 9d", "two pair, sevens up"),
    ],
)
def test_kinds(down: str, up: str, kind: str) -> None:
    assert kind_of(cards(down), cards(up)).words == kind


FAMILIES = {
    *CATEGORIES,
    "pair in the hole",
    "split pair",
    "pair on board",
    "pair with a flush draw",
    "three to a flush",
    "flush draw",
    "three to a straight",
    "open-ended straight draw",
    "gutshot",
}


@pytest.mark.parametrize(
    ("down", "up", "family"),
    [
        ("Ks Kd", "7h", "pair in the hole"),
        ("7s Kd", "7h", "split pair"),
        ("7s 7d", "7h", "trips"),
        ("7s Kd", "7h 7c", "trips"),
        ("7s 7d", "7h 7c", "quads"),
        ("2s Kd", "7h", "high card"),
        ("2h Kh", "7h", "three to a flush"),
        ("6s 8d", "7h", "three to a straight"),
        ("Ks Qd", "7h 7c", "pair on board"),
        ("Kh Kc", "7h 8h 2h", "pair with a flush draw"),
        ("6h 9h", "7h 8h Th", "straight flush"),
        ("Ks Kd", "7h 7c 7d", "full house"),
        ("Ks Kd", "7h 7c", "two pair"),
    ],
)
def test_families(down: str, up: str, family: str) -> None:
    assert kind_of(cards(down), cards(up)).family == family


def test_kinds_of_made_hands_leave_kickers_out() -> None:
    names = Counter(made_kind(rank).words for rank in class_ranks())
    assert names["pair of sixes"] > 100
    assert names["full house"] == 0
    assert names["straight flush"] == 10
    assert "sixes full" in names


def plain_kind(down: list[Card], up: list[Card]) -> Kind:
    """The kind of three to six cards, by sets of ranks and the best of all hands of five."""
    cards = [*down, *up]
    ranks, suits = [card >> 2 for card in cards], [card & 3 for card in cards]
    suited = max(map(suits.count, suits))
    if len(cards) > 4:
        best = best_hand(cards)
        if CATEGORIES[best[0]] not in {"high card", "pair"}:
            return made_kind(best)
    (most, rank), *others = sorted(((ranks.count(r), r) for r in set(ranks)), reverse=True)
    if most == 4:
        return Kind("quads", "quads")
    if most == 3:
        first = "rolled-up" if len(cards) == 3 else "three"
        return Kind(f"{first} {plural(rank)}", "trips", plural(rank))
    if most == 2 and others[0][0] == 2:
        return Kind(f"two pair, {plural(rank)} up", "two pair", f"{plural(rank)} up")
    if most == 2:
        n_down = [card >> 2 for card in down].count(rank)
        family = ("pair on board", "split pair", "pair in the hole")[n_down]
        words = (f"{plural(rank)} on board", f"split {plural(rank)}", f"{plural(rank)} in the hole")
        if suited == 4:
            named = f"{words[n_down]} with a flush draw"
            return Kind(named, "pair with a flush draw", words[n_down])
        return Kind(words[n_down], family, plural(rank))
    return plain_draw(set(ranks), suited)


def plain_draw(ranks: set[int], suited: int) -> Kind:
    """The kind of three to six cards without a pair or better."""
    n = len(ranks)
    missing = [five - ranks for five in STRAIGHTS.values()]
    completing = {next(iter(one)) for one in missing if len(one) == 1}
    rows = [{(low + i) % 13 for i in range(4)} for low in range(-1, 10)]
    found = ""
    if suited == 4:
        found = "flush draw"
    elif n > 3 and len(completing) > 1:
        found = "open-ended straight draw"
    elif suited == 3 and n < 5:
        found = "three to a flush"
    elif n > 3 and completing:
        found = "gutshot"
    elif n == 3 and any(ranks < row for row in rows):
        in_a_row = any(ranks == {(low + i) % 13 for i in range(3)} for low in range(-1, 11))
        detail = "three in a row" if in_a_row else "with a gap"
        words = detail if in_a_row else "three to a straight with a gap"
        return Kind(words, "three to a straight", detail)
    top = f"{rank_word(max(ranks))} high"
    return Kind(found, found) if found else Kind(top, "high card", top)


@given(st.permutations(range(DECK_SIZE)), st.integers(1, 4))
@examples(30)
def test_each_pair_has_its_plain_kind(deck: list[Card], n_up: int) -> None:
    up = deck[:n_up]
    table = kind_table(N_PAIRS, up)
    live = np.flatnonzero(~np.isin(PAIR_CARDS, up).any(axis=1))
    for i in np.random.default_rng(deck[-1]).choice(live, 100, replace=False).tolist():
        down = PAIR_CARDS[i].tolist()
        assert table.kinds[table.number[i]] == plain_kind(down, up) == kind_of(down, up)


def test_each_third_street_has_its_plain_kind() -> None:
    up = cards("7h")
    table = kind_table(N_PAIRS, up)
    found = [
        (table.kinds[number], plain_kind(down, up))
        for down, number in zip(PAIR_CARDS.tolist(), table.number.tolist(), strict=True)
        if up[0] not in down
    ]
    assert [kind for kind, _ in found] == [plain for _, plain in found]
    assert {table.families[i] for i in table.family} >= {kind.family for kind, _ in found}


@given(st.permutations(range(DECK_SIZE)), st.integers(1, 4), st.integers(0, 99))
@examples(12)
def test_kinds_of_a_pdd_are_sums_over_its_pairs(deck: list[Card], n_up: int, seed: int) -> None:
    up, unseen = deck[:n_up], Unseen(deck[: 2 * n_up])
    pdd = np.random.default_rng(seed).random(N_PAIRS) * unseen.live_pairs
    pdd /= pdd.sum()
    total = plain_kinds(pdd, up)
    htpd = Hands(unseen, up).htpd(pdd)
    by_kind = kinds(pdd, htpd, up)
    assert by_kind == pytest.approx(total)
    found = likely_kinds(by_kind, top=1000)
    assert dict(found) == pytest.approx({kind.words: p for kind, p in total.items()})
    assert [p for _, p in found] == pytest.approx(sorted(total.values(), reverse=True))


def plain_kinds(pdd: np.ndarray, up: list[Card]) -> dict[Kind, float]:
    """The probability of every kind, pair by pair."""
    total = Counter[Kind]()
    for pair, p in zip(PAIR_CARDS.tolist(), pdd.tolist(), strict=True):
        if p > 0:
            total[kind_of(pair, up)] += p
    return dict(total)


@pytest.mark.parametrize(
    "up", ["5h 6h 7h 8h", "6h 7h 8h Kh", "9c Tc Jc", "9c Tc Jc 9d", "Ac 2c 4c"]
)
def test_a_straight_flush_is_told_from_a_flush(up: str) -> None:
    """9h Kc beside 5h 6h 7h 8h is a straight flush, 9c Kh a flush."""
    shown = cards(up)
    unseen = Unseen(shown)
    pdd = np.random.default_rng(0).random(N_PAIRS) * unseen.live_pairs
    found = kinds(pdd, np.zeros(0), shown)
    assert found == pytest.approx(plain_kinds(pdd, shown))
    assert {"flush", "straight flush"} <= {kind.family for kind in found}


@given(st.permutations(range(DECK_SIZE)), st.integers(1, 5), st.integers(0, 99))
@examples(12)
def test_families_are_sums_over_kinds(deck: list[Card], n_up: int, seed: int) -> None:
    up, unseen = deck[:n_up], Unseen(deck[: 2 * n_up])
    pdd = np.random.default_rng(seed).random(N_PAIRS) * unseen.live_pairs
    pdd /= pdd.sum()
    htpd = Hands(unseen, up).htpd(pdd)
    found = families(kinds(pdd, htpd, up))
    assert sum(found.values()) == pytest.approx(1.0)
    assert found.keys() <= FAMILIES
    assert list(found.values()) == sorted(found.values(), reverse=True)
    total = Counter[str]()
    for kind, p in kinds(pdd, htpd, up).items():
        total[kind.family] += p
    assert found == pytest.approx(dict(total))


def test_words_tell_the_family() -> None:
    """So that kinds may be listed by their words alone."""
    family: dict[str, str] = {}
    boards = ["7h", "7h 8h", "7h 7c", "7h 8h 9h", "7h 7c 9h 9c", "5h 6h 7h 8h", "7h Kd Ac"]
    for up in map(cards, boards):
        for kind in kinds(Unseen(up).live_pairs.astype(float), np.zeros(0), up):
            assert family.setdefault(kind.words, kind.family) == kind.family


def test_kinds_at_the_end_are_those_of_the_htpd() -> None:
    htpd = np.zeros(len(class_ranks()))
    htpd[class_of((2, 9, 5, 10))] = 0.5
    htpd[class_of((2, 9, 5, 11))] = 0.25
    htpd[class_of((4, 9))] = 0.25
    found = kinds(np.zeros(22100), htpd, [])
    assert families(found) == {"two pair": 0.75, "straight": 0.25}
    assert likely_kinds(found, top=4) == [
        ("two pair, jacks up", 0.75),
        ("straight", 0.25),
    ]
