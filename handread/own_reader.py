"""Readers and players of your own: objects, or ``reader`` or ``player`` in a Python file.

Their parts are checked once, and so is every belief and every decision that they return. A fault is
a ``ReaderError``, with the hand, the street and the seat.
"""

from __future__ import annotations

import hashlib
import pickle
import sys
import traceback
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from types import ModuleType
from typing import Any

import numpy as np

from handread.arrays import Floats
from handread.cards import Card
from handread.game.rules import GAMES, STREET_NAMES
from handread.game.steps import DealtStreet, Decision, DecisionPoint, Replay
from handread.history import Action, History
from handread.inference.observer import Belief, ObservedStreet, TieRule, Update
from handread.inference.readers import Observer, Player, Reader, ReaderError
from handread.odds.htpd import SeatView
from handread.policy import legal_actions
from handread.settings import settings_text

PARTS = {
    "name": "a name, for reports",
    "terms": "a text that is equal for readers that read hands the same",
    "games": 'the games that it reads, such as ("stud",)',
    "learns": "True if it learns from hand to hand",
    "observer": "observer(history, ties), which starts a hand",
    "after": "after(replay, observed), the reader for the next hand",
}
"""The parts of a reader, and their meaning."""

METHODS = ("observer", "after")

PLAYER_PARTS = {
    "name": "a name, for reports",
    "reader": 'a reader, such as handread.load_reader("people")',
    "decide": "decide(observer, spot, down), the probability of each action",
}
"""The parts of a player, and their meaning."""

ROUNDING = 1e-6
"""The largest error of a sum of probabilities."""


@dataclass(frozen=True, slots=True)
class ReaderFile:
    """A user's Python file with its text: a worker may run without the file."""

    path: str
    text: str

    @property
    def digest(self) -> str:
        """A digest of the text."""
        return hashlib.sha256(self.text.encode()).hexdigest()[:12]


@cache
def _module_of(file: ReaderFile) -> ModuleType:
    """Return the module of a file, which is run once in a process."""
    module = ModuleType(f"handread_reader_{file.digest}")
    module.__file__ = file.path
    sys.modules[module.__name__] = module  # where pickle and dataclasses look for it
    with _faults_of(file):
        exec(compile(file.text, file.path, "exec"), module.__dict__)
    return module


@contextmanager
def _faults_of(file: ReaderFile | None) -> Iterator[None]:
    """Raise an exception of a file's own code as an error with the file's line.

    Exceptions of a reader that was given as an object are for the caller.
    """
    try:
        yield
    except ReaderError:
        raise
    except Exception as error:
        if file is None:
            raise
        frames = traceback.extract_tb(error.__traceback__)
        lines = [frame.lineno for frame in frames if frame.filename == file.path]
        what = str(error)
        if isinstance(error, SyntaxError) and error.filename == file.path:
            lines, what = [error.lineno], error.msg
        where = f"{file.path}:{lines[-1]}" if lines else file.path
        raise ReaderError(f"{where}: {type(error).__name__}: {what}") from error


def _run(path: str, name: str) -> tuple[Any, ReaderFile]:
    """Run a Python file and return its ``reader`` or ``player``, or raise ``ReaderError``."""
    try:
        file = ReaderFile(path, settings_text(path))
    except ValueError as error:
        raise ReaderError(str(error)) from None
    if (made := getattr(_module_of(file), name, None)) is None:
        end = f"{name} = Your{name.capitalize()}()"
        raise ReaderError(f"{path}: has no `{name}`: end the file with {end}")
    return _no_class(made, f"{path}: "), file


def _no_class(given: Any, where: str) -> Any:
    """Return an object; raise ``ReaderError`` if it is a class."""
    if isinstance(given, type):
        kind = given.__name__
        raise ReaderError(f"{where}{kind} is a class: give an object of it, {kind}()")
    return given


