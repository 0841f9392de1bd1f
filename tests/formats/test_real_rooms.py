"""Real logs of every room: nothing in them is unread, and their own totals are met.

What the rooms say of pots, rake and winnings is found here by small expressions of their own, so
that the reader is not its own judge.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from handread.formats.log_reader import read_text
from handread.formats.saund import SAUND
from handread.game.replay import replay
from handread.game.steps import Replay
from handread.history import History, Remark
from handread.sessions.opening import read_file
from tests.decoding import decode
from tests.printing import assert_same

AMOUNT = r"[$€£]?\s*([0-9][0-9.,]*[0-9]|[0-9])[€]?"
STATED, INCLUDED, EXCLUDED, EITHER = "stated", "included", "excluded", "either"


@dataclass(frozen=True)
class Words:
    """How a room tells the end of a hand, in expressions for a line or an element.

    ``pot`` and ``kept`` find amounts, ``won`` who (a name, or a number that is ``first`` for seat
    1) and an amount. ``after`` says that the rake is out of the pot, ``uncalled`` whether a bet
    that nobody called is in what its owner gets.
    """

    won: str
    uncalled: str
    pot: str = ""
    kept: tuple[str, ...] = ()
    after: bool = False
    first: int | None = None


POT, RAKE = rf"^Total pot {AMOUNT}", rf"^Total pot .*\| Rake {AMOUNT}"
STARS_WON = rf"^(?P<who>.+) collected {AMOUNT} from (?:main |side )?pot"
TILT_WON = rf"^(?P<who>.+) wins the (?:[a-z]+ )*pot \({AMOUNT}\)"
BOVADA_WON = rf"^Seat\+(?P<who>\d+)[^:]*: Hand [Rr]esult(?:-Side [Pp]ot)? {AMOUNT}"
BOVADA = rf"^Total Pot\({AMOUNT}\)", (rf"\| Rake \({AMOUNT}\)",)
WINAMAX = rf"^Total pot {AMOUNT}", (rf"\| Rake {AMOUNT}",)
WINNING_WON = rf"^Seat \d+: (?P<who>.+?) (?:did not show|showed .*) and won {AMOUNT}"
WINNING = POT, (rf"^Total pot.*Rake {AMOUNT}", rf"^Total pot.*JP Fee {AMOUNT}")
OLD_WON = rf"^\*Player (?P<who>.+?) (?:shows:|mucks|does not).*Collects: {AMOUNT}\. Wins"
OLD = rf"^Pot: {AMOUNT}\.", (rf"^Pot: .*Rake {AMOUNT}", rf"^Pot: .*JP fee {AMOUNT}")
ONGAME_WON = rf"^.*pot.*: .* won by (?P<who>.+) \({AMOUNT}\)"
ONGAME = rf"^.*pot.*: {AMOUNT} won by", (rf"^Rake taken: {AMOUNT}",)
KINGS_WON = rf"^(?P<who>.+) wins .*pot.* \({AMOUNT}\)"
MERGE_WON = rf'<winner amount="{AMOUNT}" uncalled="false" .*?player="(?P<who>\d+)"'
IPOKER_WON = rf'<player [^>]*?seat="(?P<who>\d+)"[^>]*? win="{AMOUNT}"'
ROOMS = {
    "pokerstars": Words(STARS_WON, STATED, POT, (RAKE,)),
    "fulltilt": Words(TILT_WON, STATED, POT, (RAKE,)),
    "bovada": Words(BOVADA_WON, STATED, *BOVADA, first=1),
    "winamax": Words(rf"^(?P<who>.+) collected {AMOUNT} from", INCLUDED, *WINAMAX, after=True),
    "winning": Words(WINNING_WON, STATED, *WINNING, after=True),
    "winning-old": Words(OLD_WON, STATED, *OLD, after=True),
    "everleaf": Words(rf"^(?P<who>.+) wins {AMOUNT} (?:USD|EURO) from", EXCLUDED),
    "partypoker": Words(rf"^(?P<who>.+) wins (?:Lo \()?{AMOUNT} (?:USD|chips)", INCLUDED),
    "ongame": Words(ONGAME_WON, EITHER, *ONGAME),
    "kingsclub": Words(KINGS_WON, EXCLUDED, kept=(rf"^Rake {AMOUNT}",)),
    "merge": Words(MERGE_WON, EITHER, first=0),
    "ipoker": Words(IPOKER_WON, INCLUDED, first=1),
}


def listed(folder: Path) -> list[tuple[Path, Mapping[str, int]]]:
    """The real files and how many hands of each variant their list says they hold."""
    entries = json.loads((folder.parent / "manifest.json").read_text(encoding="utf-8"))
    return [
        (path, Counter(entry["game"]) + Counter(other=entry["other_hands"]))
        for entry in entries
        if (path := folder.parent / entry["file"]).exists()
    ]


def hands_of(path: Path) -> Iterator[History]:
    for reading in read_file(path):
        assert isinstance(reading, History), f"{path.name}: {reading}"
        yield reading


def minor(hand: History, text: str) -> int:
    """An amount of a log in minor units."""
    whole, _, part = text.replace(",", "").partition(".")
    decimals = hand.unit.decimals
    assert len(part) <= decimals
    return int(whole + part.ljust(decimals, "0"))


def found(hand: History, text: str, expression: str) -> list[int]:
    """The amounts that the room's words have before them."""
    return [minor(hand, hit[1]) for hit in re.finditer(expression, text, re.MULTILINE)]


