"""Games of stud beside stud high: every format reads what it writes, and the words of each."""

from __future__ import annotations

import pytest

from handread.formats.registry import writer_named
from handread.formats.saund_read import read_game
from handread.game.claims import low_text
from handread.game.ranks import best_low
from handread.game.replay import replay
from handread.game.rules import RAZZ, SAUND_STAKES, STUD, VARIANTS, Unit
from handread.history import History
from tests.hands import ROOM_STAKES, cards, one, random_hand
from tests.logs import log
from tests.printing import WRITERS, assert_same, out, printed, read

GAMES = ("stud8", "studhl", "razz", "27razz", "5stud")


HAVING = {
    "stud8": set(WRITERS),
    "studhl": {"saund"},
    "razz": set(WRITERS) - {"bovada"},
    "27razz": {"kingsclub", "saund"},
    "5stud": {"fulltilt", "winamax", "saund"},
}
"""The formats that can be written, by game."""


@pytest.mark.parametrize("key", GAMES)
@pytest.mark.parametrize("name", WRITERS)
def test_a_format_reads_what_it_writes_of_each_game(name: str, key: str) -> None:
    for seed in range(4):
        deepest = None if name == "bovada" else 12  # it tells the stakes by a first whole bet
        hand = out(random_hand(seed, 2 + seed, ROOM_STAKES, deepest, game=VARIANTS[key]))
        if name not in HAVING[key]:
            with pytest.raises(ValueError, match=f"{VARIANTS[key].title}|no line for this street"):
                writer_named(name).write(hand)
            continue
        again = read(printed(hand, name), name)
        assert again.variant == key
        assert_same(replay(hand), replay(again))


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("1 Ann | 7c 2s | Kh", "'2s' does not fit here"),
        ("1 Ann | 7c | Kh | 8h | Js | 2c | 3c", "'|' does not fit here"),
        ("game: razz ante 1", "the line ends too early"),
        ("game: 5stud ante 1 bring-in 0 bets 1 1 2 2 2", "'2' does not fit here"),
    ],
)
def test_lines_that_are_not_those_of_the_game(line: str, said: str) -> None:
    rest = "2 Ben | Ad 2d | 8d" if line.startswith("game: razz") else "2 Ben | Ad | 8d"
    game = "" if line.startswith("game") else "game: 5stud\n"
    hand = one(f"{game}{line}\n{rest}\n", "a.stud")
    assert any(problem.message == said for problem in hand.problems)


def test_a_game_in_words_of_the_notation() -> None:
    unit, stakes, game = read_game("razz ante 1 bring-in 2 bets 5 5 10 10 10")
    assert (unit, stakes.bring_in, game) == (Unit(0), 2, RAZZ)
    assert read_game("razz")[1:] == (SAUND_STAKES, RAZZ)
    assert read_game("5stud")[1].bets == (100, 100, 200, 200)
    assert read_game("ante .25 bring-in .25 bets 1 1 2 2 2")[2] is STUD


FIVE_LOG = log("ipoker-five-card-stud.xml")


def test_five_card_stud_in_xml() -> None:
    """The log says what the winner gets with the bet that came back, or without."""
    played = replay(one(FIVE_LOG.replace('win="$0.44"', 'win="$0.54"')))
    assert (played.problem, played.finished, played.won) == (None, True, {1: 44})
    assert {s.number: s.bring_in for s in played.streets} == {2: 4, 3: None, 4: None, 5: None}


def test_a_mixed_session_gives_all_its_stud_games() -> None:
    texts = [
        writer_named("pokerstars").write(out(random_hand(n, 3, ROOM_STAKES, game=VARIANTS[key])))
        for n, key in enumerate(["stud", "razz", "stud8"])
    ]
    first = "PokerStars Hand #7:  Hold'em No Limit ($0.01/$0.02 USD) - 2017/02/11 14:36:20 ET"
    log = "\n\n".join([*texts, f"{first}\n\n\n", *texts])
    hands = list(writer_named("pokerstars").read(log, "mixed.txt"))
    games = [hand.variant for hand in hands if isinstance(hand, History)]
    assert games == ["stud", "razz", "stud8", "other", "stud", "razz", "stud8"]
    assert all(replay(h).finished for h in hands if isinstance(h, History) and not h.other_game)


HI_LO = log("saund-hi-lo.stud")


@pytest.mark.parametrize(
    ("name", "change", "found"),
    [
        ("pokerstars", ("9h Jh]", "9h Jh] (HI: high card Ace; LO: 6,4,3,2,A)"), []),
        (
            "pokerstars",
            ("9h Jh]", "9h Jh] (HI: high card Ace; LO: 6,5,3,2,A)"),
            ["the low '6,5,3,2,A' is not what the cards tell: 6,4,3,2,A of seat 1 (Ann)"],
        ),
        (
            "pokerstars",
            ("9s Jd]", "9s Jd] (HI: two pair; LO: 8,6,5,4,3)"),
            ["the low '8,6,5,4,3' is not what the cards tell: no low of seat 3 (Cy)"],
        ),
        (
            "fulltilt",
            ("*** SHOW DOWN ***", "No low hand qualified\n*** SHOW DOWN ***"),
            ["the log says that nobody has a low: 6,4,3,2,A of seat 1 (Ann)"],
        ),
        ("fulltilt", ("9h Jh]", "9h Jh] Ace high, for high and 6,4,3,2,A, for low"), []),
    ],
)
def test_announced_lows_are_those_of_the_cards(
    name: str, change: tuple[str, str], found: list[str]
) -> None:
    text = writer_named(name).write(replay(one(HI_LO, "a.stud")))
    assert change[0] in text
    played = replay(one(text.replace(*change, 1)))
    assert played.problem is None
    findings = [f"{f.message}: {f.expected}" for f in played.findings if f.only_strict]
    assert findings == found


def test_lows_in_words() -> None:
    low = VARIANTS["27razz"].low
    hand = cards("7c 5d 4h 3s 2c Ac Ad")
    assert low_text(VARIANTS["27razz"], low(hand)) == "7,5,4,3,2"
    assert low_text(RAZZ, best_low(hand)) == "5,4,3,2,A"
    pairs = cards("7c 7d 4h 4s 2c")
    assert low_text(RAZZ, best_low(pairs)) == "a hand with a pair or worse"


NO_LIMIT_MERGE = log("merge-no-limit.xml")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (NO_LIMIT_MERGE, "no-limit seven-card stud"),
        (NO_LIMIT_MERGE.replace("No Limit", "Pot Limit"), "pot-limit seven-card stud"),
        (
            "Bovada Hand #2600000001: 7CARD Tournament #1300001 TBL#1, No Limit- Level 1 (0/0)"
            " - 2012-06-10 18:02:45\nSeat+1: 500 in chips\n",
            "no-limit seven-card stud",
        ),
        (
            "Full Tilt Poker Game #28000000001: Table Larch - $0.10/$0.20 Ante $0.02 -"
            " Pot Limit Stud Hi - 19:40:12 ET - 2010/03/16\nSeat 1: Lena ($10)\n",
            "pot-limit Stud Hi",
        ),
        ("Hand #78 - Holdem(No Limit) - $1.00/$2.00 - 2019/07/18 15:13:01 UTC\n", "Hold'em"),
    ],
)
def test_stud_without_fixed_limits_is_counted_by_its_name(text: str, name: str) -> None:
    hand = one(text)
    assert hand.other_game
    assert hand.game_name == name
    problem = replay(hand).problem
    assert problem.message.endswith("handread reads fixed-limit stud only")
