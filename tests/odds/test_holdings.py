"""Holdings in words, and a pdd summed by kind against a sum over its holdings."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from handread.cards import DECK_SIZE, N_PAIRS, Card, holding_index
from handread.game.ranks import STRAIGHTS, best_hand, best_low
from handread.game.rules import DEUCE_RAZZ, FIVE_STUD, RAZZ, STUD, STUD8, Variant
from handread.odds.hand_types import (
    CATEGORIES,
    class_of,
    class_ranks,
    final_name,
    low_name,
    plural,
    rank_word,
)
from handread.odds.high_holdings import Kind, made_kind
from handread.odds.holdings import families, kind_of, kind_table, kinds, likely_kinds
from handread.odds.htpd import PAIR_CARDS, Hands, Unseen, holding_cards
from tests.examples import examples, few
from tests.hands import cards

KINDS = {
    "stud": """
Ks Kd / 7h: kings in the hole; pair in the hole
7s Kd / 7h: split sevens; split pair
7s 7d / 7h: rolled-up sevens; trips
2s Kd / 7h: king high; high card
2h Kh / 7h: three to a flush
6s 8d / 7h: three in a row; three to a straight
As 2d / 3h: three in a row; three to a straight
As Kd / Qh: three in a row; three to a straight
6s 9d / 7h: three to a one-gap straight; three to a straight
As 2d / 4h: three to a one-gap straight; three to a straight
As Kd / Jh: three to a one-gap straight; three to a straight
6s Td / 7h: ten high; high card
As 2d / 5h: ace high; high card
As Kd / 2h: ace high; high card
Ah 2h / 3h: three to a flush
Ks Kd / 7h 7c: two pair, kings up; two pair
Ks Qd / 7h 7c: sevens on board; pair on board
7s 7d / 7h 7c: quads
7s Kd / 7h 7c: three sevens; trips
2h Kh / 7h 9h: flush draw
2h Kh / 7h 9c: three to a flush
5h 6c / 7h 8d: open-ended straight draw
5h 6h / 7h 8d: open-ended straight draw
5h 7h / 8h 9d: three to a flush
5h 7s / 8h 9d: gutshot
Ah Kc / Qh Jd: gutshot
Ah 2c / 4h 5d: gutshot
5s 7h / 8h 9d Jc: open-ended straight draw
5s 6h / 7h Qd Kc: king high; high card
6s 6h / 7h 8d 9c: sixes in the hole; pair in the hole
Kh Kc / 7h 8h 2h: kings in the hole with a flush draw; pair with a flush draw
6h 9c / 7h 8d Ts: straight
6h 9h / 7h 8h Ts: straight
2h 9h / 7h 8h Th: flush
Ks Kd / 7h 7c 7d: sevens full; full house
Ks 2d / 7h 7c 2s 9d: two pair, sevens up; two pair
6h 9h / 7h 8h Th: straight flush
""",
    "razz": """
As 2d / 5h: three to a wheel
As 2d / 7h: three to a seven; three low cards
As 2d / 8h: three to an eight; three low cards
As Kd / 8h: two low cards with a king; two low and a brick
Qs Kd / 8h: one low card
Qs Kd / 9h: no low card
4s 4d / 8h: pair of fours; paired
4s 4d / 4h: three fours; paired
As 2d / 7h 5h: seven-low draw
As 7d / 8h 2c: eight-low draw, rough; eight-low draw
As 2d / 3h 5h: wheel draw
As 2d / 7h Kh: three to a seven; three low cards
As 2d / 7h 7c: three to a seven; three low cards
As 2d / 2h Ac: two low cards
As 2d / 6h 4c 8d: 8-6 low; eight low
As 2d / 3h 4c 5d: wheel
As 2d / 7h 4c 8d: 8-7 low, rough; eight low
As 2d / 7h 9c 8d: 9-8 low, rough; nine low
As 2d / 7h 4c Td: T-7 low; ten low
As 2d / 7h 4c Jd: seven-low draw
As 2d / 7h 4c Jd 6s: 7-6 low, rough; seven low
As 2d / Qh Jc Td Kc: two low cards
As 2d Ks / 7h 4c Jd Js: J-7 low; jack low
As 2d 2s / 7h 4c 4d 7s: pair of deuces; paired
As 2d 2s / Ac 4c 4d Ad: two pair; paired
As 2d 2s / Ac 2c 2h Ad: full house; paired
""",
    "stud8": """
