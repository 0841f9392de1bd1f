"""The page of a hand in a real browser: what it shows, hides, says, and does when asked."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from json import dumps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from handread.cards import MaybeCard
from handread.game.rules import STREET_NAMES
from handread.odds.hand_types import plural, rank_word
from handread.report.html.environment import card_name
from handread.report.html.page import PageLinks, kept_json
from handread.report.html.page import page as page_text
from handread.report.shown_values import Chance, ReadPart, StepPart
from handread.report.words import share_words
from tests.examples import few, share
from tests.page_probes import CLIPPED, CONTRASTS, MOMENT, SHOWN, TARGETS
from tests.pages import (
    Made,
    hostile,
    longest,
    made_of,
    ranged,
    sample,
    without_a_street,
    written_down,
)
from tests.program import SAMPLES

if TYPE_CHECKING:
    from tests.browser import Page

Open = Callable[..., None]

STRIDE = max(1, 30 // share(10))
"""Of how many moments one is looked at, where each takes a second or so."""

OPEN_ALL = "for (const one of document.querySelectorAll('details')) one.open = true"


@pytest.fixture
def opened(quiet: Page, tmp_path: Path) -> Open:
    """Opens the page of a hand."""

    def opens(made: Made, after: str = "", name: str = "hand.html") -> None:
        quiet.open(made.written(tmp_path, name), after)

    return opens


def shown(page: Page) -> dict[str, Any]:
    """What the page shows of its moment."""
    found: dict[str, Any] = page.js(MOMENT)
    return found


def words_of(page: Page, css: str) -> str:
    """The words that show in a large part of a page, in one line."""
    return " ".join(page.js("return document.querySelector(arguments[0]).innerText", css).split())


def go(page: Page, moment: int) -> None:
    page.js("location.hash = `#${arguments[0]}`", moment + 1)
    page.js("return new Promise((done) => setTimeout(done, 0))")
    assert page.js("return location.hash") == f"#{moment + 1}"


AT_EACH = """
const found = [], where = document.getElementById("where");
let at = null;
history.replaceState = () => {};  // which costs as much as to draw the moment
for (const [moment, seat] of arguments[0]) {
  if (moment !== at) document.querySelector(`#timeline [data-moment="${moment}"]`).click();
  at = moment;
  if (!where.textContent.startsWith(`${moment + 1} of`)) throw Error(where.textContent);
  for (const key of seat === null ? [] : [String(seat)])
    document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  found.push((() => { %s })());
}
delete history.replaceState;
return found;
"""


def at_each(page: Page, script: str, places: Sequence[tuple[int, int | None]]) -> list[Any]:
    """What a script returns at moments with a player chosen, or with whom the page chooses.

    All of it in one go: to draw what nobody looks at costs more than the script.
    """
    found: list[Any] = page.js(AT_EACH.replace("%s", script), places)
    return found


def where(page: Page) -> int:
    """The moment that a page is at, from 0."""
    return int(page.text("#where").split(" of ")[0]) - 1


def spoken(cards: tuple[MaybeCard, ...]) -> list[str]:
    return ["a card not seen" if card is None else card_name(card) for card in cards]


def opening(text: str) -> str:
    return text[0].upper() + text[1:]


@pytest.mark.thorough
def test_the_end_says_who_won_and_names_are_whole(quiet: Page, opened: Open) -> None:
    """Nobody has a chance any more; a name that is cut is whole where one points at it."""
    made = sample("showdown.stud")
    opened(made)
    quiet.click("#last")
    assert made.moments[-1].kind == "end"
    won = next(iter(made.report.result))
    assert won.rstrip(".") in words_of(quiet, "#chances")
    assert "to win" not in words_of(quiet, "#seats")
    assert "wins" in words_of(quiet, "#seats")
    quiet.click("#back")
    assert "to win" in words_of(quiet, "#seats")
    names = quiet.js(
        "return [...document.querySelectorAll('#seats .seat-name')].map((e) => e.title)"
    )
    seats = made.report.replay.history.seats
    wanted = {f"{one.number} {one.name}" if one.name else f"seat {one.number}" for one in seats}
    assert set(names) == wanted


# Moving


@pytest.mark.thorough
def test_stepping_by_buttons_keys_and_timeline(quiet: Page, opened: Open) -> None:
    made = sample("showdown.stud")
    last = len(made.moments) - 1
    opened(made, "#1")
    for step, moment in (
        *(("#forward", 1), ("#forward", 2), ("#back", 1), ("#last", last), ("#forward", last)),
        *(("#first", 0), ("#back", 0), ("ArrowRight", 1), ("End", last), ("ArrowLeft", last - 1)),
        *(("Home", 0), ('[data-moment="7"]', 7)),
    ):
        (quiet.click if step[0] in "#[" else quiet.press)(step)
        assert quiet.js(AT) == [
            *(f"{moment + 1} of {last + 1}", f"#{moment + 1}", moment == 0, moment == last)
        ], step
    assert shown(quiet)["current"] == [7]


@pytest.mark.thorough
def test_a_click_in_a_chart_leads_to_its_moment(quiet: Page, opened: Open) -> None:
    made = sample("showdown.stud")
    last = len(made.moments) - 1
    opened(made, "#1")
    quiet.js("document.getElementById('glance-in-bits').open = true")
    for chart in ("chart-chances", "chart-entropy", "chart-ledger"):
        for moment in (0, 11, last):
            x, first, step, at = quiet.js(CLICK_CHART, chart, moment)
            assert at.startswith(f"{moment + 1} of ")
            assert float(x) == pytest.approx(float(first) + moment * float(step))


AT = """
const state = (id) => document.getElementById(id).ariaDisabled === "true";
const { innerText } = document.getElementById("where");
return [innerText, location.hash, state("back"), state("forward")];
"""
"""Where a page is, its address, and whether it can go neither back nor forward."""

CLICK_CHART = """
const figure = document.getElementById(arguments[0]), svg = figure.querySelector("svg");
const box = svg.getBoundingClientRect(), scale = box.width / svg.viewBox.baseVal.width;
const { first, step } = figure.dataset;
svg.dispatchEvent(new MouseEvent("click", { bubbles: true, clientY: box.top + 40,
  clientX: box.left + (Number(first) + arguments[1] * Number(step)) * scale }));
