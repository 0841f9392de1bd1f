"""The text logs of poker rooms: invented hands of every form, broken lines, and real logs."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from handread.cards import Card, parse_card
from handread.formats import grammar as grammar_file
from handread.formats.log_reader import read_file, read_text
from handread.formats.registry import detect
from handread.formats.room import Room, room, rooms
from handread.formats.xml import XmlRoom
from handread.game.replay import replay
from handread.game.rules import Stakes, Unit
from handread.game.wagers import plain_events
from handread.history import (
    Action,
    Ante,
    Collect,
    Deal,
    History,
    Muck,
    Rake,
    Remark,
    Seat,
    SharedCard,
    Show,
    StreetStart,
    TotalPot,
    Uncalled,
    Wager,
)
from handread.inference.analysis import analyze_replay
from handread.known_cards import known_downcards
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
from tests.program import SAMPLES
from tests.rooms_table import HEAD, accounts, table


def problems(text: str) -> list[tuple[int, int, str]]:
    return [(p.line, p.column, p.message) for p in one(text).problems]


def cards(text: str) -> tuple[Card, ...]:
    return tuple(map(parse_card, text.split()))


def play(hand: History, *kinds: type) -> list[object]:
    return [event for event in hand.events if isinstance(event, kinds)]


def test_a_stars_hand_is_read_whole() -> None:
    hand = one(STARS)
    assert hand.problems == ()
    assert hand.source.line == 1
    assert hand.source.dialect == "pokerstars"
    assert (hand.hand_id, hand.variant, hand.hero) == ("190000000004", "stud", 1)
    assert (hand.table, hand.played_at) == ("Alcor II", "2011/03/09 1:17:48 CET")
    assert hand.unit == Unit(2, "$")
    assert hand.stakes == Stakes(2, 5, (10, 10, 20, 20, 20), 4, None, open_pair_doubles=True)
    assert hand.end_line == STARS.count("\n")
    assert hand.seats == (
        Seat(1, "Lena", 1000),
        Seat(3, "Mr. calls 5", 57),
        Seat(4, "老王", 240, sitting_out=True),
    )
    nothing = (None, None)
    assert hand.events == (
        *(Ante(seat, 2) for seat in (1, 3, 4)),
        StreetStart(3),
        Deal(1, cards("Ac Kd"), cards("8c")),
        Deal(3, nothing, cards("2d")),
        Deal(4, nothing, cards("Td")),
        Wager(3, Action.BRING_IN, 5),
        Wager(4, Action.FOLD),
        Wager(1, Action.RAISE, to=10),
        Remark("Ossi joins the table at seat #7"),
        Wager(3, Action.CALL, 5),
        StreetStart(4),
        Deal(1, (), cards("8d")),
        Deal(3, (), cards("2h")),
        Remark("Pair on board - a double bet is allowed"),
        Wager(1, Action.BET, 20),
        Wager(3, Action.CALL, 20),
        StreetStart(5),
        Deal(1, (), cards("3s")),
        Deal(3, (), cards("4s")),
        Remark('Lena said, "Mr. calls 5: folds"'),
        Wager(1, Action.CHECK),
        Wager(3, Action.BET, 20),
        Wager(1, Action.CALL, 20),
        StreetStart(6),
        Deal(1, (), cards("5s")),
        Deal(3, (), cards("9s")),
        Wager(1, Action.BET, 20),
        Wager(3, Action.CALL, 5, all_in=True),
        Uncalled(1, 15),
        StreetStart(7),
        SharedCard(parse_card("6h")),
        Show(1, cards("Ac Kd 8c 8d 3s 5s")),
        Muck(3),
        Collect(1, 111, "pot"),
        TotalPot(116),
        Rake(5),
        Muck(3, cards("Qd Jh 2d 2h 4s 9s")),
    )
    assert [event.line for event in hand.events][:4] == [6, 7, 8, 9]
    assert known_downcards(hand) == {1: cards("Ac Kd"), 3: cards("Qd Jh")}
    assert replay(hand).problem is None


def test_a_tilt_tournament_hand_with_a_run_out() -> None:
    hand = one(TILT)
    assert hand.problems == ()
    assert (hand.unit, hand.hero) == (Unit(0, ""), 1)
    assert hand.stakes == Stakes(15, 25, (80, 80, 160, 160, 160), 4, None, open_pair_doubles=True)
    assert wagers(hand.events, Action.BRING_IN, Action.BET, Action.CALL, Action.RAISE) == [
        Wager(2, Action.BRING_IN, 25),
        Wager(1, Action.RAISE, to=80),
        Wager(2, Action.RAISE, to=160),
        Wager(1, Action.RAISE, to=240),
        Wager(2, Action.CALL, 80),
        Wager(2, Action.BET, 80),
        Wager(1, Action.RAISE, to=160),
        Wager(2, Action.RAISE, to=240, all_in=True),
        Wager(1, Action.CALL, 80),
    ]
    assert play(hand, Remark) == [
        Remark("Rolf is low with [2s]"),
        Remark("Rolf: Lena folds [As Ks] lol 5"),
        Remark("Lena has 15 seconds left to act"),
    ]
    assert known_downcards(hand) == {1: cards("7d Kd Qc"), 2: cards("Ad Ah 5d")}
    assert play(hand, Collect) == [Collect(2, 990, "pot")]
    assert replay(hand).problem is None


@pytest.mark.parametrize("deal", ["Seat+1 : {} [6d]", "Seat+3 [ME] : {} [2s]"])
def test_a_7th_card_is_missed_where_deals_alone_tell_the_streets(deal: str) -> None:
    text = BODOG.replace(deal.format("Card dealt to a spot") + "\n", "")
    assert text != BODOG
    (problem,) = one(text).problems
    assert "gets no card on 7th street" in problem.message


def test_downcards_that_only_a_deal_line_reveals() -> None:
    hand = one(TILT.replace("Rolf shows [Ah Ad 2s Ts]\n", ""))
    assert play(hand, Show)[0] == Show(2, cards("Ah Ad 2s Ts"))


def test_a_bodog_hand_tells_its_streets_by_blocks_of_deals() -> None:
    hand = one(BODOG)
    assert hand.problems == ()
    assert hand.stakes is not None
    assert (hand.stakes.inferred, hand.hero) == (True, 3)
    assert hand.seats == (Seat(1, "", 80), Seat(3, "", 81))
    assert [(e.street, e.line) for e in hand.events if isinstance(e, StreetStart)] == [
        (3, 6),
        (4, 14),
        (5, 18),
        (6, 25),
        (7, 27),
    ]
    assert wagers(hand.events, Action.BET, Action.CALL, Action.RAISE) == [
        Wager(3, Action.RAISE, to=10),
        Wager(1, Action.RAISE, to=20),
        Wager(3, Action.CALL, 10),
        Wager(3, Action.BET, 20, double=True),
        Wager(1, Action.CALL, 20),
        Wager(1, Action.BET, 20),
        Wager(3, Action.RAISE, to=40, all_in=True),
        Wager(1, Action.CALL, 19, all_in=True),
    ]
    assert play(hand, Deal)[-1] == Deal(3, cards("2s"))
    assert known_downcards(hand) == {1: cards("7h 8c 6d"), 3: cards("Jc Qh 2s")}
    assert play(hand, Collect) == [Collect(1, 155)]
    assert replay(hand).problem is None


@pytest.mark.parametrize(
    ("before", "written", "event"),
    [
        ("", "All-in $0.05", Wager(1, Action.BET, 5, all_in=True)),
        ("Seat+3 : Bets $0.10\n", "All-in $0.05", Wager(1, Action.CALL, 5, all_in=True)),
        ("Seat+3 : Bets $0.10\n", "All-in $0.10", Wager(1, Action.CALL, 10, all_in=True)),
        ("Seat+3 : Bets $0.10\n", "All-in $0.15", Wager(1, Action.RAISE, to=15, all_in=True)),
        (
            "Seat+3 : Bets $0.10\n",
            "All-in(raise) $0.20",
            Wager(1, Action.RAISE, to=20, all_in=True),
        ),
        ("", "Hand Result-Side Pot $0.10", Collect(1, 10, "side pot")),
        ("", "Does not show [7h 8c 2c] (High Card)", Muck(1, cards("7h 8c 2c"))),
    ],
)
def test_what_a_line_of_bovada_is(before: str, written: str, event: object) -> None:
    head = "\n".join(BODOG.splitlines()[:8])
    hand = one(f"{head}\n{before}Seat+1 : {written}\n")
    assert list(plain_events(hand.events))[-1] == event


@pytest.mark.parametrize(
    ("header", "variant"),
    [
        ("Game #1:  7 Card Stud Limit ($0.04/$0.08 USD) - 2009/10/05 9:41:27 ET", "stud"),
        ("Game #1:  7 Card Stud Limit ($2/$4) - 2008/01/12 - 19:32:50 (ET)", "stud"),
        ("Game #1:  7 Card Stud Hi/Lo Limit (€2/€4 EUR) - 2009/10/05 9:41:27 ET ", "stud8"),
        ("Game #1:  Razz Limit ($1/$2) - 2008/08/30 11:20:05 ET ", "razz"),
        (
            "Game #1: TOURNAMENT #2, $20+$2 7 CARD STUD HI/LO LIMIT - LEVEL I (25/50) - 2009/07/03",
            "stud8",
        ),
        ("Hand #1: Tournament #2, $9+$1 USD 7 Card Stud Limit - Level IV (50/100) - 2010", "stud"),
        (
            "Hand #1: Tournament #2, $3.00+$0.30 USD Triple Stud (7 Card Stud Limit) - Level XXXI "
            "(250/500) - 2013/01/02 3:04:05 EET [2013/01/01 20:04:05 ET]",
            "stud",
        ),
        ("Hand #1: Tournament #2, Freeroll  7 Card Stud Limit - Level I (10/20) - 2013", "stud"),
        ("Hand #1:  8-Game (7 Card Stud Limit, $300/$600 USD) - 2017/02/11 14:36:20 ET", "stud"),
        ("Hand #1:  HORSE (Razz Limit, $4/$8 USD) - 2017/02/11 14:36:20 ET", "razz"),
        (
            "Home Game Hand #1: {Nora's Den} Tournament #2, 50+5 8-Game (7 Card Stud Limit) - "
            "Match Round I, Level IV (30/60) - 2013/05/02 0:12:09 ET",
            "stud",
        ),
        ("Hand #1:  Hold'em No Limit ($0.01/$0.02 USD) - 2017/02/11 14:36:20 ET", "other"),
    ],
)
def test_headers_of_stars(header: str, variant: str) -> None:
    (hand,) = read_text(f"PokerStars {header}\nSeat 1: Lena (100 in chips)\n", "a.txt")
    assert isinstance(hand, History)
    assert (hand.variant, hand.hand_id) == (variant, "1")
    assert (hand.stakes is not None) == (variant != "other")


@pytest.mark.parametrize(
    ("header", "variant"),
    [
        ("Table Alder - $15/$30 Ante $3 - Limit Stud Hi - 21:03:17 ET - 2008/07/15", "stud"),
        (
            "Table Alder (6 max) - $0.10/$0.20 Ante $0.02 - Limit Stud H/L - "
            "14:25:36 CCT - 2010/11/20 [01:25:36 ET - 2010/11/20]",
            "stud8",
        ),
        ("$5 Sit & Go (2), Table 1 - 80/160 Ante 15 - Limit Razz - 07:15:42 ET - 2011", "razz"),
        ("Table Alder - $2/$4 Ante $1 - Limit 5 Card Stud - 07:15:42 ET - 2011", "5stud"),
        ("Table Alder - $0.50/$1 - No Limit Hold'em - 07:15:42 ET - 2011", "other"),
    ],
)
def test_headers_of_tilt(header: str, variant: str) -> None:
    (hand,) = read_text(f"Full Tilt Poker Game #1: {header}\nSeat 1: Lena (100)\n", "a.txt")
    assert isinstance(hand, History)
    assert hand.variant == variant


@pytest.mark.parametrize(
    ("header", "variant"),
    [
        ("Bovada Hand #1 TBL#2 7CARD Fixed Limit - 2012-05-19 21:14:33", "stud"),
        ("Bodog Hand #1 TBL#2 7CARD HiLo Fixed Limit - 2012-05-19 21:14:33", "stud8"),
        (
            "Bovada Hand #1: 7CARD Tournament #2 TBL#1, Fixed Limit- Level 1 (0/0) - 2012-06-10",
            "stud",
        ),
        ("Bovada Hand #1: Zone Poker ID#12 HOLDEMZonePoker No Limit - 2014-01-02", "other"),
    ],
)
def test_headers_of_bovada(header: str, variant: str) -> None:
    (hand,) = read_text(f"{header}\nSeat+1: 100 in chips\n", "a.txt")
    assert isinstance(hand, History)
    assert hand.variant == variant


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (
            "5: calls $0.20",
            "5: cals $0.20",
            (23, 14, "'cals' makes no sense here; did you mean 'calls'?"),
        ),
        (
            "Lena: bets",
            "Lana: bets",
            (22, 1, "nobody named 'Lana' sits in this hand; did you mean 'Lena'?"),
        ),
        ("[2h]", "[damp]", (20, 28, "'damp]' makes no sense here")),
        (
            "Uncalled bet",
            "Uncaled bet",
            (36, 1, "'Uncaled' makes no sense here; did you mean 'Uncalled'?"),
        ),
        ("*** 5th", "*** 5ht", (24, 5, "'5ht' makes no sense here; did you mean '5th'?")),
        ("Rake $0.05", "Rake", (43, 23, "the line ends too early")),
        (
            "5 mucked [Qd",
            "5 mukced [Qd",
            (46, 21, "'mukced' makes no sense here; did you mean 'mucked'?"),
        ),
        ("[8d]\n", "[8d Jd]\n", (19, 30, "'Jd]' makes no sense here")),
        ("[Ac Kd 8c]\n", "[Ac 8c]\n", (10, 1, "2 cards dealt to one player on 3rd street")),
        ("Seat 4: ", "Seat 3: ", (5, 1, "seat 3 is listed twice")),
        ("Seat 4: ", "Seat 44: ", (5, 1, "there is no seat 44")),
        ("Lena: checks", "Lena: checks" + 500 * " x", (28, 501, "the line has 1,012 characters")),
    ],
)
def test_a_broken_line_is_a_problem_at_its_place(
    old: str, new: str, expected: tuple[int, int, str]
) -> None:
    text = STARS.replace(old, new, 1)
    assert problems(text)[0] == expected
    (first, *_) = one(text).problems
    assert first.file == "hands.txt"
    assert first.text == text.splitlines()[first.line - 1].rstrip()


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
    assert stakes is not None
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
    assert problems(STARS.splitlines()[0]) == [(1, 1, "no player sits in this hand")]


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


def test_the_table_tells_what_became_of_the_hands(tmp_path: Path) -> None:
    hi_lo = WINAMAX.replace("Stud fixed", "Stud Hi/Lo fixed")
    cut = WINAMAX.replace("collected 1.11€", "collected 2.11€")
    (tmp_path / "w.txt").write_text(WINAMAX + EXPORT + hi_lo + cut, encoding="utf-8")
    (tmp_path / "p.txt").write_text(PARTY, encoding="utf-8")
    (tmp_path / "x.txt").write_text("nothing", encoding="utf-8")
    found = accounts(sorted(tmp_path.iterdir()))
    lacks = "not analyzed: the log does not list the upcards; the hand can be replayed"
    figures = {names: (len(a.files), a.hands, a.accepted) for names, a in found.items()}
    assert figures == {
        ("PartyPoker", "seven-card stud"): (1, 1, 1),
        ("Winamax", "seven-card stud"): (1, 3, 2),
        ("Winamax", "seven-card stud hi/lo"): (1, 1, 1),
        ("none", ""): (1, 0, 0),
    }
    assert [account.analyzed for account in found.values()] == [0, 1, 1, 0]
    reasons = [reason for room in found for reason in found[room].reasons]
    assert reasons == [
        f"{lacks}, but the holdings cannot be inferred",
        f"{lacks}, but the holdings cannot be inferred",
        "refused: the seats collect €2.11 and the house €0.05, but the pot is €1.06",
        "not understood: this does not look like a hand history that handread can read",
    ]
    first, *_, last = table(found)
    assert first.split() == " ".join(HEAD).split()
    assert last.split() == ["all", "4", "5", "4", "2"]


# ---- Telling one room from another


def test_detection_compiles_no_grammar_but_that_of_the_room(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    logs = (path for path in SAMPLES.iterdir() if path.suffix in (".txt", ".xml"))
    texts = {path.stem: path.read_text("utf-8") for path in logs}
    expected = {stem: stem.removeprefix("simulated-") for stem in texts}

    compiled: list[str] = []
    parse = grammar_file.parse_grammar

    def noted(text: str, file: str) -> grammar_file.AnyGrammar:
        compiled.append(file)
        return parse(text, file)

    monkeypatch.setattr(grammar_file, "parse_grammar", noted)
    try:
        for stem, text in texts.items():
            rooms.cache_clear()
            compiled.clear()
            found = detect(text)
            assert found is not None
            assert found.name == expected[stem]
            assert set(compiled) <= {f"{found.name}.toml"}
    finally:
        rooms.cache_clear()


@pytest.mark.parametrize("installed", rooms(), ids=lambda installed: installed.name)
def test_the_head_of_a_grammar_says_what_the_whole_says(installed: Room | XmlRoom) -> None:
    whole = room(installed.grammar)
    assert type(installed) is type(whole)
    assert (installed.name, installed.title) == (whole.name, whole.title)
    assert installed.starts == whole.starts


# ---- Real logs


def real_logs(folder: Path, site: str) -> Sequence[tuple[Path, Counter[str]]]:
    """The logs of a room and how many hands of each variant their list says they hold."""
    listed = json.loads((folder.parent / "manifest.json").read_text(encoding="utf-8"))
    return [
        (path, Counter(entry["game"]) + Counter(other=entry["other_hands"]))
        for entry in listed
        if entry["site"] == site and (path := folder.parent / entry["file"]).exists()
    ]


@pytest.mark.parametrize(("site", "n"), [("PokerStars", 15), ("FullTilt", 14), ("Bovada", 22)])
def test_real_logs(real_hands: Path, site: str, n: int) -> None:
    stud = 0
    for path, expected in real_logs(real_hands, site):
        hands = [hand for hand in read_file(path) if isinstance(hand, History)]
        assert Counter(hand.variant for hand in hands) == expected, path.name
        for hand in hands:
            assert hand.problems == (), path.name
            if hand.variant == "stud":
                stud += 1
                played = replay(hand)
                assert played.problem is None
                assert played.finished
    assert stud == n
