"""Parquet files of hands: nothing lost, nothing believed that is damaged, memory bounded."""

from __future__ import annotations

import dataclasses
import errno
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from handread import history as hh
from handread.cards import card_text
from handread.formats import parquet as files
from handread.formats import parquet_rows as columns
from handread.formats import text as stream
from handread.formats.log_reader import read_file
from handread.formats.parquet import check_hand, merge_hands, read_hands, read_row, write_hands
from handread.formats.parquet_sizes import excess, row_groups
from handread.game.replay import replay, written_out
from handread.game.rules import SAUND_STAKES, STUD, VARIANTS, Stakes, Unit, Variant
from handread.game.wagers import plain_events
from handread.history import History, Problem, Seat, Source
from tests.examples import examples
from tests.hands import GOLDEN, ROOM_STAKES, hand, random_hand
from tests.program import SAMPLES

# Any record, legal or not

seat_numbers = st.integers(1, 2**16 - 1)
amounts = st.integers(-(2**63), 2**63 - 1)
said = st.none() | amounts
flags = st.booleans()
some_cards = st.lists(st.none() | st.integers(0, 51), max_size=8).map(tuple)
texts = st.text(max_size=12)
wagers = partial(st.builds, hh.Wager, seat_numbers)
other_events = st.one_of(
    st.builds(hh.Ante, seat_numbers, said, flags),
    st.builds(hh.Deal, seat_numbers, some_cards, some_cards),
    st.builds(hh.SharedCard, st.none() | st.integers(0, 51)),
    wagers(st.just(hh.Action.BRING_IN), said, all_in=flags),
    wagers(st.sampled_from([hh.Action.CHECK, hh.Action.FOLD])),
    wagers(st.just(hh.Action.BET), said, all_in=flags, double=flags),
    wagers(st.just(hh.Action.CALL), said, all_in=flags),
    wagers(st.just(hh.Action.RAISE), to=said, all_in=flags, double=flags),
    st.builds(hh.Uncalled, seat_numbers, amounts),
    st.builds(hh.Show, seat_numbers, some_cards),
    st.builds(hh.Muck, seat_numbers, some_cards),
    st.builds(hh.Collect, seat_numbers, amounts, texts),
    st.builds(hh.TotalPot, amounts, flags),
    st.builds(hh.Rake, amounts),
    st.builds(hh.Remark, texts),
)


def histories_of(game: Variant) -> st.SearchStrategy[History]:
    """Any record of a game; its streets and the number of its bets are those of the game."""
    streets = st.builds(hh.StreetStart, st.integers(game.first, game.last))
    bets = st.tuples(*[amounts] * len(game.streets))
    return st.builds(
        History,
        hand_id=texts,
        source=st.just(Source("log.txt", 7, "test")),
        variant=st.just(game.key),
        unit=st.builds(Unit, st.integers(0, 255), texts),
        stakes=st.none() | st.builds(Stakes, amounts, amounts, bets, amounts, said, flags, flags),
        seats=st.lists(st.builds(Seat, seat_numbers, texts, said, flags), max_size=4).map(tuple),
        events=st.lists(streets | other_events, max_size=10).map(tuple),
        hero=st.none() | seat_numbers,
        table=texts,
        played_at=texts,
    )


any_histories = st.sampled_from(sorted(VARIANTS)).flatmap(lambda key: histories_of(VARIANTS[key]))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("columnar")


def legal(n: int, start: int = 0, game: Variant = STUD) -> list[History]:
    """Legal hands of every sort: stacks or none, amounts written out or not, shared cards."""
    rng = Random(start)
    return [
        random_hand(
            seed,
            n_players=8 if seed % 10 == 0 else rng.randint(2, 8),
            stakes=rng.choice([SAUND_STAKES, ROOM_STAKES]),
            deepest=rng.choice([None, 4, 12, 40]),
            explicit=rng.random() < 0.5,
            game=game,
        )
        for seed in range(start, start + n)
    ]


# Round trips


