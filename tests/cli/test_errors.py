"""What is told of texts that cannot be read, what is kept of them, and grammars of one's own."""

from __future__ import annotations

import io
import json
import pickle
import re
import unicodedata
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handread.formats.format import LineError
from handread.formats.log_reader import read_stream, read_text
from handread.formats.registry import (
    BUILT_IN,
    FormatRegistry,
    dialects,
    read_grammars,
    writer_named,
)
from handread.formats.room import Room, rooms
from handread.formats.room_read import SeatedPlayers, read_line
from handread.formats.suggest import near_header, resembled
from handread.formats.text import text_pieces
from handread.game.replay import replay
from handread.history import History, Problem
from handread.report.problems import WIDTH, problem_lines
from handread.sessions.opening import read_file
from tests.examples import examples, few
from tests.invented_logs import LIKE_STARS
from tests.program import ONE_GAME, ROOT, SAMPLES, Done, run, run_here

POKERSTARS = (SAMPLES / "pokerstars.txt").read_text(encoding="utf-8")
GRAMMAR = (ROOT / "grammars" / "pokerstars.toml").read_text(encoding="utf-8")
TEXTS = sorted(SAMPLES.iterdir())
ROOMS = [dialect for dialect in dialects() if isinstance(dialect, Room)]
STARS = next(room.grammar for room in ROOMS if room.name == "pokerstars")


def check(*args: str) -> Done:
    return run("check", *args)


@pytest.fixture
def mine(tmp_path: Path) -> tuple[str, str]:
    """A grammar of a room of one's own, and a log of that room."""
    grammar, log = tmp_path / "mine.toml", tmp_path / "mine.txt"
    text = GRAMMAR.replace("PokerStars", "Riverboat").replace(
        'name = "pokerstars"', 'name = "mine"'
    )
    grammar.write_text(text, encoding="utf-8")
    log.write_text(POKERSTARS.replace("PokerStars", "Riverboat"), encoding="utf-8")
    return str(grammar), str(log)


# Problems


def spoiled(path: Path) -> str:
    """A sample with a card that is none."""
    text = path.read_text(encoding="utf-8")
    return re.sub(r"\b7([cdhs])(?=[\] ])", r"8\1 Zz", text)


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.name)
def test_every_problem_says_what_its_text_was_read_as(path: Path) -> None:
    for reading in read_text(spoiled(path), path.name):
        problems = reading.problems if isinstance(reading, History) else [reading]
        for problem in problems:
            assert problem.dialect in {dialect.name for dialect in dialects()}
            assert problem.text.strip()
        if isinstance(reading, Problem):
            assert reading.end_line >= reading.line


def test_a_problem_of_a_text_without_a_hand_tells_its_last_line() -> None:
    text = "PokerStars Hand #12\nSeat 1: Lena (100 in chips)\n\nLena: posts the ante 5\n\n"
    (problem,) = read_text(text, "a.txt")
    assert (problem.line, problem.end_line) == (1, 4)
    (problem, other) = read_text("\nhand: 1\nstacks: x\nwon: y\n\n# dear diary\n", "a.stud")
    assert (problem.line, problem.end_line, other.line, other.end_line) == (3, 4, 4, 4)


def test_a_problem_is_shown_with_its_line_a_caret_and_the_dialect() -> None:
    problem = Problem("a.txt", 3, 4, "strange", "a card", "ab\tcd", "saund")
    assert problem_lines(problem) == [
        "a.txt:3:4: strange (expected a card)",
        "    ab cd",
        "       ^ read as saund",
    ]
    assert problem_lines(replace(problem, text=""), "x") == [
        "a.txt:3:4: strange (expected a card)",
        "    x",
        "     ^ read as saund",
    ]
    assert problem_lines(replace(problem, text=""))[1:] == ["    read as saund"]
    assert problem_lines(replace(problem, text="", dialect=""))[1:] == []


def test_the_caret_stands_below_wide_and_escaped_characters_and_far_to_the_right() -> None:
    wide = Problem("a", 1, 4, "strange", text="牌\x1bb!")
    assert problem_lines(wide)[2] == "    " + " " * len("--\\x1bb") + "^"
    line = "x" * 900 + "!" + "y" * 900
    _, shown, caret = problem_lines(Problem("a", 1, 901, "strange", text=line))
    assert shown[caret.index("^")] == "!"
    assert len(shown) == WIDTH + 4