As 2d / 7h: three low cards
Qs 2d / Qh: split queens; split pair
As Ad / 7h: aces in the hole; pair in the hole
As 2s / 7s: three to a flush with three low cards
As Qd / Qh 7c: split queens; split pair
As 2d / 2h 7c: split deuces with three low cards; split pair with three low cards
As 5d / 2h 7c: 7-5 low draw; low draw
As 5d / 2h 8c: 8-5 low draw; low draw
As 5d / 2h 3c: gutshot with a wheel draw; gutshot with a low draw
As 5d / 2h 7c 7d: sevens on board with a 7-5 low draw; pair on board with a low draw
As 5d / 2h 7c 3d: gutshot with a 7-5 low; gutshot with a low
As 5d / 2h 8c Kd 6h: 8-6 low; low
As 5s / 2s 8c 5d 6s: split fives with a flush draw and an 8-6 low; pair with a flush draw and a low
As Jd Js / 2h 2c 5d 7c: two pair, jacks up; two pair
As 2d 3s / 4h 5c Kd Kc: straight with a wheel; straight with a low
As Ad 3s / 3h 8c 6d 5c: two pair, aces up, with an 8-6 low; two pair with a low
As 2d Qs / 4h 7c Kd 6c: ace high with a 7-6 low; high card with a low
As 2d Qs / 4h 7c Kd Jc: ace high; high card
""",
    "studhl": """
As 5d / 2h 7c 7d: sevens on board with a 7-5 low draw; pair on board with a low draw
As 5d / 2h 9c Kd 6h: 6-5 low draw; low draw
As 5d / 2h 9c Kd Jh: ace high; high card
As Jd Js / 2h 2c 5d 7c: two pair, jacks up, with a J-7 low; two pair with a weak low
As 2d Qs / 4h 7c Kd 6c: ace high with a 7-6 low; high card with a low
As 2d Qs / 4h 7c Kd Jc: ace high with a J-7 low; high card with a weak low
As Ad Qs / Qh Qc Kd Jc: queens full; full house
""",
    "27razz": """
As 2d / 7h: two low cards with an ace; two low and a brick
2s 4d / 7h: three to a seven
2s 4d / 8h: three to an eight; three low cards
2s 4d / 5h 3c: seven-low draw
2s 4d / 8h 3c: eight-low draw
2s 4d / 8h 3c 5d: 8-5 low; eight low
2s 4d / 6h 3c 5d: seven-low draw
2s 4d / 6h 3c 5d 7c: 7-5 low; seven low
2s 4s / 7s 3s 5s: seven-low draw
2s 4s / 7s 3s 5s 8d: 8-5 low; eight low
2s 4s / 7s 3s 5s 4d: 7-5 low; seven low
As 2d Ks / 5h 4c Jd Js: K-J low; king low
As 2d 3s / 5h 4c 4d As: A-5 low; ace low
2s 3d 4s / 5h 6c 4d 6s: pair of fours; paired
2s 4s 7s / 3s 5s Ks 9s: flush; paired
""",
    "5stud": """
