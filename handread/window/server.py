"""The server of the window: its addresses and port, its start and end."""

import _thread
import asyncio
import errno
import logging
import os
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import h11
import uvicorn
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from uvicorn.protocols.http.h11_impl import H11Protocol

from handread import processes
from handread.report.html.page import session_rendered
from handread.report.words import visible
from handread.window.entry_pages import EntryEndpoints
from handread.window.guard import Door, Guard, as_html
from handread.window.logs import Logs, LogsError
from handread.window.marks import ACTS, HOLDS, Marks, MarksError, marks_of, sent_object
from handread.window.page_maker import Pages, from_home
from handread.window.reading import Workshop
from handread.window.sample import SampleSession
from handread.window.watching import Watch

NEXT_PORTS = 20
"""The number of ports to try, from the wanted one on."""

LONGEST_NAME = 200
"""Characters of the name of a log that is added."""

KINDS = {"css": "text/css", "js": "text/javascript"}

LAST_SECONDS = 1
"""How long requests may take to end after Ctrl-C."""

PLACE = ("hand", "moment", "seat")
"""The parameters that identify a question of practice."""

ARRIVAL_SECONDS = 60.0
"""How long a request may take to arrive; at most twice this."""


class Impatient(H11Protocol):
    """A connection that is closed if a request does not arrive, or only half of it."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for requests."""
        super().connection_made(transport)
        self._look(before=())

    def _look(self, before: tuple[object, ...]) -> None:
        now = self.cycle, self.conn.their_state
        arrived = h11.DONE, h11.MUST_CLOSE, h11.CLOSED
        if now == before and self.conn.their_state not in arrived:
            self.transport.close()
        elif not self.transport.is_closing():
            self.loop.call_later(ARRIVAL_SECONDS, self._look, now)


def application(
    workshop: Workshop,
    door: Door,
    marks: Marks,
    samples: Sequence[SampleSession] = (),
    logs: Logs | None = None,
) -> Guard:
    """Return the pages of a workshop and of samples behind a door, with the user's marks."""

    async def add(request: Request) -> Response:
        data = await request.body()
        name = visible(request.query_params.get("name", ""))[:LONGEST_NAME]
        try:
            return JSONResponse({"name": await run_in_threadpool(workshop.add_text, data, name)})
        except OSError as error:
            return PlainTextResponse(f"it cannot be kept: {error.strerror}\n", 507)

    routes: list[BaseRoute] = [
        Route("/logs", add, methods=["POST"]),
        *EntryEndpoints(workshop).routes(),
    ]
    if logs is not None:
        routes.append(_logs_route(logs, workshop))
    offered = {sample.name: sample.title for sample in samples}
    for sample in samples:
        shown = Pages(sample.workshop, sample.marks, sample, offered)
        endpoints = _Endpoints(shown, sample.marks)
        routes.append(Mount(f"/{sample.name}", routes=endpoints.routes()))
    routes += _Endpoints(Pages(workshop, marks, offered=offered), marks).routes()
    handlers: dict[Any, Callable[..., Response]] = {MarksError: _refused, 404: _missing}
    return Guard(Starlette(routes=routes, exception_handlers=handlers), door)


def _missing(*_: object) -> Response:
    """Answer that there is no such page, with a link to the hands."""
    return as_html(session_rendered("missing.html", title="No such page"), status=404)


def _refused(_request: Request, error: Exception) -> Response:
    """Answer why the data sent cannot be used."""
    return PlainTextResponse(f"{error}\n", 400)


def _logs_route(logs: Logs, workshop: Workshop) -> Route:
    """Return the page of the logs, and its requests to watch, to leave and to remove."""
    ways: dict[str, Callable[[Any], None]] = {
        "watch": logs.watch,
        "leave": logs.leave,
        "remove": logs.remove,
        "end": lambda _: _thread.interrupt_main(),  # for those without a terminal
    }

    async def shown(request: Request) -> Response:
        if request.method == "GET":
            page = session_rendered(
                "logs.html",
                ("logs.js",),
                ("session.css", "window.css"),
                title="My logs",
                lines=await run_in_threadpool(lambda: [*logs.lines()]),
                folders=logs.folders(),
                offered=logs.offered(),
                added=visible(from_home(workshop.added)),
                connects=True,
            )
            return as_html(page)
        try:
            (name, given), *more = sent_object(await request.body()).items()
            if more or type(given) is not (int if name == "remove" else str) or name not in ways:
                raise LogsError("expected a folder to watch or leave, a log to remove, or the end")
            await run_in_threadpool(ways[name], given)
        except (LogsError, ValueError, OSError) as error:
            return _refused(request, error)
        return JSONResponse({})

    return Route("/mylogs", shown, methods=["GET", "POST"])


