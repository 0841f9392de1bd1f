"""Hands printed as the logs of rooms: what is printed is read as the same hand."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from importlib.resources import files
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from handread import analyze, read_hands
from handread.formats.format import Writer
from handread.formats.grammar import parse_grammar
from handread.formats.registry import writer_named
from handread.formats.room import PrintingRoom, room, rooms
from handread.formats.styles import LabelStyle
from handread.game.replay import replay, written_out
from handread.game.rules import SAUND_STAKES, Stakes, Unit
from handread.history import Action, Deal, History, Muck, Remark, Seat, SharedCard, Wager
from handread.report.json import analysis_object
from tests.examples import few, share
from tests.hands import ROOM_STAKES, cards, hand, one, random_hand, wagers
from tests.invented_logs import BODOG, STARS
from tests.printing import ROOMS, WHOLE, assert_same, changed, out, printed, read
from tests.program import SAMPLES


def test_every_room_prints() -> None:
    assert {room.name for room in rooms() if isinstance(room, PrintingRoom)} == set(ROOMS)
    assert all(isinstance(writer_named(name), Writer) for name in ROOMS)


def test_a_grammar_without_rules_for_printing_is_no_writer() -> None:
    text = files("handread.grammars").joinpath("pokerstars.toml").read_text("utf-8")
    start, end = text.index("[print]"), text.index("[variants]")
    reader = room(parse_grammar(text[:start] + text[end:], "pokerstars.toml"))
    assert not isinstance(reader, Writer)
    assert isinstance(room(parse_grammar(text, "pokerstars.toml")), Writer)


# ---- The text


def sample(name: str) -> list[tuple[list[str], list[str]]]:
    """The lines of each hand of a sample, and those of the hand printed in its own room."""
    lines = (SAMPLES / f"{name}.txt").read_text("utf-8").splitlines()
    pairs = []
    for history in read_hands(SAMPLES / f"{name}.txt"):
        assert isinstance(history, History)
        own = lines[history.source.line - 1 : history.end_line]
        pairs.append((own, printed(out(history), name).splitlines()))
    return pairs


def test_a_tilt_hand_comes_out_as_it_went_in() -> None:
    notices = {"deuce-magnet is low with [2c]", "Hero has 15 seconds left to act"}
    [(own, again)] = sample("fulltilt")
    assert again == [line for line in own if line not in notices]


def test_a_stars_hand_comes_out_as_it_went_in() -> None:
    (own, again), (uncalled, uncalled_again) = sample("pokerstars")
    assert [line for line in again if line not in own] == [
        "PokerStars Hand #900000000101:  7 Card Stud Limit ($0.50/$1) - 2026/03/14 20:15:09 ET",
        "Hero: shows [9c 9s 6h Td 9d Ah 4s]",
        "Seat 7: Hero showed [9c 9s 6h Td 9d Ah 4s] and won ($9.95)",
    ]
    assert len(again) == len(own)
    assert sorted(uncalled_again[1:]) == sorted(uncalled[1:])


def test_absolute_says_in_the_summary_who_is_paid() -> None:
    shown, alone = (
        printed(out(hand), "absolute").splitlines()
        for hand in read_hands(SAMPLES / "pokerstars.txt")
        if isinstance(hand, History)
    )
    assert "Seat 7: Hero won Total ($9.95) [9c 9s 6h 10d 9d Ah 4s]" in shown
    assert "Seat 1: Marigold collected Total ($0.15) [Does not show]" in alone


def test_a_bovada_hand() -> None:
    text = printed(out(one(BODOG)), "bovada")
    assert text.startswith(
        "Bovada Hand #2600000001 TBL#1100001 7CARD Fixed Limit - 2012-05-19 21:14:33\n"
        "Seat+1: $0.80 in chips\n"
        "Seat+3 [ME]: $0.81 in chips\n"
        "Seat+1 : Ante chip $0.01\n"
        "Seat+3 [ME] : Ante chip $0.01\n"
        "*** 3RD STREET ***\n"
        "Seat+1 : Card dealt to a spot [7h 8c 2c]\n"
        "Seat+3 [ME] : Card dealt to a spot [Jc Qh Th]\n"
        "Seat+1 : Bring_in chip $0.02\n"
        "Seat+3 [ME] : Raises $0.10\n"
    )
    for line in (
        "Seat+3 [ME] : Double bets $0.20",
        "Seat+3 [ME] : All-in(raise) $0.40",
        "Seat+1 : All-in $0.19",
        "*** RIVER ***",
        "Seat+3 [ME] : Mucks [Jc Qh Th Td Kh Ks 2s]",
        "Seat+1 : Hand Result $1.55",
        "Total Pot($1.60) | Rake ($0.05)",
    ):
        assert f"\n{line}\n" in text


@pytest.mark.parametrize(
    ("name", "third", "fourth", "seventh"),
    [
        (
            "absolute",
            "Player 1 - Pocket [7c Qs 7h]",
            "Player 1 - Pocket [7c Qs 7h 8h]",
            "Player 2 - Pocket [Ad Jd 8d Kc As 7d 4h]",
        ),
        (
            "bovada",
            "Seat+1 : Card dealt to a spot [7c Qs 7h]",
            "Seat+1 : Card dealt to a spot [8h]",
            "Seat+2 : Card dealt to a spot [4h]",
        ),
        (
            "everleaf",
            "Dealt to Player 1 [ 7c, Qs, 7h ].",
            "Dealt to Player 1 [ 8h ].",
            "Dealt to Player 2 [ 4h ].",
        ),
        (
            "fulltilt",
            "Dealt to Player 1 [7c Qs] [7h]",
            "Dealt to Player 1 [7c Qs 7h] [8h]",
            "Dealt to Player 2 [Ad Jd 8d Kc As 7d] [4h]",
        ),
        (
            "kingsclub",
            "Dealt to Player 1: [7c Qs 7h]",
            "Dealt to Player 1: [8h]",
            "Dealt to Player 2: [4h]",
        ),
        (
            "ongame",
            "Dealing to Player 1: [7c, Qs, 7h]",
            "Dealing to Player 1: [8h]",
            "Dealing to Player 2: [4h]",
        ),
        (
            "partypoker",
            "Dealt to Player 1 [  7c, Qs, 7h ]",
            "Dealt to Player 1 [  8h ]",
            "Dealt to Player 2 [  4h ]",
        ),
        (
            "pokerstars",
            "Dealt to Player 1 [7c Qs 7h]",
            "Dealt to Player 1 [7c Qs 7h] [8h]",
            "Dealt to Player 2 [Ad Jd 8d Kc As 7d] [4h]",
        ),
        (
            "winamax",
            "Dealt to Player 1 [7c Qs 7h]",
            "Dealt to Player 1 [7c Qs 7h] [8h]",
            "Dealt to Player 2 [Ad Jd 8d Kc As 7d] [4h]",
        ),
        (
            "winning",
            "Dealt to Player 1 [7c Qs 7h]",
            "Dealt to Player 1 [7c Qs 7h] [8h]",
            "Dealt to Player 2 [Ad Jd 8d Kc As 7d] [4h]",
        ),
        (
            "winning-old",
            "Player Player 1 received card: [Qs]",
            "Player Player 1 received card: [8h]",
            "Player Player 2 received card: [4h]",
        ),
    ],
)
def test_all_downcards_are_told_where_they_are_dealt(
    name: str, third: str, fourth: str, seventh: str
) -> None:
    lines = printed(WHOLE, name).splitlines()
    place = {line: at for at, line in enumerate(lines)}
    assert place[third] < place[fourth] < place[seventh]
    deals = [line for line in lines if re.search(r"Dealt|Dealing to|dealt|Pocket|received", line)]
    assert len(deals) == (3 if name == "winning-old" else 1) * 7 + 2 * 4


def test_money_is_written_as_the_room_writes_it() -> None:
    deep = replace(WHOLE, seats=tuple(Seat(n, "", 123456) for n in range(1, 8)))
    dollars = replace(deep, unit=Unit(2, "$"))
    chips = replace(deep, unit=Unit(0, ""))
    assert "(1234.56 in chips)" in printed(deep, "pokerstars")
    assert "Ann (" not in printed(deep, "pokerstars")
    assert "(1,234.56)" in printed(deep, "fulltilt")
    assert "Player 1 bets $2\n" in printed(dollars, "fulltilt")
    assert "Player 1: posts the ante $0.25\n" in printed(dollars, "pokerstars")
    assert "Seat 1: Player 1 (123456 in chips)" in printed(chips, "pokerstars")
    assert printed(chips, "pokerstars").startswith("PokerStars Hand #1: Tournament #0, Freeroll ")
    for money in (deep, dollars, chips):
        assert read(printed(money, "pokerstars"), "pokerstars").unit == money.unit


HEADS = {
    "absolute": r"""
        Stage #70123456: Seven Card Stud  Normal \$1/\$2 - 2011-05-09 12:34:56 \(ET\)
        Table: Harbour VI \(Real Money\)
        (?:Seat \d - Player \d \(\$\d+(?:\.\d\d)? in chips\)\n){7}
        Player 1 - Ante \$0\.25""",
    "bovada": r"""
        Bovada Hand #70123456 TBL#\d+ 7CARD Fixed Limit - 2011-05-09 12:34:56
        (?:Seat\+\d: \$\d+(?:\.\d\d)? in chips\n){7}
        Seat\+1 : Ante chip \$0\.25""",
    "everleaf": r"""
        Everleaf Gaming Game #70123456
        \*{5} Hand history for game #70123456 \*{5}
        \$1\.00/\$2\.00 7 Card Stud - 2011/05/09 - 12:34:56
        Table Harbour VI
        Total number of players: 7
        (?:Seat \d: Player \d \(  \$ \d+\.\d\d USD \)\n){7}
        Player 1: posts ante \[\$ 0\.25 USD\]""",
    "fulltilt": r"""
        Full Tilt Poker Game #70123456: Table Harbour VI - GAME
        (?:Seat \d: Player \d \(\$\d+(?:\.\d\d)?\)\n){7}
        Player 1 antes \$0\.25""",
    "kingsclub": r"""
        #70123456: Limit Seven Card Stud - 1(?:\.00)?/2(?:\.00)?
        2011-05-09 \d\d:34:56
        Table 'Harbour VI'
        (?:Seat \d: Player \d \([\d,]+(?:\.\d\d)?\)\n){7}
        Player 1: posts ante 0\.25""",
    "ongame": r"""
        \*{5} History for hand R0-70123456-0 \*{5}
        Start hand: Mon May 09 \d\d:34:56 GMT[+-]\d{4} 2011
        Table: Harbour VI \[\d+\] \(LIMIT SEVEN_CARD_STUD \$1/\$2, ante: \$0\.25, Real money\)
        Players in round: 7
        (?:Seat \d: Player \d \(\$\d+(?:\.\d\d)?\)\n){7}
        Player 1 posts ante \$0\.25""",
    "partypoker": r"""
        \*{5} Hand History for Game 70123456 \*{5}
        \$1/\$2 USD 7 Card Stud - Monday, May 09, 12:34:56 EDT 2011
        Table Harbour VI \(Real Money\)
        Seat 0 is the button
        Total number of players : 7/8
        (?:Seat \d: Player \d \( \$[\d,]+(?:\.\d\d)? USD \)\n){7}
        Player 1 posts ante \[\$0\.25 USD\]""",
    "pokerstars": r"""
        PokerStars Hand #70123456:  7 Card Stud Limit \(\$1/\$2\) - 2011/05/09 12:34:56 ET
        Table 'Harbour VI' 8-max
        (?:Seat \d: Player \d \(\$\d+(?:\.\d\d)? in chips\)\n){7}
        Player 1: posts the ante \$0\.25""",
    "winamax": r"""
        Winamax Poker - CashGame - HandId: #0-70123456-0 - GAME - 2011/05/09 16:34:56 UTC
        Table: 'Harbour VI' 8-max \(real money\)
        (?:Seat \d: Player \d \(\d+(?:\.\d\d)?\$\)\n){7}
        \*\*\* ANTE/BLINDS \*\*\*
        Player 1 posts ante 0\.25\$""",
    "winning": r"""
        Hand #70123456 - 7Stud\(Fixed Limit\) - \$1\.00/\$2\.00 - 2011/05/09 16:34:56 UTC
        Harbour VI 8-max
        (?:Seat \d: Player \d \(\$\d+\.\d\d\)\n){7}
        Player 1 posts ante \$0\.25""",
    "winning-old": r"""
        Game started at: 2011/5/9 \d+:34:56
        Game ID: 70123456 1(?:\.00)?/2(?:\.00)? \(PRR\) Harbour VI \(Seven Cards Stud\)
        (?:Seat \d: Player \d \(\d+(?:\.\d\d)?\)\.\n){7}
        Player Player 1 ante \(0\.25\)""",
}
"""The lines of a room's logs up to the first ante, as its own logs have them."""

