"""The gallery: its hands, its pictures, and every figure that its paragraphs quote."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

import handread
from handread import Analysis, History
from handread.decisions.ledger import PARTS
from handread.inference.timeline import TimelinePoint, timeline_points
from handread.report.build import hand_report
from handread.report.steps import hand_steps
from handread.report.words import chance_words, share_words
from tests.program import ROOT

pytestmark = pytest.mark.docs

FOLDER = ROOT / "docs" / "gallery"
PAGE = (ROOT / "docs" / "gallery.md").read_text("utf-8")
POLICY = "people"
NAMES = re.findall(r"\]\(gallery/([\w-]+)\.stud\)", PAGE)
SECTIONS = dict(zip(NAMES, re.split(r"^## .*\n", PAGE, flags=re.M)[-len(NAMES) :], strict=True))


class Quote(NamedTuple):
    """A row of gallery.txt: a figure, and the words of the paragraph that quote it."""

    source: str
    n: int
    figure: str
    words: str
    hand: str


def quotes() -> Iterator[tuple[str, Quote]]:
    """Yield the name of a paragraph and a figure of it."""
    name = ""
    for line in (Path(__file__).parent / "gallery.txt").read_text("utf-8").splitlines():
        if line.startswith("["):
            name = line.strip("[]")
        elif line and not line.startswith("#"):
            place, figure, words = line.split(" | ")
            *hand, source, n = place.split()
            yield name, Quote(source, int(n), figure, words, hand[0] if hand else name)


QUOTES = list(quotes())


def quoted(name: str, source: str) -> list[Quote]:
    """Return the figures of a paragraph that are from one source."""
    return [quote for one, quote in QUOTES if one == name and quote.source == source]


@cache
def history(name: str) -> History:
    """Return the hand of a file."""
    (hand,) = handread.read_hands(FOLDER / f"{name}.stud")
    return hand


@cache
def read(name: str) -> tuple[Analysis, tuple[TimelinePoint, ...]]:
    """Return the analysis of a hand and its timeline, as the page has them."""
    hand = history(name)
    analysis = handread.analyze(hand, POLICY, viewpoint="hero" if hand.hero else "public")
    return analysis, timeline_points(analysis)


def section(name: str) -> str:
    """Return the section of a hand on one line."""
    return " ".join(SECTIONS[name].split())


@cache
def facts(name: str, n: int) -> str:
    """Return what the page says at a step: its sentence, the holdings, the chances, the price."""
    analysis, points = read(name)
    before, now = points[n - 2 : n]
    step = hand_steps(hand_report(analysis), analysis).steps[n - 1]
    return "\n".join([step.title, step.sentence, step.on_truth, *_figures(analysis, before, now)])


def _figures(analysis: Analysis, before: TimelinePoint, now: TimelinePoint) -> Iterator[str]:
    game = analysis.replay.history.variant
    prize = "of the pot" if game == "stud8" else "to win"
    for seat in before.active:
        name = analysis.replay.history.seat(seat).name
        old, new = ({**p.reads, **p.table_reads}[seat].families() for p in (before, now))
        for family, share in new.items():
            was = f"{share_words(old[family].bet_inference)} to " if family in old else ""
            if now.kind == "deal":
                was = ""
            yield f"{name}: {family} {was}{share_words(share.bet_inference)}"
        chances = [chance_words(p.bet_inference[seat]) for p in (before, now) if seat in p.active]
        yield f"{name} {' to '.join(chances)} {prize}"
    if now.action is not None and now.action.decision.to_call:
        decision = now.action.decision
        pot, price = decision.pot, decision.to_call
        needed = share_words(price / (pot + price))
        yield f"calls {price / 100:g} for {pot / 100:.2f}: {needed}"


def numbers(text: str) -> set[str]:
    return set(re.findall(r"\d+(?:\.\d+)?%?", text.partition("](")[0]))


@pytest.mark.parametrize("name", NAMES)
def test_the_figures_of_a_paragraph_are_those_of_the_page(name: str) -> None:
    for quote in quoted(name, "step"):
        said = facts(quote.hand, quote.n)
        assert quote.figure in said, said
        assert numbers(quote.words) <= numbers(said)


@pytest.mark.parametrize("name", NAMES)
def test_every_figure_of_a_paragraph_is_checked_and_every_link_leads_to_a_step(name: str) -> None:
    left = section(name)
    for quote in (quote for one, quote in QUOTES if one == name):
        assert quote.words in section(name)
        left = left.replace(quote.words, "")
    assert not re.findall(r"[\d.]*\d%|\d+\.\d|time in|as likely", left)
    links = re.findall(r"gallery/([\w-]+)\.html#(\d+)", SECTIONS[name])
    assert all(1 <= int(n) <= len(read(hand)[1]) for hand, n in links)
    assert name in dict(links)


@pytest.mark.parametrize("name", [name for name in NAMES if quoted(name, "ledger")])
def test_quoted_terms_of_ledgers(name: str) -> None:
    values = handread.value_decisions(read(name)[0], by="learned", check="none")
    for quote in quoted(name, "ledger"):
        ledger = values.ledgers[quote.n]
        terms = {**ledger.terms, "result": PARTS * ledger.net, "adjusted": ledger.adjusted}
        term, amount = quote.figure.split()
        assert f"{terms[term] / PARTS / 100:+.1f}" == amount
        assert f"${amount[1:]}0" in quote.words or name == "check-raise"


SIX = pytest.mark.dear("many decisions are valued, by 300 rollouts each")


@pytest.mark.thorough
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[SIX] * (name == "bad-beat")) for name in NAMES]
)
def test_quoted_values_of_decisions(name: str) -> None:
    analysis, points = read(name)
    taken = {quote.n: points[quote.n - 1].action for quote in quoted(name, "value")}
    decisions = {step: action.decision for step, action in taken.items() if action is not None}
    seats = {decision.seat for decision in decisions.values()}
    # Only verdicts need the second policy.
    check = None if any(" " not in quote.figure for quote in quoted(name, "value")) else "none"
    values = handread.value_decisions(analysis, "rollouts", seats=seats, check=check)
    found = {value.decision.n: value for value in values.decisions}
    for quote in quoted(name, "value"):
        value = found[decisions[quote.n].n]
        action, *amount = quote.figure.split()
        if not amount:
            assert value.verdict == action
            continue
        by_action = {one.action: one.q for one in value.actions} | {"cost": value.cost}
        assert f"{by_action[action] / 100:.1f}" == amount[0]
        assert f"${amount[0]}0" in quote.words


def test_every_hand_is_on_the_page() -> None:
    assert sorted(NAMES) == sorted(path.stem for path in FOLDER.iterdir())
    assert len(NAMES) == 10
    for name in NAMES:
        assert f"[Step through this hand](gallery/{name}.html)" in section(name)


@pytest.mark.parametrize("name", NAMES)
def test_the_hands_are_whole_and_legal(name: str) -> None:
    assert (FOLDER / f"{name}.stud").read_text("utf-8").startswith("# ")
    hand = history(name)
    assert hand.hand_id == name
    assert handread.replay(hand).finished
    assert read(name)[0].complete


def test_all_games_and_viewpoints_occur() -> None:
    assert {history(name).variant for name in NAMES} == {"stud", "stud8", "razz", "5stud"}
    assert {bool(history(name).hero) for name in NAMES} == {True, False}


def test_the_pictures_are_small_and_described() -> None:
    shown = re.findall(r"!\[([^\]]*)\]\(([^)]*)\)", PAGE)
    assert shown
    for text, file in shown:
        assert len(text) > 40
        assert (ROOT / "docs" / file).stat().st_size < 120_000
