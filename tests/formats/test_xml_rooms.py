"""Rooms that write XML: invented hands of iPoker and Merge, and XML that is meant to do harm."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handread.cards import cards_text
from handread.formats.log_reader import LogPiece, LogReader, read_bytes, read_text
from handread.formats.registry import dialect_named
from handread.formats.xml_grammar import read_elements
from handread.game.replay import replay
from handread.history import Ante, History, Problem, Remark, Seat
from tests.examples import examples
from tests.formats.test_every_room import steps
from tests.hands import one
from tests.program import run

IPOKER = """\
<?xml version="1.0" encoding="utf-8"?>
<session sessioncode="910000001">
 <general>
  <gametype>7 Card Stud L €0.05/€0.10</gametype>
  <tablename>Larch, 910000002</tablename>
  <nickname>Lena</nickname>}
 </general>
 <game gamecode="910000011">
  <general>
   <startdate>2012-03-04 20:15:27</startdate>
   <players>
    <player seat="1" name="Lena" chips="€2.67" dealer="1" win="€0" bet="€0.01" rebuy="0"/>
    <player seat="2" name="" chips="" dealer="0" win="" bet="" rebuy="0"/>
    <player seat="3" name="Rolf &amp; Co" chips="€0.35" dealer="0" win="€0.68" bet="€9" rebuy="0"/>
    <player seat="6" name="Žofie" chips="€4" dealer="0" win="€0.01" bet="€0.36" rebuy="0"/>
   </players>
  </general>
  <round no="0">
   <action no="2" player="Rolf &amp; Co" type="15" sum="€0.01" cards="[cards]"/>
   <action no="1" player="Lena" type="15" sum="€0.01" cards="[cards]"/>
   <action no="3" player="Žofie" type="15" sum="€0.01" cards="[cards]"/>
  </round>
  <round no="1">
  </round>
  <round no="2">
   <cards type="Third Street" player="Lena">X X H9</cards>
   <action no="6" player="Lena" type="0" sum="€0" cards=""/>
   <cards type="Third Street" player="Rolf &amp; Co">C10 D10 S4</cards>
   <action no="7" player="Rolf &amp; Co" type="3" sum="€0.03" cards=""/>
   <action no="4" player="Rolf &amp; Co" type="16" sum="€0.02" cards=""/>
   <cards type="Third Street" player="Žofie">S2 D2 H10</cards>
   <action no="5" player="Žofie" type="23" sum="€0.05" cards=""/>
  </round>
  <round no="3">
   <cards type="Fourth Street" player="Rolf &amp; Co">C4</cards>
   <action no="8" player="Rolf &amp; Co" type="5" sum="€0.05" cards=""/>
   <action no="10" player="Rolf &amp; Co" type="3" sum="€0.05" cards=""/>
   <cards type="Fourth Street" player="Žofie">DK</cards>
   <action no="9" player="Žofie" type="23" sum="€0.10" cards=""/>
  </round>
  <round no="4">
   <cards type="Fifth Street" player="Rolf &amp; Co">D7</cards>
   <action no="12" player="Rolf &amp; Co" type="3" sum="€0.10" cards=""/>
   <cards type="Fifth Street" player="Žofie">SK</cards>
   <action no="11" player="Žofie" type="5" sum="€0.10" cards=""/>
  </round>
  <round no="5">
   <cards type="Sixth Street" player="Rolf &amp; Co">H2</cards>
   <action no="14" player="Rolf &amp; Co" type="7" sum="€0.09" cards=""/>
   <cards type="Sixth Street" player="Žofie">C3</cards>
   <action no="13" player="Žofie" type="5" sum="€0.10" cards=""/>
  </round>
  <round no="6">
   <cards type="River" player="Rolf &amp; Co">S10</cards>
   <cards type="River" player="Žofie">HA</cards>
  </round>
 </game>
