"""The gallery: its hands, its pictures, and every figure that its paragraphs quote."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import pytest

import handread
from handread import Analysis, History
from handread.decisions.ledger import PARTS
from handread.inference.timeline import TimelinePoint, timeline_points
from handread.report.build import hand_report
from handread.report.steps import hand_steps
from handread.report.values import StepPart
from handread.report.words import chance_words, share_words
from tests.program import ROOT

pytestmark = pytest.mark.docs

FOLDER = ROOT / "docs" / "gallery"
PAGE = (ROOT / "docs" / "gallery.md").read_text("utf-8")
POLICY = "people"
NAMES = re.findall(r"\]\(gallery/([\w-]+)\.stud\)", PAGE)
SECTIONS = dict(zip(NAMES, re.split(r"^## .*\n", PAGE, flags=re.M)[-len(NAMES) :], strict=True))


class Quote(NamedTuple):
    """A figure of the gallery: the step of the page, what the page says there, and the text.

    The figures of the text are among those of the page. ``hand`` is set where the paragraph is
    about another hand.
    """

    step: int
    page: str
    text: str
    hand: str = ""


QUOTES = {
    "steal": [
        Quote(7, "Lena: split pair 12% to 17%", "a split pair rises only from 12% to 17%"),
        Quote(7, "Lena: high card 69% to 62%", "high card is still the best guess at 62%"),
        Quote(7, "Otto: high card 69%", "no more than a high card 69% of the time"),
        Quote(5, "Nora: split pair 12% to 23%", "of a split pair from 12% to 23%", "check-raise"),
        Quote(7, "the true downcards half as likely", "made her true downcards half as likely"),
        Quote(11, "2 Otto folds", "[he folds](gallery/steal.html#11)"),
    ],
    "slow-play": [
        Quote(14, "do this 1 time in 9", "raise there 1 time in 9"),
        Quote(14, "Otto: split pair 41% to 55%", "split pair rises from 41% to 55%"),
        Quote(14, "Otto: two pair 5% to 10%", "two pair from 5% to 10%"),
        Quote(14, "Otto: trips 2% to 4%", "only from 2% to 4%"),
        Quote(22, "Otto: trips 8% to 10%", "no more than 10%"),
    ],
    "semi-bluff": [
        Quote(11, "Mika: flush draw 12% to 20%", "a flush draw rises from 12% to 20%"),
        Quote(11, "Mika: split pair 28% to 36%", "a split pair from 28% to 36%"),
        Quote(16, "Mika 56.7% to 45.8% to win", "falls from 56.7% to 45.8%"),
        Quote(18, "do this 23% of the time", "Players like these fold there 23% of the time"),
        Quote(18, "Ivo: high card 16% to 48%", "a high card goes from 16% to 48%"),
        Quote(18, "downcards two fifths as likely", "downcards become two fifths as likely"),
    ],
    "check-raise": [
        Quote(14, "Sam: trips 22% to 14%", "trips fall from 22% to 14%"),
        Quote(17, "do this 1 time in 23", "do 1 time in 23"),
        Quote(17, "do this 1 time in 23", "raise here 1 time in 23"),
        Quote(17, "Sam: trips 14% to 38%", "Trips rise from 14% to 38%"),
        Quote(17, "Sam: trips 14% to 38%", "trips 38%"),
        Quote(17, "Sam: pair on board 64% to 28%", "falls from 64% to 28%"),
        Quote(17, "Nora 38.0% to 25.5% to win", "Nora is left with 25.5%"),
        Quote(18, "calls 4 for 29.80", "With $29.80 in the pot"),
        Quote(18, "Nora: high card 21% to 58%", "a high card goes from 21% to 58%"),
    ],
    "wrong-read": [
        Quote(4, "downcards a sixth as likely", "Hal's true downcards a sixth as likely"),
        Quote(19, "Ivo 11.8% to 4.1% to win", "leaves him 4.1% to win"),
        Quote(19, "Ivo 11.8% to 4.1% to win", "Ivo has 4.1% to win"),
        Quote(20, "calls 4 for 29.80: 12%", "needs 12% to call $4 for a pot of $29.80"),
        Quote(19, "Hal: high card 6% to 1%", "high card 6% before that bet and 1% after it"),
        Quote(19, "downcards a fifth as likely", "made them a fifth as likely"),
        Quote(19, "Hal: pair 45% to 41%", "a pair 41%"),
        Quote(19, "Hal: two pair 32% to 36%", "two pair 36%"),
    ],
    "hi-lo-scoop": [
        Quote(13, "Rosa 61.7% to 76.1% of the pot", "share of the pot from 61.7% to 76.1%"),
        Quote(15, "Rosa: split pair with a low draw 30% to 32%", "first guess at 32%"),
        Quote(15, "Rosa: gutshot with a low 7% to 10%", "none exceeds 10%"),
        Quote(21, "Rosa 67.7% to 99.0% of the pot", "her share goes from 67.7% to 99.0%"),
    ],
    "razz-brick": [
        Quote(9, "Nora 68.1% to 78.5% to win", "is 78.5% to win"),
        Quote(12, "Nora 76.9% to 63.2% to win", "A king leaves her 63.2%"),
        Quote(15, "Nora 61.3% to 34.8% to win", "takes her from 61.3% to 34.8%"),
        Quote(15, "Nora 61.3% to 34.8% to win", "Nora has 34.8% to win"),
        Quote(15, "Teo: nine low 57%", "a nine low 57%"),
        Quote(15, "Teo: eight low 35%", "an eight low 35%"),
        Quote(13, "Nora 63.2% to 61.3% to win", "still the favourite at 61.3%"),
        Quote(13, "Teo: nine low 35% to 47%", "rises from 35% to 47%"),
        Quote(17, "Nora: six-low draw 30% to 47%", "a six-low draw from 30% to 47%"),
    ],
    "last-card-bluff": [
        Quote(15, "Teo 65.4% to 83.1% to win", "from 65.4% to 83.1%"),
        Quote(16, "Teo: straight 21% to 22%", "make a straight, 22%"),
        Quote(16, "Teo: pair 45% to 48%", "a pair has 48%"),
        Quote(16, "Teo: high card 34% to 29%", "which is the truth, 29%"),
        Quote(16, "Teo: high card 34% to 29%", "The figure that matters is the 29%"),
        Quote(17, "calls 4 for 21.80: 16%", "$4 wins $21.80 and needs to be right 16%"),
    ],
    "bad-beat": [
        Quote(12, "Lena 66.2% to 91.5% to win", "from 66.2% to 91.5%"),
        Quote(14, "1 Sam calls", "[calls](gallery/bad-beat.html#14)"),
        Quote(20, "Sam: full house 19% to 41%", "full house from 19% to 41%"),
        Quote(20, "Lena 69.8% to 36.4% to win", "leaves Lena 36.4%"),
    ],
    "value-bet": [
        Quote(12, "June 62.6% to 82.8% to win", "is 82.8% to win"),
        Quote(18, "Ivo: flush 5%", "a flush has 5%"),
        Quote(18, "Ivo: two pair 29%", "two pair 29%"),
        Quote(18, "Ivo: pair 47%", "one pair 47%"),
        Quote(18, "June 86.9% to 84.9% to win", "is 84.9% to win"),
        Quote(20, "do this 61% of the time", "Players like these call there 61% of the time"),
        Quote(14, "Ivo: flush draw 9% to 11%", "no more than 11%"),
    ],
}


class Valued(NamedTuple):
    """A value of the gallery, in dollars: the step, the action, its value, and the text.

    The action is "cost" for what the action taken cost, or a verdict.
    """

    step: int
    action: str
    value: str
    text: str


VALUES = {
    "steal": [
        Valued(7, "best", "", "both of Lena's bets are best"),
        Valued(10, "best", "", "both of Lena's bets are best"),
    ],
    "slow-play": [
        Valued(7, "close", "", "each of his two calls is too close to call"),
        Valued(11, "close", "", "each of his two calls is too close to call"),
    ],
    "semi-bluff": [
        Valued(11, "raise", "6.5", "the raise was worth $6.50"),
        Valued(11, "call", "5.1", "a call $5.10"),
    ],
    "check-raise": [Valued(18, "close", "", "the model finds it too close to call")],
    "wrong-read": [Valued(20, "best", "", "by the model is his best action")],
    "hi-lo-scoop": [
        Valued(15, "raise", "17.2", "it is worth $17.20"),
        Valued(15, "call", "14.7", "a call $14.70"),
        Valued(5, "cost", "2.0", "a raise was worth $2.00 more"),
        Valued(5, "mistake", "", "a raise was worth $2.00 more"),
    ],
    "razz-brick": [
        Valued(14, "cost", "1.3", "a mistake of $1.30"),
        Valued(14, "mistake", "", "a mistake of $1.30"),
    ],
    "last-card-bluff": [
        Valued(17, "cost", "3.6", "a mistake of $3.60"),
        Valued(17, "mistake", "", "a mistake of $3.60"),
    ],
    "bad-beat": [
        Valued(14, "cost", "2.3", "a mistake of $2.30"),
        Valued(14, "mistake", "", "a mistake of $2.30"),
        *(
            Valued(step, verdict, "", "None of her six decisions is a mistake")
            for step, verdict in ((5, "best"), (10, "close"), (13, "best"))
        ),
        *(
            Valued(step, "best", "", "None of her six decisions is a mistake")
            for step in (16, 19, 21)
        ),
    ],
    "value-bet": [
        Valued(19, "bet", "23.3", "the bet is worth $23.30"),
        Valued(19, "check", "22.0", "a check $22.00"),
    ],
}

LEDGERS = {
    "slow-play": [
        (1, "result", "-20.2", "loses $20.20"),
        (1, "showdown", "-32.9", "puts $32.90 on the showdown"),
    ],
    "razz-brick": [
        (3, "result", "-12.2", "is $12.20 down"),
        (3, "cards", "-16.1", "puts $16.10 on later cards"),
        (3, "adjusted", "+2.4", "she is $2.40 ahead"),
    ],
    "check-raise": [
        (1, "result", "-8.2", "loses $12 more"),
        (2, "result", "-20.2", "loses $12 more"),
    ],
    "bad-beat": [
        (6, "result", "-20.2", "Of the $20.20 that she loses"),
        (6, "showdown", "-15.7", "puts $15.70 on the showdown"),
        (6, "adjusted", "-6.2", "she has lost $6.20"),
        (6, "others", "-7.4", "cost her $7.40"),
        (1, "result", "+21.6", "Sam wins $21.60"),
        (1, "adjusted", "+0.9", "without the luck of the cards $0.90"),
    ],
}
"""Quoted terms of ledgers: the seat, the term, its amount in dollars, and the text."""


@cache
def history(name: str) -> History:
    """Return the hand of a file."""
    (hand,) = handread.read_hands(FOLDER / f"{name}.stud")
    assert isinstance(hand, History)
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
def steps(name: str) -> tuple[StepPart, ...]:
    """Return the steps of the page of a hand."""
    return hand_steps(hand_report(read(name)[0])).steps


@cache
def facts(name: str, n: int) -> str:
    """Return what the page says at a step: its sentence, the holdings, the chances, the price."""
    analysis, points = read(name)
    before, now = points[n - 2 : n]
    step = steps(name)[n - 1]
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
    for quote in QUOTES[name]:
        said = facts(quote.hand or name, quote.step)
        assert quote.page in said, said
        assert quote.text in section(name)
        assert numbers(quote.text) <= numbers(said)


@pytest.mark.parametrize("name", NAMES)
def test_no_figure_of_a_paragraph_is_unchecked(name: str) -> None:
    quoted = [quote.text for quote in QUOTES[name]]
    quoted += [value.text for value in VALUES[name]]
    quoted += [text for *_, text in LEDGERS.get(name, [])]
    left = section(name)
    for text in quoted:
        left = left.replace(text, "")
    assert not re.findall(r"[\d.]*\d%|\d+\.\d|time in|as likely", left)


@pytest.mark.parametrize("name", NAMES)
def test_links_to_a_step_name_one_that_there_is(name: str) -> None:
    for hand, n in re.findall(r"gallery/([\w-]+)\.html#(\d+)", SECTIONS[name]):
        assert 1 <= int(n) <= len(read(hand)[1])
    linked = {int(n) for n in re.findall(rf"gallery/{name}\.html#(\d+)", SECTIONS[name])}
    assert linked


@pytest.mark.parametrize("name", LEDGERS)
def test_quoted_terms_of_ledgers(name: str) -> None:
    values = handread.value_decisions(read(name)[0], by="learned", check="none")
    for seat, term, amount, text in LEDGERS[name]:
        ledger = values.ledgers[seat]
        terms = {**ledger.terms, "result": PARTS * ledger.net, "adjusted": ledger.adjusted}
        assert f"{terms[term] / PARTS / 100:+.1f}" == amount
        assert text in section(name)
        assert f"${amount[1:]}0" in text or name == "check-raise"


@pytest.mark.thorough
@pytest.mark.parametrize("name", VALUES)
def test_quoted_values_of_decisions(name: str) -> None:
    analysis, points = read(name)
    decisions = {value.step: points[value.step - 1].action for value in VALUES[name]}
    seats = {action.decision.seat for action in decisions.values() if action is not None}
    found = {
        value.decision.n: value
        for value in handread.value_decisions(analysis, seats=seats).decisions
    }
    for step, action, amount, text in VALUES[name]:
        assert text in section(name)
        taken = decisions[step]
        assert taken is not None
        value = found[taken.decision.n]
        if not amount:
            assert value.verdict == action
            continue
        by_action = {one.action: one.q for one in value.actions} | {"cost": value.cost}
        assert f"{by_action[action] / 100:.1f}" == amount
        assert f"${amount}0" in text


def test_every_hand_is_on_the_page() -> None:
    assert sorted(NAMES) == sorted(path.stem for path in FOLDER.iterdir())
    assert len(NAMES) == 10
    for name in NAMES:
        assert f"[Step through this hand](gallery/{name}.html)" in section(name)
        assert f"handread analyze docs/gallery/{name}.stud --policy {POLICY}\n" in SECTIONS[name]


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
