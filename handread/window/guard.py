"""The guard against others: every request passes here before the pages see it.

The server listens on this machine, but that alone keeps nobody out. Who else can reach it?

* Any page in the user's browser can send requests to 127.0.0.1 (cross-site request forgery). It
  cannot read the answers, but a request may change something.
* A page whose name first resolves to its own server and then to 127.0.0.1 is of the same origin as
  this server for the browser, and could read all (DNS rebinding).
* Other programs and users of this machine can connect to the port.
* Other servers of this machine: a browser sends the cookies of one port to all ports of a host, and
  takes its ports for the same site.

So a request has to pass, in this order:

1. **Host**: exactly one header, with this port and ``localhost`` or the address that the server
   listens on. A rebound name is in the header as the page wrote it. With ``--host`` any numeric
   address will do, as only names can be rebound.
2. **Key**: 256 random bits, new at each start. The first address has it. The answer to this address
   puts it into a cookie and redirects to the address without it. The cookie is ``HttpOnly`` and
   ``SameSite=Strict``, and has the port in its name. Keys are compared in constant time. A key in
   the address of a POST, or given twice, does not count.
3. **Origin**, for methods that change something: ``Sec-Fetch-Site`` and ``Origin`` must name this
   origin, if the browser sends them. SameSite is not enough, because another port is the same site.
4. **Size**: the bytes of a request are counted as they come, whatever its length header says.

Every answer forbids frames, sniffing of types, caches, and use by other origins, and has a content
security policy: an answer without one of its own allows nothing. There are no WebSockets, and no
headers that would let other origins read. Pages load nothing from the network.

Jupyter guards its server in the same way, and mitmproxy checks the Host header since it was found
open to DNS rebinding. Tried and dropped: parsers of cookies and queries of our own, in place of the
library's; one plain text for all who have no key: a tab that outlived the program now gets a page
that says where to go on. With ``--host`` the key travels unencrypted.
"""

import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from ipaddress import ip_address
from urllib.parse import urlencode

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from handread.report.html.page import security_policy, session_rendered

TOKEN = "token"
"""The parameter of the first address that holds the secret."""

LARGEST_UPLOAD = 64 * 1024 * 1024
"""The most bytes of a request."""

READING = ("GET", "HEAD")
"""The methods that change nothing."""

CLOSED_POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'"
"""The content security policy of an answer without one of its own."""

HEADERS: Mapping[str, str] = {
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}

CLOSED = (
    "handread was started anew, with another key: "
    "go on in the tab that it opened then, and close this one\n"
)
"""The answer to scripts of pages without the key; pages themselves get closed.html."""

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
        """The host in an address."""
        return f"[{self.host}]" if ":" in self.host else self.host

    @property
    def cookie(self) -> str:
        """The name of the cookie: browsers send cookies of one port to all ports of a host."""
        return f"handread-{self.port}"

    def admits(self, host: str) -> bool:
        """Return whether a Host header names this server."""
        match = _HOST.fullmatch(host)
        if match is None or int(match["port"] or 80) != self.port:
            return False
        name = match["name"].lower()
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
    """ASGI middleware that refuses requests from anywhere but the user's own browser."""

    def __init__(self, app: ASGIApp, door: Door, largest: int = LARGEST_UPLOAD) -> None:
        self._app = app
        self._door = door
        self._largest = largest

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or pass it on to the pages."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":  # a WebSocket: the pages have none
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
        asked, door = HTTPConnection(scope), self._door
        headers = asked.headers
        if len(headers.getlist("host")) != 1 or not door.admits(headers["host"]):
            return PlainTextResponse("This is not the host of this server.\n", 403)
        if scope["method"] in READING:
            given = asked.query_params.getlist(TOKEN)
            if len(given) == 1 and door.has_token(given[0]):
                return self._welcome(scope["path"], asked.query_params.multi_items())
        if not door.has_token(asked.cookies.get(door.cookie, "")):
            if scope["method"] in READING and "text/html" in headers.get("accept", ""):
                return as_html(session_rendered("closed.html", title="No key"), status=403)
            return PlainTextResponse(CLOSED, 403)
        if scope["method"] not in READING and not _same_origin(headers):
            return PlainTextResponse("Another site may not send this.\n", 403)
        return None

    def _welcome(self, path: str, query: list[tuple[str, str]]) -> Response:
        """Return the response with the browser's cookie and an address without the secret."""
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
                if not too_large:  # else the page reports that its request broke off
                    raise
        if too_large and not begun:
            words = f"A log may have {largest // 1024 // 1024} MB; this is more.\n"
            await PlainTextResponse(words, 413)(scope, receive, send)


def _mark(message: Message) -> None:
    headers = MutableHeaders(raw=message["headers"])
    headers.update(HEADERS)
    policy = headers.get("content-security-policy", CLOSED_POLICY)
    headers["content-security-policy"] = f"{policy}; frame-ancestors 'none'"


def as_html(page: str, file: str = "", status: int = 200) -> Response:
    """Return a page with its security policy in the header; with a ``file`` name, to be saved."""
    kept = {"Content-Disposition": f'attachment; filename="{file}"'} if file else {}
    policy = security_policy(page)
    return HTMLResponse(page, status, {"Content-Security-Policy": policy, **kept})


def _same_origin(headers: Headers) -> bool:
    """Return whether a request comes from a page of this server, or from no page at all."""
    if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return False
    origin = headers.get("origin")
    return origin is None or origin == f"http://{headers['host']}"