@pytest.mark.thorough
@examples(50)
@given(st.text(max_size=250), st.integers(-3, 300))
def test_any_line_can_be_shown(line: str, column: int) -> None:
    shown = problem_lines(Problem("a", 1, column, "strange", text=line, dialect="phh"))
    assert len(shown) in (2, 3)
    assert all(len(text) <= WIDTH + 4 for text in shown[1:2])
    assert shown[-1].endswith("read as phh")


def test_check_names_the_dialect_of_what_is_no_hand(tmp_path: Path) -> None:
    log = tmp_path / "a.txt"
    log.write_text(POKERSTARS.replace("Stud Limit ($0.50/$1.00 USD) -", "Stud"), encoding="utf-8")
    found = [json.loads(line) for line in check("--json", str(log)).stdout.splitlines()]
    assert [one["source"]["dialect"] for one in found] == ["pokerstars", "pokerstars"]
    log.write_text("dear diary\n")
    (one,) = [json.loads(line) for line in check("--json", str(log)).stdout.splitlines()]
    assert one["source"] == {"file": str(log), "line": 1, "dialect": None}


# Near misses


@pytest.mark.parametrize(
    ("header", "column"),
    [
        ("PokerStrs Hand #", 8),
        ("PokerStarz Hand #", 10),
        ("pokerstars Hand #", 1),
        ("PokerStars hand#", 12),
        ("  PokerStars Hand #", 1),
    ],
)
def test_a_header_that_is_a_letter_or_two_off_is_told(header: str, column: int) -> None:
    problems = list(read_text(POKERSTARS.replace("PokerStars Hand #", header), "a.txt"))
    assert [
        (one.message, one.column, one.dialect) for one in problems if isinstance(one, Problem)
    ] == [("this is almost the first line of a PokerStars hand", column, "pokerstars")] * 2


def test_the_hand_before_a_misspelt_header_is_kept() -> None:
    first, second = POKERSTARS.split("PokerStars Hand #900000000102")
    text = f"{first}PokerStras Hand #900000000102{second}"
    hand, problem = read_text(text, "a.txt")
    (whole, _) = read_text(POKERSTARS, "a.txt")
    assert hand == whole
    assert problem.expected == "'PokerStars Hand #'"
    assert problem.end_line == len(text.rstrip().split("\n"))


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.name)
def test_no_line_of_a_room_is_nearly_a_header(room: Room) -> None:
    examples = [pattern.example for one in ROOMS for pattern in one.grammar.patterns]
    samples = [line for path in TEXTS for line in path.read_text("utf-8").split("\n")]
    for line in examples + samples:
        assert room.grammar.starts.match(line) or near_header(room.grammar, line) is None


def test_no_real_line_is_nearly_a_header(real_hands: Path) -> None:
    files = [path for path in sorted(real_hands.rglob("*")) if path.is_file()]
    for path in files:
        with path.open("rb") as stream:
            lines = "".join(text_pieces(stream)).split("\n")
        for room in ROOMS:
            near = [line for line in lines if near_header(room.grammar, line)]
            assert not [line for line in near if not room.grammar.starts.match(line)]


@pytest.mark.parametrize("tried", [dialect.name for dialect in dialects()])
@pytest.mark.parametrize("path", few(ONE_GAME, 4), ids=lambda path: path.name)
def test_a_wrong_dialect_is_told_from_the_right_one(path: Path, tried: str) -> None:
    text = path.read_text(encoding="utf-8")
    right = BUILT_IN.detect(text)
    first = next(iter(read_text(text, "a", tried)))
    if tried == right.name:
        assert isinstance(first, History)
    else:
        assert f"did you mean --dialect {right.name}?" in first.message