_GAMES = {
    "fulltilt": r"\$1/\$2 Ante \$0\.25 - Limit Stud Hi - 12:34:56 ET - 2011/05/09",
    "winamax": r"7-Card Stud fixed limit \(0\.25\$/1\$/2\$\)",
}
"""What is too long to stand in a line of ``HEADS``."""


def head_pattern(name: str) -> str:
    """The regular expression of the first lines of a room."""
    pattern = "\n".join(line.strip() for line in HEADS[name].strip().split("\n"))
    return pattern.replace("GAME", _GAMES.get(name, "")).replace("){7}\n", "){7}") + "\n"


@pytest.mark.parametrize("name", ROOMS)
def test_the_first_lines_are_those_of_the_rooms_own_logs(name: str) -> None:
    dollars = replace(WHOLE, unit=Unit(2, "$"), hand_id="70123456", table="Harbour VI")
    dated = replace(dollars, played_at="2011/05/09 12:34:56 ET")
    text = printed(dated, name)
    assert re.match(head_pattern(name), text), text
    again = read(text, name)
    assert again.hand_id == "70123456"
    assert again.table == ("1" if name == "bovada" else "Harbour VI")


@pytest.mark.parametrize(
    ("name", "field", "text", "line"),
    [
        ("ongame", "table", "Larch [80000001]", "Table: Larch [80000001] ("),
        ("ongame", "table", "Larch", "Table: Larch [0] ("),
        ("ongame", "table", "", "Table: handread [0] ("),
        ("partypoker", "table", "Table  130001", "Table Table  130001 (Real Money)"),
        ("fulltilt", "table", "Larch", ": Table Larch - "),
        ("fulltilt", "table", "Table 7", ": Table Table 7 - "),
        ("fulltilt", "table", "Sit & Go (2), Table 1", ": Sit & Go (2), Table 1 - "),
        ("winamax", "hand_id", "10000002-12-1600000001", "HandId: #10000002-12-1600000001 - "),
        ("winamax", "hand_id", "17", "HandId: #0-17-0 - "),
        ("winamax", "hand_id", "", "HandId: #0-0-0 - "),
        ("ongame", "hand_id", "R5-70000001-57", "History for hand R5-70000001-57 *"),
        ("ongame", "hand_id", "17", "History for hand R0-17-0 *"),
    ],
)
def test_a_label_takes_the_form_of_the_room(name: str, field: str, text: str, line: str) -> None:
    log = printed(replace(WHOLE, **{field: text}), name)
    assert line in log
    unknown = {"table": "handread", "hand_id": "0"}[field]
    assert getattr(read(log, name), field) == (text or unknown)


