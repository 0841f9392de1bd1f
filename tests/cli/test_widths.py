"""Text fits the width of the terminal, and loses nothing by it."""

from __future__ import annotations

import contextlib
import re
import shlex
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from handread.cli import app
from handread.report.tables import (
    PROSE_WIDTH,
    FigureColumn,
    as_prose,
    as_text,
    figures_text,
    infinite_cell,
    n_cell,
    share_cells,
)
from handread.study.statistics import Estimate, FigureTable, Key
from tests.cli.test_terminal import terminal
from tests.examples import few
from tests.program import ROOT, run_here

NIGHT = "in-a-folder-with-a-long-name/and-another/night.txt"

WIDTHS = ("80", "100", "160")

COMMANDS = """
analyze hands.stud
check hands.stud
summary tables
summary tables --sort told
query tables 'p_win > .1' --columns 'name, entropy_bits, truth_bits, kl_bits'
query tables "action = 'call'"
query tables "hand_id <> ''" --table hands
query tables 'select * from actions'
decisions two.stud --rollouts 10 --check none --workers 1 --all
query --schema
summary tables --plot players --least-hands 1 -o players.svg
summary tables --plot surprise -o surprise.svg
summary tables --plot calibration -o calibration.svg
summary tables --plot information-gain -o gain.svg
summary tables --plot entropies -o entropies.svg
experiment information-gain --games 4 GAMES
experiment win-rates --games 2 --seats 3 --set duplicate=yes GAMES
experiment calibration --games 4 GAMES
experiment entropies --games 3 --seed 3
experiment bpp --set matches=1 --games 4
experiment loki-tables income GAMES --games 2
experiment tournament --set sessions=2 --set deals=1 GAMES
experiment learning-curves --games 2 --set others=2 --workers 1
policy list
policy show people
policy show panel
policy show loose
formats
formats --explain ipoker
formats --explain saund
evaluate hands.stud --resamples 100
fit hands.stud -o fitted.toml --penalty 3 --temper 1 --set rounds=1
players SAMPLES/hi-lo.stud SAMPLES/razz.stud SAMPLES/five-card.stud hands.stud --least-hands 1
players SAMPLES/hi-lo.stud SAMPLES/razz.stud --top 1
players SAMPLES/hi-lo.stud SAMPLES/five-card.stud loose-1
players SAMPLES/hi-lo.stud loose1
evaluate two.stud --folds 2 --by hand --features ace --penalty 1e5 --temper 1 --resamples 100
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with logs of several rooms and the tables made of them."""
    made = tmp_path_factory.mktemp("widths")
    samples = ROOT / "sample_histories"
    hands = [samples / name for name in ("all-cards-known.stud", "showdown.stud", "side-pot.stud")]
    (made / "hands.stud").write_text("\n".join(path.read_text("utf-8") for path in hands), "utf-8")
    two = [(samples / name).read_text("utf-8") for name in ("showdown.stud", "steal.stud")]
    (made / "two.stud").write_text("\n".join(two), "utf-8")
    (made / "broken.stud").write_bytes((samples / "broken-turn.stud").read_bytes())
    long = (samples / "broken-card.stud").read_text("utf-8")
    (made / "long.stud").write_text(long.replace("1 |", f"1 {'A' * 100} |"), "utf-8")
    (made / NIGHT).parent.mkdir(parents=True)
    (made / NIGHT).write_bytes((samples / "bovada.txt").read_bytes())
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(made)
        done = run_here("score", NIGHT, "hands.stud", "-o", "tables", "--workers", "1")
    assert done.returncode == 0, done.stderr
    return made