@pytest.mark.parametrize(
    "room",
    # The other rooms differ from these in little else than their first lines.
    [room for room in ROOMS if room.name not in ("kingsclub", "winamax", "winning", *LIKE_STARS)],
    ids=lambda room: room.name,
)
def test_hands_without_their_first_lines_are_recognised(room: Room) -> None:
    text = (SAMPLES / f"simulated-{room.name}.txt").read_text(encoding="utf-8")
    text = "".join(re.sub(room.grammar.starts.pattern + ".*", "", text, flags=re.M))
    (problem,) = read_text(text, "a.txt")
    assert f"its lines resemble those of {room.title}" in problem.message


def test_the_log_of_an_unknown_room_is_told_where_a_room_is_added() -> None:
    page = (ROOT / "docs" / "add-a-room.md").read_text(encoding="utf-8")
    (log,) = re.findall(r"```text\n(Harbour hand .*?)```", page, re.S)
    (problem,) = read_text(log, "a.txt")
    assert problem.message.startswith(
        "this does not look like a hand history that handread can read"
    )
    assert "docs/add-a-room.md" in problem.expected
    assert "handread formats --new" in problem.expected


def test_seats_that_are_no_seats_look_like_saunds_notation() -> None:
    text = "1 Ann | xx yy | 7h r\n2 Bob | yy xx | 8h f\n3 Cid | xx xx | 9h f\n"
    (problem,) = read_text(text, "a.txt")
    assert "its lines resemble those of Saund's notation" in problem.message
    text = "antes = [1]\nbring_in = 2\nactions = [\n'p1 pb',\n]\n"
    (problem,) = read_text(text, "a.txt")
    assert "its lines resemble those of PHH" in problem.message


@pytest.mark.parametrize("text", ["dear diary\n", "a b c\n" * 500, "x" * 10_000, "7\n|\n=\n"])
def test_what_resembles_nothing_gets_no_advice(text: str) -> None:
    assert resembled(dialects(), text) is None
    (problem,) = read_text(text, "a.txt")
    assert "did you mean" not in problem.message


# Words that are nearly right


@pytest.mark.parametrize(
    ("line", "column", "message"),
    [
        ("Lena: cals 72", 7, "'cals' makes no sense here; did you mean 'calls'?"),
        ("Lena: Calls 72", 7, "'Calls' makes no sense here; did you mean 'calls'?"),
        ("Lena: raisse 72 to 144", 7, "'raisse' makes no sense here; did you mean 'raises'?"),
        ("Delt to Lena [7h]", 1, "'Delt' makes no sense here; did you mean 'Dealt'?"),
        ("*** SHOWDOWN ***", 5, "'SHOWDOWN' makes no sense here; did you mean 'SHOW DOWN'?"),
        ("*** 4rd STREET ***", 5, "'4rd' makes no sense here; did you mean '4th'?"),
        ("*** SIXHT STREET ***", 5, "'SIXHT' makes no sense here; did you mean 'SIXTH'?"),
        ("*** 9th STREET ***", 5, "'9th' makes no sense here"),
        ("Lena: calls", 12, "the line ends too early"),
        ("Lena:calls 72", 6, "a blank is missing here"),
        ("Lena : calls 72", 5, "there is an extra blank here"),
        ("bob 77: folds", 1, "nobody named 'bob 77' sits in this hand; did you mean 'bob77'?"),
        ("lena: folds", 1, "nobody named 'lena' sits in this hand; did you mean 'Lena'?"),
        ("Zoe: folds", 1, "nobody named 'Zoe' sits in this hand"),
    ],
)
def test_a_misspelt_word_of_a_line_is_told_from_nonsense(
    line: str, column: int, message: str
) -> None:
    with pytest.raises(LineError) as error:
        read_line(STARS, table("Lena", "bob77"), "play", 1, line)
    assert (error.value.column, error.value.message) == (column, message)


@pytest.mark.parametrize(
    ("line", "column", "number"),
    [
        (f"Seat {'9' * 23}: X ($5 in chips)", 6, "9" * 23),
        (f"Seat 1: X (${'9' * 16} in chips)", 12, "$" + "9" * 16),
        ("Seat 1: X ($1,234,567,890,123,456 in chips)", 12, "$1,234,567,890,123,456"),
    ],
)
def test_a_number_that_is_too_large_is_told_so(line: str, column: int, number: str) -> None:
    with pytest.raises(LineError) as error:
        read_line(STARS, table(), "head", 1, line)
    why = error.value
    assert (why.column, why.message) == (column, f"{number!r} is too large")
    assert why.expected == "a smaller number"