LABEL_STYLES = (
    LabelStyle(re.compile("[0-9]+-[0-9]+-[0-9]+"), re.compile("[0-9]+"), "0-", "-0"),
    LabelStyle(re.compile(r".+ \[[0-9]+\]"), re.compile(".+"), "", " [0]"),
    LabelStyle(re.compile(".+, Table .+"), re.compile(".+"), "Table ", ""),
)


@given(st.sampled_from(LABEL_STYLES), st.text(alphabet="0-[] a", min_size=1))
@example(LABEL_STYLES[0], "17")
@example(LABEL_STYLES[2], "Table 7")
@example(LABEL_STYLES[2], "Sit & Go (2), Table 1")
def test_a_label_is_read_as_it_was(style: LabelStyle, label: str) -> None:
    if (
        style.own.fullmatch(label)
        and label.startswith(style.before)
        and label.endswith(style.after)
    ):
        return  # It has the room's form, and looks like one of another room.
    assert style.read(style.text(label)) == label


def test_a_tournament_has_one_line_of_stakes() -> None:
    text = printed(replace(WHOLE, unit=Unit(0, "")), "partypoker")
    assert text.count("7 Card Stud") == 1


def test_an_uncalled_bet_goes_back_before_the_cards_that_follow() -> None:
    lines = printed(out(one(STARS)), "pokerstars").splitlines()
    back = lines.index("Uncalled bet ($0.15) returned to Lena")
    assert lines[back - 1 : back + 2] == [
        "Mr. calls 5: calls $0.05 and is all-in",
        "Uncalled bet ($0.15) returned to Lena",
        "*** RIVER *** [6h]",
    ]