const x = figure.querySelector(".cursor").getAttribute("x1");
return [x, first, step, document.getElementById("where").innerText];
"""
"""Click where a moment is drawn in a chart, and return where its cursor and moments are."""


@pytest.mark.thorough
def test_a_hand_plays_to_its_end_until_somebody_steps(quiet: Page, opened: Open) -> None:
    made = sample("steal.stud")
    last = len(made.moments) - 1
    opened(made, f"#{last - 1}")
    quiet.js(CLOCK)
    quiet.js("document.getElementById('play').blur()")
    quiet.press("Space")
    assert quiet.text("#play") == "Pause"
    for moment in (last - 1, last):
        assert quiet.js(BEAT) >= 1000
        assert where(quiet) == moment
    assert quiet.text("#play") == "Play", "it stops at the end"
    quiet.press("Space")
    assert where(quiet) == 0, "from the end it begins again"
    quiet.js(BEAT)
    assert where(quiet) == 1
    quiet.press("ArrowRight")
    assert where(quiet) == 2
    assert not quiet.js("return window.due")
    assert quiet.text("#play") == "Play", "who steps has taken over"
    quiet.do("#play")
    assert quiet.state("#play") == "true"
    quiet.press("Space")
    assert quiet.text("#play") == "Play", "Space presses the button that has the focus"


CLOCK = """
window.setTimeout = (...given) => { window.due = given; return 1; };
window.clearTimeout = () => { window.due = null; };
"""
"""Stop the clock."""

BEAT = "const [what, after] = window.due; window.due = null; what(); return after"
"""Do what the clock would do next, and return after how many milliseconds it would."""


@pytest.mark.thorough
@pytest.mark.parametrize("name", few(["showdown.stud", "steal.stud"], 1))
def test_the_keys_are_listed(quiet: Page, opened: Open, name: str) -> None:
    opened(sample(name), "#1")
    assert not quiet.find("#keys").is_displayed()
    quiet.press("?")
    text = quiet.text("#keys")
    for words in ("Space", "play the hand", "the next turning point", "this list"):
        assert words in text
    assert ("open the downcards" in text) is bool(quiet.find_all("#reveal"))
    quiet.press("ArrowRight")
    assert where(quiet) == 0, "the hand waits behind the list"
    quiet.press("Escape")
    assert not quiet.find("#keys").is_displayed()
    quiet.do("#list-keys", "#keys-close", "ArrowRight")
    assert where(quiet) == 1


@pytest.mark.thorough
def test_links_to_moments(quiet: Page, opened: Open) -> None:
    made = sample("showdown.stud")
    first = made.steps.turning_points[0]
    assert 0 < first < 11
    wanted = {"#0": 0, "#9999": len(made.moments) - 1, "#1.5": first}
    for n, (after, moment) in enumerate(wanted.items()):
        opened(made, after, name=f"{n}.html")
        assert where(quiet) == moment, after
    go(quiet, 5)
    for script in ("location.hash = '#moment'", "document.querySelector('.skip').click()"):
        quiet.js(script)
        assert where(quiet) == 5
    assert quiet.at() == "moment"


@pytest.mark.thorough
def test_turning_points(quiet: Page, opened: Open) -> None:
    """They stand first on the right, by button and by key; the page opens on the first."""
    made = sample("showdown.stud", "seat:1")
    turns = made.steps.turning_points
    opened(made)
    assert len(turns) > 4
    assert where(quiet) == turns[0]
    steps = [made.moments[moment] for moment in turns]
    assert shown(quiet)["turns"] == [
        [
            *(moment, opening(step.title) + " you" * (step.actor == 1), step.gist),
            "step" if moment == turns[0] else None,
        ]
        for moment, step in zip(turns, steps, strict=True)
    ]
    boxes = [quiet.find(css).rect for css in (".turning", ".told", ".read")]
    assert [box["y"] for box in boxes] == sorted(box["y"] for box in boxes)
    assert len({box["x"] for box in boxes}) == 1
    assert boxes[0]["y"] == quiet.find(".board").rect["y"]
    for step, turn in (
        *(("#turn-on", 1), ("n", 2), ("n", 3), ("p", 2), ("#turn-back", 1)),
        (f'#turns [data-moment="{turns[-1]}"]', -1),
    ):
        (quiet.click if step[0] == "#" else quiet.press)(step)
        assert where(quiet) == turns[turn]
    assert quiet.state("#turn-on", "disabled") == "true"
    quiet.press("g")
    assert shown(quiet)["turns"] == []


@pytest.mark.thorough
def test_many_turning_points_scroll_along(quiet: Page, opened: Open) -> None:
    made = sample("eight-players.stud")
    turns = made.steps.turning_points
    opened(made)
    assert len(turns) > 15
    inside = """const box = document.getElementById("turns").getBoundingClientRect();
      const one = document.querySelector("#turns [aria-current]").getBoundingClientRect();
      return one.top >= box.top - 1 && one.bottom <= box.bottom + 1"""
    for keys, moment in ((["n"], turns[1]), (["End", "p"], turns[-1]), (["Home", "n"], turns[0])):
        quiet.press(*keys)
        assert where(quiet) == moment
        assert quiet.js(inside)
    assert quiet.find(".turning").rect["height"] < 400


@pytest.mark.thorough
def test_without_turning_points_a_page_opens_on_its_first_moment(quiet: Page, opened: Open) -> None:
    found = sample("showdown.stud")
    calm = tuple(replace(step, notable=False) for step in found.moments)
    steps = replace(found.steps, steps=calm)
    opened(
        replace(found, steps=steps, html=page_text(found.report, steps, kept_json(found.analysis)))
    )
    quiet.press("n", "p")
    assert where(quiet) == 0
    assert quiet.find_all("#turns") == []


@pytest.mark.thorough
def test_keys_with_a_modifier_are_the_browsers(quiet: Page, opened: Open) -> None:
    opened(sample("showdown.stud"), "#5")
    quiet.js(
        """const press = (key, more) => document.body.dispatchEvent(
          new KeyboardEvent("keydown", { key, bubbles: true, ...more }));
        for (const held of ["ctrlKey", "metaKey", "altKey"])
          for (const key of ["ArrowRight", "End", "o", "g", "l", "n", "2"])
            press(key, { [held]: true });
        for (const key of ["constructor", "toString", "0", "9", "x", " "]) press(key);"""
    )
    assert where(quiet) == 4
    assert quiet.js("return document.body.className") == "has-truth"


@pytest.mark.thorough
def test_choosing_a_player(quiet: Page, opened: Open) -> None:
    opened(sample("showdown.stud"), "#3")
    chosen = "return [...document.querySelectorAll('#chart-chances .bets.chosen')]"
    for digit in "1257":
        quiet.press(digit)
        found = shown(quiet)
        assert [p["seat"] for p in found["places"] if p["pressed"] == "true"] == [int(digit)]
        assert digit in found["title"]
        assert quiet.js(f"{chosen}.map((line) => line.dataset.seat)") == [digit]
    quiet.do('#seats [data-seat="3"]')
    assert shown(quiet)["focused"] == "3"
    quiet.press("8")
    assert "What seat 3 " in shown(quiet)["title"]


# What is shown


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "viewpoint", "last"),
    [
        ("showdown.stud", "seat:1", 99),
        ("eight-players.stud", "public", 10),  # of its 64, where all share a card
        ("stops-in-the-middle.stud", "public", 99),
        ("side-pot.stud", "public", 99),
    ],
)
def test_every_moment_shows_what_the_report_says(
    quiet: Page, opened: Open, name: str, viewpoint: str, last: int
) -> None:
    made = sample(name, viewpoint)
    places = range(len(made.moments))[-last:]
    opened(made, f"#{places[0] + 1}")
    quiet.js(OPEN_ALL)
    all_found = quiet.js(EACH_MOMENT, len(places))
    for moment, found in zip(places, all_found, strict=True):
        step = made.moments[moment]
        assert found["where"] == f"{moment + 1} of {len(made.moments)}"
        assert found["hash"] == f"#{moment + 1}"
        check_words(found, made, step)
        check_table(found, made, step)
        assert found["bits"] == bits_told(made, step)
        seat = next(p["seat"] for p in found["places"] if p["pressed"] == "true")
        assert step.actor is None or seat == step.actor
        check_headlines(found, made, moment)
        check_read(found, made, step, made.read(moment, seat))
        if not moment:
            assert "as likely as by the cards alone" in found["grid"][0][0]


EACH_MOMENT = f"""
const found = [];
let hash = location.hash;
history.replaceState = (state, title, address) => {{ hash = address; }};
for (let n = 0; n < arguments[0]; n++) {{
  if (n) document.body.dispatchEvent(
    new KeyboardEvent("keydown", {{ key: "ArrowRight", bubbles: true }}));
  found.push({{ ...(() => {{{MOMENT}}})(), hash }});
}}
return found;
"""
"""What a page shows at so many moments, one after the other."""


def check_words(found: dict[str, Any], made: Made, step: StepPart) -> None:
    chip = " you" if step.actor is not None and step.actor == made.report.you else ""
    street = f" · {STREET_NAMES[step.street]} street" if step.actor else ""
    assert found["moment"] == opening(step.title) + chip + street
    assert found["sentence"] == (step.sentence or None)
    assert found["heard"] == f"{step.title}. {step.sentence}".strip()
    assert found["on_truth"] is None
    assert found["pot"] == step.pot
    assert found["shared"] == ([] if step.shared is None else [card_name(step.shared)])
    wanted = [(chance.bets.words, chance.cards.words) for chance in chances_at(step).values()]
    assert [tuple(drawn) for _, *drawn in found["chances"]] == [
        (f"{bets} cards {cards}", length(bets), length(cards)) for bets, cards in wanted
    ]


def chances_at(step: StepPart) -> Mapping[int, Chance]:
    """The chances that a page shows: none once it is known who won."""
    return {} if step.kind == "end" and any(place.put for place in step.places) else step.chances


def length(words: str) -> str:
    """How the browser spells a length of these words."""
    return "0%" if words == "<1%" else f"{float(words.partition(' ')[0].rstrip('%')):g}%"


def check_table(found: dict[str, Any], made: Made, step: StepPart) -> None:
    known = made.analysis.viewpoint.partition(":")[2]
    held = 3 if step.street == 7 and step.shared is None else 2
    chances = {seat: chance.bets.words for seat, chance in chances_at(step).items()}
    if len(chances) == 1:
        chances = {}
    for drawn, place in zip(found["places"], step.places, strict=True):
        out = place.status == "folded"
        down = [] if out else ["a downcard"] * held
        if str(place.seat) == known and not out:
            own = made.report.replay.downcards[place.seat]
            down = [f"{name}, down" for name in spoken(own[:held])]
        assert drawn["cards"] == down + spoken(place.up)
        put = "folded" if out else place.put
        put = ", ".join(filter(None, [put, "all-in" if place.status == "all-in" else ""]))
        wins = f"{chances[place.seat]} to win" if place.seat in chances else ""
        assert (drawn["put"] or "") == " · ".join(filter(None, [put, wins]))
        wanted = {
            "seat": place.seat,
            "label": made.report.spoken[place.seat],
            "stack": place.stack,
            "out": out,
            "you": place.seat == made.report.you,
            "acted": place.seat == step.actor,
            "turn": place.seat == step.to_act,
        }
        assert {name: drawn[name] for name in wanted} == wanted


def check_headlines(found: dict[str, Any], made: Made, moment: int) -> None:
    """The tile of a player who is in has the leading families beside the cards alone."""
    for drawn in found["places"]:
        wanted = []
        for line in () if drawn["out"] else made.read(moment, drawn["seat"]).headline:
            cards = line.cards_alone.words
            same = line.read.words == cards
            end = "as by the cards alone" if same else f"cards alone {cards}"
            wanted.append(f"{opening(line.family)} {line.read.words} {end}")
        assert drawn["headline"] == wanted
        if not drawn["out"]:
            assert bool(drawn["sees"]) is (drawn["seat"] in made.moments[moment].table_reads)


def bits_told(made: Made, step: StepPart) -> list[list[str]]:
    """The names and words of a moment's bits."""
    wanted: list[list[str]] = []
    row = step.action
    if row is not None:
        surprise = "beyond the model" if row.surprise is None else f"{row.surprise.words} bits"
        wanted += [
            ["expected", " · ".join(dict.fromkeys((row.expected.words, row.one_in)))],
            ["surprise", surprise],
            ["told", f"{row.information.words} bits"],
        ]
        if made.analysis.viewpoint == f"seat:{row.seat}":
            wanted.append(["told the table", f"{row.table.words} bits"])
            wanted.append(["on your downcards", f"{row.table_truth.words} bits"])
    for seat, news in step.news.items():
        wanted.append([f"told by the cards about {made.report.spoken[seat]}", f"{news.words} bits"])
    return wanted