@pytest.mark.parametrize(
    ("game", "meant"),
    [
        ("7 Card Stdu Limit", "7 Card Stud Limit"),
        ("7 Card Stud Limt", "7 Card Stud Limit"),
        ("7-card  Stud Limit", "7 Card Stud Limit"),
        ("7 Card Stud", ""),
        ("5 Card Stud Limit", ""),
        ("7 Card Stud Hi/Lo", ""),
        ("7 Card Stud Hi/Lo Limt", "7 Card Stud Hi/Lo Limit"),
        ("Hold'em Limit", ""),
    ],
)
def test_a_misspelt_game_is_told_with_the_right_one(game: str, meant: str) -> None:
    for hand in read_text(POKERSTARS.replace("7 Card Stud Limit", game), "a.txt"):
        problem = replay(hand).problem
        told = f"fixed-limit stud only; did you mean {meant!r}?"
        assert problem.message.endswith(told if meant else "fixed-limit stud only")


@pytest.mark.thorough
def test_no_other_game_is_taken_for_a_misspelt_one() -> None:
    """Unless it is a game that is read, in the spelling of another room."""
    others = dict.fromkeys(("Omaha Hi/Lo", "Hold'em No Limit"), "other")
    others |= {"7 Card Stud Hi/Lo": "stud8", "Razz": "razz"}
    grammars = [room.grammar for room in rooms()]
    for grammar in grammars:
        others |= dict.fromkeys((*grammar.other_games, *grammar.other_games.values()), "other")
        others |= {game: key for game, key in grammar.variants.items() if key != "stud"}
    for grammar in grammars:
        meant = {game: grammar.meant(game) for game in others}
        assert all(grammar.variant(name) == others[game] for game, name in meant.items() if name)
        assert not [game for game in grammar.variants if grammar.meant(game)]


def table(*names: str) -> SeatedPlayers:
    seating = SeatedPlayers()
    for number, name in enumerate(names, start=1):
        seating.add(number, name)
    return seating


# What is refused is kept


def kept(path: Path, *args: str) -> str | None:
    run("check", "--rejects", str(path), *args)
    return path.read_text(encoding="utf-8") if path.exists() else None


def test_a_refused_hand_is_kept_as_it_stood(tmp_path: Path) -> None:
    out = tmp_path / "out.stud"
    broken = (SAMPLES / "broken-turn.stud").read_text(encoding="utf-8")
    assert kept(out, "sample_histories/broken-turn.stud") == broken.split("\n\n")[0] + "\n"


def test_several_are_kept_in_order_and_can_be_repaired(tmp_path: Path) -> None:
    log, out = tmp_path / "log.txt", tmp_path / "out.txt"
    simulated = (SAMPLES / "simulated-pokerstars.txt").read_text(encoding="utf-8")
    log.write_bytes(simulated.replace("4th STREET", "4rd STREET").replace("\n", "\r\n").encode())
    text = kept(out, str(log))
    refused = [one for one in read_file(log) if isinstance(one, History) and one.problems]
    assert refused
    again = list(read_text(text, "out.txt"))
    assert [one.hand_id for one in again if isinstance(one, History)] == [
        hand.hand_id for hand in refused
    ]
    assert "\n\nPokerStars" in text or len(refused) == 1
    out.write_text(text.replace("4rd STREET", "4th STREET"), encoding="utf-8")
    assert check(str(out)).returncode == 0
    whole = {one.hand_id: one for one in read_text(simulated, "a") if isinstance(one, History)}
    assert [whole[hand.hand_id] for hand in refused] == list(read_file(out))


def test_hands_in_phh_are_kept_apart(tmp_path: Path) -> None:
    hand, out = tmp_path / "a.phh", tmp_path / "out.phhs"
    text = (SAMPLES / "full-house.phh").read_text(encoding="utf-8")
    hand.write_text(re.sub(r"^actions = \[", "actions = ['p9 zz',", text, flags=re.M))
    once = kept(out, str(hand))
    assert once.strip() == hand.read_text().strip()
    assert check(str(out)).stdout == "1 hand: 0 accepted, 1 refused\n"
    files = (str(hand), str(hand), "sample_histories/session.phhs", str(hand))
    kept(out, "--keep-repeated", *files)
    assert check("--keep-repeated", str(out)).stdout == "3 hands: 0 accepted, 3 refused\n"


