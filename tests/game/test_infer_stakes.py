"""Stakes that a log leaves open, worked out from all hands of a level."""

from __future__ import annotations

import io
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handread import analysis_object, analyze, plain_text
from handread.formats.log_reader import read_stream, read_text
from handread.game.infer_stakes import level_key, levels_of, with_stakes
from handread.game.replay import replay
from handread.history import History
from handread.sessions.opening import InputFile, read_file
from handread.tables.pieces import pieces
from tests.examples import examples
from tests.hands import hand

NAMES = ("Ann", "Bob", "Cid")
DOORS = {"Ann": "D2", "Bob": "SK", "Cid": "HQ"}
STREETS = {3: (2, "Third Street"), 4: (3, "Fourth Street"), 5: (4, "Fifth Street")}
LATER = {4: {"Ann": "C8", "Bob": "CJ", "Cid": "C5"}, 5: {"Ann": "H3", "Bob": "H9", "Cid": "S6"}}
TYPES = {"f": 0, "c": 3, "k": 4, "b": 5, "a": 7, "B": 16, "r": 23}
SESSION = """<session sessioncode="1"><general><gametype>7 Card Stud L</gametype>
<tablename>Larch, 5</tablename><tournamentname>$5 Stud</tournamentname></general>"""


def game(ante: int, play: str, chips: int = 2000, stacks: dict[str, int] | None = None) -> str:
    """Return an invented hand, such as ``3: Ann B30, Bob r100, Cid f, Ann f``."""
    number, lines = 3, []
    have = dict.fromkeys(NAMES, chips) | (stacks or {})
    antes = [f'<action no="{n}" player="{w}" type="15" sum="{ante}"/>' for n, w in enumerate(NAMES)]
    left = list(NAMES)
    for street in play.split("; "):
        key, actions = street.split(": ")
        no, title = STREETS[int(key)]
        said = []
        for name in left:
            card = "X X " + DOORS[name] if no == 2 else LATER[int(key)][name]
            said.append(f'<cards type="{title}" player="{name}">{card}</cards>')
        for action in actions.split(", "):
            name, what = action.split()
            number += 1
            amount = what[1:] or "0"
            said.append(
                f'<action no="{number}" player="{name}" type="{TYPES[what[0]]}" sum="{amount}"/>'
            )
            if what == "f":
                left.remove(name)
        lines.append(f'<round no="{no}">{"".join(said)}</round>')
    players = "".join(
        f'<player seat="{n}" name="{name}" chips="{have[name]}" win="0"/>'
        for n, name in enumerate(NAMES, start=1)
    )
    return (
        f'<game gamecode="{ante}">\n<general><players>{players}</players></general>\n'
        f'<round no="0">{"".join(antes)}</round>\n' + "\n".join(lines) + "\n</game>\n"
    )


STEAL = "3: Ann B30, Bob r100, Cid f, Ann f"
CALLED = "3: Ann B30, Bob c30, Cid f; 4: Bob b100, Ann f"
FOLDS = "3: Ann B30, Bob f, Cid f"
LIMPED = "3: Ann B30, Bob c30, Cid f; 4: Bob k, Ann a87, Bob f"
SHORT = "3: Ann B30, Bob a70, Cid f, Ann f"
LEVEL = [
    *(game(15, play) for play in (FOLDS, STEAL, CALLED)),
    game(15, LIMPED, stacks={"Ann": 15 + 30 + 87}),
    game(15, SHORT, stacks={"Bob": 15 + 70}),
]
LATER_LEVEL = [game(20, "3: Ann B40, Bob r150, Cid f, Ann f"), game(20, FOLDS.replace("30", "40"))]
TOURNAMENT = "\n".join([SESSION, *LEVEL, *LATER_LEVEL])


def hands(text: str) -> list[History]:
    found = list(read_text(text, "a.xml"))
    assert all(isinstance(one, History) for one in found)
    return [one for one in found if isinstance(one, History)]