@pytest.mark.thorough
@pytest.mark.laws
@examples(12)
@given(st.lists(any_histories, max_size=6))
def test_any_record_comes_back_as_it_was(folder: Path, hands: list[History]) -> None:
    path = folder / "any.parquet"
    assert write_hands(path, hands, batch=2) == len(hands)
    back = list(read_hands(path))
    if not hands:
        assert [str(problem) for problem in back] == [
            f"{path}:1:1: there are no hands in it (expected hands)"
        ]
        return
    assert back == hands
    assert list(read_hands(path.read_bytes(), "-")) == hands
    for row, history in enumerate(back, start=1):
        assert history.source == Source(str(path), row, "parquet")
        assert history.problem(0, "").line == history.end_line == row


def logged(paths: list[Path]) -> list[History]:
    """The sound records of files, of any game, with wagers as the columns hold them."""
    readings = [reading for path in paths for reading in read_file(path)]
    hands = [r for r in readings if isinstance(r, History) and not r.problems]
    return [replace(hand, events=tuple(plain_events(hand.events))) for hand in hands]


def keep_and_compare(path: Path, hands: list[History]) -> None:
    write_hands(path, hands)
    back = list(read_hands(path))
    assert back == hands
    for before, after in zip(map(replay, hands), map(replay, back), strict=True):  # type: ignore[arg-type]
        assert written_out(after) == written_out(before)
        assert (after.won, after.pots, after.rake) == (before.won, before.pots, before.rake)
        assert (after.problem and after.problem.message) == (
            before.problem and before.problem.message
        )


@pytest.mark.thorough
def test_logs_of_every_notation_come_back(folder: Path) -> None:
    hands = logged(sorted(SAMPLES.iterdir()))
    assert len({history.source.dialect for history in hands}) >= 5
    keep_and_compare(folder / "samples.parquet", hands)


def test_real_logs_come_back(folder: Path, real_hands: Path) -> None:
    hands = logged(sorted(path for path in real_hands.glob("*/*") if path.is_file()))
    assert {history.variant for history in hands} > {"stud", "razz"}
    # What a log calls a game that is not read is not kept.
    keep_and_compare(folder / "real.parquet", [replace(hand, game="") for hand in hands])


# The table


def test_every_field_of_a_record_has_its_column() -> None:
    classes = {value for value in vars(hh).values() if isinstance(value, type)}
    events = {c for c in classes if issubclass(c, hh.Event)} - {hh.Event}
    assert {kind.event for kind in columns.KINDS} == events
    assert [column.name for column in columns.EVENT.fields] == ["kind", *columns.EMPTY]
    for kind in columns.KINDS:
        kept = {*kind.fixed, *filter(None, kind.attributes)}
        names = {field.name for field in dataclasses.fields(kind.event)}
        # Cards in any order are told by the column in which they stand, and wagers are plain.
        left_out = {"line", "column", "known", "any_order", "over_bring_in"}
        left_out |= {"adds", "to", "all_in", "double"} - kept if kind.event is hh.Wager else set()
        assert kept == names - left_out, kind.name
    names = {field.name for field in dataclasses.fields(History)}
    of_the_text = {"source", "problems", "end_line", "game", "meant", "unpaid", "findings"}
    of_the_text |= {"nets", "claims", "lows"}
    # Notes on how the stakes were found; the stakes themselves are kept. Equality ignores both.
    of_the_stakes = {"tournament", "bring_in_share", "inferred_from"}
    left_out = of_the_text | of_the_stakes | {"unit", "any_opener", "without_uncalled"}
    assert names - left_out == {*columns.SCHEMA} - {"decimals", "currency"}
    assert {field.name for field in dataclasses.fields(Stakes)} == {
        column.name
        for column in columns.HAND["stakes"].fields  # type: ignore[attr-defined]
    }