def reader_of_file(path: str) -> OwnReader:
    """Run a Python file and return its ``reader``, or raise ``ReaderError``."""
    return checked(*_run(path, "reader"))


def player_of_file(path: str) -> OwnPlayer:
    """Run a Python file and return its ``player``, or raise ``ReaderError``."""
    player, file = _run(path, "player")
    who = f"the player {type(player).__name__}"
    if missing := _lacking(player, PLAYER_PARTS):
        raise ReaderError(f"{path}: {who} lacks {missing}")
    if not isinstance(player.name, str):
        raise ReaderError(f"{path}: `name` of {who} is not a text")
    try:
        return OwnPlayer(player, checked_unless_known(player.reader, file), file)
    except TypeError as error:
        raise ReaderError(str(error)) from None


def _lacking(thing: object, parts: Mapping[str, str]) -> str:
    missing = [part for part in parts if not hasattr(thing, part)]
    return "; ".join(f"`{part}`, {parts[part]}" for part in missing)


def checked_unless_known(reader: Reader, file: ReaderFile | None = None) -> Reader:
    """Return ``checked`` readers, but readers of the package as they are."""
    known = type(reader).__module__.partition(".")[0] == __name__.partition(".")[0]
    return reader if known else checked(reader, file)


def checked(reader: object, file: ReaderFile | None = None) -> OwnReader:
    """Return a reader with checked parts, whose beliefs will be checked.

    Raise ``ReaderError`` if it lacks a part, ``TypeError`` if it has no part of a reader.
    """
    if isinstance(reader, OwnReader):
        return reader
    where = f"{file.path}: " if file is not None else ""
    instance = _no_class(reader, where)
    if not any(hasattr(reader, part) for part in PARTS if part != "name"):
        what = f"{type(reader).__name__} is neither a policy nor a reader: a reader has"
        raise TypeError(f"{where}{what} {', '.join(PARTS)}; a policy has probabilities")
    if fault := _fault(instance):
        raise ReaderError(f"{where}{fault}")
    return OwnReader(instance, file)


def _fault(reader: Any) -> str:
    """Return the fault in the parts of a reader; empty if they are as ``PARTS`` says."""
    who = f"the reader {type(reader).__name__}"
    if missing := _lacking(reader, PARTS):
        return f"{who} lacks {missing}"
    if wrong := [part for part in METHODS if not callable(getattr(reader, part))]:
        return f"`{wrong[0]}` of {who} is not a method"
    if not (isinstance(reader.name, str) and isinstance(reader.terms, str)):
        return f"`name` and `terms` of {who} are not texts"
    games = reader.games
    sound = isinstance(games, Collection) and not isinstance(games, str)
    if not (sound and all(game in [*GAMES] for game in games)):
        return f"`games` of {who} is {games!r}: expected some of {', '.join(GAMES)}"
    return ""


@dataclass(frozen=True, slots=True, repr=False)
class OwnReader:
    """A user's reader, whose beliefs are checked; ``file`` is None for an object."""

    reader: Reader
    file: ReaderFile | None = None

    def __repr__(self) -> str:
        return f"<{self.terms}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickled, _pickled(f"the reader {self.name}", OwnReader, self.reader, self.file)

    @property
    def name(self) -> str:
        """The name of the reader."""
        return self.reader.name

    @property
    def terms(self) -> str:
        """The terms of the reader, and a digest of its file."""
        return self.reader.terms + (f" ({self.file.digest})" if self.file else "")

    @property
    def games(self) -> Sequence[str]:
        """The games that it reads."""
        return self.reader.games

    @property
    def learns(self) -> bool:
        """True if it learns from hand to hand."""
        return bool(self.reader.learns)

    def observer(self, history: History, ties: TieRule) -> OwnObserver:
        """Return an observer whose beliefs are checked."""
        with _faults_of(self.file):
            return OwnObserver(self, self.reader.observer(history, ties), history)

    def after(self, replay: Replay, observed: Sequence[ObservedStreet]) -> OwnReader:
        """Return the reader for the next hand."""
        with _faults_of(self.file):
            return checked(self.reader.after(replay, observed), self.file)


