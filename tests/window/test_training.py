"""The page of the costly decisions, and the training on them."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from tests.program import SAMPLES
from tests.window.conftest import Window, workshop
from tests.window.test_command import ended, opened
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


def valued(window: Window, log: str, seconds: float = 120.0) -> None:
    """Add a log, and wait until its decisions are valued."""
    window.add(log)
    end = time.monotonic() + seconds
    while window.news()["progress"]:
        assert time.monotonic() < end
        time.sleep(0.05)


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
        valued(made, LOG)
        yield made


def test_a_costly_decision_is_asked_for(window: Window) -> None:
    (one,) = asked(window)
    assert one["id"].startswith(f"{COSTLY}~")
    assert one["page"] == f"0001-{COSTLY}.html"
    assert "1 of your 4 decisions cost" in window.get("/train")
    assert 'href="train"' in window.get("/")
    window.get(f"/{one['page']}", train=str(one["moment"]))


def test_a_question_has_a_script_of_its_own(window: Window) -> None:
    (one,) = asked(window)
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
    for moment in ("", "-1", "x", "²", "9" * 5000):
        window.get(f"/0001-{COSTLY}.html", train=moment, mistake=moment)


def test_costly_decisions_are_listed_with_their_kinds(window: Window) -> None:
    page = window.get("/decisions")
    (one,) = asked(window)
    assert f'href="{one["page"]}?mistake={one["moment"]}#{one["moment"] + 1}"' in page
    assert 'href="./#kind=7th%20call">7th call</a>' in page
    assert 'href="?kind=7th%20call#dear">100%</a>' in page
    index = window.get("/")
    assert 'href="#kind=7th%20call">7th call</a>' in index
    assert 'href="decisions?kind=7th%20call#dear">100%</a>' in index
    assert 'data-costly="7th call"' in window.news()["rows"]
    of_kind = window.get("/decisions", kind="7th call")
    assert f"?mistake={one['moment']}&amp;kind=7th+call#" in of_kind
    other = window.get("/decisions", kind='"><script>alert(1)</script>')
    assert "alert(1)" not in other
    assert "There is none of this kind." in other


def test_mistakes_follow_each_other() -> None:
    shop = workshop(values=True)
    with shop.running():
        window = Window(shop)
        valued(window, LOG + LOG.replace(COSTLY, "261500014296"))
        first, second = asked(window)
        page = window.get(f"/{first['page']}", mistake=str(first["moment"]), kind="7th call")
        onward = f"{second['page']}?mistake={second['moment']}&amp;kind=7th+call"
        assert f'href="{onward}#{second["moment"] + 1}" rel="next"' in page
        assert 'rel="prev"' not in page
        assert "?mistake=" not in window.get(f"/{first['page']}")
        assert 'rel="prev"' in window.get(f"/{second['page']}", mistake=str(second["moment"]))


def test_without_a_hero_all_known_players_are_asked() -> None:
    shop = workshop(values=True)
    with shop.running():
        window = Window(shop)
        valued(
            window, LOG.replace(LAST_CARD, "").replace("Dealt to NellB [5s 5d ", "Dealt to NellB [")
        )
        (one,) = asked(window)
        assert "1 of the 10 decisions cost" in window.get("/train")
        window.get(f"/{one['page']}", train=str(one["moment"]))


def test_nothing_costly_is_said() -> None:
    shop = workshop(values=True)
    with shop.running():
        window = Window(shop)
        valued(window, CHEAP)
        assert asked(window) == []
        assert "None of your 1 decision cost more than chance explains." in window.get("/train")
        assert "None of your" in window.get("/decisions")


def test_it_is_said_that_values_are_still_to_come(monkeypatch: pytest.MonkeyPatch) -> None:
    shop = workshop(values=True)
    monkeypatch.setattr(shop.library, "next_to_value", lambda busy: None)
    with shop.running():
        window = Window(shop)
        window.add(LOG)
        for path in ("/train", "/decisions"):
            assert "Decisions are being valued: 0 of 1 hands." in window.get(path)
        window.get(f"/0001-{COSTLY}.html", 404, train="23")


def test_without_values_there_is_nothing_to_train() -> None:
    shop = workshop()
    with shop.running():
        window = Window(shop)
        window.add((SAMPLES / "pokerstars.txt").read_bytes())
        assert "There are no decisions with values." in window.get("/train")
        assert "There are no decisions with values." in window.get("/decisions")


QUESTION = "return document.querySelector('#choices:not([hidden])') !== null"


def test_in_a_browser(page: Page, tmp_path: Path) -> None:
    """Choose wrong, see the answer, choose right, and come to the end."""
    log = tmp_path / "night.txt"
    log.write_text(LOG, encoding="utf-8")
    with opened("--port", "0", str(log)) as (program, address):
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
        assert "1 of 1" in page.text("#question")
        page.press("c")
        assert "Fold was best" in page.text("#answer")
        assert len(page.find_all("#answer .option .value")) == 3
        assert page.text("#where") == "24 of 24"
        assert page.at() == "onward"
        page.press("Enter")
        page.wait(QUESTION, 60)
        page.find("#choices [data-key=f]").click()
        assert "The best." in page.text("#answer")
        assert "It comes back in 1 day." in page.text("#answer")
        page.press("Enter")
        page.wait("return document.querySelector('#sat') !== null", 60)
        assert "1 of 2 answers were right" in page.text("#sat")
        assert "Nothing is due now." in page.text("#due")
        assert not page.console()
        ended(program)