def test_the_table_agrees_with_an_obvious_reading_of_it(folder: Path) -> None:
    hands = [hand("1a 2a\n 3: 1=2c.??/3d 2=4c.4d/4h\n 1B 2f", hero=2), *legal(20, start=500)]
    write_hands(folder / "plain.parquet", hands)
    rows = pl.read_parquet(folder / "plain.parquet").to_dicts()
    kinds = [cells["kind"] for cells in rows[0]["events"]]
    assert kinds == ["ante", "ante", "3rd street", "deal", "deal", "bring-in", "fold"]
    assert rows[0]["events"][3]["down"] == ["2c", None]
    for row, history in zip(rows, hands, strict=True):
        assert row["stakes"]["bets"] == [*history.stakes.bets] if history.stakes else True
        assert (row["hand_id"], row["hero"]) == (history.hand_id, history.hero)
        assert [seat["stack"] for seat in row["seats"]] == [s.stack for s in history.seats]
        for cells, event in zip(row["events"], history.events, strict=True):
            assert cells["seat"] == getattr(event, "seat", None)
            if isinstance(event, hh.Wager):
                assert cells["amount"] == (event.to if event.action == "raise" else event.adds)
            else:
                assert cells["amount"] == getattr(event, "amount", None)
            assert cells["all_in"] == getattr(event, "all_in", False)
            for side in ("down", "up") if isinstance(event, hh.Deal) else ():
                names = [None if c is None else card_text(c) for c in getattr(event, side)]
                assert cells[side] == names


# What cannot be kept

UNHELD: list[tuple[dict[str, Any], str]] = [
    ({"problems": (Problem("f", 1, 1, "a torn line"),)}, "its record is not sound: a torn line"),
    ({"variant": "chess"}, "'chess' is no game that handread knows"),
    ({"variant": "5stud"}, "its stakes have 5 bets for 4 streets"),
    ({"unit": Unit(256)}, "amounts with 256 digits after the point"),
    ({"hero": 0}, "there is no seat 0"),
    ({"table": "a\ud800"}, "holds what is no character"),
    ({"stakes": replace(SAUND_STAKES, cap=2**63)}, "an amount takes more than 64 bits"),
    ({"seats": (Seat(65536),)}, "there is no seat 65536"),
    ({"seats": (Seat(1, "", 2**63),)}, "an amount takes more than 64 bits"),
    ({"events": (hh.Wager(1, hh.Action.BET, -(2**63) - 1),)}, "an amount takes more than 64 bits"),
    ({"events": (hh.Deal(1, (52,)),)}, "52 is no card"),
    ({"events": (hh.SharedCard(-1),)}, "-1 is no card"),
    ({"events": (hh.StreetStart(8),)}, "there is no such event as StreetStart"),
    ({"events": (hh.Wager(1, hh.Action.RAISE, adds=4),)}, "'raise' of seat 1 is not written out"),
]


@pytest.mark.parametrize(("change", "message"), UNHELD)
def test_a_hand_that_cannot_be_kept_is_refused_by_name(
    tmp_path: Path, change: dict[str, Any], message: str
) -> None:
    good, bad = hand(GOLDEN), replace(hand(GOLDEN), hand_id="bad", **change)
    path = tmp_path / "hands.parquet"
    write_hands(path, [good])
    before = path.read_bytes()
    with pytest.raises(ValueError, match="test:1: hand 'bad' cannot be kept") as refusal:
        write_hands(path, [good, bad])
    assert message in str(refusal.value)
    with pytest.raises(ValueError, match=re.escape(message)):
        check_hand(bad)
    check_hand(good)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no full device")
def test_a_device_that_is_full_is_an_oserror_in_words() -> None:
    with pytest.raises(OSError, match="No space left on device") as caught:
        write_hands("/dev/full", legal(3))
    assert caught.value.errno == errno.ENOSPC


def test_a_pipe_gets_the_bytes_that_a_file_does(tmp_path: Path) -> None:
    write_hands(tmp_path / "file.parquet", legal(3))
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with ThreadPoolExecutor(1) as reader:
        read = reader.submit(pipe.read_bytes)
        write_hands(pipe, legal(3))
        assert read.result() == (tmp_path / "file.parquet").read_bytes()


def test_a_run_that_breaks_off_leaves_the_old_file(tmp_path: Path) -> None:
    def breaking() -> Iterator[History]:
        yield from legal(5)
        raise RuntimeError("the power went out")

    path = tmp_path / "hands.parquet"
    with pytest.raises(RuntimeError, match="power"):
        write_hands(path, breaking(), batch=2)
    assert not list(tmp_path.iterdir())
    write_hands(path, legal(3))
    with pytest.raises(RuntimeError, match="power"):
        write_hands(path, breaking(), batch=2)
    assert list(read_hands(path)) == legal(3)
    with pytest.raises(ValueError, match="too few"):
        write_hands(path, legal(1), batch=0)
    with pytest.raises(OSError, match="No such file"):
        write_hands(tmp_path / "nowhere" / "hands.parquet", [])


