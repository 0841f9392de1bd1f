"""The page of the costly decisions, and the training on them."""

from __future__ import annotations

import base64
import json
import re
import sqlite3
import time
import zlib
from collections.abc import Iterator
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest

from handread.window.marks import Learned, Mark, Marks, file_text
from tests.packed import opened as opened_body
from tests.program import SAMPLES
from tests.window.conftest import Window, opened_here, workshop
from tests.window.test_pages import EVENING

if TYPE_CHECKING:
    from pathlib import Path

    from tests.browser import Page

COSTLY = "261500014295"
"""A hand of the evening in which a call on 7th street cost a big bet."""

HANDS = EVENING.read_text(encoding="utf-8").split("\n\n\n")
LOG = next(hand for hand in HANDS if COSTLY in hand) + "\n\n\n"
CHEAP = HANDS[0] + "\n\n\n"
LAST_CARD = "Dealt to NellB [5s 5d 3c Qs Jh 6d] [Ad]\n"
"""What the log tells only its hero; the downcards before it are "5s 5d"."""


def asked(window: Window) -> list[dict[str, Any]]:
    """What the training asks for."""
    found = re.search(r'id="asked">(.*?)</script>', window.get("/train"))
    return json.loads(found[1]) if found else []


@pytest.fixture(scope="module")
def window() -> Iterator[Window]:
    """A window with a hand that has a costly decision."""
    shop = workshop(values=True)
    with shop.running():
        made = Window(shop)
        made.add(LOG)
        yield made


@pytest.mark.thorough
def test_a_costly_decision_is_asked_for(window: Window) -> None:
    one, other = asked(window)
    assert (one["moment"], other["moment"]) == (23, 20)
    assert one["id"].startswith(f"{COSTLY}~")
    assert one["page"] == f"0001-{COSTLY}.html"
    assert "2 of your 4 decisions cost" in window.get("/train")
    assert 'href="train"' in window.get("/")
    window.get(f"/{one['page']}", train=str(one["moment"]))


@pytest.mark.thorough
def test_a_question_has_a_script_of_its_own(window: Window) -> None:
    one, _ = asked(window)
    answer = window.client.get(f"/{one['page']}", params={"train": one["moment"]})
    usual = window.get(f"/{one['page']}")
    assert "unsafe" not in answer.headers["content-security-policy"]
    files = re.findall(r'(?:src|href)="(handread-[^"]+)"', answer.text)
    assert len(files) == 2
    for file in files:
        assert file not in usual
        window.get(f"/{file}")


@pytest.mark.parametrize("moment", ["0", "1", "999", "9" * 15])
def test_nothing_else_is_asked_for(window: Window, moment: str) -> None:
    window.get(f"/0001-{COSTLY}.html", 404, train=moment)
    window.get("/9999-1.html", 404, train=moment)


def test_odd_moments_are_no_questions(window: Window) -> None:
    for moment in ("", "²", "9" * 5000):
        window.get(f"/0001-{COSTLY}.html", train=moment, mistake=moment)


def test_costly_decisions_are_listed_with_their_kinds(window: Window) -> None:
    page = window.get("/decisions")
    one, _ = asked(window)
    assert f'href="{one["page"]}?mistake={one["moment"]}#{one["moment"] + 1}"' in page
    assert 'href="./#kind=7th%20call">7th call</a>' in page
    assert 'href="?kind=7th%20call#dear">100%</a>' in page
    index = window.get("/")
    assert 'href="#kind=7th%20call">7th call</a>' in index
    assert 'href="decisions?kind=7th%20call#dear">100%</a>' in index
    assert re.search('data-costly="[^"]*7th call[^"]*"', window.news()["rows"])
    of_kind = window.get("/decisions", kind="7th call")
    assert f"?mistake={one['moment']}&amp;kind=7th+call#" in of_kind
    other = window.get("/decisions", kind='"><script>alert(1)</script>')
    assert "alert(1)" not in other
    assert "There is none of this kind." in other