def check_read(found: dict[str, Any], made: Made, step: StepPart, read: ReadPart) -> None:
    label = made.report.spoken[read.seat]
    tables = read.seat in step.table_reads
    assert found["title"] == f"What {label} {'has shown the table' if tables else 'probably holds'}"
    folded = any(p.seat == read.seat and p.status == "folded" for p in step.places)
    assert ("has folded" in (found["note"] or "")) is folded
    said = {"rise": "up most", "fall": "down most", "": ""}
    assert found["lines"] == [
        [
            *(line.family, line.read.words, line.cards_alone.words, said[line.change]),
            *(line in read.headline, length(line.read.words), length(line.cards_alone.words)),
        ]
        for line in read.lines
    ]
    assert found["kinds"] == [
        [kind, chance.words, cards.words] for _, kind, chance, cards in read.kinds
    ]
    assert found["openness"] == read.openness
    assert found["likeliest"] is bool(read.holdings)
    assert [(len(drawn), words) for drawn, words in found["holdings"]] == [
        (len(cards), chance.words) for cards, chance in read.holdings
    ]
    assert found["entropy"] == (
        f"Entropy {read.entropy.words} bits; {read.combinations} combinations are not ruled out."
    )
    assert found["truth"] is None
    assert [words.rpartition(" ")[2] for words in found["ends"]] == [
        share.words for share in read.categories
    ]
    assert found["ends_title"] == f"What {label} may end with"
    check_grid(found["grid"], made.steps.lives[read.live], read)


def check_grid(cells: list[list[Any]], live: tuple[int, ...], read: ReadPart) -> None:
    assert len(cells) == 169
    for i, (said, dead, small, large, hatched, kind) in enumerate(cells):
        of = 6 if i % 14 == 0 else 4 if i % 13 > i // 13 else 12
        assert dead is hatched is (live[i] == 0)
        end = f"{live[i]} of {of} combinations live" if live[i] else f"none of {of} combinations"
        assert end in said
        assert said.startswith(cell_name(i))
        assert small == ""
        if live[i]:
            factor = read.grid[i] / live[i] * sum(live) / sum(read.grid)
            assert (large, kind) == (lift_figure(factor), f"l{lift_step(factor)}")


def lift_figure(factor: float) -> str:
    """The figure of a cell: how much likelier a combination is than by the cards alone."""
    if factor < 1 / 50:
        return "0"
    times = math.floor(max(factor, 1 / factor) + 0.5)
    return "" if times < 2 else f"{'×' if factor > 1 else '÷'}{times}"


def lift_step(factor: float) -> int:
    """The step of the diverging scale, from 0 to 8."""
    away = sum(max(factor, 1 / max(factor, 1e-9)) >= least for least in (1.25, 2, 4, 8))
    return 4 + away if factor > 1 else 4 - away


def cell_name(i: int) -> str:
    high, low = (12 - rank for rank in sorted(divmod(i, 13)))
    kind = "suited" if i % 13 > i // 13 else "offsuit"
    pair = f"{rank_word(high)} and {rank_word(low)}, {kind}:"
    return f"pair of {plural(high)}:" if high == low else pair


@pytest.mark.thorough
def test_a_card_for_all_is_named(quiet: Page, opened: Open) -> None:
    made = sample("eight-players.stud")
    (dealt,) = [i for i, step in enumerate(made.moments) if step.stage == "7D"]
    opened(made, f"#{dealt + 1}")
    assert "shared by all" in quiet.text("#seats .pot")
    assert quiet.text("#moment") == "7th street is dealt, Js shared"
    text = made.html.replace(' <span class="soft">', " ")
    assert "7th street · pot 12.00 to 16.00 · Js shared" in text
    assert "seat 4 held Kh Qc, Js shared: straight to the ace" in text


