"""The pages of a window: what was added is listed, looked at and left out as by ``report``."""

from __future__ import annotations

import re
import time
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from handread.sessions.analyzing import HandView
from handread.sessions.reading import ReadHand
from handread.window import reading
from handread.window.work import unpacked
from tests.packed import page_data_of
from tests.pages import NASTY
from tests.program import SAMPLES
from tests.window.conftest import Window, workshop

LOG = (SAMPLES / "pokerstars.txt").read_text(encoding="utf-8")
EVENING = SAMPLES.parent / "docs" / "first-evening.txt"
PAGES = r'<th scope="row"><a href="([^"]+)"'


def carried(window: Window, name: str) -> dict[str, Any]:
    """What the page of a hand steps through."""
    page = window.get(f"/{name}")
    (script,) = re.findall(r'src="(handread-[^"]+)"', page)
    return page_data_of(page, window.get(f"/{script}"))


def pages(window: Window) -> list[str]:
    return re.findall(PAGES, str(window.news()["rows"]))


def test_an_empty_window_asks_for_hands(window: Window) -> None:
    page = window.get("/")
    assert "Which hands?" in page
    assert 'id="hands"' not in page
    assert window.news()["progress"] == ""


def test_what_is_pasted_is_listed_and_has_pages(window: Window) -> None:
    window.add(LOG)
    names = pages(window)
    assert names == ["0001-900000000101.html", "0002-900000000102.html"]
    first, second = (window.get(f"/{name}") for name in names)
    assert f'href="{names[1]}" rel="next"' in first
    assert f'href="{names[0]}" rel="prev"' in second
    for file in re.findall(r'(?:src|href)="(handread-[^"]+)"', first):
        window.get(f"/{file}")
    assert "pasted" in window.get("/")


def test_each_page_states_its_policy_twice(window: Window) -> None:
    window.add(LOG)
    for path in ["/", f"/{pages(window)[0]}"]:
        answer = window.client.get(path)
        header = answer.headers["content-security-policy"]
        stated = re.search(r'Content-Security-Policy" content="([^"]+)"', answer.text)
        assert stated is not None
        assert header == f"{stated[1]}; frame-ancestors 'none'"
        assert "unsafe" not in header


def test_only_what_changed_is_sent(window: Window) -> None:
    window.add(LOG)
    revision = window.news()["revision"]
    assert window.news(revision)["rows"] == ""
    window.add((SAMPLES / "showdown.stud").read_text(encoding="utf-8"))
    assert len(re.findall(PAGES, window.news(revision)["rows"])) == 1


def test_an_index_with_other_columns_is_loaded_again(window: Window) -> None:
    window.add(LOG)
    answer = window.client.get("/news", params={"since": "0", "columns": "other"}).json()
    assert answer["reload"]
    assert answer["rows"] == ""


def test_hands_that_came_before_are_left_out(window: Window) -> None:
    window.add(LOG)
    window.add(LOG, "the same again.txt")
    assert len(pages(window)) == 2
    assert "2 hands, 2 repeated" in window.get("/")


@pytest.mark.thorough
def test_what_is_not_read_is_listed_with_the_reason(window: Window, tmp_path: Path) -> None:
    for name, text in (
        ("bad.txt", "PokerStars Hand #1: nonsense\n"),
        ("letter.txt", "just a letter\n"),
        ("broken.stud", (SAMPLES / "broken-turn.stud").read_text(encoding="utf-8")),
    ):
        (tmp_path / name).write_text(text, encoding="utf-8")
        window.shop.add_file(tmp_path / name, name, 0.0)
    window.settle()
    page = window.get("/")
    assert "2 hands, 1 refused (1 read in part), 2 not understood, policy" in page
    assert "Hand broken-turn: broken.stud:6:16: seat 3 acts, but it is seat 2" in page
    assert "bad.txt:1:" in page
    assert "letter.txt: this does not look like a hand history" in page


@pytest.mark.parametrize("name", ["../../etc/passwd", "%2e%2e", "x"])
def test_no_name_reaches_the_disk(window: Window, name: str) -> None:
    window.add(LOG)
    assert window.client.get(f"/{name}").status_code in (404, 405)


@pytest.mark.parametrize(
    "name",
    ["0001.html", "1-900000000101.html", "0003-1.html", "²-1.html", "9" * 5000 + ".html", ".html"],
)
def test_other_names_have_no_page(window: Window, name: str) -> None:
    window.add(LOG)
    assert '<a class="button" href="/">All hands</a>' in window.get(f"/{name}", 404)


@pytest.mark.parametrize("path", ["/a/b", "/train?hand=9&moment=1&seat=0", "/0001-1.html?file=1"])
def test_a_wrong_address_leads_to_the_hands(window: Window, path: str) -> None:
    assert '<a class="button" href="/">All hands</a>' in window.client.get(path).text