def test_text_of_no_hand_is_kept_once(tmp_path: Path) -> None:
    log, out = tmp_path / "log.stud", tmp_path / "out.txt"
    steal = (SAMPLES / "steal.stud").read_text(encoding="utf-8")
    log.write_text(f"{steal}\nhand: 2\nstacks: x\nwon: y\n\n\n{steal}", encoding="utf-8")
    assert kept(out, str(log)) == "hand: 2\nstacks: x\nwon: y\n"
    log.write_text("dear diary,\n\ntoday\x1b I lost", encoding="utf-8")
    out.unlink()
    diary = tmp_path / "diary"
    diary.write_bytes(log.read_bytes())
    assert kept(out, str(diary)) == "dear diary,\n\ntoday\x1b I lost\n"
    twice = "dear diary,\n\ntoday\x1b I lost\n"
    assert kept(out, str(diary), str(diary)) == f"{twice}\n{twice}"
    done = check("--rejects", str(out), str(diary), "sample_histories/broken-turn.stud")
    assert done.stdout == "2 hands: 1 accepted, 1 refused, 1 not understood\n"
    assert check(str(out)).stdout == "1 hand: 0 accepted, 1 refused, 2 not understood\n"


def test_a_block_without_any_line_of_a_hand_is_told_once() -> None:
    steal = (SAMPLES / "steal.stud").read_text(encoding="utf-8")
    junk = "Dear diary,\ntoday\nI\nlost\nagain"
    first, hand, second = read_text(f"{junk}\n\n{steal}\n\n{junk}", "a.stud")
    assert isinstance(hand, History)
    for problem in (first, second):
        assert problem.message.endswith("; the 4 lines after it cannot be read either")
        assert problem.end_line == problem.line + 4
    few = list(read_text("today\nI\nlost", "a.stud"))
    assert [problem.line for problem in few if isinstance(problem, Problem)] == [1, 2, 3]


def test_hands_of_other_games_are_not_kept(tmp_path: Path) -> None:
    log, out = tmp_path / "log.txt", tmp_path / "out.txt"
    log.write_text(POKERSTARS.replace("7 Card Stud Limit", "Hold'em Limit"), encoding="utf-8")
    done = check("--rejects", str(out), str(log))
    assert done.stdout == "2 hands: 0 accepted, 0 refused, 2 of other games\n"
    assert done.returncode == 0
    assert not out.exists()


def test_a_file_of_rejects_is_left_where_nothing_was_refused(tmp_path: Path) -> None:
    out = tmp_path / "out.txt"
    out.write_text("precious")
    done = check("--rejects", str(out), "sample_histories/steal.stud")
    assert out.read_text() == "precious"
    assert done.returncode == 0
    assert "is from an earlier run" in done.stderr
    check("--rejects", str(out), "sample_histories/broken-card.stud")
    assert "broken-card" in out.read_text()


def test_rejects_are_no_file_that_is_read(tmp_path: Path) -> None:
    log = tmp_path / "log.stud"
    log.write_text((SAMPLES / "broken-card.stud").read_text())
    done = run("convert", "--to", "phh", "-o", f"{log}2", "--rejects", f"{log}2", str(log))
    assert done.returncode == 2
    assert "cannot hold both" in done.said


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no full device")
def test_rejects_that_cannot_be_written_are_told() -> None:
    done = check("--rejects", "/dev/full", "sample_histories/broken-card.stud")
    assert done.returncode == 2
    assert "/dev/full: cannot be written" in done.stderr


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.name)
def test_what_is_kept_holds_the_same_hands(path: Path) -> None:
    log, found = read_stream(io.BytesIO(spoiled(path).encode()), path.name), 0
    for reading in log:
        if isinstance(reading, History):
            text = log.text(reading.source.line, reading.end_line)
            (again,) = read_text(text, path.name, reading.source.dialect)
            # What other hands of the log tell of its stakes is lost to a hand alone.
            unstated = reading.stakes is not None and reading.stakes.inferred
            assert again == (replace(reading, stakes=again.stakes) if unstated else reading)
            assert [one.message for one in again.problems] == [
                one.message for one in reading.problems
            ]
            found += 1
    assert found


