"""What keeps others out: every request passes here before the pages see it.

A page of another site can send requests to a server on this machine, and by a name that it lets
point here (DNS rebinding) it could even read the answers. So the Host header must name this
machine, every request needs a secret that only the user's browser was given, and nothing may be
posted from the page of another origin.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie
from ipaddress import ip_address
from urllib.parse import parse_qsl, urlencode

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from handread.report.html.page import security_policy

TOKEN = "token"
"""The parameter of the first address that holds the secret."""

LARGEST_UPLOAD = 64 * 1024 * 1024
"""The most bytes of a request."""

READING = ("GET", "HEAD")
"""The methods that change nothing."""

CLOSED_POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'"
"""The content security policy of an answer that has none of its own."""

HEADERS: Mapping[str, str] = {
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
"""The headers of every answer."""

CLOSED = (
    "This page is for the browser in which handread opened it.\n"
    "Use the address that handread open prints in its terminal; it holds the key.\n"
)

_HOST = re.compile(r"(?P<name>\[[0-9a-fA-F:.]+\]|[^:\[\]]+)(?::(?P<port>[0-9]{1,5}))?")


@dataclass(frozen=True, slots=True)
class Door:
    """Where the server listens, and its secret."""

    port: int
    host: str = "127.0.0.1"
    token: str = field(default_factory=lambda: secrets.token_urlsafe(32), repr=False)

    @property
    def address(self) -> str:
        """The first address, which holds the secret."""
        return f"http://{self.shown_host}:{self.port}/?{urlencode({TOKEN: self.token})}"

    @property
    def shown_host(self) -> str:
        """The host as it stands in an address."""
        return f"[{self.host}]" if ":" in self.host else self.host

    @property
    def cookie(self) -> str:
        """The name of the cookie: browsers send those of one port to all ports of a host."""
        return f"handread-{self.port}"

    def admits(self, host: str) -> bool:
        """Return whether a Host header names this server.

        If it listens on more than this machine, any number of an address will do: only names can
        be made to point elsewhere.
        """
        found = _HOST.fullmatch(host)
        if found is None or int(found["port"] or 80) != self.port:
            return False
        name = found["name"].lower()
        if name in {"localhost", "127.0.0.1", self.shown_host.lower()}:
            return True
        return not self.is_local and _is_number(name.strip("[]"))

    @property
    def is_local(self) -> bool:
        """True if only programs of this machine can reach the server."""
        return self.host == "localhost" or (
            _is_number(self.host) and ip_address(self.host).is_loopback
        )

    def has_token(self, given: str) -> bool:
        """Return whether a text is the secret."""
        return secrets.compare_digest(given.encode("utf-8", "replace"), self.token.encode())


def _is_number(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


class Guard:
    """ASGI middleware that refuses what does not come from the user's own browser."""

    def __init__(self, app: ASGIApp, door: Door, largest: int = LARGEST_UPLOAD) -> None:
        """``largest`` is the most bytes of a request."""
        self._app = app
        self._door = door
        self._largest = largest

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or pass it on to the pages."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":  # a WebSocket: there are none
            await send({"type": "websocket.close", "code": 1008})
            return

        async def send_marked(message: Message) -> None:
            if message["type"] == "http.response.start":
                _mark(message)
            await send(message)

        refused = self._answer(scope)
        if refused is not None:
            await refused(scope, receive, send_marked)
            return
        await self._limited(scope, receive, send_marked)

    def _answer(self, scope: Scope) -> Response | None:
        """Return the answer to a request that the pages must not see; None for any other."""
        headers, door = Headers(scope=scope), self._door
        if len(headers.getlist("host")) != 1 or not door.admits(headers["host"]):
            return PlainTextResponse("This is not the host of this server.\n", 403)
        query = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        if scope["method"] in READING:
            given = [value for name, value in query if name == TOKEN]
            if len(given) == 1 and door.has_token(given[0]):
                return self._welcome(scope["path"], query)
        if not door.has_token(_cookie(headers.get("cookie", ""), door.cookie)):
            return PlainTextResponse(CLOSED, 403)
        if scope["method"] not in READING and not _same_origin(headers):
            return PlainTextResponse("Another site may not send this.\n", 403)
        return None

    def _welcome(self, path: str, query: list[tuple[str, str]]) -> Response:
        """Return the answer that gives the browser its cookie and an address without the secret."""
        rest = urlencode([(name, value) for name, value in query if name != TOKEN])
        # A path with two slashes would be the address of another host.
        target = "/" + path.lstrip("/\\") + (f"?{rest}" if rest else "")
        answer = RedirectResponse(target, 303)
        door = self._door
        answer.set_cookie(door.cookie, door.token, path="/", httponly=True, samesite="strict")
        return answer

    async def _limited(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on; refuse one that is too large, whatever it says of its length."""
        stated, largest = Headers(scope=scope).get("content-length", "0"), self._largest
        count, too_large, begun = 0, stated.isdecimal() and int(stated) > largest, False

        async def counted() -> Message:
            nonlocal count, too_large
            message = await receive()
            if message["type"] == "http.request":
                count += len(message.get("body", b""))
                if count > largest:
                    too_large = True
                    return {"type": "http.disconnect"}
            return message

        async def send_once(message: Message) -> None:
            nonlocal begun
            if not too_large:
                begun = True
                await send(message)

        if not too_large:
            try:
                await self._app(scope, counted, send_once)
            except Exception:
                if not too_large:  # else the page tells that its request broke off
                    raise
        if too_large and not begun:
            words = f"A log may have {largest // 1024 // 1024} MB; this is more.\n"
            await PlainTextResponse(words, 413)(scope, receive, send)


def _mark(message: Message) -> None:
    """Add the headers of every answer."""
    headers = MutableHeaders(raw=message["headers"])
    for name, value in HEADERS.items():
        headers[name] = value
    policy = headers.get("content-security-policy", CLOSED_POLICY)
    headers["content-security-policy"] = f"{policy}; frame-ancestors 'none'"


def as_html(page: str, file: str = "") -> Response:
    """Return a page with its own content security policy in the header as well.

    With the name of a ``file`` it is one to keep.
    """
    kept = {"Content-Disposition": f'attachment; filename="{file}"'} if file else {}
    policy = security_policy(page)
    return HTMLResponse(page, headers={"Content-Security-Policy": policy, **kept})


def _cookie(header: str, name: str) -> str:
    """Return the value of a cookie; empty if there is none."""
    try:
        found = SimpleCookie(header).get(name)
    except CookieError:
        return ""
    return "" if found is None else found.value


def _same_origin(headers: Headers) -> bool:
    """Return whether a request comes from a page of this server, or from no page at all."""
    if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return False
    origin = headers.get("origin")
    return origin is None or origin == f"http://{headers['host']}"