class _Endpoints:
    """The answers about the hands of a library, and about the marks on them."""

    def __init__(self, pages: Pages, marks: Marks) -> None:
        self._pages = pages
        self._marks = marks

    def routes(self) -> list[Route]:
        """Return the addresses of the answers; the one that takes any name comes last."""
        return [
            Route("/", self._index, methods=["GET", "POST"]),
            Route("/news", self._news),
            Route("/decisions", self._mistakes),
            Route("/train", self._practice),
            Route("/marks", self._marked, methods=["GET", "PUT", "POST"]),
            Route("/training", self._learned, methods=["PUT", "POST"]),
            Route("/{name}", self._named),
        ]

    async def _index(self, request: Request) -> Response:
        """Answer with the index, about some hands alone if their numbers are sent."""
        if request.method == "GET":
            return as_html(self._pages.index())
        hands = sent_object(await request.body()).get("hands")
        if not isinstance(hands, list) or any(type(number) is not int for number in hands):
            return PlainTextResponse("expected the numbers of hands\n", 400)
        return as_html(await run_in_threadpool(self._pages.index, frozenset(hands)))

    def _news(self, request: Request) -> Response:
        query = request.query_params
        since, seen = (_number(query.get(key, "")) or 0 for key in ("since", "seen"))
        return JSONResponse(self._pages.news(since, query.get("columns", ""), seen))

    def _mistakes(self, request: Request) -> Response:
        return as_html(self._pages.mistakes(request.query_params.get("kind", "")))

    async def _practice(self, request: Request) -> Response:
        query = request.query_params
        place = [_number(query.get(name, "")) for name in PLACE]
        if None in place:
            return as_html(await run_in_threadpool(self._pages.training))
        answers = "answer" in query
        page = await self._pages.question(answers, *place)
        if not page:
            return _missing() if page is None else Response(status_code=204)
        return Response(page, media_type="application/json") if answers else as_html(page)

    async def _marked(self, request: Request) -> Response:
        """Answer with marks; first take over changes (PUT) or the marks of a file (POST)."""
        body = await request.body()
        keep = {"PUT": self._marks.put, "POST": self._marks.take}.get(request.method)
        if keep is not None:
            await run_in_threadpool(lambda: keep(marks_of(body)))
        known = _number(request.query_params.get("since", "")) or 0
        revision, changed = await run_in_threadpool(self._marks.since, known)
        return JSONResponse({"revision": revision, "hands": [mark._asdict() for mark in changed]})

    async def _learned(self, request: Request) -> Response:
        """Take an answer to a question (PUT), or results kept by a browser (POST)."""
        sent = sent_object(await request.body())
        if request.method == "POST":
            return JSONResponse({"days": await run_in_threadpool(self._marks.take_training, sent)})
        key, _ = self._pages.asked(*map(sent.get, PLACE)) or ("", None)
        answer = {**sent, "id": key, "kind": HOLDS if sent.get("seat") else ACTS}
        return JSONResponse({"days": await run_in_threadpool(self._marks.learn, answer)})

    async def _named(self, request: Request) -> Response:
        """Answer with the page or the file of a name; it is looked up, never opened."""
        name, query = request.path_params["name"], request.query_params
        if "file" in query:
            single = await self._pages.single(name, query.get("names") == "hidden")
            return _missing() if single is None else as_html(single[1], single[0])
        mistake = _number(query.get("mistake", ""))
        page = await self._pages.hand(name, mistake, query.get("kind", ""))
        page = page or await run_in_threadpool(self._pages.player, name)
        if page is not None:
            return as_html(page)
        file = self._pages.file(name)
        if file is None:
            return _missing()
        return Response(file, media_type=KINDS[name.rpartition(".")[2]])


def _number(text: str) -> int | None:
    """Parse a query number; None if it is not one."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 16 else None


def listening(host: str, port: int) -> socket.socket:
    """Return a socket on a port or the next free one; raise ``OSError`` if none is available.

    The host must be one of this machine.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    wanted = [*range(port, min(port + NEXT_PORTS, 65536)), 0] if port else [0]
    for number in wanted:
        listens = socket.socket(family, socket.SOCK_STREAM)
        # On Windows, which alone has the first, the second would let two listen on one port.
        option = getattr(socket, "SO_EXCLUSIVEADDRUSE", socket.SO_REUSEADDR)
        listens.setsockopt(socket.SOL_SOCKET, option, 1)
        try:
            listens.bind((host, number))
            listens.listen(128)
        except OSError as error:
            listens.close()
            if error.errno not in (errno.EADDRINUSE, errno.EACCES) or number == 0:
                raise
        else:
            return listens
    raise AssertionError("the last port of the list is any that is free")


def has_browser() -> bool:
    """Return whether this machine has a browser that the user can see."""
    if "SSH_CONNECTION" in os.environ or "SSH_TTY" in os.environ:
        return False
    if sys.platform not in ("win32", "darwin"):
        if not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
            return False
    try:
        webbrowser.get()
    except webbrowser.Error:
        return False
    return True


def serve(
    workshop: Workshop,
    watch: Watch,
    listens: socket.socket,
    host: str,
    ready: Callable[[Door], None],
    marks: Marks,
    samples: Sequence[SampleSession],
    kept: Path | None = None,
) -> None:
    """Show hands until Ctrl-C, which is raised as ``KeyboardInterrupt``.

    ``ready`` gets the door once the server answers. ``kept`` is the file of the watched folders, or
    None to forget them.
    """
    door = Door(listens.getsockname()[1], host)
    logging.getLogger("uvicorn").setLevel(logging.CRITICAL)
    logs = Logs(workshop, kept)
    config = uvicorn.Config(
        application(workshop, door, marks, samples, logs),
        http=Impatient,
        ws="none",
        lifespan="off",
        loop="asyncio",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=LAST_SECONDS,
    )
    with workshop.running() as ended, ExitStack() as answers:
        threading.Thread(target=_begin, args=(workshop, watch, logs, ended), daemon=True).start()
        ready(door)
        hangup = getattr(signal, "SIGHUP", None)  # unknown to uvicorn, which exceptions may hang
        if hangup and callable(signal.getsignal(hangup)):
            as_ctrl_c = processes.answering(hangup, lambda *_: signal.raise_signal(signal.SIGINT))
            answers.enter_context(as_ctrl_c)
        try:
            uvicorn.Server(config).run(sockets=[listens])
        finally:
            for sample in samples:
                sample.workshop.ended.set()


def _begin(workshop: Workshop, watch: Watch, logs: Logs, ended: threading.Event) -> None:
    logs.begin()
    watch.begin(workshop.add_file, ended)