@pytest.mark.parametrize("since", ["", "-1", "x", "²", "9" * 5000])
def test_odd_questions_are_answered(window: Window, since: str) -> None:
    assert window.client.get("/news", params={"since": since}).status_code == 200


@pytest.mark.thorough
def test_text_of_a_log_is_text(window: Window) -> None:
    nasty = " ".join(NASTY)
    window.add(LOG.replace("Ruby99", "<img src=x onerror=alert(1)>"), f"<b>{nasty}")
    window.add("<script>alert(2)</script>\n", '"><script>alert(3)</script>')
    everything = [window.get("/"), str(window.news()["rows"])]
    for text in everything:
        assert "<img" not in text
        assert "alert(2)</script>" not in text
        assert "<script>alert" not in text
        assert f"<b>{nasty[:3]}" not in text
    for name in pages(window):
        assert "<img" not in window.get(f"/{name}")


def test_nothing_in_it_is_said(window: Window) -> None:
    window.add(b" \n")
    (said,) = window.news()["answers"]
    assert said[1] == "pasted: added nothing, there is no hand, the file is empty."


@pytest.mark.parametrize("data", [b"\x00" * 5000, b"PAR1" + b"x" * 50, b"\xff\xfe\x00", b"\n# x\n"])
def test_bytes_that_are_no_log_are_refused(window: Window, data: bytes) -> None:
    window.add(data, "odd")
    assert pages(window) == []


@pytest.mark.thorough
def test_players_have_pages(window: Window) -> None:
    window.add(EVENING.read_bytes()[:20_000])
    names = re.findall(r'class="who"><a href="([^"]+)"', window.get("/"))
    assert names
    assert 'href="./"' in window.get(f"/{names[0]}")
    window.get("/player-99.html", 404)


@pytest.mark.dear("reads an evening in a window")
def test_the_address_of_a_player_stays(window: Window, monkeypatch: pytest.MonkeyPatch) -> None:
    text = EVENING.read_bytes()
    window.add(text[:12_000])
    names = re.findall(r'class="who"><a href="([^"]+)"', window.get("/"))
    assert names
    titles = {name: re.findall("<h1>(.*)</h1>", window.get(f"/{name}")) for name in names}
    monkeypatch.setattr("handread.report.session_players.MOST_PLAYERS", 2)
    window.add(text[12_000:24_000])
    assert len(re.findall(r'class="who"><a href="([^"]+)"', window.get("/"))) == 2
    for name in names:
        assert re.findall("<h1>(.*)</h1>", window.get(f"/{name}")) == titles[name]


@pytest.mark.dear("a hand is valued, and its page made")
def test_a_row_gets_its_values() -> None:
    shop = workshop(values=True)
    with shop.running():
        window = Window(shop)
        window.add(EVENING.read_text(encoding="utf-8").split("\n\n\n")[0])
        (row,) = shop.library.listing().rows
        assert row.worth is not None
        page = window.get(f"/{row.page}")
        assert "handread-" in page
        assert page == window.get(f"/{row.page}")


def test_a_page_that_failed_is_made_again(window: Window, monkeypatch: pytest.MonkeyPatch) -> None:
    window.add(LOG)
    submit, failed = window.shop._makers.submit, Future[str]()
    failed.set_exception(BrokenProcessPool("it died"))
    monkeypatch.setattr(window.shop._makers, "submit", lambda *_: failed)
    with pytest.raises(BrokenProcessPool):
        window.get(f"/{pages(window)[0]}")
    monkeypatch.setattr(window.shop._makers, "submit", submit)
    window.get(f"/{pages(window)[0]}")


def test_a_file_is_read_by_its_name(window: Window, tmp_path: Path) -> None:
    path = tmp_path / "night.txt"
    path.write_text(LOG, encoding="utf-8")
    window.shop.add_file(path, "night.txt")
    window.settle()
    assert len(pages(window)) == 2
    assert "<h1>night.txt</h1>" in window.get("/")


@pytest.mark.parametrize(("home", "begins"), [("user", "~/"), ("another", "")])
def test_my_logs_says_where_logs_are_kept(
    home: str, begins: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Path, "home", lambda: tmp_path / home)
    page = Window(workshop(added=tmp_path / "user" / "a & b")).get("/mylogs")
    assert re.findall(r"is kept in <code>(.*?)a &amp; b<", page) == [begins or f"{tmp_path}/user/"]


def test_the_summary_of_some_hands_is_about_these_alone(window: Window) -> None:
    window.add(LOG)
    window.add((SAMPLES / "showdown.stud").read_text(encoding="utf-8"))
    answer = window.client.post("/", content='{"hands": [2, 3, 99]}')
    assert "2 of 3." in answer.text
    both = window.client.post("/", content='{"hands": [1, 2, 3]}').text
    assert "3 of 3." in both
    none = window.client.post("/", content='{"hands": []}')
    assert none.status_code == 200
    assert 'id="hands"' not in none.text


