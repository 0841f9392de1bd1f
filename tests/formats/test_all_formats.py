"""All formats: each detects and reads its own logs in any encoding, and reads what it writes."""

from __future__ import annotations

from dataclasses import replace
from itertools import starmap

import pytest

from handread.formats.format import Writer
from handread.formats.log_reader import read_bytes, read_text
from handread.formats.registry import BUILT_IN, dialects, writer_named
from handread.game.replay import replay
from handread.history import Action, History, Remark, Seat, StreetStart
from tests.examples import few
from tests.hands import GOLDEN, hand, in_full, one, random_hand, wagers
from tests.invented_logs import BODOG, INVENTED, ONE_EACH, STARS, TILT, account, steps
from tests.logs import log
from tests.printing import NAMED, WHOLE, WRITERS, assert_same, out, printed, read

NOT_LINE_BY_LINE = ("kingsclub", "phh", "saund", "winning-old")
"""Formats in which later lines complete earlier events."""
ENDS = ("\n", "\r\n", "\r")
EACH = pytest.mark.parametrize(("name", "text"), ONE_EACH.values(), ids=list(ONE_EACH))


# ---- Reading


def test_every_format_has_a_log_here() -> None:
    assert {name for name, _ in ONE_EACH.values()} == {dialect.name for dialect in dialects()}
    assert set(WRITERS) == {dialect.name for dialect in dialects() if isinstance(dialect, Writer)}


@pytest.mark.parametrize("name", INVENTED)
def test_a_hand_in_the_words_of_its_room(name: str) -> None:
    hand = one(INVENTED[name])
    played = replay(hand)
    assert (hand.problems, played.problem, played.findings, played.finished) == ((), None, (), True)
    assert [e for e in hand.events if isinstance(e, Remark) and not e.known] == []
    readings = dict(zip(INVENTED, log("readings.txt").split("\n\n"), strict=True))
    assert account(hand) == readings[name].strip()


@EACH
@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_any_encoding_and_any_line_ends(name: str, text: str, encoding: str) -> None:
    dialect = BUILT_IN.detect(text)
    assert dialect.name == name
    for end in ENDS:
        (hand,) = read_bytes(text.replace("\n", end).encode(encoding), "hands.txt")
        assert hand == one(text)


@EACH
def test_letters_of_windows_1252_are_read_too(name: str, text: str) -> None:
    data = text.encode("cp1252", "replace")
    (hand,) = read_bytes(data, "hands.txt")
    assert hand == one(data.decode("cp1252"))


@EACH
def test_a_log_cut_short_is_a_problem_or_the_hand_so_far(name: str, text: str) -> None:
    whole = list(steps(one(text)))
    lines = text.splitlines(keepends=True)
    for kept in range(1, len(lines)):
        for reading in read_text("".join(lines[:kept]), "hands.txt", name):
            if isinstance(reading, History):
                found = list(steps(reading))
                last = max(0, len(found) - 1)  # which may have been longer
                assert found[:last] == whole[:last] or name in NOT_LINE_BY_LINE
            else:
                assert 1 <= reading.line <= len(lines)


# ---- Writing


@pytest.mark.parametrize("name", WRITERS)
@pytest.mark.parametrize("text", [STARS, TILT, BODOG], ids=["stars", "tilt", "bodog"])
def test_hands_go_from_format_to_format(name: str, text: str) -> None:
    assert_same(replay(one(text)), replay(read(printed(out(one(text)), name), name)))


@pytest.mark.parametrize("name", WRITERS)
def test_a_file_of_many_hands(name: str) -> None:
    hands = [replace(out(random_hand(n, 3)), hand_id=str(n)) for n in (1, 2, 3)]
    text = "".join(writer_named(name).write_all(hands))
    again = list(writer_named(name).read(text, "many.txt"))
    assert [h.hand_id for h in again if isinstance(h, History)] == ["1", "2", "3"]
    assert again == [read(printed(hand, name), name) for hand in hands]
    if name == "phh":  # which keeps everything
        assert list(map(in_full, again)) == hands