# What is not understood is refused


def test_strict_refuses_lines_of_no_form_and_hands_that_stop(tmp_path: Path) -> None:
    log = tmp_path / "log.txt"
    odd = POKERSTARS.replace(
        "*** 4th STREET ***", "~~ the lights flicker ~~\n*** 4th STREET ***", 1
    )
    log.write_text(odd, encoding="utf-8")
    assert check(str(log)).returncode == 0
    done = check("--strict", str(log))
    assert done.returncode == 1
    assert done.stdout == "2 hands: 1 accepted, 1 refused\n"
    assert "~~ the lights flicker ~~\n    ^ read as pokerstars" in done.stderr
    assert check("--strict", "sample_histories/pokerstars.txt").returncode == 0
    done = check("--strict", "--json", "sample_histories/stops-in-the-middle.stud")
    (found,) = map(json.loads, done.stdout.splitlines())
    assert done.returncode == 1
    assert not found["accepted"]
    assert [one["message"] for one in found["problems"]] == ["the hand stops in the middle"]
    assert done.stderr.endswith("1 hand: 0 accepted, 1 refused\n")
    before = POKERSTARS[: POKERSTARS.rindex(" collected ", 0, POKERSTARS.rindex("SUMMARY"))]
    log.write_text(before[: before.rindex("\n")], "utf-8")
    done = check(str(log))
    assert done.stdout == "2 hands: 2 accepted (1 of them stops in the middle), 0 refused\n"
    done = check("--strict", str(log))
    assert "the hand ends before the pot is paid (expected who is paid)" in done.stderr


def test_strict_lists_every_line_at_fault(tmp_path: Path) -> None:
    log = tmp_path / "log.txt"
    log.write_text(POKERSTARS.replace(": folds", ": folts"), "utf-8")
    at_fault = POKERSTARS.count(": folds")
    assert check("--strict", str(log)).stderr.count("'folts' makes no sense here") == at_fault
    assert check(str(log)).stderr.count("'folts' makes no sense here") == 2


@pytest.mark.thorough
def test_strict_takes_every_sample_that_is_whole() -> None:
    whole = [str(path) for path in TEXTS if "broken" not in path.name and "stops" not in path.name]
    assert check("--strict", *whole).returncode == 0


@pytest.mark.parametrize("command", [("analyze",), ("convert", "--to", "saund")], ids=" ".join)
def test_a_count_closes_the_run(command: tuple[str, ...]) -> None:
    one = run(*command, "sample_histories/steal.stud")
    assert "accepted" not in one.stderr
    many = run(*command, "sample_histories/steal.stud", "sample_histories/pokerstars.txt")
    assert many.stderr.endswith("3 hands: 3 accepted, 0 refused\n")
    none = run(*command, "no-such-file")
    assert "hands:" not in none.stderr
    assert none.returncode == 2


# Grammars of one's own


def test_an_own_grammar_is_tried_first_and_can_be_named(mine: tuple[str, str]) -> None:
    grammar, log = mine
    assert check(log).returncode == 1
    for options in ([], ["--dialect", "mine"]):
        done = check("--grammar", grammar, *options, log)
        assert done.stdout == "2 hands: 2 accepted, 0 refused\n"
    (found, _) = check("--grammar", grammar, "--json", log).stdout.splitlines()
    assert json.loads(found)["source"]["dialect"] == "mine"
    done = check("--dialect", "mine", log)
    assert done.returncode == 2
    assert "there is no dialect 'mine'" in done.said
    listed = run("formats", "--grammar", grammar).stdout
    assert listed.startswith("mine ")