@pytest.mark.parametrize("name", ROOMS)
def test_a_shared_card_is_on_the_line_of_the_street(name: str) -> None:
    again = read(printed(out(one(STARS)), name), name)
    assert [event for event in again.events if isinstance(event, SharedCard)]
    # Of a hand whose owner is not told to show, the summary tells the cards.
    assert_same(replay(one(STARS)), replay(again))


# ---- Round trips


@pytest.mark.parametrize("name", ROOMS)
def test_what_is_not_posted_is_the_rooms_custom(name: str) -> None:
    stakes = {replay(h).stakes for h in printed_again(name, SAUND_STAKES, 12)}
    assert {found.bring_in for found in stakes} <= {25, 30, 40, 50}
    assert {found.cap_heads_up for found in stakes} == {None}
    assert {found.bets for found in stakes if not found.inferred} <= {SAUND_STAKES.bets}


def printed_again(name: str, stakes: Stakes, n: int) -> list[History]:
    hands = (out(random_hand(seed, 4, stakes)) for seed in range(n))
    return [read(printed(history, name), name) for history in hands]


@pytest.mark.parametrize("name", ROOMS)
@pytest.mark.parametrize("seed", few([3, 11], 1))
def test_the_analysis_is_the_same_to_the_last_digit(name: str, seed: int) -> None:
    history = hand_with_bring_in(seed)
    first, second = (
        analysis_object(analyze(h, policy="loose"))
        for h in (history, read(printed(out(history), name), name))
    )
    for action in first["actions"] + second["actions"]:
        del action["line"]
    for part in ("stages", "actions", "showdown", "problems"):
        assert second[part] == first[part]
    for one_seat, other in zip(first["seats"], second["seats"], strict=True):
        assert other["downcards"] == one_seat["downcards"]