"""

IPOKER_STEPS = """
    1a1 3a1 6a1
    3: 1=????/9h 3=TcTd/4s 6=2s2d/Th 3i2 6r5 1f 3c3
    4: 3=/4c 6=/Kd 3b5 6r10 3c5
    5: 3=/7d 6=/Ks 6b10 3c10
    6: 3=/2h 6=/3c 6b10 3c9!
    7: 3=Ts/ 6=Ah/
    3won68 6won1
"""

MERGE = """\
<description type="7-Stud" stakes="Limit $0.50/$1"/>
<game id="31000001-7" starttime="20110908220212" numholecards="7" gametype="39" realmoney="true" \
data="20110908|Larch (31000001)|31000001|31000001-7|false">
<players dealer="5">
<player seat="0" nickname="Lena" balance="$15.80" dealtin="true" />
<player seat="3" nickname="Rolf &amp; &quot;Co&quot;" balance="$1.40" dealtin="true" />
<player seat="7" nickname="Žofie" balance="$9" dealtin="true" />
</players>
<round id="BLINDS" sequence="1">
<event sequence="1" type="ANTE" timestamp="1315533732000" player="0" amount="0.05"/>
<event sequence="2" type="ANTE" timestamp="1315533732000" player="3" amount="0.05"/>
<event sequence="3" type="ANTE" timestamp="1315533732000" player="7" amount="0.05"/>
</round>
<round id="BRING_IN" sequence="2">
<event sequence="4" type="BRING_IN" timestamp="1315533732000" player="7" amount="0.10"/>
<cards type="DRAW_DRAWN_CARDS" cards="null,null,7s" player="3"/>
<cards type="HOLE" cards="4d,3d,Qh" player="0" hand="Queen High"/>
<cards type="DRAW_DRAWN_CARDS" cards=",,2c" player="7"/>
</round>
<round id="THIRD_STREET" sequence="3">
<event sequence="8" type="CALL" timestamp="1315533732000" player="0" amount="0.50"/>
<event sequence="6" type="RAISE" timestamp="1315533732000" player="3" amount="1.00"/>
<event sequence="6" type="CHAT" timestamp="1315533732000" player="Rolf" text="7: FOLD &lt;me&gt;"/>
<event sequence="5" type="COMPLETE" timestamp="1315533732000" player="0" amount="0.50"/>
<event sequence="7" type="CALL" timestamp="1315533732000" player="7" amount="0.90"/>
</round>
<round id="FOURTH_STREET" sequence="4">
<event sequence="9" type="BET" timestamp="1315533732000" player="0" amount="0.50"/>
<event sequence="10" type="ALL_IN" timestamp="1315533732000" player="3" amount="0.35"/>
<event sequence="11" type="CALL" timestamp="1315533732000" player="7" amount="0.50"/>
<cards type="DRAW_DRAWN_CARDS" cards="null,null,7s,7h" player="3"/>
<cards type="DRAW_DRAWN_CARDS" cards=",,2c,9d" player="7"/>
<cards type="HOLE" cards="4d,3d,Qh,Qd" player="0" hand="Pair of Queens"/>
</round>
<round id="FIFTH_STREET" sequence="5">
<event sequence="12" type="BET" timestamp="1315533732000" player="0" amount="1.00"/>
<event sequence="13" type="FOLD" timestamp="1315533732000" player="7"/>
<cards type="DRAW_DRAWN_CARDS" cards="null,null,7s,7h,Kc" player="3"/>
<cards type="DRAW_DRAWN_CARDS" cards=",,2c,9d,9s" player="7"/>
<cards type="HOLE" cards="4d,3d,Qh,Qd,Ks" player="0" hand="Pair of Queens"/>
</round>
<round id="SIXTH_STREET" sequence="6">
<cards type="DRAW_DRAWN_CARDS" cards="null,null,7s,7h,Kc,Jc" player="3"/>
<cards type="HOLE" cards="4d,3d,Qh,Qd,Ks,2s" player="0"/>
</round>
<round id="SEVENTH_STREET" sequence="7">
<cards type="DRAW_DRAWN_CARDS" cards="null,null,7s,7h,Kc,Jc,null" player="3"/>
<cards type="HOLE" cards="4d,3d,Qh,Qd,Ks,2s,4h" player="0"/>
</round>
<round id="SHOWDOWN" sequence="8">
<event sequence="14" type="SHOW" timestamp="1315533732000" player="0"/>
<cards type="SHOWN" cards="4d,3d,Qh,Qd,Ks,2s,4h" player="0"/>
<cards type="MUCKED" cards="8s,8c,7s,7h,Kc,Jc,3h" player="3"/>
</round>
<round id="END_OF_GAME" sequence="9">
<winner amount="1.00" uncalled="true" potnumber="1" player="0" pottype="n"/>
<winner amount="4.00" uncalled="false" potnumber="1" player="0" pottype="h" hand="Two Pair" />
<winner amount="0.30" uncalled="false" potnumber="2" player="0" pottype="h" hand="Two Pair" />
</round>
</game>"""

MERGE_STEPS = """
    1a5 4a5 8a5
    3: 4=????/7s 1=4d3d/Qh 8=????/2c 8i10 1r50 4r100 8c90 1c50
    4: 4=/7h 8=/9d 1=/Qd 1b50 4c35! 8c50
    5: 4=/Kc 8=/9s 1=/Ks 1b100 8f
    6: 4=/Jc 1=/2s
    7: 4=??/ 1=4h/
    1shows4d3dQhQdKs2s4h 4mucks8s8c7s7hKcJc3h 1back100 1won400 1won30