def test_an_own_grammar_takes_the_place_of_a_room(mine: tuple[str, str]) -> None:
    grammar, log = mine
    text = Path(grammar).read_text().replace('name = "mine"', 'name = "pokerstars"')
    Path(grammar).write_text(text)
    assert check("--grammar", grammar, log).returncode == 0
    assert check("--grammar", grammar, "sample_histories/pokerstars.txt").returncode == 1
    known = read_grammars([grammar])
    names = [dialect.name for dialect in known.dialects]
    assert sorted(names) == sorted(dialect.name for dialect in dialects())
    assert names[0] == "pokerstars"
    assert known.named("pokerstars").title == "Riverboat"
    assert known.writer("pokerstars") is not writer_named("pokerstars")


def test_hands_can_be_written_by_an_own_grammar(mine: tuple[str, str], tmp_path: Path) -> None:
    grammar, log = mine
    out = tmp_path / "out.txt"
    done = run("convert", "--grammar", grammar, "--to", "mine", "-o", str(out), log)
    assert done.returncode == 0
    assert out.read_text().startswith("Riverboat Hand #")
    assert run("convert", "--to", "mine", log).returncode == 2


@pytest.mark.parametrize(
    ("old", "new", "word"),
    [
        ('name = "pokerstars"', "name = [", "mine.toml:"),
        ('name = "pokerstars"', 'name = "phh"', "name of a built-in format"),
        ("[money]", "[honey]", "honey: there is no such key"),
        ('template = "Table', 'template = "{Table', "template: column"),
        ("starts = '^", "starts = '^(", "starts: is not a regular expression"),
        ('event = "table"', "event = 3", "event: must be a string, not 3"),
    ],
)
def test_a_wrong_grammar_is_a_fault_of_usage(
    old: str, new: str, word: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert old in GRAMMAR
    (tmp_path / "mine.toml").write_text(GRAMMAR.replace(old, new, 1), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    done = run_here("check", "--grammar", "mine.toml", str(SAMPLES / "steal.stud"))
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert word in done.stderr
    assert all(line.startswith("mine.toml:") for line in done.stderr.splitlines())


def test_a_file_that_holds_no_grammar_is_a_fault_of_usage(tmp_path: Path) -> None:
    data = tmp_path / "data.toml"
    data.write_bytes(b"\xff\xfe\x00")
    for file in (str(data), str(tmp_path), str(tmp_path / "none.toml")):
        assert check("--grammar", file, "sample_histories/steal.stud").returncode == 2
    twice = ["--grammar", "grammars/pokerstars.toml"] * 2
    assert check(*twice, "sample_histories/steal.stud").returncode == 2


@pytest.mark.dear("two processes start, which load everything")
def test_an_own_grammar_goes_to_the_workers(mine: tuple[str, str], tmp_path: Path) -> None:
    grammar, log = mine
    Path(log).write_text(Path(log).read_text() * 8, encoding="utf-8")
    out = tmp_path / "set"
    terms = ("--grammar", grammar, "--keep-repeated", "-o", str(out), log)
    done = run("score", "--workers", "2", *terms)
    assert done.returncode == 0
    assert "16 rows of hands" in done.stdout
    resume = ("score", "--workers", "1", "--resume", *terms)
    assert "nothing new" in run(*resume).stderr
    Path(grammar).write_text(Path(grammar).read_text() + "# changed\n", encoding="utf-8")
    assert "16 hands read" in run(*resume).stderr


@pytest.mark.thorough
def test_a_page_tells_of_its_grammar(mine: tuple[str, str], tmp_path: Path) -> None:
    grammar, log = mine
    page = tmp_path / "page.html"
    done = run("report", "--grammar", grammar, "--hand", "#1", "-o", str(page), log)
    assert done.returncode == 0
    assert f"--grammar {grammar}" in page.read_text()


def test_known_is_plain_data(mine: tuple[str, str]) -> None:
    known = read_grammars([mine[0]])
    Path(mine[0]).unlink()
    again: FormatRegistry = pickle.loads(pickle.dumps(known))
    assert again == known
    assert again.named("mine").title == "Riverboat"


def test_hostile_text_is_spelled_out(tmp_path: Path) -> None:
    log = tmp_path / "a.txt"
    log.write_text(POKERSTARS.replace("4th STREET", "4rd STREET \x1b[31m\u202e"), encoding="utf-8")
    done = check(str(log))
    assert not [c for c in done.stderr if unicodedata.category(c) in ("Cc", "Cf") and c != "\n"]
