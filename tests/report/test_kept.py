"""A report that was kept shows what a new one shows, also of a log that was moved since."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from pathlib import Path

import pytest
from hypothesis import given

import handread
from handread.cards import Card
from handread.game.steps import Replay
from handread.inference.analysis import analyze_replay
from handread.inference.hand_analysis import Analysis
from handread.report.build import kept_report
from handread.report.ends import StageEnds, street_ends
from handread.report.figures import hand_figure, hand_pages, pages_drawn, picture_bytes
from handread.report.html.page import PageLinks, kept_json, page, session_page
from handread.report.shown_values import HandReport, KeptReport, Steps
from handread.report.steps import hand_steps
from handread.report.text import plain_report
from handread.typed import packed, unpacked
from tests.examples import examples
from tests.pages import hands_of
from tests.program import SAMPLES
from tests.report.test_values import analyses

Kept = tuple[KeptReport, Steps, tuple[StageEnds, ...], str]
"""What is kept of a hand for all formats."""

COMMAND, KNOWN = "handread report moved.log", "plays 40% of hands"

PLAIN = (str, int, float, bool, type(None), Card)


def kept(analysis: Analysis) -> Kept:
    report = kept_report(analysis, 4)
    return report, hand_steps(report, analysis), street_ends(analysis), kept_json(analysis)


def encoded(analysis: Analysis) -> bytes:
    return packed(kept(analysis))


def texts(found: Kept, played: Replay) -> Iterator[str]:
    """Yield what is shown of a hand as text and as pages."""
    kept_part, steps, _, carried = found
    known = {seat.number: KNOWN for seat in played.history.seats}
    report = HandReport.of(kept_part, played, COMMAND, known)
    yield plain_report(report)
    yield plain_report(report, steps.steps, width=80)
    yield page(report, steps, carried)
    yield session_page(report, steps, PageLinks("index.html"))


def pictures(found: Kept, played: Replay) -> Iterator[bytes]:
    kept_part, steps, ends, _ = found
    report = HandReport.of(kept_part, played, COMMAND, {})
    yield picture_bytes(hand_figure(report, steps), ".svg")
    yield pages_drawn(hand_pages(report, steps, ends))


def parts(value: object) -> Iterator[object]:
    """Yield the parts of a value that have none themselves."""
    if isinstance(value, Mapping):
        for pair in value.items():
            yield from parts(pair)
    elif isinstance(value, tuple):
        for one in value:
            yield from parts(one)
    elif is_dataclass(value):
        for field in fields(value):
            yield from parts(getattr(value, field.name))
    else:
        yield value


def moved(played: Replay) -> Replay:
    """The replay of a copy of its log."""
    source = replace(played.history.source, file="/elsewhere/moved.log")
    return handread.replay(replace(played.history, source=source))


@pytest.mark.dear("reads each hand twice, for text and pages")
@given(analyses())
@examples(3)
def test_what_is_kept_of_a_hand_shows_it_again(read: Analysis) -> None:
    text, copy = encoded(read), moved(read.replay)
    found = unpacked(Kept, text)
    assert found == kept(read)
    again = analyze_replay(copy, read.reader, read.viewpoint, read.ties)
    assert encoded(again) == text
    assert list(texts(found, copy)) == list(texts(kept(again), copy))


HANDS = [
    *(("hi-lo.stud", "public"), ("broken-turn.stud", "public"), ("pokerstars.txt", "hero")),
]


@pytest.mark.thorough
@pytest.mark.parametrize(("name", "viewpoint"), HANDS)
def test_what_is_kept_is_plain_and_does_not_know_its_file(
    name: str, viewpoint: str, tmp_path: Path
) -> None:
    original = next(hands_of(SAMPLES / name))
    copied = tmp_path / f"another-{name}"
    copied.write_bytes((SAMPLES / name).read_bytes())
    one, other = (
        handread.analyze(hand, "loose", viewpoint=viewpoint)
        for hand in (original, next(hands_of(copied)))
    )
    found = kept(one)
    assert {type(part) for part in parts(found)} <= {*PLAIN}
    assert not [part for part in parts(found) if isinstance(part, str) and name in part]
    assert encoded(one) == encoded(other)
    shown = list(texts(unpacked(Kept, encoded(one)), other.replay))
    assert shown == list(texts(kept(other), other.replay))
    assert copied.name in shown[2]
    assert not any(original.source.file in text for text in shown)


@pytest.mark.dear("pages of a document are drawn twice")
@pytest.mark.parametrize(("name", "viewpoint"), HANDS[1:2])
def test_pictures_of_what_is_kept_are_the_same(name: str, viewpoint: str) -> None:
    read = handread.analyze(next(hands_of(SAMPLES / name)), "loose", viewpoint=viewpoint)
    found, copy = unpacked(Kept, encoded(read)), moved(read.replay)
    again = handread.analyze(copy, "loose", viewpoint=viewpoint)
    assert list(pictures(found, copy)) == list(pictures(kept(again), copy))
