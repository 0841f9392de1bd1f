"""The templates and what fills them. A page is one file and loads nothing."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from operator import attrgetter
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from handread import __version__
from handread.cards import Card, card_text
from handread.game.rules import STREET_NAMES
from handread.odds.hand_types import CATEGORIES, rank_word
from handread.report.html import charts
from handread.report.html.data import known_seats, page_data
from handread.report.index import IndexRow
from handread.report.json import analysis_object
from handread.report.palette import DARK, LIGHT, seat_dashes
from handread.report.values import HandReport, Steps
from handread.report.words import with_unit

SUITS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
SUIT_NAMES = ("clubs", "diamonds", "hearts", "spades")

EMBEDDED = 2
"""The number of holdings of each pdd in the embedded JSON."""

SCRIPTS = ("hand.js", "board.js", "read.js", "guess.js", "page.js")
"""The parts of a page's script in order."""


@dataclass(frozen=True, slots=True)
class PageLinks:
    """The pages that a page links to: names of files beside it, empty where there is none."""

    index: str = ""
    previous: str = ""
    following: str = ""


def page(report: HandReport, steps: Steps, links: PageLinks = PageLinks()) -> str:
    """Return the page of a hand: HTML that works from a file, without a network."""
    known = set(report.analysis.replay.downcards_on(7))
    drawn: dict[str, Any] = {}
    if steps.steps:
        drawn = {
            "chart_chances": charts.chances_chart(report, steps.steps),
            "chart_entropy": charts.entropy_chart(steps.steps),
            "chart_bits": charts.bits_chart(report, steps.steps),
            "named": {chance.seat for chance in steps.steps[-1].chances},
        }
    return _rendered(
        "page.html",
        SCRIPTS,
        title=report.title,
        report=report,
        steps=steps,
        links=links,
        has_truth=bool(known),
        may_guess=bool(known - set(known_seats(report))),
        analysis_json=embedded(analysis_object(report.analysis, EMBEDDED)),
        report_json=embedded(page_data(report, steps)),
        WIDTH=charts.WIDTH,
        LEFT=charts.LEFT,
        RIGHT=charts.RIGHT,
        TOP=charts.TOP,
        CATEGORIES=CATEGORIES,
        STREETS=STREET_NAMES,
        top=EMBEDDED,
        **drawn,
    )


def index_page(
    title: str,
    rows: Sequence[IndexRow],
    refused: Iterable[str] = (),
    others: Iterable[str] = (),
) -> str:
    """Return the index of a session.

    Args:
        title: The title of the page.
        rows: A row for each hand that has a page.
        refused: Reasons why hands have none.
        others: Descriptions of the hands of other games.
    """
    return _rendered(
        "index.html",
        (),
        title=title,
        rows=rows,
        refused=list(refused),
        others=list(others),
        scored=any(row.score for row in rows),
    )


def embedded(value: object) -> Markup:
    """Return JSON for a script element; nothing in it can end the element."""
    text = json.dumps(value, allow_nan=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return Markup(text)


def _rendered(template: str, scripts: Sequence[str], **values: Any) -> str:
    style = Markup(_style())
    code = Markup(_script(scripts) if scripts else "")
    return (
        _environment()
        .get_template(template)
        .render(
            version=__version__,
            style=style,
            style_hash=_hash(style),
            script=code,
            script_hash=_hash(code),
            **values,
        )
    )


def _hash(text: str) -> str:
    """Return the source of a content security policy that admits only this text."""
    digest = hashlib.sha256(text.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("handread.report.html"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=False,
        keep_trailing_newline=True,
    )
    environment.filters["groupby_in_order"] = lambda rows, name: [
        (key, list(group)) for key, group in groupby(rows, attrgetter(name))
    ]
    environment.globals.update(
        card_text=card_text,
        card_name=card_name,
        with_unit=with_unit,
        SUITS=SUITS,
        seat_dashes=seat_dashes,
    )
    return environment


@cache
def _style() -> str:
    return _environment().get_template("style.css").render(LIGHT=LIGHT, DARK=DARK).strip()


@cache
def _script(names: Sequence[str]) -> str:
    """Return the parts of a script as one, in a scope of its own."""
    loader = _environment().loader
    assert loader is not None
    parts = [loader.get_source(_environment(), name)[0].strip() for name in names]
    return "\n".join(['"use strict";', "{", *parts, "}"])


def card_name(card: Card) -> str:
    """Return a card as a screen reader says it: "seven of clubs"."""
    return f"{rank_word(card >> 2)} of {SUIT_NAMES[card & 3]}"
