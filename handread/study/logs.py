"""Logs of hands: the hands of one log share their players, tables and stakes."""

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from pathlib import PurePath

from handread.game.steps import Replay
from handread.history import History, Wager
from handread.inference.players import played_by_people
from handread.policy import fingerprint

FEWEST_LOGS = 10
"""The fewest logs that are resampled; with fewer, hands are, and the output says so."""

LogKeys = tuple[str, ...]
"""The name of a hand's log, empty if it has none, then keys that all copies of the hand share."""


@dataclass(frozen=True, slots=True)
class LogIndex:
    """Each hand's log, as a number, and whether people played it; other hands are a log each."""

    of_hand: tuple[int, ...]
    by_people: tuple[bool, ...]

    @property
    def people(self) -> int:
        """The number of logs of hands that people played."""
        pairs = zip(self.of_hand, self.by_people, strict=True)
        return len({log for log, by_people in pairs if by_people})

    def some(self, places: Iterable[int]) -> "LogIndex":
        """Return the logs of the hands at some places."""
        pairs = [(self.of_hand[place], self.by_people[place]) for place in places]
        return LogIndex(tuple(log for log, _ in pairs), tuple(by_people for _, by_people in pairs))

    @property
    def resampled(self) -> bool:
        """True if a bootstrap draws logs, False if it draws hands."""
        return self.people >= FEWEST_LOGS


def log_keys(history: History) -> LogKeys:
    """Return the keys of a hand's log, for ``joined``.

    A log is a file; a .phh file holds one hand, so the .phh files of a folder are one log.
    """
    if not played_by_people(history):
        return "", f"hand {fingerprint(history)}"
    file = history.source.file
    log = f"log {PurePath(file).parent if file.endswith('.phh') else file}"
    return log, f"hand {fingerprint(history)}", *_play(history)


def _play(history: History) -> Iterator[str]:
    if history.hand_id:
        bets = [(event.seat, event.action) for event in history.events if isinstance(event, Wager)]
        text = repr((history.hand_id, history.variant, bets))
        yield f"play {hashlib.sha256(text.encode('utf-8', 'backslashreplace')).hexdigest()}"


def joined(keys_of_hands: Iterable[LogKeys]) -> LogIndex:
    """Return the logs of hands from their keys; logs that share a hand are one."""
    parents: dict[str, str] = {}

    def root(key: str) -> str:
        while parents.setdefault(key, key) != key:
            parents[key] = key = parents[parents[key]]
        return key

    hands = [tuple(filter(None, keys)) for keys in keys_of_hands]
    for first, *others in hands:
        for other in others:
            parents[root(other)] = root(first)
    numbers: dict[str, int] = {}
    of_hand = [numbers.setdefault(root(first), len(numbers)) for first, *_ in hands]
    return LogIndex(tuple(of_hand), tuple(first.startswith("log ") for first, *_ in hands))


def logs_of(hands: Iterable[History]) -> LogIndex:
    """Return the logs of hands."""
    return joined(map(log_keys, hands))


def add_hand(digest: "hashlib._Hash", played: Replay, *besides: object) -> None:
    """Add a hand, and other objects that determine its result, to a digest."""
    history = played.history  # whose own repr is a line for people
    record = [getattr(history, field.name) for field in fields(history)]
    digest.update(repr((besides, record)).encode("utf-8", "backslashreplace"))