# Damage


def only_problem(source: Path | bytes) -> Problem:
    found = list(read_hands(source, "f.parquet"))
    assert len(found) == 1
    assert (found[0].file, found[0].line, found[0].column) == ("f.parquet", 1, 1)
    return found[0]


def test_no_changed_byte_goes_unnoticed(folder: Path) -> None:
    path = folder / "damage.parquet"
    hands = legal(20)
    write_hands(path, hands)
    whole, rng = path.read_bytes(), Random(3)
    for place in rng.sample(range(len(whole) - 8), 400):
        torn = bytearray(whole)
        torn[place] ^= 1 << rng.randrange(8)
        found = list(read_hands(bytes(torn)))
        # Where the mark of the checksum is hit, there is none to check; all else is as it was.
        assert found == hands or (len(found) == 1 and isinstance(found[0], Problem))


def test_a_file_cut_short_is_one_problem(folder: Path) -> None:
    path = folder / "cut.parquet"
    write_hands(path, legal(5))
    whole = path.read_bytes()
    for length in [*range(12), *Random(4).sample(range(12, len(whole)), 60), len(whole) - 1]:
        message = only_problem(whole[:length]).message
        assert message == ("this is not a Parquet file" if length < 4 else "the file is cut short")
    for tail in range(1, 9):
        torn = bytearray(whole)
        torn[-tail] ^= 0xFF
        assert "cut short" in only_problem(bytes(torn)).message or tail > 4


def unsealed(path: Path, table: pl.DataFrame, **options: Any) -> Path:
    """A table in a file as another program writes it, with our version in its metadata."""
    table.write_parquet(path, metadata={columns.VERSION_KEY: columns.VERSION}, **options)
    return path


def table_of(*hands: History) -> pl.DataFrame:
    batch = columns.Batch()
    for history in hands:
        batch.add(history)
    return batch.frame()


def test_rows_beyond_a_damaged_stretch_are_read(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "BATCH", 10)
    hands = [replace(history, hand_id="x" * 40) for history in legal(30)]
    path = unsealed(
        folder / "stretch.parquet",
        table_of(*hands),
        row_group_size=10,
        compression="uncompressed",
        statistics=False,
    )
    whole = path.read_bytes()
    second = whole.index(b"x" * 40, whole.index(b"x" * 40) + 2000)
    torn = whole[:second] + b"\xff" * 40 + whole[second + 40 :]
    found = list(read_hands(torn, "f"))
    assert found[:10] == hands[:10]
    assert found[11:] == hands[20:]
    assert str(found[10]).startswith("f:11:1: the file is damaged: rows 11 to 20 cannot be read")


def test_other_files_are_one_problem_in_words(tmp_path: Path) -> None:
    other, text = tmp_path / "other.parquet", tmp_path / "text"
    text.write_text("PokerStars Game #1")
    assert only_problem(text).message == "this is not a Parquet file"
    assert only_problem(b"").message == "this is not a Parquet file"
    assert only_problem(tmp_path / "none").message == (
        "cannot read the file: No such file or directory"
    )
    assert only_problem(tmp_path).message == "cannot read the file: Is a directory"
    pl.DataFrame({"a": [1]}).write_parquet(other)
    assert only_problem(other).message == "this is a Parquet table, but not of hands"
    table = table_of(hand(GOLDEN))
    table.write_parquet(other, metadata={columns.VERSION_KEY: "2"})
    assert "in version '2' of the columns; this handread knows" in only_problem(other).message
    unsealed(other, table.drop("hero").with_columns(decimals=pl.lit("2")))
    assert only_problem(other).message.endswith("of version '1': decimals, hero")
    unsealed(other, table.with_columns(more=1))
    assert "more of them" in only_problem(other).message
    unsealed(other, table.select(reversed(table.columns)))
    assert "another order" in only_problem(other).message
    assert list(read_hands(unsealed(other, table))) == [hand(GOLDEN)]


def test_names_are_paths_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("s3:").mkdir()
    Path("a=1").mkdir()
    for name in ("s3:/x.parquet", "a*[b]?.parquet", "a=1/x.parquet", "~.parquet"):
        assert write_hands(name, [hand(GOLDEN)]) == 1
        assert list(read_hands(name)) == [hand(GOLDEN)]


