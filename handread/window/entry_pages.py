"""The page on which a hand is entered, and what it asks for: the next step, and the read."""

from __future__ import annotations

import json
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from handread.game.replay import replay
from handread.history import History
from handread.report.html.page import fragment, new_hand_page
from handread.report.words import hand_title
from handread.window.entry import GAMES, EnteredHand, Setup, with_other_card
from handread.window.entry_copy import copied
from handread.window.guard import as_html
from handread.window.reading import Workshop
from handread.window.work import unpacked

LARGEST = 64 * 1024
"""The most bytes of a hand as its page sends it."""


def entry_routes(workshop: Workshop) -> list[Route]:
    """Return the addresses of the page for a new hand."""

    def new(_request: Request) -> Response:
        return as_html(new_hand_page(GAMES))

    async def step(request: Request) -> Response:
        try:
            return JSONResponse(await run_in_threadpool(_step, await request.body()))
        except ValueError as error:
            return PlainTextResponse(str(error), 400)

    async def read(request: Request) -> Response:
        try:
            history = await run_in_threadpool(_history, await request.body())
        except ValueError as error:
            return PlainTextResponse(str(error), 400)
        return HTMLResponse(await workshop.entered(history))

    def copy(request: Request) -> Response:
        entry = workshop.library.page_of(request.query_params.get("hand", ""))
        if entry is None:
            return PlainTextResponse("there is no such hand", 404)
        played = replay(unpacked(entry.data).history)
        try:
            form, entries = copied(played)
        except ValueError as error:
            return PlainTextResponse(f"this hand cannot be copied: {error}", 400)
        return JSONResponse(
            {"setup": form, "entries": entries, "title": f"Copy of {hand_title(played.history)}"}
        )

    return [
        Route("/new", new),
        Route("/new/copy", copy),
        Route("/new/step", step, methods=["POST"]),
        Route("/new/read", read, methods=["POST"]),
    ]


def _sent(data: bytes) -> tuple[Setup, list[object], str]:
    """Return the setup and the entries that a page sent, and what is to be said of a new card."""
    if len(data) > LARGEST:
        raise ValueError(f"a hand has at most {LARGEST // 1024} KB")
    try:
        sent: Any = json.loads(data)
    except (ValueError, RecursionError):
        raise ValueError("this is not JSON") from None
    entries = sent.get("entries") if isinstance(sent, dict) else None
    if not isinstance(entries, list):
        raise ValueError("entries: expected a list")
    setup, other = Setup.of(sent.get("setup")), sent.get("replace")
    if other is None:
        return setup, entries, ""
    if not isinstance(other, dict) or type(other.get("place")) is not int:
        raise ValueError("replace: expected a place and a card")
    return setup, *with_other_card(setup, entries, other["place"], other.get("card"))


def _history(data: bytes) -> History:
    return EnteredHand.of(*_sent(data)[:2])[0].history


def _step(data: bytes) -> dict[str, object]:
    """Return where a hand stands, as the page shows it and for programs."""
    setup, entries, said = _sent(data)
    hand, accepted, error = EnteredHand.of(setup, entries)
    due = hand.due
    ending, text = hand.saved()
    return {
        "entries": entries[:accepted],
        "accepted": accepted,
        "error": error or said,
        "over": hand.is_over,
        "card": None if due is None else {"seat": due.seat, "up": due.is_up, "shown": due.shown},
        "actions": [[one.entry, one.words] for one in hand.choices],
        "html": fragment("new_step.html", hand=hand, table=hand.table),
        "ending": ending,
        "text": text,
    }
