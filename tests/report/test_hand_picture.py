"""The picture of a hand: it shows the numbers of the report, those only, and bears any name."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle
from matplotlib.text import Text

import handread
from handread.cards import card_text
from handread.game.replay import replay
from handread.history import History, StreetStart
from handread.inference.analysis import analyze_replay
from handread.inference.hand_analysis import Analysis
from handread.policy import load_policy
from handread.report import figures as plots
from handread.report.build import hand_report
from handread.report.ends import street_ends
from handread.report.families import family_lines
from handread.report.figures.boards import NAMES
from handread.report.figures.hand_picture import most_notable
from handread.report.figures.panels import FEW, apart
from handread.report.figures.style import breadth, fitted, flowed
from handread.report.palette import seat_colour
from handread.report.shown_values import HandReport, Steps, bits_bars, finite
from handread.report.steps import hand_steps
from tests.examples import examples
from tests.hands import GOLDEN, hand, random_hand
from tests.pages import strings
from tests.program import SAMPLES
from tests.strategies import legal_hands

NUMBER = re.compile(r"[-+]?[0-9][0-9,]*(?:\.[0-9]+)?%?|[-+]inf")
HOSTILE = (
    "$x^2$ <b>&amp;",
    "\u202eevil\u202c",
    "\x1b[31mred\n",
    "שלום",
    "漢字" * 9,
    "a" * 10_000,
    "e" + "\u0301" * 9_999,
    "W" * 16,
)
ONE_STREET = """
    1a 2a 3a
    3: 1=7c.Qs/7h 2=Ad.Jd/8d 3=5d.Ac/3d
    3B 1r 2f 3f
"""
OPEN = "How open the outcome is"
"""The title of a panel that crowded pages leave out."""

SIGHTS = ("public", "seat:1", "omniscient")

Shown = tuple[HandReport, Steps]


def read(history: History, viewpoint: str = "public") -> Analysis:
    return analyze_replay(replay(history), load_policy("default"), viewpoint=viewpoint)


def shown(analysis: Analysis) -> Shown:
    report = replace(hand_report(analysis), made_by="me")
    return report, hand_steps(report, analysis)


def pages(analysis: Analysis) -> list[Figure]:
    return plots.hand_pages(*shown(analysis), street_ends(analysis))


@cache
def golden_read(viewpoint: str = "public") -> Analysis:
    return read(hand(GOLDEN), viewpoint)


@cache
def golden(viewpoint: str = "public") -> Shown:
    return shown(golden_read(viewpoint))


@cache
def sample_read(name: str) -> Analysis:
    return read(next(iter(handread.read_hands(SAMPLES / name))))


@cache
def sample(name: str) -> Shown:
    return shown(sample_read(name))


@cache
def hostile_read(streets: int = 5) -> Analysis:
    """Eight players who never heard of each other's good manners."""
    made = random_hand(204, 8)
    begun = [n for n, event in enumerate(made.events) if isinstance(event, StreetStart)]
    made = replace(made, events=made.events[: [*begun, None][streets]])
    seats = tuple(replace(s, name=n) for s, n in zip(made.seats, HOSTILE, strict=True))
    return read(replace(made, seats=seats, hand_id="$\\frac{\u202e\x07" + "z" * 10_000))


@cache
def drawn(viewpoint: str = "public") -> Figure:
    """The picture of the golden hand, only to be looked at."""
    return plots.hand_figure(*golden(viewpoint))


def lines(figure: Figure) -> dict[str, tuple[list[float], list[float]]]:
    """The points of every line that stands for numbers."""
    return {
        str(line.get_gid()): (list(line.get_xdata()), list(line.get_ydata()))
        for line in figure.findobj(Line2D)
        if line.get_gid()
    }


def texts(figure: Figure) -> list[str]:
    """What is written on a page, but for the numbers along its axes."""
    marks = [tick for axes in figure.axes for tick in axes.yaxis.get_major_ticks()]
    ticks = {label for tick in marks for label in (tick.label1, tick.label2)}
    found = (text for text in figure.findobj(Text) if text not in ticks)
    return [text.get_text() for text in found if text.get_text()]