"""

BOTH = [pytest.param(IPOKER, id="ipoker"), pytest.param(MERGE, id="merge")]


def test_a_hand_of_ipoker() -> None:
    hand = one(IPOKER)
    assert hand.problems == ()
    assert list(steps(hand)) == IPOKER_STEPS.split()
    assert (hand.hand_id, hand.hero, hand.table) == ("910000011", 1, "Larch, 910000002")
    assert (hand.unit.symbol, hand.played_at) == ("€", "2012-03-04 20:15:27")
    assert hand.seats == (Seat(1, "Lena", 267), Seat(3, "Rolf & Co", 35), Seat(6, "Žofie", 400))
    played = replay(hand)
    assert played.problem is None
    assert played.finished
    # What "win" says of a loser is the bet that came back to it.
    assert (played.won, played.rake, played.returned) == ({3: 68}, 3, (6, 1))
    downs = {seat: cards_text(cards) for seat, cards in played.downcards.items()}
    assert downs == {3: "Tc Td Ts", 6: "2s 2d Ah"}


def test_a_hand_of_merge() -> None:
    hand = one(MERGE)
    assert hand.problems == ()
    assert list(steps(hand)) == MERGE_STEPS.split()
    assert (hand.hand_id, hand.hero, hand.table) == ("31000001-7", 1, "Larch (31000001)")
    assert [seat.name for seat in hand.seats] == ["Lena", 'Rolf & "Co"', "Žofie"]
    assert [e.text for e in hand.events if isinstance(e, Remark)] == ["7: FOLD <me>"]
    played = replay(hand)
    assert played.problem is None
    assert (played.won, played.rake, played.returned) == ({1: 430}, 20, (1, 100))


def test_merge_adds_an_uncalled_bet_to_what_the_winner_gets() -> None:
    lines = [line for line in MERGE.split("\n") if 'uncalled="true"' not in line]
    played = replay(one("\n".join(lines).replace("4.00", "5.00", 1)))
    assert (played.problem, played.won) == (None, {1: 430})


def test_stacks_of_a_tournament_are_those_after_the_antes() -> None:
    chips = MERGE.replace('gametype="39"', 'gametype="77" multigametype="41"')
    chips = chips.replace('-7|false"', '-7|true"').replace("$", "").replace("Limit 0.50/1", "Limit")
    hand = one(chips)
    assert [seat.stack for seat in hand.seats] == [1585, 145, 905]
    assert hand.stakes is not None
    assert (hand.stakes.bet(3), hand.stakes.inferred) == (50, True)
    last_chips = chips.replace('type="ANTE"', 'type="ALL_IN"', 1)
    worded = one(last_chips)
    assert worded.seats == hand.seats
    assert worded.events[0] == Ante(1, 5, all_in=True)
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


@pytest.mark.parametrize("text", BOTH)
def test_pieces_of_any_size_give_the_same_hands(text: str) -> None:
    text = text + text[text.index("<game ") :] + text
    readings = list(read_text(text, "a.xml"))
    whole = [hand for hand in readings if isinstance(hand, History)]
    assert len(readings) == len(whole) == 3

    @examples(25)
    @given(size=st.integers(1, 9000), bit=st.integers(1, 9000))
    def same(size: int, bit: int) -> None:
        bits = (text[at : at + bit] for at in range(0, len(text), bit))
        name = "ipoker" if "gamecode" in text else "merge"
        pieces = LogReader(bits, "a.xml", dialect_named(name)).pieces(size)
        found = [h for p in pieces if isinstance(p, LogPiece) for h in p.read("a.xml")]
        assert found == whole
        sources = [isinstance(h, History) and h.source for h in found]
        assert sources == [h.source for h in whole]

    same()


@pytest.mark.parametrize(
    ("text", "old", "new", "column", "message"),
    [
        (IPOKER, '"16"', '"99"', 42, "'99' is not what the type of <action> can be"),
        (IPOKER, "C4<", "four<", 4, "'four' is not what <cards> can be"),
        (IPOKER, 'Lena" type="0"', 'L" type="0"', 4, "nobody named 'L' sits in this hand"),
        (MERGE, '"FOLD"', '"FLOD"', 22, "'FLOD' is not what the type of <event> can be"),
        (MERGE, '3" amount="0.35"', '4" amount="0.35"', 1, "nobody sits on seat 4 in this hand"),
        (MERGE, "Jc,3h", "Jc,3x", 22, "'8s,8c,7s,7h,Kc,Jc,3x' is not what the cards of <cards>"),
        (MERGE, "</game>", "</gam>", 3, "this is no XML: mismatched tag"),
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
    assert isinstance(hand, History)
    problem = replay(hand).problem
    assert problem is not None
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
        ('<!DOCTYPE x SYSTEM "file:///etc/passwd">', "this XML has a document type of its own"),
        ("<!DOCTYPE x>", "this XML has a document type of its own"),
        ("<!DOCTYPE x [<!ELEMENT y ANY>]>", "this XML has a document type of its own"),
        ('<!DOCTYPE x [<!ENTITY y SYSTEM "file:///etc/passwd">]>', "this XML defines entities"),
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
    assert isinstance(used, Problem)
    assert "undefined entity" in used.message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<!DOCTYPE x><x/>", "this XML has a document type of its own; it is not followed"),
        ('<!DOCTYPE x SYSTEM "x.dtd"><x/>', "this XML has a document type of its own"),
        ("<!DOCTYPE x [<!ELEMENT y ANY>]><x/>", "this XML has a document type of its own"),
        ('<!DOCTYPE x [<!ENTITY y "z">]><x/>', "this XML defines entities; they are not followed"),
    ],
)
def test_declarations_are_told_from_entities(text: str, message: str) -> None:
    elements = read_elements(text)
    assert elements.found == []
    assert elements.error is not None
    assert elements.error[2].startswith(message)


@pytest.mark.parametrize("text", BOTH)
def test_an_ampersand_that_begins_nothing_stands_for_itself(text: str) -> None:
    (plain,) = read_text(text.replace("Lena", "L &amp; M"), "a.xml")
    (careless,) = read_text(text.replace("Lena", "L & M"), "a.xml")
    assert careless == plain
    assert isinstance(careless, History)
    assert careless.seats[0].name == "L & M"


@pytest.mark.parametrize("text", BOTH)
def test_what_is_very_deep_or_long_is_a_problem(text: str) -> None:
    (deep,) = read_text(text.replace("</round>", "<a>" * 100_000 + "</round>", 1), "a.xml")
    assert isinstance(deep, Problem)
    assert "more than 64 deep" in deep.message
    hand = one(text.replace("Žofie", "Ž" * 10_000, 1))
    assert "holds 10,000 characters" in hand.problems[0].message


@pytest.mark.parametrize("text", BOTH)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_a_declared_encoding_does_not_count(text: str, encoding: str) -> None:
    declared = '<?xml version="1.0" encoding="shift-jis"?>\n'
    text = declared + text.removeprefix('<?xml version="1.0" encoding="utf-8"?>\n')
    for end in ("\n", "\r\n"):
        (hand,) = read_bytes(text.replace("\n", end).encode(encoding), "a.xml")
        assert hand == one(text)


def test_signs_of_windows_1252_are_read_too() -> None:
    (hand,) = read_bytes(IPOKER.encode("cp1252"), "a.xml")
    assert hand == one(IPOKER)


@pytest.mark.parametrize("text", BOTH)
def test_an_unfinished_hand_is_a_problem(text: str) -> None:
    begin = text.index("<game ")
    for end in (begin + 50, text.index("<round"), text.rindex("</game>") + 3):
        (reading,) = read_text(text[:end], "a.xml")
        assert isinstance(reading, Problem)
        assert "this is no XML" in reading.message


@pytest.mark.parametrize("text", BOTH)
def test_refused_hands_are_read_again_when_they_are_mended(text: str, tmp_path: Path) -> None:
    begin = text.index("<game ")
    broken = text[begin:].replace('type="15"', 'type="99"', 1).replace('"ANTE"', '"ANTER"', 1)
    log, rejects = tmp_path / "log.xml", tmp_path / "rejects.xml"
    log.write_text(text + broken + text[begin:], encoding="utf-8")
    done = run("check", "--rejects", str(rejects), str(log))
    assert done.returncode == 1
    assert "3 hands: 2 accepted, 1 refused" in done.stdout
    assert "the type of <" in done.stderr
    kept = rejects.read_text(encoding="utf-8")
    rejects.write_text(kept.replace('"99"', '"15"').replace("ANTER", "ANTE"), encoding="utf-8")
    assert run("check", str(rejects)).returncode == 0
    (hand,) = read_bytes(rejects.read_bytes(), "rejects.xml")
    assert hand == one(text)


@pytest.mark.parametrize("text", BOTH)
def test_neighbours_on_one_line_are_both_kept_when_refused(text: str, tmp_path: Path) -> None:
    begin = text.index("<game ")
    hand = text[begin : text.index("</game>") + 7]
    broken = hand.replace('type="15"', 'type="99"', 1).replace('"ANTE"', '"ANTER"', 1)
    log, rejects = tmp_path / "log.xml", tmp_path / "rejects.xml"
    log.write_text(text[:begin] + hand + broken + broken + hand, encoding="utf-8")
    done = run("check", "--rejects", str(rejects), str(log))
    assert "4 hands: 2 accepted, 2 refused" in done.stdout
    kept = rejects.read_text(encoding="utf-8")
    readings = list(read_text(kept.replace('"99"', '"15"').replace("ANTER", "ANTE"), "a.xml"))
    assert readings == [one(text)] * 2


@pytest.mark.parametrize("text", BOTH)
def test_a_hand_is_found_by_its_line(text: str, tmp_path: Path) -> None:
    begin = text.index("<game ")
    log = tmp_path / "log.xml"
    log.write_text(text + "\n" + text[begin:].replace("0000", "1111", 1), encoding="utf-8")
    for line in (10, text.count("\n") + 12):
        done = run("check", f"{log}:{line}")
        assert done.returncode == 0
        assert done.stdout.startswith("1 hand")