@pytest.mark.thorough
def test_ranges_stand_beside_their_figures_and_have_room(quiet: Page, opened: Open) -> None:
    made = ranged()
    moment = len(made.moments) - 2
    opened(made, f"#{moment + 1}")
    found = shown(quiet)
    seat = next(p["seat"] for p in found["places"] if p["pressed"] == "true")
    lines = made.read(moment, seat).lines
    assert lines[0].read.words.endswith(")")
    assert [(line[1], line[5]) for line in found["lines"]] == [
        (line.read.words, length(line.read.words)) for line in lines
    ]
    chance = next(iter(made.moments[moment].chances.values()))
    assert found["chances"][0][1] == f"{chance.bets.words} cards {chance.cards.words}"
    assert chance.bets.words.endswith(")")
    tile = next(p for p in found["places"] if p["headline"])
    line = made.read(moment, tile["seat"]).headline[0]
    assert tile["headline"][0].startswith(f"{opening(line.family)} {line.read.point} ")
    crowded = """const cells = [...document.querySelectorAll(".shares li > *, #chances li > *")];
      const wide = (cell) => cell.clientWidth && cell.scrollWidth > cell.clientWidth + 1;
      return cells.filter((e) => !e.matches(".seat-name, .bar") && wide(e)).length"""
    for width in (1280, 390):
        quiet.resize(width, 900, mobile=width < 600)
        assert not quiet.overflows()
        assert quiet.js(crowded) == 0


# The grid


@pytest.mark.thorough
def test_the_grid_switches_to_plain_probability(quiet: Page, opened: Open) -> None:
    made = sample("showdown.stud")
    opened(made, "#20")
    read = made.read(19, 1)
    live = made.steps.lives[read.live]
    assert quiet.state("#by-lift") == "true"
    assert quiet.find("#lift-key").is_displayed()
    for how in ("#by-chance", "#by-lift", "l", "ArrowRight"):
        quiet.do(how)
        chance = how != "#by-lift"
        assert quiet.state("#by-chance") == str(chance).lower()
        assert quiet.find("#lift-key").is_displayed() is not chance
        grid = shown(quiet)["grid"]
        assert {kind[0] for *_, dead, kind in grid if not dead} == ({"h"} if chance else {"l"})
        if how == "#by-chance":  # per cent, halves up as the script rounds
            assert [(small, large) for _, _, small, large, *_ in grid] == [
                (str(n or ""), str(math.floor(parts / 100 + 0.5)) if parts >= 50 else "")
                for n, parts in zip(live, read.grid, strict=True)
            ]


@pytest.mark.thorough
def test_the_grid_by_keyboard_and_pointer(quiet: Page, opened: Open) -> None:
    opened(sample("showdown.stud"), "#20")
    assert len(quiet.find_all("#grid th[scope]")) == 27
    quiet.js("document.querySelector('#grid [data-cell=\"0\"]').focus()")
    said = [cell[0] for cell in shown(quiet)["grid"]]
    cell = "return Number(document.activeElement.dataset.cell)"
    place = """return [Number(document.activeElement.dataset.cell),
      document.getElementById("cell").innerText,
      document.querySelectorAll('#grid [tabindex="0"]').length]"""
    for key, at in (
        *(("ArrowLeft", 0), ("ArrowUp", 0), ("ArrowRight", 1), ("ArrowDown", 14), ("End", 25)),
        *(("ArrowRight", 25), ("ArrowDown", 38), ("Home", 26), ("ArrowUp", 13)),
    ):
        quiet.press(key)
        assert quiet.js(place) == [at, said[at], 1]
    assert where(quiet) == 19
    for key in "r2":
        quiet.press(key)
        assert quiet.js(cell) == 13, "the focus stays where it was"
    quiet.press("1", "o")
    over = "new PointerEvent('pointerover', { bubbles: true })"
    quiet.js(f"document.querySelector('#grid [data-cell=\"91\"]').dispatchEvent({over})")
    assert quiet.text("#cell") == said[91]
    assert len(quiet.find_all("#grid .at")) == 1


# No spoilers


PARTLY_KNOWN = (SAMPLES / "showdown.stud").read_text(encoding="utf-8")


def without_truth() -> Made:
    """The hand of ``showdown.stud`` as if nobody had shown."""
    lines = [
        re.sub(r"\| *(Jh|4h)(?= )", "| ??", re.sub(r"^(\d[^|]*)\| \w\w \w\w", r"\1| ?? ??", line))
        for line in PARTLY_KNOWN.splitlines()
    ]
    made = made_of(written_down("\n".join(lines)))
    assert not made.report.replay.downcards
    assert len(made.moments) == 26
    return made


@pytest.mark.dear("all that is to be seen is compared at many moments of two pages")
def test_before_asking_nothing_of_the_truth_is_seen(quiet: Page, opened: Open) -> None:
    """As if the downcards had never been shown: at every moment, or every second in haste."""
    made = made_of(written_down(PARTLY_KNOWN))
    blank = without_truth()
    assert sorted(made.report.replay.downcards) == [1, 2, 5]
    places = [(i, (1, 2, 5)[i % 3]) for i in range(0, len(made.moments), STRIDE)]
    places += [(last, seat) for last in (21, 25) for seat in (1, 2, 3, 5)]
    opened(made)
    assert "truth" not in words_of(quiet, "body").lower()
    with_truth = at_each(quiet, SHOWN, places)
    opened(blank, name="blank.html")
    without = at_each(quiet, SHOWN, places)
    for place, seen, other in zip(places, with_truth, without, strict=True):
        assert seen == other, place
        assert len(seen) > 400


@pytest.mark.dear("the truth is looked for at many moments, at all who showed")
def test_after_asking_the_truth_is_there(quiet: Page, opened: Open) -> None:
    made = sample("showdown.stud")
    opened(made)
    quiet.js(OPEN_ALL)
    quiet.do("#reveal")
    assert quiet.state("#reveal") == "true"
    downcards = made.report.replay.downcards
    moments = range(0, len(made.moments), STRIDE)
    for moment, found in zip(
        moments, at_each(quiet, MOMENT, [(i, None) for i in moments]), strict=True
    ):
        step = made.moments[moment]
        assert found["on_truth"] == (step.on_truth or found["on_truth"])
        for drawn, place in zip(found["places"], step.places, strict=True):
            if place.status != "folded" and place.seat in downcards:
                own = spoken(downcards[place.seat][: 3 if step.street == 7 else 2])
                assert drawn["cards"] == [f"{name}, down" for name in own] + spoken(place.up)
        truths = [chance.truth.words for chance in chances_at(step).values() if chance.truth]
        assert [value.partition("truth ")[2] for _, value, *_ in found["chances"]] == truths
        if step.action is not None and step.action.truth is not None:
            assert ["on the true downcards", f"{step.action.truth.words} bits"] in found["bits"]
    places = [(moment, seat) for moment in moments for seat in (1, 2, 5)]
    for (moment, seat), (told, marked) in zip(places, at_each(quiet, TRUTH, places), strict=True):
        truth = made.read(moment, seat).truth
        assert all(words in told for words in (truth.kind, truth.words))
        (label,) = marked
        assert "the true downcards" in label
    text = words_of(quiet, "body")
    assert all(line in text for line in (*made.report.shown, "Against the truth"))
    assert quiet.texts(".honesty li") == list(made.report.honesty)
    assert len(made.report.honesty) == 2, "seat 5 only brought in and folded"
    for selector in ("#chart-chances .truth.chosen", "#chart-entropy .truth"):
        assert quiet.js(f"return document.querySelector('{selector}').checkVisibility()")
    quiet.press("3")
    assert shown(quiet)["truth"] == "The log does not tell this player's downcards."
    quiet.press("o")
    assert "1 Ann held" not in words_of(quiet, "body")
    assert not quiet.find(".honesty").is_displayed()


