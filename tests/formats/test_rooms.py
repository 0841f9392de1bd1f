"""The text logs of poker rooms: invented hands of every form, broken lines, and real logs."""

from __future__ import annotations

import re

import pytest

from handread.cards import Card, parse_card
from handread.formats import grammar as grammar_file
from handread.formats.log_reader import read_text
from handread.formats.registry import BUILT_IN
from handread.formats.room import Room, room, rooms
from handread.formats.xml import XmlRoom
from handread.game.replay import replay
from handread.game.rules import Unit
from handread.game.wagers import plain_events
from handread.history import Action, Collect, Deal, History, Muck, Remark, Show, StreetStart, Wager
from handread.inference.analysis import analyze_replay
from handread.policy import load_policy
from tests.hands import one, wagers
from tests.invented_logs import (
    BODOG,
    EVERLEAF_JULY,
    EXPORT,
    KINGS,
    PARTY,
    STARS,
    TILT,
    WINAMAX,
    steps,
)
from tests.logs import log
from tests.program import SAMPLES


def cards(text: str) -> tuple[Card, ...]:
    return tuple(map(parse_card, text.split()))


def play(hand: History, *kinds: type) -> list[object]:
    return [event for event in hand.events if isinstance(event, kinds)]


def test_what_the_reading_of_a_stars_hand_leaves_out() -> None:
    hand = one(STARS)
    assert (hand.table, hand.played_at) == ("Alcor II", "2011/03/09 1:17:48 CET")
    assert (hand.source.line, hand.end_line, hand.unit) == (1, STARS.count("\n"), Unit(2, "$"))
    assert play(hand, Remark, Collect) == [
        Remark("Ossi joins the table at seat #7"),
        Remark("Pair on board - a double bet is allowed"),
        Remark('Lena said, "Mr. calls 5: folds"'),
        Collect(1, 111, "pot"),
    ]
    assert [event.line for event in hand.events][:4] == [6, 7, 8, 9]


def test_what_the_reading_of_a_tilt_hand_leaves_out() -> None:
    hand = one(TILT)
    assert play(hand, Remark, Collect) == [
        Remark("Rolf is low with [2s]"),
        Remark("Rolf: Lena folds [As Ks] lol 5"),
        Remark("Lena has 15 seconds left to act"),
        Collect(2, 990, "pot"),
    ]


def test_a_bodog_hand_tells_its_streets_by_blocks_of_deals() -> None:
    hand = one(BODOG)
    lines = {e.street: e.line for e in hand.events if isinstance(e, StreetStart)}
    assert lines == {3: 6, 4: 14, 5: 18, 6: 25, 7: 27}


@pytest.mark.parametrize("deal", ["Seat+1 : {} [6d]", "Seat+3 [ME] : {} [2s]"])
def test_a_7th_card_is_missed_where_deals_alone_tell_the_streets(deal: str) -> None:
    text = BODOG.replace(deal.format("Card dealt to a spot") + "\n", "")
    assert text != BODOG
    (problem,) = one(text).problems
    assert "gets no card on 7th street" in problem.message


def test_downcards_that_only_a_deal_line_reveals() -> None:
    hand = one(TILT.replace("Rolf shows [Ah Ad 2s Ts]\n", ""))
    assert play(hand, Show)[0] == Show(2, cards("Ah Ad 2s Ts"))


@pytest.mark.parametrize(
    ("before", "written", "event"),
    [
        ("", "All-in $0.05", Wager(1, Action.BET, 5, all_in=True)),
        ("Seat+3 : Bets $0.10\n", "All-in $0.05", Wager(1, Action.CALL, 5, all_in=True)),
        ("Seat+3 : Bets $0.10\n", "All-in $0.10", Wager(1, Action.CALL, 10, all_in=True)),
        ("Seat+3 : Bets $0.10\n", "All-in $0.15", Wager(1, Action.RAISE, to=15, all_in=True)),
        ("", "Hand Result-Side Pot $0.10", Collect(1, 10, "side pot")),
        ("", "Does not show [7h 8c 2c] (High Card)", Muck(1, cards("7h 8c 2c"))),
    ],
)
def test_what_a_line_of_bovada_is(before: str, written: str, event: object) -> None:
    head = "\n".join(BODOG.splitlines()[:8])
    hand = one(f"{head}\n{before}Seat+1 : {written}\n")
    assert list(plain_events(hand.events))[-1] == event


SEATED = {"PokerStars": "Seat 1: Lena (100 in chips)", "Full": "Seat 1: Lena (100)"}
"""The line of a seat by the first word of a header; others are those of Bovada."""


