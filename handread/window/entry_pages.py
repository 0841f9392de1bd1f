"""The page for entering a hand, and its requests: the next step, and the read."""

import json
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from handread.game.replay import replay
from handread.game.rules import GAMES
from handread.report.html.page import fragment, session_rendered
from handread.report.words import hand_title
from handread.window.entry import OPPONENTS, EnteredHand, EntrySetup, with_other_card
from handread.window.entry_copy import copied
from handread.window.guard import as_html
from handread.window.reading import Workshop
from handread.window.sparring import sparred
from handread.window.work import entered_reads, entered_values, unpacked

LARGEST = 64 * 1024
"""The most bytes of a hand that its page sends."""


class EntryEndpoints:
    """The answers to the page for a new hand."""

    def __init__(self, workshop: Workshop) -> None:
        self._workshop = workshop

    def routes(self) -> list[Route]:
        """Return the addresses of the page for a new hand."""
        return [
            Route("/new", self._new),
            Route("/new/copy", self._copy),
            Route("/new/step", self._step, methods=["POST"]),
            Route("/new/read", self._read, methods=["POST"]),
            Route("/new/values", self._read, methods=["POST"]),
            Route("/new/opened", self._opened),
        ]

    def _new(self, _request: Request) -> Response:
        sheets, games = ("session.css", "new.css"), GAMES.values()
        values = {"title": "New hand", "games": games, "opponents": OPPONENTS, "connects": True}
        return as_html(session_rendered("new.html", ("new.js",), sheets, **values))

    async def _step(self, request: Request) -> Response:
        try:
            return JSONResponse(await run_in_threadpool(_next_step, await request.body()))
        except ValueError as error:
            return PlainTextResponse(str(error), 400)

    async def _read(self, request: Request) -> Response:
        """Answer with the possible holdings or, at the other address, with values of actions."""
        try:
            setup, entries, _ = await run_in_threadpool(_sent, await request.body())
            hand = await run_in_threadpool(lambda: EnteredHand.of(setup, entries)[0])
        except ValueError as error:
            return PlainTextResponse(str(error), 400)
        if request.url.path.endswith("read"):
            return HTMLResponse(await self._workshop.entered(entered_reads, hand.history))
        if (asked := hand.asked) is None:
            return HTMLResponse("")
        return HTMLResponse(await self._workshop.entered(entered_values, asked))

    def _opened(self, request: Request) -> Response:
        log = self._workshop.added / request.query_params.get("log", "")
        library = self._workshop.library
        return JSONResponse({"page": library.page_in(log), "progress": library.progress().words})

    def _copy(self, request: Request) -> Response:
        entry = self._workshop.library.page_of(request.query_params.get("hand", ""))
        if entry is None:
            return PlainTextResponse("there is no such hand", 404)
        played = replay(unpacked(entry.data).history)
        try:
            form, entries = copied(played)
        except ValueError as error:
            return PlainTextResponse(f"this hand cannot be copied: {error}", 400)
        title = f"Copy of {hand_title(played.history)}"
        return JSONResponse({"setup": form, "entries": entries, "title": title})


def _sent(data: bytes) -> tuple[EntrySetup, list[object], str]:
    """Return the setup and the entries that a page sent, and a remark on a new card."""
    if len(data) > LARGEST:
        raise ValueError(f"a hand has at most {LARGEST // 1024} KB")
    try:
        sent: Any = json.loads(data)
    except (ValueError, RecursionError):
        raise ValueError("this is not JSON") from None
    entries = sent.get("entries") if isinstance(sent, dict) else None
    if not isinstance(entries, list):
        raise ValueError("entries: expected a list")
    setup, other = EntrySetup.of(sent.get("setup")), sent.get("replace")
    if other is None:
        return setup, entries, ""
    if not isinstance(other, dict) or type(other.get("place")) is not int:
        raise ValueError("replace: expected a place and a card")
    return setup, *with_other_card(setup, entries, other["place"], other.get("card"))


def _next_step(data: bytes) -> dict[str, object]:
    setup, entries, said = _sent(data)
    if setup.against:
        entries = sparred(setup, entries)
    hand, accepted, error = EnteredHand.of(setup, entries)
    due = hand.due
    ending, text = hand.saved()
    return {
        "entries": entries[:accepted],
        "accepted": accepted,
        "error": error or said,
        "over": hand.is_over,
        "asks": hand.asked is not None,
        "card": None if due is None else {"seat": due.seat, "up": due.is_up, "shown": due.shown},
        "actions": [[choice.entry, choice.words] for choice in hand.choices],
        "html": fragment("new_step.html", hand=hand, table=hand.table),
        "ending": ending,
        "text": text,
    }