# Rows that are no hands

WRONG_ROWS: list[tuple[dict[str, Any], str]] = [
    ({"hand_id": None}, "there is no value in hand_id"),
    ({"variant": "chess"}, "'chess' is no game that handread knows"),
    ({"hero": 0}, "0 is the hero's"),
    ({"stakes": {"ante": 1}}, "its stakes are not all there"),
    ({"seats": None}, "there are no seats"),
    ({"events": None}, "there are no events"),
    ({"seats": [{"number": 0, "name": "", "sitting_out": False}]}, "one has no number"),
    ({"seats": [{"number": 1, "sitting_out": False}]}, "seat 1 is not whole"),
]
WRONG_EVENTS: list[tuple[dict[str, Any], str]] = [
    ({"kind": None}, "an event is of no kind"),
    ({"kind": "check", "seat": 0}, "an event of the kind 'check' is of seat 0"),
    ({"kind": "check", "amount": 5}, "an event has both the kind 'check' and 'amount'"),
    ({"kind": "collect", "text": "main"}, "an event of the kind 'collect' has no 'amount'"),
    ({"kind": "deal", "down": None}, "an event of the kind 'deal' has no 'down'"),
    ({"kind": "remark", "seat": None}, "an event of the kind 'remark' has no 'text'"),
    ({"kind": "shared card", "seat": None, "up": ["7h", "8h"]}, "2 shared cards instead of one"),
]
PLAIN_EVENT = {"seat": 1, "all_in": False, "double": False, "down": [], "up": []}


def test_a_row_that_is_no_hand_is_a_problem_and_the_others_are_read(folder: Path) -> None:
    good = hand(GOLDEN)
    row = table_of(good).to_dicts()[0]
    wrong = [
        *WRONG_ROWS,
        *(({"events": [PLAIN_EVENT | e]}, message) for e, message in WRONG_EVENTS),
    ]
    rows = [line for change, _ in wrong for line in (row | change, row)]
    path = unsealed(
        folder / "rows.parquet", pl.DataFrame(rows, schema=columns.SCHEMA, orient="row")
    )
    found = list(read_hands(path, "f"))
    assert found[1::2] == [good] * len(wrong)
    for number, (problem, (_, message)) in enumerate(zip(found[::2], wrong, strict=True)):
        assert str(problem).startswith(f"f:{2 * number + 1}:1: row {2 * number + 1} is no hand: ")
        assert message in problem.message


# Many hands


def test_parts_are_joined_in_order(tmp_path: Path) -> None:
    hands = legal(30)
    parts = [tmp_path / f"{n}.parquet" for n in range(4)]
    for part, some in zip(parts, (hands[:7], hands[7:8], [], hands[8:]), strict=True):
        write_hands(part, some)
    whole = tmp_path / "whole.parquet"
    assert merge_hands(parts, whole) == 30
    assert list(read_hands(whole)) == hands
    assert merge_hands([whole, str(whole)], whole) == 60
    assert list(read_hands(whole)) == hands * 2
    assert merge_hands([], whole) == 0
    assert only_problem(whole).message == "there are no hands in it"
    (tmp_path / "text").write_text("PAR")
    with pytest.raises(ValueError, match="text: this is not a Parquet file"):
        merge_hands([parts[0], tmp_path / "text"], parts[0])
    assert list(read_hands(parts[0])) == hands[:7]
    assert sorted(tmp_path.iterdir()) == sorted([*parts, whole, tmp_path / "text"])


MANY_HANDS = """
import resource, sys
from dataclasses import replace
from handread.formats import parquet as files
from handread.history import Remark
from tests.hands import hand

files.BATCH = 250
one = hand("1a 2a\\n3: 1=2c.3d/4h 2=5c.6d/7h\\n1B 2r 1f")
def many(n):
    for i in range(n):
        yield replace(one, hand_id=str(i), events=(*one.events, Remark(f"{i:08d}" * 500)))
def run(n):
    assert files.write_hands(sys.argv[1], many(n), batch=250) == n
    assert sum(int(found.hand_id) for found in files.read_hands(sys.argv[1])) == n * (n - 1) // 2
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

few = run(4000)
print((run(20_000) - few) // 1024)
"""