def check_lines(figure: Figure, steps: Steps) -> None:
    """Every line has the numbers of the steps at its moments, and none is missing."""
    expected: dict[str, tuple[list[float], list[float]]] = {}

    def point(gid: str, x: int, y: float | None) -> None:
        xs, ys = expected.setdefault(gid, ([], []))
        xs.append(x)
        ys.append(y or 0.0)

    for place, step in enumerate(steps.steps):
        for seat, chance in step.chances.items():
            point(f"bets-{seat}", place, chance.bets.value)
            if len(step.chances) <= FEW:
                point(f"cards-{seat}", place, chance.cards.value)
                if chance.truth is not None:
                    point(f"truth-{seat}", place, chance.truth.value)
        if OPEN not in texts(figure):
            continue
        point("entropy", place, step.open_bits.value)
        if step.true_bits is not None:
            point("true-entropy", place, step.true_bits.value)
    assert lines(figure) == expected


# The numbers


@pytest.mark.thorough
@pytest.mark.parametrize("viewpoint", SIGHTS)
def test_the_lines_are_the_numbers_of_the_steps(viewpoint: str) -> None:
    report, steps = golden(viewpoint)
    figure = drawn(viewpoint)
    check_lines(figure, steps)
    known = report.replay.downcards_on(7)
    cards = Counter(text for text in texts(figure) if re.fullmatch("[2-9TJQKA][♣♦♥♠]", text))
    up = [street.upcards[seat] for street in report.replay.streets for seat in street.active]
    wanted = [card_text(card) for group in (*up, *known.values()) for card in group]
    suits = dict(zip("cdhs", "♣♦♥♠", strict=True))
    assert cards == Counter(card[0] + suits[card[1]] for card in wanted)


@pytest.mark.thorough
@pytest.mark.laws
@given(legal_hands())
@examples(2)
def test_every_hand_can_be_drawn(history: History) -> None:
    report, steps = shown(read(history))
    figure = plots.hand_figure(report, steps)
    check_lines(figure, steps)
    assert all(np.isfinite(axes.get_ylim()).all() for axes in figure.axes)
    figure.draw_without_rendering()


@pytest.mark.parametrize("viewpoint", SIGHTS)
def test_the_bars_are_the_bits_of_the_moments(viewpoint: str) -> None:
    report, steps = golden(viewpoint)
    bars = [bar for bar in drawn(viewpoint).findobj(Rectangle) if bar.get_gid()]
    looks_on = 1 if viewpoint == "seat:1" else None
    expected = list(bits_bars(steps.steps, finite, looks_on))
    assert len(bars) == len(expected)
    for bar, wanted in zip(bars, expected, strict=True):
        assert bar.get_height() == pytest.approx(wanted.figure.value, rel=1e-12, abs=1e-15)
        assert bar.get_y() == wanted.base
        assert bar.get_x() + bar.get_width() / 2 == pytest.approx(wanted.moment)
        assert bar.get_gid() == f"{wanted.kind}-bits-{wanted.seat}"
        # Not by the colour alone: news of cards is hatched, what the table learnt an outline.
        assert bool(bar.get_hatch()) == (wanted.kind == "cards")
        assert (bar.get_facecolor()[3] == 0.0) == (wanted.kind == "table")
    told: dict[tuple[str, int], float] = {}
    for wanted in expected:
        key = wanted.kind, wanted.seat
        told[key] = told.get(key, 0.0) + (wanted.figure.value or 0.0)
    for row in report.bits:
        assert told.get(("cards", row.seat), 0.0) == pytest.approx(row.card_news.value)
        assert told.get(("bets", row.seat), 0.0) == pytest.approx(row.bet_news.value)
    assert any(kind == "table" for kind, _ in told) == (viewpoint == "seat:1")


@pytest.mark.parametrize("viewpoint", SIGHTS)
def test_a_row_of_the_table_is_the_action_in_the_words_of_the_report(viewpoint: str) -> None:
    steps = golden(viewpoint)[1]
    text = texts(drawn(viewpoint))
    done = [step for step in steps.steps if step.action is not None]
    kept = 0
    start = text.index("truth") + 1
    for step in done:
        row = step.action
        figures = (row.expected, row.surprise, row.information)
        cells = [row.words, row.one_in, *(figure.words for figure in figures)]
        cells += [row.table.words] * (viewpoint == "seat:1")
        cells += [row.truth.words if row.truth else "-"]
        # In another order from one release of the library to the next, but all together.
        for at in range(start, len(text) - len(cells) + 1):
            if sorted(text[at : at + len(cells)]) == sorted(cells):
                kept += 1
                start = at + len(cells)
                break
    told = next(t for t in text if "left out" in t)
    assert f"{len(done)} actions, {len(done) - kept} left out" in told


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["showdown.stud", "stops-in-the-middle.stud"])
def test_every_number_on_a_page_is_one_of_the_report(name: str) -> None:
    report, steps = sample(name)
    known = {
        token
        for part in (report, report.facts, steps)
        for s in strings(part)
        for token in NUMBER.findall(s)
    }
    for stage in sample_read(name).stages:
        for read in (*stage.seats.values(), *stage.folded.values()):
            words = " ".join(
                f"{line.cards_alone.words} {line.words}" for line in family_lines(read)
            )
            known |= {token for w in words.split() for token in (w, w.removesuffix("%"))}
    # Seats and cards, the rule that says where the faint lines are, and how much is left out.
    known |= {str(n) for n in range(1, 10)} | {str(FEW)}
    done = sum(step.action is not None for step in steps.steps)
    for page in pages(sample_read(name))[:1]:
        for line in texts(page):
            if "left out" in line:
                counts = [int(n) for n in NUMBER.findall(line)]
                assert counts[0] == done
                assert 0 < counts[1] < done
                continue
            assert set(NUMBER.findall(line)) <= known, line


