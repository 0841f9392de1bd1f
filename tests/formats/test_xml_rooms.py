"""Rooms that write XML: invented hands of iPoker and Merge, and XML that is meant to do harm."""

from __future__ import annotations

from pathlib import Path

import pytest

from handread.formats.log_reader import read_bytes, read_text
from handread.formats.xml_grammar import read_elements
from handread.game.replay import replay
from handread.history import Ante, History, Problem, Remark
from tests.hands import one
from tests.invented_logs import IPOKER, MERGE
from tests.program import run

BOTH = [pytest.param(IPOKER, id="ipoker"), pytest.param(MERGE, id="merge")]


def test_a_hand_of_ipoker() -> None:
    hand = one(IPOKER)
    assert (hand.table, hand.played_at) == ("Larch, 910000002", "2012-03-04 20:15:27")
    # What "win" says of a loser is the bet that came back to it.
    assert replay(hand).returned == (6, 1)


def test_a_hand_of_merge() -> None:
    hand = one(MERGE)
    assert hand.table == "Larch (31000001)"
    assert [e.text for e in hand.events if isinstance(e, Remark)] == ["7: FOLD <me>"]


def test_merge_adds_an_uncalled_bet_to_what_the_winner_gets() -> None:
    lines = [line for line in MERGE.split("\n") if 'uncalled="true"' not in line]
    played = replay(one("\n".join(lines).replace("4.00", "5.00", 1)))
    assert (played.problem, played.won) == (None, {1: 430})


def test_stacks_of_a_tournament_are_those_after_the_antes() -> None:
    chips = MERGE.replace('gametype="39"', 'gametype="77" multigametype="41"')
    chips = chips.replace('-7|false"', '-7|true"').replace("$", "").replace("Limit 0.50/1", "Limit")
    hand = one(chips)
    assert [seat.stack for seat in hand.seats] == [1585, 145, 905]
    assert (hand.stakes.small, hand.stakes.inferred) == (50, True)
    last_chips = chips.replace('type="ANTE"', 'type="ALL_IN"', 1)
    worded = one(last_chips)
    assert (worded.seats, worded.events[0]) == (hand.seats, Ante(1, 5, all_in=True))
    assert worded.events[1:] == hand.events[1:]


@pytest.mark.parametrize(
    ("kind", "number", "variant"),
    [("75", "43", "stud8"), ("77", "45", "stud8"), ("77", "49", "razz"), ("77", "23", "other")],
)
def test_games_of_a_mix_are_told_by_their_number(kind: str, number: str, variant: str) -> None:
    mixed = MERGE.replace('gametype="39"', f'gametype="{kind}" multigametype="{number}"')
    mixed = mixed.replace("-7|false", "-7|true") if kind == "77" else mixed
    assert one(mixed).variant == variant


def test_hands_on_one_line_and_sessions_without_an_end() -> None:
    second = IPOKER.replace("910000011", "910000012").replace("Stud L €0.05/€0.10", "Stud Hi-Lo L")
    third = IPOKER[IPOKER.index(" <game ") :].replace("910000011", "910000013")
    text = IPOKER + second + third.lstrip() + "<game gamecode='910000014'"
    hands = list(read_text(text.replace("</game>\n<game", "</game><game"), "a.xml"))
    found = [h.variant if isinstance(h, History) else (h.line, h.column) for h in hands]
    assert found[:3] == ["stud", "stud8", "stud8"]
    merge = MERGE + MERGE[MERGE.index("<game ") :] * 2
    readings = read_text(merge, "a.xml")
    assert [isinstance(one, History) and one.problems for one in readings] == [()] * 3


@pytest.mark.parametrize(
    ("text", "old", "new", "column", "message"),
    [
        (IPOKER, '"16"', '"99"', 42, "'99' is not what the type of <action> can be"),
        (IPOKER, "C4<", "four<", 4, "'four' is not what <cards> can be"),
        (IPOKER, 'Lena" type="0"', 'L" type="0"', 4, "nobody named 'L' sits in this hand"),
        (MERGE, '"FOLD"', '"FLOD"', 22, "'FLOD' is not what the type of <event> can be"),
        (MERGE, '3" amount="0.35"', '4" amount="0.35"', 1, "nobody sits in seat 4 in this hand"),
        (MERGE, "Jc,3h", "Jc,3x", 22, "'8s,8c,7s,7h,Kc,Jc,3x' is not what the cards of <cards>"),
        (MERGE, ' gametype="39"', "", 1, "the multigametype of <game> is missing"),
        (MERGE, "</game>", "</gam>", 3, "this is not XML: mismatched tag"),
    ],
)
def test_what_is_wrong_stands_at_its_place(
    text: str, old: str, new: str, column: int, message: str
) -> None:
    place = text.index(old)
    (reading,) = read_text(text[:place] + new + text[place + len(old) :], "a.xml")
    problem = reading if isinstance(reading, Problem) else reading.problems[0]
    assert (problem.line, problem.column) == (text.count("\n", 0, place) + 1, column)
    assert problem.message.startswith(message)
    assert new in problem.text


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        (MERGE, 'player="0" amount="1.00"', 'player="0" amount="1.50"'),
        (MERGE, 'cards="null,null,7s,7h" player="3"', 'cards="null,null,7s,7h,8d" player="3"'),
        (MERGE, '<player seat="3"', '<player seat="0"'),
        (IPOKER, 'no="12" player="Rolf &amp; Co" type="3"', 'no="12" player="Lena" type="3"'),
    ],
)
@pytest.mark.parametrize("between", ["\n", "", " "])
def test_what_breaks_the_rules_stands_at_its_element(
    text: str, old: str, new: str, between: str
) -> None:
    before, after = text.replace("\n", between).split(old, 1)
    broken = before + new + after
    (hand,) = read_text(broken, "a.xml")
    problem = replay(hand).problem
    begin = broken.rfind("<", 0, len(before) + 1)
    line_begin = broken.rfind("\n", 0, begin) + 1
    assert problem.line == broken.count("\n", 0, begin) + 1
    assert problem.column == begin - line_begin + 1


