"""The index of a session in a browser: sorting, filters, and what is kept of a hand."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from handread.history import Action
from handread.opponents.records import tally_of
from handread.opponents.statistics import STATISTICS
from handread.report.facets import Facets
from handread.report.html.page import index_page, player_page
from handread.report.index import CostlyDecision, HandWorth, Highlight, IndexRow
from handread.report.overview import overview
from handread.report.stretches import sessions
from handread.study.session_values import DecisionCost
from handread.study.statistics import t_quantile
from tests.page_probes import CLIPPED, CONTRASTS, TARGETS
from tests.pages import NASTY
from tests.session_rows import play, read, row, session_rows

if TYPE_CHECKING:
    from tests.browser import Page

Opens = Callable[..., None]


@pytest.fixture
def opens(quiet: Page, tmp_path: Path) -> Opens:
    """Opens the index of these rows."""

    def opened(rows: Sequence[IndexRow], after: str = "", title: str = "night.txt") -> None:
        path = tmp_path / "index.html"
        path.write_text(
            index_page(title, rows, {"not understood": ["x.txt:1: no hand"]}), encoding="utf-8"
        )
        quiet.open(path, after)

    return opened


def listed(page: Page) -> list[int]:
    """The numbers of the hands that the list shows, in order."""
    rows = "[...document.querySelectorAll('#hands tbody tr')]"
    return [int(number) for number in page.js(f"return {rows}.map((tr) => tr.dataset.number)")]


def kept(page: Page) -> dict[str, dict[str, Any]]:
    """What the browser keeps, by hand."""
    found = page.js("return JSON.parse(localStorage.getItem('handread.marks') ?? 'null')")
    return {} if found is None else {one["key"]: one for one in found["hands"]}


def choose(page: Page, name: str, value: str) -> None:
    """Choose an option, as by hand."""
    page.js(
        "const e = document.getElementById(arguments[0]); e.value = arguments[1];"
        "e.dispatchEvent(new Event('change'))",
        name,
        value,
    )


def typed(page: Page, css: str, text: str) -> None:
    """Write into a field at once; each key would draw the list anew."""
    page.js(
        "const e = document.querySelector(arguments[0]); e.value = arguments[1];"
        "e.dispatchEvent(new Event('input', { bubbles: true }))",
        css,
        text,
    )


def found_by(page: Page, words: str) -> list[int]:
    typed(page, "#find", words)
    return listed(page)


def of_hand(number: int, css: str) -> str:
    return f'[data-number="{number}"] {css}'


def noted(page: Page, number: int, tags: str, note: str) -> None:
    """Tag a hand and note something of it."""
    page.click(of_hand(number, ".to-note"))
    assert page.at() == "editor-tags"
    typed(page, "#editor-tags", tags)
    typed(page, "#editor-note", note)
    page.click("#editor-save")
    page.wait("return !document.getElementById('editor').open")


SORTS: dict[str, Callable[[IndexRow], float | None]] = {
    "pot": lambda one: one.pot,
    "net": lambda one: one.net,
    "told": lambda one: None if one.telling is None else one.telling.bits,
    "read": lambda one: one.reads[0].bits if one.reads else None,
}


def in_order(rows: Sequence[IndexRow], name: str, sign: float) -> list[int]:
    """The numbers of rows sorted by a figure; those without it come last."""
    values = {one.number: SORTS[name](one) for one in rows}
    have = [number for number, value in values.items() if value is not None]
    have.sort(key=lambda number: (sign * (values[number] or 0.0), number))
    return have + [number for number, value in values.items() if value is None]


@pytest.mark.dear("a list is sorted by each heading")
def test_the_list_is_sorted_by_its_headings(quiet: Page, opens: Opens) -> None:
    rows = session_rows(15)
    opens(rows)
    for name in SORTS:
        heading = f'#hands [data-sort="-{name}"]'
        assert listed(quiet) == list(range(1, 16))
        assert quiet.state(heading, "sort") is None
        for order, sign in (("descending", -1.0), ("ascending", 1.0)):
            quiet.click(f"{heading} button")
            assert quiet.state(heading, "sort") == order
            assert listed(quiet) == in_order(rows, name, sign)
        assert len(quiet.find_all("#hands [aria-sort]")) == 1
        quiet.click('#hands [data-sort="number"] button')
    quiet.do(f"{heading} button")
    assert listed(quiet) == in_order(rows, name, -1.0)


@pytest.mark.thorough
def test_games_are_sorted_by_their_numbers(quiet: Page, opens: Opens) -> None:
    games = ["$10.00/$20.00", "$2.00/$4.00", "$0.50/$1.00", "$100.00/$200.00"]
    opens([row(n, game=game) for n, game in enumerate(games, 1)])
    for sort, order in (("game", [3, 2, 1, 4]), ("-game", [4, 1, 2, 3])):
        choose(quiet, "sort", sort)
        assert listed(quiet) == order
    assert not quiet.find("#more").is_displayed()


@pytest.mark.thorough
def test_filters_narrow_the_list_down(quiet: Page, opens: Opens) -> None:
    rows = session_rows(60)
    opens(rows)
    assert quiet.text("#count") == "60 hands"
    quiet.do("#played")
    assert quiet.state("#played") == "true"
    played = [one for one in rows if one.in_hand == "played"]
    assert listed(quiet) == [one.number for one in played]
    net = sum(one.net or 0.0 for one in played)
    words = f"{'+' if net >= 0 else '-'}${abs(net):,.2f}"
    assert quiet.text("#count") == f"{len(played)} of 60 hands \u00b7 your result in them: {words}"
    choose(quiet, "game", "$10.00/$20.00")
    both = [one.number for one in played if one.game == "$10.00/$20.00"]
    assert listed(quiet) == both
    quiet.do("#known")
    assert listed(quiet) == [n for n in both if rows[n - 1].reads]
    quiet.do("#clear")
    assert listed(quiet) == list(range(1, 61))
    assert not quiet.find("#clear").is_displayed()
    assert quiet.at() == "find"


@pytest.mark.thorough
def test_words_are_found_wherever_they_stand(quiet: Page, opens: Opens) -> None:
    opens([row(1, "Lou"), row(2, "Nora"), row(3, "Lou Nora"), row(4, "$^.*(")])
    for words, numbers in (
        ("nora", [2, 3]),
        ("NORA lou", [3]),
        ("wins nora", [2, 3]),
        ("$^.*(", [4]),
        ("nobody", []),
    ):
        assert found_by(quiet, words) == numbers
    assert quiet.text("#count") == "No hand fits."


@pytest.mark.thorough
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
        assert found_by(quiet, words) == numbers, words


@pytest.mark.thorough
def test_the_end_of_a_hand_is_not_cut(quiet: Page, opens: Opens) -> None:
    opens([row(1, result="2 Rooster_21_of_the_yard wins $1,011.45; 3 Lou wins $1,011.45")])
    cut = "const e = document.querySelector('#hands .ends'); return e.scrollWidth - e.clientWidth"
    for width in (390, 1280):
        quiet.resize(width, 900)
        assert quiet.js(cut) <= 0


@pytest.mark.thorough
def test_the_curve_is_readable_on_a_phone(quiet: Page, opens: Opens) -> None:
    quiet.resize(390, 844, mobile=True)
    quiet.dark()
    opens([row(n, net=(-1.0) ** n * n) for n in range(30)])
    assert quiet.js("return document.documentElement.scrollWidth") == 390
    size = "return parseFloat(getComputedStyle(document.querySelector('.curve text')).fontSize)"
    assert quiet.js(size) >= 11
    box = quiet.js("return document.querySelector('.curve .net').getBoundingClientRect().toJSON()")
    assert (box["left"] >= 0, box["right"] <= 390, box["height"] > 100) == (True, True, True)
    assert [x for x in quiet.js(CONTRASTS) if x[1] is None or x[1] < 4.5] == []
    assert [node.name for node in quiet.accessibility() if node.role == "slider"] == [
        "Your result over 30 hands: -$15.00."
    ]


@pytest.mark.thorough
def test_a_phone_shows_few_hands_at_first(quiet: Page, opens: Opens) -> None:
    quiet.resize(390, 844, mobile=True)
    opens(session_rows(60))
    assert len(listed(quiet)) == 25
    assert quiet.text("#more") == "Show 25 more"
    rows = "[...document.querySelectorAll('#hands tbody tr')]"
    assert max(quiet.js(f"return {rows}.map((tr) => tr.offsetHeight)")) < 180


@pytest.mark.thorough
def test_a_question_mark_lists_the_keys(quiet: Page, opens: Opens) -> None:
    opens(session_rows(3))
    assert not quiet.find("#keys").is_displayed()
    quiet.press("?")
    assert quiet.find("#keys").is_displayed()
    quiet.find("#find").send_keys("?")
    assert listed(quiet) == []  # typed, it is searched for


@pytest.mark.thorough
def test_a_long_list_is_shown_in_portions(quiet: Page, opens: Opens) -> None:
    opens(session_rows(250))
    assert quiet.text("#count") == "250 hands"
    for shown, more in ((100, "Show 100 more"), (200, "Show 50 more")):
        assert len(listed(quiet)) == shown
        assert quiet.text("#more") == more
        if shown == 100:
            quiet.click("#more")
    quiet.click("#whole")
    assert listed(quiet) == list(range(1, 251))
    assert not quiet.find("#more").is_displayed()
    quiet.click('#hands [data-sort="-pot"] button')
    assert len(listed(quiet)) == 100


@pytest.mark.dear("pages are left and come back to")
def test_the_way_back_leads_to_the_same_list(quiet: Page, opens: Opens, tmp_path: Path) -> None:
    rows = session_rows(50)
    opens(rows)
    quiet.click("#played")
    quiet.click('#hands [data-sort="-told"] button')
    before = found_by(quiet, "lou")
    (tmp_path / f"{before[0]:04}.html").write_text("<!doctype html><title>a hand</title>")
    quiet.do("#hands tbody th a")
    quiet.wait("return document.title === 'a hand'")
    quiet.driver.back()
    quiet.wait("return document.title.startsWith('night')")
    assert listed(quiet) == before
    assert quiet.find("#find").get_attribute("value") == "lou"
    assert quiet.state("#played") == "true"
    opens(rows)  # what the browser asked for on the way is forgotten


@pytest.mark.thorough
def test_an_address_that_says_nonsense_shows_all(quiet: Page, opens: Opens) -> None:
    opens(session_rows(5), "#sort=__proto__&game=nothing&played=2&tag=x&shown=1")
    assert listed(quiet) == [1, 2, 3, 4, 5]


# Stars, tags and notes


@pytest.mark.thorough
def test_a_star_is_kept(quiet: Page, opens: Opens) -> None:
    rows = session_rows(5)
    star = of_hand(3, ".to-star")
    opens(rows)
    assert quiet.state(star) == "false"
    quiet.do(star)
    assert quiet.state(star) == "true"
    assert quiet.at() == "to-star"
    assert kept(quiet)[rows[2].key]["star"] is True
    for starred in ([3], []):
        opens(rows)
        quiet.click("#starred")
        assert listed(quiet) == starred
        if starred:
            quiet.click(star)


@pytest.mark.thorough
def test_marks_follow_the_hand_and_not_its_place(quiet: Page, opens: Opens) -> None:
    opens([row(1), row(2)])
    quiet.click(of_hand(2, ".to-star"))
    # The same hand is the fifth of another session.
    opens([*(row(n + 10) for n in range(4)), row(5, key=row(2).key)])
    quiet.click("#starred")
    assert listed(quiet) == [5]


@pytest.mark.thorough
def test_tags_and_notes_are_kept_and_found(quiet: Page, opens: Opens) -> None:
    rows = session_rows(6)
    opens(rows)
    assert not quiet.find("#tag").is_displayed()
    noted(quiet, 2, " bluff, river ,bluff,, ", "He had it.\nAgain.")
    quiet.wait("return document.activeElement.className === 'to-note'")
    noted(quiet, 4, "river", "")
    mark = kept(quiet)[rows[1].key]
    assert (mark["tags"], mark["note"]) == (["bluff", "river"], "He had it.\nAgain.")
    assert quiet.texts(of_hand(2, ".tag")) == ["bluff", "river"]
    opens(rows)
    assert quiet.text(of_hand(2, ".noted")) == "He had it.\nAgain."
    quiet.click("#noted")
    assert listed(quiet) == [2, 4]
    choose(quiet, "tag", "bluff")
    assert listed(quiet) == [2]
    quiet.click("#clear")
    assert found_by(quiet, "had it") == [2]
    quiet.click("#clear")
    noted(quiet, 2, "", "")
    assert quiet.texts(of_hand(2, ".tag")) == []
    options = quiet.js("return [...document.querySelectorAll('#tag option')].map((o) => o.value)")
    assert options == ["", "river"]


@pytest.mark.thorough
def test_a_note_can_be_given_up(quiet: Page, opens: Opens) -> None:
    opens(session_rows(3))
    for way in ("Escape", "#editor-cancel"):
        quiet.do(of_hand(1, ".to-note"))
        assert quiet.find("#editor-note").get_attribute("value") == ""
        quiet.find("#editor-note").send_keys("never mind")
        quiet.do(way)
        assert not quiet.find("#editor").is_displayed()
        quiet.wait("return document.activeElement.className === 'to-note'")
        assert kept(quiet) == {}


def taken(page: Page, path: Path, value: object = None) -> str:
    """What the page says of a file of marks: a text, or a value to be written to it as JSON."""
    if value is not None:
        path.write_text(value if isinstance(value, str) else json.dumps(value))
    page.js("document.getElementById('carried').textContent = ''")
    page.find("#take").send_keys(str(path))
    page.wait("return document.getElementById('carried').textContent")
    return page.text("#carried")


def marks(*hands: object) -> dict[str, Any]:
    return {"schema": "handread.marks/1", "hands": hands}


@pytest.mark.thorough
def test_marks_are_carried_in_a_file(quiet: Page, opens: Opens, tmp_path: Path) -> None:
    rows = session_rows(5)
    opens(rows)
    quiet.click(of_hand(3, ".to-star"))
    noted(quiet, 2, "bluff", "He had it.")
    before = kept(quiet)
    path = tmp_path / "handread-marks.json"
    quiet.downloads_to(tmp_path)
    quiet.click("#give")
    quiet.wait_for(path)
    assert quiet.text("#carried") == "Saved the marks of 2 hands."
    found = json.loads(path.read_text())
    assert found["schema"] == "handread.marks/1"
    assert {one["key"] for one in found["hands"]} == {rows[1].key, rows[2].key}
    quiet.forget()
    opens(rows)
    quiet.click("#starred")
    assert listed(quiet) == []
    quiet.click("#clear")
    assert taken(quiet, path) == "Took over the marks of 2 hands."
    assert quiet.text(of_hand(2, ".noted")) == "He had it."
    assert kept(quiet) == before
    assert taken(quiet, path).startswith("Nothing")


@pytest.mark.thorough
def test_a_file_is_not_trusted(quiet: Page, opens: Opens, tmp_path: Path) -> None:
    rows = session_rows(3)
    opens(rows)
    path = tmp_path / "marks.json"
    for value in ("", "nonsense", [], "null", {"schema": "other/1", "hands": []}, {"hands": [1]}):
        assert taken(quiet, path, value) == "marks.json holds no marks of handread."
    evil, odd = NASTY[1], {"note": {}, "changed": "2030"}
    words = taken(
        quiet,
        path,
        marks(
            None,
            7,
            {"star": True},
            {"key": "__proto__", "star": True, "changed": "2030"},
            {**odd, "key": rows[0].key, "star": "yes", "tags": [evil, 5, None]},
            {"key": rows[1].key, "tags": "no list", "note": evil, "changed": "2030"},
        ),
    )
    assert words == "Took over the marks of 3 hands."
    assert quiet.text(of_hand(1, ".tag")) == evil[:40]
    assert quiet.text(of_hand(2, ".noted")) == evil
    assert quiet.state(of_hand(1, ".to-star")) == "false"
    assert quiet.js("return document.title") == "night.txt \u00b7 handread"
    assert quiet.js("return ({}).star") is None


@pytest.mark.thorough
def test_the_newer_mark_counts(quiet: Page, opens: Opens, tmp_path: Path) -> None:
    rows = session_rows(2)
    opens(rows)
    noted(quiet, 1, "", "mine")
    for year, note in (("2001", "mine"), ("2999", "theirs")):
        changed = f"{year}-01-01T00:00:00.000Z"
        one = {"key": rows[0].key, "note": "theirs", "changed": changed}
        taken(quiet, tmp_path / "marks.json", marks(one))
        assert quiet.text(of_hand(1, ".noted")) == note


@pytest.mark.thorough
def test_what_another_page_kept_is_not_lost(quiet: Page, opens: Opens) -> None:
    rows = session_rows(2)
    opens(rows)
    other = {"key": "elsewhere~1", "star": True, "tags": [], "note": "", "changed": "2026"}
    quiet.js("localStorage.setItem('handread.marks', JSON.stringify(arguments[0]))", marks(other))
    quiet.do(of_hand(1, ".to-star"))
    assert set(kept(quiet)) == {"elsewhere~1", rows[0].key}


@pytest.mark.thorough
def test_a_browser_that_keeps_nothing_says_so(quiet: Page, opens: Opens) -> None:
    opens(session_rows(2))
    quiet.js("Storage.prototype.setItem = () => { throw new Error('full') }")
    quiet.do(of_hand(1, ".to-star"))
    assert "keeps nothing" in quiet.text("#carried")
    quiet.do("#starred")
    assert listed(quiet) == [1]


# Keys, names, looks


@pytest.mark.thorough
def test_keys_move_star_and_find(quiet: Page, opens: Opens) -> None:
    rows = session_rows(4)
    opens(rows)
    for keys, place in (("n", 0), ("nnp", 1), ("sppp", 0)):
        quiet.press(*keys)
        assert quiet.focused() == ("a", rows[place].date)
    assert kept(quiet)[rows[1].key]["star"] is True
    quiet.press("t")
    assert quiet.at() == "editor-tags"
    quiet.press("s", "t", "Enter")
    assert kept(quiet)[rows[0].key]["tags"] == ["st"]
    assert not quiet.find("#editor").is_displayed()
    quiet.press("/")
    assert quiet.at() == "find"
    quiet.press("n", "s")
    assert quiet.find("#find").get_attribute("value") == "ns"


@pytest.mark.thorough
def test_a_screen_reader_is_told_what_things_are(quiet: Page, opens: Opens) -> None:
    rows = session_rows(30)
    opens(rows)
    # Versions of Chromium differ in the blank after a label.
    nodes = {(node.role, node.name.strip()): node for node in quiet.accessibility()}
    assert nodes.keys() >= {
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
        ("region", "How good are the reads?"),
    }
    assert nodes["button", f"Star {rows[0].title}"].properties["pressed"] == "false"
    quiet.do(of_hand(1, ".to-note"))
    dialogs = [node for node in quiet.accessibility() if node.role == "dialog"]
    assert [node.name for node in dialogs] == [rows[0].title]
    quiet.press("Escape")


@pytest.mark.thorough
def test_hostile_names_stay_text(quiet: Page, opens: Opens) -> None:
    names = [re.sub("[\u202e\x1b\u2028\u2029]", "", name) for name in NASTY[:6]]
    title = " ".join(names)
    rows = [
        row(n, name, key=f"{name} {n}", game=f"{name} {n % 2}", reads=(read(2.0, name),))
        for n, name in enumerate(names, 1)
    ]
    opens(rows, title=title)
    assert quiet.js("return document.title") == f"{title} \u00b7 handread"
    assert quiet.texts("#hands tbody th a") == [one.date for one in rows]
    assert quiet.js(
        "return [...document.querySelectorAll('#hands .called')].map(x=>x.textContent)"
    ) == [one.title.replace("  ", " ") for one in rows]
    quiet.click(".to-star")
    for n, name in enumerate(names, 1):
        noted(quiet, n, name, name)
    assert [kept(quiet)[one.key]["note"] for one in rows] == names
    for n, name in enumerate(names, 1):
        choose(quiet, "tag", name[:40])
        assert listed(quiet) == [n]
    assert quiet.find_all("main img, main script, main b img") == []


@pytest.mark.thorough
def test_the_index_stands_out_and_fits(quiet: Page, opens: Opens) -> None:
    rows = session_rows(25)
    rows[0] = row(1, "W" * 60, refused="line 4: what is this", notes=2, reads=(read(None),))
    rows[1] = replace(rows[1], game="seven-card stud hi/lo $250,000.00/$500,000.00")
    quiet.resize(360, 800, mobile=True)
    opens(rows)
    noted(quiet, 2, "a tag", "A note of some words " * 9)
    for width in (360, 390, 768, 1024, 1280):
        quiet.resize(width, 800, mobile=width < 400)
        assert not quiet.overflows()
        # On a wide page a row is a line; what does not fit is in the titles of its cells.
        line = ("data-head", "row", "star", "html#", "own-cards") if width > 1000 else ()
        known = ("names", "take", "scroll", "players", *line)
        assert [e for e in quiet.js(CLIPPED) if not any(word in e for word in known)] == []
        assert min(size for _, size, _ in quiet.js(TARGETS)) >= 23.9
        for dark in (True, False):
            quiet.dark(dark)
            assert [x for x in quiet.js(CONTRASTS) if x[1] is None or x[1] < 4.5] == []


@pytest.mark.thorough
def test_the_tables_of_results_fit_a_phone(quiet: Page, opens: Opens) -> None:
    """Their intervals, too, and what your decisions cost by street and action."""
    costs = tuple(
        DecisionCost(street, action, 1.25 * street, "mistake", 1.0)
        for street in (3, 4, 5, 6, 7)
        for action in (Action.FOLD, Action.CHECK, Action.CALL, Action.BET, Action.RAISE)
    )
    rows = [
        row(n, net_bets=-123.5, day=f"2026-0{1 + n % 5}-11", table=f"Table of many words {n % 2}")
        for n in range(40)
    ]
    worth = HandWorth("the policy people", len(costs), 0, (), costs, -1234.5, -123.5)
    opens([replace(one, worth=worth) for one in rows])
    tables = "[...document.querySelectorAll('.stretches, .kinds')].map((e) => e.closest('.scroll'))"
    assert quiet.js(f"return {tables}.length") > 3
    for width in (360, 1280):
        quiet.resize(width, 800, mobile=width < 400)
        quiet.js("document.querySelectorAll('details').forEach((e) => e.open = true)")
        wide = f"{tables}.filter((e) => e.scrollWidth > e.clientWidth)"
        assert quiet.js(f"return {wide}.map((e) => [e.ariaLabel, e.scrollWidth])") == []


@pytest.mark.thorough
def test_the_tables_of_players_fit(quiet: Page, opens: Opens, tmp_path: Path) -> None:
    """All columns of the index stand side by side, and the page of a player never overflows."""
    shown = ("three to a straight with three low cards", "split pair", "three to a flush", "trips")
    tally = tally_of(np.tile([1, 2], (len(STATISTICS), 1)))
    plays = [play("Ann", shown=one, opening="called", tally=tally) for one in shown]
    other = play("W" * 40, tally=tally)
    rows = [row(n, variant="stud8", plays=(plays[n % 4], other)) for n in range(40)]
    opens(rows)
    table = "const e = document.querySelector('.players').closest('.scroll'); "
    assert quiet.js(f"{table}return e.scrollWidth <= e.clientWidth")
    line = "document.querySelector('.players tbody tr').getBoundingClientRect().height"
    assert quiet.js(f"return {line}") < 70
    (of_ann, *_) = overview(rows).players.pages
    path = tmp_path / "player.html"
    path.write_text(player_page("night.txt", "index.html", of_ann, rows), encoding="utf-8")
    parts = "return [...document.querySelectorAll('.scroll')]"
    for width in (360, 780, 1280):
        quiet.resize(width, 800, mobile=width < 400)
        quiet.open(path)
        assert not quiet.overflows()
        assert quiet.js(f"{parts}.every((e) => e.scrollWidth <= e.clientWidth)")


# Results by what hands have in common


def cells(page: Page) -> list[list[str]]:
    """The table of the results, as it is shown."""
    found: list[list[str]] = page.js(
        "return [...document.querySelectorAll('#results-body tr')]"
        ".map((tr) => [...tr.cells].map((td) => td.textContent))"
    )
    return found


def played_rows() -> list[IndexRow]:
    """Rows of fifteen cash hands, and of one of a tournament."""
    starts, days = ("split kings", "king high", "three to a flush"), ("08", "09", "14")
    made = [
        row(
            n + 1,
            day=f"2026-05-{days[n % 3]}",
            net_bets=float(n % 5) - 1.0,
            facets=Facets(start=starts[n % 3], position="last", end="lost at showdown"),
        )
        for n in range(15)
    ]
    return [*made, row(16, tournament="77", facets=Facets(start="split kings"))]


@pytest.mark.thorough
def test_results_are_summed_and_lead_to_their_hands(quiet: Page, opens: Opens) -> None:
    rows = played_rows()
    opens(rows)
    quiet.js("document.getElementById('results').open = true")
    choose(quiet, "by", "start")
    quiet.wait("return document.querySelectorAll('#results-body tr').length === 3")
    of_start = [[one.net_bets for one in rows[start:15:3]] for start in range(3)]
    for line, bets in zip(sorted(cells(quiet)), sorted(of_start), strict=True):
        assert len(line) == 6
        assert sum(bets) in {sum(each) for each in of_start}
    kings = next(line for line in cells(quiet) if line[0] == "split kings")
    values = np.array(of_start[0])
    reach = t_quantile(4) * values.std(ddof=1) / np.sqrt(5)
    ends = [f"{100 * end:+.1f}" for end in (values.mean() - reach, values.mean() + reach)]
    assert kings[1:4] == [
        "5",
        f"{values.sum():+.1f}",
        f"{100 * values.mean():+.1f} ({ends[0]} to {ends[1]})",
    ]
    typed(quiet, "#find", "kings >1")
    assert listed(quiet) == [n + 1 for n in range(0, 15, 3) if rows[n].net_bets > 1.0]
    typed(quiet, "#find", "<-0.5")
    assert listed(quiet) == [n + 1 for n in range(15) if rows[n].net_bets < -0.5]
    typed(quiet, "#find", "")
    choose(quiet, "by", "weekday")
    assert [line[:2] for line in cells(quiet)] == [
        ["Thursday", "5"],
        ["Friday", "5"],
        ["Saturday", "5"],
    ]
    choose(quiet, "by", "month")
    assert [line[0] for line in cells(quiet)] == ["2026-05"]
    choose(quiet, "by", "start")
    quiet.click("#results-body .pick")
    chosen = cells(quiet)[0][0]
    assert listed(quiet) == [one.number for one in rows if one.facets.start == chosen]
    assert "start=" in quiet.js("return location.hash")
    assert len(cells(quiet)) == 1


@pytest.mark.thorough
def test_the_list_is_saved_as_a_table(quiet: Page, opens: Opens, tmp_path: Path) -> None:
    rows = [
        replace(one, title='=1+"1"', table="@table") if one.number == 2 else one
        for one in played_rows()
    ]
    opens(rows)
    quiet.downloads_to(tmp_path)
    quiet.click("#csv")
    quiet.wait_for(tmp_path / "hands.csv")
    with (tmp_path / "hands.csv").open(encoding="utf-8", newline="") as file:
        found = list(csv.DictReader(file))
    assert len(found) == 16
    assert found[1]["hand"] == '\'=1+"1"'
    assert found[1]["table"] == "'@table"
    assert [float(one["big_bets"]) for one in found[:15]] == [one.net_bets for one in rows[:15]]
    assert found[15]["big_bets"] == ""
    assert {one["start"] for one in found} == {"split kings", "king high", "three to a flush"}


@pytest.mark.thorough
def test_results_by_day_are_those_of_the_sessions(quiet: Page, opens: Opens) -> None:
    """What the page sums up and what the program sums up say the same, to the last digit."""
    rng = np.random.default_rng(8)
    rows = []
    for n in range(50):
        costs = tuple(DecisionCost(5, Action.CALL, float(x), "") for x in rng.random(1 + n % 3))
        fair = None if n % 7 == 0 else float(rng.normal())
        worth = HandWorth("people", len(costs), 0, (), costs, fair, fair or 0.0)
        bets = float(rng.normal(0.0, 3.0))
        rows.append(row(n + 1, day=f"2026-05-{8 + n % 2:02}", net_bets=bets, worth=worth))
    opens(rows)
    quiet.js("document.getElementById('results').open = true")
    choose(quiet, "by", "day")
    days = sessions(rows)[0].lines[::-1]
    assert len(days) == 2
    for line, day in zip(cells(quiet), days, strict=True):
        (net, _), (each, within), (fair, with_hands), (cost, reach) = day.cells
        assert line[1:4] == [str(day.hands), net, f"{each} {within}"]
        assert with_hands.startswith(line[4].removeprefix(f"{fair} "))
        assert line[5] == f"{cost} {reach}"


@pytest.mark.thorough
def test_filters_have_names_and_add_up(quiet: Page, opens: Opens) -> None:
    rows = played_rows()
    opens(rows)
    choose(quiet, "from", "2026-05-09")
    late = [one.number for one in rows if one.day >= "2026-05-09"]
    assert listed(quiet) == late
    assert not quiet.js("return document.getElementById('keep-filter').hidden")
    quiet.js(
        "document.body.insertAdjacentHTML('beforeend', '<a id=own href=\"#front=none\">x</a>')"
    )
    quiet.js("document.getElementById('own').href = '#start=split+kings'")
    quiet.js("document.getElementById('own').click()")
    both = [n for n in late if rows[n - 1].facets.start == "split kings"]
    assert listed(quiet) == both
    quiet.click("#keep-filter")
    typed(quiet, "#namer-name", "late <kings>")
    quiet.click("#namer-save")
    assert quiet.js("return document.getElementById('kept').value") == "late <kings>"
    assert set(kept(quiet)) == {"filter late <kings>"}
    quiet.click("#clear")
    assert len(listed(quiet)) == len(rows)
    choose(quiet, "kept", "late <kings>")
    assert listed(quiet) == both
    quiet.click("#forget-filter")
    assert quiet.js("return document.getElementById('kept-of').hidden")
    assert listed(quiet) == both


@pytest.mark.thorough
def test_the_curve_leads_to_its_hands(quiet: Page, opens: Opens) -> None:
    rows = played_rows()
    opens(rows)
    own = quiet.js("return document.querySelector('.curve').dataset.hands.split(' ').map(Number)")
    assert len(own) == 16
    quiet.js(
        "window.drag = (from, to) => { const plot = document.querySelector('.curve > svg');"
        "const { left, top, width } = plot.getBoundingClientRect();"
        "const at = (type, share) => plot.dispatchEvent(new PointerEvent(type, { bubbles: true,"
        "clientX: left + width * share, clientY: top + 9, button: 0 }));"
        "at('pointerdown', from); at('pointermove', to); at('pointerup', to); }"
    )
    quiet.click("#played")
    quiet.js("drag(0.2, 0.6)")
    quiet.js("history.back()")
    quiet.wait("return location.hash === '#played=1'")
    quiet.wait("return document.getElementById('only').childElementCount === 0")
    quiet.click("#clear")
    quiet.js("drag(0.2, 0.6)")
    assert listed(quiet) == own[2:10]
    assert quiet.js("return location.hash") == f"#hands={own[2]}..{own[9]}"
    quiet.click("#clear")
    quiet.js("document.querySelector('.curve > svg').focus()")
    quiet.press("Home")
    quiet.press("ArrowRight")
    words = quiet.js("return document.querySelector('.curve > svg').getAttribute('aria-valuetext')")
    assert words.startswith(rows[1].title)
    quiet.js(
        "const a = document.querySelectorAll('#hands th a')[4];"
        "a.addEventListener('click', (e) => { e.preventDefault(); window.opened = a.href })"
    )
    quiet.js("drag(5 / 16, 5 / 16)")
    assert quiet.js("return window.opened").endswith(rows[4].page)
