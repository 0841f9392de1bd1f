"""Inputs on which the reader once failed, as small as they could be made, in words of our own."""

from __future__ import annotations

import tracemalloc
from contextlib import suppress
from dataclasses import replace
from time import process_time

import pytest

from handread.formats.format import Writer
from handread.formats.log_reader import LogReader, read_bytes
from handread.formats.registry import dialect_named, dialects, writer_named
from handread.game.infer_stakes import infer_stakes
from handread.game.replay import replay, written_out
from handread.history import Action, History, Problem
from tests import printing
from tests.hands import one, wagers
from tests.invented_logs import WINNING_OLD
from tests.program import SAMPLES


def read(text: str, name: str) -> list[History | Problem]:
    """All that is read, each hand replayed."""
    readings = list(read_bytes(text.encode(), name))
    for reading in readings:
        if isinstance(reading, History):
            replay(reading)
    return readings


def write_everywhere(hand: History) -> None:
    """Write a hand in each format that can hold it; others must refuse it in words."""
    for dialect in dialects():
        if isinstance(dialect, Writer):
            with suppress(ValueError):
                dialect.write(hand)


def test_many_wrong_items_of_a_field_are_one_problem() -> None:
    """Each was a problem with a copy of its line: 80 kB took 2.5 GB, and time by the square."""
    wrong = "-1.5, " * 3_000
    text = f'variant = "F7S"\nantes = [{wrong}]\nstarting_stacks = [{wrong}]\n'
    tracemalloc.start()
    hand = one(text, "many.phh")
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 20_000_000
    messages = [problem.message for problem in hand.problems]
    assert messages.count("antes holds what is no amount") == 1
    assert messages.count("starting_stacks holds what is no amount") == 1


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ('variant = "F7S"\nx = "{}"\n', "long.phh"),
        ('variant = "F7S"\n# "{}\n', "long.phh"),
        ('variant = "F7S"\nactions = ["{}"]\n', "long.phh"),
        ('1 "{}" | 7c Qs | 7h r\n2 Bob | Ad Jd | 8d c\n', "long.stud"),
    ],
)
def test_a_long_string_takes_a_few_bytes_a_character(text: str, name: str) -> None:
    """Patterns kept a way back to each character: 3.9 MB took 530 MB."""
    text = text.format("a" * 100_000)
    read(text, name)  # which compiles the grammars of all rooms, to be kept
    tracemalloc.start()
    readings = read(text, name)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 20 * len(text)
    assert len(readings) == 1


def test_a_key_of_thousands_of_parts_is_a_problem() -> None:
    """TOML's parser takes the square of their number: 64 kB took 23 s and 4 GB."""
    (hand,) = read(f'variant = "F7S"\n{".".join(["a"] * 100)} = 1\n', "deep.phh")
    assert isinstance(hand, History)
    for key in ("a." * 32_000 + "a", "a . " * 32_000 + "a", '"a".' * 32_000 + "a"):
        for text in (f"{key} = 1", f"[{key}]", f"x = {{ {key} = 1 }}"):
            start = process_time()
            (problem,) = read(f'variant = "F7S"\n{text}\n', "deep.phh")
            assert process_time() - start < 1
            assert (problem.line, problem.message) == (2, "a key of more than 100 parts")


def test_a_card_for_a_player_who_has_folded_is_not_written() -> None:
    """It raised ``KeyError``: the record as it was read, not what could be played of it."""
    text = """\
variant = "F7S"
antes = [1, 1]
bring_in = 1
small_bet = 2
big_bet = 4
starting_stacks = [50, 50]
actions = ["p2 f", "d dh p2 9d"]
"""
    hand = one(text, "late.phh")
    with pytest.raises(ValueError, match="nobody's turn"):
        writer_named("phh").write(hand)


@pytest.mark.parametrize("line", ["", "a", "Player"])
def test_many_short_lines_of_no_dialect_are_soon_given_up(line: str) -> None:
    """Each was compared with the first lines of every room: 100 kB took over 5 s."""
    start = process_time()
    (problem,) = read("who is this\n" + f"{line}\n" * 40_000, "blank")
    assert isinstance(problem, Problem)
    assert process_time() - start < 3


