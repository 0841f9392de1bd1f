"""The server of the window: its addresses, the port it listens on, and its start and end."""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable, Sequence
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

from handread.report.html.page import logs_page
from handread.report.words import visible
from handread.window.entry_pages import entry_routes
from handread.window.guard import Door, Guard, as_html
from handread.window.logs import Logs, LogsError
from handread.window.marks import Marks, MarksError, marks_of, sent_object
from handread.window.pages import Pages, from_home
from handread.window.reading import Workshop
from handread.window.sample import Sample
from handread.window.watching import Watch

NEXT_PORTS = 20
"""The number of ports that are tried from the wanted one on."""

LONGEST_NAME = 200
"""Characters of the name of a log that is added."""

KINDS = {"css": "text/css", "js": "text/javascript"}
"""Types of the files that pages load, by their ending."""

LAST_SECONDS = 1
"""How long requests may take to end after Ctrl-C."""

ARRIVAL_SECONDS = 60.0
"""How long a request may take to arrive; at most twice this."""

_NOTHING = PlainTextResponse("There is no such page.\n", 404)


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
    samples: Sequence[Sample] = (),
    logs: Logs | None = None,
) -> Guard:
    """Return the pages of a workshop behind a door, with the user's marks, and those of samples."""

    async def add(request: Request) -> Response:
        data = await request.body()
        if not data.strip():
            return PlainTextResponse("there is nothing in it\n", 400)
        name = visible(request.query_params.get("name", ""))[:LONGEST_NAME]
        try:
            return JSONResponse({"name": await run_in_threadpool(workshop.add_text, data, name)})
        except OSError as error:
            return PlainTextResponse(f"it cannot be kept: {error.strerror}\n", 507)

    routes: list[BaseRoute] = [Route("/logs", add, methods=["POST"]), *entry_routes(workshop)]
    if logs is not None:
        routes.append(_logs_route(logs, workshop))
    for sample in samples:
        shown = Pages(sample.workshop, sample.marks, sample)
        routes.append(Mount(f"/{sample.name}", routes=_shown_routes(shown, sample.marks)))
    offered = {sample.name: sample.title for sample in samples}
    routes += _shown_routes(Pages(workshop, marks, offered=offered), marks)
    return Guard(Starlette(routes=routes), door)


def _logs_route(logs: Logs, workshop: Workshop) -> Route:
    """Return the page of the logs, which sends what to watch, to leave and to remove."""
    ways: dict[str, Callable[[Any], None]] = {
        "watch": logs.watch,
        "leave": logs.leave,
        "remove": logs.remove,
    }

    async def shown(request: Request) -> Response:
        if request.method == "GET":
            added = visible(from_home(workshop.added))
            found = await run_in_threadpool(lambda: [*logs.lines()])
            return as_html(logs_page(found, logs.folders(), logs.offered(), added))
        try:
            (name, given), *more = sent_object(await request.body()).items()
            if more or type(given) is not (int if name == "remove" else str) or name not in ways:
                raise LogsError("expected a folder to watch or to leave, or a log to remove")
            await run_in_threadpool(ways[name], given)
        except (LogsError, MarksError, ValueError, OSError) as error:
            return PlainTextResponse(f"{error}\n", 400)
        return JSONResponse({})

    return Route("/mylogs", shown, methods=["GET", "POST"])


def _shown_routes(pages: Pages, marks: Marks) -> list[Route]:
    """Return the addresses of all that is shown of some hands."""

    def made(page: Callable[..., str], *asked: str) -> Callable[[Request], Response]:
        """Return what answers with a page, made from what a query may ask."""
        return lambda request: as_html(page(*(request.query_params.get(one, "") for one in asked)))

    def news(request: Request) -> Response:
        revision = _number(request.query_params.get("since", "")) or 0
        return JSONResponse(pages.news(revision, request.query_params.get("columns", "")))

    return [
        Route("/", made(pages.index)),
        Route("/news", news),
        Route("/decisions", made(pages.mistakes, "kind")),
        Route("/train", made(pages.training)),
        _marks_route(marks),
        _training_route(marks),
        _named_route(pages),
    ]