@dataclass(frozen=True, slots=True, repr=False)
class OwnPlayer:
    """A user's player, whose decisions and whose reader's beliefs are checked."""

    player: Player
    reader: Reader
    file: ReaderFile

    def __repr__(self) -> str:
        return f"<{self.name} ({self.file.digest}), {self.reader.terms}>"

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the player with the text of the file, which defines its class."""
        parts = self.player, self.reader
        return _unpickled, _pickled(f"the player {self.name}", OwnPlayer, *parts, self.file)

    @property
    def name(self) -> str:
        """The name of the player."""
        return self.player.name

    def decide(
        self, observer: Observer, spot: DecisionPoint, down: tuple[Card, ...]
    ) -> Mapping[str, float]:
        """Return the checked probability of each action."""
        inner = observer.own if isinstance(observer, OwnObserver) else observer
        with _faults_of(self.file):
            odds = self.player.decide(inner, spot, down)
            legal = legal_actions(spot)
            known = isinstance(odds, Mapping) and set(odds) <= set(legal)
            sound = known and min(odds.values(), default=-1.0) >= 0.0
            if sound and abs(sum(odds.values()) - 1.0) <= ROUNDING:  # false for NaN
                return odds
        raise ReaderError(
            f"{self.file.path}: the player {self.name} on {STREET_NAMES[spot.street]} street, seat "
            f"{spot.seat}: `decide` returns the probabilities of some of {', '.join(legal)}, which "
            f"sum to 1, not {_shown(odds)}"
        )


def _pickled(who: str, kind: type, *parts: Any) -> tuple[Any, ...]:
    """Return the class, the pickled parts, and the file of a user's object."""
    *objects, file = parts
    try:
        return kind, pickle.dumps(objects), file
    except (pickle.PicklingError, TypeError, AttributeError) as error:
        message = f"{who} cannot be sent to a worker (--workers 1 needs none)"
        raise ReaderError(f"{message}: {error}") from None


def _unpickled(kind: type, objects: bytes, file: ReaderFile | None) -> Any:
    """Return a reader or player in another process, which first runs its file."""
    if file is not None:
        _module_of(file)
    return kind(*pickle.loads(objects), file)