@pytest.mark.dear("two hands are valued, and three pages of them made")
def test_mistakes_follow_each_other() -> None:
    shop = workshop(values=True)
    with shop.running():
        window = Window(shop)
        window.add(LOG + LOG.replace(COSTLY, "261500014296"))
        first, second = (one for one in asked(window) if one["moment"] == 23)
        page = window.get(f"/{first['page']}", mistake=str(first["moment"]), kind="7th call")
        onward = f"{second['page']}?mistake={second['moment']}&amp;kind=7th+call"
        assert f'href="{onward}#{second["moment"] + 1}" rel="next"' in page
        assert 'rel="prev"' not in page
        assert "?mistake=" not in window.get(f"/{first['page']}")
        after = window.get(f"/{second['page']}", mistake=str(second["moment"]), kind="7th call")
        assert 'rel="prev"' in after


@pytest.mark.thorough
def test_without_a_hero_all_known_players_are_asked() -> None:
    shop = workshop(values=True)
    with shop.running():
        window = Window(shop)
        window.add(LOG.replace(LAST_CARD, "").replace("Dealt to NellB [5s 5d ", "Dealt to NellB ["))
        one, _ = asked(window)
        assert "2 of the 10 decisions cost" in window.get("/train")
        window.get(f"/{one['page']}", train=str(one["moment"]))


def test_nothing_costly_is_said() -> None:
    shop = workshop(values=True)
    with shop.running():
        window = Window(shop)
        window.add(CHEAP)
        assert asked(window) == []
        assert "None of your 1 decision cost more than chance explains." in window.get("/train")
        assert "None of your" in window.get("/decisions")


def test_it_is_said_that_hands_are_still_to_come(window: Window) -> None:
    window.shop.library.reads(1)
    for path in ("/train", "/decisions"):
        assert "Reading: 1 of 1 hands so far." in window.get(path)
    window.shop.library.reads(-1)
    for path in ("/train", "/decisions"):
        assert "Reading" not in window.get(path)


def test_without_values_there_is_nothing_to_train() -> None:
    shop = workshop()
    with shop.running():
        window = Window(shop)
        window.add((SAMPLES / "pokerstars.txt").read_bytes())
        assert "There are no decisions with values." in window.get("/train")
        assert "There are no decisions with values." in window.get("/decisions")


@pytest.mark.thorough
def test_what_is_learned_is_kept_for_all_windows(tmp_path: Path) -> None:
    shop, file = workshop(values=True), tmp_path / "marks.sqlite"
    with shop.running():
        window = Window(shop, file)
        window.add(LOG)
        one, _ = asked(window)
        assert one["due"] == 0
        answer = {"id": one["id"], "right": True}
        days = [window.client.put("/training", json=answer).json()["days"] for _ in range(5)]
        assert days == [1, 3, 7, 21, 21]
        again, _ = asked(Window(shop, file))
        assert 20.9 < (again["due"] / 1000 - time.time()) / 86400 < 21.1
        answer["right"] = False
        assert window.client.put("/training", json=answer).json()["days"] == 0
        now, _ = asked(window)
        assert now["due"] <= time.time() * 1000


def test_what_a_browser_has_kept_is_taken_over_once(tmp_path: Path) -> None:
    marks = Marks(tmp_path / "marks.sqlite")
    marks.take_training({"a 1": {"box": 2, "due": 5}, "b 1": {"box": 1, "due": 9.5}})
    marks.take_training({"a 1": {"box": 4, "due": 7}})
    in_days = int(time.time() * 1000) + 2 * 86_400_000
    marks.take_training({"c 1": {"box": 2, "due": in_days}, "d 1": {"box": 1, "due": in_days}})
    bad: list[Any] = [
        None,
        1,
        {},
        {"box": 9, "due": 1},
        {"box": True, "due": 1},
        {"box": 1, "due": 1e300},
    ]
    bad += [{"box": 1, "due": float("nan")}, {"box": 1, "due": "1"}, {"box": 0, "due": 1}]
    marks.take_training({f"bad {n}": one for n, one in enumerate(bad)} | {"": {"box": 1, "due": 1}})
    kept = {"a 1": Learned(2, 5), "b 1": Learned(1, 9), "c 1": Learned(2, in_days)}
    assert marks.training() == kept
    assert json.loads(file_text([], marks.training()))["training"]["a 1"] == {"box": 2, "due": 5}


@pytest.mark.parametrize("sent", ["", "[]", "1", "x", "[" * 5000, '{"id": 1, "right": true}', "{}"])
def test_what_is_no_answer_is_refused(window: Window, sent: str) -> None:
    answer = window.client.put("/training", content=sent)
    assert answer.status_code == 400