@pytest.mark.parametrize("line", log("headers.txt").splitlines())
def test_first_lines_name_the_game(line: str) -> None:
    header, variant = line.rsplit("|", 1)
    seat = SEATED.get(header.split()[0], "Seat+1: 100 in chips")
    hand = one(f"{header}\n{seat}\n")
    assert (hand.variant, hand.hand_id) == (variant, "1")
    if header.startswith("PokerStars"):
        assert (hand.stakes is not None) == (variant != "other")


@pytest.mark.parametrize(
    ("old", "new", "line", "column", "message"),
    [
        ("calls $0.20", "cals $0.20", 23, 14, "'cals' makes no sense here; did you mean 'calls'?"),
        ("na: bets", "no: bets", 22, 1, "nobody named 'Leno' sits in this hand; did you mean 'Le"),
        ("[2h]", "[damp]", 20, 28, "'damp]' makes no sense here"),
        ("*** 5th", "*** 5ht", 24, 5, "'5ht' makes no sense here; did you mean '5th'?"),
        ("Rake $0.05", "Rake", 44, 23, "the line ends too early"),
        ("[8d]\n", "[8d Jd]\n", 19, 30, "'Jd]' makes no sense here"),
        ("[Ac Kd 8c]\n", "[Ac 8c]\n", 10, 1, "2 cards dealt to one player on 3rd street"),
        ("Seat 4: ", "Seat 3: ", 5, 1, "seat 3 is listed twice"),
        ("Seat 4: ", "Seat 44: ", 5, 1, "there is no seat 44"),
        (": checks", ": checks" + 500 * " x", 28, 501, "the line has 1,012 characters"),
    ],
)
def test_a_broken_line_is_a_problem_at_its_place(
    old: str, new: str, line: int, column: int, message: str
) -> None:
    text = STARS.replace(old, new, 1)
    (first, *_) = one(text).problems
    assert (first.line, first.column) == (line, column)
    assert first.message.startswith(message)
    assert (first.file, first.text) == ("hands.txt", text.splitlines()[line - 1].rstrip())


def test_a_broken_line_leaves_what_stands_before_it() -> None:
    whole, broken = one(STARS), one(STARS.replace("Lena: checks", "Lena: chekcs"))
    assert Wager(1, Action.CHECK) in whole.events
    assert broken.events == whole.events[: whole.events.index(Wager(1, Action.CHECK))]


def test_unknown_notices_are_kept_as_they_stand() -> None:
    hand = one(STARS.replace("*** SHOW", "The dealer wishes you luck\n*** SHOW"))
    assert hand.problems == ()
    assert Remark("The dealer wishes you luck") in hand.events


def test_winnings_are_taken_from_the_summary_only_if_the_play_is_silent() -> None:
    silent = one(STARS.replace("Lena collected $1.11 from pot\n", ""))
    assert play(silent, Collect) == [Collect(1, 111)]


@pytest.mark.parametrize(
    ("line", "bring_in"),
    [
        ("Mr. calls 5: brings in for $0.05", 5),
        ("Mr. calls 5: brings in for $0.01 and is all-in", 5),
        ("Mr. calls 5: bets $0.10", 5),
    ],
)
def test_the_bring_in_of_the_stakes(line: str, bring_in: int) -> None:
    stakes = one(STARS.replace("Mr. calls 5: brings in for $0.05", line)).stakes
    assert stakes.bring_in == bring_in


def test_the_owner_of_the_bring_in_completes_at_once() -> None:
    text = TILT.replace("Rolf brings in for 25\nLena", "Rolf completes it to 80\nLena")
    assert wagers(one(text).events, Action.BET, Action.RAISE)[0] == Wager(2, Action.BET, 80)


def test_hands_are_split_at_their_first_lines() -> None:
    razz = STARS.replace("7 Card Stud Limit", "Razz Limit")
    torn = "PokerStars Hand #7:  7 Card Stud Limit ($0.10$0.20 USD) - 2011\nSeat 1: Lena (5)\n"
    text = "\n\n".join(["Seat 1: a torn beginning", STARS, torn, razz, STARS])
    readings = list(read_text(text.replace("\n", "\r\n"), "a.txt"))
    kinds = [r.variant if isinstance(r, History) else (r.line, r.column) for r in readings]
    assert kinds == [(1, 1), "stud", (52, 46), "razz", "stud"]


def test_a_header_alone_has_no_players() -> None:
    (problem,) = one(STARS.splitlines()[0]).problems
    assert (problem.line, problem.message) == (1, "no player sits in this hand")


# ---- What is peculiar to other rooms