def _named_route(pages: Pages) -> Route:
    """Return where pages of hands and players are, and the files that pages load."""

    async def named(request: Request) -> Response:
        """Answer with the page or the file of a name; it is looked up, never opened."""
        name, query = request.path_params["name"], request.query_params
        if "file" in query:
            single = await pages.single(name, query.get("names") == "hidden")
            return _NOTHING if single is None else as_html(single[1], single[0])
        if (moment := _number(query.get("train", ""))) is not None:
            found = await pages.question(name, moment)
        else:
            mistake = _number(query.get("mistake", ""))
            found = await pages.hand(name, mistake, query.get("kind", ""))
            found = found or await run_in_threadpool(pages.player, name)
        if found is not None:
            return as_html(found)
        file = pages.file(name)
        if file is None:
            return _NOTHING
        return Response(file, media_type=KINDS[name.rpartition(".")[2]])

    return Route("/{name}", named)


def _marks_route(marks: Marks) -> Route:
    """Return where pages get marks, and send what was changed (PUT) or read of a file (POST)."""
    ways = {"PUT": marks.put, "POST": marks.take}

    async def marked(request: Request) -> Response:
        body = await request.body()
        try:
            if request.method in ways:
                await run_in_threadpool(lambda: ways[request.method](marks_of(body)))
            known = _number(request.query_params.get("since", "")) or 0
            revision, found = await run_in_threadpool(marks.since, known)
        except MarksError as error:
            return PlainTextResponse(f"{error}\n", 400)
        return JSONResponse({"revision": revision, "hands": [mark._asdict() for mark in found]})

    return Route("/marks", marked, methods=["GET", *ways])


def _training_route(marks: Marks) -> Route:
    """Return where pages send an answer (PUT), and what a browser has kept before (POST)."""

    async def learned(request: Request) -> Response:
        keeps = marks.learn if request.method == "PUT" else marks.take_training
        try:
            found = sent_object(await request.body())
            return JSONResponse({"days": await run_in_threadpool(keeps, found)})
        except MarksError as error:
            return PlainTextResponse(f"{error}\n", 400)

    return Route("/training", learned, methods=["PUT", "POST"])


def _number(text: str) -> int | None:
    """Return a number of a query; None for what is none."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 16 else None


def listening(host: str, port: int) -> socket.socket:
    """Return a socket that listens on a port, or on the next that is free.

    Raises:
        OSError: The host is not one of this machine, or all of the ports are taken.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    wanted = [*range(port, min(port + NEXT_PORTS, 65536)), 0] if port else [0]
    for one in wanted:
        found = socket.socket(family, socket.SOCK_STREAM)
        if sys.platform != "win32":  # where it would let two listen on one port
            found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            found.bind((host, one))
            found.listen(128)
        except OSError as error:
            found.close()
            if error.errno not in (errno.EADDRINUSE, errno.EACCES) or one == 0:
                raise
        else:
            return found
    raise AssertionError("the last port of the list is any that is free")


def has_browser() -> bool:
    """Return whether a browser of this machine can be seen by the user."""
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
    samples: Sequence[Sample],
    kept: Path | None = None,
) -> None:
    """Show hands until Ctrl-C, which is raised as ``KeyboardInterrupt``.

    ``ready`` is called once the server answers, with the door that leads to it. ``kept`` is the
    file of the folders that are watched, if they are to be remembered.
    """
    door = Door(listens.getsockname()[1], host)
    logging.getLogger("uvicorn").setLevel(logging.CRITICAL)
    logs = Logs(workshop, workshop.ended, kept)
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
    with workshop.running() as ended:
        threading.Thread(target=_begin, args=(workshop, watch, logs, ended), daemon=True).start()
        ready(door)
        try:
            uvicorn.Server(config).run(sockets=[listens])
        finally:
            for sample in samples:
                sample.workshop.ended.set()


def _begin(workshop: Workshop, watch: Watch, logs: Logs, ended: threading.Event) -> None:
    """Read what was given, then follow its changes."""
    logs.begin()
    watch.begin(workshop.add_file, ended)