def test_a_file_of_the_first_version_gets_a_place_for_the_training(tmp_path: Path) -> None:
    file = tmp_path / "marks.sqlite"
    marks = Marks(file)
    mark = Mark("1~a", True, ("x",), "note", "2026-01-01T00:00:00.000Z")
    marks.take([mark])
    with closing(sqlite3.connect(file)) as database:
        database.executescript("DROP TABLE training; PRAGMA user_version = 1")
    assert marks.training() == {}
    assert marks.learn({"id": "1~a 3", "right": True}) == 1
    assert marks.since()[1] == [mark]


def names_of(text: str) -> set[str]:
    return set(re.findall(r"Seat [0-9]: (\S+) \(", text))


def test_a_page_is_saved_as_one_file(window: Window, tmp_path: Path) -> None:
    name = f"0001-{COSTLY}.html"
    text = window.get(f"/{name}")
    for file in re.findall(r'(?:src|href)="(handread-[^"]+)"', text):
        (tmp_path / file).write_text(window.get(f"/{file}"), encoding="utf-8")
    assert f'href="{name}?file=1"' in opened_body(text.encode(), tmp_path)
    answer = window.client.get(f"/{name}", params={"file": "1"})
    assert answer.headers["content-disposition"] == f'attachment; filename="{name}"'
    assert "unsafe" not in answer.headers["content-security-policy"]
    assert not re.findall(r'(?:src|href)="(?!#)', answer.text)
    assert all(one in answer.text for one in names_of(LOG))
    assert "What each decision was worth" in answer.text
    window.get("/0009-1.html", 404, file="1")


@pytest.mark.thorough
def test_a_page_without_names_tells_nobody(window: Window) -> None:
    query = {"file": "1", "names": "hidden"}
    answer = window.client.get(f"/0001-{COSTLY}.html", params=query)
    data = re.search(r'id="data">(.*?)</script>', answer.text)
    assert data is not None
    packed = base64.b85decode(data[1].replace(",", "<"))
    whole = f"{answer.text} {zlib.decompress(packed, -15).decode()} {answer.headers}"
    told = {*names_of(LOG), COSTLY, *re.findall("Table '(.*?)'", LOG), "pasted"}
    assert len(told) > 6
    assert [one for one in told if one in whole] == []
    assert "Player 1" in whole
    assert "What each decision was worth" in whole


QUESTION = "return document.querySelector('#choices:not([hidden])') !== null"


@pytest.mark.dear("a hand is valued, and pages of it are drawn as somebody answers")
def test_in_a_browser(page: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Choose wrong, see the answer, choose right, and come to the end."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    log = tmp_path / "night.txt"
    log.write_text(LOG, encoding="utf-8")
    with opened_here(str(log)) as address:
        page.driver.get(address)
        page.wait("return document.getElementById('add') !== null")
        page.driver.get(address.partition("?")[0] + "train")
        page.wait("return document.querySelector('#begin') !== null", 120)
        page.find("#begin").click()
        page.wait(QUESTION, 60)
        assert page.texts("#choices button") == ["Fold f", "Call $1.00 c", "Raise to $2.00 r"]
        assert page.text("#where") == "23 of 24"
        page.press("End", "ArrowRight")
        assert page.text("#where") == "23 of 24"
        assert "1 of 2" in page.text("#question")
        own = page.find("#seats .place:has(.turn) .put")
        assert "to win" not in own.text
        page.press("c")
        assert "to win" in page.text("#seats .place:has(.you) .put")
        assert "Fold was best" in page.text("#answer")
        assert len(page.find_all("#answer .option .value")) == 3
        assert page.text("#where") == "24 of 24"
        assert page.at() == "onward"
        for where in ("20 of 21", "23 of 24"):  # the other one, then the first again
            page.press("Enter")
            page.wait(QUESTION, 60)
            assert page.text("#where") == where
            page.find("#choices [data-key=f]").click()
            assert "The best." in page.text("#answer")
            assert "It comes back in 1 day." in page.text("#answer")
        page.press("Enter")
        page.wait("return document.querySelector('#sat') !== null", 60)
        assert "2 of 3 answers were right" in page.text("#sat")
        assert "Nothing is due now." in page.text("#due")
        kept = json.dumps({"x 1": {"box": 1, "due": 5}})
        page.driver.execute_script("localStorage['handread.training'] = arguments[0]", kept)
        page.driver.refresh()
        page.wait("return localStorage.getItem('handread.training') === null", 60)
        assert not page.console()