def hand_with_bring_in(seed: int) -> History:
    """A hand of a room's stakes that its actions tell."""
    while True:
        history = random_hand(seed, 3, ROOM_STAKES, 40)
        bets = wagers(history.events, Action.BET, Action.RAISE)
        if bets and wagers(history.events, Action.BRING_IN):
            return history
        seed += 100


def test_real_logs_are_printed_in_their_own_room(real_hands: Path) -> None:
    n = 0
    for folder in ("PokerStars", "FullTilt", "Bovada"):
        for path in sorted((real_hands / folder).iterdir()):
            for history in read_hands(path):
                if isinstance(history, History) and history.variant == "stud":
                    n += 1
                    assert_kept(history)
    assert n >= 51


def assert_kept(history: History) -> None:
    """A hand printed in its own room is the same in everything that the room can tell."""
    name, played = history.source.dialect, replay(history)
    again = read(printed(written_out(played), name), name)
    assert (again.seats, again.hero, again.unit) == (history.seats, history.hero, history.unit)
    assert (again.hand_id, again.played_at) == (history.hand_id, history.played_at)
    replayed = replay(again)
    assert_same(played, replayed)
    assert replayed.decisions == tuple(
        replace(old, line=new.line, column=new.column)
        for old, new in zip(played.decisions, replayed.decisions, strict=True)
    )
    assert (replayed.stakes, replayed.stacks) == (played.stakes, played.stacks)
    assert replayed.rake == played.rake


