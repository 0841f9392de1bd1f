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

from handread import read_hands
from handread.formats.format import Writer
from handread.formats.grammar import parse_grammar
from handread.formats.registry import writer_named
from handread.formats.room import room
from handread.formats.styles import LabelStyle
from handread.game.replay import replay, written_out
from handread.game.rules import SAUND_STAKES, Unit
from handread.history import Action, Deal, History, Muck, Remark, Seat, SharedCard, Show, Wager
from tests.examples import few
from tests.hands import cards, hand, one, random_hand
from tests.invented_logs import BODOG, STARS, TILT
from tests.logs import log
from tests.printing import ROOMS, WHOLE, WRITERS, assert_same, changed, out, printed, read
from tests.program import SAMPLES


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


@pytest.mark.parametrize(
    ("name", "text"), [("pokerstars", STARS), ("fulltilt", TILT), ("bovada", BODOG)]
)
def test_an_invented_hand_as_its_own_room_writes_it(name: str, text: str) -> None:
    assert printed(out(one(text)), name) == log(f"printed/invented-{name}.txt")


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


@pytest.mark.parametrize("name", WRITERS)
def test_the_hand_of_the_design_notes_as_each_format_writes_it(name: str) -> None:
    dollars = replace(WHOLE, unit=Unit(2, "$"), hand_id="70123456", table="Harbour VI")
    text = printed(replace(dollars, played_at="2011/05/09 12:34:56 ET"), name)
    assert text == log(f"printed/{name}.txt")
    again = read(text, name)
    assert again.hand_id == "70123456"
    assert again.table == ("1" if name == "bovada" else "Harbour VI")


@pytest.mark.parametrize(
    ("name", "field", "text", "line"),
    [
        ("ongame", "table", "Larch", "Table: Larch [0] ("),
        ("partypoker", "table", "Table  130001", "Table Table  130001 (Real Money)"),
        ("fulltilt", "table", "Table 7", ": Table Table 7 - "),
        ("fulltilt", "table", "Sit & Go (2), Table 1", ": Sit & Go (2), Table 1 - "),
        ("winamax", "hand_id", "10000002-12-1600000001", "HandId: #10000002-12-1600000001 - "),
        ("winamax", "hand_id", "", "HandId: #0-0-0 - "),
        ("ongame", "hand_id", "R5-70000001-57", "History for hand R5-70000001-57 *"),
        ("bovada", "hand_id", "17", "Bovada Hand #17 "),
        ("pokerstars", "hand_id", "", "PokerStars Hand #0: "),
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
    assert printed(replace(WHOLE, unit=Unit(0, "")), "partypoker").count("7 Card Stud") == 1


# ---- Round trips


@pytest.mark.parametrize("name", few(ROOMS, 4))
def test_what_is_not_posted_is_the_rooms_custom(name: str) -> None:
    hands = (out(random_hand(seed, 4, SAUND_STAKES)) for seed in range(6))
    stakes = {replay(read(printed(hand, name), name)).stakes for hand in hands}
    assert {found.bring_in for found in stakes} <= {25, 30, 40, 50}
    assert {found.cap_heads_up for found in stakes} == {None}
    assert {found.bets for found in stakes if not found.inferred} <= {SAUND_STAKES.bets}


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
    names = [seat.name.removeprefix("Player ") for seat in again.seats]
    assert names == ["4", "3-2", "3-3", "4-2", "3", "6", "7"]


def test_unlimited_stacks_are_round_and_last() -> None:
    deep = read(printed(WHOLE, "pokerstars"), "pokerstars")
    assert {seat.stack for seat in deep.seats} == {100 * 200}


def test_an_all_in_of_a_stack_that_nobody_counted() -> None:
    script = "1a 2a \n 3: 1=7c.Qs/7h 2=Ad.Jd/8d \n 1B 2b100 1c60!"
    short = out(hand(script, stakes=replace(SAUND_STAKES, cap_heads_up=None)))
    again = read(printed(short, "pokerstars"), "pokerstars")
    assert [seat.stack for seat in again.seats] == [110, 20_000]
    assert_same(replay(short), replay(again))


@pytest.mark.parametrize("name", ROOMS)
def test_names_of_hands_become_numbers_that_differ(name: str) -> None:
    words = ["steal", "open-pair", "17b", "16976649-2-16453890141", "30000002-116x", "steal"]
    ids = [read(printed(replace(WHOLE, hand_id=w), name), name).hand_id for w in words]
    own = {"winamax": words[3]}.get(name)
    assert all(re.fullmatch("[1-9][0-9]{17}", number) for number in ids if number != own)
    assert ids[0] == ids[-1]
    assert len(set(ids)) == len(words) - 1


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
        (changed(WHOLE, Wager, Wager(5, Action.BRING_IN, 15)), "for 0.15 (expected 0.25)"),
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


# ---- What a log does not keep


NAMED = replace(
    WHOLE,
    hand_id="7001",
    table="12",
    played_at="2026/03/14 20:05:09 ET",
    unit=Unit(2, "$"),
    seats=tuple(replace(seat, name=f"P{seat.number}", stack=90_000) for seat in WHOLE.seats),
)
SHORT_SHOW = [Show(1, cards("7c 7h Js Jh Qs")), Muck(2)]


def as_read(history: History, name: str) -> History:
    """A hand as it is read from the log of a room."""
    return writer_named(name).written(written_out(replay(history))).read.history


@pytest.mark.parametrize("name", sorted(set(ROOMS) - {"ongame", "winning-old"}))
def test_a_show_of_five_cards_is_written_whole(name: str) -> None:
    whole = replace(WHOLE, events=(*WHOLE.events[:-2], *SHORT_SHOW, *WHOLE.events[-2:]))
    shows = [event for event in as_read(whole, name).events if isinstance(event, Show)]
    assert [set(show.cards) for show in shows if show.seat == 1] == [
        set(cards("7c Qs 7h 8h Js 2c Jh"))
    ]


def test_a_show_of_some_cards_is_a_muck_where_the_rest_is_not_known() -> None:
    unseen = tuple(
        replace(event, down=(None,) * len(event.down))
        if getattr(event, "seat", 0) == 2 and getattr(event, "down", ())
        else event
        for event in NAMED.events
    )
    part = [Show(1, cards("7c Qs 7h 8h Js 2c Jh")), Show(2, cards("?? ?? 8d Kc As 7d ??"))]
    again = as_read(replace(NAMED, events=(*unseen[:-2], *part, *unseen[-2:])), "pokerstars")
    assert [e.seat for e in again.events if isinstance(e, Show)] == [1]
    assert [e.seat for e in again.events if isinstance(e, Muck)] == [2]


@pytest.mark.parametrize(
    ("name", "field", "value", "again"),
    [
        ("bovada", "table", "Alcor II", "1"),
        ("pokerstars", "hand_id", "R5-1", "101880963588409943"),
        ("pokerstars", "hero", 2, None),
        ("ongame", "hero", 2, 2),
        ("pokerstars", "played_at", "2023-06-22", "2023/06/22 0:00:00 ET"),
    ],
)
def test_the_page_of_formats_is_right_about_what_is_lost(
    name: str, field: str, value: object, again: object
) -> None:
    found = getattr(as_read(replace(NAMED, **{field: value}), name), field)
    assert found == again
