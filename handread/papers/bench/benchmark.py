"""The hands of the benchmark: those that readers see, and the downcards that reads are scored on.

The development half is published with all downcards. Those of the test half are in a file of
answers, to which a hash in the repository commits its maker. Readers of either half see hands
without downcards, and no hand is shown down.
"""

from __future__ import annotations

import csv
import hashlib
from collections.abc import Iterable, Mapping, Sequence
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
    events = (_turned(event) for event in history.events if not isinstance(event, Show | Muck))
    return replay(replace(history, events=tuple(events)))


def _turned(event: Event) -> Event:
    if isinstance(event, Deal) and event.down:
        return replace(event, down=(None,) * len(event.down))
    return event


def with_answers(played: Replay, answers: Answers, file: str) -> Replay:
    """Return a hand with its downcards.

    Raises:
        BenchmarkError: The answers lack a downcard, or contradict the hand.
    """
    history = played.history
    where = f"{file}: hand {history.hand_id}"
    left = {seat: list(cards) for seat, cards in answers.get(history.hand_id, {}).items()}
    events: list[Event] = []
    for event in history.events:
        if isinstance(event, Deal) and event.down:
            own = left.get(event.seat, [])
            down, left[event.seat] = tuple(own[: len(event.down)]), own[len(event.down) :]
            if len(down) < len(event.down):
                raise BenchmarkError(f"{where}: a downcard of seat {event.seat} is missing")
            events.append(replace(event, down=down))
        else:
            events.append(event)
    if extra := [seat for seat, cards in left.items() if cards]:
        raise BenchmarkError(f"{where}: seat {extra[0]} has more downcards than it was dealt")
    found = replay(replace(history, events=tuple(events)))
    if found.problem is not None:
        raise BenchmarkError(f"{where}: {found.problem.message}")
    return found


def committed_answers(file: Path, commitment: Path) -> Answers:
    """Return the answers of a file after checking it against its commitment.

    Raises:
        BenchmarkError: A file cannot be read, the commitment is that of another file, or a line
            is not an answer.
    """
    try:
        promised = commitment.read_text(encoding="utf-8").split()[:1]
        content = file.read_bytes()
    except (OSError, UnicodeDecodeError) as error:
        raise BenchmarkError(f"cannot read the answers or their commitment: {error}") from None
    found = hashlib.sha256(content).hexdigest()
    if promised != [found]:
        raise BenchmarkError(
            f"{file}: these are not the answers of this benchmark: the SHA-256 is {found}, "
            f"expected {''.join(promised)}, as in {commitment}"
        )
    return parse_answers(content.decode("utf-8").splitlines(), str(file))


def parse_answers(lines: Iterable[str], file: str) -> Answers:
    """Return the answers of the lines of a file.

    Raises:
        BenchmarkError: A line is not an answer.
    """
    rows = list(csv.reader(lines))
    if len(rows) < 2 or rows[0][:1] != ["seed"] or tuple(rows[1]) != ANSWERS_HEAD:
        expected = f"the seed, then {','.join(ANSWERS_HEAD)}"
        raise BenchmarkError(f"{file}:1: no file of answers: expected {expected}")
    answers: dict[str, dict[int, Sequence[Card]]] = {}
    for line, row in enumerate(rows[2:], start=3):
        try:
            hand, seat, text = row
            cards = [parse_card(text[at : at + 2]) for at in range(0, len(text), 2)]
            answers.setdefault(hand, {})[int(seat)] = cards
        except ValueError:
            raise BenchmarkError(
                f"{file}:{line}: no answer: expected a hand, a seat and its downcards, such as "
                "t-stud-01-01,1,AsKd"
            ) from None
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

