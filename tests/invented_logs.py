"""An invented log of every format, with what is to be read of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from handread.cards import cards_text
from handread.game.replay import replay
from handread.game.rules import Stakes
from handread.game.wagers import plain_events
from handread.history import (
    Action,
    Ante,
    Collect,
    Deal,
    Event,
    History,
    Muck,
    Rake,
    SharedCard,
    Show,
    StreetStart,
    TotalPot,
    Uncalled,
    Wager,
)
from tests.logs import log
from tests.program import SAMPLES

STARS = log("stars.txt")
TILT = log("tilt.txt")
BODOG = log("bodog.txt")
WINAMAX = log("winamax.txt")
EXPORT = log("export.txt")
WINNING = log("winning.txt")
WINNING_OLD = log("winning-old.txt")
EVERLEAF = log("everleaf.txt")
EVERLEAF_JULY = log("everleaf-july.txt")
ONGAME = log("ongame.txt")
PARTY = log("party.txt")
KINGS = log("kings.txt")
ABSOLUTE = log("absolute.txt")
IPOKER = log("ipoker.xml")
MERGE = log("merge.xml")


def step(event: Event) -> str:
    """An event in a word: the seat, what it does, the amount; ``!`` is all-in."""
    said = _step(event)
    return said + "!" * getattr(event, "all_in", False) + "+" * getattr(event, "double", False)


def _step(event: Event) -> str:
    match event:
        case StreetStart(street):
            return f"{street}:"
        case Deal(seat, down, up):
            return f"{seat}={cards_text(down, '')}/{cards_text(up, '')}"
        case SharedCard(card):
            return f"*{cards_text([card])}"
        case Show(seat, shown):
            return f"{seat}shows{cards_text(shown, '')}"
        case Muck(seat, shown):
            return f"{seat}mucks{cards_text(shown, '')}"
        case Collect(seat, amount):
            return f"{seat}won{amount}"
        case TotalPot(amount):
            return f"pot{amount}"
        case Rake(amount):
            return f"rake{amount}"
        case Wager(seat, action):
            return f"{seat}{WORDS[action]}{event.to or event.adds or ''}"
    words: dict[type[Event], str] = {Ante: "a", Uncalled: "back"}
    if type(event) not in words:
        return ""
    chips = getattr(event, "amount", "")
    return f"{getattr(event, 'seat', '')}{words[type(event)]}{chips}"


WORDS = {
    Action.BRING_IN: "i",
    Action.CHECK: "k",
    Action.FOLD: "f",
    Action.BET: "b",
    Action.CALL: "c",
    Action.RAISE: "r",
}


def steps(hand: History) -> Iterator[str]:
    return filter(None, map(step, plain_events(hand.events)))


def unlisted(hand: History) -> list[str]:
    """What is won by net results alone."""
    told = {event.seat: event.amount for event in hand.events if isinstance(event, Collect)}
    won = replay(hand).won if hand.nets else {}
    rest = {seat: amount - told.get(seat, 0) for seat, amount in won.items()}
    return [f"{seat}won{amount}" for seat, amount in rest.items() if amount]


@dataclass(frozen=True)
class Case:
    """An invented hand and what is to be read of it, amounts in minor units."""

    text: str
    dialect: str
    hand_id: str
    steps: str
    stakes: Stakes
    hero: int | None
    downcards: Mapping[int, str]
    won: Mapping[int, int]
    rake: int
    stacks: Mapping[int, int]


CASES = [
    Case(
        WINAMAX,
        "winamax",
        "40000001-7-1650000000",
        """
        2a2 3a2 5a2
        3: 2=AcKd/8c 3=????/2d 5=????/Td 3i4 5f 2r10 3c6
        4: 3=/3h 2=/8d 2b10 3c10
        5: 2=/3s 3=/4s 2b20 3c20
        6: 3=/9s 2=/5s 2b20 3c10
        7: 2=Jh/ 3=??/ 2showsAcKd8c8d3s5sJh 3showsQdJc2d3h4s9s6c 2won111 pot111 rake5
        """,
        Stakes(2, 4, (10, 10, 20, 20, 20), 4, None, open_pair_doubles=True),
        hero=2,
        downcards={2: "Ac Kd Jh", 3: "Qd Jc 6c"},
        won={2: 101},
        rake=5,
        stacks={2: 459, 3: 0, 5: 298},
    ),
    Case(
        EXPORT,
        "winamax",
        "40000002-3-1480000000",
        """
        2a200 5a200
        3: 5i400 2r1000 5c600
        4: 2k 5k
        5: 2b2000 5f 2won4400 pot4400 rake0
        """,
        Stakes(200, 400, (1000, 1000, 2000, 2000, 2000), 4, None, open_pair_doubles=True),
        hero=None,
        downcards={},
        won={2: 2400},
        rake=0,
        stacks={2: 41200, 5: 28800},
    ),
    Case(
        WINNING,
        "winning",
        "81000001",
        """
        1a1 4a1 6a1 7a1
        3: 1=As2s/Qs 4=????/7d 6=????/3c 7=????/Kh 6i2 7f 1r4 4c4 6r8 1c4 4c4
        4: 1=/6h 4=/7h 6=/3h 4b4! 6c4 1r8 6c4
        5: 1=/Qd 4=/2c 6=/9d 1b8 6c8
        6: 1=/Jc 4=/9s 6=/9h 6b8 1r16 6c8
        7: 1=Qc/ 6k 1b8 6f 1back8 1showsAs2sQs6hQdJcQc 4shows7c2d7d7h2c9sKd 1won54
           4won38 pot92 rake4
        """,
        Stakes(1, 2, (4, 4, 8, 8, 8), 4, None, open_pair_doubles=True),
        hero=1,
        downcards={1: "As 2s Qc", 4: "7c 2d Kd"},
        won={1: 54, 4: 38},
        rake=4,
        stacks={1: 223, 4: 38, 6: 114, 7: 299},
    ),
    Case(
        WINNING_OLD,
        "winning-old",
        "610000001",
        """
        1a15 6a15
        3: 1=Td5s/Tc 6=????/8d 6i40 1r100 6r200 1c100
        4: 1=/9h 6=/Qd 6b100 1c100
        5: 1=/9d 6=/As 1k 6b200 1c200
        6: 1=/Th 6=/4h 1k 6k
        7: 1=2c/ 6=??/ 1b200 6f 1back200 1mucks pot1012 rake18 1won1012
        """,
        Stakes(15, 40, (100, 100, 200, 200, 200), 4, None, open_pair_doubles=True),
        hero=1,
        downcards={1: "Td 5s 2c"},
        won={1: 1012},
        rake=18,
        stacks={1: 4497, 6: 700},
    ),
    Case(
        EVERLEAF,
        "everleaf",
        "210000001",
        """
        3a1 4a1 8a1
        3: 3=5dQs/7s 4=????/3h 8=????/Kc 4i2 8r5 3r10 4f 8c5
        4: 3=/Th 8=/Kd 8b10 3c10
        5: 3=/Qd 8=/4d 8b10 3c10
        6: 3=/Qh 8=/9s 8k 3k
        7: 3=2c/ 8k 3b10 8c9 8shows8hKcKd4d9s8s3c 3shows5dQs7sThQdQh2c 3won79
        """,
        Stakes(1, 2, (5, 5, 10, 10, 10), 4, None, open_pair_doubles=True),
        hero=3,
        downcards={3: "5d Qs 2c"},  # of seat 8 it is not told which card came last
        won={3: 79},
        rake=4,
        stacks={3: 289, 4: 232, 8: 0},
    ),
    Case(
        EVERLEAF_JULY,
        "everleaf",
        "200000001",
        """
        1a1 2a1
        3: 1i2 2c2
        4: 2k 1b5 2f 1mucks 1won6
        """,
        Stakes(1, 2, (5, 5, 10, 10, 10), 4, None, open_pair_doubles=True),
        hero=None,
        downcards={},
        won={1: 6},
        rake=0,
        stacks={1: 57, 2: 112},
    ),
    Case(
        ONGAME,
        "ongame",
        "R5-81000001-12",
        """
        1a2 4a2 10a2
        3: 1=????/Kh 4=Ks3c/Qd 10=????/4h 10i5 1b10 4c10 10c5
        4: 1=/Jd 4=/3d 10=/4d 10k 1b10 4c10 10r20 1c10 4c10
        5: 1=/Td 4=/Tc 10=/8h 10b20 1r40 4c40
        6: 1=/9c 4=/9h 10=/2s 1k 4k
        7: 4=Jh/ 1k 4b20 1c20 1won74 4won74 1won38 4won38 rake12 1showsQs2dKhJdTd9c5c
           10shows4s7d4h4d8h2s3s pot236
        """,
        Stakes(2, 5, (10, 10, 20, 20, 20), 4, None, open_pair_doubles=True),
        hero=4,
        downcards={1: "Qs 2d 5c", 4: "Ks 3c Jh", 10: "4s 7d 3s"},
        won={1: 112, 4: 112},
        rake=12,
        stacks={1: 673, 4: 220, 10: 0},
    ),
    Case(
        PARTY,
        "partypoker",
        "9100000001",
        """
        3a5 2a5 8a5
        3: 3=3h8c/7c 3i25 8r50 2r100 3c75 8c50
        4: 3=/8d 8b100+ 2f 3c100
        5: 3=/7h 8k 3b100 8r200 3r275 8c75
        6: 3=/Qh
        7: 3=Qs/ 3shows3h8c7c8d7hQhQs 8mucks5h9d9c9h2hKcJs 8won1015
        """,
        Stakes(5, 25, (50, 50, 100, 100, 100), 4, None, open_pair_doubles=True),
        hero=3,
        downcards={3: "3h 8c Qs", 8: "5h 9d Js"},
        won={8: 1015},
        rake=50,
        stacks={2: 975, 3: 0, 7: 3115, 8: 2620},
    ),
    Case(
        KINGS,
        "kingsclub",
        "31000001",
        """
        1a1100 3a1100 4a1100
        3: 1=TdAd/4s 3=????/7c 4=????/2h 4i1100 1b4400 3r8800 4c7700 1c4400
        4: 1=/Th 3=/Kd 4=/2c 4b4400 1c4400 3r8800 4c4400 1c4400
        5: 1=/Tc 3=/3d 4=/9d 1b8800 3c2304! 4c8800
        6: 1=/5h 3=/7s 4=/9h 4k 1b8800 4f 3shows7h7d7cKd3d7s 1showsTdAd4sThTc5h
        7: 1=??/ 3=??/ rake500 3won62712 1won12792
        """,
        Stakes(1100, 1100, (4400, 4400, 8800, 8800, 8800), 4, None, open_pair_doubles=True),
        hero=1,
        downcards={1: "Td Ad", 3: "7h 7d"},
        won={3: 62712, 1: 12792},
        rake=500,
        stacks={1: 199922, 3: 62712, 4: 172500},
    ),
    Case(
        ABSOLUTE,
        "absolute",
        "1100000001",
        """
        1a1 5a1
        3: 1=Tc5c/7s 5=????/Js 1i1 5b2 1r4 5c2
        4: 1=/Td 5=/Jd 5b4 1c4
        5: 1=/Th 5=/2d 5k 1b4 5r8 1c4!
        6: 1=/9s 5=/Kc
        7: 1=9d/ 5=??/ 5shows5s8dJsJd2dKcKs 1showsTc5c7sTdTh9s9d 1won31 pot34 rake3
        """,
        Stakes(1, 1, (2, 2, 4, 4, 4), 4, None, open_pair_doubles=True),
        hero=1,
        downcards={1: "Tc 5c 9d", 5: "5s 8d Ks"},
        won={1: 31},
        rake=3,
        stacks={1: 31, 5: 100, 6: 100},
    ),
    Case(
        STARS,
        "pokerstars",
        "190000000004",
        """
        1a2 3a2 4a2
        3: 1=AcKd/8c 3=????/2d 4=????/Td 3i5 4f 1r10 3c5
        4: 1=/8d 3=/2h 1b20 3c20
        5: 1=/3s 3=/4s 1k 3b20 1c20
        6: 1=/5s 3=/9s 1b20 3c5! 1back15
        7: *6h 1showsAcKd8c8d3s5s 3mucks 1won111 pot116 rake5 3mucksQdJh2d2h4s9s
        """,
        Stakes(2, 5, (10, 10, 20, 20, 20), 4, None, open_pair_doubles=True),
        hero=1,
        downcards={1: "Ac Kd", 3: "Qd Jh"},
        won={1: 111},
        rake=5,
        stacks={1: 1054, 3: 0, 4: 238},
    ),
    Case(
        TILT,
        "fulltilt",
        "28000000001",
        """
        1a15 2a15
        3: 1=7dKd/4s 2=????/2s 2i25 1r80 2r160 1r240 2c80
        4: 1=/9h 2=/Ts 2b80 1r160 2r240! 1c80 2showsAhAd2sTs
        5: 1=/9c 2=/3c
        6: 1=/9s 2=/4c
        7: 1=Qc/ 2=5d/ 1shows7dKd4s9h9c9sQc 2showsAdAh2sTs3c4c5d 2won990 pot990 rake0
        """,
        Stakes(15, 25, (80, 80, 160, 160, 160), 4, None, open_pair_doubles=True),
        hero=1,
        downcards={1: "7d Kd Qc", 2: "Ah Ad 5d"},
        won={2: 990},
        rake=0,
        stacks={1: 510, 2: 990},
    ),
    Case(
        BODOG,
        "bovada",
        "2600000001",
        """
        1a1 3a1
        3: 1=7h8c/2c 3=JcQh/Th 1i2 3r10 1r20 3c10
        4: 1=/9c 3=/Td 3b20+ 1c20
        5: 1=/4d 3=/Kh 3k 1b20 3r40! 1c19! 3back1
        6: 1=/5d 3=/Ks
        7: 1=6d/ 3=2s/ 3mucksJcQhThTdKhKs2s 1shows9c8c7h6d5d 1won155 pot160 rake5
        """,
        Stakes(1, 2, (10, 10, 20, 20, 20), 4, None, open_pair_doubles=True, inferred=True),
        hero=3,
        downcards={1: "7h 8c 6d", 3: "Jc Qh 2s"},
        won={1: 155},
        rake=5,
        stacks={1: 155, 3: 1},
    ),
    Case(
        IPOKER,
        "ipoker",
        "910000011",
        """
        1a1 3a1 6a1
        3: 1=????/9h 3=TcTd/4s 6=2s2d/Th 3i2 6r5 1f 3c3
        4: 3=/4c 6=/Kd 3b5 6r10 3c5
        5: 3=/7d 6=/Ks 6b10 3c10
        6: 3=/2h 6=/3c 6b10 3c9!
        7: 3=Ts/ 6=Ah/
        3won68 6won1
        """,
        Stakes(1, 2, (5, 5, 10, 10, 10), 4, None, open_pair_doubles=True),
        hero=1,
        downcards={3: "Tc Td Ts", 6: "2s 2d Ah"},
        won={3: 68},
        rake=3,
        stacks={1: 266, 3: 68, 6: 365},
    ),
    Case(
        MERGE,
        "merge",
        "31000001-7",
        """
        1a5 4a5 8a5
        3: 4=????/7s 1=4d3d/Qh 8=????/2c 8i10 1r50 4r100 8c90 1c50
        4: 4=/7h 8=/9d 1=/Qd 1b50 4c35! 8c50
        5: 4=/Kc 8=/9s 1=/Ks 1b100 8f
        6: 4=/Jc 1=/2s
        7: 4=??/ 1=4h/
        1shows4d3dQhQdKs2s4h 4mucks8s8c7s7hKcJc3h 1back100 1won400 1won30
        """,
        Stakes(5, 10, (50, 50, 100, 100, 100), 4, None, open_pair_doubles=True),
        hero=1,
        downcards={1: "4d 3d 4h", 4: "8s 8c 3h"},
        won={1: 430},
        rake=20,
        stacks={1: 1855, 4: 0, 8: 745},
    ),
]

ONE_EACH = {f"{case.dialect} {case.hand_id}": (case.dialect, case.text) for case in CASES}
ONE_EACH |= {
    name: (name, (SAMPLES / file).read_text(encoding="utf-8"))
    for name, file in (("saund", "showdown.stud"), ("phh", "full-house.phh"))
}
"""By name: the format of a log of one hand, and its text."""
