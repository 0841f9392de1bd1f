"""Reading logs: every room's sample, and PHH beside PokerKit on the same hands."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from functools import partial
from io import BytesIO
from pathlib import Path

from handread.formats.log_reader import read_text
from handread.formats.registry import writer_named
from handread.game.replay import replay, written_out
from handread.history import History
from tests.benchmarks.timing import Row, alternating
from tests.hands import random_hand

SAMPLES = Path(__file__).parents[2] / "sample_histories"
N_HANDS, ROUNDS = 100, 5


def speed() -> Iterator[Row]:
    """Hands read and replayed a second on one core: by notation, by sample; PHH by PokerKit too."""
    named = dict(texts())
    jobs = [partial(job, text) for text in named.values() for job in (_parse, _read)]
    times = alternating(jobs, ROUNDS)
    for (name, text), parse, both in zip(named.items(), times[::2], times[1::2], strict=True):
        n = _parse(text)
        yield Row(
            f"{name}, read and replayed",
            f"{n / both:,.0f} hands/s",
            f"{n} hands; reading alone {n / parse:,.0f} hands/s",
        )
    yield _beside_pokerkit()


def texts() -> Iterator[tuple[str, str]]:
    """A name and a text of many hands: those that the project plays and writes, and its samples."""
    played = [replay(random_hand(seed, n_players=2 + seed % 7)) for seed in range(N_HANDS)]
    for dialect in ("saund", "phh"):
        yield dialect, "".join(writer_named(dialect).write_all(map(written_out, played)))
    for file in sorted([*SAMPLES.glob("*.txt"), *SAMPLES.glob("*.xml")]):
        text = file.read_text(encoding="utf-8")
        yield file.name, "\n\n\n".join([text] * (1 + N_HANDS // _parse(text)))


def _parse(text: str, dialect: str | None = None) -> int:
    """Parse a text; how many hands it has."""
    return sum(isinstance(one, History) for one in read_text(text, "-", dialect))


def _read(text: str, dialect: str | None = None) -> int:
    """Parse and replay a text; how many hands it has."""
    hands = [hand for hand in read_text(text, "-", dialect) if isinstance(hand, History)]
    assert all(replay(hand).problem is None for hand in hands)
    return len(hands)


def _beside_pokerkit() -> Row:
    """The same hands in PHH by handread and by PokerKit, in turns."""
    played = [replay(random_hand(seed, n_players=2 + seed % 6)) for seed in range(N_HANDS)]
    write = writer_named("phh").write
    hands = [write(written_out(one)) for one in played]
    own = partial(_read_all, hands)
    other = _pokerkit(hands)
    what = "PHH, read and replayed"
    if other is None:
        (time,) = alternating([own], ROUNDS)
        return Row(what, f"{N_HANDS / time:,.0f} hands/s", "PokerKit is not installed")
    time, theirs = alternating([own, other], ROUNDS)
    note = f"{N_HANDS} hands; PokerKit {N_HANDS / theirs:,.0f} hands/s, {theirs / time:.2f} x"
    return Row(what, f"{N_HANDS / time:,.0f} hands/s", note)


def _read_all(hands: list[str]) -> None:
    for text in hands:
        assert _read(text, "phh") == 1


def _pokerkit(hands: list[str]) -> Callable[[], object] | None:
    """The same by PokerKit, ``None`` where it is not installed."""
    try:
        from pokerkit import HandHistory
    except ImportError:
        return None

    def read() -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for text in hands:
                for _ in HandHistory.load(BytesIO(text.encode())):
                    pass

    return read