@pytest.mark.parametrize(
    "play",
    [
        "Player Lena folds\n",
        "Player Lena received a card.\nPlayer\n",
        "Player Lena received card: [7h]\n",
    ],
)
def test_a_hand_that_breaks_off_at_once_is_printed_or_refused_in_words(play: str) -> None:
    """It raised ``KeyError``: a fold, or two cards of three, on no street."""
    head = "Game started at: now\nGame ID: 1 1/2 Larch (Seven Cards Stud)\nSeat 1: Lena (5).\n"
    text = head + play
    hand = one(text, "old.txt")
    write_everywhere(hand)


def test_an_eighth_card_is_a_problem() -> None:
    """Where the deals tell the streets an 8th one began, and a writer raised ``KeyError``."""
    head = "#1: Limit Seven Card Stud - 1/2\nTable 'x'\nSeat 1: Lena (50)\nSeat 2: Rolf (50)\n"
    antes = "Lena: posts ante 1\nRolf: posts ante 1\n"
    deals = "Dealt to Lena: [X X 2s]\nDealt to Rolf: [X X 3s]\n"
    more = "".join(f"Dealt to {name}: [{rank}{suit}]\n" for rank in "56789" for name, suit in PAIR)
    hand = one(head + antes + deals + more, "clubs.txt")
    assert [problem.message for problem in hand.problems][:1] == [
        "a card is dealt after 7th street"
    ]
    write_everywhere(hand)


PAIR = (("Lena", "c"), ("Rolf", "d"))


def test_what_is_wrong_above_a_piece_is_told_once() -> None:
    """A session with a document type was a problem of each piece that it was carried to."""
    game = '<game gamecode="7"><round no="0"/></game>'
    text = f"<session>\n<!DOCTYPE x>\n<gametype>7 Card Stud L</gametype>\n{game}\n{game}\n"
    whole = list(read_bytes(text.encode(), "a.xml"))
    log = LogReader(iter([text]), "a.xml", dialect_named("ipoker"))
    assert [one for piece in log.pieces(20) for one in log.read(piece)] == whole
    assert sum("document type" in str(one) for one in whole) == 1


def test_a_name_of_many_points_is_written_and_read_in_phh() -> None:
    """It was taken for a key of many parts."""
    text = f'1 "2 {"a." * 120}" | 7c Qs | 7h r\n2 | Ad Jd | 8d f\n3 | ?? ?? | 3d .Bf\n'
    hand = one(text, "points.stud")
    written = writer_named("phh").write(written_out(replay(hand)))
    again = one(written, "points.phh")
    assert (again.problems, again.seats[0].name) == ((), hand.seats[0].name)


@pytest.mark.parametrize("dialect", ["saund", "phh", "pokerstars", "winamax", "winning", "ongame"])
def test_a_rake_without_a_winner_is_written_out(dialect: str) -> None:
    """It was kept by the replay, and left out of the hand that is written out."""
    text = """\
1 Lena | 7c Qs | 7h r | 8h .k | Js .k | 2c .k | ?? .k
2 Rolf | ?? ?? | 8d c | 3c k | 4c k | 5c k | ?? k
3 Max | ?? ?? | 3d .Bf
rake: .10
"""
    hand = one(text, "rake.stud")
    played = replay(hand)
    assert (played.problem, played.rake, played.won) == (None, 10, {})
    assert replay(written_out(played)).rake == 10
    text = writer_named(dialect).write(written_out(played))
    assert replay(printing.read(text, dialect)).problem is None


def test_columns_stay_where_an_ampersand_was_careless() -> None:
    """It was made five characters, and what is wrong behind it stood behind the end of its line."""
    text = '<game gamecode="7"><general name="A & B & C"/><round no="0"></game>'
    (problem,) = read(text, "a.xml")
    assert (problem.line, problem.column) == (1, text.index("</game>") + 3)