# ---- What is made up


def test_unnamed_players_get_a_name_that_is_free() -> None:
    seats = [
        Seat(n, {1: "Player 4", 2: "Player 3-2", 5: "Player 3"}.get(n, "")) for n in range(1, 8)
    ]
    again = read(printed(replace(WHOLE, seats=tuple(seats)), "pokerstars"), "pokerstars")
    assert [seat.name for seat in again.seats] == [
        *("Player 4", "Player 3-2", "Player 3-3", "Player 4-2", "Player 3", "Player 6", "Player 7")
    ]


def test_unlimited_stacks_are_round_and_last() -> None:
    deep = read(printed(WHOLE, "pokerstars"), "pokerstars")
    assert {seat.stack for seat in deep.seats} == {100 * 200}
    assert all(stack and stack > 0 for stack in replay(deep).stacks.values())


def test_an_all_in_of_a_stack_that_nobody_counted() -> None:
    script = "1a 2a \n 3: 1=7c.Qs/7h 2=Ad.Jd/8d \n 1B 2b100 1c60!"
    short = out(hand(script, stakes=replace(SAUND_STAKES, cap_heads_up=None)))
    again = read(printed(short, "pokerstars"), "pokerstars")
    assert [seat.stack for seat in again.seats] == [110, 20_000]
    assert_same(replay(short), replay(again))


@pytest.mark.parametrize(
    ("hand_id", "name", "expected"),
    [
        ("17", "bovada", "17"),
        ("my hand", "kingsclub", "538560995609087120"),
        ("my hand", "pokerstars", "538560995609087120"),
        ("16976649-2-1645389014", "winamax", "16976649-2-1645389014"),
        ("", "pokerstars", "0"),
        ("", "fulltilt", "0"),
    ],
)
def test_the_number_of_a_hand(hand_id: str, name: str, expected: str) -> None:
    history = replace(WHOLE, hand_id=hand_id)
    assert read(printed(history, name), name).hand_id == expected


@pytest.mark.parametrize("name", ROOMS)
def test_names_of_hands_become_numbers_that_differ(name: str) -> None:
    words = ["steal", "open-pair", "17b", "16976649-2-16453890141", "30000002-116x", "steal"]
    ids = [read(printed(replace(WHOLE, hand_id=w), name), name).hand_id for w in words]
    own = {"winamax": words[3]}.get(name)
    assert all(re.fullmatch("[1-9][0-9]{17}", number) for number in ids if number != own)
    assert ids[0] == ids[-1]
    assert len(set(ids)) == len(words) - 1


def test_hands_of_another_room_have_numbers_that_differ() -> None:
    ids = [f"16976649-{n}-1645389014" for n in range(share(200))]
    logs = [printed(replace(WHOLE, hand_id=one), "pokerstars") for one in ids]
    assert len({read(log, "pokerstars").hand_id for log in logs}) == len(ids)
    assert all(re.match(r"PokerStars Hand #[0-9]+: ", log) for log in logs)


def test_a_table_that_the_form_cannot_hold_gives_way() -> None:
    history = replace(WHOLE, table="Harbour VI", played_at=" 9 May\n2011 ")
    assert read(printed(history, "bovada"), "bovada").table == "1"
    again = read(printed(history, "pokerstars"), "pokerstars")
    assert (again.table, again.played_at) == ("Harbour VI", "9 May 2011")


def test_hands_that_the_record_does_not_show_are_shown_if_all_are_known() -> None:
    assert shows(printed(WHOLE, "pokerstars")) == ["1", "2"]
    unseen = tuple(
        replace(event, down=(None,) * len(event.down))
        if isinstance(event, Deal) and event.seat == 2
        else event
        for event in WHOLE.events
    )
    assert shows(printed(replace(WHOLE, events=unseen), "pokerstars")) == []
    muck = (*WHOLE.events, Muck(2))
    text = printed(replace(WHOLE, events=muck), "pokerstars")
    assert shows(text) == []
    assert "Seat 2: Player 2 mucked [Ad Jd 8d Kc As 7d 4h]\n" in text


