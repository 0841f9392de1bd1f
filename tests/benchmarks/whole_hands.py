"""Whole hands: analysed, read, replayed."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from handread.analysis import analyze_replay
from handread.engine import replay, written_out
from handread.history import History
from handread.notation import read_text, writer_named
from handread.policy import load_policy
from tests.benchmarks.timing import Row, alternating, as_time, median_seconds
from tests.hands import GOLDEN, hand, random_hand

SAMPLES = Path(__file__).parents[2] / "sample_histories"
N_HANDS = 200


def texts() -> Iterator[tuple[str, str]]:
    """A dialect and a text of it: hands that the project made, written by it or samples."""
    played = [replay(random_hand(seed, n_players=2 + seed % 7)) for seed in range(N_HANDS)]
    for dialect in ("saund", "phh"):
        write = writer_named(dialect).write
        hands = [write(written_out(one)) for one in played]
        if dialect == "phh":
            hands = [f"[{n}]\n{text}" for n, text in enumerate(hands, start=1)]
        yield dialect, "\n".join(hands)
    for file in sorted(SAMPLES.glob("*.txt")):
        text = file.read_text(encoding="utf-8")
        copies = 1 + N_HANDS // len(list(read_text(text, file.name)))
        yield file.stem, "\n\n\n".join([text] * copies)


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


def parsing() -> Iterator[Row]:
    """Hands read and replayed a second, by dialect."""
    for dialect, text in texts():
        hands = [h for h in read_text(text, "-", dialect) if isinstance(h, History)]
        parse = median_seconds(lambda: list(read_text(text, "-", dialect)), runs=3)  # noqa: B023 - called at once
        both = median_seconds(
            lambda: [replay(h) for h in read_text(text, "-", dialect) if isinstance(h, History)],  # noqa: B023 - called at once
            runs=3,
        )
        lines = text.count("\n")
        yield Row(
            f"{dialect}, read and replayed",
            f"{len(hands) / both:,.0f} hands/s",
            f"{len(hands)} hands; reading alone {len(hands) / parse:,.0f} hands/s, "
            f"{lines / parse:,.0f} lines/s",
        )