def test_advice_waits_behind_comments() -> None:
    """Where the first piece held comments alone, it went with nothing."""
    log_lines = (SAMPLES / "simulated-winning-old.txt").read_text(encoding="utf-8").splitlines()
    comment, text = "# Two hands.\n# Or so.\n", "\n".join(["[1]", *log_lines[30:60], ""])
    (whole,) = read(comment + text, "a.phhs")
    assert "did you mean" in str(whole)
    log = LogReader(iter([comment + text]), "a.phhs", None)
    pieces = list(log.pieces(len(comment + text)))
    assert len(pieces) > 1
    assert [one for piece in pieces for one in log.read(piece)] == [whole]


def test_nothing_is_doubled_on_3rd_street() -> None:
    """The stakes were taken to be half of it where the record states none."""
    text = "1 | ?? ?? | 9c f\n2 | ?? ?? | 5d f\n3 | ?? ?? | 2s .B\n4 | ?? ?? | Kd r\n"
    hand = one(text, "double.stud")
    written = written_out(replay(hand))
    doubled = tuple(
        replace(event, double=True) if event in wagers([event], Action.RAISE) else event
        for event in written.events
    )
    assert doubled != written.events
    stakes = infer_stakes(replace(written, events=doubled))
    assert stakes.bets == written.stakes.bets


@pytest.mark.parametrize("called", [False, True])
@pytest.mark.parametrize("amount", [100, 200])
def test_a_bet_is_double_by_its_size(called: bool, amount: int) -> None:
    """A record called a single bet double, and so did what was written out of it."""
    text = "game: ante .25 bring-in .25 bets 1 1 2 2 2 raises 3 open-pair\n"
    text += "1 | ?? ?? | 4s .B | 4h .b\n2 | ?? ?? | Tc c | 5h c\n"
    hand = one(text, "pair.stud")
    events = [
        replace(event, adds=amount, double=called)
        if event in wagers([event], Action.BET)
        else event
        for event in hand.events
    ]
    played = replay(replace(hand, events=tuple(events)))
    assert played.problem is None
    (bet,) = wagers(played.moves, Action.BET)
    assert (bet.adds, bet.double) == (amount, amount == 200)


def test_what_a_hand_with_a_problem_pays_is_not_written_out() -> None:
    stops = "#3: Limit Razz - 4/8\nSeat 1: Anna (38)\nSeat 6: Bea (40)\nAnna: posts ante 10\n"
    stops += "Bea: posts ante 10\nDealt to Bea: [9c 3d 6h]\n*** SUMMARY ***\nSeat 6: Bea (2) 4\n"
    played = replay(one(stops))
    assert played.problem is not None
    assert replay(written_out(played)).problem is None


@pytest.mark.parametrize("name", ["phh", "saund", "pokerstars"])
def test_a_hand_that_nobody_is_paid_for_stays_so(name: str) -> None:
    text = (SAMPLES / "simulated-partypoker.txt").read_text().split("\n\n\n")[0]
    cut_off = "\n".join(line for line in text.split("\n") if " wins " not in line)
    played = replay(one(cut_off))
    assert (played.played_out, played.finished, played.won) == (True, False, {})
    again = replay(one(writer_named(name).write(played)))
    assert (again.played_out, again.finished, again.won) == (True, False, {})


def test_a_format_says_if_it_cannot_state_the_rake_of_a_hand_without_payments() -> None:
    text = "\n".join(line for line in WINNING_OLD.split("\n") if "Collects" not in line)
    played = replay(one(text))
    assert (played.played_out, played.finished, played.rake > 0) == (True, False, True)
    with pytest.raises(ValueError, match="does not state the rake"):
        writer_named("everleaf").written(played)


@pytest.mark.parametrize("spoilt", ["<round no", "</game>"])
def test_what_is_read_of_xml_with_another_dialect_is_the_same_in_pieces(spoilt: str) -> None:
    text = (SAMPLES / "ipoker.xml").read_text().replace(spoilt, "<")
    whole = list(map(str, read_bytes(text.encode(), "a", "winamax")))
    assert sum("did you mean --dialect ipoker?" in one for one in whole) == 1
    log = LogReader(iter([text]), "a", dialect_named("winamax"))
    assert [str(one) for piece in log.pieces(400) for one in log.read(piece)] == whole