@pytest.mark.dear("a process that writes and reads thousands of hands")
def test_memory_does_not_grow_with_the_hands(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", MANY_HANDS, str(tmp_path / "many.parquet")],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[2],
    )
    # The texts of the hands beyond the first 4,000 are 64 megabytes long, and packed, sorted into
    # columns and compressed they would be there several times.
    assert int(done.stdout) < 40


# What would unpack to more than memory should hold

ONE = hand("1a 2a\n3: 1=2c.3d/4h 2=5c.6d/7h\n1B 2r 1f")

needs_proc = pytest.mark.skipif(
    not Path("/proc/self/status").exists(), reason="only Linux tells the most memory of a process"
)

LONG = """
import sys
import polars as pl
from handread.formats.parquet_rows import VERSION, VERSION_KEY

frame = pl.read_parquet(sys.argv[1]).with_columns(pl.Series("table", ["x" * int(sys.argv[2])]))
frame.write_parquet(sys.argv[1], metadata={VERSION_KEY: VERSION}, statistics=False)
"""


def with_long_text(path: Path, n: int) -> Path:
    """A file of a hand with a text of n characters; the process that writes it holds a gigabyte."""
    unsealed(path, table_of(ONE))
    subprocess.run([sys.executable, "-c", LONG, str(path), str(n)], check=True)
    return path


READ = """
import sys
from pathlib import Path
from handread.formats.parquet import read_hands
from handread.history import Problem

n = 0
for found in read_hands(sys.argv[1], "bomb.parquet"):
    n += not isinstance(found, Problem)
    if isinstance(found, Problem):
        print(found)
print(n)
# What getrusage tells begins with the memory of the process that started this one.
status = Path("/proc/self/status").read_text()
print(int(status.partition("VmHWM:")[2].split()[0]) // 1024)
"""


def read_apart(path: Path) -> tuple[list[str], int, int]:
    """The problems of a file, its hands, and the megabytes of a process that reads it."""
    done = subprocess.run(
        [sys.executable, "-c", READ, str(path)], capture_output=True, text=True, check=True
    )
    *problems, hands, megabytes = done.stdout.splitlines()
    return problems, int(hands), int(megabytes)


@pytest.mark.dear("a text of 129 million characters, in a process of its own")
@needs_proc
def test_a_text_that_unpacks_to_much_is_refused_unread(tmp_path: Path) -> None:
    path = with_long_text(tmp_path / "text.parquet", 129_000_000)
    assert path.stat().st_size < 50_000
    (problem,), hands, megabytes = read_apart(path)
    assert problem.startswith("bomb.parquet:1:1: rows 1 to 1 are too large: unpacked")
    assert "bytes; the limit is 128,000,000" in problem
    assert hands == 0
    assert megabytes < 300
    (found,), _ = read_row(path, 1, "bomb.parquet")
    assert str(found) == problem
    with pytest.raises(ValueError, match="the hands from number 1 on are too large"):
        merge_hands([path], tmp_path / "merged.parquet")


@pytest.mark.dear("300 million characters, in a process of its own")
@needs_proc
def test_a_text_that_many_rows_share_is_unpacked_a_few_rows_at_once(tmp_path: Path) -> None:
    frame = table_of(ONE).with_columns(table=pl.lit("x" * 1_000_000))
    path = unsealed(tmp_path / "shared.parquet", pl.concat([frame] * 300))
    assert path.stat().st_size < 100_000
    found, hands, megabytes = read_apart(path)
    assert (found, hands) == ([], 300)
    assert megabytes < 300


@pytest.mark.dear("65 million cards, in a process of its own")
@needs_proc
def test_a_run_of_cards_is_refused_unread(tmp_path: Path) -> None:
    frame = table_of(ONE)
    cards = pl.repeat("2c", 65_000_000, dtype=columns.CARDS, eager=True).implode()
    event = frame["events"][0].tail(1).struct.unnest().with_columns(up=cards)
    events = event.select(list(frame["events"][0].struct.fields)).to_struct().implode()
    path = unsealed(tmp_path / "run.parquet", frame.with_columns(events=events))
    assert path.stat().st_size < 50_000
    (problem,), hands, megabytes = read_apart(path)
    assert "values; the limit is 64,000,000" in problem
    assert hands == 0
    assert megabytes < 300


