"""Readers of your own: objects, or ``reader`` in a Python file.

What such a reader offers is checked when it is taken, and every belief that it returns. A fault is
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
from handread.game.rules import STREET_NAMES, VARIANTS
from handread.game.steps import DealtStreet, Decision, Replay
from handread.history import Action, History
from handread.inference.observer import Belief, ObservedStreet, TieRule, Update
from handread.inference.readers import Observer, Reader, ReaderError
from handread.settings import settings_text

PARTS = {
    "name": "a name, for reports",
    "terms": "a text that is equal for readers that read hands the same",
    "games": 'the games that it reads, such as ("stud",)',
    "learns": "True if it learns from hand to hand",
    "observer": "observer(history, ties), which starts a hand",
    "after": "after(replay, observed), the reader for the next hand",
}
"""What a reader must have, and what each is."""

METHODS = ("observer", "after")

NAME = "reader"
"""The name of the reader in a file."""

ROUNDING = 1e-6
"""The largest error of a sum of probabilities."""


@dataclass(frozen=True, slots=True)
class ReaderFile:
    """A Python file with a reader, and its text: a worker may run where the file is not."""

    path: str
    text: str

    @property
    def digest(self) -> str:
        """A digest of the text."""
        return hashlib.sha256(self.text.encode()).hexdigest()[:12]


@cache
def _module_of(file: ReaderFile) -> ModuleType:
    """Return the module that a file makes; it is run once in a process."""
    module = ModuleType(f"handread_reader_{file.digest}")
    module.__file__ = file.path
    sys.modules[module.__name__] = module  # where pickle and dataclasses look for it
    with _faults_of(file):
        exec(compile(file.text, file.path, "exec"), module.__dict__)
    return module


@contextmanager
def _faults_of(file: ReaderFile | None) -> Iterator[None]:
    """Raise an exception of a file's own code as an error with the file's line.

    Those of a reader that was given as an object are the caller's to see.
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


def reader_of_file(name: str) -> OwnReader:
    """Run a Python file and return its ``reader``.

    Raises:
        ReaderError: The file cannot be read or run, or has no reader.
    """
    try:
        file = ReaderFile(name, settings_text(name))
    except ValueError as error:
        raise ReaderError(str(error)) from None
    found = getattr(_module_of(file), NAME, None)
    if found is None:
        raise ReaderError(f"{name}: has no `{NAME}`: end the file with {NAME} = YourReader()")
    return checked(found, file)


def checked(reader: object, file: ReaderFile | None = None) -> OwnReader:
    """Return a reader whose parts have been checked, and whose beliefs will be.

    Raises:
        ReaderError: It lacks something that a reader must have.
        TypeError: It has nothing of a reader.
    """
    if isinstance(reader, OwnReader):
        return reader
    where = f"{file.path}: " if file is not None else ""
    if isinstance(reader, type):
        kind = reader.__name__
        raise ReaderError(f"{where}{kind} is a class: give an object of it, {kind}()")
    if not any(hasattr(reader, part) for part in PARTS if part != "name"):
        raise TypeError(
            f"{where}{type(reader).__name__} is neither a policy nor a reader: a reader has "
            f"{', '.join(PARTS)}; a policy has probabilities"
        )
    own: Any = reader
    fault = _fault(own)
    if fault:
        raise ReaderError(f"{where}{fault}")
    return OwnReader(own, file)


def _fault(reader: Any) -> str:
    """Return what is wrong with the parts of a reader; empty if they are as ``PARTS`` says."""
    who = f"the reader {type(reader).__name__}"
    missing = [f"`{part}`, {what}" for part, what in PARTS.items() if not hasattr(reader, part)]
    if missing:
        return f"{who} lacks {'; '.join(missing)}"
    for part in METHODS:
        if not callable(getattr(reader, part)):
            return f"`{part}` of {who} is not a method"
    if not (isinstance(reader.name, str) and isinstance(reader.terms, str)):
        return f"`name` and `terms` of {who} are not texts"
    games, known = reader.games, [key for key, game in VARIANTS.items() if game.analyzed]
    sound = isinstance(games, Collection) and not isinstance(games, str)
    if not (sound and all(game in list(VARIANTS) for game in games)):
        return f"`games` of {who} is {games!r}: expected some of {', '.join(known)}"
    return ""