def shows(text: str) -> list[str]:
    return re.findall(r"^Player (\d): shows", text, re.MULTILINE)


def test_remarks_are_not_printed() -> None:
    chat = (*WHOLE.events[:9], Remark("Lena: folds [As Ks] lol 5"), *WHOLE.events[9:])
    for name in ROOMS:
        assert printed(replace(WHOLE, events=chat), name) == printed(WHOLE, name)


# ---- What cannot be printed


ODD_BETS = replace(SAUND_STAKES, bets=(100, 100, 200, 200, 400))
FREE = replace(SAUND_STAKES, bring_in=0)
DEAL = "1a 2a \n 3: 1=7c.Qs/7h 2=Ad.Jd/8d"
SHORT = partial(hand, f"{DEAL} \n 1B 2r100 1f")
TWINS = (Seat(1, "Ann"), Seat(2, "Ann"), *(Seat(n) for n in range(3, 8)))


@pytest.mark.parametrize(
    ("history", "reason"),
    [
        (replace(WHOLE, variant="27razz"), "PokerStars has no logs of deuce-to-seven razz"),
        (replace(WHOLE, variant="whist"), "PokerStars has no logs of another game"),
        (SHORT(stakes=ODD_BETS), "one small bet and, from 5th street, one big"),
        (hand(DEAL, stakes=FREE), "no games without a bring-in"),
        (replace(WHOLE, unit=Unit(2, "kr")), "cannot stand in a log of PokerStars as an amount"),
        (replace(WHOLE, seats=TWINS), "'Ann' is seated twice"),
        (replace(WHOLE, seats=WHOLE.seats[1:]), "nobody sits in seat 1"),
        (replace(WHOLE, seats=(*WHOLE.seats, Seat(11))), "there is no seat 11"),
        (replace(WHOLE, seats=()), "nobody sits in seat 1"),
        (
            changed(WHOLE, Wager, Wager(5, Action.BRING_IN, 15)),
            "seat 5 brings in for 0.15 (expected 0.25)",
        ),
        (changed(WHOLE, Deal, Deal(1, cards("7c Qs"))), "seat 1 gets no card on 3rd street"),
        (changed(WHOLE, Deal, Deal(1, (None, None), (None,))), "some of seat 1 were not seen"),
        (changed(random_hand(343, 8), SharedCard, SharedCard(None)), "that nobody saw"),
    ],
)
def test_what_a_log_cannot_hold_is_refused_in_words(history: History, reason: str) -> None:
    with pytest.raises(ValueError, match=re.escape(reason)):
        printed(history, "pokerstars")


def test_a_first_bet_that_would_not_tell_the_stakes() -> None:
    script = "1a 2a 3a \n 3: 1=7c.Qs/7h 2=Ad.Jd/8d 3=5d.Ac/9d \n 1B 2r60 3r100 1f 2c"
    short = out(hand(script, stacks={1: 900, 2: 85, 3: 900}))
    assert replay(short).problem is None
    with pytest.raises(ValueError, match="the first bets of this hand would not tell them"):
        printed(short, "bovada")
    assert_same(replay(short), replay(read(printed(short, "fulltilt"), "fulltilt")))
    odd = SHORT(stakes=replace(SAUND_STAKES, bets=(100, 100, 150, 150, 150)))
    with pytest.raises(ValueError, match="the first bets of this hand would not tell them"):
        printed(odd, "bovada")


def test_a_call_of_a_bring_in_that_nobody_posted_whole() -> None:
    script = "1a 2a 3a \n 3: 1=7c.Qs/7h 2=Ad.Jd/8d 3=5d.Ac/9d \n 1B10! 2c25 3f"
    short = out(hand(script, stacks={1: 35, 2: 900, 3: 900}))
    assert replay(short).problem is None
    for name in ROOMS:
        if name != "kingsclub":  # A quarter of the small bet is its custom.
            with pytest.raises(ValueError, match="do not state the bring-in"):
                printed(short, name)