BOMB = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">' + "".join(
    f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 20)
)


@pytest.mark.parametrize(
    ("put", "message"),
    [
        (BOMB + "]><x>&a19;</x>", "this XML defines entities"),
        ('<!DOCTYPE x SYSTEM "file:///etc/passwd">', "this XML declares a document type"),
        ("<!DOCTYPE x>", "this XML declares a document type; it is not followed"),
        ("<!DOCTYPE x [<!ELEMENT y ANY>]>", "this XML declares a document type"),
        ('<!DOCTYPE x [<!ENTITY y SYSTEM "file:///etc/passwd">]>', "entities; they are not"),
    ],
)
@pytest.mark.parametrize("text", BOTH)
def test_no_entity_is_followed(text: str, put: str, message: str) -> None:
    before, hand = text[: text.index("<game ")], text[text.index("<game ") :]
    readings = list(read_text(before + put + hand, "a.xml"))
    assert [type(one) for one in readings] == [Problem, History]
    assert message in str(readings[0])
    (inside,) = read_text(text.replace("<round ", put + "<round ", 1), "a.xml")
    assert isinstance(inside, Problem)
    (used,) = read_text(text.replace("Žofie", "&y;", 1), "a.xml")
    assert "undefined entity" in used.message


@pytest.mark.parametrize(
    ("declares", "message"),
    [
        ("", "this XML declares a document type; it is not followed"),
        (' SYSTEM "x.dtd"', "this XML declares a document type; it is not followed"),
        (" [<!ELEMENT y ANY>]", "this XML declares a document type; it is not followed"),
        (' [<!ENTITY y "z">]', "this XML defines entities; they are not followed"),
    ],
)
def test_no_element_is_read_behind_a_declaration(declares: str, message: str) -> None:
    elements = read_elements(f"<!DOCTYPE x{declares}><x/>")
    assert elements.found == []
    assert elements.error[2] == message


@pytest.mark.parametrize("text", BOTH)
def test_an_ampersand_that_begins_nothing_stands_for_itself(text: str) -> None:
    (plain,) = read_text(text.replace("Lena", "L &amp; M"), "a.xml")
    (careless,) = read_text(text.replace("Lena", "L & M"), "a.xml")
    assert careless == plain
    assert careless.seats[0].name == "L & M"


@pytest.mark.parametrize("text", BOTH)
def test_what_is_very_deep_or_long_is_a_problem(text: str) -> None:
    (deep,) = read_text(text.replace("</round>", "<a>" * 100_000 + "</round>", 1), "a.xml")
    assert "more than 64 deep" in deep.message
    hand = one(text.replace("Žofie", "Ž" * 10_000, 1))
    assert "holds 10,000 characters" in hand.problems[0].message


@pytest.mark.parametrize("between", ["\n", ""], ids=["lines", "one line"])
@pytest.mark.parametrize("text", BOTH)
def test_refused_hands_are_read_again_when_they_are_mended(
    text: str, between: str, tmp_path: Path
) -> None:
    begin = text.index("<game ")
    hand = text[begin : text.index("</game>") + 7]
    broken = hand.replace('type="15"', 'type="99"', 1).replace('"ANTE"', '"ANTER"', 1)
    log, rejects = tmp_path / "log.xml", tmp_path / "rejects.xml"
    log.write_text(text[:begin] + between.join([hand, broken, broken, hand]), encoding="utf-8")
    done = run("check", "--keep-repeated", "--rejects", str(rejects), str(log))
    assert done.returncode == 1
    assert "4 hands: 2 accepted, 2 refused" in done.stdout
    assert "the type of <" in done.stderr
    kept = rejects.read_text(encoding="utf-8")
    rejects.write_text(kept.replace('"99"', '"15"').replace("ANTER", "ANTE"), encoding="utf-8")
    assert run("check", str(rejects)).returncode == 0
    assert list(read_bytes(rejects.read_bytes(), "rejects.xml")) == [one(text)] * 2