def test_the_ends_of_the_lines_are_named() -> None:
    report, steps = sample("bovada.txt")
    text = texts(plots.hand_figure(report, steps))
    assert OPEN in text
    for seat, chance in steps.steps[-1].chances.items():
        words = chance.bets.words, f"cards {chance.cards.words}", f"truth {chance.truth.words}"
        assert " · ".join(words) in text
        assert report.spoken[seat] in text
    for name, value in (("the read", steps.steps[-1].open_bits), ("in truth", None)):
        assert name in text
        assert value is None or f"{value.words} bits" in text


def test_letters_stand_in_the_row_of_who_acted_whose_line_ends_at_a_fold() -> None:
    report, steps = golden()
    figure = drawn()
    rows = {seat: row for row, seat in enumerate(report.labels)}
    letters = {(t.get_position(), t.get_text(), t.get_color()) for t in figure.axes[2].texts}
    for place, step in enumerate(steps.steps):
        if step.actor is not None:
            colour = seat_colour(step.actor)
            assert ((place, rows[step.actor]), step.mark, colour) in letters
        if step.mark == "f":
            xs, _ = lines(figure)[f"bets-{step.actor}"]
            assert xs[-1] == place - 1


@pytest.mark.thorough
def test_the_lines_of_different_seats_have_different_dashes() -> None:
    report, steps = sample("eight-players.stud")
    chances = plots.hand_figure(report, steps).axes[1]
    looks = [line for line in chances.lines if str(line.get_gid()).startswith("bets-")]
    assert len({line.get_color() for line in looks}) == len(looks) == 8
    # matplotlib tells a line's dashes only to those who draw it.
    assert len({str(line._unscaled_dash_pattern) for line in looks}) == 8


# What is left out, or not there


def test_a_hand_of_one_street() -> None:
    analysis = read(hand(ONE_STREET))
    report, steps = shown(analysis)
    figure = plots.hand_figure(report, steps)
    check_lines(figure, steps)
    assert "3rd street" in texts(figure)
    # Nobody is left to end with anything.
    assert len(pages(analysis)) == 1


def test_a_record_that_was_not_read_at_all() -> None:
    report, _ = golden()
    empty = replace(report, streets=(), bits=(), result=("The record stops here.",), shown=())
    figure = plots.hand_figure(empty, Steps((), (), (), ()))
    assert "Nothing of this hand could be read." in texts(figure)
    assert plots.picture_bytes(figure, ".svg")


@given(room=st.integers(0, 25))
@examples(15)
def test_the_most_notable_actions_are_kept_in_order(room: int) -> None:
    _, steps = golden()
    done = [step for step in steps.steps if step.action is not None]
    kept = most_notable(done, room)
    assert len(kept) == min(room, len(done))
    assert [step for step in done if step in kept] == kept
    notable = sum(step.notable for step in done)
    assert sum(step.notable for step in kept) == min(room, notable)


# The pages


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "stages"),
    [
        ("showdown.stud", ["3B", "4B", "5B", "6B", "7B"]),
        ("stops-in-the-middle.stud", ["3B", "4B", "5D"]),
        ("steal.stud", []),
    ],
)
def test_a_page_a_street(name: str, stages: list[str]) -> None:
    found = pages(sample_read(name))
    assert [page.get_suptitle().split(" at ")[1][:2] for page in found[1:]] == stages
    for page in found:
        assert tuple(page.get_size_inches()) == pytest.approx((8.27, 11.69))


