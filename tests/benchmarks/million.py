"""Commands on tables of very many hands: processor time and peak memory.

``python -m tests.benchmarks.million make SCORES OUT 1000000`` makes tables by repeating those of
``handread score`` with other files, ids and players; ``... million measure OUT`` runs the commands.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import polars as pl

from handread.tables import HANDS, PIECES, TERMS_FILE
from handread.tables.files import WORK_FOLDER, Folder, commit_part, parts_of, read_part, write_files
from tests.benchmarks.releases import run

TABLES_OF_PLAYERS = 500
"""The copies whose players have names of their own; the next ones begin again."""

COMMANDS: dict[str, tuple[str, ...]] = {
    "summary": ("summary", "{0}"),
    "summary of one": ("summary", "{0}", "--player", "{1}"),
    "query": ("query", "{0}", "street = 5 and p_win > .4 and action = 'call' and seats = 7"),
    "query, sorted": ("query", "{0}", "truth_bits > 3", "--sort", "truth_bits desc", "--top", "5"),
    "select": (
        *("query", "{0}"),
        "select stage, stage_number, avg(entropy_bits) as bits from stages "
        "group by stage, stage_number order by stage_number",
    ),
    "players": ("players", "{0}"),
    "profile": ("players", "{0}", "{1}"),
    "calibration": ("summary", "{0}", "--plot", "calibration", "-o", "{2}/calibration.svg"),
}
"""Commands by name; 0 is the folder, 1 a player, and 2 a folder for output."""


def copied(frame: pl.DataFrame, copy: int) -> pl.DataFrame:
    """Rows of a table as those of another file, other hands and other players."""
    ends = {"file": f"-{copy}", "hand_id": f"-{copy}", "name": f"-{copy % TABLES_OF_PLAYERS}"}
    found = [pl.col(name) + end for name, end in ends.items() if name in frame.columns]
    if "digest" in frame.columns:
        found += [pl.col("digest") + f"{copy}", pl.lit("").alias("keys")]
    return frame.with_columns(found)


def make(source: Path, out: Path, hands: int) -> None:
    """Write tables of so many hands, a part for each copy."""
    (out / WORK_FOLDER).mkdir(parents=True)
    terms = json.loads((source / TERMS_FILE).read_text("utf-8"))
    place, there = Folder(out), parts_of(Folder(source))
    tables = {path.name for path in source.iterdir() if path.name[0] != "." and path.is_dir()}
    frames = {
        table: pl.concat([read_part(Folder(source), part, table) for part in there])
        for table in sorted(tables)
    }
    for copy in range(-(-hands // frames[HANDS].height)):
        rows = {table: copied(frame, copy) for table, frame in frames.items()}
        part = write_files(place.write, [(str(copy), 1, "")], rows, {})
        commit_part(place.write, part, rows[PIECES], {})
    (out / TERMS_FILE).write_text(json.dumps(terms), "utf-8")


def measure(folder: Path) -> None:
    """Print processor time and peak memory of each command."""
    names = pl.scan_parquet(folder / "players").select("name").head(1).collect()
    with TemporaryDirectory(prefix="handread-") as scratch:
        for what, words in COMMANDS.items():
            usage = run(
                "-m", "handread", *(one.format(folder, names.item(), scratch) for one in words)
            )
            seconds = usage.ru_utime + usage.ru_stime
            print(f"{what:16} {seconds:7.1f} s  {usage.ru_maxrss / 1024:6.0f} MB", flush=True)


if __name__ == "__main__":
    if sys.argv[1] == "make":
        make(Path(sys.argv[2]), Path(sys.argv[3]), int(sys.argv[4]))
    else:
        measure(Path(sys.argv[2]))