@dataclass(frozen=True, slots=True, repr=False)
class OwnReader:
    """A user's reader, whose beliefs are checked.

    Attributes:
        reader: The reader.
        file: The file that it is from; None for an object.
    """

    reader: Reader
    file: ReaderFile | None = None

    def __repr__(self) -> str:
        return f"<{self.terms}>"

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the reader of a file with the text of the file, which defines its class."""
        try:
            return _unpickled, (pickle.dumps(self.reader), self.file)
        except (pickle.PicklingError, TypeError, AttributeError) as error:
            message = f"the reader {self.name} cannot be sent to a worker (--workers 1 needs none)"
            raise ReaderError(f"{message}: {error}") from None

    @property
    def name(self) -> str:
        """The name that the reader has."""
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


def _unpickled(state: bytes, file: ReaderFile | None) -> OwnReader:
    """Return a reader in another process, which first runs its file."""
    if file is not None:
        _module_of(file)
    return OwnReader(pickle.loads(state), file)


class OwnObserver:
    """An observer whose beliefs are checked after every deal and every action."""

    def __init__(self, reader: OwnReader, observer: Observer, history: History) -> None:
        self._file = reader.file
        self._observer = observer
        self._source = f"{history.source.file}:{history.source.line}"
        self._name = reader.name
        self._when = ""
        missing = [part for part in ("deal", "observe") if not hasattr(observer, part)]
        if missing:
            raise self._error(f"what `observer` returns has no `{missing[0]}`")

    @property
    def belief(self) -> Belief:
        """The belief after the last event."""
        with _faults_of(self._file):
            return self._observer.belief

    def deal(self, street: DealtStreet) -> Mapping[int, float]:
        """Take in the deal of a street, and check the belief."""
        self._when = f"on {STREET_NAMES[street.number]} street, after the deal"
        with _faults_of(self._file):
            news = self._observer.deal(street)
            if not isinstance(news, Mapping) or set(news) != set(street.active):
                seats = ", ".join(map(str, street.active))
                raise self._error(
                    "`deal` returns the information of the cards in bits, by seat: expected the "
                    f"seats {seats}, not {_shown(news)}"
                )
            for seat, bits in news.items():
                if not bits >= 0.0:
                    raise self._error(f"the cards tell {bits} bits: expected 0 or more", seat)
            self._check_belief(street.number, street.active)
        return news

    def observe(self, decision: Decision) -> Update:
        """Take in an action, and check the update and the belief."""
        seat, before = decision.seat, self.belief
        self._when = f"on {STREET_NAMES[decision.street]} street, after a {decision.action}"
        with _faults_of(self._file):
            update = self._observer.observe(decision)
            self._check_update(update, before.pdds[seat].size, seat)
            folds = decision.action == Action.FOLD
            self._check_belief(
                decision.street, [one for one in before.pdds if not (folds and one == seat)]
            )
        return update

    def _check_update(self, update: object, size: int, seat: int) -> None:
        """Check what ``observe`` returns about an action of a seat with so many holdings."""
        if not isinstance(update, Update):
            raise self._error(
                f"`observe` returns the Update of handread.reweigh, not {_shown(update)}", seat
            )
        for what in ("likelihood", "chances", "action_probs"):
            self._check_array(f"`{what}` of the update", getattr(update, what), size, seat)
        if not 0.0 <= update.evidence <= 1.0 + ROUNDING:
            raise self._error(f"the evidence is {update.evidence}: expected 0 to 1", seat)
        for what in ("before", "after"):
            self._check_sum(f"`{what}` of the update", getattr(update, what), size, seat)

    def _check_belief(self, street: int, seats: Sequence[int]) -> None:
        """Check that the belief has a sound pdd and a sound htpd of every active seat."""
        belief = self.belief
        if not isinstance(belief, Belief):
            raise self._error(f"`belief` is {_shown(belief)}: expected a handread.Belief")
        if belief.street != street:
            raise self._error(f"the belief is still that of {STREET_NAMES[belief.street]} street")
        for what in ("hands", "pdds", "htpds", "first_two"):
            found = getattr(belief, what)
            for seat in seats:
                if seat not in found:
                    raise self._error(f"`{what}` of the belief lacks the seat", seat)
            for seat in found if what in ("pdds", "htpds") else ():
                if seat not in seats:
                    raise self._error(f"`{what}` of the belief has the seat, which folded", seat)
        for seat in seats:
            hands = belief.hands[seat]
            pdd = self._check_sum("the pdd", belief.pdds[seat], hands.live.size, seat)
            dead = float(pdd[~hands.live].sum())
            if dead > ROUNDING:
                raise self._error(f"the pdd gives {dead:.3g} to holdings with cards on view", seat)
            blind = hands.uniform_htpd  # in hi/lo it sums to 2: over the highs, and over the lows
            self._check_sum("the htpd", belief.htpds[seat], blind.size, seat, float(blind.sum()))

    def _check_sum(
        self, what: str, found: Any, size: int, seat: int, expected: float = 1.0
    ) -> Floats:
        """Check probabilities that sum to 1 or another number, and return them."""
        probabilities = self._check_array(what, found, size, seat)
        total = float(probabilities.sum())
        if abs(total - expected) > ROUNDING:
            raise self._error(f"{what} sums to {total:.6g}, not to {expected:.6g}", seat)
        return probabilities

    def _check_array(self, what: str, found: Any, size: int, seat: int) -> Floats:
        """Check an array of one number, 0 or more, for each holding or class, and return it."""
        if not isinstance(found, np.ndarray) or found.shape != (size,):
            shape = (
                f"an array of the shape {found.shape}" if hasattr(found, "shape") else _shown(found)
            )
            raise self._error(f"{what} is {shape}: expected an array of the shape ({size},)", seat)
        if not np.isfinite(found).all():
            n = np.count_nonzero(~np.isfinite(found))
            raise self._error(f"{what} has {n:,} values that are NaN or infinite", seat)
        if found.min() < 0.0:
            raise self._error(f"{what} has a negative value, {found.min():.6g}", seat)
        return found

    def _error(self, fault: str, seat: int | None = None) -> ReaderError:
        who = "" if seat is None else f", seat {seat}"
        when = f" {self._when}{who}" if self._when else ""
        return ReaderError(f"{self._source}: the reader {self._name}{when}: {fault}")


def _shown(value: object) -> str:
    """Return a value in few words."""
    return (
        repr(value)
        if value is None or isinstance(value, (dict, int, float))
        else f"a {type(value).__name__}"
    )
