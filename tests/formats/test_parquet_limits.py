"""Parquet files that would unpack to more than memory should hold."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from handread.formats import text as stream
from handread.formats.parquet import merge_hands, read_hands, read_row, write_hands
from handread.formats.parquet_rows import CARDS, LONGEST, VERSION, VERSION_KEY, Batch, sizes
from handread.formats.parquet_sizes import excess, row_groups
from handread.history import History, Problem, Remark
from tests.hands import hand

ONE = hand("1a 2a\n3: 1=2c.3d/4h 2=5c.6d/7h\n1B 2r 1f")

needs_proc = pytest.mark.skipif(
    not Path("/proc/self/status").exists(), reason="only Linux tells the most memory of a process"
)

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


def table(*hands: History) -> pl.DataFrame:
    batch = Batch()
    for history in hands:
        batch.add(history)
    return batch.frame()


def saved(path: Path, frame: pl.DataFrame, size: int | None = None) -> Path:
    version = {VERSION_KEY: VERSION}
    frame.write_parquet(path, metadata=version, row_group_size=size, statistics=False)
    return path


def read(path: Path) -> tuple[list[str], int, int]:
    """The problems of a file, its hands, and the megabytes of a process that reads it."""
    done = subprocess.run(
        [sys.executable, "-c", READ, str(path)], capture_output=True, text=True, check=True
    )
    *problems, hands, megabytes = done.stdout.splitlines()
    return problems, int(hands), int(megabytes)


def problems(path: Path) -> list[str]:
    return [str(found) for found in read_hands(path, "f") if isinstance(found, Problem)]


@pytest.mark.dear("a text of 129 million characters, in a process of its own")
@needs_proc
def test_a_text_that_unpacks_to_much_is_refused_unread(tmp_path: Path) -> None:
    frame = table(ONE).with_columns(pl.Series("table", ["x" * 129_000_000]))
    path = saved(tmp_path / "text.parquet", frame)
    assert path.stat().st_size < 50_000
    (problem,), hands, megabytes = read(path)
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
    frame = table(ONE).with_columns(table=pl.lit("x" * 1_000_000))
    path = saved(tmp_path / "shared.parquet", pl.concat([frame] * 300))
    assert path.stat().st_size < 100_000
    found, hands, megabytes = read(path)
    assert (found, hands) == ([], 300)
    assert megabytes < 300


@pytest.mark.thorough
@needs_proc
def test_a_run_of_cards_is_refused_unread(tmp_path: Path) -> None:
    frame = table(ONE)
    cards = pl.repeat("2c", 65_000_000, dtype=CARDS, eager=True).implode()
    event = frame["events"][0].tail(1).struct.unnest().with_columns(up=cards)
    events = event.select(list(frame["events"][0].struct.fields)).to_struct().implode()
    path = saved(tmp_path / "run.parquet", frame.with_columns(events=events))
    assert path.stat().st_size < 50_000
    (problem,), hands, megabytes = read(path)
    assert "values; the limit is 64,000,000" in problem
    assert hands == 0
    assert megabytes < 300


@pytest.mark.thorough
def test_sizes_that_the_footer_tells_wrong_do_not_help(tmp_path: Path) -> None:
    frame = table(ONE).with_columns(pl.Series("table", ["x" * 140_000_000]))
    path = saved(tmp_path / "lie.parquet", frame)
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
    (problem,) = problems(path)
    assert "the limit is 128,000,000" in problem


def varint(data: bytes) -> int:
    """The number of five bytes of a varint; 0 if they are none."""
    if data[4] & 128 or not all(byte & 128 for byte in data[:4]):
        return 0
    return sum((byte & 127) << 7 * i for i, byte in enumerate(data))


def test_a_hand_longer_than_a_log_may_have_is_a_problem_and_the_others_are_read(
    tmp_path: Path,
) -> None:
    assert LONGEST == stream.LONGEST
    frame = table(ONE, ONE, ONE).with_row_index("row")
    long = pl.when(pl.col("row") == 1).then(pl.lit("x" * LONGEST)).otherwise("table")
    path = saved(tmp_path / "long.parquet", frame.with_columns(table=long).drop("row"))
    first, problem, last = read_hands(path, "f")
    assert isinstance(problem, Problem)
    assert str(problem).startswith("f:2:1: row 2 has 4,000,")
    assert "characters; the limit is 4,000,000" in str(problem)
    assert [isinstance(found, History) for found in (first, last)] == [True, True]
    assert read_row(path, 2, "f") == ([problem], 0)
    assert read_row(path, 3, "f") == ([last], 0)


def test_what_cannot_be_read_is_not_written(tmp_path: Path) -> None:
    long = replace(ONE, table="x" * LONGEST)
    with pytest.raises(ValueError, match=r"it has 4,000,.* characters; 4,000,000 is most"):
        write_hands(tmp_path / "long.parquet", [long])
    just = replace(ONE, table="x" * (LONGEST - sizes(table(replace(ONE, table="")))[0]))
    write_hands(tmp_path / "just.parquet", [just])
    assert list(read_hands(tmp_path / "just.parquet")) == [just]


TEXTS = st.text(st.characters(codec="utf-8"), max_size=9)


@given(st.lists(TEXTS, max_size=5), TEXTS)
def test_writer_and_reader_count_the_same_characters(remarks: list[str], name: str) -> None:
    events = (*ONE.events, *map(Remark, remarks))
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
    assert sizes(table(replace(ONE, events=events, seats=seats))) == [expected]


def test_row_groups_count_for_the_rows_they_hold(tmp_path: Path) -> None:
    frame = pl.concat([table(ONE)] * 50)
    path = saved(tmp_path / "groups.parquet", frame, size=20)
    groups = row_groups(path.read_bytes())
    assert [group.rows for group in groups] == [20, 20, 10]
    huge = [replace(groups[0], pages=(200_000_000, 1)), *groups[1:]]
    assert [excess(huge, first, 10) is None for first in (0, 10, 20, 40)] == [
        False,
        False,
        True,
        True,
    ]