@pytest.mark.dear("its fonts are written into each of two files")
def test_pages_are_the_same_every_time(tmp_path: Path) -> None:
    stages = sample_read("showdown.stud").stages[:2]
    for name in ("1.pdf", "2.PDF"):
        plots.save_pages([plots.htpd_figure(stage, {}) for stage in stages], tmp_path / name)
    one, two = ((tmp_path / name).read_bytes() for name in ("1.pdf", "2.PDF"))
    assert one == two
    assert one.startswith(b"%PDF")
    assert len(re.findall(rb"/Type /Page\b", one)) == 2
    assert b"CreationDate" not in one


# Hostile text


@pytest.mark.thorough
@pytest.mark.filterwarnings("error")
def test_hostile_names_are_harmless() -> None:
    report, steps = shown(hostile_read())
    figure = plots.hand_figure(report, steps)
    check_lines(figure, steps)
    for label in figure.axes[0].texts:  # names on the boards stay in their column
        if label.get_position()[0] == 0.0:
            assert breadth(label.get_text(), 7, "bold") <= 72 * NAMES
    # A name from right to left would turn a number round that is part of its text.
    turning = [words for words in texts(figure) if "שלום" in words]
    assert turning
    assert not [words for words in turning if "%" in words]
    picture = plots.picture_bytes(figure, ".svg").decode()
    root = ET.fromstring(picture)
    text = " ".join("".join(node.itertext()) for node in root.iter() if node.tag.endswith("text"))
    assert "$x^2$ <b>&amp;" in text
    assert "\\u202eevil" in text
    assert "\\x1b[31mred\\n" in text
    assert not set("\u202e\u202c\x1b\x07") & set(picture)
    assert len(picture) < 2_000_000


@pytest.mark.thorough
@pytest.mark.filterwarnings("error")
def test_hostile_names_are_harmless_on_the_pages_of_streets() -> None:
    for page in pages(hostile_read(1))[1:]:
        assert plots.picture_bytes(page, ".png").startswith(b"\x89PNG")


@pytest.mark.thorough
@pytest.mark.filterwarnings("ignore:Glyph")
def test_long_texts_stay_on_the_page() -> None:
    report, steps = shown(hostile_read())
    report = replace(report, made_by="W" * 9000, notes=("é " * 900,) * 9)
    figure = plots.hand_figure(report, steps)
    figure.draw_without_rendering()
    for text in figure.findobj(Text):
        if text.get_text() and text.get_visible():
            box = text.get_window_extent()
            assert box.x1 <= figure.bbox.x1 - 20, text.get_text()
            assert min(box.x0, box.y0) >= 0
            assert box.y1 <= figure.bbox.y1


# What fits


@given(st.text(max_size=60), st.floats(30.0, 200.0), st.sampled_from(["normal", "bold"]))
@examples(60)
def test_a_fitted_text_fits(text: str, room: float, weight: str) -> None:
    found = fitted(text, room, 8.0, weight)
    assert breadth(found, 8.0, weight) <= room
    assert found.endswith("..") or "\\" in found or found == text


@given(st.lists(st.text(max_size=40), max_size=12), st.integers(1, 5))
@examples(60)
def test_items_flow_into_lines(items: list[str], most: int) -> None:
    found = flowed(items, 150.0, 8.0, most)
    assert len(found) <= most
    assert bool(found) == bool(items)
    assert all(breadth(line, 8.0) <= 150.0 for line in found)


@given(st.lists(st.floats(-10.0, 210.0), max_size=9), st.floats(0.0, 40.0))
def test_labels_stand_apart(wanted: list[float], gap: float) -> None:
    found = apart(wanted, gap, 0.0, 200.0)
    assert len(found) == len(wanted)
    assert all(-1e-9 <= place <= 200.0 + 1e-9 for place in found)
    least = min(gap, 200.0 / max(1, len(wanted) - 1))
    assert all(b - a >= least - 1e-9 for a, b in pairwise(sorted(found)))
    # In the order that they want, and where they want where nothing is in the way.
    for a, b in pairwise(sorted(range(len(wanted)), key=lambda i: wanted[i])):
        assert found[a] <= found[b]
    clear = all(b - a >= gap for a, b in pairwise(sorted(wanted)))
    if clear and all(0.0 <= place <= 200.0 for place in wanted):
        assert found == pytest.approx(wanted)


@pytest.mark.thorough
def test_the_longest_explanation_of_the_chances_fits() -> None:
    report, steps = sample("hi-lo.stud")
    found = texts(plots.hand_figure(replace(report, omniscience="partial"), steps))
    (words,) = [text for text in found if text.startswith("thick: cards and bets")]
    assert words.endswith(f"in truth as far as is known; thin and dots if {FEW} or fewer are in")
