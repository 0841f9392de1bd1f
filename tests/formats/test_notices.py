"""Lines that report no action: a hand keeps its play, whatever a room prints about a player."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from handread.cards import parse_card
from handread.formats.log_reader import read_text
from handread.formats.registry import read_grammars, writer_named
from handread.game.replay import replay
from handread.game.rules import Unit
from handread.history import Event, History, Problem, Show, is_unknown
from handread.report.problems import shortcomings
from tests.hands import one
from tests.invented_logs import (
    BODOG,
    INVENTED,
    IPOKER,
    MERGE,
    ONGAME,
    PARTY,
    STARS,
    TILT,
    WINAMAX,
    WINNING,
    WINNING_OLD,
)

KNOWN = {
    "pokerstars": [
        "{} wins $19.90 for eliminating Ossi and their own bounty increases by $19.89 to $155.32",
        "{} wins $4.60 for splitting the elimination of Ossi and their own bounty increases by "
        "$4.60 to $9.20",
        "{}, Ossi split the $50 bounty for eliminating Mr. X",
        "{} re-buys and receives 1500 chips for 30 FPPs",
        "{} takes the add-on and receives 1500 chips for 300 StarsCoin",
        "{} cashed out the hand for $0.50 | Cash Out Fee $0.01",
        "Mamega: sits out",
        "The deck is reshuffled",
    ],
    "fulltilt": ["Duration 40s"],
    "partypoker": [
        "{} could not respond in time.(disconnected)",
        "{} is all-In.",
        "{} balance $25, lost $3.50 (folded)",
        "Your time bank will be activated in 6 secs. If you do not want it to be used, please act "
        "now.",
        "** Summary **",
        "seat 3:",
    ],
    "winning": ["{} sits out", "Main pot $1.20"],
    "winamax": ["{} denies big blind", "{} is sitting out"],
    "bovada": [
        "Seat+1 : Prize Cash [$10]",
        "Seat+3 [ME] : BOUNTY PRIZE [$5]",
        "Seat+1 : Draw for dealer [7d]",
        "Table Info: Version: 1, Type: MVS, Stakes: $5-$10, Table: 000A031E-0",
        "Player Info: Seat1: P1-d07e9231948e51d3",
    ],
}
"""Lines of public logs; {} is a player of the hand."""

UNKNOWN = [
    "{} was given a hat worth $5",
    "{} waves",
    "{} dreams of [As Ks] and of $20.50",
    "{} has swapped bounties (30)",
    "{} will be removed from the table",
    "{} uses the time bank",
    "{} gets $5 back",
]
"""Lines that no pattern matches, about a player of the hand."""

TEXTS = {
    **{"pokerstars": STARS, "fulltilt": TILT, "partypoker": PARTY, "winning": WINNING},
    **{"winamax": WINAMAX, "bovada": BODOG, "ongame": ONGAME, "winning-old": WINNING_OLD},
}


def name_in(text: str) -> str:
    """The name of a player of a log."""
    return next((seat.name for seat in one(text).seats if seat.name), "Seat+1 ")


def with_line(text: str, line: str, place: int = -1) -> str:
    """A log with a line after that of an event: by default, the last one of the play."""
    played = replay(one(text))
    last = [event.line for event in played.moves if event.line][place]
    lines = text.split("\n")
    return "\n".join([*lines[:last], line, *lines[last:]])


def play_of(hand: History) -> tuple[object, list[Event]]:
    """What is played in a hand."""
    played = replay(hand)
    assert (hand.problems, played.problem) == ((), None)
    return played.won, [event for event in played.moves if not is_unknown(event)]


@pytest.mark.parametrize(
    ("name", "line"), [(name, line) for name, lines in KNOWN.items() for line in lines]
)
def test_a_notice_that_a_room_prints_is_known(name: str, line: str) -> None:
    text = TEXTS[name]
    hand = one(with_line(text, line.format(name_in(text))))
    assert play_of(hand) == play_of(one(text))
    assert not shortcomings(replay(hand)), "with --strict, too"


@pytest.mark.parametrize("line", UNKNOWN)
@pytest.mark.parametrize("name", TEXTS)
def test_an_unknown_notice_keeps_the_hand(name: str, line: str) -> None:
    text = TEXTS[name]
    who = f"Player {name_in(text)}" if name == "winning-old" else name_in(text)
    who = f"{who.strip()} :" if name == "bovada" else who
    whole = play_of(one(text))
    for place in (3, -1):
        hand = one(with_line(text, line.format(who), place))
        assert play_of(hand) == whole
        assert sum(map(is_unknown, hand.events)) == 1
        (found,) = shortcomings(replay(hand))
        assert found.message == "this line matches no known pattern"


@pytest.mark.parametrize(
    "line",
    [
        "{}: flods",
        "{}: rasies $1 to $2",
        "{}: cal",
        "{}: calls",
        "{} shows",
        "{}: antes $1",
        "Ghost: bets $4 and is all-in!",
        "Ghost: bests $4",
        "Dealt to {} [Zz of]",
    ],
)
def test_a_line_like_an_action_is_refused(line: str) -> None:
    hand = one(with_line(STARS, line.format(name_in(STARS))))
    (problem,) = hand.problems
    assert problem.line == with_line(STARS, "?").split("\n").index("?") + 1


def test_money_that_nobody_bet_is_no_action() -> None:
    hand = one(with_line(STARS, "STP added: $1"))
    assert play_of(hand) == play_of(one(STARS))
    assert sum(map(is_unknown, hand.events)) == 1


def test_a_seat_that_the_room_moved_is_dealt_no_cards() -> None:
    line = "Seat 8: Ada ($1.60 in chips) out of hand (moved from another table into small blind)"
    hand = one(STARS.replace("\nSeat 1:", f"\n{line}\nSeat 1:", 1))
    (seat,) = (seat for seat in hand.seats if seat.name == "Ada")
    assert seat.sitting_out
    assert play_of(hand)[0] == play_of(one(STARS))[0]


def test_who_folds_may_show() -> None:
    who = next(re.finditer(r"^(.*): folds", STARS, re.M))
    card = parse_card("2c")
    hand = one(STARS.replace(who[0], f"{who[0]} [2c]", 1))
    assert hand.problems == ()
    assert next(event.cards for event in hand.events if isinstance(event, Show)) == (card,)
    with pytest.raises(ValueError, match="shows cards and folds, which PHH cannot hold"):
        writer_named("phh").write(hand)


# ---- Elements of rooms that write XML


@pytest.mark.parametrize("kind", ["DISCONNECTED", "RECONNECTED", "LEAVE", "RETURN_BLIND"])
def test_an_event_of_merge_that_is_no_action_is_known(kind: str) -> None:
    hand = one(_with_element(MERGE, f'<event sequence="99" type="{kind}" player="4"/>'))
    assert play_of(hand) == play_of(one(MERGE))
    assert not shortcomings(replay(hand))


@pytest.mark.parametrize(
    ("text", "element"),
    [
        (MERGE, '<event sequence="99" type="WAVE" player="4"/>'),
        (MERGE, '<event sequence="99" type="WAVE" player="4" amount="0.00"/>'),
        (IPOKER, '<action no="99" player="Lena" type="88" sum="0" cards=""/>'),
    ],
)
def test_an_unknown_action_without_chips_keeps_the_hand(text: str, element: str) -> None:
    hand = one(_with_element(text, element))
    assert play_of(hand) == play_of(one(text))
    (unknown,) = filter(is_unknown, hand.events)
    assert unknown.text == element.replace("/>", ">")


@pytest.mark.parametrize(
    "element",
    [
        '<event sequence="99" type="WAVE" player="4" amount="0.50"/>',
        '<event sequence="99" type="RASIE" player="4"/>',
        '<cards type="PEEK" cards="2c" player="4"/>',
    ],
)
def test_an_unknown_action_with_chips_or_cards_is_refused(element: str) -> None:
    assert one(_with_element(MERGE, element)).problems


def _with_element(text: str, element: str) -> str:
    end = text.rindex("</round>")
    return f"{text[:end]}{element}\n{text[end:]}"


# ---- First lines and amounts


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("pokerstars", "($0.10/$0.20 USD)", "($0.10 / $0.20 USD)"),
        ("pokerstars", ": brings in for", ": brings-in for"),
        ("pokerstars", ": brings in for", ": brings in low for"),
        ("bovada", "Bodog Hand", "Bodog.eu Hand"),
        ("bovada", "Bodog Hand", "Bodog UK Hand"),
        ("bovada", "Bodog Hand #", "Hand #C"),
        ("bovada", "Fixed Limit - ", "Fixed Limit [MVS] - "),
        ("bovada", " : Checks", " : Check(Blind Disconnected)"),
        ("bovada", "Bring_in chip", "Bring_in chip(timeout)"),
    ],
)
def test_another_wording_is_read_the_same(name: str, old: str, new: str) -> None:
    text = TEXTS[name]
    assert old in text
    assert play_of(one(text.replace(old, new))) == play_of(one(text))


@pytest.mark.parametrize("symbol", ["₹", "TC", "Chips"])
def test_rupees_and_play_money(symbol: str) -> None:
    text = STARS if symbol == "₹" else ONGAME
    hand = one(text.replace("$", symbol))
    assert hand.unit == Unit(2, symbol)
    assert play_of(hand) == play_of(one(text))


@pytest.mark.parametrize("blank", [" ", "\u00a0", "\u202f"])
@pytest.mark.parametrize("written", ["{}", "{}kr", "{} kr", "RSD{}", "RSD {}"])
def test_amounts_of_ipoker_in_other_tongues(blank: str, written: str) -> None:
    def amount(found: re.Match[str]) -> str:
        number = f"{found[2].replace(',', '')}"
        grouped = f"1{number}" if "." not in number else number
        thousands = re.sub(r"(?<=\d)(?=\d{3}$)", blank, grouped)
        return f'{found[1]}="{written.format(thousands)}"' if found[1] == "chips" else found[0]

    hand = one(re.sub(r'(chips)="\$?([\d,.]+)"', amount, IPOKER))
    assert (hand.problems, replay(hand).problem) == ((), None)
    assert [seat.number for seat in hand.seats] == [seat.number for seat in one(IPOKER).seats]


def test_an_amount_that_cannot_be_read_is_the_reason() -> None:
    hand = one(re.sub(r'chips="([^"]*)"', r'chips="\1 zł"', IPOKER, count=1))
    problem = replay(hand).problem
    assert problem is not None
    assert "is not what the chips of <player> can be" in problem.message


def test_a_tournament_of_winning() -> None:
    first = "Game Hand #1296393662 - $5,000 GTD Tournament #27099516 - 7Stud H/L(Fixed Limit) - "
    first += "Level 10 (300.00/600.00)- 2022/07/11 01:11:44 UTC"
    hand = one(f"{first}\n{WINNING.partition(chr(10))[2]}")
    assert (hand.tournament, hand.variant) == ("27099516", "stud8")


# ---- Rooms that are like another one


LIKE = """
name = "my-room"
title = "My Room"
starts = '^My Room #'
like = "pokerstars"

