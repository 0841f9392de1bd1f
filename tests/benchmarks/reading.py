"""Reading logs: every room's sample, and PHH beside PokerKit on the same hands."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from functools import partial
from io import BytesIO
from pathlib import Path

from handread.engine import replay, written_out
from handread.history import History
from handread.notation import read_text, writer_named
from tests.benchmarks.timing import Row, alternating
from tests.hands import random_hand

SAMPLES = Path(__file__).parents[2] / "sample_histories"
N_HANDS, ROUNDS = 100, 5


def speed() -> Iterator[Row]:
    """Hands parsed and replayed a second on one core: simulated ones, each room's sample, PHH."""
    names = ["simulated-pokerstars.txt", "ipoker.xml", "merge.xml"]
    names += sorted({path.name for path in SAMPLES.glob("simulated-*.txt")} - {*names})
    texts = [_at_least(SAMPLES / name) for name in names]
    times = alternating([partial(_read, text) for text in texts], ROUNDS)
    for name, text, time in zip(names, texts, times, strict=True):
        n = _read(text)
        yield Row(f"{name}, read and replayed", f"{n / time:,.0f} hands/s", f"{n} hands")
    yield _beside_pokerkit()


def _at_least(path: Path) -> str:
    """A sample so often that it holds many hands."""
    text = path.read_text(encoding="utf-8")
    return "\n\n\n".join([text] * (1 + N_HANDS // _read(text)))


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
