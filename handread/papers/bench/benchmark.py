"""The hands of the benchmark as readers see them, and the downcards that score the reads.

The hands of the development half have all downcards; each other half has them in a file of answers.
Readers of any half see hands without downcards and without a showdown.
"""

import csv
import gzip
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from handread.cards import Card, parse_card
from handread.game.replay import replay, written_out
from handread.game.steps import Replay
from handread.history import Deal, Event, Muck, Show
from handread.parallel import RunError

DEVELOPMENT, TEST = "development", "test"
"""The folders of the published halves."""

ENDINGS = (".phhs", ".stud")
"""Suffixes of session files; PHH has no code for five-card stud."""

ANSWERS = "answers.csv.gz"
"""The file of a half with the downcards of its hands."""

ANSWERS_HEAD = ("hand", "seat", "downcards")
"""The column heads in a file of answers, below the seed of its hands and a note to users."""

Answers = Mapping[str, Mapping[int, Sequence[Card]]]
"""The downcards by hand and seat, in the order of the deal."""


class BenchmarkError(RunError):
    """Raised for unusable files; the message says where, and what was expected."""


def hidden(played: Replay) -> Replay:
    """Return a hand without its downcards and without a showdown."""
    history = written_out(played)
    events = (
        replace(event, down=(None,) * len(event.down)) if isinstance(event, Deal) else event
        for event in history.events
        if not isinstance(event, Show | Muck)
    )
    return replay(replace(history, events=tuple(events)))


def with_answers(played: Replay, answers: Answers) -> Replay:
    """Return a hand with its downcards; ``BenchmarkError`` if the answers do not fit the hand."""
    history = played.history
    left = {seat: list(cards) for seat, cards in answers.get(history.hand_id, {}).items()}
    events: list[Event] = []
    for event in history.events:
        if isinstance(event, Deal) and event.down:
            downcards, n = left.get(event.seat, []), len(event.down)
            events.append(replace(event, down=tuple(downcards[:n])))
            left[event.seat] = downcards[n:]
        else:
            events.append(event)
    answered = replay(replace(history, events=tuple(events)))
    known = len(answered.downcards) == len(answered.paid)
    if answered.problem is not None or any(left.values()) or not known:
        source = history.source
        raise BenchmarkError(f"{source.file}:{source.line}: the answers do not fit this hand")
    return answered


def answers_in(file: Path) -> Answers:
    """Return the answers of a file; ``BenchmarkError`` if it is not a readable file of answers."""
    try:
        rows = list(csv.reader(gzip.decompress(file.read_bytes()).decode("utf-8").splitlines()))
        answers: dict[str, dict[int, Sequence[Card]]] = {}
        for hand, seat, text in rows[rows.index([*ANSWERS_HEAD]) + 1 :]:
            cards = [parse_card(text[at : at + 2]) for at in range(0, len(text), 2)]
            answers.setdefault(hand, {})[int(seat)] = cards
    except OSError as error:
        reason = error.strerror or "it is not compressed by gzip"
        raise BenchmarkError(f"{file}: cannot be read: {reason}") from None
    except (ValueError, EOFError, zlib.error, csv.Error):
        heads = ",".join(ANSWERS_HEAD)
        raise BenchmarkError(f"{file}: these are no answers: expected lines of {heads}") from None
    return answers


def files_of(folder: Path, half: str) -> list[str]:
    """Return the files of a half, one per session; ``BenchmarkError`` without any."""
    files = sorted(file for ending in ENDINGS for file in (folder / half).glob(f"*/*{ending}"))
    if not files:
        raise BenchmarkError(
            f"{folder / half}: no hands of the benchmark: expected files such as stud/01.phhs; "
            "--folder names the folder benchmark of the repository"
        )
    return [str(file) for file in files]
