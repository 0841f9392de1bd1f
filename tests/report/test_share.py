"""The menu of a page that shares its hand: text for a forum, a picture, and a file."""

from __future__ import annotations

import struct
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from handread.cards import card_text
from handread.report.html.data import page_data
from handread.report.html.page import PageLinks, kept_json
from handread.report.html.page import page as page_text
from tests.examples import few
from tests.pages import NASTY, Made, hostile, sample

if TYPE_CHECKING:
    from tests.browser import Page

SUITS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}

LOGS = ["pokerstars.txt", "showdown.stud", "hi-lo.stud", "razz.stud", "five-card.stud"]


def drawn(card: int) -> str:
    """A card as the text has it."""
    return card_text(card)[0] + SUITS[card_text(card)[1]]


def shared(page: Page, button: str) -> str:
    """The text that a button of the menu makes."""
    page.click(button)
    page.wait("return document.getElementById('share-done').textContent !== ''")
    return str(page.js("return document.getElementById('share-text').value"))


def hidden(page: Page) -> None:
    page.click("#share-hides")


def played(made: Made) -> list[str]:
    """The actions of each street in a line, as the text has them."""
    streets: dict[int, list[str]] = {}
    for step in made.moments:
        if step.actor is not None:
            label = made.report.spoken[step.actor]
            deed = step.title.removeprefix(label)
            name = label if label.startswith("seat ") else label.split(" ", 1)[1]
            streets.setdefault(step.street, []).append(name + deed)
    lines = map(", ".join, streets.values())
    return [line.replace("seat", "Seat", 1) if line[:5] == "seat " else line for line in lines]


def test_a_page_carries_what_is_shared_and_no_end_before_the_end() -> None:
    made = sample("showdown.stud")
    data = page_data(made.report, made.steps)
    assert data["game"] == made.report.game
    assert data["ending"] == [*made.report.shown, *made.report.result]
    half = replace(made.steps, steps=made.moments[:4])
    assert page_data(made.report, half)["ending"] == []
    stacks = page_data(sample("pokerstars.txt").report, made.steps)["stacks"]
    assert stacks["1"] == "$21.40"


@pytest.mark.thorough
@pytest.mark.parametrize("name", few(LOGS, 2))
def test_a_hand_is_shared_as_text(quiet: Page, tmp_path: Path, name: str) -> None:
    made = sample(name, "hero" if name == "pokerstars.txt" else "public")
    quiet.open(made.written(tmp_path))
    text = shared(quiet, "#share-hand")
    assert text.splitlines()[:3] == [f"**{made.report.title}**", "", made.report.game]
    assert [line for line in text.splitlines()[4:] if line and line[0] not in "-*"] == played(made)
    for step in made.moments:
        if step.kind == "deal":
            assert f"street**, pot {step.pot}" in text
            for place in step.places:
                if place.status != "folded":
                    up = " ".join(drawn(card) for card in place.up if card is not None)
                    assert f") {up}\n" in text
    ends = [line[1:].split(" wins ")[-1] for line in made.report.result]
    assert all(f"{words}\n" in text for words in ends)


@pytest.mark.thorough
def test_a_moment_is_shared_with_its_reads_and_without_names(quiet: Page, tmp_path: Path) -> None:
    made = sample("pokerstars.txt", "hero")
    quiet.open(made.written(tmp_path), "#8")
    hidden(quiet)
    text = shared(quiet, "#share-moment")
    names = [words.split(" ", 1)[1] for words in made.report.spoken.values()]
    assert not [name for name in names if name in text and name != "Hero"]
    assert made.report.title not in text
    assert "- Seat 7: hero, $25.00" in text
    assert "5th street" not in text
    assert "Result" not in text
    step = made.moments[7]
    reads = text.split("**What they may hold now**")[1]
    for seat, chance in step.chances.items():
        assert f"{'Hero' if seat == 7 else f'Seat {seat}'}, {chance.bets.point} to win" in reads
    first = made.read(7, 4).lines[0]
    assert f"{first.family} {first.read.point} ({first.cards_alone.words})" in reads
    assert "(9♣ 9♠) 6♥" in text
    assert quiet.js("return document.getElementById('seats').textContent").count("Priya.K") >= 1


@pytest.mark.thorough
def test_nasty_names_are_text(quiet: Page, tmp_path: Path) -> None:
    quiet.open(hostile().written(tmp_path))
    text = shared(quiet, "#share-hand")
    assert "\\<b\\>" in text
    assert quiet.driver.title != "owned"
    hidden(quiet)
    assert not any(name in shared(quiet, "#share-hand") for name in NASTY)


@pytest.mark.thorough
def test_a_picture_of_a_moment_is_saved(quiet: Page, tmp_path: Path) -> None:
    """It is the table as the page shows it, at twice its size, and the page stays as it is."""
    made = sample("pokerstars.txt", "hero")
    quiet.open(made.written(tmp_path), "#8")
    before = quiet.js("return document.getElementById('seats').innerHTML")
    quiet.downloads_to(tmp_path)
    hidden(quiet)
    quiet.click("#share-picture")
    path = tmp_path / "hand-8.png"
    quiet.wait("return document.getElementById('share-done').textContent.startsWith('Saved')")
    size = quiet.find("#seats").rect
    quiet.wait_for(path)
    data = path.read_bytes()
    assert data.startswith(b"\x89PNG")
    wide, high = struct.unpack(">II", data[16:24])
    assert wide == pytest.approx(2 * (size["width"] + 32), abs=2)
    assert high == pytest.approx(2 * (size["height"] + 66), abs=2)
    assert quiet.js("return document.getElementById('seats').innerHTML") == before


@pytest.mark.thorough
def test_the_menu_is_for_keys_and_names_its_file(quiet: Page, tmp_path: Path) -> None:
    made = sample("pokerstars.txt", "hero")
    links = PageLinks(single="hand.html?file=1")
    (tmp_path / "hand.html").write_text(
        page_text(made.report, made.steps, kept_json(made.analysis), links), encoding="utf-8"
    )
    quiet.open(tmp_path / "hand.html")
    quiet.js("document.querySelector('#share summary').focus()")
    quiet.press("Enter", "Tab", "Space")
    assert quiet.find("#share-file").get_attribute("href").endswith("?file=1&names=hidden")
    quiet.press("Space")
    assert quiet.find("#share-file").get_attribute("href").endswith("hand.html?file=1")
    quiet.press("Tab", "Enter")
    quiet.wait("return document.getElementById('share-done').textContent !== ''")
    assert made.report.title in quiet.js("return document.getElementById('share-text').value")
    quiet.press("Escape")
    assert not quiet.find("#share-hand").is_displayed()
    for width in (390, 768, 1280):
        quiet.resize(width, 900)
        quiet.js("document.getElementById('share').open = true")
        assert not quiet.overflows()