def won(hand: History, text: str, words: Words) -> Counter[int]:
    """What each seat collects by the words of the room."""
    sums: Counter[int] = Counter()
    names = {seat.name: seat.number for seat in hand.seats}
    for hit in re.finditer(words.won, text, re.MULTILINE):
        who, amount = hit["who"], next(g for g in hit.groups() if g and g != hit["who"])
        seat = names[who] if words.first is None else int(who) + 1 - words.first
        sums[seat] += minor(hand, amount)
    return +sums


def check_totals(played: Replay, text: str) -> None:
    """The pot, the rake and what each seat collects are those of the text."""
    hand, words = played.history, ROOMS[played.history.source.dialect]
    where = f"{hand.source.file}:{hand.source.line}"
    back = Counter(dict([played.returned] if played.returned else []))
    pots = found(hand, text, words.pot) if words.pot else []
    kept = [amount for expression in words.kept for amount in found(hand, text, expression)]
    if kept:
        assert played.rake == sum(kept), where
    if pots:
        total = sum(pots) + (sum(kept) if words.after else 0)
        possible = {played.pot}
        if words.uncalled in (INCLUDED, EITHER):
            possible.add(played.pot + back.total())
        assert total in possible, where
    sums, paid = won(hand, text, words), Counter(played.won)
    assert sums, where
    with_back = {INCLUDED: [paid + back], EITHER: [paid, paid + back]}
    assert sums in with_back.get(words.uncalled, [paid]), where
    assert played.pot == paid.total() + played.rake, where


def test_every_file_holds_the_hands_that_are_listed(real_hands: Path) -> None:
    for path, expected in listed(real_hands):
        assert Counter(hand.variant for hand in hands_of(path)) == expected, path.name


@pytest.mark.dear("every real hand")
def test_every_hand_is_accepted_and_its_totals_are_met(real_hands: Path) -> None:
    met: Counter[str] = Counter()
    games: Counter[str] = Counter()
    for path, _ in listed(real_hands):
        lines = re.split("\r\n?|\n", decode(path.read_bytes()))
        for hand in hands_of(path):
            if hand.variant == "other":
                continue
            played = replay(hand)
            assert played.problem is None, path.name
            assert played.finished, path.name
            assert played.findings == (), path.name
            if hand.source.dialect in ROOMS:
                check_totals(played, "\n".join(lines[hand.source.line - 1 : hand.end_line]))
            met[hand.source.dialect] += 1
            games[hand.variant] += 1
    assert {*met} == {*ROOMS, "phh"}
    assert games == {"stud": 145, "stud8": 45, "razz": 50, "27razz": 1, "5stud": 1}


@pytest.mark.dear("every real hand, written and read again")
def test_the_hands_of_a_file_come_back_from_saunds_notation(real_hands: Path) -> None:
    written = 0
    for path, _ in listed(real_hands):
        played = [replay(hand) for hand in hands_of(path) if hand.variant != "other"]
        text = "".join(SAUND.joined(map(SAUND.write, played)))
        for one, again in zip(played, read_text(text, "night.stud"), strict=True):
            assert isinstance(again, History), path.name
            assert_same(one, replay(again))
            written += 1
    assert written == 242


def test_no_line_is_unread(real_hands: Path) -> None:
    for path, _ in listed(real_hands):
        for hand in hands_of(path):
            if hand.variant != "other":
                assert hand.problems == (), path.name
                unknown = [e for e in hand.events if isinstance(e, Remark) and not e.known]
                assert unknown == [], path.name