@pytest.mark.parametrize("head", [PARTY, PARTY[25:], PARTY.partition("\n*")[2].join(["*", ""])])
def test_the_first_lines_of_partypoker_may_be_missing(head: str) -> None:
    readings = list(read_text(head + "\n\n" + PARTY + head, "hands.txt"))
    assert [r.hand_id if isinstance(r, History) else r for r in readings] == ["9100000001"] * 3
    assert all(isinstance(r, History) and r.problems == () for r in readings)


@pytest.mark.parametrize("text", [EXPORT, EVERLEAF_JULY, PARTY])
def test_a_log_without_upcards_is_said_to_lack_them(text: str) -> None:
    read = analyze_replay(replay(one(text)), load_policy("loose"))
    assert read.stages == ()
    assert not read.complete
    (problem,) = read.problems
    assert "the log does not list the upcards of seat" in problem.message
    assert "the hand can be replayed, but the holdings cannot be inferred" in problem.message


def test_winnings_of_everleaf_never_include_an_uncalled_bet() -> None:
    text = log("everleaf-fold-to-a-completion.txt")
    assert (replay(one(text)).won, replay(one(text)).returned) == ({3: 7}, (3, 3))
    problem = replay(one(text.replace("wins € 0.07", "wins € 0.10"))).problem
    assert problem is not None
    assert "collect" in problem.message or "pot" in problem.message


def test_labels_of_kingsclub_are_of_no_account() -> None:
    begun = KINGS.replace("Dealt to Lena: [Td", "*** 3RD STREET ***\nDealt to Lena: [Td")
    for late, early in (("6TH", "7TH"), ("5TH", "6TH"), ("4TH", "5TH"), ("*** 3RD", "*** 4TH")):
        begun = early.join(begun.rsplit(late, 1))
    assert "*** 7TH STREET ***\nDealt to Lena: [X]" in begun
    assert list(steps(one(begun))) == list(steps(one(KINGS)))


def test_what_a_raise_of_winamax_is_by_says_nothing() -> None:
    odd = WINAMAX.replace("raises 0.06€ to", "raises -0.04€ to")
    assert one(odd).events == one(WINAMAX).events


def test_a_raise_by_less_than_nothing_may_leave_out_the_bring_in() -> None:
    first = "Lena raises 6€ to 10€\nŽofie calls 6€\n"
    assert first in EXPORT
    again = "Lena raises 10€ to 10€\nŽofie raises -4€ to 16€\nLena calls 10€\n"
    cut = EXPORT.replace(first, again).replace("44€", "64€")
    played = replay(one(cut))
    assert played.problem is None
    assert [d.to for d in played.decisions[:2]] == [1000, 2000]


# ---- Telling one room from another


@pytest.mark.dear("it compiles the grammars of all rooms")
def test_detection_compiles_no_grammar_but_that_of_the_room(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    logs = [path for path in SAMPLES.iterdir() if path.suffix in (".txt", ".xml")]
    compiled: list[str] = []
    parse = grammar_file.parse_grammar

    def noted(text: str, file: str) -> grammar_file.AnyGrammar:
        compiled.append(file)
        return parse(text, file)

    monkeypatch.setattr(grammar_file, "parse_grammar", noted)
    try:
        for path in logs:
            rooms.cache_clear()
            compiled.clear()
            found = BUILT_IN.detect(path.read_text("utf-8"))
            assert found.name == path.stem.removeprefix("simulated-")
            assert set(compiled) <= {f"{found.name}.toml"}
    finally:
        rooms.cache_clear()


@pytest.mark.parametrize("installed", rooms(), ids=lambda installed: installed.name)
def test_the_head_of_a_grammar_says_what_the_whole_says(installed: Room | XmlRoom) -> None:
    whole = room(installed.grammar)
    assert type(installed) is type(whole)
    assert (installed.name, installed.title) == (whole.name, whole.title)
    assert installed.starts == whole.starts


@pytest.mark.parametrize("name", ["pokerstars", "fulltilt"])
def test_suits_may_be_signs(name: str) -> None:
    """As text copied from a window of a room has them: K♠."""
    text = (SAMPLES / f"{name}.txt").read_text("utf-8")
    signs = dict(zip("cdhs", "♣♦♥♠", strict=True))
    card = re.compile(r"(?<=[2-9TJQKA])[cdhs](?=[ \]])")
    with_signs = card.sub(lambda suit: signs[suit[0]], text)
    assert with_signs.count("♠") > 5
    plain, copied = (
        [
            play(hand, Deal, Show, Wager)
            for hand in read_text(one, "a.txt")
            if isinstance(hand, History)
        ]
        for one in (text, with_signs)
    )
    assert all(plain)
    assert plain == copied