@pytest.mark.parametrize("name", few(WRITERS, 4))
def test_a_hand_may_stop_anywhere(name: str) -> None:
    events = WHOLE.events
    opening = next(n for n, event in enumerate(events) if event in wagers(events, Action.RAISE))
    for stop in range(opening, len(events) - 1, 2):
        if name == "saund" and isinstance(events[stop], StreetStart):
            continue  # A street without a card has no cell.
        part = out(replace(WHOLE, events=events[: stop + 1]))
        assert_same(replay(part), replay(read(printed(part, name), name)))


@pytest.mark.parametrize("name", WRITERS)
def test_what_is_left_to_the_rules_is_printed_as_it_was_played(name: str) -> None:
    if name != "saund":  # which may leave it to them too
        assert printed(hand(GOLDEN), name) == printed(replay(hand(GOLDEN)), name)
        assert printed(hand(GOLDEN), name) == printed(WHOLE, name)


NEXT_OPENS = hand(
    """
    1a25 2a25 3a25
    3: 1=7c.Qs/7h 2=Ad.Jd/Kd 3=5d.Ac/2d
    3B25 1r100 2c100! 3c75
    4: 1=Th 2=Kc 3=9s
    3k 1k
    5: 1=2c 2=3c 3=4c
    3k 1b200 3f
    6: 1=4s 2=5c
    7: 1=Jh/ 2=4h/
    """,
    stacks={1: 1000, 2: 125, 3: 1000},
)
"""Seat 2 shows kings and is all-in. Seat 3 opens, as in PokerKit; by the rule of rooms seat 1."""


def test_the_rule_of_rooms_holds_in_their_logs_only() -> None:
    assert replay(NEXT_OPENS).problem is not None
    played = replay(replace(NEXT_OPENS, any_opener=True))
    assert (played.problem, played.won) == (None, {2: 375})
    assert replay(NEXT_OPENS).problem.line == 5
    for name in ("phh", "saund"):
        assert_same(played, replay(read(writer_named(name).write(played), name)))
    with pytest.raises(ValueError, match=r"it is seat 1.* turn"):
        writer_named("pokerstars").write(played)


@pytest.mark.parametrize("name", ["phh", "saund", "pokerstars"])
def test_a_card_that_the_deck_need_not_share_is_named_by_strict(name: str) -> None:
    script = """
        1a25 2a25
        3: 1=7c.Qs/2h 2=Ad.Jd/8d
        1B25 2c25
        4: 1=8h 2=Kc  2k 1k
        5: 1=Js 2=As  2k 1k
        6: 1=2c 2=7d  1k 2k
        7: =6h        1k 2k
    """
    played = replay(read(writer_named(name).write(replay(hand(script))), name))
    assert played.problem is None
    (found,) = played.findings
    assert found.only_strict
    assert found.message == "a shared card is dealt, but the deck suffices"


@pytest.mark.parametrize("name", [*NAMED, "phh", "saund"])
def test_names_may_hold_words_of_a_log(name: str) -> None:
    odd = ["a: folds", "[As] ölé", "Mr. calls 5", "老王", "x (5)", "Dealt to"]
    seats = (*starmap(Seat, enumerate(odd, 1)), *WHOLE.seats[len(odd) :])
    again = read(printed(replace(WHOLE, seats=seats), name), name)
    assert [seat.name for seat in again.seats[: len(odd)]] == odd


@pytest.mark.parametrize(
    "odd", [" Ann", "Ann ", "a\nb", "a\x1b[31mb", "a\0b", "\ufeffa", 600 * "x"]
)
def test_names_that_no_log_can_hold_are_refused(odd: str) -> None:
    named = replace(WHOLE, seats=(Seat(1, odd), *WHOLE.seats[1:]))
    for name in NAMED:
        with pytest.raises(ValueError, match=r"cannot hold the line|cannot stand in a"):
            printed(named, name)
    assert printed(named, "bovada")