TRUTH = """
const label = (e) => e.getAttribute("aria-label") ?? "";
const told = document.getElementById("truth-line").innerText.replace(/\\s+/g, " ").trim();
return [told, [...document.querySelectorAll("#grid .true")].map(label)];
"""
"""What is told of the true downcards, and the names of the cells that are marked for them."""


# Reading it yourself


@pytest.mark.dear("two pages are loaded, and all that is to be seen of them is compared")
def test_before_the_guess_nothing_of_the_observer_is_seen(quiet: Page, opened: Open) -> None:
    """The page is the same whatever the observer believes."""
    made = [sample("showdown.stud"), sample("showdown.stud", "public", "loose")]
    places = [(i, seat) for i in (0, 5, 12, 22, 25) for seat in (1, 2, 4)][:: min(STRIDE, 5)]
    found: list[list[list[str]]] = []
    for one in made:
        opened(one)
        quiet.press("g")
        texts = "['main', '#seats'].map((css) => document.querySelector(css).innerText)"
        found.append([])
        for main, seats, seen in at_each(
            quiet, f"return [...{texts}, (() => {{{SHOWN}}})()]", places
        ):
            assert "bits" not in main
            assert "to win" not in seats
            found[-1].append(seen)
    assert found[0] == found[1]
    mine, other = ([one.read(i, seat).kinds for i, seat in places] for one in made)
    assert mine != other, "the two believe otherwise"


MINUS, PLUS = "a chip less on", "a chip more on"


def place_chips(page: Page, family: str, chips: int) -> None:
    script = "for (let n = 0; n < arguments[1]; n++) document.querySelector(arguments[0]).click()"
    page.js(script, f'[aria-label="{PLUS} {family}"]', chips)


def expected_scores(read: ReadPart, placed: dict[str, int]) -> tuple[float, float]:
    """The reader's and the observer's bits on the truth, from the report."""
    p, guess = {name: (p, guess) for name, p, guess in read.families}[read.truth.family]
    mine = dict(shares_of(read, placed))[read.truth.family]
    return math.log2(mine / guess), math.log2(p / guess) if p > 0 else -math.inf


def shares_of(read: ReadPart, placed: dict[str, int]) -> list[tuple[str, float]]:
    """The reader's shares: the chips, and the rest by the cards alone."""
    free = 20 - sum(placed.values())
    return [(name, (placed.get(name, 0) + free * guess) / 20) for name, _, guess in read.families]


def bits(x: float) -> str:
    return "ruled out" if math.isinf(x) else f"{x:+z.2f}"


def compared(page: Page) -> tuple[list[list[str]], list[str], list[str]]:
    """The table after a guess: its rows, its foot, and the families marked as the truth."""
    found: list[Any] = page.js(
        """const text = (e) => e.innerText.trim(), row = (tr) => [...tr.cells].map(text);
        const rows = (css) => [...document.querySelectorAll(css)].map(row);
        return [rows(".compared tbody tr"), rows(".compared tfoot tr")[0] ?? [],
          [...document.querySelectorAll(".compared .true th")].map((e) => e.firstChild.data)]"""
    )
    return found[0], found[1], found[2]


def rounded_share(p: float) -> str:
    """A share as the script spells it, halves up."""
    return f"{math.floor(100 * p + 0.5)}%" if p > 0.005 else "<1%"


@pytest.mark.dear("a guess from the chips to the truth, and then another")
def test_guessing(quiet: Page, opened: Open) -> None:
    made = sample("showdown.stud")
    opened(made, "#20")
    quiet.click("#guess")
    assert quiet.state("#guess") == "true"
    assert shown(quiet)["title"] == "What does 1 Ann hold?"
    read = made.read(19, 1)
    form = quiet.text("#guessing")
    assert all(f"{name}\n" in form for name, *_ in read.families)
    assert "<1%" in form or min(guess for *_, guess in read.families) >= 0.005
    first, second = read.families[0][0], read.families[3][0]
    place_chips(quiet, first, 7)
    place_chips(quiet, second, 30)
    assert "1 of 20 chips left" in quiet.text("#guessing")
    quiet.click(f'[aria-label="{MINUS} {second}"]')
    quiet.press("ArrowRight", "ArrowLeft")
    assert "2 of 20 chips left" in quiet.text("#guessing"), "a guess half made is kept"
    quiet.click("#judge")
    rows, foot, marked = compared(quiet)
    assert rows == [
        [name, share_words(guess), rounded_share(own), share_words(p)]
        for (name, p, guess), (_, own) in zip(
            read.families, shares_of(read, {first: 7, second: 11}), strict=True
        )
    ]
    assert foot == marked == [], "a score would say what it was"
    found = shown(quiet)
    assert found["kinds"] == [[kind, p.words, cards.words] for _, kind, p, cards in read.kinds]
    assert found["focused"] == "guessing"
    assert found["places"][0]["cards"][:2] == ["a downcard"] * 2
    assert not quiet.find("#charts-title").is_displayed(), "the moments to come stay hidden"

    go(quiet, 22)
    assert quiet.find_all("#judge")
    quiet.press("2")
    quiet.click("#judge")
    other = made.read(22, 2)
    mine, program = expected_scores(other, {})
    assert bits(mine) == "+0.00"
    assert compared(quiet)[1:] == ([], [])
    quiet.click("#tell")
    _, foot, marked = compared(quiet)
    assert foot == ["bits on the truth", "0", "+0.00", bits(program)]
    assert marked == [other.truth.family]
    assert quiet.text("#score") == WAITING, "the other guess is not told"
    assert "✓ the truth" in quiet.text("#guessing")
    places = shown(quiet)["places"]
    assert places[1]["cards"][0].endswith(", down")
    assert places[0]["cards"][0] == "a downcard"

    quiet.press("3")
    assert "The log does not tell the downcards of seat 3." in quiet.text("#guessing")
    assert "Guess at 1 Ann or 2 B B instead." in quiet.text("#guessing")
    quiet.press("ArrowRight")
    assert "instead" not in quiet.text("#guessing")
    assert quiet.find_all("#judge"), "a step chooses somebody to guess at"
    quiet.press("ArrowLeft", "o")
    assert quiet.state("#guess") == "false", "the truth ends guessing"
    displayed = [quiet.find(css).is_displayed() for css in ("#guessing", "#score", "#charts-title")]
    assert displayed == [False, False, True]


# The score over time

WAITING = "The scores follow when you have been told what you guessed at."


def kept(page: Page) -> list[dict[str, Any]]:
    """The guesses in the browser's storage."""
    text = page.js("return localStorage.getItem('handread.guesses')")
    stored: dict[str, Any] = page.js("return JSON.parse(arguments[0])", text or '{"guesses": []}')
    found: list[dict[str, Any]] = stored["guesses"]
    return found