def bets(hand: History) -> tuple[int, int, int, int]:
    stakes = replay(hand).stakes
    assert stakes.inferred
    return stakes.ante, stakes.bring_in, stakes.small, stakes.big


def test_a_hand_without_a_full_bet_has_the_bets_of_its_level() -> None:
    """Alone it tells only that the bring-in is about a quarter of the small bet."""
    found = hands(TOURNAMENT)
    assert [bets(hand) for hand in found] == 5 * [(15, 30, 100, 200)] + 2 * [(20, 40, 150, 300)]
    assert all(replay(hand).problem is None for hand in found)
    assert bets(hands(SESSION + LEVEL[0])[0]) == (15, 30, 120, 240)


def test_a_short_bring_in_is_not_the_bring_in_of_the_level() -> None:
    short = game(15, "3: Ann B19, Bob r100, Cid f", stacks={"Ann": 34})
    found = hands("\n".join([SESSION, short, LEVEL[1]]))
    assert [bets(hand) for hand in found] == 2 * [(15, 30, 100, 200)]
    assert replay(found[0]).problem is None


def test_without_a_bring_in_the_room_s_share_of_the_small_bet_is_asked() -> None:
    assert bets(hands(SESSION + game(15, "3: Ann b100, Bob f, Cid f"))[0]) == (15, 25, 100, 200)


def test_half_a_bet_on_5th_street_tells_and_most_bets_decide() -> None:
    doubled = game(15, "3: Ann B30, Bob c30, Cid f; 4: Bob b200, Ann f")
    late = game(15, "3: Ann B30, Bob c30, Cid f; 4: Bob k, Ann k; 5: Bob b200, Ann f")
    assert bets(hands("\n".join([SESSION, doubled, late]))[0])[2] == 100 * 2
    assert bets(hands("\n".join([SESSION, LEVEL[0], doubled, late]))[0])[2] == 100


def test_a_hand_with_full_bets_of_its_own_is_not_outvoted() -> None:
    """Two games with one ante may stand in a file."""
    other = game(15, "3: Ann B20, Bob r60, Cid f, Ann f")
    found = hands("\n".join([SESSION, *LEVEL, LEVEL[1], other]))
    assert bets(found[-1]) == (15, 20, 60, 120)


def test_stated_stakes_are_left_alone() -> None:
    cash = SESSION.replace("Stud L<", "Stud L 50/100<").replace("tournamentname", "tournamentcode")
    found = hands(TOURNAMENT + "</session>\n" + cash + LEVEL[1])
    assert found[-1].stakes is not None
    assert not found[-1].stakes.inferred
    assert found[-1].inferred_from == ""
    assert found[0].stakes is not None
    assert found[0].stakes.small == 100


@cache
def tournament() -> list[History]:
    return hands(TOURNAMENT)


@pytest.mark.thorough
@examples(60)
@given(size=st.integers(1, 4000))
def test_all_pieces_of_a_log_have_the_stakes_of_the_whole(size: int) -> None:
    log = read_stream(io.BytesIO(TOURNAMENT.encode()), "a.xml")
    found = [one for piece in log.pieces(size) for one in log.read(piece)]
    whole = tournament()
    assert found == whole
    assert [hand.inferred_from for hand in found if isinstance(hand, History)] == [
        hand.inferred_from for hand in whole
    ]


def test_a_hand_looked_up_by_its_line_has_the_stakes_of_its_level() -> None:
    first = hands(TOURNAMENT)[0]
    (found,), _ = read_stream(io.BytesIO(TOURNAMENT.encode()), "a.xml").at(first.source.line)
    assert found == first


def test_what_is_scored_anew_is_what_the_level_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("handread.tables.pieces.PIECE_SIZE", len(LEVEL[0]))

    def digests(*games: str) -> list[str]:
        (tmp_path / "a.xml").write_text("\n".join([SESSION, *games]))
        return [piece.digest for piece in pieces(InputFile("a", tmp_path / "a.xml"), None)]

    begun = digests(LEVEL[0], LEVEL[0], *LATER_LEVEL)
    told = digests(LEVEL[0], LEVEL[0], *LATER_LEVEL, LEVEL[1], LEVEL[1])
    more = digests(LEVEL[0], LEVEL[0], *LATER_LEVEL, LEVEL[1], LEVEL[1], LEVEL[1])
    assert len(begun) >= 4
    assert begun[1] != told[1]  # now a full bet is known
    assert begun[3] == told[3]  # another level
    assert told[:5] == more[:5]  # one more bet of the same size changes nothing


