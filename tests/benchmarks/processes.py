"""Whole processes, as somebody at a terminal meets them."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from tests.benchmarks.timing import (
    Row,
    alternating,
    as_time,
    median_seconds,
    peak_megabytes,
    run_python,
    seconds,
)

SAMPLE = str(Path(__file__).parents[2] / "sample_histories" / "all-cards-known.stud")

BARE = """\
import typer

app = typer.Typer()


@app.command()
def main(name: str) -> None:
    print(name)


app()
"""


def memory() -> Iterator[Row]:
    """The peak of one analysis."""
    peak = peak_megabytes("-m", "handread", "analyze", SAMPLE)
    yield Row("peak memory of handread analyze", f"{peak:.0f} MB", "one hand")


def help_screen() -> Iterator[Row]:
    """The time to the help screen, against the least that such a program takes."""
    with tempfile.TemporaryDirectory() as folder:
        bare = Path(folder) / "bare.py"
        bare.write_text(BARE)
        ours, least = alternating(
            [
                partial(run_python, "-m", "handread", "--help"),
                partial(run_python, str(bare), "--help"),
            ],
            runs=11,
        )
    yield Row("handread --help", as_time(ours), f"a bare typer program {as_time(least)}")
    yield Row("ratio", f"{ours / least:.2f}")


def first_analysis() -> Iterator[Row]:
    """The time of one analysis, with the kernels compiled and without."""
    with tempfile.TemporaryDirectory() as folder:
        run = partial(run_python, "-m", "handread", "analyze", SAMPLE, NUMBA_CACHE_DIR=folder)
        cold = seconds(run)
        warm = median_seconds(run, runs=5)
    yield Row("handread analyze, warm", as_time(warm), "one hand, whole process")
    yield Row("handread analyze, cold", as_time(cold), "no kernel was compiled before")