def some_guess(n: int, **changes: Any) -> dict[str, Any]:
    """A guess at the n-th hand, of a session elsewhere."""
    right = {"right": n % 2 == 0, "programRight": True, "cardsRight": False}
    where = {"id": f"h{n}.1.5", "hand": f"h{n}", "session": "old", "at": f"2026-01-{n + 1:02}"}
    return {**where, "you": 0.5 * (n % 3), "program": 1.0, **right, **changes}


def file_of(guesses: list[Any]) -> str:
    return dumps({"schema": "handread.guesses/1", "guesses": guesses})


def load_guesses(page: Page, path: Path, text: str) -> str:
    """Import a file as the reader does, and return what the page says of it."""
    path.write_text(text, encoding="utf-8")
    page.js("document.getElementById('score-said').textContent = 'waiting'")
    page.find("#score-file").send_keys(str(path))
    page.wait("return document.getElementById('score-said').textContent !== 'waiting'")
    return str(page.js("return document.getElementById('score-said').textContent"))


@pytest.mark.thorough
def test_a_running_score(quiet: Page, opened: Open) -> None:
    """It lasts over pages; the first guess at a read counts; the truth is not in it."""
    made = sample("showdown.stud")
    opened(made, "#20")
    assert kept(quiet) == []
    assert not quiet.find("#score").is_displayed()
    quiet.press("g")
    assert "No guess has been kept yet." in words_of(quiet, "#score")
    assert "under the key handread.guesses" in words_of(quiet, "#score")
    read = made.read(19, 1)
    place_chips(quiet, read.truth.family, 19)
    quiet.click("#judge")
    mine, program = expected_scores(read, {read.truth.family: 19})
    (one,) = kept(quiet)
    assert (one["you"], one["program"]) == pytest.approx((mine, program), abs=1e-3)
    assert one["right"] is True
    assert one["programRight"] is (read.lines[0].family == read.truth.family)
    assert one["cardsRight"] is (read.families[0][0] == read.truth.family)
    assert set(one) == set(some_guess(1))
    assert words_of(quiet, "#score") == WAITING
    quiet.click("#tell")
    text = words_of(quiet, "#score")
    for words in (
        "This session · 1 guess in 1 hand",
        "All guesses · 1 guess in 1 hand",
        f"bits per guess {mine:+.2f} {program:+.2f} 0",
        "Intervals follow from 5 hands on.",
    ):
        assert words in text

    opened(made, "#20", name="again.html")
    quiet.press("g")
    assert "All guesses · 1 guess in 1 hand" in words_of(quiet, "#score")
    quiet.click("#judge")
    assert kept(quiet) == [one], "the first guess counts"
    assert compared(quiet)[1] == []
    quiet.click("#tell")
    assert compared(quiet)[1] == ["bits on the truth", "0", "+0.00", bits(program)]
    quiet.press("2")
    quiet.click("#judge")
    quiet.click("#tell")
    assert "All guesses · 2 guesses in 1 hand" in words_of(quiet, "#score")
    assert len(kept(quiet)) == 2


@pytest.mark.thorough
def test_the_score_has_an_interval_over_hands(quiet: Page, opened: Open, tmp_path: Path) -> None:
    opened(sample("showdown.stud"), "#20")
    quiet.press("g")
    guesses = [some_guess(n) for n in range(12)]
    guesses += [some_guess(3, id="h3.1.9", you=2.0), some_guess(4, id="h4.2.2", right=False)]
    assert load_guesses(quiet, tmp_path / "x.json", file_of(guesses)) == "14 new ones in the file."
    assert [one["id"] for one in kept(quiet)][:2] == ["h0.1.5", "h1.1.5"]
    mean = sum(one["you"] for one in guesses) / 14
    off = [sum(g["you"] - mean for g in guesses if g["hand"] == f"h{n}") for n in range(12)]
    error = 2.2 * math.sqrt(sum(x * x for x in off) * 12 / 11) / 14
    text = quiet.text("#score")
    assert "This session" not in text
    assert f"{mean:+.2f} ({mean - error:+.2f} to {mean + error:+.2f})" in text
    assert "+1.00 (+1.00 to +1.00)" in text
    # Wilson's interval of 6 of 14 with 12 trials; of 14 of 14; of none.
    assert "43% (20% to 69%) 100% (76% to 100%) 0% (0% to 24%)" in text


@pytest.mark.thorough
def test_export_and_import(quiet: Page, opened: Open, tmp_path: Path) -> None:
    opened(sample("showdown.stud"), "#20")
    quiet.do("g", "#judge", "#tell")
    quiet.js(
        """window.blobs = [];
        const make = URL.createObjectURL;
        URL.createObjectURL = (blob) => { blobs.push(blob); return make.call(URL, blob); };
        HTMLAnchorElement.prototype.click = function () { window.saved = this.download; };"""
    )
    quiet.do("#score-export")
    assert quiet.js("return saved") == "handread-guesses.json"
    assert quiet.text("#score-said") == "1 written to handread-guesses.json."
    text: str = quiet.js("return blobs[0].text()")
    before = kept(quiet)
    assert quiet.js("return JSON.parse(arguments[0]).guesses", text) == before
    quiet.do("#score-clear")
    assert kept(quiet) == before, "clearing is asked for twice"
    assert quiet.text("#score-clear") == "Really clear"
    quiet.do("#score-clear")
    assert kept(quiet) == []
    file = tmp_path / "handread-guesses.json"
    assert load_guesses(quiet, file, text) == "1 new one in the file."
    assert kept(quiet) == before
    assert load_guesses(quiet, file, text) == "0 new ones in the file."


@pytest.mark.thorough
def test_a_file_of_guesses_is_not_trusted(quiet: Page, opened: Open, tmp_path: Path) -> None:
    opened(sample("showdown.stud"), "#20")
    quiet.press("g")
    file = tmp_path / "evil.json"
    for text in ("", "{", "[]", "null", '{"schema": "handread.guesses/2", "guesses": []}', "\x00"):
        assert load_guesses(quiet, file, text) == "That is no file of guesses."
    nasty = "<img src=x onerror=document.title=1>"
    bad = [None, 1, "x", [], {}, some_guess(1, you=None), some_guess(1, you="1")]
    bad += [some_guess(1, program=1e9), some_guess(1, right=1), some_guess(1, id="x" * 1000)]
    good = some_guess(2, id=nasty, hand=nasty, session=nasty, at=nasty, extra=nasty)
    assert load_guesses(quiet, file, file_of([*bad, good])) == "1 new one in the file."
    (one,) = kept(quiet)
    assert one["hand"] == nasty
    assert "extra" not in one
    assert nasty not in words_of(quiet, "body")
    assert quiet.find_all("#score img") == []
    quiet.js("localStorage.setItem('handread.guesses', '{broken')")
    opened(sample("showdown.stud"), "#20", name="again.html")
    quiet.press("g")
    assert "No guess has been kept yet." in quiet.text("#score")


@pytest.mark.thorough
def test_without_storage_the_score_lasts_for_the_page(quiet: Page, opened: Open) -> None:
    opened(sample("showdown.stud"), "#20")
    quiet.js("Storage.prototype.setItem = () => { throw new Error('full'); }")
    quiet.do("g", "#judge", "#tell")
    text = quiet.text("#score")
    assert "All guesses · 1 guess in 1 hand" in text
    assert "This browser keeps nothing for this page: export the score to keep it." in text