@pytest.mark.parametrize("line", few(COMMANDS.strip().splitlines(), 7))
def test_all_text_fits_80_columns_and_loses_nothing(
    line: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    line = line.replace("SAMPLES", str(ROOT / "sample_histories"))
    command = shlex.split(line.replace("GAMES", "--seed 3 --workers 1"))
    # Tables of ``analyze`` have more columns from 100 columns on.
    widest = "99" if command[0] == "analyze" else "400"
    narrow, wide = on_terminal(*command), run_here(*command, COLUMNS=widest)
    over = [line for line in narrow.splitlines() if cell_len(line) > 80]
    assert not [line for line in over if not line.startswith("handread report ")]
    assert not Counter(words(wide.stdout)) - Counter(words(narrow))


MESSAGES = [
    ["check", "broken.stud", "hands.stud"],
    ["report", "broken.stud", "-o", "pages", "--workers", "1"],
    ["analyze", NIGHT, "--viewpoint", "nobody of this name"],
    ["check", "long.stud"],
]


@pytest.mark.parametrize("command", MESSAGES, ids=" ".join)
def test_messages_fit_the_terminal(
    command: list[str], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    shown, whole = on_terminal(*command), run_here(*command)
    lines = shown.splitlines()
    assert all(cell_len(line) <= 80 for line in lines)
    long = command[-1] == "long.stud"
    if command[0] != "report" and not long:  # a report says how long it took
        assert not Counter(words(whole.stderr)) - Counter(words(shown))
    for n, line in enumerate(lines):
        if line.lstrip().startswith("^"):
            at = lines[n - 1][line.index("^") :]
            assert at.startswith("11h" if long else "r")
            break
    else:
        assert "--viewpoint" in command


def on_terminal(*command: str, columns: int = 80) -> str:
    """What the program leaves on a terminal, from stdout and stderr."""
    with (
        terminal(columns) as (outside, shown),
        open(outside, "w", closefd=False) as screen,
        pytest.MonkeyPatch.context() as patch,
        contextlib.redirect_stdout(screen),
        contextlib.redirect_stderr(screen),
        contextlib.suppress(SystemExit),
    ):
        patch.delenv("COLUMNS", raising=False)
        patch.setenv("TERM", "xterm")
        app(list(command))
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", b"".join(shown).decode())
    return "\n".join(line.rpartition("\r")[2] for line in text.replace("\r\n", "\n").split("\n"))


@pytest.mark.thorough
def test_a_wide_terminal_shows_more_of_a_hand(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    found = {width: run_here("analyze", "hands.stud", COLUMNS=width).stdout for width in WIDTHS}
    narrow, wide, widest = (Counter(words(text)) for text in found.values())
    assert "told by" not in found["80"]
    assert not narrow - wide
    assert (wide - narrow)["before"] > 0
    assert wide == widest
    assert max(map(cell_len, found["100"].splitlines())) <= 100


@pytest.mark.parametrize("command", [["policy", "list"], ["analyze", "hands.stud"]], ids=" ".join)
def test_text_that_goes_to_no_terminal_has_80_columns(
    command: list[str], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    assert run_here(*command).stdout == run_here(*command, COLUMNS="80").stdout


def words(text: str) -> list[str]:
    """The words of a text; a rule across the page and the folders of a file's name are none."""
    return [word.rsplit("/", 1)[-1] for word in text.split() if not re.fullmatch("=+", word)]


CELL = st.text("ab 1é牌", max_size=12).map(str.strip)


@given(data=st.data(), width=st.integers(80, 120), rows=st.integers(1, 4))
def test_a_table_holds_every_cell_at_any_width(data: st.DataObject, width: int, rows: int) -> None:
    columns = data.draw(st.integers(1, 14))
    table = data.draw(
        st.lists(st.lists(CELL, min_size=columns, max_size=columns), min_size=rows, max_size=rows)
    )
    left = data.draw(st.sets(st.integers(0, columns - 1)))
    text = as_text(table, "  ", left, width)
    assert all(cell_len(line) <= width for line in text.splitlines())
    found = Counter(text.split())
    assert not Counter(word for row in table for cell in row for word in cell.split()) - found


def test_a_wide_table_is_split_with_its_first_column() -> None:
    rows = [["name", "mean", "", "net"], ["Ann", "1.50", "(1.20 to 1.80)", "+2"]]
    assert as_text(rows, width=40) == (
        "name  mean                  net\nAnn   1.50  (1.20 to 1.80)   +2\n"
    )
    assert as_text(rows, width=28) == (
        "name  mean\nAnn   1.50  (1.20 to 1.80)\n\nname  net\nAnn    +2\n"
    )


def test_heads_are_broken_before_tables_are_split() -> None:
    rows = [["stage", "cards-only bits", "games"], ["3D", "0.12", "7"]]
    assert as_text(rows, width=24) == (
        "stage  cards-only  games\n             bits\n3D           0.12      7\n"
    )


def test_a_column_without_a_value_is_left_out() -> None:
    found = FigureTable(
        {
            Key("hits", "3B"): Estimate(0.5, n=4, hands=2),
            Key("hits", "4B"): Estimate(0.25, n=4, hands=2, infinite=1),
        }
    )
    columns = (
        FigureColumn(("n",), "hits", n_cell),
        FigureColumn(("mean", ""), "hits", share_cells),
        FigureColumn(("ruled out",), "hits", infinite_cell),
    )
    rows = [(stage, Key("", stage)) for stage in ("3B", "4B")]
    both = figures_text(found, rows, columns)
    assert both == "    n  mean  ruled out\n3B  4   50%          -\n4B  4   25%          1\n"
    assert figures_text(found, rows[:1], columns) == "    n  mean\n3B  4   50%\n"


def test_a_last_column_of_text_is_broken_between_words() -> None:
    rows = [["odds", "+1.5", "what the pot lays a player who calls"]]
    assert as_text(rows, left=(0, 2), width=38) == (
        "odds  +1.5  what the pot lays a player\n            who calls\n"
    )


@given(
    text=st.text("ab {}-é牌 ", max_size=300).map(str.strip),
    width=st.integers(20, 80),
    hang=st.sampled_from(["", "    "]),
)
def test_prose_is_broken_at_single_blanks(text: str, width: int, hang: str) -> None:
    lines = as_prose(text, hang=hang, width=width).splitlines()
    assert all(cell_len(line) <= width for line in lines)
    joined = "".join(line.removeprefix(hang if n else "") for n, line in enumerate(lines))
    assert joined.replace(" ", "") == text.replace(" ", "")


def test_blanks_in_a_row_stay_together() -> None:
    assert as_prose("one two:  three four", width=12) == "one\ntwo:  three\nfour\n"


def test_prose_is_not_wider_than_can_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "300")
    assert max(map(len, as_prose("word " * 100).splitlines())) <= PROSE_WIDTH


@pytest.mark.parametrize("columns", ["", "0", "-5", "abc", "12"])
def test_a_width_that_is_none_is_80(columns: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    assert as_text([["a" * 50, "b" * 28]]) == f"{'a' * 50}  {'b' * 28}\n"
    assert as_text([["a" * 50, "b" * 29]]).count("\n") > 1