[[line]]
event = "hand"
template = "My Room #{hand_id:int} {game} {small}/{big} {date}"
example = "My Room #1 7 Card Stud Limit $1/$2 2020/01/02 3:04:05 ET"
from = "an example"

[money]
symbols = "¤$"
"""


def test_a_room_like_another_says_only_what_differs(tmp_path: Path) -> None:
    known = read_grammars([_file(tmp_path, LIKE)])
    _, rest = STARS.split("\n", 1)
    head = "My Room #7 7 Card Stud Limit $0.10/$0.20 2011/03/08 19:17:48 ET"
    (hand,) = known.named("my-room").read(f"{head}\n{rest}", "a")
    assert isinstance(hand, History)
    assert hand.hand_id == "7"
    assert play_of(hand) == play_of(one(STARS))
    (other,) = known.named("my-room").read(STARS, "a")
    assert isinstance(other, Problem), "the first lines of the other room begin no hand here"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"pokerstars"', '"pokerstarz"', "there is no room 'pokerstarz'; did you mean"),
        ('"pokerstars"', '"merge"', "there is no room 'merge'"),
        ('symbols = "¤$"', "symbols = 4", "[money], symbols: must be a string, not 4"),
        ('event = "hand"', 'event = "hund"', "[[line]] 1, event: there is no event 'hund'"),
    ],
)
def test_faults_of_a_room_like_another(tmp_path: Path, old: str, new: str, message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        read_grammars([_file(tmp_path, LIKE.replace(old, new))])


def test_rooms_like_pokerstars_are_only_read() -> None:
    for name in ("fulltilt-2014", "ggpoker", "pokerbros", "runitonce"):
        (reading,) = read_text(INVENTED[name], "a")
        assert isinstance(reading, History)
        assert reading.source.dialect == name


def _file(folder: Path, text: str) -> Path:
    path = folder / "my-room.toml"
    path.write_text(text, encoding="utf-8")
    return path