@pytest.mark.thorough
def test_what_an_action_told_waits_for_the_guess_at_its_player(quiet: Page, opened: Open) -> None:
    made = sample("showdown.stud")
    step = made.moments[20]
    assert step.actor == 2
    opened(made, "#20")
    quiet.do("g", "#judge")
    go(quiet, 20)
    for seat, title in (
        ("", "What does 2 B B hold?"),
        ("1", "What 1 Ann probably holds"),  # the read of seat 1 is the same as before
    ):
        quiet.press(*seat)
        found = shown(quiet)
        assert found["title"] == title
        assert found["bits"] == []
        assert step.sentence not in found["heard"]
    assert found["sentence"].endswith("waits for your guess at 2 B B.")
    quiet.do("2", "#judge")
    assert shown(quiet)["sentence"] == step.sentence


@pytest.mark.thorough
def test_a_seat_that_looks_on(quiet: Page, opened: Open) -> None:
    made = sample("showdown.stud", "seat:1")
    opened(made, "#4")
    assert "What the table knows of you" in words_of(quiet, "body")
    assert "seen from seat 1" in quiet.text("header")
    told = words_of(quiet, ".disclosures")
    assert len(made.steps.own_actions) == len(made.report.viewer_actions) > 4
    for row in made.steps.own_actions:
        step = made.moments[row.moment]
        assert step.actor == 1
        assert step.title.endswith(step.action.words)
        verdict = f"{step.action.verdict}: " if step.action.verdict else ""
        told_most = row.told or "no family moved much"
        line = (
            f"{STREET_NAMES[step.street]} {step.action.words} {told_most} {verdict}{row.on_truth}"
        )
        assert line in told
    quiet.js(OPEN_ALL)
    text = words_of(quiet, "main")
    for action in made.report.viewer_actions:
        figures = f"{action.table.words} bits {action.table_truth.words} bits"
        assert f"{action.words} {figures}" in text
    last = made.steps.own_actions[-1].moment
    quiet.do(f'.disclosures a[href="#{last + 1}"]')
    assert where(quiet) == last
    quiet.press("g", "1")
    assert "You know the downcards of 1 Ann." in quiet.text("#guessing")
    assert "1 Ann" not in quiet.text("#guessing").partition("Guess at")[2]


@pytest.mark.thorough
def test_no_downcards_no_questions(quiet: Page, opened: Open) -> None:
    opened(sample("stops-in-the-middle.stud"), "#5")
    quiet.press("o", "g")
    assert quiet.js("return document.body.className.trim()") == ""
    assert quiet.find_all(".toggles .toggle") == []


@pytest.mark.thorough
def test_a_hand_without_moments(quiet: Page, opened: Open) -> None:
    opened(without_a_street())
    quiet.press("ArrowRight", "End", "o", "g", "1")
    assert "No street of this hand could be read." in quiet.text("main")
    assert quiet.find_all("button") == []


# Hostile text


@pytest.mark.thorough
def test_hostile_names_do_nothing(quiet: Page, opened: Open) -> None:
    made = hostile()
    opened(made, "#3", name="a <b> & 'c' hand.html")
    for key in ("o", "g", "1", "2", "3", "g", "End", "ArrowLeft"):
        quiet.press(key)
    assert quiet.js("return document.title") == f"{made.report.title} · handread"
    assert quiet.text("h1") == made.report.title
    labels = {p["seat"]: p["label"] for p in shown(quiet)["places"]}
    assert labels == {seat: made.report.spoken[seat] for seat in labels}
    assert quiet.find_all("img, iframe, b b, [autofocus]") == []
    assert len(quiet.find_all("script")) == 3
    quiet.press("4", "g")
    assert where(quiet) == len(made.moments) - 2


# Sizes, light and dark, print


WALK = ("End", "r", "ArrowLeft", "g", "Home")

SIZES: list[tuple[Callable[[], Made], tuple[int, ...], tuple[str, ...]]] = [
    (partial(sample, "eight-players.stud"), (360,), WALK),
    (longest, (1920,), ("End", "r", "g")),
    (longest, (320, 360, 500, 640, 768, 897, 1100), ()),
    (hostile, (360, 768, 1280), ()),
    (hostile, (1920,), WALK),
]


@pytest.mark.thorough
@pytest.mark.parametrize(("make", "widths", "keys"), few(SIZES, 3))
def test_a_page_fits_its_screen(
    quiet: Page,
    opened: Open,
    make: Callable[[], Made],
    widths: tuple[int, ...],
    keys: tuple[str, ...],
) -> None:
    """Nothing overflows, all can be hit with a finger, and a long name is cut off on its line."""
    made = make()
    at = 60 if len(made.moments) > 60 else 3
    step = made.moments[at - 1]
    for width in widths:
        quiet.resize(width, 800, mobile=width < 600)
        if width == widths[0]:
            opened(made, f"#{at}")
        names = quiet.js(
            """return [...document.querySelectorAll("#seats .seat-name, #chances .seat-name")]
              .map((e) => [e.textContent, e.title, e.getBoundingClientRect().height])"""
        )
        assert len(names) == len(step.places) + len(step.chances)
        for text, title, height in names:
            assert height < 30, text
            assert title.startswith(text.removesuffix(", to act").removesuffix(".."))
        assert not quiet.overflows()
        for key in keys:
            quiet.press(key)
            assert not quiet.overflows(), key
            for html, size, control in quiet.js(TARGETS):
                assert size >= (43.9 if control and width == 360 else 23.9), (html, size)
        forward = quiet.find("#forward").rect
        assert 0 < forward["x"] < forward["x"] + forward["width"] < width


@pytest.mark.thorough
def test_the_tables_of_a_guess_fit(quiet: Page, opened: Open) -> None:
    opened(sample("showdown.stud"), "#21")
    quiet.press("g")
    text = file_of([some_guess(n) for n in range(30)])
    quiet.js("localStorage.setItem('handread.guesses', arguments[0])", text)
    for css, score in (("#judge", WAITING), ("#tell", "in 31 hands")):
        quiet.click(css)
        for width in (320, 390, 900, 1280):
            quiet.resize(width, 740, mobile=width < 500)
            assert not quiet.overflows()
            assert score in quiet.text("#score")
            box, table = quiet.js(
                """return [".read", ".compared"].map((css) =>
                  document.querySelector(css).getBoundingClientRect().right)"""
            )
            assert table <= box


@pytest.mark.dear("the colours of every text of a page, in both schemes")
@pytest.mark.parametrize("dark", [True, False])
def test_text_stands_out(quiet: Page, opened: Open, dark: bool) -> None:
    """Every text has a contrast of 4.5; none stands on a hatch, whose cells are empty."""
    quiet.dark(dark)
    quiet.prefer("prefers-reduced-motion", "reduce")  # bars have their length at once
    made = sample("eight-players.stud")  # there is a colour for each
    links = PageLinks("index.html", "1.html", "3.html")
    opened(
        replace(made, html=page_text(made.report, made.steps, kept_json(made.analysis), links)),
        "#1",
    )
    assert len(quiet.find_all("header a")) == 3
    quiet.js(OPEN_ALL)
    for keys in ((), ("End", "o"), ("ArrowLeft", "ArrowLeft"), ("g",)):
        quiet.press(*keys)
        found = quiet.js(CONTRASTS)
        assert len(found) > 60
        assert [(text, ratio) for text, ratio in found if ratio is None or ratio < 4.5] == []


