"""Nobody else gets in: each rule against a request that would break it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from handread.window.guard import HEADERS, Door, Guard

PORT = 8123
HOME = f"http://127.0.0.1:{PORT}"
DOOR = Door(PORT, token="a-secret_of-this-test")


async def _home(request: Request) -> PlainTextResponse:
    body = await request.body()
    return PlainTextResponse(f"home {len(body)}")


def client(door: Door = DOOR, base: str = HOME, largest: int = 1000) -> TestClient:
    app = Starlette(routes=[Route("/", _home, methods=["GET", "POST"])])
    return TestClient(Guard(app, door, largest), base_url=base, follow_redirects=False)


@pytest.fixture
def stranger() -> Iterator[TestClient]:
    """A browser that was given nothing."""
    with client() as found:
        yield found


@pytest.fixture
def guest() -> Iterator[TestClient]:
    """A browser that has opened the first address."""
    with client() as found:
        found.get("/", params={"token": DOOR.token})
        yield found


def test_without_the_secret_there_is_only_a_plain_page(stranger: TestClient) -> None:
    for method, path in [("GET", "/"), ("POST", "/"), ("GET", "/0001.html"), ("DELETE", "/")]:
        answer = stranger.request(method, path)
        assert answer.status_code == 403
        assert answer.headers["content-type"].startswith("text/plain")
        assert "go on in the tab that it opened" in answer.text
        assert DOOR.token not in answer.text


def test_a_tab_of_an_earlier_start_says_what_to_do(guest: TestClient) -> None:
    """A browser sees a page, in which nothing is loaded or run; a script gets a line."""
    later = client(Door(PORT, token="another-secret"))
    later.cookies = guest.cookies
    shown = later.get("/0001.html", headers={"accept": "text/html,*/*;q=0.8"})
    assert shown.status_code == 403
    assert "Go on in the tab that it opened" in shown.text
    assert "script-src" not in shown.headers["content-security-policy"]
    assert "<script" not in shown.text
    assert "another-secret" not in shown.text
    asked = later.get("/news", headers={"accept": "*/*"})
    assert (asked.status_code, asked.text.count("\n")) == (403, 1)


def test_the_first_address_gives_a_cookie_and_drops_the_secret(stranger: TestClient) -> None:
    answer = stranger.get("/", params={"token": DOOR.token, "x": "1"})
    assert answer.status_code == 303
    assert answer.headers["location"] == "/?x=1"
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith(f"handread-{PORT}={DOOR.token};")
    assert {"HttpOnly", "SameSite=strict", "Path=/"} <= set(cookie.split("; "))
    assert "domain" not in cookie.lower()
    assert stranger.get("/").text == "home 0"


@pytest.mark.parametrize("token", ["", "a", DOOR.token[:-1], DOOR.token + "a", "é", "\x00"])
def test_a_wrong_secret_opens_nothing(stranger: TestClient, token: str) -> None:
    answer = stranger.get("/", params={"token": token})
    assert answer.status_code == 403
    assert "set-cookie" not in answer.headers
    odd = {"cookie": f"handread-{PORT}={token.encode('ascii', 'ignore').decode()!r}"}
    assert stranger.get("/", headers=odd).status_code == 403


def test_the_secret_given_twice_or_in_a_post_is_none(stranger: TestClient) -> None:
    assert stranger.get(f"/?token={DOOR.token}&token=x").status_code == 403
    assert stranger.post(f"/?token={DOOR.token}").status_code == 403


@pytest.mark.parametrize("path", ["//evil.example/", "/\\evil.example", "///evil.example"])
def test_the_first_address_leads_nowhere_else(stranger: TestClient, path: str) -> None:
    answer = stranger.get(f"{HOME}{path}?token={DOOR.token}")
    location = answer.headers["location"]
    assert location.startswith("/")
    assert not location.startswith(("//", "/\\"))


def test_the_cookie_of_another_server_is_not_taken(stranger: TestClient) -> None:
    other = {"cookie": f"handread-{PORT + 1}={DOOR.token}"}
    assert stranger.get("/", headers=other).status_code == 403


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        f"evil.example:{PORT}",
        f"127.0.0.1.evil.example:{PORT}",
        f"localhost.evil.example:{PORT}",
        f"127.0.0.1:{PORT + 1}",
        "127.0.0.1",
        "localhost",
        f"127.0.0.1:{PORT}:{PORT}",
        f"10.0.0.1:{PORT}",
        f"evil@127.0.0.1:{PORT}",
        f"[::1:{PORT}",
        "",
        ":",
    ],
)
def test_only_the_names_of_this_machine_are_hosts(guest: TestClient, host: str) -> None:
    """A name that another site lets point here (DNS rebinding) is refused."""
    assert guest.get("/", headers={"host": host}).status_code == 403
    first = guest.get("/", params={"token": DOOR.token}, headers={"host": host})
    assert first.status_code == 403
    assert "set-cookie" not in first.headers


def test_two_hosts_are_none(guest: TestClient) -> None:
    cookie = ("cookie", f"handread-{PORT}={DOOR.token}")
    hosts = [("host", f"127.0.0.1:{PORT}"), ("host", "evil.example")]
    assert guest.get("/", headers=[*hosts, cookie]).status_code == 403


def test_localhost_is_this_machine(guest: TestClient) -> None:
    cookie = {"cookie": f"handread-{PORT}={DOOR.token}"}
    assert guest.get("/", headers={"host": f"LocalHost:{PORT}", **cookie}).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"origin": f"http://127.0.0.1:{PORT + 1}"},
        {"origin": f"https://127.0.0.1:{PORT}"},
        {"origin": f"http://localhost:{PORT}"},
        {"origin": "null"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"sec-fetch-site": "same-site", "origin": HOME},
    ],
)
def test_no_other_site_posts(guest: TestClient, headers: dict[str, str]) -> None:
    assert guest.post("/", content=b"x", headers=headers).status_code == 403


def test_own_pages_post(guest: TestClient) -> None:
    own = {"origin": HOME, "sec-fetch-site": "same-origin"}
    assert guest.post("/", content=b"xyz", headers=own).text == "home 3"


def test_every_answer_says_what_a_browser_must_not_do(guest: TestClient) -> None:
    big = guest.post("/", content=b"x" * 1001)
    for answer in (guest.get("/"), guest.get("/nothing"), client().get("/"), big):
        assert HEADERS.items() <= {name: answer.headers.get(name, "") for name in HEADERS}.items()
        policy = answer.headers["content-security-policy"].split("; ")
        assert {"default-src 'none'", "frame-ancestors 'none'", "form-action 'none'"} <= set(policy)
        assert "access-control-allow-origin" not in answer.headers


def test_a_large_upload_is_refused(guest: TestClient) -> None:
    assert guest.post("/", content=b"x" * 1000).text == "home 1000"
    assert guest.post("/", content=b"x" * 1001).status_code == 413


def test_a_large_upload_that_tells_no_length_is_cut_off(guest: TestClient) -> None:
    def endless() -> Iterator[bytes]:
        for _ in range(100):
            yield b"x" * 100

    answer = guest.post("/", content=endless(), headers={"content-length": "5"})
    assert answer.status_code == 413
    assert guest.post("/", content=endless()).status_code == 413


def test_there_are_no_web_sockets(guest: TestClient) -> None:
    with pytest.raises(WebSocketDisconnect), guest.websocket_connect("/"):
        pass


def test_another_interface_still_needs_the_secret_and_a_number() -> None:
    door = Door(PORT, "0.0.0.0", DOOR.token)
    base = f"http://192.168.1.7:{PORT}"
    with client(door, base) as found:
        assert found.get("/").status_code == 403
        named = {"host": f"evil.example:{PORT}"}
        assert found.get("/", params={"token": door.token}, headers=named).status_code == 403
        assert found.get("/", params={"token": door.token}).status_code == 303
        assert found.get("/").text == "home 0"


def test_each_server_has_a_secret_of_its_own_that_it_does_not_print() -> None:
    one, other = Door(1), Door(1)
    assert one.token != other.token
    assert len(one.token) >= 43
    assert one.token not in repr(one)
    assert one.token in one.address