As / 7h: ace high; high card
7s / 7h: split sevens; split pair
7s / 7h 7c: three sevens; trips
Ks / 7h 7c: sevens on board; pair on board
7s / 8s Ts: three to a flush
7s / 8s Ts 2s: flush draw
7s / 8s Ts 2d: ten high; high card
7s / 8d 9s Tc: open-ended straight draw
7s / 8d 9s Tc Jc: straight
7s / 8d 9s Tc Qc: queen high; high card
7s / 7d 9s Tc Qc: pair of sevens; pair
""",
}
"""By game downcards, upcards and kind, and the family if it has another name."""


@pytest.mark.parametrize(
    ("game", "row"), [(game, row) for game in KINDS for row in KINDS[game].strip().split("\n")]
)
def test_kinds(game: str, row: str) -> None:
    dealt, _, names = row.partition(": ")
    kind = kind_of(*map(cards, dealt.split(" / ")), game)
    words, _, family = names.partition("; ")
    assert (kind.words, kind.family) == (words, family or words)


@pytest.mark.parametrize(
    ("hand", "name"),
    [
        ("As 2d 3c 4h 5s 5d Kc", "wheel"),
        ("As 2d 4c 6h 8s 8d Kc", "8-6-4-2-A low"),
        ("As Td 9c 7h 8s 8d Kc", "T-9-8-7-A low"),
        ("4s 4d 6c 6h 5s 5d 2c", "pair of fours, 6-5-2"),
        ("As Ad Ac 3h 3s 3d 2c", "two pair, threes and aces, deuce kicker"),
        ("Ks Kd Kc Qh Qs Qd Qc", "full house, queens full of kings"),
    ],
)
def test_names_of_lows(hand: str, name: str) -> None:
    assert low_name(best_low(cards(hand))) == name


TWO_PAIR = "two pair, aces and threes"


@pytest.mark.parametrize(
    ("game", "hand", "name"),
    [
        (STUD, "As Ad 3s 3h 8c 6d 5c", f"{TWO_PAIR}, eight kicker"),
        (RAZZ, "As Ad 3s 3h 8c 6d 5c", "8-6-5-3-A low"),
        (STUD8, "As Ad 3s 3h 8c 6d 5c", f"{TWO_PAIR}, eight kicker; 8-6-5-3-A low"),
        (STUD8, "As Ad 3s 3h 8c Jd 5c", f"{TWO_PAIR}, jack kicker; no low"),
        (STUD8, "As 2s 3s 4s 5c Kd Kc", "straight to the five; wheel"),
        (DEUCE_RAZZ, "2s 3d 4s 5h 7c 7d Ac", "seven high, five four three deuce"),
        (DEUCE_RAZZ, "As Kd 4s 5h 2c 3d 3c", "king high, five four three deuce"),
        (FIVE_STUD, "7s 7d 9s Tc Qc", "pair of sevens, queen kicker"),
    ],
)
def test_names_of_whole_hands(game: Variant, hand: str, name: str) -> None:
    assert final_name(cards(hand), game) == name


def test_kinds_of_made_hands_leave_kickers_out() -> None:
    names = Counter(made_kind(rank).words for rank in class_ranks())
    assert names["pair of sixes"] > 100
    assert names["full house"] == 0
    assert names["straight flush"] == 10
    assert "sixes full" in names


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
        detail = "three in a row" if in_a_row else "one gap"
        words = detail if in_a_row else "three to a one-gap straight"
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
        assert table.kinds[table.number[i]] == plain_kind(down, up)
    assert kind_of(down, up) == plain_kind(down, up)


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


DEALS = [
    (game, *dealt)
    for game in (STUD, RAZZ, STUD8, FIVE_STUD)
    for dealt in sorted({*game.dealt.values(), *([] if game is FIVE_STUD else [(2, 5)])})
    if (game, dealt) != (STUD, (3, 4))
]
"""A game, and the numbers of downcards and upcards of a seat; five where the last is shared."""


@pytest.mark.parametrize(("game", "n_down", "n_up"), DEALS)
@pytest.mark.parametrize("seed", few(range(6)))
def test_a_pdd_by_kind_is_a_sum_over_its_holdings(
    game: Variant, n_down: int, n_up: int, seed: int
) -> None:
    """And its families are sums over the kinds, the likeliest first."""
    rng = np.random.default_rng(seed)
    up = [Card(card) for card in rng.permutation(DECK_SIZE)[:n_up].tolist()]
    held = holding_cards({1: 52, 2: 1326, 3: 22100}[n_down])
    some = np.flatnonzero(~np.isin(held, np.array(up)).any(axis=1))
    most = 60 if seed % 2 or n_down == 3 else 250 if seed == 0 else 150
    some = rng.choice(some, min(most, some.size), replace=False)
    pdd = np.zeros(len(held))
    pdd[some] = rng.dirichlet(np.ones(some.size))
    expected: Counter[Kind] = Counter()
    for holding in some.tolist():
        expected[kind_of([*map(Card, held[holding])], up, game.key)] += pdd[holding]
    htpd = Hands(Unseen(up), up).htpd(pdd) if game is STUD else np.zeros(0)
    found = kinds(pdd, htpd, up, game.key)
    assert found == pytest.approx(expected)
    assert all(not kind.detail or kind.words != kind.family for kind in found)
    likely = likely_kinds(found, top=1000)
    assert dict(likely) == pytest.approx({kind.words: p for kind, p in expected.items()})
    assert [p for _, p in likely] == pytest.approx(sorted(expected.values(), reverse=True))
    by_family: Counter[str] = Counter()
    for kind, p in found.items():
        by_family[kind.family] += p
    assert families(found) == pytest.approx(by_family)
    assert [*families(found).values()] == sorted(families(found).values(), reverse=True)
    assert sum(by_family.values()) == pytest.approx(1.0)
    assert game is not STUD or by_family.keys() <= FAMILIES


@pytest.mark.thorough
@pytest.mark.parametrize(
    "up", ["5h 6h 7h 8h", "6h 7h 8h Kh", "9c Tc Jc", "9c Tc Jc 9d", "Ac 2c 4c"]
)
def test_a_straight_flush_is_told_from_a_flush(up: str) -> None:
    """9h Kc beside 5h 6h 7h 8h is a straight flush, 9c Kh a flush."""
    shown = cards(up)
    suited = (PAIR_CARDS % 4 == shown[0] % 4).any(axis=1)
    pdd = np.random.default_rng(0).random(N_PAIRS) * Unseen(shown).live_pairs * suited
    expected = Counter[Kind]()
    for i in np.flatnonzero(pdd).tolist():
        expected[kind_of(PAIR_CARDS[i].tolist(), shown)] += pdd[i]
    found = kinds(pdd, np.zeros(0), shown)
    assert found == pytest.approx(expected)
    assert {"flush", "straight flush"} <= {kind.family for kind in found}


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


def test_the_tables_of_a_board_are_kept() -> None:
    up = cards("7h 2c")
    assert kind_table(1326, up, RAZZ.key) is kind_table(1326, up, RAZZ.key)
    assert len(kind_table(1326, up, STUD8.key).number) == 1326


def test_suits_do_not_matter_in_razz() -> None:
    up = cards("7h 2c 3d")
    table = kind_table(1326, up, RAZZ.key)
    for a, b in combinations(range(0, 52, 4), 2):
        pairs = [(Card(a + s), Card(b + t)) for s, t in product(range(4), repeat=2)]
        live = [holding_index(pair) for pair in pairs if not {*pair} & {*up}]
        assert len(set(table.number[live].tolist())) == 1