class OwnObserver:
    """An observer whose beliefs are checked after every deal and every action."""

    def __init__(self, reader: OwnReader, observer: Observer, history: History) -> None:
        self._file = reader.file
        self.own = observer
        self._source = f"{history.source.file}:{history.source.line}"
        self._name = reader.name
        self._when = ""
        if missing := [part for part in ("deal", "observe") if not hasattr(observer, part)]:
            raise self._error(f"what `observer` returns has no `{missing[0]}`")

    @property
    def belief(self) -> Belief:
        """The belief after the last event."""
        with _faults_of(self._file):
            return self.own.belief

    def deal(self, street: DealtStreet) -> Mapping[int, float]:
        """Take in the deal of a street, and check the belief."""
        self._when = f" on {STREET_NAMES[street.number]} street, after the deal"
        with _faults_of(self._file):
            news = self.own.deal(street)
            if not isinstance(news, Mapping) or set(news) != set(street.active):
                seats = f"the seats {', '.join(map(str, street.active))}"
                what = "the information of the cards in bits, by seat"
                raise self._error(f"`deal` returns {what}: expected {seats}, not {_shown(news)}")
            for seat, bits in news.items():
                if not bits >= 0.0:
                    raise self._error(f"the cards tell {bits} bits: expected 0 or more", seat)
            self._check_belief(street.number, street.active)
        return news

    def observe(self, decision: Decision) -> Update:
        """Take in an action, and check the update and the belief."""
        seat, before = decision.seat, self.belief
        self._when = f" on {STREET_NAMES[decision.street]} street, after a {decision.action}"
        with _faults_of(self._file):
            update = self.own.observe(decision)
            self._check_update(update, before.pdds[seat].size, seat)
            left = set(before.pdds) - ({seat} if decision.action == Action.FOLD else set())
            self._check_belief(decision.street, sorted(left))
            after = {**before.pdds, seat: update.after}  # a report shows these
            for other, pdd in self.belief.pdds.items():
                if pdd is not after[other] and np.abs(pdd - after[other]).max() > ROUNDING:
                    raise self._error("the pdd is not as the update leaves it", other)
        return update

    def _check_update(self, update: object, size: int, seat: int) -> None:
        """Check the result of ``observe`` for a seat with ``size`` holdings."""
        if not isinstance(update, Update):
            expected = "the Update of handread.reweigh"
            raise self._error(f"`observe` returns {expected}, not {_shown(update)}", seat)
        if not isinstance(update.view, SeatView):
            raise self._error(f"`view` is {_shown(update.view)}: expected a SeatView", seat)
        for what in ("likelihood", "chances", "action_probs"):
            self._check_array(f"`{what}` of the update", getattr(update, what), size, seat)
        if not 0.0 <= update.evidence <= 1.0 + ROUNDING:
            raise self._error(f"the evidence is {update.evidence}: expected 0 to 1", seat)
        for what in ("before", "after"):
            self._check_sum(f"`{what}` of the update", getattr(update, what), size, seat)

    def _check_belief(self, street: int, seats: Sequence[int]) -> None:
        """Check that the belief has a sound pdd of every active seat."""
        if not isinstance(belief := self.belief, Belief):
            raise self._error(f"`belief` is {_shown(belief)}: expected a handread.Belief")
        if belief.street != street:
            raise self._error(f"the belief is still that of {STREET_NAMES[belief.street]} street")
        for what in ("hands", "pdds", "first_two"):
            for seat in sorted({*seats} - {*getattr(belief, what)}):
                raise self._error(f"`{what}` of the belief lacks the seat", seat)
        for seat in sorted({*belief.pdds} - {*seats}):
            raise self._error("`pdds` of the belief has the seat, which folded", seat)
        for seat in seats:
            hands = belief.hands[seat]
            pdd = self._check_sum("the pdd", belief.pdds[seat], hands.live.size, seat)
            if (dead := float(pdd[~hands.live].sum())) > ROUNDING:
                raise self._error(f"the pdd gives {dead:.3g} to holdings with cards on view", seat)

    def _check_sum(self, what: str, given: Any, size: int, seat: int) -> Floats:
        """Check probabilities that sum to 1, and return them."""
        probabilities = self._check_array(what, given, size, seat)
        if abs((total := float(probabilities.sum())) - 1.0) > ROUNDING:
            raise self._error(f"{what} sums to {total:.6g}, not to 1", seat)
        return probabilities

    def _check_array(self, what: str, given: Any, size: int, seat: int) -> Floats:
        """Check an array of one number, 0 or more, for each holding or class, and return it."""
        if not isinstance(given, np.ndarray) or given.shape != (size,):
            array = "an array of the shape"
            shape = f"{array} {given.shape}" if hasattr(given, "shape") else _shown(given)
            raise self._error(f"{what} is {shape}: expected {array} ({size},)", seat)
        if n := np.count_nonzero(~np.isfinite(given)):
            raise self._error(f"{what} has {n:,} values that are NaN or infinite", seat)
        if given.min() < 0.0:
            raise self._error(f"{what} has a negative value, {given.min():.6g}", seat)
        return given

    def _error(self, fault: str, seat: int | None = None) -> ReaderError:
        who = "" if seat is None else f", seat {seat}"
        return ReaderError(f"{self._source}: the reader {self._name}{self._when}{who}: {fault}")


def _shown(one: object) -> str:
    return repr(one) if isinstance(one, dict | int | float | None) else f"a {type(one).__name__}"