def test_a_report_says_what_the_stakes_were_worked_out_from() -> None:
    read = analyze(hands(TOURNAMENT)[0])
    stakes = analysis_object(read)["stakes"]
    assert stakes["inferred"]
    assert stakes["inferred_from"] == ("5 hands with this ante: 1 of 1 full bet, 5 bring-ins")
    assert stakes["inferred_from"] in " ".join(plain_text(read).split())


def test_real_tournaments_have_one_bet_an_ante(real_hands: Path) -> None:
    for file in (*real_hands.glob("iPoker/tour-*"), *real_hands.glob("Bovada/tour-*")):
        played = [
            replay(one)
            for one in read_file(file)
            if isinstance(one, History) and one.events and one.stakes and one.stakes.inferred
        ]
        assert len(played) >= 20
        stakes = {one.stakes for one in played}
        assert len({one.ante for one in stakes}) == len(stakes)
        assert all(one.problem is None for one in played)


def alone(script: str) -> History:
    """A hand with the stakes that it tells itself."""
    history = hand(script, stakes=None)
    return with_stakes(history, levels_of([history])[level_key(history)])


POSTED = "1a5 2a5 3a5\n3: 1=7h 2=9d 3=3c\n"


@pytest.mark.parametrize(
    ("play", "stakes", "basis"),
    [
        ("3B10 1r25", (5, 10, 25, 50), "1 of 1 full bet, 1 bring-in"),
        ("3B10 1r25 2r50", (5, 10, 25, 50), "2 of 2 full bets, 1 bring-in"),
        ("3B10 1r13! 2r25", (5, 10, 25, 50), "1 of 1 full bet, 1 bring-in"),
        ("3B10 1r25! 2r50", (5, 10, 25, 50), "1 of 1 full bet, 1 bring-in"),
        ("3B10 1c10 2f\n4: 1=8h 3=8c\n1b25", (5, 10, 25, 50), "1 of 1 full bet, 1 bring-in"),
        (
            "3B10 1c10 2f\n4: 1=8h 3=8c\n1k 3k\n5: 1=9h 3=9c\n1b50",
            (5, 10, 25, 50),
            "1 of 1 full bet, 1 bring-in",
        ),
        ("3b30 1f 2f", (5, 15, 30, 60), "1 of 1 full bet, no bring-in"),
        (
            "3B10 1r20!",  # the bring-in says as much as the all-in
            (5, 10, 20, 40),
            "no full bet; a bring-in is taken as 1/2 of the small bet, 1 bring-in",
        ),
        ("3B10 1r21!", (5, 10, 21, 42), "no full bet, but a larger all-in, 1 bring-in"),
        (
            "3B10 1f 2f",
            (5, 10, 20, 40),
            "no full bet; a bring-in is taken as 1/2 of the small bet, 1 bring-in",
        ),
    ],
)
def test_the_basis_of_stakes_is_said(play: str, stakes: tuple[int, ...], basis: str) -> None:
    found = alone(POSTED + play)
    assert found.stakes is not None
    assert found.stakes == replay(hand(POSTED + play, stakes=None)).stakes
    told = found.stakes
    assert (told.ante, told.bring_in, told.small, told.big, told.inferred) == (*stakes, True)
    assert found.inferred_from == f"1 hand with this ante: {basis}"


def test_stakes_that_nothing_tells_have_no_basis() -> None:
    found = alone(POSTED)
    assert (found.stakes, found.inferred_from) == (None, "")
    problem = replay(hand(POSTED, stakes=None)).problem
    assert problem is not None
    assert "stakes are not stated" in problem.message
