"""The script of the index in a browser: its program is made up, and says what a test wants."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import pytest

from handread.report.facets import Facets
from handread.report.html.page import LivePlace, hand_rows, index_page
from handread.report.index import HandWorth, Highlight, IndexRow
from handread.study.session_values import DecisionCost
from tests.session_rows import row, session_rows

if TYPE_CHECKING:
    from tests.browser import Page

PROGRAM = """
window.news = { revision: 1, latest: 1, reload: false, rows: "", more: true, gone: [],
  answers: [], marks: 0, progress: "" };
window.asked = [];
window.fetch = async (url, options = {}) => {
  window.asked.push(url);
  const path = url.split("?")[0];
  if (path === "logs") await window.arrives(url);
  return new Response({
    news: JSON.stringify(window.news),
    marks: JSON.stringify({ revision: 0, hands: [] }),
    "./": window.page,
  }[path] ?? "{}");
};
window.arrives = async () => {};
"""
DROP = """
const data = new DataTransfer();
for (const name of arguments[0]) data.items.add(new File(["a hand"], name));
document.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true }));
"""
SAID = "[...document.querySelectorAll('#added span')].map((e) => e.textContent).join(' ')"
ONCE = Highlight("Lou bets on 5th street", 4, 1.5, "1 time in 12")

Says = Callable[..., None]


def indexed(rows: Sequence[IndexRow], **place: Any) -> str:
    return index_page("night.txt", rows, place=LivePlace({}, "", **place))


@pytest.fixture
def says(page: Page, tmp_path: Path) -> Iterator[Says]:
    """Opens the index of rows, of which none has come, and changes what the program says."""
    command = "Page.addScriptToEvaluateOnNewDocument"
    made = page.driver.execute_cdp_cmd(command, {"source": PROGRAM})
    path = tmp_path / "index.html"

    def said(
        rows: Sequence[IndexRow],
        sent: Sequence[IndexRow] = (),
        place: Mapping[str, Any] = MappingProxyType({}),
        **news: Any,
    ) -> None:
        html = indexed(rows, **place)
        if not path.exists():
            path.write_text(html, encoding="utf-8")
            page.open(path)
        found = {"rows": hand_rows(sent, rows), "more": False, **news}
        page.js("window.page = arguments[1]; Object.assign(news, arguments[0])", found, html)

    yield said
    page.js("window.onbeforeunload = null; sessionStorage.clear()")
    removing = "Page.removeScriptToEvaluateOnNewDocument"
    page.driver.execute_cdp_cmd(removing, {"identifier": made["identifier"]})


@pytest.mark.dear("a page that asks its program is drawn")
def test_nothing_is_counted_until_all_hands_are_here(page: Page, says: Says) -> None:
    rows = session_rows(30)
    says(rows, rows[:10], more=True)
    page.wait("return document.getElementById('count').textContent === 'Loading ...'")
    page.wait("return document.querySelectorAll('#hands tbody tr').length === 10")
    page.js("document.getElementById('results').open = true")
    page.wait("return document.getElementById('results-body').textContent === 'Loading ...'")
    assert page.js("return document.getElementById('csv').disabled")
    assert "./" not in page.js("return asked")  # nor is a summary of some of them asked for
    says(rows, rows[10:], more=False)
    page.wait("return document.getElementById('count').textContent === '30 hands'")
    page.wait("return document.getElementById('results-body').textContent !== 'Loading ...'")
    assert not page.js("return document.getElementById('csv').disabled")


@pytest.mark.dear("a page that asks its program is drawn")
def test_a_page_counts_the_same_hands_everywhere(page: Page, says: Says) -> None:
    """While hands are read, their number comes with the summary, and the list has no other one."""
    rows = session_rows(30)
    far = {"found": 20, "progress": "Reading: 5 of 20 hands so far."}
    says(rows[:20], rows[:20], place=far, progress="Reading: 9 of 30 hands so far.")
    count, progress = (
        f"document.getElementById('{one}').textContent" for one in ("count", "progress")
    )
    page.wait(f"return {count}.startsWith('Some hands are still')")
    page.wait(f"return {progress} === '{far['progress']}'")
    page.wait("return document.querySelector('.masthead').innerText.includes('20 hands')")
    told = page.js("return document.body.innerText.match(/\\b(9|30) (of|hands)/)")
    assert told is None
    says(rows, rows[20:], revision=2, latest=2, progress="")
    page.wait(f"return {count} === '30 hands' && {progress} === ''")
    assert page.js("return document.querySelector('.masthead').innerText.includes('30 hands')")


@pytest.mark.dear("a page that asks its program is drawn")
def test_luck_waits_for_the_last_hand_of_a_line(page: Page, says: Says) -> None:
    worth = HandWorth("tight", 1, 0, (), (DecisionCost(3, "call", 0.1, "close"),), 2.0, 1.0)
    rows = [row(n, worth=worth, facets=Facets(end="folded")) for n in range(1, 31)]
    says(rows, [replace(rows[0], pending=True, worth=None), *rows[1:]])
    page.js(
        "document.getElementById('by').value = 'end';document.getElementById('results').open = true"
    )
    cells = "[...document.querySelector('#results-body tr').cells].map((td) => td.textContent)"
    page.wait(f"return {cells}[1] === '30'")
    assert page.js(f"return {cells}")[4:] == ["not yet", ""]
    says(rows, rows[:1])
    page.wait(f"return {cells}[4].startsWith('+100.0')")
    assert page.js(f"return {cells}")[5] == "10.0 (10.0 to 10.0)"


@pytest.mark.dear("a page that asks its program is drawn")
def test_what_did_not_change_stays(page: Page, says: Says) -> None:
    """A row that changes keeps its links; nothing changes below a pointer, or around the focus."""
    rows = [row(n, theirs=(ONCE,)) for n in (1, 2, 3)]
    says(rows, rows)
    page.wait("return document.getElementById('count').textContent === '3 hands'")
    page.wait("return asked.includes('./')")
    page.js(
        "document.getElementById('results').open = true;"
        "window.kept = ['#hands tbody tr', '#hands tbody th a', '.to-star', '#results-body .pick',"
        " '.picks a', '.masthead h1'].map((css) => document.querySelector(css))"
    )
    told = "return document.querySelector('#hands .told-most').textContent.includes('Ann raises')"
    changed = [replace(rows[0], telling=replace(ONCE, what="Ann raises on 6th street")), *rows[1:]]
    press = (
        "document.body.dispatchEvent(new PointerEvent(arguments[0],"
        " { bubbles: true, buttons: arguments[1] }))"
    )
    page.js(press, "pointerdown", 1)
    says(changed, changed[:1], revision=2, latest=2)
    n = page.js("return asked.length")
    page.wait(f"return asked.length > {n + 2}")
    assert not page.js(told)
    page.js(press, "pointerup", 0)
    page.wait(told)
    assert page.js("return kept.map((one) => one === null || one.isConnected)") == [True] * 6
    page.js("document.querySelector('.picks a').focus()")
    loud = [replace(one, theirs=(replace(ONCE, what="Nora folds"),)) for one in changed]
    says(loud, revision=3, latest=3)
    pick = "return document.querySelector('.picks a').textContent.startsWith('Nora folds')"
    page.js("asked.length = 0")
    page.wait("return asked.includes('./')")
    assert not page.js(pick)
    page.js("document.activeElement.blur()")
    page.wait(pick)


@pytest.mark.dear("a page that asks its program is drawn")
def test_what_did_not_arrive_is_named(page: Page, says: Says) -> None:
    """Files are sent one by one, and a page that is left before the last one warns."""
    warns = "return !dispatchEvent(new Event('beforeunload', { cancelable: true }))"
    says([row(1)], [row(1)])
    page.wait("return document.getElementById('count').textContent === '1 hand'")
    assert not page.js(warns)
    page.js("window.arrives = (url) => url.includes('b.txt') ? new Promise(() => {}) : 0")
    page.js(DROP, ["a.txt", "b.txt", "c.txt"])
    page.wait(f"return {SAID} === 'Sending b.txt, 1 more to send ...'")
    assert page.js(warns)
    page.js("Object.assign(news, { reload: true })")  # the page is not loaded again meanwhile
    n = page.js("return asked.length")
    page.wait(f"return asked.length > {n + 1}")
    page.driver.refresh()
    page.wait(f"return {SAID} === 'b.txt, c.txt did not arrive: drop them again.'")
    assert not page.js(warns)


@pytest.mark.dear("a page that asks its program is drawn")
def test_a_message_is_shown_until_it_was_seen(page: Page, says: Says) -> None:
    """It outlives a page that the program loads again, not one that its reader does."""
    says([row(1)], [row(1)], answers=[[7, "a.txt: 1 hand added."]])
    page.wait(f"return {SAID} === 'a.txt: 1 hand added.'")
    page.js("Object.assign(news, { answers: [] }); asked.length = 0")
    page.wait("return asked.some((url) => url.includes('seen=7'))")
    page.js("window.old = true; Object.assign(news, { reload: true })")
    page.wait(f"return window.old === undefined && {SAID} === 'a.txt: 1 hand added.'")
    assert page.js("return asked.some((url) => url.includes('seen=0'))") is False
    page.click("#added-close")
    assert page.js(f"return {SAID}") == ""
    assert page.js("return document.getElementById('added-close').hidden")
    page.driver.refresh()
    page.wait("return asked.length > 1")
    assert page.js(f"return {SAID}") == ""
