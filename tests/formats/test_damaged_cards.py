"""A dealt card that cannot be read: it is told, and the hand is played with a card not seen."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handread import analyze
from handread.cards import MaybeCard, parse_card
from handread.formats.log_reader import read_bytes, read_text
from handread.formats.registry import writer_named
from handread.game.replay import replay
from handread.game.steps import Replay
from handread.history import History, Muck, Show
from tests.examples import examples
from tests.hands import one
from tests.invented_logs import IPOKER, MERGE, PARTY, WINAMAX
from tests.printing import WRITERS
from tests.program import SAMPLES, run

LOGS = [*sorted(SAMPLES.glob("*.txt")), *sorted(SAMPLES.glob("*.xml"))]

DEAL = re.compile(
    r"^(?:Dealt to|Dealing to|Seat\+\d.*Card dealt|Player .*received card|.* - Pocket"
    r"|\s*<cards type=\"(?:\w+ Street|River|DRAW_DRAWN_CARDS|HOLE)\").*",
    re.MULTILINE,
)
CARD = re.compile(r"(?<![\w.])(?:(?:10|[2-9TJQKA])[cdhs]|[CDHS](?:10|[2-9TJQKA]))(?!\w)")


@dataclass(frozen=True)
class Place:
    """A card on a line of a log that deals it, or lists it again."""

    file: str
    start: int
    end: int


@cache
def text_of(file: str) -> str:
    return (SAMPLES / file).read_text("utf-8")


@cache
def played(text: str) -> list[Replay]:
    hands = list(read_text(text, "log.txt"))
    assert all(isinstance(one, History) for one in hands)
    return [replay(one) for one in hands if isinstance(one, History)]


PLACES = [
    Place(path.name, deal.start() + card.start(), deal.start() + card.end())
    for path in LOGS
    for deal in DEAL.finditer(text_of(path.name))
    for card in CARD.finditer(deal[0])
]


def test_the_places_are_of_all_rooms() -> None:
    assert {place.file for place in PLACES} == {path.name for path in LOGS}


WORDS = ["of", "?", "7x", "Q", "9cc"]


def assert_same_play(before: Replay, after: Replay) -> None:
    """Everything is as it was, but for upcards that nobody saw now."""
    assert (after.history.problems, after.problem) == ((), None)
    assert (after.won, after.paid, after.finished) == (before.won, before.paid, before.finished)
    assert after.history.hero == before.history.hero
    for then, now in zip(before.streets, after.streets, strict=True):
        assert now.decisions == then.decisions
        for seat, cards in now.upcards.items():
            pairs = zip(cards, then.upcards[seat], strict=True)
            assert all(card in (None, seen) for card, seen in pairs)


@pytest.mark.thorough
@examples(50)
@given(st.sampled_from(PLACES), st.sampled_from(WORDS))
def test_one_damaged_card_changes_nothing_of_the_play(place: Place, word: str) -> None:
    text = text_of(place.file)
    found = played(text[: place.start] + word + text[place.end :])
    line = text.count("\n", 0, place.start) + 1
    column = place.start - text.rfind("\n", 0, place.start)
    (told,) = (one for hand in found for one in hand.history.damage)
    message = f"the card {word!r} cannot be read"
    assert (told.line, told.column, told.message) == (line, column, message)
    for before, after in zip(played(text), found, strict=True):
        assert_same_play(before, after)


@pytest.mark.thorough
@examples(50)
@given(st.sampled_from(PLACES), st.sampled_from(WORDS))
def test_a_card_that_is_damaged_on_every_deal_is_found_in_the_hand_shown(
    place: Place, word: str
) -> None:
    text = text_of(place.file)
    line = text.count("\n", 0, place.start) + 1
    hands = [one.history for one in played(text)]
    (n,) = (n for n, hand in enumerate(hands) if hand.source.line <= line <= hand.end_line)
    before, card = played(text)[n], text[place.start : place.end]
    lines = text.split("\n")
    damaged = 0
    for at in range(before.history.source.line - 1, before.history.end_line):
        if DEAL.match(lines[at]):
            lines[at], times = re.subn(rf"(?<!\w){card}(?!\w)", word, lines[at])
            damaged += times
    after = played("\n".join(lines))[n]
    assert len(after.history.damage) == damaged >= 1
    assert_same_play(before, after)
    shown = [event for event in after.history.events if isinstance(event, Show | Muck)]
    for then, now in zip(before.streets, after.streets, strict=True):
        for event in shown:
            if len(event.cards) == 7:
                assert now.upcards.get(event.seat) == then.upcards.get(event.seat)


POKERSTARS = (SAMPLES / "pokerstars.txt").read_text("utf-8").split("\n\n\n")[0]


@dataclass(frozen=True)
class Case:
    """What is damaged in the log of a room, and what is left of the upcards of a seat."""

    name: str
    text: str
    old: str
    new: str
    seat: int
    up: str

    @property
    def damaged(self) -> str:
        assert self.old in self.text
        return self.text.replace(self.old, self.new)

    @property
    def cards(self) -> tuple[MaybeCard, ...]:
        return tuple(None if word == "??" else parse_card(word) for word in self.up.split())


CASES = [
    Case("never seen", POKERSTARS, "[Jd]", "[of]", 1, "??"),
    Case("listed again", POKERSTARS, "Priya.K [Kc]\n", "Priya.K [of]\n", 4, "Kc 5d 2h 5c"),
    Case("in the summary", POKERSTARS, "to Priya.K [Kc", "to Priya.K [of", 4, "Kc 5d 2h 5c"),
    Case("of the owner", POKERSTARS, "[9c 9s 6h Td] [9d]", "[9c of 6h Td] [9d]", 7, "6h Td 9d Ah"),
    Case("two at once", POKERSTARS, "[Kc 5d] [2h]", "[Kc of] [x!]", 4, "Kc 5d 2h 5c"),
    Case("never seen", WINAMAX, "[X X Td]", "[X X of]", 5, "??"),
    Case("listed again", WINAMAX, " [3h]", " [of]", 3, "2d 3h 4s 9s"),
    Case("at the showdown", WINAMAX, "2d 3h 4s] [9s]", "2d 3h 4s] [of]", 3, "2d 3h 4s 9s"),
    Case("never seen", IPOKER, ">C4<", ">4C<", 3, "4s ?? 7d 2h"),
    Case("never seen", MERGE, ",,2c", ",,2", 8, "?? 9d 9s"),
    Case("when it is mucked", MERGE, "null,null,7s", "null,null,of", 4, "7s 7h Kc Jc"),
]
EACH = pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.name} {case.old.strip()}")


@EACH
def test_the_upcards_that_are_left(case: Case) -> None:
    before, hand = replay(one(case.text)), one(case.damaged)
    after = replay(hand)
    assert_same_play(before, after)
    *_, up = (street.upcards[case.seat] for street in after.streets if case.seat in street.upcards)
    assert up == case.cards
    assert len(hand.damage) == len(hand.findings)
    assert {found.expected for found in hand.damage} <= {"a card such as 7h", "a card such as H7"}
    lines = case.damaged.split("\n")
    for found in hand.damage:
        word = found.message.split("'")[1]
        assert lines[found.line - 1][found.column - 1 :].startswith(word)
        assert found.text == lines[found.line - 1]


@EACH
def test_a_hand_is_read_as_far_as_its_upcards_were_seen(case: Case) -> None:
    before, after = (analyze(one(text), "loose") for text in (case.text, case.damaged))
    assert before.complete
    assert set(one(case.damaged).damage) <= set(after.problems)
    if "??" not in case.up:
        assert after.complete
        assert [stage.bet_inference for stage in after.stages] == [
            stage.bet_inference for stage in before.stages
        ]
        return
    assert not after.complete
    assert len(after.stages) == 2 * case.up.split().index("??")
    assert after.problems[-1].message.endswith("were not seen")


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        (POKERSTARS, "mucked [Ks Qh Kc", "mucked [Ks Qh of"),
        (POKERSTARS, "shows [9c", "shows [of"),
        (WINAMAX, "shows [Qd", "shows [of"),
        (MERGE, 'MUCKED" cards="8s', 'MUCKED" cards="of'),
        (POKERSTARS, "*** RIVER ***\nDealt to Hero [9c 9s 6h Td 9d Ah] [4s]", "*** RIVER *** [of]"),
        (POKERSTARS, "[Jd]", "[Jack]"),
        (POKERSTARS, "[Jd]", "[]"),
        (POKERSTARS, "[Jd]", "[of of]"),
        (POKERSTARS, "Dealt to Marigold [Jd]", "Dealt to Marygold [of]"),
    ],
)
def test_what_is_no_damaged_deal_is_refused_as_ever(text: str, old: str, new: str) -> None:
    assert old in text
    hand = one(text.replace(old, new))
    assert hand.problems
    assert replay(hand).problem in hand.problems


def test_cards_that_a_list_does_not_name_are_missed() -> None:
    """A card that cannot be read stands for one card only."""
    hand = one(POKERSTARS.replace("[9c 9s 6h Td] [9d]", "[9c of 6h 2s] [9d]"))
    (problem,) = hand.problems
    assert problem.expected == "9s Td among it"


def test_only_strict_refuses(tmp_path: Path) -> None:
    log = tmp_path / "log.txt"
    log.write_text(CASES[1].damaged, "utf-8")
    told = f"{log}:19:19: the card 'of' cannot be read (expected a card such as 7h)"
    for command in ("check", "analyze --policy uniform", "convert --to saund", "check --json"):
        done = run(*command.split(), str(log))
        assert (done.returncode, done.stderr.count(told)) == (0, 1), command
    assert '"accepted": true' in done.stdout
    assert "the card 'of' cannot be read" in done.stdout
    strict = run("check", "--strict", str(log))
    assert (strict.returncode, strict.stderr.count(told)) == (1, 1)
    assert strict.stdout == "1 hand: 0 accepted, 1 refused\n"


@pytest.mark.parametrize("name", WRITERS)
def test_a_log_that_its_reader_would_refuse_is_not_written(name: str) -> None:
    """Of a room that lists nobody's upcards: the owner's first one is damaged, a later one not."""
    folds = "Žofie folds\nLena doesn't show [ 3h, 8c, 7c, 8d, 7h ]a pair.\n"
    hand = PARTY[: PARTY.index("Žofie raises [$2 USD]")].replace("[  3h 8c 7c ]", "[  3h 8c Xx ]")
    played = replay(one(f"{hand}{folds}Lena wins $6.05 USD from the main pot.\n"))
    assert played.problem is None
    if name not in ("ongame", "bovada", "phh", "saund"):  # these name the owner, or nobody
        with pytest.raises(
            ValueError, match=r"would refuse this hand|cannot hold|lists all upcards"
        ):
            writer_named(name).written(played)
        return
    written = writer_named(name).written(played)
    assert written.read.problem is None
    (read,) = read_bytes(written.text.encode(), "written.txt", name)
    assert replay(read).problem is None
