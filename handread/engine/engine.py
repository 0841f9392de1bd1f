"""The engine: reads requests, spreads the work, and writes one answer for each."""

import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass, replace
from queue import Empty, SimpleQueue
from typing import Any

from handread.engine.answers import answer_line, error_line, line_of
from handread.engine.requests import MOST_BYTES, Id, Request, RequestError, parse_request
from handread.engine.running import RunningHand
from handread.formats.registry import dialects
from handread.policy import policy_names
from handread.processes import Helpers
from handread.report.formats import record
from handread.report.policies import list_object
from handread.report.schemas import ANSWER_SCHEMA
from handread.version import __version__

MOST_RUNNING = 1_000
"""The most running hands; each is some ten thousand bytes."""

READ_AHEAD = 4
"""Requests taken for each worker before the first of them is answered."""

PIECE = 1 << 16
"""Bytes that are read at once."""


def request_lines(read: Callable[[int], bytes]) -> Iterator[bytes]:
    """Yield the nonblank lines that ``read`` returns piece by piece.

    A line that is too long is cut just above the limit.
    """
    line = bytearray()
    while piece := read(PIECE):
        first, *others = piece.split(b"\n")
        line += first[: MOST_BYTES + 1 - len(line)]
        for begun in others:
            if line.strip():
                yield bytes(line)
            line = bytearray(begun)
    if line.strip():
        yield bytes(line)


@dataclass(slots=True)
class _Ticket:
    """A request without a written answer yet: its running hand, and its answer."""

    id: Id
    hand_id: str | None = None
    answer: str | None = None


class Engine:
    """Answers requests: those about one running hand in order, others as soon as they are done."""

    def __init__(self, write: Callable[[str], None], helpers: Helpers | None = None) -> None:
        """``write`` writes an answer; without ``helpers``, this process does the work itself."""
        self._write = write
        self._helpers = helpers
        self._hands: dict[str, RunningHand] = {}
        self._due: dict[str, deque[_Ticket]] = {}
        self._events: SimpleQueue[Any] = SimpleQueue()
        self._open = 0
        ahead = READ_AHEAD * (1 if helpers is None else helpers.workers)
        self._room = threading.BoundedSemaphore(ahead)

    def run(self, lines: Iterable[bytes]) -> None:
        """Answer the requests of lines, to their end or the request to stop.

        A thread of its own reads them, so that answers never wait for the next request.
        """
        threading.Thread(target=self._read, args=(lines,), daemon=True).start()
        stop: _Ticket | None = None
        reading = True
        while reading or self._open:
            try:
                event = self._events.get(timeout=1.0)  # without it Windows would not heed Ctrl-C
            except Empty:
                continue
            if isinstance(event, bytes) and reading:
                stop = self._take(event)
                reading = stop is None
            elif isinstance(event, tuple):
                self._done(*event)
            elif isinstance(event, Exception):
                raise event
            elif event is None:
                reading = False
        if stop is not None:
            self._write(line_of(stop.id, {"action": "stop"}))

    def _read(self, lines: Iterable[bytes]) -> None:
        try:
            for line in lines:
                self._room.acquire()
                self._events.put(line)
            self._events.put(None)
        except OSError as error:  # standard input cannot be read
            self._events.put(error)

    def _take(self, line: bytes) -> _Ticket | None:
        request_id, request = parse_request(line)
        hand_id = request.hand_id if isinstance(request, Request) else None
        ticket = _Ticket(request_id, hand_id)
        if isinstance(request, Request) and request.action == "stop":
            return ticket
        self._open += 1
        if hand_id is not None:
            self._due.setdefault(hand_id, deque()).append(ticket)
        try:
            if isinstance(request, RequestError):
                raise request
            if request.action is not None:
                self._answer(ticket, line_of(request_id, self._told(request)))
            else:
                self._ask(ticket, self._with_hand(request))
        except Exception as error:  # concerns one request; the engine goes on
            self._answer(ticket, error_line(request_id, error))
        return None

    def _told(self, request: Request) -> dict[str, Any]:
        facts: dict[str, Any] = {"action": request.action}
        if request.action == "version":
            facts |= {"version": __version__, "schema": ANSWER_SCHEMA}
        elif request.action == "policies":
            facts["policies"] = [list_object(name) for name in policy_names()]
        elif request.action == "formats":
            facts["formats"] = [record(dialect) for dialect in dialects()]
        elif request.hand_id is not None:
            self._hand(request.hand_id)
            del self._hands[request.hand_id]
        else:
            self._hands.clear()
        return facts

    def _with_hand(self, request: Request) -> Request:
        """Begin a running hand or add to it; return the request with the hand so far."""
        hand_id, wants = request.hand_id, request.wants
        if hand_id is None:
            return request
        if isinstance(request.hand, str):
            if hand_id not in self._hands and len(self._hands) >= MOST_RUNNING:
                raise RequestError(f"{MOST_RUNNING:,} hands are running", "clear")
            lasting = {key: value for key, value in wants.items() if key != "actions"}
            hand = RunningHand.begun(request.hand, lasting)
        else:
            hand = self._hand(hand_id)
            if isinstance(request.add, str):
                hand = hand.with_text(request.add)
            elif request.add is not None:
                hand = hand.with_actions(request.add)
        self._hands[hand_id] = hand
        return replace(request, hand=hand.history, add=None, wants={**hand.wants, **wants})

    def _hand(self, hand_id: str) -> RunningHand:
        if hand_id not in self._hands:
            raise RequestError(f"there is no running hand {hand_id!r}", "hand, to begin it")
        return self._hands[hand_id]

    def _ask(self, ticket: _Ticket, request: Request) -> None:
        if self._helpers is None:
            self._answer(ticket, answer_line(request))
            return
        future = self._helpers.submit(answer_line, request)
        # The thread of a worker notifies the main thread.
        future.add_done_callback(lambda done: self._events.put((ticket, done)))

    def _done(self, ticket: _Ticket, future: Future[str]) -> None:
        try:
            self._answer(ticket, future.result())
        except Exception as error:  # the worker died
            self._answer(ticket, error_line(ticket.id, error))

    def _answer(self, ticket: _Ticket, answer: str) -> None:
        """Write an answer, after earlier ones about the same running hand."""
        ticket.answer = answer
        if ticket.hand_id is None:
            self._send(answer)
            return
        due = self._due[ticket.hand_id]
        while due and due[0].answer is not None:
            self._send(due.popleft().answer or "")
        if not due:
            del self._due[ticket.hand_id]

    def _send(self, answer: str) -> None:
        self._open -= 1
        self._write(answer)
        self._room.release()
