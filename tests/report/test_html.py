"""The page of a hand as text: well formed, closed off, small, and true to the report."""

from __future__ import annotations

import base64
import hashlib
import json
import math
import re
from collections import Counter
from html.parser import HTMLParser
from itertools import pairwise

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings

import handread
from handread.game.rules import FIVE_STUD, RAZZ, STUD, STUD8, Variant
from handread.history import History
from handread.report.ends import hand_axis
from handread.report.html.data import constant_data, page_data, share_thresholds, strokes
from handread.report.html.environment import embedded
from handread.report.html.page import EMBEDDED, PageLinks, kept_json, page
from handread.report.json import analysis_object
from handread.report.words import percent_words
from tests.examples import examples, few
from tests.packed import page_data_of
from tests.pages import (
    NASTY,
    Made,
    hostile,
    longest,
    made_of,
    ranged,
    sample,
    strings,
    without_a_street,
)
from tests.strategies import legal_hands

VOID = {"meta", "br", "img", "input", "link", "hr"}

LIMIT = 660_000
"""The bytes that a page stays under."""


class Walk(HTMLParser):
    """Elements with their attributes and text; complains where they are not balanced."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.texts: dict[str, list[str]] = {}
        self.shown: list[str] = []
        self.feed(text)
        self.close()
        assert not self.open, f"never closed: {self.open}"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), f"an attribute twice in {tag}: {names}"
        self.elements.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> ends nothing"
        assert self.open.pop() == tag, f"</{tag}> in {self.open}"

    def handle_data(self, text: str) -> None:
        inside = self.open[-1] if self.open else ""
        self.texts.setdefault(inside, []).append(text)
        if inside not in ("script", "style"):
            self.shown.append(text)

    def handle_comment(self, text: str) -> None:
        raise AssertionError(f"a comment: {text}")


def hashed(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def check_form(text: str) -> Walk:
    """A page is well formed, and its references lead somewhere."""
    walk = Walk(text)
    ids = [attributes["id"] for _, attributes in walk.elements if "id" in attributes]
    assert not [name for name, n in Counter(ids).items() if n > 1]
    for tag, attributes in walk.elements:
        for reference in ("aria-labelledby", "aria-describedby", "for"):
            assert set(attributes.get(reference, "").split()) <= set(ids), (tag, attributes)
        # A link to a moment, or to some hands of a list, is followed by the script.
        if re.match("#(?![0-9]+$|[a-z]+=)", attributes.get("href", "")):
            assert attributes["href"][1:] in ids
        assert not [name for name in attributes if name.startswith("on")]
        assert "style" not in attributes
    assert text.count("<main") == 1
    return walk


def check_closed_off(text: str) -> None:
    """A page asks for nothing, and its policy admits its own sheet and script only."""
    walk = Walk(text)
    for tag, attributes in walk.elements:
        assert tag not in {"link", "img", "iframe", "object", "embed", "base", "form", "audio"}
        assert "src" not in attributes
        href = attributes.get("href", "")
        assert "//" not in href
        assert not href.lower().startswith(("javascript:", "data:"))
    style, code = walk.texts["style"][0], walk.texts.get("script", [""])[-1]
    assert not re.search(r"@import|url\((?!#)|expression\(", style)
    assert not re.search(r"\b(fetch|XMLHttpRequest|WebSocket|eval|innerHTML|import)\b", code)
    policy = next(a["content"] for _, a in walk.elements if "http-equiv" in a)
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert hashed(style) in policy
    if code:
        assert hashed(code) in policy


def check_page(made: Made) -> None:
    """A page is well formed, closed off and small, and carries what is to be shown of its hand.

    The browser's tests compare what it shows with the report.
    """
    check_form(made.html)
    check_closed_off(made.html)
    assert len(made.html.encode()) < LIMIT
    data = json.dumps(page_data(made.report, made.steps))
    # Compressed data may have these letters by chance.
    assert "NaN" not in re.sub(r'<script type="text/plain".*?</script>', "", made.html, flags=re.S)
    assert "NaN" not in data
    assert "Infinity" not in data
    if made.moments:
        assert page_data_of(made.html) == json.loads(data)
    (found,) = re.findall(
        r'<script type="application/json" id="analysis">(.*?)</script>', made.html, re.S
    )
    jsonschema.validate(json.loads(found), handread.json_schema())
    wanted = analysis_object(made.analysis, EMBEDDED)
    assert json.loads(found) == json.loads(json.dumps(wanted))


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "viewpoint", "asks"),
    [
        ("showdown.stud", "seat:1", ("reveal", "guess")),
        ("all-cards-known.stud", "omniscient", ("reveal",)),
        ("eight-players.stud", "public", ("reveal", "guess")),
        ("stops-in-the-middle.stud", "public", ()),
        ("bovada.txt", "hero", ("reveal", "guess")),
    ],
)
def test_a_page_asks_only_where_downcards_are_known(
    name: str, viewpoint: str, asks: tuple[str, ...]
) -> None:
    made = sample(name, viewpoint)
    check_page(made)
    assert tuple(id for id in ("reveal", "guess") if f'id="{id}"' in made.html) == asks
    if not asks:
        assert not made.report.replay.downcards
        body = made.html[made.html.index("<main>") : made.html.index("</main>")]
        assert "spoiler" not in re.sub('<p id="(on-truth|truth-line)"[^>]*>', "", body)
        assert "The log ends before the hand does." in made.html


@pytest.mark.thorough
@pytest.mark.laws
@settings(examples(3), suppress_health_check=[HealthCheck.too_slow])
@given(history=legal_hands())
def test_any_legal_hand_has_a_page(history: History) -> None:
    check_page(made_of(history))


@pytest.mark.thorough
@pytest.mark.parametrize("policy", few([None, "panel"], 1))
def test_the_longest_hand_is_a_page_of_bearable_size(policy: str | None) -> None:
    made = longest(policy)
    check_page(made)
    assert len(made.moments) > 180
    assert len(made.report.streets) == 5
    assert {len(row.seats) for row in made.report.streets} == {8}


@pytest.mark.thorough
def test_a_page_with_ranges() -> None:
    check_page(ranged())
    assert any(line.read.within for read in ranged().steps.reads for line in read.lines)
    assert any(one.bets.within for step in ranged().moments for one in step.chances.values())


def test_a_hand_without_a_street() -> None:
    made = without_a_street()
    check_page(made)
    assert not made.moments
    assert not made.report.streets
    assert "No street of this hand could be read." in made.html
    assert 'id="stepper"' not in made.html
    assert "<figure" not in made.html


def test_neighbours_of_a_page() -> None:
    made = sample("showdown.stud")
    links = PageLinks(index="index.html", previous="01.html", following="03-x.html")
    text = page(made.report, made.steps, kept_json(made.analysis), links)
    check_form(text)
    hrefs = re.findall(r'href="([^#"]*)"', text)
    assert hrefs == ["index.html", "01.html", "03-x.html"]
    assert re.findall(r'href="([^#"]*)"', made.html) == []


@pytest.mark.parametrize("game", [STUD, STUD8, RAZZ, FIVE_STUD], ids=lambda game: game.key)
def test_neighbouring_bins_are_drawn_as_one(game: Variant) -> None:
    fine, coarse = hand_axis(game).edges.tolist(), constant_data(game)["edges"]
    assert set(hand_axis(game).starts) <= set(coarse) <= set(fine)
    assert len(coarse) < 0.56 * len(fine)
    heights = [1 + n % 90 for n in range(len(fine) - 1)]
    square = {}  # the square of the height of each hand type
    for (low, high), height in zip(pairwise(fine), heights, strict=True):
        square.update(dict.fromkeys(range(low, high), height**2))
    for (low, high), height in zip(pairwise(coarse), strokes(heights, game), strict=True):
        mean = sum(square[kind] for kind in range(low, high)) / (high - low)
        assert abs(math.sqrt(mean) - height) <= 0.5 + 1e-9


def test_the_words_for_the_shares_of_a_grid() -> None:
    thresholds = share_thresholds()
    for parts_of in range(1, 10_001):
        words = [words for start, words in thresholds if start <= parts_of][-1]
        assert words == percent_words(parts_of / 10_000)


@pytest.mark.parametrize("name", ["showdown.stud", "all-cards-known.stud", "bovada.txt"])
def test_the_tables_have_the_words_of_the_report(name: str) -> None:
    """Whatever stands in a cell of a table stands in the report."""
    made = sample(name)
    known = " ".join(strings(made.report)).split()
    body = made.html[: made.html.index('<script type="application/json"')]
    cells = re.findall(r"<td[^>]*>(.*?)</td>", body, re.S)
    text = " ".join(re.sub("<[^>]*>", " ", cell) for cell in cells)
    numbers = set(re.findall(r"[+-]?\d[\d.,]*%?", text)) - set("23456789")
    assert len(numbers) > 50
    for number in numbers:
        assert any(number.rstrip(",") in word for word in known), number
    for row in (row for street in made.report.streets for row in street.actions):
        assert f"<td>{row.surprise.words}</td><td>{row.information.words}</td>" in body


def test_hostile_names_stay_text() -> None:
    made = hostile()
    walk = check_form(made.html)
    check_closed_off(made.html)
    shown = "".join(walk.shown)
    assert "</script><scri.." in shown
    assert "<b>" in shown
    assert made.report.title in shown
    assert "<img src=x onerror=" in made.report.title
    assert f"{NASTY[0]}.stud" in shown
    for character in ("\u2028", "\u2029", "\u202e", "\x1b"):
        assert character not in made.html
    spoken = page_data_of(made.html)["spoken"]
    assert spoken == {str(seat): label for seat, label in made.report.spoken.items()}
    assert made.html.count("</script>") == 3


def test_json_cannot_end_its_element() -> None:
    text = embedded({"a": "</script><!-- & \u2028\u2029 <script>"})
    assert not set(text) & set("<>&\u2028\u2029")
    assert json.loads(text) == {"a": "</script><!-- & \u2028\u2029 <script>"}