@pytest.mark.dear("three pages, as printed")
def test_in_print(quiet: Page, opened: Open) -> None:
    quiet.dark()
    opened(sample("showdown.stud"), "#20")
    data = quiet.pdf()
    assert data.startswith(b"%PDF")
    assert len(data) > 20_000
    quiet.print_media()
    for width in (700, 1000):
        quiet.resize(width, 1000)
        hidden = (".controls", ".timeline", ".how", ".skip")
        script = (
            "return [...document.querySelectorAll(arguments[0])].some((e) => e.checkVisibility())"
        )
        assert not [css for css in hidden if quiet.js(script, css)]
        for css in ("#seats", "#sentence", "#grid", "#chart-chances svg", ".streets table"):
            assert quiet.js(script, css)
        assert quiet.js(CLIPPED) == []
    white = "return getComputedStyle(document.body).backgroundColor"
    assert quiet.js(white) == "rgb(255, 255, 255)"
    assert min(ratio for _, ratio in quiet.js(CONTRASTS)) >= 4.5


@pytest.mark.thorough
def test_forced_colours_and_less_motion(quiet: Page, opened: Open) -> None:
    opened(sample("showdown.stud"), "#20")
    look = "return getComputedStyle(document.querySelector(arguments[0]))[arguments[1]]"
    for motion in ("no-preference", "reduce"):
        quiet.prefer("prefers-reduced-motion", motion)
        assert (quiet.js(look, ".bar i", "transitionDuration") == "0s") is (motion == "reduce")
    quiet.prefer("forced-colors", "active")
    quiet.press("ArrowRight", "2", "o")
    assert not quiet.overflows()
    for css in ("#timeline [aria-current]", "#reveal", ".place.chosen"):
        assert quiet.js(look, css, "outlineStyle") == "solid"
    fill = partial(quiet.js, look)
    lifts = {fill(f"#grid .{name}", "backgroundColor") for name in ("l0", "l4", "l8")}
    assert len(lifts) == 3
    quiet.press("l")
    assert fill("#grid .h8", "backgroundColor") != fill("#grid .h0", "backgroundColor")


# Accessibility


@pytest.mark.thorough
def test_what_a_screen_reader_is_told(quiet: Page, opened: Open) -> None:
    made = sample("showdown.stud")
    opened(made, "#20")
    nodes = quiet.accessibility()
    named = ("button", "link", "image", "img", "grid", "gridcell", "region")
    assert [node for node in nodes if node.role in named and not node.name.strip()] == []
    roles = [node.role for node in nodes]
    for role in ("banner", "main", "contentinfo", "navigation", "grid"):
        assert roles.count(role) == 1, role
    regions = [node.name for node in nodes if node.role == "region"]
    assert len(regions) == len(set(regions)) >= 6
    assert roles.count("gridcell") == 169
    assert roles.count("columnheader") >= 13
    levels = [node.properties["level"] for node in nodes if node.role == "heading"]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    names = [node.name for node in nodes]
    buttons = [node for node in nodes if node.role == "button"]
    place = next(b.name for b in buttons if b.name.startswith("1 Ann"))
    assert place.startswith("1 Ann a downcard a downcard seven of hearts eight of hearts")
    pressed = [b.name for b in buttons if b.properties.get("pressed") == "true"]
    assert pressed == [place, "Change"]
    assert {"one moment on", "one moment back", "first moment", "last moment"} <= set(names)
    assert {step.title for step in made.moments} <= set(names)
    live = "return [...document.querySelectorAll('[aria-live=polite]')].map((e) => e.textContent)"
    step = made.moments[19]
    assert quiet.js(live) == [f"{step.title}. {step.sentence}"]
    assert quiet.find_all('[role="group"]:not([aria-label])') == []
    for table in quiet.find_all("table"):
        assert quiet.js("return arguments[0].querySelectorAll('th[scope]').length", table) > 0
    assert quiet.js("return document.documentElement.lang") == "en"


@pytest.mark.thorough
def test_the_truth_is_not_told_to_screen_readers(quiet: Page, opened: Open) -> None:
    opened(sample("showdown.stud"), "#26")
    told = " ".join(node.name for node in quiet.accessibility())
    assert not [words for words in (", down", "truth", " held ") if words in told]
    quiet.press("o")
    told = " ".join(node.name for node in quiet.accessibility())
    assert "seven of clubs, down" in told
    assert "Against the truth" in told


@pytest.mark.dear("the browser names all that the Tab key leads to")
def test_the_tab_key_goes_round(quiet: Page, opened: Open) -> None:
    """From the link that skips to the last thing, each with a ring, and out again."""
    opened(sample("showdown.stud"), "#20")
    quiet.js(FOCUSED)
    for _ in range(5):
        quiet.press(*["Tab"] * 25)
        if quiet.js("return window.round"):
            break
    else:
        pytest.fail("the Tab key never comes out")
    ringed = quiet.js("return window.ringed")
    assert [at for at, ring in ringed if not ring] == []
    tags = quiet.js("return window.ringed.map(([e]) => e.localName)")
    seen = [(tag, at.accessible_name) for tag, (at, _) in zip(tags, ringed, strict=True)]
    names = [name for _, name in seen]
    assert names[0] == "Skip to the hand"
    folded = re.compile(r"(seat )?\d.*folded", re.S)
    places = [i for i, name in enumerate(names) if folded.match(name)]
    assert names.index("first moment") > max(places)
    assert names.index("one moment on") < names.index("Show the downcards")
    assert [tag for tag, _ in seen].count("td") == 1, "one cell of the grid"
    assert not [name for name in names if name.endswith(": chart")], "nothing scrolls here"
    controls = "return [...document.querySelectorAll('#stepper summary, #stepper button')]"
    assert quiet.js(f"{controls}.every((e) => e.tabIndex === 0)")


FOCUSED = """
window.ringed = [];
document.addEventListener("focusin", ({ target }) => {
  window.round ||= ringed.length && target === ringed[0][0];
  const style = getComputedStyle(target);
  const ring = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2;
  if (!window.round) ringed.push([target, ring]);
});
"""
"""Note what gets the focus and whether it has a ring, until the first gets it once more."""


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["showdown.stud", "hi-lo.stud", "five-card.stud"])
def test_the_marks_of_final_hands_stand_apart(quiet: Page, opened: Open, name: str) -> None:
    opened(sample(name), "#3")
    for width in (1280, 390):
        quiet.resize(width, 800, mobile=width < 600)
        marks = quiet.js(
            """return [...document.querySelectorAll("#htpd span")].filter((e) => e.textContent)
              .map((e) => e.getBoundingClientRect()).map((box) => [box.left, box.right])"""
        )
        assert len(marks) >= 5
        assert all(one[1] <= next_one[0] for one, next_one in pairwise(marks))


@pytest.mark.thorough
def test_on_a_phone_charts_scroll_by_keyboard(quiet: Page, opened: Open) -> None:
    quiet.resize(360, 740, mobile=True)
    opened(sample("showdown.stud"), "#3")
    stop = '#chart-chances .scroll[tabindex="0"]'
    assert len(quiet.find_all(stop)) == 1
    quiet.js("document.querySelector(arguments[0]).focus()", stop)
    quiet.press("ArrowRight")
    assert where(quiet) == 2, "the arrow keys scroll the chart"
    quiet.resize(1280, 900)
    quiet.js("window.dispatchEvent(new Event('resize'))")
    assert quiet.find_all(stop) == []


@pytest.mark.thorough
def test_the_focus_stays_where_it_was(quiet: Page, opened: Open) -> None:
    opened(sample("showdown.stud"), "#20")
    quiet.js("document.querySelector('#seats [data-seat=\"2\"]').focus()")
    for key in ("ArrowRight", "Enter"):
        quiet.press(key)
        assert shown(quiet)["focused"] == "2"
    quiet.js("document.getElementById('last').focus()")
    quiet.press("Enter", "Enter")
    assert shown(quiet)["focused"] == "last"
    quiet.press("ArrowLeft")
    assert where(quiet) == 24
