"""The index of a session in a browser: sorting, filters, and what is kept of a hand."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from handread.report.html import index_page
from handread.report.index import CostlyDecision, HandWorth, Highlight, IndexRow
from tests.examples import few
from tests.page_probes import CLIPPED, CONTRASTS, TARGETS
from tests.pages import NASTY
from tests.session_rows import read, row, session_rows

if TYPE_CHECKING:
    from tests.browser import Page

Opens = Callable[..., None]

LISTED = "return [...document.querySelectorAll('#hands tbody tr')].map((tr) => tr.dataset.number)"

KEPT = "return JSON.parse(localStorage.getItem('handread.marks') ?? 'null')"


@pytest.fixture
def quiet(page: Page) -> Iterator[Page]:
    """A page that must not complain of anything, nor ask for anything."""
    page.resize(1280, 900)
    yield page
    assert page.console() == []
    assert page.requests() == []


@pytest.fixture
def opens(quiet: Page, tmp_path: Path) -> Opens:
    """Opens the index of these rows."""

    def opened(rows: Sequence[IndexRow], after: str = "", title: str = "night.txt") -> None:
        path = tmp_path / "index.html"
        path.write_text(index_page(title, rows), encoding="utf-8")
        quiet.open(path, after)

    return opened


def listed(page: Page) -> list[int]:
    """The numbers of the hands that the list shows, in order."""
    return [int(number) for number in page.js(LISTED)]


def kept(page: Page) -> dict[str, dict[str, Any]]:
    """What the browser keeps, by hand."""
    found = page.js(KEPT)
    return {} if found is None else {one["key"]: one for one in found["hands"]}


def choose(page: Page, name: str, value: str) -> None:
    """Choose an option, as by hand."""
    page.js(
        "const e = document.getElementById(arguments[0]); e.value = arguments[1];"
        "e.dispatchEvent(new Event('change'))",
        name,
        value,
    )


def noted(page: Page, number: int, tags: str, note: str) -> None:
    """Tag a hand and note something of it."""
    page.find(f'tr[data-number="{number}"] .to-note').click()
    assert page.js("return document.activeElement.id") == "editor-tags"
    page.find("#editor-tags").clear()
    page.find("#editor-tags").send_keys(tags)
    page.find("#editor-note").clear()
    page.find("#editor-note").send_keys(note)
    page.find("#editor-save").click()
    page.wait("return !document.getElementById('editor').open")


SORTS: dict[str, Callable[[IndexRow], float | None]] = {
    "pot": lambda one: one.pot,
    "net": lambda one: one.net,
    "told": lambda one: None if one.telling is None else one.telling.bits,
    "read": lambda one: one.reads[0].bits if one.reads else None,
}


def in_order(rows: Sequence[IndexRow], name: str, down: bool) -> list[int]:
    """The numbers of rows sorted by a figure; those without it come last."""
    values = {one.number: SORTS[name](one) for one in rows}
    have = [number for number, value in values.items() if value is not None]
    sign = -1.0 if down else 1.0
    have.sort(key=lambda number: (sign * (values[number] or 0.0), number))
    return have + [number for number, value in values.items() if value is None]


@pytest.mark.parametrize("name", SORTS)
def test_the_list_is_sorted_by_its_headings(quiet: Page, opens: Opens, name: str) -> None:
    rows = session_rows(40)
    opens(rows)
    assert listed(quiet) == list(range(1, 41))
    heading = f'#hands [data-sort="-{name}"]'
    assert quiet.find(heading).get_attribute("aria-sort") is None
    quiet.find(f"{heading} button").click()
    assert quiet.find(heading).get_attribute("aria-sort") == "descending"
    assert listed(quiet) == in_order(rows, name, down=True)
    quiet.find(f"{heading} button").click()
    assert quiet.find(heading).get_attribute("aria-sort") == "ascending"
    assert listed(quiet) == in_order(rows, name, down=False)
    assert len(quiet.find_all("#hands [aria-sort]")) == 1
    quiet.find('#hands [data-sort="number"] button').click()
    assert listed(quiet) == list(range(1, 41))


def test_games_are_sorted_by_their_numbers(quiet: Page, opens: Opens) -> None:
    games = ["$10.00/$20.00", "$2.00/$4.00", "$0.50/$1.00", "$100.00/$200.00"]
    opens([row(n, game=game) for n, game in enumerate(games, 1)])
    choose(quiet, "sort", "game")
    assert listed(quiet) == [3, 2, 1, 4]
    choose(quiet, "sort", "-game")
    assert listed(quiet) == [4, 1, 2, 3]


def test_filters_narrow_the_list_down(quiet: Page, opens: Opens) -> None:
    rows = session_rows(60)
    opens(rows)
    assert quiet.text("#count") == "60 hands"
    quiet.find("#played").click()
    assert quiet.find("#played").get_attribute("aria-pressed") == "true"
    played = [one for one in rows if one.in_hand == "played"]
    assert listed(quiet) == [one.number for one in played]
    net = sum(one.net or 0.0 for one in played)
    words = f"{'+' if net >= 0 else '-'}${abs(net):,.2f}"
    assert quiet.text("#count") == f"{len(played)} of 60 hands \u00b7 your result in them: {words}"
    choose(quiet, "game", "$10.00/$20.00")
    both = [one.number for one in played if one.game == "$10.00/$20.00"]
    assert listed(quiet) == both
    quiet.find("#known").click()
    assert listed(quiet) == [n for n in both if rows[n - 1].reads]
    quiet.find("#clear").click()
    assert listed(quiet) == list(range(1, 61))
    assert not quiet.find("#clear").is_displayed()
    assert quiet.js("return document.activeElement.id") == "find"


def test_words_are_found_wherever_they_stand(quiet: Page, opens: Opens) -> None:
    opens([row(1, "Lou"), row(2, "Nora"), row(3, "Lou Nora"), row(4, "$^.*(")])
    for words, numbers in (
        ("nora", [2, 3]),
        ("NORA lou", [3]),
        ("wins nora", [2, 3]),
        ("$^.*(", [4]),
        ("nobody", []),
    ):
        quiet.find("#find").clear()
        quiet.find("#find").send_keys(words)
        assert listed(quiet) == numbers
    assert quiet.text("#count") == "No hand fits."


def test_a_hand_is_found_by_what_the_panels_show(quiet: Page, opens: Opens) -> None:
    call = CostlyDecision("You call $1.00 on 7th street", 9, True, 1.2, "1.2 BB", "mistake")
    costly = replace(call, spot="with ace high, into kings showing")
    theirs = replace(call, what="1 Lou folds on 4th street", yours=False, verdict="costly")
    worth = HandWorth("the policy people", 1, 1, (costly, theirs), (), None, 0.0)
    misled = Highlight("You bet on 6th street", 5, 0.4, "", "false", "with split sixes")
    rows = [
        row(1, worth=worth),
        row(2, held="flush", net=3.0),
        row(3, net=-2.0, yours=(misled,), players=("1 Zoë", "2 Ann (you)")),
    ]
    opens(rows)
    for words, numbers in (
        ("mistake", [1]),
        ("kings showing", [1]),
        ("against these players", []),  # a decision of another player stays hidden
        ("flush", [2]),
        ("won", [2]),
        ("lost", [1, 3]),
        ("misled", [3]),
        ("zoë", [3]),
        ("6th street sixes", [3]),
    ):
        quiet.find("#find").clear()
        quiet.find("#find").send_keys(words)
        assert listed(quiet) == numbers, words


@pytest.mark.parametrize("dark", few([True, False], 1))
def test_the_curve_is_readable_on_a_phone(quiet: Page, opens: Opens, dark: bool) -> None:
    quiet.resize(390, 844, mobile=True)
    quiet.dark(dark)
    opens([row(n, net=(-1.0) ** n * n) for n in range(30)])
    assert quiet.js("return document.documentElement.scrollWidth") == 390
    size = quiet.js(
        "return parseFloat(getComputedStyle(document.querySelector('.curve text')).fontSize)"
    )
    assert size >= 11
    box = quiet.js("return document.querySelector('.curve .net').getBoundingClientRect().toJSON()")
    assert (box["left"] >= 0, box["right"] <= 390, box["height"] > 100) == (True, True, True)
    assert [x for x in quiet.js(CONTRASTS) if x[1] is None or x[1] < 4.5] == []
    assert [node.name for node in quiet.accessibility() if node.role == "image"] == [
        "Your result over 30 hands: -$15.00."
    ]


def test_a_phone_shows_few_hands_at_first(quiet: Page, opens: Opens) -> None:
    quiet.resize(390, 844, mobile=True)
    opens(session_rows(60))
    assert len(listed(quiet)) == 25
    assert quiet.text("#more") == "Show 25 more"
    heights = quiet.js(
        "return [...document.querySelectorAll('#hands tbody tr')].map((tr) => tr.offsetHeight)"
    )
    assert max(heights) < 160


def test_a_question_mark_lists_the_keys(quiet: Page, opens: Opens) -> None:
    opens(session_rows(3))
    assert not quiet.find("#keys").is_displayed()
    quiet.press("?")
    assert quiet.find("#keys").is_displayed()
    quiet.find("#find").send_keys("?")
    assert listed(quiet) == []  # typed, it is searched for


def test_a_long_list_is_shown_in_portions(quiet: Page, opens: Opens) -> None:
    opens(session_rows(250))
    assert len(listed(quiet)) == 100
    assert quiet.text("#count") == "250 hands"
    assert quiet.text("#more") == "Show 100 more"
    quiet.find("#more").click()
    assert len(listed(quiet)) == 200
    assert quiet.text("#more") == "Show 50 more"
    quiet.find("#whole").click()
    assert listed(quiet) == list(range(1, 251))
    assert not quiet.find("#more").is_displayed()
    quiet.find('#hands [data-sort="-pot"] button').click()
    assert len(listed(quiet)) == 100
    opens(session_rows(20))
    assert not quiet.find("#more").is_displayed()


def test_the_way_back_leads_to_the_same_list(quiet: Page, opens: Opens, tmp_path: Path) -> None:
    rows = session_rows(50)
    opens(rows)
    quiet.find("#played").click()
    quiet.find('#hands [data-sort="-told"] button').click()
    quiet.find("#find").send_keys("lou")
    before = listed(quiet)
    (tmp_path / f"{before[0]:04}.html").write_text("<!doctype html><title>a hand</title>")
    quiet.find("#hands tbody th a").click()
    quiet.wait("return document.title === 'a hand'")
    quiet.driver.back()
    quiet.wait("return document.title.startsWith('night')")
    assert listed(quiet) == before
    assert quiet.find("#find").get_attribute("value") == "lou"
    assert quiet.find("#played").get_attribute("aria-pressed") == "true"
    opens(rows)  # what the browser asked for on the way is forgotten


def test_an_address_that_says_nonsense_shows_all(quiet: Page, opens: Opens) -> None:
    opens(session_rows(5), "#sort=__proto__&game=nothing&played=2&tag=x&shown=1")
    assert listed(quiet) == [1, 2, 3, 4, 5]


# Stars, tags and notes


def test_a_star_is_kept(quiet: Page, opens: Opens) -> None:
    rows = session_rows(5)
    opens(rows)
    star = 'tr[data-number="3"] .to-star'
    assert quiet.find(star).get_attribute("aria-pressed") == "false"
    quiet.find(star).click()
    assert quiet.find(star).get_attribute("aria-pressed") == "true"
    assert quiet.js("return document.activeElement.className") == "to-star"
    assert kept(quiet)[rows[2].key]["star"] is True
    opens(rows)
    quiet.find("#starred").click()
    assert listed(quiet) == [3]
    quiet.find(star).click()
    opens(rows)
    quiet.find("#starred").click()
    assert listed(quiet) == []


def test_marks_follow_the_hand_and_not_its_place(quiet: Page, opens: Opens) -> None:
    opens([row(1), row(2)])
    quiet.find('tr[data-number="2"] .to-star').click()
    # The same hand is the fifth of another session.
    opens([*(row(n + 10) for n in range(4)), row(5, key=row(2).key)])
    quiet.find("#starred").click()
    assert listed(quiet) == [5]


def test_tags_and_notes_are_kept_and_found(quiet: Page, opens: Opens) -> None:
    rows = session_rows(6)
    opens(rows)
    assert not quiet.find("#tag").is_displayed()
    noted(quiet, 2, " bluff, river ,bluff,, ", "He had it.\nAgain.")
    assert quiet.js("return document.activeElement.className") == "to-note"
    noted(quiet, 4, "river", "")
    mark = kept(quiet)[rows[1].key]
    assert (mark["tags"], mark["note"]) == (["bluff", "river"], "He had it.\nAgain.")
    assert quiet.texts('tr[data-number="2"] .tag') == ["bluff", "river"]
    opens(rows)
    assert quiet.text('tr[data-number="2"] .noted') == "He had it.\nAgain."
    quiet.find("#noted").click()
    assert listed(quiet) == [2, 4]
    choose(quiet, "tag", "bluff")
    assert listed(quiet) == [2]
    quiet.find("#clear").click()
    quiet.find("#find").send_keys("had it")
    assert listed(quiet) == [2]
    quiet.find("#clear").click()
    noted(quiet, 2, "", "")
    assert quiet.texts('tr[data-number="2"] .tag') == []
    assert quiet.js("return [...document.querySelectorAll('#tag option')].map((o) => o.value)") == [
        "",
        "river",
    ]


def test_a_note_can_be_given_up(quiet: Page, opens: Opens) -> None:
    opens(session_rows(3))
    quiet.find('tr[data-number="1"] .to-note').click()
    quiet.find("#editor-note").send_keys("never mind")
    quiet.press("Escape")
    assert not quiet.find("#editor").is_displayed()
    assert quiet.js("return document.activeElement.className") == "to-note"
    assert kept(quiet) == {}
    quiet.find('tr[data-number="1"] .to-note').click()
    assert quiet.find("#editor-note").get_attribute("value") == ""
    quiet.find("#editor-cancel").click()
    assert kept(quiet) == {}


def saved(page: Page, folder: Path) -> Path:
    """The file to which the page saves its marks."""
    page.downloads_to(folder)
    page.find("#give").click()
    path = folder / "handread-marks.json"
    deadline = time.monotonic() + 10.0
    while not (path.exists() and path.read_text()) and time.monotonic() < deadline:
        time.sleep(0.05)
    return path


def test_marks_are_carried_in_a_file(quiet: Page, opens: Opens, tmp_path: Path) -> None:
    rows = session_rows(5)
    opens(rows)
    quiet.find('tr[data-number="3"] .to-star').click()
    noted(quiet, 2, "bluff", "He had it.")
    path = saved(quiet, tmp_path)
    assert quiet.text("#carried") == "Saved the marks of 2 hands."
    found = json.loads(path.read_text())
    assert found["schema"] == "handread.marks/1"
    assert {one["key"] for one in found["hands"]} == {rows[1].key, rows[2].key}
    quiet.forget()
    opens(rows)
    quiet.find("#starred").click()
    assert listed(quiet) == []
    quiet.find("#clear").click()
    quiet.find("#take").send_keys(str(path))
    quiet.wait("return document.getElementById('carried').textContent.startsWith('Took')")
    assert quiet.text("#carried") == "Took over the marks of 2 hands."
    assert quiet.text('tr[data-number="2"] .noted') == "He had it."
    assert {key: one["star"] for key, one in kept(quiet).items()} == {
        rows[2].key: True,
        rows[1].key: False,
    }
    quiet.find("#take").send_keys(str(path))
    quiet.wait("return document.getElementById('carried').textContent.startsWith('Nothing')")


def taken(page: Page, path: Path, value: object) -> str:
    """What the page says of a file of marks."""
    path.write_text(value if isinstance(value, str) else json.dumps(value))
    page.js("document.getElementById('carried').textContent = ''")
    page.find("#take").send_keys(str(path))
    page.wait("return document.getElementById('carried').textContent")
    return page.text("#carried")


def test_a_file_is_not_trusted(quiet: Page, opens: Opens, tmp_path: Path) -> None:
    rows = session_rows(3)
    opens(rows)
    path = tmp_path / "marks.json"
    for value in ("", "nonsense", [], None, {"schema": "other/1", "hands": []}, {"hands": [1]}):
        assert taken(quiet, path, value) == "marks.json holds no marks of handread."
    evil = NASTY[1]
    hands: list[Any] = [
        None,
        7,
        {"star": True},
        {"key": "__proto__", "star": True, "changed": "2030"},
        {"key": rows[0].key, "star": "yes", "tags": [evil, 5, None], "note": {}, "changed": "2030"},
        {"key": rows[1].key, "tags": "no list", "note": evil, "changed": "2030"},
    ]
    words = taken(quiet, path, {"schema": "handread.marks/1", "hands": hands})
    assert words == "Took over the marks of 3 hands."
    assert quiet.text('tr[data-number="1"] .tag') == evil[:40]
    assert quiet.text('tr[data-number="2"] .noted') == evil
    assert quiet.find('tr[data-number="1"] .to-star').get_attribute("aria-pressed") == "false"
    assert quiet.js("return document.title") == "night.txt \u00b7 handread"
    assert quiet.js("return ({}).star") is None


def test_the_newer_mark_counts(quiet: Page, opens: Opens, tmp_path: Path) -> None:
    rows = session_rows(2)
    opens(rows)
    noted(quiet, 1, "", "mine")
    for year, note in (("2001", "mine"), ("2999", "theirs")):
        hands = [{"key": rows[0].key, "note": "theirs", "changed": f"{year}-01-01T00:00:00.000Z"}]
        taken(quiet, tmp_path / "marks.json", {"schema": "handread.marks/1", "hands": hands})
        assert quiet.text('tr[data-number="1"] .noted') == note


def test_what_another_page_kept_is_not_lost(quiet: Page, opens: Opens) -> None:
    rows = session_rows(2)
    opens(rows)
    other = {"key": "elsewhere~1", "star": True, "tags": [], "note": "", "changed": "2026"}
    quiet.js(
        "localStorage.setItem('handread.marks', JSON.stringify(arguments[0]))",
        {"schema": "handread.marks/1", "hands": [other]},
    )
    quiet.find('tr[data-number="1"] .to-star').click()
    assert set(kept(quiet)) == {"elsewhere~1", rows[0].key}


def test_a_browser_that_keeps_nothing_says_so(quiet: Page, opens: Opens) -> None:
    opens(session_rows(2))
    quiet.js("Storage.prototype.setItem = () => { throw new Error('full') }")
    quiet.find('tr[data-number="1"] .to-star').click()
    assert "keeps nothing" in quiet.text("#carried")
    quiet.find("#starred").click()
    assert listed(quiet) == [1]


# Keys, names, looks


def test_keys_move_star_and_find(quiet: Page, opens: Opens) -> None:
    rows = session_rows(4)
    opens(rows)
    quiet.press("j")
    assert quiet.focused() == ("a", rows[0].title)
    quiet.press("j", "j", "k")
    assert quiet.focused() == ("a", rows[1].title)
    quiet.press("s")
    assert kept(quiet)[rows[1].key]["star"] is True
    quiet.press("k", "k", "k")
    assert quiet.focused() == ("a", rows[0].title)
    quiet.press("t")
    assert quiet.js("return document.activeElement.id") == "editor-tags"
    quiet.press("s", "t", "Enter")
    assert kept(quiet)[rows[0].key]["tags"] == ["st"]
    assert not quiet.find("#editor").is_displayed()
    quiet.press("/")
    assert quiet.js("return document.activeElement.id") == "find"
    quiet.press("j", "s")
    assert quiet.find("#find").get_attribute("value") == "js"


def test_a_screen_reader_is_told_what_things_are(quiet: Page, opens: Opens) -> None:
    rows = session_rows(30)
    opens(rows)
    nodes = quiet.accessibility()
    names = {(node.role, node.name) for node in nodes}
    for role, name in (
        ("heading", "night.txt"),
        ("heading", "Your loudest actions"),
        ("heading", "Hands"),
        ("search", "Hands"),
        ("searchbox", "Find"),
        ("combobox", "Sort by"),
        ("combobox", "Game"),
        ("button", "You played"),
        ("button", f"Star {rows[0].title}"),
        ("button", f"Tag {rows[0].title} or note something"),
        ("columnheader", "your result"),
        ("button", "Save them to a file"),
        ("button", "Read them from a file"),
        ("region", "Best and worst reads"),
    ):
        assert (role, name) in names, (role, name)
    stars = [
        node for node in nodes if (node.role, node.name) == ("button", f"Star {rows[0].title}")
    ]
    assert stars[0].properties["pressed"] == "false"
    quiet.find('tr[data-number="1"] .to-note').click()
    dialogs = [node for node in quiet.accessibility() if node.role == "dialog"]
    assert [node.name for node in dialogs] == [rows[0].title]
    quiet.press("Escape")


@pytest.mark.parametrize("name", few(NASTY[:6], 1))
def test_hostile_names_stay_text(quiet: Page, opens: Opens, name: str) -> None:
    name = (
        name.replace("\u202e", "").replace("\x1b", "").replace("\u2028", "").replace("\u2029", "")
    )
    rows = [row(n, name, key=name, game=f"{name} {n}", reads=(read(2.0, name),)) for n in (1, 2)]
    opens(rows, title=name)
    assert quiet.js("return document.title") == f"{name} \u00b7 handread"
    assert quiet.text("#hands tbody th a") == rows[0].title.replace("  ", " ")
    quiet.find(".to-star").click()
    noted(quiet, 2, name, name)
    assert kept(quiet)[name]["note"] == name
    choose(quiet, "tag", name[:40].strip())
    assert listed(quiet) == [1, 2]
    assert (
        quiet.js("return document.querySelectorAll('main img, main script, main b img').length")
        == 0
    )


@pytest.mark.parametrize(("n", "dark"), few([(25, True), (2, False), (25, False), (2, True)], 1))
def test_the_index_stands_out_and_fits(
    quiet: Page, opens: Opens, dark: bool, n: int, tmp_path: Path
) -> None:
    rows = session_rows(n)
    long = "W" * 60
    rows[0] = row(1, long, refused="line 4: what is this", notes=2, reads=(read(None),))
    quiet.dark(dark)
    for width in (360, 390, 1280):
        quiet.resize(width, 800, mobile=width < 400)
        opens(rows)
        noted(quiet, 2, "a tag", "A note of some words " * 9)
        assert not quiet.overflows()
        clipped = [e for e in quiet.js(CLIPPED) if "names" not in e and "take" not in e]
        assert [e for e in clipped if "scroll" not in e and "players" not in e] == []
        assert [x for x in quiet.js(CONTRASTS) if x[1] is None or x[1] < 4.5] == []
        assert min(size for _, size, _ in quiet.js(TARGETS)) >= 23.9
