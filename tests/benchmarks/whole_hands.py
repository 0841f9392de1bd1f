"""Whole hands: analysed."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from handread.game.replay import replay
from handread.inference.analysis import analyze_replay
from handread.policy import load_policy
from tests.benchmarks.timing import Row, alternating, as_time, median_seconds
from tests.hands import GOLDEN, hand


def analysis() -> Iterator[Row]:
    """A seven-handed hand with every downcard known, all ten stages."""
    played, policy = replay(hand(GOLDEN)), load_policy("default")
    split = median_seconds(lambda: analyze_replay(played, policy), runs=15)
    paper = median_seconds(lambda: analyze_replay(played, policy, ties="paper"), runs=15)
    yield Row(
        "a seven-handed hand, ten stages, warm",
        as_time(split),
        f"ties split; ties as in the paper {as_time(paper)}",
    )


def policies() -> Iterator[Row]:
    """The same hand by other policies, each against the default."""
    played, names = replay(hand(GOLDEN)), ("default", "uniform", "people", "panel")
    reads = [partial(analyze_replay, played, load_policy(name)) for name in names]
    first, *others = alternating(reads, runs=25)
    for name, time in zip(names[1:], others, strict=True):
        yield Row(f"that hand read with {name}", as_time(time), f"{time / first:.2f} x default")
