"""The hands of the benchmark: those that readers see, and the downcards that reads are scored on.

The development half is published with all downcards. Those of the test half are in a file of
answers, to which a hash in the repository commits its maker. Readers of either half see hands
without downcards, and no hand is shown down.
"""

from __future__ import annotations

import csv
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from handread.cards import Card, parse_card
from handread.game.replay import replay, written_out
from handread.game.steps import Replay
from handread.history import Deal, Event, Muck, Show
from handread.parallel import RunError

DEVELOPMENT, TEST = "development", "test"
"""The folders of the halves."""

ENDINGS = (".phhs", ".stud")
"""The endings of the files of sessions; PHH has no code for five-card stud."""

COMMITMENT = "answers.sha256"
"""The file of the test half with the SHA-256 of its answers."""

ANSWERS_HEAD = ("hand", "seat", "downcards")
"""The second line of a file of answers; the first has the seed of the hands."""

Answers = Mapping[str, Mapping[int, Sequence[Card]]]
"""The downcards by hand and seat, in the order of the deal."""


class BenchmarkError(RunError):
    """Raised for files that cannot be used; the message says where, and what was expected."""


def hidden(played: Replay) -> Replay:
    """Return a hand without its downcards, in which nobody shows."""
    history = written_out(played)
    events = (
        replace(event, down=(None,) * len(event.down)) if isinstance(event, Deal) else event
        for event in history.events
        if not isinstance(event, Show | Muck)
    )
    return replay(replace(history, events=tuple(events)))


def with_answers(played: Replay, answers: Answers) -> Replay:
    """Return a hand with its downcards.

    Raises:
        BenchmarkError: The answers do not fit the hand, which somebody has changed.
    """
    history = played.history
    left = {seat: list(cards) for seat, cards in answers.get(history.hand_id, {}).items()}
    events: list[Event] = []
    for event in history.events:
        if isinstance(event, Deal) and event.down:
            own, n = left.get(event.seat, []), len(event.down)
            events.append(replace(event, down=tuple(own[:n])))
            left[event.seat] = own[n:]
        else:
            events.append(event)
    found = replay(replace(history, events=tuple(events)))
    known = len(found.downcards) == len(found.paid)
    if found.problem is not None or any(left.values()) or not known:
        source = history.source
        raise BenchmarkError(f"{source.file}:{source.line}: the answers do not fit this hand")
    return found


def committed_answers(file: Path, commitment: Path) -> Answers:
    """Return the answers of a file after checking it against its commitment.

    Raises:
        BenchmarkError: A file cannot be read, or the commitment is that of another file.
    """
    try:
        promised = commitment.read_text(encoding="utf-8", errors="replace").partition(" ")[0]
        content = file.read_bytes()
    except OSError as error:
        raise BenchmarkError(f"{error.filename}: cannot be read: {error.strerror}") from None
    found = hashlib.sha256(content).hexdigest()
    if promised != found:
        raise BenchmarkError(
            f"{file}: these are not the answers of this benchmark: their SHA-256 is {found}, "
            f"expected {promised}, as in {commitment}"
        )
    answers: dict[str, dict[int, Sequence[Card]]] = {}
    for hand, seat, text in list(csv.reader(content.decode("utf-8").splitlines()))[2:]:
        cards = [parse_card(text[at : at + 2]) for at in range(0, len(text), 2)]
        answers.setdefault(hand, {})[int(seat)] = cards
    return answers


def files_of(folder: Path, half: str) -> list[str]:
    """Return the files of a half, one a session.

    Raises:
        BenchmarkError: There are none.
    """
    files = sorted(file for ending in ENDINGS for file in (folder / half).glob(f"*/*{ending}"))
    if not files:
        raise BenchmarkError(
            f"{folder / half}: no hands of the benchmark: expected files such as stud/01.phhs; "
            "--folder names the folder benchmark of the repository"
        )
    return [str(file) for file in files]