@pytest.mark.parametrize(
    "sent", ["", "[]", "{}", '{"hands": 1}', '{"hands": ["1"]}', '{"hands": [true]}', "{" * 5000]
)
def test_what_is_no_list_of_hands_is_refused(window: Window, sent: str) -> None:
    answer = window.client.post("/", content=sent)
    assert answer.status_code == 400
    assert answer.text.endswith("\n")


@pytest.mark.dear("hands of two logs are read, and pages of them drawn")
def test_a_page_says_what_is_known_and_noted_of_its_players(tmp_path: Path) -> None:
    shop = workshop()
    with shop.running():
        window = Window(shop, tmp_path / "marks.sqlite")
        window.add(EVENING.read_text(encoding="utf-8").split("\n\n\n\n")[0])
        name = pages(window)[-1]
        marked = '{"schema": "handread.marks/1", "hands": [{"key": "player duckpond", '
        marked += '"tags": ["amber"], "note": "calls <too> much"}]}'
        assert window.client.put("/marks", content=marked).status_code == 200
        data = carried(window, name)
        assert data["players"]["1"][1:] == ["calls <too> much", "amber"]
        page = window.get(f"/{data['players']['1'][0]}")
        assert 'data-key="player duckpond"' in page
        earlier = len(pages(window)) - 1
        assert data["before"]["1"].startswith(f"{earlier} hands: plays ")
        assert carried(window, pages(window)[0])["before"] == {}
        single = page_data_of(window.get(f"/{name}", file="1"))
        assert (single["before"], single["players"]) == (data["before"], {})


@pytest.mark.dear("three hands are read and valued")
def test_hands_are_listed_before_they_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Results and players first, then reads, then values; what may change says so."""
    goes_on, stages = Event(), list[bool]()
    real = reading.read

    def gated(view: HandView, data: bytes) -> ReadHand:
        stages.append(view.decisions is not None)
        assert goes_on.wait(60)
        return real(view, data)

    monkeypatch.setattr(reading, "read", gated)
    shop = workshop(values=True)
    with shop.running():
        window = Window(shop)
        text = "\n\n\n".join(EVENING.read_text(encoding="utf-8").split("\n\n\n")[:3]) + "\n\n\n"
        assert window.client.post("/logs", content=text).status_code == 200
        end = time.monotonic() + 60
        while len(shop.library.listing().rows) < 3:
            assert time.monotonic() < end
            time.sleep(0.01)
        rows = shop.library.listing().rows
        assert [row.worth for row in rows] == [None] * 3
        assert all(row.telling is None and row.plays and row.net_words for row in rows)
        assert all(row.pending for row in rows)
        assert window.news()["progress"] == "Reading: 0 of 3 hands so far."
        assert "3 hands, policy" in window.get("/")
        assert window.client.post("/logs?name=next.txt", content=LOG).status_code == 200
        waits = "Reading: 0 of 3 hands so far; 1 more log waits."
        assert window.news()["progress"] == waits
        page = window.get("/")
        assert "3 hands so far, policy" in page
        assert "<b>So far:</b>" in page
        assert page.count("So far from 3 hands; 1 more log waits: it may still change.") == 2
        size = -(-(window.shop.added / "next.txt").stat().st_size // 1024)
        cells = re.findall(r'<td class="n"[^>]*>([^<]*)</td>', window.get("/mylogs"))
        assert cells[2:] == ["waiting", f"{size} KB"]
        window.shop.remove(1)
        goes_on.set()
        window.settle()
        done = shop.library.listing().rows
        assert all(row.worth is not None and not row.pending for row in done)
        assert [row.net for row in done] == [row.net for row in rows]
        assert [[p.tally for p in row.plays] for row in done] == [
            [p.tally for p in row.plays] for row in rows
        ]
        assert stages == [False] * 3 + [True] * 3
        assert window.news()["progress"] == ""


@pytest.mark.dear("five hands are read and valued")
def test_values_of_the_largest_losses_come_first(monkeypatch: pytest.MonkeyPatch) -> None:
    order: list[str] = []
    real = reading.read

    def noted(view: HandView, data: bytes) -> ReadHand:
        if view.decisions is not None:
            order.append(unpacked(data).history.hand_id)
        return real(view, data)

    monkeypatch.setattr(reading, "read", noted)
    monkeypatch.setattr(reading, "DEAREST", 2)
    shop = workshop(values=True)
    with shop.running():
        window = Window(shop)
        text = "\n\n\n".join(EVENING.read_text(encoding="utf-8").split("\n\n\n")[:5]) + "\n\n\n"
        window.add(text)
    rows = sorted(shop.library.listing().rows, key=lambda row: row.net_bets)
    assert len(order) == len(rows) == 5
    assert [f"Hand {one}" for one in order[:2]] == [row.title for row in rows[:2]]