@pytest.mark.dear("a text of 140 million characters")
def test_sizes_that_the_footer_tells_wrong_do_not_help(tmp_path: Path) -> None:
    path = with_long_text(tmp_path / "lie.parquet", 140_000_000)
    whole = path.read_bytes()
    (group,) = row_groups(whole)
    assert group.pages is not None
    # The size of the page as a varint of Thrift: once in the header of the page. The footer has
    # that of the column, which counts the header too: make it 0 in as many bytes.
    place = len(whole) - 8 - int.from_bytes(whole[-8:-4], "little")
    footer = whole[place:]
    sums = [i for i in range(len(footer) - 5) if 140_000_000 <= varint(footer[i : i + 5]) >> 1]
    sums = [i for i in sums if varint(footer[i : i + 5]) >> 1 < 140_001_000]
    assert sums
    for i in sums:
        footer = footer[:i] + b"\x80\x80\x80\x80\x00" + footer[i + 5 :]
    path.write_bytes(whole[:place] + footer)
    assert "the limit is 128,000,000" in only_problem(path).message


def varint(data: bytes) -> int:
    """The number of five bytes of a varint; 0 if they are none."""
    if data[4] & 128 or not all(byte & 128 for byte in data[:4]):
        return 0
    return sum((byte & 127) << 7 * i for i, byte in enumerate(data))


def test_a_hand_longer_than_a_log_may_have_is_a_problem_and_the_others_are_read(
    tmp_path: Path,
) -> None:
    assert columns.LONGEST == stream.LONGEST
    frame = table_of(ONE, ONE, ONE).with_row_index("row")
    long = pl.when(pl.col("row") == 1).then(pl.lit("x" * columns.LONGEST)).otherwise("table")
    path = unsealed(tmp_path / "long.parquet", frame.with_columns(table=long).drop("row"))
    first, problem, last = read_hands(path, "f")
    assert str(problem).startswith("f:2:1: row 2 has 4,000,")
    assert "characters; the limit is 4,000,000" in str(problem)
    assert [isinstance(found, History) for found in (first, last)] == [True, True]
    assert read_row(path, 2, "f") == ([problem], 0)
    assert read_row(path, 3, "f") == ([last], 0)


def test_what_cannot_be_read_is_not_written(tmp_path: Path) -> None:
    long = replace(ONE, table="x" * columns.LONGEST)
    with pytest.raises(ValueError, match=r"it has 4,000,.* characters; 4,000,000 is most"):
        write_hands(tmp_path / "long.parquet", [long])
    just = replace(
        ONE, table="x" * (columns.LONGEST - columns.sizes(table_of(replace(ONE, table="")))[0])
    )
    write_hands(tmp_path / "just.parquet", [just])
    assert list(read_hands(tmp_path / "just.parquet")) == [just]


TEXTS = st.text(st.characters(codec="utf-8"), max_size=9)


@given(st.lists(TEXTS, max_size=5), TEXTS)
def test_writer_and_reader_count_the_same_characters(remarks: list[str], name: str) -> None:
    events = (*ONE.events, *map(hh.Remark, remarks))
    seats = tuple(replace(seat, name=name) for seat in ONE.seats)
    cards = sum(
        len(getattr(event, column))
        for event in events
        for column in ("down", "up", "cards")
        if hasattr(event, column)
    )
    own = [ONE.hand_id, ONE.variant, ONE.table, ONE.played_at, ONE.unit.symbol]
    texts = sum(map(len, [*own, *remarks, *(name for _ in seats)]))
    expected = texts + 2 * cards + 8 * (len(seats) + len(events))
    assert columns.sizes(table_of(replace(ONE, events=events, seats=seats))) == [expected]


def test_row_groups_count_for_the_rows_they_hold(tmp_path: Path) -> None:
    frame = pl.concat([table_of(ONE)] * 50)
    path = unsealed(tmp_path / "groups.parquet", frame, row_group_size=20)
    groups = row_groups(path.read_bytes())
    assert [group.rows for group in groups] == [20, 20, 10]
    huge = [replace(groups[0], pages=(200_000_000, 1)), *groups[1:]]
    assert [excess(huge, first, 10) is None for first in (0, 10, 20, 40)] == [
        False,
        False,
        True,
        True,
    ]
